//! Runs of a system with samples of a probe.
//!
//! A recording is believed only if the energy stayed where it was. Several clocks can resonate at steps that the
//! stability number calls stable: a plate of 28 edges a side, at 0.9 of the limits and σ = 0.66, did.

use std::sync::Arc;

use carom::Simulation;
use carom_engine::{MethodKind, Reading, stability};
use carom_math::Vec3;
use carom_model::{ClockOptions, Owner, Part, State, SystemBuilder};
use carom_time::Tick;

/// Evenly spaced samples of a probe.
pub struct Recording {
    /// Times of the samples, in s.
    pub times: Vec<f64>,
    /// Values at those times, for each quantity of the probe.
    pub channels: Vec<Vec<f64>>,
}

/// A body at one tick.
pub struct ProbedState<'a> {
    state: &'a State,
    tick: Tick,
}

impl ProbedState<'_> {
    /// Position of vertex `v`, in m.
    pub fn position(&self, v: u32) -> Vec3 {
        self.state.position_at(v as usize, self.tick)
    }
}

/// Options of a recording.
#[derive(Clone, Copy, Debug)]
pub struct RecordingOptions {
    /// End of the recording, in s.
    pub end_s: f64,
    /// Number of samples after the first.
    pub samples: u64,
    /// Fraction of its own stability limit at which each potential runs.
    pub safety: f64,
}

impl RecordingOptions {
    /// A recording with the steps that every user gets.
    pub fn new(end_s: f64, samples: u64) -> Self {
        Self { end_s, samples, safety: ClockOptions::default().safety }
    }
}

/// Largest error of the energy, over the largest kinetic energy.
const ENERGY_BAND: f64 = 0.02;

/// Number of readings of the energy.
const ENERGY_READINGS: u64 = 40;

/// Runs what `builder` holds with the fast engine and records `probe`.
///
/// # Panics
/// If the system is unsound, its steps are unstable, its energy strays or the run has to stop: the problems here are known to run.
pub fn record(
    builder: SystemBuilder,
    options: &RecordingOptions,
    probe: impl Fn(&ProbedState) -> Vec<f64>,
) -> Recording {
    let clocks = ClockOptions { safety: options.safety, ..ClockOptions::default() };
    let (system, state) = builder.build(&clocks).expect("a sound system");
    if options.safety > ClockOptions::default().safety {
        let judged = stability::measure(&system, &state.positions).expect("elements have tangents");
        assert!(judged.sigma < 1.0, "unstable steps: the stability number is {}", judged.sigma);
    }
    let system = Arc::new(system);
    let end = system.line.tick_at(options.end_s).expect("an end on the time line");
    let simulation = Simulation::of_system(Arc::clone(&system), state, MethodKind::Carom);
    let mut simulation = simulation.expect("a sound start");
    let mut energies = Energies::default();
    let mut recording = Recording { times: Vec::new(), channels: Vec::new() };
    for sample in 0..=options.samples {
        let tick = Tick((u128::from(end.0) * u128::from(sample) / u128::from(options.samples)) as u64);
        simulation.advance_to_tick(tick).expect("a gentle motion does not fault");
        let state = simulation.state();
        if sample.is_multiple_of((options.samples / ENERGY_READINGS).max(1)) {
            energies.add(&simulation.reading());
        }
        let values = probe(&ProbedState { state: &state, tick });
        recording.channels.resize_with(values.len(), Vec::new);
        recording.times.push(system.line.quantum.time(tick));
        for (channel, value) in recording.channels.iter_mut().zip(values) {
            channel.push(value);
        }
    }
    assert!(
        energies.band() < ENERGY_BAND,
        "the energy strays by {:e}: try a smaller safety",
        energies.band()
    );
    recording
}

/// The range of the total energy and the largest kinetic energy, in J.
#[derive(Default)]
struct Energies {
    total: Option<[f64; 2]>,
    kinetic: f64,
}

impl Energies {
    fn add(&mut self, reading: &Reading) {
        let now = reading.total_j();
        let [low, high] = self.total.unwrap_or([now; 2]);
        self.total = Some([low.min(now), high.max(now)]);
        self.kinetic = self.kinetic.max(reading.kinetic_j);
    }

    fn band(&self) -> f64 {
        self.total.map_or(0.0, |[low, high]| (high - low) / self.kinetic)
    }
}

/// The owner of an element: these problems have one body.
pub fn owner(part: Part) -> Owner {
    Owner { body: 0, part }
}
