//! The multisymplectic form formula of the paper: `dθ⁻ + F̂*dθ⁺ = 0` [Vouga2010, eq. multi].
//!
//! | | |
//! | --- | --- |
//! | Flow | `F̂`: `(q₀, q₁) ↦ (qₙ₋₂, qₙ₋₁)` along the instants of Ξ, with `start = "paper"` |
//! | Variations | random `(δq₀, δq₁)`, propagated exactly; all their pairs |
//! | Instants | up to [`JUDGED`] of those up to two slowest steps |
//! | Residual | the largest `│dθ⁻ + F̂*dθ⁺│` relative to the sum of the absolute values of its terms |
//!
//! `T'` is a difference of two positions over the time between two instants. With exact clocks two
//! instants can be a few quanta apart, and the difference is then lost in the rounding of the
//! positions: instants nearer than [`NEAREST`] of the fastest step to the one before are not
//! chosen as the last one. (They do happen on the way.)

use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{Start, State, System};
use carom_time::Tick;

use crate::clocks::{dyadic, exact, is_dyadic, next_instant, starting};
use crate::flight::{Flight, Tangent};
use crate::forms::{Value, ends, starts};
use crate::report::{Claim, Found, Unfound, Worst};
use crate::scale::rate;
use crate::symplectic::random_vectors;
use crate::{NEVER, Options};

/// At how many instants the formula is evaluated.
const JUDGED: usize = 64;

/// As a fraction of the fastest step: 2⁻¹⁰ of it leaves 13 of 16 digits to a difference of positions.
const NEAREST: f64 = 1.0 / 1024.0;

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
    let system = Arc::new(starting(system, Start::Paper));
    let spans = system.spans();
    let (Some(&fastest), Some(&slowest)) = (spans.first(), spans.last()) else {
        return Err(Unfound::Skipped("no potential ever fires".into()));
    };
    let instants = instants(&system, Tick::START.after(slowest).after(slowest), options.instants);
    let nearest = (fastest.quanta() as f64 * NEAREST) as u64;
    let is_far = |k: usize| k >= 2 && instants[k].0 - instants[k - 1].0 >= nearest;
    let candidates: Vec<usize> = (0..instants.len()).filter(|&k| is_far(k)).collect();
    let stride = candidates.len().div_ceil(JUDGED).max(1);
    let judged: Vec<usize> = candidates.iter().rev().copied().step_by(stride).collect();

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

/// `ξ(0) = 0`, `ξ(1)`, … up to `end`, but at most `most` after the first.
pub(crate) fn instants(system: &System, end: Tick, most: usize) -> Vec<Tick> {
    let spans = system.spans();
    let mut all = vec![Tick::START];
    while let Some(next) = next_instant(&spans, all[all.len() - 1]).filter(|t| *t <= end && all.len() <= most)
    {
        all.push(next);
    }
    all
}

fn positions(tangents: Vec<Tangent>) -> Vec<Vec<Vec3>> {
    tangents.into_iter().map(|t| t.dq).collect()
}
