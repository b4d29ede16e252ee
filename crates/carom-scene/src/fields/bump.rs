//! A smooth bump.

use carom_math::Vec3;
use serde::{Deserialize, Serialize};

use super::PlaceField;
use crate::number::{Positive, Vector};

/// A smooth bump: amplitude × (1 − r²/radius²)³ within the radius, r the distance from the centre; with a
/// wavelength also × cos(2π r/wavelength), a ripple.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bump {
    /// The value at the centre.
    pub amplitude: Vector,
    /// The centre, in m.
    #[serde(default)]
    pub centre: Vector,
    /// Radius of the bump, in m.
    pub radius: Positive,
    /// Distance between the rings of a ripple, in m; no rings without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wavelength: Option<Positive>,
}

impl PlaceField for Bump {
    /// Two derivatives are continuous at the edge.
    fn at(&self, x: Vec3) -> Vec3 {
        let r_sq = (x - self.centre.get()).length_sq();
        let u = r_sq / (self.radius.get() * self.radius.get());
        if u >= 1.0 {
            return Vec3::ZERO;
        }
        let ring = |wavelength: f64| libm::cos(2.0 * core::f64::consts::PI * r_sq.sqrt() / wavelength);
        let ripple = self.wavelength.as_ref().map_or(1.0, |wavelength| ring(wavelength.get()));
        self.amplitude.get() * ((1.0 - u) * (1.0 - u) * (1.0 - u) * ripple)
    }
}
