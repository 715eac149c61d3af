//! Kernels: what an op does on a device. Ops are rows, devices are columns, a kernel is a cell.

use crate::device::Device;
use crate::io::Io;
use levada_graph::{AnyOp, Op, Result};
use std::any::Any;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// How long a kernel takes, roughly, until it has been measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cost {
    /// Little: handing it to another thread would take longer.
    #[default]
    Cheap,
    /// Depends on the size of its inputs, and may be long.
    Heavy,
}

/// Whether a kernel computes each element of its one output from one element of each of its inputs, so that it can be
/// given pieces of them, and which shapes its inputs may have then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Piecewise {
    /// It does not.
    #[default]
    No,
    /// Inputs of any shapes that can be broadcast together.
    Broadcast,
    /// Inputs of one shape.
    Alike,
    /// A first input of any shape, and others that have this shape or are scalars.
    Bounded,
}

/// What an op does on a device of type `D`.
pub trait Kernel<D: Device>: Op {
    /// How long it takes, until it has been measured.
    const COST: Cost = Cost::Cheap;

    /// Inputs that this kernel reads on the host even though the device has memory of its own, by number; as negative
    /// numbers counted from the end.
    const HOST_INPUTS: &'static [isize] = &[];

    /// Outputs that this kernel leaves on the host even though the device has memory of its own, by number; as negative
    /// numbers counted from the end.
    const HOST_OUTPUTS: &'static [isize] = &[];

    /// Values of the attr `_kernel` that ask for this kernel, besides none. With any other value the device has no kernel
    /// for the node.
    const LABELS: &'static [&'static str] = &[];

    /// True where this kernel handles the op with these attrs. Where false the device has no kernel for the node.
    fn supports(&self) -> bool {
        true
    }

    /// Whether the kernel can be given pieces of its inputs. What it computes must not depend on how they are cut.
    fn piecewise(&self) -> Piecewise {
        Piecewise::No
    }

    /// Computes the outputs from the inputs.
    ///
    /// # Errors
    /// Whatever is wrong with the inputs; the executor adds the node's name.
    fn compute(&self, cx: &mut KernelCx<'_, '_, D>) -> Result<()>;
}

/// A kernel of any op on any device.
pub trait AnyKernel: Send + Sync {
    /// [`Kernel::compute`]
    ///
    /// # Errors
    /// As [`Kernel::compute`].
    fn compute(&self, io: &mut Io<'_>) -> Result<()>;
    /// [`Kernel::COST`]
    fn cost(&self) -> Cost;
    /// [`Kernel::LABELS`]
    fn labels(&self) -> &'static [&'static str] {
        &[]
    }
    /// [`Kernel::piecewise`]
    fn piecewise(&self) -> Piecewise {
        Piecewise::No
    }
    /// [`Kernel::HOST_INPUTS`]
    fn host_inputs(&self) -> &'static [isize] {
        &[]
    }
    /// [`Kernel::HOST_OUTPUTS`]
    fn host_outputs(&self) -> &'static [isize] {
        &[]
    }
}

/// True where argument `i` of `count` is among `listed`, which counts from the end with negative numbers.
pub fn is_listed(listed: &[isize], i: usize, count: usize) -> bool {
    listed.iter().any(|&at| if at < 0 { count as isize + at == i as isize } else { at == i as isize })
}

/// What a kernel sees: everything of [`Io`], and its device.
pub struct KernelCx<'a, 'b, D> {
    /// The device.
    pub device: &'a D,
    pub(crate) io: &'a mut Io<'b>,
}

impl<'b, D> Deref for KernelCx<'_, 'b, D> {
    type Target = Io<'b>;
    #[inline]
    fn deref(&self) -> &Io<'b> {
        self.io
    }
}

impl<D> DerefMut for KernelCx<'_, '_, D> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.io
    }
}

struct OpKernel<D, T> {
    op: Arc<T>,
    device: Arc<D>,
}

impl<D: Device, T: Kernel<D>> AnyKernel for OpKernel<D, T> {
    #[inline]
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        self.op.compute(&mut KernelCx { device: &*self.device, io })
    }
    fn cost(&self) -> Cost {
        T::COST
    }
    fn labels(&self) -> &'static [&'static str] {
        T::LABELS
    }
    fn piecewise(&self) -> Piecewise {
        self.op.piecewise()
    }
    fn host_inputs(&self) -> &'static [isize] {
        T::HOST_INPUTS
    }
    fn host_outputs(&self) -> &'static [isize] {
        T::HOST_OUTPUTS
    }
}

/// A kernel in a device's table.
pub struct KernelEntry<D: 'static> {
    /// Name of the op.
    pub op: &'static str,
    /// Makes the kernel of a node; `None` where it does not handle the node's attrs.
    pub make: Make<D>,
    /// [`Kernel::HOST_INPUTS`]
    pub host_inputs: &'static [isize],
}

/// Makes the kernel of a node on a device; `None` where it does not handle the node's attrs.
pub type MakeFn<D> = fn(&Arc<dyn AnyOp>, &Arc<D>) -> Option<Arc<dyn AnyKernel>>;

/// How the kernel of a node is made.
pub enum Make<D: 'static> {
    /// By a function.
    Fn(MakeFn<D>),
    /// By the cell of a definition.
    Cell(&'static dyn AnyCell<D>),
}

/// What makes kernels of the nodes of one definition on devices of type `D`.
pub trait AnyCell<D: 'static>: Sync {
    /// The kernel of a node; `None` where it does not handle the node's attrs.
    fn make(&self, op: &Arc<dyn AnyOp>, device: &Arc<D>) -> Option<Arc<dyn AnyKernel>>;
}

impl<D: 'static> Clone for Make<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: 'static> Copy for Make<D> {}

impl<D: 'static> KernelEntry<D> {
    /// The kernel of a node; `None` where it does not handle the node's attrs.
    pub fn make(&self, op: &Arc<dyn AnyOp>, device: &Arc<D>) -> Option<Arc<dyn AnyKernel>> {
        match self.make {
            Make::Fn(make) => make(op, device),
            Make::Cell(cell) => cell.make(op, device),
        }
    }
}

impl<D: 'static> Clone for KernelEntry<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: 'static> Copy for KernelEntry<D> {}

/// The entry of op `T`'s kernel on device `D`.
pub const fn kernel<D: Device, T: Kernel<D>>() -> KernelEntry<D> {
    KernelEntry {
        op: T::SPEC.name,
        make: Make::Fn(|op, device| {
            let any: Arc<dyn Any + Send + Sync> = op.clone();
            let op = any.downcast::<T>().ok()?;
            if op.supports() { Some(Arc::new(OpKernel { op, device: device.clone() })) } else { None }
        }),
        host_inputs: T::HOST_INPUTS,
    }
}
