//! A flat disc with three sizes of triangles: edges 1 : 4 : 16, areas 1 : 16 : 256.
//!
//! About a tenth of the triangles, in the middle, are of the finest size: the classical case for
//! clocks of their own, where a single step for all would be set by the few. The regions are
//! concentric discs of the kind [`super::disc()`] makes; one ring between two regions takes the
//! edges from one size to the next. The numbers of that ring were found by search: they keep
//! every angle above 35°.

use super::revolution::Revolution;
use super::{Rules, ShapeError};
use crate::mesh::area_normal;
use crate::{Group, Mesh};

/// A drum and the size of each of its triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct GradedDrum {
    /// The mesh.
    pub mesh: Mesh,
    /// For each triangle, the nearest size: 0 fine, 1 middle, 2 coarse.
    pub size_classes: Vec<u8>,
}

/// The width of a fine ring is the unit: middle rings are 4 wide, coarse ones 16.
const WIDTHS: [usize; 3] = [1, 4, 16];
/// The first and the last ring of each region, counted in its own widths from the centre.
const REGIONS: [(usize, usize); 3] = [(1, 5), (2, 12), (4, 13)];
/// Between a region and the next: how many vertices, at which radius in units.
const TRANSITIONS: [(usize, f64); 2] = [(24, 6.125), (36, 53.2)];
/// The rim's radius in units.
const RIM: f64 = 16.0 * 13.0;

/// A drum of the given radius, in m: 2,166 triangles.
pub fn graded_drum(radius: f64) -> Result<GradedDrum, ShapeError> {
    Rules("graded_drum").length("radius", radius)?;
    let unit = radius / RIM;

    let mut drum = Revolution::default();
    drum.pole(0.0);
    for (region, (first, last)) in REGIONS.into_iter().enumerate() {
        for k in first..=last {
            drum.ring(6 * k, unit * (k * WIDTHS[region]) as f64, 0.0, false);
        }
        if let Some(&(count, at)) = TRANSITIONS.get(region) {
            drum.ring(count, unit * at, 0.0, false);
        }
    }
    let rim = Group::new("rim", drum.last_ring());
    let mesh = Mesh { groups: vec![Group::new("centre", [0]), rim], ..drum.finish() };

    // The mean area in a disc of rings one unit wide: π w² (2 k + 1) in 6 (2 k + 1) triangles.
    let fine_area = core::f64::consts::PI / 6.0 * unit * unit;
    let size_class = |t| {
        let ratio = area_normal(mesh.corners(t)).length() / fine_area;
        u8::from(ratio > 4.0) + u8::from(ratio > 64.0)
    };
    let size_classes = mesh.triangles.iter().map(size_class).collect();
    Ok(GradedDrum { mesh, size_classes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::ruler;

    fn of_class(drum: &GradedDrum, class: u8) -> Vec<f64> {
        let areas = drum.mesh.triangles.iter().map(|t| area_normal(drum.mesh.corners(t)).length());
        areas.zip(&drum.size_classes).filter(|(_, c)| **c == class).map(|(area, _)| area).collect()
    }

    #[test]
    fn a_drum_is_a_sound_disc_of_about_two_thousand_triangles() {
        let drum = graded_drum(0.5).unwrap();
        let topology = ruler::surface(&drum.mesh);
        assert_eq!(topology.euler_characteristic(), 1);
        assert_eq!(drum.mesh.triangles.len(), 2166);
        assert_eq!(topology.boundary_vertices, drum.mesh.group("rim").unwrap().vertices);
        assert!((drum.mesh.area() / (0.25 * core::f64::consts::PI) - 1.0).abs() < 2e-3);
    }

    #[test]
    fn a_tenth_of_the_triangles_are_of_the_finest_size() {
        let drum = graded_drum(1.0).unwrap();
        let share = of_class(&drum, 0).len() as f64 / drum.size_classes.len() as f64;
        assert!((0.08..0.13).contains(&share), "{share}");
    }

    #[test]
    fn the_sizes_are_one_to_sixteen_to_two_hundred_and_fifty_six() {
        let drum = graded_drum(1.0).unwrap();
        let [fine, middle, coarse] = [0, 1, 2].map(|class| {
            let mut areas = of_class(&drum, class);
            areas.sort_by(f64::total_cmp);
            areas[areas.len() / 2]
        });
        assert!((middle / fine / 16.0 - 1.0).abs() < 0.05, "{}", middle / fine);
        assert!((coarse / fine / 256.0 - 1.0).abs() < 0.05, "{}", coarse / fine);
    }

    #[test]
    fn one_triangle_in_twenty_is_off_its_size_by_more_than_a_factor_of_two() {
        let drum = graded_drum(1.0).unwrap();
        let fine = core::f64::consts::PI / 6.0 / (RIM * RIM);
        let between = (0..3).flat_map(|class| {
            let own = fine * f64::from(16_u32.pow(class));
            of_class(&drum, class as u8).into_iter().filter(move |a| !(0.5..2.0).contains(&(a / own)))
        });
        assert!(between.count() <= drum.size_classes.len() / 20);
    }

    #[test]
    fn no_angle_is_below_thirty_five_degrees() {
        assert!(ruler::smallest_degrees(&graded_drum(1.0).unwrap().mesh) > 35.0);
    }

    #[test]
    fn a_drum_without_radius_is_refused() {
        assert_eq!(graded_drum(0.0).unwrap_err().parameter, "radius");
    }
}
