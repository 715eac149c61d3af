//! Conditional accumulators, which sum gradients until there are enough of them.

use super::monitor::{Monitor, Served, State};
use crate::handle::Shared;
use crate::prelude::*;
use levada_kernel::Arena;
use levada_kernel::watch::{Need, WaitableState};
use std::sync::Arc;

/// A conditional accumulator.
pub(crate) type Accumulator = Monitor<Sum>;

/// The configuration of an accumulator, from the attrs of the op that created it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Config {
    pub(crate) name: String,
    pub(crate) dtype: DType,
    /// Statically known shape of the gradients.
    pub(crate) shape: PartialShape,
    /// Whether the sum is divided by the number of gradients.
    pub(crate) mean: bool,
    /// Whether the gradients are sparse, with only some rows given.
    pub(crate) sparse: bool,
}

/// Sparse rows of a gradient: indices, number of gradients per index, values.
#[derive(Default)]
struct Rows {
    indices: Vec<i64>,
    counts: Vec<i64>,
}

/// The accumulated gradients.
pub(crate) struct Sum {
    /// Global step; gradients of earlier steps are dropped.
    pub(crate) step: i64,
    /// Number of gradients since the sum was last taken.
    pub(crate) count: i64,
    sum: Option<Tensor>,
    rows: Rows,
}

/// A request for the sum of at least this many gradients.
pub(crate) struct Take {
    pub(crate) required: i64,
    pub(crate) arena: Arc<Arena>,
}

impl Shared for Accumulator {
    type Spec = Config;

    fn make(config: Config) -> Result<Accumulator> {
        Ok(Monitor::new(config, Sum { step: 0, count: 0, sum: None, rows: Rows::default() }))
    }

    fn check(&self, asked: &Config) -> Result<()> {
        let this = &self.config;
        let same = this.dtype == asked.dtype
            && this.shape == asked.shape
            && this.sparse == asked.sparse
            && this.mean == asked.mean;
        if same {
            return Ok(());
        }
        Err(Error::invalid(format!("Shared conditional accumulator '{}' is of another kind", this.name))
            .expected(format!("{this:?}"))
            .found(format!("{asked:?}")))
    }
}

impl State for Sum {
    type Config = Config;
    type Want = Take;
    type Answer = Vec<Tensor>;
    type Outputs = Vec<Tensor>;
    const LANES: usize = 1;

    fn lane(_: &Take) -> usize {
        0
    }

    fn serve(&mut self, config: &Config, want: &mut Take) -> Served<Vec<Tensor>> {
        if self.count < want.required {
            return Served::Wait;
        }
        self.step += 1;
        Served::Done(self.take(config, &want.arena))
    }

    fn outputs(_: &Config, answer: Vec<Tensor>) -> Result<Vec<Tensor>> {
        Ok(answer)
    }

    fn describe(&self, config: &Config) -> WaitableState {
        WaitableState {
            kind: "ConditionalAccumulator",
            name: config.name.clone(),
            size: self.count.max(0) as usize,
            capacity: None,
            closed: false,
            min_after_dequeue: 0,
            incomplete: 0,
        }
    }

    fn need(&self, want: &Take) -> Need {
        Need { act: Act::Take, elements: want.required.max(0) as usize, so_far: 0, key: None, turn: false }
    }

    fn cancelled(_: &Take) -> &'static str {
        "TakeGrad operation was cancelled"
    }
}

fn no_kernel(dtype: DType) -> Error {
    Error::unimplemented(format!("accumulators of type {dtype}"))
}

