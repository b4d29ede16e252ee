//! Prescribed motion: vertices that go where they are told.
//!
//! A path says where some vertices are at certain ticks. Between them they fly straight, as everything does; at each of them they change velocity: it
//! is an instant, and contact treats the corner as a kick. A vertex aims at its next place from where it is, so that rounding
//! does not add up. Before the first tick and after the last it stands still.

use carom_math::Vec3;
use carom_time::{Quantum, StepError, Tick, TimeLine};

/// Where some vertices should be at which times, before there is a time line.
#[derive(Clone, Debug, PartialEq)]
pub struct Timetable {
    /// The vertices, each in one timetable only.
    pub vertices: Vec<u32>,
    /// When, in s, in rising order.
    pub times_s: Vec<f64>,
    /// Where each of the vertices is at each of the times, in m: at the first, where it starts.
    pub places: Vec<Vec<Vec3>>,
}

impl Timetable {
    /// The path of this timetable on a time line.
    pub(crate) fn on(self, line: &TimeLine) -> Result<Path, StepError> {
        let Self { vertices, times_s, places } = self;
        let ticks = times_s.iter().map(|t| line.tick_at(*t)).collect::<Result<_, _>>()?;
        Ok(Path { vertices, ticks, places })
    }
}

/// Where some vertices are told to be, and when. Nothing else moves them.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The vertices, each in one path only.
    pub vertices: Vec<u32>,
    /// When, in rising order.
    pub ticks: Vec<Tick>,
    /// Where each of the vertices is at each of the ticks, in m.
    pub places: Vec<Vec<Vec3>>,
}

impl Path {
    /// The velocity with which its vertex number `i` leaves `place` at its tick number `key`, in m/s.
    #[must_use]
    pub fn velocity(&self, key: usize, i: usize, place: Vec3, quantum: Quantum) -> Vec3 {
        match (self.ticks.get(key + 1), self.places.get(key + 1)) {
            (Some(next), Some(places)) => {
                (places[i] - place) * (1.0 / quantum.seconds_between(self.ticks[key], *next))
            }
            _ => Vec3::ZERO,
        }
    }

    /// The largest component by component and the smallest velocity on its way, in m/s.
    #[must_use]
    pub fn velocities(&self, quantum: Quantum) -> [Vec3; 2] {
        let (mut least, mut most) = (Vec3::ZERO, Vec3::ZERO);
        for (key, places) in self.places.iter().enumerate() {
            for (i, place) in places.iter().enumerate() {
                let u = self.velocity(key, i, *place, quantum);
                least = Vec3::new(least.x.min(u.x), least.y.min(u.y), least.z.min(u.z));
                most = Vec3::new(most.x.max(u.x), most.y.max(u.y), most.z.max(u.z));
            }
        }
        [least, most]
    }
}

/// A tick at which a path changes velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Corner {
    /// When.
    pub tick: Tick,
    /// Which path.
    pub path: usize,
    /// Which of its ticks.
    pub key: usize,
}

/// All corners of these paths, in the order of time.
#[must_use]
pub fn corners(paths: &[Path]) -> Vec<Corner> {
    let of_path = |(path, all): (usize, &Path)| {
        let corner = move |(key, &tick): (usize, &Tick)| Corner { tick, path, key };
        all.ticks.iter().enumerate().map(corner).collect::<Vec<_>>()
    };
    let mut corners: Vec<Corner> = paths.iter().enumerate().flat_map(of_path).collect();
    corners.sort_unstable();
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertex_that_is_late_still_arrives_and_then_stands_still() {
        let path = Path {
            vertices: vec![7],
            ticks: vec![Tick(10), Tick(14)],
            places: vec![vec![Vec3::ZERO], vec![Vec3::X]],
        };
        let quantum = Quantum::new(0.5);
        assert_eq!(path.velocity(0, 0, Vec3::new(0.5, 0.0, 1.0), quantum), Vec3::new(0.25, 0.0, -0.5));
        assert_eq!(path.velocity(1, 0, Vec3::X, quantum), Vec3::ZERO);
        assert_eq!(path.velocities(quantum), [Vec3::ZERO, Vec3::new(0.5, 0.0, 0.0)]);
    }

    #[test]
    fn corners_come_in_the_order_of_time_whichever_path_has_them() {
        let path = |ticks: &[u64]| Path {
            vertices: vec![],
            ticks: ticks.iter().map(|t| Tick(*t)).collect(),
            places: vec![vec![]; ticks.len()],
        };
        let order: Vec<(u64, usize, usize)> =
            corners(&[path(&[0, 8]), path(&[4, 8])]).iter().map(|c| (c.tick.0, c.path, c.key)).collect();
        assert_eq!(order, [(0, 0, 0), (4, 1, 0), (8, 0, 1), (8, 1, 1)]);
    }
}
