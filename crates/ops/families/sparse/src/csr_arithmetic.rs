//! Sums, multiples, transposes and softmax of CSR matrices.

use crate::csr::{CSR_SPARSE_MATRIX_TO_SPARSE_TENSOR, OfCsr};
use crate::matrices::{Csr, TYPES, handle, matrix, narrow, with_element};
use crate::prelude::*;
use crate::rules::{Handles, NONE, UNPACK};
use levada_graph::grad::attr;

const INPUT: Arg = arg("input", is(DType::Variant));
const OUTPUT: Arg = arg("output", is(DType::Variant));

fn scalar_output<A>(_: &A, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.output_scalar(0);
    Ok(())
}

attrs! {
    /// Transposes a CSR matrix, or each matrix of a batch.
    pub struct SparseMatrixTranspose {
        /// Whether to return the conjugate transpose.
        conjugate: bool = Attr::bool("conjugate").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("type", TYPES),
    }
}

pub static SPARSE_MATRIX_TRANSPOSE: Def<SparseMatrixTranspose> = op::<SparseMatrixTranspose>("SparseMatrixTranspose")
    .inputs(&[INPUT])
    .outputs(&[OUTPUT])
    .shape(scalar_output)
    .gradient(|op, g| vec![SPARSE_MATRIX_TRANSPOSE.node(g, op, &[g.dy(0)]).into()])
    .kernel(|op, cx| {
        let csr = matrix(cx, 0, Some(op.dtype))?.transposed(cx)?;
        let csr = if op.conjugate { csr.conjugated()? } else { csr };
        cx.set(0, handle(csr));
        Ok(())
    })
    .heavy();

attrs! {
    /// Returns `alpha` times one CSR matrix plus `beta` times another.
    pub struct SparseMatrixAdd {
        /// Element type.
        dtype: DType = Attr::dtype("T", TYPES),
    }
}

