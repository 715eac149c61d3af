//! Reports stalls and waits: the nodes of runs in progress that wait at a queue or the like, and the nodes that could
//! end the wait.
//!
//! ```text
//! step 3: `dequeue` (QueueDequeueV2) has waited 2.0 s to take 1 element of FIFOQueue `queue` (0 of 10 elements, open)
//!   - `enqueue` (QueueEnqueueV2) puts into it, but no run in progress includes it, and its queue runner was never started
//! ```

use crate::queue_runner::RunnerStatus;
use levada_graph::error::Report;
use levada_graph::{Act, Code, Error, Graph, Registry};
use levada_kernel::watch::{Need, Sleeper, WaitableState};
use serde_json::{Value, json};
use sites::{Run, Sites, waiting};
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write};
use std::sync::Arc;
use std::time::Duration;

mod sites;

pub use sites::{is_handle, own_name, waitable_name};

/// The nodes of a session's runs that wait.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    /// The waiting nodes, longest wait first.
    pub nodes: Vec<WaitingNode>,
    /// True if nothing can end the wait.
    pub stalled: bool,
}

/// A node that waits.
#[derive(Clone, Debug)]
pub struct WaitingNode {
    /// Number of the run in its session.
    pub step: u64,
    /// Name of the node.
    pub node: String,
    /// Its op.
    pub op: &'static str,
    /// For how long it has waited.
    pub waited: Duration,
    /// Where it waits.
    pub resource: WaitableState,
    /// What it needs.
    pub need: Need,
    /// The property of the resource that prevents progress, if any.
    pub obstacle: Option<String>,
    /// The node that has what this one waits for, or that waits for the same and came first.
    pub ahead: Option<Ahead>,
    /// The nodes of the graph that could end the wait.
    pub partners: Vec<Partner>,
}

/// A node that comes before a waiting one.
#[derive(Clone, Debug)]
pub struct Ahead {
    /// The node.
    pub node: String,
    /// The run that it is in; `None` for a run that is over.
    pub step: Option<u64>,
    /// True if it has what the other waits for, or has its turn; false if it waits too.
    pub has_it: bool,
    /// What it waits for, as the end of a sentence.
    pub waits: Option<String>,
}

/// A node that could end the wait of another.
#[derive(Clone, Debug)]
pub struct Partner {
    /// Name of the node.
    pub node: String,
    /// Its op.
    pub op: &'static str,
    /// What it would do.
    pub act: Act,
    /// True if its act would be to pass the turn on.
    pub gives_up: bool,
    /// Where it is.
    pub is: Whereabouts,
    /// The state of the queue runner it belongs to, if any.
    pub runner: Option<RunnerState>,
}

/// The state of a queue runner.
#[derive(Clone, PartialEq, Debug)]
pub enum RunnerState {
    /// It was never started.
    NeverStarted,
    /// It runs.
    Running,
    /// It was stopped.
    Stopped,
    /// It ended with this.
    Ended(Error),
}

/// Where a node is that could end the wait of another.
#[derive(Clone, PartialEq, Debug)]
pub enum Whereabouts {
    /// In no run in progress.
    NotRun,
    /// In this run, and has run in it.
    Ran(u64),
    /// In this run, waiting at a resource itself.
    Waits(u64),
    /// In this run, behind this node, which waits.
    Behind(u64, String),
}

impl Waiting {
    /// The nodes of these steps that wait.
    pub(crate) fn of(
        graph: &Graph,
        steps: &[Arc<dyn Sleeper>],
        registry: &Registry,
        runners: Vec<RunnerStatus>,
    ) -> Waiting {
        let sites = Sites::of(graph, registry, runners);
        // The step of a partial run is listed a second time for its caller.
        let mut seen = HashSet::new();
        let runs: Vec<Run> = steps.iter().filter(|step| seen.insert(step.number())).map(Run::of).collect();
        let mut nodes = Vec::new();
        for run in &runs {
            for parked in &run.parked {
                if let Some(need) = parked.resource.need(parked.waiter) {
                    nodes.push(waiting(&sites, &runs, parked, need));
                }
            }
        }
        say_what_those_ahead_wait_for(&mut nodes);
        nodes.sort_by_key(|node| std::cmp::Reverse(node.waited));
        Waiting { nodes, stalled: false }
    }

