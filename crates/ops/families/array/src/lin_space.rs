//! `LinSpace`: evenly spaced values, both ends included.

use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Returns `num` evenly spaced values from `start` to `stop`.
    pub struct LinSpace {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// Element type of `num`.
        index: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
    }
}

fn checked(num: i64) -> Result<usize> {
    match usize::try_from(num) {
        Ok(num) if num > 0 => Ok(num),
        _ => Err(Error::invalid(format!("Requires num > 0: {num}"))),
    }
}

pub static LIN_SPACE: Def<LinSpace> = op("LinSpace")
    .inputs(&[arg("start", of("T")), arg("stop", of("T")), arg("num", of("Tidx"))])
    .outputs(&[arg("output", of("T"))])
    .shape(shape)
    .gradient(|_, g| never(g))
    .host_inputs(&[0, 1, 2])
    .kernel(lin_space);

fn shape(_: &LinSpace, cx: &mut ShapeCx<'_>) -> Result<()> {
    let num = match cx.constant_i64s(2).as_deref() {
        Some([num]) => Some(checked(*num)?),
        _ => None,
    };
    cx.output_vector(0, num);
    Ok(())
}

fn lin_space(op: &LinSpace, cx: &mut Cx<'_, '_>) -> Result<()> {
    for (i, name) in ["start", "stop", "num"].iter().enumerate() {
        let shape = cx.input(i)?.shape();
        if !shape.is_scalar() {
            return Err(Error::invalid(format!("{name} must be a scalar, not shape {shape}")));
        }
    }
    let num = checked(cx.i64s(2)?[0])?;
    dispatch!(op.dtype, floats, |T| {
        let (start, stop) = (cx.scalar::<T>(0)?, cx.scalar::<T>(1)?);
        cx.produce::<T>(0, &Shape::new([num])?, |_, out| {
            let step = T::of_base(stop.sub(start).base() / T::from_usize(num.max(2) - 1).base());
            out.iter_mut().enumerate().for_each(|(i, o)| *o = start.add(step.mul(T::from_usize(i))));
            out[0] = start;
            if num > 1 {
                out[num - 1] = stop;
            }
            Ok(())
        })
    }, else Err(Error::unimplemented(format!("LinSpace of {}", op.dtype))))
}
