//! The tree of nodes, and where it places meshes.

use carom_math::{Mat3, Vec3};

use super::document::{Document, Node};
use crate::{Fault, remedy};

/// A mesh at its place.
pub struct Placed {
    pub mesh: usize,
    pub transform: Transform,
    pub name: Option<String>,
}

/// A linear map, then a shift.
#[derive(Clone, Copy)]
pub struct Transform {
    linear: Mat3,
    shift: Vec3,
}

impl Transform {
    const IDENTITY: Self = Self { linear: Mat3::IDENTITY, shift: Vec3::ZERO };

    pub fn apply(&self, p: Vec3) -> Vec3 {
        self.linear.apply(p) + self.shift
    }

    /// Whether the transformation reverses orientation.
    pub fn mirrors(&self) -> bool {
        let [a, b, c] = self.linear.columns;
        a.cross(b).dot(c) < 0.0
    }

    fn then_inside(&self, inner: &Self) -> Self {
        Self { linear: self.linear.times(&inner.linear), shift: self.apply(inner.shift) }
    }

    fn of(node: &Node) -> Self {
        if let Some(m) = node.matrix {
            let column = |i: usize| Vec3::new(m[4 * i], m[4 * i + 1], m[4 * i + 2]);
            return Self { linear: Mat3 { columns: [column(0), column(1), column(2)] }, shift: column(3) };
        }
        let turn = rotation(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
        let [x, y, z] = node.scale.unwrap_or([1.0; 3]);
        let [a, b, c] = turn.columns;
        Self {
            linear: Mat3 { columns: [a * x, b * y, c * z] },
            shift: node.translation.unwrap_or([0.0; 3]).into(),
        }
    }
}

/// The rotation of a quaternion, which need not have length 1; none if it has no length.
fn rotation([x, y, z, w]: [f64; 4]) -> Mat3 {
    let length_sq = x * x + y * y + z * z + w * w;
    if length_sq == 0.0 || !length_sq.is_finite() {
        return Mat3::IDENTITY;
    }
    let s = 2.0 / length_sq;
    Mat3 {
        columns: [
            Vec3::new(1.0 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)),
            Vec3::new(s * (x * y - z * w), 1.0 - s * (x * x + z * z), s * (y * z + x * w)),
            Vec3::new(s * (x * z + y * w), s * (y * z - x * w), 1.0 - s * (x * x + y * y)),
        ],
    }
}

/// All meshes with their transformations, parents before children.
pub fn placed_meshes(document: &Document) -> Result<Vec<Placed>, Fault> {
    let roots = check_tree(document)?;
    let start = match document.scene.map(|scene| document.scenes.get(scene)) {
        Some(None) => return Err(Fault::new("the default scene does not exist", remedy::DAMAGED)),
        Some(Some(scene)) => Some(scene),
        None => document.scenes.first(),
    };
    if document.nodes.is_empty() && start.is_none_or(|scene| scene.nodes.is_empty()) {
        return Ok((0..document.meshes.len()).map(|mesh| unplaced(document, mesh)).collect());
    }
    let start = start.map_or(roots, |scene| scene.nodes.clone());
    let mut seen = vec![false; document.nodes.len()];
    let mut open: Vec<(usize, Transform)> =
        start.into_iter().rev().map(|n| (n, Transform::IDENTITY)).collect();
    let mut placed = Vec::new();
    while let Some((number, outer)) = open.pop() {
        let Some(node) = document.nodes.get(number) else {
            return Err(Fault::new(format!("node {number} does not exist"), remedy::DAMAGED));
        };
        if core::mem::replace(&mut seen[number], true) {
            return Err(Fault::new(format!("node {number} is in the scene twice"), remedy::DAMAGED));
        }
        let transform = outer.then_inside(&Transform::of(node));
        if let Some(mesh) = node.mesh {
            let name = node.name.clone().or_else(|| document.meshes.get(mesh)?.name.clone());
            placed.push(Placed { mesh, transform, name });
        }
        open.extend(node.children.iter().rev().map(|child| (*child, transform)));
    }
    Ok(placed)
}

fn unplaced(document: &Document, mesh: usize) -> Placed {
    Placed { mesh, transform: Transform::IDENTITY, name: document.meshes[mesh].name.clone() }
}

/// Checks that every node has one parent at most and none is its own ancestor; returns the roots.
fn check_tree(document: &Document) -> Result<Vec<usize>, Fault> {
    let count = document.nodes.len();
    let mut parents = vec![None; count];
    for (number, node) in document.nodes.iter().enumerate() {
        for child in &node.children {
            let Some(parent) = parents.get_mut(*child) else {
                let message = format!("node {number} has the child {child}, which does not exist");
                return Err(Fault::new(message, remedy::DAMAGED));
            };
            if let Some(other) = parent.replace(number) {
                let message = format!("node {child} has two parents, {other} and {number}");
                return Err(Fault::new(message, "nodes must form trees; export it again"));
            }
        }
    }
    // With one parent each, what cannot be reached from a root lies on a loop or below one.
    let roots: Vec<usize> = (0..count).filter(|n| parents[*n].is_none()).collect();
    let mut reached = vec![false; count];
    let mut open = roots.clone();
    while let Some(node) = open.pop() {
        reached[node] = true;
        open.extend(&document.nodes[node].children);
    }
    match reached.iter().position(|reached| !reached) {
        Some(node) => Err(Fault::new(
            format!("node {node} is part of a loop"),
            "nodes must form trees; export it again",
        )),
        None => Ok(roots),
    }
}
