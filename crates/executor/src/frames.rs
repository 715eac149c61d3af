//! Loops and conditionals: dead values, frames, iterations. The rules are those of TensorFlow's executor, as described
//! in "Dynamic Control Flow in Large-Scale Machine Learning" (Yu et al., EuroSys 2018, section 4).

use crate::activation::{Activation, awaited, dead_inputs};
use crate::plan::{FETCH, FrameLayout, NodeIx, NodeKind, ONE_DEAD, PlanEdge, PlanNode};
use crate::step::{Ready, Step};
use levada_kernel::Entry;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Invariants of a loop that can become constants of its iterations.
const KEPT: usize = u64::BITS as usize;

/// An iteration; `None` stands for the root frame.
type Act = Option<Arc<Activation>>;

/// Where an iteration belongs.
pub(crate) struct Place {
    pub(crate) frame: Arc<Frame>,
    pub(crate) iteration: u64,
}

/// A loop that is under way, entered from one iteration of the frame around it.
pub(crate) struct Frame {
    pub(crate) name: Arc<str>,
    layout: u32,
    parent: Act,
    /// Protects the loop's iterations: which exist, what waits for the next one.
    state: Mutex<FrameState>,
}

#[derive(Default)]
struct FrameState {
    /// Iterations that exist, from number `first`. Those in front are done first.
    iterations: VecDeque<Arc<Activation>>,
    first: u64,
    /// `Enter` nodes that have not arrived yet.
    pending_enters: u32,
    /// Values for an iteration that must wait, because as many as allowed are under way.
    next: Vec<(NodeIx, Entry)>,
    /// Values that every iteration sees.
    invariants: Vec<(NodeIx, Entry)>,
    /// Exits that have passed on a value.
    live_exits: Vec<NodeIx>,
    /// Iterations that are done, to use again.
    free: Vec<Arc<Activation>>,
}

impl FrameState {
    /// Number of the newest iteration.
    fn newest(&self) -> u64 {
        self.first + (self.iterations.len() as u64).saturating_sub(1)
    }

    fn iteration(&self, number: u64) -> Option<&Arc<Activation>> {
        self.iterations.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }
}

impl Frame {
    /// Breaks the circle between the frame and its iterations.
    pub(crate) fn dismantle(&self) {
        let state = std::mem::take(&mut *self.state.lock());
        for iteration in state.iterations.iter().chain(&state.free) {
            let children = std::mem::take(&mut *iteration.children.lock());
            children.iter().for_each(|(_, frame)| frame.dismantle());
        }
    }
}

impl Step {
    /// Hands a node's outputs on by the rules of its kind.
    pub(crate) fn propagate_in_frames(
        self: &Arc<Self>,
        ready: &mut Ready,
        node: &PlanNode,
        dead: bool,
        outputs: &mut [Entry],
        local: &mut Vec<Ready>,
    ) {
        // A live receive may carry a dead value: then all its outputs are dead, and its control edges too.
        let dead = dead || (node.kind == NodeKind::Transfer && outputs.iter().any(|o| matches!(o, Entry::Dead)));
        match node.kind {
            NodeKind::Enter(constant) => {
                self.enter(ready, node, constant, dead, outputs, local);
                self.leave(&ready.act, 0, local);
            }
            NodeKind::Exit => {
                self.exit(ready, node, dead, outputs, local);
                self.leave(&ready.act, 0, local);
            }
            NodeKind::NextIteration => {
                self.next_iteration(ready, node, dead, outputs, local);
                self.leave(&ready.act, 0, local);
            }
            _ => {
                let first = local.len();
                let started = self.activate(self.act(&ready.act), node, dead, outputs, local);
                self.leave(&ready.act, started, local);
                if ready.act.is_some()
                    && let Some((last, others)) = local[first..first + started].split_last_mut()
                {
                    // The last one takes over this node's hold of the iteration.
                    others.iter_mut().for_each(|other| other.act.clone_from(&ready.act));
                    last.act = ready.act.take();
                }
            }
        }
    }

