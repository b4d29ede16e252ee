//! Systems to check, and ways to break them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_elastic::Spring;
use carom_engine::{Checkpoint, InstantListener, Method, MethodSummary, Progress, Reference, Touch};
use carom_math::{Real, Vec3};
use carom_model::{
    Axes, Batch, ClockOptions, Damping, Element, ExternalLedger, Family, FamilyProperties, Fault, Owner,
    Packing, PairId, Part, Potentials, Start, State, Stencils, StepLimits, System, SystemBuilder, TANGENTS,
};
use carom_time::{Clocks, Tick};

use crate::Options;
use crate::clocks::starting;
use crate::random::Random;

const EDGES: [[u32; 2]; 13] =
    [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [2, 4], [4, 6], [1, 3], [3, 5], [5, 7], [0, 3], [2, 5], [4, 7]];

/// A ladder of springs of very different stiffness, stretched and in motion.
pub(crate) fn ladder(clocks: Clocks) -> (Arc<System>, State) {
    build(ladder_of(|spring| spring), clocks)
}

/// The ladder with one vertex held whole, one along an axis, and a weight on another.
pub(crate) fn pinned_ladder(clocks: Clocks) -> (Arc<System>, State) {
    let mut builder = ladder_of(|spring| spring);
    builder.pin(0, Axes::ALL);
    builder.pin(5, Axes { x: false, y: true, z: false });
    builder.add(Weight, [3], Owner { body: 0, part: Part::Vertex(3) }, 1.0);
    build(builder, clocks)
}

/// One spring at its rest length that moves sideways at `speed`: it never pulls, to the last bit.
pub(crate) fn unstretched(speed: f64) -> (Arc<System>, State) {
    let mut builder = SystemBuilder::new();
    for x in [Vec3::ZERO, Vec3::X] {
        builder.vertex(x, Vec3::Y * speed, 1.0);
    }
    let spring = Spring { stiffness: 2.0, rest_length: 1.0 };
    builder.add(spring, [0, 1], Owner { body: 0, part: Part::Edge(0) }, 1.0);
    build(builder, Clocks::Dyadic)
}

/// A ladder of elements made from springs; every two consecutive springs belong to one part.
pub(crate) fn ladder_of<E: Element<2, P>, const P: usize>(make: impl Fn(Spring) -> E) -> SystemBuilder {
    random_ladder(7, make)
}

/// The ladder from other random numbers.
pub(crate) fn random_ladder<E: Element<2, P>, const P: usize>(
    seed: u64,
    make: impl Fn(Spring) -> E,
) -> SystemBuilder {
    let mut random = Random::new(seed);
    let mut builder = SystemBuilder::new();
    for i in 0..8 {
        let (rung, side) = (f64::from(i / 2), f64::from(i % 2));
        let x = Vec3::new(rung, side, 0.0) + random.vector() * 0.1;
        builder.vertex(x, random.vector() * 0.3, 0.5 + 0.4 * random.next());
    }
    for (i, ends) in EDGES.into_iter().enumerate() {
        let stiffness = [40.0, 3.0, 0.5][i % 3];
        let [a, b] = ends.map(|v| builder.positions()[v as usize]);
        let spring = Spring { stiffness, rest_length: 0.9 * (a - b).length() };
        let owner = Owner { body: 0, part: Part::Edge(i as u32 / 2) };
        builder.add(make(spring), ends, owner, 1.0);
    }
    builder
}

pub(crate) fn build(builder: SystemBuilder, clocks: Clocks) -> (Arc<System>, State) {
    let (system, state) =
        builder.build(&ClockOptions { clocks, ..ClockOptions::default() }).expect("it is sound");
    (Arc::new(system), state)
}

/// A constant force, as gravity is.
#[derive(Clone, Copy)]
struct Weight;

impl Element<1, 0> for Weight {
    const KIND: &'static str = "weight";
    const ORDER: u32 = 210;
    const INTERNAL: bool = false;

    fn params(&self) -> [f64; 0] {
        []
    }

    fn energy<S: Real>(_: &[S; 0], [x]: &[Vec3<S>; 1]) -> S {
        x.z * 0.7
    }

    fn gradient<S: Real>(_: &[S; 0], _: &[Vec3<S>; 1]) -> [Vec3<S>; 1] {
        [Vec3::constant(Vec3::Z * 0.7)]
    }
}

/// A spring whose force is also rotated a little about z: it has no potential, and a net torque.
#[derive(Clone, Copy)]
pub(crate) struct Crooked(pub Spring);

impl Element<2, 2> for Crooked {
    const KIND: &'static str = "crooked";
    const ORDER: u32 = 55;

    fn params(&self) -> [f64; 2] {
        self.0.params()
    }

    fn energy<S: Real>(params: &[S; 2], x: &[Vec3<S>; 2]) -> S {
        Spring::energy(params, x)
    }

    fn gradient<S: Real>(params: &[S; 2], x: &[Vec3<S>; 2]) -> [Vec3<S>; 2] {
        let aside = Vec3::<S>::constant(Vec3::Z * 1e-3).cross(x[1] - x[0]);
        let [a, b] = Spring::gradient(params, x);
        [a - aside, b + aside]
    }
}

/// A spring that also pushes both its ends the same way and calls that internal.
#[derive(Clone, Copy)]
pub(crate) struct Windy(pub Spring);

impl Element<2, 2> for Windy {
    const KIND: &'static str = "windy";
    const ORDER: u32 = 220;

    fn params(&self) -> [f64; 2] {
        self.0.params()
    }

    fn energy<S: Real>(params: &[S; 2], x: &[Vec3<S>; 2]) -> S {
        Spring::energy(params, x) + x[0].x * 1e-3 + x[1].x * 1e-3
    }

