//! The device of a backend.

use crate::backend::{Backend, Block, Launch, Piece, Prepared};
use crate::capture::{Captured, Captures, Receive};
use crate::commands::{Logging, kept};
use crate::ir::Program;
use crate::kernels;
use crate::memory::{Arena as Recorded, Chunk, Pool};
use crate::print::Language;
use crate::quick::Quick;
use half::{bf16, f16};
use levada_graph::{AnyOp, Code, DType, Element, Error, Result, Shape, Tensor};
use levada_kernel::device::{OnCopied, OnPassed};
use levada_kernel::group::{FuseLimits, Group};
use levada_kernel::{
    AnyDevice, AnyKernel, Arena, Cpu, Device, DeviceCopies, Entry, Io, Join, KernelCx, KernelEntry, Region,
};
use parking_lot::RwLock;
use smallvec::SmallVec;
use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Maximum number of groups of a launch; every backend supports that many.
const MOST_GROUPS: usize = 65_535;

/// Maximum number of elements of a tensor: programs count with 32 bits, and need some headroom.
const MOST_ELEMENTS: usize = 1 << 31;

/// More than any device has.
const MOST_BYTES: usize = 1 << 40;

/// Programs of kernels by their names and keys.
type Programs = HashMap<&'static str, HashMap<SmallVec<[u64; 6]>, Arc<Prepared>, Quick>, Quick>;

/// A graphics processor, as its kernels see it.
pub struct Gpu {
    /// What runs the programs.
    pub backend: Arc<dyn Backend>,
    /// Its memory.
    pub pool: Arc<Pool>,
    name: Arc<str>,
    programs: RwLock<Programs>,
    /// How often regions were recorded and replayed.
    pub captures: Captures,
    /// For kernels that only pass tensors on.
    host: Arc<Cpu>,
    /// True if products and convolutions of float32 may round their factors to TF32.
    pub(crate) tf32: bool,
}

impl Device for Gpu {
    const TYPE: &'static str = "GPU";
}

impl Gpu {
    /// The program for this key, which `build` makes on the first request.
    pub fn program(&self, name: &'static str, key: &[u64], build: impl FnOnce() -> Program) -> Arc<Prepared> {
        self.known_program(name, key).unwrap_or_else(|| self.keep_program(name, key, build()))
    }

    fn known_program(&self, name: &str, key: &[u64]) -> Option<Arc<Prepared>> {
        self.programs.read().get(name)?.get(key).cloned()
    }

    fn keep_program(&self, name: &'static str, key: &[u64], program: Program) -> Arc<Prepared> {
        let made = || Arc::new(Prepared::new(program));
        self.programs.write().entry(name).or_default().entry(key.into()).or_insert_with(made).clone()
    }

    /// The programs that were requested so far.
    pub fn programs(&self) -> Vec<Arc<Prepared>> {
        self.programs.read().values().flat_map(|programs| programs.values().cloned()).collect()
    }

    /// A tensor with arbitrary elements for `node`.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` for a dtype that the device does not support, `RESOURCE_EXHAUSTED` if memory runs out and for
    /// more elements than programs can count.
    pub fn alloc(&self, node: &Arc<str>, dtype: DType, shape: &Shape) -> Result<Tensor> {
        let size = self.backend.language().element_size(dtype).filter(|_| self.backend.has(dtype));
        let size =
            size.ok_or_else(|| Error::unimplemented(format!("{} does not support {dtype} elements", self.name)))?;
        if shape.num_elements() > MOST_BYTES / size {
            return Err(Error::resource_exhausted(format!(
                "{} has no memory for a tensor of shape {shape}",
                self.name
            )));
        }
        if shape.num_elements() > MOST_ELEMENTS {
            let text = format!("a tensor of shape {shape} is too large for {}", self.name);
            return Err(Error::new(Code::ResourceExhausted, text));
        }
        let bytes = shape.num_elements().checked_mul(size);
        let bytes = bytes.ok_or_else(|| Error::invalid(format!("a tensor of shape {shape} is too large")))?;
        Ok(Tensor::on_device(dtype, shape.clone(), self.pool.alloc(bytes, node)?))
    }

