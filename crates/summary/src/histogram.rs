//! How often values are in which range. The ranges are TensorFlow's: limits grow by a tenth from 1e-12 to 1e20, on both
//! sides of zero.

use crate::message::Message;
use std::sync::OnceLock;

/// The upper limits of the ranges.
fn limits() -> &'static [f64] {
    static LIMITS: OnceLock<Vec<f64>> = OnceLock::new();
    LIMITS.get_or_init(|| {
        let positive = std::iter::successors(Some(1e-12), |v| Some(v * 1.1)).take_while(|v| *v < 1e20);
        let positive: Vec<f64> = positive.chain([f64::MAX]).collect();
        positive.iter().rev().map(|v| -v).chain([0.0]).chain(positive.iter().copied()).collect()
    })
}

/// The message for finite values.
pub(crate) fn histogram(values: impl IntoIterator<Item = f64>) -> Message {
    let limits = limits();
    let mut counts = vec![0u64; limits.len()];
    let (mut min, mut max, mut num, mut sum, mut squares) = (f64::MAX, -f64::MAX, 0.0, 0.0, 0.0);
    for value in values {
        let above = limits.partition_point(|limit| *limit <= value);
        counts[above.min(limits.len() - 1)] += 1;
        (min, max) = (value.min(min), value.max(max));
        num += 1.0;
        sum += value;
        squares += value * value;
    }
    let (mut kept, mut buckets): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    for (limit, count) in limits.iter().zip(counts) {
        match (count, buckets.last(), kept.last_mut()) {
            // Empty ranges next to each other are one.
            (0, Some(0.0), Some(last)) => *last = *limit,
            _ => {
                kept.push(*limit);
                buckets.push(count as f64);
            }
        }
    }
    let mut message = Message::default();
    for (number, value) in [(1, min), (2, max), (3, num), (4, sum), (5, squares)] {
        message.double(number, value);
    }
    message.doubles(6, &kept);
    message.doubles(7, &buckets);
    message
}
