//! The input of a cost-model placer: tasks with costs, the tensors between them, and groups that share a device.

use crate::cluster::Cluster;
use crate::cost::{Costs, NodeCosts};
use crate::groups::{Groups, Refusal, Request};
use crate::order::{is_back_edge, topological};
use levada_graph::{AttrValue, NodeId};
use std::collections::HashMap;

/// A tensor that a consumer takes, or an ordering between two tasks.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The task that produces it.
    pub from: u32,
    /// The task that consumes it.
    pub to: u32,
    /// The output's number; [`CONTROL`] for an ordering only.
    pub output: u32,
}

/// The output number of an edge that only orders.
pub const CONTROL: u32 = u32::MAX;

/// Tasks, edges and groups. Tasks are in topological order.
pub struct Problem<'a> {
    /// The devices.
    pub cluster: &'a Cluster,
    /// The node of each task.
    pub nodes: Vec<NodeId>,
    /// The cost of each task.
    pub costs: Vec<NodeCosts>,
    /// Edges, by source task.
    pub edges: Vec<Edge>,
    /// The index of the first edge that leaves each task, and one past the last.
    out: Vec<u32>,
    incoming: Vec<u32>,
    into: Vec<u32>,
    /// Group of each task.
    pub group: Vec<u32>,
    /// The devices that each group may go to.
    pub candidates: Vec<Vec<u32>>,
    /// The tasks of each group.
    pub members: Vec<Vec<u32>>,
    /// The time of each task on each device, in nanoseconds.
    times: Vec<f64>,
}

/// Groups that ask for no device and share the name of some state with another such group: names belong to their
/// device, so these groups must go to the same one, as they do under TensorFlow's rule. Maps the number of each root to
/// that of its representative.
fn sharing_names(request: &Request<'_>, groups: &Groups, nodes: &[NodeId]) -> HashMap<u32, u32> {
    let mut first: HashMap<&[u8], u32> = HashMap::new();
    let mut stands: HashMap<u32, u32> = HashMap::new();
    let find = |stands: &HashMap<u32, u32>, mut root: u32| {
        while let Some(&next) = stands.get(&root).filter(|&&next| next != root) {
            root = next;
        }
        root
    };
    for &id in nodes {
        let node = request.graph.node(id);
        let Some(AttrValue::S(name)) = node.attrs.get("shared_name").filter(|_| node.op.is_stateful()) else {
            continue;
        };
        let group = groups.of(id);
        if name.is_empty() || !group.requested.is_any() {
            continue;
        }
        let root = find(&stands, groups.root(id));
        let other = find(&stands, *first.entry(name).or_insert(root));
        let same_kinds = groups.of(NodeId::new(other as usize)).kinds.0 == group.kinds.0;
        if other != root && same_kinds {
            stands.insert(root, other);
        }
    }
    let roots: Vec<u32> = stands.keys().copied().collect();
    roots.into_iter().map(|root| (root, find(&stands, root))).collect()
}

impl<'a> Problem<'a> {
    /// The problem of running every node of a graph.
    ///
    /// # Errors
    /// An error if the graph's constraints contradict each other.
    pub fn of_graph(
        request: &Request<'_>,
        cluster: &'a Cluster,
        costs: &Costs,
    ) -> Result<(Problem<'a>, Groups), Refusal> {
        Problem::of_step(request, cluster, costs, topological(request.graph))
    }

