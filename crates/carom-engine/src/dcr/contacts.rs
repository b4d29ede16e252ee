//! Contacts of one step as rows of a matrix: `G`, one gradient of a gap per contact.
//!
//! Rows name the vertices they reach by their place among those of the set, so that every product costs what the contact
//! costs, whatever the size of the scene. Sums run over rows in the order of pairs, and over vertices in the order of rows.

use carom_math::Vec3;
use carom_model::PairId;

/// The gap of one contact, linearised.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The pair.
    pub id: PairId,
    /// Its vertices in the system; those that it does not have repeat the first, with no weight.
    pub vertices: [u32; 4],
    /// How many of them belong to the first primitive.
    pub first_primitive: usize,
    /// Derivative of the gap with respect to each vertex.
    pub gradient: [Vec3; 4],
    /// Weights of the vertices in the distance between the points that touch: they sum to 1 and to −1.
    pub weights: [f64; 4],
    /// The gap, in m: negative if they penetrate.
    pub gap: f64,
}

impl Row {
    /// What a unit multiplier does to the first primitive.
    pub fn on_first(&self) -> Vec3 {
        self.gradient[..self.first_primitive].iter().copied().sum()
    }

    /// Unit vector from the second primitive to the first.
    pub fn normal(&self) -> Vec3 {
        self.on_first().try_normalize().unwrap_or(Vec3::Z)
    }
}

/// Rows, and the vertices they reach.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// The rows, in the order of pairs.
    pub rows: Vec<Row>,
    /// For each row, the places of its vertices.
    places: Vec<[u32; 4]>,
    /// The number in the system of each vertex, ascending.
    pub vertices: Vec<u32>,
    /// Inverse mass of each vertex along each axis, in 1/kg.
    inverse_masses: Vec<Vec3>,
}

impl Contacts {
    /// These rows, on vertices of these inverse masses.
    pub fn new(rows: Vec<Row>, inverse_masses: &[Vec3]) -> Self {
        let mut vertices: Vec<u32> = rows.iter().flat_map(|row| row.vertices).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let place = |v: u32| vertices.binary_search(&v).expect("every vertex of a row is listed") as u32;
        let places = rows.iter().map(|row| row.vertices.map(place)).collect();
        let inverse_masses = vertices.iter().map(|v| inverse_masses[*v as usize]).collect();
        Self { rows, places, vertices, inverse_masses }
    }

    /// `G v`: the rate at which each gap opens, with vertex `i` of the set moving at `v[i]`.
    pub fn rates(&self, v: &[Vec3]) -> Vec<f64> {
        self.rows.iter().zip(&self.places).map(|(row, at)| rate(&row.gradient, at, v)).collect()
    }

    /// `Gᵀ λ`: the impulse of the multipliers `lambda` on each vertex.
    pub fn impulses(&self, lambda: &[f64]) -> Vec<Vec3> {
        let mut out = vec![Vec3::ZERO; self.vertices.len()];
        for ((row, at), &l) in self.rows.iter().zip(&self.places).zip(lambda) {
            add(&row.gradient, at, l, &mut out);
        }
        out
    }

    /// `M⁻¹ p` for `p` on each vertex.
    pub fn over_mass(&self, mut p: Vec<Vec3>) -> Vec<Vec3> {
        for (p, w) in p.iter_mut().zip(&self.inverse_masses) {
            *p = p.scaled_by(*w);
        }
        p
    }

    /// `G M⁻¹ Gᵀ λ`.
    pub fn coupled(&self, lambda: &[f64]) -> Vec<f64> {
        self.rates(&self.over_mass(self.impulses(lambda)))
    }

    /// The diagonal of `G M⁻¹ Gᵀ`.
    pub fn diagonal(&self) -> Vec<f64> {
        let of = |(row, at): (&Row, &[u32; 4])| {
            let part = |(g, i): (&Vec3, &u32)| g.scaled_by(self.inverse_masses[*i as usize]).dot(*g);
            row.gradient.iter().zip(at).map(part).sum()
        };
        self.rows.iter().zip(&self.places).map(of).collect()
    }

    /// Row by row, how much two rows could at most weigh against each other: a bound on the rows of `|G M⁻¹ Gᵀ|`.
    pub fn row_bounds(&self, scale: &[f64]) -> Vec<f64> {
        let mut reach = vec![0.0; self.vertices.len()];
        for ((row, at), s) in self.rows.iter().zip(&self.places).zip(scale) {
            for (g, i) in row.gradient.iter().zip(at) {
                reach[*i as usize] += s * g.length();
            }
        }
        for (r, w) in reach.iter_mut().zip(&self.inverse_masses) {
            *r *= w.x.max(w.y).max(w.z);
        }
        let of = |((row, at), s): ((&Row, &[u32; 4]), &f64)| {
            row.gradient.iter().zip(at).map(|(g, i)| s * g.length() * reach[*i as usize]).sum()
        };
        self.rows.iter().zip(&self.places).zip(scale).map(of).collect()
    }

    /// The rows in groups that share no vertex that can move: what one does is nothing to another.
    pub fn islands(&self) -> Vec<Vec<usize>> {
        let mut root: Vec<usize> = (0..self.rows.len()).collect();
        let mut owner: Vec<Option<usize>> = vec![None; self.vertices.len()];
        for (r, at) in self.places.iter().enumerate() {
            for &i in at.iter().filter(|i| !self.inverse_masses[**i as usize].is_zero()) {
                match owner[i as usize] {
                    Some(other) => {
                        let (a, b) = (find(&mut root, other), find(&mut root, r));
                        root[a.max(b)] = a.min(b);
                    }
                    None => owner[i as usize] = Some(r),
                }
            }
        }
        let mut islands: Vec<Vec<usize>> = Vec::new();
        let mut number = vec![usize::MAX; self.rows.len()];
        for r in 0..self.rows.len() {
            let first = find(&mut root, r);
            if number[first] == usize::MAX {
                number[first] = islands.len();
                islands.push(Vec::new());
            }
            islands[number[first]].push(r);
        }
        islands
    }
}

fn find(root: &mut [usize], mut r: usize) -> usize {
    while root[r] != r {
        root[r] = root[root[r]];
        r = root[r];
    }
    r
}

#[inline]
fn rate(gradient: &[Vec3; 4], at: &[u32; 4], v: &[Vec3]) -> f64 {
    gradient.iter().zip(at).map(|(g, i)| g.dot(v[*i as usize])).sum()
}

#[inline]
fn add(gradient: &[Vec3; 4], at: &[u32; 4], lambda: f64, out: &mut [Vec3]) {
    for (g, i) in gradient.iter().zip(at) {
        out[*i as usize] += *g * lambda;
    }
}
