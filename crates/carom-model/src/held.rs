//! How held vertices move: known for the whole run before it starts.
//!
//! | a held vertex | moves |
//! | --- | --- |
//! | in a [`Path`] | straight from place to place; before the first tick and after the last it stands still |
//! | any other | straight, with the velocity that it has |
//!
//! There is no third kind. A vertex is held if its inverse mass is zero along all axes, and then nothing but a corner of a path changes its
//! velocity: kicks are multiplied by the inverse mass. One that is pinned along one or two axes is not held. Auxiliary degrees of freedom are
//! no places.
//!
//! Vertices of one *group* keep their places relative to each other: they stand still, share a velocity, or follow paths that shift and turn
//! them alike. Between two of these nothing can happen that was not so at the start.

use std::collections::BTreeMap;

use carom_math::Vec3;
use carom_time::{Quantum, Tick};

use crate::{Path, State, System};

/// A turn between two places of a path by more than this (0.05 is 2.9°) is not one of a group: on the straight way between them distances
/// shrink, by 0.03 % at most for smaller ones.
const MOST_TURN: f64 = 0.05;

/// Places of paths are rounded a few times, from numbers as large as coordinates and as the arm about which a path turns.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The motion of all held vertices up to some tick.
#[derive(Clone)]
pub struct HeldMotion<'a> {
    system: &'a System,
    state: &'a State,
    /// For each vertex the path that leads it, and its number there.
    led: Vec<Option<(u32, u32)>>,
    /// For each vertex the group it moves with; `None` if it is free or moves on its own.
    groups: Vec<Option<u32>>,
    /// For each group a velocity that all its vertices have all the time, in m/s, if they have one.
    velocities: Vec<Option<Vec3>>,
}

impl<'a> HeldMotion<'a> {
    /// The motion of the held vertices of `system` from tick 0 up to `end`; vertices without a path move as `state` says.
    #[must_use]
    pub fn new(system: &'a System, state: &'a State, end: Tick) -> Self {
        let mut led = vec![None; system.places()];
        for (number, path) in (0..).zip(&system.paths) {
            for (i, &v) in (0..).zip(&path.vertices) {
                led[v as usize] = Some((number, i));
            }
        }
        let groups = vec![None; system.places()];
        let mut motion = Self { system, state, led, groups, velocities: Vec::new() };
        motion.group_steady();
        motion.group_paths(end);
        motion
    }

    /// Where held vertex `v` is at `tick`, in m.
    #[must_use]
    pub fn position(&self, v: u32, tick: Tick) -> Vec3 {
        let v = v as usize;
        if let Some((path, i)) = self.led[v] {
            place(&self.system.paths[path as usize], i as usize, tick)
        } else {
            let quantum = self.state.quantum();
            let (kicked_at, velocity) = (self.state.kicked_at[v], self.state.velocities[v]);
            let flown = if tick >= kicked_at {
                quantum.seconds_between(kicked_at, tick)
            } else {
                -quantum.seconds_between(tick, kicked_at)
            };
            self.state.positions[v] + velocity * flown
        }
    }

    /// The group that vertex `v` moves with; `None` if it is free or moves on its own.
    #[must_use]
    pub fn group(&self, v: u32) -> Option<u32> {
        self.groups.get(v as usize).copied().flatten()
    }

