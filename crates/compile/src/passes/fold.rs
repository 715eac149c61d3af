//! Folds constants: computes nodes whose inputs are known before the run.

use crate::draft::{Draft, DraftNode, Port};
use crate::evaluate::evaluate;
use crate::infer::outputs;
use crate::pass::{ALL, Pass, PassCx};
use levada_graph::graph::Node;
use levada_graph::spec::Role;
use levada_graph::{DType, EdgeType, PartialShape, Result, Tensor};
use levada_kernel::finite::{self, Sought};

/// Folded tensors above this many bytes are dropped: the time they save is not worth the memory.
const MAX_FOLDED: usize = 10 << 20;

/// Without the option, only the graph's own constants are known.
pub(crate) const PASS: Pass =
    Pass { name: "fold", is_on: |_| true, needs: &[], keeps: ALL, gives: &[], for_traces: true, run };

fn run(draft: &mut Draft<'_>, cx: &PassCx<'_>) -> Result<bool> {
    let mut changed = false;
    for at in 0..draft.nodes.len() {
        let node = &draft.nodes[at];
        let Some(of_graph) = node.graph_node().filter(|_| node.exists() && !node.is_pinned) else { continue };
        // A node with control inputs may be dead because of them: it stays.
        if node.controls.iter().any(|&before| draft.node(before).values.is_none()) {
            continue;
        }
        let values: Option<Box<[Tensor]>> = match of_graph.spec().role {
            Role::Const => constant(of_graph).map(|value| [value.clone()].into()),
            Role::Plain => compute(node, of_graph, cx, |port| draft.value(port)),
            _ => None,
        };
        changed |= values.is_some();
        draft.nodes[at].values = values;
    }
    if changed {
        drop_controls(draft);
    }
    Ok(changed)
}

/// The value of a constant node, if it has the declared type.
pub(super) fn constant(node: &Node) -> Option<&Tensor> {
    node.op.constant().filter(|value| value.dtype() == node.output_types[0].dtype)
}

/// A value that is known before the run has no control edges in either direction.
fn drop_controls(draft: &mut Draft<'_>) {
    let known: Vec<bool> = draft.nodes.iter().map(|n| n.values.is_some()).collect();
    for (node, known_itself) in draft.nodes.iter_mut().zip(&known) {
        node.controls.retain(|before| !known_itself && !known[*before as usize]);
    }
}

/// True if the outputs are certain to be dropped for their size, so that computing them is pointless.
fn is_too_large(node: &Node, inputs: &[Tensor], cx: &PassCx<'_>) -> bool {
    let shapes: Vec<PartialShape> = inputs.iter().map(|input| input.shape().into()).collect();
    let known: Vec<Option<&Tensor>> = inputs.iter().map(Some).collect();
    let (outputs, _) = outputs(cx.graph, node, &shapes, &known);
    let bytes = |(shape, ty): (&PartialShape, &EdgeType)| Some(shape.num_elements()?.saturating_mul(ty.dtype.size()));
    outputs.iter().zip(&node.output_types).filter_map(bytes).any(|bytes| bytes > MAX_FOLDED)
}

/// Computes a node whose inputs are all known. `None` if they are not, or if computing fails: the node then fails when
/// it runs, if it ever does.
pub(super) fn compute<'t>(
    node: &DraftNode<'_>,
    of_graph: &Node,
    cx: &PassCx<'_>,
    value: impl Fn(Port) -> Option<&'t Tensor>,
) -> Option<Box<[Tensor]>> {
    let mut types = node.output_types.iter().chain(&*node.input_types);
    if !cx.options.fold_constants
        || of_graph.op.is_stateful()
        || node.inputs.is_empty()
        || node.output_types.is_empty()
        || types.any(|t| t.is_ref || matches!(t.dtype, DType::Resource | DType::Variant))
    {
        return None;
    }
    let inputs: Option<Vec<Tensor>> = node.inputs.iter().map(|&input| value(input).cloned()).collect();
    let inputs = inputs?;
    if is_too_large(of_graph, &inputs, cx) {
        return None;
    }
    // It is computed on the host, whatever the node's device.
    let is_elsewhere = cx.placement.devices[node.device as usize].memory().is_some();
    let kernel = match is_elsewhere {
        true => cx.placement.devices.iter().find(|d| d.memory().is_none())?.kernel(&of_graph.op),
        false => node.kernel.clone(),
    };
    let tensors = evaluate(&*kernel?, inputs, &node.meta("".into()), cx.env)?;
    let is_for_run = |t: &Tensor| cx.options.watched && finite::holds(t, Sought::NonFinite, &cx.env.pool);
    let is_kept = !tensors.iter().any(is_for_run) && tensors.iter().map(Tensor::num_bytes).sum::<usize>() <= MAX_FOLDED;
    is_kept.then_some(tensors)
}
