//! Pooling windows: the parameters shared by all pooling ops.

use crate::prelude::*;
use crate::simd::is_common;
use levada_kernel::Io;
use levada_ops_core::images::window::{Axis, Layout, Pad, output_dim, pad_of};
use std::ops::Range;

attrs! {
    /// The attrs of pooling and its gradients.
    pub struct PoolAttrs {
        /// Element type.
        dtype: DType = Attr::dtype("T", MAX_POOL_TYPES).or_type(DType::F32),
        /// Size of a window along each axis of the images.
        ksize: Vec<i64> = Attr::ints("ksize"),
        /// Distance between windows along each axis of the images.
        strides: Vec<i64> = Attr::ints("strides"),
        /// Padding scheme.
        padding: Bytes = Attr::one_of("padding", ANY_PADDING),
        /// Layout of the images.
        data_format: Bytes = Attr::one_of("data_format", &["NHWC", "NCHW", "NCHW_VECT_C", "NDHWC", "NCDHW"]),
        /// For `EXPLICIT`: the padding before and after each axis.
        explicit_paddings: Vec<i64> = Attr::ints("explicit_paddings").or_empty(),
        /// Element type of the images.
        images: DType = Attr::dtype("TInput", sets::FLOATS).or_type(DType::F32),
        /// Number of spatial axes.
        spatial: i64 = Attr::int("spatial"),
        /// Whether window sizes and strides are the last two inputs instead of attrs.
        given: bool = Attr::bool("given"),
    }
}

pub(crate) const MAX_POOL_TYPES: &[DType] = {
    use DType::*;
    &[F16, BF16, F32, F64, I32, I64, U8, I16, I8, U16, U32, U64, QI8]
};

pub(crate) const SAME_OR_VALID: &[&str] = &["SAME", "VALID"];
pub(crate) const ANY_PADDING: &[&str] = &["SAME", "VALID", "EXPLICIT"];
const OUTPUT: &[Arg] = &[arg("output", of("T"))];

/// The definition of an op that pools images with windows given as attrs.
pub(crate) const fn images(name: &'static str) -> Def<PoolAttrs> {
    op(name)
        .outputs(OUTPUT)
        .without(&["explicit_paddings", "TInput"])
        .fixed(&[("spatial", AttrDefault::Int(2)), ("given", AttrDefault::Bool(false))])
}

/// The definition of an op that pools volumes.
pub(crate) const fn volumes(name: &'static str) -> Def<PoolAttrs> {
    op(name)
        .outputs(OUTPUT)
        .without(&["explicit_paddings", "TInput"])
        .fixed(&[("spatial", AttrDefault::Int(3)), ("given", AttrDefault::Bool(false))])
}

/// An additional name of an op that pools images with windows given as inputs.
pub(crate) const fn given(name: &'static str) -> Form {
    form(name).without(&["explicit_paddings", "TInput"]).fixed(&[
        ("ksize", AttrDefault::Empty),
        ("strides", AttrDefault::Empty),
        ("spatial", AttrDefault::Int(2)),
        ("given", AttrDefault::Bool(true)),
    ])
}

/// The attrs of pooling along `spatial` axes.
pub(crate) const fn windows(types: &'static [DType], spatial: i64, paddings: &'static [&'static str]) -> [AttrSpec; 5] {
    [
        Attr::dtype("T", types).or_type(DType::F32),
        Attr::ints("ksize").at_least(spatial + 2),
        Attr::ints("strides").at_least(spatial + 2),
        Attr::one_of("padding", paddings),
        match spatial {
            2 => Attr::one_of("data_format", &["NHWC", "NCHW", "NCHW_VECT_C"]).or_str("NHWC"),
            _ => Attr::one_of("data_format", &["NDHWC", "NCDHW"]).or_str("NDHWC"),
        },
    ]
}

impl PoolAttrs {
    /// The pooling of images with shape `input` by a node with these attrs.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` or `UNIMPLEMENTED` if the windows do not match the images.
    pub fn pooling(&self, io: &Io<'_>, input: &Shape) -> Result<Pooling> {
        if !self.given {
            return Pooling::new(&self.parameters(&self.ksize, &self.strides), input);
        }
        let n = io.num_inputs();
        let (ksize, strides) = (io.input(n - 2)?.to_i64s()?, io.input(n - 1)?.to_i64s()?);
        Pooling::new(&self.parameters(&ksize, &strides), input)
    }

    /// As [`PoolAttrs::pooling`], for ops that do not pool over channels.
    ///
    /// # Errors
    /// As [`PoolAttrs::pooling`], and `UNIMPLEMENTED` for windows over channels.
    pub fn over_pixels(&self, io: &Io<'_>, input: &Shape) -> Result<Pooling> {
        self.pooling(io, input)?.of_pixels()
    }

    /// Number of axes of the images.
    pub(crate) fn rank(&self) -> usize {
        self.spatial as usize + 2
    }

    fn parameters<'a>(&'a self, ksize: &'a [i64], strides: &'a [i64]) -> Parameters<'a> {
        Parameters {
            spatial: self.spatial as usize,
            ksize,
            strides,
            padding: &self.padding,
            explicit_paddings: &self.explicit_paddings,
            data_format: &self.data_format,
        }
    }
}

