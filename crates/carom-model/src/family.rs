//! All potentials of one kind.
//!
//! The engine sees physics only through [`Family`]: stencils, energies, gradients, tangents, and
//! a packed form ([`Batch`]) that evaluates many elements side by side. Both forms run the same
//! kernel and give the same bits.

use std::sync::Arc;

use carom_math::{F64x4, ImpulseAccumulator, Vec3, Vec3Sum, prefetch};

use crate::ExternalLedger;

/// How many tangents [`Family::tangents`] propagates at once.
pub const TANGENTS: usize = 6;

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

/// All potentials of one kind, numbered in the order of their bodies and parts.
pub trait Family: Send + Sync {
    /// The name of the kind.
    fn kind(&self) -> &'static str;

    /// Where the kind comes in the sums of an instant: families are ordered by this number, and each kind has its own.
    fn order(&self) -> u32;

    /// How many potentials there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The vertices that potential `element` reads.
    fn stencil(&self, element: usize) -> &[u32];

    /// What potential `element` belongs to.
    fn owner(&self, element: usize) -> Owner;

    /// Area, length or volume of potential `element`, in m², m or m³ (1 where there is none).
    fn extent(&self, element: usize) -> f64;

    /// Whether the impulses of each potential cancel, as those of a field do not.
    fn is_internal(&self) -> bool;

    /// Whether a gradient counts as a force evaluation.
    fn counts(&self) -> bool;

    /// Energy of potential `element`, in J, with its vertices at `x`.
    fn energy(&self, element: usize, x: &[Vec3]) -> f64;

    /// Gradient of potential `element`, in N, written to `out`, with its vertices at `x`.
    fn gradient(&self, element: usize, x: &[Vec3], out: &mut [Vec3]);

    /// How many of the vertices of each stencil, the last ones, are memory that belongs to that potential alone.
    fn memory(&self) -> usize {
        0
    }

    /// What potential `element` remembers after it has fired with its vertices at `x`: one vector for each vertex of memory.
    fn remember(&self, element: usize, x: &[Vec3], out: &mut [Vec3]) {
        let _ = (element, x, out);
    }

    /// Whether potentials pass angular momentum between angles and places.
    fn has_angular_dofs(&self) -> bool {
        false
    }

    /// The angular impulse on places that answers the impulses on angles among `impulses`, in N·m·s.
    fn reaction_torque(&self, element: usize, x: &[Vec3], impulses: &[Vec3]) -> Vec3 {
        let _ = (element, x, impulses);
        Vec3::ZERO
    }

    /// Whether it acts by time or along surfaces that turn: it has no energy, and its work goes on the books.
    fn is_driven(&self) -> bool {
        false
    }

    /// Gradient of potential `element` at a time: the same at any, unless it is driven.
    fn gradient_at(&self, element: usize, time_s: f64, x: &[Vec3], out: &mut [Vec3]) {
        let _ = time_s;
        self.gradient(element, x, out);
    }

    /// The same family, for ever as it is at a time; `None` if it is always so.
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

    /// Longest stable step of potential `element` for these shares of mass, in s; infinite if nothing limits it.
    fn stable_step(&self, element: usize, x: &[Vec3], masses: &[f64]) -> f64;

    /// The step the user gave potential `element`, in s, taken as it is; `None` if it is to be proposed.
    fn given_step_s(&self, element: usize) -> Option<f64> {
        let _ = element;
        None
    }

    /// The potentials `elements`, in this order, packed for side-by-side evaluation;
    /// vertex `v` is called `renumbered[v]` there.
    fn batch(&self, elements: &[u32], renumbered: &[u32]) -> Box<dyn Batch>;

    /// The same as work for one of several threads; `None` where the order of potentials matters beyond the sums of vertices: these
    /// keep books, or remember.
    fn share(&self, elements: &[u32], renumbered: &[u32]) -> Option<Box<dyn Share>> {
        let _ = (elements, renumbered);
        None
    }
}

/// Potentials of which one thread keeps the impulses on some vertices.
pub trait Share: Send + Sync {
    /// As [`Batch::kick`], for the vertices from `first` on that `accumulators` has room for; impulses on others are dropped.
    fn kick_some(&self, h: f64, x: &[F64x4], first: u32, accumulators: &mut [ImpulseAccumulator]);
}

/// Potentials that fire together, packed.
pub trait Batch: Send + Sync {
    /// Adds the impulses `−h ∇V` of all potentials, in order, to `kicks`; `x` are the positions now.
    fn kick(&self, h: f64, x: &[F64x4], kicks: &mut Kicks);

    /// Total energy at positions `x`, summed in order; adds the forces `−∇V` to `forces`, whose marks may stay as they are.
    fn energy_and_forces(&self, x: &[F64x4], forces: &mut [ImpulseAccumulator]) -> f64;

    /// The energy of each potential at positions `x`, in order.
    fn energies(&self, x: &[F64x4]) -> Vec<f64>;

    /// After a kick at positions `x`: writes what the potentials remember into `positions`.
    fn remember(&self, x: &[F64x4], positions: &mut [Vec3]) {
        let _ = (x, positions);
    }

