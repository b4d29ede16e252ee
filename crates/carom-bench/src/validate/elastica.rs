//! A slender cantilever with large deflections: what the problems of the elastica share.
//!
//! As in `cantilever.rs` the first edge is pinned, the clamp is its middle, and lengths count from there. The
//! elastica does not stretch; here it does, by `α r²/4L²` under a load of `α EI/L²`, which is 2.5e-3 at the most.

use core::f64::consts::PI;

use carom_elastic::{RodBend, Spring};
use carom_math::Vec3;
use carom_model::{Axes, Part, SystemBuilder};

use super::recording::owner;
use super::report::Point;
use super::settle::{Settle, settle};

const RADIUS: f64 = 0.01;
const YOUNG: f64 = 1e9;
const DENSITY: f64 = 1000.0;
const AREA: f64 = PI * RADIUS * RADIUS;

/// `EI`, in N·m²; the length is 1 m.
pub fn bending_stiffness() -> f64 {
    RodBend::stiffness_of_round(YOUNG, RADIUS)
}

/// Mass per length, in kg/m.
pub const LINE_DENSITY: f64 = DENSITY * AREA;

/// Where the tip is at rest: how far out and how far down, in lengths, for a rod of `edges` edges that `load` adds forces to.
/// `total_n` is their size, in N.
pub fn tip_at_rest(edges: u32, total_n: f64, load: impl Fn(&mut SystemBuilder)) -> [f64; 2] {
    let edge = 1.0 / (f64::from(edges) - 0.5);
    let mut builder = SystemBuilder::new();
    for i in 0..=edges {
        let share = if i == 0 || i == edges { 0.5 } else { 1.0 };
        let place = Vec3::X * ((f64::from(i) - 0.5) * edge);
        let v = builder.vertex(place, Vec3::ZERO, share * LINE_DENSITY * edge);
        if i < 2 {
            builder.pin(v, Axes::ALL);
        }
    }
    for i in 0..edges {
        builder.add(Spring::of_rod(YOUNG, AREA, edge), [i, i + 1], owner(Part::Edge(i)), edge);
    }
    for i in 1..edges {
        let joint = RodBend::straight(edge, bending_stiffness());
        builder.add(joint, [i - 1, i, i + 1], owner(Part::Vertex(i)), edge);
    }
    load(&mut builder);
    // The first mode of the unloaded rod: 2π/3.516 √(ρA/EI).
    let slowest_s = 2.0 * PI / 3.516 * (LINE_DENSITY / bending_stiffness()).sqrt();
    let how = Settle { slowest_s, residual_n: 1e-5 * total_n };
    let tip = settle(builder, &how)[edges as usize];
    [tip.x, -tip.z]
}

/// A measurement on a mesh of `edges` edges.
pub fn point(edges: u32, ours: f64) -> Point {
    Point { mesh: format!("{edges} edges"), size: 1.0 / f64::from(edges), ours }
}
