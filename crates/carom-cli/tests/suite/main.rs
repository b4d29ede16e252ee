//! Tests of the program as a process.
//!
//! One program for all integration tests of the crate: each more would be linked anew with everything below it.

mod common;
mod compare;
mod drum;
mod energy;
mod halves;
mod manners;
mod pictures;
mod records;
mod remedies;
mod statics;
