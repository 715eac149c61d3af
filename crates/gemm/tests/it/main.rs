//! Products against naive loops.

mod finish;
mod halves;
mod int8;
mod products;
mod strided;
mod tile;
