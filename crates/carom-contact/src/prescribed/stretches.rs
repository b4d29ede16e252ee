//! The first contact of two classes of held primitives, stretch by stretch.
//!
//! Between corners everything moves straight. Two classes are looked at in the frame of the second where that has one velocity: its tree is
//! built once, however many corners the first has.

use carom_geometry::{Bounds, Bvh};
use carom_math::Vec3;
use carom_model::{Contact, HeldMotion, PairId, PairKind};
use carom_time::Tick;

use super::approach::first_contact;
use super::classes::Class;
use crate::{Pair, PairRules, TooNear};

/// A stretch in which a class moves farther than this part of its size is halved.
const STRIDE: f64 = 0.25;

/// A place is rounded a few times, from numbers as large as coordinates and the way of the frame; a product with a direction a few more.
const NOISE: f64 = 256.0 * f64::EPSILON;

/// A contact, and when in ticks: seldom a whole number.
#[derive(Clone, Copy)]
pub(super) struct FirstContact {
    pub tick: f64,
    pub pair: Pair,
}

/// Looks for the first contact.
pub(super) struct Search<'a> {
    rules: &'a PairRules,
    motion: &'a HeldMotion<'a>,
    end: Tick,
    /// The first contact so far.
    pub found: Option<FirstContact>,
    /// Where the vertices of two classes are at the start and at the end of a stretch, in their frame, in m.
    places: [Vec<Vec3>; 2],
}

/// Two classes, and what is known of the second.
struct Meeting<'c> {
    first: &'c Class,
    second: &'c Class,
    /// Velocity of the frame, in m/s.
    frame: Vec3,
    trees: Trees,
    /// The extent of the second class if it stands still in the frame.
    still: Option<Extent>,
}

/// Where a class is during a stretch.
#[derive(Clone, Copy)]
struct Extent {
    /// The box of all its vertices on their way.
    swept: Bounds,
    /// Its size at the start, in m along an axis.
    size_m: f64,
    /// The longest way of a vertex, in m along an axis.
    moved_m: f64,
}

impl Extent {
    fn largest_coordinate_m(&self) -> f64 {
        self.swept.min.max_abs().max(self.swept.max.max_abs())
    }
}

/// Trees of the primitives of a class.
struct Trees {
    vertices: Bvh,
    edges: Bvh,
    faces: Bvh,
}

impl<'a> Search<'a> {
    pub fn new(rules: &'a PairRules, motion: &'a HeldMotion<'a>, end: Tick) -> Self {
        let places = || vec![Vec3::ZERO; rules.vertices()];
        Self { rules, motion, end, found: None, places: [places(), places()] }
    }

    /// Looks for the first contact of two classes.
    pub fn between(&mut self, [one, other]: [&Class; 2]) {
        // The second should stand still in some frame, and be the larger of two that do.
        let rank = |class: &Class| (class.velocity.is_some(), class.places.len());
        let (first, second) = if rank(one) > rank(other) { (other, one) } else { (one, other) };
        let frame = second.velocity.unwrap_or(Vec3::ZERO);
        let mut ticks: Vec<Tick> = [Tick::START, self.end].into();
        ticks.extend(first.corners.iter().chain(&second.corners));
        ticks.sort_unstable();
        ticks.dedup();
        // A run of no length has one stretch, too: it may start in contact.
        ticks.resize(ticks.len().max(2), self.end);
        let extent = self.place(second, frame, [ticks[0], ticks[1]]);
        let trees = Trees::new(self.rules.contact(), second, &self.places);
        let mut meeting = Meeting { first, second, frame, trees, still: second.velocity.map(|_| extent) };
        for stretch in ticks.windows(2) {
            let is_later = |found: &FirstContact| found.tick <= stretch[0].0 as f64;
            if self.found.as_ref().is_some_and(is_later) || self.meet(&mut meeting, [stretch[0], stretch[1]])
            {
                return;
            }
        }
    }

