//! What each node waited for last.

use crate::event::{NodeEvent, StepTrace};
use std::collections::HashMap;

/// The runs of each node in a step.
pub struct Causes<'a> {
    step: &'a StepTrace,
    /// The runs of each node by end; fused nodes are listed under each of their names.
    runs: HashMap<&'a str, Vec<usize>>,
    /// The sources of edges, by target.
    sources: HashMap<&'a str, Vec<&'a str>>,
}

impl<'a> Causes<'a> {
    /// The runs of a step.
    pub fn of(step: &'a StepTrace) -> Causes<'a> {
        let mut runs: HashMap<&str, Vec<usize>> = HashMap::new();
        for (i, event) in step.events.iter().enumerate() {
            for node in event.nodes() {
                runs.entry(node).or_default().push(i);
            }
        }
        runs.values_mut().for_each(|runs| runs.sort_by_key(|&i| step.events[i].end_ns));
        let mut sources: HashMap<&str, Vec<&str>> = HashMap::new();
        // If it was recorded which node released each node, the edges are not needed.
        if step.events.iter().all(|e| e.released_by.is_empty()) {
            for (from, to) in &step.edges {
                sources.entry(to).or_default().push(from);
            }
        }
        Causes { step, runs, sources }
    }

    /// The last run of a node that ended no later than `until`.
    pub fn last_run(&self, node: &str, until: u64) -> Option<usize> {
        let runs = self.runs.get(node)?;
        let ended = runs.partition_point(|&i| self.step.events[i].end_ns <= until);
        runs[..ended].last().copied()
    }

    /// The run of a node that was in progress at `at`.
    pub fn run_at(&self, node: &str, at: u64) -> Option<usize> {
        let runs = self.runs.get(node)?;
        let ended = runs.partition_point(|&i| self.step.events[i].end_ns < at);
        runs[ended..].iter().copied().find(|&i| self.step.events[i].start_ns <= at)
    }

    /// The event that released this one: the input that arrived last.
    pub fn released(&self, event: usize) -> Option<usize> {
        let e = &self.step.events[event];
        if !e.released_by.is_empty() {
            return self.last_run(&e.released_by, e.ready_ns.max(e.start_ns)).filter(|&by| by != event);
        }
        let names = e.nodes().iter().flat_map(|node| self.sources.get(&**node).into_iter().flatten());
        let before = names.filter_map(|source| {
            // In a loop the same node runs many times; its last run before this one counts.
            let last = self.last_run(source, e.start_ns)?;
            (last != event && self.step.events[last].start_ns < e.end_ns).then_some(last)
        });
        let ended = |&i: &usize| self.step.events[i].end_ns;
        let last = before.max_by_key(ended)?;
        let order = |e: &NodeEvent| (e.end_ns, e.start_ns);
        (order(&self.step.events[last]) < order(e)).then_some(last)
    }

    /// Among the events in functions called from `function` that started no earlier than `from`, the last one that
    /// ended by `until`.
    pub fn last_inside(&self, function: &str, from: u64, until: u64) -> Option<usize> {
        let is_inside = |e: &NodeEvent| match function {
            "" => !e.function.is_empty(),
            outer => e.function.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/')),
        };
        // Events are sorted by start.
        let first = self.step.events.partition_point(|e| e.start_ns < from);
        let started = self.step.events[first..].iter().zip(first..).take_while(|(e, _)| e.start_ns <= until);
        let ended = started.filter(|(e, _)| e.end_ns <= until && is_inside(e));
        // Of two that ended at the same time, the outer one.
        ended.max_by_key(|(e, _)| (e.end_ns, std::cmp::Reverse(e.function.len()))).map(|(_, i)| i)
    }
}
