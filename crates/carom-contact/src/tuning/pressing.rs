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
    /// Weight of all that moves, and all loads, in N.
    pub force_n: f64,
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
        let deforms = |body: &&PressedBody| body.resistance_pa.is_some();
        if [&a, &b].into_iter().filter(deforms).all(|body| body.has_given_steps) {
            return None;
        }
        let resistance = a.resistance_pa.into_iter().chain(b.resistance_pa).reduce(f64::min)?;
        if self.is_driven {
            return Some(resistance);
        }
        let at_rest = if self.force_n > 0.0 { FACES * self.force_n / a.area_m2.min(b.area_m2) } else { 0.0 };
        let waves = [&a, &b].into_iter().filter(deforms).map(|body| body.impedance * speed);
        let stopped = a.mass_per_area.min(b.mass_per_area) * speed * speed / thickness;
        let hit = waves.fold(stopped, f64::min);
        Some((at_rest + hit).min(resistance))
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
        PressedBody { resistance_pa, impedance: 1e4, area_m2: 0.06, mass_per_area, has_given_steps: false }
    }

    fn between(bodies: Vec<PressedBody>, is_driven: bool, speed: f64) -> Option<f64> {
        Pressing { bodies, is_driven, force_n: 10.0 }.expected_pa([0, 1], 0.01, speed)
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
