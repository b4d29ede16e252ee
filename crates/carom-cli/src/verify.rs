//! `carom verify SCENE`.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use carom_verify::{Check, Options, Report, Verdict, verify_and_show};

use crate::run::SceneArguments;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// Print the checks as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let job = arguments.scene.job()?;
    let system = job.method.system(&Arc::new(job.built.system.clone()));
    let show = |check: &Check| {
        if !arguments.json {
            print(check);
        }
    };
    if !arguments.json && system.has_more_than_potentials() {
        println!(
            "  damping, friction, lossy impacts and prescribed motion are left out: the rest is checked"
        );
    }
    if !arguments.json {
        println!("  {:<46} {:>10} {:>10}", "check", "residual", "bound");
    }
    let options = Options { until: job.built.schedule.end, ..Options::default() };
    let report = verify_and_show(&system, &job.built.state, &options, show);
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&as_json(&report))?);
    } else {
        let made = report.checks.iter().filter(|c| !matches!(c.verdict, Verdict::Skipped(_))).count();
        let verdict = match (report.passed(), made) {
            (false, _) => "a check failed",
            (true, 0) => "there was nothing to check",
            (true, _) => "has the structure it claims",
        };
        println!("{}: {verdict} ({made} of {} checks made)", job.name, report.checks.len());
    }
    Ok(ExitCode::from(u8::from(!report.passed())))
}

fn print(check: &Check) {
    let verdict = match &check.verdict {
        Verdict::Passed => "passed".to_owned(),
        Verdict::Failed => "FAILED".to_owned(),
        Verdict::Skipped(reason) => format!("skipped: {reason}"),
    };
    println!("  {:<46} {:>10.1e} {:>10.1e}  {verdict}", check.name, check.residual, check.bound);
    println!("      {}", check.what);
    for detail in &check.details {
        println!("      {detail}");
    }
}

fn as_json(report: &Report) -> serde_json::Value {
    let check = |c: &Check| {
        let (verdict, reason) = match &c.verdict {
            Verdict::Passed => ("passed", None),
            Verdict::Failed => ("failed", None),
            Verdict::Skipped(reason) => ("skipped", Some(reason.clone())),
        };
        serde_json::json!({
            "name": c.name, "what": c.what, "residual": c.residual, "bound": c.bound,
            "verdict": verdict, "reason": reason, "details": c.details,
        })
    };
    serde_json::json!({ "passed": report.passed(), "checks": report.checks.iter().map(check).collect::<Vec<_>>() })
}
