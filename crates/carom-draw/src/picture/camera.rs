//! The camera: direction of view, and projection of points to the picture.
//!
//! A camera maps points to pixels and pixels to rays, in parallel or in perspective projection from an eye. Nearness grows
//! towards the eye and is linear on the picture of a plane: 1/depth from an eye, −depth along parallel rays.

use carom_math::Vec3;

/// Direction of the camera as seen from the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Angle around the vertical, from x towards y where z is up, in degrees.
    pub azimuth_deg: f64,
    /// Angle above the horizon, in degrees: 90 is from above.
    pub elevation_deg: f64,
}

impl Default for View {
    fn default() -> Self {
        Self { azimuth_deg: -62.0, elevation_deg: 24.0 }
    }
}

/// Kind of projection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lens {
    /// Perspective projection from an eye: near things are larger.
    #[default]
    Perspective,
    /// Side by side: lengths can be read off the picture.
    Parallel,
}

/// The axes of a picture in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pose {
    /// Direction from the scene to the eye.
    pub towards: Vec3,
    /// Direction to the right of the picture.
    pub right: Vec3,
    /// Direction to the top of the picture.
    pub up: Vec3,
}

impl Pose {
    /// The pose of a camera in the direction `view`, with `vertical` up.
    pub fn new(view: View, vertical: Vec3) -> Self {
        let vertical = vertical.try_normalize().unwrap_or(Vec3::Z);
        let level = |axis: Vec3| (axis - vertical * axis.dot(vertical)).try_normalize();
        let first = if vertical.x.abs() < 0.9 { level(Vec3::X) } else { level(Vec3::Y) };
        let first = first.expect("an axis that is not vertical has a level part");
        let second = vertical.cross(first);
        let (sin_a, cos_a) = view.azimuth_deg.to_radians().sin_cos();
        let (sin_e, cos_e) = view.elevation_deg.to_radians().sin_cos();
        let towards = (first * cos_a + second * sin_a) * cos_e + vertical * sin_e;
        let right = second * cos_a - first * sin_a;
        Self { towards, right, up: towards.cross(right) }
    }

    /// Any pose whose direction of view is against `towards`, a unit vector.
    pub fn looking_against(towards: Vec3) -> Self {
        let aside = if towards.z.abs() < 0.9 { Vec3::Z } else { Vec3::X };
        let right = aside.cross(towards).try_normalize().unwrap_or(Vec3::X);
        Self { towards, right, up: towards.cross(right) }
    }
}

/// A rectangle of the picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    /// The height used is that of the scene, within these bounds.
    pub heights: (f64, f64),
}

/// Position of a point in the picture, and its nearness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Projected {
    pub x: f64,
    pub y: f64,
    pub nearness: f64,
}

/// A ray: the point at depth t is `from + along * t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ray {
    pub from: Vec3,
    pub along: Vec3,
}

impl Ray {
    pub fn at(&self, depth: f64) -> Vec3 {
        self.from + self.along * depth
    }
}

/// How far the eye stands from the middle of the scene, in radii of the scene: a portrait lens.
const EYE_DISTANCE: f64 = 5.0;

/// A camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Camera {
    pub pose: Pose,
    lens: Lens,
    eye: Vec3,
    /// Least distance from the eye that is drawn, in m.
    nearest: f64,
    /// Pixels per metre or, from an eye, pixels per metre at a depth of one metre.
    pub zoom: f64,
    /// Pixel at which the central ray of the eye meets the picture.
    origin: (f64, f64),
}

impl Camera {
    /// A camera that shows all balls (centre and radius, in m) in `window`, `closer` times larger than would fit, and
    /// the height it uses of the window, in pixels.
    pub fn framing(
        pose: Pose,
        lens: Lens,
        balls: &[(Vec3, f64)],
        window: Window,
        closer: f64,
    ) -> (Self, f64) {
        let (centre, radius) = around(balls);
        let eye = centre + pose.towards * (EYE_DISTANCE * radius);
        let unit = Self { pose, lens, eye, nearest: NEAREST * radius, zoom: 1.0, origin: (0.0, 0.0) };
        let mut bounds = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
        for &(p, r) in balls {
            let Projected { x, y, nearness } = unit.project(p);
            let r = unit.length_at(r, nearness);
            bounds = [bounds[0].min(x - r), bounds[1].max(x + r), bounds[2].min(y - r), bounds[3].max(y + r)];
        }
        if bounds[0] > bounds[1] {
            bounds = [-1.0, 1.0, -1.0, 1.0];
        }
        let (low, high) = window.heights;
        let (wide, tall) = (bounds[1] - bounds[0], bounds[3] - bounds[2]);
        let zoom = closer * (window.width / wide).min(high / tall);
        let zoom = if zoom.is_finite() { zoom } else { 1.0 };
        let height = (tall * zoom).clamp(low, high);
        let middle = (f64::midpoint(bounds[0], bounds[1]), f64::midpoint(bounds[2], bounds[3]));
        let origin =
            (window.left + window.width / 2.0 - zoom * middle.0, window.top + height / 2.0 - zoom * middle.1);
        (Self { zoom, origin, ..unit }, height)
    }

