//! Predicts the memory of a step before it runs, and bounds it for every order of its nodes.
//!
//! In: a session, and a run of it with the shapes of its feeds ([`Asked`]). Out: a [`Report`]: for each device the
//! memory that is in use all the time, the expected peak and what is alive then, and a bound that holds for any legal
//! order and any number of workers. Tensors whose size is not known before the run are listed, and the figures are then
//! lower bounds. Nothing runs except what the compiler computes in advance, and no feed needs a value.
//!
//! The step is modelled as the plan runs it: constants are folded, nodes are fused, and a buffer is reused where the
//! executor is certain to do so. Loops are modelled with as many iterations as may be in progress at the same time.
//! What counts is the memory that the arena hands out, with its rounding, plus constants, variables, queues at their
//! fullest, feeds, and the step's input slots. Not counted are tensors in variants and in called functions, rearranged
//! weights that kernels of products keep, and the memory of the process beyond tensors.
//!
//! ```
//! # use levada_memory::{Asked, analyse};
//! # fn peak(session: &levada_session::Session) -> levada_graph::Result<u64> {
//! let asked = Asked { feeds: vec![("x".into(), levada_graph::PartialShape::from_signed(&[32, 784]))],
//!                     fetches: vec!["y".into()], ..Asked::default() };
//! let report = analyse(session, &asked)?;
//! # Ok(
//! report.devices[0].bound.bytes
//! # )}
//! ```
//!
//! Reading order: `instances` has the nodes of the plan, those of loops several times; `model` follows the tensors
//! through them; `lives` finds the lifetimes of tensors; `cut` finds the maximum that can be alive at the same time;
//! `order` runs the nodes in the executor's order, and searches for orders that need less; `trips` counts iterations.

mod cut;
mod instances;
mod lives;
mod model;
mod order;
mod trips;

use levada_compile::known::{Computer, Known};
use levada_compile::{infer::infer, prune};
use levada_graph::buffer::Ledger;
use levada_graph::spec::Role;
use levada_graph::{DType, Endpoint, Error, PartialShape, Result, Shape, Tensor};
use levada_kernel::Meter;
use levada_session::{Callable, CallableOptions, Session};
use model::{Given, Model};
use order::Timeline;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A run, with the shapes of its feeds.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Fed endpoints, and their shapes as far as they are known.
    pub feeds: Vec<(String, PartialShape)>,
    /// Fetched endpoints, and operations to run.
    pub fetches: Vec<String>,
    /// Nodes to run.
    pub targets: Vec<String>,
    /// Number of threads; 0 for those of the session.
    pub threads: usize,
}

impl Asked {
    /// Completes the run: without fetches and targets, adds the outputs of the graph; adds a feed with the declared
    /// shape for each placeholder that the run needs.
    ///
    /// # Errors
    /// Invalid names, or errors in the graph.
    pub fn complete(&mut self, session: &Session) -> Result<()> {
        let graph = session.graph();
        if self.fetches.is_empty() && self.targets.is_empty() {
            let mut used = vec![false; graph.len()];
            for (_, node) in graph.nodes() {
                let before = node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied());
                before.for_each(|id| used[id.index()] = true);
            }
            let ends = graph.nodes().filter(|(id, node)| !used[id.index()] && node.unsupported().is_none());
            self.targets = ends.map(|(_, node)| node.name.to_string()).collect();
        }
        let names = self.feeds.iter().map(|(name, _)| name.clone()).collect();
        let (fetches, targets) = (self.fetches.clone(), self.targets.clone());
        let signature = session.signature(&CallableOptions { feeds: names, fetches, targets })?;
        let pruned = prune(&graph, &signature)?;
        let shapes = infer(&graph, &pruned).0;
        for &id in &pruned.order {
            if graph.node(id).spec().role == Role::Placeholder && graph.node(id).inputs.is_empty() {
                self.feeds.push((graph.node(id).name.to_string(), shapes.get(Endpoint::from(id))));
            }
        }
        Ok(())
    }
}

/// The reason why something is in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Why {
    /// A constant of the graph, or computed from constants.
    Constant,
    /// A variable.
    Variable,
    /// A queue at its fullest.
    Queue,
    /// Fed by the caller.
    Feed,
    /// The slots and counts of the step itself.
    Step,
    /// A node that has not ended makes or uses it.
    Tensor,
    /// It is fetched.
    Fetch,
    /// A tensor array or a stack holds it.
    Stored,
    /// A kernel needs it while it runs.
    Workspace,
    /// The old value of a variable, which may still be read.
    OldValue,
}

