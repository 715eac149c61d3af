//! Summaries of a run, and the event files that TensorBoard reads them from.
//!
//! In: numbers, images, sound and tensors with tags. Out: TensorFlow's messages, and files of them. It knows no session
//! and no graph.
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
//! [`message`] writes protobuf fields; [`histogram`], [`image`] and [`audio`] encode the contents of a summary, and
//! [`summary`] combines them; [`metadata`] encodes a trace; [`writer`] writes event files.

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
