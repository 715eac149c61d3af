//! The CUDA backend: streams, memory and launches.
//!
//! Every lane has three streams: programs run on one, copies from and to the host on the others through page-locked
//! memory. The required order is derived from the blocks in use ([`levada_gpu::hazards`]), so that copies overlap with
//! unrelated programs, and steps with each other. Memory is allocated and freed on a stream of its own, and copies from
//! and to other devices run on another.

use crate::blas::Blas;
use crate::compile::{Form, compile, version_text};
use crate::dnn::{self, Dnn};
use crate::graphs::Graphs;
use crate::staging::Staging;
use crate::times::Times;
use crate::workspace::Workspaces;
use cudarc::driver::sys::{CUdeviceptr, CUevent_flags, CUfunction, CUresult};
use cudarc::driver::{
    CudaContext, CudaEvent, CudaFunction, CudaModule, CudaSlice, CudaStream, DevicePtr, DriverError, result,
};
use levada_gpu::Command;
use levada_gpu::Tracks;
use levada_gpu::backend::{Backend, Block, Convolve, Launch, MatMul, OnRead, Prepared, Recorded, Wanted};
use levada_gpu::hazards::{BlockId, Hazards, Queues, Use, Uses};
use levada_gpu::ir::{Access, Program};
use levada_gpu::print::Language;
use levada_graph::{Code, Error, Result, Tensor};
use levada_kernel::device::OnPassed;
use levada_kernel::lane;
use parking_lot::{Mutex, RwLock};
use smallvec::SmallVec;
use std::any::Any;
use std::collections::HashMap;
use std::ffi::c_void;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Number of concurrent steps.
const LANES: usize = 4;

/// How long a thread that waits for an event polls it before it sleeps: waking up takes 0.2 ms, as long as a short
/// step.
const PATIENCE: Duration = Duration::from_millis(20);

/// How long it polls for the next event before it sleeps.
const SPIN: Duration = Duration::from_micros(100);

/// Polls repeatedly; `None` if there is no answer within `patience`. After a while it yields the processor.
fn spin<T>(patience: Duration, ask: impl Fn() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        let answer = ask();
        let spent = start.elapsed();
        if answer.is_some() || spent > patience {
            return answer;
        }
        match spent < SPIN {
            true => std::hint::spin_loop(),
            false => std::thread::yield_now(),
        }
    }
}

/// What is done once an event has passed.
type Then = Box<dyn FnOnce(Result<()>) + Send>;

/// A device.
pub struct Cuda {
    pub(crate) shared: Arc<Shared>,
    capability: (i32, i32),
    /// Compiled functions, by their sources: sessions that share the device share them.
    functions: RwLock<HashMap<String, CudaFunction>>,
    staging: Arc<Staging>,
    /// cuBLASLt for each lane, if it is installed.
    blas: [OnceLock<Option<Mutex<Blas>>>; LANES],
    /// cuDNN for each lane, if it is installed.
    dnn: [OnceLock<Option<Mutex<Dnn>>>; LANES],
    /// The programs that cuDNN needs in addition, for elements of 4 and of 2 bytes.
    beside_dnn: [OnceLock<[Prepared; 2]>; 2],
    pub(crate) workspaces: Arc<Workspaces>,
    /// Set once the driver has refused PTX.
    wants_cubin: AtomicBool,
    limit: u64,
    pub(crate) graphs: Arc<Graphs>,
    pub(crate) tracks: Tracks,
    pub(crate) times: Times,
}

/// What blocks keep alive.
pub(crate) struct Shared {
    pub(crate) context: Arc<CudaContext>,
    pub(crate) queues: Queues,
    streams: Vec<Arc<CudaStream>>,
    /// Held while something is queued, so that numbers are in the order of the streams.
    state: Mutex<State>,
    /// For each lane, the channel to the thread that waits for its events. The thread ends with its last sender.
    waiters: Vec<Sender<(Arc<CudaEvent>, Waiting)>>,
}

