//! `carom audit RUN`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use carom::audit::{Audited, Replay, replay};
use carom_output::RecordDifferences;

use crate::style;

#[derive(clap::Args)]
pub struct Arguments {
    /// The folder of a run
    run: PathBuf,
    /// Judge from this time on, in s
    #[arg(long, value_name = "SECONDS")]
    from: Option<f64>,
    /// Judge until this time, in s
    #[arg(long, value_name = "SECONDS")]
    to: Option<f64>,
    /// Print what was found as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let stop = Arc::new(AtomicBool::new(false));
    let raise = Arc::clone(&stop);
    ctrlc::set_handler(move || raise.store(true, Ordering::Relaxed)).context("cannot listen for Ctrl-C")?;
    let what = Replay { from_s: arguments.from, to_s: arguments.to };
    let audited = replay(&arguments.run, &what, &stop)
        .with_context(|| format!("cannot audit {}", arguments.run.display()))?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&as_json(&audited)?)?);
    } else {
        print(&audited);
    }
    Ok(ExitCode::from(u8::from(!audited.is_sound())))
}

fn print(audited: &Audited) {
    let [from, to] = audited.window_s.map(style::seconds);
    println!("{} from {from} to {to}", audited.scene);
    for line in audited.findings.summary().lines() {
        println!("  {line}");
    }
    let (energy, momentum) = (audited.ledger.energy(), audited.ledger.momentum());
    println!(
        "  ledger: energy band {:.1e}, drift {:+.1e} ± {:.0e}; momentum error {:.0e}, angular {:.0e}",
        energy.band, energy.drift, energy.drift_stderr, momentum.linear_error, momentum.angular_error
    );
    if let Some(fault) = &audited.fault {
        println!("  the run ended in a Fault: {fault}");
    }
    println!("  {}", how_it_ended(audited));
    for line in record_lines(audited) {
        println!("  {line}");
    }
}

fn how_it_ended(audited: &Audited) -> &'static str {
    match audited.same_bits {
        Some(true) => "the replay ends in the bits of the run",
        Some(false) => {
            "the replay ends in OTHER BITS than the run: another program made it, or the folder was changed"
        }
        None if audited.was_killed => {
            "there is no summary.json: the run was killed, or the file was removed; nothing says how it ended"
        }
        None => "replayed in part: the bits at the end were not compared",
    }
}

/// What became of the comparison of the files with the replay.
fn record_lines(audited: &Audited) -> Vec<String> {
    let RecordDifferences { first, count } = &audited.records;
    if *count == 0 {
        let until = style::seconds(audited.window_s[1]);
        return vec![match audited.same_bits {
            Some(_) => "ledger, probes, frames and summary are those of the replay, to the bit".to_owned(),
            None => format!("ledger, probes and frames up to {until} are those of the replay, to the bit"),
        }];
    }
    let word = if *count == 1 { "DIFFERENCE" } else { "DIFFERENCES" };
    let title = format!("{count} {word} between the files of the run and the replay:");
    let more = count - first.len() as u64;
    let more = (more > 0).then(|| format!("  and {more} more"));
    std::iter::once(title).chain(first.iter().map(|one| format!("  {one}"))).chain(more).collect()
}

fn as_json(audited: &Audited) -> Result<serde_json::Value> {
    let mut json = serde_json::to_value(audited.findings.summary())?;
    let (energy, momentum) = (audited.ledger.energy(), audited.ledger.momentum());
    json["scene"] = audited.scene.clone().into();
    json["from_s"] = audited.window_s[0].into();
    json["to_s"] = audited.window_s[1].into();
    json["same_bits"] = audited.same_bits.into();
    json["fault"] = audited.fault.clone().into();
    json["was_killed"] = audited.was_killed.into();
    json["records"] = serde_json::json!({
        "differences": audited.records.count,
        "first_differences": audited.records.first,
    });
    json["ledger"] = serde_json::json!({
        "energy": { "initial": energy.initial, "band": energy.band, "drift": energy.drift, "drift_stderr": energy.drift_stderr },
        "momentum": { "linear_error": momentum.linear_error, "angular_error": momentum.angular_error },
    });
    Ok(json)
}
