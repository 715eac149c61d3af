//! A method for every op: [`Ops`] adds nodes to a [`Builder`](levada_builder::Builder), with inputs and required attrs
//! as arguments, other attrs as setters, and multiple outputs by name.
//!
//! In: a builder. Out: nodes in it. [`node`] is the hand-written part common to all ops; the rest is generated from the
//! ops' specs, one module for each family. This crate depends on no op library: here an op is a name and attrs, and the
//! builder's registry checks them.
//!
//! Every op has a method on [`Ops`], named after the op in Rust's naming convention (`MatMul` is [`Ops::mat_mul`],
//! `Conv2D` [`Ops::conv2d`]; `Where`, `If`, `While`, `Const` and `Mod` end in an underscore), and a type that describes
//! a node of it. A description becomes a node when it is used as an input of another, or by `add()`, which returns its
//! outputs.
//!
//! ```no_run
//! # fn build(b: &mut levada_builder::Builder) -> levada_graph::Result<()> {
//! use levada_graph::{DType, Tensor};
//! use levada_nodes::Ops;
//!
//! let o = Ops::new(b);
//! let images = o.placeholder(DType::F32).shape([-1, 28, 28, 1]).name("images").add();
//! let filter = o.placeholder(DType::F32).shape([5, 5, 1, 32]).name("filter").add();
//! let features = o.relu(o.conv2d(images, filter, &[1, 1, 1, 1], "SAME")).name("features").add();
//! let flat = o.reshape(features, Tensor::vector(vec![-1i32, 28 * 28 * 32]));
//! let best = o.top_k_v2(flat, Tensor::scalar(3i32)).name("best").add();
//! o.identity(best.indices).name("where").add();
//! # Ok(())
//! # }
//! ```
//!
//! A mistake does not interrupt building: nodes that depend on a faulty one are left out, and
//! [`Builder::finish`](levada_builder::Builder::finish) reports every mistake.

// A method takes all inputs and required attrs of its op.
#![allow(clippy::too_many_arguments)]

pub mod node;
mod ops;

pub use node::{Input, Node, Ops};
pub use ops::*;
