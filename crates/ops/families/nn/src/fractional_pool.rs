//! `FractionalMaxPool`, `FractionalAvgPool` and their gradients: pooling with windows of two sizes in random order
//! (Graham, "Fractional max-pooling", 2014).

use super::pooling::same_shape;
use crate::philox::{Philox, entropy, unit_f64};
use crate::prelude::*;
use crate::rules::{Handles, first};
use smallvec::SmallVec;
use std::ops::RangeInclusive;

const TYPES: &[DType] = &[DType::F32, DType::F64, DType::I32, DType::I64];

attrs! {
    /// The attrs of fractional pooling.
    pub struct FractionalPool {
        /// Ratio of input to output size for each axis.
        pooling_ratio: Vec<f32> = Attr::floats("pooling_ratio").at_least(4),
        /// If true, windows are placed by the paper's pseudorandom formula, otherwise their sizes are shuffled.
        pseudo_random: bool = Attr::bool("pseudo_random").or_bool(false),
        /// If true, adjacent windows share an element.
        overlapping: bool = Attr::bool("overlapping").or_bool(false),
        /// If true, every run uses the same windows.
        deterministic: bool = Attr::bool("deterministic").or_bool(false),
        /// First seed.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Second seed.
        seed2: i64 = Attr::int("seed2").or_int(0),
        /// Element type.
        dtype: DType = Attr::dtype("T", TYPES),
    }
}

attrs! {
    /// The attrs of the gradients of fractional pooling.
    pub struct FractionalPoolGrad {
        /// Whether adjacent windows share an element.
        overlapping: bool = Attr::bool("overlapping").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", TYPES),
    }
}

const ROWS: Arg = arg("row_pooling_sequence", is(DType::I64));
const COLUMNS: Arg = arg("col_pooling_sequence", is(DType::I64));
const VALUE: &[Arg] = &[arg("value", of("T"))];
const POOLED: &[Arg] = &[arg("output", of("T")), ROWS, COLUMNS];
const OUTPUT: &[Arg] = &[arg("output", of("T"))];

const fn pool(name: &'static str, kernel: fn(&FractionalPool, &mut Cx<'_, '_>) -> Result<()>) -> Def<FractionalPool> {
    op(name).inputs(VALUE).outputs(POOLED).stateful().shape(shape).kernel(kernel).heavy()
}

pub static FRACTIONAL_MAX_POOL: Def<FractionalPool> = pool("FractionalMaxPool", |op, cx| {
    let windows = Windows::draw(op, cx)?;
    let mut out = cx.alloc(op.dtype, &windows.output_shape()?)?;
    dispatch!(@go op.dtype, T, {
        windows.largest(cx, cx.input(0)?.slice::<T>()?, out.slice_mut::<T>()?);
        Ok(())
    }, unsupported(cx, op.dtype), [F32 f32, F64 f64, I32 i32, I64 i64])?;
    windows.set(cx, out);
    Ok(())
})
.doc("Fractional max pooling: the maximum of windows whose average size is `pooling_ratio`.")
.gradient(|op, g| {
    let inputs = [g.input(0), g.output(0), g.dy(0), g.output(1), g.output(2)];
    first(g, FRACTIONAL_MAX_POOL_GRAD.node(g, &op.grad(), &inputs))
});

pub static FRACTIONAL_AVG_POOL: Def<FractionalPool> = pool("FractionalAvgPool", |op, cx| {
    let windows = Windows::draw(op, cx)?;
    let mut out = cx.alloc(op.dtype, &windows.output_shape()?)?;
    dispatch!(@go op.dtype, T, {
        windows.average(cx, cx.input(0)?.slice::<T>()?, out.slice_mut::<T>()?);
        Ok(())
    }, unsupported(cx, op.dtype), [F32 f32, F64 f64, I32 i32, I64 i64])?;
    windows.set(cx, out);
    Ok(())
})
.doc("Fractional average pooling: the mean of windows whose average size is `pooling_ratio`.")
.gradient(|op, g| {
    let shape = g.input(0).dims().cast(DType::I64);
    first(g, FRACTIONAL_AVG_POOL_GRAD.node(g, &op.grad(), &[shape, g.dy(0), g.output(1), g.output(2)]))
});

pub static FRACTIONAL_MAX_POOL_GRAD: Def<FractionalPoolGrad> = op("FractionalMaxPoolGrad")
    .doc("The gradient of `FractionalMaxPool`.")
    .inputs(&[arg("orig_input", of("T")), arg("orig_output", of("T")), arg("out_backprop", of("T")), ROWS, COLUMNS])
    .outputs(OUTPUT)
    .shape(|_, cx| {
        let shape = cx.with_rank(0, 4)?;
        cx.output(0, shape);
        Ok(())
    })
    .kernel(fractional_max_pool_grad)
    .heavy();

