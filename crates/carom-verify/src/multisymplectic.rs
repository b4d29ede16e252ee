//! The multisymplectic form formula of the paper: `dθ⁻ + F̂*dθ⁺ = 0` [Vouga2010, eq. multi].
//!
//! | | |
//! | --- | --- |
//! | Flow | `F̂`: `(q₀, q₁) ↦ (qₙ₋₂, qₙ₋₁)` along the instants of Ξ, with `start = "paper"` |
//! | Variations | random `(δq₀, δq₁)`, propagated exactly; all their pairs |
//! | Instants | [`JUDGED`] of those of a `window`; half of them where pairs push, if there are so many |
//! | Residual | the largest `│dθ⁻ + F̂*dθ⁺│` relative to the root of the sum of the squares of its terms |
//!
//! `T'` is a difference of two positions over the time between two instants. With exact clocks two
//! instants can be a few quanta apart, and the difference is then lost in the rounding of the
//! positions: the formula is evaluated at those with the widest gaps before them. (All of them are computed.)

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{Start, State, System};
use carom_time::Tick;

use crate::clocks::{dyadic, exact, is_dyadic, starting};
use crate::forms::{End, Value, ends, starts};
use crate::report::{Measurement, NoMeasurement, Property, Worst};
use crate::scale::rate;
use crate::symplectic::random_vectors;
use crate::tangent_integrator::{Tangent, TangentIntegrator};
use crate::window::Window;
use crate::{NEVER, Options};

/// Number of instants at which the formula is evaluated.
const JUDGED: usize = 64;

pub(crate) fn claim_exact(options: &Options) -> Property {
    Property {
        name: "multisymplectic form, exact clocks",
        what: "dθ⁻ + F̂*dθ⁺ = 0 on pairs of first variations, with clocks of any ratio and start = \"paper\".",
        bound: options.bound,
    }
}

pub(crate) fn claim_dyadic(options: &Options) -> Property {
    Property {
        name: "multisymplectic form, dyadic clocks",
        what: "dθ⁻ + F̂*dθ⁺ = 0 on pairs of first variations, with dyadic clocks and start = \"paper\".",
        bound: options.bound,
    }
}

pub(crate) fn check_exact(
    system: &Arc<System>,
    state: &State,
    options: &Options,
) -> Result<Measurement, NoMeasurement> {
    let native = !is_dyadic(system);
    let mut found = check(&exact(system), state, options)?;
    if !native {
        found.details.push("steps shortened by 1, 6/7, 4/5 and 2/3 in turn".into());
    }
    Ok(found)
}

pub(crate) fn check_dyadic(
    system: &Arc<System>,
    state: &State,
    options: &Options,
) -> Result<Measurement, NoMeasurement> {
    check(&dyadic(system), state, options)
}

fn check(system: &System, state: &State, options: &Options) -> Result<Measurement, NoMeasurement> {
    let system = Arc::new(starting(system, Start::Paper));
    let window = Window::of(&system, state, options)?;
    let ticks = &window.ticks;
    let judged = judged(&window);
    let mut integrator =
        TangentIntegrator::new(&system, state, &random_vectors(&system, rate(&system), options));
    let first = positions(integrator.tangents_at(ticks[0]));
    let second = positions(integrator.tangents_at(ticks[1]));
    let starts = starts(&system, &first, &second, seconds(&system, ticks, 1));
    integrator.advance_to(ticks[0])?;
    let mut worst = Worst::default();
    for k in 1..ticks.len() {
        if judged.contains(&k) {
            worst.see(defect(&starts, &ends_before(&integrator, ticks, k)?));
        }
        integrator.advance_to(ticks[k])?;
    }
    let mut engine = options.launch(&system, state);
    engine.advance_to(window.end(), &NEVER).map_err(|fault| NoMeasurement::Failed(fault.to_string()))?;
    integrator.expect_bits_of(engine.as_ref())?;
    let pairs = starts.len() * (starts.len() - 1) / 2;
    let mut details =
        vec![format!("{} instants, {} of them judged on {pairs} pairs", ticks.len() - 1, judged.len())];
    if let Some(met) = integrator.encounters() {
        let pushing = judged.iter().filter(|&&k| window.pushing[k]).count();
        details.push(format!("{met}; pairs push at {pushing} of the judged instants"));
    }
    Ok(Measurement { residual: worst.0, details })
}

/// The instants with the widest gaps before them; half of them, if there are so many, where pairs push.
fn judged(window: &Window) -> BTreeSet<usize> {
    let ticks = &window.ticks;
    let mut widest: Vec<usize> = (1..ticks.len()).collect();
    widest.sort_by_key(|&k| Reverse((ticks[k].0 - ticks[k - 1].0, k)));
    let pushing = widest.iter().copied().filter(|&k| window.pushing[k]).take(JUDGED / 2);
    let mut judged: BTreeSet<usize> = pushing.collect();
    for k in widest {
        if judged.len() < JUDGED {
            judged.insert(k);
        }
    }
    judged
}

