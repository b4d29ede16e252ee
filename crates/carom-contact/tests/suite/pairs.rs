//! A pair is a potential of the shape of its vertices alone: its force is minus the slope of its energy, its tangents are
//! the slope of its force, and no rigid motion changes either.
//!
//! Vertices are thrown at random within reach, so that every region of every kind turns up: faces, their edges and corners,
//! edges at their ends, and edges so nearly parallel that their force fades.

use std::cell::Cell;

use carom_contact::{Layers, Pair, vertices_of};
use carom_math::{Dual, Mat3, Vec3};
use carom_model::{Law, LayerFamily, LayerSpec, PairId, PairKind};
use carom_time::{Quantum, Span};
use proptest::prelude::*;

const KINDS: [PairKind; 4] =
    [PairKind::VertexFace, PairKind::EdgeEdge, PairKind::VertexEdge, PairKind::VertexVertex];

const THICKNESS: f64 = 0.8;

/// Nearer pairs are in layers so stiff that differences have no digits left.
const NEAREST: f64 = 0.1;

fn layers(family: LayerFamily) -> Layers {
    let span = Span::new(1 << 20).unwrap();
    let spec = LayerSpec {
        family,
        thickness: THICKNESS,
        stiffness: 3.0,
        span,
        one_clock: false,
        law: Law::IDEAL,
        friction_window: span,
    };
    Layers::new(&spec, 16, Quantum::new(1e-9))
}

fn pair(kind: PairKind, fade: f64, radius: f64) -> Pair {
    let fade = if kind == PairKind::EdgeEdge { fade } else { 0.0 };
    let id = PairId { kind, a: 0, b: 0 };
    let vertices = [0, 1, 2, 3];
    Pair {
        id,
        vertices,
        bodies: [0, 1],
        layers: 0,
        first_layer: 1,
        radius,
        weight: 0.7,
        fade,
        period: Vec3::ZERO,
    }
}

fn point() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-0.6..0.6f64).prop_map(Vec3::from)
}

const UNITS: f64 = (1_u64 << 60) as f64;

/// A point whose coordinates are whole multiples of 2⁻⁶⁰.
fn on_lattice() -> impl Strategy<Value = Vec3> {
    point().prop_map(|x| Vec3::from(x.to_array().map(|x| (x * UNITS).round() / UNITS)))
}

/// Any four points, or two edges that are nearly parallel.
fn four() -> impl Strategy<Value = [Vec3; 4]> {
    let nearly_parallel =
        (point(), point(), point(), -0.3..0.3f64, point()).prop_map(|(a, e, off, s, tilt)| {
            let e = e + Vec3::X * 0.5;
            [a, a + e, a + off + e * s, a + off + e * (s + 1.0) + tilt * 0.2]
        });
    prop_oneof![prop::array::uniform4(point()), nearly_parallel]
}

fn family() -> impl Strategy<Value = LayerFamily> {
    prop::sample::select(vec![LayerFamily::Acm, LayerFamily::Nested, LayerFamily::Window])
}

fn energy(pair: &Pair, layers: &Layers, x: &[Vec3; 4]) -> f64 {
    pair.energy(layers, x, &pair.measure(x))
}

/// The force on each vertex, every layer counted in full.
fn forces(pair: &Pair, layers: &Layers, x: &[Vec3; 4]) -> [Vec3; 4] {
    pair.impulses(layers, x, &pair.measure(x), |_, _| 1.0).unwrap_or_default()
}

/// On which side of every kink it is: which vertices hold the nearest points, how many layers reach it, and whether edges are so nearly
/// parallel that their force fades. A difference across a kink says nothing of either side.
fn side(pair: &Pair, layers: &Layers, x: &[Vec3; 4]) -> ([bool; 4], u32, bool) {
    let at = pair.measure(x);
    let (e, f) = (x[1] - x[0], x[3] - x[2]);
    let fades = pair.fade * e.cross(f).length_sq() < e.length_sq() * f.length_sq();
    (at.weights.map(|w| w != 0.0), layers.depth_at(at.distance), fades)
}

