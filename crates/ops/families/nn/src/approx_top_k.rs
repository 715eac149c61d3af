//! `ApproxTopK`: the approximate top k along an axis, computed exactly here.

use super::heap;
use super::order::{self, Sorted};
use crate::prelude::*;
use crate::rules::{Handles, INVERT_PERMUTATION, concat, expand, first, int, range};

attrs! {
    /// The `k` largest or smallest elements along an axis, and their indices. The result is exact, whatever
    /// `recall_target` is.
    pub struct ApproxTopK {
        /// Number of elements.
        k: i64 = Attr::int("k").at_least(0),
        /// The axis; negative values count from the end.
        axis: i64 = Attr::int("reduction_dimension").or_int(-1),
        /// Minimum recall; ignored, since the result is exact.
        recall_target: f32 = Attr::float("recall_target").or_float(0.95),
        /// If true, finds the largest elements, otherwise the smallest.
        is_max: bool = Attr::bool("is_max_k").or_bool(true),
        /// Size of the full axis if the input is a slice of it, for the recall computation; -1 for the input's own
        /// size.
        reduction_input_size_override: i64 = Attr::int("reduction_input_size_override").or_int(-1),
        /// If false, more than `k` elements may be returned. The result always has `k`.
        aggregate_to_topk: bool = Attr::bool("aggregate_to_topk").or_bool(true),
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::F16, DType::BF16, DType::F32]),
    }
}

pub static APPROX_TOP_K: Def<ApproxTopK> = op("ApproxTopK")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("values", of("T")), arg("indices", is(DType::I32))])
    .shape(|op: &ApproxTopK, cx| {
        let input = cx.rank_at_least(0, 1)?;
        let Some(dims) = input.dims() else { return Ok(()) };
        let axis = op.axis_of(dims.len())?;
        if dims[axis].is_some_and(|size| (size as i64) < op.k) {
            return Err(Error::invalid(format!(
                "input must have k = {} elements along the axis, but has {}",
                op.k, input
            )));
        }
        let mut dims = dims.to_vec();
        dims[axis] = Some(op.k as usize);
        cx.output(0, PartialShape::new(dims.iter().copied()));
        cx.output(1, PartialShape::new(dims));
        Ok(())
    })
    .gradient(gradient)
    .kernel(|op, cx| dispatch!(op.dtype, floats, |T| top::<T>(op, cx), else unsupported(cx, op.dtype)))
    .heavy();

impl ApproxTopK {
    fn axis_of(&self, rank: usize) -> Result<usize> {
        let axis = if self.axis < 0 { self.axis.saturating_add(rank as i64) } else { self.axis };
        usize::try_from(axis).ok().filter(|axis| *axis < rank).ok_or_else(|| {
            Error::invalid(format!("reduction_dimension must be in the range [-{rank}, {rank})"))
                .attr("reduction_dimension")
                .found(self.axis)
        })
    }
}

/// Routes the gradients to the selected elements.
fn gradient(op: &ApproxTopK, g: &GradCx) -> Grads {
    let (x, dy, indices) = (g.input(0), g.dy(0), g.output(1));
    let rank = x.rank_found();
    let axis = match op.axis {
        axis @ 0.. => int(g, axis as i32),
        axis => rank + int(g, axis as i32),
    };
    // Moves the axis to the end and flattens all others.
    let axes = range(g, rank);
    let others = axes.list_diff(axis.reshape(g.ints(&[1])));
    let order = concat(g, &[others, axis.reshape(g.ints(&[1]))], 0);
    let back = INVERT_PERMUTATION.call([order]);
    let shape = x.dims().gather(order);
    let columns = x.dims().gather(axis);
    let [dy, indices] = [dy, indices].map(|v| v.transpose(order).reshape(g.ints(&[-1, op.k as i32])));
    let places = indices + expand(g, range(g, dy.rows()) * columns, -1);
    let flat = g.op("UnsortedSegmentSum", &[dy.reshape(g.ints(&[-1])), places.reshape(g.ints(&[-1])), x.size()]);
    first(g, flat.reshape(shape).transpose(back))
}

fn top<T: Sorted>(op: &ApproxTopK, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    if shape.is_scalar() {
        return Err(Error::invalid("input must be >= 1-D, got shape []"));
    }
    let axis = op.axis_of(shape.rank())?;
    let (size, k) = (shape[axis], op.k as usize);
    if size < k {
        return Err(Error::invalid(format!("input must have at least k columns. Had {size}, needed {k}")));
    }
    if i32::try_from(size).is_err() {
        return Err(Error::invalid(format!("Not all indices of {size} columns fit into int32")));
    }
    let inner: usize = shape[axis + 1..].iter().product();
    let dims = shape.iter().enumerate().map(|(i, &n)| if i == axis { k } else { n });
    let out_shape = Shape::new(dims)?;
    cx.device.arena.check(out_shape.num_elements().saturating_mul(size_of::<usize>()))?;
    // The indices of each row, one row after another.
    let mut found = vec![0usize; out_shape.num_elements()];
    let x = cx.slice::<T>(0)?;
    let at = |line: usize, i: usize| (line / inner * size + i) * inner + line % inner;
    let (pool, cost) = (cx.pool(), size as f64 * 2.0 + k as f64 * 20.0);
    pool.for_chunks(&mut found, k, cost, |first, found| {
        for (l, found) in found.chunks_exact_mut(k).enumerate() {
            let line = first + l;
            if inner == 1 {
                let x = &x[line * size..(line + 1) * size];
                best(|i| x[i], size, op.is_max, found);
            } else {
                best(|i| x[at(line, i)], size, op.is_max, found);
            }
        }
    });
    let place = |o: usize| ((o / (k * inner)) * inner + o % inner, o / inner % k);
    let index = |o: usize| {
        let (line, rank) = place(o);
        found[line * k + rank]
    };
    cx.produce::<T>(0, &out_shape, |cx, out| {
        let x = cx.slice::<T>(0)?;
        out.iter_mut().enumerate().for_each(|(o, out)| *out = x[at(place(o).0, index(o))]);
        Ok(())
    })?;
    cx.produce::<i32>(1, &out_shape, |_, out| {
        out.iter_mut().enumerate().for_each(|(o, out)| *out = index(o) as i32);
        Ok(())
    })
}

/// The indices of the best of `size` elements, in the order of `TopK`.
fn best<T: Sorted>(x: impl Fn(usize) -> T, size: usize, is_max: bool, found: &mut [usize]) {
    let is_better = |a: T, b: T| if is_max { a > b } else { a < b };
    if let [found] = found {
        let start = if is_max { T::MINUS_INFINITY } else { T::INFINITY };
        let best = (0..size).map(&x).fold(start, |best, v| if is_better(v, best) { v } else { best });
        *found = (0..size).position(|i| x(i) == best).unwrap_or(0);
    } else if found.len() == size {
        let ascending = if is_max { 0 } else { u64::MAX };
        order::places((0..size).map(|i| order::descending(x(i)) ^ ascending), found);
    } else {
        // NaN is equal to everything, as in `TopK`.
        let before = |a: usize, b: usize| is_better(x(a), x(b)) || !is_better(x(b), x(a)) && a < b;
        heap::greatest(size, found, true, before);
    }
}
