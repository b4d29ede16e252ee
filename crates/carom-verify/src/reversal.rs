//! The period map is symmetric: run, reverse the velocities, run again, and return to the start.
//!
//! | | |
//! | --- | --- |
//! | Run | a whole number of periods that all clocks share, half-kick start, velocities synchronised at the end: that takes back half of the last kick, so the map is its own mirror image |
//! | Residual | the largest of `│δx│` and `h│δv│` on return, with `h` the fastest step, relative to the largest of the same between the start and the turning point, not counting the rounding of positions |
//!
//! Round-off grows with the number of periods (exponentially where the motion is chaotic): a few are enough.

use std::sync::Arc;

use carom_engine::Reader;
use carom_model::{Start, State, System};
use carom_time::{Span, Tick};

use crate::clocks::{commensurable, end_of_periods, starting};
use crate::report::{Measurement, NoMeasurement, Property, Worst};
use crate::scale::{fastest_step_s, relative, size};
use crate::{NEVER, Options};

pub(crate) fn claim(options: &Options) -> Property {
    Property {
        name: "time reversal",
        what: "Whole periods, velocities flipped, and the same periods again lead back to the start.",
        bound: options.bound,
    }
}

pub(crate) fn check(system: &System, state: &State, options: &Options) -> Result<Measurement, NoMeasurement> {
    let (system, period) = commensurable(system)
        .ok_or_else(|| NoMeasurement::Skipped("the clocks have no short common period".into()))?;
    measure(&Arc::new(starting(&system, Start::HalfKick)), period, state, options)
}

fn measure(
    system: &Arc<System>,
    period: Span,
    state: &State,
    options: &Options,
) -> Result<Measurement, NoMeasurement> {
    let end = end_of_periods(system, period, options.periods);
    let there = flipped(system, state, end, options)?;
    let back = flipped(system, &there, end, options)?;
    let h = fastest_step_s(system);
    let apart = |a: &State, b: &State| {
        let x = a.positions.iter().zip(&b.positions).map(|(p, q)| (*p - *q).length());
        let v = a.velocities.iter().zip(&b.velocities).map(|(p, q)| (*p - *q).length() * h);
        x.chain(v).collect::<Worst>().0
    };
    let (went, missed) = (apart(state, &there), apart(state, &back));
    if went == 0.0 {
        return Err(NoMeasurement::Skipped("nothing moves".into()));
    }
    let details = vec![format!("missed by {missed:.3e} m after going as far as {went:.3e} m")];
    Ok(Measurement { residual: relative(missed, went, size(&state.positions), options.bound), details })
}

/// The state at `end` with reversed velocities.
fn flipped(
    system: &Arc<System>,
    state: &State,
    end: Tick,
    options: &Options,
) -> Result<State, NoMeasurement> {
    let mut method = options.launch(system, state);
    method.advance_to(end, &NEVER).map_err(|fault| NoMeasurement::Failed(fault.to_string()))?;
    let reading = Reader::new(system).read(&method.state(), &method.external(), &method.pairs(), end);
    let backwards = reading.velocities.iter().map(|v| -*v).collect();
    Ok(State::new(reading.positions, backwards, system.line.quantum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ladder, pinned_ladder, restarting_its_clocks, without_half_kick};
    use carom_time::Clocks;

    #[test]
    fn springs_find_their_way_back() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            for (system, state) in [ladder(clocks), pinned_ladder(clocks)] {
                assert!(check(&system, &state, &Options::default()).unwrap().residual < 1e-13);
            }
        }
    }

    #[test]
    fn without_the_half_kick_the_way_back_is_another() {
        let (system, state) = ladder(Clocks::Dyadic);
        assert!(check(&system, &state, &without_half_kick()).unwrap().residual > 1e-3);
    }

    #[test]
    fn with_restarted_clocks_the_way_back_is_another() {
        let (system, state) = ladder(Clocks::Dyadic);
        assert!(check(&system, &state, &restarting_its_clocks()).unwrap().residual > 1e-6);
    }
}
