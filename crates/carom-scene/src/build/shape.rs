//! From a shape to a mesh.

use carom_geometry::shapes::{self, ShapeError};
use carom_geometry::{Group, Mesh};
use carom_math::Vec3;

use super::Assembly;
use crate::at::{At, Span};
use crate::files::{beside, in_variable, keep, stays_inside};
use crate::format::{BoxShape, BoxSplit, GridPattern, GridShape, IcosphereShape, MeshFile, Shape};
use crate::number::Positive;
use crate::report::Problem;

/// A shape to be made: the call, and the places of its arguments.
struct Order<'s> {
    whole: Span,
    places: Vec<(&'s str, Span)>,
}

impl Assembly<'_> {
    /// The mesh of a shape, in the body's own coordinates.
    pub(super) fn mesh_of(&mut self, shape: &At<Shape>) -> Result<Mesh, Problem> {
        let whole = shape.span();
        let order = |places: Vec<(&'static str, Span)>| Order { whole: whole.clone(), places };
        match &**shape {
            Shape::Grid(s) => grid(s, &order(grid_places(s))),
            Shape::Icosphere(s) => icosphere(s, &order(sphere_places(s))),
            Shape::Box(s) => solid_box(s, &order(box_places(s))),
            Shape::Disc(s) => order(vec![("radius", s.radius.span()), ("edge", s.edge.span())])
                .made(shapes::disc(s.radius.get(), s.edge.get())),
            Shape::Cylinder(s) | Shape::Tube(s) => {
                let make = if matches!(**shape, Shape::Tube(_)) { shapes::tube } else { shapes::cylinder };
                let places =
                    vec![("radius", s.radius.span()), ("height", s.height.span()), ("edge", s.edge.span())];
                order(places).made(make(s.radius.get(), s.height.get(), s.edge.get()))
            }
            Shape::Rod(s) => {
                let places =
                    vec![("the distance between its ends", s.to.span()), ("segments", s.segments.span())];
                order(places).made(shapes::rod(s.from.get(), s.to.get(), s.segments.get() as usize))
            }
            Shape::Ring(s) => order(vec![("radius", s.radius.span()), ("segments", s.segments.span())])
                .made(shapes::ring(s.radius.get(), s.segments.get() as usize)),
            Shape::Ball(s) => order(vec![("radius", s.radius.span()), ("edge", s.edge.span())])
                .made(shapes::ball_tets(s.radius.get(), s.edge.get())),
            Shape::Drum(s) => {
                let drum = shapes::graded_drum(s.radius.get());
                order(vec![("radius", s.radius.span())]).made(drum.map(|d| d.mesh))
            }
            Shape::Points(s) => {
                let positions: Vec<Vec3> = s.positions.iter().map(crate::number::Vector::get).collect();
                Ok(Mesh { positions, ..Mesh::default() })
            }
            Shape::Room(s) => Ok(super::grains::room(s)),
            Shape::Grains(_) => unreachable!("grains are no mesh: they are made elsewhere"),
            Shape::Mesh(file) => self.read_mesh(file),
        }
    }

    /// Reads a mesh and keeps its files.
    pub(super) fn read_mesh(&mut self, file: &MeshFile) -> Result<Mesh, Problem> {
        let name = file.file.as_str();
        let bytes = self.read_file(&file.file)?;
        let companions = core::cell::RefCell::new(Vec::new());
        let files = self.files;
        let open = |companion: &str| {
            let bytes = files.read(&beside(name, companion)).ok().filter(|_| stays_inside(companion))?;
            companions.borrow_mut().push((companion.to_owned(), bytes.clone()));
            Some(bytes)
        };
        let mesh = carom_mesh_io::read(name, &bytes, &open).map_err(|error| {
            let line = error.line.map(|l| format!(", line {l}")).unwrap_or_default();
            let message = format!("{}{line}: {}", error.file, error.message);
            Problem::new(&file.file.span(), message).help(error.remedy)
        })?;
        self.kept.extend(keep(name, bytes, companions.into_inner()));
        let scale = file.scale.get();
        let mesh = if scale == 1.0 { mesh } else { mesh.scaled(scale) };
        if mesh.positions.iter().any(|p| !p.is_finite()) {
            let problem =
                Problem::new(&file.scale.span(), format!("a scale of {scale} makes the mesh infinite"));
            return Err(problem);
        }
        Ok(mesh)
    }

    /// The bytes of a file that the scene names.
    pub(super) fn read_file(&self, name: &At<String>) -> Result<Vec<u8>, Problem> {
        self.files.read(name).map_err(|error| {
            let problem = Problem::new(&name.span(), format!("cannot read \"{name}\": {error}"));
            match in_variable(name) {
                Some((variable, _)) => problem.help(format!("{variable} must be the folder that holds the file")),
                None => problem.help(
                    "files are looked for beside the scene; write an absolute path for others, or `$NAME/…` with an environment variable",
                ),
            }
        })
    }
}

