//! Driving a method past the ticks at which someone wants to see it.
//!
//! The one loop around [`Method::advance`] that stops on the way: for rows of a ledger, for gap minima, for the instants that an audit repeats.

use core::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use carom_math::Vec3;
use carom_model::Fault;
use carom_time::Tick;

use crate::{InstantListener, InstantReport, Method, Progress};

/// A listener that also looks at the method, at ticks it names and wherever it asks to pause.
pub trait Inspector: InstantListener {
    /// The next tick at which it inspects the method: never before the last one.
    fn next_tick(&self) -> Option<Tick>;

    /// Every instant up to `tick` has happened, and none after it. `Break` ends the drive.
    fn inspect(&mut self, method: &dyn Method, tick: Tick) -> ControlFlow<()>;

    /// Every instant up to `tick`, which may still be inspected, has happened and is never taken back. `Break` ends the drive.
    fn confirmed(&mut self, method: &dyn Method, tick: Tick) -> ControlFlow<()> {
        let _ = (method, tick);
        ControlFlow::Continue(())
    }

    /// Everything after the last tick that was confirmed is taken back, and happens again with other steps; everything, the start included,
    /// where none was.
    fn went_back(&mut self, confirmed: Option<Tick>) {
        let _ = confirmed;
    }
}

/// Makes every instant happen that is not after `end`, and stops on the way for each of the inspectors; [`Progress::Paused`] if one of them ended it.
pub fn drive(
    method: &mut dyn Method,
    end: Tick,
    stop: &AtomicBool,
    inspectors: &mut [&mut dyn Inspector],
) -> Result<Progress, Fault> {
    let asks = vec![false; inspectors.len()];
    let mut panel = Panel { inspectors, asks };
    loop {
        let next = panel.next_tick().map_or(end, |tick| tick.min(end));
        let tick = match method.advance(next, stop, &mut panel)? {
            Progress::Reached => {
                panel.ask_at(next);
                next
            }
            Progress::Paused(tick) => tick,
            Progress::Confirmed(tick) => {
                if panel.confirmed(method, tick).is_break() {
                    return Ok(Progress::Paused(tick));
                }
                continue;
            }
            Progress::WentBack(to) => {
                panel.went_back(to);
                continue;
            }
            stopped @ Progress::Stopped(_) => return Ok(stopped),
        };
        if !panel.asks.contains(&true) && tick == end {
            return Ok(Progress::Reached);
        }
        if panel.inspect(method, tick).is_break() {
            return Ok(Progress::Paused(tick));
        }
    }
}

/// All inspectors of a drive, as one listener.
struct Panel<'a, 'b> {
    inspectors: &'a mut [&'b mut dyn Inspector],
    /// Which of them inspect the method as soon as it stands still.
    asks: Vec<bool>,
}

impl Panel<'_, '_> {
    fn next_tick(&self) -> Option<Tick> {
        self.inspectors.iter().filter_map(|inspector| inspector.next_tick()).min()
    }

    /// Those that named `tick` inspect it.
    fn ask_at(&mut self, tick: Tick) {
        for (asks, inspector) in self.asks.iter_mut().zip(&*self.inspectors) {
            *asks |= inspector.next_tick() == Some(tick);
        }
    }

    /// Lets those that asked inspect the method.
    fn inspect(&mut self, method: &dyn Method, tick: Tick) -> ControlFlow<()> {
        let mut outcome = ControlFlow::Continue(());
        for (asks, inspector) in self.asks.iter_mut().zip(&mut *self.inspectors) {
            if core::mem::take(asks) && inspector.inspect(method, tick).is_break() {
                outcome = ControlFlow::Break(());
            }
        }
        outcome
    }
}

impl Panel<'_, '_> {
    fn confirmed(&mut self, method: &dyn Method, tick: Tick) -> ControlFlow<()> {
        let mut outcome = ControlFlow::Continue(());
        for inspector in &mut *self.inspectors {
            if inspector.confirmed(method, tick).is_break() {
                outcome = ControlFlow::Break(());
            }
        }
        outcome
    }

    fn went_back(&mut self, confirmed: Option<Tick>) {
        self.asks.fill(false);
        self.inspectors.iter_mut().for_each(|inspector| inspector.went_back(confirmed));
    }
}

impl InstantListener for Panel<'_, '_> {
    fn wants_kicks(&self) -> bool {
        self.inspectors.iter().any(|inspector| inspector.wants_kicks())
    }

    fn kicked(&mut self, vertex: u32, tick: Tick, position: Vec3, velocity: Vec3) {
        for inspector in self.inspectors.iter_mut().filter(|inspector| inspector.wants_kicks()) {
            inspector.kicked(vertex, tick, position, velocity);
        }
    }

    fn after_instant(&mut self, report: &InstantReport) -> ControlFlow<()> {
        for (asks, inspector) in self.asks.iter_mut().zip(&mut *self.inspectors) {
            *asks |= inspector.after_instant(report).is_break();
        }
        if self.asks.contains(&true) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
