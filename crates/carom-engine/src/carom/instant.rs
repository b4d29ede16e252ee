//! One instant, in the steps of the contract (`docs/theory/contract.md`, "One instant").

use carom_contact::DissipativeContact;
use carom_math::Vec3;
use carom_model::Fault;
use carom_time::Tick;

use super::Carom;
use super::contact::EngineContact;
use super::schedule::Firing;
use super::vertices::Vertices;
use crate::diagnosis;
use crate::part_times::Stopwatch;

impl Carom {
    /// One instant: the clocks of `firing` and the layers of active pairs fire. Its gap minimum, step 11, is asked for by the
    /// walk over instants. Steps 2 and 3 commute.
    pub(super) fn fire(&mut self, firing: Firing<'_>, watch: &mut Stopwatch) -> Result<(), Fault> {
        let tick = firing.tick;
        self.schedule.drift(firing, &mut self.vertices, &mut self.visited); // 1
        self.times.motion += watch.lap();
        self.add_element_impulses(firing); // 3
        self.times.elements += watch.lap();
        self.keyframes.apply(tick, &mut self.vertices, &mut self.visited); // 2
        self.add_pair_impulses(firing); // 4
        self.times.pairs += watch.lap();
        let is_resisted = self.is_resisted(firing);
        if is_resisted {
            self.vertices.keep_velocities(self.visited.iter());
        }
        self.kick(tick)?; // 5
        if is_resisted {
            self.times.motion += watch.lap();
            self.apply_damping(firing)?; // 6
            self.apply_contact_laws(tick)?; // 7
            self.book_losses(); // 8
            self.times.losses += watch.lap();
        }
        self.sums.end_instant();
        self.vertices.end_keyframes();
        self.remember(firing); // 9
        self.times.motion += watch.lap();
        self.update_certificates(tick, watch) // 10
    }

    /// Adds the impulses of the elements whose clocks fire, in the order of ids.
    fn add_element_impulses(&mut self, firing: Firing<'_>) {
        let Firing { tick, fraction, .. } = firing;
        let time_s = self.vertices.quantum.time(tick);
        for group in self.groups.iter().filter(|group| group.fires(firing)) {
            group.batches.kick(time_s, fraction * group.h, &self.vertices.now, &mut self.sums);
            self.evaluations[group.family] += group.count;
            if self.sync_correction.is_recorded() {
                let clock = (group.family, group.span);
                self.sync_correction.record(clock, fraction, &self.sums, self.visited.iter());
            }
        }
        if self.sync_correction.is_recorded() {
            self.sync_correction.end_recording(tick, self.visited.iter());
        }
    }

    /// Adds the impulses of the pairs that have a layer that fires.
    fn add_pair_impulses(&mut self, firing: Firing<'_>) {
        let Some(contact) = &mut self.contact else { return };
        let Self { vertices, visited, sums, .. } = self;
        contact.add_impulses(firing.tick, firing.fraction, vertices, visited, sums);
        *self.evaluations.last_mut().expect("contact is counted") = contact.evaluations();
    }

    /// Kicks the vertices that the impulses of a stage touched, and ends the stage.
    fn kick(&mut self, tick: Tick) -> Result<(), Fault> {
        let kicked = self.vertices.kick(&self.visited, tick, &mut self.sums);
        self.sums.end_stage();
        kicked.map_err(|vertex| diagnosis::of_vertex(&self.system, &self.state_now(), vertex, tick))
    }

    /// Whether damping or a contact law acts at this instant.
    fn is_resisted(&self, firing: Firing<'_>) -> bool {
        self.damping.acts(firing) || !self.dissipative_contacts().is_empty()
    }

    /// The pairs that pushed at this instant and have a law beside their normal force.
    fn dissipative_contacts(&self) -> &[DissipativeContact] {
        self.contact.as_ref().map_or(&[], EngineContact::dissipative)
    }

    /// The second stage: damped elements whose clocks fire answer the velocities.
    fn apply_damping(&mut self, firing: Firing<'_>) -> Result<(), Fault> {
        let Vertices { now, velocities, .. } = &self.vertices;
        if self.damping.apply(firing, now, velocities, &mut self.sums) {
            self.kick(firing.tick)?;
        }
        Ok(())
    }

    /// The third stage: restitution and friction answer the velocities after the second.
    fn apply_contact_laws(&mut self, tick: Tick) -> Result<(), Fault> {
        let Vertices { velocities, inverse_masses, .. } = &self.vertices;
        let Some(contact) = &mut self.contact else { return Ok(()) };
        let motion = (&velocities[..], &inverse_masses[..]);
        if self.contact_laws.apply(tick, contact.dissipative_and_unspent(), motion, &mut self.sums) {
            self.kick(tick)?;
        }
        Ok(())
    }

    /// Books what the second and the third stage took, with velocities that are those of the motion.
    fn book_losses(&mut self) {
        let Vertices { now, before, velocities, inverse_masses, .. } = &self.vertices;
        let pending = |v: u32| {
            let of_contact = self.contact.as_ref().map_or(Vec3::ZERO, |contact| contact.pending_impulse(v));
            self.sync_correction.pending_impulse(v) + of_contact
        };
        let lag = |v: u32| pending(v).scaled_by(inverse_masses[v as usize]);
        let mean = |v: u32| (before[v as usize] + velocities[v as usize]) * 0.5 + lag(v);
        let external = &mut self.sums.external;
        self.damping.book(now, mean, external);
        self.contact_laws.book(self.contact.as_ref().map_or(&[], EngineContact::dissipative), mean, external);
    }

    /// Lets elements that fired write what they remember.
    fn remember(&mut self, firing: Firing<'_>) {
        let Vertices { now, positions, .. } = &mut self.vertices;
        for group in self.groups.iter().filter(|group| group.remembers && group.fires(firing)) {
            group.batches.remember(now, positions);
        }
    }

    /// Renews the certificates of pairs, with the minimum gap test.
    pub(super) fn update_certificates(&mut self, tick: Tick, watch: &mut Stopwatch) -> Result<(), Fault> {
        let Some(contact) = &mut self.contact else { return Ok(()) };
        let searching = contact.searching();
        let updated = contact.update_certificates(tick, &self.vertices, &self.visited);
        self.times.certificates += watch.lap().saturating_sub(contact.searching().saturating_sub(searching));
        updated.map_err(|failure| diagnosis::of_separation_failure(&self.system, &failure))
    }
}
