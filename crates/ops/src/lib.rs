//! The op library: for every op what it is (spec, shape function) and what it does on the CPU, side by side.
//!
//! Ops are grouped in families, one folder each. A family's `mod.rs` is a sorted list that declares its files and says
//! which ops are in each; [`all`] strings the lists together. Nothing here knows a graph file, a plan or a session.
//!
//! ```
//! let names: Vec<&str> = levada_ops::all().map(|e| e.def.spec.name).collect();
//! assert!(names.contains(&"Identity"));
//! ```

#[macro_use]
mod elementwise;
#[macro_use]
mod family;
mod hash;
#[macro_use]
mod moves;
mod number;
mod prelude;
mod simd;
#[cfg(test)]
mod testing;
mod text;

mod array;
mod batching;
mod control;
mod fft;
mod gradients;
mod image;
mod io;
mod linalg;
mod logging;
mod math;
mod nn;
mod parsing;
mod queues;
mod ragged;
mod random;
mod reduce;
mod sets;
mod sparse;
mod state;
mod strings;
mod tables;
mod tensor_array;
mod training;
mod variants;

pub use family::Entry;

/// The type of every op, whose fields are its attrs: what kernels for other devices are for.
pub mod types {
    pub use crate::array::types::*;
    pub use crate::batching::types::*;
    pub use crate::control::types::*;
    pub use crate::fft::types::*;
    pub use crate::image::types::*;
    pub use crate::io::types::*;
    pub use crate::linalg::types::*;
    pub use crate::logging::types::*;
    pub use crate::math::types::*;
    pub use crate::nn::types::*;
    pub use crate::parsing::types::*;
    pub use crate::queues::types::*;
    pub use crate::ragged::types::*;
    pub use crate::random::types::*;
    pub use crate::reduce::types::*;
    pub use crate::sets::types::*;
    pub use crate::sparse::types::*;
    pub use crate::state::types::*;
    pub use crate::strings::types::*;
    pub use crate::tables::types::*;
    pub use crate::tensor_array::types::*;
    pub use crate::training::types::*;
    pub use crate::variants::types::*;
}

/// Sizes that ops work out of their attrs and inputs, checked: kernels for other devices share them with those of the CPU.
pub mod sizes {
    pub use crate::nn::sizes::*;
    pub use crate::reduce::arg_axis;
}

/// What kernels of other devices share with those of the CPU, so that nothing is checked or decided twice.
pub mod shared {
    pub use crate::array::{Vectors, band_limits, check as check_scatter, stitched_shape};
    pub use crate::image::scale::{Resize, Scale, check_images, size_from};
    pub use crate::linalg::Labels;
    pub use crate::moves::{Axis, Gathering, Layout, Mover, Run, axis_of, shape_of_dims};
    pub use crate::nn::{LstmDims, gru_dims, moments};
    pub use crate::random::philox::{Philox, RESERVED_PER_VALUE, reserve, shape_input};
    pub use crate::random::{keyed, seeded};
    pub use crate::reduce::{Axes, scan_axis};
    pub use crate::state::variable::Target;
    pub use crate::state::{check_addend, check_rows, check_slices};
    pub use crate::training::{Real, Rule, Update, check_dense, check_sparse, place, together};
}

/// Every op of the library: what it is, and its gradient rule.
pub fn ops() -> impl Iterator<Item = levada_graph::OpDef> {
    all().map(|entry| levada_graph::OpDef { grad: gradients::rule(entry.def.spec.name), ..entry.def })
}

/// Every op with its CPU kernel.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    let families = [
        array::OPS,
        batching::OPS,
        control::OPS,
        fft::OPS,
        image::OPS,
        io::OPS,
        linalg::OPS,
        logging::OPS,
        math::OPS,
        nn::OPS,
        parsing::OPS,
        queues::OPS,
        ragged::OPS,
        random::OPS,
        reduce::OPS,
        sets::OPS,
        sparse::OPS,
        state::OPS,
        strings::OPS,
        tables::OPS,
        tensor_array::OPS,
        training::OPS,
        variants::OPS,
    ];
    families.into_iter().flatten()
}
