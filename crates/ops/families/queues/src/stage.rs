//! `Stage` and its siblings: a staging area that returns tuples in first-in, first-out order.

use super::create::most_elements;
use super::monitor::{Monitor, Served, State};
use super::queue::Element;
use crate::prelude::*;
use crate::variable::{container_here, resource_name};
use levada_kernel::limits::too_many_elements;
use levada_kernel::watch::{Need, WaitableState};
use std::collections::VecDeque;
use std::sync::Arc;

/// Returns the size in bytes of the tensors of a tuple.
pub(super) fn size_of_tuple(tuple: &[Tensor]) -> usize {
    tuple.iter().map(Tensor::num_bytes).sum()
}

/// The limits of a staging area; 0 for no limit.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) capacity: usize,
    pub(super) bytes: usize,
    /// Maximum number of tuples that the session allows.
    most: usize,
}

impl Limits {
    pub(super) fn new(capacity: i64, memory_limit: i64, cx: &Cx<'_, '_>) -> Limits {
        let limit = |n: i64| usize::try_from(n).unwrap_or(0);
        Limits { capacity: limit(capacity), bytes: limit(memory_limit), most: most_elements(cx) }
    }

    /// Checks that a tuple can be added to `len` tuples.
    pub(super) fn check_len(&self, len: usize) -> Result<()> {
        if len < self.most { Ok(()) } else { Err(too_many_elements("the staging area", self.most)) }
    }

    /// Refuses tuples that can never fit.
    pub(super) fn check(&self, bytes: usize) -> Result<()> {
        if self.bytes > 0 && bytes > self.bytes {
            return Err(Error::resource_exhausted(format!(
                "Attempted to insert tensors with combined size of '{bytes}' bytes into Staging Area with a memory \
                 limit of '{}'.",
                self.bytes
            )));
        }
        Ok(())
    }

    /// Returns whether a tuple of this size fits next to the current contents.
    pub(super) fn has_room(&self, len: usize, held: usize, bytes: usize) -> bool {
        (self.capacity == 0 || len < self.capacity) && (self.bytes == 0 || held + bytes <= self.bytes)
    }
}

/// A staging area.
type Area = Monitor<Staged>;

#[derive(Default)]
struct Staged {
    tuples: VecDeque<Element>,
    bytes: usize,
}

enum Want {
    Put(Element),
    Get,
    Peek(usize),
}

impl State for Staged {
    type Config = Limits;
    type Want = Want;
    type Answer = Element;
    type Outputs = Element;
    const LANES: usize = 3;

    fn lane(want: &Want) -> usize {
        match want {
            Want::Put(_) => 0,
            Want::Peek(_) => 1,
            Want::Get => 2,
        }
    }

    fn in_order(lane: usize) -> bool {
        lane != 1
    }

    fn serve(&mut self, limits: &Limits, want: &mut Want) -> Served<Element> {
        match want {
            Want::Put(tuple) => {
                let bytes = size_of_tuple(tuple);
                if !limits.has_room(self.tuples.len(), self.bytes, bytes) {
                    return Served::Wait;
                }
                if let Err(error) = limits.check_len(self.tuples.len()) {
                    return Served::Done(Err(error));
                }
                self.bytes += bytes;
                self.tuples.push_back(std::mem::take(tuple));
                Served::Done(Ok(Element::new()))
            }
            Want::Peek(at) => match self.tuples.get(*at) {
                Some(tuple) => Served::Done(Ok(tuple.clone())),
                None => Served::Wait,
            },
            Want::Get => match self.tuples.pop_front() {
                Some(tuple) => {
                    self.bytes -= size_of_tuple(&tuple);
                    Served::Done(Ok(tuple))
                }
                None => Served::Wait,
            },
        }
    }

    fn outputs(_: &Limits, answer: Element) -> Result<Element> {
        Ok(answer)
    }

    fn describe(&self, limits: &Limits) -> WaitableState {
        WaitableState {
            kind: "Stage",
            name: String::new(),
            size: self.tuples.len(),
            capacity: (limits.capacity > 0).then_some(limits.capacity),
            closed: false,
            min_after_dequeue: 0,
            incomplete: 0,
        }
    }

