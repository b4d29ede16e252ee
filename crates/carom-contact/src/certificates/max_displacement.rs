//! The path of the fastest vertex: most of the time it is all that must be known of the others.

use carom_math::Vec3;

use super::OUTWARD;
use crate::TouchedVertices;

/// A path of more terms begins anew.
const LONGEST_PATH: u32 = 1 << 16;

/// How far the fastest vertex may have gone: most vertices need no other check.
pub(super) struct MaxDisplacement {
    /// The path of the fastest vertex since the search, in m.
    pub path: f64,
    /// A bound on the speed of every vertex in the frame of its body since then, in m/s.
    pub fastest: f64,
    /// The path of the fastest vertex up to which each vertex is within its allowance, whatever it does, in m.
    pub safe_path_length: Vec<f64>,
    /// How far ahead the motion of each vertex is covered, in s.
    pub steps_s: Vec<f64>,
    /// The longest of `steps_s`.
    pub longest_step_s: f64,
    /// How many terms the path has.
    terms: u32,
}

impl MaxDisplacement {
    /// Nothing has moved yet.
    pub fn new(steps_s: Vec<f64>) -> Self {
        let safe_path_length = vec![f64::NEG_INFINITY; steps_s.len()];
        let longest_step_s = steps_s.iter().copied().fold(0.0, f64::max);
        Self { path: 0.0, fastest: 0.0, safe_path_length, steps_s, longest_step_s, terms: 0 }
    }

    /// Begins anew with a bound on all speeds, in m/s.
    pub fn begin(&mut self, fastest: f64) {
        (self.path, self.fastest, self.terms) = (0.0, fastest, 0);
        self.safe_path_length.fill(f64::NEG_INFINITY);
    }

    /// Begins anew for so many budgets, those in the frames of bodies first: of the others nothing is known but what is checked.
    pub fn begin_for(&mut self, budgets: usize) {
        self.safe_path_length.resize(budgets, f64::NEG_INFINITY);
        self.begin(self.fastest);
    }

    /// Goes on by the time since the last instant, in s, after which the fastest touched vertex has this speed, in m/s.
    pub fn advance(&mut self, since_s: f64, fastest: f64) {
        self.path += self.fastest * since_s * OUTWARD;
        self.fastest = self.fastest.max(fastest * OUTWARD);
        self.terms += 1;
        if self.terms == LONGEST_PATH {
            self.begin(self.fastest);
        }
    }
}

/// Speed of the fastest touched vertex in the frame, in m/s.
pub(super) fn fastest(touched: TouchedVertices, velocities: &[Vec3], frame: Vec3) -> f64 {
    let larger = |most: f64, v: Vec3| {
        let speed2 = (v - frame).length_sq();
        if speed2 > most { speed2 } else { most }
    };
    // Four at a time: no maximum waits for the one before.
    let mut most = [0.0; 4];
    let fours = velocities[..touched.prefix as usize].chunks_exact(4);
    let rest = fours.remainder();
    for four in fours {
        for (most, v) in most.iter_mut().zip(four) {
            *most = larger(*most, *v);
        }
    }
    let others = touched.others.iter().map(|v| velocities[*v as usize]);
    let rest = rest.iter().copied().chain(others).fold(0.0, larger);
    most.into_iter().fold(rest, f64::max).sqrt()
}
