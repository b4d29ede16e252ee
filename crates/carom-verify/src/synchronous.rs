//! The synchronous case of the paper: `F*dθ⁻ = dθ⁻` [Vouga2010, §2.3].
//!
//! On the elements alone: the layers of a pair have clocks of their own, so with contact there is no case with one clock.
//!
//! | | |
//! | --- | --- |
//! | System | all potentials on the shortest step, `start = "paper"` |
//! | Flow | `F`: `(qᵢ₋₁, qᵢ) ↦ (qᵢ, qᵢ₊₁)`, one fixed map; [`STEPS`] of it |
//! | Residual | the largest `│dθ⁻(F^k_* u, F^k_* w) − dθ⁻(u, w)│` relative to the root of the sum of the squares of its terms, over pairs of random variations and all k |

use std::sync::Arc;

use carom_model::{Start, State, System};
use carom_time::Tick;

use crate::clocks::{starting, untouching};
use crate::forms::{Value, starts};
use crate::report::{Measurement, NoMeasurement, Property, Worst};
use crate::scale::rate;
use crate::symplectic::random_vectors;
use crate::tangent_integrator::TangentIntegrator;
use crate::{NEVER, Options};

/// Number of steps of the map.
const STEPS: u64 = 64;

pub(crate) fn claim(options: &Options) -> Property {
    Property {
        name: "symplectic form, one clock",
        what: "F*dθ⁻ = dθ⁻ on pairs of first variations, with all potentials on the shortest step.",
        bound: options.bound,
    }
}

pub(crate) fn check(
    system: &Arc<System>,
    state: &State,
    options: &Options,
) -> Result<Measurement, NoMeasurement> {
    let Some(&span) = system.spans().first() else {
        return Err(NoMeasurement::Skipped("no potential ever fires".into()));
    };
    let touches = system.contact.is_some();
    let system = Arc::new(starting(&untouching(&system.on_one_clock(span)), Start::Paper));
    let seconds = system.line.quantum.step(span);
    let mut integrator =
        TangentIntegrator::new(&system, state, &random_vectors(&system, rate(&system), options));
    let at = |integrator: &TangentIntegrator, step: u64| {
        let dq = |k: u64| {
            integrator.tangents_at(Tick(k * span.quanta())).into_iter().map(|t| t.dq).collect::<Vec<_>>()
        };
        starts(&system, &dq(step), &dq(step + 1), seconds)
    };
    let first = at(&integrator, 0);
    let mut worst = Worst::default();
    for step in 1..=STEPS {
        integrator.advance_to(Tick(step * span.quanta()))?;
        let now = at(&integrator, step);
        for j in 0..now.len() {
            for i in 0..j {
                let mut change = Value::default();
                change.add(1.0, &now[i], &now[j]);
                change.add(-1.0, &first[i], &first[j]);
                worst.see(change.relative());
            }
        }
    }
    let mut engine = options.launch(&system, state);
    engine
        .advance_to(Tick(STEPS * span.quanta()), &NEVER)
        .map_err(|fault| NoMeasurement::Failed(fault.to_string()))?;
    integrator.expect_bits_of(engine.as_ref())?;
    let pairs = first.len() * (first.len() - 1) / 2;
    let mut details = vec![format!("{STEPS} steps, {pairs} pairs")];
    if touches {
        details.push("on the elements alone: layers have clocks of their own".into());
    }
    Ok(Measurement { residual: worst.0, details })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Crooked, build, ladder, ladder_of, pinned_ladder, with_a_slow_clock};
    use carom_time::Clocks;

    #[test]
    fn the_form_is_kept_by_springs_on_one_clock() {
        for (system, state) in [ladder(Clocks::Dyadic), pinned_ladder(Clocks::Exact)] {
            assert!(check(&system, &state, &Options::default()).unwrap().residual < 1e-13);
        }
    }

    #[test]
    fn the_form_is_not_kept_by_forces_without_potential() {
        let (system, state) = build(ladder_of(Crooked), Clocks::Dyadic);
        assert!(check(&system, &state, &Options::default()).unwrap().residual > 1e-7);
    }

    #[test]
    fn a_map_that_is_not_the_engines_is_refused() {
        let (system, state) = ladder(Clocks::Dyadic);
        assert!(check(&system, &state, &with_a_slow_clock()).is_err());
    }
}
