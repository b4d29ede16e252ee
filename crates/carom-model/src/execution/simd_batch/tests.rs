use super::*;

/// A quadratic form of three points, computed by rows or in lanes.
#[derive(Clone, Copy)]
struct Bow<const BY_ROWS: bool>;

impl<const BY_ROWS: bool> Element<3, 2> for Bow<BY_ROWS> {
    const KIND: &'static str = "bow";
    const ORDER: u32 = 0;
    const AXES_APART: bool = BY_ROWS;

    fn params(&self) -> [f64; 2] {
        [0.0; 2]
    }

    #[inline(always)]
    fn energy<S: Real>(&[s, t]: &[S; 2], &[a, b, c]: &[Vec3<S>; 3]) -> S {
        ((b - a) * s + (c - a) * t).length_sq() * 0.5
    }

    #[inline(always)]
    fn gradient<S: Real>(&[s, t]: &[S; 2], &[a, b, c]: &[Vec3<S>; 3]) -> [Vec3<S>; 3] {
        let q = (b - a) * s + (c - a) * t;
        [-(q * s + q * t), q * s, q * t]
    }
}

#[test]
fn a_look_by_rows_has_the_bits_of_one_in_lanes() {
    let number = |i: usize| (i as f64 * 0.739).sin() * 10f64.powi(i as i32 % 5 - 2);
    let points = 40;
    let x: Vec<F64x4> =
        (0..points).map(|i| Vec3::new(number(3 * i), number(3 * i + 1), number(3 * i + 2)).into()).collect();
    let element = |e: usize| {
        let stencil = [e % points, (e * e + 1) % points, (3 * e + 2) % points];
        ([number(7 * e), number(5 * e + 3)], stencil.map(|v| v as u32))
    };
    // Alone, each shows the order in which its axes are added.
    let alone = (0..64).map(|e| e..e + 1);
    for elements in alone.chain([0..7, 0..8, 0..29, 0..64]) {
        let elements: Vec<_> = elements.map(element).collect();
        let count = elements.len();
        let [mut by_rows, mut in_lanes] =
            [vec![ImpulseAccumulator::default(); points], vec![ImpulseAccumulator::default(); points]];
        let energy = SimdBatch::<Bow<true>, 3, 2>::new(&elements).energy_and_forces(&x, &mut by_rows);
        let same = SimdBatch::<Bow<false>, 3, 2>::new(&elements).energy_and_forces(&x, &mut in_lanes);
        assert_eq!(energy.to_bits(), same.to_bits(), "{count}");
        let bits = |forces: &[ImpulseAccumulator]| -> Vec<[u64; 3]> {
            forces.iter().map(|force| force.sum().to_array().map(f64::to_bits)).collect()
        };
        assert_eq!(bits(&by_rows), bits(&in_lanes), "{count}");
    }
}
