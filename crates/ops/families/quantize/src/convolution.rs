//! `QuantizedConv2D`: convolution of quantized images.

use crate::code::{from_float_unclamped, range_of_products};
use crate::prelude::*;
use crate::product::{Rows, multiply};
use crate::window::{count, count_of, four};
use crate::{QUANTIZED, range, range_outputs, set_range};

attrs! {
    /// Convolves quantized images with quantized filters. The result is qint32, in a range wide enough for all
    /// products.
    pub struct QuantizedConv2D {
        /// Quantized type of `input`.
        images: DType = Attr::dtype("Tinput", QUANTIZED),
        /// Quantized type of `filter`.
        filters: DType = Attr::dtype("Tfilter", QUANTIZED),
        /// Quantized type of the output.
        to: DType = Attr::dtype("out_type", QUANTIZED).or_type(DType::QI32),
        /// Strides of the filter: 1 for the batch and the channels, the same for rows and columns.
        strides: Vec<i64> = Attr::ints("strides"),
        /// `SAME` to pad the images with zeros, `VALID` for no padding.
        padding: String = Attr::one_of("padding", &["SAME", "VALID"]),
        /// Dilations of the filter, which must be 1.
        dilations: Vec<i64> = Attr::ints("dilations").or_ints(&[1, 1, 1, 1]),
    }
}

pub static QUANTIZED_CONV2D: Def<QuantizedConv2D> = op::<QuantizedConv2D>("QuantizedConv2D")
    .inputs(&[
        arg("input", of("Tinput")),
        arg("filter", of("Tfilter")),
        arg("min_input", is(DType::F32)),
        arg("max_input", is(DType::F32)),
        arg("min_filter", is(DType::F32)),
        arg("max_filter", is(DType::F32)),
    ])
    .outputs(&[arg("output", of("out_type")), arg("min_output", is(DType::F32)), arg("max_output", is(DType::F32))])
    .shape(|op, cx| {
        let (images, filters) = (cx.with_rank(0, 4)?, cx.with_rank(1, 4)?);
        PartialShape::vector(images.dim(3)).merge(&PartialShape::vector(filters.dim(2)))?;
        let (stride, same) = (op.stride()?, op.padding == "SAME");
        let size = |axis: isize| count_of(images.dim(axis), filters.dim(axis - 1), stride, same);
        let shape = PartialShape::new([images.dim(0), size(1), size(2), filters.dim(3)]);
        cx.output(0, shape);
        range_outputs(cx);
        Ok(())
    })
    .flops(|_, inputs, outputs| {
        let (filters, out) = (inputs.get(1)?.known()?, outputs.first()?.known()?);
        Some(2.0 * out.num_elements() as f64 * filters.dims().get(..3)?.iter().product::<usize>() as f64)
    })
    .kernel(convolve)
    .heavy()
    .supports(|op| (op.images, op.filters, op.to) == (DType::QU8, DType::QU8, DType::QI32));

impl QuantizedConv2D {
    fn stride(&self) -> Result<usize> {
        let [batch, rows, columns, channels] = four("strides", &self.strides)?;
        if rows != columns || batch != 1 || channels != 1 {
            return Err(Error::invalid(
                "strides must be the same for rows and columns, and 1 for the batch and the channels",
            )
            .attr("strides")
            .found(format!("{:?}", self.strides)));
        }
        if self.dilations.iter().any(|&d| d != 1) {
            return Err(Error::invalid("dilations must be 1").attr("dilations").found(format!("{:?}", self.dilations)));
        }
        Ok(rows)
    }
}

/// Maximum number of codes in the patches held in memory at the same time.
const CHUNK: usize = 1 << 22;

