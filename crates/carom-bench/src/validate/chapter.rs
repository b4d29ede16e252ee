//! The chapter of the book: a table of all problems, then each with its setting, tables, plot and source.

use std::fmt::Write as _;

use carom_output::plot::Plot;

use super::report::{Row, Study};

/// A problem and what it showed.
pub struct Outcome {
    /// Name of the problem in the list.
    pub id: &'static str,
    /// Subject of the problem.
    pub what: &'static str,
    /// Whether the problem is on the list.
    pub is_listed: bool,
    /// Measured studies.
    pub studies: Vec<Study>,
    /// Plot of the convergence, where something was refined.
    pub plot: Option<Plot>,
}

impl Outcome {
    /// Path of the plot, relative to the chapter.
    pub fn plot_file(&self) -> String {
        format!("plots/{}.svg", self.id)
    }

    fn judged(&self) -> Vec<Row> {
        self.studies.iter().flat_map(Study::rows).filter(|row| row.passed.is_some()).collect()
    }

    /// Whether some value has a tolerance, and all such values are within theirs.
    pub fn passed(&self) -> bool {
        let judged = self.judged();
        !judged.is_empty() && judged.iter().all(|row| row.passed == Some(true))
    }

    /// The value nearest to its tolerance, or farthest beyond it.
    fn worst(&self) -> Option<Row> {
        let share = |row: &Row| row.share().unwrap_or(0.0);
        self.judged().into_iter().max_by(|a, b| share(a).total_cmp(&share(b)))
    }
}

/// The whole chapter.
pub fn markdown(outcomes: &[Outcome], command: &str) -> String {
    let mut text = format!(
        "# Results\n\nProblems with a known answer, measured. Of every problem the value nearest to its tolerance is shown here, all of them below. An \
         error is relative to what is expected, unless that is zero. The program that makes this page fails if a value leaves its tolerance.\n\n\
         Made by `{command}`.\n"
    );
    let (listed, further): (Vec<&Outcome>, Vec<&Outcome>) = outcomes.iter().partition(|o| o.is_listed);
    summarize(&mut text, "The list", &listed);
    summarize(&mut text, "Further problems", &further);
    for outcome in listed.into_iter().chain(further) {
        describe(&mut text, outcome);
    }
    text
}

fn summarize(text: &mut String, title: &str, outcomes: &[&Outcome]) {
    if outcomes.is_empty() {
        return;
    }
    let _ = write!(
        text,
        "\n## {title}\n\n| problem | what | worst value | error | tolerance | |\n| --- | --- | --- | ---: | ---: | --- |\n"
    );
    for outcome in outcomes {
        let (what, error, tolerance) = outcome.worst().map_or_else(Default::default, |row| {
            (row.setting[0].clone(), signed(row.error), row.tolerance.map_or(String::new(), allowed))
        });
        let (id, anchor) = (outcome.id, outcome.id.to_lowercase());
        let verdict = verdict(outcome.passed());
        let _ = writeln!(
            text,
            "| [{id}](#{anchor}) | {} | {what} | {error} | {tolerance} | {verdict} |",
            outcome.what
        );
    }
    let judged: Vec<Row> = outcomes.iter().flat_map(|o| o.judged()).collect();
    let passed = judged.iter().filter(|row| row.passed == Some(true)).count();
    let whole = outcomes.iter().filter(|o| o.passed()).count();
    let _ = write!(
        text,
        "\n{whole} of {} problems and {passed} of {} judged values are within tolerance.\n",
        outcomes.len(),
        judged.len()
    );
}

fn describe(text: &mut String, outcome: &Outcome) {
    let _ = write!(text, "\n## {}\n", outcome.id);
    for study in &outcome.studies {
        let _ = write!(text, "\n### {}\n\n{}\n\nExpected: {}.\n\n", study.title, study.setting, study.source);
        text.push_str("| quantity | mesh | expected | ours | error | order | tolerance | |\n");
        text.push_str("| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |\n");
        for row in study.rows() {
            text.push_str(&line(&row));
        }
    }
    if outcome.plot.is_some() {
        let _ = write!(text, "\n![How {} converges]({})\n", outcome.id, outcome.plot_file());
    }
}

