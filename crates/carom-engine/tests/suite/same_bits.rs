//! `carom` and `reference` give the same bits, whatever the clocks.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::common::{NEVER, network};
use carom_contact::{BodySurface, ContactOptions, tune_contact, with_contact};
use carom_elastic::{
    BendingHinge, BendingMidedge, BendingQuadratic, Gravity, LennardJones, MembraneNeoHookean, MembraneStvk,
    ShellMaterial, Spring,
};
use carom_engine::{InstantListener, Method, MethodKind, Reader, Reading};
use carom_geometry::{Topology, shapes};
use carom_math::Vec3;
use carom_model::{Axes, ClockOptions, ClockScope, Owner, Part, State, System, SystemBuilder};
use carom_time::{Clocks, Tick};
use proptest::prelude::*;

fn end_of(kind: MethodKind, system: &Arc<System>, state: &State, stops: &[Tick]) -> Box<dyn Method> {
    let mut method = kind.start(system, state.clone());
    for &tick in stops {
        method.advance_to(tick, &NEVER).unwrap();
    }
    method
}

/// Writes down every kick.
struct Diary {
    states: State,
    kicks: BTreeSet<(Tick, u32)>,
    /// Kicks of a vertex that was not where its last one took it.
    astray: usize,
}

impl InstantListener for Diary {
    fn wants_kicks(&self) -> bool {
        true
    }

    fn kicked(&mut self, vertex: u32, tick: Tick, position: Vec3, velocity: Vec3) {
        let v = vertex as usize;
        self.astray += usize::from(self.states.position_at(v, tick) != position);
        // At tick 0 vertices that nothing kicks may be told too: they are where they were.
        if tick > Tick::START {
            self.kicks.insert((tick, vertex));
        }
        self.states.positions[v] = position;
        self.states.velocities[v] = velocity;
        self.states.kicked_at[v] = tick;
    }
}

