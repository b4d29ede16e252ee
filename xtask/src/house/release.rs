//! One version: the workspace, the citation file and the change log agree.

use super::tree::{Finding, Tree};

/// `CITATION.cff` has the workspace's version, and `CHANGELOG.md` a heading for it or for what is not released.
pub fn versions_agree(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut found = |path: &str, what: String| findings.push(Finding { path: path.into(), line: 0, what });
    let version = value(tree, "Cargo.toml", "version = ");
    let Some(version) = version else {
        found("Cargo.toml", "the workspace has no version".into());
        return findings;
    };
    match value(tree, "CITATION.cff", "version: ") {
        Some(cited) if cited == version => {}
        cited => found("CITATION.cff", format!("version {cited:?}, but the workspace has {version:?}")),
    }
    let log = tree.text("CHANGELOG.md").unwrap_or_default();
    let headings: Vec<&str> = log.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    if !headings.iter().any(|h| *h == "Unreleased" || h.split_whitespace().next() == Some(version)) {
        found("CHANGELOG.md", format!("no heading `## Unreleased` nor `## {version}`"));
    }
    findings
}

/// What follows `key` on the first line that starts with it, without quotes.
fn value<'t>(tree: &'t Tree, path: &str, key: &str) -> Option<&'t str> {
    let rest = tree.text(path)?.lines().find_map(|line| line.strip_prefix(key))?;
    Some(rest.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(citation: &str, log: &str) -> Vec<Finding> {
        let manifest = "[workspace.package]\nversion = \"0.3.0\"\n";
        versions_agree(&Tree::of([
            ("Cargo.toml", manifest),
            ("CITATION.cff", citation),
            ("CHANGELOG.md", log),
        ]))
    }

    #[test]
    fn equal_versions_are_fine() {
        assert_eq!(findings("version: 0.3.0\n", "## Unreleased\n"), []);
        assert_eq!(findings("version: \"0.3.0\"\n", "# Changes\n\n## 0.3.0 (2030-01-01)\n"), []);
    }

    #[test]
    fn a_stale_citation_and_a_stale_log_are_found() {
        assert_eq!(findings("version: 0.2.0\n", "## Unreleased\n")[0].path, "CITATION.cff");
        assert_eq!(findings("version: 0.3.0\n", "## 0.2.0\n")[0].path, "CHANGELOG.md");
    }
}