fn convolve(op: &QuantizedConv2D, cx: &mut Cx<'_, '_>) -> Result<()> {
    let stride = op.stride()?;
    let dims = |i: usize, what: &str| -> Result<[usize; 4]> {
        let shape = cx.input(i)?.shape();
        shape.dims().try_into().map_err(|_| Error::invalid(format!("{what} must be 4-dimensional")).found(shape))
    };
    let ([batch, height, width, depth], [rows, columns, inner, filters]) = (dims(0, "input")?, dims(1, "filter")?);
    if depth != inner {
        return Err(Error::invalid("input and filter must have the same depth").expected(depth).found(inner));
    }
    let (range_a, range_b) = (range(cx, 2)?, range(cx, 4)?);
    let same = op.padding == "SAME";
    let (out_rows, out_columns) = (count(height, rows, stride, same), count(width, columns, stride, same));
    let shape = Shape::new([batch, out_rows, out_columns, filters])?;
    if shape.num_elements() == 0 || rows * columns == 0 {
        return Err(Error::invalid("the output of the convolution would have no elements").found(shape));
    }
    let before = |output: usize, window: usize, input: usize| {
        let reach = (output - 1) * stride + window;
        if same { (reach as isize - input as isize) / 2 } else { 0 }
    };
    let (top, left) = (before(out_rows, rows, height), before(out_columns, columns, width));
    let zero = |range| from_float_unclamped::<u8>(0.0, range) as i32;
    let (zero_a, zero_b) = (zero(range_a), zero(range_b));
    // Padding is the code of zero; if zero is above all codes, the low bits of its code.
    let outside = if zero_a < 0 { 0 } else { i32::from(zero_a as u8).wrapping_sub(zero_a) };
    let patch = rows * columns * depth;
    let pixels = out_rows * out_columns;
    let place = |at: usize| (at / pixels, at / out_columns % out_rows, at % out_columns);
    cx.produce::<i32>(0, &shape, |cx, out| {
        let images = cx.slice::<u8>(0)?;
        // Calls `write` for each pixel of a patch with its position in the patch and, if it is inside the image, its
        // codes.
        let each = |at: usize, write: &mut dyn FnMut(usize, Option<&[u8]>)| {
            let (image, y, x) = place(at);
            for (i, (dy, dx)) in (0..rows).flat_map(|dy| (0..columns).map(move |dx| (dy, dx))).enumerate() {
                let (y, x) = ((y * stride + dy) as isize - top, (x * stride + dx) as isize - left);
                let inside = (0..height as isize).contains(&y) && (0..width as isize).contains(&x);
                let first = |()| ((image * height + y as usize) * width + x as usize) * depth;
                write(i * depth, inside.then_some(()).map(first).map(|first| &images[first..first + depth]));
            }
        };
        let (Ok(small_zero), Ok(small_outside)) = (i16::try_from(zero_a), i16::try_from(outside)) else {
            return one_by_one(cx, &each, [zero_a, zero_b, outside], out);
        };
        let filters_as_rows = Rows::new(cx.slice::<u8>(1)?, true, [filters, patch], zero_b);
        let at_once = (CHUNK / patch.max(1)).clamp(1, batch * pixels);
        let mut patches = vec![0i16; at_once * patch];
        for (chunk, out) in out.chunks_mut(at_once * filters).enumerate() {
            let patches = &mut patches[..out.len() / filters * patch];
            cx.pool().for_chunks(patches, patch, patch as f64, |first, patches| {
                for (i, patch) in patches.chunks_exact_mut(patch).enumerate() {
                    each(chunk * at_once + first + i, &mut |at, codes| match codes {
                        Some(codes) => {
                            patch[at..]
                                .iter_mut()
                                .zip(codes)
                                .for_each(|(to, &code)| *to = i16::from(code).wrapping_sub(small_zero));
                        }
                        None => patch[at..at + depth].fill(small_outside),
                    });
                }
            });
            multiply(cx.pool(), &Rows::of((&*patches).into(), patch, 0), &filters_as_rows, filters, out);
        }
        Ok(())
    })?;
    set_range(cx, range_of_products::<u8, u8>(range_a, range_b));
    Ok(())
}

/// Enumerates the pixels of a patch; see `each` in the caller.
type Patch<'a> = dyn Fn(usize, &mut dyn FnMut(usize, Option<&[u8]>)) + 'a;

/// The convolution for differences from zero that need more than 16 bits.
fn one_by_one(cx: &Cx<'_, '_>, each: &Patch<'_>, [zero_a, zero_b, outside]: [i32; 3], out: &mut [i32]) -> Result<()> {
    let codes = cx.slice::<u8>(1)?;
    let &[_, _, depth, filters] = cx.input(1)?.shape().dims() else {
        return Err(Error::internal("filters that are not 4-dimensional"));
    };
    for (at, out) in out.chunks_exact_mut(filters).enumerate() {
        out.fill(0);
        each(at, &mut |first, pixel| {
            for c in 0..depth {
                let value = pixel.map_or(outside, |pixel| i32::from(pixel[c]).wrapping_sub(zero_a));
                for (out, &code) in out.iter_mut().zip(&codes[(first + c) * filters..][..filters]) {
                    *out = out.wrapping_add(value.wrapping_mul(i32::from(code).wrapping_sub(zero_b)));
                }
            }
        });
    }
    Ok(())
}
