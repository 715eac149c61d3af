//! `ClipByValue`: values kept between two bounds.

use crate::prelude::*;

attrs! {
    /// `t`, but not less than `clip_value_min` and not more than `clip_value_max`; the lower bound wins.
    pub struct ClipByValue {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
    }
}

impl Op for ClipByValue {
    const SPEC: Spec = Spec {
        name: "ClipByValue",
        inputs: &[arg("t", of("T")), arg("clip_value_min", of("T")), arg("clip_value_max", of("T"))],
        outputs: &[arg("output", of("T"))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.same_as_input(0);
        Ok(())
    }
}

impl Kernel<Cpu> for ClipByValue {
    fn supports(&self) -> bool {
        sets::REALS.contains(&self.dtype)
    }

    fn piecewise(&self) -> Piecewise {
        Piecewise::Bounded
    }

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        dispatch!(self.dtype, reals, |T| clip::<T>(cx), else Err(crate::elementwise::no_kernel(self.dtype)))
    }
}

#[inline(always)]
fn clipped<T: Real>(x: T, low: T, high: T) -> T {
    let x = if high < x { high } else { x };
    if x < low { low } else { x }
}

fn clip<T: Real>(cx: &mut Cx<'_, '_>) -> Result<()> {
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
