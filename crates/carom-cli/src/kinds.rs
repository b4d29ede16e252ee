//! Tables of every registered kind, in Markdown: what it is, how a scene asks for it, and its numbers. The book includes them in `docs/guide/kinds.md`.

use carom::elastic::registry::{Descriptor, KINDS, Role};
use carom::model::{Absent, LAWS, Parameter};
use carom::output::EXPORTERS;
use carom_scene::format::{FIELDS, MATERIALS, SHAPES};
use carom_scene::{Key, KeyValue, LOADS, PROBES, keys_of};

/// The tables of all registries.
pub fn tables() -> String {
    [elements(), materials(), shapes(), fields(), loads(), laws(), probes(), exporters()].join("\n")
}

/// A registry: its name, what the columns are, and a row for each kind.
fn table(name: &str, columns: [&str; 4], rows: impl Iterator<Item = [String; 4]>) -> String {
    let line = |cells: &[String; 4]| format!("| {} |\n", cells.join(" | "));
    let rows: String = rows.map(|row| line(&row)).collect();
    format!("## {name}\n\n{}| --- | --- | --- | --- |\n{rows}", line(&columns.map(str::to_owned)))
}

const COLUMNS: [&str; 4] = ["kind", "what it is", "in a scene", "numbers"];

fn elements() -> String {
    let row = |kind: &&Descriptor| {
        let numbers = kind.parameters.iter().map(number);
        [in_elements(kind.kind, kind.page), kind.about.to_owned(), asked(&kind.role), listed(numbers)]
    };
    table("Elements", COLUMNS, KINDS.iter().map(row))
}

fn materials() -> String {
    let row = |kind: &carom_scene::format::MaterialDescriptor| {
        let path = format!("body.material.{}", kind.name);
        [in_guide(kind.name, kind.page), kind.about.to_owned(), format!("`{path}`"), keys_at(&path)]
    };
    table("Materials", COLUMNS, MATERIALS.iter().map(row))
}

fn shapes() -> String {
    let row = |kind: &carom_scene::format::ShapeDescriptor| {
        let path = format!("body.shape.{}", kind.name);
        [in_guide(kind.name, kind.page), kind.about.to_owned(), format!("`{path}`"), keys_at(&path)]
    };
    table("Shapes", COLUMNS, SHAPES.iter().map(row))
}

fn fields() -> String {
    let row = |kind: &carom_scene::format::FieldDescriptor| {
        let path = format!("body.velocity_field.{}", kind.name);
        let beside =
            if kind.is_of_places { format!(", `body.start.displace.{}`", kind.name) } else { String::new() };
        [in_guide(kind.name, kind.page), kind.about.to_owned(), format!("`{path}`{beside}"), keys_at(&path)]
    };
    table("Fields", COLUMNS, FIELDS.iter().map(row))
}

fn loads() -> String {
    let row = |kind: &carom_scene::LoadKind| {
        let number = with_unit(&format!("**`{}`**", kind.name), kind.unit);
        [in_guide(kind.name, kind.page), kind.about.to_owned(), format!("`load.{}`", kind.name), number]
    };
    table("Loads", COLUMNS, LOADS.iter().map(row))
}

fn laws() -> String {
    let row = |law: &carom::model::LawDescriptor| {
        let Parameter { name, about, .. } = law.parameter;
        let asked = format!("`contact.{name}`, `contact.between.{name}`");
        [in_guide(name, law.page), about.to_owned(), asked, number(&law.parameter)]
    };
    table("Contact laws", COLUMNS, LAWS.iter().map(row))
}

fn probes() -> String {
    let row = |kind: &carom_scene::ProbeKind| {
        let columns = kind.columns.iter().map(|column| with_unit(&format!("`{}`", column.name), column.unit));
        let asked = format!("`probe.{}`", kind.key);
        [in_guide(kind.name, kind.page), kind.about.to_owned(), asked, listed(columns)]
    };
    table("Probes", ["kind", "what it reads", "in a scene", "columns"], PROBES.iter().map(row))
}

