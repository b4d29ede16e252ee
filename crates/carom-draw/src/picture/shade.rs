//! From nearest surfaces to pixel colours: lighting, lines, shadows on the ground.

use carom_math::Vec3;

use super::buffer::{Buffer, NOTHING, hit_ball};
use super::camera::{Camera, Ray};
use super::colour::{Colours, Light};
use super::light::Lights;
use super::shapes::{Face, Primitive, Shapes, Tube};
use super::sky::Sky;

/// Samples per pixel, each way.
pub(super) const SAMPLES: usize = 3;

/// The strengths of sun, sky and what the ground throws back.
const SUN: f64 = 0.62;
const SKY: f64 = 0.50;
const GROUND: f64 = 0.13;

/// How much of the light open ground has that is hidden by something: paper is never black.
const SHADOW: f64 = 0.62;

/// Shadows fainter than this are not drawn, so that the background stays white.
const UNSEEN: f64 = 0.04;

/// Strength of the highlight where a surface mirrors the sun.
const SHINE: f64 = 0.05;

/// How much greyer the inner side of a surface is, to distinguish it from the outer.
const INNER_SIDE: f64 = 0.22;

/// Opacity of a transparent surface, viewed at a right angle and at a grazing angle.
const THIN: (f64, f64) = (0.13, 0.42);

/// Triangles smaller than this have no lines, and from the larger size on all of them, in pixels.
const LINED: (f64, f64) = (3.0, 11.0);

/// Everything that decides the colour of a pixel.
pub(super) struct Shading<'a> {
    pub shapes: &'a Shapes,
    pub colours: &'a Colours,
    pub lights: &'a Lights,
    pub sky: &'a Sky,
    /// The camera, in samples.
    pub camera: Camera,
    /// Height of the ground along the vertical, in m, if there is any.
    pub ground: Option<f64>,
    pub vertical: Vec3,
    /// Half the width of a line, in pixels.
    pub line: f64,
}

/// A point of a surface.
struct Spot {
    p: Vec3,
    /// The normal, towards the eye: of the surface, and of the smooth surface it stands for.
    flat: Vec3,
    normal: Vec3,
    colour: Light,
    /// Fraction covered by a line.
    line: f64,
    /// Fraction of the sky that reaches the point, if that is known.
    sky: Option<f64>,
}

