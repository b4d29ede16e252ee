//! From text to a [`SceneFile`], and from parser errors to messages for users.
//!
//! A wrong key or value is reported with its path (`body.0.material.shell.thickness`), its place,
//! what was expected, and what the key means according to the schema. An unknown key is read as
//! the one it was meant to be, or else dropped, and reading goes on, so that all are reported.

mod line;
mod settings;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, ValueDeserializer};

use crate::at::Span;
use crate::format::{self, SceneFile};
use crate::overrides::Override;
use crate::report::Problem;
use crate::schema::describe;
use crate::source::Source;
use crate::spelling;

/// More unknown keys than this are not slips of the keyboard but another format.
const MOST_PROBLEMS: usize = 10;

/// Reads the file and the overrides, whose values begin at `values_at` of the buffer: the scene itself, or one line of
/// its comparison.
pub fn decode(
    source: &Source,
    overrides: &[Override],
    values_at: &[usize],
    line: Option<&str>,
) -> Result<SceneFile, Vec<Problem>> {
    let (root, errors) = DeTable::parse_recoverable(source.file_text());
    if !errors.is_empty() {
        return Err(syntax_problems(source, &errors));
    }
    let span = root.span();
    let mut root = root.into_inner();
    let mut problems = Vec::new();
    for (change, &value_at) in overrides.iter().zip(values_at) {
        if change.is_small() {
            problems.extend(settings::make_small(&mut root));
        } else {
            problems.extend(change.apply(&mut root, source.buffer(), value_at).err());
        }
    }
    if let Some(name) = line {
        problems.extend(line::apply(&mut root, name));
    }
    loop {
        let tree = Spanned::new(span.clone(), root.clone());
        let error = match SceneFile::deserialize(Deserializer::from(tree)) {
            Ok(scene) if problems.is_empty() => return Ok(scene),
            Ok(_) => return Err(problems),
            Err(error) => error,
        };
        let at = error.span().unwrap_or(0..0);
        problems.push(explain_error(&root, &error));
        let unknown = quoted_after(error.message(), "unknown field");
        let meant = unknown.and_then(|word| spelling::nearest(word, known_words(error.message())));
        if unknown.is_none() {
            problems.extend(problems_by_section(&root).into_iter().filter(|p| p.span != Some(at.clone())));
        }
        if unknown.is_none() || problems.len() >= MOST_PROBLEMS || !mend_key(&mut root, &at, meant) {
            return Err(problems);
        }
    }
}

/// Reads every table of the scene on its own: the first problem of each.
fn problems_by_section(root: &DeTable<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (key, value) in root {
        let error = match key.get_ref().as_ref() {
            "time" => misread::<format::Time>(value),
            "clocks" => misread::<format::Clocks>(value),
            "output" => misread::<format::Output>(value),
            "contact" => misread::<format::Contact>(value),
            "gravity" => misread::<format::Gravity>(value),
            "expect" => misread::<format::Expect>(value),
            "compare" => misread::<format::Compare>(value),
            "dcr" => misread::<format::Dcr>(value),
            "from" => misread::<format::From>(value),
            "picture" => misread::<format::Picture>(value),
            _ => None,
        };
        problems.extend(error.map(|e| explain_error(root, &e)));
        for item in value.get_ref().as_array().into_iter().flat_map(|items| items.iter()) {
            let error = match key.get_ref().as_ref() {
                "body" => misread::<format::Body>(item),
                "spring" => misread::<format::Spring>(item),
                "pair" => misread::<format::Pair>(item),
                "part" => misread::<format::Part>(item),
                "pin" => misread::<format::Pin>(item),
                "load" => misread::<format::Load>(item),
                "probe" => misread::<format::ProbeKeys>(item),
                "drive" => misread::<format::Drive>(item),
                "selection" => misread::<format::NamedSelection>(item),
                _ => None,
            };
            problems.extend(error.map(|e| explain_error(root, &e)));
        }
    }
    problems
}

fn misread<'i, T: Deserialize<'i>>(value: &Spanned<DeValue<'i>>) -> Option<toml::de::Error> {
    T::deserialize(ValueDeserializer::from(value.clone())).err()
}

fn explain_error(root: &DeTable<'_>, error: &toml::de::Error) -> Problem {
    explain(root, &error.span().unwrap_or(0..0), error.message())
}

/// One problem a line: what follows the first slip on a line is usually its echo.
fn syntax_problems(source: &Source, errors: &[toml::de::Error]) -> Vec<Problem> {
    let mut problems: Vec<Problem> = Vec::new();
    let mut last_line = None;
    for error in errors.iter().take(MOST_PROBLEMS) {
        let at = error.span().unwrap_or(0..0);
        let line = source.place(&at).line;
        if last_line != Some(line) {
            // A place of no width is one character wide on paper.
            let at = at.start..at.end.max(at.start + 1);
            problems.push(Problem::new(&at, format!("this is not TOML: {}", error.message())));
        }
        last_line = Some(line);
    }
    problems
}

