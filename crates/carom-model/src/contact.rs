//! What may touch, and how it pushes back: plain data.
//!
//! A [`Contact`] lists the primitives of the whole scene (vertices, edges, faces), their radii and their
//! shares of the surface, and for every two bodies the layers between them. Every two primitives
//! without a common vertex are a pair, and every pair is a potential: it belongs to the system like any other.
//!
//! **Never here:** distances, forces, the search for near pairs.

use carom_math::Vec3;
use carom_time::Span;

use crate::{Body, Law};

/// The shape of the layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerFamily {
    /// Quadratic layers that all stay active: the paper's.
    Acm,
    /// Quartic layers that all stay active.
    Nested,
    /// Smooth layers that let go again: at most six push at once.
    #[default]
    Window,
    /// One soft layer, the law of Hertz between two spheres: it does not grow without bound, and stands beside others that do.
    Hertz,
}

/// The layers between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerSpec {
    /// The shape.
    pub family: LayerFamily,
    /// Thickness `η₁` of the first layer, in m.
    pub thickness: f64,
    /// Stiffness `r₁` of the first layer, in N/m for each m² of a pair's weight (`acm`: in N/m, pairs are unweighted;
    /// `hertz`: the modulus `E*`, in Pa).
    pub stiffness: f64,
    /// Step `h₁` of the first layer.
    pub span: Span,
    /// Whether deeper layers have the step of the first: the price of not being asynchronous.
    pub one_clock: bool,
    /// What acts beside the normal force.
    pub law: Law,
    /// The slowest clock of all that acts on either body, no shorter than `span`: within it, normal impulses pay for friction.
    pub friction_window: Span,
}

/// A vertex of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceVertex {
    /// Its number in the system.
    pub vertex: u32,
    /// The body it belongs to.
    pub body: u32,
    /// Hard radius, in m: distances count from there.
    pub radius: f64,
    /// Its share of the surface at rest, in m².
    pub area: f64,
    /// Whether the vertex stands alone, with no edge or face.
    pub is_point: bool,
    /// Radius of the soft sphere around it, in m; 0 without one.
    pub soft_radius: f64,
    /// The vertex of the system that is its spin, if it has one.
    pub spin: Option<u32>,
}

/// An edge of the surface, of a face or of a rod.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceEdge {
    /// Its ends in the system.
    pub vertices: [u32; 2],
    /// The body it belongs to.
    pub body: u32,
    /// Hard radius, in m.
    pub radius: f64,
    /// Length at rest, in m.
    pub length: f64,
    /// Its share of the surface at rest, in m².
    pub area: f64,
    /// Whether the edge has no face: an edge of a rod.
    pub is_bare: bool,
}

/// A triangle of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceFace {
    /// Its corners in the system.
    pub vertices: [u32; 3],
    /// The body it belongs to.
    pub body: u32,
    /// Area at rest, in m².
    pub area: f64,
    /// Perimeter at rest, in m.
    pub perimeter: f64,
}

/// Everything that may touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// The vertices, by their numbers in the system. Like edges and faces, in the order of bodies.
    pub vertices: Vec<SurfaceVertex>,
    /// The edges, each once.
    pub edges: Vec<SurfaceEdge>,
    /// The triangles.
    pub faces: Vec<SurfaceFace>,
    /// Where each vertex of the system is at rest, in m: pairs of one body that are near there drop outer layers.
    pub rest: Vec<Vec3>,
    /// The distinct layers.
    pub layers: Vec<LayerSpec>,
    /// For bodies `a` and `b`, at `a·bodies + b`: which of the layers act between them.
    pub between: Vec<u32>,
    /// For bodies `a` and `b`, at `a·bodies + b`: which of the layers act between their soft spheres, if any do.
    pub soft_between: Vec<Option<u32>>,
    /// Whether a body is made of grains: they have no rest shape, and none of their pairs drops a layer.
    pub is_granular: Vec<bool>,
    /// Lengths of the periodic box along x, y and z, in m; 0 along an axis that is not periodic.
    pub period: Vec3,
    /// How many bodies.
    pub bodies: usize,
    /// The deepest layer that may push; deeper is a [`Fault`](crate::Fault).
    pub max_layers: u32,
}

impl Contact {
    /// Which of the layers act between two bodies.
    #[inline]
    #[must_use]
    pub fn layers_between(&self, a: u32, b: u32) -> u32 {
        self.between[a as usize * self.bodies + b as usize]
    }

