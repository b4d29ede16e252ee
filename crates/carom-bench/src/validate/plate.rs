//! The frequencies of a thin square plate: one side clamped (CFFF), or all simply supported (SSSS).
//!
//! | | |
//! | --- | --- |
//! | Setting | a square of side `a`, thickness `a/100`, `ν = 0.3`: neo-Hookean membranes and mid-edge bending, lumped masses |
//! | Formula | `λ = ω a² √(ρt/D)`, `D = E t³/(12(1 − ν²))` |
//! | Measured | a smooth tap off every axis of symmetry starts it; maxima of the windowed spectrum of several vertices |
//! | Source | Ritz with 14 × 14 Legendre polynomials; SSSS is `π²(m² + n²)` |
//!
//! **The clamp.** Two pinned rows of vertices, a row's height `r` apart. As in `cantilever.rs` the slope vanishes
//! in the *middle* between them, so the free part of the plate starts there and the mesh is `r/2` larger than the plate. With one row only
//! the plate would rotate about it.
//!
//! **The free borders.** A border triangle has no neighbour across the border. Counting the edge as unbent
//! ([`Border::Unbent`]) forces a moment onto an edge that has none: the error is that of a strip one triangle wide, of first
//! order in the edge, and largest where the plate twists or bends along the border. The edge without moment ([`Border::Free`], the
//! curvature of least energy) is of second order.

use core::f64::consts::TAU;

use carom_elastic::{BendingMidedge, MembraneNeoHookean, ShellMaterial};
use carom_geometry::mesh::area_normal;
use carom_geometry::{Mesh, Topology, shapes};
use carom_math::Vec3;
use carom_model::{Axes, Part, SystemBuilder};

use super::Effort;
use super::recording::{RecordingOptions, owner, record};
use super::report::{Point, Series, Study};
use super::signal::Spectrum;

const SIDE: f64 = 1.0;
const DENSITY: f64 = 2700.0;
const MATERIAL: ShellMaterial = ShellMaterial { young: 70e9, poisson: 0.3, thickness: 0.01 * SIDE };

const CFFF: [f64; 6] = [3.4711, 8.5067, 21.285, 27.1989, 30.9563, 54.1872];
/// The second and the fourth are double.
const SSSS: [f64; 4] = [19.7392, 49.348, 78.9568, 98.696];

/// Height of a row of equilateral triangles over its edge.
const ROW: f64 = 0.866_025_403_784_438_6;

/// Speed of the tap times the slowest period, over the thickness: far below where stretching stiffens the plate.
const TAP: f64 = 1e-3;
/// Position of the tap: all modes to be measured have a large amplitude there.
const TAP_AT: [f64; 2] = [0.37, 0.32];
const TAP_WIDTH: f64 = 0.12;

/// Modes 4 and 5 are then eight bins of the spectrum apart.
const PERIODS: f64 = 7.0;

/// Safety factor, twice the default: the membrane sets the step, while the measured frequencies are a thousand times lower.
const SAFETY: f64 = 0.6;

