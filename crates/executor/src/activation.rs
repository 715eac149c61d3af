//! The input slots and pending counts of the nodes of one iteration of one frame, and the tokens that say which thread
//! may touch which slot. This is the only module of the crate with unsafe code.
//!
//! Threads share slots without locks. No two of them touch a slot at the same time, because each access takes a token,
//! and tokens are made only by the transitions of this protocol and cannot be copied:
//!
//! | token | gives the right to | is made |
//! |---|---|---|
//! | [`Ready`] | a node's input slots | by the edge that brings the last input: the node's pending count reaches zero once |
//! | [`Spent`] | deliver a node's outputs | from the node's [`Ready`], which it uses up; for an `Exit`, with the frame |
//! | [`DataEdge`], [`ControlEdge`] | deliver along one edge | from the [`Spent`], one for each edge of the node |
//! | [`Ended`] | the fetches, and all slots | when the last hold on the step is given back |
//!
//! An edge writes its slot and then lowers the consumer's count; the consumer sees zero and then opens its slots. The
//! count's release and acquire order the two. What the types do not show, and the protocol rests on:
//!
//! - Each slot belongs to one node or fetch, one edge ends in it, and each count starts with the number of edges that
//!   end in the node: [`Plan::new`] refuses other tables.
//! - A token is used in the step and the activation that it was made for (debug builds check it), and `frames` delivers
//!   to the iteration that an edge leads to.
//! - An activation that is `exclusive` belongs to a step that one thread works on at a time: the step's only seat in
//!   [`levada_stall::Activity`].

#![allow(unsafe_code)]

use crate::frames::{Frame, Position};
use crate::holds::Ended;
use crate::plan::{FETCH, FrameLayout, NodeIx, NodeKind, ONE_DEAD, Plan, PlanEdge, PlanNode, Span};
use crate::step::Step;
use levada_graph::Tensor;
use levada_kernel::Entry;
use levada_sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use levada_sync::{Accesses, Alone, Mutex, MutexGuard};
use std::cell::UnsafeCell;
use std::ops::Deref;
use std::slice;
use std::sync::Arc;

/// Maximum number of invariants of a loop that can become constants of its iterations.
const KEPT: usize = u64::BITS as usize;

/// A pending count, and what it starts with.
struct Pending {
    /// Changed by the edges that end in the node; see [`ONE_DEAD`] for what it packs.
    now: AtomicU64,
    start: u64,
}

/// State of one iteration of one frame.
pub(crate) struct Activation {
    slots: Box<[UnsafeCell<Entry>]>,
    /// The accesses to the slots, for models.
    accesses: Accesses,
    pending: Box<[Pending]>,
    /// True if no other thread works on the step at the same time, so that plain loads and stores suffice.
    exclusive: bool,
    /// Nodes of this iteration that are ready or running. Only kept in plans with control flow.
    outstanding: AtomicUsize,
    /// The frame and the iteration's number in it; `None` for the root.
    pub(crate) position: Option<Position>,
    /// The first of its frame's invariants that may still be delivered. Relaxed: changed under the frame's lock.
    next_invariant: AtomicUsize,
    /// Which of the frame's invariants are among its constants, as a bit mask; and how many have been considered for
    /// that.
    kept: u64,
    considered: usize,
    /// Held while a merge gets an input: value and count must change together.
    merging: Mutex<()>,
    /// Child frames that are under way, by layout. The lock protects the list.
    pub(crate) children: Mutex<Vec<(u32, Arc<Frame>)>>,
    identity: Identity,
}

// SAFETY: slots are accessed under the protocol above, which lets one thread at a time have each of them.
unsafe impl Sync for Activation {}

/// Distinguishes the uses of an activation in debug builds, so that a token used in the wrong one is detected.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Identity(#[cfg(debug_assertions)] usize);

