//! Loops and conditionals: dead values, frames, iterations. The rules are those of TensorFlow's executor, as described
//! in "Dynamic Control Flow in Large-Scale Machine Learning" (Yu et al., EuroSys 2018, section 4).

use crate::activation::{Activation, Delivery, Invariant, Ready, Spent};
use crate::plan::{FrameLayout, NodeIx, NodeKind, PlanNode};
use crate::schedule::Lane;
use crate::step::Step;
use crate::straight::{Arrived, StraightEnd, StraightRun};
use levada_graph::Error;
use levada_kernel::Entry;
use levada_kernel::observe::line_of;
use levada_sync::Mutex;
use std::cell::Cell;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An iteration; `None` stands for the root frame.
type Scope = Option<Arc<Activation>>;

/// An iteration of a frame, as its number.
pub(crate) struct Position {
    pub(crate) frame: Arc<Frame>,
    pub(crate) iteration: u64,
}

/// A running loop, entered from one iteration of the frame around it.
pub(crate) struct Frame {
    pub(crate) name: Arc<str>,
    pub(crate) layout: u32,
    parent: Scope,
    /// Protects the loop's iterations: which exist, and what waits for the next one.
    state: Mutex<FrameState>,
}

#[derive(Default)]
struct FrameState {
    /// Existing iterations, from number `first`. The front ones are done first.
    iterations: VecDeque<Arc<Activation>>,
    first: u64,
    /// `Enter` nodes that have not arrived yet.
    pending_enters: u32,
    /// What has arrived of a loop that runs straight once everything has arrived.
    gathered: Option<Vec<Arrived>>,
    /// Values for an iteration that must wait, because the maximum number are running.
    next: Vec<(Spent, Entry)>,
    /// Values that every iteration sees.
    invariants: Vec<Invariant>,
    /// The exits that have not passed on a value yet.
    exits: Vec<Spent>,
    /// Iterations that are done, for reuse.
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
    /// Breaks the reference cycle between the frame and its iterations.
    pub(crate) fn dismantle(&self) {
        let state = std::mem::take(&mut *self.state.lock());
        for iteration in state.iterations.iter().chain(&state.free) {
            let children = std::mem::take(&mut *iteration.children.lock());
            children.iter().for_each(|(_, frame)| frame.dismantle());
        }
    }
}

impl Step {
    /// Passes on a node's outputs by the rules of its kind.
    pub(crate) fn propagate_in_frames(
        self: &Arc<Self>,
        ready: Ready,
        node: &PlanNode,
        dead: bool,
        outputs: &mut [Entry],
        local: &mut Vec<Ready>,
    ) {
        // A live receive may carry a dead value: then all its outputs are dead, and its control edges too.
        let dead = dead || (node.kind == NodeKind::Transfer && outputs.iter().any(|o| matches!(o, Entry::Dead)));
        let (spent, mut act) = ready.spend();
        match node.kind {
            NodeKind::Enter(constant) => {
                self.enter(&act, spent, constant, dead, outputs, local);
                self.leave(&act, 0, local);
            }
            NodeKind::Exit => {
                self.exit(&act, &spent, dead, outputs, local);
                self.leave(&act, 0, local);
            }
            NodeKind::NextIteration => {
                self.next_iteration(&act, spent, dead, outputs, local);
                self.leave(&act, 0, local);
            }
            _ => {
                let first = local.len();
                let started = self.activate(self.act(&act), spent, dead, outputs, local);
                self.leave(&act, started, local);
                // The last one takes over this node's hold on the iteration.
                if let Some(act) = act.take()
                    && let Some((last, others)) = local[first..first + started].split_last_mut()
                {
                    others.iter_mut().for_each(|other| other.bind(act.clone()));
                    last.bind(act);
                }
            }
        }
    }

    /// Delivers a node's outputs to its consumers within `act`; returns how many became ready. The caller binds these
    /// to the iteration, and adds them to its outstanding nodes.
    fn activate(
        &self,
        act: &Activation,
        spent: Spent,
        dead: bool,
        outputs: &mut [Entry],
        local: &mut Vec<Ready>,
    ) -> usize {
        self.activate_along(act, act.deliver(spent, &self.plan), dead, outputs, local)
    }

