//! Who broke: from a vertex that is no longer finite to the element that threw it.

use carom_contact::{FailureReason, SeparationFailure};
use carom_math::Vec3;
use carom_model::{Fault, State, System};
use carom_time::Tick;

/// The Fault for vertex `v`, which left `tick` with a velocity that is not finite.
///
/// If some potential on it has no finite gradient there, that one has collapsed; otherwise the
/// velocities have grown without bound.
pub fn of_vertex(system: &System, state: &State, v: usize, tick: Tick) -> Fault {
    // A vertex kicked at this tick stands where it was kicked: its broken velocity must not be asked.
    let at = |v: usize| {
        if state.kicked_at[v] == tick { state.positions[v] } else { state.position_at(v, tick) }
    };
    let time_s = system.line.quantum.time(tick);
    for family in &system.families {
        for e in 0..family.len() {
            let stencil = family.stencil(e);
            if !stencil.contains(&(v as u32)) {
                continue;
            }
            let x: Vec<Vec3> = stencil.iter().map(|&v| at(v as usize)).collect();
            let mut gradient = vec![Vec3::ZERO; stencil.len()];
            family.gradient(e, &x, &mut gradient);
            if x.iter().all(|x| x.is_finite()) && !gradient.iter().all(|g| g.is_finite()) {
                let owner = family.owner(e);
                let body = system.bodies[owner.body as usize].name.clone();
                return Fault::Collapsed { kind: family.kind().into(), body, part: owner.part, tick, time_s };
            }
        }
    }
    let (body, vertex) = system.locate(v);
    Fault::NotFinite { body: body.name.clone(), vertex, tick, time_s }
}

/// The Fault for a pair that cannot be held apart.
pub fn of_separation_failure(system: &System, failure: &SeparationFailure) -> Fault {
    let contact = system.contact.as_ref().expect("only contact squeezes");
    let SeparationFailure { pair, tick, distance, layer, energy_j, why } = *failure;
    let [first, second] = contact.in_words(pair, &system.bodies);
    let time_s = system.line.quantum.time(tick);
    Fault::Squeezed {
        first,
        second,
        tick,
        time_s,
        distance_m: distance,
        layer,
        energy_j,
        too_fast: why == FailureReason::TooFast,
    }
}
