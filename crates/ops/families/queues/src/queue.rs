//! The queue: what may be enqueued, the order of service, and the effect of closing. Its kind only determines which
//! element leaves next.

use super::monitor::{Monitor, Served, State};
use super::order::Order;
use crate::prelude::*;
use crate::rows;
use levada_kernel::Arena;
use levada_kernel::limits::too_many_elements;
use levada_kernel::watch::{Need, WaitableState};
use smallvec::SmallVec;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::Arc;

/// An element of a queue: a tensor for each component.
pub type Element = SmallVec<[Tensor; 1]>;

/// A queue.
pub type Queue = Monitor<QueueState>;

/// A kind of queue.
pub struct Kind {
    /// Name of the op that creates queues of this kind.
    pub name: &'static str,
    /// Whether elements may differ in shape and batches are padded.
    pub pads: bool,
    /// Whether the elements of a batch leave together, once there are enough.
    pub(crate) whole: bool,
    /// Dtypes of scalar components that precede those in the op's attrs.
    pub before: &'static [DType],
    /// Creates the empty element store, given the seeds.
    pub(crate) order: fn((i64, i64)) -> Box<dyn Order>,
}

impl Kind {
    /// Returns a kind of this name with the default properties: first in, first out.
    pub(crate) const fn named(name: &'static str) -> Kind {
        Kind { name, pads: false, whole: false, before: &[], order: |_| Box::<super::fifo::Fifo>::default() }
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The configuration of a queue, from the attrs of the op that created it.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Kind of the queue.
    pub kind: &'static Kind,
    /// Name, for error messages.
    pub name: String,
    /// Dtypes of the components of an element.
    pub types: Vec<DType>,
    /// Shapes of the components; empty if they may have any shape.
    pub shapes: Vec<PartialShape>,
    /// Maximum number of elements; `None` for no limit.
    pub capacity: Option<usize>,
    /// Number of elements that must remain while the queue is open.
    pub min_after_dequeue: usize,
    /// Maximum number of elements that the session allows.
    pub most: usize,
    /// Graph-level and op-level seed, for a queue that shuffles.
    pub seeds: (i64, i64),
}

impl Config {
    /// Returns the number of elements that may be added to `size` elements.
    fn room(&self, size: usize) -> usize {
        self.capacity.map_or(usize::MAX, |capacity| capacity.saturating_sub(size))
    }

    /// Returns the number of elements, of `size`, that it can hold.
    pub(crate) fn fitting(&self, size: usize) -> usize {
        self.room(0).min(size)
    }

    /// Checks that `n` elements, as far as the capacity allows, can be added to `size` elements.
    fn check_size(&self, size: usize, n: usize) -> Result<()> {
        match size.saturating_add(self.room(size).min(n)) > self.most {
            true => Err(too_many_elements(&self.name, self.most)),
            false => Ok(()),
        }
    }

    fn is_closed(&self) -> Error {
        Error::cancelled(format!("{} '{}' is closed.", self.kind.name, self.name))
    }

    /// Checks the number and dtypes of the enqueued components.
    fn check_types<'a>(&self, types: impl ExactSizeIterator<Item = &'a DType>) -> Result<()> {
        if types.len() != self.types.len() {
            return Err(Error::invalid(format!(
                "Wrong number of components in tuple. Expected {}, got {}",
                self.types.len(),
                types.len()
            )));
        }
        for (i, (found, expected)) in types.zip(&self.types).enumerate() {
            if found != expected {
                return Err(Error::invalid(format!(
                    "Type mismatch in tuple component {i}. Expected {expected}, got {found}"
                )));
            }
        }
        Ok(())
    }

    /// Checks the components of one element.
    pub fn check_element(&self, element: &[Tensor]) -> Result<()> {
        let types: SmallVec<[DType; 4]> = element.iter().map(Tensor::dtype).collect();
        self.check_types(types.iter())?;
        for (i, (tensor, shape)) in element.iter().zip(&self.shapes).enumerate() {
            if !shape.accepts(tensor.shape()) {
                return Err(Error::invalid(format!(
                    "Shape mismatch in tuple component {i}. Expected {shape}, got {}",
                    tensor.shape()
                )));
            }
        }
        Ok(())
    }

