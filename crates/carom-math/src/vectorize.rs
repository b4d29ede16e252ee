//! One binary, the widest vectors of the machine it runs on.
//!
//! [`run`] compiles its kernel three times (AVX-512, AVX2, baseline) and picks at run time.
//! Wider registers do the same IEEE operations lane by lane, and the compiler is never allowed
//! to fuse or reorder them, so the bits do not depend on the choice.

#[cfg(target_arch = "x86_64")]
use crate::Widest;
#[cfg(target_arch = "x86_64")]
use crate::x86::{Avx2, Avx512};
use crate::{Baseline, Width};

/// A computation that can be compiled for any [`Width`].
///
/// `run` and everything it calls must be `#[inline(always)]` to profit.
pub trait Kernel {
    /// Result of the kernel.
    type Output;

    /// Computes it.
    fn run(self, width: impl Width) -> Self::Output;
}

/// A closure is a kernel that needs no width.
impl<R, F: FnOnce() -> R> Kernel for F {
    type Output = R;

    #[inline(always)]
    fn run(self, _: impl Width) -> R {
        self()
    }
}

/// Runs a kernel compiled for the widest vector instructions present and [allowed](Widest::allow).
#[inline]
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if Widest::Avx512.is_allowed()
            && let Some(width) = Avx512::detect()
        {
            // SAFETY: the features that `avx512` enables were just detected.
            #[expect(unsafe_code, reason = "calling a function compiled for detected features")]
            return unsafe { avx512(kernel, width) };
        }
        if Widest::Avx2.is_allowed()
            && let Some(width) = Avx2::detect()
        {
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
    use crate::{F64x4, ImpulseAccumulator, LANES, Lanes, Plain, Real, StencilIndices, Vec3};

    /// Every operation a kernel may use, on numbers whose sums and quotients all round.
    struct Everything(Vec<F64x4>);

    impl Kernel for &Everything {
        type Output = Vec<Option<[u64; 3]>>;

        #[inline(always)]
        fn run(self, width: impl Width) -> Self::Output {
            let mut accumulators = vec![ImpulseAccumulator::default(); self.0.len()];
            for first in 0..self.0.len() as u32 - 2 * LANES as u32 {
                let places = StencilIndices::new([0, 3].map(|from| {
                    core::array::from_fn(|lane| first + from + (lane * (lane + from as usize) % 11) as u32)
                }));
                let [a, b] = width.gather(&self.0, &places);
                let [u, v] = [formula(a, b), formula(b, a)];
                // All of it, some lanes of it, and what falls into a window of the accumulators.
                let (lanes, window) = match first % 3 {
                    0 => (LANES, 0),
                    1 => (first as usize % LANES, 0),
                    _ => (LANES, first as usize + 4),
                };
                width.scatter(&[u, v], lanes, &places, window as u32, &mut accumulators[window..]);
                let x = width.store(a.x);
                places.add_each(
                    &self.0,
                    LANES,
                    0,
                    &mut accumulators,
                    #[inline(always)]
                    |lane, [at, other]| {
                        [at.abs() * at * x.0[lane], other / (at + F64x4::constant(0.3)).sqrt()]
                    },
                );
            }
            let [odd, even] = odd_and_even();
            assert_eq!(width.at_most(&odd, &even), 0b0110_1110);
            assert_eq!(width.store(width.load(&even)).0.map(f64::to_bits), even.0.map(f64::to_bits));
            let counted = |from: usize| Lanes(core::array::from_fn(|lane| (from + lane) as f64));
            let rows = width.rows([0, 10, 20, 30].map(|from| width.load(&counted(from))));
            for (lane, row) in rows.iter().enumerate() {
                assert_eq!(row.0, [0, 10, 20, 30].map(|from| (from + lane) as f64));
            }
            accumulators.iter_mut().map(|t| t.take().map(|sum| sum.to_array().map(f64::to_bits))).collect()
        }
    }

    #[inline(always)]
    fn formula<S: Real>(Vec3 { x, y, z }: Vec3<S>, other: Vec3<S>) -> Vec3<S> {
        let one = S::constant(1.0);
        let u = x * x * 3.0 + one / (y + other.x * 0.3) - z.sqrt() * 0.7;
        let u = u + x.ln() * u.atan2(y - other.z);
        let (sin, cos) = (u * 0.1).sin_cos();
        let v = u.where_above(one, -u) * (z - x).recip_or_zero() + sin * cos;
        let w = v.where_nonzero(x - other.y, one).where_above(y, z);
        Vec3::new(u, v, w.where_above(x, -w))
    }

    /// Numbers that compare oddly.
    fn odd_and_even() -> [Lanes; 2] {
        [
            Lanes([f64::NAN, 0.0, -0.0, f64::INFINITY, 1.0, f64::NEG_INFINITY, 1.0, 2.0]),
            Lanes([0.0, -0.0, 0.0, f64::INFINITY, f64::NAN, 1.0, 1.0, 1.0]),
        ]
    }

    /// Choices between numbers that compare oddly, bit by bit.
    #[derive(Clone, Copy)]
    struct Choices;

    impl Kernel for Choices {
        type Output = Vec<[u64; LANES]>;

        #[inline(always)]
        fn run(self, width: impl Width) -> Self::Output {
            let [odd, even] = odd_and_even();
            let (a, b) = (width.load(&odd), width.load(&even));
            let chosen = [
                a.where_nonzero(b, -a),
                b.where_nonzero(a, -b),
                a.where_above(b, Real::constant(7.0)),
                b.where_above(a, Real::constant(7.0)),
                a.where_below(a, b, Real::constant(7.0)),
                a.where_at_most(a, b, Real::constant(7.0)),
                b.where_at_most(b, a, Real::constant(7.0)),
                a.abs(),
                a.atan2(b),
                b.atan2(a),
                a.ln(),
                (b * 1e-310).ln(),
                b.with_sign_of(a),
                a.recip_or_zero(),
                -a,
            ];
            let mut bits = Vec::new();
            for numbers in chosen {
                bits.push(
                    width.store(numbers).0.map(|number| if number.is_nan() { 1 } else { number.to_bits() }),
                );
            }
            bits
        }
    }

    /// Vectors and their opposites, added: what is taken of the sums.
    #[derive(Clone, Copy)]
    struct Cancelling;

    impl Kernel for Cancelling {
        type Output = Vec<Option<Vec3>>;

        #[inline(always)]
        fn run(self, width: impl Width) -> Self::Output {
            let mut accumulators = [ImpulseAccumulator::default(); LANES];
            let places = StencilIndices::new([core::array::from_fn(|lane| lane as u32)]);
            let x = width.load(&Lanes([0.0, 5e-324, 0.0, -0.0, 1.0, -2.0, 0.0, f64::MAX]));
            let y = width.load(&Lanes([-0.0, 0.0, -5e-324, 0.0, 1.0, 3.0, -0.0, 0.1]));
            let z = width.load(&Lanes([0.0, 0.0, 0.0, -1.0, -1.0, 0.5, 0.0, -1e300]));
            for vector in [Vec3 { x, y, z }, Vec3 { x: -x, y: -y, z: -z }] {
                width.scatter(&[vector], LANES, &places, 0, &mut accumulators);
            }
            accumulators.iter_mut().map(ImpulseAccumulator::take).collect()
        }
    }

    /// Results of a kernel at each width of this machine, the baseline first.
    fn at_all_widths<K: Kernel + Copy>(kernel: K) -> Vec<K::Output> {
        let mut outputs = vec![kernel.run(Baseline), run(kernel)];
        if let Some(width) = Avx2::detect() {
            // SAFETY: the feature that `avx2` enables was just detected.
            #[expect(unsafe_code, reason = "calling a function compiled for detected features")]
            outputs.push(unsafe { avx2(kernel, width) });
        }
        if let Some(width) = Avx512::detect() {
            // SAFETY: the features that `avx512` enables were just detected.
            #[expect(unsafe_code, reason = "calling a function compiled for detected features")]
            outputs.push(unsafe { avx512(kernel, width) });
        }
        outputs
    }

    fn everything() -> Everything {
        let number = |i: usize| 0.1 + libm::sin(i as f64 * 0.739).abs() * 10f64.powi(i as i32 % 7 - 3);
        let point = |i: usize| Vec3::new(number(3 * i), number(3 * i + 1), number(3 * i + 2));
        Everything((0..500).map(|i| point(i).into()).collect())
    }

    #[test]
    fn every_vector_width_of_this_machine_gives_the_same_bits() {
        let everything = everything();
        let outputs = at_all_widths(&everything);
        assert!(outputs[0].iter().flatten().count() > 400, "hardly anything was computed");
        assert!(outputs.iter().all(|bits| *bits == outputs[0]), "the widths differ");
    }

    #[test]
    fn what_cancels_was_touched_and_zeros_were_not_at_every_width() {
        let zero = Some(Vec3::ZERO);
        for output in at_all_widths(Cancelling) {
            assert_eq!(output, [None, zero, zero, zero, zero, zero, None, zero]);
        }
    }

    #[test]
    fn numbers_that_compare_oddly_are_chosen_alike_at_every_width() {
        let outputs = at_all_widths(Choices);
        for output in &outputs {
            assert_eq!(*output, outputs[0]);
        }
    }

    #[test]
    fn a_number_has_the_bits_of_its_lane() {
        let points = everything().0;
        let lanes = |of: fn(Vec3) -> f64, from: usize| {
            Lanes(core::array::from_fn(|lane| of(points[from + lane].xyz())))
        };
        let vectors =
            |from: usize| Vec3::new(lanes(|p| p.x, from), lanes(|p| p.y, from), lanes(|p| p.z, from));
        for from in 0..100 {
            let eight = formula(vectors(from), vectors(from + 9));
            for lane in 0..LANES {
                let one = formula(points[from + lane].xyz(), points[from + 9 + lane].xyz());
                assert_eq!(eight.lane(lane).to_array().map(f64::to_bits), one.to_array().map(f64::to_bits));
            }
        }
    }
}
