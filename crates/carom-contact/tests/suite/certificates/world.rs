//! Small worlds with one of everything, moved at random.

use std::sync::Arc;

use carom_contact::{BodySurface, ContactOptions, tune_contact, with_contact};
use carom_elastic::Spring;
use carom_geometry::Mesh;
use carom_math::Vec3;
use carom_model::{Axes, ClockOptions, LayerFamily, Owner, Part, State, System, SystemBuilder};
use carom_time::{Clocks, Tick};

/// A deterministic stream of numbers.
pub struct Noise(pub u64);

impl Noise {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    }

    /// In [0, 1).
    pub fn part(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.part() * n as f64) as usize
    }

    /// From 1 to `most`, small numbers as likely as large ones.
    pub fn scale(&mut self, most: f64) -> f64 {
        most.powf(self.part())
    }

    /// In the cube from −1 to 1.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.part(), self.part(), self.part()) * 2.0 - Vec3::splat(1.0)
    }
}

/// A system with contact, its start, and how fast things should move there, in m/s.
pub struct World {
    pub system: Arc<System>,
    pub state: State,
    pub speed: f64,
}

/// Step of the first layer, in s; the clocks are up to twenty times faster.
const STEP_S: f64 = 1e-3;

/// The meshes of a world: name, mesh, hard radius, whether it has clocks.
fn bodies() -> [(&'static str, Mesh, f64, bool); 5] {
    let at = |x: [f64; 3]| Vec3::from(x);
    let sheet = Mesh {
        positions: [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.5, 0.1]].map(at).to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..Mesh::default()
    };
    let rod = Mesh {
        positions: [[0.0, 0.0, 0.0], [0.4, 0.0, 0.1], [0.7, 0.2, 0.0]].map(at).to_vec(),
        edges: vec![[0, 1], [1, 2]],
        ..Mesh::default()
    };
    let points = Mesh {
        positions: [[0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 0.3, 0.2]].map(at).to_vec(),
        ..Mesh::default()
    };
    let wall = Mesh {
        positions: [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]].map(at).to_vec(),
        triangles: vec![[0, 1, 2]],
        ..Mesh::default()
    };
    // A tetrahedron with a vertex inside, which no surface has.
    let corners = [[0.0, 0.0, 0.0], [0.6, 0.0, 0.0], [0.0, 0.6, 0.0], [0.0, 0.0, 0.6], [0.15, 0.15, 0.15]];
    let solid = Mesh {
        positions: corners.map(at).to_vec(),
        tets: vec![[4, 1, 2, 3], [0, 4, 2, 3], [0, 1, 4, 3], [0, 1, 2, 4]],
        ..Mesh::default()
    };
    [
        ("sheet", sheet, 0.0, true),
        ("rod", rod, 0.02, true),
        ("points", points, 0.03, false),
        ("wall", wall, 0.0, false),
        ("solid", solid, 0.0, true),
    ]
}

/// Where the bodies start: a good way apart.
const CENTRES: [[f64; 3]; 5] =
    [[0.0, 0.0, 0.0], [0.1, 0.2, 0.4], [0.2, 0.2, 0.8], [0.2, 0.2, -0.6], [0.9, 0.0, 0.2]];

/// How bodies of a world move against each other.
struct BodyMotion {
    /// The largest velocity of a body along an axis, in m/s.
    drift: f64,
    /// The largest angular velocity of a body about an axis, in 1/s.
    turn: f64,
    /// In how many steps bodies come to the middle of the world, if they do.
    steps: Option<f64>,
    /// Whether the vertices of a body have no motions of their own.
    is_even: bool,
}

impl BodyMotion {
    fn random(noise: &mut Noise, speed: f64) -> Self {
        if noise.part() < 0.3 {
            return Self { drift: 0.0, turn: 0.0, steps: None, is_even: false };
        }
        Self {
            drift: speed * noise.scale(100.0) * noise.part().round(),
            turn: speed * noise.scale(30.0) * noise.part().round(),
            steps: (noise.part() < 0.7).then(|| noise.scale(300.0)),
            is_even: noise.part() < 0.5,
        }
    }

