//! `Conv2D` and its gradients as tiled products, whose factors are gathered directly from images and filters.
//!
//! Positions in images are computed unsigned; those before the first pixel wrap around, past the last.

use super::depthwise;
use super::entry::{self, Cx, cell};
use super::tiles::{Cut, Factor, Grid, dtype_of, small, sum_parts, sums_for, tiles, zeros};
use crate::backend::{Convolve, Wanted};
use crate::device::{Gpu, GpuCx};
use crate::ir::{Access, Buf, Builder, E, Program, Ty};
use levada_graph::{Error, Result, Shape, Tensor};
use levada_kernel::KernelEntry;
use levada_kernel::def::CellOfDef;
use levada_ops::sizes::{Axis, Convolution, Layout, check_filter, shape_from};
use levada_ops::types::{
    CONV2D, CONV2D_BACKPROP_FILTER, CONV2D_BACKPROP_FILTER_V2, CONV2D_BACKPROP_INPUT, CONV2D_BACKPROP_INPUT_V2, Conv2D,
};

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &cell(&CONV2D, |op, cx| {
        let (input, filter) = (cx.input(0)?, cx.input(1)?);
        let out = forward(cx, &op.convolution(input.shape(), filter.shape())?, input, filter)?;
        cx.set(0, out);
        Ok(())
    })
    .heavy(),
    &cell(&CONV2D_BACKPROP_FILTER, |op, cx| {
        let shape = shape_from(cx.input(1)?, "filter_sizes")?;
        filter_gradient(op, cx, &shape)
    })
    .heavy(),
    &cell(&CONV2D_BACKPROP_FILTER_V2, |op, cx| {
        let shape = cx.input(1)?.shape().clone();
        filter_gradient(op, cx, &shape)
    })
    .heavy(),
    &cell(&CONV2D_BACKPROP_INPUT, |op, cx| {
        let shape = op.input_shape(cx.input(0)?, cx.input(1)?.shape(), cx.input(2)?.shape())?;
        input_gradient(op, cx, &shape)
    })
    .heavy(),
    &cell(&CONV2D_BACKPROP_INPUT_V2, |op, cx| {
        let shape = cx.input(0)?.shape().clone();
        input_gradient(op, cx, &shape)
    })
    .heavy(),
];

fn input_gradient(op: &Conv2D, cx: &mut Cx<'_, '_>, shape: &Shape) -> Result<()> {
    let (filter, gradient) = (cx.input(1)?, cx.input(2)?);
    let out = backward_input(cx, &op.convolution(shape, filter.shape())?, shape, filter, gradient)?;
    cx.set(0, out);
    Ok(())
}

fn filter_gradient(op: &Conv2D, cx: &mut Cx<'_, '_>, shape: &Shape) -> Result<()> {
    let (input, gradient) = (cx.input(0)?, cx.input(2)?);
    let out = backward_filter(cx, &op.convolution(input.shape(), shape)?, input, shape, gradient)?;
    cx.set(0, out);
    Ok(())
}

/// The result of a convolution.
///
/// # Errors
/// `INVALID_ARGUMENT` for an empty filter, and those of a launch.
pub(super) fn forward(cx: &Cx<'_, '_>, c: &Convolution, input: &Tensor, filter: &Tensor) -> Result<Tensor> {
    let out = cx.alloc(input.dtype(), &c.output_shape()?)?;
    if out.num_elements() == 0 {
        return Ok(out);
    }
    check_filter(filter.shape())?;
    compute(cx, c, Wanted::Output, [input, filter, &out])?;
    Ok(out)
}

/// The gradient of the input, of shape `shape`.
///
/// # Errors
/// `INVALID_ARGUMENT` if the gradient does not have the result's shape, and those of a launch.
pub(super) fn backward_input(
    cx: &Cx<'_, '_>,
    c: &Convolution,
    shape: &Shape,
    filter: &Tensor,
    gradient: &Tensor,
) -> Result<Tensor> {
    c.check_gradient(gradient.shape())?;
    if shape.num_elements() == 0 || filter.num_elements() == 0 || gradient.num_elements() == 0 {
        return zeros(cx, filter.dtype(), shape);
    }
    let out = cx.alloc(filter.dtype(), shape)?;
    compute(cx, c, Wanted::Input, [&out, filter, gradient])?;
    Ok(out)
}

/// The gradient of the filter, of shape `shape`.
///
/// # Errors
/// As [`backward_input`].
pub(super) fn backward_filter(
    cx: &Cx<'_, '_>,
    c: &Convolution,
    input: &Tensor,
    shape: &Shape,
    gradient: &Tensor,
) -> Result<Tensor> {
    c.check_gradient(gradient.shape())?;
    if shape.num_elements() == 0 || input.num_elements() == 0 || gradient.num_elements() == 0 {
        return zeros(cx, input.dtype(), shape);
    }
    let out = cx.alloc(input.dtype(), shape)?;
    compute(cx, c, Wanted::Filter, [input, &out, gradient])?;
    Ok(out)
}

