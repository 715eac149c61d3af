//! `SparseAdd` and its gradient.

use super::values_only;
use crate::coo::{self, Coo, Words, unsupported};
use crate::prelude::*;
use crate::rules::never;
use std::cmp::Ordering;

attrs! {
    /// Adds two sparse tensors. Sums of two elements that are less than `thresh` in magnitude are dropped.
    pub struct SparseAdd {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
        /// Element type of `thresh`.
        real: DType = Attr::dtype("Treal", sets::REALS),
    }
}

pub static SPARSE_ADD: Def<SparseAdd> = op("SparseAdd")
    .inputs(&[
        arg("a_indices", is(DType::I64)),
        arg("a_values", of("T")),
        arg("a_shape", is(DType::I64)),
        arg("b_indices", is(DType::I64)),
        arg("b_values", of("T")),
        arg("b_shape", is(DType::I64)),
        arg("thresh", of("Treal")),
    ])
    .outputs(&[arg("sum_indices", is(DType::I64)), arg("sum_values", of("T")), arg("sum_shape", is(DType::I64))])
    .shape(|_, cx| {
        let shape = cx.with_rank(2, 1)?;
        cx.output(0, PartialShape::new([None, shape.dim(0)]));
        cx.output_vector(1, None);
        cx.output(2, shape);
        Ok(())
    })
    .gradient(|_, g| {
        let grad = SPARSE_ADD_GRAD.call([g.dy(1), g.input(0), g.input(3), g.output(0)]);
        let mut grads = values_only(g, 1, grad);
        grads[4] = grad.out(1).into();
        grads
    })
    .kernel(sparse_add)
    .heavy()
    .supports(|op| {
        use DType::*;
        matches!(
            (op.dtype, op.real),
            (F32, F32)
                | (F64, F64)
                | (BF16, BF16)
                | (I8, I8)
                | (I16, I16)
                | (I32, I32)
                | (I64, I64)
                | (C64, F32)
                | (C128, F64)
        )
    });

fn sparse_add(op: &SparseAdd, cx: &mut Cx<'_, '_>) -> Result<()> {
    match op.dtype {
        DType::F32 => add::<f32>(cx),
        DType::F64 => add::<f64>(cx),
        DType::BF16 => add::<bf16>(cx),
        DType::I8 => add::<i8>(cx),
        DType::I16 => add::<i16>(cx),
        DType::I32 => add::<i32>(cx),
        DType::I64 => add::<i64>(cx),
        DType::C64 => add::<Complex32>(cx),
        DType::C128 => add::<Complex64>(cx),
        other => Err(unsupported("SparseAdd", other)),
    }
}

/// A type with a magnitude.
trait Magnitude: Number {
    /// Type of the magnitude.
    type Size: Element + Copy + PartialOrd;
    fn size(self) -> Self::Size;
}

macro_rules! magnitudes {
    ($($ty:ty: $size:ty, |$v:ident| $of:expr;)*) => {$(
        impl Magnitude for $ty {
            type Size = $size;
            fn size(self) -> $size { let $v = self; $of }
        }
    )*};
}

magnitudes! {
    f32: f32, |v| v.abs();
    f64: f64, |v| v.abs();
    bf16: bf16, |v| bf16::from_f32(v.to_f32().abs());
    i8: i8, |v| v.wrapping_abs();
    i16: i16, |v| v.wrapping_abs();
    i32: i32, |v| v.wrapping_abs();
    i64: i64, |v| v.wrapping_abs();
    Complex32: f32, |v| v.norm();
    Complex64: f64, |v| v.norm();
}

/// The elements of the first and second operand that an element of the result comes from.
pub(super) type Pair = (Option<usize>, Option<usize>);

