//! Turning numbers between rows and lanes: what the compiler does badly by itself.
//!
//! Elements read points, each in a row of four numbers, and are computed in [`Lanes`], the same number of
//! eight elements in a row. [`Width::gather`] turns points into lanes; [`Width::turn`] turns lanes back
//! into rows of four, which [`Width::scatter`] adds to sums. Nothing is computed here but additions, so the bits do not
//! depend on the width.

use crate::{LANES, Lanes, Places, Quad, Tally, Vec3};

/// Eight rows, in the order that turning them leaves them in: those of even lanes first.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Rows([Quad; LANES]);

impl Rows {
    /// Eight rows of zeros.
    pub const ZERO: Self = Self([Quad([0.0; 4]); LANES]);

    /// The row of one lane. Even lanes come first.
    #[inline(always)]
    #[must_use]
    pub fn lane(&self, lane: usize) -> &Quad {
        &self.0[lane / 2 + LANES / 2 * (lane % 2)]
    }
}

/// The vector instructions that a piece of code is compiled for.
pub trait Width: Copy {
    /// These points, lane by lane.
    fn points(self, points: [&Quad; LANES]) -> Vec3<Lanes>;

    /// Writes four numbers of eight lanes as eight rows of four.
    fn turn(self, numbers: &[Lanes; 4], rows: &mut Rows);

    /// Adds one row to another.
    fn add(self, sum: &mut Quad, row: &Quad);

    /// In which lanes the one is at most the other: a bit for each, that of the first lane first.
    fn at_most(self, one: &Lanes, other: &Lanes) -> u8;

    /// The points of all elements, lane by lane.
    ///
    /// # Panics
    /// If an index is out of bounds.
    #[inline(always)]
    fn gather<const N: usize>(self, points: &[Quad], places: &Places<N>) -> [Vec3<Lanes>; N] {
        assert!((places.highest as usize) < points.len(), "points that are not there");
        let mut out = [Vec3::<Lanes>::zero(); N];
        for i in 0..N {
            let numbers: *const f64 = points.as_ptr().cast();
            // SAFETY: no index is above the highest, which is within; every fourth number starts a row.
            #[expect(unsafe_code, clippy::cast_ptr_alignment, reason = "one comparison stands for 8N")]
            let point =
                |lane: usize| unsafe { &*numbers.add(places.starts[i][lane] as usize).cast::<Quad>() };
            out[i] =
                self.points([point(0), point(1), point(2), point(3), point(4), point(5), point(6), point(7)]);
        }
        out
    }

    /// Adds the rows of the first `lanes` elements, one element after the other, to tallies of which the first has the number `first`;
    /// what falls beside them is dropped.
    #[inline(always)]
    fn scatter<const N: usize>(
        self,
        rows: &[Rows; N],
        lanes: usize,
        places: &Places<N>,
        first: u32,
        tallies: &mut [Tally],
    ) {
        if lanes == LANES && places.are_within(first, tallies.len()) {
            let numbers: *mut f64 = tallies.as_mut_ptr().wrapping_sub(first as usize).cast();
            for lane in 0..LANES {
                for i in 0..N {
                    let tally = numbers.wrapping_add(places.starts[i][lane] as usize);
                    // SAFETY: no index is below the lowest or above the highest, which are within; a tally is a row of four.
                    #[expect(unsafe_code, clippy::cast_ptr_alignment, reason = "checked for all")]
                    let tally = unsafe { &mut *tally.cast::<Tally>() };
                    self.add(&mut tally.0, rows[i].lane(lane));
                }
            }
            return;
        }
        for lane in 0..lanes {
            for i in 0..N {
                let index = places.index(i, lane).wrapping_sub(first);
                if let Some(tally) = tallies.get_mut(index as usize) {
                    self.add(&mut tally.0, rows[i].lane(lane));
                }
            }
        }
    }
}

