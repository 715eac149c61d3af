//! Convolutions of each channel with filters of its own, and their gradients.
//!
//! Filter `m` of channel `c` makes channel `c * multiplier + m` of the result.

use super::conv::{Along, Strides, backward_filter, backward_input, forward, split};
use super::entry::{self, Cx, cell};
use super::tiles::{dtype_of, small, sum_parts, sums_for};
use crate::backend::Wanted;
use crate::device::{Gpu, GpuCx};
use crate::ir::{Access, Builder, E, Program, Ty};
use levada_graph::{DType, Result, Tensor};
use levada_kernel::KernelEntry;
use levada_kernel::def::CellOfDef;
use levada_ops::sizes::{Convolution, Layout, shape_from};
use levada_ops::types::{
    DEPTHWISE_CONV2D_NATIVE, DEPTHWISE_CONV2D_NATIVE_BACKPROP_FILTER, DEPTHWISE_CONV2D_NATIVE_BACKPROP_INPUT,
};

/// Elements of the gradient of a filter that a group sums, each with [`SLICES`] invocations.
const WIDTH: u32 = 32;
const SLICES: u32 = 8;

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &cell(&DEPTHWISE_CONV2D_NATIVE, |op, cx| {
        let (input, filter) = (cx.input(0)?, cx.input(1)?);
        let out = forward(cx, &op.convolution(input.shape(), filter.shape())?, input, filter)?;
        cx.set(0, out);
        Ok(())
    })
    .heavy(),
    &cell(&DEPTHWISE_CONV2D_NATIVE_BACKPROP_FILTER, |op, cx| {
        let (input, gradient) = (cx.input(0)?, cx.input(2)?);
        let shape = shape_from(cx.input(1)?, "filter_sizes")?;
        let out = backward_filter(cx, &op.convolution(input.shape(), &shape)?, input, &shape, gradient)?;
        cx.set(0, out);
        Ok(())
    })
    .heavy(),
    &cell(&DEPTHWISE_CONV2D_NATIVE_BACKPROP_INPUT, |op, cx| {
        let (filter, gradient) = (cx.input(1)?, cx.input(2)?);
        let shape = shape_from(cx.input(0)?, "input_sizes")?;
        let out = backward_input(cx, &op.convolution(&shape, filter.shape())?, &shape, filter, gradient)?;
        cx.set(0, out);
        Ok(())
    })
    .heavy(),
];

/// Computes one of input, filter and output from the others; none is empty.
///
/// # Errors
/// Those of a launch.
pub(super) fn compute(
    cx: &Cx<'_, '_>,
    c: &Convolution,
    wanted: Wanted,
    [input, filter, output]: [&Tensor; 3],
) -> Result<()> {
    let dtype = input.dtype();
    let [_, height, width] = &c.axes;
    let flags = u64::from(c.layout == Layout::ChannelsFirst);
    let mut sizes = Vec::new();
    Along::values(height, &mut sizes)?;
    Along::values(width, &mut sizes)?;
    sizes.extend([small(c.filters)?, small(c.filters / c.channels)?, small(c.channels)?]);
    Strides::values(c.layout, [height.input, width.input], c.channels, &mut sizes)?;
    Strides::values(c.layout, [height.output, width.output], c.filters, &mut sizes)?;
    match wanted {
        Wanted::Output => {
            let key = [dtype as u64, flags];
            let program = cx.device.program("depthwise", &key, || forward_program(dtype, c.layout));
            sizes.push(small(output.num_elements())?);
            cx.launch(&program, output.num_elements(), &[input, filter, output], &sizes)
        }
        Wanted::Input => {
            let key = [dtype as u64, flags];
            let program = cx.device.program("depthwise_input", &key, || input_program(dtype, c.layout));
            sizes.push(small(input.num_elements())?);
            cx.launch(&program, input.num_elements(), &[output, filter, input], &sizes)
        }
        Wanted::Filter => {
            let windows = c.batch * height.output * width.output;
            let blocks = filter.num_elements().div_ceil(WIDTH as usize);
            let parts = (512 / blocks).min(windows / 256).max(1);
            let each = windows.div_ceil(parts).max(1);
            let parts = windows.div_ceil(each);
            let ty = Ty::of(dtype).unwrap_or(Ty::F32);
            let sums = sums_for(cx, filter, ty, parts)?;
            let kept = sums.as_ref().map_or(dtype, |_| dtype_of(ty));
            let key = [dtype as u64, kept as u64];
            let program = cx.device.program("depthwise_filter", &key, || filter_program(dtype, kept));
            for size in [filter.num_elements(), windows, each, blocks, blocks * parts] {
                sizes.push(small(size)?);
            }
            let target = sums.as_ref().unwrap_or(filter);
            cx.launch_groups(&program, blocks * parts, &[input, output, target], &sizes)?;
            match sums {
                Some(sums) => sum_parts(cx, &sums, filter, parts, None),
                None => Ok(()),
            }
        }
    }
}