impl Identity {
    #[cfg(debug_assertions)]
    fn new() -> Identity {
        static NEXT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        Identity(NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
    }

    #[cfg(not(debug_assertions))]
    fn new() -> Identity {
        Identity()
    }
}

/// A node's number in 24 bits, stored in what would otherwise be padding.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ShortIx([u8; 3]);

impl ShortIx {
    const NONE: ShortIx = ShortIx([u8::MAX; 3]);

    fn of(node: NodeIx) -> ShortIx {
        match node.to_le_bytes() {
            [a, b, c, 0] => ShortIx([a, b, c]),
            _ => ShortIx::NONE,
        }
    }

    /// The number; `None` if there is none, or it is too large.
    pub(crate) fn node(self) -> Option<NodeIx> {
        let [a, b, c] = self.0;
        (self != ShortIx::NONE).then(|| NodeIx::from_le_bytes([a, b, c, 0]))
    }
}

/// A node to run.
pub(crate) struct Task {
    pub(crate) node: NodeIx,
    /// True if an input is dead: the node is skipped and its outputs are dead too.
    pub(crate) dead: bool,
    /// The node that brought the last input, in traced steps.
    pub(crate) by: ShortIx,
    /// The iteration that it belongs to; `None` for the root frame.
    pub(crate) act: Option<Arc<Activation>>,
    /// When it became ready, in traced steps.
    pub(crate) since: u64,
}

/// The right to run a node whose inputs have arrived.
pub(crate) struct Ready {
    task: Task,
    of: Identity,
}

impl Deref for Ready {
    type Target = Task;

    fn deref(&self) -> &Task {
        &self.task
    }
}

impl Ready {
    #[inline]
    fn new(node: NodeIx, dead: bool, act: &Activation) -> Ready {
        Ready { task: Task { node, dead, by: ShortIx::NONE, act: None, since: 0 }, of: act.identity }
    }

    /// The number of its iteration in the innermost loop; 0 outside of loops.
    #[inline]
    pub(crate) fn iteration(&self) -> u64 {
        let position = self.task.act.as_ref().and_then(|act| act.position.as_ref());
        position.map_or(0, |position| position.iteration)
    }

    /// The node, with its input slots.
    #[inline]
    pub(crate) fn open<'a>(&'a mut self, step: &'a Step) -> (&'a Task, &'a mut [Entry]) {
        let act = step.act(&self.task.act);
        debug_assert_eq!(act.identity, self.of, "a node is run in another activation than it became ready in");
        // SAFETY: this is the only token of the node in this activation, and is borrowed for as long as the slots are.
        let inputs = unsafe { act.slots(step.plan.nodes[self.task.node as usize].inputs) };
        (&self.task, inputs)
    }

    /// The input slots of a node that has just become ready in `act`.
    #[inline]
    pub(crate) fn open_in<'a>(&'a mut self, act: &'a Activation, plan: &'a Plan) -> &'a mut [Entry] {
        debug_assert_eq!(act.identity, self.of, "a node is run in another activation than it became ready in");
        // SAFETY: as in `open`.
        unsafe { act.slots(plan.nodes[self.task.node as usize].inputs) }
    }

    /// Binds the node to an iteration instead of the root frame.
    #[inline]
    pub(crate) fn bind(&mut self, act: Arc<Activation>) {
        debug_assert_eq!(act.identity, self.of, "a node is bound to another activation than it became ready in");
        self.task.act = Some(act);
    }

    /// Records when the node became ready, and through which other node.
    pub(crate) fn stamp(&mut self, since: u64, by: Option<NodeIx>) {
        self.task.since = since;
        self.task.by = by.map_or(ShortIx::NONE, ShortIx::of);
    }

    /// Exchanges the right to the node's inputs for the right to deliver its outputs; also returns the iteration that
    /// it ran in.
    #[inline]
    pub(crate) fn spend(self) -> (Spent, Option<Arc<Activation>>) {
        (Spent { node: self.task.node }, self.task.act)
    }
}

