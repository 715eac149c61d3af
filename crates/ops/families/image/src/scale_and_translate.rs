//! `ScaleAndTranslate` and its gradient: images scaled and translated with a choice of resampling kernels.

use super::scale::{check_images, size_from};
use crate::prelude::*;
use crate::rules::first;
use std::f32::consts::PI;

attrs! {
    /// Resamples images to `size` pixels after scaling and then translating them; pixels outside of an image are zero.
    pub struct ScaleAndTranslate {
        /// Element type of the images.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// Resampling kernel: `lanczos1`, `lanczos3`, `lanczos5`, `gaussian`, `box`, `triangle`, `keyscubic` or
        /// `mitchellcubic`.
        kernel: Bytes = Attr::string("kernel_type").or_str("lanczos3"),
        /// If true, kernels widen as images shrink.
        antialias: bool = Attr::bool("antialias").or_bool(true),
    }
}

const F32: DType = DType::F32;
const SCALE: Arg = arg("scale", is(F32));
const TRANSLATION: Arg = arg("translation", is(F32));

pub static SCALE_AND_TRANSLATE: Def<ScaleAndTranslate> = op("ScaleAndTranslate")
    .inputs(&[arg("images", of("T")), arg("size", is(DType::I32)), SCALE, TRANSLATION])
    .outputs(&[arg("resized_images", is(F32))])
    .host_inputs(&[1, 2, 3])
    .shape(|_: &ScaleAndTranslate, cx| {
        let images = cx.with_rank(0, 4)?;
        let size = cx.constant_shape(1).merge(&PartialShape::of_rank(2))?;
        (2..4).try_for_each(|i| cx.input(i).merge(&PartialShape::vector(Some(2))).map(drop))?;
        cx.output(0, PartialShape::new([images.dim(0), size.dim(0), size.dim(1), images.dim(3)]));
        Ok(())
    })
    .gradient(|op, g| {
        let images = g.input(0);
        let inputs = [g.dy(0), images.cast(F32), g.input(2), g.input(3)];
        let attrs = ScaleAndTranslate { dtype: F32, ..op.clone() };
        first(g, SCALE_AND_TRANSLATE_GRAD.node(g, &attrs, &inputs).cast(op.dtype))
    })
    .kernel(|op, cx| {
        let shape = cx.input(0)?.shape().clone();
        check_images(&shape, "input")?;
        let size = size_from(cx.input(1)?, "output dimensions")?;
        if shape[1] == 0 || shape[2] == 0 || shape[3] == 0 {
            return Err(Error::invalid("images must have pixels and channels").found(format!("shape {shape}")));
        }
        let [rows, columns] = axes(op, cx, [shape[1], shape[2]], size)?;
        dispatch!(op.dtype, reals, |T| gather::<T>(cx, &shape, [&rows, &columns]), else unsupported(cx, op.dtype))
    })
    .heavy();

pub static SCALE_AND_TRANSLATE_GRAD: Def<ScaleAndTranslate> = op("ScaleAndTranslateGrad")
    .doc("The gradient of `ScaleAndTranslate`.")
    .inputs(&[arg("grads", of("T")), arg("original_image", of("T")), SCALE, TRANSLATION])
    .outputs(&[arg("output", of("T"))])
    .attrs(&[Attr::dtype("T", &[F32])])
    .host_inputs(&[2, 3])
    .shape(|_: &ScaleAndTranslate, cx| {
        let (grads, images) = (cx.with_rank(0, 4)?, cx.with_rank(1, 4)?);
        cx.output(0, PartialShape::new([grads.dim(0), images.dim(1), images.dim(2), grads.dim(3)]));
        Ok(())
    })
    .kernel(|op, cx| {
        let (grads, images) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone());
        check_images(&grads, "input_grad")?;
        check_images(&images, "original_image")?;
        let [rows, columns] = axes(op, cx, [images[1], images[2]], [grads[1], grads[2]])?;
        gather::<f32>(cx, &grads, [&rows.transposed(cx)?, &columns.transposed(cx)?])
    })
    .heavy();

/// A resampling kernel as a function of distance.
#[derive(Clone, Copy)]
enum Curve {
    Lanczos(f32),
    Gaussian,
    Box,
    Triangle,
    Keys,
    Mitchell,
}

