//! Who watches the nodes of a session's steps run, and who chooses which of them is next: for tools that look for the origin
//! of a value or for what depends on the order of nodes, and for those that record an order or keep to a recorded one.

use crate::env::StepCx;
use crate::finite::Sought;
use crate::group::Group;
use crate::io::{Entry, NodeMeta, Variable};
use levada_graph::{Bytes, Error, Handle, Result, Tensor};
use smallvec::SmallVec;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// What a node does with values, to whoever watches it.
#[derive(Clone, Default)]
pub struct Nature {
    /// It computes its outputs from its inputs, and may make a NaN or an infinity of finite ones. False where it only passes values
    /// on, brings them from elsewhere, or calls nodes that do it.
    pub computes: bool,
    /// It brings values from state, from files or from strings.
    pub brings: bool,
    /// It changes variables that it is given.
    pub changes: bool,
    /// It has state or uses some, so that it matters what runs before it.
    pub is_stateful: bool,
    /// The state that it uses.
    pub uses: Uses,
    /// It calls functions, whose nodes use state for themselves.
    pub calls: bool,
    /// The nodes that it computes as one.
    pub group: Option<Arc<Group>>,
}

/// The state that a node uses, which says before or after which others it makes a difference that it runs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Uses {
    /// None.
    #[default]
    Nothing,
    /// Some that no other node sees, such as a stream of random numbers.
    Own,
    /// What its inputs refer to: variables, queues, tables, iterators.
    Inputs,
    /// What nothing says: files, the program around the session, resources that attrs name.
    Anything,
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
    /// Whether the kernel, which has looked itself, found what [`Observer::seeks`] in its results, in variables that it changed
    /// or in what the nodes gave that it computes as one; `None` where it has not looked.
    pub looked: Option<bool>,
    /// The loops that it is in and their iterations, the outermost first.
    pub iterations: &'a dyn Fn() -> Vec<(Arc<str>, u64)>,
}

/// Watches nodes run.
pub trait Observer: Send + Sync {
    /// What to keep of a node that is about to run; `None` where it is of no interest. What is kept of a value makes the node's
    /// kernel copy it rather than change it in place.
    fn starts(&self, nature: &Nature, inputs: &[Entry], step: &StepCx) -> Option<Kept>;

    /// What kernels look for that have their results in a cache, or of whose results not all can be seen.
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

/// A node that is about to use state.
pub struct Turn<'a> {
    /// Its names.
    pub node: &'a NodeMeta,
    /// [`Nature::uses`]
    pub uses: Uses,
    /// Its inputs.
    pub inputs: &'a [Entry],
    /// A number of the node, its step and its iteration: [`instance`].
    pub instance: u64,
    /// Its step.
    pub step: &'a StepCx,
}

impl Turn<'_> {
    /// The state that it uses, by numbers that are the same for all who use it while it is there.
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

/// A number for a node in an iteration of a step that has the number `line`: [`StepCx::line`]. The same in every session that
/// does the same.
pub fn instance(line: u64, node: &str, iteration: u64) -> u64 {
    line_of(line_of(line, node), &iteration)
}

/// The number of what `what` is in something that has the number `line`. Written to files, so it never changes: FNV-1a.
pub fn line_of(line: u64, what: impl Line) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mix =
        |hash: u64, bytes: &[u8]| bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME));
    what.with_bytes(|bytes| mix(mix(0xcbf2_9ce4_8422_2325, &line.to_le_bytes()), bytes))
}

/// What numbers are made of: [`line_of`].
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
    /// At once, and nobody wants to know when it has.
    Free,
    /// Now. Once its kernel has returned, [`Chooser::left`] gets the number.
    Now(u64),
    /// Not yet. [`Chooser::wait`] gets the number.
    Later(u64),
}

/// Lets a node that was held back ask again. Must be called outside of locks.
pub type Again = Box<dyn FnOnce() + Send>;

/// Chooses the order of nodes.
pub trait Chooser: Send + Sync {
    /// The number of the one that runs next on a thread, of at least two; `None` for the usual one. To try other orders, in
    /// sessions of one thread.
    fn choose<'a>(&self, ready: &mut dyn ExactSizeIterator<Item = Candidate<'a>>) -> Option<usize> {
        let _ = ready;
        None
    }

    /// Whether a node that uses state may run now.
    fn admit(&self, turn: &Turn<'_>) -> Admission {
        let _ = turn;
        Admission::Free
    }

    /// A node that was told [`Admission::Later`] is held back. Calls `again` when it may ask again, at once if it may by now.
    fn wait(&self, ticket: u64, again: Again) {
        let _ = ticket;
        again();
    }

    /// The kernel of a node that was admitted has returned.
    fn left(&self, pass: u64) {
        let _ = pass;
    }

    /// A run ends here for a reason that is none of its nodes': a deadline, a cancellation, a stall.
    fn cut(&self, run: u64, reason: &Error) {
        let _ = (run, reason);
    }

    /// A node of a run fails, which will end the run.
    fn fails(&self, run: u64, reason: &Error) -> Admission {
        let _ = (run, reason);
        Admission::Free
    }

    /// Why nothing goes on, where that is because nodes are held back.
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
