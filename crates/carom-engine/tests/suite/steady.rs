//! What goes on and on allocates nothing.

use std::sync::atomic::AtomicBool;

use crate::sheet::{Sheet, sheet};
use allocation_counter::measure;
use carom_engine::{Carom, Method};
use carom_model::{Fault, System};
use carom_time::Tick;

static NEVER: AtomicBool = AtomicBool::new(false);

/// How often memory was asked for on the way to `end`.
fn allocations(method: &mut Carom, end: Tick) -> Result<u64, Fault> {
    let mut outcome = Ok(());
    let info = measure(|| outcome = method.advance_to(end, &NEVER).map(drop));
    outcome.map(|()| info.count_total)
}

#[test]
fn a_shell_that_swings_allocates_nothing() {
    let (system, state, fall_s) = sheet(&Sheet::full_depth(3, 400));
    let alone = std::sync::Arc::new(System { contact: None, ..(*system).clone() });
    let mut method = Carom::new(&alone, &state);
    let tick = |part: f64| alone.line.tick_at(part * fall_s).unwrap();
    allocations(&mut method, tick(0.01)).unwrap();
    let instants = method.summary().instants;
    assert_eq!(allocations(&mut method, tick(20.0)), Ok(0));
    assert!(method.summary().instants > instants + 100, "much has happened");
}

#[test]
fn a_sheet_that_crumples_allocates_when_it_searches_and_at_few_instants_beside() {
    let (system, state, fall_s) = sheet(&Sheet::full_depth(5, 400));
    let mut method = Carom::new(&system, &state);
    let tick = |part: f64| system.line.tick_at(part * fall_s).unwrap();
    allocations(&mut method, tick(0.2)).unwrap();
    let (mut asked, mut instants, mut between_searches) = (0, 0, 0);
    for hundredth in 21..90 {
        let (searches, before) = (method.summary().contact.unwrap().searches, method.summary().instants);
        let count = allocations(&mut method, tick(f64::from(hundredth) / 100.0)).unwrap();
        if method.summary().contact.unwrap().searches == searches {
            between_searches += 1;
            asked += count;
            instants += method.summary().instants - before;
        }
    }
    assert!(between_searches > 5 && *method.summary().evaluations.last().unwrap() > 1000);
    // Lists grow as more pairs wake; once they have, nothing is asked for.
    assert!(asked * 20 < instants, "{asked} allocations at {instants} instants without a search");
}
