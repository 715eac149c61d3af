//! The number of iterations of a loop, if its counter determines it.

use levada_compile::known::Known;
use levada_graph::spec::{Primitive, Role};
use levada_graph::{Endpoint, Graph, NodeId, Tensor};

/// The maximum number of iterations of the loop with this condition; `None` if unknown.
pub(crate) fn of_loop(graph: &Graph, known: &Known, condition: NodeId) -> Option<u64> {
    let condition = graph.node(condition).inputs.first()?;
    of_condition(graph, known, *condition)
}

/// The iterations until a condition becomes false: a counter that grows by a fixed step is compared with a limit.
fn of_condition(graph: &Graph, known: &Known, condition: Endpoint) -> Option<u64> {
    let condition = through(graph, condition);
    let node = graph.node(condition.node);
    let [a, b] = node.inputs[..] else { return None };
    match node.op_name() {
        "LogicalAnd" => match (of_condition(graph, known, a), of_condition(graph, known, b)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (one, other) => one.or(other),
        },
        "Less" => counted(graph, known, a, b, 0),
        "LessEqual" => counted(graph, known, a, b, 1),
        "Greater" => counted(graph, known, b, a, 0),
        "GreaterEqual" => counted(graph, known, b, a, 1),
        _ => None,
    }
}

fn counted(graph: &Graph, known: &Known, low: Endpoint, high: Endpoint, one_more: i64) -> Option<u64> {
    let (grows, falls) = (progress(graph, known, low), progress(graph, known, high));
    let (distance, step) = match (grows, falls) {
        (Some((start, step)), None) if step > 0 => (integer(graph, known, high)? - start, step),
        (None, Some((start, step))) if step < 0 => (start - integer(graph, known, low)?, -step),
        _ => return None,
    };
    let distance = distance.checked_add(one_more)?;
    u64::try_from(distance.max(0).checked_add(step - 1)? / step).ok()
}

/// The initial value of a counter, and its increment per iteration.
fn progress(graph: &Graph, known: &Known, counter: Endpoint) -> Option<(i64, i64)> {
    let counter = through(graph, counter);
    let merge = graph.node(counter.node);
    if merge.spec().role != Role::Merge {
        return None;
    }
    let is_next = |e: &&Endpoint| graph.node(e.node).spec().role == Role::NextIteration;
    let next = *merge.inputs.iter().find(is_next)?;
    let start = *merge.inputs.iter().find(|e| !is_next(e))?;
    let sum = through(graph, *graph.node(next.node).inputs.first()?);
    let node = graph.node(sum.node);
    let [a, b] = node.inputs[..] else { return None };
    let is_counter = |e: Endpoint| {
        let from = through(graph, e);
        let node = graph.node(from.node);
        let source = if node.spec().role == Role::Switch { through(graph, *node.inputs.first()?) } else { from };
        (source.node == counter.node).then_some(())
    };
    let step = match node.spec().primitive {
        Some(Primitive::Add) if is_counter(a).is_some() => integer(graph, known, b)?,
        Some(Primitive::Add) if is_counter(b).is_some() => integer(graph, known, a)?,
        Some(Primitive::Sub) if is_counter(a).is_some() => -integer(graph, known, b)?,
        _ => return None,
    };
    Some((integer(graph, known, start)?, step))
}

fn integer(graph: &Graph, known: &Known, endpoint: Endpoint) -> Option<i64> {
    let value = |e: Endpoint| -> Option<i64> {
        let tensor: &Tensor = graph.node(e.node).op.constant().or_else(|| known.value(e))?;
        if tensor.num_elements() == 1 { tensor.to_i64s().ok()?.first().copied() } else { None }
    };
    value(endpoint).or_else(|| value(through(graph, endpoint))).or_else(|| {
        let node = graph.node(through(graph, endpoint).node);
        if node.spec().role == Role::Enter { value(*node.inputs.first()?) } else { None }
    })
}

/// The endpoint that an endpoint forwards.
fn through(graph: &Graph, endpoint: Endpoint) -> Endpoint {
    let mut at = endpoint;
    for _ in 0..graph.len() {
        let node = graph.node(at.node);
        match node.inputs.first() {
            Some(&from) if at.output == 0 && node.spec().forwards => at = from,
            _ => break,
        }
    }
    at
}
