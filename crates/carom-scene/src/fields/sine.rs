//! Half waves along a line.

use carom_math::Vec3;
use serde::{Deserialize, Serialize};

use super::PlaceField;
use crate::number::{Positive, Vector};
use crate::report::Problem;

/// Half waves along a line: amplitude × sin(π × half_waves × s), s running from 0 at from to 1 at to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sine {
    /// The largest value.
    pub amplitude: Vector,
    /// Position at which the first half wave begins, in m.
    pub from: Vector,
    /// Position at which the last half wave ends, in m.
    pub to: Vector,
    /// Number of half waves.
    #[serde(default = "one")]
    pub half_waves: Positive,
}

fn one() -> Positive {
    Positive::nowhere(1.0)
}

impl PlaceField for Sine {
    fn check(&self, problems: &mut Vec<Problem>) {
        if (self.to.get() - self.from.get()).try_normalize().is_none() {
            let problem = Problem::new(&self.to.span(), "a wave needs a line to run along");
            problems.push(
                problem.and(&self.from.span(), "the same point").help("put `to` elsewhere than `from`"),
            );
        }
    }

    fn at(&self, x: Vec3) -> Vec3 {
        let (from, along) = (self.from.get(), self.to.get() - self.from.get());
        let s = (x - from).dot(along) / along.length_sq();
        // libm: the platform's own sine may differ in the last bit.
        self.amplitude.get() * libm::sin(core::f64::consts::PI * self.half_waves.get() * s)
    }
}
