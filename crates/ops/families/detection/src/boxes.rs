//! Boxes and their overlap, and input checks that the ops share.

use crate::prelude::*;

/// Number of coordinates of a box: two opposite corners, each as row and column.
pub(crate) const CORNERS: usize = 4;

/// A box with its corners ordered, and its area.
#[derive(Clone, Copy)]
pub(crate) struct Area {
    low: [f32; 2],
    high: [f32; 2],
    area: f32,
}

/// Returns the minimum; the first argument if one of them is NaN.
fn lesser(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// Returns the maximum; the first argument if one of them is NaN.
fn greater(a: f32, b: f32) -> f32 {
    if a < b { b } else { a }
}

impl Area {
    pub(crate) fn new(corners: [f32; CORNERS]) -> Area {
        let [y, x, v, u] = corners;
        let (low, high) = ([lesser(y, v), lesser(x, u)], [greater(y, v), greater(x, u)]);
        Area { low, high, area: (high[0] - low[0]) * (high[1] - low[1]) }
    }

    /// Returns the intersection over union of the two boxes.
    pub(crate) fn overlap(&self, other: &Area) -> f32 {
        if self.area <= 0.0 || other.area <= 0.0 {
            return 0.0;
        }
        let side = |axis: usize| {
            greater(lesser(self.high[axis], other.high[axis]) - greater(self.low[axis], other.low[axis]), 0.0)
        };
        let both = side(0) * side(1);
        both / (self.area + other.area - both)
    }
}

/// Returns the scalar in input `i`, called `name`.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is not a scalar.
pub(crate) fn scalar<T: Element + Copy>(cx: &Cx<'_, '_>, i: usize, name: &str) -> Result<T> {
    scalar_tensor(cx, i, name)?.item()
}

fn scalar_tensor<'a>(cx: &'a Cx<'_, '_>, i: usize, name: &str) -> Result<&'a Tensor> {
    let tensor = cx.input(i)?;
    if !tensor.shape().is_scalar() {
        return Err(Error::invalid(format!("{name} must be 0-D, got shape {}", tensor.shape())));
    }
    Ok(tensor)
}

/// Returns the scalar of any float type in input `i`, called `name`, as `T`.
///
/// # Errors
/// As [`scalar`].
pub(crate) fn float<T: Float>(cx: &Cx<'_, '_>, i: usize, name: &str) -> Result<T> {
    let tensor = scalar_tensor(cx, i, name)?;
    let value = match tensor.dtype() {
        DType::F16 => tensor.item::<f16>()?.to_f64(),
        _ => f64::from(tensor.item::<f32>()?),
    };
    Ok(T::from_f64(value))
}

/// Checks that `threshold` is between 0 and 1.
///
/// # Errors
/// `INVALID_ARGUMENT` otherwise.
pub(crate) fn check_part<T: Float>(threshold: T) -> Result<()> {
    if (0.0..=1.0).contains(&threshold.to_f64()) {
        return Ok(());
    }
    Err(Error::invalid("iou_threshold must be in [0, 1]").found(threshold.to_f64()))
}

/// Merges the known sizes of an axis that two inputs have in common.
///
/// # Errors
/// `INVALID_ARGUMENT` if they differ.
pub(crate) fn common(a: Dim, b: Dim) -> Result<Dim> {
    Ok(PartialShape::vector(a).merge(&PartialShape::vector(b))?.dim(0))
}
