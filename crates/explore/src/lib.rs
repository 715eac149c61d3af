//! Runs a graph in legal orders other than the usual one and reports which results depend on the order.
//!
//! Each order gets its own session: the same graph, the same initialization, the same random seeds, one thread. Only
//! the choice among the ready nodes differs. Fetches, and the state of variables and queues after the run, are compared
//! bit for bit with those of the usual order.
//!
//! Reading order: `order` chooses nodes and records what ran; `state` makes runs comparable and reads the state they
//! leave; this module decides which orders to try: the pairs of nodes that [`lint`](levada_lint::lint) reports, all
//! pairs of nodes with state, all orders if there are few, and random ones.

mod order;
mod state;

use levada_compile::Signature;
use levada_graph::spec::{Effect, Role};
use levada_graph::{Error, Graph, NodeId, Registry, Result, Tensor};
use levada_lint::{Rule, lint};
use levada_session::{RunOptions, Session, SessionOptions};
use order::{Event, Order, Probe};
use state::Stores;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

/// The maximum number of differences that are reported.
const MOST_TOLD: usize = 20;

/// The maximum number of nodes with state that are paired with one another.
const MOST_PAIRED: usize = 40;

/// With more nodes with state than this, orders are sampled instead of enumerated.
const FEW: usize = 8;

/// What to run, and how often.
#[derive(Clone, Debug)]
pub struct Request {
    /// Values of endpoints.
    pub feeds: Vec<(String, Tensor)>,
    /// Endpoints to fetch.
    pub fetches: Vec<String>,
    /// Nodes to run without fetching them.
    pub targets: Vec<String>,
    /// Nodes to run first, in the usual order.
    pub init: Vec<String>,
    /// Values of endpoints for that run.
    pub init_feeds: Vec<(String, Tensor)>,
    /// The maximum number of orders to try.
    pub orders: usize,
    /// The seed of the random orders.
    pub seed: u64,
    /// The time limit of a run.
    pub timeout: Option<Duration>,
}

/// A result of a run, or state that it leaves.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// Whether the run fails.
    Outcome,
    /// A fetched value.
    Fetch(String),
    /// A variable, by its node.
    Variable(String),
    /// The contents of a queue, by its node.
    Queue(String),
    /// The contents of a table, by its node.
    Table(String),
}

/// The value found after a run.
#[derive(Clone, Debug)]
pub enum Value {
    /// No value: an uninitialized variable.
    Nothing,
    /// The run succeeded.
    Ended,
    /// A tensor.
    Tensor(Tensor),
    /// The elements of a queue, each with its components, or the keys and values of a table.
    Elements(Vec<Vec<Tensor>>),
    /// The error of the run.
    Failed(Error),
}

/// A result that differs between two orders.
#[derive(Clone, Debug)]
pub struct Change {
    /// Where it was found.
    pub place: Place,
    /// Its value in the usual order.
    pub usual: Value,
    /// Its value in the other order.
    pub other: Value,
}

/// One run of a node.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct At {
    /// Its name.
    pub node: String,
    /// The functions that it ran in.
    pub function: Option<String>,
    /// The loops that it ran in, and their iterations.
    pub iterations: Vec<(String, u64)>,
    /// How often it had run there before, for functions that are called several times.
    pub occurrence: u32,
}

/// Two orders with different results.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Two nodes that changed places, the usual first one before the other; if there were several such pairs, the one
    /// at which the orders diverge. `None` if the usual order fails before any did.
    pub pair: Option<(String, String)>,
    /// What differs.
    pub changes: Vec<Change>,
    /// The first node, in the usual order, that had different outputs or did not run.
    pub first: Option<At>,
    /// The nodes with state in the usual order.
    pub usual: Vec<String>,
    /// The nodes with state in the other order.
    pub other: Vec<String>,
}

/// The result of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The number of orders that were run, not counting the usual one.
    pub orders: usize,
    /// True if no other order of the nodes with state is left.
    pub is_complete: bool,
    /// The results that depend on the order.
    pub differences: Vec<Difference>,
    /// Nodes with different outputs in every run, even in the same order: these, and everything that depends on them,
    /// cannot be compared.
    pub unsteady: Vec<String>,
}

/// Opens a session on a graph, with everything else that belongs to the graph.
pub type Open<'a> = &'a dyn Fn(Graph, SessionOptions) -> Result<Session>;

