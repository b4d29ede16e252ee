use std::sync::Arc;

use carom_model::Topology;
use carom_time::Tick;

use super::*;
use crate::xml::tags;

fn frame(topology: Topology, positions: Vec<Vec3>) -> Frame {
    Frame {
        tick: Tick(0),
        time_s: 0.0,
        velocities: vec![Vec3::ZERO; positions.len()],
        positions,
        topology: Arc::new(topology),
        ghosts: carom_model::GhostFrame::default(),
        vertex_fields: Vec::new(),
        cell_fields: Vec::new(),
    }
}

/// Two triangles, one above the other, seen from above.
fn stacked() -> Frame {
    let at = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let corners = |z: f64| [at(0.0, 0.0, z), at(1.0, 0.0, z), at(0.0, 1.0, z)];
    let positions = [corners(1.0), corners(0.0)].concat();
    let topology = Topology {
        triangles: vec![[0, 1, 2], [3, 4, 5]],
        vertex_body: vec![0, 0, 0, 1, 1, 1],
        ..Topology::default()
    };
    frame(topology, positions)
}

fn count(svg: &str, name: &str) -> usize {
    tags(svg).filter(|t| t.name == name).count()
}

const ABOVE: View = View { azimuth_deg: -90.0, elevation_deg: 90.0 };

#[test]
fn the_nearest_face_is_painted_last() {
    let style = Style { colour_by: ColourBy::Body, view: ABOVE, ..Style::default() };
    let svg = draw(&stacked(), &style);
    let fills: Vec<String> =
        tags(&svg).filter(|t| t.name == "path").filter_map(|t| t.attribute("fill")).collect();
    assert_eq!(fills.len(), 2);
    let red = |css: &str| u32::from_str_radix(&css[1..3], 16).unwrap();
    // Body 0, above, is blue; body 1, below, is vermilion.
    assert!(red(&fills[0]) > 100 && red(&fills[1]) < 20, "{fills:?}");
}

#[test]
fn rods_are_lines_and_grains_are_circles_of_their_own_size() {
    let topology =
        Topology { points: vec![2], edges: vec![[0, 1]], vertex_body: vec![0, 0, 1], ..Topology::default() };
    let frame = frame(topology, vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0]);
    let style = Style { point_radius_m: Some(0.25), view: ABOVE, width: 856.0, ..Style::default() };
    let svg = draw(&frame, &style);
    let radius = tags(&svg).find(|t| t.name == "circle").and_then(|t| t.attribute("r"));
    // Two metres and a radius span 800 pixels.
    assert_eq!(radius.as_deref(), Some("88.89"));
    // A rod is an outline and a core; the bar of length has three lines.
    assert_eq!(count(&svg, "line"), 2 + 3);
}

#[test]
fn a_face_whose_corners_differ_has_a_gradient_and_one_of_equal_corners_has_none() {
    let frame = stacked();
    let values = [0.0, 1.0, 0.5, 0.3, 0.3, 0.3];
    let style = Style { colour_by: ColourBy::Vertices(&values), view: ABOVE, ..Style::default() };
    let svg = draw(&frame, &style);
    // The palette, the face and the bar; two paths for the face with a gradient, one for the other.
    assert_eq!((count(&svg, "linearGradient"), count(&svg, "path")), (3, 3));
    let svg = draw(&frame, &Style { colour_by: ColourBy::Cells(&[1.0, 2.0]), ..style });
    assert_eq!((count(&svg, "linearGradient"), count(&svg, "path")), (2, 2));
}

#[test]
fn a_gradient_has_the_corners_values_at_the_corners() {
    let (corners, values) = ([(3.0, 1.0), (40.0, 9.0), (-5.0, 30.0)], [0.2, 0.9, 0.45]);
    let (zero, one) = gradient(corners, values).unwrap();
    let axis = (one.0 - zero.0, one.1 - zero.1);
    for (corner, value) in corners.iter().zip(values) {
        let along = (corner.0 - zero.0) * axis.0 + (corner.1 - zero.1) * axis.1;
        assert!((along / (axis.0 * axis.0 + axis.1 * axis.1) - value).abs() < 1e-12);
    }
}

#[test]
fn a_face_seen_edge_on_or_without_numbers_has_no_gradient() {
    let edge_on = [(0.0, 0.0), (10.0, 0.0), (20.0, 0.0)];
    assert_eq!(gradient(edge_on, [0.0, 0.5, 1.0]), None);
    let open = [(0.0, 0.0), (10.0, 0.0), (0.0, 10.0)];
    assert_eq!(gradient(open, [0.0, f64::NAN, 1.0]), None);
    assert_eq!(gradient(open, [0.5, 0.501, 0.5]), None);
}

#[test]
fn the_bar_of_colours_says_what_they_mean() {
    let style = Style {
        colour_by: ColourBy::Cells(&[1e-7, 1e-5]),
        label: "step, s",
        scale: Scale::Log,
        title: "A drum",
        ..Style::default()
    };
    let svg = draw(&stacked(), &style);
    for text in ["step, s", "10⁻⁷", "10⁻⁶", "10⁻⁵", "A drum"] {
        assert!(svg.contains(text), "{text}");
    }
    let without = draw(&stacked(), &Style::default());
    assert!(!without.contains("step"));
}

#[test]
fn diverging_colours_have_white_at_zero() {
    assert_eq!(range_of(&[-1.0, 3.0, f64::NAN], Palette::Diverging), (-3.0, 3.0));
    assert_eq!(range_of(&[-1.0, 3.0, f64::NAN], Palette::Sequential), (-1.0, 3.0));
}

#[test]
fn nothing_and_numbers_that_are_none_are_drawn_without_a_panic() {
    let empty = draw(&frame(Topology::default(), Vec::new()), &Style::default());
    assert!(empty.ends_with("</svg>\n"));
    let values = [f64::NAN; 6];
    let svg = draw(&stacked(), &Style { colour_by: ColourBy::Vertices(&values), ..Style::default() });
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn grains_with_radii_in_the_frame_are_drawn_with_those() {
    let topology = Topology { points: vec![0, 1], vertex_body: vec![0, 0], ..Topology::default() };
    let mut frame = frame(topology, vec![Vec3::ZERO, Vec3::X * 3.0]);
    frame.vertex_fields = vec![carom_model::Field::new("radius_m", vec![0.5, 0.25])];
    let svg = draw(&frame, &Style { view: ABOVE, ..Style::default() });
    let radii: Vec<f64> = tags(&svg)
        .filter(|t| t.name == "circle")
        .filter_map(|t| t.attribute("r"))
        .map(|r| r.parse().unwrap())
        .collect();
    assert_eq!(radii.len(), 2);
    assert!((radii[0] / radii[1] - 2.0).abs() < 0.02, "{radii:?}");
}
