//! `FFT`, `IFFT` and their two- and three-dimensional forms: complex transforms along the last axes.

use super::axes::{Part, along};
use crate::moves::owned;
use crate::prelude::*;
use levada_ops_core::rules::{Handles, SLICE};
use num_complex::Complex;

attrs! {
    /// The attrs of complex transforms.
    pub struct Fourier {
        /// Element type.
        dtype: DType = Attr::dtype("Tcomplex", &[DType::C64, DType::C128]).or_type(DType::C64),
        /// Number of trailing axes to transform.
        axes: i64 = Attr::int("axes"),
        /// If true, computes the inverse transform.
        inverse: bool = Attr::bool("inverse"),
    }
}

type Fixed = &'static [(&'static str, AttrDefault)];

/// Fixed attrs of the one-, two- and three-dimensional forms.
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

/// The legacy name of a transform, which supports complex64 only.
const fn old(name: &'static str, doc: &'static str, fixed: Fixed) -> Form {
    form(name).doc(doc).fixed(fixed).without(&["Tcomplex"]).inputs(OLD_INPUT).outputs(OLD_OUTPUT).not_differentiable()
}

pub static FFT: Def<Fourier> = op::<Fourier>("FFT")
    .doc("The discrete Fourier transform over the last axis.")
    .fixed(FORWARD[0])
    .inputs(&[arg("input", of("Tcomplex"))])
    .outputs(&[arg("output", of("Tcomplex"))])
    .also(&[
        form("FFT2D").doc("The discrete Fourier transform over the last two axes.").fixed(FORWARD[1]),
        form("FFT3D").doc("The discrete Fourier transform over the last three axes.").fixed(FORWARD[2]),
        form("IFFT").doc("The inverse of `FFT`.").fixed(INVERSE[0]),
        form("IFFT2D").doc("The inverse of `FFT2D`.").fixed(INVERSE[1]),
        form("IFFT3D").doc("The inverse of `FFT3D`.").fixed(INVERSE[2]),
        old("BatchFFT", "Legacy name of `FFT`.", FORWARD[0]),
        old("BatchFFT2D", "Legacy name of `FFT2D`.", FORWARD[1]),
        old("BatchFFT3D", "Legacy name of `FFT3D`.", FORWARD[2]),
        old("BatchIFFT", "Legacy name of `IFFT`.", INVERSE[0]),
        old("BatchIFFT2D", "Legacy name of `IFFT2D`.", INVERSE[1]),
        old("BatchIFFT3D", "Legacy name of `IFFT3D`.", INVERSE[2]),
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

/// Number of elements in one transform of `x`, as a scalar of type `dtype`.
pub(super) fn size(x: V<'_>, axes: i64, dtype: DType) -> V<'_> {
    tail(x.shape_value(), axes).prod().cast(dtype)
}

/// Checks that `shape` has at least `axes` axes to transform.
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

/// Multiplies all elements by a scalar.
pub(super) fn scale<E: Copy + Send + std::ops::Mul<T, Output = E>, T: Copy + Sync + Send>(
    cx: &Cx<'_, '_>,
    data: &mut [E],
    by: T,
) {
    cx.pool().for_chunks(data, 1, 0.5, |_, data| data.iter_mut().for_each(|v| *v = *v * by));
}
