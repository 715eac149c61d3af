//! `UniformQuantizedConvolution` and `UniformQuantizedConvolutionHybrid`: convolutions of tensors quantized with
//! scales and zero points, in any number of dimensions.

use super::uniform_dot::multipliers;
use crate::affine::{Affine, asymmetric, limits};
use crate::prelude::*;
use levada_ops_core::wire::{Field, Fields, malformed};

attrs! {
    /// Computes the convolution of quantized tensors, quantized with the output's scale and zero point.
    pub struct UniformQuantizedConvolution {
        /// Quantized type of `lhs` and `rhs`.
        from: DType = Attr::dtype("Tin", &[DType::QI8]),
        /// Quantized type of the output.
        to: DType = Attr::dtype("Tout", &[DType::QI32]),
        /// Stride along each spatial dimension; 1 if empty.
        strides: Vec<i64> = Attr::ints("window_strides").or_empty(),
        /// `SAME`, `VALID` or `EXPLICIT`.
        padding: String = Attr::string("padding"),
        /// Padding before and after each spatial dimension, for `EXPLICIT`.
        explicit: Vec<i64> = Attr::ints("explicit_padding").or_empty(),
        /// Dilation of `lhs` along each spatial dimension; 1 if empty.
        lhs_dilation: Vec<i64> = Attr::ints("lhs_dilation").or_empty(),
        /// Dilation of the filter along each spatial dimension; 1 if empty.
        rhs_dilation: Vec<i64> = Attr::ints("rhs_dilation").or_empty(),
        /// Number of groups that the batch is split into, each with its own filters.
        batch_groups: i64 = Attr::int("batch_group_count").or_int(1),
        /// Number of groups that the input features are split into, each with its own filters.
        feature_groups: i64 = Attr::int("feature_group_count").or_int(1),
        /// Dimension numbers as a serialized message; batch, features, spatial dimensions if empty.
        numbers: Bytes = Attr::string("dimension_numbers").or_str(""),
        /// Must be -1: `lhs` is quantized per tensor.
        lhs_axis: i64 = Attr::int("lhs_quantization_axis").or_int(-1),
        /// Smallest quantized value of `lhs`.
        lhs_min: i64 = Attr::int("lhs_quantization_min_val"),
        /// Largest quantized value of `lhs`.
        lhs_max: i64 = Attr::int("lhs_quantization_max_val"),
        /// Output feature dimension of `rhs` for per-channel quantization, -1 for per-tensor quantization.
        rhs_axis: i64 = Attr::int("rhs_quantization_axis").or_int(-1),
        /// Smallest quantized value of `rhs`.
        rhs_min: i64 = Attr::int("rhs_quantization_min_val"),
        /// Largest quantized value of `rhs`.
        rhs_max: i64 = Attr::int("rhs_quantization_max_val"),
        /// Feature dimension of the output for per-channel quantization, -1 for per-tensor quantization.
        axis: i64 = Attr::int("output_quantization_axis").or_int(-1),
        /// Smallest quantized value of the output.
        min: i64 = Attr::int("output_quantization_min_val"),
        /// Largest quantized value of the output.
        max: i64 = Attr::int("output_quantization_max_val"),
    }
}

pub static UNIFORM_QUANTIZED_CONVOLUTION: Def<UniformQuantizedConvolution> =
    op::<UniformQuantizedConvolution>("UniformQuantizedConvolution")
        .inputs(&[
            arg("lhs", of("Tin")),
            arg("rhs", of("Tin")),
            arg("lhs_scales", is(DType::F32)),
            arg("lhs_zero_points", is(DType::I32)),
            arg("rhs_scales", is(DType::F32)),
            arg("rhs_zero_points", is(DType::I32)),
            arg("output_scales", is(DType::F32)),
            arg("output_zero_points", is(DType::I32)),
        ])
        .outputs(&[arg("output", of("Tout"))])
        .shape(|op, cx| op.attrs().infer(cx))
        .kernel(|op, cx| {
            let window = op.attrs().window(cx)?;
            if op.lhs_axis != -1 {
                let error = Error::invalid("lhs_quantization_axis must be -1 (per-tensor)");
                return Err(error.attr("lhs_quantization_axis").found(op.lhs_axis));
            }
            window.check_axis("rhs_quantization_axis", op.rhs_axis, window.numbers.kernel[0])?;
            window.check_axis("output_quantization_axis", op.axis, window.numbers.output[1])?;
            let limits = limits(op.min, op.max)?;
            let shape = window.output.clone();
            cx.produce::<i32>(0, &shape, |cx, out| {
                let left = Affine::new(cx, 2, cx.input(0)?.shape(), -1)?.positive()?;
                let right = Affine::new(cx, 4, cx.input(1)?.shape(), op.rhs_axis)?.positive()?;
                let to = Affine::new(cx, 6, &shape, op.axis)?.positive()?;
                let multipliers = multipliers(&left, &right, &to)?;
                let zeros = vec![left.zeros[0]; window.lhs[window.numbers.input[0]]];
                window.each(cx.slice(0)?, &zeros, cx.slice(1)?, right.zeros, |at, _, feature, sum| {
                    let zero = to.zeros[if to.axis.is_some() { feature } else { 0 }];
                    out[at] = multipliers[if right.axis.is_some() { feature } else { 0 }].code(sum, zero, limits);
                });
                Ok(())
            })
        })
        .heavy();

