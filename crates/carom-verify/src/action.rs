//! The computed trajectory is a stationary point of the discrete action S_g [Vouga2010, §4].
//!
//! | | |
//! | --- | --- |
//! | Action | `S_g(q₀ … qₙ₋₁) = Σₖ Δₖ T((qₖ₊₁ − qₖ)/Δₖ) − Σₖ Σ_{h│ξ(k)} h V(qₖ)`, with `Δₖ = ξ(k+1) − ξ(k)` |
//! | Gradient | `∂S_g/∂qₖ = M (qₖ − qₖ₋₁)/Δₖ₋₁ − M (qₖ₊₁ − qₖ)/Δₖ − Σ_{h│ξ(k)} h ∇V(qₖ)` |
//! | Trajectory | the engine's positions of all vertices at all instants, with `start = "paper"` |
//!
//! Three readings of the same claim, for a clock per potential and for a clock per element (there
//! the masses are the sums of the elements' shares, so that it is the action of Lew et al.):
//!
//! 1. *At each instant*: `│∂S_g/∂qₖ│`, vertex by vertex. Two instants can be quanta apart; then the two differences
//!    are large numbers with few digits, and all that can be said is that the row vanishes relative
//!    to `m r (1/Δₖ₋₁ + 1/Δₖ) + Σ h │∇V│`, with `r` the vertex's largest distance from the origin:
//!    the trajectory is stationary up to the rounding of its positions.
//! 2. *Along variations* that are smooth in time the short gaps do no harm: `dS_g·δq` for
//!    `δq(t) = s(1 − s)(a + b s)`, `s = t/τ`, random `a`, `b` for each vertex, zero at both ends; relative to the
//!    sum of the absolute values of its terms, not counting the rounding of positions.
//! 3. *From energies*: the same derivative by differences of sixth order of the function S_g itself, which
//!    knows nothing of gradients; relative to the sum of the absolute values of these differences, not counting
//!    the rounding of the energies. Layers are smooth only piece by piece, and a difference may reach across; the energies of
//!    pairs are differentiated by dual numbers instead.
//!
//! The pairs that push at an instant are found by a search among all, not by asking the engine: one that it overlooked shows.

use std::sync::Arc;

use carom_contact::PairRules;
use carom_math::{Sum, Vec3};
use carom_model::{Start, State, System};
use carom_time::Tick;

use crate::clocks::{due, per_element, per_potential, starting};
use crate::pairs::{Fired, Pairs};
use crate::random::Random;
use crate::report::{Measurement, NoMeasurement, Property, Worst};
use crate::scale::{free, relative, size};
use crate::shares::Shares;
use crate::window::Window;
use crate::{NEVER, Options};

/// Number of random variations.
const VARIATIONS: usize = 6;

/// The most positions a trajectory holds: 100 MB.
const MOST_POSITIONS: usize = 4_000_000;

/// Each row adds four rounded positions and two rounded sums: a dozen roundings at most, with room for a vector's three components.
const ROW_BOUND: f64 = 32.0 * f64::EPSILON;

/// The largest displacement of a difference, as a fraction of the shortest edge.
const NUDGE: f64 = 1.0 / 512.0;

pub(crate) fn claim_potential() -> Property {
    Property {
        name: "action at each instant, a clock per potential",
        what: "∂S_g/∂qₖ = 0 at every interior instant of the computed trajectory.",
        bound: ROW_BOUND,
    }
}

pub(crate) fn claim_element() -> Property {
    Property {
        name: "action at each instant, a clock per element",
        what: "∂S/∂qₖ = 0 likewise where the potentials of an element share a clock and the element owns its T^K.",
        bound: ROW_BOUND,
    }
}

pub(crate) fn claim_variations(options: &Options) -> Property {
    Property {
        name: "action along variations",
        what: "dS_g·δq = 0 for smooth random variations that vanish at both ends.",
        bound: options.bound,
    }
}

pub(crate) fn claim_energies(options: &Options) -> Property {
    Property {
        name: "action from energies",
        what: "The slope of S_g itself along these variations vanishes, by differences of energies.",
        bound: options.bound,
    }
}

/// A discrete action: the system whose potentials fire and the mass that moves at each vertex, in kg.
pub(crate) struct Action {
    pub system: Arc<System>,
    pub masses: Vec<f64>,
    pairs: Option<Pairs>,
}

/// `qₖ` at `ξ(k)`, all vertices at all instants.
#[derive(Clone)]
pub(crate) struct Trajectory {
    pub ticks: Vec<Tick>,
    pub positions: Vec<Vec<Vec3>>,
    /// The pairs that fire at each instant.
    fired: Vec<Arc<[Fired]>>,
}

