//! `QuantizedAvgPool` and `QuantizedMaxPool`: pooling of quantized images.

use crate::code::Code;
use crate::prelude::*;
use crate::window::{Axis, count_of, four};
use crate::{QUANTIZED, range, range_outputs, set_range};

attrs! {
    /// The attrs of quantized pooling.
    pub struct QuantizedPool {
        /// Quantized type.
        dtype: DType = Attr::dtype("T", QUANTIZED),
        /// Size of a window along each axis.
        ksize: Vec<i64> = Attr::ints("ksize"),
        /// Stride of the window along each axis.
        strides: Vec<i64> = Attr::ints("strides"),
        /// `SAME` for windows that may extend beyond the image, `VALID` for windows inside it.
        padding: String = Attr::one_of("padding", &["SAME", "VALID"]),
    }
}

const INPUTS: &[Arg] = &[arg("input", of("T")), arg("min_input", is(DType::F32)), arg("max_input", is(DType::F32))];
const OUTPUTS: &[Arg] = &[arg("output", of("T")), arg("min_output", is(DType::F32)), arg("max_output", is(DType::F32))];

const fn pool(name: &'static str, kernel: fn(&QuantizedPool, &mut Cx<'_, '_>) -> Result<()>) -> Def<QuantizedPool> {
    op::<QuantizedPool>(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .shape(|op, cx| {
            let images = cx.with_rank(0, 4)?;
            let (window, stride, same) =
                (four("ksize", &op.ksize)?, four("strides", &op.strides)?, op.padding == "SAME");
            let size = |axis: usize| count_of(images.dim(axis as isize), Some(window[axis]), stride[axis], same);
            let channels = images.dim(3).map(|c| c / window[3]);
            cx.output(0, PartialShape::new([images.dim(0), size(1), size(2), channels]));
            range_outputs(cx);
            Ok(())
        })
        .kernel(kernel)
        .heavy()
        .supports(|op| matches!(op.dtype, DType::QU8 | DType::QI8))
}

pub static QUANTIZED_AVG_POOL: Def<QuantizedPool> = pool("QuantizedAvgPool", |op, cx| match op.dtype {
    DType::QU8 => pooled::<u8>(op, cx, false),
    _ => pooled::<i8>(op, cx, false),
})
.doc("Returns the mean of the quantized values in each window, rounded towards zero.");

pub static QUANTIZED_MAX_POOL: Def<QuantizedPool> = pool("QuantizedMaxPool", |op, cx| match op.dtype {
    DType::QU8 => pooled::<u8>(op, cx, true),
    _ => pooled::<i8>(op, cx, true),
})
.doc("Returns the maximum of the quantized values in each window.");

fn pooled<T: Code>(op: &QuantizedPool, cx: &mut Cx<'_, '_>, max: bool) -> Result<()> {
    let range = range(cx, 1)?;
    let (window, stride, same) = (four("ksize", &op.ksize)?, four("strides", &op.strides)?, op.padding == "SAME");
    if window[0] != 1 || stride[0] != 1 {
        return Err(Error::unimplemented("Pooling is not yet supported on the batch dimension").attr("ksize"));
    }
    let shape = cx.input(0)?.shape();
    let &[batch, height, width, depth] = shape.dims() else {
        return Err(Error::invalid("the images must have 2 spatial dimensions").expected("rank 4").found(shape));
    };
    let group = window[3];
    let flat = window[1] == 1 && window[2] == 1;
    if group != 1 && (!max || !flat || stride[3] != group || depth % group != 0) {
        return Err(Error::unimplemented(
            "pooling over channels is supported only by QuantizedMaxPool, alone, in groups",
        )
        .attr("ksize")
        .found(format!("{:?}", op.ksize)));
    }
    let (rows, columns) = (Axis::new(height, window[1], stride[1], same), Axis::new(width, window[2], stride[2], same));
    let channels = depth / group;
    let out = Shape::new([batch, rows.output, columns.output, channels])?;
    let nanos = (window[1].min(height) * window[2].min(width) * depth) as f64 + 10.0;
    cx.produce::<T>(0, &out, |cx, out| {
        let codes = cx.slice::<T>(0)?;
        cx.pool().for_chunks(out, channels, nanos, |first, out| {
            if max && group == 1 {
                return vectorized!(largest(codes, [height, width], &rows, &columns, first, out, channels));
            }
            let mut sums = vec![0i64; channels];
            for (i, out) in out.chunks_exact_mut(channels).enumerate() {
                let at = first + i;
                let (image, y, x) =
                    (at / (rows.output * columns.output), at / columns.output % rows.output, at % columns.output);
                let (ys, xs) = (rows.covered(y), columns.covered(x));
                let pixels = ys.len() * xs.len();
                sums.fill(if max { T::SMALLEST } else { 0 });
                for y in ys {
                    let row = &codes[((image * height + y) * width + xs.start) * depth..][..xs.len() * depth];
                    for pixel in row.chunks_exact(depth) {
                        for (sum, codes) in sums.iter_mut().zip(pixel.chunks_exact(group)) {
                            for code in codes {
                                *sum = if max { code.wide().max(*sum) } else { *sum + code.wide() };
                            }
                        }
                    }
                }
                let count = if max { 1 } else { pixels.max(1) as i64 };
                out.iter_mut().zip(&sums).for_each(|(out, &sum)| *out = T::wrap(sum / count));
            }
        });
        Ok(())
    })?;
    set_range(cx, range);
    Ok(())
}

/// The maxima of the windows, starting at `first`.
#[inline(always)]
fn largest<T: Code>(
    codes: &[T],
    [height, width]: [usize; 2],
    rows: &Axis,
    columns: &Axis,
    first: usize,
    out: &mut [T],
    depth: usize,
) {
    for (i, out) in out.chunks_exact_mut(depth).enumerate() {
        let at = first + i;
        let (image, y, x) =
            (at / (rows.output * columns.output), at / columns.output % rows.output, at % columns.output);
        out.fill(T::wrap(T::SMALLEST));
        for y in rows.covered(y) {
            for x in columns.covered(x) {
                let pixel = &codes[((image * height + y) * width + x) * depth..][..depth];
                out.iter_mut().zip(pixel).for_each(|(out, &code)| *out = code.max(*out));
            }
        }
    }
}
