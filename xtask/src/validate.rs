//! `cargo xtask validate [PROBLEM…]`: every problem with a known answer, and the chapter about them.
//!
//! Without names all problems are solved and `docs/validation/results.md` is written with its plots; with names only those are solved, and
//! the chapter stays as it is. It fails if a value is outside of its tolerance. Minutes of computing, so the program is built as a user builds it.
//!
//! With `--quick` meshes are coarse and have tolerances of their own, and all problems take half a minute of one core: the test command solves
//! them so. The chapter stays as it is.

use std::path::Path;
use std::process::Stdio;

use crate::steps::{Outcome, carom_bench, release_program, run as run_command};

const CHAPTER: &str = "docs/validation/results.md";

/// Solves the problems named on the command line, or all.
pub fn run(root: &Path) -> Result<(), String> {
    let names: Vec<String> = std::env::args().skip(2).collect();
    let arguments = arguments(&names);
    release_program(root)?;
    run_command(carom_bench(root).args(&arguments))
}

/// Solves all problems on coarse meshes. Which are outside of their tolerance is said; the chapter is not, which nobody reads among tests.
pub fn quick(root: &Path) -> Result<Outcome, String> {
    let arguments = arguments(&["--quick".to_owned()]);
    release_program(root)?;
    run_command(carom_bench(root).args(&arguments).stdout(Stdio::null()))?;
    Ok(Outcome::Passed)
}

fn arguments(names: &[String]) -> Vec<String> {
    let chapter = ["--write", CHAPTER].map(str::to_owned);
    let rest = if names.is_empty() { chapter.to_vec() } else { names.to_vec() };
    core::iter::once("validate".to_owned()).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chapter_is_written_only_when_all_problems_are_solved() {
        let some = arguments(&["galperin".into(), "--quick".into()]);
        assert_eq!(some[..], ["validate", "galperin", "--quick"]);
        assert_eq!(arguments(&["--quick".into()])[..], ["validate", "--quick"]);
        assert_eq!(arguments(&[])[..], ["validate", "--write", CHAPTER]);
        assert!(crate::root().join(CHAPTER).is_file());
    }
}
