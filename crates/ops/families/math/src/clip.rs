//! `ClipByValue`: values clipped to a range.

use super::compare::{GREATER, LESS};
use super::logical::{LOGICAL_OR, Logical};
use crate::elementwise::no_kernel;
use crate::prelude::*;
use crate::rules::{Handles, reduce_to};
use num_complex::Complex;

attrs! {
    /// `t` clipped to the range from `clip_value_min` to `clip_value_max`; the lower bound wins if they conflict.
    pub struct ClipByValue {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
    }
}

pub static CLIP_BY_VALUE: Def<ClipByValue> = op::<ClipByValue>("ClipByValue")
    .keeps_finite()
    .inputs(&[arg("t", of("T")), arg("clip_value_min", of("T")), arg("clip_value_max", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(same_as_input)
    .gradient(|_, g| {
        let (x, low, high, dy) = (g.input(0), g.input(1), g.input(2), g.dy(0));
        let (below, above) = (LESS.call([x, low]), GREATER.call([x, high]));
        let outside = LOGICAL_OR.node(g, &Logical {}, &[below, above]);
        let dx = dy.zeros_like().select(outside, dy);
        vec![
            reduce_to(dx, x).into(),
            reduce_to(dy.where_true(below), low).into(),
            reduce_to(dy.where_true(above), high).into(),
        ]
    })
    .kernel(|op, cx| match op.dtype {
        DType::C64 => clip::<Complex32>(cx, parts_clipped),
        DType::C128 => clip::<Complex64>(cx, parts_clipped),
        dtype => dispatch!(dtype, reals, |T| clip::<T>(cx, clipped), else Err(no_kernel(dtype))),
    })
    .supports(|op| sets::REALS.contains(&op.dtype) || op.dtype.is_complex())
    .piecewise(|op| if op.dtype.is_complex() { Piecewise::No } else { Piecewise::Bounded })
    .strip(|op| {
        let then = &[(Basic::Capped, 2), (Basic::Raised, 1)];
        (op.dtype == DType::F32).then_some(Strip::Series { first: 0, then })
    })
    .batch(|op, b| match (b.rank(0)?, b.rank(1)?, b.rank(2)?) {
        (x, least, most) if x == least && x == most => leading(op, b),
        (_, 0, 0) if !b.varies(1) && !b.varies(2) => b.one(b.again(&b.inputs())),
        _ => None,
    });

#[inline(always)]
fn clipped<T: Real>(x: T, low: T, high: T) -> T {
    let x = if high < x { high } else { x };
    if x < low { low } else { x }
}

/// Clips the real and imaginary parts separately, as TensorFlow does.
#[inline(always)]
fn parts_clipped<T: Real>(x: Complex<T>, low: Complex<T>, high: Complex<T>) -> Complex<T> {
    Complex::new(clipped(x.re, low.re, high.re), clipped(x.im, low.im, high.im))
}

fn clip<T: Element + Copy>(cx: &mut Cx<'_, '_>, clipped: impl Fn(T, T, T) -> T + Sync + Send) -> Result<()> {
    let x = cx.input(0)?;
    let (dtype, shape) = (x.dtype(), x.shape().clone());
    for i in [1, 2] {
        let bound = cx.input(i)?.shape();
        if !bound.is_scalar() && *bound != shape {
            return Err(Error::invalid(format!(
                "clip_value_min and clip_value_max must be either of the same shape as input, or a scalar. \
                 Input: {shape}, bound: {bound}"
            )));
        }
    }
    let (mut out, taken) = cx.forward_or_alloc(0, dtype, &shape)?;
    let from = if taken { None } else { Some(cx.slice::<T>(0)?) };
    let (low, high) = (cx.slice::<T>(1)?, cx.slice::<T>(2)?);
    cx.pool().for_chunks(out.slice_mut::<T>()?, 1, 0.5, |first, out| {
        if let Some(from) = from {
            out.copy_from_slice(&from[first..first + out.len()]);
        }
        match (low, high) {
            (&[low], &[high]) => out.iter_mut().for_each(|x| *x = clipped(*x, low, high)),
            _ => {
                for (i, x) in out.iter_mut().enumerate() {
                    let bound = |b: &[T]| if b.len() == 1 { b[0] } else { b[first + i] };
                    *x = clipped(*x, bound(low), bound(high));
                }
            }
        }
    });
    cx.set(0, out);
    Ok(())
}
