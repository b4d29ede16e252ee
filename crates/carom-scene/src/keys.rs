//! Every key of the scene format: name, meaning, default and range, as the JSON Schema has them.
//!
//! The types of [`format`](mod@crate::format) are the one place where keys are described. The schema is made from them; the template of
//! `carom new` and the reference of keys are made from this.

use serde_json::Value;

use crate::schema::{resolve, schema};
use crate::spelling::one_of;

/// A key of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Name of the key.
    pub name: String,
    /// What it means, with the unit of a number.
    pub about: String,
    /// Whether its table is refused without it.
    pub is_needed: bool,
    /// The value without it, as TOML.
    pub default: Option<String>,
    /// What it can be.
    pub value: KeyValue,
}

/// What a key can be.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyValue {
    /// A value.
    Plain(Plain),
    /// A table.
    Table(Table),
    /// A list of tables.
    Tables(Table),
    /// A table with exactly one of these keys.
    Choice(Vec<Key>),
}

/// A value that is no table.
#[derive(Clone, Debug, PartialEq)]
pub struct Plain {
    /// Type and range, in words.
    pub words: String,
    /// A value that is valid as far as type and range go, as TOML.
    pub example: String,
    /// The words that it can be, with what they mean, if it is one of some words.
    pub words_allowed: Vec<(String, String)>,
}

/// The keys of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Name of its type: tables of one type have the same keys.
    pub name: String,
    /// Its keys.
    pub keys: Vec<Key>,
}

/// The keys of a scene.
#[must_use]
pub fn keys() -> Vec<Key> {
    let root = schema();
    Reader { root: &root }.keys_of(&root)
}

/// The keys of the table at `path`, its parts joined by dots: `body.shape.grid`. None if there is no such table.
#[must_use]
pub fn keys_of(path: &str) -> Vec<Key> {
    path.split('.').fold(keys(), |all, name| {
        let found = all.into_iter().find(|key| key.name == name);
        match found.map(|key| key.value) {
            Some(KeyValue::Table(table) | KeyValue::Tables(table)) => table.keys,
            Some(KeyValue::Choice(kinds)) => kinds,
            Some(KeyValue::Plain(_)) | None => Vec::new(),
        }
    })
}

struct Reader<'s> {
    root: &'s Value,
}

