//! `PrefetchDataset`: elements that are computed before they are requested.

use crate::access::Access;
use crate::dataset::{DATASET, Dataset, INPUT, Setup, Source, Tuple, input, make_like, scalar, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::meter::{MOST_BUFFERED, Meter, Stage};
use crate::permits::Permit;
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::stream::{restore_result, save_result};
use crate::task::{Task, Work};
use crate::to_device::ToDevice;
use levada_kernel::AnyDevice;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Poll, Waker, ready};

attrs! {
    /// Computes `buffer_size` elements of a dataset before they are requested; -1 tunes their number.
    pub struct PrefetchDataset {
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        slack_period: i64 = Attr::int("slack_period").or_int(0),
        /// Not used.
        legacy_autotune: bool = Attr::bool("legacy_autotune").or_bool(true),
        /// Minimum buffer size for -1.
        buffer_size_min: i64 = Attr::int("buffer_size_min").or_int(0),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static PREFETCH_DATASET: Def<PrefetchDataset> = op("PrefetchDataset")
    .inputs(&[INPUT, arg("buffer_size", is(DType::I64))])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|op: &PrefetchDataset, cx| {
        let (source, size): (Source, i64) = (input(cx, 0)?, scalar(cx, 1, "buffer_size")?);
        let limit = match size {
            AUTOTUNE => Limit { now: op.buffer_size_min.clamp(1, MOST_BUFFERED as i64) as usize, grows: true },
            size => match usize::try_from(size) {
                Ok(size) => Limit { now: size, grows: false },
                Err(_) => {
                    return Err(Error::invalid("buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning"));
                }
            },
        };
        make_like(cx, &source.clone(), Prefetch { source, limit })
    });

/// Requests a value that suits the pipeline.
const AUTOTUNE: i64 = -1;

/// The number of elements to buffer.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    pub(crate) now: usize,
    /// Whether it grows when the buffer runs empty, as long as that helps.
    pub(crate) grows: bool,
}

struct Prefetch {
    source: Source,
    limit: Limit,
}

impl Dataset for Prefetch {
    fn kind(&self) -> &'static str {
        "Prefetch"
    }

    fn cardinality(&self) -> i64 {
        self.source.cardinality()
    }

    fn is_tuned(&self) -> bool {
        self.limit.grows
    }

    fn wanted(&self) -> Option<Arc<dyn AnyDevice>> {
        self.source.wanted.clone()
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        let input = setup.access(&self.source)?;
        // In TensorFlow, a dataset that starts when it is created is not told of the requested order.
        match setup.is_warm() && self.limit.now > 0 {
            true => Ok(Box::new(InOrder { input, next: 0 })),
            false => Ok(input),
        }
    }

    fn any_order(&self) -> Result<()> {
        self.source.any_order()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        if self.limit.now == 0 {
            return setup.make(&self.source);
        }
        let job = setup.ahead(1);
        let input = match setup.wanted(&self.source) {
            Some(device) => {
                job.part("CopyToDevice", |inside| Ok(Box::new(ToDevice::new(inside.make(&self.source)?, device))))?
            }
            None => job.make(&self.source)?,
        };
        Ok(Box::new(Ahead::new(&setup, input, self.limit)))
    }
}

/// Random access that returns the elements in order, whatever index is requested.
struct InOrder {
    input: Box<dyn Access>,
    next: u64,
}

impl Access for InOrder {
    fn poll(&mut self, _: u64, turn: &mut Turn<'_>) -> Poll<Result<Tuple>> {
        let element = ready!(self.input.poll(self.next, turn));
        self.next += 1;
        Poll::Ready(element)
    }
}

/// The elements computed so far, and the waker of the reader.
struct Buffer {
    ready: VecDeque<Result<Option<Tuple>>>,
    limit: Limit,
    /// Whether the end is in the buffer, or has been returned.
    ended: bool,
    waker: Option<Waker>,
}

struct Fill {
    input: Box<dyn Iter>,
    /// Protects the buffer. Not held while the input is polled.
    buffer: Arc<Mutex<Buffer>>,
    /// Permission to work, if concurrency is limited.
    permit: Option<Permit>,
}

