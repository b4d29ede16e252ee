//! Which frames the bodies of an epoch have.
//!
//! Any velocities are safe: a certificate counts motion in a frame common to its pair, and the distance of a pair is the same in all. Which ones are chosen
//! decides the cost alone. They follow from relative motion, so that what flies together costs what it costs at rest: the frame of a body goes with its
//! held parts, or with its mean velocity if it has none; walls are in many pairs and should stand still.
//!
//! Two frames cost more than one: a vertex near a body of another frame has a budget in both. So a body has a frame of its own only if
//! its velocity in that of another is large beside what moves in either. What is held and what is heavy chooses first: others come to it.
//!
//! Free bodies that are near each other, and share their frames with no others, share one: what meets so is soon at rest in their mean velocity,
//! and has few pairs of its own beside.
//!
//! Pairs of two bodies count where parts that touch come to rest: in the frame of what is held, or in that of the mean velocity of both, as an impact leaves them.
//!
//! Points of all bodies share a frame: they are searched in one tree, and often in a periodic box.

use core::cmp::Reverse;

use carom_geometry::Bounds;
use carom_math::Vec3;
use carom_model::System;

use super::max_displacement::fastest;
use crate::broad_phase::{Frames, half_thickness};
use crate::{PairRules, TouchedVertices};

/// A body has a frame of its own if its velocity in another is at least this, over what moves in either.
const WORTHWHILE: f64 = 4.0;

/// Velocities that differ by less, over the larger one, are the same.
const ROUNDING: f64 = 1e-12;

/// The most frames: beyond, bodies share the one that suits them best.
const MOST: usize = 64;

/// What the frames of an epoch are chosen by.
pub(super) struct FrameChoice {
    /// Bodies that share a frame in any case, in the order in which they choose.
    parts: Vec<Part>,
    /// The body of each vertex, by numbers in pairs; 0 for what is none.
    body_of: Vec<u32>,
    bodies: usize,
    /// Which vertices are positions, if some are not: an angle that changes is no speed.
    is_position: Option<Vec<bool>>,
}

/// Bodies that share a frame in any case.
struct Part {
    bodies: Vec<u32>,
    /// All vertices, by numbers in pairs.
    vertices: Vec<u32>,
    /// Those whose mean velocity is that of the frame, and their weights: what is held, or all with their masses.
    leading: Vec<(u32, f64)>,
    is_held: bool,
    /// In kg.
    mass: f64,
    /// How far from its vertices something may be and yet be near, in m: its first layer.
    reach: f64,
}

/// A frame of bodies that is being chosen.
struct Chosen {
    velocity: Vec3,
    /// How fast the vertices of its first part move in it, root mean square, in m/s.
    spread: f64,
    /// Numbers of its parts.
    parts: Vec<usize>,
    /// The mass of its parts, in kg; nothing if one is held.
    mass: Option<f64>,
}

impl FrameChoice {
    /// For the vertices of a system.
    pub fn new(system: &System, rules: &PairRules) -> Self {
        let mut body_of = vec![0; system.vertices()];
        for (body, own) in (0..).zip(&system.bodies) {
            own.vertices.clone().for_each(|v| body_of[rules.renumbered(v) as usize] = body);
        }
        let mut has_points = vec![false; system.bodies.len()];
        for v in rules.contact().vertices.iter().filter(|v| v.is_point) {
            has_points[v.body as usize] = true;
        }
        let all = 0..system.bodies.len() as u32;
        let (with_points, others): (Vec<u32>, Vec<u32>) = all.partition(|b| has_points[*b as usize]);
        let groups = others.into_iter().map(|body| vec![body]).chain([with_points]);
        let half = half_thickness(rules);
        let part = |bodies| Part::new(system, rules, bodies, &half);
        let mut parts: Vec<Part> = groups.map(part).filter(|part| !part.leading.is_empty()).collect();
        parts.sort_by(|a, b| {
            let rank = |part: &Part| (Reverse(part.is_held), part.bodies[0]);
            let (first, second) = (rank(a), rank(b));
            first.0.cmp(&second.0).then(b.mass.total_cmp(&a.mass)).then(first.1.cmp(&second.1))
        });
        let is_position = (!system.auxiliary_dofs.is_empty()).then(|| {
            let mut is_position = vec![false; system.vertices()];
            (0..system.places() as u32).for_each(|v| is_position[rules.renumbered(v) as usize] = true);
            is_position
        });
        Self { parts, body_of, bodies: system.bodies.len(), is_position }
    }

