//! `carom inspect SCENE`.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use carom::advice;
use carom::contact::Layers;
use carom::engine::{MethodKind, stability};
use carom::job::{Job, steps};
use carom::math::Vec3;
use carom::model::{Start, System};
use carom_scene::format::Compare;
use carom_scene::{BodyMaterial, ContactNotes};

use crate::run::SceneArguments;
use crate::{inspect_laws, style};

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let loaded = arguments.scene.load()?;
    let job = Job::new(&loaded)?;
    let built = &job.built;
    let system = &job.method.system(&Arc::new(built.system.clone()));
    let quantum = system.line.quantum;
    println!(
        "{} on {} clocks, method {}",
        job.name,
        format!("{:?}", system.line.clocks).to_lowercase(),
        job.method.name()
    );
    for (body, material) in system.bodies.iter().zip(&built.materials) {
        let vertices = style::count(u64::from(body.vertices.end - body.vertices.start));
        println!("  body       {}: {vertices} vertices{}", body.name, in_bulk(material));
    }
    let pinned = (0..system.places()).filter(|&v| system.is_pinned(v)).count();
    println!(
        "  vertices   {}, of which {} pinned",
        style::count(system.places() as u64),
        style::count(pinned as u64)
    );
    println!(
        "  quantum    {}; the run ends at tick {}",
        style::seconds(quantum.seconds()),
        style::count(built.end.0)
    );

    println!("\n  {:<24} {:>14} {:>12} {:>18}", "potential", "step", "count", "evaluations");
    let at_start = u64::from(system.start == Start::HalfKick);
    let mut total = 0;
    for step in steps(system) {
        let evaluations = step.count * (built.end.0 / step.quanta + at_start);
        let counts =
            system.families.iter().any(|f| f.kind() == step.kind && f.properties().counts_as_evaluation);
        total += if counts { evaluations } else { 0 };
        println!(
            "  {:<24} {:>14} {:>12} {:>18}",
            step.kind,
            style::seconds(step.seconds),
            style::count(step.count),
            style::count(evaluations)
        );
    }
    let shortest = system.spans().first().map_or(1, |s| s.quanta());
    let counted: u64 =
        system.families.iter().filter(|f| f.properties().counts_as_evaluation).map(|f| f.len() as u64).sum();
    let synchronous = counted * (built.end.0 / shortest + at_start);
    println!("\n  cost       {}", cost(total, system.contact.is_some()));
    if total > 0 && !matches!(job.method, MethodKind::Synchronous(_)) {
        println!(
            "             synchronous would need {}, {:.1} times as many",
            style::count(synchronous),
            synchronous as f64 / total as f64
        );
    }
    if counted > 0 {
        print_stability(system, &built.state.positions);
    }
    if let Some(contact) = &built.contact {
        print_contact(system, contact);
    }
    inspect_laws::print(system, built.contact.as_ref());
    if let Some(compare) = &loaded.scene.file.compare {
        print_lines(compare);
    }
    let step_is_given = loaded.scene.file.contact.as_ref().is_some_and(|contact| contact.step.is_some());
    for advice in advice::of(system, &built.state.positions, built.contact.as_ref(), step_is_given) {
        println!("  advice     {advice}");
    }
    for warning in built.warnings.lines() {
        println!("  warning    {warning}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The numbers of a body's material that it has.
fn in_bulk(material: &BodyMaterial) -> String {
    let numbers = [
        ("modulus", material.modulus_pa, "Pa"),
        ("density", material.density_kg_m3, "kg/m³"),
        ("thickness or radius", material.thickness_or_radius_m, "m"),
    ];
    let known = numbers.into_iter().filter_map(|(name, number, unit)| Some((name, number?, unit)));
    known.map(|(name, number, unit)| format!(", {name} {number:.3e} {unit}")).collect()
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
    let name = |body: u32| &system.bodies[body as usize].name;
    let most = system.contact.as_ref().map_or(0, |c| c.max_layers);
    println!(
        "\n  {:<24} {:>10} {:>11} {:>12} {:>7} {:>8} {:>8} {:>8}",
        "contact", "thickness", "stiffness", "step", "layers", "n", "h₁ω₁", "Λ"
    );
    for choice in contact.choices.iter().take(MOST_LISTED) {
        let [a, b] = choice.bodies;
        let layers = Layers::new(&choice.spec, most, system.line.quantum).deepest();
        println!(
            "  {:<24} {:>10.3e} {:>11.3e} {:>12} {layers:>7} {:>8.1} {:>8.3} {:>8.1e}",
            if a == b { format!("{} with itself", name(a)) } else { format!("{} and {}", name(a), name(b)) },
            choice.spec.thickness,
            choice.spec.stiffness,
            style::seconds(choice.step_s),
            choice.kicks,
            choice.step_times_frequency,
            choice.load_number
        );
    }
    count_rest(contact.choices.len(), "pairs of bodies");
    println!("             good: n at least 6, h₁ω₁ about 0.1, Λ at most 0.03");
    for pair in contact.left_out.iter().take(MOST_LISTED) {
        println!("  left out   {pair}: nearer at rest than their radii");
    }
    count_rest(contact.left_out.len(), "pairs left out");
}

fn count_rest(all: usize, what: &str) {
    if all > MOST_LISTED {
        println!("             and {} more {what}", all - MOST_LISTED);
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