/// What is done with the result of waiting for an event.
type Waiting = Box<dyn FnOnce(Result<(), DriverError>) + Send>;

/// A program that was loaded.
struct Compiled {
    function: CudaFunction,
    context: Arc<CudaContext>,
    /// The same on further devices. The lock protects the list.
    elsewhere: RwLock<Vec<(Arc<CudaContext>, CudaFunction)>>,
}

struct State {
    hazards: Hazards<Arc<CudaEvent>>,
    /// Why the device is lost. From then on it accepts no work.
    fault: Option<Error>,
}

/// Memory of the device.
pub(crate) struct CudaBlock {
    /// Present until it is freed.
    slice: Option<CudaSlice<u8>>,
    pub(crate) address: CUdeviceptr,
    pub(crate) len: usize,
    pub(crate) id: BlockId,
    shared: Arc<Shared>,
}

impl Block for CudaBlock {}

impl fmt::Debug for CudaBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CudaBlock").field("len", &self.len).finish_non_exhaustive()
    }
}

impl Drop for CudaBlock {
    fn drop(&mut self) {
        let mut state = self.shared.state.lock();
        let memory = self.shared.queues.memory();
        // The driver frees it once this stream has arrived here, after everything that uses it. If the device has
        // failed, nothing runs any more.
        let _ = self.shared.order(&mut state, memory, &[(self.id, Use::Write)]);
        drop(self.slice.take());
        state.hazards.queued(memory, &[], None);
        state.hazards.remove(self.id);
    }
}

pub(crate) fn block(block: &Arc<dyn Block>) -> Result<&CudaBlock> {
    let any: &dyn Any = &**block;
    any.downcast_ref().ok_or_else(|| Error::internal("memory of another backend"))
}

/// A driver error as an error.
pub(crate) fn said(error: DriverError) -> Error {
    let code = match error.0 {
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => Code::ResourceExhausted,
        code if is_lost(code) => Code::Unavailable,
        _ => Code::Internal,
    };
    let text = error.error_string().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    Error::new(code, format!("CUDA: {text} ({:?})", error.0))
}

/// True for errors that the driver returns for every later call, until the process ends.
fn is_lost(code: CUresult) -> bool {
    use CUresult::*;
    matches!(
        code,
        CUDA_ERROR_DEINITIALIZED
            | CUDA_ERROR_ECC_UNCORRECTABLE
            | CUDA_ERROR_NVLINK_UNCORRECTABLE
            | CUDA_ERROR_ILLEGAL_ADDRESS
            | CUDA_ERROR_LAUNCH_TIMEOUT
            | CUDA_ERROR_CONTEXT_IS_DESTROYED
            | CUDA_ERROR_ASSERT
            | CUDA_ERROR_HARDWARE_STACK_ERROR
            | CUDA_ERROR_ILLEGAL_INSTRUCTION
            | CUDA_ERROR_MISALIGNED_ADDRESS
            | CUDA_ERROR_INVALID_ADDRESS_SPACE
            | CUDA_ERROR_INVALID_PC
            | CUDA_ERROR_LAUNCH_FAILED
            | CUDA_ERROR_EXTERNAL_DEVICE
            | CUDA_ERROR_UNKNOWN
    )
}

impl Shared {
    pub(crate) fn stream(&self, queue: usize) -> &Arc<CudaStream> {
        &self.streams[queue]
    }

    /// Makes a stream wait for what must have run before work that uses these blocks.
    fn order(&self, state: &mut State, queue: usize, uses: &[(BlockId, Use)]) -> Result<(), DriverError> {
        let stream = &self.streams[queue];
        let record = |on: usize| Ok(Arc::new(self.streams[on].record_event(None)?));
        state.hazards.order(queue, uses, record, |event| stream.wait(event))
    }

