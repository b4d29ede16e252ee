//! What makes numbers of a picture: the bar of colours, the bar of length, the time.

use super::colour::palette;
use crate::canvas::{Anchor, Canvas, Pen, TextStyle};
use crate::plot::INK;
use crate::plot::axis::{Axis, power_of_ten};

const FAINT: &str = "#5b6270";

/// The bar of colours, its upper left corner at `corner`.
pub(super) fn colour_bar(
    canvas: &mut impl Canvas,
    corner: (f64, f64),
    height: f64,
    axis: &Axis,
    label: &str,
) {
    const WIDTH: f64 = 13.0;
    const STEPS: u32 = 96;
    for i in 0..STEPS {
        let (from, to) = (f64::from(i) / f64::from(STEPS), f64::from(i + 1) / f64::from(STEPS));
        // Each step reaches under the next: no seams.
        let tall = if i == 0 { to - from } else { to - from + 0.5 / f64::from(STEPS) };
        let top = corner.1 + height * (1.0 - to);
        let colour = palette(f64::midpoint(from, to)).css();
        canvas.rect((corner.0, top), (WIDTH, height * tall), &colour);
    }
    for mark in axis.marks.iter().filter(|m| (-1e-9..=1.0 + 1e-9).contains(&axis.place(m.at))) {
        let y = corner.1 + height * (1.0 - axis.place(mark.at));
        let right = corner.0 + WIDTH;
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

/// What stands below a picture, at its right end.
pub(super) fn note(canvas: &mut impl Canvas, at: (f64, f64), text: &str) {
    canvas.text(at, text, style(12.0, FAINT, Anchor::End));
}

/// What stands above a picture.
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