/// The right to deliver the outputs of a node, which has run: to one activation, once along each edge.
pub(crate) struct Spent {
    node: NodeIx,
}

impl Spent {
    /// The tokens of the `Exit` nodes of a frame that begins. Each of them delivers once for the whole frame.
    pub(crate) fn exits(frame: &FrameLayout) -> Vec<Spent> {
        frame.exits.iter().map(|&node| Spent { node }).collect()
    }

    pub(crate) fn node(&self) -> NodeIx {
        self.node
    }
}

/// A value that an `Enter` brings to every iteration of its frame, once to each.
pub(crate) struct Invariant {
    spent: Spent,
    /// Its number among the invariants of the frame.
    number: usize,
    pub(crate) value: Entry,
}

impl Invariant {
    /// The value of a node that has run, as the invariant with this number in its frame.
    pub(crate) fn new(spent: Spent, number: usize, value: Entry) -> Invariant {
        Invariant { spent, number, value }
    }

    pub(crate) fn node(&self) -> NodeIx {
        self.spent.node
    }
}

/// The edges of a node that has run, each of which delivers once.
pub(crate) struct Delivery<'a> {
    act: &'a Activation,
    plan: &'a Plan,
    node: &'a PlanNode,
    edges: slice::Iter<'a, PlanEdge>,
    controls: slice::Iter<'a, NodeIx>,
}

impl<'a> Delivery<'a> {
    #[inline]
    fn new(act: &'a Activation, node: NodeIx, plan: &'a Plan) -> Delivery<'a> {
        let node = &plan.nodes[node as usize];
        let (edges, controls) = (&plan.edges[node.edges.range()], &plan.controls[node.controls.range()]);
        Delivery { act, plan, node, edges: edges.iter(), controls: controls.iter() }
    }

    /// The node whose outputs these are.
    pub(crate) fn node(&self) -> &'a PlanNode {
        self.node
    }

    /// The next data edge.
    #[inline]
    pub(crate) fn edge(&mut self) -> Option<DataEdge<'a>> {
        let edge = self.edges.next()?;
        Some(DataEdge { act: self.act, plan: self.plan, from: self.node, edge })
    }

    /// The next control edge.
    #[inline]
    pub(crate) fn control(&mut self) -> Option<ControlEdge<'a>> {
        let &to = self.controls.next()?;
        Some(ControlEdge { act: self.act, plan: self.plan, to })
    }
}

/// The right to deliver along one data edge, once.
pub(crate) struct DataEdge<'a> {
    act: &'a Activation,
    plan: &'a Plan,
    from: &'a PlanNode,
    edge: &'a PlanEdge,
}

impl<'a> DataEdge<'a> {
    /// Number of the output that is delivered.
    #[inline]
    pub(crate) fn output(&self) -> usize {
        self.edge.output as usize
    }

    /// The output's value for this edge: the last one takes it, others share it.
    #[inline]
    pub(crate) fn value(&self, output: &mut Entry) -> Entry {
        if self.edge.last { std::mem::take(output) } else { output.clone() }
    }

