//! Primitives with their surroundings: what is constant, and the bounds of where a primitive may be while its skin lasts.

use core::ops::Range;

use carom_geometry::Bounds;
use carom_math::Vec3;
use carom_model::{Contact, SurfaceVertex};
use rayon::prelude::*;

use super::skin::half_thickness;
use crate::{PairRules, Sharing};

/// What is known of a primitive before anything moves.
pub(super) struct PrimitiveStatic {
    /// The numbers of its vertices in pairs; some may be the same.
    pub corners: [u32; 3],
    /// Whether a vertex of it can move freely.
    is_free: bool,
    /// Its radius and half of its thickest layer, in m.
    pub reach: f64,
}

impl PrimitiveStatic {
    fn new(rules: &PairRules, corners: [u32; 3], reach: f64) -> Self {
        let is_free = corners.iter().any(|v| rules.is_free(*v));
        Self { corners: corners.map(|v| rules.renumbered(v)), is_free, reach }
    }

    /// Whether the two can be a pair: they share no vertex, and one of them can move.
    #[inline]
    pub fn may_touch(&self, other: &Self) -> bool {
        let are_joined = self.corners.iter().any(|v| other.corners.contains(v));
        !are_joined && (self.is_free || other.is_free)
    }

    /// The bounds of where it may be, with vertex `v` at `x[v]` and free to move by `skin[v]`, in m.
    #[inline]
    fn at(&self, x: &[Vec3], skin: &[f64]) -> SweptBounds {
        let skin = self.corners.iter().map(|v| skin[*v as usize]).fold(0.0, f64::max);
        SweptBounds::new(self.corners.map(|v| x[v as usize]), skin + self.reach)
    }
}

/// The constants of every primitive.
pub(super) struct PrimitiveStatics {
    pub vertices: Vec<PrimitiveStatic>,
    pub edges: Vec<PrimitiveStatic>,
    pub faces: Vec<PrimitiveStatic>,
}

impl PrimitiveStatics {
    /// The constants of all primitives of the scene.
    pub fn new(rules: &PairRules) -> Self {
        let Contact { vertices, edges, faces, .. } = rules.contact();
        let half = half_thickness(rules);
        let of = |corners, body: u32, radius: f64| {
            PrimitiveStatic::new(rules, corners, radius + half[body as usize])
        };
        // A soft sphere may reach farther than the layers around its hard core.
        let wide = |v: &SurfaceVertex| v.radius.max(v.soft_radius - half[v.body as usize]);
        let edge = |[a, b]: [u32; 2]| [a, b, b];
        Self {
            vertices: vertices.iter().map(|v| of([v.vertex; 3], v.body, wide(v))).collect(),
            edges: edges.iter().map(|e| of(edge(e.vertices), e.body, e.radius)).collect(),
            faces: faces.iter().map(|f| of(f.vertices, f.body, 0.0)).collect(),
        }
    }
}

/// The bounds of every primitive.
pub(super) struct SweptBoundsOfAll {
    pub vertices: Vec<SweptBounds>,
    pub edges: Vec<SweptBounds>,
    pub faces: Vec<SweptBounds>,
}

impl SweptBoundsOfAll {
    /// Room for the bounds of all primitives.
    pub fn new(statics: &PrimitiveStatics) -> Self {
        let nowhere =
            |statics: &Vec<PrimitiveStatic>| vec![SweptBounds::new([Vec3::ZERO; 3], 0.0); statics.len()];
        Self {
            vertices: nowhere(&statics.vertices),
            edges: nowhere(&statics.edges),
            faces: nowhere(&statics.faces),
        }
    }

    /// Computes the bounds of the primitives of one body.
    pub fn fill(
        &mut self,
        statics: &PrimitiveStatics,
        [vertices, edges, faces]: &[Range<u32>; 3],
        (x, skin): (&[Vec3], &[f64]),
        sharing: Sharing,
    ) {
        let fill = |range: &Range<u32>, statics: &[PrimitiveStatic], swept: &mut [SweptBounds]| {
            let own = range.start as usize..range.end as usize;
            let (statics, swept) = (&statics[own.clone()], &mut swept[own]);
            if sharing.is_shared {
                let places = swept.par_iter_mut().zip(statics).with_min_len(sharing.primitives);
                places.for_each(|(swept, primitive)| *swept = primitive.at(x, skin));
            } else {
                swept.iter_mut().zip(statics).for_each(|(swept, primitive)| *swept = primitive.at(x, skin));
            }
        };
        fill(vertices, &statics.vertices, &mut self.vertices);
        fill(edges, &statics.edges, &mut self.edges);
        fill(faces, &statics.faces, &mut self.faces);
    }
}

/// The bounds of where a primitive and its surroundings may be while its skin lasts.
#[derive(Clone)]
pub(super) struct SweptBounds {
    /// A box around all of it.
    pub bounds: Bounds,
    /// The centre of the primitive, in m.
    pub centre: Vec3,
    /// Its corners, from the centre; some may be the same.
    corners: [Vec3; 3],
    /// Skin, radius and half of the thickest layer, in m, with room for rounding.
    margin: f64,
}

impl SweptBounds {
    fn new(corners: [Vec3; 3], margin: f64) -> Self {
        let Bounds { min, max } = Bounds::of(&corners);
        let centre = (min + max) * 0.5;
        let size = |x: Vec3| x.x.abs() + x.y.abs() + x.z.abs();
        let largest = corners.into_iter().map(size).fold(0.0, f64::max);
        let margin = margin * (1.0 + 1e-9) + 64.0 * f64::EPSILON * largest;
        let bounds = Bounds { min: min - Vec3::splat(margin), max: max + Vec3::splat(margin) };
        let [a, b, c] = corners;
        Self { bounds, centre, corners: [a - centre, b - centre, c - centre], margin }
    }

    /// Whether the surroundings of two primitives are certainly apart by more than `parting`, in m, seen along the line between their centres.
    #[inline]
    pub fn is_apart_from(&self, other: &Self, parting: f64) -> bool {
        let across = other.centre - self.centre;
        let farthest = |swept: &Self, along: Vec3| {
            let [a, b, c] = &swept.corners;
            a.dot(along).max(b.dot(along)).max(c.dot(along))
        };
        let gap = across.dot(across) - farthest(self, across) - farthest(other, -across);
        let margins = self.margin + other.margin + parting;
        gap > 0.0 && gap * gap > margins * margins * across.dot(across)
    }
}
