//! The table of candidates: pairs that the broad phase found, in the order of ids.

use carom_math::prefetch;
use carom_model::{PairId, PairKind};

use crate::pairs::vertices_of;
use crate::{Pair, PairRules};

/// Candidates in the order of ids, by their index, with the layers of each that are certified.
///
/// One row fills a cache line: evaluating a pair reads all of it, at indices that are rarely next to each other.
#[derive(Default)]
pub(crate) struct Candidates {
    rows: Vec<Candidate>,
}

/// A candidate without what all have in common.
#[repr(align(64))]
pub(crate) struct Candidate {
    kind: PairKind,
    first_layer: u8,
    first_certified_layer: u8,
    primitives: [u32; 2],
    vertices: [u32; 4],
    bodies: [u32; 2],
    layers: u32,
    radius: f64,
    weight: f64,
    fade: f64,
}

const _: () = assert!(size_of::<Candidate>() == 64, "a candidate fills a cache line");

impl Candidates {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Replaces all candidates, in the order of ids; all layers of each are certified. Keeps the memory.
    pub fn replace<'a>(&mut self, pairs: impl Iterator<Item = &'a Pair>) {
        self.rows.clear();
        self.rows.extend(pairs.map(Candidate::certified));
    }

    /// The candidate with this index.
    #[inline(always)]
    pub fn row(&self, index: u32) -> &Candidate {
        &self.rows[index as usize]
    }

    /// The candidate with this index, to change its certified layers.
    #[inline(always)]
    pub(super) fn row_mut(&mut self, index: u32) -> &mut Candidate {
        &mut self.rows[index as usize]
    }

    /// All candidates, in the order of ids.
    pub fn rows(&self) -> &[Candidate] {
        &self.rows
    }

    /// Asks the memory for a candidate that will be needed soon.
    #[inline(always)]
    pub fn prefetch(&self, index: u32) {
        prefetch(&self.rows, index as usize);
    }
}

impl Candidate {
    /// A pair all of whose layers are certified.
    fn certified(pair: &Pair) -> Self {
        let &Pair { id, vertices, bodies, layers, first_layer, radius, weight, fade, period: _ } = pair;
        let primitives = [id.a, id.b];
        let first_layer = in_eight_bits(first_layer);
        let first_certified_layer = first_layer;
        Self {
            kind: id.kind,
            first_layer,
            first_certified_layer,
            primitives,
            vertices,
            bodies,
            layers,
            radius,
            weight,
            fade,
        }
    }

    /// The pair, with what all have in common.
    #[inline(always)]
    pub fn pair(&self, rules: &PairRules) -> Pair {
        let &Self { vertices, bodies, layers, first_layer, radius, weight, fade, .. } = self;
        let (id, first_layer, period) = (self.id(), u32::from(first_layer), rules.contact().period);
        Pair { id, vertices, bodies, layers, first_layer, radius, weight, fade, period }
    }

    /// The id of the pair.
    #[inline(always)]
    pub fn id(&self) -> PairId {
        let [a, b] = self.primitives;
        PairId { kind: self.kind, a, b }
    }

    /// The kind of the pair.
    #[inline(always)]
    pub fn kind(&self) -> PairKind {
        self.kind
    }

    /// Room for four vertices: those of the pair come first.
    #[inline(always)]
    pub fn vertices(&self) -> &[u32; 4] {
        &self.vertices
    }

    /// The vertices of the pair.
    #[inline(always)]
    pub fn stencil(&self) -> &[u32] {
        &self.vertices[..vertices_of(self.kind)]
    }

    /// Sum of the hard radii, in m.
    #[inline(always)]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The area it stands for, in m².
    #[inline(always)]
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// `1/sin²θ₀` for edges; 0 without a fade.
    #[inline(always)]
    pub fn fade(&self) -> f64 {
        self.fade
    }

    /// The bodies of its primitives.
    #[inline(always)]
    pub fn bodies(&self) -> [u32; 2] {
        self.bodies
    }

    /// Which of the scene's layers act in the pair, and the first layer of these that does.
    #[inline(always)]
    pub fn layers(&self) -> (usize, u32) {
        (self.layers as usize, u32::from(self.first_layer))
    }

    /// The first layer that the pair certainly does not enter; those before it are active.
    #[inline(always)]
    pub fn first_certified_layer(&self) -> u32 {
        u32::from(self.first_certified_layer)
    }

    /// Certifies the layers from `layer` on, and no others.
    #[inline(always)]
    pub(super) fn certify_from(&mut self, layer: u32) {
        self.first_certified_layer = in_eight_bits(layer);
    }
}

/// The number of a layer in eight bits: those that fire are in 64, so that none is beyond.
#[inline(always)]
fn in_eight_bits(layer: u32) -> u8 {
    u8::try_from(layer).expect("there are at most 64 layers")
}
