//! `SparseReorder`: sorts the elements by index.

use super::values_only;
use crate::coo::{self, Coo};
use crate::prelude::*;
use crate::rules::{Handles, INVERT_PERMUTATION, range};

attrs! {
    /// Reorders the elements of a sparse tensor into row-major order.
    pub struct SparseReorder {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static SPARSE_REORDER: Def<SparseReorder> = op("SparseReorder")
    .inputs(&[arg("input_indices", is(DType::I64)), arg("input_values", of("T")), arg("input_shape", is(DType::I64))])
    .outputs(&[arg("output_indices", is(DType::I64)), arg("output_values", of("T"))])
    .shape(|_, cx| {
        let (indices, values) = (cx.with_rank(0, 2)?, cx.with_rank(1, 1)?);
        cx.with_rank(2, 1)?;
        cx.output(0, indices);
        cx.output(1, values);
        Ok(())
    })
    .gradient(|_, g| {
        let (indices, shape) = (g.input(0), g.input(2));
        let order = SPARSE_REORDER.call([indices, range(g, indices.rows()), shape]).out(1);
        values_only(g, 1, g.dy(1).gather(order.apply(INVERT_PERMUTATION)))
    })
    .kernel(sparse_reorder)
    .heavy();

fn sparse_reorder(_: &SparseReorder, cx: &mut Cx<'_, '_>) -> Result<()> {
    let sparse = Coo::input(cx, 0)?;
    if (1..sparse.len).all(|i| sparse.row(i - 1) <= sparse.row(i)) {
        let (indices, values) = (cx.take(0)?, cx.take(1)?);
        cx.set(0, indices);
        cx.set(1, values);
        return Ok(());
    }
    let order = sparse.sorted();
    let indices = order.iter().flat_map(|&i| sparse.row(i)).copied().collect();
    let indices = coo::indices(sparse.rank, sparse.len, indices)?;
    let values = coo::pick(cx, sparse.values, &order)?;
    cx.set(0, indices);
    cx.set(1, values);
    Ok(())
}
