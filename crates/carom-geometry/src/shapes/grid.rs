//! A flat rectangle in triangles.
//!
//! | pattern | triangles | smallest angle |
//! | --- | --- | --- |
//! | [`grid()`] | rows of near-equilateral ones, halved where a row ends | 30° (the halves), 60° inside |
//! | [`grid_right`] | squares cut along one diagonal, always the same | 45° |
//! | [`grid_alternating`] | squares cut along one diagonal and the other alternately | 45° |
//!
//! The one diagonal makes a sheet stiffer along it; the other two patterns have no such direction.

use carom_math::Vec3;

use super::{EQUILATERAL_HEIGHT, Rules, ShapeError, steps};
use crate::{Group, Mesh};

/// A rectangle of `width` (along x) times `height` (along y) with edges of about `edge`, in m.
pub fn grid(width: f64, height: f64, edge: f64) -> Result<Mesh, ShapeError> {
    let rules = Rules("grid");
    rules.length("width", width)?;
    rules.length("height", height)?;
    rules.length("edge", edge)?;
    let row = EQUILATERAL_HEIGHT * edge;
    rules.elements("edge", edge, 2.0 * ((width / edge).max(1.0) + 1.0) * (height / row).max(1.0))?;
    let (columns, rows) = (steps(width, edge, 1), steps(height, row, 1));

    let mut mesh = Mesh::default();
    let mut below = Vec::new();
    for j in 0..=rows {
        let first = mesh.positions.len() as u32;
        let y = height * (j as f64 / rows as f64 - 0.5);
        let xs = row_of_vertices(columns, j % 2 == 1);
        mesh.positions.extend(xs.iter().map(|x| Vec3::new(width * (x - 0.5), y, 0.0)));
        let above: Vec<u32> = (first..mesh.positions.len() as u32).collect();
        if j > 0 {
            // The longer row has the base of every other triangle, first and last.
            let (short, long) = if above.len() < below.len() { (&above, &below) } else { (&below, &above) };
            let upward = above.len() < below.len();
            let mut add =
                |[a, b, c]: [u32; 3]| mesh.triangles.push(if upward { [a, b, c] } else { [a, c, b] });
            for (i, base) in long.windows(2).enumerate() {
                add([base[0], base[1], short[i.min(short.len() - 1)]]);
                if let (Some(&apex), Some(base)) = (long.get(i + 1), short.get(i..i + 2)) {
                    add([base[0], apex, base[1]]);
                }
            }
        }
        below = above;
    }
    mesh.groups = sides(&mesh, width, height);
    Ok(mesh)
}

/// Positions of the vertices of a row, as fractions of the width.
fn row_of_vertices(columns: usize, staggered: bool) -> Vec<f64> {
    let n = columns as f64;
    if !staggered {
        return (0..=columns).map(|i| i as f64 / n).collect();
    }
    let middles = (0..columns).map(|i| (i as f64 + 0.5) / n);
    core::iter::once(0.0).chain(middles).chain(core::iter::once(1.0)).collect()
}

/// A rectangle of `cells` squares, each cut along the diagonal from its lower left to its upper right.
pub fn grid_right(width: f64, height: f64, cells: [usize; 2]) -> Result<Mesh, ShapeError> {
    cut_squares("grid_right", [width, height], cells, |_, _| true)
}

/// A rectangle of `cells` squares, cut along one diagonal and the other alternately, like a chequerboard.
///
/// With even numbers of cells it is its own mirror image in both axes.
pub fn grid_alternating(width: f64, height: f64, cells: [usize; 2]) -> Result<Mesh, ShapeError> {
    cut_squares("grid_alternating", [width, height], cells, |i, j| (i + j) % 2 == 0)
}

fn cut_squares(
    shape: &'static str,
    [width, height]: [f64; 2],
    [columns, rows]: [usize; 2],
    rising_diagonal: impl Fn(u32, u32) -> bool,
) -> Result<Mesh, ShapeError> {
    let rules = Rules(shape);
    rules.length("width", width)?;
    rules.length("height", height)?;
    rules.count("cells[0]", columns, 1)?;
    rules.count("cells[1]", rows, 1)?;
    rules.elements("cells[0]", columns as f64, 2.0 * columns as f64 * rows as f64)?;

    let (nx, ny) = (columns as u32, rows as u32);
    let vertex = |i: u32, j: u32| j * (nx + 1) + i;
    let mut mesh = Mesh::default();
    for j in 0..=ny {
        let y = height * (f64::from(j) / f64::from(ny) - 0.5);
        let x = |i| width * (f64::from(i) / f64::from(nx) - 0.5);
        mesh.positions.extend((0..=nx).map(|i| Vec3::new(x(i), y, 0.0)));
    }
    for j in 0..ny {
        for i in 0..nx {
            let [a, b, c, d] = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| vertex(i, j));
            let pair = if rising_diagonal(i, j) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            mesh.triangles.extend(pair);
        }
    }
    mesh.groups = sides(&mesh, width, height);
    Ok(mesh)
}