impl Why {
    /// Its description.
    pub const fn text(self) -> &'static str {
        match self {
            Why::Constant => "constant",
            Why::Variable => "variable",
            Why::Queue => "full queue",
            Why::Feed => "fed",
            Why::Step => "the step itself",
            Why::Tensor => "in use",
            Why::Fetch => "fetched",
            Why::Stored => "in a tensor array or stack",
            Why::Workspace => "workspace of a kernel",
            Why::OldValue => "old value of a variable",
        }
    }
}

/// Something in memory.
#[derive(Clone, Debug)]
pub struct Alive {
    /// The node that makes it.
    pub node: Arc<str>,
    /// The number of the output.
    pub output: Option<u32>,
    /// Its dtype.
    pub dtype: Option<DType>,
    /// Its shape.
    pub shape: Option<Shape>,
    /// The number of loop iterations that have one.
    pub copies: u32,
    /// Total size of all copies.
    pub bytes: u64,
    /// Why it is in memory.
    pub why: Why,
}

/// What is in memory during the whole step.
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    pub(crate) place: u32,
    pub(crate) alive: Alive,
}

impl Fixed {
    pub(crate) fn new(place: u32, node: &Arc<str>, bytes: u64, why: Why) -> Fixed {
        let alive = Alive { node: node.clone(), output: None, dtype: None, shape: None, copies: 1, bytes, why };
        Fixed { place, alive }
    }

    pub(crate) fn of(mut self, dtype: DType, shape: Option<Shape>) -> Fixed {
        (self.alive.dtype, self.alive.shape) = (Some(dtype), shape);
        self
    }
}

/// Something whose size is unknown before the run.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// The node that makes it.
    pub node: Arc<str>,
    /// The number of the output; `u32::MAX` for everything that the node does.
    pub output: u32,
    /// Its description.
    pub what: String,
}

/// A moment of a step.
#[derive(Clone, Debug, Default)]
pub struct Peak {
    /// Bytes in memory, including what is there all the time.
    pub bytes: u64,
    /// What else is alive, largest first.
    pub alive: Vec<Alive>,
    /// Nodes that run at that moment.
    pub running: Vec<Arc<str>>,
    /// True if some order of the nodes reaches this moment.
    pub is_exact: bool,
}

/// The memory of a device.
#[derive(Clone, Debug)]
pub struct OfDevice {
    /// Full name.
    pub name: String,
    /// What is in memory during the whole step: constants, variables, queues, feeds; largest first.
    pub fixed: Vec<Alive>,
    /// The peak in the expected order of the executor.
    pub expected: Peak,
    /// The maximum over all orders.
    pub bound: Peak,
}

impl OfDevice {
    /// Bytes in memory during the whole step for this reason; in total if `None`.
    pub fn fixed_bytes(&self, why: Option<Why>) -> u64 {
        self.fixed.iter().filter(|row| why.is_none_or(|why| row.why == why)).map(|row| row.bytes).sum()
    }
}

/// The memory of a step.
#[derive(Clone, Debug)]
pub struct Report {
    /// By device; devices without memory in use are left out.
    pub devices: Vec<OfDevice>,
    /// Tensors of unknown size, which are not part of the figures.
    pub unknown: Vec<Unknown>,
    /// The number of threads that the expected order assumes.
    pub threads: usize,
}

/// A control edge to add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlEdge {
    /// The node that has to wait.
    pub node: Arc<str>,
    /// The node that it waits for.
    pub after: Arc<str>,
}

/// An order that needs less memory.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The control edges that enforce it.
    pub edges: Vec<ControlEdge>,
    /// The bound with them.
    pub bytes: u64,
}

/// The search budget for the bound, in steps along edges of the network.
const WORK: u64 = 400_000_000;

/// Analyses a run of a session.
///
/// # Errors
/// Invalid names in the run, and errors of the compiler.
pub fn analyse(session: &Session, asked: &Asked) -> Result<Report> {
    let (model, threads) = model(session, asked)?;
    let timeline = Timeline::of(&model, threads);
    let lives = model.lives();
    let mut devices = Vec::new();
    for (place, name) in (0u32..).zip(&model.places) {
        let mut fixed: Vec<Alive> = model.fixed.iter().filter(|f| f.place == place).map(|f| f.alive.clone()).collect();
        fixed.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.node.cmp(&b.node)));
        let all: u64 = fixed.iter().map(|row| row.bytes).sum();
        let moment = cut::heaviest(&model.before(), &only(&lives, &model, place), WORK);
        let expected = timeline.peak(&model, place);
        if fixed.is_empty() && moment.bytes == 0 {
            continue;
        }
        let bound = Peak {
            bytes: moment.bytes + all,
            alive: rows(&model, moment.alive.iter().copied()),
            running: model.names(|v| moment.state[v] == 1),
            is_exact: moment.exact,
        };
        let expected = Peak { bytes: expected.bytes + all, ..expected };
        devices.push(OfDevice { name: name.clone(), fixed, expected, bound });
    }
    Ok(Report { devices, unknown: model.unknown, threads })
}

