//! Elements side by side.

use carom_elastic::{BendingHinge, BendingQuadratic, ShellMaterial, Spring};
use carom_math::{ExactLanesSum, ExactSum, F64x4, ImpulseAccumulator, Vec3};
use carom_model::{Element, ElementStore, ImpulseSums, Owner, Packing, Part, Potentials, Stencils};
use proptest::prelude::*;

#[test]
fn energies_and_forces_have_the_bits_of_one_element_after_the_other() {
    let x: Vec<Vec3> = (0..22).map(f64::from).map(|i| Vec3::new(i.sin(), i.cos(), 0.1 * i)).collect();
    let mut store = ElementStore::new();
    // Two full blocks of eight, and one that is not.
    for e in 0..21_u32 {
        let spring = Spring { stiffness: 40.0 + f64::from(e), rest_length: 0.8 };
        store.push(spring, [e, (5 * e + 1) % 22], Owner { body: 0, part: Part::Face(e) }, 1.0);
    }
    let order: Vec<u32> = (0..21).rev().collect();
    let rows: Vec<F64x4> = x.iter().map(|&x| x.into()).collect();
    let mut together = vec![ImpulseAccumulator::default(); 22];
    let batch = store.batch(&order, &(0..22).collect::<Vec<_>>());
    let mut energy = ExactLanesSum::default();
    batch.energy_and_forces(&rows, &mut together, &mut energy);

    let (mut forces, mut energies) = (vec![Vec3::ZERO; 22], Vec::new());
    for e in order {
        let stencil = store.stencil(e as usize);
        let at: Vec<Vec3> = stencil.iter().map(|&v| x[v as usize]).collect();
        let mut gradient = [Vec3::ZERO; 2];
        store.gradient(e as usize, &at, &mut gradient);
        energies.push(store.energy(e as usize, &at));
        for (&v, g) in stencil.iter().zip(gradient) {
            forces[v as usize] -= g;
        }
    }
    assert_eq!(together.iter().map(ImpulseAccumulator::sum).collect::<Vec<_>>(), forces);
    assert_eq!(energy.sum(), energies.iter().rev().copied().collect::<ExactSum>());
    assert_eq!(batch.energies(&rows), energies);
}

const VERTICES: u32 = 12;

type Edges = ElementStore<BendingQuadratic, 4, 3>;

/// Edges anywhere among the vertices. Weights and positions are small whole numbers or nothing: rows of zeros and sums that cancel are common.
fn edges() -> impl Strategy<Value = (Edges, Vec<Vec3>)> {
    let whole = || prop_oneof![Just(0.0), Just(-0.0), (-2..=2).prop_map(f64::from)];
    let any = prop_oneof![3 => whole().boxed(), 1 => (-1.0..1.0).boxed()];
    let weights = prop::array::uniform3(any.clone());
    let stencil =
        Just((0..VERTICES).collect::<Vec<u32>>()).prop_shuffle().prop_map(|v| [v[0], v[1], v[2], v[3]]);
    let edges = prop::collection::vec((weights, stencil), 0..21).prop_map(|edges| {
        let mut store = ElementStore::new();
        for (e, (weights, stencil)) in (0..).zip(edges) {
            store.push(BendingQuadratic { weights }, stencil, Owner { body: 0, part: Part::Edge(e) }, 1.0);
        }
        store
    });
    let point = prop::array::uniform3(any).prop_map(|[x, y, z]| Vec3::new(x, y, z));
    (edges, prop::collection::vec(point, VERTICES as usize))
}

/// Adds the impulses one after the other.
fn one_by_one<E: Element<4, P>, const P: usize>(
    store: &ElementStore<E, 4, P>,
    h: f64,
    x: &[Vec3],
    accumulators: &mut [ImpulseAccumulator],
) {
    for e in 0..store.len() {
        let stencil = store.stencil(e);
        let at: Vec<Vec3> = stencil.iter().map(|&v| x[v as usize]).collect();
        let mut gradient = [Vec3::ZERO; 4];
        store.gradient(e, &at, &mut gradient);
        for (&v, g) in stencil.iter().zip(gradient) {
            accumulators[v as usize].add(g * -h);
        }
    }
}

