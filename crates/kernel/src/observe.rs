//! Observers of the nodes of a session's steps, and choosers of which runs next: for tools that look for the origin of
//! a value or for results that depend on the order of nodes, and for those that record an order or replay a recorded
//! one.

use crate::env::StepCx;
use crate::finite::Sought;
use crate::group::Group;
use crate::io::{Entry, NodeMeta, Variable};
use levada_graph::{Bytes, Error, Handle, Result, Tensor};
use smallvec::SmallVec;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// What a node does with values, for observers.
#[derive(Clone, Default)]
pub struct Nature {
    /// It computes its outputs from its inputs, and may make a NaN or an infinity from finite ones. False if it only
    /// passes values on, brings them from elsewhere, or calls nodes that compute.
    pub computes: bool,
    /// It reads values from state, from files or from strings.
    pub brings: bool,
    /// It changes variables among its inputs.
    pub changes: bool,
    /// It has state or uses some, so that it matters what runs before it.
    pub is_stateful: bool,
    /// The state that it uses.
    pub uses: Uses,
    /// It calls functions, whose nodes use state on their own.
    pub calls: bool,
    /// The nodes that it computes as one.
    pub group: Option<Arc<Group>>,
}

/// The state that a node uses, which determines the other nodes relative to which its order matters.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Uses {
    /// None.
    #[default]
    Nothing,
    /// State that no other node sees, such as a stream of random numbers.
    Own,
    /// The state its inputs refer to: variables, queues, tables, iterators.
    Inputs,
    /// State that cannot be determined: files, the program around the session, resources named by attrs.
    Anything,
}

/// What an observer keeps of a node from its start until it has run.
#[derive(Default)]
pub struct Kept {
    /// Its inputs; empty if they are not kept.
    pub inputs: SmallVec<[Entry; 4]>,
    /// The variables among them that it changes, with the observer's record of each.
    pub variables: SmallVec<[Before; 1]>,
}

/// A variable before a node changes it.
pub struct Before {
    /// Index of the input that refers to it.
    pub input: usize,
    /// The variable.
    pub cell: Arc<Variable>,
    /// Its value, if that is kept.
    pub value: Option<Tensor>,
    /// Whether its value was free of what the observer seeks.
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
    /// Whether the kernel, having searched itself, found what [`Observer::seeks`] in its results, in variables that it
    /// changed or in the outputs of the nodes that it computes as one; `None` if it has not searched.
    pub looked: Option<bool>,
    /// The loops that it is in and their iterations, outermost first.
    pub iterations: &'a dyn Fn() -> Vec<(Arc<str>, u64)>,
}

/// Observes nodes as they run.
pub trait Observer: Send + Sync {
    /// What to keep of a node that is about to run; `None` if it is of no interest. Keeping a value makes the node's
    /// kernel copy it rather than change it in place.
    fn starts(&self, nature: &Nature, inputs: &[Entry], step: &StepCx) -> Option<Kept>;

    /// What to search for in kernels that have their results in a cache, or whose results are not all visible.
    fn seeks(&self) -> Option<Sought> {
        None
    }

    /// Called when a node of interest has run.
    ///
    /// # Errors
    /// If the step is to end here. Nodes that come before this one may still run.
    fn ran(&self, ran: &Ran<'_>) -> Result<()>;
}

/// A ready node.
pub struct Candidate<'a> {
    /// Its name.
    pub name: &'a Arc<str>,
    /// The functions that it is nested in.
    pub function: Option<&'a Arc<str>>,
    /// [`Nature::is_stateful`]
    pub is_stateful: bool,
}

/// A node that is about to use state.
pub struct Turn<'a> {
    /// Its names.
    pub node: &'a NodeMeta,
    /// [`Nature::uses`]
    pub uses: Uses,
    /// Its inputs.
    pub inputs: &'a [Entry],
    /// A number for the node, its step and its iteration: [`instance`].
    pub instance: u64,
    /// Its step.
    pub step: &'a StepCx,
}

