//! Other clocks for the same system, and the instants they make.
//!
//! Some claims are about dyadic clocks, some about exact ones, some need a period that all clocks
//! share. Each is checked on the system as it is where that applies, and otherwise on the same
//! potentials with steps that are a little shorter.

use std::collections::BTreeMap;

use carom_math::Vec3;
use carom_model::{Owner, PotentialId, Start, System, element_limits_s};
use carom_time::{Span, Tick};

/// A shared period is at most this many times the slowest step.
const LONGEST_PERIOD: u64 = 8;

pub(crate) fn is_dyadic(system: &System) -> bool {
    system.spans().iter().all(|span| span.quanta().is_power_of_two())
}

/// Every step rounded down to a power of two of the quantum.
pub(crate) fn dyadic(system: &System) -> System {
    system.with_spans(|_, _, span| span.rounded_down_to_power_of_two())
}

/// Clocks that are no powers of two: those of the system, or every step shortened by one of four factors in turn.
pub(crate) fn exact(system: &System) -> System {
    const FACTORS: [(u128, u128); 4] = [(1, 1), (6, 7), (4, 5), (2, 3)];
    if !is_dyadic(system) {
        return system.clone();
    }
    system.with_spans(|_, element, span| {
        let (numerator, denominator) = FACTORS[element % FACTORS.len()];
        let quanta = u128::from(span.quanta()) * numerator / denominator;
        Span::new(quanta as u64).unwrap_or(Span::ONE)
    })
}

/// Clocks with a short common period, and that period: those of the system if they have one, or every step
/// rounded down to two or three times a power of two.
pub(crate) fn commensurable(system: &System) -> Option<(System, Span)> {
    if let Some(period) = short_period(system) {
        return Some((system.clone(), period));
    }
    let rounded = system.with_spans(|_, _, span| {
        let below = span.rounded_down_to_power_of_two();
        let and_a_half = below.quanta() + below.quanta() / 2;
        if and_a_half <= span.quanta() { Span::new(and_a_half).unwrap_or(below) } else { below }
    });
    let period = short_period(&rounded)?;
    Some((rounded, period))
}

/// The least common multiple of all steps, unless it is long against the slowest of them.
fn short_period(system: &System) -> Option<Span> {
    let spans = system.spans();
    let longest = spans.last()?.quanta().checked_mul(LONGEST_PERIOD)?;
    let mut period = 1_u64;
    for span in spans {
        period = (period / common_divisor(period, span.quanta())).checked_mul(span.quanta())?;
        if period > longest {
            return None;
        }
    }
    Span::new(period)
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// All potentials of one owner on the shortest of their clocks: `clocks.per = "element"`.
pub(crate) fn per_element(system: &System) -> System {
    let shortest = by_owner(system, Span::min);
    system.with_spans(|f, e, _| shortest[&system.families[f].owner(e)])
}

/// Every potential on its own clock: `clocks.per = "potential"`.
///
/// Where the potentials of each owner share a clock, as near their own limits as the fastest of the system is.
pub(crate) fn per_potential(system: &System, positions: &[Vec3]) -> System {
    let owners_share = by_owner(system, Span::min) == by_owner(system, Span::max);
    let potentials: usize = system.families.iter().map(|f| f.len()).sum();
    if !owners_share || by_owner(system, Span::min).len() == potentials {
        return system.clone();
    }
    let quantum = system.line.quantum;
    let limits: Vec<Vec<f64>> =
        system.families.iter().map(|f| element_limits_s(f.as_ref(), positions, &system.masses)).collect();
    let mut safety = 0.0_f64;
    for (schedule, limits) in system.schedules.iter().zip(&limits) {
        for (&span, limit) in schedule.spans.iter().zip(limits) {
            safety = safety.max(quantum.step(span) / limit);
        }
    }
    system.with_spans(|f, e, span| {
        let own = system.line.span(safety * limits[f][e]);
        own.map_or(span, |own| own.max(span))
    })
}

fn by_owner(system: &System, pick: fn(Span, Span) -> Span) -> BTreeMap<Owner, Span> {
    let mut spans = BTreeMap::new();
    for (family, schedule) in system.families.iter().zip(&system.schedules) {
        for (e, &span) in schedule.spans.iter().enumerate() {
            spans.entry(family.owner(e)).and_modify(|s| *s = pick(*s, span)).or_insert(span);
        }
    }
    spans
}

pub(crate) fn starting(system: &System, start: Start) -> System {
    System { start, ..system.clone() }
}

/// The first instant after `now` of clocks with these steps: no queue, no cleverness.
pub(crate) fn next_instant(spans: &[Span], now: Tick) -> Option<Tick> {
    spans.iter().map(|&span| now.floor(span).after(span)).min()
}

/// The potentials that fire at `tick`, in the order of their ids.
pub(crate) fn due(system: &System, tick: Tick) -> Vec<PotentialId> {
    let mut due = Vec::new();
    for (family, schedule) in system.schedules.iter().enumerate() {
        for rung in schedule.rungs.iter().filter(|rung| tick.is_multiple_of(rung.span)) {
            let id = |place| PotentialId { family: family as u32, place: place as u32 };
            due.extend(rung.places.clone().map(id));
        }
    }
    due
}
