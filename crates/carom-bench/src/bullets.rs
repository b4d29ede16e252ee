//! Bullets: a point, an edge and a small mesh fired at a sheet, a rod and a mesh, from 1 to 10⁶ m/s.
//!
//! Every shot is audited by `carom-audit` at every instant, and its momentum is compared with the external ledger. A shot in which
//! separation fails ends in a Fault: a safe end, and allowed only at extreme speeds.

use core::ops::ControlFlow;
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom::Simulation;
use carom_audit::{Beginning, Judge, Surface, Verdict};
use carom_contact::{BodySurface, ContactOptions, tune_contact, with_contact};
use carom_elastic::{MembraneNeoHookean, ShellMaterial, Spring};
use carom_engine::{
    EnergyScale, Inspector, InstantListener, Method, MethodKind, MomentumScale, Progress, Reading,
};
use carom_geometry::{Mesh, shapes};
use carom_math::Vec3;
use carom_model::{ClockOptions, Fault, Owner, Part, State, System, SystemBuilder};
use carom_time::Tick;

const THICKNESS: f64 = 0.02;
const MATERIAL: ShellMaterial = ShellMaterial { young: 1e6, poisson: 0.3, thickness: THICKNESS };
const DENSITY: f64 = 1000.0;
/// Stiffness of an edge of a rod, in N/m.
const ROD: f64 = 2e4;

/// Up to this speed, in m/s, a Fault is a failure.
const NO_FAULT_UP_TO: f64 = 1e4;

/// Default number of shots per speed.
const SHOTS: usize = 1_000;

/// A thing to fire, or to fire at.
#[derive(Clone, Copy, Debug)]
enum Thing {
    Point,
    Edge,
    Tetrahedron,
    Sheet,
    Rod,
    Ball,
}

const BULLETS: [Thing; 3] = [Thing::Point, Thing::Edge, Thing::Tetrahedron];
const TARGETS: [Thing; 3] = [Thing::Sheet, Thing::Rod, Thing::Ball];

/// Results of the shots of one speed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShotCounts {
    shots: usize,
    faults: usize,
    crossings: usize,
    touched: usize,
    deepest_layer: u32,
    momentum_error: f64,
}

impl ShotCounts {
    /// What is wrong with the shots at `speed`, if anything.
    fn complaint(&self, speed: f64) -> Option<String> {
        let allowed = match speed {
            s if s <= NO_FAULT_UP_TO => 0.0,
            s if s <= 1e5 => 0.01,
            _ => 0.1,
        };
        if self.crossings > 0 {
            return Some(format!("{} shots passed through", self.crossings));
        }
        if self.faults as f64 > allowed * self.shots as f64 {
            return Some(format!("{} of {} shots ended in a Fault", self.faults, self.shots));
        }
        let loud = self.momentum_error > 1e-11;
        loud.then(|| format!("momentum is off by {:.1e} of its scale", self.momentum_error))
    }
}

