//! Whichever way contact is watched, the bits are the same, and so is the end if nothing can hold.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_contact::{BodySurface, ContactOptions, WatchKind, choose, with_contact};
use carom_elastic::{MembraneNeoHookean, ShellMaterial, Spring};
use carom_engine::{Carom, Method, MethodKind, Progress, Touch};
use carom_geometry::Mesh;
use carom_math::Vec3;
use carom_model::{ClockOptions, Fault, Fingerprint, LayerFamily, Owner, Part, State, System, SystemBuilder};
use carom_time::{Clocks, Tick};
use proptest::prelude::*;

/// A stop flag that nobody raises.
static NEVER: AtomicBool = AtomicBool::new(false);

/// A deterministic stream of numbers in [−1, 1).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

/// What flies about.
#[derive(Clone, Copy, Debug)]
struct Soup {
    seed: u64,
    triangles: usize,
    speed: f64,
    thickness: f64,
    family: LayerFamily,
    clocks: Clocks,
    max_layers: u32,
}

/// Triangles on a jittered lattice, with a short rod and a free point in every third and fifth cell.
fn soup(soup: &Soup) -> (Arc<System>, State) {
    let mut noise = Noise(soup.seed);
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
    }
    for (i, &corners) in meshes[0].triangles.iter().enumerate() {
        let rest = corners.map(|v| meshes[0].positions[v as usize]);
        let owner = Owner { body: 0, part: Part::Face(i as u32) };
        builder.add(MembraneNeoHookean::from_rest(&rest, &material), corners, owner, 1.0);
    }
    for (i, &ends) in meshes[1].edges.iter().enumerate() {
        let [a, b] = ends.map(|v| meshes[1].positions[v as usize]);
        let spring = Spring { stiffness: 40.0, rest_length: (b - a).length() };
        builder.add(spring, ends.map(|v| v + first[1]), Owner { body: 1, part: Part::Edge(i as u32) }, 1.0);
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
    let (contact, _) = choose(&system, &state, &surfaces, &options).unwrap();
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

type End = Result<(Fingerprint, u32, u64, Vec<Touch>), String>;

fn end_of(mut method: impl Method, end: Tick) -> (End, u64) {
    let outcome = method.advance_to(end, &NEVER);
    let contact = method.contact().unwrap();
    let evaluations = contact.effort.evaluations;
    let end = match outcome {
        Ok(Progress::Reached) => {
            let smallest = contact.smallest_distance_m.to_bits();
            Ok((method.state().fingerprint(), contact.effort.deepest_layer, smallest, method.touches()))
        }
        Ok(Progress::Stopped(_)) => unreachable!("nobody asked to stop"),
        Err(fault @ Fault::Squeezed { .. }) => Err(fault.to_string()),
        Err(fault) => panic!("{fault}"),
    };
    (end, evaluations)
}

fn all_ways_agree(case: &Soup, seconds: f64) -> End {
    let (system, state) = soup(case);
    let end = system.line.tick_at(seconds).unwrap();
    let way = |kind| end_of(Carom::watching(&system, &state, kind), end);
    let (certificates, evaluations) = way(WatchKind::Certificates);
    let (middle, _) = way(WatchKind::MiddleWay);
    assert_eq!(certificates, middle, "certificates against the middle way: {case:?}");
    let (brute, brute_evaluations) = way(WatchKind::BruteForce);
    assert_eq!(certificates, brute, "certificates against brute force: {case:?}");
    assert!(evaluations < brute_evaluations, "{evaluations} against {brute_evaluations}: {case:?}");
    println!(
        "{triangles} triangles at {speed:.1} m/s: {certificates:?}, {evaluations} of {brute_evaluations}",
        triangles = case.triangles,
        speed = case.speed
    );
    certificates
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn certificates_the_middle_way_and_brute_force_end_in_the_same_bits(
        seed: u64, triangles in 10_usize..30, speed in 5.0..60.0f64, thin in 0.03..0.1f64, deep in 6_u32..=8,
        family in prop::sample::select(vec![LayerFamily::Window, LayerFamily::Nested]),
    ) {
        let case = Soup { seed, triangles, speed, thickness: thin, family, clocks: Clocks::Dyadic, max_layers: deep };
        let _ = all_ways_agree(&case, 1.5 / speed);
    }

    #[test]
    fn with_exact_clocks_and_the_papers_layers_too(seed: u64, speed in 5.0..60.0f64) {
        let case = Soup {
            seed, speed, triangles: 12, thickness: 0.06, family: LayerFamily::Acm, clocks: Clocks::Exact, max_layers: 6,
        };
        let _ = all_ways_agree(&case, 1.5 / speed);
    }

    #[test]
    fn the_reference_agrees(seed: u64, speed in 5.0..30.0f64) {
        let case = Soup {
            seed, speed, triangles: 8, thickness: 0.08, family: LayerFamily::Window, clocks: Clocks::Dyadic, max_layers: 6,
        };
        let (system, state) = soup(&case);
        let end = system.line.tick_at(1.5 / speed).unwrap();
        let (ours, _) = end_of(Carom::new(&system, &state), end);
        let mut reference = MethodKind::Reference.start(&system, state);
        let outcome = reference.advance_to(end, &NEVER);
        match ours {
            Ok((fingerprint, ..)) => prop_assert_eq!(reference.state().fingerprint(), fingerprint),
            Err(fault) => prop_assert_eq!(outcome.unwrap_err().to_string(), fault),
        }
    }
}

#[test]
fn with_exact_clocks_a_squeeze_is_found_at_the_same_tick_whoever_looks_in_between() {
    let case = Soup {
        seed: 15_809_970_278_482_648_566,
        triangles: 12,
        speed: 19.759_104_631_882_046,
        thickness: 0.06,
        family: LayerFamily::Acm,
        clocks: Clocks::Exact,
        max_layers: 6,
    };
    assert!(all_ways_agree(&case, 1.5 / case.speed).is_err());
}