    /// Counts work that was queued.
    fn queued(
        &self,
        state: &mut State,
        queue: usize,
        uses: &[(BlockId, Use)],
        node: Option<&Arc<str>>,
    ) -> Result<(), DriverError> {
        if state.hazards.queued(queue, uses, node).1 {
            let event = Arc::new(self.streams[queue].record_event(None)?);
            state.hazards.mark(queue, event);
            state.hazards.poll(queue, |event| event.try_is_complete())?;
        }
        Ok(())
    }

    /// Queues the work that `work` submits to a stream, ordered by the blocks that it uses.
    pub(crate) fn queue<T>(
        &self,
        queue: usize,
        uses: &[(BlockId, Use)],
        node: Option<&Arc<str>>,
        work: impl FnOnce(&Arc<CudaStream>) -> Result<T, DriverError>,
    ) -> Result<T> {
        let mut state = self.state.lock();
        if let Some(fault) = &state.fault {
            return Err(fault.clone());
        }
        let queued = (|| {
            self.context.bind_to_thread()?;
            self.order(&mut state, queue, uses)?;
            let done = work(&self.streams[queue])?;
            self.queued(&mut state, queue, uses, node)?;
            Ok(done)
        })();
        queued.map_err(|e| self.failed(&mut state, None, node, e))
    }

    /// Calls `then` once the streams have passed what is in them now.
    pub(crate) fn after(self: &Arc<Self>, queue: usize, then: Then) {
        let recorded = {
            let mut state = self.state.lock();
            let recorded = self.streams[queue].record_event(Some(CUevent_flags::CU_EVENT_BLOCKING_SYNC)).map(Arc::new);
            match recorded {
                Ok(event) => Ok((state.hazards.mark(queue, event.clone()), event)),
                Err(error) => Err(self.failed(&mut state, None, None, error)),
            }
        };
        let (number, event) = match recorded {
            Ok(recorded) => recorded,
            Err(error) => return then(Err(error)),
        };
        let shared = self.clone();
        let waiting = Box::new(move |passed: Result<(), DriverError>| {
            let passed = {
                let mut state = shared.state.lock();
                match passed {
                    Ok(()) => {
                        state.hazards.passed(queue, number);
                        Ok(())
                    }
                    Err(error) => Err(shared.failed(&mut state, Some((queue, number)), None, error)),
                }
            };
            drop(shared);
            then(passed);
        });
        if let Err(unsent) = self.waiters[queue % self.waiters.len()].send((event, waiting)) {
            (unsent.0.1)(Err(DriverError(CUresult::CUDA_ERROR_DEINITIALIZED)));
        }
    }

    /// A block id for memory that is not used yet.
    pub(crate) fn new_block(&self) -> BlockId {
        self.state.lock().hazards.add()
    }

    /// As [`Shared::failed`], without the lock.
    pub(crate) fn heard(&self, error: DriverError) -> Error {
        self.failed(&mut self.state.lock(), None, None, error)
    }

    /// The error for a failed library call. Libraries return codes of their own if the device is lost, so the driver is
    /// asked.
    fn of_library(&self, state: &mut State, queue: usize, node: &Arc<str>, error: Error) -> Error {
        match self.streams[queue].record_event(None) {
            Err(e) if is_lost(e.0) => self.failed(state, None, Some(node), e),
            _ => error,
        }
    }

    /// A driver error as an error. If the device is lost, the error is kept, and names the nodes that may have caused
    /// it: those that are not known to have run, restricted to one queue up to a number if the failure was first seen
    /// there. `node` was being queued.
    fn failed(
        &self,
        state: &mut State,
        seen: Option<(usize, u64)>,
        node: Option<&Arc<str>>,
        error: DriverError,
    ) -> Error {
        let lost = is_lost(error.0);
        let error = said(error);
        if !lost {
            return error;
        }
        if let Some(fault) = &state.fault {
            return fault.clone();
        }
        let mut text = format!("CUDA device {} is lost: {}", self.context.ordinal(), error.message());
        let suspects = state.hazards.suspects(seen);
        if let Some(node) = node {
            text += &format!(", noticed while {node} was queued");
        }
        if !suspects.is_empty() {
            text += &format!("; the nodes that were running or waiting to: {suspects}");
        }
        let error = Error::new(error.code(), text).help("restart the program: this process cannot use CUDA again");
        state.fault = Some(error.clone());
        error
    }
}

