//! The layers between two bodies: how thick, how fast, how strong.
//!
//! Layer `l = 1, 2, …` of a family with first thickness `η₁`, stiffness `r₁` and step `h₁`, at a distance `d < η_l`, for each unit of the
//! pair's weight:
//!
//! | family | thickness `η_l` | stiffness `r_l` | step, in whole quanta, rounded down | force and energy |
//! | --- | --- | --- | --- | --- |
//! | `acm` | `η₁ / l^(1/4)` | `r₁ l³` | `h₁ / l^(3/2)` | `r g`, `½ r g²`, with `g = η_l − d` |
//! | `nested` | `η₁ 2^(−(l−1)/2)` | `r₁ 4^(l−1)` | `h₁ / 2^(l−1)` | `r b x³`, `¼ r b² x⁴`, with `b = 2(η_l − η_{l+1})`, `x = g/b` |
//! | `window` | `η₁ 2^(−(l−1)/4)` | `r₁ 4^(l−1)` | `h₁ / 2^(l−1)` | `A x³(1−x)²`, `A b x⁴(¼ − 2x/5 + x²/6)`, with `b = η_l − η_{l+6}`, `x = min(g/b, 1)`, `A = 10.8 r η_l` |
//! | `hertz` | `η₁`, one layer | `r₁` | `h₁` | `r g^(3/2)`, `2/5 r g^(5/2)` |
//!
//! There are at most `max_layers`, and none whose step is shorter than a quantum. The thickness of the next one is the *floor*: nothing
//! may come nearer. Layers that fire together are summed by depth, from the first on.

use carom_model::{LayerFamily, LayerSpec};
use carom_time::{Quantum, Span, Tick};

/// `2^(−k/4)` for k from 0 to 3.
const ROOTS: [f64; 4] =
    [1.0, 0.840_896_415_253_714_6, core::f64::consts::FRAC_1_SQRT_2, 0.594_603_557_501_360_5];

/// One layer.
pub(super) struct Layer {
    /// Thickness, in m.
    pub thickness_m: f64,
    /// The distance that makes `x = 1`, in m.
    width_m: f64,
    /// What the force is a multiple of, in N for each m² of weight.
    strength: f64,
    /// The step.
    pub span: Span,
    /// The step, in s.
    pub step_s: f64,
}

/// All layers that one specification asks for.
pub(super) struct Layers {
    pub spec: LayerSpec,
    /// From the first to the deepest.
    pub list: Vec<Layer>,
    /// Thickness of the layer below the deepest, in m; of `hertz`, which may be pressed through, minus infinity.
    pub floor_m: f64,
}

impl Layers {
    pub fn new(spec: &LayerSpec, max_layers: u32, quantum: Quantum) -> Self {
        let mut list = Vec::new();
        for l in 1..=max_layers {
            let Some(span) = span_of(spec, l) else { break };
            let (eta, r) = (thickness(spec, l), stiffness(spec, l));
            let (width_m, strength) = match spec.family {
                LayerFamily::Acm => (eta, r * eta),
                LayerFamily::Nested => {
                    let b = 2.0 * (eta - thickness(spec, l + 1));
                    (b, r * b)
                }
                LayerFamily::Window => (eta - thickness(spec, l + 6), 10.8 * r * eta),
                LayerFamily::Hertz => (1.0, r),
            };
            list.push(Layer { thickness_m: eta, width_m, strength, span, step_s: quantum.step(span) });
        }
        let floor_m = thickness(spec, list.len() as u32 + 1);
        Self { spec: *spec, list, floor_m }
    }

    /// Thickness of layer `l`, from 1 on; below the deepest the floor, in m.
    pub fn thickness_m(&self, l: usize) -> f64 {
        if l <= self.list.len() { self.list[l - 1].thickness_m } else { self.floor_m }
    }

    /// How many layers are thicker than `distance_m`.
    pub fn depth_at(&self, distance_m: f64) -> u32 {
        let mut depth = 0;
        while (depth as usize) < self.list.len() && distance_m < self.list[depth as usize].thickness_m {
            depth += 1;
        }
        depth
    }

    /// Whether some layer fires at `tick`.
    pub fn fires_at(&self, tick: Tick) -> bool {
        self.list.iter().any(|layer| tick.is_multiple_of(layer.span))
    }

    /// `Σ h_l F_l` and `Σ h_l V_l` over the layers from `first` on that fire at `tick`, each with `fraction` of its step.
    pub fn impulse_and_action(
        &self,
        first: usize,
        distance_m: f64,
        (tick, fraction): (Tick, f64),
    ) -> [f64; 2] {
        let (mut impulse, mut action) = (0.0, 0.0);
        for layer in self.around(first, distance_m) {
            if tick.is_multiple_of(layer.span) {
                let h = fraction * layer.step_s;
                let [force, energy] = self.force_and_energy(layer, distance_m);
                impulse += force * h;
                action += energy * h;
            }
        }
        [impulse, action]
    }

