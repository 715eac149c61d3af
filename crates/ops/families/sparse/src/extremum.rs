//! `SparseSparseMaximum` and `SparseSparseMinimum`: the larger or smaller elements of two sparse tensors.

use super::add::{check_shapes, merge};
use crate::coo::{self, Coo, unsupported};
use crate::prelude::*;

macro_rules! extrema {
    ($($(#[doc = $doc:literal])* $name:ident |$x:ident, $y:ident| $pick:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::REALS),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[
                    arg("a_indices", is(DType::I64)),
                    arg("a_values", of("T")),
                    arg("a_shape", is(DType::I64)),
                    arg("b_indices", is(DType::I64)),
                    arg("b_values", of("T")),
                    arg("b_shape", is(DType::I64)),
                ],
                outputs: &[arg("output_indices", is(DType::I64)), arg("output_values", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                let (_, rank) = coo::infer(cx, [0, 1, 2])?;
                coo::infer(cx, [3, 4, 5])?;
                cx.output(0, PartialShape::new([None, rank]));
                cx.output_vector(1, None);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                dispatch!(self.dtype, reals, |T| compute::<T>(cx, |$x, $y| $pick), else {
                    Err(unsupported(stringify!($name), self.dtype))
                })
            }
        }
    )*};
}

extrema! {
    /// The larger elements of two sparse tensors, in which what is not there counts as 0.
    SparseSparseMaximum |x, y| if x < y { y } else { x };
    /// The smaller elements of two sparse tensors, in which what is not there counts as 0.
    SparseSparseMinimum |x, y| if y < x { y } else { x };
}

fn compute<T: Real>(cx: &mut Cx<'_, '_>, choose: fn(T, T) -> T) -> Result<()> {
    let (a, b) = (Coo::input(cx, 0)?, Coo::input(cx, 3)?);
    check_shapes(&a, &b)?;
    a.dense_shape()?;
    a.check_bounds()?;
    b.check_bounds()?;
    let (x, y) = (a.values.slice::<T>()?, b.values.slice::<T>()?);
    let pairs = merge(&a, &b);
    let mut indices = Vec::with_capacity(pairs.len() * a.rank);
    let mut values = Vec::with_capacity(pairs.len());
    for (i, j) in pairs {
        indices.extend_from_slice(match (i, j) {
            (Some(i), _) => a.row(i),
            (None, Some(j)) => b.row(j),
            (None, None) => continue,
        });
        values.push(choose(i.map_or(T::zero(), |i| x[i]), j.map_or(T::zero(), |j| y[j])));
    }
    let indices = coo::indices(a.rank, values.len(), indices)?;
    cx.set(0, indices);
    cx.set(1, Tensor::vector(values));
    Ok(())
}