    fn activate_along(
        &self,
        act: &Activation,
        mut delivery: Delivery<'_>,
        dead: bool,
        outputs: &mut [Entry],
        local: &mut Vec<Ready>,
    ) -> usize {
        let before = local.len();
        let from = delivery.node().kind;
        while let Some(edge) = delivery.edge() {
            let output = outputs.get_mut(edge.output());
            let output = output.filter(|o| !dead && !matches!(o, Entry::Dead | Entry::Empty));
            let value = output.map(|output| edge.value(output));
            let target = edge.target();
            let (Some(mut ready), Some(target)) = (edge.bring_alive_or_dead(value), target) else { continue };
            // A value that only passes through a node continues immediately: a computed value selects a branch of a
            // switch, and a value that a loop has computed enters the merge.
            let passes = match target.kind {
                NodeKind::Merge => from == NodeKind::NextIteration,
                NodeKind::Switch => from == NodeKind::Plain,
                _ => false,
            };
            if passes && !ready.dead && self.only_moves(target) {
                let mut passed = [Entry::Empty, Entry::Empty];
                if self.move_value(target, ready.open_in(act, &self.plan), &mut passed) {
                    let (spent, _) = ready.spend();
                    self.activate(act, spent, false, &mut passed, local);
                    continue;
                }
            }
            self.list(ready, target, local);
        }
        while let Some(control) = delivery.control() {
            let target = control.target();
            if let Some(ready) = control.bring_alive_or_dead(!dead) {
                self.list(ready, target, local);
            }
        }
        local.len() - before
    }

    /// True for a merge whose second output, the number of its input, is not used, and for other nodes of control flow,
    /// in a step that is not traced.
    #[inline]
    fn only_moves(&self, node: &PlanNode) -> bool {
        let edges = &self.plan.edges[node.edges.range()];
        let asked = node.kind == NodeKind::Merge && edges.last().is_some_and(|e| e.output > 0);
        self.cx.tracing.is_none() && !node.reads_refs && !asked
    }

    /// Adds a ready node to the list.
    #[inline]
    fn list(&self, ready: Ready, node: &PlanNode, local: &mut Vec<Ready>) {
        // The end of the loop shows which exits never passed on a value.
        if !(ready.dead && node.kind == NodeKind::Exit && self.cx.tracing.is_none()) {
            local.push(ready);
        }
    }

    /// As [`Step::activate`], for nodes of iteration `to`, which are counted there.
    fn activate_in(&self, to: &Scope, spent: Spent, dead: bool, outputs: &mut [Entry], local: &mut Vec<Ready>) {
        match to {
            None => drop(self.activate(self.root(), spent, dead, outputs, local)),
            Some(to) => {
                let first = local.len();
                self.activate(to, spent, dead, outputs, local);
                count(to, &mut local[first..]);
            }
        }
    }

    /// A node of iteration `act` is done and has made `started` others of that iteration ready.
    fn leave(self: &Arc<Self>, act: &Scope, started: usize, local: &mut Vec<Ready>) {
        let Some(iteration) = act else { return };
        match started {
            0 => {
                if iteration.end_one() {
                    self.sweep(act, local);
                }
            }
            more => iteration.add_outstanding(more - 1),
        }
    }

