//! Who is nearest: a rectangle of samples, each with the nearest shape and how near it is.
//!
//! A sample takes whatever is nearest, so the order in which shapes are drawn does not matter; of two that are
//! equally near, the one with the smaller number stays if shapes are drawn in the order of their numbers.

use carom_math::Vec3;

use super::camera::{Camera, Projected, Ray};
use super::shapes::{Face, Primitive, Shapes, Tube};

/// The number of no shape.
pub(super) const NOTHING: u32 = u32::MAX;

/// Samples of some rows of a picture.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub width: usize,
    pub rows: usize,
    /// The first of its rows.
    pub top: usize,
    pub nearness: Vec<f32>,
    pub shape: Vec<u32>,
}

/// The part of a row or a column between two coordinates: the samples whose middles lie in it, within `0..limit`.
fn samples(from: f64, to: f64, limit: usize) -> std::ops::Range<usize> {
    let first = (from - 0.5).ceil().clamp(0.0, limit as f64) as usize;
    let last = ((to - 0.5).floor() + 1.0).clamp(first as f64, limit as f64) as usize;
    first..last
}

impl Buffer {
    /// An empty buffer of `rows` rows from row `top` on.
    pub fn new(width: usize, top: usize, rows: usize) -> Self {
        let len = width * rows;
        Self { width, rows, top, nearness: vec![f32::NEG_INFINITY; len], shape: vec![NOTHING; len] }
    }

    /// Draws the shapes with these numbers; where there is a `ceiling`, only what is farther than it.
    pub fn draw(
        &mut self,
        shapes: &Shapes,
        numbers: impl IntoIterator<Item = u32>,
        camera: &Camera,
        ceiling: Option<&Self>,
    ) {
        for number in numbers {
            match shapes.get(number as usize) {
                Primitive::Face(face) => self.face(number, face, camera, ceiling),
                Primitive::Tube(tube) => {
                    let boxes = tube.ends.map(|end| outline(camera, end, tube.radius));
                    self.round(number, hull(boxes[0], boxes[1]), camera, ceiling, |ray| hit_tube(ray, tube));
                }
                Primitive::Ball(ball) => {
                    let (centre, radius) = (ball.centre, ball.radius);
                    let extent = outline(camera, centre, radius);
                    self.round(number, extent, camera, ceiling, |ray| hit_ball(ray, centre, radius));
                }
            }
        }
    }

    fn put(&mut self, at: usize, number: u32, nearness: f32, ceiling: Option<&Self>) {
        if nearness > self.nearness[at] && ceiling.is_none_or(|above| nearness < above.nearness[at]) {
            self.nearness[at] = nearness;
            self.shape[at] = number;
        }
    }

    /// Draws a ball or tube: every sample of its extent intersects its ray.
    fn round(
        &mut self,
        number: u32,
        extent: Option<[f64; 4]>,
        camera: &Camera,
        ceiling: Option<&Self>,
        hit: impl Fn(&Ray) -> Option<f64>,
    ) {
        let Some([left, right, top, bottom]) = extent else { return };
        let up = self.top as f64;
        for row in samples(top - up, bottom - up, self.rows) {
            for column in samples(left, right, self.width) {
                let ray = camera.ray(column as f64 + 0.5, row as f64 + up + 0.5);
                if let Some(depth) = hit(&ray) {
                    let nearness = camera.nearness_of(depth) as f32;
                    self.put(row * self.width + column, number, nearness, ceiling);
                }
            }
        }
    }

    fn face(&mut self, number: u32, face: &Face, camera: &Camera, ceiling: Option<&Self>) {
        if face.corners.iter().all(|p| camera.ahead_by(*p) > 0.0) {
            self.flat(number, face.corners.map(|p| camera.project(p)), ceiling);
        } else {
            let kept: Vec<Projected> =
                ahead(&face.corners, camera).into_iter().map(|p| camera.project(p)).collect();
            for i in 2..kept.len() {
                self.flat(number, [kept[0], kept[i - 1], kept[i]], ceiling);
            }
        }
    }

