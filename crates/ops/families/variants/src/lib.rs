//! Values that variants hold: lists of tensors, maps of tensors, optional values; and the ops on them.
//!
//! They are values, not resources: an op that changes one gives a new one. Where nobody else holds the old one it is
//! changed in place, so that a loop that hands a list through its iterations does not copy it.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{flow, moves, prelude, rows, variant_tensors};

mod list;

family! {
    concat: TensorListConcat, TensorListConcatV2, TensorListSplit;
    create: EmptyTensorList, TensorListReserve;
    element: TensorListElementShape, TensorListGetItem, TensorListLength, TensorListResize, TensorListSetItem;
    map = EMPTY_TENSOR_MAP, TENSOR_MAP_ERASE, TENSOR_MAP_HAS_KEY, TENSOR_MAP_INSERT, TENSOR_MAP_LOOKUP, TENSOR_MAP_SIZE, TENSOR_MAP_STACK_KEYS;
    optional = OPTIONAL_FROM_VALUE, OPTIONAL_GET_VALUE, OPTIONAL_HAS_VALUE, OPTIONAL_NONE;
    push: TensorListConcatLists, TensorListPopBack, TensorListPushBack = TENSOR_LIST_PUSH_BACK_BATCH;
    scatter: TensorListGather, TensorListScatter, TensorListScatterIntoExistingList, TensorListScatterV2;
    stack: TensorListFromTensor, TensorListStack;
}
