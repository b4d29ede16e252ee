//! The structure holds in contact: pairs of every kind take part in forms, action, momentum and the way back, and what rests
//! on something stays there.

use std::sync::Arc;

use carom_contact::{BodySurface, ContactOptions, PairRules, tune_contact, with_contact};
use carom_elastic::{Gravity, MembraneNeoHookean, ShellMaterial, Spring};
use carom_geometry::{Mesh, shapes};
use carom_math::Vec3;
use carom_model::{Axes, ClockOptions, Contact, LayerFamily, Owner, Part, State, System, SystemBuilder};
use carom_verify::{Check, Options, Verdict, verify};

const THICKNESS: f64 = 0.1;

/// Two small sheets, a rod and two points, all within each other's layers and moving.
fn heap(family: LayerFamily) -> (Arc<System>, State) {
    let lower = shapes::grid(1.0, 1.0, 0.5).unwrap();
    let upper = shapes::grid(0.8, 0.8, 0.45).unwrap().translated(Vec3::new(0.03, 0.07, 0.8 * THICKNESS));
    let rod = shapes::rod(Vec3::new(-0.3, -0.2, 0.15), Vec3::new(0.35, 0.25, 0.17), 3).unwrap();
    let points =
        Mesh { positions: vec![Vec3::new(0.1, 0.0, -0.08), Vec3::new(0.11, 0.05, -0.13)], ..Mesh::default() };
    let meshes = [&lower, &upper, &rod, &points];
    let material = ShellMaterial { young: 2e3, poisson: 0.3, thickness: 0.02 };
    let mut builder = SystemBuilder::new();
    let mut first = [0; 4];
    for (b, mesh) in meshes.into_iter().enumerate() {
        let body = builder.body(["lower", "upper", "rod", "points"][b]);
        first[b] = builder.positions().len() as u32;
        for (i, x) in mesh.positions.iter().enumerate() {
            let swing = Vec3::new((i as f64).sin(), (1.7 * i as f64).cos(), -1.0 - 0.3 * b as f64);
            builder.vertex(*x, swing * 0.1, 0.02);
        }
        for (i, t) in (0..).zip(&mesh.triangles) {
            let element = MembraneNeoHookean::from_rest(&mesh.corners(t), &material);
            builder.add(element, t.map(|v| v + first[b]), Owner { body, part: Part::Face(i) }, 1.0);
        }
        for (i, e) in (0..).zip(&mesh.edges) {
            let length = (mesh.positions[e[0] as usize] - mesh.positions[e[1] as usize]).length();
            let spring = Spring { stiffness: 30.0, rest_length: length };
            builder.add(spring, e.map(|v| v + first[b]), Owner { body, part: Part::Edge(i) }, 1.0);
        }
    }
    builder.pin(0, Axes::ALL);
    let (system, state) = builder.build(&ClockOptions::default()).unwrap();
    let radii = [0.0, 0.0, 0.01, 0.02];
    let surface = |b: usize| BodySurface {
        mesh: meshes[b],
        first_vertex: first[b],
        thickness: THICKNESS,
        radius: radii[b],
    };
    let surfaces: Vec<BodySurface> = (0..4).map(surface).collect();
    let options = ContactOptions { family, ..ContactOptions::default() };
    let (contact, _) = tune_contact(&system, &state, &surfaces, &options).unwrap();
    (Arc::new(with_contact(&system, contact)), state)
}

fn residual(checks: &[Check], name: &str) -> f64 {
    let check = checks.iter().find(|check| check.name == name).unwrap();
    assert_eq!(check.verdict, Verdict::Passed, "{check:?}");
    check.residual
}

#[test]
fn a_heap_of_sheets_rods_and_points_in_contact_passes_every_check() {
    for family in [LayerFamily::Window, LayerFamily::Nested, LayerFamily::Acm] {
        let (system, state) = heap(family);
        let report = verify(&system, &state, &Options::default());
        assert!(report.passed(), "{report:#?}");
        for name in [
            "symplectic map",
            "multisymplectic form, exact clocks",
            "multisymplectic form, dyadic clocks",
            "multisymplectic form, part of the system",
            "linear momentum",
            "angular momentum",
            "action along variations",
            "action from energies",
        ] {
            assert!(residual(&report.checks, name) < 1e-11, "{family:?} {name}");
        }
        if family != LayerFamily::Acm {
            assert!(residual(&report.checks, "time reversal") < 1e-11);
        }
    }
}

