//! Contact, from outside the crate.
//!
//! One program for all integration tests of the crate: each more would be linked anew with everything below it.

mod bounce;
mod certificates;
mod fade;
mod flat_sheets;
mod pairs;
mod tuning;
