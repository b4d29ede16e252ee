//! The largest eigenvalue of a small symmetric matrix.
//!
//! Cyclic Jacobi rotations: slow, short, and accurate to round-off for the sizes of element
//! stencils (18 unknowns for a bending stencil).

/// The largest eigenvalue of the symmetric `n`×`n` matrix `a`, row by row. Destroys `a`.
#[must_use]
pub fn largest_eigenvalue(a: &mut [f64], n: usize) -> f64 {
    assert_eq!(a.len(), n * n, "the matrix has {n} rows and columns");
    const SWEEPS: usize = 30;
    for _ in 0..SWEEPS {
        let off: f64 =
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i * n + j].powi(2)).sum();
        let diagonal: f64 = (0..n).map(|i| a[i * n + i].powi(2)).sum();
        if off <= 1e-30 * diagonal {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(a, n, p, q);
            }
        }
    }
    (0..n).map(|i| a[i * n + i]).fold(f64::NEG_INFINITY, f64::max)
}

/// One Jacobi rotation in the plane (`p`, `q`), after which `a[p][q]` is zero.
fn rotate(a: &mut [f64], n: usize, p: usize, q: usize) {
    let apq = a[p * n + q];
    if apq == 0.0 {
        return;
    }
    let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for k in 0..n {
        let (akp, akq) = (a[k * n + p], a[k * n + q]);
        a[k * n + p] = c * akp - s * akq;
        a[k * n + q] = s * akp + c * akq;
    }
    for k in 0..n {
        let (apk, aqk) = (a[p * n + k], a[q * n + k]);
        a[p * n + k] = c * apk - s * aqk;
        a[q * n + k] = s * apk + c * aqk;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_eigenvalue_of_a_chain_is_known_in_closed_form() {
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
        assert!((largest_eigenvalue(&mut a, n) - exact).abs() < 1e-13);
    }
}
