//! One binary, the widest vectors of the machine it runs on.
//!
//! [`run`] compiles its closure three times (AVX-512, AVX2, baseline) and picks at run time.
//! Wider registers do the same IEEE operations lane by lane, and the compiler is never allowed
//! to fuse or reorder them, so the bits do not depend on the choice.

/// Runs `f` compiled for the widest vector instructions present.
///
/// `f` and everything it calls must be `#[inline(always)]` to profit.
#[inline]
pub fn run<R>(f: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
        {
            // SAFETY: the three features that `avx512` enables were just detected.
            #[expect(unsafe_code, reason = "calling a function compiled for detected features")]
            return unsafe { avx512(f) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the feature that `avx2` enables was just detected.
            #[expect(unsafe_code, reason = "calling a function compiled for detected features")]
            return unsafe { avx2(f) };
        }
    }
    f()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
fn avx512<R>(f: impl FnOnce() -> R) -> R {
    f()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2<R>(f: impl FnOnce() -> R) -> R {
    f()
}
