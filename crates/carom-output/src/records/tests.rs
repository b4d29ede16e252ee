use std::path::PathBuf;

use carom_math::Vec3;
use carom_time::Tick;
use proptest::prelude::*;

use super::*;
use crate::scratch::Scratch;

const ROWS: u64 = 12;
const WHOLE: Extent = Extent { was_killed: false, is_whole: true };

fn layout() -> RecordLayout {
    RecordLayout {
        kinds: vec!["spring".into()],
        probes: vec!["tip.x".into(), "tip.y".into()],
        has_frames: true,
    }
}

/// Hands the rows and frames of a run to its records, up to a row.
fn give(records: &mut impl Records, rows: u64) {
    for i in 0..rows {
        let x = i as f64 / 7.0;
        let momentum = Vec3::new(x, -x, 0.0);
        let row =
            LedgerRow { tick: 10 * i, time_s: x, potentials_j: vec![x * x], momentum, ..Default::default() };
        records.ledger_row(&row).unwrap();
        records.probe_row(&[x.into(), (10 * i).into(), (2.0 * x).into(), 1.0.into()]).unwrap();
        if i % 4 == 0 {
            let frame = Frame { tick: Tick(10 * i), ..pvd::tests::point_at(x) };
            records.frame(&frame).unwrap();
        }
    }
}

fn recorded() -> Scratch {
    let folder = Scratch::new();
    let mut writer = RecordWriter::create(folder.path(), &layout()).unwrap();
    give(&mut writer, ROWS);
    writer.finish().unwrap();
    folder
}

/// What a replay up to a row finds.
fn differences(folder: &Scratch, extent: Extent, rows: u64) -> Result<RecordDifferences, OutputError> {
    let mut checker = RecordChecker::open(folder.path(), &layout(), extent)?;
    give(&mut checker, rows);
    checker.finish()
}

/// What is said after a table was changed line by line; the header is line 0.
fn after(file: &str, change: impl FnOnce(&mut Vec<String>)) -> Vec<String> {
    let folder = recorded();
    let path = folder.path().join(file);
    let mut lines: Vec<String> = disk::read_text(&path).unwrap().lines().map(str::to_owned).collect();
    change(&mut lines);
    disk::replace(&path, (lines.join("\n") + "\n").as_bytes()).unwrap();
    differences(&folder, WHOLE, ROWS).unwrap().first.iter().map(ToString::to_string).collect()
}

fn files(folder: &Scratch) -> Vec<PathBuf> {
    let frames = pvd::numbers(folder.path()).into_iter().map(pvd::file_of);
    let others = [RunFolder::LEDGER, RunFolder::PROBES, pvd::LIST].map(PathBuf::from);
    frames.chain(others).map(|file| folder.path().join(file)).collect()
}

#[test]
fn what_was_written_is_what_is_recomputed() {
    assert_eq!(differences(&recorded(), WHOLE, ROWS).unwrap(), RecordDifferences::default());
}

#[test]
fn a_changed_value_is_named_by_row_and_column() {
    let said = after(RunFolder::PROBES, |lines| lines[3] = lines[3].replace(",1e0", ",1.5e0"));
    assert_eq!(said, ["probes.csv row 3, tip.y: recorded 1.5e0, recomputed 1e0"]);
    let said = after(RunFolder::LEDGER, |lines| lines[2] = lines[2].replace(",10,", ",11,"));
    assert_eq!(said, ["ledger.csv row 2, tick: recorded 11, recomputed 10"]);
}

#[test]
fn rows_that_are_missing_swapped_or_too_many_are_told_from_changed_ones() {
    let said = after(RunFolder::LEDGER, |lines| drop(lines.remove(5)));
    assert_eq!(said, ["ledger.csv row 5: recorded nothing, recomputed the row of tick 40"]);
    let said = after(RunFolder::LEDGER, |lines| lines.swap(5, 6));
    assert_eq!(
        said,
        [
            "ledger.csv row 5: recorded nothing, recomputed the row of tick 40",
            "ledger.csv row 6: recorded the row of tick 40, recomputed nothing"
        ]
    );
    let said = after(RunFolder::LEDGER, |lines| lines.insert(5, lines[4].clone()));
    assert_eq!(said, ["ledger.csv row 5: recorded the row of tick 30, recomputed nothing"]);
    let said = after(RunFolder::LEDGER, |lines| lines.truncate(10));
    assert_eq!(said, ["ledger.csv after row 9: recorded nothing, recomputed 3 more rows"]);
    let said = after(RunFolder::LEDGER, |lines| lines.push(lines[12].replace("110,", "120,")));
    assert_eq!(said, ["ledger.csv after row 12: recorded 1 more row, recomputed nothing"]);
}

