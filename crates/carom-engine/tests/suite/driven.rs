//! Loads that do work of their own: both engines agree to the bit, and the ledger closes.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_elastic::{
    BendingMidedge, DrivenForce, DrivenLoad, DrivenLoads, MembraneNeoHookean, Profile, ShellMaterial, Spring,
};
use carom_engine::{Method, MethodKind, Reader, Reading};
use carom_geometry::mesh::area_normal;
use carom_geometry::{Topology, shapes};
use carom_math::Vec3;
use carom_model::{Axes, ClockOptions, Owner, Part, State, System, SystemBuilder};
use carom_time::{Clocks, Tick};
use proptest::prelude::*;

static NEVER: AtomicBool = AtomicBool::new(false);

/// A sheet held at a corner, blown at by pressure, pulled by a force that comes and goes, pushed along its normals.
fn sheet(strengths: &[f64], exact: bool, safety: f64) -> (Arc<System>, State) {
    let material = ShellMaterial { young: 2e4, poisson: 0.3, thickness: 0.02 };
    let mesh = shapes::grid(1.0, 0.8, 0.3).unwrap();
    let topology = Topology::new(&mesh.triangles).unwrap();
    let owner = |part| Owner { body: 0, part };
    let mut builder = SystemBuilder::new();
    for &x in &mesh.positions {
        builder.vertex(x, Vec3::ZERO, 0.0);
    }
    let ramp = Profile::new(vec![[0.0, 0.0], [0.05, 1.0], [0.12, -0.5], [0.2, 0.0]]).map(Arc::new);
    let mut driven = DrivenLoads::default();
    for (i, &t) in mesh.triangles.iter().enumerate() {
        let face = owner(Part::Face(i as u32));
        let shape = mesh.corners(&t);
        let area = area_normal(shape).length();
        for v in t {
            builder.add_mass(v, 1000.0 * 0.02 * area / 3.0 * (1.0 + 0.1 * f64::from(v % 3)));
        }
        builder.add(MembraneNeoHookean::from_rest(&shape, &material), t, face, area);
        let across = topology.neighbours[i].map(|n| n.map(|n| n.opposite));
        let stencil = BendingMidedge::stencil(t, across);
        let rest = stencil.map(|v| mesh.positions[v as usize]);
        builder.add(
            BendingMidedge::from_rest(&rest, across.map(|a| a.is_some()), &material),
            stencil,
            face,
            area,
        );
        let push = if i % 2 == 0 {
            DrivenForce::Pressure(t, strengths[0])
        } else {
            DrivenForce::Normal(t, strengths[1])
        };
        let profile = if i % 3 == 0 { None } else { ramp.clone() };
        driven.push(DrivenLoad { push, profile, owner: face });
    }
    let last = mesh.positions.len() as u32 - 1;
    let force = Vec3::new(strengths[2], strengths[3], strengths[4]);
    driven.push(DrivenLoad {
        push: DrivenForce::Force(last, force),
        profile: ramp,
        owner: owner(Part::Vertex(last)),
    });
    builder.pin(0, Axes::ALL);
    builder.pin(1, Axes { x: false, y: true, z: true });
    builder.add(Spring { stiffness: 5.0, rest_length: 1.0 }, [1, last], owner(Part::Other(0)), 1.0);
    builder.family(Arc::new(driven));
    let clocks = if exact { Clocks::Exact } else { Clocks::Dyadic };
    let (system, state) = builder.build(&ClockOptions { clocks, safety, ..ClockOptions::default() }).unwrap();
    (Arc::new(system), state)
}

fn at(kind: MethodKind, system: &Arc<System>, state: &State, end: Tick) -> Box<dyn Method> {
    let mut method = kind.start(system, state.clone());
    method.advance_to(end, &NEVER).unwrap();
    method
}

fn read(system: &Arc<System>, method: &dyn Method, tick: Tick) -> Reading {
    Reader::new(system).read(&method.state(), &method.external(), &method.pairs(), tick)
}

/// Work done by loads up to 0.15 s, and how far the energy is from it.
fn work_and_gap(strengths: &[f64], safety: f64) -> (f64, f64) {
    let (system, state) = sheet(strengths, false, safety);
    let end = system.line.tick_at(0.15).unwrap();
    let start = read(&system, at(MethodKind::Carom, &system, &state, Tick::START).as_ref(), Tick::START);
    let now = read(&system, at(MethodKind::Carom, &system, &state, end).as_ref(), end);
    (now.work_j, (now.total_j() - start.total_j() - now.work_j + start.work_j).abs())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn driven_loads_give_the_same_bits_by_either_engine(
        strengths in prop::array::uniform5(-40.0..40.0f64),
        exact in any::<bool>(),
    ) {
        let (system, state) = sheet(&strengths, exact, 0.3);
        let end = system.line.tick_at(0.03).unwrap();
        let [fast, oracle] = [MethodKind::Carom, MethodKind::Reference].map(|kind| at(kind, &system, &state, end));
        prop_assert_eq!(fast.state().fingerprint(), oracle.state().fingerprint());
        let [a, b] = [&fast, &oracle].map(|m| read(&system, m.as_ref(), end));
        prop_assert!((a.work_j - b.work_j).abs() <= 1e-12 * a.work_j.abs().max(1e-9), "{} {}", a.work_j, b.work_j);
        // Momentum is what was put in.
        let left = (a.momentum - a.from_outside.linear).length();
        prop_assert!(left <= 1e-10 * a.momentum_scale, "{}", left);
    }
}

#[test]
fn the_ledger_closes_to_the_work_of_driven_loads() {
    let (work, gap) = work_and_gap(&[3.0, 0.2, 0.5, -0.3, 2.0], 0.05);
    assert!(work > 1e-4 && gap < 1e-4 * work, "{gap} J of {work} J of work are missing");
    let (work, coarse) = work_and_gap(&[3.0, 0.2, 0.5, -0.3, 2.0], 0.2);
    assert!(coarse < 2e-3 * work && coarse > 2.0 * gap, "{coarse} J with longer steps");
}
