//! A built scene: everything a run needs, and its expectations.

use core::ops::Range;
use std::sync::Arc;

use carom_contact::ContactTuning;
use carom_engine::{EnergyTolerance, Zoom};
use carom_model::{Axes, Owner, Part, State, System, Topology};
use carom_time::Tick;

use crate::at::Span;
use crate::expect::Expectations;
use crate::files::KeptFile;
use crate::probes::Probe;
use crate::report::{Problem, Report, SceneError};
use crate::source::Source;

/// A scene, built.
#[derive(Clone)]
pub struct Built {
    /// Masses, potentials and clocks.
    pub system: System,
    /// State at tick 0.
    pub state: State,
    /// The cells of frames.
    pub topology: Arc<Topology>,
    /// Radius of each vertex that is a grain, in m, 0 of others; empty without grains.
    pub radii: Vec<f64>,
    /// What each body is made of, in numbers.
    pub materials: Vec<BodyMaterial>,
    /// The cells of each body.
    pub cells: Vec<BodyCells>,
    /// The pins, in the order of the scene.
    pub pins: Vec<PinSet>,
    /// Contact parameters as chosen, if there is contact.
    pub contact: Option<ContactNotes>,
    /// How well energy is to be kept; `None` where the scene says "none".
    pub energy_tolerance: Option<EnergyTolerance>,
    /// The step of `dcr`, if the scene gives one.
    pub dcr_step: Option<carom_time::Span>,
    /// Probes of the scene.
    pub probes: Vec<Probe>,
    /// Expectations of the scene.
    pub expectations: Expectations,
    /// When the run ends, and how often it is written down.
    pub schedule: Schedule,
    /// The files the scene was built from, as a run's folder keeps them.
    pub files: Vec<KeptFile>,
    /// Warnings for the user.
    pub warnings: Report,
    /// The steps that the user gave.
    pub given_steps: GivenSteps,
}

/// When a run ends, and how often it is written down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// The last tick of the run.
    pub end: Tick,
    /// Frames after the first.
    pub frames: u32,
    /// Rows of the ledger after the first.
    pub rows: u32,
    /// Part of the run with extra rows in the ledger.
    pub zoom: Option<Zoom>,
}

/// The numbers that the material of a body has in bulk, those of its stiffest part. An obstacle has none of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyMaterial {
    /// The stiffness that it sets against being pressed, in Pa; points and hard grains have none.
    pub modulus_pa: Option<f64>,
    /// Density, in kg/m³; points have none.
    pub density_kg_m3: Option<f64>,
    /// Thickness of a shell, radius of a rod or of the smallest grain, in m; solids and points have none.
    pub thickness_or_radius_m: Option<f64>,
}

impl BodyMaterial {
    /// The one with the largest modulus among some, the first of equals.
    pub(crate) fn stiffest(parts: impl Iterator<Item = Self>) -> Self {
        parts.reduce(|a, b| if b.modulus_pa > a.modulus_pa { b } else { a }).unwrap_or_default()
    }
}

/// The cells of one body: ranges in the lists of [`Topology`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BodyCells {
    /// Range of the body in `points`.
    pub points: Range<usize>,
    /// Range of the body in `edges`: the edges of a rod, then the springs inside the body.
    pub edges: Range<usize>,
    /// Range of the body in `triangles`.
    pub triangles: Range<usize>,
    /// Range of the body in `tets`.
    pub tets: Range<usize>,
}

/// Vertices that a pin holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinSet {
    /// Name of the pin, if it has one.
    pub name: Option<String>,
    /// The vertices it holds.
    pub vertices: Vec<u32>,
    /// Along which axes.
    pub axes: Axes,
}

/// Contact parameters as chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactNotes {
    /// Parameters for every two bodies that can meet.
    pub choices: Vec<ContactTuning>,
    /// Neighbours along rods that are nearer than their diameter at rest, in words: they do not touch.
    pub left_out: Vec<String>,
}

/// The steps that the user gave, and whether they are to be taken whatever they do.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenSteps {
    /// Whether the scene accepts unstable steps (`clocks.force`).
    pub forced: bool,
    pub(crate) source: Arc<Source>,
    /// The given steps, in s, and where.
    pub(crate) steps: Vec<(f64, Span)>,
}

impl GivenSteps {
    /// Whether the user gave no step: those that the program chose need no check.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The refusal of steps with the stability number `sigma`, which must be below 1.
    #[must_use]
    pub fn refuse(&self, sigma: f64) -> SceneError {
        let mut steps = self.steps.iter();
        let Some((step_s, span)) = steps.next() else {
            return SceneError::one(&self.source, Problem::nowhere("the steps are unstable"));
        };
        let longest = step_s / sigma;
        let message =
            format!("a step of {step_s:e} s is unstable here: the longest stable one is {longest:.3e} s");
        let mut problem = Problem::new(span, message);
        for (step_s, span) in steps {
            problem = problem.and(span, format!("at most {:.3e} s", step_s / sigma));
        }
        let help = "shorten it, leave it out to have one chosen, or accept it with `clocks.force = true`";
        SceneError::one(&self.source, problem.help(help))
    }
}

impl Built {
    /// The triangle or tetrahedron of frames that owns a potential, if one does.
    #[must_use]
    pub fn cell_of(&self, owner: Owner) -> Option<usize> {
        let body = &self.cells[owner.body as usize];
        let first_triangle = self.topology.first_triangle();
        match owner.part {
            Part::Face(i) => Some(first_triangle + body.triangles.start + i as usize),
            Part::Cell(i) => {
                Some(first_triangle + self.topology.triangles.len() + body.tets.start + i as usize)
            }
            Part::Vertex(_) | Part::Edge(_) | Part::Other(_) => None,
        }
    }
}
