//! `carom check SCENE…`.

use std::process::ExitCode;

use carom::job::{Job, JobError};
use carom_scene::Scene;

use crate::style;

#[derive(clap::Args)]
pub struct Arguments {
    /// Scene files, or names of built-in scenes
    #[arg(required = true)]
    scenes: Vec<String>,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for name in &arguments.scenes {
        let job = Scene::load(name, &[]).map_err(JobError::from).and_then(|loaded| Job::new(&loaded));
        match job {
            Ok(Job { built, .. }) => {
                let elements: usize = built.system.families.iter().map(|f| f.len()).sum();
                let vertices = style::count(built.system.vertices() as u64);
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
    code
}
