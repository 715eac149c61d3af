//! The op library: the spec, shape function and CPU kernel of every op, in one place.
//!
//! Ops are grouped in families, one crate each in `crates/ops/families/`. A family's `lib.rs` is a sorted list that
//! declares its files and the ops in each; [`all`] joins the lists. Nothing here depends on graph files, plans or
//! sessions.
//!
//! ```
//! let names: Vec<&str> = levada_ops::all().map(|e| e.def.spec.name).collect();
//! assert!(names.contains(&"Identity"));
//! ```

mod left_out;

pub use left_out::left_out;
pub use levada_ops_core::Entry;

/// The definition and the attrs of every op, for kernels of other devices.
pub mod types {
    pub use levada_ops_array::types::*;
    pub use levada_ops_audio::types::*;
    pub use levada_ops_batching::types::*;
    pub use levada_ops_checkpoint::types::*;
    pub use levada_ops_clustering::types::*;
    pub use levada_ops_control::types::*;
    pub use levada_ops_convolution::types::*;
    pub use levada_ops_core::elementwise::Elementwise;
    pub use levada_ops_ctc::types::*;
    pub use levada_ops_data::types::*;
    pub use levada_ops_detection::types::*;
    #[cfg(feature = "fft")]
    pub use levada_ops_fft::types::*;
    pub use levada_ops_host::types::*;
    pub use levada_ops_image::types::*;
    pub use levada_ops_io::types::*;
    pub use levada_ops_linalg::types::*;
    pub use levada_ops_logging::types::*;
    pub use levada_ops_math::types::*;
    pub use levada_ops_nn::types::*;
    #[cfg(feature = "onnx")]
    pub use levada_ops_onnx::types::*;
    #[cfg(feature = "parsing")]
    pub use levada_ops_parsing::types::*;
    pub use levada_ops_quantize::types::*;
    pub use levada_ops_queues::types::*;
    #[cfg(feature = "sparse")]
    pub use levada_ops_ragged::types::*;
    pub use levada_ops_random::types::*;
    pub use levada_ops_reduce::types::*;
    #[cfg(feature = "sparse")]
    pub use levada_ops_sets::types::*;
    #[cfg(feature = "sparse")]
    pub use levada_ops_sparse::types::*;
    pub use levada_ops_state::types::*;
    pub use levada_ops_strings::types::*;
    pub use levada_ops_summary::types::*;
    pub use levada_ops_tables::types::*;
    pub use levada_ops_tensor_array::types::*;
    pub use levada_ops_training::types::*;
    pub use levada_ops_variants::types::*;
    pub use levada_ops_xla::types::*;
}

/// Checked sizes that ops derive from their attrs and inputs, shared between the CPU kernels and those of other
/// devices.
pub mod sizes {
    pub use levada_ops_convolution::{Convolution, check_filter};
    pub use levada_ops_core::images::window::{Axis, Layout, shape_from};
    pub use levada_ops_nn::sizes::*;
    pub use levada_ops_reduce::arg_axis;
}

/// Code shared between the CPU kernels and those of other devices, so that nothing is checked or decided twice.
pub mod shared {
    pub use levada_ops_array::{Vectors, band_limits, check as check_scatter, ignores_bad_indices, stitched_shape};
    pub use levada_ops_core::moves::{Axis, Gathering, Layout, Mover, Run, axis_of, shape_of_dims};
    pub use levada_ops_core::philox::{Philox, RESERVED_PER_VALUE, reserve, shape_input};
    pub use levada_ops_core::variable::Target;
    pub use levada_ops_data::{OnBrought, bring, to_device};
    pub use levada_ops_image::scale::{Resize, Resizing, Scale, check_images, size_from};
    pub use levada_ops_linalg::Labels;
    pub use levada_ops_nn::{LstmDims, gru_dims, moments};
    pub use levada_ops_random::{keyed, seeded};
    pub use levada_ops_reduce::scan_axis;
    pub use levada_ops_state::{check_addend, check_rows, check_slices};
    pub use levada_ops_training::{Facts, Field, Formula, Real, Step, check_dense, check_sparse, together};
}

/// Returns the definition of every op, with its gradient rule.
pub fn ops() -> impl Iterator<Item = levada_graph::OpDef> {
    all().map(|entry| entry.def)
}

/// Returns every op with its CPU kernel.
pub fn all() -> impl Iterator<Item = Entry> {
    families().iter().flat_map(|(_, ops)| ops())
}

/// A family: its name, and the function that lists its ops.
pub type Family = (&'static str, fn() -> Vec<Entry>);

/// Returns all families by name, with the functions that list their ops.
pub fn families() -> &'static [Family] {
    &[
        ("array", levada_ops_array::ops),
        ("audio", levada_ops_audio::ops),
        ("batching", levada_ops_batching::ops),
        ("checkpoint", levada_ops_checkpoint::ops),
        ("clustering", levada_ops_clustering::ops),
        ("control", levada_ops_control::ops),
        ("convolution", levada_ops_convolution::ops),
        ("ctc", levada_ops_ctc::ops),
        ("data", levada_ops_data::ops),
        ("detection", levada_ops_detection::ops),
        #[cfg(feature = "fft")]
        ("fft", levada_ops_fft::ops),
        ("host", levada_ops_host::ops),
        ("image", levada_ops_image::ops),
        ("io", levada_ops_io::ops),
        ("linalg", levada_ops_linalg::ops),
        ("logging", levada_ops_logging::ops),
        ("math", levada_ops_math::ops),
        ("nn", levada_ops_nn::ops),
        #[cfg(feature = "onnx")]
        ("onnx", levada_ops_onnx::ops),
        #[cfg(feature = "parsing")]
        ("parsing", levada_ops_parsing::ops),
        ("quantize", levada_ops_quantize::ops),
        ("queues", levada_ops_queues::ops),
        #[cfg(feature = "sparse")]
        ("ragged", levada_ops_ragged::ops),
        ("random", levada_ops_random::ops),
        ("reduce", levada_ops_reduce::ops),
        #[cfg(feature = "sparse")]
        ("sets", levada_ops_sets::ops),
        #[cfg(feature = "sparse")]
        ("sparse", levada_ops_sparse::ops),
        ("state", levada_ops_state::ops),
        ("strings", levada_ops_strings::ops),
        ("summary", levada_ops_summary::ops),
        ("tables", levada_ops_tables::ops),
        ("tensor_array", levada_ops_tensor_array::ops),
        ("training", levada_ops_training::ops),
        ("variants", levada_ops_variants::ops),
        ("xla", levada_ops_xla::ops),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    #[test]
    fn every_op_that_rules_have_a_handle_of_is_there() {
        let arguments: HashMap<&str, usize> = super::ops().map(|op| (op.spec.name, op.spec.inputs.len())).collect();
        for (op, expected) in levada_ops_core::rules::HANDLES {
            assert_eq!(arguments.get(op), Some(expected), "arguments of {op}");
        }
    }
}