/// A step to both sides, and two.
const AROUND: [f64; 4] = [STEP, -STEP, 2.0 * STEP, -2.0 * STEP];
const STEP: f64 = 1e-6;

/// The slope of something whose values [around](AROUND) are these, of fourth order: the line between the nearest points of edges that are nearly
/// parallel turns within some steps.
fn slope([ahead, behind, far_ahead, far_behind]: [f64; 4]) -> f64 {
    (8.0 * (ahead - behind) - (far_ahead - far_behind)) / (12.0 * STEP)
}

fn moved(x: &[Vec3; 4], along: &[Vec3; 4], by: f64) -> [Vec3; 4] {
    core::array::from_fn(|i| x[i] + along[i] * by)
}

fn size(forces: &[Vec3; 4]) -> f64 {
    forces.iter().map(|f| f.length()).sum()
}

const CASES: u32 = 2000;

/// How many cases of each kind were judged.
#[derive(Default)]
struct Judged([Cell<u32>; KINDS.len()]);

impl Judged {
    fn count(&self, kind: PairKind) {
        let place = KINDS.iter().position(|k| *k == kind).expect("all kinds are there");
        self.0[place].set(self.0[place].get() + 1);
    }

    /// Where nothing pushes, there is nothing to be wrong.
    fn count_pushing(&self, kind: PairKind, forces: &[Vec3; 4]) {
        if size(forces) > 0.0 {
            self.count(kind);
        }
    }

