//! `MatMulInteger` and `ConvInteger` of ONNX: exact products of quantized values.

use crate::base::{Inputs, product};
use crate::prelude::*;
use crate::windows::{AUTO_PAD, Axis, Slide, outputs, positions};
use levada_gemm::int8::{Isa, Lines, PANEL, Packed, Place, Tile, multiply};
use levada_ops_core::constant::Cache;
use std::borrow::Cow;
use std::sync::Arc;

const BYTES: &[DType] = &[DType::I8, DType::U8];

attrs! {
    /// `MatMulInteger` of ONNX: the product of `A - a_zero_point` and `B - b_zero_point`, with NumPy's `matmul`
    /// semantics.
    pub struct OnnxMatMulInteger {
        /// Element type of `A`.
        a: DType = Attr::dtype("T1", BYTES),
        /// Element type of `B`.
        b: DType = Attr::dtype("T2", BYTES),
        /// 1 if `a_zero_point` is given, otherwise 0.
        a_zero: i64 = Attr::int("num_a_zero_point").or_int(0).at_least(0),
        /// 1 if `b_zero_point` is given, otherwise 0.
        b_zero: i64 = Attr::int("num_b_zero_point").or_int(0).at_least(0),
    }
}

attrs! {
    /// `ConvInteger` of ONNX: the convolution of `x - x_zero_point` with `w - w_zero_point`.
    pub struct OnnxConvInteger {
        /// Element type of `x`.
        x: DType = Attr::dtype("T1", BYTES),
        /// Element type of `w`.
        w: DType = Attr::dtype("T2", BYTES),
        /// 1 if `x_zero_point` is given, otherwise 0.
        x_zero: i64 = Attr::int("num_x_zero_point").or_int(0).at_least(0),
        /// 1 if `w_zero_point` is given, otherwise 0.
        w_zero: i64 = Attr::int("num_w_zero_point").or_int(0).at_least(0),
        /// Automatic padding mode; `NOTSET` uses `pads`.
        auto_pad: String = Attr::one_of("auto_pad", AUTO_PAD).or_str("NOTSET"),
        /// Dilation of the window along each spatial axis.
        dilations: Vec<i64> = Attr::ints("dilations").or_empty(),
        /// Number of channel groups.
        group: i64 = Attr::int("group").or_int(1).at_least(1),
        /// Padding before each spatial axis, followed by the padding after each.
        pads: Vec<i64> = Attr::ints("pads").or_empty(),
        /// Stride along each spatial axis.
        strides: Vec<i64> = Attr::ints("strides").or_empty(),
    }
}

/// Codes that are read past the end of the last row.
const SPARE: usize = 4;

/// The elements as uint8 codes, and what was added to them.
fn codes(tensor: &Tensor) -> Result<(Cow<'_, [u8]>, i32)> {
    match tensor.dtype() {
        DType::U8 => Ok((tensor.slice::<u8>()?.into(), 0)),
        _ => Ok((tensor.slice::<i8>()?.iter().map(|&v| v as u8 ^ 0x80).collect::<Vec<u8>>().into(), 128)),
    }
}

/// The elements as int8 weights, and what was subtracted from them.
fn signed(tensor: &Tensor) -> Result<(Cow<'_, [i8]>, i32)> {
    match tensor.dtype() {
        DType::I8 => Ok((tensor.slice::<i8>()?.into(), 0)),
        _ => Ok((tensor.slice::<u8>()?.iter().map(|&v| (v ^ 0x80) as i8).collect::<Vec<i8>>().into(), 128)),
    }
}

/// The zero points from input `at`, plus `shift`: one for each of `each` rows or columns of all matrices, `all` in total.
/// They may be given once, for a matrix, or for all of them.
fn zeros(cx: &Cx<'_, '_>, at: Option<usize>, shift: i32, each: usize, all: usize) -> Result<Vec<i32>> {
    let Some(at) = at else { return Ok(vec![shift; all]) };
    let given = cx.i64s(at)?;
    let n = given.len();
    if n != 1 && n != each && n != all {
        return Err(Error::invalid("a zero point has the wrong shape")
            .expected(format!("one number, or {each}"))
            .found(cx.input(at)?.shape()));
    }
    Ok((0..all).map(|i| given[i % n] as i32 + shift).collect())
}

