//! Drafts as text: a line for every existing node, in order.

use crate::draft::{Draft, DraftNode, Origin, Port};
use levada_executor::NodeKind;
use std::fmt;

impl fmt::Display for Draft<'_> {
    /// `name = Op(inputs, ^controls)`, followed by the node's special properties: `= value` if it is known before the
    /// run (and `runs` if a merge takes it), the nodes that it computes in braces, its device and frame, and the inputs
    /// that it reads from references.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let running = self.running();
        self.existing().try_for_each(|at| self.line(f, self.node(at), running[at as usize]))
    }
}

impl Draft<'_> {
    fn line(&self, f: &mut fmt::Formatter<'_>, node: &DraftNode<'_>, runs: bool) -> fmt::Result {
        match (node.origin, &node.kernel) {
            (Origin::Feed(feed), None) => return writeln!(f, "feed {}", self.feeds[feed].name),
            (Origin::Fetch(_), None) => {
                let ports: Vec<String> = node.inputs.iter().map(|&port| self.port(port)).collect();
                return writeln!(f, "fetch {} = {}", node.name, ports.join(", "));
            }
            _ => write!(f, "{} = {}", node.name, node.op)?,
        }
        if !node.members.is_empty() {
            write!(f, "{{{}}}", node.members.join(" "))?;
        }
        let inputs = node.inputs.iter().map(|&port| self.port(port));
        let controls = node.controls.iter().map(|&before| format!("^{}", self.node(before).name));
        let inputs: Vec<String> = inputs.chain(controls).collect();
        if !inputs.is_empty() {
            write!(f, "({})", inputs.join(", "))?;
        }
        if let Some(values) = &node.values {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            write!(f, " = {}{}", values.join(", "), if runs { " runs" } else { "" })?;
        }
        if node.device != 0 {
            write!(f, " on {}", node.device)?;
        }
        if let Some(frame) = self.frames.get(node.frame as usize).filter(|_| node.frame != 0) {
            write!(f, " in {}", frame.name)?;
        }
        if matches!(node.kind, NodeKind::Relay) {
            write!(f, " into a frame")?;
        }
        for input in &node.reads_refs {
            write!(f, " reads {input}")?;
        }
        writeln!(f)
    }

    fn port(&self, port: Port) -> String {
        let node = self.node(port.node);
        let name = match node.origin {
            Origin::Feed(feed) => &self.feeds[feed].name,
            _ => &node.name,
        };
        if port.output == 0 { name.to_string() } else { format!("{name}:{}", port.output) }
    }
}
