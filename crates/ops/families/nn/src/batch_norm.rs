//! `FusedBatchNorm`, its versions 2 and 3, and their gradients.

use crate::prelude::*;
use crate::rules::{Handles, MEAN, NONE, RSQRT, SQUARE};
use levada_kernel::Pool;
use levada_ops_core::images::examples;
use levada_ops_core::images::swap;
use levada_ops_core::images::window::Layout;

/// Rows summed in `f32` before the sum is added to an `f64`.
const BLOCK: usize = 128;

attrs! {
    /// The attrs of batch normalization and its gradient.
    pub struct BatchNorm {
        /// Element type of the images.
        dtype: DType = Attr::dtype("T", &[DType::F16, DType::BF16, DType::F32]),
        /// Element type of the parameters.
        u: DType = Attr::dtype("U", &[DType::F32, DType::BF16]),
        /// Added to the variance to avoid division by zero.
        epsilon: f32 = Attr::float("epsilon").or_float(0.0001),
        /// Weight of this batch in the running mean and variance.
        exponential_avg_factor: f32 = Attr::float("exponential_avg_factor").or_float(1.0),
        /// Layout of the images.
        data_format: Bytes = Attr::one_of("data_format", &["NHWC", "NCHW", "NDHWC", "NCDHW"]).or_str("NHWC"),
        /// If true, normalizes with the mean and variance of the batch, otherwise with the given ones.
        is_training: bool = Attr::bool("is_training").or_bool(true),
        /// Version of the op, 1 to 3.
        version: i64 = Attr::int("version"),
    }
}

const SINGLE: &[AttrSpec] = &[Attr::dtype("T", &[DType::F32])];
const FIRST: &[(&str, AttrDefault)] = &[("U", AttrDefault::Type(DType::F32)), ("version", AttrDefault::Int(1))];
const SECOND: &[(&str, AttrDefault)] = &[("version", AttrDefault::Int(2))];
const THIRD: &[(&str, AttrDefault)] = &[("version", AttrDefault::Int(3))];

const fn t(name: &'static str) -> Arg {
    arg(name, of("T"))
}

const fn u(name: &'static str) -> Arg {
    arg(name, of("U"))
}

pub static FUSED_BATCH_NORM: Def<BatchNorm> = op::<BatchNorm>("FusedBatchNormV3")
    .doc("Batch normalization of images or volumes, which may be half precision.")
    .fixed(THIRD)
    .inputs(&[t("x"), u("scale"), u("offset"), u("mean"), u("variance")])
    .outputs(&[
        t("y"),
        u("batch_mean"),
        u("batch_variance"),
        u("reserve_space_1"),
        u("reserve_space_2"),
        u("reserve_space_3"),
    ])
    .also(&[
        form("FusedBatchNormV2")
            .doc("Batch normalization of images, which may be half precision.")
            .fixed(SECOND)
            .outputs(&[t("y"), u("batch_mean"), u("batch_variance"), u("reserve_space_1"), u("reserve_space_2")]),
        form("FusedBatchNorm")
            .doc("Batch normalization of images.")
            .attrs(SINGLE)
            .fixed(FIRST)
            .inputs(&[t("x"), t("scale"), t("offset"), t("mean"), t("variance")])
            .outputs(&[t("y"), t("batch_mean"), t("batch_variance"), t("reserve_space_1"), t("reserve_space_2")]),
    ])
    .shape(|op, cx| shape(cx, Layout::of(&op.data_format)?, &[1, 2]))
    .workspace(|op, inputs, _, _| op.workspace(inputs.first()?, 2))
    .gradient(gradient)
    .kernel(|op, cx| match op.dtype {
        DType::F32 => forward::<f32>(op, cx),
        DType::F16 => forward::<f16>(op, cx),
        DType::BF16 => forward::<bf16>(op, cx),
        other => unsupported(cx, other),
    })
    .heavy()
    .supports(|op| op.u == DType::F32)
    .epilogue(|op| {
        let is_affine = !op.is_training && Epilogue::is_for(op.dtype) && op.u == DType::F32;
        (is_affine && matches!(&op.data_format[..], b"NHWC" | b"NDHWC")).then_some(Epilogue::Norm(op.epsilon))
    })
    .batch(|op, b| {
        // In training the given statistics are used only for the running average, and may be empty otherwise.
        if op.is_training && op.exponential_avg_factor != 1.0 {
            return None;
        }
        examples::normalization(b, &op.data_format, (1, 4), |i| op.is_training && i > 2)
    });

