//! The engine against the oracle on random scenes with laws: bits of the state, unspent friction, books, gap minima, what touched, Faults.

use core::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_engine::{InstantListener, InstantReport, Method, MethodKind, Reference, Touch};
use carom_model::{Fault, Law, LayerFamily, State, System};
use carom_time::{Clocks, Tick};

use super::bodies::{END, Mixture};
use super::numbers;
use crate::contact_bits::grains::{BOX, Gas, SPEED, gas};
use crate::contact_bits::soup::{Soup, soup};
use crate::noise::Noise;

/// A stop flag that nobody raises.
pub(super) static NEVER: AtomicBool = AtomicBool::new(false);

/// How often two runs of a scene are compared.
const ROWS: u32 = 4;

/// A scene with laws, and how long it is followed, in s.
pub(super) struct Scene {
    pub name: String,
    pub system: Arc<System>,
    pub state: State,
    pub seconds: f64,
}

impl Scene {
    /// Loose triangles, rods and points; grains in a periodic box; or some bodies of a mixture.
    pub fn random(seed: u64) -> Self {
        let mut noise = Noise::new(seed + 17);
        let restitution = [0.0, 0.5, 0.9, 1.0][noise.between(0.0, 4.0) as usize];
        let law = Law::new(restitution, [0.0, 0.3, 0.8][noise.between(0.0, 3.0) as usize]);
        let clocks = if noise.next() > 0.0 { Clocks::Dyadic } else { Clocks::Exact };
        let (name, (system, state), seconds) = match seed % 4 {
            0 => {
                let case = random_soup(seed, law, clocks, &mut noise);
                (format!("{case:?}"), soup(&case), 1.2 / case.speed)
            }
            1 => {
                let random = Gas::random(seed / 4, 8 + seed as usize % 4);
                let case = Gas { law, clocks, max_layers: 5, ..random };
                (format!("{case:?}"), gas(&case), 0.5 * BOX / SPEED)
            }
            _ => {
                let case = Mixture::of_some(seed);
                let seconds = noise.between(0.05, 0.2) * END;
                (format!("{case:?}"), case.build(), seconds)
            }
        };
        Self { name: format!("seed {seed}: {name}"), system, state, seconds }
    }
}

fn random_soup(seed: u64, law: Law, clocks: Clocks, noise: &mut Noise) -> Soup {
    let families = [LayerFamily::Acm, LayerFamily::Nested, LayerFamily::Window];
    Soup {
        seed,
        triangles: noise.between(5.0, 9.0) as usize,
        speed: noise.between(5.0, 60.0),
        thickness: noise.between(0.08, 0.12),
        family: families[noise.between(0.0, 3.0) as usize],
        clocks,
        max_layers: noise.between(3.0, 6.0) as u32,
        law,
        damping_s: (noise.next() > 0.0).then_some(1e-3),
    }
}

/// A run as it is compared: how it ended, and the gap minima on its way.
pub(super) struct Run {
    pub method: Box<dyn Method>,
    pub minima: Minima,
    pub fault: Option<Fault>,
}

/// The gap minima of a run: when each was known, and the bits of its distance.
#[derive(Default)]
pub(super) struct Minima(pub Vec<(Tick, u64)>);

impl InstantListener for Minima {
    fn after_instant(&mut self, report: &InstantReport) -> ControlFlow<()> {
        self.0.extend(report.gap_minimum_m.map(|distance| (report.tick, distance.to_bits())));
        ControlFlow::Continue(())
    }
}

impl Run {
    pub fn new(kind: MethodKind, scene: &Scene) -> Self {
        Self {
            method: kind.start(&scene.system, scene.state.clone()),
            minima: Minima::default(),
            fault: None,
        }
    }

    pub fn advance(&mut self, end: Tick) {
        if self.fault.is_none() {
            self.fault = self.method.advance(end, &NEVER, &mut self.minima).err();
        }
    }
}

/// The record of contact between two bodies, bit by bit.
pub(super) fn told_by(touch: &Touch) -> impl PartialEq + core::fmt::Debug + use<> {
    let Touch { bodies, impulse, quanta, last, virial, approaches, .. } = touch;
    let numbers = [touch.smallest_distance, touch.fewest_kicks, *virial, *approaches].map(f64::to_bits);
    let counts = (touch.deepest_layer, touch.meetings, touch.partings);
    (*bodies, impulse.to_array().map(f64::to_bits), *quanta, *last, numbers, counts)
}

/// What was there to agree on, scene by scene.
#[derive(Debug, Default)]
struct Covered {
    scenes: u32,
    faults: u32,
    faults_at_start: u32,
    collisions: u32,
    minima: u32,
    restitution: u32,
    friction: u32,
    damping: u32,
    unspent: u32,
    instants: u32,
}

