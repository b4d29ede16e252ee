//! Rods that twist, in scenes: angles, memory, clamps, and what is refused.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_model::{DofKind, Family};
use carom_scene::{Built, InMemory, Scene, SceneError, build};

const ROD: &str = r#"format = 1
time.end = 1.0
[[body]]
name = "rod"
shape.rod = { from = [0.0, 0.0, 0.0], to = [1.0, 0.0, 0.0], segments = 5 }
material.rod = { radius = 0.01, young = 1e6, density = 1000, twist = true, poisson = 0.25 }
"#;

fn built(text: &str) -> Result<Built, SceneError> {
    build(&Scene::parse("scene.toml", text)?, &InMemory(BTreeMap::default()))
}

fn energy_j(text: &str) -> f64 {
    let Built { system, state, .. } = built(text).unwrap_or_else(|e| panic!("{}", e.render(false)));
    let of = |f: &Arc<dyn Family>| -> f64 {
        let at = |e: usize| f.stencil(e).iter().map(|v| state.positions[*v as usize]).collect::<Vec<_>>();
        (0..f.len()).map(|e| f.energy(e, &at(e))).sum()
    };
    system.families.iter().map(of).sum()
}

fn refused(text: &str) -> String {
    built(text).err().unwrap_or_else(|| panic!("this was built:\n{text}")).to_string()
}

#[test]
fn a_rod_that_twists_has_an_angle_per_edge_and_is_at_rest() {
    let rod = built(ROD).unwrap();
    let angles = (0..rod.system.vertices()).filter(|&v| rod.system.dof_kind(v) == DofKind::Twist).count();
    assert_eq!((rod.system.places(), angles), (6, 5));
    assert!(energy_j(ROD).abs() < 1e-20);
}

#[test]
fn twist_at_the_start_stores_half_the_stiffness_times_its_square_over_the_length_between_the_ends_middles() {
    let twisted = ROD.replace("material.rod", "start.twist = 180.0\nmaterial.rod");
    let stiffness = 1e6 / 2.5 * core::f64::consts::FRAC_PI_2 * 1e-8;
    // Five edges of 0.2 m: 0.8 m from the middle of the first to that of the last.
    let expected = 0.5 * stiffness * core::f64::consts::PI.powi(2) / 0.8;
    assert!((energy_j(&twisted) / expected - 1.0).abs() < 1e-12);
}

#[test]
fn a_ring_that_is_straight_by_nature_stores_its_twist_evenly_by_any_angle_and_its_bend() {
    let ring = ROD
        .replace(
            "shape.rod = { from = [0.0, 0.0, 0.0], to = [1.0, 0.0, 0.0], segments = 5 }",
            "shape.ring = { radius = 0.5, segments = 60 }",
        )
        .replace("material.rod", "start.twist = 500.0\nmaterial.rod");
    let length = 60.0 * (core::f64::consts::PI / 60.0).sin();
    let stiffness = 1e6 / 2.5 * core::f64::consts::FRAC_PI_2 * 1e-8;
    let twist = 0.5 * stiffness * 500.0_f64.to_radians().powi(2) / length;
    let straight = energy_j(&ring.replace("poisson", "natural_curvature = 0.0, poisson"));
    let bend = 0.5 * 1e6 * core::f64::consts::FRAC_PI_4 * 1e-8 / 0.25 * core::f64::consts::PI;
    assert!(((straight - twist) / bend - 1.0).abs() < 0.01, "{straight} {twist} {bend}");
    // With natural curvature, twist that rotates the frames away from the bend costs energy.
    assert!(energy_j(&ring) > 1.5 * twist);
}

#[test]
fn a_clamp_holds_the_angle_between_its_vertices_and_no_other() {
    let clamp = format!("{ROD}[[pin]]\nbody = \"rod\"\nselect.indices = [0, 1]\ntwist = true\n");
    let rod = built(&clamp).unwrap();
    let held: Vec<usize> = (0..rod.system.vertices())
        .filter(|&v| rod.system.dof_kind(v) == DofKind::Twist && rod.system.is_held(v))
        .collect();
    assert_eq!(held, [6]);
}

#[test]
fn what_cannot_twist_is_refused_with_a_remedy() {
    let alone = format!("{ROD}[[pin]]\nbody = \"rod\"\nselect.indices = [0, 2]\ntwist = true\n");
    assert!(refused(&alone).contains("no edge between these vertices"));
    assert!(refused(&ROD.replace(", poisson = 0.25", "")).contains("needs `poisson`"));
    assert!(refused(&ROD.replace("twist = true, ", "")).contains("`poisson` counts only"));
    assert!(refused(&ROD.replace("twist = true", "bend = false, twist = true")).contains("cannot twist"));
    let cheap = ROD.replace(", twist = true, poisson = 0.25", "");
    assert!(
        refused(&cheap.replace("material.rod", "start.twist = 90.0\nmaterial.rod"))
            .contains("cannot start twisted")
    );
    let bent = cheap.replace("density", "natural_curvature = -1.0, density");
    assert!(refused(&bent).contains("has no direction"));
}
