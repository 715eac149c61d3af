//! Pooling of images and volumes, and its gradients.
//!
//! Images whose channels are first are pooled as more images of one channel each, so that channels are always last
//! here. Each element of a gradient is gathered from the windows over it: no two invocations write the same element.

use super::conv::Along;
use super::entry::{self, Cx, cell};
use super::tiles::small;
use crate::device::{Gpu, GpuCx};
use crate::ir::{Access, Buf, Builder, E, Ty};
use half::{bf16, f16};
use levada_graph::{DType, Result, Shape, Tensor};
use levada_kernel::def::{Cell, CellOfDef};
use levada_kernel::{Def, KernelEntry};
use levada_ops::sizes::{PoolAttrs, Pooling, shape_from};
use levada_ops::types::{
    AVG_POOL, AVG_POOL_3D, AVG_POOL_3D_GRAD, AVG_POOL_GRAD, MAX_POOL, MAX_POOL_3D, MAX_POOL_3D_GRAD,
    MAX_POOL_3D_GRAD_GRAD, MAX_POOL_GRAD, MAX_POOL_GRAD_GRAD,
};

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &pool(&AVG_POOL, average),
    &pool(&AVG_POOL_3D, average),
    &pool(&AVG_POOL_3D_GRAD, spread),
    &pool(&AVG_POOL_GRAD, spread),
    &pool(&MAX_POOL, largest),
    &pool(&MAX_POOL_3D, largest),
    &pool(&MAX_POOL_3D_GRAD, first_largest),
    &pool(&MAX_POOL_3D_GRAD_GRAD, pick),
    &pool(&MAX_POOL_GRAD, first_largest),
    &pool(&MAX_POOL_GRAD_GRAD, pick),
];

const fn pool(
    def: &'static Def<PoolAttrs>,
    compute: fn(&PoolAttrs, &mut Cx<'_, '_>) -> Result<()>,
) -> Cell<Gpu, PoolAttrs> {
    cell(def, compute).heavy().supports(|op| Ty::of(op.dtype).is_some_and(|ty| ty != Ty::Bool))
}

/// A pooling in a program.
struct Windows {
    axes: [Along; 3],
    channels: E,
    /// Elements of the result.
    count: E,
}

/// The position of an element: image, depth, row, pixel, channel.
struct Pixel {
    image: E,
    at: [E; 3],
    channel: E,
}

impl Windows {
    fn declare(b: &mut Builder) -> Windows {
        let axes = [Along::declare(b), Along::declare(b), Along::declare(b)];
        Windows { axes, channels: b.param_u32(), count: b.param_u32() }
    }

    fn values(pooling: &Pooling, count: usize) -> Result<Vec<u32>> {
        let mut params = Vec::new();
        for axis in &pooling.axes {
            Along::values(axis, &mut params)?;
        }
        params.extend([small(pooling.channels)?, small(count)?]);
        Ok(params)
    }

    /// The position of element `i` among elements of these sizes.
    fn pixel(&self, b: &mut Builder, i: &E, size: impl Fn(&Along) -> &E) -> Pixel {
        let channel = b.let_(i % &self.channels);
        let mut rest = b.let_(i / &self.channels);
        let mut at = Vec::new();
        for axis in self.axes.iter().rev() {
            at.push(b.let_(&rest % size(axis)));
            rest = b.let_(&rest / size(axis));
        }
        let [w, h, d] = [at[0].clone(), at[1].clone(), at[2].clone()];
        Pixel { image: rest, at: [d, h, w], channel }
    }

    /// The elements along an axis under a window, as a half-open range.
    fn span(b: &mut Builder, along: &Along, window: &E) -> [E; 2] {
        let start = b.let_(window * &along.stride);
        let end = b.let_(&start + &along.window);
        let end = b.let_(end.gt(&along.before).select(&end - &along.before, E::u32(0)).min(&along.input));
        let start = start.gt(&along.before).select(&start - &along.before, E::u32(0));
        [b.let_(start.min(&end)), end]
    }

