//! A gas of hard spheres in a periodic box: pressure, mean free time, energy.
//!
//! | | |
//! | --- | --- |
//! | Setting | N spheres of mass 1, kT = 1, in a periodic cube; contact layers of 1 % of the diameter σ |
//! | Formula | `Z = PV/NkT = (1 + η + η² − η³)/(1 − η)³`, `η = π n σ³/6` [Carnahan1969, eq. 3]; mean free time `1/(4 n σ² χ √(π kT/m))`, `χ = (Z − 1)/4η` |
//! | Measured | `PV = NkT + W/3t`, W the virial `Σ J·s` of all kicks in the time t, kT = 2/3 of the mean kinetic energy of N − 1 grains; meetings: a pair in its layers, from its first push to its last |
//! | σ | the mean closest approach of centres in a meeting |
//!
//! The mean closest approach is the diameter that perturbation theory gives a steep repulsion, `∫(1 − e^(−u/kT)) dr`: grains meet with normal
//! energies that are exponentially distributed, and `∫ e^(−E) r(E) dE` is that integral by parts.

use super::Effort;
use super::box_of_grains::BoxOfGrains;
use super::report::{Series, Study};

/// About the closest approach, over the hard diameter: the layers push a little outside it.
const SIGMA: f64 = 1.0;
const HARD_RADIUS: f64 = 0.4957;

/// Largest drift of the energy over the whole run, relative.
const DRIFT: f64 = 1e-5;

/// One gas.
struct Setting {
    /// n σ³, about.
    density: f64,
    grains: u32,
    meetings: u64,
}

/// Results of a gas, and expected values.
struct GasSample {
    sigma: f64,
    compressibility: [f64; 2],
    free_time_s: [f64; 2],
    meetings: u64,
    /// Energy at the end of a straight line through all readings, over that at its start.
    energy: f64,
    /// Smallest distance between cores, over the thickness of the layers.
    nearest: f64,
    kicks_per_s: f64,
}

pub fn studies(effort: Effort) -> Vec<Study> {
    let (grains, meetings, pressure, time) =
        if effort == Effort::Quick { (500, 8_000, 0.05, 0.05) } else { (1372, 1_000_000, 0.01, 0.01) };
    let study = |title, density| {
        let seen = gas(&Setting { density, grains, meetings });
        let series = |what: &str, [ours, expected]: [f64; 2], tolerance: f64| {
            Series::alone(what, expected, tolerance, &format!("{grains} grains"), ours)
        };
        let GasSample { sigma, meetings, nearest, kicks_per_s, energy, .. } = seen;
        let drift = energy - 1.0;
        assert!(nearest > 0.0, "cores never overlap");
        eprintln!("n σ³ = {density}: {kicks_per_s:.3e} kicks a second");
        Study {
            title,
            setting: format!(
                "{grains} spheres of mass 1 and hard radius {HARD_RADIUS} at kT = 1, layers of 0.01; after an equilibration, {meetings} \
                 meetings. Their mean closest approach was σ = {sigma:.5}, the smallest distance of cores {nearest:.3} of the layers; the energy drifted by {drift:+.1e}."
            ),
            source: "Carnahan and Starling 1969, at the measured n σ³; Enskog's collision rate with the same contact value",
            size: "",
            series: vec![
                series("PV/NkT", seen.compressibility, pressure),
                series("mean free time", seen.free_time_s, time),
                series("energy at the end over the first", [energy, 1.0], DRIFT),
            ],
        }
    };
    vec![study("A thin gas, n σ³ = 0.1", 0.1), study("A dense gas, n σ³ = 0.3", 0.3)]
}

fn gas(setting: &Setting) -> GasSample {
    let &Setting { density, grains, meetings } = setting;
    let count = f64::from(grains);
    let length = (count * SIGMA * SIGMA * SIGMA / density).cbrt();
    let mass_density = 1.0 / (4.0 / 3.0 * core::f64::consts::PI * HARD_RADIUS * HARD_RADIUS * HARD_RADIUS);
    let gas = BoxOfGrains::gas(grains, length, [HARD_RADIUS, mass_density], 1.0);
    let [_, expected_time] = theory(density, SIGMA, 1.0);
    let per_grain = meetings as f64 * 2.0 / count;
    let (begin, lasts) = (20.0 * expected_time, per_grain * expected_time);
    let mut run = gas.start();
    run.read_at(begin);
    let (first, kicks_before) = (run.touch().expect("grains met"), run.pair_evaluations());
    let started = std::time::Instant::now();
    let samples = 2000;
    let readings: Vec<[f64; 2]> = (0..=samples)
        .map(|i| run.read_at(begin + lasts * f64::from(i) / f64::from(samples)))
        .map(|reading| [reading.kinetic_j, reading.total_j()])
        .collect();
    let contact = run.contact();
    let last = run.touch().expect("grains met");
    let kinetic = readings.iter().map(|r| r[0]).sum::<f64>() / readings.len() as f64;
    let temperature = 2.0 * kinetic / (3.0 * (count - 1.0));
    let virial = (last.virial - first.virial) / lasts;
    let met = last.meetings - first.meetings;
    let approaches = last.approaches - first.approaches;
    let sigma = approaches / (last.partings - first.partings) as f64;
    let [compressibility, free_time_s] = theory(density / (SIGMA * SIGMA * SIGMA), sigma, temperature);
    GasSample {
        sigma,
        compressibility: [1.0 + virial / (3.0 * count * temperature), compressibility],
        free_time_s: [0.5 * count * lasts / met as f64, free_time_s],
        meetings: met,
        energy: 1.0 + drift(&readings.iter().map(|r| r[1]).collect::<Vec<_>>()),
        nearest: contact.smallest_distance_m / 0.01,
        kicks_per_s: (run.pair_evaluations() - kicks_before) as f64 / started.elapsed().as_secs_f64(),
    }
}

/// `PV/NkT` and the mean free time of n spheres of mass 1 a unit of volume.
fn theory(n: f64, sigma: f64, temperature: f64) -> [f64; 2] {
    let eta = core::f64::consts::PI * n * sigma.powi(3) / 6.0;
    let compressibility = (1.0 + eta + eta * eta - eta.powi(3)) / (1.0 - eta).powi(3);
    let chi = (compressibility - 1.0) / (4.0 * eta);
    let rate = 4.0 * n * sigma * sigma * chi * (core::f64::consts::PI * temperature).sqrt();
    [compressibility, 1.0 / rate]
}

/// How much a straight line through evenly spaced values rises from end to end, over the first.
fn drift(values: &[f64]) -> f64 {
    let middle = 0.5 * (values.len() - 1) as f64;
    let (mut rise, mut spread) = (0.0, 0.0);
    for (i, value) in values.iter().enumerate() {
        let x = i as f64 - middle;
        rise += x * (value - values[0]);
        spread += x * x;
    }
    rise / spread * (values.len() - 1) as f64 / values[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_theory_gives_the_numbers_of_the_literature() {
        for (n, numbers) in [(0.1, [1.23967, 1.23258]), (0.3, [1.96671, 0.305_581])] {
            for (ours, theirs) in theory(n, 1.0, 1.0).into_iter().zip(numbers) {
                assert!((ours / theirs - 1.0).abs() < 1e-5, "{ours} {theirs}");
            }
        }
    }

    #[test]
    fn the_drift_of_a_straight_line_is_its_rise() {
        let line: Vec<f64> = (0..11).map(|i| 2.0 + 0.01 * f64::from(i)).collect();
        assert!((drift(&line) - 0.05).abs() < 1e-12);
    }
}
