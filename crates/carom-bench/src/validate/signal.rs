//! Times and frequencies from samples.
//!
//! | wanted | way |
//! | --- | --- |
//! | period of one swing | upward zero crossings, interpolated linearly between samples |
//! | arrival of a pulse | the centre of its upper half; between kicks a vertex flies straight, so the largest sample alone would be one of the kicks |
//! | largest deflection | the largest sample and its neighbours, on a parabola |
//! | frequencies of several modes | maxima of the power under a Blackman–Harris window, summed over probes |
//! | mean of a vibration | mean under the same window, which suppresses what oscillates |
//!
//! The Blackman–Harris window has side lobes 92 dB below its peak, and a main lobe four bins to
//! either side: modes eight bins apart do not affect each other.

use core::f64::consts::TAU;

/// The mean time between upward zero crossings, in the unit of `times`.
///
/// # Panics
/// With fewer than two crossings.
pub fn period(times: &[f64], values: &[f64]) -> f64 {
    let crossings: Vec<f64> = times
        .windows(2)
        .zip(values.windows(2))
        .filter(|(_, v)| v[0] < 0.0 && v[1] >= 0.0)
        .map(|(t, v)| t[0] + (t[1] - t[0]) * v[0] / (v[0] - v[1]))
        .collect();
    assert!(crossings.len() >= 2, "a period needs two upward crossings");
    (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64
}

/// Time of the largest value, and that value.
pub fn peak(times: &[f64], values: &[f64]) -> [f64; 2] {
    let largest = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).expect("samples");
    if largest == 0 || largest == values.len() - 1 {
        return [times[largest], values[largest]];
    }
    let [a, b, c] = [values[largest - 1], values[largest], values[largest + 1]];
    let spacing = 0.5 * (times[largest + 1] - times[largest - 1]);
    let shift = 0.5 * (a - c) / (a - 2.0 * b + c);
    [times[largest] + spacing * shift, b - 0.25 * (a - c) * shift]
}

/// When a pulse passes: the centre of what rises above half its height, the first such stretch around the largest value.
pub fn arrival(times: &[f64], values: &[f64]) -> f64 {
    let largest = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).expect("samples");
    let half = 0.5 * values[largest];
    let above = |v: &f64| *v > half;
    let start = largest - values[..largest].iter().rev().take_while(|v| above(v)).count();
    let end = largest + values[largest..].iter().take_while(|v| above(v)).count();
    let upper = || times[start..end].iter().zip(&values[start..end]).map(|(t, v)| (t, v - half));
    upper().map(|(t, v)| t * v).sum::<f64>() / upper().map(|(_, v)| v).sum::<f64>()
}

/// The mean with a window's weights.
pub fn mean(values: &[f64]) -> f64 {
    let weights = || (0..values.len()).map(|i| window(i as f64 / (values.len() - 1) as f64));
    values.iter().zip(weights()).map(|(v, w)| v * w).sum::<f64>() / weights().sum::<f64>()
}

/// The Blackman–Harris window with four terms at `x` in 0…1.
fn window(x: f64) -> f64 {
    [0.35875, -0.48829, 0.14128, -0.01168]
        .iter()
        .enumerate()
        .map(|(k, a)| a * (TAU * k as f64 * x).cos())
        .sum()
}

/// Windowed signals, all over the same times.
pub struct Spectrum {
    start: f64,
    spacing: f64,
    channels: Vec<Vec<f64>>,
}

impl Spectrum {
    /// The spectrum of evenly spaced samples.
    pub fn new(times: &[f64], channels: &[Vec<f64>]) -> Self {
        let last = times.len() - 1;
        let windowed = |values: &Vec<f64>| {
            let mean = mean(values);
            let weighted = |(i, v): (usize, &f64)| (v - mean) * window(i as f64 / last as f64);
            values.iter().enumerate().map(weighted).collect()
        };
        let spacing = (times[last] - times[0]) / last as f64;
        Self { start: times[0], spacing, channels: channels.iter().map(windowed).collect() }
    }

    /// The power at the angular frequency `omega`, summed over the signals.
    pub fn power(&self, omega: f64) -> f64 {
        let phases = (0..self.channels[0].len()).map(|i| omega * (self.start + self.spacing * i as f64));
        let waves: Vec<(f64, f64)> = phases.map(f64::sin_cos).collect();
        let of_channel = |values: &Vec<f64>| {
            let (mut sine, mut cosine) = (0.0, 0.0);
            for (v, (s, c)) in values.iter().zip(&waves) {
                sine += v * s;
                cosine += v * c;
            }
            sine * sine + cosine * cosine
        };
        self.channels.iter().map(of_channel).sum()
    }

