//! A device as the runtime sees it.

use crate::marks::Marker;
use crate::pipelines::Pipelines;
use crate::queue::Pending;
use crate::scope::{error, scoped};
use crate::waiter::{Read, Waiter, Work};
use levada_gpu::backend::{Block, Launch, OnRead};
use levada_gpu::discovery::{Info, Kind};
use levada_gpu::print::Language;
use levada_gpu::{Backend, Tracks};
use levada_graph::{Code, DType, Error, Result, Tensor};
use levada_kernel::device::OnPassed;
use parking_lot::Mutex;
use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Instant;

/// Writes of up to this many bytes go along with a batch; longer ones are submitted on their own.
const SMALL_WRITE: usize = 16 << 10;

/// Bytes that are written at a time: each write uses as much memory on the host until it is submitted.
const WRITE_AT_ONCE: usize = 64 << 20;

/// A device through wgpu. Several handles may share the device.
pub struct Wgpu {
    shared: Arc<Shared>,
    tracks: Tracks,
}

/// What handles of a device share.
pub(crate) struct Shared {
    pub(crate) me: Weak<Shared>,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    pub(crate) pipelines: Pipelines,
    pub(crate) pending: Mutex<Pending>,
    pub(crate) waiter: Arc<Waiter>,
    fault: Arc<Fault>,
    name: String,
    has_int64: bool,
    largest: u64,
    memory: Option<u64>,
    next_block: AtomicU64,
    /// Set when a block is dropped, which cached bindings may still hold.
    pub(crate) dropped: Arc<AtomicBool>,
}

/// An unrecoverable error.
#[derive(Default)]
pub(crate) struct Fault {
    is: AtomicBool,
    error: Mutex<Option<Error>>,
}

impl Fault {
    /// Keeps the first error.
    pub(crate) fn set(&self, error: Error) {
        self.error.lock().get_or_insert(error);
        self.is.store(true, Ordering::Release);
    }

    pub(crate) fn check(&self) -> Result<()> {
        if !self.is.load(Ordering::Acquire) {
            return Ok(());
        }
        self.error.lock().clone().map_or(Ok(()), Err)
    }
}

/// Memory of a device.
pub(crate) struct WgpuBlock {
    pub(crate) buffer: wgpu::Buffer,
    pub(crate) id: u64,
    dropped: Arc<AtomicBool>,
}

impl Block for WgpuBlock {}

impl fmt::Debug for WgpuBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WgpuBlock").field("id", &self.id).field("size", &self.buffer.size()).finish_non_exhaustive()
    }
}

impl Drop for WgpuBlock {
    fn drop(&mut self) {
        self.dropped.store(true, Ordering::Release);
    }
}

pub(crate) fn block(block: &Arc<dyn Block>) -> Result<&WgpuBlock> {
    let any: &dyn Any = &**block;
    any.downcast_ref().ok_or_else(|| Error::internal("memory of another backend"))
}

impl Shared {
    pub(crate) fn new(device: wgpu::Device, queue: wgpu::Queue, info: &Info) -> Result<Arc<Shared>> {
        let fault = Arc::new(Fault::default());
        let (told, name) = (fault.clone(), info.name.clone());
        device.on_uncaptured_error(Arc::new(move |e: wgpu::Error| told.set(error(&e, &name))));
        let (told, name) = (fault.clone(), info.name.clone());
        device.set_device_lost_callback(move |reason, message| {
            let text = format!("{name} was lost ({reason:?}): {message}");
            told.set(Error::new(Code::Unavailable, text));
        });
        let limits = device.limits();
        let (made, failed) = scoped(&device, || (Pipelines::new(device.clone()), Pending::new(&device)));
        if let Some(failed) = failed {
            return Err(error(&failed, &format!("{} cannot be used", info.name)));
        }
        let marker = Marker::new(&device, queue.get_timestamp_period());
        let waiter = Waiter::start(&info.name, device.clone(), marker, fault.clone())?;
        Ok(Arc::new_cyclic(|me| Shared {
            me: me.clone(),
            queue,
            pipelines: made.0,
            pending: Mutex::new(made.1),
            waiter,
            fault,
            name: info.name.clone(),
            has_int64: device.features().contains(wgpu::Features::SHADER_INT64),
            largest: limits.max_buffer_size.min(limits.max_storage_buffer_binding_size),
            // Software devices use the host's memory, of which there is little to spare.
            memory: info.memory.map(|m| if info.kind == Kind::Discrete { m / 10 * 9 } else { m }),
            next_block: AtomicU64::new(0),
            dropped: Arc::default(),
            device,
        }))
    }

