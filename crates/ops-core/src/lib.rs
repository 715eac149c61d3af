//! Shared code of the op families: element-wise loops, moving elements, number types, variables and handles, random
//! streams, text, and the list of a family's ops.
//!
//! Nothing here is an op. Each family is a separate crate (`crates/ops/families/`), so that a change of one op
//! rebuilds only its family. Code used by only one family belongs to that family, since a change here rebuilds all of
//! them.
//!
//! Start with [`prelude`], which every file that defines an op imports, and [`family!`], which lists the ops of a
//! family. [`elementwise`] computes element by element, [`moves`] rearranges elements without interpreting them,
//! [`number`] is arithmetic written once for every dtype, [`halves`] converts 16-bit floats, [`simd`] compiles a loop
//! for the machine's vectors, [`truncate`] converts floats to integers in such loops, [`quotient`] divides complex
//! numbers. [`variable`] and [`handle`] find what an op works on, [`rows`] joins tensors, [`images`] is shared by
//! convolutions, pooling and normalization, [`constant`] caches what is derived from constants, [`rules`]
//! is shared by gradient rules and [`batch`](mod@batch) by batch rules, [`philox`] is the source of random numbers.
//!
//! ```
//! use levada_ops_core::number::Number;
//! assert_eq!(Number::add(250u8, 10), 4);
//! ```

#[macro_use]
pub mod elementwise;
#[macro_use]
pub mod moves;

pub mod batch;
pub mod constant;
pub mod coo;
pub mod family;
pub mod flow;
pub mod halves;
pub mod handle;
pub mod hash;
pub mod images;
pub mod number;
pub mod philox;
pub mod prelude;
pub mod quotient;
pub mod rows;
pub mod rules;
pub mod shapes;
pub mod simd;
pub mod testing;
pub mod text;
pub mod truncate;
pub mod variable;
pub mod variant_tensors;
pub mod wire;

pub use family::Entry;
