//! The reference of all keys, in Markdown: the book includes it in `docs/guide/keys.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::keys::{Key, KeyValue, Plain, keys};
use crate::probes::PROBES;

const OPENING: &str = "\
A key in **bold** is needed wherever its table stands.

## The scene

";

/// The reference of all keys of a scene, in Markdown.
#[must_use]
pub fn reference() -> String {
    let mut page = Page { text: OPENING.to_owned(), places: BTreeMap::new() };
    let keys = keys();
    page.table("", &keys);
    page.sections("", &keys);
    page.text.truncate(page.text.trim_end().len());
    page.text.push('\n');
    page.text
}

struct Page {
    text: String,
    /// The section about each type of table.
    places: BTreeMap<String, String>,
}

impl Page {
    fn table(&mut self, path: &str, keys: &[Key]) {
        self.text.push_str("| key | value | default | meaning |\n| --- | --- | --- | --- |\n");
        for key in keys {
            let name = if key.is_needed { format!("**`{}`**", key.name) } else { format!("`{}`", key.name) };
            let default = key.default.as_ref().map_or_else(String::new, |default| format!("`{default}`"));
            let value = self.value(&joined(path, &key.name), &key.value);
            let _ = writeln!(self.text, "| {name} | {value} | {default} | {} |", meaning(key));
        }
        self.text.push('\n');
    }

    /// What a key can be, with a link to the section about it.
    fn value(&mut self, path: &str, value: &KeyValue) -> String {
        match value {
            KeyValue::Plain(Plain { words, words_allowed, .. }) => {
                if words_allowed.is_empty() {
                    escaped(words)
                } else {
                    "one of these words".to_owned()
                }
            }
            KeyValue::Choice(_) => format!("[one of these]({})", anchor(path)),
            KeyValue::Table(table) => {
                let place = self.places.entry(table.name.clone()).or_insert_with(|| path.to_owned());
                format!("[table]({})", anchor(place))
            }
            KeyValue::Tables(table) => {
                let place = self.places.entry(table.name.clone()).or_insert_with(|| path.to_owned());
                format!("[list of tables]({})", anchor(place))
            }
        }
    }

    /// A section for each table among `keys` that has none yet, and for those in it.
    fn sections(&mut self, above: &str, keys: &[Key]) {
        for key in keys {
            let path = joined(above, &key.name);
            match &key.value {
                KeyValue::Plain(_) => {}
                KeyValue::Choice(kinds) => {
                    self.heading(&path, &key.about);
                    self.table(&path, kinds);
                    self.sections(&path, kinds);
                }
                KeyValue::Table(table) | KeyValue::Tables(table) => {
                    if self.places.get(&table.name) != Some(&path) {
                        continue;
                    }
                    self.heading(&path, &key.about);
                    self.table(&path, &table.keys);
                    if path == "probe" {
                        self.probes();
                    }
                    self.sections(&path, &table.keys);
                }
            }
        }
    }

    fn heading(&mut self, path: &str, about: &str) {
        let depth = if path.contains('.') { "###" } else { "##" };
        let _ = writeln!(self.text, "{depth} {path}\n\n{}\n", escaped(about));
    }

    /// The columns of each kind of probe.
    fn probes(&mut self) {
        for kind in PROBES {
            let _ = writeln!(
                self.text,
                "### Probe of {}\n\nAsked for by `{}`. {}\n",
                kind.name, kind.key, kind.about
            );
            self.text.push_str("| column | unit | meaning |\n| --- | --- | --- |\n");
            for column in kind.columns {
                let _ = writeln!(self.text, "| `{}` | {} | {} |", column.name, column.unit, column.about);
            }
            self.text.push('\n');
        }
    }
}

/// What a key means, and what each of its words does.
fn meaning(key: &Key) -> String {
    let mut text = escaped(&key.about);
    if let KeyValue::Plain(plain) = &key.value {
        for (word, about) in &plain.words_allowed {
            let _ = write!(text, "<br>`\"{word}\"`: {}", escaped(about));
        }
    }
    text
}

fn joined(above: &str, name: &str) -> String {
    if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") }
}

/// The link to the section of a path: what the book and code hosts make of a heading.
fn anchor(path: &str) -> String {
    format!("#{}", path.replace('.', ""))
}

/// Text in a cell of a table.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_of_the_page_leads_to_a_heading() {
        let page = reference();
        let headings: Vec<String> = page
            .lines()
            .filter_map(|line| Some(line.strip_prefix("##")?.trim_start_matches('#').trim().replace('.', "")))
            .collect();
        let links = page.split("](#").skip(1).filter_map(|rest| rest.split(')').next());
        let mut count = 0;
        for link in links {
            assert_eq!(headings.iter().filter(|heading| *heading == link).count(), 1, "{link}");
            count += 1;
        }
        assert!(count > 50, "{count}");
    }
}