impl Covered {
    /// Runs a scene both ways and holds one against the other.
    fn compare(&mut self, scene: &Scene) {
        let name = &scene.name;
        let (mut fast, mut oracle) =
            (Run::new(MethodKind::Carom, scene), Run::new(MethodKind::Reference, scene));
        let mut has_unspent = false;
        for row in 1..=ROWS {
            let seconds = scene.seconds * f64::from(row) / f64::from(ROWS);
            let tick = scene.system.line.tick_at(seconds).unwrap();
            self.repeat_an_instant(scene, &mut fast, tick);
            fast.advance(tick);
            oracle.advance(tick);
            assert_eq!(fast.fault, oracle.fault, "{name} at row {row}");
            let is_finite = !matches!(fast.fault, Some(Fault::NotFinite { .. } | Fault::Collapsed { .. }));
            if is_finite {
                let [ours, expected] = [&fast, &oracle].map(|run| run.method.state());
                assert_eq!(ours.unspent, expected.unspent, "{name} at row {row}");
                assert_eq!(ours.fingerprint(), expected.fingerprint(), "{name} at row {row}");
                has_unspent |= !ours.unspent.is_empty();
                agree_on_external(&fast, &oracle, name);
                agree_on_checkpoint(&fast, &oracle, name);
            }
        }
        assert_eq!(fast.minima.0, oracle.minima.0, "{name}");
        let end = scene.system.line.tick_at(scene.seconds).unwrap();
        let reached = fast.fault.as_ref().and_then(Fault::last_tick).unwrap_or(end);
        agree_on_contact(&fast, &oracle, reached, name);
        let families = 0..scene.system.families.len();
        assert_eq!(
            fast.method.summary().evaluations[families.clone()],
            oracle.method.summary().evaluations[families],
            "{name}"
        );
        self.count(&oracle, has_unspent);
    }

    /// Repeats the first instant of contact before `tick` from the state just before it: the pairs that are near must be found.
    fn repeat_an_instant(&mut self, scene: &Scene, fast: &mut Run, tick: Tick) {
        let contact = scene.system.contact.as_ref().unwrap();
        let instant = tick.floor(contact.layers[0].span);
        if instant == Tick::START || fast.fault.is_some() {
            return;
        }
        fast.advance(Tick(instant.0 - 1));
        let before = fast.method.state();
        fast.advance(instant);
        if fast.fault.is_none() {
            let repeated = Reference::instant(&scene.system, before, instant).unwrap();
            assert_eq!(repeated.fingerprint(), fast.method.state().fingerprint(), "{}", scene.name);
            self.instants += 1;
        }
    }

    fn count(&mut self, run: &Run, has_unspent: bool) {
        let (losses, contact) = (run.method.external().losses, run.method.summary().contact.unwrap());
        self.scenes += 1;
        let later = run.fault.as_ref().filter(|fault| fault.last_tick() != Some(Tick::START));
        self.faults += u32::from(later.is_some());
        self.faults_at_start += u32::from(run.fault.is_some() && later.is_none());
        self.collisions += u32::from(contact.deepest_layer >= 2);
        self.minima += u32::from(!run.minima.0.is_empty());
        self.restitution += u32::from(losses.restitution.value() > 0.0);
        self.friction += u32::from(losses.friction.value() > 0.0);
        self.damping += u32::from(losses.damping.value() > 0.0);
        self.unspent += u32::from(has_unspent);
    }

    /// Agreement about nothing is worth nothing.
    fn had_something_to_agree_on(&self) {
        println!("{self:?}");
        let Self {
            scenes,
            faults,
            faults_at_start,
            collisions,
            minima,
            restitution,
            friction,
            damping,
            unspent,
            instants,
        } = *self;
        assert!(50 * faults > scenes && 3 * faults < scenes && 10 * faults_at_start < scenes, "{self:?}");
        assert!(2 * collisions > scenes, "{self:?}");
        assert!([minima, restitution, friction, damping].iter().all(|seen| 4 * seen > scenes), "{self:?}");
        assert!(10 * unspent > scenes && instants > scenes, "{self:?}");
    }
}

fn agree_on_external(fast: &Run, oracle: &Run, name: &str) {
    let (ours, expected) = (fast.method.external(), oracle.method.external());
    assert_eq!(numbers(&ours), numbers(&expected), "{name}");
    assert!(ours == expected, "other terms with the same sums: {name}");
}

fn agree_on_checkpoint(fast: &Run, oracle: &Run, name: &str) {
    if fast.fault.is_some() {
        return;
    }
    let [ours, expected] = [fast, oracle].map(|run| run.method.save());
    assert_eq!(ours.contact, expected.contact, "{name}");
    assert_eq!(ours.last_kicks, expected.last_kicks, "{name}");
    assert!(ours.agrees_with(&expected), "{name}: {ours:?} is not {expected:?}");
}

fn agree_on_contact(fast: &Run, oracle: &Run, end: Tick, name: &str) {
    let [ours, expected] = [fast, oracle].map(|run| run.method.touches(end));
    let told = |touches: &[Touch]| touches.iter().map(told_by).collect::<Vec<_>>();
    assert_eq!(told(&ours), told(&expected), "{name}");
    let [ours, expected] = [fast, oracle].map(|run| run.method.summary().contact.unwrap());
    assert_eq!(ours.smallest_distance_m.to_bits(), expected.smallest_distance_m.to_bits(), "{name}");
    assert_eq!(ours.deepest_layer, expected.deepest_layer, "{name}");
}

/// Compares the scenes of these seeds.
fn compare(seeds: core::ops::Range<u64>) {
    let mut covered = Covered::default();
    for seed in seeds {
        covered.compare(&Scene::random(seed));
    }
    covered.had_something_to_agree_on();
}

#[test]
fn the_engine_and_the_oracle_agree_on_random_scenes_with_laws() {
    compare(0..40);
}

#[test]
#[ignore = "1,000 scenes take minutes of CPU: cargo test -p carom-engine --test suite -- --ignored --nocapture a_thousand; 40 are a test"]
fn the_engine_and_the_oracle_agree_on_a_thousand_random_scenes_with_laws() {
    compare(1000..2000);
}
