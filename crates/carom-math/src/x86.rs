//! AVX2 and AVX-512: transposition of rows into lanes and back, which the compiler does badly by itself.

#![expect(unsafe_code, reason = "vector instructions, behind a value that proves they are there")]

// Nobody else can name a vector: who has not been handed a width cannot make one.
mod registers;

use core::arch::x86_64::{
    __m256d, __m512d, _CMP_LE_OQ, _mm256_add_pd, _mm256_andnot_pd, _mm256_cmp_pd, _mm256_load_pd,
    _mm256_movemask_pd, _mm256_or_pd, _mm256_permute2f128_pd, _mm256_set1_pd, _mm256_setzero_pd,
    _mm256_store_pd, _mm256_unpackhi_pd, _mm256_unpacklo_pd, _mm512_abs_pd, _mm512_castpd_si512,
    _mm512_castpd256_pd512, _mm512_castpd512_pd256, _mm512_castsi512_pd, _mm512_cmp_pd_mask,
    _mm512_extractf64x4_pd, _mm512_insertf64x4, _mm512_load_pd, _mm512_permutex2var_pd, _mm512_set_epi64,
    _mm512_setzero_pd, _mm512_shuffle_f64x2, _mm512_store_pd, _mm512_ternarylogic_epi64, _mm512_unpackhi_pd,
    _mm512_unpacklo_pd,
};

use crate::width::sealed::HasInstructions;
use crate::{F64x4, LANES, Lanes, Several, StencilIndices, Vec3, Width};
use registers::Vector;

/// Eight numbers in two registers.
type Fours = Several<Vector<__m256d>, 2>;
/// Eight numbers in one.
type Eight = Vector<__m512d>;

/// Vectors of four: the proof that this machine has AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// Vectors of eight: the proof that this machine has AVX-512 with its F, DQ and VL parts, and AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx2 {
    /// A token that shows that this machine has AVX2, if it does.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }
}

