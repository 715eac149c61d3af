//! What each node does with variables and queues.

use crate::order::{Order, back_edge};
use levada_graph::attr::{AttrList, AttrValue, Func};
use levada_graph::def::Library;
use levada_graph::function::instantiate;
use levada_graph::graph::Node;
use levada_graph::op::Registry;
use levada_graph::spec::{Act, Effect, Role};
use levada_graph::{DType, Endpoint, Graph, NodeId};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// How a node uses a variable or a queue. If a node does several, the last of these counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Reads a variable.
    Reads,
    /// Changes a variable.
    Changes,
    /// Takes elements of a queue.
    Takes,
    /// Puts elements into a queue.
    Puts,
    /// Closes a queue.
    Closes,
}

/// The used variable or queue: the node that makes it, or the first of those that share its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Resource(pub NodeId);

/// The uses of variables and queues.
pub struct Accesses {
    /// For each variable and queue its users, each once, in the order of the graph.
    pub users: BTreeMap<Resource, Vec<(NodeId, Kind)>>,
    /// The nodes that only check whether a variable has a value.
    asking: HashSet<(NodeId, Resource)>,
}

impl Accesses {
    /// True if a node runs only when the variable already had a value: in the branch taken in that case.
    pub fn is_guarded(&self, graph: &Graph, order: &Order, id: NodeId, variable: Resource) -> bool {
        let asks = |mut at: NodeId| {
            while let (true, Some(from)) = (graph.node(at).spec().forwards, graph.node(at).inputs.first()) {
                at = from.node;
            }
            self.asking.contains(&(at, variable))
        };
        let node = graph.node(id);
        let condition = node.inputs.first().filter(|_| node.spec().role == Role::Call);
        condition.is_some_and(|from| asks(from.node))
            || order.around(id).any(|(predicate, branch)| *branch == 1 && asks(predicate.node))
    }
}

/// How functions use their arguments, found once for each function.
pub struct Uses<'a> {
    library: &'a Arc<Library>,
    registry: &'a Registry,
    /// `None` for a function in progress: a recursive call does nothing to the arguments that the function does not do
    /// anyway.
    found: HashMap<String, Option<Arc<Vec<Option<Kind>>>>>,
}

impl<'a> Uses<'a> {
    pub fn new(library: &'a Arc<Library>, registry: &'a Registry) -> Uses<'a> {
        Uses { library, registry, found: HashMap::new() }
    }

    /// How the function uses each of its arguments.
    fn of(&mut self, call: &Func) -> Arc<Vec<Option<Kind>>> {
        // Attrs change dtypes, not uses.
        if let Some(found) = self.found.get(&call.name) {
            return found.clone().unwrap_or_default();
        }
        self.found.insert(call.name.clone(), None);
        let uses = match instantiate(self.library, call, self.registry) {
            Ok(body) => {
                let accesses = accesses(&body.graph, self);
                let of = |arg: &Endpoint| accesses.users.get(&Resource(arg.node))?.iter().map(|(_, kind)| *kind).max();
                body.args.iter().map(of).collect()
            }
            Err(_) => Vec::new(),
        };
        let uses = Arc::new(uses);
        self.found.insert(call.name.clone(), Some(uses.clone()));
        uses
    }

    /// How a call uses its inputs.
    fn of_inputs(&mut self, node: &Node) -> Vec<Option<Kind>> {
        let mut uses: Vec<Option<Kind>> = vec![None; node.inputs.len()];
        let functions: Vec<&Func> = node.attrs.iter().flat_map(|(_, value)| functions(value)).collect();
        for function in functions {
            let of_args = self.of(function);
            // The inputs before the arguments select the function to call.
            let Some(first) = uses.len().checked_sub(of_args.len()) else { continue };
            for (used, arg) in uses[first..].iter_mut().zip(of_args.iter()) {
                *used = (*used).max(*arg);
            }
        }
        uses
    }
}

fn functions(value: &AttrValue) -> &[Func] {
    match value {
        AttrValue::Func(function) => std::slice::from_ref(function),
        AttrValue::List(AttrList::Func(all)) => all,
        _ => &[],
    }
}