    /// Hands outputs to the node's consumers within iteration `to`; returns how many became ready. The caller says in
    /// which iteration these are, and adds them to the iteration's outstanding nodes.
    fn activate(
        &self,
        act: &Activation,
        node: &PlanNode,
        dead: bool,
        outputs: &mut [Entry],
        local: &mut Vec<Ready>,
    ) -> usize {
        let before = local.len();
        let exclusive = self.exclusive();
        for edge in &self.plan.edges[node.edges.range()] {
            let output = outputs.get_mut(edge.output as usize);
            let output = output.filter(|o| !dead && !matches!(o, Entry::Dead | Entry::Empty));
            if edge.node == FETCH {
                // SAFETY: this edge is the only one that ends in the fetch's slot.
                #[allow(unsafe_code)]
                unsafe {
                    act.put(edge.slot, output.map_or(Entry::Dead, |o| hand_over(o, edge.last)));
                }
                continue;
            }
            let target = &self.plan.nodes[edge.node as usize];
            if target.kind == NodeKind::Merge {
                let value = output.map(|o| hand_over(o, edge.last));
                let from_enter = matches!(node.kind, NodeKind::Enter(_) | NodeKind::Relay);
                let inputs = target.inputs.end - target.inputs.start;
                let (is_ready, is_dead) =
                    self.arrive_at_merge(act, target.pending, inputs, edge.slot, value, from_enter);
                if is_ready && !is_dead && node.kind == NodeKind::NextIteration && self.only_moves(target) {
                    // The value goes through the merge at once: it need not wait for its turn to do nothing else.
                    // SAFETY: a node that is ready has all its inputs, and nobody else looks at them.
                    #[allow(unsafe_code)]
                    let arrived = unsafe { act.inputs(target.inputs) };
                    let mut passed = [Entry::Empty];
                    if self.move_value(target, arrived, &mut passed) {
                        self.activate(act, target, false, &mut passed, local);
                        continue;
                    }
                }
                self.list(is_ready, is_dead, edge.node, target, local);
                continue;
            }
            let alive = output.is_some();
            if let Some(output) = output {
                // SAFETY: this edge is the only one that ends in the slot, and its consumer waits for it still.
                #[allow(unsafe_code)]
                unsafe {
                    act.put(edge.slot, hand_over(output, edge.last));
                }
            }
            let (is_ready, is_dead) = arrive(act, target, alive, exclusive);
            if is_ready
                && !is_dead
                && target.kind == NodeKind::Switch
                && node.kind == NodeKind::Plain
                && self.only_moves(target)
            {
                // As above: what is computed decides at once.
                // SAFETY: a node that is ready has all its inputs, and nobody else looks at them.
                #[allow(unsafe_code)]
                let arrived = unsafe { act.inputs(target.inputs) };
                let mut passed = [Entry::Empty, Entry::Empty];
                if self.move_value(target, arrived, &mut passed) {
                    self.activate(act, target, false, &mut passed, local);
                    continue;
                }
            }
            self.list(is_ready, is_dead, edge.node, target, local);
        }
        for &to in &self.plan.controls[node.controls.range()] {
            let target = &self.plan.nodes[to as usize];
            if target.kind == NodeKind::Merge {
                let _lock = (!exclusive).then(|| self.merging.lock());
                let now = act.add_pending(target.pending, 2u64.wrapping_neg(), exclusive).wrapping_sub(2);
                let all_dead = dead_inputs(now) == target.inputs.end - target.inputs.start;
                self.list(awaited(now) == 0 || (awaited(now) == 1 && all_dead), all_dead, to, target, local);
            } else {
                let (is_ready, is_dead) = arrive(act, target, !dead, exclusive);
                self.list(is_ready, is_dead, to, target, local);
            }
        }
        local.len() - before
    }

    /// True for a merge that nobody asks for the number of its input, and for other nodes of control flow, in a step that is
    /// not traced.
    #[inline]
    fn only_moves(&self, node: &PlanNode) -> bool {
        let edges = &self.plan.edges[node.edges.range()];
        let asked = node.kind == NodeKind::Merge && edges.last().is_some_and(|e| e.output > 0);
        self.cx.tracing.is_none() && !node.reads_refs && !asked
    }

