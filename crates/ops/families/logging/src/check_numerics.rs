//! `CheckNumerics` and `CheckNumericsV2`: fail where a tensor holds NaN or infinity.

use crate::prelude::*;

/// What a tensor holds that is not finite.
#[derive(Clone, Copy, Default)]
struct Found {
    nan: bool,
    plus_infinity: bool,
    minus_infinity: bool,
}

fn search<T: Float>(items: &[T]) -> Found {
    let mut found = Found::default();
    for &item in items {
        if item.is_nan() {
            found.nan = true;
        } else if item == T::INFINITY {
            found.plus_infinity = true;
        } else if item == T::MINUS_INFINITY {
            found.minus_infinity = true;
        }
    }
    found
}

/// Passes input 0 on, or fails with `message` and the names that `name` gives to what was found.
fn check(cx: &mut Cx<'_, '_>, message: &Bytes, name: impl Fn(Found) -> Vec<&'static str>) -> Result<()> {
    let tensor = cx.take(0)?;
    let found = dispatch!(tensor.dtype(), floats, |T| search::<T>(tensor.slice()?),
        else return Err(Error::invalid(format!("{} tensors have no NaN", tensor.dtype()))));
    let names = name(found);
    if names.is_empty() {
        cx.set(0, tensor);
        return Ok(());
    }
    let message = String::from_utf8_lossy(message);
    Err(Error::invalid(format!("{message} : Tensor had {} values", names.join(" and "))))
}

macro_rules! checks {
    ($($(#[doc = $doc:literal])* $name:ident: $names:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::FLOATS),
                /// What the error message begins with.
                message: Bytes = Attr::string("message"),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("tensor", of("T"))],
                outputs: &[arg("output", of("T"))],
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.same_as_input(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                check(cx, &self.message, $names)
            }
        }
    )*};
}

checks! {
    /// Gives its input, or fails where that holds NaN or infinity.
    CheckNumerics: |found| {
        let infinite = found.plus_infinity || found.minus_infinity;
        [("Inf", infinite), ("NaN", found.nan)].into_iter().filter(|n| n.1).map(|n| n.0).collect()
    };
    /// Gives its input, or fails where that holds NaN or infinity, telling the infinities apart.
    CheckNumericsV2: |found| {
        let names = [("-Inf", found.minus_infinity), ("+Inf", found.plus_infinity), ("NaN", found.nan)];
        names.into_iter().filter(|n| n.1).map(|n| n.0).collect()
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_not_finite_are_named() {
        let run = |values: Vec<f32>| {
            let op = CheckNumericsV2 { dtype: DType::F32, message: Bytes::from_static(b"loss") };
            crate::testing::run(op, vec![Tensor::vector(values)], &[DType::F32])
        };
        assert_eq!(run(vec![1.0, 2.0]).unwrap()[0].slice::<f32>().unwrap(), [1.0, 2.0]);
        let error = run(vec![f32::NAN, f32::NEG_INFINITY, 1.0]).unwrap_err();
        assert_eq!((error.code(), error.message()), (Code::InvalidArgument, "loss : Tensor had -Inf and NaN values"));
        assert!(run(vec![]).is_ok());
    }
}