/// A hanging patch of cloth, bent and stirred at random, with every kind of shell potential, gravity and
/// some particles that repel each other.
fn patch(edge: f64, seeds: &[f64], options: &ClockOptions) -> (Arc<System>, State) {
    let material = ShellMaterial { young: 2e4, poisson: 0.3, thickness: 0.02 };
    let mesh = shapes::grid(1.0, 0.8, edge).unwrap();
    let topology = Topology::new(&mesh.triangles).unwrap();
    let mut builder = SystemBuilder::new();
    let noise = |i: usize| Vec3::new(seeds[i % 7], seeds[(3 * i + 1) % 11], seeds[(5 * i + 2) % 13]);
    for (i, &x) in mesh.positions.iter().enumerate() {
        builder.vertex(x + noise(i) * (0.07 * edge), noise(i + 5) * 0.5, 0.02 + 0.01 * seeds[i % 5].abs());
    }
    builder.pin(0, Axes::ALL);
    builder.pin(1, Axes { x: false, y: false, z: true });
    for (i, &corners) in mesh.triangles.iter().enumerate() {
        let rest = corners.map(|v| mesh.positions[v as usize]);
        let owner = Owner { body: 0, part: Part::Face(i as u32) };
        if i % 2 == 0 {
            builder.add(MembraneNeoHookean::from_rest(&rest, &material), corners, owner, 1.0);
        } else {
            builder.add(MembraneStvk::from_rest(&rest, &material), corners, owner, 1.0);
        }
        let across = topology.neighbours[i].map(|n| n.map(|n| n.opposite));
        let stencil = BendingMidedge::stencil(corners, across);
        let rest = stencil.map(|v| mesh.positions[v as usize]);
        builder.add(
            BendingMidedge::from_rest(&rest, across.map(|a| a.is_some()), &material),
            stencil,
            owner,
            1.0,
        );
    }
    for (i, edge) in topology.interior.iter().enumerate() {
        let stencil = [edge.vertices[0], edge.vertices[1], edge.opposite[0], edge.opposite[1]];
        let rest = stencil.map(|v| mesh.positions[v as usize]);
        let owner = Owner { body: 0, part: Part::Edge(i as u32) };
        builder.add(BendingHinge::from_rest(&rest, &material), stencil, owner, 1.0);
        builder.add(BendingQuadratic::from_rest(&rest, &material), stencil, owner, 1.0);
    }
    for v in 0..mesh.positions.len() as u32 {
        let gravity = Gravity { mass: builder.masses()[v as usize], acceleration: Vec3::Z * -9.81 };
        builder.add(gravity, [v], Owner { body: 0, part: Part::Vertex(v) }, 1.0);
    }
    builder.body("gas");
    let grains = [0.0, 0.4, 0.8].map(|x| builder.vertex(Vec3::new(x, 0.0, 2.0), noise(7) * 0.1, 0.1));
    for (i, [a, b]) in [[0, 1], [1, 2], [0, 2]].into_iter().enumerate() {
        let pair = LennardJones { depth: 0.05, diameter: 0.35 };
        builder.add(pair, [grains[a], grains[b]], Owner { body: 1, part: Part::Other(i as u32) }, 1.0);
    }
    let (system, state) = builder.build(options).unwrap();
    (Arc::new(system), state)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn shells_fields_pins_and_pairs_together_give_the_bits_of_the_reference(
        seeds in prop::collection::vec(-1.0..1.0f64, 13), exact: bool, per_element: bool,
    ) {
        let clocks = if exact { Clocks::Exact } else { Clocks::Dyadic };
        let per = if per_element { ClockScope::Element } else { ClockScope::Potential };
        let (system, state) = patch(0.3, &seeds, &ClockOptions { clocks, per, ..ClockOptions::default() });
        let end = system.line.tick_at(if exact { 0.003 } else { 0.02 }).unwrap();
        let oracle = end_of(MethodKind::Reference, &system, &state, &[end]);
        let fast = end_of(MethodKind::Carom, &system, &state, &[end]);
        prop_assert_ne!(&fast.state(), &state);
        prop_assert_eq!(fast.state(), oracle.state());
        prop_assert_eq!(fast.summary().evaluations, oracle.summary().evaluations);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_fast_engine_gives_the_bits_of_the_reference(network in network(0.1)) {
        let (system, state) = network.build();
        let end = system.line.tick_at(1.0).unwrap();
        let oracle = end_of(MethodKind::Reference, &system, &state, &[end]);
        let fast = end_of(MethodKind::Carom, &system, &state, &[end]);
        prop_assert_eq!(fast.state(), oracle.state());
        prop_assert_eq!(fast.summary().evaluations, oracle.summary().evaluations);
        prop_assert_eq!(fast.summary().instants, oracle.summary().instants);
    }

    #[test]
    fn a_witness_hears_of_every_kick_and_changes_no_bit(network in network(0.1)) {
        let (system, state) = network.build();
        let end = system.line.tick_at(0.5).unwrap();
        let unseen = end_of(MethodKind::Carom, &system, &state, &[end]).state();
        let heard = [MethodKind::Reference, MethodKind::Carom].map(|kind| {
            let mut diary = Diary { states: state.clone(), kicks: BTreeSet::new(), astray: 0 };
            let mut method = kind.start(&system, state.clone());
            method.advance(end, &NEVER, &mut diary).unwrap();
            assert_eq!(method.state(), unseen);
            diary
        });
        for diary in &heard {
            // What was told last is what is; in between every vertex flew straight.
            prop_assert_eq!(&diary.states, &unseen);
            prop_assert_eq!(diary.astray, 0);
        }
        prop_assert_eq!(&heard[0].kicks, &heard[1].kicks);
    }

    #[test]
    fn one_clock_for_all_gives_the_bits_of_the_reference_too(network in network(0.1)) {
        let (system, state) = network.build();
        let system = MethodKind::Synchronous(None).system(&system);
        let end = system.line.tick_at(0.5).unwrap();
        let oracle = end_of(MethodKind::Reference, &system, &state, &[end]);
        prop_assert_eq!(end_of(MethodKind::Synchronous(None), &system, &state, &[end]).state(), oracle.state());
    }

    #[test]
    fn stopping_on_the_way_changes_no_bit(network in network(0.1), stop in 0.0..1.0f64) {
        let (system, state) = network.build();
        let (half, end) = (system.line.tick_at(stop).unwrap(), system.line.tick_at(1.0).unwrap());
        for kind in MethodKind::ALL {
            let system = kind.system(&system);
            let straight = end_of(kind, &system, &state, &[end]);
            let halted = end_of(kind, &system, &state, &[Tick::START, half, half, end]);
            prop_assert_eq!(straight.state().fingerprint(), halted.state().fingerprint());
        }
    }

    #[test]
    fn a_vertex_that_no_force_reaches_is_never_touched(network in network(0.1)) {
        let (system, state) = network.build();
        let touched: BTreeSet<usize> = network.links.iter().flat_map(|l| l.ends).collect();
        let end = system.line.tick_at(1.0).unwrap();
        let last = end_of(MethodKind::Carom, &system, &state, &[end]).state();
        for v in (0..state.len()).filter(|v| !touched.contains(v)) {
            prop_assert_eq!(last.kicked_at[v], Tick::START);
            prop_assert_eq!(last.positions[v], state.positions[v]);
        }
    }

    #[test]
    fn both_engines_stop_with_the_same_fault_at_the_same_tick(mut network in network(0.0)) {
        for link in &mut network.links {
            // Ten thousand times too stiff for its step: velocities overflow within a few hundred kicks.
            link.spring.stiffness *= 1e8;
        }
        let (system, state) = network.build();
        let end = system.line.tick_at(10.0).unwrap();
        let mut faults = [MethodKind::Reference, MethodKind::Carom].map(|kind| {
            kind.start(&system, state.clone()).advance_to(end, &NEVER).unwrap_err()
        });
        let [oracle, fast] = &mut faults;
        prop_assert_eq!(oracle, fast);
    }
}

#[test]
fn teams_of_any_size_give_the_bits_of_one_thread() {
    let seeds: Vec<f64> = (0..13).map(noise).collect();
    for clocks in [Clocks::Dyadic, Clocks::Exact] {
        let step_s = (clocks == Clocks::Exact).then_some(1e-5);
        let options = ClockOptions { clocks, step_s, ..ClockOptions::default() };
        let (system, state) = patch(0.01, &seeds, &options);
        assert!(system.vertices() > 8192);
        let rungs = || system.schedules.iter().flat_map(|schedule| &schedule.rungs);
        assert!(rungs().filter(|rung| rung.places.len() > 8192).count() >= 3, "there is work to share");
        let instants = |threads: usize| {
            let mut method = MethodKind::Carom.start_on(threads, &system, state.clone());
            let end = Tick(system.spans().last().unwrap().quanta() * 2);
            method.advance_to(end, &std::sync::atomic::AtomicBool::new(false)).unwrap();
            (method.state(), method.external(), method.summary().evaluations, method.summary().instants)
        };
        let alone = instants(1);
        for threads in [2, 4, 8] {
            assert!(instants(threads) == alone, "{threads} threads, {clocks:?}");
        }
    }
}

/// A net of springs under gravity, held at two vertices, in which vertex `i` is called `names[i]`.
fn net(names: &[u32]) -> (Arc<System>, State) {
    let mut builder = SystemBuilder::new();
    builder.body("net");
    let point = |i: u32| Vec3::new(noise(3 * i), noise(3 * i + 1), noise(3 * i + 2));
    let mut by_name: Vec<u32> = (0..names.len() as u32).collect();
    by_name.sort_unstable_by_key(|&i| names[i as usize]);
    for &i in &by_name {
        builder.vertex(point(i), point(i + 500), 0.01 + noise(i).abs());
    }
    let owner = |part: Part| Owner { body: 0, part };
    for (e, i) in (0..).zip(0..names.len()) {
        let spring = Spring { stiffness: 20.0 + 3.0 * f64::from(e), rest_length: 0.5 };
        let ends = [names[i], names[(i + 7) % names.len()]];
        builder.add(spring, ends, owner(Part::Edge(e)), 1.0);
        let gravity = Gravity { mass: 0.1, acceleration: Vec3::new(0.3, -0.1, -9.81) };
        builder.add(gravity, [names[i]], owner(Part::Vertex(names[i])), 1.0);
    }
    builder.pin(names[3], Axes::ALL);
    builder.pin(names[8], Axes { x: true, y: false, z: false });
    let (system, state) = builder.build(&ClockOptions::default()).unwrap();
    (Arc::new(system), state)
}

#[test]
fn totals_have_the_same_bits_however_vertices_are_numbered() {
    let totals = |names: &[u32]| {
        let (system, state) = net(names);
        let end = system.line.tick_at(0.1).unwrap();
        let method = end_of(MethodKind::Carom, &system, &state, &[end]);
        let reading = Reader::new(&system).read(&method.state(), &method.external(), &[], end);
        let velocities: Vec<Vec3> = names.iter().map(|&name| reading.velocities[name as usize]).collect();
        let Reading { momentum, angular_momentum, from_outside, .. } = reading;
        let vectors =
            [momentum, angular_momentum, from_outside.linear, from_outside.angular].map(Vec3::to_array);
        let scales = [reading.momentum_scale, reading.angular_momentum_scale, reading.kinetic_j];
        let numbers = vectors.into_iter().flatten().chain(scales).chain(reading.potential_j);
        (velocities, numbers.map(f64::to_bits).collect::<Vec<_>>())
    };
    let names: Vec<u32> = (0..61).collect();
    let (velocities, expected) = totals(&names);
    assert!(velocities[5] != net(&names).1.velocities[5], "much has happened");
    for step in [2, 3, 5, 7, 11, 13, 17, 60] {
        let renamed: Vec<u32> = names.iter().map(|name| (name * step + 11) % 61).collect();
        assert!(totals(&renamed) == (velocities.clone(), expected.clone()), "{step}");
    }
}

/// Two sheets of equal triangles that are pressed together and stirred: thousands of pairs push at once.
fn pressed_sheets(edge: f64) -> (Arc<System>, State) {
    let (gap, thickness) = (0.3 * edge, 0.6 * edge);
    let material = ShellMaterial { young: 2e4, poisson: 0.3, thickness: 0.02 };
    let mesh = shapes::grid(1.0, 0.8, edge).unwrap();
    let mut builder = SystemBuilder::new();
    let mut surfaces = Vec::new();
    for body in 0..2 {
        builder.body(format!("sheet {body}"));
        let first_vertex = builder.positions().len() as u32;
        for (i, &x) in (0..).zip(&mesh.positions) {
            let aside = Vec3::new(0.3 * edge, 0.2 * edge, gap) * f64::from(body);
            let stirred = Vec3::new(noise(i), noise(i + 3), noise(i + 5)) * 0.1;
            builder.vertex(x + aside, stirred, 1e-4);
        }
        for (face, &corners) in (0..).zip(&mesh.triangles) {
            let membrane = MembraneNeoHookean::from_rest(&mesh.corners(&corners), &material);
            let owner = Owner { body, part: Part::Face(face) };
            builder.add(membrane, corners.map(|v| v + first_vertex), owner, 1.0);
        }
        surfaces.push(BodySurface { mesh: &mesh, first_vertex, thickness, radius: 0.0 });
    }
    let (system, state) = builder.build(&ClockOptions::default()).unwrap();
    let options = ContactOptions { max_layers: 6, ..ContactOptions::default() };
    let (contact, _) = tune_contact(&system, &state, &surfaces, &options).unwrap();
    (Arc::new(with_contact(&system, contact)), state)
}

#[test]
fn in_contact_too() {
    let (system, state) = pressed_sheets(0.019);
    assert!(system.vertices() > 4096, "a team leads");
    let instants = |threads: usize| {
        let mut method = MethodKind::Carom.start_on(threads, &system, state.clone());
        let end = Tick(system.spans()[0].quanta() * 3);
        method.advance_to(end, &NEVER).unwrap();
        let summary = method.summary();
        assert!(
            summary.contact.unwrap().most_active > 2048 && *summary.evaluations.last().unwrap() > 4096,
            "there is work to share: {summary:?}"
        );
        let touches = method.touches(end).iter().map(|touch| format!("{touch:?}")).collect::<Vec<_>>();
        (method.state(), method.external(), method.pairs(), touches, method.summary().instants)
    };
    let alone = instants(1);
    for threads in [2, 3] {
        assert!(instants(threads) == alone, "{threads} threads");
    }
}

fn noise(i: u32) -> f64 {
    f64::from(i * 7919 % 1009) / 504.5 - 1.0
}
