//! Prints the tables of the book that follow from the registries: elements, loads and contact laws, in Markdown.

use carom_elastic::registry::{Descriptor, KINDS, Role};
use carom_model::LAWS;
use carom_scene::LOADS;

fn main() {
    println!("| element | what it is | in a scene | made from |\n| --- | --- | --- | --- |");
    for Descriptor { kind, page, about, parameters, role, .. } in KINDS {
        let made_from: Vec<String> = parameters.iter().map(|p| number(p.name, p.unit)).collect();
        println!("| [{kind}]({page}.md) | {about} | {} | {} |", asked(role), made_from.join(", "));
    }
    println!("\n| load | what it is |\n| --- | --- |");
    for load in LOADS {
        println!("| {} | {} |", number(load.name, load.unit), load.about);
    }
    println!("\n| contact law | what it is |\n| --- | --- |");
    for law in LAWS {
        let (name, about) = (law.parameter.name, law.parameter.about);
        println!("| [`{name}`](../guide/{}.md) | {about} |", law.page);
    }
}

/// How a scene asks for a kind.
fn asked(role: &Role) -> String {
    match role {
        Role::Membrane(choice) => format!("`material.shell`, `membrane = \"{}\"`", choice.name),
        Role::Bending(choice) => format!("`material.shell`, `bending = \"{}\"`", choice.name),
        Role::Solid(choice) => format!("`material.solid`, `law = \"{}\"`", choice.name),
        Role::Pair(choice) => format!("`[[pair]]`, `{}`", choice.name),
        Role::Fixed(words) => (*words).to_owned(),
    }
}

fn number(name: &str, unit: &str) -> String {
    if unit.is_empty() { format!("`{name}`") } else { format!("`{name}` in {unit}") }
}