impl Avx512 {
    /// A token that shows that this machine has AVX-512 with its F, DQ and VL parts, and AVX2, if it does.
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

/// Four rows of (x, y, z, w): lanes 0 and 2, then 1 and 3.
// SAFETY: for callers on a machine with AVX2.
#[inline(always)]
unsafe fn transpose_four([x, y, z, w]: [__m256d; 4]) -> [[__m256d; 2]; 2] {
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

/// Eight rows of (x, y, z, w), two in a register: lanes 0 and 2, 4 and 6, then 1 and 3, 5 and 7.
// SAFETY: for callers on a machine with AVX-512.
#[inline(always)]
unsafe fn transpose_eight([x, y, z, w]: [__m512d; 4]) -> [[__m512d; 2]; 2] {
    // SAFETY: as the caller promises.
    unsafe {
        let first = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
        let last = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
        let rows = |plane: __m512d, rest: __m512d| {
            [_mm512_permutex2var_pd(plane, first, rest), _mm512_permutex2var_pd(plane, last, rest)]
        };
        [
            rows(_mm512_unpacklo_pd(x, y), _mm512_unpacklo_pd(z, w)),
            rows(_mm512_unpackhi_pd(x, y), _mm512_unpackhi_pd(z, w)),
        ]
    }
}

/// The row of one lane.
// SAFETY: for callers on a machine with AVX-512.
#[inline(always)]
unsafe fn row_of(turned: &[[__m512d; 2]; 2], lane: usize) -> __m256d {
    let two = turned[lane % 2][lane / 4];
    // SAFETY: as the caller promises.
    unsafe { if lane % 4 < 2 { _mm512_castpd512_pd256(two) } else { _mm512_extractf64x4_pd::<1>(two) } }
}

/// Adds a row to an accumulator.
// SAFETY: for callers on a machine with AVX2, and the numbers of an accumulator that nothing else refers to.
#[inline(always)]
unsafe fn add_row(accumulator: *mut f64, row: __m256d) {
    // SAFETY: as the caller promises; an accumulator is four numbers aligned to 32 bytes.
    unsafe { _mm256_store_pd(accumulator, _mm256_add_pd(_mm256_load_pd(accumulator), row)) };
}

// SAFETY: its field is private, and `detect` alone makes a value, where AVX2 is there. Numbers of this width take no more.
unsafe impl HasInstructions for Avx2 {}

impl Width for Avx2 {
    type Numbers = Fours;

    #[inline(always)]
    fn load(self, lanes: &Lanes) -> Fours {
        let (low, high) = lanes.0.split_at(LANES / 2);
        // SAFETY: `self` proves that the machine has AVX2; lanes are aligned to 64 bytes.
        let load = |half: &[f64]| Vector(unsafe { _mm256_load_pd(half.as_ptr()) });
        Several([load(low), load(high)])
    }

    #[inline(always)]
    fn store(self, Several([low, high]): Fours) -> Lanes {
        let mut lanes = Lanes([0.0; LANES]);
        // SAFETY: as in `load`.
        unsafe {
            _mm256_store_pd(lanes.0.as_mut_ptr(), low.0);
            _mm256_store_pd(lanes.0[LANES / 2..].as_mut_ptr(), high.0);
        }
        lanes
    }

    #[inline(always)]
    fn points(self, points: [&F64x4; LANES]) -> Vec3<Fours> {
        // SAFETY: `self` proves that the machine has AVX2; points are aligned to 32 bytes.
        unsafe {
            let load = |lane: usize| _mm256_load_pd(points[lane].0.as_ptr());
            let [[ax, az], [ay, _]] = transpose_four([load(0), load(1), load(2), load(3)]);
            let [[bx, bz], [by, _]] = transpose_four([load(4), load(5), load(6), load(7)]);
            let fours = |low: __m256d, high: __m256d| Several([Vector(low), Vector(high)]);
            Vec3 { x: fours(ax, bx), y: fours(ay, by), z: fours(az, bz) }
        }
    }

    #[inline(always)]
    fn rows(self, [x, y, z, w]: [Fours; 4]) -> [F64x4; LANES] {
        let mut rows = [F64x4::default(); LANES];
        for half in 0..2 {
            // SAFETY: `self` proves that the machine has AVX2; rows are aligned to 32 bytes.
            unsafe {
                let turned = transpose_four([x.0[half].0, y.0[half].0, z.0[half].0, w.0[half].0]);
                for lane in 0..LANES / 2 {
                    let row = rows[LANES / 2 * half + lane].0.as_mut_ptr();
                    _mm256_store_pd(row, turned[lane % 2][lane / 2]);
                }
            }
        }
        rows
    }

    // SAFETY: for callers as the trait has them.
    #[inline(always)]
    unsafe fn add<const N: usize>(
        self,
        vectors: &[Vec3<Fours>; N],
        places: &StencilIndices<N>,
        numbers: *mut f64,
    ) {
        for half in 0..2 {
            // SAFETY: `self` proves that the machine has AVX2.
            let mut rows = [[[unsafe { _mm256_setzero_pd() }; 2]; 2]; N];
            for i in 0..N {
                let [x, y, z] = [vectors[i].x.0[half].0, vectors[i].y.0[half].0, vectors[i].z.0[half].0];
                // SAFETY: as above.
                rows[i] = unsafe {
                    let bits = _mm256_or_pd(_mm256_or_pd(x, y), z);
                    transpose_four([x, y, z, _mm256_andnot_pd(_mm256_set1_pd(-0.0), bits)])
                };
            }
            for lane in 0..LANES / 2 {
                for i in 0..N {
                    let place = places.starts[i][LANES / 2 * half + lane] as usize;
                    // SAFETY: as above, and as the caller promises.
                    unsafe { add_row(numbers.wrapping_add(place), rows[i][lane % 2][lane / 2]) };
                }
            }
        }
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

// SAFETY: its field is private, and `detect` alone makes a value, where AVX2 and AVX-512 F, DQ and VL are there. Numbers of this width take no more.
unsafe impl HasInstructions for Avx512 {}

impl Width for Avx512 {
    type Numbers = Eight;

    #[inline(always)]
    fn load(self, lanes: &Lanes) -> Eight {
        // SAFETY: `self` proves that the machine has AVX-512; lanes are aligned to 64 bytes.
        Vector(unsafe { _mm512_load_pd(lanes.0.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, numbers: Eight) -> Lanes {
        let mut lanes = Lanes([0.0; LANES]);
        // SAFETY: as in `load`.
        unsafe { _mm512_store_pd(lanes.0.as_mut_ptr(), numbers.0) };
        lanes
    }

    #[inline(always)]
    fn points(self, points: [&F64x4; LANES]) -> Vec3<Eight> {
        // SAFETY: `self` proves that the machine has AVX-512; points are aligned to 32 bytes.
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
            Vec3 { x: Vector(x), y: Vector(y), z: Vector(z) }
        }
    }

    #[inline(always)]
    fn rows(self, [x, y, z, w]: [Eight; 4]) -> [F64x4; LANES] {
        let mut rows = [F64x4::default(); LANES];
        // SAFETY: `self` proves that the machine has AVX-512; rows are aligned to 32 bytes.
        unsafe {
            let turned = transpose_eight([x.0, y.0, z.0, w.0]);
            for lane in 0..LANES {
                _mm256_store_pd(rows[lane].0.as_mut_ptr(), row_of(&turned, lane));
            }
        }
        rows
    }

    // SAFETY: for callers as the trait has them.
    #[inline(always)]
    unsafe fn add<const N: usize>(
        self,
        vectors: &[Vec3<Eight>; N],
        places: &StencilIndices<N>,
        numbers: *mut f64,
    ) {
        // SAFETY: `self` proves that the machine has AVX-512.
        let mut rows = [[[unsafe { _mm512_setzero_pd() }; 2]; 2]; N];
        for i in 0..N {
            let Vec3 { x: Vector(x), y: Vector(y), z: Vector(z) } = vectors[i];
            // SAFETY: as above.
            rows[i] = unsafe {
                let [a, b, c] = [_mm512_castpd_si512(x), _mm512_castpd_si512(y), _mm512_castpd_si512(z)];
                let any = _mm512_castsi512_pd(_mm512_ternarylogic_epi64::<0xfe>(a, b, c));
                transpose_eight([x, y, z, _mm512_abs_pd(any)])
            };
        }
        for lane in 0..LANES {
            for i in 0..N {
                let place = places.starts[i][lane] as usize;
                // SAFETY: as above, and as the caller promises.
                unsafe { add_row(numbers.wrapping_add(place), row_of(&rows[i], lane)) };
            }
        }
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