impl Shading<'_> {
    /// The pixels of some rows; `layers` are the transparent surfaces before the others, the nearest first.
    pub fn rows(&self, solid: &Buffer, layers: &[Buffer]) -> Vec<Light> {
        let (columns, rows) = (solid.width / SAMPLES, solid.rows / SAMPLES);
        let mut pixels = Vec::with_capacity(columns * rows);
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let mut light = [0.0; 3];
            for group in groups(solid, row, column) {
                let colour = match group.shape {
                    NOTHING => self.paper(&self.camera.ray(group.x, group.y)),
                    shape => self.surface(shape, &group).0,
                };
                light = std::array::from_fn(|c| light[c] + group.part * colour[c]);
            }
            for layer in layers.iter().rev() {
                for group in groups(layer, row, column).filter(|group| group.shape != NOTHING) {
                    let (colour, opacity) = self.surface(group.shape, &group);
                    let part = group.part * opacity;
                    light = std::array::from_fn(|c| light[c] + part * (colour[c] - light[c]));
                }
            }
            pixels.push(light);
        }
        pixels
    }

    /// White, or the ground with the shadows on it.
    fn paper(&self, ray: &Ray) -> Light {
        let Some(height) = self.ground else { return [1.0; 3] };
        let falling = ray.along.dot(self.vertical);
        let depth = (height - ray.from.dot(self.vertical)) / falling;
        if falling >= 0.0 || depth <= 0.0 {
            return [1.0; 3];
        }
        let p = ray.at(depth);
        let (sun, sky) = (self.lights.sun(p, self.vertical, self.vertical), self.sky.on_ground(p));
        let open = self.lights.sunwards.dot(self.vertical);
        let lit = (SUN * sun + SKY * sky) / (SUN * open + SKY);
        let dark = (1.0 - lit - UNSEEN).max(0.0) / (1.0 - UNSEEN);
        [1.0 - SHADOW * dark; 3]
    }

    /// The colour of a shape, and its opacity if it is transparent.
    fn surface(&self, shape: u32, group: &Group) -> (Light, f64) {
        let ray = self.camera.ray(group.x, group.y);
        let spot = match self.shapes.get(shape as usize) {
            Primitive::Face(face) => self.face_spot(face, &ray, group),
            Primitive::Tube(tube) => self.tube_spot(tube, &ray, group.nearness),
            Primitive::Ball(ball) => {
                let depth = hit_ball(&ray, ball.centre, ball.radius);
                let p = ray.at(depth.unwrap_or_else(|| self.camera.depth_of(group.nearness)));
                let normal = (p - ball.centre).try_normalize().unwrap_or(self.vertical);
                let colour = self.colours.at(ball.place, ball.body);
                let sky = self.sky.on_ball(shape as usize, normal);
                Spot { p, flat: normal, normal, colour, line: 0.0, sky }
            }
        };
        let Spot { p, flat, normal, colour, line, sky } = spot;
        let sun = self.lights.sun(p, flat, normal);
        let sky = sky.unwrap_or_else(|| self.lights.sky(p, flat, normal));
        let view = (-ray.along).try_normalize().unwrap_or(self.vertical);
        let below = 0.5 - 0.5 * normal.dot(self.vertical);
        let lit = SUN * sun + SKY * sky + GROUND * (0.35 + below);
        let half = (view + self.lights.sunwards).try_normalize().unwrap_or(view);
        let mirrored = normal.dot(half).max(0.0).powi(28);
        let shine = SHINE * mirrored * (sun * 3.0).min(1.0);
        let lit_colour = colour.map(|c| c * lit + shine);
        let lined = lit_colour.map(|c| c * (1.0 - line));
        let aslant = 1.0 - normal.dot(view).abs();
        let thin = THIN.0 + (THIN.1 - THIN.0) * aslant * aslant;
        (lined, thin + (1.0 - thin) * 0.8 * line)
    }

    fn face_spot(&self, face: &Face, ray: &Ray, group: &Group) -> Spot {
        let [a, b, c] = face.corners;
        let doubled = (b - a).cross(c - a);
        let flat = doubled.try_normalize().unwrap_or(self.vertical);
        let depth = self.camera.depth_of(group.nearness);
        let slant = flat.dot(ray.along);
        // Viewed edge-on a triangle has no unique point: that of the buffer is near enough.
        let depth = if slant.abs() > 1e-6 { flat.dot(a - ray.from) / slant } else { depth };
        let p = ray.at(depth);
        let whole = doubled.length_sq().max(1e-300);
        let u = (p - a).cross(c - a).dot(doubled) / whole;
        let v = (b - a).cross(p - a).dot(doubled) / whole;
        let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
        let parts = [(1.0 - u - v).clamp(0.0, 1.0), u, v];
        let is_inner = flat.dot(ray.along) > 0.0;
        let side = if is_inner { -1.0 } else { 1.0 };
        let smooth: Vec3 = (0..3).map(|i| face.normals[i] * parts[i]).sum();
        let mut normal = smooth.try_normalize().unwrap_or(flat) * side;
        // At the rim of a smooth surface its normal may point away from the eye, which no visible normal does.
        let away = normal.dot(ray.along);
        if away > 0.0 {
            normal = (normal - ray.along * (away / ray.along.length_sq())).try_normalize().unwrap_or(normal);
        }
        let place = (0..3).map(|i| face.places[i] * parts[i]).sum::<f64>();
        let mut colour = self.colours.at(place, face.body);
        if is_inner && self.colours.is_plain(face.body) {
            let grey = 0.35 + 0.3 * (colour[0] + colour[1] + colour[2]) / 3.0;
            colour = colour.map(|c| c + INNER_SIDE * (grey - c));
        }
        Spot {
            p,
            flat: flat * side,
            normal,
            colour,
            line: self.line(face, group),
            sky: Some(self.sky.on_face(group.shape as usize, p, parts)),
        }
    }

    /// How much of a pixel of a face is covered by the lines along its edges.
    fn line(&self, face: &Face, group: &Group) -> f64 {
        if face.lines.iter().all(|l| *l == 0.0)
            || face.corners.iter().any(|p| self.camera.ahead_by(*p) <= 0.0)
        {
            return 0.0;
        }
        let corners = face.corners.map(|p| {
            let seen = self.camera.project(p);
            (seen.x / SAMPLES as f64, seen.y / SAMPLES as f64)
        });
        let (x, y) = (group.x / SAMPLES as f64, group.y / SAMPLES as f64);
        let lengths: [f64; 3] = std::array::from_fn(|i| {
            let ((ax, ay), (bx, by)) = (corners[i], corners[(i + 1) % 3]);
            (bx - ax).hypot(by - ay)
        });
        let size = lengths.iter().sum::<f64>() / 3.0;
        let fine = ((size - LINED.0) / (LINED.1 - LINED.0)).clamp(0.0, 1.0);
        let mut most = 0.0_f64;
        for i in 0..3 {
            let ((ax, ay), (bx, by)) = (corners[i], corners[(i + 1) % 3]);
            let away = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)).abs() / lengths[i].max(1e-9);
            let covered = (self.line - away + 0.5).clamp(0.0, 1.0);
            // The outline stays however small its triangles are.
            let strength = if face.lines[i] >= STRONG { face.lines[i] } else { face.lines[i] * fine };
            most = most.max(covered * strength);
        }
        most
    }

    fn tube_spot(&self, tube: &Tube, ray: &Ray, nearness: f32) -> Spot {
        let p = ray.at(self.camera.depth_of(nearness));
        let [from, to] = tube.ends;
        let axis = to - from;
        let part = ((p - from).dot(axis) / axis.length_sq().max(1e-300)).clamp(0.0, 1.0);
        let normal = (p - (from + axis * part)).try_normalize().unwrap_or(self.vertical);
        let place = tube.places[0] + part * (tube.places[1] - tube.places[0]);
        Spot { p, flat: normal, normal, colour: self.colours.at(place, tube.body), line: 0.0, sky: None }
    }
}

