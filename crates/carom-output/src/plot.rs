//! Line plots as SVG, drawn here.
//!
//! A [`Plot`] is panels one below the other; a [`Panel`] is series on common axes; a [`Series`]
//! is points. Marks are round numbers, units stand in the labels, and however many points there
//! are, no excursion is lost (see `decimate`).
//!
//! **Never here:** where the numbers come from, except for the energy plot ([`energy()`]).

pub(crate) mod axis;
mod decimate;
mod energy;

pub use axis::Scale;
pub use energy::{convergence, energy, energy_error, write_energy};

use std::path::Path;

use crate::svg::{Anchor, Pen, Svg, TextStyle, text_width};
use crate::{OutputError, disk};
use axis::{Axis, power_of_ten};
use decimate::decimate;

/// Colour of text and of the most important line.
pub const INK: &str = "#1f2430";
const FAINT: &str = "#5b6270";
const GRID: &str = "#e7e9ee";

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
    /// What the legend says.
    pub name: String,
    /// Colour, as CSS writes it.
    pub colour: String,
    /// The points, in the order in which the line goes through them.
    pub points: Vec<(f64, f64)>,
    /// Whether every point is marked by a dot.
    pub dots: bool,
}

impl Series {
    /// A line without dots.
    #[must_use]
    pub fn new(name: &str, colour: &str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), colour: colour.to_owned(), points, dots: false }
    }
}

/// Lines on common axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// What stands above it.
    pub title: String,
    /// What stands beside the title, smaller: a verdict in numbers.
    pub note: String,
    /// What x is, with its unit; empty where the panel below says it.
    pub x_label: String,
    /// What y is, with its unit.
    pub y_label: String,
    /// How x is laid out.
    pub x_scale: Scale,
    /// How y is laid out.
    pub y_scale: Scale,
    /// The lines; later ones are drawn over earlier ones.
    pub series: Vec<Series>,
}

/// Panels one below the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What stands above all.
    pub title: String,
    /// The panels, from top to bottom.
    pub panels: Vec<Panel>,
    /// Width of the whole, in pixels.
    pub width: f64,
    /// Height of the area of each panel, in pixels.
    pub panel_height: f64,
}

impl Default for Plot {
    fn default() -> Self {
        Self { title: String::new(), panels: Vec::new(), width: 760.0, panel_height: 210.0 }
    }
}

const LEFT: f64 = 74.0;
const RIGHT: f64 = 24.0;
const LEGEND_ROW: f64 = 18.0;
const KEY: f64 = 18.0;
const SMALL: f64 = 11.5;

impl Plot {
    /// The text of an SVG file.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let title_height = if self.title.is_empty() { 14.0 } else { 40.0 };
        let heights: f64 = self.panels.iter().map(|p| self.height_of(p)).sum();
        let mut svg = Svg::new(self.width, title_height + heights + 8.0, &self.title);
        svg.text((LEFT, 27.0), &self.title, text(16.0, INK, Anchor::Start, true));
        let mut top = title_height;
        for panel in &self.panels {
            self.draw(panel, top, &mut svg);
            top += self.height_of(panel);
        }
        svg.finish()
    }

    /// Writes the plot as an SVG file, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), OutputError> {
        disk::replace(path, self.to_svg().as_bytes())
    }

    /// Width of the area of a panel.
    fn area_width(&self) -> f64 {
        self.width - LEFT - RIGHT
    }

    fn height_of(&self, panel: &Panel) -> f64 {
        let below = if panel.x_label.is_empty() { 30.0 } else { 50.0 };
        above(panel, self.area_width()) + self.panel_height + below
    }

    fn draw(&self, panel: &Panel, top: f64, svg: &mut Svg) {
        if !panel.title.is_empty() {
            svg.text((LEFT, top + 14.0), &panel.title, text(13.0, INK, Anchor::Start, true));
            svg.text((self.width - RIGHT, top + 14.0), &panel.note, text(SMALL, FAINT, Anchor::End, false));
        }
        let area_top = top + above(panel, self.area_width());
        draw_legend(panel, top + title_height(panel), self.area_width(), svg);
        let points = || panel.series.iter().flat_map(|s| &s.points);
        let x_axis = Axis::new(panel.x_scale, points().map(|p| p.0), 0.0, 8);
        let y_axis = Axis::new(panel.y_scale, points().map(|p| p.1), 0.05, 5);
        let frame = Area { top: area_top, width: self.area_width(), height: self.panel_height };
        frame.draw_axes(&x_axis, &y_axis, panel, svg);
        for series in &panel.series {
            frame.draw_series(&x_axis, &y_axis, series, svg);
        }
    }
}

/// The rectangle that the lines are drawn in.
struct Area {
    top: f64,
    width: f64,
    height: f64,
}

