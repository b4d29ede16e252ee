//! Keys of a document with other values, written as a table of it: `{ "time.end" = 0.001 }`. Lines of a comparison have one, and
//! `[small]`, the variant for the impatient.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::overrides::put;
use crate::report::Problem;

/// Sections whose keys only make sense in the file itself.
const FIXED: [&str; 2] = ["compare", "small"];

/// Writes the values into the document, each where it was written; says which cannot be changed.
pub fn write<'i>(root: &mut DeTable<'i>, settings: Option<&Spanned<DeValue<'i>>>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let table = settings.and_then(|settings| settings.get_ref().as_table());
    for (key, value) in table.into_iter().flatten() {
        let path = key.get_ref().as_ref();
        let first = path.split('.').next().unwrap_or_default().trim();
        if FIXED.contains(&first) {
            let problem =
                Problem::new(&key.span(), format!("a variant of the scene cannot change `{first}`"));
            problems.push(problem.help("set keys of the scene itself, such as \"time.end\""));
            continue;
        }
        problems.extend(put(root, path, &key.span(), value.clone()).err());
    }
    problems
}

/// Makes the document its own small variant, which is compared with nothing.
pub fn make_small(root: &mut DeTable<'_>) -> Vec<Problem> {
    root.remove("compare");
    let small = root.remove("small");
    if small.is_none() {
        let problem = Problem::nowhere("the scene has no small variant");
        return vec![
            problem.help("leave out --small, or add a section [small] with lines like \"time.end\" = 0.1"),
        ];
    }
    write(root, small.as_ref())
}
