//! Graph transformations.
//!
//! In: a graph, and the parameters of a transformation. Out: a graph of ordinary ops, which runs, is written and is
//! read as any other. [`quantize()`] computes the layers of a trained network in 8-bit integers, [`batch()`] makes a
//! graph process many examples at a time.
//!
//! Transformations run graphs, to measure and to compare, in sessions that their caller opens: this crate knows no
//! device and no op library, only the names of the ops that it replaces and adds, and the rules of a registry.

pub mod batch;
pub mod quantize;

pub use batch::{Batched, Refused, batch};
pub use quantize::{Feeds, Options, Quantized, Ranges, quantize};
