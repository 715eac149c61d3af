//! `SparseDenseCwiseAdd`, `SparseDenseCwiseMul`, `SparseDenseCwiseDiv`: what a dense tensor does to the elements that a
//! sparse one has.

use crate::coo::{self, Coo, unsupported};
use crate::prelude::*;

/// A number that can be divided, where it is not by zero.
trait Quotient: Real {
    /// The quotient; that of integers is towards zero.
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

macro_rules! cwise {
    ($($(#[doc = $doc:literal])* $name:ident($divides:literal) |$x:ident, $y:ident| $value:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[
                    arg("sp_indices", is(DType::I64)),
                    arg("sp_values", of("T")),
                    arg("sp_shape", is(DType::I64)),
                    arg("dense", of("T")),
                ],
                outputs: &[arg("output", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                let indices = cx.with_rank(0, 2)?;
                cx.output_vector(0, indices.dim(0));
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                dispatch!(self.dtype, reals, |T| compute::<T>(cx, $divides, |$x, $y| $value), else {
                    Err(unsupported(stringify!($name), self.dtype))
                })
            }
        }
    )*};
}

cwise! {
    /// The values of a sparse tensor, each plus the element of `dense` at its place. What is not there stays away.
    SparseDenseCwiseAdd(false) |x, y| x.add(y);
    /// The values of a sparse tensor, each divided by the element of `dense` at its place.
    SparseDenseCwiseDiv(true) |x, y| x.quotient(y);
    /// The values of a sparse tensor, each times the element of `dense` at its place.
    SparseDenseCwiseMul(false) |x, y| x.mul(y);
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
    // As in TensorFlow, floats too, and zeros that nothing is divided by.
    if divides && cx.slice::<T>(3)?.iter().any(|d| d.is_zero()) {
        return Err(Error::invalid("SparseDenseCwiseDiv cannot divide by zero, but input dense tensor contains zero"));
    }
    let mut places = Vec::with_capacity(sparse.len);
    for i in 0..sparse.len {
        let index = sparse.row(i);
        if !coo::within(index, sparse.shape) {
            return Err(Error::invalid(
                "Provided indices are out-of-bounds w.r.t. dense side with broadcasted shape",
            ));
        }
        let at = index[skip..].iter().zip(dense.iter()).fold(0, |at, (&i, &d)| at * d + if d == 1 { 0 } else { i as usize });
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
