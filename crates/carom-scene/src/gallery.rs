//! The scenes that come with the program, and loading by path or by name.

use std::path::Path;
use std::sync::Arc;

use crate::files::{Files, Folder, InMemory, OneMore};
use crate::overrides::Override;
use crate::report::{Problem, SceneError};
use crate::scene::Scene;
use crate::source::Source;
use crate::spelling;

/// A scene that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Name of the scene: `carom run drum`.
    pub name: &'static str,
    /// Text of the scene.
    pub text: &'static str,
}

macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        &[$(BuiltIn { name: $name, text: include_str!(concat!("../../../scenes/", $name, ".toml")) }),*]
    };
}

macro_rules! data {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("data/", $name), include_bytes!(concat!("../../../scenes/data/", $name)))),*]
    };
}

/// The gallery, in the order of the names.
pub const GALLERY: &[BuiltIn] = built_in![
    "block",
    "bounce",
    "bowline",
    "bullets",
    "can",
    "cantilever",
    "card-house",
    "caught-shell",
    "chain",
    "cloth-on-ball",
    "cloth-stack",
    "compactor",
    "cradle",
    "crumple",
    "curtains",
    "dome",
    "drop",
    "drum",
    "funnel",
    "gas",
    "grains",
    "heap",
    "hertz",
    "hopper",
    "incline",
    "mail",
    "pendulum",
    "plate-cfff",
    "push",
    "reef-knot",
    "ribbons",
    "small-impact",
    "sphere-plate",
    "spikes",
    "squeeze",
    "string",
    "twisted-cloth",
    "twisted-ring",
    "two-bars",
    "two-masses",
    "two-sheets",
    "two-sheets-fast",
];

/// The tables and meshes that they name.
const DATA: &[(&str, &[u8])] = data![
    "bowline.obj",
    "cards.obj",
    "chain.obj",
    "drop-start.txt",
    "drop.obj",
    "funnel.obj",
    "grains.txt",
    "hopper.obj",
    "mail.obj",
    "reef-knot.obj",
    "sheets-lower.obj",
    "sheets-upper.obj",
    "spikes.obj",
];

impl BuiltIn {
    /// The scene of this name.
    #[must_use]
    pub fn called(name: &str) -> Option<&'static Self> {
        GALLERY.iter().find(|b| b.name == name)
    }

    /// The scene, read.
    pub fn scene(&self, overrides: &[Override]) -> Result<Scene, SceneError> {
        Scene::parse_with(&format!("{}.toml", self.name), self.text, overrides)
    }
}

/// A scene and the files it names.
#[derive(Clone)]
pub struct Loaded {
    /// The scene.
    pub scene: Scene,
    /// Files that the scene reads.
    pub files: Arc<dyn Files + Send + Sync>,
    /// Name of the scene: see [`Scene::called`].
    pub name: String,
}

impl Scene {
    /// Reads the scene at a path, or that of a run's folder, or the one of the gallery of that name.
    pub fn load(path_or_name: &str, overrides: &[Override]) -> Result<Loaded, SceneError> {
        let kept = Path::new(path_or_name).join("scene.toml");
        let path = if kept.is_file() { kept.as_path() } else { Path::new(path_or_name) };
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                return match BuiltIn::called(path_or_name) {
                    Some(built_in) => Ok(Loaded {
                        scene: built_in.scene(overrides)?,
                        files: Arc::new(shipped()),
                        name: built_in.name.to_owned(),
                    }),
                    None => Err(not_found(path_or_name, &error)),
                };
            }
        };
        let shown = path.display().to_string();
        let text = String::from_utf8(bytes).map_err(|error| not_text(&shown, &error))?;
        let scene = Self::parse_with(&shown, &text, overrides)?;
        let name = scene.called();
        Ok(Loaded { scene, files: Arc::new(Folder::of(path)), name })
    }
}

impl Loaded {
    /// The scene with one more file, which it finds under this name.
    #[must_use]
    pub fn with_file(self, name: &str, bytes: Vec<u8>) -> Self {
        let others = self.files;
        Self { files: Arc::new(OneMore { name: name.to_owned(), bytes, others }), ..self }
    }

    /// The scene as a line of its comparison.
    pub fn line(&self, name: &str) -> Result<Self, SceneError> {
        Ok(Self { scene: self.scene.line(name)?, ..self.clone() })
    }

    /// The scene on its own, with more keys overridden.
    pub fn variant(&self, changes: &[Override]) -> Result<Self, SceneError> {
        Ok(Self { scene: self.scene.variant(changes)?, ..self.clone() })
    }
}

/// The files of the built-in scenes.
fn shipped() -> InMemory {
    InMemory(DATA.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect())
}

fn not_found(name: &str, error: &std::io::Error) -> SceneError {
    let problem = Problem::nowhere(format!("cannot read the scene: {error}"));
    let names = GALLERY.iter().map(|b| b.name);
    let problem = match spelling::nearest(name, names.clone()) {
        Some(near) => problem.help(format!("did you mean the built-in scene `{near}`?")),
        None => problem.help(format!("the built-in scenes are {}", names.collect::<Vec<_>>().join(", "))),
    };
    SceneError::one(&Arc::new(Source::new(name, "")), problem)
}

fn not_text(name: &str, error: &std::string::FromUtf8Error) -> SceneError {
    let valid = error.utf8_error().valid_up_to();
    let text = String::from_utf8_lossy(error.as_bytes());
    let problem = Problem::new(&(valid..valid + 1), "this is not text: a byte is not UTF-8");
    SceneError::one(&Arc::new(Source::new(name, &text)), problem.help("save the scene as UTF-8"))
}
