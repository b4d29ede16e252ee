//! Which steps are shortened where energy is not kept.
//!
//! Elements and fields of the bodies that pushed since the last check, of all bodies if none did, get half their steps; pairs of bodies that pushed get
//! half their first step, if no layer is lost by it. Where that finds nothing, all elements and fields count. Steps that the user gave, thickness, stiffness and the
//! number of layers never change: a changed stiffness would be a jump of energy.
//!
//! All of them, since nothing tells which gives the energy away. Large elements and fields have the longest steps, and shortening those alone left a
//! stiff shell as it was, level after level; shortening elements alone did as little for grains that lose a trace in every bounce.

use std::sync::Arc;

use carom_contact::{Touch, layer_count};
use carom_model::{Contact, LayerSpec, System};
use carom_time::Tick;

/// The bodies that pushed since the last check.
pub(super) struct Pushed<'a> {
    /// What became of contact so far.
    pub touches: &'a [Touch],
    /// The last check; `None` before the first.
    pub since: Option<Tick>,
}

impl Pushed<'_> {
    fn list(&self) -> impl Iterator<Item = &Touch> {
        self.touches.iter().filter(|touch| Some(touch.last) > self.since)
    }

    fn is_among(&self, body: u32) -> bool {
        self.list().any(|touch| touch.bodies.contains(&body))
    }
}

/// The system with shorter steps; `None` if there is nothing left to shorten.
pub(super) fn shortened(system: &System, pushed: &Pushed, contact_step_is_given: bool) -> Option<System> {
    let nobody = pushed.list().next().is_none();
    let concerned: Vec<bool> =
        (0..system.bodies.len() as u32).map(|body| nobody || pushed.is_among(body)).collect();
    let together = |bodies: [u32; 2]| pushed.list().any(|touch| touch.bodies == bodies);
    let every = vec![true; concerned.len()];
    with_shorter(system, &concerned, contact_step_is_given, together)
        .or_else(|| with_shorter(system, &every, contact_step_is_given, together))
}

/// The system with shorter steps of elements of some bodies, and of contact between some; `None` if that changes nothing.
fn with_shorter(
    system: &System,
    bodies: &[bool],
    contact_step_is_given: bool,
    between: impl Fn([u32; 2]) -> bool,
) -> Option<System> {
    let is_chosen = |f: usize, e: usize| {
        let stencil = system.families[f].stencil(e);
        !system.schedules[f].is_given[e] && stencil.iter().any(|&v| bodies[body_of(system, v)])
    };
    let mut changed = false;
    let mut shorter = system.with_spans(|f, e, span| match span.half().filter(|_| is_chosen(f, e)) {
        Some(half) => {
            changed = true;
            half
        }
        None => span,
    });
    let contact = system.contact.as_ref().filter(|_| !contact_step_is_given);
    let layers = contact.and_then(|contact| with_shorter_layers(contact, between));
    if !changed && layers.is_none() {
        return None;
    }
    if let Some(contact) = layers {
        shorter.contact = Some(Arc::new(contact));
    }
    Some(shorter)
}

/// The contact with half the first step between some bodies; `None` if there are none such.
fn with_shorter_layers(contact: &Contact, between: impl Fn([u32; 2]) -> bool) -> Option<Contact> {
    let halved = |spec: &LayerSpec| {
        let shorter = LayerSpec { span: spec.span.half()?, ..*spec };
        let keeps_all = layer_count(&shorter, contact.max_layers) == layer_count(spec, contact.max_layers);
        keeps_all.then_some(shorter)
    };
    let mut changed = false;
    let shorter = contact.clone().with_layers(|bodies, spec| {
        let shorter = if between(bodies) { halved(spec) } else { None };
        changed |= shorter.is_some();
        shorter.unwrap_or(*spec)
    });
    changed.then_some(shorter)
}

/// The body of a vertex, auxiliary degrees of freedom included.
fn body_of(system: &System, v: u32) -> usize {
    match (v as usize).checked_sub(system.places()) {
        Some(auxiliary) => system.auxiliary_dofs[auxiliary].body as usize,
        None => system.bodies.partition_point(|body| body.vertices.end <= v),
    }
}
