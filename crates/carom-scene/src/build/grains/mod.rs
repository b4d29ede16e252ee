//! From a shape of grains to spheres: how large, where, how fast.

mod packing;
mod sizes;

use carom_geometry::{Group, Mesh};
use carom_math::Vec3;

use super::random::Random;
use super::{Assembly, table};
use crate::at::At;
use crate::files::keep;
use crate::fixed::Fixed;
use crate::format::{Arrange, Body, GrainMaterial, GrainsShape, Material, RoomShape, Shape, TableFile, Wall};
use crate::number::Vector;
use crate::report::Problem;
use packing::{Full, Lattice, Room, at_random, on_lattice};

/// A little more than the thickness: grains start outside of their layers, whatever rounding does.
const CLEAR: f64 = 1.0 + 1e-6;

/// Spheres, in the body's own coordinates.
#[derive(Clone, Debug, Default)]
pub struct GrainSet {
    /// Centres, in m.
    pub positions: Vec<Vec3>,
    /// Radii, in m.
    pub radii: Vec<f64>,
    /// Velocities in m/s, if a table gives them.
    pub velocities: Option<Vec<Vec3>>,
}

impl Assembly<'_> {
    /// The grains of a body, if its shape has any.
    pub(super) fn grains_of(&mut self, body: &At<Body>) -> Result<Option<GrainSet>, Problem> {
        let Shape::Grains(shape) = &*body.shape else { return Ok(None) };
        if let Some(file) = &shape.table {
            return self.grain_table(file).map(Some);
        }
        let given = shape.positions.as_ref();
        let positions: Vec<Vec3> = given.map_or_else(Vec::new, |list| list.iter().map(Vector::get).collect());
        let count = shape.count.as_ref().map_or(positions.len(), |count| count.get() as usize);
        let mut random = Random::new(u64::from(shape.seed.get()));
        let radii = match (&shape.radius, &shape.radii) {
            (Some(radius), _) => vec![radius.get(); count],
            (None, Some(radii)) => sizes::draw(radii, count, &mut random)?,
            (None, None) => unreachable!("a shape of grains without a table has radii: it was checked"),
        };
        let positions = match &shape.size {
            Some(size) => {
                let size = [size[0].get(), size[1].get(), size[2].get()];
                let room = Room { size, periodic: self.periodic_along(size), gap: self.gap_of(body, shape) };
                put(shape, &room, &radii, &mut random).map_err(|full| explain(&full, body, shape))?
            }
            None => positions,
        };
        Ok(Some(GrainSet { positions, radii, velocities: None }))
    }

    /// Along which axes a box of this size is the whole periodic box.
    fn periodic_along(&self, size: [f64; 3]) -> [bool; 3] {
        let period = self.scene.file.contact.as_ref().and_then(|contact| contact.period.as_ref());
        core::array::from_fn(|k| period.is_some_and(|period| period[k].get() == size[k]))
    }

    fn gap_of(&self, body: &Body, shape: &GrainsShape) -> f64 {
        if let Some(gap) = &shape.gap {
            return gap.get();
        }
        let own = body.contact.as_ref().and_then(|contact| contact.thickness.as_ref());
        let all = self.scene.file.contact.as_ref().map(|contact| &contact.thickness);
        own.or(all).map_or(0.0, |thickness| CLEAR * thickness.get())
    }

    fn grain_table(&mut self, file: &TableFile) -> Result<GrainSet, Problem> {
        let bytes = self.read_file(&file.file)?;
        let wrong = |message: String| {
            let problem = Problem::new(&file.file.span(), format!("{}: {message}", file.file));
            problem.help("write x y z radius, or x y z radius vx vy vz")
        };
        let text = core::str::from_utf8(&bytes).map_err(|_| wrong("this is no text".to_owned()))?;
        let rows = table::rows(text, [4, 7]).map_err(wrong)?;
        if rows.is_empty() {
            return Err(wrong("there are no grains".to_owned()));
        }
        let mut set = GrainSet::default();
        for (number, row) in (1..).zip(&rows) {
            if row[3] <= 0.0 {
                return Err(wrong(format!("grain {number} has the radius {}", row[3])));
            }
            set.positions.push(Vec3::new(row[0], row[1], row[2]));
            set.radii.push(row[3]);
            if let [_, _, _, _, x, y, z] = row[..] {
                set.velocities.get_or_insert_default().push(Vec3::new(x, y, z));
            }
        }
        self.kept.extend(keep(&file.file, bytes, Vec::new()));
        Ok(set)
    }
}

