//! The files that a scene names: where they come from, and under which names a run keeps them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::at::At;
use crate::report::Problem;

/// Opens the files that a scene names.
pub trait Files {
    /// The bytes of the file `name`, as the scene names it.
    fn read(&self, name: &str) -> io::Result<Vec<u8>>;
}

/// Files of a folder; absolute names are taken as they are, and `$NAME/rest` is `rest` in the folder that the environment variable
/// `NAME` gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder(pub PathBuf);

impl Folder {
    /// The folder that holds the file at `path`.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        Self(path.parent().map(Path::to_path_buf).unwrap_or_default())
    }
}

impl Files for Folder {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        std::fs::read(self.path(name, |variable| std::env::var_os(variable))?)
    }
}

impl Folder {
    /// Path of the file `name`, with the variables of an environment.
    fn path(&self, name: &str, environment: impl Fn(&str) -> Option<OsString>) -> io::Result<PathBuf> {
        let Some((variable, rest)) = in_variable(name) else { return Ok(self.0.join(name)) };
        match environment(variable).filter(|value| !value.is_empty()) {
            Some(folder) => Ok(Path::new(&folder).join(rest)),
            None => Err(io::Error::new(
                io::ErrorKind::NotFound,
                format!("the environment variable {variable} is not set"),
            )),
        }
    }
}

/// The variable and the rest of a name of the form `$NAME/rest`.
fn in_variable(name: &str) -> Option<(&str, &str)> {
    let (variable, rest) = name.strip_prefix('$')?.split_once('/')?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!variable.is_empty() && variable.chars().all(is_plain)).then_some((variable, rest))
}

/// Files in memory, by name; empty for scenes that need none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InMemory(pub BTreeMap<String, Vec<u8>>);

impl Files for InMemory {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        self.0.get(name).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// The files of a scene while it is built: what is read here can be kept for the folder of a run.
pub(crate) struct OpenFiles<'f> {
    files: &'f dyn Files,
    kept: Vec<KeptFile>,
}

impl<'f> OpenFiles<'f> {
    pub(crate) fn new(files: &'f dyn Files) -> Self {
        Self { files, kept: Vec::new() }
    }

    /// The bytes of a file that the scene names.
    pub(crate) fn read(&self, name: &At<String>) -> Result<Vec<u8>, Problem> {
        self.files.read(name).map_err(|error| {
            let problem = Problem::new(&name.span(), format!("cannot read \"{name}\": {error}"));
            match in_variable(name) {
                Some((variable, _)) => problem.help(format!("{variable} must be the folder that holds the file")),
                None => problem.help(
                    "files are looked for beside the scene; write an absolute path for others, or `$NAME/…` with an environment variable",
                ),
            }
        })
    }

    /// The bytes of a file that the file `of` names, if it is beside that.
    pub(crate) fn read_beside(&self, of: &str, companion: &str) -> Option<Vec<u8>> {
        self.files.read(&beside(of, companion)).ok().filter(|_| stays_inside(companion))
    }

    /// Keeps what the scene calls `name`, with the files that it names.
    pub(crate) fn keep(&mut self, name: &str, bytes: Vec<u8>, companions: Vec<(String, Vec<u8>)>) {
        self.kept.extend(keep(name, bytes, companions));
    }

    /// All that was kept.
    pub(crate) fn into_kept(self) -> Vec<KeptFile> {
        self.kept
    }
}

/// Other files, and one more that is in memory.
pub(crate) struct OneMore {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) others: Arc<dyn Files + Send + Sync>,
}

impl Files for OneMore {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        if name == self.name { Ok(self.bytes.clone()) } else { self.others.read(name) }
    }
}

/// A file that a scene was built from, and where a run's folder keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFile {
    /// The name in the scene; `None` for a file that another file names.
    pub named: Option<String>,
    /// The path in a run's folder, made from the contents: equal contents, equal paths.
    pub path: String,
    /// Content of the file.
    pub bytes: Vec<u8>,
}

