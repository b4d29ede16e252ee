//! A tree of boxes that finds which boxes overlap.
//!
//! | Build | the longest axis of the centres, split at the median; ties by the boxes' numbers, so one set of boxes gives one tree |
//! | Layout | flat, parents before children, the left child right after its parent |
//! | Order | every traversal visits pairs in one fixed order, which depends on the boxes alone |
//! | Refit | new boxes in the old tree: the same pairs, perhaps more slowly |
//!
//! **Never here:** what is in the boxes; hash maps; threads.

use carom_math::vectorize::{self, Kernel};
use carom_math::{LANES, Lanes, Vec3, Width};

use crate::Bounds;

/// A tree over numbered boxes.
#[derive(Clone, Debug)]
pub struct Bvh {
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
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
    /// A leaf.
    Leaf(u32),
}

/// Some boxes side by side, and their numbers; beyond them are boxes that hold nothing.
#[derive(Clone, Debug)]
struct Leaf {
    min: Vec3<Lanes>,
    max: Vec3<Lanes>,
    items: [u32; LANES],
    count: usize,
}

impl Leaf {
    fn new(boxes: &[(u32, Bounds)]) -> Self {
        let nowhere = Vec3::constant(Vec3::splat(f64::NAN));
        let mut leaf = Self { min: nowhere, max: nowhere, items: [0; LANES], count: boxes.len() };
        for (lane, (item, bounds)) in boxes.iter().enumerate() {
            leaf.items[lane] = *item;
            leaf.put(lane, bounds);
        }
        leaf
    }

    fn put(&mut self, lane: usize, Bounds { min, max }: &Bounds) {
        let Self { min: low, max: high, .. } = self;
        (low.x.0[lane], low.y.0[lane], low.z.0[lane]) = (min.x, min.y, min.z);
        (high.x.0[lane], high.y.0[lane], high.z.0[lane]) = (max.x, max.y, max.z);
    }

    fn get(&self, lane: usize) -> Bounds {
        let at = |v: &Vec3<Lanes>| Vec3::new(v.x.0[lane], v.y.0[lane], v.z.0[lane]);
        Bounds { min: at(&self.min), max: at(&self.max) }
    }

    fn bounds(&self) -> Bounds {
        (0..self.count).fold(Bounds::EMPTY, |all, lane| all.joined(&self.get(lane)))
    }

    /// The boxes of this node that overlap `bounds`: a bit for each.
    #[inline(always)]
    fn overlapping(&self, width: impl Width, bounds: &Bounds) -> u8 {
        let along = |low: f64, high: f64, lows: &Lanes, highs: &Lanes| {
            width.at_most(&Lanes([low; LANES]), highs) & width.at_most(lows, &Lanes([high; LANES]))
        };
        let Bounds { min, max } = bounds;
        along(min.x, max.x, &self.min.x, &self.max.x)
            & along(min.y, max.y, &self.min.y, &self.max.y)
            & along(min.z, max.z, &self.min.z, &self.max.z)
    }

