//! The moving vertices, in the engine's own numbering.

use carom_contact::Motion;
use carom_math::{F64x4, ImpulseAccumulator, Vec3, prefetch, vectorize};
use carom_model::{DofKind, ImpulseSums, Path, State, System};
use carom_time::{Quantum, Tick};

use super::instant_vertices::InstantVertices;
use crate::pins::held_back;
use crate::team::{Divisible, share};

/// No instant is at this tick.
const NEVER: Tick = Tick(u64::MAX);

/// Memory is asked for this many rounds of a loop before it is needed.
const AHEAD: usize = 8;

/// The moving vertices in the engine's own numbering: by the shortest step of the potentials that read them.
pub struct Vertices {
    /// The number in the system of each vertex.
    pub names: Vec<u32>,
    pub positions: Vec<Vec3>,
    pub velocities: Vec<Vec3>,
    pub kicked_at: Vec<Tick>,
    pub inverse_masses: Vec<Vec3>,
    is_pinned: Vec<bool>,
    /// Those pinned along some axis, ascending.
    pinned: Vec<u32>,
    /// What the numbers of each vertex are, for the external ledger.
    pub dof_kinds: Vec<DofKind>,
    /// Positions at the current instant, for the vertices it visits.
    pub now: Vec<F64x4>,
    /// Velocities before the current instant, for the vertices it visits, if something resists motion there; of those on paths always.
    pub before: Vec<Vec3>,
    /// The vertices of paths that have a corner at the current instant.
    keyframed: Vec<u32>,
    /// The last instant at which each vertex was listed for a pair or a path.
    listed_at: Vec<Tick>,
    pub quantum: Quantum,
    /// With several threads, from how many vertices on they share them.
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
            dof_kinds: names.iter().map(|&v| system.dof_kind(v as usize)).collect(),
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

    /// Of the vertices listed from `from` on, keeps those that are not among the leading ones, each once.
    pub fn keep_unvisited(&mut self, visited: &mut InstantVertices, from: usize, tick: Tick) {
        let InstantVertices { leading, listed: list } = visited;
        let mut kept = from;
        for i in from..list.len() {
            let v = list[i];
            let listed = &mut self.listed_at[v as usize];
            if v as usize >= *leading && core::mem::replace(listed, tick) != tick {
                list[kept] = v;
                kept += 1;
            }
        }
        list.truncate(kept);
    }

