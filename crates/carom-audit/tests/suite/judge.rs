//! Tests of the audit: constructed crossings, and random motions compared with an independent exact detection.

mod periodic;
mod planted;
mod random;
mod windows;

use carom_audit::{Beginning, Judge, Surface, Verdict};
use carom_math::Vec3;
use carom_time::{Quantum, Tick};

/// Where a vertex is at the ticks of its kicks; the first is its start.
type Polyline = Vec<(u64, Vec3)>;

/// A motion of all vertices: with a quantum of 1 s, velocities are per tick.
#[derive(Debug)]
struct Film {
    surface: Surface,
    polylines: Vec<Polyline>,
    end: u64,
}

fn velocity(from: (u64, Vec3), to: (u64, Vec3)) -> Vec3 {
    (to.1 - from.1) * (1.0 / (to.0 - from.0) as f64)
}

impl Film {
    /// The velocity with which a vertex leaves its `i`-th corner; after the last it stands still.
    fn leaving(&self, vertex: usize, i: usize) -> Vec3 {
        let line = &self.polylines[vertex];
        line.get(i + 1).map_or(Vec3::ZERO, |next| velocity(line[i], *next))
    }

    fn judged(&self, look_within_m: f64) -> Verdict {
        let vertices = 0..self.polylines.len();
        let positions: Vec<Vec3> = self.polylines.iter().map(|line| line[0].1).collect();
        let velocities: Vec<Vec3> = vertices.clone().map(|v| self.leaving(v, 0)).collect();
        let beginning = Beginning {
            tick: Tick(0),
            positions: &positions,
            velocities: &velocities,
            stored_at: &vec![Tick(0); positions.len()],
            quantum: Quantum::new(1.0),
        };
        let mut judge = Judge::new(self.surface.clone(), &beginning, look_within_m);
        let mut corners: Vec<(u64, usize, usize)> = vertices
            .flat_map(|v| (1..self.polylines[v].len()).map(move |i| (v, i)))
            .map(|(v, i)| (self.polylines[v][i].0, v, i))
            .collect();
        corners.sort_unstable();
        for (tick, v, i) in corners {
            judge.moved(v as u32, Tick(tick), self.polylines[v][i].1, self.leaving(v, i));
        }
        judge.close(Tick(self.end))
    }

    fn position(&self, vertex: usize, tick: f64) -> Vec3 {
        let line = &self.polylines[vertex];
        let next = line.partition_point(|(t, _)| (*t as f64) <= tick);
        match line.get(next) {
            None => line[line.len() - 1].1,
            Some(&to) => line[next - 1].1 + velocity(line[next - 1], to) * (tick - line[next - 1].0 as f64),
        }
    }
}