    /// Checks the components of a batch of elements and returns the number of elements.
    pub fn check_batch(&self, batch: &[Tensor]) -> Result<usize> {
        let types: SmallVec<[DType; 4]> = batch.iter().map(Tensor::dtype).collect();
        self.check_types(types.iter())?;
        let mut size = 0;
        for (i, tensor) in batch.iter().enumerate() {
            let Some(&n) = tensor.shape().first() else {
                return Err(Error::invalid(format!(
                    "All components of EnqueueMany must have at least one axis, but component {i} is a scalar"
                )));
            };
            if i == 0 {
                size = n;
            } else if n != size {
                return Err(Error::invalid(format!(
                    "All input tensors must have the same size in the 0th dimension. Component {i} has {n}, and should \
                     have {size}"
                )));
            }
            let row = Shape::new(tensor.shape()[1..].iter().copied())?;
            if let Some(shape) = self.shapes.get(i).filter(|s| !s.accepts(&row)) {
                let expected = PartialShape::new([Some(n)]).concat(shape);
                return Err(Error::invalid(format!(
                    "Shape mismatch in tuple component {i}. Expected {expected}, got {}",
                    tensor.shape()
                )));
            }
        }
        Ok(size)
    }

    /// Returns the row shapes of a batch, if batches can be made without padding.
    fn row_shapes(&self) -> Result<Vec<Shape>> {
        let shapes: Option<Vec<Shape>> = self.shapes.iter().map(PartialShape::known).collect();
        let shapes = shapes.filter(|s| s.len() == self.types.len());
        shapes.ok_or_else(|| {
            Error::invalid(format!(
                "{}'s DequeueMany and DequeueUpTo require the components to have specified shapes.",
                self.kind.name
            ))
        })
    }

    /// Checks that elements can be batched.
    pub fn check_batches(&self) -> Result<()> {
        if self.kind.pads { Ok(()) } else { self.row_shapes().map(drop) }
    }

    /// Joins elements to a batch.
    pub fn batch(&self, elements: &[Element], arena: &Arc<Arena>) -> Result<Vec<Tensor>> {
        let n = elements.len();
        let component = |i: usize| elements.iter().map(move |e| &e[i]);
        if !self.kind.pads {
            let shapes = self.row_shapes()?;
            let join = |(i, shape): (usize, &Shape)| {
                rows::join(arena, self.types[i], rows::batch_shape(n, shape)?, component(i))
            };
            return shapes.iter().enumerate().map(join).collect();
        }
        let pad = |(i, shape): (usize, &PartialShape)| {
            let dims = shape.dims().unwrap_or_default().iter().enumerate();
            let largest =
                |axis: usize| component(i).map(|t| t.shape().get(axis).copied().unwrap_or(0)).max().unwrap_or(0);
            let row = Shape::new(dims.map(|(axis, d)| d.unwrap_or_else(|| largest(axis))))?;
            rows::pad(arena, self.types[i], &row, elements.iter().map(|e| &e[i]))
        };
        self.shapes.iter().enumerate().map(pad).collect()
    }
}

/// A request to a queue.
pub enum Want {
    /// Add an element.
    Enqueue(Element),
    /// Add the rows of a batch, starting at row `next`.
    EnqueueMany {
        /// The components, each with the rows as its first axis.
        batch: Element,
        /// The first row that has not been added yet.
        next: usize,
        /// Number of rows.
        size: usize,
    },
    /// Close it after all earlier enqueues.
    Close,
    /// Take an element.
    Dequeue,
    /// Take a batch of `n` elements, or of fewer if there are no more and `up_to` is set.
    DequeueMany {
        /// Number of elements.
        n: usize,
        /// Whether fewer elements are enough once the queue is closed.
        up_to: bool,
        /// The elements taken so far.
        taken: Vec<Element>,
        /// Memory for the batch.
        arena: Arc<Arena>,
    },
}

impl Want {
    /// Returns a copy of an enqueue request.
    pub(crate) fn to_enqueue(&self) -> Option<Want> {
        match self {
            Want::Enqueue(element) => Some(Want::Enqueue(element.clone())),
            Want::EnqueueMany { batch, next, size } => {
                Some(Want::EnqueueMany { batch: batch.clone(), next: *next, size: *size })
            }
            Want::Close | Want::Dequeue | Want::DequeueMany { .. } => None,
        }
    }
}

