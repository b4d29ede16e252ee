//! A rod clamped horizontally, under its own weight.
//!
//! | | |
//! | --- | --- |
//! | Setting | the rod of `elastica.rs`; its weight `ρAg` per length is `Γ EI/L³` |
//! | Formula | `θ'' = −Γ (1 − s) cos θ`, `θ(0) = 0`, `θ'(1) = 0`; the drop `H` of the tip over its reach `W` |
//! | Measured | both at rest, found by a drag (`settle.rs`) |
//! | Source | the cantilever test of [Romero2021, §4.1]; values from the equation |

use carom_elastic::Gravity;
use carom_math::Vec3;
use carom_model::Part;

use super::Effort;
use super::elastica::{LINE_DENSITY, bending_stiffness, point, tip_at_rest};
use super::recording::owner;
use super::report::{Series, Study};

/// `Γ` and `H/W`.
const CURVE: [[f64; 2]; 5] = [[0.1, 0.0125], [1.0, 0.12456], [5.0, 0.58572], [20.0, 1.8639], [100.0, 5.8881]];

pub fn studies(effort: Effort) -> Vec<Study> {
    let quick = effort == Effort::Quick;
    let (curve, edges): (&[[f64; 2]], &[u32]) =
        if quick { (&CURVE[2..3], &[12]) } else { (&CURVE, &[16, 32, 64]) };
    let series = |&[gamma, expected]: &[f64; 2]| Series {
        what: format!("H/W at Γ = {gamma}"),
        expected,
        tolerance: Some(if quick { 0.02 } else { 0.01 }),
        order: None,
        points: edges.iter().map(|&n| point(n, drop_over_reach(n, gamma))).collect(),
    };
    vec![Study {
        title: "The heavy elastica",
        setting: "A round rod, radius 1/100 of its length, clamped horizontally in the middle of its first edge, under its own weight: \
                  Γ = ρAgL³/EI. It comes to rest from the horizontal under a drag, until no vertex feels more than 1e-5 of the weight."
            .into(),
        source: "θ'' = −Γ (1 − s) cos θ, integrated; setting of Romero et al. 2021",
        size: "edge over length",
        series: curve.iter().map(series).collect(),
    }]
}

fn drop_over_reach(edges: u32, gamma: f64) -> f64 {
    let weight_n = gamma * bending_stiffness();
    let [out, down] = tip_at_rest(edges, weight_n, |builder| {
        for v in 0..=edges {
            let gravity = Gravity {
                mass: builder.masses()[v as usize],
                acceleration: Vec3::Z * (-weight_n / LINE_DENSITY),
            };
            builder.add(gravity, [v], owner(Part::Vertex(v)), 1.0);
        }
    });
    down / out
}
