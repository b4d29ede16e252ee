//! When contact turns round: the instants at which something was nearest.
//!
//! The energy of a collision errs most where it is deepest, between two rows of a ledger as often as not. Whoever reads
//! energies is told of these instants.

/// Follows the smallest distance of the pairs that push, instant by instant.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GapMinimum {
    /// At the last instant at which something pushed, in m.
    last: Option<f64>,
    falling: bool,
}

impl GapMinimum {
    /// Told of the nearest pair that pushes at an instant, in m, infinite if none does. Returns how near it came if it was
    /// nearest just before.
    pub(crate) fn at(&mut self, nearest: f64) -> Option<f64> {
        // Where nothing fires, nothing is known: clocks differ.
        if nearest.is_infinite() {
            return None;
        }
        let last = self.last.replace(nearest)?;
        let was_falling = core::mem::replace(&mut self.falling, nearest < last);
        (was_falling && !self.falling).then_some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(distances: &[f64]) -> Vec<Option<f64>> {
        let mut minimum = GapMinimum::default();
        distances.iter().map(|d| minimum.at(*d)).collect()
    }

    #[test]
    fn a_collision_turns_once_where_it_was_deepest() {
        let rest = f64::INFINITY;
        let seen = turns(&[rest, 3.0, 2.0, rest, 1.0, 1.5, 2.5, rest, rest]);
        assert_eq!(seen, [None, None, None, None, None, Some(1.0), None, None, None]);
    }

    #[test]
    fn a_bounce_within_a_collision_turns_again() {
        assert_eq!(turns(&[2.0, 1.0, 2.0, 1.5, 1.5]), [None, None, Some(1.0), None, Some(1.5)]);
    }
}
