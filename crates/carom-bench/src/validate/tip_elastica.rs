//! A clamped rod with a weight at its tip, bent far.
//!
//! | | |
//! | --- | --- |
//! | Setting | the rod of `elastica.rs`, without weight; a force `P = α EI/L²` at its tip keeps its direction, across the rod at first |
//! | Formula | `θ'' = −α cos θ`, `θ(0) = 0`, `θ'(1) = 0`; how far the tip comes down and in |
//! | Measured | both at rest, found by a drag (`settle.rs`) |
//! | Source | [Bisshopp1945, figs. 2 and 3]; values from the equation |

use carom_elastic::Load;
use carom_math::Vec3;
use carom_model::Part;

use super::Effort;
use super::elastica::{bending_stiffness, point, tip_at_rest};
use super::recording::owner;
use super::report::{Series, Study};

/// `α`, how far down and how far in, over the length.
const CURVE: [[f64; 3]; 3] = [[1.0, 0.30172, 0.05643], [2.0, 0.49346, 0.16064], [10.0, 0.81061, 0.555]];

pub fn studies(effort: Effort) -> Vec<Study> {
    let quick = effort == Effort::Quick;
    let (curve, edges): (&[[f64; 3]], &[u32]) =
        if quick { (&CURVE[1..2], &[12]) } else { (&CURVE, &[16, 32, 64]) };
    let mut all = Vec::new();
    for [alpha, down, inward] in curve {
        let tips: Vec<[f64; 2]> = edges.iter().map(|&n| tip(n, *alpha)).collect();
        let series = |what: &str, expected: f64, read: &dyn Fn([f64; 2]) -> f64| Series {
            what: format!("{what} at α = {alpha}"),
            expected,
            tolerance: Some(if quick { 0.02 } else { 0.005 }),
            order: None,
            points: edges.iter().zip(&tips).map(|(&n, tip)| point(n, read(*tip))).collect(),
        };
        all.push(series("down", *down, &|[_, down]| down));
        all.push(series("in", *inward, &|[out, _]| 1.0 - out));
    }
    vec![Study {
        title: "The elastica with a weight at its tip",
        setting: "A round rod, radius 1/100 of its length, clamped in the middle of its first edge; a force α EI/L² at its tip keeps its \
                  direction. It comes to rest under a drag, until no vertex feels more than 1e-5 of the force."
            .into(),
        source: "θ'' = −α cos θ, integrated; Bisshopp and Drucker 1945",
        size: "edge over length",
        series: all,
    }]
}

fn tip(edges: u32, alpha: f64) -> [f64; 2] {
    let force_n = alpha * bending_stiffness();
    tip_at_rest(edges, force_n, |builder| {
        builder.add(Load { force: Vec3::Z * -force_n }, [edges], owner(Part::Vertex(edges)), 1.0);
    })
}
