//! Conversion of numbers and tensors to and from text, in TensorFlow's formats.

pub mod parse;
pub mod printf;
pub mod summarize;
