//! `QuantizeLinear`, `DequantizeLinear` and `DynamicQuantizeLinear` of ONNX, and requantization of sums.

use crate::base::{Base, Inputs, axis_of, broadcast, read, write};
use crate::format::{Format, RoundMode, decode, encode};
use crate::prelude::*;
use levada_kernel::Pool;

attrs! {
    /// `QuantizeLinear` of ONNX: `x / y_scale`, rounded half to even, plus the zero point, saturated. The scale is a
    /// scalar, or has one element per position along `axis` or per block along it.
    pub struct OnnxQuantizeLinear {
        /// Element type of `x`.
        dtype: DType = Attr::dtype("T1", sets::REALS),
        /// Element type of `y_scale`.
        scale: DType = Attr::dtype("T2", sets::REALS),
        /// Element type that stores `y` and its zero point.
        out: DType = Attr::dtype("T3", sets::REALS),
        /// 1 if `y_zero_point` is given, otherwise 0.
        zero: i64 = Attr::int("num_y_zero_point").or_int(0).at_least(0),
        /// ONNX element type of `y`, as its number in `TensorProto.DataType`.
        to: i64 = Attr::int("output_dtype"),
        /// The axis along which scales vary.
        axis: i64 = Attr::int("axis").or_int(1),
        /// Elements along the axis per scale for blocked quantization; otherwise 0.
        block: i64 = Attr::int("block_size").or_int(0).at_least(0),
        /// If true, out-of-range floats become the maximum finite value.
        saturate: bool = Attr::bool("saturate").or_bool(true),
    }
}

attrs! {
    /// `DequantizeLinear` of ONNX: `(x - zero point) * x_scale`. The scale is a scalar, or has one element per position
    /// along `axis` or per block along it.
    pub struct OnnxDequantizeLinear {
        /// Element type that stores `x` and its zero point.
        dtype: DType = Attr::dtype("T1", sets::REALS),
        /// Element type of `x_scale`.
        scale: DType = Attr::dtype("T2", sets::FLOATS),
        /// Element type of `y`.
        out: DType = Attr::dtype("T3", sets::FLOATS),
        /// 1 if `x_zero_point` is given, otherwise 0.
        zero: i64 = Attr::int("num_x_zero_point").or_int(0).at_least(0),
        /// ONNX element type of `x`, as its number in `TensorProto.DataType`.
        from: i64 = Attr::int("input_dtype"),
        /// The axis along which scales vary.
        axis: i64 = Attr::int("axis").or_int(1),
        /// Elements along the axis per scale for blocked quantization; otherwise 0.
        block: i64 = Attr::int("block_size").or_int(0).at_least(0),
    }
}

attrs! {
    /// `DynamicQuantizeLinear` of ONNX: quantizes a tensor to uint8 with a scale and zero point derived from its range.
    pub struct OnnxDynamicQuantizeLinear {}
}

attrs! {
    /// Requantizes sums of products of quantized values: `x * scale`, rounded half to even, plus the zero point,
    /// saturated. `scale` and the zero point broadcast to `x`.
    pub struct OnnxRequantize {
        /// Element type of `y` and of the zero point.
        dtype: DType = Attr::dtype("T", &[DType::I8, DType::U8, DType::I16, DType::U16]),
    }
}

/// The mapping from elements to scales.
struct Scales {
    /// Number of elements before, along and after the axis.
    dims: [usize; 3],
    /// Elements along the axis per scale.
    block: usize,
    /// Number of scales along the axis; `None` for a single scale.
    along: Option<usize>,
    /// Whether positions before and after the axis have separate scales.
    blocks: bool,
}

impl Scales {
    fn of(shape: &Shape, scale: &Shape, axis: i64, block: i64) -> Result<Scales> {
        if scale.num_elements() == 1 && (block == 0 || scale.rank() == 0) {
            return Ok(Scales { dims: [1, 1, shape.num_elements()], block: 1, along: None, blocks: false });
        }
        let axis = axis_of(axis, shape.rank())?;
        let n = shape[axis];
        let dims = [shape[..axis].iter().product(), n, shape[axis + 1..].iter().product()];
        let wrong =
            |expected: String| Err(Error::invalid("the scale has the wrong shape").expected(expected).found(scale));
        if block == 0 {
            if scale.dims() != [n] {
                return wrong(format!("[{n}], the size of axis {axis}, or one number"));
            }
            return Ok(Scales { dims, block: 1, along: Some(n), blocks: false });
        }
        let block = usize::try_from(block).unwrap_or(usize::MAX);
        let along = n.div_ceil(block);
        let mut expected = shape.dims().to_vec();
        expected[axis] = along;
        if scale.dims() != expected {
            return wrong(format!("{expected:?}"));
        }
        Ok(Scales { dims, block, along: Some(along), blocks: true })
    }

