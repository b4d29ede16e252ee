//! The table of all trials, and whether the promises were kept.

use super::trial::{Ending, Trial};

/// The energy error that most runs must stay within, of the energy turned over.
const WITHIN: f64 = 1e-3;
/// The part of the runs that must.
const MOST: f64 = 0.95;
/// How much larger than another program's the median of costs may be.
const DEARER: f64 = 1.2;

/// The names of the columns.
pub const HEAD: &str = "seed,title,ending,verdict,band,drift,deepest_layer,min_distance_m,refinements,warnings,crossings,vertices,elements,evaluations,cpu_s,said";

/// The line of a trial.
pub fn line(trial: &Trial) -> String {
    let ending = match trial.ending {
        Ending::Exit(code) => format!("exit {code}"),
        Ending::TimedOut => "timed out".to_owned(),
        Ending::Killed => "killed".to_owned(),
    };
    let verdict = trial.value(&["verdict"]).as_str().unwrap_or_default().to_owned();
    let length = |key| trial.value(&[key]).as_array().map_or(0, Vec::len);
    let fault = trial.value(&["fault"]).as_str().unwrap_or(&trial.said).to_owned();
    [
        trial.seed.to_string(),
        quoted(&trial.title),
        ending,
        quoted(&verdict),
        format!("{:.3e}", trial.band()),
        format!("{:.3e}", trial.number(&["energy", "drift"])),
        trial.number(&["contact", "deepest_layer"]).to_string(),
        format!("{:.3e}", trial.number(&["contact", "min_distance"])),
        length("refinements").to_string(),
        length("warnings").to_string(),
        trial.crossings().map_or(String::new(), |count| count.to_string()),
        trial.number(&["vertices"]).to_string(),
        trial.number(&["elements"]).to_string(),
        trial.number(&["evaluations", "total"]).to_string(),
        format!("{:.3}", trial.cpu_s),
        quoted(&fault),
    ]
    .join(",")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "'"))
}

/// Costs of another table, by seed.
pub fn costs(table: &str) -> Vec<(u64, f64)> {
    let column = HEAD.split(',').rev().position(|name| name == "cpu_s").expect("the column of costs");
    let lines = table.lines().skip(1);
    lines
        .filter_map(|line| {
            // Titles and complaints hold commas; what is said is last, and quoted.
            let (numbers, _) = line.rsplit_once(",\"")?;
            let cost = numbers.rsplit(',').nth(column - 1)?.parse().ok()?;
            Some((line.split(',').next()?.parse().ok()?, cost))
        })
        .collect()
}

/// A promise, what was found, and whether it was kept.
pub struct Bar {
    pub words: String,
    pub kept: bool,
}

/// The promises, held against the trials; and against the costs of another program if there are any.
pub fn bars(trials: &[Trial], others: Option<&[(u64, f64)]>) -> Vec<Bar> {
    let started: Vec<&Trial> = trials.iter().filter(|trial| !trial.is_refused()).collect();
    let count = |is: &dyn Fn(&Trial) -> bool| started.iter().filter(|trial| is(trial)).count();
    let is_within = |trial: &Trial| trial.band() <= WITHIN;
    let silent = count(&|trial| !is_within(trial) && trial.ending == Ending::Exit(0));
    let within = count(&|trial| is_within(trial) && matches!(trial.ending, Ending::Exit(0 | 1)));
    let crossed = count(&|trial| trial.crossings().is_some_and(|found| found > 0));
    let audited = count(&|trial| trial.crossings().is_some());
    let panics = trials.iter().filter(|trial| trial.panicked()).count();
    let late = count(&|trial| trial.ending == Ending::TimedOut);
    let total = started.len();
    let bar = |words: String, kept: bool| Bar { words, kept };
    let mut bars = vec![
        bar(format!("{} scenes, {} refused at the start", trials.len(), trials.len() - total), total > 0),
        bar(format!("{silent} above {WITHIN:e} with exit 0"), silent == 0),
        bar(
            format!("{within} of {total} within {WITHIN:e} ({:.1} %)", 100.0 * within as f64 / total as f64),
            within as f64 >= MOST * total as f64,
        ),
        bar(format!("{panics} panics"), panics == 0),
        bar(format!("{late} took too long"), late == 0),
        bar(
            format!(
                "{} ended in a Fault, {} were refined",
                count(&|trial| trial.ending == Ending::Exit(3)),
                count(&|trial| trial.value(&["refinements"]).as_array().is_some_and(|r| !r.is_empty()))
            ),
            true,
        ),
    ];
    // Without an audit nothing is said of crossings; with one, every run that came to its end has been judged.
    let finished = count(&|trial| matches!(trial.ending, Ending::Exit(0 | 1)));
    if audited > 0 {
        let words = format!("{crossed} with a crossing, of {audited} audited");
        bars.push(bar(words, crossed == 0 && audited >= finished));
    }
    bars.extend(cost_bars(&started, others));
    bars
}

