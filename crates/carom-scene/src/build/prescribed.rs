//! Prescribed motions that cross: refused with time, pair and the lines that prescribe them.

use carom_contact::first_prescribed_crossing;
use carom_model::{State, System};
use carom_time::Tick;

use super::Assembly;
use crate::at::Span;
use crate::report::Problem;

/// What holds a part, in the order in which it is to blame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    Drive,
    Velocity,
    Pin,
    Obstacle,
}

impl Assembly<'_> {
    /// Refuses held parts that cross up to `end`.
    pub(super) fn refuse_prescribed_crossing(
        &self,
        system: &System,
        state: &State,
        end: Tick,
    ) -> Result<(), Problem> {
        let Some(crossing) = first_prescribed_crossing(system, state, end) else { return Ok(()) };
        let mut parts = crossing.vertices.each_ref().map(|vertices| {
            let holders = vertices.iter().map(|v| self.holder(system, state, *v));
            holders.min_by_key(|(holder, ..)| *holder).expect("a primitive has vertices")
        });
        parts.sort_by_key(|(holder, ..)| *holder);
        let [(_, first_span, first), (_, second_span, second)] = parts;
        let [one, other] = &crossing.in_words;
        let time_s = in_short(crossing.time_s);
        let message = format!("{first} and {second} cross at {time_s} s: {one} and {other}");
        let problem = Problem::new(&first_span, message).and(&second_span, "and this");
        let help = "no force moves what is held: lead one of them another way, hold fewer vertices, or end the run before";
        Err(problem.help(help))
    }

    /// What holds a vertex, where the scene says so, and in words.
    fn holder(&self, system: &System, state: &State, v: u32) -> (Holder, Span, String) {
        let file = &self.scene.file;
        let number = system.bodies.iter().position(|b| b.vertices.contains(&v)).expect("a place has a body");
        let body = &file.bodies[number];
        let path = system.paths.iter().position(|path| path.vertices.contains(&v));
        if let Some(drive) = path.and_then(|path| file.drives.get(path)) {
            return (Holder::Drive, drive.keys.span(), format!("\"{}\", which is driven,", body.name));
        }
        if let Some(pin) = self.pins.iter().position(|pin| pin.vertices.contains(&v)) {
            let words = format!("\"{}\", which is pinned,", body.name);
            return (Holder::Pin, file.pins[pin].select.span(), words);
        }
        let words = format!("obstacle \"{}\"", body.name);
        // A velocity may come from a table, or from an earlier run.
        let said_at = Some(body.velocity.span()).filter(|span| *span != (0..0));
        if state.velocities[v as usize].is_zero() {
            (Holder::Obstacle, body.name.span(), words)
        } else {
            (Holder::Velocity, said_at.unwrap_or_else(|| body.name.span()), words)
        }
    }
}

/// A number with four digits, as people write it.
fn in_short(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}
