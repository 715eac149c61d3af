//! Kernels: what an op does on a device. Ops are rows, devices are columns, a kernel is a cell.

use crate::accumulate::Accumulation;
use crate::env::StepCx;
use crate::epilogue::{Epilogue, Finish};
use crate::io::{Io, NodeMeta};
use crate::scalars::ScalarFunction;
use crate::strips::Strip;
use crate::tiles::{Cuts, Given, Stage};
use levada_graph::{AnyOp, Result, Shape, Tensor};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A rough estimate of how long a kernel takes, used until it has been measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cost {
    /// So little that handing it to another thread would take longer.
    #[default]
    Cheap,
    /// Depends on the size of the inputs, and may be long.
    Heavy,
}

/// Whether a kernel computes each element of its one output from one element of each of its inputs, so that it can
/// compute pieces of them, and which input shapes it then accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Piecewise {
    /// It does not.
    #[default]
    No,
    /// Inputs of any shapes that broadcast together.
    Broadcast,
    /// Inputs of the same shape.
    Alike,
    /// A first input of any shape, and others that have this shape or are scalars.
    Bounded,
}

impl Piecewise {
    /// The shape of the output for inputs of these shapes; `None` if the kernel does not accept them.
    pub fn shape<'a>(self, mut inputs: impl Iterator<Item = &'a Shape>) -> Option<Shape> {
        let first = inputs.next()?;
        inputs.try_fold(first.clone(), |shape, other| match self {
            Piecewise::Broadcast if shape == *other => Some(shape),
            Piecewise::Broadcast => shape.broadcast(other).ok(),
            Piecewise::Alike if *first == *other => Some(shape),
            Piecewise::Bounded if other.is_scalar() || *first == *other => Some(shape),
            _ => None,
        })
    }
}

/// What an op does on a device, for one node.
pub trait AnyKernel: Send + Sync {
    /// Computes the outputs from the inputs.
    ///
    /// # Errors
    /// Whatever is wrong with the inputs; the executor adds the node's name.
    fn compute(&self, io: &mut Io<'_>) -> Result<()>;
    /// How long it takes, until it has been measured.
    fn cost(&self) -> Cost;
    /// Values of the attr `_kernel` that select this kernel, in addition to no value. With any other value the device
    /// has no kernel for the node.
    fn labels(&self) -> &'static [&'static str] {
        &[]
    }
    /// Whether the kernel can be given pieces of its inputs. What it computes must not depend on how they are cut.
    fn piecewise(&self) -> Piecewise {
        Piecewise::No
    }
    /// What it computes when all its inputs are scalars, with the same bits as otherwise; `None` if it does not say.
    /// `node` and `step` are those of a node that uses it.
    fn scalar_function(&self, node: &NodeMeta, step: &StepCx) -> Option<ScalarFunction> {
        let _ = (node, step);
        None
    }
    /// What it does with float32 values in the nearest cache, if it computes on float32: the same bits as otherwise.
    /// `second` is its second input if that is known before the run.
    fn strip(&self, second: Option<&Tensor>) -> Option<Strip> {
        let _ = second;
        None
    }
    /// True for a transfer within one memory, which passes its input on unchanged.
    fn hands_on(&self) -> bool {
        false
    }
    /// True if output 0 is the vector of the inputs when these are scalars.
    fn stacks(&self) -> bool {
        false
    }
    /// What it does with the result of the node before it, if a product can do that as well.
    fn epilogue(&self) -> Option<Epilogue> {
        None
    }
    /// The part that it can play in a chain that is computed tile by tile.
    fn stage(&self) -> Option<Stage> {
        None
    }
    /// True where [`AnyKernel::cuts`] may say how the output can be cut.
    fn is_cut(&self) -> bool {
        false
    }
    /// How the output can be cut, for these inputs; `None` where it cannot or they do not fit.
    fn cuts(&self, inputs: &[Given<'_>]) -> Option<Cuts> {
        let _ = inputs;
        None
    }
    /// True for a product that can also compute the nodes after it.
    fn finishes(&self) -> bool {
        false
    }
    /// Computes output 0 including the nodes after it; false, with nothing changed, if that is not possible.
    ///
    /// # Errors
    /// As [`AnyKernel::compute`].
    fn compute_finished(&self, io: &mut Io<'_>, finish: &Finish<'_>) -> Result<bool> {
        let _ = (io, finish);
        Ok(false)
    }
    /// How it adds several of its results to a sum, for a product that does so.
    fn accumulates(&self) -> Option<Accumulation> {
        None
    }
    /// The index of the input with the amounts of zero padding, for a kernel that only pads input 0.
    fn margin_input(&self) -> Option<usize> {
        None
    }
    /// The kernel that computes what this one does of input 0 padded with this many zeros before and after it along
    /// each axis; `None` if there is none.
    fn with_margin(&self, margin: &[(usize, usize)]) -> Option<Arc<dyn AnyKernel>> {
        let _ = margin;
        None
    }
    /// Indices of the inputs that this kernel reads on the host even though the device has memory of its own; negative
    /// indices count from the end.
    fn host_inputs(&self) -> &'static [isize] {
        &[]
    }
    /// Indices of the outputs that this kernel leaves on the host even though the device has memory of its own;
    /// negative indices count from the end.
    fn host_outputs(&self) -> &'static [isize] {
        &[]
    }
}

/// True if argument `i` of `count` is among `listed`, in which negative indices count from the end.
pub fn is_listed(listed: &[isize], i: usize, count: usize) -> bool {
    listed.iter().any(|&at| if at < 0 { count as isize + at == i as isize } else { at == i as isize })
}

/// What a kernel sees: everything of [`Io`], and its device.
pub struct KernelCx<'a, 'b, D> {
    /// The device.
    pub device: &'a D,
    /// The op of the node, with attrs of any type.
    pub op: &'a dyn AnyOp,
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

/// A kernel in a device's table.
pub struct KernelEntry<D: 'static> {
    /// Name of the op.
    pub op: &'static str,
    /// Makes the kernel of a node; `None` if it does not support the node's attrs.
    pub make: Make<D>,
    /// [`AnyKernel::host_inputs`]
    pub host_inputs: &'static [isize],
}

/// Makes the kernel of a node on a device; `None` if it does not support the node's attrs.
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
    /// Returns the kernel of a node; `None` if it does not support the node's attrs.
    fn make(&self, op: &Arc<dyn AnyOp>, device: &Arc<D>) -> Option<Arc<dyn AnyKernel>>;
}

impl<D: 'static> Clone for Make<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: 'static> Copy for Make<D> {}

impl<D: 'static> KernelEntry<D> {
    /// Returns the kernel of a node; `None` if it does not support the node's attrs.
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
