//! The work of devices with queues of their own: what nodes requested, and when it ran.
//!
//! A node on such a device is done when its work is queued. While the kernel of a traced step runs, its thread knows
//! the [`Origin`] of the work; code that queues work gets a [`Stamp`] from [`queue`] and reports later when the device
//! did the work. Outside traced steps there are no stamps, and the check costs a branch.

use crate::event::Iteration;
use crate::recorder::Recorder;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A device queue, which runs its work in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Track {
    /// Programs, by stream number; copies within the device go there too.
    Compute(u32),
    /// Copies to the device.
    CopiesIn,
    /// Copies to the host.
    CopiesOut,
    /// Copies from other devices, if these have a queue of their own.
    PeerCopies,
}

impl Track {
    /// True for copies to the device and from it.
    pub fn is_copies(self) -> bool {
        !matches!(self, Track::Compute(_))
    }
}

impl fmt::Display for Track {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Track::Compute(number) => write!(f, "compute {number}"),
            Track::CopiesIn => f.write_str("copies in"),
            Track::CopiesOut => f.write_str("copies out"),
            Track::PeerCopies => f.write_str("peer copies"),
        }
    }
}

impl From<Track> for String {
    fn from(track: Track) -> String {
        track.to_string()
    }
}

impl FromStr for Track {
    type Err = String;
    fn from_str(text: &str) -> Result<Track, String> {
        let number = || text.strip_prefix("compute ")?.parse().ok();
        match text {
            "copies in" => Ok(Track::CopiesIn),
            "copies out" => Ok(Track::CopiesOut),
            "peer copies" => Ok(Track::PeerCopies),
            _ => number().map(Track::Compute).ok_or_else(|| format!("{text:?} is not a track of a device")),
        }
    }
}

impl TryFrom<String> for Track {
    type Error = String;
    fn try_from(text: String) -> Result<Track, String> {
        text.parse()
    }
}

/// A kind of device work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "work", rename_all = "snake_case")]
pub enum Work {
    /// A program, such as a matrix product or a convolution.
    Kernel {
        /// The name of the program.
        name: String,
    },
    /// A copy from the host.
    CopyIn {
        /// Its size.
        bytes: u64,
    },
    /// A copy to the host.
    CopyOut {
        /// Its size.
        bytes: u64,
    },
    /// A copy within the device's memory.
    Copy {
        /// Its size.
        bytes: u64,
    },
    /// A copy from another device that bypasses the host.
    PeerCopy {
        /// Its size.
        bytes: u64,
        /// Full name of the other device.
        from: String,
    },
}

impl Work {
    /// A kernel with this name.
    pub fn kernel(name: impl Into<String>) -> Work {
        Work::Kernel { name: name.into() }
    }

    /// Its name in lists.
    pub fn name(&self) -> &str {
        match self {
            Work::Kernel { name } => name,
            Work::CopyIn { .. } => "copy in",
            Work::CopyOut { .. } => "copy out",
            Work::Copy { .. } => "copy",
            Work::PeerCopy { .. } => "peer copy",
        }
    }

    /// Bytes that a copy moves.
    pub fn bytes(&self) -> Option<u64> {
        match *self {
            Work::Kernel { .. } => None,
            Work::CopyIn { bytes } | Work::CopyOut { bytes } | Work::Copy { bytes } | Work::PeerCopy { bytes, .. } => {
                Some(bytes)
            }
        }
    }
}

/// One piece of work that a device did. Times are nanoseconds since the start of the step.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DeviceEvent {
    /// Name of the node that requested it, as in its own event.
    #[serde(with = "crate::event::text")]
    pub node: Arc<str>,
    /// The kind of work.
    #[serde(flatten)]
    pub work: Work,
    /// Full name of the device.
    #[serde(with = "crate::event::text")]
    pub device: Arc<str>,
    /// The device queue that it was in.
    pub track: Track,
    /// Number of the worker that queued it.
    pub worker: u32,
    /// When it was queued.
    pub queued_ns: u64,
    /// When the device started it.
    pub start_ns: u64,
    /// When the device finished it.
    pub end_ns: u64,
    /// The maximum offset of these two times from the host's clock, the same for both.
    #[serde(default, skip_serializing_if = "crate::event::is_zero")]
    pub error_ns: u64,
    /// True if the device has no clock, so that these are the times observed by the host.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub approximate: bool,
    /// The functions that the node ran in; empty for a node of the graph itself.
    #[serde(with = "crate::event::text", default = "crate::event::no_text", skip_serializing_if = "str::is_empty")]
    pub function: Arc<str>,
    /// The loop iteration that the node ran in; `None` outside loops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration: Option<Iteration>,
}

impl DeviceEvent {
    /// Nanoseconds from start to end.
    pub fn duration_ns(&self) -> u64 {
        self.end_ns.saturating_sub(self.start_ns)
    }

