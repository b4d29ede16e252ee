//! All potentials of one kind.
//!
//! The engine sees physics only through [`Family`], which is five traits, each one concern:
//!
//! | trait | answers |
//! | --- | --- |
//! | [`Stencils`] | which potentials there are, which vertices they read, what they belong to |
//! | [`Potentials`] | energies, gradients, tangents, and what potentials remember |
//! | [`Damping`] | the force with which they resist motion |
//! | [`StepLimits`] | how long their steps may be |
//! | [`Packing`] | a packed form that evaluates many of them side by side |
//!
//! The plain and the packed form run the same kernel and give the same bits.

use std::sync::Arc;

use carom_math::Vec3;

use crate::{Batch, DampedBatch, Owner, Share};

/// How many tangents [`Potentials::tangents`] propagates at once.
pub const TANGENTS: usize = 6;

/// What holds for every potential of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a property of its own; all combinations mean something"
)]
pub struct FamilyProperties {
    /// The name of the kind, in scenes, files and messages.
    pub kind: &'static str,
    /// Where the kind comes in the sums of an instant: families are ordered by this number, and each kind has its own.
    pub order: u32,
    /// Whether the impulses of each potential cancel, as those of a field do not.
    pub is_internal: bool,
    /// Whether the family acts by time or along surfaces that turn: it has no energy, and its work goes on the external ledger.
    pub is_driven: bool,
    /// Whether a gradient counts as a force evaluation.
    pub counts_as_evaluation: bool,
    /// Whether potentials pass angular momentum between angles and places.
    pub has_angular_dofs: bool,
    /// How many of the vertices of each stencil, the last ones, are memory that belongs to that potential alone.
    pub memory_vertices: usize,
}

impl FamilyProperties {
    /// A family of internal potentials that depend on positions alone, count as evaluations and remember nothing.
    #[must_use]
    pub const fn internal(kind: &'static str, order: u32) -> Self {
        Self {
            kind,
            order,
            is_internal: true,
            is_driven: false,
            counts_as_evaluation: true,
            has_angular_dofs: false,
            memory_vertices: 0,
        }
    }
}

/// Data: the potentials of one kind, numbered in the order of their bodies and parts.
pub trait Stencils: Send + Sync {
    /// What holds for every potential of the family.
    fn properties(&self) -> FamilyProperties;

    /// The name of the kind.
    fn kind(&self) -> &'static str {
        self.properties().kind
    }

    /// How many potentials there are.
    fn len(&self) -> usize;

    /// Whether there are no potentials.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The vertices that potential `element` reads.
    fn stencil(&self, element: usize) -> &[u32];

    /// The body and the part of it that potential `element` belongs to.
    fn owner(&self, element: usize) -> Owner;

    /// Area, length or volume of potential `element`, in m², m or m³ (1 where there is none).
    fn extent(&self, element: usize) -> f64 {
        let _ = element;
        1.0
    }
}

/// Physics: energies and their derivatives.
pub trait Potentials: Stencils {
    /// Energy of potential `element`, in J, with its vertices at `x`.
    fn energy(&self, element: usize, x: &[Vec3]) -> f64;

    /// Gradient of potential `element`, in N, written to `out`, with its vertices at `x`.
    fn gradient(&self, element: usize, x: &[Vec3], out: &mut [Vec3]);

    /// Gradient of potential `element` at a time: the same at any, unless the family is driven.
    fn gradient_at(&self, element: usize, time_s: f64, x: &[Vec3], out: &mut [Vec3]) {
        let _ = time_s;
        self.gradient(element, x, out);
    }

    /// The family with its forces as they are at a time, constant from then on; `None` if they do not depend on time.
    fn frozen_at(&self, time_s: f64) -> Option<Arc<dyn Family>> {
        let _ = time_s;
        None
    }

    /// Derivatives of the gradient in [`TANGENTS`] directions at once: `out[vertex][k]` for the
    /// displacements `dx[vertex][k]`. Exact, by dual numbers. `None` where a user's closure has none.
    fn tangents(
        &self,
        element: usize,
        x: &[Vec3],
        dx: &[[Vec3; TANGENTS]],
        out: &mut [[Vec3; TANGENTS]],
    ) -> Option<()>;

    /// What potential `element` remembers after it has fired with its vertices at `x`: one vector for each vertex of memory.
    fn remember(&self, element: usize, x: &[Vec3], out: &mut [Vec3]) {
        let _ = (element, x, out);
    }

    /// The angular impulse on places that answers the impulses on angles among `impulses`, in N·m·s.
    fn reaction_torque(&self, element: usize, x: &[Vec3], impulses: &[Vec3]) -> Vec3 {
        let _ = (element, x, impulses);
        Vec3::ZERO
    }
}

/// Physics: resistance to motion. A family that is not damped has nothing to write here.
pub trait Damping: Stencils {
    /// How long the strain of potential `element` would take to relax if nothing else acted, in s: stiffness times this is its viscosity.
    fn damping_s(&self, element: usize) -> f64 {
        let _ = element;
        0.0
    }

    /// The force with which potential `element` resists motion, in N, written to `out`, with its vertices at `x` moving at `v`.
    fn resistance(&self, element: usize, x: &[Vec3], v: &[Vec3], out: &mut [Vec3]) {
        let _ = (element, x, v);
        out.fill(Vec3::ZERO);
    }
}

/// Schedule: how long the steps of potentials may be.
pub trait StepLimits: Stencils {
    /// Longest stable step of potential `element` for these shares of mass, in s; infinite if nothing limits it.
    fn stable_step(&self, element: usize, x: &[Vec3], masses: &[f64]) -> f64;

    /// The step the user gave potential `element`, in s, taken as it is; `None` if it is to be proposed.
    fn given_step_s(&self, element: usize) -> Option<f64> {
        let _ = element;
        None
    }
}

/// Execution: the packed forms of potentials.
pub trait Packing: Stencils {
    /// The potentials `elements`, in this order, packed for side-by-side evaluation;
    /// vertex `v` is called `renumbered[v]` there.
    fn batch(&self, elements: &[u32], renumbered: &[u32]) -> Box<dyn Batch>;

    /// The potentials `elements` packed as work for one of several threads; `None` where the order of potentials matters beyond the sums of
    /// vertices: these write to the external ledger, or remember.
    fn share(&self, elements: &[u32], renumbered: &[u32]) -> Option<Box<dyn Share>> {
        let _ = (elements, renumbered);
        None
    }

    /// The damped ones among the potentials `elements`, in this order, packed as [`Packing::batch`] packs them; `None` where nothing of the family can be damped.
    fn damped_batch(&self, elements: &[u32], renumbered: &[u32]) -> Option<Box<dyn DampedBatch>> {
        let _ = (elements, renumbered);
        None
    }
}

/// All potentials of one kind, as the engine sees them: every type with the five traits is one.
pub trait Family: Potentials + Damping + StepLimits + Packing {}

impl<T: Potentials + Damping + StepLimits + Packing> Family for T {}
