//! Random velocities.

use carom_math::Vec3;
use serde::{Deserialize, Serialize};

use super::VertexField;
use crate::number::Positive;
use crate::random::Random;
use crate::whole::Index;

/// Random velocities, as of heat: in every direction the same mean energy for every vertex.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Noise {
    /// Mean kinetic energy of a vertex, in J: 3/2 kT for atoms at the temperature T.
    pub energy: Positive,
    /// Seed of the random numbers: another number gives other velocities.
    #[serde(default = "zero")]
    pub seed: Index,
}

fn zero() -> Index {
    Index::nowhere(0)
}

impl VertexField for Noise {
    /// Gaussian, with the variance that gives every vertex the same mean energy. The same seed gives the same bits everywhere.
    fn velocities(&self, masses: &[f64]) -> Vec<Vec3> {
        let mut random = Random::new(u64::from(self.seed.get()));
        let mut gaussian = || random.gaussian();
        let speed = |m: f64| (2.0 * self.energy.get() / (3.0 * m)).sqrt();
        masses.iter().map(|m| Vec3::new(gaussian(), gaussian(), gaussian()) * speed(*m)).collect()
    }
}
