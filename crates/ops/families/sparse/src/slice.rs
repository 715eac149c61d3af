//! `SparseSlice` and its gradient.

use super::values_only;
use crate::coo::{self, Coo};
use crate::prelude::*;

attrs! {
    /// Returns the slice of a sparse tensor that begins at `start` and has size `size`, clipped to the tensor.
    pub struct SparseSlice {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static SPARSE_SLICE: Def<SparseSlice> = op("SparseSlice")
    .inputs(&[
        arg("indices", is(DType::I64)),
        arg("values", of("T")),
        arg("shape", is(DType::I64)),
        arg("start", is(DType::I64)),
        arg("size", is(DType::I64)),
    ])
    .outputs(&[
        arg("output_indices", is(DType::I64)),
        arg("output_values", of("T")),
        arg("output_shape", is(DType::I64)),
    ])
    .shape(|_, cx| {
        let shape = cx.with_rank(2, 1)?;
        cx.output(0, PartialShape::new([None, shape.dim(0)]));
        cx.output_vector(1, None);
        cx.output(2, shape);
        Ok(())
    })
    .gradient(|_, g| values_only(g, 1, SPARSE_SLICE_GRAD.call([g.dy(1), g.input(0), g.input(3), g.output(0)])))
    .kernel(sparse_slice);

fn sparse_slice(_: &SparseSlice, cx: &mut Cx<'_, '_>) -> Result<()> {
    let sparse = Coo::input(cx, 0)?;
    for (i, what) in [(3, "start"), (4, "size")] {
        let n = coo::vector(cx.input(i)?, what)?;
        if n != sparse.rank {
            return Err(Error::invalid(format!(
                "Expected {what} to be a vector of length {} but got length {n}",
                sparse.rank
            )));
        }
    }
    sparse.dense_shape()?;
    let (start, size) = (cx.slice::<i64>(3)?, cx.slice::<i64>(4)?);
    let mut shape = Vec::with_capacity(sparse.rank);
    for ((&start, &size), &whole) in start.iter().zip(size).zip(sparse.shape) {
        if size < 0 {
            return Err(Error::invalid(format!("Expected a non-negative size, got {size}")));
        }
        // As in TensorFlow, a start before the first element does not shrink the slice.
        shape.push(if start < whole { size.min(whole.saturating_sub(start)) } else { 0 });
    }
    let inside = |index: &[i64]| {
        index.iter().zip(start).zip(size).all(|((&i, &start), &size)| i >= start && i < start.saturating_add(size))
    };
    let kept: Vec<usize> = (0..sparse.len).filter(|&i| inside(sparse.row(i))).collect();
    let indices = kept.iter().flat_map(|&i| sparse.row(i).iter().zip(start).map(|(i, s)| i.wrapping_sub(*s)));
    let indices = coo::indices(sparse.rank, kept.len(), indices.collect())?;
    let values = coo::pick(cx, sparse.values, &kept)?;
    cx.set(0, indices);
    cx.set(1, values);
    cx.set(2, Tensor::vector(shape));
    Ok(())
}

attrs! {
    /// Computes the gradient of `SparseSlice` with respect to the values of the input.
    pub struct SparseSliceGrad {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
    }
}

pub static SPARSE_SLICE_GRAD: Def<SparseSliceGrad> = op("SparseSliceGrad")
    .inputs(&[
        arg("backprop_val_grad", of("T")),
        arg("input_indices", is(DType::I64)),
        arg("input_start", is(DType::I64)),
        arg("output_indices", is(DType::I64)),
    ])
    .outputs(&[arg("val_grad", of("T"))])
    .shape(|_, cx| {
        let indices = cx.with_rank(1, 2)?;
        cx.output_vector(0, indices.dim(0));
        Ok(())
    })
    .kernel(sparse_slice_grad);

fn sparse_slice_grad(op: &SparseSliceGrad, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (dy, whole, start, part) = (cx.input(0)?, cx.input(1)?, cx.input(2)?, cx.input(3)?);
    if dy.shape().rank() != 1 {
        let shape = dy.shape();
        return Err(Error::invalid(format!("Input backprop_val_grad should be a vector but received shape {shape}")));
    }
    let ((n, rank), (m, other)) = (coo::matrix(whole, "indices")?, coo::matrix(part, "indices")?);
    if rank != other {
        return Err(Error::invalid(format!(
            "The input and output indices should have the same ndims: got {rank} and {other}"
        )));
    }
    if m > n {
        return Err(Error::invalid(format!(
            "# rows of output_indices should be not greater than of input_indices, got {m} and {n}"
        )));
    }
    if start.shape().rank() != 1 || start.num_elements() != rank {
        return Err(Error::invalid(format!("Expected input_start to be a vector of length {rank}"))
            .found(format!("shape {}", start.shape())));
    }
    if dy.num_elements() != m {
        return Err(Error::invalid(format!(
            "# elements of backprop_val_grad and # rows of output_indices should match (#nnz of sum): got {} and {m}",
            dy.num_elements()
        )));
    }
    let (whole, start, part) = (whole.slice::<i64>()?, start.slice::<i64>()?, part.slice::<i64>()?);
    let mut order = Vec::with_capacity(m);
    for i in 0..n {
        let Some(out) = part.get(order.len() * rank..(order.len() + 1) * rank).filter(|_| order.len() < m) else {
            break;
        };
        let index = &whole[i * rank..(i + 1) * rank];
        if index.iter().zip(out).zip(start).all(|((&i, &o), &s)| i == o.wrapping_add(s)) {
            order.push(i);
        }
    }
    if order.len() != m {
        return Err(Error::internal(format!(
            "Elements of backprop_val_grad aren't all propagated. Num elements:{m}, used: {}",
            order.len()
        )));
    }
    let mut grad = cx.zeros(op.dtype, &Shape::vector(n))?;
    cells!(op.dtype, |T| {
        let dy = <T as crate::moves::Cell>::cells(dy)?;
        let grad = <T as crate::moves::Cell>::cells_mut(&mut grad)?;
        order.iter().zip(dy).for_each(|(&i, g)| grad[i] = g.clone());
    });
    cx.set(0, grad);
    Ok(())
}
