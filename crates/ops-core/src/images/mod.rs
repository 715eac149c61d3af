//! What ops on images share: windows that slide over them, where their channels are, and batch rules that join channels.

pub mod examples;
mod swap;
pub mod window;

pub use swap::swap;
