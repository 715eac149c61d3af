//! Ops that save tensors to checkpoints and restore them, limited to the files that the caller has granted access to.
//!
//! [`levada_checkpoint`] defines the format. [`inputs`] reads the inputs that the ops have in common: prefixes, and
//! names with their slice specs.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{prelude, rules, variable};

mod inputs;

family! {
    disable_copy_on_read = DISABLE_COPY_ON_READ;
    generate_vocab_remapping = GENERATE_VOCAB_REMAPPING;
    load_and_remap_matrix = LOAD_AND_REMAP_MATRIX;
    merge_v2_checkpoints = MERGE_V2_CHECKPOINTS;
    restore = RESTORE, RESTORE_SLICE;
    restore_v2 = RESTORE_V2;
    save = SAVE, SAVE_SLICES;
    save_v2 = SAVE_V2;
}
