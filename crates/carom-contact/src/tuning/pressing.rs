//! How hard bodies will press, and how deep in the layers that is carried.
//!
//! Material that is pressed is stiffer than at rest, and contact holds it there: steps that are right at rest are then too long. So contact is made
//! for the pressure that is to be expected, and whatever acts on the bodies follows the layer that carries it.

use super::WEIGHT_PER_AREA;

/// What a scene lets expect.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pressing {
    /// One for each body.
    pub bodies: Vec<PressedBody>,
    /// Whether anything is driven, or an obstacle moves: it goes on, whatever resists.
    pub is_driven: bool,
    /// All loads, in N.
    pub loads_n: f64,
}

/// What a body sets against being pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PressedBody {
    /// The pressure at which it gives way as a whole, in Pa: the modulus of a solid, that of a shell times thickness over size, of a rod times radius over
    /// size. None of what nothing deforms.
    pub resistance_pa: Option<f64>,
    /// Pressure for each m/s at which it is hit, in Pa·s/m.
    pub impedance: f64,
    /// Its surface, in m².
    pub area_m2: f64,
    /// What lies behind its surface, in kg/m²; infinite where it cannot move.
    pub mass_per_area: f64,
    /// Its weight, in N; none of what is held.
    pub weight_n: f64,
    /// From where to where it reaches against gravity, in m.
    pub heights_m: [f64; 2],
    /// Whether the scene gives the steps of all its elements.
    pub has_given_steps: bool,
}

/// A face of a cube is a sixth of its surface: so much of a body's surface may carry all.
const FACES: f64 = 6.0;

impl Pressing {
    /// The pressure to expect between two bodies with layers of this thickness, in m, closing at `speed`, in m/s. None where nothing deforms, or no step
    /// could follow it.
    pub(super) fn expected_pa(&self, [a, b]: [u32; 2], thickness: f64, speed: f64) -> Option<f64> {
        let [a, b] = [a, b].map(|body| self.bodies.get(body as usize).copied().unwrap_or_default());
        let force_n = self.loads_n + self.weight_above([&a, &b]);
        let deforms = |body: &&PressedBody| body.resistance_pa.is_some();
        if [&a, &b].into_iter().filter(deforms).all(|body| body.has_given_steps) {
            return None;
        }
        let resistance = a.resistance_pa.into_iter().chain(b.resistance_pa).reduce(f64::min)?;
        if self.is_driven {
            return Some(resistance);
        }
        let at_rest = if force_n > 0.0 { FACES * force_n / a.area_m2.min(b.area_m2) } else { 0.0 };
        let waves = [&a, &b].into_iter().filter(deforms).map(|body| body.impedance * speed);
        let stopped = a.mass_per_area.min(b.mass_per_area) * speed * speed / thickness;
        let hit = waves.fold(stopped, f64::min);
        Some((at_rest + hit).min(resistance))
    }

    /// The weight that may lie on two bodies, in N: of all that reaches above where the upper of them begins.
    fn weight_above(&self, pair: [&PressedBody; 2]) -> f64 {
        let free = pair.into_iter().filter(|body| body.weight_n > 0.0);
        let Some(level_m) = free.map(|body| body.heights_m[0]).reduce(f64::max) else { return 0.0 };
        self.bodies.iter().filter(|body| body.heights_m[1] >= level_m).map(|body| body.weight_n).sum()
    }
}

/// How much more each layer carries than the one before, `2^(7/4)`.
const PRESSURE_RATIO: f64 = 3.363_585_661_014_858;

