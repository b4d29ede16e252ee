//! Decomposition Contact Response on whole systems.

use std::sync::Arc;

use crate::common::{NEVER, network};
use carom_contact::{BodySurface, ContactOptions, tune_contact, with_contact};
use carom_elastic::{MembraneNeoHookean, ShellMaterial, Spring};
use carom_engine::{Dcr, DcrOptions, JumpOf, Method, MethodKind, Penetration, Reader, Reading};
use carom_geometry::mesh::area_normal;
use carom_geometry::{Mesh, shapes};
use carom_math::Vec3;
use carom_model::{ClockOptions, Owner, Part, State, System, SystemBuilder};
use carom_time::Tick;
use proptest::prelude::*;

const MEASURES: [Penetration; 2] = [Penetration::Nearest, Penetration::Intersection];

fn options(penetration: Penetration) -> DcrOptions {
    DcrOptions { penetration, ..DcrOptions::DEFAULT }
}

/// Bodies of springs along all their edges, and membranes in their triangles, flying into each other.
fn system(bodies: &[(Mesh, Vec3)], thickness: f64, safety: f64) -> (Arc<System>, State) {
    let skin = ShellMaterial { thickness: 0.01, young: 100.0, poisson: 0.3 };
    let mut builder = SystemBuilder::new();
    let mut surfaces = Vec::new();
    for (number, (mesh, velocity)) in (0..).zip(bodies) {
        builder.body(format!("{number}"));
        let first_vertex = builder.positions().len() as u32;
        for x in &mesh.positions {
            builder.vertex(*x, *velocity, 0.0);
        }
        for (i, e) in (0..).zip(&mesh.edges) {
            let [a, b] = e.map(|v| mesh.positions[v as usize]);
            let rest_length = (b - a).length();
            for v in e {
                builder.add_mass(v + first_vertex, 0.5 * rest_length);
            }
            let owner = Owner { body: number, part: Part::Edge(i) };
            let spring = Spring { stiffness: 1.0 / rest_length, rest_length };
            builder.add(spring, e.map(|v| v + first_vertex), owner, rest_length);
        }
        for (i, t) in (0..).zip(&mesh.triangles) {
            let corners = mesh.corners(t);
            let area = area_normal(corners).length();
            for v in t {
                builder.add_mass(v + first_vertex, area / 3.0);
            }
            let owner = Owner { body: number, part: Part::Face(i) };
            let membrane = MembraneNeoHookean::from_rest(&corners, &skin);
            builder.add(membrane, t.map(|v| v + first_vertex), owner, area);
        }
        surfaces.push(BodySurface { mesh, first_vertex, thickness, radius: 0.0 });
    }
    let clocks = ClockOptions { safety, ..ClockOptions::default() };
    let (system, state) = builder.build(&clocks).unwrap();
    let (contact, _) = tune_contact(&system, &state, &surfaces, &ContactOptions::default()).unwrap();
    (Arc::new(with_contact(&system, contact)), state)
}

/// Runs to the end and hands evenly spaced readings to `see`.
fn watch(dcr: &mut Dcr, system: &Arc<System>, end_s: f64, rows: u64, mut see: impl FnMut(&Dcr, &Reading)) {
    let (reader, end) = (Reader::new(system), system.line.tick_at(end_s).unwrap());
    for row in 0..=rows {
        let tick = Tick((u128::from(end.0) * u128::from(row) / u128::from(rows)) as u64);
        dcr.advance_to(tick, &NEVER).unwrap();
        see(dcr, &reader.read(&dcr.state(), &dcr.external(), &dcr.pairs(), tick));
    }
}

fn started(system: &Arc<System>, state: &State, options: DcrOptions) -> (Dcr, Arc<System>) {
    let system = MethodKind::Dcr(options).system(system);
    (Dcr::new(&system, state.clone(), options), system)
}

/// A ball of membranes that hits a sheet.
fn ball_and_sheet() -> (Arc<System>, State) {
    let ball = shapes::icosphere(0.5, 2).unwrap().translated(Vec3::new(0.03, 0.02, 0.56));
    let sheet = shapes::disc(1.0, 0.3).unwrap();
    system(&[(ball, Vec3::new(0.1, 0.0, -1.0)), (sheet, Vec3::ZERO)], 0.05, 0.02)
}

