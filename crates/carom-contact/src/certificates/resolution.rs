//! How thin contact may be where coordinates are large.
//!
//! Right after a search every vertex must be free to move up to its next check: its skin s, less what displacements can miss, ρ = 64 ε L with
//! L the largest coordinate, covers its way there; ρ is more, but 1e-8 of the skin, where coordinates are small. The skin is never less than the least
//! one, k, nor than 16 steps of its vertex. The way is one step to the next potential, at the speed limit another to the next gap test: s/8 at most, and less than ρ/8 for its rounding. So
//!
//! ```text
//! s/8 + ρ/8 ≤ s − ρ     where     s ≥ k ≥ 9ρ/7
//! ```
//!
//! Coordinates change: with room for twice the largest at the start, k ≥ 18ρ/7 = 165 ε L. On a mesh k is half of the thickness or less, hence
//! a thickness of 330 ε L: of 330 to 660 units in the last place of the largest coordinate, twice what the search must have.

use carom_model::{Body, State, System};

use super::epoch::ROUNDING;
use crate::broad_phase::{half_thickness, least_skins};
use crate::{Motion, PairRules};

/// The least skin that searches need, over what displacements can miss at the largest coordinate of the start.
const SKIN_PER_ROUNDING: f64 = 18.0 / 7.0;

/// A body whose contact is too thin for the largest coordinate of its scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooThin {
    /// The body.
    pub body: u32,
    /// Its thickness of contact, in m.
    pub thickness_m: f64,
    /// The thickness that it would need, in m; `None` if it is thick enough, and its mesh or its grains are too fine.
    pub needed_m: Option<f64>,
    /// The vertex with the largest coordinate.
    pub farthest: u32,
    /// The largest coordinate, in m.
    pub coordinate_m: f64,
}

impl TooThin {
    /// What is wrong, in a sentence; `bodies` are those of the system.
    #[must_use]
    pub fn in_words(&self, bodies: &[Body]) -> String {
        let Self { body, thickness_m, needed_m, farthest, coordinate_m } = *self;
        let name = &bodies[body as usize].name;
        let far = bodies.iter().find(|b| b.vertices.contains(&farthest)).map_or("", |b| b.name.as_str());
        let apart_m = coordinate_m.next_up() - coordinate_m;
        let what = match needed_m {
            Some(needed_m) => format!(
                "a thickness of {thickness_m:.3e} m of \"{name}\" is too thin here: it would have to be {needed_m:.3e} m"
            ),
            None => format!("the parts of \"{name}\" are too close together here"),
        };
        format!(
            "{what}; \"{far}\" has a coordinate of {coordinate_m:.6e} m, and numbers of that size are {apart_m:.1e} m apart"
        )
    }
}

/// The body whose contact is thinnest for the coordinates of the start, if one is too thin.
#[must_use]
pub fn too_thin(system: &System, state: &State) -> Option<TooThin> {
    system.contact.as_ref()?;
    let rules = PairRules::with_own_numbers(system);
    let coordinates = state.positions[..system.places()].iter().map(|x| x.max_abs());
    let (farthest, coordinate_m) =
        coordinates.enumerate().fold((0, 0.0), |most, own| if own.1 > most.1 { own } else { most });
    let needed_skin_m = SKIN_PER_ROUNDING * ROUNDING * coordinate_m;
    let skins = least_skins(&rules, &Motion::of(state));
    let vertices = rules.contact().vertices.iter();
    let thinnest = vertices.min_by(|a, b| skins[a.vertex as usize].total_cmp(&skins[b.vertex as usize]))?;
    let half_m = half_thickness(&rules)[thinnest.body as usize];
    (skins[thinnest.vertex as usize] < needed_skin_m).then_some(TooThin {
        body: thinnest.body,
        thickness_m: 2.0 * half_m,
        needed_m: (half_m < needed_skin_m).then_some(2.0 * needed_skin_m),
        farthest: farthest as u32,
        coordinate_m,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{points, scene};
    use carom_math::Vec3;

    #[test]
    fn thickness_is_held_against_the_largest_coordinate_of_the_scene() {
        let judge = |thickness: f64, far: f64| {
            let (system, state) = scene(&[points(&[Vec3::ZERO, Vec3::X * far], 0.0)], thickness, 4);
            too_thin(&system, &state)
        };
        let enough = 330.0 * f64::EPSILON * 1e8;
        assert_eq!(judge(1.01 * enough, -1e8), None);
        let found = judge(0.99 * enough, -1e8).unwrap();
        assert_eq!((found.body, found.farthest, found.coordinate_m), (0, 1, 1e8));
        assert_eq!(judge(1.01 * found.needed_m.unwrap(), -1e8), None);
        assert_eq!(judge(1e-12, 1.0), None);
    }
}
