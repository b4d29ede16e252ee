//! Where elements find their points, and the rows of four numbers they are kept in.

use crate::{ImpulseAccumulator, LANES, Vec3};

/// Four numbers in a row, read or added at once: those of a point and a zero, or those of a [`ImpulseAccumulator`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct F64x4(pub(crate) [f64; 4]);

impl F64x4 {
    /// Four zeros.
    pub const ZERO: Self = Self([0.0; 4]);

    /// The first three numbers.
    #[inline(always)]
    #[must_use]
    pub fn xyz(self) -> Vec3 {
        let [x, y, z, _] = self.0;
        Vec3::new(x, y, z)
    }

    /// All four numbers.
    #[inline(always)]
    #[must_use]
    pub fn to_array(self) -> [f64; 4] {
        self.0
    }

    /// Whether all four numbers are zero.
    #[inline(always)]
    #[must_use]
    pub fn is_zero(&self) -> bool {
        let bits = self.0.iter().fold(0, |bits, number| bits | number.to_bits());
        // Zeros differ from each other in the sign alone.
        bits << 1 == 0
    }
}

impl From<Vec3> for F64x4 {
    #[inline(always)]
    fn from(v: Vec3) -> Self {
        Self([v.x, v.y, v.z, 0.0])
    }
}

impl From<[f64; 4]> for F64x4 {
    #[inline(always)]
    fn from(numbers: [f64; 4]) -> Self {
        Self(numbers)
    }
}

/// Indices of the points of eight elements with `N` points each, checked once for all.
#[derive(Clone, Copy, Debug)]
pub struct StencilIndices<const N: usize> {
    /// How many numbers lie before each row: an address without arithmetic (the compiler would do it in vectors, and take these apart).
    pub(crate) starts: [[u32; LANES]; N],
    lowest: u32,
    pub(crate) highest: u32,
}

impl<const N: usize> StencilIndices<N> {
    /// The indices of all lanes in each place of the stencil.
    ///
    /// # Panics
    /// If one is 2³⁰ or more.
    #[must_use]
    pub fn new(indices: [[u32; LANES]; N]) -> Self {
        let all = || indices.iter().flatten().copied();
        let (lowest, highest) = (all().fold(u32::MAX, u32::min), all().fold(0, u32::max));
        assert!(highest < 1 << 30, "{highest} is more points than there is room for");
        Self { starts: indices.map(|lanes| lanes.map(|index| 4 * index)), lowest, highest }
    }

    /// The index of place `i` of the stencil in a lane.
    #[inline(always)]
    #[must_use]
    pub fn index(&self, i: usize, lane: usize) -> u32 {
        self.starts[i][lane] / 4
    }

    /// The indices of one lane.
    #[inline(always)]
    #[must_use]
    pub fn of(&self, lane: usize) -> [u32; N] {
        let mut indices = [0; N];
        for i in 0..N {
            indices[i] = self.index(i, lane);
        }
        indices
    }

    /// Whether all indices are in a slice of `len` whose first has the number `first`.
    #[inline(always)]
    pub(crate) fn are_within(&self, first: u32, len: usize) -> bool {
        first <= self.lowest && ((self.highest.wrapping_sub(first)) as usize) < len
    }

    /// The points of one lane.
    // SAFETY: for callers whose points are more than the highest index.
    #[inline(always)]
    #[expect(unsafe_code, clippy::cast_ptr_alignment, reason = "one comparison stands for 8N")]
    unsafe fn points_of(&self, lane: usize, points: &[F64x4]) -> [F64x4; N] {
        let mut at = [F64x4::default(); N];
        for i in 0..N {
            let numbers: *const f64 = points.as_ptr().cast();
            // SAFETY: no index is above the highest, which is within; every fourth number starts a row.
            at[i] = unsafe { *numbers.add(self.starts[i][lane] as usize).cast::<F64x4>() };
        }
        at
    }