    /// Queues copying a tensor from the host.
    ///
    /// # Errors
    /// As [`Gpu::alloc`].
    pub fn upload(&self, node: &Arc<str>, tensor: &Tensor) -> Result<Tensor> {
        kept(|| {
            // What a recording or a kernel keeps has memory of its own.
            let _outside = Recorded::leave();
            let (copy, block) = self.destination(node, tensor)?;
            let bytes = stored(self.backend.language(), tensor)?;
            // Readers are later in the queue, and are informed of errors.
            self.backend.write(&block, bytes, Box::new(|_| {}));
            Ok(copy)
        })
    }

    /// Copies the elements of a tensor if others share them.
    ///
    /// # Errors
    /// As [`Gpu::alloc`].
    pub fn unshare(&self, node: &Arc<str>, tensor: &mut Tensor) -> Result<()> {
        if !tensor.is_unique() {
            *tensor = self.duplicate(node, tensor)?;
        }
        Ok(())
    }

    /// An unshared copy of a tensor.
    ///
    /// # Errors
    /// As [`Gpu::alloc`].
    pub fn duplicate(&self, node: &Arc<str>, tensor: &Tensor) -> Result<Tensor> {
        if tensor.num_elements() == 0 {
            return self.alloc(node, tensor.dtype(), tensor.shape());
        }
        let copy = self.destination(node, tensor)?.0;
        self.copy(tensor, &copy)?;
        Ok(copy)
    }

    /// Bytes of an element of a tensor on the device.
    pub(crate) fn element_size(&self, tensor: &Tensor) -> usize {
        self.backend.language().element_size(tensor.dtype()).unwrap_or(1)
    }

    /// Bytes of the elements of a tensor on the device.
    pub(crate) fn bytes(&self, tensor: &Tensor) -> usize {
        tensor.num_elements() * self.element_size(tensor)
    }

    /// Queues copying the elements of a tensor to another with as many elements.
    ///
    /// # Errors
    /// The backend's error.
    pub(crate) fn copy(&self, from: &Tensor, to: &Tensor) -> Result<()> {
        if from.num_elements() == 0 {
            return Ok(());
        }
        let size = self.element_size(from);
        let (source, target) = (self.piece(from)?, self.piece(to)?);
        self.backend.copy(&source.block, source.first * size, &target.block, target.first * size, self.bytes(from))
    }

    fn destination(&self, node: &Arc<str>, like: &Tensor) -> Result<(Tensor, Arc<dyn Block>)> {
        let tensor = self.alloc(node, like.dtype(), like.shape())?;
        let block = chunk_of(&tensor)?.0.block.clone();
        Ok((tensor, block))
    }

    /// The location of the elements of a tensor on this device.
    ///
    /// # Errors
    /// `INTERNAL` for a tensor that is elsewhere.
    pub fn piece(&self, tensor: &Tensor) -> Result<Piece> {
        let (chunk, offset) = chunk_of(tensor)?;
        if !Arc::ptr_eq(chunk.name(), &self.name) && **chunk.name() != *self.name {
            return Err(Error::internal(format!("a tensor of {} was given to {}", chunk.name(), self.name)));
        }
        let first = if offset == 0 { 0 } else { offset / tensor.dtype().size().max(1) };
        Ok(Piece { block: chunk.block.clone(), first })
    }

    /// Queues a program for `items`, of which each invocation handles one or more ([`crate::ir::Builder::for_each`]).
    /// `buffers` are tensors on the device, or on the host if they have no elements. A tensor may occur twice, to be
    /// read and to be written.
    ///
    /// # Errors
    /// The backend's error.
    pub fn launch(
        &self,
        node: &Arc<str>,
        program: &Arc<Prepared>,
        items: usize,
        buffers: &[&Tensor],
        params: &[u32],
    ) -> Result<()> {
        self.launch_groups(node, program, items.div_ceil(program.program.group_size as usize), buffers, params)
    }

    /// As [`Gpu::launch`], with a number of groups; if it exceeds the maximum of a launch, the launch has that maximum,
    /// so programs must continue with a stride of [`crate::ir::E::groups`].
    ///
    /// # Errors
    /// The backend's error.
    pub fn launch_groups(
        &self,
        node: &Arc<str>,
        program: &Arc<Prepared>,
        groups: usize,
        buffers: &[&Tensor],
        params: &[u32],
    ) -> Result<()> {
        if groups == 0 {
            return Ok(());
        }
        let mut pieces = SmallVec::<[Piece; 8]>::new();
        for tensor in buffers {
            pieces.push(match tensor.device_memory() {
                Some(_) => self.piece(tensor)?,
                // Something must be bound even if nothing is read from it.
                None if tensor.num_elements() == 0 => {
                    Piece { block: self.pool.alloc(1, node)?.block.clone(), first: 0 }
                }
                None => return Err(Error::internal("a tensor of the host was given to a program")),
            });
        }
        let groups = groups.min(MOST_GROUPS) as u32;
        self.backend.launch(Launch { program, groups, buffers: &pieces, params, node })
    }

