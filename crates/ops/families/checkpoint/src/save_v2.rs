//! `SaveV2`: saves tensors to a checkpoint.

use crate::inputs::{names_and_parts, text, writable};
use crate::prelude::*;
use levada_checkpoint::{Slice, Writer};

attrs! {
    /// Saves tensors, or slices of them, by name. An existing checkpoint with the same prefix is replaced only once
    /// everything is on disk.
    pub struct SaveV2 {
        /// Dtypes of the tensors.
        dtypes: Vec<DType> = Attr::dtypes("dtypes", sets::ANY).at_least(1),
    }
}

pub static SAVE_V2: Def<SaveV2> = op("SaveV2")
    .inputs(&[
        arg("prefix", is(DType::Str)),
        arg("tensor_names", is(DType::Str)),
        arg("shape_and_slices", is(DType::Str)),
        arg("tensors", each("dtypes")),
    ])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(0, 0)?;
        cx.with_rank(1, 1)?;
        cx.with_rank(2, 1).map(drop)
    })
    .kernel(save_v2)
    .heavy();

fn save_v2(op: &SaveV2, cx: &mut Cx<'_, '_>) -> Result<()> {
    let prefix = writable(&cx.env().files, &text(cx, 0, "prefix")?)?;
    let names = names_and_parts(cx, op.dtypes.len())?;
    let tensors = cx.inputs_from(3)?;
    let mut writer = Writer::create(prefix)?;
    for ((name, part), tensor) in names.iter().zip(tensors) {
        cx.step().check()?;
        if part.is_empty() {
            writer.add(name, tensor)?;
            continue;
        }
        let (whole, slice) = Slice::parse_with_shape(part)?;
        writer.add_slice(name, &whole, &slice, tensor)?;
    }
    writer.finish()
}
