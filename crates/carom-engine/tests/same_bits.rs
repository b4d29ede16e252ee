//! `carom` and `reference` give the same bits, whatever the clocks.

mod common;

use std::collections::BTreeSet;
use std::sync::Arc;

use carom_engine::{Method, MethodKind};
use carom_model::{State, System};
use carom_time::Tick;
use common::{NEVER, network};
use proptest::prelude::*;

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
    fn the_fast_engine_gives_the_bits_of_the_reference(network in network(0.1)) {
        let (system, state) = network.build();
        let end = system.line.tick_at(1.0).unwrap();
        let oracle = end_of(MethodKind::Reference, &system, &state, &[end]);
        let fast = end_of(MethodKind::Carom, &system, &state, &[end]);
        prop_assert_eq!(fast.state(), oracle.state());
        prop_assert_eq!(fast.evaluations(), oracle.evaluations());
        prop_assert_eq!(fast.instants(), oracle.instants());
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