/// Writes the products of rows of codes, each minus the zero point of its row, and of weights, each minus the zero point of
/// its column: exact, modulo 2 to the power of 32.
///
/// # Errors
/// `INTERNAL` if a row exceeds the codes, or the results do not fit.
fn multiply_exactly(
    cx: &Cx<'_, '_>,
    lines: &Lines<'_, impl Fn(usize, &mut [usize]) + Sync>,
    (weights, [pieces, depth]): (&Packed, [usize; 2]),
    (row_zero, column_zeros): (impl Fn(usize) -> i32 + Sync, &[i32]),
    place: Place<'_, i32>,
) -> Result<()> {
    // (code - a) (weight - b) = code * weight - a * weight - b * code + a * b
    let sums: Vec<i32> = match column_zeros.iter().all(|zero| *zero == 0) {
        true => Vec::new(),
        false => {
            let sum = |row: usize| {
                let mut starts = vec![0; pieces];
                (lines.starts)(row, &mut starts);
                let piece = |at: &usize| {
                    lines.codes[*at..][..depth].iter().fold(0i32, |sum, &code| sum.wrapping_add(code.into()))
                };
                starts.iter().map(piece).fold(0, i32::wrapping_add)
            };
            (0..lines.rows).map(sum).collect()
        }
    };
    let count = (pieces * depth) as i32;
    let rest = |(sum, zero): (&i32, &i32)| sum.wrapping_sub(count.wrapping_mul(*zero));
    let rests: Vec<i32> = weights.sums().iter().zip(column_zeros).map(rest).collect();
    let finish = |tile: &Tile<'_>, out: &mut [i32], width: usize| {
        let columns = tile.column..tile.column + tile.columns;
        vectorized!({
            for i in 0..tile.rows {
                let zero = row_zero(tile.row + i);
                let (out, found) = (&mut out[i * width..][..tile.columns], &tile.sums[i * PANEL..][..tile.columns]);
                for ((out, sum), rest) in out.iter_mut().zip(found).zip(&rests[columns.clone()]) {
                    *out = sum.wrapping_sub(zero.wrapping_mul(*rest));
                }
                if let Some(sum) = sums.get(tile.row + i) {
                    for (out, zero) in out.iter_mut().zip(&column_zeros[columns.clone()]) {
                        *out = out.wrapping_sub(sum.wrapping_mul(*zero));
                    }
                }
            }
        });
    };
    multiply(cx.pool(), lines, weights, place, &finish)
}

pub static ONNX_MAT_MUL_INTEGER: Def<OnnxMatMulInteger> = op("OnnxMatMulInteger")
    .inputs(&[
        arg("A", of("T1")),
        arg("B", of("T2")),
        arg("a_zero_point", of("T1")).times("num_a_zero_point"),
        arg("b_zero_point", of("T2")).times("num_b_zero_point"),
    ])
    .outputs(&[arg("Y", is(DType::I32))])
    .shape(onnx_mat_mul_integer_shape)
    .kernel(onnx_mat_mul_integer)
    .heavy();

fn onnx_mat_mul_integer_shape(_: &OnnxMatMulInteger, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (a, b) = (cx.input(0), cx.input(1));
    let (Some(x), Some(y)) = (a.dims(), b.dims()) else { return Ok(()) };
    let (x, y) = (x.len(), y.len());
    if x < 2 || y < 2 {
        return Ok(());
    }
    let batch = PartialShape::new(a.dims().unwrap_or(&[])[..x - 2].iter().copied())
        .broadcast(&PartialShape::new(b.dims().unwrap_or(&[])[..y - 2].iter().copied()))?;
    cx.output(0, batch.concat(&PartialShape::new([a.dim(-2), b.dim(-1)])));
    Ok(())
}

