//! Choosing stiffness and step.
//!
//! Four numbers decide how well energy is kept, none of them whether things pass through:
//!
//! | number | good | what it is |
//! | --- | --- | --- |
//! | n | ≥ 6 | kicks while crossing the first layer, `(η₁ − η₂)/(v h₁)` |
//! | `h₁ω₁` | ≈ 0.1 | `ω₁²` the stiffness of a whole contact over its mass |
//! | Λ | ≤ 0.03 | load number `a h₁²/η₁`, a the acceleration that the contact balances |
//! | closing | ≤ 0.3 | `v H/η₁`, H the slowest elastic step of either body: how far they close between two kicks of their own |
//!
//! Loose grains collide at many speeds: `h₁` gives them 6 kicks at three times their mean speed, which one collision of a gas in three
//! hundred exceeds. Grains that are faster than such a tail explains count in full.
//!
//! For every two bodies, `h₁` is the shortest elastic step of either, or less where the closing speed, the loads or the pressure to be expected
//! ask for it; then the stiffness is what gives `h₁ω₁` = 0.1. Contact is not faster than the bodies without need. `pressing` says which pressure, and
//! which layer will carry it: that is the clock that everything on the two bodies has to keep up with.

mod choice;
mod facts;
mod pressing;
mod soft_grains;

use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{Contact, Law, LayerFamily, LayerSpec, State, System};
use carom_time::{Span, StepError};

use crate::Layers;
use crate::pairs::step_of_layer;
use crate::pairs::surface::{BodySurface, Grains, Primitives, rest_positions};

pub use choice::{Complaint, ContactTuning, Reasons, SpeedReason, StepReason};
pub use pressing::{PressedBody, Pressing};

use facts::Facts;
use pressing::carrying_layer;
use soft_grains::soft_layers;

/// The fewest kicks in which a good first layer is crossed.
const KICKS: f64 = 6.0;

/// The other good values.
const STEP_TIMES_FREQUENCY: f64 = 0.1;
const LOAD_NUMBER: f64 = 0.03;
const CLOSING: f64 = 0.3;

/// Vertices against faces from both sides and edges against edges: weights of a flat contact add up to this much of its area
/// (1.3 to 1.7 in the test of flat sheets).
const WEIGHT_PER_AREA: f64 = 1.6;

/// Pairs of `acm` that one vertex of a flat contact is in at once.
const UNWEIGHTED_PAIRS: f64 = 4.0;

/// The largest pressure to be ready for, over `r₁ η₁`: the third layer carries it then. Softer contact would sink deeper, and leave the elements far
/// behind its clock.
const CARRIED: f64 = 8.0;

/// Halvings that a chosen first step leaves for deeper layers.
const HALVINGS: u32 = 14;

/// The deepest layer, unless the scene says less.
pub const MAX_LAYERS: u32 = 24;

/// What the scene says of contact beside the surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactOptions {
    /// The shape of the layers.
    pub family: LayerFamily,
    /// Stiffness `r₁`, in N/m³ (`acm`: N/m), instead of the chosen one.
    pub stiffness: Option<f64>,
    /// Step `h₁`, in s, instead of the chosen one.
    pub step_s: Option<f64>,
    /// Closing speed to be ready for, in m/s, if it is above what is seen at the start.
    pub speed: f64,
    /// Where that speed comes from.
    pub speed_reason: SpeedReason,
    /// Closing speed to be ready for, in m/s, whatever is seen at the start.
    pub given_speed: Option<f64>,
    /// Acceleration of the loads, in m/s².
    pub acceleration: f64,
    /// The deepest layer that may push.
    pub max_layers: u32,
    /// Lengths of the periodic box along x, y and z, in m; 0 along an axis that is not periodic.
    pub period: Vec3,
}

impl Default for ContactOptions {
    fn default() -> Self {
        Self {
            family: LayerFamily::Window,
            stiffness: None,
            step_s: None,
            speed: 0.0,
            speed_reason: SpeedReason::Start,
            given_speed: None,
            acceleration: 0.0,
            max_layers: MAX_LAYERS,
            period: Vec3::ZERO,
        }
    }
}

/// The bodies that contact is chosen for.
#[derive(Clone, Copy, Debug)]
pub struct ContactBodies<'a> {
    /// One surface for each body.
    pub surfaces: &'a [BodySurface<'a>],
    /// The bodies whose points are grains.
    pub grains: &'a [Grains<'a>],
    /// How hard they may press, if that is known.
    pub pressing: Option<&'a Pressing>,
}

