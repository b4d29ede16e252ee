//! The steps of one system on the potentials of another.
//!
//! A run may go on with other steps ([`Checkpoint::joined`](crate::Checkpoint::joined)); everything else stays, time line, stiffness and number of layers
//! included. So of the other system only the steps are taken, as times: each is rounded down to what the time line of the first knows, as the steps of a scene are.

use carom_contact::layer_count;
use carom_model::{Contact, LayerFamily, LayerSpec, System};
use carom_time::Span;

use crate::ResumeError;

/// `system` with the steps that `other`, which has as many potentials between the same vertices, gives them.
pub fn with_steps_of(system: &System, other: &System) -> Result<System, ResumeError> {
    must_have_the_same_potentials(system, other)?;
    let mut spans = Vec::with_capacity(other.schedules.len());
    for schedule in &other.schedules {
        let on_line = schedule.spans.iter().map(|span| on_line_of(system, other, *span));
        spans.push(on_line.collect::<Result<Vec<Span>, _>>()?);
    }
    let mut stepped = system.with_spans(|f, e, _| spans[f][e]);
    if let (Some(contact), Some(of_other)) = (&system.contact, &other.contact) {
        let mut problem = None;
        let layers = contact.as_ref().clone().with_layers(|bodies, spec| {
            let chosen = of_layers(spec, bodies, of_other)
                .and_then(|of_other| with_step_of(spec, of_other, contact.max_layers, [system, other]));
            chosen.unwrap_or_else(|refused| {
                problem.get_or_insert(refused);
                *spec
            })
        });
        if let Some(problem) = problem {
            return Err(problem);
        }
        stepped.contact = Some(layers.into());
    }
    Ok(stepped)
}

/// Refuses systems whose potentials are not between the same vertices.
fn must_have_the_same_potentials(system: &System, other: &System) -> Result<(), ResumeError> {
    let [own, others] = [system, other].map(System::vertices);
    if own != others {
        return Err(ResumeError::Vertices { system: others, checkpoint: own });
    }
    let [own, others] = [system, other].map(System::kinds);
    if own != others {
        let kind = own.iter().chain(&others).find(|kind| own.contains(kind) != others.contains(kind));
        return Err(ResumeError::Potentials { kind: kind.copied().unwrap_or("potential") });
    }
    for (family, of_other) in system.families.iter().zip(&other.families) {
        let has_all = family.len() == of_other.len();
        if !(has_all && (0..family.len()).all(|e| family.stencil(e) == of_other.stencil(e))) {
            return Err(ResumeError::Potentials { kind: family.kind() });
        }
    }
    let bodies = |system: &System| system.contact.as_ref().map(|contact| contact.bodies);
    if bodies(system) == bodies(other) {
        Ok(())
    } else {
        Err(ResumeError::Potentials { kind: System::CONTACT })
    }
}

/// A step of `other` on the time line of `system`.
fn on_line_of(system: &System, other: &System, span: Span) -> Result<Span, ResumeError> {
    if system.line.quantum == other.line.quantum {
        return Ok(span);
    }
    let step_s = other.line.quantum.step(span);
    system.line.span(step_s).map_err(|_| ResumeError::TooShort { step_s })
}

/// The layers of another contact where this one has `spec` between two bodies.
fn of_layers<'a>(
    spec: &LayerSpec,
    [a, b]: [u32; 2],
    other: &'a Contact,
) -> Result<&'a LayerSpec, ResumeError> {
    let index = match spec.family {
        LayerFamily::Hertz => other.soft_layers_between(a, b),
        LayerFamily::Acm | LayerFamily::Nested | LayerFamily::Window => Some(other.layers_between(a, b)),
    };
    let index = index.ok_or(ResumeError::Potentials { kind: System::CONTACT })?;
    Ok(&other.layers[index as usize])
}

/// Layers with the first step of others; friction windows only grow.
fn with_step_of(
    spec: &LayerSpec,
    of_other: &LayerSpec,
    max_layers: u32,
    [system, other]: [&System; 2],
) -> Result<LayerSpec, ResumeError> {
    let window = on_line_of(system, other, of_other.friction_window)?;
    let span = on_line_of(system, other, of_other.span)?;
    let stepped = LayerSpec { span, friction_window: spec.friction_window.max(window), ..*spec };
    let [before, after] = [spec, &stepped].map(|spec| layer_count(spec, max_layers));
    if before == after { Ok(stepped) } else { Err(ResumeError::Layers { before, after }) }
}
