//! From a scene to a [`System`](carom_model::System) and the [`State`](carom_model::State) it starts in.
//!
//! | step | file |
//! | --- | --- |
//! | shapes become meshes, or spheres of some size | [`crate::shapes`] |
//! | materials become masses and potentials | `material`, `part`, [`crate::materials`] |
//! | bodies are placed and set moving | `place`, [`crate::fields`] |
//! | selections become vertices | `select` |
//! | gravity, springs, pairs, loads and pins are added | `force`, `load` |
//! | everything is put where another run was | `from` |
//! | driven vertices get their paths | `drive` |
//! | clocks are chosen, and invalid starts are refused | `finish` |
//! | contact pairs, and whether their start is valid | `contact`, `lossy` |
//! | the speeds and pressures that contact must be ready for | `expected` |
//! | prescribed motions that cross are refused | `prescribed` |
//!
//! Vertices are numbered body by body in the order of the scene; elements in the order of the mesh.
//!
//! **Never here:** time passing; writing files.

mod contact;
mod drive;
mod expected;
mod finish;
mod force;
mod from;
mod load;
mod lossy;
mod material;
mod part;
mod place;
mod prescribed;
mod select;

pub use contact::crossing_pairs;
pub use finish::rows;
pub use from::{Earlier, EarlierBody};
pub use load::{LOADS, LoadKind};
pub use part::{InSeries, MadeOf, Makeup, Varies};

use core::ops::Range;
use std::collections::BTreeSet;

use carom_elastic::DrivenLoads;
use carom_geometry::Mesh;
use carom_model::{ElementRef, Owner, Part, SystemBuilder};

use crate::at::At;
use crate::built::{Built, PinSet};
use crate::files::{Files, OpenFiles};
use crate::format::Body;
use crate::materials::RestBody;
use crate::report::{Problem, SceneError};
use crate::scene::Scene;
use crate::shapes::{MadeShape, Order};

/// Builds the system that `scene` describes; `files` opens what it names.
pub fn build(scene: &Scene, files: &dyn Files) -> Result<Built, SceneError> {
    build_for(Purpose::Run, scene, files)
}

/// Builds the system that `scene` describes, to find where it rests: nothing is led anywhere, so prescribed motions may cross later on.
pub fn build_to_relax(scene: &Scene, files: &dyn Files) -> Result<Built, SceneError> {
    build_for(Purpose::Relax, scene, files)
}

/// What a system is built for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Run,
    Relax,
}

fn build_for(purpose: Purpose, scene: &Scene, files: &dyn Files) -> Result<Built, SceneError> {
    let mut assembly = Assembly {
        scene,
        files: OpenFiles::new(files),
        builder: SystemBuilder::new(),
        bodies: Vec::new(),
        masses: Vec::new(),
        pins: Vec::new(),
        told: BTreeSet::new(),
        driven: DrivenLoads::default(),
        warnings: Vec::new(),
        given: BTreeSet::new(),
        others: 0,
    };
    let refuse = |problems| SceneError::new(scene.source(), problems);
    let mut problems = Vec::new();
    for body in &scene.file.bodies {
        problems.extend(assembly.add_body(body).err().unwrap_or_default());
    }
    if problems.is_empty() {
        problems.extend(assembly.add_forces());
        problems.extend(assembly.start_from().err().unwrap_or_default());
        problems.extend(scene.file.drives.iter().filter_map(|drive| assembly.add_drive(drive).err()));
    }
    if !problems.is_empty() {
        return Err(refuse(problems));
    }
    assembly.finish(purpose).map_err(refuse)
}

/// A scene half built.
pub struct Assembly<'s> {
    pub(crate) scene: &'s Scene,
    files: OpenFiles<'s>,
    pub(crate) builder: SystemBuilder,
    pub(crate) bodies: Vec<BodyMesh>,
    /// Mass of every vertex, in kg.
    masses: Vec<f64>,
    pins: Vec<PinSet>,
    /// Driven vertices.
    told: BTreeSet<u32>,
    /// Loads that do work of their own.
    driven: DrivenLoads,
    warnings: Vec<Problem>,
    /// Kind and number of the elements whose steps are given.
    given: BTreeSet<(&'static str, usize)>,
    /// Number of potentials so far that belong to no part of a body.
    others: u32,
}

