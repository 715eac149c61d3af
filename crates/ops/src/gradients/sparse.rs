//! Sparse, ragged and set ops.

use super::{Grads, NONE, concat, expand, kept_shape, never, range};
use levada_graph::grad::{Grad, GradCx, Rule, V, attr};
use levada_graph::{Bytes, DType, Error, Tensor};

/// Only input `i` gets a gradient.
fn only(g: &GradCx, i: usize, grad: V<'_>) -> Grads {
    let mut grads = never(g);
    grads[i] = grad.into();
    grads
}

fn zero(g: &GradCx) -> V<'_> {
    g.constant(Tensor::scalar(0i32))
}

fn rows<'g>(g: &'g GradCx, params: V<'g>, indices: V<'g>) -> V<'g> {
    g.op("GatherV2", &[params, indices, zero(g)])
}

fn reorder(g: &GradCx) -> Grads {
    let (indices, shape) = (g.input(0), g.input(2));
    let n = indices.op("Shape").slice1(0, 1).reshape(g.ints(&[]));
    let order = g.op("SparseReorder", &[indices, range(g, n), shape]).out(1);
    only(g, 1, rows(g, g.dy(1), order.op("InvertPermutation")))
}

fn reduce_sum(g: &GradCx) -> Grads {
    let (indices, shape, axes) = (g.input(0), g.input(2), g.input(3));
    let kept = kept_shape(g, shape.cast(DType::I32), axes);
    let dy = g.dy(0).reshape(kept);
    let scale = g.op("FloorDiv", &[shape, kept.cast(DType::I64)]);
    only(g, 1, g.op("GatherNd", &[dy, g.op("FloorDiv", &[indices, scale])]))
}

fn tensor_dense_mat_mul(g: &GradCx) -> Grads {
    let [indices, values, shape, b] = [0, 1, 2, 3].map(|i| g.input(i));
    let (adjoint_a, adjoint_b, dy) = (g.flag("adjoint_a"), g.flag("adjoint_b"), g.dy(0));
    let turned = g.ints(&[1, 0]);
    let attrs = [attr("adjoint_a", !adjoint_a)];
    let mut db = g.node("SparseTensorDenseMatMul", &[indices, values, shape, dy], &attrs);
    if adjoint_b {
        db = g.op("ConjugateTranspose", &[db, turned]);
    }
    let both = g.node("Unpack", &[indices], &[attr("num", 2i64), attr("axis", 1i64)]);
    let (row, column) = if adjoint_a { (both.out(1), both) } else { (both, both.out(1)) };
    let x = rows(g, dy, row);
    let y = rows(g, if adjoint_b { g.op("Transpose", &[b, turned]) } else { b }, column);
    // As a product of a row and a column for each element that is there.
    let product = |x: V<'_>, y: V<'_>, adj_x: bool, adj_y: bool| {
        g.node("BatchMatMulV2", &[g.value(x.at), g.value(y.at)], &[attr("adj_x", adj_x), attr("adj_y", adj_y)])
    };
    let da = match (adjoint_a, adjoint_b) {
        (false, false) => product(expand(g, x, -2), expand(g, y, -2), false, true),
        (true, false) => product(expand(g, x, -1), expand(g, y, -1), true, false),
        (false, true) => product(expand(g, x, -2), expand(g, y, -1), false, false),
        (true, true) => product(expand(g, x, -1), expand(g, y, -2), true, true),
    };
    vec![NONE, da.reshape(g.ints(&[-1])).into(), NONE, db.into()]
}

fn mat_mul(g: &GradCx) -> Grads {
    let (a, b, dy) = (g.input(0), g.input(1), g.dy(0));
    let (wide_a, wide_b) = (a.cast(DType::F32), b.cast(DType::F32));
    let product = |x: V<'_>, y: V<'_>, tx: bool, ty: bool| {
        g.node("MatMul", &[g.value(x.at), g.value(y.at)], &[attr("transpose_a", tx), attr("transpose_b", ty)])
    };
    let (da, db) = match (g.flag("transpose_a"), g.flag("transpose_b")) {
        (false, false) => (product(dy, wide_b, false, true), product(wide_a, dy, true, false)),
        (false, true) => (product(dy, wide_b, false, false), product(dy, wide_a, true, false)),
        (true, false) => (product(wide_b, dy, false, true), product(wide_a, dy, false, false)),
        (true, true) => (product(wide_b, dy, true, true), product(dy, wide_a, true, true)),
    };
    vec![da.cast(a.dtype()).into(), db.cast(b.dtype()).into()]
}

/// What is done to each element that is there and a dense tensor's at its place.
#[derive(Clone, Copy)]
enum Cwise {
    Add,
    Mul,
    Div,
}

