//! The ledger: energy and momentum over a run, in memory and as `ledger.csv`.
//!
//! | columns | are |
//! | --- | --- |
//! | `time_s`, `tick` | when |
//! | `kinetic_J`, `<kind>_J` …, `potential_J`, `total_J` | energies; `potential_J` is the sum of the kinds |
//! | `dissipated_J`, `work_J` | taken by friction and damping; given by what moves the scene; since the start |
//! | `momentum_x_Ns` …, `angular_momentum_x_Nms` … | about the origin |
//! | `impulse_x_Ns` …, `angular_impulse_x_Nms` … | what fields and pins put in since the start |
//! | `energy_scale_J` | the energy turned over: what its errors are measured against |
//! | `momentum_scale_Ns`, `angular_momentum_scale_Nms` | Σ m‖v‖ and Σ m‖x‖‖v‖ in the frame of the scene: what errors are measured against |
//! | `extra` | 1 for a row between those that are evenly spaced: in a zoom, or where contact was deepest |
//! | `refinements` | how often steps were shortened before, to hold the energy to its tolerance |

use std::path::Path;

use carom_math::Vec3;

use crate::statistics::{self, EnergyStatistics, MomentumStatistics};
use crate::table::{self, Table, TableWriter, Value};
use crate::{OutputError, disk};

/// The column of what energy errors are measured against.
const ENERGY_SCALE: &str = "energy_scale_J";

/// The column of how often steps were shortened.
const REFINEMENTS: &str = "refinements";

/// Energies and momenta at one tick, with synchronised velocities.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LedgerRow {
    /// Tick of the row.
    pub tick: u64,
    /// Time of the row, in s.
    pub time_s: f64,
    /// Kinetic energy, in J.
    pub kinetic_j: f64,
    /// Energy of each kind of potential, in J, in the order of [`Ledger::kinds`].
    pub potentials_j: Vec<f64>,
    /// Energy that friction, restitution and damping took since the start, in J.
    pub dissipated_j: f64,
    /// Work that moving obstacles and pins did since the start, in J.
    pub work_j: f64,
    /// Momentum, in N·s.
    pub momentum: Vec3,
    /// Angular momentum about the origin, in N·m·s.
    pub angular_momentum: Vec3,
    /// Impulse of fields and pins since the start, in N·s.
    pub impulse: Vec3,
    /// Angular impulse of fields and pins since the start, in N·m·s.
    pub angular_impulse: Vec3,
    /// What errors of the energy are measured against, in J.
    pub energy_scale_j: f64,
    /// What errors of the momentum are measured against, in N·s.
    pub momentum_scale: f64,
    /// What errors of the angular momentum are measured against, in N·m·s.
    pub angular_momentum_scale: f64,
    /// Whether it stands between the rows that are evenly spaced: the band counts it, the drift does not.
    pub extra: bool,
    /// How often steps were shortened before it.
    pub refinements: u64,
}

impl LedgerRow {
    /// Sum of the potentials, in J.
    #[must_use]
    pub fn potential_j(&self) -> f64 {
        self.potentials_j.iter().sum()
    }

    /// Kinetic and potential energy, in J.
    #[must_use]
    pub fn total_j(&self) -> f64 {
        self.kinetic_j + self.potential_j()
    }

    /// The energy balance, which must stay constant: total + dissipated − work, in J.
    #[must_use]
    pub fn balance_j(&self) -> f64 {
        self.total_j() + self.dissipated_j - self.work_j
    }

    /// The numbers of the row, in the order of the columns.
    pub(crate) fn values(&self) -> Vec<Value> {
        let mut values = vec![Value::Real(self.time_s), Value::Whole(self.tick), self.kinetic_j.into()];
        values.extend(self.potentials_j.iter().map(|&v| Value::Real(v)));
        values.extend([self.potential_j(), self.total_j(), self.dissipated_j, self.work_j].map(Value::Real));
        for vector in [self.momentum, self.angular_momentum, self.impulse, self.angular_impulse] {
            values.extend(vector.to_array().map(Value::Real));
        }
        values
            .extend([self.energy_scale_j, self.momentum_scale, self.angular_momentum_scale].map(Value::Real));
        values.extend([u64::from(self.extra), self.refinements].map(Value::Whole));
        values
    }
}

