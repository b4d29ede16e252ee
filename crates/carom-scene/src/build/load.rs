//! Loads: forces, accelerations, pressures, forces along normals, each with its profile.
//!
//! A load that neither changes with time nor rotates with a surface has a potential, with its energy on the ledger. Everything
//! else is driven: its work goes on the ledger.

use std::sync::Arc;

use carom_elastic::{DrivenForce, DrivenLoad, Load, Profile};
use carom_geometry::mesh::area_normal;
use carom_geometry::topology::boundary_of_tets;
use carom_math::Vec3;
use carom_model::{Absent, Owner, Part, Range};

use super::Assembly;
use crate::at::At;
use crate::format::{self, Share};
use crate::open::{Form, OpenKey, Value};
use crate::report::Problem;

/// A kind of load.
#[derive(Clone, Copy)]
pub struct LoadKind {
    /// Its key in a `[[load]]`.
    pub name: &'static str,
    /// The unit of its value.
    pub unit: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Whether vertices share it as `share` says.
    pub is_shared: bool,
    /// Its page in the book: `docs/guide/<page>.md`.
    pub page: &'static str,
    acts: Acts,
}

/// What a load acts on, what it does there, and the most that it can do in all, in N, where its value is so large.
#[derive(Clone, Copy)]
enum Acts {
    /// A vector acts on vertices: the force on each of them, in N.
    OnVertices {
        forces: fn(&Assembly<'_>, &Place<'_>, Vec3) -> Vec<Vec3>,
        strongest: fn(&Assembly<'_>, &Place<'_>, f64) -> f64,
    },
    /// A number acts on the faces between vertices.
    OnFaces {
        push: fn([u32; 3], f64, AreaShare) -> DrivenForce,
        strongest: fn(&Assembly<'_>, &Place<'_>, f64) -> f64,
    },
}

/// The vertices of a body that a load acts on.
struct Place<'a> {
    load: &'a format::Load,
    vertices: &'a [u32],
    body: usize,
}

/// The area of a face at rest, and of all that a load acts on, in m².
#[derive(Clone, Copy)]
struct AreaShare {
    area: f64,
    total: f64,
}

/// All kinds of load.
pub const LOADS: &[LoadKind] = &[
    LoadKind {
        name: "force",
        unit: "N",
        about: "A force that keeps its direction, in N.",
        is_shared: true,
        page: "loads",
        acts: Acts::OnVertices {
            forces: shared,
            strongest: |_, on, force| match on.load.share {
                Share::Each => force * on.vertices.len() as f64,
                Share::Equally | Share::ByMass | Share::ByArea => force,
            },
        },
    },
    LoadKind {
        name: "acceleration",
        unit: "m/s²",
        about: "A field that accelerates each of the vertices alike, in m/s²: each feels its mass times it.",
        is_shared: false,
        page: "loads",
        acts: Acts::OnVertices {
            forces: |assembly, on, acceleration| {
                let mass = |v: &u32| assembly.builder.masses()[*v as usize];
                on.vertices.iter().map(|v| acceleration * mass(v)).collect()
            },
            strongest: |assembly, on, acceleration| {
                acceleration * on.vertices.iter().map(|v| assembly.masses[*v as usize]).sum::<f64>()
            },
        },
    },
    LoadKind {
        name: "pressure",
        unit: "Pa",
        about: "A pressure along the normals of the faces between the vertices, as they move, in Pa: a positive one inflates what has its \
                normals outward; on the skin of a solid it pulls, a negative one presses.",
        is_shared: false,
        page: "loads",
        acts: Acts::OnFaces {
            push: |t, pressure, _| DrivenForce::Pressure(t, pressure),
            strongest: |assembly, on, pressure| pressure * assembly.area_between(on.vertices, on.body),
        },
    },
    LoadKind {
        name: "normal_force",
        unit: "N",
        about: "A force along the normals of the faces between the vertices, as they move, shared by their areas at rest, in N.",
        is_shared: false,
        page: "loads",
        acts: Acts::OnFaces {
            push: |t, force, AreaShare { area, total }| DrivenForce::Normal(t, force * area / total),
            strongest: |_, _, force| force,
        },
    },
];

impl LoadKind {
    /// Its key in a `[[load]]`.
    #[must_use]
    pub fn key(&self) -> OpenKey {
        let form = match self.acts {
            Acts::OnVertices { .. } => Form::Vector,
            Acts::OnFaces { .. } => Form::Number(Range::Any, Absent::Accepted),
        };
        OpenKey { name: self.name, about: self.about, form }
    }

    /// Whether a load is of this kind.
    #[must_use]
    pub fn is_in(&self, load: &format::Load) -> bool {
        load.value(self.name).is_some()
    }
}

