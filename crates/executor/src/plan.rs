//! A plan: what to run, as flat tables that many steps share.

use crate::activation::Ready;
use crate::own_results;
use crate::ranks::Ranks;
use crate::sharing::{LOOKED_AT, urgency};
use crate::step::{Step, StepState};
use crate::straight::{self, StraightLoop};
use crate::trial::Trial;
use levada_graph::{DType, PartialShape, Result, Tensor};
use levada_kernel::{AnyKernel, Entry, Nature, NodeMeta};
use parking_lot::Mutex;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Number of a node in a plan.
pub type NodeIx = u32;

/// An edge's target when it is not a node but a fetch.
pub const FETCH: NodeIx = NodeIx::MAX;

/// How the executor treats a node, besides running its kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// Runs when all inputs have arrived; dead if one of them is.
    Plain,
    /// Passes its input to one of two outputs; the other is dead.
    Switch,
    /// Runs when the first live input has arrived.
    Merge,
    /// Brings a value into a child frame; `true` for a value that every iteration sees.
    Enter(bool),
    /// Takes a value out to the parent frame.
    Exit,
    /// Takes a value to the next iteration.
    NextIteration,
    /// Runs even when its control inputs are dead.
    ControlTrigger,
    /// Runs even when its input is dead, to notify the other side.
    Transfer,
    /// As [`NodeKind::Plain`]; receives what an `Enter` on another device brings into the frame.
    Relay,
}

/// Where an output goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlanEdge {
    /// Number of the source's output.
    pub output: u32,
    /// Input slot of the target, in the target's frame.
    pub slot: u32,
    /// The target, or [`FETCH`].
    pub node: NodeIx,
    /// True for the last edge of an output: the value is moved there rather than shared.
    pub last: bool,
}

/// A range of an array of the plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// The first index.
    pub start: u32,
    /// One past the last index.
    pub end: u32,
}

impl Span {
    /// As a range of indices.
    #[inline]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The number of indices.
    #[inline]
    pub fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// True if there are no indices.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

/// What the executor reads to fire a node; fits a cache line. The rest is in [`PlanNames`].
pub struct PlanNode {
    /// What it does.
    pub kernel: Arc<dyn AnyKernel>,
    /// Input slots, in its frame.
    pub inputs: Span,
    /// Data edges, in [`PlanTables::edges`], sorted by output.
    pub edges: Span,
    /// Control successors, in [`PlanTables::controls`].
    pub controls: Span,
    /// Number of outputs.
    pub outputs: u32,
    /// Its frame, in [`PlanTables::frames`].
    pub frame: u32,
    /// Its pending count, in its frame's template.
    pub pending: u32,
    /// Its estimated cost.
    pub cost: NodeCost,
    /// How the executor treats it.
    pub kind: NodeKind,
    /// True if some inputs are references that the kernel reads as values: [`PlanNames::reads_refs`].
    pub reads_refs: bool,
}

/// What traces, errors and rare cases need of a node.
pub struct PlanNames {
    /// Its names.
    pub meta: NodeMeta,
    /// Inputs that carry references which the kernel reads as values.
    pub reads_refs: Box<[u32]>,
    /// The names of all nodes of the graph that it computes, if it computes several.
    pub fused: Box<[Arc<str>]>,
    /// What it does, for observers.
    pub nature: Nature,
    /// True if its kernel is done when it returns: it does not wait, calls no function and leaves no work to a device.
    pub is_synchronous: bool,
    /// The ops of [`PlanNames::fused`], in the same order; empty for nodes that traced steps do not run.
    pub fused_ops: Box<[&'static str]>,
}

impl PlanNames {
    /// The names of the nodes of the graph that it computes.
    pub fn all(&self) -> &[Arc<str>] {
        if self.fused.is_empty() { std::slice::from_ref(&self.meta.name) } else { &self.fused }
    }
}

/// Nodes that take fewer nanoseconds stay with the thread that made them ready: handing them over would take longer.
pub(crate) const SHAREABLE: u64 = 2_000;
/// A plan whose [`SHAREABLE`] nodes are cheaper than this runs on the calling thread alone.
pub(crate) const WORTH_THREADS: u64 = 50_000;

/// An estimate in nanoseconds, corrected by what is measured. Relaxed: a lost update does no harm.
pub struct NodeCost(AtomicU32);

/// In a [`NodeCost`]: the node only queues work for a device.
const QUEUES: u32 = 1 << 31;
/// In a [`NodeCost`] with [`QUEUES`]: it was measured.
const QUEUED: u32 = 1 << 30;
/// Maximum cost of queueing: longer times are those of loading the device's libraries and compiling its programs.
const QUEUEING: u32 = 20_000;

impl NodeCost {
    /// An initial estimate.
    pub fn new(nanos: u32) -> NodeCost {
        NodeCost(AtomicU32::new(nanos.min(QUEUED - 1)))
    }

