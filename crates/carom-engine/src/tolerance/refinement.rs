//! What a run with a tolerance says of itself: how well energy is to be kept, and where it went back to take shorter steps.

use carom_model::{Contact, Fault, System};
use carom_time::Tick;

/// How well energy is to be kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergyTolerance {
    /// The largest error of the energy balance, over the energy turned over.
    pub relative: f64,
    /// The least energy that counts as turned over, in J: of everything that can move, at the speed that contact was made for.
    pub least_turnover_j: f64,
    /// Whether the user gave the steps of contact: they are not shortened then.
    pub contact_step_is_given: bool,
}

/// Why a run went back.
#[derive(Clone, Debug, PartialEq)]
pub enum RefinementCause {
    /// The run could not go on.
    Fault(Fault),
    /// The energy was off by this at a check.
    AtCheck(f64),
    /// The energy was off by this where contact was deepest.
    AtGapMinimum(f64),
    /// The median of the last errors was this.
    Drift(f64),
}

impl core::fmt::Display for RefinementCause {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Fault(fault) => write!(f, "{fault}"),
            Self::AtCheck(error) => write!(f, "the energy was off by {error:.1e}"),
            Self::AtGapMinimum(error) => {
                write!(f, "the energy was off by {error:.1e} where contact was deepest")
            }
            Self::Drift(median) => write!(f, "the energy stayed off by {median:.1e}"),
        }
    }
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
    let span = |contact: &Contact, a: u32, b: u32| contact.layers[contact.layers_between(a, b) as usize].span;
    let pairs = (0..old.bodies as u32).flat_map(|a| (a..old.bodies as u32).map(move |b| (a, b)));
    pairs.filter(|&(a, b)| span(old, a, b) != span(new, a, b)).count() as u64
}
