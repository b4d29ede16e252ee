//! The multisymplectic form formula of the paper: `dθ⁻ + F̂*dθ⁺ = 0` [Vouga2010, eq. multi].
//!
//! | | |
//! | --- | --- |
//! | Flow | `F̂`: `(q₀, q₁) ↦ (qₙ₋₂, qₙ₋₁)` along the instants of Ξ, with `start = "paper"` |
//! | Variations | random `(δq₀, δq₁)`, propagated exactly; all their pairs |
//! | Instants | [`JUDGED`] of those up to two slowest steps |
//! | Residual | the largest `│dθ⁻ + F̂*dθ⁺│` relative to the root of the sum of the squares of its terms |
//!
//! `T'` is a difference of two positions over the time between two instants. With exact clocks two
//! instants can be a few quanta apart, and the difference is then lost in the rounding of the
//! positions: those with the widest gaps before them are judged. (All of them happen on the way.)

use std::cmp::Reverse;
use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{Start, State, System};

use crate::clocks::{dyadic, end_of_periods, exact, instants, is_dyadic, slowest, starting, untouching};
use crate::flight::{Flight, Tangent};
use crate::forms::{Value, ends, starts};
use crate::report::{Claim, Found, Unfound, Worst};
use crate::scale::rate;
use crate::symplectic::random_vectors;
use crate::{NEVER, Options};

/// At how many instants the formula is evaluated.
const JUDGED: usize = 64;

pub(crate) fn claim_exact(options: &Options) -> Claim {
    Claim {
        name: "multisymplectic form, exact clocks",
        what: "dθ⁻ + F̂*dθ⁺ = 0 on pairs of first variations, with clocks of any ratio and start = \"paper\".",
        bound: options.bound,
    }
}

pub(crate) fn claim_dyadic(options: &Options) -> Claim {
    Claim {
        name: "multisymplectic form, dyadic clocks",
        what: "dθ⁻ + F̂*dθ⁺ = 0 on pairs of first variations, with dyadic clocks and start = \"paper\".",
        bound: options.bound,
    }
}

pub(crate) fn check_exact(system: &Arc<System>, state: &State, options: &Options) -> Result<Found, Unfound> {
    let native = !is_dyadic(system);
    let mut found = check(&exact(system), state, options)?;
    if !native {
        found.details.push("steps shortened by 1, 6/7, 4/5 and 2/3 in turn".into());
    }
    Ok(found)
}

pub(crate) fn check_dyadic(system: &Arc<System>, state: &State, options: &Options) -> Result<Found, Unfound> {
    check(&dyadic(system), state, options)
}

fn check(system: &System, state: &State, options: &Options) -> Result<Found, Unfound> {
    let system = Arc::new(starting(&untouching(system), Start::Paper));
    let slowest = slowest(&system)?;
    let instants = instants(&system, end_of_periods(&system, slowest, 2), options.instants);
    let mut judged: Vec<usize> = (1..instants.len()).collect();
    judged.sort_by_key(|&k| Reverse((instants[k].0 - instants[k - 1].0, k)));
    judged.truncate(JUDGED);

    let mut flight = Flight::new(&system, state, &random_vectors(&system, rate(&system), options));
    let seconds = |k: usize| system.line.quantum.seconds_between(instants[k - 1], instants[k]);
    let first = positions(flight.tangents_at(instants[0]));
    let second = positions(flight.tangents_at(instants[1]));
    let starts = starts(&system, &first, &second, seconds(1));
    let mut worst = Worst::default();
    for k in 1..instants.len() {
        if judged.contains(&k) {
            // Between two instants: before the kick at the later one.
            let before = positions(flight.tangents_at(instants[k - 1]));
            let last = positions(flight.tangents_at(instants[k]));
            let x = flight.positions_at(instants[k]);
            let ends = ends(&system, instants[k], &x, [&before, &last], seconds(k))?;
            for j in 0..ends.len() {
                for i in 0..j {
                    let mut formula = Value::default();
                    formula.add(-1.0, &starts[i], &starts[j]);
                    formula.add(1.0, &ends[i], &ends[j]);
                    worst.see(formula.relative());
                }
            }
        }
        flight.advance_to(instants[k])?;
    }
    let end = instants[instants.len() - 1];
    let mut engine = options.launch(&system, state);
    engine.advance_to(end, &NEVER).map_err(|fault| Unfound::Failed(fault.to_string()))?;
    flight.expect_bits_of(engine.as_ref())?;
    let pairs = starts.len() * (starts.len() - 1) / 2;
    let details =
        vec![format!("{} instants, {} of them judged on {pairs} pairs", instants.len() - 1, judged.len())];
    Ok(Found { residual: worst.0, details })
}

fn positions(tangents: Vec<Tangent>) -> Vec<Vec<Vec3>> {
    tangents.into_iter().map(|t| t.dq).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Crooked, build, ladder, ladder_of, pinned_ladder, restarting_its_clocks};
    use carom_time::Clocks;

    type Made = fn(&Arc<System>, &State, &Options) -> Result<Found, Unfound>;
    const BOTH: [Made; 2] = [check_exact, check_dyadic];

    #[test]
    fn the_formula_holds_for_springs_with_any_clocks() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            for (system, state) in [ladder(clocks), pinned_ladder(clocks)] {
                for check in BOTH {
                    assert!(check(&system, &state, &Options::default()).unwrap().residual < 1e-13);
                }
            }
        }
    }

    #[test]
    fn the_formula_fails_for_forces_without_potential() {
        let (system, state) = build(ladder_of(Crooked), Clocks::Dyadic);
        for check in BOTH {
            assert!(check(&system, &state, &Options::default()).unwrap().residual > 1e-7);
        }
    }

    #[test]
    fn a_flow_that_is_not_the_engines_is_refused() {
        let (system, state) = ladder(Clocks::Exact);
        for check in BOTH {
            assert!(check(&system, &state, &restarting_its_clocks()).is_err());
        }
    }
}