/// The answer to a request.
pub enum Answer {
    /// Nothing, after an enqueue or close.
    Nothing,
    /// The requested element.
    Element(Element),
    /// The elements of a batch, and the memory to join them in.
    Batch(Vec<Element>, Arc<Arena>),
}

/// The lane of enqueue and close requests.
pub const ENQUEUE: usize = 0;
/// The lane of dequeue requests.
const DEQUEUE: usize = 1;

/// The mutable state of a queue.
pub struct QueueState {
    pub(crate) elements: Box<dyn Order>,
    /// Whether further elements are refused.
    pub closed: bool,
    /// Elements that come before those of nodes waiting to enqueue: those that were waiting when the queue was saved.
    pub(crate) backlog: VecDeque<Element>,
    /// Whether the queue closes once the backlog is empty.
    pub(crate) closing: bool,
    /// Requests that wait for the turn of their ticket, by ticket number: see [`super::sequence`].
    pub(crate) promised: BTreeMap<u64, Want>,
}

impl QueueState {
    /// Returns an empty queue.
    pub(crate) fn new(elements: Box<dyn Order>) -> QueueState {
        QueueState { elements, closed: false, backlog: VecDeque::new(), closing: false, promised: BTreeMap::new() }
    }

    /// Closes the queue and drops the elements that wait to enter.
    pub(crate) fn close_at_once(&mut self) {
        (self.closed, self.closing) = (true, false);
        self.backlog.clear();
    }

    /// Takes an element out, and lets one of the backlog in.
    fn pop(&mut self, config: &Config) -> Option<Element> {
        let popped = self.elements.pop();
        self.settle(config);
        popped
    }

    /// Lets the backlog in, as far as there is room.
    pub(crate) fn settle(&mut self, config: &Config) {
        while !self.backlog.is_empty() && config.room(self.elements.len()) > 0 {
            if let Some(element) = self.backlog.pop_front() {
                self.elements.push(element);
            }
        }
        if self.closing && self.backlog.is_empty() {
            (self.closed, self.closing) = (true, false);
        }
    }

    fn insufficient(config: &Config, n: usize, size: usize) -> Error {
        Error::out_of_range(format!(
            "{} '{}' is closed and has insufficient elements (requested {n}, current size {size})",
            config.kind.name, config.name
        ))
    }

    /// Returns the number of elements that may leave.
    fn available(&self, config: &Config) -> usize {
        self.elements.len().saturating_sub(if self.closed { 0 } else { config.min_after_dequeue })
    }

    fn put_back(&mut self, taken: &mut Vec<Element>) {
        while let Some(element) = taken.pop() {
            self.elements.put_back(element);
        }
    }

    fn dequeue_many(
        &mut self,
        config: &Config,
        n: &mut usize,
        up_to: bool,
        taken: &mut Vec<Element>,
        arena: &Arc<Arena>,
    ) -> Served<Answer> {
        let size = self.elements.len();
        if self.closed && size + taken.len() < *n {
            self.put_back(taken);
            let size = self.elements.len();
            if !up_to || size == 0 {
                return Served::Done(Err(QueueState::insufficient(config, *n, size)));
            }
            *n = size;
        }
        if config.kind.whole && size < *n {
            return Served::Wait;
        }
        let take = self.available(config).min(*n - taken.len());
        taken.extend((0..take).map_while(|_| self.elements.pop()));
        self.settle(config);
        match take {
            _ if taken.len() == *n => Served::Done(Ok(Answer::Batch(std::mem::take(taken), arena.clone()))),
            0 => Served::Wait,
            _ => Served::Progress,
        }
    }
}

impl State for QueueState {
    type Config = Config;
    type Want = Want;
    type Answer = Answer;
    type Outputs = Element;
    const LANES: usize = 2;

    fn lane(want: &Want) -> usize {
        match want {
            Want::Enqueue(_) | Want::EnqueueMany { .. } | Want::Close => ENQUEUE,
            Want::Dequeue | Want::DequeueMany { .. } => DEQUEUE,
        }
    }

