//! Ops that pass tensors on or look at their shapes only: the CPU's kernels do that whatever memory the elements are in.

use super::entry::fits_all;
use crate::device::Gpu;
use levada_graph::{AnyOp, Op, Result};
use levada_kernel::kernel::Make;
use levada_kernel::{AnyKernel, Cost, Io, KernelEntry};
use levada_ops::types::*;
use std::sync::Arc;

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
        /// The ops, with the inputs and outputs that stay on the host.
        pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
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
    Assign: [] -> [];
    AssignVariableOp: [] -> [];
    ControlTrigger: [] -> [];
    DestroyResourceOp: [] -> [];
    Enter: [] -> [];
    Exit: [] -> [];
    ExpandDims: [1] -> [];
    Identity: [] -> [];
    IdentityN: [] -> [];
    IsVariableInitialized: [] -> [0];
    LoopCond: [0] -> [0];
    Merge: [] -> [1];
    NextIteration: [] -> [];
    NoOp: [] -> [];
    Placeholder: [] -> [];
    PreventGradient: [] -> [];
    Rank: [] -> [0];
    ReadVariableOp: [] -> [];
    RefEnter: [] -> [];
    RefExit: [] -> [];
    RefIdentity: [] -> [];
    RefMerge: [] -> [1];
    RefNextIteration: [] -> [];
    RefSwitch: [1] -> [];
    Reshape: [1] -> [];
    Shape: [] -> [0];
    ShapeN: [] -> [0, 1, 2, 3, 4, 5, 6, 7];
    Size: [] -> [0];
    Snapshot: [] -> [];
    Squeeze: [] -> [];
    StackCloseV2: [] -> [];
    StackPopV2: [] -> [];
    StackPushV2: [] -> [];
    StackV2: [0] -> [];
    StopGradient: [] -> [];
    Switch: [1] -> [];
    VarHandleOp: [] -> [0];
    VarIsInitializedOp: [] -> [0];
    Variable: [] -> [];
    VariableShape: [] -> [0];
    VariableV2: [] -> [];
}
