//! `--from RUN[:frame]`: starting where another run was.

use anyhow::Result;
use carom::job::FrameOf;
use carom_scene::{Loaded, Override, Scene};

use crate::run::SceneArguments;

/// The run to start from.
#[derive(clap::Args)]
pub struct FromArguments {
    /// Start where another run was: its folder, and after a colon the number of a frame [default: the last]
    #[arg(long, value_name = "RUN[:FRAME]")]
    from: Option<String>,
    /// Take only positions from there: bodies move as the scene says
    #[arg(long, requires = "from")]
    positions_only: bool,
}

impl FromArguments {
    /// Reads the scene, started from there.
    pub fn load(&self, scene: &SceneArguments) -> Result<Loaded> {
        let Some(from) = &self.from else { return scene.load() };
        let (earlier, name) = FrameOf::parse(from).read()?;
        let mut overrides = scene.overrides();
        overrides.push(Override::flag("--from", "from.file", &name));
        if self.positions_only {
            overrides.push(Override::flag("--positions-only", "from.velocities", "false"));
        }
        Ok(Scene::load(&scene.scene, &overrides)?.with_file(&name, earlier.to_table().into_bytes()))
    }

    /// The keys that the command line changes, as `key=value`.
    pub fn changes(&self, scene: &SceneArguments) -> Vec<String> {
        let from = self.from.iter().map(|from| format!("from={from}"));
        let positions = self.positions_only.then(|| "from.velocities=false".to_owned());
        scene.changes().into_iter().chain(from).chain(positions).collect()
    }
}
