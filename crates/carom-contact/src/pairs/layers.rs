//! Nested layers of penalty potentials.
//!
//! Layer l is a potential of the distance d, zero outside thickness `η_l`. Thickness falls to zero
//! while the work to close the gap diverges, so no energy is enough to touch; steps fall faster
//! than thickness, so no speed can skip all layers [Harmon2009, §4].
//!
//! | family | thickness `η_l` | `r_l` | step `h_l` | energy at gap `g = η_l − d > 0` |
//! | --- | --- | --- | --- | --- |
//! | `acm` | `η₁ l^(−1/4)` | `r₁ l³` | `h₁ l^(−3/2)` | `½ r_l g²` |
//! | `nested` | `η₁ 2^(−(l−1)/2)` | `r₁ 4^(l−1)` | `h₁ 2^(−(l−1))` | `(r_l w²/4)(g/w)⁴`, `w = 2(η_l − η_{l+1})` |
//! | `window` | `η₁ 2^(−(l−1)/4)` | `r₁ 4^(l−1)` | `h₁ 2^(−(l−1))` | `A r_l η_l b (x⁴/4 − 2x⁵/5 + x⁶/6)`, `x = clamp(g/b, 0, 1)`, `b = η_l − η_{l+6}`, `A = 10.8` |
//!
//! | `hertz` | any | `E*` | `h₁` | `2/5 E* g^(5/2)` for each √m of weight: one layer, which can be pressed through |
//!
//! `window` layers push only while d is in `(η_{l+6}, η_l)`: a layer lets go where faster layers have
//! taken over, so its slow clock cannot resonate with the stiff contact.

use carom_geometry::nearest::Scalar;
use carom_math::{LANES, Lanes, Plain, Real, Width};
use carom_model::{LayerFamily, LayerSpec};
use carom_time::{Quantum, Span, Tick};

/// Over how many deeper thicknesses a `window` layer pushes.
const WINDOW: u32 = 6;

/// Strength of a `window` layer: makes the stiffness of all layers together about `r_l` at `η_l`.
const STRENGTH: f64 = 10.8;

/// `2^(−k/4)` for k = 0..4, correctly rounded.
const QUARTER_POWERS: [f64; 4] =
    [1.0, 0.840_896_415_253_714_6, core::f64::consts::FRAC_1_SQRT_2, 0.594_603_557_501_360_5];

/// One layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// Thickness `η_l`, in m.
    pub thickness: f64,
    /// Over how much distance the force rises and, for `window`, falls again, in m.
    width: f64,
    /// Force scale: `r_l` times a length, in N for each m² of weight.
    strength: f64,
    /// The step.
    pub span: Span,
    /// The step `h_l`, in s.
    pub step_s: f64,
}

/// All layers between two bodies, down to the cap.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    spec: LayerSpec,
    /// From the first to the deepest.
    table: Vec<Layer>,
    /// Thickness of the layer below the deepest: nothing may come nearer.
    minimum_gap: f64,
}

/// Thickness `η_l` of layer `l` ≥ 1, in m.
fn thickness_of(spec: &LayerSpec, l: u32) -> f64 {
    let quarters = match spec.family {
        LayerFamily::Acm => return spec.thickness / f64::from(l).sqrt().sqrt(),
        LayerFamily::Hertz => return if l == 1 { spec.thickness } else { f64::NEG_INFINITY },
        LayerFamily::Nested => 2 * (l - 1),
        LayerFamily::Window => l - 1,
    };
    spec.thickness * QUARTER_POWERS[quarters as usize % 4] * 2f64.powi(-((quarters / 4) as i32))
}

/// Stiffness `r_l` of layer `l`.
fn stiffness_of(spec: &LayerSpec, l: u32) -> f64 {
    match spec.family {
        LayerFamily::Acm => spec.stiffness * f64::from(l).powi(3),
        LayerFamily::Hertz => spec.stiffness,
        LayerFamily::Nested | LayerFamily::Window => spec.stiffness * 2f64.powi(2 * (l as i32 - 1)),
    }
}

/// Step `h_l` of layer `l`, rounded down; `None` where it is shorter than a quantum: the layer cap.
#[must_use]
pub fn step_of_layer(spec: &LayerSpec, l: u32) -> Option<Span> {
    match spec.family {
        LayerFamily::Hertz => (l == 1).then_some(spec.span),
        _ if spec.one_clock => Some(spec.span),
        LayerFamily::Acm => {
            Span::new((spec.span.quanta() as f64 / (f64::from(l) * f64::from(l).sqrt())) as u64)
        }
        LayerFamily::Nested | LayerFamily::Window => Span::new(spec.span.quanta().checked_shr(l - 1)?),
    }
}

