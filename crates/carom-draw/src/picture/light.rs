//! Light: a sun over the viewer's shoulder and a sky, each with its shadows.
//!
//! A light at infinity has a shadow map along parallel rays: the first surface along a ray is lit, surfaces behind it are in its shadow.
//! The sky is many faint suns: points that few of them reach lie in a corner, under a body or in a fold, and are darker.

use carom_math::Vec3;

use super::buffer::Buffer;
use super::camera::{Camera, Pose};
use super::shapes::Shapes;
use super::threads::in_order;

/// Pixels of the sun's picture of the scene, each way.
const SUN_PIXELS: usize = 1400;

/// Pixels of the picture of a piece of the sky, each way: its shadows are soft anyway.
const SKY_PIXELS: usize = 176;

/// Number of directions of the sky: with fewer, their single shadows become visible.
const SKY_PIECES: usize = 72;

/// How far from its surface a point is tested, in pixels of the light's picture: what lies nearer to the light by less is itself.
const CLEARANCE: f64 = 1.6;

/// A light at infinity and its shadow map.
struct Shadow {
    camera: Camera,
    side: usize,
    /// Nearness of the first surface along each ray.
    nearness: Vec<f32>,
    /// Size of a pixel, in m.
    pixel: f64,
}

impl Shadow {
    fn new(towards: Vec3, ball: (Vec3, f64), side: usize, shapes: &Shapes, casting: &[u32]) -> Self {
        let camera = Camera::of_ball(Pose::looking_against(towards), ball, side);
        let mut buffer = Buffer::new(side, 0, side);
        buffer.draw(shapes, casting.iter().copied(), &camera, None);
        Self { camera, side, nearness: buffer.nearness, pixel: 1.0 / camera.zoom }
    }

    /// How much of the light reaches a point of a surface with this normal, from 0 to 1, smoothed over `reach` pixels.
    fn reaches(&self, p: Vec3, normal: Vec3, reach: usize) -> f64 {
        let seen = self.camera.project(p + normal * (CLEARANCE * self.pixel));
        let least = (seen.nearness + CLEARANCE * self.pixel) as f32;
        let (x, y) = (seen.x - 0.5 - (reach as f64 - 1.0) / 2.0, seen.y - 0.5 - (reach as f64 - 1.0) / 2.0);
        let last = (self.side - 1 - reach) as f64;
        // Beyond its picture a light finds nothing in the way.
        if !(0.0..last).contains(&x) || !(0.0..last).contains(&y) {
            return 1.0;
        }
        let (column, row) = (x as usize, y as usize);
        let (right, down) = (x - column as f64, y - row as f64);
        let mut lit = 0.0;
        for j in 0..=reach {
            let tall = weight(j, reach, down);
            let from = (row + j) * self.side + column;
            for (i, nearness) in self.nearness[from..=from + reach].iter().enumerate() {
                if *nearness <= least {
                    lit += tall * weight(i, reach, right);
                }
            }
        }
        lit / (reach * reach) as f64
    }
}

/// Weight of pixel `i` of `0..=reach` under a box `reach` wide that begins `part` into the first.
fn weight(i: usize, reach: usize, part: f64) -> f64 {
    match i {
        0 => 1.0 - part,
        _ if i == reach => part,
        _ => 1.0,
    }
}

/// All lights of a frame.
pub(super) struct Lights {
    sun: Shadow,
    /// Towards the sun.
    pub sunwards: Vec3,
    /// Directions with their weights and shadow maps.
    sky: Vec<((Vec3, f64), Shadow)>,
    vertical: Vec3,
}

/// Positions of the lights of a picture: the same for all its frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lamps {
    pub sunwards: Vec3,
    pub vertical: Vec3,
    /// A ball that contains everything that casts shadows.
    pub ball: (Vec3, f64),
}

impl Lamps {
    /// Lights over the left shoulder of a viewer at `pose`.
    pub fn new(pose: Pose, vertical: Vec3, ball: (Vec3, f64)) -> Self {
        let level = (pose.towards - vertical * pose.towards.dot(vertical)).try_normalize().unwrap_or(pose.up);
        let sun = vertical * 1.0 + level * 0.42 - pose.right * 0.55;
        Self { sunwards: sun.try_normalize().unwrap_or(vertical), vertical, ball }
    }
}

