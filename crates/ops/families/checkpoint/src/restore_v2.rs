//! `RestoreV2`: reads tensors from a checkpoint.

use crate::inputs::{granted, names_and_parts, read, text};
use crate::prelude::*;
use levada_checkpoint::Reader;

/// Rough minimum cost of reading a tensor, in nanoseconds.
const NANOS_PER_TENSOR: f64 = 20_000.0;

attrs! {
    /// Reads tensors, or slices of them, by name. Slices need not match those that were saved.
    pub struct RestoreV2 {
        /// Dtypes of the tensors.
        dtypes: Vec<DType> = Attr::dtypes("dtypes", sets::ANY).at_least(1),
    }
}

pub static RESTORE_V2: Def<RestoreV2> = op("RestoreV2")
    .inputs(&[
        arg("prefix", is(DType::Str)),
        arg("tensor_names", is(DType::Str)),
        arg("shape_and_slices", is(DType::Str)),
    ])
    .outputs(&[arg("tensors", each("dtypes"))])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(0, 0)?;
        cx.with_rank(1, 1)?;
        cx.with_rank(2, 1).map(drop)
    })
    .kernel(restore_v2)
    .heavy();

fn restore_v2(op: &RestoreV2, cx: &mut Cx<'_, '_>) -> Result<()> {
    let prefix = text(cx, 0, "prefix")?;
    let names = names_and_parts(cx, op.dtypes.len())?;
    let reader = Reader::open_with(&prefix, granted(&cx.env().files))?;
    let mut tensors: Vec<Option<Result<Tensor>>> = names.iter().map(|_| None).collect();
    cx.pool().for_chunks(&mut tensors, 1, NANOS_PER_TENSOR, |first, piece| {
        for (i, tensor) in piece.iter_mut().enumerate() {
            let (name, part) = &names[first + i];
            *tensor = Some(read(&reader, name, part, op.dtypes[first + i]));
        }
    });
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for tensor in tensors {
        match tensor.unwrap_or_else(|| Err(Error::internal("a tensor was not read"))) {
            Ok(tensor) => found.push(tensor),
            Err(fault) => faults.push(fault),
        }
    }
    // Reports all missing tensors and dtype mismatches together.
    if let Some(error) = Error::join(faults) {
        return Err(error);
    }
    for (i, tensor) in found.into_iter().enumerate() {
        cx.set(i, tensor);
    }
    Ok(())
}