/// Contact for the whole of `system`, one surface for each body, and what was chosen for every two of them.
pub fn tune_contact(
    system: &System,
    state: &State,
    surfaces: &[BodySurface],
    options: &ContactOptions,
) -> Result<(Contact, Vec<ContactTuning>), StepError> {
    tune_contact_of(system, state, ContactBodies { surfaces, grains: &[], pressing: None }, options)
}

/// The same, where the points of some bodies are grains, or it is known how hard bodies may press.
pub fn tune_contact_of(
    system: &System,
    state: &State,
    ContactBodies { surfaces, grains, pressing }: ContactBodies<'_>,
    options: &ContactOptions,
) -> Result<(Contact, Vec<ContactTuning>), StepError> {
    let mut primitives = Primitives::default();
    for (body, surface) in (0..).zip(surfaces) {
        primitives.add(body, surface);
    }
    let mut is_granular = vec![false; surfaces.len()];
    for grains in grains {
        let BodySurface { first_vertex, thickness, .. } = surfaces[grains.body as usize];
        primitives.make_grains(grains, first_vertex, thickness);
        is_granular[grains.body as usize] = true;
    }
    for body in 0..surfaces.len() as u32 {
        let own = primitives.vertices.iter_mut().filter(|v| v.body == body);
        own.zip(system.spins_of(body)).for_each(|(v, spin)| v.spin = Some(spin));
    }
    let facts: Vec<Facts> =
        (0..surfaces.len()).map(|b| Facts::of(system, state, &primitives, b, is_granular[b])).collect();
    // What is hit may fly as fast as what hit it: one speed for all.
    let apart = |a: &Facts| facts.iter().map(|b| a.closing_speed(b)).fold(0.0, f64::max);
    let seen = facts.iter().map(apart).fold(options.speed, f64::max);
    let (speed, speed_reason) = match options.given_speed {
        Some(given) => (given, SpeedReason::Given),
        None if seen > options.speed => (seen, SpeedReason::Start),
        None => (seen, options.speed_reason),
    };
    let options = &ContactOptions { speed, speed_reason, ..*options };
    let bodies = surfaces.len();
    let (mut layers, mut between, mut choices) = (Vec::new(), vec![0; bodies * bodies], Vec::new());
    for a in 0..bodies {
        for b in a..bodies {
            let thickness = 0.5 * (surfaces[a].thickness + surfaces[b].thickness);
            let numbers = [a as u32, b as u32];
            // Stiffness of `acm` is no property of a surface: no pressure belongs to its layers.
            let known = pressing.filter(|_| options.family != LayerFamily::Acm);
            let pressure_pa = known.and_then(|pressing| pressing.expected_pa(numbers, thickness, speed));
            let pair = Pair { numbers, facts: [&facts[a], &facts[b]], thickness, pressure_pa };
            let choice = choose_between(system, &pair, options)?;
            let number = layers.iter().position(|l| *l == choice.spec).unwrap_or_else(|| {
                layers.push(choice.spec);
                layers.len() - 1
            });
            between[a * bodies + b] = number as u32;
            between[b * bodies + a] = number as u32;
            choices.push(choice);
        }
    }
    let soft_between = soft_layers(system, grains, &primitives, options, &mut layers, bodies)?;
    let Primitives { vertices, edges, faces } = primitives;
    let rest = rest_positions(system.vertices(), surfaces);
    let ContactOptions { max_layers, period, .. } = *options;
    let contact = Contact {
        vertices,
        edges,
        faces,
        rest,
        layers,
        between,
        soft_between,
        is_granular,
        period,
        bodies,
        max_layers,
    };
    Ok((contact, choices))
}

/// Two bodies and what is to be expected between them.
struct Pair<'a> {
    numbers: [u32; 2],
    facts: [&'a Facts; 2],
    thickness: f64,
    /// In Pa, where the steps of a body could follow it.
    pressure_pa: Option<f64>,
}

