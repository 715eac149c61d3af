//! Deferred nodes, whose kernels finish later, and the answers to the stall watch.

use crate::activation::{Ready, Task};
use crate::holds::Hold;
use crate::plan::{NodeIx, PlanNames};
use crate::schedule::{Aside, Resumed, Work};
use crate::step::Step;
use levada_graph::{Error, Result};
use levada_kernel::io::Deferred;
use levada_kernel::observe::Kept;
use levada_kernel::watch::{ParkedNode, Sleeper};
use levada_kernel::{Completion, Entry, Parker, Wait};
use levada_stall::Sleeps;
use levada_sync::Mutex;
use levada_trace::{Awaited, NodeEvent, Origin, Pause};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// A node that was deferred.
struct Parked {
    node: NodeIx,
    since: Instant,
    wait: Wait,
}

/// Nodes that were deferred, by number.
#[derive(Default)]
pub(crate) struct ParkedNodes {
    next: u64,
    nodes: HashMap<u64, Parked>,
}

impl ParkedNodes {
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

/// A node that finishes later. It continues after both the kernel's return and the completion, whichever comes second.
pub(crate) struct Deferral {
    step: Arc<Step>,
    /// Its number among the step's deferred nodes.
    pub(crate) id: u64,
    /// In traced steps, which thread outside the pool computes it, and since when.
    began: OnceLock<(u32, u64)>,
    /// What an observer keeps of it. The lock makes sure that it is taken once.
    pub(crate) kept: Mutex<Option<Kept>>,
    /// In traced steps, the record of its wait. The lock protects it.
    traced: Option<Box<Mutex<TracedWait>>>,
    /// Protects which of the two came first.
    state: Mutex<DeferralState>,
}

/// The wait of a deferred node, for traces.
struct TracedWait {
    worker: u32,
    from_ns: u64,
    served_ns: u64,
    wait: Wait,
    /// The node that ended the wait, and whether it belongs to another step.
    by: Option<(Arc<str>, bool)>,
}

enum DeferralState {
    /// Neither has happened yet.
    Running,
    /// The completion came first.
    Finished(Result<Vec<Entry>>),
    /// The kernel has returned, and the step waits for the completion.
    Waiting(Ready, Option<Box<NodeEvent>>, Hold),
    /// Both have happened.
    Over,
}

/// A deferred node whose completion came before its kernel returned.
pub(crate) struct Returned {
    pub(crate) ready: Ready,
    pub(crate) event: Option<Box<NodeEvent>>,
    pub(crate) result: Result<Vec<Entry>>,
}

impl Deferral {
    /// Called when the kernel has returned. Returns the node with its result if the completion came first. `hold` is
    /// the thread's.
    pub(crate) fn returned(&self, ready: Ready, event: Option<Box<NodeEvent>>, hold: &Hold) -> Option<Returned> {
        let mut state = self.state.lock();
        match std::mem::replace(&mut *state, DeferralState::Over) {
            DeferralState::Finished(result) => Some(Returned { ready, event, result }),
            before => {
                debug_assert!(matches!(before, DeferralState::Running), "a kernel returns twice");
                *state = DeferralState::Waiting(ready, event, self.step.work.holds.another(hold));
                None
            }
        }
    }

    /// Adds the wait to the node's event. `resumed`: the worker that continues with it, and since when; `None` if its
    /// kernel continued.
    pub(crate) fn paused(&self, event: Box<NodeEvent>, resumed: Option<(u32, u64)>) -> NodeEvent {
        let mut event = *event;
        let Some(traced) = &self.traced else { return event };
        let (mut pause, wait) = {
            let traced = traced.lock();
            let (by, elsewhere) =
                traced.by.as_ref().map_or_else(Default::default, |(by, other)| (by.to_string(), *other));
            let served_ns = traced.served_ns.max(traced.from_ns);
            let pause = Pause {
                worker: traced.worker,
                from_ns: traced.from_ns,
                served_ns,
                to_ns: resumed.map_or(served_ns, |(_, at)| at.max(served_ns)),
                awaited: Awaited::External,
                at: String::new(),
                by,
                elsewhere,
            };
            (pause, traced.wait.clone())
        };
        pause.awaited = match wait {
            Wait::External => Awaited::External,
            Wait::Call => Awaited::Call,
            Wait::Send => Awaited::Send,
            Wait::Feed => Awaited::Feed,
            Wait::On(resource, _) => {
                let state = resource.state();
                pause.at = match state.name.as_str() {
                    "" => state.kind.to_owned(),
                    name => format!("{} `{name}`", state.kind),
                };
                Awaited::Resource
            }
        };
        event.worker = resumed.map_or(event.worker, |(worker, _)| worker);
        event.pause = Some(Box::new(pause));
        event
    }

