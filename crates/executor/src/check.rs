//! Checks that the tables of a plan are consistent. The unsafe code of `activation` relies on this.

use crate::plan::{FETCH, NodeIx, NodeKind, PlanEdge, PlanNode, PlanTables, Span};
use levada_graph::{Error, Result};

/// Stands for no node.
const NONE: NodeIx = FETCH - 1;

/// Checks that each slot belongs to one node or fetch and is written by one edge, that each pending count starts with
/// the number of edges that lower it, and that every node runs at most once in an iteration.
pub(crate) fn check(tables: &PlanTables) -> Result<()> {
    find(tables).map_or(Ok(()), |fault| Err(Error::internal(format!("the plan is malformed: {fault}"))))
}

/// The first fault; `None` if there is none.
fn find(tables: &PlanTables) -> Option<String> {
    let fault = sizes(tables);
    if fault.is_some() {
        return fault;
    }
    let mut checker = Checker {
        tables,
        owners: tables.frames.iter().map(|frame| vec![NONE; frame.slots as usize]).collect(),
        written: tables.frames.iter().map(|frame| vec![false; frame.slots as usize]).collect(),
        arrivals: vec![Arrivals::default(); tables.nodes.len()],
    };
    checker.run().err()
}

/// Finds spans, numbers of nodes and numbers of frames that point outside of their tables.
fn sizes(tables: &PlanTables) -> Option<String> {
    let inside = |span: Span, len: usize| span.start <= span.end && span.end as usize <= len;
    let is_node = |&node: &NodeIx| (node as usize) < tables.nodes.len();
    if tables.frames.is_empty() || tables.names.len() != tables.nodes.len() || tables.nodes.len() >= NONE as usize {
        return Some("it has no root frame, or not exactly one name for each node".to_owned());
    }
    for (number, node) in tables.nodes.iter().enumerate() {
        let frame = tables.frames.get(node.frame as usize);
        let fits = frame.is_some_and(|frame| {
            inside(node.inputs, frame.slots as usize) && (node.pending as usize) < frame.pending.len()
        });
        if !fits || !inside(node.edges, tables.edges.len()) || !inside(node.controls, tables.controls.len()) {
            return Some(format!("node {number} lies outside of its tables"));
        }
    }
    for (number, frame) in tables.frames.iter().enumerate() {
        let constants = frame.constants.iter().all(|&(slot, _)| slot < frame.slots);
        if frame.parent as usize >= tables.frames.len() || !constants || !frame.exits.iter().all(is_node) {
            return Some(format!("frame {number} lies outside of its tables"));
        }
    }
    let feeds = tables.feeds.iter().all(|feed| inside(feed.edges, tables.edges.len()));
    if !feeds || !inside(tables.fetches, tables.frames[0].slots as usize) || !tables.roots.iter().all(is_node) {
        return Some("a feed, a fetch or a root lies outside of its table".to_owned());
    }
    None
}

/// The number of edges that lower the pending count of a node.
#[derive(Clone, Copy, Default)]
struct Arrivals {
    data: u64,
    controls: u64,
}

struct Checker<'t> {
    tables: &'t PlanTables,
    /// By frame and slot, the node or fetch that it belongs to.
    owners: Vec<Vec<NodeIx>>,
    /// By frame and slot, whether an edge or a constant writes it.
    written: Vec<Vec<bool>>,
    arrivals: Vec<Arrivals>,
}