    /// For scales that are broadcast to a tensor, at most along one axis; `None` for others.
    fn broadcast(shape: &Shape, scale: &Shape) -> Option<Scales> {
        if scale.num_elements() == 1 && scale.rank() <= shape.rank() {
            return Scales::of(shape, &Shape::scalar(), 0, 0).ok();
        }
        let skipped = shape.rank().checked_sub(scale.rank())?;
        let axis = scale.iter().position(|n| *n != 1)?;
        let is_one = scale.num_elements() == scale[axis] && shape[skipped + axis] == scale[axis];
        Scales::of(shape, &Shape::vector(scale[axis]), (skipped + axis) as i64, 0).ok().filter(|_| is_one)
    }

    /// Calls `f`, on several threads, with pieces of the elements, where each begins, the index of its first scale, and
    /// whether all of it shares that scale; otherwise its elements have consecutive scales.
    fn for_pieces<T: Send>(&self, pool: &Pool, all: &mut [T], f: impl Fn(&mut [T], usize, usize, bool) + Sync + Send) {
        let [_, n, inner] = self.dims;
        let Some(along) = self.along else {
            return pool.for_chunks(all, 1, NANOS, |first, piece| f(piece, first, 0, true));
        };
        if all.is_empty() {
            return;
        }
        let is_row = inner == 1 && !self.blocks;
        let width = if is_row { n } else { inner };
        pool.for_chunks(all, width, width as f64 * NANOS, |first, piece| {
            for (i, piece) in (first..).zip(piece.chunks_exact_mut(width)) {
                match (is_row, self.blocks) {
                    (true, _) => f(piece, i * width, 0, false),
                    (_, true) => f(piece, i * width, (i / n * along + i % n / self.block) * inner, false),
                    (_, false) => f(piece, i * width, i % n, true),
                }
            }
        });
    }
}

/// The approximate time for an element, in nanoseconds.
const NANOS: f64 = 0.3;

/// An integer of 8 bits.
trait Code: Element + Copy + Default + Into<i32> {
    /// Converts an integer within the range of the type.
    fn of(number: f32) -> Self;
}

impl Code for u8 {
    #[inline(always)]
    fn of(number: f32) -> u8 {
        low_bits(number)
    }
}

impl Code for i8 {
    #[inline(always)]
    fn of(number: f32) -> i8 {
        low_bits(number) as i8
    }
}

/// The lowest 8 bits of a small integer, in two's complement.
#[inline(always)]
fn low_bits(number: f32) -> u8 {
    // The unit in the last place of such a sum is 1.
    (number + 12_582_912.0).to_bits() as u8
}

/// The number, or the nearest limit; the lower one for NaN.
#[inline(always)]
fn within(number: f32, (least, greatest): (f32, f32)) -> f32 {
    let number = if number > least { number } else { least };
    if number < greatest { number } else { greatest }
}

/// Writes `code` of each number, its scale and its zero point, limited to a range.
fn to_codes<X: Copy + Sync, T: Code>(
    pool: &Pool,
    scales: &Scales,
    (x, factors, zeros): (&[X], &[f32], &[f32]),
    limits: (f32, f32),
    out: &mut [T],
    code: impl Fn(X, f32, f32) -> f32 + Copy + Sync + Send,
) {
    scales.for_pieces(pool, out, |out, at, first, same| {
        let x = &x[at..][..out.len()];
        if same {
            let (factor, zero) = (factors[first], zeros[first]);
            let one = |x: X| T::of(within(code(x, factor, zero), limits));
            vectorized!(out.iter_mut().zip(x).for_each(|(out, &x)| *out = one(x)));
        } else {
            let (factors, zeros) = (&factors[first..][..out.len()], &zeros[first..][..out.len()]);
            vectorized!(for (i, out) in out.iter_mut().enumerate() {
                *out = T::of(within(code(x[i], factors[i], zeros[i]), limits));
            });
        }
    });
}

