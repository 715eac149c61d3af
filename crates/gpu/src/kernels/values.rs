//! Ops whose output is computed on the host, since it is small or does not change.

use super::entry::{kept, uploaded};
use crate::device::Gpu;
use levada_kernel::KernelEntry;
use levada_kernel::kernel::Make;

/// The ops.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    [
        KernelEntry { op: "Const", make: Make::Fn(kept), host_inputs: &[] },
        KernelEntry { op: "LinSpace", make: Make::Fn(uploaded), host_inputs: &[0, 1, 2] },
        KernelEntry { op: "Range", make: Make::Fn(uploaded), host_inputs: &[0, 1, 2] },
    ]
    .into_iter()
}
