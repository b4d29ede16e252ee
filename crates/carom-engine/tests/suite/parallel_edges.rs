//! Edges thrown at each other nearly parallel, where their own force fades, never cross.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_ccd::{Kind, first_contact};
use carom_contact::{BodySurface, ContactOptions, tune_contact, with_contact};
use carom_elastic::Spring;
use carom_engine::{Carom, Method};
use carom_geometry::Mesh;
use carom_math::Vec3;
use carom_model::{ClockOptions, Owner, Part, State, System, SystemBuilder};
use carom_time::Tick;
use proptest::prelude::*;

static NEVER: AtomicBool = AtomicBool::new(false);

const THICKNESS: f64 = 0.05;

/// Two edges of length about 1, bare or on a triangle each, that meet in the middle at `angle` with `speed`.
#[derive(Clone, Copy, Debug)]
struct Throw {
    faces: bool,
    angle: f64,
    shift: f64,
    tilt: f64,
    speed: f64,
    spin: f64,
}

fn thrown(throw: &Throw) -> (Arc<System>, State) {
    let along = Vec3::new(throw.angle.cos(), throw.angle.sin(), throw.tilt) * 0.5;
    let lower = [Vec3::X * -0.5, Vec3::X * 0.5, Vec3::new(0.1, 0.9, -0.6)];
    let middle = Vec3::new(throw.shift, 0.0, 2.0 * THICKNESS + 0.5 * throw.tilt.abs());
    let upper = [middle - along, middle + along, middle + Vec3::new(0.0, -0.8, 0.7)];
    let mut builder = SystemBuilder::new();
    let mut meshes = Vec::new();
    for (body, corners) in (0..).zip([lower, upper]) {
        builder.body(format!("{body}"));
        let first = builder.positions().len() as u32;
        let count = if throw.faces { 3 } else { 2 };
        for (i, x) in corners[..count].iter().enumerate() {
            let spin = [-throw.spin, throw.spin, 0.0][i];
            let velocity = Vec3::Z * if body == 1 { spin - throw.speed } else { 0.0 };
            builder.vertex(*x, velocity, 0.1);
        }
        let mut mesh = Mesh { positions: corners[..count].to_vec(), ..Mesh::default() };
        let edges: &[[u32; 2]] = if throw.faces { &[[0, 1], [1, 2], [2, 0]] } else { &[[0, 1]] };
        for (i, &[a, b]) in (0..).zip(edges) {
            let rest_length = (corners[a as usize] - corners[b as usize]).length();
            let spring = Spring { stiffness: 2e3, rest_length };
            builder.add(spring, [a + first, b + first], Owner { body, part: Part::Edge(i) }, 1.0);
        }
        if throw.faces {
            mesh.triangles.push([0, 1, 2]);
        } else {
            mesh.edges.push([0, 1]);
        }
        meshes.push((mesh, first));
    }
    let (system, state) = builder.build(&ClockOptions::default()).unwrap();
    let mut surfaces = Vec::new();
    for (mesh, first_vertex) in &meshes {
        surfaces.push(BodySurface { mesh, first_vertex: *first_vertex, thickness: THICKNESS, radius: 0.0 });
    }
    let (contact, _) = tune_contact(&system, &state, &surfaces, &ContactOptions::default()).unwrap();
    (Arc::new(with_contact(&system, contact)), state)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn nearly_parallel_edges_never_cross(
        faces: bool, angle in prop_oneof![Just(0.0), -0.06..0.06f64, -0.5..0.5f64],
        shift in -0.9..0.9f64, tilt in prop_oneof![Just(0.0), -0.1..0.1f64], speed in 0.1..20.0f64, spin in prop_oneof![Just(0.0), -0.3..0.3f64],
    ) {
        let throw = Throw { faces, angle, shift, tilt, speed, spin: spin * speed };
        let (system, state) = thrown(&throw);
        let end = system.line.tick_at(0.6 / speed).unwrap();
        let mut engine = Carom::new(&system, &state);
        let edges: &[[usize; 2]] = if faces { &[[0, 1], [1, 2], [2, 0]] } else { &[[0, 1]] };
        let at = |engine: &Carom, tick: Tick| {
            let state = engine.state();
            (0..state.len()).map(|v| state.position_at(v, tick)).collect::<Vec<Vec3>>()
        };
        let mut before = at(&engine, Tick::START);
        let first_upper = before.len() / 2;
        let samples = 400;
        for sample in 1..=samples {
            let tick = Tick(end.0 / samples * sample);
            engine.advance_to(tick, &NEVER).unwrap();
            let now = at(&engine, tick);
            for e in edges {
                for f in edges {
                    let four = |x: &[Vec3]| [x[e[0]], x[e[1]], x[f[0] + first_upper], x[f[1] + first_upper]];
                    prop_assert!(first_contact(Kind::EdgeEdge, &four(&before), &four(&now)).is_none(), "{throw:?}");
                }
            }
            before = now;
        }
        let contact = engine.summary().contact.unwrap();
        prop_assert!(contact.smallest_distance_m > 0.0);
    }
}
