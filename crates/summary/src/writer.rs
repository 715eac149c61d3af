//! Event files, as TensorBoard expects them in a directory.

use crate::message::{Message, fields};
use crate::summary::Summary;
use levada_graph::{Code, Error, Result};
use levada_records::{Compression, Writer as Records};
use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// An event at a step.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A `Summary` message.
    Summary(&'a [u8]),
    /// A `GraphDef` message.
    Graph(&'a [u8]),
    /// A `RunMetadata` message, and the name to show it under.
    RunMetadata(&'a str, &'a [u8]),
    /// A `MetaGraphDef` message.
    MetaGraph(&'a [u8]),
    /// The new status of a session, and the path of its checkpoint, if any.
    SessionLog(SessionStatus, &'a str),
}

/// The status of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionStatus {
    /// It starts or restarts, which hides events of later steps.
    Start = 1,
    /// It ended.
    Stop = 2,
    /// It saved a checkpoint.
    Checkpoint = 3,
}

impl Event<'_> {
    fn message(&self, step: i64) -> Vec<u8> {
        let mut message = Message::default();
        message.double(1, now());
        message.int(2, step);
        match self {
            Event::Graph(graph) => message.bytes(4, graph),
            Event::Summary(summary) => message.bytes(5, summary),
            Event::RunMetadata(tag, metadata) => {
                let mut tagged = Message::default();
                tagged.text(1, tag.as_bytes());
                tagged.bytes(2, metadata);
                message.bytes(8, &tagged.0);
            }
            Event::MetaGraph(graph) => message.bytes(9, graph),
            Event::SessionLog(status, path) => {
                let mut log = Message::default();
                log.int(1, *status as i64);
                log.text(2, path.as_bytes());
                message.bytes(7, &log.0);
            }
        }
        message.0
    }
}

/// Writes an event file. Several threads may use it concurrently.
pub struct Writer {
    path: PathBuf,
    /// The maximum number of buffered events.
    max_queue: usize,
    /// The maximum time that events are buffered; checked when an event is written.
    flush_after: Duration,
    /// Protects the file, so that events are written whole.
    open: Mutex<Open>,
}

struct Open {
    records: Records<File>,
    waiting: usize,
    flushed: Instant,
}

impl Writer {
    /// Starts a file in this directory, which is created if it does not exist. `suffix` ends its name.
    ///
    /// # Errors
    /// An error if the file cannot be created.
    pub fn create(directory: impl AsRef<Path>, suffix: &str) -> Result<Writer> {
        let directory = directory.as_ref();
        fs::create_dir_all(directory).map_err(|e| failed(directory, &e))?;
        let (seconds, host, process) = (now() as u64, host(), std::process::id());
        for number in 0..u32::MAX {
            let path = directory.join(format!("events.out.tfevents.{seconds:010}.{host}.{process}.{number}{suffix}"));
            let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(failed(&path, &error)),
            };
            let records = Records::new(file, Compression::None);
            let open = Mutex::new(Open { records, waiting: 0, flushed: Instant::now() });
            let writer = Writer { path, max_queue: 10, flush_after: Duration::from_secs(120), open };
            let mut first = Message::default();
            first.double(1, now());
            first.bytes(3, b"brain.Event:2");
            let mut source = Message::default();
            source.text(1, b"levada");
            first.bytes(10, &source.0);
            writer.raw(&first.0)?;
            return Ok(writer);
        }
        Err(Error::already_exists(format!("{} has too many files of events", directory.display())))
    }

    /// Buffers at most `max_queue` events, and none longer than `flush_after` while others are written.
    #[must_use]
    pub fn waiting(mut self, max_queue: usize, flush_after: Duration) -> Writer {
        (self.max_queue, self.flush_after) = (max_queue, flush_after);
        self
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a summary.
    ///
    /// # Errors
    /// I/O errors.
    pub fn summary(&self, step: i64, summary: &Summary) -> Result<()> {
        self.event(step, Event::Summary(summary.bytes()))
    }

    /// Writes an event.
    ///
    /// # Errors
    /// I/O errors.
    pub fn event(&self, step: i64, event: Event<'_>) -> Result<()> {
        self.raw(&event.message(step))
    }

    /// Writes an event that is already a message.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it is not an event, and I/O errors.
    pub fn message(&self, event: &[u8]) -> Result<()> {
        fields(event).ok_or_else(|| Error::invalid("the bytes are not those of an event"))?;
        self.raw(event)
    }

    fn raw(&self, event: &[u8]) -> Result<()> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.records.write(event)?;
        open.waiting += 1;
        if open.waiting > self.max_queue || open.flushed.elapsed() > self.flush_after {
            open.flush()?;
        }
        Ok(())
    }

    /// Passes all buffered events to the operating system.
    ///
    /// # Errors
    /// I/O errors.
    pub fn flush(&self) -> Result<()> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}

impl Open {
    fn flush(&mut self) -> Result<()> {
        (self.waiting, self.flushed) = (0, Instant::now());
        self.records.flush()
    }
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64())
}

/// The machine's name, as part of a file's name.
fn host() -> String {
    let found = fs::read_to_string("/proc/sys/kernel/hostname").or_else(|_| std::env::var("HOSTNAME"));
    let name: String = found.unwrap_or_default().trim().replace(['/', '\\'], "_");
    if name.is_empty() { "localhost".to_owned() } else { name }
}

fn failed(path: &Path, error: &std::io::Error) -> Error {
    let code = match error.kind() {
        ErrorKind::NotFound => Code::NotFound,
        ErrorKind::PermissionDenied => Code::PermissionDenied,
        ErrorKind::StorageFull => Code::ResourceExhausted,
        ErrorKind::AlreadyExists | ErrorKind::NotADirectory => Code::FailedPrecondition,
        _ => Code::Unknown,
    };
    Error::new(code, format!("{}; {error}", path.display()))
}