    /// True if no node waits.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The error of a step whose waiting nodes can never be woken.
    pub(crate) fn stall(mut self, step: &dyn Sleeper) -> Error {
        self.stalled = true;
        let code = if step.has_deadline() { Code::DeadlineExceeded } else { Code::Aborted };
        let own = step.parked().into_iter().next();
        let first = self.nodes.iter().find(|n| own.as_ref().is_some_and(|p| p.step == n.step && *p.node == n.node));
        let Some(first) = first.or(self.nodes.first()) else {
            return Error::new(code, "the run is stalled: nothing can end its wait");
        };
        let message = format!("the run would wait forever: {first}{}", first.reason());
        let (node, op, help) = (first.node.clone(), first.op, first.help());
        let error = Error::new(code, message).node(node).help(help).with_report(Arc::new(self));
        error.op(op)
    }

    /// As JSON: `{"stalled", "nodes": [{"step", "node", "op", "waited_ms", "resource": {...}, "need": {...},
    /// "obstacle", "partners": [{"node", "op", "act", "is", "step", "behind", "runner", "error"}]}]}`.
    pub fn to_json(&self) -> Value {
        let nodes: Vec<Value> = self
            .nodes
            .iter()
            .map(|n| {
                json!({
                    "step": n.step,
                    "node": n.node,
                    "op": n.op,
                    "waited_ms": n.waited.as_secs_f64() * 1e3,
                    "resource": {
                        "kind": n.resource.kind,
                        "name": n.resource.name,
                        "size": n.resource.size,
                        "capacity": n.resource.capacity,
                        "closed": n.resource.closed,
                        "min_after_dequeue": n.resource.min_after_dequeue,
                        "incomplete": n.resource.incomplete,
                    },
                    "need": {
                        "act": verb(n.need.act),
                        "elements": n.need.elements,
                        "so_far": n.need.so_far,
                        "key": n.need.key,
                    },
                    "obstacle": n.obstacle,
                    "ahead": n.ahead.as_ref().map(|a| {
                        json!({ "node": a.node, "step": a.step, "has_it": a.has_it, "waits": a.waits })
                    }),
                    "partners": n.partners.iter().map(Partner::to_json).collect::<Vec<Value>>(),
                })
            })
            .collect();
        json!({ "stalled": self.stalled, "nodes": nodes })
    }

    /// As a Graphviz graph: resources are boxes, nodes ellipses, and an arrow leads to the resource that a node waits
    /// for.
    pub fn to_dot(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let mut out = String::from("digraph waiting {\n  rankdir=LR;\n");
        for n in &self.nodes {
            let resource = quoted(&format!("{} {}", n.resource.kind, n.resource.name));
            let label = quoted(&format!("{} {}\n{}", n.resource.kind, n.resource.name, holds(&n.resource)));
            // Writing to a string cannot fail.
            let _ = writeln!(out, "  {resource} [shape=box, label={}];", label.replace('\n', "\\n"));
            let _ = writeln!(out, "  {} -> {resource} [label={}];", quoted(&n.node), quoted(&wants(&n.need)));
            for p in &n.partners {
                let text = p.why();
                let _ = writeln!(out, "  {resource} -> {} [style=dashed, label={}];", quoted(&p.node), quoted(&text));
                if let Whereabouts::Behind(_, behind) = &p.is {
                    let _ = writeln!(out, "  {} -> {} [label=\"comes after\"];", quoted(&p.node), quoted(behind));
                }
            }
        }
        out.push_str("}\n");
        out
    }
}

impl Report for Waiting {
    fn text(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, node) in self.nodes.iter().enumerate() {
            if i > 0 {
                f.write_char('\n')?;
            }
            write!(f, "step {}: {node}", node.step)?;
            if let Some(obstacle) = &node.obstacle {
                write!(f, "\n  - {obstacle}")?;
            }
            if let Some(ahead) = &node.ahead {
                write!(f, "\n  - {ahead}")?;
            }
            for partner in &node.partners {
                write!(f, "\n  - {partner}")?;
            }
            if node.is_left_alone() {
                write!(f, "\n  - {}", nobody(node.need.act))?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for WaitingNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WaitableState { kind, name, .. } = &self.resource;
        let waited = self.waited.as_secs_f64();
        if self.need.turn {
            return write!(f, "`{}` ({}) has waited {waited:.1} s for its turn at {kind} `{name}`", self.node, self.op);
        }
        write!(f, "`{}` ({}) has waited {waited:.1} s to {} ", self.node, self.op, wants(&self.need))?;
        write!(
            f,
            "{} {kind} `{name}` ({})",
            if self.need.act == Act::Put { "into" } else { "of" },
            holds(&self.resource)
        )
    }
}

impl WaitingNode {
    /// True if the graph has no node that could end the wait. For resources without a capacity the kinds of nodes that
    /// could are unknown: the message then says what is missing.
    fn is_left_alone(&self) -> bool {
        let is_said = self.obstacle.is_some() && self.resource.capacity.is_none();
        self.partners.is_empty() && self.ahead.is_none() && !is_said
    }

