//! Gather, scatter, and indices of elements.

use super::moving::counting;
use super::prelude::*;

pub(crate) const OPERATORS: &[Operator] = &[
    op("Compress", &[9, 11, 28], compress),
    op("Gather", &[1, 11, 13], gather),
    op("GatherElements", &[11, 13], gather_elements),
    op("GatherND", &[11, 12, 13], gather_nd),
    op("NonZero", &[9, 13], non_zero),
    op("Scatter", &[9, 11], scatter_elements),
    op("ScatterElements", &[11, 13, 16, 18], scatter_elements),
    op("ScatterND", &[11, 13, 16, 18], scatter_nd),
];

/// Non-negative indices; `size` is broadcast to them.
fn from_front(cx: &mut Cx<'_, '_>, indices: &Val, size: &Val) -> Result<Val> {
    if cx.ints_of(indices).is_some_and(|all| all.iter().all(|&i| i >= 0)) {
        return Ok(indices.clone());
    }
    let dtype = cx.dtype(indices);
    let size = cx.cast(size, dtype)?;
    let (zero, known) = (cx.scalar_like(indices, 0.0)?, cx.shape(indices));
    let (is_negative, from_end) = (cx.op("Less", &[indices, &zero])?, cx.plus(indices, &size)?);
    let indices = cx.op("SelectV2", &[&is_negative, &from_end, indices])?.of_elem(Elem::of(dtype));
    cx.set_shape(&indices, known);
    Ok(indices)
}

/// Indices as int32 or int64.
fn indices_of(cx: &mut Cx<'_, '_>, i: usize) -> Result<Val> {
    let indices = cx.input(i)?;
    match cx.dtype(&indices) {
        DType::I32 | DType::I64 => Ok(indices),
        _ => cx.cast(&indices, DType::I64),
    }
}

fn gather(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, indices) = (cx.input(0)?, indices_of(cx, 1)?);
    let axis = cx.int_or("axis", 0)?;
    let size = cx.size_of(&x, axis)?;
    let indices = match cx.ints_of(&indices) {
        // Known indices stay known.
        Some(all) if all.iter().any(|&i| i < 0) && cx.ints_of(&size).is_some() => {
            let (n, shape) = (cx.ints_of(&size).unwrap_or_default()[0], cx.shape(&indices).known());
            let all = all.iter().map(|&i| if i < 0 { i + n } else { i }).collect();
            cx.constant(Tensor::from_vec(shape.unwrap_or_default(), all)?)?
        }
        _ => from_front(cx, &indices, &size)?,
    };
    let axis = cx.i32(axis)?;
    Ok(vec![cx.op("GatherV2", &[&x, &indices, &axis])?])
}

/// The index along each axis of every element of a tensor of the shape of `like`, with `given` along `axis`: `[..,
/// rank]`.
fn places(cx: &mut Cx<'_, '_>, like: &Val, axis: usize, given: &Val) -> Result<Val> {
    let rank = cx.rank_needed(like)?;
    let shape = cx.shape_of(like)?;
    let mut all = Vec::new();
    for i in 0..rank {
        if i == axis {
            all.push(cx.cast(given, DType::I64)?);
            continue;
        }
        let size = cx.size_of(like, i as i64)?;
        let numbers = counting(cx, &size)?;
        let mut dims = vec![1; rank];
        dims[i] = -1;
        let numbers = cx.reshape(&numbers, &dims)?;
        all.push(cx.op("BroadcastTo", &[&numbers, &shape])?);
    }
    Ok(cx.node("Pack").inputs(&all).attr("axis", rank as i64).add()?.of_elem(Elem::INT64))
}

fn gather_elements(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, indices) = (cx.input(0)?, indices_of(cx, 1)?);
    let rank = cx.rank(&x).map_or_else(|| cx.rank_needed(&indices), Ok)?;
    let axis = cx.axis(cx.int_or("axis", 0)?, rank)?;
    let size = cx.size_of(&x, axis as i64)?;
    let indices = from_front(cx, &indices, &size)?;
    let places = places(cx, &indices, axis, &indices)?;
    Ok(vec![cx.op("GatherNd", &[&x, &places])?])
}

fn gather_nd(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, indices) = (cx.input(0)?, indices_of(cx, 1)?);
    let batch = cx.int_or("batch_dims", 0)?;
    let width = cx.shape(&indices).dim(-1);
    let width = width.ok_or_else(|| Error::unimplemented("the size of the last axis of the indices is not known"))?;
    let shape = cx.shape_of(&x)?;
    let sizes = cx.range_of(&shape, batch, Some(batch + width as i64))?;
    let mut indices = from_front(cx, &indices, &sizes)?;
    if batch > 0 {
        let rank = cx.rank_needed(&indices)?;
        let batch = cx.axis(batch, rank)?;
        indices = cx.cast(&indices, DType::I64)?;
        let own = cx.shape_of(&indices)?;
        let (outer, one) = (cx.range_of(&own, 0, Some(rank as i64 - 1))?, cx.i64s(&[1])?);
        let column = cx.concat(&[outer, one], 0)?;
        let mut parts = Vec::new();
        for i in 0..batch {
            let size = cx.size_of(&indices, i as i64)?;
            let numbers = counting(cx, &size)?;
            let mut dims = vec![1; rank];
            dims[i] = -1;
            let numbers = cx.reshape(&numbers, &dims)?;
            parts.push(cx.op("BroadcastTo", &[&numbers, &column])?);
        }
        parts.push(indices);
        indices = cx.concat(&parts, -1)?;
    }
    Ok(vec![cx.op("GatherNd", &[&x, &indices])?])
}

