//! `cargo xtask house`: rules of this repository that no compiler checks.
//!
//! Each check is a pure function from a [`Tree`] of texts to findings, so that its tests can check a broken tree; one more asks Cargo how many crates the
//! library needs. The last test here runs all of them on this repository.

mod citations;
mod code;
mod layers;
mod library;
mod machine;
mod map;
mod release;
mod sources;
mod tree;

use std::fmt::Write as _;
use std::path::Path;

use tree::{Finding, Tree};

/// A rule, and the function that finds what breaks it.
type Check = (&'static str, fn(&Tree) -> Vec<Finding>);

/// Every check.
const CHECKS: [Check; 14] = [
    ("every path, type and command the map names exists", map::names_exist),
    ("every crate is on the map", map::crates_are_named),
    ("what the book says of the code is there", map::the_book_points_at_code),
    ("every element has a page", map::elements_have_pages),
    ("every relative link of the front pages leads somewhere", map::links_lead_somewhere),
    ("every citation is in the bibliography and says its place", citations::are_known),
    ("lower layers never see higher ones", layers::point_down),
    ("files are short enough to read", sources::are_short),
    ("structs have few enough fields to hold in the head", sources::structs_are_small),
    ("libraries print nothing", sources::libraries_are_silent),
    ("unsafe code is in carom-math alone, each with its reason", sources::unsafe_is_confined),
    ("only scene, output and what stands above them open files", sources::files_are_opened_above),
    ("no path of one machine, no private registry", machine::leaves_no_trace),
    ("one version everywhere", release::versions_agree),
];

/// Runs every check on the tree below `root`.
pub fn run(root: &Path) -> Result<(), String> {
    let tree = Tree::read(root).map_err(|e| format!("   the tree cannot be read: {e}"))?;
    let mut broken = String::new();
    for (rule, check) in CHECKS {
        let findings = check(&tree);
        if !findings.is_empty() {
            let _ = writeln!(broken, "   broken: {rule}");
            broken.extend(findings.iter().map(|finding| format!("     {finding}\n")));
        }
    }
    broken.push_str(&library::stands_on_few_crates(root).err().unwrap_or_default());
    if broken.is_empty() {
        eprintln!("   {} rules kept by {} files", CHECKS.len() + 1, tree.len());
        Ok(())
    } else {
        Err(broken.trim_end().to_owned())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn this_tree_keeps_every_rule() {
        if let Err(broken) = super::run(&crate::root()) {
            panic!("\n{broken}");
        }
    }
}
