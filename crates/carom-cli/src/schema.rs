//! `carom schema`.

use std::process::ExitCode;

use anyhow::Result;

use crate::kinds;

#[derive(clap::Args)]
pub struct Arguments {
    /// Print all keys as a page in Markdown instead
    #[arg(long)]
    reference: bool,
    /// Print tables of all elements, materials, shapes, fields, loads, contact laws, probes and formats in Markdown instead
    #[arg(long, conflicts_with = "reference")]
    kinds: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    if arguments.reference {
        print!("{}", carom_scene::reference());
    } else if arguments.kinds {
        print!("{}", kinds::tables());
    } else {
        println!("{}", serde_json::to_string_pretty(&carom_scene::schema())?);
    }
    Ok(ExitCode::SUCCESS)
}