/// The vertices on each side; their coordinates are exact there.
fn sides(mesh: &Mesh, width: f64, height: f64) -> Vec<Group> {
    let on = |name: &str, side: &dyn Fn(&Vec3) -> bool| {
        Group::new(name, (0..).zip(&mesh.positions).filter(|(_, p)| side(p)).map(|(v, _)| v))
    };
    vec![
        on("left", &|p| p.x == -0.5 * width),
        on("right", &|p| p.x == 0.5 * width),
        on("bottom", &|p| p.y == -0.5 * height),
        on("top", &|p| p.y == 0.5 * height),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Topology;
    use crate::mesh::area_normal;
    use crate::quality::angles;
    use crate::shapes::ruler;

    fn all() -> [Mesh; 4] {
        [
            grid(2.0, 1.0, 0.1).unwrap(),
            grid(0.3, 1.1, 0.2).unwrap(),
            grid_right(2.0, 1.0, [8, 3]).unwrap(),
            grid_alternating(2.0, 1.0, [8, 4]).unwrap(),
        ]
    }

    #[test]
    fn a_grid_is_a_sound_disc_that_fills_its_rectangle_and_faces_up() {
        for (mesh, area) in all().into_iter().zip([2.0, 0.33, 2.0, 2.0]) {
            let topology = ruler::surface(&mesh);
            assert_eq!(topology.euler_characteristic(), 1);
            assert!((mesh.area() - area).abs() < 1e-14);
            assert!(mesh.triangles.iter().all(|t| area_normal(mesh.corners(t)).z > 0.0));
        }
    }

    #[test]
    fn its_boundary_is_the_four_sides_and_straight() {
        for mesh in all() {
            let mut rim: Vec<u32> = mesh.groups.iter().flat_map(|g| g.vertices.clone()).collect();
            rim.sort_unstable();
            rim.dedup();
            assert_eq!(Topology::new(&mesh.triangles).unwrap().boundary_vertices, rim);
            assert!(mesh.groups.iter().all(|g| g.vertices.len() >= 2));
        }
    }

    #[test]
    fn the_triangles_of_a_row_are_equilateral_and_halved_at_its_ends() {
        let height = 10.0 * EQUILATERAL_HEIGHT;
        let mesh = grid(12.0, height, 1.0).unwrap();
        assert_eq!(mesh.triangles.len(), 10 * (2 * 12 + 1));
        let halves = mesh.triangles.iter().filter(|t| {
            let smallest = angles(mesh.corners(t)).into_iter().fold(4.0, f64::min).to_degrees();
            assert!((smallest - 60.0).abs() < 1e-9 || (smallest - 30.0).abs() < 1e-9);
            smallest < 45.0
        });
        assert_eq!(halves.count(), 10 * 2);
    }

    #[test]
    fn squares_are_cut_at_forty_five_degrees() {
        for mesh in [grid_right(3.0, 2.0, [3, 2]).unwrap(), grid_alternating(3.0, 2.0, [3, 2]).unwrap()] {
            assert_eq!(mesh.triangles.len(), 12);
            assert!((ruler::smallest_degrees(&mesh) - 45.0).abs() < 1e-12);
        }
    }

    #[test]
    fn an_even_alternating_grid_meets_every_inner_vertex_with_four_or_eight_triangles() {
        let mesh = grid_alternating(1.0, 1.0, [4, 4]).unwrap();
        let degree = |v: u32| mesh.triangles.iter().flatten().filter(|w| **w == v).count();
        for (v, p) in (0..).zip(&mesh.positions) {
            if p.x.abs() < 0.5 && p.y.abs() < 0.5 {
                assert!(matches!(degree(v), 4 | 8));
            }
        }
    }

    #[test]
    fn bad_arguments_are_named() {
        assert_eq!(grid(1.0, 1.0, -0.1).unwrap_err().parameter, "edge");
        assert_eq!(grid(1e50, 1.0, 1e-50).unwrap_err().parameter, "edge");
        assert_eq!(
            grid_right(1.0, 1.0, [0, 3]).unwrap_err().to_string(),
            "grid_right: cells[0] is 0; it must be at least 1"
        );
        assert!(grid_alternating(1.0, 1.0, [usize::MAX, 3]).is_err());
    }
}