    /// An initial estimate for a node that queues work for a device, and prepares what that needs when it runs for the
    /// first time.
    pub fn of_queueing(nanos: u32) -> NodeCost {
        NodeCost(AtomicU32::new(nanos.min(QUEUED - 1) | QUEUES))
    }

    /// The estimate.
    #[inline]
    pub fn nanos(&self) -> u32 {
        self.0.load(Ordering::Relaxed) & (QUEUED - 1)
    }

    /// The part of it that another thread could take over: none of it if the work is only queued, since a device's
    /// queue takes one item at a time.
    #[inline]
    pub fn shareable(&self) -> u32 {
        match self.0.load(Ordering::Relaxed) {
            cost if cost & QUEUED != 0 => 0,
            cost => cost & (QUEUED - 1),
        }
    }

    /// Takes a measurement into account.
    pub fn observe(&self, nanos: u64) {
        let new = u32::try_from(nanos).unwrap_or(u32::MAX).min(QUEUED - 1);
        let now = match self.0.load(Ordering::Relaxed) & QUEUES {
            0 => self.nanos() / 2 + new / 2,
            queues => queues | QUEUED | new.min(QUEUEING),
        };
        self.0.store(now, Ordering::Relaxed);
    }
}

/// Pending counts pack the inputs still awaited (low half) and the dead ones that arrived (high half), so that one
/// atomic operation changes and reads both.
pub const ONE_DEAD: u64 = 1 << 32;

/// The nodes that run once per iteration of one loop; for the root frame, the nodes outside of loops.
#[derive(Clone, Debug, Default)]
pub struct FrameLayout {
    /// Name of the frame; empty for the root.
    pub name: Arc<str>,
    /// The frame around it; its own number for the root.
    pub parent: u32,
    /// Number of input slots.
    pub slots: u32,
    /// The pending count each node starts with: for a merge 1 plus twice its control inputs, else all its inputs.
    pub pending: Vec<u64>,
    /// Maximum number of concurrent iterations according to the graph.
    pub parallel_iterations: u32,
    /// True if no node of it, or of a loop in it, waits: each is done when its kernel returns.
    pub runs_at_once: bool,
    /// True if a value that is brought into it depends on one that leaves it; [`Plan::new`] finds out.
    pub awaits_itself: bool,
    /// Number of `Enter` nodes that lead into it; [`Plan::new`] counts them.
    pub enters: u32,
    /// The `Exit` nodes that lead out of it.
    pub exits: Vec<NodeIx>,
    /// Every node of the frame.
    pub nodes: Vec<NodeIx>,
    /// Values that are known before the run: slot and value.
    pub constants: Vec<(u32, Tensor)>,
}

/// Concurrent iterations besides one for each thread, in a loop whose nodes do not wait.
const SPARE_ITERATIONS: u32 = 1;

impl FrameLayout {
    /// Maximum number of concurrent iterations on this many threads. If no node waits, nor an iteration for later ones,
    /// more iterations than threads can work on gain nothing and keep their values in memory.
    pub fn most_iterations(&self, threads: usize) -> u32 {
        let most = u32::try_from(threads).unwrap_or(u32::MAX).saturating_add(SPARE_ITERATIONS);
        let waits = !self.runs_at_once || self.awaits_itself;
        self.parallel_iterations.min(if waits { u32::MAX } else { most }).max(1)
    }
}

/// A value that the caller feeds.
#[derive(Clone, Debug)]
pub struct PlanFeed {
    /// Name of the endpoint.
    pub name: Arc<str>,
    /// Dtype it must have.
    pub dtype: DType,
    /// Shape it must have.
    pub shape: PartialShape,
    /// Where it goes, in [`PlanTables::edges`].
    pub edges: Span,
}

/// The tables of a plan, as plain data. [`Plan::new`] checks them.
#[derive(Default)]
pub struct PlanTables {
    /// The number under which functions called by its nodes keep their state from step to step; the same for all plans
    /// of one signature of one graph.
    pub id: u64,
    /// The nodes, in an order in which every edge outside of loops goes forward; after them those of a partial
    /// run's feeds and fetches, and the sends and receives between devices.
    pub nodes: Vec<PlanNode>,
    /// Names and rarely used properties of the nodes, by the same numbers.
    pub names: Vec<PlanNames>,
    /// Data edges of all nodes, then those of the feeds.
    pub edges: Vec<PlanEdge>,
    /// Control successors of all nodes.
    pub controls: Vec<NodeIx>,
    /// Frames; the first is the root, and the only one of a plan without loops.
    pub frames: Vec<FrameLayout>,
    /// The nodes that wait for nothing.
    pub roots: Vec<NodeIx>,
    /// The feeds, in order.
    pub feeds: Vec<PlanFeed>,
    /// The feeds of a partial run, which come in any order and at any time; each has a node.
    pub later: Vec<PlanFeed>,
    /// In a partial run, the number of the node of the first feed. Those of the other feeds and then those of the
    /// fetches follow.
    pub first_partial: NodeIx,
    /// Slots of the root frame in which the fetched values arrive, in order; empty in a partial run.
    pub fetches: Span,
    /// Names of the fetches, in order.
    pub fetch_names: Vec<Arc<str>>,
    /// True if control flow may leave values dead, so that the full propagation rules are needed.
    pub has_control_flow: bool,
    /// The same plan with nodes that run as one, for steps that are not traced.
    pub condensed: Option<Arc<Plan>>,
}

impl PlanTables {
    /// The targets of the edges of `node`.
    pub(crate) fn after(&self, node: &PlanNode) -> impl Iterator<Item = NodeIx> {
        let data = self.edges[node.edges.range()].iter().map(|edge| edge.node).filter(|&to| to != FETCH);
        data.chain(self.controls[node.controls.range()].iter().copied())
    }

