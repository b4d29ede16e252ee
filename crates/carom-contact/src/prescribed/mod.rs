//! Whether prescribed motions cross, found before the run starts.
//!
//! A pair all of whose vertices are held is no potential: no force can help it. But [its motion is known](HeldMotion), and so is the first time
//! at which it comes into contact. Every two held primitives are looked at, but those that share a vertex, those that keep their places relative
//! to each other, and neighbours along a rod that overlap at rest.
//!
//! | stage | leaves out | file |
//! | --- | --- | --- |
//! | classes | primitives without relative motion | `classes` |
//! | start | nothing: an edge that pierces a face crosses at 0 s, though neither a vertex and a face nor two edges meet | this one |
//! | stretches | two classes whose boxes are apart for a stretch of time; stretches are halved while the motion in one is long | `stretches` |
//! | trees | primitives whose boxes are apart for a stretch | `stretches` |
//! | approach | pairs that a direction keeps apart | `approach` |
//!
//! The order of classes, trees and pairs depends on the scene alone; of crossings at one time the one with the smallest id is named.

mod approach;
mod classes;
mod stretches;
#[cfg(test)]
mod tests;

use carom_geometry::Bounds;
use carom_geometry::crossings::edge_face_crossings;
use carom_math::Vec3;
use carom_model::{Contact, HeldMotion, State, System};
use carom_time::Tick;

use crate::PairRules;
use classes::{Class, classes};
use stretches::{FirstContact, Search};

/// Two held primitives whose prescribed motions cross.
#[derive(Clone, Debug, PartialEq)]
pub struct PrescribedCrossing {
    /// The vertices of both primitives, by their numbers in the system.
    pub vertices: [Vec<u32>; 2],
    /// Both primitives, as a person would call them.
    pub in_words: [String; 2],
    /// The last tick before they touch.
    pub tick: Tick,
    /// When they touch, in s.
    pub time_s: f64,
}

/// The first crossing of held primitives from tick 0 up to `end`; none without contact. Held vertices without a path move as `state` says.
#[must_use]
pub fn first_prescribed_crossing(system: &System, state: &State, end: Tick) -> Option<PrescribedCrossing> {
    let contact = system.contact.as_ref()?;
    let motion = HeldMotion::new(system, state, end);
    if !motion.is_relative() {
        return None;
    }
    let classes = classes(system, contact, &motion, end);
    let in_pairs = pairs_of(&classes);
    if let Some(crossing) = in_pairs.iter().find_map(|pair| pierced(system, contact, &motion, *pair)) {
        return Some(crossing);
    }
    let rules = PairRules::of_all(system);
    let mut search = Search::new(&rules, &motion, end);
    for pair in &in_pairs {
        search.between(*pair);
    }
    let FirstContact { tick, pair } = search.found?;
    let (first, second) = pair.stencil().split_at(pair.first_primitive());
    Some(PrescribedCrossing {
        vertices: [first.to_vec(), second.to_vec()],
        in_words: contact.in_words(pair.id, &system.bodies),
        tick: Tick(tick as u64).min(end),
        time_s: tick * system.line.quantum.seconds(),
    })
}

/// Every two classes between which there is relative motion.
fn pairs_of(classes: &[Class]) -> Vec<[&Class; 2]> {
    let others = |i: usize| classes[i..].iter().skip(usize::from(!classes[i].is_mixed));
    (0..classes.len()).flat_map(|i| others(i).map(move |other| [&classes[i], other])).collect()
}

/// An edge of one class that pierces a face of another at the start.
fn pierced(
    system: &System,
    contact: &Contact,
    motion: &HeldMotion,
    pair: [&Class; 2],
) -> Option<PrescribedCrossing> {
    let mut x = vec![Vec3::ZERO; system.places()];
    for &v in pair.iter().flat_map(|class| &class.places) {
        x[v as usize] = motion.position(v, Tick::START);
    }
    let bounds = pair.map(|class| {
        let places: Vec<Vec3> = class.places.iter().map(|v| x[*v as usize]).collect();
        Bounds::of(&places)
    });
    if !bounds[0].overlaps(&bounds[1]) {
        return None;
    }
    let pierced_by = |one: &Class, other: &Class| {
        let edges: Vec<[u32; 2]> = one.edges.iter().map(|e| contact.edges[*e as usize].vertices).collect();
        let faces: Vec<[u32; 3]> = other.faces.iter().map(|f| contact.faces[*f as usize].vertices).collect();
        let &(e, f) = edge_face_crossings(&x, &edges, &faces).first()?;
        let (edge, face) = (one.edges[e as usize] as usize, other.faces[f as usize] as usize);
        Some(PrescribedCrossing {
            vertices: [edges[e as usize].to_vec(), faces[f as usize].to_vec()],
            in_words: [
                contact.edge_in_words(edge, &system.bodies),
                contact.face_in_words(face, &system.bodies),
            ],
            tick: Tick::START,
            time_s: 0.0,
        })
    };
    pierced_by(pair[0], pair[1]).or_else(|| pierced_by(pair[1], pair[0]))
}
