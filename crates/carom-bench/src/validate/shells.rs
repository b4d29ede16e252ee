//! Shells that come to rest: the system of the static problems.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_elastic::{BendingMidedge, Load, MembraneNeoHookean, ShellMaterial};
use carom_engine::{Ending, MethodKind, RelaxOptions, Rest, relax};
use carom_geometry::mesh::area_normal;
use carom_geometry::{Mesh, Topology};
use carom_math::Vec3;
use carom_model::{Axes, ClockOptions, Part, State, System, SystemBuilder};

use super::recording::owner;

/// Height of a row of equilateral triangles over its edge.
pub const ROW: f64 = 0.866_025_403_784_438_6;

/// A shell without motion, ready to be held and loaded.
pub struct Shell {
    builder: SystemBuilder,
    /// Mesh of the shell at rest.
    pub mesh: Mesh,
    /// The area that falls to each vertex, in m².
    areas: Vec<f64>,
}

impl Shell {
    /// Neo-Hookean membranes and mid-edge bending with free borders. Masses mean nothing: 1 kg/m³.
    pub fn new(mesh: Mesh, material: &ShellMaterial) -> Self {
        let topology = Topology::new(&mesh.triangles).expect("a surface");
        let mut builder = SystemBuilder::new();
        for &p in &mesh.positions {
            builder.vertex(p, Vec3::ZERO, 0.0);
        }
        let mut areas = vec![0.0; mesh.positions.len()];
        for (i, &corners) in mesh.triangles.iter().enumerate() {
            let shape = mesh.corners(&corners);
            let area = area_normal(shape).length();
            for v in corners {
                builder.add_mass(v, material.thickness * area / 3.0);
                areas[v as usize] += area / 3.0;
            }
            let face = owner(Part::Face(i as u32));
            builder.add(MembraneNeoHookean::from_rest(&shape, material), corners, face, area);
            let across = topology.neighbours[i].map(|n| n.map(|n| n.opposite));
            let stencil = BendingMidedge::stencil(corners, across);
            let rest = stencil.map(|v| mesh.positions[v as usize]);
            let bending = BendingMidedge::from_rest(&rest, across.map(|a| a.is_some()), material);
            builder.add(bending.with_free_borders(), stencil, face, area);
        }
        Self { builder, mesh, areas }
    }

    /// Pulls at every vertex, in N for each m² that falls to it.
    pub fn load_per_area(&mut self, force: Vec3) {
        for v in 0..self.areas.len() {
            self.load(v as u32, force * self.areas[v]);
        }
    }

    /// Pulls at one vertex, in N.
    pub fn load(&mut self, v: u32, force: Vec3) {
        self.builder.add(Load { force }, [v], owner(Part::Vertex(v)), 1.0);
    }

    /// Holds the vertices whose place at rest `is_held`.
    pub fn pin(&mut self, axes: Axes, is_held: impl Fn(Vec3) -> bool) {
        for v in (0..self.mesh.positions.len()).filter(|&v| is_held(self.mesh.positions[v])) {
            self.builder.pin(v as u32, axes);
        }
    }

    /// The vertex nearest to a point.
    pub fn nearest(&self, to: Vec3) -> u32 {
        let distance_sq = |v: &u32| (self.mesh.positions[*v as usize] - to).length_sq();
        let all = 0..self.mesh.positions.len() as u32;
        all.min_by(|a, b| distance_sq(a).total_cmp(&distance_sq(b))).expect("a mesh has vertices")
    }

    /// Positions at equilibrium.
    ///
    /// # Panics
    /// If the relaxation does not converge.
    pub fn at_rest(self, tolerance: f64) -> Vec<Vec3> {
        let (system, state) = self.ready();
        let options = RelaxOptions { tolerance, ..RelaxOptions::default() };
        let observe = &mut |_: &Rest| Ok::<(), Infallible>(());
        let Ok(relaxed) =
            relax(&system, &state, MethodKind::Carom, &options, &AtomicBool::new(false), observe);
        let Rest { residual, steps, falls, .. } = relaxed.rest;
        eprintln!("   {} vertices, {steps} steps, {falls} falls, residual {residual:.1e}", state.len());
        assert_eq!(relaxed.ending, Ending::Converged, "residual {residual:e} after {steps} steps");
        relaxed.rest.state.positions
    }

    /// The system and where it starts.
    pub fn ready(self) -> (Arc<System>, State) {
        let (system, state) = self.builder.build(&ClockOptions::default()).expect("a sound shell");
        (Arc::new(system), state)
    }
}
