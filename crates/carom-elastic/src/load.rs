//! A constant force on a vertex: a dead load, which keeps its direction however the body moves.
//!
//! | | |
//! | --- | --- |
//! | Energy | `V = −F·x` |
//! | Gradient | `−F` |
//! | Stable step | none: a constant force is exact at any step |
//! | Degenerate case | none |

use carom_math::{Real, Vec3};
use carom_model::{Element, Parameter, Range};

use crate::registry::{Descriptor, Role};

/// A vertex that is pulled at. It pulls from outside: its impulses go on the external ledger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Force `F`, in N.
    pub force: Vec3,
}

impl Element<1, 3> for Load {
    const KIND: &'static str = "load";
    const ORDER: u32 = 110;
    const INTERNAL: bool = false;
    const COUNTS: bool = false;

    fn params(&self) -> [f64; 3] {
        self.force.to_array()
    }

    #[inline(always)]
    fn energy<S: Real>(&[x, y, z]: &[S; 3], &[at]: &[Vec3<S>; 1]) -> S {
        -Vec3::new(x, y, z).dot(at)
    }

    #[inline(always)]
    fn gradient<S: Real>(&[x, y, z]: &[S; 3], _: &[Vec3<S>; 1]) -> [Vec3<S>; 1] {
        [-Vec3::new(x, y, z)]
    }

    fn stable_step(&self, _: &[Vec3; 1], _: &[f64; 1]) -> f64 {
        f64::INFINITY
    }
}

impl Load {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        group: Self::KIND,
        order: Self::ORDER,
        about: "A constant force on a vertex, which keeps its direction.",
        parameters: &[Parameter::required(
            "force",
            "N",
            "A force that keeps its direction, in N.",
            Range::Any,
        )],
        page: "gravity",
        damps: Self::DAMPS,
        role: Role::Fixed("`[[load]]`"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    const LOAD: Load = Load { force: Vec3::new(1.0, -2.5, 0.3) };
    const X: [Vec3; 1] = [Vec3::new(0.4, -0.2, 3.0)];

    #[test]
    fn it_is_a_sound_field() {
        check::field_element(&LOAD, &X);
    }

    #[test]
    fn it_pulls_with_its_force_and_nothing_limits_its_step() {
        assert_eq!(Load::gradient(&LOAD.params(), &X), [-LOAD.force]);
        assert_eq!(LOAD.stable_step(&X, &[1.0]), f64::INFINITY);
        const { assert!(!Load::INTERNAL && !Load::COUNTS) };
    }
}
