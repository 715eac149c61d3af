//! What variables are restored from: a checkpoint, or another file that has tensors by name.

use crate::reader::{Entry, Reader};
use crate::slice::{Overlap, Slice};
use levada_graph::op::nearest;
use levada_graph::{Error, Result, Tensor};

/// Tensors by name, in a file.
pub trait Source: Send + Sync {
    /// The file, for messages.
    fn place(&self) -> String;

    /// Names of its tensors, sorted.
    fn names(&self) -> Vec<&str>;

    /// What is known of a tensor.
    ///
    /// # Errors
    /// `NOT_FOUND` where there is none of this name, `DATA_LOSS` where its entry is corrupt.
    fn entry(&self, name: &str) -> Result<Entry>;

    /// A tensor.
    ///
    /// # Errors
    /// As [`Source::entry`]; `DATA_LOSS` where its data is corrupt.
    fn read(&self, name: &str) -> Result<Tensor>;

    /// Part of a tensor.
    ///
    /// # Errors
    /// As [`Source::read`]; `INVALID_ARGUMENT` where it has no such part.
    fn read_slice(&self, name: &str, slice: &Slice) -> Result<Tensor> {
        cut(&self.read(name)?, slice)
    }

    /// The name of the tensor that is meant by `name`: `name` itself, or another where the file says which variable that is.
    fn find(&self, name: &str) -> Option<String> {
        self.names().binary_search(&name).is_ok().then(|| name.to_owned())
    }
}

/// The error for a name that no tensor of a file has.
pub fn missing(source: &dyn Source, name: &str) -> Error {
    let names = source.names();
    let error = Error::not_found(format!("Key {name} not found in checkpoint")).found(format!(
        "{} with {} tensors",
        source.place(),
        names.len()
    ));
    match nearest(name, names.iter().copied()).or_else(|| with_same_end(name, &names)) {
        Some(near) => error.help(format!("did you mean {near:?}?")),
        None => error.help(format!("`levada checkpoint {}` lists what it has", source.place())),
    }
}

/// The only name that ends as `name` does, behind its last `/`.
fn with_same_end<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let end = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
    let mut same = names.iter().filter(|other| end(other) == end(name));
    match (same.next(), same.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Part of a tensor that is in memory.
///
/// # Errors
/// `INVALID_ARGUMENT` where it has no such part.
pub fn cut(tensor: &Tensor, slice: &Slice) -> Result<Tensor> {
    if slice.is_all_of(tensor.shape()) {
        return Ok(tensor.clone());
    }
    let wanted = slice.ranges(tensor.shape())?;
    let all: Vec<_> = tensor.shape().dims().iter().map(|&size| 0..size).collect();
    let mut part = Tensor::zeros(tensor.dtype(), slice.shape_in(tensor.shape())?);
    if let Some(overlap) = Overlap::of(&all, &wanted) {
        overlap.copy(tensor, &mut part)?;
    }
    Ok(part)
}

impl Source for Reader {
    fn place(&self) -> String {
        self.prefix().display().to_string()
    }

    fn names(&self) -> Vec<&str> {
        Reader::names(self).collect()
    }

    fn entry(&self, name: &str) -> Result<Entry> {
        Reader::entry(self, name)
    }

    fn read(&self, name: &str) -> Result<Tensor> {
        Reader::read(self, name)
    }

    fn read_slice(&self, name: &str, slice: &Slice) -> Result<Tensor> {
        Reader::read_slice(self, name, slice)
    }

    fn find(&self, name: &str) -> Option<String> {
        self.contains(name).then(|| name.to_owned())
    }
}