    fn gradient<S: Real>(params: &[S; 2], x: &[Vec3<S>; 2]) -> [Vec3<S>; 2] {
        let wind = Vec3::<S>::constant(Vec3::X * 1e-3);
        Spring::gradient(params, x).map(|g| g + wind)
    }
}

/// A spring that is a thousandth stiffer in its gradient than in its energy.
#[derive(Clone, Copy)]
pub(crate) struct Mismatched(pub Spring);

impl Element<2, 2> for Mismatched {
    const KIND: &'static str = "mismatched";
    const ORDER: u32 = 135;

    fn params(&self) -> [f64; 2] {
        self.0.params()
    }

    fn energy<S: Real>(params: &[S; 2], x: &[Vec3<S>; 2]) -> S {
        Spring::energy(params, x)
    }

    fn gradient<S: Real>(params: &[S; 2], x: &[Vec3<S>; 2]) -> [Vec3<S>; 2] {
        Spring::gradient(params, x).map(|g| g * S::constant(1.001))
    }
}

/// A family that gives no second derivatives, as a user's closure.
pub(crate) struct WithoutTangents(pub Arc<dyn Family>);

impl Stencils for WithoutTangents {
    fn properties(&self) -> FamilyProperties {
        self.0.properties()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn stencil(&self, element: usize) -> &[u32] {
        self.0.stencil(element)
    }

    fn owner(&self, element: usize) -> Owner {
        self.0.owner(element)
    }

    fn extent(&self, element: usize) -> f64 {
        self.0.extent(element)
    }
}

impl Potentials for WithoutTangents {
    fn energy(&self, element: usize, x: &[Vec3]) -> f64 {
        self.0.energy(element, x)
    }

    fn gradient(&self, element: usize, x: &[Vec3], out: &mut [Vec3]) {
        self.0.gradient(element, x, out);
    }

    fn tangents(
        &self,
        _: usize,
        _: &[Vec3],
        _: &[[Vec3; TANGENTS]],
        _: &mut [[Vec3; TANGENTS]],
    ) -> Option<()> {
        None
    }
}

impl Damping for WithoutTangents {}

impl StepLimits for WithoutTangents {
    fn stable_step(&self, element: usize, x: &[Vec3], masses: &[f64]) -> f64 {
        self.0.stable_step(element, x, masses)
    }
}

impl Packing for WithoutTangents {
    fn batch(&self, elements: &[u32], renumbered: &[u32]) -> Box<dyn Batch> {
        self.0.batch(elements, renumbered)
    }
}

/// A method that leaves out the half kick at the start.
pub(crate) fn without_half_kick() -> Options {
    Options {
        launch: |system, state| Box::new(Reference::new(&Arc::new(starting(system, Start::Paper)), state)),
        ..Options::default()
    }
}

/// A method that kicks one vertex by a thousandth too much.
pub(crate) fn kicking_too_hard() -> Options {
    Options {
        launch: |system, state| Box::new(Reference::new(&Arc::new(lighter(system)), state)),
        ..Options::default()
    }
}

/// The system with one inverse mass off by a thousandth.
pub(crate) fn lighter(system: &System) -> System {
    let mut lighter = system.clone();
    lighter.inverse_masses[2] = lighter.inverse_masses[2] * 1.001;
    lighter
}

/// A method that fires one potential half as often, with twice the step.
pub(crate) fn with_a_slow_clock() -> Options {
    Options {
        launch: |system, state| {
            let slow = system.with_spans(|_, e, span| {
                carom_time::Span::new(span.quanta() << u32::from(e == 0)).expect("longer than a span")
            });
            Box::new(Reference::new(&Arc::new(slow), state))
        },
        ..Options::default()
    }
}

/// A method that starts all clocks anew between two instants.
pub(crate) fn restarting_its_clocks() -> Options {
    Options {
        launch: |system, state| {
            let fastest = system.spans()[0].quanta();
            Box::new(Restarting {
                method: Reference::new(system, state),
                system: Arc::clone(system),
                restart_at: Some(Tick(3 * fastest + fastest / 2)),
                since: Tick::START,
            })
        },
        ..Options::default()
    }
}

struct Restarting {
    system: Arc<System>,
    method: Reference,
    restart_at: Option<Tick>,
    since: Tick,
}

impl Method for Restarting {
    fn advance(
        &mut self,
        end: Tick,
        stop: &AtomicBool,
        listener: &mut dyn InstantListener,
    ) -> Result<Progress, Fault> {
        if let Some(at) = self.restart_at.take_if(|at| *at <= end) {
            self.method.advance_to(at, stop)?;
            let state = self.method.state();
            let x = (0..state.len()).map(|v| state.position_at(v, at)).collect();
            let state = State::new(x, state.velocities, self.system.line.quantum);
            self.method = Reference::new(&Arc::new(starting(&self.system, Start::Paper)), state);
            self.since = at;
        }
        self.method.advance(Tick(end.0 - self.since.0), stop, listener)
    }

    fn tick(&self) -> Tick {
        Tick(self.method.tick().0 + self.since.0)
    }

    fn system(&self) -> &Arc<System> {
        &self.system
    }

    fn state(&self) -> State {
        let mut state = self.method.state();
        for tick in &mut state.kicked_at {
            tick.0 += self.since.0;
        }
        state
    }

    fn external(&self) -> ExternalLedger {
        self.method.external()
    }

    fn pairs(&self) -> Vec<PairId> {
        self.method.pairs()
    }

    fn touches(&self, tick: Tick) -> Vec<Touch> {
        self.method.touches(tick)
    }

    fn save(&self) -> Checkpoint {
        self.method.save()
    }

    fn summary(&self) -> MethodSummary {
        self.method.summary()
    }
}
