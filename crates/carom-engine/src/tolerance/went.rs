//! What follows when the engine of a run with a tolerance has gone as far as it was told.

use carom_model::Fault;
use carom_time::Tick;

use super::EnergyController;
use super::refinement::RefinementCause;
use super::since_check::GapMinimum;
use crate::Progress;

/// How far its engine went.
pub(super) struct Went {
    pub progress: Result<Progress, Fault>,
    /// Where it was to go.
    pub target: Tick,
    /// Where the caller wants to go.
    pub end: Tick,
    /// Whether gap minima and checks count.
    pub is_judged: bool,
    /// A gap minimum at which it paused: the part of the stretch, and the distance in m.
    pub found: Option<(u64, f64)>,
    /// Whether the caller's listener asks to pause.
    pub asks: bool,
}

impl EnergyController {
    /// Keeps, judges and confirms what its engine has advanced to; what to tell the caller, if it is to stop here.
    pub(super) fn after_advance(&mut self, went: Went) -> Result<Option<Progress>, Fault> {
        let Went { progress, target, end, is_judged, found, asks } = went;
        if self.balance.is_none() && progress.is_ok() {
            self.read_start();
        }
        match progress {
            Err(fault) if self.is_given_up() => return Err(fault),
            Err(fault) => {
                let failed = self.fail(fault.tick(), RefinementCause::Fault(fault), 0.0)?;
                return Ok(Some(failed.expect("a Fault that cannot be mended ends the run")));
            }
            Ok(Progress::Paused(tick)) => {
                if let Some((part, distance_m)) = found {
                    let moment = self.moment(tick);
                    self.since_check.keep(GapMinimum { part, distance_m, moment });
                }
                if asks {
                    return Ok(Some(Progress::Paused(tick)));
                }
            }
            Ok(Progress::Reached) if is_judged && self.between_kicks() == Some(target) => {
                self.since_check.between_kicks = Some(self.moment(target));
                if target == end {
                    return Ok(Some(Progress::Reached));
                }
            }
            Ok(Progress::Reached) if is_judged && target == self.next_check() => {
                let (balance, worst) = self.judge(target);
                if worst.exceeds(self.limit(target, &balance))
                    && let Some(went_back) = self.fail(target, worst, balance.turnover_j())?
                {
                    return Ok(Some(went_back));
                }
                if !self.is_given_up() {
                    self.confirm_here(balance);
                    return Ok(Some(Progress::Confirmed(target)));
                }
            }
            Ok(Progress::Reached) if target == end => return Ok(Some(Progress::Reached)),
            Ok(Progress::Stopped(tick)) if !is_judged || Some(tick) <= self.confirmed.tick() => {
                return Ok(Some(Progress::Stopped(tick)));
            }
            Ok(Progress::Stopped(_)) => return self.go_back_to_stop().map(Some),
            Ok(_) => {}
        }
        Ok(None)
    }
}