impl Cuda {
    /// Opens the device with this number; [`crate::devices`] must have found it.
    ///
    /// # Errors
    /// The driver's error.
    #[allow(unsafe_code)]
    pub fn open(ordinal: usize) -> Result<Cuda> {
        let context = CudaContext::new(ordinal).map_err(said)?;
        // SAFETY: from here on this file keeps the streams in order itself: nothing is used on two streams without an
        // event in between, and memory is freed on a stream that waits for everything that uses it.
        unsafe { context.disable_event_tracking() };
        let queues = Queues { lanes: LANES };
        let streams: Result<_> = (0..queues.count()).map(|_| context.new_stream().map_err(said)).collect();
        let capability = context.compute_capability().map_err(said)?;
        // Other processes may use some of it.
        let limit = context.mem_get_info().map_err(said)?.0 as u64 / 10 * 9;
        let mut waiters = Vec::new();
        for lane in 0..LANES {
            let (waiter, events) = channel::<(Arc<CudaEvent>, Waiting)>();
            let wait = move || {
                while let Ok((event, then)) = spin(SPIN, || events.try_recv().ok()).map_or_else(|| events.recv(), Ok) {
                    let passed = || match event.try_is_complete() {
                        Ok(false) => None,
                        Ok(true) => Some(Ok(())),
                        Err(error) => Some(Err(error)),
                    };
                    then(spin(PATIENCE, passed).unwrap_or_else(|| event.synchronize()));
                }
            };
            let thread = std::thread::Builder::new().name(format!("cuda-{ordinal}-{lane}")).spawn(wait);
            thread.map_err(|e| Error::new(Code::ResourceExhausted, format!("cannot start a device thread: {e}")))?;
            waiters.push(waiter);
        }
        let state = Mutex::new(State { hazards: Hazards::new(queues.count()), fault: None });
        Ok(Cuda {
            staging: Arc::new(Staging::new(context.clone())),
            graphs: Arc::default(),
            tracks: Tracks::default(),
            times: Times::new(context.clone()),
            shared: Arc::new(Shared { context, queues, streams: streams?, state, waiters }),
            capability,
            functions: RwLock::default(),
            blas: Default::default(),
            dnn: Default::default(),
            beside_dnn: Default::default(),
            workspaces: Arc::default(),
            wants_cubin: AtomicBool::new(false),
            limit,
        })
    }

    /// The compute capability, such as (9, 0).
    pub fn capability(&self) -> (i32, i32) {
        self.capability
    }

    /// The lane of the step that this thread works on.
    pub(crate) fn lane(&self) -> usize {
        lane::current().unwrap_or(0) % LANES
    }

    pub(crate) fn function(&self, program: &Prepared) -> Result<CUfunction> {
        let context = &self.shared.context;
        let compiled = program.compiled(|| {
            let function = self.load(program)?;
            Ok(Compiled { function, context: context.clone(), elsewhere: RwLock::default() })
        })?;
        if Arc::ptr_eq(&compiled.context, context) {
            return Ok(compiled.function.cu_function());
        }
        let is_here = |(known, _): &&(Arc<CudaContext>, CudaFunction)| Arc::ptr_eq(known, context);
        if let Some((_, function)) = compiled.elsewhere.read().iter().find(is_here) {
            return Ok(function.cu_function());
        }
        let function = self.load(program)?;
        let loaded = function.cu_function();
        compiled.elsewhere.write().push((context.clone(), function));
        Ok(loaded)
    }

