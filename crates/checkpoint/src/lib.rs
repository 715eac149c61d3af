//! Reads and writes checkpoints in TensorFlow's format: an index file and one or more files of data.
//!
//! In: the prefix of a checkpoint's files. Out: tensors by name, whole or in parts, each verified against its checksum.
//! It knows no session, graph or variable. Files are opened through a function that the caller may provide, to control
//! which files may be accessed.
//!
//! ```
//! use levada_checkpoint::{Reader, Writer};
//! use levada_graph::Tensor;
//! # let directory = std::env::temp_dir().join(format!("levada-checkpoint-doc-{}", std::process::id()));
//! let prefix = directory.join("model-1");
//! let mut writer = Writer::create(&prefix)?;
//! writer.add("weights", &Tensor::vector(vec![1f32, 2.0]))?;
//! writer.finish()?;
//!
//! let reader = Reader::open(&prefix)?;
//! assert_eq!(reader.read("weights")?.slice::<f32>()?, [1.0, 2.0]);
//! # std::fs::remove_dir_all(directory).unwrap();
//! # Ok::<(), levada_graph::Error>(())
//! ```
//!
//! Reading order: [`proto`] has the messages, [`table`] the sorted table of an index, [`codec`] the encoding of
//! elements, [`slice`](mod@slice) parts of tensors. [`reader`] and [`writer`] combine them, [`merge`](mod@merge) merges
//! checkpoints, [`save()`] writes many tensors with several threads, [`old`] reads and [`old_writer`] writes the
//! previous format, [`safetensors`] is another kind of file, of which [`Sharded`] combines several, [`element`] are the
//! element types of files that graphs may lack, [`objects`] maps tensors to variables of objects. [`source`] is the
//! common interface of checkpoints and other files of tensors, [`state`] lists the checkpoints of a directory. [`disk`]
//! is the file system interface for writing.

mod codec;
pub mod disk;
pub mod element;
mod files;
pub mod merge;
pub mod objects;
mod old;
mod old_writer;
mod ordered;
mod partition;
mod proto;
pub mod reader;
pub mod safetensors;
mod save;
mod sharded;
pub mod slice;
pub mod source;
pub mod state;
mod table;
pub mod writer;

pub use element::Element;
pub use files::{data_path, index_path, remove_leftovers};
pub use merge::merge;
pub use objects::Objects;
pub use old_writer::OldWriter;
pub use partition::Partition;
pub use reader::{Entry, Reader};
pub use safetensors::SafeTensors;
pub use save::{Item, SaveOptions, save};
pub use sharded::Sharded;
pub use slice::Slice;
pub use source::{Source, Stored, open};
pub use state::{State, latest};
pub use writer::Writer;
