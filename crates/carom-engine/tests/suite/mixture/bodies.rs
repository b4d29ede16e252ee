//! One of each: a plate that swings, a shell, a rod that twists, a solid, grains that spin.

use std::sync::Arc;

use carom_contact::{BodySurface, ContactOptions, tune_contact, with_contact};
use carom_elastic::{
    BendingHinge, BendingMidedge, Drag, DrivenForce, DrivenLoad, DrivenLoads, Gravity, MembraneNeoHookean,
    Profile, RodJoint, ShellMaterial, SolidMaterial, Spring, TetNeoHookean, Translations,
};
use carom_geometry::shapes::{self, Split};
use carom_geometry::topology::boundary_of_tets;
use carom_geometry::{Mesh, Topology};
use carom_math::Vec3;
use carom_model::{
    Axes, ClockOptions, Law, LayerFamily, Owner, Part, Start, State, System, SystemBuilder, Timetable,
};
use carom_time::Clocks;

use crate::noise::Noise;

/// What differs from one mixture to the next, beside the noise.
#[derive(Clone, Copy, Debug)]
pub struct Mixture {
    pub seed: u64,
    pub clocks: Clocks,
    pub start: Start,
    pub has_hinges: bool,
    pub family: LayerFamily,
    /// Steps are divided by it.
    pub finer: f64,
    /// Whether there is a shell, a rod, a solid, and grains; the plate is always there.
    pub has: [bool; 4],
    /// In m.
    pub thickness: f64,
}

impl Mixture {
    /// Eight seeds in a row have all clocks, starts and kinds of bending.
    pub fn random(seed: u64) -> Self {
        let is_set = |bit: u64| seed >> bit & 1 == 1;
        Self {
            seed,
            clocks: if is_set(0) { Clocks::Exact } else { Clocks::Dyadic },
            start: if is_set(1) { Start::Paper } else { Start::HalfKick },
            has_hinges: is_set(2),
            family: if seed.is_multiple_of(3) { LayerFamily::Nested } else { LayerFamily::Window },
            finer: 1.0,
            has: [true; 4],
            thickness: THICKNESS,
        }
    }

    /// Some of the bodies, with any layers.
    pub fn of_some(seed: u64) -> Self {
        let mut noise = Noise::new(seed);
        let mut one_of = |n: u32| noise.between(0.0, f64::from(n)) as u32;
        let families = [LayerFamily::Acm, LayerFamily::Nested, LayerFamily::Window];
        let family = families[one_of(3) as usize];
        Self {
            clocks: [Clocks::Dyadic, Clocks::Exact][one_of(2) as usize],
            start: [Start::HalfKick, Start::Paper][one_of(2) as usize],
            has_hinges: one_of(2) == 1,
            family,
            has: [one_of(3) > 0, one_of(3) > 0, one_of(3) > 0, one_of(3) > 0],
            // The paper's layers hardly get thinner with depth, and bodies start as near as the others allow.
            thickness: if family == LayerFamily::Acm { 0.5 * THICKNESS } else { THICKNESS },
            ..Self::random(seed)
        }
    }

    pub fn build(self) -> (Arc<System>, State) {
        let mut heap = Heap {
            builder: SystemBuilder::new(),
            noise: Noise::new(self.seed),
            meshes: Vec::new(),
            driven: DrivenLoads::default(),
        };
        let [has_shell, has_rod, has_solid, has_grains] = self.has;
        heap.plate();
        if has_shell {
            heap.shell(self.has_hinges);
        }
        if has_rod {
            heap.rod();
        }
        if has_solid {
            heap.solid();
        }
        if has_grains {
            heap.grains();
        }
        heap.weigh();
        heap.finish(self)
    }
}

/// The longest that a mixture is followed, in s.
pub const END: f64 = 0.06;
const THICKNESS: f64 = 0.04;
const DAMPING_S: f64 = 2e-3;
/// Of the rod and of the grains, in m.
const RADII: [f64; 2] = [0.01, 0.03];

/// A mixture in the making: bodies above each other that fall, some from within the layers of others.
struct Heap {
    builder: SystemBuilder,
    noise: Noise,
    /// The first vertex, the mesh and the radius of each body.
    meshes: Vec<(u32, Mesh, f64)>,
    driven: DrivenLoads,
}

impl Heap {
    /// Adds the vertices of a body that comes down at about `speed`.
    fn body(&mut self, name: &str, mesh: Mesh, speed: f64, mass: f64) -> u32 {
        let body = self.builder.body(name);
        let first = self.builder.positions().len() as u32;
        for &x in &mesh.positions {
            let velocity = Vec3::new(0.3, 0.1, -1.0) * speed + self.noise.vector() * (0.2 * speed);
            let mass = mass * self.noise.between(0.8, 1.2);
            self.builder.vertex(x, velocity, mass);
        }
        let radius = match name {
            "rod" => RADII[0],
            "grains" => RADII[1],
            _ => 0.0,
        };
        self.meshes.push((first, mesh, radius));
        body
    }

