//! A view of a run from another thread, which never slows it.
//!
//! Whoever looks asks for a copy and takes the newest there is. The run notices between two instants, copies its state if the last copy is long
//! enough ago, and goes on: it waits for nobody, and making copies takes at most a hundredth of its time.

use core::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use carom_engine::{Inspector, InstantListener, InstantReport, Method};
use carom_model::State;
use carom_time::Tick;

/// Copies are at least so many times as far apart as one takes.
const SPARSENESS: u32 = 100;

/// A run at one tick, as a [`LatestView`] saw it on the way.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Every instant up to this tick had happened.
    pub tick: Tick,
    /// When, in s.
    pub time_s: f64,
    /// Position, velocity and tick of the last kick of every vertex.
    pub state: State,
    /// How often the run had gone back to a checkpoint before. Where [`LatestView::rewinds`] is larger, it may have taken this moment back.
    pub rewinds: u64,
}

/// A view of a run for another thread, from [`Simulation::latest_view`](crate::Simulation::latest_view): for displays, which may miss moments but must not slow the run.
///
/// ```
/// use carom::prelude::*;
/// use std::time::Duration;
///
/// let mut simulation = Simulation::new(&Scene::load("two-masses", &[])?)?;
/// let view = simulation.latest_view(30.0);
/// let display = std::thread::spawn(move || {
///     loop {
///         if let Some(moment) = view.newest() {
///             return moment.state.positions[0];
///         }
///         std::thread::sleep(Duration::from_millis(1));
///     }
/// });
/// simulation.advance_to(1.0)?;
/// assert!(display.join().unwrap().is_finite());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LatestView(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// Someone would like a newer moment.
    is_asked: AtomicBool,
    newest: Mutex<Option<Arc<Moment>>>,
    rewinds: AtomicU64,
}

impl LatestView {
    /// The newest moment there is, and asks for a newer one; `None` before the first.
    #[must_use]
    pub fn newest(&self) -> Option<Arc<Moment>> {
        self.0.is_asked.store(true, Ordering::Relaxed);
        self.0.newest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How often the run has gone back to a checkpoint.
    #[must_use]
    pub fn rewinds(&self) -> u64 {
        self.0.rewinds.load(Ordering::Relaxed)
    }
}

/// Copies the state of a run for a view.
pub(super) struct Copier {
    shared: Arc<Shared>,
    apart: Duration,
    /// No copy is made before this.
    not_before: Option<Instant>,
    rewinds: u64,
}

impl Copier {
    /// A copier and its view, for at most `copies_per_s` copies a second of a run that went back so often.
    pub fn new(copies_per_s: f64, rewinds: u64) -> (Self, LatestView) {
        let shared = Arc::new(Shared {
            is_asked: AtomicBool::new(true),
            newest: Mutex::new(None),
            rewinds: AtomicU64::new(rewinds),
        });
        let apart = Duration::try_from_secs_f64(1.0 / copies_per_s).unwrap_or(Duration::MAX);
        let view = LatestView(Arc::clone(&shared));
        (Self { shared, apart, not_before: None, rewinds }, view)
    }

    /// Whether anyone still has the view.
    pub fn is_wanted(&self) -> bool {
        Arc::strong_count(&self.shared) > 1
    }

    /// Tells the view that the run went back.
    pub fn go_back(&mut self) {
        self.rewinds += 1;
        self.shared.rewinds.store(self.rewinds, Ordering::Relaxed);
    }

    fn is_due(&self) -> bool {
        self.shared.is_asked.load(Ordering::Relaxed)
            && self.not_before.is_none_or(|not_before| Instant::now() >= not_before)
    }
}

impl InstantListener for Copier {
    fn after_instant(&mut self, _: &InstantReport) -> ControlFlow<()> {
        if self.is_due() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Inspector for Copier {
    fn next_tick(&self) -> Option<Tick> {
        None
    }

    fn inspect(&mut self, method: &dyn Method, tick: Tick) -> ControlFlow<()> {
        let started = Instant::now();
        self.shared.is_asked.store(false, Ordering::Relaxed);
        let state = method.state();
        let moment = Moment { tick, time_s: state.quantum().time(tick), state, rewinds: self.rewinds };
        *self.shared.newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(moment));
        let done = Instant::now();
        let apart = self.apart.max((done - started).saturating_mul(SPARSENESS));
        self.not_before = done.checked_add(apart);
        ControlFlow::Continue(())
    }

    fn went_back(&mut self, _: Option<Tick>) {
        self.go_back();
    }
}
