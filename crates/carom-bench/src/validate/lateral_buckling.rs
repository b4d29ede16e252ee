//! A plate on edge under its own weight, which gives way sideways.
//!
//! | | |
//! | --- | --- |
//! | Setting | a plate `L × w`, its face vertical, clamped at one short side; weight `Γ D/L³` per area in its plane, `ν = 0.35` |
//! | Formula | it buckles at `Γ = 18.2 (1 − ν) √(1 + ν) + 14.5 w/L` |
//! | Source | master curve of [Romero2021, lateral buckling test] |
//!
//! Two ways to the critical weight, both by bisection:
//!
//! - *Stability.* Balance in the plane by Newton's method; the plate gives way when its stiffness sideways has a negative eigenvalue
//!   (`stiffness.rs`). Thickness `L/1000`.
//! - *Relaxation*, as a user would do it: a tiny force pushes the tip sideways. It would bend the plate without weight by 1e-4 of its length. A plate that
//!   comes to rest with its tip within a fiftieth of the length stays; one that passes it on the way goes, and is not followed further. Thickness
//!   `L/100`: slow modes and fast ones are then less far apart.
//!
//! The clamp is two pinned columns; as in `plate.rs` the free part begins in the middle between them.

use core::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use carom_elastic::ShellMaterial;
use carom_engine::{MethodKind, RelaxOptions, Rest, relax};
use carom_geometry::{Mesh, shapes};
use carom_math::Vec3;
use carom_model::Axes;

use super::Effort;
use super::report::{Point, Series, Study};
use super::shells::{ROW, Shell};
use super::stiffness::{Factors, Unknowns, balance};

const LENGTH: f64 = 1.0;
const POISSON: f64 = 0.35;
const RIGIDITY: f64 = 1.0;

/// Thickness over length, for the stability analysis and for the relaxation.
const THIN: f64 = 0.001;
const THICK: f64 = 0.01;

/// Sideways at the tip without weight, over the length.
const PUSH: f64 = 1e-4;

/// Sideways deflection of the tip over the length at which a plate counts as buckled.
const GONE: f64 = 0.02;

/// Range of weights, over the expected one.
const FROM: f64 = 0.6;
const TO: f64 = 1.6;

/// Number of halvings of the interval: to 3e-4.
const HALVINGS: u32 = 12;

/// Range of weights where each one is a relaxation: to 0.5 %.
const RELAXED_FROM: f64 = 0.84;
const RELAXED_TO: f64 = 1.16;
const RELAXED_HALVINGS: u32 = 6;

/// A plate that may give way.
#[derive(Clone, Copy, Debug)]
pub struct Plate {
    /// Over the length, as is the thickness.
    pub width: f64,
    pub thickness: f64,
    pub poisson: f64,
    /// Edges across.
    pub edges: u32,
}

pub fn studies(effort: Effort) -> Vec<Study> {
    if effort == Effort::Quick {
        return vec![by_stability(&[0.1, 0.9], &[3, 6]), by_relaxation(&[0.3], &[3])];
    }
    vec![by_stability(&[0.1, 0.3, 0.5, 0.7, 0.9], &[4, 8, 16]), by_relaxation(&[0.3, 0.5], &[3, 5])]
}

fn by_stability(widths: &[f64], edges: &[u32]) -> Study {
    Study {
        title: "Lateral buckling of a plate under its weight",
        setting: format!(
            "t/L = {THIN}, ν = {POISSON}; neo-Hookean membranes and mid-edge bending, near-equilateral triangles. In balance in its plane, the plate's stiffness \
             sideways has its first negative eigenvalue at the weight shown."
        ),
        source: SOURCE,
        size: "edge over width",
        series: series(widths, edges, |width, edges| {
            let plate = Plate { width, thickness: THIN, poisson: POISSON, edges };
            let expected = formula(width);
            bisect([FROM * expected, TO * expected], HALVINGS, |weight| plate.is_unstable(weight))
        }),
    }
}

fn by_relaxation(widths: &[f64], edges: &[u32]) -> Study {
    Study {
        title: "Lateral buckling of a plate that is relaxed",
        setting: format!(
            "t/L = {THICK}, otherwise the same; bisection of the weight at which the relaxed plate gives way to a push that bends it by {PUSH} L without weight."
        ),
        source: SOURCE,
        size: "edge over width",
        series: series(widths, edges, |width, edges| {
            let plate = Plate { width, thickness: THICK, poisson: POISSON, edges };
            let range = [RELAXED_FROM, RELAXED_TO].map(|share| share * formula(width));
            bisect(range, RELAXED_HALVINGS, |weight| plate.gives_way(weight))
        }),
    }
}

const SOURCE: &str = "master curve of Romero et al. 2021, Γ = 18.2 (1 − ν) √(1 + ν) + 14.5 w/L, a fit through experiments and simulations";

