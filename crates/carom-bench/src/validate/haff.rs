//! A gas of inelastic spheres cools: Haff's law.
//!
//! | | |
//! | --- | --- |
//! | Setting | N spheres of mass 1, kT = 1 at the start, n σ³ = 0.1, restitution 0.95, in a periodic cube; contact layers of 1 % of the diameter |
//! | Formula | `T = T₀/(1 + t/τ)²`, `1/τ = (1 − e²) ω₀/6`, ω₀ the collision rate of a sphere at the start; as well `d ln T/dC = −(1 − e²)/3`, C collisions per sphere [Brito1998, eq. 1] |
//! | Measured | T from the kinetic energy; C = 2/N of the meetings; over the first 15 collisions per sphere, where the gas stays homogeneous |

use super::Effort;
use super::box_of_grains::BoxOfGrains;
use super::report::{Series, Study};

const RESTITUTION: f64 = 0.95;
const HARD_RADIUS: f64 = 0.4957;

pub fn studies(effort: Effort) -> Vec<Study> {
    let (grains, tolerance) = if effort == Effort::Quick { (500, 0.08) } else { (4000, 0.03) };
    let [per_collision, rate] = cool(grains);
    let lost = 1.0 - RESTITUTION * RESTITUTION;
    // Enskog's rate at σ = 1, from the table of hard-sphere pressures.
    let expected_rate = lost / 1.232_58 / 6.0;
    let series = |what: &str, expected: f64, ours: f64| {
        Series::alone(what, expected, tolerance, &format!("{grains} grains"), ours)
    };
    vec![Study {
        title: "A gas that cools",
        setting: format!(
            "{grains} spheres of mass 1 and hard radius {HARD_RADIUS} at kT = 1 and n σ³ = 0.1, layers of 0.01, restitution {RESTITUTION}; the first 15 \
             collisions of each sphere."
        ),
        source: "Haff 1983; Brito and Ernst 1998",
        size: "",
        series: vec![
            series("−d ln T per collision of a sphere", lost / 3.0, per_collision),
            series("1/τ", expected_rate, rate),
        ],
    }]
}

/// `−d ln T/dC` and `1/τ`.
fn cool(grains: u32) -> [f64; 2] {
    let length = (f64::from(grains) / 0.1).cbrt();
    let density = 1.0 / (4.0 / 3.0 * core::f64::consts::PI * HARD_RADIUS.powi(3));
    let gas = BoxOfGrains::gas(grains, length, [HARD_RADIUS, density], RESTITUTION);
    let mut run = gas.start();
    // Past the lattice of the start.
    let begin = run.read_at(2.0).kinetic_j;
    let met = |meetings: u64| 2.0 * meetings as f64 / f64::from(grains);
    let before = met(run.touch().expect("grains met").meetings);
    let end = run.read_at(23.0).kinetic_j;
    let collisions = met(run.touch().expect("grains met").meetings) - before;
    let first = 1.5 * f64::from(grains);
    // √(T₀/T) grows in proportion to time; T₀ is that of the start.
    let slope = ((first / end).sqrt() - (first / begin).sqrt()) / 21.0;
    [(begin / end).ln() / collisions, slope]
}
