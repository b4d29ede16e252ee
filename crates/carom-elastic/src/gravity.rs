//! The weight of a vertex in a uniform field: a [`Load`] of `m g`, apart on the ledger.
//!
//! | | |
//! | --- | --- |
//! | Energy | `V = −m g·x` |
//! | Gradient | `−m g` |
//! | Stable step | none: a constant force is exact at any step |
//! | Degenerate case | none |

use carom_math::{Real, Vec3};
use carom_model::{Element, Parameter, Range};

use crate::Load;
use crate::registry::{Descriptor, Role};

/// A vertex that weighs. It pulls from outside: its impulses go on the external ledger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gravity {
    /// Mass `m`, in kg.
    pub mass: f64,
    /// Acceleration `g` of free fall, in m/s².
    pub acceleration: Vec3,
}

impl Element<1, 3> for Gravity {
    const KIND: &'static str = "gravity";
    const ORDER: u32 = 100;
    const INTERNAL: bool = false;
    const COUNTS: bool = false;

    fn params(&self) -> [f64; 3] {
        (self.acceleration * self.mass).to_array()
    }

    #[inline(always)]
    fn energy<S: Real>(weight: &[S; 3], x: &[Vec3<S>; 1]) -> S {
        Load::energy(weight, x)
    }

    #[inline(always)]
    fn gradient<S: Real>(weight: &[S; 3], x: &[Vec3<S>; 1]) -> [Vec3<S>; 1] {
        Load::gradient(weight, x)
    }

    fn stable_step(&self, _: &[Vec3; 1], _: &[f64; 1]) -> f64 {
        f64::INFINITY
    }
}

impl Gravity {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        group: Self::KIND,
        order: Self::ORDER,
        about: "The weight of a vertex in a uniform field.",
        parameters: &[Parameter::required("acceleration", "m/s²", "Acceleration, in m/s².", Range::Any)],
        page: "gravity",
        damps: Self::DAMPS,
        role: Role::Fixed("`[gravity]`"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    const STONE: Gravity = Gravity { mass: 2.5, acceleration: Vec3::new(0.3, 0.0, -9.81) };

    #[test]
    fn it_is_a_sound_field() {
        check::near([Vec3::ZERO], 2.0, |x| {
            check::field_element(&STONE, x);
        });
    }

    #[test]
    fn falling_a_metre_frees_mass_times_acceleration() {
        let energy = |z: f64| Gravity::energy(&STONE.params(), &[Vec3::Z * z]);
        assert!((energy(1.0) - energy(0.0) - 2.5 * 9.81).abs() < 1e-12);
    }

    #[test]
    fn nothing_limits_its_step_and_it_is_from_outside() {
        assert_eq!(STONE.stable_step(&[Vec3::ZERO], &[2.5]), f64::INFINITY);
        const { assert!(!Gravity::INTERNAL && !Gravity::COUNTS) };
    }
}
