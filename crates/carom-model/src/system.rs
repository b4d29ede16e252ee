//! The immutable half of a simulation: masses, potentials and their clocks.

use std::sync::Arc;

use carom_math::Vec3;
use carom_time::{Clocks, Quantum, Span, TimeLine};

use crate::{AuxiliaryDof, Contact, DofKind, Family, Law, Path, StepOrigin};

/// How the first kick is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// Half a kick of every potential at tick 0: second order, Störmer–Verlet when all clocks agree.
    #[default]
    HalfKick,
    /// No kick before the first multiple of each step: the paper's action to the letter.
    Paper,
}

/// A named range of vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The name in the scene.
    pub name: String,
    /// Its vertices.
    pub vertices: core::ops::Range<u32>,
}

/// The identity of a potential: the order in which impulses of one instant are summed.
///
/// Families are ordered by the number of their kind ([`FamilyProperties::order`](crate::FamilyProperties::order)); within a family the place counts first the
/// step, from short to long, then the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PotentialId {
    /// Index of the family.
    pub family: u32,
    /// Index into the family's [`Schedule::order`].
    pub place: u32,
}

/// Potentials of one family that share a clock: a range of places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rung {
    /// The step.
    pub span: Span,
    /// Places in [`Schedule::order`].
    pub places: core::ops::Range<usize>,
}

/// The clocks of one family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The step of each element.
    pub spans: Vec<Span>,
    /// The elements by place: sorted by step, then by element.
    pub order: Vec<u32>,
    /// The rungs, from the shortest step to the longest.
    pub rungs: Vec<Rung>,
    /// Whether the user gave the step of each element: nothing may change it.
    pub is_given: Vec<bool>,
    /// What the step of each element is as short as: no step depends on it.
    pub origins: Vec<StepOrigin>,
}

impl Schedule {
    /// The schedule for elements with these steps, all of them chosen.
    #[must_use]
    pub fn new(spans: Vec<Span>) -> Self {
        let (is_given, origins) = (vec![false; spans.len()], vec![StepOrigin::OwnLimit; spans.len()]);
        Self::with_origins(spans, is_given, origins)
    }

    /// The schedule for elements with these steps, some of them given by the user.
    #[must_use]
    pub fn with_origins(spans: Vec<Span>, is_given: Vec<bool>, origins: Vec<StepOrigin>) -> Self {
        let mut order: Vec<u32> = (0..spans.len() as u32).collect();
        order.sort_by_key(|&e| (spans[e as usize], e));
        let mut rungs: Vec<Rung> = Vec::new();
        for (place, &element) in order.iter().enumerate() {
            let span = spans[element as usize];
            match rungs.last_mut() {
                Some(rung) if rung.span == span => rung.places.end = place + 1,
                _ => rungs.push(Rung { span, places: place..place + 1 }),
            }
        }
        Self { spans, order, rungs, is_given, origins }
    }
}

/// Vertices with masses, potentials with clocks. Immutable: a run only reads it.
#[derive(Clone)]
pub struct System {
    /// Mass of each vertex, in kg.
    pub masses: Vec<f64>,
    /// Inverse mass along each axis, in 1/kg: zero where a pin or an obstacle keeps the vertex on its way.
    pub inverse_masses: Vec<Vec3>,
    /// The potentials, by kind, in the order of [`FamilyProperties::order`](crate::FamilyProperties::order).
    pub families: Vec<Arc<dyn Family>>,
    /// The clocks of each family.
    pub schedules: Vec<Schedule>,
    /// What may touch, and how it pushes; `None` if things pass through each other.
    pub contact: Option<Arc<Contact>>,
    /// Length of a tick and rounding of steps.
    pub line: TimeLine,
    /// How the first kick is made.
    pub start: Start,
    /// Prescribed motions.
    pub paths: Vec<Path>,
    /// Whether the damping of elements counts; without it only potentials act.
    pub is_damped: bool,
    /// The bodies, in the order of the scene; their vertex ranges follow each other.
    pub bodies: Vec<Body>,
    /// The last vertices, which are no places.
    pub auxiliary_dofs: Vec<AuxiliaryDof>,
}

