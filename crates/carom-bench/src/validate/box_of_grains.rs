//! Grains from the text of a scene, let go and read at times.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_contact::Touch;
use carom_engine::{ContactSummary, Method, MethodKind, Reader, Reading};
use carom_model::{State, System};
use carom_scene::{InMemory, Scene, build};
use carom_time::Tick;

/// A scene of grains, built.
pub struct BoxOfGrains {
    pub system: Arc<System>,
    state: State,
}

impl BoxOfGrains {
    /// The scene of this text.
    ///
    /// # Panics
    /// If it is unsound: the scenes here are known to be sound.
    pub fn of(text: &str) -> Self {
        let scene = Scene::parse("grains.toml", text).unwrap_or_else(|error| panic!("{error}"));
        let built = build(&scene, &InMemory::default()).unwrap_or_else(|error| panic!("{error}"));
        Self { system: Arc::new(built.system), state: built.state }
    }

    pub fn start(&self) -> Running {
        let method = MethodKind::Carom.start(&self.system, self.state.clone());
        Running { method, reader: Reader::new(&self.system), now: Tick::START }
    }
}

/// Grains on their way.
pub struct Running {
    method: Box<dyn Method>,
    reader: Reader,
    /// When it was last read.
    now: Tick,
}

impl Running {
    /// The reading at a time, in s, not before the last.
    ///
    /// # Panics
    /// If the run ends in a Fault: none of these does.
    pub fn read_at(&mut self, time_s: f64) -> Reading {
        let tick = self.reader.system().line.tick_at(time_s).expect("a time on the time line");
        self.method.advance_to(tick, &AtomicBool::new(false)).expect("nothing is squeezed");
        self.now = tick;
        self.reader.read(&self.method.state(), &self.method.external(), &self.method.pairs(), tick)
    }

    /// Contact of the first two bodies that touched, so far.
    pub fn touch(&self) -> Option<Touch> {
        self.method.touches(self.now).first().copied()
    }

    pub fn contact(&self) -> ContactSummary {
        self.method.summary().contact.expect("there is contact")
    }
}
