//! Which values are references to variables in disguise.
//!
//! Where an op that asks for a value is given a reference, TensorFlow hands it a tensor that shares the variable's memory.
//! Ops that pass their input on share it too, so that whoever reads the value in the end sees what was written to the
//! variable in between. Here such ops pass on the reference itself, and those that look at the value read it.

use crate::{Places, Pruned};
use levada_graph::spec::Role;
use levada_graph::{Endpoint, Graph, NodeId};
use std::collections::HashSet;

/// The endpoints that may carry references.
#[derive(Default)]
pub(crate) struct Refs {
    endpoints: HashSet<Endpoint>,
}

impl Refs {
    /// Follows the references of the nodes that run. Graphs without reference variables need no look at their edges.
    pub(crate) fn find(graph: &Graph, pruned: &Pruned, places: &Places<'_>) -> Refs {
        let mut refs = Refs::default();
        for &id in &pruned.order {
            for (output, ty) in (0..).zip(&graph.node(id).output_types) {
                if ty.is_ref {
                    refs.endpoints.insert(Endpoint::new(id, output));
                }
            }
        }
        // Once more for every loop that lies in another.
        let mut known = 0;
        while refs.endpoints.len() != known {
            known = refs.endpoints.len();
            for &id in &pruned.order {
                refs.pass_on(graph, places, id);
            }
        }
        refs
    }

    fn pass_on(&mut self, graph: &Graph, places: &Places<'_>, id: NodeId) {
        let node = graph.node(id);
        let given = (0..node.inputs.len()).any(|i| passes(graph, places, id, i) && self.carries(node.inputs[i]));
        if !given {
            return;
        }
        // The second output of a merge is the number of its input.
        let outputs = if node.spec().role == Role::Merge { 1 } else { node.output_types.len() };
        self.endpoints.extend((0..outputs as u32).map(|output| Endpoint::new(id, output)));
    }

    /// True where the endpoint may carry a reference.
    pub(crate) fn carries(&self, endpoint: Endpoint) -> bool {
        self.endpoints.contains(&endpoint)
    }

    /// Inputs that may carry references where the node must be given values.
    pub(crate) fn read_by(&self, graph: &Graph, places: &Places<'_>, id: NodeId) -> Box<[u32]> {
        if self.endpoints.is_empty() {
            return Box::default();
        }
        let node = graph.node(id);
        let reads =
            |i: usize| self.carries(node.inputs[i]) && !node.input_types[i].is_ref && !passes(graph, places, id, i);
        (0..node.inputs.len()).filter(|&i| reads(i)).map(|i| i as u32).collect()
    }
}

/// True for inputs that the node passes on and does not look at.
fn passes(graph: &Graph, places: &Places<'_>, id: NodeId, input: usize) -> bool {
    let node = graph.node(id);
    let moves = match node.spec().role {
        Role::Merge => true,
        Role::Switch | Role::Enter | Role::Exit | Role::NextIteration => input == 0,
        _ => node.spec().forwards && input == 0,
    };
    moves && !node.input_types[input].is_ref && places.of(id).memory().is_none()
}
