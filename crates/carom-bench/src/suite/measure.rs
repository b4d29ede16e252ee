//! Alternating measurement of several sides, so that other load on the machine affects all of them.

use std::time::Duration;

use cpu_time::ThreadTime;

/// Measurements of one side, one per round.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// The highest: other work on the machine only ever slows a run down.
    pub fn best(&self) -> f64 {
        self.0.iter().copied().fold(0.0, f64::max)
    }

    /// Sum over all rounds.
    pub fn sum(&self) -> f64 {
        self.0.iter().sum()
    }

    /// The lowest.
    pub fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The middle one.
    pub fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        if sorted.len() % 2 == 1 { sorted[middle] } else { 0.5 * (sorted[middle - 1] + sorted[middle]) }
    }

    /// Ratio to the measurement of `other` in the same round, for each round.
    pub fn over(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a / b).collect())
    }
}

/// Measures one side after the other, `rounds` times; `measure` gets the number of the side.
pub fn each_in_turn(rounds: usize, sides: usize, mut measure: impl FnMut(usize) -> f64) -> Vec<Samples> {
    let mut samples = vec![Samples(Vec::new()); sides];
    for _ in 0..rounds {
        for (side, samples) in samples.iter_mut().enumerate() {
            samples.0.push(measure(side));
        }
    }
    samples
}

/// Processor time of this thread that `work` took: what others do on the core does not count.
pub fn thread_time<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let started = ThreadTime::now();
    let result = work();
    (result, started.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_take_turns_and_the_ratio_is_taken_within_a_round() {
        let (mut order, mut rates) = (String::new(), [1.0, 10.0]);
        let samples = each_in_turn(3, 2, |side| {
            order.push(['a', 'b'][side]);
            rates[side] *= 2.0;
            rates[side]
        });
        let (a, b) = (&samples[0], &samples[1]);
        assert_eq!(order, "ababab");
        assert_eq!((a.best(), a.median(), a.least()), (8.0, 4.0, 2.0));
        assert_eq!(b.over(a).median(), 10.0);
    }

    #[test]
    fn the_middle_of_four_is_between_the_two_in_the_middle() {
        assert_eq!(Samples(vec![8.0, 1.0, 3.0, 2.0]).median(), 2.5);
    }
}
