//! The fade of nearly parallel edges costs no safety: where an edge–edge force has faded, an end of one edge is as near to the
//! other as `√(d² + ℓ² sin²θ)`, and a vertex–face or vertex–edge pair stands there.
//!
//! Sheets are folded onto themselves and onto each other, so that edges that share a neighbour and edges of other bodies
//! turn up alike; some vertices are clamped.

use carom_contact::{BodySurface, ContactOptions, Pair, PairRules, tune_contact, with_contact};
use carom_geometry::{Mesh, shapes};
use carom_math::Vec3;
use carom_model::{Axes, ClockOptions, PairId, PairKind, State, System, SystemBuilder};
use proptest::prelude::*;

const THICKNESS: f64 = 0.2;

/// Bodies at rest, then moved to `place`; every vertex for which `clamped` says so cannot move.
fn scene(meshes: &[Mesh], place: impl Fn(u32) -> Vec3, clamped: impl Fn(u32) -> bool) -> (System, State) {
    let mut builder = SystemBuilder::new();
    let mut first = Vec::new();
    for (b, mesh) in meshes.iter().enumerate() {
        builder.body(format!("{b}"));
        first.push(builder.positions().len() as u32);
        for x in &mesh.positions {
            let v = builder.vertex(*x, Vec3::ZERO, 1.0);
            if clamped(v) {
                builder.pin(v, Axes::ALL);
            }
        }
    }
    let (system, mut state) = builder.build(&ClockOptions::default()).unwrap();
    let surface =
        |(mesh, &first_vertex)| BodySurface { mesh, first_vertex, thickness: THICKNESS, radius: 0.0 };
    let surfaces: Vec<BodySurface> = meshes.iter().zip(&first).map(surface).collect();
    let (contact, _) = tune_contact(&system, &state, &surfaces, &ContactOptions::default()).unwrap();
    for v in 0..state.len() {
        state.positions[v] = place(v as u32);
    }
    (with_contact(&system, contact), state)
}

/// An edge–edge pair whose force is faded, with its nearest points inside both edges.
struct Faded {
    pair: Pair,
    /// Within this of the other edge there must be an end, in m.
    reach: f64,
}

fn faded(rules: &PairRules, state: &State) -> Vec<Faded> {
    let mut all = Vec::new();
    rules.for_each(|pair| {
        if pair.id.kind != PairKind::EdgeEdge {
            return;
        }
        let x = PairRules::positions(&pair, |v| state.positions[v as usize]);
        let at = pair.measure(&x);
        let (e, f) = (x[1] - x[0], x[3] - x[2]);
        let sin_sq = e.cross(f).length_sq() / (e.length_sq() * f.length_sq());
        if sin_sq * pair.fade < 1.0 && at.weights.iter().all(|w| *w != 0.0) && at.distance < THICKNESS {
            let shorter_sq = e.length_sq().min(f.length_sq());
            all.push(Faded { pair, reach: (at.distance * at.distance + shorter_sq * sin_sq).sqrt() });
        }
    });
    all
}

/// The nearest pair of a vertex with a face or a bare edge of one of the two edges' ends.
fn nearest_taker(rules: &PairRules, state: &State, faded: &Faded) -> f64 {
    let contact = rules.contact();
    let [a, b, c, d] = faded.pair.vertices;
    let mut nearest = f64::INFINITY;
    for (ends, [p, q]) in [([a, b], [c, d]), ([c, d], [a, b])] {
        for (i, _) in contact.vertices.iter().enumerate().filter(|(_, v)| ends.contains(&v.vertex)) {
            let faces = contact.faces.iter().enumerate();
            let faces = faces.filter(|(_, f)| f.vertices.contains(&p) && f.vertices.contains(&q));
            let edges = contact.edges.iter().enumerate();
            let edges =
                edges.filter(|(_, e)| e.is_bare && e.vertices.contains(&p) && e.vertices.contains(&q));
            let takers = faces
                .map(|(j, _)| (PairKind::VertexFace, j))
                .chain(edges.map(|(j, _)| (PairKind::VertexEdge, j)));
            for (kind, j) in takers {
                if let Some(pair) = rules.pair(PairId { kind, a: i as u32, b: j as u32 }) {
                    let x = PairRules::positions(&pair, |v| state.positions[v as usize]);
                    nearest = nearest.min(pair.measure(&x).distance);
                }
            }
        }
    }
    nearest
}

