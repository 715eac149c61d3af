//! `ExtractImagePatches` and `ExtractVolumePatches`: image patches flattened into the channels of a pixel.

use crate::prelude::*;
use crate::rules::{Handles, PROD, UNSORTED_SEGMENT_SUM, concat, first, int, range};

attrs! {
    /// Extracts sliding windows (patches) from images in row-major order and concatenates the channels of each window's
    /// pixels.
    pub struct ExtractImagePatches {
        /// Size of a window along each axis.
        sizes: Vec<i64> = Attr::ints("ksizes").at_least(4),
        /// Distance between windows along each axis.
        strides: Vec<i64> = Attr::ints("strides").at_least(4),
        /// Distance between a window's pixels along each axis.
        rates: Vec<i64> = Attr::ints("rates").at_least(4),
        /// Element type.
        dtype: DType = Attr::dtype("T", PLAIN),
        /// `SAME` places a window around every `strides`-th pixel, padded with zeros; `VALID` keeps only whole windows.
        padding: Bytes = Attr::one_of("padding", &["SAME", "VALID"]),
    }
}

const PLAIN: &[DType] = {
    use DType::*;
    &[BF16, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, C64, C128, Bool]
};

pub static EXTRACT_IMAGE_PATCHES: Def<ExtractImagePatches> = op::<ExtractImagePatches>("ExtractImagePatches")
    .inputs(&[arg("images", of("T"))])
    .outputs(&[arg("patches", of("T"))])
    .shape(|op: &ExtractImagePatches, cx| {
        let shape = infer(cx, &op.windows()?)?;
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|op, g| {
        let pixels = ExtractImagePatches { dtype: DType::I32, ..op.clone() };
        gradient(g, 2, |images| EXTRACT_IMAGE_PATCHES.node(g, &pixels, &[images]))
    })
    .kernel(|op, cx| extract(cx, op.dtype, &op.windows()?))
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

attrs! {
    /// Extracts sliding windows (patches) from volumes, by plane and then row, and concatenates the channels of each
    /// window's pixels.
    pub struct ExtractVolumePatches {
        /// Size of a window along each axis.
        sizes: Vec<i64> = Attr::ints("ksizes").at_least(5),
        /// Distance between windows along each axis.
        strides: Vec<i64> = Attr::ints("strides").at_least(5),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// `SAME` places a window around every `strides`-th pixel, padded with zeros; `VALID` keeps only whole windows.
        padding: Bytes = Attr::one_of("padding", &["SAME", "VALID"]),
    }
}

pub static EXTRACT_VOLUME_PATCHES: Def<ExtractVolumePatches> = op::<ExtractVolumePatches>("ExtractVolumePatches")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("patches", of("T"))])
    .shape(|op: &ExtractVolumePatches, cx| {
        let shape = infer(cx, &op.windows()?)?;
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|op, g| {
        let pixels = ExtractVolumePatches { dtype: DType::I32, ..op.clone() };
        gradient(g, 3, |images| EXTRACT_VOLUME_PATCHES.node(g, &pixels, &[images]))
    })
    .kernel(|op, cx| extract(cx, op.dtype, &op.windows()?))
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

/// The layout of windows along an axis.
#[derive(Clone, Copy)]
struct Window {
    size: usize,
    stride: usize,
    rate: usize,
    is_same: bool,
}

impl ExtractImagePatches {
    fn windows(&self) -> Result<Vec<Window>> {
        windows([&self.sizes, &self.strides, &self.rates], 2, &self.padding)
    }
}

impl ExtractVolumePatches {
    fn windows(&self) -> Result<Vec<Window>> {
        windows([&self.sizes, &self.strides, &[1; 5]], 3, &self.padding)
    }
}

/// The windows along the `axes` axes between the batch and channel axes.
fn windows(attrs: [&[i64]; 3], axes: usize, padding: &[u8]) -> Result<Vec<Window>> {
    for (values, name) in attrs.into_iter().zip(["ksizes", "strides", "rates"]) {
        if values.len() != axes + 2 {
            return Err(Error::invalid(format!("{name} must have {} numbers", axes + 2))
                .attr(name)
                .found(values.len()));
        }
        if values[0] != 1 || values[axes + 1] != 1 {
            return Err(Error::unimplemented(format!("Only support {name} across space"))
                .attr(name)
                .found(format!("{values:?}")));
        }
        // At least as large as any axis.
        if !values[1..=axes].iter().all(|v| (1..=i64::from(i32::MAX)).contains(v)) {
            return Err(Error::out_of_range(format!("{name} is out of range")).attr(name).found(format!("{values:?}")));
        }
    }
    let window = |axis: usize| {
        let [size, stride, rate] = attrs.map(|values| values[axis] as usize);
        Window { size, stride, rate, is_same: padding == b"SAME" }
    };
    Ok((1..=axes).map(window).collect())
}

impl Window {
    /// Pixels from the first to the last of a window, inclusive.
    fn extent(&self) -> usize {
        (self.size - 1) * self.rate + 1
    }

    /// Number of windows along an axis of `pixels`.
    fn count(&self, pixels: usize) -> Result<usize> {
        if self.is_same {
            return Ok(pixels.div_ceil(self.stride));
        }
        // Windows that exceed the axis by less than two strides yield zero windows: the quotient is rounded towards zero.
        let (extent, enough) = (self.extent(), pixels + self.stride);
        if extent >= enough + self.stride {
            return Err(Error::invalid(format!("windows of {extent} pixels are too large for {pixels} pixels")));
        }
        Ok(enough.saturating_sub(extent) / self.stride)
    }

    /// Number of padding zeros before the first pixel.
    fn before(&self, pixels: usize) -> usize {
        let windows = pixels.div_ceil(self.stride);
        let needed = windows.saturating_sub(1) * self.stride + self.extent();
        if self.is_same { needed.saturating_sub(pixels) / 2 } else { 0 }
    }
}

fn infer(cx: &ShapeCx<'_>, windows: &[Window]) -> Result<PartialShape> {
    let images = cx.with_rank(0, windows.len() + 2)?;
    let mut dims = vec![images.dim(0)];
    for (axis, window) in (1..).zip(windows) {
        dims.push(images.dim(axis).map(|pixels| window.count(pixels)).transpose()?);
    }
    let pixels = windows.iter().try_fold(1usize, |pixels, window| pixels.checked_mul(window.size));
    dims.push(images.dim(-1).zip(pixels).and_then(|(channels, pixels)| channels.checked_mul(pixels)));
    Ok(PartialShape::new(dims))
}

/// Each pixel receives the sum of the gradients of its copies in the windows: `pixels` are the windows of an image
/// whose pixels are their own indices from 1, with 0 for padding.
fn gradient<'g>(g: &'g GradCx, axes: usize, windows: impl FnOnce(V<'g>) -> V<'g>) -> Grads {
    let shape = g.input(0).dims();
    let one = g.ints(&[1]);
    let space = shape.slice1(1, axes as i32);
    let (batch, channels) = (shape.slice1(0, 1), shape.slice1(axes as i32 + 1, 1));
    let count = PROD.call([space, int(g, 0)]);
    let numbers = range(g, count) + int(g, 1);
    let pixels = windows(numbers.reshape(concat(g, &[one, space, one], 0)));
    let dy = g.dy(0).reshape(concat(g, &[batch, pixels.size().reshape(one), channels], 0));
    let order = g.ints(&[1, 0, 2]);
    let sums = UNSORTED_SEGMENT_SUM.call([dy.transpose(order), pixels.reshape(g.ints(&[-1])), count + int(g, 1)]);
    let sums = g.primitive(Primitive::Slice, &[sums, g.ints(&[1, 0, 0]), g.ints(&[-1, -1, -1])], &[]);
    first(g, sums.transpose(order).reshape(shape))
}

/// Windows are copied as bytes, whatever their dtype.
fn extract(cx: &mut Cx<'_, '_>, dtype: DType, windows: &[Window]) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    if shape.rank() != windows.len() + 2 {
        return Err(Error::invalid(format!("input must be {}-dimensional, got shape {shape}", windows.len() + 2)));
    }
    let (channels, space) = (shape[shape.rank() - 1], &shape[1..=windows.len()]);
    let mut counts = Vec::new();
    for (&pixels, window) in space.iter().zip(windows) {
        counts.push(window.count(pixels)?);
    }
    let sizes = windows.iter().map(|window| window.size);
    let depth = Shape::new(sizes.chain([channels]))?.num_elements();
    let out_shape = Shape::new([shape[0]].into_iter().chain(counts.iter().copied()).chain([depth]))?;
    let mut out = cx.zeros(dtype, &out_shape)?;
    if out_shape.num_elements() > 0 {
        let images = Images { space, channels: channels * dtype.size(), windows };
        let input = cx.input(0)?.bytes().ok_or_else(|| Error::internal("images are not plain"))?;
        let width = depth * dtype.size();
        let places: usize = counts.iter().product();
        let image = space.iter().product::<usize>() * images.channels;
        if let Some(out) = out.bytes_mut() {
            cx.pool().for_chunks(out, width, width as f64 * 0.3, |first, out| {
                for (i, out) in out.chunks_exact_mut(width).enumerate() {
                    let (n, place) = ((first + i) / places, (first + i) % places);
                    let mut rest = place;
                    let mut corner = vec![0isize; counts.len()];
                    for axis in (0..counts.len()).rev() {
                        let window = &windows[axis];
                        corner[axis] =
                            (rest % counts[axis] * window.stride) as isize - window.before(space[axis]) as isize;
                        rest /= counts[axis];
                    }
                    images.copy(0, &input[n * image..(n + 1) * image], &corner, out);
                }
            });
        }
    }
    cx.set(0, out);
    Ok(())
}