/// Computes one of input, filter and output from the others; none is empty.
fn compute(cx: &Cx<'_, '_>, c: &Convolution, wanted: Wanted, tensors: [&Tensor; 3]) -> Result<()> {
    let [input, filter, output] = tensors;
    let piece = |t| cx.device.piece(t);
    let request = Convolve {
        node: &cx.node().name,
        dtype: input.dtype(),
        wanted,
        sizes: c,
        input: piece(input)?,
        filter: piece(filter)?,
        output: piece(output)?,
        tf32: cx.device.tf32,
    };
    if let Some(done) = cx.device.backend.convolve(&request) {
        return done;
    }
    if c.groups == c.channels && c.groups > 1 {
        return depthwise::compute(cx, c, wanted, tensors);
    }
    let [_, height, width] = c.axes;
    let (each_in, each_out) = (c.channels / c.groups, c.filters / c.groups);
    let taps = height.window * width.window;
    let (pixels, windows) = (height.input * width.input, height.output * width.output);
    let (grid, out) = match wanted {
        Wanted::Output => (Grid::new(c.batch * windows, each_out, taps * each_in, c.groups), output),
        Wanted::Input => (Grid::new(c.batch * pixels, each_in, taps * each_out, c.groups), input),
        Wanted::Filter => (Grid::new(taps * each_in, each_out, c.batch * windows, c.groups), filter),
    };
    let dtype = out.dtype();
    let ty = Ty::of(dtype).unwrap_or(Ty::F32);
    let parts = sums_for(cx, out, ty, grid.splits)?;
    let sums = parts.as_ref().map_or(dtype, |_| dtype_of(ty));
    let first_channels = c.layout == Layout::ChannelsFirst;
    let strided = height.stride != 1 || width.stride != 1;
    let flags = u64::from(first_channels) | u64::from(strided) << 1;
    let name = match wanted {
        Wanted::Output => "conv2d",
        Wanted::Input => "conv2d_input",
        Wanted::Filter => "conv2d_filter",
    };
    let program = cx.device.program(name, &[dtype as u64, sums as u64, flags, grid.key()], || {
        let mut b = Builder::new(name);
        // Those that are read, then the one that is written.
        let [x, y] = [b.buffer(dtype, Access::Read), b.buffer(dtype, Access::Read)];
        let out = b.buffer(sums, Access::Write);
        let cut = Grid::declare(&mut b);
        let p = Parameters::declare(&mut b);
        let tiling = Tiling { ty, micro: grid.micro as u32, cut, p, first_channels, strided };
        match wanted {
            Wanted::Output => tiling.forward(b, [x, y], out),
            Wanted::Input => tiling.backward_input(b, [x, y], out),
            Wanted::Filter => tiling.backward_filter(b, [x, y], out),
        }
    });
    let mut params = Vec::new();
    grid.params(&mut params)?;
    Parameters::values(c, out.num_elements(), &mut params)?;
    let target = parts.as_ref().unwrap_or(out);
    let buffers = match wanted {
        Wanted::Output => [input, filter, target],
        Wanted::Input => [output, filter, target],
        Wanted::Filter => [input, output, target],
    };
    cx.launch_groups(&program, grid.total(), &buffers, &params)?;
    match parts {
        Some(parts) => sum_parts(cx, &parts, out, grid.splits, None),
        None => Ok(()),
    }
}

/// An axis of images: sizes of the image, of a window and of the result, strides of windows and of taps, padding.
pub(super) struct Along {
    pub input: E,
    pub window: E,
    pub output: E,
    pub stride: E,
    pub dilation: E,
    pub before: E,
}

impl Along {
    pub(super) fn declare(b: &mut Builder) -> Along {
        let mut next = || b.param_u32();
        Along { input: next(), window: next(), output: next(), stride: next(), dilation: next(), before: next() }
    }

    /// Appends the values of the parameters that [`Along::declare`] declares.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` if positions do not fit.
    pub(super) fn values(axis: &Axis, params: &mut Vec<u32>) -> Result<()> {
        let span = |count: usize, step: usize| count.saturating_sub(1).saturating_mul(step);
        let reach = span(axis.output, axis.stride).saturating_add(span(axis.window, axis.dilation));
        small(reach.max(axis.input.saturating_add(axis.before)))?;
        // A larger step is that of a single window or tap.
        let step = |step: usize| u32::try_from(step).unwrap_or(u32::MAX);
        params.extend([small(axis.input)?, small(axis.window)?, small(axis.output)?]);
        params.extend([step(axis.stride), step(axis.dilation), small(axis.before)?]);
        Ok(())
    }
}

