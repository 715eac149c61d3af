//! `QuantizedConv2DWithBias` and its variants: quantized convolutions fused with what follows them.

use crate::QUANTIZED;
use crate::fused_product::{After, codes};
use crate::prelude::*;
use crate::window::{count, count_of, four};

attrs! {
    /// Convolves quantized images with quantized filters, fused with what follows.
    pub struct FusedQuantizedConv2D {
        /// Quantized type of `input`.
        images: DType = Attr::dtype("Tinput", QUANTIZED),
        /// Quantized type of `filter`.
        filters: DType = Attr::dtype("Tfilter", QUANTIZED),
        /// Type of the bias.
        bias: DType = Attr::dtype("Tbias", &[DType::F32, DType::QI32]).or_type(DType::F32),
        /// Type of the output.
        to: DType = Attr::dtype("out_type", QUANTIZED).or_type(DType::QI32),
        /// Strides of the filter: 1 for the batch and the channels.
        strides: Vec<i64> = Attr::ints("strides"),
        /// `SAME` to pad the images with zeros, `VALID` for no padding.
        padding: String = Attr::one_of("padding", &["SAME", "VALID"]),
        /// Dilations of the filter.
        dilations: Vec<i64> = Attr::ints("dilations").or_ints(&[1, 1, 1, 1]),
        /// Zero padding before and after each axis; empty for that of `padding`.
        margins: Vec<i64> = Attr::ints("padding_list").or_empty(),
        /// Whether a bias is added.
        biased: bool = Attr::bool("biased").or_bool(false),
        /// Whether negative results are replaced by zero (ReLU).
        relu: bool = Attr::bool("relu").or_bool(false),
        /// Whether the convolution is depthwise, with separate filters for each channel.
        depthwise: bool = Attr::bool("depthwise").or_bool(false),
    }
}

const INPUT: Arg = arg("input", of("Tinput"));
const FILTER: Arg = arg("filter", of("Tfilter"));
const BIAS: Arg = arg("bias", is(DType::F32));
const ANY_BIAS: Arg = arg("bias", of("Tbias"));
const MIN_INPUT: Arg = arg("min_input", is(DType::F32));
const MAX_INPUT: Arg = arg("max_input", is(DType::F32));
const MIN_FILTER: Arg = arg("min_filter", is(DType::F32));
const MAX_FILTER: Arg = arg("max_filter", is(DType::F32));
const MIN_OUT: Arg = arg("min_freezed_output", is(DType::F32));
const MAX_OUT: Arg = arg("max_freezed_output", is(DType::F32));
const PLAIN: &[Arg] = &[INPUT, FILTER, MIN_INPUT, MAX_INPUT, MIN_FILTER, MAX_FILTER];
const BIASED: &[Arg] = &[INPUT, FILTER, BIAS, MIN_INPUT, MAX_INPUT, MIN_FILTER, MAX_FILTER];
const REQUANTIZED: &[Arg] = &[INPUT, FILTER, MIN_INPUT, MAX_INPUT, MIN_FILTER, MAX_FILTER, MIN_OUT, MAX_OUT];
const BIASED_REQUANTIZED: &[Arg] =
    &[INPUT, FILTER, ANY_BIAS, MIN_INPUT, MAX_INPUT, MIN_FILTER, MAX_FILTER, MIN_OUT, MAX_OUT];
const TYPED_BIAS: AttrSpec = Attr::dtype("Tbias", &[DType::F32, DType::QI32]);
const TO_SIGNED: AttrSpec = Attr::dtype("out_type", QUANTIZED).or_type(DType::QI8);
const TO_UNSIGNED: AttrSpec = Attr::dtype("out_type", QUANTIZED).or_type(DType::QU8);

/// The fields that are not attrs: whether there is a bias, a ReLU, and separate filters for each channel.
macro_rules! kind {
    ($biased:literal, $relu:literal, $depthwise:literal) => {
        &[
            ("biased", AttrDefault::Bool($biased)),
            ("relu", AttrDefault::Bool($relu)),
            ("depthwise", AttrDefault::Bool($depthwise)),
        ]
    };
}

