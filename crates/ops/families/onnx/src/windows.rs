//! Windows that slide over the spatial axes of a tensor with batch and channel axes and any number of spatial axes.

use crate::base::{per_axis, product};
use crate::prelude::*;

/// The attrs shared by pooling and convolution.
pub(crate) struct Slide<'a> {
    pub(crate) kernel: &'a [i64],
    pub(crate) strides: &'a [i64],
    pub(crate) dilations: &'a [i64],
    pub(crate) pads: &'a [i64],
    pub(crate) auto_pad: &'a str,
    pub(crate) ceil: bool,
}

/// `auto_pad` of ONNX.
pub(crate) const AUTO_PAD: &[&str] = &["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"];

/// The sliding of windows along one axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub(crate) input: usize,
    pub(crate) output: usize,
    pub(crate) kernel: usize,
    pub(crate) stride: usize,
    pub(crate) dilation: usize,
    /// Padding before the first and after the last element.
    pub(crate) before: usize,
    pub(crate) after: usize,
}

impl Slide<'_> {
    /// The axes of a tensor with these spatial sizes.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the attrs do not match the sizes.
    pub(crate) fn axes(&self, sizes: &[usize]) -> Result<Vec<Axis>> {
        let rank = sizes.len();
        if self.kernel.len() != rank {
            return Err(Error::invalid("kernel_shape must give a number for each spatial axis")
                .attr("kernel_shape")
                .expected(format!("{rank} numbers"))
                .found(format!("{:?}", self.kernel)));
        }
        let kernel = per_axis("kernel_shape", self.kernel, rank, 1, 1)?;
        let strides = per_axis("strides", self.strides, rank, 1, 1)?;
        let dilations = per_axis("dilations", self.dilations, rank, 1, 1)?;
        let pads = per_axis("pads", self.pads, 2 * rank, 0, 0)?;
        (0..rank).map(|i| self.axis(sizes[i], kernel[i], strides[i], dilations[i], (pads[i], pads[rank + i]))).collect()
    }

    fn axis(&self, input: usize, kernel: usize, stride: usize, dilation: usize, pads: (usize, usize)) -> Result<Axis> {
        let too_large = || Error::invalid("a window is too large");
        let span = (kernel - 1).checked_mul(dilation).and_then(|span| span.checked_add(1)).ok_or_else(too_large)?;
        let axis = |output, (before, after)| Axis { input, output, kernel, stride, dilation, before, after };
        match self.auto_pad {
            "SAME_UPPER" | "SAME_LOWER" => {
                let output = input.div_ceil(stride);
                let last = (output.saturating_sub(1)).checked_mul(stride).and_then(|x| x.checked_add(span));
                let all = last.ok_or_else(too_large)?.saturating_sub(input);
                let before = if self.auto_pad == "SAME_UPPER" { all / 2 } else { all.div_ceil(2) };
                return Ok(axis(output, (before, all - before)));
            }
            "VALID" => return self.count(axis(0, (0, 0)), span),
            _ => {}
        }
        self.count(axis(0, pads), span)
    }

    fn count(&self, axis: Axis, span: usize) -> Result<Axis> {
        let sum = axis.input.checked_add(axis.before).and_then(|x| x.checked_add(axis.after));
        let padded = sum.ok_or_else(|| Error::invalid("the padding is too large").attr("pads"))?;
        let Some(room) = padded.checked_sub(span) else {
            return Err(Error::invalid("a window is larger than the padded input")
                .attr("kernel_shape")
                .expected(format!("at most {padded}"))
                .found(span));
        };
        let mut output = room / axis.stride + 1;
        if self.ceil && !room.is_multiple_of(axis.stride) {
            // A window that starts in the padding after the input is dropped.
            output += usize::from((room / axis.stride + 1) * axis.stride < axis.input + axis.before);
        }
        Ok(Axis { output, ..axis })
    }

    /// Infers the result's shape: that of input 0 with other spatial sizes, and `channels` channels if given.
    ///
    /// # Errors
    /// As [`Slide::axes`].
    pub(crate) fn shape(&self, input: &PartialShape, channels: Option<Dim>) -> Result<PartialShape> {
        let Some(dims) = input.dims() else { return Ok(PartialShape::Unknown) };
        if dims.len() < 2 {
            return Err(Error::invalid("X must have batch and channel axes").found(input));
        }
        let spatial: Option<Vec<usize>> = dims[2..].iter().copied().collect();
        let first = [dims[0], channels.unwrap_or(dims[1])];
        match spatial {
            Some(sizes) => {
                let axes = self.axes(&sizes)?;
                Ok(PartialShape::new(first.into_iter().chain(axes.iter().map(|axis| Some(axis.output)))))
            }
            None => Ok(PartialShape::new(first.into_iter().chain(dims[2..].iter().map(|_| None)))),
        }
    }
}

/// Calls `f` with every position within `sizes`, in row-major order.
pub(crate) fn positions(sizes: &[usize], mut f: impl FnMut(&[usize])) {
    if sizes.contains(&0) {
        return;
    }
    let mut at = vec![0; sizes.len()];
    loop {
        f(&at);
        let Some(i) = (0..sizes.len()).rev().find(|&i| at[i] + 1 < sizes[i]) else { return };
        at[i] += 1;
        at[i + 1..].fill(0);
    }
}

/// For every window along an axis, the input elements at each of its positions; `None` for padding.
pub(crate) fn places(axis: &Axis) -> Vec<Option<usize>> {
    let mut out = Vec::with_capacity(axis.output * axis.kernel);
    for o in 0..axis.output {
        for k in 0..axis.kernel {
            let at = (o * axis.stride + k * axis.dilation).checked_sub(axis.before);
            out.push(at.filter(|&at| at < axis.input));
        }
    }
    out
}

/// Checks that the tables of [`places`] fit in memory.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` if they do not.
pub(crate) fn check_places(cx: &Cx<'_, '_>, axes: &[Axis]) -> Result<()> {
    for axis in axes {
        product(&[axis.output, axis.kernel])?;
        cx.device.arena.check((axis.output * axis.kernel).saturating_mul(16))?;
    }
    Ok(())
}

/// The output sizes of the axes.
pub(crate) fn outputs(axes: &[Axis]) -> Vec<usize> {
    axes.iter().map(|axis| axis.output).collect()
}
