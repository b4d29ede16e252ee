//! Two glass spheres meet head on: the law of Hertz, test 1 of [Chung2011, §3.1].
//!
//! | | |
//! | --- | --- |
//! | Setting | R = 1 cm, E = 48 GPa, ν = 0.2, ρ = 2800 kg/m³, 10 m/s each |
//! | Formula | `δ = (15 m* v²/(16 E* √R*))^(2/5)`, `F = 4/3 E* √R* δ^(3/2)`, `t = 2.9433 δ/v`, v the relative velocity [Johnson1985, §11.4] |
//! | Measured | overlap and force: the largest of a reading; time: from the first to the last reading with an overlap, 20 ns apart |
//!
//! The hard core, 0.8 R, is never reached: the spheres press into each other by 1.4 % of R each.

use super::Effort;
use super::box_of_grains::BoxOfGrains;
use super::report::{Point, Series, Study};

const RADIUS: f64 = 0.01;
const SPEED: f64 = 10.0;
const END: f64 = 60e-6;
const SAMPLES: u64 = 3000;

/// Results of one impact.
struct Impact {
    overlap_m: f64,
    force_n: f64,
    contact_s: f64,
    /// Speed after, over that before.
    after: f64,
    step_s: f64,
}

pub fn studies(effort: Effort) -> Vec<Study> {
    let steps: &[Option<f64>] =
        if effort == Effort::Quick { &[None] } else { &[Some(4e-6), Some(2e-6), None] };
    let impacts: Vec<Impact> = steps.iter().map(|step| impact(*step)).collect();
    let series = |what: &str, expected: f64, tolerance: f64, read: fn(&Impact) -> f64| Series {
        what: what.into(),
        expected,
        tolerance: Some(tolerance),
        order: None,
        points: impacts
            .iter()
            .map(|i| Point { mesh: format!("step {:.2} µs", 1e6 * i.step_s), size: i.step_s, ours: read(i) })
            .collect(),
    };
    let [overlap, force, time] = formula();
    vec![Study {
        title: "Two spheres by the law of Hertz",
        setting: "R = 1 cm, E = 48 GPa, ν = 0.2, ρ = 2800 kg/m³, 10 m/s each; the last step is the one chosen by default.".into(),
        source: "Hertz's theory of impact; Chung and Ooi 2011, test 1, and its curve of force over time, read off the figure",
        size: "step, s",
        series: vec![
            series("largest overlap, µm", 1e6 * overlap, 0.01, |i| 1e6 * i.overlap_m),
            series("largest force, kN", 1e-3 * force, 0.01, |i| 1e-3 * i.force_n),
            series("time in contact, µs", 1e6 * time, 0.01, |i| 1e6 * i.contact_s),
            series("largest force, kN, against their figure", 10.704, 0.01, |i| 1e-3 * i.force_n),
            series("time in contact, µs, against their figure", 40.5, 0.01, |i| 1e6 * i.contact_s),
            series("speed after, over that before", 1.0, 1e-4, |i| i.after),
        ],
    }]
}

/// Largest overlap in m, largest force in N, time in contact in s.
fn formula() -> [f64; 3] {
    let (young, poisson, density) = (4.8e10, 0.2, 2800.0);
    let modulus = 0.5 * young / (1.0 - poisson * poisson);
    let mass = 0.5 * density * 4.0 / 3.0 * core::f64::consts::PI * RADIUS * RADIUS * RADIUS;
    let root = (0.5 * RADIUS).sqrt();
    let speed = 2.0 * SPEED;
    let overlap = (15.0 * mass * speed * speed / (16.0 * modulus * root)).powf(0.4);
    [overlap, 4.0 / 3.0 * modulus * root * overlap.powf(1.5), 2.943_275 * overlap / speed]
}

