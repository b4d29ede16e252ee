//! Shows that the integrator has the structure it claims.
//!
//! | claim | file |
//! | --- | --- |
//! | the map over a period of dyadic clocks is symplectic: `JᵀΩJ = Ω` | `symplectic` |
//! | the paper's multisymplectic form formula: `dθ⁻ + F̂*dθ⁺ = 0` | `multisymplectic` |
//! | the same on a part of the system, with what comes through its boundary | `region` |
//! | variations are those of the engine's trajectories | `nearby` |
//! | the synchronous case of the paper: `F*dθ⁻ = dθ⁻` | `synchronous` |
//! | momentum maps, also for a rotated scene | `momentum` |
//! | the trajectory is stationary for the discrete action S_g, and `Σ T^K = T` | `action`, `shares` |
//! | second order | `order` |
//! | time reversal | `reversal` |
//! | what rests in contact stays at rest | `rest` |
//! | no reading jumps where steps are shortened | `joint` |
//!
//! Pairs in contact are potentials like any others (`pairs`, `touching`) and take part in every check but the synchronous one. The
//! checks begin at a moment of the run at which many pairs are inside layers (`moment`), and those about every instant last
//! for a `window`; order and rest are checked from the start of the run.
//!
//! Damping, friction, inelastic impacts and prescribed motion are no potentials and preserve no such structure: they are left out, and the
//! rest is checked.
//!
//! Each file opens with what it measures and relative to what. [`verify`] makes all checks on any
//! system: the checks use families of potentials, never a concrete one. Derivatives are tangents propagated exactly along a literal
//! implementation of the contract (`tangent_integrator`), whose state must have the bits of the engine.
//!
//! ```
//! use std::sync::Arc;
//! use carom_elastic::Spring;
//! use carom_math::Vec3;
//! use carom_model::{ClockOptions, Owner, Part, SystemBuilder};
//! use carom_verify::{Options, verify};
//!
//! let mut builder = SystemBuilder::new();
//! let a = builder.vertex(Vec3::ZERO, Vec3::Y, 1.0);
//! let b = builder.vertex(Vec3::X, -Vec3::Y, 2.0);
//! let spring = Spring { stiffness: 40.0, rest_length: 0.8 };
//! builder.add(spring, [a, b], Owner { body: 0, part: Part::Edge(0) }, 1.0);
//! let (system, state) = builder.build(&ClockOptions::default())?;
//!
//! let report = verify(&Arc::new(system), &state, &Options::default());
//! assert!(report.passed(), "{report:#?}");
//! # Ok::<(), carom_model::BuildError>(())
//! ```
//!
//! **Never here:** a concrete element, files, formatted tables.

mod action;
mod clocks;
mod forms;
mod joint;
mod moment;
mod momentum;
mod multisymplectic;
mod nearby;
mod order;
mod pairs;
mod random;
mod region;
mod report;
mod rest;
mod reversal;
mod scale;
mod shares;
mod symplectic;
mod synchronous;
mod tangent_integrator;
mod touching;
mod window;

#[cfg(test)]
mod impact;
#[cfg(test)]
mod testing;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_engine::{Carom, Method};
use carom_model::{State, System};
use carom_time::Tick;

pub use report::{Check, Report, Verdict};

use report::{Measurement, NoMeasurement, Property};

/// Stop flag for checks that are never interrupted.
static NEVER: AtomicBool = AtomicBool::new(false);

/// Starts a method on a system and its state at tick 0.
pub type Launch = fn(&Arc<System>, State) -> Box<dyn Method>;

/// How thorough the checks are.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The method that is checked.
    pub launch: Launch,
    /// The largest relative residual that counts as round-off.
    ///
    /// 1e-10 is 4.5e5 units in the last place: room for the roundings of 1e5 kicks even if they all add
    /// up. What is not round-off shows at 1e-7 or above, in the tests that break each claim on purpose.
    pub bound: f64,
    /// Largest dimension of phase space for which `JᵀΩJ` is checked entry by entry.
    pub dense_unknowns: usize,
    /// Least number of random pairs of tangents above that dimension.
    pub pairs: usize,
    /// The most instants in a check that follows every one of them.
    pub instants: usize,
    /// How many periods of the slowest clock the momentum, order and reversal checks last, at least.
    pub periods: u32,
    /// How far to run in search of a moment with many pairs inside layers.
    pub until: Tick,
    /// Seed of the random tangents and variations.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            launch: |system, state| Box::new(Carom::new(system, &state)),
            bound: 1e-10,
            dense_unknowns: 600,
            pairs: 50,
            instants: 8000,
            periods: 2,
            until: Tick::START,
            seed: 1,
        }
    }
}

impl Options {
    /// Starts the method from the positions and velocities of `state`.
    fn launch(&self, system: &Arc<System>, state: &State) -> Box<dyn Method> {
        let start = State::new(state.positions.clone(), state.velocities.clone(), system.line.quantum);
        (self.launch)(system, start)
    }
}

/// Makes every check on `system`, whose run starts from `state` at tick 0.
#[must_use]
pub fn verify(system: &Arc<System>, state: &State, options: &Options) -> Report {
    verify_and_show(system, state, options, |_| {})
}