    /// The windows along an axis over an element, as a half-open range.
    fn over(b: &mut Builder, along: &Along, element: &E) -> [E; 2] {
        let place = b.let_(element + &along.before);
        let end = &place / &along.stride + 1u32;
        let end = b.let_(end.min(&along.output));
        let above = (&place + 1u32).gt(&along.window);
        let past = b.let_(above.select(&place + 1u32 - &along.window, E::u32(0)));
        // Rounded up without overflowing 32 bits.
        let first = &past / &along.stride + (&past % &along.stride).ne(0u32).to(Ty::U32);
        [b.let_(first.min(&end)), end]
    }

    /// Calls `f` with the index of each element in the channel of a window, in ascending order.
    fn each_pixel(&self, b: &mut Builder, pixel: &Pixel, mut f: impl FnMut(&mut Builder, &E)) {
        let [d, h, w] = &self.axes;
        let [ds, hs, ws] = [0, 1, 2].map(|i| Self::span(b, &self.axes[i], &pixel.at[i]));
        b.for_(&ds[0], &ds[1], 1u32, |b, at| {
            let planes = b.let_(&pixel.image * &d.input + at);
            b.for_(&hs[0], &hs[1], 1u32, |b, at| {
                let line = b.let_((&planes * &h.input + at) * &w.input);
                b.for_(&ws[0], &ws[1], 1u32, |b, at| {
                    let index = b.let_((&line + at) * &self.channels + &pixel.channel);
                    f(b, &index);
                });
            });
        });
    }

    /// Calls `f` with the position and index of each window over an element, in ascending order.
    fn each_window(&self, b: &mut Builder, pixel: &Pixel, mut f: impl FnMut(&mut Builder, &Pixel, &E)) {
        let [d, h, w] = &self.axes;
        let [ds, hs, ws] = [0, 1, 2].map(|i| Self::over(b, &self.axes[i], &pixel.at[i]));
        b.for_(&ds[0], &ds[1], 1u32, |b, at_d| {
            let planes = b.let_(&pixel.image * &d.output + &at_d);
            b.for_(&hs[0], &hs[1], 1u32, |b, at_h| {
                let line = b.let_((&planes * &h.output + &at_h) * &w.output);
                b.for_(&ws[0], &ws[1], 1u32, |b, at_w| {
                    let index = b.let_((&line + &at_w) * &self.channels + &pixel.channel);
                    let at = [at_d.clone(), at_h.clone(), at_w];
                    f(b, &Pixel { image: pixel.image.clone(), at, channel: pixel.channel.clone() }, &index);
                });
            });
        });
    }

    /// Number of elements under a window.
    fn count(&self, b: &mut Builder, pixel: &Pixel) -> E {
        let [d, h, w] = [0, 1, 2].map(|i| {
            let [start, end] = Self::span(b, &self.axes[i], &pixel.at[i]);
            end - start
        });
        b.let_(d * h * w)
    }
}

/// Launches a program for each element of a result of shape `shape`: `fill` adds the statements for one.
fn each(
    cx: &Cx<'_, '_>,
    name: &'static str,
    dtype: DType,
    pooling: &Pooling,
    shape: &Shape,
    inputs: &[&Tensor],
    fill: impl FnOnce(&mut Builder, &Windows, &[Buf], &E) -> E,
) -> Result<Tensor> {
    let out = cx.alloc(dtype, shape)?;
    let mut key = vec![dtype as u64];
    key.extend(inputs.iter().map(|t| t.dtype() as u64));
    let program = cx.device.program(name, &key, || {
        let mut b = Builder::new(name);
        let buffers: Vec<Buf> = inputs.iter().map(|t| b.buffer(t.dtype(), Access::Read)).collect();
        let to = b.buffer(dtype, Access::Write);
        let windows = Windows::declare(&mut b);
        b.for_each(&windows.count, |b, i| {
            let value = fill(b, &windows, &buffers, &i);
            b.store(to, &i, value);
        });
        b.finish()
    });
    let params = Windows::values(pooling, out.num_elements())?;
    let mut buffers = inputs.to_vec();
    buffers.push(&out);
    cx.launch(&program, out.num_elements(), &buffers, &params)?;
    Ok(out)
}