/// Strides of a tensor of images.
pub(super) struct Strides {
    pub image: E,
    pub row: E,
    pub pixel: E,
    pub channel: E,
}

impl Strides {
    pub(super) fn declare(b: &mut Builder) -> Strides {
        let mut next = || b.param_u32();
        Strides { image: next(), row: next(), pixel: next(), channel: next() }
    }

    /// Appends the values of the parameters that [`Strides::declare`] declares.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` if they do not fit.
    pub(super) fn values(
        layout: Layout,
        [height, width]: [usize; 2],
        channels: usize,
        params: &mut Vec<u32>,
    ) -> Result<()> {
        let image = height.checked_mul(width).and_then(|pixels| pixels.checked_mul(channels));
        let image = image.ok_or_else(|| Error::invalid("a tensor is too large"))?;
        let all = match layout {
            Layout::ChannelsLast => [image, width * channels, channels, 1],
            Layout::ChannelsFirst => [image, width, 1, height * width],
        };
        for stride in all {
            params.push(small(stride)?);
        }
        Ok(())
    }
}

/// The parameters of a convolution in a program.
struct Parameters {
    height: Along,
    width: Along,
    /// Channels of a group, filters of a group, all filters.
    each_in: E,
    each_out: E,
    filters: E,
    input: Strides,
    output: Strides,
    /// Number of elements of the result.
    size: E,
}

impl Parameters {
    fn declare(b: &mut Builder) -> Parameters {
        Parameters {
            height: Along::declare(b),
            width: Along::declare(b),
            each_in: b.param_u32(),
            each_out: b.param_u32(),
            filters: b.param_u32(),
            input: Strides::declare(b),
            output: Strides::declare(b),
            size: b.param_u32(),
        }
    }

    fn values(c: &Convolution, size: usize, params: &mut Vec<u32>) -> Result<()> {
        let [_, height, width] = &c.axes;
        Along::values(height, params)?;
        Along::values(width, params)?;
        params.extend([small(c.channels / c.groups)?, small(c.filters / c.groups)?, small(c.filters)?]);
        Strides::values(c.layout, [height.input, width.input], c.channels, params)?;
        Strides::values(c.layout, [height.output, width.output], c.filters, params)?;
        params.push(small(size)?);
        Ok(())
    }
}

struct Tiling {
    ty: Ty,
    micro: u32,
    cut: Cut,
    p: Parameters,
    first_channels: bool,
    strided: bool,
}

/// Image, row and pixel of an index among images of this size.
pub(super) fn split(b: &mut Builder, i: &E, height: &E, width: &E) -> [E; 3] {
    let x = b.let_(i % width);
    let rest = b.let_(i / width);
    let (y, image) = (b.let_(&rest % height), b.let_(&rest / height));
    [image, y, x]
}

impl Tiling {
    /// Row and column of a tap, and the remainder: from an index among taps of this many elements.
    fn tap(&self, b: &mut Builder, i: &E, each: &E) -> [E; 3] {
        let c = b.let_(i % each);
        let tap = b.let_(i / each);
        let (h, w) = (b.let_(&tap / &self.p.width.window), b.let_(&tap % &self.p.width.window));
        [h, w, c]
    }

    fn store(&self, out: Buf, strides: &Strides, size: [&E; 2], each: &E) -> impl Fn(&mut Builder, [&E; 4], &E) {
        move |b: &mut Builder, [group, part, row, column]: [&E; 4], sum: &E| {
            let pixels = size[0] * size[1];
            let (image, pixel) = (row / &pixels, row % &pixels);
            let channel = group * each + column;
            let at = image * &strides.image + pixel * &strides.pixel + channel * &strides.channel;
            b.store(out, part * &self.p.size + at, sum);
        }
    }

    fn forward(&self, mut b: Builder, [input, filter]: [Buf; 2], out: Buf) -> Program {
        let p = &self.p;
        let (height, width) = (&p.height, &p.width);
        let images = Factor {
            buffer: input,
            inner_first: !self.first_channels,
            line: &|b, group, line| {
                let [image, y, x] = split(b, line, &height.output, &width.output);
                let base = image * &p.input.image + group * &p.each_in * &p.input.channel;
                vec![
                    b.let_(base),
                    b.let_(y * &height.stride - &height.before),
                    b.let_(x * &width.stride - &width.before),
                ]
            },
            depth: &|b, i| {
                let [h, w, c] = self.tap(b, i, &p.each_in);
                vec![b.let_(c * &p.input.channel), b.let_(h * &height.dilation), b.let_(w * &width.dilation)]
            },
            at: &|line, depth| {
                let (y, x) = (&line[1] + &depth[1], &line[2] + &depth[2]);
                let inside = y.lt(&height.input) & x.lt(&width.input);
                (Some(inside), &line[0] + &depth[0] + y * &p.input.row + x * &p.input.pixel)
            },
        };
        let weights = Factor {
            buffer: filter,
            inner_first: false,
            line: &|b, group, line| vec![b.let_(group * &p.each_out + line)],
            depth: &|_, i| vec![i * &p.filters],
            at: &|line, depth| (None, &line[0] + &depth[0]),
        };
        let store = self.store(out, &p.output, [&height.output, &width.output], &p.each_out);
        tiles(&mut b, self.ty, self.micro, &self.cut, [&images, &weights], &store);
        b.finish()
    }

