//! Sparse matrices in compressed sparse row (CSR) format: conversion to and from sparse and dense tensors.
//!
//! A matrix, or a batch of matrices of equal size, is a variant that holds a [`Csr`].

use crate::coo::Coo;
use crate::matrices::{Csr, TYPES, handle, matrix};
use crate::moves::Cell;
use crate::prelude::*;
use crate::rules::{GATHER_ND, NONE, never};
use levada_graph::grad::attr;

attrs! {
    /// The attrs of ops that create CSR matrices.
    pub struct ToCsr {
        /// Element type.
        dtype: DType = Attr::dtype("T", TYPES),
    }
}

attrs! {
    /// The attrs of ops that read CSR matrices.
    pub struct OfCsr {
        /// Element type.
        dtype: DType = Attr::dtype("type", TYPES),
    }
}

const MATRIX: Arg = arg("sparse_matrix", is(DType::Variant));

pub static SPARSE_TENSOR_TO_CSR_SPARSE_MATRIX: Def<ToCsr> = op::<ToCsr>("SparseTensorToCSRSparseMatrix")
    .doc(
        "Converts a sparse tensor of rank 2, or of rank 3 for a batch, to a CSR matrix. Its elements must be in \
        row-major order.",
    )
    .inputs(&[arg("indices", is(DType::I64)), arg("values", of("T")), arg("dense_shape", is(DType::I64))])
    .outputs(&[MATRIX])
    .shape(|_, cx| {
        if let Some(dims) = cx.constant_shape(2).rank().filter(|rank| !matches!(rank, 2 | 3)) {
            return Err(rank_error(dims));
        }
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|op, g| {
        let grad = CSR_SPARSE_MATRIX_TO_SPARSE_TENSOR.node(g, &OfCsr { dtype: op.dtype }, &[g.dy(0)]);
        vec![NONE, grad.out(1).into(), NONE]
    })
    .kernel(|_, cx| {
        let sparse = Coo::input(cx, 0)?;
        if !matches!(sparse.rank, 2 | 3) {
            return Err(rank_error(sparse.rank));
        }
        let shape = sparse.dense_shape()?;
        let values = cx.input(1)?.clone();
        let csr = Csr::new(cx, &shape, sparse.indices, values)?;
        cx.set(0, handle(csr));
        Ok(())
    });

fn rank_error(rank: usize) -> Error {
    Error::invalid("a sparse matrix has two axes, a batch of them three").expected("rank 2 or 3").found(rank)
}

pub static DENSE_TO_CSR_SPARSE_MATRIX: Def<ToCsr> = op::<ToCsr>("DenseToCSRSparseMatrix")
    .doc("Returns a CSR matrix of the elements of `dense_input` at `indices`, which must be in row-major order.")
    .inputs(&[arg("dense_input", of("T")), arg("indices", is(DType::I64))])
    .outputs(&[arg("sparse_output", is(DType::Variant))])
    .shape(|_, cx| {
        if let Some(rank) = cx.input(0).rank().filter(|rank| !matches!(rank, 2 | 3)) {
            return Err(rank_error(rank));
        }
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|op, g| {
        let dense = CSR_SPARSE_MATRIX_TO_DENSE.node(g, &OfCsr { dtype: op.dtype }, &[g.dy(0)]);
        vec![dense.into(), NONE]
    })
    .kernel(|op, cx| {
        let (dense, indices) = (cx.input(0)?, cx.input(1)?);
        let shape = dense.shape().clone();
        if !matches!(shape.rank(), 2 | 3) {
            return Err(rank_error(shape.rank()));
        }
        let &[count, rank] = indices.shape().dims() else {
            return Err(Error::invalid("indices must be a matrix").found(format!("shape {}", indices.shape())));
        };
        if rank != shape.rank() {
            return Err(Error::invalid("indices must have a number for each axis").expected(shape.rank()).found(rank));
        }
        let indices = indices.slice::<i64>()?;
        let strides = shape.strides();
        let mut values = cx.alloc(op.dtype, &Shape::vector(count))?;
        Csr::check(&shape, indices)?;
        cells!(op.dtype, |T| {
            let dense = T::cells(dense)?;
            for (value, index) in T::cells_mut(&mut values)?.iter_mut().zip(indices.chunks_exact(rank)) {
                let at: usize = index.iter().zip(strides.iter()).map(|(&i, &stride)| i as usize * stride).sum();
                *value = dense[at].clone();
            }
        });
        let csr = Csr::new(cx, &shape, indices, values)?;
        cx.set(0, handle(csr));
        Ok(())
    });

pub static CSR_SPARSE_MATRIX_TO_SPARSE_TENSOR: Def<OfCsr> = op::<OfCsr>("CSRSparseMatrixToSparseTensor")
    .doc("Converts a CSR matrix to a sparse tensor.")
    .inputs(&[MATRIX])
    .outputs(&[arg("indices", is(DType::I64)), arg("values", of("type")), arg("dense_shape", is(DType::I64))])
    .shape(|_, cx| {
        cx.output(0, PartialShape::of_rank(2));
        cx.output_vector(1, None);
        cx.output_vector(2, None);
        Ok(())
    })
    .gradient(|op, g| {
        let made = ToCsr { dtype: op.dtype };
        vec![SPARSE_TENSOR_TO_CSR_SPARSE_MATRIX.node(g, &made, &[g.output(0), g.dy(1), g.output(2)]).into()]
    })
    .kernel(|op, cx| {
        let csr = matrix(cx, 0, Some(op.dtype))?;
        let rank = csr.shape.rank();
        let mut indices = Vec::with_capacity(csr.count() * rank);
        for (batch, row, range) in csr.rows() {
            for &column in &csr.columns[range] {
                if rank == 3 {
                    indices.push(batch as i64);
                }
                indices.extend([row as i64, column.into()]);
            }
        }
        let indices = Tensor::from_vec(Shape::new([csr.count(), rank])?, indices)?;
        let (values, shape) = (csr.values.clone(), Tensor::vector(csr.shape.to_signed()));
        cx.set(0, indices);
        cx.set(1, values);
        cx.set(2, shape);
        Ok(())
    });

pub static CSR_SPARSE_MATRIX_TO_DENSE: Def<OfCsr> = op::<OfCsr>("CSRSparseMatrixToDense")
    .doc("Converts a CSR matrix to a dense tensor.")
    .inputs(&[arg("sparse_input", is(DType::Variant))])
    .outputs(&[arg("dense_output", of("type"))])
    .gradient(|op, g| {
        let there = CSR_SPARSE_MATRIX_TO_SPARSE_TENSOR.node(g, op, &[g.input(0)]);
        let values = GATHER_ND.node(g, &[g.dy(0), there], &[attr("Tparams", op.dtype), attr("Tindices", DType::I64)]);
        let made = ToCsr { dtype: op.dtype };
        vec![SPARSE_TENSOR_TO_CSR_SPARSE_MATRIX.node(g, &made, &[there, values, there.out(2)]).into()]
    })
    .kernel(|op, cx| {
        let csr = matrix(cx, 0, Some(op.dtype))?;
        let mut out = cx.zeros(op.dtype, &csr.shape)?;
        let (height, width) = csr.size();
        cells!(op.dtype, |T| {
            let (values, out) = (T::cells(&csr.values)?, T::cells_mut(&mut out)?);
            for (batch, row, range) in csr.rows() {
                let to = &mut out[(batch * height + row) * width..][..width];
                for (&column, value) in csr.columns[range.clone()].iter().zip(&values[range]) {
                    to[column as usize] = value.clone();
                }
            }
        });
        cx.set(0, out);
        Ok(())
    });

pub static CSR_SPARSE_MATRIX_COMPONENTS: Def<OfCsr> = op::<OfCsr>("CSRSparseMatrixComponents")
    .doc("Returns the row pointers, column indices and values of CSR matrix number `index` of a batch.")
    .inputs(&[arg("csr_sparse_matrix", is(DType::Variant)), arg("index", is(DType::I32))])
    .outputs(&[arg("row_ptrs", is(DType::I32)), arg("col_inds", is(DType::I32)), arg("values", of("type"))])
    .shape(|_, cx| {
        cx.with_rank(1, 0)?;
        (0..3).for_each(|i| cx.output_vector(i, None));
        Ok(())
    })
    .kernel(|op, cx| {
        let csr = matrix(cx, 0, Some(op.dtype))?;
        let index = cx.scalar::<i32>(1)?;
        let batch = usize::try_from(index).ok().filter(|batch| *batch < csr.batch()).ok_or_else(|| {
            Error::invalid(format!("index ({index}) not in [0, batch_size)")).expected(format!("below {}", csr.batch()))
        })?;
        let starts = csr.starts_of(batch);
        let (first, last) = (starts[0], starts[starts.len() - 1]);
        let starts = starts.iter().map(|&start| (start - first) as i32).collect();
        let columns = csr.columns[first..last].to_vec();
        let values = csr.values.part(first, Shape::vector(last - first))?;
        cx.set(0, Tensor::vector::<i32>(starts));
        cx.set(1, Tensor::vector(columns));
        cx.set(2, values);
        Ok(())
    });

attrs! {
    /// Returns the number of stored elements of a CSR matrix, or of each matrix of a batch.
    pub struct SparseMatrixNnz {}
}

pub static SPARSE_MATRIX_NNZ: Def<SparseMatrixNnz> =
    op("SparseMatrixNNZ").inputs(&[MATRIX]).outputs(&[arg("nnz", is(DType::I32))]).gradient(|_, g| never(g)).kernel(
        |_, cx| {
            let csr = matrix(cx, 0, None)?;
            let count = |batch: usize| {
                let starts = csr.starts_of(batch);
                (starts[starts.len() - 1] - starts[0]) as i32
            };
            let counts: Vec<i32> = (0..csr.batch()).map(count).collect();
            let out = if csr.shape.rank() == 2 { Tensor::scalar(counts[0]) } else { Tensor::vector(counts) };
            cx.set(0, out);
            Ok(())
        },
    );

pub static SPARSE_MATRIX_ZEROS: Def<OfCsr> = op::<OfCsr>("SparseMatrixZeros")
    .doc("Returns a CSR matrix, or a batch of them, without elements.")
    .inputs(&[arg("dense_shape", is(DType::I64))])
    .outputs(&[MATRIX])
    .shape(|_, cx| {
        cx.with_rank(0, 1)?;
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|op, cx| {
        let shape = Shape::from_signed(cx.slice::<i64>(0)?)?;
        if !matches!(shape.rank(), 2 | 3) {
            return Err(rank_error(shape.rank()));
        }
        let values = Tensor::zeros(op.dtype, Shape::vector(0));
        let csr = Csr::new(cx, &shape, &[], values)?;
        cx.set(0, handle(csr));
        Ok(())
    });
