//! Loads that do work of their own: forces that change with time, pressure, forces along the normal of a surface that moves.
//!
//! | | |
//! | --- | --- |
//! | Energy | none: what they do is work, `J·(v⁻ + v⁺)/2` at each kick, on the external ledger |
//! | Gradient | `−f(t) F` at a vertex; `−f(t) p N/3` at each corner of a triangle, `N = ½ (b − a)×(c − a)`; `−f(t) P N/(3‖N‖)` |
//! | Stable step | none of their own: they fire with the fastest of their vertices |
//! | Degenerate case | a triangle without area has no normal: pressure and normal force vanish |
//!
//! `f` is a [`Profile`], 1 if there is none. On a closed surface with pressure everywhere the work would have an energy, `−pV`; on a part of
//! one it has not, so none is claimed.

use std::sync::Arc;

use carom_math::{ExactLanesSum, F64x4, ImpulseAccumulator, Vec3, vectorize};
use carom_model::{
    Batch, Damping, EightImpulses, Family, FamilyProperties, ImpulseSums, Owner, Packing, Potentials,
    Stencils, StepLimits, TANGENTS,
};

use crate::registry::{Descriptor, Role};

/// A factor over time: straight between the given moments, constant before the first and after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Time in s and factor, times rising.
    points: Vec<[f64; 2]>,
}

impl Profile {
    /// The profile through these points; `None` unless there is one, all are finite and times rise.
    #[must_use]
    pub fn new(points: Vec<[f64; 2]>) -> Option<Self> {
        let finite = points.as_flattened().iter().all(|n| n.is_finite());
        let rising = points.windows(2).all(|w| w[0][0] < w[1][0]);
        (finite && rising && !points.is_empty()).then_some(Self { points })
    }

    /// The factor at a time, in s.
    #[must_use]
    pub fn factor(&self, time_s: f64) -> f64 {
        let after = self.points.partition_point(|[t, _]| *t <= time_s);
        match (after.checked_sub(1).map(|i| self.points[i]), self.points.get(after).copied()) {
            (None, Some([_, f])) | (Some([_, f]), None) => f,
            (Some([t0, f0]), Some([t1, f1])) => f0 + (f1 - f0) * ((time_s - t0) / (t1 - t0)),
            (None, None) => 1.0,
        }
    }
}

/// What a driven load does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrivenForce {
    /// A force on a vertex, in N.
    Force(u32, Vec3),
    /// A pressure along the normal of a triangle, in Pa.
    Pressure([u32; 3], f64),
    /// A force along the normal of a triangle, in N, whatever becomes of its area.
    Normal([u32; 3], f64),
}

impl DrivenForce {
    fn vertices(&self) -> &[u32] {
        match self {
            Self::Force(v, _) => core::slice::from_ref(v),
            Self::Pressure(t, _) | Self::Normal(t, _) => t,
        }
    }

    /// The force on each of its vertices, in N, before any profile.
    fn force(&self, x: &[Vec3]) -> Vec3 {
        let normal = || (x[1] - x[0]).cross(x[2] - x[0]);
        match self {
            Self::Force(_, force) => *force,
            Self::Pressure(_, pressure) => normal() * (pressure / 6.0),
            Self::Normal(_, force) => {
                let normal = normal();
                let length = normal.length();
                if length > 0.0 { normal * (force / (3.0 * length)) } else { Vec3::ZERO }
            }
        }
    }
}

/// One driven load.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivenLoad {
    /// What it does.
    pub push: DrivenForce,
    /// How it changes with time.
    pub profile: Option<Arc<Profile>>,
    /// What it belongs to.
    pub owner: Owner,
}

impl DrivenLoad {
    fn factor(&self, time_s: f64) -> f64 {
        self.profile.as_ref().map_or(1.0, |profile| profile.factor(time_s))
    }
}

/// All driven loads of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrivenLoads {
    loads: Vec<DrivenLoad>,
}

