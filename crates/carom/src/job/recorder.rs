//! The observer of a job: it makes rows of ledger and probes and frames as the run proceeds, and hands them to the records.

use std::io;
use std::sync::Arc;

use carom_engine::{Observer, Reading, Snapshot};
use carom_model::System;
use carom_output::table::Value;
use carom_output::{Ledger, OutputError, RecordLayout, Records};
use carom_scene::Built;
use carom_time::Tick;

use super::Progress;
use super::frame_maker::FrameMaker;
use super::probes::Probes;
use super::rows::RowMaker;

/// What was recorded of a run.
pub struct Recorded {
    /// Energies and momenta.
    pub ledger: Ledger,
    /// Names of the probes' columns.
    pub columns: Vec<String>,
    /// Times at which the probes were read, in s: those of the ledger's rows that are evenly spaced, and the end.
    pub times_s: Vec<f64>,
    /// Values of the probes' columns, one list per column.
    pub series: Vec<Vec<f64>>,
}

/// Makes rows and frames for the records `R`: files that are written, or files that are compared.
pub struct Recorder<'a, R> {
    end: Tick,
    rows: u64,
    frames: u64,
    made: u64,
    seen: Recorded,
    records: R,
    probes: Probes,
    frame_maker: FrameMaker,
    built: &'a Built,
    /// The system that frames are made of.
    system: Arc<System>,
    row_maker: RowMaker,
    largest_scale_j: f64,
    /// Energy that a relaxation took so far, in J.
    taken_j: f64,
    progress: &'a mut (dyn FnMut(Progress) + Send),
}

impl<'a, R: Records> Recorder<'a, R> {
    pub fn create(
        built: &'a Built,
        system: &Arc<System>,
        open: impl FnOnce(&RecordLayout) -> Result<R, OutputError>,
        progress: &'a mut (dyn FnMut(Progress) + Send),
    ) -> Result<Self, OutputError> {
        let kinds: Vec<String> = system.kinds().into_iter().map(str::to_owned).collect();
        let probes = Probes::new(system, &built.probes);
        let columns = probes.columns();
        let frames = u64::from(built.schedule.frames);
        let layout = RecordLayout { kinds: kinds.clone(), probes: columns.clone(), has_frames: frames > 0 };
        Ok(Self {
            end: built.schedule.end,
            rows: u64::from(built.schedule.rows).max(frames),
            frames,
            made: 0,
            records: open(&layout)?,
            seen: Recorded {
                ledger: Ledger { kinds, rows: Vec::new() },
                times_s: Vec::new(),
                series: vec![Vec::new(); columns.len()],
                columns,
            },
            probes,
            frame_maker: FrameMaker::new(built, system),
            built,
            system: Arc::clone(system),
            row_maker: RowMaker::new(system, built.expectations.rounding_tolerance()),
            largest_scale_j: 0.0,
            taken_j: 0.0,
            progress,
        })
    }

    /// Number of rows after the first.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Sets the energy that a relaxation has removed so far, in J.
    pub fn took(&mut self, taken_j: f64) {
        self.taken_j = taken_j;
    }

    /// What was recorded, and the records.
    pub fn finish(self) -> (Recorded, R) {
        (self.seen, self.records)
    }

    fn record_row(&mut self, snapshot: &Snapshot, reading: &Reading) -> Result<(), OutputError> {
        let mut row = self.row_maker.row(snapshot, reading);
        row.dissipated_j += self.taken_j;
        self.records.ledger_row(&row)?;
        self.largest_scale_j = self.largest_scale_j.max(row.energy_scale_j);
        self.seen.ledger.rows.push(row);
        if snapshot.row.is_none() && !snapshot.is_end {
            return Ok(());
        }
        let values = self.probes.values(snapshot, reading);
        self.seen.times_s.push(reading.time_s);
        for (series, value) in self.seen.series.iter_mut().zip(&values) {
            series.push(*value);
        }
        let mut line = vec![Value::Real(reading.time_s), Value::Whole(reading.tick.0)];
        line.extend(values.into_iter().map(Value::Real));
        self.records.probe_row(&line)
    }

    /// Makes the frame that is due at this row; frames are spread evenly over the rows. A run that ends before its
    /// time shows where it ended.
    fn record_frame(&mut self, snapshot: &Snapshot, reading: &Reading) -> Result<(), OutputError> {
        let is_due = snapshot.row.is_some_and(|row| self.made * self.rows <= row * self.frames);
        if self.frames == 0 || (!is_due && !snapshot.is_end) {
            return Ok(());
        }
        self.made += 1;
        if !Arc::ptr_eq(&self.system, &snapshot.system) {
            // Its steps have changed, and frames show them.
            self.frame_maker = FrameMaker::new(self.built, &snapshot.system);
            self.system = Arc::clone(&snapshot.system);
        }
        self.records.frame(&self.frame_maker.frame(reading))
    }

    fn report(&mut self, reading: &Reading) {
        let rows = &self.seen.ledger.rows;
        let (start, now) = (rows[0].balance_j(), rows[rows.len() - 1].balance_j());
        let off_j = now - start;
        (self.progress)(Progress {
            fraction: reading.tick.0 as f64 / self.end.0.max(1) as f64,
            time_s: reading.time_s,
            energy_error: if off_j == 0.0 { 0.0 } else { off_j / self.largest_scale_j },
        });
    }
}

impl<R: Records> Observer for Recorder<'_, R> {
    fn observe(&mut self, snapshot: &Snapshot, reading: &Reading) -> io::Result<()> {
        self.record_row(snapshot, reading).map_err(io::Error::other)?;
        self.record_frame(snapshot, reading).map_err(io::Error::other)?;
        self.report(reading);
        Ok(())
    }
}