    /// A test that throws nearly all cases away has shown nothing.
    fn assert_at_least(&self, share: f64) {
        let counts = self.0.each_ref().map(Cell::get);
        let enough = counts.iter().all(|count| f64::from(*count) >= share * f64::from(CASES));
        assert!(enough, "of {CASES} cases {counts:?} were judged, by kind {KINDS:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    #[test]
    fn energies_forces_and_impulses_together_have_the_bits_of_each_alone(
        x in four(), family in family(), fade in 2.0..20.0f64, radius in 0.0..0.1f64, first in 1..5_u32,
    ) {
        let layers = layers(family);
        let factor = |l: u32| if l.is_multiple_of(3) { 0.0 } else { 0.1 - 0.03 * f64::from(l) };
        for kind in KINDS {
            let pair = Pair { first_layer: first, ..pair(kind, fade, radius) };
            let at = pair.measure(&x);
            let (energy, [forces, impulses]) = pair.energy_forces_and_impulses(&layers, &x, &at, factor);
            prop_assert_eq!(energy.to_bits(), pair.energy(&layers, &x, &at).to_bits());
            prop_assert_eq!(forces, pair.impulses(&layers, &x, &at, |_, _| 1.0).unwrap_or_default());
            prop_assert_eq!(impulses, pair.impulses(&layers, &x, &at, |l, _| factor(l)).unwrap_or_default());
        }
    }

    #[test]
    fn forces_and_torques_of_a_pair_add_up_to_nothing(
        x in four(), family in family(), fade in 2.0..20.0f64, radius in 0.0..0.1f64, far in point(),
    ) {
        let layers = layers(family);
        for kind in KINDS {
            let pair = pair(kind, fade, radius);
            let x = x.map(|x| x + far * 10.0);
            let force = forces(&pair, &layers, &x);
            let n = vertices_of(kind);
            let total: Vec3 = force[..n].iter().copied().sum();
            let torque: Vec3 = x[..n].iter().zip(&force).map(|(x, f)| x.cross(*f)).sum();
            prop_assert!(force[n..].iter().all(|f| f.is_zero()));
            prop_assert!(total.length() <= 1e-14 * size(&force), "{kind:?}: {total:?}");
            prop_assert!(torque.length() <= 1e-12 * size(&force), "{kind:?}: {torque:?}");
        }
    }

    #[test]
    fn parallel_edges_have_no_force_and_edges_at_an_angle_are_not_faded(
        a in point(), e in point(), off in point(), s in -0.3..0.3f64, family in family(),
    ) {
        let (layers, pair) = (layers(family), pair(PairKind::EdgeEdge, 16.0, 0.0));
        let e = e + Vec3::X;
        let parallel = [a, a + e, a + off + e * s, a + off + e * (1.0 + s)];
        prop_assert!(size(&forces(&pair, &layers, &parallel)) < 1e-12, "{:?}", forces(&pair, &layers, &parallel));
        let across = off.cross(e).try_normalize();
        prop_assume!(across.is_some());
        let crossed = [a, a + e, a + off - across.unwrap() * 0.4, a + off + across.unwrap() * 0.4 + e * 0.1];
        let plain = Pair { fade: 0.0, ..pair };
        prop_assert_eq!(forces(&pair, &layers, &crossed), forces(&plain, &layers, &crossed));
    }

    #[test]
    fn in_a_periodic_box_a_pair_is_as_far_as_its_nearest_images_wherever_it_is(
        x in on_lattice(), y in on_lattice(), radius in 0.0..0.1f64, periods in prop::array::uniform3(-1_000_000..1_000_000_i32),
        lengths in prop::array::uniform3(1.3..2.0f64), walled in 0..4_usize,
    ) {
        let mut period = lengths;
        if let Some(length) = period.get_mut(walled) {
            *length = 0.0;
        }
        for kind in [PairKind::VertexVertex, PairKind::Soft] {
            let near = Pair { period: Vec3::from(period), ..pair(kind, 0.0, radius) };
            let away = Vec3::from(core::array::from_fn(|k| period[k] * f64::from(periods[k])));
            let four = [x, y + away, x, x];
            let at = near.measure(&four);
            // In whole multiples of 2⁻⁶⁰ nothing is rounded, and what is left at the end is short.
            let whole = |x: f64| (x * UNITS) as i128;
            let along = |k: usize| {
                let (e, length) = (whole(four[0][k]) - whole(four[1][k]), whole(period[k]));
                let images = if length == 0 { 0 } else { (2 * e + length).div_euclid(2 * length) };
                (e - images * length) as f64 / UNITS
            };
            let expected = Vec3::new(along(0), along(1), along(2)).length() - radius;
            prop_assert!((at.distance - expected).abs() <= near.distance_error(&four));
            prop_assert!((at.separation.length() - radius - at.distance).abs() < 1e-15);
        }
    }
}

#[test]
fn the_force_is_minus_the_slope_of_the_energy() {
    let judged = Judged::default();
    proptest!(ProptestConfig::with_cases(CASES), |(
        x in four(), along in prop::array::uniform4(point()), family in family(), fade in 2.0..20.0f64, radius in 0.0..0.1f64,
    )| {
        let layers = layers(family);
        for kind in KINDS {
            let pair = pair(kind, fade, radius);
            let around = AROUND.map(|by| moved(&x, &along, by));
            let here = side(&pair, &layers, &x);
            if pair.measure(&x).distance < NEAREST || around.iter().any(|x| side(&pair, &layers, x) != here) {
                continue;
            }
            let slope = slope(around.map(|x| energy(&pair, &layers, &x)));
            let force = forces(&pair, &layers, &x);
            let work: f64 = force.iter().zip(&along).take(vertices_of(kind)).map(|(f, d)| f.dot(*d)).sum();
            prop_assert!((work + slope).abs() < 1e-7 * (1.0 + size(&force)), "{kind:?} {family:?}: {work} {slope}");
            judged.count_pushing(kind, &force);
        }
    });
    judged.assert_at_least(0.5);
}

#[test]
fn tangents_of_the_force_are_its_differences() {
    let judged = Judged::default();
    proptest!(ProptestConfig::with_cases(CASES), |(
        x in four(), along in prop::array::uniform4(point()), family in family(), fade in 2.0..20.0f64, radius in 0.0..0.1f64,
    )| {
        let layers = layers(family);
        for kind in KINDS {
            let pair = pair(kind, fade, radius);
            let around = AROUND.map(|by| moved(&x, &along, by));
            let here = side(&pair, &layers, &x);
            if pair.measure(&x).distance < NEAREST || around.iter().any(|x| side(&pair, &layers, x) != here) {
                continue;
            }
            let lift = |x: f64, d: f64| Dual::new(x, [d]);
            let lifted: [Vec3<Dual>; 4] = core::array::from_fn(|i| {
                let (x, d) = (x[i], along[i]);
                Vec3::new(lift(x.x, d.x), lift(x.y, d.y), lift(x.z, d.z))
            });
            let pushed = pair.impulses(&layers, &lifted, &pair.measure(&lifted), |_, _| 1.0);
            let exact = pushed.unwrap_or([Vec3::zero(); 4]);
            let force = forces(&pair, &layers, &x);
            let around = around.map(|x| forces(&pair, &layers, &x));
            for i in 0..vertices_of(kind) {
                let g = exact[i];
                prop_assert_eq!(Vec3::new(g.x.value, g.y.value, g.z.value), force[i], "{:?}: other bits", kind);
                let tangent = Vec3::new(g.x.tangent[0], g.y.tangent[0], g.z.tangent[0]);
                let along = |axis: usize| slope(around.map(|forces| forces[i][axis]));
                let difference = Vec3::new(along(0), along(1), along(2));
                let scale = 1.0 + 100.0 * size(&force);
                prop_assert!((tangent - difference).length() < 1e-6 * scale, "{kind:?} {family:?}: {tangent:?} {difference:?}");
            }
            judged.count_pushing(kind, &force);
        }
    });
    judged.assert_at_least(0.5);
}

#[test]
fn a_rigid_motion_turns_the_forces_and_keeps_the_energy() {
    let judged = Judged::default();
    proptest!(ProptestConfig::with_cases(CASES), |(
        x in four(), family in family(), fade in 2.0..20.0f64, shift in point(), axis in point(), angle in 0.0..6.0f64,
    )| {
        let layers = layers(family);
        let turn = Mat3::rotation(axis + Vec3::Z, angle);
        let there = x.map(|x| turn.apply(x) + shift);
        for kind in KINDS {
            let pair = pair(kind, fade, 0.0);
            if pair.measure(&x).distance < NEAREST {
                continue;
            }
            let [before, after] = [&x, &there].map(|x| energy(&pair, &layers, x));
            prop_assert!((before - after).abs() < 1e-11 * (1.0 + before), "{kind:?}: {before} {after}");
            let (before, after) = (forces(&pair, &layers, &x), forces(&pair, &layers, &there));
            if side(&pair, &layers, &x).0 != side(&pair, &layers, &there).0 {
                continue;
            }
            for (f, g) in before.iter().zip(&after) {
                prop_assert!((turn.apply(*f) - *g).length() < 1e-9 * (1.0 + size(&before)), "{kind:?}");
            }
            judged.count_pushing(kind, &before);
        }
    });
    judged.assert_at_least(0.5);
}

#[test]
fn outside_its_layers_a_pair_has_exactly_no_energy_and_no_force() {
    let judged = Judged::default();
    proptest!(ProptestConfig::with_cases(CASES), |(
        x in four(), family in family(), first in 1_u32..6, out in 1.0..3.0f64,
    )| {
        let layers = layers(family);
        for kind in KINDS {
            let pair = Pair { first_layer: first, ..pair(kind, 4.0, 0.0) };
            let reached = pair.measure(&x).distance;
            if reached < 1e-3 {
                continue;
            }
            let x = x.map(|x| x * (out * layers.thickness(first) / reached));
            if pair.measure(&x).distance >= layers.thickness(first) {
                prop_assert!(pair.impulses(&layers, &x, &pair.measure(&x), |_, _| 1.0).is_none());
                prop_assert_eq!(energy(&pair, &layers, &x), 0.0);
                judged.count(kind);
            }
        }
    });
    judged.assert_at_least(0.95);
}
