//! `RaggedRange`: a range of values for each row.

use super::rows;
use crate::prelude::*;
use crate::rules::never;
use DType::*;

attrs! {
    /// Returns for each row the values from `starts` up to, but not including, `limits` in steps of `deltas`.
    pub struct RaggedRange {
        /// Element type.
        dtype: DType = Attr::dtype("T", &[BF16, F32, F64, I32, I64]).or_type(I32),
        /// Element type of the splits.
        splits: DType = Attr::dtype("Tsplits", sets::INDEX).or_type(I64),
    }
}

pub static RAGGED_RANGE: Def<RaggedRange> = op("RaggedRange")
    .inputs(&[arg("starts", of("T")), arg("limits", of("T")), arg("deltas", of("T"))])
    .outputs(&[arg("rt_nested_splits", of("Tsplits")), arg("rt_dense_values", of("T"))])
    .shape(shape)
    .gradient(|_, g| never(g))
    .kernel(ragged_range);

fn shape(_: &RaggedRange, cx: &mut ShapeCx<'_>) -> Result<()> {
    let mut rows = PartialShape::Unknown;
    let mut known = true;
    for i in 0..3 {
        let shape = cx.input(i);
        match shape.rank() {
            Some(0) => {}
            Some(1) => rows = rows.merge(&shape)?,
            Some(rank) => {
                return Err(Error::invalid(format!("Shape must be at most rank 1 but is rank {rank}")));
            }
            None => known = false,
        }
    }
    let rows = match rows {
        PartialShape::Unknown if known => Some(1),
        rows => rows.dim(0),
    };
    cx.output_vector(0, rows.and_then(|n| n.checked_add(1)));
    cx.output_vector(1, None);
    Ok(())
}

fn ragged_range(op: &RaggedRange, cx: &mut Cx<'_, '_>) -> Result<()> {
    match op.dtype {
        I32 => op.ranges::<i32>(cx),
        I64 => op.ranges::<i64>(cx),
        F32 => op.ranges::<f32>(cx),
        F64 => op.ranges::<f64>(cx),
        BF16 => op.ranges::<bf16>(cx),
        other => Err(Error::unimplemented(format!("RaggedRange of {other}"))),
    }
}

/// An element type of ranges.
trait Step: Number {
    /// Returns the number of values from `self` up to, but not including, `limit`; `None` if it does not fit.
    fn count(self, limit: Self, delta: Self) -> Option<i64>;
}

macro_rules! steps {
    (int $($int:ty),*; float $($float:ty),*) => {
        $(impl Step for $int {
            fn count(self, limit: Self, delta: Self) -> Option<i64> {
                if (delta > 0) == (limit < self) || limit == self {
                    return Some(0);
                }
                let (span, step) = (i128::from(limit).abs_diff(self.into()), i128::from(delta).unsigned_abs());
                i64::try_from(span.div_ceil(step)).ok()
            }
        })*
        $(impl Step for $float {
            fn count(self, limit: Self, delta: Self) -> Option<i64> {
                let (start, limit, delta) = (f64::from(self), f64::from(limit), f64::from(delta));
                if (delta > 0.0 && limit < start) || (delta < 0.0 && limit > start) {
                    return Some(0);
                }
                let quotient = f64::from(Self::from_f64((limit - start) / delta));
                let size = quotient.abs().ceil();
                // Also false for NaN.
                (size < i64::MAX as f64).then_some(size as i64)
            }
        })*
    };
}

steps!(int i32, i64; float f32, f64, bf16);

impl RaggedRange {
    fn ranges<T: Step>(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let mut rows = None;
        for (i, name) in ["starts", "limits", "deltas"].into_iter().enumerate() {
            match cx.input(i)?.shape().dims() {
                [] => {}
                &[n] if rows.is_none_or(|rows| rows == n) => rows = Some(n),
                [_] => return Err(Error::invalid("starts, limits, and deltas must have the same shape")),
                _ => return Err(Error::invalid(format!("{name} must be a scalar or vector"))),
            }
        }
        let (starts, limits, deltas) = (cx.slice::<T>(0)?, cx.slice::<T>(1)?, cx.slice::<T>(2)?);
        let at = |all: &[T], row: usize| if all.len() == 1 { all[0] } else { all[row] };
        let most = if self.splits == I64 { i64::MAX } else { i64::from(i32::MAX) };
        let too_many = || Error::invalid(format!("Requires ((limit - start) / delta) <= {most}"));
        let mut splits = vec![0i64];
        let mut total = 0i64;
        for row in 0..rows.unwrap_or(1) {
            let delta = at(deltas, row);
            if delta.is_zero() {
                return Err(Error::invalid("Requires delta != 0"));
            }
            let size = at(starts, row).count(at(limits, row), delta).ok_or_else(too_many)?;
            total = total.checked_add(size).filter(|&n| n <= most).ok_or_else(too_many)?;
            splits.push(total);
        }
        let counted = Shape::from_signed(&[total])
            .map_err(|_| Error::resource_exhausted(format!("there is no memory for {total} numbers")))?;
        let mut values = cx.alloc(T::DTYPE, &counted)?;
        let out = values.slice_mut::<T>()?;
        for (row, ends) in splits.windows(2).enumerate() {
            let (mut value, delta) = (at(starts, row), at(deltas, row));
            for o in &mut out[ends[0] as usize..ends[1] as usize] {
                *o = value;
                value = value.add(delta);
            }
        }
        cx.set(0, rows::splits(self.splits, splits)?);
        cx.set(1, values);
        Ok(())
    }
}
