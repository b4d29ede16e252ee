//! A tree of boxes that finds which boxes overlap.
//!
//! | Build | the longest axis of the centres, split at the median; ties by the boxes' numbers, so one set of boxes gives one tree |
//! | Layout | flat, parents before children, the left child right after its parent |
//! | Order | every walk visits pairs in one fixed order, which depends on the boxes alone |
//! | Refit | new boxes in the old tree: the same pairs, perhaps more slowly |
//!
//! **Never here:** what is in the boxes; hash maps; threads.

use crate::Bounds;

/// Boxes in a leaf, at most.
const LEAF: usize = 4;

/// A tree over numbered boxes.
#[derive(Clone, Debug)]
pub struct Bvh {
    nodes: Vec<Node>,
    /// The boxes' numbers, leaf by leaf.
    items: Vec<u32>,
    /// The boxes, in the order of `items`.
    bounds: Vec<Bounds>,
}

#[derive(Clone, Debug)]
struct Node {
    bounds: Bounds,
    children: Children,
}

#[derive(Clone, Copy, Debug)]
enum Children {
    /// The node after this one, and this.
    Inner { right: u32 },
    /// A range of `items`.
    Leaf { from: u32, to: u32 },
}

impl Bvh {
    /// The tree over `bounds`; a box's number is its place.
    #[must_use]
    pub fn new(bounds: &[Bounds]) -> Self {
        Self::over(0..bounds.len() as u32, |i| bounds[i as usize])
    }

    /// The tree over the boxes of these numbers.
    #[must_use]
    pub fn over(numbers: impl Iterator<Item = u32>, bounds: impl Fn(u32) -> Bounds) -> Self {
        let mut boxes: Vec<(u32, Bounds)> = numbers.map(|i| (i, bounds(i))).collect();
        let mut tree = Self { nodes: Vec::new(), items: Vec::new(), bounds: Vec::new() };
        if !boxes.is_empty() {
            tree.grow(&mut boxes, 0);
        }
        (tree.items, tree.bounds) = boxes.into_iter().unzip();
        tree.fit_nodes();
        tree
    }

    fn grow(&mut self, boxes: &mut [(u32, Bounds)], from: u32) {
        let here = self.nodes.len();
        let children = Children::Leaf { from, to: from + boxes.len() as u32 };
        self.nodes.push(Node { bounds: Bounds::EMPTY, children });
        if boxes.len() <= LEAF {
            return;
        }
        let axis = longest_axis(boxes);
        let place = |(_, bounds): &(u32, Bounds)| bounds.centre()[axis];
        let middle = boxes.len() / 2;
        boxes.select_nth_unstable_by(middle, |a, b| place(a).total_cmp(&place(b)).then(a.0.cmp(&b.0)));
        let (left, right) = boxes.split_at_mut(middle);
        self.grow(left, from);
        self.nodes[here].children = Children::Inner { right: self.nodes.len() as u32 };
        self.grow(right, from + middle as u32);
    }

    /// Takes new boxes for the same numbers, without changing the shape of the tree.
    pub fn refit(&mut self, bounds: impl Fn(u32) -> Bounds) {
        for (place, item) in self.bounds.iter_mut().zip(&self.items) {
            *place = bounds(*item);
        }
        self.fit_nodes();
    }

