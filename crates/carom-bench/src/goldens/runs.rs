//! Which golden runs there are: the scenes of the folder, and one that no scene can describe.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom::job::Job;
use carom_engine::{MethodKind, Zoom};
use carom_model::{State, System};
use carom_scene::format::SceneFile;
use carom_scene::{Built, Probe, Scene};
use carom_time::Tick;

use super::closures;

/// Runs that `reference` does within a second or so: it asks every pair at every tick of the fastest layer.
const BY_REFERENCE: &[&str] = &[
    "closures",
    "fault-collapsed",
    "fault-not-finite",
    "fault-two-at-once",
    "fault-unstable",
    "grains-hertz",
    "loads",
    "pairs",
    "points-contact",
    "rod-bend",
    "rod-twist",
    "rods-contact",
    "sheets-acm",
    "sheets-nested",
    "sheets-window",
    "shell-hinge",
    "shell-midedge",
    "shell-quadratic",
    "solid-neo-hookean",
    "solid-stvk",
    "springs",
];

/// A run, ready to start.
pub struct Run {
    pub name: String,
    /// The scene; `None` for a run made by code.
    pub scene: Option<SceneFile>,
    /// The scene, built: its tolerance and the time up to which its paths are checked.
    pub built: Option<Arc<Built>>,
    pub method: MethodKind,
    pub system: Arc<System>,
    pub state: State,
    pub probes: Vec<Probe>,
    pub end: Tick,
    pub rows: u64,
    pub zoom: Option<Zoom>,
    /// Whether `reference` does it too.
    pub by_reference: bool,
}

/// All runs, in the order of names.
pub fn all(folder: &Path) -> Result<Vec<Run>, String> {
    let files =
        std::fs::read_dir(folder).map_err(|why| format!("cannot read {}: {why}", folder.display()))?;
    let paths = files.filter_map(|file| Some(file.ok()?.path()));
    let scenes = paths.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    let mut runs = scenes.map(|path| of_scene(&path)).collect::<Result<Vec<Run>, String>>()?;
    runs.push(closures::run());
    for run in &mut runs {
        run.by_reference = BY_REFERENCE.contains(&run.name.as_str());
    }
    runs.sort_by(|a, b| a.name.cmp(&b.name));
    match BY_REFERENCE.iter().find(|name| runs.iter().all(|run| run.name != **name)) {
        Some(unknown) => Err(format!("there is no golden run {unknown} for the reference")),
        None => Ok(runs),
    }
}

fn of_scene(path: &Path) -> Result<Run, String> {
    let loaded = Scene::load(&path.to_string_lossy(), &[]).map_err(|why| why.to_string())?;
    let job = Job::new(&loaded).map_err(|why| why.to_string())?;
    let built = &job.built;
    Ok(Run {
        name: loaded.name.clone(),
        scene: Some(loaded.scene.file.clone()),
        built: Some(Arc::clone(built)),
        method: job.method,
        system: job.system(&AtomicBool::new(false)),
        state: built.state.clone(),
        probes: built.probes.clone(),
        end: built.schedule.end,
        rows: u64::from(built.schedule.rows),
        zoom: built.schedule.zoom,
        by_reference: false,
    })
}
