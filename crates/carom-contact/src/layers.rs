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
//! `window` layers push only while d is in `(η_{l+6}, η_l)`: a layer lets go where faster layers have
//! taken over, so its slow clock cannot resonate with the stiff contact.

use carom_time::Span;

/// The shape of the layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerFamily {
    /// Quadratic layers that all stay active: the paper's.
    Acm,
    /// Quartic layers that all stay active.
    Nested,
    /// Smooth layers that let go again: at most six push at once.
    #[default]
    Window,
}

/// Over how many deeper thicknesses a `window` layer pushes.
const WINDOW: u32 = 6;

/// Strength of a `window` layer: makes the stiffness of all layers together about `r_l` at `η_l`.
const STRENGTH: f64 = 10.8;

/// `2^(−k/4)` for k = 0..4, correctly rounded.
const QUARTER_POWERS: [f64; 4] =
    [1.0, 0.840_896_415_253_714_6, core::f64::consts::FRAC_1_SQRT_2, 0.594_603_557_501_360_5];

/// All layers of a kind of pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layers {
    /// The shape.
    pub family: LayerFamily,
    /// Thickness `η₁` of the first layer, in m.
    pub thickness: f64,
    /// Stiffness `r₁` of the first layer, in N/m.
    pub stiffness: f64,
    /// Step `h₁` of the first layer.
    pub span: Span,
}

impl Layers {
    /// Thickness `η_l` of layer `l` ≥ 1, in m.
    #[must_use]
    pub fn thickness_of(&self, l: u32) -> f64 {
        let quarters = match self.family {
            LayerFamily::Acm => return self.thickness / f64::from(l).sqrt().sqrt(),
            LayerFamily::Nested => 2 * (l - 1),
            LayerFamily::Window => l - 1,
        };
        self.thickness * QUARTER_POWERS[quarters as usize % 4] * 2f64.powi(-((quarters / 4) as i32))
    }

    /// Stiffness `r_l` of layer `l`, in N/m.
    #[must_use]
    pub fn stiffness_of(&self, l: u32) -> f64 {
        match self.family {
            LayerFamily::Acm => self.stiffness * f64::from(l).powi(3),
            LayerFamily::Nested | LayerFamily::Window => self.stiffness * 2f64.powi(2 * (l as i32 - 1)),
        }
    }

    /// Step `h_l` of layer `l`, rounded down; `None` where it is shorter than a quantum: the layer cap.
    #[must_use]
    pub fn span_of(&self, l: u32) -> Option<Span> {
        match self.family {
            LayerFamily::Acm => {
                Span::new((self.span.quanta() as f64 / (f64::from(l) * f64::from(l).sqrt())) as u64)
            }
            LayerFamily::Nested | LayerFamily::Window => Span::new(self.span.quanta().checked_shr(l - 1)?),
        }
    }

    /// Energy of layer `l` at distance `d`, in J.
    #[must_use]
    pub fn energy(&self, l: u32, d: f64) -> f64 {
        let (eta, r) = (self.thickness_of(l), self.stiffness_of(l));
        let gap = (eta - d).max(0.0);
        match self.family {
            LayerFamily::Acm => 0.5 * r * gap * gap,
            LayerFamily::Nested => {
                let width = 2.0 * (eta - self.thickness_of(l + 1));
                let x = gap / width;
                0.25 * r * width * width * (x * x) * (x * x)
            }
            LayerFamily::Window => {
                let band = eta - self.thickness_of(l + WINDOW);
                let x = (gap / band).min(1.0);
                let x4 = (x * x) * (x * x);
                STRENGTH * r * eta * band * x4 * (0.25 - 0.4 * x + x * x / 6.0)
            }
        }
    }

    /// Force of layer `l` at distance `d`, in N: positive pushes apart.
    #[must_use]
    pub fn force(&self, l: u32, d: f64) -> f64 {
        let (eta, r) = (self.thickness_of(l), self.stiffness_of(l));
        let gap = (eta - d).max(0.0);
        match self.family {
            LayerFamily::Acm => r * gap,
            LayerFamily::Nested => {
                let width = 2.0 * (eta - self.thickness_of(l + 1));
                let x = gap / width;
                r * width * (x * x * x)
            }
            LayerFamily::Window => {
                let band = eta - self.thickness_of(l + WINDOW);
                let x = (gap / band).min(1.0);
                let rest = 1.0 - x;
                STRENGTH * r * eta * (x * x * x) * (rest * rest)
            }
        }
    }