/// How the nodes of a graph use its variables and queues.
pub fn accesses(graph: &Graph, uses: &mut Uses<'_>) -> Accesses {
    let owners = Owners::of(graph);
    let mut found: BTreeMap<Resource, BTreeMap<NodeId, Kind>> = BTreeMap::new();
    let mut asking = HashSet::new();
    for (id, node) in graph.nodes() {
        if is_passage(node) && !node.output_types.is_empty() {
            continue;
        }
        let of_call = if node.spec().role == Role::Call { uses.of_inputs(node) } else { Vec::new() };
        for (i, input) in node.inputs.iter().enumerate() {
            let Some((owner, what)) = owners.of_endpoint(graph, *input) else { continue };
            if what == What::Variable && node.spec().effect == Some(Effect::Own) {
                asking.insert((id, owner));
            }
            let kind = match of_call.get(i) {
                Some(kind) => *kind,
                None => kind(node, i, what),
            };
            if let Some(kind) = kind {
                let at = found.entry(owner).or_default().entry(id).or_insert(kind);
                *at = (*at).max(kind);
            }
        }
    }
    let users = found.into_iter().map(|(resource, users)| (resource, users.into_iter().collect())).collect();
    Accesses { users, asking }
}

/// What an endpoint represents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    /// A variable's handle, or a reference to it.
    Variable,
    /// The value of a variable that is accessed by reference: it shares the variable's memory.
    Shared,
    /// A queue's handle.
    Queue,
    /// A parameter of a function.
    Parameter,
}

struct Owners {
    /// By name, if several nodes represent the same resource.
    first: HashMap<(String, String, String), NodeId>,
}

impl Owners {
    fn of(graph: &Graph) -> Owners {
        let mut first = HashMap::new();
        for (id, node) in graph.nodes() {
            if let Some(key) = shared_name(node) {
                first.entry(key).or_insert(id);
            }
        }
        Owners { first }
    }

    /// The variable or queue whose handle, reference or shared value an endpoint is.
    fn of_endpoint(&self, graph: &Graph, endpoint: Endpoint) -> Option<(Resource, What)> {
        let mut at = endpoint;
        // By value, a reference is followed through nodes that forward their input unchanged.
        let mut by_value = false;
        for _ in 0..graph.len() {
            let node = graph.node(at.node);
            let ty = graph.endpoint_type(at)?;
            by_value |= !ty.is_ref && ty.dtype != DType::Resource;
            if is_passage(node) && (!by_value || node.spec().forwards) {
                let inputs = node.inputs.iter().find(|from| !back_edge(graph, from.node, at.node));
                at = *inputs?;
                continue;
            }
            let what = match node.spec().role {
                Role::Arg if ty.dtype == DType::Resource => What::Parameter,
                _ if node.spec().act == Some(Act::Make) => What::Queue,
                _ if ty.is_ref && node.inputs.is_empty() => {
                    if by_value {
                        What::Shared
                    } else {
                        What::Variable
                    }
                }
                _ if ty.dtype == DType::Resource
                    && node.inputs.is_empty()
                    && node.spec().effect == Some(Effect::Own) =>
                {
                    What::Variable
                }
                _ => return None,
            };
            let owner = shared_name(node).and_then(|key| self.first.get(&key)).copied().unwrap_or(at.node);
            return Some((Resource(owner), what));
        }
        None
    }
}

/// The name under which other nodes access the resource that a node makes.
fn shared_name(node: &Node) -> Option<(String, String, String)> {
    let text = |name: &str| match node.attrs.get(name) {
        Some(AttrValue::S(text)) => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    };
    let name = text("shared_name").filter(|name| !name.is_empty() && node.inputs.is_empty())?;
    Some((node.op_name().to_owned(), text("container").unwrap_or_default(), name))
}

/// True for a node whose output is one of its inputs.
fn is_passage(node: &Node) -> bool {
    let role = node.spec().role;
    node.spec().forwards || matches!(role, Role::Switch | Role::Merge | Role::Enter | Role::Exit | Role::NextIteration)
}

/// How a node that calls no functions uses the resource behind its input `i`.
fn kind(node: &Node, i: usize, what: What) -> Option<Kind> {
    let spec = node.spec();
    if let Some(act) = spec.act {
        return match act {
            Act::Make => None,
            Act::Put => Some(Kind::Puts),
            Act::Take => Some(Kind::Takes),
            Act::Close => Some(Kind::Closes),
        };
    }
    let by_ref = node.input_types.get(i).is_some_and(|ty| ty.is_ref);
    match what {
        What::Queue => None,
        _ if spec.metadata => None,
        What::Variable if by_ref => (spec.effect != Some(Effect::Own)).then_some(Kind::Changes),
        What::Shared => Some(Kind::Reads),
        What::Variable | What::Parameter => match spec.effect {
            Some(Effect::Reads) => Some(Kind::Reads),
            Some(Effect::Changes) => Some(Kind::Changes),
            Some(Effect::Own) => None,
            // A reference that is read as a value.
            None if what == What::Variable && node.input_types.get(i).is_some_and(|ty| ty.dtype != DType::Resource) => {
                Some(Kind::Reads)
            }
            // A parameter may or may not be a variable.
            None => (what == What::Variable && spec.stateful).then_some(Kind::Changes),
        },
    }
}
