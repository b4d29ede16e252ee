//! How good the detection is on queries with known truth.

use std::time::Instant;

use super::{Bracket, Query, first_contact};

/// Results of a set of queries.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VerdictCounts {
    /// Number of queries.
    pub queries: usize,
    /// Contacts reported.
    pub hits: usize,
    /// Contacts missed. Must be zero.
    pub false_negatives: usize,
    /// Contacts reported where there is none.
    pub false_positives: usize,
    /// Times later than the exact one. Must be zero.
    pub late_times: usize,
    /// The most by which a reported time was earlier than the exact one.
    pub largest_early: f64,
    /// Time spent in detection, in s.
    pub seconds: f64,
}

impl VerdictCounts {
    /// Queries per second; infinite if no time was measured.
    #[must_use]
    pub fn queries_per_second(&self) -> f64 {
        self.queries as f64 / self.seconds
    }

    /// Both sets of queries together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            queries: self.queries + other.queries,
            hits: self.hits + other.hits,
            false_negatives: self.false_negatives + other.false_negatives,
            false_positives: self.false_positives + other.false_positives,
            late_times: self.late_times + other.late_times,
            largest_early: self.largest_early.max(other.largest_early),
            seconds: self.seconds + other.seconds,
        }
    }
}

/// Runs every query on one thread and compares with the known results and with the exact times.
///
/// `exact_times` bounds the first contact of each query that has one; it is computed by other code, so that the test does not depend on what it
/// tests. A time counts as late if it is past the upper bound, and as early by
/// what it lacks to the upper bound.
#[must_use]
pub fn judge_queries(queries: &[Query], exact_times: &[Option<Bracket>]) -> VerdictCounts {
    assert_eq!(queries.len(), exact_times.len(), "one time for each query");
    let clock = Instant::now();
    let answers: Vec<Option<f64>> = queries.iter().map(|q| first_contact(q.kind, &q.start, &q.end)).collect();
    let mut counts = VerdictCounts {
        queries: queries.len(),
        seconds: clock.elapsed().as_secs_f64(),
        ..VerdictCounts::default()
    };
    for ((query, answer), exact) in queries.iter().zip(answers).zip(exact_times) {
        counts.hits += usize::from(answer.is_some());
        counts.false_negatives += usize::from(query.truth && answer.is_none());
        counts.false_positives += usize::from(!query.truth && answer.is_some());
        if let (Some(time), Some(exact)) = (answer, exact) {
            counts.late_times += usize::from(time > exact.high);
            counts.largest_early = counts.largest_early.max(exact.high - time);
        }
    }
    counts
}
