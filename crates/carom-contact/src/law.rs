//! Restitution and friction: what a pair does beside its normal force.
//!
//! After the conservative kicks of an instant, u is the velocity of the pair's first nearest point against the second, `u_n` along
//! the normal n that points to the first, `u_t` the rest, `J_n` the normal impulse just given, and `kᵢ` the number of pairs that
//! answer at its vertex i.
//!
//! | restitution | if `u_n > 0`, `(1 − e²) min(J_n, m u_n)` against n: of what it was given while it separates, the pair keeps `e²` |
//! | friction | `min(μ J, m‖u_t‖)` against `u_t`, J what is left of `J_n`, and of earlier ones that friction has not used since the last multiple of the loads' clock |
//!
//! Loads push once in their step, contact pushes back in several smaller kicks: were friction limited by the normal impulse of one
//! tick alone, a load would always win for a moment, and what should stick would creep.
//!
//! `1/m = Σ kᵢ wᵢ²/mᵢ`, `wᵢ` the weights of the nearest points. However many pairs share a vertex, all of them together cannot add
//! energy: at a vertex with k of them, the square of a sum is at most k times the sum of the squares. A vertex that nothing moves
//! counts nowhere, so many pairs may share that of an obstacle.

use carom_math::Vec3;
use carom_model::{Law, PairId};
use carom_time::Span;

/// A pair that pushed at an instant and has a law beside its normal force.
#[derive(Clone, Copy, Debug)]
pub struct Acting {
    /// Its identity.
    pub id: PairId,
    /// Its vertices; the first `count` are used.
    pub vertices: [u32; 4],
    /// How many vertices it has.
    pub count: usize,
    /// Weights of the vertices in the separation.
    pub weights: [f64; 4],
    /// Unit vector from the second primitive to the first.
    pub normal: Vec3,
    /// From the nearest point of the second primitive to that of the first, in m.
    pub separation: Vec3,
    /// The normal impulse of this instant, in N·s.
    pub normal_impulse: f64,
    /// The law.
    pub law: Law,
    /// Within multiples of this, normal impulses pay for friction.
    pub loads: Span,
}

/// What a pair answers to its motion, in N·s on its first nearest point; the opposite acts on the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Along the normal, against separation.
    pub restitution: Vec3,
    /// Against sliding.
    pub friction: Vec3,
    /// What friction could have taken beyond that, in N·s.
    pub unspent: f64,
}

impl Acting {
    /// Its vertices.
    #[must_use]
    pub fn stencil(&self) -> &[u32] {
        &self.vertices[..self.count]
    }

    /// The velocity of the first nearest point against the second, in m/s.
    #[must_use]
    pub fn relative(&self, velocities: &[Vec3]) -> Vec3 {
        let vertices = self.stencil().iter().zip(self.weights);
        vertices.fold(Vec3::ZERO, |sum, (&v, w)| sum + velocities[v as usize] * w)
    }

    /// `1/m`, in 1/kg, where each vertex has so many pairs: no less than what any direction feels, where pins hold some axes.
    #[must_use]
    pub fn lightness(&self, inverse_masses: &[Vec3], counts: &[u32]) -> f64 {
        let of = |(&v, w): (&u32, f64)| {
            let Vec3 { x, y, z } = inverse_masses[v as usize];
            f64::from(counts[v as usize]) * (w * w * x.max(y).max(z))
        };
        self.stencil().iter().zip(self.weights).map(of).sum()
    }

    /// What it answers to moving at `u`, with `1/m`, if friction has not used `unspent` in N·s before.
    #[must_use]
    pub fn answer(&self, u: Vec3, lightness: f64, unspent: f64) -> Answer {
        let Law { restitution: e, friction: mu } = self.law;
        let mass = 1.0 / lightness;
        let apart = u.dot(self.normal);
        let given_back = (1.0 - e * e) * self.normal_impulse.min(mass * apart).max(0.0);
        let sliding = u - self.normal * apart;
        let speed = sliding.length();
        let most = unspent + mu * (self.normal_impulse - given_back);
        let resisted = most.min(mass * speed);
        let along = if speed > 0.0 { sliding * (1.0 / speed) } else { Vec3::ZERO };
        Answer {
            restitution: self.normal * -given_back,
            friction: along * -resisted,
            unspent: most - resisted,
        }
    }
}
