//! `carom schema`.

use std::process::ExitCode;

use anyhow::Result;

#[derive(clap::Args)]
pub struct Arguments {
    /// Print all keys as a page in Markdown instead
    #[arg(long)]
    reference: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    if arguments.reference {
        print!("{}", carom_scene::reference());
    } else {
        println!("{}", serde_json::to_string_pretty(&carom_scene::schema())?);
    }
    Ok(ExitCode::SUCCESS)
}
