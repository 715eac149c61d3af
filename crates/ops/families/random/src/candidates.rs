//! How the candidate samplers draw classes, and the expected count of each class.

use super::distribution::MOST_REJECTIONS;
use crate::philox::{Philox, Singles, unit_f64};
use crate::prelude::*;
use std::collections::HashSet;

/// Number of draws between two checks for cancellation.
const ASK_EVERY: usize = 1 << 14;

/// Values drawn one at a time from a stream.
pub(super) struct Draws(Singles);

impl Draws {
    pub(super) fn new(philox: Philox) -> Draws {
        Draws(philox.singles())
    }

    fn double(&mut self) -> f64 {
        let high = self.0.next();
        unit_f64(high, self.0.next())
    }
}

/// Mutable weights, stored as a Fenwick tree of partial sums.
pub(super) struct Weights {
    weights: Vec<i32>,
    /// Element `i` is the sum of the last `l` weights before index `i`, where `l` is the lowest set bit of `i`;
    /// element 0 is unused.
    sums: Vec<i32>,
    total: i32,
}

impl Weights {
    /// Returns `n` weights of 1.
    fn ones(n: i32) -> Result<Weights> {
        let len = n as usize;
        let (mut weights, mut sums) = (Vec::new(), Vec::new());
        if weights.try_reserve_exact(len).is_err() || sums.try_reserve_exact(len + 1).is_err() {
            return Err(Error::resource_exhausted(format!("no memory for the weights of {n} classes")));
        }
        weights.resize(len, 1);
        sums.extend((0..=n).map(|i| i & -i));
        Ok(Weights { weights, sums, total: n })
    }

    /// Returns the class whose share of the total contains `at`.
    fn pick(&self, mut at: i32) -> usize {
        let mut class = 0;
        let mut step = self.weights.len().next_power_of_two();
        while step > 0 {
            if let Some(&sum) = self.sums.get(class + step)
                && sum <= at
            {
                class += step;
                at -= sum;
            }
            step /= 2;
        }
        class.min(self.weights.len() - 1)
    }

    fn add_one(&mut self, class: usize) {
        let Some(total) = self.total.checked_add(1) else { return };
        self.total = total;
        self.weights[class] += 1;
        let mut i = class + 1;
        while let Some(sum) = self.sums.get_mut(i) {
            *sum += 1;
            i += i & i.wrapping_neg();
        }
    }
}

/// A distribution of classes.
pub(super) enum Sampler {
    /// The uniform distribution over this number of classes.
    Uniform(u64),
    /// The log-uniform (Zipfian) distribution over this number of classes.
    LogUniform(u64),
    /// In proportion to the number of times that each was seen, plus one.
    Seen(Weights),
    /// In proportion to fixed weights, with the tables of Walker's alias method.
    Fixed { weights: Vec<f32>, total: f32, tables: Vec<(f32, usize)> },
}

impl Sampler {
    /// Returns a sampler of `range` classes, none of which has been seen.
    pub(super) fn unseen(range: i64) -> Result<Sampler> {
        let n = i32::try_from(range).map_err(|_| Error::invalid("range_max must fit into int32").found(range))?;
        Weights::ones(n).map(Sampler::Seen)
    }

    /// Returns a sampler with these weights.
    pub(super) fn fixed(weights: Vec<f32>) -> Sampler {
        // TensorFlow sums the weights as float for the division, and as double for the tables.
        let total = weights.iter().sum();
        let sum: f64 = weights.iter().map(|w| f64::from(*w)).sum();
        let n = weights.len();
        let mut shares: Vec<f64> = weights.iter().map(|w| f64::from(*w * n as f32) / sum).collect();
        let mut other: Vec<usize> = (0..n).collect();
        let (mut low, mut high): (Vec<usize>, Vec<usize>) = (0..n).partition(|i| shares[*i] < 1.0);
        while let (Some(&l), Some(&h)) = (low.last(), high.last()) {
            low.pop();
            high.pop();
            other[l] = h;
            shares[h] -= 1.0 - shares[l];
            if shares[h] < 1.0 { low.push(h) } else { high.push(h) }
        }
        // The rest have a full share, apart from rounding errors.
        low.into_iter().chain(high).for_each(|i| shares[i] = 1.0);
        let tables = shares.into_iter().map(|s| s as f32).zip(other).collect();
        Sampler::Fixed { weights, total, tables }
    }

