//! `Range`: an arithmetic sequence.

use crate::moves::is_scalar_like;
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Returns the sequence `start`, `start + delta`, ... up to but not including `limit`.
    pub struct Range {
        /// Element type.
        dtype: DType = Attr::dtype("Tidx", sets::REALS).or_type(DType::I32),
    }
}

/// Element types of `Range`.
trait Step: Real {
    /// Returns the number of values from `start` to `limit` in steps of `delta`.
    fn count(start: Self, limit: Self, delta: Self) -> Option<usize>;
}

macro_rules! steps {
    (integers $($int:ty),*; floats $($float:ty),*) => {
        $(impl Step for $int {
            fn count(start: Self, limit: Self, delta: Self) -> Option<usize> {
                let span = (limit as i128 - start as i128).unsigned_abs();
                usize::try_from(span.div_ceil((delta as i128).unsigned_abs())).ok()
            }
        })*
        $(impl Step for $float {
            fn count(start: Self, limit: Self, delta: Self) -> Option<usize> {
                // The division is in the type's own precision, as in TensorFlow.
                let steps = Self::of_base((limit.sub(start)).base() / delta.base());
                let count = steps.to_f64().abs().ceil();
                (count < i64::MAX as f64).then_some(count as usize)
            }
        })*
    };
}

steps! { integers i8, i16, i32, i64, u8, u16, u32, u64; floats f32, f64, f16, bf16 }

fn count<T: Step>(start: T, limit: T, delta: T) -> Result<usize> {
    let zero = T::zero();
    if delta == zero {
        return Err(Error::invalid("Requires delta != 0: 0"));
    }
    let (sign, in_order) = if delta > zero { (">", start <= limit) } else { ("<", start >= limit) };
    if !in_order {
        let order = if sign == ">" { "<=" } else { ">=" };
        return Err(Error::invalid(format!(
            "Requires start {order} limit when delta {sign} 0: {}/{}",
            start.to_f64(),
            limit.to_f64()
        )));
    }
    T::count(start, limit, delta)
        .ok_or_else(|| Error::invalid(format!("Requires ((limit - start) / delta) <= {}", i64::MAX)))
}

pub static RANGE: Def<Range> = op("Range")
    .inputs(&[arg("start", of("Tidx")), arg("limit", of("Tidx")), arg("delta", of("Tidx"))])
    .outputs(&[arg("output", of("Tidx"))])
    .counts("Tidx")
    .shape(shape)
    .gradient(|_, g| never(g))
    .host_inputs(&[0, 1, 2])
    .kernel(range)
    .heavy();

fn shape(op: &Range, cx: &mut ShapeCx<'_>) -> Result<()> {
    let known = match (cx.constant(0), cx.constant(1), cx.constant(2)) {
        (Some(a), Some(b), Some(c)) => dispatch!(op.dtype, reals, |T| {
            Some(count::<T>(a.item()?, b.item()?, c.item()?)?)
        }, else None),
        _ => None,
    };
    cx.output_vector(0, known);
    Ok(())
}

fn range(op: &Range, cx: &mut Cx<'_, '_>) -> Result<()> {
    for (i, name) in ["start", "limit", "delta"].iter().enumerate() {
        let shape = cx.input(i)?.shape();
        if !is_scalar_like(cx.input(i)?) {
            return Err(Error::invalid(format!("{name} must be a scalar, not shape {shape}")));
        }
    }
    dispatch!(op.dtype, reals, |T| {
        let (start, limit, delta) = (cx.scalar::<T>(0)?, cx.scalar::<T>(1)?, cx.scalar::<T>(2)?);
        let count = count(start, limit, delta)?;
        let shape = Shape::new([count])
            .map_err(|_| Error::resource_exhausted(format!("a range of {count} numbers does not fit into memory")))?;
        cx.produce::<T>(0, &shape, |cx, out| {
            cx.pool().for_chunks(out, 1, 0.5, |first, piece| {
                let numbers = piece.iter_mut().enumerate();
                numbers.for_each(|(i, o)| *o = start.add(T::from_usize(first + i).mul(delta)));
            });
            Ok(())
        })
    }, else Err(Error::unimplemented(format!("Range of {}", op.dtype))))
}
