//! `report.html`: one page that needs nothing else, no network and no scripts.

use std::fmt::Write as _;

use super::{ComparedRun, Comparison};
use crate::plot::two_digits;
use crate::summary::{Summary, Verdict};
use crate::words::{count, seconds};
use crate::xml::escape;

const STYLE: &str = include_str!("page.css");

/// The page, with the figure `svg` in it.
#[must_use]
pub fn page(comparison: &Comparison, svg: &str) -> String {
    let title = escape(&comparison.title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    if let Some(first) = comparison.lines.first() {
        page.push_str(&verdict(&first.summary));
        page.push_str(&expectations(&first.summary));
    }
    let _ = writeln!(page, "<h2>Energy</h2>\n<figure>\n{svg}<figcaption>{CAPTION}</figcaption>\n</figure>");
    page.push_str(&table(&comparison.lines));
    for line in &comparison.lines {
        page.push_str(&warnings(line));
    }
    if let Some(first) = comparison.lines.first() {
        page.push_str(&repeat(first));
    }
    page.push_str("</body>\n</html>\n");
    page
}

/// What the numbers of figure and table are relative to.
const CAPTION: &str = "Energy errors are those of total + dissipated − work against its start, over the largest of the \
                       start, the kinetic energy and the work done.";

/// One line that says how the first run ended.
fn verdict(summary: &Summary) -> String {
    let class = if summary.verdict == Verdict::AsExpected { "good" } else { "bad" };
    let fault = summary.fault.as_ref().map(|fault| format!(" ({})", escape(fault))).unwrap_or_default();
    format!(
        "<p class=\"verdict {class}\">{} with {}: <strong>{}</strong>{fault}, {} in {} instants; {} vertices, {} \
         potentials.</p>\n",
        escape(&summary.scene),
        escape(&summary.method),
        summary.verdict,
        seconds(summary.end_s),
        count(summary.instants),
        count(summary.vertices),
        count(summary.elements)
    )
}

fn expectations(summary: &Summary) -> String {
    if summary.expectations.is_empty() {
        return String::new();
    }
    let mut text = "<h2>What was expected</h2>\n<table>\n<tr><th>quantity</th><th>bound</th><th>found</th><th></th></tr>\n"
        .to_owned();
    for expected in &summary.expectations {
        let (class, word) = if expected.kept { ("good", "kept") } else { ("bad", "not kept") };
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"{class}\">{word}</td></tr>",
            escape(&expected.quantity),
            escape(&expected.bound),
            number(expected.found)
        );
    }
    text + "</table>\n"
}

/// A row of the table: what it is called, and its cell for a line.
type Row = (&'static str, fn(&ComparedRun) -> String);

const ROWS: [Row; 13] = [
    ("ended", ended),
    ("reached", |line| seconds(line.summary.end_s)),
    ("energy band", |line| number(line.summary.energy.band)),
    ("energy drift ± standard error", |line| {
        let energy = &line.summary.energy;
        format!("{} ± {}", number(energy.drift), number(energy.drift_stderr))
    }),
    ("momentum error", |line| number(line.summary.momentum.linear_error)),
    ("angular momentum error", |line| number(line.summary.momentum.angular_error)),
    ("smallest distance, m", |line| {
        let distance =
            line.summary.contact.map(|contact| contact.smallest_distance_m).filter(|d| d.is_finite());
        distance.map_or_else(|| "nothing touched".to_owned(), number)
    }),
    ("deepest layer", |line| {
        let layer = line.summary.contact.map(|contact| contact.deepest_layer).filter(|layer| *layer > 0);
        layer.map_or_else(|| "–".to_owned(), |layer| layer.to_string())
    }),
    ("force evaluations", |line| count(line.summary.evaluations.total)),
    ("CPU time, s", |line| format!("{:.1}", line.summary.seconds.cpu)),
    ("settings", |line| line.settings().iter().map(|s| code(s)).collect::<Vec<_>>().join("<br>")),
    ("steps", |line| {
        line.summary.steps_in_short().iter().map(|s| escape(s).into_owned()).collect::<Vec<_>>().join("<br>")
    }),
    ("folder", |line| code(&line.folder)),
];

fn table(lines: &[ComparedRun]) -> String {
    let mut text = "<h2>In numbers</h2>\n<table>\n<tr><th></th>".to_owned();
    for line in lines {
        let _ = write!(text, "<th>{}</th>", escape(&line.name));
    }
    text.push_str("</tr>\n");
    for (what, cell) in ROWS {
        let _ = write!(text, "<tr><th>{what}</th>");
        for line in lines {
            let _ = write!(text, "<td>{}</td>", cell(line));
        }
        text.push_str("</tr>\n");
    }
    text + "</table>\n"
}

fn ended(line: &ComparedRun) -> String {
    let fault = line.summary.fault.as_ref().map(|fault| format!(": {}", escape(fault))).unwrap_or_default();
    format!("{}{fault}", line.summary.verdict)
}

fn warnings(line: &ComparedRun) -> String {
    if line.summary.warnings.is_empty() {
        return String::new();
    }
    let mut text = format!("<h2>Warnings of {}</h2>\n<ul>\n", escape(&line.name));
    for warning in &line.summary.warnings {
        let _ = writeln!(text, "<li>{}</li>", escape(warning));
    }
    text + "</ul>\n"
}

fn repeat(line: &ComparedRun) -> String {
    let command = line.options.arguments.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    let versions: Vec<String> =
        line.options.versions.iter().map(|(what, version)| format!("{what} {version}")).collect();
    format!(
        "<h2>To repeat it</h2>\n<pre>carom {}</pre>\n<p>Versions: {}. Fingerprint of {} at its end: {}.</p>\n",
        escape(&command),
        escape(&versions.join(", ")),
        escape(&line.name),
        code(&line.summary.fingerprint)
    )
}

/// A word of a command line, as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A number with two digits, all of them when pointed at.
fn number(x: f64) -> String {
    format!("<span title=\"{x:e}\">{}</span>", two_digits(x))
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}
