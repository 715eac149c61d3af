//! `SparseDenseCwiseAdd`, `SparseDenseCwiseMul`, `SparseDenseCwiseDiv`: element-wise operations of a dense tensor on
//! the elements of a sparse one.

use super::tensor_dense_add::SPARSE_TENSOR_DENSE_ADD;
use crate::coo::{self, Coo};
use crate::prelude::*;
use crate::rules::{GATHER_ND, Handles, NONE, SQUARE, concat};

/// A type with checked division.
trait Quotient: Real {
    /// Returns the quotient, rounded towards zero for integers.
    fn quotient(self, other: Self) -> Self;
}

macro_rules! quotients {
    (int $($int:ty),*; float $($float:ty),*) => {
        $(impl Quotient for $int {
            fn quotient(self, other: Self) -> Self {
                if other == 0 { 0 } else { self.wrapping_div(other) }
            }
        })*
        $(impl Quotient for $float {
            fn quotient(self, other: Self) -> Self { self / other }
        })*
    };
}

quotients!(int i8, i16, i32, i64, u8, u16, u32, u64; float f32, f64, f16, bf16);

attrs! {
    /// The attrs of element-wise ops on a sparse and a dense tensor.
    pub struct SparseDenseCwise {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
    }
}

const INPUTS: &[Arg] = &[
    arg("sp_indices", is(DType::I64)),
    arg("sp_values", of("T")),
    arg("sp_shape", is(DType::I64)),
    arg("dense", of("T")),
];
const OUTPUTS: &[Arg] = &[arg("output", of("T"))];

const fn cwise(
    name: &'static str,
    kernel: fn(&SparseDenseCwise, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<SparseDenseCwise> {
    op::<SparseDenseCwise>(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .shape(|_, cx| {
            let indices = cx.with_rank(0, 2)?;
            cx.output_vector(0, indices.dim(0));
            Ok(())
        })
        .kernel(kernel)
        .heavy()
}

pub static SPARSE_DENSE_CWISE_ADD: Def<SparseDenseCwise> = cwise(
    "SparseDenseCwiseAdd",
    |op, cx| dispatch!(op.dtype, reals, |T| compute::<T>(cx, false, |x, y| x.add(y)), else unsupported(cx, op.dtype)),
)
.doc("Adds the elements of `dense` to the values of a sparse tensor at the same positions. Other positions stay empty.")
.gradient(|_, g| gradient(g, |dy, _, _| (dy, dy)));

pub static SPARSE_DENSE_CWISE_DIV: Def<SparseDenseCwise> = cwise("SparseDenseCwiseDiv", |op, cx| {
    dispatch!(op.dtype, reals, |T| compute::<T>(cx, true, |x, y| x.quotient(y)), else unsupported(cx, op.dtype))
})
.doc("Divides the values of a sparse tensor by the elements of `dense` at the same positions.")
.gradient(|_, g| gradient(g, |dy, x, dense| (dy / dense, dy * (-x / dense.apply(SQUARE)))));

pub static SPARSE_DENSE_CWISE_MUL: Def<SparseDenseCwise> = cwise(
    "SparseDenseCwiseMul",
    |op, cx| dispatch!(op.dtype, reals, |T| compute::<T>(cx, false, |x, y| x.mul(y)), else unsupported(cx, op.dtype)),
)
.doc("Multiplies the values of a sparse tensor by the elements of `dense` at the same positions.")
.gradient(|_, g| gradient(g, |dy, x, dense| (dy * dense, dy * x)));

/// Returns the gradients with respect to the values and the dense tensor. `each` computes them from the gradient, the
/// values and the elements of the dense tensor at the same positions.
fn gradient(g: &GradCx, each: impl for<'g> FnOnce(V<'g>, V<'g>, V<'g>) -> (V<'g>, V<'g>)) -> Grads {
    let [indices, x, shape, y] = [0, 1, 2, 3].map(|i| g.input(i));
    let y_shape = y.dims().cast(DType::I64);
    let added = (shape.size() - y_shape.size()).reshape(g.ints(&[1]));
    let ones = g.constant(Tensor::scalar(1i64)).fill(added);
    let scaling = shape.floor_div(concat(g, &[ones, y_shape], 0));
    let begin = concat(g, &[g.ints(&[0]), added], 0);
    let scaled = g.primitive(Primitive::Slice, &[indices.floor_div(scaling), begin, g.ints(&[-1, -1])], &[]);
    let dense = GATHER_ND.call([y, scaled]);
    let (dx, each) = each(g.dy(0), x, dense);
    let sum = SPARSE_TENSOR_DENSE_ADD.call([scaled, each, y_shape, y.zeros_like()]);
    vec![NONE, dx.into(), NONE, sum.into()]
}

fn compute<T: Quotient>(cx: &mut Cx<'_, '_>, divides: bool, apply: fn(T, T) -> T) -> Result<()> {
    let sparse = Coo::input(cx, 0)?;
    let dense = cx.input(3)?.shape();
    if sparse.rank == 0 {
        return Err(Error::invalid("The shape argument requires at least one element."));
    }
    let whole = sparse.dense_shape()?;
    let skip = whole.rank().checked_sub(dense.rank());
    let fits = skip.is_some_and(|skip| dense.iter().zip(&whole[skip..]).all(|(&d, &w)| d == w || d == 1));
    let Some(skip) = skip.filter(|_| fits) else {
        return Err(Error::invalid(format!(
            "SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible shapes: {whole} vs. {dense}"
        )));
    };
    if whole.rank() > 5 {
        return Err(Error::invalid(format!(
            "Only tensors with ranks between 1 and 5 are currently supported.  Tensor rank: {}",
            whole.rank()
        )));
    }
    // As in TensorFlow, for floats as well, and for zeros that are not used as divisors.
    if divides && sparse.len > 0 && cx.slice::<T>(3)?.iter().any(|d| d.is_zero()) {
        return Err(Error::invalid("SparseDenseCwiseDiv cannot divide by zero, but input dense tensor contains zero"));
    }
    let mut places = Vec::with_capacity(sparse.len);
    for i in 0..sparse.len {
        let index = sparse.row(i);
        if !coo::within(index, sparse.shape) {
            return Err(Error::invalid("Provided indices are out-of-bounds w.r.t. dense side with broadcasted shape"));
        }
        let at =
            index[skip..].iter().zip(dense.iter()).fold(0, |at, (&i, &d)| at * d + if d == 1 { 0 } else { i as usize });
        places.push(at);
    }
    cx.produce::<T>(0, &Shape::vector(places.len()), |cx, out| {
        let (values, dense) = (cx.slice::<T>(1)?, cx.slice::<T>(3)?);
        for ((o, &x), &at) in out.iter_mut().zip(values).zip(&places) {
            *o = apply(x, dense[at]);
        }
        Ok(())
    })
}
