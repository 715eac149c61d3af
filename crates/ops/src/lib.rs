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
mod gradients;
mod image;
mod io;
mod linalg;
mod logging;
mod math;
mod nn;
mod parsing;
mod queues;
mod random;
mod reduce;
mod state;
mod strings;
mod tables;
mod tensor_array;
mod training;
mod variants;

pub use family::Entry;

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
        image::OPS,
        io::OPS,
        linalg::OPS,
        logging::OPS,
        math::OPS,
        nn::OPS,
        parsing::OPS,
        queues::OPS,
        random::OPS,
        reduce::OPS,
        state::OPS,
        strings::OPS,
        tables::OPS,
        tensor_array::OPS,
        training::OPS,
        variants::OPS,
    ];
    families.into_iter().flatten()
}
