//! What a relaxation promises: an equilibrium, the same bits by either engine, every joule accounted for.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_elastic::{Gravity, Spring};
use carom_engine::{Ending, MethodKind, RelaxOptions, Relaxed, Rest, relax, with_masses_for};
use carom_math::Vec3;
use carom_model::{Axes, ClockOptions, Owner, Part, State, System, SystemBuilder};
use proptest::prelude::*;

static NEVER: AtomicBool = AtomicBool::new(false);

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

/// A chain along x, held at both ends; each link has its own stiffness, each vertex its own mass.
fn chain(links: &[f64], masses: &[f64]) -> (Arc<System>, State) {
    let mut builder = SystemBuilder::new();
    let owner = |part| Owner { body: 0, part };
    for (i, &mass) in masses[..=links.len()].iter().enumerate() {
        let v = builder.vertex(Vec3::X * i as f64, Vec3::ZERO, mass);
        builder.add(Gravity { mass, acceleration: GRAVITY }, [v], owner(Part::Vertex(v)), 1.0);
        if i == 0 || i == links.len() {
            builder.pin(v, Axes::ALL);
        }
    }
    for (i, &stiffness) in (0..).zip(links) {
        let spring = Spring { stiffness, rest_length: 1.1 };
        builder.add(spring, [i, i + 1], owner(Part::Edge(i)), 1.0);
    }
    let (system, state) = builder.build(&ClockOptions::default()).unwrap();
    (Arc::new(system), state)
}

fn relaxed(
    system: &Arc<System>,
    state: &State,
    kind: MethodKind,
    options: &RelaxOptions,
) -> (Relaxed, Vec<Rest>) {
    let mut rests = Vec::new();
    let outcome = relax(system, state, kind, options, &NEVER, &mut |rest| {
        rests.push(rest.clone());
        Ok::<(), Infallible>(())
    });
    (outcome.unwrap(), rests)
}

/// The largest force on a vertex that can move, in N, spring by spring.
fn largest_force(links: &[f64], masses: &[f64], x: &[Vec3]) -> f64 {
    let pull = |i: usize| {
        let along = x[i + 1] - x[i];
        along * (links[i] * (along.length() - 1.1) / along.length())
    };
    (1..links.len()).map(|v| (pull(v) - pull(v - 1) + GRAVITY * masses[v]).length()).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_chain_comes_to_rest_where_forces_cancel(
        links in prop::collection::vec(50.0..5000.0f64, 2..8),
        masses in prop::collection::vec(0.01..1.0f64, 9),
        scale_masses in any::<bool>(),
    ) {
        let (system, state) = chain(&links, &masses);
        let options = RelaxOptions { scale_masses, tolerance: 1e-9, ..RelaxOptions::default() };
        let (outcome, rests) = relaxed(&system, &state, MethodKind::Carom, &options);
        prop_assert_eq!(&outcome.ending, &Ending::Converged);
        let force = largest_force(&links, &masses, &outcome.rest.state.positions);
        prop_assert!(force <= 1e-9 * outcome.scale_n, "{} N of {} N", force, outcome.scale_n);
        prop_assert!(outcome.rest.state.velocities.iter().all(|v| v.is_zero()));
        prop_assert!(outcome.rest.taken_j > 0.0 && rests.iter().all(|rest| rest.taken_j >= 0.0));
    }

    #[test]
    fn both_engines_relax_to_the_same_bits(
        links in prop::collection::vec(50.0..5000.0f64, 2..6),
        masses in prop::collection::vec(0.01..1.0f64, 7),
        scale_masses in any::<bool>(),
    ) {
        let (system, state) = chain(&links, &masses);
        let options = RelaxOptions { scale_masses, tolerance: 1e-3, ..RelaxOptions::default() };
        let of = |kind| relaxed(&system, &state, kind, &options).0.rest;
        let (fast, oracle) = (of(MethodKind::Carom), of(MethodKind::Reference));
        prop_assert_eq!(fast.state.fingerprint(), oracle.state.fingerprint());
        prop_assert_eq!((fast.falls, fast.steps, fast.ticks), (oracle.falls, oracle.steps, oracle.ticks));
    }
}

#[test]
fn chosen_masses_bear_one_step_and_save_evaluations() {
    // One stiff link sets the pace of all the others.
    let links = [100.0, 1e6, 100.0, 100.0, 100.0];
    let masses = [0.1; 6];
    let (system, state) = chain(&links, &masses);
    let slowest = *system.spans().last().unwrap();
    let scaled = with_masses_for(&system.on_one_clock(slowest), slowest, &state.positions);
    let measured = carom_engine::stability::measure(&scaled, &state.positions).unwrap();
    assert!(measured.sigma > 0.3 && measured.sigma <= 0.9, "{measured:?}");
    assert!(scaled.masses.iter().zip(&system.masses).all(|(scaled, real)| scaled >= real));

    let total = |scale_masses| {
        let options = RelaxOptions { scale_masses, tolerance: 1e-9, ..RelaxOptions::default() };
        let outcome = relaxed(&system, &state, MethodKind::Carom, &options).0;
        assert_eq!(outcome.ending, Ending::Converged);
        (outcome.rest.evaluations.iter().sum::<u64>(), outcome.rest.state.positions)
    };
    let ((chosen, x), (real, y)) = (total(true), total(false));
    assert!(3 * chosen < real, "{chosen} evaluations with chosen masses, {real} with real ones");
    let apart = x.iter().zip(&y).map(|(x, y)| (*x - *y).length()).fold(0.0, f64::max);
    assert!(apart < 1e-4, "the equilibrium does not depend on masses: {apart} m apart");
}

#[test]
fn without_enough_steps_it_says_so_and_how_far_it_came() {
    let (system, state) = chain(&[100.0; 8], &[0.1; 9]);
    let options = RelaxOptions { most_steps: 20, ..RelaxOptions::default() };
    let outcome = relaxed(&system, &state, MethodKind::Carom, &options).0;
    assert_eq!((outcome.ending, outcome.rest.steps), (Ending::OutOfSteps, 20));
    assert!(outcome.rest.residual > 1e-6 && outcome.rest.is_end);
}

#[test]
fn where_rounding_ends_the_way_down_it_stops() {
    let (system, state) = chain(&[1e3; 4], &[0.1; 5]);
    let options = RelaxOptions { tolerance: 1e-30, ..RelaxOptions::default() };
    let outcome = relaxed(&system, &state, MethodKind::Carom, &options).0;
    assert_eq!(outcome.ending, Ending::Stalled);
    assert!(outcome.rest.residual < 1e-12, "{}", outcome.rest.residual);
}

#[test]
fn where_nothing_pulls_nothing_moves() {
    let mut builder = SystemBuilder::new();
    builder.vertex(Vec3::X, Vec3::Y, 1.0);
    let (system, state) = builder.build(&ClockOptions::default()).unwrap();
    let outcome = relaxed(&Arc::new(system), &state, MethodKind::Carom, &RelaxOptions::default()).0;
    assert_eq!((outcome.ending, outcome.rest.steps), (Ending::Converged, 0));
    assert_eq!(outcome.rest.state.positions, state.positions);
}
