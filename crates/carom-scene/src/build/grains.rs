//! What grains are made of: masses and soft contact.

use crate::format::{Body, GrainMaterial, Material};

/// Soft contact of the grains of a body, if they are soft: their hard radii, in m, and their modulus, in Pa.
pub fn hertz(material: &GrainMaterial, radii: &[f64]) -> Option<(Vec<f64>, f64)> {
    let hertz = material.hertz.as_ref()?;
    let core = hertz.core.get();
    let poisson = hertz.poisson.get();
    Some((radii.iter().map(|r| core * r).collect(), hertz.young.get() / (1.0 - poisson * poisson)))
}

/// Masses of whole spheres, in kg.
pub fn masses(radii: &[f64], density: f64) -> Vec<f64> {
    radii.iter().map(|r| density * (4.0 / 3.0 * core::f64::consts::PI) * (r * r * r)).collect()
}

/// The material of grains, if the body has it.
pub fn material(body: &Body) -> Option<&GrainMaterial> {
    match body.material.as_deref() {
        Some(Material::Grains(material)) => Some(material),
        _ => None,
    }
}
