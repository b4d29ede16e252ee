//! Separating planes, moved forward in time.
//!
//! A fixed direction `n` separates the primitives while every vertex of the first is ahead of every
//! vertex of the second along `n`. Each of these is linear in time, so the least of them is concave:
//! positive at two times means positive in between. From a time known to be free of contact, take
//! the direction between the nearest points and go to the time at which it stops separating; there,
//! take the next direction. The steps shrink quadratically towards a contact, and pairs that pass
//! each other are left behind in two or three.
//!
//! **Rounding.** Positions enter relative to the last vertex, rounded once. Let `u` be the unit
//! round-off, `m` the largest of these coordinates at both ends, `|n|₁` the sum of the components. A
//! projection is off by 4u|n|₁m, its value between the ends by 7u|n|₁m more, and a difference of two such
//! by 24u|n|₁m in all, which is 12 ε|n|₁m: a plane counts while the difference exceeds 16 ε|n|₁m. The
//! direction itself may be anything.
//!
//! **Never here:** a claim that there is contact.

use carom_math::Vec3;

use super::Kind;
use carom_geometry::nearest;

/// Whether a coordinate plane separates the primitives at all times; comparisons only.
pub(super) fn apart_along_an_axis(kind: Kind, start: &[Vec3; 4], end: &[Vec3; 4]) -> bool {
    let split = kind.split();
    let mut below = [true; 3];
    let mut above = [true; 3];
    for x in [start, end] {
        for i in 0..split {
            for j in split..4 {
                for k in 0..3 {
                    below[k] &= x[i][k] < x[j][k];
                    above[k] &= x[i][k] > x[j][k];
                }
            }
        }
    }
    below.contains(&true) || above.contains(&true)
}

/// A time up to which (exclusive) there is no contact; `None` if there is none in [0, 1].
pub(super) fn free_until(kind: Kind, start: &[Vec3; 4], end: &[Vec3; 4]) -> Option<f64> {
    // Steps shrink quadratically; a pair that needs more is for exact arithmetic.
    const STEPS: usize = 24;
    // Contact is confirmed in a window a hundred times as wide.
    const CONVERGED: f64 = 1e-9;
    // Beyond this, products could overflow and a comparison lie.
    const LARGEST: f64 = 1e150;
    let motion = LinearMotion::new(kind, start, end);
    if motion.largest > LARGEST {
        return Some(0.0);
    }
    let mut now = 0.0;
    for _ in 0..STEPS {
        let plane = motion.plane_at(now);
        if plane.gap_at(now) <= plane.doubt {
            break;
        }
        if plane.gap_at(1.0) > plane.doubt {
            return None;
        }
        let next = plane.last_time(now);
        // Written so that a next that is not a number stops here as well.
        if !(plane.gap_at(next) > plane.doubt && next > now) {
            break;
        }
        let step = next - now;
        now = next;
        if step < CONVERGED {
            break;
        }
    }
    Some(now)
}

/// The motion relative to the last vertex.
struct LinearMotion {
    kind: Kind,
    start: [Vec3; 4],
    end: [Vec3; 4],
    largest: f64,
}

impl LinearMotion {
    fn new(kind: Kind, start: &[Vec3; 4], end: &[Vec3; 4]) -> Self {
        let relative = |x: &[Vec3; 4]| x.map(|p| p - x[3]);
        let (start, end) = (relative(start), relative(end));
        let largest = start.iter().chain(&end).map(|p| p.max_abs()).fold(0.0, f64::max);
        Self { kind, start, end, largest }
    }

    /// The plane between the nearest points at time `t`.
    fn plane_at(&self, t: f64) -> Plane {
        let x = core::array::from_fn(|i| self.start[i] + (self.end[i] - self.start[i]) * t);
        let separation = match self.kind {
            Kind::VertexFace => nearest::vertex_face(&x).separation,
            Kind::EdgeEdge => nearest::edge_edge(&x).separation,
        };
        let size = separation.max_abs();
        let n = if size > 0.0 { separation * (1.0 / size) } else { separation };
        let norm = n.x.abs() + n.y.abs() + n.z.abs();
        Plane {
            split: self.kind.split(),
            start: self.start.map(|p| n.dot(p)),
            end: self.end.map(|p| n.dot(p)),
            // The small constant covers underflow.
            doubt: 16.0 * f64::EPSILON * norm * self.largest + 1e-290,
        }
    }
}

/// The vertices projected onto one direction, at both ends of the time.
struct Plane {
    split: usize,
    start: [f64; 4],
    end: [f64; 4],
    doubt: f64,
}

impl Plane {
    fn at(&self, t: f64) -> [f64; 4] {
        core::array::from_fn(|i| self.start[i] + (self.end[i] - self.start[i]) * t)
    }

    /// How far the first primitive is ahead of the second at time `t`, within `doubt`.
    fn gap_at(&self, t: f64) -> f64 {
        let x = self.at(t);
        let ahead = x[..self.split].iter().copied().fold(f64::INFINITY, f64::min);
        let behind = x[self.split..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        ahead - behind
    }

    /// About the time at which the gap, positive at `now`, has shrunk to twice the doubt.
    fn last_time(&self, now: f64) -> f64 {
        let here = self.at(now);
        let mut part = 1.0_f64;
        for i in 0..self.split {
            for j in self.split..4 {
                let (gap, left) = (here[i] - here[j], self.end[i] - self.end[j]);
                let target = 2.0 * self.doubt;
                if left < target {
                    part = part.min((gap - target) / (gap - left));
                }
            }
        }
        (now + (1.0 - now) * part).min(1.0)
    }
}
