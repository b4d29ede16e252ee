//! How many threads integrate, and from how much work on they share it.

use carom_contact::Sharing;

/// Threads for one run. They decide who computes what, and no bit of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// How many, the one that leads among them.
    pub count: usize,
    /// Fewer elements or vertices than this are not shared.
    pub worth_sharing: usize,
    /// From how much work on contact is shared, if there are two threads or more.
    pub contact: Sharing,
}

impl Threads {
    /// Whatever can be split is, however small: for tests of small scenes.
    #[must_use]
    pub const fn sharing_everything(count: usize) -> Self {
        Self { count, worth_sharing: 4, contact: Sharing::EVERYTHING }
    }
}

/// A few thousand elements or vertices take a tenth of a millisecond, and a thread that sleeps is awake after half of that.
impl From<usize> for Threads {
    fn from(count: usize) -> Self {
        Self { count, worth_sharing: 4096, contact: Sharing::WORTHWHILE }
    }
}
