//! What a run with a tolerance says of itself: how well energy is to be kept, and where it went back to take shorter steps.

use carom_model::{Contact, Fault, System};
use carom_time::Tick;

/// How well energy is to be kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergyTolerance {
    /// The largest error of the energy balance, over the energy turned over.
    pub relative: f64,
    /// Whether the user gave the steps of contact: they are not shortened then.
    pub contact_step_is_given: bool,
}

/// What is left of an error, at most, where shorter steps help: half the steps leave a quarter of an error of second order.
const BETTER: f64 = 0.75;

/// Why a run went back.
#[derive(Clone, Debug, PartialEq)]
pub enum RefinementCause {
    /// The run could not go on.
    Fault(Fault),
    /// The energy was off by this at a check.
    AtCheck(f64),
    /// The energy was off by this where contact was deepest.
    AtGapMinimum(f64),
}

impl RefinementCause {
    /// Whether the energy was off by more than this, or is no number. A Fault exceeds everything.
    pub(super) fn exceeds(&self, limit: f64) -> bool {
        match self {
            Self::Fault(_) => true,
            Self::AtCheck(error) | Self::AtGapMinimum(error) => error.is_nan() || error.abs() > limit,
        }
    }

    /// Whether shorter steps did not help: a Fault comes again and at most `slowest` quanta later, or an error up to `most` is hardly smaller than it was.
    pub(super) fn is_no_better_than(&self, before: &Self, slowest: u64, most: f64) -> bool {
        match (self, before) {
            (Self::Fault(now), Self::Fault(before)) => {
                now.tick().0 <= before.tick().0.saturating_add(slowest)
            }
            (
                Self::AtCheck(now) | Self::AtGapMinimum(now),
                Self::AtCheck(before) | Self::AtGapMinimum(before),
            ) => now.abs() <= most && now.abs() > BETTER * before.abs(),
            _ => false,
        }
    }

    /// How far the energy was off; `None` of a Fault.
    pub(super) fn error(&self) -> Option<f64> {
        match self {
            Self::Fault(_) => None,
            Self::AtCheck(error) | Self::AtGapMinimum(error) => Some(error.abs()),
        }
    }

    /// Whichever says of the larger error.
    pub(super) fn worse(self, other: Self) -> Self {
        match other {
            Self::AtCheck(error) | Self::AtGapMinimum(error) if !self.exceeds(error.abs()) => other,
            _ => self,
        }
    }
}

impl core::fmt::Display for RefinementCause {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Fault(fault) => write!(f, "{fault}"),
            Self::AtCheck(error) => write!(f, "the energy was off by {error:.1e}"),
            Self::AtGapMinimum(error) => {
                write!(f, "the energy was off by {error:.1e} where contact was deepest")
            }
        }
    }
}

/// What failed when no step was left to shorten.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenUp {
    /// What failed.
    pub cause: RefinementCause,
    /// The tick of the check that failed, or of the Fault.
    pub failed_at: Tick,
    /// How far the energy was off, in J; 0 with a Fault.
    pub off_j: f64,
}

/// A run that went back to take shorter steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Refinement {
    /// How often steps were shortened, this time included.
    pub level: u32,
    /// The tick from which on steps are shorter.
    pub from: Tick,
    /// The tick of the check that failed, or of the Fault.
    pub failed_at: Tick,
    /// What failed.
    pub cause: RefinementCause,
    /// The error that was left where shorter steps did not help.
    pub in_vain: Option<f64>,
    /// How many potentials of elements got shorter steps.
    pub elements: u64,
    /// Between how many pairs of bodies the layers of contact did.
    pub layers: u64,
}

/// How many elements of two systems differ in their steps.
pub(super) fn changed_elements(old: &System, new: &System) -> u64 {
    old.spans_of_all().zip(new.spans_of_all()).filter(|(old, new)| old != new).count() as u64
}

/// How many pairs of bodies of two systems differ in the steps of their layers.
pub(super) fn changed_layers(old: &System, new: &System) -> u64 {
    let (Some(old), Some(new)) = (&old.contact, &new.contact) else { return 0 };
    let span = |contact: &Contact, a: u32, b: u32| {
        let of = |layers: u32| contact.layers[layers as usize].span;
        [Some(contact.layers_between(a, b)), contact.soft_layers_between(a, b)].map(|layers| layers.map(of))
    };
    let pairs = (0..old.bodies as u32).flat_map(|a| (a..old.bodies as u32).map(move |b| (a, b)));
    pairs.filter(|&(a, b)| span(old, a, b) != span(new, a, b)).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collapsed(tick: u64) -> RefinementCause {
        RefinementCause::Fault(Fault::Tolerance { cause: String::new(), tick: Tick(tick), time_s: 0.0 })
    }

    #[test]
    fn shorter_steps_are_in_vain_where_an_error_within_the_tolerance_stays_or_a_fault_comes_as_soon() {
        let is_in_vain =
            |now: &RefinementCause, before: &RefinementCause| now.is_no_better_than(before, 10, 1e-2);
        let [at_check, deepest] = [RefinementCause::AtCheck, RefinementCause::AtGapMinimum];
        assert!(is_in_vain(&at_check(-6e-4), &deepest(7e-4)));
        assert!(!is_in_vain(&at_check(-6e-4), &at_check(2.4e-3)), "a quarter, as it should be");
        assert!(
            !is_in_vain(&at_check(0.11), &at_check(0.12)),
            "far above the tolerance nothing is left untried"
        );
        assert!(!is_in_vain(&at_check(f64::NAN), &at_check(6e-4)));
        assert!(is_in_vain(&collapsed(1005), &collapsed(1000)));
        assert!(!is_in_vain(&collapsed(1011), &collapsed(1000)));
        assert!(!is_in_vain(&collapsed(1000), &at_check(6e-4)));
    }

    #[test]
    fn of_two_errors_the_larger_counts_and_what_is_no_number_most() {
        let errors = [1e-4, -3e-4, f64::NAN];
        for (a, b) in [(0, 1), (1, 2), (0, 2)] {
            for (a, b) in [(a, b), (b, a)] {
                let worse = RefinementCause::AtCheck(errors[a]).worse(RefinementCause::AtCheck(errors[b]));
                let RefinementCause::AtCheck(found) = worse else { panic!("{worse:?}") };
                assert_eq!(found.to_bits(), errors[a.max(b)].to_bits());
            }
        }
    }
}
