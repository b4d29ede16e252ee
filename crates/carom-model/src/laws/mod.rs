//! Contact laws: what acts between two bodies beside the normal force of their layers.
//!
//! A [`Law`] is the numbers of two bodies; [`LAWS`] says what each of them is and does. Scenes are read by that list, both engines answer
//! by it, and messages, `carom inspect` and the book quote it. A law is a pure function of one [`Touch`] in a file of its own.
//!
//! | may | may not |
//! | --- | --- |
//! | take from the motion of a pair, along its normal or across it | take more than stops it there: what laws before it took counts |
//! | use up the normal impulse | push, or know of other pairs |
//!
//! Then all pairs together add no energy, however many of them share a vertex: whoever calls has divided masses by their number.
//!
//! **Never here:** vertices, time, the search for pairs.

mod friction;
mod restitution;

use carom_math::Vec3;

use crate::{Absent, Parameter, Range};

/// What acts between two bodies beside the normal force of their layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// Velocity after over velocity before a head-on impact, from 0 to 1.
    pub restitution: f64,
    /// Coulomb's coefficient of friction.
    pub friction: f64,
}

/// All contact laws, in the order in which a pair answers by them.
pub const LAWS: &[LawDescriptor] = &[restitution::DESCRIPTOR, friction::DESCRIPTOR];

impl Law {
    /// Elastic and without friction: nothing beside the normal force.
    pub const IDEAL: Self = Self { restitution: 1.0, friction: 0.0 };

    /// Restitution and friction alone.
    #[must_use]
    pub const fn new(restitution: f64, friction: f64) -> Self {
        let mut law = Self::IDEAL;
        law.restitution = restitution;
        law.friction = friction;
        law
    }

    /// Whether there is nothing beside the normal force.
    #[must_use]
    pub fn is_ideal(&self) -> bool {
        *self == Self::IDEAL
    }
}

/// A contact law.
#[derive(Clone, Copy, Debug)]
pub struct LawDescriptor {
    /// Its number; without it nothing acts.
    pub parameter: Parameter,
    /// The place of its number in a law.
    pub number: fn(&mut Law) -> &mut f64,
    /// What it acts against.
    pub acts: Against,
    /// The impulse on the first of the two nearest points, in N·s, for its number; the opposite acts on the second.
    pub answer: fn(f64, &mut Touch) -> Vec3,
    /// Its page in the book: `docs/guide/<page>.md`.
    pub page: &'static str,
}

/// What a contact law acts against; its loss goes on the ledger with the losses of that kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// Motion along the normal: a loss of restitution.
    Separation,
    /// Motion across the normal: a loss of friction. It rotates grains.
    Sliding,
}

/// A pair that touches, as its laws see it.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Unit vector from the second primitive to the first.
    pub normal: Vec3,
    /// Speed at which they separate, in m/s.
    pub separating: f64,
    /// Velocity of the first nearest point against the second, across the normal, in m/s.
    pub sliding: Vec3,
    /// The masses that count along the normal and across it, in kg.
    pub masses: [f64; 2],
    /// What is left of the normal impulse of this instant, in N·s.
    pub normal_impulse: f64,
    /// What laws may still take because of earlier normal impulses, in N·s.
    pub unspent: f64,
    /// What laws took so far, along the normal and across it, in N·s.
    pub taken: [f64; 2],
}

/// What a pair answers to its motion, in N·s on its first nearest point; the opposite acts on the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactImpulse {
    /// Along the normal, against separation.
    pub restitution: Vec3,
    /// Against sliding.
    pub friction: Vec3,
    /// What friction could have taken beyond that, in N·s.
    pub unspent: f64,
}

impl Touch {
    /// A pair whose first nearest point moves at `velocity` in m/s against the second.
    #[must_use]
    pub fn new(normal: Vec3, velocity: Vec3, masses: [f64; 2], [normal_impulse, unspent]: [f64; 2]) -> Self {
        let separating = velocity.dot(normal);
        let sliding = velocity - normal * separating;
        Self { normal, separating, sliding, masses, normal_impulse, unspent, taken: [0.0; 2] }
    }

    /// What all laws answer together.
    #[must_use]
    pub fn answer(mut self, mut law: Law) -> ContactImpulse {
        // To the last bit, what adds nothing is −0.
        let nothing = Vec3::splat(-0.0);
        let mut answer = ContactImpulse { restitution: nothing, friction: nothing, unspent: 0.0 };
        for descriptor in LAWS {
            let impulse = (descriptor.answer)(*(descriptor.number)(&mut law), &mut self);
            match descriptor.acts {
                Against::Separation => answer.restitution += impulse,
                Against::Sliding => answer.friction += impulse,
            }
        }
        ContactImpulse { unspent: self.unspent, ..answer }
    }
}

impl LawDescriptor {
    /// The number in a law.
    #[must_use]
    pub fn of(&self, mut law: Law) -> f64 {
        *(self.number)(&mut law)
    }

    /// Whether the number does nothing in a law.
    #[must_use]
    pub fn is_ideal_in(&self, law: Law) -> bool {
        self.of(law) == self.of(Law::IDEAL)
    }
}

/// A number without unit; without it a law is ideal.
const fn plain(name: &'static str, about: &'static str, range: Range, ideal: f64) -> Parameter {
    Parameter { name, unit: "", about, range, absent: Absent::Means(ideal) }
}

#[cfg(test)]
mod tests;
