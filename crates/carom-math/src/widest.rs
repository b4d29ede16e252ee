//! The widest vector instructions that kernels take: those of the machine, unless a test sets narrower ones.

use core::sync::atomic::{AtomicU8, Ordering};

/// Vector instructions, from narrow to wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Widest {
    /// Instructions that every machine of the architecture has.
    Baseline,
    /// Four numbers side by side.
    Avx2,
    /// Eight.
    Avx512,
}

/// The widest that kernels of this process take, as the number of a [`Widest`].
static WIDEST: AtomicU8 = AtomicU8::new(Widest::Avx512 as u8);

impl Widest {
    /// All widths, from narrow to wide.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// The name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
        }
    }

    /// Whether this machine has these instructions.
    #[must_use]
    pub fn is_here(self) -> bool {
        match self {
            Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => crate::x86::Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => crate::x86::Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// From now on kernels of the whole process take no wider instructions than these. It changes no bit; it is for tests that show that.
    pub fn allow(self) {
        WIDEST.store(self as u8, Ordering::Relaxed);
    }

    /// Whether kernels may take these instructions, if the machine has them.
    #[inline(always)]
    pub(crate) fn is_allowed(self) -> bool {
        self as u8 <= WIDEST.load(Ordering::Relaxed)
    }
}