/// Positions of the recorded vertices, in fractions of the side from the clamped corner.
const PROBES: [[f64; 2]; 5] = [[1.0, 1.0], [0.0, 1.0], [0.52, 0.97], [0.95, 0.55], [0.3, 0.6]];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    /// The lower side is clamped.
    Cantilever,
    /// All sides are held and may rotate.
    Support,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pattern {
    /// Rows of near-equilateral triangles along the clamp.
    Rows,
    /// Squares cut along one diagonal.
    Diagonal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Border {
    /// The edge counts as unbent, as an element is without further ado.
    Unbent,
    /// The edge carries no moment.
    Free,
}

/// A plate to be tapped.
#[derive(Clone, Copy, Debug)]
struct Plate {
    hold: Hold,
    pattern: Pattern,
    border: Border,
    /// Edges along a side.
    edges: u32,
}

pub fn studies(effort: Effort) -> Vec<Study> {
    let quick = effort == Effort::Quick;
    let meshes = |coarse: u32, all: &[u32]| if quick { vec![coarse] } else { all.to_vec() };
    let free = Plate { hold: Hold::Cantilever, pattern: Pattern::Rows, border: Border::Free, edges: 0 };
    let unbent = Plate { border: Border::Unbent, ..free };
    let diagonal = Plate { pattern: Pattern::Diagonal, ..unbent };
    let support = Plate { hold: Hold::Support, ..free };
    let judged = |full: f64| Some(if quick { 0.04 } else { full });
    let mut studies = vec![Study {
        title: "Clamped square plate (CFFF), free borders",
        setting: setting("near-equilateral triangles in rows along the clamp; border edges carry no moment"),
        source: SOURCE,
        size: "edge over side",
        series: series(free, &meshes(10, &[10, 14, 20, 28]), judged(0.01)),
    }];
    if !quick {
        studies.push(Study {
            title: "Clamped square plate (CFFF), borders counted as unbent",
            setting: setting("the same meshes, but an edge without a neighbour counts as unbent"),
            source: SOURCE,
            size: "edge over side",
            series: series(unbent, &[10, 14, 20], None),
        });
        studies.push(Study {
            title: "Clamped square plate (CFFF), borders counted as unbent, squares cut along one diagonal",
            setting: setting(
                "squares cut along one diagonal; an edge without a neighbour counts as unbent; it takes 40 of them a side to come within 1 %",
            ),
            source: SOURCE,
            size: "edge over side",
            series: series(diagonal, &[10, 20], None),
        });
    }
    studies.push(Study {
        title: "Simply supported square plate (SSSS)",
        setting: setting("near-equilateral triangles, free borders, all vertices of the sides pinned"),
        source: "π²(m² + n²), re-computed by the same Ritz program; the second and fourth are double",
        size: "edge over side",
        series: series(support, &meshes(14, &[14, 20, 28]), judged(0.01)),
    });
    studies
}

const SOURCE: &str =
    "Ritz, converged (the published values of Leissa and Barton are upper bounds, 0.2 to 0.6 % above)";

fn setting(what: &str) -> String {
    format!(
        "t/a = 0.01, ν = 0.3; neo-Hookean membranes and mid-edge bending; {what}. A smooth tap, {PERIODS} periods of the slowest mode, \
         five probes, maxima of the Blackman–Harris spectrum. Safety {SAFETY}. λ = ω a² √(ρt/D)."
    )
}

fn series(plate: Plate, edges: &[u32], tolerance: Option<f64>) -> Vec<Series> {
    let measured: Vec<Vec<f64>> = edges.iter().map(|&n| Plate { edges: n, ..plate }.frequencies()).collect();
    let point = |mode: usize, i: usize| Point {
        mesh: format!("a/edge = {}", edges[i]),
        size: 1.0 / f64::from(edges[i]),
        ours: measured[i].get(mode).copied().unwrap_or(f64::NAN),
    };
    let of_mode = |(mode, &expected): (usize, &f64)| Series {
        what: format!("λ{}", mode + 1),
        expected,
        tolerance,
        order: None,
        points: (0..edges.len()).map(|i| point(mode, i)).collect(),
    };
    plate.hold.expected().iter().enumerate().map(of_mode).collect()
}

impl Hold {
    fn expected(self) -> &'static [f64] {
        match self {
            Self::Cantilever => &CFFF,
            Self::Support => &SSSS,
        }
    }
}

impl Plate {
    /// The frequencies `λ`, from low to high.
    fn frequencies(self) -> Vec<f64> {
        let expected = self.hold.expected();
        let unit = (MATERIAL.bending_rigidity() / (DENSITY * MATERIAL.thickness)).sqrt() / (SIDE * SIDE);
        let slowest = TAU / (expected[0] * unit);
        let mesh = self.mesh();
        let vertex_at = |[x, y]: [f64; 2]| nearest(&mesh, Vec3::new(x, y, 0.0) * SIDE);
        let probes = PROBES.map(vertex_at);
        let options = RecordingOptions { safety: SAFETY, ..RecordingOptions::new(PERIODS * slowest, 3600) };
        let recording = record(self.build(&mesh, TAP * MATERIAL.thickness / slowest), &options, |probed| {
            probes.iter().map(|&v| probed.position(v).z).collect()
        });
        let spectrum = Spectrum::new(&recording.times, &recording.channels);
        let highest = 1.2 * expected[expected.len() - 1] * unit;
        spectrum.peaks(highest, 1e-6).into_iter().map(|omega| omega / unit).collect()
    }

