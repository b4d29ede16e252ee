//! The contract, read aloud.
//!
//! A heap of (tick, potential). At each tick: pop every event, evaluate them one by one in the
//! order of ids on the positions of that tick, sum the impulses of each vertex in that order
//! starting from +0.0, then kick each vertex once [Vouga2010, eq. gAVIDEL]. A vertex on which no
//! potential had a non-zero component is not touched.
//!
//! Slow on purpose: every other method must give these bits.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use carom_math::Vec3;
use carom_model::{Books, Fault, PotentialId, Start, State, System};
use carom_time::Tick;

use crate::{Method, Progress, Witness, diagnosis};

/// The oracle.
pub struct Reference {
    system: Arc<System>,
    state: State,
    queue: BinaryHeap<Reverse<(Tick, PotentialId)>>,
    start_is_due: bool,
    books: Books,
    evaluations: Vec<u64>,
    instants: u64,
}

impl Reference {
    /// Starts at tick 0.
    #[must_use]
    pub fn new(system: &Arc<System>, state: State) -> Self {
        let mut queue = BinaryHeap::new();
        for (family, schedule) in system.schedules.iter().enumerate() {
            for (place, &element) in schedule.order.iter().enumerate() {
                let id = PotentialId { family: family as u32, place: place as u32 };
                queue.push(Reverse((Tick::START.after(schedule.spans[element as usize]), id)));
            }
        }
        Self {
            state,
            queue,
            start_is_due: system.start == Start::HalfKick,
            books: Books::default(),
            evaluations: vec![0; system.families.len()],
            instants: 0,
            system: Arc::clone(system),
        }
    }

    /// One instant by the letter: the state after everything due at `tick`, which is not the first, has fired on `state`.
    pub fn instant(system: &Arc<System>, state: State, tick: Tick) -> Result<State, Fault> {
        let mut reference = Self::new(system, state);
        let is_due = |id: &PotentialId| {
            let schedule = &system.schedules[id.family as usize];
            tick.is_multiple_of(schedule.spans[schedule.order[id.place as usize] as usize])
        };
        let mut due: Vec<PotentialId> =
            reference.queue.drain().map(|Reverse((_, id))| id).filter(is_due).collect();
        due.sort_unstable();
        reference.fire(tick, &due, 1.0)?;
        Ok(reference.state)
    }

    /// The potentials due at the next tick, in the order of ids, unless that tick is after `end`.
    fn pop_until(&mut self, end: Tick) -> Option<(Tick, Vec<PotentialId>)> {
        let Reverse((tick, _)) = *self.queue.peek()?;
        if tick > end {
            return None;
        }
        let mut due = Vec::new();
        while let Some(&Reverse((t, id))) = self.queue.peek()
            && t == tick
        {
            self.queue.pop();
            let schedule = &self.system.schedules[id.family as usize];
            let span = schedule.spans[schedule.order[id.place as usize] as usize];
            self.queue.push(Reverse((tick.after(span), id)));
            due.push(id);
        }
        Some((tick, due))
    }

    /// One instant: all of `due` fire with `fraction` of their steps.
    fn fire(&mut self, tick: Tick, due: &[PotentialId], fraction: f64) -> Result<(), Fault> {
        let mut sums: BTreeMap<u32, Vec3> = BTreeMap::new();
        for id in due {
            let family = &self.system.families[id.family as usize];
            let schedule = &self.system.schedules[id.family as usize];
            let element = schedule.order[id.place as usize] as usize;
            let h = fraction * self.state.quantum().step(schedule.spans[element]);

            let stencil = family.stencil(element);
            let x: Vec<Vec3> = stencil.iter().map(|&v| self.state.position_at(v as usize, tick)).collect();
            let mut gradient = vec![Vec3::ZERO; stencil.len()];
            family.gradient(element, &x, &mut gradient);
            self.evaluations[id.family as usize] += 1;

            for ((&v, x), g) in stencil.iter().zip(x).zip(gradient) {
                let impulse = g * -h;
                if !impulse.is_zero() {
                    *sums.entry(v).or_insert(Vec3::ZERO) += impulse;
                }
                if !family.is_internal() {
                    self.books.fields.add(x, impulse);
                }
            }
        }
        self.instants += 1;
        self.kick(tick, &sums)
    }

    /// Tells a witness of the kicks of this instant.
    fn tell(&self, tick: Tick, witness: &mut dyn Witness) {
        let State { positions, velocities, kicked_at, .. } = &self.state;
        for v in (0..kicked_at.len()).filter(|&v| kicked_at[v] == tick) {
            witness.kicked(v as u32, tick, positions[v], velocities[v]);
        }
    }

    fn kick(&mut self, tick: Tick, sums: &BTreeMap<u32, Vec3>) -> Result<(), Fault> {
        let mut broken = None;
        for (&vertex, &sum) in sums {
            let v = vertex as usize;
            let inverse_mass = self.system.inverse_masses[v];
            self.state.kick(v, tick, sum.scaled_by(inverse_mass));
            if self.system.is_pinned(v) {
                self.books.pins.add(self.state.positions[v], held_back(sum, inverse_mass));
            }
            if !self.state.velocities[v].is_finite() && broken.is_none() {
                broken = Some(v);
            }
        }
        broken.map_or(Ok(()), |v| Err(diagnosis::of_vertex(&self.system, &self.state, v, tick)))
    }
}

/// The impulse with which a pin answers `sum`: its opposite along the axes without inverse mass.
pub(crate) fn held_back(sum: Vec3, inverse_mass: Vec3) -> Vec3 {
    let held = |w: f64, j: f64| if w == 0.0 { -j } else { 0.0 };
    Vec3::new(held(inverse_mass.x, sum.x), held(inverse_mass.y, sum.y), held(inverse_mass.z, sum.z))
}

impl Method for Reference {
    fn advance(
        &mut self,
        end: Tick,
        stop: &AtomicBool,
        mut witness: Option<&mut dyn Witness>,
    ) -> Result<Progress, Fault> {
        if core::mem::take(&mut self.start_is_due) {
            let mut all: Vec<PotentialId> = self.queue.iter().map(|Reverse((_, id))| *id).collect();
            all.sort_unstable();
            self.fire(Tick::START, &all, 0.5)?;
            if let Some(witness) = &mut witness {
                self.tell(Tick::START, &mut **witness);
            }
        }
        while let Some((tick, due)) = self.pop_until(end) {
            self.fire(tick, &due, 1.0)?;
            if let Some(witness) = &mut witness {
                self.tell(tick, &mut **witness);
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(Progress::Stopped(tick));
            }
        }
        Ok(Progress::Reached)
    }

    fn state(&self) -> State {
        self.state.clone()
    }

    fn books(&self) -> Books {
        self.books
    }

    fn evaluations(&self) -> &[u64] {
        &self.evaluations
    }

    fn instants(&self) -> u64 {
        self.instants
    }
}
