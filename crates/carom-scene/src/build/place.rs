//! Where a body starts and how it moves.

use carom_geometry::Mesh;
use carom_math::{Mat3, Vec3, Vec3Sum};

use super::Assembly;
use crate::at::At;
use crate::format::{Body, MeshFile, TableFile};
use crate::report::Problem;
use crate::table;

/// Vertices in the world.
pub struct Placed {
    /// Positions, in m.
    pub positions: Vec<Vec3>,
    /// Velocities, in m/s.
    pub velocities: Vec<Vec3>,
}

impl Assembly<'_> {
    /// Puts a body of this rest shape and these masses where it starts, moving as it starts: `thrown` with these velocities in its own
    /// coordinates, in m/s, if its shape has any.
    pub(super) fn place(
        &mut self,
        body: &Body,
        mesh: &Mesh,
        masses: &[f64],
        thrown: Option<Vec<Vec3>>,
    ) -> Result<Placed, Problem> {
        let rest = &mesh.positions;
        let mut local = rest.clone();
        let mut velocities = thrown.unwrap_or_else(|| vec![Vec3::ZERO; rest.len()]);
        if let Some(start) = &body.start {
            if let Some(file) = &start.mesh {
                local = self.start_mesh(file, rest.len())?;
            }
            if let Some(file) = &start.table {
                let table = self.start_table(file, rest.len())?;
                local = table.positions;
                velocities = table.velocities.unwrap_or(velocities);
            }
            if let Some(scale) = &start.scale {
                local = local.into_iter().map(|x| x.scaled_by(scale.get())).collect();
            }
            if let Some(displace) = &start.displace {
                local = local.into_iter().zip(rest).map(|(x, r)| x + displace.at(*r)).collect();
            }
        }
        let turn = turn_of(body);
        let positions: Vec<Vec3> = local.iter().map(|x| turn.apply(*x) + body.position.get()).collect();
        for v in &mut velocities {
            *v = turn.apply(*v);
        }
        if let Some(wanted) = &body.velocity_field {
            let mut extra: Vec<Vec3> = rest.iter().map(|x| turn.apply(wanted.at(*x))).collect();
            for own in wanted.of_vertices(masses) {
                extra.iter_mut().zip(&own).for_each(|(e, n)| *e += turn.apply(*n));
            }
            if wanted.balanced {
                // The second time takes out what the rounding of the first left.
                for _ in 0..2 {
                    balance(&positions, masses, &mut extra);
                }
            }
            velocities.iter_mut().zip(&extra).for_each(|(v, e)| *v += *e);
        }
        let centre = mean(&positions, masses);
        for (v, x) in velocities.iter_mut().zip(&positions) {
            *v += body.velocity.get() + body.spin.get().cross(*x - centre);
        }
        Ok(Placed { positions, velocities })
    }

    /// Where a mesh of the same vertices puts them, before the body is placed, in m.
    fn start_mesh(&mut self, file: &MeshFile, vertices: usize) -> Result<Vec<Vec3>, Problem> {
        let positions = file.read(&mut self.files)?.positions;
        check_count(&file.file, positions.len(), vertices)?;
        Ok(positions)
    }

    /// Where a mesh of the same vertices puts those of a body that stands where the scene places it, in m.
    pub(super) fn placed_mesh(&mut self, file: &MeshFile, number: usize) -> Result<Vec<Vec3>, Problem> {
        let local = self.start_mesh(file, self.bodies[number].mesh.positions.len())?;
        let body = &self.scene.file.bodies[number];
        let turn = turn_of(body);
        Ok(local.into_iter().map(|x| turn.apply(x) + body.position.get()).collect())
    }

    fn start_table(&mut self, file: &TableFile, vertices: usize) -> Result<table::VertexTable, Problem> {
        let bytes = self.files.read(&file.file)?;
        let wrong = |message: String| Problem::new(&file.file.span(), format!("{}: {message}", file.file));
        let Ok(text) = core::str::from_utf8(&bytes) else {
            return Err(wrong("this is no text".to_owned()).help("save the table as plain text"));
        };
        let table = table::parse(text).map_err(|m| wrong(m).help("write x y z, or x y z vx vy vz"))?;
        check_count(&file.file, table.positions.len(), vertices)?;
        self.files.keep(&file.file, bytes, Vec::new());
        Ok(table)
    }
}

