//! Windows that slide along axes: the arithmetic shared by convolutions and pooling.

use crate::prelude::*;
use std::ops::Range;

/// How an axis is padded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pad {
    /// No padding.
    Valid,
    /// Enough for an output of size `input / stride`, rounded up.
    Same,
    /// This much before and after.
    Explicit(i64, i64),
}

/// A window that slides along one axis: its checked parameters and the values derived from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Size of the axis.
    pub input: usize,
    /// Number of taps of the window.
    pub window: usize,
    /// Distance between windows.
    pub stride: usize,
    /// Distance between taps.
    pub dilation: usize,
    /// Padding before the first element.
    pub before: usize,
    /// Number of windows.
    pub output: usize,
}

/// Upper bound for sizes, padding and dilated windows, so that sums of two of them cannot overflow.
const LIMIT: i128 = 1 << 61;

impl Axis {
    /// An axis of one element under a window of one tap.
    pub const UNIT: Axis = Axis { input: 1, window: 1, stride: 1, dilation: 1, before: 0, output: 1 };

    /// Returns the window over an axis of size `input`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the stride or the dilation is not positive, or the window is too large for the axis.
    pub fn new(input: usize, window: usize, stride: i64, dilation: i64, pad: Pad) -> Result<Axis> {
        if stride <= 0 {
            return Err(Error::invalid(format!("Stride must be > 0, but got {stride}")).attr("strides"));
        }
        if dilation < 1 {
            return Err(Error::invalid(format!("Dilation rate must be >= 1, but got {dilation}")).attr("dilations"));
        }
        let (n, s) = (input as i128, i128::from(stride));
        let extent = (window as i128 - 1) * i128::from(dilation) + 1;
        let (before, padded, output) = match pad {
            Pad::Valid => (0, n, (n - extent + s) / s),
            Pad::Explicit(before, after) => {
                if before < 0 || after < 0 {
                    return Err(Error::invalid("All elements of explicit_paddings must be nonnegative")
                        .attr("explicit_paddings"));
                }
                let padded = n + i128::from(before) + i128::from(after);
                (i128::from(before), padded, (padded - extent + s) / s)
            }
            Pad::Same => {
                let output = (n + s - 1) / s;
                (((output - 1) * s + extent - n).max(0) / 2, n, output)
            }
        };
        if output < 0 {
            return Err(Error::invalid(format!(
                "Computed output size would be negative: {output} [input_size: {input}, effective_filter_size: \
                 {extent}, stride: {stride}]"
            )));
        }
        if extent > LIMIT || padded > LIMIT || before > LIMIT {
            return Err(Error::invalid(format!("a window of {window} taps, {dilation} apart, is too large")));
        }
        let size = |v: i128| usize::try_from(v).map_err(|_| Error::invalid("a window is too large"));
        Ok(Axis {
            input,
            window,
            stride: size(s)?,
            dilation: size(i128::from(dilation))?,
            before: size(before)?,
            output: size(output)?,
        })
    }

    /// Returns the position in the input of tap 0 of window `o`; negative in the padding.
    #[inline]
    pub fn start(&self, o: usize) -> isize {
        (o * self.stride) as isize - self.before as isize
    }

    /// Taps of window `o` that are inside the input.
    #[inline]
    pub fn taps(&self, o: usize) -> Range<usize> {
        let start = self.start(o);
        let first = start.min(0).unsigned_abs().div_ceil(self.dilation);
        let end = (self.input as isize - start).max(0) as usize;
        let end = end.div_ceil(self.dilation).min(self.window);
        first.min(end)..end
    }

    /// Windows that cover element `i` of the input: tap and window.
    pub fn windows_over(&self, i: usize) -> impl Iterator<Item = (usize, usize)> + Clone {
        let (stride, output) = (self.stride as isize, self.output);
        let place = (i + self.before) as isize;
        (0..self.window).filter_map(move |k| {
            let at = place - (k * self.dilation) as isize;
            let o = usize::try_from(at / stride).ok().filter(|&o| at >= 0 && at % stride == 0 && o < output)?;
            Some((k, o))
        })
    }

    /// Windows that cover element `i` of the input, for windows without dilation.
    #[inline]
    pub fn over(&self, i: usize) -> Range<usize> {
        let end = ((i + self.before) / self.stride + 1).min(self.output);
        let first = (i + self.before + 1).saturating_sub(self.window).div_ceil(self.stride);
        first.min(end)..end
    }

