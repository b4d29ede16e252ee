//! Drag of a medium at rest, in proportion to mass.
//!
//! | | |
//! | --- | --- |
//! | Energy | none: drag only takes |
//! | Resistance | `−α m v`, `α` the rate at which velocity would fall, in 1/s |
//! | Stable step | none: what it takes is limited to what there is |
//! | Degenerate case | none |

use carom_math::{Real, Vec3};
use carom_model::{Element, Parameter, Range};

use crate::registry::{Descriptor, Role};

/// A vertex that is slowed down. The medium takes its momentum: that goes on the external ledger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    /// Mass `m`, in kg.
    pub mass: f64,
    /// Rate `α`, in 1/s; its inverse is the damping of the element.
    pub rate: f64,
}

impl Element<1, 1> for Drag {
    const KIND: &'static str = "drag";
    const ORDER: u32 = 60;
    const INTERNAL: bool = false;
    const COUNTS: bool = false;
    const DAMPS: bool = true;

    fn params(&self) -> [f64; 1] {
        [self.mass * self.rate * self.rate]
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

    fn stable_step(&self, _: &[Vec3; 1], _: &[f64; 1]) -> f64 {
        f64::INFINITY
    }
}

impl Drag {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        order: Self::ORDER,
        about: "Drag of a medium at rest, in proportion to mass; it stores no energy.",
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

    #[test]
    fn times_its_damping_it_is_mass_times_rate_times_velocity() {
        let drag = Drag { mass: 2.0, rate: 0.25 };
        let [force] = Drag::resistance(&drag.params(), &[Vec3::X], &[Vec3::new(1.0, -2.0, 0.5)]);
        assert_eq!(force * (1.0 / drag.rate), Vec3::new(1.0, -2.0, 0.5) * 0.5);
        assert_eq!(Drag::energy(&drag.params(), &[Vec3::X]), 0.0);
    }
}
