//! Runs of one scene beside each other: the scene itself, the lines of its comparison, and any variant with other keys.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use carom_output::compare::ComparedRun;
use carom_output::{Comparison, OutputError, RunOptions};
use carom_scene::{Loaded, Override};

use crate::job::{FinishedRun, Job, JobError};

/// A run to be made beside others: its job, and the name by which figures and pages call it.
pub struct RunVariant {
    /// Name of the variant.
    pub name: String,
    /// Job of the variant.
    pub job: Job,
    /// What the folder of the run says about how it was started.
    pub options: RunOptions,
}

impl RunVariant {
    /// The scene itself; `changes` are the keys that were set, as `key=value`.
    pub fn own(loaded: &Loaded, changes: &[String]) -> Result<Self, JobError> {
        Self::new(loaded.scene.file.own_line(), loaded, changes)
    }

    /// The scene itself, to find where it rests.
    pub fn to_relax(loaded: &Loaded, changes: &[String]) -> Result<Self, JobError> {
        Ok(Self::of("relax", Job::to_relax(loaded)?, loaded, changes))
    }

    /// The line of this name that the scene has.
    pub fn named(loaded: &Loaded, name: &str, changes: &[String]) -> Result<Self, JobError> {
        let lines = loaded.scene.file.compare.iter().flat_map(|compare| &compare.lines);
        let set = lines.filter(|line| line.name.as_str() == name).flat_map(|line| &line.set);
        let set = set.map(|(key, value)| format!("{key}={}", value.0));
        let changes: Vec<String> = changes.iter().cloned().chain(set).collect();
        Self::new(name, &loaded.line(name)?, &changes)
    }

    /// The scene with `more` keys set, as a line that it does not know.
    pub fn variant(
        name: &str,
        loaded: &Loaded,
        more: &[Override],
        changes: &[String],
    ) -> Result<Self, JobError> {
        Self::new(name, &loaded.variant(more)?, changes)
    }

    /// The same variant under another name.
    #[must_use]
    pub fn called(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self.options.options.insert("line".to_owned(), name.to_owned());
        self
    }

    fn new(name: &str, loaded: &Loaded, changes: &[String]) -> Result<Self, JobError> {
        Ok(Self::of(name, Job::new(loaded)?, loaded, changes))
    }

    fn of(name: &str, job: Job, loaded: &Loaded, changes: &[String]) -> Self {
        let mut options = BTreeMap::from([
            ("scene".to_owned(), loaded.scene.name().to_owned()),
            ("line".to_owned(), name.to_owned()),
            ("method".to_owned(), job.method.name().to_owned()),
        ]);
        options.extend(changes.iter().enumerate().map(|(i, change)| (format!("set.{i}"), change.clone())));
        let versions = BTreeMap::from([
            ("carom".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
            ("scene format".to_owned(), "1".to_owned()),
            ("summary format".to_owned(), carom_output::summary::FORMAT.to_string()),
        ]);
        let options = RunOptions { arguments: Vec::new(), options, versions };
        Self { name: name.to_owned(), job, options }
    }
}

/// A run that was just made, as a page shows it that calls its folder `folder`.
#[must_use]
pub fn compared(name: &str, folder: &str, run: FinishedRun) -> ComparedRun {
    let FinishedRun { summary, options, ledger } = run;
    ComparedRun { name: name.to_owned(), folder: folder.to_owned(), summary, options, ledger }
}

/// Writes the page about runs of a scene into `folder`, and their figure if there are several.
pub fn report(loaded: &Loaded, lines: Vec<ComparedRun>, folder: &Path) -> Result<(), OutputError> {
    let started = Instant::now();
    let file = &loaded.scene.file;
    let title = if file.title.is_empty() { &loaded.name } else { &file.title };
    let zoom = file.output.zoom.as_ref().map(|zoom| (zoom.from.get(), zoom.to.get()));
    let group_of = carom_elastic::registry::group_of;
    Comparison { title: title.clone(), lines, zoom, group_of }.write(folder, started)
}
