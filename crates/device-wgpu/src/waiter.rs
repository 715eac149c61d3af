//! A thread that waits for submissions and calls callbacks, and the memory that reads go through.

use crate::backend::Fault;
use crate::marks::{Marked, Marker};
use crate::scope::{error, scoped};
use levada_gpu::backend::OnRead;
use levada_graph::{Code, Error, Result, Tensor};
use levada_kernel::device::OnPassed;
use parking_lot::{Condvar, Mutex};
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum bytes of memory for reads that are kept for later ones.
const MOST_KEPT: u64 = 64 << 20;

/// How long the mapping of copied bytes may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Work to be done after a submission.
pub(crate) struct Work {
    pub(crate) after: Option<wgpu::SubmissionIndex>,
    pub(crate) reads: Vec<Read>,
    pub(crate) passed: Vec<OnPassed>,
    pub(crate) marked: Option<Marked>,
}

/// A read whose bytes are copied to memory that the host can access.
pub(crate) struct Read {
    pub(crate) staging: wgpu::Buffer,
    into: Tensor,
    done: OnRead,
    map: Option<Sender<bool>>,
    mapped: Receiver<bool>,
}

impl Read {
    pub(crate) fn new(staging: wgpu::Buffer, into: Tensor, done: OnRead) -> Read {
        let (map, mapped) = channel();
        Read { staging, into, done, map: Some(map), mapped }
    }

    pub(crate) fn len(&self) -> u64 {
        self.into.num_bytes() as u64
    }

    /// Requests the bytes, once the copy was submitted.
    pub(crate) fn map(&mut self) {
        let Some(map) = self.map.take() else { return };
        self.staging.map_async(wgpu::MapMode::Read, ..self.len(), move |result| {
            let _ = map.send(result.is_ok());
        });
    }

    /// Takes the bytes, after the copy.
    fn take(&mut self, device: &wgpu::Device) -> Result<()> {
        if !mapped(device, &self.mapped) {
            return Err(Error::internal("memory of the device cannot be read"));
        }
        let range = self.staging.get_mapped_range(..self.len());
        let range = range.map_err(|e| Error::internal(format!("memory of the device cannot be read: {e}")))?;
        if let Some(bytes) = self.into.bytes_mut() {
            bytes.copy_from_slice(&range);
        }
        drop(range);
        self.staging.unmap();
        Ok(())
    }
}

/// True once the host can access the memory reported by `is_mapped`, after the copy to it.
pub(crate) fn mapped(device: &wgpu::Device, is_mapped: &Receiver<bool>) -> bool {
    // Another thread that polls or submits may be about to report it.
    let start = Instant::now();
    loop {
        match is_mapped.recv_timeout(Duration::from_millis(1)) {
            Ok(mapped) => return mapped,
            Err(RecvTimeoutError::Timeout) if start.elapsed() < PATIENCE => {
                let _ = catch_unwind(AssertUnwindSafe(|| device.poll(wgpu::PollType::Poll)));
            }
            Err(_) => return false,
        }
    }
}

/// The thread's side of a device.
pub(crate) struct Waiter {
    device: wgpu::Device,
    fault: Arc<Fault>,
    pub(crate) marker: Marker,
    state: Mutex<State>,
    wake: Condvar,
    staging: Mutex<Staging>,
}

#[derive(Default)]
struct State {
    work: VecDeque<Work>,
    closed: bool,
    thread: Option<thread::JoinHandle<()>>,
}

#[derive(Default)]
struct Staging {
    free: BTreeMap<u64, Vec<wgpu::Buffer>>,
    kept: u64,
}

/// Waits for a submission. wgpu panics if the device is lost while it waits.
pub(crate) fn wait(device: &wgpu::Device, after: wgpu::SubmissionIndex, fault: &Fault) {
    let poll = wgpu::PollType::Wait { submission_index: Some(after), timeout: None };
    let waited = catch_unwind(AssertUnwindSafe(|| device.poll(poll)));
    let lost = |text: String| fault.set(Error::new(Code::Unavailable, format!("the device does not answer: {text}")));
    match waited {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => lost(error.to_string()),
        Err(_) => lost("it was lost".to_owned()),
    }
}

impl Waiter {
    pub(crate) fn start(name: &str, device: wgpu::Device, marker: Marker, fault: Arc<Fault>) -> Result<Arc<Waiter>> {
        let (state, wake, staging) = (Mutex::default(), Condvar::new(), Mutex::default());
        let waiter = Arc::new(Waiter { device, fault, marker, state, wake, staging });
        let run = waiter.clone();
        let thread = thread::Builder::new().name("levada-gpu".to_owned()).spawn(move || run.run());
        let thread = thread
            .map_err(|e| Error::new(Code::ResourceExhausted, format!("cannot start a thread for {name}: {e}")))?;
        waiter.state.lock().thread = Some(thread);
        Ok(waiter)
    }

    pub(crate) fn push(&self, work: Work) {
        self.state.lock().work.push_back(work);
        self.wake.notify_one();
    }

    /// Ends the thread once it has done its work.
    pub(crate) fn close(&self) {
        let mut state = self.state.lock();
        state.closed = true;
        let thread = state.thread.take();
        drop(state);
        self.wake.notify_one();
        if let Some(thread) = thread.filter(|t| t.thread().id() != thread::current().id()) {
            let _ = thread.join();
        }
    }

    fn run(&self) {
        loop {
            let mut state = self.state.lock();
            let work = loop {
                match state.work.pop_front() {
                    Some(work) => break work,
                    None if state.closed => return,
                    None => self.wake.wait(&mut state),
                }
            };
            drop(state);
            self.finish(work);
        }
    }

    fn finish(&self, work: Work) {
        if let Some(after) = work.after {
            wait(&self.device, after, &self.fault);
        }
        for mut read in work.reads {
            let taken = self.fault.check().and_then(|()| read.take(&self.device));
            let Read { staging, into, done, .. } = read;
            if taken.is_ok() {
                self.keep(staging);
            }
            done(taken.map(|()| into));
        }
        for done in work.passed {
            done(self.fault.check());
        }
        if let Some(marked) = work.marked.filter(|_| self.fault.check().is_ok()) {
            self.marker.tell(marked);
        }
    }

    /// Memory for a read of this many bytes.
    pub(crate) fn staging(&self, bytes: u64) -> Result<wgpu::Buffer> {
        let size = bytes.next_power_of_two().max(256);
        let mut staging = self.staging.lock();
        if let Some(buffer) = staging.free.get_mut(&size).and_then(Vec::pop) {
            staging.kept -= size;
            return Ok(buffer);
        }
        drop(staging);
        // Large ones are not kept, and need not be rounded up.
        let size = if size > MOST_KEPT { bytes } else { size };
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        let (buffer, failed) = scoped(&self.device, || self.device.create_buffer(&descriptor));
        match failed {
            Some(failed) => Err(error(&failed, &format!("memory for reading {bytes} bytes is not available"))),
            None => Ok(buffer),
        }
    }

    fn keep(&self, buffer: wgpu::Buffer) {
        let mut staging = self.staging.lock();
        if staging.kept + buffer.size() <= MOST_KEPT {
            staging.kept += buffer.size();
            staging.free.entry(buffer.size()).or_default().push(buffer);
        }
    }
}