pub static FUSED_QUANTIZED_CONV2D: Def<FusedQuantizedConv2D> = op::<FusedQuantizedConv2D>("QuantizedConv2DWithBias")
    .doc("Convolves quantized images with quantized filters and adds a bias.")
    .inputs(BIASED)
    .outputs(&[arg("output", of("out_type")), arg("min_output", is(DType::F32)), arg("max_output", is(DType::F32))])
    .without(&["Tbias"])
    .fixed(kind!(true, false, false))
    .also(&[
        form("QuantizedConv2DWithBiasAndRelu")
            .doc("Convolves quantized images with quantized filters, adds a bias and applies ReLU.")
            .without(&["Tbias"])
            .fixed(kind!(true, true, false)),
        form("QuantizedConv2DWithBiasAndRequantize")
            .doc("Convolves quantized images with quantized filters, adds a bias and requantizes the result.")
            .inputs(BIASED_REQUANTIZED)
            .attrs(&[TYPED_BIAS, TO_SIGNED])
            .fixed(kind!(true, false, false)),
        form("QuantizedConv2DWithBiasAndReluAndRequantize")
            .doc(
                "Convolves quantized images with quantized filters, adds a bias, applies ReLU and requantizes the \
                result.",
            )
            .inputs(BIASED_REQUANTIZED)
            .attrs(&[TYPED_BIAS, TO_UNSIGNED])
            .fixed(kind!(true, true, false)),
        form("QuantizedConv2DAndRelu")
            .doc("Convolves quantized images with quantized filters and applies ReLU.")
            .inputs(PLAIN)
            .without(&["Tbias"])
            .fixed(kind!(false, true, false)),
        form("QuantizedConv2DAndRequantize")
            .doc("Convolves quantized images with quantized filters and requantizes the result.")
            .inputs(REQUANTIZED)
            .without(&["Tbias"])
            .attrs(&[TO_SIGNED])
            .fixed(kind!(false, false, false)),
        form("QuantizedConv2DAndReluAndRequantize")
            .doc("Convolves quantized images with quantized filters, applies ReLU and requantizes the result.")
            .inputs(REQUANTIZED)
            .without(&["Tbias"])
            .attrs(&[TO_UNSIGNED])
            .fixed(kind!(false, true, false)),
        form("QuantizedConv2DPerChannel")
            .doc("Convolves quantized images with quantized filters, with one range per output channel of the filters.")
            .inputs(PLAIN)
            .without(&["Tbias", "padding_list"])
            .fixed(kind!(false, false, false)),
        form("QuantizedDepthwiseConv2D")
            .doc("Computes the depthwise convolution of quantized images with quantized filters.")
            .inputs(PLAIN)
            .without(&["Tbias", "padding_list"])
            .fixed(kind!(false, false, true)),
        form("QuantizedDepthwiseConv2DWithBias")
            .doc("Computes the depthwise convolution of quantized images with quantized filters and adds a bias.")
            .without(&["Tbias", "padding_list"])
            .fixed(kind!(true, false, true)),
        form("QuantizedDepthwiseConv2DWithBiasAndRelu")
            .doc(
                "Computes the depthwise convolution of quantized images with quantized filters, adds a bias and \
                applies ReLU.",
            )
            .without(&["Tbias"])
            .fixed(kind!(true, true, true)),
        form("QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize")
            .doc(
                "Computes the depthwise convolution of quantized images with quantized filters, adds a bias, applies \
                ReLU and requantizes the result.",
            )
            .inputs(BIASED_REQUANTIZED)
            .attrs(&[TYPED_BIAS, TO_UNSIGNED])
            .fixed(kind!(true, true, true)),
    ])
    .shape(|op, cx| {
        let (images, filters) = (cx.with_rank(0, 4)?, cx.with_rank(1, 4)?);
        PartialShape::vector(images.dim(3)).merge(&PartialShape::vector(filters.dim(2)))?;
        let steps = op.steps()?;
        let size = |i: usize| match op.margins.is_empty() && steps[i][1] == 1 {
            true => count_of(images.dim(i as isize + 1), filters.dim(i as isize), steps[i][0], op.padding == "SAME"),
            false => None,
        };
        let channels = match op.depthwise {
            true => filters.dim(2).zip(filters.dim(3)).and_then(|(depth, each)| depth.checked_mul(each)),
            false => filters.dim(3),
        };
        cx.output(0, PartialShape::new([images.dim(0), size(0), size(1), channels]));
        Ok(())
    })
    .flops(|_, inputs, outputs| {
        let (filters, out) = (inputs.get(1)?.known()?, outputs.first()?.known()?);
        Some(2.0 * out.num_elements() as f64 * filters.dims().get(..3)?.iter().product::<usize>() as f64)
    })
    .kernel(convolve)
    .heavy()
    .supports(|op| {
        matches!(op.images, DType::QU8 | DType::QI8)
            && op.filters == DType::QI8
            && matches!(op.to, DType::QI32 | DType::QU8 | DType::QI8)
    });

impl FusedQuantizedConv2D {
    /// Returns the stride and the dilation along rows and columns.
    fn steps(&self) -> Result<[[usize; 2]; 2]> {
        let [batch, rows, columns, channels] = four("strides", &self.strides)?;
        let [apart_batch, apart_rows, apart_columns, apart_channels] = four("dilations", &self.dilations)?;
        if [batch, channels, apart_batch, apart_channels] != [1; 4] {
            return Err(Error::invalid("strides and dilations must be 1 for the batch and the channels")
                .attr("strides")
                .found(format!("{:?}, {:?}", self.strides, self.dilations)));
        }
        Ok([[rows, apart_rows], [columns, apart_columns]])
    }

