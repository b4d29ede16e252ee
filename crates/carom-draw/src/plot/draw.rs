//! Where everything of a plot goes, on any canvas.

use super::axis::{Axis, power_of_ten};
use super::decimate::decimate;
use super::{INK, Panel, Plot, Series};
use crate::canvas::{Anchor, Canvas, Pen, TextStyle};
use crate::svg::text_width;

const FAINT: &str = "#5b6270";
const GRID: &str = "#e7e9ee";
const MARKED: &str = "#f3ead6";

pub(super) const LEFT: f64 = 74.0;
pub(super) const RIGHT: f64 = 24.0;
const LEGEND_ROW: f64 = 18.0;
const KEY: f64 = 18.0;
const SMALL: f64 = 11.5;

impl Plot {
    /// Width and height of the whole, in pixels.
    pub(super) fn size(&self) -> (f64, f64) {
        let heights: f64 = self.rows().map(|row| self.height_of(row)).sum();
        (self.width, self.title_height() + heights + 8.0)
    }

    pub(super) fn draw(&self, canvas: &mut dyn Canvas) {
        canvas.text((LEFT, 27.0), &self.title, text(16.0, INK, Anchor::Start, true));
        let mut top = self.title_height();
        for row in self.rows() {
            // Areas of one row begin at one height, whatever their legends take.
            let area_top = top + self.above(row);
            for (column, panel) in row.iter().enumerate() {
                let left = LEFT + column as f64 * self.width / self.columns as f64;
                let area = Area { left, top: area_top, width: self.area_width(), height: self.panel_height };
                area.draw(panel, top, canvas);
            }
            top += self.height_of(row);
        }
    }

    fn rows(&self) -> impl Iterator<Item = &[Panel]> {
        self.panels.chunks(self.columns.max(1))
    }

    fn title_height(&self) -> f64 {
        if self.title.is_empty() { 14.0 } else { 40.0 }
    }

    /// Width of the area of a panel.
    fn area_width(&self) -> f64 {
        self.width / self.columns.max(1) as f64 - LEFT - RIGHT
    }

    /// Height above the areas of a row: titles and legends.
    fn above(&self, row: &[Panel]) -> f64 {
        row.iter().map(|panel| above(panel, self.area_width())).fold(0.0, f64::max)
    }

    fn height_of(&self, row: &[Panel]) -> f64 {
        let below = if row.iter().all(|panel| panel.x_label.is_empty()) { 30.0 } else { 50.0 };
        self.above(row) + self.panel_height + below
    }
}

/// The rectangle that the lines are drawn in.
struct Area {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Area {
    fn draw(&self, panel: &Panel, top: f64, canvas: &mut dyn Canvas) {
        if !panel.title.is_empty() {
            canvas.text((self.left, top + 14.0), &panel.title, text(13.0, INK, Anchor::Start, true));
            let right = self.left + self.width;
            canvas.text((right, top + 14.0), &panel.note, text(SMALL, FAINT, Anchor::End, false));
        }
        self.draw_legend(panel, top + title_height(panel), canvas);
        let points = || panel.series.iter().flat_map(|s| &s.points);
        let x_axis = Axis::new(panel.x_scale, points().map(|p| p.0), 0.0, (self.width / 80.0) as usize);
        let spanned = panel.y_at_least.into_iter().flat_map(|(low, high)| [low, high]);
        let y_axis = Axis::new(panel.y_scale, points().map(|p| p.1).chain(spanned), 0.05, 5);
        if let Some((from, to)) = panel.marked {
            self.draw_mark(&x_axis, from, to, canvas);
        }
        self.draw_axes(&x_axis, &y_axis, panel, canvas);
        for series in &panel.series {
            self.draw_series(&x_axis, &y_axis, series, canvas);
        }
    }

    fn x(&self, axis: &Axis, value: f64) -> f64 {
        self.left + self.width * axis.place(value)
    }

