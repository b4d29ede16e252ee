//! Frames: every body has one that moves evenly, and its skins count motion in it. So what flies together costs what it costs at rest.
//!
//! Skins tell where a body is in its frame. Of two bodies whose frames part at the relative velocity w, more must be known: how long a search
//! lasts. Let that be T, and Δ the time that is covered beyond it. Then a pair that is no candidate had, at the search,
//!
//! | a distance above η₁ + s + s′ + \|w\|·(T + Δ) | s and s′ its skins, η₁ its first thickness; *or* |
//! | boxes that stay apart for T | around its primitives or its bodies, each grown by skin and reach, one of them grown by \|w\|·Δ and moving with w |
//!
//! At a time t ≤ T, when its vertices have used u ≤ s and u′ ≤ s′ in their frames, its distance is at least that of the search less
//! u + u′ + \|w\|·t; and boxes that are apart along an axis leave as much along it. So in each case it is still above
//! η₁ + (s − u) + (s′ − u′) + \|w\|·Δ: beyond its first layer, and with what a step of the [gap test](crate::MinimumGapTest) needs
//! beside what both primitives need in their frames. Times and velocities are rounded toward safety, places as those of all boxes are.

use carom_geometry::Bounds;
use carom_math::Vec3;

/// Covers the rounding of relative velocities, times and their products.
const OUTWARD: f64 = 1.0 + 1e-9;

/// What two bodies that are near each other may approach before the next search, over the sum of their least skins.
const APPROACH: f64 = 2.0;

/// A search lasts for at least so many of the times that are covered beyond it.
const LEAST_STEPS: f64 = 16.0;

/// The frames of all bodies.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frames {
    /// The velocity of each frame, in m/s: those of bodies, then those in which two of these meet.
    pub velocities: Vec<Vec3>,
    /// The frame of each body.
    pub of_body: Vec<u32>,
    /// How many are frames of bodies.
    pub own: usize,
    /// For the frames `f` and `g` of bodies, at `f·own + g`: the frame in which they meet.
    pub between: Vec<u32>,
    /// The time that is covered beyond the next search, in s.
    pub beyond_s: f64,
}

impl Frames {
    /// One frame at rest for so many bodies.
    pub fn one(bodies: usize) -> Self {
        Self {
            velocities: vec![Vec3::ZERO],
            of_body: vec![0; bodies],
            own: 1,
            between: vec![0],
            beyond_s: 0.0,
        }
    }

    /// Whether all bodies share one.
    #[inline(always)]
    pub fn is_one(&self) -> bool {
        self.velocities.len() == 1
    }

    /// The frame in which the certificates of two bodies count motion: one for both, so that nothing is added for frames that part.
    #[inline(always)]
    pub fn of_pair(&self, [a, b]: [u32; 2]) -> u32 {
        if self.is_one() {
            return 0;
        }
        let [f, g] = [a, b].map(|body| self.of_body[body as usize] as usize);
        self.between[f * self.own + g]
    }

    /// The velocity of the frame of body `b` in that of `a`, in m/s; zero if they share one.
    fn relative(&self, a: u32, b: u32) -> Vec3 {
        let [a, b] = [a, b].map(|body| self.of_body[body as usize]);
        if a == b { Vec3::ZERO } else { self.velocities[b as usize] - self.velocities[a as usize] }
    }
}

/// How frames part until the next search.
pub(super) struct Parting<'a> {
    frames: &'a Frames,
    /// How long the search lasts, in s; infinite if nothing ends it but skins.
    pub lasts_s: f64,
}

impl<'a> Parting<'a> {
    /// Nothing parts: all bodies share one frame.
    pub fn none(frames: &'a Frames) -> Self {
        Self { frames, lasts_s: f64::INFINITY }
    }

    /// Frames part at velocities that are small, or until bodies meet that were apart. These are in boxes, grown by skins and reach, and have
    /// these least skins, in m.
    pub fn new(frames: &'a Frames, boxes: &[Bounds], least_skins: impl Fn(u32) -> f64) -> Self {
        let mut parting = Self::none(frames);
        let mut lasts_s = f64::INFINITY;
        parting.for_each_pair_apart(boxes.len(), |a, b, relative| {
            let speed = relative.length();
            let near_s = APPROACH * (least_skins(a) + least_skins(b)) / speed;
            let at_least_s = near_s.max(LEAST_STEPS * frames.beyond_s);
            if at_least_s < lasts_s {
                let meet_s = meet(boxes[a as usize], boxes[b as usize], relative, frames.beyond_s);
                lasts_s = lasts_s.min(meet_s.max(at_least_s));
            }
        });
        parting.lasts_s = lasts_s;
        parting
    }

    /// Visits every two bodies in different frames, with the relative velocity of these, in m/s.
    fn for_each_pair_apart(&self, bodies: usize, mut visit: impl FnMut(u32, u32, Vec3)) {
        if self.frames.is_one() {
            return;
        }
        for a in 0..bodies as u32 {
            for b in a + 1..bodies as u32 {
                let relative = self.frames.relative(a, b);
                if !relative.is_zero() {
                    visit(a, b, relative);
                }
            }
        }
    }

    /// Visits every two bodies in different frames whose boxes may meet before the next search.
    pub fn meetings(&self, boxes: &[Bounds], mut visit: impl FnMut(u32, u32)) {
        self.for_each_pair_apart(boxes.len(), |a, b, relative| {
            let meet_s = meet(boxes[a as usize], boxes[b as usize], relative, self.frames.beyond_s);
            if meet_s.is_finite() && meet_s <= self.lasts_s {
                visit(a, b);
            }
        });
    }