pub static FRACTIONAL_AVG_POOL_GRAD: Def<FractionalPoolGrad> = op("FractionalAvgPoolGrad")
    .doc("The gradient of `FractionalAvgPool`.")
    .inputs(&[arg("orig_input_tensor_shape", is(DType::I64)), arg("out_backprop", of("T")), ROWS, COLUMNS])
    .outputs(OUTPUT)
    .shape(|_, cx| {
        let shape = cx.constant_shape(0).merge(&PartialShape::of_rank(4))?;
        cx.output(0, shape);
        Ok(())
    })
    .host_inputs(&[0])
    .kernel(fractional_avg_pool_grad)
    .heavy();

impl FractionalPool {
    /// The attrs of the gradient op.
    fn grad(&self) -> FractionalPoolGrad {
        FractionalPoolGrad { overlapping: self.overlapping, dtype: self.dtype }
    }

    /// The seeds of this run.
    fn seeds(&self, cx: &Cx<'_, '_>) -> Result<[u64; 2]> {
        match (self.deterministic, self.seed, self.seed2) {
            (true, 0, 0) => Ok(*cx.node_state(|| [entropy(), entropy()])?),
            (true, seed, seed2) => Ok([seed as u64, seed2 as u64]),
            (false, 0, 0) => Ok([entropy(), entropy()]),
            (false, ..) => Err(Error::invalid("Both seed and seed2 should be 0 if deterministic is false")),
        }
    }
}

fn shape(op: &FractionalPool, cx: &mut ShapeCx<'_>) -> Result<()> {
    let value = cx.with_rank(0, 4)?;
    let size = |i: usize| value.dim(i as isize).map(|d| output_size(d, &op.pooling_ratio, i));
    let sizes = [size(0), size(1), size(2), size(3)];
    cx.output(0, PartialShape::new(sizes));
    cx.output_vector(1, sizes[1].map(|n| n + 1));
    cx.output_vector(2, sizes[2].map(|n| n + 1));
    Ok(())
}

fn output_size(input: usize, ratios: &[f32], axis: usize) -> usize {
    let ratio = ratios.get(axis).copied().unwrap_or(1.0);
    (input as f32 / ratio).floor() as usize
}

/// Windows over images: the window starts along both axes, and the end.
struct Windows {
    /// Batch size, height, width and channels of the images.
    size: [usize; 4],
    rows: Vec<i64>,
    columns: Vec<i64>,
    overlapping: bool,
}

impl Windows {
    /// Draws the windows for a run.
    fn draw(op: &FractionalPool, cx: &Cx<'_, '_>) -> Result<Windows> {
        let [seed, seed2] = op.seeds(cx)?;
        let mut philox = Philox::seeded(seed, seed2);
        let (shape, ratios) = (cx.input(0)?.shape(), &op.pooling_ratio);
        if ratios.len() != 4 {
            return Err(Error::invalid("pooling_ratio field must specify 4 dimensions").attr("pooling_ratio"));
        }
        if let Some(ratio) = ratios.iter().find(|r| !(1.0..).contains(*r)) {
            return Err(
                Error::invalid(format!("pooling_ratio cannot be smaller than 1, got: {ratio}")).attr("pooling_ratio")
            );
        }
        if ratios[0] != 1.0 || ratios[3] != 1.0 {
            return Err(Error::unimplemented(
                "Fractional pooling is not yet supported on the batch nor channel dimension",
            ));
        }
        let [batch, height, width, channels] = shape.dims()[..] else {
            return Err(Error::invalid(format!("tensor_in must be 4-dimensional{shape}")));
        };
        for (i, (&size, &ratio)) in shape.iter().zip(ratios).enumerate() {
            if (size as f32) < ratio {
                return Err(Error::invalid(format!(
                    "Pooling ratio is higher than input dimension size for dimension {i}. Input dim size: {size} \
                     pooling ratio: {ratio}"
                )));
            }
        }
        let mut axis = |input: usize, i: usize| {
            let output = output_size(input, ratios, i);
            if op.pseudo_random { formula(input, output, &mut philox) } else { shuffled(input, output, &mut philox) }
        };
        let (rows, columns) = (axis(height, 1), axis(width, 2));
        Ok(Windows { size: [batch, height, width, channels], rows, columns, overlapping: op.overlapping })
    }