    fn need(&self, want: &Want) -> Need {
        let act = if matches!(want, Want::Put(_)) { Act::Put } else { Act::Take };
        Need { act, elements: 1, so_far: 0, key: None, turn: false }
    }

    fn cancelled(want: &Want) -> &'static str {
        match want {
            Want::Put(_) => "Stage operation was cancelled",
            Want::Get | Want::Peek(_) => "Unstage operation was cancelled",
        }
    }
}

attrs! {
    /// The attrs of ops on a staging area.
    pub struct Staging {
        /// Maximum number of tuples; 0 for no limit.
        capacity: i64 = Attr::int("capacity").or_int(0).at_least(0),
        /// Maximum number of bytes; 0 for no limit.
        memory_limit: i64 = Attr::int("memory_limit").or_int(0).at_least(0),
        /// Dtypes of a tuple.
        dtypes: Vec<DType> = Attr::dtypes("dtypes", sets::ANY).or_empty(),
        /// Container that holds the area; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

impl Staging {
    fn area(&self, cx: &Cx<'_, '_>) -> Result<Arc<Area>> {
        let limits = Limits::new(self.capacity, self.memory_limit, cx);
        let make = || Ok(Area::new(limits, Staged::default()));
        let name = resource_name(&self.shared_name, cx);
        cx.env().resources.get_or_create(&container_here(&self.container, cx), name, make)
    }
}

const TUPLE: &[AttrSpec] = &[Attr::dtypes("dtypes", sets::ANY).at_least(1)];
const VALUES: &[Arg] = &[arg("values", each("dtypes"))];

pub static STAGE: Def<Staging> = op("Stage")
    .doc("Puts a tuple into a staging area. Waits until there is room.")
    .attrs(TUPLE)
    .inputs(VALUES)
    .act(Act::Put)
    .kernel(|op, cx| {
        let area = op.area(cx)?;
        let tuple: Element = (0..cx.num_inputs()).map(|i| cx.take(i)).collect::<Result<_>>()?;
        area.config.check(size_of_tuple(&tuple))?;
        area.submit(cx, Want::Put(tuple))
    });

pub static STAGE_CLEAR: Def<Staging> =
    op("StageClear").doc("Removes all tuples from a staging area.").stateful().kernel(|op, cx| {
        let dropped = op.area(cx)?.change(std::mem::take);
        drop(dropped);
        Ok(())
    });

pub static STAGE_PEEK: Def<Staging> = op("StagePeek")
    .doc("Returns the tuple at `index` without removing it. Waits until there is one.")
    .attrs(TUPLE)
    .inputs(&[arg("index", is(DType::I32))])
    .outputs(VALUES)
    .act(Act::Take)
    .kernel(|op, cx| {
        let area = op.area(cx)?;
        let shape = cx.input(0)?.shape();
        if !shape.is_scalar() {
            return Err(Error::invalid(format!("index must be scalar, but has shape {shape}")));
        }
        let index = cx.scalar::<i32>(0)?;
        let at = usize::try_from(index)
            .map_err(|_| Error::invalid(format!("the index of a staged tuple cannot be {index}")))?;
        check_dtypes(&op.dtypes, cx)?;
        area.submit(cx, Want::Peek(at))
    });

pub static STAGE_SIZE: Def<Staging> = op("StageSize")
    .doc("Returns the number of tuples in a staging area.")
    .outputs(&[arg("size", is(DType::I32))])
    .stateful()
    .kernel(|op, cx| {
        let size = op.area(cx)?.look(|staged| staged.tuples.len());
        cx.set(0, Tensor::scalar(size as i32));
        Ok(())
    });

pub static UNSTAGE: Def<Staging> = op("Unstage")
    .doc("Takes the oldest tuple out of a staging area. Waits until there is one.")
    .attrs(TUPLE)
    .outputs(VALUES)
    .act(Act::Take)
    .kernel(|op, cx| {
        let area = op.area(cx)?;
        check_dtypes(&op.dtypes, cx)?;
        area.submit(cx, Want::Get)
    });

/// Checks that a node has as many outputs as dtypes.
fn check_dtypes(dtypes: &[DType], cx: &Cx<'_, '_>) -> Result<()> {
    if dtypes.len() == cx.num_outputs() {
        Ok(())
    } else {
        Err(Error::internal("the outputs of a node do not match its dtypes"))
    }
}
