//! A narrow strip on edge under its own weight: Prandtl's lateral buckling.
//!
//! | | |
//! | --- | --- |
//! | Setting | the plate of `lateral_buckling.rs` with `ν = 0.3`, ever narrower |
//! | Formula | `q L³/√(EI GJ) = 12.854`; for a thin strip `Γ* = 12 ρg L³/(E t²) = 12.854 √(2/(1 + ν))` as `w/L → 0` |
//! | Measured | the weight at which the stiffness sideways has its first negative eigenvalue |
//! | Source | [Timoshenko1961, §6.3]; coefficient from Prandtl's equation, re-computed |
//!
//! The rod of the formula neither shears nor bends across. A plate of width w is off by about `w/L`, so the width is what is refined.

use super::Effort;
use super::lateral_buckling::{Plate, bisect};
use super::report::{Point, Series, Study};

const POISSON: f64 = 0.3;
const COEFFICIENT: f64 = 12.853_763;
const HALVINGS: u32 = 12;

/// Thickness over width: wide against the thickness, so that the strip does not sag before it gives way.
const THIN: f64 = 0.01;

pub fn studies(effort: Effort) -> Vec<Study> {
    let (widths, edges): (&[f64], u32) =
        if effort == Effort::Quick { (&[0.05], 4) } else { (&[0.1, 0.05, 0.025, 0.0125], 8) };
    let expected = COEFFICIENT * (2.0 / (1.0 + POISSON)).sqrt();
    // The plate's Γ is over D = E t³/12(1 − ν²), the strip's over E t³/12.
    let over_rigidity = 1.0 - POISSON * POISSON;
    let critical = |&width: &f64| {
        let plate = Plate { width, thickness: THIN * width, poisson: POISSON, edges };
        let range = [0.7, 1.3].map(|share| share * expected * over_rigidity);
        Point {
            mesh: format!("w/L = {width}"),
            size: width,
            ours: bisect(range, HALVINGS, |weight| plate.is_unstable(weight)) / over_rigidity,
        }
    };
    vec![Study {
        title: "Lateral buckling of a narrow strip under its weight",
        setting: format!(
            "t/w = {THIN}, ν = {POISSON}, {edges} edges across; neo-Hookean membranes and mid-edge bending, near-equilateral triangles. In balance in its plane, the strip's \
             stiffness sideways has its first negative eigenvalue at the weight shown. The width is refined: the formula is that of a rod."
        ),
        source: "Prandtl 1899, Timoshenko: q L³/√(EI GJ) = 12.854, Γ* = 12.854 √(2/(1 + ν))",
        size: "width over length",
        series: vec![Series {
            what: "Γ* = 12 ρg L³/(E t²)".into(),
            expected,
            tolerance: Some(if effort == Effort::Quick { 0.08 } else { 0.03 }),
            order: None,
            points: widths.iter().map(critical).collect(),
        }],
    }]
}