fn exporters() -> String {
    let row = |format: &carom::output::Exporter| {
        let asked = format!("`carom export --format {}`", format.name);
        [in_guide(format.name, format.page), format!("{}.", format.about), asked, String::new()]
    };
    table("Formats of frames", ["kind", "what it is", "asked for by", "numbers"], EXPORTERS.iter().map(row))
}

/// How a scene asks for an element.
fn asked(role: &Role) -> String {
    match role {
        Role::Membrane(choice) => format!("`material.shell`, `membrane = \"{}\"`", choice.name),
        Role::Bending(choice) => format!("`material.shell`, `bending = \"{}\"`", choice.name),
        Role::Solid(choice) => format!("`material.solid`, `law = \"{}\"`", choice.name),
        Role::Pair(choice) => format!("`[[pair]]`, `{}`", choice.name),
        Role::Fixed(words) => (*words).to_owned(),
    }
}

/// The keys of the table at `path`.
fn keys_at(path: &str) -> String {
    listed(keys_of(path).iter().map(key))
}

/// A key, as a [`number`] is written; of a table, what is in it.
fn key(key: &Key) -> String {
    let name = if key.is_needed { format!("**`{}`**", key.name) } else { format!("`{}`", key.name) };
    let default = key.default.as_ref().map_or_else(String::new, |default| format!(" = {default}"));
    match &key.value {
        KeyValue::Plain(_) => with_unit(&name, unit_in(&key.about).unwrap_or_default()) + &default,
        KeyValue::Table(table) | KeyValue::Tables(table) => format!("{name} ({})", names(&table.keys)),
        KeyValue::Choice(kinds) => format!("{name} (one of {})", names(kinds)),
    }
}

fn names(keys: &[Key]) -> String {
    keys.iter().map(|key| format!("`{}`", key.name)).collect::<Vec<_>>().join(", ")
}

/// A number: bold if it must be given, with its unit and what it is if it is not given.
fn number(parameter: &Parameter) -> String {
    let Parameter { name, unit, absent, .. } = parameter;
    match absent {
        Absent::Refused => with_unit(&format!("**`{name}`**"), unit),
        Absent::Accepted => with_unit(&format!("`{name}`"), unit),
        Absent::Means(value) => with_unit(&format!("`{name}`"), unit) + &format!(" = {value}"),
    }
}

fn with_unit(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} in {unit}") }
}

/// The unit that the description of a key names.
fn unit_in(about: &str) -> Option<&str> {
    let is_unit = |word: &&str| {
        let factors = word.split(['/', '·']).map(|factor| factor.trim_end_matches(['²', '³']));
        factors.clone().all(|factor| UNITS.contains(&factor))
    };
    let after_in = about.split(" in ").skip(1);
    after_in.filter_map(|rest| rest.split([' ', ',', '.', ';', ':', ')']).next()).find(is_unit)
}

/// What units are made of.
const UNITS: [&str; 9] = ["1", "m", "s", "kg", "N", "Pa", "J", "rad", "degrees"];

fn listed(numbers: impl Iterator<Item = String>) -> String {
    numbers.collect::<Vec<_>>().join(", ")
}

fn in_elements(kind: &str, page: &str) -> String {
    format!("[`{kind}`](../elements/{page}.md)")
}

fn in_guide(kind: &str, page: &str) -> String {
    format!("[`{kind}`]({page}.md)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_that_descriptions_name() {
        for (about, unit) in [
            ("Side lengths, in m.", Some("m")),
            ("Density, in kg/m³: of the solid.", Some("kg/m³")),
            ("In one piece, in N·m², not in pieces.", Some("N·m²")),
            ("A number in all.", None),
        ] {
            assert_eq!(unit_in(about), unit, "{about}");
        }
    }

    #[test]
    fn every_page_is_in_the_book() {
        let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/");
        let tables = tables();
        let pages = tables.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let mut count = 0;
        for page in pages {
            assert!(std::path::Path::new(&format!("{docs}{page}")).is_file(), "{page}");
            count += 1;
        }
        let kinds = KINDS.len() + MATERIALS.len() + SHAPES.len() + FIELDS.len();
        assert_eq!(count, kinds + LOADS.len() + LAWS.len() + PROBES.len() + EXPORTERS.len());
    }
}
