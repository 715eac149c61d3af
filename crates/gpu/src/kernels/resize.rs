//! Resizing images and its gradients. How the pixels correspond is computed on the host, once for each axis.

use super::entry::{self, Cx, count};
use super::moves::{cell, converted, filled, number};
use crate::device::{Gpu, GpuCx};
use crate::ir::{Access, Buf, Builder, E, Ty};
use levada_graph::{DType, Error, Result, Shape, Tensor};
use levada_kernel::KernelEntry;
use levada_kernel::def::CellOfDef;
use levada_ops::shared::{Resize, Resizing, Scale, check_images, size_from};
use levada_ops::types::{RESIZE_BILINEAR, RESIZE_BILINEAR_GRAD, RESIZE_NEAREST_NEIGHBOR, RESIZE_NEAREST_NEIGHBOR_GRAD};

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &entry::cell(&RESIZE_BILINEAR, resize_bilinear).supports(computes_in_f32),
    &entry::cell(&RESIZE_BILINEAR_GRAD, resize_bilinear_grad).supports(computes_in_f32),
    &entry::cell(&RESIZE_NEAREST_NEIGHBOR, resize_nearest_neighbor),
    &entry::cell(&RESIZE_NEAREST_NEIGHBOR_GRAD, resize_nearest_neighbor_grad).supports(computes_in_f32),
];

fn computes_in_f32(op: &Resizing) -> bool {
    matches!(op.dtype, DType::F32 | DType::F16 | DType::BF16)
}

/// For each pixel of an axis of the larger image, its two neighbours and its distance from the first.
fn between(cx: &Cx<'_, '_>, scales: [&Scale; 2]) -> Result<[Tensor; 2]> {
    let all = || scales.into_iter().flat_map(|s| (0..s.output).map(|i| s.between(i)));
    let places = all().flat_map(|b| [b.lower as i32, b.upper as i32]).collect();
    let upload = |t: Tensor| cx.device.upload(&cx.node().name, &t);
    Ok([upload(Tensor::vector(places))?, upload(Tensor::vector(all().map(|b| b.part).collect::<Vec<f32>>()))?])
}

fn nearest(cx: &Cx<'_, '_>, scales: [&Scale; 2], corners: bool) -> Result<Tensor> {
    let all = scales.into_iter().flat_map(|s| (0..s.output).map(|i| s.nearest(i, corners) as i32));
    cx.device.upload(&cx.node().name, &Tensor::vector(all.collect::<Vec<i32>>()))
}

/// Sizes of a resize as a program has them.
struct Sizes {
    size: E,
    from: [E; 2],
    to: [E; 2],
    channels: E,
}

impl Sizes {
    fn declare(b: &mut Builder) -> Sizes {
        Sizes {
            size: b.param_u32(),
            from: [b.param_u32(), b.param_u32()],
            to: [b.param_u32(), b.param_u32()],
            channels: b.param_u32(),
        }
    }

    /// Image, row, column and channel of element `i` of the resized images.
    fn place(&self, b: &mut Builder, i: &E) -> [E; 4] {
        let pixel = b.let_(i / &self.channels);
        let line = b.let_(&pixel / &self.to[1]);
        let column = b.let_(&pixel % &self.to[1]);
        let image = b.let_(&line / &self.to[0]);
        [image, b.let_(&line % &self.to[0]), column, b.let_(i % &self.channels)]
    }

    /// The index of an element of the images.
    fn at(&self, image: &E, row: &E, column: &E, channel: &E) -> E {
        ((image * &self.from[0] + row) * &self.from[1] + column) * &self.channels + channel
    }
}

fn params(size: u32, from: [usize; 2], to: [usize; 2], channels: usize) -> [u32; 6] {
    [size, from[0] as u32, from[1] as u32, to[0] as u32, to[1] as u32, channels as u32]
}