fn cwise(g: &GradCx, op: Cwise) -> Grads {
    let [indices, x, shape, y] = [0, 1, 2, 3].map(|i| g.input(i));
    let dy = g.dy(0);
    let y_shape = y.op("Shape").cast(DType::I64);
    let added = (shape.op("Size") - y_shape.op("Size")).reshape(g.ints(&[1]));
    let ones = g.op("Fill", &[added, g.constant(Tensor::scalar(1i64))]);
    let scaling = g.op("FloorDiv", &[shape, concat(g, &[ones, y_shape], 0)]);
    let scaled = g.op("FloorDiv", &[indices, scaling]);
    let begin = concat(g, &[g.ints(&[0]), added], 0);
    let scaled = g.op("Slice", &[scaled, begin, g.ints(&[-1, -1])]);
    let dense = g.op("GatherNd", &[y, scaled]);
    let (dx, each) = match op {
        Cwise::Add => (dy, dy),
        Cwise::Mul => (dy * dense, dy * x),
        Cwise::Div => (dy / dense, dy * (-x / dense.op("Square"))),
    };
    let sum = g.op("SparseTensorDenseAdd", &[scaled, each, y_shape, y.zeros_like()]);
    vec![NONE, dx.into(), NONE, sum.into()]
}

fn softmax(g: &GradCx) -> Grads {
    let (indices, shape, out, dy) = (g.input(0), g.input(2), g.output(0), g.dy(0));
    let attrs = [attr("keep_dims", true)];
    let sum = g.node("SparseReduceSum", &[indices, out * dy, shape, g.ints(&[-1])], &attrs);
    let rest = g.op("SparseDenseCwiseAdd", &[indices, dy, shape, -sum]);
    only(g, 1, rest * out)
}

fn to_dense(g: &GradCx) -> Grads {
    let (indices, shape, values, dy) = (g.input(0), g.input(1), g.input(2), g.dy(0));
    let rank = shape.op("Size").reshape(g.ints(&[1]));
    let indices = indices.reshape(concat(g, &[g.ints(&[-1]), rank], 0));
    let each = g.op("GatherNd", &[dy, indices]);
    let all = |v: V<'_>| {
        let v = g.value(v.at);
        v.sum(range(g, v.op("Rank")))
    };
    let sum = all(each);
    let default = all(dy) - sum;
    let values = if values.rank() == Some(0) { sum } else { each };
    vec![NONE, NONE, values.into(), default.into()]
}

fn ragged_to_tensor(g: &GradCx) -> Grads {
    let (values, default, dy) = (g.input(1), g.input(2), g.dy(0));
    let kinds: Vec<Bytes> = g.attr("row_partition_types").unwrap_or_default();
    let axes = kinds.iter().filter(|kind| &kind[..] != b"FIRST_DIM_SIZE").count();
    let shape = values.op("Shape");
    let outer = dy.op("Shape").slice1(0, axes as i32 + 1);
    let numbers = range(g, shape.slice1(0, 1).reshape(g.ints(&[])));
    let mut inputs = vec![outer, numbers, g.constant(Tensor::scalar(-1i32))];
    inputs.extend(g.inputs().into_iter().skip(3));
    let mut attrs = g.same(&["num_row_partition_tensors", "row_partition_types"]);
    attrs.push(attr("T", DType::I32));
    let indices = g.node("RaggedTensorToTensor", &inputs, &attrs);
    let filled = g.op("Equal", &[indices, g.constant(Tensor::scalar(-1i32))]);
    let taken = filled.op("LogicalNot").op("Where");
    let slices = g.op("GatherNd", &[dy, taken]);
    let numbers = g.op("GatherNd", &[indices, taken]);
    // What went where the default is, summed over all places and over what it was broadcast along.
    let rest = g.op("GatherNd", &[dy, filled.op("Where")]);
    let inner = rest.sum(g.ints(&[0]));
    let (inner_shape, default_shape) = (inner.op("Shape"), default.op("Shape"));
    let along = g.op("BroadcastGradientArgs", &[inner_shape, default_shape]).out(1);
    let default = inner.sum(along).reshape(default_shape);
    let mut grads = never(g);
    grads[1] = Some(Grad::Slices { values: slices.at, indices: numbers.at, shape: shape.at });
    grads[2] = default.into();
    grads
}