pub static SPARSE_MATRIX_ADD: Def<SparseMatrixAdd> = op::<SparseMatrixAdd>("SparseMatrixAdd")
    .inputs(&[arg("a", is(DType::Variant)), arg("b", is(DType::Variant)), arg("alpha", of("T")), arg("beta", of("T"))])
    .outputs(&[arg("c", is(DType::Variant))])
    .shape(|_, cx| {
        (0..4).try_for_each(|i| cx.with_rank(i, 0).map(drop))?;
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|op, g| {
        let grad = |i: usize| {
            let picked = pick(g, op.dtype, g.dy(0), g.input(i));
            SPARSE_MATRIX_MUL.node(g, &SparseMatrixMul { dtype: op.dtype }, &[picked, g.input(i + 2).conj()])
        };
        vec![grad(0).into(), grad(1).into(), NONE, NONE]
    })
    .kernel(|op, cx| {
        let (a, b) = (matrix(cx, 0, Some(op.dtype))?, matrix(cx, 1, Some(op.dtype))?);
        let sum = with_element!(op.dtype, |T| a.plus::<T>(b, cx.scalar(2)?, cx.scalar(3)?)?);
        cx.set(0, handle(sum));
        Ok(())
    })
    .heavy();

attrs! {
    /// Multiplies the CSR matrix `a` by the scalar `b`, or each matrix of the batch `a` by one of the elements of `b`,
    /// of shape `[batch, 1, 1]`.
    pub struct SparseMatrixMul {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static SPARSE_MATRIX_MUL: Def<SparseMatrixMul> = op::<SparseMatrixMul>("SparseMatrixMul")
    .inputs(&[arg("a", is(DType::Variant)), arg("b", of("T"))])
    .outputs(&[OUTPUT])
    .shape(scalar_output)
    .gradient(|op, g| {
        let (a, b) = (g.input(0), g.input(1));
        let (dy, of) = (pick(g, op.dtype, g.dy(0), a), OfCsr { dtype: op.dtype });
        let da = SPARSE_MATRIX_MUL.node(g, op, &[dy, b.conj()]);
        let elements = CSR_SPARSE_MATRIX_TO_SPARSE_TENSOR.node(g, &of, &[a]);
        let products = CSR_SPARSE_MATRIX_TO_SPARSE_TENSOR.node(g, &of, &[dy]).out(1) * elements.out(1).conj();
        let db = match b.rank() {
            Some(0) => products.sum(g.ints(&[0])),
            Some(_) => {
                let batch = UNPACK.node(g, &[elements], &[attr("num", 3i64), attr("axis", 1i64)]);
                products.unsorted_segment_sum(batch, b.size()).reshape_as(b)
            }
            None => {
                g.fail(Error::unimplemented("the gradient of SparseMatrixMul where the rank of b is not known"));
                return vec![NONE; 2];
            }
        };
        vec![da.into(), db.into()]
    })
    .kernel(|op, cx| {
        let (csr, b) = (matrix(cx, 0, Some(op.dtype))?, cx.input(1)?);
        let dims = b.shape().dims();
        if !dims.is_empty() && (csr.shape.rank() != 3 || dims != [csr.batch(), 1, 1]) {
            return Err(Error::unimplemented("the product of a sparse matrix and a tensor, element by element")
                .expected("a scalar, or a tensor of shape [batch, 1, 1]")
                .found(format!("shape {}", b.shape())));
        }
        let mut values = csr.values.clone();
        with_element!(op.dtype, |T| {
            let (factors, values) = (b.slice::<T>()?, values.slice_mut::<T>()?);
            for batch in 0..csr.batch() {
                let starts = csr.starts_of(batch);
                let factor = factors[if dims.is_empty() { 0 } else { batch }];
                values[starts[0]..starts[starts.len() - 1]].iter_mut().for_each(|value| *value = value.mul(factor));
            }
        });
        let out = csr.with_values(values);
        cx.set(0, handle(out));
        Ok(())
    })
    .supports(|op| TYPES.contains(&op.dtype));

attrs! {
    /// Returns the elements of `input` at the positions of the elements of `pattern`; zero if `input` has none there.
    pub struct LevadaSparseMatrixPick {
        /// Element type.
        dtype: DType = Attr::dtype("type", TYPES),
    }
}

pub static LEVADA_SPARSE_MATRIX_PICK: Def<LevadaSparseMatrixPick> =
    op::<LevadaSparseMatrixPick>("LevadaSparseMatrixPick")
        .inputs(&[INPUT, arg("pattern", is(DType::Variant))])
        .outputs(&[OUTPUT])
        .shape(scalar_output)
        .gradient(|op, g| vec![pick(g, op.dtype, g.dy(0), g.input(0)).into(), NONE])
        .kernel(|op, cx| {
            let (csr, pattern) = (matrix(cx, 0, Some(op.dtype))?, matrix(cx, 1, Some(op.dtype))?);
            if csr.shape != pattern.shape {
                return Err(Error::invalid("sparse matrices must be of the same size")
                    .expected(&pattern.shape)
                    .found(&csr.shape));
            }
            let mut values = Tensor::try_zeros(op.dtype, Shape::vector(pattern.count()))?;
            with_element!(op.dtype, |T| {
                let (from, to) = (csr.values.slice::<T>()?, values.slice_mut::<T>()?);
                for ((_, _, own), (_, _, wanted)) in csr.rows().zip(pattern.rows()) {
                    let columns = &csr.columns[own.clone()];
                    for at in wanted {
                        if let Ok(found) = columns.binary_search(&pattern.columns[at]) {
                            to[at] = from[own.start + found];
                        }
                    }
                }
            });
            let out = pattern.with_values(values);
            cx.set(0, handle(out));
            Ok(())
        })
        .heavy();

/// Returns the gradient of a CSR matrix, given the gradient of all positions, including those without elements.
pub(super) fn pick<'g>(g: &'g GradCx, dtype: DType, grad: V<'g>, pattern: V<'g>) -> V<'g> {
    LEVADA_SPARSE_MATRIX_PICK.node(g, &LevadaSparseMatrixPick { dtype }, &[grad, pattern])
}

pub static SPARSE_MATRIX_SOFTMAX: Def<OfCsr> = op::<OfCsr>("SparseMatrixSoftmax")
    .doc("Computes softmax over the stored elements of each row of a CSR matrix.")
    .attrs(&[Attr::dtype("type", &[DType::F32, DType::F64])])
    .inputs(&[arg("logits", is(DType::Variant))])
    .outputs(&[arg("softmax", is(DType::Variant))])
    .shape(scalar_output)
    .gradient(|op, g| vec![SPARSE_MATRIX_SOFTMAX_GRAD.node(g, op, &[g.output(0), g.dy(0)]).into()])
    .kernel(|op, cx| {
        let csr = matrix(cx, 0, Some(op.dtype))?;
        let softmax = by_row(csr, csr, |values| {
            let highest = values.iter().fold(f64::NEG_INFINITY, |most, &(value, _)| most.max(value));
            let powers: Vec<f64> = values.iter().map(|(value, _)| (value - highest).exp()).collect();
            let sum: f64 = powers.iter().sum();
            powers.into_iter().map(|power| power / sum).collect()
        })?;
        cx.set(0, handle(softmax));
        Ok(())
    })
    .heavy();

pub static SPARSE_MATRIX_SOFTMAX_GRAD: Def<OfCsr> = op::<OfCsr>("SparseMatrixSoftmaxGrad")
    .doc("Computes the gradient of [`SparseMatrixSoftmax`].")
    .attrs(&[Attr::dtype("type", &[DType::F32, DType::F64])])
    .inputs(&[arg("softmax", is(DType::Variant)), arg("grad_softmax", is(DType::Variant))])
    .outputs(&[arg("gradient", is(DType::Variant))])
    .shape(scalar_output)
    .kernel(|op, cx| {
        let (softmax, grad) = (matrix(cx, 0, Some(op.dtype))?, matrix(cx, 1, Some(op.dtype))?);
        if softmax.shape != grad.shape {
            return Err(Error::invalid("sparse matrices must be of the same size")
                .expected(&softmax.shape)
                .found(&grad.shape));
        }
        let gradient = by_row(softmax, grad, |values| {
            let sum: f64 = values.iter().map(|(value, grad)| value * grad).sum();
            values.iter().map(|(value, grad)| (grad - sum) * value).collect()
        })?;
        cx.set(0, handle(gradient));
        Ok(())
    })
    .heavy();

/// Rebuilds each row of `csr` from pairs of its elements and those of `other` at the same positions.
fn by_row(csr: &Csr, other: &Csr, make: impl Fn(&[(f64, f64)]) -> Vec<f64>) -> Result<Csr> {
    let (values, others) = (csr.wide()?, other.wide()?);
    let mut out = vec![Complex64::default(); values.len()];
    for ((_, _, own), (_, _, theirs)) in csr.rows().zip(other.rows()) {
        let columns = &other.columns[theirs.clone()];
        let beside = |at: usize| {
            let found = columns.binary_search(&csr.columns[at]).ok();
            (values[at].re, found.map_or(0.0, |found| others[theirs.start + found].re))
        };
        let row: Vec<(f64, f64)> = own.clone().map(beside).collect();
        for (out, value) in out[own].iter_mut().zip(make(&row)) {
            out.re = value;
        }
    }
    Ok(csr.with_values(narrow(csr.values.dtype(), &out)?))
}
