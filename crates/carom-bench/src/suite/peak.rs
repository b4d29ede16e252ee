//! The highest rate of f64 operations that this core reaches, on numbers that never leave its registers.

use std::hint::black_box;

use carom_math::fused_chains;

use super::measure::thread_time;

const ROUNDS: u64 = 2_000_000;

/// In flops a second, a fused multiply-add counted as two. No number where the core has none.
pub fn flops_per_second() -> f64 {
    let (chains, took) = thread_time(|| fused_chains(ROUNDS, black_box(0.999_999), black_box(1e-9)));
    chains.map_or(f64::NAN, |(operations, last)| {
        black_box(last);
        operations as f64 / took.as_secs_f64()
    })
}
