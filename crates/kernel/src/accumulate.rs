//! Sums to which loops add a product in every iteration, such as the gradient of a weight: several products are added at a
//! time, so that the sum is read and written once for all of them.
//!
//! The kernel in the loop, [`Accumulate`], keeps the factors of a few products with the sum, as a [`Pending`] variant that
//! takes the place of the sum in the loop. [`Settle`] is the kernel after the loop, which adds the products that are left.
//! Each element is added to in the same order as if each iteration did it, so results stay bit-identical.

use crate::epilogue::Finished;
use crate::io::{Entry, Io};
use crate::kernel::{AnyKernel, Cost};
use crate::pool::Pool;
use levada_graph::{DType, Error, Result, Tensor, Variant, VariantValue};
use std::sync::Arc;

/// The factors of a product.
pub type Factors = [Tensor; 2];

/// How a product's kernel adds its results to a sum.
#[derive(Clone, Copy)]
pub struct Accumulation {
    /// Whether each factor is transposed.
    pub transposed: [bool; 2],
    /// True if `add` computes products of these factors for this sum, and rounds as the product and a sum after it do.
    pub fits: fn(transposed: [bool; 2], sum: &Tensor, factors: &Factors) -> bool,
    /// True if `add` is faster with several products of such factors than with one after the other.
    pub gains: fn(transposed: [bool; 2], factors: &Factors) -> bool,
    /// Adds one product after the other. All of them fit, and have factors of the same shapes.
    pub add: fn(transposed: [bool; 2], pool: &Pool, sum: &mut Tensor, factors: &[Factors]) -> Result<()>,
}

impl Accumulation {
    pub(crate) fn fits(&self, sum: &Tensor, factors: &Factors) -> bool {
        (self.fits)(self.transposed, sum, factors)
    }

    pub(crate) fn add(&self, pool: &Pool, sum: &mut Tensor, factors: &[Factors]) -> Result<()> {
        (self.add)(self.transposed, pool, sum, factors)
    }
}

/// Products that are added at a time, at most.
const MOST: usize = 8;
/// The minimum size in bytes of a sum that does not stay in the nearest caches.
const FAR: usize = 256 << 10;

/// A sum, and the factors of products that are still to be added to it.
#[derive(Clone, Debug)]
struct Pending {
    sum: Tensor,
    factors: Vec<Factors>,
}

impl VariantValue for Pending {
    fn type_name(&self) -> &'static str {
        "levada::Pending"
    }
}

impl Pending {
    /// The value in an entry, if that is one.
    fn of(entry: &mut Entry) -> Option<&mut Pending> {
        match entry {
            Entry::Value(tensor) if tensor.dtype() == DType::Variant => {
                tensor.slice_mut::<Variant>().ok()?.first_mut()?.get_mut()
            }
            _ => None,
        }
    }

    /// A copy of the value in an entry, if that is one that others see as well.
    fn shared(entry: &Entry) -> Option<Pending> {
        let tensor = entry.tensor().filter(|tensor| tensor.dtype() == DType::Variant)?;
        tensor.slice::<Variant>().ok()?.first()?.get::<Pending>().cloned()
    }

    /// The sum, once all products have been added.
    fn settle(&mut self, how: Accumulation, pool: &Pool) -> Result<&Tensor> {
        let factors = std::mem::take(&mut self.factors);
        if !factors.is_empty() {
            how.add(pool, &mut self.sum, &factors)?;
        }
        Ok(&self.sum)
    }

    /// True if the product of these factors can be kept as well.
    fn takes(&self, how: Accumulation, factors: &Factors) -> bool {
        let alike = |first: &Factors| (0..2).all(|i| first[i].shape() == factors[i].shape());
        self.factors.first().is_none_or(alike) && how.fits(&self.sum, factors)
    }

    fn put(&mut self, factors: Factors, how: Accumulation, pool: &Pool) -> Result<()> {
        let most = most_kept(self.sum.num_bytes(), bytes(&factors));
        self.factors.push(factors);
        if self.factors.len() >= most {
            self.settle(how, pool)?;
        }
        Ok(())
    }
}

