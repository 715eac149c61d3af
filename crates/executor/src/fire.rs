//! Fires a node: runs its kernel and passes its outputs to their consumers.

use crate::activation::{Activation, Ready, Task};
use crate::frames::iterations;
use crate::holds::Hold;
use crate::order::Pass;
use crate::park::{Deferral, NodeParker, Returned};
use crate::plan::{NodeIx, NodeKind, PlanNames, PlanNode};
use crate::record;
use crate::schedule::{Lane, Resumed};
use crate::sharing::WORTH_SHARING;
use crate::step::Step;
use levada_graph::{Error, Result};
use levada_kernel::observe::{Admission, Kept, Ran};
use levada_kernel::{Entry, Io, StepCx, Tracing, Uses, outside};
use levada_trace::NodeEvent;
use std::sync::Arc;

/// One in this many cheap nodes checks for cancellation and the deadline.
pub(crate) const LOOK_EVERY: u32 = 16;

/// The number of iterations of a loop that are measured.
const MEASURE_ITERATIONS: u64 = 4;

/// What a kernel leaves besides its outputs.
struct Computed {
    result: Result<()>,
    deferral: Option<Arc<Deferral>>,
    /// In traced steps, its event so far.
    event: Option<NodeEvent>,
    /// What an observer keeps of it.
    kept: Option<Kept>,
    looked: Option<bool>,
}

impl Default for Computed {
    fn default() -> Computed {
        Computed { result: Ok(()), deferral: None, event: None, kept: None, looked: None }
    }
}

impl Step {
    /// True once nodes that have not started must not start.
    #[inline]
    pub(crate) fn is_over(&self, at: NodeIx, lane: &mut Lane<'_>) -> bool {
        if self.outcome.leaves_out(at) {
            return true;
        }
        if let Some(Err(past)) = self.cx.resources.meter().map(|meter| meter.node()) {
            let meta = self.plan.meta(at);
            self.fail(past.at_node(&meta.name, meta.op));
            return true;
        }
        let node = &self.plan.nodes[at as usize];
        // Reading the clock takes longer than a cheap node.
        lane.fired = lane.fired.wrapping_add(1);
        if !lane.fired.is_multiple_of(LOOK_EVERY) && node.cost.nanos() < WORTH_SHARING {
            return false;
        }
        if let Some(entered) = &mut lane.entered {
            entered.take_turns();
        }
        if self.cx.cancel.is_cancelled() {
            self.fail(self.cx.cancel.reason().unwrap_or_else(|| Error::cancelled("the run was cancelled")));
            return true;
        }
        if let Some(Err(reason)) = self.cx.poll.as_ref().map(|poll| poll.look()) {
            self.cut(&reason);
            self.fail(reason);
            return true;
        }
        if self.cx.deadline.is_some_and(|d| levada_sync::now() >= d) {
            let meta = self.plan.meta(at);
            let error = match self.cx.resources.meter() {
                Some(_) => self.cx.past_deadline().at_node(&meta.name, meta.op),
                None => self.cx.past_deadline(),
            };
            self.cut(&error);
            self.fail(error);
            return true;
        }
        false
    }

    /// Fires a node: propagates that it is dead, moves its value, or runs its kernel. `hold` is that of the thread's
    /// list.
    pub(crate) fn fire(self: &Arc<Self>, mut ready: Ready, hold: &Hold, local: &mut Vec<Ready>, lane: &mut Lane<'_>) {
        let node = &self.plan.nodes[ready.node as usize];
        if self.is_over(ready.node, lane) {
            return;
        }
        let (task, inputs) = ready.open(self);
        lane.outputs.clear();
        lane.outputs.resize_with(node.outputs as usize, Entry::default);
        if task.dead && node.kind != NodeKind::Transfer {
            if let Some(tracing) = &self.cx.tracing {
                let event = record::begin(tracing, &self.plan, task, lane.worker, &[]);
                tracing.recorder.record(NodeEvent { dead: true, end_ns: event.start_ns, ..event });
            }
            clear(inputs);
            return self.propagate(ready, node, true, &mut lane.outputs, local);
        }
        let ran = match &self.cx.env.chooser {
            Some(chooser) if self.plan.names[task.node as usize].nature.uses != Uses::Nothing => {
                let pass = match self.admit(chooser, task, inputs) {
                    Admission::Free => None,
                    Admission::Now(number) => Some(Pass { chooser: &**chooser, number }),
                    Admission::Later(ticket) => return self.hold_back(ready, hold, ticket),
                };
                let ran = self.run(ready, node, hold, lane);
                drop(pass);
                ran
            }
            _ => self.run(ready, node, hold, lane),
        };
        match ran {
            Some(Ok(ready)) => self.propagate(ready, node, false, &mut lane.outputs, local),
            Some(Err((at, error))) => {
                let meta = self.plan.meta(at);
                self.fail_in_turn(error.at_node(&meta.name, meta.op), hold);
            }
            None => {}
        }
    }