fn series(widths: &[f64], edges: &[u32], critical: impl Fn(f64, u32) -> f64) -> Vec<Series> {
    let of_width = |&width: &f64| Series {
        what: format!("Γ at w/L = {width}"),
        expected: formula(width),
        tolerance: Some(0.08),
        order: None,
        points: edges
            .iter()
            .map(|&n| Point {
                mesh: format!("{n} edges across"),
                size: 1.0 / f64::from(n),
                ours: critical(width, n),
            })
            .collect(),
    };
    widths.iter().map(of_width).collect()
}

fn formula(width: f64) -> f64 {
    18.2 * (1.0 - POISSON) * (1.0 + POISSON).sqrt() + 14.5 * width / LENGTH
}

/// The weight between two at which the plate gives way; no number if it does at the lower or does not at the higher.
pub fn bisect(range: [f64; 2], halvings: u32, goes_at: impl Fn(f64) -> bool) -> f64 {
    let [mut stays, mut goes] = range;
    if goes_at(stays) || !goes_at(goes) {
        return f64::NAN;
    }
    for _ in 0..halvings {
        let middle = f64::midpoint(stays, goes);
        if goes_at(middle) { goes = middle } else { stays = middle }
    }
    f64::midpoint(stays, goes)
}

impl Plate {
    /// Whether the plate, in balance in its plane under the weight `Γ`, is unstable sideways.
    pub fn is_unstable(&self, weight: f64) -> bool {
        let (system, state) = self.loaded(weight).ready();
        let in_plane = Unknowns::of(&system, Axes { x: true, y: false, z: true });
        let places = balance(&system, &in_plane, &state.positions);
        let sideways = Unknowns::of(&system, Axes { x: false, y: true, z: false });
        Factors::of(&system, &sideways, &places).negative() > 0
    }

    /// Whether the plate, displaced a little, buckles under the weight `Γ`.
    fn gives_way(&self, weight: f64) -> bool {
        let mut shell = self.loaded(weight);
        let tip = shell.nearest(Vec3::X * LENGTH);
        shell.load(tip, Vec3::Y * (3.0 * RIGIDITY * self.width * PUSH / (LENGTH * LENGTH)));
        let (system, state) = shell.ready();
        let options = RelaxOptions { tolerance: 1e-7, ..RelaxOptions::default() };
        let mut observe = |rest: &Rest| {
            let aside = rest.state.positions[tip as usize].y.abs();
            if aside > GONE * LENGTH { Err(ControlFlow::<()>::Break(())) } else { Ok(()) }
        };
        let outcome =
            relax(&system, &state, MethodKind::Carom, &options, &AtomicBool::new(false), &mut observe);
        if let Ok(relaxed) = &outcome {
            let Rest { residual, steps, .. } = relaxed.rest;
            eprintln!(
                "   Γ = {weight:.3}: stays, {:?}, {steps} steps, residual {residual:.1e}",
                relaxed.ending
            );
        }
        outcome.is_err()
    }

    /// The plate in its clamp under the weight `Γ`.
    fn loaded(&self, weight: f64) -> Shell {
        let young = 12.0 * (1.0 - self.poisson * self.poisson) * RIGIDITY / self.thickness.powi(3);
        let material = ShellMaterial { young, poisson: self.poisson, thickness: self.thickness };
        let (mesh, column) = self.mesh();
        let mut shell = Shell::new(mesh, &material);
        shell.pin(Axes::ALL, |p| p.x < 0.75 * column);
        shell.load_per_area(Vec3::Z * (-weight * RIGIDITY / LENGTH.powi(3)));
        shell
    }

    /// The plate from x = 0 to `L` with half a column of the clamp before it, and the width of a column.
    fn mesh(&self) -> (Mesh, f64) {
        let edge = self.width / f64::from(self.edges);
        let columns = (LENGTH / (ROW * edge) + 0.5).round();
        let column = LENGTH / (columns - 0.5);
        let made = columns * ROW * edge;
        let mut mesh = shapes::grid(self.width, made, edge).expect("a sheet");
        // Rows of the grid, at one height each, become columns.
        for p in &mut mesh.positions {
            *p = Vec3::new((p.y / made + 0.5) * columns * column - 0.5 * column, 0.0, p.x);
        }
        (mesh, column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clamp_lies_in_the_middle_between_two_columns_and_the_tip_at_the_end() {
        let (mesh, column) = Plate { width: 0.3, thickness: THIN, poisson: POISSON, edges: 3 }.mesh();
        let [low, high] = mesh.bounding_box().unwrap();
        assert!((low.x + 0.5 * column).abs() < 1e-12 && (high.x - LENGTH).abs() < 1e-12);
        let held = mesh.positions.iter().filter(|p| p.x < 0.75 * column).count();
        assert_eq!(held, 4 + 5);
    }
}
