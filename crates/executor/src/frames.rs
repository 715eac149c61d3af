//! Loops and conditionals: dead values, frames, iterations. The rules are those of TensorFlow's executor, as described
//! in "Dynamic Control Flow in Large-Scale Machine Learning" (Yu et al., EuroSys 2018, section 4).

use crate::activation::Activation;
use crate::plan::{FETCH, FrameLayout, NodeIx, NodeKind, ONE_DEAD, PlanNode};
use crate::step::{Ready, Step, awaited, dead_inputs};
use levada_kernel::Entry;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

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
    /// Exits that were dead in the newest iteration.
    dead_exits: Vec<NodeIx>,
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
        ready: &Ready,
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
                let started = self.activate(&ready.act, node, dead, outputs, local);
                self.leave(&ready.act, started, local);
            }
        }
    }

    /// Hands outputs to the node's consumers within iteration `to`; returns how many became ready. The caller adds them
    /// to the iteration's outstanding nodes.
    fn activate(&self, to: &Act, node: &PlanNode, dead: bool, outputs: &mut [Entry], local: &mut Vec<Ready>) -> usize {
        let before = local.len();
        let act = self.act(to);
        for edge in &self.plan.edges[node.edges.range()] {
            let value = match outputs.get_mut(edge.output as usize) {
                Some(Entry::Dead | Entry::Empty) | None => None,
                Some(_) if dead => None,
                Some(output) => Some(if edge.last { std::mem::take(output) } else { output.clone() }),
            };
            if edge.node == FETCH {
                let value = value.unwrap_or(Entry::Dead);
                // SAFETY: this edge is the only one that ends in the fetch's slot.
                #[allow(unsafe_code)]
                unsafe {
                    act.put(edge.slot, value);
                }
                continue;
            }
            self.arrive_in_frame(to, act, edge.node, Some((edge.slot, value)), node, dead, local);
        }
        for &target in &self.plan.controls[node.controls.range()] {
            self.arrive_in_frame(to, act, target, None, node, dead, local);
        }
        local.len() - before
    }

    /// One more input of `target` arrives: over a data edge a slot and perhaps a value, over a control edge nothing.
    #[inline]
    fn arrive_in_frame(
        &self,
        to: &Act,
        act: &Activation,
        target: NodeIx,
        data: Option<(u32, Option<Entry>)>,
        from: &PlanNode,
        from_dead: bool,
        local: &mut Vec<Ready>,
    ) {
        let node = &self.plan.nodes[target as usize];
        let exclusive = self.exclusive();
        let (is_ready, is_dead) = if node.kind == NodeKind::Merge {
            let inputs = node.inputs.end - node.inputs.start;
            let _lock = self.merging.lock();
            match data {
                Some((slot, Some(value))) => {
                    let old = act.mark_live(node.pending);
                    if old & 1 == 1 {
                        // SAFETY: under the lock, and only the first live input writes.
                        #[allow(unsafe_code)]
                        unsafe {
                            act.put(slot, value);
                        }
                    }
                    (awaited(old) == 1, false)
                }
                Some((_, None)) => {
                    let now = act.add_pending(node.pending, ONE_DEAD, exclusive).wrapping_add(ONE_DEAD);
                    // A dead `Enter` means that the whole loop is dead: nothing will ever come over the back edge.
                    let all_dead =
                        dead_inputs(now) == inputs || matches!(from.kind, NodeKind::Enter(_) | NodeKind::Relay);
                    (awaited(now) == 1 && all_dead, all_dead)
                }
                None => {
                    let now = act.add_pending(node.pending, 2u64.wrapping_neg(), exclusive).wrapping_sub(2);
                    let all_dead = dead_inputs(now) == inputs;
                    (awaited(now) == 0 || (awaited(now) == 1 && all_dead), all_dead)
                }
            }
        } else {
            let alive = match data {
                Some((slot, Some(value))) => {
                    // SAFETY: this edge is the only one that ends in the slot, and its consumer waits for it still.
                    #[allow(unsafe_code)]
                    unsafe {
                        act.put(slot, value);
                    }
                    true
                }
                Some((_, None)) => false,
                None => !from_dead,
            };
            // The low half of a count that is not yet done is at least 1, so that it never borrows from the high half.
            let delta = if alive { 1u64.wrapping_neg() } else { ONE_DEAD - 1 };
            let now = act.add_pending(node.pending, delta, exclusive).wrapping_add(delta);
            (awaited(now) == 0, dead_inputs(now) > 0)
        };
        if is_ready {
            let dead = is_dead && node.kind != NodeKind::ControlTrigger;
            local.push(Ready { node: target, dead, act: to.clone(), since: 0 });
        }
    }

    /// A node of iteration `act` is done and has made `started` others of that iteration ready.
    fn leave(self: &Arc<Self>, act: &Act, started: usize, local: &mut Vec<Ready>) {
        let Some(iteration) = act else { return };
        match started {
            0 => {
                if iteration.outstanding.fetch_sub(1, Ordering::AcqRel) == 1 {
                    self.sweep(act, local);
                }
            }
            1 => {}
            more => {
                iteration.outstanding.fetch_add(more - 1, Ordering::AcqRel);
            }
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
                self.activate_counted(iteration, node, value.clone(), local);
            }
            state.invariants.push((ready.node, value));
        } else if let Some(first) = state.iteration(0).cloned() {
            let to = Some(first);
            let started = self.activate(&to, node, dead, outputs, local);
            self.act(&to).outstanding.fetch_add(started, Ordering::AcqRel);
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
            let mut state = place.frame.state.lock();
            if place.iteration == state.newest() {
                state.dead_exits.push(ready.node);
            }
            return;
        }
        let to = &place.frame.parent;
        let started = self.activate(to, node, false, outputs, local);
        if let Some(parent) = to {
            parent.outstanding.fetch_add(started, Ordering::AcqRel);
        }
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
        if let Some(next) = state.iteration(place.iteration + 1).cloned() {
            self.activate_counted(next, node, value, local);
        }
    }

    /// Starts the iteration after the newest, with what waits for it and what every iteration sees.
    fn start_iteration(&self, frame: &Arc<Frame>, state: &mut FrameState, local: &mut Vec<Ready>) {
        let shape = &self.plan.frames[frame.layout as usize];
        let number = state.first + state.iterations.len() as u64;
        let iteration = match state.free.pop() {
            Some(mut used) => match Arc::get_mut(&mut used) {
                Some(act) => {
                    act.reset();
                    act.place = Some(Place { frame: frame.clone(), iteration: number });
                    used
                }
                None => Arc::new(new_iteration(frame, shape, number)),
            },
            None => Arc::new(new_iteration(frame, shape, number)),
        };
        state.dead_exits.clear();
        state.iterations.push_back(iteration.clone());
        for (node, value) in std::mem::take(&mut state.next) {
            self.activate_counted(iteration.clone(), &self.plan.nodes[node as usize], value, local);
        }
        for i in 0..state.invariants.len() {
            let (node, value) = (state.invariants[i].0, state.invariants[i].1.clone());
            self.activate_counted(iteration.clone(), &self.plan.nodes[node as usize], value, local);
        }
    }

    /// Hands one value to an iteration and counts what became ready there.
    fn activate_counted(&self, to: Arc<Activation>, node: &PlanNode, value: Entry, local: &mut Vec<Ready>) {
        let dead = matches!(value, Entry::Dead);
        let to = Some(to);
        let started = self.activate(&to, node, dead, &mut [value], local);
        self.act(&to).outstanding.fetch_add(started, Ordering::AcqRel);
    }

    /// Removes iterations that are done, starts one that had to wait, and ends the frame after the last.
    fn sweep(self: &Arc<Self>, act: &Act, local: &mut Vec<Ready>) {
        let Some(place) = act.as_ref().and_then(|a| a.place.as_ref()) else { return };
        let frame = place.frame.clone();
        let mut state = frame.state.lock();
        while let Some(front) = state.iterations.front() {
            let is_done = front.outstanding.load(Ordering::Acquire) == 0
                && front.children.lock().is_empty()
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
                    self.start_iteration(&frame, &mut state, local);
                }
            }
        }
        if !(state.iterations.is_empty() && state.pending_enters == 0 && state.next.is_empty()) {
            return;
        }
        let dead_exits = std::mem::take(&mut state.dead_exits);
        state.free.clear();
        drop(state);
        let parent = self.act(&frame.parent);
        let mut children = parent.children.lock();
        let Some(at) = children.iter().position(|(_, f)| Arc::ptr_eq(f, &frame)) else { return };
        children.swap_remove(at);
        drop(children);
        let mut started = 0;
        for exit in dead_exits {
            started += self.activate(&frame.parent, &self.plan.nodes[exit as usize], true, &mut [], local);
        }
        if let Some(iteration) = &frame.parent {
            iteration.outstanding.fetch_add(started, Ordering::AcqRel);
            if iteration.outstanding.load(Ordering::Acquire) == 0 {
                self.sweep(&frame.parent, local);
            }
        }
    }
}

fn new_iteration(frame: &Arc<Frame>, layout: &FrameLayout, number: u64) -> Activation {
    let mut act = Activation::new(layout);
    act.place = Some(Place { frame: frame.clone(), iteration: number });
    act
}