    /// Runs a node, which leaves its outputs in `lane`, and returns it, or the node that has failed; `None` if it
    /// finishes later.
    #[inline]
    fn run(
        self: &Arc<Self>,
        mut ready: Ready,
        node: &PlanNode,
        hold: &Hold,
        lane: &mut Lane<'_>,
    ) -> Option<Result<Ready, (NodeIx, Error)>> {
        let (task, inputs) = ready.open(self);
        let at = task.node;
        if node.reads_refs
            && let Err(error) = read_refs(&self.plan.names[at as usize], inputs)
        {
            return Some(Err((at, error)));
        }
        if self.is_watched || self.measures(task) {
            if self.cx.tracing.is_none() && self.move_value(node, inputs, &mut lane.outputs) {
                return Some(Ok(ready));
            }
            return self.compute_watched(ready, hold, lane);
        }
        if self.move_value(node, inputs, &mut lane.outputs) {
            return Some(Ok(ready));
        }
        let mut parker = NodeParker { step: self, task, worker: lane.worker, deferral: None };
        let meta = self.plan.meta(at);
        let result = node.kernel.compute(&mut Io::new(inputs, &mut lane.outputs, meta, &self.cx, &mut parker));
        let deferral = parker.deferral;
        clear(inputs);
        if deferral.is_some() || result.is_err() || self.cx.resources.was_cut() {
            return self.after_compute(ready, Computed { result, deferral, ..Computed::default() }, hold, lane);
        }
        match self.check_outputs(node, &lane.outputs) {
            Ok(()) => Some(Ok(ready)),
            Err(error) => Some(Err((at, error))),
        }
    }

    /// True if a node is to be timed: in a loop, the first iterations are representative.
    #[inline]
    fn measures(&self, task: &Task) -> bool {
        let early = |act: &Activation| act.position.as_ref().is_none_or(|p| p.iteration < MEASURE_ITERATIONS);
        self.measure && task.act.as_deref().is_none_or(early)
    }

    /// As [`Step::run`], for a kernel that is observed.
    #[cold]
    fn compute_watched(
        self: &Arc<Self>,
        mut ready: Ready,
        hold: &Hold,
        lane: &mut Lane<'_>,
    ) -> Option<Result<Ready, (NodeIx, Error)>> {
        let node = &self.plan.nodes[ready.node as usize];
        let names = &self.plan.names[ready.node as usize];
        let (task, inputs) = ready.open(self);
        let outputs = &mut lane.outputs;
        let event = self.cx.tracing.as_ref().map(|t| record::begin(t, &self.plan, task, lane.worker, inputs));
        let measure = self.measures(task);
        let meter = self.cx.resources.meter();
        let timer = (measure || meter.is_some()).then(levada_sync::now);
        let observer = self.cx.env.observer.as_ref();
        let kept = observer.and_then(|observer| observer.starts(&names.nature, inputs, &self.cx));
        let mut parker = NodeParker { step: self, task, worker: lane.worker, deferral: None };
        let entered = self.cx.tracing.as_ref().zip(event.as_ref()).map(|(t, event)| record::enter(t, event));
        let env = &self.cx.env;
        let asking = env.outside.as_ref().map(|outside| outside::enter(outside, self.instance(task)));
        // The functions that it calls are distinguished from those that other nodes call.
        let of_node = (names.nature.calls && (env.chooser.is_some() || env.outside.is_some()))
            .then(|| StepCx { line: self.instance(task), ..self.cx.clone() });
        let mut io = Io::new(inputs, outputs, &names.meta, of_node.as_ref().unwrap_or(&self.cx), &mut parker);
        let result = node.kernel.compute(&mut io);
        let looked = io.looked();
        drop((asking, entered));
        if let Some(taken) = timer.map(|timer| levada_sync::now() - timer) {
            if measure {
                node.cost.observe(taken.as_nanos() as u64);
            }
            if let Some(meter) = meter {
                meter.worked(taken);
            }
        }
        let deferral = parker.deferral;
        clear(inputs);
        self.after_compute(ready, Computed { result, deferral, event, kept, looked }, hold, lane)
    }

