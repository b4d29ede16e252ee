//! The table in the tree: one line for each run, in the order of names.

use std::collections::BTreeMap;
use std::path::Path;

/// What is kept of a run. Each column stands alone: a change of how the ledger sums shows in its column and in no other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Where it ends: the tick reached, or the Fault with its tick and what it names.
    pub end: String,
    /// Hash of the last state: positions, velocities, ticks of the last kicks, unspent friction.
    pub state: String,
    /// Hash of all rows of the ledger: ticks and numbers.
    pub ledger: String,
    /// Hash of all rows of the probes: ticks and numbers.
    pub probes: String,
}

impl Row {
    /// The columns with their names.
    pub fn columns(&self) -> [(&'static str, &str); 4] {
        [("end", &self.end), ("state", &self.state), ("ledger", &self.ledger), ("probes", &self.probes)]
    }
}

/// All runs, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub rows: BTreeMap<String, Row>,
}

const HEADER: &str = "run,state,ledger,probes,end";

impl Table {
    /// Reads the table.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text =
            std::fs::read_to_string(path).map_err(|why| format!("cannot read {}: {why}", path.display()))?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        if lines.next() != Some(HEADER) {
            return Err(format!("the table of goldens does not begin with `{HEADER}`"));
        }
        let row = |line: &str| -> Option<(String, Row)> {
            let mut cells = line.splitn(5, ',').map(str::to_owned);
            let name = cells.next()?;
            let (state, ledger, probes) = (cells.next()?, cells.next()?, cells.next()?);
            Some((name, Row { end: cells.next()?, state, ledger, probes }))
        };
        let rows =
            lines.map(|line| row(line).ok_or_else(|| format!("not a line of the table of goldens: {line}")));
        Ok(Self { rows: rows.collect::<Result<_, _>>()? })
    }

    fn text(&self) -> String {
        let mut text = format!("{HEADER}\n");
        for (name, Row { end, state, ledger, probes }) in &self.rows {
            let line = [name, state, ledger, probes, end].map(String::as_str).join(",");
            text.push_str(&line);
            text.push('\n');
        }
        text
    }

    /// Writes the table.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        std::fs::write(path, self.text()).map_err(|why| format!("cannot write {}: {why}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_reads_back_what_it_wrote() {
        let row = |n: u8| Row {
            end: format!("squeezed at tick {n}, vertex 1 and triangle 2"),
            state: format!("{n:032x}"),
            ledger: "a".into(),
            probes: "b".into(),
        };
        let rows = [("heap".to_owned(), row(1)), ("gas".to_owned(), row(2))].into();
        let table = Table { rows };
        assert_eq!(Table::parse(&table.text()), Ok(table));
        assert!(
            Table::parse("run,state\n").is_err() && Table::parse(&format!("{HEADER}\ngas,1,2\n")).is_err()
        );
    }
}
