//! The normal force of a pair on its vertices.
//!
//! | Energy | `V = W φ Σ_l V_l(d)`, W the weight of the pair, d the distance between its surfaces |
//! | Impulse on vertex i | `W φ Σ_l h_l F_l wᵢ s/‖s‖ − W Σ_l h_l V_l ∂φ/∂xᵢ`, over the layers that fire; s the separation, `wᵢ` its weights |
//! | Fade of edges | `φ = q²(3 − 2q)`, `q = sin²θ/sin²θ₀`, θ their angle; 1 where `q ≥ 1` |
//!
//! A pair *acts* at an instant if `Σ h_l F_l` or `Σ h_l V_l` is other than zero.

use carom_math::Vec3;
use carom_time::Tick;

use super::layers::Layers;
use super::pairs::{Nearest, Pair};

/// The impulses of a pair on its vertices at `tick`, in N·s, with `fraction` of its steps and vertex `v` of the system at `x[v]`; `None` if
/// it does not act.
pub(super) fn impulses(
    pair: &Pair,
    layers: &Layers,
    at: &Nearest,
    x: &[Vec3],
    (tick, fraction): (Tick, f64),
) -> Option<Vec<Vec3>> {
    impulses_of(pair, at, x, layers.impulse_and_action(pair.first_layer, at.distance_m, (tick, fraction)))
}

/// The impulses of a pair on its vertices, in N·s, whose layers give `Σ h_l F_l` and `Σ h_l V_l`; `None` if both are zero.
pub(super) fn impulses_of(
    pair: &Pair,
    at: &Nearest,
    x: &[Vec3],
    [impulse, action]: [f64; 2],
) -> Option<Vec<Vec3>> {
    if impulse == 0.0 && action == 0.0 {
        return None;
    }
    let (phi, slope) = fade(pair, x);
    let direction = at.separation * (1.0 / (at.distance_m + pair.radius_m));
    let push = direction * (pair.weight * phi * impulse);
    let mut impulses: Vec<Vec3> = (0..pair.vertices.len()).map(|i| push * at.weights[i]).collect();
    if slope != 0.0 {
        let [by_first, by_second] = derivatives_of_sin_sq(pair, x);
        let turning = pair.weight * action * slope;
        impulses[0] += by_first * turning;
        impulses[1] -= by_first * turning;
        impulses[2] += by_second * turning;
        impulses[3] -= by_second * turning;
    }
    Some(impulses)
}

/// The energy of a pair, in J.
pub(super) fn energy_j(pair: &Pair, layers: &Layers, at: &Nearest, x: &[Vec3]) -> f64 {
    layers.energy(pair.first_layer, at.distance_m) * fade(pair, x).0 * pair.weight
}

/// The two edges of a pair as vectors, in m.
fn edges(pair: &Pair, x: &[Vec3]) -> [Vec3; 2] {
    let at = |i: usize| x[pair.vertices[i] as usize];
    [at(1) - at(0), at(3) - at(2)]
}

/// φ, and its derivative by `sin²θ`.
fn fade(pair: &Pair, x: &[Vec3]) -> (f64, f64) {
    if pair.fade == 0.0 {
        return (1.0, 0.0);
    }
    let [e, f] = edges(pair, x);
    let q = e.cross(f).length_sq() / (e.length_sq() * f.length_sq()) * pair.fade;
    // An edge without length has no angle, and does not fade.
    if q < 1.0 { (q * q * (3.0 - q * 2.0), q * (1.0 - q) * (6.0 * pair.fade)) } else { (1.0, 0.0) }
}

/// The derivatives of `sin²θ` by the two edges.
fn derivatives_of_sin_sq(pair: &Pair, x: &[Vec3]) -> [Vec3; 2] {
    let [e, f] = edges(pair, x);
    let (normal, ee, ff) = (e.cross(f), e.length_sq(), f.length_sq());
    let scale = 2.0 / (ee * ff);
    let twice_sin_sq = normal.length_sq() * scale;
    [f.cross(normal) * scale - e * (twice_sin_sq / ee), normal.cross(e) * scale - f * (twice_sin_sq / ff)]
}
