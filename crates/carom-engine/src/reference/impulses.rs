//! The impulses of one stage of an instant, summed vertex by vertex.
//!
//! A sum starts at +0.0 and grows in the order of ids. A vertex is kicked if some impulse on it was other than zero, even if the sum is.
//! Driven loads have no energy: what they give is kept beside the sum, because their work goes on the external ledger.

use carom_math::Vec3;

/// The sums of all vertices.
pub(super) struct Impulses {
    sums: Vec<Vec3>,
    is_touched: Vec<bool>,
    /// What driven loads gave to each vertex at this instant, in N·s.
    pub driven: Vec<Vec3>,
}

impl Impulses {
    pub fn new(vertices: usize) -> Self {
        Self {
            sums: vec![Vec3::ZERO; vertices],
            is_touched: vec![false; vertices],
            driven: vec![Vec3::ZERO; vertices],
        }
    }

    /// Adds an impulse on a vertex, in N·s.
    pub fn add(&mut self, v: u32, impulse: Vec3) {
        self.sums[v as usize] += impulse;
        self.is_touched[v as usize] |= !impulse.is_zero();
    }

    /// The sum of a vertex so far, in N·s.
    pub fn sum(&self, v: usize) -> Vec3 {
        self.sums[v]
    }

    /// Takes the sum of a vertex out; `None` if it is not to be kicked.
    pub fn take(&mut self, v: usize) -> Option<Vec3> {
        let sum = core::mem::take(&mut self.sums[v]);
        core::mem::take(&mut self.is_touched[v]).then_some(sum)
    }

    /// Forgets what driven loads gave.
    pub fn end_instant(&mut self) {
        self.driven.fill(Vec3::ZERO);
    }
}