impl Sum {
    fn take(&mut self, config: &Config, arena: &Arc<Arena>) -> Result<Vec<Tensor>> {
        let count = std::mem::take(&mut self.count);
        let rows = std::mem::take(&mut self.rows);
        let mut sum = self.sum.take().ok_or_else(|| Error::internal("an accumulator without a sum"))?;
        if config.mean {
            dispatch!(config.dtype, floats, |T| {
                let divide = |values: &mut [T], n: i64| {
                    values.iter_mut().for_each(|v| *v /= T::from_f64(n as f64));
                };
                make_unique(arena, &mut sum)?;
                match config.sparse {
                    false => divide(sum.slice_mut::<T>()?, count),
                    true => {
                        let width = sum.num_elements() / rows.counts.len().max(1);
                        let values = sum.slice_mut::<T>()?;
                        for (i, &n) in rows.counts.iter().enumerate() {
                            divide(&mut values[i * width..(i + 1) * width], n);
                        }
                    }
                }
            }, else return Err(no_kernel(config.dtype)));
        }
        if !config.sparse {
            return Ok(vec![sum]);
        }
        let first = if config.shape.rank().unwrap_or(0) > 0 { config.shape.dim(0) } else { None };
        let mut shape = sum.shape().to_signed();
        if let Some(d) = shape.first_mut() {
            *d = first.map_or(-1, |d| d as i64);
        }
        Ok(vec![Tensor::vector(rows.indices), sum, Tensor::vector(shape)])
    }

    /// Adds a gradient.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if its shape or dtype does not match.
    pub(crate) fn add(&mut self, config: &Config, gradient: Tensor, arena: &Arc<Arena>) -> Result<()> {
        let known = match &self.sum {
            Some(sum) if self.count > 0 => sum.shape().into(),
            _ => config.shape.clone(),
        };
        if !known.accepts(gradient.shape()) || !config.shape.accepts(gradient.shape()) {
            return Err(Error::invalid(format!("Shape mismatch: expected {known}, got {}", gradient.shape())));
        }
        match &mut self.sum {
            Some(sum) if self.count > 0 => dispatch!(config.dtype, floats, |T| {
                make_unique(arena, sum)?;
                let new = gradient.slice::<T>()?;
                sum.slice_mut::<T>()?.iter_mut().zip(new).for_each(|(s, &g)| *s = Number::add(*s, g));
            }, else return Err(no_kernel(config.dtype))),
            sum => *sum = Some(gradient),
        }
        self.count += 1;
        Ok(())
    }

    /// Adds a sparse gradient, of which only some rows are given.
    ///
    /// # Errors
    /// See [`Sum::add`].
    pub(crate) fn add_rows(
        &mut self,
        config: &Config,
        indices: &Tensor,
        values: Tensor,
        shape: Option<&Tensor>,
        arena: &Arc<Arena>,
    ) -> Result<()> {
        self.check_rows(config, indices, &values, shape)?;
        let indices = indices.slice::<i64>()?;
        match &mut self.sum {
            Some(sum) if self.count > 0 => {
                dispatch!(config.dtype, floats, |T| merge::<T>(&mut self.rows, sum, indices, &values, arena)?,
                    else return Err(no_kernel(config.dtype)));
            }
            sum => {
                self.rows = Rows { indices: indices.to_vec(), counts: vec![1; indices.len()] };
                *sum = Some(values);
            }
        }
        self.count += 1;
        Ok(())
    }