    /// The angular frequencies up to `highest` at which the power has a maximum of at least `share` of the largest.
    pub fn peaks(&self, highest: f64, share: f64) -> Vec<f64> {
        let bin = TAU / (self.spacing * (self.channels[0].len() - 1) as f64);
        let step = 0.25 * bin;
        let count = (highest / step) as usize + 1;
        let powers: Vec<f64> = (0..=count).map(|i| self.power(step * i as f64)).collect();
        let least = share * powers.iter().copied().fold(0.0, f64::max);
        (1..count)
            .filter(|&i| powers[i] > least && powers[i] > powers[i - 1] && powers[i] >= powers[i + 1])
            .map(|i| self.maximum_between(step * (i - 1) as f64, step * (i + 1) as f64))
            .collect()
    }

    /// The angular frequency up to `highest` with the largest power.
    pub fn strongest(&self, highest: f64) -> f64 {
        let power = |omega: &f64| self.power(*omega);
        let peaks = self.peaks(highest, 0.5);
        peaks.into_iter().max_by(|a, b| power(a).total_cmp(&power(b))).expect("a signal has a maximum")
    }

    /// The place of the one maximum between two frequencies, by golden section.
    fn maximum_between(&self, mut low: f64, mut high: f64) -> f64 {
        const GOLDEN: f64 = 0.618_033_988_749_894_8;
        for _ in 0..30 {
            let (a, b) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
            if self.power(a) > self.power(b) {
                high = b;
            } else {
                low = a;
            }
        }
        f64::midpoint(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(end: f64, count: u32, f: impl Fn(f64) -> f64) -> (Vec<f64>, Vec<f64>) {
        let times: Vec<f64> = (0..=count).map(|i| end * f64::from(i) / f64::from(count)).collect();
        let values = times.iter().map(|t| f(*t)).collect();
        (times, values)
    }

    #[test]
    fn the_period_of_a_sine_is_found_to_a_millionth() {
        let (times, values) = sampled(10.0, 1000, |t| (TAU * t / 1.7 + 0.3).sin());
        assert!((period(&times, &values) / 1.7 - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_pulse_arrives_with_the_centre_of_its_upper_half() {
        let staircase = |t: f64| (t * 40.0).floor() / 40.0;
        let pulse =
            |t: f64| (-(t - 0.4321_f64).powi(2) / 0.01).exp() + 0.4 * (-(t - 0.9_f64).powi(2) / 0.01).exp();
        for (share, within) in [(0.0, 1e-4), (1.0, 2e-3)] {
            let (times, values) = sampled(1.0, 400, |t| pulse(t + share * (staircase(t) + 0.0125 - t)));
            assert!((arrival(&times, &values) - 0.4321).abs() < within);
        }
    }

    #[test]
    fn the_peak_of_a_smooth_pulse_is_found_between_samples() {
        let (times, values) = sampled(1.0, 200, |t| (-(t - 0.4321_f64).powi(2) / 0.01).exp());
        let [when, value] = peak(&times, &values);
        assert!((when - 0.4321).abs() < 1e-5 && (value - 1.0).abs() < 3e-6, "{when} {value}");
    }

    #[test]
    fn the_mean_of_a_vibration_is_its_middle() {
        let (_, values) = sampled(10.0, 2000, |t| 3.0 + (TAU * t / 1.7).cos());
        assert!((mean(&values) - 3.0).abs() < 1e-4);
    }

    #[test]
    fn modes_eight_bins_apart_are_told_apart_also_where_one_is_a_thousand_times_weaker() {
        let signal = |t: f64| (3.0 * t).sin() + 1e-3 * (11.0 * t + 0.4).sin() + 0.2 * (4.05 * t + 1.0).sin();
        let (times, values) = sampled(50.0, 2000, signal);
        let spectrum = Spectrum::new(&times, &[values]);
        let peaks = spectrum.peaks(20.0, 1e-8);
        assert_eq!(peaks.len(), 3, "{peaks:?}");
        assert_eq!(spectrum.strongest(20.0), peaks[0]);
        for (ours, exact) in peaks.iter().zip([3.0, 4.05, 11.0]) {
            assert!((ours / exact - 1.0).abs() < 1e-4, "{ours} against {exact}");
        }
    }
}