/// Lines of at least this visibility are drawn however small their triangle.
pub(super) const STRONG: f64 = 0.5;

/// The samples of a pixel that show one shape.
struct Group {
    shape: u32,
    /// The part of the pixel.
    part: f64,
    /// Mean position of the samples.
    x: f64,
    y: f64,
    nearness: f32,
}

/// The groups of a pixel, in the order in which they are met.
fn groups(buffer: &Buffer, row: usize, column: usize) -> impl Iterator<Item = Group> {
    const ALL: usize = SAMPLES * SAMPLES;
    let mut found: [(u32, usize, f64, f64, f32); ALL] = [(NOTHING, 0, 0.0, 0.0, 0.0); ALL];
    let mut count = 0;
    for (j, i) in (0..SAMPLES).flat_map(|j| (0..SAMPLES).map(move |i| (j, i))) {
        let (y, x) = (row * SAMPLES + j, column * SAMPLES + i);
        let at = y * buffer.width + x;
        let (shape, nearness) = (buffer.shape[at], buffer.nearness[at]);
        let (x, y) = (x as f64 + 0.5, (y + buffer.top) as f64 + 0.5);
        if let Some(group) = found[..count].iter_mut().find(|group| group.0 == shape) {
            *group = (shape, group.1 + 1, group.2 + x, group.3 + y, group.4 + nearness);
        } else {
            found[count] = (shape, 1, x, y, nearness);
            count += 1;
        }
    }
    found.into_iter().take(count).map(|(shape, samples, x, y, nearness)| {
        let n = samples as f64;
        Group { shape, part: n / ALL as f64, x: x / n, y: y / n, nearness: nearness / samples as f32 }
    })
}
