//! Inputs of the ops: file names and prefixes, tensor names and slice specs.

use crate::prelude::*;
use levada_checkpoint::reader::Open;
use levada_checkpoint::{Reader, Slice};
use levada_kernel::Files;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Returns the single string of input `i`.
pub(crate) fn text(cx: &Cx<'_, '_>, i: usize, what: &str) -> Result<String> {
    let input = cx.input(i)?;
    match input.slice::<Bytes>()? {
        [text] => Ok(String::from_utf8_lossy(text).into_owned()),
        other => Err(Error::invalid(format!("Input {what} should have a single element, got {} instead", other.len()))),
    }
}

/// Returns the strings of input `i`, which must be a vector.
pub(crate) fn texts(cx: &Cx<'_, '_>, i: usize, what: &str) -> Result<Vec<String>> {
    let input = cx.input(i)?;
    if input.shape().rank() != 1 {
        return Err(Error::invalid(format!(
            "Input {i} ({what}) should be a vector, got shape {} instead",
            input.shape()
        )));
    }
    Ok(input.slice::<Bytes>()?.iter().map(|b| String::from_utf8_lossy(b).into_owned()).collect())
}

/// Returns the tensor names and slice specs for `count` tensors, from inputs 1 and 2.
pub(crate) fn names_and_parts(cx: &Cx<'_, '_>, count: usize) -> Result<Vec<(String, String)>> {
    let (names, parts) = (texts(cx, 1, "tensor_names")?, texts(cx, 2, "shape_and_slices")?);
    if names.len() != parts.len() || names.len() != count {
        return Err(Error::invalid(format!(
            "Got {} tensor names and {} parts for {count} tensors",
            names.len(),
            parts.len()
        ))
        .expected("one name and one part for each tensor"));
    }
    Ok(names.into_iter().zip(parts).collect())
}

/// Opens files to which access was granted.
pub(crate) fn granted(files: &Files) -> Open {
    let files = files.clone();
    Arc::new(move |path| files.open(path))
}

/// Returns the path at which files whose names begin with `prefix` may be written.
pub(crate) fn writable(files: &Files, prefix: &str) -> Result<PathBuf> {
    let path = Path::new(prefix);
    let name = path.file_name().ok_or_else(|| Error::invalid(format!("{prefix:?} is not a file name prefix")))?;
    Ok(files.resolve(path.parent().unwrap_or(Path::new("")))?.join(name))
}

/// Reads a tensor, or the slice of it that `part` specifies: `7 6 0,3:-`, or the empty string for the whole tensor.
pub(crate) fn read(reader: &Reader, name: &str, part: &str, dtype: DType) -> Result<Tensor> {
    let entry = reader.entry(name)?;
    if entry.dtype != dtype {
        return Err(Error::invalid(format!(
            "tensor_name = {name}; expected dtype {dtype} does not equal original dtype {}",
            entry.dtype
        )));
    }
    if part.is_empty() {
        return reader.read(name);
    }
    let (shape, slice) = Slice::parse_with_shape(part)?;
    if shape != entry.shape {
        return Err(Error::invalid(format!(
            "tensor_name = {name}; shape in shape_and_slice spec {shape} does not match the shape stored in checkpoint: {}",
            entry.shape
        )));
    }
    reader.read_slice(name, &slice)
}
