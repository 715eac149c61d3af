//! Ops that pass tensors on or only look at their shapes: the CPU's kernels do that whatever memory the elements are
//! in.

use super::entry::{self, fits_all, made};
use crate::device::Gpu;
use levada_graph::spec::{Arg, Ty};
use levada_graph::{AnyOp, DType};
use levada_kernel::def::CellOfDef;
use levada_kernel::{AnyKernel, KernelEntry};
use levada_ops::types::*;
use std::sync::Arc;

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &made(&ASSIGN, pass),
    &made(&ASSIGN_VARIABLE_OP, pass),
    &made(&CONTROL_TRIGGER, pass),
    &made(&DESTROY_RESOURCE_OP, pass),
    &made(&ENTER, pass),
    &made(&EXIT, pass),
    &made(&EXPAND_DIMS, pass),
    &made(&IDENTITY, pass),
    &made(&IDENTITY_N, pass),
    &made(&IS_VARIABLE_INITIALIZED, pass),
    &made(&LOOP_COND, pass),
    &made(&MERGE, pass),
    &made(&NEXT_ITERATION, pass),
    &made(&NO_OP, pass),
    &made(&PLACEHOLDER, pass),
    &made(&PREVENT_GRADIENT, pass),
    &made(&RANK, pass),
    &made(&READ_VARIABLE_OP, pass),
    &made(&REF_IDENTITY, pass),
    &made(&RESHAPE, pass),
    &made(&SHAPE, pass),
    &made(&SHAPE_N, pass),
    &made(&SIZE, pass),
    &made(&SNAPSHOT, pass),
    &made(&SQUEEZE, pass),
    &made(&STACK_CLOSE, pass),
    &made(&STACK_POP, pass),
    &made(&STACK_PUSH, pass),
    &made(&STACK_V2, pass),
    &made(&STOP_GRADIENT, pass),
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
