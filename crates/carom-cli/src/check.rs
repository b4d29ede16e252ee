//! `carom check SCENE…`.

use std::process::ExitCode;

use carom_scene::{Scene, build};

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
        let built = Scene::load(name, &[]).and_then(|loaded| build(&loaded.scene, loaded.files.as_ref()));
        match built {
            Ok(built) => {
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
