//! A frame as a picture: SVG, drawn here, without a graphics card.
//!
//! The camera looks along parallel rays and frames the scene by itself. Faces are painted from
//! the farthest to the nearest, shaded by how they face the light, and coloured by a number per
//! vertex or per cell; rods are lines and grains are circles.
//!
//! A number that differs from vertex to vertex is linear on a face, and so is a gradient of SVG:
//! the colours of a face are those of the bar, laid out along its own gradient, exact at any size.

mod bars;
mod camera;
mod colour;
mod shapes;

pub use camera::View;
pub use colour::Palette;

use std::path::Path;

use carom_math::Vec3;
use carom_model::Frame;

use crate::canvas::{Anchor, Canvas as _, Pen, TextStyle};
use crate::plot::axis::Axis;
use crate::plot::{self, INK, Scale};
use crate::svg::Svg;
use crate::{OutputError, disk};
use camera::{Camera, Window};
use colour::{GREY, Rgb};
use shapes::{Shape, in_painters_order};

/// What colours stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ColourBy<'a> {
    /// Nothing: everything in one colour.
    #[default]
    Nothing,
    /// The body.
    Body,
    /// A number per vertex.
    Vertices(&'a [f64]),
    /// A number per cell, in the order of the frame's cells.
    Cells(&'a [f64]),
}

/// How a frame is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style<'a> {
    /// What stands above; nothing if empty.
    pub title: &'a str,
    /// What the colours stand for.
    pub colour_by: ColourBy<'a>,
    /// The name of that number, with its unit.
    pub label: &'a str,
    /// The colours.
    pub palette: Palette,
    /// How numbers are laid out on the colours.
    pub scale: Scale,
    /// The numbers at the ends of the colours; those of the frame if not given.
    pub range: Option<(f64, f64)>,
    /// Where one looks from.
    pub view: View,
    /// Width of the picture, in pixels; its height follows from the scene.
    pub width: f64,
    /// Radius of grains that have none in the frame (`radius_m`), in m; a few pixels if not given.
    pub point_radius_m: Option<f64>,
    /// Whether the edges of the mesh are drawn.
    pub edges: bool,
}

impl Default for Style<'_> {
    fn default() -> Self {
        Self {
            title: "",
            colour_by: ColourBy::Nothing,
            label: "",
            palette: Palette::Sequential,
            scale: Scale::Linear,
            range: None,
            view: View::default(),
            width: 840.0,
            point_radius_m: None,
            edges: true,
        }
    }
}

const MARGIN: f64 = 28.0;
const BAR_SPACE: f64 = 96.0;

/// Under this name the colours of the palette stand in the file.
const COLOURS: &str = "colours";

/// How much darker than its face an edge is.
const EDGE: f64 = 0.4;

/// Width of an outline in the colour of its face, in pixels: covers the gap that smoothing leaves.
const SEAM: f64 = 0.5;

/// The text of an SVG file that shows `frame`.
///
/// # Panics
/// If the frame's lists, or the numbers of [`ColourBy`], do not fit its vertices and cells.
#[must_use]
pub fn draw(frame: &Frame, style: &Style<'_>) -> String {
    frame.check().expect("a frame's lists fit each other");
    let painter = Painter::new(frame, style);
    let top = if style.title.is_empty() { MARGIN } else { MARGIN + 26.0 };
    let bar = if painter.axis.is_some() { BAR_SPACE } else { 0.0 };
    let window = Window {
        left: MARGIN,
        top,
        width: style.width - 2.0 * MARGIN - bar,
        heights: (0.3 * style.width, 0.75 * style.width),
    };
    let ball = |stencil: &[u32], v: u32| {
        let radius = if stencil.len() == 1 { painter.radius(v) } else { None };
        (frame.positions[v as usize], radius.unwrap_or(0.0))
    };
    let balls = frame.topology.stencils().flat_map(|s| s.iter().map(move |&v| ball(s, v)));
    let (camera, height) = Camera::framing(style.view, balls, window);
    let mut svg = Svg::new(style.width, top + height + MARGIN + 26.0, style.title);
    if painter.axis.is_some() {
        svg.colours(COLOURS, &style.palette.stops());
    }
    let heading = TextStyle { size: 16.0, colour: INK, anchor: Anchor::Start, bold: true, upright: false };
    svg.text((MARGIN, MARGIN + 4.0), style.title, heading);
    for (number, (shape, cell)) in in_painters_order(frame, &camera).into_iter().enumerate() {
        match shape {
            Shape::Point(v) => painter.point(v, cell, &camera, &mut svg),
            Shape::Edge(ends) => painter.rod(ends, cell, &camera, &mut svg),
            Shape::Face(corners) => painter.face(number, (corners, cell), &camera, &mut svg),
        }
    }
    if let Some(axis) = &painter.axis {
        let tall = (0.7 * height).min(260.0);
        let corner = (style.width - BAR_SPACE + 14.0, top + (height - tall) / 2.0);
        bars::colour_bar(&mut svg, corner, tall, axis, (COLOURS, style.label));
    }
    bars::length_bar(&mut svg, (MARGIN, top + height + 22.0), camera.zoom, 0.16 * style.width);
    svg.finish()
}