pub static FUSED_BATCH_NORM_GRAD: Def<BatchNorm> = op::<BatchNorm>("FusedBatchNormGradV3")
    .doc("The gradient of `FusedBatchNormV3`.")
    .attrs(&[Attr::dtype("U", &[DType::F32])])
    .without(&["exponential_avg_factor"])
    .fixed(THIRD)
    .inputs(&[
        t("y_backprop"),
        t("x"),
        arg("scale", is(DType::F32)),
        u("reserve_space_1"),
        u("reserve_space_2"),
        u("reserve_space_3"),
    ])
    .outputs(&[t("x_backprop"), u("scale_backprop"), u("offset_backprop"), u("reserve_space_4"), u("reserve_space_5")])
    .also(&[
        form("FusedBatchNormGradV2")
            .doc("The gradient of `FusedBatchNormV2`.")
            .without(&["exponential_avg_factor"])
            .fixed(SECOND)
            .inputs(&[
                t("y_backprop"),
                t("x"),
                arg("scale", is(DType::F32)),
                u("reserve_space_1"),
                u("reserve_space_2"),
            ])
            .outputs(&[
                t("x_backprop"),
                u("scale_backprop"),
                u("offset_backprop"),
                u("reserve_space_3"),
                u("reserve_space_4"),
            ]),
        form("FusedBatchNormGrad")
            .doc("The gradient of `FusedBatchNorm`.")
            .attrs(SINGLE)
            .without(&["exponential_avg_factor"])
            .fixed(FIRST)
            .inputs(&[t("y_backprop"), t("x"), t("scale"), t("reserve_space_1"), t("reserve_space_2")])
            .outputs(&[
                t("x_backprop"),
                t("scale_backprop"),
                t("offset_backprop"),
                t("reserve_space_3"),
                t("reserve_space_4"),
            ]),
    ])
    .shape(|op, cx| shape(cx, Layout::of(&op.data_format)?, &[]))
    .workspace(|op, inputs, _, _| op.workspace(inputs.first()?, 3))
    .gradient(second_gradient)
    .kernel(|op, cx| match op.dtype {
        DType::F32 => backward::<f32>(op, cx),
        DType::F16 => backward::<f16>(op, cx),
        DType::BF16 => backward::<bf16>(op, cx),
        other => unsupported(cx, other),
    })
    .heavy()
    .batch(|op, b| examples::normalization(b, &op.data_format, (2, 2), |i| i > 4));

impl BatchNorm {
    /// Bytes of this many copies of the images, which are made if channels are not the last axis.
    fn workspace(&self, images: &PartialShape, copies: usize) -> Option<f64> {
        let bytes = images.num_elements()? as f64 * self.dtype.size() as f64;
        Some(if Layout::of(&self.data_format).ok()? == Layout::ChannelsLast { 0.0 } else { copies as f64 * bytes })
    }
}

fn gradient(op: &BatchNorm, g: &GradCx) -> Grads {
    let (mean, variance) = if op.is_training { (g.output(3), g.output(4)) } else { (g.input(3), g.input(4)) };
    let mut inputs = vec![g.dy(0), g.input(0), g.input(1), mean, variance];
    if op.version == 3 {
        inputs.push(g.output(5));
    }
    let all = FUSED_BATCH_NORM_GRAD.node(g, op, &inputs);
    vec![all.into(), all.out(1).into(), all.out(2).into(), NONE, NONE]
}

