//! The frames of earlier runs, to start from.

use std::path::PathBuf;

use carom_model::Frame;
use carom_scene::{Earlier, EarlierBody};

use crate::frames::{Frames, FramesError};

/// A frame of a run, for a scene that starts where another ended: `runs/roof/1`, or `runs/roof/1:12` for its frame 12.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameOf {
    /// The folder of the run.
    pub run: PathBuf,
    /// Number of the frame, counted from 0; the last if not given.
    pub frame: Option<usize>,
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

    /// The state of the run, and the name by which a scene that starts there refers to it.
    pub fn read(&self) -> Result<(Earlier, String), FramesError> {
        let frames = Frames::open(&self.run)?;
        let frame = self.frame.unwrap_or(frames.count() - 1);
        let earlier = bodies(&frames, &frames.read(frame)?);
        Ok((earlier, self.run.join(format!("{frame:06}.start")).display().to_string()))
    }
}

/// The vertices of a frame, body by body; the run's own scene has the names.
fn bodies(frames: &Frames, frame: &Frame) -> Earlier {
    let named = |name: &str| EarlierBody { name: name.to_owned(), ..EarlierBody::default() };
    let mut bodies: Vec<EarlierBody> = frames.bodies().into_iter().map(named).collect();
    for (v, &body) in frame.topology.vertex_body.iter().enumerate() {
        if let Some(body) = bodies.get_mut(body as usize) {
            body.positions.push(frame.positions[v]);
            body.velocities.push(frame.velocities[v]);
        }
    }
    let auxiliary_dofs = &frame.auxiliary_dofs;
    for ((&body, x), v) in
        auxiliary_dofs.bodies.iter().zip(&auxiliary_dofs.positions).zip(&auxiliary_dofs.velocities)
    {
        if let Some(body) = bodies.get_mut(body as usize) {
            body.auxiliary_dofs.push([*x, *v]);
        }
    }
    Earlier { bodies }
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
