//! A literal implementation of the contract, with tangents.
//!
//! A [`TangentIntegrator`] makes instants happen as the contract says, one potential after the other in the
//! order of ids, and carries along how the state at any tick depends on the state at the start:
//! between instants `δq` drifts with `δv` as `q` does with `v`, and an instant adds
//! `δv⁺ − δv⁻ = − M⁻¹ Σ h ∇²V(q) δq`, with Hessian-vector products by dual numbers. No
//! differences, no step to choose: the tangents are those of the map, to round-off.
//!
//! Its state has the bits of every other method. A vertex that no force reaches is not re-based;
//! its tangents are, wherever a Hessian reaches it: at rest the force vanishes, the stiffness does not.

use std::sync::Arc;

use carom_engine::Method;
use carom_math::Vec3;
use carom_model::{PotentialId, Start, State, System, TANGENTS};
use carom_time::{Span, Tick};

use crate::clocks::{due, next_instant};
use crate::pairs::{Fired, Pairs};
use crate::random::Random;
use crate::region::Region;
use crate::report::NoMeasurement;
use crate::scale::free;
use crate::touching::{Encounters, Touching};

/// A variation of the state: of every vertex's position and velocity.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tangent {
    /// `δq`, in m.
    pub dq: Vec<Vec3>,
    /// `δv`, in m/s.
    pub dv: Vec<Vec3>,
}

/// [`TANGENTS`] variations side by side, vertex by vertex.
#[derive(Clone)]
struct Bundle {
    dq: Vec<[Vec3; TANGENTS]>,
    dv: Vec<[Vec3; TANGENTS]>,
    /// Scratch: `δ` of the impulses of one instant.
    dj: Vec<[Vec3; TANGENTS]>,
}

/// The state of a system at a tick, with any number of variations.
pub(crate) struct TangentIntegrator {
    system: Arc<System>,
    /// The steps of all families.
    spans: Vec<Span>,
    state: State,
    /// The pairs, if there is contact.
    touching: Option<Touching>,
    /// Parts of the system for which firings across the boundary are recorded, with the first bundle.
    pub regions: Vec<Region>,
    bundles: Vec<Bundle>,
    /// Number of tangents of the bundles that are in use.
    tangents: usize,
    /// Tick at which the tangents of each vertex were last kicked.
    turned_at: Vec<Tick>,
    now: Tick,
    start_is_due: bool,
}

impl Tangent {
    /// Random free variations of the size `δq = 1/√(mΩ)`, `δv = √(Ω/m)`, with `rate` Ω in 1/s.
    pub fn random(system: &System, rate: f64, random: &mut Random) -> Self {
        let mut side = |scale: &dyn Fn(f64) -> f64| {
            let of_vertex = |(&m, &w): (&f64, &Vec3)| free(w, random.vector() * scale(m));
            system.masses.iter().zip(&system.inverse_masses).map(of_vertex).collect()
        };
        Self { dq: side(&|m| 1.0 / (m * rate).sqrt()), dv: side(&|m| (rate / m).sqrt()) }
    }
}

impl Bundle {
    fn new(tangents: &[Tangent], vertices: usize) -> Self {
        let side = |pick: fn(&Tangent) -> &[Vec3]| {
            let of_vertex =
                |v: usize| core::array::from_fn(|k| tangents.get(k).map_or(Vec3::ZERO, |t| pick(t)[v]));
            (0..vertices).map(of_vertex).collect()
        };
        Self { dq: side(|t| &t.dq), dv: side(|t| &t.dv), dj: vec![[Vec3::ZERO; TANGENTS]; vertices] }
    }

    fn position_at(&self, v: usize, seconds: f64) -> [Vec3; TANGENTS] {
        core::array::from_fn(|k| self.dq[v][k] + self.dv[v][k] * seconds)
    }

    /// Adds `δ` of the impulses of one potential.
    fn add(&mut self, stencil: &[u32], change: &[[Vec3; TANGENTS]]) {
        for (&v, change) in stencil.iter().zip(change) {
            for (dj, change) in self.dj[v as usize].iter_mut().zip(change) {
                *dj += *change;
            }
        }
    }
}

impl TangentIntegrator {
    /// Starts at tick 0 from `state`, with these variations.
    pub fn new(system: &Arc<System>, state: &State, tangents: &[Tangent]) -> Self {
        let bundles = tangents.chunks(TANGENTS).map(|chunk| Bundle::new(chunk, state.len())).collect();
        let state = State::new(state.positions.clone(), state.velocities.clone(), system.line.quantum);
        Self {
            touching: Touching::new(system, &state),
            regions: Vec::new(),
            spans: system.spans(),
            bundles,
            tangents: tangents.len(),
            turned_at: vec![Tick::START; state.len()],
            now: Tick::START,
            start_is_due: true,
            system: Arc::clone(system),
            state,
        }
    }