    /// The velocity of a body, in m/s, and its angular velocity, in 1/s; it starts at `centre`, in m.
    fn of_a_body(&self, centre: Vec3, noise: &mut Noise) -> (Vec3, Vec3) {
        let there = self.steps.map_or(Vec3::ZERO, |steps| centre * (-0.5 / (steps * STEP_S)));
        let comes = noise.part() < 0.7;
        let drift = noise.vector() * self.drift + if comes { there } else { Vec3::ZERO };
        (drift, noise.vector() * self.turn)
    }
}

impl World {
    /// A random choice of bodies, thickness, layers and clocks.
    pub fn random(noise: &mut Noise) -> Self {
        let kept: Vec<usize> = (0..5).filter(|_| noise.part() < 0.75).collect();
        let kept = if kept.len() < 2 { vec![0, 2] } else { kept };
        let is_driven = noise.part() < 0.5;
        let thickness = 0.12 / noise.scale(100.0);
        // From a hundred kicks in a layer to a layer in a step.
        let speed = noise.scale(100.0) * 0.01 * thickness / STEP_S;
        let far = if noise.part() < 0.2 { noise.vector() * noise.scale(1e4) } else { Vec3::ZERO };
        // A common velocity, which what is held shares.
        let wind = noise.vector() * (noise.scale(1e3) * speed * noise.part().round());
        let motion = BodyMotion::random(noise, speed);
        let mut builder = SystemBuilder::new();
        let mut surfaces = Vec::new();
        let all = bodies();
        for (number, &body) in (0..).zip(&kept) {
            let (name, mesh, radius, has_clocks) = &all[body];
            builder.body(*name);
            let first_vertex = builder.positions().len() as u32;
            let centre = Vec3::from(CENTRES[body]) + noise.vector() * 0.05;
            let (drift, turn) = motion.of_a_body(centre, noise);
            let still = if motion.is_even { 0.0 } else { speed };
            for x in &mesh.positions {
                let jittered = *x + centre + noise.vector() * 0.02;
                let own = drift + turn.cross(jittered - centre) + noise.vector() * still;
                let v = builder.vertex(jittered + far, own + wind, 0.01 + noise.part());
                if *name == "wall" && is_driven {
                    builder.pin(v, Axes::ALL);
                }
            }
            if *has_clocks {
                for i in 1..mesh.positions.len() as u32 {
                    let owner = Owner { body: number, part: Part::Edge(i) };
                    let spring = Spring { stiffness: 1.0, rest_length: 1.0 };
                    let ends = [first_vertex + i - 1, first_vertex + i];
                    let added = builder.add(spring, ends, owner, 1.0);
                    builder.give_step(added, STEP_S / noise.scale(20.0));
                }
            }
            surfaces.push(BodySurface {
                mesh,
                first_vertex,
                thickness: thickness * noise.scale(2.0),
                radius: *radius,
            });
        }
        let clocks = if noise.part() < 0.5 { Clocks::Dyadic } else { Clocks::Exact };
        let (system, state) = builder.build(&ClockOptions { clocks, ..ClockOptions::default() }).unwrap();
        let families = [LayerFamily::Window, LayerFamily::Nested, LayerFamily::Acm];
        let options = ContactOptions {
            family: families[noise.below(3)],
            step_s: Some(STEP_S),
            max_layers: 3 + noise.below(6) as u32,
            ..ContactOptions::default()
        };
        let (contact, _) = tune_contact(&system, &state, &surfaces, &options).unwrap();
        Self { system: Arc::new(with_contact(&system, contact)), state, speed }
    }

    /// Changes the velocity of vertex `v`, just kicked at `tick`.
    pub fn jolt(&mut self, v: usize, tick: Tick, noise: &mut Noise) {
        let other = noise.below(self.state.len());
        let way = self.state.position_at(other, tick) - self.state.positions[v];
        self.state.velocities[v] = match noise.below(10) {
            0 => Vec3::ZERO,
            1 => self.state.velocities[other],
            // There in a few steps.
            5 | 6 => self.state.velocities[other] + way * (1.0 / (STEP_S * noise.scale(30.0))),
            2 => -self.state.velocities[v],
            3 => noise.vector() * (self.speed * noise.scale(100.0)),
            4 => noise.vector() * self.speed,
            _ => self.state.velocities[v] + noise.vector() * (0.2 * self.speed),
        };
    }
}