    /// The programs that cuDNN needs in addition, for elements of 2 or 4 bytes.
    pub(crate) fn functions_beside_dnn(&self, narrow: bool) -> Result<[CUfunction; 2]> {
        let [turn, shift] = self.beside_dnn[usize::from(narrow)].get_or_init(|| dnn::programs(narrow));
        Ok([self.function(turn)?, self.function(shift)?])
    }

    fn load(&self, program: &Prepared) -> Result<CudaFunction> {
        let source = Language::Cuda.print(&program.program);
        let found = self.functions.read().get(&source).cloned();
        match found {
            Some(found) => Ok(found),
            None => {
                let heard = |e| self.shared.heard(e);
                let module = self.module(&program.program)?;
                let function = module.load_function(&program.program.name).map_err(heard)?;
                Ok(self.functions.write().entry(source).or_insert(function).clone())
            }
        }
    }

    /// Compiles a program and loads it: as PTX, or for the card if NVRTC is newer than the driver.
    fn module(&self, program: &Program) -> Result<Arc<CudaModule>> {
        let load = |form| -> Result<Result<Arc<CudaModule>, DriverError>> {
            Ok(self.shared.context.load_module(compile(program, self.capability, form)?))
        };
        if !self.wants_cubin.load(Ordering::Relaxed) {
            match load(Form::Ptx)? {
                Err(DriverError(CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION)) => {
                    self.wants_cubin.store(true, Ordering::Relaxed);
                }
                loaded => return loaded.map_err(|e| self.shared.heard(e)),
            }
        }
        load(Form::Cubin)?.map_err(|e| {
            let error = self.shared.heard(e);
            let text = format!("the driver refuses what {} compiles: {}", version_text(), error.message());
            Error::new(error.code(), text).help("install an NVRTC that is not newer than the driver")
        })
    }

    /// The error if there is no page-locked memory for a copy.
    fn unlocked(&self, len: usize, error: DriverError) -> Error {
        let error = self.shared.heard(error);
        if error.code() != Code::ResourceExhausted {
            return error;
        }
        Error::new(error.code(), format!("{len} bytes of page-locked memory for a copy: {}", error.message()))
    }

    #[allow(unsafe_code)]
    fn queue_write(&self, to: &CudaBlock, bytes: &[u8]) -> Result<()> {
        if bytes.len() > to.len {
            return Err(Error::internal("a write past the end"));
        }
        let mut buffer = self.staging.take(bytes.len()).map_err(|e| self.unlocked(bytes.len(), e))?;
        buffer.as_mut_slice().map_err(|e| self.shared.heard(e))?[..bytes.len()].copy_from_slice(bytes);
        let queue = self.shared.queues.uploads(self.lane());
        self.times.look_at_clock();
        let queued = self.shared.queue(queue, &[(to.id, Use::Write)], None, |stream| {
            let source = &buffer.as_slice()?[..bytes.len()];
            let begun = self.times.begin(stream, self.tracks.copy_in(bytes.len()));
            // SAFETY: both ends are long enough; the buffer is kept by the callback below until the copy has ended, and
            // the block is freed on a stream that waits for the copy.
            unsafe { result::memcpy_htod_async(to.address, source, stream.cu_stream())? };
            self.times.end(stream, begun);
            Ok(())
        });
        if let Err(error) = queued {
            self.staging.put_after(false, buffer);
            return Err(error);
        }
        let staging = self.staging.clone();
        self.shared.after(queue, Box::new(move |passed| staging.put_after(passed.is_ok(), buffer)));
        Ok(())
    }

