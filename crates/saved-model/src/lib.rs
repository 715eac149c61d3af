//! Reads, runs, freezes and writes TensorFlow's SavedModels: directories with graphs, variables and assets.
//!
//! In: a directory. Out: a checked graph with signatures, and a [`Model`], which initializes the variables and tables
//! of a session on the graph ([`Model::initialize`]). It knows no op library and no device: the caller provides the
//! registry and the session.
//!
//! Reading order: [`proto`] has the messages; [`file`](mod@file) finds the MetaGraph with the requested tags; [`model`]
//! reads it and initializes sessions; [`objects`] are the functions of models without signatures, and [`bind`] finds
//! what those functions capture; [`signature`] runs a model by the names of its arguments; [`freeze`](mod@freeze) turns
//! variables into constants; [`write`](mod@write) writes a SavedModel.

mod bind;
mod file;
pub mod freeze;
mod model;
mod objects;
mod proto;
pub mod signature;
pub mod write;

pub use file::tag_sets;
pub use freeze::{Frozen, freeze};
pub use model::{Asset, Model, ReadOptions, ResolvedSignature, Survey};
pub use objects::Function;
pub use signature::Signature;
pub use write::Export;
