//! What has kept its shape does not touch itself.
//!
//! Let x be where a body is, X its rest shape, R an isometry, and ε the most by which the deformation gradient of a triangle differs from R. Along a
//! way on the surface, ℓ long at rest, x − RX changes by at most εℓ. So two points that are D apart at rest, and joined by a way of at most κD, are
//! at least D(1 − εκ) apart now. If the nearest two primitives of a body with no corner in common are D apart at rest, its
//! vertices may all move by half of what that leaves beside the first layer before the body can touch itself. As long as that is far enough,
//! none of its own pairs needs to be looked for, but for a few that are *tight*: so near at rest that hardly any strain is left to them.
//!
//! Where only some triangles are strained more than that leaves room for, only pairs joined by a way through these can touch, and only if they are near enough at
//! rest for the largest strain of all. A way that crosses a ring of triangles is as long as the lowest of them is high, so
//! the primitives of such pairs are a few rings around: what is *loose*.
//!
//! Of sheets and balls, κ is known ([`Detour`]), and most are bent by less than it takes, most of the time.

use carom_geometry::Detour;
use carom_math::{Mat3, Vec3};
use carom_model::{Contact, PairId, SurfaceFace};

use super::near::{search, side_by_side};
use crate::Catalogue;

/// Covers rounding: of lengths, of sums, of an isometry that is none to 1e-9.
const INWARD: f64 = 1.0 - 1e-8;

/// What a computed edge can miss, over the largest coordinate: four roundings.
const BLUR: f64 = 4.0 * f64::EPSILON;

/// Pairs are looked for at rest up to this far from each other, over the mean edge, or a quarter of it beyond the first layer; all others
/// count as if they were there. Equal triangles are as high as 0.87 of their edge.
const LOOK: f64 = 0.9;

/// A pair that takes less strain is tight.
const TIGHT: f64 = 0.1;

/// The skins of a body that is loose in parts, over the least: the narrower, the less of it is loose.
const NARROW: f64 = 1.5;

/// About so many triangles tell how a body is turned.
const SAMPLE: usize = 100;

/// A body that can touch itself only where it loses its shape.
pub(super) struct Shape {
    triangles: Vec<Triangle>,
    /// The names of its vertices.
    vertices: Vec<u32>,
    detour: Detour,
    /// The largest `‖G‖` of its triangles, in 1/m.
    sharpest: f64,
    /// The least height of a triangle, in m.
    lowest: f64,
    /// Of the pairs that are not tight.
    gaps: Vec<Gap>,
    tight: Vec<PairId>,
}

/// What is left of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// All of it: only tight pairs can touch.
    Whole,
    /// Some: only these can, and what is loose each other.
    Partly,
    /// Nothing is known.
    Lost,
}

/// A triangle at rest, and where it is now.
struct Triangle {
    corners: [u32; 3],
    /// From the first corner to the others, in m.
    edges: [Vec3; 2],
    /// The inverse of the products of the edges: `g₁₁`, `g₁₂`, `g₂₂`, in 1/m².
    metric: [f64; 3],
    /// In m².
    area: f64,
}

/// Pairs that begin with the same layer.
#[derive(Clone, Copy)]
struct Gap {
    /// How near their primitives must not come, in m.
    reach: f64,
    /// How near the nearest are at rest, in m.
    at_rest: f64,
}

impl Triangle {
    fn new(catalogue: &Catalogue, face: &SurfaceFace) -> Option<Self> {
        let [a, b, c] = face.vertices.map(|v| catalogue.contact().rest[v as usize]);
        let edges @ [e, f] = [b - a, c - a];
        let area_sq = e.dot(e) * f.dot(f) - e.dot(f) * e.dot(f);
        (area_sq > 0.0).then(|| Self {
            corners: face.vertices.map(|v| catalogue.name(v)),
            edges,
            metric: [f.dot(f), -e.dot(f), e.dot(e)].map(|x| x / area_sq),
            area: 0.5 * area_sq.sqrt(),
        })
    }

