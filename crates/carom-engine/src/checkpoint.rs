//! A run at one tick, as data: what decides its later bits and its later rows.
//!
//! Plain numbers in the numbering of the system, sorted: two engines that obey the contract have equal checkpoints at a tick but for their
//! [`Effort`], and either may take up the run of the other. A run that is resumed ends in the bits of one that was never stopped, with any
//! number of threads. What follows from the system and the tick is not held, nor are certificates, candidates and trees, which change no
//! bit (`docs/theory/contract.md`, "What a checkpoint must hold").

use std::sync::Arc;

use carom_contact::{ContactCheckpoint, ContactEffort, step_of_layer};
use carom_math::Vec3;
use carom_model::{ExternalLedger, LayerSpec, Start, State, System};
use carom_time::{Quantum, Span, Tick};

use crate::gap_minimum::GapMinimum;
use crate::reference::joint;
use crate::{DcrSummary, Reader, ToleranceCheckpoint};

/// A run at one tick, or about to start there.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Every instant up to this tick has happened; but for the start, if it is due.
    pub tick: Tick,
    /// How the run is about to start at this tick; `None` once it has. With half a kick of everything, the velocities are synchronised.
    pub due_start: Option<Start>,
    /// Position, velocity and tick of the last kick of every vertex, and unspent friction.
    pub state: State,
    /// The external ledger, its totals not rounded.
    pub external: ExternalLedger,
    /// Gradients computed so far, by family.
    pub evaluations: Vec<u64>,
    /// What potentials last gave, in the order of families and steps; recorded where something resists motion.
    pub last_kicks: Vec<LastKicks>,
    /// What became of contact.
    pub contact: ContactCheckpoint,
    /// The nearest pair at the last instant at which something pushed.
    pub gap_minimum: GapMinimum,
    /// What projections and jumps did; of [`Dcr`](crate::Dcr) alone.
    pub dcr: Option<DcrCheckpoint>,
    /// How the energy was kept so far; of runs with a tolerance.
    pub tolerance: Option<Box<ToleranceCheckpoint>>,
    /// What it took: no part of the contract.
    pub effort: Effort,
}

impl Checkpoint {
    /// A run about to start at `tick` with the positions and the synchronised velocities of `state`.
    #[must_use]
    pub fn start(system: &System, tick: Tick, mut state: State) -> Self {
        state.kicked_at.fill(tick);
        Self { due_start: Some(system.start), ..Self::without_history(system, tick, state) }
    }

    /// A run of which nothing is known but its state at `tick`.
    pub(crate) fn without_history(system: &System, tick: Tick, state: State) -> Self {
        Self {
            tick,
            due_start: None,
            state,
            external: ExternalLedger::default(),
            evaluations: vec![0; system.families.len()],
            last_kicks: Vec::new(),
            contact: ContactCheckpoint::default(),
            gap_minimum: GapMinimum::default(),
            dcr: None,
            tolerance: None,
            effort: Effort::default(),
        }
    }

    /// The run about to start anew at this tick with half a kick, under whatever steps: velocities synchronised by a reader of its system, and what that takes
    /// from outside on the ledger. Friction that is left over and the last kicks, which belong to the old steps, are not kept.
    #[must_use]
    pub fn synchronised(&self, reader: &Reader) -> Self {
        if self.due_start.is_some() {
            return self.clone();
        }
        let (state, of_sync) = reader.synchronised(&self.state, self.tick);
        let due_start = Some(Start::HalfKick);
        let mut restart = Self { due_start, state, last_kicks: Vec::new(), ..self.clone() };
        restart.external.merge(&of_sync);
        restart.contact.layer_impulses.clear();
        restart
    }

    /// The same run of `from`, about to go on with the steps of `to`, which has the same potentials: one kick joins the old steps to the new, and leaves energy, momentum and
    /// ledger as they are read. What has not started has nothing to join.
    #[must_use]
    pub fn joined(&self, from: &Arc<System>, to: &Arc<System>) -> Self {
        if self.due_start.is_some() { self.clone() } else { joint(from, to, self) }
    }

    /// Whether this is the same run at the same tick, however it was computed: all but the effort.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        *self == Self { effort: self.effort, ..other.clone() }
    }

    /// Whether a run of `system` can go on from here.
    pub fn must_fit(&self, system: &System) -> Result<(), ResumeError> {
        let [vertices, families] = [self.state.len(), self.evaluations.len()];
        if vertices != system.vertices() {
            return Err(ResumeError::Vertices { system: system.vertices(), checkpoint: vertices });
        }
        if families != system.families.len() {
            return Err(ResumeError::Families { system: system.families.len(), checkpoint: families });
        }
        let [of_system, own] = [system.line.quantum, self.state.quantum()];
        if of_system != own {
            let [system_s, checkpoint_s] = [of_system, own].map(Quantum::seconds);
            return Err(ResumeError::Quantum { system_s, checkpoint_s });
        }
        let between =
            all_spans(system).find(|span| self.due_start.is_some() && !self.tick.is_multiple_of(*span));
        between.map_or(Ok(()), |span| Err(ResumeError::StartBetweenSteps { tick: self.tick, span }))
    }

    /// Gradients computed so far, by kind ([`System::kinds`]).
    pub(crate) fn evaluations_of(&self, system: &System) -> Vec<u64> {
        let of_contact = system.contact.as_ref().map(|_| self.effort.contact.evaluations);
        self.evaluations.iter().copied().chain(of_contact).collect()
    }
}

