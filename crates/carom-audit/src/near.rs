//! The interval test of near pairs, and exact arithmetic where intervals cannot decide.
//!
//! Take a direction of length at most 1, and how far along it the second primitive begins after the first one ends: that *gap* is at most the distance.
//! Where all vertices have constant velocity it is the least of a few functions that are linear in time, so it is nowhere less than at one
//! of the two ends
//! of that time. Hence a direction proves a distance over many pieces by their corners alone. An interval of time for which it proves
//! nothing is halved, each half with its own direction; within a straight piece with a direction that rotates linearly, until the distance
//! found is as small as the rounding of the intervals. Then exact arithmetic decides that piece.

use carom_math::Vec3;
use dashu_int::IBig;

use crate::Pair;
use crate::exact::{Times, WholeFlight, first_contact, whole_numbers};
use crate::image::Image;
use crate::interval::{Interval, PositionBounds};
use crate::motion::{Piece, Polylines};
use crate::nearest::{Apart, apart};
use crate::verdict::{Nearest, Work};

/// Number of parts of a straight piece that are tested before exact arithmetic decides the piece: enough to find the nearest instant to a part
/// in a million even where the pair rotates by half a revolution.
const MOST_PARTS: u32 = 4096;

/// A pair and the distance at which it crosses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watched {
    pub pair: Pair,
    /// Sum of the hard radii, rounded up, in m.
    pub reach_m: f64,
    /// The hard radii.
    pub radii_m: [f64; 2],
    /// The image of the second primitive, in a periodic box.
    pub image: Option<Image>,
}

/// Bounds of the positions of a pair's vertices at one instant.
type StencilBounds = [PositionBounds; 4];

/// The interval test, with its scratch memory.
#[derive(Clone, Default)]
pub(crate) struct IntervalTest {
    /// The instants at which a vertex of the pair has a corner, and both ends.
    ticks: Vec<u64>,
    places: Vec<StencilBounds>,
}

/// Results of an interval test.
pub(crate) struct Notes<'a> {
    pub nearest: &'a mut Nearest,
    pub work: &'a mut Work,
}

impl IntervalTest {
    /// The first crossing of a pair from one tick to another, in ticks.
    pub fn first_crossing(
        &mut self,
        motion: &Polylines,
        watched: &Watched,
        [from, to]: [u64; 2],
        notes: &mut Notes,
    ) -> Option<f64> {
        let vertices = watched.pair.vertices();
        self.ticks.clear();
        self.ticks.extend([from, to]);
        for &v in vertices {
            let inside = motion.corners(v as usize).iter().map(|c| c.tick).filter(|t| (from..to).contains(t));
            self.ticks.extend(inside);
        }
        self.ticks.sort_unstable();
        self.ticks.dedup();
        self.places.clear();
        for &tick in &self.ticks {
            let mut places = StencilBounds::default();
            for (place, &v) in places.iter_mut().zip(vertices) {
                *place = motion.place(v as usize, tick);
            }
            if let Some(image) = watched.image {
                let second = watched.pair.first().len()..vertices.len();
                places[second].iter_mut().for_each(|place| *place = place.moved(image.exactly()));
            }
            self.places.push(places);
        }
        self.between_corners(motion, watched, [0, self.ticks.len() - 1], notes)
    }

    fn between_corners(
        &self,
        motion: &Polylines,
        watched: &Watched,
        [first, last]: [usize; 2],
        notes: &mut Notes,
    ) -> Option<f64> {
        let middle = usize::midpoint(first, last);
        let (_, towards) = approach(watched, &self.places[middle], self.ticks[middle] as f64, notes.nearest);
        let proven = |places: &StencilBounds| gap(watched, places, towards).low > notes.nearest.floor();
        if self.places[first..=last].iter().all(proven) {
            return None;
        }
        if last - first < 2 {
            return self.straight(motion, watched, first, notes);
        }
        self.between_corners(motion, watched, [first, middle], notes)
            .or_else(|| self.between_corners(motion, watched, [middle, last], notes))
    }

    /// The first crossing where all vertices move straight: from corner `first` to the next.
    fn straight(
        &self,
        motion: &Polylines,
        watched: &Watched,
        first: usize,
        notes: &mut Notes,
    ) -> Option<f64> {
        let ticks = [self.ticks[first], self.ticks[(first + 1).min(self.ticks.len() - 1)]];
        let [from, to] = [&self.places[first], &self.places[(first + 1).min(self.places.len() - 1)]];
        let tick_at = |part: f64| ticks[0] as f64 + (ticks[1] - ticks[0]) as f64 * part;
        let places_at = |part: f64| -> StencilBounds {
            core::array::from_fn(|i| PositionBounds::between(from[i], to[i], Interval::exactly(part)))
        };
        let mut is_decided = false;
        let mut parts = 0;
        let mut ahead = vec![[0.0, 1.0]];
        while let Some([start, end]) = ahead.pop() {
            parts += 1;
            let ends = [places_at(start), places_at(end)];
            let seen = [(start, &ends[0]), (end, &ends[1])]
                .map(|(part, places)| approach(watched, places, tick_at(part), notes.nearest));
            let found = seen[0].0.min(seen[1].0);
            let gap_turning = gap_turning(watched, &ends, [seen[0].1, seen[1].1]);
            let proven = gap_turning.low;
            if proven > notes.nearest.floor() {
                continue;
            }
            let middle = 0.5 * (start + end);
            // What is found must stand out from the rounding, or halving leads nowhere.
            if parts < MOST_PARTS && found > 2.0 * (gap_turning.high - gap_turning.low) {
                ahead.extend([[middle, end], [start, middle]]);
                continue;
            }
            notes.nearest.prove_no_more_than(proven);
            if !core::mem::replace(&mut is_decided, true) {
                notes.work.exact_decisions += 1;
                if let Some(times) = decide(motion, watched, ticks) {
                    notes.nearest.offer(0.0, watched.pair, tick_at(times.low));
                    return Some(tick_at(times.low));
                }
            }
        }
        None
    }
}

