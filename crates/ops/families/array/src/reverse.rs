//! `Reverse` and `ReverseV2`: reverse a tensor along axes.

use crate::moves::{Axis, Layout, Mover, axis_of, rearrange};
use crate::prelude::*;
use crate::rules::first;

const DTYPES: &[DType] = {
    use DType::*;
    &[U8, I8, U16, I16, U32, I32, U64, I64, Bool, BF16, F16, F32, F64, C64, C128, Str]
};

attrs! {
    /// Reverses `tensor` along the axes for which `dims` is true.
    pub struct Reverse {
        /// Element type.
        dtype: DType = Attr::dtype("T", DTYPES),
    }
}

attrs! {
    /// Reverses `tensor` along the axes in `axis`.
    pub struct ReverseV2 {
        /// Element type of `axis`.
        index: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
        /// Element type.
        dtype: DType = Attr::dtype("T", DTYPES),
    }
}

/// Sets output 0 to input 0, reversed along the axes for which `turned` is true.
fn turn<D: Mover>(cx: &mut KernelCx<'_, '_, D>, turned: &[bool]) -> Result<()> {
    let input = cx.input(0)?;
    let shape = input.shape();
    let out = if shape.iter().zip(turned).all(|(&d, &t)| !t || d <= 1) {
        cx.take(0)?
    } else {
        let axes = shape.iter().zip(shape.strides()).zip(turned);
        let layout = Layout::new(axes.map(|((&d, s), &t)| match t {
            true => Axis::strided(d, d.saturating_sub(1) as isize * s as isize, -(s as isize)),
            false => Axis::strided(d, 0, s as isize),
        }));
        rearrange(cx, input, &layout, shape, None)?
    };
    cx.set(0, out);
    Ok(())
}

pub static REVERSE: Def<Reverse> = op::<Reverse>("Reverse")
    .keeps_finite()
    .inputs(&[arg("tensor", of("T")), arg("dims", is(DType::Bool))])
    .outputs(&[arg("output", of("T"))])
    .shape(same_as_input)
    .gradient(|_, g| first(g, REVERSE.call([g.dy(0), g.input(1)])))
    .kernel(reverse::<Cpu>)
    .heavy()
    .host_inputs(&[1])
    .batch(|_, b| {
        if b.varies(1) {
            return None;
        }
        let stays = b.g().constant(Tensor::vector(vec![false]));
        b.one(b.again(&[b.input(0), b.concat(&[stays, b.input(1)])]))
    });

/// The kernel of `Reverse`, on any device that moves elements.
pub fn reverse<D: Mover>(_: &Reverse, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let (rank, dims) = (cx.input(0)?.shape().rank(), cx.input(1)?);
    if rank == 0 {
        return turn(cx, &[]);
    }
    if dims.shape().rank() != 1 {
        return Err(Error::invalid(format!("'dims' must be 1-dimension, not {}", dims.shape().rank())));
    }
    if dims.num_elements() != rank {
        return Err(Error::invalid(format!(
            "'dims' must have the same number of values as 'input' has dimensions. 'input' has {rank}'dims' has {} \
             values",
            dims.num_elements()
        )));
    }
    let turned = dims.slice::<bool>()?.to_vec();
    turn(cx, &turned)
}

pub static REVERSE_V2: Def<ReverseV2> = op::<ReverseV2>("ReverseV2")
    .keeps_finite()
    .inputs(&[arg("tensor", of("T")), arg("axis", of("Tidx"))])
    .outputs(&[arg("output", of("T"))])
    .shape(same_as_input)
    .gradient(|_, g| first(g, REVERSE_V2.call([g.dy(0), g.input(1)])))
    .kernel(reverse_v2::<Cpu>)
    .heavy()
    .host_inputs(&[1])
    .batch(|op, b| if b.rank(0)? == 0 { None } else { levada_ops_core::batch::along_axes(op, b) });

/// The kernel of `ReverseV2`, on any device that moves elements.
pub fn reverse_v2<D: Mover>(_: &ReverseV2, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let shape = cx.input(0)?.shape();
    let rank = shape.rank();
    if rank == 0 || shape.num_elements() == 0 {
        return turn(cx, &vec![false; rank]);
    }
    let axes = cx.input(1)?;
    if axes.shape().rank() != 1 {
        return Err(Error::invalid(format!("'axis' must be 1-dimension, not {}", axes.shape().rank())));
    }
    let axes = axes.to_i64s()?;
    let mut turned = vec![false; rank];
    for (i, &axis) in axes.iter().enumerate() {
        let at = axis_of(axis, rank).ok_or_else(|| {
            Error::invalid(format!("'axis'[{i}] = {axis} is out of valid range [0, {}", rank as i64 - 1))
        })?;
        if std::mem::replace(&mut turned[at], true) {
            return Err(Error::invalid(format!("axis {at} specified more than once.")));
        }
    }
    turn(cx, &turned)
}
