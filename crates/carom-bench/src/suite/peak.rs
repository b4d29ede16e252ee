//! The highest rate of f64 operations that this core reaches, on numbers that never leave its registers.

use std::hint::black_box;

use carom_math::vectorize;

use super::measure::thread_time;

const ROUNDS: u64 = 2_000_000;

/// Numbers in a register.
const LANES: usize = 4;

/// Four cycles of latency times two units, and a few to spare; more would not fit into sixteen registers.
const CHAINS: usize = 12;

/// In flops a second, a fused multiply-add counted as two. No number where the core has none.
pub fn flops_per_second() -> f64 {
    let (last, took) = thread_time(|| {
        let (factor, term) = (black_box(0.999_999), black_box(1e-9));
        vectorize::run_fused(
            #[inline(always)]
            || fused_chains(ROUNDS, factor, term),
        )
    });
    last.map_or(f64::NAN, |last| {
        black_box(last);
        operations(ROUNDS) as f64 / took.as_secs_f64()
    })
}

/// Number of operations of so many rounds: two for each number and link.
const fn operations(rounds: u64) -> u64 {
    2 * (LANES * CHAINS) as u64 * rounds
}

/// Chains of fused multiply-adds, so many rounds of them: what keeps both of a core's fused units busy. Gives a number that depends on all of them.
#[inline(always)]
fn fused_chains(rounds: u64, factor: f64, term: f64) -> f64 {
    let mut chains = [[0.0_f64; LANES]; CHAINS];
    for _ in 0..rounds {
        for chain in &mut chains {
            for number in chain {
                *number = number.mul_add(factor, term);
            }
        }
    }
    chains.as_flattened().iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chain_goes_as_far_as_it_was_asked() {
        // 1, 3, 7: twice the last and one.
        let sum = 48.0 * 7.0;
        assert_eq!((operations(3), fused_chains(3, 2.0, 1.0)), (288, sum));
        let fused = vectorize::run_fused(|| fused_chains(3, 2.0, 1.0));
        assert!(fused.is_none_or(|fused| fused == sum), "{fused:?}");
    }
}
