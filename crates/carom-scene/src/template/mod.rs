//! The scene that `carom new` writes: a small one that runs, and every other key, explained and commented out.
//!
//! It is made from the [`keys`](mod@crate::keys) of the format, so it cannot lack one. A type of table that occurs at several places
//! has all its keys at the first.

mod examples;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::keys::{Key, KeyValue, Plain, Table, keys};
use crate::probes::PROBES;
use examples::{EXAMPLES, LIVE};

/// Longest line of remarks.
const WIDTH: usize = 110;

/// Column at which notes begin, if there is room.
const NOTES: usize = 40;

const OPENING: &str = "\
# A scene for Carom. Change it, then: carom check SCENE.toml, carom run SCENE.toml
#
# Units are SI: m, kg, s, N, Pa, J. Lines that begin with # and a space are remarks. Lines that begin with # and a key are
# keys that are not used: remove the # to use them, and that of the [header] above them. `carom schema` prints a JSON Schema
# for your editor, `carom schema --reference` all keys as a page.
";

/// A header with the lines below it.
#[derive(Clone, Debug)]
struct Block {
    /// Path of its table: `time`, `contact.between`; empty for what stands above all headers.
    path: String,
    about: String,
    header: String,
    is_live: bool,
    entries: Vec<Entry>,
}

/// A key on a line of its own.
#[derive(Clone, Debug)]
struct Entry {
    /// Remarks above it.
    remarks: Vec<String>,
    /// Its path below the header: `rotation.axis`.
    path: String,
    value: String,
    /// Default and range.
    note: String,
    is_live: bool,
}

/// A scene to start from, every key explained: what `carom new` writes.
#[must_use]
pub fn template() -> String {
    render(&blocks())
}

fn blocks() -> Vec<Block> {
    let mut writer = Writer::default();
    writer.blocks.push(Block {
        path: String::new(),
        about: String::new(),
        header: String::new(),
        is_live: true,
        entries: Vec::new(),
    });
    for key in &keys() {
        match &key.value {
            KeyValue::Table(table) => writer.block("", key, table, ["[", "]"]),
            KeyValue::Tables(table) => writer.block("", key, table, ["[[", "]]"]),
            _ => writer.entries(0, "", key, &mut Vec::new()),
        }
    }
    writer.blocks
}

#[derive(Default)]
struct Writer {
    blocks: Vec<Block>,
    /// Where each type of table was explained.
    seen: BTreeMap<String, String>,
}

impl Writer {
    /// A block for the table or the tables of a key, and those for the lists of tables in it.
    fn block(&mut self, above: &str, key: &Key, table: &Table, [open, close]: [&str; 2]) {
        let path = joined(above, &key.name);
        let number = self.blocks.len();
        self.blocks.push(Block {
            path: path.clone(),
            about: key.about.clone(),
            header: format!("{open}{path}{close}"),
            is_live: is_live(&path),
            entries: Vec::new(),
        });
        self.seen.insert(table.name.clone(), path.clone());
        for key in &table.keys {
            self.entries(number, "", key, &mut Vec::new());
        }
        for key in &table.keys {
            if let KeyValue::Tables(table) = &key.value {
                self.block(&path, key, table, ["[[", "]]"]);
            }
        }
    }

