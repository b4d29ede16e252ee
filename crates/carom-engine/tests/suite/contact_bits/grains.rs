//! Grains of many sizes in a box that may be periodic, some soft, far from the origin or not.

use std::sync::Arc;

use carom_contact::{
    BodySurface, ContactBodies, ContactOptions, Grains, SoftGrains, tune_contact_of, with_contact,
};
use carom_geometry::Mesh;
use carom_math::Vec3;
use carom_model::{ClockOptions, Law, State, System, SystemBuilder};
use carom_time::Clocks;

use crate::noise::Noise;

/// What flies about.
#[derive(Clone, Copy, Debug)]
pub struct Gas {
    pub seed: u64,
    pub count: usize,
    pub period: Vec3,
    pub is_soft: bool,
    /// How many periods away from the origin each grain starts, at most.
    pub far: f64,
    pub max_layers: u32,
    /// With friction, grains spin.
    pub law: Law,
    pub clocks: Clocks,
}

/// Length of the box that the grains start in, in m.
pub const BOX: f64 = 1.0;
pub const SPEED: f64 = 1.0;
const THICKNESS: f64 = 0.02;

impl Gas {
    /// Periodic along some axes, soft or not, near or far.
    pub fn random(seed: u64, count: usize) -> Self {
        let mut noise = Noise::new(seed);
        let mut length = || if noise.next() > -0.5 { BOX } else { 0.0 };
        let period = Vec3::new(BOX, length(), length());
        let far = if seed.is_multiple_of(3) { 1e6 } else { 3.0 };
        Self {
            seed,
            count,
            period,
            is_soft: seed % 2 == 1,
            far,
            max_layers: 8,
            law: Law::IDEAL,
            clocks: Clocks::Dyadic,
        }
    }
}

/// Grains on a jittered lattice in a box around the origin, then moved by whole periods.
pub fn gas(gas: &Gas) -> (Arc<System>, State) {
    let mut noise = Noise::new(gas.seed);
    let mut builder = SystemBuilder::new();
    builder.body("grains");
    let side = (gas.count as f64).cbrt().ceil() as usize;
    let cell = BOX / side as f64;
    let radii: Vec<f64> = (0..gas.count).map(|_| cell * noise.between(0.15, 0.38)).collect();
    for (i, radius) in radii.iter().enumerate() {
        let site = Vec3::new((i % side) as f64, (i / side % side) as f64, (i / side / side) as f64);
        let free = 0.5 * cell - radius - THICKNESS;
        let inside = (site + Vec3::splat(0.5)) * cell + noise.vector() * free.max(0.0);
        let away = noise.vector() * gas.far;
        let periods = Vec3::new(away.x.round(), away.y.round(), away.z.round()).scaled_by(gas.period);
        builder.vertex(inside + periods, noise.vector() * SPEED, radius * radius * radius * 100.0);
    }
    for radius in radii.iter().filter(|_| gas.law.friction > 0.0) {
        builder.spin(noise.vector() * (5.0 / radius), 40.0 * radius.powi(5));
    }
    let options = ClockOptions { clocks: gas.clocks, ..ClockOptions::default() };
    let (system, state) = builder.build(&options).unwrap();
    let mesh = Mesh { positions: state.positions[..gas.count].to_vec(), ..Mesh::default() };
    let surface = BodySurface { mesh: &mesh, first_vertex: 0, thickness: THICKNESS, radius: 0.0 };
    let cores: Vec<f64> = radii.iter().map(|r| 0.7 * r).collect();
    let soft = gas.is_soft.then_some(SoftGrains { radii: &radii, modulus: 100.0 });
    let grains = Grains { body: 0, radii: if gas.is_soft { &cores } else { &radii }, soft };
    // Few kicks in a layer: deep layers must answer, and brute force looks at few instants.
    let options = ContactOptions {
        step_s: Some(0.1 * THICKNESS / SPEED),
        max_layers: gas.max_layers,
        period: gas.period,
        ..ContactOptions::default()
    };
    let (contact, _) = tune_contact_of(
        &system,
        &state,
        ContactBodies { surfaces: &[surface], grains: &[grains], pressing: None },
        &options,
    )
    .unwrap();
    let contact = contact.with_laws(|_, _| gas.law);
    (Arc::new(with_contact(&system, contact)), state)
}
