//! Graph functions that datasets call for their elements.

use crate::dataset::{Setup, Tuple};
use crate::iter::Turn;
use crate::meter::{Count, EVERY, SLOW, Stage};
use crate::prelude::*;
use levada_graph::Func;
use levada_graph::device::DeviceName;
use levada_kernel::background::Origin;
use levada_kernel::observe::line_of;
use levada_kernel::{Background, Callee, Site};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// An attr of functions called by datasets, which has no meaning here.
const MARK: &str = "_tf_data_function";
/// An attr of the functions of a copy of a dataset: its number.
pub(crate) const COPY: &str = "_copy";

/// A function, and its other arguments.
#[derive(Clone)]
pub(crate) struct Function(Arc<Parts>);

struct Parts {
    function: Func,
    site: Site,
    captured: Vec<Tensor>,
    /// Name of the dataset's node.
    node: Arc<str>,
    op: &'static str,
}

impl Function {
    /// Returns the function `function` of the node, with these inputs as its other arguments.
    ///
    /// # Errors
    /// If there are no such inputs.
    pub(crate) fn of(cx: &Cx<'_, '_>, function: &Func, captured: std::ops::Range<usize>) -> Result<Function> {
        let mut function = function.clone();
        function.attrs.remove(MARK);
        // The dataset does not share the state of the function's nodes with others, nor with copies of it, nor with the
        // same node in a function that another one calls.
        let copy = match function.attrs.remove(COPY) {
            Some(AttrValue::I(number)) => number as u64,
            _ => 0,
        };
        let caller = line_of(line_of(cx.step().scope.id, &copy), &*cx.node().name);
        let captured = captured.map(|i| cx.input(i).cloned()).collect::<Result<_>>()?;
        let site = Site { device: on_host(&cx.node().device), all: true, inlined: None, used: None, caller };
        let (node, op) = (cx.node().name.clone(), cx.node().op);
        Ok(Function(Arc::new(Parts { function, site, captured, node, op })))
    }

    /// Prepares the function for one iterator.
    pub(crate) fn at(&self, setup: &Setup) -> Calls {
        if let Some(stage) = &setup.stage {
            stage.set_function(&self.0.function.name);
        }
        Calls(Arc::new(Shared {
            function: self.clone(),
            iterator: setup.name.clone(),
            stage: setup.stage.clone(),
            callee: OnceLock::new(),
            nanos: AtomicU64::new(0),
            times: Count::default(),
            line: line_of(line_of(0, &*setup.name), &*self.0.function.name),
            begun: AtomicU64::new(0),
        }))
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.0.function.name
    }
}

/// The device on which functions of a dataset on this device run: the same one, or the first CPU.
fn on_host(device: &Arc<str>) -> Arc<str> {
    match DeviceName::parse(device) {
        Ok(name) if name.kind.as_deref().is_some_and(|kind| kind != "CPU") => "/device:CPU:0".into(),
        _ => device.clone(),
    }
}

/// Calls a function for an iterator.
#[derive(Clone)]
pub(crate) struct Calls(Arc<Shared>);

/// State shared by the calls of a function for an iterator.
struct Shared {
    function: Function,
    iterator: Arc<str>,
    /// The calling stage, if the pipeline is metered.
    stage: Option<Arc<Stage>>,
    /// Resolved on the first call.
    callee: OnceLock<Arc<dyn Callee>>,
    /// Approximate time for which a call occupies its thread. Only an estimate: threads may overwrite each other's
    /// values.
    nanos: AtomicU64,
    /// Number of calls.
    times: Count,
    /// An id of the iterator and the function, and the number of calls started; sessions use them to tell calls apart.
    /// Relaxed: an iterator makes its calls one after the other.
    line: u64,
    begun: AtomicU64,
}

/// A call that occupies its thread for this many nanoseconds is worth another thread.
const WORTH_A_THREAD: u64 = 50_000;

impl Calls {
    /// Calls the function with these arguments followed by its other arguments.
    pub(crate) fn call(&self, args: Tuple, turn: &Turn<'_>) -> Call {
        let reply = Reply::default();
        self.begin(args, turn.background, &self.next(turn.origin), reply.clone());
        Call { reply, of: self.clone(), of_input: false }
    }

    /// Calls the function with these arguments when its results are not needed.
    pub(crate) fn call_alone(&self, args: Tuple, background: &Arc<Background>, origin: &Origin) {
        self.begin(args, background, &self.next(origin), Reply::default());
    }

    /// Like [`Calls::call`], on one of the pool's threads if previous calls took long enough to be worth it.
    pub(crate) fn call_aside(&self, args: Tuple, turn: &Turn<'_>) -> Call {
        if self.are_short() {
            return self.call(args, turn);
        }
        if let Some(stage) = &self.0.stage {
            stage.aside.add(1);
        }
        let reply = Reply::default();
        let (calls, background, origin, filled) =
            (self.clone(), turn.background.clone(), self.next(turn.origin), reply.clone());
        let spawned = turn.background.spawn(move || calls.begin(args, &background, &origin, filled));
        if let Err(error) = spawned {
            reply.fill(Err(error));
        }
        Call { reply, of: self.clone(), of_input: false }
    }

    /// The origin of the next call.
    fn next(&self, origin: &Origin) -> Origin {
        let number = self.0.begun.fetch_add(1, Ordering::Relaxed);
        Origin { line: line_of(self.0.line, &number), ..origin.clone() }
    }

    /// Whether a call is too short to be worth another thread.
    pub(crate) fn are_short(&self) -> bool {
        self.0.nanos.load(Ordering::Relaxed) < WORTH_A_THREAD
    }

