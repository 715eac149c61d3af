//! Ops that parse protobuf messages: tensors and examples.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{prelude, rules, wire};

/// [`dispatch!`](levada_graph::dispatch) over the feature dtypes.
macro_rules! features {
    ($dtype:expr, |$T:ident| $body:expr, else $else:expr) => {
        dispatch!(@go $dtype, $T, $body, $else, [F32 f32, I64 i64, Str Bytes])
    };
}

pub use parse_example::Features;

mod columns;
mod example;
mod lists;

family! {
    decode_json_example = DECODE_JSON_EXAMPLE;
    parse_example = PARSE_EXAMPLE, PARSE_EXAMPLE_V2, PARSE_SINGLE_EXAMPLE;
    parse_sequence_example = PARSE_SEQUENCE_EXAMPLE, PARSE_SEQUENCE_EXAMPLE_V2, PARSE_SINGLE_SEQUENCE_EXAMPLE;
    tensor = PARSE_TENSOR, SERIALIZE_TENSOR;
}
