//! `QuantizedResizeBilinear`: resizes quantized images.

use crate::prelude::*;
use crate::{range, range_outputs, set_range};

attrs! {
    /// Resizes images to `size` by bilinear interpolation; quantized types use fixed-point arithmetic.
    pub struct QuantizedResizeBilinear {
        /// Element type of the images.
        dtype: DType = Attr::dtype("T", &[DType::QU8, DType::QI32, DType::F32]),
        /// Whether the centers of the corner pixels are aligned.
        align_corners: bool = Attr::bool("align_corners").or_bool(false),
        /// Whether pixel centers are at half-integer coordinates.
        half_pixel_centers: bool = Attr::bool("half_pixel_centers").or_bool(false),
    }
}

pub static QUANTIZED_RESIZE_BILINEAR: Def<QuantizedResizeBilinear> =
    op::<QuantizedResizeBilinear>("QuantizedResizeBilinear")
        .inputs(&[
            arg("images", of("T")),
            arg("size", is(DType::I32)),
            arg("min", is(DType::F32)),
            arg("max", is(DType::F32)),
        ])
        .outputs(&[arg("resized_images", of("T")), arg("out_min", is(DType::F32)), arg("out_max", is(DType::F32))])
        .shape(|_, cx| {
            let images = cx.with_rank(0, 4)?;
            let size = cx.constant_i64s(1);
            let size = |i: usize| size.as_ref().and_then(|size| usize::try_from(*size.get(i)?).ok());
            let shape = PartialShape::new([images.dim(0), size(0), size(1), images.dim(3)]);
            cx.output(0, shape);
            range_outputs(cx);
            Ok(())
        })
        .host_inputs(&[1])
        .kernel(|op, cx| match op.dtype {
            DType::QU8 => resize(op, cx, 7, |corners: [u8; 4], x, y| {
                let [top_left, top_right, bottom_left, bottom_right] = corners.map(i32::from);
                let (x, y) = (x.fixed as i32, y.fixed as i32);
                let top = top_left * 128 + (top_right - top_left) * x;
                let bottom = bottom_left * 128 + (bottom_right - bottom_left) * x;
                ((top + (bottom - top) / 128 * y + 64) / 128) as u8
            }),
            DType::QI32 => resize(op, cx, 30, |corners: [i32; 4], x, y| {
                const ONE: i64 = 1 << 30;
                // TensorFlow converts codes of int32 through float32.
                let [top_left, top_right, bottom_left, bottom_right] = corners.map(|code| code as f32 as i64);
                let top = top_left * ONE + (top_right - top_left) * x.fixed;
                let bottom = bottom_left * ONE + (bottom_right - bottom_left) * x.fixed;
                let out = top.wrapping_add((bottom.wrapping_sub(top) / ONE).wrapping_mul(y.fixed));
                (out.wrapping_add(ONE / 2) / ONE) as i32
            }),
            DType::F32 => resize(op, cx, 0, |[top_left, top_right, bottom_left, bottom_right]: [f32; 4], x, y| {
                let top = top_left + (top_right - top_left) * x.fraction;
                let bottom = bottom_left + (bottom_right - bottom_left) * x.fraction;
                top + (bottom - top) * y.fraction
            }),
            dtype => unsupported(cx, dtype),
        })
        .heavy();

/// The position of a row or column of the output between two of the images.
#[derive(Clone, Copy)]
struct Between {
    lower: usize,
    upper: usize,
    fraction: f32,
    /// The fraction in fixed point.
    fixed: i64,
}

impl Between {
    fn all(op: &QuantizedResizeBilinear, input: usize, output: usize, bits: u32) -> Vec<Between> {
        let scale = match op.align_corners && output > 1 {
            true => (input - 1) as f32 / (output - 1) as f32,
            false => input as f32 / output as f32,
        };
        let place = |i: usize| match op.half_pixel_centers {
            true => (i as f32 + 0.5) * scale - 0.5,
            false => i as f32 * scale,
        };
        let between = |i: usize| {
            let at = place(i);
            let floor = at.floor();
            let upper = (at.ceil().max(0.0) as usize).min(input - 1);
            let fraction = at - floor;
            let fixed = (fraction * (1u64 << bits) as f32) as i64;
            Between { lower: (floor.max(0.0) as usize).min(upper), upper, fraction, fixed }
        };
        (0..output).map(between).collect()
    }
}

fn resize<T: Element + Copy>(
    op: &QuantizedResizeBilinear,
    cx: &mut Cx<'_, '_>,
    bits: u32,
    each: impl Fn([T; 4], Between, Between) -> T + Sync + Send,
) -> Result<()> {
    let range = range(cx, 2)?;
    let shape = cx.input(0)?.shape();
    let &[batch, height, width, channels] = shape.dims() else {
        return Err(Error::invalid("input must be 4-dimensional").found(shape));
    };
    let size = cx.input(1)?;
    let (rows, columns) = match size.slice::<i32>()? {
        &[rows, columns] if size.shape().rank() == 1 => (rows, columns),
        _ => return Err(Error::invalid("shape_t must have two elements").found(size.shape())),
    };
    let positive = |n: i32| usize::try_from(n).ok().filter(|&n| n > 0);
    let (Some(rows), Some(columns)) = (positive(rows), positive(columns)) else {
        return Err(Error::invalid("output dimensions must be positive").found(format!("{rows} by {columns}")));
    };
    if height == 0 || width == 0 || channels == 0 {
        return Err(Error::invalid("image must be of non-zero size").found(shape));
    }
    if (rows, columns) == (height, width) {
        let images = cx.take(0)?;
        cx.set(0, images);
    } else {
        cx.device.arena.check((rows + columns).saturating_mul(size_of::<Between>()))?;
        let (ys, xs) = (Between::all(op, height, rows, bits), Between::all(op, width, columns, bits));
        let out = Shape::new([batch, rows, columns, channels])?;
        cx.produce::<T>(0, &out, |cx, out| {
            let images = cx.slice::<T>(0)?;
            cx.pool().for_chunks(out, columns * channels, (columns * channels) as f64 * 4.0, |first, out| {
                for (i, out) in out.chunks_exact_mut(columns * channels).enumerate() {
                    let (image, y) = ((first + i) / rows, ys[(first + i) % rows]);
                    let row = |y: usize| &images[(image * height + y) * width * channels..][..width * channels];
                    let (top, bottom) = (row(y.lower), row(y.upper));
                    for (out, &x) in out.chunks_exact_mut(channels).zip(&xs) {
                        let (left, right) = (x.lower * channels, x.upper * channels);
                        for (c, out) in out.iter_mut().enumerate() {
                            let corners = [top[left + c], top[right + c], bottom[left + c], bottom[right + c]];
                            *out = each(corners, x, y);
                        }
                    }
                }
            });
            Ok(())
        })?;
    }
    set_range(cx, range);
    Ok(())
}