    /// The node it leads to; `None` for a fetch.
    #[inline]
    pub(crate) fn target(&self) -> Option<&'a PlanNode> {
        self.plan.nodes.get(self.edge.node as usize)
    }

    /// Delivers a value; returns the consumer if it has all its inputs now. For plans without control flow, in which a
    /// node's count has the node's number.
    #[inline]
    pub(crate) fn bring(self, value: Entry) -> Option<Ready> {
        // SAFETY: no other edge ends in this slot, and its consumer is not ready before it has arrived.
        unsafe { self.act.put(self.edge.slot, value) };
        (self.edge.node != FETCH && self.act.arrive(self.edge.node))
            .then(|| Ready::new(self.edge.node, false, self.act))
    }

    /// Delivers a value, or that there is none; returns the consumer if it is ready now.
    #[inline]
    pub(crate) fn bring_alive_or_dead(self, value: Option<Entry>) -> Option<Ready> {
        let to = self.edge.node;
        let Some(target) = self.target() else {
            // SAFETY: as in `bring`.
            unsafe { self.act.put(self.edge.slot, value.unwrap_or(Entry::Dead)) };
            return None;
        };
        if target.kind == NodeKind::Merge {
            return self.bring_to_merge(target, value);
        }
        let alive = value.is_some();
        if let Some(value) = value {
            // SAFETY: as in `bring`.
            unsafe { self.act.put(self.edge.slot, value) };
        }
        self.act.arrive_alive_or_dead(to, target, alive)
    }

    /// A merge runs on its first live input; it is dead once all inputs are.
    fn bring_to_merge(self, target: &PlanNode, value: Option<Entry>) -> Option<Ready> {
        let (act, to) = (self.act, self.edge.node);
        let _lock = act.lock_merges();
        match value {
            Some(value) => {
                let old = act.mark_live(target.pending);
                if old & 1 == 1 {
                    // SAFETY: the merge has not been ready yet, and is not before this returns: the count changes under
                    // the lock or on one thread.
                    unsafe { act.put(self.edge.slot, value) };
                }
                (awaited(old) == 1).then(|| Ready::new(to, false, act))
            }
            None => {
                let now = act.add_pending(target.pending, ONE_DEAD).wrapping_add(ONE_DEAD);
                // A dead `Enter` means that the whole loop is dead: nothing will ever arrive over the back edge.
                let from_enter = matches!(self.from.kind, NodeKind::Enter(_) | NodeKind::Relay);
                let all_dead = from_enter || dead_inputs(now) == target.inputs.len();
                (awaited(now) == 1 && all_dead).then(|| act.ready_dead(to, target))
            }
        }
    }
}

/// The right to deliver along one control edge, once.
pub(crate) struct ControlEdge<'a> {
    act: &'a Activation,
    plan: &'a Plan,
    to: NodeIx,
}

impl<'a> ControlEdge<'a> {
    /// The node it leads to.
    #[inline]
    pub(crate) fn target(&self) -> &'a PlanNode {
        &self.plan.nodes[self.to as usize]
    }

    /// Reports that the source has run; returns the consumer if it has all its inputs now. For plans without control
    /// flow.
    #[inline]
    pub(crate) fn bring(self) -> Option<Ready> {
        self.act.arrive(self.to).then(|| Ready::new(self.to, false, self.act))
    }

    /// Reports that the source has run or is dead; returns the consumer if it is ready now.
    #[inline]
    pub(crate) fn bring_alive_or_dead(self, alive: bool) -> Option<Ready> {
        let (act, to, target) = (self.act, self.to, self.target());
        if target.kind != NodeKind::Merge {
            return act.arrive_alive_or_dead(to, target, alive);
        }
        let _lock = act.lock_merges();
        let now = act.add_pending(target.pending, 2u64.wrapping_neg()).wrapping_sub(2);
        match awaited(now) {
            0 => Some(Ready::new(to, false, act)),
            1 if dead_inputs(now) == target.inputs.len() => Some(act.ready_dead(to, target)),
            _ => None,
        }
    }
}

impl Activation {
    pub(crate) fn new(layout: &FrameLayout) -> Activation {
        let mut act = Activation {
            slots: (0..layout.slots).map(|_| UnsafeCell::new(Entry::Empty)).collect(),
            accesses: Accesses::of(layout.slots as usize),
            pending: layout.pending.iter().map(|&p| Pending { now: AtomicU64::new(p), start: p }).collect(),
            exclusive: false,
            outstanding: AtomicUsize::new(0),
            position: None,
            next_invariant: AtomicUsize::new(0),
            kept: 0,
            considered: 0,
            merging: Mutex::new(()),
            children: Mutex::new(Vec::new()),
            identity: Identity::new(),
        };
        for (slot, tensor) in &layout.constants {
            act.set(*slot, Entry::Constant(tensor.clone()));
        }
        act
    }