/// The derivatives of a batch norm's gradients with respect to the gradient of its result, its input and its scale. For
/// the first of them, `dx`, in training, with means over all axes but the channels': `dx = scale r (dy - mean(dy) - x̂
/// mean(dy x̂))`, where `x̂ = (x - mean(x)) r` and `r = 1 / sqrt(variance + epsilon)`.
fn second_gradient(op: &BatchNorm, g: &GradCx) -> Grads {
    let rank = op.data_format.len();
    let channels_first = op.data_format.starts_with(b"NC");
    let channel = if channels_first { 1 } else { rank - 1 };
    let axes: Vec<i32> = (0..rank).filter(|&a| a != channel).map(|a| a as i32).collect();
    let axes = g.ints(&axes);
    // Reshapes per-channel vectors so that they broadcast.
    let wide = |v: V<'_>| {
        let v = g.value(v.at);
        let spread = [&[-1][..], &vec![1; rank.saturating_sub(2)]].concat();
        if channels_first { v.reshape(g.ints(&spread)) } else { v }
    };
    let mean = |v: V<'_>| MEAN.node(g, &[g.value(v.at), axes], &[("keep_dims", AttrValue::B(true))]);
    let (dtype, dtype_of_scale) = (g.input(1).dtype(), g.input(2).dtype());
    let (dy, x) = (g.input(0).cast(dtype_of_scale), g.input(1).cast(dtype_of_scale));
    let scale = wide(g.input(2));
    let by_x = g.known_dy(0).map(|v| v.cast(dtype_of_scale));
    let by_scale = g.known_dy(1).map(wide);
    let by_offset = g.known_dy(2).map(wide);
    let training = op.is_training;
    let (center, variance) = match training {
        true => {
            let center = mean(x);
            (center, mean((x - center).apply(SQUARE)))
        }
        false => (wide(g.input(3)), wide(g.input(4))),
    };
    let r = (variance + f64::from(op.epsilon)).apply(RSQRT);
    let normal = (x - center) * r;
    let along = mean(dy * normal);
    // A gradient without the components removed by the mean and the variance.
    let rest = |v: V<'_>, along: V<'_>| {
        let v = g.value(v.at);
        v - mean(v) - normal * g.value(along.at)
    };
    let rest_of_dy = if training { rest(dy, along) } else { dy };
    let (mut of_dy, mut of_x, mut of_scale) = (Vec::new(), Vec::new(), NONE);
    if let Some(by_x) = by_x {
        of_scale = (by_x * rest_of_dy * r).sum(axes).into();
        if training {
            let along_x = mean(by_x * normal);
            let rest_of_x = rest(by_x, along_x);
            of_dy.push(scale * r * rest_of_x);
            let bend = mean(by_x * rest_of_dy) * normal + rest_of_x * along + rest_of_dy * along_x;
            of_x.push(-(scale * r * r * bend));
        } else {
            of_dy.push(scale * r * by_x);
        }
    }
    if let Some(by_scale) = by_scale {
        of_dy.push(by_scale * normal);
        of_x.push(by_scale * r * rest_of_dy);
    }
    if let Some(by_offset) = by_offset {
        of_dy.push(by_offset + dy.zeros_like());
    }
    let total = |parts: Vec<V<'_>>| {
        let sum = parts.into_iter().map(|v| v.at).reduce(|a, b| (g.value(a) + g.value(b)).at);
        sum.and_then(|at| Option::from(g.value(at).cast(dtype)))
    };
    let mut grads = vec![total(of_dy), total(of_x), of_scale];
    grads.resize(g.num_inputs(), NONE);
    grads
}

pub(super) fn shape(cx: &mut ShapeCx<'_>, layout: Layout, vectors: &[usize]) -> Result<()> {
    let mut images = cx.rank_at_least(0, 4)?;
    if vectors.is_empty() {
        images = images.merge(&cx.input(1))?;
    }
    let channels = match images.rank() {
        Some(rank) => images.dim(layout.channel(rank) as isize),
        None => None,
    };
    let mut channels = PartialShape::vector(channels);
    for &i in vectors {
        channels = channels.merge(&cx.with_rank(i, 1)?)?;
    }
    if let Some(rank) = images.rank() {
        let mut dims: Vec<Dim> = vec![None; rank];
        dims[layout.channel(rank)] = channels.dim(0);
        images = images.merge(&PartialShape::new(dims))?;
    }
    cx.output(0, images);
    cx.output(1, channels.clone());
    cx.output(2, channels.clone());
    if !vectors.is_empty() {
        cx.output(3, channels.clone());
        cx.output(4, channels);
    }
    Ok(())
}

/// Images viewed as rows of channels.
pub struct Rows {
    shape: Shape,
    layout: Layout,
    /// Number of channels.
    pub channels: usize,
    /// Number of elements per channel.
    pub rows: usize,
}

