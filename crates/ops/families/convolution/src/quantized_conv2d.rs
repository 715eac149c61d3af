//! `LevadaQuantizedConv2D` and `LevadaQuantizedDepthwiseConv2D`: convolutions of quantized images with a fused
//! epilogue.

use super::codes::{ACTIVATIONS, Ending, Kept, Made, RESULTS, Rest, Scale, dispatch_result};
use super::convolution::{Convolution, check_filter};
use super::parameters::Parameters;
use crate::prelude::*;
use levada_gemm::int8::{Isa, Lines, Packed, Place, Tile, multiply};
use levada_ops_core::images::window::{Axis, Layout, output_dim};

attrs! {
    /// Convolves quint8 images with qint8 filters, adds a bias and an optional side input and applies an activation;
    /// returns quantized values or floats.
    ///
    /// A code `c` of the images represents `(c - input_zero_point) * input_scale`, a code `w` of a filter represents
    /// `w * filter_scales[j]`, where `j` is its output channel. Sums of products are exact. The epilogue is computed in
    /// float32 in this order: the sum times `input_scale * filter_scales[j]`, plus `bias[j]`, plus
    /// `(side - side_zero_point) * side_scale`, then the activation; for quantized results, times the reciprocal of
    /// `output_scale`, rounded to nearest, plus `output_zero_point`, clamped to the range from 0 to 255.
    pub struct LevadaQuantizedConv2D {
        /// Type of the result: quint8 for quantized results.
        out_type: DType = Attr::dtype("out_type", RESULTS).or_type(DType::F32),
        /// Strides, one for each axis of the images.
        strides: Vec<i64> = Attr::ints("strides"),
        /// `SAME`, `VALID` or `EXPLICIT`. Padding represents zero.
        padding: Bytes = Attr::one_of("padding", &["SAME", "VALID", "EXPLICIT"]),
        /// For `EXPLICIT`: the padding before and after each axis.
        explicit_paddings: Vec<i64> = Attr::ints("explicit_paddings").or_empty(),
        /// Dilations, one for each axis of the images.
        dilations: Vec<i64> = Attr::ints("dilations").or_ints(&[1, 1, 1, 1]),
        /// Scale of the images: the distance between the values of adjacent codes.
        input_scale: f32 = Attr::float("input_scale"),
        /// Zero point of the images: the code of zero.
        input_zero_point: i64 = Attr::int("input_zero_point").or_int(0),
        /// `Identity`, `Relu` or `Relu6`.
        activation: String = Attr::one_of("activation", ACTIVATIONS).or_str("Identity"),
        /// Number of side inputs to add: 0 or 1.
        sides: i64 = Attr::int("num_sides").at_least(0).or_int(0),
        /// Scale of the side input.
        side_scale: f32 = Attr::float("side_scale").or_float(1.0),
        /// Zero point of the side input.
        side_zero_point: i64 = Attr::int("side_zero_point").or_int(0),
        /// Scale of the result.
        output_scale: f32 = Attr::float("output_scale").or_float(1.0),
        /// Zero point of the result.
        output_zero_point: i64 = Attr::int("output_zero_point").or_int(0),
    }
}

const INPUTS: &[Arg] = &[
    arg("input", is(DType::QU8)),
    arg("filter", is(DType::QI8)),
    arg("filter_scales", is(DType::F32)),
    arg("bias", is(DType::F32)),
    arg("side", is(DType::QU8)).times("num_sides"),
];

const OUTPUTS: &[Arg] = &[arg("output", of("out_type"))];

