//! Mini-batches: feeds whose next rows go to each step.

use crate::args::BatchArgs;
use levada::executor::plan::PlanFeed;
use levada::graph::Bytes;
use levada::{Error, Result, Shape, Tensor};

/// Splits feeds into batches along their first axis, the same rows of each, epoch after epoch.
#[derive(Debug)]
pub struct Batches {
    /// For every feed whether it is split.
    sliced: Vec<bool>,
    size: usize,
    rows: usize,
    /// Batches per epoch.
    per_epoch: usize,
    /// Epochs; `None` for as many as the steps need.
    epochs: Option<u64>,
    shuffle: Option<Random>,
    /// The order of the rows in this epoch, if they are shuffled.
    order: Vec<usize>,
    /// The next batch of this epoch.
    next: usize,
    /// Epochs that have begun.
    begun: u64,
}

impl Batches {
    /// Batches of these feeds; the last `whole` and scalars are not split. `None` if no batches are requested.
    ///
    /// # Errors
    /// Feeds of different lengths, and batches that do not have the shape of their placeholder.
    pub fn new(
        args: &BatchArgs,
        steps: Option<u64>,
        fed: &[PlanFeed],
        feeds: &[Tensor],
        whole: usize,
    ) -> Result<Option<Batches>> {
        let Some(size) = args.batch else { return Ok(None) };
        let cut = feeds.len() - whole;
        let sliced: Vec<bool> = feeds.iter().enumerate().map(|(i, f)| i < cut && !f.shape().is_scalar()).collect();
        let lengths = || fed.iter().zip(feeds).zip(&sliced).filter(|(_, sliced)| **sliced).map(|((p, f), _)| (p, f));
        let Some(rows) = lengths().map(|(_, f)| f.shape()[0]).next() else {
            return Err(Error::invalid(format!("--batch {size}: no feed has rows to make batches of"))
                .help("give arrays with --feed; scalars and values of --feed-whole are the same in every step"));
        };
        if lengths().any(|(_, f)| f.shape()[0] != rows) {
            let found: Vec<String> = lengths().map(|(p, f)| format!("{} has {}", p.name, f.shape()[0])).collect();
            return Err(Error::invalid(format!("--batch {size}: the feeds do not have the same number of rows"))
                .found(found.join(", "))
                .help("give a value that is the same in every step with --feed-whole"));
        }
        let rest = rows % size;
        let faults = lengths().filter_map(|(p, f)| misfit(p, f, size, rest, args.drop_remainder));
        if let Some(error) = Error::join(faults.collect()) {
            return Err(error);
        }
        let per_epoch = if args.drop_remainder { rows / size } else { rows.div_ceil(size) };
        if per_epoch == 0 {
            let error = Error::invalid(format!("--batch {size}: the feeds have too few rows for a batch"));
            return Err(error.found(format!("{rows} rows")));
        }
        // Without a number of steps there is one epoch.
        let epochs = args.epochs.or(if steps.is_some() { None } else { Some(1) });
        let shuffle = args.shuffle.map(Random);
        Ok(Some(Batches { sliced, size, rows, per_epoch, epochs, shuffle, order: Vec::new(), next: 0, begun: 0 }))
    }

    /// Number of batches; `None` if unbounded.
    pub fn count(&self) -> Option<u64> {
        Some(self.epochs?.saturating_mul(self.per_epoch as u64))
    }

    /// `2 epochs of 12 batches`.
    pub fn describe(&self) -> String {
        let epochs = self.epochs.unwrap_or(self.begun) as usize;
        format!(
            "{} of {}",
            crate::show::count(epochs, "epoch"),
            match self.per_epoch {
                1 => "1 batch".to_owned(),
                n => format!("{n} batches"),
            }
        )
    }

    /// The feeds of the next step; `None` if there are no more.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if there is not enough memory.
    pub fn next(&mut self, feeds: &[Tensor]) -> Result<Option<Vec<Tensor>>> {
        if self.next == self.per_epoch || self.begun == 0 {
            if self.epochs == Some(self.begun) {
                return Ok(None);
            }
            self.begun += 1;
            self.next = 0;
            if let Some(random) = &mut self.shuffle {
                self.order = random.permutation(self.rows);
            }
        }
        let range = self.next * self.size..((self.next + 1) * self.size).min(self.rows);
        self.next += 1;
        let batch = |(feed, sliced): (&Tensor, &bool)| match sliced {
            false => Ok(feed.clone()),
            true if self.order.is_empty() => feed.rows(range.clone()),
            true => gather(feed, &self.order[range.clone()]),
        };
        feeds.iter().zip(&self.sliced).map(batch).collect::<Result<_>>().map(Some)
    }
}

