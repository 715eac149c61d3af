//! Shared by ops on images: sliding windows, channel layouts, and batch rules that merge channels.

pub mod examples;
mod swap;
pub mod window;

pub use swap::swap;
