//! Gap minima: the instants at which the nearest pair that pushes was nearest.
//!
//! The energy of a collision errs most where it is deepest, between two rows of a ledger as often as not. Observers
//! are shown these instants.

/// Follows the smallest distance of the pairs that push, instant by instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GapMinimum {
    /// The distance of the nearest pair at the last instant at which something pushed, in m; `None` if nothing has pushed yet.
    pub last_m: Option<f64>,
    /// Whether it was smaller than at the one before.
    pub is_falling: bool,
}

impl GapMinimum {
    /// Told of the nearest pair that pushes at an instant, in m, infinite if none does. Returns how near it came if it was
    /// nearest just before.
    pub(crate) fn at(&mut self, nearest: f64) -> Option<f64> {
        // Where nothing fires, nothing is known: clocks differ.
        if nearest.is_infinite() {
            return None;
        }
        let last = self.last_m.replace(nearest)?;
        let was_falling = core::mem::replace(&mut self.is_falling, nearest < last);
        (was_falling && !self.is_falling).then_some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minima(distances: &[f64]) -> Vec<Option<f64>> {
        let mut minimum = GapMinimum::default();
        distances.iter().map(|d| minimum.at(*d)).collect()
    }

    #[test]
    fn a_collision_has_one_minimum_where_it_was_deepest() {
        let rest = f64::INFINITY;
        let seen = minima(&[rest, 3.0, 2.0, rest, 1.0, 1.5, 2.5, rest, rest]);
        assert_eq!(seen, [None, None, None, None, None, Some(1.0), None, None, None]);
    }

    #[test]
    fn a_bounce_within_a_collision_has_a_minimum_of_its_own() {
        assert_eq!(minima(&[2.0, 1.0, 2.0, 1.5, 1.5]), [None, None, Some(1.0), None, Some(1.5)]);
    }
}
