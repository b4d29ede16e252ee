//! The second stage of an instant: damped elements and drag answer the velocities that the conservative kicks left.
//!
//! They answer all at once, in the order of ids, each limited as [`DampedBatch`] says. What they took is booked after the last stage.

use carom_math::{F64x4, Vec3};
use carom_model::{DampedBatch, DampedMotion, ExternalLedger, ImpulseSums, System};
use carom_time::Span;

use super::group::clock_of;
use super::schedule::Firing;

/// All damped potentials of a system.
pub struct Damping {
    /// By family and step, in the order of ids.
    groups: Vec<DampedGroup>,
    /// The groups that act at this instant.
    acting: Vec<usize>,
    /// Inverse masses along the axes, in 1/kg, by vertex.
    inverse_masses: Vec<F64x4>,
    /// How many damped potentials act on each vertex at this instant, three times over.
    counts: Vec<F64x4>,
    /// Of the vertices that they read: velocities before the stage, then the mean ones of the instant, in m/s.
    velocities: Vec<F64x4>,
}

/// The damped potentials of one family on one clock.
struct DampedGroup {
    /// Index of their step among the system's distinct steps.
    clock: usize,
    /// Their step, in s.
    h: f64,
    /// The vertices they read, each once, and how many of them read it.
    vertices: Vec<(u32, f64)>,
    batch: Box<dyn DampedBatch>,
}

impl Damping {
    /// That of a system with these distinct steps, its vertices renumbered.
    pub fn new(system: &System, spans: &[Span], renumbered: &[u32]) -> Self {
        let mut damping = Self {
            groups: Vec::new(),
            acting: Vec::new(),
            inverse_masses: Vec::new(),
            counts: Vec::new(),
            velocities: Vec::new(),
        };
        if !system.is_damped {
            return damping;
        }
        for (family, schedule) in system.families.iter().zip(&system.schedules) {
            for rung in &schedule.rungs {
                let is_damped = |e: &&u32| family.damping_s(**e as usize) > 0.0;
                let damped: Vec<u32> =
                    schedule.order[rung.places.clone()].iter().filter(is_damped).copied().collect();
                let Some(batch) = family.damped_batch(&damped, renumbered).filter(|_| !damped.is_empty())
                else {
                    continue;
                };
                let read = damped.iter().flat_map(|&e| family.stencil(e as usize));
                let vertices = counted(read.map(|&v| renumbered[v as usize]).collect());
                let h = system.line.quantum.step(rung.span);
                damping.groups.push(DampedGroup { clock: clock_of(rung.span, spans), h, vertices, batch });
            }
        }
        let nothing = vec![F64x4::default(); renumbered.len()];
        damping.inverse_masses.clone_from(&nothing);
        for (&v, &inverse_mass) in renumbered.iter().zip(&system.inverse_masses) {
            damping.inverse_masses[v as usize] = inverse_mass.into();
        }
        damping.counts.clone_from(&nothing);
        damping.velocities = nothing;
        damping
    }

    /// Whether something damped fires at this instant.
    pub fn acts(&self, firing: Firing<'_>) -> bool {
        self.groups.iter().any(|group| group.fires(firing))
    }

    /// Adds what those that fire answer to `velocities`, with vertices at `x`, to `sums`. Returns whether there are any.
    pub fn apply(
        &mut self,
        firing: Firing<'_>,
        x: &[F64x4],
        velocities: &[Vec3],
        sums: &mut ImpulseSums,
    ) -> bool {
        self.acting.clear();
        for (g, group) in self.groups.iter().enumerate().filter(|(_, group)| group.fires(firing)) {
            self.acting.push(g);
            for &(v, count) in &group.vertices {
                let v = v as usize;
                self.counts[v] = self.counts[v] + F64x4::from(Vec3::splat(count));
                self.velocities[v] = velocities[v].into();
            }
        }
        for &g in &self.acting {
            let group = &mut self.groups[g];
            let motion = DampedMotion {
                x,
                v: &self.velocities,
                inverse_masses: &self.inverse_masses,
                counts: &self.counts,
            };
            group.batch.resist(firing.fraction * group.h, motion, sums);
        }
        !self.acting.is_empty()
    }

    /// Books what the last stage took, with vertices at `x` and the mean velocity of each in the instant.
    pub fn book(&mut self, x: &[F64x4], mean: impl Fn(u32) -> Vec3, external: &mut ExternalLedger) {
        for &g in &self.acting {
            for &(v, _) in &self.groups[g].vertices {
                // Several groups share a vertex, and its mean takes longer than all else here.
                let count = &mut self.counts[v as usize];
                if !count.is_zero() {
                    *count = F64x4::default();
                    self.velocities[v as usize] = mean(v).into();
                }
            }
        }
        for &g in &self.acting {
            self.groups[g].batch.book(x, &self.velocities, external);
        }
    }
}

impl DampedGroup {
    /// Whether the group fires at this instant.
    fn fires(&self, firing: Firing<'_>) -> bool {
        firing.clocks.binary_search(&self.clock).is_ok()
    }
}

/// Each vertex once, ascending, and how often it is there.
fn counted(mut vertices: Vec<u32>) -> Vec<(u32, f64)> {
    vertices.sort_unstable();
    vertices.chunk_by(|one, next| one == next).map(|same| (same[0], same.len() as f64)).collect()
}