/// An action with the trajectory that the engine computed.
pub(crate) struct Case {
    action: Action,
    trajectory: Trajectory,
}

pub(crate) fn potential_case(
    system: &Arc<System>,
    state: &State,
    options: &Options,
) -> Result<Case, NoMeasurement> {
    let system = Arc::new(starting(&per_potential(system, &state.positions), Start::Paper));
    let masses = system.masses.clone();
    Case::new(Action::new(system, masses), state, options)
}

pub(crate) fn element_case(
    system: &Arc<System>,
    state: &State,
    options: &Options,
) -> Result<Case, NoMeasurement> {
    let system = Arc::new(starting(&per_element(system), Start::Paper));
    let masses = Shares::new(&system).masses(system.vertices());
    Case::new(Action::new(system, masses), state, options)
}

impl Case {
    fn new(action: Action, state: &State, options: &Options) -> Result<Self, NoMeasurement> {
        let trajectory = Trajectory::compute(&action, state, options)?;
        Ok(Self { action, trajectory })
    }

    pub fn at_each_instant(&self) -> Measurement {
        let residual = self.action.row_defect(&self.trajectory);
        let mut details = vec![format!("{} interior instants", self.trajectory.ticks.len() - 2)];
        if let Some(pairs) = &self.action.pairs {
            let pushing = |fired: &&Fired| pairs.impulses(fired).is_some();
            let pushes = self.trajectory.fired.iter().map(|fired| fired.iter().filter(pushing).count());
            let (all, most) = (pushes.clone().sum::<usize>(), pushes.max().unwrap_or(0));
            details.push(format!("pairs pushed {all} times, up to {most} at an instant"));
        }
        Measurement { residual, details }
    }
}

pub(crate) fn along_variations(cases: [&Case; 2], options: &Options) -> Result<Measurement, NoMeasurement> {
    along(cases, options, Action::slope)
}

pub(crate) fn from_energies(cases: [&Case; 2], options: &Options) -> Result<Measurement, NoMeasurement> {
    along(cases, options, Action::energy_slope)
}

fn along(
    cases: [&Case; 2],
    options: &Options,
    slope: impl Fn(&Action, &Trajectory, &Variation) -> Slope,
) -> Result<Measurement, NoMeasurement> {
    let worst = |case: &Case| {
        let mut random = Random::new(options.seed);
        let each = (0..VARIATIONS).map(|_| {
            let variation = Variation::random(&case.action.system, &case.trajectory, &mut random);
            slope(&case.action, &case.trajectory, &variation)
        });
        let slopes: Vec<Slope> = each.collect();
        if slopes.iter().all(|s| s.terms == 0.0) {
            return Err(NoMeasurement::Skipped("nothing moves".into()));
        }
        let each = slopes.iter().map(|s| relative(s.value.abs(), s.terms, s.numbers, options.bound));
        Ok(each.collect::<Worst>().0)
    };
    let [potential, element] = [worst(cases[0])?, worst(cases[1])?];
    let residual = [potential, element].into_iter().collect::<Worst>().0;
    let details =
        vec![format!("{potential:.3e} per potential, {element:.3e} per element, {VARIATIONS} variations")];
    Ok(Measurement { residual, details })
}

/// A derivative of the action.
#[derive(Clone, Copy, Debug)]
struct Slope {
    value: f64,
    /// The sum of the absolute values of its terms.
    terms: f64,
    /// The same sum for the terms themselves instead of their differences.
    numbers: f64,
}

/// `δq(t) = s(1 − s)(a + b s)` for each vertex.
pub(crate) struct Variation {
    coefficients: Vec<[Vec3; 2]>,
    end: Tick,
}

impl Variation {
    /// Random and free, at most [`NUDGE`] times the shortest edge.
    fn random(system: &System, trajectory: &Trajectory, random: &mut Random) -> Self {
        let nudge = NUDGE * shortest_edge(system, &trajectory.positions[0]);
        let of_vertex = |w: &Vec3| {
            let mut one = || free(*w, random.vector() * nudge);
            [one(), one()]
        };
        let coefficients = system.inverse_masses.iter().map(of_vertex).collect();
        Self { coefficients, end: trajectory.ticks[trajectory.ticks.len() - 1] }
    }

    fn at(&self, v: usize, tick: Tick) -> Vec3 {
        let s = tick.0 as f64 / self.end.0 as f64;
        let [a, b] = self.coefficients[v];
        (a + b * s) * (s * (1.0 - s))
    }
}

