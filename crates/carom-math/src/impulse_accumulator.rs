//! A sum of vectors that knows whether it is empty.
//!
//! The fourth number beside the three components is zero only if every vector was; its value has no other meaning. A vertex that no impulse
//! touched does not move. It is a sum of marks, numbers above zero that have every bit of a vector's components but the signs; it may well
//! be infinite or no number. So adding is one load, one addition and one store of four numbers. Code that adds vectors without their marks
//! completes the sums afterwards, and restores the marks where a sum is zero ([`ImpulseAccumulator::settle`],
//! [`ImpulseAccumulator::touch`]).

use crate::{F64x4, Vec3};

/// Sum of vectors, and a mark that is zero only if they all were. Starts from +0.0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct ImpulseAccumulator(pub(crate) F64x4);

impl ImpulseAccumulator {
    /// Adds a vector.
    #[inline(always)]
    pub fn add(&mut self, vector: Vec3) {
        let [x, y, z, _] = &mut self.0.0;
        *x += vector.x;
        *y += vector.y;
        *z += vector.z;
        self.touch(vector);
    }

    /// Adds the mark of a vector that is in the sum already.
    #[inline(always)]
    pub fn touch(&mut self, vector: Vec3) {
        let bits = vector.x.to_bits() | vector.y.to_bits() | vector.z.to_bits();
        self.0.0[3] += f64::from_bits(bits).abs();
    }

    /// After vectors were added without their marks: a sum that is not zero was touched. Whether it was, as far as is known then.
    #[inline(always)]
    pub fn settle(&mut self) -> bool {
        self.touch(self.sum());
        self.is_touched()
    }

    /// Whether any vector that was added was other than zero.
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
    pub fn row(&self) -> F64x4 {
        self.0
    }

    /// Takes the sum and starts anew; `None` if no vector was other than zero.
    #[inline(always)]
    pub fn take(&mut self) -> Option<Vec3> {
        self.is_touched().then(|| core::mem::take(self).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_without_marks_tells_what_was_touched_unless_it_is_zero() {
        let tiny = Vec3::new(0.0, -5e-324, 0.0);
        let mut accumulator = ImpulseAccumulator(F64x4::from(tiny));
        assert!(accumulator.take().is_none() && accumulator.settle());
        assert_eq!(accumulator.take(), Some(tiny));
        accumulator.0 = F64x4::from(tiny) + F64x4::from(-tiny);
        assert!(!accumulator.settle() && accumulator.take().is_none());
        accumulator.touch(Vec3::new(-0.0, 0.0, -0.0));
        assert!(!accumulator.is_touched());
        accumulator.touch(tiny);
        assert_eq!(accumulator.take(), Some(Vec3::ZERO));
        assert_eq!(accumulator, ImpulseAccumulator::default());
    }

    #[test]
    fn nothing_but_zeros_touches_nothing_and_no_touch_is_ever_lost() {
        let touched = |vectors: &[Vec3]| {
            let mut accumulator = ImpulseAccumulator::default();
            for &vector in vectors {
                accumulator.add(vector);
            }
            accumulator.is_touched()
        };
        assert!(!touched(&[Vec3::ZERO, Vec3::new(-0.0, 0.0, -0.0)]));
        for tiny in
            [Vec3::new(0.0, 0.0, 5e-324), -Vec3::Y * 5e-324, Vec3::new(-2.0, 3.0, 0.5), Vec3::X * f64::MAX]
        {
            assert!(
                touched(&[tiny]) && touched(&[tiny, -tiny]) && touched(&[tiny, tiny, tiny, -tiny]),
                "{tiny:?}"
            );
        }
    }
}
