//! A method for every op: [`Ops`] adds nodes to a [`Builder`](levada_builder::Builder), with inputs and required attrs as
//! arguments, other attrs as setters, and outputs by name where there are several.
//!
//! In: a builder. Out: nodes in it. [`node`] is what all ops have in common and written by hand; the rest is generated from
//! the ops' specs, a module for each family. This crate depends on no op library: an op is a name and attrs here, and the
//! builder's registry says whether they are right.
//!
//! Every op has a method on [`Ops`], named after the op as Rust spells names (`MatMul` is [`Ops::mat_mul`], `Conv2D`
//! [`Ops::conv2d`]; `Where`, `If`, `While`, `Const` and `Mod` end in an underscore), and a type that describes a node of it.
//! A description becomes a node when it is an input of another, or by `add()`, which gives its outputs.
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
//! Mistakes do not interrupt: what is built on a faulty node is left out, and
//! [`Builder::finish`](levada_builder::Builder::finish) reports every mistake at once.

// A method takes the inputs and required attrs of its op, however many these are.
#![allow(clippy::too_many_arguments)]

pub mod node;
mod ops;

pub use node::{Input, Node, Ops};
pub use ops::*;