impl Area {
    fn x(&self, axis: &Axis, value: f64) -> f64 {
        LEFT + self.width * axis.place(value)
    }

    fn y(&self, axis: &Axis, value: f64) -> f64 {
        self.top + self.height * (1.0 - axis.place(value))
    }

    fn draw_axes(&self, x_axis: &Axis, y_axis: &Axis, panel: &Panel, svg: &mut Svg) {
        let (right, bottom) = (LEFT + self.width, self.top + self.height);
        let grid = Pen { colour: GRID, width: 1.0 };
        for mark in &y_axis.marks {
            let y = self.y(y_axis, mark.at);
            svg.line((LEFT, y), (right, y), grid);
            svg.text((LEFT - 8.0, y + 4.0), &mark.label, text(SMALL, FAINT, Anchor::End, false));
        }
        for mark in &x_axis.marks {
            let x = self.x(x_axis, mark.at);
            svg.line((x, self.top), (x, bottom), grid);
            svg.text((x, bottom + 17.0), &mark.label, text(SMALL, FAINT, Anchor::Middle, false));
        }
        let axis = Pen { colour: "#9aa1ad", width: 1.0 };
        svg.line((LEFT, bottom), (right, bottom), axis);
        svg.line((LEFT, self.top), (LEFT, bottom), axis);

        let middle = (LEFT + self.width / 2.0, bottom + 36.0);
        let x_label = with_exponent(&panel.x_label, x_axis.exponent);
        svg.text(middle, &x_label, text(12.0, INK, Anchor::Middle, false));
        let upright = TextStyle { upright: true, ..text(12.0, INK, Anchor::Middle, false) };
        let y_label = with_exponent(&panel.y_label, y_axis.exponent);
        svg.text((20.0, self.top + self.height / 2.0), &y_label, upright);
    }

    fn draw_series(&self, x_axis: &Axis, y_axis: &Axis, series: &Series, svg: &mut Svg) {
        let pen = Pen { colour: &series.colour, width: 1.5 };
        let placed = || series.points.iter().map(|&(x, y)| (self.x(x_axis, x), self.y(y_axis, y)));
        for run in decimate(placed()) {
            svg.polyline(&run, pen);
        }
        if series.dots {
            let white = Pen { colour: "#ffffff", width: 1.0 };
            for at in placed().filter(|p| p.0.is_finite() && p.1.is_finite()) {
                svg.circle(at, 3.5, &series.colour, white);
            }
        }
    }
}

/// A label with the power of ten that its numbers leave out: `energy, 10⁻³ J`.
fn with_exponent(label: &str, exponent: i32) -> String {
    // A panel without a label shares the axis of the one below, which names the power.
    if exponent == 0 || label.is_empty() {
        return label.to_owned();
    }
    match label.rsplit_once(", ") {
        Some((name, unit)) => format!("{name}, {} {unit}", power_of_ten(exponent)),
        None => format!("{label}, {}", power_of_ten(exponent)),
    }
}

fn title_height(panel: &Panel) -> f64 {
    if panel.title.is_empty() { 0.0 } else { 24.0 }
}

/// What a panel needs above its area: title and legend.
fn above(panel: &Panel, width: f64) -> f64 {
    let rows = legend_places(panel, width).last().map_or(0.0, |(_, row)| row + 1.0);
    title_height(panel) + LEGEND_ROW * rows + 4.0
}

/// Where each entry of the legend begins, and in which row. One line needs no legend.
fn legend_places(panel: &Panel, width: f64) -> Vec<(f64, f64)> {
    if panel.series.len() < 2 {
        return Vec::new();
    }
    let (mut x, mut row) = (0.0, 0.0);
    let place = |series: &Series| {
        let wide = KEY + 6.0 + text_width(&series.name, SMALL) + 16.0;
        if x > 0.0 && x + wide > width {
            (x, row) = (0.0, row + 1.0);
        }
        let at = (x, row);
        x += wide;
        at
    };
    panel.series.iter().map(place).collect()
}

fn draw_legend(panel: &Panel, top: f64, width: f64, svg: &mut Svg) {
    for (series, (x, row)) in panel.series.iter().zip(legend_places(panel, width)) {
        let (left, y) = (LEFT + x, top + LEGEND_ROW * row + 7.0);
        svg.line((left, y), (left + KEY, y), Pen { colour: &series.colour, width: 2.5 });
        svg.text((left + KEY + 6.0, y + 4.0), &series.name, text(SMALL, INK, Anchor::Start, false));
    }
}

fn text(size: f64, colour: &str, anchor: Anchor, bold: bool) -> TextStyle<'_> {
    TextStyle { size, colour, anchor, bold, upright: false }
}

#[cfg(test)]
mod tests;
