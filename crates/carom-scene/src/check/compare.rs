//! Comparisons: unique names of lines, and references to them.
//!
//! What a line changes is checked with the line (see `Scene::line`).

use super::{check_names, check_reference, is_name};
use crate::format::{Compare, SceneFile};
use crate::report::Problem;

pub fn check(file: &SceneFile, problems: &mut Vec<Problem>) {
    let Some(compare) = &file.compare else {
        return;
    };
    check_names("line", compare.lines.iter().map(|line| &line.name).chain(&compare.name), problems);
    let names: Vec<&str> = compare.lines.iter().map(|line| line.name.as_str()).collect();
    for name in &compare.beside {
        check_reference("line", name, &names, problems);
    }
    check_folders(compare, problems);
}

/// Whether a line of a comparison can be called so: its name is also that of its folder, on every system.
#[must_use]
pub fn is_line_name(name: &str) -> bool {
    is_name(name) && !name.starts_with('.') && !name.ends_with('.')
}

fn check_folders(compare: &Compare, problems: &mut Vec<Problem>) {
    for name in compare.lines.iter().map(|line| &line.name).chain(&compare.name) {
        if is_name(name) && !is_line_name(name) {
            let message =
                format!("\"{name}\" cannot be the name of a line, which is also that of its folder");
            problems.push(
                Problem::new(&name.span(), message).help("let it begin and end with a letter or a digit"),
            );
        }
    }
}

/// A line with the name of the scene's own line.
pub fn taken_by_the_scene(file: &SceneFile) -> Vec<Problem> {
    let Some(compare) = file.compare.as_ref().filter(|compare| compare.name.is_none()) else {
        return Vec::new();
    };
    let own = file.own_line();
    let taken = compare.lines.iter().filter(|line| line.name.as_str() == own);
    taken
        .map(|line| {
            let message =
                format!("\"{own}\" is what the line of the scene itself is called, after its method");
            let problem = Problem::new(&line.name.span(), message);
            problem.help("give this line another name, or the scene itself one with `compare.name`")
        })
        .collect()
}
