//! Conversion of tensors of any numeric dtype to the values of a summary.

use crate::prelude::*;

/// Returns the elements of a numeric or boolean tensor.
pub(crate) fn numbers(tensor: &Tensor) -> Result<Vec<f64>> {
    if tensor.dtype() == DType::Bool {
        return Ok(tensor.slice::<bool>()?.iter().map(|v| f64::from(u8::from(*v))).collect());
    }
    let values = dispatch!(tensor.dtype(), reals, |T| {
        tensor.slice::<T>()?.iter().map(|v| Real::to_f64(*v)).collect()
    }, else return Err(Error::unimplemented(format!("a summary of {} is not supported", tensor.dtype()))));
    Ok(values)
}

/// Returns the only element of input `i`.
pub(crate) fn scalar<T: Element>(cx: &Cx<'_, '_>, i: usize, what: &str) -> Result<T> {
    let input = cx.input(i)?;
    if !input.shape().is_scalar() {
        return Err(Error::invalid(format!("{what} must be a scalar")).found(format!("shape {}", input.shape())));
    }
    input.item()
}
