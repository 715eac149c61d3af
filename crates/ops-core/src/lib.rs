//! What the families of ops share: loops over elements, moving elements, numbers, variables and handles, random streams,
//! text, and how a family lists its ops.
//!
//! Nothing here is an op. A family is a crate of its own (`crates/ops/families/`), so that a change of one op builds its family
//! again and nothing else; what only one family uses belongs to that family, since a change here builds all of them.
//!
//! Start with [`prelude`], which every file that defines an op imports, and [`family!`], which every family's list is.
//! [`elementwise`] computes element by element, [`moves`] rearranges elements without looking at them, [`number`] is
//! arithmetic written once for every dtype, [`halves`] converts 16-bit floats, [`simd`] compiles a loop for the machine's vectors. [`variable`] and
//! [`handle`] find what an op works on, [`rows`] puts tensors together, [`images`] is what convolutions, pooling and normalization share, [`constant`] keeps what is made of constants, [`rules`] is what gradient rules share and [`batch`](mod@batch) what batch rules do, [`philox`] is the source of random numbers.
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
pub mod rows;
pub mod rules;
pub mod shapes;
pub mod simd;
pub mod testing;
pub mod text;
pub mod variable;
pub mod variant_tensors;
pub mod wire;

pub use family::Entry;
