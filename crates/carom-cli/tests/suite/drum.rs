//! The drum against one clock for all: what asynchronous clocks are for, over the first part of the run.
//!
//! The whole run is minutes of work; it is recorded in `docs/validation/index.md`.

use std::process::Command;

/// Results of one method.
struct Ran {
    evaluations: f64,
    band: f64,
}

/// The first 50 µs of the drum, as in the whole run the time of the widest excursions.
fn drum(method: &str) -> Ran {
    let folder = std::env::temp_dir().join(format!("carom-drum-{method}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["run", "drum", "--json", "--end", "5e-5", "--method", method, "--out"])
        .arg(&folder)
        // Over so short a time a slope says nothing about drift.
        .args(["--set", "expect.energy_drift=1", "--set", "output.rows=2000", "--set", "output.frames=0"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::remove_dir_all(folder).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    Ran {
        evaluations: summary["evaluations"]["total"].as_f64().unwrap(),
        band: summary["energy"]["band"].as_f64().unwrap(),
    }
}

#[test]
fn the_drum_needs_a_fifth_of_the_evaluations_of_one_clock_for_a_band_at_most_three_times_as_wide() {
    let (carom, synchronous) = (drum("carom"), drum("synchronous"));
    let fewer = synchronous.evaluations / carom.evaluations;
    let wider = carom.band / synchronous.band;
    assert!(fewer >= 5.0, "{fewer} times fewer evaluations");
    assert!(wider <= 3.0, "a band {wider} times as wide: {} against {}", carom.band, synchronous.band);
    // A run in which nothing happens keeps any band.
    assert!(synchronous.band > 1e-6, "{}", synchronous.band);
}