/// The neighbours of a pixel along an axis, from two table entries each, and its distance from the first.
fn neighbours(b: &mut Builder, places: Buf, parts: Buf, at: &E) -> (E, E, E) {
    let at = b.let_(at);
    let lower = b.let_(b.load(places, &at * 2u32).to(Ty::U32));
    let upper = b.let_(b.load(places, &at * 2u32 + 1u32).to(Ty::U32));
    (lower, upper, b.let_(b.load(parts, &at)))
}

fn resize_bilinear(op: &Resizing, cx: &mut Cx<'_, '_>) -> Result<()> {
    let resize = Resize::of_inputs(cx, op.alignment())?;
    let out = cx.alloc(DType::F32, &resize.output_shape()?)?;
    let size = count(out.num_elements())?;
    let x = cx.input(0)?;
    count(x.num_elements())?;
    let [places, parts] = between(cx, [&resize.height, &resize.width])?;
    let dtype = op.dtype;
    let program = cx.device.program("resize_bilinear", &[number(dtype)], || {
        let mut b = Builder::new("resize_bilinear");
        let x = b.buffer(dtype, Access::Read);
        let (places, parts) = (b.buffer(DType::I32, Access::Read), b.buffer(DType::F32, Access::Read));
        let out = b.buffer(DType::F32, Access::Write);
        let sizes = Sizes::declare(&mut b);
        b.for_each(&sizes.size, |b, i| {
            let [image, row, column, channel] = sizes.place(b, &i);
            let (top, bottom, down) = neighbours(b, places, parts, &row);
            let (left, right, across) = neighbours(b, places, parts, &(&sizes.to[0] + &column));
            let mut pixel = |y: &E, x_at: &E| {
                let at = sizes.at(&image, y, x_at, &channel);
                b.let_(b.load(x, at))
            };
            let (tl, tr) = (pixel(&top, &left), pixel(&top, &right));
            let (bl, br) = (pixel(&bottom, &left), pixel(&bottom, &right));
            let t = b.let_(&tl + (&tr - &tl) * &across);
            let low = b.let_(&bl + (&br - &bl) * &across);
            b.store(out, &i, &t + (&low - &t) * &down);
        });
        b.finish()
    });
    let Resize { height, width, channels, .. } = resize;
    let params = params(size, [height.input, width.input], [height.output, width.output], channels);
    cx.launch(&program, size as usize, &[x, &places, &parts, &out], &params)?;
    cx.set(0, out);
    Ok(())
}

fn resize_bilinear_grad(op: &Resizing, cx: &mut Cx<'_, '_>) -> Result<()> {
    let resize = Resize::of_gradient(cx, op.alignment())?;
    let grads = cx.input(0)?;
    let size = count(grads.num_elements())?;
    let out = filled(cx, DType::F32, cx.input(1)?.shape(), None)?;
    let [places, parts] = between(cx, [&resize.height, &resize.width])?;
    let program = cx.device.program("resize_bilinear_grad", &[], || {
        let mut b = Builder::new("resize_bilinear_grad");
        let grads = b.buffer(DType::F32, Access::Read);
        let (places, parts) = (b.buffer(DType::I32, Access::Read), b.buffer(DType::F32, Access::Read));
        let out = b.buffer(DType::F32, Access::Atomic);
        let sizes = Sizes::declare(&mut b);
        b.for_each(&sizes.size, |b, i| {
            let [image, row, column, channel] = sizes.place(b, &i);
            let (top, bottom, down) = neighbours(b, places, parts, &row);
            let (left, right, across) = neighbours(b, places, parts, &(&sizes.to[0] + &column));
            let grad = b.let_(b.load(grads, &i));
            let rest = |part: &E| part.like(1.0) - part;
            for (y, down) in [(&top, rest(&down)), (&bottom, down.clone())] {
                for (x, across) in [(&left, rest(&across)), (&right, across.clone())] {
                    b.atomic_add(out, sizes.at(&image, y, x, &channel), &grad * &down * across);
                }
            }
        });
        b.finish()
    });
    let Resize { height, width, channels, .. } = resize;
    let params = params(size, [height.input, width.input], [height.output, width.output], channels);
    cx.launch(&program, size as usize, &[grads, &places, &parts, &out], &params)?;
    let out = if op.dtype == DType::F32 { out } else { converted(cx, &out, op.dtype)? };
    cx.set(0, out);
    Ok(())
}

