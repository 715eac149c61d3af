//! Ops that pass tensors on or look at their shapes only: the CPU's kernels do that whatever memory the elements are in.

use super::entry::{self, fits_all, made};
use crate::device::Gpu;
use levada_graph::spec::{Arg, Ty};
use levada_graph::{AnyOp, DType, Op, Result};
use levada_kernel::def::CellOfDef;
use levada_kernel::kernel::Make;
use levada_kernel::{AnyKernel, Cost, Io, KernelEntry};
use levada_ops::types::*;
use std::sync::Arc;

/// The ops.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS).chain(types())
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &made(&ASSIGN, pass),
    &made(&ASSIGN_VARIABLE_OP, pass),
    &made(&CONTROL_TRIGGER, pass),
    &made(&DESTROY_RESOURCE_OP, pass),
    &made(&ENTER, pass),
    &made(&EXIT, pass),
    &made(&IS_VARIABLE_INITIALIZED, pass),
    &made(&LOOP_COND, pass),
    &made(&MERGE, pass),
    &made(&NEXT_ITERATION, pass),
    &made(&NO_OP, pass),
    &made(&READ_VARIABLE_OP, pass),
    &made(&REF_IDENTITY, pass),
    &made(&STACK_CLOSE, pass),
    &made(&STACK_POP, pass),
    &made(&STACK_PUSH, pass),
    &made(&STACK_V2, pass),
    &made(&SWITCH, pass),
    &made(&VARIABLE, pass),
    &made(&VARIABLE_SHAPE, pass),
    &made(&VARIABLE_V2, pass),
    &made(&VAR_HANDLE_OP, pass),
    &made(&VAR_IS_INITIALIZED_OP, pass),
];

/// The CPU's kernel of a node.
fn pass(op: &Arc<dyn AnyOp>, gpu: &Arc<Gpu>) -> Option<Arc<dyn AnyKernel>> {
    // In its older form an op has a reference to its resource's name, which is on the host.
    let is_name = |arg: &Arg| arg.is_ref && arg.ty == Ty::Is(DType::Str);
    if fits_all(op, gpu) && !op.spec().inputs.iter().any(is_name) { gpu.host_kernel(op) } else { None }
}

/// A kernel of the CPU, with the inputs and outputs that stay on the host.
struct Passing {
    kernel: Arc<dyn AnyKernel>,
    host_inputs: &'static [isize],
    host_outputs: &'static [isize],
}

impl AnyKernel for Passing {
    #[inline]
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        self.kernel.compute(io)
    }
    fn cost(&self) -> Cost {
        self.kernel.cost()
    }
    fn labels(&self) -> &'static [&'static str] {
        self.kernel.labels()
    }
    fn host_inputs(&self) -> &'static [isize] {
        self.host_inputs
    }
    fn host_outputs(&self) -> &'static [isize] {
        self.host_outputs
    }
}

macro_rules! passing {
    ($($op:ident: [$($in:literal),*] -> [$($out:literal),*];)*) => {
        /// The ops that are types, with the inputs and outputs that stay on the host.
        fn types() -> impl Iterator<Item = KernelEntry<Gpu>> {
            [$(KernelEntry {
                op: <$op as Op>::SPEC.name,
                make: Make::Fn(|op: &Arc<dyn AnyOp>, gpu: &Arc<Gpu>| {
                    if !fits_all(op, gpu) {
                        return None;
                    }
                    let kernel = gpu.host_kernel(op)?;
                    Some(Arc::new(Passing { kernel, host_inputs: &[$($in),*], host_outputs: &[$($out),*] }))
                }),
                host_inputs: &[$($in),*],
            }),*].into_iter()
        }
    };
}

passing! {
    ExpandDims: [1] -> [];
    Identity: [] -> [];
    IdentityN: [] -> [];
    Placeholder: [] -> [];
    PreventGradient: [] -> [];
    Rank: [] -> [0];
    Reshape: [1] -> [];
    Shape: [] -> [0];
    ShapeN: [] -> [0, 1, 2, 3, 4, 5, 6, 7];
    Size: [] -> [0];
    Snapshot: [] -> [];
    Squeeze: [] -> [];
    StopGradient: [] -> [];
}
