//! Prescribed motion: from keys to paths.
//!
//! Between keyframes vertices move in straight lines, so a rotation is cut into pieces of at most a degree: their chords are off the circle
//! by 4e-5 of its radius.

use std::collections::BTreeSet;

use carom_math::{Mat3, Vec3};
use carom_model::Timetable;

use super::Assembly;
use crate::format::{Drive, DriveKey, DriveTiming};
use crate::report::Problem;

/// The largest rotation between two keyframes, in degrees.
const DEGREES: f64 = 1.0;

/// More places than this are taken for a slip: they would fill the memory.
const MOST_PLACES: f64 = 5e7;

/// Pieces from key to key where speed changes.
const SMOOTH: f64 = 32.0;

/// A key, before it is applied to vertices.
struct Pose {
    time_s: f64,
    degrees: f64,
    shift: Vec3,
    /// Positions of the vertices before rotation and shift, in m.
    shape: Vec<Vec3>,
}

impl Assembly<'_> {
    pub(super) fn add_drive(&mut self, drive: &Drive) -> Result<(), Problem> {
        let number = self.body_number(&drive.body);
        let (first, count) = (self.bodies[number].first, self.bodies[number].mesh.positions.len() as u32);
        let vertices = match &drive.select {
            Some(select) => self.select(&drive.body, select)?,
            None => (first..first + count).collect(),
        };
        if vertices.iter().any(|v| self.told.contains(v)) {
            let message = format!("some of these vertices of \"{}\" are driven already", drive.body);
            return Err(Problem::new(&drive.body.span(), message)
                .help("put all keys of a vertex into one `[[drive]]`"));
        }
        let pinned: BTreeSet<u32> = self.pins.iter().flat_map(|pin| &pin.vertices).copied().collect();
        if let Some(v) = vertices.iter().find(|v| pinned.contains(v)) {
            let message = format!("vertex {} of \"{}\" is pinned and driven", v - first, drive.body);
            let problem = Problem::new(&drive.body.span(), message);
            return Err(problem.help("leave it out of the `[[pin]]`: a driven vertex needs no pin"));
        }
        self.told.extend(&vertices);
        let turned: f64 =
            drive.keys.windows(2).map(|k| (k[1].degrees.get() - k[0].degrees.get()).abs()).sum();
        let turned = turned + drive.keys.first().map_or(0.0, |key| key.degrees.get().abs());
        if (turned / DEGREES + SMOOTH * drive.keys.len() as f64) * vertices.len() as f64 > MOST_PLACES {
            let message =
                format!("{turned} degrees in pieces of one are too many for {} vertices", vertices.len());
            return Err(Problem::new(&drive.keys.span(), message)
                .help("rotate less, or take a coarser mesh: every vertex needs a keyframe at every degree"));
        }
        let start: Vec<Vec3> = vertices.iter().map(|v| self.builder.positions()[*v as usize]).collect();
        let mut poses = Vec::new();
        let late = drive.keys.first().is_none_or(|key| key.time.get() > 0.0);
        if late {
            poses.push(Pose { time_s: 0.0, degrees: 0.0, shift: Vec3::ZERO, shape: start.clone() });
        }
        for key in drive.keys.iter() {
            let shape = self.shape_at(key, (number, &vertices), &start)?;
            let (degrees, shift) = (key.degrees.get(), key.shift.get());
            poses.push(Pose { time_s: key.time.get(), degrees, shift, shape });
        }
        let position = self.scene.file.bodies[number].position.get();
        let centre = drive.centre.as_ref().map_or(position, crate::Vector::get);
        let place = |x: Vec3, degrees: f64, shift: Vec3| {
            // Without rotation nothing is rounded.
            let turned = if degrees == 0.0 {
                x
            } else {
                centre + Mat3::rotation(drive.axis.get(), degrees.to_radians()).apply(x - centre)
            };
            turned + shift
        };
        let (mut times_s, mut places) = (vec![poses[0].time_s], vec![start]);
        for pair in poses.windows(2) {
            let [from, to] = pair else { continue };
            let pieces = pieces(from, to, drive.pace);
            for piece in 1..=pieces {
                let s = piece as f64 / pieces as f64;
                let way = if drive.pace == DriveTiming::Smooth { s * s * (3.0 - 2.0 * s) } else { s };
                let between = |a: f64, b: f64| a + (b - a) * way;
                let shift = from.shift + (to.shift - from.shift) * way;
                let degrees = between(from.degrees, to.degrees);
                times_s.push(from.time_s + (to.time_s - from.time_s) * s);
                let shapes = from.shape.iter().zip(&to.shape);
                places.push(shapes.map(|(a, b)| place(*a + (*b - *a) * way, degrees, shift)).collect());
            }
        }
        self.builder.tell(Timetable { vertices, times_s, places });
        Ok(())
    }

    /// Positions of these vertices of a body before a key rotates and shifts them.
    fn shape_at(
        &mut self,
        key: &DriveKey,
        (number, vertices): (usize, &[u32]),
        start: &[Vec3],
    ) -> Result<Vec<Vec3>, Problem> {
        let Some(file) = &key.mesh else { return Ok(start.to_vec()) };
        let placed = self.placed_mesh(file, number)?;
        let first = self.bodies[number].first;
        Ok(vertices.iter().map(|v| placed[(v - first) as usize]).collect())
    }
}

/// Number of straight pieces between two keys.
fn pieces(from: &Pose, to: &Pose, pace: DriveTiming) -> usize {
    let for_turn = ((to.degrees - from.degrees).abs() / DEGREES).ceil().max(1.0);
    if pace == DriveTiming::Smooth { for_turn.max(SMOOTH) as usize } else { for_turn as usize }
}
