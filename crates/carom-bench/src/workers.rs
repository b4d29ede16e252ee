//! Runs that do not depend on each other, several at a time.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::Mutex;

/// How many runs fit on this machine at the same time: one a core.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Does `work` for all items, `workers` at a time, begun in their order; the outcomes are in the order of the items.
pub fn at_once<T: Send, R: Send>(items: Vec<T>, workers: usize, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let queue: Mutex<VecDeque<(usize, T)>> = Mutex::new(items.into_iter().enumerate().collect());
    let done = Mutex::new(Vec::new());
    let next = || queue.lock().expect("no worker panics while it holds the queue").pop_front();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((place, item)) = next() {
                    let outcome = work(item);
                    done.lock().expect("no worker panics while it holds the list").push((place, outcome));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("all workers have ended");
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_in_the_order_of_the_items_whoever_is_done_first() {
        let slow_first = |i: u64| {
            std::thread::sleep(std::time::Duration::from_millis(8 - i));
            i * i
        };
        for workers in [1, 3, 16] {
            assert_eq!(at_once((0..8).collect(), workers, slow_first), [0, 1, 4, 9, 16, 25, 36, 49]);
        }
    }
}
