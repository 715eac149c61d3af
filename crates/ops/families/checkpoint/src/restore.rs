//! `Restore` and `RestoreSlice`: read one tensor from the files matching a pattern.

use crate::inputs::{granted, read, text};
use crate::prelude::*;
use levada_checkpoint::{Reader, index_path};
use std::path::Path;

/// Reads a tensor, or the slice of it that `part` specifies.
fn restore(cx: &mut Cx<'_, '_>, part: &str, dtype: DType) -> Result<()> {
    let (pattern, name) = (text(cx, 0, "file_pattern")?, text(cx, 1, "tensor_name")?);
    let files = &cx.env().files;
    let open = granted(files);
    let reader = if files.exists(index_path(Path::new(&pattern)))? {
        Reader::open_with(&pattern, open)?
    } else {
        let found = files.matching(Path::new(&pattern))?;
        if found.is_empty() {
            return Err(Error::not_found(format!(
                "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for {pattern}"
            )));
        }
        Reader::open_old(&found, &open)?
    };
    let tensor = read(&reader, &name, part, dtype)?;
    cx.set(0, tensor);
    Ok(())
}

attrs! {
    /// Reads a tensor from the files matching a pattern: V1 checkpoint files, or the prefix of a V2 checkpoint.
    pub struct Restore {
        /// Dtype of the tensor.
        dtype: DType = Attr::dtype("dt", sets::ANY),
        /// Which of several files to read first; ignored.
        preferred_shard: i64 = Attr::int("preferred_shard").or_int(-1),
    }
}

pub static RESTORE: Def<Restore> = op("Restore")
    .inputs(&[arg("file_pattern", is(DType::Str)), arg("tensor_name", is(DType::Str))])
    .outputs(&[arg("tensor", of("dt"))])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(0, 0)?;
        cx.with_rank(1, 0).map(drop)
    })
    .kernel(|op: &Restore, cx| restore(cx, "", op.dtype))
    .heavy();

attrs! {
    /// Reads a slice of a tensor, like [`Restore`].
    pub struct RestoreSlice {
        /// Dtype of the tensor.
        dtype: DType = Attr::dtype("dt", sets::ANY),
        /// Which of several files to read first; ignored.
        preferred_shard: i64 = Attr::int("preferred_shard").or_int(-1),
    }
}

pub static RESTORE_SLICE: Def<RestoreSlice> = op("RestoreSlice")
    .inputs(&[
        arg("file_pattern", is(DType::Str)),
        arg("tensor_name", is(DType::Str)),
        arg("shape_and_slice", is(DType::Str)),
    ])
    .outputs(&[arg("tensor", of("dt"))])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(0, 0)?;
        cx.with_rank(1, 0)?;
        cx.with_rank(2, 0).map(drop)
    })
    .kernel(restore_slice)
    .heavy();

fn restore_slice(op: &RestoreSlice, cx: &mut Cx<'_, '_>) -> Result<()> {
    let part = text(cx, 2, "shape_and_slice")?;
    restore(cx, &part, op.dtype)
}
