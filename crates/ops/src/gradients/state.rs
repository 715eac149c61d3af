//! Variables and tensor arrays.

use super::{Grads, NONE, concat, never, pass};
use levada_graph::grad::{Grad, GradCx, Rule, V, attr};

/// The tensor array that holds the gradients of the one on input 0, after what gives `flow`.
fn array<'g>(g: &'g GradCx, flow: V<'g>) -> V<'g> {
    g.node("TensorArrayGradV3", &[g.input(0), flow], &[attr("source", g.source().to_owned())])
}

pub(super) fn rule(op: &str) -> Option<Rule> {
    Some(match op {
        "ReadVariableOp" => pass,
        "VariableV2" | "Variable" | "VarHandleOp" | "VariableShape" | "TensorArrayV3" | "TensorArraySizeV3"
        | "TensorArrayCloseV3" | "TensorArrayGradV3" => never,
        "ResourceGather" => |g: &GradCx| -> Grads {
            let (handle, indices, dy) = (g.input(0), g.input(1), g.dy(0));
            let shape = handle.op("VariableShape");
            let count = indices.op("Size").reshape(g.ints(&[1]));
            let values = dy.reshape(concat(g, &[count, shape.slice1(1, -1)], 0));
            let indices = indices.reshape(g.ints(&[-1]));
            vec![Some(Grad::Slices { values: values.at, indices: indices.at, shape: shape.at }), NONE]
        },
        "TensorArrayReadV3" => |g| {
            let grad = array(g, g.input(2));
            vec![NONE, NONE, g.op("TensorArrayWriteV3", &[grad, g.input(1), g.dy(0), grad.out(1)]).into()]
        },
        "TensorArrayWriteV3" => |g| {
            let (flow, dtype) = (g.dy(0), g.input(2).dtype());
            let grad = array(g, flow);
            let dx = g.node("TensorArrayReadV3", &[grad, g.input(1), grad.out(1)], &[attr("dtype", dtype)]);
            vec![NONE, NONE, dx.into(), flow.into()]
        },
        "TensorArrayGatherV3" => |g| {
            let grad = array(g, g.input(2));
            vec![NONE, NONE, g.op("TensorArrayScatterV3", &[grad, g.input(1), g.dy(0), grad.out(1)]).into()]
        },
        "TensorArrayScatterV3" => |g| {
            let (flow, dtype) = (g.dy(0), g.input(2).dtype());
            let grad = array(g, flow);
            let dx = g.node("TensorArrayGatherV3", &[grad, g.input(1), grad.out(1)], &[attr("dtype", dtype)]);
            vec![NONE, NONE, dx.into(), flow.into()]
        },
        "TensorArrayConcatV3" => |g| {
            let grad = array(g, g.input(1));
            vec![NONE, g.op("TensorArraySplitV3", &[grad, g.dy(0), g.output(1), grad.out(1)]).into()]
        },
        "TensorArraySplitV3" => |g| {
            let (flow, dtype) = (g.dy(0), g.input(1).dtype());
            let grad = array(g, flow);
            let dx = g.node("TensorArrayConcatV3", &[grad, grad.out(1)], &[attr("dtype", dtype)]);
            vec![NONE, dx.into(), NONE, flow.into()]
        },
        _ => return None,
    })
}