    /// Queues a copy to the host; returns the buffer that it goes to, and where it was queued.
    #[allow(unsafe_code)]
    fn queue_read(
        &self,
        from: &CudaBlock,
        at: usize,
        len: usize,
    ) -> Result<(cudarc::driver::PinnedHostSlice<u8>, usize)> {
        if at.checked_add(len).is_none_or(|end| end > from.len) {
            return Err(Error::internal("a read past the end"));
        }
        let mut buffer = self.staging.take(len).map_err(|e| self.unlocked(len, e))?;
        let queue = self.shared.queues.downloads(self.lane());
        self.times.look_at_clock();
        let queued = self.shared.queue(queue, &[(from.id, Use::Read)], None, |stream| {
            let target = &mut buffer.as_mut_slice()?[..len];
            let begun = self.times.begin(stream, self.tracks.copy_out(len));
            // SAFETY: both ends are long enough; the caller keeps the buffer and the block until the copy has ended.
            unsafe { result::memcpy_dtoh_async(target, from.address + at as u64, stream.cu_stream())? };
            self.times.end(stream, begun);
            Ok(())
        });
        match queued {
            Ok(()) => Ok((buffer, queue)),
            Err(error) => {
                self.staging.put_after(false, buffer);
                Err(error)
            }
        }
    }
}

impl Backend for Cuda {
    fn language(&self) -> Language {
        Language::Cuda
    }

    fn attach(&self, device: &Arc<str>) {
        self.tracks.attach(device);
    }

    fn lanes(&self) -> usize {
        LANES
    }

    #[allow(unsafe_code)]
    fn alloc(&self, bytes: usize) -> Result<Arc<dyn Block>> {
        let memory = self.shared.queues.memory();
        // SAFETY: any bytes are valid, and kernels write before they read.
        let slice = self.shared.queue(memory, &[], None, |stream| unsafe { stream.alloc::<u8>(bytes.max(1)) })?;
        let address = slice.device_ptr(self.shared.stream(memory)).0;
        let mut state = self.shared.state.lock();
        let id = state.hazards.add();
        // The other streams must not use it before it has been allocated.
        state.hazards.queued(memory, &[(id, Use::Write)], None);
        Ok(Arc::new(CudaBlock { slice: Some(slice), address, len: bytes.max(1), id, shared: self.shared.clone() }))
    }

    fn is_idle(&self, of: &Arc<dyn Block>) -> bool {
        let Ok(block) = block(of) else { return true };
        if self.shared.context.bind_to_thread().is_err() {
            return false;
        }
        let mut state = self.shared.state.lock();
        for (queue, number) in state.hazards.users(block.id) {
            let record = || self.shared.streams[queue].record_event(None).map(Arc::new);
            let event = state.hazards.event(queue, number, record);
            if event.is_err() || state.hazards.poll(queue, |event| event.try_is_complete()).is_err() {
                return false;
            }
        }
        state.hazards.users(block.id).is_empty()
    }

    #[allow(unsafe_code)]
    fn launch(&self, launch: Launch<'_>) -> Result<()> {
        let program = &launch.program.program;
        if launch.buffers.len() != program.buffers.len() || launch.params.len() != program.params.len() {
            return Err(Error::internal(format!("{program} has other arguments")));
        }
        let function = self.function(launch.program)?;
        let mut uses = Uses::new();
        let mut addresses = SmallVec::<[CUdeviceptr; 8]>::new();
        for (piece, &(dtype, access)) in launch.buffers.iter().zip(&program.buffers) {
            let block = block(&piece.block)?;
            addresses.push(block.address + (piece.first * dtype.size()) as u64);
            uses.push((block.id, if access == Access::Read { Use::Read } else { Use::Write }));
        }
        let mut arguments = SmallVec::<[*mut c_void; 24]>::new();
        arguments.extend(addresses.iter().map(|address| std::ptr::from_ref(address).cast_mut().cast::<c_void>()));
        arguments.extend(launch.params.iter().map(|param| std::ptr::from_ref(param).cast_mut().cast::<c_void>()));
        let lane = self.lane();
        self.times.look_at_clock();
        self.shared.queue(lane, &uses, Some(launch.node), |stream| {
            let begun = self.times.begin(stream, self.tracks.kernel(lane as u32, &program.name));
            // SAFETY: the arguments are those that the printed program declares, in number, order and size; programs
            // stay within their buffers, as the interpreter checks in tests; memory is not freed before this stream has
            // passed what uses it.
            unsafe {
                let (grid, block) = ((launch.groups, 1, 1), (program.group_size, 1, 1));
                result::launch_kernel(function, grid, block, 0, stream.cu_stream(), &mut arguments)?;
            }
            self.times.end(stream, begun);
            Ok(())
        })
    }