    /// Elements of the input covered by window `o`, for windows without dilation.
    #[inline]
    pub fn span(&self, o: usize) -> Range<usize> {
        let start = o * self.stride;
        let end = (start + self.window).saturating_sub(self.before).min(self.input);
        start.saturating_sub(self.before).min(end)..end
    }
}

/// Returns the statically known number of windows, for shape functions.
///
/// # Errors
/// See [`Axis::new`].
pub fn output_dim(input: Dim, window: Dim, stride: i64, dilation: i64, pad: Pad) -> Result<Dim> {
    match (input, window, pad) {
        (Some(input), Some(window), _) => Ok(Some(Axis::new(input, window, stride, dilation, pad)?.output)),
        (Some(input), None, Pad::Same) => Ok(Some(Axis::new(input, 1, stride, dilation, pad)?.output)),
        _ => Axis::new(0, 0, stride, dilation, Pad::Same).map(|_| None),
    }
}

/// The position of the channel axis of images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `NHWC`, `NDHWC`.
    ChannelsLast,
    /// `NCHW`, `NCDHW`.
    ChannelsFirst,
}

impl Layout {
    /// Returns the layout given by the attr `data_format`.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` for `NCHW_VECT_C`, `INVALID_ARGUMENT` for anything that is not a layout.
    pub fn of(format: &[u8]) -> Result<Layout> {
        match format {
            b"NHWC" | b"NDHWC" | b"CHANNELS_LAST" => Ok(Layout::ChannelsLast),
            b"NCHW" | b"NCDHW" | b"CHANNELS_FIRST" => Ok(Layout::ChannelsFirst),
            b"NCHW_VECT_C" => Err(Error::unimplemented("the layout NCHW_VECT_C is not supported").attr("data_format")),
            _ => Err(Error::invalid("Invalid data format").attr("data_format")),
        }
    }

    /// Returns the axis of the channels.
    pub fn channel(self, rank: usize) -> usize {
        if self == Layout::ChannelsLast { rank.saturating_sub(1) } else { 1 }
    }

    /// Returns the axis of spatial dimension `i`.
    pub fn spatial(self, i: usize) -> usize {
        if self == Layout::ChannelsLast { i + 1 } else { i + 2 }
    }

    /// Returns the shape of images of this layout.
    ///
    /// # Errors
    /// See [`Shape::new`].
    pub fn shape(self, batch: usize, spatial: &[usize], channels: usize) -> Result<Shape> {
        let spatial = spatial.iter().copied();
        match self {
            Layout::ChannelsLast => Shape::new([batch].into_iter().chain(spatial).chain([channels])),
            Layout::ChannelsFirst => Shape::new([batch, channels].into_iter().chain(spatial)),
        }
    }

    /// Like [`Layout::shape`], with sizes that may be unknown.
    pub fn partial(self, batch: Dim, spatial: &[Dim], channels: Dim) -> PartialShape {
        let spatial = spatial.iter().copied();
        match self {
            Layout::ChannelsLast => PartialShape::new([batch].into_iter().chain(spatial).chain([channels])),
            Layout::ChannelsFirst => PartialShape::new([batch, channels].into_iter().chain(spatial)),
        }
    }
}

/// Returns the padding of spatial dimension `i`, from the attrs `padding` and `explicit_paddings`.
///
/// # Errors
/// `INVALID_ARGUMENT` if they are invalid for images of rank `rank`.
pub fn pad_of(padding: &[u8], explicit: &[i64], layout: Layout, rank: usize, i: usize) -> Result<Pad> {
    let invalid = |message: &str| Error::invalid(message).attr("explicit_paddings");
    if padding != b"EXPLICIT" {
        if !explicit.is_empty() {
            return Err(invalid("explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT"));
        }
        return match padding {
            b"VALID" => Ok(Pad::Valid),
            b"SAME" => Ok(Pad::Same),
            _ => Err(Error::invalid("padding is SAME, VALID or EXPLICIT").attr("padding")),
        };
    }
    if explicit.len() != 2 * rank {
        return Err(invalid("explicit_paddings attribute has the wrong number of values")
            .expected(format!("{} values", 2 * rank))
            .found(format!("{} values", explicit.len())));
    }
    let channel = layout.channel(rank);
    if [explicit[0], explicit[1], explicit[2 * channel], explicit[2 * channel + 1]] != [0; 4] {
        return Err(invalid("Nonzero explicit padding in the batch or depth dimensions is not supported"));
    }
    let axis = layout.spatial(i);
    Ok(Pad::Explicit(explicit[2 * axis], explicit[2 * axis + 1]))
}

