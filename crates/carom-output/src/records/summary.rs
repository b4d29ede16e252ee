//! `summary.json` against the summary of a replay.

use std::path::Path;

use serde_json::Value;

use super::{RecordDifference, RecordDifferences};
use crate::{OutputError, RunFolder, Summary, disk};

/// Keys of `summary.json` that another run of the same scene does not repeat: times, and the work of certificates and of the judge.
pub const NOT_COMPARED: [&str; 4] = ["seconds", "contact.searches", "contact.measures", "audit.work"];

/// Compares the summary in `folder` with one that was recomputed, byte for byte but for what is [`NOT_COMPARED`].
pub fn check_summary(folder: &Path, recomputed: &Summary) -> Result<RecordDifferences, OutputError> {
    let path = folder.join(RunFolder::SUMMARY);
    let text = disk::read_text(&path)?;
    let malformed = |e: serde_json::Error| OutputError::malformed(&path, e.to_string());
    let expected = with_uncompared(recomputed, &serde_json::from_str(&text).map_err(malformed)?).to_json();
    let mut differences = RecordDifferences::default();
    if text == expected {
        return Ok(differences);
    }
    let [recorded, recomputed] = [&text, &expected].map(|text| serde_json::from_str::<Value>(text));
    compare("", Some(&recorded.map_err(malformed)?), Some(&recomputed.map_err(malformed)?), &mut differences);
    if differences.is_empty() {
        let what = "the same values in other bytes";
        differences.push(|| {
            RecordDifference::new(RunFolder::SUMMARY, "")
                .recorded(what)
                .recomputed("the bytes that this program writes")
        });
    }
    Ok(differences)
}

/// A summary with what is not compared taken from another.
fn with_uncompared(summary: &Summary, from: &Summary) -> Summary {
    let mut summary = summary.clone();
    summary.seconds = from.seconds.clone();
    if let (Some(contact), Some(from)) = (&mut summary.contact, &from.contact) {
        (contact.searches, contact.measures) = (from.searches, from.measures);
    }
    if let (Some(audit), Some(from)) = (&mut summary.audit, &from.audit) {
        audit.work.clone_from(&from.work);
    }
    summary
}

/// Notes every key below `key` at which two values differ.
fn compare(key: &str, recorded: Option<&Value>, recomputed: Option<&Value>, found: &mut RecordDifferences) {
    let below = |name: &str| if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
    match (recorded, recomputed) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            for (name, value) in a {
                compare(&below(name), Some(value), b.get(name), found);
            }
            for (name, value) in b.iter().filter(|(name, _)| !a.contains_key(*name)) {
                compare(&below(name), None, Some(value), found);
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            for i in 0..a.len().max(b.len()) {
                compare(&below(&i.to_string()), a.get(i), b.get(i), found);
            }
        }
        _ => {
            // As text: a zero of the other sign is another number.
            let [recorded, recomputed] = [recorded, recomputed].map(|value| value.map(Value::to_string));
            if recorded != recomputed {
                found.push(|| RecordDifference {
                    recorded,
                    recomputed,
                    ..RecordDifference::new(RunFolder::SUMMARY, key)
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use crate::summary::tests::summary;

    /// What is said of a summary whose text was changed.
    fn after(change: impl Fn(&str) -> String) -> Vec<String> {
        let folder = Scratch::new();
        let changed = change(&summary().to_json());
        disk::replace(&folder.path().join(RunFolder::SUMMARY), changed.as_bytes()).unwrap();
        let found = check_summary(folder.path(), &summary()).unwrap();
        found.first.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_changed_value_is_named_by_its_key() {
        assert_eq!(after(str::to_owned), Vec::<String>::new());
        for (from, to, said) in [
            (
                "\"deepest_layer\": 4",
                "\"deepest_layer\": 3",
                "contact.deepest_layer: recorded 3, recomputed 4",
            ),
            ("\"kept\": false", "\"kept\": true", "expectations.0.kept: recorded true, recomputed false"),
            ("\"loud\"", "\"soft\"", "warnings.0: recorded \"soft\", recomputed \"loud\""),
            (
                "\"angular_error\": 0.0",
                "\"angular_error\": -0.0",
                "momentum.angular_error: recorded -0.0, recomputed 0.0",
            ),
            ("\"fault\": null", "\"fault\": null, \"note\": 1", "note: recorded 1, recomputed nothing"),
            ("\"scene\": \"drum\",", "\"scene\": \"drum\", ", ": recorded the same values in other bytes"),
        ] {
            let lines = after(|text| {
                assert!(text.contains(from), "{from} is not in\n{text}");
                text.replacen(from, to, 1)
            });
            let said = if said.starts_with(':') {
                format!("summary.json{said}")
            } else {
                format!("summary.json {said}")
            };
            assert!(lines.len() == 1 && lines[0].starts_with(said.trim_end()), "{lines:?}, not {said}");
        }
    }

    #[test]
    fn what_no_run_repeats_is_not_compared_and_the_page_says_so() {
        let changes = [
            ("\"wall\": 2.0", "\"wall\": 3.0"),
            ("\"searches\": 3", "\"searches\": 4"),
            ("\"measures\": 99", "\"measures\": 98"),
        ];
        for (from, to) in changes {
            assert_eq!(after(|text| text.replacen(from, to, 1)), Vec::<String>::new(), "{to}");
        }
        let page = include_str!("../../../../docs/guide/audit.md");
        for key in NOT_COMPARED {
            assert!(page.contains(&format!("`{key}`")), "docs/guide/audit.md lacks {key}");
        }
    }
}
