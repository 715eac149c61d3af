//! `Tile` and `TileGrad`: repeat a tensor along its axes.

use super::pack::{PACK, Pack};
use super::range::RANGE;
use crate::moves::{Axis, Layout, Mover, rearrange};
use crate::prelude::*;
use crate::rules::{Handles, first, int};

attrs! {
    /// Repeats `input` `multiples[i]` times along axis `i`.
    pub struct Tile {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `multiples`.
        index: DType = Attr::dtype("Tmultiples", sets::INDEX).or_type(DType::I32),
    }
}

pub static TILE: Def<Tile> = op::<Tile>("Tile")
    .keeps_finite()
    .inputs(&[arg("input", of("T")), arg("multiples", of("Tmultiples"))])
    .outputs(&[arg("output", of("T"))])
    .shape(shape)
    .gradient(|_, g| {
        let (x, times) = (g.input(0), g.input(1).cast(DType::I32));
        // Splits each axis in two: the number of repetitions, and the size.
        let pairs = PACK.node(g, &Pack { count: 2, dtype: DType::I32, axis: 0 }, &[times, x.shape_value()]);
        let sizes = pairs.transpose(g.ints(&[1, 0])).reshape(g.ints(&[-1]));
        let axes = RANGE.call([int(g, 0), sizes.size(), int(g, 2)]);
        first(g, g.dy(0).reshape(sizes).sum(axes).reshape(x.shape_value()))
    })
    .kernel(tile::<Cpu>)
    .heavy()
    .host_inputs(&[1])
    .batch(|op, b| {
        if b.varies(1) {
            return None;
        }
        b.one(b.again(&[b.input(0), b.concat(&[b.g().ints(&[1]).cast(op.index), b.input(1)])]))
    });

fn shape(_: &Tile, cx: &mut ShapeCx<'_>) -> Result<()> {
    let input = cx.input(0);
    let Some(dims) = input.dims() else {
        cx.output(0, cx.constant_i64s(1).map_or(PartialShape::Unknown, |m| PartialShape::of_rank(m.len())));
        return Ok(());
    };
    let shape = match cx.constant_i64s(1) {
        Some(times) if times.len() == dims.len() => {
            let size = |(d, &n): (&Dim, &i64)| d.zip(usize::try_from(n).ok()).and_then(|(d, n)| d.checked_mul(n));
            PartialShape::new(dims.iter().zip(&times).map(size))
        }
        _ => PartialShape::of_rank(dims.len()),
    };
    cx.output(0, shape);
    Ok(())
}

/// The kernel of `Tile`, on any device that moves elements.
pub fn tile<D: Mover>(_: &Tile, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let (input, multiples) = (cx.input(0)?, cx.input(1)?);
    if multiples.shape().rank() != 1 {
        return Err(Error::invalid(format!("Expected multiples to be 1-D, but got shape {}", multiples.shape())));
    }
    let (shape, times) = (input.shape(), multiples.to_i64s()?);
    if times.len() != shape.rank() {
        return Err(Error::invalid(format!(
            "Expected multiples argument to be a vector of length {} but got length {}",
            shape.rank(),
            times.len()
        )));
    }
    if let Some((i, n)) = times.iter().enumerate().find(|(_, n)| **n < 0) {
        return Err(Error::invalid(format!("Expected multiples[{i}] >= 0, but got {n}")));
    }
    let size = |(&d, &n): (&usize, &i64)| d.checked_mul(n as usize);
    let sizes: Option<Vec<usize>> = shape.iter().zip(&times).map(size).collect();
    let whole = Shape::new(sizes.ok_or_else(|| Error::invalid("the tiled tensor has too many elements"))?)?;
    let out = if whole == *shape {
        cx.take(0)?
    } else {
        let axes = shape.iter().zip(&times).zip(shape.strides());
        let repeat =
            |((&d, &n), s): ((&usize, &i64), usize)| [Axis::strided(n as usize, 0, 0), Axis::strided(d, 0, s as isize)];
        rearrange(cx, input, &Layout::new(axes.flat_map(repeat)), &whole, None)?
    };
    cx.set(0, out);
    Ok(())
}

attrs! {
    /// The gradient of `Tile` in old graphs: sums over all repetitions.
    pub struct TileGrad {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static TILE_GRAD: Def<TileGrad> = op::<TileGrad>("TileGrad")
    .inputs(&[arg("input", of("T")), arg("multiples", is(DType::I32))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        if let Some(rank) = cx.input(0).rank() {
            cx.output(0, PartialShape::of_rank(rank));
        }
        Ok(())
    })
    .kernel(tile_grad)
    .heavy()
    .host_inputs(&[1])
    .supports(|op| sets::NUMBERS.contains(&op.dtype));

fn tile_grad(op: &TileGrad, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (shape, multiples) = (cx.input(0)?.shape().clone(), cx.input(1)?);
    if multiples.shape().dims() != [shape.rank()] {
        return Err(Error::invalid("multiples must have an element for each axis of the input")
            .expected(format!("shape [{}]", shape.rank()))
            .found(format!("shape {}", multiples.shape())));
    }
    let mut sizes = Vec::new();
    for (axis, (&size, times)) in shape.iter().zip(multiples.to_i64s()?).enumerate() {
        let part = usize::try_from(times).ok().filter(|&times| times > 0 && size.is_multiple_of(times));
        let part = part.ok_or_else(|| {
            Error::invalid(format!("axis {axis} of the input must be a multiple of multiples[{axis}]"))
                .expected(format!("a divisor of {size}"))
                .found(times)
        })?;
        sizes.push(size / part);
    }
    let sum = Shape::new(sizes)?;
    let strides = sum.strides();
    dispatch!(op.dtype, numbers, |T| cx.produce::<T>(0, &sum, |cx, out| {
        out.fill(T::zero());
        let line = shape.last().copied().unwrap_or(1);
        let part = sum.last().copied().unwrap_or(1);
        if line == 0 {
            return Ok(());
        }
        for (row, from) in cx.slice::<T>(0)?.chunks_exact(line).enumerate() {
            let (mut rest, mut at) = (row, 0);
            for axis in (0..shape.rank().saturating_sub(1)).rev() {
                at += rest % shape[axis] % sum[axis] * strides[axis];
                rest /= shape[axis];
            }
            for piece in from.chunks_exact(part) {
                out[at..at + part].iter_mut().zip(piece).for_each(|(sum, value)| *sum = sum.add(*value));
            }
        }
        Ok(())
    }), else unsupported(cx, op.dtype))
}
