//! The operations of XLA as ops, as in graphs exported from JAX or written with `tf2xla`.
//!
//! [`numbers`] parses the messages with the dimension numbers, [`calls`] calls functions with elements of tensors.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{flow, moves, prelude, rules, wire};
use prelude::DType;

mod calls;
mod numbers;

family! {
    barrier = XLA_OPTIMIZATION_BARRIER, XLA_SHARDING;
    branch = XLA_IF, XLA_WHILE;
    conv = XLA_CONV, XLA_CONV_V2;
    dot = XLA_DOT, XLA_DOT_V2, XLA_EINSUM;
    gather = XLA_GATHER;
    grid = XLA_CONCAT_ND, XLA_SPLIT_ND;
    pad = XLA_PAD;
    random = XLA_RNG_BIT_GENERATOR;
    reduce = XLA_REDUCE, XLA_VARIADIC_REDUCE, XLA_VARIADIC_REDUCE_V2;
    reduce_precision = XLA_REDUCE_PRECISION;
    replica = XLA_REPLICA_ID;
    scatter = XLA_SCATTER;
    slice = XLA_DYNAMIC_SLICE, XLA_DYNAMIC_UPDATE_SLICE;
    sort = XLA_KEY_VALUE_SORT, XLA_SORT;
    variadic_sort = XLA_VARIADIC_SORT;
    window = XLA_REDUCE_WINDOW, XLA_SELECT_AND_SCATTER;
}

/// The types of [`ELEMENTS`], followed by bool.
const ELEMENTS_AND_BOOL: &[DType] = &[
    DType::F32,
    DType::F64,
    DType::I32,
    DType::U8,
    DType::I16,
    DType::I8,
    DType::C64,
    DType::I64,
    DType::QI8,
    DType::QU8,
    DType::QI32,
    DType::BF16,
    DType::QI16,
    DType::QU16,
    DType::U16,
    DType::C128,
    DType::F16,
    DType::U32,
    DType::U64,
    DType::Bool,
];

/// The element types of most ops.
const ELEMENTS: &[DType] = match ELEMENTS_AND_BOOL.split_last() {
    Some((_bool, numbers)) => numbers,
    None => &[],
};
