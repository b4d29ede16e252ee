//! How often a run is repeated: with which threads, at which vector width, by which method.
//!
//! Not every combination, but every number of threads and every width for every run.

use core::fmt;

use carom_engine::{MethodKind, Threads};
use carom_math::Widest;

use super::runs::Run;

/// One way to do a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Combination {
    /// Two or more share whatever can be split.
    pub threads: usize,
    pub widest: Widest,
    /// Whether `reference` does it instead of the fast engine.
    pub by_reference: bool,
}

impl Combination {
    /// One thread, with the widest vectors of the machine.
    pub const FIRST: Self = Self { threads: 1, widest: Widest::Avx512, by_reference: false };

    /// The threads, and what they share.
    pub fn threads(self) -> Threads {
        if self.threads == 1 { Threads::from(1) } else { Threads::sharing_everything(self.threads) }
    }

    /// The method, for a run whose own is `method`.
    pub fn method(self, method: MethodKind) -> MethodKind {
        if self.by_reference { MethodKind::Reference } else { method }
    }

    /// Whether a column must be that of the table: `reference` promises state and ledger.
    pub fn promises(self, column: &str) -> bool {
        !self.by_reference || column != "probes"
    }
}

impl fmt::Display for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widest = Widest::ALL.into_iter().rev().find(|w| *w <= self.widest && w.is_here());
        let method = if self.by_reference { "by reference, " } else { "" };
        let s = if self.threads == 1 { "" } else { "s" };
        write!(f, "{method}{} thread{s}, {}", self.threads, widest.unwrap_or(Widest::Baseline).name())
    }
}

/// The ways to do a run beside the first.
pub fn others(run: &Run) -> Vec<Combination> {
    let first = Combination::FIRST;
    let here = Widest::ALL.into_iter().filter(|widest| widest.is_here());
    let widest = here.clone().max();
    let mut all: Vec<Combination> =
        here.filter(|w| Some(*w) != widest).map(|widest| Combination { widest, ..first }).collect();
    all.extend([2, 4].map(|threads| Combination { threads, ..first }));
    if run.by_reference {
        all.push(Combination { by_reference: true, ..first });
    }
    all
}