impl Rows {
    /// The rows of images with this shape.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if they are not images or volumes.
    pub fn of(shape: &Shape, layout: Layout) -> Result<Rows> {
        if !(4..=5).contains(&shape.rank()) {
            return Err(Error::invalid(format!("input must be 4 or 5-dimensional{shape}")));
        }
        let channels = shape[layout.channel(shape.rank())];
        let rows = shape.num_elements().checked_div(channels).unwrap_or(0);
        Ok(Rows { shape: shape.clone(), layout, channels, rows })
    }

    /// Converts a tensor to channels-last layout.
    fn channels_last<T: Number<Wide = f32>>(&self, cx: &Cx<'_, '_>, tensor: &Tensor) -> Result<Tensor> {
        if self.layout == Layout::ChannelsLast || tensor.num_elements() == 0 {
            return Ok(tensor.clone());
        }
        let mut out = cx.alloc(tensor.dtype(), &self.shape)?;
        swap::<T>(cx.pool(), tensor.slice()?, out.slice_mut()?, self.channels, self.rows / self.shape[0]);
        Ok(out)
    }

    /// Converts a channels-last tensor to the node's layout.
    fn as_laid_out<T: Number<Wide = f32>>(&self, cx: &Cx<'_, '_>, tensor: Tensor) -> Result<Tensor> {
        if self.layout == Layout::ChannelsLast || tensor.num_elements() == 0 {
            return Ok(tensor);
        }
        let mut out = cx.alloc(tensor.dtype(), &self.shape)?;
        swap::<T>(cx.pool(), tensor.slice()?, out.slice_mut()?, self.rows / self.shape[0], self.channels);
        Ok(out)
    }

    /// Input `i` of the node, which must have one element per channel.
    fn vector<'a>(&self, cx: &'a Cx<'_, '_>, i: usize, what: &str, when: &str) -> Result<&'a [f32]> {
        let tensor = cx.input(i)?;
        self.check_vector(tensor.shape(), what, when)?;
        tensor.slice()
    }

    /// Checks the shape of an input that must have one element per channel.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for any other shape.
    pub fn check_vector(&self, shape: &Shape, what: &str, when: &str) -> Result<()> {
        if shape.rank() != 1 {
            return Err(Error::invalid(format!("{what} must be 1-dimensional{shape}")));
        }
        if shape.num_elements() != self.channels {
            return Err(Error::invalid(format!(
                "{when}{what} must have the same number of elements as the channels of x, got {} and {}",
                shape.num_elements(),
                self.channels
            )));
        }
        Ok(())
    }

    /// Sums over rows, for each channel: `term` adds its value for a row to the sums of a block.
    fn sums(&self, pool: &Pool, term: impl Fn(usize, &mut [f32]) + Sync) -> Vec<f64> {
        let channels = self.channels;
        let parts = pool.parts(self.rows, channels as f64 * 0.2 + 1.0).min(pool.shares() * 2);
        let each = self.rows.div_ceil(parts.max(1));
        let mut sums = vec![0f64; parts * channels];
        pool.for_chunks(&mut sums, channels, each as f64 * channels as f64 * 0.2, |first, piece| {
            let mut block = vec![0f32; channels];
            for (i, sums) in piece.chunks_exact_mut(channels).enumerate() {
                let (start, end) = ((first + i) * each, ((first + i + 1) * each).min(self.rows));
                for at in (start..end).step_by(BLOCK) {
                    block.fill(0.0);
                    (at..(at + BLOCK).min(end)).for_each(|row| term(row, &mut block));
                    sums.iter_mut().zip(&block).for_each(|(s, &b)| *s += f64::from(b));
                }
            }
        });
        let (total, rest) = sums.split_at_mut(channels);
        for part in rest.chunks_exact(channels) {
            total.iter_mut().zip(part).for_each(|(t, p)| *t += p);
        }
        total.to_vec()
    }

    /// Fills rows of `out`: `fill` receives the index of a row and its elements.
    fn fill<T: Number<Wide = f32>>(&self, pool: &Pool, out: &mut [T], fill: impl Fn(usize, &mut [T]) + Sync + Send) {
        let channels = self.channels;
        pool.for_chunks(out, channels, channels as f64 * 0.3, |first, piece| {
            vectorized_for!(T, piece.chunks_exact_mut(channels).enumerate().for_each(|(i, row)| fill(first + i, row)));
        });
    }
}

