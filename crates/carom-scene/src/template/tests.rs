//! The template runs, has every key, and each of its keys can be used.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::files::InMemory;
use crate::{Scene, build};

/// The full paths of all keys in the template, used or not.
fn paths(text: &str) -> BTreeSet<String> {
    let mut header = String::new();
    let mut paths = BTreeSet::new();
    for line in text.lines().filter(|line| !line.starts_with("# ") && *line != "#") {
        let line = line.trim_start_matches('#');
        if line.starts_with('[') {
            header = line.trim_matches(['[', ']']).to_owned();
        } else if let Some((key, _)) = line.split_once(" = ") {
            paths.insert(joined(&header, key));
        }
    }
    paths
}

/// Of every type of table the places at which it occurs and the values it has.
fn types(path: &str, keys: &[Key], found: &mut BTreeMap<String, (Vec<String>, BTreeSet<String>)>) {
    for key in keys {
        let path = joined(path, &key.name);
        match &key.value {
            KeyValue::Plain(_) => {}
            KeyValue::Choice(kinds) => types(&path, kinds, found),
            KeyValue::Table(table) | KeyValue::Tables(table) => {
                let (places, values) = found.entry(table.name.clone()).or_default();
                places.push(path.clone());
                let plain = table.keys.iter().filter(|key| matches!(key.value, KeyValue::Plain(_)));
                values.extend(plain.map(|key| key.name.clone()));
                types(&path, &table.keys, found);
            }
        }
    }
}

#[test]
fn every_key_of_the_format_is_in_the_template() {
    let paths = paths(&template());
    let mut found = BTreeMap::new();
    types("", &keys(), &mut found);
    assert!(found.len() > 50, "{}", found.len());
    for (name, (places, values)) in found {
        for value in values {
            let is_there = places.iter().any(|place| paths.contains(&joined(place, &value)));
            assert!(is_there, "`{value}` of {name}, at one of {places:?}");
        }
    }
    for root in keys().iter().filter(|key| matches!(key.value, KeyValue::Plain(_))) {
        assert!(paths.contains(&root.name), "{}", root.name);
    }
}

/// The paths of all keys without which their table is refused; of a table that is needed and needs no key, its first.
fn needed(path: &str, keys: &[Key]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for key in keys {
        let path = joined(path, &key.name);
        match &key.value {
            KeyValue::Plain(_) => {}
            KeyValue::Choice(kinds) => all.extend(needed(&path, kinds)),
            KeyValue::Table(table) | KeyValue::Tables(table) => {
                all.extend(needed(&path, &table.keys));
                let is_free = key.is_needed && table.keys.iter().all(|key| !key.is_needed);
                all.extend(
                    table.keys.iter().take(1).filter(|_| is_free).map(|first| joined(&path, &first.name)),
                );
            }
        }
        all.extend(key.is_needed.then_some(path));
    }
    all
}

/// Whether `path` cannot be left out where the table at `table`, which is above it, is there.
fn is_needed_in(needed: &BTreeSet<String>, table: &str, path: &str) -> bool {
    let Some(rest) = path.strip_prefix(table).and_then(|rest| rest.strip_prefix('.')) else { return false };
    let mut above = table.to_owned();
    rest.split('.').all(|part| {
        above = joined(&above, part);
        needed.contains(&above)
    })
}

/// Tables of which a body has one kind.
const CHOICES: [&str; 2] = ["body.shape.", "body.material."];

/// Uses some keys, and what cannot be left out then; of a shape or a material, instead of the others.
fn used(blocks: &[Block], wanted: &[&str]) -> Vec<Block> {
    let needed = needed("", &keys());
    let tables: Vec<&str> =
        wanted.iter().flat_map(|key| key.match_indices('.').map(|(dot, _)| &key[..dot])).collect();
    let is_used =
        |path: &str| wanted.contains(&path) || tables.iter().any(|table| is_needed_in(&needed, table, path));
    let gives_way = |path: &str| {
        let choice = CHOICES.into_iter().find(|choice| path.starts_with(choice));
        let kind = |path: &str, choice: &str| path[choice.len()..].split('.').next().map(str::to_owned);
        choice.is_some_and(|choice| {
            let mut rivals = wanted.iter().filter(|key| key.starts_with(choice));
            rivals.any(|rival| kind(rival, choice) != kind(path, choice))
        })
    };
    let mut blocks = blocks.to_vec();
    for block in &mut blocks {
        for entry in &mut block.entries {
            let path = joined(&block.path, &entry.path);
            entry.is_live = is_used(&path) || (entry.is_live && !gives_way(&path));
        }
        block.is_live |= block.entries.iter().any(|entry| entry.is_live);
    }
    blocks
}

const GRAINS: &[&str] = &[
    "body.shape.grains.count",
    "body.shape.grains.size",
    "body.shape.grains.radius",
    "body.material.grains.density",
];
const SIZED: &[&str] = &["body.shape.grains.count", "body.shape.grains.size", "body.material.grains.density"];
const PLACED: &[&str] = &["body.shape.grains.radius", "body.material.grains.density"];
const SOLID: &[&str] = &["body.shape.box.size", "body.shape.box.edge", "body.material.solid.young"];
const ROD: &[&str] = &["body.shape.rod.to", "body.material.rod.radius"];

