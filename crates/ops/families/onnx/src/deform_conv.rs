//! `DeformConv` of ONNX.

use crate::base::{Base, Inputs, buffer, check, product, read, sizes, write};
use crate::prelude::*;
use crate::windows::Slide;
use levada_gemm::{Mat, Size, multiply};

attrs! {
    /// `DeformConv` of ONNX: a deformable convolution, in which each sampled element is displaced by an offset and
    /// optionally weighted by a mask.
    pub struct OnnxDeformConv {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// 1 if `B` is given, otherwise 0.
        bias: i64 = Attr::int("num_B").or_int(0).at_least(0),
        /// 1 if `mask` is given, otherwise 0.
        mask: i64 = Attr::int("num_mask").or_int(0).at_least(0),
        /// Dilation of the window along each spatial axis.
        dilations: Vec<i64> = Attr::ints("dilations").or_empty(),
        /// Number of channel groups.
        group: i64 = Attr::int("group").or_int(1).at_least(1),
        /// Number of channel groups with separate offsets.
        offset_group: i64 = Attr::int("offset_group").or_int(1).at_least(1),
        /// Padding before each spatial axis, followed by the padding after each.
        pads: Vec<i64> = Attr::ints("pads").or_empty(),
        /// Stride along each spatial axis.
        strides: Vec<i64> = Attr::ints("strides").or_empty(),
    }
}

impl OnnxDeformConv {
    fn slide<'a>(&'a self, kernel: &'a [i64]) -> Slide<'a> {
        Slide {
            kernel,
            strides: &self.strides,
            dilations: &self.dilations,
            pads: &self.pads,
            auto_pad: "NOTSET",
            ceil: false,
        }
    }
}

pub static ONNX_DEFORM_CONV: Def<OnnxDeformConv> = op("OnnxDeformConv")
    .inputs(&[
        arg("X", of("T")),
        arg("W", of("T")),
        arg("offset", of("T")),
        arg("B", of("T")).times("num_B"),
        arg("mask", of("T")).times("num_mask"),
    ])
    .outputs(&[arg("Y", of("T"))])
    .shape(|op: &OnnxDeformConv, cx| {
        let Some(w) = cx.input(1).known().filter(|w| w.rank() == 4) else { return Ok(()) };
        let kernel = [w[2] as i64, w[3] as i64];
        let shape = op.slide(&kernel).shape(&cx.input(0), Some(Some(w[0])))?;
        cx.output(0, shape);
        Ok(())
    })
    .kernel(|op, cx| in_base!(op.dtype, |B| op.run::<B>(cx)))
    .heavy();

/// Bilinear interpolation at a position between elements, with zeros outside.
fn bilinear<B: Base>(plane: &[B], (height, width): (usize, usize), y: B, x: B) -> B {
    let zero = B::of(0.0);
    let (h, w) = (B::of(height as f64), B::of(width as f64));
    if !(y > B::of(-1.0) && x > B::of(-1.0) && y < h && x < w) {
        return zero;
    }
    let (top, left) = (y.floor(), x.floor());
    let (dy, dx) = (y - top, x - left);
    let (top, left) = (top.wide() as isize, left.wide() as isize);
    let at = |row: isize, col: isize| {
        let inside = row >= 0 && col >= 0 && (row as usize) < height && (col as usize) < width;
        if inside { plane[row as usize * width + col as usize] } else { zero }
    };
    let one = B::of(1.0);
    (one - dy) * ((one - dx) * at(top, left) + dx * at(top, left + 1))
        + dy * ((one - dx) * at(top + 1, left) + dx * at(top + 1, left + 1))
}

