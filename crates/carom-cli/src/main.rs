//! The program `carom`.

use std::process::ExitCode;

fn main() -> ExitCode {
    carom_cli::run_command_line(std::env::args_os())
}
