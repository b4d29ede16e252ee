//! `carom new NAME`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

#[derive(clap::Args)]
pub struct Arguments {
    /// The file to write; it must not exist
    #[arg(default_value = "scene.toml")]
    path: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let path = arguments.path.display();
    let created = std::fs::OpenOptions::new().write(true).create_new(true).open(&arguments.path);
    let mut file = created.with_context(|| format!("cannot create {path}"))?;
    file.write_all(carom_scene::template().as_bytes()).with_context(|| format!("cannot write {path}"))?;
    println!("wrote {path}; run it with: carom run {path}");
    Ok(ExitCode::SUCCESS)
}
