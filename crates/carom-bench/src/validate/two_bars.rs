//! Two equal bars meet head on: they stay together while a pressure wave goes to their ends and back.
//!
//! | | |
//! | --- | --- |
//! | Setting | steel-like bars, L = 0.3 m, c = 5000 m/s, one at rest, the other at 2 m/s; and, of L = 10, E = 1, ρ = 1, velocities ±v; gap 1.01 `η₁` at the start |
//! | Formula | contact lasts `2L/c`, `c = √(E/ρ)`; velocities are exchanged; at `L/c` after the first contact all energy that is not of the common motion is strain energy |
//! | Measured | contact: from the first to the last reading with energy in the layers; velocities: means over a bar; energies: of a reading |
//! | Source | the wave equation: exact for a linear bar; [Goldsmith1960, ch. 3] |
//!
//! The usual benchmark takes v = 0.1 c and linear elements. Chains of linear springs are linear at any strain, and run just that.
//! Tetrahedra are not: at v = 0.1 c neo-Hookean ones of 200 cells left with 98.2 % of v and held 95.9 % of the energy as strain.
//! They run with v = 0.002 c, and `η₁` shrinks with the closing.

use carom_contact::ContactOptions;
use carom_elastic::SolidMaterial;
use carom_geometry::{Mesh, shapes};
use carom_math::Vec3;
use carom_model::ClockOptions;

use super::Effort;
use super::contact_problem::{BodyMaterial, ContactProblem, ProblemBody};
use super::report::{Point, Series, Study};

/// With the default of 0.3 tetrahedra of 40 cells close by `η₁` between two kicks of their own, and the energy strays by 1 %.
const SAFETY: f64 = 0.1;
const SAMPLES: u64 = 2600;

/// End of a run, in durations of contact.
const END: f64 = 1.3;

/// Two bars.
struct Bars {
    title: &'static str,
    made: &'static str,
    material: BodyMaterial,
    /// Length of a bar, in m.
    length: f64,
    /// Wave speed, in m/s.
    wave_speed: f64,
    /// Velocities of the left and the right bar, in m/s.
    velocities: [f64; 2],
}

/// Results of one impact.
struct Impact {
    /// Time in contact over 2L/c.
    duration: f64,
    /// Velocity at which the bars part over that at which they met.
    restitution: f64,
    /// Share of strain and contact energy in the middle of the contact, of what is not of the common motion.
    strain: f64,
    /// Smallest and largest total energy over that at the start.
    energy: [f64; 2],
}

fn steel() -> Bars {
    Bars {
        title: "Impact of two bars of steel, one at rest",
        made: "1 cm² of E = 200 GPa and ρ = 8000 kg/m³, chains of linear springs",
        material: BodyMaterial::Rod(2e7, 0.8),
        length: 0.3,
        wave_speed: 5000.0,
        velocities: [2.0, 0.0],
    }
}

fn springs() -> Bars {
    Bars {
        title: "Impact of two bars of springs",
        made: "1 m × 1 m, E = 1 Pa, ν = 0, ρ = 1 kg/m³, chains of linear springs",
        material: BodyMaterial::Rod(1.0, 1.0),
        length: 10.0,
        wave_speed: 1.0,
        velocities: [0.1, -0.1],
    }
}

fn tetrahedra() -> Bars {
    Bars {
        title: "Impact of two bars of tetrahedra",
        made: "1 m × 1 m, E = 1 Pa, ν = 0, ρ = 1 kg/m³, two by two cells across, each of six neo-Hookean tetrahedra",
        material: BodyMaterial::Solid(SolidMaterial { young: 1.0, poisson: 0.0 }, 1.0),
        length: 10.0,
        wave_speed: 1.0,
        velocities: [0.002, -0.002],
    }
}

pub fn studies(effort: Effort) -> Vec<Study> {
    let quick = effort == Effort::Quick;
    let rods: &[usize] = if quick { &[100] } else { &[100, 200, 400] };
    let solids: &[usize] = if quick { &[40] } else { &[50, 100, 200] };
    vec![steel().study(rods, quick), springs().study(rods, quick), tetrahedra().study(solids, quick)]
}

