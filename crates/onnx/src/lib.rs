//! Reads ONNX models as graphs of Levada's own ops.
//!
//! In: a model's bytes or its file, with its external data files, and the registry of ops. Out: a [`Graph`] that
//! sessions run like any other, with the model's names of inputs and outputs; or every fault of the model in one error,
//! including all unsupported operators. This crate runs nothing and knows no kernel.
//!
//! ```
//! use levada_graph::Registry;
//! let error = levada_onnx::Model::parse(b"no model".to_vec()).unwrap_err();
//! assert_eq!(error.code(), levada_graph::Code::InvalidArgument);
//! ```
//!
//! Nodes of the graph are named after those of the model: the last node that an ONNX node becomes has its name (or that
//! of its first output if it has none); the names of helper nodes before it consist of that name, a slash and their op.
//! Characters that node names cannot contain become `_`. A model's input is a `Placeholder` and its output a node of
//! that name; the signature `serving_default` of the graph has the original names of the model.
//!
//! Reading order: [`proto`] has the messages (`skim` leaves large tensors in the file), [`types`] and [`tensor`] the
//! types and values; [`mod@model`] is the entry point; `import` converts a graph's nodes, `block` is a graph or
//! function body under construction, `known` evaluates values that are known before the run, `layout` computes images
//! with their channels last; `cx` is the context of an operator's conversion, [`table`] finds the operator, and `ops`
//! has a file for each family of operators.
//!
//! # Adding an operator
//!
//! Write a function `fn name(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>>` in the file of its family in `ops/` and a row in
//! the file's `OPERATORS`: `op("Name", &[1, 13], name)`, or `of("com.microsoft", "Name", &[1], name)`; the numbers are
//! the versions of the operator set that changed it. List a new file in `ops/mod.rs`, in `mod` and in `FAMILIES`. In
//! the function:
//!
//! - `cx.input(0)?`, `cx.optional(2)` and `cx.inputs()?` are the inputs, `cx.int_or("axis", 0)?` and the like the
//!   attributes, `cx.version` the operator set's version, `cx.outputs()` and `cx.wants(1)` tell which outputs are used.
//! - `cx.rank(&x)`, `cx.shape(&x)`, `cx.dtype(&x)` return the known properties; `cx.ints_of(&x)` and
//!   `cx.constant_of(&x)` the value of an input that is known before the run. If it is unknown, use ops that take it as
//!   a tensor, or fail with `UNIMPLEMENTED`.
//! - `cx.op("AddV2", &[&x, &y])?` adds a node whose attrs follow from its inputs;
//!   `cx.node("Split").input(&axis).input(&x).attr("num_split", 2i64).all()?` adds one with attrs. Op and attr names
//!   are those of `docs/ops.md`.
//! - `val.ty` is the ONNX type: set it with `val.of_elem(Elem::INT4)` for a tensor with elements that have no dtype in
//!   Levada, and with `val.typed(Type::Tensor(elem).sequence())` for a sequence. Nodes whose output has the dtype of
//!   their first input keep its type automatically.

mod block;
mod cx;
mod import;
mod known;
mod layout;
pub mod model;
mod ops;
mod order;
pub mod proto;
mod skim;
pub mod table;
pub mod tensor;
pub mod types;

pub use import::{Imported, SIGNATURE, Value};
pub use levada_graph::Graph;
pub use model::Model;
pub use types::{Elem, Type};