    /// The system that is integrated.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The pairs that fire at `tick`, the next instant, and what they do.
    pub fn pairs_at(&self, tick: Tick) -> Option<(&Pairs, Vec<Fired>)> {
        let fired = |touching: &'_ Touching| touching.firing(tick, 1.0, &self.state);
        self.touching.as_ref().map(|touching| (&touching.pairs, fired(touching)))
    }

    /// Pairs inside layers so far, if there is contact.
    pub fn encounters(&self) -> Option<&Encounters> {
        self.touching.as_ref().map(|touching| &touching.met)
    }

    /// Positions at `tick`, in m: nothing may have happened after it, nor be due before it.
    pub fn positions_at(&self, tick: Tick) -> Vec<Vec3> {
        (0..self.state.len()).map(|v| self.state.position_at(v, tick)).collect()
    }

    /// Positions and velocities at `tick`.
    pub fn place_at(&self, tick: Tick) -> Tangent {
        Tangent { dq: self.positions_at(tick), dv: self.state.velocities.clone() }
    }

    /// The variations at `tick`.
    pub fn tangents_at(&self, tick: Tick) -> Vec<Tangent> {
        let of = |i: usize| {
            let (bundle, k) = (&self.bundles[i / TANGENTS], i % TANGENTS);
            let dq = (0..self.state.len()).map(|v| bundle.position_at(v, self.seconds_flown(v, tick))[k]);
            Tangent { dq: dq.collect(), dv: bundle.dv.iter().map(|dv| dv[k]).collect() }
        };
        (0..self.tangents).map(of).collect()
    }

    fn seconds_flown(&self, v: usize, tick: Tick) -> f64 {
        self.state.quantum().seconds_between(self.turned_at[v], tick)
    }

    /// Makes every instant happen that is not after `end`.
    pub fn advance_to(&mut self, end: Tick) -> Result<(), NoMeasurement> {
        if core::mem::take(&mut self.start_is_due) {
            if self.system.start == Start::HalfKick {
                self.fire(Tick::START, &due(&self.system, Tick::START), 0.5)?;
            }
            self.settle(Tick::START)?;
        }
        while let Some(tick) = self.next_instant().filter(|tick| *tick <= end) {
            self.fire(tick, &due(&self.system, tick), 1.0)?;
            self.settle(tick)?;
        }
        Ok(())
    }

    /// The next instant, once started: of an element, of an active layer, or of an update of certificates.
    pub fn next_instant(&self) -> Option<Tick> {
        let contact = self.touching.as_ref().and_then(Touching::next_tick);
        next_instant(&self.spans, self.now).into_iter().chain(contact).min()
    }

    fn settle(&mut self, tick: Tick) -> Result<(), NoMeasurement> {
        self.touching.as_mut().map_or(Ok(()), |touching| touching.update_certificates(tick, &self.state))
    }

    /// One instant: all of `due`, in this order, then all pairs, fire with `fraction` of their steps.
    pub fn fire(&mut self, tick: Tick, due: &[PotentialId], fraction: f64) -> Result<(), NoMeasurement> {
        self.now = tick;
        let mut sums = vec![Vec3::ZERO; self.state.len()];
        let mut touched = vec![false; self.state.len()];
        let mut reached = vec![false; self.state.len()];
        for id in due {
            let family = &self.system.families[id.family as usize];
            let schedule = &self.system.schedules[id.family as usize];
            let element = schedule.order[id.place as usize] as usize;
            let h = fraction * self.state.quantum().step(schedule.spans[element]);

            let stencil = family.stencil(element);
            let x: Vec<Vec3> = stencil.iter().map(|&v| self.state.position_at(v as usize, tick)).collect();
            let mut gradient = vec![Vec3::ZERO; stencil.len()];
            family.gradient_at(element, self.state.quantum().time(tick), &x, &mut gradient);
            for (&v, g) in stencil.iter().zip(gradient) {
                let impulse = g * -h;
                if !impulse.is_zero() {
                    sums[v as usize] += impulse;
                    touched[v as usize] = true;
                }
                reached[v as usize] = true;
            }
            self.add_tangents(*id, element, &x, h, tick)?;
        }
        if let Some(mut touching) = self.touching.take() {
            for fired in touching.fire(tick, fraction, &self.state) {
                let Some(impulses) = touching.pairs.impulses(&fired) else { continue };
                for (&v, impulse) in fired.pair.stencil().iter().zip(impulses) {
                    if !impulse.is_zero() {
                        sums[v as usize] += impulse;
                        touched[v as usize] = true;
                    }
                    reached[v as usize] = true;
                }
                self.add_tangents_of_pair(&touching.pairs, &fired, tick);
            }
            self.touching = Some(touching);
        }
        self.kick(tick, &sums, &touched, &reached)
    }

