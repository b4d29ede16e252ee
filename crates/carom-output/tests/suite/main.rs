//! Files written here, read by others.
//!
//! One program for all integration tests of the crate: each more would be linked anew with everything below it.

mod read_back;
