//! Element evaluations per second on one core: a spherical shell of membranes and mid-edge bending.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use carom_elastic::{BendingMidedge, MembraneNeoHookean, MembraneStvk, ShellMaterial};
use carom_engine::MethodKind;
use carom_geometry::{Topology, shapes};
use carom_math::Vec3;
use carom_model::{ClockOptions, Element, Owner, Part, State, System, SystemBuilder};

const MATERIAL: ShellMaterial = ShellMaterial { young: 70e9, poisson: 0.33, thickness: 0.0035 };
const DENSITY: f64 = 2700.0;

/// Prints one line per shell.
pub fn report() {
    println!("{:>10} {:>22} {:>22} {:>14}", "triangles", "membrane", "bending", "M forces/s");
    for frequency in [8, 18, 45, 90] {
        for (membrane, bending) in [(true, false), (false, true), (true, true)] {
            let (system, state) = sphere(frequency, membrane, bending);
            let rate = measure(&system, &state);
            let name = |on: bool, kind: &'static str| if on { kind } else { "-" };
            println!(
                "{:>10} {:>22} {:>22} {:>14.2}",
                20 * frequency * frequency,
                name(membrane, MembraneNeoHookean::KIND),
                name(bending, BendingMidedge::KIND),
                rate / 1e6,
            );
        }
    }
    let (system, state) = stvk_sphere(18);
    println!(
        "{:>10} {:>22} {:>22} {:>14.2}",
        20 * 18 * 18,
        MembraneStvk::KIND,
        "-",
        measure(&system, &state) / 1e6
    );
}

/// The best of five: other work on the machine only ever slows a run down.
fn measure(system: &Arc<System>, state: &State) -> f64 {
    let never = AtomicBool::new(false);
    let elements: usize = system.families.iter().map(|f| f.len()).sum();
    let steps = (2_000_000 / elements).max(20);
    let span = system.spans()[0];
    (0..5)
        .map(|_| {
            let mut method = MethodKind::Carom.start(system, state.clone());
            let end = carom_time::Tick(span.quanta() * steps as u64);
            let started = Instant::now();
            method.advance_to(end, &never).expect("a gentle motion does not fault");
            let evaluations: u64 = method.evaluations().iter().sum();
            evaluations as f64 / started.elapsed().as_secs_f64()
        })
        .fold(0.0, f64::max)
}

/// A sphere of 20 f² triangles, all on one step, breathing gently.
fn sphere(frequency: usize, membrane: bool, bending: bool) -> (Arc<System>, State) {
    build(frequency, |builder, stencil, rest, flags, owner| {
        if membrane {
            let corners = [stencil[0], stencil[1], stencil[2]];
            let element = MembraneNeoHookean::from_rest(&[rest[0], rest[1], rest[2]], &MATERIAL);
            builder.add(element, corners, owner, 1.0);
        }
        if bending {
            builder.add(BendingMidedge::from_rest(rest, flags, &MATERIAL), stencil, owner, 1.0);
        }
    })
}

fn stvk_sphere(frequency: usize) -> (Arc<System>, State) {
    build(frequency, |builder, stencil, rest, _, owner| {
        let element = MembraneStvk::from_rest(&[rest[0], rest[1], rest[2]], &MATERIAL);
        builder.add(element, [stencil[0], stencil[1], stencil[2]], owner, 1.0);
    })
}

fn build(
    frequency: usize,
    mut add: impl FnMut(&mut SystemBuilder, [u32; 6], &[Vec3; 6], [bool; 3], Owner),
) -> (Arc<System>, State) {
    let mesh = shapes::icosphere(0.125, frequency).expect("a sphere");
    let topology = Topology::new(&mesh.triangles).expect("a closed surface");
    let mut builder = SystemBuilder::new();
    let mass = DENSITY * MATERIAL.thickness * 4.0 * core::f64::consts::PI * 0.125 * 0.125
        / mesh.positions.len() as f64;
    for &x in &mesh.positions {
        builder.vertex(x, x * 0.1, mass);
    }
    for (i, &corners) in mesh.triangles.iter().enumerate() {
        let across = topology.neighbours[i].map(|n| n.map(|n| n.opposite));
        let stencil = BendingMidedge::stencil(corners, across);
        let rest = stencil.map(|v| mesh.positions[v as usize]);
        let owner = Owner { body: 0, part: Part::Face(i as u32) };
        add(&mut builder, stencil, &rest, across.map(|a| a.is_some()), owner);
    }
    let options = ClockOptions { step_s: Some(1e-8), ..ClockOptions::default() };
    let (system, state) = builder.build(&options).expect("a sound sphere");
    (Arc::new(system), state)
}
