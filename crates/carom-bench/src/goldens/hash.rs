//! Numbers to one hash: FNV-1a with 128 bits, over 64-bit words.

/// A hash under way.
pub struct Hash(u128);

impl Hash {
    /// Of nothing.
    pub const fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    /// Takes a word.
    pub fn word(&mut self, word: u64) {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        self.0 = (self.0 ^ u128::from(word)).wrapping_mul(PRIME);
    }

    /// Takes the bits of a number. What is no number is one thing, whatever its bits: no operation promises them.
    pub fn number(&mut self, number: f64) {
        self.word(if number.is_nan() { f64::NAN.to_bits() } else { number.to_bits() });
    }

    /// As text.
    pub fn text(&self) -> String {
        format!("{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numbers: &[f64]) -> String {
        let mut hash = Hash::new();
        for number in numbers {
            hash.number(*number);
        }
        hash.text()
    }

    #[test]
    fn every_bit_and_the_order_count() {
        assert_ne!(of(&[1.0, 2.0]), of(&[2.0, 1.0]));
        assert_ne!(of(&[0.0]), of(&[-0.0]));
        assert_ne!(of(&[1.0]), of(&[1.0_f64.next_up()]));
        assert_ne!(of(&[]), of(&[0.0]));
    }

    #[test]
    fn what_is_no_number_is_one_thing() {
        assert_eq!(of(&[f64::NAN]), of(&[-f64::NAN]));
    }
}
