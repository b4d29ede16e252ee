//! `carom check SCENE…`.

use std::process::ExitCode;

use anyhow::Result;
use carom::job::{Job, JobError};
use carom_scene::{Override, Scene};

use crate::style;

#[derive(clap::Args)]
pub struct Arguments {
    /// Scene files, or names of built-in scenes
    #[arg(required = true)]
    scenes: Vec<String>,
    /// Check the small variants that the scenes describe in [small]
    #[arg(long)]
    small: bool,
}

#[expect(clippy::unnecessary_wraps, reason = "commands are called alike")]
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    for name in &arguments.scenes {
        match sound(name, arguments.small) {
            Ok(Job { built, .. }) => {
                let elements: usize = built.system.families.iter().map(|f| f.len()).sum();
                let vertices = style::count(built.system.places() as u64);
                println!("{name}: sound; {vertices} vertices, {} potentials", style::count(elements as u64));
                for warning in built.warnings.lines() {
                    println!("  warning: {warning}");
                }
            }
            Err(error) => {
                style::complain(&error.into());
                code = ExitCode::from(2);
            }
        }
    }
    Ok(code)
}

/// The scene, built, if it and all lines of its comparison are sound.
fn sound(name: &str, small: bool) -> Result<Job, JobError> {
    let overrides: Vec<Override> = small.then(Override::small).into_iter().collect();
    let loaded = Scene::load(name, &overrides)?;
    for line in loaded.scene.file.compare.iter().flat_map(|compare| &compare.lines) {
        Job::new(&loaded.line(&line.name)?)?;
    }
    Job::new(&loaded)
}
