//! `SparseFillEmptyRows`, `RaggedFillEmptyRows` and their gradients: a default value for each empty row.

use crate::coo::dense_shape;
use crate::moves::Cell;
use crate::prelude::*;
use crate::rules::NONE;

attrs! {
    /// Inserts `default_value` at the start of every empty row of a sparse tensor.
    pub struct SparseFillEmptyRows {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static SPARSE_FILL_EMPTY_ROWS: Def<SparseFillEmptyRows> = op("SparseFillEmptyRows")
    .inputs(&[
        arg("indices", is(DType::I64)),
        arg("values", of("T")),
        arg("dense_shape", is(DType::I64)),
        arg("default_value", of("T")),
    ])
    .outputs(&[
        arg("output_indices", is(DType::I64)),
        arg("output_values", of("T")),
        arg("empty_row_indicator", is(DType::Bool)),
        arg("reverse_index_map", is(DType::I64)),
    ])
    .shape(sparse_fill_empty_rows_shape)
    .gradient(|_, g| gradient(g))
    .kernel(sparse_fill_empty_rows);

fn sparse_fill_empty_rows_shape(_: &SparseFillEmptyRows, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (len, rank) = crate::coo::infer(cx, [0, 1, 2])?;
    cx.with_rank(3, 0)?;
    let rows = cx.constant_shape(2).dim(0);
    cx.output(0, PartialShape::new([None, rank]));
    cx.output_vector(1, None);
    cx.output_vector(2, rows);
    cx.output_vector(3, len);
    Ok(())
}

fn sparse_fill_empty_rows(op: &SparseFillEmptyRows, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (indices, values, shape) = (cx.input(0)?.shape(), cx.input(1)?.shape(), cx.input(2)?);
    if shape.shape().rank() != 1 {
        return Err(Error::invalid(format!("dense_shape must be a vector, saw: {}", shape.shape())));
    }
    let &[len, rank] = indices.dims() else {
        return Err(Error::invalid(format!("indices must be a matrix, saw: {indices}")));
    };
    check_values(values, "indices", len)?;
    if rank != shape.num_elements() {
        return Err(Error::invalid(format!(
            "The length of `dense_shape` ({}) must match the second dimension of `indices` ({rank}).",
            shape.num_elements()
        )));
    }
    let Some(&rows) = shape.slice::<i64>()?.first() else {
        return Err(Error::invalid("Dense shape cannot be empty."));
    };
    fill(cx, op.dtype, rows, rank, true)
}

attrs! {
    /// Inserts `default_value` in every empty row of a ragged matrix.
    pub struct RaggedFillEmptyRows {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static RAGGED_FILL_EMPTY_ROWS: Def<RaggedFillEmptyRows> = op("RaggedFillEmptyRows")
    .inputs(&[
        arg("value_rowids", is(DType::I64)),
        arg("values", of("T")),
        arg("nrows", is(DType::I64)),
        arg("default_value", of("T")),
    ])
    .outputs(&[
        arg("output_value_rowids", is(DType::I64)),
        arg("output_values", of("T")),
        arg("empty_row_indicator", is(DType::Bool)),
        arg("reverse_index_map", is(DType::I64)),
    ])
    .shape(ragged_fill_empty_rows_shape)
    .gradient(|_, g| gradient(g))
    .kernel(ragged_fill_empty_rows);

fn ragged_fill_empty_rows_shape(_: &RaggedFillEmptyRows, cx: &mut ShapeCx<'_>) -> Result<()> {
    let ids = cx.with_rank(0, 1)?;
    let len = ids.merge(&cx.with_rank(1, 1)?)?.dim(0);
    cx.with_rank(2, 0)?;
    cx.with_rank(3, 0)?;
    let rows = match cx.constant_i64s(2).as_deref() {
        Some(&[n]) => usize::try_from(n).ok(),
        _ => None,
    };
    // Without rows, TensorFlow's kernel returns a matrix of one column.
    cx.output(0, if rows == Some(0) { PartialShape::Unknown } else { PartialShape::vector(None) });
    if rows.is_none() {
        cx.output(0, PartialShape::Unknown);
    }
    cx.output_vector(1, None);
    cx.output_vector(2, rows);
    cx.output_vector(3, len);
    Ok(())
}

fn ragged_fill_empty_rows(op: &RaggedFillEmptyRows, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (ids, values, rows) = (cx.input(0)?.shape(), cx.input(1)?.shape(), cx.input(2)?);
    let &[len] = ids.dims() else {
        return Err(Error::invalid(format!("value_rowids must be a vector, saw: {ids}")));
    };
    check_values(values, "value_rowids", len)?;
    if !rows.shape().is_scalar() {
        return Err(Error::invalid(format!("nrows must be a scalar, saw: {}", rows.shape())));
    }
    let rows = rows.item::<i64>()?;
    fill(cx, op.dtype, rows, 1, false)
}

fn check_values(values: &Shape, what: &str, len: usize) -> Result<()> {
    match *values.dims() {
        [n] if n == len => Ok(()),
        [n] => Err(Error::invalid(format!(
            "The length of `values` ({n}) must match the first dimension of `{what}` ({len})."
        ))),
        _ => Err(Error::invalid(format!("values must be a vector, saw: {values}"))),
    }
}

/// Fills the empty rows of a tensor with indices of length `rank` in input 0 and values in input 1. The output indices
/// are a matrix if `is_matrix`.
fn fill(cx: &mut Cx<'_, '_>, dtype: DType, rows: i64, rank: usize, is_matrix: bool) -> Result<()> {
    let default = cx.input(3)?;
    if !default.shape().is_scalar() {
        return Err(Error::invalid(format!("default_value must be a scalar, saw: {}", default.shape())));
    }
    let indices = cx.slice::<i64>(0)?;
    let len = cx.input(1)?.num_elements();
    let rows = dense_shape(&[rows])?[0];
    if rows == 0 {
        if len > 0 {
            return Err(Error::invalid(format!(
                "Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] = {len}"
            )));
        }
        cx.set(0, Tensor::zeros(DType::I64, Shape::new([0, rank])?));
        cx.set(1, Tensor::zeros(dtype, Shape::vector(0)));
        cx.set(2, Tensor::zeros(DType::Bool, Shape::vector(0)));
        cx.set(3, Tensor::zeros(DType::I64, Shape::vector(0)));
        return Ok(());
    }
    // The number of rows says nothing about available memory, so memory for them is allocated, and thus limited,
    // first.
    let mut empty = cx.zeros(DType::Bool, &Shape::vector(rows))?;
    cx.device.arena.check(rows.saturating_mul(2 * size_of::<usize>() + 8 * rank + dtype.size()))?;
    let mut next = vec![0usize; rows];
    let mut row_of = Vec::with_capacity(len);
    for (i, index) in indices.chunks_exact(rank).enumerate() {
        let row = usize::try_from(index[0])
            .ok()
            .filter(|&r| r < rows)
            .ok_or_else(|| Error::invalid(format!("indices({i}, 0) is invalid: {} >= {rows}", index[0])))?;
        next[row] += 1;
        row_of.push(row);
    }
    let mut total = 0usize;
    let mut filled = Vec::new();
    for (row, (count, empty)) in next.iter_mut().zip(empty.slice_mut::<bool>()?).enumerate() {
        *empty = *count == 0;
        if *empty {
            filled.push((row, total));
        }
        total += std::mem::replace(count, total).max(1);
    }
    let places: Vec<usize> = row_of
        .iter()
        .map(|&row| {
            next[row] += 1;
            next[row] - 1
        })
        .collect();
    let shape = if is_matrix { Shape::new([total, rank])? } else { Shape::vector(total) };
    let mut out = cx.zeros(DType::I64, &shape)?;
    let all = out.slice_mut::<i64>()?;
    for (index, &at) in indices.chunks_exact(rank).zip(&places) {
        all[at * rank..(at + 1) * rank].copy_from_slice(index);
    }
    filled.iter().for_each(|&(row, at)| all[at * rank] = row as i64);
    let mut values = cx.alloc(dtype, &Shape::vector(total))?;
    cells!(dtype, |T| {
        let (from, default) = (T::cells(cx.input(1)?)?, &T::cells(default)?[0]);
        let to = T::cells_mut(&mut values)?;
        from.iter().zip(&places).for_each(|(v, &at)| to[at] = v.clone());
        filled.iter().for_each(|&(_, at)| to[at] = default.clone());
    });
    cx.set(0, out);
    cx.set(1, values);
    cx.set(2, empty);
    cx.set(3, Tensor::vector(places.iter().map(|&at| at as i64).collect()));
    Ok(())
}

attrs! {
    /// Computes the gradients of `SparseFillEmptyRows` with respect to the values and the default value.
    pub struct FillEmptyRowsGrad {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static SPARSE_FILL_EMPTY_ROWS_GRAD: Def<FillEmptyRowsGrad> = op("SparseFillEmptyRowsGrad")
    .inputs(&[arg("reverse_index_map", is(DType::I64)), arg("grad_values", of("T"))])
    .outputs(&[arg("d_values", of("T")), arg("d_default_value", of("T"))])
    .also(&[form("RaggedFillEmptyRowsGrad")
        .doc("Computes the gradients of `RaggedFillEmptyRows` with respect to the values and the default value.")])
    .shape(|_, cx| {
        let map = cx.with_rank(0, 1)?;
        cx.with_rank(1, 1)?;
        cx.output(0, map);
        cx.output_scalar(1);
        Ok(())
    })
    .kernel(|op, cx| dispatch!(op.dtype, numbers, |T| grad::<T>(cx), else unsupported(cx, op.dtype)));

/// Returns the gradient of both ops.
fn gradient(g: &GradCx) -> Grads {
    let grad = SPARSE_FILL_EMPTY_ROWS_GRAD.call([g.output(3), g.dy(1)]);
    vec![NONE, grad.into(), NONE, grad.out(1).into()]
}

fn grad<T: Number>(cx: &mut Cx<'_, '_>) -> Result<()> {
    for (i, name) in ["reverse_index_map", "grad_values"].into_iter().enumerate() {
        if cx.input(i)?.shape().rank() != 1 {
            return Err(Error::invalid(format!("{name} must be a vector, saw: {}", cx.input(i)?.shape())));
        }
    }
    let (map, grads) = (cx.slice::<i64>(0)?, cx.slice::<T>(1)?);
    let mut used = vec![false; grads.len()];
    let mut values = Vec::with_capacity(map.len());
    for &at in map {
        let at = usize::try_from(at).ok().filter(|&i| i < grads.len()).ok_or_else(|| {
            Error::invalid(format!("Elements in reverse index must be in [0, {}) but got {at}", grads.len()))
        })?;
        used[at] = true;
        values.push(grads[at]);
    }
    let rest = grads.iter().zip(&used).filter(|(_, used)| !**used);
    let sum = rest.fold(T::Wide::zero(), |sum, (&g, _)| sum.add(g.widen()));
    cx.set(0, Tensor::vector(values));
    cx.set(1, Tensor::scalar(T::narrow(sum)));
    Ok(())
}