/// Makes every check, and shows each as soon as it is made.
pub fn verify_and_show(
    system: &Arc<System>,
    start: &State,
    options: &Options,
    mut show: impl FnMut(&Check),
) -> Report {
    let system = &if system.has_more_than_potentials() {
        Arc::new(system.of_potentials())
    } else {
        Arc::clone(system)
    };
    let mut report = Report::default();
    let mut judge = |claim: Property, found: Result<Measurement, NoMeasurement>| {
        let check = claim.judged(found);
        show(&check);
        report.checks.push(check);
    };
    let moment = moment::Moment::richest(system, start, options);
    judge(moment::claim(), moment.found(system));
    let state = &moment.state;
    let of_positions = || of_positions_alone(system);
    judge(
        symplectic::claim(options),
        of_positions().and_then(|()| symplectic::check(system, state, options)),
    );
    let exact = of_positions().and_then(|()| multisymplectic::check_exact(system, state, options));
    judge(multisymplectic::claim_exact(options), exact);
    let dyadic = of_positions().and_then(|()| multisymplectic::check_dyadic(system, state, options));
    judge(multisymplectic::claim_dyadic(options), dyadic);
    judge(region::claim(options), of_positions().and_then(|()| region::check(system, state, options)));
    judge(nearby::claim(), of_positions().and_then(|()| nearby::check(system, state, options)));
    judge(
        synchronous::claim(options),
        of_positions().and_then(|()| synchronous::check(system, state, options)),
    );

    let runs = momentum::run(system, state, options);
    let runs = runs.as_ref().map_err(Clone::clone);
    judge(momentum::claim_linear(options), runs.clone().and_then(momentum::linear));
    judge(momentum::claim_angular(options), runs.clone().and_then(momentum::angular));
    judge(momentum::claim_rotated(options), runs.and_then(|runs| momentum::rotated(system, runs)));

    let potential = of_positions().and_then(|()| action::potential_case(system, state, options));
    let element = of_positions().and_then(|()| action::element_case(system, state, options));
    let (potential, element) =
        (potential.as_ref().map_err(Clone::clone), element.as_ref().map_err(Clone::clone));
    judge(action::claim_potential(), potential.clone().map(action::Case::at_each_instant));
    judge(action::claim_element(), element.clone().map(action::Case::at_each_instant));
    let cases = potential.and_then(|potential| element.map(|element| [potential, element]));
    let along = cases.clone().and_then(|cases| action::along_variations(cases, options));
    judge(action::claim_variations(options), along);
    judge(action::claim_energies(options), cases.and_then(|cases| action::from_energies(cases, options)));
    judge(shares::claim(options), of_positions().map(|()| shares::check(system, options)));

    judge(order::claim(), order::check(system, start, options));
    judge(reversal::claim(options), reversal::check(system, state, options));
    judge(rest::claim(), of_positions().and_then(|()| rest::check(system, start, options)));
    judge(joint::claim(), joint::check(system, state, options));
    report
}

/// Forms, actions and tangents are those of potentials of positions alone. An element with stored frames is none: its frames are
/// transported as vertices move, and an angle about an edge is no coordinate, for it does not return with the edge.
fn of_positions_alone(system: &System) -> Result<(), NoMeasurement> {
    match system.families.iter().find(|family| family.properties().memory_vertices > 0) {
        Some(family) => Err(NoMeasurement::Skipped(format!(
            "{} remembers, it is no potential of positions",
            family.kind()
        ))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        Crooked, build, ladder, ladder_of, pinned_ladder, random_ladder, restarting_its_clocks,
    };
    use carom_elastic::Spring;
    use carom_model::{Owner, Part};
    use carom_time::Clocks;
    use proptest::prelude::*;

    #[test]
    fn springs_pass_every_check_and_each_is_shown_once() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            for (system, state) in [ladder(clocks), pinned_ladder(clocks)] {
                let mut shown = Vec::new();
                let report = verify_and_show(&system, &state, &Options::default(), |check| {
                    shown.push(check.clone());
                });
                assert!(report.passed(), "{report:#?}");
                assert_eq!(report.checks, shown);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn any_ladder_passes(seed: u64, exact: bool) {
            let clocks = if exact { Clocks::Exact } else { Clocks::Dyadic };
            let (system, state) = build(random_ladder(seed, |spring| spring), clocks);
            let report = verify(&system, &state, &Options::default());
            prop_assert!(report.passed(), "{:#?}", report);
        }
    }

    #[test]
    fn forces_without_potential_and_restarted_clocks_fail() {
        let (system, state) = build(ladder_of(Crooked), Clocks::Dyadic);
        assert!(!verify(&system, &state, &Options::default()).passed());
        let (system, state) = ladder(Clocks::Dyadic);
        assert!(!verify(&system, &state, &restarting_its_clocks()).passed());
    }

    #[test]
    fn what_takes_energy_is_left_out_and_the_rest_passes() {
        let mut builder = ladder_of(|spring| spring);
        let owner = Owner { body: 0, part: Part::Edge(99) };
        let damped = builder.add(Spring { stiffness: 40.0, rest_length: 1.0 }, [0, 5], owner, 1.0);
        builder.damp(damped, 0.1);
        let (system, state) = build(builder, Clocks::Dyadic);
        assert!(system.has_more_than_potentials());
        let report = verify(&system, &state, &Options::default());
        assert!(report.passed(), "{report:#?}");
    }

    #[test]
    fn two_reports_are_the_same_to_the_last_bit() {
        let (system, state) = ladder(Clocks::Exact);
        let once = verify(&system, &state, &Options::default());
        assert_eq!(once, verify(&system, &state, &Options::default()));
    }

    #[test]
    fn a_system_without_potentials_is_skipped() {
        let (system, state) = ladder(Clocks::Dyadic);
        let idle = System { families: vec![], schedules: vec![], ..(*system).clone() };
        let report = verify(&Arc::new(idle), &state, &Options::default());
        assert!(report.passed());
        let skipped = report.checks.iter().filter(|c| matches!(c.verdict, Verdict::Skipped(_))).count();
        assert_eq!(skipped + 1, report.checks.len(), "{report:#?}");
    }
}
