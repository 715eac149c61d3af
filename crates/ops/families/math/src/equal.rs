//! `Equal`, `NotEqual` and `ApproximateEqual`.

use crate::elementwise::{Map2, binary, group};
use crate::prelude::*;

macro_rules! equality {
    ($($(#[doc = $doc:literal])* $name:ident: $op:tt, $incompatible:literal;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::ANY),
                /// True where inputs that cannot be broadcast together are an error; else the result is one bool.
                incompatible_shape_error: bool = Attr::bool("incompatible_shape_error").or_bool(true),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("x", of("T")), arg("y", of("T"))],
                outputs: &[arg("z", is(DType::Bool))],
                counts: Some("T"),
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                match (self.incompatible_shape_error, cx.input(0).known(), cx.input(1).known()) {
                    (false, Some(x), Some(y)) if x.broadcast(&y).is_err() => cx.output_scalar(0),
                    (true, ..) | (false, Some(_), Some(_)) => cx.broadcast()?,
                    _ => {}
                }
                Ok(())
            }
        }

        impl<T: PartialEq> Map2<T> for $name {
            type Out = bool;
            #[inline(always)]
            fn call(&self, x: T, y: T) -> bool {
                x $op y
            }
        }

        impl Kernel<Cpu> for $name {
            fn supports(&self) -> bool {
                group::EQUATABLE.contains(&self.dtype)
            }

            fn piecewise(&self) -> Piecewise {
                if self.dtype == DType::Str { Piecewise::No } else { Piecewise::Broadcast }
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                if !self.incompatible_shape_error && cx.input(0)?.shape().broadcast(cx.input(1)?.shape()).is_err() {
                    cx.set(0, Tensor::scalar($incompatible));
                    return Ok(());
                }
                match self.dtype {
                    DType::Str => binary::objects(cx, |x: &Bytes, y: &Bytes| x $op y),
                    dtype => binary::compare_plain(self, dtype.storage(), cx),
                }
            }
        }
    )*};
}

equality! {
    /// `x == y`; NaN differs from NaN.
    Equal: ==, false;
    /// `x != y`; NaN differs from NaN.
    NotEqual: !=, true;
}

attrs! {
    /// `|x - y| < tolerance`, of inputs of one shape.
    pub struct ApproximateEqual {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
        /// How far apart equal elements may be.
        tolerance: f32 = Attr::float("tolerance").or_float(1e-5),
    }
}

impl Op for ApproximateEqual {
    const SPEC: Spec = Spec {
        name: "ApproximateEqual",
        inputs: &[arg("x", of("T")), arg("y", of("T"))],
        outputs: &[arg("z", is(DType::Bool))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        let merged = cx.input(0).merge(&cx.input(1))?;
        cx.output(0, merged);
        Ok(())
    }
}

impl Map2<f32> for ApproximateEqual {
    type Out = bool;
    #[inline(always)]
    fn call(&self, x: f32, y: f32) -> bool {
        (x - y).abs() < self.tolerance
    }
}

impl Map2<f64> for ApproximateEqual {
    type Out = bool;
    #[inline(always)]
    fn call(&self, x: f64, y: f64) -> bool {
        (x - y).abs() < f64::from(self.tolerance)
    }
}

impl Kernel<Cpu> for ApproximateEqual {
    fn supports(&self) -> bool {
        matches!(self.dtype, DType::F32 | DType::F64)
    }

    fn piecewise(&self) -> Piecewise {
        Piecewise::Alike
    }

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let (x, y) = (cx.input(0)?.shape(), cx.input(1)?.shape());
        if x != y {
            return Err(Error::invalid(format!("x and y must be of the same shape, not {x} and {y}")));
        }
        match self.dtype {
            DType::F32 => binary::to::<f32, bool, _>(self, cx),
            DType::F64 => binary::to::<f64, bool, _>(self, cx),
            other => Err(crate::elementwise::no_kernel(other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run;

    #[test]
    fn shapes_that_do_not_fit_are_unequal_where_asked() {
        let (x, y) = (Tensor::vector(vec![1i32, 2]), Tensor::vector(vec![1i32, 2, 3]));
        let equal = |strict| Equal { dtype: DType::I32, incompatible_shape_error: strict };
        let inputs = || vec![x.clone(), y.clone()];
        assert_eq!(run(equal(false), inputs(), &[DType::Bool]).unwrap()[0], Tensor::scalar(false));
        assert_eq!(run(equal(true), inputs(), &[DType::Bool]).unwrap_err().code(), Code::InvalidArgument);
    }

    #[test]
    fn strings_and_quantized_integers_compare() {
        let op = |dtype| NotEqual { dtype, incompatible_shape_error: true };
        let words = Tensor::vector(vec![Bytes::from("a"), Bytes::from("b")]);
        let z = run(op(DType::Str), vec![words, Tensor::string("b")], &[DType::Bool]).unwrap();
        assert_eq!(z[0], Tensor::vector(vec![true, false]));
        let q = |v: Vec<i8>| Tensor::vector(v).reinterpreted(DType::QI8).unwrap();
        let z = run(op(DType::QI8), vec![q(vec![1, 2]), q(vec![1, 3])], &[DType::Bool]).unwrap();
        assert_eq!(z[0], Tensor::vector(vec![false, true]));
    }
}
