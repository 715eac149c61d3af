//! `Slice`: extracts a rectangular block of a tensor.

use super::pad::PAD;
use crate::moves::{Axis, Layout, Mover, rearrange};
use crate::prelude::*;
use crate::rules::{Handles, concat, first};

attrs! {
    /// Returns `size[i]` positions of each axis `i`, starting at `begin[i]`; a size of -1 means all remaining
    /// positions.
    pub struct Slice {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `begin` and `size`.
        index: DType = Attr::dtype("Index", sets::INDEX),
    }
}

/// Returns how many positions of axis `i`, of size `dim`, are taken.
fn extent(i: usize, dim: usize, begin: i64, size: i64) -> Result<usize> {
    let whole = dim as i64;
    if !(0..=whole).contains(&begin) {
        return Err(Error::invalid(format!("Expected begin[{i}] in [0, {dim}], but got {begin}")));
    }
    let left = whole - begin;
    match size {
        -1 => Ok(left as usize),
        _ if (0..=left).contains(&size) => Ok(size as usize),
        _ => Err(Error::invalid(format!("Expected size[{i}] in [0, {left}], but got {size}"))),
    }
}

pub static SLICE: Def<Slice> = op::<Slice>("Slice")
    .views()
    .inputs(&[arg("input", of("T")), arg("begin", of("Index")), arg("size", of("Index"))])
    .outputs(&[arg("output", of("T"))])
    .counts("T")
    .primitive(Primitive::Slice)
    .shape(shape)
    .gradient(|_, g| {
        let (x, begin, dy) = (g.input(0), g.input(1).cast(DType::I32), g.dy(0));
        let column = g.ints(&[-1, 1]);
        let after = x.shape_value() - dy.dims() - begin;
        first(g, PAD.call([dy, concat(g, &[begin.reshape(column), after.reshape(column)], 1)]))
    })
    .kernel(slice::<Cpu>)
    .heavy()
    .host_inputs(&[1, 2])
    .batch(|op, b| {
        if b.varies(1) || b.varies(2) {
            return None;
        }
        let first = |value: i32| b.g().ints(&[value]).cast(op.index);
        let (begin, size) = (b.concat(&[first(0), b.input(1)]), b.concat(&[first(-1), b.input(2)]));
        b.one(b.again(&[b.input(0), begin, size]))
    });

fn shape(_: &Slice, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (input, begin, size) = (cx.input(0), cx.constant_i64s(1), cx.constant_i64s(2));
    let shape = match (input.dims(), begin, size) {
        (Some(dims), begin, Some(size)) if dims.len() == size.len() => {
            let begin = begin.filter(|b| b.len() == dims.len());
            let mut out = Vec::with_capacity(dims.len());
            for (i, &dim) in dims.iter().enumerate() {
                out.push(match (dim, begin.as_ref().map(|b| b[i]), size[i]) {
                    (Some(dim), Some(begin), size) => Some(extent(i, dim, begin, size)?),
                    (_, _, size) => usize::try_from(size).ok(),
                });
            }
            PartialShape::new(out)
        }
        (Some(dims), ..) => PartialShape::of_rank(dims.len()),
        (None, Some(begin), _) => PartialShape::of_rank(begin.len()),
        (None, None, Some(size)) => PartialShape::from_signed(&size),
        _ => PartialShape::Unknown,
    };
    cx.output(0, shape);
    Ok(())
}

/// The kernel of `Slice`, on any device that moves elements.
pub fn slice<D: Mover>(_: &Slice, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let input = cx.input(0)?;
    let (dims, strides) = (input.shape().dims(), input.shape().strides());
    for i in [1, 2] {
        if cx.input(i)?.shape().dims() != [dims.len()] {
            return Err(Error::invalid(format!(
                "Expected begin and size arguments to be 1-D tensors of size {}, but got shapes {} and {} instead.",
                dims.len(),
                cx.input(1)?.shape(),
                cx.input(2)?.shape()
            )));
        }
    }
    let (begin, size) = (cx.i64s(1)?, cx.i64s(2)?);
    let mut out = Vec::with_capacity(dims.len());
    for (i, &dim) in dims.iter().enumerate() {
        out.push(extent(i, dim, begin[i], size[i])?);
    }
    let rows = !dims.is_empty() && out[1..] == dims[1..];
    let shape = Shape::new(out)?;
    let out = if shape == *input.shape() {
        cx.take(0)?
    } else if rows {
        input.rows(begin[0] as usize..begin[0] as usize + shape[0])?
    } else {
        let axes = shape.iter().zip(strides).zip(&begin);
        let layout = Layout::new(axes.map(|((&n, s), &b)| Axis::strided(n, b as isize * s as isize, s as isize)));
        rearrange(cx, input, &layout, &shape, None)?
    };
    cx.set(0, out);
    Ok(())
}