/// The shape function of pooling.
pub(crate) fn shape(op: &PoolAttrs, cx: &mut ShapeCx<'_>) -> Result<()> {
    let input = cx.with_rank(0, op.rank())?;
    let shape = if op.given {
        match (cx.constant_i64s(1), cx.constant_i64s(2)) {
            (Some(ksize), Some(strides)) => op.parameters(&ksize, &strides).partial(&input)?,
            _ => {
                Layout::of(&op.data_format)?;
                PartialShape::of_rank(op.rank())
            }
        }
    } else {
        op.parameters(&op.ksize, &op.strides).partial(&input)?
    };
    cx.output(0, shape);
    Ok(())
}

/// The layout of windows on images.
#[derive(Clone, Copy)]
pub(crate) struct Parameters<'a> {
    /// Number of spatial dimensions.
    pub spatial: usize,
    pub ksize: &'a [i64],
    pub strides: &'a [i64],
    pub padding: &'a [u8],
    pub explicit_paddings: &'a [i64],
    pub data_format: &'a [u8],
}

/// A pooling with all sizes known and checked. Channels-first images are pooled as more images of one channel each.
#[derive(Clone, Debug)]
pub struct Pooling {
    /// Depth, height and width; axes that the images lack have one element and a window of one.
    pub axes: [Axis; 3],
    /// Channels per pixel.
    pub channels: usize,
    /// Number of channels pooled into one, or 1.
    pub depth_window: usize,
    output: Shape,
}

impl Parameters<'_> {
    fn check_lists(&self) -> Result<Layout> {
        let (rank, layout) = (self.spatial + 2, Layout::of(self.data_format)?);
        for (attr, list) in [("ksize", self.ksize), ("strides", self.strides)] {
            if list.len() != rank {
                return Err(Error::invalid(format!("Sliding window {attr} must specify {rank} dimensions"))
                    .attr(attr)
                    .found(format!("{} values", list.len())));
            }
        }
        if let Some(size) = self.ksize.iter().find(|&&k| k <= 0) {
            return Err(Error::invalid("Sliding window ksize must be positive").attr("ksize").found(size));
        }
        if self.ksize[0] != 1 || self.strides[0] != 1 {
            return Err(Error::unimplemented("Pooling is not yet supported on the batch dimension"));
        }
        Ok(layout)
    }

    /// The statically known shape of the result.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the shape of the images is invalid.
    pub(crate) fn partial(&self, input: &PartialShape) -> Result<PartialShape> {
        let (rank, layout) = (self.spatial + 2, self.check_lists()?);
        let channel = layout.channel(rank);
        if self.ksize[channel] != 1 {
            return Ok(PartialShape::of_rank(rank));
        }
        let mut sizes = [None; 3];
        for (i, size) in sizes.iter_mut().enumerate().take(self.spatial) {
            let axis = layout.spatial(i);
            let pad = pad_of(self.padding, self.explicit_paddings, layout, rank, i)?;
            let window = Some(self.ksize[axis] as usize);
            *size = output_dim(input.dim(axis as isize), window, self.strides[axis], 1, pad)?;
        }
        Ok(layout.partial(input.dim(0), &sizes[..self.spatial], input.dim(channel as isize)))
    }
}

