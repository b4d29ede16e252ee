//! Equilibrium, by dynamic relaxation with kinetic damping.
//!
//! The system is let go from rest. When its kinetic energy has passed a maximum, everything is stopped where it is and let
//! go again [Barnes1999, abstract]: what swings about the equilibrium is caught near it. Each fall is a run of the
//! contract from tick 0 with half a kick, so contact is as safe as in any run, and the same scene gives the same bits.
//!
//! All potentials share one clock. With clocks of their own the forces that balance do not act at the same instants: what rests
//! on average wiggles between them, and is off balance by about `(hω)²/12` wherever it is stopped (a weight between two springs with
//! steps 1 : 2 came to 1e-3 of its weight and no closer). One clock has the equilibria of the potentials, exactly.
//!
//! Time means nothing here, so masses may be chosen: with [`with_masses_for`] every potential runs at its own limit
//! with the longest step of them all, and slow modes are reached in far fewer steps. Forces, weights among them, stay what they are.
//!
//! Layers of contact go only as deep as what touches needs: the deeper, the shorter the one step.
//!
//! It ends when the residual force on what can move is small against the loads.

mod fall;
mod scaled_masses;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use carom_contact::step_of_layer;
use carom_math::{Sum, Vec3};
use carom_model::{ExternalLedger, Family, Fault, PairId, Start, State, System};
use carom_time::{Span, Tick};

use fall::Fall;
use scaled_masses::slowest_limited;
pub use scaled_masses::with_masses_for;

use crate::synchronous::with_layers_on;
use crate::{ContactSummary, Method, MethodKind, MethodSummary, MomentumFromOutside, Reader, Reading, drive};

/// Where lasting loads should rest: layers are put on the one clock down to here at first.
const FIRST_DEPTH: u32 = 4;

/// By how many layers contact is deepened when something gets past the last.
const DEEPER: u32 = 2;

/// How far and how long to relax.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelaxOptions {
    /// The residual at which it is an equilibrium, over the scale of the loads.
    pub tolerance: f64,
    /// Whether each vertex gets the mass with which one step fits all.
    pub scale_masses: bool,
    /// After how many steps to give up.
    pub most_steps: u64,
    /// Loads that change with time are taken as they are at this one, in s.
    pub time_s: f64,
}

impl Default for RelaxOptions {
    fn default() -> Self {
        Self { tolerance: 1e-6, scale_masses: true, most_steps: 1_000_000, time_s: 0.0 }
    }
}

/// How a relaxation ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The residual is below the bound.
    Converged,
    /// The steps ran out first.
    OutOfSteps,
    /// The residual no longer falls: rounding allows no less, or what holds the rest is too soft to tell.
    Stalled,
    /// It was asked to stop.
    Interrupted,
    /// It could not go on.
    Fault(Fault),
}

/// A moment at which everything was stopped: the start, each maximum of the kinetic energy, the end.
#[derive(Clone, Debug)]
pub struct Rest {
    /// How many falls came before.
    pub falls: u64,
    /// Steps so far.
    pub steps: u64,
    /// Ticks so far, of all falls together.
    pub ticks: u64,
    /// Residual force over the scale of the loads.
    pub residual: f64,
    /// Energy that the stops took so far, in J: what is missing of the energy at the start.
    pub taken_j: f64,
    /// Everything, at rest.
    pub state: State,
    /// Pairs that may store contact energy.
    pub pairs: Vec<PairId>,
    /// Gradients computed so far, by kind.
    pub evaluations: Vec<u64>,
    /// Energies and forces there, at rest.
    pub reading: Reading,
    /// Whether the relaxation ends with this rest.
    pub is_end: bool,
}

/// What came of a relaxation.
#[derive(Clone)]
pub struct Relaxed {
    /// How it ended.
    pub ending: Ending,
    /// The last rest.
    pub rest: Rest,
    /// The scale of the loads, in N: the root of the summed squares of the forces from outside or, if they are larger, of those at the start.
    pub scale_n: f64,
    /// The system on its one clock, with the masses it had.
    pub system: Arc<System>,
    /// How contact went, over all falls.
    pub contact: Option<ContactSummary>,
    /// Instants so far.
    pub instants: u64,
}

