//! Plots as pixels: PNG files, for slides and for programs that draw no SVG.
//!
//! Letters come from a font of our own (`fonts/`), since a machine may have none.

use tiny_skia::{
    ColorU8, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};
use ttf_parser::{Face, OutlineBuilder};

use crate::canvas::{Anchor, Canvas, Pen, TextStyle};
use crate::picture::Image;

const PLAIN: &[u8] = include_bytes!("../fonts/DejaVuSans.ttf");
const BOLD: &[u8] = include_bytes!("../fonts/DejaVuSans-Bold.ttf");

/// DejaVu is wider than the fonts that SVG files ask for: so much smaller it takes their room.
const NARROWER: f64 = 0.9;

/// A drawing as it grows.
pub struct Raster {
    pixels: Pixmap,
    /// Pixels of the file per pixel of the plot.
    scale: f32,
    plain: Face<'static>,
    bold: Face<'static>,
}

impl Raster {
    /// A white card of this size, in pixels, of which the file has `scale` times as many each way.
    pub fn new(width: f64, height: f64, scale: f64) -> Self {
        let pixels = |length: f64| (length * scale).ceil().max(1.0) as u32;
        let mut card = Pixmap::new(pixels(width), pixels(height)).expect("a plot is not larger than memory");
        card.fill(tiny_skia::Color::WHITE);
        let face = |bytes| Face::parse(bytes, 0).expect("the fonts of this crate are sound");
        Self { pixels: card, scale: scale as f32, plain: face(PLAIN), bold: face(BOLD) }
    }

    /// On a picture, with `scale` of its pixels per pixel of the drawing.
    pub fn over(image: &Image, scale: f64) -> Self {
        let mut raster = Self::new(f64::from(image.width) / scale, f64::from(image.height) / scale, scale);
        raster.pixels = Pixmap::new(image.width, image.height).expect("a picture has pixels");
        for (pixel, rgb) in raster.pixels.pixels_mut().iter_mut().zip(image.rgb.chunks(3)) {
            *pixel = ColorU8::from_rgba(rgb[0], rgb[1], rgb[2], u8::MAX).premultiply();
        }
        raster
    }

    /// The drawing as an image.
    pub fn into_image(self) -> Image {
        let rgb = self.pixels.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
        Image { width: self.pixels.width(), height: self.pixels.height(), rgb }
    }

    /// The bytes of the file.
    pub fn finish(self) -> Vec<u8> {
        self.pixels.encode_png().expect("a picture in memory can be encoded")
    }

    fn fill(&mut self, path: &Path, colour: &str, place: Transform) {
        let place = place.post_scale(self.scale, self.scale);
        self.pixels.fill_path(path, &paint(colour), FillRule::Winding, place, None);
    }

    fn stroke(&mut self, path: &Path, pen: Pen<'_>) {
        let stroke = Stroke {
            width: pen.width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        let place = Transform::from_scale(self.scale, self.scale);
        self.pixels.stroke_path(path, &paint(pen.colour), &stroke, place, None);
    }
}

impl Canvas for Raster {
    fn polyline(&mut self, points: &[(f64, f64)], pen: Pen<'_>) {
        let mut path = PathBuilder::new();
        for (i, &(x, y)) in points.iter().enumerate() {
            if i == 0 { path.move_to(x as f32, y as f32) } else { path.line_to(x as f32, y as f32) }
        }
        // A line through one point has no path and leaves no trace.
        if let Some(path) = path.finish() {
            self.stroke(&path, pen);
        }
    }

    fn rect(&mut self, corner: (f64, f64), size: (f64, f64), fill: &str) {
        let rect = Rect::from_xywh(corner.0 as f32, corner.1 as f32, size.0 as f32, size.1 as f32);
        if let Some(rect) = rect {
            self.fill(&PathBuilder::from_rect(rect), fill, Transform::identity());
        }
    }

    fn circle(&mut self, centre: (f64, f64), radius: f64, fill: &str, outline: Pen<'_>) {
        if let Some(path) = PathBuilder::from_circle(centre.0 as f32, centre.1 as f32, radius as f32) {
            self.fill(&path, fill, Transform::identity());
            self.stroke(&path, outline);
        }
    }