    /// What it waited for has become available.
    fn served(&self) {
        if let (Some(traced), Some(tracing)) = (&self.traced, &self.step.cx.tracing) {
            let (now, by) = (tracing.recorder.now(), Origin::current());
            let mut traced = traced.lock();
            traced.served_ns = now;
            traced.by = by.map(|by| (by.node, !Arc::ptr_eq(&by.recorder, &tracing.recorder)));
        }
    }
}

impl Deferred for Deferral {
    fn wait_for(&self, wait: Wait) {
        let is_certain = |wait: &Wait| matches!(wait, Wait::External);
        let mut parked = self.step.parked.lock();
        let Some(parked) = parked.nodes.get_mut(&self.id) else { return };
        // Counted before and uncounted after, so that the step never seems to sleep in between.
        if is_certain(&wait) {
            self.step.work.activity.expect();
            self.step.cx.resources.wake();
        }
        if let (Some(traced), false) = (&self.traced, is_certain(&wait)) {
            traced.lock().wait = wait.clone();
        }
        let before = std::mem::replace(&mut parked.wait, wait);
        if is_certain(&before) {
            self.step.work.activity.expect_no_more();
        }
    }

    fn began(&self, helper: u32) {
        if let Some(tracing) = &self.step.cx.tracing {
            let _ = self.began.set((helper, tracing.recorder.now()));
        }
    }

    fn finish(self: Arc<Self>, result: Result<Vec<Entry>>) {
        self.served();
        let mut state = self.state.lock();
        let (ready, event, hold) = match std::mem::replace(&mut *state, DeferralState::Over) {
            DeferralState::Waiting(ready, event, hold) => (ready, event, hold),
            before => {
                debug_assert!(matches!(before, DeferralState::Running), "a node finishes twice");
                *state = DeferralState::Finished(result);
                return;
            }
        };
        drop(state);
        self.step.cx.resources.wake();
        let aside = self.began.get().zip(self.step.cx.tracing.as_ref()).map(|(&(helper, start_ns), tracing)| {
            let worker = self.step.cx.env.pool.threads() as u32 + 1 + helper;
            Aside { worker, start_ns, end_ns: tracing.recorder.now() }
        });
        let kept = self.kept.lock().take();
        let event = event.map(|event| (event, self.clone()));
        self.step.shared().push(Work::Resumed(Box::new(Resumed { ready, outputs: result, event, aside, kept }), hold));
        self.step.call_helper();
        self.step.unpark(self.id);
    }
}

pub(crate) struct NodeParker<'a> {
    pub(crate) step: &'a Arc<Step>,
    pub(crate) task: &'a Task,
    pub(crate) worker: u32,
    pub(crate) deferral: Option<Arc<Deferral>>,
}

impl Parker for NodeParker<'_> {
    fn park(&mut self, wait: Wait) -> Completion {
        let traced = self.step.cx.tracing.as_ref().map(|tracing| {
            let from_ns = tracing.recorder.now();
            let (worker, wait) = (self.worker, wait.clone());
            Box::new(Mutex::new(TracedWait { worker, from_ns, served_ns: from_ns, wait, by: None }))
        });
        if matches!(wait, Wait::External) {
            self.step.work.activity.expect();
        }
        let id = {
            let mut parked = self.step.parked.lock();
            parked.next += 1;
            let id = parked.next;
            parked.nodes.insert(id, Parked { node: self.task.node, since: Instant::now(), wait });
            id
        };
        let state = Mutex::new(DeferralState::Running);
        let (step, began, kept) = (self.step.clone(), OnceLock::new(), Mutex::default());
        let deferral = Arc::new(Deferral { step, id, began, kept, traced, state });
        self.deferral = Some(deferral.clone());
        Completion::of(deferral)
    }

    fn iteration(&self) -> u64 {
        crate::frames::iteration_number(&self.task.act)
    }
}

