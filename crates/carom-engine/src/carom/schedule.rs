//! When elements fire, and which vertices that concerns.

use carom_model::{Start, System};
use carom_time::{Instants, Span, Tick};

use super::clock_vertices::ClockVertices;
use super::instant_vertices::InstantVertices;
use super::vertices::Vertices;
use crate::Checkpoint;

/// The clocks of the elements of a system, and how far they have run.
pub struct EngineSchedule {
    pub instants: Instants,
    clock_vertices: ClockVertices,
    /// Whether all spans are powers of two, so that the vertices of an instant are the first of the engine's numbering.
    is_dyadic: bool,
    /// Every instant up to this tick has happened.
    pub advanced_to: Tick,
    /// How it is about to start; `None` once it has.
    pub due_start: Option<Start>,
    /// Whether the run goes on from a checkpoint, and has not moved since.
    pub resumes: bool,
    /// How many instants have happened.
    pub instants_done: u64,
}

/// One instant: its tick, the clocks that fire there, ascending, and the fraction of their steps for which they act.
#[derive(Clone, Copy)]
pub struct Firing<'a> {
    pub tick: Tick,
    pub clocks: &'a [usize],
    pub fraction: f64,
}

impl EngineSchedule {
    /// The clocks `spans` of a system at a checkpoint.
    pub fn new(system: &System, spans: &[Span], renumbered: &[u32], from: &Checkpoint) -> Self {
        Self {
            instants: Instants::new(spans, from.tick),
            clock_vertices: ClockVertices::new(system, spans, renumbered),
            is_dyadic: spans.iter().all(|span| span.quanta().is_power_of_two()),
            advanced_to: from.tick,
            due_start: from.due_start,
            resumes: from.due_start.is_none(),
            instants_done: from.effort.instants,
        }
    }

    /// How many clocks there are.
    pub fn clocks(&self) -> usize {
        self.clock_vertices.members.len()
    }

    /// Begins an instant: computes the positions of the vertices that its clocks reach, and visits them.
    pub fn drift(&mut self, firing: Firing<'_>, vertices: &mut Vertices, visited: &mut InstantVertices) {
        self.instants_done += 1;
        self.advanced_to = firing.tick;
        visited.leading = 0;
        visited.listed.clear();
        match firing.clocks.last() {
            Some(&slowest) if self.is_dyadic => {
                visited.leading = self.clock_vertices.leading[slowest];
                vertices.drift_leading(visited.leading, firing.tick);
            }
            Some(_) => {
                self.clock_vertices.gather(firing.clocks, &mut visited.listed);
                vertices.drift(visited.iter(), firing.tick);
            }
            None => {}
        }
    }
}

/// The next instant up to `end` and the clocks that fire there: none if only something else is due, at `other_tick`.
pub fn next_instant(
    instants: &mut Instants,
    other_tick: Option<Tick>,
    end: Tick,
) -> Option<(Tick, &[usize])> {
    let other_tick = other_tick.filter(|tick| *tick <= end);
    match (other_tick, instants.peek()) {
        (Some(tick), Some(next)) if tick < next => Some((tick, &[])),
        (Some(tick), None) => Some((tick, &[])),
        _ => instants.next_until(end),
    }
}
