//! `ParallelMapDataset`: a function of each element, of several at a time.

use crate::access::Access;
use crate::dataset::{ARGUMENTS, DATASET, Dataset, INPUT, Setup, Source, Tuple, input, make, scalar, scalar_output};
use crate::function::{Call, Calls, Function};
use crate::iter::{Iter, Next, Turn};
use crate::map::{MapAccess, mapped, mapped_cardinality, restore_call, save_call};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::task::{Task, Work};
use levada_graph::Func;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Poll, Waker, ready};

attrs! {
    /// A dataset of what a function makes of each element of another. The function is called for `num_parallel_calls` elements
    /// at a time; for -1 for as many as there are threads.
    pub struct ParallelMapDataset {
        /// The function.
        function: Func = Attr::func("f"),
        /// Dtypes of what the function gets besides.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY),
        /// Dtypes of an element.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        use_inter_op_parallelism: bool = Attr::bool("use_inter_op_parallelism").or_bool(true),
        /// True where an element may overtake those before it.
        sloppy: bool = Attr::bool("sloppy").or_bool(false),
        /// `false` where an element may overtake those before it.
        deterministic: String = Attr::string("deterministic").or_str("default"),
        /// True where the function cannot end the dataset.
        preserve_cardinality: bool = Attr::bool("preserve_cardinality").or_bool(false),
        /// Not used.
        use_unbounded_threadpool: bool = Attr::bool("use_unbounded_threadpool").or_bool(false),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static PARALLEL_MAP_DATASET: Def<ParallelMapDataset> = op("ParallelMapDataset")
    .inputs(&[INPUT, ARGUMENTS, arg("num_parallel_calls", is(DType::I32))])
    .outputs(DATASET)
    .without(&["deterministic", "use_unbounded_threadpool"])
    .also(&[form("ParallelMapDatasetV2")
        .inputs(&[INPUT, ARGUMENTS, arg("num_parallel_calls", is(DType::I64))])
        .without(&["sloppy"])])
    .shape(scalar_output)
    .kernel(parallel_map_dataset);

fn parallel_map_dataset(op: &ParallelMapDataset, cx: &mut Cx<'_, '_>) -> Result<()> {
    let last = cx.num_inputs() - 1;
    let source = input(cx, 0)?;
    let function = Function::of(cx, &op.function, 1..last)?;
    let calls = parallel_calls(cx, last)?;
    let ordered = is_ordered(&op.deterministic)? && !op.sloppy;
    let (types, preserves) = (op.types.as_slice().into(), op.preserve_cardinality);
    make(cx, op.types.clone(), op.shapes.clone(), ParallelMap { source, function, calls, ordered, types, preserves })
}

/// How many calls may be under way, by input `i`.
///
/// # Errors
/// `INVALID_ARGUMENT` where it is none.
pub(crate) fn parallel_calls(cx: &Cx<'_, '_>, i: usize) -> Result<usize> {
    let calls = match cx.input(i)?.dtype() {
        DType::I32 => i64::from(scalar::<i32>(cx, i, "num_parallel_calls")?),
        _ => scalar(cx, i, "num_parallel_calls")?,
    };
    match calls {
        -1 => Ok(cx.pool().threads()),
        calls => usize::try_from(calls)
            .ok()
            .filter(|&calls| calls > 0)
            .ok_or_else(|| Error::invalid("num_parallel_calls must be greater than zero.").found(calls)),
    }
}

/// Whether elements stay in order, by an attr `deterministic`.
///
/// # Errors
/// `INVALID_ARGUMENT` where it is neither `true`, `false` nor `default`.
pub(crate) fn is_ordered(deterministic: &str) -> Result<bool> {
    match deterministic {
        "true" | "default" => Ok(true),
        "false" => Ok(false),
        other => Err(Error::invalid(format!("{other:?} does not say whether the order is kept"))
            .attr("deterministic")
            .expected("true, false or default")),
    }
}

/// A dataset of what a function makes of each element of another.
pub(crate) struct ParallelMap {
    pub(crate) source: Source,
    pub(crate) function: Function,
    /// How many calls may be under way.
    pub(crate) calls: usize,
    /// True where elements stay in order.
    pub(crate) ordered: bool,
    /// Dtypes of an element.
    pub(crate) types: Arc<[DType]>,
    /// True where the function cannot end the dataset.
    pub(crate) preserves: bool,
}

impl Dataset for ParallelMap {
    fn kind(&self) -> &'static str {
        "ParallelMapV2"
    }

    fn cardinality(&self) -> i64 {
        mapped_cardinality(&self.source, self.preserves)
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        let (input, calls) = (setup.access(&self.source)?, self.function.at(setup));
        Ok(Box::new(MapAccess { input, calls, call: None, types: self.types.clone() }))
    }

    fn any_order(&self) -> Result<()> {
        self.source.any_order()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let (input, calls) = (setup.make(&self.source)?, self.function.at(&setup));
        let under_way = Arc::new(Mutex::new(UnderWay { calls: VecDeque::new(), ended: false, waker: None }));
        let start = Start { input, calls: calls.clone(), most: self.calls, under_way: under_way.clone() };
        Ok(Box::new(ParallelMapIter {
            task: Task::new(&setup, start),
            calls,
            most: self.calls,
            under_way,
            ordered: self.ordered,
            types: self.types.clone(),
            preserves: self.preserves,
        }))
    }
}

/// The calls that are under way, and who waits for them.
struct UnderWay {
    /// In the order of their elements. An element of the input that failed is a call that has.
    calls: VecDeque<Call>,
    /// True once the input has ended.
    ended: bool,
    waker: Option<Waker>,
}

/// Starts calls.
struct Start {
    input: Box<dyn Iter>,
    calls: Calls,
    most: usize,
    /// Protects the calls. Never held while the input works or a call runs.
    under_way: Arc<Mutex<UnderWay>>,
}

impl Work for Start {
    fn work(&mut self, turn: &mut Turn<'_>) {
        loop {
            {
                let under_way = self.under_way.lock();
                if under_way.ended || under_way.calls.len() >= self.most {
                    return;
                }
            }
            let Poll::Ready(given) = self.input.poll(turn) else { return };
            let call = match given {
                Ok(Some(element)) => Some(self.calls.call_aside(element, turn)),
                Ok(None) => None,
                Err(error) => Some(Call::returned_input(&self.calls, error)),
            };
            let mut under_way = self.under_way.lock();
            under_way.ended = call.is_none();
            under_way.calls.extend(call);
            let waker = under_way.waker.take();
            drop(under_way);
            if let Some(waker) = waker {
                waker.wake();
            }
            if turn.pass().is_pending() {
                return;
            }
        }
    }
}

struct ParallelMapIter {
    task: Task<Start>,
    calls: Calls,
    most: usize,
    under_way: Arc<Mutex<UnderWay>>,
    ordered: bool,
    types: Arc<[DType]>,
    preserves: bool,
}

impl ParallelMapIter {
    /// What the first call returned, or where the order does not matter any call.
    fn take(&self, turn: &Turn<'_>) -> Poll<Option<Result<Tuple>>> {
        let mut under_way = self.under_way.lock();
        let looked_at = if self.ordered { 1 } else { under_way.calls.len() };
        for i in 0..looked_at.min(under_way.calls.len()) {
            if let Poll::Ready(results) = under_way.calls[i].poll(turn) {
                drop(under_way.calls.remove(i));
                return Poll::Ready(Some(results));
            }
        }
        if under_way.ended && under_way.calls.is_empty() {
            return Poll::Ready(None);
        }
        if under_way.calls.is_empty() || !self.ordered {
            under_way.waker = Some(turn.waker.clone());
        }
        Poll::Pending
    }
}

impl Iter for ParallelMapIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        let taken = self.take(turn);
        let under_way = self.under_way.lock();
        let starts = !under_way.ended && under_way.calls.len() < self.most;
        drop(under_way);
        if starts {
            self.task.wake();
        }
        match ready!(taken) {
            Some(results) => Poll::Ready(mapped(results, &self.types, self.preserves)),
            None => Poll::Ready(Ok(None)),
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        let mut start = self.task.lock();
        let mut position = Saver::default();
        ready!(start.input.save(turn, &mut position))?;
        let under_way = self.under_way.lock();
        to.int(under_way.ended);
        to.count(under_way.calls.len());
        for call in &under_way.calls {
            ready!(save_call(Some(call), turn, to));
        }
        to.nested(position);
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        let mut start = self.task.lock();
        let mut under_way = self.under_way.lock();
        under_way.ended = from.flag()?;
        for _ in 0..from.count()? {
            under_way.calls.extend(restore_call(&self.calls, from)?);
        }
        drop(under_way);
        start.input.restore(&mut from.nested()?)
    }
}
