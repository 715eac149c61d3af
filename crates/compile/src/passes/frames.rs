//! Finds the frame of every node: the loop whose iterations it runs in.

use crate::draft::{Draft, DraftNode, Frame, NodeIx};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_graph::spec::Role;
use levada_graph::{AttrValue, Error, Result};
use std::collections::HashMap;

pub(crate) const PASS: Pass =
    Pass { name: "frames", is_on: |_| true, needs: &[], keeps: ALL, gives: &[Fact::Frames], for_traces: true, run };

fn run(draft: &mut Draft<'_>, _: &PassCx<'_>) -> Result<bool> {
    let outermost = Frame { name: "".into(), parent: 0, parallel_iterations: 1 };
    draft.frames = vec![outermost];
    if !draft.has_control_flow {
        return Ok(false);
    }
    let mut search = Search { by_name: HashMap::new(), of_outputs: vec![None; draft.nodes.len()] };
    for at in 0..draft.nodes.len() as NodeIx {
        if draft.node(at).exists() && !draft.node(at).is_feed() {
            let frame = search.frame(draft, at)?;
            draft.nodes[at as usize].frame = frame;
            search.of_outputs[at as usize] = search.frame_of_outputs(draft, at, frame)?;
        }
    }
    Ok(false)
}

struct Search {
    by_name: HashMap<(u32, String), u32>,
    /// The frame that consumers see a node's outputs in; `None` for an `Exit` that is not in a loop.
    of_outputs: Vec<Option<u32>>,
}

impl Search {
    /// The frame of a node, which is that of its inputs.
    fn frame(&self, draft: &Draft<'_>, at: NodeIx) -> Result<u32> {
        let node = draft.node(at);
        let mut found: Option<(u32, NodeIx)> = None;
        for source in node.inputs.iter().map(|p| p.node).chain(node.controls.iter().copied()) {
            // The source of a back edge has not been visited yet. Feeds are in all frames.
            if source >= at || draft.node(source).is_feed() {
                continue;
            }
            let Some(from) = self.of_outputs[source as usize] else {
                return Err(fault(draft.node(source), "an Exit is not inside a loop"));
            };
            match found {
                None => found = Some((from, source)),
                Some((frame, first)) if frame != from => {
                    return Err(fault(node, &format!("{} has inputs from different frames", node.name))
                        .expected(format!("all inputs from the frame of {}", draft.node(first).name))
                        .found(format!("{} from another frame", draft.node(source).name)));
                }
                Some(_) => {}
            }
        }
        let frame = found.map_or(0, |(frame, _)| frame);
        if node.is_fetch() && frame != 0 {
            let node = node.inputs.first().map_or(node, |p| draft.node(p.node));
            let error = fault(node, &format!("{} is inside a loop and cannot be fetched", node.name));
            return Err(error.help("fetch the output of an Exit node of the loop"));
        }
        if frame != 0 && node.inputs.iter().any(|p| draft.node(p.node).is_feed()) {
            let error = Error::unimplemented("a value cannot be fed to a node inside a loop");
            return Err(error.at_node(&node.name, node.op).help("feed the input of an Enter node of the loop"));
        }
        Ok(frame)
    }

    /// The frame that consumers see the outputs of a node in; the node itself is in `own`.
    fn frame_of_outputs(&mut self, draft: &mut Draft<'_>, at: NodeIx, own: u32) -> Result<Option<u32>> {
        let node = draft.node(at);
        match node.role() {
            Some(Role::Enter) => {}
            Some(Role::Exit) => return Ok((own != 0).then(|| draft.frames[own as usize].parent)),
            _ => return Ok(Some(own)),
        }
        let attr = |name: &str| node.graph_node()?.attrs.get(name);
        let Some(AttrValue::S(name)) = attr("frame_name") else {
            return Err(fault(node, "an Enter needs a frame_name"));
        };
        let name = String::from_utf8_lossy(name).into_owned();
        let parallel_iterations = match attr("parallel_iterations") {
            Some(AttrValue::I(n)) => u32::try_from(*n).unwrap_or(1).max(1),
            _ => 10,
        };
        let next = draft.frames.len() as u32;
        let child = *self.by_name.entry((own, name.clone())).or_insert(next);
        if child == next {
            draft.frames.push(Frame { name: name.into(), parent: own, parallel_iterations });
        }
        Ok(Some(child))
    }
}

fn fault(node: &DraftNode<'_>, message: &str) -> Error {
    Error::invalid(message).at_node(&node.name, node.op)
}
