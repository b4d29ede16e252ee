//! `ln(1 + d)` that is as good for tiny `d` as for large, without a branch.

use carom_math::Real;

/// A logarithm and its derivative.
pub(crate) struct Log<S> {
    /// `ln(1 + d)`; −∞ for `d ≤ −1`.
    pub log: S,
    /// `1/(1 + d)`; +∞ for `d ≤ −1`.
    pub inverse: S,
}

/// `ln(1 + d)` and `1/(1 + d)`.
///
/// What the sum `1 + d` rounds away is known exactly and enters to first order. A `d` below −1,
/// which only round-off or an inverted element can give, counts as −1: infinitely compressed.
#[inline(always)]
pub(crate) fn log_of_one_plus<S: Real>(d: S) -> Log<S> {
    let one = S::constant(1.0);
    let sum = one + d;
    let rounded_away = d - (sum - one);
    let sum = sum.where_above(S::zero(), S::zero());
    let inverse = one / sum;
    let correction = (rounded_away * inverse).where_nonzero(sum, S::zero());
    Log { log: sum.ln() + correction, inverse }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_the_library_from_tiny_to_large() {
        for exponent in -40..40 {
            for sign in [1.0, -1.0] {
                let d = sign * 0.73 * 2.0_f64.powi(exponent);
                if d <= -1.0 {
                    continue;
                }
                let (ours, library) = (log_of_one_plus(d).log, d.ln_1p());
                assert!(
                    (ours - library).abs() <= 4.0 * f64::EPSILON * library.abs(),
                    "{d}: {ours} {library}"
                );
            }
        }
        assert_eq!(log_of_one_plus(0.0).log, 0.0);
    }

    #[test]
    fn nothing_left_is_infinitely_compressed() {
        for d in [-1.0, -1.5, -1e9 - 0.1] {
            let Log { log, inverse } = log_of_one_plus(d);
            assert_eq!((log, inverse), (f64::NEG_INFINITY, f64::INFINITY));
        }
    }
}
