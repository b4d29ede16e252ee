//! Vectors of three numbers, generic over [`Real`].
//!
//! Sums of products are written out in one fixed order, x then y then z, so that a dot product
//! has the same bits whatever it is computed with.

use core::ops::{Add, AddAssign, Index, Mul, Neg, Sub, SubAssign};

use crate::{Lanes, Real};

/// A vector in space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Vec3<S = f64> {
    /// First component.
    pub x: S,
    /// Second component.
    pub y: S,
    /// Third component.
    pub z: S,
}

impl Vec3<Lanes> {
    /// The vector in one lane.
    #[inline(always)]
    #[must_use]
    pub fn lane(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x.0[lane], self.y.0[lane], self.z.0[lane])
    }

    /// Puts a vector into one lane.
    #[inline(always)]
    pub fn set_lane(&mut self, lane: usize, v: Vec3) {
        (self.x.0[lane], self.y.0[lane], self.z.0[lane]) = (v.x, v.y, v.z);
    }
}

impl<S: Real> Vec3<S> {
    /// The vector (`x`, `y`, `z`).
    #[inline(always)]
    pub const fn new(x: S, y: S, z: S) -> Self {
        Self { x, y, z }
    }

    /// The zero vector, whatever the number.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::new(S::zero(), S::zero(), S::zero())
    }

    /// A vector of plain numbers as a constant of this kind of number.
    #[inline(always)]
    pub fn constant(v: Vec3) -> Self {
        Self::new(S::constant(v.x), S::constant(v.y), S::constant(v.z))
    }

    /// Product component by component.
    #[inline(always)]
    #[must_use]
    pub fn scaled_by(self, other: Self) -> Self {
        Self::new(self.x * other.x, self.y * other.y, self.z * other.z)
    }

    /// Scalar product.
    #[inline(always)]
    #[must_use]
    pub fn dot(self, other: Self) -> S {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Vector product.
    #[inline(always)]
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    /// Squared length.
    #[inline(always)]
    #[must_use]
    pub fn length_sq(self) -> S {
        self.dot(self)
    }

    /// Length.
    #[inline(always)]
    #[must_use]
    pub fn length(self) -> S {
        self.length_sq().sqrt()
    }

    /// Each component of `self` where `condition` is not zero, else of `other`.
    #[inline(always)]
    #[must_use]
    pub fn where_nonzero(self, condition: S, other: Self) -> Self {
        Self::new(
            self.x.where_nonzero(condition, other.x),
            self.y.where_nonzero(condition, other.y),
            self.z.where_nonzero(condition, other.z),
        )
    }
}

impl Vec3 {
    /// The zero vector.
    pub const ZERO: Self = Self::new(0.0, 0.0, 0.0);
    /// Unit vector along x.
    pub const X: Self = Self::new(1.0, 0.0, 0.0);
    /// Unit vector along y.
    pub const Y: Self = Self::new(0.0, 1.0, 0.0);
    /// Unit vector along z.
    pub const Z: Self = Self::new(0.0, 0.0, 1.0);

    /// Three times the same number.
    pub const fn splat(value: f64) -> Self {
        Self::new(value, value, value)
    }

    /// The direction of the vector, or `None` if it has no length.
    #[must_use]
    pub fn try_normalize(self) -> Option<Self> {
        let length = self.length();
        (length > 0.0 && length.is_finite()).then(|| self * (1.0 / length))
    }

    /// The largest component in absolute value.
    #[must_use]
    pub fn max_abs(self) -> f64 {
        self.x.abs().max(self.y.abs()).max(self.z.abs())
    }

    /// Whether no component is infinite or NaN.
    #[inline(always)]
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }

    /// Whether every component is zero (either sign).
    #[inline(always)]
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.x == 0.0 && self.y == 0.0 && self.z == 0.0
    }

    /// The components in order.
    #[inline(always)]
    #[must_use]
    pub const fn to_array(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }
}

impl From<[f64; 3]> for Vec3 {
    #[inline(always)]
    fn from([x, y, z]: [f64; 3]) -> Self {
        Self::new(x, y, z)
    }
}

impl<S> Index<usize> for Vec3<S> {
    type Output = S;

    fn index(&self, axis: usize) -> &S {
        match axis {
            0 => &self.x,
            1 => &self.y,
            2 => &self.z,
            _ => panic!("a vector has axes 0, 1 and 2, not {axis}"),
        }
    }
}

impl<S: Real> Add for Vec3<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl<S: Real> Sub for Vec3<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl<S: Real> Neg for Vec3<S> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl<S: Real> Mul<S> for Vec3<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: S) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

impl Mul<Vec3> for f64 {
    type Output = Vec3;

    #[inline(always)]
    fn mul(self, vector: Vec3) -> Vec3 {
        vector * self
    }
}

impl<S: Real> AddAssign for Vec3<S> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<S: Real> SubAssign for Vec3<S> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl core::iter::Sum for Vec3 {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, |total, v| total + v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cross_product_is_orthogonal_to_both_factors() {
        let (a, b) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(-4.0, 0.5, 2.0));
        let c = a.cross(b);
        assert!(c.dot(a).abs() < 1e-14 && c.dot(b).abs() < 1e-14);
        assert_eq!(Vec3::X.cross(Vec3::Y), Vec3::Z);
    }

    #[test]
    fn a_vector_without_length_has_no_direction() {
        assert!(Vec3::ZERO.try_normalize().is_none());
        assert_eq!(Vec3::new(0.0, 2.0, 0.0).try_normalize(), Some(Vec3::Y));
    }
}
