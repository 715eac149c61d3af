//! What is gathered of variables, and tensor arrays.

use super::{Grads, NONE, concat};
use levada_graph::grad::{Grad, GradCx, Rule, V, attr};
use levada_graph::{DType, Tensor};

/// The version of tensor arrays that the node is of: what the names of their ops end with.
fn version(g: &GradCx) -> &'static str {
    let op = g.op_name();
    ["V3", "V2"].into_iter().find(|version| op.ends_with(version)).unwrap_or("")
}

/// A node of an op of tensor arrays of the same version.
fn array_op<'g>(g: &'g GradCx, op: &str, inputs: &[V<'g>], dtype: Option<DType>) -> V<'g> {
    let dtype = dtype.map(|dtype| attr("dtype", dtype));
    g.node(&format!("TensorArray{op}{}", version(g)), inputs, dtype.as_slice())
}

/// The tensor array that holds the gradients of the one on input 0, after what gives `flow`, and the flow from there.
fn array<'g>(g: &'g GradCx, flow: V<'g>) -> (V<'g>, V<'g>) {
    let source = [attr("source", g.source().to_owned())];
    let array = g.node(&format!("TensorArrayGrad{}", version(g)), &[g.input(0), flow], &source);
    // Arrays of the first versions have no flow of their own.
    (array, if version(g) == "V3" { array.out(1) } else { flow })
}

pub(super) fn rule(op: &str) -> Option<Rule> {
    Some(match op {
        "ResourceGather" => |g: &GradCx| -> Grads {
            let (handle, indices, dy) = (g.input(0), g.input(1), g.dy(0));
            let shape = handle.op("VariableShape");
            match g.attr::<i64>("batch_dims") {
                None | Some(0) => {}
                Some(batch) => {
                    let axis = g.constant(Tensor::scalar(batch as i32));
                    return vec![levada_ops_core::rules::gathered(g, shape, axis, batch as i32).into(), NONE];
                }
            }
            let count = indices.op("Size").reshape(g.ints(&[1]));
            let values = dy.reshape(concat(g, &[count, shape.slice1(1, -1)], 0));
            let indices = indices.reshape(g.ints(&[-1]));
            vec![Some(Grad::Slices { values: values.at, indices: indices.at, shape: shape.at }), NONE]
        },
        "ResourceGatherNd" => |g| {
            let (handle, indices, dy) = (g.input(0), g.input(1), g.dy(0));
            let shape = g.node("VariableShape", &[handle], &[attr("out_type", indices.dtype())]);
            let found = indices.shape();
            if found.rank() == Some(2) && found.dim(1) == Some(1) {
                let shape = handle.op("VariableShape");
                let indices = indices.reshape(g.ints(&[-1]));
                return vec![Some(Grad::Slices { values: dy.at, indices: indices.at, shape: shape.at }), NONE];
            }
            vec![g.op("ScatterNd", &[indices, dy, shape]).into(), NONE]
        },
        "TensorArrayRead" | "TensorArrayReadV2" | "TensorArrayReadV3" => |g| {
            let (grad, flow) = array(g, g.input(2));
            vec![NONE, NONE, array_op(g, "Write", &[grad, g.input(1), g.dy(0), flow], None).into()]
        },
        "TensorArrayWrite" | "TensorArrayWriteV2" | "TensorArrayWriteV3" => |g| {
            let (dy, dtype) = (g.dy(0), g.input(2).dtype());
            let (grad, flow) = array(g, dy);
            let dx = array_op(g, "Read", &[grad, g.input(1), flow], Some(dtype));
            vec![NONE, NONE, dx.into(), dy.into()]
        },
        "TensorArrayGather" | "TensorArrayGatherV2" | "TensorArrayGatherV3" => |g| {
            let (grad, flow) = array(g, g.input(2));
            vec![NONE, NONE, array_op(g, "Scatter", &[grad, g.input(1), g.dy(0), flow], None).into()]
        },
        "TensorArrayScatter" | "TensorArrayScatterV2" | "TensorArrayScatterV3" => |g| {
            let (dy, dtype) = (g.dy(0), g.input(2).dtype());
            let (grad, flow) = array(g, dy);
            let dx = array_op(g, "Gather", &[grad, g.input(1), flow], Some(dtype));
            vec![NONE, NONE, dx.into(), dy.into()]
        },
        "TensorArrayConcat" | "TensorArrayConcatV2" | "TensorArrayConcatV3" => |g| {
            let (grad, flow) = array(g, g.input(1));
            vec![NONE, array_op(g, "Split", &[grad, g.dy(0), g.output(1), flow], None).into()]
        },
        "TensorArraySplit" | "TensorArraySplitV2" | "TensorArraySplitV3" => |g| {
            let (dy, dtype) = (g.dy(0), g.input(1).dtype());
            let (grad, flow) = array(g, dy);
            let dx = array_op(g, "Concat", &[grad, flow], Some(dtype));
            vec![NONE, dx.into(), NONE, dy.into()]
        },
        _ => return None,
    })
}