/// Relaxes `system` from where `state` is, at rest. `observe` is shown every rest, and can end it with an error.
pub fn relax<E>(
    system: &Arc<System>,
    state: &State,
    kind: MethodKind,
    options: &RelaxOptions,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(&Rest) -> Result<(), E>,
) -> Result<Relaxed, E> {
    let mut relaxation = Relaxation::new(system, state, kind, options);
    let mut rest = relaxation.rest(None, stop);
    relaxation.scale_n = relaxation.scale(&rest.reading);
    relaxation.start_j = rest.reading.total_j();
    (rest.residual, rest.taken_j) = (relaxation.relative(&rest.reading), 0.0);
    loop {
        let ending = relaxation.ending(&rest, options, stop);
        rest.is_end = ending.is_some();
        observe(&rest)?;
        if let Some(ending) = ending {
            let Relaxation { scale_n, system, effort: Effort { contact, instants, .. }, .. } = relaxation;
            return Ok(Relaxed { ending, rest, scale_n, system, contact, instants });
        }
        rest = relaxation.fall(options.most_steps, stop);
    }
}

/// A relaxation under way.
struct Relaxation {
    /// The system as it was given.
    given: Arc<System>,
    /// The system on one clock.
    system: Arc<System>,
    reader: Reader,
    kind: MethodKind,
    scale_masses: bool,
    /// The one clock; `None` where nothing has any.
    step: Option<Span>,
    /// The deepest layer of contact on it.
    depth: u32,
    state: State,
    effort: Effort,
    /// Energy at the start, in J.
    start_j: f64,
    /// The scale of the loads, in N.
    scale_n: f64,
    fault: Option<Fault>,
    last_progress: LastProgress,
}

/// What a relaxation took so far, over all falls.
struct Effort {
    falls: u64,
    steps: u64,
    ticks: u64,
    /// Gradients computed, by kind.
    evaluations: Vec<u64>,
    instants: u64,
    contact: Option<ContactSummary>,
}

impl Effort {
    /// Counts a fall that `method` integrated.
    fn count(&mut self, method: &dyn Method) {
        let MethodSummary { instants, evaluations, contact, .. } = method.summary();
        self.instants += instants;
        for (sum, count) in self.evaluations.iter_mut().zip(evaluations) {
            *sum += count;
        }
        self.contact = match (self.contact.take(), contact) {
            (Some(before), Some(now)) => Some(before.and(&now)),
            (before, now) => now.or(before),
        };
    }
}

/// The last rest that was closer to the equilibrium than those before, or lower.
struct LastProgress {
    /// The smallest residual so far.
    residual: f64,
    /// How many falls came before.
    falls: u64,
    /// Energy that the stops had taken, in J.
    taken_j: f64,
}

/// A relaxation that so many falls bring no closer by a tenth, and no lower, has stalled.
const PATIENCE: u64 = 2000;

/// By this much more of the energy taken, everything is lower than it was: where stiff parts ring in soft ones, the residual tells late.
const FALLING: f64 = 1e-12;

impl Relaxation {
    fn new(given: &Arc<System>, state: &State, kind: MethodKind, options: &RelaxOptions) -> Self {
        let now =
            |family: &Arc<dyn Family>| family.frozen_at(options.time_s).unwrap_or_else(|| Arc::clone(family));
        let families = given.families.iter().map(now).collect();
        // What is told where to go stays where it starts.
        let given = Arc::new(System { families, paths: Vec::new(), ..System::clone(given) });
        let mut relaxation = Self {
            system: Arc::clone(&given),
            reader: Reader::new(&given),
            kind,
            scale_masses: options.scale_masses,
            step: None,
            depth: FIRST_DEPTH,
            state: at_rest(state.positions.clone(), state),
            effort: Effort {
                falls: 0,
                steps: 0,
                ticks: 0,
                evaluations: vec![0; given.kinds().len()],
                instants: 0,
                contact: None,
            },
            start_j: 0.0,
            scale_n: 0.0,
            given,
            fault: None,
            last_progress: LastProgress { residual: f64::INFINITY, falls: 0, taken_j: 0.0 },
        };
        relaxation.choose_clock();
        relaxation
    }

