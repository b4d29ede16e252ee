//! The least gap: what no layer can hold apart is a Fault.
//!
//! The *floor's span* is the shortest step of any layer or element. After the kicks of an instant, a pair is tested if one of its vertices
//! was kicked there, or if the tick is a multiple of the floor's span. In the order of ids, the first pair fails whose distance is
//!
//! | not above the floor of its layers | they end there |
//! | not above `c·Δt` | c the largest relative speed of a vertex of one primitive and one of the other, Δt the time to the next multiple: it moves too fast |
//!
//! Soft spheres may be pressed into each other and pass. A velocity that is not finite is a Fault as well; if some potential
//! on that vertex has no finite gradient, that one has collapsed.

use carom_math::Vec3;
use carom_model::{Contact, Fault, LayerFamily, State, System};
use carom_time::{Span, Tick};

use super::layers::Layers;
use super::pairs::Pair;
use super::push;

/// The shortest step of any layer or element.
pub(super) fn span(system: &System, layers: &[Layers]) -> Span {
    let elements = system.spans_of_all();
    let deepest = layers.iter().filter_map(|layers| layers.list.last()).map(|layer| layer.span);
    elements.chain(deepest).min().unwrap_or(Span::ONE)
}

/// The first of `pairs` that fails after the kicks of `tick`, as a Fault; vertex `v` is at `x[v]`.
pub(super) fn test(
    system: &System,
    contact: &Contact,
    (pairs, layers): (&[Pair], &[Layers]),
    state: &State,
    (tick, x): (Tick, &[Vec3]),
) -> Result<(), Fault> {
    let span = span(system, layers);
    let next = tick.floor(span).after(span);
    let seconds = system.line.quantum.seconds_between(tick, next);
    for pair in pairs {
        let layers = &layers[pair.layers];
        let is_kicked = pair.vertices.iter().any(|v| state.kicked_at[*v as usize] == tick);
        if layers.spec.family == LayerFamily::Hertz || !(is_kicked || tick.is_multiple_of(span)) {
            continue;
        }
        let at = pair.nearest(x);
        let is_below = at.distance_m <= layers.floor_m;
        if !is_below && at.distance_m > fastest(pair, &state.velocities) * seconds {
            continue;
        }
        let [first, second] = contact.in_words(pair.id, &system.bodies);
        return Err(Fault::Squeezed {
            first,
            second,
            tick,
            time_s: system.line.quantum.time(tick),
            distance_m: at.distance_m,
            layer: layers.depth_at(at.distance_m),
            energy_j: push::energy_j(pair, layers, &at, x),
            too_fast: !is_below,
        });
    }
    Ok(())
}

/// The largest relative speed of a vertex of one primitive and one of the other, in m/s.
fn fastest(pair: &Pair, velocities: &[Vec3]) -> f64 {
    let (first, second) = pair.vertices.split_at(pair.of_first);
    let mut largest_sq = 0.0_f64;
    for &a in first {
        for &b in second {
            largest_sq = largest_sq.max((velocities[a as usize] - velocities[b as usize]).length_sq());
        }
    }
    largest_sq.sqrt()
}

/// The Fault for vertex `v`, which left `tick` with a velocity that is not finite; vertices are at `x`.
pub(super) fn not_finite(system: &System, v: usize, tick: Tick, x: &[Vec3]) -> Fault {
    let time_s = system.line.quantum.time(tick);
    for family in &system.families {
        for element in 0..family.len() {
            let stencil = family.stencil(element);
            if !stencil.contains(&(v as u32)) {
                continue;
            }
            let corners: Vec<Vec3> = stencil.iter().map(|v| x[*v as usize]).collect();
            let mut gradient = vec![Vec3::ZERO; stencil.len()];
            family.gradient(element, &corners, &mut gradient);
            if corners.iter().all(|x| x.is_finite()) && gradient.iter().any(|g| !g.is_finite()) {
                let owner = family.owner(element);
                let body = system.bodies[owner.body as usize].name.clone();
                return Fault::Collapsed { kind: family.kind().into(), body, part: owner.part, tick, time_s };
            }
        }
    }
    let (body, vertex) = system.locate(v);
    Fault::NotFinite { body: body.name.clone(), vertex, tick, time_s }
}
