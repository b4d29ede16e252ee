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

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::{LANES, Lanes, Real};

    /// Every operation a kernel may use, on numbers whose sums and quotients all round.
    #[inline(always)]
    fn kernel(inputs: &[Lanes]) -> Vec<[u64; LANES]> {
        let one = Lanes::constant(1.0);
        inputs
            .iter()
            .map(|&x| {
                let y = x * x * 3.0 + one / (x + one * 0.3) - x.sqrt() * 0.7;
                let y = y + x.ln() * y.atan2(x - one);
                let y = y.where_above(one, -y) * x.recip_or_zero();
                y.where_nonzero(x - one, one).0.map(f64::to_bits)
            })
            .collect()
    }

    fn inputs() -> Vec<Lanes> {
        let number = |i: usize| 0.1 + libm::sin(i as f64 * 0.739).abs() * 10f64.powi(i as i32 % 7 - 3);
        (0..500).map(|block| Lanes(core::array::from_fn(|lane| number(block * LANES + lane)))).collect()
    }

    /// The kernel as each way of compiling gives it, of those this machine can run.
    fn every_way() -> Vec<(&'static str, Vec<[u64; LANES]>)> {
        let inputs = inputs();
        let mut ways = vec![
            ("baseline", kernel(&inputs)),
            (
                "run",
                run(
                    #[inline(always)]
                    || kernel(&inputs),
                ),
            ),
        ];
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the feature that `avx2` enables was just detected.
            #[expect(unsafe_code, reason = "calling a function compiled for detected features")]
            ways.push(("AVX2", unsafe {
                avx2(
                    #[inline(always)]
                    || kernel(&inputs),
                )
            }));
        }
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
        {
            // SAFETY: the three features that `avx512` enables were just detected.
            #[expect(unsafe_code, reason = "calling a function compiled for detected features")]
            ways.push(("AVX-512", unsafe {
                avx512(
                    #[inline(always)]
                    || kernel(&inputs),
                )
            }));
        }
        ways
    }

    #[test]
    fn every_vector_width_of_this_machine_gives_the_same_bits() {
        let ways = every_way();
        for (name, bits) in &ways[1..] {
            assert_eq!(bits, &ways[0].1, "{name} differs from the baseline");
        }
    }
}