attrs! {
    /// Computes the convolution of float images, each quantized dynamically by its range, with quantized filters.
    pub struct UniformQuantizedConvolutionHybrid {
        /// Element type of `lhs`.
        lhs: DType = Attr::dtype("Tlhs", &[DType::F32]),
        /// Quantized type of `rhs`.
        rhs: DType = Attr::dtype("Trhs", &[DType::QI8]),
        /// Element type of the output.
        to: DType = Attr::dtype("Tout", &[DType::F32]),
        /// Stride along each spatial dimension; 1 if empty.
        strides: Vec<i64> = Attr::ints("window_strides").or_empty(),
        /// `SAME`, `VALID` or `EXPLICIT`.
        padding: String = Attr::string("padding"),
        /// Padding before and after each spatial dimension, for `EXPLICIT`.
        explicit: Vec<i64> = Attr::ints("explicit_padding").or_empty(),
        /// Dilation of `lhs` along each spatial dimension; 1 if empty.
        lhs_dilation: Vec<i64> = Attr::ints("lhs_dilation").or_empty(),
        /// Dilation of the filter along each spatial dimension; 1 if empty.
        rhs_dilation: Vec<i64> = Attr::ints("rhs_dilation").or_empty(),
        /// Number of groups that the batch is split into, each with its own filters.
        batch_groups: i64 = Attr::int("batch_group_count").or_int(1),
        /// Number of groups that the input features are split into, each with its own filters.
        feature_groups: i64 = Attr::int("feature_group_count").or_int(1),
        /// Dimension numbers as a serialized message; batch, features, spatial dimensions if empty.
        numbers: Bytes = Attr::string("dimension_numbers").or_str(""),
        /// Output feature dimension of `rhs` for per-channel quantization, -1 for per-tensor quantization.
        rhs_axis: i64 = Attr::int("rhs_quantization_axis").or_int(-1),
        /// Smallest quantized value of `rhs`.
        rhs_min: i64 = Attr::int("rhs_quantization_min_val"),
        /// Largest quantized value of `rhs`.
        rhs_max: i64 = Attr::int("rhs_quantization_max_val"),
    }
}

pub static UNIFORM_QUANTIZED_CONVOLUTION_HYBRID: Def<UniformQuantizedConvolutionHybrid> =
    op::<UniformQuantizedConvolutionHybrid>("UniformQuantizedConvolutionHybrid")
        .inputs(&[
            arg("lhs", of("Tlhs")),
            arg("rhs", of("Trhs")),
            arg("rhs_scales", is(DType::F32)),
            arg("rhs_zero_points", is(DType::I32)),
        ])
        .outputs(&[arg("output", of("Tout"))])
        .shape(|op, cx| op.attrs().infer(cx))
        .kernel(|op, cx| {
            let window = op.attrs().window(cx)?;
            window.check_axis("rhs_quantization_axis", op.rhs_axis, window.numbers.kernel[0])?;
            let shape = window.output.clone();
            cx.produce::<f32>(0, &shape, |cx, out| {
                let right = Affine::new(cx, 2, cx.input(1)?.shape(), op.rhs_axis)?.positive()?;
                let (codes, scales, zeros) = window.quantized(cx.slice(0)?);
                window.each(&codes, &zeros, cx.slice(1)?, right.zeros, |at, image, feature, sum| {
                    out[at] = sum as f32 * scales[image] * right.scales[if right.axis.is_some() { feature } else { 0 }];
                });
                Ok(())
            })
        })
        .heavy();

