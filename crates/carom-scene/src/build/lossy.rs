//! Steps beside contact: of everything on bodies that meet others, that are pressed, and where contact takes energy.

use carom_contact::ContactTuning;
use carom_model::{Contact, StepOrigin, System};
use carom_time::Span;

/// How long the step of an element may be, over that of contact that takes energy from its body.
///
/// Stacks that stand (`scenes/outside/five-cubes.toml`) gained 0.67 of their energy where elements kicked 128 times as rarely as contact, and keep it to
/// 3e-4 from 8 times on; ten tons on a kilogram are off by 16 % at 8 times, by 1 % at 4 and by 1e-4 at 2 (the table is in `docs/theory/steps.md`).
const SLOWEST_BESIDE_LOSSY_CONTACT: u64 = 4;

/// How long a step may be, over that of the layer that will carry what presses a body, where contact takes no energy.
///
/// Contact holds material that it has compressed, and that is stiffer than at rest. A rubber cube pressed to 60 % of its height loses its energy wholly at the
/// 150 µs that are stable at rest, and keeps it to 1.8e-4 at 16 times. At 8 times bands are smaller and costs higher; where a band is too large, the tolerance shortens
/// what needs it.
const SLOWEST_BESIDE_CONTACT: u64 = 16;

/// How long a step may be, over that of the first layer of a body's contact.
///
/// Nothing else limits gravity on loose grains, or a spring between heavy ones, and a fixed step suits no scale: at 1 ms a grain of 1 µm that falls 10 µm
/// bounced to 141 % of its height. What crosses the first layer in 6 kicks closes by less than three layers between two kicks of its own.
const SLOWEST_BESIDE_FIRST_LAYER: u64 = 16;

/// The system with chosen steps that are not much longer than those of the first layers of contact.
pub(super) fn keep_up_with_first_layers(
    system: &System,
    contact: &Contact,
    is_given: impl Fn(usize, usize) -> bool,
) -> System {
    let fastest = |body: u32| {
        let others = 0..contact.bodies as u32;
        let layers = others.map(|other| contact.layers[contact.layers_between(body, other) as usize].span);
        layers.min().expect("a body meets itself at least")
    };
    let fastest: Vec<_> = (0..contact.bodies as u32).map(fastest).collect();
    let kept = system.with_spans(|f, e, span| {
        let longest = times(fastest[system.families[f].owner(e).body as usize], SLOWEST_BESIDE_FIRST_LAYER);
        if is_given(f, e) { span } else { span.min(longest) }
    });
    kept.with_origins_of_changes(system, |_, _| StepOrigin::FirstLayer(SLOWEST_BESIDE_FIRST_LAYER))
}

/// The system with chosen steps that are not much longer than those of dissipative contact: fields (gravity, loads, drag) on the clock of
/// contact, elements not far behind it.
///
/// A force that kicks less often than contact sets bodies at rest in contact in motion at every kick. Elastic contact gives that energy
/// back; dissipative contact would book it as dissipated, and the ledger would not balance. On the same clock the two cancel at once.
/// Fields cost nothing there; elements do, and their error on the ledger falls fast with the ratio. A step that the scene gives an element stays.
pub(super) fn keep_up_with_lossy_contact(
    system: &System,
    contact: &Contact,
    is_given: impl Fn(usize, usize) -> bool,
) -> System {
    let fastest = |body: u32| {
        let layers = (0..contact.bodies as u32).map(|other| contact.layers_between(body, other));
        let lossy = layers.map(|l| &contact.layers[l as usize]).filter(|spec| !spec.law.is_ideal());
        lossy.map(|spec| spec.span).min()
    };
    let fastest: Vec<_> = (0..contact.bodies as u32).map(fastest).collect();
    if fastest.iter().all(Option::is_none) {
        return system.clone();
    }
    // The drag of spins pushes nothing from outside, and is a field all the same.
    let is_field = |f: usize| {
        let properties = system.families[f].properties();
        !properties.is_internal || !properties.counts_as_evaluation
    };
    let factor = |f: usize| if is_field(f) { 1 } else { SLOWEST_BESIDE_LOSSY_CONTACT };
    let kept = system.with_spans(|f, e, span| {
        let Some(contact) = fastest[system.families[f].owner(e).body as usize] else { return span };
        if is_given(f, e) && !is_field(f) { span } else { span.min(times(contact, factor(f))) }
    });
    kept.with_origins_of_changes(system, |f, _| StepOrigin::LossyContact(factor(f)))
}

/// The system with chosen steps that are not much longer than those of the layers that will carry what presses, but no shorter than that of the first layer: it
/// would follow, and the layer that carries with it, without end. Where contact is given so soft that this matters, the tolerance shortens what needs it.
pub(super) fn keep_up_with_pressed_contact(
    system: &System,
    contact: &Contact,
    choices: &[ContactTuning],
    is_given: impl Fn(usize, usize) -> bool,
) -> System {
    let mut longest: Vec<Option<(Span, u64)>> = vec![None; contact.bodies];
    for choice in choices.iter().filter(|choice| choice.pressure_pa.is_some()) {
        let [a, b] = choice.bodies;
        let spec = &contact.layers[contact.layers_between(a, b) as usize];
        let factor = if spec.law.is_ideal() { SLOWEST_BESIDE_CONTACT } else { SLOWEST_BESIDE_LOSSY_CONTACT };
        for body in [a, b] {
            let own = &mut longest[body as usize];
            let least = (times(choice.carrying_span, factor).max(spec.span), factor);
            *own = Some(own.map_or(least, |own| own.min(least)));
        }
    }
    let of_body = |f: usize, e: usize| longest[system.families[f].owner(e).body as usize];
    let kept = system.with_spans(|f, e, span| {
        of_body(f, e).filter(|_| !is_given(f, e)).map_or(span, |(longest, _)| span.min(longest))
    });
    kept.with_origins_of_changes(system, |f, e| {
        StepOrigin::CarryingLayer(of_body(f, e).expect("steps change beside layers that carry").1)
    })
}

/// A span multiplied by `factor`.
fn times(span: Span, factor: u64) -> Span {
    Span::new(span.quanta().saturating_mul(factor)).expect("no product of these is zero")
}
