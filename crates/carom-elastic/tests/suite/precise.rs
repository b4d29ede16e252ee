//! Every element against numbers to fifty digits, from formulas that are not ours.
//!
//! `precise/generate.py` computes them from the continuum definitions. Tolerance: the stencils are
//! strained by a few hundredths to a few tenths, so the round-off of a position (1e-16 of its size)
//! is some 1e-14 of a strain; a few tens of operations on top stay below 1e-12 of the energy and of
//! the largest component of the gradient, and a wrong digit anywhere does not. (The worst found is 1.1e-14.)

use std::collections::BTreeSet;

use carom_elastic::{
    BendingHinge, BendingMidedge, BendingQuadratic, Gravity, InverseDistance, LennardJones, Load,
    MembraneNeoHookean, MembraneStvk, RodBend, RodJoint, ShellMaterial, SolidMaterial, Spring, TetNeoHookean,
    TetStvk, registry,
};
use carom_math::Vec3;
use carom_model::Element;

const TOLERANCE: f64 = 1e-12;

/// One line of a table: parameters, rest shape, shape, and what must come out.
struct Row<const N: usize> {
    parameters: Vec<f64>,
    rest: [Vec3; N],
    x: [Vec3; N],
    energy: f64,
    gradient: [Vec3; N],
}

impl<const N: usize> Row<N> {
    fn parse(line: &str) -> Self {
        let params: Vec<f64> = line.split(',').map(|n| n.parse().unwrap()).collect();
        let (parameters, shapes) = params.split_at(params.len() - 9 * N - 1);
        let vectors = |from: usize| {
            core::array::from_fn(|i| {
                Vec3::new(shapes[from + 3 * i], shapes[from + 3 * i + 1], shapes[from + 3 * i + 2])
            })
        };
        Self {
            parameters: parameters.to_vec(),
            rest: vectors(0),
            x: vectors(3 * N),
            energy: shapes[6 * N],
            gradient: vectors(6 * N + 1),
        }
    }

    fn shell(&self) -> ShellMaterial {
        let [young, poisson, thickness, ..] = self.parameters[..] else { panic!("three numbers") };
        ShellMaterial { young, poisson, thickness }
    }

    fn solid(&self) -> SolidMaterial {
        let [young, poisson] = self.parameters[..] else { panic!("two numbers") };
        SolidMaterial { young, poisson }
    }
}

/// Compares the five stencils of a kind; the element is made from the parameters and the rest shape.
fn compare<E: Element<N, P>, const N: usize, const P: usize>(make: impl Fn(&Row<N>) -> E) {
    compare_values(E::KIND, |row: &Row<N>| {
        let params = make(row).params();
        (E::energy(&params, &row.x), E::gradient(&params, &row.x))
    });
}

/// Compares energy and gradient of the five stencils of a kind.
fn compare_values<const N: usize>(kind: &str, evaluate: impl Fn(&Row<N>) -> (f64, [Vec3; N])) {
    let file = format!("{}/tests/suite/precise/{kind}.csv", env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(&file).unwrap();
    let rows: Vec<Row<N>> = table.lines().skip(1).map(Row::parse).collect();
    assert_eq!(rows.len(), 5, "{file}");
    for (number, row) in rows.iter().enumerate() {
        let (energy, gradient) = evaluate(row);
        let error = (energy / row.energy - 1.0).abs();
        assert!(error < TOLERANCE, "{kind} {number}: energy {energy:e} is off by {error:e}");
        let scale = row.gradient.iter().map(|g| g.max_abs()).fold(0.0, f64::max);
        for (ours, exact) in gradient.iter().zip(&row.gradient) {
            let error = (*ours - *exact).max_abs() / scale;
            assert!(error < TOLERANCE, "{kind} {number}: gradient {ours:?} is off by {error:e}");
        }
    }
}

#[test]
fn springs_are_right_to_twelve_digits() {
    compare(|row: &Row<2>| Spring { stiffness: row.parameters[0], rest_length: row.parameters[1] });
}

#[test]
fn membranes_are_right_to_twelve_digits() {
    compare(|row: &Row<3>| MembraneStvk::from_rest(&row.rest, &row.shell()));
    compare(|row: &Row<3>| MembraneNeoHookean::from_rest(&row.rest, &row.shell()));
}

#[test]
fn bending_is_right_to_twelve_digits() {
    compare(|row: &Row<6>| {
        let flags = &row.parameters[3..];
        let has_neighbour = core::array::from_fn(|i| flags[i] != 0.0);
        BendingMidedge::from_rest(&row.rest, has_neighbour, &row.shell())
    });
    compare(|row: &Row<4>| BendingHinge::from_rest(&row.rest, &row.shell()));
    compare(|row: &Row<4>| BendingQuadratic::from_rest(&row.rest, &row.shell()));
}

#[test]
fn rods_are_right_to_twelve_digits() {
    compare(|row: &Row<3>| RodBend::from_rest(&row.rest, row.parameters[0]));
}

#[test]
fn joints_with_what_they_remember_are_right_to_twelve_digits() {
    compare_values(RodJoint::KIND, |row: &Row<5>| {
        let [bend, twist, rest_curvature, x, y, z, reference] = row.parameters[..] else {
            panic!("seven numbers")
        };
        let places = [row.x[0], row.x[1], row.x[2]];
        let memory = RodJoint::first_memory(&places, Vec3::new(x, y, z), reference).unwrap();
        let all = core::array::from_fn(|i| if i < 5 { row.x[i] } else { memory[i - 5] });
        let params = RodJoint { bend, twist, rest_curvature }.params();
        let [a, b, c, d, e, ..] = RodJoint::gradient(&params, &all);
        (RodJoint::energy(&params, &all), [a, b, c, d, e])
    });
}

#[test]
fn solids_are_right_to_twelve_digits() {
    compare(|row: &Row<4>| TetStvk::from_rest(&row.rest, &row.solid()));
    compare(|row: &Row<4>| TetNeoHookean::from_rest(&row.rest, &row.solid()));
}

#[test]
fn fields_and_pairs_are_right_to_twelve_digits() {
    compare(|row: &Row<1>| {
        let [mass, x, y, z] = row.parameters[..] else { panic!("four numbers") };
        Gravity { mass, acceleration: Vec3::new(x, y, z) }
    });
    compare(|row: &Row<1>| {
        let [x, y, z] = row.parameters[..] else { panic!("three numbers") };
        Load { force: Vec3::new(x, y, z) }
    });
    compare(|row: &Row<2>| LennardJones { depth: row.parameters[0], diameter: row.parameters[1] });
    compare(|row: &Row<2>| InverseDistance { strength: row.parameters[0], closest: f64::INFINITY });
}

#[test]
fn every_kind_with_an_energy_but_the_users_own_has_its_table() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/precise");
    let tables: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().path())
        .filter(|f| f.extension().is_some_and(|e| e == "csv"))
        .map(|f| f.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let kinds = registry::KINDS.iter().map(|k| k.kind).filter(|k| {
        !k.starts_with("closure") && !matches!(*k, "drag" | "drag-spin" | "drag-twist" | "driven")
    });
    assert_eq!(tables, kinds.map(String::from).collect());
}