impl Pair<'_> {
    /// Weight over mass, 1/m_eff, of two surfaces that meet flat; pairs of `acm` have no weight.
    fn lightness(&self, family: LayerFamily) -> f64 {
        let [a, b] = self.facts;
        if family == LayerFamily::Acm {
            UNWEIGHTED_PAIRS * (1.0 / a.lightest + 1.0 / b.lightest)
        } else {
            WEIGHT_PER_AREA * (1.0 / a.density + 1.0 / b.density)
        }
    }

    /// The step that everything at hand allows, in s, and what made it so short.
    fn longest_step(&self, system: &System, options: &ContactOptions, crossing: f64) -> (f64, StepReason) {
        let quantum = system.line.quantum;
        let fastest = self.facts.iter().filter_map(|facts| facts.steps).map(|steps| steps[0]).min();
        let longest =
            fastest.or_else(|| system.spans().last().copied()).map_or(1e-3, |span| quantum.step(span));
        let &ContactOptions { speed, acceleration, family, .. } = options;
        // A stiffness that is given needs no step that bears a higher one.
        let pressed = match options.stiffness {
            Some(_) => f64::INFINITY,
            None => self.step_for_pressure(self.lightness(family)),
        };
        let limits = [
            (crossing / (KICKS * speed), StepReason::Speed),
            ((LOAD_NUMBER * self.thickness / acceleration).sqrt(), StepReason::Loads),
            (pressed, StepReason::Pressure),
        ];
        let shorter = |a: (f64, StepReason), b: (f64, StepReason)| if b.0 < a.0 { b } else { a };
        let asked = limits.into_iter().fold((longest, StepReason::Elements), shorter);
        // Deep layers are worth more than many kicks: they are what keeps a bullet out.
        let least = quantum.seconds_of(1 << HALVINGS).min(longest);
        if asked.0 < least { (least, StepReason::Deeper) } else { asked }
    }

    /// The step of layers whose first carries its part of the expected pressure, in s; infinite where none is expected.
    fn step_for_pressure(&self, lightness: f64) -> f64 {
        let Some(pressure) = self.pressure_pa else { return f64::INFINITY };
        let stiffness = pressure / (CARRIED * self.thickness);
        STEP_TIMES_FREQUENCY / (stiffness * lightness).sqrt()
    }
}

fn choose_between(
    system: &System,
    pair: &Pair<'_>,
    options: &ContactOptions,
) -> Result<ContactTuning, StepError> {
    let quantum = system.line.quantum;
    let &Pair { numbers, facts: [a, b], thickness, pressure_pa } = pair;
    let mut spec = LayerSpec {
        family: options.family,
        thickness,
        stiffness: 1.0,
        span: Span::ONE,
        one_clock: false,
        law: Law::IDEAL,
        friction_window: Span::ONE,
    };
    let crossing = thickness - Layers::new(&spec, 1, quantum).minimum_gap();
    let (chosen_s, reason) = pair.longest_step(system, options, crossing);
    let chosen_span = system.line.span(chosen_s)?;
    spec.span = options.step_s.map_or(Ok(chosen_span), |given| system.line.span(given))?;
    spec.friction_window = a.slowest_clock.into_iter().chain(b.slowest_clock).fold(spec.span, Span::max);
    let step_s = quantum.step(spec.span);

    let lightness = pair.lightness(options.family);
    let stiffness_for = |step_s: f64| (STEP_TIMES_FREQUENCY / step_s).powi(2) / lightness;
    // Who halves the step of contact wants the same contact, resolved better; elements whose steps are given have none to compare with.
    let measured_by = if pressure_pa.is_some() { spec.span.max(chosen_span) } else { spec.span };
    let chosen = stiffness_for(quantum.step(measured_by));
    // Two bodies that cannot move never push: any stiffness will do.
    let chosen = if chosen.is_finite() { chosen } else { 1.0 };
    spec.stiffness = options.stiffness.unwrap_or(chosen);
    let deepest = Layers::new(&spec, options.max_layers, quantum).deepest();
    let carrying = |pressure| carrying_layer(pressure, spec.stiffness, thickness, deepest);
    let carrying_layer = pressure_pa.map_or(1, carrying);
    let resolved = LayerSpec { span: measured_by, ..spec };
    let slowest = a.steps.iter().chain(&b.steps).map(|steps| quantum.step(steps[1])).fold(0.0, f64::max);
    let &ContactOptions { speed, acceleration, .. } = options;
    Ok(ContactTuning {
        bodies: numbers,
        spec,
        step_s,
        speed,
        kicks: crossing / (speed * step_s),
        step_times_frequency: step_s * (spec.stiffness * lightness).sqrt(),
        load_number: acceleration * step_s * step_s / thickness,
        closing: slowest * speed / thickness,
        pressure_pa,
        carrying_layer,
        carrying_span: step_of_layer(&resolved, carrying_layer).unwrap_or(Span::ONE),
        reasons: Reasons {
            speed: options.speed_reason,
            step: if options.step_s.is_some() { StepReason::Given } else { reason },
            stiffness_is_given: options.stiffness.is_some(),
        },
    })
}

/// The system with this contact.
#[must_use]
pub fn with_contact(system: &System, contact: Contact) -> System {
    System { contact: Some(Arc::new(contact)), ..system.clone() }
}
