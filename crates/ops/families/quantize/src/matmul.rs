//! `QuantizedMatMul`: multiplication of quantized matrices.

use crate::code::{from_float_unclamped, range_of_products};
use crate::prelude::*;
use crate::product::{Rows, multiply};
use crate::{QUANTIZED, proper_range, range_outputs, set_range};

attrs! {
    /// Multiplies two quantized matrices. The result is qint32, in a range wide enough for all products.
    pub struct QuantizedMatMul {
        /// Quantized type of `a`.
        left: DType = Attr::dtype("T1", QUANTIZED),
        /// Quantized type of `b`.
        right: DType = Attr::dtype("T2", QUANTIZED),
        /// Quantized type of the product.
        to: DType = Attr::dtype("Toutput", QUANTIZED).or_type(DType::QI32),
        /// Whether `a` is transposed before multiplication.
        transpose_a: bool = Attr::bool("transpose_a").or_bool(false),
        /// Whether `b` is transposed before multiplication.
        transpose_b: bool = Attr::bool("transpose_b").or_bool(false),
        /// Quantized type of the activation that follows; not used.
        activation: DType = Attr::dtype("Tactivation", QUANTIZED).or_type(DType::QU8),
    }
}

pub static QUANTIZED_MATMUL: Def<QuantizedMatMul> = op::<QuantizedMatMul>("QuantizedMatMul")
    .inputs(&[
        arg("a", of("T1")),
        arg("b", of("T2")),
        arg("min_a", is(DType::F32)),
        arg("max_a", is(DType::F32)),
        arg("min_b", is(DType::F32)),
        arg("max_b", is(DType::F32)),
    ])
    .outputs(&[arg("out", of("Toutput")), arg("min_out", is(DType::F32)), arg("max_out", is(DType::F32))])
    .shape(|op, cx| {
        let (a, b) = (cx.with_rank(0, 2)?, cx.with_rank(1, 2)?);
        let sizes = |shape: &PartialShape, transposed: bool| match transposed {
            true => (shape.dim(1), shape.dim(0)),
            false => (shape.dim(0), shape.dim(1)),
        };
        let ((m, inner), (other, n)) = (sizes(&a, op.transpose_a), sizes(&b, op.transpose_b));
        PartialShape::vector(inner).merge(&PartialShape::vector(other))?;
        cx.output(0, PartialShape::new([m, n]));
        range_outputs(cx);
        Ok(())
    })
    .flops(|op, inputs, _| {
        let (a, b) = (inputs.first()?.known()?, inputs.get(1)?.known()?);
        let (&[rows, columns], n) = (a.dims().first_chunk::<2>()?, *b.dims().get(usize::from(!op.transpose_b))?);
        Some(2.0 * rows as f64 * columns as f64 * n as f64)
    })
    .kernel(matmul)
    .heavy()
    .supports(|op| (op.left, op.right, op.to) == (DType::QU8, DType::QU8, DType::QI32));

fn matmul(op: &QuantizedMatMul, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (range_a, range_b) = (proper_range(cx, 2)?, proper_range(cx, 4)?);
    let sizes = |i: usize, transposed: bool| match cx.input(i)?.shape().dims() {
        &[rows, columns] => Ok(if transposed { (columns, rows) } else { (rows, columns) }),
        _ => Err(Error::invalid(format!("In[{i}] is not a matrix")).found(cx.input(i)?.shape())),
    };
    let ((m, k), (inner, n)) = (sizes(0, op.transpose_a)?, sizes(1, op.transpose_b)?);
    if k != inner {
        return Err(Error::invalid("Matrix size-incompatible").expected(format!("an inner size of {k}")).found(inner));
    }
    cx.produce::<i32>(0, &Shape::new([m, n])?, |cx, out| {
        let zero = |range| from_float_unclamped::<u8>(0.0, range) as i32;
        let a = Rows::new(cx.slice::<u8>(0)?, op.transpose_a, [m, k], zero(range_a));
        let b = Rows::new(cx.slice::<u8>(1)?, !op.transpose_b, [n, k], zero(range_b));
        multiply(cx.pool(), &a, &b, n, out);
        Ok(())
    })?;
    set_range(cx, range_of_products::<u8, u8>(range_a, range_b));
    Ok(())
}