/// Rotation of a body before it is moved to its position.
fn turn_of(body: &Body) -> Mat3 {
    let rotation = body.rotation.as_ref();
    rotation.map_or(Mat3::IDENTITY, |r| Mat3::rotation(r.axis.get(), r.degrees.get().to_radians()))
}

fn check_count(file: &At<String>, found: usize, vertices: usize) -> Result<(), Problem> {
    if found == vertices {
        return Ok(());
    }
    let message = format!("{file} has {found} vertices, the rest shape {vertices}");
    Err(Problem::new(&file.span(), message)
        .help("take a mesh with the vertices of the rest shape, in the same order"))
}

/// The mean of `values`, weighted.
fn mean(values: &[Vec3], weights: &[f64]) -> Vec3 {
    let (mut total, mut sum) = (0.0, Vec3Sum::default());
    for (v, w) in values.iter().zip(weights) {
        total += w;
        sum.add(*v * *w);
    }
    sum.value() * (1.0 / total)
}

/// Takes out of `velocities` the mean velocity and the spin that carry their momenta.
fn balance(positions: &[Vec3], masses: &[f64], velocities: &mut [Vec3]) {
    let (centre, drift) = (mean(positions, masses), mean(velocities, masses));
    let mut momentum = Vec3Sum::default();
    for ((x, v), m) in positions.iter().zip(velocities.iter()).zip(masses) {
        momentum.add((*x - centre).cross(*v - drift) * *m);
    }
    let inertia = |w: Vec3| {
        let mut sum = Vec3Sum::default();
        for (x, m) in positions.iter().zip(masses) {
            let r = *x - centre;
            sum.add(r.cross(w.cross(r)) * *m);
        }
        sum.value()
    };
    let spin = solve(inertia, momentum.value());
    for (v, x) in velocities.iter_mut().zip(positions) {
        *v = *v - drift - spin.cross(*x - centre);
    }
}

/// Solves `matrix · x = right` by conjugate gradients, for a symmetric matrix without negative
/// eigenvalues: about a direction without inertia (that of a straight rod) the solution has no component.
fn solve(matrix: impl Fn(Vec3) -> Vec3, right: Vec3) -> Vec3 {
    let (mut x, mut rest, mut along) = (Vec3::ZERO, right, right);
    let small = right.length_sq() * f64::EPSILON * f64::EPSILON;
    for _ in 0..6 {
        let image = matrix(along);
        let (squared, curvature) = (rest.length_sq(), along.dot(image));
        if squared <= small || curvature <= 0.0 {
            break;
        }
        let step = squared / curvature;
        x += along * step;
        rest -= image * step;
        along = rest + along * (rest.length_sq() / squared);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn momenta(x: &[Vec3], m: &[f64], v: &[Vec3]) -> (f64, f64) {
        let linear: Vec3 = v.iter().zip(m).map(|(v, m)| *v * *m).sum();
        let angular: Vec3 = x.iter().zip(v).zip(m).map(|((x, v), m)| x.cross(*v) * *m).sum();
        (linear.length(), angular.length())
    }

    #[test]
    fn what_is_balanced_has_no_momentum_left() {
        let x: Vec<Vec3> =
            (0..9).map(f64::from).map(|i| Vec3::new(i * i % 5.0, i % 3.0 - 7.0, (i * 0.7) % 1.0)).collect();
        let m: Vec<f64> = (1..=9).map(f64::from).collect();
        let mut v: Vec<Vec3> = x.iter().map(|x| Vec3::new(x.y * x.z, 1.0 - x.x, x.x * x.x)).collect();
        let before = momenta(&x, &m, &v);
        for _ in 0..2 {
            balance(&x, &m, &mut v);
        }
        let after = momenta(&x, &m, &v);
        assert!(before.0 > 1.0 && before.1 > 1.0);
        assert!(after.0 < 1e-12 && after.1 < 1e-11, "{after:?}");
    }

    #[test]
    fn a_straight_rod_has_no_inertia_about_itself_and_is_balanced_all_the_same() {
        let x: Vec<Vec3> = (0..5).map(|i| Vec3::X * f64::from(i)).collect();
        let mut v: Vec<Vec3> = x.iter().map(|x| Vec3::Z * (x.x * x.x)).collect();
        balance(&x, &[1.0; 5], &mut v);
        let after = momenta(&x, &[1.0; 5], &v);
        assert!(after.0 < 1e-13 && after.1 < 1e-13, "{after:?}");
        assert!(v.iter().all(|v| v.is_finite()) && v[0].length() > 0.1);
    }
}
