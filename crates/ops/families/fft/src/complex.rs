//! `FFT`, `IFFT` and those of two and three axes: transforms of complex numbers along the last axes.

use super::axes::{Part, along};
use crate::moves::owned;
use crate::prelude::*;
use levada_ops_core::rules::{Handles, SLICE};
use num_complex::Complex;

attrs! {
    /// The attrs of transforms of complex numbers.
    pub struct Fourier {
        /// Element type.
        dtype: DType = Attr::dtype("Tcomplex", &[DType::C64, DType::C128]).or_type(DType::C64),
        /// How many of the last axes.
        axes: i64 = Attr::int("axes"),
        /// Transforms back.
        inverse: bool = Attr::bool("inverse"),
    }
}

type Fixed = &'static [(&'static str, AttrDefault)];

/// What is fixed for one, two and three axes.
const FORWARD: [Fixed; 3] = [
    &[("axes", AttrDefault::Int(1)), ("inverse", AttrDefault::Bool(false))],
    &[("axes", AttrDefault::Int(2)), ("inverse", AttrDefault::Bool(false))],
    &[("axes", AttrDefault::Int(3)), ("inverse", AttrDefault::Bool(false))],
];
const INVERSE: [Fixed; 3] = [
    &[("axes", AttrDefault::Int(1)), ("inverse", AttrDefault::Bool(true))],
    &[("axes", AttrDefault::Int(2)), ("inverse", AttrDefault::Bool(true))],
    &[("axes", AttrDefault::Int(3)), ("inverse", AttrDefault::Bool(true))],
];

const OLD_INPUT: &[Arg] = &[arg("input", is(DType::C64))];
const OLD_OUTPUT: &[Arg] = &[arg("output", is(DType::C64))];

/// The name of a transform in old graphs, which have complex64 only.
const fn old(name: &'static str, doc: &'static str, fixed: Fixed) -> Form {
    form(name).doc(doc).fixed(fixed).without(&["Tcomplex"]).inputs(OLD_INPUT).outputs(OLD_OUTPUT).not_differentiable()
}

pub static FFT: Def<Fourier> = op::<Fourier>("FFT")
    .doc("Transforms along the last axis.")
    .fixed(FORWARD[0])
    .inputs(&[arg("input", of("Tcomplex"))])
    .outputs(&[arg("output", of("Tcomplex"))])
    .also(&[
        form("FFT2D").doc("Transforms along the last two axes.").fixed(FORWARD[1]),
        form("FFT3D").doc("Transforms along the last three axes.").fixed(FORWARD[2]),
        form("IFFT").doc("The inverse of `FFT`.").fixed(INVERSE[0]),
        form("IFFT2D").doc("The inverse of `FFT2D`.").fixed(INVERSE[1]),
        form("IFFT3D").doc("The inverse of `FFT3D`.").fixed(INVERSE[2]),
        old("BatchFFT", "The name of `FFT` in old graphs.", FORWARD[0]),
        old("BatchFFT2D", "The name of `FFT2D` in old graphs.", FORWARD[1]),
        old("BatchFFT3D", "The name of `FFT3D` in old graphs.", FORWARD[2]),
        old("BatchIFFT", "The name of `IFFT` in old graphs.", INVERSE[0]),
        old("BatchIFFT2D", "The name of `IFFT2D` in old graphs.", INVERSE[1]),
        old("BatchIFFT3D", "The name of `IFFT3D` in old graphs.", INVERSE[2]),
    ])
    .shape(|op, cx| {
        cx.rank_at_least(0, op.axes as usize)?;
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|op, g| {
        let dy = g.dy(0);
        let back = FFT.node(g, &Fourier { inverse: !op.inverse, ..op.clone() }, &[dy]);
        let size = size(dy, op.axes, op.dtype);
        vec![if op.inverse { back / size } else { back * size }.into()]
    })
    .kernel(fft)
    .heavy()
    .batch(|op, b| if b.rank(0)? < op.axes as usize { None } else { levada_ops_core::batch::leading_first(b, 1) });

/// The last `n` elements of a vector.
pub(super) fn tail(vector: V<'_>, n: i64) -> V<'_> {
    let g = vector.cx();
    SLICE.call([vector, (vector.size() - n as f64).reshape(g.ints(&[1])), g.ints(&[-1])])
}

/// Elements that one transform of `x` takes, as a number of type `dtype`.
pub(super) fn size(x: V<'_>, axes: i64, dtype: DType) -> V<'_> {
    tail(x.shape_value(), axes).prod().cast(dtype)
}

/// Checks the rank of what is transformed along the last `axes` axes.
pub(super) fn check_rank(shape: &Shape, axes: usize) -> Result<()> {
    if shape.rank() < axes {
        return Err(Error::invalid(format!("Input must have rank of at least {axes} but got: {shape}")));
    }
    Ok(())
}

fn fft(op: &Fourier, cx: &mut Cx<'_, '_>) -> Result<()> {
    check_rank(cx.input(0)?.shape(), op.axes as usize)?;
    let mut out = owned(cx, 0)?;
    match op.dtype {
        DType::C64 => transform::<f32>(op, cx, &mut out)?,
        _ => transform::<f64>(op, cx, &mut out)?,
    }
    cx.set(0, out);
    Ok(())
}

fn transform<T: Part>(op: &Fourier, cx: &Cx<'_, '_>, out: &mut Tensor) -> Result<()>
where
    Complex<T>: Element,
{
    let shape = out.shape().clone();
    let data = out.slice_mut::<Complex<T>>()?;
    if data.is_empty() {
        return Ok(());
    }
    let (mut inner, mut size) = (1, 1.0);
    for &n in shape.iter().rev().take(op.axes as usize) {
        along(cx.pool(), data, n, inner, op.inverse)?;
        inner *= n;
        size *= n as f64;
    }
    if op.inverse {
        scale(cx, data, T::of(1.0 / size));
    }
    Ok(())
}

/// Multiplies all elements with a number.
pub(super) fn scale<E: Copy + Send + std::ops::Mul<T, Output = E>, T: Copy + Sync + Send>(
    cx: &Cx<'_, '_>,
    data: &mut [E],
    by: T,
) {
    cx.pool().for_chunks(data, 1, 0.5, |_, data| data.iter_mut().for_each(|v| *v = *v * by));
}
