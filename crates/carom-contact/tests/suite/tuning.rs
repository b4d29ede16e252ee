//! Stiffness and step, where the scene leaves them to the program.

use carom_contact::{
    BodySurface, ContactBodies, ContactOptions, ContactTuning, Grains, tune_contact, tune_contact_of,
};
use carom_elastic::Spring;
use carom_geometry::{Mesh, shapes};
use carom_math::Vec3;
use carom_model::{ClockOptions, LayerFamily, Owner, Part, SystemBuilder};

const THICKNESS: f64 = 0.1;

/// Between two sheets of springs that close at `speed`, for which `edit` changes the options.
fn chosen(speed: f64, edit: impl Fn(&mut ContactOptions)) -> (ContactTuning, [f64; 2]) {
    let mesh = shapes::grid(1.0, 1.0, 0.25).unwrap();
    let mut builder = SystemBuilder::new();
    let mut surfaces = Vec::new();
    for body in 0..2 {
        builder.body(format!("{body}"));
        let first_vertex = builder.positions().len() as u32;
        for x in &mesh.positions {
            let up = f64::from(body);
            builder.vertex(*x + Vec3::Z * up, Vec3::Z * (-up * speed), 0.02);
        }
        for (i, t) in (0..).zip(&mesh.triangles) {
            // The last triangle is a hundred times softer: its clock is slower.
            let stiffness = if t.contains(&0) { 1.0 } else { 100.0 };
            let spring = Spring { stiffness, rest_length: 0.25 };
            let ends = [t[0] + first_vertex, t[1] + first_vertex];
            builder.add(spring, ends, Owner { body, part: Part::Edge(i) }, 1.0);
        }
        surfaces.push(BodySurface { mesh: &mesh, first_vertex, thickness: THICKNESS, radius: 0.0 });
    }
    let (system, state) = builder.build(&ClockOptions::default()).unwrap();
    let mut options = ContactOptions::default();
    edit(&mut options);
    let (_, choices) = tune_contact(&system, &state, &surfaces, &options).unwrap();
    let step = |span: &carom_time::Span| system.line.quantum.step(*span);
    let spans = system.spans();
    let between = choices.into_iter().find(|c| c.bodies == [0, 1]).unwrap();
    (between, [step(&spans[0]), step(&spans[spans.len() - 1])])
}

#[test]
fn contact_is_not_faster_than_the_bodies_without_need() {
    let (choice, [fastest, _]) = chosen(0.01, |_| {});
    assert_eq!(choice.step_s, fastest);
    assert!((choice.step_times_frequency - 0.1).abs() < 1e-12 && choice.complaint().is_none(), "{choice:?}");
}

#[test]
fn a_fast_approach_shortens_the_step_until_six_kicks_cross_the_first_layer() {
    let (choice, [fastest, _]) = chosen(20.0, |_| {});
    assert!(choice.step_s < fastest && (6.0..12.1).contains(&choice.kicks), "{choice:?}");
    let (ready, _) = chosen(0.01, |options| options.speed = 20.0);
    assert_eq!(ready.step_s, choice.step_s);
}

#[test]
fn a_heavy_load_shortens_the_step_until_the_contact_can_rest() {
    let (choice, [fastest, _]) = chosen(0.0, |options| options.acceleration = 1e4);
    assert!(choice.step_s < fastest && (0.007..0.0301).contains(&choice.load_number), "{choice:?}");
}

#[test]
fn what_the_scene_says_is_kept_and_what_is_poor_is_said() {
    let told = |edit: &dyn Fn(&mut ContactOptions)| chosen(1.0, edit).0;
    let stiff = told(&|options| options.stiffness = Some(1e7));
    assert_eq!(stiff.spec.stiffness, 1e7);
    assert!(stiff.complaint().unwrap().words.contains("stiff"));
    let slow = told(&|options| options.step_s = Some(0.05));
    assert!(slow.complaint().unwrap().words.contains("kicks"));
    let heavy = told(&|options| (options.acceleration, options.step_s) = (1e5, Some(1e-3)));
    assert!(heavy.complaint().unwrap().words.contains("Λ"));
}

#[test]
fn bodies_whose_own_clocks_are_slow_against_the_closing_are_named() {
    let (choice, [_, slowest]) = chosen(20.0, |_| {});
    assert!((choice.closing - 20.0 * slowest / THICKNESS).abs() < 1e-12, "{choice:?}");
    assert!(
        choice.closing > 0.6 && choice.complaint().unwrap().words.contains("kicks of their own"),
        "{choice:?}"
    );
}

#[test]
fn pairs_without_weights_are_as_stiff_as_their_lightest_vertices_bear() {
    let (choice, _) = chosen(0.01, |options| options.family = LayerFamily::Acm);
    // Four pairs, two vertices of 20 g.
    let omega_sq = 4.0 * choice.spec.stiffness * (2.0 / 0.02);
    assert!((choice.step_s * omega_sq.sqrt() - 0.1).abs() < 1e-12, "{choice:?}");
}

/// Between loose grains with these velocities.
fn of_grains(velocities: &[Vec3]) -> ContactTuning {
    let mut builder = SystemBuilder::new();
    builder.body("grains");
    let place = |i: usize| Vec3::X * (2.0 * i as f64);
    let positions: Vec<Vec3> = (0..velocities.len()).map(place).collect();
    for (x, v) in positions.iter().zip(velocities) {
        builder.vertex(*x, *v, 1.0);
    }
    let (system, state) = builder.build(&ClockOptions::default()).unwrap();
    let mesh = Mesh { positions, ..Mesh::default() };
    let surface = BodySurface { mesh: &mesh, first_vertex: 0, thickness: 0.01, radius: 0.0 };
    let radii = vec![0.5; velocities.len()];
    let grains = Grains { body: 0, radii: &radii, soft: None };
    tune_contact_of(
        &system,
        &state,
        ContactBodies { surfaces: &[surface], grains: &[grains], pressing: None },
        &ContactOptions::default(),
    )
    .unwrap()
    .1[0]
}

#[test]
fn loose_grains_have_six_kicks_at_three_times_their_mean_speed_and_bullets_among_them_count_in_full() {
    // Speeds from 0 to 2 in all directions: the mean is 1, whatever wind they fly in.
    let way = |i: u32| Vec3::new([1.0, -1.0][i as usize % 2], 0.0, 0.0);
    let thermal = |i: u32| way(i) * (0.02 * f64::from(i / 2));
    for wind in [Vec3::ZERO, Vec3::Y * 50.0] {
        let mut velocities: Vec<Vec3> = (0..202).map(|i| thermal(i) + wind).collect();
        let gas = of_grains(&velocities);
        assert!((gas.speed - 3.0).abs() < 0.01, "{gas:?}");
        assert!(gas.kicks >= 6.0 && gas.kicks < 12.1, "{gas:?}");
        velocities[7] = wind + Vec3::Z * 40.0;
        let with_bullet = of_grains(&velocities);
        assert!(with_bullet.speed >= 40.0 && with_bullet.kicks >= 6.0, "{with_bullet:?}");
    }
}
