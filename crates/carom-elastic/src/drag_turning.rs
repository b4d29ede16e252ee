//! Drag of a medium at rest on what turns, in proportion to moments of inertia.
//!
//! | | |
//! | --- | --- |
//! | Energy | none: drag only takes |
//! | Resistance | `−α I ω`, `α` the rate at which the angular velocity would fall, in 1/s, the same as of places |
//! | Stable step | none: what it takes is limited to what there is |
//! | Degenerate case | none |
//!
//! Neither is a push at a place, so neither counts as a field. The medium takes the angular momentum of spins, and that goes on the
//! ledger as it passes; angles about edges stand outside the angular momentum ([`ExternalLedger`](carom_model::ExternalLedger)).

use carom_math::{Real, Vec3};
use carom_model::Element;

use crate::Drag;
use crate::registry::Descriptor;

/// The spin of a grain that is slowed down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpinDrag {
    /// Moment of inertia `I`, in kg·m².
    pub inertia: f64,
    /// Rate `α`, in 1/s; its inverse is the damping of the element.
    pub rate: f64,
}

/// The angle of a rod's edge that is slowed down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwistDrag {
    /// Moment of inertia `I`, in kg·m².
    pub inertia: f64,
    /// Rate `α`, in 1/s; its inverse is the damping of the element.
    pub rate: f64,
}

impl Element<1, 1> for SpinDrag {
    const KIND: &'static str = "drag-spin";
    const ORDER: u32 = 70;
    const COUNTS: bool = false;
    const HAS_ANGULAR_DOFS: bool = true;
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
    fn resistance<S: Real>(&[strength]: &[S; 1], _: &[Vec3<S>; 1], &[w]: &[Vec3<S>; 1]) -> [Vec3<S>; 1] {
        [w * strength]
    }

    /// All of it comes from outside.
    #[inline(always)]
    fn reaction_torque<S: Real>(_: &[Vec3<S>; 1], &[impulse]: &[Vec3<S>; 1]) -> Vec3<S> {
        impulse
    }

    fn stable_step(&self, _: &[Vec3; 1], _: &[f64; 1]) -> f64 {
        f64::INFINITY
    }
}

impl Element<1, 1> for TwistDrag {
    const KIND: &'static str = "drag-twist";
    const ORDER: u32 = 80;
    const COUNTS: bool = false;
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
    fn resistance<S: Real>(&[strength]: &[S; 1], _: &[Vec3<S>; 1], &[w]: &[Vec3<S>; 1]) -> [Vec3<S>; 1] {
        [w * strength]
    }

    fn stable_step(&self, _: &[Vec3; 1], _: &[f64; 1]) -> f64 {
        f64::INFINITY
    }
}

impl SpinDrag {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        order: Self::ORDER,
        about: "Drag of a medium at rest on the spin of a grain; it stores no energy.",
        damps: Self::DAMPS,
        ..Drag::DESCRIPTOR
    };
}

impl TwistDrag {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        order: Self::ORDER,
        about: "Drag of a medium at rest on the angle of a rod's edge; it stores no energy.",
        damps: Self::DAMPS,
        ..Drag::DESCRIPTOR
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_its_damping_it_is_inertia_times_rate_times_angular_velocity() {
        let spin = SpinDrag { inertia: 2.0, rate: 0.25 };
        let twist = TwistDrag { inertia: 2.0, rate: 0.25 };
        let w = Vec3::new(1.0, -2.0, 0.5);
        for [torque] in [
            SpinDrag::resistance(&spin.params(), &[Vec3::ZERO], &[w]),
            TwistDrag::resistance(&twist.params(), &[Vec3::ZERO], &[w]),
        ] {
            assert_eq!(torque * (1.0 / spin.rate), w * 0.5);
        }
        assert_eq!(SpinDrag::reaction_torque(&[Vec3::ZERO], &[w]), w);
        assert_eq!(TwistDrag::reaction_torque(&[Vec3::ZERO], &[w]), Vec3::ZERO);
    }
}
