//! Flags that override parts of a scene: `--set body.0.material.shell.thickness=0.01`.
//!
//! An override is written into the parsed document before the document is read as a scene, so it
//! is checked like any line of the file; what is wrong with it is reported under its flag. The value `default` takes
//! a key out of the document, as if the file did not have it.

use std::borrow::Cow;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::at::Span;
use crate::report::Problem;
use crate::schema;
use crate::source::Source;
use crate::spelling;

/// A key of the scene and the value it gets instead, or `--small`: all that the scene says of its small variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    flag: String,
    typed: String,
    key: String,
    /// Offset of the value in the argument.
    value_at: usize,
}

impl Override {
    /// What follows `--set`: `key=value`. Keys are joined by dots; numbers and names pick from lists.
    #[must_use]
    pub fn set(assignment: &str) -> Self {
        Self::assign("--set", assignment)
    }

    /// `key=value` as a part of what follows another flag.
    #[must_use]
    pub fn assign(flag: &str, assignment: &str) -> Self {
        let (key, value_at) = match assignment.find('=') {
            Some(equals) => (assignment[..equals].trim(), equals + 1),
            None => (assignment.trim(), assignment.len()),
        };
        Self { flag: flag.to_owned(), typed: assignment.to_owned(), key: key.to_owned(), value_at }
    }

    /// A flag of its own for one key, such as `--end 2` for `time.end`.
    #[must_use]
    pub fn flag(flag: &str, key: &str, value: &str) -> Self {
        Self { flag: flag.to_owned(), typed: value.to_owned(), key: key.to_owned(), value_at: 0 }
    }

    /// `--small`: the small variant of the scene, as its section `[small]` describes it.
    #[must_use]
    pub fn small() -> Self {
        Self { flag: "--small".to_owned(), typed: String::new(), key: "small".to_owned(), value_at: 0 }
    }

    /// Whether this is the override that chooses the small variant.
    pub(crate) fn is_small(&self) -> bool {
        self.flag == "--small"
    }

    /// The key that gets another value.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// Adds the flag to the source; returns where its value begins.
    pub(crate) fn note_in(&self, source: &mut Source) -> usize {
        source.add_flag(&self.flag, &self.typed) + self.value_at
    }

    /// Writes the value, which begins at `value_at` of `buffer`, into the document.
    pub(crate) fn apply<'i>(
        &self,
        root: &mut DeTable<'i>,
        buffer: &'i str,
        value_at: usize,
    ) -> Result<(), Problem> {
        let start = value_at - self.value_at;
        let end = start + self.typed.len();
        let whole = start..end;
        if value_at == end {
            let problem = Problem::new(&whole, format!("{} needs a value", self.flag));
            return Err(problem.help("write key=value, such as time.end=2.0"));
        }
        let value = parse_value(&buffer[value_at..end], value_at)?;
        put(root, &self.key, &whole, value)
    }
}

/// The value that takes a key out of the document.
const DEFAULT: &str = "default";

/// Writes `value` into the document at `key`, which was written at `whole`.
pub(crate) fn put<'i>(
    root: &mut DeTable<'i>,
    key: &str,
    whole: &Span,
    value: Spanned<DeValue<'i>>,
) -> Result<(), Problem> {
    let keys: Vec<&str> = key.split('.').map(str::trim).collect();
    let (last, path) = keys.split_last().expect("a split has a part");
    if keys.iter().any(|k| k.is_empty()) {
        let message = format!("`{key}` is not a key: a part between its dots is empty");
        return Err(Problem::new(whole, message));
    }
    let is_default = value.get_ref().as_str() == Some(DEFAULT);
    if is_default {
        schema::check_key(&keys).map_err(|unknown| {
            let problem = Problem::new(whole, format!("`{}` is not a key of {}", unknown.key, unknown.of));
            match spelling::nearest(unknown.key, unknown.known.iter().map(String::as_str)) {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem,
            }
        })?;
    }
    let mut walk = PathWalk { at: At::Table(root), whole, so_far: String::new() };
    for key in path {
        // A table that is not there has its defaults already.
        if is_default && walk.lacks(key) {
            return Ok(());
        }
        walk = walk.step(key)?;
    }
    walk.put(last, value)
}

/// A container of the document that a path has led to.
enum At<'t, 'i> {
    Table(&'t mut DeTable<'i>),
    Array(&'t mut DeArray<'i>),
}

struct PathWalk<'t, 'i, 'w> {
    at: At<'t, 'i>,
    whole: &'w Span,
    so_far: String,
}