    /// A triangle of the picture, row by row.
    fn flat(&mut self, number: u32, [a, b, c]: [Projected; 3], ceiling: Option<&Self>) {
        let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let slope_x =
            ((b.nearness - a.nearness) * (c.y - a.y) - (c.nearness - a.nearness) * (b.y - a.y)) / area;
        let slope_y =
            ((c.nearness - a.nearness) * (b.x - a.x) - (b.nearness - a.nearness) * (c.x - a.x)) / area;
        let up = self.top as f64;
        let (low, high) = (a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y));
        for row in samples(low - up, high - up, self.rows) {
            let y = row as f64 + up + 0.5;
            let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
            for (p, q) in [(a, b), (b, c), (c, a)] {
                if (p.y <= y) != (q.y <= y) {
                    let x = p.x + (y - p.y) * (q.x - p.x) / (q.y - p.y);
                    (left, right) = (left.min(x), right.max(x));
                }
            }
            let at_zero = a.nearness + (y - a.y) * slope_y - a.x * slope_x;
            // A hair more on both sides: between two triangles there is no gap.
            for column in samples(left - SEAM, right + SEAM, self.width) {
                let nearness = at_zero + (column as f64 + 0.5) * slope_x;
                self.put(row * self.width + column, number, nearness as f32, ceiling);
            }
        }
    }
}

/// The shapes among `numbers` that reach into each band of this many rows, of a picture of so many bands.
pub(super) fn in_bands(
    shapes: &Shapes,
    numbers: &[u32],
    camera: &Camera,
    rows: usize,
    bands: usize,
) -> Vec<Vec<u32>> {
    let mut sorted = vec![Vec::new(); bands];
    for &number in numbers {
        let Some((top, bottom)) = rows_of(shapes.get(number as usize), camera) else { continue };
        let band = |y: f64| (y / rows as f64).floor().clamp(0.0, (bands - 1) as f64) as usize;
        for own in &mut sorted[band(top - 1.0)..=band(bottom + 1.0)] {
            own.push(number);
        }
    }
    sorted
}

/// Between which heights of the picture a shape lies; `None` if it is behind the eye.
fn rows_of(shape: Primitive<'_>, camera: &Camera) -> Option<(f64, f64)> {
    match shape {
        Primitive::Face(face) if face.corners.iter().any(|p| camera.ahead_by(*p) <= 0.0) => {
            Some((f64::NEG_INFINITY, f64::INFINITY))
        }
        Primitive::Face(face) => {
            let [a, b, c] = face.corners.map(|p| camera.project(p).y);
            Some((a.min(b).min(c), a.max(b).max(c)))
        }
        Primitive::Tube(tube) => {
            let [from, to] = tube.ends.map(|end| outline(camera, end, tube.radius));
            hull(from, to).map(|[.., top, bottom]| (top, bottom))
        }
        Primitive::Ball(ball) => {
            outline(camera, ball.centre, ball.radius).map(|[.., top, bottom]| (top, bottom))
        }
    }
}

/// How much wider a row of a triangle is drawn, in samples.
const SEAM: f64 = 1e-6;

/// The part of a triangle before the eye.
fn ahead(corners: &[Vec3; 3], camera: &Camera) -> Vec<Vec3> {
    let mut kept = Vec::new();
    for i in 0..3 {
        let (p, q) = (corners[i], corners[(i + 1) % 3]);
        let (before, after) = (camera.ahead_by(p), camera.ahead_by(q));
        if before > 0.0 {
            kept.push(p);
        }
        if (before > 0.0) != (after > 0.0) {
            // A hair inside: the cut must not fall behind the eye.
            let part = before / (before - after);
            kept.push(p + (q - p) * part + camera.pose.towards * (-1e-9 * (q - p).length()));
        }
    }
    kept
}

/// The rectangle around a ball: left, right, top and bottom; `None` if the eye is in it or before it.
fn outline(camera: &Camera, centre: Vec3, radius: f64) -> Option<[f64; 4]> {
    if camera.ahead_by(centre) <= radius {
        return None;
    }
    let Projected { x, y, nearness } = camera.project(centre);
    // A hair more than the camera's own allowance: near the eye and aside of its axis an outline is largest.
    let r = 1.04 * camera.length_at(radius, nearness);
    Some([x - r, x + r, y - r, y + r])
}

fn hull(a: Option<[f64; 4]>, b: Option<[f64; 4]>) -> Option<[f64; 4]> {
    let (a, b) = (a?, b?);
    Some([a[0].min(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].max(b[3])])
}

/// The depth at which a ray enters a ball.
pub(super) fn hit_ball(ray: &Ray, centre: Vec3, radius: f64) -> Option<f64> {
    let away = ray.from - centre;
    let (a, b) = (ray.along.length_sq(), away.dot(ray.along));
    let c = away.length_sq() - radius * radius;
    let inside = b * b - a * c;
    (inside >= 0.0).then(|| (-b - inside.sqrt()) / a)
}

