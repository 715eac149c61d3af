//! Reads, runs, freezes and writes TensorFlow's SavedModels: directories with graphs, variables and assets.
//!
//! In: a directory. Out: a checked graph with signatures, and a [`Model`], which gives the variables and tables of a
//! session on the graph their values ([`Model::initialize`]). It knows no op library and no device: the caller provides
//! the registry and the session.
//!
//! Reading order: [`proto`] has the messages; [`file`](mod@file) finds the MetaGraph that the tags ask for; [`model`]
//! reads it and initializes sessions; [`objects`] are the functions of models that have no signatures for them, and
//! [`bind`] finds what those functions capture; [`signature`] runs by the names of arguments; [`freeze`](mod@freeze)
//! makes constants of variables; [`write`](mod@write) writes a SavedModel.

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
