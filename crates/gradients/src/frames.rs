//! The while loops of a graph: the nodes of each, in topological order.

use levada_compile::Pruned;
use levada_graph::grad::is_constant;
use levada_graph::graph::Node;
use levada_graph::op::FromAttr;
use levada_graph::spec::Role;
use levada_graph::{Bytes, Endpoint, Error, Graph, NodeId, Result};
use petgraph::graph::DiGraph;
use std::collections::{HashMap, HashSet};

/// A loop variable: `merge` has its value in each iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) enter: NodeId,
    pub(super) merge: NodeId,
    /// Where the value goes: out of the loop, or into the body.
    pub(super) switch: Option<NodeId>,
    /// The value for the next iteration.
    pub(super) next: Endpoint,
    pub(super) exit: Option<NodeId>,
}

/// An item that a frame runs: a node or a whole loop.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Node(NodeId),
    Frame(usize),
}

/// A while loop; number 0 is the graph around all loops.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub(super) name: String,
    pub(super) parent: usize,
    pub(super) parallel_iterations: i64,
    pub(super) cond: Option<NodeId>,
    pub(super) variables: Vec<Variable>,
    /// All its `Enter` nodes.
    enters: Vec<NodeId>,
    /// The `Enter` nodes of loop invariants.
    pub(super) invariants: Vec<NodeId>,
    /// Its items in topological order; a loop's own `Enter` and `Exit` nodes belong to it.
    pub(super) items: Vec<Item>,
}

/// The output of a conditional's `Switch` that a value depends on: the predicate, and the output index.
pub(super) type Guard = (Endpoint, u32);

/// All loops.
#[derive(Debug, Default)]
pub(super) struct Frames {
    pub(super) all: Vec<Frame>,
    /// The frame of a node's outputs, by node number.
    of: Vec<u32>,
    /// The branches of conditionals to which a node is restricted, by node number.
    guards: Vec<Vec<Guard>>,
}

fn attr<T: FromAttr>(node: &Node, name: &str) -> Option<T> {
    node.attrs.get(name).and_then(T::from_attr)
}

impl Frames {
    /// Finds the loops among the needed nodes.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` for loops that are not built as by `tf.while_loop`.
    pub(super) fn find(graph: &Graph, pruned: &Pruned) -> Result<Frames> {
        let mut frames =
            Frames { all: vec![Frame::default()], of: vec![0; graph.len()], guards: vec![Vec::new(); graph.len()] };
        if !pruned.order.iter().any(|&id| matches!(graph.node(id).spec().role, Role::Enter | Role::Switch)) {
            frames.all[0].items = pruned.order.iter().map(|&id| Item::Node(id)).collect();
            return Ok(frames);
        }
        // The frame that each node belongs to.
        let mut part_of = vec![0; graph.len()];
        let mut numbers: HashMap<(usize, Vec<u8>), usize> = HashMap::new();
        for &id in &pruned.order {
            let node = graph.node(id);
            let around = frames.around(graph, node);
            let frame = match node.spec().role {
                Role::Enter => {
                    let name: Bytes = attr(node, "frame_name").unwrap_or_default();
                    let number = *numbers.entry((around, name.to_vec())).or_insert(frames.all.len());
                    if number == frames.all.len() {
                        frames.all.push(Frame {
                            name: String::from_utf8_lossy(&name).into_owned(),
                            parent: around,
                            parallel_iterations: attr(node, "parallel_iterations").unwrap_or(10),
                            ..Frame::default()
                        });
                    }
                    frames.all[number].enters.push(id);
                    if is_constant(node) {
                        frames.all[number].invariants.push(id);
                    }
                    number
                }
                _ => around,
            };
            part_of[id.index()] = frame;
            frames.of[id.index()] =
                if node.spec().role == Role::Exit { frames.all[frame].parent } else { frame } as u32;
            if node.spec().role == Role::LoopCond {
                frames.all[frame].cond = Some(id);
            }
            frames.guards[id.index()] = frames.guards_of(graph, id, &part_of);
        }
        for &id in &pruned.order {
            frames.attach(graph, id)?;
        }
        frames.sort(graph, pruned, &part_of)?;
        Ok(frames)
    }

    /// The frame of a value.
    pub(super) fn of(&self, at: Endpoint) -> usize {
        self.of.get(at.node.index()).map_or(0, |&f| f as usize)
    }

