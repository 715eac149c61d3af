//! `MatMulInteger` and `ConvInteger` of ONNX: exact products of quantized values.

use crate::base::{Inputs, product};
use crate::prelude::*;
use crate::windows::{AUTO_PAD, Slide, check_places, outputs, places, positions};
use levada_gemm::{Mat, Size, multiply};

const BYTES: &[DType] = &[DType::I8, DType::U8];

/// Number of products of two values up to 255 that `f32` sums without rounding.
const EXACT: usize = 256;

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

/// The elements of input `i` minus their zero points, one per row or column (`n` in total): `which` maps an element to
/// its zero point.
fn centered(
    cx: &Cx<'_, '_>,
    i: usize,
    zero: Option<usize>,
    n: usize,
    which: impl Fn(usize) -> usize,
) -> Result<Vec<f32>> {
    let input = cx.input(i)?;
    cx.device.arena.check(input.num_elements().saturating_mul(4))?;
    let mut values = crate::base::read::<f32>(input)?.into_owned();
    let Some(zero) = zero else { return Ok(values) };
    let zeros = crate::base::read::<f32>(cx.input(zero)?)?;
    match zeros.len() {
        1 => values.iter_mut().for_each(|v| *v -= zeros[0]),
        len if len == n => values.iter_mut().enumerate().for_each(|(at, v)| *v -= zeros[which(at)]),
        _ => {
            return Err(Error::invalid("a zero point has the wrong shape")
                .expected(format!("one number, or {n}"))
                .found(cx.input(zero)?.shape()));
        }
    }
    Ok(values)
}

/// Adds the product of row-major matrices to `c`; `scratch` has as many elements as `c`.
fn multiply_exactly(
    cx: &Cx<'_, '_>,
    Size { m, n, k }: Size,
    a: &[f32],
    b: &[f32],
    c: &mut [i32],
    scratch: &mut [f32],
) -> Result<()> {
    for from in (0..k).step_by(EXACT) {
        let size = Size { m, n, k: EXACT.min(k - from) };
        let part = Mat { data: &a[from..], row: k, col: 1, conj: false };
        multiply(cx.pool(), size, part, Mat::new(&b[from * n..], n), scratch)?;
        c.iter_mut().zip(scratch.iter()).for_each(|(c, &s)| *c = c.wrapping_add(s as i32));
    }
    Ok(())
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
    // Zero points may also be given per row of every matrix of A.
    let rows = if a_zero.is_some_and(|at| cx.input(at).is_ok_and(|z| z.num_elements() == a_batch.num_elements() * m)) {
        a_batch.num_elements() * m
    } else {
        m
    };
    let columns = if b_zero.is_some_and(|at| cx.input(at).is_ok_and(|z| z.num_elements() == b_batch.num_elements() * n))
    {
        b_batch.num_elements() * n
    } else {
        n
    };
    let a = centered(cx, 0, a_zero, rows, |at| at / k.max(1) % rows.max(1))?;
    let b = centered(cx, 1, b_zero, columns, |at| (at / (k * n).max(1) * n + at % n.max(1)) % columns.max(1))?;
    product(&[batch.num_elements(), m, n])?;
    let mut scratch = crate::base::buffer::<f32>(cx, m * n)?;
    let mut out = cx.zeros(DType::I32, &whole)?;
    if whole.num_elements() > 0 && k > 0 {
        let (a_at, b_at) = (strides_to(&a_batch, &batch), strides_to(&b_batch, &batch));
        let c = out.slice_mut::<i32>()?;
        let mut next = c.chunks_exact_mut(m * n);
        let mut failed = Ok(());
        positions(&batch, |at| {
            let place = |strides: &[usize]| at.iter().zip(strides).map(|(i, s)| i * s).sum::<usize>();
            let (x, y) = (&a[place(&a_at) * m * k..][..m * k], &b[place(&b_at) * k * n..][..k * n]);
            if let (Some(c), Ok(())) = (next.next(), &failed) {
                failed = multiply_exactly(cx, Size { m, n, k }, x, y, c, &mut scratch);
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
    check_places(cx, &axes)?;
    let plane: usize = x_shape[2..].iter().product();
    let (n, taps) = (product(&sizes)?, product(&w_shape[2..])?);
    let (m, k) = (filters / groups, depth * taps);
    product(&[k, n])?;
    let x = centered(cx, 0, x_zero, 1, |_| 0)?;
    let w = centered(cx, 1, w_zero, filters, |at| at / k.max(1))?;
    let mut columns = crate::base::buffer::<f32>(cx, k * n)?;
    let mut scratch = crate::base::buffer::<f32>(cx, m * n)?;
    let mut out = cx.zeros(DType::I32, &whole)?;
    if whole.num_elements() > 0 && k > 0 {
        let tables: Vec<Vec<Option<usize>>> = axes.iter().map(places).collect();
        let kernel: Vec<usize> = w_shape[2..].to_vec();
        let c = out.slice_mut::<i32>()?;
        for image in 0..batch {
            for group in 0..groups {
                let first = (image * channels + group * depth) * plane;
                gather(&x[first..][..depth * plane], &x_shape[2..], &kernel, &sizes, &tables, &mut columns);
                let filter = &w[group * m * k..][..m * k];
                let c = &mut c[(image * filters + group * m) * n..][..m * n];
                multiply_exactly(cx, Size { m, n, k }, filter, &columns, c, &mut scratch)?;
            }
        }
    }
    cx.set(0, out);
    Ok(())
}

/// Gathers the elements of each window of `x` (channels and spatial axes) into a column, with zeros for padding.
fn gather(
    x: &[f32],
    spatial: &[usize],
    kernel: &[usize],
    sizes: &[usize],
    tables: &[Vec<Option<usize>>],
    columns: &mut [f32],
) {
    let plane: usize = spatial.iter().product();
    let mut at = 0;
    for channel in x.chunks_exact(plane.max(1)) {
        positions(kernel, |tap| {
            positions(sizes, |window| {
                let place = (0..sizes.len())
                    .try_fold(0, |place, i| Some(place * spatial[i] + tables[i][window[i] * kernel[i] + tap[i]]?));
                columns[at] = place.map_or(0.0, |place| channel[place]);
                at += 1;
            });
        });
    }
}
