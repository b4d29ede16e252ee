//! The multisymplectic form formula on a part of the system: what its form gains came through its boundary.
//!
//! | | |
//! | --- | --- |
//! | Region | some of the vertices, over the whole time of the check: a piece of space-time. One body, whose boundary is contact; and half of all vertices, whose boundary cuts elements too |
//! | Form | `ω_U(u, w) = Σ_{v∈U} m (δq·δ'v − δv·δ'q)` |
//! | Formula | `ω_U(end) − ω_U(start) = Σ_firings Σ_{v∈U} (δq·δ'J − δJ·δ'q)`, over the potentials that read vertices on both sides; `δJ = −h ∇²V δq`. Those inside U alone cancel, if they have a potential |
//! | Residual | the largest difference of the two sides over pairs of random variations, relative to the root of the sum of the squares of all terms |
//!
//! With all vertices in U nothing is on the boundary, and this is the formula of `multisymplectic`. The structure is local
//! [Lew2003, abstract]; where stencils overlap freely, the boundary of a region is made of potentials instead of faces.

use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{State, System, TANGENTS};

use crate::forms::Value;
use crate::random::Random;
use crate::report::{Measurement, NoMeasurement, Property, Worst};
use crate::scale::rate;
use crate::tangent_integrator::{Tangent, TangentIntegrator};
use crate::window::Window;
use crate::{NEVER, Options};

pub(crate) fn claim(options: &Options) -> Property {
    Property {
        name: "multisymplectic form, part of the system",
        what: "What the form of a body, and of half of all vertices, gains came through its boundary.",
        bound: options.bound,
    }
}

/// Some of the vertices, and what came through their boundary.
pub(crate) struct Region {
    name: String,
    inside: Vec<bool>,
    /// Values for the pairs of [`TANGENTS`] variations `(i, j)`, `i < j`.
    through: Vec<Value>,
    /// Number of firings on the boundary.
    firings: u64,
}

impl Region {
    fn new(name: String, inside: Vec<bool>) -> Self {
        let pairs = TANGENTS * (TANGENTS - 1) / 2;
        Self { name, inside, through: vec![Value::default(); pairs], firings: 0 }
    }

    /// Adds one firing: the variations of its vertices, and those of its impulses on them.
    pub fn see(&mut self, stencil: &[u32], dq: &[[Vec3; TANGENTS]], dj: &[[Vec3; TANGENTS]]) {
        let inside = |v: &u32| self.inside[*v as usize];
        if stencil.iter().all(inside) || !stencil.iter().any(inside) {
            return;
        }
        self.firings += 1;
        for ((i, j), value) in pairs().zip(&mut self.through) {
            for (v, (dq, dj)) in stencil.iter().zip(dq.iter().zip(dj)) {
                if self.inside[*v as usize] {
                    value.add_product(1.0, dj[j], dq[i]);
                    value.add_product(-1.0, dj[i], dq[j]);
                }
            }
        }
    }

    /// The largest difference between what the form gained and what came through the boundary.
    fn residual(&self, system: &System, start: &[Tangent], end: &[Tangent]) -> f64 {
        let residual = |((i, j), through): ((usize, usize), &Value)| {
            let mut difference = Value { sum: through.sum, squares: through.squares };
            for (sign, at) in [(1.0, start), (-1.0, end)] {
                for v in (0..self.inside.len()).filter(|v| self.inside[*v]) {
                    let m = system.masses[v];
                    difference.add_product(sign, at[j].dv[v] * m, at[i].dq[v]);
                    difference.add_product(-sign, at[i].dv[v] * m, at[j].dq[v]);
                }
            }
            difference.relative()
        };
        pairs().zip(&self.through).map(residual).collect::<Worst>().0
    }
}

fn pairs() -> impl Iterator<Item = (usize, usize)> {
    (0..TANGENTS).flat_map(|j| (0..j).map(move |i| (i, j)))
}