    /// True if the device does not answer any more.
    pub(crate) fn is_lost(&self) -> bool {
        self.fault.check().is_err()
    }

    pub(crate) fn fail(&self, error: Error) {
        self.fault.set(error);
    }

    pub(crate) fn check(&self) -> Result<()> {
        self.fault.check()
    }

    fn buffer(&self, bytes: u64) -> std::result::Result<wgpu::Buffer, wgpu::Error> {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let descriptor = wgpu::BufferDescriptor { label: None, size: bytes, usage, mapped_at_creation: false };
        let (buffer, failed) = scoped(&self.device, || self.device.create_buffer(&descriptor));
        failed.map_or(Ok(buffer), Err)
    }

    /// Submits what is pending and waits for everything that was submitted.
    fn wait(&self) -> Result<()> {
        let mut pending = self.pending.lock();
        self.flush(&mut pending);
        let last = pending.last.clone();
        drop(pending);
        if let Some(last) = last {
            crate::waiter::wait(&self.device, last, &self.fault);
        }
        self.check()
    }

    /// Calibrates the device's clock, in traced steps.
    fn look_at_clock(&self) -> Result<()> {
        if !Tracks::is_traced() {
            return Ok(());
        }
        self.waiter.marker.calibrate(&self.queue, &|index| crate::waiter::wait(&self.device, index, &self.fault))
    }

    fn write_now(&self, to: &WgpuBlock, bytes: &[u8], tracks: &Tracks) -> Result<()> {
        let mut pending = self.pending.lock();
        if bytes.len() <= SMALL_WRITE {
            return self.upload(&mut pending, to, bytes, tracks);
        }
        // Separate writes come before everything that is submitted afterwards.
        self.flush(&mut pending);
        let Some(stamp) = tracks.copy_in(bytes.len()) else { return self.write_parts(&mut pending, to, bytes) };
        // The clock is recorded by separate submissions, before and after.
        let (marker, submitted) = (&self.waiter.marker, Instant::now());
        let marks = marker.take();
        if let Some(marks) = &marks {
            let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            marker.mark(&mut encoder, marks, 0);
            self.queue.submit([encoder.finish()]);
        }
        self.write_parts(&mut pending, to, bytes)?;
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if let Some(marks) = &marks {
            marker.mark(&mut encoder, marks, 1);
            marker.collect(&mut encoder, marks, 1);
        }
        pending.last = Some(self.queue.submit([encoder.finish()]));
        pending.written = false;
        let marked = Some(marker.submitted(vec![stamp], submitted, marks));
        self.waiter.push(Work { after: pending.last.clone(), reads: Vec::new(), passed: Vec::new(), marked });
        Ok(())
    }

    fn write_parts(&self, pending: &mut Pending, to: &WgpuBlock, bytes: &[u8]) -> Result<()> {
        for (i, part) in bytes.chunks(WRITE_AT_ONCE).enumerate() {
            let at = (i * WRITE_AT_ONCE) as u64;
            let ((), failed) = scoped(&self.device, || self.queue.write_buffer(&to.buffer, at, part));
            if let Some(failed) = failed {
                return Err(error(&failed, &format!("{} bytes cannot be copied to {}", bytes.len(), self.name)));
            }
            pending.written = true;
            if part.len() == WRITE_AT_ONCE {
                self.flush(pending);
            }
        }
        Ok(())
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.waiter.close();
    }
}

impl Wgpu {
    pub(crate) fn new(shared: Arc<Shared>) -> Wgpu {
        Wgpu { shared, tracks: Tracks::default() }
    }
}

impl Drop for Wgpu {
    fn drop(&mut self) {
        // Nothing is running once the device is not used any more, so that the process may end.
        let _ = self.shared.wait();
    }
}

/// Checks for a length that copies can have.
fn whole_words(bytes: usize) -> Result<()> {
    if bytes.is_multiple_of(4) {
        return Ok(());
    }
    Err(Error::internal(format!("{bytes} bytes are not a whole number of words")))
}

impl Backend for Wgpu {
    fn language(&self) -> Language {
        Language::Wgsl
    }

    fn attach(&self, device: &Arc<str>) {
        self.tracks.attach(device);
    }

    fn has(&self, dtype: DType) -> bool {
        match dtype {
            DType::F64 => false,
            DType::I64 | DType::U64 => self.shared.has_int64,
            _ => Language::Wgsl.element_size(dtype).is_some(),
        }
    }

