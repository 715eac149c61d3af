//! `FusedBatchNorm`, its versions 2 and 3, and their gradients.

use super::layout::swap;
use super::window::Layout;
use crate::prelude::*;
use levada_kernel::Pool;

const FORMATS: &[&str] = &["NHWC", "NCHW", "NDHWC", "NCDHW"];
/// Rows whose sums are added in `f32` before they go into an `f64`.
const BLOCK: usize = 128;

macro_rules! batch_norm {
    ($($(#[doc = $doc:literal])* $name:ident, $x:expr, $u:expr, $types:expr, [$($out:literal: $ty:expr),*] $(, $u_field:ident)?;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type of the images.
                dtype: DType = Attr::dtype("T", $types),
                $(
                    /// Element type of the parameters.
                    $u_field: DType = Attr::dtype("U", &[DType::F32, DType::BF16]),
                )?
                /// Added to variances.
                epsilon: f32 = Attr::float("epsilon").or_float(0.0001),
                /// Part of this batch in the running mean and variance.
                exponential_avg_factor: f32 = Attr::float("exponential_avg_factor").or_float(1.0),
                /// Order of the axes.
                data_format: Bytes = Attr::one_of("data_format", FORMATS).or_str("NHWC"),
                /// True to normalize by the mean and variance of this batch, false to use those given.
                is_training: bool = Attr::bool("is_training").or_bool(true),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[
                    arg("x", of($x)),
                    arg("scale", of($u)),
                    arg("offset", of($u)),
                    arg("mean", of($u)),
                    arg("variance", of($u)),
                ],
                outputs: &[arg("y", of($x)), $(arg($out, $ty)),*],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                shape(cx, Layout::of(&self.data_format)?, &[1, 2])
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn supports(&self) -> bool {
                true $(&& self.$u_field == DType::F32)?
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let (epsilon, average) = (self.epsilon, self.exponential_avg_factor);
                let forward = Forward { epsilon, average, training: self.is_training };
                let layout = Layout::of(&self.data_format)?;
                match self.dtype {
                    DType::F32 => forward.compute::<f32>(cx, layout),
                    DType::F16 => forward.compute::<f16>(cx, layout),
                    DType::BF16 => forward.compute::<bf16>(cx, layout),
                    other => Err(unsupported(other)),
                }
            }
        }
    )*};
}

batch_norm! {
    /// Normalizes each channel of images.
    FusedBatchNorm, "T", "T", &[DType::F32], [
        "batch_mean": of("T"), "batch_variance": of("T"), "reserve_space_1": of("T"), "reserve_space_2": of("T")
    ];
    /// Normalizes each channel of images, which may be of half precision.
    FusedBatchNormV2, "T", "U", &[DType::F16, DType::BF16, DType::F32], [
        "batch_mean": of("U"), "batch_variance": of("U"), "reserve_space_1": of("U"), "reserve_space_2": of("U")
    ], u;
    /// Normalizes each channel of images or volumes, which may be of half precision.
    FusedBatchNormV3, "T", "U", &[DType::F16, DType::BF16, DType::F32], [
        "batch_mean": of("U"), "batch_variance": of("U"), "reserve_space_1": of("U"), "reserve_space_2": of("U"),
        "reserve_space_3": of("U")
    ], u;
}

macro_rules! batch_norm_grad {
    ($($(#[doc = $doc:literal])* $name:ident, $types:expr, [$($input:literal: $in_ty:expr),*], [$($out:literal: $ty:expr),*]
        $(, $u_field:ident)?;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type of the images.
                dtype: DType = Attr::dtype("T", $types),
                $(
                    /// Element type of the parameters.
                    $u_field: DType = Attr::dtype("U", &[DType::F32]),
                )?
                /// Added to variances.
                epsilon: f32 = Attr::float("epsilon").or_float(0.0001),
                /// Order of the axes.
                data_format: Bytes = Attr::one_of("data_format", FORMATS).or_str("NHWC"),
                /// True where the mean and variance were those of the batch.
                is_training: bool = Attr::bool("is_training").or_bool(true),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("y_backprop", of("T")), arg("x", of("T")), $(arg($input, $in_ty)),*],
                outputs: &[arg("x_backprop", of("T")), $(arg($out, $ty)),*],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                shape(cx, Layout::of(&self.data_format)?, &[])
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let backward = Backward { epsilon: self.epsilon, training: self.is_training };
                let layout = Layout::of(&self.data_format)?;
                match self.dtype {
                    DType::F32 => backward.compute::<f32>(cx, layout),
                    DType::F16 => backward.compute::<f16>(cx, layout),
                    DType::BF16 => backward.compute::<bf16>(cx, layout),
                    other => Err(unsupported(other)),
                }
            }
        }
    )*};
}