/// What is taken of each accumulator, bit by bit.
fn taken(accumulators: &mut [ImpulseAccumulator]) -> Vec<Option<[u64; 3]>> {
    accumulators
        .iter_mut()
        .map(|accumulator| accumulator.take().map(|sum| sum.to_array().map(f64::to_bits)))
        .collect()
}

/// Four blocks of eight are computed together, then block by block; the last one may not be full.
#[test]
fn kicks_of_hinges_have_the_bits_of_one_after_the_other_however_many_there_are() {
    let x: Vec<Vec3> = (0..40)
        .map(f64::from)
        .map(|i| Vec3::new((1.7 * i).sin(), (2.3 * i).cos(), (0.9 * i).sin()))
        .collect();
    let names: Vec<u32> = (0..40).collect();
    let rows: Vec<F64x4> = x.iter().map(|&x| x.into()).collect();
    let sheet = ShellMaterial { young: 900.0, poisson: 0.3, thickness: 0.2 };
    for count in [0, 1, 8, 31, 32, 33, 47, 64, 75] {
        let mut store = ElementStore::new();
        for e in 0..count {
            let stencil = [e, e + 7, 3 * e + 1, 11 * e + 12].map(|v| v % 40);
            let rest = stencil.map(|v| x[v as usize] * 1.1 + Vec3::X * f64::from(v % 3));
            // The last of them has a triangle without area: no angle, and no push.
            let stencil = if e == 74 { [3, 4, 3, 5] } else { stencil };
            let owner = Owner { body: 0, part: Part::Edge(e) };
            store.push(BendingHinge::from_rest(&rest, &sheet), stencil, owner, 1.0);
        }
        let elements: Vec<u32> = (0..count).collect();
        let mut expected = vec![ImpulseAccumulator::default(); 40];
        one_by_one(&store, 1e-3, &x, &mut expected);
        let mut sums = ImpulseSums::new(40);
        store.batch(&elements, &names).kick(1e-3, &rows, &mut sums);
        let expected = taken(&mut expected);
        assert_eq!(taken(sums.accumulators_mut()), expected, "{count}");
        let mut part = vec![ImpulseAccumulator::default(); 9];
        store.share(&elements, &names).expect("sums alone").kick_range(1e-3, &rows, 5, &mut part);
        assert_eq!(taken(&mut part), expected[5..14], "{count}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    /// The longer steps make impulses that cancel, the shorter ones such that vanish.
    #[test]
    fn kicks_by_rows_have_the_bits_of_one_element_after_the_other_and_touch_the_same_vertices(
        (store, x) in edges(),
        h in prop_oneof![Just(0.5), Just(1e-3), Just(1e-323), Just(5e-324)],
        times in 1..3,
        window in 0..VERTICES,
    ) {
        let rows: Vec<F64x4> = x.iter().map(|&x| x.into()).collect();
        let names: Vec<u32> = (0..VERTICES).collect();
        let elements: Vec<u32> = (0..store.len() as u32).collect();
        let mut expected = vec![ImpulseAccumulator::default(); VERTICES as usize];
        let mut sums = ImpulseSums::new(VERTICES as usize);
        let mut part = vec![ImpulseAccumulator::default(); (VERTICES - window).min(5) as usize];
        for time in 0..times {
            // The second time takes back what the first has added.
            let h = if time == 0 { h } else { -h };
            one_by_one(&store, h, &x, &mut expected);
            store.batch(&elements, &names).kick(h, &rows, &mut sums);
            store.share(&elements, &names).expect("sums alone").kick_range(h, &rows, window, &mut part);
        }
        let expected = taken(&mut expected);
        prop_assert_eq!(taken(sums.accumulators_mut()), &expected[..]);
        prop_assert_eq!(taken(&mut part), &expected[window as usize..][..part.len()]);
    }
}
