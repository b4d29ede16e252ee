//! `carom inspect SCENE`.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use carom::advice;
use carom::contact::Layers;
use carom::engine::{MethodKind, stability};
use carom::job::{Job, steps};
use carom::math::Vec3;
use carom::model::{Family, Start, System};
use carom_scene::format::Compare;
use carom_scene::{Built, ContactNotes};

use crate::run::SceneArguments;
use crate::{inspect_kinds, inspect_laws, inspect_steps, style};

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let loaded = arguments.scene.load()?;
    let file = &loaded.scene.file;
    let job = Job::new(&loaded)?;
    let built = &job.built;
    let system = &job.method.system(&Arc::new(built.system.clone()));
    println!(
        "{} on {} clocks, method {}",
        job.name,
        format!("{:?}", system.line.clocks).to_lowercase(),
        job.method.name()
    );
    inspect_kinds::print_bodies(file, built, system)?;
    inspect_kinds::print_forces(file)?;
    print_size(built, system);
    inspect_kinds::print_probes(built);
    print_potentials(built, system, job.method);
    inspect_steps::print_tolerance(built, system, job.method);
    if let Some(contact) = &built.contact {
        print_contact(system, contact);
    }
    inspect_laws::print(system, built.contact.as_ref());
    inspect_kinds::print_meanings(file, system);
    if let Some(compare) = &file.compare {
        print_lines(compare);
    }
    let step_is_given = file.contact.as_ref().is_some_and(|contact| contact.step.is_some());
    for advice in advice::of(system, &built.state.positions, built.contact.as_ref(), step_is_given) {
        println!("  advice     {advice}");
    }
    for warning in built.warnings.lines() {
        println!("  warning    {warning}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints how much there is of vertices, time and output.
fn print_size(built: &Built, system: &System) {
    let pinned = (0..system.places()).filter(|&v| system.is_pinned(v)).count();
    println!(
        "  vertices   {}, of which {} pinned",
        style::count(system.places() as u64),
        style::count(pinned as u64)
    );
    let quantum = system.line.quantum;
    println!(
        "  quantum    {}; the run ends at tick {}, {}",
        style::seconds(quantum.seconds()),
        style::count(built.schedule.end.0),
        style::seconds(quantum.time(built.schedule.end))
    );
    println!(
        "  output     {} rows, {} frames",
        style::count(u64::from(built.schedule.rows.max(built.schedule.frames))),
        style::count(u64::from(built.schedule.frames))
    );
}

/// Prints the clocks, what they cost, and how far they are from instability.
fn print_potentials(built: &Built, system: &System, method: MethodKind) {
    let counts = |family: &&Arc<dyn Family>| family.properties().counts_as_evaluation;
    let at_start = u64::from(system.start == Start::HalfKick);
    let firings = |quanta: u64| built.schedule.end.0 / quanta + at_start;
    let steps = steps(system);
    if !steps.is_empty() {
        println!("\n  {:<24} {:>14} {:>12} {:>18}  as short as", "potential", "step", "count", "evaluations");
    }
    let mut total = 0;
    for (step, origins) in steps.iter().zip(inspect_steps::origins(system, method)) {
        let evaluations = step.count * firings(step.quanta);
        if system.families.iter().filter(counts).any(|family| family.kind() == step.kind) {
            total += evaluations;
        }
        println!(
            "  {:<24} {:>14} {:>12} {:>18}  {origins}",
            step.kind,
            style::seconds(step.seconds),
            style::count(step.count),
            style::count(evaluations)
        );
    }
    let free: Vec<&str> =
        system.families.iter().filter(|family| !counts(family)).map(|family| family.kind()).collect();
    let uncounted =
        if free.is_empty() { String::new() } else { format!("; not counted: {}", free.join(", ")) };
    println!("\n  cost       {}{uncounted}", cost(total, system.contact.is_some()));
    let counted: u64 = system.families.iter().filter(counts).map(|family| family.len() as u64).sum();
    if total > 0 && !matches!(method, MethodKind::Synchronous(_)) {
        let synchronous = counted * firings(system.spans().first().map_or(1, |span| span.quanta()));
        println!(
            "             synchronous would need {}, {:.1} times as many",
            style::count(synchronous),
            synchronous as f64 / total as f64
        );
    }
    if counted > 0 {
        print_stability(system, &built.state.positions);
    }
}

/// Predicted cost of a run.
fn cost(elements: u64, has_contact: bool) -> String {
    match (elements, has_contact) {
        (0, false) => "no force is evaluated but those of fields".to_owned(),
        (0, true) => {
            "there are no elements: all evaluations are those of contact, as many as things meet".to_owned()
        }
        (_, false) => format!("{} force evaluations predicted", style::count(elements)),
        (_, true) => format!("{} force evaluations predicted, and those of contact", style::count(elements)),
    }
}

/// The lines of the scene's comparison, and who runs them.
fn print_lines(compare: &Compare) {
    println!();
    for line in &compare.lines {
        let method = line.method.map(|method| format!("method={}", method.name()));
        let set = line.set.iter().map(|(key, value)| format!("{key}={}", value.0));
        let changes: Vec<String> = method.into_iter().chain(set).collect();
        let who =
            if compare.beside.contains(&line.name) { "carom run and carom compare" } else { "carom compare" };
        println!("  line       {}: {} ({who})", line.name, changes.join(", "));
    }
}

/// Longer lists are counted, not printed.
const MOST_LISTED: usize = 20;

/// Prints the contact parameters of every two bodies, and the neighbours that cannot touch.
fn print_contact(system: &System, contact: &ContactNotes) {
    let most = system.contact.as_ref().map_or(0, |c| c.max_layers);
    println!(
        "\n  {:<24} {:>10} {:>11} {:>12} {:>7} {:>8} {:>8} {:>8}",
        "contact", "thickness", "stiffness", "step", "layers", "n", "h₁ω₁", "Λ"
    );
    let choices = contact.choices.iter().map(|choice| {
        let layers = Layers::new(&choice.spec, most, system.line.quantum).deepest();
        format!(
            "  {:<24} {:>10.3e} {:>11.3e} {:>12} {layers:>7} {:>8.1} {:>8.3} {:>8.1e}",
            who_meets(system, choice.bodies),
            choice.spec.thickness,
            choice.spec.stiffness,
            style::seconds(choice.step_s),
            choice.kicks,
            choice.step_times_frequency,
            choice.load_number
        )
    });
    print_some(&choices.collect::<Vec<_>>(), "pairs of bodies");
    println!("             good: n at least 6, h₁ω₁ about 0.1, Λ at most 0.03");
    let reasons = contact
        .choices
        .iter()
        .map(|choice| format!("  made for   {}: {}", who_meets(system, choice.bodies), choice.in_words()));
    print_some(&reasons.collect::<Vec<_>>(), "pairs of bodies");
    println!("             thickness in m, stiffness in N/m for each m² (by Hertz: the modulus, in Pa)");
    let left_out = |pair: &String| format!("  left out   {pair}: nearer at rest than their radii");
    print_some(&contact.left_out.iter().map(left_out).collect::<Vec<_>>(), "pairs left out");
}

/// Two bodies in words: `ball and plate`, `ball with itself`.
pub fn who_meets(system: &System, bodies: [u32; 2]) -> String {
    let [first, second] = bodies.map(|body| &system.bodies[body as usize].name);
    if bodies[0] == bodies[1] { format!("{first} with itself") } else { format!("{first} and {second}") }
}

/// Prints some lines, and how many more of `what` there are.
pub fn print_some(lines: &[String], what: &str) {
    for line in lines.iter().take(MOST_LISTED) {
        println!("{line}");
    }
    if lines.len() > MOST_LISTED {
        println!("             and {} more {what}", lines.len() - MOST_LISTED);
    }
}

fn print_stability(system: &System, x: &[Vec3]) {
    let bound = stability::bound(system, x);
    match stability::measure(system, x) {
        Some(found) => {
            println!(
                "  stability  number {:.3} (elements alone bound it by {bound:.3}; it must stay below 1)",
                found.sigma
            );
            println!(
                "             largest frequency of the assembled system {:.4e} rad/s: one step for all could be {}",
                found.omega_max,
                style::seconds(found.synchronous_limit_s)
            );
        }
        None => println!("  stability  at most {bound:.3}, from the elements alone; it must stay below 1"),
    }
}