impl OnnxDeformConv {
    fn run<B: Base>(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        if cx.input(0)?.shape().rank() != 4 {
            return Err(Error::unimplemented("DeformConv of other than two spatial axes is not supported")
                .expected("rank 4")
                .found(cx.input(0)?.shape()));
        }
        let [batch, channels, height, width] = sizes(cx, 0, "X")?;
        let [filters, depth, rows, cols] = sizes(cx, 1, "W")?;
        let kernel = [rows as i64, cols as i64];
        let axes = self.slide(&kernel).axes(&[height, width])?;
        let mut inputs = Inputs::from(3);
        let bias = inputs.optional("num_B", self.bias)?;
        let mask = inputs.optional("num_mask", self.mask)?;
        let size = |n: i64| usize::try_from(n).unwrap_or(usize::MAX);
        let (groups, parts) = (size(self.group), size(self.offset_group));
        if depth.checked_mul(groups) != Some(channels)
            || !filters.is_multiple_of(groups)
            || !channels.is_multiple_of(parts)
            || parts > channels
        {
            return Err(Error::invalid("the channels do not agree with the filters and groups").attr("group"));
        }
        let (out_h, out_w, taps) = (axes[0].output, axes[1].output, rows * cols);
        let whole = Shape::new([batch, filters, out_h, out_w])?;
        check(cx, 2, "offset", &[batch, parts * 2 * taps, out_h, out_w])?;
        if let Some(at) = mask {
            check(cx, at, "mask", &[batch, parts * taps, out_h, out_w])?;
        }
        if let Some(at) = bias {
            check(cx, at, "B", &[filters])?;
        }
        let (x, w, offset) = (read::<B>(cx.input(0)?)?, read::<B>(cx.input(1)?)?, read::<B>(cx.input(2)?)?);
        let mask = mask.map(|at| read::<B>(cx.input(at)?)).transpose()?;
        let bias = bias.map(|at| read::<B>(cx.input(at)?)).transpose()?;
        let n = out_h * out_w;
        let (m, k) = (filters / groups, depth * taps);
        let mut columns = buffer::<B>(cx, product(&[channels, taps, n])?)?;
        let mut y = buffer::<B>(cx, whole.num_elements())?;
        for (image, out) in y.chunks_exact_mut((filters * n).max(1)).enumerate() {
            if n == 0 {
                break;
            }
            cx.pool().for_chunks(&mut columns, n, n as f64 * 10.0, |first, piece| {
                for (i, column) in piece.chunks_exact_mut(n).enumerate() {
                    let (channel, tap) = ((first + i) / taps, (first + i) % taps);
                    let part = channel / (channels / parts);
                    let plane = &x[(image * channels + channel) * height * width..][..height * width];
                    let moved = &offset[((image * parts + part) * 2 * taps + 2 * tap) * n..][..2 * n];
                    let mask = mask.as_ref().map(|mask| &mask[((image * parts + part) * taps + tap) * n..][..n]);
                    for (at, out) in column.iter_mut().enumerate() {
                        let along = |axis: usize, o: usize, k: usize| {
                            let axis = &axes[axis];
                            B::of((o * axis.stride + k * axis.dilation) as f64 - axis.before as f64)
                        };
                        let y = along(0, at / out_w, tap / cols) + moved[at];
                        let x = along(1, at % out_w, tap % cols) + moved[n + at];
                        let value = bilinear(plane, (height, width), y, x);
                        *out = mask.map_or(value, |mask| value * mask[at]);
                    }
                }
            });
            for group in 0..groups {
                let (filter, column) = (&w[group * m * k..], &columns[group * k * n..]);
                let out = &mut out[group * m * n..][..m * n];
                multiply(cx.pool(), Size { m, n, k }, Mat::new(filter, k), Mat::new(column, n), out)?;
            }
            if let Some(bias) = &bias {
                for (row, &b) in out.chunks_exact_mut(n).zip(bias.iter()) {
                    row.iter_mut().for_each(|v| *v = *v + b);
                }
            }
        }
        let y = write(cx, self.dtype, &whole, y)?;
        cx.set(0, y);
        Ok(())
    }
}
