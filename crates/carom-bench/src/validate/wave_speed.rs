//! How fast a pulse travels: string, bar, sheet, solid.
//!
//! | | |
//! | --- | --- |
//! | Setting | a straight body of length `L` along x, made of 40, 80 and 160 elements along it, starts at rest with a Gaussian pulse of standard width 0.05 L about 0.25 L; half of it runs to either side |
//! | Formula | string `√(T/m)`; bar `√(E/ρ)`; sheet in its plane, held across, `√(E/(ρ(1−ν²)))`; solid `√((λ+2μ)/ρ)` along and `√(μ/ρ)` across |
//! | Measured | the time from 0.45 L to 0.75 L, before anything returns from the ends; a pulse passes with the centre of its upper half |
//! | Source | textbook |
//!
//! A lattice of lumped masses slows short waves by the share `(kℓ)²/24`: second order in the edge `ℓ`. Steps by
//! default; they are short enough not to hide that.

use carom_elastic::{Lame, MembraneNeoHookean, ShellMaterial, SolidMaterial, Spring, TetNeoHookean};
use carom_geometry::mesh::{area_normal, signed_volume};
use carom_geometry::{Mesh, shapes};
use carom_math::Vec3;
use carom_model::{Axes, Part, SystemBuilder};

use super::Effort;
use super::recording::{RecordingOptions, owner, record};
use super::report::{Point, Series, Study};
use super::signal::arrival;

const LENGTH: f64 = 1.0;
const YOUNG: f64 = 70e9;
const POISSON: f64 = 0.3;
const DENSITY: f64 = 2700.0;
const AREA: f64 = 1e-4;
const THICKNESS: f64 = 1e-3;
const SOLID: SolidMaterial = SolidMaterial { young: YOUNG, poisson: POISSON };
const SHEET: ShellMaterial = ShellMaterial { young: YOUNG, poisson: POISSON, thickness: THICKNESS };

/// By how much the string is stretched before it is plucked.
const PRE_STRAIN: f64 = 0.01;

/// Height of the pulse: strains stay near 2e-5, where every material is linear.
const AMPLITUDE: f64 = 1e-6 * LENGTH;

const PULSE_AT: f64 = 0.25 * LENGTH;
const PULSE_WIDTH: f64 = 0.05 * LENGTH;
const STATIONS: [f64; 2] = [0.45 * LENGTH, 0.75 * LENGTH];

/// A medium and the wave in it.
struct Wave {
    what: &'static str,
    /// Expected speed, in m/s.
    speed: f64,
    /// Direction of the displacement.
    along: Vec3,
    build: fn(&Wave, u32) -> SystemBuilder,
}

pub fn studies(effort: Effort) -> Vec<Study> {
    let quick = effort == Effort::Quick;
    let elements: &[u32] = if quick { &[40] } else { &[40, 80, 160] };
    let series = |wave: &Wave| Series {
        what: wave.what.into(),
        expected: wave.speed,
        tolerance: Some(if quick { 0.04 } else { 0.02 }),
        order: (!quick).then_some(2.0),
        points: elements
            .iter()
            .map(|&n| Point { mesh: format!("{n} along"), size: 1.0 / f64::from(n), ours: wave.measure(n) })
            .collect(),
    };
    vec![Study {
        title: "Wave speeds",
        setting: "E = 70 GPa, ν = 0.3, ρ = 2700 kg/m³; speeds in m/s. The string is stretched by 1 % and plucked across; the others are made \
                  of the elements named, held so that only the wave's own direction is free. A Gaussian pulse of standard width 0.05 L is let go at rest, and the time \
                  from 0.45 L to 0.75 L is taken, by the centre of its upper half. Steps by default."
            .into(),
        source: "√(T/m), √(E/ρ), √(E/(ρ(1−ν²))), √((λ+2μ)/ρ), √(μ/ρ); textbook",
        size: "edge over length",
        series: waves().iter().map(series).collect(),
    }]
}

fn waves() -> [Wave; 5] {
    let Lame { dilation, shear } = SOLID.lame();
    let tension = YOUNG * AREA * PRE_STRAIN;
    [
        Wave {
            what: "string: springs under tension",
            speed: (tension / (DENSITY * AREA)).sqrt(),
            along: Vec3::Z,
            build: string,
        },
        Wave { what: "bar: rod stretch", speed: (YOUNG / DENSITY).sqrt(), along: Vec3::X, build: bar },
        Wave {
            what: "sheet: neo-Hookean membranes",
            speed: (YOUNG / (DENSITY * (1.0 - POISSON * POISSON))).sqrt(),
            along: Vec3::X,
            build: sheet,
        },
        Wave {
            what: "solid, P wave: neo-Hookean tetrahedra",
            speed: ((dilation + 2.0 * shear) / DENSITY).sqrt(),
            along: Vec3::X,
            build: solid,
        },
        Wave {
            what: "solid, S wave: neo-Hookean tetrahedra",
            speed: (shear / DENSITY).sqrt(),
            along: Vec3::Y,
            build: solid,
        },
    ]
}

