//! Rotations and frames: three columns of a 3×3 matrix.

use crate::Vec3;

/// A 3×3 matrix by columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mat3 {
    /// The images of the unit vectors.
    pub columns: [Vec3; 3],
}

impl Mat3 {
    /// The identity.
    pub const IDENTITY: Self = Self { columns: [Vec3::X, Vec3::Y, Vec3::Z] };

    /// Rotation by `angle` radians about the direction of `axis` (Rodrigues); the identity if `axis` is zero.
    #[must_use]
    pub fn rotation(axis: Vec3, angle: f64) -> Self {
        let Some(k) = axis.try_normalize() else {
            return Self::IDENTITY;
        };
        let (s, c) = (libm::sin(angle), libm::cos(angle));
        let turn = |e: Vec3| e * c + k.cross(e) * s + k * (k.dot(e) * (1.0 - c));
        Self { columns: [turn(Vec3::X), turn(Vec3::Y), turn(Vec3::Z)] }
    }

    /// The matrix applied to a vector.
    #[must_use]
    pub fn apply(&self, v: Vec3) -> Vec3 {
        self.columns[0] * v.x + self.columns[1] * v.y + self.columns[2] * v.z
    }

    /// The matrix product `self · other`.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        Self { columns: other.columns.map(|c| self.apply(c)) }
    }

    /// The transpose: the inverse of a rotation.
    #[must_use]
    pub fn transpose(&self) -> Self {
        let [a, b, c] = self.columns;
        Self { columns: [Vec3::new(a.x, b.x, c.x), Vec3::new(a.y, b.y, c.y), Vec3::new(a.z, b.z, c.z)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let turned = Mat3::rotation(Vec3::Z, core::f64::consts::FRAC_PI_2).apply(Vec3::X);
        assert!((turned - Vec3::Y).length() < 1e-15);
    }

    #[test]
    fn a_rotation_undone_by_its_transpose_is_the_identity() {
        let r = Mat3::rotation(Vec3::new(1.0, -2.0, 0.5), 1.234);
        for (got, want) in r.transpose().times(&r).columns.iter().zip(Mat3::IDENTITY.columns) {
            assert!((*got - want).length() < 1e-15);
        }
    }
}