/// The parameters in a program.
struct Parameters {
    height: Along,
    width: Along,
    filters: E,
    multiplier: E,
    channels: E,
    input: Strides,
    output: Strides,
}

impl Parameters {
    fn declare(b: &mut Builder) -> Parameters {
        Parameters {
            height: Along::declare(b),
            width: Along::declare(b),
            filters: b.param_u32(),
            multiplier: b.param_u32(),
            channels: b.param_u32(),
            input: Strides::declare(b),
            output: Strides::declare(b),
        }
    }
}

/// Image, row, pixel and channel of an element of images.
fn element(b: &mut Builder, layout: Layout, i: &E, [height, width, channels]: [&E; 3]) -> [E; 4] {
    match layout {
        Layout::ChannelsLast => {
            let (c, pixel) = (b.let_(i % channels), b.let_(i / channels));
            let [image, y, x] = split(b, &pixel, height, width);
            [image, y, x, c]
        }
        Layout::ChannelsFirst => {
            let [plane, y, x] = split(b, i, height, width);
            let (image, c) = (b.let_(&plane / channels), b.let_(&plane % channels));
            [image, y, x, c]
        }
    }
}

fn forward_program(dtype: DType, layout: Layout) -> Program {
    let mut b = Builder::new("depthwise");
    let (input, filter) = (b.buffer(dtype, Access::Read), b.buffer(dtype, Access::Read));
    let out = b.buffer(dtype, Access::Write);
    let p = Parameters::declare(&mut b);
    let count = b.param_u32();
    b.for_each(&count, |b, i| {
        let [image, y, x, f] = element(b, layout, &i, [&p.height.output, &p.width.output, &p.filters]);
        let base = b.let_(image * &p.input.image + &f / &p.multiplier * &p.input.channel);
        let (y, x) = (y * &p.height.stride - &p.height.before, x * &p.width.stride - &p.width.before);
        let (y, x) = (b.let_(y), b.let_(x));
        let sum = b.let_(E::num(Ty::of(dtype).unwrap_or(Ty::F32), 0.0));
        b.for_(0u32, &p.height.window, 1u32, |b, h| {
            let y = b.let_(&y + &h * &p.height.dilation);
            b.if_(y.lt(&p.height.input), |b| {
                b.for_(0u32, &p.width.window, 1u32, |b, w| {
                    let x = b.let_(&x + &w * &p.width.dilation);
                    b.if_(x.lt(&p.width.input), |b| {
                        let pixel = b.load(input, &base + &y * &p.input.row + &x * &p.input.pixel);
                        let tap = b.load(filter, (&h * &p.width.window + &w) * &p.filters + &f);
                        b.set(&sum, &sum + pixel * tap);
                    });
                });
            });
        });
        b.store(out, &i, &sum);
    });
    b.finish()
}