fn zero(dtype: DType) -> E {
    E::num(Ty::of(dtype).unwrap_or(Ty::F32), 0.0)
}

/// The minimum and maximum finite values of a dtype, in the type that it is computed in.
pub(super) fn bounds(dtype: DType) -> [E; 2] {
    let ty = Ty::of(dtype).unwrap_or(Ty::F32);
    let number = |low: f64, high: f64| [E::num(ty, low), E::num(ty, high)];
    match dtype {
        DType::F16 => number(f16::MIN.into(), f16::MAX.into()),
        DType::BF16 => number(bf16::MIN.into(), bf16::MAX.into()),
        DType::F32 => number(f32::MIN.into(), f32::MAX.into()),
        DType::F64 => number(f64::MIN, f64::MAX),
        DType::I8 => number(i8::MIN.into(), i8::MAX.into()),
        DType::I16 => number(i16::MIN.into(), i16::MAX.into()),
        DType::I32 => number(i32::MIN.into(), i32::MAX.into()),
        DType::I64 => [E::bits(ty, i64::MIN as u64), E::bits(ty, i64::MAX as u64)],
        DType::U8 => number(0.0, u8::MAX.into()),
        DType::U16 => number(0.0, u16::MAX.into()),
        DType::U32 => number(0.0, u32::MAX.into()),
        DType::U64 => [E::bits(ty, 0), E::bits(ty, u64::MAX)],
        // As bytes.
        _ => [E::u32(0), E::u32(u8::MAX.into())],
    }
}

fn average(op: &PoolAttrs, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let pooling = op.over_pixels(cx, input.shape())?;
    let out = each(cx, "avg_pool", op.dtype, &pooling, pooling.output_shape(), &[input], |b, windows, x, i| {
        let pixel = windows.pixel(b, i, |a| &a.output);
        let sum = b.let_(zero(op.dtype));
        windows.each_pixel(b, &pixel, |b, at| {
            let value = b.load(x[0], at);
            b.set(&sum, &sum + value);
        });
        let count = windows.count(b, &pixel).to(sum.ty);
        sum / count
    })?;
    cx.set(0, out);
    Ok(())
}

fn spread(op: &PoolAttrs, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = shape_from(cx.input(0)?, "orig_input_shape")?;
    let pooling = op.over_pixels(cx, &shape)?;
    let grad = cx.input(1)?;
    pooling.check_output(grad, "grad")?;
    let out = each(cx, "avg_pool_grad", op.dtype, &pooling, &shape, &[grad], |b, windows, dy, i| {
        let pixel = windows.pixel(b, i, |a| &a.input);
        let sum = b.let_(zero(op.dtype));
        windows.each_window(b, &pixel, |b, window, at| {
            let part = sum.like(1.0) / windows.count(b, window).to(sum.ty);
            let dy = b.load(dy[0], at);
            b.set(&sum, &sum + dy * part);
        });
        sum
    })?;
    cx.set(0, out);
    Ok(())
}

fn largest(op: &PoolAttrs, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let pooling = op.pooling(cx, input.shape())?;
    let [least, _] = bounds(op.dtype);
    let out = if pooling.depth_window > 1 {
        largest_of_channels(cx, op.dtype, &pooling, input, &least)?
    } else {
        each(cx, "max_pool", op.dtype, &pooling, pooling.output_shape(), &[input], |b, windows, x, i| {
            let pixel = windows.pixel(b, i, |a| &a.output);
            let largest = b.let_(least);
            windows.each_pixel(b, &pixel, |b, at| {
                // NaN never wins against other values.
                let value = b.let_(b.load(x[0], at));
                b.if_(largest.lt(&value), |b| b.set(&largest, &value));
            });
            largest
        })?
    };
    cx.set(0, out);
    Ok(())
}

