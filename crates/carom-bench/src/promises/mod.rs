//! Random scenes, run at defaults as a user would run them, and whether the promises were kept: energy within its tolerance or said, nothing
//! passed through, no panic, no run without an end, and no higher cost than another build's.
//!
//! `promises [--seeds A..B] [--program PATH] [--tolerance X] [--audit] [--limit SECONDS] [--at-once N] [--scenes FOLDER]
//! [--table FILE] [--against FILE] [--write-only]`. Every seed gives one scene, and none is left out for being hard; those that the program refuses to start are counted.

mod body;
mod random;
mod scene;
mod situation;
mod table;
mod trial;

use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use crate::workers;
use trial::{Trial, TrialOptions};

/// Seeds of the scenes unless others are asked for.
const SEEDS: Range<u64> = 0..300;
/// CPU seconds that a run may take.
const LIMIT_S: f64 = 120.0;
/// Folder of the scenes, from the root of the workspace.
const SCENES: &str = "target/promises";

struct Options {
    seeds: Range<u64>,
    trials: TrialOptions,
    scenes: PathBuf,
    table: PathBuf,
    against: Option<PathBuf>,
    write_only: bool,
    /// How many scenes run at the same time.
    at_once: usize,
}

/// Runs the scenes and fails if a promise was broken.
pub fn main(arguments: &[String]) -> ExitCode {
    match options(arguments).and_then(|options| run(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let trials = TrialOptions {
        program,
        words_before: vec!["carom".to_owned()],
        tolerance: None,
        audit: false,
        limit_s: LIMIT_S,
    };
    let scenes = PathBuf::from(SCENES);
    let mut options = Options {
        seeds: SEEDS,
        trials,
        table: scenes.join("table.csv"),
        scenes,
        against: None,
        write_only: false,
        at_once: workers::cores(),
    };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--seeds" => options.seeds = seeds(value()?)?,
            "--program" => {
                options.trials.program = PathBuf::from(value()?);
                options.trials.words_before.clear();
            }
            "--tolerance" => options.trials.tolerance = Some(tolerance(value()?)),
            "--audit" => options.trials.audit = true,
            "--limit" => {
                let text = value()?;
                options.trials.limit_s =
                    text.parse().map_err(|_| format!("--limit {text}: no number of seconds"))?;
            }
            "--at-once" => {
                let text = value()?;
                options.at_once = text
                    .parse()
                    .ok()
                    .filter(|count| *count > 0)
                    .ok_or_else(|| format!("--at-once {text}: give a number of runs"))?;
            }
            "--scenes" => options.scenes = PathBuf::from(value()?),
            "--table" => options.table = PathBuf::from(value()?),
            "--against" => options.against = Some(PathBuf::from(value()?)),
            "--write-only" => options.write_only = true,
            other => return Err(format!("no such option: {other}")),
        }
    }
    Ok(options)
}

fn seeds(text: &str) -> Result<Range<u64>, String> {
    let ends = text.split_once("..").and_then(|(low, high)| Some(low.parse().ok()?..high.parse().ok()?));
    ends.filter(|seeds: &Range<u64>| !seeds.is_empty())
        .ok_or_else(|| format!("--seeds {text}: give the first and the one after the last, as in 0..300"))
}

/// The value as TOML has it.
fn tolerance(text: &str) -> String {
    if text.parse::<f64>().is_ok() { text.to_owned() } else { format!("\"{text}\"") }
}

fn run(options: &Options) -> Result<bool, String> {
    let say = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(&options.scenes).map_err(|e| say(&options.scenes, e))?;
    let others = options
        .against
        .as_ref()
        .map(|path| std::fs::read_to_string(path).map(|text| table::costs(&text)).map_err(|e| say(path, e)))
        .transpose()?;
    let scenes = write_scenes(options).map_err(|e| say(&options.scenes, e))?;
    if options.write_only {
        return Ok(true);
    }
    let trials = run_all(options, scenes)?;
    let bars = table::bars(&trials, others.as_deref());
    for bar in &bars {
        println!("{:<6} {}", if bar.kept { "kept" } else { "BROKEN" }, bar.words);
    }
    println!("       every scene is a line of {}", options.table.display());
    Ok(bars.iter().all(|bar| bar.kept))
}

/// Runs the scenes; every line of the table is on disk as soon as its scene has ended, at the end in the order of seeds.
fn run_all(options: &Options, scenes: Vec<(u64, String, PathBuf)>) -> Result<Vec<Trial>, String> {
    let say = |error: std::io::Error| format!("{}: {error}", options.table.display());
    std::fs::write(&options.table, format!("{}\n", table::HEAD)).map_err(say)?;
    let file = Mutex::new(std::fs::OpenOptions::new().append(true).open(&options.table).map_err(say)?);
    let trials = workers::at_once(scenes, options.at_once, |(seed, title, scene)| {
        // Two programs may run the same scenes at the same time.
        let trial =
            options.trials.run(seed, &title, &scene, &options.table.with_extension(format!("run-{seed}")))?;
        let mut file = file.lock().expect("no worker panics while it writes");
        writeln!(file, "{}", table::line(&trial)).map_err(say)?;
        Ok(trial)
    });
    let trials: Vec<Trial> = trials.into_iter().collect::<Result<_, String>>()?;
    let lines: String = trials.iter().map(|trial| table::line(trial) + "\n").collect();
    std::fs::write(&options.table, format!("{}\n{lines}", table::HEAD)).map_err(say)?;
    Ok(trials)
}

/// Writes the scene of every seed: the seeds with the titles and the files of their scenes.
fn write_scenes(options: &Options) -> std::io::Result<Vec<(u64, String, PathBuf)>> {
    let write = |seed: u64| {
        let scene = scene::of_seed(seed);
        let file = options.scenes.join(format!("{seed}.toml"));
        std::fs::write(&file, &scene.text).map(|()| (seed, scene.title, file))
    };
    options.seeds.clone().map(write).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &[&str]) -> Result<Options, String> {
        options(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_tolerance_is_given_to_the_program_only_where_it_is_asked_for() {
        let tolerance = |words: &[&str]| asked(words).expect("known options").trials.tolerance;
        assert_eq!(tolerance(&[]), None);
        assert_eq!(tolerance(&["--tolerance", "none"]).as_deref(), Some("\"none\""));
        assert_eq!(tolerance(&["--tolerance", "1e-3"]).as_deref(), Some("1e-3"));
    }

    #[test]
    fn words_that_mean_nothing_are_refused() {
        for words in
            [&["--seeds", "3"][..], &["--seeds", "5..5"], &["--limit", "long"], &["--table"], &["all"]]
        {
            assert!(asked(words).is_err(), "{words:?}");
        }
        assert_eq!(asked(&["--seeds", "10..12"]).expect("two seeds").seeds, 10..12);
    }
}