/// A point on a fixed wall, pressed by its weight; free to slide if `slides`.
fn resting(family: LayerFamily, hw: f64, weight: f64, slides: bool) -> (Arc<System>, State) {
    let wall = shapes::grid(4.0, 4.0, 2.0).unwrap();
    let point = Mesh { positions: vec![Vec3::new(0.1, 0.2, 0.9 * THICKNESS)], ..Mesh::default() };
    let mut builder = SystemBuilder::new();
    builder.body("wall");
    for x in &wall.positions {
        let v = builder.vertex(*x, Vec3::ZERO, 1.0);
        builder.pin(v, Axes::ALL);
    }
    let body = builder.body("point");
    let v = builder.vertex(point.positions[0], Vec3::ZERO, 1.0);
    if !slides {
        builder.pin(v, Axes { x: true, y: true, z: false });
    }
    let step_s = 1e-3;
    let load = builder.add(
        Gravity { mass: 1.0, acceleration: Vec3::Z * -weight },
        [v],
        Owner { body, part: Part::Vertex(0) },
        1.0,
    );
    builder.give_step(load, step_s);
    let (system, mut state) = builder.build(&ClockOptions::default()).unwrap();
    let surface = |mesh, first_vertex| BodySurface { mesh, first_vertex, thickness: THICKNESS, radius: 0.0 };
    let surfaces = [surface(&wall, 0), surface(&point, v)];
    let options = ContactOptions { family, step_s: Some(step_s), ..ContactOptions::default() };
    let (mut contact, _) = tune_contact(&system, &state, &surfaces, &options).unwrap();
    // One pair alone: its weight and the mass say what h₁ω₁ is, and its force where the weight is balanced.
    let one = |contact: &Contact| {
        let rules = PairRules::with_own_numbers(&with_contact(&system, contact.clone()));
        let mut weights = 0.0;
        rules.for_each(|pair| {
            let x = PairRules::positions(&pair, |v| state.positions[v as usize]);
            weights += if pair.measure(&x).distance < THICKNESS { pair.weight } else { 0.0 };
        });
        (rules.all_layers().to_vec(), weights)
    };
    let (_, weight_of_pair) = one(&contact);
    for layer in &mut contact.layers {
        layer.stiffness = (hw / step_s).powi(2) / weight_of_pair;
    }
    let (layers, _) = one(&contact);
    let between = &layers[contact.layers_between(0, 1) as usize];
    let (mut near, mut far) = (1e-3 * THICKNESS, THICKNESS);
    for _ in 0..60 {
        let middle = 0.5 * (near + far);
        let pushes_more = weight_of_pair * between.sums(1, middle, |_, _| 1.0)[0] > weight;
        *(if pushes_more { &mut near } else { &mut far }) = middle;
    }
    state.positions[v as usize].z = near;
    (Arc::new(with_contact(&system, contact)), state)
}

fn rest(system: &Arc<System>, state: &State) -> Check {
    let report = verify(system, state, &Options::default());
    report.checks.into_iter().find(|check| check.name == "rest in contact").unwrap()
}

#[test]
fn a_point_that_rests_on_a_wall_has_its_eigenvalues_on_the_unit_circle_at_any_load() {
    for slides in [false, true] {
        for weight in [0.3, 3.0, 30.0, 300.0, 3000.0] {
            let (system, state) = resting(LayerFamily::Window, 0.1, weight, slides);
            let check = rest(&system, &state);
            println!("{weight} N: {:.2e}, {:?}", check.residual, check.details);
            assert_eq!(check.verdict, Verdict::Passed, "{weight}: {check:?}");
        }
    }
}

#[test]
fn a_contact_too_stiff_for_its_step_is_refused() {
    let (system, state) = resting(LayerFamily::Window, 3.0, 3e4, false);
    let check = rest(&system, &state);
    assert!(check.verdict == Verdict::Failed && check.residual > 1e-3, "{check:?}");
}

#[test]
fn where_nothing_rests_there_is_nothing_to_check() {
    let (system, mut state) = resting(LayerFamily::Window, 0.1, 3.0, false);
    state.positions.last_mut().unwrap().z = 2.0 * THICKNESS;
    assert!(matches!(rest(&system, &state).verdict, Verdict::Skipped(_)));
}