    /// An iteration of a frame.
    pub(crate) fn iteration(layout: &FrameLayout, position: Position, exclusive: bool) -> Activation {
        Activation { position: Some(position), exclusive, ..Activation::new(layout) }
    }

    /// Resets everything to the state at the start of an iteration. Constants stay.
    pub(crate) fn reset(&mut self) {
        for slot in &mut self.slots {
            let slot = slot.get_mut();
            if !matches!(slot, Entry::Constant(_) | Entry::Empty) {
                *slot = Entry::Empty;
            }
        }
        for pending in &mut self.pending {
            pending.now.assign(pending.start);
        }
        self.outstanding.assign(0);
        self.next_invariant.assign(0);
        self.children.get_mut().clear();
        self.identity = Identity::new();
    }

    /// Makes an invariant a constant of an iteration that starts, if possible; the constant stays when the iteration is
    /// reused. Returns whether the invariant is such a constant; if not, it must be delivered.
    ///
    /// It is possible if all consumers also wait for something else, so that the constant makes none of them ready.
    pub(crate) fn keep(&mut self, invariant: &Invariant, plan: &Plan) -> bool {
        let number = invariant.number;
        if number >= self.considered {
            self.considered = number + 1;
            if let Some(tensor) = invariant.value.tensor().filter(|_| number < KEPT && self.can_keep(invariant, plan)) {
                for edge in &plan.edges[plan.nodes[invariant.node() as usize].edges.range()] {
                    self.set(edge.slot, Entry::Constant(tensor.clone()));
                    let pending = &mut self.pending[plan.nodes[edge.node as usize].pending as usize];
                    pending.start -= 1;
                    let now = pending.now.value();
                    pending.now.assign(now - 1);
                }
                self.kept |= 1 << number;
            }
        }
        self.keeps(number)
    }

    fn keeps(&self, number: usize) -> bool {
        number < KEPT && self.kept >> number & 1 == 1
    }

    fn can_keep(&self, invariant: &Invariant, plan: &Plan) -> bool {
        let node = &plan.nodes[invariant.node() as usize];
        let edges = &plan.edges[node.edges.range()];
        let stays_waiting = |edge: &PlanEdge| {
            let Some(target) = plan.nodes.get(edge.node as usize) else { return false };
            let inputs = edges.iter().filter(|e| e.node == edge.node).count();
            let start = self.pending[target.pending as usize].start;
            target.kind != NodeKind::Merge && awaited(start) as usize > inputs
        };
        node.controls.is_empty() && edges.iter().all(stays_waiting)
    }

    /// Writes a slot while no other thread can know the activation.
    fn set(&mut self, slot: u32, entry: Entry) {
        *self.slots[slot as usize].get_mut() = entry;
    }

    /// Writes a slot.
    ///
    /// # Safety
    /// No other thread accesses the slot now.
    #[inline]
    unsafe fn put(&self, slot: u32, entry: Entry) {
        self.accesses.one(slot as usize);
        // SAFETY: by the contract no other thread accesses the slot now.
        let slot = unsafe { &mut *self.slots[slot as usize].get() };
        debug_assert!(matches!(slot, Entry::Empty), "a slot is written twice");
        *slot = entry;
    }

    /// Some slots.
    ///
    /// # Safety
    /// Nothing else accesses these slots for as long as they are borrowed.
    #[allow(clippy::mut_from_ref)]
    #[inline]
    unsafe fn slots(&self, span: Span) -> &mut [Entry] {
        let slots = &self.slots[span.range()];
        self.accesses.each(span.range());
        // SAFETY: `UnsafeCell<Entry>` has the layout of `Entry`, the range was checked, and by the contract nothing
        // else accesses these slots.
        unsafe { slice::from_raw_parts_mut(UnsafeCell::raw_get(slots.as_ptr()), slots.len()) }
    }

