//! Finds what is likely wrong with a graph without running it: nodes that use the same state in no order, queues that
//! cannot serve who waits at them, and what is computed or stored for nothing.
//!
//! A race is reported only where both nodes can be part of one run: where a run is given, of that; else where some node
//! of the graph needs both.

mod access;
pub mod order;
mod queues;
mod races;
mod waste;

use access::{Accesses, Uses, accesses};
use levada_compile::Signature;
use levada_graph::attr::Func;
use levada_graph::function::instantiate;
use levada_graph::op::Registry;
use levada_graph::{Graph, Result};
use order::Order;

/// What a finding is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// Two nodes use the same state, one of them changes it, and nothing says which comes first.
    Race,
    /// Nodes wait at a queue for what cannot come.
    Stall,
    /// Nothing uses a value.
    Dead,
    /// A value is fed, or can be, that nothing needs.
    UnusedFeed,
    /// A node computes what another computes already.
    Duplicate,
    /// A large constant among variables.
    Constant,
    /// float64 in a graph of float32.
    Float64,
}

impl Rule {
    /// Its name in output.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Race => "race",
            Rule::Stall => "stall",
            Rule::Dead => "dead",
            Rule::UnusedFeed => "unused-feed",
            Rule::Duplicate => "duplicate",
            Rule::Constant => "constant",
            Rule::Float64 => "float64",
        }
    }

    /// True where results may be wrong or a run may hang; else the graph only does more than it must.
    pub fn is_fault(self) -> bool {
        matches!(self, Rule::Race | Rule::Stall)
    }
}

/// An input to add to a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// The node.
    pub node: String,
    /// The control input, `^name`.
    pub input: String,
    /// What holds then.
    pub so_that: String,
}

/// Something that is likely wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What it is about.
    pub rule: Rule,
    /// The function it is in; `None` for the graph itself.
    pub function: Option<String>,
    /// The nodes at fault.
    pub nodes: Vec<String>,
    /// The variable or queue.
    pub resource: Option<String>,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What comes of it, for each order in which things may run.
    pub effects: Vec<String>,
    /// What would settle it; any one of them.
    pub fixes: Vec<Fix>,
    /// What to do where no single input settles it.
    pub help: Option<String>,
}

impl Finding {
    fn new(rule: Rule, nodes: Vec<String>, message: String) -> Finding {
        let (effects, fixes) = (Vec::new(), Vec::new());
        Finding { rule, function: None, nodes, resource: None, message, effects, fixes, help: None }
    }
}

/// One graph that is looked at: the whole, or the body of a function.
struct Subject<'a> {
    graph: &'a Graph,
    order: Order,
    accesses: Accesses,
    /// The run, where one is given, or the function's results.
    run: Option<&'a Signature>,
}

/// Looks at a graph and the functions of its library. `run` is what is fed, fetched and run together; without it, each
/// node of the graph is taken for something that may be run. Faults come first.
///
/// # Errors
/// `INVALID_ARGUMENT` for a cycle that is not a loop.
pub fn lint(graph: &Graph, registry: &Registry, run: Option<&Signature>) -> Result<Vec<Finding>> {
    let mut uses = Uses::new(&graph.library, registry);
    let mut findings = look(graph, run, &mut uses, false)?;
    for function in &graph.library.functions {
        let name = &function.signature.name;
        let call = Func { name: name.clone(), ..Func::default() };
        // A body whose dtypes the callers say is not looked at by itself.
        let Ok(body) = instantiate(&graph.library, &call, registry) else { continue };
        let signature = Signature {
            feeds: body.args.clone(),
            fetches: body.rets.clone(),
            targets: body.targets.clone(),
            of_function: true,
            ..Signature::default()
        };
        let found = look(&body.graph, Some(&signature), &mut uses, true)?;
        findings.extend(found.into_iter().map(|f| Finding { function: Some(name.clone()), ..f }));
    }
    findings.sort_by_key(|f| !f.rule.is_fault());
    Ok(findings)
}

fn look(graph: &Graph, run: Option<&Signature>, uses: &mut Uses<'_>, is_function: bool) -> Result<Vec<Finding>> {
    let order = Order::of(graph, run)?;
    let subject = Subject { graph, order, accesses: accesses(graph, uses), run };
    let mut findings = races::find(&subject);
    findings.extend(queues::find(&subject));
    findings.extend(waste::find(&subject, is_function));
    Ok(findings)
}