fn onnx_mat_mul_integer(op: &OnnxMatMulInteger, cx: &mut Cx<'_, '_>) -> Result<()> {
    let mut inputs = Inputs::from(2);
    let a_zero = inputs.optional("num_a_zero_point", op.a_zero)?;
    let b_zero = inputs.optional("num_b_zero_point", op.b_zero)?;
    let (left, right) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone());
    if left.is_scalar() || right.is_scalar() {
        return Err(Error::invalid("the factors of a matrix product must not be scalars"));
    }
    // Vectors are treated as a row and a column, whose extra axes are removed from the result.
    let two = |shape: &Shape, row: bool| match *shape.dims() {
        [n] if row => vec![1, n],
        [n] => vec![n, 1],
        ref dims => dims.to_vec(),
    };
    let (a, b) = (two(&left, true), two(&right, false));
    let ((a_batch, a_size), (b_batch, b_size)) = (a.split_at(a.len() - 2), b.split_at(b.len() - 2));
    let (m, k, n) = (a_size[0], a_size[1], b_size[1]);
    if b_size[0] != k {
        return Err(Error::invalid("the sizes of the matrices do not agree")
            .expected(format!("{k} rows in B"))
            .found(format!("{left} and {right}")));
    }
    let (a_batch, b_batch) = (Shape::new(a_batch.iter().copied())?, Shape::new(b_batch.iter().copied())?);
    let batch = a_batch.broadcast(&b_batch)?;
    let whole = Shape::new(batch.iter().copied().chain([m, n]))?;
    let cache = Cache::of_constant(cx, 1)?;
    let (rows, weights) = (cx.input(0)?, cx.input(1)?);
    let (codes, added) = codes(rows)?;
    let (signed, subtracted) = signed(weights)?;
    let (matrices, others) = (a_batch.num_elements(), b_batch.num_elements());
    let a_zeros = zeros(cx, a_zero, added, m, matrices * m)?;
    let b_zeros = zeros(cx, b_zero, -subtracted, n, others * n)?;
    let pack = || {
        let matrix = |i: usize| Packed::modular(Isa::best(), &signed[i * k * n..][..k * n], [1, k, n], n);
        (0..others).map(matrix).collect::<Result<Vec<Packed>>>()
    };
    let packed = match &cache {
        Some(cache) => cache.get(weights, 0, pack)?,
        None => Arc::new(pack()?),
    };
    product(&[batch.num_elements(), m, n])?;
    let codes = match k.is_multiple_of(SPARE) {
        true => codes,
        false => codes.iter().copied().chain([0; SPARE]).collect::<Vec<u8>>().into(),
    };
    let mut out = cx.zeros(DType::I32, &whole)?;
    if whole.num_elements() > 0 && k > 0 {
        let (a_at, b_at) = (strides_to(&a_batch, &batch), strides_to(&b_batch, &batch));
        let c = out.slice_mut::<i32>()?;
        let mut next = c.chunks_exact_mut(m * n);
        let mut failed = Ok(());
        positions(&batch, |at| {
            let place = |strides: &[usize]| at.iter().zip(strides).map(|(i, s)| i * s).sum::<usize>();
            let (a, b) = (place(&a_at), place(&b_at));
            if let (Some(c), Ok(())) = (next.next(), &failed) {
                let starts = |row: usize, starts: &mut [usize]| starts[0] = (a * m + row) * k;
                let lines = Lines { codes: &codes, rows: m, starts };
                let zeros = (|row: usize| a_zeros[a * m + row], &b_zeros[b * n..][..n]);
                let place = Place { out: c, width: n, column: 0 };
                failed = multiply_exactly(cx, &lines, (&packed[b], [1, k]), zeros, place);
            }
        });
        failed?;
    }
    let shown = batch.iter().copied().chain((left.rank() > 1).then_some(m)).chain((right.rank() > 1).then_some(n));
    let out = out.reshaped(Shape::new(shown)?)?;
    cx.set(0, out);
    Ok(())
}

/// The strides of `part` for the axes of `whole`, to which it broadcasts.
fn strides_to(part: &Shape, whole: &Shape) -> Vec<usize> {
    let (skip, strides) = (whole.rank() - part.rank(), part.strides());
    (0..whole.rank()).map(|i| if i < skip || part[i - skip] == 1 { 0 } else { strides[i - skip] }).collect()
}

impl OnnxConvInteger {
    fn slide<'a>(&'a self, kernel: &'a [i64]) -> Slide<'a> {
        Slide {
            kernel,
            strides: &self.strides,
            dilations: &self.dilations,
            pads: &self.pads,
            auto_pad: &self.auto_pad,
            ceil: false,
        }
    }
}

pub static ONNX_CONV_INTEGER: Def<OnnxConvInteger> = op("OnnxConvInteger")
    .inputs(&[
        arg("x", of("T1")),
        arg("w", of("T2")),
        arg("x_zero_point", of("T1")).times("num_x_zero_point"),
        arg("w_zero_point", of("T2")).times("num_w_zero_point"),
    ])
    .outputs(&[arg("y", is(DType::I32))])
    .shape(onnx_conv_integer_shape)
    .kernel(onnx_conv_integer)
    .heavy();

fn onnx_conv_integer_shape(op: &OnnxConvInteger, cx: &mut ShapeCx<'_>) -> Result<()> {
    let w = cx.input(1);
    let Some(known) = w.known().filter(|w| w.rank() > 2) else { return Ok(()) };
    let kernel: Vec<i64> = known[2..].iter().map(|&k| k as i64).collect();
    let shape = op.slide(&kernel).shape(&cx.input(0), Some(Some(known[0])))?;
    cx.output(0, shape);
    Ok(())
}