    /// The slots of the fetches, and what a failed step leaves in all others. `Ended` is that of the step whose root
    /// frame this is.
    pub(crate) fn slots_at_end<'a>(&'a self, _: &'a mut Ended, span: Span) -> &'a mut [Entry] {
        // SAFETY: no thread fires nodes of the step any more, and there is one token of its end.
        unsafe { self.slots(span) }
    }

    /// Delivers the outputs of a node that has run.
    #[inline]
    pub(crate) fn deliver<'a>(&'a self, spent: Spent, plan: &'a Plan) -> Delivery<'a> {
        Delivery::new(self, spent.node, plan)
    }

    /// Delivers an invariant of the iteration's frame. They are delivered in the order of their numbers, each once.
    pub(crate) fn deliver_invariant<'a>(&'a self, invariant: &Invariant, plan: &'a Plan) -> Delivery<'a> {
        let is_new = invariant.number >= self.next_invariant.load(Ordering::Relaxed) && !self.keeps(invariant.number);
        assert!(is_new, "an iteration gets an invariant of its loop twice");
        self.next_invariant.store(invariant.number + 1, Ordering::Relaxed);
        Delivery::new(self, invariant.node(), plan)
    }

    #[inline]
    fn lock_merges(&self) -> Option<MutexGuard<'_, ()>> {
        (!self.exclusive).then(|| self.merging.lock())
    }

    /// Adds `delta` (which may be negative, as two's complement) to a pending count; returns what it was before.
    #[inline]
    fn add_pending(&self, pending: u32, delta: u64) -> u64 {
        let pending = &self.pending[pending as usize].now;
        if self.exclusive {
            let old = pending.load(Ordering::Relaxed);
            pending.store(old.wrapping_add(delta), Ordering::Relaxed);
            old
        } else {
            pending.fetch_add(delta, Ordering::AcqRel)
        }
    }

    /// Clears the lowest bit of a merge's count: it has a live input now, or never will. Returns the count before.
    #[inline]
    fn mark_live(&self, pending: u32) -> u64 {
        let pending = &self.pending[pending as usize].now;
        if self.exclusive {
            let old = pending.load(Ordering::Relaxed);
            pending.store(old & !1, Ordering::Relaxed);
            old
        } else {
            pending.fetch_and(!1, Ordering::AcqRel)
        }
    }

    /// Makes a dead merge ready. Inputs that arrive later do not make it ready again.
    fn ready_dead(&self, to: NodeIx, target: &PlanNode) -> Ready {
        self.mark_live(target.pending);
        Ready::new(to, true, self)
    }

    /// One more input of a node has arrived, in a plan without control flow; returns true for the last. The count is
    /// then back at its start, since nothing lowers it again before the next step.
    #[inline]
    fn arrive(&self, node: NodeIx) -> bool {
        let pending = &self.pending[node as usize];
        let old = if self.exclusive {
            let old = pending.now.load(Ordering::Relaxed);
            pending.now.store(old.wrapping_sub(1), Ordering::Relaxed);
            old
        } else {
            pending.now.fetch_sub(1, Ordering::AcqRel)
        };
        debug_assert!(old > 0, "more inputs come than a node waits for");
        if old == 1 {
            pending.now.store(pending.start, Ordering::Relaxed);
        }
        old == 1
    }

    /// One more input of a node that is not a merge has arrived, alive or dead.
    #[inline]
    fn arrive_alive_or_dead(&self, to: NodeIx, target: &PlanNode, alive: bool) -> Option<Ready> {
        // The low half of a count that is not yet done is at least 1, so that it never borrows from the high half.
        let delta = if alive { 1u64.wrapping_neg() } else { ONE_DEAD - 1 };
        let old = self.add_pending(target.pending, delta);
        debug_assert!(awaited(old) > 0, "more inputs come than a node waits for");
        let now = old.wrapping_add(delta);
        let dead = || dead_inputs(now) > 0 && target.kind != NodeKind::ControlTrigger;
        (awaited(now) == 0).then(|| Ready::new(to, dead(), self))
    }

    /// True if a node of this iteration is ready or running.
    pub(crate) fn is_busy(&self) -> bool {
        self.outstanding.load(Ordering::Acquire) > 0
    }

    /// Adds to the number of nodes that are ready or running.
    #[inline]
    pub(crate) fn add_outstanding(&self, more: usize) {
        if more == 0 {
        } else if self.exclusive {
            self.outstanding.store(self.outstanding.load(Ordering::Relaxed) + more, Ordering::Relaxed);
        } else {
            self.outstanding.fetch_add(more, Ordering::AcqRel);
        }
    }

    /// One node fewer is ready or running; true if it was the last.
    #[inline]
    pub(crate) fn end_one(&self) -> bool {
        if self.exclusive {
            let left = self.outstanding.load(Ordering::Relaxed) - 1;
            self.outstanding.store(left, Ordering::Relaxed);
            left == 0
        } else {
            self.outstanding.fetch_sub(1, Ordering::AcqRel) == 1
        }
    }

    /// The root frame of a step that has ended, for reuse. `is_clean`: every node of the step ran, in a plan without
    /// control flow, so that all counts are back at their start and all slots were taken.
    pub(crate) fn rest(mut self: Box<Self>, is_clean: bool) -> Idle {
        if !is_clean {
            self.reset();
        }
        self.identity = Identity::new();
        debug_assert!(self.pending.iter_mut().all(|p| p.now.value() == p.start), "a count is not back at its start");
        debug_assert!(
            self.slots.iter_mut().all(|slot| matches!(slot.get_mut(), Entry::Empty | Entry::Constant(_))),
            "a value is left over at the end of a step"
        );
        Idle(self)
    }
}

