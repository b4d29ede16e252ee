//! Measures the program: how fast (`throughput`, the default), how right (`validate`) and how safe (`bullets`); and what it can do (`gallery`).
//!
//! `cargo xtask bench` builds this in release and runs it.

mod bullets;
mod gallery;
mod throughput;
mod validate;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        None => throughput::report(),
        Some((command, [])) if command == "throughput" => throughput::report(),
        Some((command, rest)) if command == "gallery" => return gallery::main(rest),
        Some((command, rest)) if command == "bullets" => return bullets::main(rest),
        Some((command, rest)) if command == "validate" => return validate::main(rest),
        Some((other, _)) => {
            eprintln!(
                "no such measurement: {other}; there are `throughput`, `bullets [SHOTS]`, `gallery [SCENE…]` and `validate [PROBLEM…]`"
            );
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