    /// The host's memory.
    pub(crate) fn arena(&self) -> &Arc<Arena> {
        &self.host.arena
    }

    /// The device, as a target for copies of tensors; it has no kernels.
    pub(crate) fn as_device(self: &Arc<Gpu>) -> Arc<dyn AnyDevice> {
        Arc::new(GpuDevice { gpu: self.clone(), kernels: Arc::default() })
    }

    /// The CPU's kernel of an op that only passes tensors on, whatever memory they are in.
    pub(crate) fn host_kernel(&self, op: &Arc<dyn AnyOp>) -> Option<Arc<dyn AnyKernel>> {
        static TABLE: OnceLock<HashMap<&'static str, KernelEntry<Cpu>>> = OnceLock::new();
        let table = TABLE.get_or_init(|| levada_ops::all().map(|entry| (entry.cpu.op, entry.cpu)).collect());
        table.get(op.spec().name)?.make(op, &self.host)
    }
}

/// The memory of a tensor on a device of this crate, and the byte offset in it.
fn chunk_of(tensor: &Tensor) -> Result<(&Chunk, usize)> {
    let Some((memory, offset)) = tensor.device_memory() else {
        return Err(Error::internal("a tensor of the host was given to a device"));
    };
    let any: &dyn Any = &**memory;
    match any.downcast_ref::<Chunk>() {
        Some(chunk) => Ok((chunk, offset)),
        None => Err(Error::internal(format!("memory of {} was given to a graphics processor", memory.device()))),
    }
}

/// Input `i` itself if it can be overwritten by an output of this dtype and shape: if it is not shared.
pub fn reuse(io: &mut Io<'_>, i: usize, dtype: DType, shape: &Shape) -> Option<Tensor> {
    let entry = io.entry(i)?;
    let Entry::Value(tensor) = entry else { return None };
    let fits = tensor.dtype() == dtype && tensor.num_elements() == shape.num_elements();
    if !fits || tensor.device_memory().is_none() || !tensor.is_unique() {
        return None;
    }
    let Entry::Value(tensor) = std::mem::take(entry) else { return None };
    tensor.reshaped(shape.clone()).ok()
}

/// What kernels do with their device, for the node that is being computed.
pub trait GpuCx {
    /// A tensor with arbitrary elements, for an output.
    ///
    /// # Errors
    /// As [`Gpu::alloc`].
    fn alloc(&self, dtype: DType, shape: &Shape) -> Result<Tensor>;

    /// As [`Gpu::launch`].
    ///
    /// # Errors
    /// As [`Gpu::launch`].
    fn launch(&self, program: &Arc<Prepared>, items: usize, buffers: &[&Tensor], params: &[u32]) -> Result<()>;

    /// As [`Gpu::launch_groups`].
    ///
    /// # Errors
    /// As [`Gpu::launch_groups`].
    fn launch_groups(&self, program: &Arc<Prepared>, groups: usize, buffers: &[&Tensor], params: &[u32]) -> Result<()>;
}

impl GpuCx for KernelCx<'_, '_, Gpu> {
    fn alloc(&self, dtype: DType, shape: &Shape) -> Result<Tensor> {
        self.device.alloc(&self.node().name, dtype, shape)
    }
    fn launch(&self, program: &Arc<Prepared>, items: usize, buffers: &[&Tensor], params: &[u32]) -> Result<()> {
        self.device.launch(&self.node().name, program, items, buffers, params)
    }
    fn launch_groups(&self, program: &Arc<Prepared>, groups: usize, buffers: &[&Tensor], params: &[u32]) -> Result<()> {
        self.device.launch_groups(&self.node().name, program, groups, buffers, params)
    }
}

/// A device on a backend.
#[derive(Clone)]
pub struct GpuDevice {
    gpu: Arc<Gpu>,
    kernels: Arc<HashMap<&'static str, KernelEntry<Gpu>>>,
}

