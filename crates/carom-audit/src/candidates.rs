//! Which pairs may come near while every vertex stays in a box it was allowed.
//!
//! Boxes have room to spare, so that one search serves many windows: until a vertex leaves its box, no pair but those listed can come near.

use std::collections::BTreeSet;

use carom_math::Vec3;

use crate::image::Image;
use crate::near::Watched;
use crate::tree::{Cuboid, Tree};
use crate::{Pair, Surface};

/// The room a vertex has before a new search: so many of its own sweeps and of the mean sweep …
const ROOM_SWEEPS: f64 = 2.0;
/// … and this part of the mean size of a primitive: little against the primitives, so the list grows little by it, and in slow motion it lasts long.
const ROOM_SIZE: f64 = 0.125;

/// A pair that may come near.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub watched: Watched,
    /// A direction that kept the pair apart before, or zero.
    pub towards: Vec3,
}

/// Path length of the fastest vertex, in m since the start of the audit, before which a pair need not be tested again.
pub(crate) type WakeAt = f64;

/// The pairs to test in every window.
#[derive(Clone)]
pub(crate) struct Candidates {
    surface: Surface,
    points: Vec<u32>,
    rod_edges: Vec<[u32; 2]>,
    allowed: Vec<Cuboid>,
    pub list: Vec<Candidate>,
    /// For each candidate the path length at which it must be tested again; a separate array, because a window reads it first.
    pub wake_at: Vec<WakeAt>,
}

impl Candidates {
    pub fn new(surface: Surface) -> Self {
        Self {
            points: surface.points(),
            rod_edges: surface.rod_edges(),
            allowed: Vec::new(),
            list: Vec::new(),
            wake_at: Vec::new(),
            surface,
        }
    }

    /// The largest number of a vertex.
    pub fn last_vertex(&self) -> Option<u32> {
        self.points.last().copied()
    }

    /// Whether the list is complete for a window in which the vertices stay in `boxes`.
    pub fn serve(&self, boxes: &[Cuboid]) -> bool {
        self.allowed.len() == boxes.len()
            && self.allowed.iter().zip(boxes).all(|(allowed, b)| allowed.holds(b))
    }

    /// The mean size of an edge, in m.
    fn mean_size(&self, boxes: &[Cuboid]) -> f64 {
        let size = |&[a, b]: &[u32; 2]| (boxes[a as usize].low - boxes[b as usize].low).max_abs();
        self.surface.edges.iter().map(size).sum::<f64>() / self.surface.edges.len().max(1) as f64
    }

    /// Lists all pairs, but those `crossed`, that may come within `distance_m` around `boxes`.
    pub fn search(&mut self, boxes: &[Cuboid], distance_m: f64, crossed: &BTreeSet<Pair>) {
        let mean = boxes.iter().map(Cuboid::extent).sum::<f64>() / boxes.len().max(1) as f64;
        self.allowed.clear();
        let room = ROOM_SIZE * self.mean_size(boxes);
        self.allowed.extend(boxes.iter().map(|b| b.grown(room + ROOM_SWEEPS * (b.extent() + mean))));
        self.list.clear();

        let surface = core::mem::take(&mut self.surface);
        let points: Vec<[u32; 1]> = self.points.iter().map(|&v| [v]).collect();
        let grains: Vec<[u32; 1]> = surface.free_points.iter().map(|&v| [v]).collect();
        let mut search =
            Search { surface: &surface, allowed: &self.allowed, distance_m, crossed, list: &mut self.list };
        search.between(&points, &surface.faces);
        search.between(&points, &self.rod_edges);
        search.among(&surface.edges);
        if surface.period_m.is_zero() {
            search.among(&grains);
        } else {
            search.among_images(&surface.free_points);
        }
        self.surface = surface;
        self.wake_at.clear();
        self.wake_at.resize(self.list.len(), 0.0);
    }
}

struct Search<'a> {
    surface: &'a Surface,
    allowed: &'a [Cuboid],
    distance_m: f64,
    crossed: &'a BTreeSet<Pair>,
    list: &'a mut Vec<Candidate>,
}

