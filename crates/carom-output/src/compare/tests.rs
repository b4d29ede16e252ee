use std::collections::BTreeMap;

use carom_model::ContactSummary;

use super::*;
use crate::ledger::{LedgerRow, LedgerWriter};
use crate::scratch::Scratch;
use crate::statistics::{EnergyStatistics, MomentumStatistics};
use crate::summary::{Evaluations, Expectation, GivenUp, Refinement, Step, Verdict};
use crate::xml::tags;

/// A bounce in which contact takes a little of the energy and gives it back; rows are not evenly spaced.
fn bounce(loss: f64, rows: usize) -> Ledger {
    let row = |i: usize| {
        let t = (i as f64 / rows as f64).powi(2) * 1e-3;
        let contact = 1e-3 * (1.0 - ((t - 4e-4) / 1e-4).powi(2)).max(0.0);
        let bending = 0.2 * (t * 1e4).sin().powi(2);
        LedgerRow {
            tick: i as u64,
            time_s: t,
            kinetic_j: 2.0 - bending - contact - loss * t * 1e3 + 1e-7 * (t * 1e6).sin(),
            potentials_j: vec![bending, contact],
            energy_scale_j: 2.0,
            ..LedgerRow::default()
        }
    };
    Ledger { kinds: vec!["bending-hinge".into(), "contact".into()], rows: (0..rows).map(row).collect() }
}

fn summary(method: &str, fault: Option<&str>) -> Summary {
    Summary {
        format: crate::summary::FORMAT,
        version: "0.1.0".into(),
        scene: "a < b".into(),
        method: method.into(),
        fingerprint: "0123".into(),
        scene_fingerprint: "3210".into(),
        verdict: if fault.is_some() { Verdict::Fault } else { Verdict::AsExpected },
        warnings: vec!["few rows & \"far\" between".into()],
        fault: fault.map(str::to_owned),
        expectations: vec![Expectation {
            quantity: "energy_band".into(),
            bound: "at most 1e-5".into(),
            found: 3.25e-6,
            kept: true,
        }],
        ticks: 7,
        end_s: 1e-3,
        quantum_s: 1e-9,
        instants: 1234,
        vertices: 12,
        elements: 34,
        energy: EnergyStatistics {
            initial: 2.0,
            scale: 2.0,
            band: 3.25e-6,
            drift: -4.5e-7,
            drift_stderr: 1.5e-7,
        },
        energy_verdict: None,
        momentum: MomentumStatistics { linear_error: 5.5e-16, angular_error: 6.5e-16 },
        contact: Some(ContactSummary {
            smallest_distance_m: 2.5e-3,
            deepest_layer: 17,
            most_active: 3,
            searches: 4,
            measures: 5,
        }),
        evaluations: Evaluations { total: 1_234_567, by_kind: BTreeMap::new() },
        seconds: Seconds { wall: 9.0, cpu: 8.25, by_part: BTreeMap::new() },
        steps: vec![Step { kind: "membrane".into(), quanta: 100, seconds: 1e-7, count: 9 }],
        audit: None,
        dcr: None,
        refinements: Vec::new(),
        given_up: None,
        relax: None,
    }
}

fn line(name: &str, fault: Option<&str>, ledger: Ledger) -> ComparedRun {
    let options = RunOptions {
        arguments: ["run", "a b.toml", "--set", "x='<1>'"].map(String::from).into(),
        options: BTreeMap::from([
            ("set.0".into(), "time.end=0.001".into()),
            ("set.1".into(), "title=<b>&".into()),
        ]),
        versions: BTreeMap::from([("carom".into(), "0.1.0".into())]),
    };
    ComparedRun {
        name: name.into(),
        folder: format!("compare/{name}"),
        summary: summary("carom", fault),
        options,
        ledger,
    }
}

/// All that bends is one group.
fn group_of(kind: &str) -> &str {
    if kind.starts_with("bending") { "bending" } else { kind }
}

fn comparison(lines: Vec<ComparedRun>) -> Comparison {
    Comparison { title: "Sphere <against> \"plate\" & co".into(), lines, zoom: None, group_of }
}

fn two() -> Comparison {
    let stopped = Some("vertex 3 of <plate> & friends");
    comparison(vec![line("ours", None, bounce(0.0, 2000)), line("dcr", stopped, bounce(0.3, 300))])
}

fn page(comparison: &Comparison) -> String {
    report::page(comparison, &comparison.figure().to_svg())
}

