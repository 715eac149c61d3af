//! `RFFT`, `IRFFT` and their two- and three-dimensional forms: transforms of real values along the last axes, which
//! half of the spectrum determines.

use super::axes::{Part, along, room, to_complex, to_real};
use super::complex::{FFT, Fourier, check_rank, scale, size, tail};
use crate::prelude::*;
use levada_ops_core::rules::{Handles, NONE, PACK, PAD, attr, concat, int, range, real};
use num_complex::Complex;

/// The transform's geometry: batch axes, the part of the input that is read, and the result's lengths.
struct Plan {
    batch: Vec<usize>,
    given: Vec<usize>,
    lengths: Vec<usize>,
    read: Vec<usize>,
    out: Shape,
}

/// Length of the last axis in the transform of `n` real values.
fn half(n: usize) -> usize {
    if n == 0 { 0 } else { n / 2 + 1 }
}

fn wrong_lengths(axes: usize) -> Error {
    Error::invalid(format!("fft_length must have shape [{axes}]")).help("give a length for each transformed axis")
}

impl Plan {
    fn new(cx: &Cx<'_, '_>, axes: usize, inverse: bool) -> Result<Plan> {
        let shape = cx.input(0)?.shape();
        check_rank(shape, axes)?;
        let given = cx.input(1)?;
        if given.shape().dims() != [axes] {
            return Err(wrong_lengths(axes).found(given.shape()));
        }
        let (batch, dims) = shape.split_at(shape.rank() - axes);
        let (mut lengths, mut read) = (Vec::new(), Vec::new());
        for (i, &n) in given.to_i64s()?.iter().enumerate() {
            let length = usize::try_from(n).map_err(|_| {
                Error::invalid(format!("fft_length[{i}] must >= 0, but got: {n}"))
                    .expected("a length of at least 0")
                    .found(n)
                    .help("a transform of all elements has the length of the axis")
            })?;
            lengths.push(length);
            read.push(if inverse && i + 1 == axes { half(length) } else { length });
        }
        for (i, (&least, &n)) in read.iter().zip(dims).enumerate() {
            if n < least {
                return Err(Error::invalid(format!(
                    "Input dimension {} must have length of at least {least} but got: {n}",
                    batch.len() + i
                ))
                .expected(format!("at least {least} elements along axis {}", batch.len() + i))
                .found(shape)
                .help("pad the input with zeros, or transform fewer elements"));
            }
        }
        let mut dims_out = lengths.clone();
        if let Some(last) = dims_out.last_mut()
            && !inverse
        {
            *last = half(*last);
        }
        let out = Shape::new(batch.iter().chain(&dims_out).copied())?;
        Ok(Plan { batch: batch.to_vec(), given: dims.to_vec(), lengths, read, out })
    }

    /// The first element of row `at`, of the rows that are read, in the input.
    fn start(&self, at: usize) -> usize {
        let last = self.read.len() - 1;
        let per_item: usize = self.read[..last].iter().product();
        let (item, mut rest) = (at / per_item, at % per_item);
        let (mut index, mut stride) = (0, 1);
        for axis in (0..last).rev() {
            index += rest % self.read[axis] * stride;
            rest /= self.read[axis];
            stride *= self.given[axis];
        }
        (item * stride + index) * self.given[last]
    }

    /// Copies the part of the input that is read into contiguous memory.
    fn taken<T: Copy + Default + Send + Sync>(&self, cx: &Cx<'_, '_>, from: &[T]) -> Result<Vec<T>> {
        let width = self.read[self.read.len() - 1];
        let mut to = room(self.batch.iter().chain(&self.read).product())?;
        if !to.is_empty() {
            cx.pool().for_chunks(&mut to, width, width as f64, |first, to| {
                for (at, row) in (first..).zip(to.chunks_exact_mut(width)) {
                    row.copy_from_slice(&from[self.start(at)..][..width]);
                }
            });
        }
        Ok(to)
    }