/// The layer in which layers of this stiffness, in N/m³, carry a pressure: the first `l` with `p(l + 1)` above it, where
/// `p(l) = (1.6/7) r₁ η₁ (2^(7(l−1)/4) − 1)` is what they carry together where layer `l` begins.
pub(super) fn carrying_layer(pressure_pa: f64, stiffness: f64, thickness: f64, deepest: u32) -> u32 {
    let wanted = 1.0 + 7.0 * pressure_pa / (WEIGHT_PER_AREA * stiffness * thickness);
    let (mut layer, mut reached) = (1, PRESSURE_RATIO);
    while layer < deepest && reached < wanted {
        layer += 1;
        reached *= PRESSURE_RATIO;
    }
    layer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(resistance_pa: Option<f64>, mass_per_area: f64) -> PressedBody {
        PressedBody { resistance_pa, impedance: 1e4, area_m2: 0.06, mass_per_area, ..PressedBody::default() }
    }

    fn between(bodies: Vec<PressedBody>, is_driven: bool, speed: f64) -> Option<f64> {
        Pressing { bodies, is_driven, loads_n: 10.0 }.expected_pa([0, 1], 0.01, speed)
    }

    #[test]
    fn the_softer_body_says_what_presses_and_obstacles_say_nothing() {
        let [soft, hard] = [pressed(Some(1e5), 10.0), pressed(Some(1e6), 1e3)];
        let obstacle = PressedBody { impedance: 0.0, ..pressed(None, f64::INFINITY) };
        assert_eq!(between(vec![hard, soft], true, 0.0), Some(1e5));
        assert_eq!(between(vec![obstacle, hard], true, 0.0), Some(1e6));
        assert_eq!(between(vec![obstacle, obstacle], true, 1.0), None);
        // 10 N on a sixth of 6 dm², and 10 kg/m² stopped within 1 cm.
        assert_eq!(between(vec![soft, obstacle], false, 0.0), Some(1000.0));
        assert_eq!(between(vec![soft, hard], false, 1.0), Some(2000.0));
        assert_eq!(between(vec![soft, hard], false, 1e3), Some(1e5));
        let given = PressedBody { has_given_steps: true, ..soft };
        assert_eq!(between(vec![given, obstacle], true, 0.0), None);
        assert_eq!(between(vec![given, hard], true, 0.0), Some(1e5), "one of the two can follow");
    }

    #[test]
    fn only_what_is_above_lies_on_two_bodies() {
        let of = |weight_n: f64, heights_m: [f64; 2]| PressedBody {
            weight_n,
            heights_m,
            ..pressed(Some(1e6), f64::INFINITY)
        };
        let floor = PressedBody { weight_n: 0.0, ..of(0.0, [0.0, 0.0]) };
        let bodies = vec![floor, of(1e3, [0.1, 0.2]), of(10.0, [0.3, 0.4]), of(1.0, [0.35, 0.5])];
        let pressing = Pressing { bodies, is_driven: false, loads_n: 0.0 };
        let pressure = |pair| pressing.expected_pa(pair, 0.01, 0.0).unwrap() * 0.01;
        assert_eq!(pressure([0, 1]), 1011.0);
        assert_eq!(pressure([0, 2]), 11.0, "what is on top carries nothing of what is below");
        assert_eq!(pressure([1, 2]), 11.0);
        assert_eq!(pressure([2, 3]), 11.0, "one of two side by side may come to lie on the other");
        assert_eq!(pressure([3, 3]), 11.0);
    }

    #[test]
    fn the_layer_that_carries_is_the_one_in_which_the_pressure_is_reached() {
        let carried_before = |l: f64| 1.6 / 7.0 * 2e7 * 1e-3 * (2f64.powf(1.75 * (l - 1.0)) - 1.0);
        for l in 1..10 {
            let layer = |pressure| carrying_layer(pressure, 2e7, 1e-3, 24);
            assert_eq!(layer(carried_before(f64::from(l)) * 1.001), l);
            assert_eq!(layer(carried_before(f64::from(l) + 1.0) * 0.999), l);
        }
        assert_eq!(carrying_layer(1e30, 2e7, 1e-3, 7), 7, "none is deeper than the deepest");
        // As stiff as contact is chosen, three layers carry all.
        assert_eq!(carrying_layer(8.0 * 2e7 * 1e-3, 2e7, 1e-3, 24), 3);
    }
}
