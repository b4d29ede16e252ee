//! Which layers of a pair a distance certifies.

use crate::{Layers, Pair, PairRules};

/// How much before it is reached a layer becomes active, over its band. On grains a quarter and a sixteenth are as good within noise.
const EARLY: f64 = 0.125;

/// A pair that is farther out of its deepest active layer, over its band, is measured again: that layer may be certified.
const RETREATED: f64 = 2.0 * EARLY;

/// From which layer on a pair is certified, and how much nearer it may come before that ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CertifiedFrom {
    /// The first certified layer; those before it are active. At most one below the deepest.
    pub layer: u32,
    /// How much the distance may shrink, in m; negative if nothing is certain.
    pub slack: f64,
}

impl CertifiedFrom {
    /// For a pair whose distance is certainly at least `distance`, and whose slack should be at least `needed`, in m.
    ///
    /// A layer becomes active early: slack just above zero would be spent at once.
    pub fn at(layers: &Layers, first_layer: u32, distance: f64, needed: f64) -> Self {
        for layer in first_layer..=layers.deepest() {
            let thickness = layers.thickness(layer);
            let slack = distance - thickness;
            if slack >= needed.max(EARLY * layers.band(layer)) {
                return Self { layer, slack };
            }
        }
        Self { layer: layers.deepest() + 1, slack: distance - layers.minimum_gap() }
    }
}

/// Whether an active pair at `distance`, in m, is so far out of its deepest active layer that it should be measured again.
#[inline(always)]
pub(crate) fn has_retreated(
    rules: &PairRules,
    pair: &Pair,
    first_certified_layer: u32,
    distance: f64,
) -> bool {
    let layers = rules.layers_of(pair);
    let deepest_active = first_certified_layer - 1;
    distance > layers.thickness(deepest_active) + RETREATED * layers.band(deepest_active)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{points, scene, sheet};
    use carom_math::Vec3;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_pair_is_certified_from_the_first_layer_it_is_well_clear_of(
            distance in -0.1..0.5f64, needed in 0.0..0.1f64, first in 1_u32..6,
        ) {
            let rules = PairRules::with_own_numbers(&scene(&[sheet(0.3), points(&[Vec3::Z], 0.0)], 0.2, 6).0);
            let layers = &rules.all_layers()[0];
            let CertifiedFrom { layer, slack } = CertifiedFrom::at(layers, first, distance, needed);
            prop_assert!((first..=layers.deepest() + 1).contains(&layer));
            prop_assert_eq!(slack, distance - layers.thickness(layer));
            prop_assert!(layer > layers.deepest() || slack >= needed && slack > 0.0);
            let early = |l| EARLY * (layers.thickness(l) - layers.thickness(l + 1));
            prop_assert!((first..layer).all(|l| distance < layers.thickness(l) + needed.max(early(l))));
        }
    }
}
