//! `Save` and `SaveSlices`: save tensors to a V1 checkpoint file.

use crate::inputs::{names_and_parts, text, texts, writable};
use crate::prelude::*;
use levada_checkpoint::{OldWriter, Slice};

attrs! {
    /// Saves tensors to a file. An existing file is replaced only once everything is on disk.
    pub struct Save {
        /// Dtypes of the tensors.
        dtypes: Vec<DType> = Attr::dtypes("T", sets::ANY).at_least(1),
    }
}

pub static SAVE: Def<Save> = op("Save")
    .inputs(&[arg("filename", is(DType::Str)), arg("tensor_names", is(DType::Str)), arg("data", each("T"))])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(0, 0)?;
        cx.with_rank(1, 1).map(drop)
    })
    .kernel(save)
    .heavy();

fn save(op: &Save, cx: &mut Cx<'_, '_>) -> Result<()> {
    let path = writable(&cx.env().files, &text(cx, 0, "filename")?)?;
    let names = texts(cx, 1, "tensor_names")?;
    if names.len() != op.dtypes.len() {
        return Err(Error::invalid(format!("Got {} tensor names for {} tensors", names.len(), op.dtypes.len())));
    }
    let mut writer = OldWriter::default();
    for (name, tensor) in names.iter().zip(cx.inputs_from(2)?) {
        writer.add_slice(name, tensor.shape(), &Slice::full(tensor.shape().rank()), tensor)?;
    }
    writer.write(&path)
}

attrs! {
    /// Saves tensors, or slices of them, to a file, like [`Save`].
    pub struct SaveSlices {
        /// Dtypes of the tensors.
        dtypes: Vec<DType> = Attr::dtypes("T", sets::ANY).at_least(1),
    }
}

pub static SAVE_SLICES: Def<SaveSlices> = op("SaveSlices")
    .inputs(&[
        arg("filename", is(DType::Str)),
        arg("tensor_names", is(DType::Str)),
        arg("shapes_and_slices", is(DType::Str)),
        arg("data", each("T")),
    ])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(0, 0)?;
        cx.with_rank(1, 1)?;
        cx.with_rank(2, 1).map(drop)
    })
    .kernel(save_slices)
    .heavy();

fn save_slices(op: &SaveSlices, cx: &mut Cx<'_, '_>) -> Result<()> {
    let path = writable(&cx.env().files, &text(cx, 0, "filename")?)?;
    let names = names_and_parts(cx, op.dtypes.len())?;
    let mut writer = OldWriter::default();
    for ((name, part), tensor) in names.iter().zip(cx.inputs_from(3)?) {
        let all = || Ok((tensor.shape().clone(), Slice::full(tensor.shape().rank())));
        let (whole, slice) = if part.is_empty() { all()? } else { Slice::parse_with_shape(part)? };
        writer.add_slice(name, &whole, &slice, tensor)?;
    }
    writer.write(&path)
}
