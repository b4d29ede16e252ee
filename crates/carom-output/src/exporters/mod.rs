//! Formats in which frames are written: one file each, with an entry in [`EXPORTERS`].
//!
//! A run writes the frames in its folder by [`Exporter::OF_RUNS`], and `carom export` writes them again in any of the formats.
//!
//! **Never here:** a change of what is in a frame.

mod obj;

use std::path::{Path, PathBuf};

use carom_model::Frame;

use crate::{OutputError, disk, pvd};

/// The formats.
pub const EXPORTERS: &[Exporter] = &[pvd::EXPORTER, obj::EXPORTER];

/// A format of frames.
#[derive(Clone, Copy, Debug)]
pub struct Exporter {
    /// Name of the format: that of its files.
    pub name: &'static str,
    /// What it is and what it keeps of a frame, in a sentence.
    pub about: &'static str,
    /// Its page in the book: `docs/guide/<page>.md`.
    pub page: &'static str,
    /// A writer into a folder, which exists.
    pub create: fn(&Path) -> Result<Box<dyn FrameWriter>, OutputError>,
}

impl Exporter {
    /// The format of the frames in the folder of a run: the one from which they are read back, to the bit ([`pvd::read`]).
    pub const OF_RUNS: &'static Self = &pvd::EXPORTER;

    /// The exporter of this name.
    #[must_use]
    pub fn called(name: &str) -> Option<&'static Self> {
        EXPORTERS.iter().find(|exporter| exporter.name == name)
    }
}

/// Writes frames one after the other; after each, what was written can be read.
pub trait FrameWriter: Send {
    /// Writes a frame, and returns the path of the file that it is in.
    fn write(&mut self, frame: &Frame) -> Result<PathBuf, OutputError>;
}

/// A file for each frame: `000000.obj`, `000001.obj`, …
struct Numbered {
    folder: PathBuf,
    extension: &'static str,
    encode: fn(&Frame) -> Vec<u8>,
    written: usize,
}

impl Numbered {
    fn create(folder: &Path, extension: &'static str, encode: fn(&Frame) -> Vec<u8>) -> Box<dyn FrameWriter> {
        Box::new(Self { folder: folder.to_owned(), extension, encode, written: 0 })
    }
}

impl FrameWriter for Numbered {
    fn write(&mut self, frame: &Frame) -> Result<PathBuf, OutputError> {
        frame.check()?;
        let path = self.folder.join(format!("{:06}.{}", self.written, self.extension));
        disk::replace(&path, &(self.encode)(frame))?;
        self.written += 1;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn every_exporter_has_a_name_of_its_own_and_is_on_the_page() {
        for exporter in EXPORTERS {
            let path = format!("{}/../../docs/guide/{}.md", env!("CARGO_MANIFEST_DIR"), exporter.page);
            let page = std::fs::read_to_string(&path).unwrap();
            assert_eq!(EXPORTERS.iter().filter(|other| other.name == exporter.name).count(), 1);
            assert!(page.contains(&format!("| `{}` |", exporter.name)), "{path} lacks {}", exporter.name);
        }
    }

    #[test]
    fn every_exporter_writes_one_file_for_each_frame() {
        for exporter in EXPORTERS {
            let folder = Scratch::new();
            let mut writer = (exporter.create)(folder.path()).unwrap();
            let paths = [0.0, 0.5].map(|time_s| writer.write(&pvd::tests::point_at(time_s)).unwrap());
            assert_ne!(paths[0], paths[1]);
            for path in paths {
                assert_eq!(path.extension().unwrap(), exporter.name);
                assert!(path.is_file(), "{}", path.display());
            }
        }
    }
}
