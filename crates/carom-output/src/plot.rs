//! The plots of runs: which lines a ledger and probes become.
//!
//! | module | plot |
//! | --- | --- |
//! | `energy` | the energy of one run; convergence |
//! | `comparison` | several runs |
//! | `history` | quantities over time, for `carom plot` |
//!
//! **Never here:** how lines are drawn ([`carom_draw::plot`]).

mod comparison;
mod energy;
mod history;

pub use carom_draw::plot::{INK, Panel, Plot, Scale, Series, colour, two_digits};
pub use comparison::{GroupOf, Run, comparison, zoom_on};
pub use energy::{convergence, energy, energy_error, energy_of_rest, write_svg};
pub use history::{Quantity, Watched, finished, history, probe};

#[cfg(test)]
mod tests;