    fn serve(&mut self, config: &Config, want: &mut Want) -> Served<Answer> {
        match want {
            Want::Enqueue(_) | Want::EnqueueMany { .. } if self.closed => Served::Done(Err(config.is_closed())),
            Want::Enqueue(_) | Want::EnqueueMany { .. } | Want::Close if self.closing || !self.backlog.is_empty() => {
                Served::Wait
            }
            Want::Enqueue(element) => {
                if let Err(error) = config.check_size(self.elements.len(), 1) {
                    return Served::Done(Err(error));
                }
                if config.room(self.elements.len()) == 0 {
                    return Served::Wait;
                }
                self.elements.push(std::mem::take(element));
                Served::Done(Ok(Answer::Nothing))
            }
            Want::EnqueueMany { batch, next, size } => {
                if let Err(error) = config.check_size(self.elements.len(), *size - *next) {
                    return Served::Done(Err(error));
                }
                let room = config.room(self.elements.len());
                let end = *size.min(&mut next.saturating_add(room));
                let start = std::mem::replace(next, end);
                for i in start..end {
                    let row: Result<Element> = batch.iter().map(|t| t.row(i)).collect();
                    match row {
                        Ok(row) => self.elements.push(row),
                        Err(error) => return Served::Done(Err(error)),
                    }
                }
                match end {
                    _ if end == *size => Served::Done(Ok(Answer::Nothing)),
                    _ if end > start => Served::Progress,
                    _ => Served::Wait,
                }
            }
            Want::Close if self.closed => {
                Served::Done(Err(Error::cancelled(format!("Queue '{}' is already closed.", config.name))))
            }
            Want::Close => {
                self.closed = true;
                Served::Done(Ok(Answer::Nothing))
            }
            Want::Dequeue => {
                let size = self.elements.len();
                if self.closed && size == 0 {
                    return Served::Done(Err(QueueState::insufficient(config, 1, 0)));
                }
                match if self.available(config) > 0 { self.pop(config) } else { None } {
                    Some(element) => Served::Done(Ok(Answer::Element(element))),
                    None => Served::Wait,
                }
            }
            Want::DequeueMany { n, up_to, taken, arena } => {
                let arena = arena.clone();
                self.dequeue_many(config, n, *up_to, taken, &arena)
            }
        }
    }

    fn give_up(&mut self, _: &Config, want: Want) {
        if let Want::DequeueMany { mut taken, .. } = want {
            self.put_back(&mut taken);
        }
    }

    fn outputs(config: &Config, answer: Answer) -> Result<Element> {
        match answer {
            Answer::Nothing => Ok(Element::new()),
            Answer::Element(element) => Ok(element),
            Answer::Batch(elements, arena) => config.batch(&elements, &arena).map(Element::from_vec),
        }
    }

    fn cancelled(want: &Want) -> &'static str {
        match want {
            Want::Enqueue(_) | Want::EnqueueMany { .. } => "Enqueue operation was cancelled",
            Want::Close => "Close operation was cancelled",
            Want::Dequeue | Want::DequeueMany { .. } => "Dequeue operation was cancelled",
        }
    }

    fn describe(&self, config: &Config) -> WaitableState {
        WaitableState {
            kind: config.kind.name,
            name: config.name.clone(),
            size: self.elements.len(),
            capacity: config.capacity,
            closed: self.closed,
            min_after_dequeue: config.min_after_dequeue,
            incomplete: 0,
        }
    }

    fn need(&self, want: &Want) -> Need {
        match want {
            Want::Enqueue(_) => Need { act: Act::Put, elements: 1, so_far: 0, key: None, turn: false },
            Want::EnqueueMany { next, size, .. } => {
                Need { act: Act::Put, elements: *size, so_far: *next, key: None, turn: false }
            }
            Want::Close => Need { act: Act::Close, elements: 0, so_far: 0, key: None, turn: false },
            Want::Dequeue => Need { act: Act::Take, elements: 1, so_far: 0, key: None, turn: false },
            Want::DequeueMany { n, taken, .. } => {
                Need { act: Act::Take, elements: *n, so_far: taken.len(), key: None, turn: false }
            }
        }
    }
}