impl GpuDevice {
    /// Device `GPU:index` on `backend`, whose tensors use at most `memory_limit` bytes; without a limit, the memory of
    /// the backend that its libraries do not use.
    pub fn new(index: usize, backend: Arc<dyn Backend>, memory_limit: Option<u64>) -> GpuDevice {
        let name: Arc<str> = format!("/job:localhost/replica:0/task:0/device:GPU:{index}").into();
        let limit = memory_limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        backend.attach(&name);
        let gpu = Gpu {
            pool: Pool::new(name.clone(), backend.clone(), limit),
            backend: Arc::new(Logging(backend)),
            captures: Captures::default(),
            name,
            programs: RwLock::default(),
            host: Arc::new(Cpu { arena: Arena::new(1 << 30, 1 << 20) }),
            tf32: false,
        };
        GpuDevice { gpu: Arc::new(gpu), kernels: Arc::new(kernels::all().map(|k| (k.op, k)).collect()) }
    }

    /// The new device, with products and convolutions of float32 that may round their factors to TF32, which has 10
    /// fraction bits. Sums stay float32.
    pub fn with_tf32(mut self, tf32: bool) -> GpuDevice {
        if let Some(gpu) = Arc::get_mut(&mut self.gpu) {
            gpu.tf32 = tf32;
        }
        self
    }

    /// The device as its kernels see it.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }
}

impl AnyDevice for GpuDevice {
    fn name(&self) -> &Arc<str> {
        &self.gpu.name
    }
    fn kernel(&self, op: &Arc<dyn AnyOp>) -> Option<Arc<dyn AnyKernel>> {
        if kernels::stays_on_host(op) {
            return kernels::hosted(op, &self.gpu);
        }
        self.kernels.get(op.spec().name)?.make(op, &self.gpu)
    }
    fn knows(&self, op: &str) -> bool {
        self.kernels.contains_key(op)
    }
    fn kind(&self) -> &'static str {
        Gpu::TYPE
    }
    fn memory_limit(&self) -> Option<u64> {
        (self.gpu.pool.limit() != usize::MAX).then_some(self.gpu.pool.limit() as u64)
    }
    fn memory(&self) -> Option<&dyn DeviceCopies> {
        Some(self)
    }
    fn fuses(&self) -> Option<FuseLimits> {
        Some(kernels::LIMITS)
    }
    fn fuse(&self, group: &Arc<Group>) -> Option<Arc<dyn AnyKernel>> {
        kernels::fuse(group, &self.gpu)
    }
    fn joins(&self, op: &Arc<dyn AnyOp>) -> Join {
        kernels::joins(op)
    }
    fn region(&self, region: Region) -> Arc<dyn AnyKernel> {
        Arc::new(Captured::new(region, &self.gpu))
    }
    fn receives(&self) -> Option<Arc<dyn AnyKernel>> {
        Some(Arc::new(Receive(self.gpu.clone())))
    }
    fn synchronize(&self) -> Result<()> {
        self.gpu.backend.synchronize()
    }
}

impl DeviceCopies for GpuDevice {
    fn copy_in(&self, tensor: Tensor, done: OnCopied) {
        // Tensors without elements stay where they are.
        if tensor.num_elements() == 0 {
            return done(Ok(tensor));
        }
        let owner: Arc<str> = Arc::from("copies from the host");
        let prepared = self
            .gpu
            .destination(&owner, &tensor)
            .and_then(|(copy, block)| Ok((copy, block, stored(self.gpu.backend.language(), &tensor)?)));
        match prepared {
            Ok((copy, block, bytes)) => {
                let passed = Box::new(move |taken: Result<()>| done(taken.map(|()| copy)));
                self.gpu.backend.write(&block, bytes, passed);
            }
            Err(error) => done(Err(error)),
        }
    }

    fn copy_out(&self, tensor: Tensor, done: OnCopied) {
        if tensor.device_memory().is_none() {
            return done(Ok(tensor));
        }
        let language = self.gpu.backend.language();
        let source = chunk_of(&tensor).and_then(|(chunk, offset)| {
            let size = language.element_size(tensor.dtype());
            let size = size.ok_or_else(|| Error::internal(format!("{} on a graphics processor", tensor.dtype())))?;
            let at = offset / tensor.dtype().size().max(1) * size;
            Ok((chunk.block.clone(), at, Tensor::zeros(kept_as(language, tensor.dtype()), tensor.shape().clone())))
        });
        match source {
            Ok((block, at, like)) => {
                let dtype = tensor.dtype();
                let finish = move |read: Result<Tensor>| {
                    // Until here the memory must not be handed out again.
                    drop(tensor);
                    done(read.and_then(|t| restored(&t, dtype)));
                };
                self.gpu.backend.read(&block, at, like, Box::new(finish));
            }
            Err(error) => done(Err(error)),
        }
    }

