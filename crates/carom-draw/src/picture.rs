//! Frames as pictures: drawn here, sample by sample, without a graphics card or a display.
//!
//! A [`Survey`] reads all frames of an animation, a [`Studio`] sets up camera, lights and colours for it, and then renders one [`Image`]
//! after the other, independently: the same frame gives the same bytes, whatever the number of threads.
//!
//! | module | idea |
//! | --- | --- |
//! | `camera` | the camera, which frames the scene automatically |
//! | `survey` | what all frames have in common |
//! | `shapes`, `surface` | what is drawn of a frame: faces, tubes, balls; where surfaces are smooth |
//! | `buffer` | the nearest shape for every sample |
//! | `light`, `sky`, `shade` | sun, sky and shadows; the colour of every pixel |
//! | `colour`, `bars` | what colours mean, and colour bars |
//! | `image` | files: PNG, and animated PNG |
//!
//! **Never here:** scenes; where frames come from.

mod bars;
mod buffer;
mod camera;
mod colour;
mod image;
mod light;
mod shade;
mod shapes;
mod sky;
mod surface;
mod survey;
mod threads;

pub use camera::{Lens, View};
pub use carom_model::ColourBy;
pub use image::{Film, Image};
pub use survey::Survey;

use carom_math::Vec3;
use carom_model::Frame;

use crate::plot::Scale;
use crate::raster::Raster;
use crate::words;
use buffer::{Buffer, NOTHING, in_bands};
use camera::{Camera, Pose, Window, around};
use colour::{Colours, Screen, usual_scale};
use light::{Lamps, Lights};
use shade::{SAMPLES, STRONG, Shading};
use shapes::{Shapes, Sizes};
use sky::Sky;
use surface::Edge;

/// How a body is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyStyle {
    /// Whether the body is an obstacle: it is drawn as background.
    pub obstacle: bool,
    /// Radius of its edges if they are a rod, in m.
    pub tube_radius_m: Option<f64>,
    /// Radius of its points, in m, where a frame has none for them.
    pub point_radius_m: Option<f64>,
    /// Whether the body is left out.
    pub hidden: bool,
    /// Whether the body is transparent; if not given, an obstacle that hides much of what moves is.
    pub see_through: Option<bool>,
}

/// Which lines are drawn on surfaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Edges {
    /// No lines.
    None,
    /// Lines where a surface ends or is sharply bent.
    Outline,
    /// Outlines and, fainter, the triangles of moving bodies.
    #[default]
    Mesh,
}

impl Edges {
    /// How visible the line along an edge is, from 0 to 1.
    fn visibility(self, edge: Edge, is_obstacle: bool) -> f64 {
        match (self, edge) {
            (Self::None, _) => 0.0,
            (_, Edge::Outline) => STRONG,
            (Self::Mesh, Edge::Inner) if !is_obstacle => 0.3,
            (Self::Mesh | Self::Outline, Edge::Inner) => 0.0,
        }
    }
}

/// How pictures are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Title above the picture; none if empty.
    pub title: String,
    /// What colours mean.
    pub colour_by: ColourBy,
    /// Scale of numbers on the colours; if not given, chosen from the data.
    pub scale: Option<Scale>,
    /// The numbers at the ends of the colours; those of all frames if not given.
    pub range: Option<(f64, f64)>,
    /// Direction of the camera.
    pub view: View,
    /// The upward direction: against gravity.
    pub vertical: Vec3,
    /// Kind of projection.
    pub lens: Lens,
    /// Zoom factor relative to a view of everything.
    pub closer: f64,
    /// Width of the picture, in pixels.
    pub width: u32,
    /// Height of the picture in pixels; if not given, chosen from the scene, within bounds.
    pub height: Option<u32>,
    /// The lines on surfaces.
    pub edges: Edges,
    /// Whether there is a ground plane with shadows.
    pub ground: bool,
    /// Whether time and bars are written on the picture.
    pub labels: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            title: String::new(),
            colour_by: ColourBy::Body,
            scale: None,
            range: None,
            view: View::default(),
            vertical: Vec3::Z,
            lens: Lens::Perspective,
            closer: 1.0,
            width: 1200,
            height: None,
            edges: Edges::Mesh,
            ground: true,
            labels: true,
        }
    }
}

