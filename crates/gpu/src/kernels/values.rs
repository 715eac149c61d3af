//! Ops whose output is computed on the host, since it is small or does not change.

use super::entry::{kept, uploaded};
use crate::device::Gpu;
use levada_kernel::KernelEntry;

/// The ops.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    [
        KernelEntry { op: "Const", make: kept, host_inputs: &[] },
        KernelEntry { op: "LinSpace", make: uploaded, host_inputs: &[0, 1, 2] },
        KernelEntry { op: "Range", make: uploaded, host_inputs: &[0, 1, 2] },
    ]
    .into_iter()
}
