//! Rods that twist: angles and memory keep every promise that places do.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_elastic::{Gravity, RodJoint, Spring};
use carom_engine::{InstantListener, Method, MethodKind, Observer, Plan, Reader, Reading, Snapshot, run};
use carom_math::Vec3;
use carom_model::{Axes, ClockOptions, DofKind, ExternalLedger, Owner, Part, State, System, SystemBuilder};
use carom_time::{Clocks, Tick};
use proptest::prelude::*;

/// A stop flag that nobody raises.
static NEVER: AtomicBool = AtomicBool::new(false);

/// A rod bent, twisted and stirred at random, by nature bent too; its ends may be joined, its first end clamped.
#[derive(Clone, Debug)]
struct Rod {
    seeds: Vec<f64>,
    closed: bool,
    clamped: bool,
    heavy: bool,
    clocks: Clocks,
    /// Steps are divided by it.
    finer: f64,
}

fn rod() -> impl Strategy<Value = Rod> {
    (prop::collection::vec(-1.0..1.0f64, 17), any::<[bool; 4]>()).prop_map(
        |(seeds, [closed, clamped, heavy, exact])| Rod {
            seeds,
            closed,
            clamped,
            heavy,
            clocks: if exact { Clocks::Exact } else { Clocks::Dyadic },
            finer: 1.0,
        },
    )
}

impl Rod {
    const EDGES: usize = 9;

    fn noise(&self, i: usize) -> Vec3 {
        let at = |k: usize| self.seeds[(k * i + k) % self.seeds.len()];
        Vec3::new(at(3), at(5), at(7))
    }

    fn build(&self) -> (Arc<System>, State) {
        let (edges, joints) =
            if self.closed { (Self::EDGES, Self::EDGES) } else { (Self::EDGES, Self::EDGES - 1) };
        let vertices = if self.closed { edges } else { edges + 1 };
        let mut builder = SystemBuilder::new();
        let turn = core::f64::consts::TAU / Self::EDGES as f64;
        for i in 0..vertices {
            let angle = turn * i as f64 * if self.closed { 1.0 } else { 0.4 };
            let round = Vec3::new(angle.cos(), angle.sin(), 0.1 * angle) * 0.3;
            builder.vertex(
                round + self.noise(i) * 0.02,
                self.noise(i + 20) * 0.4,
                0.02 + 0.004 * self.seeds[i].abs(),
            );
        }
        let angles: Vec<u32> = (0..edges)
            .map(|i| {
                builder.twist(0.7 * self.noise(i).x, 4.0 * self.noise(i).y, 2e-5 + 1e-5 * self.seeds[i].abs())
            })
            .collect();
        let x = builder.positions().to_vec();
        let place = |i: usize| (i % vertices) as u32;
        let step = |i: usize| 1.1e-3 * (1.0 + 0.8 * self.seeds[i % 17].abs()) / self.finer;
        for i in 0..edges {
            let rest_length = (x[place(i + 1) as usize] - x[i]).length() * (1.0 + 0.02 * self.seeds[i]);
            let owner = Owner { body: 0, part: Part::Edge(i as u32) };
            let spring = Spring { stiffness: 300.0, rest_length };
            let added = builder.add(spring, [place(i), place(i + 1)], owner, 1.0);
            builder.give_step(added, step(i));
        }
        for i in 0..joints {
            let stencil = [place(i), place(i + 1), place(i + 2)];
            let bent = stencil.map(|v| x[v as usize]);
            let memory = RodJoint::first_memory(&bent, self.noise(i + 3), 0.3 * self.seeds[i]).unwrap();
            let memory = memory.map(|m| builder.memory(m));
            let joint = RodJoint { bend: 0.05, twist: 0.04, rest_curvature: 0.5 * self.seeds[i + 4].abs() };
            let [t0, t1, d0, d1, r] = memory;
            let angles = [angles[i], angles[(i + 1) % edges]];
            let [a, b, c] = stencil;
            let owner = Owner { body: 0, part: Part::Vertex(b) };
            let stencil = [a, b, c, angles[0], angles[1], t0, t1, d0, d1, r];
            let added = builder.add(joint, stencil, owner, 1.0);
            builder.give_step(added, step(i + 8));
        }
        if self.clamped {
            builder.pin(0, Axes::ALL);
            builder.pin(1, Axes::ALL);
            builder.pin(angles[0], Axes::ALL);
        }
        if self.heavy {
            for v in 0..vertices as u32 {
                let gravity = Gravity { mass: builder.masses()[v as usize], acceleration: Vec3::Z * -9.81 };
                builder.add(gravity, [v], Owner { body: 0, part: Part::Vertex(v) }, 1.0);
            }
        }
        // Another body after the auxiliary degrees of freedom of the first: they come after all places.
        builder.body("stone");
        builder.vertex(Vec3::Z, Vec3::X, 1.0);
        let (system, state) =
            builder.build(&ClockOptions { clocks: self.clocks, ..ClockOptions::default() }).unwrap();
        assert_eq!(system.places(), vertices + 1);
        (Arc::new(system), state)
    }
}

