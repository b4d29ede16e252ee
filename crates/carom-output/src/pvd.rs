//! The time series: `frames.pvd` lists the frames of a run with their times, for ParaView.
//!
//! The list is rewritten as a whole after every frame, and replaced at once: a run that is
//! killed leaves a series that opens, up to its last frame.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use carom_model::Frame;

use crate::exporters::{Exporter, FrameWriter};
use crate::xml::{escape, tags};
use crate::{OutputError, disk, vtu};

/// The format.
pub const EXPORTER: Exporter = Exporter {
    name: "vtu",
    about: "VTK unstructured grids with a list for ParaView: all that a frame has, to the bit",
    page: "output",
    create: |folder| Ok(Box::new(SeriesWriter::create(folder)?)),
};

/// Name of the list in a run's folder.
pub const LIST: &str = "frames.pvd";

/// Name of the folder beside it that holds the frames.
const FOLDER: &str = "frames";

/// One frame of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Time of the frame, in s.
    pub time_s: f64,
    /// The `.vtu` file, relative to the list.
    pub file: PathBuf,
}

/// Writes a series: `frames/000000.vtu`, `frames/000001.vtu`, … and their list.
#[derive(Debug)]
struct SeriesWriter {
    folder: PathBuf,
    entries: Vec<Entry>,
    packer: vtu::Packer,
}

impl SeriesWriter {
    /// A series in `folder`, with no frames yet; the list is written at once, empty.
    fn create(folder: &Path) -> Result<Self, OutputError> {
        disk::make_folder(&folder.join(FOLDER))?;
        let series = Self { folder: folder.to_owned(), entries: Vec::new(), packer: vtu::Packer::default() };
        series.write_list()?;
        Ok(series)
    }

    fn write_list(&self) -> Result<(), OutputError> {
        disk::replace(&self.folder.join(LIST), list(&self.entries).as_bytes())
    }
}

impl FrameWriter for SeriesWriter {
    /// First the file of the frame, then the list that names it.
    fn write(&mut self, frame: &Frame) -> Result<PathBuf, OutputError> {
        let file = file_of(self.entries.len());
        let path = self.folder.join(&file);
        vtu::write(&path, frame, &mut self.packer)?;
        self.entries.push(Entry { time_s: frame.time_s, file });
        self.write_list()?;
        Ok(path)
    }
}

/// The file of frame `number`, counted from 0, relative to the list.
pub(crate) fn file_of(number: usize) -> PathBuf {
    Path::new(FOLDER).join(format!("{number:06}.vtu"))
}

/// Numbers of the frames in the folder of a run, listed or not.
pub(crate) fn numbers(folder: &Path) -> BTreeSet<usize> {
    let files = std::fs::read_dir(folder.join(FOLDER)).into_iter().flatten();
    let number = |name: &str| name.strip_suffix(".vtu")?.parse().ok();
    files.filter_map(|file| number(file.ok()?.file_name().to_str()?)).collect()
}

/// The text of the list.
pub(crate) fn list(entries: &[Entry]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n",
    );
    for Entry { time_s, file } in entries {
        let file = file.to_string_lossy().replace('\\', "/");
        let _ = writeln!(
            text,
            "<DataSet timestep=\"{time_s:e}\" group=\"\" part=\"0\" file=\"{}\"/>",
            escape(&file)
        );
    }
    text.push_str("</Collection>\n</VTKFile>\n");
    text
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
pub(crate) mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use carom_math::Vec3;
    use carom_model::Topology;
    use carom_time::Tick;

    pub(crate) fn point_at(time_s: f64) -> Frame {
        let topology = Topology { points: vec![0], vertex_body: vec![0], ..Topology::default() };
        Frame {
            tick: Tick(3),
            time_s,
            positions: vec![Vec3::X * time_s],
            velocities: vec![Vec3::X],
            topology: topology.into(),
            auxiliary_dofs: carom_model::AuxiliaryFrame::default(),
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
            assert_eq!(read(&list).unwrap(), series.entries);
            assert_eq!(series.entries.len(), k + 1);
            assert_eq!(read_last(folder.path()).unwrap(), Some(point_at(time_s)));
        }
        assert_eq!(series.entries[2].time_s, 0.1 + 0.2);
        assert_eq!(series.entries[2].file, Path::new("frames/000002.vtu"));
    }

    #[test]
    fn half_a_list_is_refused() {
        let folder = Scratch::new();
        let path = folder.path().join(LIST);
        disk::replace(&path, b"<VTKFile><Collection><DataSet timestep=\"0\" file=\"a\"/>").unwrap();
        assert!(read(&path).is_err());
    }
}