    fn enter(
        self: &Arc<Self>,
        act: &Scope,
        spent: Spent,
        constant: bool,
        dead: bool,
        outputs: &mut [Entry],
        local: &mut Vec<Ready>,
    ) {
        let Some(layout) = self.plan.enters(&self.plan.nodes[spent.node() as usize]) else { return };
        let frame = self.child(act, layout);
        let mut state = frame.state.lock();
        let value = outputs.first_mut().filter(|_| !dead).map_or(Entry::Dead, std::mem::take);
        state.pending_enters = state.pending_enters.saturating_sub(1);
        let is_last = state.pending_enters == 0;
        let arrived = Arrived { spent, constant, value };
        match &mut state.gathered {
            Some(gathered) => {
                gathered.push(arrived);
                if is_last && let Some(arrived) = state.gathered.take() {
                    if arrived.iter().all(|a| matches!(a.value, Entry::Value(_) | Entry::Constant(_))) {
                        drop(state);
                        self.work.straight.lock().push(StraightRun { frame, arrived });
                        return;
                    }
                    arrived.into_iter().for_each(|arrived| self.bring_in(&mut state, arrived, local));
                }
            }
            None => self.bring_in(&mut state, arrived, local),
        }
        let idle = is_last && !state.iterations.iter().any(|i| i.is_busy());
        let front = state.iterations.front().cloned();
        drop(state);
        if idle && front.is_some() {
            self.sweep(&front, local);
        }
    }

    /// Brings a value into a loop: to its first iteration, or to all.
    fn bring_in(&self, state: &mut FrameState, arrived: Arrived, local: &mut Vec<Ready>) {
        let Arrived { spent, constant, mut value } = arrived;
        if constant {
            let invariant = Invariant::new(spent, state.invariants.len(), value);
            for iteration in &state.iterations {
                self.activate_invariant(iteration, &invariant, local);
            }
            state.invariants.push(invariant);
        } else if let Some(first) = state.iteration(0).cloned() {
            let dead = matches!(value, Entry::Dead);
            self.activate_in(&Some(first), spent, dead, std::slice::from_mut(&mut value), local);
        }
    }

    /// Runs a loop straight, and then takes its values out; or lets it continue as others do.
    pub(crate) fn work_straight(
        self: &Arc<Self>,
        mut run: StraightRun,
        current: &Cell<NodeIx>,
        local: &mut Vec<Ready>,
        lane: &mut Lane<'_>,
    ) {
        let Some(line) = self.plan.straight(run.frame.layout) else { return };
        let end = self.run_straight(line, &mut run, current, lane);
        let StraightRun { frame, arrived } = run;
        match end {
            StraightEnd::Failed => {}
            StraightEnd::GoesOn => {
                let mut state = frame.state.lock();
                arrived.into_iter().for_each(|arrived| self.bring_in(&mut state, arrived, local));
            }
            StraightEnd::Exits(mut values) => {
                frame.state.lock().iterations.clear();
                self.end_frame(&frame, local, |exit| {
                    let at = values.iter().position(|(node, _)| *node == exit)?;
                    Some(values.swap_remove(at).1)
                });
            }
        }
    }

    /// The child frame of this layout of an iteration, made when the first `Enter` arrives.
    fn child(self: &Arc<Self>, parent: &Scope, layout: u32) -> Arc<Frame> {
        let mut children = self.act(parent).children.lock();
        if let Some((_, frame)) = children.iter().find(|(l, _)| *l == layout) {
            return frame.clone();
        }
        let shape = &self.plan.frames[layout as usize];
        let gathers = self.plan.straight(layout).is_some_and(|line| self.may_run_straight(line));
        let state = FrameState {
            pending_enters: shape.enters,
            exits: Spent::exits(shape),
            gathered: gathers.then(Vec::new),
            ..FrameState::default()
        };
        let frame =
            Arc::new(Frame { name: shape.name.clone(), layout, parent: parent.clone(), state: Mutex::new(state) });
        frame.state.lock().iterations.push_back(Arc::new(self.new_iteration(&frame, shape, 0)));
        children.push((layout, frame.clone()));
        frame
    }

    fn exit(&self, act: &Scope, spent: &Spent, dead: bool, outputs: &mut [Entry], local: &mut Vec<Ready>) {
        let Some(position) = position(act).filter(|_| !dead) else { return };
        let right = {
            let exits = &mut position.frame.state.lock().exits;
            let at = exits.iter().position(|exit| exit.node() == spent.node());
            at.map(|at| exits.remove(at))
        };
        match right {
            Some(right) => self.activate_in(&position.frame.parent, right, false, outputs, local),
            None => {
                let meta = self.plan.meta(spent.node());
                let error = Error::invalid("an Exit passes on a value in two iterations of its loop");
                self.fail(error.at_node(&meta.name, meta.op).help("the input of an Exit is an output of a Switch"));
            }
        }
    }