    fn check_rows(&self, config: &Config, indices: &Tensor, values: &Tensor, shape: Option<&Tensor>) -> Result<()> {
        let wrong = |what: String| Err(Error::invalid(what));
        if indices.shape().rank() != 1 {
            return wrong(format!("Input indices should be vector but received shape: {}", indices.shape()));
        }
        if values.shape().is_scalar() {
            return wrong("Values cannot be 0-dimensional.".to_owned());
        }
        let (n, rows) = (indices.num_elements(), values.shape()[0]);
        if n != rows {
            return wrong(format!("Expected {n} non-empty input values, got {rows}"));
        }
        let declared = config.shape.dims().unwrap_or_default();
        if let Some(shape) = shape {
            let given = shape.to_i64s()?;
            if declared.len() > given.len() {
                return wrong(format!(
                    "Shape mismatch: expected shape rank at least {}, got {}",
                    declared.len(),
                    given.len()
                ));
            }
            for (i, (d, g)) in declared.iter().zip(&given).enumerate() {
                if d.is_some_and(|d| d as i64 != *g) {
                    return wrong(format!("Shape mismatch: expected shape dim {i} to be {d:?}, got {g}"));
                }
            }
        }
        for (i, &index) in indices.slice::<i64>()?.iter().enumerate() {
            let limit = declared.first().copied().flatten();
            if limit.is_some_and(|limit| index >= limit as i64) {
                return wrong(format!(
                    "Shape mismatch: index of slice {i} exceeded limits of shape; index is {index} exceeded {limit:?}"
                ));
            }
        }
        let row = &values.shape()[1..];
        match &self.sum {
            Some(sum) if self.count > 0 => {
                if sum.shape()[1..] != *row {
                    return wrong(format!(
                        "Shape mismatch: expected values of shape {}, got {}",
                        sum.shape(),
                        values.shape()
                    ));
                }
            }
            _ => {
                if declared.len() > values.shape().rank() {
                    return wrong(format!(
                        "Shape mismatch: expected values rank at least {}, got {}",
                        declared.len(),
                        values.shape().rank()
                    ));
                }
                for (i, (d, &r)) in declared.iter().skip(1).zip(row).enumerate() {
                    if d.is_some_and(|d| d != r) {
                        return wrong(format!("Shape mismatch: expected values dim {} to be {d:?}, got {r}", i + 1));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Makes a tensor unique, so that later writes copy nothing, by copying it into recycled memory if it is shared.
fn make_unique(arena: &Arc<Arena>, tensor: &mut Tensor) -> Result<()> {
    if !tensor.is_unique() {
        *tensor = crate::rows::join(arena, tensor.dtype(), tensor.shape().clone(), std::iter::once(&*tensor))?;
    }
    Ok(())
}

/// Adds sparse rows to sparse rows; both lists of indices are ascending.
fn merge<T: Number>(
    rows: &mut Rows,
    sum: &mut Tensor,
    indices: &[i64],
    values: &Tensor,
    arena: &Arc<Arena>,
) -> Result<()> {
    /// The source of a row of the result: the sum, the values, or both.
    type Source = (Option<usize>, Option<usize>);
    let mut plan: Vec<Source> = Vec::with_capacity(rows.indices.len() + indices.len());
    let (mut i, mut j) = (0, 0);
    while i < rows.indices.len() || j < indices.len() {
        let source = match (rows.indices.get(i), indices.get(j)) {
            (Some(a), Some(b)) if a == b => (Some(i), Some(j)),
            (Some(a), Some(b)) if a > b => (None, Some(j)),
            (Some(_), _) => (Some(i), None),
            (None, _) => (None, Some(j)),
        };
        i += usize::from(source.0.is_some());
        j += usize::from(source.1.is_some());
        plan.push(source);
    }
    let width: usize = values.shape()[1..].iter().product();
    let shape = Shape::new(std::iter::once(plan.len()).chain(values.shape()[1..].iter().copied()))?;
    let mut out = arena.tensor(sum.dtype(), shape)?;
    let (old, new) = (sum.slice::<T>()?, values.slice::<T>()?);
    let items = out.slice_mut::<T>()?;
    for (r, source) in plan.iter().enumerate() {
        let target = &mut items[r * width..(r + 1) * width];
        match *source {
            (Some(i), Some(j)) => {
                let both = old[i * width..].iter().zip(&new[j * width..]);
                target.iter_mut().zip(both).for_each(|(t, (&a, &b))| *t = a.add(b));
            }
            (Some(i), None) => target.copy_from_slice(&old[i * width..(i + 1) * width]),
            (None, Some(j)) => target.copy_from_slice(&new[j * width..(j + 1) * width]),
            (None, None) => {}
        }
    }
    let count = |s: &Source| s.0.map_or(0, |i| rows.counts[i]) + i64::from(s.1.is_some());
    let index = |s: &Source| s.0.map_or_else(|| s.1.map_or(0, |j| indices[j]), |i| rows.indices[i]);
    *rows = Rows { indices: plan.iter().map(index).collect(), counts: plan.iter().map(count).collect() };
    *sum = out;
    Ok(())
}