proptest! {
    #[test]
    fn without_contact_it_is_the_classical_integrator(mut network in network(0.1)) {
        network.paper = false;
        let (system, state) = network.build();
        let kinds = [MethodKind::Synchronous(None), MethodKind::Dcr(DcrOptions::DEFAULT)];
        let [oracle, dcr] = kinds.map(|kind| {
            let system = kind.system(&system);
            let end = system.line.tick_at(0.5).unwrap();
            let mut method = kind.start(&system, state.clone());
            method.advance_to(end, &NEVER).unwrap();
            let read = Reader::new(&system).read(&method.state(), &method.external(), &[], end);
            (read.positions, read.velocities, read.from_outside.linear)
        });
        for (a, b) in oracle.0.iter().zip(&dcr.0).chain(oracle.1.iter().zip(&dcr.1)) {
            prop_assert!((*a - *b).length() < 1e-11 * (1.0 + a.length()), "{a:?} {b:?}");
        }
        prop_assert!((oracle.2 - dcr.2).length() < 1e-11 * (1.0 + oracle.2.length()));
    }
}

#[test]
fn two_bars_stay_together_while_the_wave_returns_and_exchange_their_velocities() {
    const LENGTH: f64 = 10.0;
    const SPEED: f64 = 0.1;
    for (restitution, jump) in [
        (1.0, JumpOf::Corrected),
        (0.0, JumpOf::Corrected),
        (1.0, JumpOf::Predicted),
        (0.0, JumpOf::Predicted),
    ] {
        let thickness = 0.02;
        let bar = |side: f64| {
            let end = Vec3::X * (0.5 * LENGTH);
            let mesh = shapes::rod(-end, end, 200).unwrap();
            (
                mesh.translated(Vec3::X * (side * (0.5 * LENGTH + 0.505 * thickness))),
                Vec3::X * (-side * SPEED),
            )
        };
        let (system, state) = system(&[bar(-1.0), bar(1.0)], thickness, 0.1);
        let options = DcrOptions { restitution, jump, ..DcrOptions::DEFAULT };
        let (mut dcr, system) = started(&system, &state, options);
        let (mut touching, mut rows) = (Vec::new(), Vec::new());
        watch(&mut dcr, &system, 26.0, 2600, |dcr, reading| {
            touching.push((reading.time_s, dcr.summary().dcr.unwrap().jumps));
            rows.push((reading.time_s, reading.kinetic_j, reading.total_j()));
        });
        let first = touching.iter().find(|t| t.1 > 0).unwrap().0;
        let all = touching.last().unwrap().1;
        let duration = touching.iter().find(|t| t.1 == all).unwrap().0 - first;
        let bodies = &system.bodies[0].vertices;
        let end = dcr.state();
        let after: f64 =
            bodies.clone().map(|v| -end.velocities[v as usize].x * system.masses[v as usize]).sum::<f64>()
                / bodies.clone().map(|v| system.masses[v as usize]).sum::<f64>();
        let energy = rows.last().unwrap().2 / rows[0].2;
        let middle = rows.iter().find(|r| r.0 >= first + LENGTH).unwrap();
        println!(
            "e = {restitution}, {jump:?}: together {duration:.3}, velocity {:.4}, strain {:.4}, energy {energy:.5}, {:?}",
            after / SPEED,
            1.0 - middle.1 / middle.2,
            dcr.summary().dcr.unwrap()
        );
        assert!((duration / 20.0 - 1.0).abs() < 0.01, "together for {duration}");
        assert!((after / SPEED - 1.0).abs() < 0.01, "left with {}", after / SPEED);
        let done = dcr.summary().dcr.unwrap();
        let booked = done.projection_work_j + done.corrector_work_j + done.jump_work_j;
        assert!((energy - 1.0).abs() < 0.02, "energy {energy}");
        assert!((energy - 1.0 - booked / rows[0].2).abs() < 1e-4, "energy {energy}, booked {booked}");
    }
}

#[test]
fn what_the_energy_gains_is_the_work_of_the_projections() {
    for measure in MEASURES {
        let (system, state) = ball_and_sheet();
        let (mut dcr, system) = started(&system, &state, options(measure));
        let mut rows = Vec::new();
        watch(&mut dcr, &system, 1.0, 400, |dcr, reading| {
            let summary = dcr.summary().dcr.unwrap();
            let work = summary.projection_work_j + summary.corrector_work_j;
            rows.push((reading.total_j(), work, reading.momentum, reading.kinetic_j));
        });
        let summary = dcr.summary().dcr.unwrap();
        assert!(summary.projections > 20 && summary.jumps > 20, "{measure:?} {summary:?}");
        let (start, last) = (rows[0], rows[rows.len() - 1]);
        let unexplained = rows.iter().map(|r| (r.0 - start.0 - r.1).abs()).fold(0.0, f64::max);
        println!("{measure:?}: {summary:?}, gained {}, unexplained {unexplained}", last.0 - start.0);
        assert!(unexplained < 0.1 * summary.projection_work_gross_j, "{measure:?} {unexplained} {summary:?}");
        assert!((last.2 - start.2).length() < 1e-13 * start.2.length(), "{measure:?}");
        assert!(summary.jump_work_j == 0.0 && last.3 < 0.99 * start.3);
    }
}

