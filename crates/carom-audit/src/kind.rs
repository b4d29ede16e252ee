//! Which primitives make a pair.

/// Which two primitives, the first before the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A vertex and a face.
    VertexFace,
    /// Two edges.
    EdgeEdge,
    /// A vertex and an edge.
    VertexEdge,
    /// Two vertices.
    VertexVertex,
}

impl Kind {
    /// Number of vertices of both primitives together.
    #[must_use]
    pub const fn vertices(self) -> usize {
        match self {
            Self::VertexFace | Self::EdgeEdge => 4,
            Self::VertexEdge => 3,
            Self::VertexVertex => 2,
        }
    }

    /// Number of vertices of the first primitive.
    pub(crate) const fn first_has(self) -> usize {
        match self {
            Self::EdgeEdge => 2,
            Self::VertexFace | Self::VertexEdge | Self::VertexVertex => 1,
        }
    }

    /// Name for output: `vertex–face`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::VertexFace => "vertex–face",
            Self::EdgeEdge => "edge–edge",
            Self::VertexEdge => "vertex–edge",
            Self::VertexVertex => "vertex–vertex",
        }
    }
}