    /// How many groups there are.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.velocities.len()
    }

    /// The velocity that all vertices of a group have all the time, in m/s, if they have one.
    #[must_use]
    pub fn velocity_of(&self, group: u32) -> Option<Vec3> {
        self.velocities[group as usize]
    }

    /// Whether two held vertices may change their places relative to each other.
    #[must_use]
    pub fn is_relative(&self) -> bool {
        let moves_alone = |v: usize| self.system.is_held(v) && self.groups[v].is_none();
        self.groups() > 1 || (0..self.groups.len()).any(moves_alone)
    }

    /// Length of a tick.
    #[must_use]
    pub fn quantum(&self) -> Quantum {
        self.state.quantum()
    }

    /// The path that leads vertex `v`, if one does.
    #[must_use]
    pub fn path_of(&self, v: u32) -> Option<usize> {
        self.led[v as usize].map(|(path, _)| path as usize)
    }

    /// Groups vertices without a path by their velocities; a body whose held vertices differ in velocity has no group.
    fn group_steady(&mut self) {
        let system = self.system;
        let mut by_velocity: BTreeMap<[u64; 3], u32> = BTreeMap::new();
        for body in &system.bodies {
            let steady = |v: &usize| system.is_held(*v) && self.led[*v].is_none();
            let vertices: Vec<usize> = body.vertices.clone().map(|v| v as usize).filter(steady).collect();
            let Some(&first) = vertices.first() else { continue };
            // A zero has two signs.
            let velocity = self.state.velocities[first] + Vec3::ZERO;
            if vertices.iter().any(|&v| self.state.velocities[v] + Vec3::ZERO != velocity) {
                continue;
            }
            let velocities = &mut self.velocities;
            let group = *by_velocity.entry(velocity.to_array().map(f64::to_bits)).or_insert_with(|| {
                velocities.push(Some(velocity));
                velocities.len() as u32 - 1
            });
            for v in vertices {
                self.groups[v] = Some(group);
            }
        }
    }

    /// Groups vertices of paths that move as one up to `end`.
    fn group_paths(&mut self, end: Tick) {
        // The first path of each group.
        let mut leaders: Vec<(usize, u32)> = Vec::new();
        let system = self.system;
        let paths = &system.paths;
        for (number, path) in paths.iter().enumerate() {
            let group = if stands_still(path, end) {
                self.group_with(Vec3::ZERO)
            } else {
                let together = |(leader, _): &&(usize, u32)| move_as_one(&[&paths[*leader], path], end);
                match leaders.iter().find(together) {
                    Some((_, group)) => *group,
                    None if move_as_one(&[path], end) => {
                        self.velocities.push(None);
                        let group = self.velocities.len() as u32 - 1;
                        leaders.push((number, group));
                        group
                    }
                    None => continue,
                }
            };
            path.vertices.iter().for_each(|&v| self.groups[v as usize] = Some(group));
        }
    }

    fn group_with(&mut self, velocity: Vec3) -> u32 {
        let known = self.velocities.iter().position(|v| *v == Some(velocity));
        known.unwrap_or_else(|| {
            self.velocities.push(Some(velocity));
            self.velocities.len() - 1
        }) as u32
    }
}

/// Where vertex number `i` of a path is at `tick`, in m.
fn place(path: &Path, i: usize, tick: Tick) -> Vec3 {
    let next = path.ticks.partition_point(|t| *t <= tick);
    if next == 0 || next == path.ticks.len() {
        return path.places[next.saturating_sub(1)][i];
    }
    let [from, to] = [path.ticks[next - 1], path.ticks[next]];
    let part = (tick.0 - from.0) as f64 / (to.0 - from.0) as f64;
    path.places[next - 1][i] + (path.places[next][i] - path.places[next - 1][i]) * part
}

/// How many places of a path are reached, or on the way to be, before `end`.
fn places_until(path: &Path, end: Tick) -> usize {
    (path.ticks.partition_point(|t| *t < end) + 1).min(path.ticks.len())
}

fn stands_still(path: &Path, end: Tick) -> bool {
    path.places[..places_until(path, end)].windows(2).all(|pair| pair[0] == pair[1])
}

/// Whether all vertices of these paths keep their places relative to each other at every tick of the paths up to `end`.
fn move_as_one(paths: &[&Path], end: Tick) -> bool {
    let keys = places_until(paths[0], end);
    if paths
        .iter()
        .any(|path| places_until(path, end) != keys || path.ticks[..keys] != paths[0].ticks[..keys])
    {
        return false;
    }
    let places = |key: usize| paths.iter().flat_map(move |path| &path.places[key]).copied();
    (1..keys).all(|key| {
        let (from, to): (Vec<Vec3>, Vec<Vec3>) = (places(key - 1).collect(), places(key).collect());
        is_shifted(&from, &to) || is_turned(&from, &to)
    })
}

/// The rounding of places, in m: about an arm of length r, a turn by a degree moves by r/57.
fn rounding_m(from: &[Vec3], to: &[Vec3]) -> f64 {
    let moved = from.iter().zip(to).map(|(a, b)| (*b - *a).max_abs());
    let largest = from.iter().chain(to).map(|x| x.max_abs());
    ROUNDING * (largest.fold(0.0, f64::max) + 60.0 * moved.fold(0.0, f64::max))
}

/// Whether all points are displaced alike.
fn is_shifted(from: &[Vec3], to: &[Vec3]) -> bool {
    let doubt = rounding_m(from, to);
    let Some(shift) = from.first().zip(to.first()).map(|(a, b)| *b - *a) else { return true };
    from.iter().zip(to).all(|(a, b)| (*b - *a - shift).max_abs() <= doubt)
}

