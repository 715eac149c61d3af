//! Ops that move elements.

use super::{Grads, NONE, concat, never, pass};
use levada_graph::grad::{GRADIENT, Grad, GradCx, Rule, V, attr, is_differentiable};
use levada_graph::{DType, Error, Tensor};

/// The first input gets this gradient, all others none.
fn first(g: &GradCx, dx: V<'_>) -> Grads {
    let mut grads = never(g);
    grads[0] = dx.into();
    grads
}

fn int(g: &GradCx, value: i32) -> V<'_> {
    g.constant(Tensor::scalar(value))
}

/// The parts of `dy` that belong to the parts of a concatenation along `axis`.
fn split<'g>(g: &'g GradCx, dy: V<'g>, parts: &[V<'g>], axis: V<'g>) -> Vec<Option<Grad>> {
    if parts.len() == 1 {
        return vec![dy.into()];
    }
    let fixed = axis.fixed_ints().and_then(|a| a.first().copied());
    let rank = parts.iter().find_map(|p| p.rank());
    let sizes: Option<Vec<i32>> = match (fixed, rank) {
        (Some(axis), Some(rank)) => {
            let at = usize::try_from(if axis < 0 { axis + rank as i64 } else { axis }).unwrap_or(0);
            parts.iter().map(|p| i32::try_from(p.shape().dims()?.get(at).copied()??).ok()).collect()
        }
        _ => None,
    };
    if let Some(sizes) = sizes {
        let n = attr("num_split", parts.len() as i64);
        let all = g.node("SplitV", &[dy, g.ints(&sizes), axis.cast(DType::I32)], &[n]);
        return (0..parts.len()).map(|i| all.out(i).into()).collect();
    }
    let axis = g.op("FloorMod", &[axis.cast(DType::I32), parts[0].rank_value()]);
    let mut inputs = vec![axis];
    let shapes: Vec<V<'g>> = parts.iter().map(|p| p.op("Shape")).collect();
    inputs.extend(&shapes);
    let offsets = g.op("ConcatOffset", &inputs);
    shapes.iter().enumerate().map(|(i, &shape)| g.op("Slice", &[dy, offsets.out(i), shape]).into()).collect()
}

/// Rows of `params` that were gathered.
fn rows(g: &GradCx) -> Grads {
    let (params, indices, dy) = (g.input(0), g.input(1), g.dy(0));
    let shape = params.op("Shape");
    let count = indices.op("Size").reshape(g.ints(&[1]));
    let rest = shape.slice1(1, -1);
    let values = dy.reshape(concat(g, &[count, rest], 0));
    let indices = indices.reshape(g.ints(&[-1]));
    let mut grads = never(g);
    grads[0] = Some(Grad::Slices { values: values.at, indices: indices.at, shape: shape.at });
    grads
}

fn gather(g: &GradCx) -> Grads {
    let (params, indices) = (g.input(0), g.input(1));
    let batch: i64 = g.attr("batch_dims").unwrap_or(0);
    let axis = g.input(2).fixed_ints().and_then(|a| a.first().copied());
    if axis == Some(0) && batch == 0 {
        return rows(g);
    }
    let batch = match (indices.rank(), batch) {
        (_, 0..) => batch,
        (Some(rank), _) => batch + rank as i64,
        (None, _) => {
            g.fail(Error::unimplemented(
                "the gradient of GatherV2 with negative batch_dims and indices of unknown rank",
            ));
            return never(g);
        }
    };
    let axis = match (axis, params.rank()) {
        (Some(axis @ 0..), _) => int(g, axis as i32),
        (Some(axis), Some(rank)) => int(g, axis as i32 + rank as i32),
        _ => g.op("FloorMod", &[g.input(2).cast(DType::I32).reshape(g.ints(&[])), params.rank_value()]),
    };
    first(g, gathered(g, params.shape_value(), axis, batch as i32))
}

