//! What projections and jumps keep.

use carom_geometry::{Mesh, shapes};
use carom_math::Vec3;
use carom_model::{PairKind, State};
use proptest::prelude::*;

use super::contacts::{Contacts, Row};
use super::decomposition::{Jump, Law, jump};
use super::near::NearPairs;
use super::penetration::Penetration;
use super::projection::project;
use super::testing::{Crowd, crowd, pair, scene};

const MEASURES: [Penetration; 2] = [Penetration::Nearest, Penetration::Intersection];
const ELASTIC: Law = Law { restitution: 1.0, friction: 0.0 };

fn jump_of(crowd: &Crowd, law: Law) -> Jump {
    jump(&crowd.rows, &crowd.inverse_masses(), law, |v| crowd.velocities[v as usize])
}

/// Sum of the impulses and of their moments, over the sums of their lengths.
fn leaks(crowd: &Crowd, jump: &Jump) -> [f64; 2] {
    let (mut force, mut torque, mut scale) = (Vec3::ZERO, Vec3::ZERO, 1e-300);
    for (v, j) in jump.vertices.iter().zip(&jump.impulses) {
        force += *j;
        torque += crowd.positions[*v as usize].cross(*j);
        scale += j.length();
    }
    [force.length() / scale, torque.length() / scale]
}

/// What multipliers that do the job cost in pushes that cancel: round-off grows with them.
fn effort(crowd: &Crowd, jump: &Jump) -> f64 {
    let pushes: f64 = jump.on_first.iter().map(|j| j.length()).sum();
    let needed: f64 = jump.impulses.iter().map(|j| j.length()).sum();
    1.0 + pushes / (needed + 1e-12 * crowd.kinetic(&crowd.velocities))
}

proptest! {
    #[test]
    fn an_elastic_jump_keeps_the_kinetic_energy_however_redundant_the_contacts(crowd in crowd()) {
        let jump = jump_of(&crowd, ELASTIC);
        let before = crowd.kinetic(&crowd.velocities);
        let after = crowd.kinetic(&crowd.after(&jump.vertices, &jump.impulses));
        prop_assert!((after / before - 1.0).abs() < 1e-13 * effort(&crowd, &jump), "{before} {after}");
        prop_assert_eq!(jump.energy_j, 0.0);
    }

    #[test]
    fn every_jump_keeps_linear_and_angular_momentum(crowd in crowd(), restitution in 0.0..=1.0f64) {
        let jump = jump_of(&crowd, Law { restitution, friction: 0.0 });
        let [linear, angular] = leaks(&crowd, &jump);
        let round_off = 1e-13 * effort(&crowd, &jump);
        prop_assert!(linear < round_off && angular < round_off, "{linear} {angular}");
    }

    #[test]
    fn what_closes_opens_with_the_coefficient_of_restitution(crowd in crowd(), restitution in 0.0..=1.0f64) {
        for row in &crowd.rows {
            // Twice, and once more with twice the gradient: the same contact.
            let scaled = Row { gradient: row.gradient.map(|g| g * 2.0), ..*row };
            let one = Crowd { rows: vec![*row, *row, scaled], ..crowd.clone() };
            let contacts = Contacts::new(one.rows.clone(), &one.inverse_masses());
            let rates = |u: &[Vec3]| {
                contacts.rates(&contacts.vertices.iter().map(|v| u[*v as usize]).collect::<Vec<_>>())
            };
            let jump = jump_of(&one, Law { restitution, friction: 0.0 });
            let after = one.after(&jump.vertices, &jump.impulses);
            for (before, after) in rates(&one.velocities).iter().zip(rates(&after)) {
                let expected = if *before < 0.0 { -restitution * before } else { *before };
                prop_assert!((after - expected).abs() < 1e-9 * (1.0 + before.abs()), "{before} {after}");
            }
        }
    }

    #[test]
    fn friction_takes_energy_and_says_how_much(crowd in crowd(), restitution in 0.0..=1.0f64, friction in 0.0..2.0f64) {
        let jump = jump_of(&crowd, Law { restitution, friction });
        let before = crowd.kinetic(&crowd.velocities);
        let after = crowd.kinetic(&crowd.after(&jump.vertices, &jump.impulses));
        prop_assert!(jump.energy_j <= 0.0);
        prop_assert!((after - before - jump.energy_j).abs() < 1e-8 * before, "{before} {after} {}", jump.energy_j);
        prop_assert!(leaks(&crowd, &jump)[0] < 1e-12 * effort(&crowd, &jump));
    }

    #[test]
    fn a_grain_on_a_wall_sticks_or_slides_as_coulomb_says(
        u in prop::array::uniform3(-2.0..2.0f64), friction in 0.0..2.0f64, restitution in 0.0..=1.0f64,
    ) {
        let u = Vec3::new(u[0], u[1], -u[2].abs() - 0.01);
        let corners = [[0.1, 0.2, 0.01], [-1.0, -1.0, 0.0], [1.5, -1.0, 0.0], [0.0, 2.0, 0.0]].map(Vec3::from);
        let at = |v: u32| corners[v as usize];
        let row = Penetration::Nearest.row(&pair(PairKind::VertexFace, 0, [0, 1, 2, 3]), 0.01, at, at);
        let inverse_masses = [Vec3::splat(1.0 / 3.0), Vec3::ZERO, Vec3::ZERO, Vec3::ZERO];
        let still = |v: u32| if v == 0 { u } else { Vec3::ZERO };
        let jump = jump(&[row], &inverse_masses, Law { restitution, friction }, still);
        let after = u + jump.impulses[0] * (1.0 / 3.0);
        let slide = (u.x * u.x + u.y * u.y).sqrt();
        let left = (1.0 - friction * (1.0 + restitution) * -u.z / slide).max(0.0);
        let expected = Vec3::new(u.x * left, u.y * left, -restitution * u.z);
        prop_assert!((after - expected).length() < 1e-9, "{after:?} {expected:?}");
    }
}