/// Paths in the folder of a run for `bytes`, which the scene calls `name`, and for the files that these reference.
///
/// A file that stands alone is `meshes/<hash>.<extension>`. One that names others goes into a
/// folder of its own with them, under their own names, so that it still finds them.
fn keep(name: &str, bytes: Vec<u8>, companions: Vec<(String, Vec<u8>)>) -> Vec<KeptFile> {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let named = Some(name.to_owned());
    if companions.is_empty() {
        let extension = base.rsplit_once('.').map_or("dat", |(_, extension)| extension);
        let path = format!("meshes/{}.{extension}", content_hash(&bytes));
        return vec![KeptFile { named, path, bytes }];
    }
    let hash = companions.iter().fold(fnv(OFFSET, &bytes), |hash, (_, bytes)| fnv(hash, bytes));
    let mut kept = vec![KeptFile { named, path: format!("meshes/{hash:032x}/{base}"), bytes }];
    for (companion, bytes) in companions {
        kept.push(KeptFile { named: None, path: format!("meshes/{hash:032x}/{companion}"), bytes });
    }
    kept
}

/// A hash of the content of a file, as 32 hexadecimal digits.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> String {
    format!("{:032x}", fnv(OFFSET, bytes))
}

/// The name of a file that the file `of` names.
fn beside(of: &str, companion: &str) -> String {
    match of.rfind(['/', '\\']) {
        Some(slash) => format!("{}{companion}", &of[..=slash]),
        None => companion.to_owned(),
    }
}

/// Whether a name stays in its folder: a run's folder keeps files by such names.
fn stays_inside(name: &str) -> bool {
    let parts = name.split(['/', '\\']);
    !name.starts_with(['/', '\\']) && !name.contains(':') && parts.into_iter().all(|p| p != "..")
}

// FNV-1a with 128 bits, over bytes.
const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

fn fnv(hash: u128, bytes: &[u8]) -> u128 {
    bytes.iter().fold(hash, |hash, &b| (hash ^ u128::from(b)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_contents_have_equal_paths_whatever_their_names() {
        let a = keep("a/x.obj", b"v 0 0 0".to_vec(), Vec::new());
        let b = keep("y.obj", b"v 0 0 0".to_vec(), Vec::new());
        assert_eq!(a[0].path, b[0].path);
        assert_ne!(a[0].path, keep("x.obj", b"v 0 0 1".to_vec(), Vec::new())[0].path);
    }

    #[test]
    fn a_file_keeps_the_company_it_names() {
        let kept = keep("in/a.gltf", b"{}".to_vec(), vec![("a.bin".to_owned(), vec![1, 2])]);
        let folder = kept[0].path.strip_suffix("/a.gltf").unwrap();
        assert_eq!(kept[1].path, format!("{folder}/a.bin"));
        assert_eq!(beside("in/a.gltf", "a.bin"), "in/a.bin");
    }

    #[test]
    fn a_name_may_begin_with_the_folder_that_a_variable_gives() {
        let folder = Folder("scenes".into());
        let environment = |name: &str| match name {
            "DATA" => Some(OsString::from("/far")),
            "EMPTY" => Some(OsString::new()),
            _ => None,
        };
        let path = |name: &str| folder.path(name, environment);
        assert_eq!(path("$DATA/tet/a.msh").unwrap(), Path::new("/far/tet/a.msh"));
        for file in ["a.msh", "$DATA", "$/a.msh", "$DA TA/a.msh", "sub/$DATA/a.msh"] {
            assert_eq!(path(file).unwrap(), Path::new("scenes").join(file), "{file}");
        }
        for variable in ["ABSENT", "EMPTY"] {
            let said = path(&format!("${variable}/a.msh")).unwrap_err().to_string();
            assert_eq!(said, format!("the environment variable {variable} is not set"));
        }
    }

    #[test]
    fn names_that_lead_out_of_a_folder_are_recognised() {
        assert!(stays_inside("a.bin") && stays_inside("b/a.bin"));
        for name in ["../a.bin", "b/../../a.bin", "/etc/passwd", "C:\\a.bin", "..\\a.bin"] {
            assert!(!stays_inside(name), "{name}");
        }
    }
}
