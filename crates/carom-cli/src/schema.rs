//! `carom schema`.

use std::process::ExitCode;

use anyhow::Result;

pub fn run() -> Result<ExitCode> {
    println!("{}", serde_json::to_string_pretty(&carom_scene::schema())?);
    Ok(ExitCode::SUCCESS)
}
