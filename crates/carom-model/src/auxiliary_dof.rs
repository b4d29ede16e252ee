//! Vertices that are no places.
//!
//! A rotational degree of freedom is a vertex: its position is an angle, its velocity an angular velocity, its mass a moment of inertia.
//! So is what a potential remembers. State, kicks, clocks and fingerprints need nothing new.

use carom_math::Vec3;

use crate::{Axes, SystemBuilder};

/// What the three numbers of a vertex are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DofKind {
    /// A place, in m; its mass is in kg.
    Position,
    /// An angle about an edge, in rad, along x; y and z are held. Its mass is a moment of inertia, in kg·m².
    Twist,
    /// A rotation in space: its velocity is an angular velocity, in rad/s, its mass a moment of inertia, in kg·m².
    Spin,
    /// What one potential remembers of the last time it fired. It has no motion of its own.
    Memory,
}

/// A vertex that is no place: an angle, a spin or a memory. Auxiliary degrees of freedom come after the vertices of all bodies; they are never drawn,
/// nothing touches them, and they carry no linear momentum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuxiliaryDof {
    /// What the three numbers of its position are.
    pub dof_kind: DofKind,
    /// Index of the body it belongs to.
    pub body: u32,
}

/// Auxiliary degrees of freedom are numbered from here until all places are known.
pub(crate) const FIRST_AUXILIARY: u32 = 1 << 31;

/// An auxiliary degree of freedom as it starts.
pub(crate) struct AuxiliaryStart {
    pub auxiliary: AuxiliaryDof,
    pub position: Vec3,
    pub velocity: Vec3,
    /// Moment of inertia, in kg·m².
    pub inertia: f64,
    pub pinned: Axes,
}

impl SystemBuilder {
    /// The angles, spins and memories of a body so far, by their numbers, in the order in which they were added.
    #[must_use]
    pub fn auxiliary_dofs_of(&self, body: u32) -> Vec<u32> {
        let numbered = (FIRST_AUXILIARY..).zip(&self.auxiliary_dofs);
        numbered.filter(|(_, start)| start.auxiliary.body == body).map(|(number, _)| number).collect()
    }

    /// The kind of an auxiliary degree of freedom, and its moment of inertia in kg·m².
    ///
    /// # Panics
    /// If there is no auxiliary degree of freedom of this number.
    #[must_use]
    pub fn kind_and_inertia(&self, auxiliary: u32) -> (DofKind, f64) {
        let AuxiliaryStart { auxiliary, inertia, .. } =
            &self.auxiliary_dofs[(auxiliary - FIRST_AUXILIARY) as usize];
        (auxiliary.dof_kind, *inertia)
    }

    /// Adds an angle about an edge to the current body, at `angle` in rad, turning at `rate` in rad/s, with a moment of
    /// `inertia` in kg·m². Returns its number, for stencils and pins: auxiliary degrees of freedom come after all places.
    pub fn twist(&mut self, angle: f64, rate: f64, inertia: f64) -> u32 {
        let [position, velocity] = [angle, rate].map(|x| Vec3::new(x, 0.0, 0.0));
        let pinned = Axes { x: false, y: true, z: true };
        let auxiliary = self.auxiliary_of_current_body(DofKind::Twist);
        self.auxiliary(AuxiliaryStart { auxiliary, position, velocity, inertia, pinned })
    }

    /// Adds the spin of something to the current body, turning at `rate` in rad/s, with a moment of `inertia` in kg·m². Returns its
    /// number.
    pub fn spin(&mut self, rate: Vec3, inertia: f64) -> u32 {
        let pinned = Axes { x: false, y: false, z: false };
        let auxiliary = self.auxiliary_of_current_body(DofKind::Spin);
        self.auxiliary(AuxiliaryStart { auxiliary, position: Vec3::ZERO, velocity: rate, inertia, pinned })
    }

    /// Adds a vector that one element remembers, to the current body. Returns its number.
    pub fn memory(&mut self, remembered: Vec3) -> u32 {
        let auxiliary = self.auxiliary_of_current_body(DofKind::Memory);
        let start = AuxiliaryStart {
            auxiliary,
            position: remembered,
            velocity: Vec3::ZERO,
            // It never moves: any mass will do.
            inertia: 1.0,
            pinned: Axes::ALL,
        };
        self.auxiliary(start)
    }

    fn auxiliary_of_current_body(&self, dof_kind: DofKind) -> AuxiliaryDof {
        AuxiliaryDof { dof_kind, body: (self.bodies.len() as u32).saturating_sub(1) }
    }

    fn auxiliary(&mut self, start: AuxiliaryStart) -> u32 {
        self.auxiliary_dofs.push(start);
        FIRST_AUXILIARY + self.auxiliary_dofs.len() as u32 - 1
    }
}
