//! How TensorFlow splits work among its threads, for the few ops whose values depend on it.
//!
//! These ops give each piece of work its own position in the stream. TensorFlow chooses the pieces by their cost and
//! its number of threads, so its values differ between machines; here they are always those for [`THREADS`] threads.

use std::ops::Range;

/// Number of threads that the pieces are made for.
const THREADS: usize = 2;
/// Minimum number of cycles for a separate piece of work.
const PIECE: f64 = 40_000.0;
/// Number of cycles up to which one thread is enough.
const STARTUP: f64 = 100_000.0;
/// Number of cycles for each further thread.
const PER_THREAD: f64 = 100_000.0;

/// Returns the pieces of `total` units of work that take `cost` cycles each.
pub(super) fn shards(total: usize, cost: u64) -> impl Iterator<Item = Range<usize>> {
    let size = piece(total, cost).max(1);
    (0..total).step_by(size).map(move |start| start..(start + size).min(total))
}

fn piece(total: usize, cost: u64) -> usize {
    let cost = cost as f64;
    let threads = (total as f64 * cost - STARTUP) / PER_THREAD + 0.9;
    if total <= 1 || threads < 2.0 {
        return total;
    }
    let worthwhile = (PIECE / cost) as usize;
    let mut size = total.div_ceil(4 * THREADS).max(worthwhile).min(total);
    let largest = (2 * size).min(total);
    // The utilization of the threads until the last piece is done.
    let efficiency = |count: usize| count as f64 / (count.div_ceil(THREADS) * THREADS) as f64;
    let mut count = total.div_ceil(size);
    let mut best = efficiency(count);
    while best < 1.0 && count > 1 {
        let coarser = total.div_ceil(count - 1);
        if coarser > largest {
            break;
        }
        count = total.div_ceil(coarser);
        if efficiency(count) + 0.01 >= best {
            size = coarser;
            best = best.max(efficiency(count));
        }
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_the_work() {
        for (total, cost) in [(0, 1), (1, 1 << 40), (5000, 700), (10, 1 << 20), (400, 600), (399, 600), (7, 100)] {
            let pieces: Vec<Range<usize>> = shards(total, cost).collect();
            let covered: Vec<usize> = pieces.iter().cloned().flatten().collect();
            assert_eq!(covered, (0..total).collect::<Vec<_>>());
        }
        assert_eq!(piece(5000, 700), 625);
        assert_eq!(piece(100, 10), 100);
    }
}