impl Reader<'_> {
    fn keys_of(&self, table: &Value) -> Vec<Key> {
        let needed = |name: &str| {
            table["required"].as_array().is_some_and(|all| all.iter().any(|needed| needed == name))
        };
        let properties = table["properties"].as_object();
        properties.into_iter().flatten().map(|(name, schema)| self.key(name, schema, needed(name))).collect()
    }

    fn key(&self, name: &str, schema: &Value, is_needed: bool) -> Key {
        let own = schema.get("description").or_else(|| resolve(self.root, schema).get("description"));
        Key {
            name: name.to_owned(),
            about: first_paragraph(own),
            is_needed,
            default: schema.get("default").and_then(toml),
            value: self.value(name, schema),
        }
    }

    fn value(&self, name: &str, schema: &Value) -> KeyValue {
        let target = resolve(self.root, schema);
        if let Some(kinds) = target["oneOf"].as_array().filter(|kinds| kinds[0].get("properties").is_some()) {
            return KeyValue::Choice(kinds.iter().flat_map(|kind| self.kind(kind)).collect());
        }
        if target.get("properties").is_some() {
            return KeyValue::Table(self.table(name, schema, target));
        }
        if let Some(items) = target.get("items") {
            let item = resolve(self.root, items);
            if item.get("properties").is_some() {
                return KeyValue::Tables(self.table(name, items, item));
            }
        }
        KeyValue::Plain(Plain {
            words: self.words(target),
            example: self.example(target),
            words_allowed: words_allowed(target),
        })
    }

    /// One of the tables among which a choice is: what is said of the choice is said of its key.
    fn kind(&self, kind: &Value) -> Vec<Key> {
        let about = kind.get("description");
        let with_about = |key: Key| Key {
            about: about.map_or(key.about, |_| first_paragraph(about)),
            is_needed: false,
            ..key
        };
        self.keys_of(kind).into_iter().map(with_about).collect()
    }

    /// The table of a key; one that is described in its place is called like the key.
    fn table(&self, key: &str, schema: &Value, target: &Value) -> Table {
        let null = Value::Null;
        let reference = schema.get("$ref").or_else(|| schema["anyOf"][0].get("$ref")).unwrap_or(&null);
        let name = reference.as_str().and_then(|path| path.rsplit('/').next()).unwrap_or(key);
        Table { name: name.to_owned(), keys: self.keys_of(target) }
    }

    /// Type and range of a value.
    fn words(&self, schema: &Value) -> String {
        let allowed = words_allowed(schema);
        if !allowed.is_empty() {
            let quoted: Vec<String> = allowed.iter().map(|(word, _)| format!("\"{word}\"")).collect();
            return one_of(&quoted);
        }
        if let Some(only) = only_value(schema) {
            return only;
        }
        if let Some(items) = schema.get("items") {
            let item = self.words(resolve(self.root, items));
            return match schema["minItems"].as_u64().filter(|few| schema["maxItems"].as_u64() == Some(*few)) {
                Some(count) => format!("{count} {}", plural(&item)),
                None => format!("a list, each {item}"),
            };
        }
        match type_of(schema) {
            "number" if schema.get("pattern").is_some() => {
                format!("a number{}, or \"none\"", range(schema))
            }
            "number" => format!("a number{}", range(schema)),
            "integer" => format!("a whole number{}", range(schema)),
            "boolean" => "true or false".to_owned(),
            "object" => "keys with values".to_owned(),
            _ => "text".to_owned(),
        }
    }

    fn example(&self, schema: &Value) -> String {
        if let Some((first, _)) = words_allowed(schema).first() {
            return format!("\"{first}\"");
        }
        if let Some(only) = only_value(schema) {
            return only;
        }
        if let Some(items) = schema.get("items") {
            let count = schema["minItems"].as_u64().unwrap_or(1) as usize;
            return format!("[{}]", vec![self.example(resolve(self.root, items)); count].join(", "));
        }
        match type_of(schema) {
            "number" => number_in(schema),
            "integer" => schema["minimum"].as_u64().unwrap_or(1).max(1).to_string(),
            "boolean" => "true".to_owned(),
            "object" => "{ \"time.end\" = 0.01 }".to_owned(),
            _ => "\"text\"".to_owned(),
        }
    }
}

/// The words of a choice among words, with what they mean.
fn words_allowed(schema: &Value) -> Vec<(String, String)> {
    let word = |choice: &Value| {
        Some((choice["const"].as_str()?.to_owned(), first_paragraph(choice.get("description"))))
    };
    schema["oneOf"].as_array().into_iter().flatten().filter_map(word).collect()
}

/// The one value that is allowed, beside none.
fn only_value(schema: &Value) -> Option<String> {
    let among = || schema["enum"].as_array()?.iter().find(|value| !value.is_null());
    schema.get("const").or_else(among).and_then(toml)
}

fn type_of(schema: &Value) -> &str {
    let first =
        |types: &'_ Value| -> Option<usize> { types.as_array()?.iter().position(|name| name != "null") };
    let types = &schema["type"];
    types.as_str().or_else(|| types[first(types)?].as_str()).unwrap_or("text")
}

/// The range of a number, in words that follow its type.
fn range(schema: &Value) -> String {
    let bound = |key: &str, words: &str| schema[key].as_f64().map(|bound| format!("{words} {bound}"));
    let low = bound("exclusiveMinimum", "above").or_else(|| bound("minimum", "from"));
    let high = bound("exclusiveMaximum", "below").or_else(|| bound("maximum", "up to"));
    match (low, high) {
        (Some(low), Some(high)) if schema.get("minimum").is_some() && schema.get("maximum").is_some() => {
            format!(" {low} {}", high.trim_start_matches("up "))
        }
        (Some(low), Some(high)) => format!(" {low} and {high}"),
        (Some(low), None) if schema.get("minimum").is_some() => format!(" {low} on"),
        (Some(bound), None) | (None, Some(bound)) => format!(" {bound}"),
        (None, None) => String::new(),
    }
}

