//! Every check on systems of real elements: a shell, a rod, a block.

use std::sync::Arc;

use carom_elastic::{BendingMidedge, MembraneStvk, RodBend, ShellMaterial, Spring};
use carom_geometry::{Topology, shapes};
use carom_math::Vec3;
use carom_model::{ClockOptions, Owner, Part, State, System, SystemBuilder};
use carom_time::Clocks;
use carom_verify::{Options, Report, Verdict, verify};

/// Every residual of the structure must be below this.
const ROUND_OFF: f64 = 1e-10;

/// A smooth field of displacements and velocities without symmetry.
fn wave(x: Vec3, phase: f64) -> Vec3 {
    let (a, b) = (11.0 * x.x + 5.0 * x.y + phase, 7.0 * x.y - 9.0 * x.z + 2.0 * phase);
    Vec3::new(a.sin() * 0.6, b.cos() * 0.5, (a + b).sin())
}

/// Moves every vertex off its rest position by about `displaced` m, and lets it go at about `speed` m/s.
fn vertices(builder: &mut SystemBuilder, rest: &[Vec3], masses: &[f64], displaced: f64, speed: f64) {
    for (&x, &m) in rest.iter().zip(masses) {
        builder.vertex(x + wave(x, 0.3) * displaced, wave(x, 1.1) * speed, m);
    }
}

fn build(builder: SystemBuilder, clocks: Clocks) -> (Arc<System>, State) {
    let (system, state) = builder.build(&ClockOptions { clocks, ..ClockOptions::default() }).unwrap();
    (Arc::new(system), state)
}

/// A steel sheet of about 60 triangles, 1 mm thick, membrane and mid-edge bending.
fn shell(clocks: Clocks) -> (Arc<System>, State) {
    let mesh = shapes::grid(0.20, 0.16, 0.032).unwrap();
    let material = ShellMaterial { young: 2.1e11, poisson: 0.3, thickness: 1e-3 };
    let topology = Topology::new(&mesh.triangles).unwrap();
    let areas: Vec<f64> =
        mesh.triangles.iter().map(|t| carom_geometry::mesh::area_normal(mesh.corners(t)).length()).collect();
    let mut masses = vec![0.0; mesh.positions.len()];
    for (triangle, area) in mesh.triangles.iter().zip(&areas) {
        for &v in triangle {
            masses[v as usize] += 7850.0 * material.thickness * area / 3.0;
        }
    }
    let mut builder = SystemBuilder::new();
    vertices(&mut builder, &mesh.positions, &masses, 2e-3, 1.0);
    for (i, triangle) in mesh.triangles.iter().enumerate() {
        let owner = Owner { body: 0, part: Part::Face(i as u32) };
        let across = topology.neighbours[i].map(|n| n.map(|n| n.opposite));
        let stencil = BendingMidedge::stencil(*triangle, across);
        let bending = BendingMidedge::from_rest(
            &stencil.map(|v| mesh.positions[v as usize]),
            across.map(|n| n.is_some()),
            &material,
        );
        builder.add(MembraneStvk::from_rest(&mesh.corners(triangle), &material), *triangle, owner, areas[i]);
        builder.add(bending, stencil, owner, areas[i]);
    }
    assert!(mesh.triangles.len() >= 50);
    build(builder, clocks)
}

/// A steel wire of 2 mm, 24 edges.
fn rod(clocks: Clocks) -> (Arc<System>, State) {
    let (young, radius, segments) = (2.1e11, 1e-3, 24);
    let mesh = shapes::rod(Vec3::ZERO, Vec3::new(0.3, 0.1, 0.05), segments).unwrap();
    let edge = mesh.length() / segments as f64;
    let section = core::f64::consts::PI * radius * radius;
    let mut masses = vec![7850.0 * section * edge; segments + 1];
    masses[0] *= 0.5;
    masses[segments] *= 0.5;
    let mut builder = SystemBuilder::new();
    vertices(&mut builder, &mesh.positions, &masses, 1e-3, 1.0);
    for (i, ends) in mesh.edges.iter().enumerate() {
        let owner = Owner { body: 0, part: Part::Edge(i as u32) };
        builder.add(Spring { stiffness: young * section / edge, rest_length: edge }, *ends, owner, edge);
    }
    for i in 1..segments as u32 {
        let owner = Owner { body: 0, part: Part::Vertex(i) };
        let bend = RodBend::straight(edge, RodBend::stiffness_of_round(young, radius));
        builder.add(bend, [i - 1, i, i + 1], owner, edge);
    }
    build(builder, clocks)
}

fn expect_structure(name: &str, (system, state): &(Arc<System>, State)) {
    let report = verify(system, state, &Options::default());
    println!("{name}\n{}", table(&report));
    for check in &report.checks {
        assert_eq!(check.verdict, Verdict::Passed, "{name}: {check:?}");
        assert!(check.residual <= ROUND_OFF || check.name == "order", "{name}: {check:?}");
    }
}

fn table(report: &Report) -> String {
    let line = |c: &carom_verify::Check| format!("{:48} {:9.2e} {:?}\n", c.name, c.residual, c.details);
    report.checks.iter().map(line).collect()
}

#[test]
fn a_steel_sheet_has_the_structure() {
    expect_structure("sheet, dyadic", &shell(Clocks::Dyadic));
    expect_structure("sheet, exact", &shell(Clocks::Exact));
}

#[test]
fn a_steel_wire_has_the_structure() {
    expect_structure("wire, dyadic", &rod(Clocks::Dyadic));
    expect_structure("wire, exact", &rod(Clocks::Exact));
}