impl Order<'_> {
    fn made(&self, made: Result<Mesh, ShapeError>) -> Result<Mesh, Problem> {
        made.map_err(|error| {
            let place = self.places.iter().find(|(name, _)| error.parameter.starts_with(name));
            let span = place.map_or(&self.whole, |(_, span)| span);
            let message = format!("{} is {:?}; it must be {}", error.parameter, error.value, error.bound);
            Problem::new(span, message)
        })
    }
}

fn grid_places(s: &GridShape) -> Vec<(&'static str, Span)> {
    let mut places = vec![("width", s.size[0].span()), ("height", s.size[1].span())];
    places.extend(s.edge.as_ref().map(|e| ("edge", e.span())));
    let cells = s.cells.as_ref().map(crate::fixed::Fixed::span).or(s.edge.as_ref().map(Positive::span));
    places.extend(cells.map(|span| ("cells", span)));
    places
}

fn grid(s: &GridShape, order: &Order<'_>) -> Result<Mesh, Problem> {
    let [width, height] = [s.size[0].get(), s.size[1].get()];
    let edge = s.edge.as_ref().map_or(width, Positive::get);
    let cells = match &s.cells {
        Some(cells) => [cells[0].get() as usize, cells[1].get() as usize],
        None => [width, height].map(|length| cells_along(length, edge)),
    };
    order.made(match s.pattern {
        GridPattern::Equilateral => shapes::grid(width, height, edge),
        GridPattern::Right => shapes::grid_right(width, height, cells),
        GridPattern::Alternating => shapes::grid_alternating(width, height, cells),
    })
}

fn sphere_places(s: &IcosphereShape) -> Vec<(&'static str, Span)> {
    let mut places = vec![("radius", s.radius.span())];
    places.extend(s.edge.as_ref().map(|e| ("edge", e.span())));
    places.extend(s.frequency.as_ref().map(|f| ("frequency", f.span())));
    places
}

fn icosphere(s: &IcosphereShape, order: &Order<'_>) -> Result<Mesh, Problem> {
    let radius = s.radius.get();
    order.made(match (&s.frequency, &s.edge) {
        (Some(frequency), _) => shapes::icosphere(radius, frequency.get() as usize),
        (None, edge) => shapes::sphere(radius, edge.as_ref().map_or(radius, Positive::get)),
    })
}

fn box_places(s: &BoxShape) -> Vec<(&'static str, Span)> {
    let cells = s.cells.as_ref().map(crate::fixed::Fixed::span).or(s.edge.as_ref().map(Positive::span));
    let mut places = vec![("size", s.size.span())];
    places.extend(cells.map(|span| ("cells", span)));
    places
}

fn solid_box(s: &BoxShape, order: &Order<'_>) -> Result<Mesh, Problem> {
    let size = [s.size[0].get(), s.size[1].get(), s.size[2].get()];
    let cells = match (&s.cells, &s.edge) {
        (Some(cells), _) => [0, 1, 2].map(|axis| cells[axis].get() as usize),
        (None, edge) => {
            let edge = edge.as_ref().map_or(size[0], Positive::get);
            size.map(|length| cells_along(length, edge))
        }
    };
    let split = match s.split {
        BoxSplit::Five => shapes::Split::Five,
        BoxSplit::Six => shapes::Split::Six,
    };
    order.made(shapes::box_tets(Vec3::from(size), cells, split))
}

/// How many cells of about `edge` make `length`: at least one.
fn cells_along(length: f64, edge: f64) -> usize {
    ((length / edge).round() as usize).max(1)
}

/// The names of the groups of a mesh, for messages.
pub fn group_names(groups: &[Group]) -> Vec<&str> {
    groups.iter().map(|g| g.name.as_str()).collect()
}
