//! The closest configuration without penetration.
//!
//! Of all displacements `δ` of the predicted configuration x* after which no gap is negative, the one with `½ δᵀ M δ` least: the
//! closest-point projection of [Cirak2005, summary] in the metric of the masses. Gaps are linearised where the last iteration came to,
//! the displacement always counts from x*, and pairs that an iteration pushes into each other join in.
//!
//! `M δ = Gᵀ λ` adds up to nothing, so the centre of mass stays; velocities are not touched, so linear momentum does. Angular momentum
//! changes by `Σ m δ × v`: positions move, and nothing answers for it.

use carom_contact::Pair;
use carom_math::Vec3;

use super::contacts::Contacts;
use super::near::NearPairs;
use super::penetration::Penetration;
use super::solve::least_push;

/// A gap that counts as closed, as a part of the thickness.
const CLOSED: f64 = 1e-9;

/// An iteration squares the error where gaps are smooth; where nearest points change their feature it takes a few more.
const MOST_ITERATIONS: usize = 30;

/// What a projection did.
pub struct Projected {
    /// The pairs that penetrated, in the order of ids, each with its thickness in m.
    pub pairs: Vec<(Pair, f64)>,
    /// The deepest penetration in the predicted configuration, in m.
    pub deepest: f64,
    /// The vertices that may have been moved, ascending, and where they were predicted.
    pub predicted: Vec<(u32, Vec3)>,
}

/// Moves `now` out of penetration; `before` is the last accepted configuration. `None` if nothing penetrates.
pub fn project(
    near: &mut NearPairs,
    measure: Penetration,
    inverse_masses: &[Vec3],
    before: &[Vec3],
    now: &mut [Vec3],
) -> Option<Projected> {
    let mut pairs = Vec::new();
    near.find(before, now, &mut pairs);
    if pairs.is_empty() {
        return None;
    }
    let mut projected = Projected { pairs, deepest: 0.0, predicted: Vec::new() };
    for iteration in 0..MOST_ITERATIONS {
        projected.pairs.sort_unstable_by_key(|(pair, _)| pair.id);
        projected.pairs.dedup_by_key(|(pair, _)| pair.id);
        let row = |(pair, thickness): &(Pair, f64)| {
            measure.row(pair, *thickness, |v| before[v as usize], |v| now[v as usize])
        };
        let contacts = Contacts::new(projected.pairs.iter().map(row).collect(), inverse_masses);
        if iteration == 0 {
            projected.deepest = contacts.rows.iter().map(|row| -row.gap).fold(0.0, f64::max);
        }
        let is_open =
            |((_, thickness), row): (&(Pair, f64), &super::contacts::Row)| row.gap >= -CLOSED * thickness;
        if iteration > 0 && projected.pairs.iter().zip(&contacts.rows).all(is_open) {
            break;
        }
        remember(&mut projected.predicted, &contacts.vertices, now);
        let predicted = &projected.predicted;
        // Seen from the predicted configuration: g(x) + G (x* − x) + G δ ≥ 0.
        let back: Vec<Vec3> =
            contacts.vertices.iter().map(|v| was(predicted, *v) - now[*v as usize]).collect();
        let wanted: Vec<f64> =
            contacts.rows.iter().zip(contacts.rates(&back)).map(|(row, rate)| -(row.gap + rate)).collect();
        let delta = solve_islands(&contacts, inverse_masses, &wanted);
        for (v, delta) in contacts.vertices.iter().zip(delta) {
            now[*v as usize] = was(predicted, *v) + delta;
        }
        near.find(before, now, &mut projected.pairs);
    }
    Some(projected)
}

/// `M⁻¹ Gᵀ λ` of the least push, island by island.
fn solve_islands(contacts: &Contacts, inverse_masses: &[Vec3], wanted: &[f64]) -> Vec<Vec3> {
    let mut delta = vec![Vec3::ZERO; contacts.vertices.len()];
    for island in contacts.islands() {
        let part = Contacts::new(island.iter().map(|r| contacts.rows[*r]).collect(), inverse_masses);
        let wanted: Vec<f64> = island.iter().map(|r| wanted[*r]).collect();
        let push = part.over_mass(part.impulses(&least_push(&part, &wanted)));
        for (v, push) in part.vertices.iter().zip(push) {
            let place = contacts.vertices.binary_search(v).expect("an island is part of the whole");
            delta[place] += push;
        }
    }
    delta
}

/// Adds vertices that were not yet moved, with where they are.
fn remember(predicted: &mut Vec<(u32, Vec3)>, vertices: &[u32], now: &[Vec3]) {
    for &v in vertices {
        if let Err(place) = predicted.binary_search_by_key(&v, |(v, _)| *v) {
            predicted.insert(place, (v, now[v as usize]));
        }
    }
}

fn was(predicted: &[(u32, Vec3)], v: u32) -> Vec3 {
    let place = predicted.binary_search_by_key(&v, |(v, _)| *v).expect("every vertex of a row is remembered");
    predicted[place].1
}
