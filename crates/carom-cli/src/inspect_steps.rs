//! What `carom inspect` says of steps: what each is as short as, and when they may become shorter.

use std::collections::BTreeMap;

use carom::engine::{MethodKind, check_period};
use carom::model::{Rung, Schedule, StepOrigin, System};
use carom::time::Tick;
use carom_scene::Built;

use crate::style;

/// What the steps of each rung are as short as, in the order of [`steps`](carom::job::steps).
pub fn origins(system: &System, method: MethodKind) -> Vec<String> {
    let of_rung = |schedule: &Schedule, rung: &Rung| {
        if !method.can_change_steps() {
            return format!("one clock for all, by {}", method.name());
        }
        let mut counts: BTreeMap<StepOrigin, u64> = BTreeMap::new();
        for &e in &schedule.order[rung.places.clone()] {
            *counts.entry(schedule.origins[e as usize]).or_default() += 1;
        }
        if counts.len() == 1 {
            return counts.keys().map(ToString::to_string).collect();
        }
        let of = |(origin, count): (&StepOrigin, &u64)| format!("{origin} ({})", style::count(*count));
        counts.iter().map(of).collect::<Vec<_>>().join(", ")
    };
    let of_schedule = |schedule| move |rung| of_rung(schedule, rung);
    system.schedules.iter().flat_map(|schedule| schedule.rungs.iter().map(of_schedule(schedule))).collect()
}

/// Prints to what the energy is held, and how often that is checked.
pub fn print_tolerance(built: &Built, system: &System, method: MethodKind) {
    let said = match &built.energy_tolerance {
        _ if !method.keeps_the_contract() => format!("none: {} promises nothing", method.name()),
        None => "none (clocks.energy_tolerance)".to_owned(),
        Some(tolerance) => {
            format!("energy to {:e} of what is turned over (clocks.energy_tolerance)", tolerance.relative)
        }
    };
    println!("  tolerance  {said}");
    if built.energy_tolerance.is_none() || !method.keeps_the_contract() {
        return;
    }
    if !method.can_change_steps() {
        println!("             judged at the end: {} never shortens steps", method.name());
        return;
    }
    let Some(quanta) = check_period(system) else { return };
    let [slowest, period] = quanta.map(|quanta| style::seconds(system.line.quantum.time(Tick(quanta))));
    println!(
        "             checked at S, 2 S, 4 S … and then every 128 S = {period}, S = {slowest} the slowest step; steps become shorter where it fails"
    );
}