pub(crate) fn check(
    system: &Arc<System>,
    state: &State,
    options: &Options,
) -> Result<Measurement, NoMeasurement> {
    let window = Window::of(system, state, options)?;
    let mut random = Random::new(options.seed);
    let rate = rate(system);
    let tangents: Vec<Tangent> = (0..TANGENTS).map(|_| Tangent::random(system, rate, &mut random)).collect();
    let mut integrator = TangentIntegrator::new(system, state, &tangents);
    integrator.regions = regions(system, &state.positions);
    if integrator.regions.is_empty() {
        return Err(NoMeasurement::Skipped("there are no parts that can move".into()));
    }
    integrator.advance_to(window.end())?;
    let mut engine = options.launch(system, state);
    engine.advance_to(window.end(), &NEVER).map_err(|fault| NoMeasurement::Failed(fault.to_string()))?;
    integrator.expect_bits_of(engine.as_ref())?;

    let end = integrator.tangents_at(window.end());
    let mut found = Measurement::default();
    let mut worst = Worst::default();
    for region in &integrator.regions {
        let residual = region.residual(system, &tangents, &end);
        worst.see(residual);
        let Region { name, firings, .. } = region;
        found.details.push(format!("{residual:.3e} for {name}, {firings} firings on its boundary"));
    }
    found.residual = worst.0;
    found.details.extend(integrator.encounters().map(ToString::to_string));
    Ok(found)
}

/// The first body that can move, where there are several; and the half of all vertices that is lower along the longest axis.
fn regions(system: &System, x: &[Vec3]) -> Vec<Region> {
    let mut regions = Vec::new();
    let moves = |body: &&carom_model::Body| body.vertices.clone().any(|v| !system.is_held(v as usize));
    if system.bodies.len() > 1
        && let Some(body) = system.bodies.iter().find(moves)
    {
        let inside = (0..x.len() as u32).map(|v| body.vertices.contains(&v)).collect();
        regions.push(Region::new(format!("body {}", body.name), inside));
    }
    let extent = |axis: usize| {
        let (low, high) = x.iter().fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x[axis]), h.max(x[axis])));
        high - low
    };
    let longest = (0..3).max_by(|a, b| extent(*a).total_cmp(&extent(*b))).unwrap_or(0);
    let mut along: Vec<f64> = x.iter().map(|x| x[longest]).collect();
    along.sort_by(f64::total_cmp);
    let middle = along[along.len() / 2];
    regions.push(Region::new("half of the vertices".into(), x.iter().map(|x| x[longest] < middle).collect()));
    // What cannot move has no form.
    regions.retain(|region| (0..x.len()).any(|v| region.inside[v] && !system.is_held(v)));
    regions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::impact::{KINDS, THICKNESS, sheets, with_fast_layers};
    use crate::testing::{Crooked, build, ladder, ladder_of};
    use carom_time::Clocks;

    #[test]
    fn what_a_part_gains_came_through_its_boundary_in_springs_and_in_contact() {
        let (system, state) = ladder(Clocks::Exact);
        assert!(check(&system, &state, &Options::default()).unwrap().residual < 1e-13);
        for kind in KINDS {
            let (system, state) = sheets(kind, 0.9 * THICKNESS);
            let found = check(&system, &state, &Options::default()).unwrap();
            assert!(found.residual < 1e-12, "{kind:?} {found:?}");
        }
    }

    #[test]
    fn forces_without_potential_and_other_clocks_of_layers_are_refused() {
        let (system, state) = build(ladder_of(Crooked), Clocks::Dyadic);
        assert!(check(&system, &state, &Options::default()).unwrap().residual > 1e-7);
        let (system, state) = sheets(KINDS[0], 0.8 * THICKNESS);
        assert!(check(&system, &state, &with_fast_layers()).is_err());
    }

    #[test]
    fn a_part_that_cannot_move_is_left_out() {
        let mut builder = ladder_of(|spring| spring);
        (0..8).for_each(|v| builder.drive(v));
        let (system, state) = build(builder, Clocks::Dyadic);
        assert!(matches!(check(&system, &state, &Options::default()), Err(NoMeasurement::Skipped(_))));
    }

    #[test]
    fn a_boundary_with_the_wrong_sign_is_refused() {
        for kind in KINDS {
            let (system, state) = sheets(kind, 0.8 * THICKNESS);
            let mut random = Random::new(1);
            let tangents: Vec<Tangent> =
                (0..TANGENTS).map(|_| Tangent::random(&system, rate(&system), &mut random)).collect();
            let mut integrator = TangentIntegrator::new(&system, &state, &tangents);
            integrator.regions = regions(&system, &state.positions);
            let short = Options { instants: 200, ..Options::default() };
            let end = Window::of(&system, &state, &short).unwrap().end();
            integrator.advance_to(end).unwrap();
            let images = integrator.tangents_at(end);
            for region in &mut integrator.regions {
                assert!(region.firings > 0 && region.residual(&system, &tangents, &images) < 1e-12);
                region.through.iter_mut().for_each(|value| value.sum.add(-2.0 * value.sum.value()));
                let broken = region.residual(&system, &tangents, &images);
                assert!(broken > 1e-6, "{kind:?} {} {broken}", region.name);
            }
        }
    }
}