    /// Puts everything on one clock, with layers of contact down to `depth`.
    fn choose_clock(&mut self) {
        let spans = self.given.spans();
        let elastic =
            if self.scale_masses { slowest_limited(&self.given, &self.state.positions) } else { None };
        let elastic = elastic.or(spans.first().copied());
        let layers = self.given.contact.iter().flat_map(|contact| &contact.layers);
        let of_contact = layers.filter_map(|spec| step_of_layer(spec, self.depth)).min();
        self.step = elastic.into_iter().chain(of_contact).min();
        let Some(step) = self.step else { return };
        let given = self.given.on_one_clock(step);
        let system =
            if self.scale_masses { with_masses_for(&given, step, &self.state.positions) } else { given };
        let system = System { start: Start::HalfKick, ..with_layers_on(&system, step, self.depth) };
        self.system = Arc::new(system);
        self.reader = Reader::new(&self.system);
    }

    /// Whether there are more layers for what was squeezed through those it had; they are then taken.
    fn deepens(&mut self, fault: &Fault) -> bool {
        let most = self.given.contact.as_ref().map_or(0, |contact| contact.max_layers);
        let can = matches!(fault, Fault::Squeezed { .. }) && self.depth < most;
        if can {
            self.depth = (self.depth + DEEPER).min(most);
            self.choose_clock();
        }
        can
    }

    /// How the relaxation ends at this rest, if it does.
    fn ending(&mut self, rest: &Rest, options: &RelaxOptions, stop: &AtomicBool) -> Option<Ending> {
        if let Some(fault) = self.fault.take() {
            return Some(Ending::Fault(fault));
        }
        // Without a clock nothing pushes, and nothing ever will.
        if rest.residual <= options.tolerance || self.step.is_none() {
            return Some(Ending::Converged);
        }
        if stop.load(Ordering::Relaxed) {
            return Some(Ending::Interrupted);
        }
        if self.effort.steps >= options.most_steps {
            return Some(Ending::OutOfSteps);
        }
        let (last, falls) = (&mut self.last_progress, self.effort.falls);
        let is_closer = rest.residual < 0.9 * last.residual;
        if is_closer || rest.taken_j > (1.0 + FALLING) * last.taken_j {
            let residual = rest.residual.min(last.residual);
            *last = LastProgress { residual, falls, taken_j: rest.taken_j };
        }
        (falls - last.falls >= PATIENCE).then_some(Ending::Stalled)
    }

    /// Lets go, until the kinetic energy has passed a maximum or the steps are used up.
    fn fall(&mut self, most_steps: u64, stop: &AtomicBool) -> Rest {
        let step = self.step.expect("something has a clock");
        let mut method = self.kind.start(&self.system, self.state.clone());
        let mut fall = Fall::new(&self.system, step, most_steps - self.effort.steps);
        let progress = drive(method.as_mut(), Tick::LAST, stop, &mut [&mut fall]);
        self.effort.steps += fall.steps;
        match progress {
            Ok(_) => {
                let tick = method.tick();
                self.stop_everything(method.as_ref(), tick);
                self.rest(Some(method.as_ref()), stop)
            }
            Err(fault) => {
                // The rest before is the last that is sound: it is tried again with deeper layers, if there are any.
                self.effort.count(method.as_ref());
                if !self.deepens(&fault) {
                    self.fault = Some(fault);
                }
                self.rest(None, stop)
            }
        }
    }

