//! A shell ball hits a free plate: how well energy is conserved, and the source of the error.
//!
//! | | |
//! | --- | --- |
//! | Setting | a ball of radius 1 m in 320 triangles, a plate of 3 m × 3 m, both 5 cm thick, E = 10 kPa, ρ = 1 kg/m³ (sound runs at 100 m/s); 1 m/s, `η₁` = 5 cm |
//! | Formula | total energy and momentum are constant |
//! | Measured | 400 readings with synchronised velocities over the first 0.4 s of the impact |
//!
//! The contact has 26 kicks in its first layer and costs little: with a tenth or ten times its stiffness the band is the
//! same. The error is that of the elastic steps, of second order, so the sizes here are safety factors.

use carom_contact::ContactOptions;
use carom_elastic::ShellMaterial;
use carom_geometry::shapes;
use carom_math::Vec3;
use carom_model::ClockOptions;

use super::Effort;
use super::contact_problem::{BodyMaterial, ContactProblem, ProblemBody};
use super::report::{Point, Series, Study};

const THICKNESS: f64 = 0.05;
const SHELL: ShellMaterial = ShellMaterial { young: 1e4, poisson: 0.3, thickness: 0.05 };
const END: f64 = 0.4;

/// Smallest and largest energy over that at the start, and the largest change of momentum over it.
struct Conserved {
    energy: [f64; 2],
    momentum: f64,
}

pub fn studies(effort: Effort) -> Vec<Study> {
    let (safeties, tolerance): (&[f64], f64) =
        if effort == Effort::Quick { (&[0.3, 0.1], 2e-4) } else { (&[0.3, 0.1, 0.03], 2e-5) };
    let kept: Vec<Conserved> = safeties.iter().map(|&safety| impact(safety)).collect();
    let series = |what: &str, expected: f64, tolerance: f64, read: fn(&Conserved) -> f64| Series {
        what: what.into(),
        expected,
        tolerance: Some(tolerance),
        order: None,
        points: safeties
            .iter()
            .zip(&kept)
            .map(|(&safety, kept)| Point { mesh: format!("safety {safety}"), size: safety, ours: read(kept) })
            .collect(),
    };
    vec![Study {
        title: "A ball hits a plate",
        setting: format!(
            "A shell ball of radius 1 m and 320 triangles meets a free plate of 3 m × 3 m with edges of 0.3 m at 1 m/s; both 5 cm thick, E = 10 kPa, \
             ν = 0.3, ρ = 1 kg/m³; η₁ = {THICKNESS} m. Contact by default; the elastic steps shrink."
        ),
        source: "energy and momentum are constant",
        size: "safety",
        series: vec![
            series("smallest energy over the first", 1.0, tolerance, |k| k.energy[0]),
            series("largest energy over the first", 1.0, tolerance, |k| k.energy[1]),
            series("error of momentum", 0.0, 1e-13, |k| k.momentum),
        ],
    }]
}

fn impact(safety: f64) -> Conserved {
    let ball = shapes::icosphere(1.0, 4).expect("a ball");
    let thing = |mesh, velocity| ProblemBody {
        mesh,
        material: BodyMaterial::Shell(SHELL, 1.0),
        velocity,
        thickness: THICKNESS,
    };
    let bodies = [
        thing(shapes::grid(3.0, 3.0, 0.3).expect("a plate"), Vec3::ZERO),
        thing(ball.translated(Vec3::new(0.02, 0.03, 1.0 + 1.01 * THICKNESS)), -Vec3::Z),
    ];
    let clocks = ClockOptions { safety, ..ClockOptions::default() };
    let problem = ContactProblem::new(&bodies, Vec3::ZERO, &ContactOptions::default(), &clocks);
    let mut first = None;
    let mut kept = Conserved { energy: [f64::INFINITY, 0.0], momentum: 0.0 };
    problem.run(END, 400, |reading| {
        let (energy, momentum) = *first.get_or_insert((reading.total_j(), reading.momentum));
        let now = reading.total_j() / energy;
        kept.energy = [kept.energy[0].min(now), kept.energy[1].max(now)];
        kept.momentum = kept.momentum.max((reading.momentum - momentum).length() / momentum.length());
    });
    kept
}
