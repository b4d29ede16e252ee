//! Judges a run while it happens.
//!
//! A [`Judge`] receives every stored position and keeps a window of them. When there are enough it judges the window up to three quarters
//! of its length: most straight pieces across that tick have ended by then, so their polylines are known; the others are extrapolated
//! (`motion`).
//!
//! | stage | shows most pairs to be apart by | file |
//! | --- | --- | --- |
//! | search | boxes with room for many windows | `candidates`, `tree` |
//! | sweeps | a direction and the chords of a window, a half, a quarter of it | `sweep`, this one |
//! | interval test | a direction and every corner, in intervals | `near`, `interval` |
//! | decision | nothing: exact arithmetic says whether there is contact | `exact` |

use std::collections::BTreeSet;

use carom_math::Vec3;
use carom_time::{Quantum, Tick};

use crate::candidates::{Candidate, Candidates, WakeAt};
use crate::motion::Polylines;
use crate::near::{IntervalTest, Notes, Watched};
use crate::nearest::{Apart, apart};
use crate::sweep::{Stretch, Sweep, Sweeps};
use crate::tree::Cuboid;
use crate::verdict::{Bend, Closest, Crossing, Nearest, Verdict, Work};
use crate::{Pair, Surface};

/// Corners for each vertex that make a window: 1 kB each, so that those of a few thousand vertices stay in a core's cache.
const CORNERS_PER_VERTEX: usize = 32;

/// Judges a run while it happens. A copy judges on from where it was made.
#[derive(Clone)]
pub struct Judge {
    motion: Polylines,
    candidates: Candidates,
    sweeps: Sweeps,
    interval_test: IntervalTest,
    quantum: Quantum,
    /// The tick up to which the run has been judged.
    judged_until: Tick,
    latest: Tick,
    nearest: Nearest,
    look_within_m: f64,
    /// Upper bound of the path length of any vertex since the start, in m.
    travelled_m: f64,
    crossings: Vec<Crossing>,
    crossed: BTreeSet<Pair>,
    bends: u64,
    first_bend: Option<Bend>,
    work: Work,
}

/// Start of a run: tick, positions, velocities.
#[derive(Clone, Copy, Debug)]
pub struct Beginning<'a> {
    /// The tick from which on the run is judged.
    pub tick: Tick,
    /// The last position of every vertex that was stored by then, in m.
    pub positions: &'a [Vec3],
    /// The velocity of every vertex after that position, in m/s.
    pub velocities: &'a [Vec3],
    /// The tick of that position of every vertex; none is later than `tick`.
    pub stored_at: &'a [Tick],
    /// Length of a tick.
    pub quantum: Quantum,
}

impl Judge {
    /// A judge of a run that starts at `beginning`. Pairs that never come within `look_within_m` (finite, in addition to the hard radii)
    /// are proven to be apart, but their distance is not measured.
    ///
    /// # Panics
    /// If the surface names a vertex without position, velocity or hard radius.
    #[must_use]
    pub fn new(surface: Surface, beginning: &Beginning, look_within_m: f64) -> Self {
        let Beginning { tick, positions, velocities, stored_at, quantum } = *beginning;
        assert_eq!(positions.len(), velocities.len(), "every vertex has a position and a velocity");
        assert_eq!(positions.len(), stored_at.len(), "every position was stored at some tick");
        assert_eq!(positions.len(), surface.hard_radii_m.len(), "every vertex has a hard radius, be it zero");
        let candidates = Candidates::new(surface);
        assert!(
            candidates.last_vertex().is_none_or(|v| (v as usize) < positions.len()),
            "the surface has a vertex too many"
        );
        Self {
            motion: Polylines::new(beginning),
            candidates,
            sweeps: Sweeps::new(),
            interval_test: IntervalTest::default(),
            quantum,
            judged_until: tick,
            latest: tick,
            nearest: Nearest::within(look_within_m),
            look_within_m,
            travelled_m: 0.0,
            crossings: Vec::new(),
            crossed: BTreeSet::new(),
            bends: 0,
            first_bend: None,
            work: Work::default(),
        }
    }

