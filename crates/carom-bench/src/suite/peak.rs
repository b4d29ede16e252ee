//! The highest rate of f64 operations that this core reaches, on numbers that never leave its registers.
//!
//! Products and sums, not fused: a core with as many adders as multipliers does them as fast as it would fused ones (Zen 4 has two of each, and
//! its peak of fused operations is the same 16 flops a cycle). Where adders are fewer, this is below the fused peak.

use std::hint::black_box;

use carom_math::{Lanes, Real, vectorize};

use super::measure::thread_time;

const ROUNDS: usize = 400_000;

/// In flops a second, the better of two counts of chains: more hide the latency, fewer fit into narrower registers.
pub fn flops_per_second() -> f64 {
    chains::<6>().max(chains::<12>())
}

fn chains<const N: usize>() -> f64 {
    let start: [Lanes; N] = core::array::from_fn(|i| Lanes::constant(black_box(i as f64)));
    let (factor, term) = (Lanes::constant(black_box(0.999_999)), Lanes::constant(black_box(1e-9)));
    let (end, took) = thread_time(|| {
        vectorize::run(
            #[inline(always)]
            || {
                let mut chains = start;
                for _ in 0..ROUNDS {
                    for chain in &mut chains {
                        *chain = *chain * factor + term;
                    }
                }
                chains
            },
        )
    });
    black_box(end);
    (2 * carom_math::LANES * N * ROUNDS) as f64 / took.as_secs_f64()
}
