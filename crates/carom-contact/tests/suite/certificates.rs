//! No certificate is ever wrong: random motions, and a judge that shares nothing with what it judges.
//!
//! Vertices with and without clocks, held and driven ones, are kicked at random; contact pushes too. After every instant each
//! pair claims that it will not enter some layer before the next one. The judge proves or refutes every such claim, in
//! continuous time.

mod judge;
mod world;

use std::collections::BTreeMap;

use carom_contact::{
    CertifierKind, Claim, ContactPipeline, MinimumGapTest, Motion, Pair, PairRules, SeparationFailure,
    Sharing, TouchedVertices,
};
use carom_math::Vec3;
use carom_model::{ImpulseSums, PairId};
use carom_time::{Instants, Tick};
use judge::{PositionsAt, keeps};
use world::{Noise, World};

/// Instants of a motion.
const INSTANTS: u32 = 60;

/// A comparison ends where certificates say that so many steps of the gap test need no look: others would look at each.
const FAR_AHEAD: u64 = 10_000;

/// What motions had in them.
#[derive(Debug, Default)]
struct Counts {
    motions: u64,
    claims: u64,
    /// Claims of active pairs.
    within: u64,
    /// Claims of pairs without a certificate.
    uncertain: u64,
    searches: u64,
    failures: u64,
}

/// A motion under way.
struct RandomFlight<'w> {
    world: &'w mut World,
    instants: Instants,
    kicks: ImpulseSums,
    /// What contact added at the last instant.
    pushed: Vec<Vec3>,
    now: Tick,
}

impl<'w> RandomFlight<'w> {
    fn new(world: &'w mut World) -> Self {
        let spans = world.system.spans();
        let vertices = world.system.vertices();
        Self {
            instants: Instants::new(&spans, Tick::START),
            kicks: ImpulseSums::new(vertices),
            pushed: Vec::new(),
            now: Tick::START,
            world,
        }
    }

    /// The next instant of a clock or of contact.
    fn next(&mut self, contact: &ContactPipeline) -> Option<Tick> {
        contact.next_tick().into_iter().chain(self.instants.peek()).min()
    }

    /// What the engine does at an instant: clocks and layers fire, what they reach is kicked, and certificates are updated.
    fn fire(
        &mut self,
        tick: Tick,
        contact: &mut ContactPipeline,
        noise: &mut Noise,
    ) -> Result<(), SeparationFailure> {
        self.now = tick;
        let World { system, state, .. } = &mut *self.world;
        let mut visited = Vec::new();
        if self.instants.peek() == Some(tick) {
            self.instants.next_until(tick);
            for (family, schedule) in system.families.iter().zip(&system.schedules) {
                for (e, _) in schedule.spans.iter().enumerate().filter(|(_, s)| tick.is_multiple_of(**s)) {
                    visited.extend(family.stencil(e));
                }
            }
        }
        contact.apply_impulses(tick, 1.0, &Motion::of(state), &mut self.kicks, &mut visited);
        self.pushed = (0..state.len()).map(|v| self.kicks.sum(v)).collect();
        let jolted = |noise: &mut Noise| noise.part() < 0.1;
        visited.extend((0..state.len() as u32).filter(|_| jolted(noise)));
        visited.sort_unstable();
        visited.dedup();
        for &v in &visited {
            let v = v as usize;
            let pushed = self.kicks.take(v);
            let is_jolted = noise.part() < 0.3;
            if pushed.is_some() || is_jolted {
                let change = pushed.unwrap_or(Vec3::ZERO).scaled_by(self.world.system.inverse_masses[v]);
                self.world.state.kick(v, tick, change);
                if is_jolted {
                    self.world.jolt(v, tick, noise);
                }
            }
        }
        let touched = TouchedVertices { prefix: 0, others: &visited };
        contact.update_certificates(tick, &Motion::of(&self.world.state), touched)
    }
}