/// Labels are laid out for a picture of this width, and grow with it.
const NOMINAL: f64 = 840.0;

/// Space around the scene, and more for the bar of colours and for lines of text, in nominal pixels.
const MARGIN: f64 = 30.0;
const BAR_SPACE: f64 = 84.0;
const TEXT_SPACE: f64 = 22.0;

/// Rows of pixels that are drawn together: their samples fit into the cache.
const BAND: usize = 12;

/// An obstacle that hides more than this fraction of what moves is drawn transparent.
const HIDES: f64 = 0.4;

/// Number of transparent surfaces behind each other that are drawn.
const LAYERS: usize = 3;

/// Camera, lights and colours of a film.
#[derive(Clone, Debug)]
pub struct Studio {
    style: Style,
    looks: Vec<BodyStyle>,
    label: String,
    camera: Camera,
    size: (usize, usize),
    lamps: Lamps,
    colours: Colours,
    ground: Option<f64>,
    sizes: Sizes,
}

impl Studio {
    /// Sets everything up for the frames of `survey`; searches `samples` of them for obstacles that hide things.
    #[must_use]
    pub fn new(survey: &Survey, samples: &[&Frame], looks: &[BodyStyle], style: &Style) -> Self {
        let scale = style.scale.unwrap_or(usual_scale(style.colour_by));
        let range = style.range.unwrap_or_else(|| survey.range(scale == Scale::Linear));
        let colours = Colours::new(style.colour_by, scale, range, looks);
        let balls = survey.balls();
        let ball = around(&balls);
        let vertical = style.vertical.try_normalize().unwrap_or(Vec3::Z);
        let pose = Pose::new(style.view, vertical);
        let lowest = balls.iter().map(|(p, r)| p.dot(vertical) - r).fold(f64::INFINITY, f64::min);
        // A little below, so that it is not in the way of what lies on it.
        let ground = (style.ground && lowest.is_finite()).then_some(lowest - 2e-3 * ball.1);
        let lamps = Lamps::new(pose, vertical, (ball.0, 1.05 * ball.1));
        let mut framed = balls.clone();
        framed.extend(ground.iter().flat_map(|height| shadows(&balls, &lamps, *height)));
        let (camera, height) = frame_scene(style, pose, &framed, colours.axis.is_some());
        let mut studio = Self {
            label: survey.label(),
            camera,
            size: (style.width as usize, height),
            lamps,
            colours,
            ground,
            sizes: Sizes { thread: 3e-3 * ball.1, bead: 1.6e-2 * ball.1 },
            looks: looks.to_vec(),
            style: style.clone(),
        };
        studio.see_through_what_hides(samples);
        studio
    }

