//! Ops that pass values on, and calls of functions.

use super::{Grads, NONE, never, pass};
use levada_graph::grad::{GRADIENT, GradCx, Rule, V, attr, is_differentiable};
use levada_graph::{DType, Error};

pub(super) fn rule(op: &str) -> Option<Rule> {
    Some(match op {
        "RefIdentity" => pass,
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
