//! Windows that slide over images of shape `[batch, height, width, channels]`.

use crate::prelude::*;

/// How far a window slides along an axis.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// Size of the images.
    pub input: usize,
    /// Size of the window.
    pub window: usize,
    /// Distance between windows.
    pub stride: usize,
    /// Number of windows.
    pub output: usize,
    /// Padding before the image: the first window begins this far ahead of it, if positive.
    pub before: isize,
}

/// Returns the number of windows along an axis; zero if none fits.
pub fn count(input: usize, window: usize, stride: usize, same: bool) -> usize {
    if same { input.div_ceil(stride) } else { (input + stride).saturating_sub(window) / stride }
}

impl Axis {
    /// Windows whose first position is that of pooling.
    pub fn new(input: usize, window: usize, stride: usize, same: bool) -> Axis {
        let output = count(input, window, stride, same);
        let reach = output.saturating_sub(1) * stride + window;
        let before = if same { reach.saturating_sub(input) / 2 } else { 0 };
        Axis { input, window, stride, output, before: before as isize }
    }

    /// Returns the part of the images that window `i` covers.
    pub fn covered(&self, i: usize) -> std::ops::Range<usize> {
        let first = (i * self.stride) as isize - self.before;
        let end = first + self.window as isize;
        let inside = |at: isize| at.clamp(0, self.input as isize) as usize;
        inside(first)..inside(end)
    }
}

/// Returns the attrs of windows: four sizes, including those of the batch and the channels.
pub fn four(attr: &'static str, values: &[i64]) -> Result<[usize; 4]> {
    let size = |v: i64| -> Option<usize> { i32::try_from(v).ok().filter(|&v| v > 0)?.try_into().ok() };
    let sizes: Option<Vec<usize>> = values.iter().map(|&v| size(v)).collect();
    match sizes.as_deref() {
        Some(&[batch, rows, columns, channels]) => Ok([batch, rows, columns, channels]),
        _ => Err(Error::invalid(format!("Sliding window {attr} must specify 4 positive dimensions"))
            .attr(attr)
            .found(format!("{values:?}"))),
    }
}

/// Returns the statically known number of windows.
pub fn count_of(input: Dim, window: Dim, stride: usize, same: bool) -> Dim {
    match (input, window) {
        (Some(input), _) if same => Some(count(input, 1, stride, true)),
        (Some(input), Some(window)) => Some(count(input, window, stride, false)),
        _ => None,
    }
}