fn onnx_conv_integer(op: &OnnxConvInteger, cx: &mut Cx<'_, '_>) -> Result<()> {
    let mut inputs = Inputs::from(2);
    let x_zero = inputs.optional("num_x_zero_point", op.x_zero)?;
    let w_zero = inputs.optional("num_w_zero_point", op.w_zero)?;
    let (x_shape, w_shape) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone());
    if x_shape.rank() < 3 || w_shape.rank() != x_shape.rank() {
        return Err(Error::invalid("x and w have axes for batch and channels, and the same spatial axes")
            .found(format!("{x_shape} and {w_shape}")));
    }
    let (batch, channels) = (x_shape[0], x_shape[1]);
    let (filters, depth) = (w_shape[0], w_shape[1]);
    let groups = usize::try_from(op.group).unwrap_or(usize::MAX);
    if depth.checked_mul(groups) != Some(channels) || !filters.is_multiple_of(groups) {
        return Err(Error::invalid("the channels do not agree with the filters and groups")
            .attr("group")
            .found(format!("{x_shape} and {w_shape}")));
    }
    let kernel: Vec<i64> = w_shape[2..].iter().map(|&k| k as i64).collect();
    let axes = op.slide(&kernel).axes(&x_shape[2..])?;
    let sizes = outputs(&axes);
    let whole = Shape::new([batch, filters].into_iter().chain(sizes.iter().copied()))?;
    let (n, taps) = (product(&sizes)?, product(&w_shape[2..])?);
    let grid = Grid::of(&axes, channels)?;
    let (m, k) = (filters / groups, depth * taps);
    product(&[k, n])?;
    let cache = Cache::of_constant(cx, 1)?;
    let (images, weights) = (cx.input(0)?, cx.input(1)?);
    let (codes, added) = codes(images)?;
    let (signed, subtracted) = signed(weights)?;
    let zero = zeros(cx, x_zero, added, 1, 1)?[0];
    let w_zeros = zeros(cx, w_zero, -subtracted, filters, filters)?;
    let mut out = cx.alloc(DType::I32, &whole)?;
    let (results, each) = (out.slice_mut::<i32>()?, filters * n);
    if results.is_empty() || k == 0 {
        results.fill(0);
        cx.set(0, out);
        return Ok(());
    }
    let is_depthwise = (m, depth) == (1, 1);
    let pack = || {
        // A weight for each tap, channel and filter, in this order.
        let of_group = |group: usize| {
            let mut ordered = vec![0i8; k * m];
            for (f, filter) in signed[group * m * k..][..m * k].chunks_exact(k).enumerate() {
                filter.iter().enumerate().for_each(|(i, &w)| ordered[(i % taps * depth + i / taps) * m + f] = w);
            }
            Packed::modular(Isa::best(), &ordered, [grid.pieces(groups), k / grid.pieces(groups), m], m)
        };
        (0..if is_depthwise { 0 } else { groups }).map(of_group).collect::<Result<Vec<Packed>>>()
    };
    let packed = match &cache {
        Some(cache) => cache.get(weights, 0, pack)?,
        None => Arc::new(pack()?),
    };
    let whole_grid = grid.sizes.iter().product::<usize>() * channels + SPARE;
    cx.device.arena.check(whole_grid)?;
    let mut padded = vec![zero as u8; whole_grid];
    let mut sums = cx.alloc(DType::I32, &Shape::new([n, filters])?)?;
    let sums = sums.slice_mut::<i32>()?;
    let plane: usize = x_shape[2..].iter().product();
    for (image, results) in results.chunks_exact_mut(each).enumerate() {
        grid.fill(&codes[image * channels * plane..][..channels * plane], &mut padded);
        if is_depthwise {
            let weights: Vec<i32> = (0..taps * channels)
                .map(|i| i32::from(signed[i % channels * taps + i / channels]) - w_zeros[i % channels])
                .collect();
            let offsets = grid.taps();
            cx.pool().for_chunks(sums, channels, (k * channels) as f64 * 0.2 + 2.0, |first, piece| {
                for (i, sums) in piece.chunks_exact_mut(channels).enumerate() {
                    let start = grid.start(first + i);
                    sums.fill(0);
                    for (offset, weights) in offsets.iter().zip(weights.chunks_exact(channels)) {
                        let codes = &padded[start + offset..][..channels];
                        vectorized!(for ((sum, code), weight) in sums.iter_mut().zip(codes).zip(weights) {
                            *sum = sum.wrapping_add((i32::from(*code) - zero).wrapping_mul(*weight));
                        });
                    }
                }
            });
        } else {
            let pieces = grid.pieces(groups);
            let offsets: Vec<usize> = grid.taps().into_iter().step_by(taps / pieces).collect();
            for (group, packed) in packed.iter().enumerate() {
                let starts = |row: usize, starts: &mut [usize]| {
                    let start = grid.start(row) + group * depth;
                    starts.iter_mut().zip(&offsets).for_each(|(at, offset)| *at = start + offset);
                };
                let lines = Lines { codes: &padded, rows: n, starts };
                let zeros = (|_: usize| zero, &w_zeros[group * m..][..m]);
                let place = Place { out: &mut *sums, width: filters, column: group * m };
                multiply_exactly(cx, &lines, (packed, [pieces, k / pieces]), zeros, place)?;
            }
        }
        let sums = &*sums;
        cx.pool().for_chunks(results, n, n as f64, |first, piece| {
            for (row, sums) in sums.chunks_exact(filters).enumerate() {
                let sums = &sums[first..][..piece.len() / n];
                sums.iter().enumerate().for_each(|(f, sum)| piece[f * n + row] = *sum);
            }
        });
    }
    cx.set(0, out);
    Ok(())
}