fn impact(step: Option<f64>) -> Impact {
    let step = step.map_or(String::new(), |step| format!("step = {step:e}"));
    let grains = BoxOfGrains::of(&format!(
        r#"
        format = 1
        time.end = {END:e}

        [contact]
        thickness = 1e-4
        {step}

        [[body]]
        name = "left"
        shape.grains = {{ positions = [[-0.01005, 0.0, 0.0]], radius = {RADIUS} }}
        material.grains = {{ density = 2800.0, hertz = {{ young = 4.8e10, poisson = 0.2 }} }}
        velocity = [{SPEED}, 0.0, 0.0]

        [[body]]
        name = "right"
        shape.grains = {{ positions = [[0.01005, 0.0, 0.0]], radius = {RADIUS} }}
        material.grains = {{ density = 2800.0, hertz = {{ young = 4.8e10, poisson = 0.2 }} }}
        velocity = [-{SPEED}, 0.0, 0.0]
        "#
    ));
    let (mut overlap_m, mut force_n, mut after) = (0.0_f64, 0.0_f64, 0.0);
    let mut touching = Vec::new();
    let mut run = grains.start();
    for sample in 0..=SAMPLES {
        let reading = run.read_at(END * sample as f64 / SAMPLES as f64);
        let overlap = 2.0 * RADIUS - (reading.positions[1] - reading.positions[0]).length();
        if overlap > 0.0 {
            touching.push(reading.time_s);
        }
        overlap_m = overlap_m.max(overlap);
        force_n = force_n.max(reading.forces[0].length());
        after = -reading.velocities[0].x / SPEED;
    }
    let soft = grains.system.contact.as_ref().expect("there is contact");
    let layers = soft.soft_layers_between(0, 1).expect("they are soft");
    let step_s = grains.system.line.quantum.step(soft.layers[layers as usize].span);
    let contact_s = touching[touching.len() - 1] - touching[0];
    Impact { overlap_m, force_n, contact_s, after, step_s }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Largest overlap in m, largest force in N and time in contact in s of two spheres that push each other apart with `4/3 E* √R* δ^(3/2)`:
    /// both flights integrated, with nothing taken from the formula.
    fn integrated() -> [f64; 3] {
        let (young, poisson, density, h) = (4.8e10, 0.2, 2800.0, 1e-10);
        let compliance = (1.0 - poisson * poisson) / young;
        let stiffness = 4.0 / 3.0 / (compliance + compliance) / (1.0 / RADIUS + 1.0 / RADIUS).sqrt();
        let mass = density * 4.0 / 3.0 * core::f64::consts::PI * RADIUS.powi(3);
        let (mut x, mut v) = ([-RADIUS, RADIUS], [SPEED, -SPEED]);
        let (mut overlap_m, mut force_n, mut steps) = (0.0_f64, 0.0_f64, 0_u32);
        loop {
            // Half a drift, a kick, half a drift.
            let middle = [x[0] + 0.5 * h * v[0], x[1] + 0.5 * h * v[1]];
            let overlap = 2.0 * RADIUS - (middle[1] - middle[0]);
            if overlap <= 0.0 {
                return [overlap_m, force_n, f64::from(steps) * h];
            }
            let force = stiffness * overlap.powf(1.5);
            v = [v[0] - h * force / mass, v[1] + h * force / mass];
            x = [middle[0] + 0.5 * h * v[0], middle[1] + 0.5 * h * v[1]];
            (overlap_m, force_n, steps) = (overlap_m.max(overlap), force_n.max(force), steps + 1);
        }
    }

    #[test]
    fn the_formula_is_the_solution_of_the_equation_of_motion() {
        for (formula, integrated) in formula().into_iter().zip(integrated()) {
            assert!((formula / integrated - 1.0).abs() < 1e-5, "{formula} {integrated}");
        }
    }

    #[test]
    fn the_formula_gives_the_curve_of_the_benchmark() {
        // Largest force and time in contact, read off the figure of Chung and Ooi's test 1.
        let [_, force, time] = formula();
        assert!((force / 10.704e3 - 1.0).abs() < 0.002, "{force}");
        assert!((time / 40.5e-6 - 1.0).abs() < 0.005, "{time}");
    }
}