/// The depth at which a ray enters a tube with round ends.
fn hit_tube(ray: &Ray, tube: &Tube) -> Option<f64> {
    let [from, to] = tube.ends;
    let (axis, away, r) = (to - from, ray.from - from, tube.radius);
    let (axis_sq, along_sq) = (axis.length_sq(), ray.along.length_sq());
    let (axis_along, axis_away) = (axis.dot(ray.along), axis.dot(away));
    let a = axis_sq * along_sq - axis_along * axis_along;
    let b = axis_sq * ray.along.dot(away) - axis_away * axis_along;
    let c = axis_sq * away.length_sq() - axis_away * axis_away - r * r * axis_sq;
    let inside = b * b - a * c;
    if inside >= 0.0 && a > 1e-12 * axis_sq * along_sq {
        let depth = (-b - inside.sqrt()) / a;
        let part = axis_away + depth * axis_along;
        if (0.0..=axis_sq).contains(&part) {
            return Some(depth);
        }
    } else if inside < 0.0 && a > 1e-12 * axis_sq * along_sq {
        return None;
    }
    let ends = [hit_ball(ray, from, r), hit_ball(ray, to, r)];
    ends.into_iter().flatten().reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use super::super::camera::{Lens, Pose, View, Window};
    use super::super::shapes::Ball;
    use super::*;
    use proptest::prelude::*;

    const SIDE: usize = 300;

    fn camera(lens: Lens) -> Camera {
        let window = Window { left: 0.0, top: 0.0, width: SIDE as f64, heights: (SIDE as f64, SIDE as f64) };
        let pose = Pose::new(View::default(), Vec3::Z);
        Camera::framing(pose, lens, &[(Vec3::ZERO, 2.0)], window, 1.0).0
    }

    fn face(corners: [Vec3; 3]) -> Face {
        Face { corners, normals: [Vec3::Z; 3], places: [f64::NAN; 3], lines: [0.0; 3], body: 0 }
    }

    fn drawn(shapes: &Shapes, order: &[u32], lens: Lens) -> Buffer {
        let mut buffer = Buffer::new(SIDE, 0, SIDE);
        buffer.draw(shapes, order.iter().copied(), &camera(lens), None);
        buffer
    }

    fn covered(buffer: &Buffer) -> f64 {
        buffer.shape.iter().filter(|s| **s != NOTHING).count() as f64
    }

    #[test]
    fn a_ball_covers_the_samples_that_a_disc_of_its_radius_does() {
        for radius in [0.2, 0.5, 1.3] {
            let ball = Ball { centre: Vec3::new(0.1, 0.2, -0.1), radius, place: f64::NAN, body: 0 };
            let shapes = Shapes { balls: vec![ball], ..Shapes::default() };
            let pixels = radius * camera(Lens::Parallel).zoom;
            let expected = std::f64::consts::PI * pixels * pixels;
            let flat = covered(&drawn(&shapes, &[0], Lens::Parallel));
            assert!((flat / expected - 1.0).abs() < 0.01, "{flat} for {expected}");
            // From an eye at distance D the outline is the cone that touches: r/√(D² − r²), and the eye stands 10 away.
            let camera = camera(Lens::Perspective);
            let away = 1.0 / camera.project(ball.centre).nearness;
            let slope = radius / (away * away - radius * radius).sqrt();
            let expected = std::f64::consts::PI * (slope * camera.zoom).powi(2);
            let seen = covered(&drawn(&shapes, &[0], Lens::Perspective));
            assert!((seen / expected - 1.0).abs() < 0.02, "{seen} for {expected}");
        }
    }

    #[test]
    fn a_tube_covers_its_length_times_its_width_and_two_half_discs() {
        let pose = camera(Lens::Parallel).pose;
        let (length, radius) = (1.6, 0.15);
        for turn in [0.0_f64, 0.4, 1.1] {
            let along = (pose.right * turn.cos() + pose.up * turn.sin()) * (length / 2.0);
            let tube = Tube { ends: [-along, along], radius, places: [f64::NAN; 2], body: 0 };
            let shapes = Shapes { tubes: vec![tube], ..Shapes::default() };
            let zoom = camera(Lens::Parallel).zoom;
            let expected = (2.0 * radius * length + std::f64::consts::PI * radius * radius) * zoom * zoom;
            let found = covered(&drawn(&shapes, &[0], Lens::Parallel));
            assert!((found / expected - 1.0).abs() < 0.03, "{found} for {expected}");
        }
        let end_on = Tube { ends: [-pose.towards, pose.towards], radius, places: [f64::NAN; 2], body: 0 };
        let found =
            covered(&drawn(&Shapes { tubes: vec![end_on], ..Shapes::default() }, &[0], Lens::Parallel));
        let expected = std::f64::consts::PI * (radius * camera(Lens::Parallel).zoom).powi(2);
        assert!((found / expected - 1.0).abs() < 0.05, "{found} for {expected}");
    }

    #[test]
    fn two_triangles_leave_no_gap_between_them_and_cover_their_square() {
        let pose = camera(Lens::Parallel).pose;
        let at = |x: f64, y: f64| pose.right * x + pose.up * y;
        let (a, b, c, d) = (at(-1.01, -0.97), at(1.03, -1.0), at(1.0, 0.99), at(-1.0, 1.0));
        let shapes = Shapes { faces: vec![face([a, b, c]), face([a, c, d])], ..Shapes::default() };
        let buffer = drawn(&shapes, &[0, 1], Lens::Parallel);
        for row in 0..SIDE {
            let line = &buffer.shape[row * SIDE..(row + 1) * SIDE];
            let first = line.iter().position(|s| *s != NOTHING);
            let last = line.iter().rposition(|s| *s != NOTHING);
            if let (Some(first), Some(last)) = (first, last) {
                assert!(line[first..=last].iter().all(|s| *s != NOTHING), "a gap in row {row}");
            }
        }
        let zoom = camera(Lens::Parallel).zoom;
        let expected = 0.5 * (2.04 * 1.97 + 1.97 * 2.01) * zoom * zoom;
        assert!((covered(&buffer) / expected - 1.0).abs() < 0.02);
    }

    #[test]
    fn a_floor_that_reaches_behind_the_eye_is_drawn_up_to_it() {
        let far = 1e3;
        let corners =
            [Vec3::new(-far, -far, -1.0), Vec3::new(far, -far, -1.0), Vec3::new(0.0, 2.0 * far, -1.0)];
        let shapes = Shapes { faces: vec![face(corners)], ..Shapes::default() };
        let buffer = drawn(&shapes, &[0], Lens::Perspective);
        assert!(buffer.shape[(SIDE - 1) * SIDE + SIDE / 2] == 0, "the floor at the lower border is seen");
    }

    fn mixture() -> impl Strategy<Value = Shapes> {
        let point =
            || (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(|(x, y, z): (f64, f64, f64)| Vec3::new(x, y, z));
        let faces = prop::collection::vec([point(), point(), point()].prop_map(face), 0..5);
        let tubes = prop::collection::vec(
            ([point(), point()], 0.01..0.3).prop_map(|(ends, radius)| Tube {
                ends,
                radius,
                places: [f64::NAN; 2],
                body: 0,
            }),
            0..5,
        );
        let balls = prop::collection::vec(
            (point(), 0.01..0.5).prop_map(|(centre, radius)| Ball {
                centre,
                radius,
                place: f64::NAN,
                body: 0,
            }),
            0..5,
        );
        (faces, tubes, balls).prop_map(|(faces, tubes, balls)| Shapes { faces, tubes, balls })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn the_nearer_hides_the_farther_in_whatever_order_they_are_drawn(shapes in mixture(), parallel in any::<bool>()) {
            let lens = if parallel { Lens::Parallel } else { Lens::Perspective };
            let order: Vec<u32> = (0..shapes.len() as u32).collect();
            let back: Vec<u32> = order.iter().rev().copied().collect();
            let (there, back) = (drawn(&shapes, &order, lens), drawn(&shapes, &back, lens));
            prop_assert_eq!(&there.nearness, &back.nearness);
            let alone: Vec<Buffer> = order.iter().map(|&i| drawn(&shapes, &[i], lens)).collect();
            for at in 0..there.shape.len() {
                let nearest = alone.iter().map(|one| one.nearness[at]).fold(f32::NEG_INFINITY, f32::max);
                prop_assert_eq!(there.nearness[at], nearest);
            }
        }

        #[test]
        fn bands_of_a_picture_are_the_rows_of_the_whole(shapes in mixture(), top in 0..250_usize) {
            let camera = camera(Lens::Perspective);
            let whole = drawn(&shapes, &(0..shapes.len() as u32).collect::<Vec<_>>(), Lens::Perspective);
            let mut band = Buffer::new(SIDE, top, 40);
            band.draw(&shapes, 0..shapes.len() as u32, &camera, None);
            let rows = top * SIDE..(top + 40) * SIDE;
            prop_assert_eq!(&band.shape[..], &whole.shape[rows]);
            // Sorted into bands beforehand, nothing is missed.
            let all: Vec<u32> = (0..shapes.len() as u32).collect();
            let sorted = in_bands(&shapes, &all, &camera, 30, SIDE / 30);
            for (number, own) in sorted.into_iter().enumerate() {
                let mut band = Buffer::new(SIDE, 30 * number, 30);
                band.draw(&shapes, own, &camera, None);
                let rows = 30 * number * SIDE..30 * (number + 1) * SIDE;
                prop_assert_eq!(&band.shape[..], &whole.shape[rows]);
            }
        }
    }
}
