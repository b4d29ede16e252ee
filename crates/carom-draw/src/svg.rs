//! The few shapes that plots are drawn with, as SVG.
//!
//! Coordinates are in pixels, y down, written with two digits after the point: more cannot be
//! seen and would be most of the file.

use std::fmt::Write as _;

use crate::canvas::{Anchor, Canvas, Pen, TextStyle};
use crate::xml::escape;

/// Font of every text: present on every system, no file to ship.
const FONT: &str = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// Average width of a character, in units of the font's size: for layout before a browser knows better.
const CHARACTER: f64 = 0.6;

/// A drawing as it grows.
#[derive(Clone, Debug)]
pub struct Svg {
    text: String,
}

impl Svg {
    /// A white card of this size, in pixels: white also where the page around it is dark.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let mut text = String::new();
        let (w, h) = (number(width), number(height));
        let _ = writeln!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             role=\"img\" font-family=\"{FONT}\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n<title>{}</title>\n\
             <rect width=\"{w}\" height=\"{h}\" rx=\"6\" fill=\"#ffffff\"/>",
            escape(title)
        );
        Self { text }
    }

    /// The text of the file.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

impl Canvas for Svg {
    fn polyline(&mut self, points: &[(f64, f64)], pen: Pen<'_>) {
        let _ = writeln!(
            self.text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>",
            list(points),
            pen.colour,
            number(pen.width)
        );
    }

    fn rect(&mut self, corner: (f64, f64), size: (f64, f64), fill: &str) {
        let (x, y, w, h) = (number(corner.0), number(corner.1), number(size.0), number(size.1));
        let _ =
            writeln!(self.text, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{fill}\"/>");
    }

    fn circle(&mut self, centre: (f64, f64), radius: f64, fill: &str, outline: Pen<'_>) {
        let _ = writeln!(
            self.text,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{fill}\" stroke=\"{}\" stroke-width=\"{}\"/>",
            number(centre.0),
            number(centre.1),
            number(radius),
            outline.colour,
            number(outline.width)
        );
    }

    fn text(&mut self, at: (f64, f64), text: &str, style: TextStyle<'_>) {
        let anchor = match style.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y) = (number(at.0), number(at.1));
        let weight = if style.bold { " font-weight=\"600\"" } else { "" };
        let turn = if style.upright { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
        let _ = writeln!(
            self.text,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" fill=\"{}\" text-anchor=\"{anchor}\"{weight}{turn}>{}</text>",
            number(style.size),
            style.colour,
            escape(text)
        );
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), pen: Pen<'_>) {
        let _ = writeln!(
            self.text,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>",
            number(from.0),
            number(from.1),
            number(to.0),
            number(to.1),
            pen.colour,
            number(pen.width)
        );
    }
}

/// About how wide `text` will be, in pixels.
pub fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * CHARACTER
}

/// A coordinate with at most two digits after the point.
pub fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn list(points: &[(f64, f64)]) -> String {
    let mut text = String::new();
    for (i, (x, y)) in points.iter().enumerate() {
        if i > 0 {
            text.push(' ');
        }
        push_number(&mut text, *x);
        text.push(',');
        push_number(&mut text, *y);
    }
    text
}

/// Appends [`number`], counted in hundredths unless it is huge or nearly between two of them: lines have thousands of points.
fn push_number(text: &mut String, x: f64) {
    let nearest = (x * 100.0).round();
    let is_clear = nearest.abs() < 1e9 && (x * 100.0 - nearest).abs() < 0.499;
    if !is_clear {
        text.push_str(&number(x));
        return;
    }
    let hundredths = nearest.abs() as u64;
    if nearest < 0.0 {
        text.push('-');
    }
    let _ = write!(text, "{}", hundredths / 100);
    let digit = |d: u64| char::from(b'0' + d as u8);
    let (tenth, last) = (hundredths / 10 % 10, hundredths % 10);
    if tenth + last > 0 {
        text.extend(['.', digit(tenth)]);
    }
    if last > 0 {
        text.push(digit(last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        let written = [1.0, -0.001, 2.345_67, 10.0, -3.5].map(number);
        assert_eq!(written, ["1", "0", "2.35", "10", "-3.5"]);
    }

    #[test]
    fn points_of_lines_are_written_as_any_other_number() {
        let near = (-3000..3000).map(|i| f64::from(i) * 0.005);
        let others = (-3000..3000).map(|i| f64::from(i).powi(5) * 1.234_567e-7);
        for x in near.chain(others).chain([0.0, -0.0, 1e20, -1e300, 0.125, 0.005, f64::NAN, f64::INFINITY]) {
            assert_eq!(list(&[(x, 1.5)]), format!("{},1.5", number(x)));
        }
    }

    #[test]
    fn texts_are_escaped() {
        let mut svg = Svg::new(10.0, 10.0, "a < b");
        let style =
            TextStyle { size: 9.0, colour: "#000", anchor: Anchor::Middle, bold: false, upright: false };
        svg.text((1.0, 2.0), "E & <V>", style);
        let text = svg.finish();
        assert!(text.contains("<title>a &lt; b</title>") && text.contains(">E &amp; &lt;V&gt;</text>"));
    }
}