    /// The box around all.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.nodes.first().map_or(Bounds::EMPTY, |root| root.bounds)
    }

    fn fit_nodes(&mut self) {
        for i in (0..self.nodes.len()).rev() {
            self.nodes[i].bounds = match self.nodes[i].children {
                Children::Inner { right } => {
                    self.nodes[i + 1].bounds.joined(&self.nodes[right as usize].bounds)
                }
                Children::Leaf { from, to } => {
                    self.bounds[from as usize..to as usize].iter().fold(Bounds::EMPTY, |b, x| b.joined(x))
                }
            };
        }
    }

    /// Visits the number of every box that overlaps `bounds`.
    pub fn overlapping(&self, bounds: &Bounds, mut visit: impl FnMut(u32)) {
        let mut ahead = if self.nodes.is_empty() { Vec::new() } else { vec![0_u32] };
        while let Some(i) = ahead.pop() {
            let node = &self.nodes[i as usize];
            if !node.bounds.overlaps(bounds) {
                continue;
            }
            match node.children {
                Children::Inner { right } => ahead.extend([right, i + 1]),
                Children::Leaf { from, to } => {
                    for k in from as usize..to as usize {
                        if self.bounds[k].overlaps(bounds) {
                            visit(self.items[k]);
                        }
                    }
                }
            }
        }
    }

    /// Visits every two different boxes of this tree that overlap, once, the smaller number first.
    pub fn self_pairs(&self, mut visit: impl FnMut(u32, u32)) {
        self.pairs_with(self, |a, b| visit(a.min(b), a.max(b)));
    }

    /// Visits every box of this tree with every box of the `other` that it overlaps, this tree's number first; if the other is this tree,
    /// every two different boxes once.
    pub fn pairs_with(&self, other: &Self, visit: impl FnMut(u32, u32)) {
        self.walk(other, self.roots(other), visit);
    }

    /// The work of [`pairs_with`](Self::pairs_with) in some parts, about as many as asked for or more.
    #[must_use]
    pub fn split(&self, other: &Self, parts: usize) -> Vec<Part> {
        let mut ahead = self.roots(other);
        let mut nodes = Vec::new();
        while !ahead.is_empty() && ahead.len() + nodes.len() < parts {
            for (i, j) in core::mem::take(&mut ahead) {
                if self.meet(other, i, j) && !self.descend(other, i, j, &mut ahead) {
                    nodes.push((i, j));
                }
            }
        }
        nodes.append(&mut ahead);
        nodes.into_iter().map(Part).collect()
    }

    /// Visits the pairs of one part.
    pub fn pairs_in(&self, other: &Self, Part(nodes): Part, visit: impl FnMut(u32, u32)) {
        self.walk(other, vec![nodes], visit);
    }

    fn roots(&self, other: &Self) -> Vec<(u32, u32)> {
        if self.nodes.is_empty() || other.nodes.is_empty() { Vec::new() } else { vec![(0, 0)] }
    }

    /// Whether two nodes are one and the same.
    #[inline]
    fn is_one(&self, other: &Self, i: u32, j: u32) -> bool {
        i == j && core::ptr::eq(self, other)
    }

    #[inline]
    fn meet(&self, other: &Self, i: u32, j: u32) -> bool {
        self.nodes[i as usize].bounds.overlaps(&other.nodes[j as usize].bounds)
    }

    /// Puts the pairs of the children of two nodes in front of what is ahead; `false` if both are leaves.
    #[inline]
    fn descend(&self, other: &Self, i: u32, j: u32, ahead: &mut Vec<(u32, u32)>) -> bool {
        match (self.nodes[i as usize].children, other.nodes[j as usize].children) {
            (Children::Inner { right }, _) if self.is_one(other, i, j) => {
                ahead.extend([(right, right), (i + 1, right), (i + 1, i + 1)]);
            }
            (Children::Inner { right: r }, Children::Inner { right: s }) => {
                ahead.extend([(r, s), (r, j + 1), (i + 1, s), (i + 1, j + 1)]);
            }
            (Children::Inner { right }, Children::Leaf { .. }) => ahead.extend([(right, j), (i + 1, j)]),
            (Children::Leaf { .. }, Children::Inner { right }) => ahead.extend([(i, right), (i, j + 1)]),
            (Children::Leaf { .. }, Children::Leaf { .. }) => return false,
        }
        true
    }

    /// Works off pairs of nodes, one of this tree and one of the other.
    fn walk(&self, other: &Self, mut ahead: Vec<(u32, u32)>, mut visit: impl FnMut(u32, u32)) {
        while let Some((i, j)) = ahead.pop() {
            if self.meet(other, i, j) && !self.descend(other, i, j, &mut ahead) {
                self.leaves(other, i, j, &mut visit);
            }
        }
    }

    /// Visits the pairs of two leaves.
    #[inline]
    fn leaves(&self, other: &Self, i: u32, j: u32, visit: &mut impl FnMut(u32, u32)) {
        let is_one = self.is_one(other, i, j);
        let [here, there] =
            [&self.nodes[i as usize], &other.nodes[j as usize]].map(|node| match node.children {
                Children::Leaf { from, to } => from as usize..to as usize,
                Children::Inner { .. } => 0..0,
            });
        for k in here {
            let from = if is_one { k + 1 } else { there.start };
            for l in from..there.end {
                if self.bounds[k].overlaps(&other.bounds[l]) {
                    visit(self.items[k], other.items[l]);
                }
            }
        }
    }
}

