//! Reductions, scans and segments.

use super::{Grads, NONE, expand, kept_shape, never, range};
use levada_graph::grad::{Grad, GradCx, Rule, V, attr};
use levada_graph::{DType, Tensor};

/// The reduced axes as a vector of int32.
fn axes(g: &GradCx) -> V<'_> {
    g.input(1).cast(DType::I32)
}

/// `value`, of the shape of the node's output, in the shape that it has where reduced axes are kept.
fn keep<'g>(g: &'g GradCx, value: V<'g>) -> V<'g> {
    if g.flag("keep_dims") {
        return value;
    }
    let shape = kept_shape(g, g.input(0).shape_value(), axes(g));
    value.reshape(shape)
}

fn spread<'g>(g: &'g GradCx, value: V<'g>) -> V<'g> {
    let shape = g.input(0).shape_value();
    let kept = keep(g, value);
    g.op("BroadcastTo", &[kept, shape])
}

fn extremum(g: &GradCx) -> Grads {
    let (x, y, dy) = (g.input(0), keep(g, g.output(0)), keep(g, g.dy(0)));
    let chosen = g.op("Equal", &[y, x]).cast(x.dtype());
    let number = chosen.sum_keep(axes(g));
    vec![(chosen / number * dy).into(), NONE]
}

fn product(g: &GradCx) -> Grads {
    let x = g.input(0);
    let shape = x.shape_value();
    let rank = g.op("Size", &[shape]);
    let axes = axes(g).reshape(g.ints(&[-1]));
    let dy = spread(g, g.dy(0));
    let reduced = g.op("FloorMod", &[g.op("AddV2", &[axes, rank]), rank]);
    let others = g.op("ListDiff", &[range(g, rank), reduced]);
    let order = super::concat(g, &[reduced, others], 0);
    let count = |axes: V<'_>| {
        let sizes = g.op("GatherV2", &[shape, g.value(axes.at), g.constant(Tensor::scalar(0i32))]);
        g.op("Prod", &[sizes, g.ints(&[0])])
    };
    let matrix = g.op("Pack", &[count(reduced), count(others)]);
    let moved = g.op("Transpose", &[x, order]);
    let flat = moved.reshape(matrix);
    let zero = g.constant(Tensor::scalar(0i32));
    let left = g.node("Cumprod", &[flat, zero], &[attr("exclusive", true)]);
    let right = g.node("Cumprod", &[flat, zero], &[attr("exclusive", true), attr("reverse", true)]);
    let rest = (left.conj() * right.conj()).reshape(moved.op("Shape"));
    let back = g.op("Transpose", &[rest, g.op("InvertPermutation", &[order])]);
    vec![(dy * back).reshape(shape).into(), NONE]
}

fn gather<'g>(g: &'g GradCx, values: V<'g>, ids: V<'g>) -> V<'g> {
    g.op("GatherV2", &[values, ids, g.constant(Tensor::scalar(0i32))])
}

/// Rows of `values` by `ids`, zeros where an id is negative; and for which elements it is not.
fn gather_if_positive<'g>(g: &'g GradCx, values: V<'g>, ids: V<'g>) -> V<'g> {
    let clipped = g.op("Maximum", &[ids, ids.zeros_like()]);
    let rows = gather(g, values, clipped);
    let positive = g.op("GreaterEqual", &[ids, ids.zeros_like()]);
    // As many axes of size 1 behind as the rows have.
    let ones = {
        let n = rows.op("Rank") - positive.op("Rank");
        g.op("Fill", &[n.reshape(g.ints(&[1])), g.constant(Tensor::scalar(1i32))])
    };
    let shape = super::concat(g, &[positive.op("Shape"), ones], 0);
    rows.where_true(positive.reshape(shape))
}

fn segment_extremum(g: &GradCx, sum: &str, get: for<'g> fn(&'g GradCx, V<'g>, V<'g>) -> V<'g>) -> Grads {
    let (x, ids) = (g.input(0), g.input(1));
    let chosen = g.op("Equal", &[x, get(g, g.output(0), ids)]).cast(x.dtype());
    let mut inputs = vec![chosen, ids];
    inputs.extend((2..g.num_inputs()).map(|i| g.input(i)));
    let shared = g.dy(0) / g.op(sum, &inputs);
    let mut grads = vec![(get(g, shared, ids) * chosen).into()];
    grads.resize(g.num_inputs(), NONE);
    grads
}