    /// A vertex was stored at `position` at `tick`, leaving with `velocity`. Ticks never go back.
    ///
    /// # Panics
    /// If a tick goes back.
    #[inline]
    pub fn moved(&mut self, vertex: u32, tick: Tick, position: Vec3, velocity: Vec3) {
        if tick != self.latest {
            assert!(tick > self.latest, "tick {} comes after tick {}", tick.0, self.latest.0);
            if self.motion.stored > CORNERS_PER_VERTEX * self.motion.vertices() {
                self.judge_what_is_known();
            }
            self.latest = tick;
        }
        self.work.corners += 1;
        if !self.motion.add(vertex as usize, tick, position, velocity) {
            self.bends += 1;
            self.first_bend.get_or_insert(Bend { vertex, tick: tick.0 });
        }
    }

    /// The run ended at `tick`: the verdict.
    #[must_use]
    pub fn close(mut self, tick: Tick) -> Verdict {
        if tick == self.judged_until && self.work.windows == 0 {
            // A run of no length: its start must be sound all the same.
            self.motion.stop_at(tick);
            self.judge_until(Tick(tick.0 + 1), true);
        } else if tick > self.judged_until {
            self.judge_until(tick.max(self.latest), true);
        }
        self.crossings.sort_by(|a, b| a.tick.total_cmp(&b.tick).then(a.pair.cmp(&b.pair)));
        let seconds = |tick: f64| tick * self.quantum.seconds();
        let closest = self.nearest.found.map(|(pair, tick)| Closest {
            distance_m: self.nearest.distance_m(),
            at_least_m: self.nearest.at_least_m(),
            pair,
            time_s: seconds(tick),
        });
        Verdict {
            crossings: self.crossings,
            closest,
            look_within_m: self.look_within_m,
            bends: self.bends,
            first_bend: self.first_bend,
            work: self.work,
        }
    }

    fn judge_what_is_known(&mut self) {
        let length = self.latest.0 - self.judged_until.0;
        let until = Tick(self.judged_until.0 + (length - length / 4));
        self.judge_until(until, false);
    }

    /// Judges the window from where the last one ended to `until`.
    fn judge_until(&mut self, until: Tick, is_end_of_run: bool) {
        self.work.windows += 1;
        self.motion.foresee(until, is_end_of_run);
        self.sweeps.measure(&self.motion, self.judged_until, until);
        if !self.candidates.serve(&self.sweeps.boxes) {
            self.work.searches += 1;
            self.candidates.search(&self.sweeps.boxes, self.nearest.distance_m(), &self.crossed);
        }
        self.travelled_m = travelled_m(self.travelled_m, &self.sweeps.boxes);
        for i in 0..self.candidates.list.len() {
            if self.candidates.wake_at[i] < self.travelled_m {
                self.candidates.wake_at[i] = self.judge_pair(i);
            }
        }
        self.motion.forget_before(until);
        self.judged_until = until;
    }

    /// Judges a pair over the window, and returns the path length at which it must be judged again.
    ///
    /// A pair that is `clear` apart at the end of this window stays apart until a vertex of each primitive has moved by half of that margin.
    fn judge_pair(&mut self, i: usize) -> WakeAt {
        self.work.pairs += 1;
        let Candidate { watched, towards } = self.candidates.list[i];
        let mut clear = clearance(&self.sweeps, Stretch::WHOLE, &watched, towards);
        if clear <= watched.reach_m + self.nearest.floor() {
            let (crossing, towards) = self.judge_stretch(Stretch::WHOLE, &watched);
            self.candidates.list[i].towards = towards;
            if let Some(tick) = crossing {
                self.note(watched.pair, tick);
                return f64::INFINITY;
            }
            clear = clearance(&self.sweeps, Stretch::WHOLE, &watched, towards);
        }
        let spare = clear - watched.reach_m - self.nearest.floor();
        // A part in 10¹² for the rounding of the difference; the sum is rounded down.
        (self.travelled_m + 0.5 * spare.max(0.0) * (1.0 - 1e-12)).next_down()
    }

