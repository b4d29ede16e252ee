//! Whole systems, run by the engines.
//!
//! One program for all integration tests of the crate: each more would be linked anew with everything below it.

mod common;
mod contact_bits;
mod dcr;
mod drag;
mod drive;
mod driven;
mod mixture;
mod noise;
mod obstacles;
mod parallel_edges;
mod paths;
mod promises;
mod relax;
mod rods;
mod same_bits;
mod sheet;
mod stability;
mod steady;
