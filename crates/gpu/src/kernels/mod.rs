//! The kernels, a file for a group of ops that share programs.

mod elementwise;
mod passing;
mod shapes;

use crate::device::Gpu;
use levada_kernel::KernelEntry;

/// The kernel of every op that has one.
pub(crate) fn all() -> impl Iterator<Item = KernelEntry<Gpu>> {
    passing::entries().chain(elementwise::entries())
}
