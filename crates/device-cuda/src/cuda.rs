//! The backend.
//!
//! Programs run on one stream, copies from and to the host on two others through page-locked memory. What a copy must wait
//! for is found by number ([`Timeline`]), so that copies overlap with the programs that have nothing to do with them.

use crate::blas::Blas;
use crate::compile::compile;
use crate::staging::Staging;
use crate::timeline::Timeline;
use crate::times::{Begun, Times};
use cudarc::driver::sys::{CUdeviceptr, CUevent_flags, CUresult};
use cudarc::driver::{
    CudaContext, CudaEvent, CudaFunction, CudaSlice, CudaStream, DevicePtr, DriverError, LaunchConfig, PushKernelArg,
    result,
};
use levada_gpu::Tracks;
use levada_gpu::backend::{Backend, Block, Launch, MatMul, OnRead, Prepared};
use levada_gpu::ir::Access;
use levada_gpu::print::Language;
use levada_graph::{Code, Error, Result, Tensor};
use levada_kernel::device::OnPassed;
use parking_lot::{Mutex, RwLock};
use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};

/// What is done once an event has passed.
type Then = Box<dyn FnOnce(Result<(), DriverError>) + Send>;

/// A device.
pub struct Cuda {
    context: Arc<CudaContext>,
    compute: Arc<CudaStream>,
    uploads: Arc<CudaStream>,
    downloads: Arc<CudaStream>,
    capability: (i32, i32),
    /// What was compiled, by the programs' numbers.
    functions: RwLock<HashMap<usize, CudaFunction>>,
    staging: Arc<Staging>,
    /// cuBLASLt, where it is installed.
    blas: Option<Mutex<Blas>>,
    /// Held while something is queued, so that numbers are in the order of the streams.
    timeline: Mutex<Timeline>,
    /// To the thread that waits for events. It ends with the last of its senders.
    waiter: Sender<(CudaEvent, Then)>,
    limit: u64,
    tracks: Tracks,
    times: Times,
}

/// Memory of the device.
struct CudaBlock {
    slice: CudaSlice<u8>,
    address: CUdeviceptr,
    /// Number of the last work that uses it.
    used: AtomicU64,
    /// After the last copy of it to the host, while nothing has been told to wait for that. It is used with the timeline
    /// locked only.
    read: Mutex<Option<Arc<CudaEvent>>>,
}

impl CudaBlock {
    /// What writes this block from here on in `stream` comes after the copies to the host that were asked for before.
    fn overwrite(&self, stream: &CudaStream) -> Result<(), DriverError> {
        match self.read.lock().take() {
            Some(event) => stream.wait(&event),
            None => Ok(()),
        }
    }
}

impl Block for CudaBlock {}

impl fmt::Debug for CudaBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CudaBlock").field("len", &self.slice.len()).finish_non_exhaustive()
    }
}

fn block(block: &Arc<dyn Block>) -> Result<&CudaBlock> {
    let any: &dyn Any = &**block;
    any.downcast_ref().ok_or_else(|| Error::internal("memory of another backend"))
}

/// What the driver says, as an error.
fn said(error: DriverError) -> Error {
    let code = match error.0 {
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => Code::ResourceExhausted,
        _ => Code::Internal,
    };
    let text = error.error_string().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    Error::new(code, format!("CUDA: {text} ({:?})", error.0))
}

impl Cuda {
    /// Opens the device with this number; [`crate::devices`] must have found it.
    ///
    /// # Errors
    /// What the driver says.
    #[allow(unsafe_code)]
    pub fn open(ordinal: usize) -> Result<Cuda> {
        let context = CudaContext::new(ordinal).map_err(said)?;
        // SAFETY: from here on this file keeps the streams in order itself, by numbers: nothing is used on two streams
        // without an event in between, and memory is freed on the stream of programs, which waits for every upload, after
        // every download of it has ended.
        unsafe { context.disable_event_tracking() };
        let stream = || context.new_stream().map_err(said);
        let (compute, uploads, downloads) = (stream()?, stream()?, stream()?);
        let capability = context.compute_capability().map_err(said)?;
        let limit = context.total_mem().map_err(said)? as u64 / 10 * 9;
        let blas = Blas::new(&compute).map(Mutex::new);
        let (waiter, events) = channel::<(CudaEvent, Then)>();
        let wait = move || {
            for (event, then) in events {
                then(event.synchronize());
            }
        };
        std::thread::Builder::new()
            .name(format!("cuda-{ordinal}"))
            .spawn(wait)
            .map_err(|e| Error::internal(format!("no thread for a device: {e}")))?;
        Ok(Cuda {
            staging: Arc::new(Staging::new(context.clone())),
            tracks: Tracks::default(),
            times: Times::new(context.clone()),
            context,
            compute,
            uploads,
            downloads,
            capability,
            functions: RwLock::default(),
            blas,
            timeline: Mutex::default(),
            waiter,
            limit,
        })
    }