    /// The problem of a step that runs only these nodes, which are in topological order. The constraints of all other
    /// nodes count too, as they do in a session.
    ///
    /// # Errors
    /// An error if the graph's constraints contradict each other.
    pub fn of_step(
        request: &Request<'_>,
        cluster: &'a Cluster,
        costs: &Costs,
        nodes: Vec<NodeId>,
    ) -> Result<(Problem<'a>, Groups), Refusal> {
        let graph = request.graph;
        let groups = Groups::find(request, &topological(graph), &Default::default())?;
        let mut task = vec![u32::MAX; graph.len()];
        nodes.iter().enumerate().for_each(|(i, id)| task[id.index()] = i as u32);
        let mut group_of_root: HashMap<u32, u32> = HashMap::new();
        let mut candidates: Vec<Vec<u32>> = Vec::new();
        let mut group = Vec::with_capacity(nodes.len());
        let mut anywhere: HashMap<u32, Vec<u32>> = HashMap::new();
        let named = sharing_names(request, &groups, &nodes);
        for &id in &nodes {
            let root = groups.root(id);
            let root = named.get(&root).copied().unwrap_or(root);
            if let Some(&known) = group_of_root.get(&root) {
                group.push(known);
                continue;
            }
            let own = groups.of(id);
            let found = match own.requested.is_any().then(|| anywhere.get(&own.kinds.0)).flatten() {
                Some(found) => found.clone(),
                None => {
                    let found = groups.candidates(request, id)?;
                    if own.requested.is_any() {
                        anywhere.insert(own.kinds.0, found.clone());
                    }
                    found
                }
            };
            group_of_root.insert(root, candidates.len() as u32);
            group.push(candidates.len() as u32);
            candidates.push(found);
        }
        let mut edges = Vec::new();
        for (to, &id) in nodes.iter().enumerate() {
            let node = graph.node(id);
            // Nodes that do not run get the highest number.
            let forward = |from: NodeId| !is_back_edge(graph, from, id) && task[from.index()] < to as u32;
            for e in node.inputs.iter().filter(|e| forward(e.node)) {
                edges.push(Edge { from: task[e.node.index()], to: to as u32, output: e.output });
            }
            for &c in node.control_inputs.iter().filter(|&&c| forward(c)) {
                edges.push(Edge { from: task[c.index()], to: to as u32, output: CONTROL });
            }
        }
        let costs = nodes.iter().map(|&id| costs.of(id).clone()).collect();
        Ok((Problem::new(cluster, nodes, costs, edges, group, candidates), groups))
    }

    /// A problem of these tasks, which are in topological order.
    pub fn new(
        cluster: &'a Cluster,
        nodes: Vec<NodeId>,
        costs: Vec<NodeCosts>,
        mut edges: Vec<Edge>,
        group: Vec<u32>,
        candidates: Vec<Vec<u32>>,
    ) -> Problem<'a> {
        edges.sort_by_key(|e| (e.from, e.output, e.to));
        let n = costs.len();
        let (mut out, mut into) = (vec![0u32; n + 1], vec![0u32; n + 1]);
        for e in &edges {
            out[e.from as usize + 1] += 1;
            into[e.to as usize + 1] += 1;
        }
        for i in 0..n {
            out[i + 1] += out[i];
            into[i + 1] += into[i];
        }
        let mut next = into.clone();
        let mut incoming = vec![0u32; edges.len()];
        for (i, e) in edges.iter().enumerate() {
            let at = &mut next[e.to as usize];
            incoming[*at as usize] = i as u32;
            *at += 1;
        }
        let mut members = vec![Vec::new(); candidates.len()];
        group.iter().enumerate().for_each(|(task, &g)| members[g as usize].push(task as u32));
        let devices = cluster.len() as u32;
        let times = costs.iter().flat_map(|c| (0..devices).map(|d| c.nanos(cluster, d))).collect();
        Problem { cluster, nodes, costs, edges, out, incoming, into, group, candidates, members, times }
    }

    /// Number of tasks.
    pub fn len(&self) -> usize {
        self.costs.len()
    }

    /// True if there are no tasks.
    pub fn is_empty(&self) -> bool {
        self.costs.is_empty()
    }

    /// Edges that leave a task, sorted by output.
    pub fn leaving(&self, task: u32) -> &[Edge] {
        &self.edges[self.out[task as usize] as usize..self.out[task as usize + 1] as usize]
    }

    /// Edges that enter a task.
    pub fn entering(&self, task: u32) -> impl Iterator<Item = &Edge> {
        let range = self.into[task as usize] as usize..self.into[task as usize + 1] as usize;
        self.incoming[range].iter().map(|&i| &self.edges[i as usize])
    }

    /// Number of edges that enter a task.
    pub fn waits(&self, task: u32) -> u32 {
        self.into[task as usize + 1] - self.into[task as usize]
    }

    /// The time of a task on a device, in nanoseconds.
    pub fn nanos(&self, task: u32, device: u32) -> f64 {
        self.times[task as usize * self.cluster.len() + device as usize]
    }

    /// The bytes that an edge carries.
    pub fn bytes(&self, edge: &Edge) -> f64 {
        if edge.output == CONTROL {
            0.0
        } else {
            self.costs[edge.from as usize].outputs.get(edge.output as usize).copied().unwrap_or(0.0)
        }
    }

    /// The time to transfer an edge's tensor between two devices, in nanoseconds.
    pub fn transfer(&self, edge: &Edge, from: u32, to: u32) -> f64 {
        if from == to || self.costs[edge.from as usize].is_ready() {
            return 0.0;
        }
        self.cluster.link(from, to).nanos(self.bytes(edge))
    }

    /// The device of every task, from the devices of the groups.
    pub fn spread(&self, of_group: &[u32]) -> Vec<u32> {
        self.group.iter().map(|&g| of_group[g as usize]).collect()
    }
}
