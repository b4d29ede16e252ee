//! The JSON Schema of the scene format, and what it says about one key.

use serde_json::Value;

use crate::format::SceneFile;

/// The JSON Schema of the scene format: editors complete and check scenes with it.
#[must_use]
pub fn schema() -> Value {
    schemars::schema_for!(SceneFile).to_value()
}

/// Description of the key at `path`, such as `["body", "0", "name"]`.
#[must_use]
pub fn describe(path: &[String]) -> Option<String> {
    let root = schema();
    let mut here = &root;
    for key in path {
        here = child(&root, here, key)?;
    }
    let text = here.get("description").or_else(|| resolve(&root, here).get("description"))?;
    let first = text.as_str()?.split("\n\n").next()?;
    Some(first.replace('\n', " "))
}

/// A key that no scene has.
pub struct UnknownKey<'k> {
    /// The first part that is not known.
    pub key: &'k str,
    /// The table of the key, in words.
    pub of: String,
    /// The keys that exist there.
    pub known: Vec<String>,
}

/// Whether a scene can have the key at `path`; items of lists go by number or by name.
pub fn check_key<'k>(path: &[&'k str]) -> Result<(), UnknownKey<'k>> {
    let root = schema();
    let mut here = &root;
    for (depth, &key) in path.iter().enumerate() {
        let table = resolve(&root, here);
        let item = table.get("items").filter(|_| table.get("properties").is_none());
        let Some(next) = item.or_else(|| child(&root, here, key)) else {
            let of = if depth == 0 { "a scene".to_owned() } else { format!("`{}`", path[..depth].join(".")) };
            return Err(UnknownKey { key, of, known: keys_of(table) });
        };
        here = next;
    }
    Ok(())
}

/// The keys that a table or a choice has.
fn keys_of(table: &Value) -> Vec<String> {
    let own = |value: &Value| -> Vec<String> {
        value
            .get("properties")
            .and_then(Value::as_object)
            .map_or(Vec::new(), |map| map.keys().cloned().collect())
    };
    let variants = table.get("oneOf").and_then(Value::as_array);
    own(table).into_iter().chain(variants.into_iter().flatten().flat_map(own)).collect()
}

/// The schema that `here` stands for, through references and `null` alternatives.
pub fn resolve<'a>(root: &'a Value, here: &'a Value) -> &'a Value {
    if let Some(reference) = here.get("$ref").and_then(Value::as_str) {
        let pointer = reference.trim_start_matches('#');
        return root.pointer(pointer).map_or(here, |target| resolve(root, target));
    }
    if let Some(choices) = here.get("anyOf").and_then(Value::as_array) {
        let real = choices.iter().find(|c| c.get("type").and_then(Value::as_str) != Some("null"));
        return real.map_or(here, |choice| resolve(root, choice));
    }
    here
}

/// The schema of the key or item `key` of what `here` describes.
fn child<'a>(root: &'a Value, here: &'a Value, key: &str) -> Option<&'a Value> {
    let here = resolve(root, here);
    if let Some(found) = here.get("properties").and_then(|p| p.get(key)) {
        return Some(found);
    }
    if key.parse::<usize>().is_ok() {
        return here.get("items");
    }
    // The variants of a choice are objects with one property each.
    let variants = here.get("oneOf")?.as_array()?;
    variants.iter().find_map(|v| v.get("properties")?.get(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(path: &str) -> Option<String> {
        describe(&path.split('.').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn every_kind_of_key_is_described_by_its_comment() {
        assert_eq!(say("time.end").as_deref(), Some("When the run ends, in s."));
        assert_eq!(say("body.3.name").as_deref(), Some("A name of its own, for pins, probes and files."));
        assert_eq!(say("body.0.material.shell.thickness").as_deref(), Some("Thickness, in m."));
        assert_eq!(say("body.0.shape.grid.size").as_deref(), Some("Size along x and y, in m."));
        assert_eq!(say("gravity.acceleration").as_deref(), Some("Acceleration, in m/s²."));
        assert_eq!(say("body.0.start.displace.bump.radius").as_deref(), Some("Radius of the bump, in m."));
        assert_eq!(say("nonsense.key"), None);
    }

    #[test]
    fn every_table_of_the_schema_refuses_unknown_keys() {
        /// How many tables there are.
        fn walk(at: &str, value: &Value) -> usize {
            match value {
                Value::Object(map) => {
                    let is_table = map.contains_key("properties");
                    if is_table {
                        assert_eq!(map.get("additionalProperties"), Some(&Value::Bool(false)), "{at}");
                    }
                    let within = map.iter().map(|(key, value)| walk(&format!("{at}/{key}"), value));
                    usize::from(is_table) + within.sum::<usize>()
                }
                Value::Array(items) => {
                    items.iter().enumerate().map(|(i, item)| walk(&format!("{at}/{i}"), item)).sum()
                }
                _ => 0,
            }
        }
        let tables = walk("", &schema());
        assert!(tables > 50, "{tables}");
    }
}