    /// Adds the rows that `rows_of` makes of a lane and its points, for the first `lanes` elements, one after the other, to accumulators of
    /// which the first has the number `first`; rows of other points are dropped. Rows have no marks: see [`ImpulseAccumulator::touch`].
    ///
    /// # Panics
    /// If an index is out of bounds.
    #[inline(always)]
    pub fn add_each(
        &self,
        points: &[F64x4],
        lanes: usize,
        first: u32,
        accumulators: &mut [ImpulseAccumulator],
        mut rows_of: impl FnMut(usize, [F64x4; N]) -> [F64x4; N],
    ) {
        assert!((self.highest as usize) < points.len(), "points that are not there");
        if lanes == LANES && self.are_within(first, accumulators.len()) {
            let numbers: *mut f64 = accumulators.as_mut_ptr().wrapping_sub(first as usize).cast();
            for lane in 0..LANES {
                // SAFETY: just asserted.
                #[expect(unsafe_code, reason = "checked for all")]
                let rows = rows_of(lane, unsafe { self.points_of(lane, points) });
                for i in 0..N {
                    let accumulator = numbers.wrapping_add(self.starts[i][lane] as usize);
                    // SAFETY: no index is below the lowest or above the highest, which are within; an accumulator is a row of four.
                    #[expect(unsafe_code, clippy::cast_ptr_alignment, reason = "checked for all")]
                    let accumulator = unsafe { &mut *accumulator.cast::<ImpulseAccumulator>() };
                    accumulator.0 = accumulator.0 + rows[i];
                }
            }
            return;
        }
        for lane in 0..lanes {
            // SAFETY: as above.
            #[expect(unsafe_code, reason = "checked for all")]
            let rows = rows_of(lane, unsafe { self.points_of(lane, points) });
            for i in 0..N {
                let index = self.index(i, lane).wrapping_sub(first);
                if let Some(accumulator) = accumulators.get_mut(index as usize) {
                    accumulator.0 = accumulator.0 + rows[i];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_zero_whatever_the_signs() {
        assert!(F64x4([0.0, -0.0, -0.0, 0.0]).is_zero());
        for number in [5e-324, -5e-324, f64::NAN, f64::NEG_INFINITY] {
            for i in 0..4 {
                let mut row = F64x4::default();
                row.0[i] = number;
                assert!(!row.is_zero(), "{number} in place {i}");
            }
        }
    }

    #[test]
    fn rows_are_added_in_order_and_what_is_beside_the_tallies_is_dropped() {
        let point = |v: u32| Vec3::new(f64::from(v).sin(), f64::from(v).exp(), 0.1 * f64::from(v));
        let points: Vec<F64x4> = (0..30).map(|v| point(v).into()).collect();
        let indices = [10, 13].map(|from| core::array::from_fn(|lane| from + (lane * lane % 5) as u32));
        let places = StencilIndices::new(indices);
        let factors = |lane: usize| [0.3 + lane as f64, -0.7 * lane as f64];
        for lanes in [LANES, 5, 0] {
            for (first, len) in [(0, 30), (10, 8), (12, 3), (14, 30), (20, 4)] {
                let mut accumulators = vec![ImpulseAccumulator::default(); len];
                places.add_each(&points, lanes, first, &mut accumulators, |lane, [a, b]| {
                    let [u, v] = factors(lane);
                    [a * u, b * v]
                });
                let mut sums = vec![Vec3::ZERO; 60];
                for lane in 0..lanes {
                    for (v, factor) in places.of(lane).into_iter().zip(factors(lane)) {
                        sums[v as usize] += point(v) * factor;
                    }
                }
                let window = &sums[first as usize..first as usize + len];
                assert_eq!(
                    accumulators.iter().map(ImpulseAccumulator::sum).collect::<Vec<_>>(),
                    window,
                    "{lanes} {first}"
                );
            }
        }
    }

    #[test]
    #[should_panic(expected = "points that are not there")]
    fn points_that_are_not_there_are_not_read() {
        let places = StencilIndices::new([[3; LANES]]);
        places.add_each(&[F64x4::default(); 3], 1, 0, &mut [], |_, at| at);
    }
}
