//! `FusedPadConv2D` and `FusedResizeAndPadConv2D`: a `Conv2D` of mirror-padded images, as TensorFlow's inference tools
//! leave it in graphs.

use super::conv2d::Conv2D;
use super::product::dispatch_operand;
use crate::prelude::*;
use levada_kernel::Pool;
use levada_ops_core::images::window::output_dim;

const DTYPES: &[DType] = &[DType::F16, DType::F32, DType::F64];
const MODES: &[&str] = &["REFLECT", "SYMMETRIC"];

attrs! {
    /// The attrs of convolutions of mirror-padded images.
    pub struct FusedPad {
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::F16, DType::BF16, DType::F32, DType::F64]),
        /// Whether to align the centres of the corner pixels when resizing.
        corners: bool = Attr::bool("resize_align_corners").or_bool(false),
        /// Whether the outermost pixels are mirrored too (`SYMMETRIC`) or not (`REFLECT`).
        mode: String = Attr::one_of("mode", MODES),
        /// As in `Conv2D`.
        strides: Vec<i64> = Attr::ints("strides"),
        /// `SAME` or `VALID`.
        padding: Bytes = Attr::one_of("padding", &["SAME", "VALID"]),
        /// Whether images are resized first.
        resizes: bool = Attr::bool("resizes").or_bool(false),
    }
}

const INPUT: Arg = arg("input", of("T"));
const PADDINGS: Arg = arg("paddings", is(DType::I32));
const OUTPUT: &[Arg] = &[arg("output", of("T"))];
const FILTER: Arg = arg("filter", of("T"));

const fn fused(name: &'static str) -> Def<FusedPad> {
    op(name).outputs(OUTPUT).shape(shape).kernel(convolve).heavy()
}

pub static FUSED_PAD_CONV2D: Def<FusedPad> = fused("FusedPadConv2D")
    .doc("Mirror-pads images by `paddings` and computes a `Conv2D` of the result.")
    .inputs(&[INPUT, PADDINGS, FILTER])
    .without(&["resize_align_corners"])
    .fixed(&[("resizes", AttrDefault::Bool(false))])
    .host_inputs(&[1]);

pub static FUSED_RESIZE_AND_PAD_CONV2D: Def<FusedPad> = fused("FusedResizeAndPadConv2D")
    .doc("Resizes images to `size` like `ResizeBilinear`, then computes a `FusedPadConv2D` of the result.")
    .inputs(&[INPUT, arg("size", is(DType::I32)), PADDINGS, FILTER])
    .attrs(&[Attr::dtype("T", DTYPES)])
    .fixed(&[("resizes", AttrDefault::Bool(true))])
    .host_inputs(&[1, 2]);

impl FusedPad {
    fn convolution(&self) -> Conv2D {
        Conv2D {
            dtype: self.dtype,
            strides: self.strides.clone(),
            use_cudnn_on_gpu: true,
            padding: self.padding.clone(),
            explicit_paddings: Vec::new(),
            data_format: Bytes::from_static(b"NHWC"),
            dilations: vec![1; 4],
        }
    }

    /// 1 if the outermost pixel is not mirrored.
    fn offset(&self) -> usize {
        usize::from(self.mode == "REFLECT")
    }
}

fn shape(op: &FusedPad, cx: &mut ShapeCx<'_>) -> Result<()> {
    let paddings = 1 + usize::from(op.resizes);
    let (input, filter) = (cx.with_rank(0, 4)?, cx.with_rank(paddings + 1, 4)?);
    cx.input(paddings).merge(&PartialShape::new([Some(4), Some(2)]))?;
    let size = if op.resizes { cx.constant_shape(1) } else { PartialShape::new([input.dim(1), input.dim(2)]) };
    let margins = cx.constant_i64s(paddings).filter(|margins| margins.len() == 8);
    let convolution = op.convolution();
    let slides = convolution.parameters().slides()?;
    let mut sizes = [None; 2];
    for (i, found) in sizes.iter_mut().enumerate() {
        let axis = margins.as_ref().and_then(|m| usize::try_from(m[2 * i + 2].checked_add(m[2 * i + 3])?).ok());
        let padded = size.dim(i as isize).zip(axis).and_then(|(size, margin)| size.checked_add(margin));
        let (stride, dilation, pad) = slides[1 + i];
        *found = output_dim(padded, filter.dim(i as isize), stride, dilation, pad)?;
    }
    PartialShape::vector(input.dim(3)).merge(&PartialShape::vector(filter.dim(2)))?;
    cx.output(0, PartialShape::new([input.dim(0), sizes[0], sizes[1], filter.dim(3)]));
    Ok(())
}

/// The source pixels along an axis for a pixel of the padded axis: the lower, the upper, and the interpolation weight
/// of the upper.
type Place = (usize, usize, f32);

/// Returns the source pixels for an axis of `size` pixels, resized to `resized`, with the padding `(before, after)`.
fn places(op: &FusedPad, size: usize, resized: usize, (before, after): (usize, usize)) -> Vec<Place> {
    let scale = match op.corners && resized > 1 {
        true => (size as f32 - 1.0) / (resized as f32 - 1.0),
        false => size as f32 / resized as f32,
    };
    let offset = op.offset();
    let place = |i: usize| {
        let i = match i.checked_sub(before) {
            None => before - 1 - i + offset,
            Some(i) if i < resized => i,
            Some(i) => 2 * resized - 1 - i - offset,
        };
        if !op.resizes {
            return (i, i, 0.0);
        }
        let at = i as f32 * scale;
        let (lower, upper) = (at.floor(), at.ceil());
        ((lower as usize).min(size - 1), (upper as usize).min(size - 1), at - lower)
    };
    (0..before + resized + after).map(place).collect()
}

