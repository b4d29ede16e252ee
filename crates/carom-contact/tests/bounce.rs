//! One particle between two walls: how well do the layers keep energy, bounce after bounce?
//!
//! The judge of the layers before any geometry: position and velocity are numbers, every layer
//! fires at the multiples of its own step on one global clock, and the free flight between the
//! walls is exact. Energy jumps are compared with the table of the design.

use carom_contact::Layers;
use carom_model::{LayerFamily, LayerSpec};
use carom_time::{Quantum, Span};

/// Quanta in the first layer's step: room for twenty halvings.
const FIRST: u64 = 1 << 20;
/// `h₁ω₁`, with unit mass and stiffness.
const STEP: f64 = 0.1;
/// One tick of the global clock.
const QUANTUM: f64 = STEP / FIRST as f64;
/// Distance between the walls; the layers reach 1 from each.
const ROOM: f64 = 3.7;
/// Deepest layer that is evaluated.
const CAP: u32 = 18;

/// What a series of bounces did to the energy.
#[derive(Debug)]
struct Jumps {
    rms: f64,
    mean: f64,
    largest_energy: f64,
    kicks_per_bounce: f64,
}

/// A particle of unit mass and energy ½v², between walls at 0 and `ROOM`.
struct Particle {
    x: f64,
    v: f64,
    tick: u64,
    kicks: u64,
}

impl Particle {
    fn position_at(&self, tick: u64) -> f64 {
        self.x + self.v * (tick - self.tick) as f64 * QUANTUM
    }

    /// Distance at `tick` from the wall ahead, or from the wall behind while still in its layers.
    fn distance_at(&self, tick: u64) -> f64 {
        let x = self.position_at(tick);
        x.min(ROOM - x)
    }

    /// Flies to the next tick at which some layer pushes, and is kicked there.
    fn advance(&mut self, layers: &Layers) {
        let next = (1..=CAP).filter_map(|l| self.next_push(layers, l)).min().expect("some wall is ahead");
        self.x = self.position_at(next);
        self.tick = next;
        let d = self.distance_at(next);
        let inwards = if self.x < ROOM / 2.0 { 1.0 } else { -1.0 };
        let due = (1..=CAP).map(|l| (l, layers.layer(l).span.quanta()));
        let impulse: f64 = due
            .filter(|(_, quanta)| next.is_multiple_of(*quanta))
            .map(|(l, quanta)| {
                quanta as f64 * QUANTUM * layers.sums(1, d, |i, _| f64::from(u8::from(i == l)))[0]
            })
            .sum();
        self.v += inwards * impulse;
        self.kicks += 1;
    }

    /// Whether the next push comes from the other wall: this bounce is over.
    fn next_wall(&self, layers: &Layers) -> bool {
        let next = (1..=CAP).filter_map(|l| self.next_push(layers, l)).min().expect("some wall is ahead");
        (self.position_at(next) < ROOM / 2.0) != (self.x < ROOM / 2.0)
    }

    /// The next tick at which layer `l` fires with the particle inside it, on the present flight.
    fn next_push(&self, layers: &Layers, l: u32) -> Option<u64> {
        let quanta = layers.layer(l).span.quanta();
        let eta = layers.thickness(l);
        let after = (self.tick / quanta + 1) * quanta;
        if self.distance_at(after) < eta {
            return Some(after);
        }
        let ahead = if self.v < 0.0 { self.x - eta } else { ROOM - eta - self.x };
        let entry = self.tick + (ahead.max(0.0) / (self.v.abs() * QUANTUM)) as u64;
        // The quotient is rounded: look at the multiples around it.
        (0..4).map(|k| (entry / quanta + k) * quanta).find(|&t| t > self.tick && self.distance_at(t) < eta)
    }
}

/// `bounces` bounces at a speed that crosses the first layer in `n` kicks.
fn bounce(family: LayerFamily, n: f64, bounces: usize) -> Jumps {
    let spec = LayerSpec { family, thickness: 1.0, stiffness: 1.0, span: Span::new(FIRST).unwrap() };
    let layers = Layers::new(&spec, CAP, Quantum::new(QUANTUM));
    let crossing = layers.thickness(1) - layers.thickness(2);
    let mut particle = Particle { x: ROOM / 2.0, v: crossing / (n * STEP), tick: 0, kicks: 0 };
    let mut energies = vec![0.5 * particle.v * particle.v];
    while energies.len() <= bounces {
        let side = particle.v.signum();
        // In to the wall and back to the middle: only free flight is left there.
        loop {
            particle.advance(&layers);
            assert!(particle.distance_at(particle.tick) > 0.0, "{family:?} let the particle through");
            if particle.v.signum() != side && particle.next_wall(&layers) {
                break;
            }
        }
        energies.push(0.5 * particle.v * particle.v);
    }
    let jumps: Vec<f64> = energies.windows(2).map(|e| e[1] / e[0] - 1.0).collect();
    let mean = jumps.iter().sum::<f64>() / jumps.len() as f64;
    let rms = (jumps.iter().map(|j| j * j).sum::<f64>() / jumps.len() as f64).sqrt();
    let largest_energy = energies.iter().copied().fold(0.0, f64::max) / energies[0];
    Jumps { rms, mean, largest_energy, kicks_per_bounce: particle.kicks as f64 / bounces as f64 }
}

#[test]
fn resolved_bounces_on_window_layers_keep_energy_to_a_millionth() {
    let jumps = bounce(LayerFamily::Window, 6.0, 10_000);
    println!("window, n = 6: {jumps:?}");
    assert!(jumps.rms < 1e-5, "{jumps:?}");
    assert!(jumps.mean.abs() < 3.0 * jumps.rms / 100.0, "{jumps:?}");
    assert!((30.0..70.0).contains(&jumps.kicks_per_bounce), "{jumps:?}");
}

#[test]
fn window_layers_beat_the_papers_quadratic_ones_by_a_hundred() {
    let (window, acm) = (bounce(LayerFamily::Window, 6.0, 2_000), bounce(LayerFamily::Acm, 6.0, 2_000));
    println!("window {window:?}, acm {acm:?}");
    assert!(acm.rms > 100.0 * window.rms);
}

#[test]
fn hard_impacts_on_window_layers_walk_but_never_run_away() {
    for n in [1.0, 0.3, 0.1] {
        let jumps = bounce(LayerFamily::Window, n, 4_000);
        println!("window, n = {n}: {jumps:?}");
        assert!(jumps.largest_energy < 3.0, "n = {n}: {jumps:?}");
    }
}
