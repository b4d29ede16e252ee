//! Restitution: of what a pair was given while it separates, it keeps `e²`.
//!
//! | | |
//! | --- | --- |
//! | Impulse | `(1 − e²) min(J_n, m u_n)` against the normal, if that is positive |
//! | Number | `e`, velocity after over velocity before a head-on impact |
//! | Ideal | `e = 1` |

use carom_math::Vec3;

use super::{Against, Law, LawDescriptor, Touch, plain};
use crate::Range;

pub const DESCRIPTOR: LawDescriptor = LawDescriptor {
    parameter: plain(
        "restitution",
        "Velocity after over velocity before a head-on impact: 1 is elastic, 0 does not bounce.",
        Range::ZeroToOne,
        Law::IDEAL.restitution,
    ),
    number: |law| &mut law.restitution,
    acts: Against::Separation,
    answer,
    page: "laws",
};

#[inline]
fn answer(e: f64, touch: &mut Touch) -> Vec3 {
    let given_back = (1.0 - e * e) * touch.normal_impulse.min(touch.masses[0] * touch.separating).max(0.0);
    touch.normal_impulse -= given_back;
    touch.taken[0] += given_back;
    touch.normal * -given_back
}
