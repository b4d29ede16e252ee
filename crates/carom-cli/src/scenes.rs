//! `carom scenes [NAME]`.

use std::process::ExitCode;

use anyhow::{Result, bail};
use carom_scene::{BuiltIn, GALLERY};

#[derive(clap::Args)]
pub struct Arguments {
    /// Print this scene instead of the list
    name: Option<String>,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    if let Some(name) = &arguments.name {
        let Some(scene) = BuiltIn::called(name) else {
            let names: Vec<&str> = GALLERY.iter().map(|s| s.name).collect();
            bail!("there is no built-in scene {name}: there are {}", names.join(", "));
        };
        print!("{}", scene.text);
        return Ok(ExitCode::SUCCESS);
    }
    for scene in GALLERY {
        println!("{:<14} {}", scene.name, scene.scene(&[])?.file.title);
    }
    Ok(ExitCode::SUCCESS)
}