/// Writes [`draw`] as an SVG file, whole or not at all.
///
/// # Panics
/// As [`draw`] does.
pub fn write(path: &Path, frame: &Frame, style: &Style<'_>) -> Result<(), OutputError> {
    disk::replace(path, draw(frame, style).as_bytes())
}

/// What knows the colour of everything.
struct Painter<'a> {
    frame: &'a Frame,
    style: &'a Style<'a>,
    axis: Option<Axis>,
}

impl<'a> Painter<'a> {
    fn new(frame: &'a Frame, style: &'a Style<'a>) -> Self {
        let values = match style.colour_by {
            ColourBy::Vertices(values) => {
                assert_eq!(values.len(), frame.positions.len(), "every vertex has a number");
                Some(values)
            }
            ColourBy::Cells(values) => {
                assert_eq!(values.len(), frame.topology.cells(), "every cell has a number");
                Some(values)
            }
            ColourBy::Nothing | ColourBy::Body => None,
        };
        let axis = values.map(|values| {
            let (low, high) = style.range.unwrap_or_else(|| range_of(values, style.palette));
            Axis::new(style.scale, [low, high].into_iter(), 0.0, 5)
        });
        Self { frame, style, axis }
    }

    /// The number of vertex `v` of cell `cell`, as a place among the colours.
    fn place(&self, v: u32, cell: usize) -> f64 {
        let value = match self.style.colour_by {
            ColourBy::Vertices(values) => values[v as usize],
            ColourBy::Cells(values) => values[cell],
            ColourBy::Nothing | ColourBy::Body => f64::NAN,
        };
        self.axis.as_ref().map_or(f64::NAN, |axis| axis.place(value))
    }

    /// The colour at `place` of something that belongs to vertex `v`.
    fn colour(&self, place: f64, v: u32) -> Rgb {
        match self.style.colour_by {
            ColourBy::Nothing => Rgb::hex(0x8f_b8_d8),
            ColourBy::Body => {
                let code = plot::colour(self.frame.topology.vertex_body[v as usize] as usize);
                u32::from_str_radix(&code[1..], 16).map_or(GREY, Rgb::hex)
            }
            ColourBy::Vertices(_) | ColourBy::Cells(_) => self.style.palette.at(place),
        }
    }

    /// Radius of a grain, in m, if it is known.
    fn radius(&self, v: u32) -> Option<f64> {
        let own = self.frame.vertex_field("radius_m").map(|radii| radii[v as usize]).filter(|r| *r > 0.0);
        own.or(self.style.point_radius_m)
    }

    fn position(&self, v: u32) -> Vec3 {
        self.frame.positions[v as usize]
    }

    fn point(&self, v: u32, cell: usize, camera: &Camera, svg: &mut Svg) {
        let radius = self.radius(v).map_or(4.0, |r| (r * camera.zoom).max(0.5));
        let fill = self.colour(self.place(v, cell), v);
        let outline = fill.times(0.55).css();
        let pen = Pen { colour: &outline, width: (0.12 * radius).clamp(0.2, 1.0) };
        svg.circle(camera.project(self.position(v)), radius, &fill.css(), pen);
    }