/// The shortest distance between two vertices of one stencil, in m; the size of the scene where there is none.
fn shortest_edge(system: &System, x: &[Vec3]) -> f64 {
    let mut shortest = size(x);
    for family in &system.families {
        for e in 0..family.len() {
            let stencil = family.stencil(e);
            for (i, &v) in stencil.iter().enumerate() {
                for &w in &stencil[..i] {
                    let length = (x[v as usize] - x[w as usize]).length();
                    if length > 0.0 {
                        shortest = shortest.min(length);
                    }
                }
            }
        }
    }
    shortest
}

impl Trajectory {
    /// The engine's, over a window.
    fn compute(action: &Action, state: &State, options: &Options) -> Result<Self, NoMeasurement> {
        let system = &action.system;
        let instants = options.instants.min(MOST_POSITIONS / system.vertices()).max(3);
        let Window { ticks, .. } = Window::of(system, state, &Options { instants, ..*options })?;
        let mut method = options.launch(system, state);
        let mut positions: Vec<Vec<Vec3>> = Vec::with_capacity(ticks.len());
        for &tick in &ticks {
            method.advance_to(tick, &NEVER).map_err(|fault| NoMeasurement::Failed(fault.to_string()))?;
            let state = method.state();
            positions.push((0..state.len()).map(|v| state.position_at(v, tick)).collect());
        }
        let fired = |(&tick, x): (&Tick, &Vec<Vec3>)| {
            action.pairs.iter().flat_map(|pairs| pairs.searched(tick, x)).collect()
        };
        let fired = ticks.iter().zip(&positions).map(fired).collect();
        Ok(Self { ticks, positions, fired })
    }
}

impl Action {
    fn new(system: Arc<System>, masses: Vec<f64>) -> Self {
        Self { pairs: Pairs::new(&system), system, masses }
    }

    fn seconds(&self, trajectory: &Trajectory, k: usize) -> f64 {
        self.system.line.quantum.seconds_between(trajectory.ticks[k], trajectory.ticks[k + 1])
    }

    /// Calls `see` with the step, family and element of every potential that fires at `tick`.
    fn each_due(&self, tick: Tick, mut see: impl FnMut(f64, usize, usize)) {
        for id in due(&self.system, tick) {
            let schedule = &self.system.schedules[id.family as usize];
            let element = schedule.order[id.place as usize] as usize;
            see(self.system.line.quantum.step(schedule.spans[element]), id.family as usize, element);
        }
    }

    /// `Σ_{h│ξ(k)} h ∇V(qₖ)` and `Σ h │∇V│` for each vertex.
    fn kicks(&self, trajectory: &Trajectory, k: usize) -> (Vec<Vec3>, Vec<f64>) {
        let (tick, x) = (trajectory.ticks[k], &trajectory.positions[k]);
        let (mut sums, mut scales) = (vec![Vec3::ZERO; x.len()], vec![0.0; x.len()]);
        self.each_due(tick, |h, family, element| {
            let family = &self.system.families[family];
            let stencil = family.stencil(element);
            let at: Vec<Vec3> = stencil.iter().map(|&v| x[v as usize]).collect();
            let mut gradient = vec![Vec3::ZERO; stencil.len()];
            family.gradient(element, &at, &mut gradient);
            for (&v, g) in stencil.iter().zip(gradient) {
                sums[v as usize] += g * h;
                scales[v as usize] += g.length() * h;
            }
        });
        if let Some(pairs) = &self.pairs {
            for fired in &*trajectory.fired[k] {
                let pushes = pairs.impulses(fired).into_iter().flatten();
                for (&v, push) in fired.pair.stencil().iter().zip(pushes) {
                    sums[v as usize] -= push;
                    scales[v as usize] += push.length();
                }
            }
        }
        (sums, scales)
    }

    /// The largest row of the gradient, relative to its terms as computed from positions.
    fn row_defect(&self, trajectory: &Trajectory) -> f64 {
        let q = &trajectory.positions;
        let reach: Vec<f64> =
            (0..self.masses.len()).map(|v| q.iter().map(|x| x[v].length()).fold(0.0, f64::max)).collect();
        let mut worst = Worst::default();
        for k in 1..q.len() - 1 {
            let (before, after) = (self.seconds(trajectory, k - 1), self.seconds(trajectory, k));
            let (kicks, scales) = self.kicks(trajectory, k);
            for (v, &m) in self.masses.iter().enumerate() {
                let arriving = (q[k][v] - q[k - 1][v]) * (m / before);
                let leaving = (q[k + 1][v] - q[k][v]) * (m / after);
                let row = free(self.system.inverse_masses[v], arriving - leaving - kicks[v]);
                let scale = m * reach[v] * (1.0 / before + 1.0 / after) + scales[v];
                if scale > 0.0 {
                    worst.see(row.length() / scale);
                }
            }
        }
        worst.0
    }

