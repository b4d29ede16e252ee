//! `cargo xtask bench [PART…] [--quick]`: the benchmark suite, and its pages in the book.
//!
//! The numbers come from `carom-bench`, built as a user builds the program, which it holds. A measurement is meaningless without
//! machine and date, so both are on every page.

use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::steps::{carom_bench, output, release_program, run as run_command};

/// Folder of the pages of the suite.
const PAGES: &str = "docs/benchmarks";

/// Builds the program and measures the parts named on the command line, or all. With `--quick` the pages are not written.
pub fn run(root: &Path) -> Result<(), String> {
    release_program(root)?;
    let asked: Vec<String> = std::env::args().skip(2).collect();
    let arguments = suite(&asked, &circumstances(root));
    run_command(carom_bench(root).args(arguments))
}

fn suite(asked: &[String], dated: &str) -> Vec<String> {
    let fixed = ["suite", "--dated", dated];
    let is_quick = asked.iter().any(|word| word == "--quick");
    let pages: &[&str] = if is_quick { &[] } else { &["--pages", PAGES] };
    fixed.iter().chain(pages).map(|word| (*word).to_owned()).chain(asked.iter().cloned()).collect()
}

/// `cargo xtask bullets`: a thousand shots at each speed, audited at every instant (minutes).
pub fn bullets(root: &Path) -> Result<(), String> {
    release_program(root)?;
    println!("{}\n", circumstances(root));
    run_command(carom_bench(root).arg("bullets"))
}

/// `cargo xtask gallery`: every scene in full, and the page that shows them; goes on where it stopped (up to 90 minutes). Those named
/// run alone, and leave the page as it is.
pub fn gallery(root: &Path) -> Result<(), String> {
    release_program(root)?;
    let mut command = carom_bench(root);
    command.arg("gallery");
    let names: Vec<String> = std::env::args().skip(2).collect();
    if names.is_empty() {
        command.args(["--page", "docs/gallery.md", "--dated", &circumstances(root)]);
    }
    run_command(command.args(names))
}

/// `cargo xtask promises [OPTION…]`: random scenes at defaults, and whether the promises were kept (an hour).
pub fn promises(root: &Path) -> Result<(), String> {
    release_program(root)?;
    println!("{}\n", circumstances(root));
    run_command(carom_bench(root).arg("promises").args(std::env::args().skip(2)))
}

/// Date, processor, compiler and revision.
fn circumstances(root: &Path) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = civil(now / 86_400);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let compiler =
        output(Command::new("rustc").arg("--version")).unwrap_or_else(|_| "unknown compiler".into());
    let revision = output(Command::new("git").current_dir(root).args(["describe", "--always", "--dirty"]))
        .unwrap_or_else(|_| "unknown".into());
    format!("{year:04}-{month:02}-{day:02}, {}, {cores} cores; {compiler}; revision {revision}", processor())
}

/// The name of the processor, where the system says it.
fn processor() -> String {
    let listed = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = listed.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}

/// Year, month and day of a day counted from 1970-01-01.
fn civil(day: u64) -> (u64, u64, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut left, mut year) = (day, 1970);
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    (year, month, left + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quick_look_writes_no_page() {
        let words = |asked: &[&str]| {
            suite(&asked.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>(), "today").join(" ")
        };
        assert_eq!(words(&["kernels"]), "suite --dated today --pages docs/benchmarks kernels");
        assert_eq!(words(&["kernels", "--quick"]), "suite --dated today kernels --quick");
        assert!(crate::root().join(PAGES).join("index.md").is_file());
    }

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(11_017), (2000, 3, 1));
        assert_eq!(civil(20_818), (2026, 12, 31));
        assert_eq!(civil(20_819), (2027, 1, 1));
    }
}