impl Pooling {
    /// The pooling of images with shape `input`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the window does not match the images, `UNIMPLEMENTED` for windows over the batch, or over
    /// channels and pixels together.
    pub(crate) fn new(parameters: &Parameters<'_>, input: &Shape) -> Result<Pooling> {
        let (spatial, layout) = (parameters.spatial, parameters.check_lists()?);
        let rank = spatial + 2;
        if input.rank() != rank {
            return Err(Error::invalid(format!("the images must have {spatial} spatial dimensions"))
                .expected(format!("rank {rank}"))
                .found(format!("shape {input}")));
        }
        let channel = layout.channel(rank);
        let mut axes = [Axis::UNIT; 3];
        let depth_window = parameters.ksize[channel] as usize;
        if depth_window != 1 {
            let unimplemented = |what: &str| Err(Error::unimplemented(what));
            let flat = (0..spatial).all(|i| parameters.ksize[layout.spatial(i)] == 1);
            if !flat {
                return unimplemented("pooling over channels and pixels at once is not supported");
            }
            if layout != Layout::ChannelsLast {
                return unimplemented("pooling over channels is supported only where they are last");
            }
            if !input[channel].is_multiple_of(depth_window) {
                return unimplemented(
                    "Depthwise max pooling requires the depth window to evenly divide the input depth",
                );
            }
            if parameters.strides[channel] != parameters.ksize[channel] {
                return unimplemented("Depthwise max pooling requires the depth window to equal the depth stride");
            }
            for i in 0..spatial {
                axes[3 - spatial + i] = Axis::new(input[layout.spatial(i)], 1, 1, 1, Pad::Valid)?;
            }
        } else {
            for i in 0..spatial {
                let axis = layout.spatial(i);
                let pad = pad_of(parameters.padding, parameters.explicit_paddings, layout, rank, i)?;
                let (window, stride) = (parameters.ksize[axis], parameters.strides[axis]);
                if let Pad::Explicit(before, after) = pad
                    && (before >= window || after >= window)
                {
                    return Err(Error::invalid(format!(
                        "Padding {before},{after} needs to be smaller than the window size {window}"
                    )));
                }
                axes[3 - spatial + i] = Axis::new(input[axis], window as usize, stride, 1, pad)?;
            }
        }
        let sizes = axes.map(|a| a.output);
        let output = layout.shape(input[0], &sizes[3 - spatial..], input[channel] / depth_window)?;
        let channels = match layout {
            Layout::ChannelsLast => input[channel],
            Layout::ChannelsFirst => 1,
        };
        Ok(Pooling { axes, channels, depth_window, output })
    }

    /// Shape of the result.
    pub fn output_shape(&self) -> &Shape {
        &self.output
    }

    /// As [`Pooling::new`], for ops that do not pool over channels.
    ///
    /// # Errors
    /// As [`Pooling::new`].
    pub(crate) fn over_pixels(parameters: &Parameters<'_>, input: &Shape) -> Result<Pooling> {
        Pooling::new(parameters, input)?.of_pixels()
    }

    /// Returns this pooling, for ops that do not pool over channels.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` if it pools over channels.
    fn of_pixels(self) -> Result<Pooling> {
        if self.depth_window != 1 {
            return Err(Error::unimplemented("Non-spatial pooling is not yet supported"));
        }
        Ok(self)
    }

    /// Approximate number of elements in a window.
    pub(crate) fn window(&self) -> usize {
        self.axes.iter().map(|a| a.window.min(a.input)).product()
    }

    /// Approximate time of [`Pooling::for_runs`] per window.
    pub(crate) fn nanos<T: Element>(&self) -> f64 {
        let elements = (self.window() * self.channels) as f64;
        match self.axes[2].stride {
            1 if is_common::<T>() => elements * 0.03 + 1.0,
            _ => elements * 0.1 + 5.0,
        }
    }

    /// Image and position of window `window`.
    #[inline(always)]
    pub(crate) fn split(&self, window: usize) -> (usize, [usize; 3]) {
        let [ad, ah, aw] = &self.axes;
        let (rest, w) = (window / aw.output, window % aw.output);
        let (rest, h) = (rest / ah.output, rest % ah.output);
        (rest / ad.output, [rest % ad.output, h, w])
    }

    /// Calls `f` with the index of every pixel in window `window`, in ascending order.
    #[inline(always)]
    pub(crate) fn each_pixel(&self, window: usize, mut f: impl FnMut(usize)) {
        let (n, [d, h, w]) = self.split(window);
        let [ad, ah, aw] = &self.axes;
        for d in ad.span(d) {
            for h in ah.span(h) {
                let line = ((n * ad.input + d) * ah.input + h) * aw.input;
                for w in aw.span(w) {
                    f(line + w);
                }
            }
        }
    }