/// Tries other orders of a run.
///
/// # Errors
/// Invalid names, and an error that the run has in every order.
pub fn explore(graph: Graph, registry: &Registry, request: &Request, open: Open<'_>) -> Result<Report> {
    let signature = signature(&graph, request)?;
    let doubts = lint(&graph, registry, Some(&signature))?;
    let (graph, stores) = state::prepare(graph, registry)?;
    let quiet = quiet(&graph);
    let search = Search { graph, stores, quiet, request, open };
    let usual = search.run(Order::Usual)?;
    let again = search.run(Order::Usual)?;
    let mut report = Report::default();
    let unsteady: HashSet<&At> = differing(&usual, &again).collect();
    report.unsteady = unsteady.iter().map(|at| at.node.clone()).collect::<BTreeSet<_>>().into_iter().collect();
    let incomparable: HashSet<Place> = changes(&usual, &again, &HashSet::new()).into_iter().map(|c| c.place).collect();
    let mut found = Found { search: &search, usual: &usual, unsteady, incomparable, seen: HashSet::new(), report };

    let mut nodes: Vec<&str> = Vec::new();
    for event in usual.stateful() {
        if !nodes.contains(&event.at.node.as_str()) {
            nodes.push(&event.at.node);
        }
    }
    // Nodes that did not run come last.
    let position = |name: &str| nodes.iter().position(|node| *node == name).unwrap_or(nodes.len());
    let races = doubts.iter().filter(|finding| finding.rule == Rule::Race);
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for finding in races {
        if let [a, b] = &finding.nodes[..] {
            // The usual first one comes first.
            pairs.push(if position(a) <= position(b) { (a, b) } else { (b, a) });
        }
    }
    let doubted = pairs.len();
    for (i, a) in nodes.iter().take(MOST_PAIRED).enumerate() {
        let after = nodes[i + 1..].iter().take(MOST_PAIRED).map(|b| (*a, *b));
        pairs.extend(
            after.filter(|pair| !pairs.contains(pair) && !leads(&search.graph, pair.0, pair.1)).collect::<Vec<_>>(),
        );
    }
    for (i, (first, second)) in pairs.iter().enumerate() {
        // All reported pairs are tried; of the others, as many as leave room for other orders.
        if i >= doubted && found.report.orders * 2 >= request.orders || found.is_done() {
            break;
        }
        found.take(Order::late(first, second), Some((*first, *second)))?;
    }
    if nodes.len() <= FEW {
        found.systematic()?;
    }
    let mut seed = request.seed;
    while !found.report.is_complete && !found.is_done() {
        found.take(Order::random(seed), None)?;
        seed = seed.wrapping_add(1);
    }
    match usual.state.get(&Place::Outcome) {
        Some(Value::Failed(error)) if found.report.differences.is_empty() => Err(error.clone()),
        _ => Ok(found.report),
    }
}

fn signature(graph: &Graph, request: &Request) -> Result<Signature> {
    let mut signature = Signature::default();
    for name in &request.fetches {
        match graph.find(name).filter(|id| graph.node(*id).output_types.is_empty()) {
            Some(node) => signature.targets.push(node),
            None => signature.fetches.push(graph.endpoint(name)?),
        }
    }
    for name in &request.targets {
        signature.targets.push(graph.find(name).ok_or_else(|| graph.unknown_node(name, name))?);
    }
    signature.feeds = request.feeds.iter().map(|(name, _)| graph.endpoint(name)).collect::<Result<_>>()?;
    Ok(signature)
}

/// Nodes that count as stateful but whose place in the order does not matter: those that return handles, and those that
/// draw from random generators of their own.
fn quiet(graph: &Graph) -> HashSet<String> {
    let of_graph = graph.nodes().map(|(_, node)| (node.spec(), node.inputs.is_empty(), node.name.to_string()));
    let is_quiet = |role: Role, effect: Option<Effect>, makes: bool, is_first: bool| {
        effect == Some(Effect::Own)
            || makes
            || (is_first && effect.is_none())
            || matches!(role, Role::Const | Role::Placeholder)
    };
    let quiet = of_graph.filter(|(spec, is_first, _)| {
        is_quiet(
            spec.role,
            spec.effect,
            spec.act == Some(levada_graph::spec::Act::Make),
            *is_first && spec.act.is_none(),
        )
    });
    quiet.map(|(_, _, name)| name).collect()
}

/// True where `to` waits for `from`, by data or control edges.
fn leads(graph: &Graph, from: &str, to: &str) -> bool {
    let (Some(from), Some(to)) = (graph.find(from), graph.find(to)) else { return false };
    let (mut seen, mut open): (HashSet<NodeId>, _) = (HashSet::from([to]), vec![to]);
    while let Some(at) = open.pop() {
        if at == from {
            return true;
        }
        let node = graph.node(at);
        let before = node.inputs.iter().map(|input| input.node).chain(node.control_inputs.iter().copied());
        open.extend(before.filter(|id| seen.insert(*id)));
    }
    false
}

/// A run, and the state it left.
struct Trial {
    events: Vec<Event>,
    /// The number of candidates at each choice of [`Order::Script`].
    widths: Vec<usize>,
    state: HashMap<Place, Value>,
}

impl Trial {
    /// The nodes whose place in the order may matter.
    fn stateful(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(|event| event.is_stateful)
    }

    fn names(&self) -> Vec<String> {
        self.stateful().map(|event| event.at.node.clone()).collect()
    }
}