/// The force on each of the vertices that share one, in N.
fn shared(assembly: &Assembly<'_>, on: &Place<'_>, force: Vec3) -> Vec<Vec3> {
    let weights: Vec<f64> = match on.load.share {
        Share::Equally => vec![1.0; on.vertices.len()],
        Share::ByMass => on.vertices.iter().map(|v| assembly.builder.masses()[*v as usize]).collect(),
        Share::ByArea => assembly.extents_at(on.vertices, on.body),
        Share::Each => return vec![force; on.vertices.len()],
    };
    let total: f64 = weights.iter().sum();
    weights.iter().map(|w| force * (w / total)).collect()
}

/// The direction of a load, if it keeps one.
pub(super) fn direction(load: &format::Load) -> Option<Vec3> {
    match LOADS.iter().find_map(|kind| load.value(kind.name))? {
        Value::Vector(vector) => Some(vector.get().try_normalize().unwrap_or(Vec3::ZERO)),
        Value::Number(_) | Value::Table(_) => None,
    }
}

impl Assembly<'_> {
    pub(super) fn add_load(&mut self, load: &At<format::Load>) -> Result<(), Problem> {
        let vertices = self.select(&load.body, &load.select)?;
        let body = self.body_number(&load.body);
        let profile = load.profile.as_ref().and_then(|profile| {
            Profile::new(profile.iter().map(|point| [point[0].get(), point[1].get()]).collect()).map(Arc::new)
        });
        let acts = LOADS.iter().find_map(|kind| Some((kind.acts, load.value(kind.name)?)));
        match acts {
            Some((Acts::OnVertices { forces, .. }, Value::Vector(vector))) => {
                let on = Place { load, vertices: &vertices, body };
                let forces = forces(self, &on, vector.get());
                self.push_vertices(&vertices, &forces, body, profile.as_ref());
                Ok(())
            }
            Some((Acts::OnFaces { push, .. }, Value::Number(number))) => {
                self.push_faces(load, &vertices, profile.as_ref(), |t, share| push(t, **number, share))
            }
            _ => Ok(()),
        }
    }

    /// Adds the forces on some vertices of a body, in N.
    fn push_vertices(
        &mut self,
        vertices: &[u32],
        forces: &[Vec3],
        body: usize,
        profile: Option<&Arc<Profile>>,
    ) {
        let first = self.bodies[body].first;
        for (&v, &force) in vertices.iter().zip(forces) {
            let owner = Owner { body: body as u32, part: Part::Vertex(v - first) };
            if profile.is_none() {
                self.builder.add(Load { force }, [v], owner, 1.0);
            } else {
                let push = DrivenForce::Force(v, force);
                self.driven.push(DrivenLoad { push, profile: profile.cloned(), owner });
            }
        }
    }

    /// Adds a push to each face between some vertices, which gets its corners and its share of the area.
    fn push_faces(
        &mut self,
        load: &format::Load,
        vertices: &[u32],
        profile: Option<&Arc<Profile>>,
        push: impl Fn([u32; 3], AreaShare) -> DrivenForce,
    ) -> Result<(), Problem> {
        let body = self.body_number(&load.body);
        let first = self.bodies[body].first;
        let faces = self.faces_between(vertices, body);
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
            let push = push(corners.map(|v| v + first), AreaShare { area, total });
            let owner = Owner { body: body as u32, part };
            self.driven.push(DrivenLoad { push, profile: profile.cloned(), owner });
        }
        Ok(())
    }

    /// The most that a load can do in all, in N: its area may change, but not by much.
    pub(super) fn strongest(&self, load: &format::Load) -> f64 {
        let body = self.body_number(&load.body);
        let vertices = self.select(&load.body, &load.select).unwrap_or_default();
        let on = Place { load, vertices: &vertices, body };
        let acts = LOADS.iter().find_map(|kind| Some((kind.acts, load.value(kind.name)?)));
        let force = match acts {
            Some((Acts::OnVertices { strongest, .. }, Value::Vector(vector))) => {
                strongest(self, &on, vector.get().length())
            }
            Some((Acts::OnFaces { strongest, .. }, Value::Number(number))) => {
                strongest(self, &on, number.abs())
            }
            _ => 0.0,
        };
        let factors =
            load.profile.iter().flat_map(|profile| profile.iter()).map(|point| point[1].get().abs());
        force * factors.reduce(f64::max).unwrap_or(1.0)
    }

    /// The area of the faces between some vertices, in m².
    fn area_between(&self, vertices: &[u32], body: usize) -> f64 {
        let corners = |(_, t): &(Part, [u32; 3])| self.bodies[body].mesh.corners(t);
        self.faces_between(vertices, body).iter().map(|face| area_normal(corners(face)).length()).sum()
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
