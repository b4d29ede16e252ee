//! The public queries of continuous collision, with their exact times; skipped, with a word, where they are absent.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use carom_audit::{Kind, exact_first_contact};
use carom_ccd::{self as ccd, Query, kind_of_path, parse_queries};

/// The folder of queries: in `$CAROM_DATA`, or else beside the workspace.
fn folder() -> Option<PathBuf> {
    let root = std::env::var_os("CAROM_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let found = root.join("ccd");
    if found.exists() {
        return Some(found);
    }
    // Not `eprintln!`, which a test that passes keeps to itself.
    let _ = writeln!(std::io::stderr(), "skipped: no ccd in {}; CAROM_DATA names the folder", root.display());
    None
}

#[test]
fn the_judges_times_are_the_exact_ones() {
    let Some(root) = folder() else { return };
    let mut files: BTreeMap<String, Vec<Query>> = BTreeMap::new();
    let text = fs::read_to_string(root.join("toi_exact.csv")).unwrap();
    let (mut asked, mut hits) = (0, 0);
    let clock = Instant::now();
    for row in text.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let [file, index, _, hit, _, low, high] = fields[..] else { panic!("a row of seven: {row}") };
        let queries = files.entry(file.to_owned()).or_insert_with(|| {
            let text = fs::read_to_string(root.join(file)).unwrap();
            parse_queries(kind_of_path(file).unwrap(), file, &text).unwrap()
        });
        let query = &queries[index.parse::<usize>().unwrap()];
        let kind = match query.kind {
            ccd::Kind::VertexFace => Kind::VertexFace,
            ccd::Kind::EdgeEdge => Kind::EdgeEdge,
        };
        let found = exact_first_contact(kind, &query.start, &query.end);
        asked += 1;
        hits += usize::from(found.is_some());
        assert_eq!(found.is_some(), hit == "1", "{file} query {index}");
        if let Some(times) = found {
            let (low, high): (f64, f64) = (low.parse().unwrap(), high.parse().unwrap());
            assert!(
                times.low <= high && low <= times.high,
                "{file} query {index}: {times:?}, {low} to {high}"
            );
            assert!(times.high - times.low <= f64::EPSILON, "{times:?}");
        }
    }
    assert_eq!((asked, hits), (3156, 361));
    println!("{:.1} µs a query, parsing included", clock.elapsed().as_secs_f64() * 1e6 / f64::from(asked));
}