/// The nodes that had different outputs in the second run or did not run in it, in the order of the first.
fn differing<'a>(first: &'a Trial, second: &Trial) -> impl Iterator<Item = &'a At> {
    let given: HashMap<At, u64> = second.events.iter().map(|event| (event.at.clone(), event.digest)).collect();
    first.events.iter().filter(move |event| given.get(&event.at) != Some(&event.digest)).map(|event| &event.at)
}

fn changes(usual: &Trial, other: &Trial, without: &HashSet<Place>) -> Vec<Change> {
    let failed = matches!(other.state.get(&Place::Outcome), Some(Value::Failed(_)));
    let mut changes: Vec<Change> = usual
        .state
        .iter()
        .filter(|(place, _)| !without.contains(place) && (!failed || **place == Place::Outcome))
        .filter_map(|(place, value)| {
            let now = other.state.get(place)?;
            (!state::is_same(value, now)).then(|| Change {
                place: place.clone(),
                usual: value.clone(),
                other: now.clone(),
            })
        })
        .collect();
    changes.sort_by(|a, b| a.place.cmp(&b.place));
    changes
}

struct Search<'a> {
    graph: Graph,
    stores: Stores,
    quiet: HashSet<String>,
    request: &'a Request,
    open: Open<'a>,
}

impl Search<'_> {
    /// Runs the graph once, in this order, from the beginning.
    fn run(&self, order: Order) -> Result<Trial> {
        let probe = Arc::new(Probe::new(order, self.quiet.clone()));
        let options = SessionOptions {
            threads: 1,
            plain: true,
            closed_world: true,
            observer: Some(probe.clone()),
            chooser: Some(probe.clone()),
            ..SessionOptions::default()
        };
        let session = (self.open)(self.graph.clone(), options)?;
        let request = self.request;
        fn feeds(all: &[(String, Tensor)]) -> Vec<(&str, Tensor)> {
            all.iter().map(|(name, tensor)| (name.as_str(), tensor.clone())).collect()
        }
        fn names(all: &[String]) -> Vec<&str> {
            all.iter().map(String::as_str).collect()
        }
        if !request.init.is_empty() {
            session.run(&feeds(&request.init_feeds), &[], &names(&request.init))?;
        }
        let options = RunOptions { timeout: request.timeout, ..RunOptions::default() };
        probe.begin();
        let result =
            session.run_with(&options, &feeds(&request.feeds), &names(&request.fetches), &names(&request.targets));
        let (events, widths) = probe.end();
        let mut state: HashMap<Place, Value> = HashMap::new();
        match result {
            Ok((fetched, _)) => {
                state.insert(Place::Outcome, Value::Ended);
                let named = request.fetches.iter().zip(fetched);
                state.extend(named.map(|(name, tensor)| (Place::Fetch(name.clone()), Value::Tensor(tensor))));
                state.extend(self.stores.read(&session));
            }
            Err(error) => drop(state.insert(Place::Outcome, Value::Failed(error))),
        }
        Ok(Trial { events, widths, state })
    }
}

/// The findings so far.
struct Found<'a> {
    search: &'a Search<'a>,
    usual: &'a Trial,
    unsteady: HashSet<&'a At>,
    incomparable: HashSet<Place>,
    /// What differs, and at which node the difference begins.
    seen: HashSet<(Vec<Place>, Option<At>)>,
    report: Report,
}

impl Found<'_> {
    fn is_done(&self) -> bool {
        self.report.orders >= self.search.request.orders || self.report.differences.len() >= MOST_TOLD
    }

    /// Runs an order and records the differences; returns the number of candidates at each choice.
    fn take(&mut self, order: Order, pair: Option<(&str, &str)>) -> Result<Vec<usize>> {
        let other = self.search.run(order)?;
        self.report.orders += 1;
        let changes = changes(self.usual, &other, &self.incomparable);
        if !changes.is_empty() {
            let first = differing(self.usual, &other).find(|at| !self.unsteady.contains(at)).cloned();
            let places: Vec<Place> = changes.iter().map(|change| change.place.clone()).collect();
            if self.seen.insert((places, first.clone())) {
                let (usual, others) = (self.usual.names(), other.names());
                let parting = usual.iter().zip(&others).find(|(a, b)| a != b).map(|(a, b)| (a.as_str(), b.as_str()));
                self.report.differences.push(Difference {
                    pair: pair.or(parting).map(|(a, b)| (a.to_owned(), b.to_owned())),
                    changes,
                    first,
                    usual,
                    other: others,
                });
            }
        }
        Ok(other.widths)
    }

    /// Enumerates the orders of the nodes with state, within the budget.
    fn systematic(&mut self) -> Result<()> {
        let mut script: Vec<usize> = Vec::new();
        while !self.is_done() {
            let widths = self.take(Order::Script(script.clone()), None)?;
            // The next script: the last choice with another candidate left changes to it.
            script.resize(widths.len(), 0);
            loop {
                match script.pop() {
                    Some(chosen) if chosen + 1 < widths[script.len()] => {
                        script.push(chosen + 1);
                        break;
                    }
                    Some(_) => {}
                    None => {
                        self.report.is_complete = true;
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
}
