//! Where the words of a scene come from: its file, and the flags that override it.
//!
//! The file and the flags are laid out one after the other in one buffer, so that one kind of
//! [`Span`] points at either.

use crate::at::Span;

/// The text of a scene and of the flags that override parts of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    buffer: String,
    segments: Vec<Segment>,
}

#[derive(Clone, Debug, PartialEq)]
struct Segment {
    name: String,
    range: Span,
}

/// A place in the source, for messages: lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// The file, or the flag.
    pub name: String,
    /// Line of the file; `None` for a flag.
    pub line: Option<usize>,
    /// Column, in characters.
    pub column: usize,
    /// The text of a flag; empty for a file.
    pub flag_text: String,
}

impl core::fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}:{}", self.name, self.column),
            None => write!(f, "{} {}", self.name, self.flag_text),
        }
    }
}

impl Source {
    /// The source that is one file.
    #[must_use]
    pub fn new(name: &str, text: &str) -> Self {
        let file = Segment { name: name.to_owned(), range: 0..text.len() };
        Self { buffer: text.to_owned(), segments: vec![file] }
    }

    /// Adds what the user typed after `flag`; returns where it begins.
    pub fn add_flag(&mut self, flag: &str, typed: &str) -> usize {
        self.buffer.push('\n');
        let start = self.buffer.len();
        self.buffer.push_str(typed);
        self.segments.push(Segment { name: flag.to_owned(), range: start..self.buffer.len() });
        start
    }

    /// The name of the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.segments[0].name
    }

    /// The text of the file.
    #[must_use]
    pub fn file_text(&self) -> &str {
        &self.buffer[self.segments[0].range.clone()]
    }

    /// File and flags.
    pub(crate) fn buffer(&self) -> &str {
        &self.buffer
    }

    /// The file or flag that `span` lies in: its name, its text, and the span within that text.
    pub(crate) fn locate(&self, span: &Span) -> (&str, &str, Span) {
        let segment = &self.segments[self.segment_of(span)];
        let text = &self.buffer[segment.range.clone()];
        let clamp = |offset: usize| {
            let offset = offset.saturating_sub(segment.range.start).min(text.len());
            (0..=offset).rev().find(|&o| text.is_char_boundary(o)).unwrap_or(0)
        };
        let (start, end) = (clamp(span.start), clamp(span.end));
        (&segment.name, text, start..end.max(start))
    }

    fn segment_of(&self, span: &Span) -> usize {
        self.segments.iter().rposition(|s| s.range.start <= span.start).unwrap_or(0)
    }

    /// The place at which `span` begins.
    #[must_use]
    pub fn place(&self, span: &Span) -> SourceLocation {
        let (name, text, local) = self.locate(span);
        let before = &text[..local.start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before[line_start..].chars().count() + 1;
        let is_file = self.segment_of(span) == 0;
        let line = is_file.then(|| before.matches('\n').count() + 1);
        let flag_text = if is_file { String::new() } else { text.to_owned() };
        SourceLocation { name: name.to_owned(), line, column, flag_text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let source = Source::new("a.toml", "é = 1\nbb = 2\n");
        assert_eq!(source.place(&(0..1)).to_string(), "a.toml:1:1");
        assert_eq!(source.place(&(5..6)).to_string(), "a.toml:1:5");
        assert_eq!(source.place(&(7..9)).to_string(), "a.toml:2:1");
        assert_eq!(source.place(&(1..2)).to_string(), "a.toml:1:1", "inside a character");
        assert_eq!(source.place(&(999..1000)).to_string(), "a.toml:3:1", "past the end");
    }

    #[test]
    fn a_flag_is_named_as_it_was_typed() {
        let mut source = Source::new("a.toml", "x = 1\n");
        let start = source.add_flag("--set", "x=-1");
        assert_eq!(source.place(&(start + 2..start + 4)).to_string(), "--set x=-1");
    }
}
