//! Parts of a body that are made of something else.
//!
//! An element belongs to a part if all of its vertices are selected. What lies between two elements, a hinge or a joint, carries one
//! moment through both: what each of them gives adds up to the angle, as of springs in series. Mid-edge bending lies within a
//! triangle and needs no rule.

use std::sync::Arc;

use carom_geometry::Mesh;

use super::Assembly;
use crate::at::At;
use crate::format::{Body, Part};
use crate::report::Problem;

/// Materials of the elements of a body.
#[derive(Clone, Default)]
pub struct Makeup {
    /// The parts that each kind of element belongs to, as numbers in the scene; the first belongs to none.
    kinds: Vec<Vec<usize>>,
    /// The kind of each element; empty if all are of the first.
    kind_of: Arc<[u32]>,
}

/// The material of each element.
pub struct MadeOf<M> {
    kinds: Vec<M>,
    kind_of: Arc<[u32]>,
}

impl<M> MadeOf<M> {
    /// All materials of the body.
    pub fn kinds(&self) -> impl Iterator<Item = &M> {
        self.kinds.iter()
    }

    /// The material of the element with this number.
    pub fn of(&self, element: usize) -> &M {
        &self.kinds[self.kind_of.get(element).map_or(0, |kind| *kind as usize)]
    }
}

impl Makeup {
    /// The materials of a body that is made of `base` where no part says otherwise.
    pub fn materials<M: Varies>(&self, base: &M, parts: &[At<Part>]) -> MadeOf<M> {
        let of =
            |own: &Vec<usize>| own.iter().fold(base.clone(), |material, part| material.with(&parts[*part]));
        let others = self.kinds.iter().skip(1).map(of);
        MadeOf {
            kinds: [base.clone()].into_iter().chain(others).collect(),
            kind_of: Arc::clone(&self.kind_of),
        }
    }
}

/// A material some numbers of which a part can change.
pub trait Varies: Clone {
    /// The material with the numbers that the part gives.
    #[must_use]
    fn with(self, part: &Part) -> Self;
}

/// Two pieces that bend or twist under one moment: how stiff each is for its size.
#[derive(Clone, Copy, Debug)]
pub struct InSeries {
    /// Lengths or areas, in m or m².
    pub extents: [f64; 2],
    /// Stiffness of each, times its extent.
    pub stiffnesses: [f64; 2],
}

impl InSeries {
    /// The stiffness of a material that, taken for both, would give as much as they do together.
    pub fn stiffness(&self) -> f64 {
        let [first, second] = self.stiffnesses;
        if first == second {
            return first;
        }
        let [a, b] = self.extents;
        (a + b) / (a / first + b / second)
    }

    /// The damping time of both together, in s, that of each counted by what it gives of the angle.
    pub fn damping(&self, [first, second]: [Option<f64>; 2]) -> Option<f64> {
        if first == second {
            return first;
        }
        let [a, b] = [0, 1].map(|i| self.extents[i] / self.stiffnesses[i]);
        Some((a * first.unwrap_or(0.0) + b * second.unwrap_or(0.0)) / (a + b))
    }
}

impl Assembly<'_> {
    /// The parts that the elements of `body` belong to, whose mesh is `mesh`.
    pub(super) fn makeup(&self, body: &Body, mesh: &Mesh) -> Result<Makeup, Vec<Problem>> {
        let mut memberships = vec![Vec::new(); mesh.triangles.len() + mesh.tets.len() + mesh.edges.len()];
        let mut problems = Vec::new();
        let of_body = |(_, part): &(usize, &At<Part>)| *part.body == *body.name;
        for (number, part) in self.scene.file.parts.iter().enumerate().filter(of_body) {
            match self.elements_of_part(mesh, part) {
                Ok(elements) => elements.into_iter().for_each(|e| memberships[e].push(number)),
                Err(problem) => problems.push(problem),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut kinds = vec![Vec::new()];
        let mut kind_of = Vec::new();
        for membership in memberships {
            let known = kinds.iter().position(|kind| *kind == membership);
            kind_of.push(known.unwrap_or(kinds.len()) as u32);
            if known.is_none() {
                kinds.push(membership);
            }
        }
        Ok(if kinds.len() == 1 { Makeup::default() } else { Makeup { kinds, kind_of: kind_of.into() } })
    }

    /// Elements all of whose vertices the part selects. A mesh has elements of one dimension here.
    fn elements_of_part(&self, mesh: &Mesh, part: &At<Part>) -> Result<Vec<usize>, Problem> {
        let mut is_chosen = vec![false; mesh.positions.len()];
        for v in self.select_in(mesh, &part.body, &part.select)? {
            is_chosen[v as usize] = true;
        }
        let all = |element: &[u32]| element.iter().all(|v| is_chosen[*v as usize]);
        let triangles = mesh.triangles.iter().map(|t| all(t));
        let inside =
            triangles.chain(mesh.tets.iter().map(|t| all(t))).chain(mesh.edges.iter().map(|e| all(e)));
        let elements: Vec<usize> = inside.enumerate().filter(|(_, inside)| *inside).map(|(e, _)| e).collect();
        if elements.is_empty() {
            let count = is_chosen.iter().filter(|chosen| **chosen).count();
            let message =
                format!("no element of \"{}\" has all its vertices among the {count} selected", part.body);
            let help =
                "an element belongs to a part if all of its vertices are selected: select more of them";
            return Err(Problem::new(&part.select.span(), message).help(help));
        }
        Ok(elements)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_in_series_give_what_each_of_them_gives_under_one_moment() {
        let joint = InSeries { extents: [1.0, 3.0], stiffnesses: [2.0, 5.0] };
        let (moment, whole) = (7.0, 4.0);
        let angle = moment * 1.0 / 2.0 + moment * 3.0 / 5.0;
        assert!((moment * whole / angle / joint.stiffness() - 1.0).abs() < 1e-15);
        assert_eq!(InSeries { extents: [0.1, 0.7], stiffnesses: [0.3; 2] }.stiffness(), 0.3);
    }

    #[test]
    fn damping_loses_what_the_pieces_lose_when_they_move_together() {
        let joint = InSeries { extents: [1.0, 3.0], stiffnesses: [2.0, 5.0] };
        // At a given rate of the whole angle, each piece rotates by its share.
        let [first, second] = [0.5 / 1.1, 0.6 / 1.1];
        let lost = 0.01 * 2.0 / 1.0 * first * first + 0.04 * 5.0 / 3.0 * second * second;
        let damping = joint.damping([Some(0.01), Some(0.04)]).unwrap();
        assert!((damping * joint.stiffness() / 4.0 / lost - 1.0).abs() < 1e-14);
        assert_eq!(joint.damping([None, None]), None);
        assert_eq!(joint.damping([Some(0.1), Some(0.1)]), Some(0.1));
    }
}
