//! A proof that contact follows at once.
//!
//! | Claim | a contact in the window of ±1e-7 around `t`, cut to [0, 1] |
//! | Proof | the four vertices change orientation over the window, so they are coplanar inside it; the normal does not vanish in it, and the weights of the meeting point are positive all through it |
//!
//! All signs by interval arithmetic over the whole window. What cannot be proven here is not refuted.

use carom_math::Vec3;

use super::Kind;
use super::interval::Interval;

/// Half the window: well below [`super::EARLY`], well above rounding errors.
const WINDOW: f64 = 1e-7;

type Path = [Interval; 3];

/// Whether a contact between `t − 1e-7` and `t + 1e-7`, both inside [0, 1], is proven.
pub(super) fn contact_follows(kind: Kind, start: &[Vec3; 4], end: &[Vec3; 4], t: f64) -> bool {
    let (from, to) = ((t - WINDOW).max(0.0), (t + WINDOW).min(1.0));
    let at = |time: Interval| Pair::over(kind, start, end, time);
    let orientations = at(Interval::point(from)).orientation() * at(Interval::point(to)).orientation();
    orientations < 0 && at(Interval::new(from, to)).meets_inside()
}

/// Two spanning directions and the difference of their origins: `q = p − a`, `e = b − a`, `f = c − a`
/// for a face, `q = c − a`, `e = b − a`, `f = d − c` for edges.
struct Pair {
    kind: Kind,
    q: Path,
    e: Path,
    f: Path,
}

impl Pair {
    fn over(kind: Kind, start: &[Vec3; 4], end: &[Vec3; 4], time: Interval) -> Self {
        let along = |i: usize, j: usize| difference(start, end, i, j, time);
        match kind {
            Kind::VertexFace => Self { kind, q: along(0, 1), e: along(2, 1), f: along(3, 1) },
            Kind::EdgeEdge => Self { kind, q: along(2, 0), e: along(1, 0), f: along(3, 2) },
        }
    }

    fn orientation(&self) -> i8 {
        let [a, b, c] = [0, 1, 2].map(|k| self.q[k] * cross(&self.e, &self.f, k));
        (a + b + c).sign()
    }

    fn meets_inside(&self) -> bool {
        let normal = [0, 1, 2].map(|k| cross(&self.e, &self.f, k));
        let steepness = normal.map(|n| n.middle().abs());
        let k = (0..3).max_by(|i, j| steepness[*i].total_cmp(&steepness[*j])).expect("three axes");
        let n = normal[k];
        let side = n.sign();
        let positive = |w: Interval| w.sign() * side == 1;
        match self.kind {
            Kind::VertexFace => {
                let (s, t) = (cross(&self.q, &self.f, k), cross(&self.e, &self.q, k));
                positive(s) && positive(t) && positive(n - s - t)
            }
            Kind::EdgeEdge => {
                let (s, t) = (cross(&self.q, &self.f, k), cross(&self.q, &self.e, k));
                [s, t].into_iter().all(|w| positive(w) && positive(n - w))
            }
        }
    }
}

fn cross(a: &Path, b: &Path, k: usize) -> Interval {
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    a[i] * b[j] - a[j] * b[i]
}

/// The vector from vertex `j` to vertex `i` over a span of time: `(1 − t) · (at 0) + t · (at 1)`.
fn difference(start: &[Vec3; 4], end: &[Vec3; 4], i: usize, j: usize, time: Interval) -> Path {
    let rest = Interval::point(1.0) - time;
    core::array::from_fn(|k| {
        let between = |x: &[Vec3; 4]| Interval::point(x[i][k]) - Interval::point(x[j][k]);
        rest * between(start) + time * between(end)
    })
}
