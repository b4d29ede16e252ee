//! Held primitives by how they move.

use std::collections::BTreeSet;

use carom_math::Vec3;
use carom_model::{Contact, HeldMotion, System};
use carom_time::Tick;

/// Held primitives that move alike: those of one group, or all that belong to no group.
pub(super) struct Class {
    /// Numbers in [`Contact::vertices`].
    pub vertices: Vec<u32>,
    /// Numbers in [`Contact::edges`].
    pub edges: Vec<u32>,
    /// Numbers in [`Contact::faces`].
    pub faces: Vec<u32>,
    /// The vertices of the system that these primitives have, each once.
    pub places: Vec<u32>,
    /// The largest hard radius among them, in m.
    pub radius_m: f64,
    /// A velocity that all have all the time, in m/s.
    pub velocity: Option<Vec3>,
    /// The ticks between start and end at which velocities change.
    pub corners: Vec<Tick>,
    /// Whether edges are among them that belong to no face.
    pub has_rods: bool,
    /// Whether single points are among them.
    pub has_points: bool,
    /// Whether there is motion inside the class.
    pub is_mixed: bool,
}

/// The classes of all held primitives that are not empty; what belongs to no group comes last.
pub(super) fn classes(system: &System, contact: &Contact, motion: &HeldMotion, end: Tick) -> Vec<Class> {
    let mixed = motion.groups();
    let mut classes: Vec<Class> = (0..=mixed).map(|group| Class::empty(motion, group, mixed)).collect();
    let class_of = |vertices: &[u32]| {
        let group = |v: &u32| motion.group(*v);
        let is_held = vertices.iter().all(|v| system.is_held(*v as usize));
        let first = group(&vertices[0]);
        let alike = vertices.iter().all(|v| group(v) == first);
        is_held.then(|| first.filter(|_| alike).map_or(mixed, |group| group as usize))
    };
    for (number, vertex) in (0..).zip(&contact.vertices) {
        let Some(class) = class_of(&[vertex.vertex]) else { continue };
        let class = &mut classes[class];
        class.vertices.push(number);
        class.places.push(vertex.vertex);
        class.radius_m = class.radius_m.max(vertex.radius);
        class.has_points |= vertex.is_point;
    }
    for (number, edge) in (0..).zip(&contact.edges) {
        let Some(class) = class_of(&edge.vertices) else { continue };
        let class = &mut classes[class];
        class.edges.push(number);
        class.places.extend(edge.vertices);
        class.radius_m = class.radius_m.max(edge.radius);
        class.has_rods |= edge.is_bare;
    }
    for (number, face) in (0..).zip(&contact.faces) {
        let Some(class) = class_of(&face.vertices) else { continue };
        classes[class].faces.push(number);
        classes[class].places.extend(face.vertices);
    }
    for class in &mut classes {
        class.places.sort_unstable();
        class.places.dedup();
        class.corners = corners(system, motion, &class.places, end);
    }
    classes.retain(|class| !class.places.is_empty());
    classes
}

impl Class {
    fn empty(motion: &HeldMotion, group: usize, mixed: usize) -> Self {
        Self {
            vertices: Vec::new(),
            edges: Vec::new(),
            faces: Vec::new(),
            places: Vec::new(),
            radius_m: 0.0,
            velocity: if group == mixed { None } else { motion.velocity_of(group as u32) },
            corners: Vec::new(),
            has_rods: false,
            has_points: false,
            is_mixed: group == mixed,
        }
    }
}

/// The ticks between start and end at which some of these vertices change velocity.
fn corners(system: &System, motion: &HeldMotion, vertices: &[u32], end: Tick) -> Vec<Tick> {
    let paths: BTreeSet<usize> = vertices.iter().filter_map(|v| motion.path_of(*v)).collect();
    let ticks = paths.iter().flat_map(|path| &system.paths[*path].ticks);
    let inside: BTreeSet<Tick> = ticks.copied().filter(|t| *t > Tick::START && *t < end).collect();
    inside.into_iter().collect()
}
