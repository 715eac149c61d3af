//! Devices: where kernels run and tensors live.

use crate::accumulate::Carried;
use crate::arena::Arena;
use crate::epilogue::Finished;
use crate::group::{FuseLimits, Group};
use crate::kernel::{AnyKernel, KernelCx, KernelEntry};
use crate::pieces::Pieces;
use crate::region::{Join, Region};
use crate::tiles::Tiled;
use crate::window::{Cutter, SplitOutput};
use levada_graph::{AnyOp, DType, Element, Error, Result, Shape, Tensor};
use std::collections::HashMap;
use std::sync::Arc;

/// A type of device: `CPU`, `GPU`.
pub trait Device: Send + Sync + 'static {
    /// The type's name in device strings.
    const TYPE: &'static str;
}

/// What the runtime sees of a device.
pub trait AnyDevice: Send + Sync {
    /// Full name: `/job:localhost/replica:0/task:0/device:CPU:0`.
    fn name(&self) -> &Arc<str>;
    /// The kernel for a node, if the device has one.
    fn kernel(&self, op: &Arc<dyn AnyOp>) -> Option<Arc<dyn AnyKernel>>;
    /// True if the device has a kernel for some form of this op.
    fn knows(&self, op: &str) -> bool;
    /// The type in its name: `CPU`, `GPU`.
    fn kind(&self) -> &'static str;
    /// Maximum number of bytes of tensors on it; `None` for no limit.
    fn memory_limit(&self) -> Option<u64> {
        None
    }
    /// How its memory is accessed; `None` for a device whose tensors are in the host's memory, where every kernel and
    /// the caller can read them.
    fn memory(&self) -> Option<&dyn DeviceCopies> {
        None
    }
    /// Maximum size of the groups of nodes that it computes as one; `None` if it does not.
    fn fuses(&self) -> Option<FuseLimits> {
        None
    }
    /// The kernel that computes a group; `None` if its nodes are better computed one by one. All of them have kernels
    /// of this device that are [`piecewise`](AnyKernel::piecewise).
    fn fuse(&self, group: &Arc<Group>) -> Option<Arc<dyn AnyKernel>> {
        let _ = group;
        None
    }
    /// The kernel of one output of a node that splits a tensor; `None` if groups cannot have such parts.
    fn window(&self, of: SplitOutput) -> Option<Arc<dyn AnyKernel>> {
        let _ = of;
        None
    }
    /// The kernel that computes a product with the nodes after it; `None` if its nodes are better computed one by one.
    /// The first has a kernel that [`finishes`](AnyKernel::finishes), the others have an
    /// [`epilogue`](AnyKernel::epilogue).
    fn finish(&self, group: &Arc<Group>) -> Option<Arc<dyn AnyKernel>> {
        let _ = group;
        None
    }
    /// The kernels that carry the sum through a loop that a group of [`AnyDevice::finish`] adds a product to; `None` if it is
    /// not such a group, or better computes the sum in every iteration.
    fn carry(&self, group: &Arc<Group>) -> Option<Carried> {
        let _ = group;
        None
    }
    /// The kernel that computes a chain of products and what lies between them tile by tile; `None` if its nodes are better computed one
    /// by one. Each of them has a kernel of this device whose output [can be cut](AnyKernel::is_cut).
    fn tile(&self, group: &Arc<Group>) -> Option<Arc<dyn AnyKernel>> {
        let _ = group;
        None
    }
    /// How nodes of this op may run with others.
    fn joins(&self, op: &Arc<dyn AnyOp>) -> Join {
        let _ = op;
        Join::Never
    }
    /// The kernel that runs a region of nodes of this device.
    fn region(&self, region: Region) -> Arc<dyn AnyKernel> {
        Arc::new(region)
    }
    /// The kernel that copies a value from the host to this device within a region, without waiting; `None` if there is
    /// none.
    fn receives(&self) -> Option<Arc<dyn AnyKernel>> {
        None
    }
    /// Waits until everything that was queued on the device has run.
    ///
    /// # Errors
    /// The error of that work, if it has not been reported yet.
    fn synchronize(&self) -> Result<()> {
        Ok(())
    }
}