impl Bars {
    fn study(&self, cells: &[usize], quick: bool) -> Study {
        let [duration, velocity, strain, energy] =
            if quick { [0.03, 0.03, 0.03, 1e-3] } else { [0.02, 0.01, 0.02, 1e-3] };
        let impacts: Vec<Impact> = cells.iter().map(|&n| self.impact(n)).collect();
        let series = |what: &str, tolerance: f64, read: fn(&Impact) -> f64| Series {
            what: what.into(),
            expected: 1.0,
            tolerance: Some(tolerance),
            order: None,
            points: cells
                .iter()
                .zip(&impacts)
                .map(|(&n, impact)| Point {
                    mesh: format!("{n} along"),
                    size: 1.0 / n as f64,
                    ours: read(impact),
                })
                .collect(),
        };
        let Self { title, made, length, velocities: [left, right], .. } = self;
        let thickness = self.thickness();
        Study {
            title,
            setting: format!(
                "L = {length} m, {made}; {left} and {right} m/s, η₁ = {thickness} m, gap 1.01 η₁. Contact by default, safety {SAFETY}. Strain energy \
                 counts what the layers hold."
            ),
            source: "one-dimensional waves: together for 2L/c, velocities exchanged, all strain in the middle; Saint-Venant, Goldsmith",
            size: "edge over length",
            series: vec![
                series("time in contact, over 2L/c", duration, |i| i.duration),
                series("velocity of parting over that of meeting", velocity, |i| i.restitution),
                series("share of strain energy at L/c", strain, |i| i.strain),
                series("largest total energy over the first", energy, |i| i.energy[1]),
                series("smallest total energy over the first", energy, |i| i.energy[0]),
            ],
        }
    }

    /// Closing speed, in m/s.
    fn closing(&self) -> f64 {
        self.velocities[0] - self.velocities[1]
    }

    /// Each bar closes by half of the relative speed times L/c: the layers take a fiftieth of that, in m.
    fn thickness(&self) -> f64 {
        0.5 * self.closing() * self.length / self.wave_speed / 50.0
    }

    fn mesh(&self, cells: usize) -> Mesh {
        let end = Vec3::X * (0.5 * self.length);
        match self.material {
            BodyMaterial::Solid(..) => {
                let size = Vec3::new(self.length, 1.0, 1.0);
                shapes::box_tets(size, [cells, 2, 2], shapes::Split::Six).expect("a box")
            }
            _ => shapes::rod(-end, end, cells).expect("a rod"),
        }
    }

    fn impact(&self, cells: usize) -> Impact {
        let thickness = self.thickness();
        let thing = |side: f64, velocity: f64| ProblemBody {
            mesh: self.mesh(cells).translated(Vec3::X * (side * (0.5 * self.length + 0.505 * thickness))),
            material: self.material,
            velocity: Vec3::X * velocity,
            thickness,
        };
        let bodies = [thing(-1.0, self.velocities[0]), thing(1.0, self.velocities[1])];
        let clocks = ClockOptions { safety: SAFETY, ..ClockOptions::default() };
        let problem = ContactProblem::new(&bodies, Vec3::ZERO, &ContactOptions::default(), &clocks);
        let travel = self.length / self.wave_speed;
        let mass: f64 = problem.system.masses.iter().sum();
        let (mut pushed, mut readings) = (Vec::new(), Vec::new());
        problem.run(2.0 * END * travel, SAMPLES, |reading| {
            let contact = *reading.potential_j.last().expect("contact is the last kind");
            if contact > 0.0 {
                pushed.push(reading.time_s);
            }
            let [left, right] = [0, 1].map(|bar| problem.velocity(bar, reading).x);
            let common = 0.5 * reading.momentum.length_sq() / mass;
            let strain = 1.0 - (reading.kinetic_j - common) / (reading.total_j() - common);
            readings.push((reading.time_s, strain, reading.total_j(), (right - left) / self.closing()));
        });
        let (begin, end) = (pushed[0], pushed[pushed.len() - 1]);
        let middle = readings.iter().find(|r| r.0 >= begin + travel).expect("it lasts");
        let start = readings[0].2;
        Impact {
            duration: (end - begin) / (2.0 * travel),
            restitution: readings[readings.len() - 1].3,
            strain: middle.1,
            energy: [
                readings.iter().map(|r| r.2 / start).fold(f64::INFINITY, f64::min),
                readings.iter().map(|r| r.2 / start).fold(0.0, f64::max),
            ],
        }
    }
}