    /// Returns the number of classes.
    pub(super) fn range(&self) -> u64 {
        match self {
            Sampler::Uniform(range) | Sampler::LogUniform(range) => *range,
            Sampler::Seen(weights) => weights.weights.len() as u64,
            Sampler::Fixed { weights, .. } => weights.len() as u64,
        }
    }

    fn draw(&self, draws: &mut Draws) -> u64 {
        match self {
            Sampler::Uniform(range) => draws.0.below_u64(*range),
            Sampler::LogUniform(range) => {
                let class = (draws.double() * (*range as f64).ln_1p()).exp() as i64 - 1;
                // Rounding may yield a class past the end.
                class.max(0) as u64 % range
            }
            Sampler::Seen(weights) => weights.pick(draws.0.below_u32(weights.total as u32) as i32) as u64,
            Sampler::Fixed { tables, .. } => {
                let r = draws.0.unit_f32();
                let i = draws.0.below_u32(tables.len() as u32) as usize;
                let (share, other) = tables[i];
                (if r < share { i } else { other }) as u64
            }
        }
    }

    fn probability(&self, class: u64) -> f32 {
        match self {
            Sampler::Uniform(range) => (1.0 / *range as f64) as f32,
            Sampler::LogUniform(range) => {
                let class = class as f64;
                (((class + 2.0) / (class + 1.0)).ln() / (*range as f64).ln_1p()) as f32
            }
            Sampler::Seen(weights) => weights.weights[class as usize] as f32 / weights.total as f32,
            Sampler::Fixed { weights, total, .. } => weights[class as usize] / total,
        }
    }

    /// Records that these classes, all in range, were seen.
    pub(super) fn see(&mut self, classes: &[i64]) {
        if let Sampler::Seen(weights) = self {
            classes.iter().for_each(|class| weights.add_one(*class as usize));
        }
    }

    /// Draws `count` classes, without duplicates if `unique`. Returns them and the number of draws needed. `goes_on`
    /// is called now and then to check for cancellation, since drawing nearly all classes without duplicates takes
    /// long.
    pub(super) fn sample(
        &self,
        draws: &mut Draws,
        count: usize,
        unique: bool,
        goes_on: impl Fn() -> Result<()>,
    ) -> Result<(Vec<i64>, usize)> {
        if !unique {
            let mut classes = Vec::with_capacity(count);
            while classes.len() < count {
                goes_on()?;
                let more = (count - classes.len()).min(ASK_EVERY);
                classes.extend((0..more).map(|_| self.draw(draws) as i64));
            }
            return Ok((classes, count));
        }
        let mut used = HashSet::with_capacity(count);
        let mut classes = Vec::with_capacity(count);
        let mut tries = 0;
        let mut since_last = 0;
        while classes.len() < count {
            if tries % ASK_EVERY == 0 {
                goes_on()?;
            }
            tries += 1;
            since_last += 1;
            let class = self.draw(draws);
            if used.insert(class) {
                classes.push(class as i64);
                since_last = 0;
            } else if since_last > MOST_REJECTIONS {
                return Err(Error::invalid("too few classes have a nonzero probability"));
            }
        }
        Ok((classes, tries))
    }

    /// Returns the expected count of a class among `count` classes that took `tries` draws.
    pub(super) fn expected(&self, class: i64, count: usize, tries: usize) -> f32 {
        let p = self.probability(class as u64);
        if tries == count {
            return p * count as f32;
        }
        -(tries as f32 * (-p).ln_1p()).exp_m1()
    }
}