    /// The windows returned by a forward pooling op.
    fn given(cx: &Cx<'_, '_>, size: &Shape, overlapping: bool) -> Result<Windows> {
        let [batch, height, width, channels] = size.dims()[..] else {
            return Err(Error::invalid(format!("orig_input must be 4-dimensional{size}")));
        };
        let read = |i: usize, limit: usize| -> Result<Vec<i64>> {
            let tensor = cx.input(i)?;
            let bounds = tensor.slice::<i64>()?.to_vec();
            let rising = bounds.windows(2).all(|w| w[0] < w[1]);
            let inside = bounds.first().is_some_and(|&b| b >= 0) && bounds.last().is_some_and(|&b| b <= limit as i64);
            if tensor.shape().rank() != 1 || bounds.len() < 2 || !rising || !inside {
                return Err(Error::invalid(
                    "a pooling sequence must be an increasing vector of positions in the images",
                )
                .expected(format!("places between 0 and {limit}"))
                .found(tensor));
            }
            Ok(bounds)
        };
        let n = cx.num_inputs();
        let (rows, columns) = (read(n - 2, height)?, read(n - 1, width)?);
        Ok(Windows { size: [batch, height, width, channels], rows, columns, overlapping })
    }

    fn output_shape(&self) -> Result<Shape> {
        Shape::new([self.size[0], self.rows.len() - 1, self.columns.len() - 1, self.size[3]])
    }

    /// Sets the outputs of a pooling op.
    fn set(self, cx: &mut Cx<'_, '_>, out: Tensor) {
        cx.set(0, out);
        cx.set(1, Tensor::vector(self.rows));
        cx.set(2, Tensor::vector(self.columns));
    }

    fn along(&self, bounds: &[i64], i: usize, size: usize) -> RangeInclusive<usize> {
        let end = if self.overlapping { bounds[i + 1] } else { bounds[i + 1] - 1 };
        bounds[i] as usize..=(end as usize).min(size - 1)
    }

    /// The image, the rows and the columns of window `window`.
    fn window(&self, window: usize) -> (usize, RangeInclusive<usize>, RangeInclusive<usize>) {
        let (height, width) = (self.rows.len() - 1, self.columns.len() - 1);
        let (rest, x) = (window / width, window % width);
        let rows = self.along(&self.rows, rest % height, self.size[1]);
        (rest / height, rows, self.along(&self.columns, x, self.size[2]))
    }

    /// Calls `f` with the index of every pixel in a window; returns their number.
    fn each_pixel(&self, window: usize, mut f: impl FnMut(usize)) -> usize {
        let (n, rows, columns) = self.window(window);
        let mut count = 0;
        for y in rows {
            for x in columns.clone() {
                f((n * self.size[1] + y) * self.size[2] + x);
                count += 1;
            }
        }
        count
    }

    fn nanos(&self) -> f64 {
        let per = (self.size[1] * self.size[2]) as f64 / ((self.rows.len() - 1) * (self.columns.len() - 1)) as f64;
        per * self.size[3] as f64 + 20.0
    }

    fn largest<T: Real>(&self, cx: &Cx<'_, '_>, input: &[T], out: &mut [T]) {
        let channels = self.size[3];
        cx.pool().for_chunks(out, channels, self.nanos(), |first, piece| {
            for (i, out) in piece.chunks_exact_mut(channels).enumerate() {
                out.fill(T::LOWEST);
                self.each_pixel(first + i, |pixel| {
                    let from = &input[pixel * channels..][..channels];
                    out.iter_mut().zip(from).for_each(|(o, &v)| *o = if *o < v { v } else { *o });
                });
            }
        });
    }

    fn average<T: Real + std::ops::Div<Output = T>>(&self, cx: &Cx<'_, '_>, input: &[T], out: &mut [T]) {
        let channels = self.size[3];
        cx.pool().for_chunks(out, channels, self.nanos(), |first, piece| {
            for (i, out) in piece.chunks_exact_mut(channels).enumerate() {
                out.fill(T::zero());
                let count = self.each_pixel(first + i, |pixel| {
                    let from = &input[pixel * channels..][..channels];
                    out.iter_mut().zip(from).for_each(|(o, &v)| *o = Number::add(*o, v));
                });
                out.iter_mut().for_each(|o| *o = *o / T::from_usize(count));
            }
        });
    }
}