    /// Visits the numbers of these boxes.
    #[inline(always)]
    fn visit(&self, mut boxes: u8, mut visit: impl FnMut(u32)) {
        while boxes != 0 {
            visit(self.items[boxes.trailing_zeros() as usize]);
            boxes &= boxes - 1;
        }
    }
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
        let mut tree = Self { nodes: Vec::new(), leaves: Vec::new() };
        if !boxes.is_empty() {
            tree.grow(&mut boxes);
        }
        tree.fit_nodes();
        tree
    }

    fn grow(&mut self, boxes: &mut [(u32, Bounds)]) {
        let here = self.nodes.len();
        let children = Children::Leaf(self.leaves.len() as u32);
        self.nodes.push(Node { bounds: Bounds::EMPTY, children });
        if boxes.len() <= LANES {
            self.leaves.push(Leaf::new(boxes));
            return;
        }
        let axis = longest_axis(boxes);
        let place = |(_, bounds): &(u32, Bounds)| bounds.centre()[axis];
        let middle = boxes.len() / 2;
        boxes.select_nth_unstable_by(middle, |a, b| place(a).total_cmp(&place(b)).then(a.0.cmp(&b.0)));
        let (left, right) = boxes.split_at_mut(middle);
        self.grow(left);
        self.nodes[here].children = Children::Inner { right: self.nodes.len() as u32 };
        self.grow(right);
    }

    /// Takes new boxes for the same numbers, without changing the shape of the tree.
    pub fn refit(&mut self, bounds: impl Fn(u32) -> Bounds) {
        for leaf in &mut self.leaves {
            for lane in 0..leaf.count {
                leaf.put(lane, &bounds(leaf.items[lane]));
            }
        }
        self.fit_nodes();
    }

    fn fit_nodes(&mut self) {
        for i in (0..self.nodes.len()).rev() {
            self.nodes[i].bounds = match self.nodes[i].children {
                Children::Inner { right } => {
                    self.nodes[i + 1].bounds.joined(&self.nodes[right as usize].bounds)
                }
                Children::Leaf(leaf) => self.leaves[leaf as usize].bounds(),
            };
        }
    }

    /// Visits the number of every box that overlaps `bounds`.
    pub fn overlapping(&self, bounds: &Bounds, visit: impl FnMut(u32)) {
        vectorize::run(Looking { tree: self, bounds, visit });
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
                if self.meet(other, i, j) && self.descend(other, i, j, &mut ahead).is_some() {
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

    /// Whether node `i` of this tree and node `j` of the other are the same node of the same tree.
    #[inline]
    fn is_one(&self, other: &Self, i: u32, j: u32) -> bool {
        i == j && core::ptr::eq(self, other)
    }

    #[inline]
    fn meet(&self, other: &Self, i: u32, j: u32) -> bool {
        self.nodes[i as usize].bounds.overlaps(&other.nodes[j as usize].bounds)
    }

    /// Puts the pairs of the children of two nodes in front of what is ahead; if both are leaves, returns these.
    #[inline]
    fn descend<'a>(
        &'a self,
        other: &'a Self,
        i: u32,
        j: u32,
        ahead: &mut Vec<(u32, u32)>,
    ) -> Option<[&'a Leaf; 2]> {
        match (self.nodes[i as usize].children, other.nodes[j as usize].children) {
            (Children::Inner { right }, _) if self.is_one(other, i, j) => {
                ahead.extend([(right, right), (i + 1, right), (i + 1, i + 1)]);
            }
            (Children::Inner { right: r }, Children::Inner { right: s }) => {
                ahead.extend([(r, s), (r, j + 1), (i + 1, s), (i + 1, j + 1)]);
            }
            (Children::Inner { right }, Children::Leaf(_)) => ahead.extend([(right, j), (i + 1, j)]),
            (Children::Leaf(_), Children::Inner { right }) => ahead.extend([(i, right), (i, j + 1)]),
            (Children::Leaf(here), Children::Leaf(there)) => {
                return Some([&self.leaves[here as usize], &other.leaves[there as usize]]);
            }
        }
        None
    }

    /// Works off pairs of nodes, one of this tree and one of the other.
    fn walk(&self, other: &Self, ahead: Vec<(u32, u32)>, visit: impl FnMut(u32, u32)) {
        vectorize::run(Walking { one: self, other, ahead, visit });
    }
}

/// A traversal of all boxes that overlap a given box.
struct Looking<'a, V> {
    tree: &'a Bvh,
    bounds: &'a Bounds,
    visit: V,
}

impl<V: FnMut(u32)> Kernel for Looking<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self, width: impl Width) {
        let Self { tree, bounds, mut visit } = self;
        let mut ahead = if tree.nodes.is_empty() { Vec::new() } else { vec![0_u32] };
        while let Some(i) = ahead.pop() {
            let node = &tree.nodes[i as usize];
            if !node.bounds.overlaps(bounds) {
                continue;
            }
            match node.children {
                Children::Inner { right } => ahead.extend([right, i + 1]),
                Children::Leaf(leaf) => {
                    let leaf = &tree.leaves[leaf as usize];
                    leaf.visit(leaf.overlapping(width, bounds), &mut visit);
                }
            }
        }
    }
}

/// A traversal of two trees, from some pairs of nodes on.
struct Walking<'a, V> {
    one: &'a Bvh,
    other: &'a Bvh,
    ahead: Vec<(u32, u32)>,
    visit: V,
}

impl<V: FnMut(u32, u32)> Kernel for Walking<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self, width: impl Width) {
        let Self { one, other, mut ahead, mut visit } = self;
        while let Some((i, j)) = ahead.pop() {
            if !one.meet(other, i, j) {
                continue;
            }
            let Some([here, there]) = one.descend(other, i, j, &mut ahead) else { continue };
            let is_one = one.is_one(other, i, j);
            for lane in 0..here.count {
                let overlapping = there.overlapping(width, &here.get(lane));
                // Of a leaf with itself, every two once.
                let later = if is_one { u8::MAX << lane << 1 } else { u8::MAX };
                there.visit(overlapping & later, |item| visit(here.items[lane], item));
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
