//! Shared by the LSTM and GRU block ops: operands as `f32`, and products with parts of the weights.

use crate::prelude::*;
use levada_gemm::{self as gemm, Mat, Size};
use levada_ops_core::halves::Half;
use std::borrow::Cow;

/// The elements of input `i`, with halves widened.
pub(super) fn floats<'a>(cx: &'a Cx<'_, '_>, i: usize) -> Result<Cow<'a, [f32]>> {
    let input = cx.input(i)?;
    match input.dtype() {
        DType::F16 => Ok(Cow::Owned(f16::singles(input.slice()?))),
        _ => Ok(Cow::Borrowed(input.slice::<f32>()?)),
    }
}

/// Checks the shape of input `i`, named `name`.
///
/// # Errors
/// `INVALID_ARGUMENT` for any other shape.
pub(super) fn check(cx: &levada_kernel::Io<'_>, i: usize, name: &str, dims: &[usize]) -> Result<()> {
    let found = cx.input(i)?.shape();
    if found.dims() == dims {
        return Ok(());
    }
    Err(Error::invalid(format!("{name} has the wrong shape")).expected(format!("{dims:?}")).found(found))
}

/// The dimensions of input `i`, which must have `N` axes.
pub(super) fn sizes<const N: usize>(cx: &levada_kernel::Io<'_>, i: usize, name: &str) -> Result<[usize; N]> {
    let found = cx.input(i)?.shape();
    <[usize; N]>::try_from(found.dims())
        .map_err(|_| Error::invalid(format!("{name} has the wrong rank")).expected(format!("rank {N}")).found(found))
}

/// Checks that there is memory for `count` buffers with these dimensions.
pub(super) fn reserve(cx: &Cx<'_, '_>, count: usize, dims: &[usize]) -> Result<()> {
    let bytes = dims.iter().fold(count.saturating_mul(4), |n, &d| n.saturating_mul(d));
    cx.device.arena.check(bytes)
}

/// Sets output `i` to these values.
pub(super) fn set_floats(cx: &mut Cx<'_, '_>, i: usize, dims: &[usize], values: &[f32]) -> Result<()> {
    let dtype = cx.output_dtype(i).unwrap_or(DType::F32);
    let shape = Shape::new(dims.iter().copied())?;
    let mut out = cx.alloc(dtype, &shape)?;
    match dtype {
        DType::F16 => f16::from_singles(values, out.slice_mut()?),
        _ => out.slice_mut::<f32>()?.copy_from_slice(values),
    }
    cx.set(i, out);
    Ok(())
}

/// Writes the product of `a` (`m` rows) and `b` (`n` columns) to `c`.
pub(super) fn product(
    cx: &Cx<'_, '_>,
    (m, n, k): (usize, usize, usize),
    a: Mat<'_, f32>,
    b: Mat<'_, f32>,
    c: &mut [f32],
) -> Result<()> {
    gemm::multiply(cx.pool(), Size { m, n, k }, a, b, c)
}

/// A matrix product in a gradient, with either factor optionally transposed.
pub(super) fn mat_mul<'g>(a: V<'g>, b: V<'g>, [transpose_a, transpose_b]: [bool; 2]) -> V<'g> {
    a.cx().node(
        "MatMul",
        &[a, b],
        &[("transpose_a", AttrValue::B(transpose_a)), ("transpose_b", AttrValue::B(transpose_b))],
    )
}

/// The logistic function.
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Adds the rows of `m`, each as long as `sums`, to `sums`.
pub(super) fn add_rows(sums: &mut [f32], m: &[f32]) {
    if sums.is_empty() {
        return;
    }
    for row in m.chunks_exact(sums.len()) {
        sums.iter_mut().zip(row).for_each(|(s, x)| *s += x);
    }
}

/// The columns `from..from + n` of a matrix with `width` columns.
pub(super) fn columns(m: &[f32], width: usize, from: usize, n: usize) -> Vec<f32> {
    if width == 0 {
        return Vec::new();
    }
    m.chunks_exact(width).flat_map(|row| &row[from..from + n]).copied().collect()
}
