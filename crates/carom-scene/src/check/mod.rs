//! What can be wrong with a scene before any mesh is made: keys that contradict each other, names
//! that clash, references to nothing.
//!
//! All problems are collected, so that a user sees them at once.
//!
//! **Never here:** meshes, masses, numbers of vertices.

mod bodies;
mod compare;
mod contact;
mod expect;
mod forces;
mod grains;
mod parts;
mod picture;

pub use compare::{is_line_name, taken_by_the_scene};
pub use contact::check_between;
pub use expect::{CLAIM, ROWS_FOR_A_CLAIM};

use std::collections::BTreeMap;

use crate::at::{At, Span};
use crate::format::SceneFile;
use crate::report::Problem;
use crate::spelling;

/// All contradictions in a scene whose single values are valid.
pub fn problems(file: &SceneFile) -> Vec<Problem> {
    let mut problems = Vec::new();
    bodies::check(file, &mut problems);
    contact::check(file, &mut problems);
    grains::check(file, &mut problems);
    forces::check(file, &mut problems);
    parts::check(file, &mut problems);
    expect::check(file, &mut problems);
    compare::check(file, &mut problems);
    picture::check(file, &mut problems);
    problems
}

/// Names are printed in tables, columns and paths, and `body:12` names a vertex.
fn check_names<'f>(what: &str, names: impl IntoIterator<Item = &'f At<String>>, problems: &mut Vec<Problem>) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for name in names {
        if !is_name(name) {
            let problem = Problem::new(&name.span(), format!("\"{name}\" cannot be the name of a {what}"));
            problems.push(problem.help("use letters, digits, and - _ . between them"));
        }
        if let Some(first) = seen.get(name.as_str()) {
            let problem = Problem::new(&name.span(), format!("there is another {what} called \"{name}\""));
            problems.push(problem.and(first, "the first").help("give each a name of its own"));
        } else {
            seen.insert(name, name.span());
        }
    }
}

fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || "-_. ".contains(c);
    !name.is_empty() && name.trim() == name && name.chars().all(allowed)
}

/// A reference to something by name.
pub fn check_reference(what: &str, name: &At<String>, known: &[&str], problems: &mut Vec<Problem>) {
    problems.extend(unknown_name(what, name, &name.span(), known));
}

/// The problem with a reference, if there is nothing of that name.
pub fn unknown_name(what: &str, name: &str, span: &Span, known: &[&str]) -> Option<Problem> {
    if known.contains(&name) {
        return None;
    }
    let problem = Problem::new(span, format!("there is no {what} called \"{name}\""));
    Some(match spelling::nearest(name, known.iter().copied()) {
        Some(near) => problem.help(format!("did you mean \"{near}\"?")),
        None if known.is_empty() => problem.help(format!("this scene has no named {what}")),
        None => problem.help(format!("there is: \"{}\"", known.join("\", \""))),
    })
}

/// Exactly one of some keys: those that were given, by name.
pub fn check_exactly_one(span: &Span, what: &str, keys: &[(&str, bool)], problems: &mut Vec<Problem>) {
    let given: Vec<&str> = keys.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect();
    if given.len() == 1 {
        return;
    }
    let all = keys.iter().map(|(key, _)| format!("`{key}`")).collect::<Vec<_>>().join(", ");
    let found = if given.is_empty() { "none".to_owned() } else { given.join(" and ") };
    problems.push(Problem::new(span, format!("{what} needs exactly one of {all}; it has {found}")));
}

fn body_names(file: &SceneFile) -> Vec<&str> {
    file.bodies.iter().map(|b| b.name.as_str()).collect()
}
