//! `QuantizedConcat`: tensors of codes put together, in a range that holds those of all.

use crate::code::{Code, Recode, greatest, least, of_code};
use crate::prelude::*;
use crate::{range_outputs, set_range};

attrs! {
    /// `values` put together along an axis, all in the range from the least of `input_mins` to the greatest of `input_maxes`.
    pub struct QuantizedConcat {
        /// Number of tensors.
        n: i64 = Attr::int("N").at_least(2),
        /// Type of the codes.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static QUANTIZED_CONCAT: Def<QuantizedConcat> = op::<QuantizedConcat>("QuantizedConcat")
    .inputs(&[
        arg("concat_dim", is(DType::I32)),
        arg("values", of("T")).times("N"),
        arg("input_mins", is(DType::F32)).times("N"),
        arg("input_maxes", is(DType::F32)).times("N"),
    ])
    .outputs(&[arg("output", of("T")), arg("output_min", is(DType::F32)), arg("output_max", is(DType::F32))])
    .shape(|_, cx| {
        range_outputs(cx);
        Ok(())
    })
    .host_inputs(&[0])
    .kernel(|op, cx| of_code!(op.dtype, |T| concat::<T>(op, cx), else unsupported(cx, op.dtype)))
    .heavy()
    .supports(|op| matches!(op.dtype, DType::QU8 | DType::QI32));

fn concat<T: Code>(op: &QuantizedConcat, cx: &mut Cx<'_, '_>) -> Result<()> {
    let n = usize::try_from(op.n).unwrap_or(0);
    let ranges: Vec<(f32, f32)> =
        (1..=n).map(|i| Ok((cx.scalar(n + i)?, cx.scalar(2 * n + i)?))).collect::<Result<_>>()?;
    let mut range = (f32::MAX, f32::MIN);
    for &(min, max) in &ranges {
        range = (least(range.0, min), greatest(range.1, max));
    }
    if T::SMALLEST < 0 {
        let largest = greatest(range.0.abs(), range.1.abs());
        range = (-largest, largest);
    }
    let first = cx.input(1)?.shape().clone();
    let dim: i32 = cx.scalar(0)?;
    let axis = usize::try_from(dim).ok().filter(|&axis| axis < first.rank());
    let Some(axis) = axis else {
        return Err(
            Error::invalid(format!("Expected concatenating dimensions in the range [0, {})", first.rank())).found(dim)
        );
    };
    let mut dims = first.to_vec();
    for i in 2..=n {
        let shape = cx.input(i)?.shape();
        let fits = shape.rank() == first.rank() && (0..first.rank()).all(|d| d == axis || shape[d] == first[d]);
        if !fits {
            return Err(Error::invalid(
                "Dimensions of inputs should match but for that along which they are concatenated",
            )
            .expected(format!("sizes as in {first}"))
            .found(shape));
        }
        dims[axis] += shape[axis];
    }
    let shape = Shape::new(dims)?;
    let inner: usize = first[axis + 1..].iter().product();
    let row = shape[axis] * inner;
    cx.produce::<T>(0, &shape, |cx, out| {
        let mut at = 0;
        for (i, &from) in ranges.iter().enumerate() {
            let value = cx.input(i + 1)?;
            let width = value.shape()[axis] * inner;
            let codes = value.slice::<T>()?;
            let recode = (from != range).then(|| Recode::new::<T, T>(from, range));
            for (out, codes) in out.chunks_mut(row.max(1)).zip(codes.chunks(width.max(1))) {
                let out = &mut out[at..at + codes.len()];
                match recode {
                    None => out.copy_from_slice(codes),
                    Some(recode) => out.iter_mut().zip(codes).for_each(|(out, &code)| *out = recode.call::<T, T>(code)),
                }
            }
            at += width;
        }
        Ok(())
    })?;
    set_range(cx, range);
    Ok(())
}
