//! The part of `carom inspect` on what is no potential: laws of contact, damping, prescribed motion.

use carom::model::{LAWS, LawDescriptor, Parameter, Path, System};
use carom_scene::ContactNotes;

use crate::inspect::who_meets;
use crate::inspect_kinds::with_unit;
use crate::style;

/// Prints damping, drag and contact laws, and driven vertices.
pub fn print(system: &System, notes: Option<&ContactNotes>) {
    if !system.has_more_than_potentials() {
        return;
    }
    println!();
    if let Some(notes) = notes {
        print_contact(system, notes);
    }
    print_damping(system);
    system.paths.iter().for_each(|path| print_path(system, path));
}

/// Prints the pairs of bodies with contact laws that are not ideal.
fn print_contact(system: &System, notes: &ContactNotes) {
    let Some(contact) = &system.contact else { return };
    for [a, b] in notes.choices.iter().map(|choice| choice.bodies) {
        let law = contact.layers[contact.layers_between(a, b) as usize].law;
        if !law.is_ideal() {
            let number = |descriptor: &LawDescriptor| {
                let Parameter { name, unit, .. } = descriptor.parameter;
                with_unit(&format!("{name} {}", descriptor.of(law)), unit)
            };
            let mut numbers: Vec<String> = LAWS.iter().map(number).collect();
            numbers.sort();
            println!("  law        {}: {}", who_meets(system, [a, b]), numbers.join(", "));
        }
    }
}

/// The range of damping of each kind of element; drag is damped within the inverse of its rate.
fn print_damping(system: &System) {
    for family in system.families.iter().filter(|_| system.is_damped) {
        let damped: Vec<f64> = (0..family.len()).map(|e| family.damping_s(e)).filter(|s| *s > 0.0).collect();
        let Some(longest) = damped.iter().copied().reduce(f64::max) else { continue };
        let shortest = damped.iter().copied().fold(longest, f64::min);
        let within = if shortest == longest {
            style::seconds(longest)
        } else {
            format!("{} to {}", style::seconds(shortest), style::seconds(longest))
        };
        println!("  damping    {} {}: {within}", style::count(damped.len() as u64), family.kind());
    }
}

fn print_path(system: &System, path: &Path) {
    let (Some(first), Some(last)) = (path.vertices.first(), path.ticks.last()) else { return };
    println!(
        "  drive      {}: {} vertices, {} corners, until {}",
        system.locate(*first as usize).0.name,
        style::count(path.vertices.len() as u64),
        style::count(path.ticks.len() as u64),
        style::seconds(system.line.quantum.time(*last))
    );
}