    /// Transforms along all axes but the last, which has `width` elements.
    fn others<T: Part>(&self, cx: &Cx<'_, '_>, data: &mut [Complex<T>], width: usize, inverse: bool) -> Result<()> {
        let mut inner = width;
        for &n in self.lengths[..self.lengths.len() - 1].iter().rev() {
            along(cx.pool(), data, n, inner, inverse)?;
            inner *= n;
        }
        Ok(())
    }

    fn forward<T: Part>(&self, cx: &Cx<'_, '_>, out: &mut Tensor) -> Result<()>
    where
        Complex<T>: Element,
    {
        let to = out.slice_mut::<Complex<T>>()?;
        if to.is_empty() {
            return Ok(());
        }
        let n = self.lengths[self.lengths.len() - 1];
        to_complex(cx.pool(), cx.slice::<T>(0)?, |at| self.start(at), n, to)?;
        self.others(cx, to, half(n), false)
    }

    fn inverse<T: Part>(&self, cx: &Cx<'_, '_>, out: &mut Tensor) -> Result<()>
    where
        Complex<T>: Element + Default,
    {
        let to = out.slice_mut::<T>()?;
        if to.is_empty() {
            return Ok(());
        }
        let (from, n) = (cx.slice::<Complex<T>>(0)?, self.lengths[self.lengths.len() - 1]);
        if self.lengths.len() == 1 {
            to_real(cx.pool(), from, |at| self.start(at), n, to)?;
        } else {
            let mut from = self.taken(cx, from)?;
            self.others(cx, &mut from, half(n), true)?;
            to_real(cx.pool(), &from, |at| at * half(n), n, to)?;
        }
        let size: f64 = self.lengths.iter().map(|&n| n as f64).product();
        scale(cx, to, T::of(1.0 / size));
        Ok(())
    }
}

fn infer(cx: &mut ShapeCx<'_>, axes: usize, inverse: bool) -> Result<()> {
    let shape = cx.rank_at_least(0, axes)?;
    let lengths = cx.with_rank(1, 1)?;
    if let Some(n) = lengths.dim(0)
        && n != axes
    {
        return Err(wrong_lengths(axes).found(format!("[{n}]")));
    }
    let Some(dims) = shape.dims() else { return Ok(()) };
    let known = cx.constant_i64s(1);
    let length = |i: usize| {
        let n = usize::try_from(*known.as_ref()?.get(i)?).ok()?;
        Some(if i + 1 == axes && !inverse { half(n) } else { n })
    };
    let batch = dims[..dims.len() - axes].iter().copied();
    cx.output(0, PartialShape::new(batch.chain((0..axes).map(length))));
    Ok(())
}

attrs! {
    /// The attrs of real transforms.
    pub struct RealFourier {
        /// Element type of the real values.
        real: DType = Attr::dtype("Treal", &[DType::F32, DType::F64]).or_type(DType::F32),
        /// Element type of the complex values.
        complex: DType = Attr::dtype("Tcomplex", &[DType::C64, DType::C128]).or_type(DType::C64),
        /// Number of trailing axes to transform.
        axes: i64 = Attr::int("axes"),
    }
}

const ONE: &[(&str, AttrDefault)] = &[("axes", AttrDefault::Int(1))];
const TWO: &[(&str, AttrDefault)] = &[("axes", AttrDefault::Int(2))];
const THREE: &[(&str, AttrDefault)] = &[("axes", AttrDefault::Int(3))];