    /// The vertices as contact reads them.
    pub fn motion(&self) -> Motion<'_> {
        let Self { positions, velocities, kicked_at, quantum, .. } = self;
        Motion { positions, velocities, kicked_at, quantum: *quantum }
    }

    /// The state of the vertices in the numbering of the system.
    pub fn state(&self) -> State {
        let zero = vec![Vec3::ZERO; self.names.len()];
        let mut state = State::new(zero.clone(), zero, self.quantum);
        for (i, &v) in self.names.iter().enumerate() {
            state.positions[v as usize] = self.positions[i];
            state.velocities[v as usize] = self.velocities[i];
            state.kicked_at[v as usize] = self.kicked_at[i];
        }
        state
    }

    /// Computes where these vertices are at `tick`, without re-basing them.
    pub fn drift(&mut self, vertices: impl Iterator<Item = usize>, tick: Tick) {
        for i in vertices {
            let dt = self.quantum.seconds_between(self.kicked_at[i], tick);
            self.now[i] = (self.positions[i] + self.velocities[i] * dt).into();
        }
    }

    /// Computes where the first `count` vertices are at `tick`.
    pub fn drift_leading(&mut self, count: usize, tick: Tick) {
        let drifts = Drifts {
            now: &mut self.now[..count],
            positions: &self.positions[..count],
            velocities: &self.velocities[..count],
            kicked_at: &self.kicked_at[..count],
            quantum: self.quantum,
            tick,
            worth_sharing: self.worth_sharing.unwrap_or(usize::MAX),
        };
        if self.worth_sharing.is_some() { share(drifts) } else { drifts.work() }
    }

    /// Gives the vertices of a path the velocities with which they leave its corner number `key`.
    pub fn apply_keyframe(&mut self, path: &Path, key: usize) {
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

    /// The velocity before the instant, if the vertex is held; otherwise its velocity now.
    fn before_if_held(&self, i: usize) -> Vec3 {
        if self.inverse_masses[i].is_zero() { self.before[i] } else { self.velocities[i] }
    }

    /// Ends an instant: the vertices of paths with a corner there have the velocity they left it with.
    pub fn end_keyframes(&mut self) {
        for v in self.keyframed.drain(..) {
            self.before[v as usize] = self.velocities[v as usize];
        }
    }

    /// Keeps the velocities before the instant of these vertices, held ones left out.
    pub fn keep_velocities(&mut self, vertices: impl Iterator<Item = usize>) {
        for i in vertices.filter(|i| !self.inverse_masses[*i].is_zero()) {
            self.before[i] = self.velocities[i];
        }
    }

    /// Kicks those of the visited vertices that were touched, and clears their sums; the first vertex that is not finite is an error.
    pub fn kick(
        &mut self,
        visited: &InstantVertices,
        tick: Tick,
        sums: &mut ImpulseSums,
    ) -> Result<(), usize> {
        let InstantVertices { leading, listed } = visited;
        let mut finite = true;
        if sums.is_driven() {
            (0..*leading).for_each(|i| finite &= self.kick_one(i, tick, sums));
        } else {
            for i in 0..self.pinned.partition_point(|&v| (v as usize) < *leading) {
                finite &= self.kick_one(self.pinned[i] as usize, tick, sums);
            }
            finite &= self.kick_free(*leading, tick, sums);
        }
        for (i, &v) in listed.iter().enumerate() {
            if let Some(&v) = listed.get(i + AHEAD) {
                self.prefetch(v, sums);
            }
            finite &= self.kick_one(v as usize, tick, sums);
        }
        if finite { Ok(()) } else { Err(self.first_not_finite()) }
    }

    /// Kicks those of the first `count` vertices that have not been kicked yet: nothing pins or drives them, so nothing goes on the ledger.
    fn kick_free(&mut self, count: usize, tick: Tick, sums: &mut ImpulseSums) -> bool {
        let kicks = FreeKicks {
            accumulators: &mut sums.accumulators_mut()[..count],
            positions: &mut self.positions[..count],
            velocities: &mut self.velocities[..count],
            kicked_at: &mut self.kicked_at[..count],
            now: &self.now[..count],
            inverse_masses: &self.inverse_masses[..count],
            tick,
            worth_sharing: self.worth_sharing.unwrap_or(usize::MAX),
        };
        if self.worth_sharing.is_some() { share(kicks) } else { kicks.work() }
    }

    /// Asks memory for what the kick of a vertex will need.
    fn prefetch(&self, v: u32, sums: &ImpulseSums) {
        sums.prefetch(v);
        prefetch(&self.now, v as usize);
        prefetch(&self.velocities, v as usize);
        prefetch(&self.positions, v as usize);
        prefetch(&self.inverse_masses, v as usize);
    }

    /// Kicks a vertex, if it was touched, and books what holds or drives it; returns whether its velocity is finite.
    fn kick_one(&mut self, i: usize, tick: Tick, sums: &mut ImpulseSums) -> bool {
        let Some(sum) = sums.take(i) else { return true };
        self.positions[i] = self.now[i].xyz();
        let before = self.velocities[i];
        self.velocities[i] += sum.scaled_by(self.inverse_masses[i]);
        sums.book_driven(i, before, self.velocities[i]);
        self.kicked_at[i] = tick;
        if self.is_pinned[i] {
            let j = held_back(sum, self.inverse_masses[i]);
            // A corner lies between two velocities.
            let u = (self.before_if_held(i) + self.velocities[i]) * 0.5;
            sums.external.hold(self.dof_kinds[i], self.now[i].xyz(), u, j);
        }
        self.velocities[i].is_finite()
    }

    /// The smallest number in the system of a vertex whose velocity is not finite.
    #[cold]
    fn first_not_finite(&self) -> usize {
        let broken = (0..self.names.len()).filter(|&i| !self.velocities[i].is_finite());
        broken.map(|i| self.names[i] as usize).min().expect("some vertex is not finite")
    }
}

/// Positions at the current instant, to be computed.
struct Drifts<'a> {
    now: &'a mut [F64x4],
    positions: &'a [Vec3],
    velocities: &'a [Vec3],
    kicked_at: &'a [Tick],
    quantum: Quantum,
    tick: Tick,
    worth_sharing: usize,
}

impl Divisible for Drifts<'_> {
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

/// Kicks of vertices that nothing pins or drives. Their outcome says whether all velocities are finite.
struct FreeKicks<'a> {
    accumulators: &'a mut [ImpulseAccumulator],
    positions: &'a mut [Vec3],
    velocities: &'a mut [Vec3],
    kicked_at: &'a mut [Tick],
    now: &'a [F64x4],
    inverse_masses: &'a [Vec3],
    tick: Tick,
    worth_sharing: usize,
}

impl Divisible for FreeKicks<'_> {
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
