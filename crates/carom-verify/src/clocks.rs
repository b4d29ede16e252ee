//! Other clocks for the same system, and the instants they make.
//!
//! Some claims are about dyadic clocks, some about exact ones, some need a period that all clocks
//! share. Each is checked on the system as it is where that applies, and otherwise on the same
//! potentials with steps that are a little shorter.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{LayerFamily, LayerSpec, Owner, PotentialId, Start, System, element_limits_s};
use carom_time::{Span, Tick};

use crate::report::NoMeasurement;

/// A shared period is at most this many times the slowest step.
const LONGEST_PERIOD: u64 = 8;

/// A run has at least this many steps of the fastest clock: with one clock for all, a period is one step.
const FEWEST_STEPS: u64 = 64;

/// The distinct steps of all families and of the first layers of contact, from short to long.
pub(crate) fn all_spans(system: &System) -> Vec<Span> {
    let mut spans = system.spans();
    spans.extend(system.contact.iter().flat_map(|contact| contact.layers.iter().map(|l| l.span)));
    spans.sort_unstable();
    spans.dedup();
    spans
}

/// The same system with other clocks: of families and of first layers.
fn with_all_spans(system: &System, choose: impl Fn(Span) -> Span) -> System {
    let contact = system.contact.as_ref().map(|contact| {
        let mut contact = (**contact).clone();
        contact.layers.iter_mut().for_each(|layer| layer.span = choose(layer.span));
        Arc::new(contact)
    });
    System { contact, ..system.with_spans(|_, _, span| choose(span)) }
}

/// The system with its elements alone.
pub(crate) fn untouching(system: &System) -> System {
    System { contact: None, ..system.clone() }
}

pub(crate) fn is_dyadic(system: &System) -> bool {
    all_spans(system).iter().all(|span| span.quanta().is_power_of_two())
}

/// Every step rounded down to a power of two of the quantum.
pub(crate) fn dyadic(system: &System) -> System {
    with_all_spans(system, Span::rounded_down_to_power_of_two)
}

/// Clocks that are no powers of two: those of the system, or every step shortened by one of four factors, which alternate.
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
    if let Some(period) = common_period(system) {
        return Some((system.clone(), period));
    }
    let mut rounded = system.with_spans(|_, _, span| {
        let below = span.rounded_down_to_power_of_two();
        let and_a_half = below.quanta() + below.quanta() / 2;
        if and_a_half <= span.quanta() { Span::new(and_a_half).unwrap_or(below) } else { below }
    });
    rounded.contact = dyadic(system).contact;
    let period = common_period(&rounded)?;
    Some((rounded, period))
}

/// The least common multiple of all steps, unless it is long against the slowest of them.
pub(crate) fn common_period(system: &System) -> Option<Span> {
    // Deeper layers must divide the first one's step.
    let divides =
        |layer: &LayerSpec| layer.family != LayerFamily::Acm && layer.span.quanta().is_power_of_two();
    if system.contact.as_ref().is_some_and(|contact| !contact.layers.iter().all(divides)) {
        return None;
    }
    let spans = all_spans(system);
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

/// `ξ(0) = 0`, `ξ(1)`, … up to `end`, but at most `most` after the first.
pub(crate) fn instants(system: &System, end: Tick, most: usize) -> Vec<Tick> {
    let spans = system.spans();
    let mut all = vec![Tick::START];
    let next = |last: Tick| next_instant(&spans, last).filter(|tick| *tick <= end);
    while all.len() <= most
        && let Some(tick) = next(all[all.len() - 1])
    {
        all.push(tick);
    }
    all
}

/// The end of a run of whole periods: at least `periods`, and enough for [`FEWEST_STEPS`] of the fastest clock.
pub(crate) fn end_of_periods(system: &System, period: Span, periods: u32) -> Tick {
    let fastest = all_spans(system).first().map_or(1, |span| span.quanta());
    let enough = (FEWEST_STEPS * fastest).div_ceil(period.quanta());
    Tick(period.quanta() * enough.max(u64::from(periods)))
}

/// The slowest clock's step.
pub(crate) fn slowest(system: &System) -> Result<Span, NoMeasurement> {
    all_spans(system).last().copied().ok_or_else(|| NoMeasurement::Skipped("no potential ever fires".into()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ladder, ladder_of, pinned_ladder};
    use carom_model::{ClockOptions, ClockScope};
    use carom_time::{Clocks, Instants};

    #[test]
    fn clocks_are_dyadic_exact_or_share_a_period_as_asked() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            let (system, _) = pinned_ladder(clocks);
            assert!(is_dyadic(&dyadic(&system)));
            assert!(!is_dyadic(&exact(&system)));
            let (shared, period) = commensurable(&system).unwrap();
            assert!(shared.spans().iter().all(|span| Tick(period.quanta()).is_multiple_of(*span)));
            let as_before = shared.schedules == system.schedules;
            assert_eq!(as_before, clocks == Clocks::Dyadic);
            for other in [dyadic(&system), exact(&system), shared] {
                for (a, b) in other.schedules.iter().zip(&system.schedules) {
                    assert!(a.spans.iter().zip(&b.spans).all(|(a, b)| a <= b && 2 * a.quanta() > b.quanta()));
                }
            }
        }
    }

    #[test]
    fn clocks_per_element_and_per_potential_are_those_of_the_builder() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            let built = |per| {
                let options = ClockOptions { clocks, per, ..ClockOptions::default() };
                ladder_of(|spring| spring).build(&options).unwrap()
            };
            let ((own, state), (shared, _)) = (built(ClockScope::Potential), built(ClockScope::Element));
            assert_eq!(per_potential(&own, &state.positions).schedules, own.schedules);
            let derived = per_element(&own);
            assert_eq!(derived.schedules.len(), shared.schedules.len());
            let steps = |s: &System| -> Vec<f64> {
                s.schedules.iter().flat_map(|x| &x.spans).map(|&span| s.line.quantum.step(span)).collect()
            };
            for (a, b) in steps(&derived).into_iter().zip(steps(&shared)) {
                // The quantum depends on the longest step, and powers of two on the quantum.
                let near = if clocks == Clocks::Exact { 1.0 + 1e-5 } else { 2.0 };
                assert!(a / b < near && b / a < near, "{a} {b}");
            }
            let apart = per_potential(&shared, &state.positions);
            assert!(apart.spans().len() > shared.spans().len());
        }
    }

    #[test]
    fn the_literal_instants_are_those_of_the_time_line() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            let (system, _) = ladder(clocks);
            let end = Tick(system.spans().last().unwrap().quanta() * 2);
            let mut walk = Instants::new(&system.spans(), Tick::START);
            let all = instants(&system, end, usize::MAX);
            for &tick in &all[1..] {
                let (at, firing) = walk.next_until(end).unwrap();
                assert_eq!(at, tick);
                let fires = |id: &PotentialId| {
                    let schedule = &system.schedules[id.family as usize];
                    system.spans().binary_search(&schedule.spans[schedule.order[id.place as usize] as usize])
                };
                let due = due(&system, tick);
                assert!(due.iter().all(|id| firing.contains(&fires(id).unwrap())));
                assert!(due.is_sorted() && !due.is_empty());
            }
            assert!(walk.next_until(end).is_none());
            assert_eq!(instants(&system, end, 5).len(), 6);
        }
    }
}
