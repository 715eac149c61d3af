//! `FlatMapDataset`, `InterleaveDataset`: the elements of the datasets that a function creates from each element.

use crate::dataset::{
    ARGUMENTS, DATASET, Dataset, INFINITE, INPUT, Setup, Source, Tuple, UNKNOWN, input, make, scalar, scalar_output,
};
use crate::function::{Call, Calls, Function};
use crate::iter::{Iter, Next, Turn};
use crate::parallel_map::{Most, Now, is_ordered, parallel_calls};
use crate::permits::Permits;
use crate::position::{Saved, Saver};
use crate::prefetch::{Ahead, Limit};
use crate::prelude::*;
use levada_graph::Func;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::task::{Poll, ready};

attrs! {
    /// The attrs of datasets that return the elements of datasets created by a function.
    pub struct Interleave {
        /// The function to call.
        function: Func = Attr::func("f"),
        /// Dtypes of the function's other arguments.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static FLAT_MAP_DATASET: Def<Interleave> = op("FlatMapDataset")
    .doc("Returns the elements of the datasets that a function creates from each element, one dataset after the other.")
    .inputs(&[INPUT, ARGUMENTS])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|op: &Interleave, cx| {
        let function = Function::of(cx, &op.function, 1..cx.num_inputs())?;
        let known = Arc::new(AtomicI64::new(UNKNOWN));
        let (source, cycle, block) = (input(cx, 0)?, 1, u64::MAX);
        let flat = Interleaved { kind: "FlatMap", source, function, cycle, block, parallel: None, known: Some(known) };
        make(cx, op.types.clone(), op.shapes.clone(), flat)
    });

pub static INTERLEAVE_DATASET: Def<Interleave> = op("InterleaveDataset")
    .doc(
        "Returns the elements of the datasets that a function creates from each element: `block_length` of each of \
         `cycle_length` datasets in turn.",
    )
    .inputs(&[INPUT, ARGUMENTS, CYCLE, BLOCK])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(interleave_dataset);

const CYCLE: Arg = arg("cycle_length", is(DType::I64));
const BLOCK: Arg = arg("block_length", is(DType::I64));
const BUFFER: Arg = arg("buffer_output_elements", is(DType::I64));
const PREFETCH: Arg = arg("prefetch_input_elements", is(DType::I64));
const CALLS: Arg = arg("num_parallel_calls", is(DType::I64));

/// Requests a value that suits the machine.
const AUTOTUNE: i64 = -1;

fn interleave_dataset(op: &Interleave, cx: &mut Cx<'_, '_>) -> Result<()> {
    interleave(cx, &op.function, (&op.types, &op.shapes), cx.num_inputs() - 2, None)
}

/// Creates a dataset with the cycle length from input `first` and the block length from the next one.
fn interleave(
    cx: &mut Cx<'_, '_>,
    function: &Func,
    (types, shapes): (&[DType], &[PartialShape]),
    first: usize,
    parallel: Option<Parallel>,
) -> Result<()> {
    let function = Function::of(cx, function, 1..first)?;
    let (cycle, block): (i64, i64) = (scalar(cx, first, "cycle_length")?, scalar(cx, first + 1, "block_length")?);
    let most = parallel.and_then(|parallel| parallel.calls).map_or(usize::MAX, |most| most.calls);
    let most = most.min(cx.pool().shares());
    let cycle = if cycle == AUTOTUNE { most as i64 } else { cycle };
    if cycle <= 0 {
        return Err(Error::invalid("cycle_length must be greater than zero."));
    }
    if block <= 0 {
        return Err(Error::invalid("block_length must be greater than zero."));
    }
    let (kind, source) = (if parallel.is_some() { "ParallelInterleaveV4" } else { "Interleave" }, input(cx, 0)?);
    let (cycle, block) = (cycle as u64, block as u64);
    make(cx, types, shapes, Interleaved { kind, source, function, cycle, block, parallel, known: None })
}

/// How an interleave computes ahead.
#[derive(Clone, Copy)]
struct Parallel {
    /// Maximum number of its datasets worked on concurrently; `None` for all of them.
    calls: Option<Most>,
    /// Number of elements of each dataset to compute ahead.
    buffer: Limit,
    /// Number of datasets to open before one of the cycle ends; `None` for twice the cycle length.
    inputs: Option<u64>,
    /// If false, the dataset that has an element ready comes first, regardless of the order of the cycle.
    ordered: bool,
    /// Whether the rest of a block carries over to the next dataset once there are no more datasets to replace one that
    /// ended.
    carries: bool,
}

attrs! {
    /// Returns the elements of the datasets that a function creates from each element: `block_length` of each of
    /// `cycle_length` datasets in turn, computed before they are requested.
    pub struct ParallelInterleave {
        /// The function to call.
        function: Func = Attr::func("f"),
        /// Whether elements may be returned out of order.
        sloppy: bool = Attr::bool("sloppy").or_bool(false),
        /// `false` to allow elements out of order.
        deterministic: String = Attr::string("deterministic").or_str("default"),
        /// Dtypes of the function's other arguments.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

/// Number of elements of each dataset to compute ahead if the op has no input for it.
const AHEAD: Limit = Limit { now: 16, grows: false };

const WITH_SLOPPY: &[Arg] = &[INPUT, ARGUMENTS, CYCLE, BLOCK, arg("sloppy", is(DType::Bool)), BUFFER, PREFETCH];

pub static PARALLEL_INTERLEAVE_DATASET: Def<ParallelInterleave> = op("ParallelInterleaveDataset")
    .inputs(WITH_SLOPPY)
    .outputs(DATASET)
    .without(&["sloppy", "deterministic"])
    .also(&[
        form("ExperimentalParallelInterleaveDataset").without(&["sloppy", "deterministic", "metadata"]),
        form("LegacyParallelInterleaveDatasetV2")
            .inputs(&[INPUT, ARGUMENTS, CYCLE, BLOCK, BUFFER, PREFETCH])
            .without(&["sloppy"]),
    ])
    .shape(scalar_output)
    .kernel(|op: &ParallelInterleave, cx| {
        let (first, last) = (1 + op.arguments.len(), cx.num_inputs() - 1);
        // If `sloppy` is an input, it follows the block length.
        let sloppy = if last - first > 3 { scalar(cx, first + 2, "sloppy")? } else { op.sloppy };
        let ordered = is_ordered(&op.deterministic)? && !sloppy;
        let (buffer, inputs) = buffered(cx, last - 1)?;
        let parallel = Parallel { calls: None, buffer, inputs, ordered, carries: true };
        interleave(cx, &op.function, (&op.types, &op.shapes), first, Some(parallel))
    });

pub static PARALLEL_INTERLEAVE_DATASET_V2: Def<ParallelInterleave> = op("ParallelInterleaveDatasetV2")
    .inputs(&[INPUT, ARGUMENTS, CYCLE, BLOCK, CALLS])
    .outputs(DATASET)
    .without(&["deterministic"])
    .also(&[
        form("ParallelInterleaveDatasetV3").without(&["sloppy"]),
        form("ParallelInterleaveDatasetV4")
            .inputs(&[INPUT, ARGUMENTS, CYCLE, BLOCK, BUFFER, PREFETCH, CALLS])
            .without(&["sloppy"]),
    ])
    .shape(scalar_output)
    .kernel(|op: &ParallelInterleave, cx| {
        let last = cx.num_inputs() - 1;
        let first = 1 + op.arguments.len();
        let ordered = is_ordered(&op.deterministic)? && !op.sloppy;
        let calls = Some(parallel_calls(cx, last)?);
        let (buffer, inputs) = if last - first > 2 { buffered(cx, last - 2)? } else { (AHEAD, None) };
        let parallel = Parallel { calls, buffer, inputs, ordered, carries: false };
        interleave(cx, &op.function, (&op.types, &op.shapes), first, Some(parallel))
    });

/// Returns the number of elements of each dataset to compute ahead, from input `i`, and the number of datasets to open
/// ahead, from the next input.
///
/// # Errors
/// `INVALID_ARGUMENT` if they are invalid.
fn buffered(cx: &Cx<'_, '_>, i: usize) -> Result<(Limit, Option<u64>)> {
    let (output, inputs): (i64, i64) =
        (scalar(cx, i, "buffer_output_elements")?, scalar(cx, i + 1, "prefetch_input_elements")?);
    if output != AUTOTUNE && output <= 0 {
        return Err(Error::invalid("`buffer_output_elements` must be greater than zero").found(output));
    }
    if inputs != AUTOTUNE && inputs < 0 {
        return Err(Error::invalid("`prefetch_input_elements` must be greater than or equal to zero").found(inputs));
    }
    let buffer = usize::try_from(output).map_or(Limit { grows: true, ..AHEAD }, |now| Limit { now, grows: false });
    Ok((buffer, u64::try_from(inputs).ok()))
}

struct Interleaved {
    kind: &'static str,
    source: Source,
    function: Function,
    cycle: u64,
    block: u64,
    parallel: Option<Parallel>,
    /// The number of elements, once they have been counted; `None` if they cannot be counted. Every count finds the
    /// same number, so nothing else needs to be ordered with it.
    known: Option<Arc<AtomicI64>>,
}

impl Dataset for Interleaved {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn may_read(&self) -> bool {
        true
    }

    fn is_tuned(&self) -> bool {
        self.parallel.is_some_and(|p| p.buffer.grows || p.calls.is_some_and(|most| most.tuned))
    }

    fn cardinality(&self) -> i64 {
        match (self.source.cardinality(), &self.known) {
            (INFINITE, _) => INFINITE,
            (_, Some(known)) => known.load(Ordering::Relaxed),
            _ => UNKNOWN,
        }
    }

    fn count(&self, setup: &Setup) -> Result<Option<Box<dyn Iter>>> {
        let Some(known) = self.known.clone().filter(|_| self.cardinality() == UNKNOWN) else { return Ok(None) };
        let (input, calls) = (setup.make(&self.source)?, self.function.at(setup));
        Ok(Some(Box::new(Count { input, calls, call: None, sum: 0, known })))
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let ahead = self.parallel.map(|parallel| WorkAhead::new(parallel, self.cycle, &setup));
        Ok(Box::new(InterleavedIter {
            input: setup.make(&self.source)?,
            calls: self.function.at(&setup),
            // Each dataset of the cycle has a job of its own if elements are computed ahead.
            setup: setup.ahead(ahead.as_ref().map_or(0, |ahead| ahead.jobs(self.cycle))),
            ahead,
            open: Vec::new(),
            later: VecDeque::new(),
            cycle: self.cycle,
            block: self.block,
            at: 0,
            taken: 0,
            ended: false,
            made: 0,
        }))
    }
}

/// The state of computing ahead for an iterator.
struct WorkAhead {
    buffer: Limit,
    /// Number of datasets to open before one of the cycle ends.
    inputs: u64,
    ordered: bool,
    carries: bool,
    /// Limits the number of datasets worked on concurrently, if that is less than all.
    permits: Option<Arc<Permits>>,
}

impl WorkAhead {
    fn new(parallel: Parallel, cycle: u64, setup: &Setup) -> WorkAhead {
        let inputs = parallel.inputs.unwrap_or(cycle.saturating_mul(2)).min(MOST_OPEN.saturating_sub(cycle));
        let permits = parallel.calls.and_then(|most| {
            let chosen = setup.stage.clone().filter(|_| most.tuned && setup.tunes());
            let fixed = if most.tuned { most.calls.min(cycle.try_into().unwrap_or(usize::MAX)) } else { most.calls };
            if let Some(stage) = &chosen {
                stage.set_parallelism(fixed as u64, true);
                stage.set_most(cycle.min(MOST_OPEN));
            }
            let all = !most.tuned && fixed as u64 >= cycle.saturating_add(inputs);
            (!all).then(|| Permits::new(Now { fixed, chosen }))
        });
        let Parallel { buffer, ordered, carries, .. } = parallel;
        WorkAhead { buffer, inputs, ordered, carries, permits }
    }

    /// Maximum number of datasets worked on concurrently.
    fn jobs(&self, cycle: u64) -> u64 {
        let most = self.permits.as_ref().map_or(u64::MAX, |permits| permits.most() as u64);
        cycle.min(MOST_OPEN).min(most)
    }
}

/// Counts the elements of the datasets that a function creates.
struct Count {
    input: Box<dyn Iter>,
    calls: Calls,
    call: Option<Call>,
    /// Sum over the datasets so far.
    sum: i64,
    known: Arc<AtomicI64>,
}

impl Iter for Count {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        loop {
            ready!(turn.pass());
            let call = match &mut self.call {
                Some(call) => call,
                None => match ready!(self.input.poll(turn))? {
                    None => break,
                    Some(element) => self.call.insert(self.calls.call(element, turn)),
                },
            };
            let results = ready!(call.poll(turn));
            self.call = None;
            let [dataset] = &results?[..] else {
                return Poll::Ready(Err(Error::invalid("Function must return a single scalar of dtype DT_VARIANT.")));
            };
            match Source::of(dataset)?.cardinality() {
                n @ (INFINITE | UNKNOWN) => {
                    self.sum = n;
                    break;
                }
                n => self.sum = self.sum.saturating_add(n),
            }
        }
        self.known.store(self.sum, Ordering::Relaxed);
        Poll::Ready(Ok(None))
    }

    fn save(&mut self, _: &mut Turn<'_>, _: &mut Saver) -> Poll<Result<()>> {
        Poll::Ready(Err(Error::internal("what counts elements has no position")))
    }

    fn restore(&mut self, _: &mut Saved) -> Result<()> {
        Err(Error::internal("what counts elements has no position"))
    }
}

/// A dataset that a function creates from an element, and the position in it.
pub(crate) struct Inner {
    /// The function's argument, from which the dataset is created again when the position is restored.
    element: Tuple,
    state: InnerState,
    number: u64,
    /// How many of its elements to compute ahead, and the permits that allow it.
    ahead: Option<(Limit, Option<Arc<Permits>>)>,
}

enum InnerState {
    Called(Call, Option<Saved>),
    Open(Box<dyn Iter>),
}

impl Inner {
    /// Calls the function for the element with index `number`.
    pub(crate) fn new(calls: &Calls, element: Tuple, number: u64, turn: &Turn<'_>) -> Inner {
        let call = calls.call(element.clone(), turn);
        Inner { element, state: InnerState::Called(call, None), number, ahead: None }
    }

    /// Like [`Inner::new`], with the function called on another thread and elements computed ahead.
    fn ahead(calls: &Calls, element: Tuple, number: u64, ahead: &WorkAhead, turn: &Turn<'_>) -> Inner {
        let call = calls.call_aside(element.clone(), turn);
        let ahead = Some((ahead.buffer, ahead.permits.clone()));
        Inner { element, state: InnerState::Called(call, None), number, ahead }
    }

    /// Returns the iterator, once the function has created its dataset.
    ///
    /// # Errors
    /// If the function fails or does not return a dataset.
    pub(crate) fn poll_open(&mut self, setup: &Setup, turn: &mut Turn<'_>) -> Poll<Result<&mut Box<dyn Iter>>> {
        if let InnerState::Called(call, position) = &mut self.state {
            let results = ready!(call.poll(turn))?;
            let [dataset] = results.as_slice() else {
                return Poll::Ready(Err(Error::invalid("Function must return a single scalar of dtype DT_VARIANT.")));
            };
            let iter = setup.make_one_of(&Source::of(dataset)?, self.number)?;
            let mut iter: Box<dyn Iter> = match &self.ahead {
                None => iter,
                Some((limit, permits)) => {
                    let permit = permits.as_ref().map(Permits::one);
                    let ahead = Ahead::permitted(setup, iter, *limit, permit);
                    if position.is_none() {
                        ahead.begin();
                    }
                    Box::new(ahead)
                }
            };
            if let Some(position) = position {
                iter.restore(position)?;
            }
            self.state = InnerState::Open(iter);
        }
        match &mut self.state {
            InnerState::Open(iter) => Poll::Ready(Ok(iter)),
            InnerState::Called(..) => Poll::Pending,
        }
    }

    pub(crate) fn save(&mut self, setup: &Setup, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        let mut position = Saver::default();
        ready!(ready!(self.poll_open(setup, turn))?.save(turn, &mut position))?;
        to.int(self.number as i64);
        to.element(&self.element);
        to.nested(position);
        Poll::Ready(Ok(()))
    }
}

/// An element that a dataset was created from, and the position in that, until the dataset is created again.
pub(crate) struct Resumed {
    number: u64,
    element: Tuple,
    position: Saved,
}

impl Resumed {
    /// # Errors
    /// `DATA_LOSS` if the data is invalid.
    pub(crate) fn read(from: &mut Saved) -> Result<Resumed> {
        Ok(Resumed { number: from.int()? as u64, element: from.element()?, position: from.nested()? })
    }

    pub(crate) fn resume(self, calls: &Calls, turn: &Turn<'_>) -> Inner {
        let mut inner = Inner::new(calls, self.element, self.number, turn);
        if let InnerState::Called(_, position) = &mut inner.state {
            *position = Some(self.position);
        }
        inner
    }
}

/// Maximum number of slots whose datasets are opened ahead of their turn.
const MOST_OPEN: u64 = 64;

/// A slot of the cycle, or one of the datasets waiting for a slot.
enum Place {
    Free,
    Taken(Inner),
    Resumed(Resumed),
    /// Opening its dataset ahead of time failed.
    Failed(Error),
    /// Its dataset has ended, or failed to open, which counted as one of its elements.
    Over,
}

struct InterleavedIter {
    input: Box<dyn Iter>,
    calls: Calls,
    setup: Setup,
    /// The slots used so far; those after them are free.
    open: Vec<Place>,
    /// Datasets opened ahead that will replace those that end.
    later: VecDeque<Place>,
    cycle: u64,
    block: u64,
    ahead: Option<WorkAhead>,
    /// The current slot.
    at: u64,
    /// Number of its elements returned in this block.
    taken: u64,
    ended: bool,
    /// Number of elements of the input read so far.
    made: u64,
}

impl InterleavedIter {
    fn advance(&mut self) {
        self.taken = 0;
        self.at = (self.at + 1) % self.cycle;
        // Nothing is or will be open past the last slot.
        if self.ended && self.at >= self.open.len() as u64 {
            self.at = 0;
        }
    }

    fn is_over(&self) -> bool {
        self.ended && self.later.is_empty() && self.open.iter().all(|place| matches!(place, Place::Free))
    }

    /// Returns the content for a free slot: the dataset of the input's next element, or `None` after the last.
    fn next_ahead(&mut self, turn: &mut Turn<'_>) -> Poll<Option<Place>> {
        let Some(ahead) = self.ahead.as_ref().filter(|_| !self.ended) else { return Poll::Ready(None) };
        Poll::Ready(match ready!(self.input.poll(turn)) {
            Err(error) => Some(Place::Failed(error)),
            Ok(None) => {
                self.ended = true;
                None
            }
            Ok(Some(element)) => {
                self.made += 1;
                Some(Place::Taken(Inner::ahead(&self.calls, element, self.made - 1, ahead, turn)))
            }
        })
    }

    /// Opens the datasets of slots ahead of their turn, in the order of their turns, and then those that follow them.
    fn open_ahead(&mut self, turn: &mut Turn<'_>) {
        let Some(ahead) = &self.ahead else { return };
        let (inputs, jobs) = (ahead.inputs, ahead.jobs(self.cycle));
        self.setup.set_ahead(jobs);
        for i in 0..self.cycle.min(MOST_OPEN) {
            let at = ((self.at + i) % self.cycle) as usize;
            if at >= self.open.len() && !self.ended {
                self.open.push(Place::Free);
            }
            if matches!(self.open.get(at), Some(Place::Free)) {
                let place = match self.later.pop_front() {
                    Some(place) => Some(place),
                    None => match self.next_ahead(turn) {
                        Poll::Pending => return,
                        Poll::Ready(place) => place,
                    },
                };
                self.open[at] = place.unwrap_or(Place::Free);
            }
            if let Some(place) = self.open.get_mut(at) {
                open_one(place, &self.setup, turn);
            }
        }
        while (self.later.len() as u64) < inputs && self.cycle <= MOST_OPEN {
            match self.next_ahead(turn) {
                Poll::Ready(Some(place)) => self.later.push_back(place),
                _ => break,
            }
        }
        self.later.iter_mut().for_each(|place| open_one(place, &self.setup, turn));
    }

    fn resume(&self, resumed: Resumed, turn: &Turn<'_>) -> Place {
        let ahead = self.ahead.as_ref().map(|ahead| (ahead.buffer, ahead.permits.clone()));
        Place::Taken(Inner { ahead, ..resumed.resume(&self.calls, turn) })
    }

    /// Returns the next result of the current slot; `None` if the turn passed on to another slot.
    fn step(&mut self, turn: &mut Turn<'_>) -> Poll<Option<Result<Option<Tuple>>>> {
        let (at, is_ahead) = (self.at as usize, self.ahead.is_some());
        if at >= self.open.len() && !self.ended {
            self.open.push(Place::Free);
        }
        match self.open.get_mut(at) {
            // `open_ahead` has already filled the slot if possible.
            Some(Place::Free) if !self.ended && is_ahead => return Poll::Pending,
            Some(Place::Free) if !self.ended => match ready!(self.input.poll(turn)) {
                Err(error) => return Poll::Ready(Some(Err(error))),
                Ok(None) => self.ended = true,
                Ok(Some(element)) => {
                    self.open[at] = Place::Taken(Inner::new(&self.calls, element, self.made, turn));
                    self.made += 1;
                }
            },
            Some(place @ (Place::Resumed(_) | Place::Failed(_))) => match std::mem::replace(place, Place::Over) {
                Place::Resumed(resumed) => self.open[at] = self.resume(resumed, turn),
                Place::Failed(error) => return Poll::Ready(Some(self.counted(Err(error)))),
                _ => {}
            },
            Some(Place::Taken(inner)) => {
                let iter = match ready!(inner.poll_open(&self.setup, turn)) {
                    Ok(iter) => iter,
                    Err(error) => {
                        self.open[at] = if is_ahead { Place::Over } else { Place::Free };
                        return Poll::Ready(Some(self.counted(Err(error))));
                    }
                };
                let given = ready!(iter.poll(turn));
                if !matches!(given, Ok(None)) {
                    return Poll::Ready(Some(self.counted(given)));
                }
                self.open[at] = Place::Over;
            }
            Some(Place::Over) => {
                let carries = self.ahead.as_ref().is_some_and(|ahead| ahead.carries);
                let place = match self.later.pop_front() {
                    None if carries => ready!(self.next_ahead(turn)),
                    place => place,
                };
                let taken = if carries && place.is_none() { self.taken } else { 0 };
                self.open[at] = place.unwrap_or(Place::Free);
                self.advance();
                self.taken = taken;
            }
            Some(Place::Free) | None => self.advance(),
        }
        Poll::Ready(None)
    }

    /// Counts the result of the current slot. As in TensorFlow, a failure counts if elements are computed ahead.
    fn counted(&mut self, given: Result<Option<Tuple>>) -> Result<Option<Tuple>> {
        self.taken += u64::from(given.is_ok() || self.ahead.is_some());
        if self.taken >= self.block {
            self.advance();
        }
        given
    }
}

/// Opens the dataset of a slot if its function has returned.
fn open_one(place: &mut Place, setup: &Setup, turn: &mut Turn<'_>) {
    if let Place::Taken(inner) = place
        && let Poll::Ready(Err(error)) = inner.poll_open(setup, turn)
    {
        *place = Place::Failed(error);
    }
}

impl Iter for InterleavedIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        let ordered = self.ahead.as_ref().is_none_or(|ahead| ahead.ordered);
        // Number of consecutive slots with nothing ready.
        let mut waiting = 0;
        while !self.is_over() {
            self.open_ahead(turn);
            match self.step(turn) {
                Poll::Ready(Some(given)) => return Poll::Ready(given),
                Poll::Ready(None) => {
                    waiting = 0;
                    ready!(turn.pass());
                }
                Poll::Pending if ordered || waiting >= self.open.len() => return Poll::Pending,
                Poll::Pending => {
                    waiting += 1;
                    self.advance();
                    // If the input has nothing ready, the remaining slots are free.
                    if matches!(self.open.get(self.at as usize), Some(Place::Free) | None) {
                        self.at = 0;
                    }
                }
            }
        }
        Poll::Ready(Ok(None))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        for number in [self.at, self.taken, self.made] {
            to.int(number as i64);
        }
        to.int(self.ended);
        to.count(self.open.len());
        to.count(self.later.len());
        for i in 0..self.open.len() + self.later.len() {
            let mut place = std::mem::replace(self.place(i), Place::Free);
            if let Place::Resumed(resumed) = place {
                place = self.resume(resumed, turn);
            }
            let saved = match &mut place {
                Place::Taken(inner) => {
                    to.int(1);
                    inner.save(&self.setup, turn, to)
                }
                Place::Failed(error) => {
                    to.int(2);
                    to.error(error);
                    Poll::Ready(Ok(()))
                }
                Place::Over => {
                    to.int(3);
                    Poll::Ready(Ok(()))
                }
                Place::Free | Place::Resumed(_) => {
                    to.int(0);
                    Poll::Ready(Ok(()))
                }
            };
            *self.place(i) = place;
            ready!(saved)?;
        }
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        (self.at, self.taken, self.made) = (from.int()? as u64, from.int()? as u64, from.int()? as u64);
        self.ended = from.flag()?;
        let (open, later) = (from.count()?, from.count()?);
        for i in 0..open.saturating_add(later) {
            let place = match from.int()? {
                0 => Place::Free,
                1 => Place::Resumed(Resumed::read(from)?),
                2 => Place::Failed(from.error()?),
                _ => Place::Over,
            };
            if i < open { self.open.push(place) } else { self.later.push_back(place) }
        }
        self.input.restore(from)
    }
}

impl InterleavedIter {
    /// Returns slot `i`, counting those waiting after those of the cycle.
    fn place(&mut self, i: usize) -> &mut Place {
        match i.checked_sub(self.open.len()) {
            None => &mut self.open[i],
            Some(i) => &mut self.later[i],
        }
    }
}