impl Step {
    /// The waiting nodes whose waits satisfy `is_it`.
    fn parked_for(&self, is_it: impl Fn(&Wait) -> bool) -> Vec<usize> {
        let parked = self.parked.lock();
        parked.nodes.values().filter(|p| is_it(&p.wait)).map(|p| p.node as usize).collect()
    }

    /// Removes a node from the deferred ones.
    pub(crate) fn unpark(&self, id: u64) {
        let parked = self.parked.lock().nodes.remove(&id);
        if parked.is_some_and(|p| matches!(p.wait, Wait::External)) {
            self.work.activity.expect_no_more();
        }
    }
}

impl Sleeps for Step {
    fn sleeps(&self) -> Option<u64> {
        let wakes = self.cx.resources.wakes();
        let idle = self.work.activity.is_idle() && self.shared().is_empty() && !self.outcome.is_aborted();
        if !idle || (self.work.holds.are_gone() && !self.is_part) {
            return None;
        }
        let asleep = self.is_part || self.cx.resources.all_sleep();
        asleep.then_some(wakes)
    }
}

impl Sleeper for Step {
    fn number(&self) -> u64 {
        self.cx.id
    }

    fn parked(&self) -> Vec<ParkedNode> {
        let own = |parked: &Parked| match &parked.wait {
            Wait::On(resource, waiter) => {
                let meta = self.plan.meta(parked.node);
                Some(ParkedNode {
                    node: meta.name.clone(),
                    op: meta.op,
                    step: self.cx.id,
                    since: parked.since,
                    resource: resource.clone(),
                    waiter: *waiter,
                })
            }
            Wait::External | Wait::Call | Wait::Send | Wait::Feed => None,
        };
        let mut nodes: Vec<ParkedNode> = self.parked.lock().nodes.values().filter_map(own).collect();
        if !self.is_part {
            nodes.extend(self.cx.resources.members().iter().flat_map(|member| member.parked()));
        }
        nodes.sort_by(|a, b| (a.since, &a.node).cmp(&(b.since, &b.node)));
        nodes
    }

    fn calling(&self) -> Vec<Arc<str>> {
        let calls = self.parked_for(|wait| matches!(wait, Wait::Call));
        calls.into_iter().map(|node| self.plan.meta(node as NodeIx).name.clone()).collect()
    }

    fn unfed(&self) -> Vec<Arc<str>> {
        let feeds = self.parked_for(|wait| matches!(wait, Wait::Feed));
        feeds.into_iter().map(|node| self.plan.meta(node as NodeIx).name.clone()).collect()
    }

    fn behind(&self, node: &str) -> Vec<Arc<str>> {
        let plan = &self.plan;
        let mut found = vec![false; plan.nodes.len()];
        let mut open: Vec<usize> = match plan.names.iter().position(|n| n.all().iter().any(|name| **name == *node)) {
            Some(first) => vec![first],
            None => self.parked_for(|wait| matches!(wait, Wait::Call)),
        };
        // What is sent to another device depends on what this one waits for.
        open.extend(self.parked_for(|wait| matches!(wait, Wait::Send)));
        while let Some(at) = open.pop() {
            for to in plan.after(&plan.nodes[at]) {
                if !std::mem::replace(&mut found[to as usize], true) {
                    open.push(to as usize);
                }
            }
        }
        plan.names.iter().zip(found).filter(|(_, found)| *found).flat_map(|(n, _)| n.all()).cloned().collect()
    }

    fn nodes(&self) -> Vec<Arc<str>> {
        self.plan.names.iter().flat_map(PlanNames::all).cloned().collect()
    }

    fn fail(&self, error: Error) {
        self.cut(&error);
        // Waiting nodes are cancelled and fail the step with this error. One that is served just now continues, so that
        // what it took out of a queue is not lost.
        self.cx.cancel.cancel_with(error);
    }

    fn has_deadline(&self) -> bool {
        self.cx.deadline.is_some()
    }
}
