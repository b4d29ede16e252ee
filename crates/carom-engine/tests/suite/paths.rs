//! Prescribed motion: what is told where to go arrives there, pushes what is in its way, and books what it gives.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_contact::{BodySurface, ContactOptions, tune_contact, with_contact};
use carom_elastic::Spring;
use carom_engine::{Method, MethodKind, Reader, Reading};
use carom_geometry::Mesh;
use carom_math::Vec3;
use carom_model::{ClockOptions, Law, Owner, Part, Start, State, System, SystemBuilder, Timetable};

/// A stop flag that nobody raises.
static NEVER: AtomicBool = AtomicBool::new(false);

const END: f64 = 0.4;

/// A triangle that swings to and fro under two grains on a damped spring, one of which is also led about; steps are divided by `finer`.
fn swing(finer: f64, law: Law, start: Start) -> (Arc<System>, State) {
    let mut builder = SystemBuilder::new();
    let wall = Mesh {
        positions: vec![Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.5, -1.0, 0.0), Vec3::new(0.0, 2.0, 0.1)],
        triangles: vec![[0, 1, 2]],
        ..Mesh::default()
    };
    let grains =
        Mesh { positions: vec![Vec3::new(0.1, 0.2, 0.2), Vec3::new(0.2, 0.1, 0.7)], ..Mesh::default() };
    builder.body("wall");
    wall.positions.iter().for_each(|x| {
        builder.vertex(*x, Vec3::ZERO, 1.0);
    });
    builder.body("grains");
    grains.positions.iter().for_each(|x| {
        builder.vertex(*x, Vec3::ZERO, 0.03);
    });
    let spring = Spring { stiffness: 30.0, rest_length: 0.45 };
    let added = builder.add(spring, [3, 4], Owner { body: 1, part: Part::Edge(0) }, 1.0);
    builder.give_step(added, 1e-3 / finer);
    builder.damp(added, 0.01);
    // A smooth swing in many short pieces, as a user's turn is.
    let times: Vec<f64> = (0..=160).map(|i| END * f64::from(i) / 160.0).collect();
    let shift = |t: f64| Vec3::new(0.1 * (9.0 * t).sin(), 0.0, 0.06 * (1.0 - (20.0 * t).cos()));
    let places = |x: &[Vec3]| times.iter().map(|t| x.iter().map(|x| *x + shift(*t)).collect()).collect();
    let swung = places(&wall.positions);
    builder.tell(Timetable { vertices: vec![0, 1, 2], times_s: times.clone(), places: swung });
    let led = |t: f64| grains.positions[1] + Vec3::X * (0.05 * (11.0 * t).sin());
    let late: Vec<f64> = times[20..].to_vec();
    let of_led = late.iter().map(|t| vec![led(*t) - led(late[0]) + grains.positions[1]]).collect();
    builder.tell(Timetable { vertices: vec![4], times_s: late, places: of_led });
    let (system, state) = builder.build(&ClockOptions { start, ..ClockOptions::default() }).unwrap();
    let surface = |mesh, first_vertex, radius| BodySurface { mesh, first_vertex, thickness: 0.05, radius };
    let surfaces = [surface(&wall, 0, 0.0), surface(&grains, 3, 0.1)];
    let options = ContactOptions {
        max_layers: 6,
        step_s: Some(5e-4 / finer),
        stiffness: Some(1e5),
        ..ContactOptions::default()
    };
    let (contact, _) = tune_contact(&system, &state, &surfaces, &options).unwrap();
    (Arc::new(with_contact(&system, contact.with_laws(|_, _| law))), state)
}

const ROUGH: Law = Law::new(0.9, 0.3);

fn readings(method: &mut dyn Method, system: &Arc<System>) -> Vec<Reading> {
    let reader = Reader::new(system);
    (0..=200)
        .map(|i| {
            let tick = system.line.tick_at(END * f64::from(i) / 200.0).unwrap();
            method.advance_to(tick, &NEVER).unwrap();
            reader.read(&method.state(), &method.external(), &method.pairs(), tick)
        })
        .collect()
}

#[test]
fn whoever_is_told_arrives_and_then_stands_still() {
    let (system, state) = swing(1.0, Law::IDEAL, Start::HalfKick);
    let mut method = MethodKind::Carom.start(&system, state);
    for path in &system.paths {
        for (tick, places) in path.ticks.iter().zip(&path.places).skip(1) {
            method.advance_to(*tick, &NEVER).unwrap();
            let state = method.state();
            for (v, place) in path.vertices.iter().zip(places) {
                let off = (state.position_at(*v as usize, *tick) - *place).length();
                assert!(off < 1e-15, "vertex {v} at tick {}: {off} m", tick.0);
            }
        }
        // The next path begins earlier than this one ended.
        method = MethodKind::Carom.start(&system, swing(1.0, Law::IDEAL, Start::HalfKick).1);
    }
    method.advance_to(system.line.tick_at(1.1 * END).unwrap(), &NEVER).unwrap();
    let told = [0, 1, 2, 4].map(|v| method.state().velocities[v]);
    assert_eq!(told, [Vec3::ZERO; 4]);
}

#[test]
fn the_oracle_goes_the_same_way_to_the_bit_and_books_the_same_work() {
    for (law, start) in [(Law::IDEAL, Start::HalfKick), (ROUGH, Start::HalfKick), (ROUGH, Start::Paper)] {
        let (system, state) = swing(1.0, law, start);
        let [mut fast, mut slow] =
            [MethodKind::Carom, MethodKind::Reference].map(|kind| kind.start(&system, state.clone()));
        for i in 1..=40 {
            let tick = system.line.tick_at(END * f64::from(i) / 40.0).unwrap();
            fast.advance_to(tick, &NEVER).unwrap();
            slow.advance_to(tick, &NEVER).unwrap();
            assert_eq!(fast.state().fingerprint(), slow.state().fingerprint(), "{law:?} at row {i}");
            // However each engine walks its vertices.
            assert!(fast.external() == slow.external(), "{law:?} at row {i}");
        }
        assert!(fast.external().work.value() > 0.0 && fast.summary().contact.unwrap().deepest_layer > 0);
    }
}

#[test]
fn energy_closes_with_work_and_losses_and_better_with_shorter_steps() {
    let error = |finer: f64| {
        let (system, state) = swing(finer, ROUGH, Start::HalfKick);
        let rows = readings(MethodKind::Carom.start(&system, state).as_mut(), &system);
        let balance = |row: &Reading| row.total_j() + row.dissipated_j() - row.work_j;
        let work = rows.iter().map(|row| row.work_j).fold(0.0, f64::max);
        assert!(rows[200].losses_j.iter().all(|loss| *loss > 0.0), "{:?}", rows[200].losses_j);
        rows.iter().map(|row| (balance(row) - balance(&rows[0])).abs() / work).fold(0.0, f64::max)
    };
    let errors = [2.0, 8.0].map(error);
    assert!(errors[1] < 0.25 * errors[0] && errors[1] < 1e-3, "{errors:?}");
}

#[test]
fn momentum_is_kept_counting_what_the_led_put_in() {
    let (system, state) = swing(1.0, ROUGH, Start::HalfKick);
    let rows = readings(MethodKind::Carom.start(&system, state).as_mut(), &system);
    for row in &rows {
        assert!((row.momentum - row.from_outside.linear).length() < 1e-14);
        assert!((row.angular_momentum - row.from_outside.angular).length() < 1e-14);
    }
}
