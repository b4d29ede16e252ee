//! The potentials of a rod: stretch per edge, bend per joint.

use carom_elastic::{RodBend, Spring};
use carom_math::Vec3;
use carom_model::{Owner, Part};

use super::RodMaterial;
use crate::build::{Assembly, InSeries};
use crate::format::Body;
use crate::number::Positive;

/// A natural curvature below this is rounding: the joint is straight.
const STRAIGHT: f64 = 1e-9;

impl Assembly<'_> {
    /// Adds the potentials of the rod added last.
    pub(super) fn add_rod(&mut self, body: &Body, material: &RodMaterial) {
        let number = self.bodies.len() - 1;
        let step_s = body.step.as_ref().map(Positive::get);
        let made = self.bodies[number].makeup.materials(material, &self.scene.file.parts);
        let first = self.bodies[number].first;
        for (i, edge) in (0..).zip(self.bodies[number].mesh.edges.clone()) {
            let [a, b] = self.bodies[number].mesh.corners(&edge);
            let length = (b - a).length();
            let own = made.of(i as usize);
            let element = Spring::of_rod(own.young.get(), own.section_m2(), length);
            let owner = Owner { body: number as u32, part: Part::Edge(i) };
            let added = self.builder.add(element, edge.map(|v| v + first), owner, length);
            self.give_step(added, step_s);
            self.damp(added, damping(own));
        }
        if material.twist {
            self.add_joints_that_twist(body, material, &made);
            return;
        }
        if !material.bend {
            return;
        }
        for Joint { places: joint, edges } in
            joints(self.bodies[number].mesh.positions.len(), &self.bodies[number].mesh.edges)
        {
            let rest = self.bodies[number].mesh.corners(&joint);
            let length = 0.5 * ((rest[1] - rest[0]).length() + (rest[2] - rest[1]).length());
            let both = bending_of_both(edges.map(|e| made.of(e)), &rest);
            let straight = RodBend::straight(length, both.stiffness());
            let element = RodBend { rest_curvature: natural_curvature(&rest, material), ..straight };
            let owner = Owner { body: number as u32, part: Part::Vertex(joint[1]) };
            let added = self.builder.add(element, joint.map(|v| v + first), owner, length);
            self.give_step(added, step_s);
            self.damp(added, both.damping(edges.map(|e| damping(made.of(e)))));
        }
    }
}

/// Damping time, in s.
pub fn damping(material: &RodMaterial) -> Option<f64> {
    material.damping.as_ref().map(Positive::get)
}

/// The bending of two edges that meet, whose corners at rest these are.
pub fn bending_of_both(materials: [&RodMaterial; 2], rest: &[Vec3; 3]) -> InSeries {
    InSeries {
        extents: [(rest[1] - rest[0]).length(), (rest[2] - rest[1]).length()],
        stiffnesses: materials.map(|m| RodBend::stiffness_of_round(m.young.get(), m.radius.get())),
    }
}

/// The natural curvature `2 tan(φ/2)` of a joint with this rest shape, without unit.
pub fn natural_curvature(rest: &[Vec3; 3], material: &RodMaterial) -> f64 {
    let length = 0.5 * ((rest[1] - rest[0]).length() + (rest[2] - rest[1]).length());
    let curvature = material.natural_curvature.as_ref().map_or_else(
        || RodBend::from_rest(rest, 1.0).rest_curvature,
        |per_m| 2.0 * libm::tan(0.5 * length * per_m.get()),
    );
    if curvature.abs() < STRAIGHT { 0.0 } else { curvature }
}

/// Two edges that meet.
struct Joint {
    /// The vertices, that in which they meet in the middle.
    places: [u32; 3],
    /// The numbers of the edges.
    edges: [usize; 2],
}

/// Pairs of edges that meet at a vertex, in the order of the vertices.
/// Where more than two edges meet, every two of them make a joint.
fn joints(vertices: usize, edges: &[[u32; 2]]) -> Vec<Joint> {
    let mut ends: Vec<Vec<(u32, usize)>> = vec![Vec::new(); vertices];
    for (number, &[a, b]) in edges.iter().enumerate() {
        ends[a as usize].push((b, number));
        ends[b as usize].push((a, number));
    }
    let mut joints = Vec::new();
    for (v, ends) in (0..).zip(&ends) {
        for (i, &(from, first)) in ends.iter().enumerate() {
            let joint = |&(to, second)| Joint { places: [from, v, to], edges: [first, second] };
            joints.extend(ends[i + 1..].iter().map(joint));
        }
    }
    joints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(vertices: usize, edges: &[[u32; 2]]) -> Vec<[u32; 3]> {
        joints(vertices, edges).into_iter().map(|joint| joint.places).collect()
    }

    #[test]
    fn a_chain_has_a_joint_at_every_inner_vertex_and_a_ring_at_all() {
        assert_eq!(places(4, &[[0, 1], [1, 2], [2, 3]]), [[0, 1, 2], [1, 2, 3]]);
        assert_eq!(places(3, &[[0, 1], [1, 2], [2, 0]]).len(), 3);
        assert_eq!(joints(4, &[[0, 1], [1, 2], [2, 3]])[1].edges, [1, 2]);
    }

    #[test]
    fn three_edges_that_meet_make_three_joints() {
        assert_eq!(places(4, &[[0, 1], [0, 2], [0, 3]]), [[1, 0, 2], [1, 0, 3], [2, 0, 3]]);
    }
}