fn end_of(kind: MethodKind, system: &Arc<System>, state: &State, stops: &[Tick]) -> Box<dyn Method> {
    let mut method = kind.start(system, state.clone());
    for &tick in stops {
        method.advance_to(tick, &NEVER).unwrap();
    }
    method
}

/// Counts what was not where its last kick took it, and memories that were told.
struct Diary {
    system: Arc<System>,
    state: State,
    astray: usize,
}

impl InstantListener for Diary {
    fn wants_kicks(&self) -> bool {
        true
    }

    fn kicked(&mut self, vertex: u32, tick: Tick, position: Vec3, velocity: Vec3) {
        let v = vertex as usize;
        let flew = self.state.position_at(v, tick) == position && self.system.dof_kind(v) != DofKind::Memory;
        self.astray += usize::from(!flew);
        self.state.positions[v] = position;
        self.state.velocities[v] = velocity;
        self.state.kicked_at[v] = tick;
    }
}

/// Keeps what it sees.
#[derive(Default)]
struct Notebook(Vec<Reading>);

impl Observer for Notebook {
    fn observe(&mut self, _snapshot: &Snapshot, reading: &Reading) -> std::io::Result<()> {
        self.0.push(reading.clone());
        Ok(())
    }
}

fn readings(rod: &Rod, seconds: f64, rows: u64) -> Vec<Reading> {
    let (system, state) = rod.build();
    let plan = Plan { end: system.line.tick_at(seconds).unwrap(), rows, zoom: None, threads: 1 };
    let mut notes = Notebook::default();
    let mut method = MethodKind::Carom.start(&system, state);
    run(method.as_mut(), &Reader::new(&system), &plan, &mut notes, &NEVER).unwrap();
    notes.0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn twisted_rods_give_the_bits_of_the_reference(rod in rod(), stop in 0.0..1.0f64) {
        let (system, state) = rod.build();
        let end = system.line.tick_at(if rod.clocks == Clocks::Exact { 0.05 } else { 0.2 }).unwrap();
        let half = Tick((end.0 as f64 * stop) as u64);
        let oracle = end_of(MethodKind::Reference, &system, &state, &[end]);
        let fast = end_of(MethodKind::Carom, &system, &state, &[half, half, end]);
        let moved = |v: usize| state.positions[v] != oracle.state().positions[v];
        let memories: Vec<usize> =
            (0..system.vertices()).filter(|&v| system.dof_kind(v) == DofKind::Memory).collect();
        prop_assert!(memories.iter().filter(|&&v| moved(v)).count() > memories.len() / 2);
        prop_assert_eq!(fast.state().fingerprint(), oracle.state().fingerprint());
        prop_assert_eq!(fast.external().twists, oracle.external().twists);
        prop_assert_eq!(fast.summary().evaluations, oracle.summary().evaluations);
    }

    #[test]
    fn a_witness_sees_places_and_angles_fly_straight_and_hears_of_no_memory(rod in rod()) {
        let (system, state) = rod.build();
        let end = system.line.tick_at(0.02).unwrap();
        for kind in [MethodKind::Reference, MethodKind::Carom] {
            let mut diary = Diary { system: Arc::clone(&system), state: state.clone(), astray: 0 };
            let mut method = kind.start(&system, state.clone());
            method.advance(end, &NEVER, &mut diary).unwrap();
            prop_assert_eq!(diary.astray, 0);
        }
    }

    #[test]
    fn angular_momentum_is_kept_to_round_off_counting_what_twist_passes(rod in rod()) {
        let notes = readings(&rod, 0.5, 37);
        let of = |r: &Reading| (r.momentum - r.from_outside.linear, r.angular_momentum - r.from_outside.angular);
        let (p0, l0) = of(&notes[0]);
        for reading in &notes {
            let (p, l) = of(reading);
            prop_assert!((p - p0).length() < 1e-12 * (1.0 + reading.momentum_scale), "{:?}", p - p0);
            prop_assert!((l - l0).length() < 1e-12 * (1.0 + reading.angular_momentum_scale), "{:?}", l - l0);
        }
        let passed = notes.iter().map(|r| (r.from_outside.angular - notes[0].from_outside.angular).length());
        prop_assert!(passed.fold(0.0, f64::max) > 1e-6, "twist passed nothing on");
    }
}

