//! The joints of a rod that twists: an angle per edge, a joint between edges that follow each other.

use carom_elastic::RodJoint;
use carom_math::{Mat3, Vec3};
use carom_model::{Element, Owner, Part};

use super::RodMaterial;
use super::elements::{bending_of_both, damping, natural_curvature};
use crate::build::{Assembly, BodyMesh, InSeries, MadeOf};
use crate::format::Body;
use crate::number::Positive;

/// Edges that follow each other.
#[derive(Debug, PartialEq)]
pub struct Chain {
    /// Numbers of the edges, in order.
    edges: Vec<usize>,
    /// Whether the first edge follows the last.
    is_closed: bool,
}

/// The chains that the edges make, or a vertex at which they do not follow each other.
pub fn chains(vertices: usize, edges: &[[u32; 2]]) -> Result<Vec<Chain>, u32> {
    let mut after = vec![None; vertices];
    let mut before = vec![None; vertices];
    for (e, &[a, b]) in edges.iter().enumerate() {
        if after[a as usize].replace(e).is_some() {
            return Err(a);
        }
        if before[b as usize].replace(e).is_some() {
            return Err(b);
        }
    }
    let mut is_taken = vec![false; edges.len()];
    let mut chains = Vec::new();
    let begins = |e: &usize| before[edges[*e][0] as usize].is_none();
    // First those that begin somewhere; what is left runs in circles.
    for first in (0..edges.len()).filter(begins).chain(0..edges.len()) {
        let mut chain = Chain { edges: Vec::new(), is_closed: !begins(&first) };
        let mut next = Some(first);
        while let Some(e) = next.filter(|e| !is_taken[*e]) {
            is_taken[e] = true;
            chain.edges.push(e);
            next = after[edges[e][1] as usize];
        }
        if !chain.edges.is_empty() {
            chains.push(chain);
        }
    }
    Ok(chains)
}

impl Assembly<'_> {
    /// Adds the angles and the joints of the rod added last, which twists.
    pub(super) fn add_joints_that_twist(
        &mut self,
        body: &Body,
        material: &RodMaterial,
        made: &MadeOf<RodMaterial>,
    ) {
        let mesh = &self.bodies[self.bodies.len() - 1].mesh;
        let chains = chains(mesh.positions.len(), &mesh.edges).expect("the edges were checked");
        for chain in chains {
            self.add_chain(body, material, made, &chain);
        }
    }

    fn add_chain(&mut self, body: &Body, material: &RodMaterial, made: &MadeOf<RodMaterial>, chain: &Chain) {
        let number = self.bodies.len() - 1;
        let mesh = self.bodies[number].mesh.clone();
        let first = self.bodies[number].first;
        let lengths: Vec<f64> = chain
            .edges
            .iter()
            .map(|&e| {
                let [a, b] = mesh.corners(&mesh.edges[e]);
                (b - a).length()
            })
            .collect();
        let twist = body.start.as_ref().and_then(|start| start.twist.as_ref());
        let twist = twist.map_or(0.0, |degrees| degrees.get().to_radians());
        self.bodies[number].angles.resize(mesh.edges.len(), 0);
        for ((&e, &length), share) in chain.edges.iter().zip(&lengths).zip(shares(&lengths, chain.is_closed))
        {
            let [a, b] = mesh.edges[e].map(|v| self.builder.positions()[(v + first) as usize]);
            let along = (b - a).try_normalize().unwrap_or(Vec3::ZERO);
            let inertia =
                RodJoint::inertia_of_round(made.of(e).density.get(), made.of(e).radius.get(), length);
            let angle = self.builder.twist(twist * share, body.spin.get().dot(along), inertia);
            self.bodies[number].angles[e] = angle;
        }
        let joints = if chain.is_closed { chain.edges.len() } else { chain.edges.len() - 1 };
        for i in 0..joints {
            let [e, f] = [chain.edges[i], chain.edges[(i + 1) % chain.edges.len()]];
            // Once around, the frames have rotated by the whole twist.
            let closing = if i + 1 == chain.edges.len() { twist } else { 0.0 };
            self.add_joint(body, material, made, [e, f], closing);
        }
    }

    /// Adds the joint between the edges `e` and `f`, whose frames are `apart` in rad at the start beyond what the shape makes them.
    fn add_joint(
        &mut self,
        body: &Body,
        material: &RodMaterial,
        made: &MadeOf<RodMaterial>,
        [e, f]: [usize; 2],
        apart: f64,
    ) {
        let number = self.bodies.len() - 1;
        let BodyMesh { mesh, first, angles, .. } = &self.bodies[number];
        let places = [mesh.edges[e][0], mesh.edges[f][0], mesh.edges[f][1]];
        let turn = body
            .rotation
            .as_ref()
            .map_or(Mat3::IDENTITY, |r| Mat3::rotation(r.axis.get(), r.degrees.get().to_radians()));
        let rest = mesh.corners(&places).map(|x| turn.apply(x));
        let length = 0.5 * ((rest[1] - rest[0]).length() + (rest[2] - rest[1]).length());
        let own = [made.of(e), made.of(f)];
        let bending = bending_of_both(own, &rest);
        let twisting = InSeries { stiffnesses: own.map(twisting_of), ..bending };
        let element = RodJoint {
            bend: bending.stiffness() / length,
            twist: twisting.stiffness() / length,
            rest_curvature: natural_curvature(&rest, material),
        };
        let first_memory = RodJoint::first_memory(&rest, director(&rest, &turn), apart);
        let first_memory = first_memory.expect("edges of sound meshes have a direction");
        let [a, b, c] = places.map(|v| v + first);
        let [angle, next_angle] = [angles[e], angles[f]];
        // From the rest shape to the start, frames are rotated as little as possible.
        let at = |v: u32| self.builder.positions()[v as usize];
        let [d, g, h, i, j] = first_memory;
        let start = [at(a), at(b), at(c), Vec3::ZERO, Vec3::ZERO, d, g, h, i, j];
        let [.., d, g, h, i, j] = RodJoint::remember(&element.params(), &start);
        let [d, g, h, i, j] = [d, g, h, i, j].map(|memory| self.builder.memory(memory));
        let owner = Owner { body: number as u32, part: Part::Vertex(places[1]) };
        let stencil = [a, b, c, angle, next_angle, d, g, h, i, j];
        let added = self.builder.add(element, stencil, owner, length);
        self.give_step(added, body.step.as_ref().map(Positive::get));
        // One time for both: that of bending, where it differs from that of twist.
        self.damp(added, bending.damping(own.map(damping)));
    }
}

