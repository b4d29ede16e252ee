//! The first contact of two primitives whose vertices move straight.
//!
//! A fixed direction n keeps the primitives apart while every vertex of the first is ahead of every vertex of the second along n, by more than
//! the hard radii. Each of these is linear in time, so the least of them is concave: enough at two times means enough in between. From a time
//! without contact, take the direction between the nearest points and go to the time at which it stops to keep them apart; there, take the next.
//!
//! **Rounding.** A pair counts as in contact within twice the noise of its coordinates, and a direction while it keeps the pair apart by more
//! than the noise. So no contact is missed, every step goes forward, and what is reported too early is so by less than coordinates can say.

use carom_math::Vec3;

use crate::{Measure, Pair};

/// So many directions are tried before a pair that hardly moves on counts as in contact: what is not grazing needs a dozen.
const MOST_STEPS: u32 = 10_000;

/// The part of the way at which the pair comes into contact while its vertices move straight from one place to the other; `None` if it does
/// not. Coordinates are known up to `noise_m`.
pub(super) fn first_contact(pair: &Pair, from: &[Vec3; 4], to: &[Vec3; 4], noise_m: f64) -> Option<f64> {
    let mut now = 0.0;
    for _ in 0..MOST_STEPS {
        let here: [Vec3; 4] = core::array::from_fn(|i| from[i] + (to[i] - from[i]) * now);
        let at = pair.measure(&here);
        // Written so that a distance that is not a number counts as contact.
        if at.distance.is_nan() || at.distance <= 2.0 * noise_m {
            return Some(now);
        }
        let part = if pair.period.is_zero() {
            apart_until(pair, &at, &here, to, noise_m)
        } else {
            // Another image may come nearer meanwhile, but none faster than this.
            (at.distance - noise_m) / way_left(pair, &here, to)
        };
        if part >= 1.0 {
            return None;
        }
        now += (1.0 - now) * part;
    }
    Some(now)
}

/// The part of the way from `here` to `there` on which the direction between the nearest points keeps the pair apart.
fn apart_until(pair: &Pair, at: &Measure, here: &[Vec3; 4], there: &[Vec3; 4], noise_m: f64) -> f64 {
    let n = at.separation * (1.0 / at.separation.length());
    let mut part = f64::INFINITY;
    for [a, b] in across(pair) {
        let ahead = |x: &[Vec3; 4]| (x[a] - x[b]).dot(n) - pair.radius - noise_m;
        let (now, then) = (ahead(here), ahead(there));
        if then < 0.0 {
            part = part.min((now / (now - then)).max(0.0));
        }
    }
    part
}

/// The longest way of a vertex relative to one of the other primitive, in m.
fn way_left(pair: &Pair, here: &[Vec3; 4], there: &[Vec3; 4]) -> f64 {
    across(pair).map(|[a, b]| ((there[a] - here[a]) - (there[b] - here[b])).length()).fold(0.0, f64::max)
}

/// Every vertex of the first primitive with every vertex of the second, by their places in the pair.
fn across(pair: &Pair) -> impl Iterator<Item = [usize; 2]> + use<> {
    let (first, all) = (pair.first_primitive(), pair.stencil().len());
    (0..first).flat_map(move |a| (first..all).map(move |b| [a, b]))
}
