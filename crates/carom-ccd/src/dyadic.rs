//! Doubles as whole numbers: the door to exact arithmetic.
//!
//! A finite double is an integer times a power of two. A set of them, multiplied by one common power of
//! two, is a set of integers: polynomials in coordinates keep their signs, and nothing is rounded.

use dashu_int::IBig;

/// The values, which must be finite, all multiplied by the same power of two.
#[must_use]
pub fn integers(values: &[f64]) -> Vec<IBig> {
    let parts: Vec<Parts> = values.iter().map(|x| Parts::of(*x)).collect();
    let lowest = parts.iter().filter(|x| x.mantissa != 0).map(|x| x.exponent).min().unwrap_or(0);
    parts.iter().map(|x| x.scaled(lowest)).collect()
}

/// A finite double as mantissa · 2^exponent, the mantissa odd or zero.
struct Parts {
    mantissa: i64,
    exponent: i32,
}

impl Parts {
    fn of(x: f64) -> Self {
        let bits = x.to_bits();
        let (biased, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
        let (magnitude, exponent) =
            if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
        if magnitude == 0 {
            return Self { mantissa: 0, exponent: 0 };
        }
        let zeros = magnitude.trailing_zeros();
        let odd = magnitude >> zeros;
        Self { mantissa: if x < 0.0 { -odd } else { odd }, exponent: exponent + zeros as i32 }
    }

    /// The value over 2^lowest.
    fn scaled(&self, lowest: i32) -> IBig {
        if self.mantissa == 0 {
            return IBig::ZERO;
        }
        IBig::from(self.mantissa) << usize::try_from(self.exponent - lowest).expect("lowest is the least")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_become_integers_in_the_same_proportion() {
        assert_eq!(integers(&[0.0, -0.0]), [IBig::ZERO, IBig::ZERO]);
        assert_eq!(integers(&[0.75, -2.0, 0.0]), [3, -8, 0].map(IBig::from));
        let least = f64::from_bits(1);
        assert_eq!(integers(&[least, 1.0]), [IBig::ONE, IBig::ONE << 1074_usize]);
        assert_eq!(integers(&[f64::MIN_POSITIVE, 3.0 * least]), [IBig::ONE << 52_usize, IBig::from(3)]);
    }
}
