//! Where elements find their points, and the rows of four numbers they are kept in.

use crate::{LANES, Tally, Vec3};

/// Four numbers in a row, read or added at once: those of a point and a zero, or those of a [`Tally`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct Quad(pub(crate) [f64; 4]);

impl Quad {
    /// The first three numbers.
    #[inline(always)]
    #[must_use]
    pub fn xyz(self) -> Vec3 {
        let [x, y, z, _] = self.0;
        Vec3::new(x, y, z)
    }

    /// Whether all four are zero.
    #[inline(always)]
    #[must_use]
    pub fn is_zero(&self) -> bool {
        let bits = self.0.iter().fold(0, |bits, number| bits | number.to_bits());
        // Zeros differ from each other in the sign alone.
        bits << 1 == 0
    }
}

impl From<Vec3> for Quad {
    #[inline(always)]
    fn from(v: Vec3) -> Self {
        Self([v.x, v.y, v.z, 0.0])
    }
}

impl From<[f64; 4]> for Quad {
    #[inline(always)]
    fn from(numbers: [f64; 4]) -> Self {
        Self(numbers)
    }
}

/// Where eight elements of `N` points find them: checked once for all.
#[derive(Clone, Copy, Debug)]
pub struct Places<const N: usize> {
    /// How many numbers lie before each row: an address without arithmetic (the compiler would do it in vectors, and take these apart).
    pub(crate) starts: [[u32; LANES]; N],
    lowest: u32,
    pub(crate) highest: u32,
}

impl<const N: usize> Places<N> {
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
    unsafe fn points_of(&self, lane: usize, points: &[Quad]) -> [Quad; N] {
        let mut at = [Quad::default(); N];
        for i in 0..N {
            let numbers: *const f64 = points.as_ptr().cast();
            // SAFETY: no index is above the highest, which is within; every fourth number starts a row.
            at[i] = unsafe { *numbers.add(self.starts[i][lane] as usize).cast::<Quad>() };
        }
        at
    }

    /// Adds the rows that `rows_of` makes of a lane and its points, for the first `lanes` elements, one after the other, to tallies of which the
    /// first has the number `first`; what falls beside them is dropped. Rows have no marks: see [`Tally::touch`].
    ///
    /// # Panics
    /// If an index is out of bounds.
    #[inline(always)]
    pub fn add_each(
        &self,
        points: &[Quad],
        lanes: usize,
        first: u32,
        tallies: &mut [Tally],
        mut rows_of: impl FnMut(usize, [Quad; N]) -> [Quad; N],
    ) {
        assert!((self.highest as usize) < points.len(), "points that are not there");
        if lanes == LANES && self.are_within(first, tallies.len()) {
            let numbers: *mut f64 = tallies.as_mut_ptr().wrapping_sub(first as usize).cast();
            for lane in 0..LANES {
                // SAFETY: just asserted.
                #[expect(unsafe_code, reason = "checked for all")]
                let rows = rows_of(lane, unsafe { self.points_of(lane, points) });
                for i in 0..N {
                    let tally = numbers.wrapping_add(self.starts[i][lane] as usize);
                    // SAFETY: no index is below the lowest or above the highest, which are within; a tally is a row of four.
                    #[expect(unsafe_code, clippy::cast_ptr_alignment, reason = "checked for all")]
                    let tally = unsafe { &mut *tally.cast::<Tally>() };
                    tally.0 = tally.0 + rows[i];
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
                if let Some(tally) = tallies.get_mut(index as usize) {
                    tally.0 = tally.0 + rows[i];
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
        assert!(Quad([0.0, -0.0, -0.0, 0.0]).is_zero());
        for number in [5e-324, -5e-324, f64::NAN, f64::NEG_INFINITY] {
            for i in 0..4 {
                let mut row = Quad::default();
                row.0[i] = number;
                assert!(!row.is_zero(), "{number} in place {i}");
            }
        }
    }

    #[test]
    fn rows_are_added_in_order_and_what_is_beside_the_tallies_is_dropped() {
        let point = |v: u32| Vec3::new(f64::from(v).sin(), f64::from(v).exp(), 0.1 * f64::from(v));
        let points: Vec<Quad> = (0..30).map(|v| point(v).into()).collect();
        let indices = [10, 13].map(|from| core::array::from_fn(|lane| from + (lane * lane % 5) as u32));
        let places = Places::new(indices);
        let factors = |lane: usize| [0.3 + lane as f64, -0.7 * lane as f64];
        for lanes in [LANES, 5, 0] {
            for (first, len) in [(0, 30), (10, 8), (12, 3), (14, 30), (20, 4)] {
                let mut tallies = vec![Tally::default(); len];
                places.add_each(&points, lanes, first, &mut tallies, |lane, [a, b]| {
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
                assert_eq!(tallies.iter().map(Tally::sum).collect::<Vec<_>>(), window, "{lanes} {first}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "points that are not there")]
    fn points_that_are_not_there_are_not_read() {
        let places = Places::new([[3; LANES]]);
        places.add_each(&[Quad::default(); 3], 1, 0, &mut [], |_, at| at);
    }
}