impl Work for Fill {
    fn work(&mut self, turn: &mut Turn<'_>) {
        loop {
            let is_asked = {
                let buffer = self.buffer.lock();
                if buffer.ended || buffer.ready.len() >= buffer.limit.now {
                    drop(buffer);
                    return self.permit.iter_mut().for_each(Permit::leave);
                }
                buffer.waker.is_some()
            };
            if self.permit.as_mut().is_some_and(|permit| !permit.take(is_asked, turn.waker)) {
                return;
            }
            let Poll::Ready(given) = self.input.poll(turn) else { return };
            self.permit.iter_mut().for_each(Permit::share);
            let mut buffer = self.buffer.lock();
            buffer.ended = matches!(given, Ok(None));
            buffer.ready.push_back(given);
            let waker = buffer.waker.take();
            drop(buffer);
            if let Some(waker) = waker {
                waker.wake();
            }
            if turn.pass().is_pending() {
                return;
            }
        }
    }
}

/// An iterator whose elements a task computes ahead.
pub(crate) struct Ahead {
    buffer: Arc<Mutex<Buffer>>,
    task: Task<Fill>,
    /// Its stage and meter, if the pipeline is metered.
    watched: Option<(Arc<Stage>, Arc<Meter>)>,
}

/// Buffer size if a tuned one was requested but tuning is off.
const FIXED: usize = 2;

impl Ahead {
    pub(crate) fn new(setup: &Setup, input: Box<dyn Iter>, limit: Limit) -> Ahead {
        Ahead::permitted(setup, input, limit, None)
    }

    /// Like [`Ahead::new`], for one of several whose concurrency is limited.
    pub(crate) fn permitted(setup: &Setup, input: Box<dyn Iter>, mut limit: Limit, permit: Option<Permit>) -> Ahead {
        if limit.grows && !setup.tunes() {
            limit = Limit { now: limit.now.max(FIXED), grows: false };
        }
        let watched = setup.stage.clone().zip(setup.meter.clone());
        if let Some((stage, _)) = &watched {
            stage.set_capacity(limit.now as u64, limit.grows);
        }
        let buffer = Arc::new(Mutex::new(Buffer { ready: VecDeque::new(), limit, ended: false, waker: None }));
        Ahead { task: Task::new(setup, Fill { input, buffer: buffer.clone(), permit }), buffer, watched }
    }
}

impl Ahead {
    /// Starts before it is polled.
    pub(crate) fn begin(&self) {
        self.task.wake();
    }
}

impl Iter for Ahead {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        let mut buffer = self.buffer.lock();
        if let Some((stage, _)) = &self.watched {
            stage.asked(buffer.ready.len());
        }
        let given = buffer.ready.pop_front();
        if given.is_none() && buffer.ended {
            return Poll::Ready(Ok(None));
        }
        if given.is_none() {
            buffer.waker = Some(turn.waker.clone());
            if buffer.limit.grows
                && let Some((stage, meter)) = &self.watched
            {
                buffer.limit.now = meter.larger(stage, buffer.limit.now as u64) as usize;
                stage.set_capacity(buffer.limit.now as u64, true);
            }
        }
        // Wakes the task for several elements at a time rather than for each.
        let wakes = !buffer.ended && buffer.ready.len() <= buffer.limit.now / 2;
        drop(buffer);
        if wakes {
            self.task.wake();
        }
        given.map_or(Poll::Pending, Poll::Ready)
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        let mut fill = self.task.lock();
        // The task waits for work in progress with its own waker, and is woken again when elements are requested.
        let mut position = Saver::default();
        ready!(fill.input.save(turn, &mut position))?;
        let buffer = self.buffer.lock();
        to.int(buffer.ended);
        to.count(buffer.limit.now);
        to.count(buffer.ready.len());
        buffer.ready.iter().for_each(|given| save_result(to, given));
        to.nested(position);
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        let mut fill = self.task.lock();
        let mut buffer = self.buffer.lock();
        buffer.ended = from.flag()?;
        let limit = from.count()?;
        if buffer.limit.grows {
            buffer.limit.now = limit.clamp(1, MOST_BUFFERED as usize);
        }
        for _ in 0..from.count()? {
            buffer.ready.push_back(restore_result(from)?);
        }
        drop(buffer);
        fill.input.restore(&mut from.nested()?)
    }
}