/// The rows of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    /// The kinds of potential, in the order of [`LedgerRow::potentials_j`].
    pub kinds: Vec<String>,
    /// The rows, in the order of time.
    pub rows: Vec<LedgerRow>,
}

impl Ledger {
    /// Energy: start, band, drift and how well the drift is known.
    #[must_use]
    pub fn energy(&self) -> EnergyStatistics {
        let even = |of: fn(&LedgerRow) -> f64| -> Vec<f64> {
            self.rows.iter().filter(|row| !row.extra).map(of).collect()
        };
        let balance: Vec<f64> = self.rows.iter().map(LedgerRow::balance_j).collect();
        let evenly = (&even(|r| r.time_s)[..], &even(LedgerRow::balance_j)[..]);
        statistics::energy(&balance, self.energy_scale_j(), evenly)
    }

    /// What errors of the energy are measured against, in J: the largest of the rows.
    #[must_use]
    pub fn energy_scale_j(&self) -> f64 {
        statistics::largest(self.rows.iter().map(|row| row.energy_scale_j))
    }

    /// The largest errors of momentum and angular momentum.
    #[must_use]
    pub fn momentum(&self) -> MomentumStatistics {
        let error = |kept: fn(&LedgerRow) -> Vec3, scale: fn(&LedgerRow) -> f64| {
            let kept: Vec<Vec3> = self.rows.iter().map(kept).collect();
            let scales: Vec<f64> = self.rows.iter().map(scale).collect();
            statistics::conservation_error(&kept, &scales)
        };
        MomentumStatistics {
            linear_error: error(|r| r.momentum - r.impulse, |r| r.momentum_scale),
            angular_error: error(|r| r.angular_momentum - r.angular_impulse, |r| r.angular_momentum_scale),
        }
    }

    /// Reads `ledger.csv`.
    pub fn read(path: &Path) -> Result<Self, OutputError> {
        let malformed = |what| OutputError::malformed(path, what);
        let table = table::parse(&disk::read_text(path)?).map_err(malformed)?;
        Self::from_table(&table).map_err(malformed)
    }

    /// The ledger in a table, or which column it lacks.
    pub fn from_table(table: &Table) -> Result<Self, String> {
        let missing = |name: &str| format!("a ledger has a column {name}");
        let is_new = |name: &str| {
            let repeat =
                "which earlier versions did not write: repeat the run from its folder (carom run FOLDER)";
            format!("{}, {repeat}", missing(name))
        };
        let reals = |name: &str| table.reals(name).ok_or_else(|| missing(name));
        let vectors = |name: &str, unit: &str| -> Result<Vec<Vec3>, String> {
            let axis = |a: &str| reals(&format!("{name}_{a}_{unit}"));
            let (x, y, z) = (axis("x")?, axis("y")?, axis("z")?);
            Ok((0..x.len()).map(|i| Vec3::new(x[i], y[i], z[i])).collect())
        };
        let kinds = kinds_of(&table.names);
        let potentials: Vec<Vec<f64>> =
            kinds.iter().map(|k| reals(&format!("{k}_J"))).collect::<Result<_, _>>()?;
        let ticks = table.wholes("tick").ok_or_else(|| missing("tick"))?;
        let (time, kinetic) = (reals("time_s")?, reals("kinetic_J")?);
        let (dissipated, work) = (reals("dissipated_J")?, reals("work_J")?);
        let (momentum, impulse) = (vectors("momentum", "Ns")?, vectors("impulse", "Ns")?);
        let angular_momentum = vectors("angular_momentum", "Nms")?;
        let angular_impulse = vectors("angular_impulse", "Nms")?;
        let energy_scale = table.reals(ENERGY_SCALE).ok_or_else(|| is_new(ENERGY_SCALE))?;
        let scale = reals("momentum_scale_Ns")?;
        let angular_scale = reals("angular_momentum_scale_Nms")?;
        let extra = table.wholes("extra").ok_or_else(|| missing("extra"))?;
        let refinements = table.wholes(REFINEMENTS).ok_or_else(|| is_new(REFINEMENTS))?;
        let row = |i: usize| LedgerRow {
            tick: ticks[i],
            time_s: time[i],
            kinetic_j: kinetic[i],
            potentials_j: potentials.iter().map(|p| p[i]).collect(),
            dissipated_j: dissipated[i],
            work_j: work[i],
            momentum: momentum[i],
            angular_momentum: angular_momentum[i],
            impulse: impulse[i],
            angular_impulse: angular_impulse[i],
            energy_scale_j: energy_scale[i],
            momentum_scale: scale[i],
            angular_momentum_scale: angular_scale[i],
            extra: extra[i] == 1,
            refinements: refinements[i],
        };
        Ok(Self { kinds, rows: (0..table.rows()).map(row).collect() })
    }
}

