//! Finds likely errors in a graph without running it: nodes that use the same state in no defined order, queues at
//! which nodes wait forever, and values that are computed or stored needlessly.
//!
//! A race is reported only if both nodes can be part of one run: the given run or, without one, a run for some node of
//! the graph that needs both.

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

/// The kind of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// Two nodes use the same state, one of them changes it, and their order is not defined.
    Race,
    /// Nodes wait at a queue for something that cannot happen.
    Stall,
    /// Nothing uses a value.
    Dead,
    /// A fed value, or a placeholder, that nothing needs.
    UnusedFeed,
    /// A node computes the same value as another.
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

    /// True if results may be wrong or a run may hang; otherwise the graph only does unnecessary work.
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
    /// The effect of adding it.
    pub so_that: String,
}

/// A likely error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Its kind.
    pub rule: Rule,
    /// The function it is in; `None` for the graph itself.
    pub function: Option<String>,
    /// The nodes at fault.
    pub nodes: Vec<String>,
    /// The variable or queue.
    pub resource: Option<String>,
    /// What is wrong, in one sentence.
    pub message: String,
    /// The consequences, for each possible order.
    pub effects: Vec<String>,
    /// Alternative fixes.
    pub fixes: Vec<Fix>,
    /// Advice if no single input fixes it.
    pub help: Option<String>,
}

impl Finding {
    fn new(rule: Rule, nodes: Vec<String>, message: String) -> Finding {
        let (effects, fixes) = (Vec::new(), Vec::new());
        Finding { rule, function: None, nodes, resource: None, message, effects, fixes, help: None }
    }
}

/// One graph under inspection: the whole, or the body of a function.
struct Subject<'a> {
    graph: &'a Graph,
    order: Order,
    accesses: Accesses,
    /// The run, if one is given, or the function's results.
    run: Option<&'a Signature>,
}

/// Inspects a graph and the functions of its library. `run` has the feeds, fetches and targets of one run; without it,
/// each node of the graph is assumed to be a possible target. Faults come first.
///
/// # Errors
/// `INVALID_ARGUMENT` for a cycle that is not a loop.
pub fn lint(graph: &Graph, registry: &Registry, run: Option<&Signature>) -> Result<Vec<Finding>> {
    let mut uses = Uses::new(&graph.library, registry);
    let mut findings = look(graph, run, &mut uses, false)?;
    for function in &graph.library.functions {
        let name = &function.signature.name;
        let call = Func { name: name.clone(), ..Func::default() };
        // A body whose dtypes depend on its callers is not inspected on its own.
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
