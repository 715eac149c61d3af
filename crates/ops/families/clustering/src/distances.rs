//! Squared distances, computed from squared norms and inner products as in TensorFlow.

use crate::prelude::*;

/// Number of partial sums computed in parallel.
const LANES: usize = 8;

/// Returns the inner product.
#[inline(always)]
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a_lanes, b_lanes) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f32 = a_lanes.remainder().iter().zip(b_lanes.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; LANES];
    for (a, b) in a_lanes.zip(b_lanes) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// Points, one per row.
pub(crate) struct Points<'a> {
    pub(crate) numbers: &'a [f32],
    pub(crate) count: usize,
    pub(crate) dims: usize,
}

impl<'a> Points<'a> {
    /// Reads the points in input `i`, called `name`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it is not a matrix.
    pub(crate) fn of(cx: &'a Cx<'_, '_>, i: usize, name: &str) -> Result<Points<'a>> {
        let shape = cx.input(i)?.shape();
        let &[count, dims] = shape.dims() else {
            return Err(Error::invalid(format!("Input {name} should be a matrix, got shape {shape}")));
        };
        Ok(Points { numbers: cx.slice(i)?, count, dims })
    }

    pub(crate) fn row(&self, i: usize) -> &'a [f32] {
        &self.numbers[i * self.dims..(i + 1) * self.dims]
    }

    /// Half the squared norm of row `i`.
    #[inline(always)]
    pub(crate) fn half_square(&self, i: usize) -> f32 {
        0.5 * dot(self.row(i), self.row(i))
    }
}

/// Returns the int64 scalar in input `i`, called `name`.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is not a scalar.
pub(crate) fn scalar(cx: &Cx<'_, '_>, i: usize, name: &str) -> Result<i64> {
    let tensor = cx.input(i)?;
    if !tensor.shape().is_scalar() {
        return Err(Error::invalid(format!("Input {name} should be a scalar, got shape {}", tensor.shape())));
    }
    tensor.item()
}
