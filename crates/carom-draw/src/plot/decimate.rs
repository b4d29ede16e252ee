//! Fewer points, the same picture.
//!
//! A screen has one column of pixels where a ledger may have a hundred rows. Of the points of
//! one column the first, the lowest, the highest and the last are kept, so that no excursion is
//! lost, however short.

/// Runs of points, in pixels, without those that make no visible difference; a point that is not finite ends a run.
pub(super) fn decimate(points: impl Iterator<Item = (f64, f64)>) -> Vec<Vec<(f64, f64)>> {
    let mut runs: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut run: Vec<(f64, f64)> = Vec::new();
    let mut column: Vec<(f64, f64)> = Vec::new();
    for point in points {
        if !(point.0.is_finite() && point.1.is_finite()) {
            close(&mut run, &mut column);
            runs.push(std::mem::take(&mut run));
            continue;
        }
        if column.first().is_some_and(|first| first.0.floor() != point.0.floor()) {
            close(&mut run, &mut column);
        }
        column.push(point);
    }
    close(&mut run, &mut column);
    runs.push(run);
    runs.retain(|run| !run.is_empty());
    runs
}

/// Moves what matters of a column to the run.
fn close(run: &mut Vec<(f64, f64)>, column: &mut Vec<(f64, f64)>) {
    let by_height = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
    let (low, high) = (column.iter().min_by(by_height).copied(), column.iter().max_by(by_height).copied());
    let last = column.len().saturating_sub(1);
    let keep = |i: usize, p: (f64, f64)| i == 0 || i == last || Some(p) == low || Some(p) == high;
    run.extend(column.iter().enumerate().filter(|(i, p)| keep(*i, **p)).map(|(_, p)| *p));
    column.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spike_among_a_million_points_survives() {
        let n = 1_000_000;
        let height = |i: u32| if i == 123_456 { 99.0 } else { f64::from(i % 7) };
        let runs = decimate((0..n).map(|i| (f64::from(i) * 500.0 / f64::from(n), height(i))));
        assert_eq!(runs.len(), 1);
        assert!(runs[0].len() < 500 * 600 && runs[0].contains(&(123_456.0 * 500.0 / 1e6, 99.0)));
    }

    #[test]
    fn few_points_are_all_kept_in_order() {
        let points = [(0.0, 1.0), (10.0, 5.0), (20.0, 2.0)];
        assert_eq!(decimate(points.into_iter()), [points.to_vec()]);
    }

    #[test]
    fn each_column_keeps_first_lowest_highest_and_last() {
        let column = [(0.1, 3.0), (0.2, 4.0), (0.3, 9.0), (0.4, 5.0), (0.5, 1.0), (0.6, 2.0), (0.7, 6.0)];
        let kept = decimate(column.into_iter());
        assert_eq!(kept, [vec![(0.1, 3.0), (0.3, 9.0), (0.5, 1.0), (0.7, 6.0)]]);
    }

    #[test]
    fn a_number_that_is_none_breaks_the_line() {
        let runs = decimate([(0.0, 1.0), (1.0, f64::NAN), (2.0, 1.0), (3.0, 1.0)].into_iter());
        assert_eq!(runs, [vec![(0.0, 1.0)], vec![(2.0, 1.0), (3.0, 1.0)]]);
    }
}
