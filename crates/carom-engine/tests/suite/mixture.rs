//! Everything at once: bodies of every kind, every law, loads and leaders. Both engines end in the same bits, and the ledger closes.

mod bodies;
mod oracle;
mod restart;
mod resume;
mod tolerance;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bodies::{END, Mixture};
use carom_engine::{Method, MethodKind, Reader, Reading};
use carom_math::Vec3;
use carom_model::{DofKind, ExternalLedger, System};
use carom_time::Clocks;

/// A stop flag that nobody raises.
static NEVER: AtomicBool = AtomicBool::new(false);

const ROWS: u32 = 20;

/// The totals of an external ledger: energies in J, then momenta.
fn numbers(external: &ExternalLedger) -> ([f64; 4], Vec<f64>) {
    let ExternalLedger { fields, pins, couples, twists, work, losses } = external;
    let energies =
        [work.value(), losses.restitution.value(), losses.friction.value(), losses.damping.value()];
    let [linear, angular] = [fields.linear.value(), fields.angular.value()];
    let momenta =
        [linear, angular, pins.linear.value(), pins.angular.value(), couples.value(), twists.value()];
    (energies, momenta.into_iter().flat_map(Vec3::to_array).collect())
}

#[test]
fn both_engines_end_in_the_same_bits_and_external_ledger_whatever_is_mixed() {
    for case in (0..8).map(Mixture::random) {
        let (system, state) = case.build();
        let seconds = if case.clocks == Clocks::Exact { 0.2 * END } else { 0.3 * END };
        let kinds = [MethodKind::Carom, MethodKind::Reference];
        let [mut fast, mut slow] = kinds.map(|kind| kind.start(&system, state.clone()));
        for row in 1..=ROWS {
            let tick = system.line.tick_at(seconds * f64::from(row) / f64::from(ROWS)).unwrap();
            fast.advance_to(tick, &NEVER).unwrap();
            slow.advance_to(tick, &NEVER).unwrap();
            assert_eq!(fast.state().fingerprint(), slow.state().fingerprint(), "{case:?} at row {row}");
        }
        // However each engine walks its vertices, and to the bit. About half a joule of motion is there to begin with.
        let [ours, theirs] = [fast.external(), slow.external()].map(|external| numbers(&external));
        assert_eq!(ours, theirs, "{case:?}");
        assert!(fast.external() == slow.external(), "{case:?}");
        let (energies, _) = ours;
        assert!(energies.iter().all(|energy| energy.abs() > 1e-3), "{case:?}: {energies:?}");
        assert_eq!(
            fast.summary().evaluations[..system.families.len()],
            slow.summary().evaluations[..system.families.len()]
        );
    }
}

/// What the ledger of a mixture says, and how it ended.
fn readings(case: &Mixture) -> (Vec<Reading>, Box<dyn Method>, Arc<System>) {
    let (system, state) = case.build();
    let mut method = MethodKind::Carom.start(&system, state);
    let reader = Reader::new(&system);
    let rows = (0..=ROWS)
        .map(|row| {
            let tick = system.line.tick_at(END * f64::from(row) / f64::from(ROWS)).unwrap();
            method.advance_to(tick, &NEVER).unwrap();
            reader.read(&method.state(), &method.external(), &method.pairs(), tick)
        })
        .collect();
    (rows, method, system)
}

/// How far energy, losses and work are from closing, over the largest kinetic energy.
fn band(rows: &[Reading]) -> f64 {
    let balance = |row: &Reading| row.total_j() + row.dissipated_j() - row.work_j;
    let energy_j = rows.iter().map(|row| row.kinetic_j).fold(0.0, f64::max);
    rows.iter().map(|row| (balance(row) - balance(&rows[0])).abs()).fold(0.0, f64::max) / energy_j
}

#[test]
fn the_ledger_closes_whatever_is_mixed_and_better_with_shorter_steps() {
    let mut sums = [0.0; 2];
    for case in (0..8).map(Mixture::random) {
        let bands = [1.0, 4.0].map(|finer| band(&readings(&Mixture { finer, ..case }).0));
        assert!(bands[1] < 5e-3, "{case:?}: {bands:?}");
        sums.iter_mut().zip(bands).for_each(|(sum, band)| *sum += band);
    }
    assert!(sums[1] < 0.35 * sums[0], "{sums:?}");
}

#[test]
fn momenta_are_kept_whatever_is_mixed() {
    for case in (0..8).map(Mixture::random) {
        let (rows, ..) = readings(&case);
        let kept = |row: &Reading| {
            (row.momentum - row.from_outside.linear, row.angular_momentum - row.from_outside.angular)
        };
        let (linear, angular) = kept(&rows[0]);
        for row in &rows {
            let (p, l) = kept(row);
            assert!((p - linear).length() < 1e-12 * row.momentum_scale, "{case:?}: {:?}", p - linear);
            assert!(
                (l - angular).length() < 1e-12 * row.angular_momentum_scale,
                "{case:?}: {:?}",
                l - angular
            );
        }
    }
}

#[test]
fn everything_in_a_mixture_acts() {
    let mut met = BTreeSet::new();
    for case in (0..8).map(Mixture::random) {
        let (rows, method, system) = readings(&case);
        let last = &rows[ROWS as usize];
        let energy_j = rows[0].kinetic_j;
        assert!(last.losses_j.iter().all(|loss| *loss > 1e-2 * energy_j), "{case:?}: {:?}", last.losses_j);
        assert!(last.work_j.abs() > 1e-2 * energy_j, "{case:?}: {}", last.work_j);
        let external = method.external();
        let [fields, pins, couples, twists] = [
            external.fields.linear.value(),
            external.pins.linear.value(),
            external.couples.value(),
            external.twists.value(),
        ]
        .map(Vec3::length);
        assert!(fields > 1e-2 && pins > 1e-2 && couples > 1e-6 && twists > 1e-6, "{case:?}");
        let start = case.build().1;
        let turned = |dof_kind: DofKind| {
            let of_meaning = (0..system.vertices()).filter(|v| system.dof_kind(*v) == dof_kind);
            of_meaning.filter(|v| method.state().velocities[*v] != start.velocities[*v]).count()
        };
        assert!(turned(DofKind::Twist) == 4 && turned(DofKind::Spin) >= 2, "{case:?}");
        met.extend(method.touches(last.tick).iter().map(|touch| touch.bodies));
    }
    // The plate, the shell, the rod, the solid and the grains.
    let wanted = BTreeSet::from([[0, 1], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]]);
    assert!(wanted.is_subset(&met), "{met:?}");
}
