//! `LowerBound` and `UpperBound`: insertion points of values in sorted rows.

use crate::prelude::*;
use std::cmp::Ordering;

attrs! {
    /// The attrs of searches in sorted rows.
    pub struct Bound {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of the result.
        out: DType = Attr::dtype("out_type", sets::INDEX).or_type(DType::I32),
    }
}

const INPUTS: &[Arg] = &[arg("sorted_inputs", of("T")), arg("values", of("T"))];
const OUTPUTS: &[Arg] = &[arg("output", of("out_type"))];

const fn bound(name: &'static str, kernel: fn(&Bound, &mut Cx<'_, '_>) -> Result<()>) -> Def<Bound> {
    op::<Bound>(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .shape(|_, cx| {
            cx.with_rank(0, 2)?;
            let values = cx.with_rank(1, 2)?;
            cx.output(0, values);
            Ok(())
        })
        .kernel(kernel)
        .heavy()
}

pub static LOWER_BOUND: Def<Bound> = bound("LowerBound", |op, cx| {
    dispatch!(op.dtype, reals, |T| count::<T>(op, cx, |sorted, value| sorted < value), else unsupported(cx, op.dtype))
})
.doc("Returns for each value the number of elements of its sorted row that are less than it.");

pub static UPPER_BOUND: Def<Bound> = bound("UpperBound", |op, cx| {
    dispatch!(
        op.dtype,
        reals,
        |T| count::<T>(op, cx, |sorted, value| value.partial_cmp(sorted) != Some(Ordering::Less)),
        else unsupported(cx, op.dtype)
    )
})
.doc("Returns for each value the number of elements of its sorted row that are less than or equal to it.");

/// Dispatches on the output's integer type.
fn count<T: Real>(op: &Bound, cx: &mut Cx<'_, '_>, before: impl Fn(&T, &T) -> bool + Send + Sync) -> Result<()> {
    match op.out {
        DType::I32 => search::<T, i32>(cx, before),
        _ => search::<T, i64>(cx, before),
    }
}

/// Sets the output to the number of elements of the row that come before each value.
fn search<T: Real, I: Number>(cx: &mut Cx<'_, '_>, before: impl Fn(&T, &T) -> bool + Send + Sync) -> Result<()> {
    let (sorted, values) = (cx.input(0)?, cx.input(1)?);
    for (name, tensor) in [("sorted_inputs", sorted), ("values", values)] {
        if tensor.shape().rank() != 2 {
            return Err(Error::invalid(format!(
                "Shape must be rank 2 but is rank {} for `{name}` argument",
                tensor.shape().rank()
            )));
        }
    }
    if sorted.shape()[0] != values.shape()[0] {
        return Err(Error::invalid("Leading dim_size of both tensors must match."));
    }
    let (length, width) = (sorted.shape()[1], values.shape()[1]);
    if I::DTYPE == DType::I32 && (length >= i32::MAX as usize || values.num_elements() >= i32::MAX as usize) {
        return Err(Error::invalid("sorted_inputs and values must have less than 2^31 - 1 elements for int32 output"));
    }
    let shape = values.shape().clone();
    let (rows, values) = (sorted.slice::<T>()?.to_vec(), values.slice::<T>()?.to_vec());
    cx.produce::<I>(0, &shape, |cx, out| {
        let nanos = 5.0 + 3.0 * (length.max(1) as f64).log2();
        cx.pool().for_chunks(out, 1, nanos, |first, piece| {
            for (i, o) in (first..).zip(piece) {
                let row = &rows[i / width * length..(i / width + 1) * length];
                *o = I::from_usize(row.partition_point(|s| before(s, &values[i])));
            }
        });
        Ok(())
    })
}