    fn y(&self, axis: &Axis, value: f64) -> f64 {
        self.top + self.height * (1.0 - axis.place(value))
    }

    fn draw_mark(&self, x_axis: &Axis, from: f64, to: f64, canvas: &mut dyn Canvas) {
        let inside = |value: f64| self.x(x_axis, value).clamp(self.left, self.left + self.width);
        // A narrow range is marked with a least width, so that it stays visible.
        let (from, to) = (inside(from), inside(to).max(inside(from) + 2.0));
        canvas.rect((from, self.top), (to - from, self.height), MARKED);
    }

    fn draw_axes(&self, x_axis: &Axis, y_axis: &Axis, panel: &Panel, canvas: &mut dyn Canvas) {
        let (right, bottom) = (self.left + self.width, self.top + self.height);
        let grid = Pen { colour: GRID, width: 1.0 };
        for mark in &y_axis.marks {
            let y = self.y(y_axis, mark.at);
            canvas.line((self.left, y), (right, y), grid);
            canvas.text((self.left - 8.0, y + 4.0), &mark.label, text(SMALL, FAINT, Anchor::End, false));
        }
        for mark in &x_axis.marks {
            let x = self.x(x_axis, mark.at);
            canvas.line((x, self.top), (x, bottom), grid);
            canvas.text((x, bottom + 17.0), &mark.label, text(SMALL, FAINT, Anchor::Middle, false));
        }
        let axis = Pen { colour: "#9aa1ad", width: 1.0 };
        canvas.line((self.left, bottom), (right, bottom), axis);
        canvas.line((self.left, self.top), (self.left, bottom), axis);

        let middle = (self.left + self.width / 2.0, bottom + 36.0);
        let x_label = with_exponent(&panel.x_label, x_axis.exponent);
        canvas.text(middle, &x_label, text(12.0, INK, Anchor::Middle, false));
        let upright = TextStyle { upright: true, ..text(12.0, INK, Anchor::Middle, false) };
        let y_label = with_exponent(&panel.y_label, y_axis.exponent);
        canvas.text((self.left - 54.0, self.top + self.height / 2.0), &y_label, upright);
    }

    fn draw_series(&self, x_axis: &Axis, y_axis: &Axis, series: &Series, canvas: &mut dyn Canvas) {
        let pen = Pen { colour: &series.colour, width: series.width };
        let placed = || series.points.iter().map(|&(x, y)| (self.x(x_axis, x), self.y(y_axis, y)));
        for run in decimate(placed()) {
            canvas.polyline(&run, pen);
        }
        if series.dots {
            let white = Pen { colour: "#ffffff", width: 1.0 };
            for at in placed().filter(|p| p.0.is_finite() && p.1.is_finite()) {
                canvas.circle(at, 3.5, &series.colour, white);
            }
        }
    }

    fn draw_legend(&self, panel: &Panel, top: f64, canvas: &mut dyn Canvas) {
        for (series, (x, row)) in panel.series.iter().zip(legend_places(panel, self.width)) {
            let (left, y) = (self.left + x, top + LEGEND_ROW * row + 7.0);
            canvas.line((left, y), (left + KEY, y), Pen { colour: &series.colour, width: 2.5 });
            canvas.text((left + KEY + 6.0, y + 4.0), &series.name, text(SMALL, INK, Anchor::Start, false));
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

/// Height above the area of a panel: title and legend.
fn above(panel: &Panel, width: f64) -> f64 {
    let rows = legend_places(panel, width).last().map_or(0.0, |(_, row)| row + 1.0);
    title_height(panel) + LEGEND_ROW * rows + 4.0
}

/// Where each entry of the legend begins, and in which row. One line needs no legend.
pub(super) fn legend_places(panel: &Panel, width: f64) -> Vec<(f64, f64)> {
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

fn text(size: f64, colour: &str, anchor: Anchor, bold: bool) -> TextStyle<'_> {
    TextStyle { size, colour, anchor, bold, upright: false }
}
