//! What is wrong with a scene, and how to say it.
//!
//! A [`Problem`] has one sentence that names the thing and what to do, the place it points at,
//! and perhaps other places. A [`Report`] renders problems with their source lines underlined,
//! or as plain lines `file:line:column: message`.

use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::at::Span;
use crate::source::Source;

/// One error or warning.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// Place in the source: `None` for defaults.
    pub span: Option<Span>,
    /// A few words under the underlined text.
    pub label: String,
    /// Other places that belong to it.
    pub related: Vec<(Span, String)>,
    /// What to do.
    pub help: Vec<String>,
}

impl Problem {
    /// A problem at `span`; an empty span at 0 is nowhere.
    pub fn new(span: &Span, message: impl Into<String>) -> Self {
        let span = (*span != (0..0)).then(|| span.clone());
        Self { message: message.into(), span, label: String::new(), related: Vec::new(), help: Vec::new() }
    }

    /// A problem that no line of the scene is to blame for.
    pub fn nowhere(message: impl Into<String>) -> Self {
        Self::new(&(0..0), message)
    }

    /// The problem with a label under the underlined text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The problem with a second place that belongs to it.
    #[must_use]
    pub fn and(mut self, span: &Span, label: impl Into<String>) -> Self {
        if *span != (0..0) {
            self.related.push((span.clone(), label.into()));
        }
        self
    }

    /// The problem with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }
}

/// Severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The scene cannot be run.
    Error,
    /// The scene can be run, but the user should check this.
    Warning,
}

/// Problems and the source they point at.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    source: Arc<Source>,
    severity: Severity,
    problems: Vec<Problem>,
}

impl Report {
    pub(crate) fn new(source: Arc<Source>, severity: Severity, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|p| p.span.as_ref().map_or(0, |s| s.start));
        Self { source, severity, problems }
    }

    /// The problems, in the order of the source.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether there are no problems.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// One line a problem: `file:line:column: message`.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        self.problems.iter().map(|p| {
            let place = p
                .span
                .as_ref()
                .map_or_else(|| self.source.name().to_owned(), |span| self.source.place(span).to_string());
            let mut line = format!("{place}: {}", p.message);
            for help in &p.help {
                line.push_str("; ");
                line.push_str(help);
            }
            // A message can quote what the file says, line breaks and all.
            line.replace(['\n', '\r'], " ")
        })
    }

    /// All problems with their source lines underlined, in colour if `styled`.
    #[must_use]
    pub fn render(&self, styled: bool) -> String {
        let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
        let rendered: Vec<String> = self.problems.iter().map(|p| self.render_one(&renderer, p)).collect();
        rendered.join("\n\n")
    }

    fn render_one(&self, renderer: &Renderer, problem: &Problem) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(&problem.message);
        let primary = problem.span.clone().unwrap_or(0..0);
        let (name, text, local) = self.source.locate(&primary);
        let mut elements: Vec<annotate_snippets::Element<'_>> = Vec::new();
        if problem.span.is_some() {
            let primary = AnnotationKind::Primary.span(local).label(&problem.label);
            let mut snippet = Snippet::source(text).path(name).annotation(primary);
            for (span, label) in &problem.related {
                let (other, _, local) = self.source.locate(span);
                if other == name {
                    snippet = snippet.annotation(AnnotationKind::Context.span(local).label(label));
                }
            }
            elements.push(snippet.into());
        } else {
            elements.push(annotate_snippets::Origin::path(name).into());
        }
        elements.extend(problem.help.iter().map(|help| Level::HELP.message(help).into()));
        renderer.render(&[title.elements(elements)])
    }
}

/// A scene that cannot be run, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneError(Box<Report>);

impl SceneError {
    pub(crate) fn new(source: &Arc<Source>, problems: Vec<Problem>) -> Self {
        Self(Box::new(Report::new(Arc::clone(source), Severity::Error, problems)))
    }

    pub(crate) fn one(source: &Arc<Source>, problem: Problem) -> Self {
        Self::new(source, vec![problem])
    }

    /// The problems and their source.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.0
    }

    /// All problems with their source lines underlined, in colour if `styled`.
    #[must_use]
    pub fn render(&self, styled: bool) -> String {
        self.0.render(styled)
    }
}

/// One line a problem.
impl core::fmt::Display for SceneError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (i, line) in self.0.lines().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            f.write_str(&line)?;
        }
        Ok(())
    }
}

impl core::error::Error for SceneError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(problem: Problem) -> SceneError {
        let source = Source::new("drum.toml", "format = 1\n[time]\nend = -2.0\n");
        SceneError::one(&Arc::new(source), problem)
    }

    #[test]
    fn a_problem_is_one_plain_line_and_one_picture() {
        let error = error(Problem::new(&(24..28), "time runs forward").label("negative").help("write 2.0"));
        assert_eq!(error.to_string(), "drum.toml:3:7: time runs forward; write 2.0");
        let picture = error.render(false);
        assert!(picture.contains("3 | end = -2.0\n  |       ^^^^ negative\n"), "{picture}");
        assert!(picture.contains("help: write 2.0"), "{picture}");
    }

    #[test]
    fn a_problem_without_a_place_still_names_the_file() {
        assert_eq!(error(Problem::nowhere("no bodies")).to_string(), "drum.toml: no bodies");
        assert!(error(Problem::nowhere("no bodies")).render(false).contains("drum.toml"));
    }
}