fn forward<T: Number<Wide = f32>>(op: &BatchNorm, cx: &mut Cx<'_, '_>) -> Result<()> {
    for (i, tensor) in normalized::<T>(op, cx)?.into_iter().enumerate() {
        cx.set(i, tensor);
    }
    Ok(())
}

/// All outputs of batch normalization, as in version 3.
pub(super) fn normalized<T: Number<Wide = f32>>(op: &BatchNorm, cx: &Cx<'_, '_>) -> Result<Vec<Tensor>> {
    let (training, average) = (op.is_training, op.exponential_avg_factor);
    let x = cx.input(0)?;
    let rows = Rows::of(x.shape(), Layout::of(&op.data_format)?)?;
    let channels = rows.channels;
    let scale = rows.vector(cx, 1, "scale", "")?;
    let offset = rows.vector(cx, 2, "offset", "")?;
    let averages = training && average != 1.0;
    let mut running = (&[][..], &[][..]);
    if !training || averages {
        let when = if averages { "When exponential_avg_factor != 1, " } else { "When is_training=false, " };
        running = (rows.vector(cx, 3, "mean", when)?, rows.vector(cx, 4, "variance", when)?);
    }
    let volumes = x.shape().rank() == 5;
    let vector = |values: Vec<f32>| Tensor::vector(values);
    let mut outputs: Vec<Tensor> = Vec::with_capacity(6);
    if x.num_elements() == 0 {
        outputs.push(cx.zeros(x.dtype(), x.shape())?);
        outputs.extend([f32::NAN, f32::NAN, 0.0, 0.0].map(|v| vector(vec![v; channels])));
    } else {
        let images = rows.channels_last::<T>(cx, x)?;
        let data = images.slice::<T>()?;
        let (mean, variance): (Vec<f32>, Vec<f32>) =
            if training { moments(&rows, cx.pool(), data) } else { (running.0.to_vec(), running.1.to_vec()) };
        let factor: Vec<f32> = variance.iter().zip(scale).map(|(v, s)| (v + op.epsilon).sqrt().recip() * s).collect();
        let mut y = cx.alloc(x.dtype(), x.shape())?;
        rows.fill(
            cx.pool(),
            y.slice_mut()?,
            #[inline(always)]
            |row, out| {
                let from = &data[row * channels..][..channels];
                let each = out.iter_mut().zip(from).zip(mean.iter().zip(&factor).zip(offset));
                each.for_each(|((o, v), ((m, f), b))| *o = T::narrow((v.widen() - m) * f + b));
            },
        );
        outputs.push(rows.as_laid_out::<T>(cx, y)?);
        if training {
            let count = rows.rows as f32;
            let unbiased = if rows.rows > 1 { count / (count - 1.0) } else { 1.0 };
            let mut batch_variance: Vec<f32> = variance.iter().map(|v| v * unbiased).collect();
            let mut batch_mean = mean.clone();
            if averages {
                let mix = |new: &mut Vec<f32>, old: &[f32]| {
                    let each = new.iter_mut().zip(old);
                    each.for_each(|(n, o)| *n = (1.0 - average) * o + average * *n);
                };
                mix(&mut batch_mean, running.0);
                mix(&mut batch_variance, running.1);
            }
            outputs.extend([batch_mean, batch_variance, mean, variance].map(vector));
        } else {
            let (mean, variance) = (vector(mean), vector(variance));
            outputs.extend([mean.clone(), variance.clone(), mean, variance]);
        }
    }
    // The contents of the third reserved output are device-specific.
    outputs.push(if volumes { Tensor::scalar(0f32) } else { Tensor::vector(Vec::<f32>::new()) });
    Ok(outputs)
}