    /// Nanoseconds that it was in the queue.
    pub fn queueing_ns(&self) -> u64 {
        self.start_ns.saturating_sub(self.queued_ns)
    }

    /// True for work that each run of the graph does at most once: outside loops and functions.
    pub fn is_single(&self) -> bool {
        self.iteration.is_none() && self.function.is_empty()
    }
}

/// The node of a traced step that requests device work.
#[derive(Clone)]
pub struct Origin {
    /// Receives the events.
    pub recorder: Arc<Recorder>,
    /// Name of the node, as in its own event.
    pub node: Arc<str>,
    /// Number of the worker that runs it.
    pub worker: u32,
    /// The functions that it runs in.
    pub function: Arc<str>,
    /// The loop iteration that it runs in.
    pub iteration: Option<Iteration>,
}

thread_local! {
    static IS_TRACED: Cell<bool> = const { Cell::new(false) };
    static ORIGIN: RefCell<Option<Origin>> = const { RefCell::new(None) };
}

/// Keeps an [`Origin`] set for its thread until dropped.
pub struct Entered {
    before: Option<Origin>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        set(self.before.take());
    }
}

/// Sets the origin of this thread and returns the previous one.
fn set(origin: Option<Origin>) -> Option<Origin> {
    IS_TRACED.set(origin.is_some());
    ORIGIN.with(|o| o.replace(origin))
}

impl Origin {
    /// The origin of this thread; `None` outside traced steps.
    #[inline]
    pub fn current() -> Option<Origin> {
        if IS_TRACED.get() { ORIGIN.with_borrow(Clone::clone) } else { None }
    }

    /// Sets this as the thread's origin until the returned guard is dropped.
    #[must_use]
    pub fn enter(self) -> Entered {
        Entered { before: set(Some(self)) }
    }

    /// Records that work of `device` is queued now.
    pub fn queue(self, device: &Arc<str>, track: Track, work: Work) -> Stamp {
        let Origin { recorder, node, worker, function, iteration } = self;
        let queued_ns = recorder.expect();
        let (device, start_ns, end_ns, error_ns, approximate) = (device.clone(), 0, 0, 0, false);
        #[rustfmt::skip]
        let event = DeviceEvent {
            node, work, device, track, worker, queued_ns, start_ns, end_ns, error_ns, approximate, function, iteration,
        };
        Stamp { recorder, event: Some(Box::new(event)) }
    }
}

/// True if this thread runs a node of a traced step.
#[inline]
pub fn is_traced() -> bool {
    IS_TRACED.get()
}

/// Records that this thread queues work of `device` now, for the node that it runs; `None` outside traced steps.
#[inline]
pub fn queue(device: &Arc<str>, track: Track, work: impl FnOnce() -> Work) -> Option<Stamp> {
    if IS_TRACED.get() { Some(Origin::current()?.queue(device, track, work())) } else { None }
}

/// Work that was queued in a traced step. The step waits until the work's times are reported, or this is dropped.
#[must_use = "the step waits for it"]
pub struct Stamp {
    recorder: Arc<Recorder>,
    event: Option<Box<DeviceEvent>>,
}

impl Stamp {
    /// Reports that the device did it from `start` to `end`, both of which may be off by `error` in the same direction.
    pub fn ran(self, start: Instant, end: Instant, error: Duration) {
        self.take(start, end, error, false);
    }

    /// Reports that the device did it some time between these times.
    pub fn ran_within(self, start: Instant, end: Instant) {
        self.take(start, end, Duration::ZERO, true);
    }

    fn take(mut self, start: Instant, end: Instant, error: Duration, approximate: bool) {
        let Some(mut event) = self.event.take() else { return };
        event.start_ns = self.recorder.at(start);
        event.end_ns = self.recorder.at(end).max(event.start_ns);
        event.error_ns = error.as_nanos() as u64;
        event.approximate = approximate;
        self.recorder.ran(Some(*event));
    }

    /// Reports that the work was not queued after all.
    pub fn forget(mut self) {
        if self.event.take().is_some() {
            self.recorder.forget();
        }
    }

    /// The track that the work runs on; `None` if its times have been reported.
    pub fn track(&self) -> Option<Track> {
        self.event.as_ref().map(|event| event.track)
    }

    /// True if both belong to the same step.
    pub fn is_beside(&self, other: &Stamp) -> bool {
        Arc::ptr_eq(&self.recorder, &other.recorder)
    }

    /// Calls `hurry` before the step waits, for devices that batch work until they are flushed.
    pub fn before_waiting(&self, hurry: impl FnOnce() + Send + 'static) {
        self.recorder.before_waiting(Box::new(hurry));
    }
}

impl Drop for Stamp {
    fn drop(&mut self) {
        if self.event.is_some() {
            self.recorder.ran(None);
        }
    }
}