impl System {
    /// The name of contact among the [kinds](Self::kinds) of potential.
    pub const CONTACT: &'static str = "contact";

    /// The step of every potential, in the order of ids.
    pub fn spans_of_all(&self) -> impl Iterator<Item = Span> + '_ {
        self.schedules.iter().flat_map(|schedule| &schedule.spans).copied()
    }

    /// How many vertices there are, auxiliary degrees of freedom included.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.masses.len()
    }

    /// How many vertices are places: those before the auxiliary degrees of freedom.
    #[must_use]
    pub fn places(&self) -> usize {
        self.masses.len() - self.auxiliary_dofs.len()
    }

    /// What the numbers of vertex `v` are.
    #[must_use]
    pub fn dof_kind(&self, v: usize) -> DofKind {
        v.checked_sub(self.places())
            .map_or(DofKind::Position, |auxiliary| self.auxiliary_dofs[auxiliary].dof_kind)
    }

    /// Whether some potential remembers: then the past is part of the state, and no potential of positions alone gives the motion.
    #[must_use]
    pub fn remembers(&self) -> bool {
        self.auxiliary_dofs.iter().any(|auxiliary| auxiliary.dof_kind == DofKind::Memory)
    }

    /// The names of all kinds of potential: the families, then contact.
    #[must_use]
    pub fn kinds(&self) -> Vec<&'static str> {
        let families = self.families.iter().map(|f| f.kind());
        families.chain(self.contact.as_ref().map(|_| Self::CONTACT)).collect()
    }

    /// The distinct steps of all families, from short to long.
    #[must_use]
    pub fn spans(&self) -> Vec<Span> {
        let mut spans: Vec<Span> =
            self.schedules.iter().flat_map(|s| s.rungs.iter().map(|r| r.span)).collect();
        spans.sort_unstable();
        spans.dedup();
        spans
    }

    /// A copy of the system with all potentials on one clock: the classical variational integrator.
    #[must_use]
    pub fn on_one_clock(&self, span: Span) -> Self {
        self.with_spans(|_, _, _| span)
    }

    /// A copy of the system with other clocks: `choose` gets the family, the element and its step now.
    #[must_use]
    pub fn with_spans(&self, mut choose: impl FnMut(usize, usize, Span) -> Span) -> Self {
        let mut of_family = |(f, schedule): (usize, &Schedule)| {
            let spans = schedule.spans.iter().enumerate().map(|(e, &span)| choose(f, e, span)).collect();
            Schedule::with_origins(spans, schedule.is_given.clone(), schedule.origins.clone())
        };
        let schedules: Vec<Schedule> = self.schedules.iter().enumerate().map(&mut of_family).collect();
        let dyadic = schedules.iter().flat_map(|s| &s.rungs).all(|r| r.span.quanta().is_power_of_two());
        let clocks = if dyadic { Clocks::Dyadic } else { Clocks::Exact };
        Self { schedules, line: TimeLine { clocks, ..self.line }, ..self.clone() }
    }

    /// The system, in which every step that is not as in `before` has the origin that `origin` gives for its family and element.
    #[must_use]
    pub fn with_origins_of_changes(
        mut self,
        before: &Self,
        origin: impl Fn(usize, usize) -> StepOrigin,
    ) -> Self {
        for (f, (schedule, before)) in self.schedules.iter_mut().zip(&before.schedules).enumerate() {
            for (e, own) in schedule.origins.iter_mut().enumerate() {
                if schedule.spans[e] != before.spans[e] {
                    *own = origin(f, e);
                }
            }
        }
        self
    }

    /// A copy of the system with every step divided by `divisor`: the same spans of a shorter quantum,
    /// so that the clocks keep their pattern exactly.
    ///
    /// # Panics
    /// If `divisor` is zero.
    #[must_use]
    pub fn with_steps_divided_by(&self, divisor: u32) -> Self {
        let quantum = Quantum::new(self.line.quantum.seconds() / f64::from(divisor));
        Self { line: TimeLine { quantum, ..self.line }, ..self.clone() }
    }

    /// The vertices that are spins of a body's vertices, in the order of these.
    pub fn spins_of(&self, body: u32) -> impl Iterator<Item = u32> {
        let first = self.places() as u32;
        let spins = (first..).zip(&self.auxiliary_dofs);
        spins
            .filter(move |(_, auxiliary)| auxiliary.body == body && auxiliary.dof_kind == DofKind::Spin)
            .map(|(v, _)| v)
    }

    /// Whether there is more than potentials: damping, friction, impacts that are not elastic, prescribed motion.
    #[must_use]
    pub fn has_more_than_potentials(&self) -> bool {
        let layers = self.contact.iter().flat_map(|contact| &contact.layers);
        self.is_damped || !self.paths.is_empty() || layers.into_iter().any(|spec| !spec.law.is_ideal())
    }

    /// A copy of the system with its potentials alone: what was told where to go keeps its velocity.
    #[must_use]
    pub fn of_potentials(&self) -> Self {
        let ideal = |contact: &Arc<Contact>| Arc::new((**contact).clone().with_laws(|_, _| Law::IDEAL));
        Self {
            is_damped: false,
            paths: Vec::new(),
            contact: self.contact.as_ref().map(ideal),
            ..self.clone()
        }
    }

    /// The body that owns vertex `v`, and the vertex's number there; auxiliary degrees of freedom are numbered after all vertices of their body.
    #[must_use]
    pub fn locate(&self, v: usize) -> (&Body, u32) {
        if let Some(auxiliary) = v.checked_sub(self.places()) {
            let body = self.auxiliary_dofs[auxiliary].body;
            let before = self.auxiliary_dofs[..auxiliary].iter().filter(|g| g.body == body).count() as u32;
            let body = &self.bodies[body as usize];
            return (body, body.vertices.len() as u32 + before);
        }
        let body = self.bodies.iter().find(|b| b.vertices.contains(&(v as u32)));
        let body = body.expect("the bodies' ranges cover all vertices");
        (body, v as u32 - body.vertices.start)
    }

    /// Whether nothing can change the velocity of vertex `v`: a pin holds it along all axes, or it belongs to an
    /// obstacle. Its mass is as good as infinite: energy and momentum do not count it.
    #[must_use]
    pub fn is_held(&self, v: usize) -> bool {
        self.inverse_masses[v].is_zero()
    }

    /// Whether the velocity of vertex `v` cannot change along some axis.
    #[must_use]
    pub fn is_pinned(&self, v: usize) -> bool {
        let w = self.inverse_masses[v];
        w.x == 0.0 || w.y == 0.0 || w.z == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_the_step_first_and_then_the_element() {
        let span = |q| Span::new(q).unwrap();
        let schedule = Schedule::new(vec![span(4), span(1), span(4), span(2), span(1)]);
        assert_eq!(schedule.order, [1, 4, 3, 0, 2]);
        let places: Vec<_> = schedule.rungs.iter().map(|r| (r.span.quanta(), r.places.clone())).collect();
        assert_eq!(places, [(1, 0..2), (2, 2..3), (4, 3..5)]);
    }

    #[test]
    fn shorter_steps_keep_their_pattern_and_other_spans_their_place() {
        let span = |q| Span::new(q).unwrap();
        let line = TimeLine { quantum: Quantum::new(1.0), clocks: Clocks::Exact, gives_way: None };
        let system = System {
            masses: vec![],
            inverse_masses: vec![],
            families: vec![],
            schedules: vec![Schedule::new(vec![span(3), span(8), span(4)])],
            contact: None,
            line,
            start: Start::HalfKick,
            paths: vec![],
            is_damped: false,
            bodies: vec![],
            auxiliary_dofs: vec![],
        };
        let finer = system.with_steps_divided_by(4);
        assert_eq!(finer.schedules, system.schedules);
        assert_eq!(finer.line.quantum.step(span(8)), 2.0);
        let dyadic = system.with_spans(|_, _, s| s.rounded_down_to_power_of_two());
        assert_eq!(dyadic.schedules[0].spans, [span(2), span(8), span(4)]);
        assert_eq!(dyadic.line.clocks, Clocks::Dyadic);
        assert_eq!(system.on_one_clock(span(3)).line.clocks, Clocks::Exact);
    }
}
