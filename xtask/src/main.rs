//! `cargo xtask …`: the chores of this workspace. One file per command.
//!
//! Plain `std`, no dependencies: the chores build in a second on a bare machine.

mod bench;
mod docs;
mod goldens;
mod house;
mod python;
mod scenes;
mod steps;
mod test;
mod validate;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Name, what it does, and the function that does it.
type Command = (&'static str, &'static str, fn(&Path) -> Result<(), String>);

/// Every command, in the order of the help text.
const COMMANDS: [Command; 10] = [
    ("test", "everything that must pass: format, lints, tests, docs, house rules, scenes", test::run),
    ("house", "the house rules alone: map, citations, layers, files, words (seconds)", house::run),
    ("scenes", "every scene marked for the tests, through the release program", scenes::run),
    (
        "goldens",
        "the golden runs, all or those named, bit for bit; `--bless` writes their table anew",
        goldens::run,
    ),
    (
        "validate",
        "the problems with known answers, all or those named, and the chapter about them",
        validate::run,
    ),
    ("bench", "the benchmark suite, all parts or those named, and its pages (15 minutes)", bench::run),
    ("bullets", "a thousand shots at each speed from 1 to 10⁶ m/s, judged at every instant", bench::bullets),
    (
        "promises",
        "300 random scenes at defaults: energy held or said, nothing passed through, no panic (an hour)",
        bench::promises,
    ),
    (
        "gallery",
        "every scene in full, judged at every instant, and the page that shows them (90 minutes)",
        bench::gallery,
    ),
    ("docs", "the book, strictly, into site/", docs::run),
];

fn main() -> ExitCode {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let command = match asked.as_slice() {
        [name] => COMMANDS.iter().find(|(known, ..)| known == name),
        [name, ..] if ["validate", "gallery", "bench", "goldens", "promises"].contains(&name.as_str()) => {
            COMMANDS.iter().find(|(known, ..)| known == name)
        }
        _ => None,
    };
    let Some((_, _, run)) = command else {
        eprint!("{}", usage());
        return ExitCode::from(2);
    };
    match run(&root()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    let lines = COMMANDS.iter().map(|(name, does, _)| format!("  {name:<8} {does}\n"));
    format!(
        "usage: cargo xtask COMMAND, and names after `goldens`, `validate`, `gallery` and `bench` for those alone, or options after `promises`\n\n{}",
        lines.collect::<String>()
    )
}

/// The root of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("the chores live in a folder of the workspace").to_path_buf()
}
