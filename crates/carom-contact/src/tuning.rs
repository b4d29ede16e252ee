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
//! For every two bodies, `h₁` is the shortest elastic step of either, or less where the largest closing speed at the start or the
//! loads ask for it; then the stiffness is what gives `h₁ω₁` = 0.1. Contact is not faster than the bodies without need.

use std::sync::Arc;

use carom_math::{Sum, Vec3, Vec3Sum};
use carom_model::{Contact, Law, LayerFamily, LayerSpec, State, SurfaceVertex, System};
use carom_time::{Span, StepError};

use crate::Layers;
use crate::pairs::surface::{BodySurface, Grains, Primitives, rest_positions};
use crate::pairs::weight::hertz_weight;

/// The fewest kicks in which a good first layer is crossed.
pub const KICKS: f64 = 6.0;

/// The other good values.
const STEP_TIMES_FREQUENCY: f64 = 0.1;
const LOAD_NUMBER: f64 = 0.03;
const CLOSING: f64 = 0.3;

/// Loose grains close at up to so many times their mean speed.
const TAIL: f64 = 3.0;

/// Of a million grains of a gas in equilibrium the fastest has 3.7 times the mean speed: a grain faster than this is a bullet.
const NO_TAIL: f64 = 4.0;

/// Vertices against faces from both sides and edges against edges: weights of a flat contact add up to this much of its area
/// (1.3 to 1.7 in the test of flat sheets).
const WEIGHT_PER_AREA: f64 = 1.6;

/// Pairs of `acm` that one vertex of a flat contact is in at once.
const UNWEIGHTED_PAIRS: f64 = 4.0;

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
            given_speed: None,
            acceleration: 0.0,
            max_layers: MAX_LAYERS,
            period: Vec3::ZERO,
        }
    }
}

/// The layers between two bodies, and the numbers that judge them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactTuning {
    /// The bodies.
    pub bodies: [u32; 2],
    /// The layers.
    pub spec: LayerSpec,
    /// Step `h₁`, in s.
    pub step_s: f64,
    /// Closing speed it was made for, in m/s.
    pub speed: f64,
    /// Kicks while crossing the first layer; infinite at rest.
    pub kicks: f64,
    /// `h₁ω₁`.
    pub step_times_frequency: f64,
    /// Λ.
    pub load_number: f64,
    /// How far the bodies close between two kicks of their slowest elastic clock, over `η₁`.
    pub closing: f64,
}

/// Contact for the whole of `system`, one surface for each body, and what was chosen for every two of them.
pub fn tune_contact(
    system: &System,
    state: &State,
    surfaces: &[BodySurface],
    options: &ContactOptions,
) -> Result<(Contact, Vec<ContactTuning>), StepError> {
    tune_contact_with_grains(system, state, surfaces, &[], options)
}

