//! `LowerBound` and `UpperBound`: where values belong in sorted rows.

use crate::prelude::*;
use std::cmp::Ordering;

macro_rules! bounds {
    ($($(#[doc = $doc:literal])* $name:ident ($before:expr);)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::ANY),
                /// Element type of the result.
                out: DType = Attr::dtype("out_type", sets::INDEX).or_type(DType::I32),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("sorted_inputs", of("T")), arg("values", of("T"))],
                outputs: &[arg("output", of("out_type"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.with_rank(0, 2)?;
                let values = cx.with_rank(1, 2)?;
                cx.output(0, values);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                dispatch!(self.dtype, reals, |T| match self.out {
                    DType::I32 => search::<T, i32>(cx, $before),
                    _ => search::<T, i64>(cx, $before),
                }, else Err(Error::unimplemented(format!("{} of {}", stringify!($name), self.dtype))))
            }
        }
    )*};
}

bounds! {
    /// For each value the number of elements of its sorted row that are less.
    LowerBound(|sorted, value| sorted < value);
    /// For each value the number of elements of its sorted row that are not greater.
    UpperBound(|sorted, value| value.partial_cmp(sorted) != Some(Ordering::Less));
}

/// Sets the output to how many elements of a row come before each value.
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