#[test]
fn halving_every_step_shrinks_the_energy_band_by_four() {
    let seeds = (0..17).map(|i| (f64::from(i) * 1.7 + 0.3).sin()).collect();
    for closed in [false, true] {
        let rod = Rod {
            seeds: Vec::clone(&seeds),
            closed,
            clamped: false,
            heavy: false,
            clocks: Clocks::Exact,
            finer: 1.0,
        };
        let band = |finer: f64| {
            let notes = readings(&Rod { finer, ..rod.clone() }, 0.3, 401);
            let start = notes[0].total_j();
            notes.iter().map(|r| (r.total_j() - start).abs()).fold(0.0, f64::max) / start
        };
        let (coarse, fine) = (band(2.0), band(4.0));
        assert!(coarse < 2e-3 && (3.3..4.7).contains(&(coarse / fine)), "{coarse:e} {fine:e}");
    }
}

#[test]
fn a_spin_carries_its_angular_momentum_an_angle_and_a_memory_none_and_none_of_them_a_linear_one() {
    let mut builder = SystemBuilder::new();
    builder.vertex(Vec3::ZERO, Vec3::X, 2.0);
    builder.spin(Vec3::new(1.0, -2.0, 3.0), 0.5);
    builder.twist(0.1, 7.0, 0.25);
    builder.memory(Vec3::splat(9.0));
    let held = builder.twist(0.0, 5.0, 1.0);
    builder.pin(held, Axes::ALL);
    builder.body("last");
    builder.vertex(Vec3::Y, Vec3::ZERO, 3.0);
    let (system, state) = builder.build(&ClockOptions::default()).unwrap();
    assert_eq!((system.places(), system.vertices()), (2, 6));
    let meanings: Vec<DofKind> = (0..6).map(|v| system.dof_kind(v)).collect();
    let auxiliary_dofs = [DofKind::Spin, DofKind::Twist, DofKind::Memory, DofKind::Twist];
    assert_eq!(meanings[..2], [DofKind::Position; 2]);
    assert_eq!(meanings[2..], auxiliary_dofs);
    assert_eq!(system.locate(2).1, 1, "the first angle of the first body comes after its one place");
    let reading = Reader::new(&Arc::new(system)).read(&state, &ExternalLedger::default(), &[], Tick::START);
    assert_eq!(reading.momentum, Vec3::X * 2.0);
    assert_eq!(reading.angular_momentum, Vec3::new(0.5, -1.0, 1.5));
    assert_eq!(reading.kinetic_j, 1.0 + 0.25 * 14.0 + 0.125 * 49.0);
    assert_eq!(reading.momentum_scale, 2.0);
    assert_eq!(reading.angular_momentum_scale, 0.5 * 14.0_f64.sqrt());
}