fn ragged_gather(g: &GradCx) -> Grads {
    let inputs = g.inputs();
    let n = inputs.len() - 2;
    let mut ends = inputs[0];
    for &splits in &inputs[1..n] {
        ends = rows(g, splits, ends);
    }
    let picked = inputs[n + 1].reshape(g.ints(&[-1]));
    let (starts, limits) = (rows(g, ends, picked), rows(g, ends.slice1(1, -1), picked));
    let numbers = g.op("RaggedRange", &[starts, limits, starts.like(1.0)]).out(1);
    let shape = inputs[n].op("Shape");
    let mut grads = never(g);
    grads[n] = Some(Grad::Slices { values: g.dy(g.num_outputs() - 1).at, indices: numbers.at, shape: shape.at });
    grads
}

fn from_variant(g: &GradCx) -> Grads {
    let n = g.num_outputs() - 1;
    let batched = match g.input(0).rank() {
        Some(0) => false,
        Some(1) => true,
        None => n > 0,
        Some(_) => {
            g.fail(Error::unimplemented("the gradient of RaggedTensorFromVariant of more than one axis"));
            return never(g);
        }
    };
    let mut inputs: Vec<V<'_>> = (0..n).map(|i| g.output(i)).collect();
    inputs.push(g.dy(n));
    let mut attrs = g.same(&["Tvalues", "Tsplits"]);
    attrs.extend([attr("RAGGED_RANK", n as i64), attr("batched_input", batched)]);
    only(g, 0, g.node("RaggedTensorToVariant", &inputs, &attrs))
}

fn to_variant(g: &GradCx) -> Grads {
    let n = g.num_inputs() - 1;
    let values = g.input(n);
    let splits = if n == 0 { g.constant(Tensor::scalar(0i32)) } else { g.input(0) };
    let Some(dy) = g.known_dy(0) else { return never(g) };
    let attrs = [attr("Tvalues", values.dtype())];
    only(g, n, g.node("RaggedTensorToVariantGradient", &[dy, splits, values.op("Shape")], &attrs))
}

pub(super) fn rule(op: &str) -> Option<Rule> {
    Some(match op {
        "SparseAddGrad" | "SparseConcat" | "SetSize" | "RaggedRange" => never,
        "SparseReorder" => reorder,
        "SparseAdd" => |g| {
            let grad = g.op("SparseAddGrad", &[g.dy(1), g.input(0), g.input(3), g.output(0)]);
            let mut grads = only(g, 1, grad);
            grads[4] = grad.out(1).into();
            grads
        },
        "SparseTensorDenseAdd" => |g| {
            let dy = g.dy(0);
            vec![NONE, g.op("GatherNd", &[dy, g.input(0)]).into(), NONE, dy.into()]
        },
        "SparseReduceSum" => reduce_sum,
        "SparseSlice" => |g| only(g, 1, g.op("SparseSliceGrad", &[g.dy(1), g.input(0), g.input(3), g.output(0)])),
        "SparseTensorDenseMatMul" => tensor_dense_mat_mul,
        "SparseMatMul" => mat_mul,
        "SparseDenseCwiseAdd" => |g| cwise(g, Cwise::Add),
        "SparseDenseCwiseMul" => |g| cwise(g, Cwise::Mul),
        "SparseDenseCwiseDiv" => |g| cwise(g, Cwise::Div),
        "SparseSoftmax" => softmax,
        "SparseFillEmptyRows" => |g| {
            let grad = g.op("SparseFillEmptyRowsGrad", &[g.output(3), g.dy(1)]);
            vec![NONE, grad.into(), NONE, grad.out(1).into()]
        },
        "RaggedFillEmptyRows" => |g| {
            let grad = g.op("RaggedFillEmptyRowsGrad", &[g.output(3), g.dy(1)]);
            vec![NONE, grad.into(), NONE, grad.out(1).into()]
        },
        "SparseToDense" => to_dense,
        "RaggedTensorToSparse" => |g| {
            let n = g.num_inputs() - 1;
            only(g, n, g.dy(1).reshape_as(g.input(n)))
        },
        "RaggedTensorToTensor" => ragged_to_tensor,
        "RaggedGather" => ragged_gather,
        "RaggedTensorFromVariant" => from_variant,
        "RaggedTensorToVariant" => to_variant,
        "CompositeTensorVariantFromComponents" => |g| {
            let Some(dy) = g.known_dy(0) else { return never(g) };
            let n = g.num_inputs();
            let parts = g.node("CompositeTensorVariantToComponents", &[dy], &g.same(&["metadata", "Tcomponents"]));
            (0..n).map(|i| parts.out(i).into()).collect()
        },
        "CompositeTensorVariantToComponents" => |g| {
            let parts: Vec<V<'_>> =
                (0..g.num_outputs()).map(|i| g.known_dy(i).unwrap_or_else(|| g.output(i))).collect();
            let attrs = g.same(&["metadata", "Tcomponents"]);
            vec![g.node("CompositeTensorVariantFromComponents", &parts, &attrs).into()]
        },
        _ => return None,
    })
}
