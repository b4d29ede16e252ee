//! The surface of a scene: what must not pass through what.

use std::collections::BTreeSet;

use carom_audit::{Pair, Surface};
use carom_contact::{PairRules, TooNear, too_near_at_rest};
use carom_geometry::topology::boundary_of_tets;
use carom_math::Vec3;
use carom_model::{HeldMotion, PairId, PairKind, System};
use carom_scene::Built;

/// The triangles of shells, the skins of solids, the lines of bodies that have neither, and single points; all without thickness.
#[must_use]
pub fn surface(built: &Built) -> Surface {
    let topology = &built.topology;
    let mut faces = topology.triangles.clone();
    faces.extend(boundary_of_tets(&topology.tets));
    let rods = built.cells.iter().filter(|body| body.triangles.is_empty() && body.tets.is_empty());
    let lines = rods.flat_map(|body| &topology.edges[body.edges.clone()]).copied();
    let of_faces = faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let edges: BTreeSet<[u32; 2]> = of_faces.chain(lines).map(|[a, b]| [a.min(b), a.max(b)]).collect();
    let mut hard_radii_m = vec![0.0; built.state.len()];
    for v in built.system.contact.iter().flat_map(|contact| &contact.vertices) {
        hard_radii_m[v.vertex as usize] = v.radius;
    }
    Surface {
        faces,
        edges: edges.into_iter().collect(),
        free_points: topology.points.clone(),
        hard_radii_m,
        period_m: built.system.contact.as_ref().map_or(Vec3::ZERO, |contact| contact.period),
        moves_with: groups(built),
        left_out: neighbours_along_rods(&built.system),
    }
}

/// The group that each vertex moves with up to the end of the scene.
fn groups(built: &Built) -> Vec<Option<u32>> {
    let motion = HeldMotion::new(&built.system, &built.state, built.schedule.end);
    (0..built.system.places() as u32).map(|v| motion.group(v)).collect()
}

/// Pairs of one rod that overlap at rest: contact leaves them out, and so must the audit; those of its pinned parts too, for which contact
/// makes no pairs.
fn neighbours_along_rods(system: &System) -> BTreeSet<Pair> {
    let Some(contact) = &system.contact else { return BTreeSet::new() };
    let overlapping =
        too_near_at_rest(&PairRules::of_all(system)).into_iter().filter(|(_, why)| *why == TooNear::Overlap);
    let pair_of = |(PairId { kind, a, b }, _)| {
        let edge = &contact.edges[b as usize].vertices;
        match kind {
            PairKind::EdgeEdge => Some(Pair::new(&contact.edges[a as usize].vertices, edge)),
            PairKind::VertexEdge => Some(Pair::new(&[contact.vertices[a as usize].vertex], edge)),
            PairKind::VertexFace | PairKind::VertexVertex | PairKind::Soft => None,
        }
    };
    overlapping.filter_map(pair_of).collect()
}

/// Distance up to which the nearest pair is measured, in m: the thickest first layer, without contact the mean edge.
#[must_use]
pub fn look_within_m(system: &System, surface: &Surface, positions: &[Vec3]) -> f64 {
    if let Some(contact) = &system.contact {
        return contact.layers.iter().map(|layers| layers.thickness).fold(0.0, f64::max);
    }
    let length = |&[a, b]: &[u32; 2]| (positions[b as usize] - positions[a as usize]).length();
    surface.edges.iter().map(length).sum::<f64>() / surface.edges.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use carom_scene::{InMemory, Scene, build};

    use super::*;

    #[test]
    fn neighbours_along_a_rod_are_left_out_whether_they_are_held_or_not() {
        let rod = |pin: &str| {
            let text = format!(
                "format = 1\ntime.end = 1.0\ncontact.thickness = 0.01\n[[body]]\nname = \"rod\"\n\
                 shape.rod = {{ from = [0.0, 0.0, 0.0], to = [1.0, 0.0, 0.0], segments = 50 }}\n\
                 material.rod = {{ radius = 0.03, young = 1e6, density = 1000.0 }}\n{pin}"
            );
            let built = build(&Scene::parse("rod.toml", &text).unwrap(), &InMemory::default()).unwrap();
            surface(&built).left_out
        };
        let (free, held) = (rod(""), rod("[[pin]]\nbody = \"rod\"\nselect.indices = [3, 4, 5, 6, 7, 8]\n"));
        assert!(!free.is_empty());
        assert_eq!(free, held);
    }
}
