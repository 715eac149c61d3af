//! Summaries of a run, and the event files that TensorBoard reads them from.
//!
//! In: numbers, images, sound and tensors with tags. Out: the messages that TensorFlow writes, and files of them. It
//! knows no session and no graph.
//!
//! ```
//! use levada_summary::{Summary, Writer};
//! # let directory = std::env::temp_dir().join(format!("levada-summary-doc-{}", std::process::id()));
//! let writer = Writer::create(&directory, "")?;
//! for step in 0..10 {
//!     let mut summary = Summary::default();
//!     summary.scalar("loss", 1.0 / (step + 1) as f32);
//!     summary.histogram("weights", [0.5, -0.5, 2.0])?;
//!     writer.summary(step, &summary)?;
//! }
//! writer.flush()?;
//! # std::fs::remove_dir_all(directory).unwrap();
//! # Ok::<(), levada_graph::Error>(())
//! ```
//!
//! [`message`] writes protobuf fields, [`histogram`], [`image`] and [`audio`] what is in a summary, [`summary`] puts
//! them together, [`metadata`] is what a trace says, [`writer`] makes files of events.

mod audio;
mod histogram;
mod image;
mod message;
mod metadata;
mod summary;
mod writer;

pub use histogram::Histogram;
pub use metadata::run_metadata;
pub use summary::{Summary, tags};
pub use writer::{Event, SessionStatus, Writer};