    fn alloc(&self, bytes: usize) -> Result<Arc<dyn Block>> {
        let shared = &self.shared;
        shared.check()?;
        let size = (bytes as u64).max(4).next_multiple_of(4);
        let refused = |why: &str| {
            let text = format!("{} cannot allocate {bytes} bytes in one piece: {why}", shared.name);
            Error::new(Code::ResourceExhausted, text)
        };
        if size > shared.largest {
            return Err(refused(&format!("the maximum is {}", shared.largest)));
        }
        let buffer = match shared.buffer(size) {
            Err(wgpu::Error::OutOfMemory { .. }) => {
                // Freed memory is available once the queue has passed what used it.
                shared.pending.lock().forget_bindings();
                shared.wait()?;
                shared.buffer(size)
            }
            made => made,
        };
        let buffer = buffer.map_err(|e| match e {
            wgpu::Error::OutOfMemory { .. } => refused("out of memory"),
            e => error(&e, "memory is not available"),
        })?;
        let id = shared.next_block.fetch_add(1, Ordering::Relaxed);
        Ok(Arc::new(WgpuBlock { buffer, id, dropped: shared.dropped.clone() }))
    }

    fn launch(&self, launch: Launch<'_>) -> Result<()> {
        self.shared.check()?;
        self.shared.look_at_clock()?;
        self.shared.launch(&launch, &self.tracks)
    }

    fn write(&self, to: &Arc<dyn Block>, bytes: Tensor, done: OnPassed) {
        let write = || {
            self.shared.check()?;
            let to = block(to)?;
            let bytes = bytes.bytes().ok_or_else(|| Error::internal("a tensor without bytes"))?;
            whole_words(bytes.len())?;
            if bytes.len() as u64 > to.buffer.size() {
                return Err(Error::internal("a write past the end"));
            }
            self.shared.look_at_clock()?;
            self.shared.write_now(to, bytes, &self.tracks)
        };
        done(write());
    }

    fn read(&self, from: &Arc<dyn Block>, at: usize, like: Tensor, done: OnRead) {
        let shared = &self.shared;
        let len = like.num_bytes();
        let staged = || {
            shared.check()?;
            let from = block(from)?;
            whole_words(at)?;
            whole_words(len)?;
            if (at as u64).saturating_add(len as u64) > from.buffer.size() {
                return Err(Error::internal("a read past the end"));
            }
            shared.look_at_clock()?;
            Ok((from.buffer.clone(), shared.waiter.staging(len as u64)?))
        };
        if len == 0 {
            return done(Ok(like));
        }
        match staged() {
            Ok((buffer, staging)) => {
                let mut pending = shared.pending.lock();
                let stamp = shared.stamp(&mut pending, || self.tracks.copy_out(len));
                pending.read(buffer, at as u64, Read::new(staging, like, done), stamp);
                shared.flush(&mut pending);
            }
            Err(error) => done(Err(error)),
        }
    }

    fn copy(&self, from: &Arc<dyn Block>, from_at: usize, to: &Arc<dyn Block>, to_at: usize, len: usize) -> Result<()> {
        let shared = &self.shared;
        shared.check()?;
        let (from, to) = (block(from)?, block(to)?);
        [from_at, to_at, len].into_iter().try_for_each(whole_words)?;
        let (from_at, to_at, len) = (from_at as u64, to_at as u64, len as u64);
        if from_at.saturating_add(len) > from.buffer.size() || to_at.saturating_add(len) > to.buffer.size() {
            return Err(Error::internal("a copy past the end"));
        }
        if len == 0 {
            return Ok(());
        }
        shared.look_at_clock()?;
        let stamp = |pending: &mut Pending| shared.stamp(pending, || self.tracks.copy(0, len as usize));
        if from.id != to.id {
            let mut pending = shared.pending.lock();
            let stamp = stamp(&mut pending);
            pending.copy(&from.buffer, from_at, &to.buffer, to_at, len, stamp);
            shared.stamped(&mut pending, stamp);
            return Ok(());
        }
        // A buffer cannot be copied to itself.
        let between = shared.buffer(len).map_err(|e| error(&e, "memory for a copy is not available"))?;
        let mut pending = shared.pending.lock();
        pending.copy(&from.buffer, from_at, &between, 0, len, None);
        let stamp = stamp(&mut pending);
        pending.copy(&between, 0, &to.buffer, to_at, len, stamp);
        shared.stamped(&mut pending, stamp);
        Ok(())
    }

    fn when_passed(&self, done: OnPassed) {
        let shared = &self.shared;
        if let Err(error) = shared.check() {
            return done(Err(error));
        }
        let mut pending = shared.pending.lock();
        pending.passed.push(done);
        shared.flush(&mut pending);
    }

    fn synchronize(&self) -> Result<()> {
        self.shared.wait()
    }

    fn memory_limit(&self) -> Option<u64> {
        self.shared.memory
    }
}