    /// Calls `f` with each of these windows and the indices of its pixels, in ascending order.
    #[inline(always)]
    pub(crate) fn for_windows(&self, windows: Range<usize>, mut f: impl FnMut(usize, &[usize])) {
        self.by_runs(
            windows,
            1,
            #[inline(always)]
            |window, _, pixels| f(window, pixels),
        );
    }

    /// As [`Pooling::for_windows`], for runs of adjacent windows, each shifted by one pixel from the preceding one:
    /// calls `f` with the first window, the length of the run and the pixels of the first.
    #[inline(always)]
    pub(crate) fn for_runs(&self, windows: Range<usize>, f: impl FnMut(usize, usize, &[usize])) {
        self.by_runs(windows, usize::MAX, f);
    }

    #[inline(always)]
    fn by_runs(&self, windows: Range<usize>, longest: usize, mut f: impl FnMut(usize, usize, &[usize])) {
        let [ad, ah, aw] = &self.axes;
        let (mut lines, mut pixels) = (Vec::new(), Vec::new());
        let mut next = windows.start;
        while next < windows.end {
            // A row of windows covers the same lines of pixels.
            let (n, [d, h, w]) = self.split(next);
            lines.clear();
            for d in ad.span(d) {
                lines.extend(ah.span(h).map(|h| ((n * ad.input + d) * ah.input + h) * aw.input));
            }
            let end = windows.end.min(next + aw.output - w);
            let mut w = w;
            while next < end {
                let span = aw.span(w);
                pixels.clear();
                for line in &lines {
                    pixels.extend(span.clone().map(|w| line + w));
                }
                // Windows that reach into the padding have fewer pixels than their neighbors.
                let is_whole = aw.stride == 1 && span.len() == aw.window;
                let run = if is_whole { aw.input - span.end + 1 } else { 1 };
                let run = run.min(longest).min(end - next);
                f(next, run, &pixels);
                (next, w) = (next + run, w + run);
            }
        }
    }

    /// Calls `f` with the index of every window that contains pixel `pixel`, in ascending order.
    #[inline(always)]
    pub(crate) fn each_window(&self, pixel: usize, mut f: impl FnMut(usize)) {
        let [ad, ah, aw] = &self.axes;
        let (rest, w) = (pixel / aw.input, pixel % aw.input);
        let (rest, h) = (rest / ah.input, rest % ah.input);
        let (n, d) = (rest / ad.input, rest % ad.input);
        for d in ad.over(d) {
            for h in ah.over(h) {
                let line = ((n * ad.output + d) * ah.output + h) * aw.output;
                for w in aw.over(w) {
                    f(line + w);
                }
            }
        }
    }

    /// Checks that a tensor has the shape of the result.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it does not.
    pub fn check_output(&self, tensor: &Tensor, what: &str) -> Result<()> {
        same_shape(tensor, &self.output, what)
    }

    /// Number of pixels in window `window`.
    #[inline(always)]
    pub(crate) fn count(&self, window: usize) -> usize {
        let (_, at) = self.split(window);
        self.axes.iter().zip(at).map(|(a, o)| a.span(o).len()).product()
    }
}

/// Evaluates `$body` for pieces of `$n` channels each from `$first` on, wide ones first.
macro_rules! by_pieces {
    ($channels:expr, |$first:ident, $n:ident| $body:expr) => {{
        let mut $first = 0;
        by_pieces!(@ $channels, $first, $n, $body, 32);
        by_pieces!(@ $channels, $first, $n, $body, 8);
        by_pieces!(@ $channels, $first, $n, $body, 1);
    }};
    (@ $channels:expr, $first:ident, $n:ident, $body:expr, $width:literal) => {
        while $channels - $first >= $width {
            const $n: usize = $width;
            $body;
            $first += $width;
        }
    };
}
pub(crate) use by_pieces;

/// Checks the shape of a tensor.
///
/// # Errors
/// `INVALID_ARGUMENT` for any other shape.
pub(crate) fn same_shape(tensor: &Tensor, shape: &Shape, what: &str) -> Result<()> {
    if tensor.shape() != shape {
        return Err(Error::invalid(format!("Expected {what} shape to be {shape}, but got {}", tensor.shape())));
    }
    Ok(())
}