    /// A value, or word that there will be none, arrives at a merge. Returns whether it is ready, and whether it is dead.
    fn arrive_at_merge(
        &self,
        act: &Activation,
        pending: u32,
        inputs: u32,
        slot: u32,
        value: Option<Entry>,
        from_enter: bool,
    ) -> (bool, bool) {
        let exclusive = self.exclusive();
        let _lock = (!exclusive).then(|| self.merging.lock());
        match value {
            Some(value) => {
                let old = act.mark_live(pending, exclusive);
                if old & 1 == 1 {
                    // SAFETY: under the lock or alone, and only the first live input writes.
                    #[allow(unsafe_code)]
                    unsafe {
                        act.put(slot, value);
                    }
                }
                (awaited(old) == 1, false)
            }
            None => {
                let now = act.add_pending(pending, ONE_DEAD, exclusive).wrapping_add(ONE_DEAD);
                // A dead `Enter` means that the whole loop is dead: nothing will ever come over the back edge.
                let all_dead = dead_inputs(now) == inputs || from_enter;
                (awaited(now) == 1 && all_dead, all_dead)
            }
        }
    }

    /// Adds a node to the list if it is ready.
    #[inline]
    fn list(&self, is_ready: bool, is_dead: bool, to: NodeIx, target: &PlanNode, local: &mut Vec<Ready>) {
        if !is_ready {
            return;
        }
        let dead = is_dead && target.kind != NodeKind::ControlTrigger;
        // Which exits never passed on a value is seen when the loop ends.
        if dead && target.kind == NodeKind::Exit && self.cx.tracing.is_none() {
            return;
        }
        local.push(Ready { node: to, dead, act: None, since: 0 });
    }

    /// As [`Step::activate`], for nodes of iteration `to`, which are counted there.
    fn activate_in(&self, to: &Act, node: &PlanNode, dead: bool, outputs: &mut [Entry], local: &mut Vec<Ready>) {
        match to {
            None => drop(self.activate(&self.root, node, dead, outputs, local)),
            Some(to) => {
                let first = local.len();
                let started = self.activate(to, node, dead, outputs, local);
                self.count(to, started, &mut local[first..]);
            }
        }
    }

    /// Counts nodes that became ready in an iteration, and says so to them.
    fn count(&self, to: &Arc<Activation>, started: usize, nodes: &mut [Ready]) {
        nodes.iter_mut().for_each(|ready| ready.act = Some(to.clone()));
        to.add_outstanding(started, self.exclusive());
    }

    /// A node of iteration `act` is done and has made `started` others of that iteration ready.
    fn leave(self: &Arc<Self>, act: &Act, started: usize, local: &mut Vec<Ready>) {
        let Some(iteration) = act else { return };
        match started {
            0 => {
                if iteration.end_one(self.exclusive()) {
                    self.sweep(act, local);
                }
            }
            more => iteration.add_outstanding(more - 1, self.exclusive()),
        }
    }

    fn enter(
        self: &Arc<Self>,
        ready: &Ready,
        node: &PlanNode,
        constant: bool,
        dead: bool,
        outputs: &mut [Entry],
        local: &mut Vec<Ready>,
    ) {
        let frame = self.child(&ready.act, self.target_frame(node));
        let mut state = frame.state.lock();
        if constant {
            let value = if dead { Entry::Dead } else { outputs.first().cloned().unwrap_or(Entry::Dead) };
            let iterations: Vec<Arc<Activation>> = state.iterations.iter().cloned().collect();
            for iteration in iterations {
                self.activate_counted(&iteration, node, value.clone(), local);
            }
            state.invariants.push((ready.node, value));
        } else if let Some(first) = state.iteration(0).cloned() {
            self.activate_in(&Some(first), node, dead, outputs, local);
        }
        state.pending_enters = state.pending_enters.saturating_sub(1);
        let idle =
            state.pending_enters == 0 && state.iterations.iter().all(|i| i.outstanding.load(Ordering::Acquire) == 0);
        let front = state.iterations.front().cloned();
        drop(state);
        if idle && front.is_some() {
            self.sweep(&front, local);
        }
    }

    /// The frame that an `Enter` leads into: that of its consumers.
    fn target_frame(&self, node: &PlanNode) -> u32 {
        let data = self.plan.edges[node.edges.range()].iter().map(|e| e.node).filter(|&n| n != FETCH);
        let mut targets = data.chain(self.plan.controls[node.controls.range()].iter().copied());
        targets.next().map_or(0, |n| self.plan.nodes[n as usize].frame)
    }