    /// The compute capability: (9, 0).
    pub fn capability(&self) -> (i32, i32) {
        self.capability
    }

    fn function(&self, program: &Prepared) -> Result<CudaFunction> {
        if let Some(found) = self.functions.read().get(&program.id) {
            return Ok(found.clone());
        }
        let module = self.context.load_module(compile(&program.program, self.capability)?).map_err(said)?;
        let function = module.load_function(&program.program.name).map_err(said)?;
        self.functions.write().insert(program.id, function.clone());
        Ok(function)
    }

    /// Calls `then` once `stream` has passed what is in it now.
    fn after(&self, stream: &CudaStream, then: Then) {
        match stream.record_event(Some(CUevent_flags::CU_EVENT_BLOCKING_SYNC)) {
            Ok(event) => {
                if let Err(unsent) = self.waiter.send((event, then)) {
                    (unsent.0.1)(Err(DriverError(CUresult::CUDA_ERROR_DEINITIALIZED)));
                }
            }
            Err(error) => then(Err(error)),
        }
    }

    /// Keeps what went wrong, and says which nodes it may be about.
    fn failed(timeline: &mut Timeline, error: DriverError) -> Error {
        let recent = timeline.recent();
        let error = said(error);
        let error = if error.code() == Code::ResourceExhausted || recent.is_empty() {
            error
        } else {
            Error::new(error.code(), format!("{}; the nodes that were queued last: {recent}", error.message()))
        };
        if error.code() != Code::ResourceExhausted {
            timeline.fault.get_or_insert_with(|| error.clone());
        }
        error
    }

    #[allow(unsafe_code)]
    fn queue_write(&self, to: &CudaBlock, bytes: &[u8]) -> Result<()> {
        if bytes.len() > to.slice.len() {
            return Err(Error::internal("a write past the end"));
        }
        let mut buffer = self.staging.take(bytes.len()).map_err(said)?;
        buffer.as_mut_slice().map_err(said)?[..bytes.len()].copy_from_slice(bytes);
        self.times.look_at_clock();
        let mut timeline = self.timeline.lock();
        let queued = (|| {
            if let Some(event) = timeline.after(&self.compute, to.used.load(Ordering::Relaxed))? {
                self.uploads.wait(&event)?;
            }
            to.overwrite(&self.uploads)?;
            let source = &buffer.as_slice()?[..bytes.len()];
            self.context.bind_to_thread()?;
            let begun = self.times.begin(&self.uploads, self.tracks.copy_in(bytes.len()));
            // SAFETY: both ends are long enough; the buffer is kept by the callback below until the copy has ended, and the
            // block is freed on the stream of programs, which waits for the copy.
            unsafe { result::memcpy_htod_async(to.address, source, self.uploads.cu_stream())? };
            self.times.end(&self.uploads, begun);
            self.compute.wait(&self.uploads.record_event(None)?)?;
            to.used.store(timeline.queued(&self.compute, None)?, Ordering::Relaxed);
            Ok(())
        })();
        queued.map_err(|e| Cuda::failed(&mut timeline, e))?;
        drop(timeline);
        let staging = self.staging.clone();
        self.after(&self.uploads, Box::new(move |_| staging.put(buffer)));
        Ok(())
    }