/// Two subtrees whose boxes are to be held against each other.
#[derive(Clone, Copy, Debug)]
pub struct Part((u32, u32));

fn longest_axis(boxes: &[(u32, Bounds)]) -> usize {
    let centres = boxes.iter().fold(Bounds::EMPTY, |all, (_, bounds)| {
        let c = bounds.centre();
        all.joined(&Bounds { min: c, max: c })
    });
    let size = centres.max - centres.min;
    let mut axis = 0;
    for k in 1..3 {
        if size[k] > size[axis] {
            axis = k;
        }
    }
    axis
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::Vec3;
    use proptest::prelude::*;

    fn boxes(most: usize) -> impl Strategy<Value = Vec<Bounds>> {
        // Whole numbers, so that many boxes touch and many centres coincide.
        let one =
            (prop::array::uniform3(-6..=6_i32), prop::array::uniform3(0..=3_i32)).prop_map(|(at, size)| {
                let corner = |k: [i32; 3]| Vec3::from(k.map(f64::from));
                let min = corner(at);
                Bounds { min, max: min + corner(size) }
            });
        prop::collection::vec(one, 0..most)
    }

    fn brute(a: &[Bounds], b: &[Bounds], keep: impl Fn(usize, usize) -> bool) -> Vec<(u32, u32)> {
        let all = (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j)));
        all.filter(|(i, j)| keep(*i, *j) && a[*i].overlaps(&b[*j]))
            .map(|(i, j)| (i as u32, j as u32))
            .collect()
    }

    fn sorted(mut pairs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
        pairs.sort_unstable();
        pairs
    }

    fn self_pairs(tree: &Bvh) -> Vec<(u32, u32)> {
        let mut out = Vec::new();
        tree.self_pairs(|a, b| out.push((a, b)));
        out
    }

    proptest! {
        #[test]
        fn the_tree_finds_what_brute_force_finds(a in boxes(60), b in boxes(30)) {
            let (tree, other) = (Bvh::new(&a), Bvh::new(&b));
            prop_assert_eq!(sorted(self_pairs(&tree)), brute(&a, &a, |i, j| i < j));
            let mut pairs = Vec::new();
            tree.pairs_with(&other, |i, j| pairs.push((i, j)));
            prop_assert_eq!(sorted(pairs), brute(&a, &b, |_, _| true));
            let mut in_parts = Vec::new();
            for part in tree.split(&other, 7) {
                tree.pairs_in(&other, part, |i, j| in_parts.push((i, j)));
            }
            prop_assert_eq!(sorted(in_parts), brute(&a, &b, |_, _| true));
            let mut in_parts = Vec::new();
            for part in tree.split(&tree, 7) {
                tree.pairs_in(&tree, part, |i, j| in_parts.push((i.min(j), i.max(j))));
            }
            prop_assert_eq!(sorted(in_parts), brute(&a, &a, |i, j| i < j));
            let mut single = Vec::new();
            for (j, bounds) in b.iter().enumerate() {
                tree.overlapping(bounds, |i| single.push((i, j as u32)));
            }
            prop_assert_eq!(sorted(single), brute(&a, &b, |_, _| true));
        }

        #[test]
        fn a_refitted_tree_finds_the_pairs_of_the_new_boxes(a in boxes(60), by in -3..3_i32) {
            let mut tree = Bvh::new(&a);
            let moved: Vec<Bounds> = a.iter().enumerate().map(|(i, b)| {
                let step = Vec3::splat(f64::from(by) * (i % 3) as f64);
                Bounds { min: b.min + step, max: b.max + step }
            }).collect();
            tree.refit(|i| moved[i as usize]);
            prop_assert_eq!(sorted(self_pairs(&tree)), brute(&moved, &moved, |i, j| i < j));
        }
    }

    #[test]
    fn pairs_come_in_the_same_order_every_time() {
        let row: Vec<Bounds> = (0..100)
            .map(|i| Bounds::of(&[Vec3::X * f64::from(i % 10), Vec3::splat(f64::from(i % 7))]))
            .collect();
        assert_eq!(self_pairs(&Bvh::new(&row)), self_pairs(&Bvh::new(&row)));
    }
}
