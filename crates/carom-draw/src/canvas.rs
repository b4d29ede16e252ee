//! What plots are drawn on: a file of shapes (`svg`) or of pixels (`raster`).
//!
//! Coordinates are in pixels, y down. Colours are `#rrggbb`.

/// Position of a text relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins at its point.
    Start,
    /// The text is centred at its point.
    Middle,
    /// The text ends at its point.
    End,
}

/// Style of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextStyle<'a> {
    /// Height of the font, in pixels.
    pub size: f64,
    /// Colour of the text.
    pub colour: &'a str,
    /// Position relative to its point.
    pub anchor: Anchor,
    /// Whether the text is bold.
    pub bold: bool,
    /// Whether the text reads from bottom to top.
    pub upright: bool,
}

/// A pen: colour and width of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen<'a> {
    /// Colour of the line.
    pub colour: &'a str,
    /// Width, in pixels.
    pub width: f64,
}

/// The shapes of plots.
pub trait Canvas {
    /// A line through all points.
    fn polyline(&mut self, points: &[(f64, f64)], pen: Pen<'_>);

    /// A filled rectangle.
    fn rect(&mut self, corner: (f64, f64), size: (f64, f64), fill: &str);

    /// A filled circle with an outline.
    fn circle(&mut self, centre: (f64, f64), radius: f64, fill: &str, outline: Pen<'_>);

    /// A text, its baseline at `at`.
    fn text(&mut self, at: (f64, f64), text: &str, style: TextStyle<'_>);

    /// A straight line.
    fn line(&mut self, from: (f64, f64), to: (f64, f64), pen: Pen<'_>) {
        self.polyline(&[from, to], pen);
    }
}