    /// The child frame of this layout of an iteration, made when the first `Enter` arrives.
    fn child(self: &Arc<Self>, parent: &Act, layout: u32) -> Arc<Frame> {
        let mut children = self.act(parent).children.lock();
        if let Some((_, frame)) = children.iter().find(|(l, _)| *l == layout) {
            return frame.clone();
        }
        let shape = &self.plan.frames[layout as usize];
        let frame = Arc::new(Frame {
            name: shape.name.clone(),
            layout,
            parent: parent.clone(),
            state: Mutex::new(FrameState { pending_enters: shape.enters, ..FrameState::default() }),
        });
        frame.state.lock().iterations.push_back(Arc::new(new_iteration(&frame, shape, 0)));
        children.push((layout, frame.clone()));
        frame
    }

    fn exit(&self, ready: &Ready, node: &PlanNode, dead: bool, outputs: &mut [Entry], local: &mut Vec<Ready>) {
        let Some(place) = ready.act.as_ref().and_then(|a| a.place.as_ref()) else { return };
        if dead {
            return;
        }
        place.frame.state.lock().live_exits.push(ready.node);
        self.activate_in(&place.frame.parent, node, false, outputs, local);
    }

    fn next_iteration(
        &self,
        ready: &Ready,
        node: &PlanNode,
        dead: bool,
        outputs: &mut [Entry],
        local: &mut Vec<Ready>,
    ) {
        let Some(place) = ready.act.as_ref().and_then(|a| a.place.as_ref()) else { return };
        if dead {
            return;
        }
        let value = outputs.first_mut().map_or(Entry::Dead, std::mem::take);
        let frame = &place.frame;
        let mut state = frame.state.lock();
        if place.iteration == state.newest() {
            let limit = self.plan.frames[frame.layout as usize].parallel_iterations.max(1);
            if state.iterations.len() >= limit as usize {
                state.next.push((ready.node, value));
                return;
            }
            self.start_iteration(frame, &mut state, local);
        }
        if let Some(next) = state.iteration(place.iteration + 1) {
            self.activate_counted(next, node, value, local);
        }
    }

    /// Starts the iteration after the newest, with what waits for it and what every iteration sees.
    fn start_iteration(&self, frame: &Arc<Frame>, state: &mut FrameState, local: &mut Vec<Ready>) {
        let shape = &self.plan.frames[frame.layout as usize];
        let number = state.first + state.iterations.len() as u64;
        let fresh = || Arc::new(new_iteration(frame, shape, number));
        let mut iteration = state.free.pop().unwrap_or_else(fresh);
        if Arc::get_mut(&mut iteration).is_none() {
            iteration = fresh();
        }
        let mut visible = Vec::new();
        if let Some(act) = Arc::get_mut(&mut iteration) {
            act.reset();
            if let Some(place) = &mut act.place {
                place.iteration = number;
            }
            for (i, (node, value)) in state.invariants.iter().enumerate() {
                if i >= act.invariants.0 && self.keep(&self.plan.nodes[*node as usize], value, i, act) {
                    act.invariants.1 |= 1 << i;
                }
                if i >= KEPT || act.invariants.1 >> i & 1 == 0 {
                    visible.push(i);
                }
            }
            act.invariants.0 = state.invariants.len();
        }
        state.iterations.push_back(iteration.clone());
        for (node, value) in std::mem::take(&mut state.next) {
            self.activate_counted(&iteration, &self.plan.nodes[node as usize], value, local);
        }
        for i in visible {
            let (node, value) = (state.invariants[i].0, state.invariants[i].1.clone());
            self.activate_counted(&iteration, &self.plan.nodes[node as usize], value, local);
        }
    }

    /// Makes a value that every iteration sees a constant of one, where its consumers wait for something else too; true
    /// where it did.
    fn keep(&self, node: &PlanNode, value: &Entry, number: usize, act: &mut Activation) -> bool {
        let Some(tensor) = value.tensor().filter(|_| number < KEPT) else { return false };
        let edges = &self.plan.edges[node.edges.range()];
        let stays_waiting = |edge: &PlanEdge| {
            let Some(target) = self.plan.nodes.get(edge.node as usize) else { return false };
            let inputs = edges.iter().filter(|e| e.node == edge.node).count();
            target.kind != NodeKind::Merge && awaited(act.start(target.pending)) as usize > inputs
        };
        if node.controls.end > node.controls.start || !edges.iter().all(stays_waiting) {
            return false;
        }
        for edge in edges {
            act.keep(edge.slot, self.plan.nodes[edge.node as usize].pending, tensor);
        }
        true
    }

