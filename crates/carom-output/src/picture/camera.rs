//! Where one looks from: parallel rays, so that lengths can be read off the picture.

use carom_math::Vec3;

/// The direction one looks from; z is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Angle around z, from x towards y, in degrees.
    pub azimuth_deg: f64,
    /// Angle above the xy plane, in degrees: 90 is from above.
    pub elevation_deg: f64,
}

impl Default for View {
    fn default() -> Self {
        Self { azimuth_deg: -65.0, elevation_deg: 28.0 }
    }
}

/// A camera that has the whole scene in its rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Camera {
    /// From the scene to the eye.
    pub towards: Vec3,
    right: Vec3,
    up: Vec3,
    /// Pixels per metre.
    pub zoom: f64,
    /// Where the origin of space is drawn, in pixels.
    origin: (f64, f64),
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

impl Camera {
    /// A camera from `view` that shows all balls (centre and radius, in m) in `window`, and the height it uses of it, in pixels.
    pub(super) fn framing(
        view: View,
        balls: impl Iterator<Item = (Vec3, f64)>,
        window: Window,
    ) -> (Self, f64) {
        let (sin_a, cos_a) = view.azimuth_deg.to_radians().sin_cos();
        let (sin_e, cos_e) = view.elevation_deg.to_radians().sin_cos();
        let towards = Vec3::new(cos_e * cos_a, cos_e * sin_a, sin_e);
        let right = Vec3::new(-sin_a, cos_a, 0.0);
        let up = towards.cross(right);
        let mut bounds = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
        for (p, r) in balls.filter(|ball| ball.0.is_finite()) {
            let (x, y) = (p.dot(right), p.dot(up));
            bounds = [bounds[0].min(x - r), bounds[1].max(x + r), bounds[2].min(y - r), bounds[3].max(y + r)];
        }
        if bounds[0] > bounds[1] {
            bounds = [-1.0, 1.0, -1.0, 1.0];
        }
        let (low, high) = window.heights;
        let (wide, tall) = (bounds[1] - bounds[0], bounds[3] - bounds[2]);
        let zoom = (window.width / wide).min(high / tall);
        let zoom = if zoom.is_finite() { zoom } else { 1.0 };
        let height = (tall * zoom).clamp(low, high);
        let centre = (f64::midpoint(bounds[0], bounds[1]), f64::midpoint(bounds[2], bounds[3]));
        let origin =
            (window.left + window.width / 2.0 - zoom * centre.0, window.top + height / 2.0 + zoom * centre.1);
        (Self { towards, right, up, zoom, origin }, height)
    }

    /// Where a point is drawn, in pixels.
    pub(super) fn project(&self, p: Vec3) -> (f64, f64) {
        (self.origin.0 + self.zoom * p.dot(self.right), self.origin.1 - self.zoom * p.dot(self.up))
    }

    /// How near the eye a point is, in m.
    pub(super) fn nearness(&self, p: Vec3) -> f64 {
        p.dot(self.towards)
    }

    /// How bright a surface with this normal is, either side out: 1 where it faces a light over the eye's left shoulder.
    pub(super) fn brightness(&self, normal: Vec3) -> f64 {
        const DARKEST: f64 = 0.62;
        let light = self.towards * 0.7 + self.up * 0.6 - self.right * 0.4;
        let facing = normal.try_normalize().map_or(0.0, |n| n.dot(light).abs() / light.length());
        DARKEST + (1.0 - DARKEST) * facing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Window = Window { left: 10.0, top: 20.0, width: 400.0, heights: (100.0, 300.0) };

    #[test]
    fn the_whole_scene_is_in_the_window_and_fills_it_one_way() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y * 3.0, Vec3::Z * 0.5, Vec3::new(5.0, 3.0, 0.5)];
        let (camera, height) =
            Camera::framing(View::default(), corners.into_iter().map(|p| (p, 0.0)), WINDOW);
        let drawn = corners.map(|p| camera.project(p));
        let span = |of: fn(&(f64, f64)) -> f64| {
            let all: Vec<f64> = drawn.iter().map(of).collect();
            (all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(0.0, f64::max))
        };
        let ((left, right), (top, bottom)) = (span(|p| p.0), span(|p| p.1));
        assert!(left >= 10.0 - 1e-9 && right <= 410.0 + 1e-9, "{left} {right}");
        assert!(top >= 20.0 - 1e-9 && bottom <= 20.0 + height + 1e-9, "{top} {bottom}");
        assert!((right - left - 400.0).abs() < 1e-9 || (bottom - top - 300.0).abs() < 1e-9);
    }

    #[test]
    fn from_above_x_is_right_and_y_is_up() {
        let view = View { azimuth_deg: -90.0, elevation_deg: 90.0 };
        let (camera, _) = Camera::framing(view, [(Vec3::ZERO, 0.5)].into_iter(), WINDOW);
        let (origin, x, y) = (camera.project(Vec3::ZERO), camera.project(Vec3::X), camera.project(Vec3::Y));
        assert!(x.0 > origin.0 + 1.0 && (x.1 - origin.1).abs() < 1e-9);
        assert!(y.1 < origin.1 - 1.0 && (y.0 - origin.0).abs() < 1e-9);
        assert!(camera.nearness(Vec3::Z) > camera.nearness(Vec3::ZERO));
    }

    #[test]
    fn one_point_and_none_are_framed_too() {
        for points in [vec![], vec![(Vec3::X, 0.0)]] {
            let (camera, height) = Camera::framing(View::default(), points.into_iter(), WINDOW);
            let (x, y) = camera.project(Vec3::X);
            assert!(x.is_finite() && y.is_finite() && height >= 100.0);
        }
    }
}
