//! How much longer than the chord a way along a surface is.
//!
//! Two kinds of surface show at a glance how long a way on them joins two points p and q.
//!
//! **From afar.** One outline, which is convex as seen along a direction n, and all normals within θ of n. The surface lies above what is
//! within its outline once, so above the chord as seen along n there is a way, as steep as θ at most, and at most ‖p − q‖/cos θ long.
//!
//! **From within.** Closed, seen once in every direction from a point c, all vertices at most R from it, and the planes of all triangles at
//! least r, on one side. Each ray from c meets the surface once, so p and q, at an angle α ≤ π as seen from c, are joined
//! by a way in the plane through them and c. While the ray turns by dφ it goes on by ρ²dφ/h ≤ R²dφ/r, where ρ is its distance from c and h that
//! of the line on which it goes: it is at most αR²/r long, and ‖p − q‖ at least 2r sin(α/2).

use core::f64::consts::{FRAC_PI_2, TAU};

use carom_geometry::Topology;
use carom_math::Vec3;

/// An outline may turn the wrong way by this angle, in rad: straight sides are rounded.
const STRAIGHT: f64 = 1e-9;

/// Covers the way around corners of an outline that turn the wrong way by [`STRAIGHT`], a million of them.
const AROUND: f64 = 1.0 + 1e-6;

/// A surface of one of the two kinds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GeodesicBound {
    /// Seen from afar.
    Afar {
        /// `1/cos θ`.
        slope: f64,
    },
    /// Seen from within.
    Within {
        /// `r`, in m.
        inner: f64,
        /// `(R/r)²`.
        uneven: f64,
    },
}

impl GeodesicBound {
    /// What is to be seen of a surface, if anything.
    #[must_use]
    pub fn of(x: &[Vec3], triangles: &[[u32; 3]]) -> Option<Self> {
        let topology = Topology::new(triangles).ok().filter(Topology::is_oriented)?;
        if topology.is_closed() { from_within(x, triangles) } else { from_afar(x, triangles, &topology) }
    }

    /// How long a way between two points may have to be, in m, whose chord is at most so long.
    #[must_use]
    pub fn way(&self, chord: f64) -> f64 {
        match *self {
            Self::Afar { slope } => chord * slope,
            Self::Within { inner, uneven } => {
                2.0 * inner * uneven * libm::asin((0.5 * chord / inner).min(1.0))
            }
        }
    }

    /// How far apart two points are at least, in m, between which every way is at least so long.
    #[must_use]
    pub fn chord(&self, way: f64) -> f64 {
        match *self {
            Self::Afar { slope } => way / slope,
            Self::Within { inner, uneven } => {
                2.0 * inner * libm::sin((0.5 * way / (inner * uneven)).min(FRAC_PI_2))
            }
        }
    }

    /// How near two points can have come, in m, that were at least so far apart, if along ways on the surface, whatever place
    /// they have come to differs from an isometry by at most `strain` times the length of the way. Zero or less if it is not known.
    #[must_use]
    pub fn nearest(&self, at_rest: f64, strain: f64) -> f64 {
        let left = |chord: f64| chord - strain * self.way(chord);
        match *self {
            Self::Afar { .. } => left(at_rest),
            // A chord less its way is concave: it is least at an end.
            Self::Within { inner, .. } => left(at_rest).min(left(2.0 * inner)),
        }
    }

    /// How far apart points must be, in m, that they stay `needed` apart; `None` if none need to.
    #[must_use]
    pub fn farthest(&self, needed: f64, strain: f64) -> Option<f64> {
        let most = match *self {
            Self::Afar { slope } => slope,
            Self::Within { uneven, .. } => uneven * FRAC_PI_2,
        };
        (strain * most < 1.0).then(|| needed / (1.0 - strain * most))
    }
}

fn from_afar(x: &[Vec3], triangles: &[[u32; 3]], topology: &Topology) -> Option<GeodesicBound> {
    let towards = triangles.iter().map(|t| area_vector(x, t)).sum::<Vec3>().try_normalize()?;
    let mut steepest: f64 = 1.0;
    for triangle in triangles {
        steepest = steepest.min(area_vector(x, triangle).try_normalize()?.dot(towards));
    }
    let outline = outline(triangles, topology)?;
    (steepest > 0.0 && is_convex(x, &outline, towards))
        .then(|| GeodesicBound::Afar { slope: AROUND / steepest })
}

