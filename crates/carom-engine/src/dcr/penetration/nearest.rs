//! Penetration by nearest points.
//!
//! | Gap | `g = ±d − η`, d the distance of the nearest points and η the thickness of contact |
//! | Gradient | `± wᵢ n`, n the unit vector along the separation, `wᵢ` the weights of the vertices in it |
//! | Side | minus where the separation has turned against that of the last accepted configuration: they passed through |
//! | Degenerate case | nearest points that coincide: the direction of the last accepted configuration |
//!
//! The thickness is the one at which layers begin to push, so that bodies meet at the same time and place whoever integrates. From
//! there on layers give way and this does not: it is hard contact of shells as thick as the scene says.

use carom_contact::Pair;
use carom_math::Vec3;

use super::Gap;

/// Whether the gap is negative at `now`.
pub fn penetrates(pair: &Pair, thickness: f64, before: &[Vec3; 4], now: &[Vec3; 4]) -> bool {
    let length = pair.measure(now).separation.length();
    let shift = before.iter().zip(now).map(|(b, n)| (*n - *b).length_sq()).fold(0.0, f64::max).sqrt();
    // Whatever moved by less than half of the distance has not come to another side.
    let same_side = 2.0 * shift < length;
    (length < pair.radius + thickness || !same_side) && gap(pair, thickness, before, now).value < 0.0
}

/// Gap and gradient at `now`.
pub fn gap(pair: &Pair, thickness: f64, before: &[Vec3; 4], now: &[Vec3; 4]) -> Gap {
    let at = pair.measure(now);
    let length = at.separation.length();
    let side = pair.measure(before).separation;
    let (distance, normal) = if length == 0.0 {
        (0.0, side.try_normalize().unwrap_or(Vec3::Z))
    } else if at.separation.dot(side) < 0.0 {
        (-length, at.separation * (-1.0 / length))
    } else {
        (length, at.separation * (1.0 / length))
    };
    Gap {
        value: distance - pair.radius - thickness,
        gradient: at.weights.map(|w| normal * w),
        weights: at.weights,
    }
}