fn line(row: &Row) -> String {
    let order = row.order.map_or("–".into(), |p| format!("{p:.2}"));
    let tolerance = row.tolerance.map_or("–".into(), allowed);
    format!(
        "| {} | {} | {} | {} | {} | {order} | {tolerance} | {} |\n",
        row.setting[0],
        row.setting[1],
        value(row.expected),
        value(row.ours),
        signed(row.error),
        row.passed.map_or("", verdict)
    )
}

fn verdict(passed: bool) -> &'static str {
    if passed { "passed" } else { "**missed**" }
}

/// Five digits behind the point, or a power of ten where they would show nothing.
fn value(number: f64) -> String {
    if number != 0.0 && number.abs() < 1e-3 { format!("{number:.3e}") } else { format!("{number:.5}") }
}

/// Errors below this are shown as powers of ten.
const TINY: f64 = 1e-5;

fn signed(error: f64) -> String {
    if error != 0.0 && error.abs() < TINY {
        format!("{error:+.1e}")
    } else {
        format!("{:+.3} %", 100.0 * error)
    }
}

fn allowed(tolerance: f64) -> String {
    if tolerance == 0.0 {
        "exact".into()
    } else if tolerance <= TINY {
        format!("{tolerance:e}")
    } else {
        // Without the digits that a factor of 100 adds.
        format!("{} %", (1e8 * tolerance).round() / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::{Point, Series};
    use super::*;

    fn outcome(id: &'static str, expected: f64, tolerance: Option<f64>, values: &[f64]) -> Outcome {
        let point = |(i, &ours): (usize, &f64)| Point {
            mesh: format!("mesh {i}"),
            size: 0.5_f64.powi(i as i32),
            ours,
        };
        let points = values.iter().enumerate().map(point).collect();
        let series = vec![Series { what: "period".into(), expected, tolerance, order: None, points }];
        let study =
            Study { title: "Swing", setting: "A swing.".into(), source: "a book", size: "edge", series };
        Outcome { id, what: "a swing", is_listed: true, studies: vec![study], plot: Some(Plot::default()) }
    }

    #[test]
    fn the_table_shows_the_worst_value_of_each_problem_and_counts_what_passed() {
        let mut outcomes = [
            outcome("fine", 10.0, Some(0.1), &[13.0, 10.05]),
            outcome("CFFF", 10.0, Some(0.01), &[10.5]),
            outcome("further", 10.0, Some(0.1), &[10.5]),
        ];
        outcomes[2].is_listed = false;
        let worse = outcome("fine", 10.0, Some(0.1), &[10.9]).studies.remove(0);
        outcomes[0].studies.push(worse);
        let text = markdown(&outcomes, "cargo xtask validate");
        for line in [
            "| [fine](#fine) | a swing | period | +9.000 % | 10 % | passed |",
            "| [CFFF](#cfff) | a swing | period | +5.000 % | 1 % | **missed** |",
            "1 of 2 problems and 2 of 3 judged values are within tolerance.",
            "1 of 1 problems and 1 of 1 judged values are within tolerance.",
            "| period | mesh 0 | 10.00000 | 13.00000 | +30.000 % | – | – |  |",
            "![How fine converges](plots/fine.svg)",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }

    #[test]
    fn a_problem_with_nothing_judged_has_not_passed() {
        assert!(!outcome("shown", 1.0, None, &[1.0]).passed());
        assert!(!Outcome { studies: Vec::new(), ..outcome("empty", 1.0, None, &[1.0]) }.passed());
    }

    #[test]
    fn tiny_numbers_keep_their_digits() {
        let text = line(&outcome("rest", 0.0, Some(1e-10), &[-2.5e-13]).studies[0].rows().next().unwrap());
        assert_eq!(text, "| period | mesh 0 | 0.00000 | -2.500e-13 | -2.5e-13 | – | 1e-10 | passed |\n");
        assert_eq!(allowed(0.0), "exact");
    }
}