/// Returns the shape given by a vector of sizes.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is not a vector or contains invalid sizes.
pub fn shape_from(tensor: &Tensor, what: &str) -> Result<Shape> {
    if tensor.shape().rank() != 1 {
        return Err(Error::invalid(format!("{what} must be a vector")).found(format!("shape {}", tensor.shape())));
    }
    Shape::from_signed(&tensor.to_i64s()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_tensorflows() {
        // input, window, stride, dilation, padding; output and padding before, as computed by TensorFlow.
        let cases = [
            (5, 3, 1, 1, Pad::Valid, 3, 0),
            (5, 3, 2, 1, Pad::Same, 3, 1),
            (6, 3, 2, 1, Pad::Same, 3, 0),
            (5, 3, 1, 2, Pad::Valid, 1, 0),
            (5, 3, 1, 2, Pad::Same, 5, 2),
            (5, 3, 1, 1, Pad::Explicit(1, 2), 6, 1),
            (2, 3, 1, 1, Pad::Valid, 0, 0),
            (1, 3, 2, 1, Pad::Valid, 0, 0),
            (0, 3, 1, 1, Pad::Same, 0, 1),
            (2, 1, 3, 1, Pad::Same, 1, 0),
        ];
        for (input, window, stride, dilation, pad, output, before) in cases {
            let axis = Axis::new(input, window, stride, dilation, pad).unwrap();
            assert_eq!((axis.output, axis.before), (output, before), "{input} {window} {stride} {dilation} {pad:?}");
        }
        for (input, window, stride, dilation) in [(1, 5, 2, 1), (5, 3, 0, 1), (5, 3, 1, 0), (5, 3, -1, 1)] {
            let error = Axis::new(input, window, stride, dilation, Pad::Valid).unwrap_err();
            assert_eq!(error.code(), Code::InvalidArgument);
        }
        assert!(Axis::new(5, usize::MAX >> 1, 1, i64::MAX, Pad::Same).is_err());
        assert!(Axis::new(5, 1, 1, 1, Pad::Explicit(i64::MAX, i64::MAX)).is_err());
    }

    #[test]
    fn taps_stay_inside() {
        for (input, window, stride, dilation, pad) in [
            (7, 3, 2, 2, Pad::Same),
            (5, 2, 3, 1, Pad::Explicit(4, 5)),
            (6, 3, 1, 3, Pad::Explicit(7, 1)),
            (9, 4, 2, 1, Pad::Valid),
        ] {
            let axis = Axis::new(input, window, stride, dilation, pad).unwrap();
            let mut pairs = Vec::new();
            for o in 0..axis.output {
                let place = |k: usize| axis.start(o) + (k * axis.dilation) as isize;
                let inside: Vec<usize> = (0..window).filter(|&k| (0..input as isize).contains(&place(k))).collect();
                assert_eq!(axis.taps(o).collect::<Vec<_>>(), inside);
                pairs.extend(inside.into_iter().map(|k| (place(k) as usize, k, o)));
            }
            let mut transposed: Vec<_> =
                (0..input).flat_map(|i| axis.windows_over(i).map(move |(k, o)| (i, k, o))).collect();
            if dilation == 1 {
                let spans = (0..axis.output).flat_map(|o| axis.span(o).map(move |i| (i, o)));
                let mut spans: Vec<_> = spans.collect();
                spans.sort();
                let over = (0..input).flat_map(|i| axis.over(i).map(move |o| (i, o)));
                assert_eq!(spans, over.collect::<Vec<_>>());
            }
            pairs.sort();
            transposed.sort();
            assert_eq!(pairs, transposed);
        }
    }

    #[test]
    fn spans_stay_inside() {
        let axis = Axis::new(5, 3, 2, 1, Pad::Same).unwrap();
        assert_eq!([axis.span(0), axis.span(1), axis.span(2)], [0..2, 1..4, 3..5]);
    }
}