    /// Adds `−h ∇²V δq` of one potential to every bundle.
    fn add_tangents(
        &mut self,
        id: PotentialId,
        element: usize,
        x: &[Vec3],
        h: f64,
        tick: Tick,
    ) -> Result<(), NoMeasurement> {
        let family = &self.system.families[id.family as usize];
        let stencil = family.stencil(element);
        let flown: Vec<f64> = stencil
            .iter()
            .map(|&v| self.state.quantum().seconds_between(self.turned_at[v as usize], tick))
            .collect();
        let mut out = vec![[Vec3::ZERO; TANGENTS]; stencil.len()];
        for (b, bundle) in self.bundles.iter_mut().enumerate() {
            let dx: Vec<[Vec3; TANGENTS]> =
                stencil.iter().zip(&flown).map(|(&v, &s)| bundle.position_at(v as usize, s)).collect();
            if dx.iter().flatten().all(|d| d.is_zero()) {
                continue;
            }
            family.tangents(element, x, &dx, &mut out).ok_or_else(|| without_tangents(family.kind()))?;
            out.iter_mut().flatten().for_each(|dg| *dg = *dg * -h);
            if b == 0 {
                self.regions.iter_mut().for_each(|region| region.see(stencil, &dx, &out));
            }
            bundle.add(stencil, &out);
        }
        Ok(())
    }

    /// Adds the change of one pair's impulses to every bundle.
    fn add_tangents_of_pair(&mut self, pairs: &Pairs, fired: &Fired, tick: Tick) {
        let stencil = fired.pair.stencil();
        let flown: Vec<f64> = stencil.iter().map(|&v| self.seconds_flown(v as usize, tick)).collect();
        for (b, bundle) in self.bundles.iter_mut().enumerate() {
            let mut dx = [[Vec3::ZERO; TANGENTS]; 4];
            for ((dx, &v), &seconds) in dx.iter_mut().zip(stencil).zip(&flown) {
                *dx = bundle.position_at(v as usize, seconds);
            }
            let dj = pairs.tangents(fired, &dx);
            if b == 0 {
                self.regions.iter_mut().for_each(|region| region.see(stencil, &dx, &dj));
            }
            bundle.add(stencil, &dj);
        }
    }

    fn kick(
        &mut self,
        tick: Tick,
        sums: &[Vec3],
        touched: &[bool],
        reached: &[bool],
    ) -> Result<(), NoMeasurement> {
        for v in 0..self.state.len() {
            let inverse_mass = self.system.inverse_masses[v];
            if touched[v] {
                self.state.kick(v, tick, sums[v].scaled_by(inverse_mass));
                if !self.state.velocities[v].is_finite() {
                    return Err(NoMeasurement::Failed(format!(
                        "vertex {v} is no longer finite at tick {}",
                        tick.0
                    )));
                }
            }
            if reached[v] {
                let flown = self.seconds_flown(v, tick);
                for bundle in &mut self.bundles {
                    bundle.dq[v] = bundle.position_at(v, flown);
                    let dj = core::mem::replace(&mut bundle.dj[v], [Vec3::ZERO; TANGENTS]);
                    for (dv, dj) in bundle.dv[v].iter_mut().zip(dj) {
                        *dv += dj.scaled_by(inverse_mass);
                    }
                }
                self.turned_at[v] = tick;
            }
        }
        Ok(())
    }

    /// Checks that `method`, advanced to the same tick, has the same bits: results of this integrator then hold for the engine.
    pub fn expect_bits_of(&self, method: &dyn Method) -> Result<(), NoMeasurement> {
        if method.state().fingerprint() == self.state.fingerprint() {
            Ok(())
        } else {
            Err(NoMeasurement::Failed(format!("the engine's state at tick {} has other bits", self.now.0)))
        }
    }
}