    /// Queues a copy to the host; gives the buffer that it goes to.
    #[allow(unsafe_code)]
    fn queue_read(&self, from: &CudaBlock, at: usize, len: usize) -> Result<cudarc::driver::PinnedHostSlice<u8>> {
        if at.checked_add(len).is_none_or(|end| end > from.slice.len()) {
            return Err(Error::internal("a read past the end"));
        }
        let mut buffer = self.staging.take(len).map_err(said)?;
        self.times.look_at_clock();
        let mut timeline = self.timeline.lock();
        if let Some(fault) = &timeline.fault {
            return Err(fault.clone());
        }
        let queued = (|| {
            if let Some(event) = timeline.after(&self.compute, from.used.load(Ordering::Relaxed))? {
                self.downloads.wait(&event)?;
            }
            self.context.bind_to_thread()?;
            let target = &mut buffer.as_mut_slice()?[..len];
            let begun = self.times.begin(&self.downloads, self.tracks.copy_out(len));
            // SAFETY: both ends are long enough; the caller keeps the buffer and the block until the copy has ended.
            unsafe { result::memcpy_dtoh_async(target, from.address + at as u64, self.downloads.cu_stream())? };
            self.times.end(&self.downloads, begun);
            *from.read.lock() = Some(Arc::new(self.downloads.record_event(None)?));
            Ok(())
        })();
        queued.map_err(|e| Cuda::failed(&mut timeline, e))?;
        Ok(buffer)
    }
}

impl Backend for Cuda {
    fn language(&self) -> Language {
        Language::Cuda
    }

    fn attach(&self, device: &Arc<str>) {
        self.tracks.attach(device);
    }

    #[allow(unsafe_code)]
    fn alloc(&self, bytes: usize) -> Result<Arc<dyn Block>> {
        // SAFETY: any bytes are valid, and kernels write before they read.
        let slice = unsafe { self.compute.alloc::<u8>(bytes.max(1)) }.map_err(said)?;
        let address = slice.device_ptr(&self.compute).0;
        // The other streams must not use it before it is there.
        let mut timeline = self.timeline.lock();
        let number = timeline.queued(&self.compute, None).map_err(said)?;
        Ok(Arc::new(CudaBlock { slice, address, used: AtomicU64::new(number), read: Mutex::default() }))
    }

