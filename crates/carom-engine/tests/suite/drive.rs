//! A method that is driven stands still where its inspectors ask, and ends in the bits of one that is not.

use core::ops::ControlFlow;

use crate::common::{NEVER, network};
use carom_engine::{Inspector, InstantListener, InstantReport, Method, MethodKind, Progress, drive};
use carom_time::Tick;
use proptest::prelude::*;

/// Inspects the method at every so many quanta and, after every instant whose tick `pauses` divides, once more.
struct Every {
    quanta: u64,
    pauses: u64,
    next: Tick,
    /// When it inspected, how many instants it had heard of, and how many the method had made.
    seen: Vec<(Tick, u64, u64)>,
    instants: u64,
}

impl Every {
    fn new(quanta: u64, pauses: u64) -> Self {
        Self { quanta, pauses, next: Tick::START, seen: Vec::new(), instants: 0 }
    }
}

impl InstantListener for Every {
    fn after_instant(&mut self, report: &InstantReport) -> ControlFlow<()> {
        self.instants += 1;
        if report.tick.0.is_multiple_of(self.pauses) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Inspector for Every {
    fn next_tick(&self) -> Option<Tick> {
        Some(self.next)
    }

    fn inspect(&mut self, method: &dyn Method, tick: Tick) -> ControlFlow<()> {
        self.seen.push((tick, self.instants, method.summary().instants));
        if tick == self.next {
            self.next = Tick(tick.0 + self.quanta);
        }
        ControlFlow::Continue(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_method_stands_still_for_each_inspector_and_ends_in_the_same_bits(
        network in network(0.1), parts in 1_u64..40, others in 1_u64..40,
    ) {
        let (system, state) = network.build();
        prop_assume!(!network.paper);
        let end = system.line.tick_at(0.3).unwrap();
        let quanta = |parts: u64| end.0 / parts;
        let fastest = system.spans()[0].quanta();
        for kind in [MethodKind::Carom, MethodKind::Reference] {
            let mut alone = kind.start(&system, state.clone());
            alone.advance_to(end, &NEVER).unwrap();
            let mut method = kind.start(&system, state.clone());
            let (mut first, mut second) = (Every::new(quanta(parts), 3 * fastest), Every::new(quanta(others), u64::MAX));
            let progress = drive(method.as_mut(), end, &NEVER, &mut [&mut first, &mut second]);
            prop_assert_eq!(progress, Ok(Progress::Reached));
            prop_assert_eq!(method.state().fingerprint(), alone.state().fingerprint());
            for inspector in [&first, &second] {
                prop_assert!(inspector.seen.iter().all(|(_, heard, made)| heard == made), "{:?}", inspector.seen);
                prop_assert!(inspector.seen.is_sorted());
                let named = inspector.seen.iter().filter(|(tick, ..)| tick.0.is_multiple_of(inspector.quanta));
                let ticks: std::collections::BTreeSet<Tick> = named.map(|(tick, ..)| *tick).collect();
                prop_assert_eq!(ticks.len() as u64, end.0 / inspector.quanta + 1);
            }
            let paused = first.seen.iter().filter(|(tick, ..)| tick.0.is_multiple_of(3 * fastest)).count() as u64;
            prop_assert!(paused >= end.0 / (3 * fastest), "{paused}");
        }
    }
}
