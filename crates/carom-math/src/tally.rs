//! A sum of vectors that knows whether it is empty.
//!
//! The fourth number beside the three components is zero only if every vector was, and nothing else counts of it: a vertex
//! that no impulse touched does not move. It is the sum of the sizes of vectors, or of their sum. So adding is one load, one addition and one store of four numbers. Who adds vectors without
//! their sizes settles the sums afterwards, and finds the sizes where a sum is zero ([`Tally::settle`], [`Tally::touch`]).

use crate::{Lanes, Quad, Rows, Vec3, Width};

/// Sum of vectors, and a size that is zero only if they all were. Starts from +0.0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct Tally(pub(crate) Quad);

impl Tally {
    /// Adds a vector.
    #[inline(always)]
    pub fn add(&mut self, vector: Vec3) {
        let [x, y, z, _] = &mut self.0.0;
        *x += vector.x;
        *y += vector.y;
        *z += vector.z;
        self.touch(vector);
    }

    /// Adds the size of a vector that is in the sum already.
    #[inline(always)]
    pub fn touch(&mut self, vector: Vec3) {
        self.0.0[3] += vector.x.abs() + vector.y.abs() + vector.z.abs();
    }

    /// After vectors were added without their sizes: a sum that is not zero was touched. Whether it was, as far as is known then.
    #[inline(always)]
    pub fn settle(&mut self) -> bool {
        self.touch(self.sum());
        self.is_touched()
    }

    /// Whether some vector was other than zero.
    #[inline(always)]
    #[must_use]
    pub fn is_touched(&self) -> bool {
        self.0.0[3] != 0.0
    }

    /// The sum so far.
    #[inline(always)]
    #[must_use]
    pub fn sum(&self) -> Vec3 {
        self.0.xyz()
    }

    /// The sum so far in a row, and beside it a number that counts for nothing.
    #[inline(always)]
    #[must_use]
    pub fn row(&self) -> Quad {
        self.0
    }

    /// Takes the sum and starts anew; `None` if no vector was other than zero.
    #[inline(always)]
    pub fn take(&mut self) -> Option<Vec3> {
        self.is_touched().then(|| core::mem::take(self).sum())
    }
}

impl Rows {
    /// Eight vectors, each with its size, ready for [`Width::scatter`].
    #[inline(always)]
    pub fn set(&mut self, width: impl Width, Vec3 { x, y, z }: Vec3<Lanes>) {
        width.turn(&[x, y, z, x.abs() + y.abs() + z.abs()], self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Baseline, LANES, Places};

    #[test]
    fn a_sum_without_sizes_tells_what_was_touched_unless_it_is_zero() {
        let tiny = Vec3::new(0.0, -5e-324, 0.0);
        let mut tally = Tally(Quad::from(tiny));
        assert!(tally.take().is_none() && tally.settle());
        assert_eq!(tally.take(), Some(tiny));
        tally.0 = Quad::from(tiny) + Quad::from(-tiny);
        assert!(!tally.settle() && tally.take().is_none());
        tally.touch(Vec3::new(-0.0, 0.0, -0.0));
        assert!(!tally.is_touched());
        tally.touch(tiny);
        assert_eq!(tally.take(), Some(Vec3::ZERO));
        assert_eq!(tally, Tally::default());
    }

    #[test]
    fn what_is_nothing_touches_nothing_and_lanes_add_what_scalars_do() {
        let vectors = [Vec3::ZERO, Vec3::X, -Vec3::Y * 0.1, Vec3::new(-0.0, 0.0, -0.0)];
        let lanes = |of: fn(&Vec3) -> f64| Lanes(core::array::from_fn(|lane| of(&vectors[lane % 4])));
        let mut rows = [Rows::ZERO];
        rows[0].set(Baseline, Vec3::new(lanes(|j| j.x), lanes(|j| j.y), lanes(|j| j.z)));
        let places = Places::new([core::array::from_fn(|lane| 10 + lane as u32)]);
        for count in [LANES, 5] {
            // A window of the tallies: what is beside it is dropped.
            for (first, len) in [(10, 8), (0, 30), (12, 3), (16, 30)] {
                let mut tallies = vec![Tally::default(); len];
                Baseline.scatter(&rows, count, &places, first, &mut tallies);
                for (number, tally) in (first..).zip(&mut tallies) {
                    let lane = (number as usize).wrapping_sub(10);
                    let mut alone = Tally::default();
                    if lane < count {
                        alone.add(vectors[lane % 4]);
                    }
                    assert_eq!(*tally, alone, "{number} from {first}");
                    assert_eq!(tally.take().is_some(), alone.sum() != Vec3::ZERO);
                }
            }
        }
    }
}
