//! What a potential belongs to: a part of a body.

/// Which part of a body a potential belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A vertex of the body's mesh.
    Vertex(u32),
    /// An edge, a hinge or a spring.
    Edge(u32),
    /// A triangle.
    Face(u32),
    /// A tetrahedron.
    Cell(u32),
    /// A pair of vertices, or a user's stencil.
    Other(u32),
}

impl core::fmt::Display for Part {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Vertex(i) => write!(f, "vertex {i}"),
            Self::Edge(i) => write!(f, "edge {i}"),
            Self::Face(i) => write!(f, "triangle {i}"),
            Self::Cell(i) => write!(f, "tetrahedron {i}"),
            Self::Other(i) => write!(f, "potential {i}"),
        }
    }
}

/// The body and the part of it that a potential belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner {
    /// Index into the system's bodies.
    pub body: u32,
    /// Which part of the body.
    pub part: Part,
}