/// Writes the numbers that codes represent.
fn of_codes<T: Code>(pool: &Pool, scales: &Scales, (x, factors, zeros): (&[T], &[f32], &[f32]), out: &mut [f32]) {
    let number = |x: T, factor: f32, zero: f32| {
        let x: i32 = x.into();
        (x as f32 - zero) * factor
    };
    scales.for_pieces(pool, out, |out, at, first, same| {
        let x = &x[at..][..out.len()];
        if same {
            let (factor, zero) = (factors[first], zeros[first]);
            vectorized!(out.iter_mut().zip(x).for_each(|(out, &x)| *out = number(x, factor, zero)));
        } else {
            let (factors, zeros) = (&factors[first..][..out.len()], &zeros[first..][..out.len()]);
            vectorized!(for (i, out) in out.iter_mut().enumerate() {
                *out = number(x[i], factors[i], zeros[i]);
            });
        }
    });
}

/// Checks that a zero point has the shape of the scale.
fn check_zero(zero: &Shape, scale: &Shape) -> Result<()> {
    if zero == scale || (zero.num_elements() == 1 && scale.num_elements() == 1) {
        return Ok(());
    }
    Err(Error::invalid("the zero point must have the shape of the scale").expected(scale).found(zero))
}

pub static ONNX_QUANTIZE_LINEAR: Def<OnnxQuantizeLinear> = op("OnnxQuantizeLinear")
    .inputs(&[arg("x", of("T1")), arg("y_scale", of("T2")), arg("y_zero_point", of("T3")).times("num_y_zero_point")])
    .outputs(&[arg("y", of("T3"))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(onnx_quantize_linear)
    .heavy();

fn onnx_quantize_linear(op: &OnnxQuantizeLinear, cx: &mut Cx<'_, '_>) -> Result<()> {
    let at = Inputs::from(2).optional("num_y_zero_point", op.zero)?;
    let (x, scale) = (cx.input(0)?, cx.input(1)?);
    let shape = x.shape().clone();
    let scales = Scales::of(&shape, scale.shape(), op.axis, op.block)?;
    let scale_values = read::<f32>(scale)?;
    let zeros = match at {
        Some(at) => {
            check_zero(cx.input(at)?.shape(), scale.shape())?;
            decode::<f32>(cx.input(at)?, op.to)?
        }
        None => vec![0.0; scale_values.len()],
    };
    let x = read::<f32>(x)?;
    let parts = (&x[..], &scale_values[..], &zeros[..]);
    let code = |x: f32, scale: f32, zero: f32| (x / scale).round_ties_even() + zero;
    let y = if let Format::Integer { least, greatest, .. } = Format::of(op.to) {
        let limits = (least as f32, greatest as f32);
        if matches!(op.out, DType::U8 | DType::I8) {
            let mut y = cx.alloc(op.out, &shape)?;
            match op.out {
                DType::U8 => to_codes(cx.pool(), &scales, parts, limits, y.slice_mut::<u8>()?, code),
                _ => to_codes(cx.pool(), &scales, parts, limits, y.slice_mut::<i8>()?, code),
            }
            y
        } else {
            let mut y = crate::base::buffer::<f32>(cx, x.len())?;
            scales.for_pieces(cx.pool(), &mut y, |y, at, first, same| {
                for (i, y) in y.iter_mut().enumerate() {
                    let s = if same { first } else { first + i };
                    *y = code(x[at + i], scale_values[s], zeros[s]).max(limits.0).min(limits.1);
                }
            });
            write(cx, op.out, &shape, y)?
        }
    } else {
        let mut y = vec![0f64; x.len()];
        scales.for_pieces(cx.pool(), &mut y, |y, at, first, same| {
            for (i, y) in y.iter_mut().enumerate() {
                let s = if same { first } else { first + i };
                *y = f64::from(x[at + i] / scale_values[s] + zeros[s]);
            }
        });
        encode(cx, (op.to, op.out), &shape, y, op.saturate, RoundMode::Up)?
    };
    cx.set(0, y);
    Ok(())
}

pub static ONNX_DEQUANTIZE_LINEAR: Def<OnnxDequantizeLinear> = op("OnnxDequantizeLinear")
    .inputs(&[arg("x", of("T1")), arg("x_scale", of("T2")), arg("x_zero_point", of("T1")).times("num_x_zero_point")])
    .outputs(&[arg("y", of("T3"))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(onnx_dequantize_linear)
    .heavy();

fn onnx_dequantize_linear(op: &OnnxDequantizeLinear, cx: &mut Cx<'_, '_>) -> Result<()> {
    let is_byte = matches!(Format::of(op.from), Format::Integer { bits: 8, .. });
    if is_byte && (op.scale, op.out) == (DType::F32, DType::F32) {
        return bytes_to_floats(op, cx);
    }
    in_base!(if op.dtype == DType::I32 { DType::F64 } else { op.out }, |B| {
        let at = Inputs::from(2).optional("num_x_zero_point", op.zero)?;
        let (x, scale) = (cx.input(0)?, cx.input(1)?);
        let shape = x.shape().clone();
        let scales = Scales::of(&shape, scale.shape(), op.axis, op.block)?;
        let scale_values = read::<B>(scale)?;
        let zeros: Vec<B> = match at {
            Some(at) => {
                check_zero(cx.input(at)?.shape(), scale.shape())?;
                decode(cx.input(at)?, op.from)?
            }
            None => vec![B::of(0.0); scale_values.len()],
        };
        cx.device.arena.check(shape.num_elements().saturating_mul(size_of::<B>()))?;
        let mut y = decode::<B>(x, op.from)?;
        scales.for_pieces(cx.pool(), &mut y, |y, _, first, same| {
            for (i, y) in y.iter_mut().enumerate() {
                let s = if same { first } else { first + i };
                *y = (*y - zeros[s]) * scale_values[s];
            }
        });
        let y = write(cx, op.out, &shape, y)?;
        cx.set(0, y);
    });
    Ok(())
}

fn bytes_to_floats(op: &OnnxDequantizeLinear, cx: &mut Cx<'_, '_>) -> Result<()> {
    let at = Inputs::from(2).optional("num_x_zero_point", op.zero)?;
    let (x, scale) = (cx.input(0)?, cx.input(1)?);
    let shape = x.shape().clone();
    let scales = Scales::of(&shape, scale.shape(), op.axis, op.block)?;
    let factors = scale.slice::<f32>()?;
    let zeros = match at {
        Some(at) => {
            check_zero(cx.input(at)?.shape(), scale.shape())?;
            decode::<f32>(cx.input(at)?, op.from)?
        }
        None => vec![0.0; factors.len()],
    };
    let mut y = cx.alloc(DType::F32, &shape)?;
    let (pool, out) = (cx.pool(), y.slice_mut::<f32>()?);
    match x.dtype() {
        DType::U8 => of_codes(pool, &scales, (x.slice::<u8>()?, factors, &zeros), out),
        _ => of_codes(pool, &scales, (x.slice::<i8>()?, factors, &zeros), out),
    }
    cx.set(0, y);
    Ok(())
}

pub static ONNX_DYNAMIC_QUANTIZE_LINEAR: Def<OnnxDynamicQuantizeLinear> = op("OnnxDynamicQuantizeLinear")
    .inputs(&[arg("x", is(DType::F32))])
    .outputs(&[arg("y", is(DType::U8)), arg("y_scale", is(DType::F32)), arg("y_zero_point", is(DType::U8))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        cx.output_scalar(1);
        cx.output_scalar(2);
        Ok(())
    })
    .kernel(onnx_dynamic_quantize_linear)
    .heavy();

/// The least and the greatest of the elements and zero, without NaNs.
fn range<B: Base>(x: &[B]) -> (B, B) {
    const LANES: usize = 16;
    let (mut least, mut greatest) = ([B::of(0.0); LANES], [B::of(0.0); LANES]);
    let lower = |a: B, b: B| if b < a { b } else { a };
    let higher = |a: B, b: B| if b > a { b } else { a };
    let (whole, rest) = x.as_chunks::<LANES>();
    vectorized!({
        for lane in whole {
            for i in 0..LANES {
                least[i] = lower(least[i], lane[i]);
                greatest[i] = higher(greatest[i], lane[i]);
            }
        }
    });
    let fold = |all: [B; LANES], f: &dyn Fn(B, B) -> B| all.iter().chain(rest).fold(B::of(0.0), |a, &b| f(a, b));
    (fold(least, &lower), fold(greatest, &higher))
}

/// The scale and the zero point of `DynamicQuantizeLinear`.
fn dynamic_range<B: Base>(x: &[B]) -> (B, B) {
    let (least, greatest) = range(x);
    let scale = if greatest == least { B::of(1.0) } else { (greatest - least) / B::of(255.0) };
    (scale, B::of((-least / scale).wide().round_ties_even().clamp(0.0, 255.0)))
}

/// The values that `DynamicQuantizeLinear` leaves after dequantization.
pub(crate) fn dynamically_rounded<B: Base>(x: &[B]) -> Vec<B> {
    let (scale, zero) = dynamic_range(x);
    let code = |v: B| B::of((v / scale).wide().round_ties_even()) + zero;
    x.iter().map(|&v| (code(v).max(B::of(0.0)).min(B::of(255.0)) - zero) * scale).collect()
}

fn onnx_dynamic_quantize_linear(_: &OnnxDynamicQuantizeLinear, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    let (scale, zero) = dynamic_range(cx.slice::<f32>(0)?);
    cx.produce::<u8>(0, &shape, |cx, out| {
        let x = cx.slice::<f32>(0)?;
        cx.pool().for_chunks(out, 1, 0.2, |first, out| {
            let x = &x[first..][..out.len()];
            let code = |v: f32| u8::of(within((v / scale).round_ties_even() + zero, (0.0, 255.0)));
            vectorized!(out.iter_mut().zip(x).for_each(|(o, &v)| *o = code(v)));
        });
        Ok(())
    })?;
    cx.set(1, Tensor::scalar(scale));
    cx.set(2, Tensor::scalar(zero as u8));
    Ok(())
}

pub static ONNX_REQUANTIZE: Def<OnnxRequantize> = op("OnnxRequantize")
    .inputs(&[arg("x", is(DType::I32)), arg("scale", is(DType::F32)), arg("y_zero_point", of("T"))])
    .outputs(&[arg("y", of("T"))])
    .shape(|_, cx| {
        let shape = cx.input(0);
        cx.output(0, shape);
        Ok(())
    })
    .kernel(onnx_requantize)
    .heavy();

fn onnx_requantize(op: &OnnxRequantize, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (x, scale, zero) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let shape = x.shape().clone();
    let code = |x: i32, scale: f32, zero: f32| (x as f32 * scale).round_ties_even() + zero;
    let along = Scales::broadcast(&shape, scale.shape()).filter(|_| zero.num_elements() == 1);
    if let Some(scales) = along.filter(|_| matches!(op.dtype, DType::U8 | DType::I8)) {
        let factors = scale.slice::<f32>()?;
        let zeros = vec![read::<f32>(zero)?[0]; factors.len()];
        let parts = (x.slice::<i32>()?, factors, &zeros[..]);
        let mut y = cx.alloc(op.dtype, &shape)?;
        match op.dtype {
            DType::U8 => to_codes(cx.pool(), &scales, parts, (0.0, 255.0), y.slice_mut::<u8>()?, code),
            _ => to_codes(cx.pool(), &scales, parts, (-128.0, 127.0), y.slice_mut::<i8>()?, code),
        }
        cx.set(0, y);
        return Ok(());
    }
    let (scales, zeros) = (broadcast(scale.shape(), &shape)?, broadcast(zero.shape(), &shape)?);
    let (x, scale, zero) = (x.slice::<i32>()?, scale.slice::<f32>()?, read::<f32>(zero)?);
    cx.device.arena.check(x.len().saturating_mul(4))?;
    // `write` saturates.
    let values = x.iter().zip(scales.zip(zeros)).map(|(&x, (s, z))| code(x, scale[s], zero[z]));
    let y = write(cx, op.dtype, &shape, values.collect::<Vec<f32>>())?;
    cx.set(0, y);
    Ok(())
}
