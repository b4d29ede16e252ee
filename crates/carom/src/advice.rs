//! Advice on the parameters of a scene. `docs/guide/choosing.md` explains it.

use carom_math::Vec3;
use carom_model::System;
use carom_output::words::seconds;
use carom_scene::ContactNotes;

/// Contact that kicks so many times as often as the fastest element is likely made for a speed that nothing reaches.
const FAR_FASTER: f64 = 4.0;

/// Elements that kick so many times as rarely as contact that takes energy leave the ledger sharp under any load that was tried (`docs/theory/steps.md`).
const SHARP: f64 = 2.0;

/// What could be chosen better, in the order in which it matters.
///
/// `step_is_given` where the scene says how often contact kicks, and no speed changes that.
pub fn of(system: &System, x: &[Vec3], contact: Option<&ContactNotes>, step_is_given: bool) -> Vec<String> {
    let Some(contact) = contact else { return Vec::new() };
    let mut advice = Vec::new();
    advice.extend(speed(system, contact).filter(|_| !step_is_given));
    advice.extend(thickness(system, x, contact));
    advice.extend(one_step(system));
    advice.extend(rest(system));
    advice
}

/// Contact is made for a speed, and its step is in inverse proportion to it.
fn speed(system: &System, contact: &ContactNotes) -> Option<String> {
    let fastest = contact.choices.iter().min_by(|a, b| a.step_s.total_cmp(&b.step_s))?;
    let element_s = element_steps_s(system).into_iter().reduce(f64::min)?;
    (fastest.speed > 0.0 && FAR_FASTER * fastest.step_s < element_s).then(|| {
        format!(
            "contact is ready for {:.3} m/s and kicks every {}, elements every {}: if nothing closes that fast, `contact.speed` \
             makes its step longer in proportion",
            fastest.speed,
            seconds(fastest.step_s),
            seconds(element_s)
        )
    })
}

/// A surface that begins to push farther away than its edges are long rounds off what it touches.
fn thickness(system: &System, x: &[Vec3], contact: &ContactNotes) -> Option<String> {
    let edges = system.contact.iter().flat_map(|contact| &contact.edges).map(|edge| edge.vertices);
    let free = edges.filter(|[a, b]| !system.is_held(*a as usize) || !system.is_held(*b as usize));
    let shortest = free.map(|[a, b]| (x[a as usize] - x[b as usize]).length()).reduce(f64::min)?;
    let thickest = contact.choices.iter().map(|choice| choice.spec.thickness).reduce(f64::max)?;
    (thickest > shortest).then(|| {
        format!(
            "contact begins {thickest:.2e} m away, and edges are down to {shortest:.2e} m long: a `contact.thickness` below that touches \
             what is seen to touch"
        )
    })
}

/// With one step for all elements friction holds exactly, and the ledger of dissipative contact is sharpest.
fn one_step(system: &System) -> Option<String> {
    let layers = system.contact.iter().flat_map(|contact| &contact.layers);
    let lossy = layers.into_iter().filter(|spec| !spec.law.is_ideal());
    let contact_s = lossy.map(|spec| system.line.quantum.step(spec.span)).reduce(f64::min)?;
    let steps = element_steps_s(system);
    let (shortest, longest) =
        (steps.iter().copied().reduce(f64::min)?, steps.iter().copied().reduce(f64::max)?);
    (longest > shortest || longest > SHARP * contact_s).then(|| {
        let shortest = shortest.min(contact_s);
        format!(
            "contact takes energy every {}, and elements kick every {} at most: where friction must hold without creep, and for the sharpest ledger \
             under heavy loads, give one `clocks.step` of {shortest:.1e}",
            seconds(contact_s),
            seconds(longest)
        )
    })
}

/// Elastic things that a field pulls never come to rest.
fn rest(system: &System) -> Option<String> {
    let properties = || system.families.iter().map(|family| family.properties());
    let is_pulled = properties().any(|family| !family.is_internal && !family.is_driven);
    let mut layers = system.contact.iter().flat_map(|contact| &contact.layers);
    let loses = system.is_damped || layers.any(|spec| !spec.law.is_ideal());
    (is_pulled && !loses).then(|| {
        "nothing takes energy here, so what is pulled keeps on moving: `contact.restitution`, `contact.friction`, `damping` of a material or \
         `drag` of a body let it come to rest"
            .to_owned()
    })
}

/// The steps of all elastic potentials, in s.
fn element_steps_s(system: &System) -> Vec<f64> {
    let families = system
        .families
        .iter()
        .zip(&system.schedules)
        .filter(|(family, _)| family.properties().counts_as_evaluation);
    let spans = families.flat_map(|(_, schedule)| schedule.rungs.iter().map(|rung| rung.span));
    spans.map(|span| system.line.quantum.step(span)).collect()
}