    /// Continues after a kernel's return.
    #[cold]
    fn after_compute(
        self: &Arc<Self>,
        mut ready: Ready,
        computed: Computed,
        hold: &Hold,
        lane: &mut Lane<'_>,
    ) -> Option<Result<Ready, (NodeIx, Error)>> {
        let Computed { result, deferral, mut event, mut kept, looked } = computed;
        let at = ready.node;
        let result = match self.cx.resources.was_cut() {
            false => result,
            true => result.and_then(|()| self.cx.check()).and_then(|()| Err(self.cx.past_deadline())),
        };
        let result = match deferral {
            None => result,
            Some(deferral) => {
                *deferral.kept.lock() = kept.take();
                match deferral.returned(ready, event.take().map(Box::new), hold) {
                    Some(Returned { ready: same, event: traced, result: finished }) => {
                        kept = deferral.kept.lock().take();
                        ready = same;
                        event = traced.map(|event| deferral.paused(event, None));
                        self.unpark(deferral.id);
                        result.and(finished).map(|entries| lane.outputs = entries)
                    }
                    // The completion brings the node back.
                    None => {
                        if self.outcome.is_cut() {
                            self.fail(Error::cancelled("the step ended while this node waited"));
                        }
                        return result.err().map(|error| Err((at, error)));
                    }
                }
            }
        };
        if let (Some(tracing), Some(event)) = (&self.cx.tracing, event) {
            record::end(tracing, event, &lane.outputs, result.as_ref().err());
        }
        let result = result.and_then(|()| self.check_outputs(&self.plan.nodes[at as usize], &lane.outputs));
        if let (Some(kept), Ok(())) = (kept, &result)
            && !self.observe(&ready, &kept, &lane.outputs, looked)
        {
            return None;
        }
        Some(result.map(|()| ready).map_err(|error| (at, error)))
    }

    /// Shows a node that has run to the observer; false if the step ends with it.
    fn observe(&self, task: &Task, kept: &Kept, outputs: &[Entry], looked: Option<bool>) -> bool {
        let Some(observer) = &self.cx.env.observer else { return true };
        let names = &self.plan.names[task.node as usize];
        let ran = Ran {
            node: &names.meta,
            nature: &names.nature,
            kept,
            outputs,
            step: &self.cx,
            looked,
            iterations: &|| iterations(&task.act),
        };
        match observer.ran(&ran) {
            Ok(()) => true,
            Err(error) => {
                self.fail_from(task.node, error.at_node(&names.meta.name, names.meta.op));
                false
            }
        }
    }

    /// Moves the value of a control flow node without its kernel; false for all other nodes.
    #[inline]
    pub(crate) fn move_value(&self, node: &PlanNode, inputs: &mut [Entry], outputs: &mut [Entry]) -> bool {
        fn pass(input: &mut Entry) -> Option<Entry> {
            match input {
                Entry::Constant(tensor) => Some(Entry::Value(tensor.clone())),
                // The kernel checks that the variable has a value.
                Entry::Ref(_) => None,
                entry => Some(std::mem::take(entry)),
            }
        }
        match (node.kind, inputs) {
            (NodeKind::Enter(_) | NodeKind::Exit | NodeKind::NextIteration, [input]) => {
                let Some(value) = pass(input) else { return false };
                outputs[0] = value;
            }
            (NodeKind::Merge, inputs) => {
                // Only the kernel sets the index of the input.
                let asked = self.plan.edges[node.edges.range()].last().is_some_and(|e| e.output > 0);
                let arrived = inputs.iter_mut().find(|i| !matches!(i, Entry::Empty | Entry::Dead));
                let (false, Some(input)) = (asked, arrived) else { return false };
                let Some(value) = pass(input) else { return false };
                outputs[0] = value;
            }
            (NodeKind::Switch, [input, pred]) => {
                let taken = match pred.tensor().map(|p| (p.shape().is_scalar(), p.slice::<bool>())) {
                    Some((true, Ok([taken]))) => usize::from(*taken),
                    _ => return false,
                };
                let Some(value) = pass(input) else { return false };
                outputs[taken] = value;
                outputs[1 - taken] = Entry::Dead;
                if !matches!(pred, Entry::Constant(_)) {
                    *pred = Entry::Empty;
                }
            }
            _ => return false,
        }
        true
    }