    /// A copy of the contact with other laws: `law` gets two bodies, the smaller number first.
    #[must_use]
    pub fn with_laws(self, law: impl Fn(u32, u32) -> Law) -> Self {
        self.with_layers(|[a, b], spec| LayerSpec { law: law(a, b), ..*spec })
    }

    /// A copy of the contact with other layers: `choose` gets two bodies, the smaller number first, and the layers that act between them.
    #[must_use]
    pub fn with_layers(self, mut choose: impl FnMut([u32; 2], &LayerSpec) -> LayerSpec) -> Self {
        let mut layers: Vec<LayerSpec> = Vec::new();
        let mut chosen = |bodies: usize, before: u32| {
            let (a, b) = ((bodies / self.bodies) as u32, (bodies % self.bodies) as u32);
            let spec = choose([a.min(b), a.max(b)], &self.layers[before as usize]);
            layers.iter().position(|l| *l == spec).unwrap_or_else(|| {
                layers.push(spec);
                layers.len() - 1
            }) as u32
        };
        let between = self.between.iter().enumerate().map(|(i, l)| chosen(i, *l)).collect();
        let soft = self.soft_between.iter().enumerate().map(|(i, l)| l.map(|l| chosen(i, l)));
        let soft_between = soft.collect();
        Self { layers, between, soft_between, ..self }
    }

    /// Which of the layers act between the soft spheres of two bodies, if any do.
    #[inline]
    #[must_use]
    pub fn soft_layers_between(&self, a: u32, b: u32) -> Option<u32> {
        self.soft_between[a as usize * self.bodies + b as usize]
    }

    /// Both primitives of a pair, as a person would call them; `bodies` are those of the system.
    #[must_use]
    pub fn in_words(&self, pair: PairId, bodies: &[Body]) -> [String; 2] {
        let (a, b) = (pair.a as usize, pair.b as usize);
        match pair.kind {
            PairKind::VertexFace => [self.vertex_in_words(a, bodies), self.face_in_words(b, bodies)],
            PairKind::EdgeEdge => [self.edge_in_words(a, bodies), self.edge_in_words(b, bodies)],
            PairKind::VertexEdge => [self.vertex_in_words(a, bodies), self.edge_in_words(b, bodies)],
            PairKind::VertexVertex | PairKind::Soft => {
                [self.vertex_in_words(a, bodies), self.vertex_in_words(b, bodies)]
            }
        }
    }

    fn vertex_in_words(&self, number: usize, bodies: &[Body]) -> String {
        let SurfaceVertex { vertex, body, .. } = self.vertices[number];
        let body = &bodies[body as usize];
        format!("vertex {} of body {}", vertex - body.vertices.start, body.name)
    }

    /// Edge number `number`, by its ends in its body.
    #[must_use]
    pub fn edge_in_words(&self, number: usize, bodies: &[Body]) -> String {
        let SurfaceEdge { vertices, body, .. } = self.edges[number];
        let body = &bodies[body as usize];
        let [from, to] = vertices.map(|v| v - body.vertices.start);
        format!("the edge from vertex {from} to {to} of body {}", body.name)
    }

    /// Triangle number `number`, counted from the first of its body.
    #[must_use]
    pub fn face_in_words(&self, number: usize, bodies: &[Body]) -> String {
        let body = self.faces[number].body;
        let first = self.faces.iter().position(|face| face.body == body).unwrap_or(0);
        format!("triangle {} of body {}", number - first, bodies[body as usize].name)
    }
}

/// The kind of a pair of primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PairKind {
    /// A vertex and a triangle.
    VertexFace,
    /// Two edges.
    EdgeEdge,
    /// A vertex and the edge of a rod.
    VertexEdge,
    /// Two points.
    VertexVertex,
    /// The soft spheres around two points.
    Soft,
}

/// The identity of a pair: its kind and the numbers of its primitives in the lists of [`Contact`].
///
/// Impulses of pairs are summed in this order, after those of all families.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairId {
    /// The kind.
    pub kind: PairKind,
    /// The first primitive; in pairs of a kind with itself, the smaller number.
    pub a: u32,
    /// The second.
    pub b: u32,
}

impl core::fmt::Display for PairId {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let [first, second] = match self.kind {
            PairKind::VertexFace => ["vertex", "triangle"],
            PairKind::EdgeEdge => ["edge", "edge"],
            PairKind::VertexEdge => ["vertex", "edge"],
            PairKind::VertexVertex => ["vertex", "vertex"],
            PairKind::Soft => ["soft sphere", "soft sphere"],
        };
        write!(f, "{first} {} and {second} {}", self.a, self.b)
    }
}
