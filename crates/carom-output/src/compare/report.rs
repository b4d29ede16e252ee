//! `report.html`: one page that needs nothing else, no network and no scripts.

use std::fmt::Write as _;

use super::{ComparedRun, Comparison};
use crate::plot::two_digits;
use crate::summary::{Decider, EnergyVerdict, Summary, Verdict};
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
    let caption = if comparison.is_of_rest() { "" } else { CAPTION };
    let _ = writeln!(page, "<h2>Energy</h2>\n<figure>\n{svg}<figcaption>{caption}</figcaption>\n</figure>");
    page.push_str(&table(&comparison.lines));
    for line in &comparison.lines {
        page.push_str(&refinements(line));
    }
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
const CAPTION: &str = "Energy errors are those of total + dissipated − work against its start, over the energy turned over: the largest of what moves \
                       and is strained, of the change of the potential of fields, of what was dissipated and of the work done, in a frame that \
                       belongs to the scene.";

/// One line that says how the first run ended.
fn verdict(summary: &Summary) -> String {
    let class = match summary.verdict {
        verdict if verdict.is_good() => "good",
        Verdict::Finished => "open",
        _ => "bad",
    };
    let fault = summary.fault.as_ref().map(|fault| format!(" ({})", escape(fault))).unwrap_or_default();
    format!(
        "<p class=\"verdict {class}\">{} with {}: <strong>{}</strong>{fault}, {} in {} instants; {} vertices, {} \
         potentials.</p>\n",
        escape(&summary.scene),
        escape(&summary.method),
        summary.verdict_in_words(),
        seconds(summary.end_s),
        count(summary.instants),
        count(summary.vertices),
        count(summary.elements)
    )
}

fn expectations(summary: &Summary) -> String {
    let of_tolerance = summary.energy_verdict.as_ref().map(tolerance).unwrap_or_default();
    if summary.expectations.is_empty() && of_tolerance.is_empty() {
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
    text + &of_tolerance + "</table>\n"
}

/// The row of the tolerance of the energy; the bound of a scene goes before it.
fn tolerance(energy: &EnergyVerdict) -> String {
    let Some(tolerance) = energy.tolerance.filter(|_| energy.decided_by != Decider::Nobody) else {
        return String::new();
    };
    let (class, word) = match (energy.kept, energy.decided_by) {
        (true, _) => ("good", "kept"),
        (false, Decider::Scene) => ("open", "not kept; the bound of the scene decides"),
        (false, _) => ("bad", "not kept"),
    };
    format!(
        "<tr><td>energy (clocks.energy_tolerance)</td><td>at most {tolerance:e}</td><td>{}</td><td class=\"{class}\">{word}</td></tr>\n",
        number(energy.off)
    )
}

/// A row of the table: what it is called, and its cell for a line, if that has one.
type Row = (&'static str, fn(&ComparedRun) -> Option<String>);

const ROWS: [Row; 14] = [
    ("ended", |line| Some(ended(line))),
    ("reached", |line| Some(seconds(line.summary.end_s))),
    ("residual", |line| line.summary.relax.map(|relax| number(relax.residual))),
    ("energy band", |line| of_motion(line, |s| number(s.energy.band))),
    ("energy drift ± standard error", |line| {
        of_motion(line, |s| format!("{} ± {}", number(s.energy.drift), number(s.energy.drift_stderr)))
    }),
    ("momentum error", |line| of_motion(line, |s| number(s.momentum.linear_error))),
    ("angular momentum error", |line| of_motion(line, |s| number(s.momentum.angular_error))),
    ("smallest distance, m", |line| {
        let distance =
            line.summary.contact.map(|contact| contact.smallest_distance_m).filter(|d| d.is_finite());
        Some(distance.map_or_else(|| "nothing touched".to_owned(), number))
    }),
    ("deepest layer", |line| {
        let layer = line.summary.contact.map(|contact| contact.deepest_layer).filter(|layer| *layer > 0);
        layer.map(|layer| layer.to_string())
    }),
    ("force evaluations", |line| Some(count(line.summary.evaluations.total))),
    ("CPU time, s", |line| Some(format!("{:.1}", line.summary.seconds.cpu))),
    ("settings", |line| Some(line.settings().iter().map(|s| code(s)).collect::<Vec<_>>().join("<br>"))),
    ("steps", |line| {
        let steps = line.summary.steps_in_short();
        Some(steps.iter().map(|s| escape(s).into_owned()).collect::<Vec<_>>().join("<br>"))
    }),
    ("folder", |line| Some(code(&line.folder))),
];

/// What is said of a motion; what is brought to rest has none.
fn of_motion(line: &ComparedRun, say: fn(&Summary) -> String) -> Option<String> {
    line.summary.relax.is_none().then(|| say(&line.summary))
}

fn table(lines: &[ComparedRun]) -> String {
    let mut text = "<h2>In numbers</h2>\n<table>\n<tr><th></th>".to_owned();
    for line in lines {
        let _ = write!(text, "<th>{}</th>", escape(&line.name));
    }
    text.push_str("</tr>\n");
    for (what, cell) in ROWS {
        let cells: Vec<Option<String>> = lines.iter().map(cell).collect();
        if cells.iter().all(Option::is_none) {
            continue;
        }
        let _ = write!(text, "<tr><th>{what}</th>");
        for cell in cells {
            let _ = write!(text, "<td>{}</td>", cell.as_deref().unwrap_or("–"));
        }
        text.push_str("</tr>\n");
    }
    text + "</table>\n"
}

fn ended(line: &ComparedRun) -> String {
    let fault = line.summary.fault.as_ref().map(|fault| format!(": {}", escape(fault))).unwrap_or_default();
    format!("{}{fault}", line.summary.verdict_in_words())
}

/// Where a run went back to take shorter steps, with the numbers of the ledger's column; and where it failed with no step left to shorten.
fn refinements(line: &ComparedRun) -> String {
    let Summary { refinements, given_up, .. } = &line.summary;
    if refinements.is_empty() && given_up.is_none() {
        return String::new();
    }
    let mut text = format!(
        "<h2>Shorter steps of {}</h2>\n<table>\n<tr><th></th><th>went back to</th><th>failed at</th><th>why</th>\
         <th>shorter steps of</th><th></th></tr>\n",
        escape(&line.name)
    );
    for refinement in refinements {
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            refinement.level,
            seconds(refinement.from_s),
            seconds(refinement.failed_at_s),
            escape(&refinement.cause),
            refinement.shortened_in_words(),
            refinement.in_vain.map(|left| format!("in vain: {} is left", number(left))).unwrap_or_default()
        );
    }
    if let Some(given_up) = given_up {
        let has_size = given_up.off_j.is_finite() && given_up.off_j != 0.0;
        let off = if has_size { format!("off by {} J", number(given_up.off_j)) } else { String::new() };
        let _ = writeln!(
            text,
            "<tr><td></td><td></td><td>{}</td><td>{}</td><td>none left to shorten</td><td>{off}</td></tr>",
            seconds(given_up.failed_at_s),
            escape(&given_up.cause),
        );
    }
    text + "</table>\n"
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
