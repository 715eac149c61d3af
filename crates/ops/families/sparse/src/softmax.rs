//! `SparseSoftmax`: softmax of each row, over the stored elements.

use super::cwise::SPARSE_DENSE_CWISE_ADD;
use super::groups::runs;
use super::reduce::{SPARSE_REDUCE_SUM, SparseReduction};
use super::values_only;
use crate::coo::{Coo, Words};
use crate::prelude::*;
use num_traits::Float as _;

attrs! {
    /// Computes softmax along the last axis over the stored elements.
    pub struct SparseSoftmax {
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::F16, DType::F32, DType::F64]),
    }
}

pub static SPARSE_SOFTMAX: Def<SparseSoftmax> = op::<SparseSoftmax>("SparseSoftmax")
    .inputs(&[arg("sp_indices", is(DType::I64)), arg("sp_values", of("T")), arg("sp_shape", is(DType::I64))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        cx.with_rank(0, 2)?;
        let values = cx.with_rank(1, 1)?;
        cx.with_rank(2, 1)?;
        cx.output(0, values);
        Ok(())
    })
    .gradient(|op, g| {
        let (indices, shape, out, dy) = (g.input(0), g.input(2), g.output(0), g.dy(0));
        let kept = SparseReduction { keep_dims: true, dtype: op.dtype };
        let sum = SPARSE_REDUCE_SUM.node(g, &kept, &[indices, out * dy, shape, g.ints(&[-1])]);
        let rest = SPARSE_DENSE_CWISE_ADD.call([indices, dy, shape, -sum]);
        values_only(g, 1, rest * out)
    })
    .kernel(|op, cx| dispatch!(op.dtype, floats, |T| softmax::<T>(cx), else unsupported(cx, op.dtype)))
    .heavy();

fn softmax<T: Float>(cx: &mut Cx<'_, '_>) -> Result<()> {
    let sparse = Coo::input(cx, 0)?;
    if sparse.rank < 2 {
        return Err(Error::invalid(format!(
            "Input should have rank >= 2, but received shape: {}",
            Words(sparse.shape, " ")
        )));
    }
    sparse.dense_shape()?;
    let row = |i: usize| &sparse.row(i)[..sparse.rank - 1];
    let rows = runs(sparse.len, |a, b| row(a) == row(b));
    cx.produce::<T>(0, &Shape::vector(rows.last().map_or(0, |r| r.end)), |cx, out| {
        let values = cx.slice::<T>(1)?;
        for run in rows {
            let highest = values[run.clone()].iter().map(|v| v.base()).fold(T::Base::neg_infinity(), |m, v| m.max(v));
            let powers: Vec<T::Base> =
                values[run.clone()].iter().map(|v| Number::sub(v.base(), highest).exp()).collect();
            let sum = powers.iter().fold(T::Base::zero(), |s, &p| Number::add(s, p));
            out[run].iter_mut().zip(powers).for_each(|(o, p)| *o = T::of_base(p / sum));
        }
        Ok(())
    })
}
