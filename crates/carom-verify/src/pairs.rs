//! Pairs in contact as potentials of the action: what fires at a tick, its impulses, their tangents, its energy.
//!
//! A layer of a pair is a potential like any other, with a step of its own and a Hessian wherever it is smooth. It fires
//! at all multiples of its step; outside its thickness it has no energy in a whole neighbourhood, so it adds
//! nothing to the action, to its derivative or to a tangent, and the instants at which only such layers fire may be left
//! out of Ξ: trajectory and variations are straight there.
//!
//! **Never here:** which pairs are active, which `touching` says.

use carom_contact::{Layer, Pair, PairRules, near_pairs};
use carom_math::{Dual, Vec3};
use carom_model::{PairId, System, TANGENTS};
use carom_time::Tick;

/// All pairs of a system.
pub(crate) struct Pairs(PairRules);

/// A pair that fires, with its vertices where they are.
pub(crate) struct Fired {
    pub pair: Pair,
    x: [Vec3; 4],
    /// The layers that fire, layer 1 in the lowest bit.
    layers: u64,
    fraction: f64,
}

impl Pairs {
    /// `None` if the system has no contact.
    pub fn new(system: &System) -> Option<Self> {
        system.contact.as_ref().map(|_| Self(PairRules::with_own_numbers(system)))
    }

    /// The pairs of `ids` with a layer that fires at `tick`, with `fraction` of its step and vertex `v` at `at(v)`.
    pub fn firing(
        &self,
        ids: impl IntoIterator<Item = PairId>,
        tick: Tick,
        fraction: f64,
        at: impl Fn(u32) -> Vec3,
    ) -> Vec<Fired> {
        let firing: Vec<u64> = self.0.all_layers().iter().map(|l| l.firing_at(tick, l.deepest())).collect();
        let fired = |id: PairId| {
            let pair = self.0.pair(id)?;
            let layers = firing[pair.layers as usize];
            (layers != 0).then(|| Fired { x: PairRules::positions(&pair, &at), pair, layers, fraction })
        };
        ids.into_iter().filter_map(fired).collect()
    }

    /// All pairs of the scene within their layers that fire at `tick`, found by a search over all pairs, independent of the engine's active
    /// set.
    pub fn searched(&self, tick: Tick, x: &[Vec3]) -> Vec<Fired> {
        let near = near_pairs(&self.0, x).into_iter().map(|found| found.pair.id);
        self.firing(near, tick, 1.0, |v| x[v as usize])
    }

    /// How many layers a pair is inside of, with vertex `v` at `at(v)`; 0 if it is left out of the scene's pairs.
    pub fn depth(&self, id: PairId, at: impl Fn(u32) -> Vec3) -> u32 {
        self.0.pair(id).map_or(0, |pair| {
            let distance = pair.measure(&PairRules::positions(&pair, at)).distance;
            (self.0.layers_of(&pair).depth_at(distance) + 1).saturating_sub(pair.first_layer)
        })
    }

    /// The impulses of a pair on its vertices; `None` if no layer pushes.
    pub fn impulses(&self, fired: &Fired) -> Option<[Vec3; 4]> {
        let Fired { pair, x, .. } = fired;
        pair.impulses(self.0.layers_of(pair), x, &pair.measure(x), |l, layer| fired.step_s(l, layer))
    }

    /// Derivatives of the impulses as the vertices move along `dx`.
    pub fn tangents(&self, fired: &Fired, dx: &[[Vec3; TANGENTS]; 4]) -> [[Vec3; TANGENTS]; 4] {
        let (pair, x) = (&fired.pair, fired.lifted(dx));
        let pushes =
            pair.impulses(self.0.layers_of(pair), &x, &pair.measure(&x), |l, layer| fired.step_s(l, layer));
        pushes.map_or([[Vec3::ZERO; TANGENTS]; 4], |pushes| {
            pushes
                .map(|p| core::array::from_fn(|k| Vec3::new(p.x.tangent[k], p.y.tangent[k], p.z.tangent[k])))
        })
    }

    /// The slope of `Σ h V` along `dx`, from the energy alone, without gradients.
    pub fn energy_slope(&self, fired: &Fired, dx: &[Vec3; 4]) -> f64 {
        let (pair, x) = (&fired.pair, fired.lifted(&dx.map(|d| [d])));
        let energy = pair
            .energy_times(self.0.layers_of(pair), &x, &pair.measure(&x), |l, layer| fired.step_s(l, layer));
        energy.tangent[0]
    }
}

impl Fired {
    /// The step of layer `l` if it fires, in s.
    fn step_s(&self, l: u32, layer: &Layer) -> f64 {
        if self.layers >> (l - 1) & 1 == 1 { self.fraction * layer.step_s } else { 0.0 }
    }

    /// The positions, moving along `dx`.
    fn lifted<const K: usize>(&self, dx: &[[Vec3; K]; 4]) -> [Vec3<Dual<K>>; 4] {
        core::array::from_fn(|i| {
            let (x, d) = (self.x[i], dx[i]);
            let axis = |x: f64, of: fn(Vec3) -> f64| Dual::new(x, d.map(of));
            Vec3::new(axis(x.x, |d| d.x), axis(x.y, |d| d.y), axis(x.z, |d| d.z))
        })
    }
}
