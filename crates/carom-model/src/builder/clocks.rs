//! From stiffness and masses to clocks.
//!
//! Each potential proposes a stable step from its stiffness and its share of the masses; a safety
//! factor scales it; the time line rounds it down. A step that the user gave is taken as it is.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_math::Vec3;
use carom_time::{Clocks, TimeLine};

use super::BuildError;
use crate::{Family, Owner, Schedule, Start, StepOrigin, element_limits_s};

/// What shares a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockScope {
    /// Every potential has its own: the paper's triangulation-free form.
    #[default]
    Potential,
    /// All potentials of one triangle or tetrahedron share the shortest of theirs, as in [Vouga2010, §3].
    Element,
}

/// How clocks are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockOptions {
    /// How steps are rounded.
    pub clocks: Clocks,
    /// What shares a clock.
    pub per: ClockScope,
    /// How the first kick is made.
    pub start: Start,
    /// Fraction of its own stability limit at which each potential runs.
    pub safety: f64,
    /// One step for all elastic potentials, in s, instead of the proposals.
    pub step_s: Option<f64>,
    /// Step of potentials that nothing limits (gravity on a free point), in s.
    pub idle_step_s: f64,
}

impl Default for ClockOptions {
    fn default() -> Self {
        Self {
            clocks: Clocks::Dyadic,
            per: ClockScope::Potential,
            start: Start::HalfKick,
            safety: 0.3,
            step_s: None,
            idle_step_s: 1e-3,
        }
    }
}

/// The step of one potential before rounding.
#[derive(Clone, Copy)]
pub(super) struct StepProposal {
    seconds: f64,
    is_given: bool,
    origin: StepOrigin,
    owner: Owner,
}

impl StepProposal {
    /// Takes a shorter step, if it is one.
    fn shorten(&mut self, seconds: f64, origin: StepOrigin) {
        if seconds < self.seconds {
            (self.seconds, self.origin) = (seconds, origin);
        }
    }
}