    fn text(&mut self, at: (f64, f64), text: &str, style: TextStyle<'_>) {
        let face = if style.bold { &self.bold } else { &self.plain };
        let (outline, width) = set(face, text, style.size * NARROWER);
        let before = match style.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5,
            Anchor::End => 1.0,
        };
        let turn = if style.upright { -90.0 } else { 0.0 };
        let place = Transform::from_translate(-before * width, 0.0)
            .post_rotate(turn)
            .post_translate(at.0 as f32, at.1 as f32);
        if let Some(path) = outline {
            self.fill(&path, style.colour, place);
        }
    }
}

/// The outlines of a text that begins at the origin, and how wide it is.
fn set(face: &Face<'_>, text: &str, size: f64) -> (Option<Path>, f32) {
    let unit = size as f32 / f32::from(face.units_per_em());
    let mut pen = Glyphs { path: PathBuilder::new(), unit, x: 0.0 };
    for letter in text.chars() {
        // Glyph 0 is the box for characters that the font does not have.
        let glyph = face.glyph_index(letter).unwrap_or_default();
        face.outline_glyph(glyph, &mut pen);
        pen.x += unit * f32::from(face.glyph_hor_advance(glyph).unwrap_or_default());
    }
    (pen.path.finish(), pen.x)
}

/// Outlines one after the other; fonts count y upwards.
struct Glyphs {
    path: PathBuilder,
    unit: f32,
    x: f32,
}

impl Glyphs {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + self.unit * x, -self.unit * y)
    }
}

impl OutlineBuilder for Glyphs {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

/// Parses `#rrggbb`; anything else is black, which is visible.
fn paint(colour: &str) -> Paint<'static> {
    let part = |i: usize| colour.get(i..i + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or(0);
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(part(1), part(3), part(5), 255);
    paint
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ink(png: &[u8]) -> (u32, u32, usize) {
        let read = Pixmap::decode_png(png).unwrap();
        let dark = read.pixels().iter().filter(|p| p.red() < 128).count();
        (read.width(), read.height(), dark)
    }

    fn style(upright: bool) -> TextStyle<'static> {
        TextStyle { size: 20.0, colour: "#000000", anchor: Anchor::Middle, bold: false, upright }
    }

    #[test]
    fn a_line_is_as_long_and_as_thick_as_asked_at_every_scale() {
        for scale in [1.0, 2.0] {
            let mut raster = Raster::new(100.0, 40.0, scale);
            raster.line((10.0, 20.0), (90.0, 20.0), Pen { colour: "#000000", width: 4.0 });
            let (width, height, dark) = ink(&raster.finish());
            assert_eq!((f64::from(width), f64::from(height)), (100.0 * scale, 40.0 * scale));
            let expected = 80.0 * 4.0 * scale * scale;
            assert!((dark as f64 / expected - 1.0).abs() < 0.1, "{dark} for {expected}");
        }
    }

    #[test]
    fn texts_leave_ink_also_upright_and_a_letter_the_font_lacks_leaves_a_box() {
        let drawn = |text: &str, upright: bool| {
            let mut raster = Raster::new(200.0, 200.0, 1.0);
            raster.text((100.0, 100.0), text, style(upright));
            ink(&raster.finish()).2
        };
        assert!(drawn("energy, 10⁻³ J", false) > 200);
        let (level, upright) = (drawn("energy", false) as f64, drawn("energy", true) as f64);
        assert!((level / upright - 1.0).abs() < 0.2, "{level} and {upright}");
        assert!(drawn("界", false) > 20);
        assert_eq!(drawn("", false), 0);
    }

    #[test]
    fn the_font_has_every_sign_that_labels_use() {
        let face = Face::parse(PLAIN, 0).unwrap();
        for sign in "−×±⁻⁰¹²³⁴⁵⁶⁷⁸⁹·µωΣ‖√≤≥|Δéß".chars() {
            assert!(face.glyph_index(sign).is_some(), "{sign}");
        }
    }
}
