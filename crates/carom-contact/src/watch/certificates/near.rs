//! What is kept of a near pair.

use carom_model::{PairId, PairKind};
use carom_time::Tick;

use crate::pair::vertices_of;
use crate::{Pair, PairRules};

/// A near pair without what all have in common: all that firing needs, in one cache line.
#[repr(align(64))]
pub(super) struct Candidate {
    kind: PairKind,
    first_layer: u8,
    /// The first layer that sleeps.
    first_certified_layer: u8,
    primitives: [u32; 2],
    vertices: [u32; 4],
    bodies: [u32; 2],
    layers: u32,
    radius: f64,
    weight: f64,
    fade: f64,
}

/// What is known of its motion.
pub(super) struct Certificate {
    pub measured_at: Tick,
    /// Where the contribution of each vertex is.
    pub slots: [u32; 4],
}

const _: () = assert!(size_of::<Candidate>() == 64, "a near pair fills a cache line");

impl Candidate {
    /// A pair all of whose layers sleep.
    pub fn asleep(pair: &Pair) -> Self {
        let &Pair { id, vertices, bodies, layers, first_layer, radius, weight, fade, period: _ } = pair;
        let primitives = [id.a, id.b];
        let first_layer = number(first_layer);
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

    /// The pair.
    #[inline(always)]
    pub fn pair(&self, rules: &PairRules) -> Pair {
        let &Self { vertices, bodies, layers, first_layer, radius, weight, fade, .. } = self;
        let (id, first_layer, period) = (self.id(), u32::from(first_layer), rules.contact().period);
        Pair { id, vertices, bodies, layers, first_layer, radius, weight, fade, period }
    }

    /// Its identity.
    #[inline(always)]
    pub fn id(&self) -> PairId {
        let [a, b] = self.primitives;
        PairId { kind: self.kind, a, b }
    }

    /// Its kind.
    #[inline(always)]
    pub fn kind(&self) -> PairKind {
        self.kind
    }

    /// Room for four vertices: its own come first.
    #[inline(always)]
    pub fn vertices(&self) -> &[u32; 4] {
        &self.vertices
    }

    /// Its vertices.
    #[inline(always)]
    pub fn stencil(&self) -> &[u32] {
        &self.vertices[..vertices_of(self.kind)]
    }

    /// The first layer that sleeps.
    #[inline(always)]
    pub fn first_certified_layer(&self) -> u32 {
        u32::from(self.first_certified_layer)
    }

    /// Lets its layers sleep from this one on.
    #[inline(always)]
    pub fn certify_from(&mut self, layer: u32) {
        self.first_certified_layer = number(layer);
    }
}

/// A layer in eight bits: those that fire are in 64, so that none is beyond.
#[inline(always)]
fn number(layer: u32) -> u8 {
    u8::try_from(layer).expect("there are at most 64 layers")
}