impl Wave {
    /// The speed of the pulse in a body of `n` elements along, in m/s.
    fn measure(&self, n: u32) -> f64 {
        let builder = (self.build)(self, n);
        let rest = builder.positions().to_vec();
        let at = |station: f64| -> Vec<u32> {
            (0..).zip(&rest).filter(|(_, p)| (p.x - station).abs() < 1e-6 * LENGTH).map(|(v, _)| v).collect()
        };
        let stations = STATIONS.map(at);
        // The pulse has passed the second station, and nothing has come back yet.
        let options = RecordingOptions::new(0.62 * LENGTH / self.speed, 2000);
        let recording = record(builder, &options, |probed| {
            let mean = |vertices: &Vec<u32>| {
                let moved = |&v: &u32| (probed.position(v) - rest[v as usize]).dot(self.along);
                vertices.iter().map(moved).sum::<f64>() / vertices.len() as f64
            };
            stations.iter().map(mean).collect()
        });
        let [first, second] = [0, 1].map(|i| arrival(&recording.times, &recording.channels[i]));
        (STATIONS[1] - STATIONS[0]) / (second - first)
    }

    /// Adds a vertex of the pulse, free along the wave's displacement only.
    fn vertex(&self, builder: &mut SystemBuilder, position: Vec3, mass: f64) -> u32 {
        let v = builder.vertex(position + self.along * pulse(position.x), Vec3::ZERO, mass);
        let held = |axis: Vec3| self.along.dot(axis) == 0.0;
        builder.pin(v, Axes { x: held(Vec3::X), y: held(Vec3::Y), z: held(Vec3::Z) });
        v
    }
}

/// Displacement at the start, in m.
fn pulse(x: f64) -> f64 {
    let away = (x - PULSE_AT) / PULSE_WIDTH;
    AMPLITUDE * (-0.5 * away * away).exp()
}

fn string(wave: &Wave, n: u32) -> SystemBuilder {
    let edge = LENGTH / f64::from(n);
    let rest_length = edge / (1.0 + PRE_STRAIN);
    let spring = Spring::of_rod(YOUNG, AREA, rest_length);
    chain(wave, n, spring)
}

fn bar(wave: &Wave, n: u32) -> SystemBuilder {
    chain(wave, n, Spring::of_rod(YOUNG, AREA, LENGTH / f64::from(n)))
}

/// Equal springs in a row, with the mass of the bar between the vertices.
fn chain(wave: &Wave, n: u32, spring: Spring) -> SystemBuilder {
    let edge = LENGTH / f64::from(n);
    let mut builder = SystemBuilder::new();
    for i in 0..=n {
        let share = if i == 0 || i == n { 0.5 } else { 1.0 };
        wave.vertex(&mut builder, Vec3::X * (edge * f64::from(i)), share * DENSITY * AREA * edge);
    }
    for i in 0..n {
        builder.add(spring, [i, i + 1], owner(Part::Edge(i)), edge);
    }
    if wave.along == Vec3::Z {
        builder.pin(0, Axes::ALL);
        builder.pin(n, Axes::ALL);
    }
    builder
}

/// Four rows of near-equilateral triangles.
fn sheet(wave: &Wave, n: u32) -> SystemBuilder {
    let edge = LENGTH / f64::from(n);
    let mesh = shapes::grid(LENGTH, 4.0 * 0.75_f64.sqrt() * edge, edge).expect("a strip");
    let mesh = mesh.translated(Vec3::X * (0.5 * LENGTH));
    let areas = mesh.triangles.iter().map(|t| area_normal(mesh.corners(t)).length());
    let masses = lumped(&mesh, mesh.triangles.iter().zip(areas.map(|a| a * THICKNESS)));
    let mut builder = SystemBuilder::new();
    for (&p, &m) in mesh.positions.iter().zip(&masses) {
        wave.vertex(&mut builder, p, m);
    }
    for (i, t) in (0..).zip(&mesh.triangles) {
        let corners = mesh.corners(t);
        let element = MembraneNeoHookean::from_rest(&corners, &SHEET);
        builder.add(element, *t, owner(Part::Face(i)), area_normal(corners).length());
    }
    builder
}

/// Two by two cubes across, each cut in five.
fn solid(wave: &Wave, n: u32) -> SystemBuilder {
    let edge = LENGTH / f64::from(n);
    let size = Vec3::new(LENGTH, 2.0 * edge, 2.0 * edge);
    let mesh = shapes::box_tets(size, [n as usize, 2, 2], shapes::Split::Five).expect("a box");
    let mesh = mesh.translated(Vec3::X * (0.5 * LENGTH));
    let volumes = mesh.tets.iter().map(|t| signed_volume(mesh.corners(t)));
    let masses = lumped(&mesh, mesh.tets.iter().zip(volumes));
    let mut builder = SystemBuilder::new();
    for (&p, &m) in mesh.positions.iter().zip(&masses) {
        wave.vertex(&mut builder, p, m);
    }
    for (i, t) in (0..).zip(&mesh.tets) {
        let corners = mesh.corners(t);
        let element = TetNeoHookean::from_rest(&corners, &SOLID);
        builder.add(element, *t, owner(Part::Cell(i)), signed_volume(corners));
    }
    builder
}

/// The mass of every vertex, in kg: each element shares its volume, in m³, equally among its corners.
fn lumped<'a, const N: usize>(mesh: &Mesh, elements: impl Iterator<Item = (&'a [u32; N], f64)>) -> Vec<f64> {
    let mut masses = vec![0.0; mesh.positions.len()];
    for (corners, volume) in elements {
        for &v in corners {
            masses[v as usize] += DENSITY * volume / N as f64;
        }
    }
    masses
}