/// A number in the range: 1, or its middle.
fn number_in(schema: &Value) -> String {
    let bound =
        |keys: [&str; 2], without: f64| keys.iter().find_map(|key| schema[*key].as_f64()).unwrap_or(without);
    let (low, high) =
        (bound(["exclusiveMinimum", "minimum"], 0.0), bound(["exclusiveMaximum", "maximum"], 2.0));
    format!("{:?}", 0.5 * (low + high))
}

/// Several of what is said to be one.
fn plural(words: &str) -> String {
    let words = words.trim_start_matches("a ");
    words.replacen("number", "numbers", 1).replacen("text", "texts", 1)
}

/// A value as TOML; `None` if it is a table or nothing.
fn toml(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Object(_) => None,
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(toml).collect();
            Some(format!("[{}]", items?.join(", ")))
        }
        other => Some(other.to_string()),
    }
}

/// The first paragraph of a description, on one line.
fn first_paragraph(description: Option<&Value>) -> String {
    let text = description.and_then(Value::as_str).unwrap_or_default();
    text.split("\n\n").next().unwrap_or_default().replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(path: &str) -> Key {
        let (table, name) = path.rsplit_once('.').unwrap_or(("", path));
        let all = if table.is_empty() { keys() } else { keys_of(table) };
        all.into_iter().find(|key| key.name == name).unwrap_or_else(|| panic!("{path}"))
    }

    fn words(path: &str) -> String {
        match key(path).value {
            KeyValue::Plain(plain) => plain.words,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_key_has_its_meaning_its_default_and_its_range() {
        let safety = key("clocks.safety");
        assert_eq!((safety.default.as_deref(), safety.is_needed), (Some("0.3"), false));
        assert_eq!(words("clocks.safety"), "a number above 0 and up to 1");
        assert_eq!(words("body.shape.grid.cells"), "2 whole numbers from 1 on");
        assert_eq!(words("contact.restitution"), "a number from 0 to 1");
        assert_eq!(words("body.shape.grid.pattern"), "\"equilateral\", \"right\" or \"alternating\"");
        assert_eq!(words("body.material.shell.poisson"), "a number above -1 and below 0.5");
        assert_eq!((words("format"), words("pin.select.all")), ("1".to_owned(), "true".to_owned()));
        assert!(key("body.shape.grid.size").is_needed && key("time.end").is_needed);
        assert_eq!(
            key("body.shape.grid").about,
            "A flat rectangle of triangles. Groups: left, right, bottom, top."
        );
    }

    /// Numbers without a unit, by the end of their path.
    const PURE: [&str; 24] = [
        "safety",
        "energy_tolerance",
        "restitution",
        "friction",
        "poisson",
        "core",
        "jitter",
        "deviation",
        "shares",
        "scale",
        "zoom",
        "value",
        "relative",
        "absolute",
        "energy_band",
        "energy_drift",
        "momentum",
        "angular_momentum",
        "half_waves",
        "axis",
        "amplitude",
        "nearest",
        "profile",
        "view",
    ];

    #[test]
    fn every_number_says_its_unit_or_has_none() {
        fn walk(path: &str, keys: &[Key]) -> usize {
            let number = |key: &Key| match &key.value {
                KeyValue::Plain(plain)
                    if plain.words.contains("number") && !plain.words.contains("whole") =>
                {
                    let says = key.about.contains(" in ") || PURE.contains(&key.name.as_str());
                    assert!(says, "{path}.{}: {}", key.name, key.about);
                    1
                }
                KeyValue::Plain(_) => 0,
                KeyValue::Table(table) | KeyValue::Tables(table) => {
                    walk(&format!("{path}.{}", key.name), &table.keys)
                }
                KeyValue::Choice(kinds) => walk(&format!("{path}.{}", key.name), kinds),
            };
            keys.iter().map(number).sum()
        }
        assert!(walk("", &keys()) > 100);
    }
}