/// Median and sum of costs, of the seeds that both programs ran.
fn cost_bars(started: &[&Trial], others: Option<&[(u64, f64)]>) -> Vec<Bar> {
    let own: Vec<(u64, f64)> = started.iter().map(|trial| (trial.seed, trial.cpu_s)).collect();
    let Some(others) = others else {
        let (median, sum) = median_and_sum(own.iter().map(|(_, cost)| *cost).collect());
        return vec![Bar { words: format!("median of costs {median:.3} s, sum {sum:.1} s"), kept: true }];
    };
    let both = |list: &[(u64, f64)], other: &[(u64, f64)]| {
        let shared = list.iter().filter(|(seed, _)| other.iter().any(|(there, _)| there == seed));
        median_and_sum(shared.map(|(_, cost)| *cost).collect())
    };
    let ((median, sum), (other_median, other_sum)) = (both(&own, others), both(others, &own));
    vec![
        Bar {
            words: format!("median of costs {median:.3} s, the other's {other_median:.3} s"),
            kept: median <= DEARER * other_median,
        },
        Bar {
            words: format!("sum of costs {sum:.1} s, the other's {other_sum:.1} s"),
            kept: sum <= other_sum,
        },
    ]
}

fn median_and_sum(mut costs: Vec<f64>) -> (f64, f64) {
    costs.sort_by(f64::total_cmp);
    (costs.get(costs.len() / 2).copied().unwrap_or(f64::NAN), costs.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn trial(seed: u64, code: i32, band: f64, cpu_s: f64) -> Trial {
        let summary = json!({ "energy": { "band": band }, "verdict": "so, so", "audit": { "crossings": 0 } });
        let title = "drop: solid, sheet".to_owned();
        Trial { seed, title, ending: Ending::Exit(code), said: String::new(), cpu_s, summary }
    }

    fn broken(trials: &[Trial], others: Option<&[(u64, f64)]>) -> Vec<String> {
        bars(trials, others).into_iter().filter(|bar| !bar.kept).map(|bar| bar.words).collect()
    }

    #[test]
    fn an_error_is_a_broken_promise_only_if_nobody_is_told() {
        let good: Vec<Trial> = (0..40).map(|seed| trial(seed, 0, 1e-4, 1.0)).collect();
        assert!(broken(&good, None).is_empty());
        let with = |last: Trial| [good.clone(), vec![last]].concat();
        assert!(broken(&with(trial(40, 1, 0.1, 1.0)), None).is_empty());
        assert_eq!(broken(&with(trial(40, 0, 0.1, 1.0)), None), ["1 above 1e-3 with exit 0"]);
        assert_eq!(broken(&with(trial(40, 0, f64::NAN, 1.0)), None), ["1 above 1e-3 with exit 0"]);
        assert_eq!(broken(&with(trial(40, 101, 1e-4, 1.0)), None), ["1 panics"]);
        let mut crossed = trial(40, 0, 1e-4, 1.0);
        crossed.summary["audit"]["crossings"] = json!(1);
        assert_eq!(broken(&with(crossed), None), ["1 with a crossing, of 41 audited"]);
        let mut unjudged = trial(40, 0, 1e-4, 1.0);
        unjudged.summary["audit"] = json!(null);
        assert_eq!(broken(&with(unjudged), None), ["0 with a crossing, of 40 audited"]);
    }

    #[test]
    fn costs_are_read_back_and_compared_over_the_seeds_of_both() {
        let trials: Vec<Trial> = (0..5).map(|seed| trial(seed, 0, 1e-4, 1.0 + seed as f64)).collect();
        let table = format!("{HEAD}\n{}\n", trials.iter().map(line).collect::<Vec<_>>().join("\n"));
        let own = costs(&table);
        assert_eq!(own, [(0, 1.0), (1, 2.0), (2, 3.0), (3, 4.0), (4, 5.0)]);
        assert!(broken(&trials, Some(&own)).is_empty());
        let cheaper = [(0, 1.0), (1, 2.0), (2, 2.4), (3, 4.0)];
        assert_eq!(
            broken(&trials, Some(&cheaper)),
            ["median of costs 3.000 s, the other's 2.400 s", "sum of costs 10.0 s, the other's 9.4 s"]
        );
    }
}