/// Whether all points keep their places relative to each other, turned by a little; points on one line are not asked.
fn is_turned(from: &[Vec3], to: &[Vec3]) -> bool {
    let Some(corners) = wide_triangle(from) else { return false };
    let (Some((before, width)), Some((after, _))) = (Axes3::of(from, corners), Axes3::of(to, corners)) else {
        return false;
    };
    let doubt = rounding_m(from, to);
    from.iter().zip(to).all(|(a, b)| {
        let (own, other) = (*a - before.origin, *b - after.origin);
        let arm = own.length();
        // The axes are off by the rounding over the width of the triangle.
        (before.coordinates(own) - after.coordinates(other)).max_abs() <= doubt * (1.0 + arm / width)
            && (other - own).length() <= MOST_TURN * arm + doubt
    })
}

/// The first point, the farthest from it, and the farthest from the line through both; `None` if all are on that line.
fn wide_triangle(points: &[Vec3]) -> Option<[usize; 3]> {
    let first = *points.first()?;
    let farthest = |how_far: &dyn Fn(Vec3) -> f64| {
        let far = points.iter().map(|x| how_far(*x));
        let (i, most) = far.enumerate().fold((0, 0.0), |best, own| if own.1 > best.1 { own } else { best });
        (most > 0.0).then_some((i, most))
    };
    let (second, length) = farthest(&|x| (x - first).length())?;
    let along = (points[second] - first) * (1.0 / length);
    let (third, width) = farthest(&|x| (x - first).cross(along).length())?;
    (width > 1e-6 * length).then_some([0, second, third])
}

/// Axes that go with three points.
struct Axes3 {
    origin: Vec3,
    axes: [Vec3; 3],
}

impl Axes3 {
    /// The axes of three of these points, and how far the third is from the line through the others, in m.
    fn of(points: &[Vec3], [a, b, c]: [usize; 3]) -> Option<(Self, f64)> {
        let origin = points[a];
        let x = (points[b] - origin).try_normalize()?;
        let aside = points[c] - origin - x * (points[c] - origin).dot(x);
        let y = aside.try_normalize()?;
        Some((Self { origin, axes: [x, y, x.cross(y)] }, aside.length()))
    }

    fn coordinates(&self, from_origin: Vec3) -> Vec3 {
        Vec3::from(self.axes.map(|axis| axis.dot(from_origin)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axes, ClockOptions, SystemBuilder, Timetable};

    /// A triangle that is led from key to key, in m from its start, and one that is pinned.
    fn scene(keys: &[(f64, Vec3)]) -> (System, State) {
        let mut builder = SystemBuilder::new();
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
        builder.body("led");
        let led = corners.map(|x| builder.vertex(x, Vec3::ZERO, 1.0));
        builder.body("pinned");
        for x in corners {
            let vertex = builder.vertex(x, Vec3::ZERO, 1.0);
            builder.pin(vertex, Axes::ALL);
        }
        builder.body("free");
        builder.vertex(Vec3::Z, Vec3::X, 1.0);
        let places = |shift: Vec3| corners.iter().map(|x| *x + shift).collect();
        builder.tell(Timetable {
            vertices: led.to_vec(),
            times_s: [0.0].into_iter().chain(keys.iter().map(|key| key.0)).collect(),
            places: [Vec3::ZERO].into_iter().chain(keys.iter().map(|key| key.1)).map(places).collect(),
        });
        builder.build(&ClockOptions { step_s: Some(0.25), ..ClockOptions::default() }).unwrap()
    }

    #[test]
    fn what_is_led_is_at_its_places_and_between_them_on_the_straight_way() {
        let (system, state) = scene(&[(1.0, Vec3::Z), (2.0, Vec3::Z * 3.0)]);
        let tick = |seconds: f64| system.line.tick_at(seconds).unwrap();
        let motion = HeldMotion::new(&system, &state, tick(4.0));
        for (seconds, height) in [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (1.25, 1.5), (2.0, 3.0), (3.0, 3.0)] {
            let x = motion.position(1, tick(seconds));
            assert!((x - Vec3::new(1.0, 0.0, height)).max_abs() < 1e-6, "{seconds} s: {x:?}");
        }
    }

    #[test]
    fn a_path_that_has_not_moved_at_the_end_rests_with_all_that_is_pinned() {
        let (system, state) = scene(&[(1.0, Vec3::ZERO), (2.0, Vec3::Z)]);
        let groups = |seconds: f64| {
            let motion = HeldMotion::new(&system, &state, system.line.tick_at(seconds).unwrap());
            ((0..7).map(|v| motion.group(v)).collect::<Vec<_>>(), motion.is_relative())
        };
        let (rest, led) = (Some(0), Some(1));
        assert_eq!(groups(0.9), (vec![rest, rest, rest, rest, rest, rest, None], false));
        assert_eq!(groups(1.5), (vec![led, led, led, rest, rest, rest, None], true));
    }
}
