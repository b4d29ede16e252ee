//! Instructions for one element force, counted by callgrind: a number that no other work on the machine can change.
//!
//! Callgrind knows AVX2 and not AVX-512, so these are the instructions of the AVX2 code. What starting takes falls out: a long loop
//! less a short one.

use std::process::{Command, ExitCode, Stdio};

use carom_engine::MethodKind;

use crate::naive::Build;

use super::Effort;
use super::engine::Going;
use super::page::{Page, Table, figures};
use super::shells::{Bending, Membrane, Recipe, sphere};

const SHELLS: [(&str, Recipe); 6] = [
    ("stvk", Recipe { membrane: Some(Membrane::Stvk), bending: None }),
    ("neo-hookean", Recipe { membrane: Some(Membrane::NeoHookean), bending: None }),
    ("hinge", Recipe { membrane: None, bending: Some(Bending::Hinge) }),
    ("midedge", Recipe { membrane: None, bending: Some(Bending::Midedge) }),
    ("stvk-hinge", Recipe { membrane: Some(Membrane::Stvk), bending: Some(Bending::Hinge) }),
    ("neo-hookean-midedge", Recipe { membrane: Some(Membrane::NeoHookean), bending: Some(Bending::Midedge) }),
];

/// Spheres of 1,280 triangles.
const FREQUENCY: usize = 8;

/// Names of the two sides on the command line of the loop.
const SIDES: [&str; 2] = ["ours", "naive"];

/// Steps of the short loop and of the long one.
const STEPS: [u64; 2] = [20, 120];

pub fn page(_: Effort) -> Page {
    let mut page = Page {
        title: "Instructions",
        about: format!(
            "Instructions for one element force, gather, scatter, kicks and drifts included, counted by `valgrind --tool=callgrind` on a sphere of {} triangles: the AVX2 code, and the naive path \
             compiled for this machine.",
            20 * FREQUENCY * FREQUENCY
        ),
        ..Page::default()
    };
    let mut table = Table::new("", &["elements", "ours:", "naive:", "ratio:"]);
    for (name, recipe) in SHELLS {
        let elements = sphere(FREQUENCY, recipe).naive.elements();
        match SIDES.map(|side| per_force(name, side, elements)) {
            [Ok(ours), Ok(naive)] => {
                table.row([recipe.name(), figures(ours), figures(naive), figures(naive / ours)]);
            }
            [Err(why), _] | [_, Err(why)] => {
                page.skipped.push(why);
                return page;
            }
        }
    }
    page.tables.push(table);
    page
}

fn per_force(name: &str, side: &str, elements: usize) -> Result<f64, String> {
    let [short, long] = STEPS.map(|steps| counted(name, side, steps));
    Ok((long? - short?) / ((STEPS[1] - STEPS[0]) as f64 * elements as f64))
}

/// Instructions of this program, started as a loop.
fn counted(name: &str, side: &str, steps: u64) -> Result<f64, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    command.args(["loop", name, side, &steps.to_string()]).stdin(Stdio::null());
    let ended = command.output().map_err(|e| format!("valgrind cannot be started: {e}"))?;
    let said = String::from_utf8_lossy(&ended.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    collected.ok_or_else(|| format!("valgrind did not count: {}", said.lines().last().unwrap_or_default()))
}

/// `carom-bench loop SHELL SIDE STEPS`: the loop whose instructions are counted.
pub fn main(arguments: &[String]) -> ExitCode {
    let [name, side, steps] = arguments else { return ExitCode::from(2) };
    let shell = SHELLS.iter().find(|(known, _)| known == name);
    let (Some((_, recipe)), Ok(steps)) = (shell, steps.parse::<u64>()) else { return ExitCode::from(2) };
    let mut both = sphere(FREQUENCY, *recipe);
    if side == SIDES[0] {
        let quanta = both.system.spans()[0].quanta() * steps;
        Going::start(MethodKind::Carom, &both.system, &both.state).advance(quanta);
    } else {
        both.naive.run(Build::Native, both.step_s, steps);
    }
    ExitCode::SUCCESS
}