    fn next_iteration(&self, act: &Scope, spent: Spent, dead: bool, outputs: &mut [Entry], local: &mut Vec<Ready>) {
        let Some(position) = position(act).filter(|_| !dead) else { return };
        let value = outputs.first_mut().map_or(Entry::Dead, std::mem::take);
        let frame = &position.frame;
        let mut state = frame.state.lock();
        if position.iteration == state.newest() {
            let env = &self.cx.env;
            // A chooser of the order of nodes may choose among all that the graph allows.
            let threads = if env.chooser.is_some() { usize::MAX } else { env.pool.shares() };
            let limit = self.plan.frames[frame.layout as usize].most_iterations(threads);
            if state.iterations.len() >= limit as usize {
                state.next.push((spent, value));
                return;
            }
            self.start_iteration(frame, &mut state, spent.node(), local);
        }
        if let Some(next) = state.iteration(position.iteration + 1) {
            self.activate_counted(next, spent, value, local);
        }
    }

    /// Starts the iteration after the newest, with what waits for it and what every iteration sees. `by`: the node
    /// whose value arrives first.
    fn start_iteration(&self, frame: &Arc<Frame>, state: &mut FrameState, by: NodeIx, local: &mut Vec<Ready>) {
        let shape = &self.plan.frames[frame.layout as usize];
        let number = state.first + state.iterations.len() as u64;
        if let Some(Err(past)) = self.cx.resources.meter().map(|meter| meter.iteration()) {
            let meta = self.plan.meta(by);
            self.fail(past.at_node(&meta.name, meta.op));
        }
        let fresh = || Arc::new(self.new_iteration(frame, shape, number));
        let mut iteration = state.free.pop().unwrap_or_else(fresh);
        if Arc::get_mut(&mut iteration).is_none() {
            iteration = fresh();
        }
        let mut delivered = Vec::new();
        if let Some(act) = Arc::get_mut(&mut iteration) {
            act.reset();
            if let Some(position) = &mut act.position {
                position.iteration = number;
            }
            for (i, invariant) in state.invariants.iter().enumerate() {
                if !act.keep(invariant, &self.plan) {
                    delivered.push(i);
                }
            }
        }
        state.iterations.push_back(iteration.clone());
        for (spent, value) in std::mem::take(&mut state.next) {
            self.activate_counted(&iteration, spent, value, local);
        }
        for i in delivered {
            self.activate_invariant(&iteration, &state.invariants[i], local);
        }
    }

    /// Delivers one value to an iteration and counts what became ready there.
    fn activate_counted(&self, to: &Arc<Activation>, spent: Spent, mut value: Entry, local: &mut Vec<Ready>) {
        let first = local.len();
        let dead = matches!(value, Entry::Dead);
        self.activate(to, spent, dead, std::slice::from_mut(&mut value), local);
        count(to, &mut local[first..]);
    }

    /// As [`Step::activate_counted`], for a value that every iteration sees.
    fn activate_invariant(&self, to: &Arc<Activation>, invariant: &Invariant, local: &mut Vec<Ready>) {
        let first = local.len();
        let mut value = invariant.value.clone();
        let dead = matches!(value, Entry::Dead);
        let delivery = to.deliver_invariant(invariant, &self.plan);
        self.activate_along(to, delivery, dead, std::slice::from_mut(&mut value), local);
        count(to, &mut local[first..]);
    }