    /// Puts vertices on their way, a swing of about this `reach`, in m.
    fn tell(&mut self, vertices: Vec<u32>, first_s: f64, reach: f64) {
        let times_s: Vec<f64> = (0..=12).map(|i| first_s + (END - first_s) * f64::from(i) / 11.0).collect();
        let start: Vec<Vec3> = vertices.iter().map(|v| self.builder.positions()[*v as usize]).collect();
        let way = Vec3::new(0.4, -0.3, 1.0) + self.noise.vector() * 0.2;
        let swing = |t: f64| way * (reach * (1.0 - (90.0 * (t - first_s)).cos()));
        let places = times_s.iter().map(|t| start.iter().map(|x| *x + swing(*t)).collect()).collect();
        self.builder.tell(Timetable { vertices, times_s, places });
    }

    /// An obstacle on its way from the start.
    fn plate(&mut self) {
        let positions =
            [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(|[x, y]| Vec3::new(x, y, 0.1 * x * y));
        let mesh =
            Mesh { positions: positions.to_vec(), triangles: vec![[0, 1, 2], [0, 2, 3]], ..Mesh::default() };
        self.body("plate", mesh, 0.0, 1.0);
        self.tell(vec![0, 1, 2, 3], 0.0, 0.005);
    }

    /// A shell that pressure comes and goes on; a corner slides up and down.
    fn shell(&mut self, has_hinges: bool) {
        let material = ShellMaterial { young: 4e4, poisson: 0.3, thickness: 0.02 };
        let mut mesh = shapes::grid(0.4, 0.4, 0.2).unwrap();
        mesh.positions.iter_mut().for_each(|x| *x += Vec3::new(0.0, 0.0, 0.056) + self.noise.vector() * 0.01);
        let body = self.body("shell", mesh.clone(), 0.5, 0.03);
        let first = self.meshes[body as usize].0;
        let topology = Topology::new(&mesh.triangles).unwrap();
        let ramp = Profile::new(vec![[0.0, 0.3], [0.02, 1.0], [0.05, -0.5]]).map(Arc::new);
        for (i, &corners) in mesh.triangles.iter().enumerate() {
            let owner = Owner { body, part: Part::Face(i as u32) };
            let here = corners.map(|v| v + first);
            let membrane = MembraneNeoHookean::from_rest(&mesh.corners(&corners), &material);
            let added = self.builder.add(membrane, here, owner, 1.0);
            self.builder.damp(added, DAMPING_S);
            if !has_hinges {
                let across = topology.neighbours[i].map(|n| n.map(|n| n.opposite));
                let stencil = BendingMidedge::stencil(corners, across);
                let rest = stencil.map(|v| mesh.positions[v as usize]);
                let bending = BendingMidedge::from_rest(&rest, across.map(|a| a.is_some()), &material);
                let added = self.builder.add(bending, stencil.map(|v| v + first), owner, 1.0);
                self.builder.damp(added, DAMPING_S);
            }
            let push =
                if i % 2 == 0 { DrivenForce::Pressure(here, 20.0) } else { DrivenForce::Normal(here, -0.3) };
            let profile = if i % 3 == 0 { None } else { ramp.clone() };
            self.driven.push(DrivenLoad { push, profile, owner });
        }
        for (i, edge) in topology.interior.iter().enumerate().filter(|_| has_hinges) {
            let stencil = [edge.vertices[0], edge.vertices[1], edge.opposite[0], edge.opposite[1]];
            let rest = stencil.map(|v| mesh.positions[v as usize]);
            let owner = Owner { body, part: Part::Edge(i as u32) };
            let hinge = BendingHinge::from_rest(&rest, &material);
            let added = self.builder.add(hinge, stencil.map(|v| v + first), owner, 1.0);
            self.builder.damp(added, DAMPING_S);
        }
        self.builder.pin(first, Axes { x: true, y: true, z: false });
    }

    /// A rod that is twisted and turns; one end is led about, but not from the start.
    fn rod(&mut self) {
        const EDGES: u32 = 4;
        let place = |i: u32| Vec3::new(0.12 * f64::from(i) - 0.2, 0.0, 0.12);
        let positions = (0..=EDGES).map(|i| place(i) + self.noise.vector() * 0.01).collect();
        let mesh = Mesh { positions, edges: (0..EDGES).map(|i| [i, i + 1]).collect(), ..Mesh::default() };
        let x = mesh.positions.clone();
        let body = self.body("rod", mesh, 0.7, 0.02);
        let first = self.meshes[body as usize].0;
        let angles: Vec<u32> = (0..EDGES)
            .map(|_| self.builder.twist(0.7 * self.noise.next(), 6.0 * self.noise.next(), 2e-5))
            .collect();
        for i in 0..EDGES {
            let rest_length = (x[i as usize + 1] - x[i as usize]).length();
            let owner = Owner { body, part: Part::Edge(i) };
            let spring = Spring { stiffness: 400.0, rest_length };
            let added = self.builder.add(spring, [first + i, first + i + 1], owner, 1.0);
            self.builder.damp(added, DAMPING_S);
        }
        for i in 0..EDGES - 1 {
            let bent = [0, 1, 2].map(|k| x[(i + k) as usize]);
            let memory = RodJoint::first_memory(&bent, self.noise.vector(), 0.3 * self.noise.next()).unwrap();
            let [t0, t1, d0, d1, r] = memory.map(|m| self.builder.memory(m));
            let joint = RodJoint { bend: 0.05, twist: 0.04, rest_curvature: 0.3 };
            let [a, b, c] = [0, 1, 2].map(|k| first + i + k);
            let [left, right] = [angles[i as usize], angles[i as usize + 1]];
            let owner = Owner { body, part: Part::Vertex(i + 1) };
            let added = self.builder.add(joint, [a, b, c, left, right, t0, t1, d0, d1, r], owner, 1.0);
            self.builder.damp(added, DAMPING_S);
        }
        self.tell(vec![first + EDGES], 0.01, -0.01);
    }

    /// A soft block.
    fn solid(&mut self) {
        let mut mesh = shapes::box_tets(Vec3::splat(0.15), [1, 1, 1], Split::Five).unwrap();
        let to = Vec3::new(0.1, 0.05, 0.25);
        mesh.positions.iter_mut().for_each(|x| *x += to + self.noise.vector() * 0.01);
        mesh.triangles = boundary_of_tets(&mesh.tets);
        let body = self.body("solid", mesh.clone(), 1.5, 0.02);
        let first = self.meshes[body as usize].0;
        let material = SolidMaterial { young: 5e3, poisson: 0.3 };
        for (i, &corners) in mesh.tets.iter().enumerate() {
            let rest = corners.map(|v| mesh.positions[v as usize]);
            let owner = Owner { body, part: Part::Other(i as u32) };
            let tet = TetNeoHookean::from_rest(&rest, &material);
            let added = self.builder.add(tet, corners.map(|v| v + first), owner, 1.0);
            self.builder.damp(added, DAMPING_S);
        }
    }

    /// Hard balls that spin; a force that comes and goes pulls at one.
    fn grains(&mut self) {
        let places = [
            [-0.15, 0.02, 0.22],
            [-0.12, -0.02, 0.33],
            [-0.1, 0.12, 0.14],
            [0.35, -0.35, 0.1],
            [0.1, 0.05, 0.41],
        ];
        let jitter = |[x, y, z]: [f64; 3]| Vec3::new(x, y, z) + self.noise.vector() * 0.01;
        let mesh = Mesh { positions: places.map(jitter).to_vec(), ..Mesh::default() };
        let body = self.body("grains", mesh, 1.8, 0.03);
        let first = self.meshes[body as usize].0;
        for _ in places {
            self.builder.spin(self.noise.vector() * 30.0, 0.4 * 0.03 * RADII[1] * RADII[1]);
        }
        let profile = Profile::new(vec![[0.01, 0.0], [0.03, 1.0]]).map(Arc::new);
        let owner = Owner { body, part: Part::Vertex(0) };
        let push = DrivenForce::Force(first, Vec3::new(0.2, 0.1, -0.3));
        self.driven.push(DrivenLoad { push, profile, owner });
    }

    /// Gravity and drag on all but the plate.
    fn weigh(&mut self) {
        for (body, (first, mesh, _)) in (0..).zip(&self.meshes).skip(1) {
            for v in 0..mesh.positions.len() as u32 {
                let mass = self.builder.masses()[(first + v) as usize];
                let owner = Owner { body, part: Part::Vertex(v) };
                let acceleration = Vec3::Z * -9.81;
                self.builder.add(Gravity { mass, acceleration }, [first + v], owner, 1.0);
                let added = self.builder.add(
                    Drag { inertia: mass, rate: 0.5, on: Translations },
                    [first + v],
                    owner,
                    1.0,
                );
                self.builder.damp(added, 2.0);
            }
        }
    }

    fn finish(mut self, mixture: Mixture) -> (Arc<System>, State) {
        self.builder.family(Arc::new(self.driven));
        let options = ClockOptions {
            clocks: mixture.clocks,
            start: mixture.start,
            safety: 0.2 / mixture.finer,
            ..ClockOptions::default()
        };
        let (system, state) = self.builder.build(&options).unwrap();
        let surfaces: Vec<BodySurface> = self
            .meshes
            .iter()
            .enumerate()
            .map(|(body, (first_vertex, mesh, radius))| BodySurface {
                mesh,
                first_vertex: *first_vertex,
                thickness: mixture.thickness * (1.0 - 0.05 * body as f64),
                radius: *radius,
            })
            .collect();
        let options = ContactOptions {
            family: mixture.family,
            stiffness: Some(1e5),
            step_s: Some(2e-4 / mixture.finer),
            max_layers: 6,
            ..ContactOptions::default()
        };
        let (contact, _) = tune_contact(&system, &state, &surfaces, &options).unwrap();
        // Every two bodies have laws of their own.
        let law = |a: u32, b: u32| Law::new(0.3 + 0.1 * f64::from(a + b), 0.1 * f64::from(1 + a + 2 * b));
        (Arc::new(with_contact(&system, contact.with_laws(law))), state)
    }
}
