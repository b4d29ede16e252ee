//! `carom ccd FILES…`: tests continuous collision detection on queries with known results.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use carom_audit::exact_first_contact;
use carom_ccd::{Bracket, EARLY, Kind, Query, VerdictCounts, judge_queries, kind_of_path, parse_queries};

use crate::style;

#[derive(clap::Args)]
pub struct Arguments {
    /// Query files: eight rows a query, `xnum,xden,ynum,yden,znum,zden,truth`, in a folder called vertex-face or edge-edge
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Print the counts as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut counts = VerdictCounts::default();
    for file in &arguments.files {
        let queries = read(file)?;
        let exact = exact_times(file, &queries)?;
        counts = counts.and(judge_queries(&queries, &exact));
    }
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&as_json(&counts))?);
    } else {
        print(&counts);
    }
    Ok(ExitCode::from(u8::from(!is_kept(&counts))))
}

fn read(file: &str) -> Result<Vec<Query>> {
    let kind = kind_of_path(file)?;
    let text = std::fs::read_to_string(file).with_context(|| format!("{file}: cannot read the queries"))?;
    Ok(parse_queries(kind, file, &text)?)
}

/// The exact times by the arithmetic of the audit, which must agree with the file.
fn exact_times(file: &str, queries: &[Query]) -> Result<Vec<Option<Bracket>>> {
    let mut times = Vec::with_capacity(queries.len());
    for (i, query) in queries.iter().enumerate() {
        let kind = match query.kind {
            Kind::VertexFace => carom_audit::Kind::VertexFace,
            Kind::EdgeEdge => carom_audit::Kind::EdgeEdge,
        };
        let exact = exact_first_contact(kind, &query.start, &query.end);
        if exact.is_some() != query.truth {
            let (said, is) = if query.truth { ("a contact", "none") } else { ("no contact", "one") };
            bail!(
                "{file}: query {i} (from 0) says {said}, but exact arithmetic finds {is}: correct its truth"
            );
        }
        times.push(exact.map(|t| Bracket { low: t.low, high: t.high }));
    }
    Ok(times)
}

/// Whether detection kept what it promises: nothing missed or invented, no time late, none early by more than it says.
fn is_kept(counts: &VerdictCounts) -> bool {
    let wrong = counts.false_negatives + counts.false_positives + counts.late_times;
    wrong == 0 && counts.largest_early <= EARLY
}

fn print(counts: &VerdictCounts) {
    let count = |n: usize| style::count(n as u64);
    println!("  queries          {}", count(counts.queries));
    println!("  hits             {}", count(counts.hits));
    println!("  false negatives  {}", count(counts.false_negatives));
    println!("  false positives  {}", count(counts.false_positives));
    println!("  late times       {}", count(counts.late_times));
    println!(
        "  largest early    {:.1e} of the interval; at most {EARLY:.0e} is promised",
        counts.largest_early
    );
    println!(
        "  speed            {} queries a second on one thread",
        count(counts.queries_per_second() as usize)
    );
    println!("{}", if is_kept(counts) { "detection is as promised" } else { "a promise is BROKEN" });
}

fn as_json(counts: &VerdictCounts) -> serde_json::Value {
    serde_json::json!({
        "queries": counts.queries,
        "hits": counts.hits,
        "false_negatives": counts.false_negatives,
        "false_positives": counts.false_positives,
        "late_times": counts.late_times,
        "largest_early": counts.largest_early,
        "queries_per_second": counts.queries_per_second(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_promise_counts() {
        let good = VerdictCounts { queries: 5, hits: 2, largest_early: EARLY, ..VerdictCounts::default() };
        assert!(is_kept(&good));
        for broken in [
            VerdictCounts { false_negatives: 1, ..good },
            VerdictCounts { false_positives: 1, ..good },
            VerdictCounts { late_times: 1, ..good },
            VerdictCounts { largest_early: 2.0 * EARLY, ..good },
        ] {
            assert!(!is_kept(&broken), "{broken:?}");
        }
    }
}
