//! `SparseMatMul`: the product of two matrices that may be mostly zeros.

use crate::prelude::*;
use levada_gemm::{self as gemm, Mat, Size};
use levada_graph::grad::attr;
use levada_ops_core::rules::MAT_MUL;

attrs! {
    /// Multiplies two dense matrices; hints tell which of them contain many zeros.
    pub struct SparseMatMul {
        /// Whether `a` is transposed.
        transpose_a: bool = Attr::bool("transpose_a").or_bool(false),
        /// Whether `b` is transposed.
        transpose_b: bool = Attr::bool("transpose_b").or_bool(false),
        /// Whether `a` contains many zeros.
        a_is_sparse: bool = Attr::bool("a_is_sparse").or_bool(false),
        /// Whether `b` contains many zeros.
        b_is_sparse: bool = Attr::bool("b_is_sparse").or_bool(false),
        /// Element type of `a`.
        a: DType = Attr::dtype("Ta", &[DType::F32, DType::BF16]).or_type(DType::F32),
        /// Element type of `b`.
        b: DType = Attr::dtype("Tb", &[DType::F32, DType::BF16]).or_type(DType::F32),
    }
}

pub static SPARSE_MAT_MUL: Def<SparseMatMul> = op("SparseMatMul")
    .inputs(&[arg("a", of("Ta")), arg("b", of("Tb"))])
    .outputs(&[arg("product", is(DType::F32))])
    .shape(shape)
    .flops(|op, inputs, outputs| {
        let inner = inputs.first()?.dim(if op.transpose_a { 0 } else { 1 })?;
        let out = outputs.first()?;
        Some(2.0 * inner as f64 * out.dim(0)? as f64 * out.dim(1)? as f64)
    })
    .gradient(gradient)
    .kernel(sparse_mat_mul)
    .heavy();

fn shape(op: &SparseMatMul, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (a, b) = (cx.with_rank(0, 2)?, cx.with_rank(1, 2)?);
    let pick = |shape: &PartialShape, swapped: bool, i: isize| shape.dim(if swapped { 1 - i } else { i });
    let inner = PartialShape::vector(pick(&a, op.transpose_a, 1));
    inner.merge(&PartialShape::vector(pick(&b, op.transpose_b, 0)))?;
    cx.output(0, PartialShape::new([pick(&a, op.transpose_a, 0), pick(&b, op.transpose_b, 1)]));
    Ok(())
}

fn sparse_mat_mul(op: &SparseMatMul, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (a, b) = (cx.input(0)?, cx.input(1)?);
    for (name, t) in [("a", a), ("b", b)] {
        if t.shape().rank() != 2 {
            return Err(Error::invalid(format!("{name} is not a matrix")).found(format!("shape {}", t.shape())));
        }
    }
    let pick = |t: &Tensor, swapped: bool| {
        if swapped { (t.shape()[1], t.shape()[0]) } else { (t.shape()[0], t.shape()[1]) }
    };
    let ((m, k), (inner, n)) = (pick(a, op.transpose_a), pick(b, op.transpose_b));
    if k != inner {
        return Err(Error::invalid(format!("Matrix size incompatible: a: {}, b: {}", a.shape(), b.shape())));
    }
    let (a_columns, b_columns) = (a.shape()[1], b.shape()[1]);
    let (a, b) = (floats(a)?, floats(b)?);
    cx.produce::<f32>(0, &Shape::new([m, n])?, |cx, out| {
        let a = Mat::new(&a[..], a_columns).t_if(op.transpose_a);
        let b = Mat::new(&b[..], b_columns).t_if(op.transpose_b);
        let size = Size { m, n, k };
        if op.b_is_sparse && !op.a_is_sparse {
            let mut turned = vec![0.0; out.len()];
            skip_zeros(cx, Size { m: n, n: m, k }, b.t(), a.t(), &mut turned);
            out.iter_mut().enumerate().for_each(|(at, o)| *o = turned[at % n * m + at / n]);
            return Ok(());
        }
        if op.a_is_sparse {
            skip_zeros(cx, size, a, b, out);
            return Ok(());
        }
        gemm::multiply(cx.pool(), size, a, b, out)
    })
}

fn floats(tensor: &Tensor) -> Result<Vec<f32>> {
    Ok(match tensor.dtype() {
        DType::BF16 => tensor.slice::<bf16>()?.iter().map(|v| v.to_f32()).collect(),
        _ => tensor.slice::<f32>()?.to_vec(),
    })
}

/// `c = a b`, where zeros of `a` contribute nothing, whatever they are multiplied with.
fn skip_zeros(cx: &Cx<'_, '_>, size: Size, a: Mat<'_, f32>, b: Mat<'_, f32>, c: &mut [f32]) {
    let Size { n, k, .. } = size;
    cx.pool().for_chunks(c, n, (n * k) as f64 * 0.2, |first, rows| {
        for (i, row) in rows.chunks_exact_mut(n).enumerate() {
            row.fill(0.0);
            for l in 0..k {
                let x = a.data[(first + i) * a.row + l * a.col];
                if x != 0.0 {
                    row.iter_mut().enumerate().for_each(|(j, c)| *c += x * b.data[l * b.row + j * b.col]);
                }
            }
        }
    });
}

fn gradient(op: &SparseMatMul, g: &GradCx) -> Grads {
    let (a, b, dy) = (g.input(0), g.input(1), g.dy(0));
    let (wide_a, wide_b) = (a.cast(DType::F32), b.cast(DType::F32));
    let product = |x: V<'_>, y: V<'_>, tx: bool, ty: bool| {
        MAT_MUL.node(g, &[g.value(x.at), g.value(y.at)], &[attr("transpose_a", tx), attr("transpose_b", ty)])
    };
    let (da, db) = match (op.transpose_a, op.transpose_b) {
        (false, false) => (product(dy, wide_b, false, true), product(wide_a, dy, true, false)),
        (false, true) => (product(dy, wide_b, false, false), product(dy, wide_a, true, false)),
        (true, false) => (product(wide_b, dy, false, true), product(wide_a, dy, false, false)),
        (true, true) => (product(wide_b, dy, true, true), product(dy, wide_a, true, true)),
    };
    vec![da.cast(op.a).into(), db.cast(op.b).into()]
}
