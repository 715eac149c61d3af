//! `QuantizedConcat` and `QuantizedConcatV2`: concatenation of quantized tensors, in a range that covers all of
//! theirs.

use crate::code::{Code, Recode, greatest, least, of_code};
use crate::prelude::*;
use crate::{range_outputs, set_range};
use levada_ops_core::moves::axis_of;

attrs! {
    /// Concatenates `values` along an axis, in the range from the minimum of `input_mins` to the maximum of
    /// `input_maxes`.
    pub struct QuantizedConcat {
        /// Number of tensors.
        n: i64 = Attr::int("N").at_least(2),
        /// Quantized type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of the axis.
        index: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
        /// Whether the values come before the axis, and the range of unsigned types begins at 0.
        from_zero: bool = Attr::bool("from_zero"),
    }
}

const VALUES: Arg = arg("values", of("T")).times("N");
const MINS: Arg = arg("input_mins", is(DType::F32)).times("N");
const MAXES: Arg = arg("input_maxes", is(DType::F32)).times("N");

pub static QUANTIZED_CONCAT: Def<QuantizedConcat> = op::<QuantizedConcat>("QuantizedConcat")
    .inputs(&[arg("concat_dim", is(DType::I32)), VALUES, MINS, MAXES])
    .outputs(&[arg("output", of("T")), arg("output_min", is(DType::F32)), arg("output_max", is(DType::F32))])
    .without(&["Tidx"])
    .fixed(&[("from_zero", AttrDefault::Bool(false))])
    .also(&[form("QuantizedConcatV2")
        .doc(
            "Concatenates `values` along an axis, which may be negative to count from the end; the range of an \
            unsigned type begins at 0.",
        )
        .inputs(&[VALUES, arg("axis", of("Tidx")), MINS, MAXES])
        .fixed(&[("from_zero", AttrDefault::Bool(true))])])
    .shape(|_, cx| {
        range_outputs(cx);
        Ok(())
    })
    .kernel(|op, cx| of_code!(op.dtype, |T| concat::<T>(op, cx), else unsupported(cx, op.dtype)))
    .heavy()
    .supports(|op| match op.from_zero {
        true => matches!(op.dtype, DType::QU8 | DType::QI8),
        false => matches!(op.dtype, DType::QU8 | DType::QI32),
    });

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
    } else if op.from_zero {
        range.0 = 0.0;
    }
    // Indices of the first value and of the axis.
    let (values, at_axis) = if op.from_zero { (0, n) } else { (1, 0) };
    let first = cx.input(values)?.shape().clone();
    let dim = match op.index {
        DType::I64 => cx.scalar::<i64>(at_axis)?,
        _ => cx.scalar::<i32>(at_axis)?.into(),
    };
    let axis = axis_of(dim, first.rank()).filter(|_| op.from_zero || dim >= 0);
    let Some(axis) = axis else {
        return Err(
            Error::invalid(format!("Expected concatenating dimensions in the range [0, {})", first.rank())).found(dim)
        );
    };
    let mut dims = first.to_vec();
    for i in 1..n {
        let shape = cx.input(values + i)?.shape();
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
            let value = cx.input(values + i)?;
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
