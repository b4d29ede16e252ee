//! One binary, the widest vectors of the machine it runs on.
//!
//! [`run`] compiles its kernel three times (AVX-512, AVX2, baseline) and picks at run time.
//! Wider registers do the same IEEE operations lane by lane, and the compiler is never allowed
//! to fuse or reorder them, so the bits do not depend on the choice.

#[cfg(target_arch = "x86_64")]
use crate::width::{Avx2, Avx512};
use crate::{Baseline, Width};

/// A computation that can be compiled for any [`Width`].
///
/// `run` and everything it calls must be `#[inline(always)]` to profit.
pub trait Kernel {
    /// What it computes.
    type Output;

    /// Computes it.
    fn run(self, width: impl Width) -> Self::Output;
}

/// What needs no more than lanes is a closure.
impl<R, F: FnOnce() -> R> Kernel for F {
    type Output = R;

    #[inline(always)]
    fn run(self, _: impl Width) -> R {
        self()
    }
}

/// Runs a kernel compiled for the widest vector instructions present.
#[inline]
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(width) = Avx512::detect() {
            // SAFETY: the features that `avx512` enables were just detected.
            #[expect(unsafe_code, reason = "calling a function compiled for detected features")]
            return unsafe { avx512(kernel, width) };
        }
        if let Some(width) = Avx2::detect() {
            // SAFETY: the feature that `avx2` enables was just detected.
            #[expect(unsafe_code, reason = "calling a function compiled for detected features")]
            return unsafe { avx2(kernel, width) };
        }
    }
    kernel.run(Baseline)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512dq,avx512vl")]
fn avx512<K: Kernel>(kernel: K, width: Avx512) -> K::Output {
    kernel.run(width)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2<K: Kernel>(kernel: K, width: Avx2) -> K::Output {
    kernel.run(width)
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::{LANES, Lanes, Places, Quad, Real, Rows, Tally, Vec3};

    /// Every operation a kernel may use, on numbers whose sums and quotients all round.
    struct Everything(Vec<Quad>);

    impl Kernel for &Everything {
        type Output = Vec<Tally>;

        #[inline(always)]
        fn run(self, width: impl Width) -> Self::Output {
            let one = Lanes::constant(1.0);
            let mut tallies = vec![Tally::default(); self.0.len()];
            let mut rows = [Rows::ZERO];
            for first in 0..self.0.len() as u32 - 2 * LANES as u32 {
                let places = Places::new([core::array::from_fn(|lane| first + (lane * lane % 11) as u32)]);
                let [Vec3 { x, y, z }] = width.gather(&self.0, &places);
                let u = x * x * 3.0 + one / (y + one * 0.3) - z.sqrt() * 0.7;
                let u = u + x.ln() * u.atan2(y - one);
                let v = u.where_above(one, -u) * z.recip_or_zero();
                let w = v.where_nonzero(x - one, one).where_at_most(y, z, x);
                let odd = Lanes([f64::NAN, 0.0, -0.0, f64::INFINITY, 1.0, f64::NEG_INFINITY, 1.0, 2.0]);
                let even = Lanes([0.0, -0.0, 0.0, f64::INFINITY, f64::NAN, 1.0, 1.0, 1.0]);
                assert_eq!(width.at_most(&odd, &even), 0b0110_1110);
                let w = w * f64::from(width.at_most(&x, &y)) + w * f64::from(width.at_most(&y, &z));
                rows[0].set(width, Vec3::new(u, v, w));
                width.scatter(&rows, LANES, &places, 0, &mut tallies);
                places.add_each(
                    &self.0,
                    LANES,
                    0,
                    &mut tallies,
                    #[inline(always)]
                    |lane, [at]| [at.abs() * at * x.0[lane] - at / (at + Quad::constant(0.3)).sqrt()],
                );
            }
            tallies
        }
    }

    fn everything() -> Everything {
        let number = |i: usize| 0.1 + libm::sin(i as f64 * 0.739).abs() * 10f64.powi(i as i32 % 7 - 3);
        let point = |i: usize| Vec3::new(number(3 * i), number(3 * i + 1), number(3 * i + 2));
        Everything((0..500).map(|i| point(i).into()).collect())
    }

    #[test]
    fn every_vector_width_of_this_machine_gives_the_same_bits() {
        let kernel = everything();
        let baseline = (&kernel).run(Baseline);
        assert_eq!(run(&kernel), baseline, "the widest differs from the baseline");
        if let Some(width) = Avx2::detect() {
            // SAFETY: the feature that `avx2` enables was just detected.
            #[expect(unsafe_code, reason = "calling a function compiled for detected features")]
            let bits = unsafe { avx2(&kernel, width) };
            assert_eq!(bits, baseline, "AVX2 differs from the baseline");
        }
        if let Some(width) = Avx512::detect() {
            // SAFETY: the features that `avx512` enables were just detected.
            #[expect(unsafe_code, reason = "calling a function compiled for detected features")]
            let bits = unsafe { avx512(&kernel, width) };
            assert_eq!(bits, baseline, "AVX-512 differs from the baseline");
        }
    }
}
