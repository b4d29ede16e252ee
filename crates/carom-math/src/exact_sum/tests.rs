use super::*;
use dashu_int::IBig;
use proptest::prelude::*;

/// A finite number as a multiple of 2^−1074.
fn multiple(x: f64) -> IBig {
    let bits = x.abs().to_bits();
    let (exponent, fraction) = ((bits >> 52) as usize, bits & ((1 << 52) - 1));
    let magnitude = match exponent {
        0 => IBig::from(fraction),
        _ => IBig::from(fraction | 1 << 52) << (exponent - 1),
    };
    if x < 0.0 { -magnitude } else { magnitude }
}

fn abs(x: IBig) -> IBig {
    if x < IBig::ZERO { -x } else { x }
}

/// Whether `value` is the exact sum of finite terms, rounded to the nearest number, ties to even.
fn is_rounded_sum(terms: &[f64], value: f64) -> bool {
    let exact = terms.iter().fold(IBig::ZERO, |sum, &term| sum + multiple(term));
    // Half way between the largest number and what would be the next one, 2^1024.
    let overflows = multiple(f64::MAX) + (IBig::from(1) << (970 + 1074));
    if value.is_infinite() {
        return abs(exact.clone()) >= overflows && (exact > IBig::ZERO) == (value > 0.0);
    }
    if abs(exact.clone()) >= overflows || value.is_nan() {
        return false;
    }
    let is_even = value.to_bits().is_multiple_of(2);
    let error = abs(exact.clone() - multiple(value)) * IBig::from(2);
    let neighbour = if exact > multiple(value) { value.next_up() } else { value.next_down() };
    let gap = if neighbour.is_infinite() {
        IBig::from(1) << (971 + 1074)
    } else {
        abs(multiple(neighbour) - multiple(value))
    };
    let has_right_zero = value != 0.0 || value.is_sign_positive();
    has_right_zero && (error < gap || error == gap && is_even)
}

/// Numbers of every size, some of them tiny, huge, or a few units apart.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite()),
        -1.0..1.0f64,
        (0..200_i32, -9..9_i32).prop_map(|(power, odd)| f64::from(odd) * 2f64.powi(power - 100)),
        (-40..40_i64).prop_map(|n| f64::from_bits(n.unsigned_abs()).copysign(n as f64)),
        prop::sample::select(vec![f64::MAX, f64::MIN, f64::MIN_POSITIVE, 1.0, -1.0, 0.0, -0.0]),
    ]
}

/// Terms, many of which cancel.
fn terms() -> impl Strategy<Value = Vec<f64>> {
    (prop::collection::vec((number(), any::<bool>()), 0..60)).prop_map(|terms| {
        let negatives = terms.iter().filter(|(_, cancels)| *cancels).map(|(x, _)| -x);
        negatives.chain(terms.iter().map(|(x, _)| *x)).collect()
    })
}

fn sum(terms: &[f64]) -> ExactSum {
    terms.iter().copied().collect()
}

/// The sum of terms by integers alone.
fn by_digits(terms: &[f64]) -> Digits {
    let mut digits = Digits::ZERO;
    for &term in terms {
        digits.add(term);
    }
    digits.propagate_carries();
    digits
}

proptest! {
    #[test]
    fn a_sum_is_kept_exactly_by_its_parts(x in terms(), y in terms(), z in terms()) {
        let sums = [x, y, z].map(|terms| terms.into_iter().collect::<ExactSum>());
        prop_assume!(sums.iter().all(|sum| sum.value().is_finite()));
        for sum in &sums {
            let parts = sum.parts();
            prop_assert!(parts.len() <= 40 && parts.iter().collect::<Vec<_>>().is_sorted_by(|a, b| a.abs() > b.abs()));
            prop_assert_eq!(&parts.into_iter().collect::<ExactSum>(), sum);
        }
        let together = ExactVec3Sum::of_components(&sums);
        prop_assert_eq!(together.components(), sums.clone());
        let mut in_lanes = ExactLanesVec3Sum::default();
        in_lanes.merge(&together);
        let mut back = ExactVec3Sum::default();
        in_lanes.add_to(&mut back);
        prop_assert_eq!(back, together);
    }
}