    fn matmul(&self, product: &MatMul<'_>) -> Option<Result<()>> {
        let lane = self.lane();
        let blas =
            self.blas[lane].get_or_init(|| Blas::new(self.shared.stream(lane), &self.workspaces).map(Mutex::new));
        let blas = blas.as_ref()?;
        let multiply = || {
            let mut addresses = [0; 3];
            let mut uses = Uses::new();
            let pieces = [(&product.a, Use::Read), (&product.b, Use::Read), (&product.out, Use::Write)];
            for (address, (piece, how)) in addresses.iter_mut().zip(pieces) {
                let block = block(&piece.block)?;
                *address = block.address + (piece.first * product.dtype.size()) as u64;
                uses.push((block.id, how));
            }
            self.times.look_at_clock();
            let mut state = self.shared.state.lock();
            if let Some(fault) = &state.fault {
                return Err(fault.clone());
            }
            let failed = |state: &mut State, e| self.shared.failed(state, None, Some(product.node), e);
            self.shared.order(&mut state, lane, &uses).map_err(|e| failed(&mut state, e))?;
            let stream = self.shared.stream(lane);
            let begun = self.times.begin(stream, self.tracks.kernel(lane as u32, "cuBLASLt"));
            let multiplied = blas.lock().multiply(product, addresses);
            if !multiplied.map_err(|e| self.shared.of_library(&mut state, lane, product.node, e))? {
                if let Some(begun) = begun {
                    begun.forget();
                }
                return Ok(false);
            }
            self.times.end(stream, begun);
            let queued = self.shared.queued(&mut state, lane, &uses, Some(product.node));
            queued.map_err(|e| failed(&mut state, e))?;
            Ok(true)
        };
        match multiply() {
            Ok(true) => Some(Ok(())),
            // A program can compute it.
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }

    fn convolve(&self, asked: &Convolve<'_>) -> Option<Result<()>> {
        let lane = self.lane();
        let dnn = self.dnn[lane].get_or_init(|| Dnn::new(self.shared.stream(lane), &self.workspaces).map(Mutex::new));
        let dnn = dnn.as_ref()?;
        let convolve = || {
            let mut addresses = [0; 3];
            let mut uses = Uses::new();
            let pieces =
                [(&asked.input, Wanted::Input), (&asked.filter, Wanted::Filter), (&asked.output, Wanted::Output)];
            for (address, (piece, which)) in addresses.iter_mut().zip(pieces) {
                let block = block(&piece.block)?;
                *address = block.address + (piece.first * asked.dtype.size()) as u64;
                uses.push((block.id, if asked.wanted == which { Use::Write } else { Use::Read }));
            }
            let narrow = asked.dtype.size() == 2;
            let functions = self.functions_beside_dnn(narrow)?;
            self.times.look_at_clock();
            let mut dnn = dnn.lock();
            self.shared.queue(lane, &uses, Some(asked.node), |stream| {
                let begun = self.times.begin(stream, self.tracks.kernel(lane as u32, "cuDNN"));
                let queued = dnn.convolve(asked, addresses, functions)?;
                if queued {
                    self.times.end(stream, begun);
                } else if let Some(begun) = begun {
                    begun.forget();
                }
                Ok(queued)
            })
        };
        match convolve() {
            Ok(true) => Some(Ok(())),
            // Programs can compute it.
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }

    fn record(&self, commands: &[Command]) -> Option<Result<Arc<dyn Recorded>>> {
        Some(self.capture(commands))
    }

    fn replay(&self, recorded: &Arc<dyn Recorded>) -> Result<()> {
        self.launch_graph(recorded)
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
        let (buffer, queue) = match block(from).and_then(|from| self.queue_read(from, at, len)) {
            Ok(queued) => queued,
            Err(error) => return done(Err(error)),
        };
        let (staging, from) = (self.staging.clone(), from.clone());
        let finish = move |passed: Result<()>| {
            let copied = passed.is_ok();
            let read = passed.and_then(|()| {
                Tensor::from_bytes(like.dtype(), like.shape().clone(), &buffer.as_slice().map_err(said)?[..len])
            });
            staging.put_after(copied, buffer);
            drop(from);
            done(read);
        };
        self.shared.after(queue, Box::new(finish));
    }

    #[allow(unsafe_code)]
    fn copy(&self, from: &Arc<dyn Block>, from_at: usize, to: &Arc<dyn Block>, to_at: usize, len: usize) -> Result<()> {
        let (from, to) = (block(from)?, block(to)?);
        let fits = |b: &CudaBlock, at: usize| at.checked_add(len).is_some_and(|end| end <= b.len);
        if !fits(from, from_at) || !fits(to, to_at) {
            return Err(Error::internal("a copy past the end"));
        }
        let (source, target) = (from.address + from_at as u64, to.address + to_at as u64);
        let uses = [(from.id, Use::Read), (to.id, Use::Write)];
        let lane = self.lane();
        self.times.look_at_clock();
        self.shared.queue(lane, &uses, None, |stream| {
            let begun = self.times.begin(stream, self.tracks.copy(lane as u32, len));
            // SAFETY: both ends are long enough, and are not freed before this stream has passed the copy.
            unsafe { result::memcpy_dtod_async(target, source, len, stream.cu_stream())? };
            self.times.end(stream, begun);
            Ok(())
        })
    }

    fn copy_from_peer(
        &self,
        to: &Arc<dyn Block>,
        peer: &dyn Any,
        from: &Arc<dyn Block>,
        from_at: usize,
        len: usize,
    ) -> Option<Result<()>> {
        let peer = peer.downcast_ref::<Cuda>()?;
        Some(block(to).and_then(|to| crate::peers::copy(self, to, peer, block(from)?, from_at, len)))
    }

    fn when_passed(&self, done: OnPassed) {
        let shared = &self.shared;
        let queue = match lane::current() {
            Some(lane) => shared.queues.compute(lane),
            // It is unknown whose work is meant: all compute queues.
            None => {
                let memory = shared.queues.memory();
                for lane in 0..LANES {
                    let event = shared.queue(lane, &[], None, |stream| stream.record_event(None));
                    let waited = event.and_then(|event| shared.queue(memory, &[], None, |s| s.wait(&event)));
                    if let Err(error) = waited {
                        return done(Err(error));
                    }
                }
                memory
            }
        };
        shared.after(queue, done);
    }

    fn synchronize(&self) -> Result<()> {
        let lasts: Vec<u64> = {
            let state = self.shared.state.lock();
            (0..self.shared.streams.len()).map(|queue| state.hazards.last(queue)).collect()
        };
        for (queue, (stream, last)) in self.shared.streams.iter().zip(lasts).enumerate() {
            let synchronized = stream.synchronize();
            let mut state = self.shared.state.lock();
            match synchronized {
                Ok(()) => state.hazards.passed(queue, last),
                Err(error) => return Err(self.shared.failed(&mut state, Some((queue, last)), None, error)),
            }
        }
        match &self.shared.state.lock().fault {
            Some(fault) => Err(fault.clone()),
            None => Ok(()),
        }
    }

    fn memory_limit(&self) -> Option<u64> {
        Some(self.limit)
    }

    fn beside(&self) -> usize {
        self.workspaces.bytes()
    }
}