fn from_within(x: &[Vec3], triangles: &[[u32; 3]]) -> Option<GeodesicBound> {
    let centre = x.iter().copied().sum::<Vec3>() * (1.0 / x.len() as f64);
    let (mut nearest, mut deepest, mut stats) = (f64::INFINITY, f64::INFINITY, 0.0);
    for triangle in triangles {
        let corners = triangle.map(|v| x[v as usize] - centre);
        let height = area_vector(x, triangle).try_normalize()?.dot(corners[0]);
        (nearest, deepest) = (nearest.min(height), deepest.min(-height));
        stats += solid_angle(corners);
    }
    // Normals may all point inwards.
    let inner = nearest.max(deepest);
    let outer = x.iter().map(|x| (*x - centre).length()).fold(0.0, f64::max);
    let is_seen_once = (stats.abs() - 2.0 * TAU).abs() < 1.0;
    let uneven = AROUND * (outer / inner) * (outer / inner);
    (inner > 0.0 && is_seen_once).then_some(GeodesicBound::Within { inner, uneven })
}

/// The solid angle of a triangle seen from the origin, in sr; negative if it runs the other way.
fn solid_angle([a, b, c]: [Vec3; 3]) -> f64 {
    let [la, lb, lc] = [a, b, c].map(Vec3::length);
    let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * libm::atan2(a.dot(b.cross(c)), below)
}

fn area_vector(x: &[Vec3], &[a, b, c]: &[u32; 3]) -> Vec3 {
    let [a, b, c] = [a, b, c].map(|v| x[v as usize]);
    (b - a).cross(c - a)
}

/// The vertices of the boundary, in the order in which the triangles run; `None` if there is more than one loop.
fn outline(triangles: &[[u32; 3]], topology: &Topology) -> Option<Vec<u32>> {
    let mut next: Vec<[u32; 2]> = Vec::new();
    for edge in &topology.boundary {
        let [a, b, c] = triangles[edge.triangle as usize];
        next.extend(
            [[a, b], [b, c], [c, a]]
                .into_iter()
                .filter(|[from, to]| edge.vertices == [*from.min(to), *from.max(to)]),
        );
    }
    next.sort_unstable();
    let after = |v: u32| next.binary_search_by_key(&v, |[from, _]| *from).ok().map(|i| next[i][1]);
    let mut loop_ = vec![next.first()?[0]];
    while let Some(v) = after(*loop_.last()?).filter(|v| *v != loop_[0]) {
        if loop_.len() == next.len() {
            return None;
        }
        loop_.push(v);
    }
    (loop_.len() == next.len()).then_some(loop_)
}