    /// A line for a value, and one for each value in a table; `remarks` wait for the first.
    fn entries(&mut self, block: usize, above: &str, key: &Key, remarks: &mut Vec<String>) {
        let path = joined(above, &key.name);
        let full = joined(&self.blocks[block].path, &path);
        match &key.value {
            KeyValue::Plain(plain) => {
                remarks.push(key.about.clone());
                let remarks = core::mem::take(remarks);
                let value = value_at(&full, key, plain);
                let (note, is_live) = (note(key, plain, &value), is_live(&full));
                self.blocks[block].entries.push(Entry { remarks, path, value, note, is_live });
            }
            KeyValue::Table(table) => {
                let explained =
                    self.seen.get(&table.name).map(|place| format!(" All its keys are at `{place}`."));
                remarks.push(format!("`{path}`: {}{}", key.about, explained.as_deref().unwrap_or_default()));
                for key in self.shown(&full, table) {
                    self.entries(block, &path, key, remarks);
                }
            }
            KeyValue::Choice(kinds) => {
                remarks.push(format!("`{path}`: {} One of the following.", key.about));
                for kind in kinds {
                    self.entries(block, &path, kind, remarks);
                }
            }
            // They have a header of their own.
            KeyValue::Tables(_) => {}
        }
    }

    /// The keys of a table to be shown at `path`: all at the first place, elsewhere those in use, those needed, or one.
    fn shown<'t>(&mut self, path: &str, table: &'t Table) -> Vec<&'t Key> {
        if !self.seen.contains_key(&table.name) {
            self.seen.insert(table.name.clone(), path.to_owned());
            return table.keys.iter().collect();
        }
        let is_shown = |key: &&Key| key.is_needed || is_live(&joined(path, &key.name));
        let shown: Vec<&Key> = table.keys.iter().filter(is_shown).collect();
        if shown.is_empty() { table.keys.iter().take(1).collect() } else { shown }
    }
}

fn joined(above: &str, name: &str) -> String {
    if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") }
}

/// Whether the scene that runs has a key, or one below it.
fn is_live(path: &str) -> bool {
    let is_below =
        |live: &str| live.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    LIVE.iter().any(|(live, _)| is_below(live))
}

fn value_at(path: &str, key: &Key, plain: &Plain) -> String {
    let live = LIVE.iter().find(|(live, _)| *live == path);
    let ends_like =
        |end: &str| path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    let of_probe = || PROBES.iter().find(|kind| path.strip_prefix("probe.") == Some(kind.key));
    let of_others = || EXAMPLES.iter().find(|(end, _)| ends_like(end)).map(|(_, value)| *value);
    let example = || of_probe().map(|kind| kind.example).or_else(of_others);
    match live {
        Some((_, value)) => (*value).to_owned(),
        None if key.default.is_some() => key.default.clone().unwrap_or_default(),
        None => example().map_or_else(|| plain.example.clone(), str::to_owned),
    }
}

/// `default; a number above 0`.
fn note(key: &Key, plain: &Plain, value: &str) -> String {
    let default = match &key.default {
        _ if key.is_needed => Some("needed".to_owned()),
        Some(default) if default == value => Some("default".to_owned()),
        Some(default) => Some(format!("default {default}")),
        None => None,
    };
    default.into_iter().chain([plain.words.clone()]).collect::<Vec<_>>().join("; ")
}

fn render(blocks: &[Block]) -> String {
    let mut text = OPENING.to_owned();
    for block in blocks {
        text.push('\n');
        remark(&mut text, &block.about);
        if !block.header.is_empty() {
            let off = if block.is_live { "" } else { "#" };
            let _ = writeln!(text, "{off}{}", block.header);
        }
        for (number, entry) in block.entries.iter().enumerate() {
            if number > 0 && entry.remarks.len() > 1 {
                text.push('\n');
            }
            entry.remarks.iter().for_each(|words| remark(&mut text, words));
            let off = if entry.is_live { "" } else { "#" };
            let line = format!("{off}{} = {}", entry.path, entry.value);
            let _ = writeln!(text, "{line:<NOTES$} # {}", entry.note);
        }
    }
    text
}

/// Words as remarks of at most [`WIDTH`] columns.
fn remark(text: &mut String, words: &str) {
    let mut line = String::from("#");
    for word in words.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(text, "{line}");
            "#".clone_into(&mut line);
        }
        line.push(' ');
        line.push_str(word);
    }
    if line.len() > 1 {
        let _ = writeln!(text, "{line}");
    }
}
