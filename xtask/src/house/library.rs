//! The library without features: it stands on few crates, and whoever builds it pays for no more.

use std::collections::BTreeSet;
use std::path::Path;

use crate::steps::{cargo, output};

/// So many crates, `carom` among them: half of what the program needs.
const MOST: usize = 40;

/// Counts the crates that `carom` needs without its features.
pub fn stands_on_few_crates(root: &Path) -> Result<(), String> {
    const ASKED: [&str; 9] = [
        "tree",
        "--locked",
        "--package",
        "carom",
        "--no-default-features",
        "--edges",
        "normal",
        "--prefix",
        "none",
    ];
    judge(&output(&mut cargo(root, &ASKED))?)
}

/// Whether a listing of `cargo tree` has few crates.
fn judge(listing: &str) -> Result<(), String> {
    let crates = crates_in(listing);
    if crates.len() <= MOST {
        return Ok(());
    }
    let all: Vec<&str> = crates.iter().copied().collect();
    Err(format!(
        "   broken: without features `carom` needs at most {MOST} crates\n     these are {}: {}",
        all.len(),
        all.join(", ")
    ))
}

/// Name and version of each crate, once.
fn crates_in(listing: &str) -> BTreeSet<&str> {
    let in_short =
        |line: &'_ str| -> usize { line.match_indices(' ').nth(1).map_or(line.len(), |(at, _)| at) };
    listing.lines().map(|line| &line[..in_short(line)]).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_counts_once_for_each_of_its_versions() {
        let listing = "carom v0.1.0 (/here)\nserde v1.0.0\nserde v1.0.0 (*)\nserde_derive v1.0.0 (proc-macro)\nserde v2.0.0\n";
        let expected = ["carom v0.1.0", "serde v1.0.0", "serde v2.0.0", "serde_derive v1.0.0"];
        assert_eq!(crates_in(listing).into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn too_many_crates_are_refused_by_name() {
        let listing =
            |count: usize| (0..count).map(|i| format!("some-{i} v1.0.0")).collect::<Vec<_>>().join("\n");
        assert_eq!(judge(&listing(MOST)), Ok(()));
        let why = judge(&listing(MOST + 1)).unwrap_err();
        assert!(why.contains("these are 41") && why.contains("some-40 v1.0.0"), "{why}");
    }
}
