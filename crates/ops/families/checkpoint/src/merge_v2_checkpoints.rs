//! `MergeV2Checkpoints`: merges several checkpoints into one.

use crate::inputs::{text, texts, writable};
use crate::prelude::*;
use std::fs;

attrs! {
    /// Merges several checkpoints into one, taking over their files.
    pub struct MergeV2Checkpoints {
        /// Whether to remove the directories of the merged checkpoints if they end up empty.
        delete_old_dirs: bool = Attr::bool("delete_old_dirs").or_bool(true),
        /// Whether to skip checkpoints that do not exist.
        allow_missing_files: bool = Attr::bool("allow_missing_files").or_bool(false),
    }
}

pub static MERGE_V2_CHECKPOINTS: Def<MergeV2Checkpoints> = op("MergeV2Checkpoints")
    .inputs(&[arg("checkpoint_prefixes", is(DType::Str)), arg("destination_prefix", is(DType::Str))])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(0, 1)?;
        cx.with_rank(1, 0).map(drop)
    })
    .kernel(merge_v2_checkpoints)
    .heavy();

fn merge_v2_checkpoints(op: &MergeV2Checkpoints, cx: &mut Cx<'_, '_>) -> Result<()> {
    let files = &cx.env().files;
    let from = texts(cx, 0, "checkpoint_prefixes")?;
    let from = from.iter().map(|prefix| writable(files, prefix)).collect::<Result<Vec<_>>>()?;
    let to = writable(files, &text(cx, 1, "destination_prefix")?)?;
    levada_checkpoint::merge(&from, &to, op.allow_missing_files)?;
    if op.delete_old_dirs {
        for directory in from.iter().filter_map(|p| p.parent()).filter(|d| Some(*d) != to.parent()) {
            // A directory with other contents is kept.
            let _ = fs::remove_dir(directory);
        }
    }
    Ok(())
}