/// The attrs of a convolution in any number of dimensions.
struct Attrs<'a> {
    strides: &'a [i64],
    padding: &'a str,
    explicit: &'a [i64],
    lhs_dilation: &'a [i64],
    rhs_dilation: &'a [i64],
    batch_groups: i64,
    feature_groups: i64,
    numbers: &'a [u8],
}

macro_rules! attrs_of {
    ($op:expr) => {
        Attrs {
            strides: &$op.strides,
            padding: &$op.padding,
            explicit: &$op.explicit,
            lhs_dilation: &$op.lhs_dilation,
            rhs_dilation: &$op.rhs_dilation,
            batch_groups: $op.batch_groups,
            feature_groups: $op.feature_groups,
            numbers: &$op.numbers,
        }
    };
}

impl UniformQuantizedConvolution {
    fn attrs(&self) -> Attrs<'_> {
        attrs_of!(self)
    }
}

impl UniformQuantizedConvolutionHybrid {
    fn attrs(&self) -> Attrs<'_> {
        attrs_of!(self)
    }
}

/// Dimension numbers: batch, feature and spatial dimensions of images and output; output feature, input feature and
/// spatial dimensions of filters.
#[derive(Default)]
struct Numbers {
    input: Vec<usize>,
    kernel: Vec<usize>,
    output: Vec<usize>,
}

impl Numbers {
    fn new(message: &[u8], rank: usize) -> Result<Numbers> {
        if message.is_empty() {
            let all: Vec<usize> = (0..rank).collect();
            return Ok(Numbers { input: all.clone(), kernel: all.clone(), output: all });
        }
        let mut single = [0u64; 10];
        let mut lists: [Vec<u64>; 10] = Default::default();
        let mut fields = Fields(message);
        while let Some((number, field)) = fields.next()? {
            let number = usize::try_from(number).ok().filter(|&n| n < 10);
            match (number, field) {
                (Some(n), Field::Varint(value)) if matches!(n, 3 | 6 | 9) => lists[n].push(value),
                (Some(n), Field::Varint(value)) => single[n] = value,
                (Some(n), Field::Bytes(packed)) if matches!(n, 3 | 6 | 9) => {
                    let mut packed = Fields(packed);
                    while !packed.0.is_empty() {
                        lists[n].push(packed.varint()?);
                    }
                }
                _ => return Err(malformed()),
            }
        }
        let of = |first: usize, second: usize, list: usize| -> Result<Vec<usize>> {
            let all = [single[first], single[second]].into_iter().chain(lists[list].iter().copied());
            let all: Vec<usize> = all.map(|n| usize::try_from(n).unwrap_or(usize::MAX)).collect();
            let mut seen = vec![false; rank];
            for &n in &all {
                match seen.get_mut(n) {
                    Some(seen) if !*seen => *seen = true,
                    _ => {
                        return Err(
                            Error::invalid("dimension_numbers must name each dimension once").found(format!("{all:?}"))
                        );
                    }
                }
            }
            if all.len() == rank {
                Ok(all)
            } else {
                Err(Error::invalid(format!("dimension_numbers must have {rank} dimensions")).found(format!("{all:?}")))
            }
        };
        Ok(Numbers { input: of(1, 2, 3)?, kernel: of(5, 4, 6)?, output: of(7, 8, 9)? })
    }
}

/// A convolution of tensors of known shapes.
struct Window {
    numbers: Numbers,
    lhs: Shape,
    rhs: Shape,
    output: Shape,
    spatial: Vec<Spatial>,
    batch_groups: usize,
    feature_groups: usize,
}

/// A spatial dimension.
#[derive(Clone, Copy)]
struct Spatial {
    input: usize,
    window: usize,
    output: usize,
    stride: usize,
    before: usize,
    lhs_dilation: usize,
    rhs_dilation: usize,
}