/// The columns of a ledger with these kinds of potential.
#[must_use]
pub fn columns(kinds: &[String]) -> Vec<String> {
    let mut columns: Vec<String> = ["time_s", "tick", "kinetic_J"].map(String::from).into();
    columns.extend(kinds.iter().map(|k| format!("{k}_J")));
    columns.extend(["potential_J", "total_J", "dissipated_J", "work_J"].map(String::from));
    let vectors =
        [("momentum", "Ns"), ("angular_momentum", "Nms"), ("impulse", "Ns"), ("angular_impulse", "Nms")];
    for (name, unit) in vectors {
        columns.extend(["x", "y", "z"].map(|axis| format!("{name}_{axis}_{unit}")));
    }
    let scales = [ENERGY_SCALE, "momentum_scale_Ns", "angular_momentum_scale_Nms"];
    columns.extend(scales.map(String::from));
    columns.extend(["extra", REFINEMENTS].map(String::from));
    columns
}

/// The kinds are what stands between `kinetic_J` and `potential_J`.
fn kinds_of(names: &[String]) -> Vec<String> {
    let after = names.iter().skip_while(|n| *n != "kinetic_J").skip(1);
    let between = after.take_while(|n| *n != "potential_J");
    between.map(|n| n.strip_suffix("_J").unwrap_or(n).to_owned()).collect()
}

/// Writes `ledger.csv` row by row.
#[derive(Debug)]
pub struct LedgerWriter(TableWriter);

impl LedgerWriter {
    /// A new ledger at `path` for these kinds of potential.
    pub fn create(path: &Path, kinds: &[String]) -> Result<Self, OutputError> {
        TableWriter::create(path, &columns(kinds)).map(Self)
    }

    /// Adds a row.
    pub fn row(&mut self, row: &LedgerRow) -> Result<(), OutputError> {
        self.0.row(&row.values())
    }

    /// Hands all rows so far to the operating system.
    pub fn flush(&mut self) -> Result<(), OutputError> {
        self.0.flush()
    }

