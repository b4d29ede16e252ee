//! `carom audit RUN`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use carom::audit::{Audited, Replay, replay};

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
    let is_sound = audited.findings.is_clean() && audited.same_bits != Some(false);
    Ok(ExitCode::from(u8::from(!is_sound)))
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
    println!(
        "  {}",
        match audited.same_bits {
            Some(true) => "the replay ends in the bits of the run",
            Some(false) =>
                "the replay ends in OTHER BITS than the run: another program made it, or the folder was changed",
            None => "replayed in part: the bits at the end were not compared",
        }
    );
}

fn as_json(audited: &Audited) -> Result<serde_json::Value> {
    let mut json = serde_json::to_value(audited.findings.summary())?;
    let (energy, momentum) = (audited.ledger.energy(), audited.ledger.momentum());
    json["scene"] = audited.scene.clone().into();
    json["from_s"] = audited.window_s[0].into();
    json["to_s"] = audited.window_s[1].into();
    json["same_bits"] = audited.same_bits.into();
    json["fault"] = audited.fault.clone().into();
    json["ledger"] = serde_json::json!({
        "energy": { "initial": energy.initial, "band": energy.band, "drift": energy.drift, "drift_stderr": energy.drift_stderr },
        "momentum": { "linear_error": momentum.linear_error, "angular_error": momentum.angular_error },
    });
    Ok(json)
}
