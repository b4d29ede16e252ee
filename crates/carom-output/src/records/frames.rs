//! Frames that are recomputed, against the files of a series.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use carom_math::Vec3;
use carom_model::{Field, Frame};

use super::{Extent, RecordDifference, RecordDifferences};
use crate::pvd::{self, Entry};
use crate::{OutputError, disk, vtu};

/// Lines of a list after its last frame, the empty one at its end included.
const LINES_AFTER: usize = 3;

/// Compares the frames of a run with those that are recomputed.
#[derive(Debug)]
pub(super) struct FrameChecker {
    folder: PathBuf,
    extent: Extent,
    /// Numbers of the frames in the folder.
    recorded: BTreeSet<usize>,
    entries: Vec<Entry>,
    packer: vtu::Packer,
    differences: RecordDifferences,
}

impl FrameChecker {
    pub fn open(folder: &Path, extent: Extent) -> Self {
        Self {
            folder: folder.to_owned(),
            extent,
            recorded: pvd::numbers(folder),
            entries: Vec::new(),
            packer: vtu::Packer::default(),
            differences: RecordDifferences::default(),
        }
    }

    /// The next frame.
    pub fn frame(&mut self, frame: &Frame) -> Result<(), OutputError> {
        let number = self.entries.len();
        let file = pvd::file_of(number);
        let name = shown(&file);
        let path = self.folder.join(&file);
        self.entries.push(Entry { time_s: frame.time_s, file });
        if self.extent.was_killed && self.recorded.last().is_none_or(|last| number > *last) {
            return Ok(());
        }
        let bytes = vtu::encode(frame, &mut self.packer)?;
        let recomputed = || format!("a frame at {:e} s", frame.time_s);
        match fs::read(&path) {
            Ok(recorded) if recorded == bytes => {}
            Ok(recorded) => match vtu::decode(&recorded) {
                Ok(recorded) => self.compare(&name, &recorded, frame),
                Err(what) => self
                    .differences
                    .push(|| RecordDifference::new(name, "").recorded(what).recomputed(recomputed())),
            },
            Err(e) if e.kind() == ErrorKind::NotFound => {
                self.differences.push(|| RecordDifference::new(name, "").recomputed(recomputed()));
            }
            Err(e) => return Err(OutputError::io("read", &path)(e)),
        }
        Ok(())
    }

    /// Names the first number of a frame that is another, and counts all of them.
    fn compare(&mut self, name: &str, recorded: &Frame, recomputed: &Frame) {
        let mut found = numbers(name, recorded, recomputed).into_iter();
        let other_bytes = || {
            let what = "the same numbers in other bytes";
            RecordDifference::new(name, "").recorded(what).recomputed("the bytes that this program writes")
        };
        let first = found.next();
        self.differences.push(|| first.unwrap_or_else(other_bytes));
        self.differences.count += found.len() as u64;
    }

    /// All differences: in the list of frames too, and frames that are too many.
    pub fn finish(mut self) -> Result<RecordDifferences, OutputError> {
        self.compare_list()?;
        if self.extent.is_whole {
            for number in self.recorded.range(self.entries.len()..) {
                let file = shown(&pvd::file_of(*number));
                self.differences.push(|| RecordDifference::new(file, "").recorded("a frame"));
            }
        }
        Ok(self.differences)
    }

    fn compare_list(&mut self) -> Result<(), OutputError> {
        let path = self.folder.join(pvd::LIST);
        if !path.exists() {
            if !self.extent.was_killed {
                self.differences
                    .push(|| RecordDifference::new(pvd::LIST, "").recomputed("the list of frames"));
            }
            return Ok(());
        }
        let (recorded, recomputed) = (disk::read_text(&path)?, pvd::list(&self.entries));
        let [found, expected] = [&recorded, &recomputed].map(|text| text.split('\n').collect::<Vec<_>>());
        // Where one of the two ends early, the frames that both list are compared.
        let lines = if self.extent.is_whole && !self.extent.was_killed {
            found.len().max(expected.len())
        } else {
            found.len().min(expected.len()).saturating_sub(LINES_AFTER)
        };
        for i in (0..lines).filter(|i| found.get(*i) != expected.get(*i)) {
            let text = |lines: &[&str]| lines.get(i).map(|line| (*line).to_owned());
            self.differences.push(|| RecordDifference {
                recorded: text(&found),
                recomputed: text(&expected),
                ..RecordDifference::new(pvd::LIST, format!("line {}", i + 1))
            });
        }
        Ok(())
    }
}

