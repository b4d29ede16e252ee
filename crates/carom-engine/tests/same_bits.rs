//! `carom` and `reference` give the same bits, whatever the clocks.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_elastic::Spring;
use carom_engine::{Method, MethodKind};
use carom_math::Vec3;
use carom_model::{Axes, ClockOptions, Owner, Part, Start, State, System, SystemBuilder};
use carom_time::{Clocks, Tick};
use proptest::prelude::*;

static NEVER: AtomicBool = AtomicBool::new(false);

/// A random network of springs with steps of their own, some vertices pinned along some axes.
#[derive(Clone, Debug)]
struct Network {
    vertices: Vec<([f64; 3], [f64; 3], f64, [bool; 3])>,
    springs: Vec<(usize, usize, f64, f64, f64)>,
    exact: bool,
    paper: bool,
}

fn network() -> impl Strategy<Value = Network> {
    let vertex = (
        prop::array::uniform3(-1.0..1.0f64),
        prop::array::uniform3(-1.0..1.0f64),
        0.1..2.0f64,
        prop::array::uniform3(prop::bool::weighted(0.1)),
    );
    (prop::collection::vec(vertex, 2..12), any::<bool>(), any::<bool>()).prop_flat_map(
        |(vertices, exact, paper)| {
            let n = vertices.len();
            let spring = (0..n, 1..n, 0.5..20.0f64, 0.1..1.0f64, 0.005..0.05f64)
                .prop_map(move |(a, d, k, rest, step)| (a, (a + d) % n, k, rest, step));
            (Just(vertices), prop::collection::vec(spring, 1..20), Just(exact), Just(paper))
                .prop_map(|(vertices, springs, exact, paper)| Network { vertices, springs, exact, paper })
        },
    )
}

fn build(network: &Network) -> (Arc<System>, State) {
    let mut builder = SystemBuilder::new();
    for (x, v, m, pinned) in &network.vertices {
        let id = builder.vertex(Vec3::from(*x), Vec3::from(*v), *m);
        builder.pin(id, Axes { x: pinned[0], y: pinned[1], z: pinned[2] });
    }
    for (i, (a, b, stiffness, rest_length, step)) in network.springs.iter().enumerate() {
        let spring = Spring { stiffness: *stiffness, rest_length: *rest_length };
        let owner = Owner { body: 0, part: Part::Edge(i as u32) };
        let added = builder.add(spring, [*a as u32, *b as u32], owner, 1.0);
        builder.give_step(added, *step);
    }
    let options = ClockOptions {
        clocks: if network.exact { Clocks::Exact } else { Clocks::Dyadic },
        start: if network.paper { Start::Paper } else { Start::HalfKick },
        ..ClockOptions::default()
    };
    let (system, state) = builder.build(&options).unwrap();
    (Arc::new(system), state)
}

fn end_of(kind: MethodKind, system: &Arc<System>, state: &State, stops: &[Tick]) -> Box<dyn Method> {
    let mut method = kind.start(system, state.clone());
    for &tick in stops {
        method.advance_to(tick, &NEVER).unwrap();
    }
    method
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_fast_engine_gives_the_bits_of_the_reference(network in network()) {
        let (system, state) = build(&network);
        let end = system.line.tick_at(1.0).unwrap();
        let oracle = end_of(MethodKind::Reference, &system, &state, &[end]);
        let fast = end_of(MethodKind::Carom, &system, &state, &[end]);
        prop_assert_eq!(fast.state(), oracle.state());
        prop_assert_eq!(fast.evaluations(), oracle.evaluations());
        prop_assert_eq!(fast.instants(), oracle.instants());
    }

    #[test]
    fn stopping_on_the_way_changes_no_bit(network in network(), stop in 0.0..1.0f64) {
        let (system, state) = build(&network);
        let (half, end) = (system.line.tick_at(stop).unwrap(), system.line.tick_at(1.0).unwrap());
        for kind in MethodKind::ALL {
            let system = kind.system(&system);
            let straight = end_of(kind, &system, &state, &[end]);
            let halted = end_of(kind, &system, &state, &[Tick::START, half, half, end]);
            prop_assert_eq!(straight.state().fingerprint(), halted.state().fingerprint());
        }
    }

    #[test]
    fn a_vertex_that_no_force_reaches_is_never_touched(network in network()) {
        let (system, state) = build(&network);
        let touched: std::collections::BTreeSet<usize> =
            network.springs.iter().flat_map(|s| [s.0, s.1]).collect();
        let end = system.line.tick_at(1.0).unwrap();
        let last = end_of(MethodKind::Carom, &system, &state, &[end]).state();
        for v in (0..state.len()).filter(|v| !touched.contains(v)) {
            prop_assert_eq!(last.kicked_at[v], Tick::START);
            prop_assert_eq!(last.positions[v], state.positions[v]);
        }
    }
}