    /// A camera along parallel rays that shows a ball in a square of this many pixels.
    pub fn of_ball(pose: Pose, (centre, radius): (Vec3, f64), pixels: usize) -> Self {
        let half = pixels as f64 / 2.0;
        let zoom = half / radius.max(1e-300);
        Self { pose, lens: Lens::Parallel, eye: centre, nearest: 0.0, zoom, origin: (half, half) }
    }

    /// The same picture with `factor` times as many pixels each way.
    pub fn finer(&self, factor: f64) -> Self {
        Self { zoom: self.zoom * factor, origin: (self.origin.0 * factor, self.origin.1 * factor), ..*self }
    }

    /// Position of a point in the picture.
    pub fn project(&self, p: Vec3) -> Projected {
        let d = p - self.eye;
        let depth = -d.dot(self.pose.towards);
        let (scale, nearness) = match self.lens {
            Lens::Parallel => (self.zoom, -depth),
            Lens::Perspective => (self.zoom / depth, 1.0 / depth),
        };
        let (x, y) = (d.dot(self.pose.right), d.dot(self.pose.up));
        Projected { x: self.origin.0 + scale * x, y: self.origin.1 - scale * y, nearness }
    }

    /// The ray through a point of the picture.
    pub fn ray(&self, x: f64, y: f64) -> Ray {
        let (x, y) = ((x - self.origin.0) / self.zoom, (self.origin.1 - y) / self.zoom);
        let aside = self.pose.right * x + self.pose.up * y;
        match self.lens {
            Lens::Parallel => Ray { from: self.eye + aside, along: -self.pose.towards },
            Lens::Perspective => Ray { from: self.eye, along: aside - self.pose.towards },
        }
    }

    /// Vector from the eye to a point, of any length.
    pub fn direction_to(&self, p: Vec3) -> Vec3 {
        match self.lens {
            Lens::Parallel => -self.pose.towards,
            Lens::Perspective => p - self.eye,
        }
    }

    /// Nearness of a point at this depth along a ray.
    pub fn nearness_of(&self, depth: f64) -> f64 {
        match self.lens {
            Lens::Parallel => -depth,
            Lens::Perspective => 1.0 / depth,
        }
    }

    /// The depth along a ray at which things are this near.
    pub fn depth_of(&self, nearness: f32) -> f64 {
        match self.lens {
            Lens::Parallel => -f64::from(nearness),
            Lens::Perspective => 1.0 / f64::from(nearness),
        }
    }

    /// A length in pixels at this nearness; in perspective, at least as long as any ball's outline.
    pub fn length_at(&self, metres: f64, nearness: f64) -> f64 {
        match self.lens {
            Lens::Parallel => metres * self.zoom,
            // The outline of a ball is a little larger than its middle, more so aside of the axis.
            Lens::Perspective => 1.06 * metres * self.zoom * nearness,
        }
    }

    /// How far a point is in front of a plane just before the eye, in m; parallel rays have no eye.
    pub fn ahead_by(&self, p: Vec3) -> f64 {
        match self.lens {
            Lens::Parallel => f64::INFINITY,
            Lens::Perspective => -(p - self.eye).dot(self.pose.towards) - self.nearest,
        }
    }
}

/// Nothing nearer to the eye than this part of the scene's radius is drawn.
const NEAREST: f64 = 1e-2;

/// A ball around balls.
pub(super) fn around(balls: &[(Vec3, f64)]) -> (Vec3, f64) {
    let (mut low, mut high) = (Vec3::splat(f64::INFINITY), Vec3::splat(f64::NEG_INFINITY));
    for &(p, r) in balls {
        low = each(low, p - Vec3::splat(r), f64::min);
        high = each(high, p + Vec3::splat(r), f64::max);
    }
    if balls.is_empty() {
        return (Vec3::ZERO, 1.0);
    }
    let centre = (low + high) * 0.5;
    let radius = balls.iter().map(|(p, r)| (*p - centre).length() + r).fold(0.0, f64::max);
    (centre, if radius > 0.0 { radius } else { 1.0 })
}

