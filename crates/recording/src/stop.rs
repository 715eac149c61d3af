//! Captures the inputs and outputs of a node, and ends the replay there.

use levada_graph::{Error, Result, Tensor};
use levada_kernel::observe::{Kept, Ran};
use levada_kernel::{Entry, Nature, NodeMeta, Observer, StepCx};
use parking_lot::Mutex;

/// A node at which a replay has stopped.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Its name.
    pub node: String,
    /// Its op.
    pub op: String,
    /// Number of the run.
    pub run: u64,
    /// The functions that it ran in.
    pub function: Option<String>,
    /// The loops that it ran in and their iterations, from 0, outermost first.
    pub iterations: Vec<(String, u64)>,
    /// Its inputs; `None` for those that are dead or not tensors.
    pub inputs: Vec<Option<Tensor>>,
    /// Its outputs.
    pub outputs: Vec<Option<Tensor>>,
}

/// Waits for a node to run.
pub(crate) struct Until {
    node: String,
    /// If set, only in this run.
    run: Option<u64>,
    /// Protects the result.
    found: Mutex<Option<Stop>>,
}

impl Until {
    pub(crate) fn new(node: &str, run: Option<u64>) -> Until {
        Until { node: node.to_owned(), run, found: Mutex::default() }
    }

    pub(crate) fn found(&self) -> Option<Stop> {
        self.found.lock().clone()
    }

    fn keep(&self, ran: &Ran<'_>, node: &NodeMeta, inputs: Vec<Option<Tensor>>, outputs: Vec<Option<Tensor>>) {
        self.found.lock().get_or_insert_with(|| Stop {
            node: node.name.to_string(),
            op: node.op.to_owned(),
            run: ran.step.id,
            function: ran.step.within.as_ref().map(|within| within.to_string()),
            iterations: (ran.iterations)().into_iter().map(|(frame, n)| (frame.to_string(), n)).collect(),
            inputs,
            outputs,
        });
    }
}

fn tensor(entry: &Entry) -> Option<Tensor> {
    match entry {
        Entry::Ref(cell) => cell.value.read().clone(),
        other => other.tensor().cloned(),
    }
}

impl Observer for Until {
    fn starts(&self, _: &Nature, inputs: &[Entry], step: &StepCx) -> Option<Kept> {
        if self.run.is_some_and(|run| run != step.id) || self.found.lock().is_some() {
            return None;
        }
        // The value of a variable before the node changes it.
        let kept = |input: &Entry| match input {
            Entry::Ref(cell) => cell.value.read().clone().map_or(Entry::Dead, Entry::Value),
            other => other.clone(),
        };
        Some(Kept { inputs: inputs.iter().map(kept).collect(), ..Kept::default() })
    }

    fn ran(&self, ran: &Ran<'_>) -> Result<()> {
        let is_one_of_several = ran.nature.group.as_ref().is_some_and(|group| group.outputs.len() > 1);
        if *ran.node.name == *self.node && !is_one_of_several {
            let inputs = ran.kept.inputs.iter().map(tensor).collect();
            self.keep(ran, ran.node, inputs, ran.outputs.iter().map(tensor).collect());
        } else if let Some(group) = &ran.nature.group {
            group.walk(&ran.kept.inputs, ran.step, &mut |part, given, value| {
                let is_it = *part.meta.name == *self.node;
                if is_it {
                    let given = given.iter().cloned().map(Some).collect();
                    self.keep(ran, &part.meta, given, vec![Some(value.clone())]);
                }
                is_it
            });
        }
        match &*self.found.lock() {
            Some(stop) => Err(Error::cancelled(format!("the replay has stopped at {}", stop.node))),
            None => Ok(()),
        }
    }
}
