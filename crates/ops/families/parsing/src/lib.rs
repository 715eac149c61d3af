//! Ops that read protobuf messages: tensors, and examples of features by name.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{prelude, wire};

/// [`dispatch!`](levada_graph::dispatch) over the dtypes of features.
macro_rules! features {
    ($dtype:expr, |$T:ident| $body:expr, else $else:expr) => {
        dispatch!(@go $dtype, $T, $body, $else, [F32 f32, I64 i64, Str Bytes])
    };
}

mod columns;
mod example;
mod lists;

family! {
    decode_json_example: DecodeJSONExample;
    parse_example: ParseExample, ParseExampleV2, ParseSingleExample;
    parse_sequence_example: ParseSequenceExample, ParseSequenceExampleV2, ParseSingleSequenceExample;
    tensor: ParseTensor, SerializeTensor;
}
