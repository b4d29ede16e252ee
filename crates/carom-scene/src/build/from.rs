//! Starting where another run was: a table of all vertices, body by body.
//!
//! Numbers are written with as many digits as it takes to read the same bits again.

use core::fmt::Write as _;

use carom_math::Vec3;

use super::Assembly;
use crate::at::At;
use crate::report::Problem;
use crate::spelling;

/// Positions and velocities of another run, body by body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Earlier {
    /// Bodies of the run, in order.
    pub bodies: Vec<EarlierBody>,
}

/// One body of another run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EarlierBody {
    /// Name of the body.
    pub name: String,
    /// Positions, in m.
    pub positions: Vec<Vec3>,
    /// Velocities, in m/s.
    pub velocities: Vec<Vec3>,
    /// Auxiliary degrees of freedom of the body (angles, spins, stored frames): values and rates.
    pub auxiliary_dofs: Vec<[Vec3; 2]>,
}

impl Earlier {
    /// The table that a scene reads with `from.file`.
    #[must_use]
    pub fn to_table(&self) -> String {
        let mut text = String::new();
        for body in &self.bodies {
            let _ = writeln!(text, "body {} {}", body.name, body.positions.len());
            for (x, v) in body.positions.iter().zip(&body.velocities) {
                write_line(&mut text, x, v);
            }
            if !body.auxiliary_dofs.is_empty() {
                let _ = writeln!(text, "ghosts {}", body.auxiliary_dofs.len());
            }
            for [x, v] in &body.auxiliary_dofs {
                write_line(&mut text, x, v);
            }
        }
        text
    }

    /// Reads a table. An error names the line, counted from 1.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut bodies: Vec<EarlierBody> = Vec::new();
        let mut promised = Promised::default();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some((name, count)) = line.strip_prefix("body ").and_then(|rest| rest.rsplit_once(' ')) {
                check_count(bodies.last(), &promised)?;
                let vertices =
                    count.parse().map_err(|_| format!("line {number}: {count} is no number of vertices"))?;
                promised = Promised { vertices, auxiliary_dofs: None };
                bodies.push(EarlierBody { name: name.trim().to_owned(), ..EarlierBody::default() });
                continue;
            }
            if let Some(count) = line.strip_prefix("ghosts ") {
                let count = count.trim().parse();
                promised.auxiliary_dofs =
                    Some(count.map_err(|_| format!("line {number}: \"{line}\" says no number of ghosts"))?);
                continue;
            }
            let numbers: Option<Vec<f64>> = line.split_whitespace().map(|w| w.parse().ok()).collect();
            let Some([x, y, z, vx, vy, vz]) = numbers.and_then(|n| <[f64; 6]>::try_from(n).ok()) else {
                return Err(format!("line {number}: \"{line}\" are not six numbers"));
            };
            let Some(body) = bodies.last_mut() else {
                return Err(format!("line {number}: a vertex before any line `body NAME COUNT`"));
            };
            let (x, v) = (Vec3::new(x, y, z), Vec3::new(vx, vy, vz));
            if promised.auxiliary_dofs.is_some() {
                body.auxiliary_dofs.push([x, v]);
            } else {
                body.positions.push(x);
                body.velocities.push(v);
            }
        }
        check_count(bodies.last(), &promised)?;
        Ok(Self { bodies })
    }
}

fn write_line(text: &mut String, x: &Vec3, v: &Vec3) {
    let _ = writeln!(text, "{:?} {:?} {:?} {:?} {:?} {:?}", x.x, x.y, x.z, v.x, v.y, v.z);
}

/// Numbers that the header of a body in the table announces.
#[derive(Default)]
struct Promised {
    vertices: usize,
    /// Known once its line has come.
    auxiliary_dofs: Option<usize>,
}

fn check_count(body: Option<&EarlierBody>, promised: &Promised) -> Result<(), String> {
    let Some(EarlierBody { name, positions, auxiliary_dofs, .. }) = body else { return Ok(()) };
    let counts = [
        (positions.len(), promised.vertices, "vertices"),
        (auxiliary_dofs.len(), promised.auxiliary_dofs.unwrap_or(0), "ghosts"),
    ];
    match counts.into_iter().find(|(found, promised, _)| found != promised) {
        Some((found, promised, what)) => Err(format!("body \"{name}\" has {found} of {promised} {what}")),
        None => Ok(()),
    }
}