/// The images from which windows are copied.
struct Images<'a> {
    space: &'a [usize],
    /// Bytes per pixel.
    channels: usize,
    windows: &'a [Window],
}

impl Images<'_> {
    /// Copies the contents of the window at `corner` along the axes from `axis` on; the rest is already zero.
    fn copy(&self, axis: usize, image: &[u8], corner: &[isize], out: &mut [u8]) {
        let (window, pixels) = (&self.windows[axis], self.space[axis]);
        let is_last = axis + 1 == self.windows.len();
        let (step, out_step) = (image.len() / pixels, out.len() / window.size);
        if is_last && window.rate == 1 {
            let start = corner[axis].max(0) as usize;
            let end = (corner[axis] + window.size as isize).clamp(0, pixels as isize) as usize;
            if start < end {
                let skipped = (start as isize - corner[axis]) as usize * self.channels;
                let bytes = &image[start * self.channels..end * self.channels];
                out[skipped..skipped + bytes.len()].copy_from_slice(bytes);
            }
            return;
        }
        for tap in 0..window.size {
            let at = corner[axis] + (tap * window.rate) as isize;
            let Some(at) = usize::try_from(at).ok().filter(|at| *at < pixels) else { continue };
            let (part, out) = (&image[at * step..(at + 1) * step], &mut out[tap * out_step..(tap + 1) * out_step]);
            if is_last { out.copy_from_slice(part) } else { self.copy(axis + 1, part, corner, out) }
        }
    }
}
