//! Skins: how far vertices may go before candidates are searched anew.

use core::ops::RangeInclusive;

use carom_geometry::Bounds;
use carom_math::Vec3;
use carom_model::Contact;

use crate::{Motion, PairRules};

/// The least skin of a mesh, over what its first layer leaves of the height of a triangle. Both primitives of a pair have a skin, twice the
/// least at a typical speed: a wider one holds the neighbours of every triangle by the hundred, a narrower one calls for more searches. With 0.7
/// and 1.4 times as much, none of two-sheets, drop and two meshes of sphere-plate gained 2 %, and some lost a tenth.
const SKIN_PER_ROOM: f64 = 0.125;

/// The least skin of a mesh stays within this range, over the mean edge; never more than half of the thickest first layer.
const SKIN_PER_EDGE: RangeInclusive<f64> = 0.03..=0.125;

/// The least skin of grains, over the mean distance between them, if their radius or half of their thickest first layer is not less: a
/// tenth of it holds two neighbours of a gas and a dozen in a heap, and lasts for many instants.
const SKIN_PER_SPACING: f64 = 0.1;

/// The least skin of each vertex, in m; infinite inside solids, where nothing can be touched.
pub(crate) fn least_skins(rules: &PairRules, motion: &Motion) -> Vec<f64> {
    let mut least_skin = vec![f64::INFINITY; rules.vertices()];
    let (reach, edges) = (half_thickness(rules), mean_edges(rules.contact()));
    for v in &rules.contact().vertices {
        let body = v.body as usize;
        least_skin[rules.renumbered(v.vertex) as usize] =
            reach[body].min(skin_of_mesh(edges[body], 2.0 * reach[body]));
    }
    let spacing = spacing(rules.contact(), |v| motion.positions[rules.renumbered(v) as usize]);
    for v in rules.contact().vertices.iter().filter(|v| v.is_point) {
        let skin = &mut least_skin[rules.renumbered(v.vertex) as usize];
        let radius = v.radius.max(v.soft_radius);
        if radius > 0.0 {
            *skin = skin.max(radius).min(SKIN_PER_SPACING * spacing);
        }
    }
    least_skin
}

/// The least skin on a mesh with these edges and this first layer, in m.
fn skin_of_mesh(edge: f64, thickness: f64) -> f64 {
    let height = 0.75_f64.sqrt() * edge;
    let skin = SKIN_PER_ROOM * (height - thickness);
    skin.clamp(SKIN_PER_EDGE.start() * edge, SKIN_PER_EDGE.end() * edge)
}

/// Mean length of the edges of each body at rest, in m; infinite where there are none.
fn mean_edges(contact: &Contact) -> Vec<f64> {
    let mut sums = vec![(0.0, 0_u32); contact.bodies];
    for edge in &contact.edges {
        let (length, count) = &mut sums[edge.body as usize];
        *length += edge.length;
        *count += 1;
    }
    sums.into_iter()
        .map(|(length, count)| if count == 0 { f64::INFINITY } else { length / f64::from(count) })
        .collect()
}

/// Mean distance between points, in m: of as many on a cubic lattice in the same box. A box is at least as wide as a grain.
fn spacing(contact: &Contact, at: impl Fn(u32) -> Vec3) -> f64 {
    let points = || contact.vertices.iter().filter(|v| v.is_point);
    let all: Vec<Vec3> = points().map(|v| at(v.vertex)).collect();
    let Bounds { min, max } = Bounds::of(&all);
    let (size, period) = (max - min, contact.period);
    let grain = points().map(|v| 2.0 * v.radius.max(v.soft_radius)).fold(0.0, f64::max);
    let along = |axis: usize| if period[axis] > 0.0 { period[axis] } else { size[axis].max(grain) };
    (along(0) * along(1) * along(2) / all.len().max(1) as f64).cbrt()
}

/// Half of the thickest first layer of each body, in m.
pub(crate) fn half_thickness(rules: &PairRules) -> Vec<f64> {
    let contact = rules.contact();
    let thickness = |a: u32, b: u32| contact.layers[contact.layers_between(a, b) as usize].thickness;
    let bodies = contact.bodies as u32;
    (0..bodies).map(|a| (0..bodies).map(|b| 0.5 * thickness(a, b)).fold(0.0, f64::max)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_a_mesh_are_not_near_as_long_as_there_is_room_beside_the_first_layer() {
        // A skin is up to twice the least for a vertex of typical speed, and both primitives of a pair have one.
        for (edge, thickness) in [(1.0, 0.3), (1.0, 0.6), (0.0054, 0.0035), (0.0625, 0.02)] {
            let height = 0.75_f64.sqrt() * edge;
            let skin = skin_of_mesh(edge, thickness);
            assert!(thickness + 4.0 * skin < height, "edge {edge}, layer {thickness}: skin {skin}");
            assert!(skin >= 0.03 * edge && skin <= 0.125 * edge);
        }
        assert_eq!(skin_of_mesh(1.0, 2.0), 0.03);
        assert_eq!(skin_of_mesh(f64::INFINITY, 1.0), f64::INFINITY);
    }
}