/// How many layers `spec` has: at most `max_layers`, and none whose step is shorter than a quantum.
#[must_use]
pub fn layer_count(spec: &LayerSpec, max_layers: u32) -> u32 {
    (1..=max_layers).map_while(|l| step_of_layer(spec, l)).count() as u32
}

impl Layers {
    /// The layers of `spec`: at most `max_layers`, and none whose step is shorter than a quantum.
    #[must_use]
    pub fn new(spec: &LayerSpec, max_layers: u32, quantum: Quantum) -> Self {
        let layer = |l: u32| {
            let span = step_of_layer(spec, l)?;
            let (thickness, stiffness) = (thickness_of(spec, l), stiffness_of(spec, l));
            let (width, strength) = match spec.family {
                LayerFamily::Acm => (thickness, stiffness * thickness),
                // The overlap itself, in m.
                LayerFamily::Hertz => (1.0, stiffness),
                LayerFamily::Nested => {
                    let width = 2.0 * (thickness - thickness_of(spec, l + 1));
                    (width, stiffness * width)
                }
                LayerFamily::Window => {
                    (thickness - thickness_of(spec, l + WINDOW), STRENGTH * stiffness * thickness)
                }
            };
            Some(Layer { thickness, width, strength, span, step_s: quantum.step(span) })
        };
        let table: Vec<Layer> = (1..=max_layers).map_while(layer).collect();
        let minimum_gap = thickness_of(spec, table.len() as u32 + 1);
        Self { spec: *spec, table, minimum_gap }
    }

    /// What they were made from.
    #[must_use]
    pub fn spec(&self) -> &LayerSpec {
        &self.spec
    }

    /// The deepest layer that may push.
    #[must_use]
    pub fn deepest(&self) -> u32 {
        self.table.len() as u32
    }

    /// Thickness of the layer below the deepest, in m: nothing may come nearer.
    #[must_use]
    pub fn minimum_gap(&self) -> f64 {
        self.minimum_gap
    }

    /// Layer `l`, from 1 to the deepest.
    #[inline]
    #[must_use]
    pub fn layer(&self, l: u32) -> &Layer {
        &self.table[l as usize - 1]
    }

    /// Thickness of layer `l`, in m; of the one below the deepest, the minimum gap.
    #[inline]
    #[must_use]
    pub fn thickness(&self, l: u32) -> f64 {
        self.table.get(l as usize - 1).map_or(self.minimum_gap, |layer| layer.thickness)
    }

    /// From the thickness of layer `l` to that of the next, in m: how early it becomes active counts in this. The only layer of Hertz
    /// ends nowhere; a tenth of it is as good.
    #[inline]
    #[must_use]
    pub fn band(&self, l: u32) -> f64 {
        if self.is_soft() { 0.1 * self.spec.thickness } else { self.thickness(l) - self.thickness(l + 1) }
    }

    /// Whether they give way to any force that is strong enough: something else must keep the pair apart.
    #[inline]
    #[must_use]
    pub fn is_soft(&self) -> bool {
        self.spec.family == LayerFamily::Hertz
    }

    /// How many layers reach as far as `distance`.
    #[must_use]
    pub fn depth_at(&self, distance: f64) -> u32 {
        self.table.iter().take_while(|layer| distance < layer.thickness).count() as u32
    }

    /// Those of the first `count` layers that fire at `tick`, layer 1 in the lowest bit.
    #[must_use]
    pub fn firing_at(&self, tick: Tick, count: u32) -> u64 {
        let fires = |layer: &Layer| u64::from(tick.is_multiple_of(layer.span));
        self.table[..count as usize].iter().enumerate().fold(0, |mask, (i, layer)| mask | (fires(layer) << i))
    }

    /// Force and energy at distance `d`, for each m² of weight, of the layers from `first` on, each times what
    /// `factor` says of it: positive forces push apart. Summed by depth; what does not push adds exactly nothing.
    #[inline]
    pub fn sums<S: Scalar>(&self, first: u32, d: S, factor: impl Fn(u32, &Layer) -> f64) -> [S; 2] {
        let (mut force, mut energy) = (S::zero(), S::zero());
        for (l, layer) in (first..).zip(&self.table[first as usize - 1..]) {
            if d.plain() >= layer.thickness {
                break;
            }
            let factor = factor(l, layer);
            if factor != 0.0 {
                let [f, e] = self.force_and_energy(layer, d);
                force = force + f * factor;
                energy = energy + e * factor;
            }
        }
        [force, energy]
    }

