//! How far velocities are ahead of the motion.
//!
//! A kick of step h stands for the impulse of the interval h around it. Between its kicks a potential that pushes with F has given a
//! vertex `h F`, of which at θ h after the last kick only `(θ + ½) h F` is due: the velocity is ahead of the motion by `(½ − θ) h F / m`,
//! which is what [`Reader`](crate::Reader) takes off when it reads the energy. What resists meets the velocity as it is, at any tick
//! of a layer; what it takes from the motion is its impulse times the motion's velocity. Booked with the other, a shell
//! pressed through a funnel with friction left a ledger that was off by 66 % of the work. Layers of contact know for themselves what they
//! gave too early (their own pending impulse).

use carom_math::Vec3;
use carom_model::{ImpulseSums, System};
use carom_time::{Span, Tick};

use crate::checkpoint::LastKicks;

/// The last kicks of potentials on each vertex, by kind and step.
#[derive(Default)]
pub(crate) struct SyncCorrection {
    groups: Vec<Group>,
    /// Scratch: the impulses of this instant, up to the last group that was recorded.
    so_far: Vec<Vec3>,
    /// At the current instant: the groups that do not fire, and their (θ − ½).
    between: Vec<(usize, f64)>,
}

/// Potentials of one family on one clock.
struct Group {
    family: usize,
    span: Span,
    /// What their last kick gave to each vertex, in N·s.
    last: Vec<Vec3>,
}

impl SyncCorrection {
    /// For a system before its start; empty where nothing resists motion.
    pub fn new(system: &System) -> Self {
        let lossy =
            system.contact.iter().flat_map(|contact| &contact.layers).any(|spec| !spec.law.is_ideal());
        if !lossy && !system.is_damped {
            return Self::default();
        }
        let n = system.vertices();
        let schedules = system.schedules.iter().enumerate();
        let spans = schedules
            .flat_map(|(family, schedule)| schedule.rungs.iter().map(move |rung| (family, rung.span)));
        let groups = spans.map(|(family, span)| Group { family, span, last: vec![Vec3::ZERO; n] }).collect();
        Self { groups, so_far: vec![Vec3::ZERO; n], between: Vec::new() }
    }

    /// The last kicks; vertex `v` here is called `names[v]` there.
    pub fn save(&self, names: &[u32]) -> Vec<LastKicks> {
        let saved = self.groups.iter().map(|group| {
            let given = group.last.iter().zip(names).filter(|(impulse, _)| !impulse.is_zero());
            let mut impulses: Vec<(u32, Vec3)> = given.map(|(impulse, name)| (*name, *impulse)).collect();
            impulses.sort_unstable_by_key(|(name, _)| *name);
            LastKicks { family: group.family, span: group.span, impulses }
        });
        saved.filter(|kicks| !kicks.impulses.is_empty()).collect()
    }

    /// Takes up the last kicks of an earlier run; vertex `v` there is called `renumbered[v]` here. Those of steps that the system no longer has
    /// are over.
    pub fn restore(&mut self, saved: &[LastKicks], renumbered: &[u32]) {
        for LastKicks { family, span, impulses } in saved {
            let group = self.groups.iter_mut().find(|g| g.family == *family && g.span == *span);
            let Some(group) = group else { continue };
            for &(name, impulse) in impulses {
                group.last[renumbered[name as usize] as usize] = impulse;
            }
        }
    }

    /// Whether last kicks are recorded: only where something resists motion.
    pub fn is_recorded(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Records what the potentials of a family on one clock, which alone were added since the last of these calls, gave to the vertices
    /// `visited` with `fraction` of their step.
    pub fn record(
        &mut self,
        (family, span): (usize, Span),
        fraction: f64,
        sums: &ImpulseSums,
        visited: impl Iterator<Item = usize>,
    ) {
        let group = self.groups.iter_mut().find(|g| g.family == family && g.span == span);
        let last = &mut group.expect("every family and step is listed").last;
        for v in visited {
            let sum = sums.sum(v);
            last[v] = (sum - self.so_far[v]) * (1.0 / fraction);
            self.so_far[v] = sum;
        }
    }

    /// Ends the records of the instant at `tick`, which visits the vertices `visited`.
    pub fn end_recording(&mut self, tick: Tick, visited: impl Iterator<Item = usize>) {
        for v in visited {
            self.so_far[v] = Vec3::ZERO;
        }
        self.between.clear();
        for (g, group) in self.groups.iter().enumerate() {
            let past = tick.0 - tick.floor(group.span).0;
            if past > 0 {
                self.between.push((g, past as f64 / group.span.quanta() as f64 - 0.5));
            }
        }
    }

    /// What potentials that do not fire at this instant have yet to give vertex `v`, or gave too early, in N·s.
    pub fn pending_impulse(&self, v: u32) -> Vec3 {
        let parts = self.between.iter().map(|&(g, part)| self.groups[g].last[v as usize] * part);
        parts.fold(Vec3::ZERO, |sum, part| sum + part)
    }
}