/// A root frame between two steps: every count is at its start.
pub(crate) struct Idle(Box<Activation>);

impl Idle {
    pub(crate) fn new(plan: &Plan) -> Idle {
        Idle(Box::new(Activation::new(&plan.frames[0])))
    }

    /// Begins a step: fills in the feeds and lists the nodes that do not wait for anything else.
    pub(crate) fn begin(
        self,
        plan: &Plan,
        feeds: Vec<Tensor>,
        exclusive: bool,
        ready: &mut Vec<Ready>,
    ) -> Box<Activation> {
        let mut act = self.0;
        act.exclusive = exclusive;
        for (feed, tensor) in plan.feeds.iter().zip(feeds) {
            let mut tensor = Some(tensor);
            for edge in &plan.edges[feed.edges.range()] {
                let value = if edge.last { tensor.take() } else { tensor.clone() };
                act.set(edge.slot, value.map_or(Entry::Empty, Entry::Value));
                // A merge must see which input arrives first.
                let target = plan.nodes.get(edge.node as usize).filter(|n| n.kind == NodeKind::Merge);
                if target.is_some_and(|n| act.mark_live(n.pending) == 1) {
                    ready.push(Ready::new(edge.node, false, &act));
                }
            }
        }
        ready.extend(plan.roots.iter().map(|&node| Ready::new(node, false, &act)));
        act
    }
}

/// The awaited inputs of a packed pending count.
#[inline]
fn awaited(pending: u64) -> u32 {
    pending as u32
}

/// The dead inputs of a packed pending count.
#[inline]
fn dead_inputs(pending: u64) -> u32 {
    (pending / ONE_DEAD) as u32
}

#[cfg(test)]
impl Ready {
    /// A token that belongs to no activation, for code that only looks at nodes.
    pub(crate) fn of(node: NodeIx) -> Ready {
        Ready { task: Task { node, dead: false, by: ShortIx::NONE, act: None, since: 0 }, of: Identity::new() }
    }
}