#[test]
fn the_same_scene_gives_the_same_bits_with_and_without_stops() {
    for measure in MEASURES {
        let (system, state) = ball_and_sheet();
        let fingerprint = |stops: &[f64]| {
            let (mut dcr, system) = started(&system, &state, options(measure));
            for stop in stops {
                dcr.advance_to(system.line.tick_at(*stop).unwrap(), &NEVER).unwrap();
            }
            assert!(dcr.summary().dcr.unwrap().jumps > 0);
            dcr.state().fingerprint()
        };
        assert_eq!(fingerprint(&[0.5]), fingerprint(&[0.1, 0.1003, 0.2, 0.5]), "{measure:?}");
    }
}

#[test]
fn a_run_that_is_resumed_shows_the_bits_of_one_that_never_stopped() {
    for measure in MEASURES {
        let (system, state) = ball_and_sheet();
        let (mut whole, system) = started(&system, &state, options(measure));
        let mut pieces = Dcr::new(&system, state.clone(), options(measure));
        let reader = Reader::new(&system);
        for piece in 0..=12 {
            let tick = system.line.tick_at(0.041 * f64::from(piece)).unwrap();
            pieces = Dcr::resume(&system, &pieces.save(), options(measure)).unwrap();
            for dcr in [&mut whole, &mut pieces] {
                dcr.advance_to(tick, &NEVER).unwrap();
            }
            let [expected, found] = [&whole, &pieces].map(|dcr| {
                let reading = reader.read(&dcr.state(), &dcr.external(), &[], tick);
                let (touches, summary) = (dcr.touches(tick), dcr.summary());
                let counted = (summary.dcr, summary.evaluations, summary.instants);
                (format!("{reading:?} {touches:?} {counted:?}"), dcr.save())
            });
            assert_eq!(found.0, expected.0, "{measure:?} at piece {piece}");
            assert!(found.1 == expected.1, "{measure:?} at piece {piece}");
        }
        assert!(whole.summary().dcr.unwrap().jumps > 0);
    }
}

#[test]
fn a_moving_wall_throws_a_grain_at_twice_its_speed_and_its_work_is_on_the_books() {
    const WALL: Vec3 = Vec3::new(0.3, 0.0, 2.0);
    let corners = [[-1.0, -1.0, 0.0], [1.5, -1.0, 0.0], [0.0, 2.0, 0.0]].map(Vec3::from);
    let wall = Mesh { positions: corners.to_vec(), triangles: vec![[0, 1, 2]], ..Mesh::default() };
    let grain = Mesh { positions: vec![Vec3::new(0.1, 0.2, 0.5)], ..Mesh::default() };
    let mut builder = SystemBuilder::new();
    builder.body("wall");
    for x in &wall.positions {
        let v = builder.vertex(*x, WALL, 1.0);
        builder.drive(v);
    }
    builder.body("grain");
    builder.vertex(grain.positions[0], Vec3::ZERO, 0.03);
    let (system, state) = builder.build(&ClockOptions::default()).unwrap();
    let surface = |mesh, first_vertex, radius| BodySurface { mesh, first_vertex, thickness: 0.05, radius };
    let surfaces = [surface(&wall, 0, 0.0), surface(&grain, 3, 0.1)];
    let contact_options = ContactOptions { step_s: Some(1e-3), ..ContactOptions::default() };
    let (contact, _) = tune_contact(&system, &state, &surfaces, &contact_options).unwrap();
    let system = Arc::new(with_contact(&system, contact));
    for (jump, friction) in [(JumpOf::Corrected, 0.0), (JumpOf::Predicted, 0.0), (JumpOf::Corrected, 0.5)] {
        let options = DcrOptions { jump, friction, ..DcrOptions::DEFAULT };
        let (mut dcr, system) = started(&system, &state, options);
        watch(&mut dcr, &system, 0.4, 100, |dcr, reading| {
            let lost = dcr.summary().dcr.unwrap().jump_work_j;
            assert!((reading.total_j() - reading.work_j - lost).abs() < 1e-14, "{jump:?} {friction}");
            assert!((reading.momentum - reading.from_outside.linear).length() < 1e-15, "{jump:?} {friction}");
        });
        let (touch, end) = (dcr.touches(system.line.tick_at(0.4).unwrap())[0], dcr.state());
        assert!((end.velocities[3].z - 4.0).abs() < 1e-12, "{:?}", end.velocities[3]);
        // Friction carries it along as fast as the wall goes, not faster.
        let along = if friction > 0.0 { 0.3 } else { 0.0 };
        assert!((end.velocities[3].x - along).abs() < 1e-12, "{:?}", end.velocities[3]);
        assert!((touch.impulse + end.velocities[3] * 0.03).length() < 1e-15, "{touch:?}");
        assert_eq!(touch.bodies, [0, 1]);
    }
}
