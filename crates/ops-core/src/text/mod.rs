//! Numbers and tensors as text, and text as numbers, the way TensorFlow writes and reads them.

pub mod parse;
pub mod printf;
pub mod summarize;
