//! Two equal bars meet head on: they stay together while a pressure wave goes to their ends and back.
//!
//! | | |
//! | --- | --- |
//! | Setting | L = 10, section 1 × 1, E = 1, ν = 0, ρ = 1, neo-Hookean tetrahedra, velocities ±v, gap 1.01 `η₁` at the start |
//! | Formula | contact lasts `2L/c`, `c = √(E/ρ)`; velocities are exchanged; at `L/c` after the first contact all energy is strain energy |
//! | Measured | contact: from the first to the last push; velocities: means over a bar; energies: of a reading |
//! | Source | [Cirak2005, §5.1]; exact for a linear bar |
//!
//! The source takes v = 0.1 c with linear elements. Ours are not linear: at 10 % strain the wave in a neo-Hookean bar is another.
//! v = 0.002 c makes the same problem with strains of 0.2 %, and `η₁` shrinks with the closing.

use carom_contact::ContactOptions;
use carom_elastic::SolidMaterial;
use carom_geometry::shapes;
use carom_math::Vec3;
use carom_model::ClockOptions;

use super::Effort;
use super::report::{Point, Series, Study};
use super::stage::{Make, Stage, Thing};

const LENGTH: f64 = 10.0;
const SPEED: f64 = 0.002;
/// The bars close by v L/c = 0.02: the layers take a hundredth of that.
const THICKNESS: f64 = 2e-4;
/// With the default of 0.3 and 40 cells along, the bars close by `η₁` between two kicks of their own, and the energy strays by 1 %.
const SAFETY: f64 = 0.1;
const SAMPLES: u64 = 2600;
const END: f64 = 26.0;

/// What one impact showed.
struct Impact {
    duration: f64,
    /// Velocity of the bar that came from the left, after.
    after: f64,
    /// Share of strain and contact energy in the middle of the contact.
    strain: f64,
    /// Largest total energy over that at the start, and smallest.
    energy: [f64; 2],
}

pub fn studies(effort: Effort) -> Vec<Study> {
    let cells: &[usize] = if effort == Effort::Quick { &[40] } else { &[50, 100, 200] };
    let [duration, after, strain, energy] =
        if effort == Effort::Quick { [0.03, 0.03, 0.03, 1e-3] } else { [0.02, 0.01, 0.02, 1e-4] };
    let impacts: Vec<Impact> = cells.iter().map(|&n| impact(n)).collect();
    let series = |what: &str, expected: f64, tolerance: f64, read: fn(&Impact) -> f64| Series {
        what: what.into(),
        expected,
        tolerance: Some(tolerance),
        order: None,
        points: cells
            .iter()
            .zip(&impacts)
            .map(|(&n, impact)| Point {
                mesh: format!("{n} cells along"),
                size: 1.0 / n as f64,
                ours: read(impact),
            })
            .collect(),
    };
    vec![Study {
        title: "Impact of two bars",
        setting: format!(
            "L = 10 m, 1 m × 1 m, E = 1 Pa, ν = 0, ρ = 1 kg/m³, two by two cells across, each of six neo-Hookean tetrahedra; ±{SPEED} m/s, \
             η₁ = {THICKNESS:e} m, gap 1.01 η₁. Contact by default, safety {SAFETY}. Strain energy counts what the layers hold."
        ),
        source: "one-dimensional waves: together for 2L/c, velocities exchanged, all strain in the middle [Cirak2005, §5.1]",
        series: vec![
            series("time in contact, s", 2.0 * LENGTH, duration, |i| i.duration),
            series("velocity after, over v", 1.0, after, |i| i.after / SPEED),
            series("share of strain energy at L/c", 1.0, strain, |i| i.strain),
            series("largest total energy over the first", 1.0, energy, |i| i.energy[1]),
            series("smallest total energy over the first", 1.0, energy, |i| i.energy[0]),
        ],
    }]
}

fn impact(cells: usize) -> Impact {
    let size = Vec3::new(LENGTH, 1.0, 1.0);
    let bar = shapes::box_tets(size, [cells, 2, 2], shapes::Split::Six).expect("a box");
    let material = SolidMaterial { young: 1.0, poisson: 0.0 };
    let thing = |side: f64| Thing {
        mesh: bar.translated(Vec3::X * (side * (0.5 * LENGTH + 0.505 * THICKNESS))),
        make: Make::Solid(material, 1.0),
        velocity: Vec3::X * (-side * SPEED),
        thickness: THICKNESS,
    };
    let things = [thing(-1.0), thing(1.0)];
    let clocks = ClockOptions { safety: SAFETY, ..ClockOptions::default() };
    let stage = Stage::new(&things, Vec3::ZERO, &ContactOptions::default(), &clocks);
    let (mut pushed, mut readings) = (Vec::new(), Vec::new());
    stage.run(END, SAMPLES, |reading| {
        let contact = *reading.potential_j.last().expect("contact is the last kind");
        if contact > 0.0 {
            pushed.push(reading.time_s);
        }
        let after = -stage.velocity(0, reading).x;
        readings.push((reading.time_s, reading.kinetic_j, reading.total_j(), after));
    });
    let (begin, end) = (pushed[0], pushed[pushed.len() - 1]);
    let middle = readings.iter().find(|r| r.0 >= begin + LENGTH).expect("it lasts");
    let start = readings[0].2;
    Impact {
        duration: end - begin,
        after: readings[readings.len() - 1].3,
        strain: 1.0 - middle.1 / middle.2,
        energy: [
            readings.iter().map(|r| r.2 / start).fold(f64::INFINITY, f64::min),
            readings.iter().map(|r| r.2 / start).fold(0.0, f64::max),
        ],
    }
}