/// The steps of all elements and layers, and the windows of friction.
fn all_spans(system: &System) -> impl Iterator<Item = Span> {
    let of_contact = system.contact.iter().flat_map(|contact| {
        let of_layers = |spec: &LayerSpec| {
            (1..=contact.max_layers).map_while(|l| step_of_layer(spec, l)).collect::<Vec<_>>()
        };
        contact.layers.iter().flat_map(move |spec| of_layers(spec).into_iter().chain([spec.friction_window]))
    });
    system.spans().into_iter().chain(of_contact)
}

/// What all potentials of one family and step gave to each vertex at their last kick.
#[derive(Clone, Debug, PartialEq)]
pub struct LastKicks {
    /// The family, by its number in the system.
    pub family: usize,
    /// The step.
    pub span: Span,
    /// The vertices that got something, ascending, and what, in N·s.
    pub impulses: Vec<(u32, Vec3)>,
}

/// The part of a checkpoint that [`Dcr`](crate::Dcr) alone has.
#[derive(Clone, Debug, PartialEq)]
pub struct DcrCheckpoint {
    /// What projections and jumps did so far.
    pub summary: DcrSummary,
    /// Positions at the last search for pairs, in m: pairs are listed by how far apart they were there, and solved in that order. Empty without contact.
    pub anchors: Vec<Vec3>,
    /// By how much the search widened surfaces, in m.
    pub skin_m: f64,
    /// How far the farthest vertex has come since, in m.
    pub moved_m: f64,
}

/// What a run took so far, as counts. An engine that resumes a run counts on from here, and certifies otherwise than if it had not stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Instants, those for certificates alone included.
    pub instants: u64,
    /// Of contact.
    pub contact: ContactEffort,
}

/// Why a run cannot go on from a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ResumeError {
    /// The checkpoint is of another number of vertices.
    Vertices {
        /// Vertices of the system.
        system: usize,
        /// Vertices of the checkpoint.
        checkpoint: usize,
    },
    /// The checkpoint is of another number of families.
    Families {
        /// Families of the system.
        system: usize,
        /// Families of the checkpoint.
        checkpoint: usize,
    },
    /// The checkpoint counts time in other quanta.
    Quantum {
        /// Quantum of the system, in s.
        system_s: f64,
        /// Quantum of the checkpoint, in s.
        checkpoint_s: f64,
    },
    /// The checkpoint is of a run with an energy tolerance and the simulation has none, or the other way round.
    Tolerance,
    /// A run cannot start between two multiples of a step.
    StartBetweenSteps {
        /// The tick asked for.
        tick: Tick,
        /// A step that does not divide it.
        span: Span,
    },
    /// Two systems that are to share their steps differ in what acts between which vertices.
    Potentials {
        /// The kind of which they have others.
        kind: &'static str,
    },
    /// A step is shorter than the quantum of the run.
    TooShort {
        /// The step, in s.
        step_s: f64,
    },
    /// Contact would change its layers: they would store other energies.
    Layers {
        /// How many there are.
        before: u32,
        /// How many there would be.
        after: u32,
    },
    /// The method has one step for everything.
    OneStep,
}

impl core::fmt::Display for ResumeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Vertices { system, checkpoint } => {
                write!(f, "the system has {system} vertices and the checkpoint {checkpoint}")
            }
            Self::Families { system, checkpoint } => {
                write!(f, "the system has {system} kinds of potentials and the checkpoint {checkpoint}")
            }
            Self::Quantum { system_s, checkpoint_s } => {
                write!(
                    f,
                    "a quantum of the system is {system_s:e} s and one of the checkpoint {checkpoint_s:e} s"
                )
            }
            Self::Tolerance => {
                write!(
                    f,
                    "of the checkpoint and the simulation, one holds its energy to a tolerance and one does not"
                )
            }
            Self::StartBetweenSteps { tick, span } => write!(
                f,
                "a run cannot start at tick {}: it is no multiple of a step of {} quanta",
                tick.0,
                span.quanta()
            ),
            Self::Potentials { kind } => {
                write!(
                    f,
                    "steps can be taken from a system of the same things alone: this one has other potentials ({kind})"
                )
            }
            Self::TooShort { step_s } => {
                write!(f, "a step of {step_s:e} s is shorter than the quantum of the run")
            }
            Self::Layers { before, after } => {
                write!(f, "with these steps contact would have {after} layers and no longer {before}")
            }
            Self::OneStep => {
                write!(f, "only `carom` and `reference` change steps on the way")
            }
        }
    }
}

impl core::error::Error for ResumeError {}