/// Window starts by the paper's formula.
fn formula(input: usize, output: usize, philox: &mut Philox) -> Vec<i64> {
    let (alpha, k) = (input as f64 / output as f64, (input / output) as f64);
    let (n, m) = (input as f64, output as f64);
    let most = ((k + 2.0) / alpha - 1.0).min((n + 1.0 - k) / alpha - (m - 1.0));
    let [high, low, ..] = philox.next();
    let u = unit_f64(high, low) * most;
    let bound = |i: usize| match i {
        0 => 1,
        i if i == output => input as i64 + 1,
        i => (alpha * (i as f64 + u)).ceil() as i64,
    };
    (0..=output).map(|i| bound(i) - 1).collect()
}

/// Window starts for shuffled window sizes.
fn shuffled(input: usize, output: usize, philox: &mut Philox) -> Vec<i64> {
    let (size, larger) = ((input / output) as i64, input % output);
    let mut sizes: Vec<i64> = (0..output).map(|i| size + i64::from(i < larger)).collect();
    let mut singles = philox.singles();
    philox.skip((output as u64).div_ceil(4));
    for i in 0..output.saturating_sub(1) {
        let other = i + singles.next() as usize % (output - i);
        sizes.swap(i, other);
    }
    let mut at = 0;
    let mut starts = vec![0];
    for size in sizes {
        at += size;
        starts.push(at);
    }
    starts
}

fn fractional_max_pool_grad(op: &FractionalPoolGrad, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (input, output, gradient) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let windows = Windows::given(cx, input.shape(), op.overlapping)?;
    let shape = windows.output_shape()?;
    same_shape(output, &shape, "orig_output")?;
    same_shape(gradient, &shape, "out_backprop")?;
    let mut out = cx.zeros(op.dtype, input.shape())?;
    let channels = windows.size[3];
    dispatch!(@go op.dtype, T, {
        let (input, output, gradient) = (input.slice::<T>()?, output.slice::<T>()?, gradient.slice::<T>()?);
        let out = out.slice_mut::<T>()?;
        let mut best: Vec<Option<(T, usize)>> = vec![None; channels];
        for window in 0..shape.num_elements().checked_div(channels).unwrap_or(0) {
            best.fill(None);
            windows.each_pixel(window, |pixel| {
                let places = pixel * channels..(pixel + 1) * channels;
                for ((best, &v), place) in best.iter_mut().zip(&input[places.clone()]).zip(places) {
                    if best.is_none_or(|(b, _)| b < v) {
                        *best = Some((v, place));
                    }
                }
            });
            let range = window * channels..(window + 1) * channels;
            for (best, (y, &g)) in best.iter().zip(output[range.clone()].iter().zip(&gradient[range])) {
                let Some((value, place)) = *best else { continue };
                if value != *y {
                    return Err(Error::invalid("tensor_out_dup is not the same as tensor_out"));
                }
                out[place] = Number::add(out[place], g);
            }
        }
        Ok(())
    }, unsupported(cx, op.dtype), [F32 f32, F64 f64, I32 i32, I64 i64])?;
    cx.set(0, out);
    Ok(())
}

fn fractional_avg_pool_grad(op: &FractionalPoolGrad, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = levada_ops_core::images::window::shape_from(cx.input(0)?, "orig_input_tensor_shape")?;
    let windows = Windows::given(cx, &shape, op.overlapping)?;
    let gradient = cx.input(1)?;
    same_shape(gradient, &windows.output_shape()?, "out_backprop")?;
    let channels = windows.size[3];
    // Sums are in f64 whatever the dtype.
    let mut sums = cx.zeros(DType::F64, &shape)?;
    let mut out = cx.alloc(op.dtype, &shape)?;
    dispatch!(@go op.dtype, T, {
        let totals = sums.slice_mut::<f64>()?;
        let mut pixels: SmallVec<[usize; 16]> = SmallVec::new();
        for (window, grads) in gradient.slice::<T>()?.chunks_exact(channels.max(1)).enumerate() {
            pixels.clear();
            let count = windows.each_pixel(window, |pixel| pixels.push(pixel)) as f64;
            for pixel in &pixels {
                let to = totals[pixel * channels..][..channels].iter_mut();
                to.zip(grads).for_each(|(t, g)| *t += Real::to_f64(*g) / count);
            }
        }
        let pairs = out.slice_mut::<T>()?.iter_mut().zip(sums.slice::<f64>()?);
        pairs.for_each(|(o, &t)| *o = Real::from_f64(t));
        Ok(())
    }, unsupported(cx, op.dtype), [F32 f32, F64 f64, I32 i32, I64 i64])?;
    cx.set(0, out);
    Ok(())
}