    /// Returns the number of outputs along rows (0) or columns (1), and the padding before the image.
    fn outputs(&self, axis: usize, size: usize, filter: usize) -> Result<(usize, isize)> {
        let [stride, apart] = self.steps()?[axis];
        let too_large = || Error::invalid("the filters are too large").found(filter);
        let reach =
            filter.checked_sub(1).and_then(|last| last.checked_mul(apart)?.checked_add(1)).ok_or_else(too_large)?;
        if !self.margins.is_empty() {
            let margin = |i: usize| self.margins.get(2 * axis + i).and_then(|&margin| usize::try_from(margin).ok());
            let whole =
                margin(2).zip(margin(3)).and_then(|(before, behind)| size.checked_add(before)?.checked_add(behind));
            let whole = whole.filter(|_| self.margins.len() == 8).ok_or_else(|| {
                Error::invalid("padding_list must have two sizes for each axis")
                    .attr("padding_list")
                    .found(format!("{:?}", self.margins))
            })?;
            return Ok((count(whole, reach, stride, false), margin(2).unwrap_or(0) as isize));
        }
        let same = self.padding == "SAME";
        let outputs = count(size, reach, stride, same);
        let whole = outputs.saturating_sub(1).saturating_mul(stride).saturating_add(reach);
        Ok((outputs, if same { whole.saturating_sub(size) as isize / 2 } else { 0 }))
    }
}

fn convolve(op: &FusedQuantizedConv2D, cx: &mut Cx<'_, '_>) -> Result<()> {
    let dims = |i: usize, what: &str| -> Result<[usize; 4]> {
        let shape = cx.input(i)?.shape();
        shape.dims().try_into().map_err(|_| Error::invalid(format!("{what} must be 4-dimensional")).found(shape))
    };
    let ([batch, height, width, depth], [rows, columns, inner, each]) = (dims(0, "input")?, dims(1, "filter")?);
    if depth != inner {
        return Err(Error::invalid("input and filter must have the same depth").expected(depth).found(inner));
    }
    let channels = if op.depthwise { depth * each } else { each };
    let bias = op.biased.then_some(2);
    let ranges = if op.biased { 3 } else { 2 };
    let (mins, maxes) = (cx.input(ranges + 2)?.shape(), cx.input(ranges + 3)?.shape());
    if mins != maxes {
        return Err(Error::invalid("min_filter and max_filter must have the same shape").expected(mins).found(maxes));
    }
    let ((out_rows, top), (out_columns, left)) = (op.outputs(0, height, rows)?, op.outputs(1, width, columns)?);
    let shape = Shape::new([batch, out_rows, out_columns, channels])?;
    let whole =
        shape.num_elements().saturating_add(cx.input(0)?.num_elements()).saturating_add(cx.input(1)?.num_elements());
    cx.device.arena.check(whole.saturating_mul(size_of::<i32>()))?;
    let (images, filters) = (codes(cx, 0)?, codes(cx, 1)?);
    let [[stride_rows, apart_rows], [stride_columns, apart_columns]] = op.steps()?;
    let mut sums = vec![0i32; shape.num_elements()];
    if channels > 0 {
        let nanos = (rows * columns * depth * each) as f64 * 0.3;
        cx.pool().for_chunks(&mut sums, channels, nanos, |first, sums| {
            for (i, sums) in sums.chunks_exact_mut(channels).enumerate() {
                let at = first + i;
                let (image, y, x) = (at / (out_rows * out_columns), at / out_columns % out_rows, at % out_columns);
                for (dy, dx) in (0..rows).flat_map(|dy| (0..columns).map(move |dx| (dy, dx))) {
                    let y = (y * stride_rows + dy * apart_rows) as isize - top;
                    let x = (x * stride_columns + dx * apart_columns) as isize - left;
                    if !(0..height as isize).contains(&y) || !(0..width as isize).contains(&x) {
                        continue;
                    }
                    let pixel = &images[((image * height + y as usize) * width + x as usize) * depth..][..depth];
                    let filter = &filters[(dy * columns + dx) * depth * each..][..depth * each];
                    for (c, (&code, filter)) in pixel.iter().zip(filter.chunks_exact(each)).enumerate() {
                        let sums = if op.depthwise { &mut sums[c * each..][..each] } else { &mut *sums };
                        sums.iter_mut().zip(filter).for_each(|(sum, filter)| *sum = sum.wrapping_add(code * filter));
                    }
                }
            }
        });
    }
    let after = After { types: [op.images, op.filters], to: op.to, bias, ranges, relu: op.relu };
    after.finish(cx, &shape, &sums, channels)
}