/// The same, where the points of some bodies are grains.
pub fn tune_contact_with_grains(
    system: &System,
    state: &State,
    surfaces: &[BodySurface],
    grains: &[Grains],
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
    let speed = options.given_speed.unwrap_or(seen);
    let options = &ContactOptions { speed, ..*options };
    let bodies = surfaces.len();
    let (mut layers, mut between, mut choices) = (Vec::new(), vec![0; bodies * bodies], Vec::new());
    for a in 0..bodies {
        for b in a..bodies {
            let thickness = 0.5 * (surfaces[a].thickness + surfaces[b].thickness);
            let choice =
                choose_between(system, [a as u32, b as u32], [&facts[a], &facts[b]], thickness, options)?;
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

impl ContactTuning {
    /// What is poor about it, in words, if something is.
    #[must_use]
    pub fn complaint(&self) -> Option<String> {
        if self.kicks < 0.5 * KICKS {
            return Some(format!("only {:.2} kicks cross the first layer: energy will wander", self.kicks));
        }
        if self.step_times_frequency > 3.0 * STEP_TIMES_FREQUENCY {
            return Some(format!(
                "the contact is stiff for its step: h₁ω₁ = {:.2}",
                self.step_times_frequency
            ));
        }
        if self.load_number > 10.0 * LOAD_NUMBER {
            return Some(format!("the loads kick the contact into bouncing: Λ = {:.2}", self.load_number));
        }
        let slow = self.closing > 2.0 * CLOSING;
        slow.then(|| {
            format!(
                "the bodies close by {:.2} of the thickness between two kicks of their own: take shorter elastic steps",
                self.closing
            )
        })
    }
}

/// What contact needs to know of one body.
struct Facts {
    /// Shortest and longest elastic step.
    steps: Option<[Span; 2]>,
    /// Longest step of all that acts on it, fields included.
    slowest_clock: Option<Span>,
    /// Least mass of a vertex that can move, in kg.
    lightest: f64,
    /// Least mass per area, in kg/m²; infinite if nothing can move.
    density: f64,
    /// Range of the velocities, in m/s.
    slowest: Vec3,
    quickest: Vec3,
}

impl Facts {
    fn of(system: &System, state: &State, primitives: &Primitives, body: usize, is_granular: bool) -> Self {
        let range = system.bodies[body].vertices.clone();
        let (mut steps, mut slowest_clock): (Option<[Span; 2]>, Option<Span>) = (None, None);
        for (family, schedule) in system.families.iter().zip(&system.schedules) {
            for (e, &span) in schedule.spans.iter().enumerate() {
                if !family.stencil(e).iter().any(|v| range.contains(v)) {
                    continue;
                }
                slowest_clock = Some(slowest_clock.map_or(span, |slowest| slowest.max(span)));
                if family.properties().counts_as_evaluation {
                    let [shortest, longest] = steps.unwrap_or([span; 2]);
                    steps = Some([shortest.min(span), longest.max(span)]);
                }
            }
        }
        let (mut density, mut lightest) = (f64::INFINITY, f64::INFINITY);
        for v in primitives.vertices.iter().filter(|v| v.body as usize == body) {
            if !system.inverse_masses[v.vertex as usize].is_zero() {
                let mass = system.masses[v.vertex as usize];
                density = density.min(mass / v.area);
                lightest = lightest.min(mass);
            }
        }
        let of_gas = if is_granular { tail(system, state, range.clone()) } else { None };
        let [mut slowest, mut quickest] = of_gas.unwrap_or_else(|| {
            let (mut slowest, mut quickest) = (Vec3::splat(f64::INFINITY), Vec3::splat(f64::NEG_INFINITY));
            for v in range {
                let u = state.velocities[v as usize];
                slowest = Vec3::new(slowest.x.min(u.x), slowest.y.min(u.y), slowest.z.min(u.z));
                quickest = Vec3::new(quickest.x.max(u.x), quickest.y.max(u.y), quickest.z.max(u.z));
            }
            [slowest, quickest]
        });
        let range = &system.bodies[body].vertices;
        for path in system.paths.iter().filter(|path| path.vertices.iter().any(|v| range.contains(v))) {
            let [least, most] = path.velocities(system.line.quantum);
            slowest = Vec3::new(slowest.x.min(least.x), slowest.y.min(least.y), slowest.z.min(least.z));
            quickest = Vec3::new(quickest.x.max(most.x), quickest.y.max(most.y), quickest.z.max(most.z));
        }
        Self { steps, slowest_clock, lightest, density, slowest, quickest }
    }

    /// A bound on the relative speed of two of their vertices, in m/s.
    fn closing_speed(&self, other: &Self) -> f64 {
        let axis = |a: f64, b: f64, c: f64, d: f64| (b - c).abs().max((d - a).abs());
        Vec3::new(
            axis(self.slowest.x, self.quickest.x, other.slowest.x, other.quickest.x),
            axis(self.slowest.y, self.quickest.y, other.slowest.y, other.quickest.y),
            axis(self.slowest.z, self.quickest.z, other.slowest.z, other.quickest.z),
        )
        .length()
    }
}

fn choose_between(
    system: &System,
    bodies: [u32; 2],
    [a, b]: [&Facts; 2],
    thickness: f64,
    options: &ContactOptions,
) -> Result<ContactTuning, StepError> {
    let quantum = system.line.quantum;
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
    let ContactOptions { speed, acceleration, .. } = *options;

    let elastic: Vec<[Span; 2]> = a.steps.into_iter().chain(b.steps).collect();
    let fastest = elastic.iter().map(|steps| steps[0]).min();
    let longest = fastest.or_else(|| system.spans().last().copied()).map_or(1e-3, |span| quantum.step(span));
    let asked = longest.min(crossing / (KICKS * speed)).min((LOAD_NUMBER * thickness / acceleration).sqrt());
    // Deep layers are worth more than many kicks: they are what keeps a bullet out.
    let least = quantum.seconds_of(1 << HALVINGS).min(longest);
    spec.span = system.line.span(options.step_s.unwrap_or(asked.max(least)))?;
    spec.friction_window = a.slowest_clock.into_iter().chain(b.slowest_clock).fold(spec.span, Span::max);
    let step_s = quantum.step(spec.span);

    // Weight over mass, 1/m_eff, of two surfaces that meet flat; pairs of `acm` have no weight.
    let lightness = if options.family == LayerFamily::Acm {
        UNWEIGHTED_PAIRS * (1.0 / a.lightest + 1.0 / b.lightest)
    } else {
        WEIGHT_PER_AREA * (1.0 / a.density + 1.0 / b.density)
    };
    let chosen = (STEP_TIMES_FREQUENCY / step_s).powi(2) / lightness;
    // Two bodies that cannot move never push: any stiffness will do.
    let chosen = if chosen.is_finite() { chosen } else { 1.0 };
    spec.stiffness = options.stiffness.unwrap_or(chosen);
    Ok(ContactTuning {
        bodies,
        spec,
        step_s,
        speed,
        kicks: crossing / (speed * step_s),
        step_times_frequency: step_s * (spec.stiffness * lightness).sqrt(),
        load_number: acceleration * step_s * step_s / thickness,
        closing: elastic.iter().map(|steps| quantum.step(steps[1])).fold(0.0, f64::max) * speed / thickness,
    })
}

/// Range of the velocities that grains count with, in m/s: around their mean velocity, and so wide that two of them close at three times their
/// mean speed. `None` if some are faster than the tail of a gas explains.
fn tail(system: &System, state: &State, vertices: core::ops::Range<u32>) -> Option<[Vec3; 2]> {
    let free =
        || vertices.clone().filter(|v| !system.is_held(*v as usize)).map(|v| state.velocities[v as usize]);
    let count = free().count().max(1) as f64;
    let mut sum = Vec3Sum::default();
    free().for_each(|u| sum.add(u));
    let mean = sum.value() * (1.0 / count);
    let speed = free().map(|u| (u - mean).length()).collect::<Sum>().value() / count;
    let fastest = free().map(|u| (u - mean).length()).fold(0.0, f64::max);
    // The closing speed is the diagonal of the box.
    let half = Vec3::splat(0.5 * TAIL * speed / 3f64.sqrt());
    (fastest <= NO_TAIL * speed).then_some([mean - half, mean + half])
}

/// The layers between soft grains, for every two bodies: added to `layers`.
///
/// As fast as the expected speed presses two of them into each other, δ = (15 m v²/(16 E* √R))^(2/5), so stiff are they, k = 2 E* √(R δ);
/// the step is what gives `h₁ω₁` = 0.1 for the two lightest [Johnson1985, §11.4].
fn soft_layers(
    system: &System,
    grains: &[Grains],
    primitives: &Primitives,
    options: &ContactOptions,
    layers: &mut Vec<LayerSpec>,
    bodies: usize,
) -> Result<Vec<Option<u32>>, StepError> {
    let mut between = vec![None; bodies * bodies];
    let quantum = system.line.quantum;
    for (i, one) in grains.iter().enumerate() {
        for other in &grains[i..] {
            let (Some(a), Some(b)) = (one.soft, other.soft) else { continue };
            let depth = |g: &Grains, radii: &[f64]| {
                radii.iter().zip(g.radii).map(|(soft, hard)| soft - hard).fold(0.0, f64::max)
            };
            let thickness = depth(one, a.radii) + depth(other, b.radii);
            let modulus = 1.0 / (1.0 / a.modulus + 1.0 / b.modulus);
            let lightest = |body: u32| {
                let free = |v: &&SurfaceVertex| v.body == body && !system.is_held(v.vertex as usize);
                let mass = |v: &SurfaceVertex| system.masses[v.vertex as usize];
                let own = primitives.vertices.iter().filter(free);
                own.min_by(|v, w| mass(v).total_cmp(&mass(w))).map(|v| (*v, mass(v)))
            };
            let Some((v, m)) = lightest(one.body).or_else(|| lightest(other.body)) else { continue };
            let (w, n) = lightest(other.body).unwrap_or((v, f64::INFINITY));
            let (weight, mass) = (hertz_weight(&v, &w), 1.0 / (1.0 / m + 1.0 / n));
            // At rest nobody knows how hard they will press: as hard as their cores let them.
            let at_speed =
                fifth_root((1.25 * mass * options.speed * options.speed / (modulus * weight)).powi(2));
            let pressed = if options.speed > 0.0 { at_speed.min(thickness) } else { thickness };
            let stiffness = 1.5 * modulus * weight * pressed.sqrt();
            let step_s = STEP_TIMES_FREQUENCY * (mass / stiffness).sqrt();
            let span = system.line.span(options.step_s.unwrap_or(step_s).max(quantum.seconds()))?;
            let spec = LayerSpec {
                family: LayerFamily::Hertz,
                thickness,
                stiffness: modulus,
                span,
                one_clock: false,
                law: Law::IDEAL,
                friction_window: system.spans().last().map_or(span, |slowest| span.max(*slowest)),
            };
            let number = Some(layers.len() as u32);
            layers.push(spec);
            between[one.body as usize * bodies + other.body as usize] = number;
            between[other.body as usize * bodies + one.body as usize] = number;
        }
    }
    Ok(between)
}

/// The fifth root of a number that is not negative, the same on every machine: Newton's method from a power of two above it.
fn fifth_root(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    // From above every step falls, until rounding ends it.
    let exponent = ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    let mut root = 2f64.powi(exponent.div_euclid(5) + 1);
    loop {
        let next = 0.2 * (4.0 * root + x / (root * root * root * root));
        if next >= root {
            return root;
        }
        root = next;
    }
}

/// The system with this contact.
#[must_use]
pub fn with_contact(system: &System, contact: Contact) -> System {
    System { contact: Some(Arc::new(contact)), ..system.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifth_root_is_right_over_the_whole_range_of_numbers() {
        for exponent in -300..300 {
            let x = 1.7 * 10f64.powi(exponent);
            let root = fifth_root(x);
            assert!((root.powi(5) / x - 1.0).abs() < 4e-15, "{x:e}: {root:e}");
        }
        assert_eq!((fifth_root(0.0), fifth_root(32.0), fifth_root(1.0)), (0.0, 2.0, 1.0));
        assert_eq!(fifth_root(f64::INFINITY), f64::INFINITY);
    }
}