batch_norm_grad! {
    /// The gradient of a `FusedBatchNorm`.
    FusedBatchNormGrad, &[DType::F32], [
        "scale": of("T"), "reserve_space_1": of("T"), "reserve_space_2": of("T")
    ], [
        "scale_backprop": of("T"), "offset_backprop": of("T"), "reserve_space_3": of("T"), "reserve_space_4": of("T")
    ];
    /// The gradient of a `FusedBatchNormV2`.
    FusedBatchNormGradV2, &[DType::F16, DType::BF16, DType::F32], [
        "scale": is(DType::F32), "reserve_space_1": of("U"), "reserve_space_2": of("U")
    ], [
        "scale_backprop": of("U"), "offset_backprop": of("U"), "reserve_space_3": of("U"), "reserve_space_4": of("U")
    ], u;
    /// The gradient of a `FusedBatchNormV3`.
    FusedBatchNormGradV3, &[DType::F16, DType::BF16, DType::F32], [
        "scale": is(DType::F32), "reserve_space_1": of("U"), "reserve_space_2": of("U"), "reserve_space_3": of("U")
    ], [
        "scale_backprop": of("U"), "offset_backprop": of("U"), "reserve_space_4": of("U"), "reserve_space_5": of("U")
    ], u;
}

fn unsupported(dtype: DType) -> Error {
    Error::unimplemented(format!("batch normalization of {dtype} is not supported"))
}

fn shape(cx: &mut ShapeCx<'_>, layout: Layout, vectors: &[usize]) -> Result<()> {
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

/// Images as rows of channels.
pub struct Rows {
    shape: Shape,
    layout: Layout,
    /// Number of channels.
    pub channels: usize,
    /// Number of elements of each channel.
    pub rows: usize,
}

impl Rows {
    /// Images of this shape.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` where they are not images or volumes.
    pub fn of(shape: &Shape, layout: Layout) -> Result<Rows> {
        if !(4..=5).contains(&shape.rank()) {
            return Err(Error::invalid(format!("input must be 4 or 5-dimensional{shape}")));
        }
        let channels = shape[layout.channel(shape.rank())];
        let rows = shape.num_elements().checked_div(channels).unwrap_or(0);
        Ok(Rows { shape: shape.clone(), layout, channels, rows })
    }

    /// The tensor with its channels last.
    fn channels_last<T: Image>(&self, cx: &Cx<'_, '_>, tensor: &Tensor) -> Result<Tensor> {
        if self.layout == Layout::ChannelsLast || tensor.num_elements() == 0 {
            return Ok(tensor.clone());
        }
        let mut out = cx.alloc(tensor.dtype(), &self.shape)?;
        swap::<T>(cx.pool(), tensor.slice()?, out.slice_mut()?, self.channels, self.rows / self.shape[0]);
        Ok(out)
    }

    /// The opposite.
    fn as_laid_out<T: Image>(&self, cx: &Cx<'_, '_>, tensor: Tensor) -> Result<Tensor> {
        if self.layout == Layout::ChannelsLast || tensor.num_elements() == 0 {
            return Ok(tensor);
        }
        let mut out = cx.alloc(tensor.dtype(), &self.shape)?;
        swap::<T>(cx.pool(), tensor.slice()?, out.slice_mut()?, self.rows / self.shape[0], self.channels);
        Ok(out)
    }

    /// Input `i` of the node, which must have a number for each channel.
    fn vector<'a>(&self, cx: &'a Cx<'_, '_>, i: usize, what: &str, when: &str) -> Result<&'a [f32]> {
        let tensor = cx.input(i)?;
        self.check_vector(tensor.shape(), what, when)?;
        tensor.slice()
    }

    /// Checks the shape of an input that must have a number for each channel.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` where it has another.
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

    /// For each channel the sum over rows of what `term` makes of a row: it adds to the sums of a block.
    fn sums(&self, pool: &Pool, term: impl Fn(usize, &mut [f32]) + Sync) -> Vec<f64> {
        let channels = self.channels;
        let parts = pool.parts(self.rows, channels as f64 * 0.2 + 1.0).min(pool.threads() * 2);
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

    /// Fills rows of `out`: `fill` gets the number of a row and its elements.
    fn fill<T: Image>(&self, pool: &Pool, out: &mut [T], fill: impl Fn(usize, &mut [T]) + Sync + Send) {
        let channels = self.channels;
        pool.for_chunks(out, channels, channels as f64 * 0.3, |first, piece| {
            vectorized_for!(T, piece.chunks_exact_mut(channels).enumerate().for_each(|(i, row)| fill(first + i, row)));
        });
    }
}