    /// Looks for the first contact in a stretch of straight motion; returns whether there is one.
    fn meet(&mut self, meeting: &mut Meeting, [from, to]: [Tick; 2]) -> bool {
        let Meeting { first, second, frame, still, .. } = *meeting;
        let own = self.place(first, frame, [from, to]);
        let other = still.unwrap_or_else(|| self.place(second, frame, [from, to]));
        let is_periodic = !self.rules.contact().period.is_zero();
        let largest_m = own.largest_coordinate_m().max(other.largest_coordinate_m());
        let noise_m = NOISE * (largest_m + self.way(frame, to).max_abs());
        let reach_m = first.radius_m + second.radius_m + 2.0 * noise_m;
        if !is_periodic && !own.swept.grown(reach_m).overlaps(&other.swept) {
            return false;
        }
        // A class may be a single point: then a small part of the other is the measure.
        let stride_m = STRIDE * own.size_m.max(other.size_m / 64.0);
        let middle = Tick(from.0 + (to.0 - from.0) / 2);
        if own.moved_m.max(other.moved_m) > stride_m && stride_m > 0.0 && middle > from && !is_periodic {
            return self.meet(meeting, [from, middle]) || self.meet(meeting, [middle, to]);
        }
        if still.is_none() {
            meeting.trees.refit(self.rules.contact(), &self.places);
        }
        let mut found = false;
        for id in self.candidates(meeting, reach_m, is_periodic) {
            let Some(pair) = self.pair(id) else { continue };
            let at = |x: &[Vec3]| pair.vertices.map(|v| x[v as usize]);
            let Some(part) = first_contact(&pair, &at(&self.places[0]), &at(&self.places[1]), noise_m) else {
                continue;
            };
            found = true;
            let tick = from.0 as f64 + (to.0 - from.0) as f64 * part;
            let is_first =
                |best: &FirstContact| tick.total_cmp(&best.tick).then(pair.id.cmp(&best.pair.id)).is_lt();
            if self.found.as_ref().is_none_or(is_first) {
                self.found = Some(FirstContact { tick, pair });
            }
        }
        found
    }

    /// Puts the vertices of a class where they are at the ends of a stretch.
    fn place(&mut self, class: &Class, frame: Vec3, ticks: [Tick; 2]) -> Extent {
        let ways = ticks.map(|tick| self.way(frame, tick));
        let stands_still = class.velocity == Some(frame);
        let (mut start, mut end, mut moved_m) = (Bounds::EMPTY, Bounds::EMPTY, 0.0_f64);
        for &v in &class.places {
            let place = |k: usize| self.motion.position(v, ticks[k]) - ways[k];
            let [from, to] =
                if stands_still { [self.motion.position(v, Tick::START); 2] } else { [place(0), place(1)] };
            start = start.joined(&Bounds { min: from, max: from });
            end = end.joined(&Bounds { min: to, max: to });
            moved_m = moved_m.max((to - from).max_abs());
            (self.places[0][v as usize], self.places[1][v as usize]) = (from, to);
        }
        Extent { swept: start.joined(&end), size_m: (start.max - start.min).max_abs(), moved_m }
    }

    /// How far a frame has come since tick 0, in m.
    fn way(&self, frame: Vec3, tick: Tick) -> Vec3 {
        frame * self.motion.quantum().time(tick)
    }