    /// `Σ w_l F_l` and `Σ w_l V_l` over the layers from `first` on, `weights_s` those of all layers, in s.
    pub fn weighted(&self, first: usize, distance_m: f64, weights_s: &[f64]) -> [f64; 2] {
        let (mut impulse, mut action) = (0.0, 0.0);
        for (layer, weight_s) in self.around(first, distance_m).zip(&weights_s[first - 1..]) {
            let [force, energy] = self.force_and_energy(layer, distance_m);
            impulse += force * weight_s;
            action += energy * weight_s;
        }
        [impulse, action]
    }

    /// The step of each layer from `first` on that fires at `tick` and pushes, and the whole impulse it gives, in N·s for each unit of weight.
    pub fn parts(&self, first: usize, distance_m: f64, tick: Tick) -> Vec<(Span, f64)> {
        let mut parts = Vec::new();
        for layer in self.around(first, distance_m) {
            let impulse = layer.step_s * self.force_and_energy(layer, distance_m)[0];
            if tick.is_multiple_of(layer.span) && impulse != 0.0 {
                parts.push((layer.span, impulse));
            }
        }
        parts
    }

    /// The energy of all layers from `first` on, in J for each unit of weight.
    pub fn energy(&self, first: usize, distance_m: f64) -> f64 {
        let mut sum = 0.0;
        for layer in self.around(first, distance_m) {
            sum += self.force_and_energy(layer, distance_m)[1];
        }
        sum
    }

    /// The layers from `first` on that are thicker than the distance.
    fn around(&self, first: usize, distance_m: f64) -> impl Iterator<Item = &Layer> {
        self.list[first - 1..].iter().take_while(move |layer| distance_m < layer.thickness_m)
    }

    /// Force, in N, and energy, in J, of one layer for each unit of weight, at a distance below its thickness.
    fn force_and_energy(&self, layer: &Layer, distance_m: f64) -> [f64; 2] {
        let (b, strength) = (layer.width_m, layer.strength);
        let x = (layer.thickness_m - distance_m) / b;
        match self.spec.family {
            LayerFamily::Acm => [x * strength, x * x * (0.5 * strength * b)],
            LayerFamily::Nested => {
                let cube = x * x * x;
                [cube * strength, cube * x * (0.25 * strength * b)]
            }
            LayerFamily::Window => {
                let x = if x > 1.0 { 1.0 } else { x };
                let cube = x * x * x;
                let shape = 0.25 - x * 0.4 + x * x * (1.0 / 6.0);
                [cube * ((1.0 - x) * (1.0 - x)) * strength, cube * x * shape * (strength * b)]
            }
            LayerFamily::Hertz => {
                let force = x * x.sqrt() * strength;
                [force, force * x * 0.4]
            }
        }
    }
}

/// Thickness of layer `l`, in m.
fn thickness(spec: &LayerSpec, l: u32) -> f64 {
    let root = |quarters: u32| ROOTS[quarters as usize % 4] * 0.5_f64.powi((quarters / 4) as i32);
    match spec.family {
        LayerFamily::Acm => spec.thickness / f64::from(l).sqrt().sqrt(),
        LayerFamily::Nested => spec.thickness * root(2 * (l - 1)),
        LayerFamily::Window => spec.thickness * root(l - 1),
        LayerFamily::Hertz if l == 1 => spec.thickness,
        LayerFamily::Hertz => f64::NEG_INFINITY,
    }
}

/// Stiffness of layer `l`.
fn stiffness(spec: &LayerSpec, l: u32) -> f64 {
    let depth = f64::from(l);
    match spec.family {
        LayerFamily::Acm => spec.stiffness * (depth * depth * depth),
        LayerFamily::Nested | LayerFamily::Window => spec.stiffness * 4_f64.powi(l as i32 - 1),
        LayerFamily::Hertz => spec.stiffness,
    }
}

/// Step of layer `l`; `None` where it would be shorter than a quantum.
fn span_of(spec: &LayerSpec, l: u32) -> Option<Span> {
    let (first, depth) = (spec.span.quanta(), f64::from(l));
    match spec.family {
        LayerFamily::Hertz if l == 1 => Some(spec.span),
        LayerFamily::Hertz => None,
        _ if spec.one_clock => Some(spec.span),
        LayerFamily::Acm => Span::new((first as f64 / (depth * depth.sqrt())) as u64),
        LayerFamily::Nested | LayerFamily::Window if l > 64 => None,
        LayerFamily::Nested | LayerFamily::Window => Span::new(first >> (l - 1)),
    }
}
