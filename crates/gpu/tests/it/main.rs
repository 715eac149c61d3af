//! Kernels on the interpreting backend against those of the CPU, and concurrent steps on it.

mod batch_norm;
mod cells;
mod channels;
mod clock;
mod conv;
mod extremes;
mod hazards;
mod kernels;
mod lanes;
mod lrn;
mod pooling;
mod product;
mod rows;
mod testing;
mod work;
