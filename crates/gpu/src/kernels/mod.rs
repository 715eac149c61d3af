//! The kernels, one file for each group of ops that share programs.

mod batch_norm;
mod cells;
mod channels;
mod conv;
mod depthwise;
mod einsum;
mod elementwise;
mod entry;
mod extremes;
mod fused;
mod joining;
mod lists;
mod lrn;
mod moves;
mod passing;
mod picks;
mod pipelines;
mod pooling;
mod product;
mod random;
mod reduce;
mod resize;
mod rows;
mod scatter;
mod shapes;
mod tiles;
mod update;
mod values;

pub use entry::dtypes;
pub(crate) use entry::{hosted, stays_on_host};
pub(crate) use fused::{LIMITS, fuse};
pub(crate) use joining::joins;

use crate::device::Gpu;
use levada_kernel::KernelEntry;

/// The kernels of all ops that have one.
pub(crate) fn all() -> impl Iterator<Item = KernelEntry<Gpu>> {
    passing::entries()
        .chain(batch_norm::entries())
        .chain(cells::entries())
        .chain(channels::entries())
        .chain(conv::entries())
        .chain(depthwise::entries())
        .chain(einsum::entries())
        .chain(elementwise::entries())
        .chain(extremes::entries())
        .chain(lists::entries())
        .chain(lrn::entries())
        .chain(picks::entries())
        .chain(pipelines::entries())
        .chain(pooling::entries())
        .chain(product::entries())
        .chain(rows::entries())
        .chain(moves::entries())
        .chain(random::entries())
        .chain(reduce::entries())
        .chain(resize::entries())
        .chain(scatter::entries())
        .chain(update::entries())
        .chain(values::entries())
}
