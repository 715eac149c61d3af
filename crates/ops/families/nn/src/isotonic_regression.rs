//! `IsotonicRegression`: least-squares fits of non-increasing sequences.

use crate::prelude::*;
use crate::rules::{Handles, UNSORTED_SEGMENT_SUM, concat, expand, first, int, range};

attrs! {
    /// Fits a non-increasing sequence to each row (last axis) by least squares; also returns the segment index of each
    /// element, where a segment is a run of elements pooled to the same value.
    pub struct IsotonicRegression {
        /// Element type of `input`.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// Element type of the result: that of a float `input`, float32 for 8 and 16 bits, float64 for longer integers.
        output: DType = Attr::dtype("output_dtype", sets::FLOATS).or_type(DType::F32),
    }
}

pub static ISOTONIC_REGRESSION: Def<IsotonicRegression> = op("IsotonicRegression")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("output", of("output_dtype")), arg("segments", is(DType::I32))])
    .shape(|_: &IsotonicRegression, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(gradient)
    .kernel(|op, cx| {
        dispatch!(op.dtype, reals, |T| {
            dispatch!(op.output, floats, |O| regression::<T, O>(cx), else unsupported(cx, op.output))
        }, else unsupported(cx, op.dtype))
    })
    .heavy()
    .supports(|op| {
        op.dtype == op.output
            || matches!(
                (op.dtype, op.output),
                (DType::I8 | DType::U8 | DType::I16 | DType::U16, DType::F32)
                    | (DType::I32 | DType::U32 | DType::I64 | DType::U64, DType::F64)
            )
    });

/// Each element receives the mean of the gradients of its segment.
fn gradient(op: &IsotonicRegression, g: &GradCx) -> Grads {
    let (dy, segments) = (g.dy(0), g.output(1));
    let last = dy.rank_found().reshape(g.ints(&[1])) - 1.0;
    let columns = g.primitive(Primitive::Slice, &[dy.dims(), last, g.ints(&[1])], &[]).reshape(g.ints(&[]));
    let size = dy.size();
    let rows = size.floor_div(columns.maximum(int(g, 1)));
    let dims = concat(g, &[rows.reshape(g.ints(&[1])), columns.reshape(g.ints(&[1]))], 0);
    let starts = expand(g, range(g, rows) * columns, -1);
    let flat = (segments.reshape(dims) + starts).reshape(g.ints(&[-1]));
    let sum = |values| UNSORTED_SEGMENT_SUM.call([values, flat, size]);
    let flat_dy = dy.reshape(g.ints(&[-1]));
    let means = sum(flat_dy).div_no_nan(sum(flat_dy.ones_like()));
    first(g, means.gather(flat).reshape(dy.dims()).cast(op.dtype))
}

/// A segment of pooled elements.
struct Pool<O> {
    sum: O,
    mean: O,
    count: usize,
}

fn regression<T: Real, O: Float>(cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    let columns = shape.last().copied().unwrap_or(1);
    if shape.iter().any(|&n| i32::try_from(n).is_err()) {
        return Err(Error::invalid("Tensor too large").found(format!("shape {shape}")));
    }
    let mut segments = cx.alloc(DType::I32, &shape)?;
    let numbers = segments.slice_mut::<i32>()?;
    cx.produce::<O>(0, &shape, |cx, out| {
        if out.is_empty() {
            return Ok(());
        }
        let mut pools: Vec<Pool<O>> = Vec::new();
        let rows = cx.slice::<T>(0)?.chunks_exact(columns);
        for (row, (out, numbers)) in rows.zip(out.chunks_exact_mut(columns).zip(numbers.chunks_exact_mut(columns))) {
            pools.clear();
            for &x in row {
                let x = O::from_f64(x.to_f64());
                let mut last = Pool { sum: x, mean: x, count: 1 };
                while let Some(before) = pools.pop_if(|before| last.mean > before.mean) {
                    let (sum, count) = (before.sum.add(last.sum), before.count + last.count);
                    last = Pool { sum, mean: O::of_base(sum.base() / O::from_usize(count).base()), count };
                }
                pools.push(last);
            }
            let mut at = 0;
            for (number, pool) in (0..).zip(&pools) {
                out[at..at + pool.count].fill(pool.mean);
                numbers[at..at + pool.count].fill(number);
                at += pool.count;
            }
        }
        Ok(())
    })?;
    cx.set(1, segments);
    Ok(())
}