    /// The frame that an `Enter` leads into: that of its consumers. `None` for one without consumers.
    pub(crate) fn enters(&self, node: &PlanNode) -> Option<u32> {
        self.after(node).next().map(|to| self.nodes[to as usize].frame)
    }

    /// Counts the `Enter` nodes that lead into each frame. Those that lead nowhere never arrive, so no frame waits for them.
    fn count_enters(&mut self) {
        self.frames.iter_mut().for_each(|frame| frame.enters = 0);
        for number in 0..self.nodes.len() {
            let node = &self.nodes[number];
            if let (NodeKind::Enter(_), Some(frame)) = (node.kind, self.enters(node)) {
                self.frames[frame as usize].enters += 1;
            }
        }
    }
}

/// What to run, checked; and what its steps keep from one to the next. Steps share it.
pub struct Plan {
    tables: PlanTables,
    /// The total estimated cost of the nodes in nanoseconds; 0 until it is added up. Relaxed: only an estimate.
    cost: AtomicU64,
    /// What depends on each node, once the plan has been found to be worth several threads.
    ranks: OnceLock<Ranks>,
    /// For each frame, how its loop runs straight, if it can.
    straight: Vec<Option<StraightLoop>>,
    /// Steps that ran, for deciding which to measure. Relaxed: only a count.
    steps: AtomicU32,
    /// Whether its steps have several threads, if it is short.
    pub(crate) trial: Trial,
    /// Step states for reuse. The lock protects the list.
    idle: Mutex<Vec<StepState>>,
}

/// Bytes that a function call keeps besides its step: its node's deferral, its cancellation, its continuation.
const KEPT_BY_CALL: usize = 8192;

/// Maximum number of step states that a plan keeps.
const MOST_IDLE: usize = 16;

impl Deref for Plan {
    type Target = PlanTables;