/// Why a feed cannot be split into batches for this placeholder.
fn misfit(fed: &PlanFeed, feed: &Tensor, size: usize, rest: usize, drop_remainder: bool) -> Option<Error> {
    let name = &fed.name;
    let rows = |n: usize| std::iter::once(n).chain(feed.shape().iter().skip(1).copied());
    let batch = Shape::new(rows(size)).ok()?;
    if !fed.shape.accepts(&batch) {
        let fixed = fed.shape.dims().and_then(|dims| *dims.first()?);
        let error = Error::invalid(format!("--batch {size} does not fit {name}"))
            .node(name)
            .expected(format!("shape {}", fed.shape))
            .found(format!("batches of shape {batch}, of an array of shape {}", feed.shape()));
        return Some(match fixed.filter(|&n| n != size) {
            Some(n) => {
                error.help(format!("--batch {n}, or --feed-whole {name}=... where it is the same in every step"))
            }
            None => error.help(format!("--feed-whole {name}=... gives an array that is the same in every step")),
        });
    }
    let last = Shape::new(rows(rest)).ok()?;
    if rest > 0 && !drop_remainder && !fed.shape.accepts(&last) {
        let error = Error::invalid(format!("the last batch for {name} is too small: {rest} of {size} rows"))
            .node(name)
            .expected(format!("shape {}", fed.shape))
            .found(format!("shape {last}, the rest of {} rows", feed.shape()[0]));
        return Some(error.help("--drop-remainder leaves the last batch out"));
    }
    None
}

/// These rows of a tensor.
fn gather(tensor: &Tensor, rows: &[usize]) -> Result<Tensor> {
    let shape = Shape::new(std::iter::once(rows.len()).chain(tensor.shape().iter().skip(1).copied()))?;
    match tensor.bytes() {
        Some(bytes) => {
            let row = bytes.len() / tensor.shape()[0].max(1);
            let mut gathered = Tensor::try_zeros(tensor.dtype(), shape)?;
            let out = gathered.bytes_mut().ok_or_else(|| Error::internal("a new tensor is shared"))?;
            for (to, &from) in out.chunks_exact_mut(row.max(1)).zip(rows) {
                to.copy_from_slice(&bytes[from * row..(from + 1) * row]);
            }
            Ok(gathered)
        }
        None => {
            let strings = tensor.slice::<Bytes>()?;
            let row = strings.len() / tensor.shape()[0].max(1);
            let gathered = rows.iter().flat_map(|&from| strings[from * row..(from + 1) * row].iter().cloned());
            Tensor::from_vec(shape, gathered.collect())
        }
    }
}

/// A generator whose random numbers are the same on every machine: SplitMix64.
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The numbers below `n` in a random order.
    fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            let j = (u128::from(self.next()) * (i as u128 + 1)) >> 64;
            order.swap(i, j as usize);
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use levada::{DType, PartialShape};

    fn fed(name: &str, dims: &[i64]) -> PlanFeed {
        let shape = PartialShape::from_signed(dims);
        PlanFeed { name: name.into(), dtype: DType::I32, shape, edges: Default::default() }
    }

    fn batches(args: BatchArgs, steps: Option<u64>, dims: &[i64]) -> Result<Vec<Vec<i32>>> {
        let feeds = [Tensor::from_vec(Shape::new([5, 1])?, vec![0i32, 1, 2, 3, 4])?, Tensor::scalar(7i32)];
        let fed = [fed("x", dims), fed("k", &[])];
        let mut batches = Batches::new(&args, steps, &fed, &feeds, 0)?.unwrap();
        let mut all = Vec::new();
        while let Some(batch) = batches.next(&feeds)? {
            assert_eq!(batch[1], feeds[1]);
            all.push(batch[0].slice::<i32>()?.to_vec());
            if steps == Some(all.len() as u64) {
                break;
            }
        }
        Ok(all)
    }

    #[test]
    fn rows_come_in_batches() {
        let args = || BatchArgs { batch: Some(2), ..BatchArgs::default() };
        let pairs: [Vec<i32>; 3] = [vec![0, 1], vec![2, 3], vec![4]];
        assert_eq!(batches(args(), None, &[-1, 1]).unwrap(), pairs);
        assert_eq!(batches(args(), Some(4), &[-1, 1]).unwrap()[3], [0, 1]);
        let dropped = BatchArgs { drop_remainder: true, epochs: Some(2), ..args() };
        assert_eq!(batches(dropped, Some(9), &[2, 1]).unwrap(), [[0, 1], [2, 3], [0, 1], [2, 3]]);
        let shuffled = batches(BatchArgs { shuffle: Some(1), epochs: Some(2), ..args() }, None, &[-1, 1]).unwrap();
        let mut epochs: Vec<Vec<i32>> = shuffled.chunks(3).map(<[_]>::concat).collect();
        assert_ne!(epochs[0], epochs[1]);
        for epoch in &mut epochs {
            epoch.sort_unstable();
            assert_eq!(*epoch, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn what_does_not_fit_is_told_with_the_flag_that_helps() {
        let args = |batch| BatchArgs { batch: Some(batch), ..BatchArgs::default() };
        let fault = |batch, dims: &[i64]| batches(args(batch), None, dims).unwrap_err().to_string();
        assert!(fault(2, &[2, 1]).contains("--drop-remainder"));
        assert!(fault(3, &[5, 1]).contains("--batch 5"));
        assert!(fault(3, &[-1, 2]).contains("--feed-whole x=..."));
        let none = BatchArgs { drop_remainder: true, ..args(9) };
        assert!(batches(none, None, &[-1, 1]).unwrap_err().to_string().contains("5 rows"));
        let feeds = [Tensor::vector(vec![1i32, 2]), Tensor::vector(vec![1i32])];
        let fed = [fed("x", &[-1]), fed("y", &[-1])];
        let error = Batches::new(&args(1), None, &fed, &feeds, 0).unwrap_err().to_string();
        assert!(error.contains("x has 2, y has 1"), "{error}");
    }
}
