//! The vocabulary of Levada: dtypes, shapes, tensors, errors with locations; op specs; graphs, and how they are read
//! and written.
//!
//! In: bytes of a GraphDef (JSON or protobuf) and a [`Registry`](op::Registry) of ops. Out: a checked [`Graph`], or
//! every fault of the file in one [`Error`]. This crate runs nothing and knows no device, kernel or op library.
//!
//! ```
//! use levada_graph::{DType, Shape, Tensor};
//! let t = Tensor::from_vec(Shape::new([2, 2]).unwrap(), vec![1f32, 2.0, 3.0, 4.0]).unwrap();
//! assert_eq!(t.dtype(), DType::F32);
//! assert_eq!(t.row(1).unwrap().slice::<f32>().unwrap(), [3.0, 4.0]);
//! ```
//!
//! Reading order: [`dtype`], [`shape`], [`tensor`] and [`object`] are the values; [`error`] is the error type;
//! [`attr`], [`spec`], [`op`] and [`infer`] define ops, [`grad`] and [`batch`] the interfaces of their rules; [`def`]
//! is a GraphDef as plain data and [`graph`] a checked graph. [`read`] parses bytes into the first, [`check`] turns the
//! first into the second, node by node with [`resolve`](mod@resolve); nodes that cannot run are [`unsupported`] until a
//! run reaches them; [`import`] merges graphs, [`function`] instantiates functions, and [`write`](mod@write) writes
//! graphs; [`collections`] and [`meta`] are stored with a graph in a file.

mod array;
pub mod attr;
pub mod batch;
mod bools;
pub mod buffer;
pub mod check;
pub mod collections;
pub mod def;
pub mod device;
pub mod dtype;
pub mod error;
pub mod function;
pub mod grad;
pub mod graph;
pub mod import;
pub mod infer;
pub mod known_ops;
pub mod meta;
mod narrow;
pub mod object;
pub mod op;
mod proto;
pub mod read;
pub mod resolve;
pub mod shape;
pub mod spec;
pub mod tensor;
pub mod unsupported;
pub mod write;

pub use attr::{AttrList, AttrValue, Func};
pub use buffer::Buffer;
pub use bytes::Bytes;
pub use collections::{Collection, Collections, QueueRunnerDef};
pub use def::{GraphDef, NodeDef};
pub use device::DeviceName;
pub use dtype::{DType, EdgeType, sets};
pub use error::{Code, Error, Limit, Result};
pub use graph::{Endpoint, Graph, NodeId};
pub use half::{bf16, f16};
pub use num_complex::{Complex32, Complex64};
pub use object::{EncodedVariant, Handle, Variant, VariantValue};
pub use op::{AnyOp, OpDef, Registry};
pub use shape::{Dim, PartialShape, Shape};
pub use spec::Act;
pub use tensor::{Element, Tensor};

/// Imports for a file that defines an op.
pub mod prelude {
    pub use crate::attr::{AttrValue, Func};
    pub use crate::batch::{BatchCx, Batched, Lanes};
    pub use crate::dtype::{DType, EdgeType, sets};
    pub use crate::error::{Code, Error, Result};
    pub use crate::grad::{Grad, GradCx, Grads, V};
    pub use crate::infer::ShapeCx;
    pub use crate::op::OpDef;
    pub use crate::shape::{Dim, PartialShape, Shape};
    pub use crate::spec::{
        Act, Arg, Attr, AttrDefault, AttrSpec, Effect, Primitive, Role, Spec, Store, arg, each, is, of,
    };
    pub use crate::tensor::{Element, Tensor};
    pub use crate::{attrs, dispatch};
    pub use bytes::Bytes;
    pub use half::{bf16, f16};
    pub use num_complex::{Complex32, Complex64};
}
