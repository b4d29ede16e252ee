//! The most f64 operations that a core can do: for measurements, never for kernels.

/// Twelve chains of fused multiply-adds, so many rounds of them: what keeps both of a core's fused units busy. Gives the number of
/// operations, two for each lane and link, and a number that depends on all of them; `None` where the machine has no such units.
#[must_use]
pub fn fused_chains(rounds: u64, factor: f64, term: f64) -> Option<(u64, f64)> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the two features that `chains` enables were just detected.
        #[expect(unsafe_code, reason = "calling a function compiled for detected features")]
        let last = unsafe { chains(rounds, factor, term) };
        return Some((2 * 4 * CHAINS as u64 * rounds, last));
    }
    let _ = (rounds, factor, term);
    None
}

/// Four cycles of latency times two units, and a few to spare; more would not fit into sixteen registers.
#[cfg(target_arch = "x86_64")]
const CHAINS: usize = 12;

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn chains(rounds: u64, factor: f64, term: f64) -> f64 {
    use core::arch::x86_64::{
        _mm256_add_pd, _mm256_cvtsd_f64, _mm256_fmadd_pd, _mm256_set1_pd, _mm256_setzero_pd,
    };
    let (factor, term) = (_mm256_set1_pd(factor), _mm256_set1_pd(term));
    let mut chains = [_mm256_setzero_pd(); CHAINS];
    for _ in 0..rounds {
        for chain in &mut chains {
            *chain = _mm256_fmadd_pd(*chain, factor, term);
        }
    }
    _mm256_cvtsd_f64(chains.into_iter().fold(_mm256_setzero_pd(), |sum, chain| _mm256_add_pd(sum, chain)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chain_goes_as_far_as_it_was_asked() {
        // 1, 3, 7: twice the last and one.
        if let Some((operations, sum)) = fused_chains(3, 2.0, 1.0) {
            assert_eq!((operations, sum), (288, 12.0 * 7.0));
        }
    }
}