impl Lights {
    /// Switches the lights on: the shapes numbered `casting` cast shadows.
    pub fn new(lamps: Lamps, shapes: &Shapes, casting: &[u32]) -> Self {
        let directions = dome(lamps.vertical);
        let mut shadows = in_order(SKY_PIECES + 1, |i| match i {
            0 => Shadow::new(lamps.sunwards, lamps.ball, SUN_PIXELS, shapes, casting),
            _ => Shadow::new(directions[i - 1].0, lamps.ball, SKY_PIXELS, shapes, casting),
        });
        let sky = directions.into_iter().zip(shadows.drain(1..)).collect();
        let sun = shadows.remove(0);
        Self { sun, sunwards: lamps.sunwards, sky, vertical: lamps.vertical }
    }

    /// How much of the sun reaches a point whose surface lies along `flat` and is shaded as if it lay along `normal`; 1 where it
    /// shines straight down.
    pub fn sun(&self, p: Vec3, flat: Vec3, normal: Vec3) -> f64 {
        let facing = normal.dot(self.sunwards);
        if facing > 0.0 { facing * self.sun.reaches(p, flat, 4) } else { 0.0 }
    }

    /// How much of the sky reaches a point, relative to open ground.
    pub fn sky(&self, p: Vec3, flat: Vec3, normal: Vec3) -> f64 {
        let (mut sky, mut open) = (0.0, 0.0);
        for ((towards, weight), shadow) in &self.sky {
            open += weight * towards.dot(self.vertical);
            let facing = towards.dot(normal);
            if facing > 0.0 {
                sky += weight * facing * shadow.reaches(p, flat, 2);
            }
        }
        sky / open
    }
}

/// Directions over the upper half of all directions, more of them the higher, since low ones throw long faint shadows;
/// their weights make up for that.
fn dome(vertical: Vec3) -> Vec<(Vec3, f64)> {
    const RISING: f64 = 0.6;
    // The golden angle: no two of the directions are near each other.
    const TURN: f64 = 2.399_963_229_728_653;
    let Pose { right, up, towards } = Pose::looking_against(vertical);
    let direction = |i: usize| {
        let height = ((i as f64 + 0.5) / SKY_PIECES as f64).powf(RISING);
        let (sin, cos) = (i as f64 * TURN).sin_cos();
        let towards = (right * cos + up * sin) * (1.0 - height * height).sqrt() + towards * height;
        (towards, height.powf(1.0 - 1.0 / RISING))
    };
    (0..SKY_PIECES).map(direction).collect()
}

#[cfg(test)]
mod tests {
    use super::super::shapes::Ball;
    use super::*;

    fn lights(balls: Vec<Ball>) -> Lights {
        let shapes = Shapes { balls, ..Shapes::default() };
        let lamps = Lamps { sunwards: Vec3::Z, vertical: Vec3::Z, ball: (Vec3::ZERO, 2.0) };
        let casting: Vec<u32> = (0..shapes.len() as u32).collect();
        Lights::new(lamps, &shapes, &casting)
    }

    #[test]
    fn open_ground_has_all_the_light_and_a_ball_shadows_what_is_below_it() {
        let open = lights(Vec::new());
        assert!((open.sun(Vec3::ZERO, Vec3::Z, Vec3::Z) - 1.0).abs() < 1e-12);
        assert!((open.sky(Vec3::ZERO, Vec3::Z, Vec3::Z) - 1.0).abs() < 1e-12);
        let ball = Ball { centre: Vec3::Z, radius: 0.5, place: f64::NAN, body: 0 };
        let lit = lights(vec![ball]);
        let sun = |x: f64| lit.sun(Vec3::X * x, Vec3::Z, Vec3::Z);
        let sky = |x: f64| lit.sky(Vec3::X * x, Vec3::Z, Vec3::Z);
        assert_eq!((sun(0.0), sun(0.55)), (0.0, 1.0));
        // Of the sky above a point the ball hides the part within sin α = 0.5 of the vertical: sin² α of its light.
        let hidden = 1.0 - sky(0.0);
        assert!((hidden - 0.25).abs() < 0.03, "{hidden}");
        assert!(sky(0.4) > sky(0.0) && sky(1.5) > 0.9);
    }

    #[test]
    fn a_ball_does_not_shadow_the_side_that_faces_the_light() {
        let ball = Ball { centre: Vec3::ZERO, radius: 1.0, place: f64::NAN, body: 0 };
        let lit = lights(vec![ball]);
        for i in 0..40 {
            let (a, b) = (f64::from(i) * 2.4, 1.3 * (f64::from(i) / 40.0).sqrt());
            let n = Vec3::new(b.sin() * a.cos(), b.sin() * a.sin(), b.cos());
            let found = lit.sun(n, n, n);
            assert!((found - n.z).abs() < 0.02, "{found} where {} was expected", n.z);
        }
    }
}
