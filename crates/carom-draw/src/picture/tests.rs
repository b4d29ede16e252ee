//! Tests of whole pictures: position, size and brightness of what is drawn, and that they are reproducible.

use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{Field, Frame, Topology};
use carom_time::Tick;

use super::*;

/// A square of two triangles at height `z`, and a grain of this radius above its middle.
fn square_and_grain(z: f64, radius: f64, grain: Vec3) -> Frame {
    let at = |x: f64, y: f64| Vec3::new(x, y, z);
    let positions = vec![at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0), grain];
    Frame {
        tick: Tick(0),
        time_s: 0.25,
        velocities: vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::X * 3.0, Vec3::X * 4.0],
        positions,
        topology: Arc::new(Topology {
            points: vec![4],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            vertex_body: vec![0, 0, 0, 0, 1],
            ..Topology::default()
        }),
        vertex_fields: vec![Field::new("radius_m", vec![0.0, 0.0, 0.0, 0.0, radius])],
        auxiliary_dofs: carom_model::AuxiliaryFrame::default(),
        cell_fields: Vec::new(),
    }
}

fn taken(frame: &Frame, looks: &[BodyStyle], style: &Style) -> Image {
    let mut survey = Survey::new(looks, style.colour_by);
    survey.see(frame);
    Studio::new(&survey, &[frame], looks, style).shoot(frame)
}

fn bodies(count: usize) -> Vec<BodyStyle> {
    vec![BodyStyle::default(); count]
}

fn plain() -> Style {
    Style {
        width: 400,
        labels: false,
        ground: false,
        edges: Edges::None,
        lens: Lens::Parallel,
        view: View { azimuth_deg: -90.0, elevation_deg: 90.0 },
        ..Style::default()
    }
}

/// How many pixels are more blue than red, and how many more red than blue: the first and the second body.
fn blue_and_red(image: &Image) -> (f64, f64) {
    let count = |is: fn(&[u8]) -> bool| image.rgb.chunks(3).filter(|p| is(p)).count() as f64;
    (count(|p| p[2] > p[0].saturating_add(30)), count(|p| p[0] > p[2].saturating_add(30)))
}

#[test]
fn a_grain_on_a_square_covers_its_disc_and_the_square_the_rest() {
    let frame = square_and_grain(0.0, 0.5, Vec3::Z);
    let image = taken(&frame, &bodies(2), &plain());
    let (square, grain) = blue_and_red(&image);
    let part = std::f64::consts::PI * 0.25 / 4.0;
    assert!((grain / (grain + square) - part).abs() < 0.01, "{grain} of {}", grain + square);
    let side = f64::from(image.height) - 2.0 * MARGIN * f64::from(image.width) / NOMINAL;
    assert!(((grain + square) / (side * side) - 1.0).abs() < 0.02, "{} of {side}²", grain + square);
}

#[test]
fn what_is_behind_is_hidden_and_seen_from_the_other_side_it_hides() {
    let frame = square_and_grain(0.0, 0.5, Vec3::Z);
    let below = Style { view: View { azimuth_deg: -90.0, elevation_deg: -90.0 }, ..plain() };
    assert!(blue_and_red(&taken(&frame, &bodies(2), &plain())).1 > 1000.0);
    assert_eq!(blue_and_red(&taken(&frame, &bodies(2), &below)).1, 0.0);
}

#[test]
fn the_same_frame_gives_the_same_bytes_also_as_one_of_many() {
    let frame = square_and_grain(0.0, 0.4, Vec3::new(0.2, 0.1, 0.6));
    let style = Style { width: 300, colour_by: ColourBy::Speed, ..Style::default() };
    let (one, two) = (taken(&frame, &bodies(2), &style), taken(&frame, &bodies(2), &style));
    assert_eq!(one.to_png(), two.to_png());
    let mut survey = Survey::new(&bodies(2), style.colour_by);
    survey.see(&frame);
    let studio = Studio::new(&survey, &[&frame], &bodies(2), &style);
    let _ = studio.shoot(&square_and_grain(0.0, 0.4, Vec3::Z));
    assert!(studio.shoot(&frame) == one);
}

#[test]
fn a_margin_of_paper_is_left_on_every_side() {
    let view = View::default();
    for lens in [Lens::Parallel, Lens::Perspective] {
        for grain in [Vec3::Z, Vec3::new(3.0, 0.0, 0.0), Vec3::new(0.0, -2.0, 4.0)] {
            let style = Style { view, lens, ..plain() };
            let image = taken(&square_and_grain(0.0, 0.3, grain), &bodies(2), &style);
            let (width, height) = (image.width, image.height);
            let border = (0..width).flat_map(|x| [(x, 5), (x, height - 6)]);
            let border = border.chain((0..height).flat_map(|y| [(5, y), (width - 6, y)]));
            assert!(border.into_iter().all(|(x, y)| image.pixel(x, y) == [255; 3]), "{lens:?} {grain:?}");
            assert!(blue_and_red(&image).0 > 500.0 && blue_and_red(&image).1 > 100.0);
        }
    }
}