/// Whether a loop, seen against the direction `towards`, runs around a convex region once.
fn is_convex(x: &[Vec3], outline: &[u32], towards: Vec3) -> bool {
    let at = |i: usize| {
        let x = x[outline[i % outline.len()] as usize];
        x - towards * x.dot(towards)
    };
    let mut turned = 0.0;
    for i in 0..outline.len() {
        let (before, after) = (at(i + 1) - at(i), at(i + 2) - at(i + 1));
        let angle = libm::atan2(before.cross(after).dot(towards), before.dot(after));
        if angle < -STRAIGHT {
            return false;
        }
        turned += angle;
    }
    (turned - TAU).abs() < 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::Mesh;
    use carom_geometry::shapes::{disc, grid, icosphere, tube};
    use carom_math::Mat3;

    fn of(mesh: &Mesh) -> Option<GeodesicBound> {
        GeodesicBound::of(&mesh.positions, &mesh.triangles)
    }

    /// The longest way over its chord, of points that are so far apart.
    fn ratio(mesh: &Mesh, chord: f64) -> f64 {
        (1.0 - of(mesh).unwrap().nearest(chord, 1e-3) / chord) * 1e3
    }

    fn bent(mesh: Mesh, place: impl Fn(Vec3) -> Vec3) -> Mesh {
        Mesh { positions: mesh.positions.iter().copied().map(place).collect(), ..mesh }
    }

    #[test]
    fn a_flat_convex_sheet_has_none_and_a_slope_that_of_its_steepest_triangle() {
        let flat = [grid(1.0, 0.7, 0.1).unwrap(), disc(0.3, 0.05).unwrap()];
        for mesh in flat {
            let turned = Mat3::rotation(Vec3::new(1.0, 2.0, -0.4), 0.8);
            assert!((ratio(&mesh, 0.1) - 1.0).abs() < 1e-5);
            let moved = bent(mesh, |x| turned.apply(x) * 3.0 + Vec3::splat(7.0));
            assert!((ratio(&moved, 0.1) - 1.0).abs() < 1e-5);
        }
        let roof = bent(grid(1.0, 1.0, 0.1).unwrap(), |x| x + Vec3::Z * (0.75 * x.x.abs()));
        assert!((ratio(&roof, 0.3) - 1.25).abs() < 1e-3, "{:?}", of(&roof));
    }

    #[test]
    fn a_sphere_has_that_of_its_great_circles_whichever_side_is_out() {
        let sphere = icosphere(2.0, 12).unwrap();
        for chord in [1e-3, 2.0, 3.9_f64] {
            let (arc, found) = ((0.25 * chord).asin() / (0.25 * chord), ratio(&sphere, chord));
            assert!(found >= arc && found < 1.05 * arc, "{chord}: {found}");
        }
        let turned = sphere.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        assert_eq!(of(&Mesh { triangles: turned, ..sphere.clone() }), of(&sphere));
    }

    #[test]
    fn points_that_are_farther_apart_stay_farther_apart_or_as_far_as_the_farthest() {
        let known = of(&icosphere(1.0, 8).unwrap()).unwrap();
        for strain in [0.0, 0.1, 0.3, 0.5] {
            let mut least = f64::INFINITY;
            for chord in (1..=200).rev().map(|i| 0.01 * f64::from(i)) {
                let own = chord - strain * 2.0 * (0.5 * chord).min(1.0).asin();
                least = least.min(own);
                assert!(known.nearest(chord, strain) <= least);
            }
            let far = known.farthest(0.1, strain).expect("points of a sphere can be that far apart");
            assert!(far < 2.0 && known.nearest(far, strain) >= 0.1 - 1e-12);
        }
    }

    #[test]
    fn a_chord_is_as_long_as_what_its_longest_way_takes() {
        let roof = bent(grid(1.0, 1.0, 0.1).unwrap(), |x| x + Vec3::Z * (0.75 * x.x.abs()));
        for mesh in [roof, icosphere(1.0, 8).unwrap()] {
            let known = of(&mesh).unwrap();
            for chord in [0.0, 1e-3, 0.5, 1.9] {
                assert!((known.chord(known.way(chord)) - chord).abs() < 1e-12);
            }
        }
        // No two points of a sphere are farther apart than its inner one is wide, as far as is known.
        let known = of(&icosphere(1.0, 8).unwrap()).unwrap();
        assert!(known.chord(9.0) < 2.0 && known.chord(9.0) > 1.9);
    }

    #[test]
    fn what_points_can_be_near_through_and_far_along_has_no_detour() {
        // A sheet with a bay, one with a hole, one that is rolled up, two of them, a tube, and a sphere within a sphere.
        let sheet = grid(1.0, 1.0, 0.1).unwrap();
        let without = |gone: &dyn Fn(Vec3) -> bool| {
            let middle =
                |t: &[u32; 3]| t.iter().map(|v| sheet.positions[*v as usize]).sum::<Vec3>() * (1.0 / 3.0);
            Mesh {
                triangles: sheet.triangles.iter().copied().filter(|t| !gone(middle(t))).collect(),
                ..sheet.clone()
            }
        };
        let bay = without(&|x| x.x > 0.2 && x.y.abs() < 0.2);
        let hole = without(&|x| x.x.abs() < 0.2 && x.y.abs() < 0.2);
        let halves = without(&|x| x.x.abs() < 0.2);
        let rolled = bent(sheet.clone(), |x| {
            let (sin, cos) = (8.0 * x.x).sin_cos();
            Vec3::new(sin * (1.0 + x.x), x.y, cos * (1.0 + x.x))
        });
        let spheres = {
            let (mut both, inner) = (icosphere(1.0, 4).unwrap(), icosphere(0.9, 4).unwrap());
            let n = both.positions.len() as u32;
            both.triangles.extend(inner.triangles.iter().map(|t| t.map(|v| v + n)));
            both.positions.extend(inner.positions);
            both
        };
        for mesh in [bay, hole, halves, rolled, tube(0.3, 1.0, 0.1).unwrap(), spheres] {
            assert_eq!(of(&mesh), None);
        }
    }
}
