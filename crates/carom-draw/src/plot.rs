//! Line plots as SVG and PNG, drawn here.
//!
//! A [`Plot`] is panels, row by row; a [`Panel`] is series on common axes; a [`Series`]
//! is points. Marks are round numbers, units stand in the labels, and however many points there
//! are, no excursion is lost (see `decimate`).
//!
//! **Never here:** where the numbers come from; files.

pub(crate) mod axis;
mod decimate;
mod draw;

pub use axis::{Scale, two_digits};

use crate::raster::Raster;
use crate::svg::Svg;

/// Colour of text and of the most important line.
pub const INK: &str = "#1f2430";

/// Colours that people with any kind of colour vision tell apart on white (Okabe and Ito).
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f"];

/// Colour number `i`, from the start again after the last.
#[must_use]
pub fn colour(i: usize) -> &'static str {
    COLOURS[i % COLOURS.len()]
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Colour, as CSS writes it.
    pub colour: String,
    /// The points, in the order in which the line goes through them.
    pub points: Vec<(f64, f64)>,
    /// Whether every point has a dot.
    pub dots: bool,
    /// Width of the line, in pixels.
    pub width: f64,
}

impl Series {
    /// A line without dots.
    #[must_use]
    pub fn new(name: &str, colour: &str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), colour: colour.to_owned(), points, dots: false, width: 1.5 }
    }
}

/// Lines on common axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Title above the panel.
    pub title: String,
    /// Note beside the title, smaller: a verdict in numbers.
    pub note: String,
    /// Label of the x axis, with its unit; empty where the panel below has it.
    pub x_label: String,
    /// Label of the y axis, with its unit.
    pub y_label: String,
    /// Scale of the x axis.
    pub x_scale: Scale,
    /// Scale of the y axis.
    pub y_scale: Scale,
    /// The lines; later ones are drawn over earlier ones.
    pub series: Vec<Series>,
    /// Least range of the y axis.
    pub y_at_least: Option<(f64, f64)>,
    /// A range of x that another panel shows larger.
    pub marked: Option<(f64, f64)>,
}

/// Panels, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Title above all panels.
    pub title: String,
    /// The panels, from left to right and from top to bottom.
    pub panels: Vec<Panel>,
    /// Number of panels side by side.
    pub columns: usize,
    /// Width of the whole, in pixels.
    pub width: f64,
    /// Height of the area of each panel, in pixels.
    pub panel_height: f64,
}

impl Default for Plot {
    fn default() -> Self {
        Self { title: String::new(), panels: Vec::new(), columns: 1, width: 760.0, panel_height: 210.0 }
    }
}

/// Pixels of a PNG file per pixel of the plot: sharp in print at half a page's width.
const PNG_SCALE: f64 = 2.0;

impl Plot {
    /// The text of an SVG file.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let (width, height) = self.size();
        let mut svg = Svg::new(width, height, &self.title);
        self.draw(&mut svg);
        svg.finish()
    }

    /// The bytes of a PNG file.
    #[must_use]
    pub fn to_png(&self) -> Vec<u8> {
        let (width, height) = self.size();
        let mut raster = Raster::new(width, height, PNG_SCALE);
        self.draw(&mut raster);
        raster.finish()
    }
}

#[cfg(test)]
mod tests;
