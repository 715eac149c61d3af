//! Moving elements without interpreting them.
//!
//! Ops that only rearrange elements do not depend on their type. [`Cell`] represents an element by its size, so that
//! such code is compiled once per size instead of once per dtype; [`Layout`] gives the source of every element of an
//! output; [`Strided`] addresses a part of a tensor to write to.

#[macro_use]
mod cell;
mod dims;
mod layout;
mod mover;
mod slices;
mod strided;
mod tuples;
mod turn;

pub use crate::mask_attrs;
pub use cell::{Cell, Width};
pub use dims::{axis_of, shape_of_dims};
pub use dims::{dims_tensor, is_scalar_like, owned, partial_axis, place_of, positions};
pub use layout::{Axis, Layout, Run};
pub use mover::rearrange;
pub use mover::{Gathering, Mover};
pub use slices::{Masks, Slices, StridedSlice};
pub use strided::Strided;
pub use tuples::slice_numbers;
pub use turn::turn;
