//! Boxes with sides along the axes.
//!
//! A box is closed: boxes that touch overlap. Nothing here rounds, except [`Bounds::grown`], which rounds
//! outward.

use carom_math::Vec3;

/// An axis-aligned box: all points between two corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least coordinates.
    pub min: Vec3,
    /// The greatest coordinates.
    pub max: Vec3,
}

impl Bounds {
    /// The box that holds nothing.
    pub const EMPTY: Self = Self { min: Vec3::splat(f64::INFINITY), max: Vec3::splat(f64::NEG_INFINITY) };

    /// The smallest box around some points.
    #[must_use]
    pub fn of(points: &[Vec3]) -> Self {
        points.iter().fold(Self::EMPTY, |b, p| b.joined(&Self { min: *p, max: *p }))
    }

    /// The smallest box around two.
    #[inline]
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        let zip = |a: Vec3, b: Vec3, f: fn(f64, f64) -> f64| Vec3::new(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z));
        Self { min: zip(self.min, other.min, f64::min), max: zip(self.max, other.max, f64::max) }
    }

    /// Whether the boxes share a point.
    #[inline]
    #[must_use]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "which axis tells boxes apart is anyone's guess: no branch is foreseen"
    )]
    pub fn overlaps(&self, other: &Self) -> bool {
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
            & (self.min.z <= other.max.z)
            & (other.min.z <= self.max.z)
    }

    /// The box grown by `margin` (in m, not negative) on every side, rounded outward.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        let [a, b, c] = self.min.to_array().map(|x| (x - margin).next_down());
        let [d, e, f] = self.max.to_array().map(|x| (x + margin).next_up());
        Self { min: Vec3::new(a, b, c), max: Vec3::new(d, e, f) }
    }

    /// Twice the centre: what boxes are sorted by.
    #[inline]
    pub(crate) fn centre(&self) -> Vec3 {
        self.min + self.max
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_that_touch_overlap_and_the_empty_one_never() {
        let unit = Bounds::of(&[Vec3::ZERO, Vec3::splat(1.0)]);
        let beside = Bounds::of(&[Vec3::new(1.0, 0.5, 0.5), Vec3::new(2.0, 3.0, 4.0)]);
        assert!(unit.overlaps(&beside) && beside.overlaps(&unit));
        assert!(!unit.overlaps(&Bounds::of(&[Vec3::new(0.5, 0.5, 1.5)])));
        assert!(!unit.overlaps(&Bounds::EMPTY) && !Bounds::EMPTY.overlaps(&Bounds::EMPTY));
        assert!(unit.grown(0.5).overlaps(&Bounds::of(&[Vec3::new(0.5, 0.5, 1.5)])));
    }
}