    /// Hands one value to an iteration and counts what became ready there.
    fn activate_counted(&self, to: &Arc<Activation>, node: &PlanNode, mut value: Entry, local: &mut Vec<Ready>) {
        let first = local.len();
        let dead = matches!(value, Entry::Dead);
        let started = self.activate(to, node, dead, std::slice::from_mut(&mut value), local);
        self.count(to, started, &mut local[first..]);
    }

    /// Removes iterations that are done, starts one that had to wait, and ends the frame after the last.
    fn sweep(self: &Arc<Self>, act: &Act, local: &mut Vec<Ready>) {
        let Some(place) = act.as_ref().and_then(|a| a.place.as_ref()) else { return };
        let frame = &place.frame;
        // The iterations of a plan's only loop have no loops in them.
        let may_have_children = self.plan.frames.len() > 2;
        let mut state = frame.state.lock();
        while let Some(front) = state.iterations.front() {
            let is_done = front.outstanding.load(Ordering::Acquire) == 0
                && (!may_have_children || front.children.lock().is_empty())
                && (state.first > 0 || state.pending_enters == 0);
            if !is_done {
                break;
            }
            if let Some(done) = state.iterations.pop_front() {
                state.first += 1;
                if state.next.is_empty() {
                    if state.free.len() < 2 {
                        state.free.push(done);
                    }
                } else {
                    state.free.push(done);
                    // The number of the next iteration follows from those before it.
                    self.start_iteration(frame, &mut state, local);
                }
            }
        }
        if !(state.iterations.is_empty() && state.pending_enters == 0 && state.next.is_empty()) {
            return;
        }
        let live_exits = std::mem::take(&mut state.live_exits);
        state.free.clear();
        drop(state);
        let parent = self.act(&frame.parent);
        let mut children = parent.children.lock();
        let Some(at) = children.iter().position(|(_, f)| Arc::ptr_eq(f, frame)) else { return };
        children.swap_remove(at);
        drop(children);
        let exits = &self.plan.frames[frame.layout as usize].exits;
        for &exit in exits.iter().filter(|exit| !live_exits.contains(exit)) {
            self.activate_in(&frame.parent, &self.plan.nodes[exit as usize], true, &mut [], local);
        }
        if let Some(iteration) = &frame.parent
            && iteration.outstanding.load(Ordering::Acquire) == 0
        {
            self.sweep(&frame.parent, local);
        }
    }
}

/// One more input of a node that is no merge is there. Returns whether it is ready, and whether it is dead.
#[inline]
fn arrive(act: &Activation, target: &PlanNode, alive: bool, exclusive: bool) -> (bool, bool) {
    // The low half of a count that is not yet done is at least 1, so that it never borrows from the high half.
    let delta = if alive { 1u64.wrapping_neg() } else { ONE_DEAD - 1 };
    let now = act.add_pending(target.pending, delta, exclusive).wrapping_add(delta);
    (awaited(now) == 0, dead_inputs(now) > 0)
}

/// The value of an output for one of its consumers; `last` where no other wants it.
#[inline]
fn hand_over(output: &mut Entry, last: bool) -> Entry {
    if last { std::mem::take(output) } else { output.clone() }
}

/// A number for an iteration and those around it, from the names of the frames; 0 for the root.
pub(crate) fn iteration_number(act: &Act) -> u64 {
    let Some(place) = act.as_ref().and_then(|act| act.place.as_ref()) else { return 0 };
    let mut hasher = std::hash::DefaultHasher::new();
    (iteration_number(&place.frame.parent), &*place.frame.name, place.iteration).hash(&mut hasher);
    hasher.finish().max(1)
}

fn new_iteration(frame: &Arc<Frame>, layout: &FrameLayout, number: u64) -> Activation {
    let mut act = Activation::new(layout);
    act.place = Some(Place { frame: frame.clone(), iteration: number });
    act
}
