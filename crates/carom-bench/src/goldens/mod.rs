//! Golden runs: small scenes whose numbers are kept in the tree, bit for bit.
//!
//! Every run is repeated with one, two and four threads and at every vector width of the machine, small as it is; where it is small enough, by
//! `reference` too. All must give the hashes of the table. `goldens --bless` writes the table anew, after a change that was meant to change numbers.
//!
//! | file | idea |
//! | --- | --- |
//! | `runs` | which runs there are |
//! | `closures` | a run that no scene can describe |
//! | `combinations` | how often each is repeated: threads, widths, methods |
//! | `record` | one run, and what is kept of its numbers |
//! | `hash` | numbers → hash |
//! | `table` | the table in the tree |
//! | `coverage` | what the runs must touch together |

mod closures;
mod combinations;
mod coverage;
mod hash;
mod record;
mod runs;
mod table;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use combinations::Combination;
use coverage::Coverage;
use record::record;
use runs::Run;
use table::{Row, Table};

/// Where scenes and table are.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../goldens");

/// Holds the runs against the table, all or those named; with `--bless` writes it anew.
pub fn main(arguments: &[String]) -> ExitCode {
    let bless = arguments.iter().any(|argument| argument == "--bless");
    let names: Vec<&str> = arguments.iter().map(String::as_str).filter(|name| *name != "--bless").collect();
    match check(Path::new(FOLDER), &names, bless) {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(problems) => {
            for problem in problems {
                eprintln!("{problem}");
            }
            ExitCode::FAILURE
        }
    }
}

fn check(folder: &Path, names: &[&str], bless: bool) -> Result<String, Vec<String>> {
    let started = Instant::now();
    let one = |problem: String| vec![problem];
    let mut runs = runs::all(folder).map_err(one)?;
    if let Some(unknown) = names.iter().find(|name| runs.iter().all(|run| run.name != **name)) {
        return Err(one(format!("there is no golden run {unknown}")));
    }
    let is_whole = names.is_empty();
    runs.retain(|run| is_whole || names.contains(&run.name.as_str()));

    let mut coverage = Coverage::default();
    let mut problems = Vec::new();
    let mut found = Table::default();
    let mut repeated = 0;
    for run in &runs {
        let first = Combination::FIRST;
        let row = record(run, first, Some(&mut coverage));
        for combination in combinations::others(run) {
            repeated += 1;
            let again = record(run, combination, None);
            problems.extend(differences(run, combination, &row, &again, first.to_string().as_str()));
        }
        found.rows.insert(run.name.clone(), row);
    }
    if is_whole {
        problems.extend(coverage.missing().into_iter().map(|what| format!("no golden run touches {what}")));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let path = folder.join("table.csv");
    if bless {
        if !is_whole {
            let kept = Table::read(&path).map_err(one)?;
            kept.rows.into_iter().for_each(|(name, row)| {
                found.rows.entry(name).or_insert(row);
            });
        }
        found.write(&path).map_err(one)?;
        return Ok(format!("{} runs written to goldens/table.csv", found.rows.len()));
    }
    let expected = Table::read(&path).map_err(one)?;
    problems.extend(against(&expected, &found, &runs, is_whole));
    if problems.is_empty() {
        let seconds = started.elapsed().as_secs_f64();
        Ok(format!(
            "{} golden runs, each repeated, {repeated} times in all: as in the table ({seconds:.1} s)",
            runs.len()
        ))
    } else {
        problems.push("if the numbers were meant to change: cargo xtask goldens --bless".to_owned());
        Err(problems)
    }
}

/// How two ways to do one run differ; a way that promises no probes is not asked for them.
fn differences(run: &Run, combination: Combination, expected: &Row, found: &Row, by: &str) -> Vec<String> {
    let columns = expected.columns().into_iter().zip(found.columns());
    let asked = columns.filter(|((name, _), _)| combination.promises(name));
    asked
        .filter(|((_, expected), (_, found))| expected != found)
        .map(|((column, expected), (_, found))| {
            format!("{}, {column}, {combination}: expected {expected} ({by}), found {found}", run.name)
        })
        .collect()
}

/// How the runs differ from the table.
fn against(expected: &Table, found: &Table, runs: &[Run], is_whole: bool) -> Vec<String> {
    let mut problems = Vec::new();
    for run in runs {
        match expected.rows.get(&run.name) {
            Some(row) => {
                let now = &found.rows[&run.name];
                problems.extend(differences(run, Combination::FIRST, row, now, "the table"));
            }
            None => problems.push(format!("{}: not in the table", run.name)),
        }
    }
    if is_whole {
        let gone = expected.rows.keys().filter(|name| !found.rows.contains_key(*name));
        problems.extend(gone.map(|name| format!("{name}: in the table, but there is no such run")));
    }
    problems
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use carom_engine::{MethodKind, Threads};
    use carom_time::Tick;

    use super::*;

    /// So often a run is saved, dropped and resumed, at ticks that mean nothing to it.
    const PIECES: u64 = 7;

    /// The hash of the last state of a run that is resumed again and again by `carom` with 1, 2 and 3 threads in turn, and by `reference`.
    fn state_in_pieces(run: &Run) -> String {
        let never = AtomicBool::new(false);
        let mut method = run.method.start(&run.system, run.state.clone());
        for piece in 1..=PIECES {
            let end = Tick((u128::from(run.end.0) * u128::from(piece) / u128::from(PIECES)) as u64);
            method.advance_to(end, &never).expect("the run has no Fault");
            let kind = if piece == 3 && run.by_reference { MethodKind::Reference } else { run.method };
            let threads = Threads::sharing_everything(1 + piece as usize % 3);
            method = kind.resume(threads, &run.system, &method.save()).expect("the system is the same");
        }
        method.state().fingerprint().to_string()
    }

    #[test]
    fn golden_runs_that_are_resumed_end_in_the_states_of_the_table() {
        let runs = runs::all(Path::new(FOLDER)).unwrap();
        let table = Table::read(&Path::new(FOLDER).join("table.csv")).unwrap();
        let reaches_end = |run: &&Run| table.rows[&run.name].end.starts_with("reached");
        let mut resumed = 0;
        for run in runs.iter().filter(|run| run.by_reference).filter(reaches_end) {
            assert_eq!(state_in_pieces(run), table.rows[&run.name].state, "{}", run.name);
            resumed += 1;
        }
        assert!(resumed > 10, "only {resumed} runs");
    }
}
