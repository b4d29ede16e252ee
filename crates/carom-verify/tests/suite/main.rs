//! The checks, on systems of every kind.
//!
//! One program for all integration tests of the crate: each more would be linked anew with everything below it.

mod contact;
mod elements;