fn resize_nearest_neighbor(op: &Resizing, cx: &mut Cx<'_, '_>) -> Result<()> {
    let resize = Resize::of_inputs(cx, op.alignment())?;
    let out = cx.alloc(op.dtype, &resize.output_shape()?)?;
    let size = count(out.num_elements())?;
    let x = cx.input(0)?;
    count(x.num_elements())?;
    let places = nearest(cx, [&resize.height, &resize.width], op.align_corners)?;
    let cell = cell(cx.device, op.dtype);
    let program = cx.device.program("resize_nearest", &[number(cell)], || {
        let mut b = Builder::new("resize_nearest");
        let (x, places) = (b.buffer(cell, Access::Read), b.buffer(DType::I32, Access::Read));
        let out = b.buffer(cell, Access::Write);
        let sizes = Sizes::declare(&mut b);
        b.for_each(&sizes.size, |b, i| {
            let [image, row, column, channel] = sizes.place(b, &i);
            let row = b.let_(b.load(places, &row).to(Ty::U32));
            let column = b.let_(b.load(places, &sizes.to[0] + &column).to(Ty::U32));
            b.store(out, &i, b.load(x, sizes.at(&image, &row, &column, &channel)));
        });
        b.finish()
    });
    let Resize { height, width, channels, .. } = resize;
    let params = params(size, [height.input, width.input], [height.output, width.output], channels);
    cx.launch(&program, size as usize, &[x, &places, &out], &params)?;
    cx.set(0, out);
    Ok(())
}

fn resize_nearest_neighbor_grad(op: &Resizing, cx: &mut Cx<'_, '_>) -> Result<()> {
    let alignment = op.alignment().check()?;
    let grads = cx.input(0)?;
    check_images(grads.shape(), "grads")?;
    let [h, w] = size_from(cx.input(1)?, "shape_t's elements")?;
    let &[batch, rows, columns, channels] = grads.shape().dims() else {
        return Err(Error::internal("images have four axes"));
    };
    let (height, width) = (alignment.scale(h, rows), alignment.scale(w, columns));
    let shape = Shape::new([batch, h, w, channels])?;
    let size = count(grads.num_elements())?;
    count(shape.num_elements())?;
    let out = filled(cx, DType::F32, &shape, None)?;
    let places = nearest(cx, [&height, &width], op.align_corners)?;
    let dtype = op.dtype;
    let program = cx.device.program("resize_nearest_grad", &[number(dtype)], || {
        let mut b = Builder::new("resize_nearest_grad");
        let (grads, places) = (b.buffer(dtype, Access::Read), b.buffer(DType::I32, Access::Read));
        let out = b.buffer(DType::F32, Access::Atomic);
        let sizes = Sizes::declare(&mut b);
        b.for_each(&sizes.size, |b, i| {
            let [image, row, column, channel] = sizes.place(b, &i);
            let row = b.let_(b.load(places, &row).to(Ty::U32));
            let column = b.let_(b.load(places, &sizes.to[0] + &column).to(Ty::U32));
            b.atomic_add(out, sizes.at(&image, &row, &column, &channel), b.load(grads, &i));
        });
        b.finish()
    });
    let params = params(size, [h, w], [rows, columns], channels);
    cx.launch(&program, size as usize, &[grads, &places, &out], &params)?;
    let out = if dtype == DType::F32 { out } else { converted(cx, &out, dtype)? };
    cx.set(0, out);
    Ok(())
}