pub static RFFT: Def<RealFourier> = op::<RealFourier>("RFFT")
    .doc("The discrete Fourier transform of the first `fft_length` real values along the last axis.")
    .fixed(ONE)
    .inputs(&[arg("input", of("Treal")), arg("fft_length", is(DType::I32))])
    .outputs(&[arg("output", of("Tcomplex"))])
    .also(&[
        form("RFFT2D").doc("The discrete Fourier transform of real values over the last two axes.").fixed(TWO),
        form("RFFT3D")
            .doc("The discrete Fourier transform of real values over the last three axes.")
            .fixed(THREE)
            .not_differentiable(),
    ])
    .shape(|op, cx| infer(cx, op.axes as usize, false))
    .gradient(|op, g| {
        // The half that is omitted has no gradient; the rest has that of the complex transform.
        let (x, lengths, dy) = (g.input(0), g.input(1), g.dy(0));
        let whole = pad(dy, tail(lengths, 1) - tail(dy.shape_value(), 1), 1);
        let inverse = Fourier { dtype: op.complex, axes: op.axes, inverse: true };
        let sum = FFT.node(g, &inverse, &[whole]) * size(whole, op.axes, op.complex);
        vec![padded_to(real(sum), x, op.axes).into(), NONE]
    })
    .kernel(|op, cx| {
        let plan = op.plan(cx, false)?;
        let mut out = cx.alloc(op.complex, &plan.out)?;
        match op.real {
            DType::F32 => plan.forward::<f32>(cx, &mut out)?,
            _ => plan.forward::<f64>(cx, &mut out)?,
        }
        cx.set(0, out);
        Ok(())
    })
    .heavy();

pub static IRFFT: Def<RealFourier> = op::<RealFourier>("IRFFT")
    .doc("The inverse of `RFFT`, with `fft_length` real values along the last axis.")
    .fixed(ONE)
    .inputs(&[arg("input", of("Tcomplex")), arg("fft_length", is(DType::I32))])
    .outputs(&[arg("output", of("Treal"))])
    .also(&[
        form("IRFFT2D").doc("The inverse of `RFFT2D`.").fixed(TWO),
        form("IRFFT3D").doc("The inverse of `RFFT3D`.").fixed(THREE).not_differentiable(),
    ])
    .shape(|op, cx| infer(cx, op.axes as usize, true))
    .gradient(|op, g| {
        // Every element except the first, and the middle one of an even length, also stands for its conjugate.
        let (x, lengths, dy) = (g.input(0), g.input(1), g.dy(0));
        let found = RFFT.node(g, op, &[dy, lengths]);
        let count = tail(found.shape_value(), 1).reshape(g.ints(&[]));
        let (k, n) = (range(g, count), tail(lengths, 1));
        let single = k.equal(k.zeros_like()).cast(op.real) + (k * 2.0).equal(n).cast(op.real);
        let mask = (single.like(2.0) - single) / size(dy, op.axes, op.real);
        vec![padded_to(found * mask.cast(op.complex), x, op.axes).into(), NONE]
    })
    .kernel(|op, cx| {
        let plan = op.plan(cx, true)?;
        let mut out = cx.alloc(op.real, &plan.out)?;
        match op.real {
            DType::F32 => plan.inverse::<f32>(cx, &mut out)?,
            _ => plan.inverse::<f64>(cx, &mut out)?,
        }
        cx.set(0, out);
        Ok(())
    })
    .heavy();

impl RealFourier {
    fn plan(&self, cx: &Cx<'_, '_>, inverse: bool) -> Result<Plan> {
        if (self.real == DType::F64) != (self.complex == DType::C128) {
            return Err(Error::invalid(format!(
                "Wrong types for {} real FFT: real {} and complex {}",
                if inverse { "inverse" } else { "forward" },
                self.real,
                self.complex
            )));
        }
        Plan::new(cx, self.axes as usize, inverse)
    }
}

/// Appends zeros to the last `axes` axes of `x`, as many as the vector `after` specifies.
fn pad<'g>(x: V<'g>, after: V<'g>, axes: i64) -> V<'g> {
    let g = x.cx();
    let zeros = int(g, 0).fill((x.rank_value() - axes as f64).reshape(g.ints(&[1])));
    let after = concat(g, &[zeros, after], 0);
    PAD.call([x, PACK.node(g, &[after.zeros_like(), after], &[attr("axis", 1i64)])])
}

/// `x` zero-padded at the end of its last axes to the size of `like`.
fn padded_to<'g>(x: V<'g>, like: V<'g>, axes: i64) -> V<'g> {
    pad(x, tail(like.shape_value(), axes) - tail(x.shape_value(), axes), axes)
}
