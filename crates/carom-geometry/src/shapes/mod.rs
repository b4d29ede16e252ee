//! Meshes that need no file.
//!
//! Shapes are centred at the origin. Flat ones lie in the plane z = 0 and face +z, round ones have
//! the z axis as theirs, closed ones face outward. Each carries groups to pin or load it by.
//!
//! | shape | elements | groups |
//! | --- | --- | --- |
//! | [`grid()`], [`grid_right()`], [`grid_alternating()`] | triangles | `left` `right` `bottom` `top` |
//! | [`disc()`], [`graded_drum()`] | triangles | `centre` `rim` |
//! | [`icosphere()`], [`sphere()`] | triangles | none |
//! | [`tube()`], [`cylinder()`] | triangles | `top` `bottom` |
//! | [`rod()`], [`ring()`] | edges | `start` `end`, none |
//! | [`box_tets()`] | tetrahedra | `x-min` `x-max` `y-min` `y-max` `z-min` `z-max` |
//! | [`ball_tets()`] | tetrahedra | `centre` `surface` |
//!
//! Any arguments give a mesh or a [`ShapeError`]; none give a panic or more than
//! [`MOST_ELEMENTS`] elements. Sines go through `libm`, so a shape has the same bits everywhere.
//!
//! **Never here:** randomness; files.

mod ball_tets;
mod box_tets;
mod cylinder;
mod disc;
mod graded_drum;
mod grid;
mod icosahedron;
mod icosphere;
mod revolution;
mod rod;
#[cfg(test)]
mod ruler;
mod tube;

pub use ball_tets::ball_tets;
pub use box_tets::{Split, box_tets};
pub use cylinder::cylinder;
pub use disc::disc;
pub use graded_drum::{GradedDrum, graded_drum};
pub use grid::{grid, grid_alternating, grid_right};
pub use icosphere::{icosphere, sphere};
pub use rod::{ring, rod};
pub use tube::tube;

use crate::Mesh;
use crate::mesh::signed_volume;

/// The most elements a shape may have: past this an argument is taken for a slip of the keyboard.
pub const MOST_ELEMENTS: usize = 1 << 24;

/// Lengths outside this range are taken for a slip too: their cubes would not be numbers.
const SHORTEST: f64 = 1e-100;
const LONGEST: f64 = 1e100;

/// The height of an equilateral triangle of side 1.
const EQUILATERAL_HEIGHT: f64 = 0.866_025_403_784_438_6;

/// An argument no shape can be made from.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{shape}: {parameter} is {value}; it must be {bound}")]
pub struct ShapeError {
    /// The requested shape.
    pub shape: &'static str,
    /// The argument.
    pub parameter: &'static str,
    /// The value that was given.
    pub value: f64,
    /// The bound that the value violates, in words.
    pub bound: String,
}

/// The rules the arguments of one shape are held to.
#[derive(Clone, Copy)]
struct Rules(&'static str);

impl Rules {
    fn broken(self, parameter: &'static str, value: f64, bound: String) -> ShapeError {
        ShapeError { shape: self.0, parameter, value, bound }
    }

    /// A length that can be measured.
    fn length(self, parameter: &'static str, value: f64) -> Result<(), ShapeError> {
        if (SHORTEST..=LONGEST).contains(&value) {
            return Ok(());
        }
        Err(self.broken(parameter, value, format!("a length between {SHORTEST:e} and {LONGEST:e}")))
    }

    /// A count of at least `least`.
    fn count(self, parameter: &'static str, value: usize, least: usize) -> Result<(), ShapeError> {
        if value >= least {
            return Ok(());
        }
        Err(self.broken(parameter, value as f64, format!("at least {least}")))
    }

    /// No more elements than we are willing to make; `parameter` is the one to blame.
    fn elements(self, parameter: &'static str, value: f64, elements: f64) -> Result<(), ShapeError> {
        if elements <= MOST_ELEMENTS as f64 {
            return Ok(());
        }
        let bound = format!("such that there are at most {MOST_ELEMENTS} elements, not {elements:e}");
        Err(self.broken(parameter, value, bound))
    }
}

/// How many steps of about `step` make `length`: at least `least`.
///
/// Only for lengths whose number of elements was found bearable.
fn steps(length: f64, step: f64, least: usize) -> usize {
    ((length / step).round() as usize).max(least)
}

/// Adds a tetrahedron, with two vertices swapped if that is what makes its volume positive.
fn push_positive(mesh: &mut Mesh, [a, b, c, d]: [u32; 4]) {
    let tet = if signed_volume(mesh.corners(&[a, b, c, d])) < 0.0 { [a, b, d, c] } else { [a, b, c, d] };
    mesh.tets.push(tet);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;
    use proptest::prelude::*;

    /// Plausible lengths, and some invalid ones.
    fn length() -> impl Strategy<Value = f64> {
        prop_oneof![
            8 => 0.01..10.0_f64,
            1 => prop::sample::select(vec![0.0, -1.0, f64::NAN, f64::INFINITY, 1e-320, 1e308]),
        ]
    }

    proptest! {
        #[test]
        fn any_arguments_give_a_sound_mesh_or_an_error(a in length(), b in length(), part in 0.05..3.0_f64, n in 0..9_usize) {
            let edge = part * if a.is_finite() { a } else { 1.0 };
            let shapes = [
                // Slender enough to be refused or small.
                grid(a, b.min(20.0 * a), edge),
                tube(a, b.min(20.0 * a), edge),
                cylinder(a, b.min(20.0 * a), edge),
                grid_right(a, b, [n, 3]),
                grid_alternating(a, b, [2, n]),
                disc(a, edge),
                sphere(a, edge),
                icosphere(b, n),
                ball_tets(a, 2.0 * edge),
                ring(a, n),
                rod(carom_math::Vec3::X * a, carom_math::Vec3::Y * b, n),
                box_tets(carom_math::Vec3::new(a, b, edge), [n, 2, 1], Split::Five),
                graded_drum(b).map(|drum| drum.mesh),
            ];
            for mesh in shapes.into_iter().flatten() {
                prop_assert_eq!(check(&mesh), []);
            }
        }
    }
}