    /// The square from (0, 0) to (a, a), with half a row of the clamp below it.
    fn mesh(self) -> Mesh {
        let edge = SIDE / f64::from(self.edges);
        let cells = [self.edges as usize; 2];
        let beyond = if self.hold == Hold::Cantilever { 0.5 } else { 0.0 };
        let mesh = match self.pattern {
            Pattern::Rows => shapes::grid(SIDE, SIDE + beyond * ROW * edge, edge),
            Pattern::Diagonal => shapes::grid_right(SIDE, SIDE, cells),
        };
        let mesh = mesh.expect("a square");
        // Whatever the number of rows, their height is made to fit.
        let rows = row_of(&mesh, mesh.positions.len() - 1);
        let height = SIDE / (f64::from(rows) - beyond);
        let heights: Vec<f64> =
            (0..mesh.positions.len()).map(|v| height * (f64::from(row_of(&mesh, v)) - beyond)).collect();
        let mut mesh = mesh;
        for (p, y) in mesh.positions.iter_mut().zip(heights) {
            *p = Vec3::new(p.x + 0.5 * SIDE, y, 0.0);
        }
        mesh
    }

    /// The plate, hit at `speed` in m/s.
    fn build(self, mesh: &Mesh, speed: f64) -> SystemBuilder {
        let topology = Topology::new(&mesh.triangles).expect("a surface");
        let mut builder = SystemBuilder::new();
        for &p in &mesh.positions {
            let away = (p - Vec3::new(TAP_AT[0], TAP_AT[1], 0.0) * SIDE) * (1.0 / (TAP_WIDTH * SIDE));
            builder.vertex(p, Vec3::Z * (speed * (-0.5 * away.length_sq()).exp()), 0.0);
        }
        for (i, &corners) in mesh.triangles.iter().enumerate() {
            let shape = mesh.corners(&corners);
            let area = area_normal(shape).length();
            for v in corners {
                builder.add_mass(v, DENSITY * MATERIAL.thickness * area / 3.0);
            }
            let face = owner(Part::Face(i as u32));
            builder.add(MembraneNeoHookean::from_rest(&shape, &MATERIAL), corners, face, area);
            let across = topology.neighbours[i].map(|n| n.map(|n| n.opposite));
            let stencil = BendingMidedge::stencil(corners, across);
            let rest = stencil.map(|v| mesh.positions[v as usize]);
            let bending = BendingMidedge::from_rest(&rest, across.map(|a| a.is_some()), &MATERIAL);
            let bending = match self.border {
                Border::Unbent => bending,
                Border::Free => bending.with_free_borders(),
            };
            builder.add(bending, stencil, face, area);
        }
        for v in self.held(mesh, &topology) {
            builder.pin(v, Axes::ALL);
        }
        builder
    }

    fn held(self, mesh: &Mesh, topology: &Topology) -> Vec<u32> {
        match self.hold {
            Hold::Cantilever => {
                (0..mesh.positions.len()).filter(|&v| row_of(mesh, v) < 2).map(|v| v as u32).collect()
            }
            Hold::Support => topology.boundary_vertices.clone(),
        }
    }
}

/// The row of vertex `v`, counted from the lowest. Rows are numbered upward, each at one height.
fn row_of(mesh: &Mesh, v: usize) -> u32 {
    mesh.positions[..=v].windows(2).filter(|p| p[1].y > p[0].y).count() as u32
}

fn nearest(mesh: &Mesh, to: Vec3) -> u32 {
    let distance_sq = |v: &u32| (mesh.positions[*v as usize] - to).length_sq();
    (0..mesh.positions.len() as u32)
        .min_by(|a, b| distance_sq(a).total_cmp(&distance_sq(b)))
        .expect("a mesh has vertices")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLATE: Plate =
        Plate { hold: Hold::Cantilever, pattern: Pattern::Rows, border: Border::Free, edges: 10 };

    #[test]
    fn the_clamp_lies_in_the_middle_between_the_two_pinned_rows() {
        for pattern in [Pattern::Rows, Pattern::Diagonal] {
            let plate = Plate { pattern, ..PLATE };
            let mesh = plate.mesh();
            let held = plate.held(&mesh, &Topology::new(&mesh.triangles).unwrap());
            let heights: Vec<f64> = held.iter().map(|&v| mesh.positions[v as usize].y).collect();
            let [low, high] = [heights[0], heights[heights.len() - 1]];
            assert!(low < 0.0 && (low + high).abs() < 1e-15, "{low} {high}");
            assert_eq!(mesh.bounding_box().unwrap()[1], Vec3::new(SIDE, SIDE, 0.0));
        }
    }

    #[test]
    fn the_plate_weighs_what_its_volume_says() {
        let plate = Plate { hold: Hold::Support, ..PLATE };
        let mass: f64 = plate.build(&plate.mesh(), 0.0).masses().iter().sum();
        assert!((mass / (DENSITY * MATERIAL.thickness * SIDE * SIDE) - 1.0).abs() < 1e-12);
    }
}
