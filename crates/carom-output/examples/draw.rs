//! Draws an energy plot and three pictures from made-up numbers.
//!
//!     cargo run -p carom-output --example draw -- FOLDER

use std::f64::consts::{PI, TAU};
use std::path::PathBuf;
use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{Frame, Topology};
use carom_output::picture::{self, ColourBy, Palette, Style, View};
use carom_output::plot::{self, Scale};
use carom_output::{Ledger, LedgerRow};
use carom_time::Tick;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "target/draw".into()));
    std::fs::create_dir_all(&folder)?;
    let save = |name: &str, svg: String| std::fs::write(folder.join(name), svg);
    save("energy.svg", plot::energy("drum: a free shell of three element sizes", &ledger()).to_svg())?;

    let frame = drum();
    let heights: Vec<f64> = frame.positions.iter().map(|p| p.z * 1e3).collect();
    let by_height = Style {
        title: "drum",
        colour_by: ColourBy::Vertices(&heights),
        label: "displacement, mm",
        palette: Palette::Diverging,
        view: View { azimuth_deg: -65.0, elevation_deg: 38.0 },
        ..Style::default()
    };
    save("drum-displacement.svg", picture::draw(&frame, &by_height))?;
    let steps = steps(&frame);
    let by_step = Style {
        title: "drum",
        colour_by: ColourBy::Cells(&steps),
        label: "step, s",
        scale: Scale::Log,
        palette: Palette::Sequential,
        ..by_height
    };
    save("drum-steps.svg", picture::draw(&frame, &by_step))?;
    let by_body = Style {
        title: "solid, rod and grains",
        colour_by: ColourBy::Body,
        point_radius_m: Some(0.05),
        ..Style::default()
    };
    save("mixed.svg", picture::draw(&mixed(), &by_body))
}

/// A block of tetrahedra, a coiled rod around it and grains beside it.
fn mixed() -> Frame {
    let mut topology = Topology::default();
    let mut positions = Vec::new();
    let cells = 3_u32;
    let at = |i: u32, j: u32, k: u32| (i * (cells + 1) + j) * (cells + 1) + k;
    let grid = |n: u32| (0..n).flat_map(move |i| (0..n).flat_map(move |j| (0..n).map(move |k| (i, j, k))));
    for (i, j, k) in grid(cells + 1) {
        positions.push(Vec3::new(f64::from(i), f64::from(j), f64::from(k)) * 0.1);
        topology.vertex_body.push(0);
    }
    for (i, j, k) in grid(cells) {
        // Six tetrahedra around the diagonal of each cube: one for each order of the axes.
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut corner = [i, j, k];
            let walk = order.map(|axis: usize| {
                corner[axis] += 1;
                at(corner[0], corner[1], corner[2])
            });
            topology.tets.push([at(i, j, k), walk[0], walk[1], walk[2]]);
        }
    }
    for i in 0..160_u32 {
        let (angle, v) = (f64::from(i) * 0.12, positions.len() as u32);
        positions.push(Vec3::new(0.15 + 0.3 * angle.cos(), 0.15 + 0.3 * angle.sin(), 0.002 * f64::from(i)));
        topology.vertex_body.push(1);
        if i > 0 {
            topology.edges.push([v - 1, v]);
        }
    }
    for i in 0..9_u32 {
        topology.points.push(positions.len() as u32);
        positions.push(Vec3::new(0.6 + 0.11 * f64::from(i % 3), 0.1 + 0.11 * f64::from(i / 3), 0.05));
        topology.vertex_body.push(2);
    }
    Frame {
        tick: Tick(0),
        time_s: 0.0,
        velocities: vec![Vec3::ZERO; positions.len()],
        positions,
        topology: Arc::new(topology),
        ghosts: carom_model::GhostFrame::default(),
        vertex_fields: Vec::new(),
        cell_fields: Vec::new(),
    }
}

/// A disc whose rings of triangles become finer towards a spot near the rim.
fn drum() -> Frame {
    const RINGS: u32 = 26;
    const SECTORS: u32 = 72;
    let radius = |ring: u32| 0.15 * (f64::from(ring) / f64::from(RINGS)).powf(0.62);
    let mut positions = vec![Vec3::ZERO];
    for ring in 1..=RINGS {
        for sector in 0..SECTORS {
            let angle = TAU * (f64::from(sector) + 0.5 * f64::from(ring % 2)) / f64::from(SECTORS);
            positions.push(Vec3::new(radius(ring) * angle.cos(), radius(ring) * angle.sin(), 0.0));
        }
    }
    for p in &mut positions {
        let (r, angle) = (p.length() / 0.15, p.y.atan2(p.x));
        p.z = 0.016 * (1.5 * PI * r).sin() * (2.0 * angle + 0.4).cos() * r
            + 0.008 * (2.5 * PI * r).cos() * (1.0 - r);
    }
    let at = |ring: u32, sector: u32| if ring == 0 { 0 } else { 1 + (ring - 1) * SECTORS + sector % SECTORS };
    let mut triangles = Vec::new();
    for (ring, s) in (0..RINGS).flat_map(|ring| (0..SECTORS).map(move |s| (ring, s))) {
        let (a, b, c, d) = (at(ring, s), at(ring, s + 1), at(ring + 1, s), at(ring + 1, s + 1));
        match ring {
            0 => triangles.push([a, c, d]),
            _ if ring % 2 == 0 => triangles.extend([[a, c, b], [c, d, b]]),
            _ => triangles.extend([[a, c, d], [a, d, b]]),
        }
    }
    let vertex_body = vec![0; positions.len()];
    Frame {
        tick: Tick(0),
        time_s: 0.0,
        velocities: vec![Vec3::ZERO; positions.len()],
        positions,
        topology: Arc::new(Topology { triangles, vertex_body, ..Topology::default() }),
        ghosts: carom_model::GhostFrame::default(),
        vertex_fields: Vec::new(),
        cell_fields: Vec::new(),
    }
}

/// A step for each triangle that falls with its size, rounded down to powers of two.
fn steps(frame: &Frame) -> Vec<f64> {
    let step = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| frame.positions[v as usize]);
        let area = (b - a).cross(c - a).length() / 2.0;
        let longest = (b - a).length().max((c - b).length()).max((a - c).length());
        1e-7 * (2.0 * area / longest / 2e-3 * 16.0).log2().floor().exp2()
    };
    frame.topology.triangles.iter().map(step).collect()
}

/// A ledger of two kinds of potential with a small wobble and a smaller drift.
fn ledger() -> Ledger {
    let row = |i: u64| {
        let t = i as f64 * 5e-6;
        let kinetic = 0.5 + 0.35 * (900.0 * t).cos() + 0.1 * (2310.0 * t).sin();
        let bending = 0.3 * (1.0 - kinetic) * (1.0 + 0.3 * (500.0 * t).sin());
        let wobble = 1.3e-5 * ((41_000.0 * t).sin() + 0.4 * (9_700.0 * t).sin()) + 2e-5 * t;
        LedgerRow {
            tick: i << 20,
            time_s: t,
            kinetic_j: kinetic,
            potentials_j: vec![1.0 - kinetic - bending + wobble, bending],
            ..LedgerRow::default()
        }
    };
    Ledger { kinds: vec!["membrane".into(), "mid-edge bending".into()], rows: (0..10_000).map(row).collect() }
}