/// Twisting stiffness of an edge, `G J`, in N·m².
fn twisting_of(material: &RodMaterial) -> f64 {
    let poisson = material.poisson.as_ref().expect("a rod that twists has it").get();
    RodJoint::twisting_of_round(material.young.get(), poisson, material.radius.get())
}

/// For each edge of a chain, the part of the whole twist that is behind its middle.
fn shares(lengths: &[f64], is_closed: bool) -> Vec<f64> {
    let mut middle = 0.5 * lengths[0];
    let mut passed = vec![0.0];
    for pair in lengths.windows(2) {
        middle += 0.5 * (pair[0] + pair[1]);
        passed.push(middle - 0.5 * lengths[0]);
    }
    let whole = if is_closed { lengths.iter().sum() } else { passed[passed.len() - 1] };
    let share = |s: f64| if whole > 0.0 { s / whole } else { 0.0 };
    passed.into_iter().map(share).collect()
}

/// The direction about which a joint bends; where it is straight, z or y of the rest shape.
fn director(rest: &[Vec3; 3], turn: &Mat3) -> Vec3 {
    let (e, f) = (rest[1] - rest[0], rest[2] - rest[1]);
    let binormal = e.cross(f);
    if binormal.length() > 1e-9 * e.length() * f.length() {
        return binormal;
    }
    let (z, y) = (turn.apply(Vec3::Z), turn.apply(Vec3::Y));
    if e.cross(z).length() > 0.1 * e.length() { z } else { y }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_follow_the_edges_and_rings_close() {
        let chain = |edges: &[usize], is_closed| Chain { edges: edges.to_vec(), is_closed };
        assert_eq!(chains(4, &[[1, 2], [0, 1], [2, 3]]), Ok(vec![chain(&[1, 0, 2], false)]));
        assert_eq!(chains(3, &[[0, 1], [1, 2], [2, 0]]), Ok(vec![chain(&[0, 1, 2], true)]));
        let both = chains(5, &[[2, 3], [0, 1], [3, 4], [4, 2]]);
        assert_eq!(both, Ok(vec![chain(&[1], false), chain(&[0, 2, 3], true)]));
    }

    #[test]
    fn edges_head_to_head_and_branches_are_no_chain() {
        assert_eq!(chains(3, &[[0, 1], [2, 1]]), Err(1));
        assert_eq!(chains(4, &[[0, 1], [1, 2], [1, 3]]), Err(1));
    }

    #[test]
    fn twist_is_spread_evenly_over_the_length() {
        assert_eq!(shares(&[1.0, 1.0, 2.0], false), [0.0, 0.4, 1.0]);
        assert_eq!(shares(&[1.0, 1.0, 2.0], true), [0.0, 0.25, 0.625]);
        assert_eq!(shares(&[3.0], false), [0.0]);
    }
}