pub(crate) fn without_tangents(kind: &str) -> NoMeasurement {
    NoMeasurement::Skipped(format!("a {kind} potential gives no second derivatives"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ladder, pinned_ladder, unstretched};
    use crate::{NEVER, Options, clocks};
    use carom_engine::Reference;
    use carom_time::Clocks;
    use proptest::prelude::*;

    fn expect_bits(system: &Arc<System>, state: &State, ends: &[Tick]) {
        let mut oracle = Reference::new(system, state.clone());
        let mut integrator = TangentIntegrator::new(system, state, &[]);
        for &end in ends {
            oracle.advance_to(end, &NEVER).unwrap();
            integrator.advance_to(end).unwrap();
            assert_eq!(integrator.state.fingerprint(), oracle.state().fingerprint());
            assert_eq!(integrator.positions_at(end)[1], oracle.state().position_at(1, end));
            integrator.expect_bits_of(&oracle).unwrap();
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn a_flight_has_the_bits_of_the_reference(
            exact: bool, paper: bool, pinned: bool, ends in prop::collection::btree_set(0_u64..1 << 26, 1..4),
        ) {
            let clocks = if exact { Clocks::Exact } else { Clocks::Dyadic };
            let (system, state) = if pinned { pinned_ladder(clocks) } else { ladder(clocks) };
            let start = if paper { Start::Paper } else { Start::HalfKick };
            let system = Arc::new(clocks::starting(&system, start));
            let ends: Vec<Tick> = ends.into_iter().map(Tick).collect();
            expect_bits(&system, &state, &ends);
        }
    }

    /// The state at `end`, started a little off along `tangent`.
    fn nudged(system: &Arc<System>, state: &State, tangent: &Tangent, amount: f64, end: Tick) -> Tangent {
        let off = |x: &[Vec3], d: &[Vec3]| x.iter().zip(d).map(|(x, d)| *x + *d * amount).collect();
        let state = State::new(
            off(&state.positions, &tangent.dq),
            off(&state.velocities, &tangent.dv),
            system.line.quantum,
        );
        let mut integrator = TangentIntegrator::new(system, &state, &[]);
        integrator.advance_to(end).unwrap();
        integrator.place_at(end)
    }

    fn expect_differences(system: &Arc<System>, state: &State) {
        let end = Tick(system.spans().last().unwrap().quanta() * 3);
        let mut random = Random::new(3);
        let tangents: Vec<Tangent> = (0..8).map(|_| Tangent::random(system, 3.0, &mut random)).collect();
        let mut integrator = TangentIntegrator::new(system, state, &tangents);
        integrator.advance_to(end).unwrap();
        let d = 1e-5;
        for (start, image) in tangents.iter().zip(integrator.tangents_at(end)) {
            let [forth, back] = [d, -d].map(|d| nudged(system, state, start, d, end));
            for v in 0..state.len() {
                let dq = (forth.dq[v] - back.dq[v]) * (0.5 / d);
                let dv = (forth.dv[v] - back.dv[v]) * (0.5 / d);
                assert!((image.dq[v] - dq).length() < 1e-7, "{:?} against {dq:?}", image.dq[v]);
                assert!((image.dv[v] - dv).length() < 1e-6, "{:?} against {dv:?}", image.dv[v]);
            }
        }
    }

    #[test]
    fn tangents_are_the_limit_of_differences() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            let (system, state) = ladder(clocks);
            expect_differences(&system, &state);
            let (system, state) = pinned_ladder(clocks);
            expect_differences(&system, &state);
        }
    }

    #[test]
    fn a_vertex_that_no_force_reaches_is_not_touched_and_its_tangents_turn_all_the_same() {
        for speed in [0.0, 0.3] {
            let (system, state) = unstretched(speed);
            let end = Tick(system.spans()[0].quanta() * 3);
            expect_bits(&system, &state, &[end]);
            expect_differences(&system, &state);
            let mut integrator = TangentIntegrator::new(&system, &state, &[]);
            integrator.advance_to(end).unwrap();
            assert_eq!(integrator.state.kicked_at, [Tick::START; 2]);
            assert_eq!(integrator.turned_at, [end; 2]);
        }
    }

    #[test]
    fn an_engine_with_other_bits_is_noticed() {
        let (system, state) = ladder(Clocks::Dyadic);
        let end = Tick(system.spans().last().unwrap().quanta());
        let mut integrator = TangentIntegrator::new(&system, &state, &[]);
        integrator.advance_to(end).unwrap();
        let mut other = state.clone();
        other.velocities[4].y += 1e-14;
        let mut engine = Options::default().launch(&system, &other);
        engine.advance_to(end, &NEVER).unwrap();
        assert!(integrator.expect_bits_of(engine.as_ref()).is_err());
    }
}