/// The gradient of a tensor of this shape, along whose `axis` the node gathers at its second input, which has `batch` first
/// axes in common with it.
pub(super) fn gathered<'g>(g: &'g GradCx, shape: V<'g>, axis: V<'g>, batch: i32) -> V<'g> {
    let (indices, dy) = (g.input(1), g.dy(0));
    let vector = |x: V<'g>| x.reshape(g.ints(&[1]));
    let part = |from: V<'g>, begin: V<'g>, size: V<'g>| g.op("Slice", &[from, vector(begin), vector(size)]);
    // As if all had four axes: the batch, what comes before the axis, the axis, what comes behind it.
    let outer = vector(part(shape, int(g, 0), int(g, batch)).prod());
    let middle = vector(part(shape, int(g, batch), axis - f64::from(batch)).prod());
    let n = part(shape, axis, int(g, 1));
    let inner = vector(part(shape, axis + 1.0, int(g, -1)).prod());
    let picked = indices.shape_value();
    let k = vector(part(picked, int(g, batch), int(g, -1)).prod());
    let swap = |x: V<'g>| g.op("Transpose", &[x, g.ints(&[0, 2, 1, 3])]);
    let values = swap(dy.reshape(concat(g, &[outer, middle, k, inner], 0)));
    // The batches' rows lie one behind the other.
    let dtype = indices.dtype();
    let scalar = |x: V<'g>| x.reshape(g.ints(&[]));
    let starts = super::range(g, scalar(outer).cast(dtype)) * n.cast(dtype);
    let ids = indices.reshape(concat(g, &[outer, k], 0)) + starts.reshape(g.ints(&[-1, 1]));
    let sum = g.op("UnsortedSegmentSum", &[values, ids, scalar(outer * n)]);
    swap(sum.reshape(concat(g, &[outer, n, middle, inner], 0))).reshape(shape)
}

fn tile(g: &GradCx) -> Grads {
    let (x, dy) = (g.input(0), g.dy(0));
    let times = g.input(1).cast(DType::I32);
    let pairs = g.op("Pack", &[times, x.shape_value()]);
    let sizes = g.op("Transpose", &[pairs, g.ints(&[1, 0])]).reshape(g.ints(&[-1]));
    let axes = g.op("Range", &[int(g, 0), sizes.op("Size"), int(g, 2)]);
    let sum = dy.reshape(sizes).sum(axes);
    first(g, sum.reshape(x.shape_value()))
}

fn pad(g: &GradCx) -> Grads {
    vec![unpadded(g).into(), NONE]
}

/// The value gets the gradients of all elements that are it.
fn pad_with(g: &GradCx) -> Grads {
    let (dx, dy) = (unpadded(g), g.dy(0));
    let around = dy - g.op("Pad", &[dx, g.input(1)]);
    vec![dx.into(), NONE, around.sum(super::range(g, dy.rank_value())).into()]
}

fn unpadded(g: &GradCx) -> V<'_> {
    let (x, paddings) = (g.input(0), g.input(1).cast(DType::I32));
    let rank = x.rank_value().reshape(g.ints(&[1]));
    let before = g.op("Slice", &[paddings, g.ints(&[0, 0]), concat(g, &[rank, g.ints(&[1])], 0)]);
    g.op("Slice", &[g.dy(0), before.reshape(g.ints(&[-1])), x.shape_value()])
}

fn slice(g: &GradCx) -> Grads {
    let (x, begin, dy) = (g.input(0), g.input(1).cast(DType::I32), g.dy(0));
    let size = dy.op("Shape");
    let column = g.ints(&[-1, 1]);
    let after = g.op("Sub", &[g.op("Sub", &[x.shape_value(), size]), begin]);
    let paddings = concat(g, &[begin.reshape(column), after.reshape(column)], 1);
    first(g, g.op("Pad", &[dy, paddings]))
}