struct Forward {
    epsilon: f32,
    average: f32,
    training: bool,
}

impl Forward {
    fn compute<T: Image>(&self, cx: &mut Cx<'_, '_>, layout: Layout) -> Result<()> {
        let x = cx.input(0)?;
        let rows = Rows::of(x.shape(), layout)?;
        let channels = rows.channels;
        let scale = rows.vector(cx, 1, "scale", "")?;
        let offset = rows.vector(cx, 2, "offset", "")?;
        let averages = self.training && self.average != 1.0;
        let mut running = (&[][..], &[][..]);
        if !self.training || averages {
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
                if self.training { moments(&rows, cx.pool(), data) } else { (running.0.to_vec(), running.1.to_vec()) };
            let factor: Vec<f32> =
                variance.iter().zip(scale).map(|(v, s)| (v + self.epsilon).sqrt().recip() * s).collect();
            let mut y = cx.alloc(x.dtype(), x.shape())?;
            rows.fill(
                cx.pool(),
                y.slice_mut()?,
                #[inline(always)]
                |row, out| {
                    let from = &data[row * channels..][..channels];
                    let each = out.iter_mut().zip(from).zip(mean.iter().zip(&factor).zip(offset));
                    each.for_each(|((o, v), ((m, f), b))| *o = T::from_f32((v.to_f32() - m) * f + b));
                },
            );
            outputs.push(rows.as_laid_out::<T>(cx, y)?);
            if self.training {
                let count = rows.rows as f32;
                let unbiased = if rows.rows > 1 { count / (count - 1.0) } else { 1.0 };
                let mut batch_variance: Vec<f32> = variance.iter().map(|v| v * unbiased).collect();
                let mut batch_mean = mean.clone();
                if averages {
                    let mix = |new: &mut Vec<f32>, old: &[f32]| {
                        let each = new.iter_mut().zip(old);
                        each.for_each(|(n, o)| *n = (1.0 - self.average) * o + self.average * *n);
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
        // What the third reserved output holds is up to the device.
        outputs.push(if volumes { Tensor::scalar(0f32) } else { Tensor::vector(Vec::<f32>::new()) });
        for (i, tensor) in outputs.into_iter().enumerate() {
            cx.set(i, tensor);
        }
        Ok(())
    }
}

/// Mean and population variance of each channel.
fn moments<T: Image>(rows: &Rows, pool: &Pool, data: &[T]) -> (Vec<f32>, Vec<f32>) {
    let (channels, count) = (rows.channels, rows.rows as f64);
    let sums = rows.sums(pool, |row, sums| {
        let from = &data[row * channels..][..channels];
        vectorized_for!(T, sums.iter_mut().zip(from).for_each(|(s, v)| *s += v.to_f32()));
    });
    let mean: Vec<f32> = sums.iter().map(|s| (s / count) as f32).collect();
    let squares = rows.sums(pool, |row, sums| {
        let from = &data[row * channels..][..channels];
        vectorized_for!(T, {
                sums.iter_mut().zip(from).zip(&mean).for_each(|((s, v), m)| {
                    let d = v.to_f32() - m;
                    *s += d * d;
                });
            });
    });
    let variance = squares.iter().map(|s| (s / count) as f32).collect();
    (mean, variance)
}

struct Backward {
    epsilon: f32,
    training: bool,
}

impl Backward {
    fn compute<T: Image>(&self, cx: &mut Cx<'_, '_>, layout: Layout) -> Result<()> {
        let (dy, x) = (cx.input(0)?, cx.input(1)?);
        if dy.shape() != x.shape() {
            return Err(Error::invalid(format!(
                "x and y_backprop must have same shape, but x has shape {} and y_backprop has shape {}",
                x.shape(),
                dy.shape()
            )));
        }
        let rows = Rows::of(x.shape(), layout)?;
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
                vectorized_for!(T, sums.iter_mut().zip(from).for_each(|(s, v)| *s += v.to_f32()));
            });
            // Sums of the gradient times how far the element is from the mean.
            let centred_sums = rows.sums(cx.pool(), |row, sums| {
                let (dy, x) = (&dy_data[row * channels..][..channels], &x[row * channels..][..channels]);
                vectorized_for!(T, {
                        let each = sums.iter_mut().zip(dy).zip(x.iter().zip(mean));
                        each.for_each(|((s, dy), (x, m))| *s += dy.to_f32() * (x.to_f32() - m));
                    });
            });
            let count = rows.rows as f64;
            let deviation: Vec<f32> = variance.iter().map(|v| (v + self.epsilon).sqrt().recip()).collect();
            let factor: Vec<f32> = deviation.iter().zip(scale).map(|(d, s)| d * s).collect();
            let (mut shift, mut slope) = (vec![0f32; channels], vec![0f32; channels]);
            if self.training {
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
                        *o = T::from_f32(f * (dy.to_f32() - s - (x.to_f32() - m) * k));
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
}

/// An element type of images that are normalized in `f32`.
trait Image: Element + Copy {
    fn to_f32(self) -> f32;
    fn from_f32(value: f32) -> Self;
}

macro_rules! images {
    ($($ty:ty: |$v:ident| $to:expr, |$w:ident| $from:expr;)*) => {$(
        impl Image for $ty {
            #[inline(always)]
            fn to_f32(self) -> f32 { let $v = self; $to }
            #[inline(always)]
            fn from_f32($w: f32) -> Self { $from }
        }
    )*};
}

images! {
    f32: |v| v, |w| w;
    f16: |v| f16::to_f32(v), |w| f16::from_f32(w);
    bf16: |v| bf16::to_f32(v), |w| bf16::from_f32(w);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{run, run_on};

    const OUT: [DType; 6] = [DType::F32; 6];

    fn op(data_format: &'static str, is_training: bool, exponential_avg_factor: f32) -> FusedBatchNormV3 {
        let data_format = Bytes::from_static(data_format.as_bytes());
        let (dtype, u) = (DType::F32, DType::F32);
        FusedBatchNormV3 { dtype, u, epsilon: 0.001, exponential_avg_factor, data_format, is_training }
    }

    fn images(dims: [usize; 4]) -> Tensor {
        let shape = Shape::new(dims).unwrap();
        let values = (0..shape.num_elements()).map(|i| ((i * 37) % 23) as f32 * 0.25 - 2.0).collect();
        Tensor::from_vec(shape, values).unwrap()
    }

    fn vector(n: usize, from: f32) -> Tensor {
        Tensor::vector((0..n).map(|i| from + i as f32 * 0.5).collect())
    }

    fn close(a: &Tensor, b: &[f32]) {
        let a = a.slice::<f32>().unwrap();
        assert_eq!(a.len(), b.len());
        a.iter().zip(b).for_each(|(a, b)| assert!((a - b).abs() <= 1e-4 * (1.0 + b.abs()), "{a} {b}"));
    }

    #[test]
    fn batches_are_normalized_by_their_moments() {
        let (n, c) = (2 * 5 * 7, 3);
        let x = images([2, 5, 7, 3]);
        let inputs = vec![x.clone(), vector(c, 1.0), vector(c, -1.0), vector(c, 2.0), vector(c, 3.0)];
        let out = run_on(2, op("NHWC", true, 0.25), inputs, &OUT).unwrap();
        let data = x.slice::<f32>().unwrap();
        let (mut y, mut mean, mut variance) = (vec![0.0; n * c], vec![0.0; c], vec![0.0; c]);
        for ch in 0..c {
            let channel: Vec<f32> = (0..n).map(|i| data[i * c + ch]).collect();
            mean[ch] = channel.iter().sum::<f32>() / n as f32;
            variance[ch] = channel.iter().map(|v| (v - mean[ch]).powi(2)).sum::<f32>() / n as f32;
            let (scale, offset) = (1.0 + ch as f32 * 0.5, -1.0 + ch as f32 * 0.5);
            for i in 0..n {
                y[i * c + ch] = (channel[i] - mean[ch]) / (variance[ch] + 0.001).sqrt() * scale + offset;
            }
        }
        close(&out[0], &y);
        let mix = |old: f32, new: f32| 0.75 * old + 0.25 * new;
        close(&out[1], &(0..c).map(|i| mix(2.0 + i as f32 * 0.5, mean[i])).collect::<Vec<_>>());
        let unbiased = n as f32 / (n as f32 - 1.0);
        close(&out[2], &(0..c).map(|i| mix(3.0 + i as f32 * 0.5, variance[i] * unbiased)).collect::<Vec<_>>());
        close(&out[3], &mean);
        close(&out[4], &variance);
    }

    #[test]
    fn channels_may_come_first() {
        let c = 3;
        let parameters = || vec![vector(c, 1.0), vector(c, -1.0), vector(c, 2.0), vector(c, 3.0)];
        for training in [false, true] {
            let x = images([2, 3, 4, 5]);
            let mut last = vec![0f32; x.num_elements()];
            swap(&Pool::new(1), x.slice::<f32>().unwrap(), &mut last, c, 20);
            let last = Tensor::from_vec(Shape::new([2, 4, 5, 3]).unwrap(), last).unwrap();
            let first = run(op("NCHW", training, 1.0), [vec![x], parameters()].concat(), &OUT).unwrap();
            let last = run(op("NHWC", training, 1.0), [vec![last], parameters()].concat(), &OUT).unwrap();
            let mut back = vec![0f32; 2 * 3 * 20];
            swap(&Pool::new(1), last[0].slice::<f32>().unwrap(), &mut back, 20, c);
            close(&first[0], &back);
            close(&first[4], last[4].slice().unwrap());
        }
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let (shape, c) = ([2, 2, 3, 2], 2);
        let (x, dy) = (images(shape), images([1, 1, 24, 1]).reshaped(Shape::new(shape).unwrap()).unwrap());
        let (scale, offset) = (vector(c, 1.5), vector(c, 0.0));
        let forward = |x: &Tensor, scale: &Tensor, training: bool| {
            let inputs = vec![x.clone(), scale.clone(), offset.clone(), vector(c, 0.2), vector(c, 1.0)];
            run(op("NHWC", training, 1.0), inputs, &OUT).unwrap()
        };
        let loss = |y: &Tensor| -> f64 {
            let (y, dy) = (y.slice::<f32>().unwrap(), dy.slice::<f32>().unwrap());
            y.iter().zip(dy).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
        };
        let differences = |t: &Tensor, f: &dyn Fn(&Tensor) -> f64| -> Vec<f32> {
            let nudged = |i: usize, by: f32| {
                let mut t = t.clone();
                t.slice_mut::<f32>().unwrap()[i] += by;
                f(&t)
            };
            (0..t.num_elements()).map(|i| ((nudged(i, 0.01) - nudged(i, -0.01)) / 0.02) as f32).collect()
        };
        for training in [false, true] {
            let out = forward(&x, &scale, training);
            let (dtype, u) = (DType::F32, DType::F32);
            let data_format = Bytes::from_static(b"NHWC");
            let grad = FusedBatchNormGradV3 { dtype, u, epsilon: 0.001, data_format, is_training: training };
            let inputs = vec![dy.clone(), x.clone(), scale.clone(), out[3].clone(), out[4].clone(), out[5].clone()];
            let got = run(grad, inputs, &OUT[..5]).unwrap();
            let near = |a: &Tensor, b: Vec<f32>| {
                let each = a.slice::<f32>().unwrap().iter().zip(&b);
                each.for_each(|(a, b)| assert!((a - b).abs() < 0.02, "{a} {b} {training}"));
            };
            near(&got[0], differences(&x, &|x| loss(&forward(x, &scale, training)[0])));
            near(&got[1], differences(&scale, &|s| loss(&forward(&x, s, training)[0])));
        }
    }

    #[test]
    fn parameters_must_fit() {
        let x = || images([1, 2, 2, 2]);
        let good = || vector(2, 1.0);
        let none = || Tensor::vector(Vec::<f32>::new());
        let fails = |op, inputs| assert_eq!(run(op, inputs, &OUT).unwrap_err().code(), Code::InvalidArgument);
        fails(op("NHWC", true, 1.0), vec![x(), vector(3, 1.0), good(), none(), none()]);
        fails(op("NHWC", false, 1.0), vec![x(), good(), good(), none(), none()]);
        fails(op("NHWC", true, 0.5), vec![x(), good(), good(), none(), good()]);
        fails(op("NHWC", true, 1.0), vec![good(), good(), good(), none(), none()]);
        assert!(run(op("NHWC", true, 1.0), vec![x(), good(), good(), none(), none()], &OUT).is_ok());
        let empty = run(op("NHWC", true, 1.0), vec![images([0, 2, 2, 2]), good(), good(), none(), none()], &OUT);
        assert!(empty.unwrap()[1].slice::<f32>().unwrap().iter().all(|v| v.is_nan()));
    }
}