    /// The angular impulse that a kick `−h ∇V` at positions `x` passes from angles to places, in N·m·s.
    fn reaction_torque(&self, h: f64, x: &[F64x4]) -> Vec3 {
        let _ = (h, x);
        Vec3::ZERO
    }

    /// [`Batch::kick`] at a time: the same at any, unless the family is driven.
    fn kick_at(&self, time_s: f64, h: f64, x: &[F64x4], kicks: &mut Kicks) {
        let _ = time_s;
        self.kick(h, x, kicks);
    }

    /// [`Batch::look`] at a time: the same at any, unless the family is driven.
    fn energy_and_forces_at(&self, time_s: f64, x: &[F64x4], forces: &mut [ImpulseAccumulator]) -> f64 {
        let _ = time_s;
        self.energy_and_forces(x, forces)
    }
}

/// The impulses of one instant, as they are being summed.
#[derive(Clone, Debug, Default)]
pub struct Kicks {
    accumulators: Vec<ImpulseAccumulator>,
    /// The part of it that is driven; empty until something is.
    driven: Vec<Vec3>,
    /// The vertices driven at this instant.
    driven_now: Vec<u32>,
    /// Whether vertices have been kicked at this instant.
    is_later_stage: bool,
    /// What the fields put in.
    pub external: ExternalLedger,
}

impl Kicks {
    /// Room for `vertices` vertices.
    #[must_use]
    pub fn new(vertices: usize) -> Self {
        Self {
            accumulators: vec![ImpulseAccumulator::default(); vertices],
            driven: Vec::new(),
            driven_now: Vec::new(),
            is_later_stage: false,
            external: ExternalLedger::default(),
        }
    }

    /// The tally of each vertex.
    pub fn accumulators_mut(&mut self) -> &mut [ImpulseAccumulator] {
        &mut self.accumulators
    }

    /// The tally of each vertex, and the books.
    pub(crate) fn accumulators_and_external(&mut self) -> (&mut [ImpulseAccumulator], &mut ExternalLedger) {
        (&mut self.accumulators, &mut self.external)
    }

    /// Whether something is driven at this instant: its work is booked in the order of vertices.
    #[must_use]
    pub fn is_driven(&self) -> bool {
        !self.driven_now.is_empty()
    }

    /// Sum of the impulses on a vertex so far, in N·s.
    #[inline(always)]
    #[must_use]
    pub fn sum(&self, vertex: usize) -> Vec3 {
        self.accumulators[vertex].sum()
    }

    /// Takes the sum of a vertex and clears it; `None` if no potential had a non-zero component on it.
    #[inline(always)]
    pub fn take(&mut self, vertex: usize) -> Option<Vec3> {
        self.accumulators[vertex].take()
    }

    /// Adds one impulse of a driven family to one vertex.
    pub fn drive(&mut self, vertex: u32, impulse: Vec3) {
        self.driven.resize(self.accumulators.len(), Vec3::ZERO);
        self.driven[vertex as usize] += impulse;
        self.driven_now.push(vertex);
        self.add(vertex, impulse);
    }

    /// Books the work of what drives a vertex at this instant, `J·(v⁻ + v⁺)/2`, as its velocity goes from `before` to `after` in a stage of it:
    /// later stages only change `v⁺`.
    #[inline(always)]
    pub fn book_driven(&mut self, vertex: usize, before: Vec3, after: Vec3) {
        if let Some(driven) = self.driven.get(vertex) {
            let twice_mean = if self.is_later_stage { after - before } else { before + after };
            self.external.work.add(0.5 * driven.dot(twice_mean));
        }
    }

    /// Ends a stage of an instant.
    pub fn end_stage(&mut self) {
        self.is_later_stage = true;
    }

    /// Ends an instant.
    pub fn end_instant(&mut self) {
        self.is_later_stage = false;
        for v in self.driven_now.drain(..) {
            self.driven[v as usize] = Vec3::ZERO;
        }
    }

    /// Tells that the sum of a vertex will be needed soon.
    #[inline(always)]
    pub fn prefetch(&self, vertex: u32) {
        prefetch(&self.accumulators, vertex as usize);
    }

    /// Adds one impulse to one vertex.
    #[inline(always)]
    pub fn add(&mut self, vertex: u32, impulse: Vec3) {
        self.accumulators[vertex as usize].add(impulse);
    }
}

/// A total that the books keep: linear and angular impulse.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Impulse {
    /// Linear impulse, in N·s.
    pub linear: Vec3Sum,
    /// Angular impulse about the origin, in N·m·s.
    pub angular: Vec3Sum,
}

impl Impulse {
    /// Books an impulse `j` applied at `x`.
    #[inline]
    pub fn add(&mut self, x: Vec3, j: Vec3) {
        self.linear.add(j);
        self.angular.add(x.cross(j));
    }

    /// Books a couple: an angular impulse alone, in N·m·s.
    #[inline]
    pub fn add_couple(&mut self, couple: Vec3) {
        self.angular.add(couple);
    }
}