#[test]
fn everything_on_the_page_is_escaped_and_every_tag_closed() {
    let page = page(&two());
    for text in ["<against>", "<plate>", "<b>&", "<1>", "a < b", "\"far\""] {
        assert!(!page.contains(text), "{text} came through");
    }
    for text in
        ["Sphere &lt;against&gt; &quot;plate&quot; &amp; co", "vertex 3 of &lt;plate&gt; &amp; friends"]
    {
        assert!(page.contains(text), "{text} is missing");
    }
    let mut open: Vec<&str> = Vec::new();
    let empty = ["meta", "br", "rect", "line", "polyline", "circle"];
    for tag in tags(&page).filter(|tag| !empty.contains(&tag.name)) {
        match tag.name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None => open.push(tag.name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let page = page(&two());
    for word in ["<script", "<link", "src=", "@import", "url("] {
        assert!(!page.contains(word), "{word}");
    }
    let addresses = page.matches("://").count();
    assert_eq!(
        addresses,
        page.matches("http://www.w3.org/2000/svg").count(),
        "the name of SVG is no address"
    );
}

#[test]
fn the_table_has_the_numbers_of_the_summaries() {
    let page = page(&two());
    let energy = "<span title=\"-4.5e-7\">−4.5×10⁻⁷</span> ± <span title=\"1.5e-7\">1.5×10⁻⁷</span>";
    for cell in [
        "<span title=\"3.25e-6\">3.2×10⁻⁶</span>",
        energy,
        "<span title=\"5.5e-16\">",
        "<span title=\"6.5e-16\">",
        "<span title=\"2.5e-3\">",
        "<td>17</td>",
        "<td>1,234,567</td>",
        "<td>8.2</td>",
        "<td>membrane 100.000 ns</td>",
        "<code>time.end=0.001</code>",
    ] {
        assert!(page.matches(cell).count() >= 2, "{cell} is not there for both");
    }
    assert!(page.contains("carom run 'a b.toml' --set 'x='\\''&lt;1&gt;'\\'''"), "the command can be pasted");
}

#[test]
fn a_line_that_faulted_is_drawn_up_to_there_and_says_why() {
    let both = two();
    let page = page(&both);
    assert!(page.contains(">dcr (until its Fault)</text>"));
    assert!(page.contains("<td>fault: vertex 3 of &lt;plate&gt; &amp; friends</td>"));
    let last = both.lines[1].ledger.rows.last().unwrap().time_s;
    let drawn = &both.figure().panels[0].series[1].points;
    assert_eq!((drawn.len(), drawn[drawn.len() - 1].0), (300, last));
}

#[test]
fn where_steps_were_shortened_is_listed_with_why_and_what_came_of_it() {
    let mut both = two();
    assert!(!page(&both).contains("Shorter steps"), "nothing was shortened");
    let refinement = |level, in_vain, elements, layers| Refinement {
        level,
        from_s: 1e-3 * f64::from(level),
        failed_at_s: 1e-3 * f64::from(level + 1),
        cause: "<plate> was off".into(),
        in_vain,
        elements,
        layers,
    };
    both.lines[1].summary.refinements =
        vec![refinement(1, None, 1200, 1), refinement(2, Some(7.25e-4), 1, 0), refinement(3, None, 0, 2)];
    let given_up = GivenUp { failed_at_s: 5e-3, cause: "all <of> it".into(), off_j: 0.125 };
    both.lines[1].summary.given_up = Some(given_up);
    let page = page(&both);
    assert!(!page.contains("Shorter steps of ours"));
    let (_, after) = page.split_once("<h2>Shorter steps of dcr</h2>").unwrap();
    let rows: Vec<&str> = after.split_once("</table>").unwrap().0.split("<tr>").skip(2).collect();
    for (row, said) in rows.iter().zip([
        "<td>1</td><td>1.000 ms</td><td>2.000 ms</td><td>&lt;plate&gt; was off</td><td>1,200 elements and 1 contact of two bodies</td><td></td>",
        "<td>2</td><td>2.000 ms</td><td>3.000 ms</td><td>&lt;plate&gt; was off</td><td>1 element</td><td>in vain: <span title=\"7.25e-4\">7.2×10⁻⁴</span> is left</td>",
        "<td>3</td><td>3.000 ms</td><td>4.000 ms</td><td>&lt;plate&gt; was off</td><td>2 contacts of two bodies</td><td></td>",
        "<td></td><td></td><td>5.000 ms</td><td>all &lt;of&gt; it</td><td>none left to shorten</td><td>off by <span title=\"1.25e-1\">0.12</span> J</td>",
    ]) {
        assert!(row.starts_with(said), "{row}");
    }
    assert_eq!(rows.len(), 4);
}

#[test]
fn the_figure_shows_totals_errors_the_zoom_and_the_split() {
    let figure = two().figure();
    let [totals, errors, zoom, split] = &figure.panels[..] else { panic!("four panels") };
    assert_eq!(totals.series[0].points[0].1, 0.0, "from the start on");
    assert!((totals.series[1].points[299].1 + 0.15).abs() < 0.01, "{:?}", totals.series[1].points[299]);
    assert!(errors.series.iter().flat_map(|s| &s.points).all(|p| p.1.is_nan() || p.1 > 0.0));
    let names: Vec<&str> = split.series.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["kinetic", "bending", "contact"]);
    assert_eq!(split.y_scale, plot::Scale::Log, "contact is seen, small as it is");
    let (from, to) = totals.marked.unwrap();
    assert!(from < 4e-4 && 4e-4 < to && to - from < 2e-4, "contact is deepest at 4e-4: {from} to {to}");
    assert!(zoom.series[0].points.iter().all(|p| (from..=to).contains(&p.0)));
    assert!(zoom.series[0].points.len() > 100);
}

#[test]
fn the_zoom_is_where_the_scene_says_if_the_run_came_that_far() {
    let with = |zoom| Comparison { zoom: Some(zoom), ..two() }.figure().panels[0].marked.unwrap();
    assert_eq!(with((5e-4, 6e-4)), (5e-4, 6e-4));
    assert!(with((5.0, 6.0)).1 < 1e-3, "nothing is there to be seen");
}

#[test]
fn a_comparison_leaves_page_figure_picture_and_costs_and_a_single_run_the_page() {
    let folder = Scratch::new();
    let at = |name: &str| folder.path().join(name);
    comparison(vec![line("ours", None, bounce(0.0, 50))]).write(folder.path(), Instant::now()).unwrap();
    assert!(at("report.html").is_file() && !at("comparison.svg").exists() && !at("compare.json").exists());
    let both = two();
    both.write(folder.path(), Instant::now()).unwrap();
    assert_eq!(disk::read_text(&at("comparison.svg")).unwrap(), both.figure().to_svg());
    assert!(disk::read_text(&at("report.html")).unwrap().contains(&both.figure().to_svg()));
    let costs: Costs = serde_json::from_slice(&disk::read(&at("compare.json")).unwrap()).unwrap();
    assert_eq!((costs.lines[1].name.as_str(), costs.lines[1].seconds.cpu), ("dcr", 8.25));
    assert_eq!(costs.lines[0].settings, ["method=carom", "time.end=0.001", "title=<b>&"]);
    assert!(costs.figure_seconds >= 0.0);
}

#[test]
fn the_png_is_the_figure_twice_as_large_and_not_blank() {
    let figure = two().figure();
    let png = tiny_skia::Pixmap::decode_png(&figure.to_png()).unwrap();
    assert_eq!(f64::from(png.width()), 2.0 * figure.width);
    let colours = [plot::colour(0), plot::colour(1)].map(|c| u32::from_str_radix(&c[1..], 16).unwrap());
    for colour in colours {
        let [_, r, g, b] = colour.to_be_bytes();
        let drawn = png.pixels().iter().filter(|p| (p.red(), p.green(), p.blue()) == (r, g, b)).count();
        assert!(drawn > 500, "{colour:06x}: {drawn} pixels");
    }
}

#[test]
fn a_run_that_never_moved_and_one_that_was_stopped_at_once_are_shown() {
    for rows in [0, 1, 3] {
        let still = Ledger {
            kinds: vec!["contact".into()],
            rows: vec![LedgerRow { potentials_j: vec![0.0], ..LedgerRow::default() }; rows],
        };
        let page = page(&comparison(vec![line("still", None, still)]));
        assert!(!page.contains("NaN") && !page.contains("inf\""), "{rows} rows");
    }
}

#[test]
fn a_line_is_read_back_from_its_folder() {
    let folder = Scratch::new();
    let written = line("ours", None, bounce(0.0, 40));
    let run = RunFolder::create(Some(folder.path()), "x").unwrap();
    run.write_options(&written.options).unwrap();
    written.summary.write(&run.file(RunFolder::SUMMARY)).unwrap();
    let mut ledger = LedgerWriter::create(&run.file(RunFolder::LEDGER), &written.ledger.kinds).unwrap();
    written.ledger.rows.iter().for_each(|row| ledger.row(row).unwrap());
    ledger.finish().unwrap();
    let read = ComparedRun::read("ours", folder.path(), "compare/ours").unwrap();
    assert_eq!((read.ledger, read.summary, read.options), (written.ledger, written.summary, written.options));
    let nowhere = ComparedRun::read("x", &folder.path().join("nowhere"), "x").unwrap_err();
    assert!(nowhere.to_string().contains("nowhere"), "{nowhere}");
}
