//! What makes numbers of a picture: the bar of colours, the bar of length, the time.

use super::Image;
use super::colour::palette;
use crate::canvas::{Anchor, Canvas, Pen, TextStyle};
use crate::plot::INK;
use crate::plot::axis::{Axis, power_of_ten};

const FAINT: &str = "#5b6270";

/// A rectangle of whole pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
}

/// Paints the colours into a picture, the first at the bottom.
pub(super) fn paint_colours(image: &mut Image, bar: Area) {
    for row in bar.top..(bar.top + bar.height).min(image.height) {
        let place = 1.0 - (f64::from(row - bar.top) + 0.5) / f64::from(bar.height);
        let colour = palette(place).bytes();
        for column in bar.left..(bar.left + bar.width).min(image.width) {
            let at = 3 * (row as usize * image.width as usize + column as usize);
            image.rgb[at..at + 3].copy_from_slice(&colour);
        }
    }
}

/// The numbers beside colours that are painted at `bar`; `unit` is a nominal pixel in pixels.
pub(super) fn colour_marks(canvas: &mut impl Canvas, bar: Area, unit: f64, axis: &Axis, label: &str) {
    let corner = (f64::from(bar.left) / unit, f64::from(bar.top) / unit);
    let (width, height) = (f64::from(bar.width) / unit, f64::from(bar.height) / unit);
    for mark in axis.marks.iter().filter(|m| (-1e-9..=1.0 + 1e-9).contains(&axis.place(m.at))) {
        let y = corner.1 + height * (1.0 - axis.place(mark.at));
        let right = corner.0 + width;
        canvas.line((right, y), (right + 4.0, y), Pen { colour: FAINT, width: 1.0 });
        canvas.text((right + 8.0, y + 4.0), &mark.label, style(11.0, FAINT, Anchor::Start));
    }
    if axis.exponent != 0 {
        let factor = format!("×{}", power_of_ten(axis.exponent));
        canvas.text((corner.0, corner.1 - 10.0), &factor, style(11.0, FAINT, Anchor::Start));
    }
    let upright = TextStyle { upright: true, ..style(12.0, INK, Anchor::Middle) };
    canvas.text((corner.0 - 9.0, corner.1 + height / 2.0), label, upright);
}

/// The bar of length, its left end at `at`, at most `wanted` pixels long.
pub(super) fn length_bar(canvas: &mut impl Canvas, at: (f64, f64), pixels_per_metre: f64, wanted: f64) {
    let metres = round_length(wanted / pixels_per_metre);
    let length = metres * pixels_per_metre;
    if !(length.is_finite() && length > 0.0) {
        return;
    }
    let pen = Pen { colour: INK, width: 1.5 };
    let end = (at.0 + length, at.1);
    canvas.line(at, end, pen);
    for (x, y) in [at, end] {
        canvas.line((x, y - 3.0), (x, y + 3.0), pen);
    }
    canvas.text((end.0 + 8.0, at.1 + 4.0), &length_label(metres), style(11.0, FAINT, Anchor::Start));
}

/// Draws a note below a picture, at its right end.
pub(super) fn note(canvas: &mut impl Canvas, at: (f64, f64), text: &str) {
    canvas.text(at, text, style(12.0, FAINT, Anchor::End));
}

/// Draws a heading above a picture.
pub(super) fn heading(canvas: &mut impl Canvas, at: (f64, f64), text: &str) {
    canvas.text(at, text, TextStyle { bold: true, ..style(15.0, INK, Anchor::Start) });
}

/// The largest of 1, 2, 5 × 10ⁿ that is not above `most`.
fn round_length(most: f64) -> f64 {
    let decade = 10f64.powi(most.log10().floor() as i32);
    [5.0, 2.0, 1.0].into_iter().map(|f| f * decade).find(|&l| l <= most).unwrap_or(decade)
}

/// `20 cm`.
fn length_label(metres: f64) -> String {
    let units = [(1e3, "km"), (1.0, "m"), (1e-2, "cm"), (1e-3, "mm"), (1e-6, "µm"), (1e-9, "nm")];
    let fitting = units.into_iter().find(|(size, _)| metres >= size * 0.999);
    let (size, unit) = fitting.unwrap_or((1e-9, "nm"));
    format!("{:.0} {unit}", metres / size)
}

fn style(size: f64, colour: &str, anchor: Anchor) -> TextStyle<'_> {
    TextStyle { size, colour, anchor, bold: false, upright: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_round_and_read_in_units_that_fit() {
        let read = [0.37, 0.08, 0.0013, 730.0, 2.2e-6].map(|m| length_label(round_length(m)));
        assert_eq!(read, ["20 cm", "5 cm", "1 mm", "500 m", "2 µm"]);
    }
}