/// Contact of a world at tick 0.
fn start(kind: CertifierKind, world: &World) -> ContactPipeline {
    let rules = PairRules::with_own_numbers(&world.system);
    let start = (Tick::START, &Motion::of(&world.state));
    ContactPipeline::new(kind, &world.system, rules, start, Sharing::NONE)
}

/// All pairs of a world, by id.
fn all_pairs(rules: &PairRules) -> BTreeMap<PairId, Pair> {
    let mut pairs = BTreeMap::new();
    rules.for_each(|pair| {
        pairs.insert(pair.id, pair);
    });
    pairs
}

fn places(pair: &Pair, at: impl Fn(u32) -> Vec3) -> PositionsAt {
    let (first, second) = pair.stencil().split_at(pair.first_primitive());
    let all = |part: &[u32]| part.iter().map(|v| at(*v)).collect::<Vec<_>>();
    PositionsAt::new(&all(first), &all(second))
}

/// Moves one world and judges every claim.
fn judge_a_motion(kind: CertifierKind, seed: u64, counts: &mut Counts) {
    let mut noise = Noise(seed);
    let mut world = World::random(&mut noise);
    let rules = PairRules::with_own_numbers(&world.system);
    let pairs = all_pairs(&rules);
    let gap_test = MinimumGapTest::new(&world.system, &rules);
    let mut contact = start(kind, &world);
    let everything = TouchedVertices { prefix: world.system.vertices() as u32, others: &[] };
    let mut outcome = contact.update_certificates(Tick::START, &Motion::of(&world.state), everything);
    let mut flight = RandomFlight::new(&mut world);
    counts.motions += 1;
    for _ in 0..INSTANTS {
        if outcome.is_err() {
            break;
        }
        let Some(next) = flight.next(&contact) else { break };
        let state = &flight.world.state;
        let mut claims: BTreeMap<PairId, Claim> = contact.claims().map(|claim| (claim.pair, claim)).collect();
        for (&id, pair) in &pairs {
            let unlisted = Claim { pair: id, first_certified_layer: pair.first_layer, is_certified: true };
            let claim = claims.remove(&id).unwrap_or(unlisted);
            let layers = rules.layers_of(pair);
            let [from, to] = [flight.now, next].map(|t| places(pair, |v| state.position_at(v as usize, t)));
            counts.claims += 1;
            counts.within += u64::from(claim.first_certified_layer > pair.first_layer);
            let least = if claim.is_certified {
                layers.thickness(claim.first_certified_layer)
            } else {
                counts.uncertain += 1;
                assert!(
                    next <= gap_test.next(flight.now),
                    "motion {seed}: {id} has no certificate and is not tested in time"
                );
                assert!(
                    claim.first_certified_layer > layers.deepest(),
                    "motion {seed}: {id} has no certificate, and a certified layer"
                );
                0.0
            };
            assert!(
                keeps(least + pair.radius, &from, &to),
                "motion {seed}: {id} is {:e} and then {:e} apart, which is not {least:e}: {claim:?}",
                from.distance() - pair.radius,
                to.distance() - pair.radius,
            );
        }
        assert!(claims.is_empty(), "motion {seed}: claims of pairs that do not exist");
        outcome = flight.fire(next, &mut contact, &mut noise);
    }
    counts.failures += u64::from(outcome.is_err());
    counts.searches += contact.effort().searches.saturating_sub(1);
}

fn judge_motions(seeds: core::ops::Range<u64>) {
    let mut counts = Counts::default();
    seeds.for_each(|seed| judge_a_motion(CertifierKind::Certificates, seed, &mut counts));
    println!("{counts:?}");
    let Counts { motions, claims, within, uncertain, searches, failures } = counts;
    // The motions must have something to say.
    assert!(within > claims / 1000 && uncertain > motions / 20 && searches > motions / 2, "all too easy");
    assert!(failures < motions / 2, "all too short");
}

