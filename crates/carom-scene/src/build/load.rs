//! Loads: forces, accelerations, pressures, forces along normals, each with its profile.
//!
//! A load that neither changes with time nor rotates with a surface has a potential, with its energy on the ledger. Everything
//! else is driven: its work goes on the ledger.

use std::sync::Arc;

use carom_elastic::{DrivenForce, DrivenLoad, Load, Profile};
use carom_geometry::mesh::area_normal;
use carom_geometry::topology::boundary_of_tets;
use carom_math::Vec3;
use carom_model::{Owner, Part};

use super::Assembly;
use crate::at::At;
use crate::format::{self, Share};
use crate::report::Problem;

impl Assembly<'_> {
    pub(super) fn add_load(&mut self, load: &At<format::Load>) -> Result<(), Problem> {
        let vertices = self.select(&load.body, &load.select)?;
        let body = self.body_number(&load.body);
        let profile = load.profile.as_ref().and_then(|profile| {
            Profile::new(profile.iter().map(|point| [point[0].get(), point[1].get()]).collect()).map(Arc::new)
        });
        let first = self.bodies[body].first;
        if let Some(forces) = self.forces(load, &vertices, body) {
            for (v, force) in vertices.into_iter().zip(forces) {
                let owner = Owner { body: body as u32, part: Part::Vertex(v - first) };
                match &profile {
                    None => {
                        self.builder.add(Load { force }, [v], owner, 1.0);
                    }
                    Some(_) => self.driven.push(DrivenLoad {
                        push: DrivenForce::Force(v, force),
                        profile: profile.clone(),
                        owner,
                    }),
                }
            }
            return Ok(());
        }
        let faces = self.faces_between(&vertices, body);
        if faces.is_empty() {
            let message = format!("no face of \"{}\" has all its corners in `select`", load.body);
            return Err(
                Problem::new(&load.select.span(), message).help("select more vertices, or use `force`")
            );
        }
        let areas: Vec<f64> =
            faces.iter().map(|(_, t)| area_normal(self.bodies[body].mesh.corners(t)).length()).collect();
        let total: f64 = areas.iter().sum();
        for ((part, corners), area) in faces.into_iter().zip(areas) {
            let t = corners.map(|v| v + first);
            let push = match (&load.pressure, &load.normal_force) {
                (Some(pressure), _) => DrivenForce::Pressure(t, pressure.get()),
                (None, force) => {
                    DrivenForce::Normal(t, force.as_ref().map_or(0.0, crate::Number::get) * area / total)
                }
            };
            let owner = Owner { body: body as u32, part };
            self.driven.push(DrivenLoad { push, profile: profile.clone(), owner });
        }
        Ok(())
    }

    /// The most that a load can do in all, in N: its area may change, but not by much.
    pub(super) fn strongest(&self, load: &format::Load) -> f64 {
        let body = self.body_number(&load.body);
        let vertices = self.select(&load.body, &load.select).unwrap_or_default();
        let of_faces = || {
            let corners = |(_, t): &(Part, [u32; 3])| self.bodies[body].mesh.corners(t);
            self.faces_between(&vertices, body)
                .iter()
                .map(|face| area_normal(corners(face)).length())
                .sum::<f64>()
        };
        let force = match (&load.force, &load.acceleration, &load.pressure, &load.normal_force) {
            (Some(force), ..) if load.share == Share::Each => force.get().length() * vertices.len() as f64,
            (Some(force), ..) => force.get().length(),
            (_, Some(acceleration), ..) => {
                acceleration.get().length() * vertices.iter().map(|v| self.masses[*v as usize]).sum::<f64>()
            }
            (_, _, Some(pressure), _) => pressure.get().abs() * of_faces(),
            (_, _, _, Some(force)) => force.get().abs(),
            _ => 0.0,
        };
        let factors =
            load.profile.iter().flat_map(|profile| profile.iter()).map(|point| point[1].get().abs());
        force * factors.reduce(f64::max).unwrap_or(1.0)
    }

    /// The force on each of the vertices, in N, of a load that acts on vertices.
    fn forces(&self, load: &format::Load, vertices: &[u32], body: usize) -> Option<Vec<Vec3>> {
        let mass = |v: u32| self.builder.masses()[v as usize];
        if let Some(acceleration) = &load.acceleration {
            return Some(vertices.iter().map(|v| acceleration.get() * mass(*v)).collect());
        }
        let force = load.force.as_ref()?.get();
        let weights: Vec<f64> = match load.share {
            Share::Equally => vec![1.0; vertices.len()],
            Share::ByMass => vertices.iter().map(|v| mass(*v)).collect(),
            Share::ByArea => self.extents_at(vertices, body),
            Share::Each => return Some(vec![force; vertices.len()]),
        };
        let total: f64 = weights.iter().sum();
        Some(weights.iter().map(|w| force * (w / total)).collect())
    }

    /// Area, length or volume at rest that falls to each of the vertices; 1 for points.
    fn extents_at(&self, vertices: &[u32], body: usize) -> Vec<f64> {
        let (mesh, first) = (&self.bodies[body].mesh, self.bodies[body].first);
        let mut at = vec![0.0; mesh.positions.len()];
        let mut spread = |corners: &[u32], extent: f64| {
            for &v in corners {
                at[v as usize] += extent / corners.len() as f64;
            }
        };
        // Loads on a solid act on its skin.
        for t in mesh.triangles.iter().copied().chain(boundary_of_tets(&mesh.tets)) {
            spread(&t, area_normal(mesh.corners(&t)).length());
        }
        for edge in &mesh.edges {
            let [a, b] = mesh.corners(edge);
            spread(edge, (b - a).length());
        }
        if at.iter().all(|extent| *extent == 0.0) {
            at.fill(1.0);
        }
        vertices.iter().map(|v| at[(v - first) as usize]).collect()
    }

    /// The triangles of a shell or of the skin of a solid all of whose corners are among `vertices`.
    fn faces_between(&self, vertices: &[u32], body: usize) -> Vec<(Part, [u32; 3])> {
        let (mesh, first) = (&self.bodies[body].mesh, self.bodies[body].first);
        let mut chosen = vec![false; mesh.positions.len()];
        for v in vertices {
            chosen[(v - first) as usize] = true;
        }
        let of_shell = (0..).zip(&mesh.triangles).map(|(i, t)| (Part::Face(i), *t));
        let skin = boundary_of_tets(&mesh.tets);
        let of_solid = skin.iter().map(|t| (Part::Vertex(t[0]), *t));
        of_shell.chain(of_solid).filter(|(_, t)| t.iter().all(|v| chosen[*v as usize])).collect()
    }
}
