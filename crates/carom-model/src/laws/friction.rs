//! Coulomb's friction: as much as stops sliding, at most `μ` times the normal impulse.
//!
//! | | |
//! | --- | --- |
//! | Impulse | `min(μ J, m‖u_t‖)` against `u_t`, `J` what is left of the normal impulse and of earlier ones that friction has not used |
//! | Number | `μ`, Coulomb's coefficient |
//! | Ideal | `μ = 0` |

use carom_math::Vec3;

use super::{Against, Law, LawDescriptor, Touch, plain};
use crate::Range;

pub const DESCRIPTOR: LawDescriptor = LawDescriptor {
    parameter: plain(
        "friction",
        "Coulomb's coefficient of friction between any two bodies, and of each with itself.",
        Range::ZeroOrMore,
        Law::IDEAL.friction,
    ),
    number: |law| &mut law.friction,
    acts: Against::Sliding,
    answer,
    page: "laws",
};

#[inline]
fn answer(mu: f64, touch: &mut Touch) -> Vec3 {
    let speed = touch.sliding.length();
    let most = touch.unspent + mu * touch.normal_impulse;
    let resisted = most.min(touch.masses[1] * speed);
    touch.unspent = most - resisted;
    touch.taken[1] += resisted;
    let along = if speed > 0.0 { touch.sliding * (1.0 / speed) } else { Vec3::ZERO };
    along * -resisted
}