/// A file of the series as messages name it.
fn shown(file: &Path) -> String {
    file.to_string_lossy().replace('\\', "/")
}

/// All numbers that differ by at least one bit, in the order of the file.
fn numbers(file: &str, recorded: &Frame, recomputed: &Frame) -> Vec<RecordDifference> {
    let mut found = Vec::new();
    let mut note = |place: String, recorded: String, recomputed: String| {
        found.push(RecordDifference::new(file, place).recorded(recorded).recomputed(recomputed));
    };
    if recorded.time_s.to_bits() != recomputed.time_s.to_bits() {
        note("time".into(), format!("{:e} s", recorded.time_s), format!("{:e} s", recomputed.time_s));
    }
    if recorded.tick != recomputed.tick {
        note("tick".into(), recorded.tick.0.to_string(), recomputed.tick.0.to_string());
    }
    if recorded.topology != recomputed.topology {
        let cells = |frame: &Frame| format!("{} cells of other vertices or bodies", frame.topology.cells());
        note("cells".into(), cells(recorded), format!("{} cells", recomputed.topology.cells()));
    }
    if recorded.auxiliary_dofs.bodies != recomputed.auxiliary_dofs.bodies {
        let bodies = |frame: &Frame| format!("{:?}", frame.auxiliary_dofs.bodies);
        note("ghost_body".into(), bodies(recorded), bodies(recomputed));
    }
    let [of_recorded, of_recomputed] = [recorded, recomputed].map(columns);
    for i in 0..of_recorded.len().max(of_recomputed.len()) {
        match (of_recorded.get(i), of_recomputed.get(i)) {
            (Some(a), Some(b)) if a.name == b.name && a.values.len() == b.values.len() => {
                let pairs = a.values.iter().zip(&b.values).enumerate();
                for (at, (x, y)) in pairs.filter(|(_, (x, y))| x.to_bits() != y.to_bits()) {
                    note(a.place(at), format!("{x:e}"), format!("{y:e}"));
                }
            }
            (a, b) => {
                let text = |column: Option<&Column>| {
                    column
                        .map_or("nothing".to_owned(), |c| format!("{} values of {}", c.values.len(), c.name))
                };
                note("arrays".into(), text(a), text(b));
            }
        }
    }
    found
}

/// Numbers of one kind of a frame.
struct Column {
    name: String,
    /// What there is a value, or a vector, for.
    of: &'static str,
    is_vector: bool,
    values: Vec<f64>,
}

impl Column {
    /// The place of value `at`.
    fn place(&self, at: usize) -> String {
        let Self { name, of, .. } = self;
        if self.is_vector {
            format!("{name} of {of} {}, {}", at / 3, ["x", "y", "z"][at % 3])
        } else {
            format!("{name} of {of} {at}")
        }
    }
}

fn columns(frame: &Frame) -> Vec<Column> {
    let vectors = |name: &str, of, values: &[Vec3]| Column {
        name: name.to_owned(),
        of,
        is_vector: true,
        values: values.iter().flat_map(|v| v.to_array()).collect(),
    };
    let field = |of| {
        move |field: &Field| Column {
            name: field.name.clone(),
            of,
            is_vector: false,
            values: field.values.clone(),
        }
    };
    let auxiliary = &frame.auxiliary_dofs;
    let mut columns = vec![
        vectors("position", "vertex", &frame.positions),
        vectors("velocity", "vertex", &frame.velocities),
        vectors("ghost_position", "auxiliary degree of freedom", &auxiliary.positions),
        vectors("ghost_velocity", "auxiliary degree of freedom", &auxiliary.velocities),
    ];
    columns.extend(frame.vertex_fields.iter().map(field("vertex")));
    columns.extend(frame.cell_fields.iter().map(field("cell")));
    columns
}
