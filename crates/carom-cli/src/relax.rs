//! `carom relax SCENE`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use carom::comparison::{RunVariant, compared, report};
use carom::engine::RelaxOptions;
use carom_output::summary::Relax;
use carom_output::{RunFolder, Summary};

use crate::from::FromArguments;
use crate::run::{SceneArguments, Told, print_expectations};
use crate::style;
use crate::variants::Runner;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
    #[command(flatten)]
    from: FromArguments,
    /// Write to this folder, which must be new or empty [default: runs/<scene>/<n>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The residual force at which it is an equilibrium, over the scale of the loads
    #[arg(long, value_name = "NUMBER", default_value_t = RelaxOptions::default().tolerance, value_parser = positive)]
    tolerance: f64,
    /// Give up after so many steps
    #[arg(long, value_name = "N", default_value_t = RelaxOptions::default().most_steps)]
    steps: u64,
    /// Keep the masses of the scene; by default each vertex gets the mass with which the longest step fits all
    #[arg(long)]
    real_masses: bool,
    #[command(flatten)]
    told: Told,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|n| *n > 0.0 && n.is_finite());
    number.ok_or_else(|| "expected a positive number, such as 1e-6".to_owned())
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let loaded = arguments.from.load(&arguments.scene)?;
    let options = RelaxOptions {
        tolerance: arguments.tolerance,
        scale_masses: !arguments.real_masses,
        most_steps: arguments.steps,
        time_s: 0.0,
    };
    let changes = arguments.from.changes(&arguments.scene);
    let line = RunVariant::to_relax(&loaded, &changes)?;
    let folder = RunFolder::create(arguments.out.as_deref(), &line.job.name)?;
    let silent = arguments.told.is_silent();
    let runner = Runner::new(silent)?;
    let finished = runner.relax(&line, &options, &folder)?;
    let summary = finished.summary.clone();
    arguments.told.tell(&summary, print_verdict);
    report(&loaded, vec![compared(&line.name, ".", finished)], folder.path())?;
    if !silent {
        println!("  wrote      {}", folder.path().display());
        if summary.relax.as_ref().is_some_and(|relax| relax.residual <= relax.tolerance) {
            println!("             the last frame is the equilibrium; carom run --from starts there");
        }
    }
    Ok(runner.exit_code(summary.verdict))
}

fn print_verdict(summary: &Summary) {
    println!("{} with {}: {}", summary.scene, summary.method, summary.verdict);
    if let Some(relax) = &summary.relax {
        println!("  rest       {}", in_short(relax));
    }
    println!("  steps      {}", summary.steps_in_short().join("; "));
    println!(
        "  forces     {} evaluations in {:.1} s",
        style::count(summary.evaluations.total),
        summary.seconds.wall
    );
    print_expectations(summary);
}

/// `residual 8.7e-7 of 1.000e3 N of loads, after 123 falls in 4,567 steps, with chosen masses`.
fn in_short(relax: &Relax) -> String {
    let reached = if relax.residual <= relax.tolerance { "" } else { "NOT CONVERGED, " };
    let masses = if relax.scaled_masses { "chosen" } else { "real" };
    format!(
        "{reached}residual {:.1e} of {:.3e} N of loads, after {} falls in {} steps, with {masses} masses",
        relax.residual,
        relax.loads,
        style::count(relax.falls),
        style::count(relax.steps)
    )
}
