//! Entries of kernels, for nodes whose tensors have dtypes that the backend supports.

use crate::device::Gpu;
use levada_graph::spec::{Arg, Ty};
use levada_graph::{AnyOp, AttrList, AttrValue, DType, Error, Result};
use levada_kernel::def::{AnyDef, Cell, CellOfDef, OpAttrs};
use levada_kernel::kernel::{AnyCell, MakeFn, is_listed};
use levada_kernel::{AnyKernel, Cost, Def, Io, KernelCx, KernelEntry};
use parking_lot::Mutex;
use std::sync::Arc;

/// What a kernel sees.
pub(super) type Cx<'a, 'b> = KernelCx<'a, 'b, Gpu>;

/// The kernel of a definition, for nodes whose tensors on the device have dtypes that the backend supports.
pub(super) const fn cell<A: OpAttrs>(
    def: &'static Def<A>,
    compute: fn(&A, &mut Cx<'_, '_>) -> Result<()>,
) -> Cell<Gpu, A> {
    Cell::new(def, fits, compute)
}

/// The kernel of a definition that a function makes.
pub(super) struct MadeCell {
    def: &'static dyn AnyDef,
    make: MakeFn<Gpu>,
}

/// The kernel of a definition that a function makes.
pub(super) const fn made(def: &'static dyn AnyDef, make: MakeFn<Gpu>) -> MadeCell {
    MadeCell { def, make }
}

impl AnyCell<Gpu> for MadeCell {
    fn make(&self, op: &Arc<dyn AnyOp>, gpu: &Arc<Gpu>) -> Option<Arc<dyn AnyKernel>> {
        (self.make)(op, gpu)
    }
}

impl CellOfDef<Gpu> for MadeCell {
    fn def(&self) -> &'static dyn AnyDef {
        self.def
    }
}

/// The entries of cells.
pub(super) fn entries(cells: &'static [&'static dyn CellOfDef<Gpu>]) -> impl Iterator<Item = KernelEntry<Gpu>> {
    cells.iter().flat_map(|cell| cell.entries())
}

/// True if the device supports the dtypes of all inputs and outputs that are not on the host.
pub(super) fn fits(op: &Arc<dyn AnyOp>, gpu: &Gpu, host_inputs: &[isize], host_outputs: &[isize]) -> bool {
    let there = |args: &[Arg], host: &[isize]| {
        let Some(all) = dtypes(op, args) else { return false };
        let count = all.len();
        all.into_iter().enumerate().all(|(i, dtype)| {
            is_listed(host, i, count) || !dtype.is_plain() && dtype == DType::Resource || gpu.backend.has(dtype)
        })
    };
    there(op.spec().inputs, host_inputs) && there(op.spec().outputs, host_outputs)
}

/// True if the device supports the dtypes that the attrs name, or if these always stay on the host.
pub(super) fn fits_all(op: &Arc<dyn AnyOp>, gpu: &Gpu) -> bool {
    let fits = |dtype: DType| !dtype.is_plain() || gpu.backend.has(dtype);
    op.encode().iter().all(|(_, value)| match value {
        AttrValue::Type(ty) => fits(ty.dtype),
        AttrValue::List(AttrList::Type(all)) => all.iter().all(|ty| fits(ty.dtype)),
        _ => true,
    })
}

/// The dtypes of arguments, one by one; `None` if they cannot be determined.
pub fn dtypes(op: &Arc<dyn AnyOp>, args: &[Arg]) -> Option<Vec<DType>> {
    let attrs = op.encode();
    let mut all = Vec::new();
    for arg in args {
        let times = match arg.times {
            None => 1,
            Some(attr) => match attrs.get(attr)? {
                AttrValue::I(n) => usize::try_from(*n).ok()?,
                _ => return None,
            },
        };
        let dtype = match arg.ty {
            Ty::Is(dtype) => dtype,
            Ty::Of(attr) => match attrs.get(attr)? {
                AttrValue::Type(ty) => ty.dtype,
                _ => return None,
            },
            Ty::Each(_) => return None,
        };
        all.extend(std::iter::repeat_n(dtype, times));
    }
    Some(all)
}

/// A size as a 32-bit number for programs.
///
/// # Errors
/// `UNIMPLEMENTED` for one past 31 bits.
pub(super) fn count(size: usize) -> Result<u32> {
    let fits = i32::try_from(size).map(|n| n as u32);
    fits.map_err(|_| Error::unimplemented(format!("{size} elements are too many for a kernel of a graphics processor")))
}

