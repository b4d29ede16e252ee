//! A clamped rod in the theory of Euler and Bernoulli.
//!
//! | | |
//! | --- | --- |
//! | Modes | `cos βL cosh βL = −1`, `ω = (βL)² √(EI/(ρA L⁴))` |
//! | Shapes | `φ = cosh βx − cos βx − σ (sinh βx − sin βx)`, `σ = (cosh βL + cos βL)/(sinh βL + sin βL)` |
//! | Clamp | the middle of the pinned edge |
//!
//! Where is the clamp of a rod whose first two vertices are pinned, edges `ℓ` long? No joint depends on the inside of the pinned edge. The
//! first joint has `κ = (w₂ − 2w₁ + w₀)/ℓ²` with `w₀ = w₁ = 0`, and the
//! smooth curve through such points is `w = ½κ (x² − ℓ²/4)`, `x` from the *middle* of the pinned edge:
//! there its slope is zero, and its deflection is `κℓ²/8`, of second order. So vertices sit at
//! `x = (i − ½) ℓ` and the length is `(n − ½) ℓ` for `n` edges. Measured from the second pinned vertex the rod
//! would be `ℓ/2` too long, and its frequencies off by `ℓ/L`: first order only.
//!
//! A vertex has the mass of the half edges beside it, so the last one has half of the others'.

use carom_elastic::{RodBend, Spring};
use carom_math::Vec3;
use carom_model::{Axes, Part, SystemBuilder};

use super::recording::owner;

/// Length from the clamp to the tip, in m.
pub const LENGTH: f64 = 1.0;
/// Radius of the round section, in m.
pub const RADIUS: f64 = 0.02;
const YOUNG: f64 = 70e9;
const DENSITY: f64 = 2700.0;
const AREA: f64 = core::f64::consts::PI * RADIUS * RADIUS;

/// `EI`, in N·m².
pub fn bending_stiffness() -> f64 {
    RodBend::stiffness_of_round(YOUNG, RADIUS)
}

/// The angular frequency of the mode with this `βL`, in rad/s.
pub fn omega(root: f64) -> f64 {
    root * root * (bending_stiffness() / (DENSITY * AREA * LENGTH.powi(4))).sqrt()
}

/// `βL` of mode `n`, counted from 1.
pub fn root(n: u32) -> f64 {
    let mut x = (f64::from(n) - 0.5) * core::f64::consts::PI;
    // Newton on cos x + 1/cosh x, which stays of order one.
    for _ in 0..20 {
        let (sech, tanh) = (1.0 / x.cosh(), x.tanh());
        x -= (x.cos() + sech) / (-x.sin() - sech * tanh);
    }
    x
}

/// The shape of the mode with this `βL` at the share `x` of the length; 1 at the tip.
pub fn shape(root: f64, x: f64) -> f64 {
    let sigma = (root.cosh() + root.cos()) / (root.sinh() + root.sin());
    let at = |y: f64| y.cosh() - y.cos() - sigma * (y.sinh() - y.sin());
    at(root * x) / at(root)
}

/// A rod in a number of edges, the first of them clamped.
#[derive(Clone, Copy, Debug)]
pub struct Rod {
    /// Number of edges.
    pub edges: u32,
}

impl Rod {
    /// Length of an edge, in m.
    pub fn edge(self) -> f64 {
        LENGTH / (f64::from(self.edges) - 0.5)
    }

    /// The vertices that can move, each with its distance from the clamp, in m, and its mass, in kg.
    pub fn moving(self) -> impl Iterator<Item = (u32, f64, f64)> {
        (2..=self.edges).map(move |i| (i, self.distance(i), self.mass(i)))
    }

    /// The vertex at the tip.
    pub fn tip(self) -> u32 {
        self.edges
    }

    fn distance(self, vertex: u32) -> f64 {
        (f64::from(vertex) - 0.5) * self.edge()
    }

    fn mass(self, vertex: u32) -> f64 {
        let share = if vertex == 0 || vertex == self.edges { 0.5 } else { 1.0 };
        share * DENSITY * AREA * self.edge()
    }

    /// The rod along x, each vertex moving along z at `velocity` of its distance from the clamp, in m/s.
    pub fn build(self, velocity: impl Fn(f64) -> f64) -> SystemBuilder {
        let mut builder = SystemBuilder::new();
        for i in 0..=self.edges {
            let x = self.distance(i);
            let v = builder.vertex(Vec3::X * x, Vec3::Z * velocity(x), self.mass(i));
            if i < 2 {
                builder.pin(v, Axes::ALL);
            }
        }
        let edge = self.edge();
        for i in 0..self.edges {
            builder.add(Spring::of_rod(YOUNG, AREA, edge), [i, i + 1], owner(Part::Edge(i)), edge);
        }
        for i in 1..self.edges {
            let joint = RodBend::straight(edge, bending_stiffness());
            builder.add(joint, [i - 1, i, i + 1], owner(Part::Vertex(i)), edge);
        }
        builder
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roots_are_those_of_the_textbook() {
        for (n, published) in (1..).zip([1.8751, 4.69409, 7.85476]) {
            assert!((root(n) - published).abs() < 6e-6);
        }
    }

    #[test]
    fn a_shape_is_clamped_at_one_end_and_one_at_the_other() {
        for root in (1..4).map(root) {
            let slope = (shape(root, 1e-6) - shape(root, 0.0)) / 1e-6;
            assert!(shape(root, 0.0).abs() < 1e-12 && slope.abs() < 1e-4);
            assert!((shape(root, 1.0) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_rod_ends_where_its_length_says_and_weighs_what_its_volume_says() {
        let rod = Rod { edges: 8 };
        assert!((rod.distance(rod.tip()) / LENGTH - 1.0).abs() < 1e-15);
        let mass: f64 = (0..=8).map(|i| rod.mass(i)).sum();
        assert!((mass / (DENSITY * AREA * 8.0 * rod.edge()) - 1.0).abs() < 1e-12);
    }
}