    /// [`Layers::sums`] with factors of 1, and with `factor`.
    #[inline]
    pub(crate) fn plain_and_times(&self, first: u32, d: f64, factor: impl Fn(u32) -> f64) -> [[f64; 2]; 2] {
        let (mut plain, mut times) = ([0.0; 2], [0.0; 2]);
        for (l, layer) in (first..).zip(&self.table[first as usize - 1..]) {
            if d >= layer.thickness {
                break;
            }
            let (force_and_energy, factor) = (self.force_and_energy(layer, d), factor(l));
            for i in 0..2 {
                plain[i] += force_and_energy[i];
                if factor != 0.0 {
                    times[i] += force_and_energy[i] * factor;
                }
            }
        }
        [plain, times]
    }

    /// The steps of the layers from `first` on that push at distance `d`, of those that fire, and what each gives at a tick, in N·s for
    /// each m² of weight.
    pub(crate) fn parts(
        &self,
        first: u32,
        d: f64,
        fires: impl Fn(u32) -> bool,
    ) -> impl Iterator<Item = (Span, f64)> {
        let near = (first..)
            .zip(&self.table[first as usize - 1..])
            .take_while(move |(_, layer)| d < layer.thickness);
        let due = near.filter(move |(l, _)| fires(*l));
        due.map(move |(_, layer)| (layer.span, layer.step_s * self.force_and_energy(layer, d)[0]))
            .filter(|(_, j)| *j != 0.0)
    }

    /// [`Layers::sums`] of eight distances side by side; of each pair those of its layers in `firing` count, layer 1 in the lowest bit, with `fraction` of their steps.
    #[inline(always)]
    pub(crate) fn sums_of_eight<W: Width>(
        &self,
        width: W,
        firing: &[u64; LANES],
        d: W::Numbers,
        fraction: f64,
    ) -> [W::Numbers; 2] {
        let (mut any, mut all) = (0, u64::MAX);
        for own in firing {
            (any, all) = (any | own, all & own);
        }
        let (mut force, mut energy) = (W::Numbers::zero(), W::Numbers::zero());
        let deepest = (u64::BITS - any.leading_zeros()) as usize;
        for l in 0..deepest {
            let layer = &self.table[l];
            if any >> l & 1 == 0 {
                continue;
            }
            let reaches = if all >> l & 1 == 1 {
                Real::constant(layer.thickness)
            } else {
                // Those that do not fire reach nowhere.
                let mut reaches = Lanes([f64::NEG_INFINITY; LANES]);
                for lane in 0..LANES {
                    if firing[lane] >> l & 1 == 1 {
                        reaches.0[lane] = layer.thickness;
                    }
                }
                width.load(&reaches)
            };
            let (factor, [f, e]) = (fraction * layer.step_s, self.force_and_energy(layer, d));
            force = (force + f * factor).where_below(d, reaches, force);
            energy = (energy + e * factor).where_below(d, reaches, energy);
        }
        [force, energy]
    }

