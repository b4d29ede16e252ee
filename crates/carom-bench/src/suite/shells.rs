//! Shells for both sides: a system for the engine, and the same for the naive path.

use std::sync::Arc;

use carom_elastic::{BendingHinge, BendingMidedge, MembraneNeoHookean, MembraneStvk, ShellMaterial};
use carom_geometry::mesh::area_normal;
use carom_geometry::{Mesh, Topology, shapes};
use carom_model::{ClockOptions, Owner, Part, State, System, SystemBuilder};

use crate::naive::{Hinge, LeanNeoHookean, LeanStvk, Midedge, Naive, NeoHookean, Sheet, Stvk};

const MATERIAL: ShellMaterial = ShellMaterial { young: 70e9, poisson: 0.33, thickness: 0.0035 };
const DENSITY: f64 = 2700.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Membrane {
    Stvk,
    NeoHookean,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bending {
    Hinge,
    Midedge,
}

/// The elements of a shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    pub membrane: Option<Membrane>,
    pub bending: Option<Bending>,
}

/// The same shell for both sides.
pub struct Both {
    pub system: Arc<System>,
    pub state: State,
    /// The naive path with textbook formulas.
    pub naive: Naive,
    /// The naive path with membranes by the formulas of our own kernels.
    pub lean: Naive,
    /// The step of all elements, in s.
    pub step_s: f64,
}

impl Recipe {
    pub fn name(self) -> String {
        let membrane = self.membrane.map(|m| match m {
            Membrane::Stvk => "St. Venant–Kirchhoff",
            Membrane::NeoHookean => "neo-Hookean",
        });
        let bending = self.bending.map(|b| match b {
            Bending::Hinge => "hinge",
            Bending::Midedge => "mid-edge",
        });
        membrane.into_iter().chain(bending).collect::<Vec<_>>().join(" + ")
    }
}

/// The shell of a sphere of `20 f²` triangles that breathes gently, all on one step.
pub fn sphere(frequency: usize, recipe: Recipe) -> Both {
    let mesh = shapes::icosphere(0.125, frequency).expect("a sphere");
    of(&mesh, recipe, |_| 1.0, &ClockOptions { step_s: Some(1e-8), ..ClockOptions::default() })
}

/// The shell of a mesh that breathes gently; each triangle so many times as stiff as `stiffer` says of its number.
pub fn of(mesh: &Mesh, recipe: Recipe, stiffer: impl Fn(usize) -> f64, clocks: &ClockOptions) -> Both {
    let topology = Topology::new(&mesh.triangles).expect("a surface");
    let sheet = |t: usize| ShellMaterial { young: MATERIAL.young * stiffer(t), ..MATERIAL };
    let mut masses = vec![0.0; mesh.positions.len()];
    for t in &mesh.triangles {
        let share = DENSITY * MATERIAL.thickness * area_normal(mesh.corners(t)).length() / 3.0;
        for v in t {
            masses[*v as usize] += share;
        }
    }
    let mut builder = SystemBuilder::new();
    let [mut naive, mut lean] = [Naive::default(), Naive::default()];
    for (&x, &mass) in mesh.positions.iter().zip(&masses) {
        builder.vertex(x, x * 0.1, mass);
        for side in [&mut naive, &mut lean] {
            side.x.push(x);
            side.v.push(x * 0.1);
            side.inverse_masses.push(1.0 / mass);
        }
    }
    for (i, corners) in mesh.triangles.iter().enumerate() {
        let owner = Owner { body: 0, part: Part::Face(i as u32) };
        let (at_rest, sheet) = (mesh.corners(corners), sheet(i));
        match recipe.membrane {
            Some(Membrane::Stvk) => {
                let rest = MembraneStvk::from_rest(&at_rest, &sheet);
                builder.add(rest, *corners, owner, 1.0);
                lean.lean_stvk.push(LeanStvk { corners: *corners, rest });
                naive.stvk.push(Stvk(Sheet::new(*corners, &at_rest, &sheet)));
            }
            Some(Membrane::NeoHookean) => {
                let rest = MembraneNeoHookean::from_rest(&at_rest, &sheet);
                builder.add(rest, *corners, owner, 1.0);
                lean.lean_neo_hookean.push(LeanNeoHookean { corners: *corners, rest });
                naive.neo_hookean.push(NeoHookean(Sheet::new(*corners, &at_rest, &sheet)));
            }
            None => {}
        }
        if recipe.bending == Some(Bending::Midedge) {
            let across = topology.neighbours[i].map(|n| n.map(|n| n.opposite));
            let corners = BendingMidedge::stencil(*corners, across);
            let flags = across.map(|far| far.is_some());
            let rest = BendingMidedge::from_rest(&mesh.corners(&corners), flags, &sheet);
            builder.add(rest, corners, owner, 1.0);
            for side in [&mut naive, &mut lean] {
                side.midedges.push(Midedge { corners, rest });
            }
        }
    }
    if recipe.bending == Some(Bending::Hinge) {
        for (i, edge) in topology.interior.iter().enumerate() {
            let ([a, b], [c, d]) = (edge.vertices, edge.opposite);
            let corners = [a, b, c, d];
            let rest = BendingHinge::from_rest(&mesh.corners(&corners), &sheet(edge.triangles[0] as usize));
            builder.add(rest, corners, Owner { body: 0, part: Part::Edge(i as u32) }, 1.0);
            for side in [&mut naive, &mut lean] {
                side.hinges.push(Hinge { corners, rest });
            }
        }
    }
    let (system, state) = builder.build(clocks).expect("a sound shell");
    let step_s = system.line.quantum.step(system.spans()[0]);
    Both { system: Arc::new(system), state, naive, lean, step_s }
}

#[cfg(test)]
mod tests {
    use carom::Simulation;

    use carom_engine::MethodKind;
    use carom_math::Vec3;
    use carom_time::Tick;

    use super::*;
    use crate::naive::Build;

    #[test]
    fn both_sides_integrate_the_same_shell() {
        for membrane in [Membrane::Stvk, Membrane::NeoHookean] {
            for bending in [Bending::Hinge, Bending::Midedge] {
                let recipe = Recipe { membrane: Some(membrane), bending: Some(bending) };
                let mesh = shapes::icosphere(0.125, 2).unwrap();
                let clocks = ClockOptions {
                    step_s: Some(1e-7),
                    start: carom_model::Start::Paper,
                    ..ClockOptions::default()
                };
                let Both { system, state, mut naive, mut lean, step_s } = of(&mesh, recipe, |_| 1.0, &clocks);
                let steps = 400;
                let end = Tick(steps * system.spans()[0].quanta());
                let mut simulation = Simulation::of_system(system, state, MethodKind::Carom).unwrap();
                simulation.advance_to_tick(end).unwrap();
                let ours = simulation.state().positions;
                let apart =
                    |x: &[Vec3]| x.iter().zip(&ours).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
                let moved = apart(&mesh.positions);
                for side in [&mut naive, &mut lean] {
                    side.run(Build::Native, step_s, steps);
                    let apart = apart(&side.x);
                    assert!(moved > 1e-8 && apart < 1e-8 * moved, "{}: {apart} of {moved}", recipe.name());
                }
            }
        }
    }
}
