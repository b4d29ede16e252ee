//! The time series: `frames.pvd` lists the frames of a run with their times, for ParaView.
//!
//! After every frame the list is whole and names it: a run that is killed leaves a series that opens, up to
//! its last frame. A new line takes the place of the closing tags, which follow it, in one write within one
//! page of the file: no signal comes between. Where that cannot be, the list is replaced as a whole.

use std::fs::OpenOptions;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use carom_model::Frame;

use crate::xml::{escape, tags};
use crate::{OutputError, disk, vtu};

/// Name of the list in a run's folder.
pub const LIST: &str = "frames.pvd";

/// Name of the folder beside it that holds the frames.
const FOLDER: &str = "frames";

const BEGINNING: &str = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n";

const CLOSING_TAGS: &str = "</Collection>\n</VTKFile>\n";

/// The shortest page of any system, in bytes: a write across two of them can be cut in between.
const PAGE: u64 = 4096;

/// One frame of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// When, in s.
    pub time_s: f64,
    /// The `.vtu` file, relative to the list.
    pub file: PathBuf,
}

/// Writes the frames of a run: `frames/000000.vtu`, `frames/000001.vtu`, … and their list.
#[derive(Debug)]
pub struct SeriesWriter {
    folder: PathBuf,
    entries: Vec<Entry>,
    /// How long the list is, in bytes.
    list_length: u64,
    packer: vtu::Packer,
}

impl SeriesWriter {
    /// A series in `folder`, with no frames yet; the list is written at once, empty.
    pub fn create(folder: &Path) -> Result<Self, OutputError> {
        disk::make_folder(&folder.join(FOLDER))?;
        let (folder, packer) = (folder.to_owned(), vtu::Packer::default());
        let mut series = Self { folder, entries: Vec::new(), list_length: 0, packer };
        series.replace_list()?;
        Ok(series)
    }

    /// Adds a frame: first its file, then the line of the list that names it. Returns the file's path.
    pub fn write(&mut self, frame: &Frame) -> Result<PathBuf, OutputError> {
        let file = Path::new(FOLDER).join(format!("{:06}.vtu", self.entries.len()));
        let path = self.folder.join(&file);
        vtu::write(&path, frame, &mut self.packer)?;
        let entry = Entry { time_s: frame.time_s, file };
        let end = line(&entry) + CLOSING_TAGS;
        self.entries.push(entry);
        if !self.add_in_place(&end).map_err(OutputError::io("write", &self.folder.join(LIST)))? {
            self.replace_list()?;
        }
        Ok(path)
    }

    /// The frames so far.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Writes `end` over the closing tags. `false`, and nothing is written, if that cannot be done at once or the list is not as it was left.
    fn add_in_place(&mut self, end: &str) -> io::Result<bool> {
        let from = self.list_length - CLOSING_TAGS.len() as u64;
        let to = from + end.len() as u64;
        if from / PAGE != (to - 1) / PAGE {
            return Ok(false);
        }
        let Ok(mut list) = OpenOptions::new().write(true).open(self.folder.join(LIST)) else {
            return Ok(false);
        };
        if list.seek(SeekFrom::End(0))? != self.list_length {
            return Ok(false);
        }
        list.seek(SeekFrom::Start(from))?;
        list.write_all(end.as_bytes())?;
        self.list_length = to;
        Ok(true)
    }

    fn replace_list(&mut self) -> Result<(), OutputError> {
        let text = list(&self.entries);
        self.list_length = text.len() as u64;
        disk::replace(&self.folder.join(LIST), text.as_bytes())
    }
}

fn list(entries: &[Entry]) -> String {
    let lines: String = entries.iter().map(line).collect();
    [BEGINNING, &lines, CLOSING_TAGS].concat()
}

fn line(Entry { time_s, file }: &Entry) -> String {
    let file = file.to_string_lossy().replace('\\', "/");
    format!("<DataSet timestep=\"{time_s:e}\" group=\"\" part=\"0\" file=\"{}\"/>\n", escape(&file))
}

/// The frames that a list names.
pub fn read(path: &Path) -> Result<Vec<Entry>, OutputError> {
    let text = disk::read_text(path)?;
    let malformed = |what: &str| OutputError::malformed(path, what);
    if !tags(&text).any(|t| t.name == "/VTKFile") {
        return Err(malformed("not a whole ParaView list of frames"));
    }
    let sets = tags(&text).filter(|t| t.name == "DataSet");
    let entries = sets.map(|tag| {
        let time = tag.attribute("timestep").and_then(|t| t.parse().ok());
        let time_s = time.ok_or_else(|| malformed("a frame has no time"))?;
        let file = tag.attribute("file").ok_or_else(|| malformed("a frame has no file"))?;
        Ok(Entry { time_s, file: file.into() })
    });
    entries.collect()
}

/// The last frame of the series in a run's folder, or `None` if it has no frames.
pub fn read_last(folder: &Path) -> Result<Option<Frame>, OutputError> {
    let entries = read(&folder.join(LIST))?;
    entries.last().map(|entry| vtu::read(&folder.join(&entry.file))).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use carom_math::Vec3;
    use carom_model::Topology;
    use carom_time::Tick;

    fn point_at(time_s: f64) -> Frame {
        let topology = Topology { points: vec![0], vertex_body: vec![0], ..Topology::default() };
        Frame {
            tick: Tick(3),
            time_s,
            positions: vec![Vec3::X * time_s],
            velocities: vec![Vec3::X],
            topology: topology.into(),
            ghosts: carom_model::GhostFrame::default(),
            vertex_fields: Vec::new(),
            cell_fields: Vec::new(),
        }
    }

    #[test]
    fn after_every_frame_the_list_is_whole_and_names_all_of_them() {
        let folder = Scratch::new();
        let mut series = SeriesWriter::create(folder.path()).unwrap();
        let list = folder.path().join(LIST);
        assert_eq!(read(&list).unwrap(), []);
        assert_eq!(read_last(folder.path()).unwrap(), None);
        for (k, time_s) in [0.0, 0.1, 0.1 + 0.2].into_iter().enumerate() {
            let path = series.write(&point_at(time_s)).unwrap();
            assert_eq!(vtu::read(&path).unwrap(), point_at(time_s));
            assert_eq!(read(&list).unwrap(), series.entries());
            assert_eq!(series.entries().len(), k + 1);
            assert_eq!(read_last(folder.path()).unwrap(), Some(point_at(time_s)));
        }
        assert_eq!(series.entries()[2].time_s, 0.1 + 0.2);
        assert_eq!(series.entries()[2].file, Path::new("frames/000002.vtu"));
    }

    #[test]
    fn whatever_became_of_the_list_it_is_whole_again_after_the_next_frame() {
        let folder = Scratch::new();
        let mut series = SeriesWriter::create(folder.path()).unwrap();
        let path = folder.path().join(LIST);
        // Some lines cross from one page into the next.
        for k in 0..100 {
            match k {
                30 => std::fs::remove_file(&path).unwrap(),
                60 => disk::replace(&path, b"something else").unwrap(),
                _ => {}
            }
            series.write(&point_at(0.1 * f64::from(k))).unwrap();
            assert_eq!(disk::read_text(&path).unwrap(), list(series.entries()), "after frame {k}");
        }
        assert!(std::fs::metadata(&path).unwrap().len() > PAGE);
    }

    #[test]
    fn half_a_list_is_refused() {
        let folder = Scratch::new();
        let path = folder.path().join(LIST);
        disk::replace(&path, b"<VTKFile><Collection><DataSet timestep=\"0\" file=\"a\"/>").unwrap();
        assert!(read(&path).is_err());
    }
}
