//! Ops whose output is computed on the host, since it is small or does not change.

use super::entry::{self, kept, made, uploaded};
use crate::device::Gpu;
use levada_graph::AnyOp;
use levada_kernel::KernelEntry;
use levada_kernel::def::CellOfDef;
use levada_ops::types::{CONST, LIN_SPACE, RANGE};

static CELLS: &[&dyn CellOfDef<Gpu>] = &[&made(&CONST, kept), &made(&LIN_SPACE, uploaded), &made(&RANGE, uploaded)];

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

/// True for ops whose output is copied to the device on every run.
pub(super) fn is_uploaded(op: &dyn AnyOp) -> bool {
    LIN_SPACE.attrs_of(op).is_some() || RANGE.attrs_of(op).is_some()
}