/// Keys that are used with others beside those that the format needs. The first that begins like the key counts.
const TOGETHER: &[(&str, &[&str])] = &[
    ("contact.period", GRAINS),
    ("contact.between.bodies", &["contact.between.friction"]),
    ("body.shape.icosphere.radius", &["body.shape.icosphere.edge"]),
    ("body.shape.rod", ROD),
    ("body.shape.ring", &["body.material.rod.radius"]),
    ("body.shape.box.cells", &["body.material.solid.young"]),
    ("body.shape.box", SOLID),
    ("body.shape.ball", &["body.material.solid.young"]),
    ("body.shape.points", &["body.material.points.mass"]),
    ("body.shape.grains.radii", SIZED),
    ("body.shape.grains.positions", PLACED),
    ("body.shape.grains.table", &["body.material.grains.density"]),
    ("body.shape.grains", GRAINS),
    ("body.material.grains", GRAINS),
    ("body.material.rod.twist", &["body.shape.rod.to", "body.material.rod.poisson"]),
    ("body.material.rod.poisson", &["body.shape.rod.to", "body.material.rod.twist"]),
    ("body.material.rod", ROD),
    ("body.material.solid", SOLID),
    ("body.contact", &["contact.thickness"]),
    ("body.velocity_field.balanced", &["body.velocity_field.noise.energy"]),
    ("part.body", &["part.young"]),
    ("part.select", &["part.young"]),
    ("spring.from", &["spring.to.body"]),
    ("spring.to", &["spring.from.body"]),
    ("spring.between", &[]),
    ("spring", &["spring.edges"]),
    ("pair.lennard-jones", &[]),
    ("pair.inverse-distance.closest", &["pair.inverse-distance.strength"]),
    ("pair.inverse-distance", &[]),
    ("pair", &["pair.lennard-jones.depth"]),
    ("load.acceleration", &[]),
    ("load.pressure", &[]),
    ("load.normal_force", &[]),
    ("load", &["load.force"]),
    ("expect.contact_min_distance", &["contact.thickness"]),
    ("expect.contact_deepest_layer", &["contact.thickness"]),
    ("expect.probe.relative", &[]),
    ("expect.probe", &["expect.probe.absolute"]),
    ("compare.beside", &["compare.line.name"]),
];

/// Keys that do not go with the rest of the template's scene, and the words in which it is refused.
const REFUSED: &[(&str, &str)] = &[
    ("body.shape.grid.cells", "needs exactly one of `edge`, `cells`"),
    ("body.shape.grains.table", "cannot read \"start.txt\""),
    ("body.shape.mesh", "cannot read \"part.obj\""),
    ("body.start.mesh", "cannot read \"part.obj\""),
    ("body.start.table", "cannot read \"start.txt\""),
    ("from", "cannot read \"state.txt\""),
    ("body.obstacle", "is an obstacle: nothing moves it"),
    ("body.contact.radius", "a radius is for rods and points"),
    ("body.start.twist", "only a material.rod with twist = true can"),
    ("pin.twist", "has no edge between these vertices that could twist"),
    ("selection.select.named", "a named selection does not name another"),
    ("part.radius", "is a shell, which has no `radius`"),
    ("spring.from", "a spring needs two different vertices"),
    ("spring.to", "a spring needs two different vertices"),
    ("drive.axis", "`axis` is for rotations"),
    ("drive.centre", "`centre` is for rotations"),
    ("drive", "is pinned and driven"),
    ("probe.vertex", "it has vertex and body"),
    ("probe.pin", "it has body and pin"),
    ("probe.between", "it has body and between"),
];

fn begins<'t, T>(table: &'t [(&str, T)], path: &str) -> Option<&'t T> {
    let is_above =
        |key: &str| path.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    table.iter().find(|(key, _)| is_above(key)).map(|(_, value)| value)
}

fn refusal(text: &str) -> Option<String> {
    let error = match Scene::parse("template.toml", text) {
        Ok(scene) => build(&scene, &InMemory::default()).err(),
        Err(error) => Some(error),
    };
    error.map(|error| error.to_string())
}

#[test]
fn every_key_of_the_template_can_be_used_or_is_refused_for_a_stated_reason() {
    let blocks = blocks();
    let mut wrong = Vec::new();
    let paths =
        blocks.iter().flat_map(|block| block.entries.iter().map(|entry| joined(&block.path, &entry.path)));
    for path in paths {
        let together: &[&str] = begins(TOGETHER, &path).copied().unwrap_or_default();
        let found = refusal(&render(&used(&blocks, &[&[path.as_str()], together].concat())));
        let stated = begins(REFUSED, &path);
        let fits = match (&found, stated) {
            (None, None) => true,
            (Some(found), Some(reason)) => found.contains(reason),
            _ => false,
        };
        if !fits {
            wrong.push(format!("{path}: found {found:?}, stated {stated:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
