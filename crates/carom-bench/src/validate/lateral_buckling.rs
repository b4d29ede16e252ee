//! A plate on edge under its own weight, which gives way sideways.
//!
//! | | |
//! | --- | --- |
//! | Setting | a plate `L × w` of thickness `L/100`, its face vertical, clamped at one short side; weight `Γ D/L³` per area in its plane, `ν = 0.35` |
//! | Formula | it buckles at `Γ = 18.2 (1 − ν) √(1 + ν) + 14.5 w/L` |
//! | Measured | a tiny force pushes the tip sideways; between weights at which it stays and at which it goes, bisection |
//! | Source | master curve of [Romero2021, lateral buckling test] |
//!
//! The push would bend the plate without weight by 1e-4 of its length. A plate that comes to rest with its tip within a fiftieth of
//! the length stays; one that passes it on the way goes, and is not followed further.
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

const LENGTH: f64 = 1.0;
const POISSON: f64 = 0.35;
const THICKNESS: f64 = 0.01 * LENGTH;

/// Sideways at the tip without weight, over the length.
const PUSH: f64 = 1e-4;

/// Where a plate counts as buckled, sideways at the tip over the length.
const GONE: f64 = 0.02;

/// Weights looked at, over that of the formula, and how often the interval is halved: to 0.5 %.
const FROM: f64 = 0.84;
const TO: f64 = 1.16;
const HALVINGS: u32 = 6;

pub fn studies(effort: Effort) -> Vec<Study> {
    let quick = effort == Effort::Quick;
    let widths: &[f64] = if quick { &[0.3] } else { &[0.3, 0.5] };
    let edges: &[u32] = if quick { &[3] } else { &[3, 5] };
    let series = |&width: &f64| Series {
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
    vec![Study {
        title: "Lateral buckling of a plate under its weight",
        setting: format!(
            "t/L = {THICKNESS}, ν = {POISSON}; neo-Hookean membranes and mid-edge bending, near-equilateral triangles; bisection of the \
             weight at which the relaxed plate gives way to a push that bends it by {PUSH} L without weight."
        ),
        source: "master curve of Romero et al. 2021, Γ = 18.2 (1 − ν) √(1 + ν) + 14.5 w/L",
        series: widths.iter().map(series).collect(),
    }]
}

fn formula(width: f64) -> f64 {
    18.2 * (1.0 - POISSON) * (1.0 + POISSON).sqrt() + 14.5 * width / LENGTH
}

/// The weight `Γ` at which the plate gives way.
fn critical(width: f64, edges: u32) -> f64 {
    let (mut stays, mut goes) = (FROM * formula(width), TO * formula(width));
    if buckles(width, edges, stays) || !buckles(width, edges, goes) {
        return f64::NAN;
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(stays, goes);
        if buckles(width, edges, middle) { goes = middle } else { stays = middle }
    }
    f64::midpoint(stays, goes)
}

/// Whether the plate gives way under the weight `Γ`.
fn buckles(width: f64, edges: u32, weight: f64) -> bool {
    let rigidity = 1.0;
    let young = 12.0 * (1.0 - POISSON * POISSON) * rigidity / THICKNESS.powi(3);
    let material = ShellMaterial { young, poisson: POISSON, thickness: THICKNESS };
    let (mesh, column) = mesh(width, edges);
    let mut shell = Shell::new(mesh, &material);
    shell.pin(Axes::ALL, |p| p.x < 0.75 * column);
    shell.load_per_area(Vec3::Z * (-weight * rigidity / LENGTH.powi(3)));
    let tip = shell.nearest(Vec3::X * LENGTH);
    shell.load(tip, Vec3::Y * (3.0 * rigidity * width * PUSH / (LENGTH * LENGTH)));
    let (system, state) = shell.ready();
    let options = RelaxOptions { tolerance: 1e-7, ..RelaxOptions::default() };
    let mut look = |rest: &Rest| {
        let aside = rest.state.positions[tip as usize].y.abs();
        if aside > GONE * LENGTH { Err(ControlFlow::<()>::Break(())) } else { Ok(()) }
    };
    let outcome = relax(&system, &state, MethodKind::Carom, &options, &AtomicBool::new(false), &mut look);
    if let Ok(relaxed) = &outcome {
        let Rest { residual, steps, .. } = relaxed.rest;
        eprintln!("   Γ = {weight:.3}: stays, {:?}, {steps} steps, residual {residual:.1e}", relaxed.ending);
    }
    outcome.is_err()
}

/// The plate from x = 0 to `L` with half a column of the clamp before it, and the width of a column.
fn mesh(width: f64, edges: u32) -> (Mesh, f64) {
    let edge = width / f64::from(edges);
    let columns = (LENGTH / (ROW * edge) + 0.5).round();
    let column = LENGTH / (columns - 0.5);
    let made = columns * ROW * edge;
    let mut mesh = shapes::grid(width, made, edge).expect("a sheet");
    // Rows of the grid, at one height each, become columns.
    for p in &mut mesh.positions {
        *p = Vec3::new((p.y / made + 0.5) * columns * column - 0.5 * column, 0.0, p.x);
    }
    (mesh, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coarse_plate_gives_way_where_it_should() {
        assert!(studies(Effort::Quick).iter().all(Study::passed));
    }

    #[test]
    fn the_clamp_lies_in_the_middle_between_two_columns_and_the_tip_at_the_end() {
        let (mesh, column) = mesh(0.3, 3);
        let [low, high] = mesh.bounding_box().unwrap();
        assert!((low.x + 0.5 * column).abs() < 1e-12 && (high.x - LENGTH).abs() < 1e-12);
        let held = mesh.positions.iter().filter(|p| p.x < 0.75 * column).count();
        assert_eq!(held, 4 + 5);
    }
}