    /// Its edges now.
    #[inline]
    fn edges_at(&self, x: &[Vec3]) -> [Vec3; 2] {
        let [a, b, c] = self.corners.map(|v| x[v as usize]);
        [b - a, c - a]
    }

    /// Its deformation gradient times its area: what turns its normal turns with it.
    #[inline]
    fn add_gradient(&self, x: &[Vec3], to: &mut Mat3) {
        let ([e, f], [d, h], [g, m, l]) = (self.edges, self.edges_at(x), self.metric);
        let normal = e.cross(f) * (1.0 / (2.0 * self.area));
        let parts =
            [(d * self.area, e * g + f * m), (h * self.area, e * m + f * l), (d.cross(h) * 0.5, normal)];
        for (now, at_rest) in parts {
            to.columns[0] += now * at_rest.x;
            to.columns[1] += now * at_rest.y;
            to.columns[2] += now * at_rest.z;
        }
    }

    /// The square of the norm of its deformation gradient less an isometry.
    #[inline]
    fn strain_sq(&self, x: &[Vec3], isometry: &Mat3) -> f64 {
        let ([e, f], [d, h], [g, m, l]) = (self.edges, self.edges_at(x), self.metric);
        let (u, v) = (d - isometry.apply(e), h - isometry.apply(f));
        let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
        let half = 0.5 * (uu * g + 2.0 * uv * m + vv * l);
        let product = (uu * vv - uv * uv) * (g * l - m * m);
        half + (half * half - product).max(0.0).sqrt()
    }
}

impl Shape {
    /// By how much each triangle differs from an isometry common to all.
    fn strains(&self, x: &[Vec3]) -> Option<Vec<f64>> {
        let mut whole = Mat3 { columns: [Vec3::ZERO; 3] };
        let mut area = 0.0;
        // Any isometry will do: a good one is found from a few triangles.
        for triangle in self.triangles.iter().step_by(1 + self.triangles.len() / SAMPLE) {
            triangle.add_gradient(x, &mut whole);
            area += triangle.area;
        }
        whole.columns = whole.columns.map(|column| column * (1.0 / area));
        let isometry = whole.nearest_isometry()?;
        let size = self.vertices.iter().map(|v| x[*v as usize].max_abs()).fold(0.0, f64::max);
        let blur = BLUR * size * self.sharpest;
        Some(self.triangles.iter().map(|t| t.strain_sq(x, &isometry).sqrt() + blur).collect())
    }

    /// How far every vertex may move, in m, before parts can touch that no triangle between them is strained by more.
    fn room(&self, strain: f64) -> f64 {
        let room = |gap: &Gap| 0.5 * (INWARD * self.detour.nearest(gap.at_rest, strain) - gap.reach);
        self.gaps.iter().map(room).fold(f64::INFINITY, f64::min)
    }

    /// Makes skins narrower if that keeps the shape, and says which vertices are loose.
    fn keep(&self, x: &[Vec3], least: &[f64], skins: &mut [f64], is_loose: &mut [bool]) -> Kept {
        let Some(strains) = self.strains(x) else { return Kept::Lost };
        let most = strains.iter().copied().fold(0.0, f64::max);
        let own = || self.vertices.iter().map(|v| *v as usize);
        let room = self.room(most);
        if own().all(|v| least[v] <= room) {
            own().for_each(|v| skins[v] = skins[v].min(room));
            return Kept::Whole;
        }
        let narrow = NARROW * own().map(|v| least[v]).fold(f64::INFINITY, f64::min);
        let width = |v: usize| skins[v].min(narrow.max(least[v]));
        let widest = own().map(width).fold(0.0, f64::max);
        let reach = self.gaps.iter().map(|gap| gap.reach).fold(0.0, f64::max);
        let Some(far) = self.detour.farthest((reach + 2.0 * widest) / INWARD, most) else {
            return Kept::Lost;
        };
        for (triangle, strain) in self.triangles.iter().zip(&strains) {
            let corners = triangle.corners.map(|v| v as usize);
            if self.room(*strain) < narrow || corners.iter().any(|v| least[*v] > narrow) {
                for v in corners {
                    is_loose[v] = true;
                }
            }
        }
        let rings = (self.detour.way(far) / (INWARD * self.lowest)) as usize;
        (0..rings).for_each(|_| self.loosen_a_ring(is_loose));
        if 2 * own().filter(|v| is_loose[*v]).count() > self.vertices.len() {
            return Kept::Lost;
        }
        own().for_each(|v| skins[v] = skins[v].min(narrow.max(least[v])));
        Kept::Partly
    }