    fn copy_from_peer(&self, _: &dyn AnyDevice, tensor: Tensor, done: OnCopied) -> Result<(), OnCopied> {
        let Ok((source, offset)) = chunk_of(&tensor) else { return Err(done) };
        let Some(peer) = source.backend() else { return Err(done) };
        let (language, theirs) = (self.gpu.backend.language(), peer.language());
        let Some(size) = language.element_size(tensor.dtype()).filter(|_| language == theirs) else { return Err(done) };
        let owner: Arc<str> = Arc::from("copies from other devices");
        let (copy, target) = match self.gpu.destination(&owner, &tensor) {
            Ok(made) => made,
            Err(error) => {
                done(Err(error));
                return Ok(());
            }
        };
        let at = offset / tensor.dtype().size().max(1) * size;
        let any: &dyn Any = &**peer.inner().unwrap_or(&peer);
        let len = tensor.num_elements() * size;
        match self.gpu.backend.copy_from_peer(&target, any, &source.block, at, len) {
            Some(copied) => {
                done(copied.map(|()| copy));
                Ok(())
            }
            None => Err(done),
        }
    }

    fn holds_objects(&self) -> bool {
        true
    }

    fn has(&self, dtype: DType) -> bool {
        self.gpu.backend.has(dtype)
    }

    fn when_passed(&self, done: OnPassed) {
        self.gpu.backend.when_passed(done);
    }
}

/// The dtype whose bytes are those in which a language stores elements of `dtype`.
fn kept_as(language: Language, dtype: DType) -> DType {
    match (language, dtype) {
        (Language::Wgsl, DType::F16 | DType::BF16) => DType::F32,
        (Language::Wgsl, DType::Bool | DType::U8 | DType::U16) => DType::U32,
        (Language::Wgsl, DType::I8 | DType::I16) => DType::I32,
        _ => dtype,
    }
}

fn converted<A: Element, B: Element>(tensor: &Tensor, f: impl Fn(&A) -> B) -> Result<Tensor> {
    Tensor::from_vec(tensor.shape().clone(), tensor.slice::<A>()?.iter().map(f).collect())
}

/// A tensor whose bytes are those in which a language stores this one's elements.
fn stored(language: Language, tensor: &Tensor) -> Result<Tensor> {
    if kept_as(language, tensor.dtype()) == tensor.dtype() {
        return Ok(tensor.clone());
    }
    match tensor.dtype() {
        DType::F16 => converted(tensor, |v: &f16| v.to_f32()),
        DType::BF16 => converted(tensor, |v: &bf16| v.to_f32()),
        DType::Bool => converted(tensor, |v: &bool| u32::from(*v)),
        DType::U8 => converted(tensor, |v: &u8| u32::from(*v)),
        DType::U16 => converted(tensor, |v: &u16| u32::from(*v)),
        DType::I8 => converted(tensor, |v: &i8| i32::from(*v)),
        DType::I16 => converted(tensor, |v: &i16| i32::from(*v)),
        other => Err(Error::internal(format!("{other} is not stored in words"))),
    }
}

/// The tensor of `dtype` that [`stored`] converted to this one.
fn restored(tensor: &Tensor, dtype: DType) -> Result<Tensor> {
    if tensor.dtype() == dtype {
        return Ok(tensor.clone());
    }
    match dtype {
        DType::F16 => converted(tensor, |v: &f32| f16::from_f32(*v)),
        DType::BF16 => converted(tensor, |v: &f32| bf16::from_f32(*v)),
        DType::Bool => converted(tensor, |v: &u32| *v != 0),
        DType::U8 => converted(tensor, |v: &u32| *v as u8),
        DType::U16 => converted(tensor, |v: &u32| *v as u16),
        DType::I8 => converted(tensor, |v: &i32| *v as i8),
        DType::I16 => converted(tensor, |v: &i32| *v as i16),
        other => Err(Error::internal(format!("{other} is not stored in words"))),
    }
}