#[test]
fn a_film_is_framed_for_all_its_frames() {
    let frames = [square_and_grain(0.0, 0.2, Vec3::Z), square_and_grain(0.0, 0.2, Vec3::Z * 8.0)];
    let style = Style { view: View { azimuth_deg: -90.0, elevation_deg: 10.0 }, ..plain() };
    let mut survey = Survey::new(&bodies(2), style.colour_by);
    for frame in &frames {
        survey.see(frame);
    }
    let studio = Studio::new(&survey, &[&frames[0]], &bodies(2), &style);
    let (first, second) = (studio.shoot(&frames[0]), studio.shoot(&frames[1]));
    let (a, b) = (blue_and_red(&first), blue_and_red(&second));
    assert!(a.1 > 10.0 && (a.1 / b.1 - 1.0).abs() < 0.1, "the grain is as large in both: {a:?} {b:?}");
    assert!((a.0 / b.0 - 1.0).abs() < 0.2, "the square stays where it is: {a:?} {b:?}");
}

#[test]
fn the_ground_below_a_body_is_darker_and_far_away_it_is_paper() {
    let frame = square_and_grain(0.4, 0.1, Vec3::ZERO);
    let style = Style { ground: true, view: View::default(), ..plain() };
    let darkest = |image: &Image| {
        let grey = image.rgb.chunks(3).filter(|p| p[0] == p[1] && p[1] == p[2]);
        grey.map(|p| p[0]).min().unwrap_or(255)
    };
    let with = taken(&frame, &bodies(2), &style);
    assert!((120..215).contains(&darkest(&with)), "{}", darkest(&with));
    assert_eq!(with.pixel(2, 2), [255; 3]);
    assert_eq!(darkest(&taken(&frame, &bodies(2), &Style { ground: false, ..style })), 255);
}

#[test]
fn an_obstacle_that_hides_what_moves_is_seen_through_unless_it_shall_not() {
    let frame = square_and_grain(0.0, 0.5, -Vec3::Z);
    let wall = BodyStyle { obstacle: true, ..BodyStyle::default() };
    let seen = |wall: BodyStyle| blue_and_red(&taken(&frame, &[wall, BodyStyle::default()], &plain())).0;
    assert!(seen(wall.clone()) > 1000.0);
    assert_eq!(seen(BodyStyle { see_through: Some(false), ..wall.clone() }), 0.0);
    // The first body that moves has the first colour, whatever its number.
    let hidden = taken(&frame, &[BodyStyle { hidden: true, ..wall }, BodyStyle::default()], &plain());
    assert!(blue_and_red(&hidden).0 > 1000.0);
}

#[test]
fn numbers_become_colours_between_those_of_the_slowest_and_the_fastest() {
    let frame = square_and_grain(0.0, 0.3, Vec3::new(3.0, 0.0, 0.0));
    let style = Style { colour_by: ColourBy::Speed, ..plain() };
    let image = taken(&frame, &bodies(2), &style);
    // At rest the colour is violet; four times as fast as the slowest that moves it is yellow.
    let is_near = |p: &[u8], [r, g, b]: [i32; 3]| {
        let (x, y, z) = (i32::from(p[0]) - r, i32::from(p[1]) - g, i32::from(p[2]) - b);
        x * x + y * y + z * z < 60 * 60
    };
    let some = |colour: [i32; 3]| image.rgb.chunks(3).filter(|p| is_near(p, colour)).count();
    assert!(some([0x44, 0x01, 0x54]) > 20 && some([0xfd, 0xe7, 0x25]) > 200);
    let narrow = taken(&frame, &bodies(2), &Style { range: Some((10.0, 20.0)), ..style });
    assert_eq!(narrow.rgb.chunks(3).filter(|p| is_near(p, [0xfd, 0xe7, 0x25])).count(), 0);
}

#[test]
fn labels_leave_ink_and_a_frame_of_nothing_is_paper() {
    let frame = square_and_grain(0.0, 0.3, Vec3::Z);
    let style = Style { labels: true, title: "A square".to_owned(), width: 800, ..plain() };
    let dark = |image: &Image| image.rgb.chunks(3).filter(|p| p.iter().all(|c| *c < 110)).count();
    let (with, without) =
        (taken(&frame, &bodies(2), &style), taken(&frame, &bodies(2), &Style { labels: false, ..style }));
    assert!(dark(&with) > dark(&without) + 100);
    let hidden = vec![BodyStyle { hidden: true, ..BodyStyle::default() }; 2];
    assert!(taken(&frame, &hidden, &plain()).rgb.iter().all(|c| *c == 255));
}