impl Attrs<'_> {
    fn infer(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        match (cx.input(0).known(), cx.input(1).known()) {
            (Some(lhs), Some(rhs)) => {
                let output = PartialShape::from(&self.sizes(lhs, rhs)?.output);
                cx.output(0, output);
            }
            _ => {
                let rank = cx.input(0).rank().or(cx.input(1).rank());
                cx.output(0, rank.map_or(PartialShape::Unknown, PartialShape::of_rank));
            }
        }
        Ok(())
    }

    fn window(&self, cx: &Cx<'_, '_>) -> Result<Window> {
        self.sizes(cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone())
    }

    fn sizes(&self, lhs: Shape, rhs: Shape) -> Result<Window> {
        let rank = lhs.rank();
        if rank != rhs.rank() || rank <= 2 {
            return Err(Error::invalid("lhs and rhs must have the same rank, 3 at least")
                .found(format!("shapes {lhs} and {rhs}")));
        }
        let explicit = match self.padding {
            "EXPLICIT" => true,
            "SAME" | "VALID" if self.explicit.is_empty() => false,
            "SAME" | "VALID" => {
                let error = Error::invalid("explicit_padding must be empty if padding is not EXPLICIT");
                return Err(error.attr("explicit_padding").found(format!("{:?}", self.explicit)));
            }
            other => {
                return Err(Error::invalid("padding must be one of EXPLICIT, SAME and VALID")
                    .attr("padding")
                    .found(other));
            }
        };
        let numbers = Numbers::new(self.numbers, rank)?;
        let list = |attr: &'static str, values: &[i64], count: usize, default: i64, least: i64| -> Result<Vec<usize>> {
            let values = if values.is_empty() { vec![default; count] } else { values.to_vec() };
            let sizes: Option<Vec<usize>> = values
                .iter()
                .map(|&v| i32::try_from(v).ok().filter(|&v| i64::from(v) >= least)?.try_into().ok())
                .collect();
            sizes.filter(|sizes| sizes.len() == count).ok_or_else(|| {
                Error::invalid(format!("{attr} must have {count} elements of {least} at least"))
                    .attr(attr)
                    .found(format!("{values:?}"))
            })
        };
        let spatial = rank - 2;
        let strides = list("window_strides", self.strides, spatial, 1, 1)?;
        let lhs_dilation = list("lhs_dilation", self.lhs_dilation, spatial, 1, 1)?;
        let rhs_dilation = list("rhs_dilation", self.rhs_dilation, spatial, 1, 1)?;
        let given = if explicit { list("explicit_padding", self.explicit, 2 * spatial, -1, 0)? } else { Vec::new() };
        let group = |attr: &'static str, count: i64, of: [usize; 2]| match usize::try_from(count) {
            Ok(count) if count > 0 && of.iter().all(|size| size % count == 0) => Ok(count),
            _ => Err(Error::invalid(format!("{attr} must be positive, and divide what it groups"))
                .attr(attr)
                .found(count)),
        };
        let (features, windows) = (lhs[numbers.input[1]], rhs[numbers.kernel[0]]);
        let feature_groups = group("feature_group_count", self.feature_groups, [features, windows])?;
        let batch_groups = group("batch_group_count", self.batch_groups, [lhs[numbers.input[0]], windows])?;
        if features / feature_groups != rhs[numbers.kernel[1]] {
            return Err(Error::invalid("rhs must have the input features of a group of lhs")
                .expected(features / feature_groups)
                .found(rhs[numbers.kernel[1]]));
        }
        let dilated = |size: usize, dilation: usize| -> Result<usize> {
            let large = || Error::invalid("the dilated size is too large");
            if size == 0 {
                Ok(0)
            } else {
                (size - 1).checked_mul(dilation).and_then(|n| n.checked_add(1)).ok_or_else(large)
            }
        };
        let mut axes = Vec::with_capacity(spatial);
        let mut dims = vec![0; rank];
        for i in 0..spatial {
            let (input, window) = (lhs[numbers.input[2 + i]], rhs[numbers.kernel[2 + i]]);
            let (wide, reach) = (dilated(input, lhs_dilation[i])?, dilated(window, rhs_dilation[i])?);
            let stride = strides[i];
            let (before, after) = match self.padding {
                "EXPLICIT" => (given[2 * i], given[2 * i + 1]),
                "SAME" => {
                    let total = ((wide.div_ceil(stride).max(1) - 1) * stride + reach).saturating_sub(wide);
                    (total / 2, total - total / 2)
                }
                _ => (0, 0),
            };
            let output = (wide + before + after + 1).saturating_sub(reach).div_ceil(stride);
            dims[numbers.output[2 + i]] = output;
            let (lhs_dilation, rhs_dilation) = (lhs_dilation[i], rhs_dilation[i]);
            axes.push(Spatial { input, window, output, stride, before, lhs_dilation, rhs_dilation });
        }
        dims[numbers.output[0]] = lhs[numbers.input[0]] / batch_groups;
        dims[numbers.output[1]] = windows;
        let output = Shape::new(dims)?;
        Ok(Window { numbers, lhs, rhs, output, spatial: axes, batch_groups, feature_groups })
    }
}