    /// Force and energy of one layer at `d` below its thickness.
    #[inline(always)]
    fn force_and_energy<S: Real>(&self, layer: &Layer, d: S) -> [S; 2] {
        let &Layer { thickness, width, strength, .. } = layer;
        let one = S::constant(1.0);
        let x = (S::constant(thickness) - d) / S::constant(width);
        match self.spec.family {
            LayerFamily::Acm => [x * strength, x * x * (0.5 * strength * width)],
            LayerFamily::Hertz => {
                let force = x * x.sqrt() * strength;
                [force, force * x * 0.4]
            }
            LayerFamily::Nested => {
                let x3 = x * x * x;
                [x3 * strength, x3 * x * (0.25 * strength * width)]
            }
            LayerFamily::Window => {
                let x = one.where_nonzero(x.where_above(one, S::zero()), x);
                let (x3, rest) = (x * x * x, one - x);
                let shape = S::constant(0.25) - x * 0.4 + x * x * (1.0 / 6.0);
                [x3 * (rest * rest) * strength, x3 * x * shape * (strength * width)]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_model::Law;
    use proptest::prelude::*;

    const FAMILIES: [LayerFamily; 3] = [LayerFamily::Acm, LayerFamily::Nested, LayerFamily::Window];

    fn layers(family: LayerFamily) -> Layers {
        let spec = LayerSpec {
            family,
            thickness: 0.01,
            stiffness: 300.0,
            span: Span::new(1 << 20).unwrap(),
            one_clock: false,
            law: Law::IDEAL,
            friction_window: Span::ONE,
        };
        Layers::new(&spec, 40, Quantum::new(1e-9))
    }

    fn force(layers: &Layers, l: u32, d: f64) -> f64 {
        layers.sums(1, d, |i, _| f64::from(u8::from(i == l)))[0]
    }

    fn energy(layers: &Layers, l: u32, d: f64) -> f64 {
        layers.sums(1, d, |i, _| f64::from(u8::from(i == l)))[1]
    }

    /// Stiffness of all layers together at `d`, by central differences of the total force.
    fn total_stiffness(layers: &Layers, d: f64, deepest: u32) -> f64 {
        let force = |d: f64| (1..=deepest).map(|l| force(layers, l, d)).sum::<f64>();
        let step = 1e-5 * d;
        (force(d - step) - force(d + step)) / (2.0 * step)
    }

    proptest! {
        #[test]
        fn the_force_is_minus_the_slope_of_the_energy(l in 1_u32..20, depth in 0.01..0.99f64) {
            for family in FAMILIES {
                let layers = layers(family);
                let d = layers.thickness(l) * depth;
                let step = 1e-6 * d;
                let slope = (energy(&layers, l, d + step) - energy(&layers, l, d - step)) / (2.0 * step);
                let scale = stiffness_of(layers.spec(), l) * layers.thickness(l);
                prop_assert!((force(&layers, l, d) + slope).abs() < 1e-7 * scale, "{family:?}");
            }
        }

        #[test]
        fn a_layer_pushes_inside_its_thickness_and_outside_has_exactly_no_force(l in 1_u32..20, d in 0.0..0.02f64) {
            for family in FAMILIES {
                let layers = layers(family);
                let inside = d < layers.thickness(l);
                let lets_go = family == LayerFamily::Window && d <= thickness_of(layers.spec(), l + WINDOW);
                prop_assert_eq!(inside && !lets_go, force(&layers, l, d) > 0.0, "{:?}", family);
            }
        }
    }

    #[test]
    fn the_layer_of_hertz_has_his_force_and_energy_and_can_be_pressed_through() {
        let layers = layers(LayerFamily::Hertz);
        assert_eq!((layers.deepest(), layers.minimum_gap()), (1, f64::NEG_INFINITY));
        for overlap in [1e-6_f64, 1e-3, 0.5] {
            let [force, energy] = layers.sums(1, 0.01 - overlap, |_, _| 1.0);
            assert!((force / (300.0 * overlap.powf(1.5)) - 1.0).abs() < 1e-9, "{overlap}");
            assert!((energy / (120.0 * overlap.powf(2.5)) - 1.0).abs() < 1e-9, "{overlap}");
        }
        assert_eq!(layers.sums(1, 0.01, |_, _| 1.0), [0.0, 0.0]);
    }

    #[test]
    fn the_work_to_close_the_gap_diverges() {
        for family in FAMILIES {
            let layers = layers(family);
            let work = |deepest: u32| {
                let d = layers.thickness(deepest + 1);
                (1..=deepest).map(|l| energy(&layers, l, d)).sum::<f64>()
            };
            assert!(work(20) > 8.0 * work(10) && work(10) > 8.0 * work(5), "{family:?}");
        }
    }

    #[test]
    fn steps_fall_faster_than_thickness_so_no_speed_skips_all_layers() {
        for family in FAMILIES {
            let layers = layers(family);
            let ratio = |l: u32| layers.layer(l).span.quanta() as f64 / layers.thickness(l);
            assert!(ratio(16) < 0.1 * ratio(1) && ratio(16) < ratio(8), "{family:?}");
        }
    }

    #[test]
    fn the_stiffness_of_all_window_layers_together_stays_in_step_with_the_deepest_clock() {
        let layers = layers(LayerFamily::Window);
        let first = layers.spec().span.quanta() as f64;
        for deepest in 6..=20 {
            let h = layers.layer(deepest).span.quanta() as f64 / first;
            let (outer, inner) = (layers.thickness(deepest), layers.thickness(deepest + 1));
            for step in 0..50 {
                let d = inner + (outer - inner) * (f64::from(step) + 0.5) / 50.0;
                let number = h * h * total_stiffness(&layers, d, deepest + 1) / layers.spec().stiffness;
                assert!((0.2..1.8).contains(&number), "layer {deepest}: {number}");
            }
        }
    }

    #[test]
    fn layers_end_where_their_step_is_shorter_than_a_quantum() {
        for family in [LayerFamily::Nested, LayerFamily::Window] {
            let layers = layers(family);
            assert_eq!((layers.deepest(), layers.layer(21).span), (21, Span::ONE));
            assert_eq!(layers.thickness(22), layers.minimum_gap());
        }
    }

    #[test]
    fn at_a_tick_those_layers_fire_whose_step_divides_it() {
        let layers = layers(LayerFamily::Window);
        assert_eq!(layers.firing_at(Tick(0), 21), (1 << 21) - 1);
        assert_eq!(layers.firing_at(Tick(3 << 19), 21), ((1 << 21) - 1) & !1);
        assert_eq!(layers.firing_at(Tick(1), 21), 1 << 20);
    }
}