fn put(shape: &GrainsShape, room: &Room, radii: &[f64], random: &mut Random) -> Result<Vec<Vec3>, Full> {
    let jitter = shape.jitter.get();
    match *shape.arrange {
        Arrange::Cubic => on_lattice(room, radii, Lattice::Cubic, jitter, random),
        Arrange::Fcc => on_lattice(room, radii, Lattice::Fcc, jitter, random),
        Arrange::Random => at_random(room, radii, random),
    }
}

/// Why grains do not fit, and what to do.
fn explain(full: &Full, body: &At<Body>, shape: &GrainsShape) -> Problem {
    let span = shape.size.as_ref().map_or_else(|| body.shape.span(), Fixed::span);
    let name = &body.name;
    match full {
        Full::Lattice { apart, needed } => {
            let message = format!(
                "the grains of \"{name}\" do not fit: neighbours are {apart:.4e} m apart, and the largest need {needed:.4e} m"
            );
            Problem::new(&span, message).help(
                "make the box larger, or the grains fewer or smaller; `arrange = \"fcc\"` is the densest",
            )
        }
        Full::Random { placed } => {
            let message = format!("after {placed} grains of \"{name}\" no place is left for the next");
            Problem::new(&span, message)
                .help("make the box larger, or take `arrange = \"fcc\"` with `jitter` for dense ones")
        }
        Full::Large { radius } => {
            let message =
                format!("a grain of \"{name}\" with the radius {radius:.4e} m is larger than the box");
            Problem::new(&span, message).help("make the box larger")
        }
    }
}

/// Soft contact of the grains of a body, if they are soft: their hard radii, in m, and their modulus, in Pa.
pub fn hertz(material: &GrainMaterial, radii: &[f64]) -> Option<(Vec<f64>, f64)> {
    let hertz = material.hertz.as_ref()?;
    let core = hertz.core.get();
    let poisson = hertz.poisson.get();
    Some((radii.iter().map(|r| core * r).collect(), hertz.young.get() / (1.0 - poisson * poisson)))
}

/// Masses of whole spheres, in kg.
pub fn masses(radii: &[f64], density: f64) -> Vec<f64> {
    radii.iter().map(|r| density * (4.0 / 3.0 * core::f64::consts::PI) * (r * r * r)).collect()
}

/// The material of grains, if the body has it.
pub fn material(body: &Body) -> Option<&GrainMaterial> {
    match body.material.as_deref() {
        Some(Material::Grains(material)) => Some(material),
        _ => None,
    }
}

/// The walls of a room: two triangles each, facing inward.
pub fn room(shape: &RoomShape) -> Mesh {
    let half = core::array::from_fn::<f64, 3, _>(|k| 0.5 * shape.size[k].get());
    let corner = |i: usize| {
        let side = |k: usize| if i >> k & 1 == 1 { half[k] } else { -half[k] };
        Vec3::new(side(0), side(1), side(2))
    };
    let walls = [
        (Wall::XMin, "x-min", [0, 2, 6, 4]),
        (Wall::XMax, "x-max", [1, 5, 7, 3]),
        (Wall::YMin, "y-min", [0, 4, 5, 1]),
        (Wall::YMax, "y-max", [2, 3, 7, 6]),
        (Wall::ZMin, "z-min", [0, 1, 3, 2]),
        (Wall::ZMax, "z-max", [4, 6, 7, 5]),
    ];
    let mut mesh = Mesh { positions: (0..8).map(corner).collect(), ..Mesh::default() };
    for (wall, name, [a, b, c, d]) in walls {
        if !shape.open.contains(&wall) {
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
            mesh.groups.push(Group::new(name, vec![a, b, c, d]));
        }
    }
    mesh
}