    /// `dS_g·δq`.
    fn slope(&self, trajectory: &Trajectory, variation: &Variation) -> Slope {
        let q = &trajectory.positions;
        let (mut sum, mut terms, mut numbers) = (Sum::default(), 0.0, 0.0);
        let mut term = |a: Vec3, b: Vec3, number: f64| {
            sum.add(a.dot(b));
            terms += a.length() * b.length();
            numbers += number * b.length();
        };
        for k in 0..q.len() - 1 {
            let [now, next] = [trajectory.ticks[k], trajectory.ticks[k + 1]];
            let seconds = self.seconds(trajectory, k);
            for (v, m) in self.masses.iter().enumerate() {
                let turned = variation.at(v, next) - variation.at(v, now);
                let reach = q[k][v].length() + q[k + 1][v].length();
                term((q[k + 1][v] - q[k][v]) * (m / seconds), turned, reach * m / seconds);
            }
            if k > 0 {
                for (v, kick) in self.kicks(trajectory, k).0.into_iter().enumerate() {
                    term(-kick, variation.at(v, now), 0.0);
                }
            }
        }
        Slope { value: sum.value(), terms, numbers }
    }

    /// `d/dε S_g(q + ε δq)` at ε = 0, by central differences of sixth order.
    fn energy_slope(&self, trajectory: &Trajectory, variation: &Variation) -> Slope {
        const WEIGHTS: [(f64, f64); 3] = [(1.0, 3.0 / 4.0), (2.0, -3.0 / 20.0), (3.0, 1.0 / 60.0)];
        let q = &trajectory.positions;
        let (mut sum, mut terms, mut numbers) = (Sum::default(), 0.0, 0.0);
        if let Some(pairs) = &self.pairs {
            for k in 1..q.len() - 1 {
                let at = |v: u32| variation.at(v as usize, trajectory.ticks[k]);
                for fired in &*trajectory.fired[k] {
                    let slope = pairs.energy_slope(fired, &PairRules::positions(&fired.pair, at));
                    sum.add(-slope);
                    terms += slope.abs();
                }
            }
        }
        // Term by term, so that only what changes is added up.
        let mut term = |lost: f64, energy: &dyn Fn(f64) -> f64| {
            for (epsilon, weight) in WEIGHTS {
                let [forth, back] = [energy(epsilon), energy(-epsilon)];
                sum.add(weight * (forth - back));
                terms += f64::abs(weight * (forth - back));
                numbers += f64::abs(weight) * (forth.abs() + back.abs()) * lost;
            }
        };
        for k in 0..q.len() - 1 {
            let [now, next] = [trajectory.ticks[k], trajectory.ticks[k + 1]];
            let seconds = self.seconds(trajectory, k);
            for (v, m) in self.masses.iter().enumerate() {
                let flown = q[k + 1][v] - q[k][v];
                let turned = variation.at(v, next) - variation.at(v, now);
                term(1.0, &|epsilon| 0.5 * m * (flown + turned * epsilon).length_sq() / seconds);
            }
            if k > 0 {
                self.each_due(now, |h, family, element| {
                    let family = &self.system.families[family];
                    let at =
                        |v: &u32, epsilon: f64| q[k][*v as usize] + variation.at(*v as usize, now) * epsilon;
                    // An energy of displacements of so many edges is made of differences of lengths, which have lost digits.
                    term(1.0 / NUDGE, &|epsilon| {
                        let x: Vec<Vec3> = family.stencil(element).iter().map(|v| at(v, epsilon)).collect();
                        -h * family.energy(element, &x)
                    });
                });
            }
        }
        Slope { value: sum.value(), terms, numbers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::impact::{KINDS, THICKNESS, sheets, with_fast_layers, with_stiff_layers, without_pairs};
    use crate::testing::{
        Mismatched, build, kicking_too_hard, ladder, ladder_of, pinned_ladder, restarting_its_clocks,
        unstretched, with_a_slow_clock,
    };
    use carom_time::Clocks;

    fn cases(system: &Arc<System>, state: &State, options: &Options) -> [Case; 2] {
        [potential_case(system, state, options).unwrap(), element_case(system, state, options).unwrap()]
    }

    /// Residuals at each instant per potential and per element, along variations, and from energies.
    fn residuals([potential, element]: &[Case; 2]) -> [f64; 4] {
        let options = Options::default();
        [
            potential.at_each_instant().residual,
            element.at_each_instant().residual,
            along_variations([potential, element], &options).unwrap().residual,
            from_energies([potential, element], &options).unwrap().residual,
        ]
    }

    #[test]
    fn the_trajectory_of_springs_is_stationary_for_both_kinds_of_clocks() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            for (system, state) in [ladder(clocks), pinned_ladder(clocks)] {
                let cases = cases(&system, &state, &Options::default());
                assert_ne!(cases[0].action.system.schedules, cases[1].action.system.schedules);
                let [potential, element, variations, energies] = residuals(&cases);
                assert!(potential < 4.0 * f64::EPSILON && element < 4.0 * f64::EPSILON);
                assert!(variations < 1e-14 && energies < 1e-12, "{variations} {energies}");
            }
        }
    }