/// Of several elements that are the least or greatest of a place, each gets an equal part.
fn scatter_extremum(g: &GradCx) -> Grads {
    let (x, indices, updates, out, dy) = (g.input(0), g.input(1), g.input(2), g.output(0), g.dy(0));
    let equal = |a: V<'_>, b: V<'_>| g.op("Equal", &[g.value(a.at), g.value(b.at)]).cast(dy.dtype());
    let from_x = equal(x, out);
    let chosen = equal(updates, g.op("GatherNd", &[out, indices]));
    let shape = x.op("Shape").cast(indices.dtype());
    let share = dy / (from_x + g.op("ScatterNd", &[indices, chosen, shape]));
    vec![(share * from_x).into(), NONE, (g.op("GatherNd", &[share, indices]) * chosen).into()]
}

pub(super) fn rule(op: &str) -> Option<Rule> {
    Some(match op {
        "Identity"
        | "Snapshot"
        | "GuaranteeConst"
        | "DebugGradientIdentity"
        | "Copy"
        | "CopyHost"
        | "DeepCopy"
        | "PlaceholderWithDefault"
        | "EnsureShape"
        | "RefIdentity" => pass,
        "StopGradient" | "Const" | "Placeholder" | "PlaceholderV2" | "Shape" | "ShapeN" | "Size" | "Rank"
        | "ZerosLike" | "OnesLike" | "Range" | "LinSpace" | "InvertPermutation" | "ConcatOffset" | "Where"
        | "Unique" | "UniqueV2" | "UniqueWithCounts" | "ListDiff" | "OneHot" | "Empty" | "UnravelIndex"
        | "EditDistance" | "Bucketize" => never,
        "PreventGradient" => |g| {
            let why: String = g.attr("message").unwrap_or_default();
            g.fail(Error::invalid(format!("Gradient explicitly disabled. Reason: {why}")));
            never(g)
        },
        "IdentityN" => |g| (0..g.num_inputs()).map(|i| g.known_dy(i).map_or(NONE, Option::from)).collect(),
        "Reshape" | "ExpandDims" | "Squeeze" => |g| first(g, g.dy(0).reshape_as(g.input(0))),
        "Bitcast" => never,
        "Transpose" => |g| {
            let back = g.input(1).op("InvertPermutation");
            first(g, g.op("Transpose", &[g.dy(0), back]))
        },
        "ConjugateTranspose" => |g| {
            let back = g.input(1).op("InvertPermutation");
            first(g, g.op("ConjugateTranspose", &[g.dy(0), back]))
        },
        "Concat" => |g| {
            let inputs = g.inputs();
            let mut grads = vec![NONE];
            grads.extend(split(g, g.dy(0), &inputs[1..], inputs[0]));
            grads
        },
        "ConcatV2" => |g| {
            let inputs = g.inputs();
            let (axis, parts) = (inputs[inputs.len() - 1], &inputs[..inputs.len() - 1]);
            let mut grads = split(g, g.dy(0), parts, axis);
            grads.push(NONE);
            grads
        },
        "Split" => |g| {
            let mut parts: Vec<V<'_>> = (0..g.num_outputs()).map(|i| g.dy(i)).collect();
            let dx = if parts.len() == 1 {
                parts[0]
            } else {
                parts.push(g.input(0));
                g.op("ConcatV2", &parts)
            };
            vec![NONE, dx.into()]
        },
        "SplitV" => |g| {
            let mut parts: Vec<V<'_>> = (0..g.num_outputs()).map(|i| g.dy(i)).collect();
            let dx = if parts.len() == 1 {
                parts[0]
            } else {
                parts.push(g.input(2));
                g.op("ConcatV2", &parts)
            };
            vec![dx.into(), NONE, NONE]
        },
        "Pack" => |g| {
            let n = g.num_inputs();
            let axis: i64 = g.attr("axis").unwrap_or(0);
            let all = g.node("Unpack", &[g.dy(0)], &[attr("num", n as i64), attr("axis", axis)]);
            (0..n).map(|i| all.out(i).into()).collect()
        },
        "Unpack" => |g| {
            let parts: Vec<V<'_>> = (0..g.num_outputs()).map(|i| g.dy(i)).collect();
            vec![g.node("Pack", &parts, &g.same(&["axis"])).into()]
        },
        "Slice" => slice,
        "StridedSlice" => |g| {
            let shape = g.input(0).op("Shape").cast(g.input(1).dtype());
            let masks = g.same(&["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"]);
            let inputs = [shape, g.input(1), g.input(2), g.input(3), g.dy(0)];
            first(g, g.node("StridedSliceGrad", &inputs, &masks))
        },
        "StridedSliceGrad" => |g| {
            let masks = g.same(&["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"]);
            let inputs = [g.dy(0), g.input(1), g.input(2), g.input(3)];
            vec![NONE, NONE, NONE, NONE, g.node("StridedSlice", &inputs, &masks).into()]
        },
        "Pad" => pad,
        "PadV2" => pad_with,
        "MirrorPad" => |g| first(g, g.node("MirrorPadGrad", &[g.dy(0), g.input(1)], &g.same(&["mode"]))),
        "MirrorPadGrad" => |g| first(g, g.node("MirrorPad", &[g.dy(0), g.input(1)], &g.same(&["mode"]))),
        "Tile" => tile,
        "Gather" => rows,
        "GatherV2" => gather,
        "GatherNd" => |g| {
            let shape = g.input(0).op("Shape").cast(g.input(1).dtype());
            first(g, g.op("ScatterNd", &[g.input(1), g.dy(0), shape]))
        },
        "ScatterNd" => |g| vec![NONE, g.op("GatherNd", &[g.dy(0), g.input(0)]).into(), NONE],
        "ScatterNdNonAliasingAdd" | "TensorScatterAdd" => {
            |g| vec![g.dy(0).into(), NONE, g.op("GatherNd", &[g.dy(0), g.input(1)]).into()]
        }
        "TensorScatterSub" => |g| vec![g.dy(0).into(), NONE, (-g.op("GatherNd", &[g.dy(0), g.input(1)])).into()],
        "TensorScatterUpdate" => |g| {
            let (indices, dy) = (g.input(1), g.dy(0));
            let rest = g.op("TensorScatterUpdate", &[dy, indices, g.input(2).zeros_like()]);
            vec![rest.into(), NONE, g.op("GatherNd", &[dy, indices]).into()]
        },
        "TensorScatterMin" | "TensorScatterMax" => scatter_extremum,
        "TensorStridedSliceUpdate" => |g| {
            let masks = g.same(&["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"]);
            let (begin, end, strides, value, dy) = (g.input(1), g.input(2), g.input(3), g.input(4), g.dy(0));
            let part = g.node("StridedSlice", &[dy, begin, end, strides], &masks);
            let rest = g.node("TensorStridedSliceUpdate", &[dy, begin, end, strides, part.zeros_like()], &masks);
            // The value may have been broadcast.
            vec![rest.into(), NONE, NONE, NONE, super::math::reduce_to(g, part, value).into()]
        },
        "BroadcastTo" => |g| {
            let (x, dy) = (g.input(0), g.dy(0));
            let shape = x.shape_value();
            let axes = g.op("BroadcastGradientArgs", &[shape, g.input(1).cast(DType::I32)]);
            first(g, dy.sum(axes).reshape(shape))
        },
        "Fill" => |g| {
            let dy = g.dy(0);
            let axes = super::range(g, dy.rank_value());
            vec![NONE, dy.sum(axes).into()]
        },
        "Reverse" | "ReverseV2" => |g| first(g, g.op(g.op_name(), &[g.dy(0), g.input(1)])),
        "ReverseSequence" => |g| {
            let attrs = g.same(&["batch_dim", "seq_dim"]);
            first(g, g.node("ReverseSequence", &[g.dy(0), g.input(1)], &attrs))
        },
        "Roll" => |g| first(g, g.op("Roll", &[g.dy(0), -g.input(1), g.input(2)])),
        "Diag" => |g| first(g, g.dy(0).op("DiagPart")),
        "DiagPart" => |g| first(g, g.dy(0).op("Diag")),
        "MatrixDiag" => |g| first(g, g.dy(0).op("MatrixDiagPart")),
        "MatrixDiagPart" => |g| {
            let zeros = g.input(0).zeros_like();
            first(g, g.op("MatrixSetDiag", &[zeros, g.dy(0)]))
        },
        "MatrixDiagV3" => |g| {
            let (k, dy) = (g.input(1), g.dy(0));
            let zero = dy.like(0.0);
            let dx = g.node("MatrixDiagPartV3", &[dy, k, zero], &g.same(&["align"]));
            let padding = dy.sum(super::range(g, dy.rank_value())) - dx.sum(super::range(g, dx.op("Rank")));
            vec![dx.into(), NONE, NONE, NONE, padding.into()]
        },
        "MatrixDiagPartV3" => |g| {
            let (x, k) = (g.input(0), g.input(1));
            let dx = g.node("MatrixSetDiagV3", &[x.zeros_like(), g.dy(0), k], &g.same(&["align"]));
            vec![dx.into(), NONE, NONE]
        },
        "MatrixSetDiagV3" => |g| {
            let (diagonal, k, dy) = (g.input(1), g.input(2), g.dy(0));
            let zero = dy.like(0.0);
            let dx = g.node("MatrixSetDiagV3", &[dy, diagonal.zeros_like(), k], &g.same(&["align"]));
            let dd = g.node("MatrixDiagPartV3", &[dy, k, zero], &g.same(&["align"]));
            vec![dx.into(), dd.into(), NONE]
        },
        "MatrixDiagV2" => |g| {
            let (k, dy) = (g.input(1), g.dy(0));
            let dx = g.op("MatrixDiagPartV2", &[dy, k, dy.like(0.0)]);
            let padding = dy.sum(super::range(g, dy.rank_value())) - dx.sum(super::range(g, dx.op("Rank")));
            vec![dx.into(), NONE, NONE, NONE, padding.into()]
        },
        "MatrixDiagPartV2" => |g| first(g, g.op("MatrixSetDiagV2", &[g.input(0).zeros_like(), g.dy(0), g.input(1)])),
        "MatrixSetDiagV2" => |g| {
            let (diagonal, k, dy) = (g.input(1), g.input(2), g.dy(0));
            let dx = g.op("MatrixSetDiagV2", &[dy, diagonal.zeros_like(), k]);
            vec![dx.into(), g.op("MatrixDiagPartV2", &[dy, k, dy.like(0.0)]).into(), NONE]
        },
        "MatrixSetDiag" => |g| {
            let (diagonal, dy) = (g.input(1), g.dy(0));
            vec![g.op("MatrixSetDiag", &[dy, diagonal.zeros_like()]).into(), dy.op("MatrixDiagPart").into()]
        },
        "MatrixBandPart" => |g| first(g, g.op("MatrixBandPart", &[g.dy(0), g.input(1), g.input(2)])),
        "SpaceToBatchND" => |g| first(g, g.op("BatchToSpaceND", &[g.dy(0), g.input(1), g.input(2)])),
        "BatchToSpaceND" => |g| first(g, g.op("SpaceToBatchND", &[g.dy(0), g.input(1), g.input(2)])),
        "SpaceToBatch" => |g| first(g, g.node("BatchToSpace", &[g.dy(0), g.input(1)], &g.same(&["block_size"]))),
        "BatchToSpace" => |g| first(g, g.node("SpaceToBatch", &[g.dy(0), g.input(1)], &g.same(&["block_size"]))),
        "SpaceToDepth" => |g| first(g, g.node("DepthToSpace", &[g.dy(0)], &g.same(&["block_size", "data_format"]))),
        "DepthToSpace" => |g| first(g, g.node("SpaceToDepth", &[g.dy(0)], &g.same(&["block_size", "data_format"]))),
        "DynamicPartition" => |g| {
            let (x, partitions) = (g.input(0), g.input(1));
            let n = g.num_outputs();
            let prefix = partitions.op("Shape");
            let all = super::range(g, prefix.prod()).reshape(prefix);
            let places = g.node("DynamicPartition", &[all, partitions], &[attr("num_partitions", n as i64)]);
            let mut inputs: Vec<V<'_>> = (0..n).map(|i| places.out(i)).collect();
            inputs.extend((0..n).map(|i| g.dy(i)));
            let dx = g.node("DynamicStitch", &inputs, &[attr("N", n as i64)]);
            vec![dx.reshape_as(x).into(), NONE]
        },
        "DynamicStitch" | "ParallelDynamicStitch" => |g| {
            let n = g.num_inputs() / 2;
            let rows = |i: usize| g.op("GatherV2", &[g.dy(0), g.input(i), int(g, 0)]);
            (0..n).map(|_| NONE).chain((0..n).map(|i| rows(i).into())).collect()
        },
        "Cross" => |g| {
            let (a, b, dy) = (g.input(0), g.input(1), g.dy(0));
            vec![g.op("Cross", &[b, dy]).into(), g.op("Cross", &[dy, a]).into()]
        },
        "Switch" | "RefSwitch" => |g| {
            // Where only one branch uses the value, the other gives zeros.
            let (x, pred) = (g.input(0), g.input(1));
            let zeros = |branch: usize| g.op("Switch", &[x, pred]).out(branch).zeros_like();
            let either = |branch: usize| g.known_dy(branch).unwrap_or_else(|| zeros(branch));
            vec![g.op("Merge", &[either(0), either(1)]).into(), NONE]
        },
        "PartitionedCall" | "StatefulPartitionedCall" => |g| call(g, 0, &[("f", "f")], None),
        "If" | "StatelessIf" => {
            |g| call(g, 1, &[("then_branch", "then_branch"), ("else_branch", "else_branch")], Some(g.op_name()))
        }
        "Case" | "StatelessCase" => |g| call(g, 1, &[("branches", "branches")], Some(g.op_name())),
        _ => return None,
    })
}