    fn deref(&self) -> &PlanTables {
        &self.tables
    }
}

impl Plan {
    /// The plan with these tables.
    ///
    /// # Errors
    /// `INTERNAL` for inconsistent tables: steps rely on each slot being written by one edge and each node becoming
    /// ready once.
    pub fn new(mut tables: PlanTables) -> Result<Plan> {
        crate::check::check(&tables)?;
        if tables.has_control_flow {
            tables.count_enters();
            let awaiting = own_results::find(&tables);
            tables.frames.iter_mut().zip(awaiting).for_each(|(frame, awaits)| frame.awaits_itself = awaits);
        }
        let straight = if tables.has_control_flow { straight::find(&tables) } else { Vec::new() };
        Ok(Plan {
            tables,
            straight,
            cost: AtomicU64::new(0),
            ranks: OnceLock::new(),
            steps: AtomicU32::new(0),
            trial: Trial::default(),
            idle: Mutex::default(),
        })
    }

    /// Estimated bytes that a step keeps while it runs, besides its tensors.
    pub fn bytes_of_step(&self) -> usize {
        let frame = &self.frames[0];
        size_of::<Step>()
            + frame.slots as usize * size_of::<Entry>()
            + frame.pending.len() * size_of::<u64>()
            + KEPT_BY_CALL
    }

    /// The names of a node.
    pub(crate) fn meta(&self, node: NodeIx) -> &NodeMeta {
        &self.names[node as usize].meta
    }

    /// How the loop of a frame runs straight, if it can.
    #[inline]
    pub(crate) fn straight(&self, frame: u32) -> Option<&StraightLoop> {
        self.straight.get(frame as usize)?.as_ref()
    }

    /// True if any of its loops can run straight.
    #[inline]
    pub(crate) fn has_straight(&self) -> bool {
        !self.straight.is_empty()
    }

    /// Counts one more step; returns the number of those before it.
    pub(crate) fn count_step(&self) -> u32 {
        self.steps.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns the state for a step: that of an earlier one, if there is one.
    pub(crate) fn take_state(&self) -> StepState {
        let recycled = self.idle.lock().pop();
        recycled.unwrap_or_else(|| StepState::new(self))
    }

    /// Keeps a state for another step.
    pub(crate) fn keep_state(&self, state: StepState) {
        let mut idle = self.idle.lock();
        if idle.len() < MOST_IDLE {
            idle.push(state);
        }
    }

    /// The total estimated cost in nanoseconds of the nodes that other threads could take.
    pub fn shareable_cost(&self) -> u64 {
        match self.cost.load(Ordering::Relaxed) {
            0 => self.add_up(),
            cost => cost,
        }
    }

    /// What depends on each node; `None` while the plan is worth only one thread.
    pub(crate) fn ranks(&self) -> Option<&Ranks> {
        self.ranks.get()
    }

    /// Sorts nodes that became ready together, so that the most urgent one is last and taken first.
    pub(crate) fn prioritize(&self, ready: &mut [Ready]) {
        if !(2..=LOOKED_AT).contains(&ready.len()) {
            return;
        }
        if let Some(ranks) = self.ranks() {
            ready.sort_by_key(|r| urgency(ranks, r));
        }
    }

    /// Adds up the nodes' costs again, and what depends on each if that matters.
    pub(crate) fn add_up(&self) -> u64 {
        let costs = self.nodes.iter().map(|n| u64::from(n.cost.shareable()));
        let cost = costs.filter(|&nanos| nanos >= SHAREABLE).sum::<u64>().max(1);
        if cost >= WORTH_THREADS {
            self.ranks.get_or_init(|| Ranks::of(self)).weigh(self);
        }
        self.cost.store(cost, Ordering::Relaxed);
        cost
    }
}

impl fmt::Display for Plan {
    /// A line for every node: number, name, op, device, and where its outputs go.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, node) in self.nodes.iter().enumerate() {
            let meta = &self.names[i].meta;
            write!(f, "{i}: {} = {} on {}", meta.name, meta.op, meta.device)?;
            if let Some((_, others)) = self.names[i].fused.split_last() {
                write!(f, " with {}", others.join(", "))?;
            }
            if node.frame != 0 {
                write!(f, " in {}", self.frames[node.frame as usize].name)?;
            }
            for edge in &self.edges[node.edges.range()] {
                match edge.node {
                    FETCH => write!(f, " {}->fetch {}", edge.output, edge.slot - self.fetches.start)?,
                    to => write!(f, " {}->{to}", edge.output)?,
                }
            }
            for to in &self.controls[node.controls.range()] {
                write!(f, " ^->{to}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plan({} nodes, {} frames)", self.nodes.len(), self.frames.len())
    }
}