    /// Whether vertex `v` is a position.
    pub fn is_position(&self, v: usize) -> bool {
        self.is_position.as_ref().is_none_or(|is_position| is_position[v])
    }

    /// The frames for these positions, in m, and velocities, in m/s, that cover so much time beyond the next search, in s.
    pub fn frames(&self, x: &[Vec3], velocities: &[Vec3], beyond_s: f64) -> Frames {
        let mut chosen: Vec<Chosen> = Vec::new();
        for (number, part) in self.parts.iter().enumerate() {
            let (velocity, spread) = part.motion(velocities);
            let off = |frame: &Chosen| (frame.velocity - velocity).length();
            let best = (0..chosen.len()).min_by(|f, g| off(&chosen[*f]).total_cmp(&off(&chosen[*g])));
            let suits = |f: &usize| {
                let (off, moves) = (off(&chosen[*f]), spread.max(chosen[*f].spread));
                let moves = moves.max(ROUNDING * velocity.length());
                off < WORTHWHILE * moves || off == 0.0 || chosen.len() == MOST
            };
            // What is held is as good as infinitely heavy.
            let mass = Some(part.mass).filter(|_| !part.is_held);
            if let Some(f) = best.filter(suits) {
                let frame = &mut chosen[f];
                frame.parts.push(number);
                frame.mass = frame.mass.zip(mass).map(|(others, own)| others + own);
            } else {
                chosen.push(Chosen { velocity, spread, parts: vec![number], mass });
            }
        }
        self.join_near(&mut chosen, x);
        self.of_chosen(&chosen, beyond_s)
    }

    /// Joins the frames of single free parts that are near each other.
    fn join_near(&self, chosen: &mut Vec<Chosen>, x: &[Vec3]) {
        let is_single = |frame: &Chosen| frame.mass.is_some() && frame.parts.len() == 1;
        let (single, others): (Vec<Chosen>, Vec<Chosen>) = chosen.drain(..).partition(is_single);
        *chosen = others;
        let mut joined: Vec<(Chosen, Bounds)> = Vec::new();
        for mut frame in single {
            let mut bounds = self.parts[frame.parts[0]].bounds(x);
            // Whatever it is near, and whatever that has brought.
            while let Some(near) = joined.iter().position(|(_, other)| other.overlaps(&bounds)) {
                let (other, its) = joined.swap_remove(near);
                bounds = bounds.joined(&its);
                frame = frame.joined(other);
            }
            joined.push((frame, bounds));
        }
        chosen.extend(joined.into_iter().map(|(frame, _)| frame));
    }

    fn of_chosen(&self, chosen: &[Chosen], beyond_s: f64) -> Frames {
        let mut frames = Frames { beyond_s, ..Frames::one(self.bodies) };
        if !chosen.is_empty() {
            frames.velocities = chosen.iter().map(|frame| frame.velocity).collect();
        }
        for (number, frame) in (0..).zip(chosen) {
            for body in frame.parts.iter().flat_map(|part| &self.parts[*part].bodies) {
                frames.of_body[*body as usize] = number;
            }
        }
        add_meetings(&mut frames, chosen);
        frames
    }

    /// The frame of each vertex.
    pub fn frame_of_vertices(&self, frames: &Frames) -> Vec<u32> {
        self.body_of.iter().map(|body| frames.of_body[*body as usize]).collect()
    }

    /// Speed of the fastest touched position in the frame of its body, in m/s, where vertex `v` is in the frame `frame_of[v]`.
    pub fn fastest(
        &self,
        touched: TouchedVertices,
        velocities: &[Vec3],
        frames: &Frames,
        frame_of: &[u32],
    ) -> f64 {
        if frames.is_one() && self.is_position.is_none() {
            return fastest(touched, velocities, frames.velocities[0]);
        }
        let all = (0..touched.prefix).chain(touched.others.iter().copied()).map(|v| v as usize);
        let of = |v: usize| frames.velocities[if frames.is_one() { 0 } else { frame_of[v] as usize }];
        let speeds_sq = all.filter(|v| self.is_position(*v)).map(|v| (velocities[v] - of(v)).length_sq());
        speeds_sq.fold(0.0, |most: f64, speed| if speed > most { speed } else { most }).sqrt()
    }
}