    /// Adds to what is loose all vertices of triangles that have a loose one.
    fn loosen_a_ring(&self, is_loose: &mut [bool]) {
        let is_beside = |t: &&Triangle| t.corners.iter().any(|v| is_loose[*v as usize]);
        let beside: Vec<u32> = self.triangles.iter().filter(is_beside).flat_map(|t| t.corners).collect();
        for v in beside {
            is_loose[v as usize] = true;
        }
    }
}

/// What is known of the pairs of one body before any are looked for.
pub(super) struct Known {
    /// What is left of each body's shape.
    pub kept: Vec<Kept>,
    /// Which vertices are loose.
    pub is_loose: Vec<bool>,
    /// The tight pairs of bodies that have kept some of it.
    pub tight: Vec<PairId>,
}

/// The shapes of all bodies that have one.
pub(super) struct Shapes(Vec<Option<Shape>>);

impl Shapes {
    /// Those of a catalogue, whose vertices have these least skins, in m.
    pub fn new(catalogue: &Catalogue, least_skin: &[f64]) -> Self {
        let contact = catalogue.contact();
        let mut shapes: Vec<Option<Shape>> =
            (0..contact.bodies as u32).map(|b| shape(catalogue, b)).collect();
        // No pair of these is nearer than the look reaches, but for those that it finds.
        let mut look = vec![0.0; catalogue.vertices()];
        for (body, shape) in (0..).zip(&mut shapes) {
            let Some(shape) = shape else { continue };
            let thickness = catalogue.all_layers()[contact.layers_between(body, body) as usize].thickness(1);
            let edges = shape.triangles.iter().flat_map(|t| t.edges).map(Vec3::length);
            let edge = edges.sum::<f64>() / (2 * shape.triangles.len()) as f64;
            let skin = 0.5 * (LOOK * edge - thickness).max(0.25 * edge);
            shape.vertices.iter().for_each(|v| look[*v as usize] = skin);
            shape.gaps.push(Gap { reach: thickness, at_rest: thickness + 2.0 * skin });
        }
        if shapes.iter().any(Option::is_some) {
            for found in search(catalogue, &side_by_side(catalogue), &look) {
                let [a, b] = found.pair.bodies;
                let Some(shape) = shapes[a as usize].as_mut().filter(|_| a == b) else { continue };
                let reach = catalogue.layers_of(&found.pair).thickness(found.pair.first_layer);
                let at_rest = found.distance;
                let skins = 2.0 * NARROW * least_skin[found.pair.vertices[0] as usize];
                if shape.detour.nearest(at_rest, TIGHT) < reach + skins {
                    shape.tight.push(found.pair.id);
                    continue;
                }
                match shape.gaps.iter_mut().find(|gap| gap.reach == reach) {
                    Some(gap) => gap.at_rest = gap.at_rest.min(at_rest),
                    None => shape.gaps.push(Gap { reach, at_rest }),
                }
            }
        }
        Self(shapes)
    }

    /// What is known of bodies as long as no vertex moves farther from `x` than its skin, which may be made narrower for
    /// that, but never narrower than `least`, in m.
    pub fn keep(&self, x: &[Vec3], least: &[f64], skins: &mut [f64]) -> Known {
        let mut known = Known { kept: Vec::new(), is_loose: vec![false; x.len()], tight: Vec::new() };
        for shape in &self.0 {
            let kept =
                shape.as_ref().map_or(Kept::Lost, |shape| shape.keep(x, least, skins, &mut known.is_loose));
            if let Some(shape) = shape.as_ref().filter(|_| kept != Kept::Lost) {
                known.tight.extend(&shape.tight);
            }
            known.kept.push(kept);
        }
        known
    }
}