fn input_program(dtype: DType, layout: Layout) -> Program {
    let mut b = Builder::new("depthwise_input");
    let (gradient, filter) = (b.buffer(dtype, Access::Read), b.buffer(dtype, Access::Read));
    let out = b.buffer(dtype, Access::Write);
    let p = Parameters::declare(&mut b);
    let count = b.param_u32();
    b.for_each(&count, |b, i| {
        let [image, y, x, c] = element(b, layout, &i, [&p.height.input, &p.width.input, &p.channels]);
        let first = b.let_(&c * &p.multiplier);
        let base = b.let_(image * &p.output.image);
        let (y, x) = (b.let_(y + &p.height.before), b.let_(x + &p.width.before));
        let sum = b.let_(E::num(Ty::of(dtype).unwrap_or(Ty::F32), 0.0));
        // The window that has a position under a tap, if there is one.
        let window = |b: &mut Builder, place: &E, tap: &E, along: &Along| {
            let tap = b.let_(tap * &along.dilation);
            let rest = b.let_(place - &tap);
            let at = b.let_(&rest / &along.stride);
            let there = tap.le(place) & (&rest % &along.stride).eq(0u32) & at.lt(&along.output);
            (there, at)
        };
        b.for_(0u32, &p.height.window, 1u32, |b, h| {
            let (there, y) = window(b, &y, &h, &p.height);
            b.if_(there, |b| {
                b.for_(0u32, &p.width.window, 1u32, |b, w| {
                    let (there, x) = window(b, &x, &w, &p.width);
                    b.if_(there, |b| {
                        let from = b.let_(&base + &y * &p.output.row + &x * &p.output.pixel);
                        let taps = b.let_((&h * &p.width.window + &w) * &p.filters + &first);
                        b.for_(0u32, &p.multiplier, 1u32, |b, m| {
                            let dy = b.load(gradient, &from + (&first + &m) * &p.output.channel);
                            let tap = b.load(filter, &taps + &m);
                            b.set(&sum, &sum + dy * tap);
                        });
                    });
                });
            });
        });
        b.store(out, &i, &sum);
    });
    b.finish()
}

fn filter_program(dtype: DType, kept: DType) -> Program {
    let mut b = Builder::new("depthwise_filter");
    let (input, gradient) = (b.buffer(dtype, Access::Read), b.buffer(dtype, Access::Read));
    let out = b.buffer(kept, Access::Write);
    let p = Parameters::declare(&mut b);
    let (size, windows, each, blocks, total) =
        (b.param_u32(), b.param_u32(), b.param_u32(), b.param_u32(), b.param_u32());
    let ty = Ty::of(dtype).unwrap_or(Ty::F32);
    let sums = b.shared(ty, WIDTH * SLICES);
    let (lane, slice) = (b.let_(E::local() % WIDTH), b.let_(E::local() / WIDTH));
    b.for_(E::group(), &total, E::groups(), |b, group| {
        let part = b.let_(&group / &blocks);
        let i = b.let_(&group % &blocks * WIDTH + &lane);
        let sum = b.let_(E::num(ty, 0.0));
        b.if_(i.lt(&size), |b| {
            let (f, tap) = (b.let_(&i % &p.filters), b.let_(&i / &p.filters));
            let h = b.let_(&tap / &p.width.window * &p.height.dilation - &p.height.before);
            let w = b.let_(&tap % &p.width.window * &p.width.dilation - &p.width.before);
            let channel = b.let_(&f / &p.multiplier * &p.input.channel);
            let filter = b.let_(&f * &p.output.channel);
            let end = &part * &each + &each;
            let end = b.let_(end.min(&windows));
            b.for_(&part * &each + &slice, &end, SLICES, |b, window| {
                let [image, y, x] = split(b, &window, &p.height.output, &p.width.output);
                let from = &image * &p.output.image + &y * &p.output.row + &x * &p.output.pixel + &filter;
                let (y, x) = (b.let_(y * &p.height.stride + &h), b.let_(x * &p.width.stride + &w));
                b.if_(y.lt(&p.height.input) & x.lt(&p.width.input), |b| {
                    let at = image * &p.input.image + &y * &p.input.row + &x * &p.input.pixel + &channel;
                    let product = b.load(input, at) * b.load(gradient, from);
                    b.set(&sum, &sum + product);
                });
            });
        });
        b.store_shared(sums, E::local(), &sum);
        b.barrier();
        b.if_(slice.eq(0u32) & i.lt(&size), |b| {
            for other in 1..SLICES {
                let more = b.load_shared(sums, &lane + WIDTH * other);
                b.set(&sum, &sum + more);
            }
            b.store(out, &part * &size + &i, &sum);
        });
        b.barrier();
    });
    b.finish()
}
