//! Measures the program: speed (`suite`, the default), accuracy (`validate`), safety (`bullets`), promises on random scenes (`promises`) and whether any bit changed (`goldens`); and
//! runs the `gallery`. `carom-bench carom …` is the program itself.
//!
//! `cargo xtask bench` builds this in release and runs it.

mod bullets;
mod gallery;
mod goldens;
mod naive;
mod promises;
mod suite;
mod validate;
mod workers;

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        None => suite::main(&[]),
        Some((command, _)) if command == "carom" => carom_cli::run_command_line(std::env::args_os().skip(1)),
        Some((command, rest)) if command == "suite" => suite::main(rest),
        Some((command, rest)) if command == "loop" => suite::instructions::main(rest),
        Some((command, rest)) if command == "gallery" => gallery::main(rest),
        Some((command, rest)) if command == "goldens" => goldens::main(rest),
        Some((command, rest)) if command == "bullets" => bullets::main(rest),
        Some((command, rest)) if command == "promises" => promises::main(rest),
        Some((command, rest)) if command == "validate" => validate::main(rest),
        Some((other, _)) => {
            eprintln!(
                "no such measurement: {other}; there are `suite [PART…]`, `bullets [SHOTS]`, `gallery [SCENE…]`, `goldens [--bless] [RUN…]`, `promises [--seeds A..B]` and `validate [PROBLEM…]`"
            );
            ExitCode::from(2)
        }
    }
}

/// The program `carom`, as a process of its own.
fn program() -> Result<Command, String> {
    let mut command = Command::new(std::env::current_exe().map_err(|e| e.to_string())?);
    command.arg("carom");
    Ok(command)
}
