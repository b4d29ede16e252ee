//! The map over one period is symplectic: `JᵀΩJ = Ω`.
//!
//! | | |
//! | --- | --- |
//! | Map | `(q, p)` at tick 0 to `(q, p)` at `H`, the slowest step of dyadic clocks, where all clocks fire. With the half-kick start half a kick at either end: the symmetric map; with `start = "paper"` none at 0 and a whole one at `H` |
//! | Coordinates | `q`, `p = Mv` along the axes that no pin holds, scaled to `√(mΩ) q`, `p/√(mΩ)` with the rate Ω of `scale`: the form stays `ω(u, w) = Σ m (δq·δ'v − δv·δ'q)` and both halves are alike in size |
//! | Residual | the largest `│ω(Ju, Jw) − ω(u, w)│ / (‖Ju‖ ‖Jw‖)`, norms in the scaled coordinates and at least those of `u` and `w`: the rounding of the sum ω itself is relative to this. For random vectors of `n` unknowns the norms are divided by `√n`: so large is ω of two of them |
//! | Pairs `u, w` | all pairs of unit vectors (that is `JᵀΩJ` entry by entry) up to a number of unknowns, random ones above |

use std::sync::Arc;

use carom_math::{Sum, Vec3};
use carom_model::{Start, State, System};
use carom_time::Tick;

use crate::clocks::{common_period, due, dyadic, is_dyadic, slowest};
use crate::random::Random;
use crate::report::{Measurement, NoMeasurement, Property, Worst};
use crate::scale::rate;
use crate::tangent_integrator::{Tangent, TangentIntegrator};
use crate::touching::Encounters;
use crate::{NEVER, Options};

pub(crate) fn claim(options: &Options) -> Property {
    Property {
        name: "symplectic map",
        what: "JᵀΩJ = Ω over one period of the slowest of dyadic clocks.",
        bound: options.bound,
    }
}

pub(crate) fn check(
    system: &Arc<System>,
    state: &State,
    options: &Options,
) -> Result<Measurement, NoMeasurement> {
    let rounded = (!is_dyadic(system)).then(|| Arc::new(dyadic(system)));
    let system = rounded.as_ref().unwrap_or(system);
    let rate = rate(system);
    let unknowns = unknowns(system);
    let start = if unknowns <= options.dense_unknowns {
        unit_vectors(system, rate)
    } else {
        random_vectors(system, rate, options)
    };

    let Mapped { images, met, .. } = period_map(system, state, &start, options)?;
    let (defect, growth) = defect(system, rate, &start, &images);
    let pairs = start.len() * start.len().saturating_sub(1) / 2;
    let (kind, residual) = if unknowns <= options.dense_unknowns {
        ("unit", defect)
    } else {
        ("random", defect * (unknowns as f64).sqrt())
    };
    let mut details = vec![
        format!("{unknowns} unknowns, {pairs} pairs of {kind} tangents"),
        format!("largest growth of a tangent over the period: {growth:.3e}"),
    ];
    if rounded.is_some() {
        details.push("steps rounded down to powers of two".into());
    }
    if let Some(met) = met {
        details.push(met.to_string());
        if common_period(system).is_none() {
            details.push("deeper layers share no period: the map over the slowest step".into());
        }
    }
    Ok(Measurement { residual, details })
}

/// Image of a state and its tangents under the map over a period.
pub(crate) struct Mapped {
    /// Positions and velocities.
    pub place: Tangent,
    pub images: Vec<Tangent>,
    /// Pairs inside layers on the way, if there is contact.
    met: Option<Encounters>,
}

/// The image of `state` and of these tangents under the map over a period.
///
/// The engine must have the bits of the tangent integrator up to the last instant.
pub(crate) fn period_map(
    system: &Arc<System>,
    state: &State,
    tangents: &[Tangent],
    options: &Options,
) -> Result<Mapped, NoMeasurement> {
    let end = Tick::START.after(slowest(system)?);
    let mut integrator = TangentIntegrator::new(system, state, tangents);
    integrator.advance_to(Tick(end.0 - 1))?;
    let mut engine = options.launch(system, state);
    engine.advance_to(Tick(end.0 - 1), &NEVER).map_err(|fault| NoMeasurement::Failed(fault.to_string()))?;
    integrator.expect_bits_of(engine.as_ref())?;
    let fraction = if system.start == Start::HalfKick { 0.5 } else { 1.0 };
    integrator.fire(end, &due(system, end), fraction)?;
    let met = integrator.encounters().cloned();
    Ok(Mapped { place: integrator.place_at(end), images: integrator.tangents_at(end), met })
}

/// Dimension of phase space: two for each axis that no pin holds.
pub(crate) fn unknowns(system: &System) -> usize {
    2 * system.inverse_masses.iter().flat_map(|w| w.to_array()).filter(|&w| w != 0.0).count()
}

pub(crate) fn unit_vectors(system: &System, rate: f64) -> Vec<Tangent> {
    let n = system.vertices();
    let zero = Tangent { dq: vec![Vec3::ZERO; n], dv: vec![Vec3::ZERO; n] };
    let mut all = Vec::new();
    for v in 0..n {
        for (axis, e) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            if system.inverse_masses[v][axis] != 0.0 {
                let (mut q, mut p) = (zero.clone(), zero.clone());
                q.dq[v] = e * (1.0 / (system.masses[v] * rate).sqrt());
                p.dv[v] = e * (rate / system.masses[v]).sqrt();
                all.extend([q, p]);
            }
        }
    }
    all
}