    /// Why nothing ends the wait; follows the sentence that says what is waited for.
    fn reason(&self) -> String {
        if let Some(ahead) = &self.ahead {
            let released = self.partners.iter().find(|p| p.gives_up && ahead.waits.is_none());
            return released.map_or_else(|| format!("; {ahead}"), |partner| format!("; {ahead}; {partner}"));
        }
        match (&self.obstacle, self.partners.as_slice()) {
            (Some(obstacle), _) if !self.is_left_alone() => format!("; {obstacle}"),
            (_, []) => format!("; {}", nobody(self.need.act)),
            (_, [first, rest @ ..]) => match rest.len() {
                0 => format!("; {first}"),
                n => format!("; {first}, and {n} more could not either"),
            },
        }
    }

    fn help(&self) -> String {
        if let Some(Ahead { node, waits: Some(_), .. }) = &self.ahead {
            return format!("end the wait of `{node}`; its own wait is shown next to it");
        }
        if self.obstacle.is_some() && !self.is_left_alone() {
            let ran = |p: &&Partner| matches!(p.is, Whereabouts::Ran(_));
            let free = self.partners.iter().find(|p| !ran(p));
            return match (free.or(self.partners.first()), self.resource.capacity) {
                (Some(other), Some(_)) => {
                    format!("raise the capacity, ask for fewer elements, or run `{}` meanwhile", other.node)
                }
                (Some(other), None) if free.is_none() => {
                    let node = &other.node;
                    format!(
                        "`{node}` has run and was not enough: ask for fewer elements, or add the rest in another run"
                    )
                }
                (Some(other), None) => {
                    format!("let `{}` provide the missing elements, before or from another thread", other.node)
                }
                (None, _) => {
                    "provide the missing elements meanwhile: in the same run, or from other threads".to_owned()
                }
            };
        }
        match self.partners.first().and_then(|p| p.runner.as_ref()) {
            Some(RunnerState::NeverStarted) => {
                return "start the queue runners: `session.start_queue_runners`, or --queue-runners".to_owned();
            }
            Some(RunnerState::Ended(error)) if error.code() != Code::OutOfRange => {
                return format!("fix the failure of the queue runner of `{}`", self.resource.name);
            }
            _ => {}
        }
        let behind = self.partners.iter().find_map(|p| match &p.is {
            Whereabouts::Behind(_, behind) => Some((p, behind)),
            _ => None,
        });
        if let Some((partner, behind)) = behind {
            return format!("let `{}` run without waiting for `{behind}`, in another run for instance", partner.node);
        }
        match self.partners.first() {
            Some(Partner { node, is: Whereabouts::Ran(_), .. }) => {
                format!("`{node}` has run and was not enough: run it again from another thread, or ask for less")
            }
            Some(partner) => format!("run `{}` in this run, from another thread, or before", partner.node),
            None if self.ahead.is_some() => "let the nodes that come first end".to_owned(),
            None => format!("add a node that {} `{}`", deed(counter(self.need.act)), self.resource.name),
        }
    }
}

impl fmt::Display for Partner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let deed = if self.gives_up { "gives it up" } else { &format!("{} it", deed(self.act)) };
        write!(f, "`{}` ({}) {deed}, but {}", self.node, self.op, self.why())
    }
}

impl fmt::Display for Ahead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.node, if self.has_it { "has it" } else { "waits there too and came first" })?;
        match self.step {
            Some(step) => write!(f, ", in step {step}")?,
            None if self.has_it => f.write_str(", of a run that is over")?,
            None => {}
        }
        match &self.waits {
            Some(waits) if self.has_it => write!(f, ", and waits itself {waits}"),
            Some(waits) => write!(f, ", {waits}"),
            None => Ok(()),
        }
    }
}

/// Adds to the nodes ahead of others what they wait for themselves.
fn say_what_those_ahead_wait_for(nodes: &mut [WaitingNode]) {
    let waits = |node: &WaitingNode| {
        let WaitableState { kind, name, .. } = &node.resource;
        match node.need.turn {
            true => format!("for its turn at {kind} `{name}`"),
            false => {
                let what = if node.need.act == Act::Put { "into" } else { "of" };
                let why = if node.ahead.is_none() { node.reason() } else { Default::default() };
                format!("to {} {what} {kind} `{name}` ({}){why}", wants(&node.need), holds(&node.resource))
            }
        }
    };
    let texts: HashMap<(u64, String), String> = nodes.iter().map(|n| ((n.step, n.node.clone()), waits(n))).collect();
    for ahead in nodes.iter_mut().filter_map(|n| n.ahead.as_mut()) {
        ahead.waits = ahead.step.and_then(|step| texts.get(&(step, ahead.node.clone())).cloned());
    }
}

