//! The stiffness of a system at rest: exact, element by element, and factored.
//!
//! `K = ∂²V/∂q²` over the given directions, by the elements' own tangents, in a band around the diagonal. `K = L D Lᵀ`
//! without pivoting solves for Newton's steps, and `D` has as many negative entries as `K` has negative eigenvalues (Sylvester): a system in
//! equilibrium is stable while there are none.

use carom_math::Vec3;
use carom_model::{Axes, Family, System, TANGENTS};

/// Directions in which vertices may move: the numbers of the unknowns.
pub struct Unknowns {
    /// Number of the unknown of each vertex and axis.
    numbers: Vec<[Option<usize>; 3]>,
    count: usize,
}

impl Unknowns {
    /// Whatever is not pinned and lies along one of `axes`.
    pub fn of(system: &System, axes: Axes) -> Self {
        let mut count = 0;
        let mut number = |is_free: bool| {
            count += usize::from(is_free);
            is_free.then(|| count - 1)
        };
        let of_vertex =
            |w: &Vec3| [axes.x && w.x > 0.0, axes.y && w.y > 0.0, axes.z && w.z > 0.0].map(&mut number);
        let numbers = system.inverse_masses.iter().map(of_vertex).collect();
        Self { numbers, count }
    }

    /// The unknowns of a vertex, with their axes.
    fn at(&self, v: u32) -> impl Iterator<Item = (usize, Vec3)> {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        self.numbers[v as usize].into_iter().zip(axes).filter_map(|(number, axis)| Some((number?, axis)))
    }
}

/// `L D Lᵀ` of a stiffness matrix, row by row within its band.
pub struct Factors {
    /// For row `i` the entries `i − width ..= i`; the last is that of `D`.
    rows: Vec<Vec<f64>>,
    width: usize,
}

impl Factors {
    /// The stiffness of `system` with its vertices at `x`, factored.
    ///
    /// # Panics
    /// If an element has no tangents.
    pub fn of(system: &System, unknowns: &Unknowns, x: &[Vec3]) -> Self {
        let mut entries = Vec::new();
        for family in &system.families {
            for element in 0..family.len() {
                add_element(family.as_ref(), element, unknowns, x, &mut entries);
            }
        }
        let width = entries.iter().map(|&(row, column, _)| row - column).max().unwrap_or(0);
        let mut rows = vec![vec![0.0; width + 1]; unknowns.count];
        for (row, column, value) in entries {
            rows[row][width - (row - column)] += value;
        }
        let mut factors = Self { rows, width };
        factors.factor();
        factors
    }

    fn factor(&mut self) {
        let width = self.width;
        for i in 0..self.rows.len() {
            for j in i.saturating_sub(width)..i {
                // L_ij D_j = K_ij − Σ L_ik D_k L_jk.
                let first = i.saturating_sub(width);
                let (above, rest) = self.rows.split_at_mut(i);
                let (row, other) = (&mut rest[0], &above[j]);
                let known = (first..j).map(|k| row[width - (i - k)] * other[width - (j - k)]).sum::<f64>();
                row[width - (i - j)] -= known;
            }
            let first = i.saturating_sub(width);
            for j in first..i {
                let scaled = self.rows[i][width - (i - j)];
                let entry = scaled / self.rows[j][width];
                self.rows[i][width] -= entry * scaled;
                self.rows[i][width - (i - j)] = entry;
            }
        }
    }

    /// Number of negative eigenvalues.
    pub fn negative(&self) -> usize {
        self.rows.iter().filter(|row| row[self.width] < 0.0).count()
    }

    /// The solution of `K d = right`.
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let width = self.width;
        let mut d = right.to_vec();
        for i in 0..d.len() {
            let known: f64 = (i.saturating_sub(width)..i).map(|j| self.rows[i][width - (i - j)] * d[j]).sum();
            d[i] -= known;
        }
        for (d, row) in d.iter_mut().zip(&self.rows) {
            *d /= row[width];
        }
        for i in (0..d.len()).rev() {
            for j in i.saturating_sub(width)..i {
                d[j] -= self.rows[i][width - (i - j)] * d[i];
            }
        }
        d
    }
}

/// Lower half of the stiffness of one element, as row, column and value.
fn add_element(
    family: &dyn Family,
    element: usize,
    unknowns: &Unknowns,
    x: &[Vec3],
    entries: &mut Vec<(usize, usize, f64)>,
) {
    let stencil = family.stencil(element);
    let places: Vec<Vec3> = stencil.iter().map(|&v| x[v as usize]).collect();
    let own: Vec<(usize, usize, Vec3)> = (0..stencil.len())
        .flat_map(|slot| unknowns.at(stencil[slot]).map(move |(number, axis)| (slot, number, axis)))
        .collect();
    for columns in own.chunks(TANGENTS) {
        let mut along = vec![[Vec3::ZERO; TANGENTS]; stencil.len()];
        for (k, &(slot, _, axis)) in columns.iter().enumerate() {
            along[slot][k] = axis;
        }
        let mut change = vec![[Vec3::ZERO; TANGENTS]; stencil.len()];
        family.tangents(element, &places, &along, &mut change).expect("elements of ours have tangents");
        for (k, &(_, column, _)) in columns.iter().enumerate() {
            for &(slot, row, axis) in own.iter().filter(|&&(_, row, _)| row >= column) {
                entries.push((row, column, change[slot][k].dot(axis)));
            }
        }
    }
}