fn explain(root: &DeTable<'_>, at: &Span, message: &str) -> Problem {
    let path = path_of(root, at);
    let dotted = path.join(".");
    if let Some(word) = quoted_after(message, "unknown field") {
        return unknown(at, word, message, &path, "key");
    }
    if let Some(word) = quoted_after(message, "unknown variant") {
        return unknown(at, word, message, &path, "choice");
    }
    let subject = if dotted.is_empty() { "the scene".to_owned() } else { format!("`{dotted}`") };
    if let Some(field) = quoted_after(message, "missing field") {
        let problem = Problem::new(at, format!("{subject} has no `{field}`, which it needs"));
        let mut key = path;
        key.push(field.to_owned());
        return match describe(&key) {
            Some(text) => problem.help(format!("`{field}`: {text}")),
            None => problem,
        };
    }
    let message = if message.starts_with("wanted exactly 1 element") || message == "wanted string or table" {
        format!("{subject} must have exactly one of its choices")
    } else {
        format!("{subject}: {message}")
    };
    let problem = Problem::new(at, message);
    match (path.last(), describe(&path)) {
        (Some(key), Some(text)) => problem.help(format!("`{key}`: {text}")),
        _ => problem,
    }
}

/// A key or choice that does not exist.
fn unknown(at: &Span, word: &str, message: &str, path: &[String], what: &str) -> Problem {
    let known = known_words(message);
    let parent = match path.split_last() {
        Some((last, parent)) if last == word => parent,
        _ => path,
    };
    let place = if parent.is_empty() { "a scene".to_owned() } else { format!("`{}`", parent.join(".")) };
    let problem = Problem::new(at, format!("`{word}` is not a {what} of {place}"));
    if let Some(near) = spelling::nearest(word, known.iter().copied()) {
        return problem.label(format!("did you mean `{near}`?")).help(format!("did you mean `{near}`?"));
    }
    let list = known.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ");
    if list.is_empty() { problem } else { problem.help(format!("there is: {list}")) }
}

/// The words that would have been understood.
fn known_words(message: &str) -> Vec<&str> {
    quoted(message.split_once(", expected").map_or("", |(_, expected)| expected))
}

/// What stands between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The first word between backticks, if the message begins like this.
fn quoted_after<'m>(message: &'m str, beginning: &str) -> Option<&'m str> {
    quoted(message.strip_prefix(beginning)?).first().copied()
}

/// The path to the key or value at `span`, as an override would write it.
fn path_of(root: &DeTable<'_>, span: &Span) -> Vec<String> {
    let mut best: Option<(usize, Vec<String>)> = None;
    let mut path = Vec::new();
    search_table(root, span, &mut path, &mut best);
    best.map_or_else(Vec::new, |(_, path)| path)
}

fn search_table(
    table: &DeTable<'_>,
    span: &Span,
    path: &mut Vec<String>,
    best: &mut Option<(usize, Vec<String>)>,
) {
    for (key, value) in table {
        path.push(key.get_ref().to_string());
        consider(&key.span(), span, path, best);
        search_value(value, span, path, best);
        path.pop();
    }
}

fn search_value(
    value: &Spanned<DeValue<'_>>,
    span: &Span,
    path: &mut Vec<String>,
    best: &mut Option<(usize, Vec<String>)>,
) {
    consider(&value.span(), span, path, best);
    match value.get_ref() {
        DeValue::Table(table) => search_table(table, span, path, best),
        DeValue::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                path.push(i.to_string());
                search_value(item, span, path, best);
                path.pop();
            }
        }
        _ => {}
    }
}

/// The tightest place around `span` wins, and among equals the deepest.
fn consider(place: &Span, span: &Span, path: &[String], best: &mut Option<(usize, Vec<String>)>) {
    let inside = place.start <= span.start && span.end <= place.end && !span.is_empty();
    let width = place.len();
    if inside && best.as_ref().is_none_or(|(least, _)| width <= *least) {
        *best = Some((width, path.to_vec()));
    }
}

/// Calls the key that was written at `span` by the name it was meant to have, if that is free, and
/// removes it otherwise; says whether there was such a key.
fn mend_key(table: &mut DeTable<'_>, span: &Span, meant: Option<&str>) -> bool {
    let key = table.keys().find(|k| k.span() == *span).map(|k| k.get_ref().to_string());
    let Some(key) = key else {
        return table.iter_mut().any(|(_, value)| mend_key_within(value, span, meant));
    };
    let value = table.remove(key.as_str());
    if let (Some(value), Some(meant)) = (value, meant)
        && !table.contains_key(meant)
    {
        table.insert(Spanned::new(span.clone(), meant.to_owned().into()), value);
    }
    true
}

fn mend_key_within(value: &mut Spanned<DeValue<'_>>, span: &Span, meant: Option<&str>) -> bool {
    match value.get_mut() {
        DeValue::Table(table) => mend_key(table, span, meant),
        DeValue::Array(items) => items.as_mut().iter_mut().any(|item| mend_key_within(item, span, meant)),
        _ => false,
    }
}
