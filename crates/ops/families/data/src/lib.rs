//! Input pipelines: datasets, and iterators over them.
//!
//! A dataset is a value held in a variant: it describes the elements and creates iterators ([`dataset`]). An iterator
//! is a state machine ([`iter`](mod@iter)) that is polled for the next element and returns it immediately or wakes the
//! caller later. Datasets have no threads of their own: the caller drives the pipeline on its own thread ([`stream`]),
//! and datasets that compute ahead do so in jobs on the session's threads ([`task`]). Graph functions are called as
//! steps of the pipeline's background ([`function`]), so that cancelling a step loses no element. [`position`] saves
//! the position of an iterator, [`meter`] measures the costs of its stages.
//!
//! A new dataset is a file like `take.rs`: attrs, the op, a [`dataset::Dataset`] and its [`iter::Iter`].

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{flow, handle, hash, philox, prelude, rows, variable};

mod assertion;
mod cache_file;
mod copies;
mod dataset;
mod encoding;
mod function;
mod iter;
mod made;
mod meter;
mod permits;
mod position;
mod seeds;
mod snapshot;
mod stream;
mod task;
mod to_device;

pub use to_device::{OnBrought, bring, to_device};

family! {
    access = GET_ELEMENT_AT_INDEX;
    assert_cardinality = ASSERT_CARDINALITY_DATASET;
    asserts = ASSERT_NEXT_DATASET, ASSERT_PREV_DATASET, NON_SERIALIZABLE_DATASET, SLEEP_DATASET;
    auto_shard = AUTO_SHARD_DATASET;
    batch = BATCH_DATASET;
    batch_size = COMPUTE_BATCH_SIZE;
    cache = ANONYMOUS_MEMORY_CACHE, CACHE_DATASET, DELETE_MEMORY_CACHE, DUMMY_MEMORY_CACHE;
    cardinality = DATASET_CARDINALITY;
    choose_fastest = CHOOSE_FASTEST_DATASET;
    choose_fastest_branch = CHOOSE_FASTEST_BRANCH_DATASET;
    compress = COMPRESS_ELEMENT, UNCOMPRESS_ELEMENT;
    concatenate = CONCATENATE_DATASET;
    csv = CSV_DATASET;
    dataset_graph = DATASET_FINGERPRINT, DATASET_FROM_GRAPH, DATASET_TO_GRAPH, DATASET_TO_GRAPH_V2;
    directed_interleave = DIRECTED_INTERLEAVE_DATASET;
    files = FIXED_LENGTH_RECORD_DATASET, TEXT_LINE_DATASET, TF_RECORD_DATASET;
    filter = FILTER_DATASET;
    generator = GENERATOR_DATASET;
    get_next = ITERATOR_GET_NEXT, ITERATOR_GET_NEXT_AS_OPTIONAL;
    global_shuffle = GLOBAL_SHUFFLE_DATASET;
    group_by_reducer = GROUP_BY_REDUCER_DATASET;
    group_by_window = GROUP_BY_WINDOW_DATASET;
    ignore_errors = IGNORE_ERRORS_DATASET;
    index_flat_map = INDEX_FLAT_MAP_DATASET;
    initialize_table = INITIALIZE_TABLE_FROM_DATASET;
    interleave = FLAT_MAP_DATASET, INTERLEAVE_DATASET, PARALLEL_INTERLEAVE_DATASET, PARALLEL_INTERLEAVE_DATASET_V2;
    iterator = ANONYMOUS_ITERATOR, DELETE_ITERATOR, ITERATOR, ITERATOR_GET_DEVICE, MAKE_ITERATOR;
    list = LIST_DATASET;
    map = MAP_DATASET;
    map_and_batch = MAP_AND_BATCH_DATASET;
    map_defun = MAP_DEFUN;
    matching_files = MATCHING_FILES_DATASET;
    multi_device = ANONYMOUS_MULTI_DEVICE_ITERATOR, DELETE_MULTI_DEVICE_ITERATOR, MULTI_DEVICE_ITERATOR,
        MULTI_DEVICE_ITERATOR_FROM_STRING_HANDLE, MULTI_DEVICE_ITERATOR_GET_NEXT_FROM_SHARD, MULTI_DEVICE_ITERATOR_INIT,
        MULTI_DEVICE_ITERATOR_TO_STRING_HANDLE;
    one_shot = ONE_SHOT_ITERATOR;
    options = FINALIZE_DATASET, GET_OPTIONS, MAX_INTRA_OP_PARALLELISM_DATASET, MODEL_DATASET, OPTIMIZE_DATASET, OPTIONS_DATASET,
        REWRITE_DATASET;
    padded_batch = PADDED_BATCH_DATASET;
    parallel_batch = PARALLEL_BATCH_DATASET;
    parallel_filter = PARALLEL_FILTER_DATASET;
    parallel_map = PARALLEL_MAP_DATASET;
    parse_example = PARSE_EXAMPLE_DATASET;
    prefetch = PREFETCH_DATASET;
    random_dataset = RANDOM_DATASET;
    range = RANGE_DATASET;
    rebatch = REBATCH_DATASET, REBATCH_DATASET_V2;
    reduce = REDUCE_DATASET;
    repeat = REPEAT_DATASET;
    sampling = SAMPLING_DATASET;
    save = LOAD_DATASET, SAVE_DATASET, SAVE_DATASET_V2;
    scan = SCAN_DATASET;
    seed_generator = ANONYMOUS_RANDOM_SEED_GENERATOR, ANONYMOUS_SEED_GENERATOR, DELETE_SEED_GENERATOR,
        DUMMY_SEED_GENERATOR;
    serialize = DESERIALIZE_ITERATOR, SERIALIZE_ITERATOR;
    shard = SHARD_DATASET;
    shuffle = SHUFFLE_AND_REPEAT_DATASET, SHUFFLE_DATASET;
    single = DATASET_TO_SINGLE_ELEMENT;
    skip = SKIP_DATASET;
    snapshot_dataset = SNAPSHOT_CHUNK_DATASET, SNAPSHOT_DATASET, SNAPSHOT_DATASET_READER, SNAPSHOT_DATASET_V2,
        SNAPSHOT_NESTED_DATASET_READER;
    sparse = DENSE_TO_SPARSE_BATCH_DATASET, SPARSE_TENSOR_SLICE_DATASET;
    stats = BYTES_PRODUCED_STATS_DATASET, LATENCY_STATS_DATASET, SET_STATS_AGGREGATOR_DATASET,
        STATS_AGGREGATOR_HANDLE, STATS_AGGREGATOR_SET_SUMMARY_WRITER, STATS_AGGREGATOR_SUMMARY;
    string_handle = ITERATOR_FROM_STRING_HANDLE, ITERATOR_TO_STRING_HANDLE;
    take = TAKE_DATASET;
    take_while = TAKE_WHILE_DATASET;
    tensor = TENSOR_DATASET;
    tensor_slice = TENSOR_SLICE_DATASET;
    threads = PRIVATE_THREAD_POOL_DATASET, THREAD_POOL_DATASET, THREAD_POOL_HANDLE;
    to_tf_record = DATASET_TO_TF_RECORD;
    unbatch = UNBATCH_DATASET;
    unique = UNIQUE_DATASET;
    weighted_flat_map = WEIGHTED_FLAT_MAP_DATASET;
    window = SLIDING_WINDOW_DATASET, WINDOW_DATASET;
    wrap = UNWRAP_DATASET_VARIANT, WRAP_DATASET_VARIANT;
    zip = ZIP_DATASET;
}