impl fmt::Display for Whereabouts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Whereabouts::NotRun => f.write_str("no run in progress includes it"),
            Whereabouts::Ran(step) => write!(f, "it has run already in step {step}"),
            Whereabouts::Waits(step) => write!(f, "it is waiting too, in step {step}"),
            Whereabouts::Behind(step, node) => write!(f, "it comes after `{node}`, which waits in step {step}"),
        }
    }
}

impl fmt::Display for RunnerState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunnerState::NeverStarted => f.write_str("its queue runner was never started"),
            RunnerState::Running => f.write_str("its queue runner runs"),
            RunnerState::Stopped => f.write_str("its queue runner was stopped"),
            RunnerState::Ended(error) => {
                let fault = error.fault();
                let node = fault.node.as_ref().map_or_else(String::new, |node| format!(" at `{node}`"));
                write!(f, "its queue runner has ended with {}{node}: {}", error.code().name(), error.message())
            }
        }
    }
}

impl Partner {
    /// Why it does not end the wait.
    fn why(&self) -> String {
        match (&self.is, &self.runner) {
            (Whereabouts::NotRun, Some(RunnerState::Running)) => "its queue runner is between two steps".to_owned(),
            (Whereabouts::NotRun, Some(runner)) => runner.to_string(),
            (is, Some(RunnerState::Running)) => format!("{is}, for its queue runner"),
            (is, _) => is.to_string(),
        }
    }

    fn to_json(&self) -> Value {
        let (is, step, behind) = match &self.is {
            Whereabouts::NotRun => ("not run", None, None),
            Whereabouts::Ran(step) => ("ran", Some(step), None),
            Whereabouts::Waits(step) => ("waits", Some(step), None),
            Whereabouts::Behind(step, behind) => ("behind", Some(step), Some(behind)),
        };
        let (runner, error) = match &self.runner {
            None => (None, None),
            Some(RunnerState::NeverStarted) => (Some("never started"), None),
            Some(RunnerState::Running) => (Some("running"), None),
            Some(RunnerState::Stopped) => (Some("stopped"), None),
            Some(RunnerState::Ended(error)) => (Some("ended"), Some(error.message())),
        };
        json!({ "node": self.node, "op": self.op, "act": verb(self.act), "is": is, "step": step, "behind": behind,
            "runner": runner, "error": error })
    }
}

fn verb(act: Act) -> &'static str {
    match act {
        Act::Make => "make",
        Act::Put => "put",
        Act::Take => "take",
        Act::Close => "close",
    }
}

/// The verb for an act, to be followed by the resource.
fn deed(act: Act) -> &'static str {
    match act {
        Act::Make => "makes",
        Act::Put => "puts into",
        Act::Take => "takes out of",
        Act::Close => "closes",
    }
}

/// The act that ends a wait for this act.
fn counter(act: Act) -> Act {
    if act == Act::Take { Act::Put } else { Act::Take }
}

fn nobody(act: Act) -> &'static str {
    match act {
        Act::Take => "no node of the graph puts anything into it",
        _ => "no node of the graph takes anything out of it",
    }
}

fn wants(need: &Need) -> String {
    let elements = match need.elements {
        1 => "1 element".to_owned(),
        n => format!("{n} elements"),
    };
    if let Some(key) = need.key {
        return format!("{} the element with key {key}", verb(need.act));
    }
    match need.act {
        Act::Close => "close, after pending puts,".to_owned(),
        act if need.so_far > 0 => format!("{} {elements} ({} so far)", verb(act), need.so_far),
        act => format!("{} {elements}", verb(act)),
    }
}

fn holds(resource: &WaitableState) -> String {
    let mut text = match resource.capacity {
        Some(capacity) => format!("{} of {capacity} elements", resource.size),
        None => format!("{} elements", resource.size),
    };
    if resource.min_after_dequeue > 0 {
        let _ = write!(text, ", {} must stay", resource.min_after_dequeue);
    }
    if resource.incomplete > 0 {
        let _ = write!(text, ", {} more incomplete", resource.incomplete);
    }
    text.push_str(if resource.closed { ", closed" } else { ", open" });
    text
}