const fn convolution(
    name: &'static str,
    kernel: fn(&LevadaQuantizedConv2D, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<LevadaQuantizedConv2D> {
    op::<LevadaQuantizedConv2D>(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .kernel(kernel)
        .heavy()
        .supports(|op| op.sides <= 1)
}

pub static LEVADA_QUANTIZED_CONV2D: Def<LevadaQuantizedConv2D> = convolution("LevadaQuantizedConv2D", conv2d)
    .shape(|op, cx| {
        cx.with_rank(2, 1)?;
        cx.with_rank(3, 1)?;
        op.parameters().shape(cx)
    })
    .flops(|_, inputs, outputs| {
        let taps = inputs.get(1)?;
        let each: f64 = (0..3).map(|i| taps.dim(i).unwrap_or(1) as f64).product();
        Some(2.0 * outputs.first()?.num_elements()? as f64 * each)
    });

pub static LEVADA_QUANTIZED_DEPTHWISE_CONV2D: Def<LevadaQuantizedConv2D> =
    convolution("LevadaQuantizedDepthwiseConv2D", depthwise)
        .doc("Like `LevadaQuantizedConv2D`, for the depthwise filters of `DepthwiseConv2dNative`.")
        .shape(|op, cx| {
            cx.with_rank(2, 1)?;
            cx.with_rank(3, 1)?;
            let slides = op.parameters().slides()?;
            let (input, filter) = (cx.with_rank(0, 4)?, cx.with_rank(1, 4)?);
            let channels = PartialShape::vector(input.dim(3)).merge(&PartialShape::vector(filter.dim(2)))?.dim(0);
            let mut sizes = [None; 2];
            for (i, &(stride, dilation, pad)) in slides[1..].iter().enumerate() {
                sizes[i] = output_dim(input.dim(i as isize + 1), filter.dim(i as isize), stride, dilation, pad)?;
            }
            let filters = channels.zip(filter.dim(3)).and_then(|(c, m)| c.checked_mul(m));
            cx.output(0, Layout::ChannelsLast.partial(input.dim(0), &sizes, filters));
            Ok(())
        })
        .flops(|_, inputs, outputs| {
            let taps = inputs.get(1)?;
            let each: f64 = (0..2).map(|i| taps.dim(i).unwrap_or(1) as f64).product();
            Some(2.0 * outputs.first()?.num_elements()? as f64 * each)
        });

impl LevadaQuantizedConv2D {
    fn parameters(&self) -> Parameters<'_> {
        Parameters {
            spatial: 2,
            strides: &self.strides,
            dilations: &self.dilations,
            padding: &self.padding,
            explicit_paddings: &self.explicit_paddings,
            data_format: b"NHWC",
        }
    }

    fn ending(&self) -> Result<Ending<'_>> {
        Ok(Ending {
            input: Scale::new("input", self.input_scale, self.input_zero_point)?,
            activation: &self.activation,
            sides: self.sides,
            side: (self.side_scale, self.side_zero_point),
            output: (self.output_scale, self.output_zero_point),
        })
    }
}

fn conv2d(op: &LevadaQuantizedConv2D, cx: &mut Cx<'_, '_>) -> Result<()> {
    let ending = op.ending()?;
    let (input, filter) = (cx.input(0)?.clone(), cx.input(1)?.shape().clone());
    let convolution = Convolution::new(&op.parameters(), input.shape(), &filter)?;
    if convolution.groups == convolution.channels && convolution.groups > 1 {
        return by_channels(op, cx, &convolution);
    }
    let shape = convolution.output_shape()?;
    let images = Images::of(&convolution);
    let weights = if shape.num_elements() == 0 {
        Default::default()
    } else {
        check_filter(&filter)?;
        Kept::weights(cx, |filter| images.pack(filter.slice::<i8>()?))?
    };
    let sums: Vec<i32> = if weights.is_empty() {
        vec![0; convolution.filters]
    } else {
        weights.iter().flat_map(|group| group.sums()).copied().collect()
    };
    let mut out = cx.alloc(op.out_type, &shape)?;
    let rest = Rest::new(cx, &ending, &sums, &shape)?;
    if shape.num_elements() > 0 {
        let padded = images.padded(cx, &input, ending.input.zero)?;
        let codes = padded.as_ref().unwrap_or(&input).slice::<u8>()?;
        dispatch_result!(cx, op.out_type, |T| images.run::<T>(cx, codes, &weights, &rest, out.slice_mut()?))?;
    }
    cx.set(0, out);
    Ok(())
}

/// Images as matrix rows, for each group of channels.
struct Images<'a> {
    convolution: &'a Convolution,
    /// Padded height and width, as far as windows reach.
    size: [usize; 2],
    /// Whether the taps of a row of a window are contiguous in memory.
    merged: bool,
}