/// Scatters updates of elements or slices to indices (`[.., k]`), combined with the existing values according to the
/// attribute `reduction`.
fn scattered(cx: &mut Cx<'_, '_>, x: &Val, places: &Val, updates: &Val) -> Result<Val> {
    let op = match &cx.text_or("reduction", "none")?[..] {
        "none" => "TensorScatterUpdate",
        "add" => "TensorScatterAdd",
        "max" => "TensorScatterMax",
        "min" => "TensorScatterMin",
        "mul" => return multiplied(cx, x, places, updates),
        other => {
            let error = Error::invalid("an attribute has an invalid value").attr("reduction");
            return Err(error.expected("none, add, mul, max or min").found(other));
        }
    };
    cx.op(op, &[x, places, updates])
}

/// The product of the existing value and all updates of an index.
fn multiplied(cx: &mut Cx<'_, '_>, x: &Val, places: &Val, updates: &Val) -> Result<Val> {
    let width = cx.shape(places).dim(-1);
    let width = width.ok_or_else(|| Error::unimplemented("the size of the last axis of the indices is not known"))?;
    let shape = cx.shape_of(x)?;
    let (outer, inner) = (cx.range_of(&shape, 0, Some(width as i64))?, cx.range_of(&shape, width as i64, None)?);
    let rows = cx.reduce("Prod", &outer, &[0], false)?;
    let zero = cx.i32(0)?;
    let strides = cx.node("Cumprod").input(&outer).input(&zero).attr("exclusive", true).attr("reverse", true).add()?;
    let places = cx.cast(places, DType::I64)?;
    let numbers = cx.times(&places, &strides)?;
    let numbers = cx.reduce("Sum", &numbers, &[-1], false)?;
    let numbers = cx.reshape(&numbers, &[-1])?;
    let minus = cx.i64s(&[-1])?;
    let flat = cx.concat(&[minus, inner], 0)?;
    let updates = cx.op("Reshape", &[updates, &flat])?;
    let product = cx.op("UnsortedSegmentProd", &[&updates, &numbers, &rows])?;
    let product = cx.op("Reshape", &[&product, &shape])?;
    cx.times(x, &product)
}

fn scatter_elements(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, indices, updates) = (cx.input(0)?, indices_of(cx, 1)?, cx.input(2)?);
    let rank = cx.rank(&x).map_or_else(|| cx.rank_needed(&indices), Ok)?;
    let axis = cx.axis(cx.int_or("axis", 0)?, rank)?;
    let size = cx.size_of(&x, axis as i64)?;
    let indices = from_front(cx, &indices, &size)?;
    let places = places(cx, &indices, axis, &indices)?;
    Ok(vec![scattered(cx, &x, &places, &updates)?.like(&x)])
}

fn scatter_nd(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, indices, updates) = (cx.input(0)?, indices_of(cx, 1)?, cx.input(2)?);
    let sizes = cx.shape_of(&x)?;
    let sizes = match cx.shape(&indices).dim(-1) {
        Some(width) => cx.range_of(&sizes, 0, Some(width as i64))?,
        None => {
            let width = cx.size_of(&indices, -1)?;
            let (begin, width) = (cx.i64s(&[0])?, cx.reshape(&width, &[1])?);
            cx.op("Slice", &[&sizes, &begin, &width])?
        }
    };
    let indices = from_front(cx, &indices, &sizes)?;
    Ok(vec![scattered(cx, &x, &indices, &updates)?.like(&x)])
}

/// Indices of the non-zero elements of a tensor: `[n, rank]`.
fn where_true(cx: &mut Cx<'_, '_>, x: &Val) -> Result<Val> {
    Ok(cx.op("Where", &[x])?.of_elem(Elem::INT64))
}

fn non_zero(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let x = match cx.rank(&x) {
        Some(0) => cx.reshape(&x, &[1])?,
        _ => x,
    };
    let places = where_true(cx, &x)?;
    Ok(vec![cx.transpose(&places, &[1, 0])?])
}

fn compress(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, condition) = (cx.input(0)?, cx.input(1)?);
    let (x, axis) = match cx.int("axis")? {
        Some(axis) => (x, axis),
        None => (cx.reshape(&x, &[-1])?, 0),
    };
    let chosen = where_true(cx, &condition)?;
    let chosen = cx.reshape(&chosen, &[-1])?;
    let axis = cx.i32(axis)?;
    Ok(vec![cx.op("GatherV2", &[&x, &chosen, &axis])?])
}