    #[test]
    fn a_trajectory_with_one_vertex_off_at_one_instant_is_refused() {
        let (system, state) = ladder(Clocks::Exact);
        let mut cases = cases(&system, &state, &Options::default());
        for case in &mut cases {
            let middle = case.trajectory.positions.len() / 2;
            case.trajectory.positions[middle][3].y += 1e-9;
        }
        for case in &cases {
            assert!(case.at_each_instant().residual > 1e3 * ROW_BOUND);
        }
    }

    #[test]
    fn a_trajectory_that_is_bent_by_a_micrometre_is_refused_by_every_reading() {
        let (system, state) = ladder(Clocks::Dyadic);
        let mut cases = cases(&system, &state, &Options::default());
        for case in &mut cases {
            let n = case.trajectory.positions.len();
            for (k, x) in case.trajectory.positions.iter_mut().enumerate() {
                // A parabola that is a micrometre high in the middle.
                x[3].y += 4e-6 * (k * (n - 1 - k)) as f64 / (n * n) as f64;
            }
        }
        for residual in residuals(&cases) {
            assert!(residual > 1e-9, "{residual}");
        }
    }

    #[test]
    fn other_clocks_and_harder_kicks_are_refused() {
        let (system, state) = ladder(Clocks::Dyadic);
        for options in [with_a_slow_clock(), restarting_its_clocks(), kicking_too_hard()] {
            let [potential, element, variations, energies] = residuals(&cases(&system, &state, &options));
            assert!(potential > 1e3 * ROW_BOUND && element > 1e3 * ROW_BOUND, "{potential} {element}");
            assert!(variations > 1e-6 && energies > 1e-7, "{variations} {energies}");
        }
    }

    #[test]
    fn a_gradient_that_is_not_that_of_the_energy_is_refused_from_energies() {
        let (system, state) = build(ladder_of(Mismatched), Clocks::Dyadic);
        let [potential, element, variations, energies] =
            residuals(&cases(&system, &state, &Options::default()));
        assert!(potential < ROW_BOUND && element < ROW_BOUND && variations < 1e-14);
        assert!(energies > 1e-7, "{energies}");
    }

    #[test]
    fn the_trajectory_of_an_impact_is_stationary_with_layers_of_every_kind() {
        for kind in KINDS {
            let (system, state) = sheets(kind, 0.9 * THICKNESS);
            let cases = cases(&system, &state, &Options { instants: 2000, ..Options::default() });
            assert!(cases.iter().all(|case| case.trajectory.fired.iter().any(|fired| fired.len() >= 20)));
            let [potential, element, variations, energies] = residuals(&cases);
            assert!(potential < 4.0 * f64::EPSILON && element < 4.0 * f64::EPSILON, "{kind:?}");
            assert!(variations < 1e-13 && energies < 1e-11, "{kind:?} {variations} {energies}");
        }
    }

    #[test]
    fn pairs_overlooked_other_clocks_of_layers_and_other_stiffness_are_refused_by_every_reading() {
        for kind in KINDS {
            let (system, state) = sheets(kind, 0.8 * THICKNESS);
            for options in [without_pairs(), with_fast_layers(), with_stiff_layers()] {
                let options = Options { instants: 500, ..options };
                let [potential, element, variations, energies] = residuals(&cases(&system, &state, &options));
                assert!(potential > 10.0 * ROW_BOUND && element > 10.0 * ROW_BOUND, "{potential} {element}");
                assert!(variations > 1e-9 && energies > 1e-9, "{kind:?} {variations} {energies}");
            }
        }
    }

    #[test]
    fn where_nothing_moves_there_is_nothing_to_vary() {
        let (system, state) = unstretched(0.0);
        let [potential, element] = cases(&system, &state, &Options::default());
        assert_eq!(potential.at_each_instant().residual, 0.0);
        assert!(along_variations([&potential, &element], &Options::default()).is_err());
    }
}
