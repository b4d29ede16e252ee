//! Measures the program: how fast (`throughput`).
//!
//! `cargo xtask bench` builds this in release and runs it.

mod throughput;

fn main() {
    throughput::report();
}
