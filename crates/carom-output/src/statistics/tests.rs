use super::*;

const ROWS: usize = 2000;

fn times() -> Vec<f64> {
    (0..ROWS).map(|i| 0.5 * i as f64).collect()
}

/// Independent normal numbers of unit variance: a counter hashed, and Box and Muller's formula.
fn noise(seed: u64) -> Vec<f64> {
    let uniform = |n: u64| {
        let mut z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(seed << 32);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 * 2f64.powi(-53) + 2f64.powi(-54)
    };
    (0..ROWS as u64)
        .map(|i| (-2.0 * uniform(2 * i).ln()).sqrt() * (std::f64::consts::TAU * uniform(2 * i + 1)).cos())
        .collect()
}

/// Noise that remembers `memory` of itself from row to row; 1 is a random walk.
fn correlated(seed: u64, memory: f64) -> Vec<f64> {
    let step = |x: &mut f64, n: f64| {
        *x = memory * *x + n;
        Some(*x)
    };
    noise(seed).into_iter().scan(0.0, step).collect()
}

/// How often, in 400 series without a true drift, the fitted one is within two standard errors.
fn coverage(series: impl Fn(u64) -> Vec<f64>) -> f64 {
    let within = |seed: &u64| {
        let values = series(*seed);
        fitted_change(&times(), &values).abs() <= 2.0 * walk_error(&values)
    };
    (0..400).filter(within).count() as f64 / 400.0
}

#[test]
fn a_straight_line_has_its_own_drift_and_band_and_no_error() {
    let balance: Vec<f64> = times().iter().map(|t| 4.0 - 1e-6 * t).collect();
    let energy = energy(&balance, 8.0, (&times(), &balance));
    let change = 1e-6 * times()[ROWS - 1] / 8.0;
    assert_eq!(energy.initial, 4.0);
    assert!((energy.drift + change).abs() < 1e-12 * change.abs() + 1e-16, "{energy:?}");
    assert!((energy.band - change).abs() < 1e-15, "{energy:?}");
    assert!(energy.drift_stderr < 1e-13, "{energy:?}");
}

#[test]
fn the_largest_is_that_of_all_and_none_if_one_is_none() {
    assert_eq!(largest([1.0, 3.0, 2.0].into_iter()), 3.0);
    assert_eq!(largest(core::iter::empty()), 0.0);
    assert!(largest([1.0, f64::NAN, 2.0].into_iter()).is_nan());
}

#[test]
fn a_drift_counts_where_chance_does_not_explain_it() {
    let of = |drift, drift_stderr| {
        EnergyStatistics { drift, drift_stderr, ..EnergyStatistics::of_rest(1.0) }.is_drift_significant()
    };
    assert!(of(-4e-3, 1e-3) && !of(2e-3, 1e-3) && !of(1.0, f64::NAN));
}

#[test]
fn an_oscillation_has_a_band_and_no_drift() {
    let balance: Vec<f64> = times().iter().map(|t| 1.0 + 1e-3 * (1.7 * t).sin()).collect();
    let energy = energy(&balance, 1.0, (&times(), &balance));
    assert!((energy.band - 1e-3).abs() < 1e-5, "{energy:?}");
    assert!(energy.drift.abs() < 2e-5 && energy.drift.abs() < 2.0 * energy.drift_stderr, "{energy:?}");
}

#[test]
fn times_need_not_be_even() {
    let times: Vec<f64> = (0..50).map(|i| f64::from(i * i)).collect();
    let values: Vec<f64> = times.iter().map(|t| 3.0 + 0.25 * t).collect();
    assert!((fitted_change(&times, &values) - 0.25 * 2401.0).abs() < 1e-9);
}

#[test]
fn the_standard_error_is_the_spread_of_nineteen_increments_by_hand() {
    // Means 0, 1, 0, 1, …: ten increments of +1 and nine of −1.
    let values: Vec<f64> = (0..40).map(|i| f64::from(i / 2 % 2)).collect();
    let mean = 1.0 / 19.0;
    let variance = (10.0 * (1.0 - mean) * (1.0 - mean) + 9.0 * (1.0 + mean) * (1.0 + mean)) / 18.0;
    assert!((walk_error(&values) - (variance * 19.0_f64).sqrt()).abs() < 1e-14);
}

#[test]
fn the_error_is_honest_for_white_noise() {
    assert!(coverage(noise) >= 0.95);
}

#[test]
fn the_error_is_honest_for_noise_that_remembers_a_hundred_rows_where_the_textbook_error_is_not() {
    let series = |seed| correlated(seed, 0.99);
    assert!(coverage(series) >= 0.95);
    // The textbook: √(12/n) times the spread of the residuals.
    let textbook = |seed: &u64| {
        let values = series(*seed);
        let mean = values.iter().sum::<f64>() / ROWS as f64;
        let spread = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / ROWS as f64).sqrt();
        fitted_change(&times(), &values).abs() <= 2.0 * spread * (12.0 / ROWS as f64).sqrt()
    };
    assert!(((0..400).filter(textbook).count() as f64) < 0.5 * 400.0);
}

#[test]
fn the_error_is_of_the_right_size_for_a_random_walk() {
    assert!(coverage(|seed| correlated(seed, 1.0)) >= 0.8);
}

#[test]
fn a_true_drift_ten_errors_large_is_seen() {
    let values: Vec<f64> = noise(5).iter().zip(times()).map(|(n, t)| n + 0.2 * t).collect();
    let (change, error) = (fitted_change(&times(), &values), walk_error(&values));
    assert!((change - 0.2 * times()[ROWS - 1]).abs() < 2.0 * error && change > 10.0 * error);
}

#[test]
fn a_run_at_rest_has_no_error_though_its_scale_is_zero() {
    let still = [0.0; 100];
    let energy = energy(&still, 0.0, (&[1.0; 100], &still));
    assert_eq!((energy.band, energy.drift, energy.drift_stderr), (0.0, 0.0, 0.0));
    assert_eq!(conservation_error(&[Vec3::ZERO; 3], &[0.0; 3]), 0.0);
}

#[test]
fn a_number_that_is_none_is_not_hidden() {
    let energy = energy(&[1.0, f64::NAN, 1.0], 1.0, (&[0.0, 1.0, 2.0], &[1.0, f64::NAN, 1.0]));
    assert!(energy.band.is_nan() && energy.drift.is_nan());
    let lost = [Vec3::ZERO, Vec3::new(f64::NAN, 0.0, 0.0)];
    assert!(conservation_error(&lost, &[1.0; 2]).is_nan());
}

#[test]
fn too_few_rows_have_no_standard_error() {
    assert!(walk_error(&[0.0; BLOCKS - 1]).is_nan());
    assert_eq!(walk_error(&[0.0; BLOCKS]), 0.0);
    let nothing = energy(&[], 0.0, (&[], &[]));
    assert!(nothing.initial.is_nan() && nothing.band == 0.0);
}

#[test]
fn momentum_is_measured_from_its_start_and_over_the_largest_scale() {
    let kept = [Vec3::X, Vec3::new(1.0, 3e-3, 4e-3), Vec3::X];
    assert!((conservation_error(&kept, &[1.0, 2.0, 10.0]) - 5e-4).abs() < 1e-18);
}