/// A call's gradients: a call of the functions' gradients with the same arguments and the gradients of the results.
fn call(g: &GradCx, first: usize, functions: &[(&str, &'static str)], op: Option<&str>) -> Grads {
    let args: Vec<V<'_>> = (first..g.num_inputs()).map(|i| g.input(i)).collect();
    let results: Vec<usize> = (0..g.num_outputs()).filter(|&i| is_differentiable(g.output(i).dtype())).collect();
    let mut inputs: Vec<V<'_>> = (0..first).map(|i| g.input(i)).chain(args.iter().copied()).collect();
    inputs.extend(results.iter().map(|&i| g.dy(i)));
    let wanted: Vec<usize> = (0..args.len()).filter(|&i| is_differentiable(args[i].dtype())).collect();
    let types = |values: &[V<'_>]| values.iter().map(|v| v.dtype()).collect::<Vec<DType>>();
    let outputs: Vec<DType> = wanted.iter().map(|&i| args[i].dtype()).collect();
    let mut attrs = vec![attr("Tin", types(&inputs[first..])), attr("Tout", outputs)];
    for (name, new) in functions {
        let gradient = |mut function: levada_graph::Func| {
            // That of a gradient is a second one.
            let order = levada_graph::grad::order(&function.attrs);
            function.attrs.set(GRADIENT, levada_graph::AttrValue::I(order + 1));
            function
        };
        let one = g.attr::<levada_graph::Func>(name);
        let several = g.attr::<Vec<levada_graph::Func>>(name);
        match (one, several) {
            (Some(function), _) => attrs.push(attr(new, gradient(function))),
            (None, Some(all)) => attrs.push(attr(new, all.into_iter().map(gradient).collect::<Vec<_>>())),
            (None, None) => {
                g.fail(Error::internal(format!("a call without the attr {name}")));
                return never(g);
            }
        }
    }
    let called = g.node(op.unwrap_or("StatefulPartitionedCall"), &inputs, &attrs);
    let mut grads = never(g);
    for (i, &arg) in wanted.iter().enumerate() {
        grads[first + arg] = called.out(i).into();
    }
    grads
}
