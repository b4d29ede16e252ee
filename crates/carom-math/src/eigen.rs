//! An upper bound on the spectrum of a small symmetric matrix.
//!
//! For symmetric `A` of rank r, `λ ≤ ‖A⁸‖_F^(1/8) ≤ r^(1/16) λ` with `λ` the largest eigenvalue in
//! absolute value: three squarings give a bound that is never too small, and at most 7 % too
//! large for an element stencil, whose stiffness has rank three.

use crate::{LANES, Lanes, Real, vectorize};

/// Number of rows of a product that are computed together.
const ROWS: usize = 4;

/// An upper bound on the absolute eigenvalues of the symmetric `n`×`n` matrix `a`, given row by row;
/// NaN if an entry is infinite or not a number.
#[must_use]
pub fn spectral_bound(a: &[f64], n: usize) -> f64 {
    assert_eq!(a.len(), n * n, "the matrix has {n} rows and columns");
    if a.iter().any(|v| !v.is_finite()) {
        return f64::NAN;
    }
    let scale = a.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    if scale == 0.0 {
        return 0.0;
    }
    let norm = vectorize::run(
        #[inline(always)]
        || {
            let mut power = Square::of(a, n, scale);
            for _ in 0..3 {
                power = power.squared();
            }
            power.norm()
        },
    );
    scale * norm.sqrt().sqrt().sqrt()
}

/// A square matrix in panels of eight columns, filled up with zeros.
struct Square {
    n: usize,
    /// Row `i` of panel `p` is number `p * rows + i`.
    panels: Vec<Lanes>,
    /// Number of rows of each panel.
    rows: usize,
}

impl Square {
    #[inline(always)]
    fn zero(n: usize) -> Self {
        let rows = n.next_multiple_of(ROWS);
        Self { n, rows, panels: vec![Lanes::constant(0.0); rows * n.div_ceil(LANES)] }
    }

    /// The matrix `a`, given row by row, over `scale`.
    #[inline(always)]
    fn of(a: &[f64], n: usize, scale: f64) -> Self {
        let mut matrix = Self::zero(n);
        for i in 0..n {
            for j in 0..n {
                matrix.panels[j / LANES * matrix.rows + i].0[j % LANES] = a[i * n + j] / scale;
            }
        }
        matrix
    }

    #[inline(always)]
    fn entry(&self, i: usize, j: usize) -> f64 {
        self.panels[j / LANES * self.rows + i].0[j % LANES]
    }

    /// The product of the matrix with itself, each entry summed in the order of columns.
    #[inline(always)]
    fn squared(&self) -> Self {
        let mut out = Self::zero(self.n);
        for (from, to) in self.panels.chunks(self.rows).zip(out.panels.chunks_mut(self.rows)) {
            for first in (0..self.rows).step_by(ROWS) {
                let mut sums = [Lanes::constant(0.0); ROWS];
                for (k, row) in from[..self.n].iter().enumerate() {
                    for (i, sum) in sums.iter_mut().enumerate() {
                        *sum = *sum + *row * self.entry(first + i, k);
                    }
                }
                to[first..first + ROWS].copy_from_slice(&sums);
            }
        }
        out
    }

    /// The root of the sum of all squares, row by row.
    #[inline(always)]
    fn norm(&self) -> f64 {
        let all = (0..self.n).flat_map(|i| (0..self.n).map(move |j| self.entry(i, j)));
        all.map(|v| v * v).sum::<f64>().sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_never_below_the_largest_eigenvalue_and_close_above() {
        let n = 12;
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            a[i * n + i] = 2.0;
            if i + 1 < n {
                a[i * n + i + 1] = -1.0;
                a[(i + 1) * n + i] = -1.0;
            }
        }
        let exact = 2.0 - 2.0 * (core::f64::consts::PI * n as f64 / (n as f64 + 1.0)).cos();
        let bound = spectral_bound(&a, n);
        assert!(bound >= exact && bound < 1.12 * exact, "{bound} against {exact}");
    }

    #[test]
    fn a_matrix_of_rank_one_is_bounded_exactly() {
        let v = [1.0, -2.0, 0.5];
        let a: Vec<f64> = v.iter().flat_map(|p| v.iter().map(move |q| p * q)).collect();
        assert!((spectral_bound(&a, 3) - 5.25).abs() < 1e-13);
        assert_eq!(spectral_bound(&[0.0; 9], 3), 0.0);
    }

    #[test]
    fn panels_square_a_matrix_to_the_bits_of_plain_loops() {
        for n in 1..=20 {
            let a: Vec<f64> = (0..n * n).map(|i| libm::sin(1.7 * i as f64) / 3.0).collect();
            let squared = Square::of(&a, n, 1.0).squared();
            for (i, row) in a.chunks(n).enumerate() {
                for j in 0..n {
                    let plain = row.iter().enumerate().fold(0.0, |sum, (k, v)| sum + v * a[k * n + j]);
                    assert_eq!(squared.entry(i, j).to_bits(), plain.to_bits(), "{i}, {j} of {n}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_a_number_has_no_bound() {
        for bad in [f64::NAN, f64::INFINITY] {
            assert!(spectral_bound(&[bad; 4], 2).is_nan());
            assert!(spectral_bound(&[1.0, 0.0, 0.0, bad], 2).is_nan());
        }
    }
}