proptest! {
    #[test]
    fn the_value_is_the_exact_sum_rounded_once(terms in terms()) {
        let value = sum(&terms).value();
        prop_assert!(is_rounded_sum(&terms, value), "{value:e}");
        prop_assert_eq!(by_digits(&terms).value().to_bits(), value.to_bits());
    }

    #[test]
    fn neither_order_nor_splits_change_a_bit(
        (terms, shuffled) in terms().prop_flat_map(|terms| (Just(terms.clone()), Just(terms).prop_shuffle())),
        parts in prop::collection::vec(1..20_usize, 1..10),
    ) {
        let whole = sum(&terms);
        let (mut merged, mut left) = (ExactSum::default(), shuffled.as_slice());
        for part in parts {
            let (now, later) = left.split_at(part.min(left.len()));
            merged.merge(&sum(now));
            left = later;
        }
        merged.merge(&sum(left));
        prop_assert_eq!(merged.value().to_bits(), whole.value().to_bits());
        prop_assert_eq!(&merged, &whole);
        prop_assert_eq!(&sum(&shuffled), &whole);
    }

    #[test]
    fn sums_side_by_side_are_those_of_each_alone(rows in prop::collection::vec(prop::array::uniform3(number()), 0..40)) {
        let (mut vectors, mut in_lanes) = (ExactVec3Sum::default(), ExactLanesVec3Sum::default());
        for row in &rows {
            vectors.add(Vec3::from(*row));
        }
        for block in rows.chunks(LANES) {
            let axis = |i: usize| Lanes(core::array::from_fn(|lane| block.get(lane).map_or(1.0, |row| row[i])));
            in_lanes.add_lanes(&Vec3 { x: axis(0), y: axis(1), z: axis(2) }, block.len());
        }
        let alone = [0, 1, 2].map(|i| rows.iter().map(|row| row[i]).collect::<ExactSum>().value().to_bits());
        prop_assert_eq!(vectors.value().to_array().map(f64::to_bits), alone);
        prop_assert_eq!(in_lanes.value().to_array().map(f64::to_bits), alone);
        let mut twice = vectors.clone();
        twice.merge(&vectors);
        in_lanes.add_to(&mut vectors);
        prop_assert_eq!(twice, vectors);
    }

    #[test]
    fn terms_in_lanes_are_those_one_after_the_other(terms in terms(), parts in prop::collection::vec(1..=LANES, 1..40)) {
        let (mut in_lanes, mut left) = (ExactLanesSum::default(), terms.as_slice());
        for part in parts {
            let (now, later) = left.split_at(part.min(left.len()));
            // What is in the other lanes counts for nothing.
            let lanes = Lanes(core::array::from_fn(|lane| now.get(lane).copied().unwrap_or(f64::NAN)));
            in_lanes.add_lanes(lanes, now.len());
            left = later;
        }
        in_lanes.add_all(left);
        prop_assert_eq!(in_lanes.value().to_bits(), sum(&terms).value().to_bits());
        prop_assert_eq!(in_lanes.sum(), sum(&terms));
    }

    #[test]
    fn a_sum_half_way_between_two_numbers_is_rounded_to_the_even_one(x in 1.0..2.0f64, power in -100..1000_i32, beyond in -1..2_i32, below in 55..900_i32) {
        let scale = 2f64.powi(power);
        let half_unit = f64::EPSILON * 0.5;
        let terms = [x, half_unit, f64::from(beyond) * 2f64.powi(-below)].map(|term| term * scale);
        prop_assert!(is_rounded_sum(&terms, sum(&terms).value()));
        let up = (x.to_bits() & 1 == 1 && beyond == 0) || beyond > 0;
        prop_assert_eq!(sum(&terms).value(), if up { x.next_up() } else { x } * scale);
    }
}

#[test]
fn the_judge_refuses_a_value_that_is_one_unit_off() {
    let terms = [1.0, 1e-20, 0.3, -1e17, 5e-324];
    let value = sum(&terms).value();
    assert!(is_rounded_sum(&terms, value));
    assert!(!is_rounded_sum(&terms, value.next_up()) && !is_rounded_sum(&terms, value.next_down()));
    assert!(!is_rounded_sum(&[f64::MAX], f64::INFINITY) && !is_rounded_sum(&[f64::MAX; 2], f64::MAX));
}

#[test]
fn a_sum_is_infinite_only_if_the_exact_sum_is_beyond_the_largest_number() {
    let half_unit = 2f64.powi(970);
    assert_eq!(sum(&[f64::MAX, f64::MAX, -f64::MAX]).value(), f64::MAX);
    assert_eq!(sum(&[f64::MAX, half_unit]).value(), f64::INFINITY);
    assert_eq!(sum(&[f64::MAX, half_unit, -5e-324]).value(), f64::MAX);
    assert_eq!(sum(&[-f64::MAX, -half_unit]).value(), f64::NEG_INFINITY);
    let many = vec![f64::MAX; 100_000];
    let mut there_and_back = sum(&many);
    for x in many {
        there_and_back.add(-x);
    }
    there_and_back.add(5e-324);
    assert_eq!(there_and_back.value(), 5e-324);
}

#[test]
fn infinities_stay_and_of_both_signs_are_no_number() {
    let infinity = f64::INFINITY;
    assert_eq!(sum(&[1.0, infinity, -f64::MAX, infinity]).value(), infinity);
    assert_eq!(sum(&[-infinity, 1.0]).value(), -infinity);
    assert!(sum(&[infinity, 1.0, -infinity]).value().is_nan());
    assert!(sum(&[1.0, f64::NAN, 1.0]).value().is_nan());
    let mut merged = sum(&[infinity]);
    merged.merge(&sum(&[-infinity]));
    assert!(merged.value().is_nan());
}

#[test]
fn zeros_of_either_sign_and_what_cancels_sum_to_positive_zero() {
    for terms in
        [&[][..], &[-0.0], &[-0.0, -0.0], &[0.0, -0.0], &[-1.5, 1.5], &[1e300, 1e-300, -1e300, -1e-300]]
    {
        assert_eq!(sum(terms).value().to_bits(), 0, "{terms:?}");
    }
}

#[test]
fn carries_are_propagated_however_many_terms_there_are() {
    // Merging a sum with itself doubles its terms: far more of them than would fit without carries.
    for term in [1.0 - f64::EPSILON / 2.0, -1.0 + f64::EPSILON / 2.0] {
        let mut digits = by_digits(&[term]);
        for _ in 0..100 {
            let same = digits.clone();
            digits.merge(&same);
        }
        digits.propagate_carries();
        assert_eq!(digits.value(), term * 2f64.powi(100));
    }
}
