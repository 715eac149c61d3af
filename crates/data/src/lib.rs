//! Typed input pipelines: a [`Dataset`] describes one; it becomes nodes in a graph, or an iterator of Rust values.
//!
//! In: sources (numbers, rows, files, Rust iterators) and transformations (functions in Rust or of nodes, batching,
//! shuffling). Out: nodes of a graph and the functions to register with its session ([`Pipeline`]), or elements
//! ([`Elements`]). The nodes are those of TensorFlow's `tf.data`. It knows no kernel: the op library implements
//! datasets.
//!
//! ```
//! use levada_data::{Calls, Dataset};
//! # fn read(registry: std::sync::Arc<levada_graph::Registry>,
//! #     open: impl FnOnce(levada_graph::Graph) -> levada_graph::Result<levada_session::Session>) -> levada_graph::Result<()> {
//! let squares = Dataset::range(10).map(|x| x * x).filter(|x| x % 2 == 0).batch(2);
//! let batches: Vec<Vec<i64>> = squares.read(registry, open)?.collect::<Result<_, _>>()?;
//! assert_eq!(batches, [vec![0, 4], vec![16, 36], vec![64]]);
//! # Ok(())
//! # }
//! ```
//!
//! [`Dataset`] has the sources and transformations, [`item`](mod@item) the types of elements, [`pipeline`] the results.

pub mod dataset;
pub mod item;
pub mod pipeline;

pub use dataset::{AUTOTUNE, Calls, Compression, Dataset, Files};
pub use item::Item;
pub use pipeline::{Elements, Pipeline};
