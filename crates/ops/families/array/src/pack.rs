//! `Pack` and `Unpack`: stack tensors of one shape along a new axis, and the inverse.

use crate::moves::{Axis, Layout, Mover, axis_of, rearrange};
use crate::prelude::*;
use smallvec::SmallVec;

attrs! {
    /// Stacks `values` along a new axis `axis`.
    pub struct Pack {
        /// Number of tensors.
        count: i64 = Attr::int("N").at_least(1),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Position of the new axis; a negative value counts from the end of the result.
        axis: i64 = Attr::int("axis").or_int(0),
    }
}

attrs! {
    /// Unstacks `value` along axis `axis` into `num` tensors.
    pub struct Unpack {
        /// Number of tensors.
        count: i64 = Attr::int("num").at_least(0),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// The axis; a negative value counts from the end.
        axis: i64 = Attr::int("axis").or_int(0),
    }
}

fn find_axis(axis: i64, rank: usize) -> Result<usize> {
    axis_of(axis, rank).ok_or_else(|| Error::invalid(format!("axis = {axis} not in [-{rank}, {rank})")).attr("axis"))
}

pub static PACK: Def<Pack> = op::<Pack>("Pack")
    .keeps_finite()
    .inputs(&[arg("values", of("T")).times("N")])
    .outputs(&[arg("output", of("T"))])
    .counts("T")
    .shape(pack_shape)
    .gradient(|op, g| {
        let all = UNPACK.node(g, &Unpack { count: op.count, dtype: op.dtype, axis: op.axis }, &[g.dy(0)]);
        (0..g.num_inputs()).map(|i| all.out(i).into()).collect()
    })
    .kernel(pack::<Cpu>)
    .stacks(|op| matches!(op.axis, 0 | -1))
    .heavy()
    .batch(|op, b| {
        let axis = axis_behind(op.axis, Some(b.rank(0)? + 1))?;
        let inputs: Vec<V<'_>> = (0..b.num_inputs()).map(|i| b.each(i)).collect();
        b.one(b.again_with(&inputs, &[("axis", AttrValue::I(axis))]))
    });

fn pack_shape(op: &Pack, cx: &mut ShapeCx<'_>) -> Result<()> {
    let mut merged = PartialShape::Unknown;
    for i in 0..cx.num_inputs() {
        merged = merged.merge(&cx.input(i))?;
    }
    if let Some(dims) = merged.dims() {
        let at = find_axis(op.axis, dims.len() + 1)?;
        let count = [Some(cx.num_inputs())];
        cx.output(0, PartialShape::new(dims[..at].iter().copied().chain(count).chain(dims[at..].iter().copied())));
    }
    Ok(())
}

/// The kernel of `Pack`, on any device that moves elements.
pub fn pack<D: Mover>(op: &Pack, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let first = cx.input(0)?.shape();
    let at = find_axis(op.axis, first.rank() + 1)?;
    let count = cx.num_inputs();
    let mut parts: SmallVec<[&Tensor; 8]> = SmallVec::with_capacity(count);
    for i in 0..count {
        let part = cx.input(i)?;
        if part.shape() != first {
            return Err(Error::invalid(format!(
                "Shapes of all inputs must match: values[0].shape = {first} != values[{i}].shape = {}",
                part.shape()
            )));
        }
        parts.push(part);
    }
    let shape = Shape::new(first[..at].iter().copied().chain([count]).chain(first[at..].iter().copied()))?;
    let joined = if count == 1 { None } else { Some(D::join(cx, &parts, at, &shape, op.dtype)?) };
    drop(parts);
    let out = match joined {
        Some(out) => out,
        None => cx.take(0)?.reshaped(shape)?,
    };
    cx.set(0, out);
    Ok(())
}

pub static UNPACK: Def<Unpack> = op::<Unpack>("Unpack")
    .views()
    .inputs(&[arg("value", of("T"))])
    .outputs(&[arg("output", of("T")).times("num")])
    .counts("T")
    .shape(unpack_shape)
    .gradient(|op, g| {
        let parts: Vec<V<'_>> = (0..g.num_outputs()).map(|i| g.dy(i)).collect();
        vec![PACK.node(g, &Pack { count: op.count, dtype: op.dtype, axis: op.axis }, &parts).into()]
    })
    .kernel(unpack::<Cpu>)
    .heavy()
    .batch(|op, b| {
        let axis = axis_behind(op.axis, b.rank(0))?;
        b.all(b.again_with(&b.inputs(), &[("axis", AttrValue::I(axis))]))
    });

fn unpack_shape(op: &Unpack, cx: &mut ShapeCx<'_>) -> Result<()> {
    let value = cx.input(0);
    let Some(dims) = value.dims() else { return Ok(()) };
    let at = find_axis(op.axis, dims.len())?;
    if let Some(size) = dims[at].filter(|&d| d as i64 != op.count) {
        return Err(Error::invalid(format!("Dimension must be {} but is {size}", op.count)).attr("num"));
    }
    let shape = PartialShape::new(dims[..at].iter().chain(&dims[at + 1..]).copied());
    (0..cx.num_outputs()).for_each(|i| cx.output(i, shape.clone()));
    Ok(())
}

/// The kernel of `Unpack`, on any device that moves elements.
pub fn unpack<D: Mover>(op: &Unpack, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let value = cx.take(0)?;
    let dims = value.shape().dims();
    let at = find_axis(op.axis, dims.len())?;
    if dims[at] as i64 != op.count {
        return Err(Error::invalid(format!(
            "Input shape axis {at} must equal {}, got shape {}",
            op.count,
            value.shape()
        )));
    }
    let shape = Shape::new(dims[..at].iter().chain(&dims[at + 1..]).copied())?;
    let outer: usize = dims[..at].iter().product();
    let strides = value.shape().strides();
    if outer == 1 {
        let rows = value.clone().reshaped(Shape::new(dims[at..].iter().copied())?)?;
        for i in 0..dims[at] {
            cx.set(i, rows.row(i)?.reshaped(shape.clone())?);
        }
        return Ok(());
    }
    for i in 0..dims[at] {
        let from = |d: usize| if d == at { (i * strides[at]) as isize } else { 0 };
        let size = |d: usize| if d == at { 1 } else { dims[d] };
        let layout = Layout::new((0..dims.len()).map(|d| Axis::strided(size(d), from(d), strides[d] as isize)));
        let out = rearrange(cx, &value, &layout, &shape, None)?;
        cx.set(i, out);
    }
    Ok(())
}
