//! Which of many boxes overlap a box.
//!
//! Halved at the median along the longest axis, and laid out in the order of a depth-first traversal: a subtree that is not entered is
//! skipped by one jump.

use carom_math::Vec3;

/// A box with faces along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cuboid {
    pub low: Vec3,
    pub high: Vec3,
}

impl Cuboid {
    /// Holds nothing.
    pub const EMPTY: Self = Self { low: Vec3::splat(f64::INFINITY), high: Vec3::splat(f64::NEG_INFINITY) };

    #[must_use]
    pub fn with_point(self, p: Vec3) -> Self {
        self.with(&Self { low: p, high: p })
    }

    #[must_use]
    pub fn with(self, other: &Self) -> Self {
        let join =
            |a: Vec3, b: Vec3, f: fn(f64, f64) -> f64| Vec3::new(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z));
        Self { low: join(self.low, other.low, f64::min), high: join(self.high, other.high, f64::max) }
    }

    /// Larger by `margin` on every side, at least.
    #[must_use]
    pub fn grown(self, margin: f64) -> Self {
        let each = |v: Vec3, f: &dyn Fn(f64) -> f64| Vec3::from(v.to_array().map(f));
        Self {
            low: each(self.low, &|x| (x - margin).next_down()),
            high: each(self.high, &|x| (x + margin).next_up()),
        }
    }

    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        let (a, b) = (self, other);
        (a.low.x <= b.high.x && b.low.x <= a.high.x)
            && (a.low.y <= b.high.y && b.low.y <= a.high.y)
            && (a.low.z <= b.high.z && b.low.z <= a.high.z)
    }

    pub fn holds(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.low[k] && other.high[k] <= self.high[k])
    }

    /// Largest distance of two points in the box.
    pub fn diagonal(&self) -> f64 {
        (self.high - self.low).length()
    }

    /// The longest side.
    pub fn extent(&self) -> f64 {
        (self.high - self.low).max_abs()
    }
}

/// Boxes below this number are tried one by one.
const LEAF: usize = 4;

struct Node {
    bounds: Cuboid,
    /// Range of the node's boxes in the order.
    boxes: core::ops::Range<usize>,
    /// The node after everything below this one.
    next: usize,
}

/// Boxes, ordered for search.
pub(crate) struct Tree {
    nodes: Vec<Node>,
    order: Vec<(usize, Cuboid)>,
}

impl Tree {
    pub fn new(boxes: impl Iterator<Item = Cuboid>) -> Self {
        let mut tree = Self { nodes: Vec::new(), order: boxes.enumerate().collect() };
        if !tree.order.is_empty() {
            tree.grow(0..tree.order.len());
        }
        tree
    }

    fn grow(&mut self, range: core::ops::Range<usize>) {
        let boxes = &mut self.order[range.clone()];
        let bounds = boxes.iter().fold(Cuboid::EMPTY, |all, (_, b)| all.with(b));
        let node = self.nodes.len();
        self.nodes.push(Node { bounds, boxes: range.clone(), next: 0 });
        if range.len() > LEAF {
            let size = (bounds.high - bounds.low).to_array();
            let axis = (0..3).max_by(|&i, &j| size[i].total_cmp(&size[j])).expect("space has axes");
            let middle = boxes.len() / 2;
            let centre = |b: &Cuboid| b.low[axis] + b.high[axis];
            // The number breaks ties: the tree depends on the boxes alone.
            boxes.select_nth_unstable_by(middle, |(i, a), (j, b)| {
                centre(a).total_cmp(&centre(b)).then(i.cmp(j))
            });
            self.grow(range.start..range.start + middle);
            self.grow(range.start + middle..range.end);
        }
        self.nodes[node].next = self.nodes.len();
    }

    /// Calls `tell` with the number of every box that overlaps `wanted`.
    pub fn overlapping(&self, wanted: &Cuboid, mut tell: impl FnMut(usize)) {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if !node.bounds.overlaps(wanted) {
                at = node.next;
                continue;
            }
            if node.boxes.len() <= LEAF {
                for (i, b) in &self.order[node.boxes.clone()] {
                    if b.overlaps(wanted) {
                        tell(*i);
                    }
                }
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cuboid() -> impl Strategy<Value = Cuboid> {
        // Whole numbers: many boxes touch exactly, and touching counts.
        (prop::array::uniform3(-9..10_i32), prop::array::uniform3(0..4_i32)).prop_map(|(at, size)| {
            let low = Vec3::from(at.map(f64::from));
            Cuboid { low, high: low + Vec3::from(size.map(f64::from)) }
        })
    }

    proptest! {
        #[test]
        fn the_tree_finds_what_trying_all_finds(boxes in prop::collection::vec(cuboid(), 0..60), wanted in cuboid()) {
            let tree = Tree::new(boxes.iter().copied());
            let mut found = Vec::new();
            tree.overlapping(&wanted, |i| found.push(i));
            found.sort_unstable();
            let all: Vec<usize> = (0..boxes.len()).filter(|&i| boxes[i].overlaps(&wanted)).collect();
            prop_assert_eq!(found, all);
        }
    }
}
