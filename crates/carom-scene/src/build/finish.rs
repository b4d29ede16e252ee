//! From an assembly to a built scene: clocks, probes, cells, and what cannot start.

use std::sync::Arc;

use carom_engine::{EnergyTolerance, Zoom};
use carom_model::{
    BuildError, ClockOptions, ClockScope, Owner, Part, Start, State, Stencils, System, Topology,
};
use carom_time::{Clocks, Span as Quanta, StepError, Tick, TimeLine};

use super::{Assembly, BodyMesh, Purpose};
use crate::at::Span;
use crate::built::{BodyCells, Built, GivenSteps, Schedule};
use crate::check::{CLAIM, ROWS_FOR_A_CLAIM};
use crate::expect::Expectations;
use crate::format::{ClockKind, ClockPer, ClockStart, Method, SceneFile};
use crate::probes::Probe;
use crate::report::{Problem, Report, Severity};

/// Rows of a ledger that claims nothing in particular.
const ROWS: u32 = 2_000;

impl Assembly<'_> {
    pub(super) fn finish(mut self, purpose: Purpose) -> Result<Built, Vec<Problem>> {
        let file = &self.scene.file;
        let probes = self.probes()?;
        let given = given_steps(file);
        let mut builder = core::mem::take(&mut self.builder);
        let driven = core::mem::take(&mut self.driven);
        if !driven.is_empty() {
            builder.family(Arc::new(driven));
        }
        let remembered = builder.remembered_start().cloned();
        let (system, state) =
            builder.build(&clock_options(file)).map_err(|error| vec![self.explain(&error, &given)])?;
        let mut problems = self.what_cannot_start(&system, &state);
        for (drive, path) in file.drives.iter().zip(&system.paths) {
            if !path.ticks.is_sorted_by(|a, b| a < b) {
                let message = "two keys, or two pieces of the way between them, fall on one tick";
                let problem = Problem::new(&drive.keys.span(), message);
                problems.push(problem.help("leave more time between keys"));
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let (system, contact) = self.with_contact(system, &state, &self.made_for(&state, remembered))?;
        let end = self.end_tick(&system).map_err(|p| vec![p])?;
        let led_until = if purpose == Purpose::Run { end } else { Tick::START };
        self.refuse_prescribed_crossing(&system, &state, led_until).map_err(|p| vec![p])?;
        let zoom = self.zoom(&system).map_err(|p| vec![p])?;
        let dcr_step = self.dcr_step(&system, end).map_err(|p| vec![p])?;
        self.warn_about_clocks(&system, end);
        let energy_tolerance = energy_tolerance(file);
        let (topology, cells) = cells(&self.bodies);
        let radii = radii(&self.bodies);
        let materials = (0..self.bodies.len()).map(|number| self.in_bulk(number)).collect();
        let source = Arc::clone(self.scene.source());
        Ok(Built {
            system,
            state,
            topology: Arc::new(topology),
            radii,
            materials,
            cells,
            pins: self.pins,
            contact,
            energy_tolerance,
            dcr_step,
            probes,
            expectations: Expectations::of(file),
            schedule: Schedule { end, frames: file.output.frames.get(), rows: rows(file), zoom },
            files: self.files.into_kept(),
            warnings: Report::new(Arc::clone(&source), Severity::Warning, self.warnings),
            given_steps: GivenSteps { forced: file.clocks.force, source, steps: given },
        })
    }

    fn probes(&self) -> Result<Vec<Probe>, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut probes = Vec::new();
        for keys in &self.scene.file.probes {
            match Probe::resolve(keys, self) {
                Ok(probe) => probes.push(probe),
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() { Ok(probes) } else { Err(problems) }
    }

    /// A system that the model refuses, at the line that made it so.
    fn explain(&self, error: &BuildError, given: &[(f64, Span)]) -> Problem {
        let bodies = &self.scene.file.bodies;
        let called = |name: &str| bodies.iter().find(|b| b.name.as_str() == name);
        let message = error.to_string();
        match error {
            BuildError::Massless { body, .. } => {
                let span = called(body).and_then(|b| b.material.as_ref()).map_or(0..0, crate::At::span);
                Problem::new(&span, message).help("check the density, the thickness and the size")
            }
            BuildError::NotFinite { body, .. } => {
                let span = called(body).map_or(0..0, |b| b.name.span());
                Problem::new(&span, message).help("check its position, velocity, spin and start")
            }
            BuildError::BadAngle { body, .. } => {
                let span = called(body).and_then(|b| b.material.as_ref()).map_or(0..0, crate::At::span);
                Problem::new(&span, message).help("check the density, the radius and the spin")
            }
            BuildError::NoStep { kind, owner, .. } => self.cannot_start(kind, *owner),
            BuildError::Step(_) => {
                let (first, others) = given.split_first().map_or((0..0, given), |(f, o)| (f.1.clone(), o));
                let problem = Problem::new(&first, message);
                let help = "bring the stiffnesses and sizes of the scene closer together, or its steps";
                others.iter().fold(problem, |p, (_, span)| p.and(span, "another step")).help(help)
            }
            BuildError::Safety(_) => Problem::new(&self.scene.file.clocks.safety.span(), message),
            BuildError::Empty | BuildError::SameOrder { .. } => Problem::nowhere(message),
        }
    }

    /// Potentials whose energy or force is not finite where they start.
    fn what_cannot_start(&self, system: &System, state: &State) -> Vec<Problem> {
        let mut problems = Vec::new();
        for family in &system.families {
            let (mut x, mut gradient) = (Vec::new(), Vec::new());
            let broken = (0..family.len()).find(|&e| {
                x.clear();
                x.extend(family.stencil(e).iter().map(|v| state.positions[*v as usize]));
                gradient.clear();
                gradient.resize(x.len(), carom_math::Vec3::ZERO);
                family.gradient(e, &x, &mut gradient);
                !family.energy(e, &x).is_finite() || gradient.iter().any(|g| !g.is_finite())
            });
            problems.extend(broken.map(|e| self.cannot_start(family.kind(), family.owner(e))));
        }
        problems
    }

    fn cannot_start(&self, kind: &str, owner: Owner) -> Problem {
        let body = &self.scene.file.bodies[owner.body as usize];
        let part = match owner.part {
            Part::Vertex(i) => format!("at vertex {i}"),
            Part::Edge(i) => format!("at edge {i}"),
            Part::Face(i) => format!("of triangle {i}"),
            Part::Cell(i) => format!("of tetrahedron {i}"),
            Part::Other(_) => "between two vertices".to_owned(),
        };
        let span = body.start.as_ref().map_or_else(|| body.shape.span(), crate::At::span);
        let message =
            format!("\"{}\" cannot start: the {kind} {part} has no finite energy or force", body.name);
        Problem::new(&span, message)
            .help("nothing may start flat, folded onto itself, inside out, or at the place of another")
    }

    fn end_tick(&self, system: &System) -> Result<Tick, Problem> {
        let end = &self.scene.file.time.end;
        let refuse = |error: &StepError| Problem::new(&end.span(), error.to_string());
        let tick = system.line.tick_at(end.get()).map_err(|e| refuse(&e))?;
        if tick == Tick::START {
            let quantum = system.line.quantum.seconds();
            let message = format!("the run ends before its first tick of {quantum:e} s");
            return Err(Problem::new(&end.span(), message).help("let it last longer"));
        }
        Ok(tick)
    }

    fn zoom(&self, system: &System) -> Result<Option<Zoom>, Problem> {
        let Some(zoom) = &self.scene.file.output.zoom else { return Ok(None) };
        let tick = |seconds: f64| {
            system.line.tick_at(seconds).map_err(|error| Problem::new(&zoom.span(), error.to_string()))
        };
        Ok(Some(Zoom {
            from: tick(zoom.from.get())?,
            to: tick(zoom.to.get())?,
            rows: zoom.rows.get().into(),
        }))
    }

    /// The step that the scene gives `dcr`: any whole number of quanta will do for one clock.
    fn dcr_step(&self, system: &System, end: Tick) -> Result<Option<Quanta>, Problem> {
        let Some(step) = &self.scene.file.dcr.step else { return Ok(None) };
        let line = TimeLine { clocks: Clocks::Exact, ..system.line };
        let span = line.span(step.get()).map_err(|error| {
            Problem::new(&step.span(), error.to_string()).help("take a step nearer to those of the elements")
        })?;
        // The span rounds down, and 3e-7 is not three times 1e-7: the nearest span is taken.
        let off = |span: Quanta| (line.quantum.step(span) - step.get()).abs();
        let next = Quanta::new(span.quanta() + 1).filter(|next| off(*next) < off(span));
        let span = next.unwrap_or(span);
        if span.quanta() > end.0 {
            let message = format!("the run ends before its first step of {:e} s", step.get());
            return Err(
                Problem::new(&step.span(), message).help("shorten `dcr.step`, or let the run last longer")
            );
        }
        Ok(Some(span))
    }

    fn warn_about_clocks(&mut self, system: &System, end: Tick) {
        if let Some(gives_way) = system.line.gives_way {
            let left = gives_way.halvings_left;
            let message =
                format!("the steps of this scene are so different that {left} halvings are left for contact");
            self.warn(Problem::nowhere(message).help("bring element sizes and stiffnesses closer together"));
        }
        if let Some(slowest) = system.spans().last()
            && slowest.quanta() > end.0
        {
            let step = system.line.quantum.step(*slowest);
            let message = format!("the run ends before the slowest clock, of {step:.3e} s, has fired");
            self.warn(Problem::new(&self.scene.file.time.end.span(), message).help("let it last longer"));
        }
    }
}

fn clock_options(file: &SceneFile) -> ClockOptions {
    let clocks = &file.clocks;
    ClockOptions {
        clocks: match clocks.kind {
            ClockKind::Dyadic => Clocks::Dyadic,
            ClockKind::Exact => Clocks::Exact,
        },
        per: match clocks.per {
            ClockPer::Potential => ClockScope::Potential,
            ClockPer::Element => ClockScope::Element,
        },
        start: match clocks.start {
            ClockStart::HalfKick => Start::HalfKick,
            ClockStart::Paper => Start::Paper,
        },
        safety: clocks.safety.get(),
        step_s: clocks.step.as_ref().map(crate::Positive::get),
        ..ClockOptions::default()
    }
}

/// How well energy is to be kept.
fn energy_tolerance(file: &SceneFile) -> Option<EnergyTolerance> {
    Some(EnergyTolerance {
        relative: file.clocks.energy_tolerance.get()?,
        contact_step_is_given: file.contact.as_ref().is_some_and(|contact| contact.step.is_some()),
    })
}

/// All steps given in the scene, in s, with their places.
fn given_steps(file: &SceneFile) -> Vec<(f64, Span)> {
    if file.method == Method::Dcr
        && let Some(step) = &file.dcr.step
    {
        // One clock for all: no other step is taken.
        return vec![(step.get(), step.span())];
    }
    let clocks = file.clocks.step.iter();
    let bodies = file.bodies.iter().filter_map(|b| b.step.as_ref());
    let springs = file.springs.iter().filter_map(|s| s.step.as_ref());
    let pairs = file.pairs.iter().filter_map(|p| p.step.as_ref());
    clocks.chain(bodies).chain(springs).chain(pairs).map(|s| (s.get(), s.span())).collect()
}

/// Rows of the ledger.
pub fn rows(file: &SceneFile) -> u32 {
    let claims = file.expect.energy_drift.as_ref().is_some_and(|drift| drift.get() <= CLAIM);
    let default = if claims { ROWS_FOR_A_CLAIM } else { ROWS };
    file.output.rows.as_ref().map_or(default, crate::Whole::get)
}

/// Radius of each vertex that is a grain, in m; empty without grains.
fn radii(bodies: &[BodyMesh]) -> Vec<f64> {
    if bodies.iter().all(|body| body.grain_radii.is_none()) {
        return Vec::new();
    }
    let of_body = |body: &BodyMesh| {
        let none = || vec![0.0; body.mesh.positions.len()];
        body.grain_radii.clone().unwrap_or_else(none)
    };
    bodies.iter().flat_map(of_body).collect()
}

/// The cells of frames, body by body.
fn cells(bodies: &[BodyMesh]) -> (Topology, Vec<BodyCells>) {
    let mut topology = Topology::default();
    let mut cells = Vec::new();
    for (number, body) in (0..).zip(bodies) {
        let mesh = &body.mesh;
        let at = |t: &Topology| [t.points.len(), t.edges.len(), t.triangles.len(), t.tets.len()];
        let before = at(&topology);
        let count = mesh.positions.len() as u32;
        let edges = || mesh.edges.iter().chain(&body.springs);
        if mesh.triangles.is_empty() && mesh.tets.is_empty() && edges().next().is_none() {
            topology.points.extend(body.first..body.first + count);
        }
        topology.edges.extend(edges().map(|e| e.map(|v| v + body.first)));
        topology.triangles.extend(mesh.triangles.iter().map(|t| t.map(|v| v + body.first)));
        topology.tets.extend(mesh.tets.iter().map(|t| t.map(|v| v + body.first)));
        topology.vertex_body.extend(core::iter::repeat_n(number, count as usize));
        let after = at(&topology);
        cells.push(BodyCells {
            points: before[0]..after[0],
            edges: before[1]..after[1],
            triangles: before[2]..after[2],
            tets: before[3]..after[3],
        });
    }
    (topology, cells)
}