    /// Whether two bodies are in different frames.
    pub fn are_apart(&self, a: u32, b: u32) -> bool {
        !self.frames.relative(a, b).is_zero()
    }

    /// How far the frames of two bodies may have parted when the next search no longer covers their motion, in m.
    #[inline]
    pub fn farthest(&self, [a, b]: [u32; 2]) -> f64 {
        if self.frames.is_one() {
            return 0.0;
        }
        let relative = self.frames.relative(a, b);
        if relative.is_zero() {
            0.0
        } else {
            relative.length() * (self.lasts_s + self.frames.beyond_s) * OUTWARD
        }
    }

    /// A box of body `b`, grown by what it sweeps over in the frame of body `a` before the next search.
    pub fn swept(&self, [a, b]: [u32; 2], bounds: &Bounds) -> Bounds {
        if *bounds == Bounds::EMPTY {
            return *bounds;
        }
        let relative = self.frames.relative(a, b);
        let way = relative * (self.lasts_s * OUTWARD);
        let end = Bounds { min: bounds.min + way, max: bounds.max + way };
        let size = bounds.min.max_abs().max(bounds.max.max_abs()) + way.max_abs();
        let beyond = relative.length() * self.frames.beyond_s * OUTWARD;
        bounds.joined(&end).grown(beyond + 4.0 * f64::EPSILON * size)
    }
}

/// When a box meets another that moves evenly, at the earliest, in s; infinite if never. Such boxes have room for the rounding of places.
fn meet(still: Bounds, moving: Bounds, velocity: Vec3, beyond_s: f64) -> f64 {
    let moving = moving.grown(velocity.length() * beyond_s * OUTWARD);
    let (mut first, mut last) = (0.0_f64, f64::INFINITY);
    for axis in 0..3 {
        // The box behind, the box ahead, and how fast the one behind comes up.
        let (far, near, speed) = if velocity[axis] >= 0.0 {
            (still.max[axis] - moving.min[axis], still.min[axis] - moving.max[axis], velocity[axis])
        } else {
            (moving.max[axis] - still.min[axis], moving.min[axis] - still.max[axis], -velocity[axis])
        };
        if far < 0.0 || speed == 0.0 && near > 0.0 {
            return f64::INFINITY;
        }
        if near > 0.0 {
            first = first.max(near / (speed * OUTWARD));
        }
        if speed > 0.0 {
            last = last.min(far / speed * OUTWARD);
        }
    }
    if first <= last { first } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-2.0..2.0f64).prop_map(Vec3::from)
    }

    fn bounds() -> impl Strategy<Value = Bounds> {
        (vector(), vector()).prop_map(|(a, b)| Bounds::of(&[a, b]))
    }

    fn two(velocities: [Vec3; 2], of_body: Vec<u32>, beyond_s: f64) -> Frames {
        Frames { velocities: velocities.to_vec(), of_body, own: 2, between: vec![0, 0, 0, 1], beyond_s }
    }

    fn moved(bounds: &Bounds, way: Vec3) -> Bounds {
        Bounds { min: bounds.min + way, max: bounds.max + way }
    }

    proptest! {
        #[test]
        fn boxes_are_apart_until_they_meet_and_what_is_swept_holds_them_all_the_way(
            boxes in prop::array::uniform2(bounds()), velocity in vector(), is_along: bool, parts in prop::array::uniform8(0.0..1.0f64),
        ) {
            let velocity = if is_along { Vec3::X * velocity.x } else { velocity };
            let frames = two([-velocity, Vec3::ZERO], vec![0, 1], 0.1);
            let [still, moving] = boxes;
            let meet_s = meet(still, moving, velocity, frames.beyond_s);
            let parting = Parting { frames: &frames, lasts_s: 3.0 };
            let swept = parting.swept([0, 1], &moving);
            for part in parts {
                let at = 3.0 * part;
                let there = moved(&moving, velocity * at).grown(0.1 * velocity.length());
                prop_assert!(at >= meet_s || !there.overlaps(&still));
                prop_assert!(swept.joined(&there) == swept);
            }
            if meet_s.is_finite() {
                prop_assert!(moved(&moving, velocity * meet_s).grown(0.1 * velocity.length() + 1e-6).overlaps(&still));
            }
        }

        #[test]
        fn a_search_lasts_until_bodies_meet_or_until_those_that_are_near_have_come_nearer(
            boxes in prop::array::uniform3(bounds()), velocity in vector(), skin in 0.01..0.1f64,
        ) {
            let frames = two([Vec3::ZERO, velocity], vec![0, 1, 1], 1e-4);
            let parting = Parting::new(&frames, &boxes, |_| skin);
            let meets = [1, 2].map(|b| meet(boxes[0], boxes[b], velocity, 1e-4));
            let near = APPROACH * 2.0 * skin / velocity.length();
            let expected = meets.map(|at| at.max(near).max(LEAST_STEPS * 1e-4));
            prop_assert_eq!(parting.lasts_s, expected[0].min(expected[1]));
            let mut met = Vec::new();
            parting.meetings(&boxes, |a, b| met.push((a, b)));
            let all = [(0, 1), (0, 2)].into_iter().zip(meets);
            let expected: Vec<_> = all.filter(|(_, at)| at.is_finite() && *at <= parting.lasts_s).map(|(pair, _)| pair).collect();
            prop_assert_eq!(met, expected);
            prop_assert_eq!(parting.farthest([1, 2]), 0.0);
        }
    }
}