impl Chosen {
    /// This frame and another as one, with their mean velocity; nothing in them is held.
    fn joined(mut self, other: Self) -> Self {
        let [own, its] = [self.mass, other.mass].map(|mass| mass.unwrap_or(0.0));
        self.velocity += (other.velocity - self.velocity) * (its / (own + its));
        self.spread = self.spread.max(other.spread);
        self.parts.extend(other.parts);
        self.mass = Some(own + its);
        self
    }
}

/// Adds the frames in which those of bodies meet.
fn add_meetings(frames: &mut Frames, chosen: &[Chosen]) {
    let n = frames.velocities.len();
    (frames.own, frames.between) = (n, vec![0; n * n]);
    for f in 0..n {
        for g in f..n {
            let mass = |frame: usize| chosen.get(frame).and_then(|frame| frame.mass);
            let meet = match (mass(f), mass(g)) {
                (Some(m), Some(w)) if f < g => {
                    let [one, other] = [f, g].map(|frame| frames.velocities[frame]);
                    frames.velocities.push(one + (other - one) * (w / (m + w)));
                    frames.velocities.len() - 1
                }
                (Some(_), None) => g,
                _ => f,
            };
            frames.between[f * n + g] = meet as u32;
            frames.between[g * n + f] = meet as u32;
        }
    }
}

impl Part {
    fn new(system: &System, rules: &PairRules, bodies: Vec<u32>, half_thickness: &[f64]) -> Self {
        let own = bodies.iter().flat_map(|b| system.bodies[*b as usize].vertices.clone());
        let own: Vec<u32> = own.filter(|v| (*v as usize) < system.places()).collect();
        let is_held = own.iter().any(|v| system.is_held(*v as usize));
        let leads = |v: &u32| !is_held || system.is_held(*v as usize);
        let weight = |v: u32| if is_held { 1.0 } else { system.masses[v as usize] };
        let reach = bodies.iter().map(|body| 2.0 * half_thickness[*body as usize]).fold(0.0, f64::max);
        Self {
            reach,
            bodies,
            vertices: own.iter().map(|v| rules.renumbered(*v)).collect(),
            leading: own.iter().copied().filter(leads).map(|v| (rules.renumbered(v), weight(v))).collect(),
            is_held,
            mass: own.iter().map(|v| system.masses[*v as usize]).sum(),
        }
    }

    /// A box around it and what is near.
    fn bounds(&self, x: &[Vec3]) -> Bounds {
        let point = |v: &u32| Bounds { min: x[*v as usize], max: x[*v as usize] };
        let all = self.vertices.iter().fold(Bounds::EMPTY, |all, v| all.joined(&point(v)));
        all.grown(self.reach)
    }

    /// The velocity of its frame, exactly that of its vertices if they share one, and how fast these move in it, root mean square, in m/s.
    fn motion(&self, velocities: &[Vec3]) -> (Vec3, f64) {
        let first = velocities[self.leading[0].0 as usize];
        let total: f64 = self.leading.iter().map(|(_, weight)| weight).sum();
        let beside: Vec3 = self.leading.iter().map(|(v, w)| (velocities[*v as usize] - first) * *w).sum();
        let velocity = if beside.is_zero() { first } else { first + beside * (1.0 / total) };
        let squares = self.vertices.iter().map(|v| (velocities[*v as usize] - velocity).length_sq());
        (velocity, (squares.sum::<f64>() / self.vertices.len() as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Thing, points, scene, sheet};
    use proptest::prelude::*;

    fn velocity() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-1.0..1.0f64).prop_map(Vec3::from)
    }

    /// Two sheets, one of them held, and points; each body moves evenly.
    fn choice() -> (System, FrameChoice) {
        let held = Thing { is_held: true, ..sheet(0.3) };
        let (system, _) = scene(&[sheet(0.5), held, points(&[Vec3::ZERO, Vec3::X], 0.0)], 0.1, 4);
        let choice = FrameChoice::new(&system, &PairRules::with_own_numbers(&system));
        (system, choice)
    }

    /// The bodies one above the other, so far apart, in m.
    fn places(far: f64) -> Vec<Vec3> {
        let at =
            |body: usize, v: usize| Vec3::new(0.1 * (v % 2) as f64, 0.1 * (v / 2) as f64, far * body as f64);
        [4, 4, 2].into_iter().enumerate().flat_map(|(body, n)| (0..n).map(move |v| at(body, v))).collect()
    }