impl<'a> Images<'a> {
    fn of(convolution: &'a Convolution) -> Images<'a> {
        let [_, h, w] = &convolution.axes;
        let reach = |a: &Axis| a.output.saturating_sub(1) * a.stride + a.window.saturating_sub(1) * a.dilation + 1;
        let fits = |a: &Axis| a.before == 0 && reach(a) <= a.input;
        let size = if fits(h) && fits(w) { [h.input, w.input] } else { [reach(h), reach(w)] };
        let merged = convolution.groups == 1 && (w.dilation == 1 || w.window == 1);
        Images { convolution, size, merged }
    }

    /// Number of pieces of a row, and number of codes of each.
    fn pieces(&self) -> [usize; 2] {
        let [_, h, w] = &self.convolution.axes;
        let depth = self.convolution.channels / self.convolution.groups;
        if self.merged { [h.window, w.window * depth] } else { [h.window * w.window, depth] }
    }

    fn pack(&self, filter: &[i8]) -> Result<Vec<Packed>> {
        let [pieces, depth] = self.pieces();
        let filters = self.convolution.filters;
        let each = filters / self.convolution.groups;
        let group = |g: usize| Packed::new(Isa::best(), &filter[g * each..], [pieces, depth, each], filters);
        (0..self.convolution.groups).map(group).collect()
    }

    /// Returns the images with their padding and room for what quads read past the last code; `None` if they need
    /// neither.
    fn padded(&self, cx: &Cx<'_, '_>, input: &Tensor, zero: u8) -> Result<Option<Tensor>> {
        let [_, h, w] = &self.convolution.axes;
        let channels = self.convolution.channels;
        if self.size == [h.input, w.input] && h.before == 0 && w.before == 0 && self.pieces()[1].is_multiple_of(4) {
            return Ok(None);
        }
        let [height, width] = self.size;
        let line = Shape::new([width, channels])?.num_elements();
        // An additional line provides the bytes that are read past the end.
        let lines = Shape::new([self.convolution.batch, height])?.num_elements();
        let shape = Shape::new([lines.saturating_add(4_usize.div_ceil(line.max(1))), line])?;
        let mut padded = cx.alloc(DType::QU8, &shape)?;
        let codes = input.slice::<u8>()?;
        let start = w.before * channels;
        let count = w.input.min(width.saturating_sub(w.before)) * channels;
        cx.pool().for_chunks(padded.slice_mut::<u8>()?, line, line as f64 * 0.1 + 10.0, |first, piece| {
            for (i, out) in piece.chunks_exact_mut(line).enumerate() {
                let (image, y) = ((first + i) / height, (first + i) % height);
                match y.checked_sub(h.before).filter(|&y| y < h.input && image < self.convolution.batch) {
                    Some(y) if count > 0 => {
                        out[..start].fill(zero);
                        let from = (image * h.input + y) * w.input * channels;
                        out[start..start + count].copy_from_slice(&codes[from..][..count]);
                        out[start + count..].fill(zero);
                    }
                    _ => out.fill(zero),
                }
            }
        });
        Ok(Some(padded))
    }

    fn run<T: Made>(
        &self,
        cx: &Cx<'_, '_>,
        codes: &[u8],
        weights: &[Packed],
        rest: &Rest<'_>,
        out: &mut [T],
    ) -> Result<()> {
        let Convolution { channels, groups, filters, .. } = *self.convolution;
        let [_, h, w] = self.convolution.axes;
        let [height, width] = self.size;
        let each = channels / groups;
        for (group, weights) in weights.iter().enumerate() {
            let starts = |row: usize, starts: &mut [usize]| {
                let (image, y, x) = (row / (h.output * w.output), row / w.output % h.output, row % w.output);
                let base = ((image * height + y * h.stride) * width + x * w.stride) * channels + group * each;
                let taps = if self.merged { 1 } else { w.window };
                for (i, start) in starts.iter_mut().enumerate() {
                    let (y, x) = (i / taps * h.dilation, i % taps * w.dilation);
                    *start = base + (y * width + x) * channels;
                }
            };
            let rows = self.convolution.batch * h.output * w.output;
            let column = group * (filters / groups);
            let place = Place { out: &mut *out, width: filters, column };
            let finish = |tile: &Tile<'_>, out: &mut [T], width: usize| Rest::tile(rest, tile, column, out, width);
            multiply(cx.pool(), &Lines { codes, rows, starts }, weights, place, &finish)?;
        }
        Ok(())
    }
}

fn depthwise(op: &LevadaQuantizedConv2D, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (input, filter) = (cx.input(0)?, cx.input(1)?);
    for (what, shape) in [("input", input.shape()), ("filter", filter.shape())] {
        if shape.rank() != 4 {
            return Err(Error::invalid(format!("{what} must be 4-dimensional: {shape}")));
        }
    }
    let (channels, multiplier) = (filter.shape()[2], filter.shape()[3]);
    if input.shape()[3] != channels {
        let found = input.shape()[3];
        return Err(Error::invalid(format!("input and filter must have the same depth: {found} vs {channels}")));
    }
    let grouped = Shape::new([filter.shape()[0], filter.shape()[1], 1, filter.shape()[2] * multiplier])?;
    let convolution = Convolution::new(&op.parameters(), input.shape(), &grouped)?;
    by_channels(op, cx, &convolution)
}

/// Computes a convolution each of whose groups has one channel.
fn by_channels(op: &LevadaQuantizedConv2D, cx: &mut Cx<'_, '_>, convolution: &Convolution) -> Result<()> {
    let ending = op.ending()?;
    let (input, filter) = (cx.input(0)?, cx.input(1)?);
    let shape = convolution.output_shape()?;
    let mut out = cx.alloc(op.out_type, &shape)?;
    // The code of zero is subtracted from the codes themselves here.
    let rest = Rest::new(cx, &ending, &vec![0; convolution.filters], &shape)?;
    if shape.num_elements() > 0 {
        check_filter(filter.shape())?;
        let multiplier = convolution.filters / convolution.channels;
        let layer = Depthwise { convolution, multiplier, zero: ending.input.zero };
        let (codes, weights) = (input.slice::<u8>()?, filter.slice::<i8>()?);
        dispatch_result!(cx, op.out_type, |T| {
            layer.run::<T>(cx, codes, weights, &rest, out.slice_mut()?);
            Ok(())
        })?;
    }
    cx.set(0, out);
    Ok(())
}

/// A depthwise convolution.
struct Depthwise<'a> {
    convolution: &'a Convolution,
    /// Number of filters per channel.
    multiplier: usize,
    zero: u8,
}