    /// Takes the energy of motion away.
    fn stop_everything(&mut self, method: &dyn Method, tick: Tick) {
        let state = method.state();
        let positions = (0..state.len()).map(|v| state.position_at(v, tick)).collect();
        self.state = at_rest(positions, &state);
        self.effort.falls += 1;
        self.effort.ticks += tick.0;
        self.effort.count(method);
    }

    /// Everything as it is, at rest; `method` knows which pairs push, if anything moved.
    fn rest(&self, method: Option<&dyn Method>, stop: &AtomicBool) -> Rest {
        let pairs = match method {
            Some(method) => method.pairs(),
            None => self.pairs_at_the_start(stop),
        };
        let mut reading = self.reader.read(&self.state, &ExternalLedger::default(), &pairs, Tick::START);
        // What is at rest has no velocity to be synchronised.
        reading.velocities.fill(Vec3::ZERO);
        (reading.kinetic_j, reading.momentum, reading.angular_momentum) = (0.0, Vec3::ZERO, Vec3::ZERO);
        reading.from_outside = MomentumFromOutside::default();
        (reading.momentum_scale, reading.angular_momentum_scale, reading.work_j) = (0.0, 0.0, 0.0);
        reading.tick = Tick(self.effort.ticks);
        reading.time_s = self.state.quantum().time(reading.tick);
        Rest {
            falls: self.effort.falls,
            steps: self.effort.steps,
            ticks: self.effort.ticks,
            residual: self.relative(&reading),
            taken_j: self.start_j - reading.total_j(),
            state: self.state.clone(),
            pairs,
            evaluations: self.effort.evaluations.clone(),
            reading,
            is_end: false,
        }
    }

    /// The pairs that may store contact energy where everything is now.
    fn pairs_at_the_start(&self, stop: &AtomicBool) -> Vec<PairId> {
        let mut method = self.kind.start(&self.system, self.state.clone());
        // What cannot even start will say so when it falls.
        let _ = method.advance_to(Tick::START, stop);
        method.pairs()
    }

    /// Residual over the scale; nothing is off where nothing pulls.
    fn relative(&self, reading: &Reading) -> f64 {
        let residual = self.residual_n(reading);
        if residual == 0.0 { 0.0 } else { residual / self.scale_n }
    }

    /// Root of the summed squares of the forces along the axes on which vertices can move, in N.
    fn residual_n(&self, reading: &Reading) -> f64 {
        let free = |w: f64, f: f64| if w == 0.0 { 0.0 } else { f };
        let forces = reading.forces.iter().zip(&self.system.inverse_masses);
        let squares =
            forces.map(|(f, w)| Vec3::new(free(w.x, f.x), free(w.y, f.y), free(w.z, f.z)).length_sq());
        squares.collect::<Sum>().value().sqrt()
    }

    /// The scale of the loads, in N: see [`Relaxed::scale_n`].
    fn scale(&self, start: &Reading) -> f64 {
        let mut outside = vec![Vec3::ZERO; start.positions.len()];
        let (mut x, mut gradient) = (Vec::new(), Vec::new());
        for family in self.system.families.iter().filter(|family| !family.properties().is_internal) {
            for e in 0..family.len() {
                let stencil = family.stencil(e);
                x.clear();
                x.extend(stencil.iter().map(|&v| start.positions[v as usize]));
                gradient.clear();
                gradient.resize(x.len(), Vec3::ZERO);
                family.gradient(e, &x, &mut gradient);
                for (&v, g) in stencil.iter().zip(&gradient) {
                    outside[v as usize] -= *g;
                }
            }
        }
        let loads_n = outside.iter().map(|f| f.length_sq()).collect::<Sum>().value().sqrt();
        loads_n.max(self.residual_n(start))
    }
}

/// A state with these positions in which nothing moves.
fn at_rest(positions: Vec<Vec3>, like: &State) -> State {
    let velocities = vec![Vec3::ZERO; positions.len()];
    State::new(positions, velocities, like.quantum())
}
