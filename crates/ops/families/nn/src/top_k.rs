//! `TopK` and `TopKV2`: the top k elements of each row and their indices.

use super::heap;
use super::order::{self, Sorted};
use crate::prelude::*;
use crate::rules::{Handles, PACK, RANGE, SCATTER_ND, expand, first};
use DType::*;

attrs! {
    /// The `k` largest elements of each row and their indices; of equal elements the one with the lower index comes
    /// first.
    pub struct TopK {
        /// Number of elements.
        k: i64 = Attr::int("k").at_least(0),
        /// If true, results are sorted in descending order.
        sorted: bool = Attr::bool("sorted").or_bool(true),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// Element type of `k`.
        count: DType = Attr::dtype("Tk", &[I16, I32, I64]).or_type(I32),
        /// Element type of the indices.
        index: DType = Attr::dtype("index_type", &[I16, I32, I64]).or_type(I32),
    }
}

pub static TOP_K: Def<TopK> = op::<TopK>("TopK")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("values", of("T")), arg("indices", is(I32))])
    .without(&["Tk", "index_type"])
    .also(&[form("TopKV2")
        .inputs(&[arg("input", of("T")), arg("k", of("Tk"))])
        .outputs(&[arg("values", of("T")), arg("indices", of("index_type"))])
        .fixed(&[("k", AttrDefault::Int(0))])])
    .shape(infer)
    .host_inputs(&[1])
    .gradient(gradient)
    .kernel(top_k)
    .heavy()
    .batch(|_, b| if b.rank(0)? < 1 { None } else { levada_ops_core::batch::leading_first(b, 1) });

/// Routes the gradient of the values back to their positions in the input.
fn gradient(_: &TopK, g: &GradCx) -> Grads {
    let (x, places) = (g.input(0), g.output(1));
    let (shape, places_shape) = (x.dims(), places.dims());
    let last = |shape: V<'_>| {
        let shape = g.value(shape.at);
        let at = (shape.size() - 1.0).reshape(g.ints(&[1]));
        g.primitive(Primitive::Slice, &[shape, at, g.ints(&[1])], &[]).reshape(g.ints(&[]))
    };
    let (width, k) = (last(shape), last(places_shape));
    let rows = places.reshape(PACK.node(g, &[width.like(-1.0), k], &[]));
    let count = rows.rows();
    let starts = RANGE.call([width.like(0.0), width * count, width]);
    let flat = (rows + expand(g, starts, -1)).reshape(g.ints(&[-1]));
    let all = shape.prod().reshape(g.ints(&[1]));
    let dx = SCATTER_ND.call([expand(g, flat, -1), g.dy(0).reshape(g.ints(&[-1])), all]);
    first(g, dx.reshape(shape))
}

fn infer(op: &TopK, cx: &mut ShapeCx<'_>) -> Result<()> {
    let mut k = Some(op.k);
    if cx.num_inputs() > 1 {
        cx.with_rank(1, 0)?;
        k = cx.constant_i64s(1).and_then(|k| k.first().copied());
    }
    let input = cx.rank_at_least(0, 1)?;
    if let Some(k) = k.filter(|&k| k < 0) {
        return Err(Error::invalid(format!("Need k >= 0, got {k}")));
    }
    let Some((last, outer)) = input.dims().and_then(|d| d.split_last()) else { return Ok(()) };
    if let (Some(columns), Some(k)) = (*last, k)
        && (columns as i64) < k
    {
        return Err(Error::invalid(format!("input must have last dimension >= k = {k} but is {columns}")));
    }
    let shape = PartialShape::new(outer.iter().copied().chain([k.map(|k| k as usize)]));
    cx.output(0, shape.clone());
    cx.output(1, shape);
    Ok(())
}

fn top_k(op: &TopK, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (dtype, sorted, index) = (op.dtype, op.sorted, op.index);
    let mut k = op.k;
    if cx.num_inputs() > 1 {
        let input = cx.input(1)?;
        if !input.shape().is_scalar() {
            return Err(Error::invalid(format!("k must be scalar, got shape {}", input.shape())));
        }
        k = input.to_i64s()?[0];
    }
    let shape = cx.input(0)?.shape();
    let k = usize::try_from(k).map_err(|_| Error::invalid(format!("Need k >= 0, got {k}")))?;
    let Some((&columns, outer)) = shape.split_last() else {
        return Err(Error::invalid(format!("input must be >= 1-D, got shape {shape}")));
    };
    if columns < k {
        return Err(Error::invalid(format!("input must have at least k columns. Had {columns}, needed {k}")));
    }
    let most = match index {
        I16 => i16::MAX as usize,
        I32 => i32::MAX as usize,
        _ => i64::MAX as usize,
    };
    if columns > most {
        return Err(Error::invalid(format!("Not all indices of {columns} columns fit into {index}")));
    }
    let shape = Shape::new(outer.iter().copied().chain([k]))?;
    dispatch!(dtype, reals, |T| {
        let x = cx.input(0)?.clone();
        let x = x.slice::<T>()?;
        // Sorting everything takes two more buffers, for keys and columns.
        cx.device.arena.check(shape.num_elements().saturating_mul(3 * size_of::<usize>()))?;
        let mut found = vec![0usize; shape.num_elements()];
        let cost = columns as f64 * 2.0 + k as f64 * 20.0;
        cx.pool().for_chunks(&mut found, k, cost, |first, found| {
            for (i, found) in found.chunks_exact_mut(k).enumerate() {
                row(&x[(first + i) * columns..(first + i + 1) * columns], sorted, found);
            }
        });
        cx.produce::<T>(0, &shape, |_, out| {
            for (i, (o, &column)) in out.iter_mut().zip(&found).enumerate() {
                *o = x[i / k * columns + column];
            }
            Ok(())
        })?;
        dispatch!(index, integers, |I| cx.produce::<I>(1, &shape, |_, out| {
            out.iter_mut().zip(&found).for_each(|(o, &i)| *o = i as I);
            Ok(())
        }), else unsupported(cx, index))
    }, else unsupported(cx, dtype))
}

/// The columns of the `found.len()` largest elements. If `sorted`, in descending order, with the lower column first
/// among equals; otherwise in the order in which TensorFlow's heap leaves them.
fn row<T: Sorted>(x: &[T], sorted: bool, found: &mut [usize]) {
    if let [found] = found {
        let best = x.iter().fold(T::MINUS_INFINITY, |best, &v| if v > best { v } else { best });
        *found = x.iter().position(|&v| v == best).unwrap_or(0);
    } else if found.len() == x.len() {
        order::places(x.iter().map(|&v| order::descending(v)), found);
    } else {
        // NaN compares equal to everything, as in TensorFlow.
        let before = |a: usize, b: usize| x[b] < x[a] || (x[b] <= x[a] || x[b].is_nan() || x[a].is_nan()) && a < b;
        heap::greatest(x.len(), found, sorted, before);
    }
}