#[test]
fn columns_that_are_missing_or_renamed_are_named() {
    let said = after(RunFolder::PROBES, |lines| {
        for line in lines {
            line.truncate(line.rfind(',').unwrap());
        }
    });
    assert_eq!(said, ["probes.csv column tip.y: recorded nothing, recomputed a column"]);
    let said = after(RunFolder::PROBES, |lines| lines[0] = lines[0].replace("tip.y", "top"));
    assert_eq!(
        said,
        [
            "probes.csv column tip.y: recorded nothing, recomputed a column",
            "probes.csv column top: recorded a column, recomputed nothing"
        ]
    );
    let said = after(RunFolder::PROBES, |lines| lines[0] = lines[0].replace("tip.x,tip.y", "tip.y,tip.x"));
    assert!(
        said.len() == 1 && said[0].starts_with("probes.csv header: recorded time_s,tick,tip.y,tip.x"),
        "{said:?}"
    );
}

#[test]
fn a_file_that_is_missing_empty_or_too_many_is_found() {
    let folder = recorded();
    std::fs::remove_file(folder.path().join(RunFolder::LEDGER)).unwrap();
    disk::replace(&folder.path().join(RunFolder::PROBES), b"").unwrap();
    std::fs::remove_file(folder.path().join("frames/000001.vtu")).unwrap();
    disk::replace(&folder.path().join("frames/000003.vtu"), b"more").unwrap();
    let found = differences(&folder, WHOLE, ROWS).unwrap();
    let said: Vec<String> = found.first.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "ledger.csv: recorded nothing, recomputed a table",
            "probes.csv: recorded an empty file, recomputed a table",
            "frames/000001.vtu: recorded nothing, recomputed a frame at 5.714285714285714e-1 s",
            "frames/000003.vtu: recorded a frame, recomputed nothing",
        ]
    );
    let fewer = RecordLayout { probes: Vec::new(), has_frames: false, ..layout() };
    let mut checker = RecordChecker::open(recorded().path(), &fewer, WHOLE).unwrap();
    give(&mut checker, ROWS);
    let found = checker.finish().unwrap();
    let files: Vec<&str> = found.first.iter().map(|one| one.file.as_str()).collect();
    assert_eq!(files, [RunFolder::PROBES, pvd::LIST], "a run without them writes neither");
}

#[test]
fn a_number_of_a_frame_is_named_by_its_vertex() {
    let folder = recorded();
    let path = folder.path().join("frames/000002.vtu");
    let mut frame = vtu::read(&path).unwrap();
    frame.positions[0].y = -0.0;
    vtu::write(&path, &frame, &mut vtu::Packer::default()).unwrap();
    let found = differences(&folder, WHOLE, ROWS).unwrap();
    assert_eq!(found.count, 1);
    let said = found.first[0].to_string();
    assert_eq!(said, "frames/000002.vtu position of vertex 0, y: recorded -0e0, recomputed 0e0");
}

#[test]
fn a_part_of_a_run_is_compared_with_as_much_of_its_records() {
    let folder = recorded();
    let part = Extent { is_whole: false, ..WHOLE };
    for rows in 0..ROWS {
        assert_eq!(differences(&folder, part, rows).unwrap().count, 0, "{rows}");
        assert!(differences(&folder, WHOLE, rows).unwrap().count > 0, "{rows}");
    }
    assert!(differences(&folder, part, ROWS + 1).unwrap().count > 0);
}

#[test]
fn a_run_that_was_killed_may_end_anywhere_but_not_differ() {
    let killed = Extent { was_killed: true, is_whole: true };
    let whole = recorded();
    for file in [RunFolder::LEDGER, RunFolder::PROBES] {
        let text = disk::read(&whole.path().join(file)).unwrap();
        let header = text.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        for cut in header..text.len() {
            disk::replace(&whole.path().join(file), &text[..cut]).unwrap();
            assert_eq!(differences(&whole, killed, ROWS).unwrap().count, 0, "{file} cut at byte {cut}");
            assert!(differences(&whole, WHOLE, ROWS).unwrap().count > 0, "{file} cut at byte {cut}");
        }
        disk::replace(&whole.path().join(file), &text).unwrap();
    }
    assert_eq!(last_tick(whole.path()), Some(110));
    std::fs::remove_file(whole.path().join("frames/000002.vtu")).unwrap();
    assert_eq!(differences(&whole, killed, ROWS).unwrap().count, 0, "the last frame was not written");
    std::fs::remove_file(whole.path().join("frames/000000.vtu")).unwrap();
    assert!(differences(&whole, killed, ROWS).unwrap().count > 0, "the first was");
}

proptest! {
    #[test]
    fn every_byte_counts(file in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), flip in 1_u8..) {
        let folder = recorded();
        let files = files(&folder);
        let path = &files[file.index(files.len())];
        let mut bytes = disk::read(path).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        disk::replace(path, &bytes).unwrap();
        // What is no text any more cannot be read, which is an answer too.
        prop_assert!(differences(&folder, WHOLE, ROWS).map_or(true, |found| found.count > 0));
    }
}
