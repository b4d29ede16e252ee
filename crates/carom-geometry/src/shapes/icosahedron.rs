//! The icosahedron and the lattice of frequency `f` on the sphere around it.
//!
//! Each face is divided into `f²` triangles. A lattice point is named by its face and three whole
//! weights that add up to `f`. Points on shared edges and corners have one number whichever face
//! names them: corners come first, then edges, then the insides of faces.
//!
//! A point is the sum of the corners, each times the sine of its share of the angle `w` between
//! corners, brought back to the sphere. On edges the spacing is then even, and areas differ by
//! about a fifth over the sphere instead of a half.

use carom_math::Vec3;

/// (0, ±1, ±φ) and its rotations, with φ the golden ratio.
const CORNERS: [[f64; 3]; 12] = {
    const P: f64 = 1.618_033_988_749_895;
    [
        [-1.0, P, 0.0],
        [1.0, P, 0.0],
        [-1.0, -P, 0.0],
        [1.0, -P, 0.0],
        [0.0, -1.0, P],
        [0.0, 1.0, P],
        [0.0, -1.0, -P],
        [0.0, 1.0, -P],
        [P, 0.0, -1.0],
        [P, 0.0, 1.0],
        [-P, 0.0, -1.0],
        [-P, 0.0, 1.0],
    ]
};

/// The faces, outward.
pub const FACES: [[u32; 3]; 20] = [
    [0, 11, 5],
    [0, 5, 1],
    [0, 1, 7],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [5, 11, 4],
    [11, 10, 2],
    [10, 7, 6],
    [7, 1, 8],
    [3, 9, 4],
    [3, 4, 2],
    [3, 2, 6],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [2, 4, 11],
    [6, 2, 10],
    [8, 6, 7],
    [9, 8, 1],
];

/// The angle between neighbouring corners as subtended at the centre: arctan 2.
pub const CORNER_ANGLE: f64 = 1.107_148_717_794_090_4;

/// The lattice of one frequency.
pub struct Lattice {
    frequency: u32,
    /// Smaller corner first, in rising order.
    edges: Vec<[u32; 2]>,
}

impl Lattice {
    pub fn new(frequency: u32) -> Self {
        let sides = FACES.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
        let mut edges: Vec<[u32; 2]> = sides.filter(|[from, to]| from < to).collect();
        edges.sort_unstable();
        Self { frequency, edges }
    }

    /// The number of the point of a face with these weights.
    pub fn number(&self, face: usize, weights: [u32; 3]) -> u32 {
        let f = self.frequency;
        let corners = FACES[face];
        let inner = f - 1;
        match weights {
            [_, 0, 0] => corners[0],
            [0, _, 0] => corners[1],
            [0, 0, _] => corners[2],
            [a, b, 0] => self.on_edge([corners[0], corners[1]], [a, b]),
            [0, b, c] => self.on_edge([corners[1], corners[2]], [b, c]),
            [a, 0, c] => self.on_edge([corners[2], corners[0]], [c, a]),
            [a, b, _] => {
                // Rows of constant a ≥ 1 get shorter: the rows before hold f − 2, f − 3, …
                let row = a - 1;
                let before = row * (f - 2) - row * row.saturating_sub(1) / 2;
                let inside = inner * (f.max(2) - 2) / 2;
                12 + 30 * inner + face as u32 * inside + before + (b - 1)
            }
        }
    }

    fn on_edge(&self, ends: [u32; 2], weights: [u32; 2]) -> u32 {
        let (key, from_first) =
            if ends[0] < ends[1] { (ends, weights[1]) } else { ([ends[1], ends[0]], weights[0]) };
        let edge = self.edges.binary_search(&key).expect("neighbouring corners share an edge") as u32;
        12 + edge * (self.frequency - 1) + (from_first - 1)
    }

    /// The positions on the unit sphere, in the order of their numbers.
    pub fn positions(&self) -> Vec<Vec3> {
        let f = self.frequency;
        let corners: Vec<Vec3> = CORNERS.map(Vec3::from).iter().map(|c| on_sphere(*c)).collect();
        let sine = |weight: u32| libm::sin(CORNER_ANGLE * f64::from(weight) / f64::from(f));
        let mut positions = corners.clone();
        for [from, to] in self.edges.iter().map(|e| e.map(|c| corners[c as usize])) {
            positions.extend((1..f).map(|i| on_sphere(from * sine(f - i) + to * sine(i))));
        }
        for [x, y, z] in FACES.map(|face| face.map(|c| corners[c as usize])) {
            for a in 1..f {
                for b in 1..f - a {
                    positions.push(on_sphere(x * sine(a) + y * sine(b) + z * sine(f - a - b)));
                }
            }
        }
        positions
    }
}

fn on_sphere(p: Vec3) -> Vec3 {
    p * (1.0 / p.length())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_one_number_and_every_number_one_point() {
        for f in 1..8 {
            let lattice = Lattice::new(f);
            let positions = lattice.positions();
            assert_eq!(positions.len() as u32, 10 * f * f + 2);
            let mut seen = vec![false; positions.len()];
            for (face, corners) in FACES.iter().enumerate() {
                for a in 0..=f {
                    for b in 0..=f - a {
                        let weights = [a, b, f - a - b];
                        let number = lattice.number(face, weights) as usize;
                        seen[number] = true;
                        // The point lies nearest to the corner with the largest weight.
                        let heaviest = (0..3).max_by_key(|i| weights[*i]).unwrap();
                        let nearest = on_sphere(CORNERS[corners[heaviest] as usize].into());
                        assert!((positions[number] - nearest).length() < 0.7);
                    }
                }
            }
            assert!(seen.iter().all(|s| *s));
        }
    }

    #[test]
    fn neighbouring_corners_are_a_corner_angle_apart() {
        for [a, b, _] in FACES {
            let [a, b] = [a, b].map(|c| on_sphere(CORNERS[c as usize].into()));
            assert!((a.dot(b) - libm::cos(CORNER_ANGLE)).abs() < 1e-15);
        }
    }
}