/// Whatever every machine has.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Width for Baseline {
    #[inline(always)]
    fn points(self, points: [&Quad; LANES]) -> Vec3<Lanes> {
        let mut out = Vec3::<Lanes>::zero();
        for lane in 0..LANES {
            [out.x.0[lane], out.y.0[lane], out.z.0[lane], _] = points[lane].0;
        }
        out
    }

    #[inline(always)]
    fn turn(self, [x, y, z, w]: &[Lanes; 4], rows: &mut Rows) {
        for half in 0..2 {
            for i in 0..LANES / 2 {
                let lane = 2 * i + half;
                rows.0[LANES / 2 * half + i] = Quad([x.0[lane], y.0[lane], z.0[lane], w.0[lane]]);
            }
        }
    }

    #[inline(always)]
    fn add(self, sum: &mut Quad, row: &Quad) {
        for (sum, number) in sum.0.iter_mut().zip(row.0) {
            *sum += number;
        }
    }

    #[inline(always)]
    fn at_most(self, one: &Lanes, other: &Lanes) -> u8 {
        (0..LANES).fold(0, |bits, lane| bits | u8::from(one.0[lane] <= other.0[lane]) << lane)
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "vector instructions, behind a value that proves they are there")]
mod x86 {
    use core::arch::asm;
    use core::arch::x86_64::{
        __m256d, __m512d, _CMP_LE_OQ, _mm256_add_pd, _mm256_cmp_pd, _mm256_load_pd, _mm256_movemask_pd,
        _mm256_permute2f128_pd, _mm256_store_pd, _mm256_unpackhi_pd, _mm256_unpacklo_pd,
        _mm512_castpd256_pd512, _mm512_cmp_pd_mask, _mm512_insertf64x4, _mm512_load_pd,
        _mm512_permutex2var_pd, _mm512_set_epi64, _mm512_shuffle_f64x2, _mm512_store_pd, _mm512_unpackhi_pd,
        _mm512_unpacklo_pd,
    };

    use super::{LANES, Lanes, Quad, Rows, Vec3, Width};

    /// Vectors of four.
    #[derive(Clone, Copy, Debug)]
    pub struct Avx2(());

    /// Vectors of eight.
    #[derive(Clone, Copy, Debug)]
    pub struct Avx512(());

    impl Avx2 {
        /// The proof that this machine has AVX2, if it does.
        #[inline]
        #[must_use]
        pub fn detect() -> Option<Self> {
            is_x86_feature_detected!("avx2").then_some(Self(()))
        }
    }

    impl Avx512 {
        /// The proof that this machine has AVX-512 with its F, DQ and VL parts, and AVX2, if it does.
        #[inline]
        #[must_use]
        pub fn detect() -> Option<Self> {
            let has = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            has.then_some(Self(()))
        }
    }

    /// The same vector. The compiler would otherwise look through what it was put together from, and compute with its numbers one by one.
    #[inline]
    #[target_feature(enable = "avx")]
    fn four_at_once(mut v: __m256d) -> __m256d {
        // SAFETY: there is no instruction.
        unsafe { asm!("/* {0} */", inout(ymm_reg) v, options(pure, nomem, nostack, preserves_flags)) };
        v
    }