/// All inputs or outputs of a node, on the host.
pub(super) static ALL: [isize; 64] = {
    let mut all = [0; 64];
    let mut i = 0;
    while i < 64 {
        all[i] = i as isize;
        i += 1;
    }
    all
};

/// A CPU kernel under the device's name: inputs and outputs stay on the host.
struct Hosted(Arc<dyn AnyKernel>);

impl AnyKernel for Hosted {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        self.0.compute(io)
    }
    fn cost(&self) -> Cost {
        self.0.cost()
    }
    fn host_inputs(&self) -> &'static [isize] {
        &ALL
    }
    fn host_outputs(&self) -> &'static [isize] {
        &ALL
    }
}

/// True for a node that counts in int32: as in TensorFlow, its inputs and outputs stay on the host.
pub(crate) fn stays_on_host(op: &Arc<dyn AnyOp>) -> bool {
    let spec = op.spec();
    let Some(attr) = spec.counts else { return false };
    // Not a variable by reference, nor an array named by strings.
    let is_elsewhere = |arg: &Arg| arg.is_ref || arg.ty == Ty::Is(DType::Str);
    !spec.inputs.iter().chain(spec.outputs).any(is_elsewhere)
        && matches!(op.encode().get(attr), Some(AttrValue::Type(ty)) if ty.dtype == DType::I32)
}

/// The kernel of an op that runs on the host although it is placed on the device.
pub(crate) fn hosted(op: &Arc<dyn AnyOp>, gpu: &Arc<Gpu>) -> Option<Arc<dyn AnyKernel>> {
    let few = |args: &[Arg]| dtypes(op, args).is_some_and(|all| all.len() <= ALL.len());
    if !few(op.spec().inputs) || !few(op.spec().outputs) {
        return None;
    }
    Some(Arc::new(Hosted(gpu.host_kernel(op)?)))
}

/// A CPU kernel whose output is copied to the device.
struct Uploaded {
    kernel: Arc<dyn AnyKernel>,
    gpu: Arc<Gpu>,
}

impl AnyKernel for Uploaded {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        self.kernel.compute(io)?;
        let node = io.node().name.clone();
        for i in 0..io.num_outputs() {
            let Some(tensor) = io.output_entry(i).and_then(|entry| entry.tensor().cloned()) else { continue };
            if tensor.device_memory().is_none() {
                let there = self.gpu.upload(&node, &tensor)?;
                io.set(i, there);
            }
        }
        Ok(())
    }
    fn cost(&self) -> Cost {
        self.kernel.cost()
    }
    fn host_inputs(&self) -> &'static [isize] {
        &ALL
    }
}

/// The kernel of an op whose small output is computed on the host.
pub(super) fn uploaded(op: &Arc<dyn AnyOp>, gpu: &Arc<Gpu>) -> Option<Arc<dyn AnyKernel>> {
    if !fits(op, gpu, &ALL, &[]) {
        return None;
    }
    Some(Arc::new(Uploaded { kernel: gpu.host_kernel(op)?, gpu: gpu.clone() }))
}

/// A tensor that is copied to the device once.
struct DeviceCopy {
    kernel: Arc<dyn AnyKernel>,
    gpu: Arc<Gpu>,
    /// The copy. The lock ensures that there is only one.
    there: Mutex<Option<levada_graph::Tensor>>,
}

impl AnyKernel for DeviceCopy {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let mut there = self.there.lock();
        if there.is_none() {
            self.kernel.compute(io)?;
            let tensor = io.output_entry(0).and_then(|entry| entry.tensor().cloned());
            let tensor = tensor.ok_or_else(|| Error::internal("a constant has no value"))?;
            *there = Some(self.gpu.upload(&io.node().name, &tensor)?);
        }
        if let Some(tensor) = &*there {
            io.set(0, tensor.clone());
        }
        Ok(())
    }
    fn cost(&self) -> Cost {
        self.kernel.cost()
    }
}

/// The kernel of a constant.
pub(super) fn kept(op: &Arc<dyn AnyOp>, gpu: &Arc<Gpu>) -> Option<Arc<dyn AnyKernel>> {
    if !fits(op, gpu, &[], &[]) {
        return None;
    }
    Some(Arc::new(DeviceCopy { kernel: gpu.host_kernel(op)?, gpu: gpu.clone(), there: Mutex::default() }))
}
