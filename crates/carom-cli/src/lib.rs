//! The program `carom`: glue between the command line and the library.
//!
//! It is a library so that the program which measures it holds it, too: tests link one program instead of two.
//!
//! One file per command, and an entry in the list below. Exit codes: 0 done and nothing wrong, 1 an expectation failed or the energy is off, 2 bad input, 3 a Fault,
//! 130 interrupted.

/// Like the macro of the standard library, but ignores a closed pipe: `carom run scene | head` finishes its run.
macro_rules! println {
    () => { crate::style::say(format_args!("\n")) };
    ($($what:tt)*) => { crate::style::say(format_args!("{}\n", format_args!($($what)*))) };
}

/// Like `println!`, without the end of the line.
macro_rules! print {
    ($($what:tt)*) => { crate::style::say(format_args!($($what)*)) };
}

mod audit;
mod ccd;
mod check;
mod compare;
mod export;
mod from;
mod inspect;
mod inspect_kinds;
mod inspect_laws;
mod inspect_steps;
mod kinds;
mod new;
mod plot;
mod relax;
mod render;
mod run;
mod scenes;
mod schema;
mod style;
mod variants;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Simulates deformable things: every force on its own clock, energy without drift, the same bits every time.
#[derive(Parser)]
#[command(name = "carom", version, propagate_version = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The commands: what each is for, and its file.
macro_rules! commands {
    ($($(#[$about:meta])+ $Name:ident: $file:ident,)+) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$about])+ $Name($file::Arguments),)+
        }

        impl Command {
            fn run(&self) -> anyhow::Result<ExitCode> {
                match self {
                    $(Self::$Name(arguments) => $file::run(arguments),)+
                }
            }
        }
    };
}

commands! {
    /// Run a scene and write its ledger, frames and verdict to a folder
    Run: run,
    /// Bring a scene to rest and write the equilibrium to a folder
    Relax: relax,
    /// Run a scene beside variants of it, or take runs that are there, and draw them together
    Compare: compare,
    /// Plot what a run kept and what became of it: energies, errors, contact, probes
    Plot: plot,
    /// Draw frames of a run: pictures and animations, without a display
    Render: render,
    /// Write frames of a run in a format of other programs
    Export: export,
    /// Show what a scene is made of: potentials, steps, predicted cost
    Inspect: inspect,
    /// Check a scene without running it
    Check: check,
    /// Show that the integrator has the structure it claims on this scene
    Verify: verify,
    /// Replay a run and judge it: did anything pass through, at any instant
    Audit: audit,
    /// Test continuous collision detection on queries with known answers
    Ccd: ccd,
    /// Write a new scene to start from, every key explained
    New: new,
    /// List the built-in scenes, or print one
    Scenes: scenes,
    /// Print the JSON Schema of scene files, for editors
    Schema: schema,
}

/// Does what a command line says; its first word is the name of the program.
pub fn run_command_line(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    Arguments::parse_from(words).command.run().unwrap_or_else(|error| {
        style::complain(&error);
        ExitCode::from(2)
    })
}