pub(super) fn rule(op: &str) -> Option<Rule> {
    Some(match op {
        "Sum" => |g| vec![spread(g, g.dy(0)).into(), NONE],
        "Mean" => |g| {
            let (x, y) = (g.input(0), g.output(0));
            let sum = spread(g, g.dy(0));
            let count = match (x.shape().known(), y.shape().known()) {
                (Some(x), Some(y)) => sum.like((x.num_elements() / y.num_elements().max(1)) as f64),
                _ => {
                    let (all, left) = (x.op("Size"), y.op("Size"));
                    let least = g.op("Maximum", &[left, left.like(1.0)]);
                    g.op("FloorDiv", &[all, least]).cast(sum.dtype())
                }
            };
            vec![(sum / count).into(), NONE]
        },
        "Max" | "Min" => extremum,
        "Prod" => product,
        "EuclideanNorm" => |g| {
            let over = g.op("DivNoNan", &[keep(g, g.dy(0)), keep(g, g.output(0))]);
            vec![(g.input(0) * over).into(), NONE]
        },
        "All" | "Any" | "ArgMax" | "ArgMin" | "Bincount" | "DenseBincount" | "HistogramFixedWidth" => never,
        "L2Loss" => |g| vec![(g.input(0) * g.dy(0)).into()],
        "Cumsum" => |g| {
            let attrs = [attr("exclusive", g.flag("exclusive")), attr("reverse", !g.flag("reverse"))];
            vec![g.node("Cumsum", &[g.dy(0), g.input(1)], &attrs).into(), NONE]
        },
        "Cumprod" => |g| {
            let (x, axis) = (g.input(0), g.input(1));
            let (exclusive, reverse) = (g.flag("exclusive"), g.flag("reverse"));
            let product = g.node("Cumprod", &[x, axis], &[attr("exclusive", exclusive), attr("reverse", reverse)]);
            let attrs = [attr("exclusive", exclusive), attr("reverse", !reverse)];
            let out = g.node("Cumsum", &[product * g.dy(0), axis], &attrs);
            vec![g.op("DivNoNan", &[out, x]).into(), NONE]
        },
        "SegmentSum" => |g| vec![gather(g, g.dy(0), g.input(1)).into(), NONE],
        "SegmentMean" => |g| {
            let (x, ids, dy) = (g.input(0), g.input(1), g.dy(0));
            let one = ids.ones_like().cast(x.dtype());
            let count = g.op("SegmentSum", &[one, ids]);
            let ones = g.op("Fill", &[(x.op("Rank") - 1.0).reshape(g.ints(&[1])), g.constant(Tensor::scalar(1i32))]);
            let count = count.reshape(super::concat(g, &[count.op("Shape"), ones], 0));
            vec![gather(g, dy / count, ids).into(), NONE]
        },
        "SegmentMax" | "SegmentMin" => |g| segment_extremum(g, "SegmentSum", gather),
        "UnsortedSegmentSum" => |g| vec![gather_if_positive(g, g.dy(0), g.input(1)).into(), NONE, NONE],
        "UnsortedSegmentMax" | "UnsortedSegmentMin" => {
            |g| segment_extremum(g, "UnsortedSegmentSum", gather_if_positive)
        }
        "SparseSegmentSum" => |g| {
            let (x, indices, ids) = (g.input(0), g.input(1), g.input(2));
            let rows = gather(g, g.dy(0), ids);
            let n = x.op("Shape").slice1(0, 1).reshape(g.ints(&[]));
            vec![g.op("UnsortedSegmentSum", &[rows, indices, n]).into(), NONE, NONE]
        },
        "SparseSegmentMean" => |g| {
            let n = g.input(0).op("Shape").slice1(0, 1).reshape(g.ints(&[]));
            vec![g.op("SparseSegmentMeanGrad", &[g.dy(0), g.input(1), g.input(2), n]).into(), NONE, NONE]
        },
        "SparseSegmentSqrtN" => |g| {
            let n = g.input(0).op("Shape").slice1(0, 1).reshape(g.ints(&[]));
            vec![g.op("SparseSegmentSqrtNGrad", &[g.dy(0), g.input(1), g.input(2), n]).into(), NONE, NONE]
        },
        "TopK" | "TopKV2" => |g| {
            let (x, places) = (g.input(0), g.output(1));
            let (shape, places_shape) = (x.op("Shape"), places.op("Shape"));
            let last = |shape: V<'_>| {
                let shape = g.value(shape.at);
                let at = (shape.op("Size") - 1.0).reshape(g.ints(&[1]));
                g.op("Slice", &[shape, at, g.ints(&[1])]).reshape(g.ints(&[]))
            };
            let (width, k) = (last(shape), last(places_shape));
            let rows = places.reshape(g.op("Pack", &[width.like(-1.0), k]));
            let count = rows.op("Shape").slice1(0, 1).reshape(g.ints(&[]));
            let starts = g.op("Range", &[width.like(0.0), width * count, width]);
            let flat = (rows + expand(g, starts, -1)).reshape(g.ints(&[-1]));
            let all = shape.prod().reshape(g.ints(&[1]));
            let dx = g.op("ScatterNd", &[expand(g, flat, -1), g.dy(0).reshape(g.ints(&[-1])), all]);
            let mut grads: Vec<Option<Grad>> = vec![dx.reshape(shape).into()];
            grads.resize(g.num_inputs(), NONE);
            grads
        },
        _ => return None,
    })
}
