//! The frames of a finished run, and the styles of its bodies in pictures.

use std::path::{Path, PathBuf};

use carom_math::Vec3;
use carom_model::Frame;
use carom_output::picture::BodyStyle;
use carom_output::pvd::Entry;
use carom_output::{OutputError, RunFolder, pvd, vtu};
use carom_scene::format::{Body, Material};
use carom_scene::{Scene, SceneError};

/// The frames of a run, read back from its folder: to draw, export or measure them.
#[derive(Debug)]
pub struct Frames {
    folder: PathBuf,
    /// The scene that was run.
    pub scene: Scene,
    entries: Vec<Entry>,
}

/// Why frames cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FramesError {
    /// The folder is not that of a run.
    #[error("{0} is not the folder of a run: it has no {1}; `carom run` writes one, and says where")]
    NoRun(PathBuf, &'static str),
    /// A run without that frame.
    #[error("{run} has no frame {frame}: it has {count}, counted from 0")]
    NoFrame {
        /// The folder.
        run: PathBuf,
        /// The requested frame.
        frame: usize,
        /// Number of frames.
        count: usize,
    },
    /// A run without frames.
    #[error("{0} has no frames: run it with output.frames of 1 or more")]
    NoFrames(PathBuf),
    /// A scene that cannot be read.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A frame that cannot be read.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl Frames {
    /// The frames in the folder of a run: at least one.
    pub fn open(folder: &Path) -> Result<Self, FramesError> {
        if !folder.join(RunFolder::SCENE).is_file() {
            return Err(FramesError::NoRun(folder.to_owned(), RunFolder::SCENE));
        }
        let list = folder.join(pvd::LIST);
        let entries = if list.is_file() { pvd::read(&list)? } else { Vec::new() };
        if entries.is_empty() {
            return Err(FramesError::NoFrames(folder.to_owned()));
        }
        let scene = Scene::load(&folder.display().to_string(), &[])?.scene;
        Ok(Self { folder: folder.to_owned(), scene, entries })
    }

    /// Number of frames: at least one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// Times of the frames, in s.
    pub fn times_s(&self) -> impl Iterator<Item = f64> {
        self.entries.iter().map(|entry| entry.time_s)
    }

    /// Whether there is a frame of this number, counted from 0.
    pub fn check(&self, frame: usize) -> Result<(), FramesError> {
        self.entry(frame).map(|_| ())
    }

    /// Reads one, counted from 0.
    pub fn read(&self, frame: usize) -> Result<Frame, FramesError> {
        Ok(vtu::read(&self.folder.join(&self.entry(frame)?.file))?)
    }

    fn entry(&self, frame: usize) -> Result<&Entry, FramesError> {
        let none = || FramesError::NoFrame { run: self.folder.clone(), frame, count: self.entries.len() };
        self.entries.get(frame).ok_or_else(none)
    }

    /// The upward direction: against gravity, if there is any.
    #[must_use]
    pub fn upwards(&self) -> Option<Vec3> {
        let gravity = self.scene.file.gravity.as_ref()?;
        (-gravity.acceleration.get()).try_normalize()
    }

    /// The names of the bodies, in the order of the scene.
    #[must_use]
    pub fn bodies(&self) -> Vec<&str> {
        self.scene.file.bodies.iter().map(|body| body.name.as_str()).collect()
    }

    /// Style of each body.
    #[must_use]
    pub fn looks(&self) -> Vec<BodyStyle> {
        self.scene.file.bodies.iter().map(|body| style_of(body)).collect()
    }
}

/// Style of a body: rods have their contact radius.
fn style_of(body: &Body) -> BodyStyle {
    let contact =
        body.contact.as_ref().and_then(|contact| contact.radius.as_ref()).map(carom_scene::Positive::get);
    let own = body.material.as_deref().and_then(Material::radius_m);
    let point_radius_m = if own.is_none() { contact } else { None };
    BodyStyle {
        obstacle: body.obstacle,
        tube_radius_m: own.map(|own| contact.unwrap_or(own)),
        point_radius_m,
        ..BodyStyle::default()
    }
}
