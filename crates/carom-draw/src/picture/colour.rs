//! From numbers and bodies to colours.

use carom_model::{ColourBy, Frame};

use super::BodyStyle;
use crate::plot::axis::Axis;
use crate::plot::{self, Scale};

/// How numbers are laid out unless one says otherwise: energy and clocks differ by factors.
pub(super) const fn usual_scale(by: ColourBy) -> Scale {
    match by {
        ColourBy::Body | ColourBy::Speed => Scale::Linear,
        ColourBy::Energy | ColourBy::Clock => Scale::Log,
    }
}

/// The number of vertex `v` of cell `cell`; NaN where there is none.
pub(super) fn number(by: ColourBy, frame: &Frame, v: u32, cell: usize) -> f64 {
    let of_cell = |name: &str| frame.cell_field(name).map_or(f64::NAN, |values| values[cell]);
    match by {
        ColourBy::Body => f64::NAN,
        ColourBy::Speed => frame.velocities[v as usize].length(),
        ColourBy::Energy => of_cell("energy_density"),
        // A cell without potentials has no clock.
        ColourBy::Clock => Some(of_cell("step_s")).filter(|step| *step > 0.0).unwrap_or(f64::NAN),
    }
}

/// A colour: red, green and blue from 0 to 1, as screens take them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rgb(pub [f64; 3]);

/// A colour as light adds up: twice the number, twice the light.
pub(super) type Light = [f64; 3];

/// From dark violet over green to yellow, perceptually uniform.
const PALETTE: [u32; 10] = [
    0x44_01_54, 0x48_28_78, 0x3e_4a_89, 0x31_68_8e, 0x26_82_8e, 0x1f_9e_89, 0x35_b7_79, 0x6e_ce_58,
    0xb5_de_2b, 0xfd_e7_25,
];

/// Colour of obstacles, which stay in the background.
const OBSTACLE: u32 = 0xd6_d3_cc;

/// Colour of bodies without a number where others have one.
const NO_NUMBER: u32 = 0xbf_c4_cc;

/// How much white is mixed into the colours of bodies: a surface is larger than a line, and shaded.
const SOFTER: f64 = 0.16;

/// The colour at `place`, from 0 to 1; grey for NaN.
pub(super) fn palette(place: f64) -> Rgb {
    if place.is_nan() {
        return Rgb::hex(NO_NUMBER);
    }
    let along = place.clamp(0.0, 1.0) * (PALETTE.len() - 1) as f64;
    let below = (along as usize).min(PALETTE.len() - 2);
    Rgb::hex(PALETTE[below]).mixed(Rgb::hex(PALETTE[below + 1]), along - below as f64)
}

impl Rgb {
    pub fn hex(code: u32) -> Self {
        Self([16, 8, 0].map(|shift| f64::from((code >> shift) & 0xff) / 255.0))
    }

    /// Linear interpolation towards another colour.
    pub fn mixed(self, other: Self, part: f64) -> Self {
        Self(std::array::from_fn(|c| self.0[c] + part * (other.0[c] - self.0[c])))
    }

    /// The colour as bytes for a screen.
    pub fn bytes(self) -> [u8; 3] {
        self.0.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8)
    }

    /// The colour as linear light.
    pub fn light(self) -> Light {
        self.0.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) })
    }
}

/// Linear light as bytes for a screen, from a table.
pub(super) struct Screen(Vec<u8>);

impl Screen {
    const STEPS: f64 = 8192.0;

    pub fn new() -> Self {
        let byte = |i: u32| {
            let c = f64::from(i) / Self::STEPS;
            let c = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
            (c * 255.0).round() as u8
        };
        Self((0..=Self::STEPS as u32).map(byte).collect())
    }

    pub fn bytes(&self, light: Light) -> [u8; 3] {
        light.map(|c| self.0[(c.clamp(0.0, 1.0) * Self::STEPS).round() as usize])
    }
}

/// The colours of a picture.
#[derive(Clone, Debug)]
pub(super) struct Colours {
    by: ColourBy,
    /// Scale of the numbers, if colours mean numbers.
    pub axis: Option<Axis>,
    /// For each body whether it has numbers, and its own colour.
    bodies: Vec<(bool, Light)>,
}

/// Number of steps of the palette: so many that single steps are not visible.
const FINE: usize = 256;

impl Colours {
    /// Colours for these bodies; `range` is that of the numbers.
    pub fn new(by: ColourBy, scale: Scale, range: (f64, f64), looks: &[BodyStyle]) -> Self {
        let axis = (by != ColourBy::Body).then(|| Axis::new(scale, [range.0, range.1].into_iter(), 0.0, 5));
        let mut movers = 0;
        let body = |look: &BodyStyle| {
            if look.obstacle {
                return (false, Rgb::hex(OBSTACLE).light());
            }
            movers += 1;
            let code = u32::from_str_radix(&plot::colour(movers - 1)[1..], 16).unwrap_or(NO_NUMBER);
            (true, Rgb::hex(code).mixed(Rgb([1.0; 3]), SOFTER).light())
        };
        Self { by, axis, bodies: looks.iter().map(body).collect() }
    }

    /// Where the number of vertex `v` of cell `cell` lies among the colours; NaN without one.
    pub fn place(&self, frame: &Frame, v: u32, cell: usize) -> f64 {
        let body = frame.topology.vertex_body[v as usize] as usize;
        match &self.axis {
            Some(axis) if self.bodies.get(body).is_none_or(|known| known.0) => {
                let place = axis.place(number(self.by, frame, v, cell));
                // On a logarithmic axis zero is infinitely far below: as dark as can be.
                if place == f64::NEG_INFINITY { 0.0 } else { place }
            }
            _ => f64::NAN,
        }
    }

    /// The colour of something of `body` at `place`.
    pub fn at(&self, place: f64, body: usize) -> Light {
        if place.is_nan() {
            return self.bodies.get(body).map_or_else(|| Rgb::hex(NO_NUMBER).light(), |known| known.1);
        }
        let step = (place.clamp(0.0, 1.0) * FINE as f64).round() / FINE as f64;
        palette(step).light()
    }

    /// Whether this body has its own colour instead of that of a number.
    pub fn is_plain(&self, body: usize) -> bool {
        self.axis.is_none() || self.bodies.get(body).is_some_and(|known| !known.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_the_ends_of_the_table_and_beyond_them_nothing_changes() {
        assert_eq!(palette(0.0).bytes(), [0x44, 0x01, 0x54]);
        assert_eq!(palette(7.0).bytes(), [0xfd, 0xe7, 0x25]);
        assert_eq!(palette(f64::NAN), Rgb::hex(NO_NUMBER));
    }

    #[test]
    fn the_colours_become_lighter_all_the_way() {
        let lightness = |Rgb([r, g, b]): Rgb| 0.2126 * r + 0.7152 * g + 0.0722 * b;
        let all: Vec<f64> = (0..=90).map(|i| lightness(palette(f64::from(i) / 90.0))).collect();
        assert!(all.windows(2).all(|pair| pair[1] > pair[0]));
    }

    #[test]
    fn a_colour_that_becomes_light_comes_back_as_the_same_bytes() {
        let screen = Screen::new();
        for code in [0x00_00_00, 0xff_ff_ff, 0x44_01_54, 0x80_20_c0, 0x01_02_03] {
            let bytes = screen.bytes(Rgb::hex(code).light());
            let back = bytes.iter().fold(0_u32, |all, b| all << 8 | u32::from(*b));
            assert_eq!(back, code, "{code:06x} came back as {back:06x}");
        }
    }
}
