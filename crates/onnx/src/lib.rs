//! Reads ONNX models as graphs of Levada's own ops.
//!
//! In: a model's bytes or its file, with the files of external data beside it, and the registry of ops. Out: a [`Graph`] that
//! sessions run like any other, with the model's inputs and outputs under their names; or every fault of the model in one
//! error, with all operators that are not supported. This crate runs nothing and knows no kernel.
//!
//! ```
//! use levada_graph::Registry;
//! let error = levada_onnx::Model::parse(b"no model".to_vec()).unwrap_err();
//! assert_eq!(error.code(), levada_graph::Code::InvalidArgument);
//! ```
//!
//! Nodes of the graph are named after those of the model: the last node that an ONNX node becomes has its name (that of its first
//! output where it has none), helpers before it have that name, a slash and their op. Characters that names of nodes cannot
//! hold become `_`. A model's input is a `Placeholder` and its output a node of that name; the signature `serving_default` of
//! the graph has the names as the model writes them.
//!
//! Reading order: [`proto`] has the messages (`skim` leaves large tensors in the file), [`types`] and [`tensor`] what values are; [`mod@model`] is the front; `import` goes through
//! a graph's nodes, `block` is a graph or function body while it is built, `known` what of it is known before the run;
//! `cx` is what the conversion of an operator sees, [`table`] finds it, and `ops` has a file for each family of operators.
//!
//! # Adding an operator
//!
//! Write a function `fn name(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>>` in the file of its family in `ops/` and a row in the file's
//! `OPERATORS`: `op("Name", &[1, 13], name)`, or `of("com.microsoft", "Name", &[1], name)`; the numbers are the versions of the
//! operator set that changed it. A new file is named in `ops/mod.rs`, in `mod` and in `FAMILIES`. In the function:
//!
//! - `cx.input(0)?`, `cx.optional(2)` and `cx.inputs()?` are the inputs, `cx.int_or("axis", 0)?` and the like the attributes,
//!   `cx.version` the operator set's version, `cx.outputs()` and `cx.wants(1)` what of the outputs is in use.
//! - `cx.rank(&x)`, `cx.shape(&x)`, `cx.dtype(&x)` say what is known; `cx.ints_of(&x)` and `cx.constant_of(&x)` the value of an
//!   input that is known before the run. Where it is not known, use ops that take it as a tensor, or fail with `UNIMPLEMENTED`.
//! - `cx.op("AddV2", &[&x, &y])?` adds a node whose attrs follow from its inputs; `cx.node("Split").input(&axis).input(&x)
//!   .attr("num_split", 2i64).all()?` one with attrs. Op and attr names are those of `docs/ops.md`.
//! - `val.ty` is the type of ONNX: `val.of_elem(Elem::INT4)` says it of a tensor whose elements Levada has no dtype for,
//!   `val.typed(Type::Tensor(elem).sequence())` of a sequence. Nodes whose output has the dtype of their first input keep its
//!   type by themselves.

mod block;
mod cx;
mod import;
mod known;
pub mod model;
mod ops;
pub mod proto;
mod skim;
pub mod table;
pub mod tensor;
pub mod types;

pub use import::{Imported, SIGNATURE, Value};
pub use levada_graph::Graph;
pub use model::Model;
pub use types::{Elem, Type};
