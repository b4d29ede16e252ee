//! The vertices that an instant visits.

/// The vertices that an instant visits: with dyadic clocks the first ones of the engine's numbering, and others one by one.
#[derive(Default)]
pub struct InstantVertices {
    /// All vertices below this number.
    pub leading: usize,
    /// Further vertices, each once: those of pairs that fired, of keyframes, and of clocks that are not dyadic.
    pub listed: Vec<u32>,
}

impl InstantVertices {
    /// The numbers of all vertices, each once.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.leading).chain(self.listed.iter().map(|&v| v as usize))
    }
}