/// Returns the elements of both operands, paired by index. Both operands must be sorted.
pub(super) fn merge(a: &Coo<'_>, b: &Coo<'_>) -> Vec<Pair> {
    let mut pairs = Vec::with_capacity(a.len + b.len);
    let (mut i, mut j) = (0, 0);
    while i < a.len || j < b.len {
        let order = match (i < a.len, j < b.len) {
            (true, true) => a.row(i).cmp(b.row(j)),
            (true, false) => Ordering::Less,
            _ => Ordering::Greater,
        };
        pairs.push((order.is_le().then_some(i), order.is_ge().then_some(j)));
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    pairs
}

/// Checks that two operands have the same shape.
pub(super) fn check_shapes(a: &Coo<'_>, b: &Coo<'_>) -> Result<()> {
    if a.rank != b.rank {
        return Err(Error::invalid(format!(
            "Operands do not have the same ranks; got shapes: {} and {}",
            Words(a.shape, " "),
            Words(b.shape, " ")
        )));
    }
    for (d, (x, y)) in a.shape.iter().zip(b.shape).enumerate() {
        if x != y {
            return Err(Error::invalid(format!("Operands' shapes do not match: got {x} and {y} for dimension {d}")));
        }
    }
    Ok(())
}

fn add<T: Magnitude>(cx: &mut Cx<'_, '_>) -> Result<()> {
    let (a, b) = (Coo::input(cx, 0)?, Coo::input(cx, 3)?);
    check_shapes(&a, &b)?;
    let thresh = cx.input(6)?;
    if !thresh.shape().is_scalar() {
        return Err(Error::invalid(format!("The magnitude threshold must be a scalar: got shape {}", thresh.shape())));
    }
    if a.rank == 0 {
        return Err(Error::invalid("Tensors must not be empty"));
    }
    let thresh = thresh.item::<T::Size>()?;
    let (x, y) = (a.values.slice::<T>()?, b.values.slice::<T>()?);
    let (mut indices, mut sums) = (Vec::new(), Vec::new());
    for (i, j) in merge(&a, &b) {
        let (index, sum) = match (i, j) {
            (Some(i), Some(j)) => (a.row(i), x[i].add(y[j])),
            (Some(i), None) => (a.row(i), x[i]),
            (None, Some(j)) => (b.row(j), y[j]),
            (None, None) => continue,
        };
        // As in TensorFlow, elements of only one operand are not compared with the threshold.
        if i.is_none() || j.is_none() || thresh <= sum.size() {
            indices.extend_from_slice(index);
            sums.push(sum);
        }
    }
    let shape = cx.input(2)?.clone();
    cx.set(0, coo::indices(shape.num_elements(), sums.len(), indices)?);
    cx.set(1, Tensor::vector(sums));
    cx.set(2, shape);
    Ok(())
}

attrs! {
    /// Computes the gradients of `SparseAdd` with respect to the values of the operands.
    pub struct SparseAddGrad {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
    }
}

pub static SPARSE_ADD_GRAD: Def<SparseAddGrad> = op("SparseAddGrad")
    .inputs(&[
        arg("backprop_val_grad", of("T")),
        arg("a_indices", is(DType::I64)),
        arg("b_indices", is(DType::I64)),
        arg("sum_indices", is(DType::I64)),
    ])
    .outputs(&[arg("a_val_grad", of("T")), arg("b_val_grad", of("T"))])
    .shape(|_, cx| {
        let (a, b) = (cx.with_rank(1, 2)?, cx.with_rank(2, 2)?);
        cx.output_vector(0, a.dim(0));
        cx.output_vector(1, b.dim(0));
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(sparse_add_grad);

fn sparse_add_grad(op: &SparseAddGrad, cx: &mut Cx<'_, '_>) -> Result<()> {
    let dy = cx.input(0)?;
    if dy.shape().rank() != 1 {
        let shape = dy.shape();
        return Err(Error::invalid(format!("Input backprop_val_grad should be a vector but received shape: {shape}")));
    }
    let [a, b, sum] = [cx.input(1)?, cx.input(2)?, cx.input(3)?];
    let (n, rank) = coo::matrix(a, "indices")?;
    let (m, b_rank) = coo::matrix(b, "indices")?;
    let (k, sum_rank) = coo::matrix(sum, "indices")?;
    if dy.num_elements() != k {
        return Err(Error::invalid(format!(
            "# elements of backprop_val_grad and # rows of sum_indices should match (#nnz of sum): got {} and {k}",
            dy.num_elements()
        )));
    }
    if b_rank != rank || sum_rank != rank {
        return Err(Error::invalid(format!(
            "The densified operands should have the same ndims; for A, B, Sum got: {rank}, {b_rank} and {sum_rank}"
        )));
    }
    let sum = sum.slice::<i64>()?;
    // For each element of an operand, the element of the sum with the same index; both must be sorted.
    let find = |own: &[i64], n: usize| -> Vec<Option<usize>> {
        let mut at = 0;
        let mut find = |i: usize| {
            let index = &own[i * rank..(i + 1) * rank];
            while at < k && sum[at * rank..(at + 1) * rank] < *index {
                at += 1;
            }
            (at < k && sum[at * rank..(at + 1) * rank] == *index).then_some(at)
        };
        (0..n).map(&mut find).collect()
    };
    let found = [(n, find(a.slice()?, n)), (m, find(b.slice()?, m))];
    let mut grads = Vec::with_capacity(2);
    for (n, found) in found {
        let mut grad = cx.zeros(op.dtype, &Shape::vector(n))?;
        cells!(op.dtype, |T| {
            let dy = <T as crate::moves::Cell>::cells(dy)?;
            let grad = <T as crate::moves::Cell>::cells_mut(&mut grad)?;
            for (g, at) in grad.iter_mut().zip(&found) {
                if let Some(at) = at {
                    *g = dy[*at].clone();
                }
            }
        });
        grads.push(grad);
    }
    for (i, grad) in grads.into_iter().enumerate() {
        cx.set(i, grad);
    }
    Ok(())
}
