//! Results of a part of the suite: targets, tables and plots, as a page of the book.

use std::fmt::Write as _;

use carom_output::plot::Plot;

/// A part of the suite, measured.
#[derive(Default)]
pub struct Page {
    pub title: &'static str,
    /// Description of the measurement, in Markdown.
    pub about: String,
    pub bars: Vec<Bar>,
    pub tables: Vec<Table>,
    /// Names of their files without ending, and what they show.
    pub plots: Vec<(&'static str, Plot)>,
    /// Measurements that were skipped, and why.
    pub skipped: Vec<String>,
}

/// A number that has to be reached.
pub struct Bar {
    pub what: String,
    pub value: f64,
    pub bound: Bound,
}

/// On which side of a number is good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

/// Rows under headings; a heading that ends in a colon is a column of numbers.
pub struct Table {
    pub title: String,
    pub headings: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
}

impl Bar {
    pub fn at_least(what: impl Into<String>, value: f64, bound: f64) -> Self {
        Self { what: what.into(), value, bound: Bound::AtLeast(bound) }
    }

    pub fn at_most(what: impl Into<String>, value: f64, bound: f64) -> Self {
        Self { what: what.into(), value, bound: Bound::AtMost(bound) }
    }

    /// Whether the target is met; NaN does not meet it.
    pub fn is_met(&self) -> bool {
        match self.bound {
            Bound::AtLeast(bound) => self.value >= bound,
            Bound::AtMost(bound) => self.value <= bound,
        }
    }

    /// Cells of a row: quantity, value, target, and whether it is met.
    fn cells(&self) -> Vec<String> {
        let bound = match self.bound {
            Bound::AtLeast(bound) => format!("≥ {}", figures(bound)),
            Bound::AtMost(bound) => format!("≤ {}", figures(bound)),
        };
        let verdict = if self.is_met() { "met" } else { "**not met**" };
        vec![self.what.clone(), figures(self.value), bound, verdict.to_owned()]
    }
}

impl Table {
    pub fn new(title: impl Into<String>, headings: &[&'static str]) -> Self {
        Self { title: title.into(), headings: headings.to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If it has not a cell for each heading.
    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        assert_eq!(N, self.headings.len(), "a row has a cell for each heading");
        self.rows.push(Vec::from(cells));
    }

    fn markdown(&self, text: &mut String) {
        if !self.title.is_empty() {
            let _ = write!(text, "\n{}\n", self.title);
        }
        let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
        text.push('\n');
        text.push_str(&line(self.headings.iter().map(|h| h.trim_end_matches(':')).collect()));
        let rule = |h: &&str| if h.ends_with(':') { "---:" } else { "---" };
        text.push_str(&line(self.headings.iter().map(rule).collect()));
        for row in &self.rows {
            text.push_str(&line(row.iter().map(String::as_str).collect()));
        }
    }
}

impl Page {
    /// The page, with the circumstances of the measurement.
    pub fn markdown(&self, command: &str, dated: &str) -> String {
        let mut text = format!("# {}\n\n{}\n\nMade by `{command}`: {dated}.\n", self.title, self.about);
        if !self.bars.is_empty() {
            let rows = self.bars.iter().map(Bar::cells).collect();
            let headings = vec!["asked for", "measured:", "bar:", ""];
            Table { title: String::new(), headings, rows }.markdown(&mut text);
        }
        for table in &self.tables {
            table.markdown(&mut text);
        }
        for (name, plot) in &self.plots {
            let _ = write!(text, "\n![{}](plots/{name}.svg)\n", plot.title);
        }
        for why in &self.skipped {
            let _ = write!(text, "\nNot measured here: {why}.\n");
        }
        text
    }
}

/// A number with three significant digits.
pub fn figures(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude == 0.0 || !magnitude.is_finite() {
        return format!("{value}");
    }
    if !(1e-3..1e6).contains(&magnitude) {
        return format!("{value:.2e}");
    }
    let decimals = (2 - magnitude.log10().floor() as i32).max(0) as usize;
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_met_on_its_own_side_and_never_by_what_is_no_number() {
        assert!(Bar::at_least("speed", 3.5, 3.5).is_met() && !Bar::at_least("speed", 3.4, 3.5).is_met());
        assert!(Bar::at_most("cost", 1.3, 1.3).is_met() && !Bar::at_most("cost", 1.31, 1.3).is_met());
        assert!(!Bar::at_most("cost", f64::NAN, 1.3).is_met());
    }

    #[test]
    fn numbers_have_three_figures() {
        let shown = [0.0, 0.012_345, 1.234, 56.78, 1234.5, 1.5e7, -2.0e-5].map(figures);
        assert_eq!(shown, ["0", "0.0123", "1.23", "56.8", "1234", "1.50e7", "-2.00e-5"]);
    }

    #[test]
    fn a_page_shows_bars_before_tables_and_says_what_is_missing() {
        let mut table = Table::new("Rates", &["kernel", "rate:"]);
        table.row(["hinge".to_owned(), figures(30.0)]);
        let page = Page {
            title: "Kernels",
            about: "Forces.".into(),
            bars: vec![Bar::at_least("hinge", 30.0, 40.0)],
            tables: vec![table],
            skipped: vec!["no valgrind".into()],
            ..Page::default()
        };
        let text = page.markdown("bench", "today");
        assert!(text.starts_with("# Kernels\n\nForces.\n\nMade by `bench`: today.\n"));
        assert!(text.contains("| hinge | 30.0 | ≥ 40.0 | **not met** |\n"));
        assert!(text.contains("\nRates\n\n| kernel | rate |\n| --- | ---: |\n| hinge | 30.0 |\n"));
        assert!(text.ends_with("\nNot measured here: no valgrind.\n"));
    }
}