    /// Writes what is left.
    pub fn finish(self) -> Result<(), OutputError> {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn row(i: u64) -> LedgerRow {
        let x = i as f64 / 7.0;
        LedgerRow {
            tick: (1 << 55) + i,
            time_s: x,
            kinetic_j: 1.0 - x,
            potentials_j: vec![0.25 * x, 0.75 * x],
            dissipated_j: 0.1 * x,
            work_j: 0.2 * x,
            momentum: Vec3::new(x, 1.0, -x),
            angular_momentum: Vec3::new(1.0, 2.0, 3.0 * x),
            impulse: Vec3::new(x, 0.0, -x),
            angular_impulse: Vec3::new(0.0, 0.0, 3.0 * x + 0.3 * f64::from(i == 4)),
            energy_scale_j: 1.0 + x,
            momentum_scale: 2.0,
            angular_momentum_scale: 6.0,
            extra: i % 3 == 1,
            refinements: i / 40,
        }
    }

    #[test]
    fn a_ledger_on_disk_comes_back_bit_for_bit() {
        let folder = Scratch::new();
        let path = folder.path().join("ledger.csv");
        let kinds = ["bending".to_owned(), "membrane".to_owned()];
        let ledger = Ledger { kinds: kinds.to_vec(), rows: (0..100).map(row).collect() };
        let mut writer = LedgerWriter::create(&path, &kinds).unwrap();
        for row in &ledger.rows {
            writer.row(row).unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(Ledger::read(&path).unwrap(), ledger);
        let header = disk::read_text(&path).unwrap();
        let header = header.lines().next().unwrap();
        assert!(header.starts_with(
            "time_s,tick,kinetic_J,bending_J,membrane_J,potential_J,total_J,dissipated_J,work_J,momentum_x_Ns"
        ));
    }

    #[test]
    fn momentum_counts_what_fields_and_pins_put_in() {
        let ledger = Ledger { kinds: vec!["a".into(), "b".into()], rows: (0..10).map(row).collect() };
        let MomentumStatistics { linear_error, angular_error } = ledger.momentum();
        assert_eq!(linear_error, 0.0);
        assert!((angular_error - 0.3 / 6.0).abs() < 1e-15, "{angular_error}");
    }

    #[test]
    fn rows_between_the_even_ones_widen_the_band_but_do_not_bend_the_drift() {
        let even = |i: u64| LedgerRow { extra: false, dissipated_j: 0.0, work_j: 0.0, ..row(i) };
        let mut rows: Vec<LedgerRow> = (0..100).map(even).collect();
        rows.insert(30, LedgerRow { kinetic_j: 1.5, extra: true, ..rows[29].clone() });
        let ledger = Ledger { kinds: vec!["a".into(), "b".into()], rows };
        let energy = ledger.energy();
        assert!(energy.band > 0.1 && energy.drift.abs() < 1e-14 && energy.drift_stderr < 1e-14, "{energy:?}");
    }

    #[test]
    fn energy_counts_dissipation_and_work() {
        let rows = (0..8).map(|i| LedgerRow { extra: false, energy_scale_j: 1.0, ..row(i) }).collect();
        let ledger = Ledger { kinds: vec!["a".into(), "b".into()], rows };
        // total is 1 throughout, dissipated − work is −0.1 x, and x ends at 1.
        let energy = ledger.energy();
        assert!((energy.band - 0.1).abs() < 1e-15 && (energy.drift + 0.1).abs() < 1e-14, "{energy:?}");
    }

    #[test]
    fn a_table_that_is_no_ledger_is_an_error_that_names_the_column() {
        let table = table::parse("time_s,tick\n0e0,0\n").unwrap();
        assert_eq!(Ledger::from_table(&table).unwrap_err(), "a ledger has a column kinetic_J");
    }

    #[test]
    fn a_ledger_of_an_earlier_version_is_an_error_that_says_what_to_do() {
        let kinds = ["a".to_owned(), "b".to_owned()];
        let mut text = columns(&kinds).join(",") + "\n";
        table::push_row(&mut text, &row(1).values());
        for column in [ENERGY_SCALE, REFINEMENTS] {
            let mut table = table::parse(&text).unwrap();
            assert_eq!(Ledger::from_table(&table).unwrap().rows, [row(1)]);
            let at = table.names.iter().position(|name| name == column).unwrap();
            table.names.remove(at);
            table.columns.remove(at);
            let said = Ledger::from_table(&table).unwrap_err();
            assert!(said.contains(column) && said.contains("carom run FOLDER"), "{said}");
        }
    }
}