/// A function of each component of two vectors.
pub(super) fn each(a: Vec3, b: Vec3, f: fn(f64, f64) -> f64) -> Vec3 {
    Vec3::new(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WINDOW: Window = Window { left: 10.0, top: 20.0, width: 400.0, heights: (100.0, 300.0) };

    fn balls() -> impl Strategy<Value = Vec<(Vec3, f64)>> {
        let ball = (-3.0..3.0, -2.0..5.0, -1.0..1.0, 0.0..0.7)
            .prop_map(|(x, y, z, r): (f64, f64, f64, f64)| (Vec3::new(x, y, z), r));
        prop::collection::vec(ball, 1..12)
    }

    proptest! {
        #[test]
        fn every_ball_is_in_the_window_and_they_fill_it_one_way(
            balls in balls(), azimuth_deg in -180.0..180.0, elevation_deg in -80.0..90.0, parallel in any::<bool>(),
        ) {
            let pose = Pose::new(View { azimuth_deg, elevation_deg }, Vec3::Z);
            let lens = if parallel { Lens::Parallel } else { Lens::Perspective };
            let (camera, height) = Camera::framing(pose, lens, &balls, WINDOW, 1.0);
            let mut drawn = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
            for (p, r) in &balls {
                // The outline of a ball, point by point: all that the camera may see of it.
                for (i, j) in (0..24).flat_map(|i| (0..12).map(move |j| (i, j))) {
                    let (a, b) = (f64::from(i) * 15_f64.to_radians(), f64::from(j) * 15_f64.to_radians());
                    let at = *p + Vec3::new(a.cos() * b.sin(), a.sin() * b.sin(), b.cos()) * *r;
                    let seen = camera.project(at);
                    drawn = [drawn[0].min(seen.x), drawn[1].max(seen.x), drawn[2].min(seen.y), drawn[3].max(seen.y)];
                }
            }
            prop_assert!(drawn[0] >= 10.0 - 1e-6 && drawn[1] <= 410.0 + 1e-6, "{drawn:?}");
            prop_assert!(drawn[2] >= 20.0 - 1e-6 && drawn[3] <= 20.0 + height + 1e-6, "{drawn:?}");
            let filled = ((drawn[1] - drawn[0]) / 400.0).max((drawn[3] - drawn[2]) / 300.0);
            prop_assert!(filled > 0.85 || balls.iter().all(|b| b.1 == 0.0), "{filled}");
        }

        #[test]
        fn the_ray_through_the_picture_of_a_point_goes_through_the_point(
            x in -1.0..1.0, y in -1.0..1.0, z in -1.0..1.0, parallel in any::<bool>(),
        ) {
            let lens = if parallel { Lens::Parallel } else { Lens::Perspective };
            let all = [(Vec3::ZERO, 2.0)];
            let pose = Pose::new(View::default(), Vec3::Y);
            let camera = Camera::framing(pose, lens, &all, WINDOW, 1.0).0.finer(3.0);
            let p = Vec3::new(x, y, z);
            let seen = camera.project(p);
            let ray = camera.ray(seen.x, seen.y);
            let depth = (p - ray.from).dot(ray.along) / ray.along.length_sq();
            prop_assert!((ray.at(depth) - p).length() < 1e-9);
            prop_assert!((camera.nearness_of(depth) - seen.nearness).abs() < 1e-9);
        }
    }

    #[test]
    fn from_above_x_is_right_and_y_is_up() {
        let pose = Pose::new(View { azimuth_deg: -90.0, elevation_deg: 90.0 }, Vec3::Z);
        let (camera, _) = Camera::framing(pose, Lens::Parallel, &[(Vec3::ZERO, 0.5)], WINDOW, 1.0);
        let (origin, x, y) = (camera.project(Vec3::ZERO), camera.project(Vec3::X), camera.project(Vec3::Y));
        assert!(x.x > origin.x + 1.0 && (x.y - origin.y).abs() < 1e-9);
        assert!(y.y < origin.y - 1.0 && (y.x - origin.x).abs() < 1e-9);
        assert!(camera.project(Vec3::Z).nearness > origin.nearness);
    }

    #[test]
    fn what_hangs_down_is_below_whichever_way_is_up() {
        for up in [Vec3::Z, Vec3::Y, Vec3::X, -Vec3::Z] {
            let pose = Pose::new(View::default(), up);
            let (camera, _) = Camera::framing(pose, Lens::Perspective, &[(Vec3::ZERO, 1.0)], WINDOW, 1.0);
            assert!(camera.project(up).y < camera.project(-up).y - 10.0, "{up:?}");
        }
    }

    #[test]
    fn one_point_and_none_are_framed_too() {
        for points in [vec![], vec![(Vec3::X, 0.0)]] {
            let pose = Pose::new(View::default(), Vec3::Z);
            let (camera, height) = Camera::framing(pose, Lens::Perspective, &points, WINDOW, 1.0);
            let seen = camera.project(Vec3::X);
            assert!(seen.x.is_finite() && seen.y.is_finite() && height >= 100.0);
        }
    }
}
