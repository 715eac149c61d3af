//! Lookup tables.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{handle, prelude, rows, rules, variable};
use prelude::*;

mod column;
mod table;

pub use lookup::Unfilled;

family! {
    create = HASH_TABLE, MUTABLE_DENSE_HASH_TABLE, MUTABLE_HASH_TABLE, MUTABLE_HASH_TABLE_OF_TENSORS;
    lookup = INITIALIZE_TABLE, LOOKUP_TABLE_EXPORT, LOOKUP_TABLE_FIND, LOOKUP_TABLE_IMPORT, LOOKUP_TABLE_INSERT,
        LOOKUP_TABLE_REMOVE_V2, LOOKUP_TABLE_SIZE;
    text_file = INITIALIZE_TABLE_FROM_TEXT_FILE;
}

/// A table handle in the older form: a reference to its container and name.
const REFERENCE: Arg = arg("table_handle", is(DType::Str)).by_ref();
/// A table handle.
const HANDLE: Arg = arg("table_handle", is(DType::Resource));