/// Measures about how near the pair is at an instant, and the direction in which.
fn approach(watched: &Watched, places: &StencilBounds, tick: f64, nearest: &mut Nearest) -> (f64, Vec3) {
    let Apart { distance, towards } = apart(watched.pair.kind(), &places.map(|place| place.middle()));
    let distance = (distance - watched.reach_m).max(0.0);
    nearest.offer(distance, watched.pair, tick);
    (distance, towards)
}

/// The gap along a direction, less the hard radii.
fn gap(watched: &Watched, places: &StencilBounds, towards: Vec3) -> Interval {
    gap_of(watched, places.each_ref().map(|place| place.along(towards)))
}

/// A bound on the gap, less the hard radii, while all vertices have constant velocity and the direction changes linearly in time.
///
/// The coordinate of a vertex along a direction that changes linearly is quadratic in time, and so are differences of two. A quadratic is
/// nowhere less
/// than the least of its Bernstein coefficients: its two ends, and between them the mean of each end's positions along the other end's direction.
/// A linear combination of two directions of length at most 1 is no longer than 1.
fn gap_turning(watched: &Watched, ends: &[StencilBounds; 2], towards: [Vec3; 2]) -> Interval {
    let crosswise =
        core::array::from_fn(|i| (ends[0][i].along(towards[1]) + ends[1][i].along(towards[0])).times(0.5));
    let gaps =
        [gap(watched, &ends[0], towards[0]), gap_of(watched, crosswise), gap(watched, &ends[1], towards[1])];
    gaps.into_iter().reduce(least).expect("there are three")
}

/// The least coordinate of the second primitive less the greatest of the first, less the hard radii.
fn gap_of(watched: &Watched, along: [Interval; 4]) -> Interval {
    let (first, second) = along[..watched.pair.kind().vertices()].split_at(watched.pair.first().len());
    let top = first.iter().copied().reduce(greatest).expect("a primitive has vertices");
    let bottom = second.iter().copied().reduce(least).expect("a primitive has vertices");
    bottom - top - Interval::exactly(watched.reach_m)
}

fn least(a: Interval, b: Interval) -> Interval {
    Interval { low: a.low.min(b.low), high: a.high.min(b.high) }
}

fn greatest(a: Interval, b: Interval) -> Interval {
    Interval { low: a.low.max(b.low), high: a.high.max(b.high) }
}

/// The first contact while all vertices move straight, in exact arithmetic; what is foreseen counts as in contact within its slack.
fn decide(motion: &Polylines, watched: &Watched, ticks: [u64; 2]) -> Option<Times> {
    let vertices = watched.pair.vertices();
    // Of two pieces that share this tick it is the earlier one: the one flown here.
    let pieces: Vec<Piece> = vertices.iter().map(|&v| motion.piece(v as usize, ticks[1])).collect();
    let slack = vertices.iter().map(|&v| motion.slack(v as usize)).fold(0.0, f64::max);
    let positions = pieces.iter().flat_map(|p| [p.from.position, p.to.position]);
    let mut numbers: Vec<f64> = positions.flat_map(Vec3::to_array).collect();
    // Two ends, each off by √3 slacks at most.
    numbers.extend([watched.radii_m[0], watched.radii_m[1], 4.0 * slack]);
    numbers.extend(watched.image.map_or([0.0; 3], |image| image.period_m()));
    let whole = whole_numbers(&numbers);
    let (whole, period) = whole.split_at(numbers.len() - 3);

    let spans: Vec<IBig> = pieces.iter().map(|p| IBig::from(p.to.tick - p.from.tick)).collect();
    // One unit of length for all in which every interpolated position is whole.
    let unit: IBig = spans.iter().product();
    let flights: Vec<WholeFlight> = (0..pieces.len())
        .map(|i| {
            let at = |tick: u64, k: usize| {
                let (flown, left) = (tick - pieces[i].from.tick, pieces[i].to.tick - tick);
                let sum = &whole[6 * i + k] * IBig::from(left) + &whole[6 * i + 3 + k] * IBig::from(flown);
                let moved = watched.image.filter(|_| i >= watched.pair.first().len());
                let shift = moved.map_or(IBig::ZERO, |image| image.whole(k, period));
                sum * (&unit / &spans[i]) + shift * &unit
            };
            WholeFlight {
                start: core::array::from_fn(|k| at(ticks[0], k)),
                end: core::array::from_fn(|k| at(ticks[1], k)),
            }
        })
        .collect();
    let reach: IBig = whole[6 * pieces.len()..].iter().sum::<IBig>() * &unit;
    first_contact(watched.pair.kind(), &flights, &reach)
}