impl DrivenLoads {
    /// The name of the kind.
    pub const KIND: &'static str = "driven";

    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        group: Self::KIND,
        order: 90,
        about: "A force that changes with time, a pressure, or a force along the normal of a surface.",
        parameters: &[],
        page: "gravity",
        damps: false,
        role: Role::Fixed("`[[load]]`"),
    };

    /// Adds a load.
    pub fn push(&mut self, load: DrivenLoad) {
        self.loads.push(load);
    }
}

impl Stencils for DrivenLoads {
    fn properties(&self) -> FamilyProperties {
        FamilyProperties {
            is_internal: false,
            is_driven: true,
            counts_as_evaluation: false,
            ..FamilyProperties::internal(Self::KIND, Self::DESCRIPTOR.order)
        }
    }

    fn len(&self) -> usize {
        self.loads.len()
    }

    fn stencil(&self, element: usize) -> &[u32] {
        self.loads[element].push.vertices()
    }

    fn owner(&self, element: usize) -> Owner {
        self.loads[element].owner
    }
}

impl Potentials for DrivenLoads {
    fn energy(&self, _: usize, _: &[Vec3]) -> f64 {
        0.0
    }

    fn gradient(&self, element: usize, x: &[Vec3], out: &mut [Vec3]) {
        self.gradient_at(element, 0.0, x, out);
    }

    fn gradient_at(&self, element: usize, time_s: f64, x: &[Vec3], out: &mut [Vec3]) {
        let load = &self.loads[element];
        out.fill(load.push.force(x) * -load.factor(time_s));
    }

    fn frozen_at(&self, time_s: f64) -> Option<Arc<dyn Family>> {
        let frozen = |load: &DrivenLoad| {
            let factor = load.factor(time_s);
            let push = match load.push {
                DrivenForce::Force(v, force) => DrivenForce::Force(v, force * factor),
                DrivenForce::Pressure(t, pressure) => DrivenForce::Pressure(t, pressure * factor),
                DrivenForce::Normal(t, force) => DrivenForce::Normal(t, force * factor),
            };
            DrivenLoad { push, profile: None, owner: load.owner }
        };
        Some(Arc::new(Self { loads: self.loads.iter().map(frozen).collect() }))
    }

    fn tangents(
        &self,
        _: usize,
        _: &[Vec3],
        _: &[[Vec3; TANGENTS]],
        out: &mut [[Vec3; TANGENTS]],
    ) -> Option<()> {
        // Stiffness that follows from turning normals is small against that of what turns them, and not symmetric.
        out.fill([Vec3::ZERO; TANGENTS]);
        Some(())
    }
}

impl Damping for DrivenLoads {}

impl StepLimits for DrivenLoads {
    fn stable_step(&self, _: usize, _: &[Vec3], _: &[f64]) -> f64 {
        f64::INFINITY
    }
}

impl Packing for DrivenLoads {
    fn batch(&self, elements: &[u32], renumbered: &[u32]) -> Box<dyn Batch> {
        let load = |&e: &u32| {
            let load = self.loads[e as usize].clone();
            let name = |v: u32| renumbered[v as usize];
            let push = match load.push {
                DrivenForce::Force(v, force) => DrivenForce::Force(name(v), force),
                DrivenForce::Pressure(t, pressure) => DrivenForce::Pressure(t.map(name), pressure),
                DrivenForce::Normal(t, force) => DrivenForce::Normal(t.map(name), force),
            };
            DrivenLoad { push, ..load }
        };
        Box::new(Self { loads: elements.iter().map(load).collect() })
    }
}

impl DrivenLoads {
    /// Calls `act` with the vertices of each load in order and the gradient at each of them.
    #[inline(always)]
    fn each(&self, time_s: f64, x: &[F64x4], mut act: impl FnMut(&[u32], Vec3)) {
        for load in &self.loads {
            let vertices = load.push.vertices();
            let mut at = [Vec3::ZERO; 3];
            for (at, &v) in at.iter_mut().zip(vertices) {
                *at = x[v as usize].xyz();
            }
            act(vertices, load.push.force(&at[..vertices.len()]) * -load.factor(time_s));
        }
    }
}

impl Batch for DrivenLoads {
    fn kick(&self, h: f64, x: &[F64x4], sums: &mut ImpulseSums) {
        self.kick_at(0.0, h, x, sums);
    }