    fn begin(&self, mut args: Tuple, background: &Arc<Background>, origin: &Origin, reply: Reply) {
        let parts = &self.0.function.0;
        args.extend_from_slice(&parts.captured);
        let callee = match self.0.callee.get() {
            Some(callee) => callee,
            None => match background.find(&parts.function, &parts.site) {
                Ok(callee) => self.0.callee.get_or_init(|| callee),
                Err(error) => return reply.fill(Err(error)),
            },
        };
        if let Some(stage) = &self.0.stage {
            stage.calls.add(1);
        }
        let before = self.0.nanos.load(Ordering::Relaxed);
        // Reading the clock costs as much as some functions.
        if !self.0.times.add(1).is_multiple_of(EVERY) && before < SLOW {
            return background.call(&**callee, args, origin, move |results| reply.fill(results));
        }
        let began = Instant::now();
        let stage = self.0.stage.clone();
        background.call(&**callee, args, origin, move |results| {
            if let Some(stage) = stage {
                stage.returned(began.elapsed());
            }
            reply.fill(results);
        });
        let took: Duration = began.elapsed();
        if let Some(stage) = &self.0.stage {
            stage.called(took);
        }
        self.0.nanos.store(before - before / 4 + took.as_nanos() as u64 / 4, Ordering::Relaxed);
    }

    /// The function's name.
    pub(crate) fn name(&self) -> &str {
        self.0.function.name()
    }

    /// Converts the error of a failed function to the error of its element.
    fn failed(&self, mut error: Error) -> Error {
        let Parts { node, op, .. } = &*self.0.function.0;
        let fault = error.fault_mut();
        fault.message = format!(
            "Error in user-defined function passed to {op} `{node}` transformation with iterator: {}: {}",
            self.0.iterator, fault.message
        );
        error
    }
}

enum Slot {
    /// No results yet; the waker to wake when they arrive.
    Empty(Option<Waker>),
    Full(Result<Tuple>),
    Taken,
}

/// A value available immediately or later: the results of a call.
#[derive(Clone)]
pub(crate) struct Reply(Arc<Mutex<Slot>>);

impl Default for Reply {
    fn default() -> Reply {
        Reply(Arc::new(Mutex::new(Slot::Empty(None))))
    }
}

impl Reply {
    /// Sets the results.
    pub(crate) fn fill(&self, results: Result<Tuple>) {
        let before = std::mem::replace(&mut *self.0.lock(), Slot::Full(results));
        if let Slot::Empty(Some(waker)) = before {
            waker.wake();
        }
    }

    /// Takes the results. If they are pending, the waker is woken when they arrive.
    pub(crate) fn poll(&self, waker: &Waker) -> Poll<Result<Tuple>> {
        let mut slot = self.0.lock();
        match &mut *slot {
            Slot::Empty(old) => {
                if !old.as_ref().is_some_and(|old| old.will_wake(waker)) {
                    *old = Some(waker.clone());
                }
                Poll::Pending
            }
            full => match std::mem::replace(full, Slot::Taken) {
                Slot::Full(results) => Poll::Ready(results),
                _ => Poll::Ready(Err(Error::internal("the results of a call were asked for twice"))),
            },
        }
    }

    /// Waits for the results without taking them.
    fn poll_there(&self, waker: &Waker) -> Poll<()> {
        match &mut *self.0.lock() {
            Slot::Empty(old) => {
                *old = Some(waker.clone());
                Poll::Pending
            }
            _ => Poll::Ready(()),
        }
    }
}

/// A call that returns immediately or later.
pub(crate) struct Call {
    reply: Reply,
    of: Calls,
    /// Whether its error stems from the input rather than the function.
    of_input: bool,
}

impl Call {
    /// Returns its results. If they are pending, the turn's waker is woken when they arrive.
    pub(crate) fn poll(&mut self, turn: &Turn<'_>) -> Poll<Result<Tuple>> {
        let results = self.reply.poll(turn.waker);
        match self.of_input {
            true => results,
            false => results.map_err(|error| self.of.failed(error)),
        }
    }

    /// Waits until the call has returned, without taking the results.
    pub(crate) fn poll_returned(&self, waker: &Waker) -> Poll<()> {
        self.reply.poll_there(waker)
    }

    /// Inspects the results, if they are available.
    pub(crate) fn look<R>(&self, look: impl FnOnce(&Result<Tuple>) -> R) -> Option<R> {
        match &*self.reply.0.lock() {
            Slot::Full(results) => Some(look(results)),
            _ => None,
        }
    }

    /// A call that has already returned these results.
    pub(crate) fn returned(of: &Calls, results: Result<Tuple>) -> Call {
        Call { reply: Reply(Arc::new(Mutex::new(Slot::Full(results)))), of: of.clone(), of_input: false }
    }

    /// Stands in for an element of the input that failed with this error.
    pub(crate) fn returned_input(of: &Calls, error: Error) -> Call {
        Call { of_input: true, ..Call::returned(of, Err(error)) }
    }
}

/// Checks that a function's results have these dtypes.
///
/// # Errors
/// `INVALID_ARGUMENT` otherwise.
pub(crate) fn check_results(results: &[Tensor], types: &[DType]) -> Result<()> {
    if results.len() == types.len() && results.iter().zip(types).all(|(r, t)| r.dtype() == *t) {
        return Ok(());
    }
    let found: Vec<DType> = results.iter().map(Tensor::dtype).collect();
    Err(Error::invalid("a dataset's function returns components that do not match the dataset's elements")
        .expected(format!("{types:?}"))
        .found(format!("{found:?}")))
}
