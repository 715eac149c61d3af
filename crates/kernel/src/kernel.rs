//! Kernels: what an op does on a device. Ops are rows, devices are columns, a kernel is a cell.

use crate::env::StepCx;
use crate::epilogue::{Epilogue, Finish};
use crate::io::{Io, NodeMeta};
use crate::scalars::ScalarFunction;
use crate::strips::Strip;
use crate::tiles::{Cuts, Given, Stage};
use levada_graph::{AnyOp, Result, Tensor};
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

/// What an op does on a device, for one node.
pub trait AnyKernel: Send + Sync {
    /// Computes the outputs from the inputs.
    ///
    /// # Errors
    /// Whatever is wrong with the inputs; the executor adds the node's name.
    fn compute(&self, io: &mut Io<'_>) -> Result<()>;
    /// How long it takes, until it has been measured.
    fn cost(&self) -> Cost;
    /// Values of the attr `_kernel` that ask for this kernel, besides none. With any other value the device has no kernel
    /// for the node.
    fn labels(&self) -> &'static [&'static str] {
        &[]
    }
    /// Whether the kernel can be given pieces of its inputs. What it computes must not depend on how they are cut.
    fn piecewise(&self) -> Piecewise {
        Piecewise::No
    }
    /// What it computes where all its inputs are scalars: the same bits as otherwise; `None` where it does not say. `node` and `step`
    /// are those of a node that has it.
    fn scalar_function(&self, node: &NodeMeta, step: &StepCx) -> Option<ScalarFunction> {
        let _ = (node, step);
        None
    }
    /// What it does with float32 numbers in the nearest cache, where it computes those: the same bits as otherwise. `second` is its
    /// second input where that is known before the run.
    fn strip(&self, second: Option<&Tensor>) -> Option<Strip> {
        let _ = second;
        None
    }
    /// True for a transfer within one memory, which gives what it is given.
    fn hands_on(&self) -> bool {
        false
    }
    /// True where output 0 is the vector of the inputs if these are scalars.
    fn stacks(&self) -> bool {
        false
    }
    /// What it does with the result of the node before it, where a product can do that too.
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
    /// True for a product that can do what nodes after it do.
    fn finishes(&self) -> bool {
        false
    }
    /// Computes output 0 with what nodes after it do; false, with nothing changed, where that cannot be.
    ///
    /// # Errors
    /// As [`AnyKernel::compute`].
    fn compute_finished(&self, io: &mut Io<'_>, finish: &Finish<'_>) -> Result<bool> {
        let _ = (io, finish);
        Ok(false)
    }
    /// The number of the input that says how many zeros this kernel puts around input 0, where it does nothing else.
    fn margin_input(&self) -> Option<usize> {
        None
    }
    /// The kernel that gives what this one does of input 0 with so many zeros before and after it along each axis; `None`
    /// where there is none.
    fn with_margin(&self, margin: &[(usize, usize)]) -> Option<Arc<dyn AnyKernel>> {
        let _ = margin;
        None
    }
    /// Inputs that this kernel reads on the host even though the device has memory of its own, by number; as negative
    /// numbers counted from the end.
    fn host_inputs(&self) -> &'static [isize] {
        &[]
    }
    /// Outputs that this kernel leaves on the host even though the device has memory of its own, by number; as negative
    /// numbers counted from the end.
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
    /// The op of the node, whatever its attrs are.
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
    /// Makes the kernel of a node; `None` where it does not handle the node's attrs.
    pub make: Make<D>,
    /// [`AnyKernel::host_inputs`]
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
