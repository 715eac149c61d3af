//! `Roll`: shifts elements along axes, wrapping around.

use crate::moves::{Axis, Layout, Mover, axis_of, rearrange};
use crate::prelude::*;
use crate::rules::first;

attrs! {
    /// Shifts the elements of `input` by `shift[i]` along `axis[i]`; elements shifted past the end wrap around to the
    /// start.
    pub struct Roll {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `shift`.
        shift: DType = Attr::dtype("Tshift", sets::INDEX),
        /// Element type of `axis`.
        axis: DType = Attr::dtype("Taxis", sets::INDEX),
    }
}

pub static ROLL: Def<Roll> = op::<Roll>("Roll")
    .keeps_finite()
    .inputs(&[arg("input", of("T")), arg("shift", of("Tshift")), arg("axis", of("Taxis"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        let shape = cx.rank_at_least(0, 1)?;
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|_, g| first(g, ROLL.call([g.dy(0), -g.input(1), g.input(2)])))
    .kernel(roll::<Cpu>)
    .heavy()
    .host_inputs(&[1, 2])
    .batch(|_, b| {
        if b.varies(1) || !b.varies(0) {
            return None;
        }
        b.one(b.again(&[b.input(0), b.input(1), axes_behind(b, 2, 0, 0)?]))
    });

/// The kernel of `Roll`, on any device that moves elements.
pub fn roll<D: Mover>(_: &Roll, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let (input, shift, axis) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let shape = input.shape();
    if shape.is_scalar() {
        return Err(Error::invalid("input must be 1-D or higher"));
    }
    for (name, tensor) in [("shift", shift), ("axis", axis)] {
        if tensor.shape().rank() > 1 {
            return Err(Error::invalid(format!("{name} must be a scalar or a 1-D vector. Found: {}", tensor.shape())));
        }
    }
    if shift.shape() != axis.shape() {
        return Err(Error::invalid("shift and axis must have the same size"));
    }
    let mut total = vec![0i64; shape.rank()];
    for (shift, axis) in shift.to_i64s()?.into_iter().zip(axis.to_i64s()?) {
        let at = axis_of(axis, shape.rank()).ok_or_else(|| Error::invalid(format!("axis {axis} is out of range")))?;
        let size = shape[at].max(1) as i64;
        total[at] = (total[at] + shift % size).rem_euclid(size);
    }
    let out = if total.iter().all(|&t| t == 0) {
        cx.take(0)?
    } else {
        let axes = shape.iter().zip(shape.strides()).zip(&total);
        let layout = Layout::new(axes.map(|((&d, s), &t)| {
            let (t, s) = (t as usize, s as isize);
            Axis::default().copy(t, (d - t) as isize * s, s).copy(d - t, 0, s)
        }));
        rearrange(cx, input, &layout, shape, None)?
    };
    cx.set(0, out);
    Ok(())
}