/// Moves the vertices along the unknowns to where no force is left, by Newton's method.
///
/// # Panics
/// If that is not soon: the problems here start near.
pub fn balance(system: &System, unknowns: &Unknowns, start: &[Vec3]) -> Vec<Vec3> {
    const ROUNDS: usize = 30;
    let mut x = start.to_vec();
    for _ in 0..ROUNDS {
        let step = Factors::of(system, unknowns, &x).solve(&forces(system, unknowns, &x));
        let mut largest = 0.0_f64;
        for (v, place) in (0..).zip(&mut x) {
            for (number, axis) in unknowns.at(v) {
                *place += axis * step[number];
                largest = largest.max(step[number].abs());
            }
        }
        if largest < 1e-11 {
            return x;
        }
    }
    panic!("no equilibrium after {ROUNDS} of Newton's steps");
}

/// The force along each unknown, in N.
fn forces(system: &System, unknowns: &Unknowns, x: &[Vec3]) -> Vec<f64> {
    let mut all = vec![0.0; unknowns.count];
    for family in &system.families {
        for element in 0..family.len() {
            let stencil = family.stencil(element);
            let places: Vec<Vec3> = stencil.iter().map(|&v| x[v as usize]).collect();
            let mut gradient = vec![Vec3::ZERO; stencil.len()];
            family.gradient(element, &places, &mut gradient);
            for (&v, g) in stencil.iter().zip(&gradient) {
                for (number, axis) in unknowns.at(v) {
                    all[number] -= g.dot(axis);
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use carom_elastic::{Load, Spring};
    use carom_model::{ClockOptions, Part, SystemBuilder};

    use super::super::recording::owner;
    use super::*;

    const LENGTH: f64 = 0.5;
    const STIFFNESS: f64 = 8.0;

    const ALONG: Axes = Axes { x: false, y: false, z: true };

    /// A chain of springs that hangs from its first vertex, `pull` at its last; springs also reach over one vertex where it is `braced`.
    fn chain(links: u32, pull: f64, braced: bool) -> (System, Vec<Vec3>) {
        let mut builder = SystemBuilder::new();
        for i in 0..=links {
            builder.vertex(Vec3::Z * (-LENGTH * f64::from(i)), Vec3::ZERO, 1.0);
        }
        builder.pin(0, Axes::ALL);
        for reach in if braced { 1..=3 } else { 1..=1 } {
            for i in 0..=links - reach {
                let rest_length = LENGTH * f64::from(reach);
                let spring = Spring { stiffness: STIFFNESS, rest_length };
                builder.add(spring, [i, i + reach], owner(Part::Edge(i)), rest_length);
            }
        }
        builder.add(Load { force: Vec3::Z * -pull }, [links], owner(Part::Vertex(links)), 1.0);
        let (system, state) = builder.build(&ClockOptions::default()).unwrap();
        (system, state.positions)
    }

    #[test]
    fn a_chain_is_stretched_by_its_load_over_its_stiffness() {
        let (system, start) = chain(6, 2.0, false);
        let x = balance(&system, &Unknowns::of(&system, ALONG), &start);
        assert!((x[6].z + 6.0 * (LENGTH + 2.0 / STIFFNESS)).abs() < 1e-12, "{:?}", x[6]);
    }

    #[test]
    fn one_step_of_newton_is_enough_where_springs_are_linear() {
        let (system, start) = chain(12, 2.0, true);
        let along = Unknowns::of(&system, ALONG);
        let step = Factors::of(&system, &along, &start).solve(&forces(&system, &along, &start));
        let moved: Vec<Vec3> = start
            .iter()
            .enumerate()
            .map(|(i, x)| if i == 0 { *x } else { *x + Vec3::Z * step[i - 1] })
            .collect();
        let left = forces(&system, &along, &moved).into_iter().fold(0.0, |most: f64, f| most.max(f.abs()));
        assert!(step[11].abs() > 0.1 && left < 1e-12, "{left:e} N are left");
    }

    #[test]
    fn a_pulled_chain_is_stable_sideways_and_a_pushed_one_gives_way_in_every_link() {
        for (pull, braced, negative) in [(2.0, false, 0), (-2.0, false, 6), (2.0, true, 0), (-2.0, true, 6)] {
            let (system, start) = chain(6, pull, braced);
            let x = balance(&system, &Unknowns::of(&system, ALONG), &start);
            let sideways = Unknowns::of(&system, Axes { x: true, y: false, z: false });
            assert_eq!(Factors::of(&system, &sideways, &x).negative(), negative, "{pull} {braced}");
        }
    }
}