#[test]
fn no_certificate_is_ever_wrong() {
    judge_motions(0..500);
}

#[test]
fn no_speed_bound_is_ever_wrong() {
    let mut counts = Counts::default();
    (0..100).for_each(|seed| judge_a_motion(CertifierKind::SpeedBound, seed, &mut counts));
    let Counts { motions, claims, within, uncertain, failures, .. } = counts;
    assert!(within > claims / 1000 && uncertain > motions / 20, "all too easy: {counts:?}");
    assert!(failures < motions / 2, "all too short");
}

#[test]
#[ignore = "takes a minute: cargo test --release -p carom-contact --test suite certificates -- --ignored --nocapture; 500 motions are a test"]
fn in_ten_thousand_random_motions_no_certificate_is_ever_wrong() {
    judge_motions(0..10_000);
}

/// Moves one world with certificates, and shows the same motion to another certifier at every tick that either asks for.
/// They must push with the same bits, and end alike.
fn compare_with(seed: u64, kind: CertifierKind) -> Result<(), SeparationFailure> {
    let mut noise = Noise(seed);
    let mut world = World::random(&mut noise);
    let mut contact = start(CertifierKind::Certificates, &world);
    let mut other = start(kind, &world);
    let everything = TouchedVertices { prefix: world.system.vertices() as u32, others: &[] };
    let update = |contact: &mut ContactPipeline, tick, world: &World| {
        contact.update_certificates(tick, &Motion::of(&world.state), everything)
    };
    let started = update(&mut contact, Tick::START, &world);
    assert_eq!(update(&mut other, Tick::START, &world), started, "motion {seed} at the start");
    started?;
    let gap_test = MinimumGapTest::new(&world.system, &PairRules::with_own_numbers(&world.system));
    let mut flight = RandomFlight::new(&mut world);
    let mut kicks = ImpulseSums::new(flight.world.system.vertices());
    for _ in 0..INSTANTS {
        let Some(next) = flight.next(&contact) else { break };
        if next.0 - flight.now.0 > FAR_AHEAD * gap_test.span.quanta() {
            break;
        }
        while let Some(tick) = other.next_tick().filter(|tick| *tick < next) {
            other.apply_impulses(tick, 1.0, &Motion::of(&flight.world.state), &mut kicks, &mut Vec::new());
            let unseen = (0..everything.prefix as usize).any(|v| kicks.take(v).is_some());
            assert!(!unseen, "motion {seed}: a push unseen at {tick:?}");
            assert_eq!(update(&mut other, tick, flight.world), Ok(()), "motion {seed}: an end unseen");
        }
        other.apply_impulses(next, 1.0, &Motion::of(&flight.world.state), &mut kicks, &mut Vec::new());
        let theirs = core::mem::replace(&mut kicks, ImpulseSums::new(everything.prefix as usize));
        let outcome = flight.fire(next, &mut contact, &mut noise);
        let theirs: Vec<Vec3> = (0..flight.pushed.len()).map(|v| theirs.sum(v)).collect();
        assert_eq!(flight.pushed, theirs, "motion {seed} at {next:?}: other pushes");
        assert_eq!(update(&mut other, next, flight.world), outcome, "motion {seed} at {next:?}: another end");
        outcome?;
    }
    Ok(())
}

#[test]
fn brute_force_sees_the_same_pushes_and_the_same_end() {
    let failures = (0..200).filter(|seed| compare_with(*seed, CertifierKind::BruteForce).is_err()).count();
    println!("{failures} of 200 ended in a failure of separation");
    assert!((10..100).contains(&failures), "all too easy, or all too short");
}

#[test]
fn a_speed_bound_sees_the_same_pushes_and_the_same_end() {
    let failures = (0..500).filter(|seed| compare_with(*seed, CertifierKind::SpeedBound).is_err()).count();
    assert!((25..250).contains(&failures), "all too easy, or all too short");
}
