//! Soups: loose triangles, short rods and points that fly into each other.

use std::sync::Arc;

use carom_contact::{BodySurface, ContactOptions, tune_contact, with_contact};
use carom_elastic::{MembraneNeoHookean, ShellMaterial, Spring};
use carom_geometry::Mesh;
use carom_math::Vec3;
use carom_model::{ClockOptions, Law, LayerFamily, Owner, Part, State, System, SystemBuilder};
use carom_time::Clocks;

use crate::noise::Noise;

/// What flies about.
#[derive(Clone, Copy, Debug)]
pub struct Soup {
    pub seed: u64,
    pub triangles: usize,
    pub speed: f64,
    pub thickness: f64,
    pub family: LayerFamily,
    pub clocks: Clocks,
    pub max_layers: u32,
    pub law: Law,
    /// Damping of all elements, in s.
    pub damping_s: Option<f64>,
}

/// Triangles on a jittered lattice, with a short rod and a free point in every third and fifth cell.
pub fn soup(soup: &Soup) -> (Arc<System>, State) {
    let mut noise = Noise::new(soup.seed);
    let mut builder = SystemBuilder::new();
    let material = ShellMaterial { young: 2e4, poisson: 0.3, thickness: 0.05 };
    let side = (soup.triangles as f64).cbrt().ceil() as usize;
    let cell =
        |i: usize| Vec3::new((i % side) as f64, (i / side % side) as f64, (i / side / side) as f64) * 1.05;
    let middle = Vec3::splat(0.525 * (side - 1) as f64);
    let (mut faces, mut rods, mut points) = (Mesh::default(), Mesh::default(), Mesh::default());
    let mut velocities = [Vec::new(), Vec::new(), Vec::new()];
    for i in 0..soup.triangles {
        let centre = cell(i);
        // Towards the middle, so that something happens soon.
        let drift = ((middle - centre) * (1.0 / side as f64) + noise.vector() * 0.3) * soup.speed;
        let mut place = |mesh: &mut Mesh, list: usize, at: Vec3, noise: &mut Noise| {
            mesh.positions.push(at);
            velocities[list].push(drift + noise.vector() * (0.1 * soup.speed));
            mesh.positions.len() as u32 - 1
        };
        match i % 5 {
            4 => {
                points_at(&mut points, &mut place, centre, &mut noise);
            }
            3 => {
                let a = centre + noise.vector() * 0.3;
                let ends = [a, a + noise.vector() * 0.25].map(|x| place(&mut rods, 1, x, &mut noise));
                rods.edges.push(ends);
            }
            _ => {
                let corners = loop {
                    let [a, b, c] = [0; 3].map(|_| centre + noise.vector() * 0.45);
                    if (b - a).cross(c - a).length() > 0.15 {
                        break [a, b, c];
                    }
                };
                let triangle = corners.map(|x| place(&mut faces, 0, x, &mut noise));
                faces.triangles.push(triangle);
            }
        }
    }
    let masses = [0.05, 0.02, 0.03];
    let meshes = [faces, rods, points];
    let mut first = [0; 3];
    for (body, name) in ["faces", "rods", "points"].into_iter().enumerate() {
        builder.body(name);
        first[body] = builder.positions().len() as u32;
        for (x, v) in meshes[body].positions.iter().zip(&velocities[body]) {
            builder.vertex(*x, *v, masses[body]);
        }
        // Points have a radius: friction turns them.
        if name == "points" && soup.law.friction > 0.0 {
            velocities[body].iter().for_each(|v| {
                builder.spin(*v * 10.0, 4e-6);
            });
        }
    }
    for (i, &corners) in meshes[0].triangles.iter().enumerate() {
        let rest = corners.map(|v| meshes[0].positions[v as usize]);
        let owner = Owner { body: 0, part: Part::Face(i as u32) };
        let added = builder.add(MembraneNeoHookean::from_rest(&rest, &material), corners, owner, 1.0);
        soup.damping_s.iter().for_each(|damping_s| builder.damp(added, *damping_s));
    }
    for (i, &ends) in meshes[1].edges.iter().enumerate() {
        let [a, b] = ends.map(|v| meshes[1].positions[v as usize]);
        let spring = Spring { stiffness: 40.0, rest_length: (b - a).length() };
        let owner = Owner { body: 1, part: Part::Edge(i as u32) };
        let added = builder.add(spring, ends.map(|v| v + first[1]), owner, 1.0);
        soup.damping_s.iter().for_each(|damping_s| builder.damp(added, *damping_s));
    }
    let options = ClockOptions { clocks: soup.clocks, ..ClockOptions::default() };
    let (system, state) = builder.build(&options).unwrap();
    let surface = |body: usize, radius: f64| BodySurface {
        mesh: &meshes[body],
        first_vertex: first[body],
        thickness: soup.thickness * (1.0 + 0.3 * body as f64),
        radius,
    };
    let surfaces = [surface(0, 0.0), surface(1, 0.01), surface(2, 0.02)];
    // Hard impacts, with few kicks in a layer: deep layers must answer, and the run is short.
    let step_s = Some(0.1 * soup.thickness / soup.speed);
    let options = ContactOptions {
        family: soup.family,
        step_s,
        max_layers: soup.max_layers,
        ..ContactOptions::default()
    };
    let (contact, _) = tune_contact(&system, &state, &surfaces, &options).unwrap();
    let contact = contact.with_laws(|_, _| soup.law);
    (Arc::new(with_contact(&system, contact)), state)
}

fn points_at(
    points: &mut Mesh,
    place: &mut impl FnMut(&mut Mesh, usize, Vec3, &mut Noise) -> u32,
    centre: Vec3,
    noise: &mut Noise,
) {
    for _ in 0..2 {
        let at = centre + noise.vector() * 0.4;
        place(points, 2, at, noise);
    }
}
