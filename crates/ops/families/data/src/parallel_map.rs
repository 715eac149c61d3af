//! `ParallelMapDataset`: applies a function to several elements concurrently.

use crate::access::Access;
use crate::dataset::{ARGUMENTS, DATASET, Dataset, INPUT, Setup, Source, Tuple, input, make, scalar, scalar_output};
use crate::function::{Call, Calls, Function};
use crate::iter::{Iter, Next, Turn};
use crate::map::{MapAccess, mapped, mapped_cardinality, restore_call, save_call};
use crate::meter::Stage;
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::task::{Task, Work};
use levada_graph::Func;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Poll, Waker, ready};

attrs! {
    /// Applies a function to each element of a dataset. `num_parallel_calls` calls run concurrently; -1 tunes their
    /// number.
    pub struct ParallelMapDataset {
        /// The function to call.
        function: Func = Attr::func("f"),
        /// Dtypes of the function's other arguments.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        use_inter_op_parallelism: bool = Attr::bool("use_inter_op_parallelism").or_bool(true),
        /// Whether elements may be returned out of order.
        sloppy: bool = Attr::bool("sloppy").or_bool(false),
        /// `false` to allow elements out of order.
        deterministic: String = Attr::string("deterministic").or_str("default"),
        /// Whether the function must not end the dataset.
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

/// The maximum number of concurrent calls.
#[derive(Clone, Copy)]
pub(crate) struct Most {
    /// The initial number.
    pub(crate) calls: usize,
    /// Whether the number is tuned.
    pub(crate) tuned: bool,
}

/// Reads the maximum number of concurrent calls from input `i`.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is invalid.
pub(crate) fn parallel_calls(cx: &Cx<'_, '_>, i: usize) -> Result<Most> {
    let calls = match cx.input(i)?.dtype() {
        DType::I32 => i64::from(scalar::<i32>(cx, i, "num_parallel_calls")?),
        _ => scalar(cx, i, "num_parallel_calls")?,
    };
    match calls {
        -1 => Ok(Most { calls: cx.pool().shares(), tuned: true }),
        calls => usize::try_from(calls)
            .ok()
            .filter(|&calls| calls > 0)
            .map(|calls| Most { calls, tuned: false })
            .ok_or_else(|| Error::invalid("num_parallel_calls must be greater than zero.").found(calls)),
    }
}

/// Parses an attr `deterministic`: whether elements keep their order.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is not `true`, `false` or `default`.
pub(crate) fn is_ordered(deterministic: &str) -> Result<bool> {
    match deterministic {
        "true" | "default" => Ok(true),
        "false" => Ok(false),
        other => Err(Error::invalid(format!("{other:?} is not a valid value of `deterministic`"))
            .attr("deterministic")
            .expected("true, false or default")),
    }
}

/// A dataset that applies a function to each element of another.
pub(crate) struct ParallelMap {
    pub(crate) source: Source,
    pub(crate) function: Function,
    pub(crate) calls: Most,
    /// Whether elements keep their order.
    pub(crate) ordered: bool,
    /// Dtypes of an element's components.
    pub(crate) types: Arc<[DType]>,
    /// Whether the function must not end the dataset.
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

    fn is_tuned(&self) -> bool {
        self.calls.tuned
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let calls = Parallel::new(&setup, &self.source, &self.function, self.calls, (self.ordered, false))?;
        Ok(Box::new(ParallelMapIter { calls, types: self.types.clone(), preserves: self.preserves }))
    }
}

/// A call in progress, with its element if that is kept.
type About = (Option<Tuple>, Call);

/// The results of a call, with its element if that is kept.
pub(crate) type Called = (Option<Tuple>, Result<Tuple>);

/// The calls in progress, and the waker of the reader.
struct UnderWay {
    /// In the order of their elements. A failed element of the input is represented by a call that has failed.
    calls: VecDeque<About>,
    /// Whether the input has ended.
    ended: bool,
    waker: Option<Waker>,
}

/// The current maximum number of concurrent calls.
#[derive(Clone)]
pub(crate) struct Now {
    pub(crate) fixed: usize,
    /// The stage that holds the number, if it is tuned.
    pub(crate) chosen: Option<Arc<Stage>>,
}

impl Now {
    pub(crate) fn get(&self) -> usize {
        self.chosen.as_ref().map_or(self.fixed, |stage| stage.parallelism() as usize)
    }
}

/// Starts calls.
struct Start {
    input: Box<dyn Iter>,
    calls: Calls,
    most: Now,
    /// Whether elements are kept with their calls.
    keeps: bool,
    /// Protects the calls. Not held while the input is polled or a call runs.
    under_way: Arc<Mutex<UnderWay>>,
}

impl Start {
    fn begin(&self, element: Tuple, call: impl FnOnce(Tuple) -> Call) -> About {
        let kept = self.keeps.then(|| element.clone());
        (kept, call(element))
    }
}

impl Work for Start {
    fn work(&mut self, turn: &mut Turn<'_>) {
        loop {
            {
                let under_way = self.under_way.lock();
                if under_way.ended || under_way.calls.len() >= self.most.get() {
                    return;
                }
            }
            let Poll::Ready(given) = self.input.poll(turn) else { return };
            let call = match given {
                Ok(Some(element)) => Some(self.begin(element, |element| self.calls.call_aside(element, turn))),
                Ok(None) => None,
                Err(error) => Some((None, Call::returned_input(&self.calls, error))),
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

/// Concurrent calls of a function for the elements of an input.
pub(crate) struct Parallel {
    task: Task<Start>,
    calls: Calls,
    most: Now,
    under_way: Arc<Mutex<UnderWay>>,
    ordered: bool,
    /// Whether a job requests elements.
    in_job: bool,
    stage: Option<Arc<Stage>>,
}

impl Parallel {
    /// `ordered` keeps the order, `keeps` returns the elements too.
    ///
    /// # Errors
    /// If there can be no iterator of the source.
    pub(crate) fn new(
        setup: &Setup,
        source: &Source,
        function: &Function,
        most: Most,
        (ordered, keeps): (bool, bool),
    ) -> Result<Parallel> {
        let (input, calls) = (setup.ahead(1).make(source)?, function.at(setup));
        let tuned = most.tuned && setup.tunes();
        if let Some(stage) = &setup.stage {
            stage.set_parallelism(most.calls as u64, tuned);
        }
        let most = Now { fixed: most.calls, chosen: setup.stage.clone().filter(|_| tuned) };
        let under_way = Arc::new(Mutex::new(UnderWay { calls: VecDeque::new(), ended: false, waker: None }));
        let start = Start { input, calls: calls.clone(), most: most.clone(), keeps, under_way: under_way.clone() };
        let (task, stage) = (Task::new(setup, start), setup.stage.clone());
        Ok(Parallel { task, calls, most, under_way, ordered, in_job: setup.in_job, stage })
    }

    /// The name of the function.
    pub(crate) fn name(&self) -> &str {
        self.calls.name()
    }

    /// Returns the results of the next call, with its element if that is kept; `None` at the end.
    pub(crate) fn poll(&mut self, turn: &mut Turn<'_>) -> Poll<Option<Called>> {
        if self.in_job
            && self.calls.are_short()
            && let Some(called) = self.call_here(turn)
        {
            return called;
        }
        let taken = self.take(turn);
        let under_way = self.under_way.lock();
        let starts = !under_way.ended && under_way.calls.len() < self.most.get();
        drop(under_way);
        if starts {
            self.task.wake();
        }
        taken
    }

    /// If a job already computes ahead, calls a short function on that job's thread, which is cheaper than handing over
    /// every element. `None` if calls are in progress on other threads.
    fn call_here(&mut self, turn: &mut Turn<'_>) -> Option<Poll<Option<Called>>> {
        let mut start = self.task.try_lock()?;
        {
            let mut under_way = self.under_way.lock();
            if !under_way.calls.is_empty() {
                return None;
            }
            if under_way.ended {
                return Some(Poll::Ready(None));
            }
            // From here on, a job that starts calls may take the input's next element.
            under_way.waker = Some(turn.waker.clone());
        }
        let element = match start.input.poll(turn) {
            Poll::Pending => return Some(Poll::Pending),
            Poll::Ready(Ok(None)) => {
                self.under_way.lock().ended = true;
                return Some(Poll::Ready(None));
            }
            Poll::Ready(Err(error)) => return Some(Poll::Ready(Some((None, Err(error))))),
            Poll::Ready(Ok(Some(element))) => element,
        };
        if let Some(stage) = &self.stage {
            stage.here.add(1);
        }
        let (kept, mut call) = start.begin(element, |element| self.calls.call(element, turn));
        match call.poll(turn) {
            Poll::Ready(results) => Some(Poll::Ready(Some((kept, results)))),
            Poll::Pending => {
                self.under_way.lock().calls.push_back((kept, call));
                Some(Poll::Pending)
            }
        }
    }

    /// Takes the results of the first call, or of any call if the order does not matter.
    fn take(&self, turn: &Turn<'_>) -> Poll<Option<Called>> {
        let mut under_way = self.under_way.lock();
        if let Some(stage) = &self.stage {
            stage.asked(under_way.calls.len());
        }
        let looked_at = if self.ordered { 1 } else { under_way.calls.len() };
        for i in 0..looked_at.min(under_way.calls.len()) {
            if let Poll::Ready(results) = under_way.calls[i].1.poll(turn) {
                let kept = under_way.calls.remove(i).and_then(|(kept, _)| kept);
                return Poll::Ready(Some((kept, results)));
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

    pub(crate) fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        let mut start = self.task.lock();
        let mut position = Saver::default();
        ready!(start.input.save(turn, &mut position))?;
        let under_way = self.under_way.lock();
        to.int(under_way.ended);
        to.count(under_way.calls.len());
        for (kept, call) in &under_way.calls {
            ready!(save_call(Some(call), turn, to));
            if start.keeps {
                to.element(kept.as_deref().unwrap_or_default());
            }
        }
        to.nested(position);
        Poll::Ready(Ok(()))
    }

    pub(crate) fn restore(&mut self, from: &mut Saved) -> Result<()> {
        let mut start = self.task.lock();
        let mut under_way = self.under_way.lock();
        under_way.ended = from.flag()?;
        for _ in 0..from.count()? {
            let call = restore_call(&self.calls, from)?.ok_or_else(crate::position::broken)?;
            let kept = if start.keeps { Some(from.element()?) } else { None };
            under_way.calls.push_back((kept, call));
        }
        drop(under_way);
        start.input.restore(&mut from.nested()?)
    }
}

struct ParallelMapIter {
    calls: Parallel,
    types: Arc<[DType]>,
    preserves: bool,
}

impl Iter for ParallelMapIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        match ready!(self.calls.poll(turn)) {
            Some((_, results)) => Poll::Ready(mapped(results, &self.types, self.preserves)),
            None => Poll::Ready(Ok(None)),
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        self.calls.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.calls.restore(from)
    }
}
