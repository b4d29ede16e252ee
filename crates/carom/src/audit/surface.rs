//! The surface of a scene: what must not pass through what.

use std::collections::BTreeSet;

use carom_audit::Surface;
use carom_geometry::topology::boundary_of_tets;
use carom_math::Vec3;
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
    Surface {
        faces,
        edges: edges.into_iter().collect(),
        free_points: topology.points.clone(),
        hard_radii_m: vec![0.0; built.state.len()],
        left_out: BTreeSet::new(),
    }
}

/// How far to look for the nearest pair, in m: the mean edge. Pairs farther apart are of no interest to anybody.
#[must_use]
pub fn look_within_m(surface: &Surface, positions: &[Vec3]) -> f64 {
    let length = |&[a, b]: &[u32; 2]| (positions[b as usize] - positions[a as usize]).length();
    surface.edges.iter().map(length).sum::<f64>() / surface.edges.len().max(1) as f64
}
