//! The moving vertices, in the engine's own numbering.

use carom_contact::Motion;
use carom_math::{F64x4, ImpulseAccumulator, Vec3, prefetch, vectorize};
use carom_model::{DofKind, Kicks, Path, State, System};
use carom_time::{Quantum, Tick};

use crate::pins::held_back;
use crate::team::{Divisible, share};

/// No instant is at this tick.
const NEVER: Tick = Tick(u64::MAX);

/// Memory is asked for this many turns of a loop before it is needed.
const AHEAD: usize = 8;

/// The moving vertices in the engine's own numbering: by the shortest step that reaches them.
pub struct Vertices {
    /// The number in the system of each vertex.
    pub names: Vec<u32>,
    pub positions: Vec<Vec3>,
    pub velocities: Vec<Vec3>,
    pub kicked_at: Vec<Tick>,
    pub inverse_masses: Vec<Vec3>,
    is_pinned: Vec<bool>,
    /// Those that are pinned along some axis, ascending.
    pinned: Vec<u32>,
    /// What their numbers are, for the books of those that are held.
    pub meanings: Vec<DofKind>,
    /// Positions at the current instant, for the vertices it reaches.
    pub now: Vec<F64x4>,
    /// Velocities before the current instant, for the vertices it reaches, if something resists motion there; of those on paths always.
    pub before: Vec<Vec3>,
    /// The vertices that turn a corner at the current instant.
    keyframed: Vec<u32>,
    /// The last instant at which a vertex was listed for a contact.
    listed_at: Vec<Tick>,
    pub quantum: Quantum,
    /// If a team leads, from how many vertices on it shares them.
    worth_sharing: Option<usize>,
}

impl Vertices {
    pub fn new(system: &System, state: &State, names: Vec<u32>, worth_sharing: Option<usize>) -> Self {
        let pick = |values: &[Vec3]| names.iter().map(|&v| values[v as usize]).collect::<Vec<_>>();
        let is_pinned: Vec<bool> = names.iter().map(|&v| system.is_pinned(v as usize)).collect();
        Self {
            positions: pick(&state.positions),
            velocities: pick(&state.velocities),
            kicked_at: names.iter().map(|&v| state.kicked_at[v as usize]).collect(),
            inverse_masses: pick(&system.inverse_masses),
            meanings: names.iter().map(|&v| system.dof_kind(v as usize)).collect(),
            pinned: (0..).zip(&is_pinned).filter(|(_, pinned)| **pinned).map(|(i, _)| i).collect(),
            is_pinned,
            now: names.iter().map(|&v| state.positions[v as usize].into()).collect(),
            before: pick(&state.velocities),
            keyframed: Vec::new(),
            listed_at: vec![NEVER; names.len()],
            quantum: state.quantum(),
            worth_sharing,
            names,
        }
    }

    /// Of the vertices listed from `from` on, keeps those outside the prefix, each once.
    pub fn keep_new(&mut self, list: &mut Vec<u32>, from: usize, prefix: usize, tick: Tick) {
        let mut kept = from;
        for i in from..list.len() {
            let v = list[i];
            let listed = &mut self.listed_at[v as usize];
            if v as usize >= prefix && core::mem::replace(listed, tick) != tick {
                list[kept] = v;
                kept += 1;
            }
        }
        list.truncate(kept);
    }

