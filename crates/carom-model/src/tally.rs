//! The impulses on one vertex, as they are being summed.
//!
//! The fourth number beside the three components counts those that were not zero: a vertex that
//! none touched does not move. So adding is one load, one addition and one store of a vector.

use carom_math::{Lanes, Quad, Real, Rows, Vec3, Width};

/// Sum of the impulses on one vertex, in N·s, and how many of them were not zero. Starts from +0.0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally(Quad);

impl Tally {
    /// Adds one impulse.
    #[inline(always)]
    pub fn add(&mut self, impulse: Vec3) {
        let [x, y, z, count] = &mut self.0.0;
        *x += impulse.x;
        *y += impulse.y;
        *z += impulse.z;
        *count += if impulse.is_zero() { 0.0 } else { 1.0 };
    }

    /// The sum so far, in N·s.
    #[inline(always)]
    #[must_use]
    pub fn impulse(&self) -> Vec3 {
        let [x, y, z, _] = self.0.0;
        Vec3::new(x, y, z)
    }

    /// Takes the sum and starts anew; `None` if no impulse was other than zero.
    #[inline(always)]
    pub fn take(&mut self) -> Option<Vec3> {
        (self.0.0[3] != 0.0).then(|| core::mem::take(self).impulse())
    }
}

/// Eight impulses, each with its count, ready to be added.
#[derive(Clone, Copy)]
pub(crate) struct Counted(Rows);

impl Counted {
    pub(crate) const NONE: Self = Self(Rows::ZERO);

    #[inline(always)]
    pub(crate) fn set(&mut self, width: impl Width, Vec3 { x, y, z }: Vec3<Lanes>) {
        let one = Lanes::constant(1.0);
        let count = one.where_nonzero(x, one.where_nonzero(y, one.where_nonzero(z, Lanes::zero())));
        width.turn(&[x, y, z, count], &mut self.0);
    }

    #[inline(always)]
    pub(crate) fn add_to(&self, width: impl Width, tally: &mut Tally, lane: usize) {
        width.add(&mut tally.0, self.0.lane(lane));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::{Baseline, LANES};

    #[test]
    fn what_is_nothing_touches_nothing_and_lanes_add_what_scalars_do() {
        let impulses = [Vec3::ZERO, Vec3::X, -Vec3::Y * 0.1, Vec3::new(-0.0, 0.0, -0.0)];
        let lanes = |of: fn(&Vec3) -> f64| Lanes(core::array::from_fn(|lane| of(&impulses[lane % 4])));
        let mut counted = Counted::NONE;
        counted.set(Baseline, Vec3::new(lanes(|j| j.x), lanes(|j| j.y), lanes(|j| j.z)));
        for lane in 0..LANES {
            let (mut one, mut other) = (Tally::default(), Tally::default());
            one.add(impulses[lane % 4]);
            counted.add_to(Baseline, &mut other, lane);
            assert_eq!(one, other);
            assert_eq!(one.impulse(), impulses[lane % 4]);
            assert_eq!(one.take().is_some(), !impulses[lane % 4].is_zero());
        }
    }
}
