//! A sum of vectors that knows whether it is empty.
//!
//! The fourth number beside the three components is the sum of their sizes, zero only if every vector was: a vertex
//! that no impulse touched does not move. So adding is one load, one addition and one store of four numbers.

use crate::width::Quad;
use crate::{Lanes, Rows, Vec3, Width};

/// Sum of vectors, and of the sizes of their components. Starts from +0.0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct Tally(pub(crate) Quad);

impl Tally {
    /// Adds a vector.
    #[inline(always)]
    pub fn add(&mut self, vector: Vec3) {
        let [x, y, z, size] = &mut self.0.0;
        *x += vector.x;
        *y += vector.y;
        *z += vector.z;
        *size += vector.x.abs() + vector.y.abs() + vector.z.abs();
    }

    /// The sum so far.
    #[inline(always)]
    #[must_use]
    pub fn sum(&self) -> Vec3 {
        self.0.xyz()
    }

    /// Takes the sum and starts anew; `None` if no vector was other than zero.
    #[inline(always)]
    pub fn take(&mut self) -> Option<Vec3> {
        (self.0.0[3] != 0.0).then(|| core::mem::take(self).sum())
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
