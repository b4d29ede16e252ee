//! From numbers to colours.

/// A colour: red, green and blue from 0 to 1, as screens take them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rgb(pub [f64; 3]);

/// Which colours stand for which numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// From dark violet over green to yellow, each step as visible as the next: for magnitudes.
    #[default]
    Sequential,
    /// From blue over near white to red, white at zero: for numbers of both signs.
    Diverging,
}

const SEQUENTIAL: [u32; 10] = [
    0x44_01_54, 0x48_28_78, 0x3e_4a_89, 0x31_68_8e, 0x26_82_8e, 0x1f_9e_89, 0x35_b7_79, 0x6e_ce_58,
    0xb5_de_2b, 0xfd_e7_25,
];

const DIVERGING: [u32; 9] = [
    0x1d_3c_78, 0x2f_66_ad, 0x6b_9b_cf, 0xb1_cd_e4, 0xf1_f0_ec, 0xf0_c3_a9, 0xdb_85_67, 0xb9_3f_3b,
    0x7d_15_27,
];

/// For what has no number.
pub(super) const GREY: Rgb = Rgb([0.75, 0.77, 0.80]);

impl Palette {
    fn table(self) -> &'static [u32] {
        match self {
            Self::Sequential => &SEQUENTIAL,
            Self::Diverging => &DIVERGING,
        }
    }

    /// The colours at equal distances between which all others lie, as CSS writes them.
    pub(super) fn stops(self) -> Vec<String> {
        self.table().iter().map(|&code| Rgb::hex(code).css()).collect()
    }

    /// The colour at `place`, from 0 to 1; grey for NaN.
    pub(super) fn at(self, place: f64) -> Rgb {
        if place.is_nan() {
            return GREY;
        }
        let stops = self.table();
        let along = place.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
        let below = (along as usize).min(stops.len() - 2);
        let part = along - below as f64;
        let (a, b) = (Rgb::hex(stops[below]), Rgb::hex(stops[below + 1]));
        Rgb(std::array::from_fn(|c| a.0[c] + part * (b.0[c] - a.0[c])))
    }
}

impl Rgb {
    pub(super) fn hex(code: u32) -> Self {
        Self([16, 8, 0].map(|shift| f64::from((code >> shift) & 0xff) / 255.0))
    }

    /// Darker (below 1) or as it is (1).
    pub(super) fn times(self, factor: f64) -> Self {
        Self(self.0.map(|c| c * factor))
    }

    /// As CSS writes it.
    pub(super) fn css(self) -> String {
        let [r, g, b] = self.0.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8);
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_the_ends_of_the_table_and_beyond_them_nothing_changes() {
        assert_eq!(Palette::Sequential.at(0.0).css(), "#440154");
        assert_eq!(Palette::Sequential.at(7.0).css(), "#fde725");
        assert_eq!(Palette::Diverging.at(0.5).css(), "#f1f0ec");
        assert_eq!(Palette::Diverging.at(f64::NAN), GREY);
    }

    #[test]
    fn the_sequential_colours_become_lighter_all_the_way() {
        let lightness = |Rgb([r, g, b]): Rgb| 0.2126 * r + 0.7152 * g + 0.0722 * b;
        let all: Vec<f64> =
            (0..=90).map(|i| lightness(Palette::Sequential.at(f64::from(i) / 90.0))).collect();
        assert!(all.windows(2).all(|pair| pair[1] > pair[0]));
    }
}