    /// The first crossing of a pair in a stretch, and a direction that may keep it apart.
    fn judge_stretch(&mut self, stretch: Stretch, watched: &Watched) -> (Option<f64>, Vec3) {
        let sweeps = self.sweeps.of(stretch);
        let ticks = self.sweeps.ticks(stretch);
        let mut x = [Vec3::ZERO; 4];
        for (x, &v) in x.iter_mut().zip(watched.pair.vertices()) {
            *x = sweeps[v as usize].start;
        }
        if let Some(image) = watched.image {
            x[watched.pair.first().len()..].iter_mut().for_each(|x| *x += image.shift());
        }
        let Apart { distance, towards } = apart(watched.pair.kind(), &x);
        self.nearest.offer((distance - watched.reach_m).max(0.0), watched.pair, ticks[0] as f64);
        if clearance(&self.sweeps, stretch, watched, towards) > watched.reach_m + self.nearest.floor() {
            return (None, towards);
        }
        let crossing = if let Some([one, other]) = stretch.halves() {
            self.judge_stretch(one, watched).0.or_else(|| self.judge_stretch(other, watched).0)
        } else {
            self.work.interval_tests += 1;
            let mut notes = Notes { nearest: &mut self.nearest, work: &mut self.work };
            self.interval_test.first_crossing(&self.motion, watched, ticks, &mut notes)
        };
        (crossing, towards)
    }

    fn note(&mut self, pair: Pair, tick: f64) {
        self.crossed.insert(pair);
        self.crossings.push(Crossing { pair, tick, time_s: tick * self.quantum.seconds() });
    }
}

/// Upper bound of the path length after a window in which the vertices stay in these boxes, in m.
fn travelled_m(before_m: f64, boxes: &[Cuboid]) -> f64 {
    let farthest = boxes.iter().map(Cuboid::diagonal).fold(0.0, f64::max);
    // A part in 10¹² for the rounding of the diagonal; the sum is rounded up.
    (before_m + farthest * (1.0 + 1e-12)).next_up()
}

/// How far apart a direction proves a pair to be throughout a stretch.
///
/// On the chords the gap along the direction is nowhere less than at one of the ends; vertices are within their sags of the chords. A product with a
/// direction of length 1 is off by 6u·M at most, M bounding the coordinates, four of them by less than the noise.
fn clearance(sweeps: &Sweeps, stretch: Stretch, watched: &Watched, towards: Vec3) -> f64 {
    let of = sweeps.of(stretch);
    let sweep = |v: &u32| -> &Sweep { &of[*v as usize] };
    let (mut top, mut top_sag) = ([f64::NEG_INFINITY; 2], 0.0_f64);
    for s in watched.pair.first().iter().map(sweep) {
        top = [top[0].max(s.start.dot(towards)), top[1].max(s.end.dot(towards))];
        top_sag = top_sag.max(s.sag);
    }
    let (mut bottom, mut bottom_sag) = ([f64::INFINITY; 2], 0.0_f64);
    let (shift, noise) = watched.image.map_or((Vec3::ZERO, 0.0), |image| (image.shift(), image.noise()));
    for s in watched.pair.second().iter().map(sweep) {
        let [start, end] = [s.start + shift, s.end + shift];
        bottom = [bottom[0].min(start.dot(towards)), bottom[1].min(end.dot(towards))];
        bottom_sag = bottom_sag.max(s.sag);
    }
    (bottom[0] - top[0]).min(bottom[1] - top[1]) - top_sag - bottom_sag - sweeps.noise - noise
}