/// Control edges with which no order needs more than `limit` bytes on a device; `None` if none are found. The error
/// then states the lowest bound found.
///
/// # Errors
/// The errors of [`analyse`]; `NOT_FOUND` for a device that does not exist.
pub fn within(session: &Session, asked: &Asked, device: &str, limit: u64) -> Result<Option<Plan>> {
    let (model, _) = model(session, asked)?;
    let place = model.places.iter().position(|name| name == device);
    let place = place.ok_or_else(|| Error::not_found(format!("no device {device}")))?;
    Ok(order::within(&model, place as u32, limit))
}

/// Runs a prepared step once and returns the maximum number of bytes in host memory, counted as for the bound; `None`
/// in a session without [limits](levada_session::SessionOptions::limits), which keeps no account.
///
/// # Errors
/// The error of the run.
pub fn measure(callable: &Callable, feeds: &[Tensor]) -> Result<Option<u64>> {
    let session = callable.session();
    let Some(policy) = &session.env().policy else { return Ok(None) };
    // Existing memory is not on any account yet; it is entered once, however often this is called.
    let account: Arc<dyn Ledger> = Arc::new(Meter::new(policy));
    let (graph, plan) = (session.graph(), callable.plan());
    let constants = graph.nodes().filter_map(|(_, node)| node.op.constant());
    let folded = plan.frames.iter().flat_map(|frame| frame.constants.iter().map(|(_, value)| value));
    for tensor in constants.chain(folded).chain(feeds) {
        tensor.charge(&account)?;
    }
    policy.restart_peak();
    drop(callable.run(feeds)?);
    Ok(Some((policy.peak() + plan.bytes_of_step()) as u64))
}

fn model(session: &Session, asked: &Asked) -> Result<(Model, usize)> {
    let names: Vec<String> = asked.feeds.iter().map(|(name, _)| name.clone()).collect();
    let options = CallableOptions { feeds: names, fetches: asked.fetches.clone(), targets: asked.targets.clone() };
    let callable = session.callable(&options)?;
    let signature = session.signature(&options)?;
    let graph = session.graph();
    let pruned = prune(&graph, &signature)?;
    let feeds: HashMap<Endpoint, PartialShape> =
        signature.feeds.iter().copied().zip(asked.feeds.iter().map(|(_, shape)| shape.clone())).collect();
    let device = session.devices().iter().find(|d| d.memory().is_none());
    let device = device.ok_or_else(|| Error::internal("there is no CPU"))?;
    let known = Known::find(&graph, &pruned, &feeds, Computer { device, env: session.env() });
    let threads = if asked.threads == 0 { session.env().pool.threads() } else { asked.threads };
    let shapes: Vec<PartialShape> = asked.feeds.iter().map(|(_, shape)| shape.clone()).collect();
    let given = Given {
        graph: &graph,
        plan: callable.plan(),
        known: &known,
        devices: session.devices(),
        feeds: &shapes,
        threads,
    };
    Ok((Model::new(&given)?, threads))
}

/// The tensors of one place; the others get zero weight.
fn only(lives: &[cut::Life], model: &Model, place: u32) -> Vec<cut::Life> {
    let weighed = lives.iter().zip(&model.buffers);
    weighed
        .map(|(life, b)| cut::Life { bytes: if b.place == place { life.bytes } else { 0 }, ..life.clone() })
        .collect()
}

fn rows(model: &Model, buffers: impl Iterator<Item = u32>) -> Vec<Alive> {
    let mut rows: Vec<Alive> = Vec::new();
    let mut known: HashMap<(Arc<str>, Option<u32>, Why), usize> = HashMap::new();
    for row in buffers.map(|b| model.alive(&model.buffers[b as usize])) {
        let at = *known.entry((row.node.clone(), row.output, row.why)).or_insert(rows.len());
        match rows.get_mut(at) {
            Some(same) => (same.bytes, same.copies) = (same.bytes + row.bytes, same.copies + 1),
            None => rows.push(row),
        }
    }
    rows.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.node.cmp(&b.node)));
    rows
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.output {
            0 | u32::MAX => write!(f, "{}: {}", self.node, self.what),
            output => write!(f, "{}:{output}: {}", self.node, self.what),
        }
    }
}