fn seconds(system: &System, ticks: &[Tick], k: usize) -> f64 {
    system.line.quantum.seconds_between(ticks[k - 1], ticks[k])
}

/// What the formula needs of the variations at instant `k`, from between the one before and it: before its kick.
fn ends_before(integrator: &TangentIntegrator, ticks: &[Tick], k: usize) -> Result<Vec<End>, NoMeasurement> {
    let before = positions(integrator.tangents_at(ticks[k - 1]));
    let last = positions(integrator.tangents_at(ticks[k]));
    ends(integrator, ticks[k], [&before, &last], seconds(integrator.system(), ticks, k))
}

/// The largest `│dθ⁻ + F̂*dθ⁺│` over all pairs.
fn defect(starts: &[End], ends: &[End]) -> f64 {
    let mut worst = Worst::default();
    for j in 0..ends.len() {
        for i in 0..j {
            let mut formula = Value::default();
            formula.add(-1.0, &starts[i], &starts[j]);
            formula.add(1.0, &ends[i], &ends[j]);
            worst.see(formula.relative());
        }
    }
    worst.0
}

fn positions(tangents: Vec<Tangent>) -> Vec<Vec<Vec3>> {
    tangents.into_iter().map(|t| t.dq).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::impact::{KINDS, THICKNESS, sheets, with_fast_layers, with_stiff_layers};
    use crate::testing::{Crooked, build, ladder, ladder_of, pinned_ladder, restarting_its_clocks};
    use carom_time::Clocks;

    type Made = fn(&Arc<System>, &State, &Options) -> Result<Measurement, NoMeasurement>;
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
    fn the_formula_holds_while_pairs_enter_and_leave_layers_of_every_kind() {
        for kind in KINDS {
            let (system, state) = sheets(kind, 0.9 * THICKNESS);
            for check in BOTH {
                let found = check(&system, &state, &Options::default()).unwrap();
                assert!(found.residual < 1e-12, "{kind:?} {found:?}");
            }
            let system = Arc::new(starting(&system, Start::Paper));
            let window = Window::of(&system, &state, &Options::default()).unwrap();
            let mut integrator = TangentIntegrator::new(&system, &state, &[]);
            integrator.advance_to(window.end()).unwrap();
            let met = integrator.encounters().unwrap();
            assert!(met.most >= 20 && met.entered > 0 && met.left > 20, "{kind:?} {met}");
        }
    }

    #[test]
    fn a_tangent_of_a_layer_with_the_wrong_sign_on_one_vertex_breaks_the_formula() {
        for kind in KINDS {
            let (system, state) = sheets(kind, 0.8 * THICKNESS);
            let system = Arc::new(starting(&system, Start::Paper));
            let options = Options { instants: 500, ..Options::default() };
            let window = Window::of(&system, &state, &options).unwrap();
            let tangents = random_vectors(&system, rate(&system), &options);
            let mut integrator = TangentIntegrator::new(&system, &state, &tangents);
            let at =
                |integrator: &TangentIntegrator, k: usize| positions(integrator.tangents_at(window.ticks[k]));
            let gap = seconds(&system, &window.ticks, 1);
            let starts = starts(&system, &at(&integrator, 0), &at(&integrator, 1), gap);
            let mut worst = Worst::default();
            for k in judged(&window).into_iter().filter(|&k| window.pushing[k]) {
                integrator.advance_to(window.ticks[k - 1]).unwrap();
                let mut ends = ends_before(&integrator, &window.ticks, k).unwrap();
                assert!(defect(&starts, &ends) < 1e-12);
                let (pairs, fired) = integrator.pairs_at(window.ticks[k]).unwrap();
                let pushing = fired.iter().find(|fired| pairs.impulses(fired).is_some()).unwrap();
                let v = pushing.pair.stencil()[0] as usize;
                for end in &mut ends {
                    end.dp[v][1] = -end.dp[v][1];
                }
                worst.see(defect(&starts, &ends));
            }
            assert!(worst.0 > 1e-6, "{kind:?} {worst:?}");
        }
    }

    #[test]
    fn a_flow_with_other_layers_or_restarted_clocks_is_refused() {
        for kind in KINDS {
            let (system, state) = sheets(kind, 0.8 * THICKNESS);
            for options in [with_fast_layers(), with_stiff_layers(), restarting_its_clocks()] {
                let options = Options { instants: 200, ..options };
                for check in BOTH {
                    let found = check(&system, &state, &options);
                    assert!(matches!(found, Err(NoMeasurement::Failed(_))), "{kind:?} {found:?}");
                }
            }
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
