//! The pairs of a flight: which fire when, their impulses, and the tangents of these.
//!
//! A watch names the ticks and the pairs that may push; what they do there is read off each pair literally, every
//! layer whose step divides the tick. A layer that the watch lets sleep has exactly no force, so nothing is missed.

use std::sync::Arc;

use carom_contact::{Catalogue, Motion, Pair, Visited, Watch, WatchKind, start_watch};
use carom_math::{Dual, Vec3};
use carom_model::{Kicks, PairId, State, System, TANGENTS};
use carom_time::Tick;

use crate::report::Unfound;

/// The pairs of a system in flight.
pub(crate) struct Touching {
    catalogue: Catalogue,
    watch: Box<dyn Watch>,
    /// Scratch for a watch that wants to kick: flights sum for themselves.
    unused: Kicks,
}

/// A pair that fires, with its vertices where they are.
pub(crate) struct Fired {
    pub pair: Pair,
    x: [Vec3; 4],
    /// The layers that fire, layer 1 in the lowest bit.
    layers: u64,
    fraction: f64,
}

impl Touching {
    /// At tick 0; `None` if the system has no contact.
    pub fn new(system: &Arc<System>, state: &State) -> Option<Self> {
        system.contact.as_ref()?;
        let own_numbers = (0..system.vertices() as u32).collect();
        Some(Self {
            catalogue: Catalogue::with_own_numbers(system),
            watch: start_watch(WatchKind::Certificates, system, own_numbers, &Motion::of(state)),
            unused: Kicks::new(system.vertices()),
        })
    }

    /// The next tick at which a layer may fire or the watch must look.
    pub fn next_tick(&self) -> Option<Tick> {
        self.watch.next_tick()
    }

    /// The pairs that fire at `tick` with `fraction` of their steps, in the order of ids.
    pub fn due(&mut self, tick: Tick, fraction: f64, state: &State) -> Vec<Fired> {
        let firing: Vec<u64> = self.catalogue.all_layers().iter().map(|l| l.firing_at(tick)).collect();
        let fired = |id: PairId| {
            let pair = self.catalogue.pair(id)?;
            let x = Catalogue::positions(&pair, |v| state.position_at(v as usize, tick));
            let layers = firing[pair.layers as usize];
            (layers != 0).then_some(Fired { pair, x, layers, fraction })
        };
        let due = self.watch.awake().into_iter().filter_map(fired).collect();
        self.watch.kick(tick, fraction, &Motion::of(state), &mut self.unused, &mut Vec::new());
        due
    }

    /// The impulses of a pair on its vertices; `None` if no layer pushes.
    pub fn impulses(&self, fired: &Fired) -> Option<[Vec3; 4]> {
        let Fired { pair, x, .. } = fired;
        pair.pushes(self.catalogue.layers_of(pair), x, &pair.measure(x), |l, layer| {
            fired.step_s(l, layer.step_s)
        })
    }

    /// How these impulses change as the vertices move along `dx`.
    pub fn tangents(&self, fired: &Fired, dx: &[[Vec3; TANGENTS]; 4]) -> [[Vec3; TANGENTS]; 4] {
        let Fired { pair, x, .. } = fired;
        let lift = |x: f64, d: [f64; TANGENTS]| Dual::new(x, d);
        let x: [Vec3<Dual<TANGENTS>>; 4] = core::array::from_fn(|i| {
            let (x, d) = (x[i], dx[i]);
            Vec3::new(lift(x.x, d.map(|d| d.x)), lift(x.y, d.map(|d| d.y)), lift(x.z, d.map(|d| d.z)))
        });
        let pushes = pair.pushes(self.catalogue.layers_of(pair), &x, &pair.measure(&x), |l, layer| {
            fired.step_s(l, layer.step_s)
        });
        pushes.map_or([[Vec3::ZERO; TANGENTS]; 4], |pushes| {
            pushes
                .map(|p| core::array::from_fn(|k| Vec3::new(p.x.tangent[k], p.y.tangent[k], p.z.tangent[k])))
        })
    }

    /// Told after the kicks of `tick`.
    pub fn settle(&mut self, tick: Tick, state: &State) -> Result<(), Unfound> {
        let all = Visited { prefix: state.len() as u32, others: &[] };
        let squeezed = |_| Unfound::Failed(format!("a pair is squeezed to nothing at tick {}", tick.0));
        self.watch.settle(tick, &Motion::of(state), all).map_err(squeezed)
    }
}

impl Fired {
    fn step_s(&self, l: u32, step_s: f64) -> f64 {
        if self.layers >> (l - 1) & 1 == 1 { self.fraction * step_s } else { 0.0 }
    }
}
