//! What contact costs, and where the time goes: a thin sphere against a thin plate, and a sheet that crumples.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use carom_contact::{BodySurface, ContactOptions, choose, with_contact};
use carom_elastic::{BendingMidedge, MembraneNeoHookean, ShellMaterial};
use carom_engine::{Carom, Method, Reader};
use carom_geometry::{Mesh, Topology, shapes};
use carom_math::Vec3;
use carom_model::{ClockOptions, Owner, Part, State, System, SystemBuilder};

/// What a shell is made of.
#[derive(Clone, Copy)]
struct Stuff {
    shell: ShellMaterial,
    density: f64,
}

const ALUMINIUM: Stuff =
    Stuff { shell: ShellMaterial { young: 70e9, poisson: 0.33, thickness: 0.0035 }, density: 2700.0 };
const CLOTH: Stuff =
    Stuff { shell: ShellMaterial { young: 1e6, poisson: 0.3, thickness: 1e-3 }, density: 300.0 };

/// A thin sphere flies into a thin plate.
pub fn sphere_plate() {
    let (system, state) = sphere_and_plate(0.0133);
    report(&system, &state, 5e-4);
}

/// A sheet of cloth whose borders fly inward.
pub fn crumple(seconds: f64) {
    let (system, state) = crumpling_sheet();
    report(&system, &state, seconds);
}

/// Runs a system and prints time, energy and contact as it goes; `seconds` of physical time.
fn report(system: &Arc<System>, state: &State, seconds: f64) {
    let reader = Reader::new(system);
    let mut method = Carom::new(system, state);
    let never = AtomicBool::new(false);
    let started = Instant::now();
    let mut start_j = None;
    println!(
        "{:>10} {:>8} {:>12} {:>11} {:>10} {:>7} {:>7} {:>6}",
        "t in s", "wall s", "energy", "error", "contact J", "awake", "near", "deep"
    );
    for row in 0..=20_u32 {
        let tick = system.line.tick_at(seconds * f64::from(row) / 20.0).expect("a short run");
        if let Err(fault) = method.advance_to(tick, &never) {
            println!("{fault}");
            break;
        }
        let reading = reader.read(&method.state(), &method.books(), &method.pairs(), tick);
        let total = reading.total_j();
        let start = *start_j.get_or_insert(total);
        let contact = method.contact().expect("contact");
        println!(
            "{:>10.3e} {:>8.2} {:>12.6} {:>11.3e} {:>10.3e} {:>7} {:>7} {:>6}",
            reading.time_s,
            started.elapsed().as_secs_f64(),
            total,
            total / start - 1.0,
            reading.potential_j.last().unwrap_or(&0.0),
            method.pairs().len(),
            contact.effort.near_pairs,
            contact.effort.deepest_layer,
        );
    }
    let wall = started.elapsed().as_secs_f64();
    let contact = method.contact().expect("contact");
    let share = |part: std::time::Duration| 100.0 * part.as_secs_f64() / wall;
    println!(
        "{} triangles, {:.1} s, {} instants, steps {:?}: pairs {:.1} %, proofs {:.1} %, searches {:.1} %; {:?}; smallest distance {:.3e} m",
        system.contact.as_ref().map_or(0, |c| c.faces.len()),
        wall,
        method.instants(),
        system.spans().iter().map(|s| system.line.quantum.step(*s)).collect::<Vec<_>>(),
        share(contact.pushing),
        share(contact.proving),
        share(contact.effort.searching),
        contact.effort,
        contact.smallest_distance_m,
    );
}

fn sphere_and_plate(edge: f64) -> (Arc<System>, State) {
    let gap = ALUMINIUM.shell.thickness + 0.002;
    let sphere = shapes::sphere(0.125, edge).expect("a sphere").translated(Vec3::Z * (0.125 + gap));
    let plate = shapes::disc(0.35, edge).expect("a disc");
    let mut builder = SystemBuilder::new();
    add_shell(&mut builder, "sphere", &sphere, ALUMINIUM, |_| Vec3::Z * -100.0);
    add_shell(&mut builder, "plate", &plate, ALUMINIUM, |_| Vec3::ZERO);
    let options = ClockOptions { step_s: Some(1e-7), ..ClockOptions::default() };
    finish(builder, &options, &[&sphere, &plate], ALUMINIUM.shell.thickness)
}

fn crumpling_sheet() -> (Arc<System>, State) {
    let sheet = shapes::grid(0.5, 0.5, 0.01).expect("a grid");
    let mut builder = SystemBuilder::new();
    // Inward along both sides, with a few ripples across that decide where it folds.
    let velocity = |x: Vec3| {
        let (u, v) = (x.x - 0.25, x.y - 0.25);
        let ripple = (37.0 * u).sin() * (29.0 * v + 1.0).cos() + 0.5 * (61.0 * (u + v)).sin();
        Vec3::new(-20.0 * u, -20.0 * v, 6.0 * ripple)
    };
    add_shell(&mut builder, "sheet", &sheet, CLOTH, velocity);
    finish(builder, &ClockOptions::default(), &[&sheet], 0.002)
}

fn finish(
    builder: SystemBuilder,
    options: &ClockOptions,
    meshes: &[&Mesh],
    thickness: f64,
) -> (Arc<System>, State) {
    let (system, state) = builder.build(options).expect("sound shells");
    let mut first_vertex = 0;
    let mut surfaces = Vec::new();
    for &mesh in meshes {
        surfaces.push(BodySurface { mesh, first_vertex, thickness, radius: 0.0 });
        first_vertex += mesh.positions.len() as u32;
    }
    let (contact, choices) =
        choose(&system, &state, &surfaces, &ContactOptions::default()).expect("steps that fit");
    for choice in choices {
        println!("{choice:?}");
    }
    (Arc::new(with_contact(&system, contact)), state)
}

fn add_shell(
    builder: &mut SystemBuilder,
    name: &str,
    mesh: &Mesh,
    stuff: Stuff,
    velocity: impl Fn(Vec3) -> Vec3,
) {
    let body = builder.body(name);
    let first = builder.positions().len() as u32;
    let mut masses = vec![0.0; mesh.positions.len()];
    for corners in &mesh.triangles {
        let [a, b, c] = mesh.corners(corners);
        let mass = stuff.density * stuff.shell.thickness * 0.5 * (b - a).cross(c - a).length();
        corners.iter().for_each(|v| masses[*v as usize] += mass / 3.0);
    }
    for (x, m) in mesh.positions.iter().zip(masses) {
        builder.vertex(*x, velocity(*x), m);
    }
    let topology = Topology::new(&mesh.triangles).expect("a surface");
    for (i, &corners) in mesh.triangles.iter().enumerate() {
        let owner = Owner { body, part: Part::Face(i as u32) };
        let rest = mesh.corners(&corners);
        builder.add(
            MembraneNeoHookean::from_rest(&rest, &stuff.shell),
            corners.map(|v| v + first),
            owner,
            1.0,
        );
        let across = topology.neighbours[i].map(|n| n.map(|n| n.opposite));
        let stencil = BendingMidedge::stencil(corners, across);
        let rest = stencil.map(|v| mesh.positions[v as usize]);
        let bending =
            BendingMidedge::from_rest(&rest, across.map(|a| a.is_some()), &stuff.shell).with_free_borders();
        builder.add(bending, stencil.map(|v| v + first), owner, 1.0);
    }
}