    /// Width and height of its pictures, in pixels.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        (self.size.0 as u32, self.size.1 as u32)
    }

    /// A picture of a frame.
    ///
    /// # Panics
    /// If the frame's lists do not fit each other.
    #[must_use]
    pub fn shoot(&self, frame: &Frame) -> Image {
        frame.check().expect("a frame's lists fit each other");
        let shapes = Shapes::new(frame, &self.looks, &self.colours, self.style.edges, self.sizes);
        let (solid, thin): (Vec<u32>, Vec<u32>) = (0..shapes.len() as u32)
            .partition(|&number| !self.is_see_through(shapes.get(number as usize).body()));
        let lights = Lights::new(self.lamps, &shapes, &solid);
        let sky = Sky::new(&shapes, &lights, &self.lamps, &self.camera, self.ground);
        let shading = Shading {
            shapes: &shapes,
            colours: &self.colours,
            lights: &lights,
            sky: &sky,
            camera: self.camera.finer(SAMPLES as f64),
            ground: self.ground,
            vertical: self.lamps.vertical,
            line: 0.42 * f64::from(self.style.width) / NOMINAL,
        };
        let bands = self.size.1.div_ceil(BAND);
        let screen = Screen::new();
        let sorted = |numbers: &[u32]| in_bands(&shapes, numbers, &shading.camera, BAND * SAMPLES, bands);
        let (solid, thin) = (sorted(&solid), sorted(&thin));
        let drawn = threads::in_order(bands, |band| {
            let rows = BAND.min(self.size.1 - band * BAND);
            let nothing = Buffer::new(self.size.0 * SAMPLES, band * BAND * SAMPLES, rows * SAMPLES);
            let mut nearest = nothing.clone();
            nearest.draw(&shapes, solid[band].iter().copied(), &shading.camera, None);
            let layers = layers(&shapes, &thin[band], &shading.camera, (&nearest, &nothing));
            let pixels = shading.rows(&nearest, &layers);
            pixels.into_iter().flat_map(|light| screen.bytes(light)).collect::<Vec<u8>>()
        });
        let (width, height) = self.size();
        let image = Image { width, height, rgb: drawn.concat() };
        if self.style.labels { self.labelled(image, frame.time_s) } else { image }
    }

    fn is_see_through(&self, body: usize) -> bool {
        self.looks.get(body).is_some_and(|look| look.see_through == Some(true))
    }

    /// Makes obstacles transparent that hide much of what moves in any of these frames.
    fn see_through_what_hides(&mut self, frames: &[&Frame]) {
        const WIDTH: f64 = 240.0;
        let coarse = WIDTH / self.size.0 as f64;
        let camera = self.camera.finer(coarse);
        let rows = (self.size.1 as f64 * coarse) as usize;
        for frame in frames {
            let shapes = Shapes::new(frame, &self.looks, &self.colours, Edges::None, self.sizes);
            let bodies: Vec<usize> = (0..shapes.len()).map(|n| shapes.get(n).body()).collect();
            let those = |is_drawn: &dyn Fn(usize) -> bool| -> Vec<u32> {
                (0..).zip(&bodies).filter(|(_, b)| is_drawn(**b)).map(|(n, _)| n).collect()
            };
            let is_obstacle = |body: usize| self.looks.get(body).is_some_and(|look| look.obstacle);
            let mut movers = Buffer::new(WIDTH as usize, 0, rows);
            movers.draw(&shapes, those(&|body| !is_obstacle(body)), &camera, None);
            let seen = movers.shape.iter().filter(|shape| **shape != NOTHING).count();
            let hiding: Vec<usize> = (0..self.looks.len())
                .filter(|&body| is_obstacle(body) && self.looks[body].see_through.is_none())
                .filter(|&body| {
                    let mut with = movers.clone();
                    with.draw(&shapes, those(&|other| other == body), &camera, None);
                    let hidden = movers.shape.iter().zip(&with.shape);
                    let hidden =
                        hidden.filter(|(before, after)| **before != NOTHING && before != after).count();
                    hidden as f64 > HIDES * seen as f64
                })
                .collect();
            for body in hiding {
                self.looks[body].see_through = Some(true);
            }
        }
    }

    /// The picture with title, time and bars on it.
    fn labelled(&self, mut image: Image, time_s: f64) -> Image {
        let unit = f64::from(image.width) / NOMINAL;
        let tall = f64::from(image.height) / unit;
        let pixels = |nominal: f64| (nominal * unit).round() as u32;
        let height = (0.6 * tall).min(280.0);
        let (left, top) = (pixels(NOMINAL - BAR_SPACE + 6.0), pixels((tall - height) / 2.0));
        let bar = bars::Area { left, top, width: pixels(13.0), height: pixels(height) };
        if self.colours.axis.is_some() {
            bars::paint_colours(&mut image, bar);
        }
        let mut raster = Raster::over(&image, unit);
        if !self.style.title.is_empty() {
            bars::heading(&mut raster, (MARGIN, MARGIN), &self.style.title);
        }
        if let Some(axis) = &self.colours.axis {
            bars::colour_marks(&mut raster, bar, unit, axis, &self.label);
        }
        let low = tall - 12.0;
        if self.style.lens == Lens::Parallel {
            bars::length_bar(&mut raster, (MARGIN, low - 4.0), self.camera.zoom / unit, 0.16 * NOMINAL);
        }
        bars::note(&mut raster, (NOMINAL - MARGIN / 2.0, low), &format!("t = {}", words::seconds(time_s)));
        raster.into_image()
    }
}

