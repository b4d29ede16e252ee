//! A surface of triangles: where it is smooth, where it has a crease, where it ends.

use carom_math::Vec3;

/// Triangles that meet at less than this angle are one smooth surface to the eye, in degrees.
const SMOOTH_DEG: f64 = 50.0;

/// Triangles that meet at more than this angle are drawn with a line between them, in degrees.
const CREASE_DEG: f64 = 62.0;

/// Kind of a triangle's edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// Between two triangles of one surface.
    Inner,
    /// An edge where the surface ends or is sharply bent.
    Outline,
}

/// The surface of some triangles.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    normals: Vec<[Vec3; 3]>,
    edges: Vec<[Edge; 3]>,
}

impl Surface {
    /// Classifies the edges of triangles whose vertices are at `x`.
    pub fn new(triangles: &[[u32; 3]], x: &[Vec3]) -> Self {
        let doubled: Vec<Vec3> = triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|v| x[v as usize]);
                (b - a).cross(c - a)
            })
            .collect();
        let flat: Vec<Vec3> = doubled.iter().map(|n| n.try_normalize().unwrap_or(Vec3::Z)).collect();
        Self { normals: normals(triangles, &doubled, &flat), edges: edges(triangles, &flat) }
    }

    /// The normal at corner `i` of a triangle.
    pub fn normal(&self, triangle: usize, i: usize) -> Vec3 {
        self.normals[triangle][i]
    }

    /// Kind of the edge from corner `i` of a triangle to the next.
    pub fn edge(&self, triangle: usize, i: usize) -> Edge {
        self.edges[triangle][i]
    }
}

/// At each corner the mean, by area, of the triangles there that are smooth with its own.
fn normals(triangles: &[[u32; 3]], doubled: &[Vec3], flat: &[Vec3]) -> Vec<[Vec3; 3]> {
    let least = SMOOTH_DEG.to_radians().cos();
    let mut corners: Vec<(u32, u32)> =
        triangles.iter().enumerate().flat_map(|(n, t)| t.map(|v| (v, n as u32))).collect();
    corners.sort_unstable();
    let at = |v: u32| {
        let from = corners.partition_point(|corner| corner.0 < v);
        corners[from..].iter().take_while(move |corner| corner.0 == v).map(|corner| corner.1 as usize)
    };
    let smooth = |n: usize, v: u32| {
        let sum: Vec3 = at(v).filter(|&m| flat[m].dot(flat[n]) > least).map(|m| doubled[m]).sum();
        sum.try_normalize().unwrap_or(flat[n])
    };
    triangles.iter().enumerate().map(|(n, t)| t.map(|v| smooth(n, v))).collect()
}

fn edges(triangles: &[[u32; 3]], flat: &[Vec3]) -> Vec<[Edge; 3]> {
    let least = CREASE_DEG.to_radians().cos();
    let mut sides: Vec<(u32, u32, usize, usize)> = Vec::with_capacity(3 * triangles.len());
    for (n, t) in triangles.iter().enumerate() {
        for i in 0..3 {
            let (a, b) = (t[i], t[(i + 1) % 3]);
            sides.push((a.min(b), a.max(b), n, i));
        }
    }
    sides.sort_unstable();
    let mut edges = vec![[Edge::Outline; 3]; triangles.len()];
    for pair in sides.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)) {
        if let [p, q] = pair
            && flat[p.2].dot(flat[q.2]) > least
        {
            edges[p.2][p.3] = Edge::Inner;
            edges[q.2][q.3] = Edge::Inner;
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles that share the edge from (0,0,0) to (0,1,0), the second bent up by an angle.
    fn bent(degrees: f64) -> Surface {
        let (s, c) = degrees.to_radians().sin_cos();
        let x = [Vec3::ZERO, Vec3::Y, -Vec3::X, Vec3::new(c, 0.0, s)];
        Surface::new(&[[0, 1, 2], [1, 0, 3]], &x)
    }

    #[test]
    fn a_little_bent_is_smooth_and_much_bent_is_a_crease_with_a_line() {
        let (little, much) = (bent(20.0), bent(90.0));
        assert!((little.normal(0, 0) - little.normal(1, 1)).length() < 1e-12);
        assert!((little.normal(0, 2) - Vec3::Z).length() < 1e-12);
        assert_eq!((little.edge(0, 0), little.edge(1, 0)), (Edge::Inner, Edge::Inner));
        assert!((much.normal(0, 0) - Vec3::Z).length() < 1e-12);
        assert!((much.normal(1, 1) + Vec3::X).length() < 1e-12);
        assert_eq!((much.edge(0, 0), much.edge(1, 0)), (Edge::Outline, Edge::Outline));
        assert_eq!(little.edge(0, 1), Edge::Outline);
    }
}