    /// Pairs whose boxes come within `reach_m` of each other; all pairs where there are periodic images.
    fn candidates(&self, meeting: &Meeting, reach_m: f64, all: bool) -> Vec<PairId> {
        let Meeting { first, second, trees, .. } = meeting;
        let contact = self.rules.contact();
        let is_one = core::ptr::eq(*first, *second);
        let everywhere = Bounds { min: Vec3::splat(f64::NEG_INFINITY), max: Vec3::splat(f64::INFINITY) };
        let around = |vertices: &[u32]| {
            if all { everywhere } else { swept(&self.places, vertices).grown(reach_m) }
        };
        let mut ids = Vec::new();
        for &a in &first.vertices {
            let vertex = &contact.vertices[a as usize];
            let near = around(&[vertex.vertex]);
            trees.faces.overlapping(&near, |b| ids.push(PairId { kind: PairKind::VertexFace, a, b }));
            if second.has_rods {
                let is_rod = |b: u32| contact.edges[b as usize].is_bare;
                trees.edges.overlapping(&near, |b| {
                    ids.extend(is_rod(b).then_some(PairId { kind: PairKind::VertexEdge, a, b }));
                });
            }
            if vertex.is_point && second.has_points {
                let is_other = |b: u32| contact.vertices[b as usize].is_point && (!is_one || a < b);
                trees.vertices.overlapping(&near, |b| {
                    let id = PairId { kind: PairKind::VertexVertex, a: a.min(b), b: a.max(b) };
                    ids.extend(is_other(b).then_some(id));
                });
            }
        }
        for &a in &first.edges {
            let edge = &contact.edges[a as usize];
            let near = around(&edge.vertices);
            trees.edges.overlapping(&near, |b| {
                let id = PairId { kind: PairKind::EdgeEdge, a: a.min(b), b: a.max(b) };
                ids.extend((!is_one || a < b).then_some(id));
            });
            if edge.is_bare && !is_one {
                trees
                    .vertices
                    .overlapping(&near, |b| ids.push(PairId { kind: PairKind::VertexEdge, a: b, b: a }));
            }
        }
        for &a in first.faces.iter().filter(|_| !is_one) {
            let near = around(&contact.faces[a as usize].vertices);
            trees
                .vertices
                .overlapping(&near, |b| ids.push(PairId { kind: PairKind::VertexFace, a: b, b: a }));
        }
        ids
    }

    /// The pair with this id; `None` if its primitives share a vertex, or are neighbours along a rod that overlap at rest.
    fn pair(&self, id: PairId) -> Option<Pair> {
        let pair = self.rules.incomplete(id)?;
        let overlaps = pair.radius > 0.0 && self.rules.too_near_at_rest(id) == Some(TooNear::Overlap);
        (!overlaps).then_some(pair)
    }
}

impl Trees {
    fn new(contact: &Contact, class: &Class, places: &[Vec<Vec3>; 2]) -> Self {
        let Class { vertices, edges, faces, .. } = class;
        Self {
            vertices: Bvh::over(vertices.iter().copied(), |v| vertex_bounds(contact, places, v)),
            edges: Bvh::over(edges.iter().copied(), |e| edge_bounds(contact, places, e)),
            faces: Bvh::over(faces.iter().copied(), |f| face_bounds(contact, places, f)),
        }
    }

    fn refit(&mut self, contact: &Contact, places: &[Vec<Vec3>; 2]) {
        self.vertices.refit(|v| vertex_bounds(contact, places, v));
        self.edges.refit(|e| edge_bounds(contact, places, e));
        self.faces.refit(|f| face_bounds(contact, places, f));
    }
}

fn vertex_bounds(contact: &Contact, places: &[Vec<Vec3>; 2], number: u32) -> Bounds {
    swept(places, &[contact.vertices[number as usize].vertex])
}

fn edge_bounds(contact: &Contact, places: &[Vec<Vec3>; 2], number: u32) -> Bounds {
    swept(places, &contact.edges[number as usize].vertices)
}

fn face_bounds(contact: &Contact, places: &[Vec<Vec3>; 2], number: u32) -> Bounds {
    swept(places, &contact.faces[number as usize].vertices)
}

/// The box of some vertices on their straight way from one place to the other.
fn swept(places: &[Vec<Vec3>; 2], vertices: &[u32]) -> Bounds {
    vertices
        .iter()
        .flat_map(|v| places.each_ref().map(|x| x[*v as usize]))
        .fold(Bounds::EMPTY, |all, x| all.joined(&Bounds { min: x, max: x }))
}
