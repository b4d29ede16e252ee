//! The light of the sky, known beforehand: at the corners of small faces, on a grid over large ones and over the ground,
//! as a whole for balls that are small in the picture.
//!
//! It changes slowly from place to place, and asking all of the sky for every pixel takes longer than everything else.

use carom_math::Vec3;

use super::camera::{Camera, Pose};
use super::light::{Lamps, Lights};
use super::shapes::{Ball, Face, Shapes};
use super::threads::in_order;

/// A face is small if its edges are shorter than this part of the scene's radius.
const SMALL: f64 = 0.25;

/// A ball with a smaller radius is lit as a whole, in pixels.
const SMALL_BALL: f64 = 9.0;

/// Number of faces or balls that a thread processes at once.
const CHUNK: usize = 128;

/// Distance between the points of a grid, in radii of the scene.
const STEP: f64 = 0.036;

/// How far grids reach, in radii of the scene: farther out there is no shadow to speak of.
const REACH: f64 = 2.6;

/// Sky visibility computed beforehand.
pub(super) struct Sky {
    faces: Vec<OnFace>,
    /// For each small ball the fraction of the sky above it that is open.
    balls: Vec<Option<f32>>,
    /// The number of the first ball among all shapes.
    first_ball: usize,
    vertical: Vec3,
    ground: Option<Grid>,
}

#[derive(Clone)]
enum OnFace {
    Corners([f32; 3]),
    Grid(Grid),
}

/// A rectangle in a plane with points on it.
#[derive(Clone)]
struct Grid {
    origin: Vec3,
    axes: [Vec3; 2],
    /// Distance between points, in m.
    step: f64,
    /// Number of grid points along each axis.
    points: [usize; 2],
    light: Vec<f32>,
}

impl Sky {
    /// Computes the visible part of the sky at all faces, on the side that faces `camera`, and on the ground at this height.
    pub fn new(
        shapes: &Shapes,
        lights: &Lights,
        lamps: &Lamps,
        camera: &Camera,
        ground: Option<f64>,
    ) -> Self {
        let chunks: Vec<&[Face]> = shapes.faces.chunks(CHUNK).collect();
        let faces = in_order(chunks.len(), |i| {
            chunks[i].iter().map(|face| OnFace::new(face, lights, lamps, camera)).collect::<Vec<_>>()
        });
        let chunks: Vec<&[Ball]> = shapes.balls.chunks(CHUNK).collect();
        let balls = in_order(chunks.len(), |i| {
            chunks[i].iter().map(|ball| over_ball(ball, lights, lamps, camera)).collect::<Vec<_>>()
        });
        let ground = ground.map(|height| {
            let Lamps { vertical, ball, .. } = *lamps;
            let centre = ball.0 + vertical * (height - ball.0.dot(vertical));
            Grid::new(lights, lamps, (centre, vertical), None)
        });
        Self {
            faces: faces.concat(),
            balls: balls.concat(),
            first_ball: shapes.faces.len() + shapes.tubes.len(),
            vertical: lamps.vertical,
            ground,
        }
    }

    /// On a face, at a point that is these parts of its corners.
    pub fn on_face(&self, number: usize, p: Vec3, parts: [f64; 3]) -> f64 {
        match &self.faces[number] {
            OnFace::Corners(corners) => (0..3).map(|i| parts[i] * f64::from(corners[i])).sum(),
            OnFace::Grid(grid) => grid.at(p),
        }
    }

    /// On a ball where it has this normal, if that is known.
    pub fn on_ball(&self, number: usize, normal: Vec3) -> Option<f64> {
        let open = self.balls[number - self.first_ball]?;
        Some(f64::from(open) * above(normal, self.vertical))
    }

    /// On the ground.
    pub fn on_ground(&self, p: Vec3) -> f64 {
        self.ground.as_ref().map_or(1.0, |ground| ground.at(p))
    }
}

/// Fraction of an open sky above a surface with this normal, relative to open ground.
fn above(normal: Vec3, vertical: Vec3) -> f64 {
    0.5 + 0.5 * normal.dot(vertical)
}