/// `bullets [SHOTS]`: prints a table, and fails if a shot passed through.
pub fn main(arguments: &[String]) -> ExitCode {
    let shots = arguments.first().map_or(Ok(SHOTS), |text| text.parse());
    let Ok(shots) = shots else {
        eprintln!("how many shots per speed? `{}` is no whole number", arguments[0]);
        return ExitCode::from(2);
    };
    println!(
        "{:>8} {:>6} {:>8} {:>7} {:>10} {:>8} {:>10}",
        "m/s", "shots", "touched", "faults", "crossings", "deepest", "momentum"
    );
    let mut failed = false;
    for decade in 0..=6 {
        let speed = 10_f64.powi(decade);
        let counts = fire_all(speed, shots);
        let ShotCounts { shots, faults, crossings, touched, deepest_layer, momentum_error } = counts;
        println!(
            "{speed:>8.0e} {shots:>6} {touched:>8} {faults:>7} {crossings:>10} {deepest_layer:>8} {momentum_error:>10.1e}"
        );
        if let Some(complaint) = counts.complaint(speed) {
            println!("{:>8} {complaint}", "");
            failed = true;
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Fires `shots` bullets at `speed`, the nine combinations alternately.
pub fn fire_all(speed: f64, shots: usize) -> ShotCounts {
    let mut counts = ShotCounts { shots, ..ShotCounts::default() };
    for shot in 0..shots {
        let (bullet, target) = (BULLETS[shot % 3], TARGETS[shot / 3 % 3]);
        let mut noise = Noise(0x5eed_0000 + shot as u64 * 7919 + speed as u64);
        let end = fire(bullet, target, speed, &mut noise);
        counts.faults += usize::from(end.faulted);
        counts.crossings += usize::from(!end.verdict.is_clean());
        counts.touched += usize::from(end.touched);
        counts.deepest_layer = counts.deepest_layer.max(end.deepest_layer);
        counts.momentum_error = counts.momentum_error.max(end.momentum_error);
        if !end.verdict.is_clean() {
            println!("{bullet:?} at {target:?}, shot {shot}: {:?}", end.verdict.crossings);
        }
    }
    counts
}

struct End {
    faulted: bool,
    touched: bool,
    deepest_layer: u32,
    momentum_error: f64,
    verdict: Verdict,
}

struct AuditListener(Judge);

impl InstantListener for AuditListener {
    fn wants_kicks(&self) -> bool {
        true
    }

    fn kicked(&mut self, vertex: u32, tick: Tick, position: Vec3, velocity: Vec3) {
        self.0.moved(vertex, tick, position, velocity);
    }
}

/// It hears of every kick, and never looks at the method.
impl Inspector for AuditListener {
    fn next_tick(&self) -> Option<Tick> {
        None
    }

    fn inspect(&mut self, _: &dyn Method, _: Tick) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn fire(bullet: Thing, target: Thing, speed: f64, noise: &mut Noise) -> End {
    let (system, state, surface) = aim(bullet, target, speed, noise);
    // Long enough to pass through if nothing were in the way.
    let end = system.line.tick_at(1.5 / speed).expect("a short flight");
    let beginning = Beginning {
        tick: Tick::START,
        positions: &state.positions,
        velocities: &state.velocities,
        stored_at: &state.kicked_at,
        quantum: state.quantum(),
    };
    let mut judge = AuditListener(Judge::new(surface, &beginning, THICKNESS));
    let simulation = Simulation::of_system(system, state, MethodKind::Carom);
    let mut simulation = simulation.expect("a bullet starts away from its target");
    let before = simulation.reading();
    let outcome = simulation.advance_inspected(end, &AtomicBool::new(false), &mut [&mut judge]);
    let contact = simulation.summary().contact.expect("there is contact");
    let (faulted, reached) = match outcome {
        Ok(Progress::Reached) => (false, end),
        Ok(_) => unreachable!("nobody asks to stop"),
        Err(fault @ Fault::Squeezed { tick, .. }) => {
            println!("{bullet:?} at {target:?}: {fault}");
            (true, tick)
        }
        Err(fault) => panic!("{bullet:?} at {target:?}, {speed:e} m/s: {fault}"),
    };
    End {
        faulted,
        touched: contact.smallest_distance_m.is_finite(),
        deepest_layer: contact.deepest_layer,
        momentum_error: momentum_error(simulation.system(), &before, &simulation.reading()),
        verdict: judge.0.close(reached),
    }
}

/// Largest error of linear and angular momentum, over their scales.
fn momentum_error(system: &Arc<System>, before: &Reading, after: &Reading) -> f64 {
    let scale = MomentumScale::new(system, before, &EnergyScale::new(system, before));
    let [linear, angular] = scale.at(before);
    let [linear_after, angular_after] = scale.at(after);
    let gained = |before: Vec3, after: Vec3| (after - before).length();
    let linear = gained(before.momentum, after.momentum) / linear.max(linear_after);
    linear.max(gained(before.angular_momentum, after.angular_momentum) / angular.max(angular_after))
}

/// A target near the origin and a bullet on its way to a random place on it.
fn aim(bullet: Thing, target: Thing, speed: f64, noise: &mut Noise) -> (Arc<System>, State, Surface) {
    let target = mesh(target);
    let place = target.positions[noise.below(target.positions.len())] + noise.vector() * 0.05;
    let tilt = Vec3::new(noise.next(), noise.next(), 2.0);
    let away = tilt * (1.0 / tilt.length());
    let bullet = turned(&mesh(bullet), noise).translated(place + away * 0.9);
    let velocity = away * -speed;
    let mut builder = SystemBuilder::new();
    add(&mut builder, "target", &target, |_| Vec3::ZERO);
    add(&mut builder, "bullet", &bullet, |_| velocity);
    let (system, state) = builder.build(&ClockOptions::default()).expect("sound bodies");
    let first = target.positions.len() as u32;
    let surfaces = [(&target, 0), (&bullet, first)].map(|(mesh, first_vertex)| BodySurface {
        mesh,
        first_vertex,
        thickness: THICKNESS,
        radius: 0.0,
    });
    let (contact, _) =
        tune_contact(&system, &state, &surfaces, &ContactOptions::default()).expect("steps that fit");
    let surface = Surface {
        faces: contact.faces.iter().map(|f| f.vertices).collect(),
        edges: contact.edges.iter().map(|e| e.vertices).collect(),
        free_points: contact.vertices.iter().filter(|v| v.is_point).map(|v| v.vertex).collect(),
        hard_radii_m: vec![0.0; state.len()],
        period_m: Vec3::ZERO,
        moves_with: Vec::new(),
        left_out: BTreeSet::new(),
    };
    (Arc::new(with_contact(&system, contact)), state, surface)
}

fn mesh(thing: Thing) -> Mesh {
    let made = match thing {
        Thing::Point => return Mesh { positions: vec![Vec3::ZERO], ..Mesh::default() },
        Thing::Edge => shapes::rod(Vec3::ZERO, Vec3::X * 0.1, 1),
        Thing::Tetrahedron => return tetrahedron(),
        Thing::Sheet => shapes::grid(1.0, 1.0, 0.25),
        Thing::Rod => shapes::rod(Vec3::X * -0.5, Vec3::X * 0.5, 8),
        Thing::Ball => shapes::icosphere(0.3, 3),
    };
    made.expect("a sound shape")
}

/// The surface of a small tetrahedron.
fn tetrahedron() -> Mesh {
    let corner = |x: f64, y: f64, z: f64| Vec3::new(x, y, z) * 0.05;
    Mesh {
        positions: vec![
            corner(1.0, 1.0, 1.0),
            corner(1.0, -1.0, -1.0),
            corner(-1.0, 1.0, -1.0),
            corner(-1.0, -1.0, 1.0),
        ],
        triangles: vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]],
        ..Mesh::default()
    }
}

/// The mesh with a random rotation.
fn turned(mesh: &Mesh, noise: &mut Noise) -> Mesh {
    let unit = |v: Vec3| v * (1.0 / v.length());
    let a = unit(noise.vector() + Vec3::X * 1e-3);
    let b = unit(a.cross(noise.vector() + Vec3::Y * 1e-3));
    let c = a.cross(b);
    mesh.mapped(|x| a * x.x + b * x.y + c * x.z)
}

/// Adds a body: membranes for its triangles, springs for its edges, masses for both.
fn add(builder: &mut SystemBuilder, name: &str, mesh: &Mesh, velocity: impl Fn(Vec3) -> Vec3) {
    let body = builder.body(name);
    let first = builder.positions().len() as u32;
    let mut masses = vec![0.0; mesh.positions.len()];
    for corners in &mesh.triangles {
        let [a, b, c] = mesh.corners(corners);
        let mass = DENSITY * THICKNESS * 0.5 * (b - a).cross(c - a).length();
        for v in corners {
            masses[*v as usize] += mass / 3.0;
        }
    }
    for ends in &mesh.edges {
        let [a, b] = mesh.corners(ends);
        let mass = DENSITY * THICKNESS * THICKNESS * (b - a).length();
        for v in ends {
            masses[*v as usize] += mass / 2.0;
        }
    }
    let alone = DENSITY * THICKNESS.powi(3);
    for (x, m) in mesh.positions.iter().zip(masses) {
        builder.vertex(*x, velocity(*x), if m > 0.0 { m } else { alone });
    }
    for (i, &corners) in mesh.triangles.iter().enumerate() {
        let owner = Owner { body, part: Part::Face(i as u32) };
        let element = MembraneNeoHookean::from_rest(&mesh.corners(&corners), &MATERIAL);
        builder.add(element, corners.map(|v| v + first), owner, 1.0);
    }
    for (i, &ends) in mesh.edges.iter().enumerate() {
        let [a, b] = mesh.corners(&ends);
        let owner = Owner { body, part: Part::Edge(i as u32) };
        let spring = Spring { stiffness: ROD, rest_length: (b - a).length() };
        builder.add(spring, ends.map(|v| v + first), owner, 1.0);
    }
}

/// A stream of numbers that is the same every time.
struct Noise(u64);

impl Noise {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 11
    }

    /// A random number in [−1, 1).
    fn next(&mut self) -> f64 {
        self.bits() as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.bits() >> 20) % end as u64) as usize
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bullet_passes_through_at_any_speed() {
        for (decade, shots) in [(0, 18), (1, 27), (2, 27), (3, 27), (4, 27), (5, 36), (6, 38)] {
            let speed = 10_f64.powi(decade);
            let counts = fire_all(speed, shots);
            assert!(counts.touched > shots / 2, "most shots hit something: {counts:?}");
            let complaint = counts.complaint(speed);
            assert!(complaint.is_none(), "{speed:e} m/s: {complaint:?}");
        }
    }
}