    pub fn motion(&self) -> Motion<'_> {
        let Self { positions, velocities, kicked_at, quantum, .. } = self;
        Motion { positions, velocities, kicked_at, quantum: *quantum }
    }

    /// Where the vertices are at `tick`, without moving them.
    pub fn drift(&mut self, reached: impl Iterator<Item = usize>, tick: Tick) {
        for i in reached {
            let dt = self.quantum.seconds_between(self.kicked_at[i], tick);
            self.now[i] = (self.positions[i] + self.velocities[i] * dt).into();
        }
    }

    /// Where the first `prefix` vertices are at `tick`.
    pub fn drift_prefix(&mut self, prefix: usize, tick: Tick) {
        let drifting = Drifting {
            now: &mut self.now[..prefix],
            positions: &self.positions[..prefix],
            velocities: &self.velocities[..prefix],
            kicked_at: &self.kicked_at[..prefix],
            quantum: self.quantum,
            tick,
            worth_sharing: self.worth_sharing.unwrap_or(usize::MAX),
        };
        if self.worth_sharing.is_some() { share(drifting) } else { drifting.work() }
    }

    /// Turns the vertices of a path at its tick number `key`.
    pub fn gap_minimum(&mut self, path: &Path, key: usize) {
        let tick = path.ticks[key];
        self.drift(path.vertices.iter().map(|&v| v as usize), tick);
        for (i, &v) in path.vertices.iter().enumerate() {
            let place = self.now[v as usize].xyz();
            let velocity = path.velocity(key, i, place, self.quantum);
            self.positions[v as usize] = place;
            self.before[v as usize] = core::mem::replace(&mut self.velocities[v as usize], velocity);
            self.kicked_at[v as usize] = tick;
            self.keyframed.push(v);
        }
    }

    /// The velocity before the instant of a vertex that nothing moves; of others, that of now.
    fn before_if_held(&self, i: usize) -> Vec3 {
        if self.inverse_masses[i].is_zero() { self.before[i] } else { self.velocities[i] }
    }

    /// After an instant: those that turned a corner have the velocity they left it with.
    pub fn keep_keyframed(&mut self) {
        for v in self.keyframed.drain(..) {
            self.before[v as usize] = self.velocities[v as usize];
        }
    }

    pub fn keep_velocities(&mut self, reached: impl Iterator<Item = usize>) {
        for i in reached.filter(|i| !self.inverse_masses[*i].is_zero()) {
            self.before[i] = self.velocities[i];
        }
    }

    /// Kicks those of the first `prefix` vertices and of the `others` that were touched, and clears the sums; the first vertex that is
    /// not finite is an error.
    pub fn kick(
        &mut self,
        prefix: usize,
        others: &[u32],
        tick: Tick,
        kicks: &mut Kicks,
    ) -> Result<(), usize> {
        let mut finite = true;
        if kicks.is_driven() {
            (0..prefix).for_each(|i| finite &= self.kick_one(i, tick, kicks));
        } else {
            for i in 0..self.pinned.partition_point(|&v| (v as usize) < prefix) {
                finite &= self.kick_one(self.pinned[i] as usize, tick, kicks);
            }
            finite &= self.kick_rest(prefix, tick, kicks);
        }
        for (i, &v) in others.iter().enumerate() {
            if let Some(&v) = others.get(i + AHEAD) {
                self.prefetch(v, kicks);
            }
            finite &= self.kick_one(v as usize, tick, kicks);
        }
        if finite { Ok(()) } else { Err(self.first_not_finite()) }
    }

    /// Kicks those of the first `prefix` vertices that have not been kicked yet: nothing pins them, so they keep no books.
    fn kick_rest(&mut self, prefix: usize, tick: Tick, kicks: &mut Kicks) -> bool {
        let kicking = Kicking {
            accumulators: &mut kicks.accumulators_mut()[..prefix],
            positions: &mut self.positions[..prefix],
            velocities: &mut self.velocities[..prefix],
            kicked_at: &mut self.kicked_at[..prefix],
            now: &self.now[..prefix],
            inverse_masses: &self.inverse_masses[..prefix],
            tick,
            worth_sharing: self.worth_sharing.unwrap_or(usize::MAX),
        };
        if self.worth_sharing.is_some() { share(kicking) } else { kicking.work() }
    }

    /// Asks for what the kick of a vertex will need.
    fn prefetch(&self, v: u32, kicks: &Kicks) {
        kicks.prefetch(v);
        prefetch(&self.now, v as usize);
        prefetch(&self.velocities, v as usize);
        prefetch(&self.positions, v as usize);
        prefetch(&self.inverse_masses, v as usize);
    }

    /// Kicks a vertex, if it was touched, with all books; returns whether it is finite.
    fn kick_one(&mut self, i: usize, tick: Tick, kicks: &mut Kicks) -> bool {
        let Some(sum) = kicks.take(i) else { return true };
        self.positions[i] = self.now[i].xyz();
        let before = self.velocities[i];
        self.velocities[i] += sum.scaled_by(self.inverse_masses[i]);
        kicks.book_driven(i, before, self.velocities[i]);
        self.kicked_at[i] = tick;
        if self.is_pinned[i] {
            let j = held_back(sum, self.inverse_masses[i]);
            // A corner lies between two velocities.
            let u = (self.before_if_held(i) + self.velocities[i]) * 0.5;
            kicks.external.hold(self.meanings[i], self.now[i].xyz(), u, j);
        }
        self.velocities[i].is_finite()
    }

    #[cold]
    fn first_not_finite(&self) -> usize {
        let broken = (0..self.names.len()).filter(|&i| !self.velocities[i].is_finite());
        broken.map(|i| self.names[i] as usize).min().expect("some vertex is not finite")
    }
}