impl Assembly<'_> {
    /// Puts every vertex where the scene says that another run was.
    pub(super) fn start_from(&mut self) -> Result<(), Vec<Problem>> {
        let Some(from) = &self.scene.file.from else { return Ok(()) };
        let earlier = self.read_earlier(&from.file).map_err(|problem| vec![problem])?;
        let problems: Vec<Problem> = self.mismatches(&earlier, &from.file);
        if !problems.is_empty() {
            return Err(problems);
        }
        // The same scene has the same steps and the same contact, wherever it starts.
        self.builder.remember_start();
        for body in &earlier.bodies {
            let number = self.body_number(&body.name);
            let first = self.bodies[number].first;
            for ((v, x), u) in (first..).zip(&body.positions).zip(&body.velocities) {
                self.builder.place(v, *x, from.velocities.then_some(*u));
            }
            for (auxiliary, [x, u]) in
                self.builder.auxiliary_dofs_of(number as u32).into_iter().zip(&body.auxiliary_dofs)
            {
                self.builder.place(auxiliary, *x, from.velocities.then_some(*u));
            }
        }
        Ok(())
    }

    fn read_earlier(&mut self, file: &At<String>) -> Result<Earlier, Problem> {
        let bytes = self.files.read(file)?;
        let wrong = |message: String| {
            let problem = Problem::new(&file.span(), format!("{file}: {message}"));
            problem.help("such tables are made by `carom run --from`: make it anew")
        };
        let text = core::str::from_utf8(&bytes).map_err(|_| wrong("this is no text".to_owned()))?;
        let earlier = Earlier::parse(text).map_err(wrong)?;
        self.files.keep(file, bytes, Vec::new());
        Ok(earlier)
    }

    /// Bodies that one of the two does not have, or not with as many vertices, angles or spins.
    fn mismatches(&self, earlier: &Earlier, file: &At<String>) -> Vec<Problem> {
        let scene = &self.scene.file.bodies;
        let known = || scene.iter().map(|body| body.name.as_str());
        let mut problems = Vec::new();
        for body in &earlier.bodies {
            let Some(number) = known().position(|name| name == body.name) else {
                let problem = Problem::new(&file.span(), format!("this scene has no body \"{}\"", body.name));
                problems.push(match spelling::nearest(&body.name, known()) {
                    Some(near) => problem.help(format!("did you rename it to \"{near}\"?")),
                    None => problem.help("start from a run of a scene with the same bodies"),
                });
                continue;
            };
            let (there, here) = (body.positions.len(), self.bodies[number].mesh.positions.len());
            if there != here {
                let message = format!("\"{}\" has {here} vertices, but {there} in {file}", body.name);
                let problem = Problem::new(&scene[number].shape.span(), message);
                problems.push(problem.help("start from a run with the same meshes"));
            }
            let (there, here) =
                (body.auxiliary_dofs.len(), self.builder.auxiliary_dofs_of(number as u32).len());
            // What neither twists nor spins any more needs no angles.
            if here > 0 && there != here {
                let message = format!(
                    "\"{}\" twists or spins, and {file} does not hold its angles and spins",
                    body.name
                );
                let problem = Problem::new(&scene[number].name.span(), message);
                problems.push(problem.help("start from a run in which it twists or spins as here"));
            }
        }
        for body in scene.iter().filter(|b| earlier.bodies.iter().all(|e| e.name != b.name.as_str())) {
            let problem = Problem::new(&body.name.span(), format!("{file} has no body \"{}\"", body.name));
            problems.push(problem.help("start from a run of a scene with the same bodies"));
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(numbers: &[[f64; 6]]) -> Earlier {
        let position = |n: &[f64; 6]| Vec3::new(n[0], n[1], n[2]);
        let velocity = |n: &[f64; 6]| Vec3::new(n[3], n[4], n[5]);
        let body = |name: &str| EarlierBody {
            name: name.to_owned(),
            positions: numbers.iter().map(position).collect(),
            velocities: numbers.iter().map(velocity).collect(),
            auxiliary_dofs: numbers.iter().skip(2).map(|n| [velocity(n), position(n)]).collect(),
        };
        Earlier { bodies: vec![body("a sheet"), body("ball")] }
    }

    proptest! {
        #[test]
        fn every_bit_comes_back(numbers in prop::collection::vec(prop::array::uniform6(prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO), 0..20)) {
            let earlier = of(&numbers);
            let back = Earlier::parse(&earlier.to_table()).unwrap();
            let bits = |e: &Earlier| -> Vec<u64> {
                let all = e.bodies.iter().flat_map(|b| b.positions.iter().chain(&b.velocities).chain(b.auxiliary_dofs.iter().flatten()));
                all.flat_map(|v| v.to_array()).map(f64::to_bits).collect()
            };
            prop_assert_eq!(bits(&back), bits(&earlier));
            prop_assert_eq!(back, earlier);
        }
    }

    #[test]
    fn a_table_that_lacks_vertices_or_bodies_is_refused_by_its_line() {
        assert!(Earlier::parse("body a 2\n0 0 0 0 0 0\n").unwrap_err().contains("1 of 2"));
        assert!(Earlier::parse("0 0 0 0 0 0\n").unwrap_err().starts_with("line 1: a vertex before"));
        assert!(Earlier::parse("body a 1\n0 0 0\n").unwrap_err().starts_with("line 2:"));
        assert!(Earlier::parse("body a 0\nghosts 2\n0 0 0 0 0 0\n").unwrap_err().contains("1 of 2 ghosts"));
        assert!(Earlier::parse("body a 0\nghosts many\n").unwrap_err().starts_with("line 2:"));
        assert!(Earlier::parse("body a x\n").unwrap_err().contains("no number of vertices"));
    }
}
