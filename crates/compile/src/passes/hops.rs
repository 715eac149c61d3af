//! Bypasses transfers within one memory: a value sent from one host device to another is already where it is needed.

use crate::draft::{Draft, DraftNode, NodeIx, Port};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_executor::NodeKind;
use levada_graph::Result;
use std::collections::HashMap;

pub(crate) const PASS: Pass = Pass {
    name: "hops",
    is_on: |cx| cx.options.bypass_no_ops && !cx.partial,
    needs: &[Fact::Transfers],
    keeps: ALL,
    gives: &[],
    for_traces: false,
    run,
};

fn run(draft: &mut Draft<'_>, _: &PassCx<'_>) -> Result<bool> {
    let mut values: HashMap<Port, Port> = HashMap::new();
    let mut controls: HashMap<NodeIx, NodeIx> = HashMap::new();
    let mut bypassed = Vec::new();
    for at in draft.existing() {
        let receive = draft.node(at);
        let [from] = receive.inputs[..] else { continue };
        let send = draft.node(from.node);
        if !hands_on(receive) || !hands_on(send) {
            continue;
        }
        match (&send.inputs[..], &send.controls[..]) {
            // A merge must see a value that is known before the run arrive.
            (&[value], []) if draft.value(value).is_none() => drop(values.insert(Port { node: at, output: 0 }, value)),
            (&[], &[before]) => drop(controls.insert(at, before)),
            _ => continue,
        }
        bypassed.extend([at, from.node]);
    }
    draft.redirect(
        |port| values.get(&port).copied().unwrap_or(port),
        |before| controls.get(&before).copied().unwrap_or(before),
    );
    bypassed.iter().for_each(|&at| draft.remove(at));
    Ok(!bypassed.is_empty())
}

/// True for a transfer that only forwards its input. One that reads a variable must run in its place in the order.
fn hands_on(node: &DraftNode<'_>) -> bool {
    node.kernel.as_ref().is_some_and(|kernel| kernel.hands_on())
        && node.kind == NodeKind::Plain
        && node.reads_refs.is_empty()
        && !node.is_pinned
}
