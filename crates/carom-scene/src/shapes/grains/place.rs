//! From a shape of grains to spheres: how large, where, how fast.

use carom_geometry::Mesh;
use carom_math::Vec3;

use super::packing::{Full, Lattice, Room, at_random, on_lattice};
use super::{Arrange, GrainsShape, sizes};
use crate::at::At;
use crate::files::OpenFiles;
use crate::fixed::Fixed;
use crate::format::{Body, TableFile};
use crate::number::Vector;
use crate::random::Random;
use crate::report::Problem;
use crate::shapes::{MadeShape, Order};
use crate::table;

/// A little more than the thickness: grains start outside of their layers, whatever rounding does.
const CLEAR: f64 = 1.0 + 1e-6;

/// The grains of a shape.
pub fn make(shape: &GrainsShape, order: &mut Order<'_, '_>) -> Result<MadeShape, Problem> {
    if let Some(file) = &shape.table {
        return from_table(file, order.files);
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
            let room = Room { size, periodic: periodic_along(order, size), gap: gap(order, shape) };
            put(shape, &room, &radii, &mut random).map_err(|full| explain(&full, order.body, shape))?
        }
        None => positions,
    };
    Ok(spheres(positions, radii, None))
}

fn spheres(positions: Vec<Vec3>, radii: Vec<f64>, velocities: Option<Vec<Vec3>>) -> MadeShape {
    MadeShape { mesh: Mesh { positions, ..Mesh::default() }, radii: Some(radii), velocities }
}

/// Along which axes a box of this size is the whole periodic box.
fn periodic_along(order: &Order<'_, '_>, size: [f64; 3]) -> [bool; 3] {
    let period = order.contact.and_then(|contact| contact.period.as_ref());
    core::array::from_fn(|k| period.is_some_and(|period| period[k].get() == size[k]))
}

/// Least distance between the surfaces of two grains, in m.
fn gap(order: &Order<'_, '_>, shape: &GrainsShape) -> f64 {
    if let Some(gap) = &shape.gap {
        return gap.get();
    }
    let own = order.body.contact.as_ref().and_then(|contact| contact.thickness.as_ref());
    let all = order.contact.map(|contact| &contact.thickness);
    own.or(all).map_or(0.0, |thickness| CLEAR * thickness.get())
}

fn from_table(file: &TableFile, files: &mut OpenFiles<'_>) -> Result<MadeShape, Problem> {
    let bytes = files.read(&file.file)?;
    let wrong = |message: String| {
        let problem = Problem::new(&file.file.span(), format!("{}: {message}", file.file));
        problem.help("write x y z radius, or x y z radius vx vy vz")
    };
    let text = core::str::from_utf8(&bytes).map_err(|_| wrong("this is no text".to_owned()))?;
    let rows = table::rows(text, [4, 7]).map_err(wrong)?;
    if rows.is_empty() {
        return Err(wrong("there are no grains".to_owned()));
    }
    let (mut positions, mut radii, mut velocities) = (Vec::new(), Vec::new(), None);
    for (number, row) in (1..).zip(&rows) {
        if row[3] <= 0.0 {
            return Err(wrong(format!("grain {number} has the radius {}", row[3])));
        }
        positions.push(Vec3::new(row[0], row[1], row[2]));
        radii.push(row[3]);
        if let [_, _, _, _, x, y, z] = row[..] {
            velocities.get_or_insert_with(Vec::new).push(Vec3::new(x, y, z));
        }
    }
    files.keep(&file.file, bytes, Vec::new());
    Ok(spheres(positions, radii, velocities))
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