/// The sun's shadows of balls on the ground, none farther aside of them all than a part of their size: a long shadow
/// may leave the picture, or everything else would be small.
fn shadows(balls: &[(Vec3, f64)], lamps: &Lamps, ground: f64) -> Vec<(Vec3, f64)> {
    const ASIDE: f64 = 0.12;
    let level = |p: Vec3| p - lamps.vertical * (p.dot(lamps.vertical) - ground);
    let (centre, radius) = around(&balls.iter().map(|(p, r)| (level(*p), *r)).collect::<Vec<_>>());
    let fall = |&(p, r): &(Vec3, f64)| {
        let height = (p.dot(lamps.vertical) - ground) / lamps.sunwards.dot(lamps.vertical);
        let from_centre = p - lamps.sunwards * height - centre;
        let most = ((1.0 + ASIDE) * radius - r) / from_centre.length().max(1e-300);
        (centre + from_centre * most.min(1.0), r)
    };
    balls.iter().map(fall).collect()
}

/// A camera for everything, and the height of the picture.
fn frame_scene(style: &Style, pose: Pose, balls: &[(Vec3, f64)], has_bar: bool) -> (Camera, usize) {
    let width = f64::from(style.width);
    let unit = width / NOMINAL;
    let space = |is_there: bool, pixels: f64| if is_there && style.labels { pixels * unit } else { 0.0 };
    let top = MARGIN * unit + space(!style.title.is_empty(), TEXT_SPACE);
    let bottom = MARGIN * unit + space(true, 0.4 * TEXT_SPACE);
    let inner = |height: f64| (height - top - bottom).max(1.0);
    let heights = match style.height {
        Some(height) => (inner(f64::from(height)), inner(f64::from(height))),
        None => (inner(0.42 * width), inner(0.80 * width)),
    };
    let window = Window {
        left: MARGIN * unit,
        top,
        width: width - 2.0 * MARGIN * unit - space(has_bar, BAR_SPACE),
        heights,
    };
    let (camera, used) = Camera::framing(pose, style.lens, balls, window, style.closer);
    (camera, style.height.map_or((used + top + bottom).round() as usize, |height| height as usize))
}

/// The transparent surfaces before `solid`, the nearest first.
fn layers(
    shapes: &Shapes,
    thin: &[u32],
    camera: &Camera,
    (solid, nothing): (&Buffer, &Buffer),
) -> Vec<Buffer> {
    let mut layers: Vec<Buffer> = Vec::new();
    for _ in 0..if thin.is_empty() { 0 } else { LAYERS } {
        // Only what is nearer than the solid: it lies below with no shape of its own.
        let mut layer = Buffer { nearness: solid.nearness.clone(), ..nothing.clone() };
        layer.draw(shapes, thin.iter().copied(), camera, layers.last());
        // Where this layer has nothing, none is behind it.
        let emptied = layer.shape.iter().zip(&mut layer.nearness).filter(|(shape, _)| **shape == NOTHING);
        emptied.for_each(|(_, nearness)| *nearness = f32::NEG_INFINITY);
        layers.push(layer);
    }
    layers
}

#[cfg(test)]
mod tests;
