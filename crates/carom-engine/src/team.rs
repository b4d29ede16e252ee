//! Threads that share the work of an instant.
//!
//! Elements are split by vertices: a thread sums what falls on its own, in the order that one thread alone would. Pairs of contact are
//! computed by all and added by one, in their order; what a search finds is sorted. So no bit depends on how many there are.
//! What is small is not shared: waking a thread costs more than it does.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;

/// As many threads as were asked for.
#[derive(Clone)]
pub struct Team {
    /// `None` for one thread alone.
    pool: Option<Arc<ThreadPool>>,
    threads: usize,
}

impl Team {
    /// A team of `threads`, the one that leads it among them; fewer where the system refuses more.
    pub fn new(threads: usize) -> Self {
        let named = |i: usize| format!("carom-{i}");
        let start = || ThreadPoolBuilder::new().num_threads(threads).thread_name(named).build().ok();
        let pool = (threads > 1).then(start).flatten().map(Arc::new);
        Self { threads: pool.as_ref().map_or(1, |pool| pool.current_num_threads()), pool }
    }

    /// How many threads there are.
    pub fn size(&self) -> usize {
        self.threads
    }

    /// Does `work` on a thread of the team, so that those who wait for each other do not sleep.
    pub fn lead<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

/// Something that two threads can do in two pieces.
pub trait Divisible: Send + Sized {
    /// What is known when it is done.
    type Outcome: Send;

    /// Two pieces, if it is worth it.
    fn divide(self) -> Result<(Self, Self), Self>;

    /// Does it.
    fn work(self) -> Self::Outcome;

    /// What is known when two pieces are done.
    fn join(first: Self::Outcome, second: Self::Outcome) -> Self::Outcome;
}

/// Does `task` on the threads of the team that leads; the calling thread must be one of it.
pub fn share<D: Divisible>(task: D) -> D::Outcome {
    match task.divide() {
        Ok((first, second)) => {
            let (first, second) = rayon::join(|| share(first), || share(second));
            D::join(first, second)
        }
        Err(task) => task.work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Count<'a>(&'a mut [u32]);

    impl Divisible for Count<'_> {
        type Outcome = u32;

        fn divide(self) -> Result<(Self, Self), Self> {
            if self.0.len() < 3 {
                return Err(self);
            }
            let (first, second) = self.0.split_at_mut(self.0.len() / 2);
            Ok((Self(first), Self(second)))
        }

        fn work(self) -> u32 {
            self.0.iter_mut().for_each(|n| *n += 1);
            self.0.iter().sum()
        }

        fn join(first: u32, second: u32) -> u32 {
            first + second
        }
    }

    #[test]
    fn every_piece_is_done_once_by_teams_of_any_size() {
        for threads in [1, 2, 3, 8] {
            let mut numbers: Vec<u32> = (0..100).collect();
            let team = Team::new(threads);
            assert_eq!(team.lead(|| share(Count(&mut numbers))), 100 * 101 / 2);
            assert!(numbers.into_iter().eq(1..=100));
        }
    }
}