/// Mean and population variance of each channel.
fn moments<T: Number<Wide = f32>>(rows: &Rows, pool: &Pool, data: &[T]) -> (Vec<f32>, Vec<f32>) {
    let (channels, count) = (rows.channels, rows.rows as f64);
    let sums = rows.sums(pool, |row, sums| {
        let from = &data[row * channels..][..channels];
        vectorized_for!(T, sums.iter_mut().zip(from).for_each(|(s, v)| *s += v.widen()));
    });
    let mean: Vec<f32> = sums.iter().map(|s| (s / count) as f32).collect();
    let squares = rows.sums(pool, |row, sums| {
        let from = &data[row * channels..][..channels];
        vectorized_for!(T, {
            sums.iter_mut().zip(from).zip(&mean).for_each(|((s, v), m)| {
                let d = v.widen() - m;
                *s += d * d;
            });
        });
    });
    let variance = squares.iter().map(|s| (s / count) as f32).collect();
    (mean, variance)
}

fn backward<T: Number<Wide = f32>>(op: &BatchNorm, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (dy, x) = (cx.input(0)?, cx.input(1)?);
    if dy.shape() != x.shape() {
        return Err(Error::invalid(format!(
            "x and y_backprop must have same shape, but x has shape {} and y_backprop has shape {}",
            x.shape(),
            dy.shape()
        )));
    }
    let rows = Rows::of(x.shape(), Layout::of(&op.data_format)?)?;
    let channels = rows.channels;
    let scale = rows.vector(cx, 2, "scale", "")?;
    let mean = rows.vector(cx, 3, "reserve_space_1", "")?;
    let variance = rows.vector(cx, 4, "reserve_space_2", "")?;
    let (dx, dscale, doffset) = if x.num_elements() == 0 {
        (cx.zeros(x.dtype(), x.shape())?, vec![0f32; channels], vec![0f32; channels])
    } else {
        let (x, dy) = (rows.channels_last::<T>(cx, x)?, rows.channels_last::<T>(cx, dy)?);
        let (x, dy_data) = (x.slice::<T>()?, dy.slice::<T>()?);
        let offset_sums = rows.sums(cx.pool(), |row, sums| {
            let from = &dy_data[row * channels..][..channels];
            vectorized_for!(T, sums.iter_mut().zip(from).for_each(|(s, v)| *s += v.widen()));
        });
        // Sums of the gradient times the element's deviation from the mean.
        let centred_sums = rows.sums(cx.pool(), |row, sums| {
            let (dy, x) = (&dy_data[row * channels..][..channels], &x[row * channels..][..channels]);
            vectorized_for!(T, {
                let each = sums.iter_mut().zip(dy).zip(x.iter().zip(mean));
                each.for_each(|((s, dy), (x, m))| *s += dy.widen() * (x.widen() - m));
            });
        });
        let count = rows.rows as f64;
        let deviation: Vec<f32> = variance.iter().map(|v| (v + op.epsilon).sqrt().recip()).collect();
        let factor: Vec<f32> = deviation.iter().zip(scale).map(|(d, s)| d * s).collect();
        let (mut shift, mut slope) = (vec![0f32; channels], vec![0f32; channels]);
        if op.is_training {
            for c in 0..channels {
                let d = f64::from(deviation[c]);
                shift[c] = (offset_sums[c] / count) as f32;
                slope[c] = (centred_sums[c] / count * d * d) as f32;
            }
        }
        let mut dx = cx.alloc(dy.dtype(), &rows.shape)?;
        rows.fill(
            cx.pool(),
            dx.slice_mut()?,
            #[inline(always)]
            |row, out| {
                let (dy, x) = (&dy_data[row * channels..][..channels], &x[row * channels..][..channels]);
                let numbers = mean.iter().zip(&factor).zip(shift.iter().zip(&slope));
                for ((o, (dy, x)), ((m, f), (s, k))) in out.iter_mut().zip(dy.iter().zip(x)).zip(numbers) {
                    *o = T::narrow(f * (dy.widen() - s - (x.widen() - m) * k));
                }
            },
        );
        let dscale = centred_sums.iter().zip(&deviation).map(|(s, &d)| (s * f64::from(d)) as f32).collect();
        let doffset = offset_sums.iter().map(|&s| s as f32).collect();
        (rows.as_laid_out::<T>(cx, dx)?, dscale, doffset)
    };
    cx.set(0, dx);
    cx.set(1, Tensor::vector(dscale));
    cx.set(2, Tensor::vector(doffset));
    cx.set(3, Tensor::scalar(0f32));
    cx.set(4, Tensor::scalar(0f32));
    Ok(())
}
