//! What all frames of a film have in common: how far things reach, and between which numbers.

use std::collections::BTreeMap;

use carom_math::Vec3;
use carom_model::{ColourBy, Frame};

use super::BodyStyle;
use super::camera::{around, each};
use super::colour;

/// Number of directions in which the farthest point is kept: enough to approximate the convex hull of everything.
const DIRECTIONS: usize = 64;

/// An obstacle more than this many times as large as all that moves need not be in view as a whole.
const LARGE: f64 = 1.5;

/// How far beyond what moves a large obstacle is in view, as a fraction of the size of what moves.
const SURROUNDINGS: f64 = 0.3;

/// The farthest of many balls in every direction.
#[derive(Clone, Debug)]
struct Extent {
    directions: Vec<Vec3>,
    farthest: Vec<Option<(f64, (Vec3, f64))>>,
}

impl Extent {
    fn new() -> Self {
        const TURN: f64 = 2.399_963_229_728_653;
        let direction = |i: usize| {
            let z = 1.0 - (2.0 * i as f64 + 1.0) / DIRECTIONS as f64;
            let (sin, cos) = (i as f64 * TURN).sin_cos();
            Vec3::new(cos * (1.0 - z * z).sqrt(), sin * (1.0 - z * z).sqrt(), z)
        };
        let mut directions: Vec<Vec3> = (0..DIRECTIONS).map(direction).collect();
        directions.extend([Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z]);
        Self { farthest: vec![None; directions.len()], directions }
    }

    fn add(&mut self, centre: Vec3, radius: f64) {
        for (direction, farthest) in self.directions.iter().zip(&mut self.farthest) {
            let far = direction.dot(centre) + radius;
            if farthest.is_none_or(|known| far > known.0) {
                *farthest = Some((far, (centre, radius)));
            }
        }
    }

    fn balls(&self) -> Vec<(Vec3, f64)> {
        self.farthest.iter().flatten().map(|farthest| farthest.1).collect()
    }
}

/// What all frames of a film have in common.
#[derive(Clone, Debug)]
pub struct Survey {
    looks: Vec<BodyStyle>,
    by: ColourBy,
    movers: Extent,
    /// Extent of each obstacle, by the number of its body.
    obstacles: BTreeMap<usize, Extent>,
    /// The smallest positive number, and the largest.
    numbers: (f64, f64),
    /// Whether there are numbers of points, edges, triangles and tetrahedra.
    kinds: [bool; 4],
}

impl Survey {
    /// An empty survey of these bodies, to be coloured `by` a quantity.
    #[must_use]
    pub fn new(looks: &[BodyStyle], by: ColourBy) -> Self {
        Self {
            looks: looks.to_vec(),
            by,
            movers: Extent::new(),
            obstacles: BTreeMap::new(),
            numbers: (f64::INFINITY, 0.0),
            kinds: [false; 4],
        }
    }

    /// Adds a frame.
    pub fn see(&mut self, frame: &Frame) {
        let topology = &frame.topology;
        let radii = frame.vertex_field("radius_m");
        let mut is_known = vec![false; frame.positions.len()];
        for (cell, stencil) in topology.stencils().enumerate() {
            let body = topology.vertex_body[stencil[0] as usize] as usize;
            let look = self.looks.get(body);
            if look.is_some_and(|look| look.hidden) {
                continue;
            }
            let is_obstacle = look.is_some_and(|look| look.obstacle);
            let tube_radius = look.and_then(|look| look.tube_radius_m);
            self.kinds[stencil.len() - 1] |= !is_obstacle;
            for &v in stencil {
                let p = frame.positions[v as usize];
                if !is_obstacle {
                    let number = colour::number(self.by, frame, v, cell);
                    if number > 0.0 && number.is_finite() {
                        self.numbers = (self.numbers.0.min(number), self.numbers.1.max(number));
                    }
                }
                if is_known[v as usize] || !p.is_finite() {
                    continue;
                }
                is_known[v as usize] = true;
                let radius = match stencil.len() {
                    1 => radii.map_or(0.0, |radii| radii[v as usize]),
                    2 => tube_radius.unwrap_or(0.0),
                    _ => 0.0,
                };
                let reach = if is_obstacle {
                    self.obstacles.entry(body).or_insert_with(Extent::new)
                } else {
                    &mut self.movers
                };
                reach.add(p, radius);
            }
        }
    }

    /// Balls around all that moves, and around obstacles as far as they are near it.
    pub(super) fn balls(&self) -> Vec<(Vec3, f64)> {
        let mut balls = self.movers.balls();
        if balls.is_empty() {
            return self.obstacles.values().flat_map(Extent::balls).collect();
        }
        let radius = around(&balls).1;
        let (mut low, mut high) = (Vec3::splat(f64::INFINITY), Vec3::splat(f64::NEG_INFINITY));
        for (p, r) in &balls {
            low = each(low, *p - Vec3::splat(*r), f64::min);
            high = each(high, *p + Vec3::splat(*r), f64::max);
        }
        let beside = Vec3::splat(SURROUNDINGS * 2.0 * radius);
        let (low, high) = (low - beside, high + beside);
        let near = |(p, r): (Vec3, f64)| (each(each(p, low, f64::max), high, f64::min), r);
        for obstacle in self.obstacles.values().map(Extent::balls) {
            let is_large = around(&obstacle).1 > LARGE * radius;
            balls.extend(obstacle.into_iter().map(|ball| if is_large { near(ball) } else { ball }));
        }
        balls
    }

    /// Range of the colours, if they mean numbers: from zero, or the smallest number, to the largest.
    pub(super) fn range(&self, from_zero: bool) -> (f64, f64) {
        /// Of numbers that differ by factors, this many decades below the largest are shown.
        const DEEPEST: f64 = 1e-4;
        let (least, most) = self.numbers;
        match self.by {
            _ if least > most => (0.0, 1.0),
            ColourBy::Clock => (least, most),
            _ if from_zero => (0.0, most),
            _ => (least.max(DEEPEST * most), most),
        }
    }

    /// Label of the numbers, with their unit.
    pub(super) fn label(&self) -> String {
        match self.by {
            ColourBy::Body => String::new(),
            ColourBy::Speed => "speed in m/s".to_owned(),
            ColourBy::Clock => "step in s".to_owned(),
            ColourBy::Energy => {
                let units = ["J", "J/m", "J/m²", "J/m³"];
                let used: Vec<&str> = units
                    .into_iter()
                    .zip(self.kinds)
                    .filter(|(_, used)| *used)
                    .map(|(unit, _)| unit)
                    .collect();
                format!("energy density in {}", used.join(" or "))
            }
        }
    }
}