/// Open fraction of the sky over a small ball, from the middle of the visible part of its upper half.
fn over_ball(ball: &Ball, lights: &Lights, lamps: &Lamps, camera: &Camera) -> Option<f32> {
    let nearness = camera.project(ball.centre).nearness;
    if camera.length_at(ball.radius, nearness) > SMALL_BALL {
        return None;
    }
    let normal = (camera.pose.towards + lamps.vertical).try_normalize().unwrap_or(lamps.vertical);
    let sky = lights.sky(ball.centre + normal * ball.radius, normal, normal);
    Some((sky / above(normal, lamps.vertical)) as f32)
}

impl OnFace {
    fn new(face: &Face, lights: &Lights, lamps: &Lamps, camera: &Camera) -> Self {
        let [a, b, c] = face.corners;
        let middle = (a + b + c) * (1.0 / 3.0);
        let flat = (b - a).cross(c - a).try_normalize().unwrap_or(Vec3::Z);
        let side = if flat.dot(camera.direction_to(middle)) > 0.0 { -1.0 } else { 1.0 };
        if [b - a, c - b, a - c].iter().any(|edge| edge.length() > SMALL * lamps.ball.1) {
            return Self::Grid(Grid::new(lights, lamps, (a, flat * side), Some(&face.corners)));
        }
        Self::Corners(std::array::from_fn(|i| {
            // Not quite in the corner, where a neighbour may stand in the way.
            let p = face.corners[i] + (middle - face.corners[i]) * 0.1;
            lights.sky(p, flat * side, face.normals[i] * side) as f32
        }))
    }
}

impl Grid {
    /// On the plane through a point with this normal, around the scene and around what of it is `within` these corners.
    fn new(lights: &Lights, lamps: &Lamps, (p, normal): (Vec3, Vec3), within: Option<&[Vec3; 3]>) -> Self {
        let (centre, radius) = lamps.ball;
        let Pose { right, up, .. } = Pose::looking_against(normal);
        let step = STEP * radius;
        let below = centre + normal * (p - centre).dot(normal);
        let span = |axis: Vec3| {
            let along = |q: Vec3| (q - below).dot(axis);
            let reach = REACH * radius;
            let (low, high) = within.map_or((-reach, reach), |corners| {
                let all = corners.map(along);
                let low = all.iter().copied().fold(f64::INFINITY, f64::min);
                (low, all.iter().copied().fold(f64::NEG_INFINITY, f64::max))
            });
            let low = low.clamp(-reach, reach);
            (low, ((high.clamp(-reach, reach) - low) / step).ceil() as usize + 2)
        };
        let ((left, columns), (down, rows)) = (span(right), span(up));
        let origin = below + right * left + up * down;
        let point = |i: usize, j: usize| origin + right * (i as f64 * step) + up * (j as f64 * step);
        let row = |j: usize| -> Vec<f32> {
            (0..columns).map(|i| lights.sky(point(i, j), normal, normal) as f32).collect()
        };
        // Only the ground is processed by itself: faces are shared among threads already.
        let light = match within {
            None => in_order(rows, row).concat(),
            Some(_) => (0..rows).flat_map(row).collect(),
        };
        Self { origin, axes: [right, up], step, points: [columns, rows], light }
    }

    fn at(&self, p: Vec3) -> f64 {
        let along = |axis: usize| {
            let most = (self.points[axis] - 1) as f64;
            let at = ((p - self.origin).dot(self.axes[axis]) / self.step).clamp(0.0, most);
            let below = (at as usize).min(self.points[axis] - 2);
            (below, at - below as f64)
        };
        let ((i, right), (j, up)) = (along(0), along(1));
        let light = |i: usize, j: usize| f64::from(self.light[j * self.points[0] + i]);
        let row = |j: usize| light(i, j) * (1.0 - right) + light(i + 1, j) * right;
        row(j) * (1.0 - up) + row(j + 1) * up
    }
}