    fn velocities(system: &System, of_bodies: [Vec3; 3]) -> Vec<Vec3> {
        let all = system.bodies.iter().zip(of_bodies);
        all.flat_map(|(body, v)| body.vertices.clone().map(move |_| v)).collect()
    }

    proptest! {
        #[test]
        fn bodies_that_move_differently_have_frames_and_a_wind_changes_only_their_velocities(
            own in prop::array::uniform3(velocity()), wind in velocity(), speed in 0.0..1e4f64, beyond_s in 0.0..1.0f64,
        ) {
            let (system, choice) = choice();
            prop_assume!((0..3).all(|i| (own[i] - own[(i + 1) % 3]).length() > 1e-3));
            let wind = wind * speed;
            for wind in [Vec3::ZERO, wind] {
                let frames = choice.frames(&places(10.0), &velocities(&system, own.map(|v| v + wind)), beyond_s);
                // What is held chooses first, then what is heavier: a sheet has twice as many vertices as there are points.
                let of_bodies = [own[1], own[0], own[2]].map(|v| v + wind);
                prop_assert_eq!(&frames.velocities[..3], &of_bodies);
                prop_assert_eq!(&frames.of_body, &[1, 0, 2]);
                prop_assert_eq!(frames.beyond_s, beyond_s);
                let meet = |a: u32, b: u32| frames.of_pair([a, b]);
                prop_assert_eq!([meet(0, 1), meet(2, 1), meet(0, 0), meet(2, 2)], [0, 0, 1, 2]);
                prop_assert_eq!([meet(0, 2), meet(2, 0)], [3, 3]);
                let mean = own[0] * (2.0 / 3.0) + own[2] * (1.0 / 3.0) + wind;
                prop_assert!((frames.velocities[3] - mean).length() < 1e-12 * (1.0 + wind.length()));
            }
        }

        #[test]
        fn bodies_that_fly_together_share_a_frame_and_so_do_those_whose_parts_move_more_than_they(
            own in velocity(), other in velocity(), noise in prop::collection::vec(velocity(), 4),
        ) {
            let (system, choice) = choice();
            let frames = choice.frames(&places(10.0), &velocities(&system, [own, own, own + other]), 0.0);
            prop_assert_eq!(&frames.of_body[..2], &[0, 0]);
            prop_assert_eq!(frames.velocities[0], own);
            let mut all = velocities(&system, [own, own, own]);
            for (v, noise) in all.iter_mut().zip(&noise) {
                *v += *noise;
            }
            let mean = noise.iter().copied().sum::<Vec3>() * 0.25;
            prop_assume!(noise.iter().map(|v| (*v - mean).length_sq()).sum::<f64>() > 0.5 * mean.length_sq());
            prop_assert!(choice.frames(&places(10.0), &all, 0.0).is_one());
        }

        #[test]
        fn free_bodies_that_are_near_share_the_frame_of_their_mean_velocity(own in prop::array::uniform3(velocity()), far in 0.0..0.5f64) {
            let (system, choice) = choice();
            prop_assume!((0..3).all(|i| (own[i] - own[(i + 1) % 3]).length() > 1e-3));
            // The points are twice as far from the sheet: the first layers of both reach as far as 0.2 m.
            prop_assume!((far - 0.1).abs() > 1e-6);
            let frames = choice.frames(&places(far), &velocities(&system, own), 0.0);
            if far < 0.1 {
                prop_assert_eq!(&frames.of_body, &[1, 0, 1]);
                let mean = own[0] * (2.0 / 3.0) + own[2] * (1.0 / 3.0);
                prop_assert!((frames.velocities[1] - mean).length() < 1e-12);
            } else {
                prop_assert_eq!(frames.of_body[0] == frames.of_body[2], false);
            }
        }

        #[test]
        fn the_frame_of_what_is_free_has_its_mean_velocity(a in velocity(), b in velocity()) {
            let (system, _) = scene(&[points(&[Vec3::ZERO, Vec3::X], 0.0)], 0.1, 4);
            let choice = FrameChoice::new(&system, &PairRules::with_own_numbers(&system));
            let mean = (a * system.masses[0] + b * system.masses[1]) * (1.0 / (system.masses[0] + system.masses[1]));
            let frames = choice.frames(&[Vec3::ZERO, Vec3::X], &[a, b], 0.0);
            prop_assert!(frames.is_one());
            prop_assert!((frames.velocities[0] - mean).length() < 1e-12);
        }
    }
}