    /// Removes iterations that are done, starts one that had to wait, and ends the frame after the last.
    fn sweep(self: &Arc<Self>, act: &Scope, local: &mut Vec<Ready>) {
        let Some(position) = position(act) else { return };
        let frame = &position.frame;
        // The iterations of a plan's only loop have no loops in them.
        let may_have_children = self.plan.frames.len() > 2;
        let mut state = frame.state.lock();
        while let Some(front) = state.iterations.front() {
            let is_done = !front.is_busy()
                && (!may_have_children || front.children.lock().is_empty())
                && (state.first > 0 || state.pending_enters == 0);
            if !is_done {
                break;
            }
            if let Some(done) = state.iterations.pop_front() {
                state.first += 1;
                if let Some(by) = state.next.first().map(|(spent, _)| spent.node()) {
                    state.free.push(done);
                    // The number of the next iteration follows from those before it.
                    self.start_iteration(frame, &mut state, by, local);
                } else if state.free.len() < 2 {
                    state.free.push(done);
                }
            }
        }
        if !(state.iterations.is_empty() && state.pending_enters == 0 && state.next.is_empty()) {
            return;
        }
        state.free.clear();
        drop(state);
        self.end_frame(frame, local, |_| None);
    }

    /// Removes a frame that is done, and delivers `value` of each exit that has not passed on a value yet; the exit is
    /// dead if that is `None`.
    fn end_frame(
        self: &Arc<Self>,
        frame: &Arc<Frame>,
        local: &mut Vec<Ready>,
        mut value: impl FnMut(NodeIx) -> Option<Entry>,
    ) {
        let parent = self.act(&frame.parent);
        let mut children = parent.children.lock();
        let Some(at) = children.iter().position(|(_, f)| Arc::ptr_eq(f, frame)) else { return };
        children.swap_remove(at);
        drop(children);
        // Of several threads that get here, the one that removed the frame ends it.
        let exits = std::mem::take(&mut frame.state.lock().exits);
        for exit in exits {
            match value(exit.node()) {
                Some(mut value) => {
                    self.activate_in(&frame.parent, exit, false, std::slice::from_mut(&mut value), local);
                }
                None => self.activate_in(&frame.parent, exit, true, &mut [], local),
            }
        }
        if frame.parent.as_ref().is_some_and(|iteration| !iteration.is_busy()) {
            self.sweep(&frame.parent, local);
        }
    }

    fn new_iteration(&self, frame: &Arc<Frame>, layout: &FrameLayout, number: u64) -> Activation {
        Activation::iteration(layout, Position { frame: frame.clone(), iteration: number }, self.exclusive())
    }
}

/// Binds nodes that became ready to their iteration, and counts them there.
fn count(to: &Arc<Activation>, nodes: &mut [Ready]) {
    nodes.iter_mut().for_each(|ready| ready.bind(to.clone()));
    to.add_outstanding(nodes.len());
}

fn position(act: &Scope) -> Option<&Position> {
    act.as_ref()?.position.as_ref()
}

/// The loops around a node and their iterations, outermost first.
pub(crate) fn iterations(act: &Scope) -> Vec<(Arc<str>, u64)> {
    let mut all = Vec::new();
    let mut at = position(act);
    while let Some(here) = at {
        all.push((here.frame.name.clone(), here.iteration));
        at = position(&here.frame.parent);
    }
    all.reverse();
    all
}

/// As [`iteration_number`], but the same in every session and version.
pub(crate) fn line_of_iteration(act: &Scope) -> u64 {
    let Some(position) = position(act) else { return 0 };
    let frame = line_of(line_of_iteration(&position.frame.parent), &*position.frame.name);
    line_of(frame, &position.iteration).max(1)
}

/// A number for an iteration and those around it, from the names of the frames; 0 for the root.
pub(crate) fn iteration_number(act: &Scope) -> u64 {
    let Some(position) = position(act) else { return 0 };
    let mut hasher = std::hash::DefaultHasher::new();
    (iteration_number(&position.frame.parent), &*position.frame.name, position.iteration).hash(&mut hasher);
    hasher.finish().max(1)
}

/// A node that is ready in an iteration of a loop of its own.
#[cfg(test)]
pub(crate) fn ready_in(iteration: u64, node: crate::plan::NodeIx) -> Ready {
    let frame = Arc::new(Frame { name: "loop".into(), layout: 1, parent: None, state: Mutex::default() });
    let act = Activation::iteration(&FrameLayout::default(), Position { frame, iteration }, false);
    let mut ready = Ready::of(node);
    ready.bind(Arc::new(act));
    ready
}