    fn energy_and_forces(
        &self,
        x: &[F64x4],
        forces: &mut [ImpulseAccumulator],
        energy_j: &mut ExactLanesSum,
    ) {
        self.energy_and_forces_at(0.0, x, forces, energy_j);
    }

    fn energies(&self, _x: &[F64x4]) -> Vec<f64> {
        vec![0.0; self.loads.len()]
    }

    fn kick_at(&self, time_s: f64, h: f64, x: &[F64x4], sums: &mut ImpulseSums) {
        vectorize::run(
            #[inline(always)]
            || {
                let mut booked = EightImpulses::default();
                self.each(
                    time_s,
                    x,
                    #[inline(always)]
                    |vertices, gradient| {
                        let impulse = gradient * -h;
                        for &v in vertices {
                            sums.drive(v, impulse);
                            booked.add(x[v as usize].xyz(), impulse, &mut sums.external.fields);
                        }
                    },
                );
                sums.external.fields.add_collected(&booked);
            },
        );
    }

    fn energy_and_forces_at(
        &self,
        time_s: f64,
        x: &[F64x4],
        forces: &mut [ImpulseAccumulator],
        _energy_j: &mut ExactLanesSum,
    ) {
        self.each(time_s, x, |vertices, gradient| {
            for &v in vertices {
                forces[v as usize].add(-gradient);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_model::Part;

    #[test]
    fn a_profile_is_straight_between_its_points_and_constant_beyond() {
        let ramp = Profile::new(vec![[1.0, 0.0], [3.0, 4.0], [4.0, 2.0]]).unwrap();
        let factors: Vec<f64> = [0.0, 1.0, 2.0, 3.0, 3.5, 4.0, 9.0].map(|t| ramp.factor(t)).to_vec();
        assert_eq!(factors, [0.0, 0.0, 2.0, 4.0, 3.0, 2.0, 2.0]);
        for wrong in
            [vec![], vec![[1.0, 0.0], [1.0, 1.0]], vec![[f64::NAN, 0.0]], vec![[2.0, 0.0], [1.0, 1.0]]]
        {
            assert_eq!(Profile::new(wrong), None);
        }
    }

    fn family(push: DrivenForce) -> DrivenLoads {
        let owner = Owner { body: 0, part: Part::Face(0) };
        let profile = Profile::new(vec![[0.0, 0.0], [2.0, 1.0]]).map(Arc::new);
        DrivenLoads { loads: vec![DrivenLoad { push, profile, owner }] }
    }

    #[test]
    fn pressure_pushes_with_the_area_and_a_normal_force_without() {
        let small = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let large = small.map(|x| x * 2.0);
        let pull = |push, x: &[Vec3], time_s| {
            let mut out = [Vec3::ZERO; 3];
            family(push).gradient_at(0, time_s, x, &mut out);
            out.iter().copied().sum::<Vec3>() * -1.0
        };
        let pressure = DrivenForce::Pressure([0, 1, 2], 6.0);
        assert!((pull(pressure, &small, 2.0) - Vec3::Z * 3.0).length() < 1e-15);
        assert!((pull(pressure, &large, 2.0) - Vec3::Z * 12.0).length() < 1e-15);
        assert!((pull(pressure, &small, 1.0) - Vec3::Z * 1.5).length() < 1e-15);
        let normal = DrivenForce::Normal([0, 1, 2], 6.0);
        assert!((pull(normal, &large, 2.0) - Vec3::Z * 6.0).length() < 1e-15);
        assert!(pull(normal, &[Vec3::X; 3], 2.0).is_zero());
    }

    #[test]
    fn frozen_it_is_what_it_was_at_that_time_for_ever() {
        let load = family(DrivenForce::Force(0, Vec3::X * 8.0));
        let frozen = load.frozen_at(1.0).unwrap();
        let mut out = [Vec3::ZERO];
        frozen.gradient_at(0, 55.0, &[Vec3::ZERO], &mut out);
        assert_eq!(out, [Vec3::X * -4.0]);
    }
}
