//! An integer that holds the sum of any floating-point numbers.
//!
//! Every finite number is a whole multiple of 2^−1074, and below 2^1024. Digit i counts multiples of 2^(32 i − 1074); 68 of them reach
//! 2^78 times beyond the largest number. A term adds 32 bits to each of three digits at most, and digits have 64 bits and a sign, so
//! carries may wait for 2^30 terms.

/// How many digits.
const DIGITS: usize = 68;

/// Bits of a digit once carries are propagated.
const BITS: u32 = 32;

/// Terms after which carries are propagated: digits stay below 2^62 then, with room for those of another sum.
const MOST_TERMS: u32 = 1 << 30;

/// The significand of a number without its leading one.
const FRACTION: u64 = (1 << 52) - 1;

/// The exact sum of the terms added to it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Digits {
    /// The digits, of any signs; the lowest first.
    places: [i64; DIGITS],
    /// No digit is above 2^32 times this in magnitude.
    terms: u32,
    /// Terms that are infinite, above and below zero.
    infinities: [u64; 2],
    /// Terms that are no number.
    nans: u64,
}

impl Default for Digits {
    fn default() -> Self {
        Self { places: [0; DIGITS], terms: 0, infinities: [0; 2], nans: 0 }
    }
}

impl Digits {
    /// Adds one term.
    pub fn add(&mut self, term: f64) {
        let bits = term.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as u32;
        if exponent == 0x7ff {
            return self.count(term);
        }
        // Below the smallest normal number the leading one is missing, and the exponent stays that of the smallest.
        let is_normal = exponent.min(1);
        let significand = bits & FRACTION | u64::from(is_normal) << 52;
        let position = exponent - is_normal;
        let shifted = u128::from(significand) << (position % BITS);
        // Minus one flips all bits and adds one; zero changes nothing.
        let sign = (bits as i64) >> 63;
        let lowest = (position / BITS) as usize;
        for (i, digit) in self.places[lowest..lowest + 3].iter_mut().enumerate() {
            let part = i64::from((shifted >> (BITS as usize * i)) as u32);
            *digit += (part ^ sign) - sign;
        }
        self.terms += 1;
        if self.terms >= MOST_TERMS {
            self.propagate_carries();
        }
    }

    #[cold]
    fn count(&mut self, term: f64) {
        if term.is_nan() {
            self.nans += 1;
        } else {
            self.infinities[usize::from(term < 0.0)] += 1;
        }
    }

    /// Adds all terms of another sum.
    pub fn merge(&mut self, other: &Self) {
        for (digit, other) in self.places.iter_mut().zip(&other.places) {
            *digit += other;
        }
        for (count, other) in self.infinities.iter_mut().zip(&other.infinities) {
            *count += other;
        }
        self.nans += other.nans;
        self.terms += other.terms;
        if self.terms >= MOST_TERMS {
            self.propagate_carries();
        }
    }

    /// Leaves every digit between 0 and 2^32, but the last, which has the sign.
    pub fn propagate_carries(&mut self) {
        let mut carry = 0;
        for digit in &mut self.places[..DIGITS - 1] {
            let sum = *digit + carry;
            carry = sum >> BITS;
            *digit = sum & ((1 << BITS) - 1);
        }
        self.places[DIGITS - 1] += carry;
        self.terms = 1;
    }

    /// The sum, rounded once; all carries must have been propagated.
    pub fn value(mut self) -> f64 {
        match (self.nans, self.infinities) {
            (0, [0, 0]) => {}
            (0, [_, 0]) => return f64::INFINITY,
            (0, [0, _]) => return f64::NEG_INFINITY,
            _ => return f64::NAN,
        }
        if self.places[DIGITS - 1] < 0 {
            for digit in &mut self.places {
                *digit = -*digit;
            }
            self.propagate_carries();
            return -self.magnitude();
        }
        self.magnitude()
    }

    /// The rounded value of digits that are all positive, without carries.
    fn magnitude(&self) -> f64 {
        let leading = self.places.iter().rposition(|&digit| digit != 0).unwrap_or(0).max(2);
        let (below, three) = self.places[..=leading].split_at(leading - 2);
        let head = three.iter().rev().fold(0, |head: u128, &digit| head << BITS | digit as u128);
        // Three digits have 65 bits or more wherever others follow below: the last of these is far from where 53 bits are rounded,
        // and stands for all that follows.
        let follows = below.iter().any(|&digit| digit != 0);
        let rounded = (head | u128::from(follows)) as f64;
        // Exact, or infinite: the product is no smaller than 2^−1074 times a whole number of at most 53 bits.
        rounded * power_of_two(BITS as i32 * (leading as i32 - 2) - 1074)
    }
}

/// 2 to a power from −1074 to 1023.
fn power_of_two(power: i32) -> f64 {
    if power < -1022 {
        f64::from_bits(1 << (power + 1074))
    } else {
        f64::from_bits(((power + 1023) as u64) << 52)
    }
}