/// How many faded pairs there are, after every one of them has found its taker.
fn expect_takers(system: &System, state: &State) -> Result<usize, TestCaseError> {
    let rules = PairRules::with_own_numbers(system);
    let faded = faded(&rules, state);
    for one in &faded {
        let nearest = nearest_taker(&rules, state, one);
        prop_assert!(
            nearest <= one.reach * (1.0 + 1e-9) + 1e-12,
            "{:?}: {nearest} {}",
            one.pair.id,
            one.reach
        );
    }
    Ok(faded.len())
}

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_folded_sheet_has_a_vertex_face_pair_where_edges_are_nearly_parallel(
        crease in -0.4..0.4f64, gap in 0.01..0.15f64, noise in prop::collection::vec(vector(0.03), 32), clamp in 0_u32..8,
    ) {
        let sheet = shapes::grid(2.0, 1.0, 0.5).unwrap();
        let rest = sheet.positions.clone();
        let folded = |v: u32| {
            let x = rest[v as usize];
            let over = if x.x > crease { Vec3::new(2.0 * crease - x.x, x.y, gap) } else { x };
            over + noise[v as usize % noise.len()]
        };
        let (system, state) = scene(&[sheet], folded, |v| v % 8 == clamp);
        expect_takers(&system, &state)?;
    }

    #[test]
    fn two_sheets_have_one_too(
        gap in 0.01..0.15f64, shift in vector(0.2), noise in prop::collection::vec(vector(0.02), 64), clamp in 0_u32..8,
    ) {
        let sheets = [shapes::grid(1.0, 1.0, 0.5).unwrap(), shapes::grid(1.2, 1.0, 0.6).unwrap()];
        let lower = sheets[0].positions.len();
        let rest: Vec<Vec3> = sheets.iter().flat_map(|s| s.positions.iter().copied()).collect();
        let place = |v: u32| {
            let over = if v as usize >= lower { Vec3::new(shift.x, shift.y, gap) } else { Vec3::ZERO };
            rest[v as usize] + over + noise[v as usize % noise.len()]
        };
        let (system, state) = scene(&sheets, place, |v| v % 8 == clamp);
        expect_takers(&system, &state)?;
    }

    #[test]
    fn two_rods_have_a_vertex_edge_pair(
        gap in 0.01..0.15f64, shift in -0.8..0.8f64, noise in prop::collection::vec(vector(0.05), 8),
    ) {
        let rod = |y: f64| shapes::rod(Vec3::new(-1.0, y, 0.0), Vec3::new(1.0, y, 0.0), 3).unwrap();
        let rods = [rod(0.0), rod(3.0)];
        let rest: Vec<Vec3> = rods.iter().flat_map(|s| s.positions.iter().copied()).collect();
        let place = |v: u32| {
            let over = if v >= 4 { Vec3::new(shift, -3.0, gap) } else { Vec3::ZERO };
            rest[v as usize] + over + noise[v as usize]
        };
        let (system, state) = scene(&rods, place, |v| v == 0);
        expect_takers(&system, &state)?;
    }
}

#[test]
fn a_sheet_over_a_sheet_has_faded_pairs() {
    let sheet = shapes::grid(1.0, 1.0, 0.5).unwrap();
    let n = sheet.positions.len();
    let rest = sheet.positions.clone();
    // A little turned: parallel edges have no nearest points of their own.
    let place = |v: u32| {
        let x = rest[v as usize % n];
        let turned = Vec3::new(x.x - 0.1 * x.y + 0.05, x.y + 0.1 * x.x, 0.1);
        if v as usize >= n { turned } else { x }
    };
    let (system, state) = scene(&[sheet.clone(), sheet], place, |_| false);
    let faded = expect_takers(&system, &state).unwrap();
    assert!(faded > 4, "{faded}");
}
