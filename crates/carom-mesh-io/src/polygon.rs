//! Polygons, and how they are cut into triangles.
//!
//! A polygon is cut by clipping ears in the plane of its (Newell) normal, starting at its second
//! vertex, so a convex one becomes the usual fan. A quadrangle is cut along its shorter diagonal. A polygon that has no ear left (it crosses
//! itself, or is flat) is cut as a fan too: the triangles are then as bad as the polygon, and the
//! check of the mesh says so.

use carom_math::Vec3;

use super::{Fault, remedy};

/// The most vertices of one polygon: clipping ears takes the square of it.
const MOST_VERTICES: usize = 2048;

/// The faces of a file, kept until all vertices are known.
#[derive(Default)]
pub struct Polygons {
    corners: Vec<u64>,
    /// Where each face ends in `corners`, and the line it stood in.
    ends: Vec<(usize, Option<usize>)>,
}

impl Polygons {
    /// Number of faces.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds one face; its vertices are counted from 0 and may be out of range for now.
    pub fn push(&mut self, line: Option<usize>, corners: impl IntoIterator<Item = u64>) {
        self.corners.extend(corners);
        self.ends.push((self.corners.len(), line));
    }

    /// Cuts all faces into triangles. `first` is the number the file gives to its first vertex.
    pub fn triangulate(&self, positions: &[Vec3], first: u64) -> Result<Vec<[u32; 3]>, Fault> {
        let mut triangles = Vec::with_capacity(self.len());
        let mut start = 0;
        for (face, (end, line)) in self.ends.iter().enumerate() {
            let corners = &self.corners[start..*end];
            start = *end;
            let fault = |message: String, remedy| Fault { line: *line, message, remedy };
            if corners.len() < 3 {
                let message = format!("face {face} has {} vertices, but it needs three", corners.len());
                return Err(fault(message, remedy::CUT));
            }
            if corners.len() > MOST_VERTICES {
                let message = format!("face {face} has {} vertices", corners.len());
                return Err(fault(message, "cut faces of more than 2048 vertices into triangles first"));
            }
            if let Some(stray) = corners.iter().find(|v| **v >= positions.len() as u64) {
                let message = format!(
                    "face {face} names vertex {}, but there {} {}",
                    stray.saturating_add(first),
                    if positions.len() == 1 { "is" } else { "are" },
                    positions.len()
                );
                return Err(fault(message, remedy::INDICES));
            }
            let corners: Vec<u32> = corners.iter().map(|v| *v as u32).collect();
            triangulate(positions, &corners, &mut triangles);
        }
        Ok(triangles)
    }
}

/// Cuts one polygon of at least three existing vertices.
fn triangulate(positions: &[Vec3], corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    if let [a, b, c] = corners {
        triangles.push([*a, *b, *c]);
        return;
    }
    let flat = flattened(positions, corners);
    let mut left: Vec<usize> = (0..corners.len()).collect();
    let mut at = first_ear(positions, corners);
    let mut refused = 0;
    while left.len() > 3 {
        let n = left.len();
        at %= n;
        let ear = [left[(at + n - 1) % n], left[at], left[(at + 1) % n]];
        if refused < n && !is_ear(&flat, &left, ear) {
            refused += 1;
            at += 1;
            continue;
        }
        triangles.push(ear.map(|i| corners[i]));
        left.remove(at);
        refused = 0;
    }
    triangles.push([left[0], left[1], left[2]].map(|i| corners[i]));
}

/// The corner to clip first: the one that cuts a quadrangle along its shorter diagonal.
///
/// Diagonals that are equal but for rounding count as equal, or a grid of squares would be cut at random.
fn first_ear(positions: &[Vec3], corners: &[u32]) -> usize {
    let [a, b, c, d] = corners else { return 1 };
    let distance_sq = |p: &u32, q: &u32| (positions[*p as usize] - positions[*q as usize]).length_sq();
    usize::from(distance_sq(b, d) >= (1.0 - 1e-6) * distance_sq(a, c))
}

/// The polygon projected along its normal, counter-clockwise, from its first vertex.
fn flattened(positions: &[Vec3], corners: &[u32]) -> Vec<[f64; 2]> {
    let origin = positions[corners[0] as usize];
    let points: Vec<Vec3> = corners.iter().map(|v| positions[*v as usize] - origin).collect();
    let normal: Vec3 = (0..points.len()).map(|i| points[i].cross(points[(i + 1) % points.len()])).sum();
    let [x, y, z] = normal.to_array().map(f64::abs);
    // Dropping the axis nearest to the normal keeps shapes; its sign keeps the orientation.
    let seen = |p: Vec3| -> [f64; 2] {
        if z >= x && z >= y {
            [p.x, p.y * normal.z.signum()]
        } else if x >= y {
            [p.y, p.z * normal.x.signum()]
        } else {
            [p.z, p.x * normal.y.signum()]
        }
    };
    points.into_iter().map(seen).collect()
}

