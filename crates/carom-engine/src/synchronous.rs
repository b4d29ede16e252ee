//! One clock for all: the classical variational integrator.
//!
//! Every potential takes the shortest elastic step or, with contact, the step of the deepest layer that may push, if that is
//! shorter. How deep that must be, only a run with clocks of their own can tell ([`depth_needed`]); a pair that gets deeper all
//! the same is a [`Fault`].

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_contact::step_of_layer;
use carom_model::{Contact, Fault, LayerSpec, State, System};
use carom_time::{Span, Tick};

use crate::{Carom, Method, Progress};

/// `system` on one clock, with layers down to `layers`: unless given, as deep as the shortest elastic step goes.
pub(crate) fn on_one_clock(system: &System, layers: Option<u32>) -> System {
    let elastic = system.spans().first().copied();
    let Some(contact) = &system.contact else {
        return elastic.map_or_else(|| system.clone(), |span| system.on_one_clock(span));
    };
    let step_at = |l: u32| contact.layers.iter().filter_map(|spec| step_of_layer(spec, l)).min();
    let is_slow = |l: &u32| step_at(*l) >= elastic;
    let deepest = layers.unwrap_or_else(|| (1..=contact.max_layers).take_while(is_slow).count() as u32);
    let deepest = deepest.clamp(1, contact.max_layers);
    let span = step_at(deepest).into_iter().chain(elastic).min().unwrap_or(Span::ONE);
    with_layers_on(&system.on_one_clock(span), span, deepest)
}

/// `system` with all layers of contact down to `deepest` on the clock `span`; a pair that gets deeper is a [`Fault`].
pub(crate) fn with_layers_on(system: &System, span: Span, deepest: u32) -> System {
    let shared = |spec: &LayerSpec| LayerSpec { span, one_clock: true, friction_window: span, ..*spec };
    let on_it = |contact: &Arc<Contact>| {
        let layers = contact.layers.iter().map(shared).collect();
        Arc::new(Contact { layers, max_layers: deepest, ..Contact::clone(contact) })
    };
    System { contact: system.contact.as_ref().map(on_it), ..system.clone() }
}

/// The deepest layer that pushes up to `end` if every potential has its own clock; `None` if asked to stop before.
pub fn depth_needed(
    system: &Arc<System>,
    state: &State,
    end: Tick,
    stop: &AtomicBool,
) -> Result<Option<u32>, Fault> {
    let mut scout = Carom::new(system, state);
    let progress = scout.advance_to(end, stop)?;
    let deepest = scout.summary().contact.map_or(1, |contact| contact.deepest_layer.max(1));
    Ok((progress == Progress::Reached).then_some(deepest))
}
