//! One line of a comparison: the document with what the line changes, each change where it was written.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::settings;
use crate::overrides::put;
use crate::report::Problem;

/// Makes the document the line `name` of its comparison; says what cannot be changed.
pub fn apply(root: &mut DeTable<'_>, name: &str) -> Vec<Problem> {
    let compare = root.remove("compare");
    let Some(line) = compare.as_ref().and_then(|compare| find(compare, name)) else {
        return vec![Problem::nowhere(format!("the scene has no line \"{name}\" to compare"))];
    };
    let mut problems = Vec::new();
    if let Some(method) = line.get("method") {
        problems.extend(put(root, "method", &method.span(), method.clone()).err());
    }
    problems.extend(settings::write(root, line.get("set")));
    problems
}

fn find<'t, 'i>(compare: &'t Spanned<DeValue<'i>>, name: &str) -> Option<&'t DeTable<'i>> {
    let lines = compare.get_ref().as_table()?.get("line")?.get_ref().as_array()?;
    let called = |line: &&DeTable<'_>| line.get("name").and_then(|n| n.get_ref().as_str()) == Some(name);
    lines.iter().filter_map(|line| line.get_ref().as_table()).find(called)
}