/// A body half built.
pub(crate) struct BodyMesh {
    /// The rest shape with the elements of its material, numbered from 0.
    pub mesh: Mesh,
    /// Materials of the body's elements.
    pub makeup: Makeup,
    /// The number of its first vertex in the system.
    pub first: u32,
    /// Radius of each grain, in m, if it is grains.
    grain_radii: Option<Vec<f64>>,
    /// Springs inside the body, numbered like the mesh.
    springs: Vec<[u32; 2]>,
    /// Number of edges numbered before those springs.
    pub edges_numbered: usize,
    /// The angle of each edge, if it is a rod that twists.
    pub angles: Vec<u32>,
    /// What a spring at one of its vertices counts for among its own edges: as much as one of them.
    typical_edge: f64,
}

impl Assembly<'_> {
    fn add_body(&mut self, body: &At<Body>) -> Result<(), Vec<Problem>> {
        let MadeShape { mesh, radii, velocities: thrown } = self.shape_of(body).map_err(|p| vec![p])?;
        let mesh = material::elements_of(mesh, body)?;
        let makeup = self.makeup(body, &mesh)?;
        let at_rest = RestBody {
            mesh: &mesh,
            makeup: &makeup,
            parts: &self.scene.file.parts,
            grain_radii: radii.as_deref(),
        };
        let masses = material::masses(body, &at_rest);
        let placed = self.place(body, &mesh, &masses, thrown).map_err(|p| vec![p])?;
        self.builder.body(body.name.as_str());
        let first = self.builder.positions().len() as u32;
        for ((x, v), m) in placed.positions.iter().zip(&placed.velocities).zip(&masses) {
            let vertex = self.builder.vertex(*x, *v, *m);
            if body.obstacle {
                self.builder.drive(vertex);
            }
        }
        self.masses.extend(&masses);
        if let Some(radii) = self.spinning(body, radii.as_deref(), masses.len()) {
            for (m, r) in masses.iter().zip(radii) {
                // A solid sphere.
                self.builder.spin(carom_math::Vec3::ZERO, 0.4 * m * r * r);
            }
        }
        let edges_numbered = mesh.edges.len();
        let typical_edge = if edges_numbered == 0 { 1.0 } else { mesh.length() / edges_numbered as f64 };
        self.bodies.push(BodyMesh {
            mesh,
            makeup,
            first,
            grain_radii: radii,
            springs: Vec::new(),
            edges_numbered,
            angles: Vec::new(),
            typical_edge,
        });
        self.add_material(body);
        Ok(())
    }

    /// The shape of a body, in its own coordinates.
    fn shape_of(&mut self, body: &At<Body>) -> Result<MadeShape, Problem> {
        let contact = self.scene.file.contact.as_ref();
        body.shape.kind().make(&mut Order { body, contact, files: &mut self.files })
    }

    /// The number of the body called `name`, which exists.
    pub fn body_number(&self, name: &str) -> usize {
        let bodies = &self.scene.file.bodies;
        bodies.iter().position(|b| b.name.as_str() == name).expect("references were checked")
    }

    /// The number of the body called `name`, which exists, and its vertices.
    pub fn vertices_of(&self, name: &str) -> (u32, Range<u32>) {
        let number = self.body_number(name);
        let body = &self.bodies[number];
        (number as u32, body.first..body.first + body.mesh.positions.len() as u32)
    }

    /// The pin called `name`, which exists.
    pub fn pin(&self, name: &str) -> &PinSet {
        let named = |pin: &&PinSet| pin.name.as_deref() == Some(name);
        self.pins.iter().find(named).expect("references were checked")
    }

    pub(crate) fn warn(&mut self, problem: Problem) {
        self.warnings.push(problem);
    }

    /// Gives an element the step its body or its table names, if any.
    pub(crate) fn give_step(&mut self, element: ElementRef, step_s: Option<f64>) {
        if let Some(step_s) = step_s {
            self.builder.give_step(element, step_s);
            self.given.insert((element.kind(), element.number()));
        }
    }

    /// Damps an element, if its material or its table says so.
    pub(crate) fn damp(&mut self, element: ElementRef, damping_s: Option<f64>) {
        if let Some(damping_s) = damping_s {
            self.builder.damp(element, damping_s);
        }
    }

    /// A potential that belongs to no part of a body.
    fn other(&mut self, body: usize) -> Owner {
        self.others += 1;
        Owner { body: body as u32, part: Part::Other(self.others - 1) }
    }
}
