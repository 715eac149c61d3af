//! `RFFT`, `IRFFT` and those of two and three axes: transforms of real numbers along the last axes, of which one half
//! says everything.

use super::axes::{Part, along, room, to_complex, to_real};
use super::complex::scale;
use crate::prelude::*;
use num_complex::Complex;

/// What is transformed: the axes before, how much of the last axes is read, and how long they are in the result.
struct Plan {
    batch: Vec<usize>,
    given: Vec<usize>,
    lengths: Vec<usize>,
    read: Vec<usize>,
    out: Shape,
}

/// Elements of the last axis that the transform of `n` real numbers has.
fn half(n: usize) -> usize {
    if n == 0 { 0 } else { n / 2 + 1 }
}

impl Plan {
    fn new(cx: &Cx<'_, '_>, axes: usize, inverse: bool) -> Result<Plan> {
        let shape = cx.input(0)?.shape();
        if shape.rank() < axes {
            return Err(Error::invalid(format!("Input must have rank of at least {axes} but got: {shape}")));
        }
        let given = cx.input(1)?;
        if given.shape().dims() != [axes] {
            return Err(Error::invalid(format!("fft_length must have shape [{axes}]")));
        }
        let (batch, dims) = shape.split_at(shape.rank() - axes);
        let (mut lengths, mut read) = (Vec::new(), Vec::new());
        for (i, &n) in given.to_i64s()?.iter().enumerate() {
            let length = usize::try_from(n)
                .map_err(|_| Error::invalid(format!("fft_length[{i}] must >= 0, but got: {n}")))?;
            lengths.push(length);
            read.push(if inverse && i + 1 == axes { half(length) } else { length });
        }
        for (i, (&least, &n)) in read.iter().zip(dims).enumerate() {
            if n < least {
                return Err(Error::invalid(format!(
                    "Input dimension {} must have length of at least {least} but got: {n}",
                    batch.len() + i
                )));
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

    /// The part of the input that is read, as one piece.
    fn taken<T: Copy + Default>(&self, from: &[T]) -> Result<Vec<T>> {
        let rows = |dims: &[usize]| dims[..dims.len() - 1].iter().product::<usize>();
        let count = self.batch.iter().product::<usize>();
        let (width, wide) = (self.read[self.read.len() - 1], self.given[self.given.len() - 1]);
        let mut to = room(count * rows(&self.read) * width)?;
        if to.is_empty() {
            return Ok(to);
        }
        let per_item = rows(&self.read);
        for (at, row) in to.chunks_exact_mut(width).enumerate() {
            // The number of this row among those of the input.
            let (item, mut rest) = (at / per_item, at % per_item);
            let (mut index, mut stride) = (0, 1);
            for axis in (0..self.read.len() - 1).rev() {
                index += rest % self.read[axis] * stride;
                rest /= self.read[axis];
                stride *= self.given[axis];
            }
            row.copy_from_slice(&from[(item * stride + index) * wide..][..width]);
        }
        Ok(to)
    }

    /// Transforms along all axes but the last of `width` elements.
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
        let mut from = self.taken(cx.slice::<T>(0)?)?;
        let n = self.lengths[self.lengths.len() - 1];
        to_complex(cx.pool(), &mut from, n, to)?;
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
        let mut from = self.taken(cx.slice::<Complex<T>>(0)?)?;
        let n = self.lengths[self.lengths.len() - 1];
        self.others(cx, &mut from, half(n), true)?;
        to_real(cx.pool(), &mut from, n, to)?;
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
        return Err(Error::invalid(format!("fft_length must have shape [{axes}]")));
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

macro_rules! transforms {
    ($($(#[doc = $doc:literal])* $name:ident, $axes:literal, $inverse:literal, $input:literal, $output:literal;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Type of the real numbers.
                real: DType = Attr::dtype("Treal", &[DType::F32, DType::F64]).or_type(DType::F32),
                /// Type of the complex numbers.
                complex: DType = Attr::dtype("Tcomplex", &[DType::C64, DType::C128]).or_type(DType::C64),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("input", of($input)), arg("fft_length", is(DType::I32))],
                outputs: &[arg("output", of($output))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                infer(cx, $axes, $inverse)
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let double = self.real == DType::F64;
                if double != (self.complex == DType::C128) {
                    return Err(Error::invalid(format!(
                        "Wrong types for {} real FFT: real {} and complex {}",
                        if $inverse { "inverse" } else { "forward" },
                        self.real,
                        self.complex
                    )));
                }
                let plan = Plan::new(cx, $axes, $inverse)?;
                let mut out = cx.alloc(if $inverse { self.real } else { self.complex }, &plan.out)?;
                match ($inverse, double) {
                    (false, false) => plan.forward::<f32>(cx, &mut out)?,
                    (false, true) => plan.forward::<f64>(cx, &mut out)?,
                    (true, false) => plan.inverse::<f32>(cx, &mut out)?,
                    (true, true) => plan.inverse::<f64>(cx, &mut out)?,
                }
                cx.set(0, out);
                Ok(())
            }
        }
    )*};
}

transforms! {
    /// Transforms the first `fft_length` real numbers along the last axis.
    RFFT, 1, false, "Treal", "Tcomplex";
    /// Transforms real numbers along the last two axes.
    RFFT2D, 2, false, "Treal", "Tcomplex";
    /// Transforms real numbers along the last three axes.
    RFFT3D, 3, false, "Treal", "Tcomplex";
    /// The inverse of `RFFT`: `fft_length` real numbers.
    IRFFT, 1, true, "Tcomplex", "Treal";
    /// The inverse of `RFFT2D`.
    IRFFT2D, 2, true, "Tcomplex", "Treal";
    /// The inverse of `RFFT3D`.
    IRFFT3D, 3, true, "Tcomplex", "Treal";
}
