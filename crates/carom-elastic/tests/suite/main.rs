//! Elements, from outside the crate.
//!
//! One program for all integration tests of the crate: each more would be linked anew with everything below it.

mod batches;
mod precise;