impl Checker<'_> {
    fn run(&mut self) -> Result<(), String> {
        let tables = self.tables;
        for (number, node) in (0..).zip(&tables.nodes) {
            self.own(node.frame, node.inputs, number)?;
        }
        self.own(0, tables.fetches, FETCH)?;
        for (number, frame) in tables.frames.iter().enumerate() {
            for &(slot, _) in &frame.constants {
                self.write(number, slot)?;
            }
        }
        for node in &tables.nodes {
            self.edges(node)?;
        }
        for feed in &tables.feeds {
            for edge in &tables.edges[feed.edges.range()] {
                self.data(0, edge)?;
            }
        }
        self.counts()?;
        self.roots()?;
        self.frames()?;
        if tables.has_control_flow { Ok(()) } else { self.plain() }
    }

    fn own(&mut self, frame: u32, slots: Span, owner: NodeIx) -> Result<(), String> {
        for known in &mut self.owners[frame as usize][slots.range()] {
            if std::mem::replace(known, owner) != NONE {
                return Err(format!("a slot of node {owner} also belongs to another"));
            }
        }
        Ok(())
    }

    fn write(&mut self, frame: usize, slot: u32) -> Result<(), String> {
        match std::mem::replace(&mut self.written[frame][slot as usize], true) {
            true => Err(format!("slot {slot} of frame {frame} is written twice")),
            false => Ok(()),
        }
    }

    /// Checks that an edge that delivers in `frame` ends in a slot of its target.
    fn data(&mut self, frame: u32, edge: &PlanEdge) -> Result<(), String> {
        let owner = self.owners[frame as usize].get(edge.slot as usize);
        if owner != Some(&edge.node) || edge.node == NONE {
            return Err(format!("an edge to node {} does not end in one of its slots", edge.node));
        }
        self.write(frame as usize, edge.slot)
    }

    /// Checks the edges of a node, and counts them where they end.
    fn edges(&mut self, node: &PlanNode) -> Result<(), String> {
        let tables = self.tables;
        let (edges, controls) = (&tables.edges[node.edges.range()], &tables.controls[node.controls.range()]);
        let mut targets = edges.iter().map(|e| e.node).chain(controls.iter().copied()).filter(|&to| to != FETCH);
        let frame_of = |to: NodeIx| Some(tables.nodes.get(to as usize)?.frame);
        let frame = match node.kind {
            NodeKind::Enter(_) => match targets.next().map(frame_of) {
                None => return if edges.is_empty() { Ok(()) } else { Err("an Enter is fetched".to_owned()) },
                Some(Some(frame)) if frame != 0 && tables.frames[frame as usize].parent == node.frame => frame,
                Some(_) => return Err("an Enter does not lead into a child of its frame".to_owned()),
            },
            NodeKind::Exit => tables.frames[node.frame as usize].parent,
            _ => node.frame,
        };
        for edge in edges {
            if edge.output >= node.outputs {
                return Err(format!("an edge to node {} begins at a missing output", edge.node));
            }
            self.data(frame, edge)?;
            if edge.node != FETCH {
                self.arrivals[edge.node as usize].data += 1;
            }
        }
        for &to in controls {
            if frame_of(to) != Some(frame) {
                return Err(format!("a control edge leads to node {to} in another frame"));
            }
            self.arrivals[to as usize].controls += 1;
        }
        Ok(())
    }

    /// Checks the starting values of pending counts, and that no two nodes share a count.
    fn counts(&self) -> Result<(), String> {
        let mut taken: Vec<Vec<bool>> = self.tables.frames.iter().map(|f| vec![false; f.pending.len()]).collect();
        for (number, (node, arrivals)) in self.tables.nodes.iter().zip(&self.arrivals).enumerate() {
            let start = self.tables.frames[node.frame as usize].pending[node.pending as usize];
            let expected = match node.kind {
                NodeKind::Merge => 1 + 2 * arrivals.controls,
                _ => arrivals.data + arrivals.controls,
            };
            if start != expected || start > u64::from(u32::MAX) {
                return Err(format!("the count of node {number} starts at {start} instead of {expected}"));
            }
            if std::mem::replace(&mut taken[node.frame as usize][node.pending as usize], true) {
                return Err(format!("node {number} shares its count with another"));
            }
        }
        Ok(())
    }

    /// Checks that a node that does not wait for anything is listed once, and is in the root frame.
    fn roots(&self) -> Result<(), String> {
        let mut listed = vec![false; self.tables.nodes.len()];
        for &root in &self.tables.roots {
            let node = &self.tables.nodes[root as usize];
            let awaits = self.tables.frames[node.frame as usize].pending[node.pending as usize];
            if node.frame != 0 || awaits != 0 || std::mem::replace(&mut listed[root as usize], true) {
                let name = &self.tables.names[root as usize].meta.name;
                return Err(format!("node {root} ({name}) is not a root, or is listed twice"));
            }
        }
        Ok(())
    }

    /// Checks that each frame lists its exits, so that each delivers once.
    fn frames(&self) -> Result<(), String> {
        let tables = self.tables;
        for (number, frame) in tables.frames.iter().enumerate() {
            let mut exits = frame.exits.clone();
            exits.sort_unstable();
            exits.dedup();
            let own = |&exit: &NodeIx| {
                let node = &tables.nodes[exit as usize];
                node.kind == NodeKind::Exit && node.frame as usize == number
            };
            if exits.len() != frame.exits.len() || !exits.iter().all(own) {
                return Err(format!("frame {number} does not list its exits"));
            }
        }
        Ok(())
    }

    /// Checks the guarantees of plans without control flow: counts have the numbers of their nodes, and all nodes run,
    /// so that every count is back at its start at the end of a step.
    fn plain(&self) -> Result<(), String> {
        let tables = self.tables;
        let mut awaited = tables.frames[0].pending.clone();
        for (number, node) in (0..).zip(&tables.nodes) {
            if node.pending != number || node.frame != 0 || node.kind == NodeKind::Merge {
                return Err(format!("node {number} needs control flow"));
            }
        }
        let mut open = tables.roots.clone();
        let mut ran = 0;
        while let Some(at) = open.pop() {
            ran += 1;
            let node = &tables.nodes[at as usize];
            for to in tables.after(node) {
                awaited[to as usize] -= 1;
                if awaited[to as usize] == 0 {
                    open.push(to);
                }
            }
        }
        match ran == tables.nodes.len() {
            true => Ok(()),
            false => Err("some nodes are on a cycle, or wait for nothing but are not roots".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Sketch;

    /// The fault of a plan of the chain 0 -> 1 -> 2, which is fetched, after a change.
    fn fault(change: impl FnOnce(&mut PlanTables)) -> String {
        let mut tables = Sketch::of(&[1, 1, 1]).edges(&[(0, 1), (1, 2)]).fetch(2, 0).tables();
        assert_eq!(find(&tables), None);
        change(&mut tables);
        find(&tables).expect("the plan has a fault")
    }

    #[test]
    fn tables_that_do_not_fit_together_are_refused() {
        assert_eq!(fault(|t| t.frames[0].pending[1] = 2), "the count of node 1 starts at 2 instead of 1");
        assert_eq!(fault(|t| t.nodes[2].pending = 1), "node 2 shares its count with another");
        assert_eq!(fault(|t| t.nodes[2].inputs = t.nodes[1].inputs), "a slot of node 2 also belongs to another");
        assert_eq!(fault(|t| t.edges[1].slot = 0), "an edge to node 2 does not end in one of its slots");
        assert_eq!(fault(|t| t.frames[0].constants.push((0, levada_graph::Tensor::scalar(1i64)))), {
            "slot 0 of frame 0 is written twice"
        });
        assert_eq!(fault(|t| t.edges[0].output = 1), "an edge to node 1 begins at a missing output");
        assert_eq!(fault(|t| t.roots.push(0)), "node 0 (n0) is not a root, or is listed twice");
        assert_eq!(fault(|t| t.roots.clear()), "some nodes are on a cycle, or wait for nothing but are not roots");
        assert_eq!(fault(|t| t.nodes[1].kind = NodeKind::Merge), "node 1 needs control flow");
        assert_eq!(fault(|t| t.nodes[1].frame = 1), "node 1 lies outside of its tables");
        assert_eq!(fault(|t| t.fetches.end += 1), "a feed, a fetch or a root lies outside of its table");
    }
}
