//! The frames of earlier runs, to start from.

use std::path::{Path, PathBuf};

use carom_model::Frame;
use carom_output::{OutputError, RunFolder, pvd, vtu};
use carom_scene::{Earlier, EarlierBody, Scene, SceneError};

/// A frame of a run: `runs/roof/1`, or `runs/roof/1:12` for its frame 12.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameOf {
    /// The folder of the run.
    pub run: PathBuf,
    /// Which frame, counted from 0; the last if not given.
    pub frame: Option<usize>,
}

/// A frame that one cannot start from.
#[derive(Debug, thiserror::Error)]
pub enum FromError {
    /// Not the folder of a run.
    #[error("{0} is not the folder of a run: it has no {1}")]
    NoRun(PathBuf, &'static str),
    /// A run without that frame.
    #[error("{run} has no frame {frame}: it has {count}, counted from 0")]
    NoFrame {
        /// The folder.
        run: PathBuf,
        /// The frame asked for.
        frame: usize,
        /// How many there are.
        count: usize,
    },
    /// A run without frames.
    #[error("{0} has no frames to start from: run it with output.frames of 1 or more")]
    NoFrames(PathBuf),
    /// A scene that cannot be read.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A frame that cannot be read.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl FrameOf {
    /// Reads `RUN` or `RUN:FRAME`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let parts = text.rsplit_once(':').and_then(|(run, frame)| Some((run, frame.parse().ok()?)));
        match parts {
            Some((run, frame)) => Self { run: run.into(), frame: Some(frame) },
            None => Self { run: text.into(), frame: None },
        }
    }

    /// Where everything was, and under which name a scene that starts there knows it.
    pub fn read(&self) -> Result<(Earlier, String), FromError> {
        for part in [RunFolder::SCENE, pvd::LIST] {
            if !self.run.join(part).is_file() {
                return Err(FromError::NoRun(self.run.clone(), part));
            }
        }
        let entries = pvd::read(&self.run.join(pvd::LIST))?;
        let last = entries.len().checked_sub(1).ok_or_else(|| FromError::NoFrames(self.run.clone()))?;
        let frame = self.frame.unwrap_or(last);
        let entry = entries.get(frame).ok_or_else(|| FromError::NoFrame {
            run: self.run.clone(),
            frame,
            count: entries.len(),
        })?;
        let earlier = bodies(&self.run, &vtu::read(&self.run.join(&entry.file))?)?;
        Ok((earlier, self.run.join(format!("{frame:06}.start")).display().to_string()))
    }
}

/// The vertices of a frame, body by body; the run's own scene has the names.
fn bodies(run: &Path, frame: &Frame) -> Result<Earlier, FromError> {
    let scene = Scene::load(&run.display().to_string(), &[])?.scene;
    let named = |body: &carom_scene::At<carom_scene::format::Body>| EarlierBody {
        name: body.name.to_string(),
        ..EarlierBody::default()
    };
    let mut bodies: Vec<EarlierBody> = scene.file.bodies.iter().map(named).collect();
    for (v, &body) in frame.topology.vertex_body.iter().enumerate() {
        if let Some(body) = bodies.get_mut(body as usize) {
            body.positions.push(frame.positions[v]);
            body.velocities.push(frame.velocities[v]);
        }
    }
    let ghosts = &frame.ghosts;
    for ((&body, x), v) in ghosts.bodies.iter().zip(&ghosts.positions).zip(&ghosts.velocities) {
        if let Some(body) = bodies.get_mut(body as usize) {
            body.ghosts.push([*x, *v]);
        }
    }
    Ok(Earlier { bodies })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_named_after_the_last_colon() {
        let of = |run: &str, frame| FrameOf { run: run.into(), frame };
        assert_eq!(FrameOf::parse("runs/a/1"), of("runs/a/1", None));
        assert_eq!(FrameOf::parse("runs/a/1:12"), of("runs/a/1", Some(12)));
        assert_eq!(FrameOf::parse("C:runs/a"), of("C:runs/a", None));
    }
}