/// A ball of triangles above a plate, and where it is after falling into or through it.
fn ball_and_plate(depth: f64) -> (std::sync::Arc<carom_model::System>, State, Vec<Vec3>) {
    let mut ball = shapes::icosphere(0.5, 2).unwrap();
    // Turned, so that it comes with a corner somewhere in a triangle.
    for x in &mut ball.positions {
        *x = Vec3::new(0.8 * x.x - 0.6 * x.z, x.y, 0.6 * x.x + 0.8 * x.z) + Vec3::new(0.03, 0.01, 0.53);
    }
    let plate: Mesh = shapes::disc(1.0, 0.3).unwrap();
    let (system, state) = scene(&[(ball, 0.7), (plate, 0.4)], 0.02);
    let fallen = |v: usize| v < system.bodies[0].vertices.end as usize;
    let lowest = (0..state.len()).filter(|v| fallen(*v)).map(|v| state.positions[v].z).fold(1.0, f64::min);
    let down = Vec3::Z * (lowest + depth);
    let now =
        (0..state.len()).map(|v| state.positions[v] - if fallen(v) { down } else { Vec3::ZERO }).collect();
    (system, state, now)
}

#[test]
fn both_measures_find_a_ball_that_has_pierced_a_plate() {
    for measure in MEASURES {
        let (system, state, now) = ball_and_plate(0.03);
        let mut near = NearPairs::new(&system, measure, &state.positions);
        let mut found = Vec::new();
        near.find(&state.positions, &now, &mut found);
        assert!(found.iter().any(|(pair, _)| pair.id.kind == PairKind::VertexFace), "{measure:?}");
        let mut none = Vec::new();
        near.find(&state.positions, &state.positions, &mut none);
        assert!(none.is_empty(), "{measure:?}");
    }
    // On its way into the plate, but not through it: nearer than the thickness, and no intersection.
    let (system, state, now) = ball_and_plate(-0.01);
    for (measure, finds) in MEASURES.into_iter().zip([true, false]) {
        let mut found = Vec::new();
        NearPairs::new(&system, measure, &state.positions).find(&state.positions, &now, &mut found);
        assert_eq!(!found.is_empty(), finds, "{measure:?}");
    }
}

#[test]
fn a_projection_ends_penetration_and_keeps_the_centre_of_mass() {
    for measure in MEASURES {
        for depth in [1e-6, 1e-3, 0.01] {
            let (system, state, predicted) = ball_and_plate(depth);
            let mut near = NearPairs::new(&system, measure, &state.positions);
            let mut now = predicted.clone();
            let projected =
                project(&mut near, measure, &system.inverse_masses, &state.positions, &mut now).unwrap();
            assert!(projected.deepest >= 0.5 * depth, "{measure:?} {depth}: {}", projected.deepest);
            let centre = |x: &[Vec3]| x.iter().zip(&system.masses).map(|(x, m)| *x * *m).sum::<Vec3>();
            assert!((centre(&now) - centre(&predicted)).length() < 1e-13, "{measure:?} {depth}");
            let mut left = Vec::new();
            near.find(&state.positions, &now, &mut left);
            for (pair, thickness) in &left {
                let row = measure.row(pair, *thickness, |v| state.positions[v as usize], |v| now[v as usize]);
                assert!(row.gap > -1e-8 * thickness, "{measure:?} {depth}: {} {}", pair.id, row.gap);
            }
            let moved = |v: usize| now[v] != predicted[v];
            assert!(
                (0..now.len()).all(|v| !moved(v) || projected.predicted.contains(&(v as u32, predicted[v])))
            );
        }
    }
}

#[test]
fn two_grains_part_by_the_shares_of_their_masses() {
    let grain = |x: f64| Mesh { positions: vec![Vec3::X * x], ..Mesh::default() };
    let (system, state) = scene(&[(grain(0.0), 1.0), (grain(0.05), 3.0)], 0.02);
    let mut near = NearPairs::new(&system, Penetration::Nearest, &state.positions);
    // The second is passed: it goes back to its side.
    for (second, parted) in [(0.016, [-0.003, 0.017]), (-0.012, [-0.024, -0.004])] {
        let mut now = vec![Vec3::ZERO, Vec3::X * second];
        project(&mut near, Penetration::Nearest, &system.inverse_masses, &state.positions, &mut now).unwrap();
        for (x, parted) in now.iter().zip(parted) {
            assert!((*x - Vec3::X * parted).length() < 1e-12, "{now:?}");
        }
    }
}