/// Number of channels that are summed over all taps before the next ones.
const SUMMED: usize = 64;

impl Depthwise<'_> {
    fn run<T: Made>(&self, cx: &Cx<'_, '_>, codes: &[u8], weights: &[i8], rest: &Rest<'_>, out: &mut [T]) {
        let Convolution { filters, .. } = *self.convolution;
        let [_, h, w] = &self.convolution.axes;
        let nanos = (h.window * w.window * filters) as f64 * 0.05 + 5.0;
        cx.pool().for_chunks(out, filters, nanos, |first, piece| {
            vectorized!({
                for (i, out) in piece.chunks_exact_mut(filters).enumerate() {
                    for channel in (0..filters).step_by(SUMMED) {
                        let count = SUMMED.min(filters - channel);
                        let mut sums = [0i32; SUMMED];
                        self.sums(first + i, codes, weights, channel, &mut sums[..count]);
                        rest.row(first + i, channel, &sums[..count], &mut out[channel..][..count]);
                    }
                }
            });
        });
    }

    /// Computes the sums of a window for channels of the result from `first` on.
    #[inline(always)]
    fn sums(&self, row: usize, codes: &[u8], weights: &[i8], first: usize, sums: &mut [i32]) {
        let Convolution { channels, filters, .. } = *self.convolution;
        let [_, h, w] = &self.convolution.axes;
        let (image, y, x) = (row / (h.output * w.output), row / w.output % h.output, row % w.output);
        let zero = i16::from(self.zero);
        for tap_y in h.taps(y) {
            for tap_x in w.taps(x) {
                let at = |a: &Axis, window: usize, tap: usize| (a.start(window) + (tap * a.dilation) as isize) as usize;
                let (y, x) = (at(h, y, tap_y), at(w, x, tap_x));
                let pixel = &codes[((image * h.input + y) * w.input + x) * channels..][..channels];
                let weights = &weights[(tap_y * w.window + tap_x) * filters + first..][..sums.len()];
                if self.multiplier == 1 {
                    let pixel = &pixel[first..][..sums.len()];
                    for ((sum, &code), &weight) in sums.iter_mut().zip(pixel).zip(weights) {
                        // The product of a signed 9-bit and a signed 8-bit value fits into 16 bits.
                        *sum += i32::from((i16::from(code) - zero) * i16::from(weight));
                    }
                } else {
                    for (j, (sum, &weight)) in sums.iter_mut().zip(weights).enumerate() {
                        let code = pixel[(first + j) / self.multiplier];
                        *sum += i32::from((i16::from(code) - zero) * i16::from(weight));
                    }
                }
            }
        }
    }
}
