//! Rotations and frames: three columns of a 3×3 matrix.

use crate::Vec3;

/// Number of Newton iterations: each squares the error; the first few halve what is large and double what is small.
const NEWTON_TURNS: usize = 12;

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

    /// The isometry nearest to this matrix, to 1e-9 of unit length and right angles: R of its polar decomposition RS. `None` if it is
    /// too nearly singular to tell.
    ///
    /// Newton's iteration for R = R⁻ᵀ: a matrix of about unit size takes a handful of iterations.
    #[must_use]
    pub fn nearest_isometry(&self) -> Option<Self> {
        let mut near = *self;
        for _ in 0..NEWTON_TURNS {
            let [a, b, c] = near.columns;
            let across = [b.cross(c), c.cross(a), a.cross(b)];
            let volume = a.dot(across[0]);
            near.columns = core::array::from_fn(|i| (near.columns[i] + across[i] * (1.0 / volume)) * 0.5);
        }
        let [a, b, c] = near.columns;
        let off = [a.dot(a) - 1.0, b.dot(b) - 1.0, c.dot(c) - 1.0, a.dot(b), b.dot(c), c.dot(a)];
        off.iter().all(|x| x.abs() <= 1e-9).then_some(near)
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
    fn a_stretched_rotation_is_nearest_to_itself_and_a_flat_matrix_to_none() {
        let turn = Mat3::rotation(Vec3::new(1.0, -2.0, 0.5), 1.234);
        let stretch =
            Mat3 { columns: [Vec3::new(1.3, 0.1, 0.0), Vec3::new(0.1, 0.4, 0.2), Vec3::new(0.0, 0.2, 0.9)] };
        let near = turn.times(&stretch).nearest_isometry().unwrap();
        for (got, want) in near.columns.iter().zip(turn.columns) {
            assert!((*got - want).length() < 1e-14);
        }
        assert_eq!(Mat3 { columns: [Vec3::X, Vec3::Y, Vec3::X + Vec3::Y] }.nearest_isometry(), None);
        assert_eq!(Mat3 { columns: [Vec3::ZERO; 3] }.nearest_isometry(), None);
    }

    #[test]
    fn a_rotation_undone_by_its_transpose_is_the_identity() {
        let r = Mat3::rotation(Vec3::new(1.0, -2.0, 0.5), 1.234);
        for (got, want) in r.transpose().times(&r).columns.iter().zip(Mat3::IDENTITY.columns) {
            assert!((*got - want).length() < 1e-15);
        }
    }
}