fn largest_of_channels(cx: &Cx<'_, '_>, dtype: DType, pooling: &Pooling, input: &Tensor, least: &E) -> Result<Tensor> {
    let out = cx.alloc(dtype, pooling.output_shape())?;
    let program = cx.device.program("max_pool_channels", &[dtype as u64], || {
        let mut b = Builder::new("max_pool_channels");
        let (x, to) = (b.buffer(dtype, Access::Read), b.buffer(dtype, Access::Write));
        let (count, window) = (b.param_u32(), b.param_u32());
        b.for_each(&count, |b, i| {
            let largest = b.let_(least);
            b.for_(0u32, &window, 1u32, |b, k| {
                let value = b.let_(b.load(x, &i * &window + k));
                b.if_(largest.lt(&value), |b| b.set(&largest, &value));
            });
            b.store(to, &i, &largest);
        });
        b.finish()
    });
    let params = [small(out.num_elements())?, small(pooling.depth_window)?];
    cx.launch(&program, out.num_elements(), &[input, &out], &params)?;
    Ok(out)
}

fn first_largest(op: &PoolAttrs, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (input, grad) = (cx.input(0)?, cx.input(2)?);
    let pooling = op.over_pixels(cx, input.shape())?;
    pooling.check_output(cx.input(1)?, "orig_output")?;
    pooling.check_output(grad, "grad")?;
    let out = each(cx, "max_pool_grad", op.dtype, &pooling, input.shape(), &[input, grad], |b, windows, given, i| {
        let pixel = windows.pixel(b, i, |a| &a.input);
        let sum = b.let_(zero(op.dtype));
        windows.each_window(b, &pixel, |b, window, at| {
            // The first of equal ones; a window that starts with NaN keeps that NaN.
            let best = b.let_(zero(input.dtype()));
            let found = b.let_(E::u32(u32::MAX));
            windows.each_pixel(b, window, |b, pixel| {
                let value = b.let_(b.load(given[0], pixel));
                b.if_(found.eq(u32::MAX) | best.lt(&value), |b| {
                    b.set(&best, &value);
                    b.set(&found, pixel);
                });
            });
            b.if_(found.eq(i), |b| {
                let dy = b.load(given[1], at);
                b.set(&sum, &sum + dy);
            });
        });
        sum
    })?;
    cx.set(0, out);
    Ok(())
}

/// For every window, the element of `grad` at the window's first element that equals its result; 0 if there is none.
fn pick(op: &PoolAttrs, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (input, output, grad) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let pooling = op.over_pixels(cx, input.shape())?;
    pooling.check_output(output, "orig_output")?;
    if grad.shape() != input.shape() {
        let (expected, found) = (input.shape(), grad.shape());
        let words = format!("Expected grad shape to be {expected}, but got {found}");
        return Err(levada_graph::Error::invalid(words));
    }
    let inputs = [input, output, grad];
    let out =
        each(cx, "max_pool_grad_grad", op.dtype, &pooling, pooling.output_shape(), &inputs, |b, windows, given, i| {
            let pixel = windows.pixel(b, i, |a| &a.output);
            let (picked, found) = (b.let_(zero(op.dtype)), b.let_(E::bool(false)));
            let largest = b.let_(b.load(given[1], i));
            windows.each_pixel(b, &pixel, |b, at| {
                let there = b.load(given[0], at).eq(&largest) & found.eq(E::bool(false));
                b.if_(there, |b| {
                    let value = b.load(given[2], at);
                    b.set(&picked, value);
                    b.set(&found, E::bool(true));
                });
            });
            picked
        })?;
    cx.set(0, out);
    Ok(())
}
