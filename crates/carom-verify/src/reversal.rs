//! The period map is symmetric: run, flip the velocities, run again, and be back.
//!
//! | | |
//! | --- | --- |
//! | Run | a whole number of periods that all clocks share, half-kick start, velocities synchronised at the end: that takes back half of the last kick, so the map is its own mirror image |
//! | Residual | the largest of `│δx│/size` and `h│δv│/size` on return, with `h` the fastest step: round-off in a position is relative to the size of the scene, and a velocity is changed by what moves a vertex within a step |
//!
//! Round-off grows with the number of periods (exponentially where the motion is chaotic): a few are enough.

use std::sync::Arc;

use carom_engine::Reader;
use carom_model::{Start, State, System};
use carom_time::{Span, Tick};

use crate::clocks::{commensurable, starting};
use crate::report::{Claim, Found, Unfound, Worst};
use crate::scale::{fastest_step_s, size};
use crate::{NEVER, Options};

pub(crate) fn claim(options: &Options) -> Claim {
    Claim {
        name: "time reversal",
        what: "Whole periods, velocities flipped, and the same periods again lead back to the start.",
        bound: options.bound,
    }
}

pub(crate) fn check(system: &System, state: &State, options: &Options) -> Result<Found, Unfound> {
    let (system, period) = commensurable(system)
        .ok_or_else(|| Unfound::Skipped("the clocks have no short common period".into()))?;
    measure(&Arc::new(starting(&system, Start::HalfKick)), period, state, options)
}

fn measure(system: &Arc<System>, period: Span, state: &State, options: &Options) -> Result<Found, Unfound> {
    let end = Tick(period.quanta() * u64::from(options.periods));
    let there = flipped(system, state, end, options)?;
    let back = flipped(system, &there, end, options)?;
    let (size, h) = (size(&state.positions), fastest_step_s(system));
    let apart = |a: &State, b: &State| {
        let x = a.positions.iter().zip(&b.positions).map(|(p, q)| (*p - *q).length());
        let v = a.velocities.iter().zip(&b.velocities).map(|(p, q)| (*p - *q).length() * h);
        x.chain(v).collect::<Worst>().0 / size
    };
    if there.positions == state.positions {
        return Err(Unfound::Skipped("nothing moves".into()));
    }
    let details =
        vec![format!("{} periods; went as far as {:.3e} of the size", options.periods, apart(state, &there))];
    Ok(Found { residual: apart(state, &back), details })
}

/// Where the system is after `end`, about to go back.
fn flipped(system: &Arc<System>, state: &State, end: Tick, options: &Options) -> Result<State, Unfound> {
    let mut method = options.launch(system, state);
    method.advance_to(end, &NEVER).map_err(|fault| Unfound::Failed(fault.to_string()))?;
    let reading = Reader::new(system).read(&method.state(), &method.books(), end);
    let backwards = reading.velocities.iter().map(|v| -*v).collect();
    Ok(State::new(reading.positions, backwards, system.line.quantum))
}
