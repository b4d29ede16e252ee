//! `carom schema`.

use std::process::ExitCode;

use anyhow::Result;
use carom::elastic::registry::{Descriptor, KINDS, Role};
use carom::model::LAWS;
use carom_scene::LOADS;
use carom_scene::format::{FIELDS, MATERIALS};

#[derive(clap::Args)]
pub struct Arguments {
    /// Print all keys as a page in Markdown instead
    #[arg(long)]
    reference: bool,
    /// Print tables of all elements, materials, fields, loads and contact laws in Markdown instead
    #[arg(long, conflicts_with = "reference")]
    kinds: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    if arguments.reference {
        print!("{}", carom_scene::reference());
    } else if arguments.kinds {
        print_kinds();
    } else {
        println!("{}", serde_json::to_string_pretty(&carom_scene::schema())?);
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the tables of elements, materials, fields, loads and contact laws.
fn print_kinds() {
    println!("| element | what it is | in a scene | made from |\n| --- | --- | --- | --- |");
    for Descriptor { kind, page, about, parameters, role, .. } in KINDS {
        let made_from: Vec<String> = parameters.iter().map(|p| number(p.name, p.unit)).collect();
        println!("| [{kind}]({page}.md) | {about} | {} | {} |", asked(role), made_from.join(", "));
    }
    println!("\n| material | what it is |\n| --- | --- |");
    for material in MATERIALS {
        println!("| `{}` | {} |", material.name, material.about);
    }
    println!("\n| field | what it is | in a body |\n| --- | --- | --- |");
    for field in FIELDS {
        let tables =
            if field.is_of_places { "`start.displace`, `velocity_field`" } else { "`velocity_field`" };
        println!("| `{}` | {} | {tables} |", field.name, field.about);
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