/// Images with their margins, channels last.
struct Grid<'a> {
    axes: &'a [Axis],
    channels: usize,
    /// The sizes with margins.
    sizes: Vec<usize>,
    /// The distance between neighbours along each axis.
    strides: Vec<usize>,
}

impl<'a> Grid<'a> {
    /// # Errors
    /// `INVALID_ARGUMENT` if the images with their margins are too large.
    fn of(axes: &'a [Axis], channels: usize) -> Result<Grid<'a>> {
        let size = |axis: &Axis| {
            let first = axis.output.saturating_sub(1).saturating_mul(axis.stride);
            let reach = (axis.kernel - 1).saturating_mul(axis.dilation).saturating_add(1);
            first.saturating_add(reach).max(axis.before.saturating_add(axis.input))
        };
        let sizes: Vec<usize> = axes.iter().map(size).collect();
        product(&sizes.iter().copied().chain([channels]).collect::<Vec<_>>())?;
        let strides = (0..sizes.len()).map(|i| sizes[i + 1..].iter().product::<usize>() * channels).collect();
        Ok(Grid { axes, channels, sizes, strides })
    }

    /// The number of runs of codes in a window.
    fn pieces(&self, groups: usize) -> usize {
        let taps = |axes: &[Axis]| axes.iter().map(|axis| axis.kernel).product();
        match self.axes.split_last() {
            Some((last, others)) if groups == 1 && last.dilation == 1 => taps(others),
            _ => taps(self.axes),
        }
    }

    /// The offset of each tap from the start of its window.
    fn taps(&self) -> Vec<usize> {
        let kernel: Vec<usize> = self.axes.iter().map(|axis| axis.kernel).collect();
        let mut taps = Vec::new();
        positions(&kernel, |at| {
            taps.push((0..at.len()).map(|i| at[i] * self.axes[i].dilation * self.strides[i]).sum());
        });
        taps
    }

    /// Where the window with this number begins.
    fn start(&self, mut window: usize) -> usize {
        let mut start = 0;
        for (axis, stride) in self.axes.iter().zip(&self.strides).rev() {
            start += window % axis.output * axis.stride * stride;
            window /= axis.output;
        }
        start
    }

    /// Writes images, channels first, between the margins.
    fn fill(&self, images: &[u8], out: &mut [u8]) {
        let (Some((last, outer)), channels) = (self.axes.split_last(), self.channels) else { return };
        let plane = images.len() / channels.max(1);
        let rows: Vec<usize> = outer.iter().map(|axis| axis.input).collect();
        let mut from = 0;
        positions(&rows, |at| {
            let row: usize = at.iter().zip(outer).zip(&self.strides).map(|((i, a), s)| (i + a.before) * s).sum();
            let out = &mut out[row + last.before * channels..][..last.input * channels];
            // A few channels at a time, so that the lines that are written stay in the cache.
            for first in (0..channels).step_by(16) {
                for channel in first..channels.min(first + 16) {
                    let codes = &images[channel * plane + from..][..last.input];
                    out[channel..].iter_mut().step_by(channels).zip(codes).for_each(|(out, code)| *out = *code);
                }
            }
            from += last.input;
        });
    }
}
