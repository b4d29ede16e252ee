//! The public CCD queries with their exact times and distances.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use carom_ccd::{
    Bracket, EARLY, Kind, Query, first_contact_exact, judge_queries, kind_of_path, parse_queries,
};
use carom_geometry::nearest;

/// A file or folder of the external test data: at `$CAROM_DATA`, or else beside the workspace.
fn data(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("CAROM_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let found = root.join(path);
    if found.exists() {
        return Some(found);
    }
    eprintln!("skipped: no {path} in the external test data");
    None
}

/// The rows of a CSV file without its header, by fields.
fn rows(file: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    text.lines().skip(1).map(|l| l.split(',').map(str::to_owned).collect()).collect()
}

/// The queries of one file.
fn queries_of(root: &Path, file: &str) -> Vec<Query> {
    let text = fs::read_to_string(root.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let kind = kind_of_path(file).unwrap();
    parse_queries(kind, file, &text).unwrap_or_else(|e| panic!("{e}"))
}

/// Every query of the data set with the exact time of its contact, in the order of `toi_exact.csv`.
fn queries_with_times() -> Option<Vec<(Query, Option<Bracket>)>> {
    let root = data("ccd")?;
    let mut files: BTreeMap<String, Vec<Query>> = BTreeMap::new();
    let mut out = Vec::new();
    for row in rows(&root.join("toi_exact.csv")) {
        let [file, index, truth, hit, _, low, high] = &row[..] else { panic!("a row of seven: {row:?}") };
        let queries = files.entry(file.clone()).or_insert_with(|| queries_of(&root, file));
        let query = queries[index.parse::<usize>().unwrap()];
        assert_eq!(truth, hit);
        assert_eq!(query.truth, hit == "1");
        let exact = query.truth.then(|| Bracket { low: low.parse().unwrap(), high: high.parse().unwrap() });
        out.push((query, exact));
    }
    assert_eq!(out.len(), files.values().map(Vec::len).sum::<usize>());
    Some(out)
}

#[test]
fn no_contact_is_missed_invented_late_or_early() {
    let Some(data) = queries_with_times() else { return };
    let (queries, times): (Vec<Query>, Vec<Option<Bracket>>) = data.into_iter().unzip();
    let counts = judge_queries(&queries, &times);
    println!("{counts:?}, {:.0} queries/s", counts.queries_per_second());
    assert_eq!((counts.queries, counts.hits), (3156, 361));
    assert_eq!((counts.false_negatives, counts.false_positives, counts.late_times), (0, 0, 0));
    assert!(counts.largest_early <= EARLY, "{}", counts.largest_early);
}

#[test]
fn exact_arithmetic_finds_the_exact_times() {
    let Some(data) = queries_with_times() else { return };
    for (i, (query, exact)) in data.iter().enumerate() {
        let got = first_contact_exact(query.kind, &query.start, &query.end);
        match (got, exact) {
            (None, None) => {}
            // The data's bounds are a double's rounding wide, ours 2^-50.
            (Some(got), Some(want)) => assert!(
                got.low <= want.high && want.low <= got.high && got.high - got.low < 1e-15,
                "query {i}: {got:?} against {want:?}"
            ),
            _ => panic!("query {i}: {got:?} against {exact:?}"),
        }
    }
}

#[test]
fn distances_are_exact_to_1e_14_of_scale_squared() {
    let Some(root) = data("ccd") else { return };
    let mut files: BTreeMap<String, Vec<Query>> = BTreeMap::new();
    let mut worst = 0.0_f64;
    let rows = rows(&root.join("distance_exact.csv"));
    assert_eq!(rows.len(), 2 * 3156);
    for row in rows {
        let [file, index, time, _, _, want] = &row[..] else { panic!("a row of six: {row:?}") };
        let queries = files.entry(file.clone()).or_insert_with(|| queries_of(&root, file));
        let query = queries[index.parse::<usize>().unwrap()];
        let x = if time == "0" { query.start } else { query.end };
        let got = match query.kind {
            Kind::VertexFace => nearest::vertex_face(&x).distance_sq(),
            Kind::EdgeEdge => nearest::edge_edge(&x).distance_sq(),
        };
        let error = (got - want.parse::<f64>().unwrap()).abs() / nearest::scale(&x).powi(2);
        worst = worst.max(error);
        assert!(error <= 1e-14, "{file} query {index} at time {time}: {error:e} of scale²");
    }
    println!("largest error of a squared distance: {worst:e} of scale²");
}