    /// The same, for eight.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn eight_at_once(mut v: __m512d) -> __m512d {
        // SAFETY: there is no instruction.
        unsafe { asm!("/* {0} */", inout(zmm_reg) v, options(pure, nomem, nostack, preserves_flags)) };
        v
    }

    /// Four rows of (x, y, z, w): lanes 0 and 2, then 1 and 3.
    // SAFETY: for callers on a machine with AVX2.
    #[inline(always)]
    unsafe fn turn_four([x, y, z, w]: [__m256d; 4]) -> [[__m256d; 2]; 2] {
        // SAFETY: as the caller promises.
        unsafe {
            let rows = |plane: __m256d, rest: __m256d| {
                [_mm256_permute2f128_pd::<0x20>(plane, rest), _mm256_permute2f128_pd::<0x31>(plane, rest)]
            };
            [
                rows(_mm256_unpacklo_pd(x, y), _mm256_unpacklo_pd(z, w)),
                rows(_mm256_unpackhi_pd(x, y), _mm256_unpackhi_pd(z, w)),
            ]
        }
    }

    /// Adds four numbers at once.
    // SAFETY: for callers on a machine with AVX2.
    #[inline(always)]
    unsafe fn add_row(sum: &mut Quad, row: &Quad) {
        // SAFETY: both are aligned to 32 bytes; the machine has AVX2, as the caller promises.
        unsafe {
            let to = sum.0.as_mut_ptr();
            _mm256_store_pd(to, _mm256_add_pd(_mm256_load_pd(to), _mm256_load_pd(row.0.as_ptr())));
        }
    }

    impl Width for Avx2 {
        #[inline(always)]
        fn points(self, points: [&Quad; LANES]) -> Vec3<Lanes> {
            let mut out = Vec3::<Lanes>::zero();
            // SAFETY: `self` proves that the machine has AVX2; points are aligned to 32 bytes, lanes to 64.
            unsafe {
                let load = |lane: usize| _mm256_load_pd(points[lane].0.as_ptr());
                for half in [0, 4] {
                    let four = [load(half), load(half + 1), load(half + 2), load(half + 3)];
                    let [[x, z], [y, _]] = turn_four(four);
                    _mm256_store_pd(out.x.0[half..].as_mut_ptr(), four_at_once(x));
                    _mm256_store_pd(out.y.0[half..].as_mut_ptr(), four_at_once(y));
                    _mm256_store_pd(out.z.0[half..].as_mut_ptr(), four_at_once(z));
                }
            }
            out
        }

        #[inline(always)]
        fn turn(self, [x, y, z, w]: &[Lanes; 4], rows: &mut Rows) {
            for half in [0, 4] {
                // SAFETY: `self` proves that the machine has AVX2; lanes and rows are aligned.
                unsafe {
                    let load = |lanes: &Lanes| four_at_once(_mm256_load_pd(lanes.0[half..].as_ptr()));
                    let [[a, c], [b, d]] = turn_four([load(x), load(y), load(z), load(w)]);
                    for (i, row) in [(0, a), (1, c), (LANES / 2, b), (LANES / 2 + 1, d)] {
                        _mm256_store_pd(rows.0[half / 2 + i].0.as_mut_ptr(), row);
                    }
                }
            }
        }

        #[inline(always)]
        fn add(self, sum: &mut Quad, row: &Quad) {
            // SAFETY: `self` proves that the machine has AVX2.
            unsafe { add_row(sum, row) }
        }

        #[inline(always)]
        fn at_most(self, one: &Lanes, other: &Lanes) -> u8 {
            // SAFETY: `self` proves that the machine has AVX2; lanes are aligned to 64 bytes.
            let [low, high] = [0, 4].map(|half| unsafe {
                let load = |lanes: &Lanes| _mm256_load_pd(lanes.0[half..].as_ptr());
                _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(load(one), load(other)))
            });
            (low | high << 4) as u8
        }
    }

    impl Width for Avx512 {
        #[inline(always)]
        fn points(self, points: [&Quad; LANES]) -> Vec3<Lanes> {
            let mut out = Vec3::<Lanes>::zero();
            // SAFETY: `self` proves that the machine has AVX-512; points are aligned to 32 bytes, lanes to 64.
            unsafe {
                let load = |lane: usize| _mm256_load_pd(points[lane].0.as_ptr());
                let pair = |low: usize, high: usize| {
                    _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(load(low)), load(high))
                };
                let halves = [(pair(0, 2), pair(1, 3)), (pair(4, 6), pair(5, 7))];
                let [low, high] = halves.map(|(even, odd)| _mm512_unpacklo_pd(even, odd));
                let x = _mm512_shuffle_f64x2::<0b10_00_10_00>(low, high);
                let z = _mm512_shuffle_f64x2::<0b11_01_11_01>(low, high);
                let [low, high] = halves.map(|(even, odd)| _mm512_unpackhi_pd(even, odd));
                let y = _mm512_shuffle_f64x2::<0b10_00_10_00>(low, high);
                _mm512_store_pd(out.x.0.as_mut_ptr(), eight_at_once(x));
                _mm512_store_pd(out.y.0.as_mut_ptr(), eight_at_once(y));
                _mm512_store_pd(out.z.0.as_mut_ptr(), eight_at_once(z));
            }
            out
        }

        #[inline(always)]
        fn turn(self, numbers: &[Lanes; 4], rows: &mut Rows) {
            // SAFETY: `self` proves that the machine has AVX-512; lanes and rows are aligned to 64 bytes.
            unsafe {
                let load = |i: usize| eight_at_once(_mm512_load_pd(numbers[i].0.as_ptr()));
                let (x, y, z, w) = (load(0), load(1), load(2), load(3));
                let first = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
                let last = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
                let even = (_mm512_unpacklo_pd(x, y), _mm512_unpacklo_pd(z, w));
                let odd = (_mm512_unpackhi_pd(x, y), _mm512_unpackhi_pd(z, w));
                for (to, (plane, rest)) in [(0, even), (LANES / 2, odd)] {
                    _mm512_store_pd(
                        rows.0[to..].as_mut_ptr().cast(),
                        _mm512_permutex2var_pd(plane, first, rest),
                    );
                    _mm512_store_pd(
                        rows.0[to + 2..].as_mut_ptr().cast(),
                        _mm512_permutex2var_pd(plane, last, rest),
                    );
                }
            }
        }

        #[inline(always)]
        fn add(self, sum: &mut Quad, row: &Quad) {
            // SAFETY: `self` proves that the machine has AVX2.
            unsafe { add_row(sum, row) }
        }

        #[inline(always)]
        fn at_most(self, one: &Lanes, other: &Lanes) -> u8 {
            // SAFETY: `self` proves that the machine has AVX-512; lanes are aligned to 64 bytes.
            unsafe {
                let load = |lanes: &Lanes| _mm512_load_pd(lanes.0.as_ptr());
                _mm512_cmp_pd_mask::<_CMP_LE_OQ>(load(one), load(other))
            }
        }
    }
}