    /// Continues with a deferred node that has finished.
    pub(crate) fn resume(self: &Arc<Self>, resumed: Resumed, hold: &Hold, local: &mut Vec<Ready>, lane: &mut Lane<'_>) {
        let Resumed { ready, outputs, event, aside, kept } = resumed;
        let node = &self.plan.nodes[ready.node as usize];
        let names = &self.plan.names[ready.node as usize];
        let meta = &names.meta;
        if self.outcome.leaves_out(ready.node) {
            return;
        }
        if let (Some(tracing), Some((event, deferral))) = (&self.cx.tracing, event) {
            let event = deferral.paused(event, Some((lane.worker, tracing.recorder.now())));
            record::end_aside(tracing, event, aside, outputs.as_deref().unwrap_or(&[]), outputs.as_ref().err());
        }
        match outputs.and_then(|entries| self.check_outputs(node, &entries).map(|()| entries)) {
            Ok(mut entries) => {
                // Kept values count as shared, so they are dropped before the consumers run.
                if kept.is_none_or(|kept| self.observe(&ready, &kept, &entries, None)) {
                    self.propagate(ready, node, false, &mut entries, local);
                }
            }
            Err(error) => self.fail_in_turn(error.at_node(&meta.name, meta.op), hold),
        }
    }

    /// Passes a node's outputs to their consumers and adds those that become ready to `local`.
    fn propagate(
        self: &Arc<Self>,
        ready: Ready,
        node: &PlanNode,
        dead: bool,
        outputs: &mut [Entry],
        local: &mut Vec<Ready>,
    ) {
        let (first, by) = (local.len(), ready.node);
        if self.plan.has_control_flow {
            self.propagate_in_frames(ready, node, dead, outputs, local);
        } else {
            self.propagate_plainly(ready, outputs, local);
        }
        if self.work.max_threads > 1 {
            self.plan.prioritize(&mut local[first..]);
        }
        if let Some(Tracing { recorder, .. }) = &self.cx.tracing {
            let now = recorder.now();
            local[first..].iter_mut().for_each(|r| r.stamp(now, Some(by)));
        }
    }

    /// Checks that the kernel has set every output, and the memory that they use.
    #[inline]
    pub(crate) fn check_outputs(&self, node: &PlanNode, outputs: &[Entry]) -> Result<()> {
        if outputs.len() != node.outputs as usize {
            return Err(Error::internal(format!("expected {} outputs, got {}", node.outputs, outputs.len())));
        }
        if let Some(i) = outputs.iter().position(|o| matches!(o, Entry::Empty)) {
            return Err(Error::internal(format!("the kernel did not set output {i}")));
        }
        self.cx.resources.meter().map_or(Ok(()), |meter| meter.settle(outputs))
    }

    fn propagate_plainly(&self, ready: Ready, outputs: &mut [Entry], local: &mut Vec<Ready>) {
        let (spent, _) = ready.spend();
        let mut delivery = self.root().deliver(spent, &self.plan);
        while let Some(edge) = delivery.edge() {
            let value = edge.value(&mut outputs[edge.output()]);
            if let Some(ready) = edge.bring(value) {
                local.push(ready);
            }
        }
        while let Some(control) = delivery.control() {
            if let Some(ready) = control.bring() {
                local.push(ready);
            }
        }
    }
}

#[inline]
pub(crate) fn clear(inputs: &mut [Entry]) {
    for input in inputs {
        if !matches!(input, Entry::Constant(_) | Entry::Empty) {
            *input = Entry::Empty;
        }
    }
}

/// Replaces references with the values of their variables, for a kernel that asks for values.
fn read_refs(node: &PlanNames, inputs: &mut [Entry]) -> Result<()> {
    for &i in &node.reads_refs {
        let Some(input) = inputs.get_mut(i as usize) else { continue };
        if let Entry::Ref(cell) = input {
            let value = cell.value.read().clone();
            let value = value.ok_or_else(|| {
                Error::failed_precondition(format!("Attempting to use uninitialized value {}", cell.name))
                    .help("run the variable's initializer first, for instance with --init")
            })?;
            *input = Entry::Value(value);
        }
    }
    Ok(())
}
