//! What acts on bodies: gravity, loads, springs, pairs and pins.

use carom_elastic::registry::{PairLaw, PairSite, choices};
use carom_elastic::{Drag, Gravity, Spins, Spring, Translations, Twists};
use carom_geometry::Mesh;
use carom_math::Vec3;
use carom_model::{Axes, DofKind, Owner, Part};

use super::Assembly;
use crate::at::{At, Span};
use crate::built::PinSet;
use crate::format;
use crate::report::Problem;

/// More pairs than this are taken for a slip: every pair is a potential of its own.
const MOST_PAIRS: usize = 4_000_000;

impl Assembly<'_> {
    /// Adds everything that acts on bodies; returns what is wrong.
    pub(super) fn add_forces(&mut self) -> Vec<Problem> {
        let file = &self.scene.file;
        if let Some(gravity) = &file.gravity {
            self.add_gravity(gravity.acceleration.get());
        }
        for (number, body) in file.bodies.iter().enumerate() {
            if let Some(rate) = &body.drag {
                self.add_drag(number, rate.get());
            }
        }
        let mut problems = Vec::new();
        problems.extend(file.loads.iter().filter_map(|load| self.add_load(load).err()));
        problems.extend(file.springs.iter().filter_map(|spring| self.add_spring(spring).err()));
        problems.extend(file.pairs.iter().filter_map(|pair| self.add_pair(pair).err()));
        problems.extend(file.pins.iter().filter_map(|pin| self.add_pin(pin).err()));
        problems
    }

    fn add_gravity(&mut self, acceleration: Vec3) {
        let falls = |number: &usize| !self.scene.file.bodies[*number].obstacle;
        for number in (0..self.bodies.len()).filter(falls) {
            let first = self.bodies[number].first;
            for v in 0..self.bodies[number].mesh.positions.len() as u32 {
                let mass = self.builder.masses()[(first + v) as usize];
                let owner = Owner { body: number as u32, part: Part::Vertex(v) };
                self.builder.add(Gravity { mass, acceleration }, [first + v], owner, 1.0);
            }
        }
    }

    fn add_drag(&mut self, number: usize, rate: f64) {
        let first = self.bodies[number].first;
        for v in 0..self.bodies[number].mesh.positions.len() as u32 {
            let inertia = self.builder.masses()[(first + v) as usize];
            let owner = Owner { body: number as u32, part: Part::Vertex(v) };
            let added = self.builder.add(Drag { inertia, rate, on: Translations }, [first + v], owner, 1.0);
            self.builder.damp(added, 1.0 / rate);
        }
        for auxiliary in self.builder.auxiliary_dofs_of(number as u32) {
            let (dof_kind, inertia) = self.builder.kind_and_inertia(auxiliary);
            let owner = self.other(number);
            let added = match dof_kind {
                DofKind::Spin => self.builder.add(Drag { inertia, rate, on: Spins }, [auxiliary], owner, 1.0),
                DofKind::Twist => {
                    self.builder.add(Drag { inertia, rate, on: Twists }, [auxiliary], owner, 1.0)
                }
                DofKind::Position | DofKind::Memory => continue,
            };
            self.builder.damp(added, 1.0 / rate);
        }
    }

    fn add_pin(&mut self, pin: &format::Pin) -> Result<(), Problem> {
        let vertices = self.select(&pin.body, &pin.select)?;
        for v in &vertices {
            self.builder.pin(*v, pin.axes.0);
        }
        if pin.twist {
            self.pin_angles(pin, &vertices)?;
        }
        let name = pin.name.as_ref().map(ToString::to_string);
        self.pins.push(PinSet { name, vertices, axes: pin.axes.0 });
        Ok(())
    }

    /// Holds the angles of the edges between the vertices of a pin.
    fn pin_angles(&mut self, pin: &format::Pin, vertices: &[u32]) -> Result<(), Problem> {
        let body = &self.bodies[self.body_number(&pin.body)];
        let is_held = |v: u32| vertices.contains(&(v + body.first));
        let edges = body.mesh.edges.iter().zip(&body.angles);
        let angles: Vec<u32> =
            edges.filter(|(ends, _)| ends.iter().all(|v| is_held(*v))).map(|(_, a)| *a).collect();
        if angles.is_empty() {
            let message = format!("\"{}\" has no edge between these vertices that could twist", pin.body);
            let help = "select both ends of an edge of a material.rod with twist = true, or leave `twist` out of the pin";
            return Err(Problem::new(&pin.select.span(), message).help(help));
        }
        for angle in angles {
            self.builder.pin(angle, Axes::ALL);
        }
        Ok(())
    }

    fn add_spring(&mut self, spring: &At<format::Spring>) -> Result<(), Problem> {
        if let Some(body) = &spring.edges {
            let number = self.body_number(body);
            let first = self.bodies[number].first;
            let edges = all_edges(&self.bodies[number].mesh);
            if edges.is_empty() {
                return Err(Problem::new(&body.span(), format!("\"{body}\" has no edges")));
            }
            return edges
                .into_iter()
                .try_for_each(|e| self.add_one(spring, &body.span(), e.map(|v| v + first)));
        }
        if let Some(ends) = &spring.between {
            let (a, b) = (self.vertex(&ends[0])?, self.vertex(&ends[1])?);
            return self.add_one(spring, &ends.span(), [a, b]);
        }
        let (Some(from), Some(to)) = (&spring.from, &spring.to) else {
            return Ok(());
        };
        let (starts, ends) = (self.select(&from.body, &from.select)?, self.select(&to.body, &to.select)?);
        if ends.len() != 1 && ends.len() != starts.len() {
            let message = format!("{} springs start, but {} end", starts.len(), ends.len());
            let problem =
                Problem::new(&to.select.span(), message).and(&from.select.span(), "where they start");
            return Err(problem.help("select as many vertices in `to` as in `from`, or one"));
        }
        let ends = ends.iter().cycle();
        starts.iter().zip(ends).try_for_each(|(a, b)| self.add_one(spring, &to.select.span(), [*a, *b]))
    }

    fn add_one(&mut self, spring: &format::Spring, span: &Span, ends: [u32; 2]) -> Result<(), Problem> {
        let [a, b] = ends;
        if a == b {
            return Err(Problem::new(span, "a spring needs two different vertices"));
        }
        let bodies = ends.map(|v| self.body_of(v));
        let inside = bodies[0] == bodies[1];
        let first = self.bodies[bodies[0]].first;
        let x = if inside {
            self.bodies[bodies[0]].mesh.corners(&ends.map(|v| v - first))
        } else {
            ends.map(|v| self.builder.positions()[v as usize])
        };
        let stiffness = spring.stiffness.get();
        let element = match &spring.rest_length {
            Some(length) => Spring { stiffness, rest_length: length.get() },
            None => Spring::from_rest(&x, stiffness),
        };
        let owner = if inside {
            let body = &mut self.bodies[bodies[0]];
            body.springs.push(ends.map(|v| v - first));
            let number = body.edges_numbered + body.springs.len() - 1;
            Owner { body: bodies[0] as u32, part: Part::Edge(number as u32) }
        } else {
            self.other(bodies[0])
        };
        let extent = bodies.iter().map(|b| self.bodies[*b].typical_edge).fold(f64::INFINITY, f64::min);
        let added = self.builder.add(element, ends, owner, extent);
        self.give_step(added, spring.step.as_ref().map(crate::Positive::get));
        self.damp(added, spring.damping.as_ref().map(crate::Positive::get));
        Ok(())
    }

    fn body_of(&self, vertex: u32) -> usize {
        self.bodies.partition_point(|b| b.first <= vertex) - 1
    }

    fn add_pair(&mut self, pair: &At<format::Pair>) -> Result<(), Problem> {
        let bodies: Vec<usize> = match &pair.bodies {
            Some(names) => names.iter().map(|n| self.body_number(n)).collect(),
            None => (0..self.bodies.len()).collect(),
        };
        let range = |b: usize| {
            self.bodies[b].first..self.bodies[b].first + self.bodies[b].mesh.positions.len() as u32
        };
        let vertices: Vec<u32> = bodies.iter().flat_map(|b| range(*b)).collect();
        let count = vertices.len() * vertices.len().saturating_sub(1) / 2;
        if count == 0 {
            return Err(Problem::new(&pair.span(), "a pair needs two vertices").help("name more bodies"));
        }
        if count > MOST_PAIRS {
            let message = format!("{} vertices make {count} pairs, more than {MOST_PAIRS}", vertices.len());
            return Err(Problem::new(&pair.span(), message).help("name fewer or smaller `bodies`"));
        }
        let step_s = pair.step.as_ref().map(crate::Positive::get);
        let given = choices::<PairLaw>().find_map(|(_, law)| Some((law, pair.value(law.name)?)));
        let Some((law, numbers)) = given else { return Ok(()) };
        for (i, &a) in vertices.iter().enumerate() {
            for &b in &vertices[i + 1..] {
                let stencil = [a, b];
                let masses = stencil.map(|v| self.builder.masses()[v as usize]);
                let site = PairSite { stencil, masses, owner: self.other(self.body_of(a)) };
                let added = (law.add)(&mut self.builder, &site, &|name| numbers.number(name));
                self.give_step(added, step_s);
            }
        }
        Ok(())
    }
}

/// Every edge of a mesh once, smaller vertex first, in rising order.
fn all_edges(mesh: &Mesh) -> Vec<[u32; 2]> {
    const OF_TET: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    let mut edges = mesh.edges.clone();
    edges.extend(mesh.triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]));
    edges.extend(mesh.tets.iter().flat_map(|t| OF_TET.map(|[i, j]| [t[i], t[j]])));
    for edge in &mut edges {
        edge.sort_unstable();
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}