fn bytes(factors: &Factors) -> usize {
    factors.iter().map(Tensor::num_bytes).sum()
}

/// The maximum number of products whose factors are kept: they take no more memory than the sum does. `sum`, `factors`: sizes in
/// bytes of the sum and of the factors of a product.
pub fn most_kept(sum: usize, factors: usize) -> usize {
    if sum < FAR { 0 } else { MOST.min(sum / factors.max(1)) }
}

/// The kernel of a product and of its addition to a sum that the loop carries.
pub(crate) struct Accumulate {
    finished: Arc<Finished>,
    how: Accumulation,
    sum: usize,
}

/// The kernel that adds the products that are left; passes on what is not a [`Pending`] sum.
pub(crate) struct Settle {
    finished: Arc<Finished>,
    how: Accumulation,
}

/// Kernels that carry a sum through a loop.
pub struct Carried {
    /// The input of the node that adds to the sum: the sum.
    pub sum: usize,
    /// The kernel of that node.
    pub accumulate: Arc<dyn AnyKernel>,
    /// The kernel of the node that takes the sum after the loop.
    pub settle: Arc<dyn AnyKernel>,
}

impl Carried {
    /// The kernels for the group of a kernel; `None` if it is not a product and its addition to a sum.
    pub(crate) fn new(finished: Finished) -> Option<Carried> {
        let (how, sum) = finished.accumulation()?;
        let finished = Arc::new(finished);
        let settle = Arc::new(Settle { finished: finished.clone(), how });
        Some(Carried { sum, accumulate: Arc::new(Accumulate { finished, how, sum }), settle })
    }
}

/// Replaces an input that is a [`Pending`] sum by the sum itself.
fn settle(io: &mut Io<'_>, i: usize, how: Accumulation) -> Result<()> {
    let pool = io.env().pool.clone();
    let Some(entry) = io.entry(i) else { return Ok(()) };
    let sum = match Pending::of(entry) {
        Some(pending) => pending.settle(how, &pool)?.clone(),
        None => match Pending::shared(entry) {
            Some(mut pending) => pending.settle(how, &pool)?.clone(),
            None => return Ok(()),
        },
    };
    // The entry held it as well.
    io.replace(i, sum);
    Ok(())
}

impl AnyKernel for Accumulate {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let named = |error: Error| self.finished.named(error);
        let factors = [io.input(0)?.clone(), io.input(1)?.clone()];
        // An observer sees the sum of every iteration.
        let (is_observed, pool) = (io.env().observer.is_some(), io.env().pool.clone());
        if let Some(entry) = io.entry(self.sum)
            && let Some(pending) = Pending::of(entry)
            && !is_observed
            && pending.takes(self.how, &factors)
        {
            pending.put(factors, self.how, &pool).map_err(named)?;
            let entry = std::mem::take(entry);
            io.set_entry(0, entry);
            return Ok(());
        }
        settle(io, self.sum, self.how).map_err(named)?;
        let sum = io.input(self.sum)?;
        let (dtype, shape) = (sum.dtype(), sum.shape().clone());
        if !is_observed
            && self.how.fits(sum, &factors)
            && (self.how.gains)(self.how.transposed, &factors)
            && most_kept(sum.num_bytes(), bytes(&factors)) > 1
            && let Some(sum) = io.forward(self.sum, dtype, &shape)
        {
            io.set(0, Tensor::scalar(Variant::new(Pending { sum, factors: vec![factors] })));
            return Ok(());
        }
        self.finished.compute(io)
    }

    fn cost(&self) -> Cost {
        Cost::Heavy
    }
}

impl AnyKernel for Settle {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        settle(io, 0, self.how).map_err(|error| self.finished.named(error))?;
        let sum = io.take(0)?;
        io.set(0, sum);
        Ok(())
    }

    fn cost(&self) -> Cost {
        Cost::Heavy
    }
}
