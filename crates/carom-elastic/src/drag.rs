//! Drag of a medium at rest, in proportion to inertia.
//!
//! | | |
//! | --- | --- |
//! | Energy | none: drag only takes |
//! | Resistance | `−α m v` on places, `−α I ω` on what turns, `α` the rate at which velocity would fall, in 1/s |
//! | Stable step | none: what it takes is limited to what there is |
//! | Degenerate case | none |
//!
//! The medium takes momentum of places and angular momentum of spins, and both go on the external ledger. Only the drag on places is a field: on what
//! turns it is no push at a place. Angles about edges stand outside the angular momentum ([`ExternalLedger`](carom_model::ExternalLedger)).

use carom_math::{Real, Vec3};
use carom_model::{Element, Parameter, Range};

use crate::registry::{Descriptor, Role};

/// A degree of freedom that is slowed down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag<On> {
    /// Mass `m` of a place, in kg, or moment of inertia `I` of what turns, in kg·m².
    pub inertia: f64,
    /// Rate `α`, in 1/s; its inverse is the damping of the element.
    pub rate: f64,
    /// What is slowed: [`Translations`], [`Spins`] or [`Twists`].
    pub on: On,
}

/// What a medium can slow: one kind of potential each, since they come apart on the ledger.
pub trait Slowed: Copy + Send + Sync + 'static {
    /// The name of the kind.
    const KIND: &'static str;
    /// Where the kind comes in the sums of an instant.
    const ORDER: u32;
    /// What the kind is, in one sentence.
    const ABOUT: &'static str;
    /// Whether it moves in space: its momentum then goes to the medium.
    const IS_PLACE: bool = false;
    /// Whether it has angular momentum of its own, which then goes to the medium.
    const IS_SPIN: bool = false;
}

/// Velocities of vertices in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Translations;

/// Spins of grains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spins;

/// Angles about the edges of rods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twists;

impl Slowed for Translations {
    const KIND: &'static str = "drag";
    const ORDER: u32 = 60;
    const ABOUT: &'static str = "Drag of a medium at rest, in proportion to mass; it stores no energy.";
    const IS_PLACE: bool = true;
}

impl Slowed for Spins {
    const KIND: &'static str = "drag-spin";
    const ORDER: u32 = 70;
    const ABOUT: &'static str = "Drag of a medium at rest on the spin of a grain; it stores no energy.";
    const IS_SPIN: bool = true;
}

impl Slowed for Twists {
    const KIND: &'static str = "drag-twist";
    const ORDER: u32 = 80;
    const ABOUT: &'static str = "Drag of a medium at rest on the angle of a rod's edge; it stores no energy.";
}

impl<On: Slowed> Element<1, 1> for Drag<On> {
    const KIND: &'static str = On::KIND;
    const ORDER: u32 = On::ORDER;
    const INTERNAL: bool = !On::IS_PLACE;
    const COUNTS: bool = false;
    const HAS_ANGULAR_DOFS: bool = On::IS_SPIN;
    const DAMPS: bool = true;

    fn params(&self) -> [f64; 1] {
        [self.inertia * self.rate * self.rate]
    }

    #[inline(always)]
    fn energy<S: Real>(_: &[S; 1], _: &[Vec3<S>; 1]) -> S {
        S::zero()
    }

    #[inline(always)]
    fn gradient<S: Real>(_: &[S; 1], _: &[Vec3<S>; 1]) -> [Vec3<S>; 1] {
        [Vec3::zero()]
    }

    #[inline(always)]
    fn resistance<S: Real>(&[strength]: &[S; 1], _: &[Vec3<S>; 1], &[v]: &[Vec3<S>; 1]) -> [Vec3<S>; 1] {
        [v * strength]
    }

    /// All that a spin loses goes to the medium.
    #[inline(always)]
    fn reaction_torque<S: Real>(_: &[Vec3<S>; 1], &[impulse]: &[Vec3<S>; 1]) -> Vec3<S> {
        if On::IS_SPIN { impulse } else { Vec3::zero() }
    }

    fn stable_step(&self, _: &[Vec3; 1], _: &[f64; 1]) -> f64 {
        f64::INFINITY
    }
}

impl<On: Slowed> Drag<On> {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: On::KIND,
        group: On::KIND,
        order: On::ORDER,
        about: On::ABOUT,
        parameters: &[Parameter::required(
            "drag",
            "1/s",
            "Rate at which velocities would fall if nothing else acted, in 1/s.",
            Range::AboveZero,
        )],
        page: "drag",
        damps: Self::DAMPS,
        role: Role::Fixed("`drag` of a body"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    const V: Vec3 = Vec3::new(1.0, -2.0, 0.5);

    /// What is taken from the angular momentum of what moves at `V`.
    fn taken<On: Slowed>(on: On) -> Vec3 {
        let drag = Drag { inertia: 2.0, rate: 0.25, on };
        let [force] = Drag::<On>::resistance(&drag.params(), &[Vec3::X], &[V]);
        assert_eq!(force * (1.0 / drag.rate), V * 0.5);
        assert_eq!(Drag::<On>::energy(&drag.params(), &[Vec3::X]), 0.0);
        Drag::<On>::reaction_torque(&[Vec3::X], &[V])
    }

    #[test]
    fn times_its_damping_it_is_inertia_times_rate_times_velocity_and_only_spins_lose_angular_momentum() {
        assert_eq!(taken(Translations), Vec3::ZERO);
        assert_eq!(taken(Spins), V);
        assert_eq!(taken(Twists), Vec3::ZERO);
        const { assert!(!Drag::<Translations>::INTERNAL && Drag::<Spins>::INTERNAL && Drag::<Twists>::INTERNAL) };
    }
}
