//! Histograms with TensorFlow's bucket limits, which grow by a tenth from 1e-12 to 1e20, on both sides of zero.

use crate::message::Message;
use std::sync::OnceLock;

/// The upper limits of the buckets.
fn limits() -> &'static [f64] {
    static LIMITS: OnceLock<Vec<f64>> = OnceLock::new();
    LIMITS.get_or_init(|| {
        let positive = std::iter::successors(Some(1e-12), |v| Some(v * 1.1)).take_while(|v| *v < 1e20);
        let positive: Vec<f64> = positive.chain([f64::MAX]).collect();
        positive.iter().rev().map(|v| -v).chain([0.0]).chain(positive.iter().copied()).collect()
    })
}

/// The number of finite values in each bucket.
#[derive(Clone, Debug)]
pub struct Histogram {
    counts: Vec<u64>,
    min: f64,
    max: f64,
    num: f64,
    sum: f64,
    squares: f64,
}

impl Default for Histogram {
    fn default() -> Histogram {
        let counts = vec![0; limits().len()];
        Histogram { counts, min: f64::MAX, max: -f64::MAX, num: 0.0, sum: 0.0, squares: 0.0 }
    }
}

impl Histogram {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        let above = limits().partition_point(|limit| *limit <= value);
        let last = self.counts.len() - 1;
        self.counts[above.min(last)] += 1;
        (self.min, self.max) = (value.min(self.min), value.max(self.max));
        self.num += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    pub(crate) fn message(&self) -> Message {
        let (mut kept, mut buckets): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        for (limit, &count) in limits().iter().zip(&self.counts) {
            match (count, buckets.last(), kept.last_mut()) {
                // Adjacent empty buckets are merged.
                (0, Some(0.0), Some(last)) => *last = *limit,
                _ => {
                    kept.push(*limit);
                    buckets.push(count as f64);
                }
            }
        }
        let mut message = Message::default();
        let numbers = [self.min, self.max, self.num, self.sum, self.squares];
        (1..).zip(numbers).for_each(|(number, value)| message.double(number, value));
        message.doubles(6, &kept);
        message.doubles(7, &buckets);
        message
    }
}
