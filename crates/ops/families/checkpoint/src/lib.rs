//! Ops that save tensors to checkpoints and restore them from there, as far as the caller has granted the files.
//!
//! The format is [`levada_checkpoint`]'s. [`inputs`] is what the ops have in common: prefixes, and names with the parts that
//! go with them.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{prelude, variable};

mod inputs;

family! {
    disable_copy_on_read: DisableCopyOnRead;
    generate_vocab_remapping: GenerateVocabRemapping;
    load_and_remap_matrix: LoadAndRemapMatrix;
    merge_v2_checkpoints: MergeV2Checkpoints;
    restore: Restore, RestoreSlice;
    restore_v2: RestoreV2;
    save: Save, SaveSlices;
    save_v2: SaveV2;
}