    fn rod(&self, [a, b]: [u32; 2], cell: usize, camera: &Camera, svg: &mut Svg) {
        let place = f64::midpoint(self.place(a, cell), self.place(b, cell));
        let fill = self.colour(place, a);
        let (from, to) = (camera.project(self.position(a)), camera.project(self.position(b)));
        svg.line(from, to, Pen { colour: &fill.times(0.6).css(), width: 4.0 });
        svg.line(from, to, Pen { colour: &fill.css(), width: 2.8 });
    }

    fn face(&self, number: usize, (corners, cell): ([u32; 3], usize), camera: &Camera, svg: &mut Svg) {
        let x = corners.map(|v| self.position(v));
        let shade = camera.brightness((x[1] - x[0]).cross(x[2] - x[0]));
        let drawn = x.map(|p| camera.project(p));
        let places = corners.map(|v| self.place(v, cell));
        let size = doubled_area(drawn).abs().sqrt();
        let line = (0.035 * size).clamp(0.08, 0.6);
        if let Some((from, to)) = gradient(drawn, places) {
            let id = format!("f{number}");
            svg.gradient(&id, COLOURS, from, to);
            let fill = format!("url(#{id})");
            svg.polygon(&drawn, &fill, Pen { colour: &fill, width: SEAM });
            svg.veil(&drawn, 1.0 - shade, if self.style.edges { EDGE } else { 0.0 }, line);
        } else {
            let colour = self.colour(places.iter().sum::<f64>() / 3.0, corners[0]).times(shade);
            let (fill, edge) = (colour.css(), colour.times(1.0 - EDGE).css());
            let pen = if self.style.edges {
                Pen { colour: &edge, width: line }
            } else {
                Pen { colour: &fill, width: SEAM }
            };
            svg.polygon(&drawn, &fill, pen);
        }
    }
}

/// The numbers at the ends of the colours: the smallest and the largest, or both signs of the largest.
fn range_of(values: &[f64], palette: Palette) -> (f64, f64) {
    let finite = || values.iter().copied().filter(|v| v.is_finite());
    let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    match palette {
        Palette::Sequential => (low, high),
        Palette::Diverging => {
            let most = low.abs().max(high.abs());
            (-most, most)
        }
    }
}

/// Twice the signed area of a triangle.
fn doubled_area([a, b, c]: [(f64, f64); 3]) -> f64 {
    (b.0 - a.0) * (c.1 - a.1) - (c.0 - a.0) * (b.1 - a.1)
}

/// Where the linear function with these values at the corners is 0, and where 1, along its gradient.
/// `None` where one colour will do: no two would be told apart, or the face is seen edge-on.
fn gradient(corners: [(f64, f64); 3], values: [f64; 3]) -> Option<((f64, f64), (f64, f64))> {
    const JUST_VISIBLE: f64 = 0.02;
    const EDGE_ON: f64 = 0.1;
    let spread = values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        - values.iter().copied().fold(f64::INFINITY, f64::min);
    let area = doubled_area(corners);
    let finite = values.iter().all(|v| v.is_finite());
    if !finite || spread < JUST_VISIBLE || area.is_nan() || area.abs() < EDGE_ON {
        return None;
    }
    let [a, b, c] = corners;
    let (first, second) = (values[1] - values[0], values[2] - values[0]);
    let slope = (
        (first * (c.1 - a.1) - second * (b.1 - a.1)) / area,
        (second * (b.0 - a.0) - first * (c.0 - a.0)) / area,
    );
    let unit = 1.0 / (slope.0 * slope.0 + slope.1 * slope.1);
    let step = (slope.0 * unit, slope.1 * unit);
    let zero = (a.0 - values[0] * step.0, a.1 - values[0] * step.1);
    Some((zero, (zero.0 + step.0, zero.1 + step.1)))
}

#[cfg(test)]
mod tests;