    /// Whether layer `l` pushes at distance `d`.
    #[must_use]
    pub fn pushes(&self, l: u32, d: f64) -> bool {
        let inside = d < self.thickness_of(l);
        inside && (self.family != LayerFamily::Window || d > self.thickness_of(l + WINDOW))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FAMILIES: [LayerFamily; 3] = [LayerFamily::Acm, LayerFamily::Nested, LayerFamily::Window];

    fn layers(family: LayerFamily) -> Layers {
        Layers { family, thickness: 0.01, stiffness: 300.0, span: Span::new(1 << 20).unwrap() }
    }

    /// Stiffness of all layers together at `d`, by central differences of the total force.
    fn total_stiffness(layers: &Layers, d: f64, deepest: u32) -> f64 {
        let force = |d: f64| (1..=deepest).map(|l| layers.force(l, d)).sum::<f64>();
        let step = 1e-5 * d;
        (force(d - step) - force(d + step)) / (2.0 * step)
    }

    proptest! {
        #[test]
        fn the_force_is_minus_the_slope_of_the_energy(l in 1_u32..20, depth in 0.01..0.99f64) {
            for family in FAMILIES {
                let layers = layers(family);
                let d = layers.thickness_of(l) * depth;
                let step = 1e-6 * d;
                let slope = (layers.energy(l, d + step) - layers.energy(l, d - step)) / (2.0 * step);
                let scale = layers.stiffness_of(l) * layers.thickness_of(l);
                prop_assert!((layers.force(l, d) + slope).abs() < 1e-7 * scale, "{family:?}");
            }
        }

        #[test]
        fn a_layer_that_does_not_push_has_exactly_no_force(l in 1_u32..20, d in 0.0..0.02f64) {
            for family in FAMILIES {
                let layers = layers(family);
                prop_assert_eq!(layers.pushes(l, d), layers.force(l, d) > 0.0, "{:?}", family);
            }
        }
    }

    #[test]
    fn the_work_to_close_the_gap_diverges() {
        for family in FAMILIES {
            let layers = layers(family);
            let work = |deepest: u32| {
                let d = layers.thickness_of(deepest + 1);
                (1..=deepest).map(|l| layers.energy(l, d)).sum::<f64>()
            };
            assert!(work(20) > 8.0 * work(10) && work(10) > 8.0 * work(5), "{family:?}");
        }
    }

    #[test]
    fn steps_fall_faster_than_thickness_so_no_speed_skips_all_layers() {
        for family in FAMILIES {
            let layers = layers(family);
            let ratio = |l: u32| layers.span_of(l).unwrap().quanta() as f64 / layers.thickness_of(l);
            assert!(ratio(16) < 0.1 * ratio(1) && ratio(16) < ratio(8), "{family:?}");
        }
    }

    #[test]
    fn the_stiffness_of_all_window_layers_together_stays_in_step_with_the_deepest_clock() {
        let layers = layers(LayerFamily::Window);
        let first = layers.span.quanta() as f64;
        for deepest in 6..=20 {
            let h = layers.span_of(deepest).unwrap().quanta() as f64 / first;
            let (outer, inner) = (layers.thickness_of(deepest), layers.thickness_of(deepest + 1));
            for step in 0..50 {
                let d = inner + (outer - inner) * (f64::from(step) + 0.5) / 50.0;
                let number = h * h * total_stiffness(&layers, d, deepest + 1) / layers.stiffness;
                assert!((0.2..1.8).contains(&number), "layer {deepest}: {number}");
            }
        }
    }

    #[test]
    fn layers_end_where_their_step_is_shorter_than_a_quantum() {
        for family in [LayerFamily::Nested, LayerFamily::Window] {
            assert_eq!(layers(family).span_of(21), Some(Span::ONE));
            assert_eq!(layers(family).span_of(22), None);
        }
    }
}