/// The shape of a body, without gaps; `None` if it has no detour, hard radii, or parts beside its triangles.
fn shape(catalogue: &Catalogue, body: u32) -> Option<Shape> {
    let Contact { vertices, edges, faces, rest, .. } = catalogue.contact();
    let own: Vec<&SurfaceFace> = faces.iter().filter(|f| f.body == body).collect();
    let of_faces = {
        let mut all: Vec<u32> = own.iter().flat_map(|f| f.vertices).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let of_body = || vertices.iter().filter(|v| v.body == body);
    let has_radius = of_body().any(|v| v.radius > 0.0 || v.soft_radius > 0.0);
    let is_bare = edges.iter().any(|e| e.body == body && e.is_bare);
    if own.is_empty() || has_radius || is_bare || of_body().count() != of_faces.len() {
        return None;
    }
    let number = |v: u32| of_faces.partition_point(|w| *w < v) as u32;
    let at_rest: Vec<Vec3> = of_faces.iter().map(|v| rest[*v as usize]).collect();
    let corners: Vec<[u32; 3]> = own.iter().map(|f| f.vertices.map(number)).collect();
    let detour = Detour::of(&at_rest, &corners)?;
    let triangles: Vec<Triangle> =
        own.iter().map(|face| Triangle::new(catalogue, face)).collect::<Option<_>>()?;
    let sharpest = triangles.iter().map(|t| (t.metric[0] + t.metric[2]).sqrt()).fold(0.0, f64::max);
    let height = |t: &Triangle| {
        let [e, f] = t.edges;
        2.0 * t.area / e.length().max(f.length()).max((f - e).length())
    };
    let lowest = triangles.iter().map(height).fold(f64::INFINITY, f64::min);
    let vertices = of_faces.iter().map(|v| catalogue.name(*v)).collect();
    Some(Shape { triangles, vertices, detour, sharpest, lowest, gaps: Vec::new(), tight: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Thing, points, rod, scene};
    use carom_geometry::Mesh;
    use carom_geometry::shapes::{disc, grid, sphere};
    use proptest::prelude::*;

    fn thing(kind: usize, edge: f64) -> Thing {
        let mesh: Mesh = match kind {
            0 => grid(1.0, 0.8, edge).unwrap(),
            1 => disc(0.5, edge).unwrap(),
            _ => sphere(0.5, edge).unwrap(),
        };
        Thing { mesh, ..Thing::default() }
    }

    fn vector(most: f64) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-most..most).prop_map(Vec3::from)
    }

    /// Turned, stretched, bent along a wave, and dented.
    fn bent(rest: &[Vec3], axis: Vec3, stretch: Vec3, [wave, dent]: [Vec3; 2]) -> Vec<Vec3> {
        let turn = Mat3::rotation(axis, 3.0 * axis.length());
        let place = |x: &Vec3| {
            let ripple = Vec3::new(0.1, -0.1, 0.2) * (1.0 + 2.0 * x.dot(wave)).sin();
            let dent = dent * (-(*x - Vec3::X * 0.5).length_sq() / 0.02).exp();
            turn.apply(x.scaled_by(Vec3::splat(1.0) + stretch) + ripple + dent) + Vec3::new(3.0, -1.0, 2.0)
        };
        rest.iter().map(place).collect()
    }

    /// How many pairs are within their layers, and whether all of these are tight or loose.
    fn touches(catalogue: &Catalogue, x: &[Vec3], known: &Known) -> (usize, bool) {
        let (mut count, mut are_known) = (0, true);
        catalogue.for_each(|pair| {
            let at = pair.measure(&Catalogue::positions(&pair, |v| x[v as usize]));
            if at.distance < catalogue.layers_of(&pair).thickness(pair.first_layer) {
                let (first, second) = pair.stencil().split_at(pair.first_primitive());
                let is_loose = |part: &[u32]| part.iter().any(|v| known.is_loose[*v as usize]);
                count += 1;
                are_known &= known.tight.contains(&pair.id) || is_loose(first) && is_loose(second);
            }
        });
        (count, are_known)
    }

    fn moved(x: &[Vec3], skins: &[f64], ways: &[Vec3]) -> Vec<Vec3> {
        let way = |v: usize| ways[v % ways.len()];
        x.iter().enumerate().map(|(v, x)| *x + way(v) * (skins[v] / way(v).length())).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn what_has_kept_its_shape_touches_itself_only_where_it_is_loose(
            kind in 0..6_usize, thickness in 0.1..0.7f64, least in prop::sample::select(vec![0.0, 0.05]),
            axis in vector(1.0), stretch in vector(0.08), wave in vector(0.15), dent in vector(0.08),
            ways in prop::collection::vec(vector(1.0), 100),
        ) {
            let edge = if kind < 3 { 0.25 } else { 0.11 };
            let catalogue = Catalogue::with_own_numbers(&scene(&[thing(kind % 3, edge)], thickness * edge, 6).0);
            let x = bent(&catalogue.contact().rest, axis, stretch, [wave, dent]);
            let mut skins = vec![0.4 * edge; x.len()];
            let least = vec![least * edge; x.len()];
            let known = Shapes::new(&catalogue, &least).keep(&x, &least, &mut skins);
            prop_assume!(known.kept != [Kept::Lost]);
            prop_assert!(known.kept == [Kept::Partly] || !known.is_loose.contains(&true));
            let (count, are_known) = touches(&catalogue, &moved(&x, &skins, &ways), &known);
            prop_assert!(are_known, "{:?}: {count} pairs touch", known.kept);
        }
    }

    #[test]
    fn a_sheet_that_is_pinched_touches_itself_there_and_is_loose_around_it() {
        let catalogue = Catalogue::with_own_numbers(&scene(&[thing(0, 0.05)], 0.018, 6).0);
        let mut x = catalogue.contact().rest.clone();
        for x in &mut x {
            let away = *x - Vec3::new(0.25, 0.0, 0.0);
            *x -= away * (0.75 * (-away.length_sq() / 0.005).exp());
        }
        let least = vec![0.0005; x.len()];
        let known = Shapes::new(&catalogue, &least).keep(&x, &least, &mut vec![0.01; x.len()]);
        let (count, are_known) = touches(&catalogue, &x, &known);
        assert_eq!((known.kept[0], known.tight.is_empty(), are_known), (Kept::Partly, true, true));
        assert!(count > 0, "nothing touches");
    }

    #[test]
    fn a_body_that_moves_as_a_whole_keeps_its_shape_and_one_that_is_folded_does_not() {
        for kind in 0..3 {
            let (system, state) =
                scene(&[thing(kind, 0.25), points(&[Vec3::Z], 0.1), rod(3, 0.4, 0.0)], 0.05, 6);
            let catalogue = Catalogue::with_own_numbers(&system);
            let shapes = Shapes::new(&catalogue, &vec![0.0; state.len()]);
            let turn = Mat3::rotation(Vec3::new(0.3, 1.0, -0.2), 2.0);
            let keep = |x: &[Vec3], least: f64| {
                let mut skins = vec![1.0; x.len()];
                (shapes.keep(x, &vec![least; x.len()], &mut skins).kept, skins[0])
            };
            let moved: Vec<Vec3> =
                state.positions.iter().map(|x| turn.apply(*x) + Vec3::splat(5.0)).collect();
            let (kept, skin) = keep(&moved, 0.0);
            assert_eq!(kept, [Kept::Whole, Kept::Lost, Kept::Lost]);
            assert!(skin > 0.02 && skin < 0.1, "{skin}");
            assert_ne!(keep(&moved, 1.1 * skin).0[0], Kept::Whole);
            let folded: Vec<Vec3> = state.positions.iter().map(|x| Vec3::new(x.x.abs(), x.y, x.z)).collect();
            assert_eq!(keep(&folded, 0.0).0[0], Kept::Lost);
            assert_eq!(keep(&vec![Vec3::ZERO; moved.len()], 0.0).0[0], Kept::Lost);
        }
    }
}