/// The steps of all potentials before rounding, family by family.
pub(super) fn propose(
    families: &[Arc<dyn Family>],
    positions: &[Vec3],
    masses: &[f64],
    given: &BTreeMap<(&'static str, usize), f64>,
    options: &ClockOptions,
) -> Result<Vec<Vec<StepProposal>>, BuildError> {
    let mut all = Vec::with_capacity(families.len());
    for family in families {
        let user =
            |e: usize| given.get(&(family.kind(), e)).copied().or(family.given_step_s(e)).or(options.step_s);
        let given_s: Vec<Option<f64>> = (0..family.len()).map(user).collect();
        // Limits take their time: they are asked for where some element has no step of its own.
        let is_proposed = given_s.iter().any(Option::is_none);
        let limits =
            if is_proposed { element_limits_s(family.as_ref(), positions, masses) } else { Vec::new() };
        let mut proposals = Vec::with_capacity(family.len());
        for (e, user) in given_s.into_iter().enumerate() {
            let owner = family.owner(e);
            let seconds = user.unwrap_or_else(|| options.safety * limits[e]);
            if seconds.is_nan() || seconds <= 0.0 {
                return Err(BuildError::NoStep { kind: family.kind().into(), owner, step_s: seconds });
            }
            let origin = if user.is_some() { StepOrigin::Given } else { StepOrigin::OwnLimit };
            proposals.push(StepProposal { seconds, is_given: user.is_some(), origin, owner });
        }
        all.push(proposals);
    }
    keep_up_with_neighbours(families, &mut all, positions.len(), options);
    if options.per == ClockScope::Element {
        share_by_owner(&mut all);
    }
    Ok(all)
}

/// How long a potential's step may be, over the shortest stability limit 2/Ω at its vertices.
///
/// A slow force sees its vertices only when it fires. Left to its own limit, the bending of thin cloth would look
/// once in 500 kicks of the membrane: stable by itself, but where its step is a multiple of a half period π/Ω of the
/// fastest motion there, the two resonate [Fong2008, abstract]. This keeps the step below the first of them. With 16
/// times the shortest step instead, a cloth that folds over a ball gained 43 % of its energy at the default safety; with this rule it
/// keeps it (the table is in `docs/theory/steps.md`).
const SLOWEST_AT_A_VERTEX: f64 = 1.25;

/// Shortens chosen steps that fall too far behind what moves their vertices. A potential that nothing limits
/// (gravity, a load) fires with the fastest at its vertices: it costs next to nothing.
///
/// Where an element is damped, whatever acts on its vertices keeps up with it wholly: two forces that balance set the vertices moving between a
/// kick of the one and those of the other, and what the damping takes from that motion nothing has paid for. A can crushed with bending on a slower
/// clock than stretching misbooked 4.7 % of the work, and at most 4e-4 on one clock.
fn keep_up_with_neighbours(
    families: &[Arc<dyn Family>],
    all: &mut [Vec<StepProposal>],
    vertices: usize,
    options: &ClockOptions,
) {
    // Proposals are the safety factor times the limit.
    let slowest = (SLOWEST_AT_A_VERTEX / options.safety).max(1.0);
    let mut shortest_at = vec![f64::INFINITY; vertices];
    let mut shortest_damped_at = vec![f64::INFINITY; vertices];
    for (family, proposals) in families.iter().zip(all.iter()) {
        for (e, proposal) in proposals.iter().enumerate() {
            let is_damped = family.damping_s(e) > 0.0;
            for &v in family.stencil(e) {
                let v = v as usize;
                shortest_at[v] = shortest_at[v].min(proposal.seconds);
                if is_damped {
                    shortest_damped_at[v] = shortest_damped_at[v].min(proposal.seconds);
                }
            }
        }
    }
    for (family, proposals) in families.iter().zip(all.iter_mut()) {
        for (e, proposal) in proposals.iter_mut().enumerate().filter(|(_, p)| !p.is_given) {
            let least =
                |at: &[f64]| family.stencil(e).iter().map(|&v| at[v as usize]).fold(f64::INFINITY, f64::min);
            let (there, damped) = (least(&shortest_at), least(&shortest_damped_at));
            match (proposal.seconds.is_infinite(), there.is_infinite()) {
                (true, true) => proposal.shorten(options.idle_step_s, StepOrigin::Nothing),
                (true, false) => proposal.shorten(there, StepOrigin::Neighbours),
                _ => {
                    proposal.shorten(slowest * there, StepOrigin::Neighbours);
                    proposal.shorten(damped, StepOrigin::Damped);
                }
            }
        }
    }
}

/// Potentials of one part of a body take the shortest of their steps; one that the user gave stays.
fn share_by_owner(all: &mut [Vec<StepProposal>]) {
    let mut shortest: BTreeMap<Owner, f64> = BTreeMap::new();
    for proposal in all.iter().flatten() {
        let step = shortest.entry(proposal.owner).or_insert(f64::INFINITY);
        *step = step.min(proposal.seconds);
    }
    for proposal in all.iter_mut().flatten().filter(|p| !p.is_given) {
        proposal.shorten(shortest[&proposal.owner], StepOrigin::Part);
    }
}

/// The time line that fits all steps, and the steps rounded to it, family by family.
pub(super) fn schedule(
    all: &[Vec<StepProposal>],
    options: &ClockOptions,
) -> Result<(TimeLine, Vec<Schedule>), BuildError> {
    let steps = || all.iter().flatten();
    let shortest = steps().map(|p| p.seconds).fold(f64::INFINITY, f64::min);
    let longest = steps().map(|p| p.seconds).fold(0.0, f64::max);
    let longest_given = steps().filter(|p| p.is_given).map(|p| p.seconds).reduce(f64::max);
    let line = if steps().next().is_none() {
        TimeLine::new(options.clocks, options.idle_step_s, options.idle_step_s, None)?
    } else {
        TimeLine::new(options.clocks, shortest, longest, longest_given)?
    };
    let schedules = all
        .iter()
        .map(|family| {
            let spans = family.iter().map(|p| line.span(p.seconds)).collect::<Result<_, _>>()?;
            let is_given = family.iter().map(|p| p.is_given).collect();
            let origins = family.iter().map(|p| p.origin).collect();
            Ok(Schedule::with_origins(spans, is_given, origins))
        })
        .collect::<Result<_, BuildError>>()?;
    Ok((line, schedules))
}
