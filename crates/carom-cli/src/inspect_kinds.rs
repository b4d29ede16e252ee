//! The part of `carom inspect` that quotes the registries: what bodies, forces and loads are made from, with units, and what the
//! names mean.

use anyhow::Result;
use carom::elastic::registry::{self, Descriptor, KINDS, PairLaw, choices};
use carom::math::Vec3;
use carom::model::{LAWS, Parameter, System};
use carom_scene::format::SceneFile;
use carom_scene::{BodyMaterial, Built, LOADS};
use serde_json::{Value, to_value};

use crate::inspect::print_some;
use crate::style;

/// Prints of each body how large, heavy and stiff it is, and the numbers of its material.
pub fn print_bodies(file: &SceneFile, built: &Built, system: &System) -> Result<()> {
    for ((given, body), material) in file.bodies.iter().zip(&system.bodies).zip(&built.materials) {
        let vertices = body.vertices.start as usize..body.vertices.end as usize;
        let mut words = vec![format!("{} vertices", style::count(vertices.len() as u64))];
        words.extend(in_bulk(material));
        words.push(if given.obstacle {
            "an obstacle".to_owned()
        } else {
            format!("mass {} kg", rounded(system.masses[vertices.clone()].iter().sum()))
        });
        words.push(format!("size {} m", size(&built.state.positions[vertices])));
        println!("  body       {}: {}", body.name, words.join(", "));

        let table = to_value(given)?;
        let material = table["material"].as_object().and_then(|material| material.iter().next());
        let (name, of_material) = material.map_or(("", &Value::Null), |(name, table)| (name.as_str(), table));
        let numbers = numbers(&[of_material, &table]);
        if !numbers.is_empty() {
            println!("             {name}: {numbers}");
        }
    }
    Ok(())
}

/// The numbers of a body's material that it has.
fn in_bulk(material: &BodyMaterial) -> impl Iterator<Item = String> + use<> {
    let numbers = [("modulus", material.modulus_pa, "Pa"), ("density", material.density_kg_m3, "kg/m³")];
    let known = numbers.into_iter().filter_map(|(name, number, unit)| Some((name, number?, unit)));
    known.map(|(name, number, unit)| format!("{name} {} {unit}", rounded(number)))
}

/// Prints gravity, springs, pair potentials and loads, with their numbers.
pub fn print_forces(file: &SceneFile) -> Result<()> {
    let mut lines = Vec::new();
    if let Some(gravity) = &file.gravity {
        lines.push(format!("  gravity    {}", numbers(&[&to_value(gravity)?])));
    }
    for spring in &file.springs {
        lines.push(format!("  spring     {}", numbers(&[&to_value(spring)?])));
    }
    for pair in &file.pairs {
        let table = to_value(pair)?;
        for (_, PairLaw { name, .. }) in choices::<PairLaw>() {
            lines.extend(table.get(name).map(|given| format!("  pair       {name}: {}", numbers(&[given]))));
        }
    }
    for load in &file.loads {
        let table = to_value(load)?;
        for kind in LOADS.iter().filter(|kind| kind.is_in(load)) {
            let value = quantity(kind.name, &table[kind.name], kind.unit);
            let profile = if load.profile.is_some() { ", times its profile" } else { "" };
            lines.push(format!("  load       {}: {value}{profile}", load.body.as_str()));
        }
    }
    print_some(&lines, "forces");
    Ok(())
}

/// Prints the columns of each probe, with their units.
pub fn print_probes(built: &Built) {
    for probe in &built.probes {
        let columns = probe.kind.columns.iter().map(|column| with_unit(column.name, column.unit));
        println!("  probe      {}: {}", probe.name, columns.collect::<Vec<_>>().join(", "));
    }
}

/// Prints what the kinds of potential, load and contact law of a scene are, and the page of each.
pub fn print_meanings(file: &SceneFile, system: &System) {
    let families = system.families.iter().filter_map(|family| registry::find(family.kind()));
    let mut meanings: Vec<String> = families.map(meaning_of_kind).collect();
    let loads = LOADS.iter().filter(|kind| file.loads.iter().any(|load| kind.is_in(load)));
    meanings.extend(loads.map(|kind| format!("  {:<24} {}", kind.name, kind.about)));
    let layers = || system.contact.iter().flat_map(|contact| &contact.layers);
    let laws = LAWS.iter().filter(|law| layers().any(|spec| !law.is_ideal_in(spec.law)));
    meanings.extend(laws.map(|law| {
        format!("  {:<24} {} docs/guide/{}.md", law.parameter.name, law.parameter.about, law.page)
    }));
    if !meanings.is_empty() {
        println!("\n  {:<24} meaning\n{}", "name", meanings.join("\n"));
    }
}

fn meaning_of_kind(Descriptor { kind, about, page, .. }: &Descriptor) -> String {
    format!("  {kind:<24} {about} docs/elements/{page}.md")
}

/// The numbers of registered kinds that tables of a scene give, with their units: `young 3e5 Pa, poisson 0.3`.
fn numbers(tables: &[&Value]) -> String {
    let mut known: Vec<&Parameter> = Vec::new();
    for parameter in KINDS.iter().flat_map(|kind| kind.parameters) {
        if known.iter().all(|other| other.name != parameter.name) {
            known.push(parameter);
        }
    }
    let given = known.into_iter().filter_map(|Parameter { name, unit, .. }| {
        let value = tables.iter().find_map(|table| table.get(name))?;
        Some(quantity(name, value, unit))
    });
    given.collect::<Vec<_>>().join(", ")
}

/// `young 3e5 Pa`.
fn quantity(name: &str, value: &Value, unit: &str) -> String {
    with_unit(&format!("{name} {}", in_words(value)), unit)
}

/// Words with a unit, if there is one.
pub fn with_unit(words: &str, unit: &str) -> String {
    if unit.is_empty() { words.to_owned() } else { format!("{words} {unit}") }
}

/// A value of a scene: a number, or a list of them.
fn in_words(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(in_words).collect::<Vec<_>>().join(", ")),
        _ => value.as_f64().map_or_else(|| value.to_string(), plain),
    }
}

/// A number as people write it: with a power of ten only where it is long without one.
fn plain(x: f64) -> String {
    if x == 0.0 || (1e-3..1e5).contains(&x.abs()) { format!("{x}") } else { format!("{x:e}") }
}

/// Three digits of a number.
fn rounded(x: f64) -> String {
    plain(format!("{x:.2e}").parse().unwrap_or(x))
}

/// How far vertices reach along x, y and z: `0.1 × 0.1 × 0.06`.
fn size(positions: &[Vec3]) -> String {
    let along = |axis: usize| {
        let reach = positions.iter().map(|x| x.to_array()[axis]);
        let (low, high) =
            reach.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        rounded(high - low)
    };
    [0, 1, 2].map(along).join(" × ")
}
