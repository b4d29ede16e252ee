//! Spheres that move freely until they touch.

use serde::{Deserialize, Serialize};

use super::{Elements, MaterialKind, RestBody};
use crate::built::BodyMaterial;
use crate::number::{OpenFraction, Poisson, Positive};

/// Material of grains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GrainMaterial {
    /// Density, in kg/m³: a grain is a whole sphere.
    pub density: Positive,
    /// Soft contact by the law of Hertz; without it grains are hard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hertz: Option<Hertz>,
}

/// Elastic spheres that press into each other by the law of Hertz; a hard core keeps them from passing through.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Hertz {
    /// Young's modulus, in Pa.
    pub young: Positive,
    /// Poisson's ratio.
    pub poisson: Poisson,
    /// Radius of the hard core, as a part of the grain's.
    #[serde(default = "core")]
    pub core: OpenFraction,
}

fn core() -> OpenFraction {
    OpenFraction::nowhere(0.8)
}

impl Hertz {
    /// Radii of the hard cores of grains with these radii, in m.
    pub(crate) fn cores(&self, radii: &[f64]) -> Vec<f64> {
        let core = self.core.get();
        radii.iter().map(|r| core * r).collect()
    }

    /// The modulus of the law of Hertz, in Pa.
    pub(crate) fn modulus_pa(&self) -> f64 {
        let poisson = self.poisson.get();
        self.young.get() / (1.0 - poisson * poisson)
    }
}

impl MaterialKind for GrainMaterial {
    fn elements(&self) -> Option<Elements> {
        None
    }

    /// Masses of whole spheres.
    fn masses(&self, of: &RestBody<'_>) -> Vec<f64> {
        let radii = of.grain_radii.expect("grains have radii: it was checked");
        let density = self.density.get();
        radii.iter().map(|r| density * (4.0 / 3.0 * core::f64::consts::PI) * (r * r * r)).collect()
    }

    /// The radius is that of the smallest grain.
    fn in_bulk(&self, of: &RestBody<'_>) -> BodyMaterial {
        BodyMaterial {
            modulus_pa: self.hertz.as_ref().map(Hertz::modulus_pa),
            density_kg_m3: Some(self.density.get()),
            thickness_or_radius_m: of.grain_radii.into_iter().flatten().copied().reduce(f64::min),
        }
    }

    fn is_grains(&self) -> bool {
        true
    }

    fn hertz(&self) -> Option<&Hertz> {
        self.hertz.as_ref()
    }
}