/// Receives a tensor that was copied.
pub type OnCopied = Box<dyn FnOnce(Result<Tensor>) + Send>;

/// Called when work has run.
pub type OnPassed = Box<dyn FnOnce(Result<()>) + Send>;

/// Copies into and out of memory that only its device can access. Copies are asynchronous: they may return before they
/// have happened, and call `done` once they have, from any thread and exactly once. A copy waits for the device work
/// that makes the tensor.
pub trait DeviceCopies: Send + Sync {
    /// Copies a tensor from the host's memory to this memory.
    fn copy_in(&self, tensor: Tensor, done: OnCopied);
    /// Copies a tensor from this memory to the host's.
    fn copy_out(&self, tensor: Tensor, done: OnCopied);
    /// Copies a tensor from another device's memory to this one, if the two can do so without the host.
    fn copy_from_peer(&self, from: &dyn AnyDevice, tensor: Tensor, done: OnCopied) -> Result<(), OnCopied> {
        let _ = (from, tensor);
        Err(done)
    }
    /// True if the contents of reference variables and variants are in this memory as well when ops of the device made
    /// them. int32 elements in variants stay on the host nevertheless, since they are counters.
    fn holds_objects(&self) -> bool {
        false
    }
    /// True if tensors of this dtype can be in this memory. Others stay on the host when variants hold them.
    fn has(&self, dtype: DType) -> bool {
        dtype.is_plain()
    }
    /// Calls `done` once everything that has been queued so far has run.
    fn when_passed(&self, done: OnPassed) {
        done(Ok(()));
    }
}

/// The CPU.
pub struct Cpu {
    /// Memory for tensors.
    pub arena: Arc<Arena>,
}

impl Device for Cpu {
    const TYPE: &'static str = "CPU";
}

/// A CPU device with its name and kernels.
pub struct CpuDevice {
    name: Arc<str>,
    cpu: Arc<Cpu>,
    kernels: Arc<HashMap<&'static str, KernelEntry<Cpu>>>,
}

impl CpuDevice {
    /// CPU number `index` with these kernels, allocating from `arena`.
    pub fn new(index: usize, arena: Arc<Arena>, kernels: impl IntoIterator<Item = KernelEntry<Cpu>>) -> CpuDevice {
        CpuDevice {
            name: format!("/job:localhost/replica:0/task:0/device:CPU:{index}").into(),
            cpu: Arc::new(Cpu { arena }),
            kernels: Arc::new(kernels.into_iter().map(|k| (k.op, k)).collect()),
        }
    }
}

impl AnyDevice for CpuDevice {
    fn name(&self) -> &Arc<str> {
        &self.name
    }
    fn kernel(&self, op: &Arc<dyn AnyOp>) -> Option<Arc<dyn AnyKernel>> {
        self.kernels.get(op.spec().name)?.make(op, &self.cpu)
    }
    fn knows(&self, op: &str) -> bool {
        self.kernels.contains_key(op)
    }
    fn kind(&self) -> &'static str {
        Cpu::TYPE
    }
    fn memory_limit(&self) -> Option<u64> {
        Some(self.cpu.arena.limit() as u64)
    }
    fn fuses(&self) -> Option<FuseLimits> {
        Some(FuseLimits { parts: 32, inputs: 32 })
    }
    fn fuse(&self, group: &Arc<Group>) -> Option<Arc<dyn AnyKernel>> {
        Some(Arc::new(Pieces::new(group.clone(), self.cpu.arena.clone())))
    }
    fn window(&self, of: SplitOutput) -> Option<Arc<dyn AnyKernel>> {
        Cutter::new(of, self.cpu.arena.clone()).map(|kernel| Arc::new(kernel) as Arc<dyn AnyKernel>)
    }
    fn finish(&self, group: &Arc<Group>) -> Option<Arc<dyn AnyKernel>> {
        Finished::new(group.clone()).map(|kernel| Arc::new(kernel) as Arc<dyn AnyKernel>)
    }
    fn carry(&self, group: &Arc<Group>) -> Option<Carried> {
        Carried::new(Finished::new(group.clone())?)
    }
    fn tile(&self, group: &Arc<Group>) -> Option<Arc<dyn AnyKernel>> {
        Tiled::new(group.clone(), self.cpu.arena.clone()).map(|kernel| Arc::new(kernel) as Arc<dyn AnyKernel>)
    }
}

