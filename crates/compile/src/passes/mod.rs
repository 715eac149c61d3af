//! The passes, one in each file; [`PASSES`](crate::pass::PASSES) has their order.

mod deadness;
pub(crate) mod fold;
pub(crate) mod frames;
pub(crate) mod fuse;
pub(crate) mod loops;
pub(crate) mod merge;
pub(crate) mod partial;
pub(crate) mod references;
mod region_order;
pub(crate) mod regions;
pub(crate) mod transfer;
