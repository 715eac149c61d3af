//! `FlatMapDataset`, `InterleaveDataset`: the elements of the datasets that a function makes of each element.

use crate::dataset::{
    ARGUMENTS, DATASET, Dataset, INFINITE, INPUT, Setup, Source, Tuple, UNKNOWN, input, make, scalar, scalar_output,
};
use crate::function::{Call, Calls, Function};
use crate::iter::{Iter, Next, Turn};
use crate::parallel_map::{is_ordered, parallel_calls};
use crate::position::{Saved, Saver};
use crate::prefetch::{Ahead, Limit};
use crate::prelude::*;
use levada_graph::Func;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::task::{Poll, ready};

attrs! {
    /// The attrs of datasets of the elements of other datasets, which a function makes.
    pub struct Interleave {
        /// The function.
        function: Func = Attr::func("f"),
        /// Dtypes of what the function gets besides.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY),
        /// Dtypes of an element.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static FLAT_MAP_DATASET: Def<Interleave> = op("FlatMapDataset")
    .doc("The elements of the datasets that a function makes of each element, one dataset after the other.")
    .inputs(&[INPUT, ARGUMENTS])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|op: &Interleave, cx| {
        let function = Function::of(cx, &op.function, 1..cx.num_inputs())?;
        let known = Arc::new(AtomicI64::new(UNKNOWN));
        let (source, cycle, block) = (input(cx, 0)?, 1, u64::MAX);
        let flat = Interleaved { kind: "FlatMap", source, function, cycle, block, ahead: None, known: Some(known) };
        make(cx, op.types.clone(), op.shapes.clone(), flat)
    });

pub static INTERLEAVE_DATASET: Def<Interleave> = op("InterleaveDataset")
    .doc(
        "The elements of the datasets that a function makes of each element: `block_length` of each of `cycle_length` \
         datasets in turn.",
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

/// What asks for a number that suits the machine.
const AUTOTUNE: i64 = -1;

fn interleave_dataset(op: &Interleave, cx: &mut Cx<'_, '_>) -> Result<()> {
    interleave(cx, &op.function, (&op.types, &op.shapes), cx.num_inputs() - 2, None)
}

/// A dataset with the cycle length on input `first` and the block length on the one behind it.
fn interleave(
    cx: &mut Cx<'_, '_>,
    function: &Func,
    (types, shapes): (&[DType], &[PartialShape]),
    first: usize,
    ahead: Option<(Limit, usize)>,
) -> Result<()> {
    let function = Function::of(cx, function, 1..first)?;
    let (cycle, block): (i64, i64) = (scalar(cx, first, "cycle_length")?, scalar(cx, first + 1, "block_length")?);
    let most = ahead.map_or(usize::MAX, |(_, calls)| calls).min(cx.pool().shares());
    let (cycle, ahead) = (if cycle == AUTOTUNE { most as i64 } else { cycle }, ahead.map(|(limit, _)| limit));
    if cycle <= 0 {
        return Err(Error::invalid("cycle_length must be greater than zero."));
    }
    if block <= 0 {
        return Err(Error::invalid("block_length must be greater than zero."));
    }
    let (kind, source) = (if ahead.is_some() { "ParallelInterleaveV4" } else { "Interleave" }, input(cx, 0)?);
    let (cycle, block) = (cycle as u64, block as u64);
    make(cx, types, shapes, Interleaved { kind, source, function, cycle, block, ahead, known: None })
}

attrs! {
    /// The elements of the datasets that a function makes of each element: `block_length` of each of `cycle_length` datasets in
    /// turn, computed before they are asked for.
    pub struct ParallelInterleave {
        /// The function.
        function: Func = Attr::func("f"),
        /// True where elements need not be in order; they are.
        sloppy: bool = Attr::bool("sloppy").or_bool(false),
        /// `false` where elements need not be in order; they are.
        deterministic: String = Attr::string("deterministic").or_str("default"),
        /// Dtypes of what the function gets besides.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY),
        /// Dtypes of an element.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

/// Elements of each dataset that are computed ahead where the op does not say how many.
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
        let last = cx.num_inputs() - 1;
        // Where whether the order is kept is an input, it comes behind the block length.
        let first = if cx.input(last - 2)?.dtype() == DType::Bool { last - 4 } else { last - 3 };
        is_ordered(&op.deterministic)?;
        let ahead = buffered(cx, last - 1)?;
        interleave(cx, &op.function, (&op.types, &op.shapes), first, Some((ahead, usize::MAX)))
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
        is_ordered(&op.deterministic)?;
        let calls = parallel_calls(cx, last)?;
        let ahead = if last - first > 2 { buffered(cx, last - 2)? } else { AHEAD };
        interleave(cx, &op.function, (&op.types, &op.shapes), first, Some((ahead, calls.calls)))
    });

/// How many elements of each dataset are computed ahead, by input `i`, and how many datasets are opened ahead by the next one.
///
/// # Errors
/// `INVALID_ARGUMENT` where they are none.
fn buffered(cx: &Cx<'_, '_>, i: usize) -> Result<Limit> {
    let (output, inputs): (i64, i64) =
        (scalar(cx, i, "buffer_output_elements")?, scalar(cx, i + 1, "prefetch_input_elements")?);
    if output != AUTOTUNE && output <= 0 {
        return Err(Error::invalid("`buffer_output_elements` must be greater than zero").found(output));
    }
    if inputs != AUTOTUNE && inputs < 0 {
        return Err(Error::invalid("`prefetch_input_elements` must be greater than or equal to zero").found(inputs));
    }
    Ok(usize::try_from(output).map_or(AHEAD, |now| Limit { now, grows: false }))
}

struct Interleaved {
    kind: &'static str,
    source: Source,
    function: Function,
    cycle: u64,
    block: u64,
    /// How many elements of each dataset are computed ahead.
    ahead: Option<Limit>,
    /// How many elements there are, once they have been counted; `None` where they cannot be. Whoever counts finds the same, so that
    /// nothing else is ordered by it.
    known: Option<Arc<AtomicI64>>,
}

impl Dataset for Interleaved {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn may_read(&self) -> bool {
        true
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
        Ok(Box::new(InterleavedIter {
            input: setup.make(&self.source)?,
            calls: self.function.at(&setup),
            // Each dataset of the cycle has a job of its own where elements are computed ahead.
            setup: setup.ahead(if self.ahead.is_some() { self.cycle.min(MOST_OPEN) } else { 0 }),
            open: Vec::new(),
            cycle: self.cycle,
            block: self.block,
            ahead: self.ahead,
            at: 0,
            taken: 0,
            ended: false,
            made: 0,
        }))
    }
}

/// Counts the elements of the datasets that a function makes.
struct Count {
    input: Box<dyn Iter>,
    calls: Calls,
    call: Option<Call>,
    /// Those of the datasets so far.
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

/// A dataset that a function makes of an element, and the position in it.
pub(crate) struct Inner {
    /// What the function is called with: its dataset is made again where the position is restored.
    element: Tuple,
    state: InnerState,
    number: u64,
    /// How many of its elements are computed ahead.
    ahead: Option<Limit>,
}

enum InnerState {
    Called(Call, Option<Saved>),
    Open(Box<dyn Iter>),
}

impl Inner {
    /// Calls the function for the `number`-th element.
    pub(crate) fn new(calls: &Calls, element: Tuple, number: u64, turn: &Turn<'_>) -> Inner {
        let call = calls.call(element.clone(), turn);
        Inner { element, state: InnerState::Called(call, None), number, ahead: None }
    }

    /// As [`Inner::new`], with the function called on another thread and so many elements computed ahead.
    fn ahead(calls: &Calls, element: Tuple, number: u64, limit: Limit, turn: &Turn<'_>) -> Inner {
        let call = calls.call_aside(element.clone(), turn);
        Inner { element, state: InnerState::Called(call, None), number, ahead: Some(limit) }
    }

    /// The iterator, once the function has made its dataset.
    ///
    /// # Errors
    /// Where it fails, or makes none.
    pub(crate) fn poll_open(&mut self, setup: &Setup, turn: &mut Turn<'_>) -> Poll<Result<&mut Box<dyn Iter>>> {
        if let InnerState::Called(call, position) = &mut self.state {
            let results = ready!(call.poll(turn))?;
            let [dataset] = results.as_slice() else {
                return Poll::Ready(Err(Error::invalid("Function must return a single scalar of dtype DT_VARIANT.")));
            };
            let iter = setup.make_one_of(&Source::of(dataset)?, self.number)?;
            let mut iter: Box<dyn Iter> = match self.ahead {
                None => iter,
                Some(limit) => {
                    let ahead = Ahead::new(setup, iter, limit);
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

/// An element of which a dataset was made, and the position in that, until there is a turn to make it again.
pub(crate) struct Resumed {
    number: u64,
    element: Tuple,
    position: Saved,
}

impl Resumed {
    /// # Errors
    /// `DATA_LOSS` where there is something else.
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

/// Places whose datasets are opened before it is their turn, at most.
const MOST_OPEN: u64 = 64;

/// A place in the cycle.
enum Place {
    Free,
    Taken(Inner),
    Resumed(Resumed),
    /// Opening its dataset ahead failed.
    Failed(Error),
}

struct InterleavedIter {
    input: Box<dyn Iter>,
    calls: Calls,
    setup: Setup,
    /// The places that have been taken so far; those behind are free.
    open: Vec<Place>,
    cycle: u64,
    block: u64,
    ahead: Option<Limit>,
    /// The place whose turn it is.
    at: u64,
    /// Elements of it in this block.
    taken: u64,
    ended: bool,
    /// Elements of the input so far.
    made: u64,
}

impl InterleavedIter {
    fn advance(&mut self) {
        self.taken = 0;
        self.at = (self.at + 1) % self.cycle;
        // Behind the last place nothing is open, and nothing will be.
        if self.ended && self.at >= self.open.len() as u64 {
            self.at = 0;
        }
    }

    fn is_over(&self) -> bool {
        self.ended && self.open.iter().all(|place| matches!(place, Place::Free))
    }

    /// Opens the datasets of places before it is their turn, in the order of their turns.
    fn open_ahead(&mut self, limit: Limit, turn: &mut Turn<'_>) {
        for i in 0..self.cycle.min(MOST_OPEN) {
            let at = ((self.at + i) % self.cycle) as usize;
            if at >= self.open.len() && !self.ended {
                self.open.push(Place::Free);
            }
            let place = match self.open.get_mut(at) {
                Some(Place::Free) if !self.ended => match self.input.poll(turn) {
                    Poll::Pending => return,
                    Poll::Ready(Err(error)) => Place::Failed(error),
                    Poll::Ready(Ok(None)) => {
                        self.ended = true;
                        continue;
                    }
                    Poll::Ready(Ok(Some(element))) => {
                        self.made += 1;
                        Place::Taken(Inner::ahead(&self.calls, element, self.made - 1, limit, turn))
                    }
                },
                Some(Place::Taken(inner)) => match inner.poll_open(&self.setup, turn) {
                    Poll::Ready(Err(error)) => Place::Failed(error),
                    _ => continue,
                },
                _ => continue,
            };
            self.open[at] = place;
        }
    }

    fn resume(&self, resumed: Resumed, turn: &Turn<'_>) -> Place {
        Place::Taken(Inner { ahead: self.ahead, ..resumed.resume(&self.calls, turn) })
    }
}

impl Iter for InterleavedIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while !self.is_over() {
            if let Some(limit) = self.ahead {
                self.open_ahead(limit, turn);
            }
            let at = self.at as usize;
            if at >= self.open.len() && !self.ended {
                self.open.push(Place::Free);
            }
            match self.open.get_mut(at) {
                Some(Place::Free) if !self.ended => match ready!(self.input.poll(turn))? {
                    None => self.ended = true,
                    Some(element) => {
                        self.open[at] = Place::Taken(Inner::new(&self.calls, element, self.made, turn));
                        self.made += 1;
                    }
                },
                Some(place @ (Place::Resumed(_) | Place::Failed(_))) => match std::mem::replace(place, Place::Free) {
                    Place::Resumed(resumed) => self.open[at] = self.resume(resumed, turn),
                    Place::Failed(error) => return Poll::Ready(Err(error)),
                    _ => {}
                },
                Some(Place::Taken(inner)) => {
                    let iter = match ready!(inner.poll_open(&self.setup, turn)) {
                        Ok(iter) => iter,
                        Err(error) => {
                            self.open[at] = Place::Free;
                            return Poll::Ready(Err(error));
                        }
                    };
                    let given = ready!(iter.poll(turn));
                    if !matches!(given, Ok(None)) {
                        // As in TensorFlow an element that failed counts where elements are computed ahead.
                        self.taken += u64::from(given.is_ok() || self.ahead.is_some());
                        if self.taken == self.block {
                            self.advance();
                        }
                        return Poll::Ready(given);
                    }
                    self.open[at] = Place::Free;
                    self.advance();
                    ready!(turn.pass());
                }
                Some(Place::Free) | None => self.advance(),
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
        for at in 0..self.open.len() {
            match std::mem::replace(&mut self.open[at], Place::Free) {
                Place::Resumed(resumed) => self.open[at] = self.resume(resumed, turn),
                place => self.open[at] = place,
            }
            match &mut self.open[at] {
                Place::Taken(inner) => {
                    to.int(1);
                    ready!(inner.save(&self.setup, turn, to))?;
                }
                Place::Failed(error) => {
                    to.int(2);
                    to.error(error);
                }
                _ => to.int(0),
            }
        }
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        (self.at, self.taken, self.made) = (from.int()? as u64, from.int()? as u64, from.int()? as u64);
        self.ended = from.flag()?;
        for _ in 0..from.count()? {
            self.open.push(match from.int()? {
                0 => Place::Free,
                1 => Place::Resumed(Resumed::read(from)?),
                _ => Place::Failed(from.error()?),
            });
        }
        self.input.restore(from)
    }
}