impl Curve {
    fn of(op: &ScaleAndTranslate) -> Result<Curve> {
        Ok(match &op.kernel.to_ascii_lowercase()[..] {
            b"lanczos1" => Curve::Lanczos(1.0),
            b"lanczos3" => Curve::Lanczos(3.0),
            b"lanczos5" => Curve::Lanczos(5.0),
            b"gaussian" => Curve::Gaussian,
            b"box" => Curve::Box,
            b"triangle" => Curve::Triangle,
            b"keyscubic" => Curve::Keys,
            b"mitchellcubic" => Curve::Mitchell,
            _ => {
                return Err(Error::invalid("Unrecognized kernel type")
                    .attr("kernel_type")
                    .found(String::from_utf8_lossy(&op.kernel)));
            }
        })
    }

    /// The distance beyond which the kernel is zero.
    fn radius(self) -> f32 {
        match self {
            Curve::Lanczos(radius) => radius,
            Curve::Gaussian => 1.5,
            Curve::Box | Curve::Triangle => 1.0,
            Curve::Keys | Curve::Mitchell => 2.0,
        }
    }

    fn at(self, x: f32) -> f32 {
        let x = x.abs();
        match self {
            Curve::Lanczos(radius) if x > radius => 0.0,
            Curve::Lanczos(_) if x <= 1e-3 => 1.0,
            Curve::Lanczos(radius) => radius * (PI * x).sin() * (PI * x / radius).sin() / (PI * PI * x * x),
            Curve::Gaussian if x >= 1.5 => 0.0,
            // The standard deviation is a third of the radius.
            Curve::Gaussian => (f64::from(-x * x) / (2.0 * 0.5 * 0.5)).exp() as f32,
            Curve::Box if x < 0.5 => 1.0,
            Curve::Box if x == 0.5 => 0.5,
            Curve::Box => 0.0,
            Curve::Triangle if x < 1.0 => 1.0 - x,
            Curve::Triangle => 0.0,
            Curve::Keys | Curve::Mitchell if x >= 2.0 => 0.0,
            Curve::Keys if x >= 1.0 => ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0,
            Curve::Keys => ((1.5 * x - 2.5) * x) * x + 1.0,
            Curve::Mitchell if x >= 1.0 => (((-7.0 / 18.0) * x + 2.0) * x - 10.0 / 3.0) * x + 16.0 / 9.0,
            Curve::Mitchell => (((7.0 / 6.0) * x - 2.0) * x) * x + 8.0 / 9.0,
        }
    }
}

/// The input pixels that each output pixel is computed from, and their weights.
struct Spans {
    /// Number of input pixels on the axis.
    input: usize,
    /// Number of weights per output pixel.
    size: usize,
    /// The first input pixel with a weight, per output pixel.
    starts: Vec<usize>,
    weights: Vec<f32>,
}

/// The two floats on input `i`.
fn pair(cx: &Cx<'_, '_>, i: usize, name: &str) -> Result<[f32; 2]> {
    let shape = cx.input(i)?.shape();
    match *cx.slice::<f32>(i)? {
        [a, b] if shape.rank() == 1 => Ok([a, b]),
        _ => Err(Error::invalid(format!("{name} must be 1-dimensional with two elements, got shape {shape}"))),
    }
}

/// The row and column spans for the scale on input 2 and the translation on input 3.
fn axes(op: &ScaleAndTranslate, cx: &Cx<'_, '_>, input: [usize; 2], output: [usize; 2]) -> Result<[Spans; 2]> {
    let (scale, translation) = (pair(cx, 2, "scale")?, pair(cx, 3, "translation")?);
    if !scale.iter().all(|v| *v > 0.0) {
        return Err(Error::invalid("Scale must be greater than zero").found(format!("{scale:?}")));
    }
    let curve = Curve::of(op)?;
    let spans = |axis: usize| {
        Spans::new(cx, curve, op.antialias, [input[axis], output[axis]], [scale[axis], translation[axis]])
    };
    Ok([spans(0)?, spans(1)?])
}