    #[allow(unsafe_code)]
    fn launch(&self, launch: Launch<'_>) -> Result<()> {
        let program = &launch.program.program;
        if launch.buffers.len() != program.buffers.len() || launch.params.len() != program.params.len() {
            return Err(Error::internal(format!("{program} has other arguments")));
        }
        let function = self.function(launch.program)?;
        let mut blocks = Vec::with_capacity(launch.buffers.len());
        let mut addresses = Vec::with_capacity(launch.buffers.len());
        for (piece, &(dtype, _)) in launch.buffers.iter().zip(&program.buffers) {
            let block = block(&piece.block)?;
            addresses.push(block.address + (piece.first * dtype.size()) as u64);
            blocks.push(block);
        }
        self.times.look_at_clock();
        let mut timeline = self.timeline.lock();
        if let Some(fault) = &timeline.fault {
            return Err(fault.clone());
        }
        let mut args = self.compute.launch_builder(&function);
        for address in &addresses {
            args.arg(address);
        }
        for param in launch.params {
            args.arg(param);
        }
        let config = LaunchConfig {
            grid_dim: (launch.groups, 1, 1),
            block_dim: (program.group_size, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: the arguments are those that the printed program declares, in number, order and size; programs stay
        // within their buffers, as the interpreter checks in tests; memory is not freed before this stream has passed
        // what uses it.
        let mut written = blocks.iter().zip(&program.buffers).filter(|(_, (_, access))| *access != Access::Read);
        let queued = written
            .try_for_each(|(block, _)| block.overwrite(&self.compute))
            .and_then(|()| {
                let begun = self.times.begin(&self.compute, self.tracks.kernel(0, &program.name));
                unsafe { args.launch(config) }?;
                self.times.end(&self.compute, begun);
                Ok(())
            })
            .and_then(|()| timeline.queued(&self.compute, Some(launch.node)));
        let number = queued.map_err(|e| Cuda::failed(&mut timeline, e))?;
        blocks.iter().for_each(|b| b.used.store(number, Ordering::Relaxed));
        Ok(())
    }

    fn matmul(&self, product: &MatMul<'_>) -> Option<Result<()>> {
        let blas = self.blas.as_ref()?;
        let multiply = || {
            let mut addresses = [0; 3];
            let mut blocks = Vec::with_capacity(3);
            for (address, piece) in addresses.iter_mut().zip([&product.a, &product.b, &product.out]) {
                let block = block(&piece.block)?;
                *address = block.address + (piece.first * product.dtype.size()) as u64;
                blocks.push(block);
            }
            self.times.look_at_clock();
            let mut timeline = self.timeline.lock();
            if let Some(fault) = &timeline.fault {
                return Err(fault.clone());
            }
            blocks[2].overwrite(&self.compute).map_err(|e| Cuda::failed(&mut timeline, e))?;
            let begun = self.times.begin(&self.compute, self.tracks.kernel(0, "cuBLASLt"));
            if !blas.lock().multiply(product, addresses)? {
                begun.map(Begun::forget);
                return Ok(false);
            }
            self.times.end(&self.compute, begun);
            let number = timeline.queued(&self.compute, Some(product.node)).map_err(said)?;
            blocks.iter().for_each(|b| b.used.store(number, Ordering::Relaxed));
            Ok(true)
        };
        match multiply() {
            Ok(true) => Some(Ok(())),
            // A program can do it.
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }

    fn write(&self, to: &Arc<dyn Block>, bytes: Tensor, done: OnPassed) {
        let write = || {
            let bytes = bytes.bytes().ok_or_else(|| Error::internal("a tensor without bytes"))?;
            self.queue_write(block(to)?, bytes)
        };
        done(write());
    }

    fn read(&self, from: &Arc<dyn Block>, at: usize, like: Tensor, done: OnRead) {
        let len = like.num_bytes();
        let buffer = match block(from).and_then(|from| self.queue_read(from, at, len)) {
            Ok(buffer) => buffer,
            Err(error) => return done(Err(error)),
        };
        let (staging, from) = (self.staging.clone(), from.clone());
        let finish = move |passed: Result<(), DriverError>| {
            let read = passed.map_err(said).and_then(|()| {
                Tensor::from_bytes(like.dtype(), like.shape().clone(), &buffer.as_slice().map_err(said)?[..len])
            });
            staging.put(buffer);
            drop(from);
            done(read);
        };
        self.after(&self.downloads, Box::new(finish));
    }

    #[allow(unsafe_code)]
    fn copy(&self, from: &Arc<dyn Block>, from_at: usize, to: &Arc<dyn Block>, to_at: usize, len: usize) -> Result<()> {
        let (from, to) = (block(from)?, block(to)?);
        let fits = |b: &CudaBlock, at: usize| at.checked_add(len).is_some_and(|end| end <= b.slice.len());
        if !fits(from, from_at) || !fits(to, to_at) {
            return Err(Error::internal("a copy past the end"));
        }
        self.times.look_at_clock();
        let mut timeline = self.timeline.lock();
        self.context.bind_to_thread().map_err(said)?;
        let (source, target) = (from.address + from_at as u64, to.address + to_at as u64);
        // SAFETY: both ends are long enough, and are not freed before this stream has passed the copy.
        let queued = to
            .overwrite(&self.compute)
            .and_then(|()| {
                let begun = self.times.begin(&self.compute, self.tracks.copy(0, len));
                unsafe { result::memcpy_dtod_async(target, source, len, self.compute.cu_stream()) }?;
                self.times.end(&self.compute, begun);
                Ok(())
            })
            .and_then(|()| timeline.queued(&self.compute, None));
        let number = queued.map_err(|e| Cuda::failed(&mut timeline, e))?;
        from.used.store(number, Ordering::Relaxed);
        to.used.store(number, Ordering::Relaxed);
        Ok(())
    }

    fn when_passed(&self, done: OnPassed) {
        self.after(&self.compute, Box::new(|passed| done(passed.map_err(said))));
    }

    fn synchronize(&self) -> Result<()> {
        for stream in [&self.uploads, &self.compute, &self.downloads] {
            if let Err(error) = stream.synchronize() {
                return Err(Cuda::failed(&mut self.timeline.lock(), error));
            }
        }
        match &self.timeline.lock().fault {
            Some(fault) => Err(fault.clone()),
            None => Ok(()),
        }
    }

    fn memory_limit(&self) -> Option<u64> {
        Some(self.limit)
    }
}