    fn backward_input(&self, mut b: Builder, [gradient, filter]: [Buf; 2], out: Buf) -> Program {
        let p = &self.p;
        let (height, width) = (&p.height, &p.width);
        let gradients = Factor {
            buffer: gradient,
            inner_first: !self.first_channels,
            line: &|b, group, line| {
                let [image, y, x] = split(b, line, &height.input, &width.input);
                let base = image * &p.output.image + group * &p.each_out * &p.output.channel;
                vec![b.let_(base), b.let_(y + &height.before), b.let_(x + &width.before)]
            },
            depth: &|b, i| {
                let [h, w, f] = self.tap(b, i, &p.each_out);
                vec![b.let_(f * &p.output.channel), b.let_(h * &height.dilation), b.let_(w * &width.dilation)]
            },
            at: &|line, depth| {
                let (mut y, mut x) = (&line[1] - &depth[1], &line[2] - &depth[2]);
                // Values below 0 have wrapped around, and are large even when divided.
                let mut inside = depth[1].le(&line[1]) & depth[2].le(&line[2]);
                if self.strided {
                    let whole = (&y % &height.stride).eq(0u32) & (&x % &width.stride).eq(0u32);
                    inside = inside & whole;
                    (y, x) = (y / &height.stride, x / &width.stride);
                }
                inside = inside & y.lt(&height.output) & x.lt(&width.output);
                (Some(inside), &line[0] + &depth[0] + y * &p.output.row + x * &p.output.pixel)
            },
        };
        let weights = Factor {
            buffer: filter,
            inner_first: true,
            line: &|b, group, line| vec![b.let_(group * &p.each_out + line * &p.filters)],
            depth: &|b, i| {
                let (f, tap) = (i % &p.each_out, i / &p.each_out);
                vec![b.let_(tap * &p.each_in * &p.filters + f)]
            },
            at: &|line, depth| (None, &line[0] + &depth[0]),
        };
        let store = self.store(out, &p.input, [&height.input, &width.input], &p.each_in);
        tiles(&mut b, self.ty, self.micro, &self.cut, [&gradients, &weights], &store);
        b.finish()
    }

    fn backward_filter(&self, mut b: Builder, [input, gradient]: [Buf; 2], out: Buf) -> Program {
        let p = &self.p;
        let (height, width) = (&p.height, &p.width);
        let images = Factor {
            buffer: input,
            inner_first: self.first_channels,
            line: &|b, group, line| {
                let [h, w, c] = self.tap(b, line, &p.each_in);
                vec![
                    b.let_((group * &p.each_in + c) * &p.input.channel),
                    b.let_(h * &height.dilation - &height.before),
                    b.let_(w * &width.dilation - &width.before),
                ]
            },
            depth: &|b, i| {
                let [image, y, x] = split(b, i, &height.output, &width.output);
                vec![b.let_(image * &p.input.image), b.let_(y * &height.stride), b.let_(x * &width.stride)]
            },
            at: &|line, depth| {
                let (y, x) = (&line[1] + &depth[1], &line[2] + &depth[2]);
                let inside = y.lt(&height.input) & x.lt(&width.input);
                (Some(inside), &line[0] + &depth[0] + y * &p.input.row + x * &p.input.pixel)
            },
        };
        let windows = b.let_(&height.output * &width.output);
        let gradients = Factor {
            buffer: gradient,
            inner_first: self.first_channels,
            line: &|b, group, line| vec![b.let_((group * &p.each_out + line) * &p.output.channel)],
            depth: &|b, i| {
                let (image, pixel) = (i / &windows, i % &windows);
                vec![b.let_(image * &p.output.image + pixel * &p.output.pixel)]
            },
            at: &|line, depth| (None, &line[0] + &depth[0]),
        };
        tiles(&mut b, self.ty, self.micro, &self.cut, [&images, &gradients], &|b, [group, part, row, column], sum| {
            let at = row * &p.filters + group * &p.each_out + column;
            b.store(out, part * &p.size + at, sum);
        });
        b.finish()
    }
}