impl Search<'_> {
    /// The box of a primitive with its hard radius.
    fn bounds(&self, vertices: &[u32]) -> Cuboid {
        let each = vertices.iter().map(|&v| self.allowed[v as usize]);
        each.fold(Cuboid::EMPTY, |all, b| all.with(&b)).grown(self.surface.radius_of(vertices))
    }

    fn between<const N: usize, const M: usize>(&mut self, ones: &[[u32; N]], others: &[[u32; M]]) {
        let tree = Tree::new(others.iter().map(|o| self.bounds(o)));
        for one in ones {
            tree.overlapping(&self.bounds(one).grown(self.distance_m), |i| self.add(one, &others[i]));
        }
    }

    fn among<const N: usize>(&mut self, ones: &[[u32; N]]) {
        let tree = Tree::new(ones.iter().map(|o| self.bounds(o)));
        for (i, one) in ones.iter().enumerate() {
            let around = self.bounds(one).grown(self.distance_m);
            tree.overlapping(&around, |j| {
                if j > i {
                    self.add(one, &ones[j]);
                }
            });
        }
    }

    /// Lists pairs of points in a periodic box: all boxes are moved into the box, and each is searched for neighbours there and at its 26
    /// periodic images.
    fn among_images(&mut self, points: &[u32]) {
        let period = self.surface.period_m;
        let home = |b: &Cuboid| -> [i64; 3] {
            let middle = (b.low + b.high) * 0.5;
            core::array::from_fn(|k| if period[k] > 0.0 { (middle[k] / period[k]).floor() as i64 } else { 0 })
        };
        let moved = |b: &Cuboid, by: [i64; 3]| {
            let shift = Vec3::from(core::array::from_fn(|k| by[k] as f64 * period[k]));
            // A shift, a box and their sum are each rounded once.
            let rounding = 4.0 * f64::EPSILON * (shift.max_abs() + b.low.max_abs() + b.high.max_abs());
            Cuboid { low: b.low + shift, high: b.high + shift }.grown(rounding)
        };
        let boxes: Vec<Cuboid> = points.iter().map(|&v| self.bounds(&[v])).collect();
        let homes: Vec<[i64; 3]> = boxes.iter().map(home).collect();
        let at_home = |i: usize| moved(&boxes[i], homes[i].map(|periods| -periods));
        let tree = Tree::new((0..points.len()).map(at_home));
        let ways = |k: usize| if period[k] > 0.0 { -1..=1_i64 } else { 0..=0 };
        for i in 0..points.len() {
            let around = at_home(i).grown(self.distance_m);
            for x in ways(0) {
                for y in ways(1) {
                    for z in ways(2) {
                        let way = [x, y, z];
                        tree.overlapping(&moved(&around, way), |j| {
                            if j > i {
                                let image = core::array::from_fn(|k| homes[i][k] - homes[j][k] - way[k]);
                                self.add_pair(Pair::of_image(points[i], points[j], image));
                            }
                        });
                    }
                }
            }
        }
    }

    fn add(&mut self, one: &[u32], other: &[u32]) {
        if one.iter().any(|v| other.contains(v)) {
            return;
        }
        self.add_pair(Pair::new(one, other));
    }

    fn add_pair(&mut self, pair: Pair) {
        if !self.surface.counts(&pair) || self.crossed.contains(&pair) {
            return;
        }
        let radii_m = [pair.first(), pair.second()].map(|vertices| self.surface.radius_of(vertices));
        // Zero stays zero: rounding up would make every touch of thin surfaces a matter of the last bit.
        let sum = radii_m[0] + radii_m[1];
        let reach_m = if radii_m.contains(&0.0) { sum } else { sum.next_up() };
        let image = Image::of(&pair, self.surface.period_m);
        self.list.push(Candidate { watched: Watched { pair, reach_m, radii_m, image }, towards: Vec3::ZERO });
    }
}
