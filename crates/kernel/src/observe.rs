//! Who watches the nodes of a session's steps run, and who chooses which of them is next: for tools that look for the origin
//! of a value or for what depends on the order of nodes.

use crate::env::StepCx;
use crate::finite::Sought;
use crate::group::Group;
use crate::io::{Entry, NodeMeta, Variable};
use levada_graph::{Handle, Result, Tensor};
use smallvec::SmallVec;
use std::sync::Arc;

/// What a node does with values, to whoever watches it.
#[derive(Clone, Default)]
pub struct Nature {
    /// It computes its outputs from its inputs. False where it only passes values on, brings them from elsewhere, or calls
    /// nodes that do it.
    pub computes: bool,
    /// It brings values from state, from files or from strings.
    pub brings: bool,
    /// It changes variables that it is given.
    pub changes: bool,
    /// It has state or uses some, so that it matters what runs before it.
    pub is_stateful: bool,
    /// The nodes that it computes as one.
    pub group: Option<Arc<Group>>,
}

/// What an observer keeps of a node that starts, until it has run.
#[derive(Default)]
pub struct Kept {
    /// Its inputs; empty ones where they are not kept.
    pub inputs: SmallVec<[Entry; 4]>,
    /// Variables among them that it changes, with what an observer notes of each.
    pub variables: SmallVec<[Before; 1]>,
}

/// A variable before a node changes it.
pub struct Before {
    /// Number of the input that refers to it.
    pub input: usize,
    /// The variable.
    pub cell: Arc<Variable>,
    /// Its value, where that is kept.
    pub value: Option<Tensor>,
    /// Whether it was what an observer wants variables to be.
    pub was_good: bool,
}

/// A node that has run.
pub struct Ran<'a> {
    /// Its names.
    pub node: &'a NodeMeta,
    /// What it does.
    pub nature: &'a Nature,
    /// What was kept of it.
    pub kept: &'a Kept,
    /// Its outputs.
    pub outputs: &'a [Entry],
    /// Its step.
    pub step: &'a StepCx,
    /// True where one of the nodes that it computes as one gave what [`Observer::seeks`].
    pub is_suspect: bool,
    /// The loops that it is in and their iterations, the outermost first.
    pub iterations: &'a dyn Fn() -> Vec<(Arc<str>, u64)>,
}

/// Watches nodes run.
pub trait Observer: Send + Sync {
    /// What to keep of a node that is about to run; `None` where it is of no interest. What is kept of a value makes the node's
    /// kernel copy it rather than change it in place.
    fn starts(&self, nature: &Nature, inputs: &[Entry], step: &StepCx) -> Option<Kept>;

    /// What to look for in the results of nodes that are computed as one, where only the last one's can be seen.
    fn seeks(&self) -> Option<Sought> {
        None
    }

    /// A node of interest has run.
    ///
    /// # Errors
    /// Where the step is to end here. Nodes that come before this one may still run.
    fn ran(&self, ran: &Ran<'_>) -> Result<()>;
}

/// A node that is ready.
pub struct Candidate<'a> {
    /// Its name.
    pub name: &'a Arc<str>,
    /// The functions that it is inside of.
    pub function: Option<&'a Arc<str>>,
    /// [`Nature::is_stateful`]
    pub is_stateful: bool,
}

/// Chooses the order of nodes, in sessions of one thread.
pub trait Chooser: Send + Sync {
    /// The number of the one that runs next. There are at least two.
    fn choose<'a>(&self, ready: &mut dyn ExactSizeIterator<Item = Candidate<'a>>) -> usize;
}

/// The variable that an input refers to.
pub fn variable(input: &Entry) -> Option<Arc<Variable>> {
    match input {
        Entry::Ref(cell) => Some(cell.clone()),
        entry => {
            let handles: &[Handle] = entry.tensor()?.slice().ok()?;
            let [handle] = handles else { return None };
            handle.object.clone()?.downcast().ok()
        }
    }
}
