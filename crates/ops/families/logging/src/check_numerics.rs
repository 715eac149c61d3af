//! `CheckNumerics` and `CheckNumericsV2`: fail if a tensor contains NaN or infinity.

use crate::prelude::*;
use levada_ops_core::rules::pass;

/// The non-finite values a tensor contains.
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

attrs! {
    /// Returns its input, or fails if it contains NaN or infinity.
    pub struct CheckNumerics {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// Prefix of the error message.
        message: Bytes = Attr::string("message"),
        /// Whether the message distinguishes positive from negative infinity.
        signs: bool = Attr::bool("signs"),
    }
}

pub static CHECK_NUMERICS: Def<CheckNumerics> = op::<CheckNumerics>("CheckNumerics")
    .fixed(&[("signs", AttrDefault::Bool(false))])
    .inputs(&[arg("tensor", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .also(&[form("CheckNumericsV2")
        .doc("Returns its input, or fails if it contains NaN or infinity, distinguishing the two infinities.")
        .fixed(&[("signs", AttrDefault::Bool(true))])])
    .stateful()
    .shape(same_as_input)
    .gradient(|_, g| pass(g))
    .kernel(check_numerics)
    .batch(elementwise);

/// Passes input 0 through, or fails with the names of the values found.
fn check_numerics(op: &CheckNumerics, cx: &mut Cx<'_, '_>) -> Result<()> {
    let tensor = cx.take(0)?;
    let found = dispatch!(tensor.dtype(), floats, |T| search::<T>(tensor.slice()?),
        else return Err(Error::invalid(format!("{} tensors have no NaN", tensor.dtype()))));
    let infinite = found.plus_infinity || found.minus_infinity;
    let all = match op.signs {
        true => [("-Inf", found.minus_infinity), ("+Inf", found.plus_infinity), ("NaN", found.nan)],
        false => [("Inf", infinite), ("NaN", found.nan), ("", false)],
    };
    let names: Vec<&str> = all.into_iter().filter(|n| n.1).map(|n| n.0).collect();
    if names.is_empty() {
        cx.set(0, tensor);
        return Ok(());
    }
    let message = String::from_utf8_lossy(&op.message);
    Err(Error::invalid(format!("{message} : Tensor had {} values", names.join(" and "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_not_finite_are_named() {
        let run = |values: Vec<f32>| {
            let op = CheckNumerics { dtype: DType::F32, message: Bytes::from_static(b"loss"), signs: true };
            crate::testing::run(CHECK_NUMERICS.of(op), vec![Tensor::vector(values)], &[DType::F32])
        };
        assert_eq!(run(vec![1.0, 2.0]).unwrap()[0].slice::<f32>().unwrap(), [1.0, 2.0]);
        let error = run(vec![f32::NAN, f32::NEG_INFINITY, 1.0]).unwrap_err();
        assert_eq!((error.code(), error.message()), (Code::InvalidArgument, "loss : Tensor had -Inf and NaN values"));
        assert!(run(vec![]).is_ok());
    }
}