    /// True for the nodes of the analysed graph.
    pub(super) fn knows(&self, node: NodeId) -> bool {
        node.index() < self.of.len()
    }

    /// The branches to which a value is restricted, outer ones last.
    pub(super) fn guards(&self, graph: &Graph, at: Endpoint) -> Vec<Guard> {
        let mut guards = self.guards.get(at.node.index()).cloned().unwrap_or_default();
        if let Some(guard) = self.guard(graph, at) {
            guards.push(guard);
        }
        let depth = |pred: Endpoint| self.guards.get(pred.node.index()).map_or(0, Vec::len);
        guards.sort_by_key(|(pred, _)| std::cmp::Reverse(depth(*pred)));
        guards
    }

    /// The branch of an output of a conditional's `Switch`.
    fn guard(&self, graph: &Graph, at: Endpoint) -> Option<Guard> {
        let node = graph.node(at.node);
        let pred = *node.inputs.get(1).filter(|_| node.spec().role == Role::Switch)?;
        (graph.node(pred.node).spec().role != Role::LoopCond).then_some((pred, at.output))
    }

    fn around(&self, graph: &Graph, node: &Node) -> usize {
        let sources = node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied());
        // The deepest frame counts: values from outer frames are available in inner ones.
        let depth = |f: usize| std::iter::successors(Some(f), |&f| (f > 0).then(|| self.all[f].parent)).count();
        let back = |id: &NodeId| graph.node(*id).spec().role == Role::NextIteration && node.spec().role == Role::Merge;
        sources.filter(|id| !back(id)).map(|id| self.of[id.index()] as usize).max_by_key(|&f| depth(f)).unwrap_or(0)
    }

    fn guards_of(&self, graph: &Graph, id: NodeId, part_of: &[usize]) -> Vec<Guard> {
        let node = graph.node(id);
        let of = |at: Endpoint| -> Vec<Guard> {
            let mut guards = self.guards[at.node.index()].clone();
            guards.extend(self.guard(graph, at));
            guards
        };
        let known = |at: &&Endpoint| graph.node(at.node).spec().role != Role::NextIteration;
        match node.spec().role {
            // Guards inside a loop apply to one of its iterations.
            Role::Enter => Vec::new(),
            Role::Exit => {
                let enters = self.all[part_of[id.index()]].enters.iter();
                let inputs = enters.flat_map(|&enter| graph.node(enter).inputs.first());
                let mut guards: Vec<Guard> = inputs.flat_map(|&e| of(e)).collect();
                guards.sort_unstable();
                guards.dedup();
                guards
            }
            Role::Merge => {
                let mut inputs = node.inputs.iter().filter(known).map(|&e| of(e));
                let first = inputs.next().unwrap_or_default();
                inputs.fold(first, |all, input| all.into_iter().filter(|g| input.contains(g)).collect())
            }
            _ => {
                let data = node.inputs.iter().map(|&e| of(e));
                let control = node.control_inputs.iter().map(|&c| self.guards[c.index()].clone());
                let mut guards: Vec<Guard> = data.chain(control).flatten().collect();
                guards.sort_unstable();
                guards.dedup();
                guards
            }
        }
    }

    fn add_variable(&mut self, graph: &Graph, merge: NodeId) -> Result<()> {
        let node = graph.node(merge);
        let with = |role: Role| node.inputs.iter().find(|e| graph.node(e.node).spec().role == role);
        let Some(back) = with(Role::NextIteration) else { return Ok(()) };
        let (Some(enter), [_, _]) = (with(Role::Enter), node.inputs.as_slice()) else {
            return Err(strange("a Merge in a loop that does not have an Enter and a NextIteration", node));
        };
        let Some(&next) = graph.node(back.node).inputs.first() else { return Ok(()) };
        let frame = self.of[merge.index()] as usize;
        self.all[frame].variables.push(Variable { enter: enter.node, merge, switch: None, next, exit: None });
        Ok(())
    }

    /// Records the nodes that belong to a loop variable.
    fn attach(&mut self, graph: &Graph, id: NodeId) -> Result<()> {
        let node = graph.node(id);
        let Some(source) = node.inputs.first() else { return Ok(()) };
        let frame = self.of[source.node.index()] as usize;
        match node.spec().role {
            Role::Merge => self.add_variable(graph, id)?,
            Role::Switch if node.inputs.get(1).is_some_and(|p| graph.node(p.node).spec().role == Role::LoopCond) => {
                let merge = source.node;
                let Some(variable) = self.all[frame].variables.iter_mut().find(|v| v.merge == merge) else {
                    return Err(strange("a loop's Switch that belongs to no Merge", node));
                };
                if variable.switch.replace(id).is_some() {
                    return Err(strange("a loop variable with two Switch nodes", node));
                }
            }
            Role::Exit => {
                let switch = source.node;
                let Some(variable) = self.all[frame].variables.iter_mut().find(|v| v.switch == Some(switch)) else {
                    return Err(strange("an Exit that belongs to no loop variable", node));
                };
                if variable.exit.replace(id).is_some() {
                    return Err(strange("a loop variable with two Exit nodes", node));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Sorts the items of each frame.
    fn sort(&mut self, graph: &Graph, pruned: &Pruned, part_of: &[usize]) -> Result<()> {
        // For each frame, a graph of its immediate nodes and loops.
        let mut dags: Vec<DiGraph<Item, ()>> = vec![DiGraph::new(); self.all.len()];
        let mut frame_units = vec![None; self.all.len()];
        for number in 1..self.all.len() {
            frame_units[number] = Some(dags[self.all[number].parent].add_node(Item::Frame(number)));
        }
        let mut units = HashMap::new();
        for &id in &pruned.order {
            units.insert(id, dags[part_of[id.index()]].add_node(Item::Node(id)));
        }
        // The item of a node in an enclosing frame.
        let unit_in = |id: NodeId, frame: usize| {
            let mut at = part_of[id.index()];
            if at == frame {
                return units.get(&id).copied();
            }
            while at != 0 {
                if self.all[at].parent == frame {
                    return frame_units[at];
                }
                at = self.all[at].parent;
            }
            None
        };
        for &id in &pruned.order {
            let node = graph.node(id);
            let sources = node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied());
            for source in sources {
                if node.spec().role == Role::Merge && graph.node(source).spec().role == Role::NextIteration {
                    continue;
                }
                let mut frame = part_of[id.index()];
                loop {
                    let (from, to) = (unit_in(source, frame), unit_in(id, frame));
                    if let (Some(from), Some(to)) = (from, to)
                        && from != to
                    {
                        dags[frame].update_edge(from, to, ());
                        break;
                    }
                    if frame == 0 {
                        break;
                    }
                    frame = self.all[frame].parent;
                }
            }
        }
        for (frame, dag) in self.all.iter_mut().zip(&dags) {
            let order = petgraph::algo::toposort(dag, None).map_err(|cycle| {
                let name = match dag[cycle.node_id()] {
                    Item::Node(id) => graph.node(id).name.to_string(),
                    Item::Frame(_) => frame.name.clone(),
                };
                Error::unimplemented("gradients of a loop that needs its own results").node(name)
            })?;
            frame.items = order.into_iter().map(|unit| dag[unit]).collect();
        }
        Ok(())
    }
}

fn strange(what: &str, node: &Node) -> Error {
    Error::unimplemented(format!("gradients of {what}")).at_node(&node.name, node.op_name())
}

/// The nodes on paths from `xs` to `ys`, including paths around loops.
pub(super) fn between(graph: &Graph, order: &[NodeId], ys: &[Endpoint], xs: &[Endpoint]) -> HashSet<NodeId> {
    let mut depends: HashSet<NodeId> = xs.iter().map(|e| e.node).collect();
    grow(&mut depends, |depends| {
        for &id in order {
            if graph.node(id).inputs.iter().any(|e| depends.contains(&e.node)) {
                depends.insert(id);
            }
        }
    });
    let mut needed: HashSet<NodeId> = ys.iter().map(|e| e.node).collect();
    grow(&mut needed, |needed| {
        for &id in order.iter().rev() {
            if needed.contains(&id) {
                needed.extend(graph.node(id).inputs.iter().map(|e| e.node));
            }
        }
    });
    depends.retain(|id| needed.contains(id));
    depends
}

/// Repeats `step` until it adds nothing.
fn grow(set: &mut HashSet<NodeId>, mut step: impl FnMut(&mut HashSet<NodeId>)) {
    loop {
        let before = set.len();
        step(set);
        if set.len() == before {
            return;
        }
    }
}