impl Window {
    fn check_axis(&self, attr: &'static str, axis: i64, features: usize) -> Result<()> {
        if axis == -1 || usize::try_from(axis) == Ok(features) {
            return Ok(());
        }
        let error =
            Error::invalid(format!("{attr} must be -1 (per-tensor) or the dimension of output features (per-channel)"));
        Err(error.attr(attr).expected(features).found(axis))
    }

    /// Returns the images quantized, with the scale and the zero point of each.
    fn quantized(&self, values: &[f32]) -> (Vec<i8>, Vec<f32>, Vec<i32>) {
        let axis = self.numbers.input[0];
        let images = self.lhs[axis];
        let inner: usize = self.lhs[axis + 1..].iter().product();
        let mut codes = vec![0i8; values.len()];
        let (mut scales, mut zeros) = (Vec::with_capacity(images), Vec::with_capacity(images));
        for image in 0..images {
            let places = || (0..values.len()).filter(|at| at / inner.max(1) % images == image);
            let own: Vec<f32> = places().map(|at| values[at]).collect();
            let (own, scale, zero) = asymmetric(&own);
            places().zip(own).for_each(|(at, code)| codes[at] = code);
            scales.push(scale);
            zeros.push(zero);
        }
        (codes, scales, zeros)
    }

    /// Calls `f` with the index of each element of the output, its image, its feature and its sum, which wraps.
    /// `zeros` holds the zero point of each image, `window_zeros` that of each feature or of all.
    fn each(
        &self,
        images: &[i8],
        zeros: &[i32],
        windows: &[i8],
        window_zeros: &[i32],
        mut f: impl FnMut(usize, usize, usize, i32),
    ) {
        let (lhs, rhs, out) = (self.lhs.strides(), self.rhs.strides(), self.output.strides());
        let Numbers { input, kernel, output } = &self.numbers;
        let (batch, features) = (self.output[output[0]], self.output[output[1]]);
        let inner = self.rhs[kernel[1]];
        let pixels: usize = self.spatial.iter().map(|s| s.output).product();
        let reach: usize = self.spatial.iter().map(|s| s.window).product();
        let (per_batch_group, per_group) =
            ((features / self.batch_groups).max(1), (features / self.feature_groups).max(1));
        // For a pixel of the output, the pairs of image and filter pixels, without those in dilation gaps or outside
        // the image.
        let mut pairs: Vec<(usize, usize)> = Vec::with_capacity(reach);
        for pixel in 0..pixels {
            pairs.clear();
            let mut at = 0;
            for place in 0..reach {
                let (mut rest_out, mut rest, mut from, mut with, mut inside) = (pixel, place, 0, 0, true);
                at = 0;
                for (i, s) in self.spatial.iter().enumerate().rev() {
                    let (o, w) = (rest_out % s.output, rest % s.window);
                    (rest_out, rest) = (rest_out / s.output, rest / s.window);
                    at += o * out[output[2 + i]];
                    with += w * rhs[kernel[2 + i]];
                    match (o * s.stride + w * s.rhs_dilation).checked_sub(s.before) {
                        Some(to) if to % s.lhs_dilation == 0 && to / s.lhs_dilation < s.input => {
                            from += to / s.lhs_dilation * lhs[input[2 + i]];
                        }
                        _ => inside = false,
                    }
                }
                if inside {
                    pairs.push((from, with));
                }
            }
            for feature in 0..features {
                let window_zero = window_zeros[if window_zeros.len() == 1 { 0 } else { feature }];
                for image in 0..batch {
                    let source = feature / per_batch_group * batch + image;
                    let mut sum = 0i32;
                    for channel in 0..inner {
                        let from = source * lhs[input[0]] + (feature / per_group * inner + channel) * lhs[input[1]];
                        let with = feature * rhs[kernel[0]] + channel * rhs[kernel[1]];
                        for &(a, b) in &pairs {
                            let value = i32::from(images[from + a]).wrapping_sub(zeros[source]);
                            sum = sum.wrapping_add(
                                value.wrapping_mul(i32::from(windows[with + b]).wrapping_sub(window_zero)),
                            );
                        }
                    }
                    f(at + image * out[output[0]] + feature * out[output[1]], source, feature, sum);
                }
            }
        }
    }
}