impl<'i> PathWalk<'_, 'i, '_> {
    /// Into the container called `key`; a table that is missing is made.
    fn step(self, key: &str) -> Result<Self, Problem> {
        let Self { at, whole, so_far } = self;
        let next = match at {
            At::Table(table) => {
                if !table.contains_key(key) {
                    let new = Spanned::new(whole.clone(), DeValue::Table(DeTable::new()));
                    table.insert(Spanned::new(whole.clone(), Cow::Owned(key.to_owned())), new);
                }
                table.get_mut(key).expect("it was just put there")
            }
            At::Array(array) => pick(array, key, whole, &so_far)?,
        };
        let so_far = if so_far.is_empty() { key.to_owned() } else { format!("{so_far}.{key}") };
        match next.get_mut() {
            DeValue::Table(table) => Ok(Self { at: At::Table(table), whole, so_far }),
            DeValue::Array(array) => Ok(Self { at: At::Array(array), whole, so_far }),
            _ => Err(Problem::new(whole, format!("`{so_far}` is a value and has no keys"))),
        }
    }

    fn lacks(&self, key: &str) -> bool {
        matches!(&self.at, At::Table(table) if !table.contains_key(key))
    }

    fn put(self, key: &str, value: Spanned<DeValue<'i>>) -> Result<(), Problem> {
        let is_default = value.get_ref().as_str() == Some(DEFAULT);
        match self.at {
            At::Table(table) if is_default => {
                table.remove(key);
            }
            At::Table(table) => {
                table.insert(Spanned::new(self.whole.clone(), Cow::Owned(key.to_owned())), value);
            }
            At::Array(array) => *pick(array, key, self.whole, &self.so_far)? = value,
        }
        Ok(())
    }
}

/// The item of a list with this number or this name.
fn pick<'t, 'i>(
    array: &'t mut DeArray<'i>,
    key: &str,
    whole: &Span,
    so_far: &str,
) -> Result<&'t mut Spanned<DeValue<'i>>, Problem> {
    let name = |item: &Spanned<DeValue<'i>>| {
        let name = item.get_ref().as_table()?.get("name")?;
        name.get_ref().as_str().map(str::to_owned)
    };
    let place = match key.parse::<usize>() {
        Ok(number) => (number < array.len()).then_some(number),
        Err(_) => array.iter().position(|item| name(item).as_deref() == Some(key)),
    };
    if let Some(place) = place {
        return Ok(&mut array.as_mut()[place]);
    }
    let names: Vec<String> = array.iter().filter_map(name).collect();
    let problem = Problem::new(whole, format!("`{so_far}` has no item `{key}`"));
    Err(match spelling::nearest(key, names.iter().map(String::as_str)) {
        Some(near) => problem.help(format!("did you mean `{so_far}.{near}`?")),
        None if array.is_empty() => problem.help(format!("`{so_far}` is empty")),
        None => problem.help(format!("its items are numbered 0 to {}", array.len() - 1)),
    })
}

/// A TOML value, or a bare word taken as a string: a shell strips the quotes.
fn parse_value(text: &str, offset: usize) -> Result<Spanned<DeValue<'_>>, Problem> {
    match DeValue::parse(text) {
        Ok(value) => Ok(shifted(value, offset)),
        Err(error) => {
            let bare = text.trim();
            let is_word = |c: char| c.is_alphanumeric() || "-_./:".contains(c);
            let looks_like_number = bare.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
            if !bare.is_empty() && bare.chars().all(is_word) && !looks_like_number {
                let value = DeValue::String(Cow::Borrowed(bare));
                return Ok(Spanned::new(offset..offset + text.len(), value));
            }
            let span = error.span().map_or(0..text.len(), |s| s.start..s.end.max(s.start + 1));
            let message = format!("`{bare}` is not a TOML value: {}", error.message());
            let problem = Problem::new(&(span.start + offset..span.end + offset), message);
            Err(problem.help("write 2.0, true, [0, 0, 1], or \"text\" in quotes that the shell leaves alone"))
        }
    }
}

fn shifted(value: Spanned<DeValue<'_>>, by: usize) -> Spanned<DeValue<'_>> {
    let move_by = |s: Span| s.start + by..s.end + by;
    let span = move_by(value.span());
    let inner = match value.into_inner() {
        DeValue::Array(items) => {
            let mut array = DeArray::new();
            for item in items {
                array.push(shifted(item, by));
            }
            DeValue::Array(array)
        }
        DeValue::Table(items) => {
            let mut table = DeTable::new();
            for (key, item) in items {
                let key_span = move_by(key.span());
                table.insert(Spanned::new(key_span, key.into_inner()), shifted(item, by));
            }
            DeValue::Table(table)
        }
        other => other,
    };
    Spanned::new(span, inner)
}
