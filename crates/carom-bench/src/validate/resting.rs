//! What lies on something stays there, and gains nothing.
//!
//! | | |
//! | --- | --- |
//! | Setting | a point on a wall, pressed by loads over four decades up to Λ = 0.03, started off balance by a hundredth of `η₁`; and a sheet on a wall under gravity, started near balance |
//! | Formula | total energy is constant |
//! | Measured | mean energy over the last tenth of the run less that over the first, as a share of the load's work over `η₁` |
//!
//! A slow clock that resonates with a stiff contact would heat it: energy would grow from bounce to bounce.

use carom_contact::{ContactOptions, PairRules};
use carom_elastic::ShellMaterial;
use carom_geometry::{Mesh, shapes};
use carom_math::Vec3;
use carom_model::ClockOptions;

use super::Effort;
use super::contact_problem::{BodyMaterial, ContactProblem, ProblemBody};
use super::report::{Series, Study};

const THICKNESS: f64 = 0.1;
/// Step of the first layer and of the loads, in s.
const STEP: f64 = 1e-3;
/// The loads, as accelerations in m/s²: Λ from 3e-6 to 0.03.
const LOADS: [f64; 5] = [0.3, 3.0, 30.0, 300.0, 3000.0];
const SHEET: ShellMaterial = ShellMaterial { young: 1e5, poisson: 0.3, thickness: 0.01 };
const READINGS: u64 = 20_000;

pub fn studies(effort: Effort) -> Vec<Study> {
    let kicks: u64 = if effort == Effort::Quick { 50_000 } else { 1_000_000 };
    let one = |what: &str, ours: f64, tolerance: f64| {
        Series::alone(what, 0.0, tolerance, &format!("{kicks} kicks"), ours)
    };
    let series = |what: String, [gained, strays]: [f64; 2]| {
        [one(&format!("{what}: mean"), gained, 1e-5), one(&format!("{what}: extreme"), strays, 1e-3)]
    };
    let point = |load: f64| series(format!("a point, {load} m/s²"), point(load, kicks));
    vec![Study {
        title: "Rest in contact",
        setting: format!(
            "A free point on a wall, η₁ = {THICKNESS} m, h₁ = {STEP} s, stiffness by default, started a hundredth of η₁ off balance; and a sheet of 0.5 m × 0.5 m, edges of 0.1 m, \
             on a wall under its weight, contact by default, started near balance. The gain of mean energy from the first tenth of the run to the last and the largest stray of a reading, over \
             the work of the load along η₁; {kicks} kicks of the first layer."
        ),
        source: "energy is constant",
        size: "",
        series: LOADS
            .into_iter()
            .flat_map(point)
            .chain(series("a sheet under its weight".into(), sheet(kicks)))
            .collect(),
    }]
}

fn wall(side: f64) -> ProblemBody {
    let mesh = shapes::grid(side, side, side).expect("a wall");
    ProblemBody { mesh, material: BodyMaterial::Wall, velocity: Vec3::ZERO, thickness: THICKNESS }
}

fn point(load: f64, kicks: u64) -> [f64; 2] {
    let at = |z: f64| {
        let mesh = Mesh { positions: vec![Vec3::new(0.1, 0.2, z)], ..Mesh::default() };
        ProblemBody { mesh, material: BodyMaterial::Points(1.0), velocity: Vec3::ZERO, thickness: THICKNESS }
    };
    let contact = ContactOptions { step_s: Some(STEP), ..ContactOptions::default() };
    let gravity = Vec3::Z * -load;
    balanced_and_let_go(&|z| [wall(4.0), at(z)], gravity, &contact, kicks)
}

fn sheet(kicks: u64) -> [f64; 2] {
    let at = |z: f64| {
        let mesh = shapes::grid(0.5, 0.5, 0.1).expect("a sheet").translated(Vec3::new(0.03, 0.02, z));
        ProblemBody {
            mesh,
            material: BodyMaterial::Shell(SHEET, 1000.0),
            velocity: Vec3::ZERO,
            thickness: THICKNESS,
        }
    };
    let contact = ContactOptions { acceleration: 10.0, ..ContactOptions::default() };
    balanced_and_let_go(&|z| [wall(4.0), at(z)], Vec3::Z * -10.0, &contact, kicks)
}

/// The gain of energy of what lies on the wall and the largest stray of a reading, over the work of its load along `η₁`.
fn balanced_and_let_go(
    bodies: &dyn Fn(f64) -> [ProblemBody; 2],
    gravity: Vec3,
    contact: &ContactOptions,
    kicks: u64,
) -> [f64; 2] {
    let clocks = ClockOptions { idle_step_s: STEP, ..ClockOptions::default() };
    let problem_at = |z: f64| ContactProblem::new(&bodies(z), gravity, contact, &clocks);
    let (mut near, mut far) = (0.05 * THICKNESS, THICKNESS);
    for _ in 0..40 {
        let middle = 0.5 * (near + far);
        *(if lift(&problem_at(middle)) > 0.0 { &mut near } else { &mut far }) = middle;
    }
    let problem = problem_at(near + 0.01 * THICKNESS);
    let mass: f64 =
        problem.system.bodies[1].vertices.clone().map(|v| problem.system.masses[v as usize]).sum();
    let work = mass * gravity.length() * THICKNESS;
    let mut energies = Vec::new();
    let end_s = kicks as f64 * problem.choices[1].step_s;
    problem.run(end_s, READINGS, |reading| energies.push(reading.total_j()));
    let tenth = energies.len() / 10;
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let largest = energies.iter().map(|e| (e - energies[0]).abs()).fold(0.0, f64::max);
    let gained = mean(&energies[energies.len() - tenth..]) - mean(&energies[..tenth]);
    [gained / work, largest / work]
}

/// Upward force on the upper body with its weight, in N, as it starts.
fn lift(problem: &ContactProblem) -> f64 {
    let rules = PairRules::with_own_numbers(&problem.system);
    let mut up = 0.0;
    let upper = problem.first[1];
    rules.for_each(|pair| {
        let x = PairRules::positions(&pair, |v| problem.state.positions[v as usize]);
        let pushes = pair.impulses(rules.layers_of(&pair), &x, &pair.measure(&x), |_, _| 1.0);
        for (&v, push) in pair.stencil().iter().zip(pushes.unwrap_or_default()) {
            up += if v >= upper { push.z } else { 0.0 };
        }
    });
    let family =
        problem.system.families.iter().find(|f| !f.properties().is_internal).expect("something weighs");
    for e in 0..family.len() {
        let mut pull = [Vec3::ZERO];
        family.gradient(e, &[Vec3::ZERO], &mut pull);
        up -= pull[0].z;
    }
    up
}