impl Spans {
    fn new(
        cx: &Cx<'_, '_>,
        curve: Curve,
        antialias: bool,
        [input, output]: [usize; 2],
        [scale, translation]: [f32; 2],
    ) -> Result<Spans> {
        let inverse = 1.0 / scale;
        let offset = -inverse * translation;
        let stretch = if antialias { inverse.max(1.0) } else { 1.0 };
        let reach = curve.radius() * stretch;
        let size = (2 * (reach.ceil() as usize).min(input) + 1).min(input);
        let bytes = size.saturating_mul(output).saturating_mul(size_of::<f32>());
        cx.device.arena.check(bytes.saturating_add(output.saturating_mul(size_of::<usize>())))?;
        let mut spans = Spans { input, size, starts: vec![0; output], weights: vec![0.0; size * output] };
        if input == 0 {
            return Ok(spans);
        }
        for x in 0..output {
            let at = (x as f32 + 0.5) * inverse + offset;
            // Output pixels that fall outside stay zero.
            if !(at >= 0.0 && at <= input as f32) {
                continue;
            }
            let start = ((at - reach - 0.5).ceil().max(0.0) as usize).min(input - 1);
            let end = ((at + reach - 0.5).floor().max(0.0) as usize).min(input - 1) + 1;
            let weights = &mut spans.weights[x * size..(x + 1) * size];
            let mut sum = 0.0;
            for (weight, source) in weights.iter_mut().zip(start..end) {
                *weight = curve.at((source as f32 + 0.5 - at).abs() * (1.0 / stretch));
                sum += *weight;
            }
            let share = if sum.abs() >= 1000.0 * f32::MIN_POSITIVE { 1.0 / sum } else { 0.0 };
            weights.iter_mut().for_each(|weight| *weight *= share);
            spans.starts[x] = start;
        }
        Ok(spans)
    }

    /// The transposed mapping: the output pixels that each input pixel contributes to.
    fn transposed(&self, cx: &Cx<'_, '_>) -> Result<Spans> {
        let places = || {
            (0..self.starts.len()).flat_map(|x| (0..self.size).map(move |i| (x, i))).filter_map(|(x, i)| {
                let (source, weight) = (self.starts[x] + i, self.weights[x * self.size + i]);
                (weight != 0.0 && source < self.input).then_some((source, x, weight))
            })
        };
        // The first and last output pixel that each input pixel contributes to.
        let mut ends = vec![(usize::MAX, 0); self.input];
        places().for_each(|(source, x, _)| ends[source] = (ends[source].0.min(x), ends[source].1.max(x)));
        let size = ends.iter().filter(|end| end.0 <= end.1).map(|end| end.1 - end.0 + 1).max().unwrap_or(0);
        cx.device.arena.check(size.saturating_mul(self.input).saturating_mul(size_of::<f32>()))?;
        let mut weights = vec![0.0; size * self.input];
        places().for_each(|(source, x, weight)| weights[source * size + x - ends[source].0] += weight);
        let starts = ends.iter().map(|end| if end.0 <= end.1 { end.0 } else { 0 }).collect();
        Ok(Spans { input: self.starts.len(), size, starts, weights })
    }

    /// The input pixels of output pixel `x`, with their weights.
    fn of(&self, x: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let weights = &self.weights[x * self.size..(x + 1) * self.size];
        (self.starts[x]..self.input).zip(weights.iter().copied())
    }
}

/// Resamples the images on input 0, which have this shape, to output 0: first along the rows, then along the columns.
fn gather<T: Real>(cx: &mut Cx<'_, '_>, shape: &Shape, [rows, columns]: [&Spans; 2]) -> Result<()> {
    let (width, channels) = (shape[2], shape[3]);
    let (height, line) = (rows.starts.len(), columns.starts.len() * channels);
    let out_shape = Shape::new([shape[0], height, columns.starts.len(), channels])?;
    cx.produce::<f32>(0, &out_shape, |cx, out| {
        let images = cx.slice::<T>(0)?;
        let cost = (width * channels * rows.size + line * columns.size) as f64;
        cx.pool().for_chunks(out, line, cost, |first, out| {
            let mut between = vec![0.0; width * channels];
            for (i, out) in out.chunks_exact_mut(line).enumerate() {
                let (n, y) = ((first + i) / height, (first + i) % height);
                between.fill(0.0);
                for (row, weight) in rows.of(y) {
                    let row = &images[(n * shape[1] + row) * width * channels..][..width * channels];
                    between.iter_mut().zip(row).for_each(|(sum, v)| *sum += weight * v.to_f64() as f32);
                }
                for (x, out) in out.chunks_exact_mut(channels).enumerate() {
                    out.fill(0.0);
                    for (column, weight) in columns.of(x) {
                        let pixel = &between[column * channels..(column + 1) * channels];
                        out.iter_mut().zip(pixel).for_each(|(sum, v)| *sum += weight * v);
                    }
                }
            }
        });
        Ok(())
    })
}
