//! Input pipelines: datasets, and iterators over them.
//!
//! A dataset is a value, held in a variant: what it makes elements of, and a way to make iterators ([`dataset`]). An iterator is a
//! state machine ([`iter`](mod@iter)) that is asked for the next element and gives it at once or wakes whoever asked. No dataset
//! has a thread: who asks works on the pipeline on its own thread ([`stream`]), and datasets that work ahead do so in jobs on
//! the session's threads ([`task`]). Functions of the graph are called as steps of the pipeline's background ([`function`]), so
//! that a step that is cancelled loses no element. [`position`] writes down where an iterator is.
//!
//! A new dataset is a file like `take.rs`: attrs, the op, a [`dataset::Dataset`] and its [`iter::Iter`].

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{flow, handle, philox, prelude, rows, variable};

mod dataset;
mod function;
mod iter;
mod position;
mod seeds;
mod stream;
mod task;

family! {
    batch = BATCH_DATASET;
    cardinality = DATASET_CARDINALITY;
    concatenate = CONCATENATE_DATASET;
    filter = FILTER_DATASET;
    generator = GENERATOR_DATASET;
    get_next = ITERATOR_GET_NEXT, ITERATOR_GET_NEXT_AS_OPTIONAL;
    interleave = FLAT_MAP_DATASET, INTERLEAVE_DATASET;
    iterator = ANONYMOUS_ITERATOR, DELETE_ITERATOR, ITERATOR, ITERATOR_GET_DEVICE, MAKE_ITERATOR;
    map = MAP_DATASET;
    one_shot = ONE_SHOT_ITERATOR;
    options = FINALIZE_DATASET, MAX_INTRA_OP_PARALLELISM_DATASET, MODEL_DATASET, OPTIMIZE_DATASET, OPTIONS_DATASET,
        PRIVATE_THREAD_POOL_DATASET, REWRITE_DATASET;
    padded_batch = PADDED_BATCH_DATASET;
    parallel_map = PARALLEL_MAP_DATASET;
    prefetch = PREFETCH_DATASET;
    range = RANGE_DATASET;
    reduce = REDUCE_DATASET;
    repeat = REPEAT_DATASET;
    scan = SCAN_DATASET;
    seed_generator = ANONYMOUS_RANDOM_SEED_GENERATOR, ANONYMOUS_SEED_GENERATOR, DELETE_SEED_GENERATOR,
        DUMMY_SEED_GENERATOR;
    serialize = DESERIALIZE_ITERATOR, SERIALIZE_ITERATOR;
    shuffle = SHUFFLE_AND_REPEAT_DATASET, SHUFFLE_DATASET;
    single = DATASET_TO_SINGLE_ELEMENT;
    skip = SKIP_DATASET;
    string_handle = ITERATOR_FROM_STRING_HANDLE, ITERATOR_TO_STRING_HANDLE;
    take = TAKE_DATASET;
    take_while = TAKE_WHILE_DATASET;
    tensor = TENSOR_DATASET;
    tensor_slice = TENSOR_SLICE_DATASET;
    zip = ZIP_DATASET;
}