/// Returns the padding of rows and columns.
fn margins(op: &FusedPad, paddings: &Tensor, sizes: [usize; 2]) -> Result<[(usize, usize); 2]> {
    let values = paddings.slice::<i32>()?;
    let (&[4, 2], &[a, b, top, bottom, left, right, c, d]) = (paddings.shape().dims(), values) else {
        return Err(Error::invalid("paddings must be a matrix of 4 rows and 2 columns").found(paddings.shape()));
    };
    if values.iter().any(|&v| v < 0) {
        return Err(Error::invalid("paddings must be non-negative").found(paddings));
    }
    for (pair, what) in [([a, b], "batches"), ([c, d], "channels")] {
        if pair != [0, 0] {
            let message = format!("Fused mirror padding only support spatial padding, not {what}");
            return Err(Error::invalid(message).found(paddings));
        }
    }
    let offset = op.offset();
    let margin = |size: usize, before: i32, after: i32| {
        let (before, after) = (before as usize, after as usize);
        if before.max(after) + offset > size {
            let than = if offset == 1 { "less than" } else { "no greater than" };
            return Err(Error::invalid(format!(
                "paddings must be {than} the dimension size: {before}, {after}, {size}"
            )));
        }
        Ok((before, after))
    };
    Ok([margin(sizes[0], top, bottom)?, margin(sizes[1], left, right)?])
}

fn convolve(op: &FusedPad, cx: &mut Cx<'_, '_>) -> Result<()> {
    let paddings = 1 + usize::from(op.resizes);
    let (input, filter) = (cx.input(0)?, cx.input(paddings + 1)?);
    let &[batch, height, width, channels] = input.shape().dims() else {
        return Err(Error::invalid("input must be 4-dimensional").found(format!("shape {}", input.shape())));
    };
    let [rows, columns] = match op.resizes {
        false => [height, width],
        true => {
            let size = cx.input(1)?;
            match size.slice::<i32>()? {
                &[h, w] if size.shape().rank() == 1 && h > 0 && w > 0 && height > 0 && width > 0 => {
                    [h as usize, w as usize]
                }
                _ => {
                    return Err(Error::invalid(
                        "images must not be empty, and their new height and width must be positive",
                    )
                    .expected("a vector of a height and a width")
                    .found(format!("{size} for images of shape {}", input.shape())));
                }
            }
        }
    };
    let [vertical, horizontal] = margins(op, cx.input(paddings)?, [rows, columns])?;
    let size = |axis: usize, (before, after): (usize, usize)| {
        before.checked_add(after).and_then(|margin| margin.checked_add(axis))
    };
    let (Some(padded_rows), Some(padded_columns)) = (size(rows, vertical), size(columns, horizontal)) else {
        return Err(Error::invalid("the padding is too large").found(cx.input(paddings)?));
    };
    let shape = Shape::new([batch, padded_rows, padded_columns, channels])?;
    let convolution = op.convolution().convolution(&shape, filter.shape())?;
    if convolution.groups != 1 {
        return Err(Error::invalid("input and filter must have the same depth")
            .expected(channels)
            .found(format!("a filter of shape {}", filter.shape())));
    }
    let mut padded = cx.alloc(op.dtype, &shape)?;
    let axes = [places(op, height, rows, vertical), places(op, width, columns, horizontal)];
    dispatch!(op.dtype, floats, |T| {
        fill::<T>(cx.pool(), input.slice()?, [height, width, channels], &axes, op.resizes, padded.slice_mut()?);
    }, else return unsupported(cx, op.dtype));
    let out = dispatch_operand!(op.dtype, |T| convolution.forward::<T>(cx, &padded, filter, None, None))?;
    cx.set(0, out);
    Ok(())
}

/// Writes padded images whose rows and columns come from these source pixels.
fn fill<T: Real>(
    pool: &Pool,
    from: &[T],
    [height, width, channels]: [usize; 3],
    [rows, columns]: &[Vec<Place>; 2],
    resizes: bool,
    out: &mut [T],
) {
    let line = (columns.len() * channels).max(1);
    pool.for_chunks(out, line, line as f64, |first, piece| {
        for (i, out) in piece.chunks_exact_mut(line).enumerate() {
            let (image, y) = ((first + i) / rows.len(), (first + i) % rows.len());
            let (upper, lower, down) = rows[y];
            let [upper, lower] = [upper, lower].map(|y| &from[(image * height + y) * width * channels..]);
            for (out, &(left, right, across)) in out.chunks_exact_mut(channels.max(1)).zip(columns) {
                if !resizes {
                    out.copy_from_slice(&upper[left * channels..][..channels]);
                    continue;
                }
                for (c, out) in out.iter_mut().enumerate() {
                    let [l, r] = [left, right].map(|x| x * channels + c);
                    let [tl, tr, bl, br] = [upper[l], upper[r], lower[l], lower[r]].map(Real::to_f64);
                    let mix = |a: f64, b: f64, part: f32| a + (b - a) * f64::from(part);
                    *out = T::from_f64(mix(mix(tl, tr, across), mix(bl, br, across), down));
                }
            }
        }
    });
}