/// Vertices on their way to the current instant.
struct Drifting<'a> {
    now: &'a mut [F64x4],
    positions: &'a [Vec3],
    velocities: &'a [Vec3],
    kicked_at: &'a [Tick],
    quantum: Quantum,
    tick: Tick,
    worth_sharing: usize,
}

impl Divisible for Drifting<'_> {
    type Outcome = ();

    fn divide(self) -> Result<(Self, Self), Self> {
        let middle = self.now.len() / 2;
        if middle < self.worth_sharing / 2 {
            return Err(self);
        }
        let (now, positions) = (self.now.split_at_mut(middle), self.positions.split_at(middle));
        let (velocities, kicked_at) = (self.velocities.split_at(middle), self.kicked_at.split_at(middle));
        let Self { quantum, tick, worth_sharing, .. } = self;
        Ok((
            Self {
                now: now.0,
                positions: positions.0,
                velocities: velocities.0,
                kicked_at: kicked_at.0,
                quantum,
                tick,
                worth_sharing,
            },
            Self {
                now: now.1,
                positions: positions.1,
                velocities: velocities.1,
                kicked_at: kicked_at.1,
                quantum,
                tick,
                worth_sharing,
            },
        ))
    }

    fn work(self) {
        let from = self.positions.iter().zip(self.velocities).zip(self.kicked_at);
        for (now, ((x, v), kicked_at)) in self.now.iter_mut().zip(from) {
            *now = (*x + *v * self.quantum.seconds_between(*kicked_at, self.tick)).into();
        }
    }

    fn join((): (), (): ()) {}
}

/// Vertices that are kicked. Says whether all are finite.
struct Kicking<'a> {
    accumulators: &'a mut [ImpulseAccumulator],
    positions: &'a mut [Vec3],
    velocities: &'a mut [Vec3],
    kicked_at: &'a mut [Tick],
    now: &'a [F64x4],
    inverse_masses: &'a [Vec3],
    tick: Tick,
    worth_sharing: usize,
}

impl Divisible for Kicking<'_> {
    type Outcome = bool;

    fn divide(self) -> Result<(Self, Self), Self> {
        let middle = self.accumulators.len() / 2;
        if middle < self.worth_sharing / 2 {
            return Err(self);
        }
        let (accumulators, positions) =
            (self.accumulators.split_at_mut(middle), self.positions.split_at_mut(middle));
        let (velocities, kicked_at) =
            (self.velocities.split_at_mut(middle), self.kicked_at.split_at_mut(middle));
        let (now, inverse_masses) = (self.now.split_at(middle), self.inverse_masses.split_at(middle));
        let Self { tick, worth_sharing, .. } = self;
        Ok((
            Self {
                accumulators: accumulators.0,
                positions: positions.0,
                velocities: velocities.0,
                kicked_at: kicked_at.0,
                now: now.0,
                inverse_masses: inverse_masses.0,
                tick,
                worth_sharing,
            },
            Self {
                accumulators: accumulators.1,
                positions: positions.1,
                velocities: velocities.1,
                kicked_at: kicked_at.1,
                now: now.1,
                inverse_masses: inverse_masses.1,
                tick,
                worth_sharing,
            },
        ))
    }

    fn work(self) -> bool {
        vectorize::run(
            #[inline(always)]
            || {
                let Self {
                    accumulators, positions, velocities, kicked_at, now, inverse_masses, tick, ..
                } = self;
                let n = accumulators.len();
                let (positions, velocities, kicked_at) =
                    (&mut positions[..n], &mut velocities[..n], &mut kicked_at[..n]);
                let (now, inverse_masses) = (&now[..n], &inverse_masses[..n]);
                // A finite number times zero is zero.
                let mut nothing = Vec3::ZERO;
                for i in 0..n {
                    let Some(sum) = accumulators[i].take() else { continue };
                    let velocity = velocities[i] + sum.scaled_by(inverse_masses[i]);
                    positions[i] = now[i].xyz();
                    velocities[i] = velocity;
                    kicked_at[i] = tick;
                    nothing += velocity * 0.0;
                }
                nothing.is_zero()
            },
        )
    }

    fn join(first: bool, second: bool) -> bool {
        first & second
    }
}