impl KernelCx<'_, '_, Cpu> {
    /// A tensor for an output, whose plain elements are arbitrary: the kernel must write all of them. Strings,
    /// resources and variants are empty.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if memory runs out.
    #[inline]
    pub fn alloc(&self, dtype: DType, shape: &Shape) -> Result<Tensor> {
        self.device.arena.tensor(dtype, shape.clone())
    }

    /// A tensor of zeros (empty strings, handles, variants).
    ///
    /// # Errors
    /// As [`KernelCx::alloc`].
    pub fn zeros(&self, dtype: DType, shape: &Shape) -> Result<Tensor> {
        self.device.arena.zeros(dtype, shape.clone())
    }

    /// Checks that strings of `bytes` bytes in total can be made, before they are.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if this would exceed a limit, or the system has no memory for them.
    pub fn check_strings(&self, bytes: usize) -> Result<()> {
        if let Some(meter) = self.step().resources.meter() {
            meter.check_strings(bytes)?;
        }
        self.device.arena.check(bytes)
    }

    /// Allocates output `i` of element type `T`, lets `fill` write its elements, and sets it.
    ///
    /// # Errors
    /// As [`KernelCx::alloc`], and what `fill` fails with.
    pub fn produce<T: Element>(
        &mut self,
        i: usize,
        shape: &Shape,
        fill: impl FnOnce(&Self, &mut [T]) -> Result<()>,
    ) -> Result<()> {
        let mut fill = Some(fill);
        self.produce_tensor(i, T::DTYPE, shape, &mut |cx, out| match fill.take() {
            Some(fill) => fill(cx, out.slice_mut()?),
            None => Ok(()),
        })
    }

    /// As [`KernelCx::produce`], compiled once for all kernels.
    fn produce_tensor(
        &mut self,
        i: usize,
        storage: DType,
        shape: &Shape,
        fill: &mut dyn FnMut(&Self, &mut Tensor) -> Result<()>,
    ) -> Result<()> {
        let mut out = self.output_tensor(i, storage, shape)?;
        fill(self, &mut out)?;
        self.set(i, out);
        Ok(())
    }

    /// A tensor for output `i`, whose elements are stored as those of `storage`.
    fn output_tensor(&self, i: usize, storage: DType, shape: &Shape) -> Result<Tensor> {
        let dtype = self.output_dtype(i).filter(|d| d.storage() == storage).unwrap_or(storage);
        self.alloc(dtype, shape)
    }

    /// Input `i` itself if it can be reused for an output of this dtype and shape (its elements are then still the
    /// input's), else a new tensor as from [`KernelCx::alloc`]. The flag is true if the input was taken.
    ///
    /// # Errors
    /// As [`KernelCx::alloc`].
    pub fn forward_or_alloc(&mut self, i: usize, dtype: DType, shape: &Shape) -> Result<(Tensor, bool)> {
        match self.forward(i, dtype, shape) {
            Some(tensor) => Ok((tensor, true)),
            None => Ok((self.alloc(dtype, shape)?, false)),
        }
    }
}

/// The error for a node that no device can run.
pub fn no_kernel(op: &str, device: &str) -> Error {
    Error::unimplemented(format!("{device} has no kernel for {op} with these attrs")).op(op)
}
