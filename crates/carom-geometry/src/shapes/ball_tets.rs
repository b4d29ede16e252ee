//! A solid ball in near-regular tetrahedra.
//!
//! An icosahedron is twenty near-regular tetrahedra around its centre. Each is divided into
//! `n` layers by the regular lattice: upright tetrahedra, octahedra (cut in four along their
//! shortest diagonal) and inverted tetrahedra, `n³` in all. Layer `k` lies on the sphere of radius
//! `k/n`, so the surface is an icosphere and no layer is thin.

use carom_math::Vec3;

use super::icosahedron::{FACES, Lattice};
use super::{Rules, ShapeError, push_positive, steps};
use crate::topology::boundary_of_tets;
use crate::{Group, Mesh};

/// A ball of the given radius in about `radius / edge` layers: 20 tetrahedra per layer cubed.
pub fn ball_tets(radius: f64, edge: f64) -> Result<Mesh, ShapeError> {
    let rules = Rules("ball_tets");
    rules.length("radius", radius)?;
    rules.length("edge", edge)?;
    rules.elements("edge", edge, 20.0 * (radius / edge).powi(3))?;
    let layers = steps(radius, edge, 1) as u32;

    let shells: Vec<Lattice> = (1..=layers).map(Lattice::new).collect();
    let mut mesh = Mesh::default();
    let mut first_of_shell = Vec::new();
    mesh.positions.push(Vec3::ZERO);
    for (k, shell) in (1..=layers).zip(&shells) {
        first_of_shell.push(mesh.positions.len() as u32);
        let at = radius * f64::from(k) / f64::from(layers);
        mesh.positions.extend(shell.positions().iter().map(|p| *p * at));
    }
    for face in 0..FACES.len() {
        let vertex = |[inward, weights @ ..]: [u32; 4]| match layers - inward {
            0 => 0,
            k => first_of_shell[k as usize - 1] + shells[k as usize - 1].number(face, weights),
        };
        fill(&mut mesh, layers, vertex);
    }
    let surface = boundary_of_tets(&mesh.tets).into_iter().flatten();
    mesh.groups = vec![Group::new("centre", [0]), Group::new("surface", surface)];
    Ok(mesh)
}

/// Fills the lattice of one of the twenty tetrahedra; a point has four weights that add up to `n`.
fn fill(mesh: &mut Mesh, n: u32, vertex: impl Fn([u32; 4]) -> u32) {
    const UNIT: [[u32; 4]; 4] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]];
    let plus = |p: [u32; 4], q: [u32; 4]| [0, 1, 2, 3].map(|i| p[i] + q[i]);

    for p in weights(n - 1) {
        push_positive(mesh, UNIT.map(|u| vertex(plus(p, u))));
    }
    for p in (n > 1).then(|| weights(n - 2)).into_iter().flatten() {
        let middle = |i: usize, j: usize| vertex(plus(p, plus(UNIT[i], UNIT[j])));
        let opposite = [[(0, 1), (2, 3)], [(0, 2), (1, 3)], [(0, 3), (1, 2)]];
        push_octahedron(mesh, opposite.map(|pair| pair.map(|(i, j)| middle(i, j))));
    }
    for p in (n > 2).then(|| weights(n - 3)).into_iter().flatten() {
        push_positive(mesh, UNIT.map(|u| vertex(plus(p, u.map(|x| 1 - x)))));
    }
}

/// All four weights that add up to `n`.
fn weights(n: u32) -> Vec<[u32; 4]> {
    let mut all = Vec::new();
    for a in 0..=n {
        for b in 0..=n - a {
            all.extend((0..=n - a - b).map(|c| [a, b, c, n - a - b - c]));
        }
    }
    all
}

/// Cuts an octahedron, given as three pairs of opposite vertices, along its shortest diagonal.
fn push_octahedron(mesh: &mut Mesh, pairs: [[u32; 2]; 3]) {
    let length_sq = |pair: &[u32; 2]| {
        let [a, b] = mesh.corners(pair);
        (b - a).length_sq()
    };
    // A diagonal must be shorter by more than rounding to be preferred to an earlier one.
    let mut axis = 0;
    for candidate in 1..3 {
        if length_sq(&pairs[candidate]) < length_sq(&pairs[axis]) * (1.0 - 1e-9) {
            axis = candidate;
        }
    }
    let ([a, b], [c, d], [e, f]) = (pairs[axis], pairs[(axis + 1) % 3], pairs[(axis + 2) % 3]);
    for [p, q] in [[c, e], [e, d], [d, f], [f, c]] {
        push_positive(mesh, [a, b, p, q]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::worst_tet_shape;
    use crate::shapes::{icosphere, ruler};
    use core::f64::consts::PI;

    #[test]
    fn a_ball_is_sound_and_has_twenty_tets_per_layer_cubed() {
        for n in 1..6_usize {
            let mesh = ball_tets(1.0, 1.0 / n as f64).unwrap();
            assert_eq!(mesh.tets.len(), 20 * n.pow(3));
            ruler::solid(&mesh);
        }
    }

    #[test]
    fn its_skin_is_the_icosphere() {
        let (mesh, sphere) = (ball_tets(2.0, 0.5).unwrap(), icosphere(2.0, 4).unwrap());
        let skin = ruler::solid(&mesh);
        assert_eq!(skin.triangles.len(), sphere.triangles.len());
        assert!((skin.enclosed_volume() - sphere.enclosed_volume()).abs() < 1e-13);
        let surface = &mesh.group("surface").unwrap().vertices;
        assert_eq!(surface.len(), sphere.positions.len());
        assert!(surface.iter().all(|v| (mesh.positions[*v as usize].length() - 2.0).abs() < 1e-14));
    }

    #[test]
    fn its_volume_converges_with_the_square_of_the_edge() {
        let [coarse, fine] = [0.2, 0.1].map(|edge| ball_tets(1.0, edge).unwrap().volume());
        assert!((ruler::error_ratio(4.0 / 3.0 * PI, coarse, fine) - 4.0).abs() < 0.1);
    }

    #[test]
    fn no_tet_is_a_sliver() {
        for n in [1.0, 2.0, 5.0, 12.0, 20.0] {
            let worst = worst_tet_shape(&ball_tets(1.0, 1.0 / n).unwrap());
            assert!(worst > 0.65, "{worst} in {n} layers");
        }
    }

    #[test]
    fn bad_arguments_are_named() {
        assert_eq!(ball_tets(1.0, 1e-4).unwrap_err().parameter, "edge");
        assert_eq!(ball_tets(-0.0, 1.0).unwrap_err().parameter, "radius");
    }
}
