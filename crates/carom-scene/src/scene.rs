//! A scene: read, checked on its own, not yet built.

use std::path::Path;
use std::sync::Arc;

use crate::at::At;
use crate::decode::decode;
use crate::format::{CompareLine, SceneFile};
use crate::overrides::Override;
use crate::report::{Problem, SceneError};
use crate::source::Source;

/// A scene whose keys and values are sound. Meshes and selections are checked when it is built.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// What the file says, with the overrides, defaults filled in.
    pub file: SceneFile,
    source: Arc<Source>,
    overrides: Vec<Override>,
}

impl Scene {
    /// Reads a scene; `name` is what messages call it.
    pub fn parse(name: &str, text: &str) -> Result<Self, SceneError> {
        Self::parse_with(name, text, &[])
    }

    /// Reads a scene of which some keys are overridden.
    pub fn parse_with(name: &str, text: &str, overrides: &[Override]) -> Result<Self, SceneError> {
        let scene = Self::read(name, text, overrides, None)?;
        let lines = scene.file.compare.iter().flat_map(|compare| &compare.lines);
        let wrong = lines.filter_map(|line| Some((line, scene.line(&line.name).err()?)));
        let in_lines =
            |(line, error): (&At<CompareLine>, _)| within(&format!("line \"{}\"", *line.name), &error);
        let mut problems: Vec<Problem> = wrong.flat_map(in_lines).collect();
        if !scene.file.small.is_empty() {
            let wrong = scene.variant(&[Override::small()]).err();
            problems.extend(wrong.into_iter().flat_map(|error| within("the small variant", &error)));
        }
        if problems.is_empty() { Ok(scene) } else { Err(SceneError::new(&scene.source, problems)) }
    }

    fn read(name: &str, text: &str, overrides: &[Override], line: Option<&str>) -> Result<Self, SceneError> {
        let mut source = Source::new(name, text);
        let values_at: Vec<usize> = overrides.iter().map(|o| o.note_in(&mut source)).collect();
        let decoded = decode(&source, overrides, &values_at, line);
        let source = Arc::new(source);
        let file = decoded.map_err(|problems| SceneError::new(&source, problems))?;
        let mut problems = crate::check::problems(&file);
        // A method from the command line may be that of a line, which the scene then is itself.
        if overrides.iter().all(|o| o.key() != "method") {
            problems.extend(crate::check::taken_by_the_scene(&file));
        }
        if !problems.is_empty() {
            return Err(SceneError::new(&source, problems));
        }
        Ok(Self { file, source, overrides: overrides.to_vec() })
    }

    /// The scene as the line of its comparison with this name, which it must have.
    pub fn line(&self, name: &str) -> Result<Self, SceneError> {
        Self::read(self.source.name(), self.source.file_text(), &self.overrides, Some(name))
    }

    /// The scene on its own, with more keys overridden: a line of a comparison that the scene does not know.
    pub fn variant(&self, changes: &[Override]) -> Result<Self, SceneError> {
        let overrides = [&self.overrides, changes].concat();
        let mut scene = Self::read(self.source.name(), self.source.file_text(), &overrides, None)?;
        scene.file.compare = None;
        Ok(scene)
    }

    /// The scene with one more key overridden: `time.end=2`, `body.0.material.shell.thickness=0.01`.
    pub fn set(&self, assignment: &str) -> Result<Self, SceneError> {
        self.with(Override::set(assignment))
    }

    /// The scene with one more key overridden.
    pub fn with(&self, change: Override) -> Result<Self, SceneError> {
        let mut overrides = self.overrides.clone();
        overrides.push(change);
        Self::parse_with(self.source.name(), self.source.file_text(), &overrides)
    }

    /// What the scene is called: the name it gives itself, or else that of its file, without folder and extension.
    #[must_use]
    pub fn called(&self) -> String {
        let stem = || Path::new(self.name()).file_stem().map(|s| s.to_string_lossy().into_owned());
        if self.file.name.is_empty() {
            stem().unwrap_or_else(|| "scene".to_owned())
        } else {
            self.file.name.clone()
        }
    }

    /// The name of the file it was read from.
    #[must_use]
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// The text and flags it was read from.
    #[must_use]
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }
}

/// The problems of one variant of the scene.
fn within(variant: &str, error: &SceneError) -> Vec<Problem> {
    let named =
        |problem: &Problem| Problem { message: format!("{variant}: {}", problem.message), ..problem.clone() };
    error.report().problems().iter().map(named).collect()
}
