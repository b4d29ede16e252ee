//! An upper bound on the spectrum of a small symmetric matrix.
//!
//! For symmetric `A` of rank r, `λ ≤ ‖A⁸‖_F^(1/8) ≤ r^(1/16) λ` with `λ` the largest eigenvalue in
//! absolute value: three squarings give a bound that is never too small, and at most 7 % too
//! large for an element stencil, whose stiffness has rank three.

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
    let mut power: Vec<f64> = a.iter().map(|v| v / scale).collect();
    for _ in 0..3 {
        power = squared(&power, n);
    }
    let norm = power.iter().map(|v| v * v).sum::<f64>().sqrt();
    scale * norm.sqrt().sqrt().sqrt()
}

fn squared(a: &[f64], n: usize) -> Vec<f64> {
    let mut out = vec![0.0; n * n];
    for i in 0..n {
        for k in 0..n {
            let aik = a[i * n + k];
            for j in 0..n {
                out[i * n + j] += aik * a[k * n + j];
            }
        }
    }
    out
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
    fn what_is_not_a_number_has_no_bound() {
        for bad in [f64::NAN, f64::INFINITY] {
            assert!(spectral_bound(&[bad; 4], 2).is_nan());
            assert!(spectral_bound(&[1.0, 0.0, 0.0, bad], 2).is_nan());
        }
    }
}