impl Turn<'_> {
    /// The state that it uses, as numbers that are the same for all its users for as long as it exists.
    pub fn places(&self) -> SmallVec<[u64; 2]> {
        let number = |place: &dyn Fn(&mut DefaultHasher)| {
            let mut hasher = DefaultHasher::new();
            place(&mut hasher);
            hasher.finish()
        };
        let resource = |container: &str, name: &str| number(&|h| ("resource", container, name).hash(h));
        let mut places = SmallVec::new();
        match self.uses {
            Uses::Nothing => {}
            Uses::Own => places.push(number(&|h| ("own", self.step.scope.id, &*self.node.name).hash(h))),
            Uses::Anything => places.push(number(&|h| "anything".hash(h))),
            Uses::Inputs => {
                for input in self.inputs {
                    match input {
                        Entry::Ref(cell) => {
                            places.push(number(&|h| ("cell", Arc::as_ptr(cell) as usize).hash(h)));
                            // A reference to a queue or the like holds its name.
                            let value = cell.value.read();
                            let names: &[Bytes] = value.as_ref().and_then(|v| v.slice().ok()).unwrap_or_default();
                            if let [container, name] = names {
                                places.push(resource(
                                    &String::from_utf8_lossy(container),
                                    &String::from_utf8_lossy(name),
                                ));
                            }
                        }
                        entry => {
                            let handles: &[Handle] = entry.tensor().and_then(|t| t.slice().ok()).unwrap_or_default();
                            places.extend(handles.iter().map(|handle| resource(&handle.container, &handle.name)));
                        }
                    }
                }
                places.sort_unstable();
                places.dedup();
            }
        }
        places
    }
}

/// A number for a node in an iteration of a step whose number is `line`: [`StepCx::line`]. It is the same in every
/// session that does the same.
pub fn instance(line: u64, node: &str, iteration: u64) -> u64 {
    line_of(line_of(line, node), &iteration)
}

/// The number of `what` within something whose number is `line`. Written to files, so it never changes: FNV-1a.
pub fn line_of(line: u64, what: impl Line) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mix =
        |hash: u64, bytes: &[u8]| bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME));
    what.with_bytes(|bytes| mix(mix(0xcbf2_9ce4_8422_2325, &line.to_le_bytes()), bytes))
}

/// What numbers are made from: [`line_of`].
pub trait Line {
    /// Its bytes.
    fn with_bytes<T>(&self, take: impl FnOnce(&[u8]) -> T) -> T;
}

impl Line for &str {
    fn with_bytes<T>(&self, take: impl FnOnce(&[u8]) -> T) -> T {
        take(self.as_bytes())
    }
}

impl Line for &u64 {
    fn with_bytes<T>(&self, take: impl FnOnce(&[u8]) -> T) -> T {
        take(&self.to_le_bytes())
    }
}

/// Whether a node may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    /// Immediately, and [`Chooser::left`] is not called.
    Free,
    /// Immediately. Once its kernel has returned, [`Chooser::left`] gets the number.
    Now(u64),
    /// Not yet. [`Chooser::wait`] gets the number.
    Later(u64),
}

/// Lets a node that was held back ask again. Must be called outside of locks.
pub type Again = Box<dyn FnOnce() + Send>;

/// Chooses the order of nodes.
pub trait Chooser: Send + Sync {
    /// The index of the node that a thread runs next, out of at least two; `None` for the default one. Used to try
    /// other orders, in sessions of one thread.
    fn choose<'a>(&self, ready: &mut dyn ExactSizeIterator<Item = Candidate<'a>>) -> Option<usize> {
        let _ = ready;
        None
    }

    /// Whether a node that uses state may run now.
    fn admit(&self, turn: &Turn<'_>) -> Admission {
        let _ = turn;
        Admission::Free
    }

    /// Called for a node that got [`Admission::Later`] and is held back. Calls `again` when it may ask again,
    /// immediately if it already may.
    fn wait(&self, ticket: u64, again: Again) {
        let _ = ticket;
        again();
    }

    /// Called when the kernel of a node that was admitted has returned.
    fn left(&self, pass: u64) {
        let _ = pass;
    }

    /// Called when a run ends for a reason outside its nodes: a deadline, a cancellation, a stall.
    fn cut(&self, run: u64, reason: &Error) {
        let _ = (run, reason);
    }

    /// Called when a node of a run fails, which will end the run.
    fn fails(&self, run: u64, reason: &Error) -> Admission {
        let _ = (run, reason);
        Admission::Free
    }

    /// Why nothing makes progress, if that is because nodes are held back.
    fn stuck(&self) -> Option<Error> {
        None
    }
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