/// Random vectors, so many that they form at least as many pairs as the options ask for.
pub(crate) fn random_vectors(system: &System, rate: f64, options: &Options) -> Vec<Tangent> {
    let mut random = Random::new(options.seed);
    let mut enough = 2;
    while enough * (enough - 1) / 2 < options.pairs {
        enough += 1;
    }
    (0..enough).map(|_| Tangent::random(system, rate, &mut random)).collect()
}

/// The largest relative defect of the symplectic form over all pairs, and the largest growth of a tangent.
fn defect(system: &System, rate: f64, start: &[Tangent], images: &[Tangent]) -> (f64, f64) {
    let norms: Vec<(f64, f64)> = start
        .iter()
        .zip(images)
        .map(|(u, image)| (norm(system, rate, u), norm(system, rate, image)))
        .collect();
    let growth = norms.iter().map(|(before, after)| after / before).collect::<Worst>().0;
    let mut worst = Worst::default();
    for j in 0..start.len() {
        for i in 0..j {
            let missed = omega(system, &images[i], &images[j]) - omega(system, &start[i], &start[j]);
            let scale = norms[i].0.max(norms[i].1) * norms[j].0.max(norms[j].1);
            worst.see(missed.abs() / scale);
        }
    }
    (worst.0, growth)
}

/// `ω(u, w) = Σ m (δq·δ'v − δv·δ'q)`.
fn omega(system: &System, u: &Tangent, w: &Tangent) -> f64 {
    let mut sum = Sum::default();
    for (v, m) in system.masses.iter().enumerate() {
        sum.add(m * u.dq[v].dot(w.dv[v]));
        sum.add(-m * u.dv[v].dot(w.dq[v]));
    }
    sum.value()
}

/// `√Σ m (Ω │δq│² + │δv│²/Ω)`.
pub(crate) fn norm(system: &System, rate: f64, u: &Tangent) -> f64 {
    let of = |(v, m): (usize, &f64)| m * (rate * u.dq[v].length_sq() + u.dv[v].length_sq() / rate);
    system.masses.iter().enumerate().map(of).collect::<Sum>().value().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::impact::{KINDS, THICKNESS, sheets, with_stiff_layers};
    use crate::testing::{
        Crooked, WithoutTangents, build, ladder, ladder_of, lighter, pinned_ladder, restarting_its_clocks,
    };
    use carom_time::Clocks;

    const RANDOM: fn() -> Options = || Options { dense_unknowns: 0, ..Options::default() };

    fn residual(system: &Arc<System>, state: &State, options: &Options) -> f64 {
        check(system, state, options).unwrap().residual
    }

    #[test]
    fn springs_make_a_symplectic_map_entry_by_entry_and_on_random_pairs() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            for (system, state) in [ladder(clocks), pinned_ladder(clocks)] {
                for start in [Start::HalfKick, Start::Paper] {
                    let system = Arc::new(crate::clocks::starting(&system, start));
                    assert!(residual(&system, &state, &Options::default()) < 1e-14);
                    assert!(residual(&system, &state, &RANDOM()) < 1e-14);
                }
            }
        }
    }

    #[test]
    fn every_unknown_has_two_unit_vectors_and_pins_have_none() {
        let (system, _) = pinned_ladder(Clocks::Dyadic);
        assert_eq!(unknowns(&system), 2 * (24 - 4));
        assert_eq!(unit_vectors(&system, 1.0).len(), 40);
        assert_eq!(random_vectors(&system, 1.0, &Options::default()).len(), 11);
    }

    #[test]
    fn a_force_without_potential_is_refused() {
        let (system, state) = build(ladder_of(Crooked), Clocks::Dyadic);
        assert!(residual(&system, &state, &Options::default()) > 1e-5);
        assert!(residual(&system, &state, &RANDOM()) > 1e-7);
    }

    #[test]
    fn a_kick_with_another_mass_is_refused() {
        let (system, state) = ladder(Clocks::Dyadic);
        assert!(residual(&Arc::new(lighter(&system)), &state, &Options::default()) > 1e-5);
    }

    #[test]
    fn layers_of_every_kind_make_a_symplectic_map_and_with_another_mass_they_do_not() {
        for kind in KINDS {
            let (system, state) = sheets(kind, 0.8 * THICKNESS);
            let found = check(&system, &state, &Options::default()).unwrap();
            assert!(found.residual < 1e-13, "{kind:?} {found:?}");
            let lighter = Arc::new(lighter(&system));
            assert!(residual(&lighter, &state, &Options::default()) > 1e-7, "{kind:?}");
            assert!(check(&system, &state, &with_stiff_layers()).is_err(), "{kind:?}");
        }
    }

    #[test]
    fn a_map_that_is_not_the_engines_is_refused() {
        let (system, state) = ladder(Clocks::Dyadic);
        let found = check(&system, &state, &restarting_its_clocks());
        assert!(matches!(found, Err(NoMeasurement::Failed(_))), "{found:?}");
    }

    #[test]
    fn potentials_without_second_derivatives_are_skipped() {
        let (system, state) = ladder(Clocks::Dyadic);
        let mut blind = (*system).clone();
        blind.families[0] = Arc::new(WithoutTangents(Arc::clone(&blind.families[0])));
        let found = check(&Arc::new(blind), &state, &Options::default());
        assert_eq!(
            found,
            Err(NoMeasurement::Skipped("a spring potential gives no second derivatives".into()))
        );
    }
}