/// Twice the area of a triangle, positive if counter-clockwise.
fn turn([a, b, c]: [[f64; 2]; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Whether a corner is convex and its triangle contains no other vertex.
fn is_ear(flat: &[[f64; 2]], left: &[usize], ear: [usize; 3]) -> bool {
    let [a, b, c] = ear.map(|i| flat[i]);
    if turn([a, b, c]) <= 0.0 {
        return false;
    }
    left.iter()
        .filter(|i| !ear.contains(i))
        .map(|i| flat[*i])
        .filter(|p| ![a, b, c].contains(p))
        .all(|p| turn([a, b, p]) < 0.0 || turn([b, c, p]) < 0.0 || turn([c, a, p]) < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::mesh::area_normal;

    fn cut(points: &[[f64; 3]]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let positions: Vec<Vec3> = points.iter().map(|p| Vec3::from(*p)).collect();
        let mut polygons = Polygons::default();
        polygons.push(None, 0..points.len() as u64);
        let triangles = polygons.triangulate(&positions, 0).unwrap();
        (positions, triangles)
    }

    #[test]
    fn a_convex_polygon_becomes_a_fan() {
        let (_, triangles) =
            cut(&[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 2.0, 0.0], [1.0, 3.0, 0.0], [-1.0, 2.0, 0.0]]);
        assert_eq!(triangles, [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    }

    #[test]
    fn a_quadrangle_is_cut_along_its_shorter_diagonal_but_never_outside_of_it() {
        let kite = [[0.0, 0.0, 0.0], [2.0, -0.5, 0.0], [4.0, 0.0, 0.0], [2.0, 0.5, 0.0]];
        assert_eq!(cut(&kite).1, [[3, 0, 1], [1, 2, 3]]);
        let nearly_square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1e-9, 1.0, 0.0]];
        assert_eq!(cut(&nearly_square).1, [[0, 1, 2], [0, 2, 3]]);
        let dart = [[0.0, 0.0, 0.0], [0.5, -1.0, 0.0], [4.0, 0.0, 0.0], [0.5, 1.0, 0.0]];
        let dented = [[1.0, 0.0, 0.0], dart[1], dart[2], dart[3]];
        assert_eq!(cut(&dented).1, [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn a_star_is_covered_once_whichever_way_it_faces() {
        for tilt in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, Vec3::new(1.0, 2.0, -3.0)] {
            let spin = carom_math::Mat3::rotation(tilt, 2.1);
            let star = (0..10).map(|i| {
                let (r, angle) = (if i % 2 == 0 { 1.0 } else { 0.3 }, f64::from(i) * 0.628_318_530_717_958_6);
                spin.apply(Vec3::new(r * angle.cos(), r * angle.sin(), 0.0)).to_array()
            });
            let (positions, triangles) = cut(&star.collect::<Vec<_>>());
            let normals = triangles.iter().map(|t| area_normal(t.map(|v| positions[v as usize])));
            let facing = spin.apply(Vec3::Z);
            let mut area = 0.0;
            for normal in normals {
                assert!(normal.dot(facing) > 0.0, "no triangle is turned over");
                area += normal.length();
            }
            // Ten triangles from the centre, each with sides 1 and 0.3 at 36 degrees.
            assert!((area - 5.0 * 0.3 * 0.628_318_530_717_958_6_f64.sin()).abs() < 1e-12);
        }
    }

    #[test]
    fn a_polygon_without_ears_still_gives_two_triangles_less_than_vertices() {
        for points in [vec![[1.0; 3]; 6], (0..7).map(|i| [f64::from(i), 0.0, 0.0]).collect()] {
            assert_eq!(cut(&points).1.len(), points.len() - 2);
        }
    }

    #[test]
    fn a_face_is_refused_with_its_number_and_line() {
        let mut polygons = Polygons::default();
        polygons.push(Some(3), [0, 1, 2]);
        polygons.push(Some(4), [0, 1, 7]);
        let fault = polygons.triangulate(&[Vec3::ZERO; 3], 1).unwrap_err();
        assert_eq!((fault.line, fault.message.as_str()), (Some(4), "face 1 names vertex 8, but there are 3"));
        let mut polygons = Polygons::default();
        polygons.push(None, [0, 1]);
        assert_eq!(
            polygons.triangulate(&[Vec3::ZERO; 3], 0).unwrap_err().message,
            "face 0 has 2 vertices, but it needs three"
        );
    }
}
