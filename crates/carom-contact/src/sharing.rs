//! From how much work on threads share contact.

/// How threads share the work of contact. It decides who computes what, and no bit of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sharing {
    /// Whether a team of threads leads; without one, nothing is shared.
    pub is_shared: bool,
    /// Fewer due pairs than this are not shared at an instant.
    pub pairs: usize,
    /// A thread computes the bounds of at least this many primitives.
    pub primitives: usize,
    /// A thread measures this many candidates of a search at a time.
    pub candidates: usize,
}

impl Sharing {
    /// One thread does everything.
    pub const NONE: Self = Self { is_shared: false, pairs: 1024, primitives: 1024, candidates: 1024 };

    /// What is less takes less time than it takes to wake a thread.
    pub const WORTHWHILE: Self = Self { is_shared: true, ..Self::NONE };

    /// Whatever can be split is, down to single vectors: for tests of small scenes.
    pub const EVERYTHING: Self = Self { is_shared: true, pairs: 1, primitives: 8, candidates: 8 };
}

/// What is worth it, if a team of threads leads.
impl From<bool> for Sharing {
    fn from(is_shared: bool) -> Self {
        if is_shared { Self::WORTHWHILE } else { Self::NONE }
    }
}
