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
    /// How many vertices both have together.
    #[must_use]
    pub const fn vertices(self) -> usize {
        match self {
            Self::VertexFace | Self::EdgeEdge => 4,
            Self::VertexEdge => 3,
            Self::VertexVertex => 2,
        }
    }

    /// How many of them are the first one's.
    pub(crate) const fn first_has(self) -> usize {
        match self {
            Self::EdgeEdge => 2,
            Self::VertexFace | Self::VertexEdge | Self::VertexVertex => 1,
        }
    }

    /// For people: `vertex–face`.
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
