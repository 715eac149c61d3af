//! Bypasses multiplications by the constant one, such as the slope of a swish activation or the scale of a loss: the
//! product equals the other factor, but would prevent the nodes around it from being fused.

use crate::draft::{Draft, NodeIx, Port};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_graph::{EdgeType, Result, Tensor, grad};
use levada_kernel::Epilogue;
use std::collections::{HashMap, HashSet};

pub(crate) const PASS: Pass = Pass {
    name: "neutral",
    is_on: |cx| cx.options.fuse,
    needs: &[Fact::Frames, Fact::References],
    keeps: ALL,
    gives: &[],
    for_traces: true,
    run,
};

fn run(draft: &mut Draft<'_>, _: &PassCx<'_>) -> Result<bool> {
    let factors: HashMap<NodeIx, Port> = draft.existing().filter_map(|at| Some((at, factor(draft, at)?))).collect();
    if factors.is_empty() {
        return Ok(false);
    }
    let source = |mut port: Port| {
        while let Some(&factor) = factors.get(&port.node) {
            port = factor;
        }
        port
    };
    draft.redirect(source, |before| before);
    let awaited: HashSet<NodeIx> = draft.existing().flat_map(|at| draft.node(at).controls.to_vec()).collect();
    for &at in factors.keys().filter(|at| !awaited.contains(at)) {
        draft.remove(at);
    }
    Ok(true)
}

/// The factor that a product returns unchanged because the other one is the scalar one.
fn factor(draft: &Draft<'_>, at: NodeIx) -> Option<Port> {
    let node = draft.node(at);
    let is_product = node.kernel.as_ref()?.epilogue() == Some(Epilogue::Mul);
    if !is_product || node.values.is_some() || node.is_pinned || !node.controls.is_empty() {
        return None;
    }
    let &[a, b] = &node.inputs[..] else { return None };
    let is_one = |port: Port| draft.value(port).is_some_and(is_one);
    let factor = if is_one(a) { b } else { Some(a).filter(|_| is_one(b))? };
    let source = draft.node(factor.node);
    let of = |types: &[EdgeType], output: u32| types.get(output as usize).filter(|t| !t.is_ref).map(|t| t.dtype);
    let is_same = of(&source.output_types, factor.output) == of(&node.output_types, 0)
        && (source.device, source.frame) == (node.device, node.frame)
        && !draft.ref_ports.contains(&factor);
    (is_same && !source.is_feed() && source.values.is_none()).then_some(factor)
}

/// True for a scalar one; multiplying by it keeps the shape of any tensor.
fn is_one(tensor: &Tensor) -> bool {
    tensor.shape().rank() == 0 && grad::scalar(tensor.dtype(), 1.0).is_some_and(|one| one == *tensor)
}
