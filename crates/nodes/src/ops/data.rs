// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `data`.

use crate::node::{Input, Node, Ops, common, no_output, one_output, string, strings};
use levada_graph::{DType, Func, PartialShape};
use levada_builder::Output;

impl Ops<'_> {
    /// Creates a handle to an anonymous iterator, which stays until the session is closed.
    ///
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn anonymous_iterator(&self, output_types: &[DType], output_shapes: &[PartialShape]) -> AnonymousIterator<'_> {
        let mut node = Node::new(self, "AnonymousIterator");
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        AnonymousIterator(node)
    }

    /// Creates a handle to an anonymous iterator, which is deleted with its last handle.
    ///
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn anonymous_iterator_v2(&self, output_types: &[DType], output_shapes: &[PartialShape]) -> AnonymousIteratorV2<'_> {
        let mut node = Node::new(self, "AnonymousIteratorV2");
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        AnonymousIteratorV2(node)
    }

    /// Creates a handle to an anonymous iterator, which is deleted with its last handle.
    ///
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn anonymous_iterator_v3(&self, output_types: &[DType], output_shapes: &[PartialShape]) -> AnonymousIteratorV3<'_> {
        let mut node = Node::new(self, "AnonymousIteratorV3");
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        AnonymousIteratorV3(node)
    }

    /// Creates a handle to the memory of a cache.
    ///
    /// It has no gradient.
    pub fn anonymous_memory_cache(&self) -> AnonymousMemoryCache<'_> {
        AnonymousMemoryCache(Node::new(self, "AnonymousMemoryCache"))
    }

    /// Creates a handle to an anonymous iterator for several devices.
    ///
    /// - `devices`: The devices. Length at least 1.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn anonymous_multi_device_iterator(&self, devices: &[impl AsRef<[u8]>], output_types: &[DType], output_shapes: &[PartialShape]) -> AnonymousMultiDeviceIterator<'_> {
        let mut node = Node::new(self, "AnonymousMultiDeviceIterator");
        node.set("devices", strings(devices));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        AnonymousMultiDeviceIterator(node)
    }

    /// Creates a handle to an anonymous iterator for several devices.
    ///
    /// - `devices`: The devices. Length at least 1.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn anonymous_multi_device_iterator_v3(&self, devices: &[impl AsRef<[u8]>], output_types: &[DType], output_shapes: &[PartialShape]) -> AnonymousMultiDeviceIteratorV3<'_> {
        let mut node = Node::new(self, "AnonymousMultiDeviceIteratorV3");
        node.set("devices", strings(devices));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        AnonymousMultiDeviceIteratorV3(node)
    }

    /// Creates a handle to a generator that gives each iterator of a dataset seeds of its own.
    ///
    /// - `seed`: a tensor of int64
    /// - `seed2`: a tensor of int64
    ///
    /// It has no gradient.
    pub fn anonymous_random_seed_generator(&self, seed: impl Input, seed2: impl Input) -> AnonymousRandomSeedGenerator<'_> {
        AnonymousRandomSeedGenerator(Node::new(self, "AnonymousRandomSeedGenerator").input(seed).input(seed2))
    }

    /// Creates a handle to a generator of seeds for a dataset's iterators.
    ///
    /// - `seed`: a tensor of int64
    /// - `seed2`: a tensor of int64
    /// - `reshuffle`: a tensor of bool
    ///
    /// It has no gradient.
    pub fn anonymous_seed_generator(&self, seed: impl Input, seed2: impl Input, reshuffle: impl Input) -> AnonymousSeedGenerator<'_> {
        AnonymousSeedGenerator(Node::new(self, "AnonymousSeedGenerator").input(seed).input(seed2).input(reshuffle))
    }

    /// Passes on the elements of a dataset; fails unless there are exactly `cardinality` of them, or no end for -1.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `cardinality`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn assert_cardinality_dataset(&self, input_dataset: impl Input, cardinality: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> AssertCardinalityDataset<'_> {
        let mut node = Node::new(self, "AssertCardinalityDataset").input(input_dataset).input(cardinality);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        AssertCardinalityDataset(node)
    }

    /// Passes a dataset through, and fails when an iterator is created unless these transformations follow. If TensorFlow's optimizer could have replaced them, only unknown names fail.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `transformations`: a tensor of string
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn assert_next_dataset(&self, input_dataset: impl Input, transformations: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> AssertNextDataset<'_> {
        let mut node = Node::new(self, "AssertNextDataset").input(input_dataset).input(transformations);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        AssertNextDataset(node)
    }

    /// Passes a dataset through, and fails when an iterator is created unless these transformations, with these attrs, precede it. If TensorFlow's optimizer could have replaced them, only unknown names fail.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `transformations`: a tensor of string
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn assert_prev_dataset(&self, input_dataset: impl Input, transformations: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> AssertPrevDataset<'_> {
        let mut node = Node::new(self, "AssertPrevDataset").input(input_dataset).input(transformations);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        AssertPrevDataset(node)
    }

    /// Returns the part of a dataset that worker `index` of `num_workers` reads: either a shard of its files, or every element whose index modulo `num_workers` is `index`.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `num_workers`: a tensor of int64
    /// - `index`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn auto_shard_dataset(&self, input_dataset: impl Input, num_workers: impl Input, index: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> AutoShardDataset<'_> {
        let mut node = Node::new(self, "AutoShardDataset").input(input_dataset).input(num_workers).input(index);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        AutoShardDataset(node)
    }

    /// Combines `batch_size` consecutive elements of a dataset into one; each component becomes the rows of a tensor.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `batch_size`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn batch_dataset(&self, input_dataset: impl Input, batch_size: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> BatchDataset<'_> {
        let mut node = Node::new(self, "BatchDataset").input(input_dataset).input(batch_size);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        BatchDataset(node)
    }

    /// Combines `batch_size` consecutive elements of a dataset into one; each component becomes the rows of a tensor.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `batch_size`: a tensor of int64
    /// - `drop_remainder`: a tensor of bool
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn batch_dataset_v2(&self, input_dataset: impl Input, batch_size: impl Input, drop_remainder: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> BatchDatasetV2<'_> {
        let mut node = Node::new(self, "BatchDatasetV2").input(input_dataset).input(batch_size).input(drop_remainder);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        BatchDatasetV2(node)
    }

    /// Reports the size of each element of a dataset, in bytes, to the statistics collector.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `tag`: a tensor of string
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn bytes_produced_stats_dataset(&self, input_dataset: impl Input, tag: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> BytesProducedStatsDataset<'_> {
        let mut node = Node::new(self, "BytesProducedStatsDataset").input(input_dataset).input(tag);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        BytesProducedStatsDataset(node)
    }

    /// Reads the records of CSV files, with a component for each column.
    ///
    /// - `filenames`: a tensor of string
    /// - `compression_type`: a tensor of string
    /// - `buffer_size`: a tensor of int64
    /// - `header`: a tensor of bool
    /// - `field_delim`: a tensor of string
    /// - `use_quote_delim`: a tensor of bool
    /// - `na_value`: a tensor of string
    /// - `select_cols`: a tensor of int64
    /// - `record_defaults`: any number of tensors of any dtypes
    /// - `output_shapes`: Shapes of the columns. Length at least 1.
    ///
    /// `output_types` is float32, float64, int32, string, int64.
    ///
    /// It has no gradient.
    pub fn csv_dataset(&self, filenames: impl Input, compression_type: impl Input, buffer_size: impl Input, header: impl Input, field_delim: impl Input, use_quote_delim: impl Input, na_value: impl Input, select_cols: impl Input, record_defaults: impl IntoIterator<Item = impl Input>, output_shapes: &[PartialShape]) -> CSVDataset<'_> {
        let mut node = Node::new(self, "CSVDataset").input(filenames).input(compression_type).input(buffer_size).input(header).input(field_delim).input(use_quote_delim).input(na_value).input(select_cols).list(record_defaults);
        node.set("output_shapes", output_shapes.to_vec());
        CSVDataset(node)
    }

    /// Reads the records of CSV files, with a component for each column.
    ///
    /// - `filenames`: a tensor of string
    /// - `compression_type`: a tensor of string
    /// - `buffer_size`: a tensor of int64
    /// - `header`: a tensor of bool
    /// - `field_delim`: a tensor of string
    /// - `use_quote_delim`: a tensor of bool
    /// - `na_value`: a tensor of string
    /// - `select_cols`: a tensor of int64
    /// - `record_defaults`: any number of tensors of any dtypes
    /// - `exclude_cols`: a tensor of int64
    /// - `output_shapes`: Shapes of the columns. Length at least 1.
    ///
    /// `output_types` is float32, float64, int32, string, int64.
    ///
    /// It has no gradient.
    pub fn csv_dataset_v2(&self, filenames: impl Input, compression_type: impl Input, buffer_size: impl Input, header: impl Input, field_delim: impl Input, use_quote_delim: impl Input, na_value: impl Input, select_cols: impl Input, record_defaults: impl IntoIterator<Item = impl Input>, exclude_cols: impl Input, output_shapes: &[PartialShape]) -> CSVDatasetV2<'_> {
        let mut node = Node::new(self, "CSVDatasetV2").input(filenames).input(compression_type).input(buffer_size).input(header).input(field_delim).input(use_quote_delim).input(na_value).input(select_cols).list(record_defaults).input(exclude_cols);
        node.set("output_shapes", output_shapes.to_vec());
        CSVDatasetV2(node)
    }

    /// Caches the elements of a dataset in memory or in a file once an iterator has returned all of them.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `filename`: a tensor of string
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn cache_dataset(&self, input_dataset: impl Input, filename: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> CacheDataset<'_> {
        let mut node = Node::new(self, "CacheDataset").input(input_dataset).input(filename);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        CacheDataset(node)
    }

    /// Caches the elements of a dataset in memory or in a file once an iterator has returned all of them.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `filename`: a tensor of string
    /// - `cache`: a tensor of resource
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn cache_dataset_v2(&self, input_dataset: impl Input, filename: impl Input, cache: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> CacheDatasetV2<'_> {
        let mut node = Node::new(self, "CacheDatasetV2").input(input_dataset).input(filename).input(cache);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        CacheDatasetV2(node)
    }

    /// Returns the elements of datasets that functions create from the remaining elements of another one: of each function in turn until all have been measured, then of the fastest.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `ratio_numerator`: a tensor of int64
    /// - `ratio_denominator`: a tensor of int64
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `num_elements_per_branch`: Number of elements to measure for each function. At least 1.
    /// - `branches`: The functions to choose from. Length at least 1.
    /// - `other_arguments_lengths`: Number of other arguments of each function. Length at least 1.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn choose_fastest_branch_dataset(&self, input_dataset: impl Input, ratio_numerator: impl Input, ratio_denominator: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, num_elements_per_branch: i64, branches: &[Func], other_arguments_lengths: &[i64], output_types: &[DType], output_shapes: &[PartialShape]) -> ChooseFastestBranchDataset<'_> {
        let mut node = Node::new(self, "ChooseFastestBranchDataset").input(input_dataset).input(ratio_numerator).input(ratio_denominator).list(other_arguments);
        node.set("num_elements_per_branch", num_elements_per_branch);
        node.set("branches", branches.to_vec());
        node.set("other_arguments_lengths", other_arguments_lengths.to_vec());
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ChooseFastestBranchDataset(node)
    }

    /// Returns the elements of the fastest of several datasets with the same elements; those of the first one until the fastest is determined.
    ///
    /// - `input_datasets`: any number of tensors of variant
    /// - `num_experiments`: Number of elements of each dataset to measure.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn choose_fastest_dataset(&self, input_datasets: impl IntoIterator<Item = impl Input>, num_experiments: i64, output_types: &[DType], output_shapes: &[PartialShape]) -> ChooseFastestDataset<'_> {
        let mut node = Node::new(self, "ChooseFastestDataset").list(input_datasets);
        node.set("num_experiments", num_experiments);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ChooseFastestDataset(node)
    }

    /// Packs tensors into a variant.
    ///
    /// - `components`: any number of tensors of any dtypes
    ///
    /// `input_types` is any dtype.
    ///
    /// It has no gradient.
    pub fn compress_element(&self, components: impl IntoIterator<Item = impl Input>) -> CompressElement<'_> {
        CompressElement(Node::new(self, "CompressElement").list(components))
    }

    /// Returns the batch size of a dataset as determined by the nodes that it is made of; -1 if it is unknown or varies.
    ///
    /// - `input_dataset`: a tensor of variant
    ///
    /// It has no gradient.
    pub fn compute_batch_size(&self, input_dataset: impl Input) -> ComputeBatchSize<'_> {
        ComputeBatchSize(Node::new(self, "ComputeBatchSize").input(input_dataset))
    }

    /// Returns the elements of one dataset, followed by those of another.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `another_dataset`: a tensor of variant
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn concatenate_dataset(&self, input_dataset: impl Input, another_dataset: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ConcatenateDataset<'_> {
        let mut node = Node::new(self, "ConcatenateDataset").input(input_dataset).input(another_dataset);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ConcatenateDataset(node)
    }

    /// Returns the number of elements of a dataset; -1 if it is infinite, -2 if it is not known.
    ///
    /// - `input_dataset`: a tensor of variant
    pub fn dataset_cardinality(&self, input_dataset: impl Input) -> DatasetCardinality<'_> {
        DatasetCardinality(Node::new(self, "DatasetCardinality").input(input_dataset))
    }

    /// Returns a number that is the same for datasets created in the same way.
    ///
    /// - `input_dataset`: a tensor of variant
    ///
    /// It has no gradient.
    pub fn dataset_fingerprint(&self, input_dataset: impl Input) -> DatasetFingerprint<'_> {
        DatasetFingerprint(Node::new(self, "DatasetFingerprint").input(input_dataset))
    }

    /// Recreates a dataset from a graph written by `DatasetToGraph`.
    ///
    /// - `graph_def`: a tensor of string
    ///
    /// It has no gradient.
    pub fn dataset_from_graph(&self, graph_def: impl Input) -> DatasetFromGraph<'_> {
        DatasetFromGraph(Node::new(self, "DatasetFromGraph").input(graph_def))
    }

    /// Serializes a dataset as a graph in protobuf's binary format, from which `DatasetFromGraph` recreates it.
    ///
    /// - `input_dataset`: a tensor of variant
    ///
    /// It has no gradient.
    pub fn dataset_to_graph(&self, input_dataset: impl Input) -> DatasetToGraph<'_> {
        DatasetToGraph(Node::new(self, "DatasetToGraph").input(input_dataset))
    }

    /// Serializes a dataset as a graph in protobuf's binary format, from which `DatasetFromGraph` recreates it.
    ///
    /// - `input_dataset`: a tensor of variant
    ///
    /// It has no gradient.
    pub fn dataset_to_graph_v2(&self, input_dataset: impl Input) -> DatasetToGraphV2<'_> {
        DatasetToGraphV2(Node::new(self, "DatasetToGraphV2").input(input_dataset))
    }

    /// Returns the single element of a dataset.
    ///
    /// - `dataset`: a tensor of variant
    /// - `output_types`: Dtypes of the element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of the element's components. Length at least 1.
    pub fn dataset_to_single_element(&self, dataset: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> DatasetToSingleElement<'_> {
        let mut node = Node::new(self, "DatasetToSingleElement").input(dataset);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        DatasetToSingleElement(node)
    }

    /// Writes the elements of a dataset, which must be strings, to a TFRecord file.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `filename`: a tensor of string
    /// - `compression_type`: a tensor of string
    pub fn dataset_to_tf_record(&self, input_dataset: impl Input, filename: impl Input, compression_type: impl Input) -> DatasetToTFRecord<'_> {
        DatasetToTFRecord(Node::new(self, "DatasetToTFRecord").input(input_dataset).input(filename).input(compression_type))
    }

    /// Deletes an iterator.
    ///
    /// - `handle`: a tensor of resource
    /// - `deleter`: a tensor of variant
    pub fn delete_iterator(&self, handle: impl Input, deleter: impl Input) -> DeleteIterator<'_> {
        DeleteIterator(Node::new(self, "DeleteIterator").input(handle).input(deleter))
    }

    /// Does nothing: the memory of a cache is freed with its last handle.
    ///
    /// - `handle`: a tensor of resource
    /// - `deleter`: a tensor of variant
    pub fn delete_memory_cache(&self, handle: impl Input, deleter: impl Input) -> DeleteMemoryCache<'_> {
        DeleteMemoryCache(Node::new(self, "DeleteMemoryCache").input(handle).input(deleter))
    }

    /// Deletes an iterator for several devices.
    ///
    /// - `multi_device_iterator`: a tensor of resource
    /// - `iterators`: any number of tensors of resource
    /// - `deleter`: a tensor of variant
    pub fn delete_multi_device_iterator(&self, multi_device_iterator: impl Input, iterators: impl IntoIterator<Item = impl Input>, deleter: impl Input) -> DeleteMultiDeviceIterator<'_> {
        DeleteMultiDeviceIterator(Node::new(self, "DeleteMultiDeviceIterator").input(multi_device_iterator).list(iterators).input(deleter))
    }

    /// Does nothing: a generator is freed with its last handle.
    ///
    /// - `handle`: a tensor of resource
    /// - `deleter`: a tensor of variant
    pub fn delete_random_seed_generator(&self, handle: impl Input, deleter: impl Input) -> DeleteRandomSeedGenerator<'_> {
        DeleteRandomSeedGenerator(Node::new(self, "DeleteRandomSeedGenerator").input(handle).input(deleter))
    }

    /// Does nothing: a generator is freed with its last handle.
    ///
    /// - `handle`: a tensor of resource
    /// - `deleter`: a tensor of variant
    pub fn delete_seed_generator(&self, handle: impl Input, deleter: impl Input) -> DeleteSeedGenerator<'_> {
        DeleteSeedGenerator(Node::new(self, "DeleteSeedGenerator").input(handle).input(deleter))
    }

    /// Combines `batch_size` elements of a dataset into the rows of a sparse tensor. `row_shape` is the shape of a row, -1 for the largest size in the batch.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `batch_size`: a tensor of int64
    /// - `row_shape`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn dense_to_sparse_batch_dataset(&self, input_dataset: impl Input, batch_size: impl Input, row_shape: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> DenseToSparseBatchDataset<'_> {
        let mut node = Node::new(self, "DenseToSparseBatchDataset").input(input_dataset).input(batch_size).input(row_shape);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        DenseToSparseBatchDataset(node)
    }

    /// Moves an iterator to a saved position in its dataset.
    ///
    /// - `resource_handle`: a tensor of resource
    /// - `serialized`: a tensor of variant
    pub fn deserialize_iterator(&self, resource_handle: impl Input, serialized: impl Input) -> DeserializeIterator<'_> {
        DeserializeIterator(Node::new(self, "DeserializeIterator").input(resource_handle).input(serialized))
    }

    /// Interleaves the elements of several datasets: each element of the selector is the index of the dataset that the next element comes from.
    ///
    /// - `selector_input_dataset`: a tensor of variant
    /// - `data_input_datasets`: any number of tensors of variant
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn directed_interleave_dataset(&self, selector_input_dataset: impl Input, data_input_datasets: impl IntoIterator<Item = impl Input>, output_types: &[DType], output_shapes: &[PartialShape]) -> DirectedInterleaveDataset<'_> {
        let mut node = Node::new(self, "DirectedInterleaveDataset").input(selector_input_dataset).list(data_input_datasets);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        DirectedInterleaveDataset(node)
    }

    /// Creates a dummy handle, for caches with memory of their own.
    ///
    /// It has no gradient.
    pub fn dummy_memory_cache(&self) -> DummyMemoryCache<'_> {
        DummyMemoryCache(Node::new(self, "DummyMemoryCache"))
    }

    /// Creates a dummy handle, for datasets that get their seeds elsewhere.
    ///
    /// It has no gradient.
    pub fn dummy_seed_generator(&self) -> DummySeedGenerator<'_> {
        DummySeedGenerator(Node::new(self, "DummySeedGenerator"))
    }

    /// Passes a dataset through, and fails when an iterator is created unless these transformations follow. If TensorFlow's optimizer could have replaced them, only unknown names fail.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `transformations`: a tensor of string
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_assert_next_dataset(&self, input_dataset: impl Input, transformations: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalAssertNextDataset<'_> {
        let mut node = Node::new(self, "ExperimentalAssertNextDataset").input(input_dataset).input(transformations);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalAssertNextDataset(node)
    }

    /// Returns the part of a dataset that worker `index` of `num_workers` reads: either a shard of its files, or every element whose index modulo `num_workers` is `index`.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `num_workers`: a tensor of int64
    /// - `index`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_auto_shard_dataset(&self, input_dataset: impl Input, num_workers: impl Input, index: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalAutoShardDataset<'_> {
        let mut node = Node::new(self, "ExperimentalAutoShardDataset").input(input_dataset).input(num_workers).input(index);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalAutoShardDataset(node)
    }

    /// Reports the size of each element of a dataset, in bytes, to the statistics collector.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `tag`: a tensor of string
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_bytes_produced_stats_dataset(&self, input_dataset: impl Input, tag: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalBytesProducedStatsDataset<'_> {
        let mut node = Node::new(self, "ExperimentalBytesProducedStatsDataset").input(input_dataset).input(tag);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalBytesProducedStatsDataset(node)
    }

    /// Reads the records of CSV files, with a component for each column.
    ///
    /// - `filenames`: a tensor of string
    /// - `compression_type`: a tensor of string
    /// - `buffer_size`: a tensor of int64
    /// - `header`: a tensor of bool
    /// - `field_delim`: a tensor of string
    /// - `use_quote_delim`: a tensor of bool
    /// - `na_value`: a tensor of string
    /// - `select_cols`: a tensor of int64
    /// - `record_defaults`: any number of tensors of any dtypes
    /// - `output_shapes`: Shapes of the columns. Length at least 1.
    ///
    /// `output_types` is float32, float64, int32, string, int64.
    ///
    /// It has no gradient.
    pub fn experimental_csv_dataset(&self, filenames: impl Input, compression_type: impl Input, buffer_size: impl Input, header: impl Input, field_delim: impl Input, use_quote_delim: impl Input, na_value: impl Input, select_cols: impl Input, record_defaults: impl IntoIterator<Item = impl Input>, output_shapes: &[PartialShape]) -> ExperimentalCSVDataset<'_> {
        let mut node = Node::new(self, "ExperimentalCSVDataset").input(filenames).input(compression_type).input(buffer_size).input(header).input(field_delim).input(use_quote_delim).input(na_value).input(select_cols).list(record_defaults);
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalCSVDataset(node)
    }

    /// Returns the elements of the fastest of several datasets with the same elements; those of the first one until the fastest is determined.
    ///
    /// - `input_datasets`: any number of tensors of variant
    /// - `num_experiments`: Number of elements of each dataset to measure.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_choose_fastest_dataset(&self, input_datasets: impl IntoIterator<Item = impl Input>, num_experiments: i64, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalChooseFastestDataset<'_> {
        let mut node = Node::new(self, "ExperimentalChooseFastestDataset").list(input_datasets);
        node.set("num_experiments", num_experiments);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalChooseFastestDataset(node)
    }

    /// Returns the number of elements of a dataset; -1 if it is infinite, -2 if it is not known.
    ///
    /// - `input_dataset`: a tensor of variant
    pub fn experimental_dataset_cardinality(&self, input_dataset: impl Input) -> ExperimentalDatasetCardinality<'_> {
        ExperimentalDatasetCardinality(Node::new(self, "ExperimentalDatasetCardinality").input(input_dataset))
    }

    /// Writes the elements of a dataset, which must be strings, to a TFRecord file.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `filename`: a tensor of string
    /// - `compression_type`: a tensor of string
    pub fn experimental_dataset_to_tf_record(&self, input_dataset: impl Input, filename: impl Input, compression_type: impl Input) -> ExperimentalDatasetToTFRecord<'_> {
        ExperimentalDatasetToTFRecord(Node::new(self, "ExperimentalDatasetToTFRecord").input(input_dataset).input(filename).input(compression_type))
    }

    /// Combines `batch_size` elements of a dataset into the rows of a sparse tensor. `row_shape` is the shape of a row, -1 for the largest size in the batch.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `batch_size`: a tensor of int64
    /// - `row_shape`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_dense_to_sparse_batch_dataset(&self, input_dataset: impl Input, batch_size: impl Input, row_shape: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalDenseToSparseBatchDataset<'_> {
        let mut node = Node::new(self, "ExperimentalDenseToSparseBatchDataset").input(input_dataset).input(batch_size).input(row_shape);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalDenseToSparseBatchDataset(node)
    }

    /// Interleaves the elements of several datasets: each element of the selector is the index of the dataset that the next element comes from.
    ///
    /// - `selector_input_dataset`: a tensor of variant
    /// - `data_input_datasets`: any number of tensors of variant
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_directed_interleave_dataset(&self, selector_input_dataset: impl Input, data_input_datasets: impl IntoIterator<Item = impl Input>, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalDirectedInterleaveDataset<'_> {
        let mut node = Node::new(self, "ExperimentalDirectedInterleaveDataset").input(selector_input_dataset).list(data_input_datasets);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalDirectedInterleaveDataset(node)
    }

    /// Groups the elements of a dataset by the key that `key_func` returns. `reduce_func` folds each group into a state, starting with the one that `init_func` returns; at the end `finalize_func` turns each state into an element.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `key_func_other_arguments`: any number of tensors of any dtypes
    /// - `init_func_other_arguments`: any number of tensors of any dtypes
    /// - `reduce_func_other_arguments`: any number of tensors of any dtypes
    /// - `finalize_func_other_arguments`: any number of tensors of any dtypes
    /// - `key_func`: Returns the key of an element.
    /// - `init_func`: Returns the initial state of a group.
    /// - `reduce_func`: Returns the next state of a group.
    /// - `finalize_func`: Returns the element for a final state.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Tkey_func_other_arguments` is any dtype. `Tinit_func_other_arguments` is any dtype. `Treduce_func_other_arguments` is any dtype. `Tfinalize_func_other_arguments` is any dtype.
    ///
    /// It has no gradient.
    pub fn experimental_group_by_reducer_dataset(&self, input_dataset: impl Input, key_func_other_arguments: impl IntoIterator<Item = impl Input>, init_func_other_arguments: impl IntoIterator<Item = impl Input>, reduce_func_other_arguments: impl IntoIterator<Item = impl Input>, finalize_func_other_arguments: impl IntoIterator<Item = impl Input>, key_func: impl Into<Func>, init_func: impl Into<Func>, reduce_func: impl Into<Func>, finalize_func: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalGroupByReducerDataset<'_> {
        let mut node = Node::new(self, "ExperimentalGroupByReducerDataset").input(input_dataset).list(key_func_other_arguments).list(init_func_other_arguments).list(reduce_func_other_arguments).list(finalize_func_other_arguments);
        node.set("key_func", Into::<Func>::into(key_func));
        node.set("init_func", Into::<Func>::into(init_func));
        node.set("reduce_func", Into::<Func>::into(reduce_func));
        node.set("finalize_func", Into::<Func>::into(finalize_func));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalGroupByReducerDataset(node)
    }

    /// Groups the elements of a dataset by the key that `key_func` returns. Once a group has as many elements as `window_size_func` returns for its key, `reduce_func` turns the key and a dataset of the group into a dataset, whose elements are returned next.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `key_func_other_arguments`: any number of tensors of any dtypes
    /// - `reduce_func_other_arguments`: any number of tensors of any dtypes
    /// - `window_size_func_other_arguments`: any number of tensors of any dtypes
    /// - `key_func`: Returns the key of an element.
    /// - `reduce_func`: Returns the dataset for a group.
    /// - `window_size_func`: Returns the size of a group.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Tkey_func_other_arguments` is any dtype. `Treduce_func_other_arguments` is any dtype. `Twindow_size_func_other_arguments` is any dtype.
    ///
    /// It has no gradient.
    pub fn experimental_group_by_window_dataset(&self, input_dataset: impl Input, key_func_other_arguments: impl IntoIterator<Item = impl Input>, reduce_func_other_arguments: impl IntoIterator<Item = impl Input>, window_size_func_other_arguments: impl IntoIterator<Item = impl Input>, key_func: impl Into<Func>, reduce_func: impl Into<Func>, window_size_func: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalGroupByWindowDataset<'_> {
        let mut node = Node::new(self, "ExperimentalGroupByWindowDataset").input(input_dataset).list(key_func_other_arguments).list(reduce_func_other_arguments).list(window_size_func_other_arguments);
        node.set("key_func", Into::<Func>::into(key_func));
        node.set("reduce_func", Into::<Func>::into(reduce_func));
        node.set("window_size_func", Into::<Func>::into(window_size_func));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalGroupByWindowDataset(node)
    }

    /// Returns the elements of a dataset, skipping those that fail.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_ignore_errors_dataset(&self, input_dataset: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalIgnoreErrorsDataset<'_> {
        let mut node = Node::new(self, "ExperimentalIgnoreErrorsDataset").input(input_dataset);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalIgnoreErrorsDataset(node)
    }

    /// Returns the name of the device that an iterator is on.
    ///
    /// - `resource`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn experimental_iterator_get_device(&self, resource: impl Input) -> ExperimentalIteratorGetDevice<'_> {
        ExperimentalIteratorGetDevice(Node::new(self, "ExperimentalIteratorGetDevice").input(resource))
    }

    /// Reports the time that each element of a dataset takes, in microseconds, to the statistics collector.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `tag`: a tensor of string
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_latency_stats_dataset(&self, input_dataset: impl Input, tag: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalLatencyStatsDataset<'_> {
        let mut node = Node::new(self, "ExperimentalLatencyStatsDataset").input(input_dataset).input(tag);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalLatencyStatsDataset(node)
    }

    /// Applies a function to each element of a dataset and combines the results into batches. `num_parallel_calls` calls run concurrently; -1 tunes their number.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `batch_size`: a tensor of int64
    /// - `num_parallel_calls`: a tensor of int64
    /// - `drop_remainder`: a tensor of bool
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn experimental_map_and_batch_dataset(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, batch_size: impl Input, num_parallel_calls: impl Input, drop_remainder: impl Input, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalMapAndBatchDataset<'_> {
        let mut node = Node::new(self, "ExperimentalMapAndBatchDataset").input(input_dataset).list(other_arguments).input(batch_size).input(num_parallel_calls).input(drop_remainder);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalMapAndBatchDataset(node)
    }

    /// A dataset of the names of the files that match any of the patterns.
    ///
    /// - `patterns`: a tensor of string
    ///
    /// It has no gradient.
    pub fn experimental_matching_files_dataset(&self, patterns: impl Input) -> ExperimentalMatchingFilesDataset<'_> {
        ExperimentalMatchingFilesDataset(Node::new(self, "ExperimentalMatchingFilesDataset").input(patterns))
    }

    /// Passes a dataset through. The limit on parallelism within ops is not used.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `max_intra_op_parallelism`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_max_intra_op_parallelism_dataset(&self, input_dataset: impl Input, max_intra_op_parallelism: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalMaxIntraOpParallelismDataset<'_> {
        let mut node = Node::new(self, "ExperimentalMaxIntraOpParallelismDataset").input(input_dataset).input(max_intra_op_parallelism);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalMaxIntraOpParallelismDataset(node)
    }

    /// Passes a dataset through. In TensorFlow it cannot be serialized.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_non_serializable_dataset(&self, input_dataset: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalNonSerializableDataset<'_> {
        let mut node = Node::new(self, "ExperimentalNonSerializableDataset").input(input_dataset);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalNonSerializableDataset(node)
    }

    /// Returns the elements of the datasets that a function creates from each element: `block_length` of each of `cycle_length` datasets in turn, computed before they are requested.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `cycle_length`: a tensor of int64
    /// - `block_length`: a tensor of int64
    /// - `sloppy`: a tensor of bool
    /// - `buffer_output_elements`: a tensor of int64
    /// - `prefetch_input_elements`: a tensor of int64
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn experimental_parallel_interleave_dataset(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, cycle_length: impl Input, block_length: impl Input, sloppy: impl Input, buffer_output_elements: impl Input, prefetch_input_elements: impl Input, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalParallelInterleaveDataset<'_> {
        let mut node = Node::new(self, "ExperimentalParallelInterleaveDataset").input(input_dataset).list(other_arguments).input(cycle_length).input(block_length).input(sloppy).input(buffer_output_elements).input(prefetch_input_elements);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalParallelInterleaveDataset(node)
    }

    /// Parses vectors of serialized examples: a component for each key, in the order of the keys.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `num_parallel_calls`: a tensor of int64
    /// - `dense_defaults`: any number of tensors of any dtypes
    /// - `sparse_keys`: Keys of the sparse features. Length at least 0.
    /// - `dense_keys`: Keys of the dense features. Length at least 0.
    /// - `sparse_types`: Dtypes of the sparse features. Allowed: float32, string, int64. Length at least 0.
    /// - `dense_shapes`: Shapes of the dense features; the first size may be unknown. Length at least 0.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Tdense` is float32, string, int64.
    ///
    /// It has no gradient.
    pub fn experimental_parse_example_dataset(&self, input_dataset: impl Input, num_parallel_calls: impl Input, dense_defaults: impl IntoIterator<Item = impl Input>, sparse_keys: &[impl AsRef<[u8]>], dense_keys: &[impl AsRef<[u8]>], sparse_types: &[DType], dense_shapes: &[PartialShape], output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalParseExampleDataset<'_> {
        let mut node = Node::new(self, "ExperimentalParseExampleDataset").input(input_dataset).input(num_parallel_calls).list(dense_defaults);
        node.set("sparse_keys", strings(sparse_keys));
        node.set("dense_keys", strings(dense_keys));
        node.set("sparse_types", sparse_types.to_vec());
        node.set("dense_shapes", dense_shapes.to_vec());
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalParseExampleDataset(node)
    }

    /// Passes a dataset through. TensorFlow gives it threads of its own; here it uses the session's threads.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `num_threads`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_private_thread_pool_dataset(&self, input_dataset: impl Input, num_threads: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalPrivateThreadPoolDataset<'_> {
        let mut node = Node::new(self, "ExperimentalPrivateThreadPoolDataset").input(input_dataset).input(num_threads);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalPrivateThreadPoolDataset(node)
    }

    /// An infinite dataset of random 32-bit numbers.
    ///
    /// - `seed`: a tensor of int64
    /// - `seed2`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_random_dataset(&self, seed: impl Input, seed2: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalRandomDataset<'_> {
        let mut node = Node::new(self, "ExperimentalRandomDataset").input(seed).input(seed2);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalRandomDataset(node)
    }

    /// Splits each batch of a dataset into `num_replicas` batches.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `num_replicas`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_rebatch_dataset(&self, input_dataset: impl Input, num_replicas: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalRebatchDataset<'_> {
        let mut node = Node::new(self, "ExperimentalRebatchDataset").input(input_dataset).input(num_replicas);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalRebatchDataset(node)
    }

    /// Applies a function to a state and each element of a dataset. The function returns the new state, followed by the resulting element.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `initial_state`: any number of tensors of any dtypes
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Tstate` is any dtype. `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn experimental_scan_dataset(&self, input_dataset: impl Input, initial_state: impl IntoIterator<Item = impl Input>, other_arguments: impl IntoIterator<Item = impl Input>, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalScanDataset<'_> {
        let mut node = Node::new(self, "ExperimentalScanDataset").input(input_dataset).list(initial_state).list(other_arguments);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalScanDataset(node)
    }

    /// Makes the stages of a dataset report statistics to a collector. `counter_prefix` is not used.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `stats_aggregator`: a tensor of resource
    /// - `tag`: a tensor of string
    /// - `counter_prefix`: a tensor of string
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_set_stats_aggregator_dataset(&self, input_dataset: impl Input, stats_aggregator: impl Input, tag: impl Input, counter_prefix: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalSetStatsAggregatorDataset<'_> {
        let mut node = Node::new(self, "ExperimentalSetStatsAggregatorDataset").input(input_dataset).input(stats_aggregator).input(tag).input(counter_prefix);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalSetStatsAggregatorDataset(node)
    }

    /// Passes a dataset through. TensorFlow delays each element by `sleep_microseconds`, for tests.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `sleep_microseconds`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_sleep_dataset(&self, input_dataset: impl Input, sleep_microseconds: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalSleepDataset<'_> {
        let mut node = Node::new(self, "ExperimentalSleepDataset").input(input_dataset).input(sleep_microseconds);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalSleepDataset(node)
    }

    /// Groups the elements of a dataset into sliding windows; each component becomes the rows of a tensor. A window has `window_size` elements, `window_stride` apart; the next window starts `window_shift` elements later.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `window_size`: a tensor of int64
    /// - `window_shift`: a tensor of int64
    /// - `window_stride`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_sliding_window_dataset(&self, input_dataset: impl Input, window_size: impl Input, window_shift: impl Input, window_stride: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalSlidingWindowDataset<'_> {
        let mut node = Node::new(self, "ExperimentalSlidingWindowDataset").input(input_dataset).input(window_size).input(window_shift).input(window_stride);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalSlidingWindowDataset(node)
    }

    /// Creates a handle to a collector of statistics of the elements of datasets.
    ///
    /// It has no gradient.
    pub fn experimental_stats_aggregator_handle(&self) -> ExperimentalStatsAggregatorHandle<'_> {
        ExperimentalStatsAggregatorHandle(Node::new(self, "ExperimentalStatsAggregatorHandle"))
    }

    /// Returns a summary of the collected statistics: a histogram for each tag.
    ///
    /// - `iterator`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn experimental_stats_aggregator_summary(&self, iterator: impl Input) -> ExperimentalStatsAggregatorSummary<'_> {
        ExperimentalStatsAggregatorSummary(Node::new(self, "ExperimentalStatsAggregatorSummary").input(iterator))
    }

    /// Returns the elements of a dataset until a predicate is false.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `predicate`: The predicate.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn experimental_take_while_dataset(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, predicate: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalTakeWhileDataset<'_> {
        let mut node = Node::new(self, "ExperimentalTakeWhileDataset").input(input_dataset).list(other_arguments);
        node.set("predicate", Into::<Func>::into(predicate));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalTakeWhileDataset(node)
    }

    /// Passes a dataset through. The thread pool is not used: it runs on the session's threads.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `thread_pool`: a tensor of resource
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_thread_pool_dataset(&self, input_dataset: impl Input, thread_pool: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalThreadPoolDataset<'_> {
        let mut node = Node::new(self, "ExperimentalThreadPoolDataset").input(input_dataset).input(thread_pool);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalThreadPoolDataset(node)
    }

    /// Creates a handle to a thread pool. Datasets use the session's threads instead.
    ///
    /// - `num_threads`: Not used.
    /// - `display_name`: Not used.
    ///
    /// It has no gradient.
    pub fn experimental_thread_pool_handle(&self, num_threads: i64, display_name: impl AsRef<[u8]>) -> ExperimentalThreadPoolHandle<'_> {
        let mut node = Node::new(self, "ExperimentalThreadPoolHandle");
        node.set("num_threads", num_threads);
        node.set("display_name", string(display_name));
        ExperimentalThreadPoolHandle(node)
    }

    /// Splits each element of a dataset into its rows.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_unbatch_dataset(&self, input_dataset: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalUnbatchDataset<'_> {
        let mut node = Node::new(self, "ExperimentalUnbatchDataset").input(input_dataset);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalUnbatchDataset(node)
    }

    /// Removes duplicate elements, keeping the first occurrence of each.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn experimental_unique_dataset(&self, input_dataset: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ExperimentalUniqueDataset<'_> {
        let mut node = Node::new(self, "ExperimentalUniqueDataset").input(input_dataset);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ExperimentalUniqueDataset(node)
    }

    /// Keeps the elements of a dataset for which a predicate is true.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `predicate`: The predicate.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn filter_dataset(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, predicate: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> FilterDataset<'_> {
        let mut node = Node::new(self, "FilterDataset").input(input_dataset).list(other_arguments);
        node.set("predicate", Into::<Func>::into(predicate));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        FilterDataset(node)
    }

    /// Passes a dataset through. TensorFlow prepares it for iteration.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn finalize_dataset(&self, input_dataset: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> FinalizeDataset<'_> {
        let mut node = Node::new(self, "FinalizeDataset").input(input_dataset);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        FinalizeDataset(node)
    }

    /// Reads the records of files, each of `record_bytes` bytes, skipping the header and footer of each file.
    ///
    /// - `filenames`: a tensor of string
    /// - `header_bytes`: a tensor of int64
    /// - `record_bytes`: a tensor of int64
    /// - `footer_bytes`: a tensor of int64
    /// - `buffer_size`: a tensor of int64
    ///
    /// It has no gradient.
    pub fn fixed_length_record_dataset(&self, filenames: impl Input, header_bytes: impl Input, record_bytes: impl Input, footer_bytes: impl Input, buffer_size: impl Input) -> FixedLengthRecordDataset<'_> {
        FixedLengthRecordDataset(Node::new(self, "FixedLengthRecordDataset").input(filenames).input(header_bytes).input(record_bytes).input(footer_bytes).input(buffer_size))
    }

    /// Reads the records of files, each of `record_bytes` bytes, skipping the header and footer of each file.
    ///
    /// - `filenames`: a tensor of string
    /// - `header_bytes`: a tensor of int64
    /// - `record_bytes`: a tensor of int64
    /// - `footer_bytes`: a tensor of int64
    /// - `buffer_size`: a tensor of int64
    /// - `compression_type`: a tensor of string
    ///
    /// It has no gradient.
    pub fn fixed_length_record_dataset_v2(&self, filenames: impl Input, header_bytes: impl Input, record_bytes: impl Input, footer_bytes: impl Input, buffer_size: impl Input, compression_type: impl Input) -> FixedLengthRecordDatasetV2<'_> {
        FixedLengthRecordDatasetV2(Node::new(self, "FixedLengthRecordDatasetV2").input(filenames).input(header_bytes).input(record_bytes).input(footer_bytes).input(buffer_size).input(compression_type))
    }

    /// Returns the elements of the datasets that a function creates from each element, one dataset after the other.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn flat_map_dataset(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> FlatMapDataset<'_> {
        let mut node = Node::new(self, "FlatMapDataset").input(input_dataset).list(other_arguments);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        FlatMapDataset(node)
    }

    /// A dataset whose elements are returned by `next_func`, given a state created by `init_func`, until it fails with `OUT_OF_RANGE`; then `finalize_func` is called.
    ///
    /// - `init_func_other_args`: any number of tensors of any dtypes
    /// - `next_func_other_args`: any number of tensors of any dtypes
    /// - `finalize_func_other_args`: any number of tensors of any dtypes
    /// - `init_func`: Creates the state.
    /// - `next_func`: Computes an element from the state.
    /// - `finalize_func`: Called with the state at the end, or when the iterator is dropped before that.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Tinit_func_args` is any dtype. `Tnext_func_args` is any dtype. `Tfinalize_func_args` is any dtype.
    ///
    /// It has no gradient.
    pub fn generator_dataset(&self, init_func_other_args: impl IntoIterator<Item = impl Input>, next_func_other_args: impl IntoIterator<Item = impl Input>, finalize_func_other_args: impl IntoIterator<Item = impl Input>, init_func: impl Into<Func>, next_func: impl Into<Func>, finalize_func: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> GeneratorDataset<'_> {
        let mut node = Node::new(self, "GeneratorDataset").list(init_func_other_args).list(next_func_other_args).list(finalize_func_other_args);
        node.set("init_func", Into::<Func>::into(init_func));
        node.set("next_func", Into::<Func>::into(next_func));
        node.set("finalize_func", Into::<Func>::into(finalize_func));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        GeneratorDataset(node)
    }

    /// Returns the element of a dataset with a given index.
    ///
    /// - `dataset`: a tensor of variant
    /// - `index`: a tensor of int64
    /// - `output_types`: Dtypes of the element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of the element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn get_element_at_index(&self, dataset: impl Input, index: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> GetElementAtIndex<'_> {
        let mut node = Node::new(self, "GetElementAtIndex").input(dataset).input(index);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        GetElementAtIndex(node)
    }

    /// Returns the options of a dataset merged with those of the datasets that it is made of, as a serialized TensorFlow message.
    ///
    /// - `input_dataset`: a tensor of variant
    ///
    /// It has no gradient.
    pub fn get_options(&self, input_dataset: impl Input) -> GetOptions<'_> {
        GetOptions(Node::new(self, "GetOptions").input(input_dataset))
    }

    /// Returns the elements of a dataset that supports random access in a random order.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `seed`: a tensor of int64
    /// - `seed2`: a tensor of int64
    /// - `seed_generator`: a tensor of resource
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn global_shuffle_dataset(&self, input_dataset: impl Input, seed: impl Input, seed2: impl Input, seed_generator: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> GlobalShuffleDataset<'_> {
        let mut node = Node::new(self, "GlobalShuffleDataset").input(input_dataset).input(seed).input(seed2).input(seed_generator);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        GlobalShuffleDataset(node)
    }

    /// Groups the elements of a dataset by the key that `key_func` returns. `reduce_func` folds each group into a state, starting with the one that `init_func` returns; at the end `finalize_func` turns each state into an element.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `key_func_other_arguments`: any number of tensors of any dtypes
    /// - `init_func_other_arguments`: any number of tensors of any dtypes
    /// - `reduce_func_other_arguments`: any number of tensors of any dtypes
    /// - `finalize_func_other_arguments`: any number of tensors of any dtypes
    /// - `key_func`: Returns the key of an element.
    /// - `init_func`: Returns the initial state of a group.
    /// - `reduce_func`: Returns the next state of a group.
    /// - `finalize_func`: Returns the element for a final state.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Tkey_func_other_arguments` is any dtype. `Tinit_func_other_arguments` is any dtype. `Treduce_func_other_arguments` is any dtype. `Tfinalize_func_other_arguments` is any dtype.
    ///
    /// It has no gradient.
    pub fn group_by_reducer_dataset(&self, input_dataset: impl Input, key_func_other_arguments: impl IntoIterator<Item = impl Input>, init_func_other_arguments: impl IntoIterator<Item = impl Input>, reduce_func_other_arguments: impl IntoIterator<Item = impl Input>, finalize_func_other_arguments: impl IntoIterator<Item = impl Input>, key_func: impl Into<Func>, init_func: impl Into<Func>, reduce_func: impl Into<Func>, finalize_func: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> GroupByReducerDataset<'_> {
        let mut node = Node::new(self, "GroupByReducerDataset").input(input_dataset).list(key_func_other_arguments).list(init_func_other_arguments).list(reduce_func_other_arguments).list(finalize_func_other_arguments);
        node.set("key_func", Into::<Func>::into(key_func));
        node.set("init_func", Into::<Func>::into(init_func));
        node.set("reduce_func", Into::<Func>::into(reduce_func));
        node.set("finalize_func", Into::<Func>::into(finalize_func));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        GroupByReducerDataset(node)
    }

    /// Groups the elements of a dataset by the key that `key_func` returns. Once a group has as many elements as `window_size_func` returns for its key, `reduce_func` turns the key and a dataset of the group into a dataset, whose elements are returned next.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `key_func_other_arguments`: any number of tensors of any dtypes
    /// - `reduce_func_other_arguments`: any number of tensors of any dtypes
    /// - `window_size_func_other_arguments`: any number of tensors of any dtypes
    /// - `key_func`: Returns the key of an element.
    /// - `reduce_func`: Returns the dataset for a group.
    /// - `window_size_func`: Returns the size of a group.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Tkey_func_other_arguments` is any dtype. `Treduce_func_other_arguments` is any dtype. `Twindow_size_func_other_arguments` is any dtype.
    ///
    /// It has no gradient.
    pub fn group_by_window_dataset(&self, input_dataset: impl Input, key_func_other_arguments: impl IntoIterator<Item = impl Input>, reduce_func_other_arguments: impl IntoIterator<Item = impl Input>, window_size_func_other_arguments: impl IntoIterator<Item = impl Input>, key_func: impl Into<Func>, reduce_func: impl Into<Func>, window_size_func: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> GroupByWindowDataset<'_> {
        let mut node = Node::new(self, "GroupByWindowDataset").input(input_dataset).list(key_func_other_arguments).list(reduce_func_other_arguments).list(window_size_func_other_arguments);
        node.set("key_func", Into::<Func>::into(key_func));
        node.set("reduce_func", Into::<Func>::into(reduce_func));
        node.set("window_size_func", Into::<Func>::into(window_size_func));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        GroupByWindowDataset(node)
    }

    /// Returns the elements of a dataset, skipping those that fail.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn ignore_errors_dataset(&self, input_dataset: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> IgnoreErrorsDataset<'_> {
        let mut node = Node::new(self, "IgnoreErrorsDataset").input(input_dataset);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        IgnoreErrorsDataset(node)
    }

    /// Returns the rows that `map_func` creates from each element. `index_map_func` maps the index of a row to the index of its element and the row's offset within it.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `map_func_other_args`: any number of tensors of any dtypes
    /// - `index_map_func_other_args`: any number of tensors of any dtypes
    /// - `output_cardinality`: a tensor of int64
    /// - `map_func`: Creates the rows of an element.
    /// - `index_map_func`: Maps the index of a row to the index of its element and the row's offset within it.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Tmap_func_args` is any dtype. `Tindex_map_func_args` is any dtype.
    ///
    /// It has no gradient.
    pub fn index_flat_map_dataset(&self, input_dataset: impl Input, map_func_other_args: impl IntoIterator<Item = impl Input>, index_map_func_other_args: impl IntoIterator<Item = impl Input>, output_cardinality: impl Input, map_func: impl Into<Func>, index_map_func: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> IndexFlatMapDataset<'_> {
        let mut node = Node::new(self, "IndexFlatMapDataset").input(input_dataset).list(map_func_other_args).list(index_map_func_other_args).input(output_cardinality);
        node.set("map_func", Into::<Func>::into(map_func));
        node.set("index_map_func", Into::<Func>::into(index_map_func));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        IndexFlatMapDataset(node)
    }

    /// Fills a lookup table with the elements of a dataset: pairs of a key and a value, or of vectors of keys and values of equal length.
    ///
    /// - `table_handle`: a tensor of resource
    /// - `dataset`: a tensor of variant
    pub fn initialize_table_from_dataset(&self, table_handle: impl Input, dataset: impl Input) -> InitializeTableFromDataset<'_> {
        InitializeTableFromDataset(Node::new(self, "InitializeTableFromDataset").input(table_handle).input(dataset))
    }

    /// Returns the elements of the datasets that a function creates from each element: `block_length` of each of `cycle_length` datasets in turn.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `cycle_length`: a tensor of int64
    /// - `block_length`: a tensor of int64
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn interleave_dataset(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, cycle_length: impl Input, block_length: impl Input, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> InterleaveDataset<'_> {
        let mut node = Node::new(self, "InterleaveDataset").input(input_dataset).list(other_arguments).input(cycle_length).input(block_length);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        InterleaveDataset(node)
    }

    /// Creates a handle to an iterator, which starts once `MakeIterator` assigns it a dataset.
    ///
    /// - `shared_name`: Name within the container; empty for the node's name.
    /// - `container`: Container that holds the iterator; empty for the default one.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn iterator(&self, shared_name: impl AsRef<[u8]>, container: impl AsRef<[u8]>, output_types: &[DType], output_shapes: &[PartialShape]) -> Iterator<'_> {
        let mut node = Node::new(self, "Iterator");
        node.set("shared_name", string(shared_name));
        node.set("container", string(container));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        Iterator(node)
    }

    /// Converts a string back to the handle of an iterator.
    ///
    /// - `string_handle`: a tensor of string
    ///
    /// It has no gradient.
    pub fn iterator_from_string_handle(&self, string_handle: impl Input) -> IteratorFromStringHandle<'_> {
        IteratorFromStringHandle(Node::new(self, "IteratorFromStringHandle").input(string_handle))
    }

    /// Converts a string back to the handle of an iterator.
    ///
    /// - `string_handle`: a tensor of string
    ///
    /// It has no gradient.
    pub fn iterator_from_string_handle_v2(&self, string_handle: impl Input) -> IteratorFromStringHandleV2<'_> {
        IteratorFromStringHandleV2(Node::new(self, "IteratorFromStringHandleV2").input(string_handle))
    }

    /// Returns the name of the device that an iterator is on.
    ///
    /// - `resource`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn iterator_get_device(&self, resource: impl Input) -> IteratorGetDevice<'_> {
        IteratorGetDevice(Node::new(self, "IteratorGetDevice").input(resource))
    }

    /// Returns the next element of an iterator. Fails with `OUT_OF_RANGE` at the end.
    ///
    /// - `iterator`: a tensor of resource
    /// - `output_types`: Dtypes of the element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of the element's components. Length at least 1.
    pub fn iterator_get_next(&self, iterator: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> IteratorGetNext<'_> {
        let mut node = Node::new(self, "IteratorGetNext").input(iterator);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        IteratorGetNext(node)
    }

    /// Returns the next element of an iterator as an optional value, which is empty at the end.
    ///
    /// - `iterator`: a tensor of resource
    /// - `output_types`: Dtypes of the element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of the element's components. Length at least 1.
    pub fn iterator_get_next_as_optional(&self, iterator: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> IteratorGetNextAsOptional<'_> {
        let mut node = Node::new(self, "IteratorGetNextAsOptional").input(iterator);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        IteratorGetNextAsOptional(node)
    }

    /// Returns the next element of an iterator. Fails with `OUT_OF_RANGE` at the end.
    ///
    /// - `iterator`: a tensor of resource
    /// - `output_types`: Dtypes of the element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of the element's components. Length at least 1.
    pub fn iterator_get_next_sync(&self, iterator: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> IteratorGetNextSync<'_> {
        let mut node = Node::new(self, "IteratorGetNextSync").input(iterator);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        IteratorGetNextSync(node)
    }

    /// Converts the handle of an iterator to a string.
    ///
    /// - `resource_handle`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn iterator_to_string_handle(&self, resource_handle: impl Input) -> IteratorToStringHandle<'_> {
        IteratorToStringHandle(Node::new(self, "IteratorToStringHandle").input(resource_handle))
    }

    /// Creates a handle to an iterator, which starts once `MakeIterator` assigns it a dataset.
    ///
    /// - `shared_name`: Name within the container; empty for the node's name.
    /// - `container`: Container that holds the iterator; empty for the default one.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn iterator_v2(&self, shared_name: impl AsRef<[u8]>, container: impl AsRef<[u8]>, output_types: &[DType], output_shapes: &[PartialShape]) -> IteratorV2<'_> {
        let mut node = Node::new(self, "IteratorV2");
        node.set("shared_name", string(shared_name));
        node.set("container", string(container));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        IteratorV2(node)
    }

    /// Reports the time that each element of a dataset takes, in microseconds, to the statistics collector.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `tag`: a tensor of string
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn latency_stats_dataset(&self, input_dataset: impl Input, tag: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> LatencyStatsDataset<'_> {
        let mut node = Node::new(self, "LatencyStatsDataset").input(input_dataset).input(tag);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        LatencyStatsDataset(node)
    }

    /// Returns the elements of the datasets that a function creates from each element: `block_length` of each of `cycle_length` datasets in turn, computed before they are requested.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `cycle_length`: a tensor of int64
    /// - `block_length`: a tensor of int64
    /// - `buffer_output_elements`: a tensor of int64
    /// - `prefetch_input_elements`: a tensor of int64
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn legacy_parallel_interleave_dataset_v2(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, cycle_length: impl Input, block_length: impl Input, buffer_output_elements: impl Input, prefetch_input_elements: impl Input, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> LegacyParallelInterleaveDatasetV2<'_> {
        let mut node = Node::new(self, "LegacyParallelInterleaveDatasetV2").input(input_dataset).list(other_arguments).input(cycle_length).input(block_length).input(buffer_output_elements).input(prefetch_input_elements);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        LegacyParallelInterleaveDatasetV2(node)
    }

    /// A dataset of these tensors; each element takes as many of them as it has components.
    ///
    /// - `tensors`: any number of tensors of any dtypes
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Tinput_types` is any dtype.
    ///
    /// It has no gradient.
    pub fn list_dataset(&self, tensors: impl IntoIterator<Item = impl Input>, output_types: &[DType], output_shapes: &[PartialShape]) -> ListDataset<'_> {
        let mut node = Node::new(self, "ListDataset").list(tensors);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ListDataset(node)
    }

    /// Returns the elements of a dataset that was saved in a directory: those of the dataset that `reader_func` creates from a dataset whose elements are the shards.
    ///
    /// - `path`: a tensor of string
    /// - `reader_func_other_args`: any number of tensors of any dtypes
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    /// - `reader_func`: Builds the dataset from a dataset of the shards.
    ///
    /// `Treader_func_args` is any dtype.
    ///
    /// It has no gradient.
    pub fn load_dataset(&self, path: impl Input, reader_func_other_args: impl IntoIterator<Item = impl Input>, output_types: &[DType], output_shapes: &[PartialShape], reader_func: impl Into<Func>) -> LoadDataset<'_> {
        let mut node = Node::new(self, "LoadDataset").input(path).list(reader_func_other_args);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        node.set("reader_func", Into::<Func>::into(reader_func));
        LoadDataset(node)
    }

    /// Starts an iterator at the first element of a dataset.
    ///
    /// - `dataset`: a tensor of variant
    /// - `iterator`: a tensor of resource
    pub fn make_iterator(&self, dataset: impl Input, iterator: impl Input) -> MakeIterator<'_> {
        MakeIterator(Node::new(self, "MakeIterator").input(dataset).input(iterator))
    }

    /// Applies a function to each element of a dataset and combines the results into batches. `num_parallel_calls` calls run concurrently; -1 tunes their number.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `batch_size`: a tensor of int64
    /// - `num_parallel_calls`: a tensor of int64
    /// - `drop_remainder`: a tensor of bool
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn map_and_batch_dataset(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, batch_size: impl Input, num_parallel_calls: impl Input, drop_remainder: impl Input, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> MapAndBatchDataset<'_> {
        let mut node = Node::new(self, "MapAndBatchDataset").input(input_dataset).list(other_arguments).input(batch_size).input(num_parallel_calls).input(drop_remainder);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        MapAndBatchDataset(node)
    }

    /// Applies a function to each element of a dataset.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn map_dataset(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> MapDataset<'_> {
        let mut node = Node::new(self, "MapDataset").input(input_dataset).list(other_arguments);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        MapDataset(node)
    }

    /// Calls a function with each row of the arguments and stacks the results.
    ///
    /// - `arguments`: any number of tensors of any dtypes
    /// - `captured_inputs`: any number of tensors of any dtypes
    /// - `output_types`: Dtypes of the results. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of the results of one call. Length at least 1.
    /// - `f`: The function to call.
    ///
    /// `Targuments` is any dtype. `Tcaptured` is any dtype.
    pub fn map_defun(&self, arguments: impl IntoIterator<Item = impl Input>, captured_inputs: impl IntoIterator<Item = impl Input>, output_types: &[DType], output_shapes: &[PartialShape], f: impl Into<Func>) -> MapDefun<'_> {
        let mut node = Node::new(self, "MapDefun").list(arguments).list(captured_inputs);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        node.set("f", Into::<Func>::into(f));
        MapDefun(node)
    }

    /// A dataset of the names of the files that match any of the patterns.
    ///
    /// - `patterns`: a tensor of string
    ///
    /// It has no gradient.
    pub fn matching_files_dataset(&self, patterns: impl Input) -> MatchingFilesDataset<'_> {
        MatchingFilesDataset(Node::new(self, "MatchingFilesDataset").input(patterns))
    }

    /// Passes a dataset through. The limit on parallelism within ops is not used.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `max_intra_op_parallelism`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn max_intra_op_parallelism_dataset(&self, input_dataset: impl Input, max_intra_op_parallelism: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> MaxIntraOpParallelismDataset<'_> {
        let mut node = Node::new(self, "MaxIntraOpParallelismDataset").input(input_dataset).input(max_intra_op_parallelism);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        MaxIntraOpParallelismDataset(node)
    }

    /// A dataset with a budget for the parameters that it tunes itself.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn model_dataset(&self, input_dataset: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ModelDataset<'_> {
        let mut node = Node::new(self, "ModelDataset").input(input_dataset);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ModelDataset(node)
    }

    /// Creates a handle to an iterator that distributes the elements of a dataset over several devices in turn.
    ///
    /// - `devices`: The devices. Length at least 1.
    /// - `shared_name`: Name within the container; empty for the node's name.
    /// - `container`: Container that holds the iterator; empty for the default one.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn multi_device_iterator(&self, devices: &[impl AsRef<[u8]>], shared_name: impl AsRef<[u8]>, container: impl AsRef<[u8]>, output_types: &[DType], output_shapes: &[PartialShape]) -> MultiDeviceIterator<'_> {
        let mut node = Node::new(self, "MultiDeviceIterator");
        node.set("devices", strings(devices));
        node.set("shared_name", string(shared_name));
        node.set("container", string(container));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        MultiDeviceIterator(node)
    }

    /// Converts a string back to the handle of an iterator for several devices.
    ///
    /// - `string_handle`: a tensor of string
    ///
    /// It has no gradient.
    pub fn multi_device_iterator_from_string_handle(&self, string_handle: impl Input) -> MultiDeviceIteratorFromStringHandle<'_> {
        MultiDeviceIteratorFromStringHandle(Node::new(self, "MultiDeviceIteratorFromStringHandle").input(string_handle))
    }

    /// Returns the next element for a device. Fails with `OUT_OF_RANGE` at the end.
    ///
    /// - `multi_device_iterator`: a tensor of resource
    /// - `shard_num`: a tensor of int32
    /// - `incarnation_id`: a tensor of int64
    /// - `output_types`: Dtypes of the element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of the element's components. Length at least 1.
    pub fn multi_device_iterator_get_next_from_shard(&self, multi_device_iterator: impl Input, shard_num: impl Input, incarnation_id: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> MultiDeviceIteratorGetNextFromShard<'_> {
        let mut node = Node::new(self, "MultiDeviceIteratorGetNextFromShard").input(multi_device_iterator).input(shard_num).input(incarnation_id);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        MultiDeviceIteratorGetNextFromShard(node)
    }

    /// Starts an iterator for several devices at the first element of a dataset, and returns its incarnation number.
    ///
    /// - `dataset`: a tensor of variant
    /// - `multi_device_iterator`: a tensor of resource
    /// - `max_buffer_size`: a tensor of int64
    ///
    /// It has no gradient.
    pub fn multi_device_iterator_init(&self, dataset: impl Input, multi_device_iterator: impl Input, max_buffer_size: impl Input) -> MultiDeviceIteratorInit<'_> {
        MultiDeviceIteratorInit(Node::new(self, "MultiDeviceIteratorInit").input(dataset).input(multi_device_iterator).input(max_buffer_size))
    }

    /// Converts the handle of an iterator for several devices to a string.
    ///
    /// - `multi_device_iterator`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn multi_device_iterator_to_string_handle(&self, multi_device_iterator: impl Input) -> MultiDeviceIteratorToStringHandle<'_> {
        MultiDeviceIteratorToStringHandle(Node::new(self, "MultiDeviceIteratorToStringHandle").input(multi_device_iterator))
    }

    /// Passes a dataset through. In TensorFlow it cannot be serialized.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn non_serializable_dataset(&self, input_dataset: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> NonSerializableDataset<'_> {
        let mut node = Node::new(self, "NonSerializableDataset").input(input_dataset);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        NonSerializableDataset(node)
    }

    /// Creates a handle to an iterator over the dataset that a function creates; the function is called once.
    ///
    /// - `dataset_factory`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    pub fn one_shot_iterator(&self, dataset_factory: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> OneShotIterator<'_> {
        let mut node = Node::new(self, "OneShotIterator");
        node.set("dataset_factory", Into::<Func>::into(dataset_factory));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        OneShotIterator(node)
    }

    /// Passes a dataset through. TensorFlow may optimize it.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `optimizations`: a tensor of string
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn optimize_dataset(&self, input_dataset: impl Input, optimizations: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> OptimizeDataset<'_> {
        let mut node = Node::new(self, "OptimizeDataset").input(input_dataset).input(optimizations);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        OptimizeDataset(node)
    }

    /// Passes a dataset through. TensorFlow may optimize it.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `optimizations_enabled`: a tensor of string
    /// - `optimizations_disabled`: a tensor of string
    /// - `optimizations_default`: a tensor of string
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn optimize_dataset_v2(&self, input_dataset: impl Input, optimizations_enabled: impl Input, optimizations_disabled: impl Input, optimizations_default: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> OptimizeDatasetV2<'_> {
        let mut node = Node::new(self, "OptimizeDatasetV2").input(input_dataset).input(optimizations_enabled).input(optimizations_disabled).input(optimizations_default);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        OptimizeDatasetV2(node)
    }

    /// A dataset with options for its computation. They never change its elements; only those for autotuning and `warm_start` are used.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `serialized_options`: The options.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn options_dataset(&self, input_dataset: impl Input, serialized_options: impl AsRef<[u8]>, output_types: &[DType], output_shapes: &[PartialShape]) -> OptionsDataset<'_> {
        let mut node = Node::new(self, "OptionsDataset").input(input_dataset);
        node.set("serialized_options", string(serialized_options));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        OptionsDataset(node)
    }

    /// Combines `batch_size` consecutive elements of a dataset into one; each component becomes the rows of a tensor, padded at the end of each axis to the size in `padded_shapes`, or for -1 to the largest size in the batch.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `batch_size`: a tensor of int64
    /// - `padded_shapes`: any number of tensors of int64
    /// - `padding_values`: any number of tensors of any dtypes
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Toutput_types` is any dtype.
    ///
    /// It has no gradient.
    pub fn padded_batch_dataset(&self, input_dataset: impl Input, batch_size: impl Input, padded_shapes: impl IntoIterator<Item = impl Input>, padding_values: impl IntoIterator<Item = impl Input>, output_shapes: &[PartialShape]) -> PaddedBatchDataset<'_> {
        let mut node = Node::new(self, "PaddedBatchDataset").input(input_dataset).input(batch_size).list(padded_shapes).list(padding_values);
        node.set("output_shapes", output_shapes.to_vec());
        PaddedBatchDataset(node)
    }

    /// Combines `batch_size` consecutive elements of a dataset into one; each component becomes the rows of a tensor, padded at the end of each axis to the size in `padded_shapes`, or for -1 to the largest size in the batch.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `batch_size`: a tensor of int64
    /// - `padded_shapes`: any number of tensors of int64
    /// - `padding_values`: any number of tensors of any dtypes
    /// - `drop_remainder`: a tensor of bool
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Toutput_types` is any dtype.
    ///
    /// It has no gradient.
    pub fn padded_batch_dataset_v2(&self, input_dataset: impl Input, batch_size: impl Input, padded_shapes: impl IntoIterator<Item = impl Input>, padding_values: impl IntoIterator<Item = impl Input>, drop_remainder: impl Input, output_shapes: &[PartialShape]) -> PaddedBatchDatasetV2<'_> {
        let mut node = Node::new(self, "PaddedBatchDatasetV2").input(input_dataset).input(batch_size).list(padded_shapes).list(padding_values).input(drop_remainder);
        node.set("output_shapes", output_shapes.to_vec());
        PaddedBatchDatasetV2(node)
    }

    /// Combines consecutive elements of a dataset into batches; each component becomes the rows of a tensor. `num_parallel_calls` batches are computed before they are requested; -1 tunes their number.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `batch_size`: a tensor of int64
    /// - `num_parallel_calls`: a tensor of int64
    /// - `drop_remainder`: a tensor of bool
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn parallel_batch_dataset(&self, input_dataset: impl Input, batch_size: impl Input, num_parallel_calls: impl Input, drop_remainder: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ParallelBatchDataset<'_> {
        let mut node = Node::new(self, "ParallelBatchDataset").input(input_dataset).input(batch_size).input(num_parallel_calls).input(drop_remainder);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ParallelBatchDataset(node)
    }

    /// Keeps the elements of a dataset for which a predicate is true. `num_parallel_calls` calls run concurrently; -1 tunes their number.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `num_parallel_calls`: a tensor of int64
    /// - `predicate`: The predicate.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn parallel_filter_dataset(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, num_parallel_calls: impl Input, predicate: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> ParallelFilterDataset<'_> {
        let mut node = Node::new(self, "ParallelFilterDataset").input(input_dataset).list(other_arguments).input(num_parallel_calls);
        node.set("predicate", Into::<Func>::into(predicate));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ParallelFilterDataset(node)
    }

    /// Returns the elements of the datasets that a function creates from each element: `block_length` of each of `cycle_length` datasets in turn, computed before they are requested.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `cycle_length`: a tensor of int64
    /// - `block_length`: a tensor of int64
    /// - `sloppy`: a tensor of bool
    /// - `buffer_output_elements`: a tensor of int64
    /// - `prefetch_input_elements`: a tensor of int64
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn parallel_interleave_dataset(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, cycle_length: impl Input, block_length: impl Input, sloppy: impl Input, buffer_output_elements: impl Input, prefetch_input_elements: impl Input, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> ParallelInterleaveDataset<'_> {
        let mut node = Node::new(self, "ParallelInterleaveDataset").input(input_dataset).list(other_arguments).input(cycle_length).input(block_length).input(sloppy).input(buffer_output_elements).input(prefetch_input_elements);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ParallelInterleaveDataset(node)
    }

    /// Returns the elements of the datasets that a function creates from each element: `block_length` of each of `cycle_length` datasets in turn, computed before they are requested.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `cycle_length`: a tensor of int64
    /// - `block_length`: a tensor of int64
    /// - `num_parallel_calls`: a tensor of int64
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn parallel_interleave_dataset_v2(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, cycle_length: impl Input, block_length: impl Input, num_parallel_calls: impl Input, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> ParallelInterleaveDatasetV2<'_> {
        let mut node = Node::new(self, "ParallelInterleaveDatasetV2").input(input_dataset).list(other_arguments).input(cycle_length).input(block_length).input(num_parallel_calls);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ParallelInterleaveDatasetV2(node)
    }

    /// Returns the elements of the datasets that a function creates from each element: `block_length` of each of `cycle_length` datasets in turn, computed before they are requested.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `cycle_length`: a tensor of int64
    /// - `block_length`: a tensor of int64
    /// - `num_parallel_calls`: a tensor of int64
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn parallel_interleave_dataset_v3(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, cycle_length: impl Input, block_length: impl Input, num_parallel_calls: impl Input, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> ParallelInterleaveDatasetV3<'_> {
        let mut node = Node::new(self, "ParallelInterleaveDatasetV3").input(input_dataset).list(other_arguments).input(cycle_length).input(block_length).input(num_parallel_calls);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ParallelInterleaveDatasetV3(node)
    }

    /// Returns the elements of the datasets that a function creates from each element: `block_length` of each of `cycle_length` datasets in turn, computed before they are requested.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `cycle_length`: a tensor of int64
    /// - `block_length`: a tensor of int64
    /// - `buffer_output_elements`: a tensor of int64
    /// - `prefetch_input_elements`: a tensor of int64
    /// - `num_parallel_calls`: a tensor of int64
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn parallel_interleave_dataset_v4(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, cycle_length: impl Input, block_length: impl Input, buffer_output_elements: impl Input, prefetch_input_elements: impl Input, num_parallel_calls: impl Input, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> ParallelInterleaveDatasetV4<'_> {
        let mut node = Node::new(self, "ParallelInterleaveDatasetV4").input(input_dataset).list(other_arguments).input(cycle_length).input(block_length).input(buffer_output_elements).input(prefetch_input_elements).input(num_parallel_calls);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ParallelInterleaveDatasetV4(node)
    }

    /// Applies a function to each element of a dataset. `num_parallel_calls` calls run concurrently; -1 tunes their number.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `num_parallel_calls`: a tensor of int32
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn parallel_map_dataset(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, num_parallel_calls: impl Input, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> ParallelMapDataset<'_> {
        let mut node = Node::new(self, "ParallelMapDataset").input(input_dataset).list(other_arguments).input(num_parallel_calls);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ParallelMapDataset(node)
    }

    /// Applies a function to each element of a dataset. `num_parallel_calls` calls run concurrently; -1 tunes their number.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `num_parallel_calls`: a tensor of int64
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn parallel_map_dataset_v2(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, num_parallel_calls: impl Input, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> ParallelMapDatasetV2<'_> {
        let mut node = Node::new(self, "ParallelMapDatasetV2").input(input_dataset).list(other_arguments).input(num_parallel_calls);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ParallelMapDatasetV2(node)
    }

    /// Parses vectors of serialized examples: a component for each key, in the order of the keys.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `num_parallel_calls`: a tensor of int64
    /// - `dense_defaults`: any number of tensors of any dtypes
    /// - `sparse_keys`: Keys of the sparse features. Length at least 0.
    /// - `dense_keys`: Keys of the dense features. Length at least 0.
    /// - `sparse_types`: Dtypes of the sparse features. Allowed: float32, string, int64. Length at least 0.
    /// - `dense_shapes`: Shapes of the dense features; the first size may be unknown. Length at least 0.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Tdense` is float32, string, int64.
    ///
    /// It has no gradient.
    pub fn parse_example_dataset(&self, input_dataset: impl Input, num_parallel_calls: impl Input, dense_defaults: impl IntoIterator<Item = impl Input>, sparse_keys: &[impl AsRef<[u8]>], dense_keys: &[impl AsRef<[u8]>], sparse_types: &[DType], dense_shapes: &[PartialShape], output_types: &[DType], output_shapes: &[PartialShape]) -> ParseExampleDataset<'_> {
        let mut node = Node::new(self, "ParseExampleDataset").input(input_dataset).input(num_parallel_calls).list(dense_defaults);
        node.set("sparse_keys", strings(sparse_keys));
        node.set("dense_keys", strings(dense_keys));
        node.set("sparse_types", sparse_types.to_vec());
        node.set("dense_shapes", dense_shapes.to_vec());
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ParseExampleDataset(node)
    }

    /// Parses vectors of serialized examples: a component for each key, in the order of the keys.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `num_parallel_calls`: a tensor of int64
    /// - `dense_defaults`: any number of tensors of any dtypes
    /// - `sparse_keys`: Keys of the sparse features. Length at least 0.
    /// - `dense_keys`: Keys of the dense features. Length at least 0.
    /// - `sparse_types`: Dtypes of the sparse features. Allowed: float32, string, int64. Length at least 0.
    /// - `dense_shapes`: Shapes of the dense features; the first size may be unknown. Length at least 0.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Tdense` is float32, string, int64.
    ///
    /// It has no gradient.
    pub fn parse_example_dataset_v2(&self, input_dataset: impl Input, num_parallel_calls: impl Input, dense_defaults: impl IntoIterator<Item = impl Input>, sparse_keys: &[impl AsRef<[u8]>], dense_keys: &[impl AsRef<[u8]>], sparse_types: &[DType], dense_shapes: &[PartialShape], output_types: &[DType], output_shapes: &[PartialShape]) -> ParseExampleDatasetV2<'_> {
        let mut node = Node::new(self, "ParseExampleDatasetV2").input(input_dataset).input(num_parallel_calls).list(dense_defaults);
        node.set("sparse_keys", strings(sparse_keys));
        node.set("dense_keys", strings(dense_keys));
        node.set("sparse_types", sparse_types.to_vec());
        node.set("dense_shapes", dense_shapes.to_vec());
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ParseExampleDatasetV2(node)
    }

    /// Computes `buffer_size` elements of a dataset before they are requested; -1 tunes their number.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `buffer_size`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn prefetch_dataset(&self, input_dataset: impl Input, buffer_size: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> PrefetchDataset<'_> {
        let mut node = Node::new(self, "PrefetchDataset").input(input_dataset).input(buffer_size);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        PrefetchDataset(node)
    }

    /// Passes a dataset through. TensorFlow gives it threads of its own; here it uses the session's threads.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `num_threads`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn private_thread_pool_dataset(&self, input_dataset: impl Input, num_threads: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> PrivateThreadPoolDataset<'_> {
        let mut node = Node::new(self, "PrivateThreadPoolDataset").input(input_dataset).input(num_threads);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        PrivateThreadPoolDataset(node)
    }

    /// An infinite dataset of random 32-bit numbers.
    ///
    /// - `seed`: a tensor of int64
    /// - `seed2`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn random_dataset(&self, seed: impl Input, seed2: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> RandomDataset<'_> {
        let mut node = Node::new(self, "RandomDataset").input(seed).input(seed2);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        RandomDataset(node)
    }

    /// An infinite dataset of random 32-bit numbers.
    ///
    /// - `seed`: a tensor of int64
    /// - `seed2`: a tensor of int64
    /// - `seed_generator`: a tensor of resource
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn random_dataset_v2(&self, seed: impl Input, seed2: impl Input, seed_generator: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> RandomDatasetV2<'_> {
        let mut node = Node::new(self, "RandomDatasetV2").input(seed).input(seed2).input(seed_generator);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        RandomDatasetV2(node)
    }

    /// A dataset of the numbers from `start` up to but not including `stop` in steps of `step`.
    ///
    /// - `start`: a tensor of int64
    /// - `stop`: a tensor of int64
    /// - `step`: a tensor of int64
    /// - `output_types`: The dtype of the numbers. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn range_dataset(&self, start: impl Input, stop: impl Input, step: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> RangeDataset<'_> {
        let mut node = Node::new(self, "RangeDataset").input(start).input(stop).input(step);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        RangeDataset(node)
    }

    /// Splits each batch of a dataset into `num_replicas` batches.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `num_replicas`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn rebatch_dataset(&self, input_dataset: impl Input, num_replicas: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> RebatchDataset<'_> {
        let mut node = Node::new(self, "RebatchDataset").input(input_dataset).input(num_replicas);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        RebatchDataset(node)
    }

    /// Regroups the rows of a dataset's batches into batches of the given sizes, cyclically.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `batch_sizes`: a tensor of int64
    /// - `drop_remainder`: a tensor of bool
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn rebatch_dataset_v2(&self, input_dataset: impl Input, batch_sizes: impl Input, drop_remainder: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> RebatchDatasetV2<'_> {
        let mut node = Node::new(self, "RebatchDatasetV2").input(input_dataset).input(batch_sizes).input(drop_remainder);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        RebatchDatasetV2(node)
    }

    /// Reduces all elements to a state: the function is called with the state and each element, and returns the new state.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `initial_state`: any number of tensors of any dtypes
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of the state. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of the state. Length at least 1.
    ///
    /// `Tstate` is any dtype. `Targuments` is any dtype.
    pub fn reduce_dataset(&self, input_dataset: impl Input, initial_state: impl IntoIterator<Item = impl Input>, other_arguments: impl IntoIterator<Item = impl Input>, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> ReduceDataset<'_> {
        let mut node = Node::new(self, "ReduceDataset").input(input_dataset).list(initial_state).list(other_arguments);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ReduceDataset(node)
    }

    /// Repeats a dataset `count` times; indefinitely for -1.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `count`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn repeat_dataset(&self, input_dataset: impl Input, count: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> RepeatDataset<'_> {
        let mut node = Node::new(self, "RepeatDataset").input(input_dataset).input(count);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        RepeatDataset(node)
    }

    /// Passes a dataset through. TensorFlow may rewrite it.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `rewrite_name`: a tensor of string
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn rewrite_dataset(&self, input_dataset: impl Input, rewrite_name: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> RewriteDataset<'_> {
        let mut node = Node::new(self, "RewriteDataset").input(input_dataset).input(rewrite_name);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        RewriteDataset(node)
    }

    /// Keeps each element of a dataset with probability `rate`.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `rate`: a tensor of float32
    /// - `seed`: a tensor of int64
    /// - `seed2`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn sampling_dataset(&self, input_dataset: impl Input, rate: impl Input, seed: impl Input, seed2: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> SamplingDataset<'_> {
        let mut node = Node::new(self, "SamplingDataset").input(input_dataset).input(rate).input(seed).input(seed2);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        SamplingDataset(node)
    }

    /// Writes all elements of a dataset to a directory.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `path`: a tensor of string
    /// - `shard_func_other_args`: any number of tensors of any dtypes
    /// - `shard_func`: Returns the index of the shard for an element.
    ///
    /// `Tshard_func_args` is any dtype.
    pub fn save_dataset(&self, input_dataset: impl Input, path: impl Input, shard_func_other_args: impl IntoIterator<Item = impl Input>, shard_func: impl Into<Func>) -> SaveDataset<'_> {
        let mut node = Node::new(self, "SaveDataset").input(input_dataset).input(path).list(shard_func_other_args);
        node.set("shard_func", Into::<Func>::into(shard_func));
        SaveDataset(node)
    }

    /// Returns the elements of a dataset and writes them to a directory as they are returned.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `path`: a tensor of string
    /// - `shard_func_other_args`: any number of tensors of any dtypes
    /// - `shard_func`: Returns the index of the shard for an element.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Tshard_func_args` is any dtype.
    ///
    /// It has no gradient.
    pub fn save_dataset_v2(&self, input_dataset: impl Input, path: impl Input, shard_func_other_args: impl IntoIterator<Item = impl Input>, shard_func: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> SaveDatasetV2<'_> {
        let mut node = Node::new(self, "SaveDatasetV2").input(input_dataset).input(path).list(shard_func_other_args);
        node.set("shard_func", Into::<Func>::into(shard_func));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        SaveDatasetV2(node)
    }

    /// Applies a function to a state and each element of a dataset. The function returns the new state, followed by the resulting element.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `initial_state`: any number of tensors of any dtypes
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `f`: The function to call.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Tstate` is any dtype. `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn scan_dataset(&self, input_dataset: impl Input, initial_state: impl IntoIterator<Item = impl Input>, other_arguments: impl IntoIterator<Item = impl Input>, f: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> ScanDataset<'_> {
        let mut node = Node::new(self, "ScanDataset").input(input_dataset).list(initial_state).list(other_arguments);
        node.set("f", Into::<Func>::into(f));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ScanDataset(node)
    }

    /// Returns the position of an iterator, which does not move.
    ///
    /// - `resource_handle`: a tensor of resource
    pub fn serialize_iterator(&self, resource_handle: impl Input) -> SerializeIterator<'_> {
        SerializeIterator(Node::new(self, "SerializeIterator").input(resource_handle))
    }

    /// Makes the stages of a dataset report statistics to a collector. `counter_prefix` is not used.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `stats_aggregator`: a tensor of resource
    /// - `tag`: a tensor of string
    /// - `counter_prefix`: a tensor of string
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn set_stats_aggregator_dataset(&self, input_dataset: impl Input, stats_aggregator: impl Input, tag: impl Input, counter_prefix: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> SetStatsAggregatorDataset<'_> {
        let mut node = Node::new(self, "SetStatsAggregatorDataset").input(input_dataset).input(stats_aggregator).input(tag).input(counter_prefix);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        SetStatsAggregatorDataset(node)
    }

    /// Keeps the elements of a dataset whose index modulo `num_shards` is `index`.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `num_shards`: a tensor of int64
    /// - `index`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn shard_dataset(&self, input_dataset: impl Input, num_shards: impl Input, index: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ShardDataset<'_> {
        let mut node = Node::new(self, "ShardDataset").input(input_dataset).input(num_shards).input(index);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ShardDataset(node)
    }

    /// Shuffles a dataset and repeats it `count` times: each element is drawn at random from a buffer of the next `buffer_size` elements. All elements of one repetition come before those of the next.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `buffer_size`: a tensor of int64
    /// - `seed`: a tensor of int64
    /// - `seed2`: a tensor of int64
    /// - `count`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn shuffle_and_repeat_dataset(&self, input_dataset: impl Input, buffer_size: impl Input, seed: impl Input, seed2: impl Input, count: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ShuffleAndRepeatDataset<'_> {
        let mut node = Node::new(self, "ShuffleAndRepeatDataset").input(input_dataset).input(buffer_size).input(seed).input(seed2).input(count);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ShuffleAndRepeatDataset(node)
    }

    /// Shuffles a dataset and repeats it `count` times: each element is drawn at random from a buffer of the next `buffer_size` elements. All elements of one repetition come before those of the next.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `buffer_size`: a tensor of int64
    /// - `seed`: a tensor of int64
    /// - `seed2`: a tensor of int64
    /// - `count`: a tensor of int64
    /// - `seed_generator`: a tensor of resource
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn shuffle_and_repeat_dataset_v2(&self, input_dataset: impl Input, buffer_size: impl Input, seed: impl Input, seed2: impl Input, count: impl Input, seed_generator: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ShuffleAndRepeatDatasetV2<'_> {
        let mut node = Node::new(self, "ShuffleAndRepeatDatasetV2").input(input_dataset).input(buffer_size).input(seed).input(seed2).input(count).input(seed_generator);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ShuffleAndRepeatDatasetV2(node)
    }

    /// Shuffles a dataset: each element is drawn at random from a buffer of the next `buffer_size` elements.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `buffer_size`: a tensor of int64
    /// - `seed`: a tensor of int64
    /// - `seed2`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn shuffle_dataset(&self, input_dataset: impl Input, buffer_size: impl Input, seed: impl Input, seed2: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ShuffleDataset<'_> {
        let mut node = Node::new(self, "ShuffleDataset").input(input_dataset).input(buffer_size).input(seed).input(seed2);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ShuffleDataset(node)
    }

    /// Shuffles a dataset: each element is drawn at random from a buffer of the next `buffer_size` elements.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `buffer_size`: a tensor of int64
    /// - `seed_generator`: a tensor of resource
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn shuffle_dataset_v2(&self, input_dataset: impl Input, buffer_size: impl Input, seed_generator: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ShuffleDatasetV2<'_> {
        let mut node = Node::new(self, "ShuffleDatasetV2").input(input_dataset).input(buffer_size).input(seed_generator);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ShuffleDatasetV2(node)
    }

    /// Shuffles a dataset: each element is drawn at random from a buffer of the next `buffer_size` elements.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `buffer_size`: a tensor of int64
    /// - `seed`: a tensor of int64
    /// - `seed2`: a tensor of int64
    /// - `seed_generator`: a tensor of resource
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn shuffle_dataset_v3(&self, input_dataset: impl Input, buffer_size: impl Input, seed: impl Input, seed2: impl Input, seed_generator: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ShuffleDatasetV3<'_> {
        let mut node = Node::new(self, "ShuffleDatasetV3").input(input_dataset).input(buffer_size).input(seed).input(seed2).input(seed_generator);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ShuffleDatasetV3(node)
    }

    /// Skips the first `count` elements of a dataset; all of them for -1.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `count`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn skip_dataset(&self, input_dataset: impl Input, count: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> SkipDataset<'_> {
        let mut node = Node::new(self, "SkipDataset").input(input_dataset).input(count);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        SkipDataset(node)
    }

    /// Passes a dataset through. TensorFlow delays each element by `sleep_microseconds`, for tests.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `sleep_microseconds`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn sleep_dataset(&self, input_dataset: impl Input, sleep_microseconds: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> SleepDataset<'_> {
        let mut node = Node::new(self, "SleepDataset").input(input_dataset).input(sleep_microseconds);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        SleepDataset(node)
    }

    /// Groups the elements of a dataset into sliding windows; each component becomes the rows of a tensor. A window has `window_size` elements, `window_stride` apart; the next window starts `window_shift` elements later.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `window_size`: a tensor of int64
    /// - `window_shift`: a tensor of int64
    /// - `window_stride`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn sliding_window_dataset(&self, input_dataset: impl Input, window_size: impl Input, window_shift: impl Input, window_stride: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> SlidingWindowDataset<'_> {
        let mut node = Node::new(self, "SlidingWindowDataset").input(input_dataset).input(window_size).input(window_shift).input(window_stride);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        SlidingWindowDataset(node)
    }

    /// Returns the elements of a file of a snapshot.
    ///
    /// - `chunk_file`: a tensor of string
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn snapshot_chunk_dataset(&self, chunk_file: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> SnapshotChunkDataset<'_> {
        let mut node = Node::new(self, "SnapshotChunkDataset").input(chunk_file);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        SnapshotChunkDataset(node)
    }

    /// A dataset that is written to files on the first read, and read from these afterwards.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `path`: a tensor of string
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn snapshot_dataset(&self, input_dataset: impl Input, path: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> SnapshotDataset<'_> {
        let mut node = Node::new(self, "SnapshotDataset").input(input_dataset).input(path);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        SnapshotDataset(node)
    }

    /// Returns the elements of a shard of a snapshot, or of a directory written by `SaveDataset`, starting at a given index.
    ///
    /// - `shard_dir`: a tensor of string
    /// - `start_index`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    /// - `version`: Version of the layout, which must be 2.
    ///
    /// It has no gradient.
    pub fn snapshot_dataset_reader(&self, shard_dir: impl Input, start_index: impl Input, output_types: &[DType], output_shapes: &[PartialShape], version: i64) -> SnapshotDatasetReader<'_> {
        let mut node = Node::new(self, "SnapshotDatasetReader").input(shard_dir).input(start_index);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        node.set("version", version);
        SnapshotDatasetReader(node)
    }

    /// A dataset that is written to files on the first read, and read from these afterwards: `shard_func` chooses the shard of each element, and `reader_func` creates the dataset from one of the shards.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `path`: a tensor of string
    /// - `reader_func_other_args`: any number of tensors of any dtypes
    /// - `shard_func_other_args`: any number of tensors of any dtypes
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    /// - `reader_func`: Builds the dataset from a dataset of the shards.
    /// - `shard_func`: Returns the index of the shard for an element.
    ///
    /// `Treader_func_args` is any dtype. `Tshard_func_args` is any dtype.
    ///
    /// It has no gradient.
    pub fn snapshot_dataset_v2(&self, input_dataset: impl Input, path: impl Input, reader_func_other_args: impl IntoIterator<Item = impl Input>, shard_func_other_args: impl IntoIterator<Item = impl Input>, output_types: &[DType], output_shapes: &[PartialShape], reader_func: impl Into<Func>, shard_func: impl Into<Func>) -> SnapshotDatasetV2<'_> {
        let mut node = Node::new(self, "SnapshotDatasetV2").input(input_dataset).input(path).list(reader_func_other_args).list(shard_func_other_args);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        node.set("reader_func", Into::<Func>::into(reader_func));
        node.set("shard_func", Into::<Func>::into(shard_func));
        SnapshotDatasetV2(node)
    }

    /// A dataset whose elements are datasets.
    ///
    /// - `inputs`: any number of tensors of variant
    /// - `output_types`: Dtypes of an element of the datasets. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element of the datasets. Length at least 1.
    ///
    /// It has no gradient.
    pub fn snapshot_nested_dataset_reader(&self, inputs: impl IntoIterator<Item = impl Input>, output_types: &[DType], output_shapes: &[PartialShape]) -> SnapshotNestedDatasetReader<'_> {
        let mut node = Node::new(self, "SnapshotNestedDatasetReader").list(inputs);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        SnapshotNestedDatasetReader(node)
    }

    /// A dataset of the rows of a sparse tensor: the indices, values and shape of each.
    ///
    /// - `indices`: a tensor of int64
    /// - `values`: a tensor of `Tvalues`
    /// - `dense_shape`: a tensor of int64
    ///
    /// `Tvalues` is any dtype.
    ///
    /// It has no gradient.
    pub fn sparse_tensor_slice_dataset(&self, indices: impl Input, values: impl Input, dense_shape: impl Input) -> SparseTensorSliceDataset<'_> {
        SparseTensorSliceDataset(Node::new(self, "SparseTensorSliceDataset").input(indices).input(values).input(dense_shape))
    }

    /// Creates a handle to a collector of statistics of the elements of datasets.
    ///
    /// It has no gradient.
    pub fn stats_aggregator_handle(&self) -> StatsAggregatorHandle<'_> {
        StatsAggregatorHandle(Node::new(self, "StatsAggregatorHandle"))
    }

    /// Creates a handle to a collector that writes statistics of the elements of datasets to an event file.
    ///
    /// It has no gradient.
    pub fn stats_aggregator_handle_v2(&self) -> StatsAggregatorHandleV2<'_> {
        StatsAggregatorHandleV2(Node::new(self, "StatsAggregatorHandleV2"))
    }

    /// Sets the event file to which a `StatsAggregatorHandleV2` writes statistics.
    ///
    /// - `stats_aggregator`: a tensor of resource
    /// - `summary`: a tensor of resource
    pub fn stats_aggregator_set_summary_writer(&self, stats_aggregator: impl Input, summary: impl Input) -> StatsAggregatorSetSummaryWriter<'_> {
        StatsAggregatorSetSummaryWriter(Node::new(self, "StatsAggregatorSetSummaryWriter").input(stats_aggregator).input(summary))
    }

    /// Returns a summary of the collected statistics: a histogram for each tag.
    ///
    /// - `iterator`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn stats_aggregator_summary(&self, iterator: impl Input) -> StatsAggregatorSummary<'_> {
        StatsAggregatorSummary(Node::new(self, "StatsAggregatorSummary").input(iterator))
    }

    /// Reads the records of TFRecord files.
    ///
    /// - `filenames`: a tensor of string
    /// - `compression_type`: a tensor of string
    /// - `buffer_size`: a tensor of int64
    ///
    /// It has no gradient.
    pub fn tf_record_dataset(&self, filenames: impl Input, compression_type: impl Input, buffer_size: impl Input) -> TFRecordDataset<'_> {
        TFRecordDataset(Node::new(self, "TFRecordDataset").input(filenames).input(compression_type).input(buffer_size))
    }

    /// Reads the records of TFRecord files.
    ///
    /// - `filenames`: a tensor of string
    /// - `compression_type`: a tensor of string
    /// - `buffer_size`: a tensor of int64
    /// - `byte_offsets`: a tensor of int64
    ///
    /// It has no gradient.
    pub fn tf_record_dataset_v2(&self, filenames: impl Input, compression_type: impl Input, buffer_size: impl Input, byte_offsets: impl Input) -> TFRecordDatasetV2<'_> {
        TFRecordDatasetV2(Node::new(self, "TFRecordDatasetV2").input(filenames).input(compression_type).input(buffer_size).input(byte_offsets))
    }

    /// Returns the first `count` elements of a dataset; all of them for -1.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `count`: a tensor of int64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn take_dataset(&self, input_dataset: impl Input, count: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> TakeDataset<'_> {
        let mut node = Node::new(self, "TakeDataset").input(input_dataset).input(count);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        TakeDataset(node)
    }

    /// Returns the elements of a dataset until a predicate is false.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `other_arguments`: any number of tensors of any dtypes
    /// - `predicate`: The predicate.
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Targuments` is any dtype.
    ///
    /// It has no gradient.
    pub fn take_while_dataset(&self, input_dataset: impl Input, other_arguments: impl IntoIterator<Item = impl Input>, predicate: impl Into<Func>, output_types: &[DType], output_shapes: &[PartialShape]) -> TakeWhileDataset<'_> {
        let mut node = Node::new(self, "TakeWhileDataset").input(input_dataset).list(other_arguments);
        node.set("predicate", Into::<Func>::into(predicate));
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        TakeWhileDataset(node)
    }

    /// A dataset of one element with these components.
    ///
    /// - `components`: any number of tensors of any dtypes
    /// - `output_shapes`: Shapes of the element's components. Length at least 1.
    ///
    /// `Toutput_types` is any dtype.
    ///
    /// It has no gradient.
    pub fn tensor_dataset(&self, components: impl IntoIterator<Item = impl Input>, output_shapes: &[PartialShape]) -> TensorDataset<'_> {
        let mut node = Node::new(self, "TensorDataset").list(components);
        node.set("output_shapes", output_shapes.to_vec());
        TensorDataset(node)
    }

    /// A dataset with one element for each row of the components.
    ///
    /// - `components`: any number of tensors of any dtypes
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// `Toutput_types` is any dtype.
    ///
    /// It has no gradient.
    pub fn tensor_slice_dataset(&self, components: impl IntoIterator<Item = impl Input>, output_shapes: &[PartialShape]) -> TensorSliceDataset<'_> {
        let mut node = Node::new(self, "TensorSliceDataset").list(components);
        node.set("output_shapes", output_shapes.to_vec());
        TensorSliceDataset(node)
    }

    /// Reads the lines of files, without line ends.
    ///
    /// - `filenames`: a tensor of string
    /// - `compression_type`: a tensor of string
    /// - `buffer_size`: a tensor of int64
    ///
    /// It has no gradient.
    pub fn text_line_dataset(&self, filenames: impl Input, compression_type: impl Input, buffer_size: impl Input) -> TextLineDataset<'_> {
        TextLineDataset(Node::new(self, "TextLineDataset").input(filenames).input(compression_type).input(buffer_size))
    }

    /// Passes a dataset through. The thread pool is not used: it runs on the session's threads.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `thread_pool`: a tensor of resource
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn thread_pool_dataset(&self, input_dataset: impl Input, thread_pool: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> ThreadPoolDataset<'_> {
        let mut node = Node::new(self, "ThreadPoolDataset").input(input_dataset).input(thread_pool);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ThreadPoolDataset(node)
    }

    /// Creates a handle to a thread pool. Datasets use the session's threads instead.
    ///
    /// - `num_threads`: Not used.
    /// - `display_name`: Not used.
    ///
    /// It has no gradient.
    pub fn thread_pool_handle(&self, num_threads: i64, display_name: impl AsRef<[u8]>) -> ThreadPoolHandle<'_> {
        let mut node = Node::new(self, "ThreadPoolHandle");
        node.set("num_threads", num_threads);
        node.set("display_name", string(display_name));
        ThreadPoolHandle(node)
    }

    /// Splits each element of a dataset into its rows.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn unbatch_dataset(&self, input_dataset: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> UnbatchDataset<'_> {
        let mut node = Node::new(self, "UnbatchDataset").input(input_dataset);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        UnbatchDataset(node)
    }

    /// Returns the tensors packed into a variant.
    ///
    /// - `compressed`: a tensor of variant
    /// - `output_types`: Dtypes of the tensors. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of the tensors. Length at least 1.
    ///
    /// It has no gradient.
    pub fn uncompress_element(&self, compressed: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> UncompressElement<'_> {
        let mut node = Node::new(self, "UncompressElement").input(compressed);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        UncompressElement(node)
    }

    /// Removes duplicate elements, keeping the first occurrence of each.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn unique_dataset(&self, input_dataset: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> UniqueDataset<'_> {
        let mut node = Node::new(self, "UniqueDataset").input(input_dataset);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        UniqueDataset(node)
    }

    /// Returns the wrapped dataset.
    ///
    /// - `input_handle`: a tensor of variant
    ///
    /// It has no gradient.
    pub fn unwrap_dataset_variant(&self, input_handle: impl Input) -> UnwrapDatasetVariant<'_> {
        UnwrapDatasetVariant(Node::new(self, "UnwrapDatasetVariant").input(input_handle))
    }

    /// Returns elements of several datasets, one dataset after the other; the number of elements of each is proportional to its weight, such that one of them is used up.
    ///
    /// - `input_datasets`: any number of tensors of variant
    /// - `weights`: any number of tensors of float64
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn weighted_flat_map_dataset(&self, input_datasets: impl IntoIterator<Item = impl Input>, weights: impl IntoIterator<Item = impl Input>, output_types: &[DType], output_shapes: &[PartialShape]) -> WeightedFlatMapDataset<'_> {
        let mut node = Node::new(self, "WeightedFlatMapDataset").list(input_datasets).list(weights);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        WeightedFlatMapDataset(node)
    }

    /// Groups the elements of a dataset into windows: for each component a dataset of `size` of its values, `stride` apart. The next window starts `shift` elements later.
    ///
    /// - `input_dataset`: a tensor of variant
    /// - `size`: a tensor of int64
    /// - `shift`: a tensor of int64
    /// - `stride`: a tensor of int64
    /// - `drop_remainder`: a tensor of bool
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn window_dataset(&self, input_dataset: impl Input, size: impl Input, shift: impl Input, stride: impl Input, drop_remainder: impl Input, output_types: &[DType], output_shapes: &[PartialShape]) -> WindowDataset<'_> {
        let mut node = Node::new(self, "WindowDataset").input(input_dataset).input(size).input(shift).input(stride).input(drop_remainder);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        WindowDataset(node)
    }

    /// Wraps a dataset so that it may be copied between devices.
    ///
    /// - `input_handle`: a tensor of variant
    ///
    /// It has no gradient.
    pub fn wrap_dataset_variant(&self, input_handle: impl Input) -> WrapDatasetVariant<'_> {
        WrapDatasetVariant(Node::new(self, "WrapDatasetVariant").input(input_handle))
    }

    /// Returns elements that combine one element of each of several datasets, until one of these ends.
    ///
    /// - `input_datasets`: any number of tensors of variant
    /// - `output_types`: Dtypes of an element's components. Allowed: any dtype. Length at least 1.
    /// - `output_shapes`: Shapes of an element's components. Length at least 1.
    ///
    /// It has no gradient.
    pub fn zip_dataset(&self, input_datasets: impl IntoIterator<Item = impl Input>, output_types: &[DType], output_shapes: &[PartialShape]) -> ZipDataset<'_> {
        let mut node = Node::new(self, "ZipDataset").list(input_datasets);
        node.set("output_types", output_types.to_vec());
        node.set("output_shapes", output_shapes.to_vec());
        ZipDataset(node)
    }
}

/// A node of [`AnonymousIterator`](Ops::anonymous_iterator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AnonymousIterator<'a>(Node<'a>);

/// A node of [`AnonymousIteratorV2`](Ops::anonymous_iterator_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AnonymousIteratorV2<'a>(Node<'a>);

impl AnonymousIteratorV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> AnonymousIteratorV2Outputs {
        let mut outputs = self.0.outputs();
        AnonymousIteratorV2Outputs { handle: outputs.one(), deleter: outputs.one() }
    }
}

/// The outputs of [`AnonymousIteratorV2`](Ops::anonymous_iterator_v2).
#[derive(Clone, Copy, Debug)]
pub struct AnonymousIteratorV2Outputs {
    /// A tensor of resource.
    pub handle: Output,
    /// A tensor of variant.
    pub deleter: Output,
}

/// A node of [`AnonymousIteratorV3`](Ops::anonymous_iterator_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AnonymousIteratorV3<'a>(Node<'a>);

/// A node of [`AnonymousMemoryCache`](Ops::anonymous_memory_cache) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AnonymousMemoryCache<'a>(Node<'a>);

impl AnonymousMemoryCache<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> AnonymousMemoryCacheOutputs {
        let mut outputs = self.0.outputs();
        AnonymousMemoryCacheOutputs { handle: outputs.one(), deleter: outputs.one() }
    }
}

/// The outputs of [`AnonymousMemoryCache`](Ops::anonymous_memory_cache).
#[derive(Clone, Copy, Debug)]
pub struct AnonymousMemoryCacheOutputs {
    /// A tensor of resource.
    pub handle: Output,
    /// A tensor of variant.
    pub deleter: Output,
}

/// A node of [`AnonymousMultiDeviceIterator`](Ops::anonymous_multi_device_iterator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AnonymousMultiDeviceIterator<'a>(Node<'a>);

impl AnonymousMultiDeviceIterator<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> AnonymousMultiDeviceIteratorOutputs {
        let mut outputs = self.0.outputs();
        AnonymousMultiDeviceIteratorOutputs { handle: outputs.one(), deleter: outputs.one() }
    }
}

/// The outputs of [`AnonymousMultiDeviceIterator`](Ops::anonymous_multi_device_iterator).
#[derive(Clone, Copy, Debug)]
pub struct AnonymousMultiDeviceIteratorOutputs {
    /// A tensor of resource.
    pub handle: Output,
    /// A tensor of variant.
    pub deleter: Output,
}

/// A node of [`AnonymousMultiDeviceIteratorV3`](Ops::anonymous_multi_device_iterator_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AnonymousMultiDeviceIteratorV3<'a>(Node<'a>);

/// A node of [`AnonymousRandomSeedGenerator`](Ops::anonymous_random_seed_generator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AnonymousRandomSeedGenerator<'a>(Node<'a>);

impl AnonymousRandomSeedGenerator<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> AnonymousRandomSeedGeneratorOutputs {
        let mut outputs = self.0.outputs();
        AnonymousRandomSeedGeneratorOutputs { handle: outputs.one(), deleter: outputs.one() }
    }
}

/// The outputs of [`AnonymousRandomSeedGenerator`](Ops::anonymous_random_seed_generator).
#[derive(Clone, Copy, Debug)]
pub struct AnonymousRandomSeedGeneratorOutputs {
    /// A tensor of resource.
    pub handle: Output,
    /// A tensor of variant.
    pub deleter: Output,
}

/// A node of [`AnonymousSeedGenerator`](Ops::anonymous_seed_generator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AnonymousSeedGenerator<'a>(Node<'a>);

impl AnonymousSeedGenerator<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> AnonymousSeedGeneratorOutputs {
        let mut outputs = self.0.outputs();
        AnonymousSeedGeneratorOutputs { handle: outputs.one(), deleter: outputs.one() }
    }
}

/// The outputs of [`AnonymousSeedGenerator`](Ops::anonymous_seed_generator).
#[derive(Clone, Copy, Debug)]
pub struct AnonymousSeedGeneratorOutputs {
    /// A tensor of resource.
    pub handle: Output,
    /// A tensor of variant.
    pub deleter: Output,
}

/// A node of [`AssertCardinalityDataset`](Ops::assert_cardinality_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AssertCardinalityDataset<'a>(Node<'a>);

/// A node of [`AssertNextDataset`](Ops::assert_next_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AssertNextDataset<'a>(Node<'a>);

/// A node of [`AssertPrevDataset`](Ops::assert_prev_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AssertPrevDataset<'a>(Node<'a>);

/// A node of [`AutoShardDataset`](Ops::auto_shard_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AutoShardDataset<'a>(Node<'a>);

impl AutoShardDataset<'_> {
    /// What to shard: -1 for nothing, 0 for files if possible and elements otherwise, 1 for files, 2 for elements, 3 for `ShardDataset` nodes whose `num_shards` is -1. Default: `0`.
    pub fn auto_shard_policy(mut self, auto_shard_policy: i64) -> Self {
        self.0.set("auto_shard_policy", auto_shard_policy);
        self
    }

    /// Number of batches into which the final `RebatchDatasetV2` splits each batch when elements are sharded. Default: `0`.
    pub fn num_replicas(mut self, num_replicas: i64) -> Self {
        self.0.set("num_replicas", num_replicas);
        self
    }
}

/// A node of [`BatchDataset`](Ops::batch_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchDataset<'a>(Node<'a>);

impl BatchDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`BatchDatasetV2`](Ops::batch_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchDatasetV2<'a>(Node<'a>);

impl BatchDatasetV2<'_> {
    /// Not used. Default: `false`.
    pub fn parallel_copy(mut self, parallel_copy: bool) -> Self {
        self.0.set("parallel_copy", parallel_copy);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`BytesProducedStatsDataset`](Ops::bytes_produced_stats_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BytesProducedStatsDataset<'a>(Node<'a>);

/// A node of [`CSVDataset`](Ops::csv_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CSVDataset<'a>(Node<'a>);

/// A node of [`CSVDatasetV2`](Ops::csv_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CSVDatasetV2<'a>(Node<'a>);

/// A node of [`CacheDataset`](Ops::cache_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CacheDataset<'a>(Node<'a>);

impl CacheDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`CacheDatasetV2`](Ops::cache_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CacheDatasetV2<'a>(Node<'a>);

impl CacheDatasetV2<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ChooseFastestBranchDataset`](Ops::choose_fastest_branch_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ChooseFastestBranchDataset<'a>(Node<'a>);

/// A node of [`ChooseFastestDataset`](Ops::choose_fastest_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ChooseFastestDataset<'a>(Node<'a>);

/// A node of [`CompressElement`](Ops::compress_element) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CompressElement<'a>(Node<'a>);

/// A node of [`ComputeBatchSize`](Ops::compute_batch_size) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ComputeBatchSize<'a>(Node<'a>);

/// A node of [`ConcatenateDataset`](Ops::concatenate_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ConcatenateDataset<'a>(Node<'a>);

impl ConcatenateDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`DatasetCardinality`](Ops::dataset_cardinality) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DatasetCardinality<'a>(Node<'a>);

impl DatasetCardinality<'_> {
    /// How much computation is allowed: with a `compute_level` of `CARDINALITY_COMPUTE_MODERATE`, the functions of a `FlatMapDataset` are called to count the elements of their datasets. Default: `""`.
    pub fn cardinality_options(mut self, cardinality_options: impl AsRef<[u8]>) -> Self {
        self.0.set("cardinality_options", string(cardinality_options));
        self
    }
}

/// A node of [`DatasetFingerprint`](Ops::dataset_fingerprint) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DatasetFingerprint<'a>(Node<'a>);

/// A node of [`DatasetFromGraph`](Ops::dataset_from_graph) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DatasetFromGraph<'a>(Node<'a>);

/// A node of [`DatasetToGraph`](Ops::dataset_to_graph) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DatasetToGraph<'a>(Node<'a>);

impl DatasetToGraph<'_> {
    /// Not used. Default: none.
    pub fn stateful_whitelist(mut self, stateful_whitelist: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("stateful_whitelist", strings(stateful_whitelist));
        self
    }

    /// Not used. Default: `false`.
    pub fn allow_stateful(mut self, allow_stateful: bool) -> Self {
        self.0.set("allow_stateful", allow_stateful);
        self
    }

    /// Not used: the nodes have no devices. Default: `false`.
    pub fn strip_device_assignment(mut self, strip_device_assignment: bool) -> Self {
        self.0.set("strip_device_assignment", strip_device_assignment);
        self
    }
}

/// A node of [`DatasetToGraphV2`](Ops::dataset_to_graph_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DatasetToGraphV2<'a>(Node<'a>);

impl DatasetToGraphV2<'_> {
    /// Not used: state belongs to the session. Default: `0`.
    pub fn external_state_policy(mut self, external_state_policy: i64) -> Self {
        self.0.set("external_state_policy", external_state_policy);
        self
    }

    /// Not used: the nodes have no devices. Default: `false`.
    pub fn strip_device_assignment(mut self, strip_device_assignment: bool) -> Self {
        self.0.set("strip_device_assignment", strip_device_assignment);
        self
    }
}

/// A node of [`DatasetToSingleElement`](Ops::dataset_to_single_element) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DatasetToSingleElement<'a>(Node<'a>);

impl DatasetToSingleElement<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`DatasetToTFRecord`](Ops::dataset_to_tf_record) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DatasetToTFRecord<'a>(Node<'a>);

/// A node of [`DeleteIterator`](Ops::delete_iterator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DeleteIterator<'a>(Node<'a>);

/// A node of [`DeleteMemoryCache`](Ops::delete_memory_cache) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DeleteMemoryCache<'a>(Node<'a>);

/// A node of [`DeleteMultiDeviceIterator`](Ops::delete_multi_device_iterator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DeleteMultiDeviceIterator<'a>(Node<'a>);

/// A node of [`DeleteRandomSeedGenerator`](Ops::delete_random_seed_generator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DeleteRandomSeedGenerator<'a>(Node<'a>);

/// A node of [`DeleteSeedGenerator`](Ops::delete_seed_generator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DeleteSeedGenerator<'a>(Node<'a>);

/// A node of [`DenseToSparseBatchDataset`](Ops::dense_to_sparse_batch_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DenseToSparseBatchDataset<'a>(Node<'a>);

/// A node of [`DeserializeIterator`](Ops::deserialize_iterator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DeserializeIterator<'a>(Node<'a>);

/// A node of [`DirectedInterleaveDataset`](Ops::directed_interleave_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DirectedInterleaveDataset<'a>(Node<'a>);

impl DirectedInterleaveDataset<'_> {
    /// Whether to end with the first dataset that ends; otherwise that one is skipped from then on. Default: `false`.
    pub fn stop_on_empty_dataset(mut self, stop_on_empty_dataset: bool) -> Self {
        self.0.set("stop_on_empty_dataset", stop_on_empty_dataset);
        self
    }
}

/// A node of [`DummyMemoryCache`](Ops::dummy_memory_cache) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DummyMemoryCache<'a>(Node<'a>);

/// A node of [`DummySeedGenerator`](Ops::dummy_seed_generator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DummySeedGenerator<'a>(Node<'a>);

/// A node of [`ExperimentalAssertNextDataset`](Ops::experimental_assert_next_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalAssertNextDataset<'a>(Node<'a>);

impl ExperimentalAssertNextDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ExperimentalAutoShardDataset`](Ops::experimental_auto_shard_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalAutoShardDataset<'a>(Node<'a>);

impl ExperimentalAutoShardDataset<'_> {
    /// What to shard: -1 for nothing, 0 for files if possible and elements otherwise, 1 for files, 2 for elements, 3 for `ShardDataset` nodes whose `num_shards` is -1. Default: `0`.
    pub fn auto_shard_policy(mut self, auto_shard_policy: i64) -> Self {
        self.0.set("auto_shard_policy", auto_shard_policy);
        self
    }
}

/// A node of [`ExperimentalBytesProducedStatsDataset`](Ops::experimental_bytes_produced_stats_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalBytesProducedStatsDataset<'a>(Node<'a>);

impl ExperimentalBytesProducedStatsDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ExperimentalCSVDataset`](Ops::experimental_csv_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalCSVDataset<'a>(Node<'a>);

/// A node of [`ExperimentalChooseFastestDataset`](Ops::experimental_choose_fastest_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalChooseFastestDataset<'a>(Node<'a>);

/// A node of [`ExperimentalDatasetCardinality`](Ops::experimental_dataset_cardinality) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalDatasetCardinality<'a>(Node<'a>);

/// A node of [`ExperimentalDatasetToTFRecord`](Ops::experimental_dataset_to_tf_record) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalDatasetToTFRecord<'a>(Node<'a>);

/// A node of [`ExperimentalDenseToSparseBatchDataset`](Ops::experimental_dense_to_sparse_batch_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalDenseToSparseBatchDataset<'a>(Node<'a>);

impl ExperimentalDenseToSparseBatchDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ExperimentalDirectedInterleaveDataset`](Ops::experimental_directed_interleave_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalDirectedInterleaveDataset<'a>(Node<'a>);

/// A node of [`ExperimentalGroupByReducerDataset`](Ops::experimental_group_by_reducer_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalGroupByReducerDataset<'a>(Node<'a>);

/// A node of [`ExperimentalGroupByWindowDataset`](Ops::experimental_group_by_window_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalGroupByWindowDataset<'a>(Node<'a>);

/// A node of [`ExperimentalIgnoreErrorsDataset`](Ops::experimental_ignore_errors_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalIgnoreErrorsDataset<'a>(Node<'a>);

impl ExperimentalIgnoreErrorsDataset<'_> {
    /// Whether to log each error. Default: `false`.
    pub fn log_warning(mut self, log_warning: bool) -> Self {
        self.0.set("log_warning", log_warning);
        self
    }
}

/// A node of [`ExperimentalIteratorGetDevice`](Ops::experimental_iterator_get_device) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalIteratorGetDevice<'a>(Node<'a>);

/// A node of [`ExperimentalLatencyStatsDataset`](Ops::experimental_latency_stats_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalLatencyStatsDataset<'a>(Node<'a>);

impl ExperimentalLatencyStatsDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ExperimentalMapAndBatchDataset`](Ops::experimental_map_and_batch_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalMapAndBatchDataset<'a>(Node<'a>);

impl ExperimentalMapAndBatchDataset<'_> {
    /// Whether the function must not end the dataset. Default: `false`.
    pub fn preserve_cardinality(mut self, preserve_cardinality: bool) -> Self {
        self.0.set("preserve_cardinality", preserve_cardinality);
        self
    }
}

/// A node of [`ExperimentalMatchingFilesDataset`](Ops::experimental_matching_files_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalMatchingFilesDataset<'a>(Node<'a>);

/// A node of [`ExperimentalMaxIntraOpParallelismDataset`](Ops::experimental_max_intra_op_parallelism_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalMaxIntraOpParallelismDataset<'a>(Node<'a>);

impl ExperimentalMaxIntraOpParallelismDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ExperimentalNonSerializableDataset`](Ops::experimental_non_serializable_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalNonSerializableDataset<'a>(Node<'a>);

impl ExperimentalNonSerializableDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ExperimentalParallelInterleaveDataset`](Ops::experimental_parallel_interleave_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalParallelInterleaveDataset<'a>(Node<'a>);

/// A node of [`ExperimentalParseExampleDataset`](Ops::experimental_parse_example_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalParseExampleDataset<'a>(Node<'a>);

impl ExperimentalParseExampleDataset<'_> {
    /// Not used: the order is always that of the input. Default: `false`.
    pub fn sloppy(mut self, sloppy: bool) -> Self {
        self.0.set("sloppy", sloppy);
        self
    }
}

/// A node of [`ExperimentalPrivateThreadPoolDataset`](Ops::experimental_private_thread_pool_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalPrivateThreadPoolDataset<'a>(Node<'a>);

impl ExperimentalPrivateThreadPoolDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ExperimentalRandomDataset`](Ops::experimental_random_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalRandomDataset<'a>(Node<'a>);

/// A node of [`ExperimentalRebatchDataset`](Ops::experimental_rebatch_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalRebatchDataset<'a>(Node<'a>);

impl ExperimentalRebatchDataset<'_> {
    /// Not used. Default: `true`.
    pub fn use_fallback(mut self, use_fallback: bool) -> Self {
        self.0.set("use_fallback", use_fallback);
        self
    }
}

/// A node of [`ExperimentalScanDataset`](Ops::experimental_scan_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalScanDataset<'a>(Node<'a>);

impl ExperimentalScanDataset<'_> {
    /// Whether the function must not end the dataset. Default: `false`.
    pub fn preserve_cardinality(mut self, preserve_cardinality: bool) -> Self {
        self.0.set("preserve_cardinality", preserve_cardinality);
        self
    }
}

/// A node of [`ExperimentalSetStatsAggregatorDataset`](Ops::experimental_set_stats_aggregator_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalSetStatsAggregatorDataset<'a>(Node<'a>);

impl ExperimentalSetStatsAggregatorDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ExperimentalSleepDataset`](Ops::experimental_sleep_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalSleepDataset<'a>(Node<'a>);

impl ExperimentalSleepDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ExperimentalSlidingWindowDataset`](Ops::experimental_sliding_window_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalSlidingWindowDataset<'a>(Node<'a>);

/// A node of [`ExperimentalStatsAggregatorHandle`](Ops::experimental_stats_aggregator_handle) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalStatsAggregatorHandle<'a>(Node<'a>);

impl ExperimentalStatsAggregatorHandle<'_> {
    /// Container that holds it; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name within the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`ExperimentalStatsAggregatorSummary`](Ops::experimental_stats_aggregator_summary) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalStatsAggregatorSummary<'a>(Node<'a>);

/// A node of [`ExperimentalTakeWhileDataset`](Ops::experimental_take_while_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalTakeWhileDataset<'a>(Node<'a>);

/// A node of [`ExperimentalThreadPoolDataset`](Ops::experimental_thread_pool_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalThreadPoolDataset<'a>(Node<'a>);

impl ExperimentalThreadPoolDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ExperimentalThreadPoolHandle`](Ops::experimental_thread_pool_handle) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalThreadPoolHandle<'a>(Node<'a>);

impl ExperimentalThreadPoolHandle<'_> {
    /// Not used. Default: `1`.
    pub fn max_intra_op_parallelism(mut self, max_intra_op_parallelism: i64) -> Self {
        self.0.set("max_intra_op_parallelism", max_intra_op_parallelism);
        self
    }

    /// Container that holds the handle; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name within the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`ExperimentalUnbatchDataset`](Ops::experimental_unbatch_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalUnbatchDataset<'a>(Node<'a>);

/// A node of [`ExperimentalUniqueDataset`](Ops::experimental_unique_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExperimentalUniqueDataset<'a>(Node<'a>);

/// A node of [`FilterDataset`](Ops::filter_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FilterDataset<'a>(Node<'a>);

impl FilterDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`FinalizeDataset`](Ops::finalize_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FinalizeDataset<'a>(Node<'a>);

impl FinalizeDataset<'_> {
    /// Not used. Default: `false`.
    pub fn has_captured_ref(mut self, has_captured_ref: bool) -> Self {
        self.0.set("has_captured_ref", has_captured_ref);
        self
    }
}

/// A node of [`FixedLengthRecordDataset`](Ops::fixed_length_record_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FixedLengthRecordDataset<'a>(Node<'a>);

impl FixedLengthRecordDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`FixedLengthRecordDatasetV2`](Ops::fixed_length_record_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FixedLengthRecordDatasetV2<'a>(Node<'a>);

impl FixedLengthRecordDatasetV2<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`FlatMapDataset`](Ops::flat_map_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FlatMapDataset<'a>(Node<'a>);

impl FlatMapDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`GeneratorDataset`](Ops::generator_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GeneratorDataset<'a>(Node<'a>);

impl GeneratorDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`GetElementAtIndex`](Ops::get_element_at_index) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GetElementAtIndex<'a>(Node<'a>);

impl GetElementAtIndex<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`GetOptions`](Ops::get_options) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GetOptions<'a>(Node<'a>);

/// A node of [`GlobalShuffleDataset`](Ops::global_shuffle_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GlobalShuffleDataset<'a>(Node<'a>);

impl GlobalShuffleDataset<'_> {
    /// Whether each iterator has an order of its own. Default: `true`.
    pub fn reshuffle_each_iteration(mut self, reshuffle_each_iteration: bool) -> Self {
        self.0.set("reshuffle_each_iteration", reshuffle_each_iteration);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`GroupByReducerDataset`](Ops::group_by_reducer_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GroupByReducerDataset<'a>(Node<'a>);

/// A node of [`GroupByWindowDataset`](Ops::group_by_window_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GroupByWindowDataset<'a>(Node<'a>);

impl GroupByWindowDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`IgnoreErrorsDataset`](Ops::ignore_errors_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IgnoreErrorsDataset<'a>(Node<'a>);

impl IgnoreErrorsDataset<'_> {
    /// Whether to log each error. Default: `false`.
    pub fn log_warning(mut self, log_warning: bool) -> Self {
        self.0.set("log_warning", log_warning);
        self
    }
}

/// A node of [`IndexFlatMapDataset`](Ops::index_flat_map_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IndexFlatMapDataset<'a>(Node<'a>);

impl IndexFlatMapDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`InitializeTableFromDataset`](Ops::initialize_table_from_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct InitializeTableFromDataset<'a>(Node<'a>);

/// A node of [`InterleaveDataset`](Ops::interleave_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct InterleaveDataset<'a>(Node<'a>);

impl InterleaveDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`Iterator`](Ops::iterator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Iterator<'a>(Node<'a>);

/// A node of [`IteratorFromStringHandle`](Ops::iterator_from_string_handle) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IteratorFromStringHandle<'a>(Node<'a>);

impl IteratorFromStringHandle<'_> {
    /// Dtypes of an element's components; empty for any. Allowed: any dtype. Default: none.
    pub fn output_types(mut self, output_types: &[DType]) -> Self {
        self.0.set("output_types", output_types.to_vec());
        self
    }

    /// Shapes of an element's components; empty for any. Default: none.
    pub fn output_shapes(mut self, output_shapes: &[PartialShape]) -> Self {
        self.0.set("output_shapes", output_shapes.to_vec());
        self
    }
}

/// A node of [`IteratorFromStringHandleV2`](Ops::iterator_from_string_handle_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IteratorFromStringHandleV2<'a>(Node<'a>);

impl IteratorFromStringHandleV2<'_> {
    /// Dtypes of an element's components; empty for any. Allowed: any dtype. Default: none.
    pub fn output_types(mut self, output_types: &[DType]) -> Self {
        self.0.set("output_types", output_types.to_vec());
        self
    }

    /// Shapes of an element's components; empty for any. Default: none.
    pub fn output_shapes(mut self, output_shapes: &[PartialShape]) -> Self {
        self.0.set("output_shapes", output_shapes.to_vec());
        self
    }
}

/// A node of [`IteratorGetDevice`](Ops::iterator_get_device) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IteratorGetDevice<'a>(Node<'a>);

/// A node of [`IteratorGetNext`](Ops::iterator_get_next) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IteratorGetNext<'a>(Node<'a>);

impl IteratorGetNext<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`IteratorGetNextAsOptional`](Ops::iterator_get_next_as_optional) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IteratorGetNextAsOptional<'a>(Node<'a>);

/// A node of [`IteratorGetNextSync`](Ops::iterator_get_next_sync) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IteratorGetNextSync<'a>(Node<'a>);

impl IteratorGetNextSync<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`IteratorToStringHandle`](Ops::iterator_to_string_handle) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IteratorToStringHandle<'a>(Node<'a>);

/// A node of [`IteratorV2`](Ops::iterator_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IteratorV2<'a>(Node<'a>);

/// A node of [`LatencyStatsDataset`](Ops::latency_stats_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LatencyStatsDataset<'a>(Node<'a>);

/// A node of [`LegacyParallelInterleaveDatasetV2`](Ops::legacy_parallel_interleave_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LegacyParallelInterleaveDatasetV2<'a>(Node<'a>);

impl LegacyParallelInterleaveDatasetV2<'_> {
    /// `false` to allow elements out of order. Default: `"default"`.
    pub fn deterministic(mut self, deterministic: impl AsRef<[u8]>) -> Self {
        self.0.set("deterministic", string(deterministic));
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ListDataset`](Ops::list_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ListDataset<'a>(Node<'a>);

impl ListDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`LoadDataset`](Ops::load_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LoadDataset<'a>(Node<'a>);

impl LoadDataset<'_> {
    /// Compression of the files. Default: `""`.
    pub fn compression(mut self, compression: impl AsRef<[u8]>) -> Self {
        self.0.set("compression", string(compression));
        self
    }
}

/// A node of [`MakeIterator`](Ops::make_iterator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MakeIterator<'a>(Node<'a>);

/// A node of [`MapAndBatchDataset`](Ops::map_and_batch_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MapAndBatchDataset<'a>(Node<'a>);

impl MapAndBatchDataset<'_> {
    /// Whether the function must not end the dataset. Default: `false`.
    pub fn preserve_cardinality(mut self, preserve_cardinality: bool) -> Self {
        self.0.set("preserve_cardinality", preserve_cardinality);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`MapDataset`](Ops::map_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MapDataset<'a>(Node<'a>);

impl MapDataset<'_> {
    /// Not used. Default: `true`.
    pub fn use_inter_op_parallelism(mut self, use_inter_op_parallelism: bool) -> Self {
        self.0.set("use_inter_op_parallelism", use_inter_op_parallelism);
        self
    }

    /// Whether the function must not end the dataset. Default: `false`.
    pub fn preserve_cardinality(mut self, preserve_cardinality: bool) -> Self {
        self.0.set("preserve_cardinality", preserve_cardinality);
        self
    }

    /// Not used. Default: `false`.
    pub fn force_synchronous(mut self, force_synchronous: bool) -> Self {
        self.0.set("force_synchronous", force_synchronous);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`MapDefun`](Ops::map_defun) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MapDefun<'a>(Node<'a>);

impl MapDefun<'_> {
    /// Not used. Default: `1`.
    pub fn max_intra_op_parallelism(mut self, max_intra_op_parallelism: i64) -> Self {
        self.0.set("max_intra_op_parallelism", max_intra_op_parallelism);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`MatchingFilesDataset`](Ops::matching_files_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatchingFilesDataset<'a>(Node<'a>);

/// A node of [`MaxIntraOpParallelismDataset`](Ops::max_intra_op_parallelism_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MaxIntraOpParallelismDataset<'a>(Node<'a>);

/// A node of [`ModelDataset`](Ops::model_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ModelDataset<'a>(Node<'a>);

impl ModelDataset<'_> {
    /// Not used. Default: `0`.
    pub fn algorithm(mut self, algorithm: i64) -> Self {
        self.0.set("algorithm", algorithm);
        self
    }

    /// Number of threads; 0 for those of the session. Default: `0`.
    pub fn cpu_budget(mut self, cpu_budget: i64) -> Self {
        self.0.set("cpu_budget", cpu_budget);
        self
    }

    /// Memory for buffered elements, in bytes; 0 for half of the memory. Default: `0`.
    pub fn ram_budget(mut self, ram_budget: i64) -> Self {
        self.0.set("ram_budget", ram_budget);
        self
    }
}

/// A node of [`MultiDeviceIterator`](Ops::multi_device_iterator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MultiDeviceIterator<'a>(Node<'a>);

/// A node of [`MultiDeviceIteratorFromStringHandle`](Ops::multi_device_iterator_from_string_handle) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MultiDeviceIteratorFromStringHandle<'a>(Node<'a>);

impl MultiDeviceIteratorFromStringHandle<'_> {
    /// Dtypes of an element's components; empty for any. Allowed: any dtype. Default: none.
    pub fn output_types(mut self, output_types: &[DType]) -> Self {
        self.0.set("output_types", output_types.to_vec());
        self
    }

    /// Shapes of an element's components; empty for any. Default: none.
    pub fn output_shapes(mut self, output_shapes: &[PartialShape]) -> Self {
        self.0.set("output_shapes", output_shapes.to_vec());
        self
    }
}

/// A node of [`MultiDeviceIteratorGetNextFromShard`](Ops::multi_device_iterator_get_next_from_shard) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MultiDeviceIteratorGetNextFromShard<'a>(Node<'a>);

impl MultiDeviceIteratorGetNextFromShard<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`MultiDeviceIteratorInit`](Ops::multi_device_iterator_init) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MultiDeviceIteratorInit<'a>(Node<'a>);

/// A node of [`MultiDeviceIteratorToStringHandle`](Ops::multi_device_iterator_to_string_handle) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MultiDeviceIteratorToStringHandle<'a>(Node<'a>);

/// A node of [`NonSerializableDataset`](Ops::non_serializable_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NonSerializableDataset<'a>(Node<'a>);

/// A node of [`OneShotIterator`](Ops::one_shot_iterator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OneShotIterator<'a>(Node<'a>);

impl OneShotIterator<'_> {
    /// Container that holds the iterator; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name within the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`OptimizeDataset`](Ops::optimize_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OptimizeDataset<'a>(Node<'a>);

impl OptimizeDataset<'_> {
    /// Not used. Default: none.
    pub fn optimization_configs(mut self, optimization_configs: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("optimization_configs", strings(optimization_configs));
        self
    }
}

/// A node of [`OptimizeDatasetV2`](Ops::optimize_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OptimizeDatasetV2<'a>(Node<'a>);

impl OptimizeDatasetV2<'_> {
    /// Not used. Default: none.
    pub fn optimization_configs(mut self, optimization_configs: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("optimization_configs", strings(optimization_configs));
        self
    }
}

/// A node of [`OptionsDataset`](Ops::options_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OptionsDataset<'a>(Node<'a>);

impl OptionsDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`PaddedBatchDataset`](Ops::padded_batch_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PaddedBatchDataset<'a>(Node<'a>);

impl PaddedBatchDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`PaddedBatchDatasetV2`](Ops::padded_batch_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PaddedBatchDatasetV2<'a>(Node<'a>);

impl PaddedBatchDatasetV2<'_> {
    /// Not used. Default: `false`.
    pub fn parallel_copy(mut self, parallel_copy: bool) -> Self {
        self.0.set("parallel_copy", parallel_copy);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ParallelBatchDataset`](Ops::parallel_batch_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParallelBatchDataset<'a>(Node<'a>);

impl ParallelBatchDataset<'_> {
    /// Not used. Default: `false`.
    pub fn parallel_copy(mut self, parallel_copy: bool) -> Self {
        self.0.set("parallel_copy", parallel_copy);
        self
    }

    /// Not used: the order is always that of the input. Default: `"default"`.
    pub fn deterministic(mut self, deterministic: impl AsRef<[u8]>) -> Self {
        self.0.set("deterministic", string(deterministic));
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ParallelFilterDataset`](Ops::parallel_filter_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParallelFilterDataset<'a>(Node<'a>);

impl ParallelFilterDataset<'_> {
    /// `false` to allow elements out of order. Default: `"default"`.
    pub fn deterministic(mut self, deterministic: impl AsRef<[u8]>) -> Self {
        self.0.set("deterministic", string(deterministic));
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ParallelInterleaveDataset`](Ops::parallel_interleave_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParallelInterleaveDataset<'a>(Node<'a>);

impl ParallelInterleaveDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ParallelInterleaveDatasetV2`](Ops::parallel_interleave_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParallelInterleaveDatasetV2<'a>(Node<'a>);

impl ParallelInterleaveDatasetV2<'_> {
    /// Whether elements may be returned out of order. Default: `false`.
    pub fn sloppy(mut self, sloppy: bool) -> Self {
        self.0.set("sloppy", sloppy);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ParallelInterleaveDatasetV3`](Ops::parallel_interleave_dataset_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParallelInterleaveDatasetV3<'a>(Node<'a>);

impl ParallelInterleaveDatasetV3<'_> {
    /// `false` to allow elements out of order. Default: `"default"`.
    pub fn deterministic(mut self, deterministic: impl AsRef<[u8]>) -> Self {
        self.0.set("deterministic", string(deterministic));
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ParallelInterleaveDatasetV4`](Ops::parallel_interleave_dataset_v4) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParallelInterleaveDatasetV4<'a>(Node<'a>);

impl ParallelInterleaveDatasetV4<'_> {
    /// `false` to allow elements out of order. Default: `"default"`.
    pub fn deterministic(mut self, deterministic: impl AsRef<[u8]>) -> Self {
        self.0.set("deterministic", string(deterministic));
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ParallelMapDataset`](Ops::parallel_map_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParallelMapDataset<'a>(Node<'a>);

impl ParallelMapDataset<'_> {
    /// Not used. Default: `true`.
    pub fn use_inter_op_parallelism(mut self, use_inter_op_parallelism: bool) -> Self {
        self.0.set("use_inter_op_parallelism", use_inter_op_parallelism);
        self
    }

    /// Whether elements may be returned out of order. Default: `false`.
    pub fn sloppy(mut self, sloppy: bool) -> Self {
        self.0.set("sloppy", sloppy);
        self
    }

    /// Whether the function must not end the dataset. Default: `false`.
    pub fn preserve_cardinality(mut self, preserve_cardinality: bool) -> Self {
        self.0.set("preserve_cardinality", preserve_cardinality);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ParallelMapDatasetV2`](Ops::parallel_map_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParallelMapDatasetV2<'a>(Node<'a>);

impl ParallelMapDatasetV2<'_> {
    /// Not used. Default: `true`.
    pub fn use_inter_op_parallelism(mut self, use_inter_op_parallelism: bool) -> Self {
        self.0.set("use_inter_op_parallelism", use_inter_op_parallelism);
        self
    }

    /// `false` to allow elements out of order. Default: `"default"`.
    pub fn deterministic(mut self, deterministic: impl AsRef<[u8]>) -> Self {
        self.0.set("deterministic", string(deterministic));
        self
    }

    /// Whether the function must not end the dataset. Default: `false`.
    pub fn preserve_cardinality(mut self, preserve_cardinality: bool) -> Self {
        self.0.set("preserve_cardinality", preserve_cardinality);
        self
    }

    /// Not used. Default: `false`.
    pub fn use_unbounded_threadpool(mut self, use_unbounded_threadpool: bool) -> Self {
        self.0.set("use_unbounded_threadpool", use_unbounded_threadpool);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ParseExampleDataset`](Ops::parse_example_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParseExampleDataset<'a>(Node<'a>);

impl ParseExampleDataset<'_> {
    /// Not used: the order is always that of the input. Default: `false`.
    pub fn sloppy(mut self, sloppy: bool) -> Self {
        self.0.set("sloppy", sloppy);
        self
    }

    /// Keys of the ragged features. Default: none.
    pub fn ragged_keys(mut self, ragged_keys: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("ragged_keys", strings(ragged_keys));
        self
    }

    /// Dtypes of the ragged features. Allowed: float32, string, int64. Default: none.
    pub fn ragged_value_types(mut self, ragged_value_types: &[DType]) -> Self {
        self.0.set("ragged_value_types", ragged_value_types.to_vec());
        self
    }

    /// Dtypes of the ragged features' splits. Allowed: int32, int64. Default: none.
    pub fn ragged_split_types(mut self, ragged_split_types: &[DType]) -> Self {
        self.0.set("ragged_split_types", ragged_split_types.to_vec());
        self
    }
}

/// A node of [`ParseExampleDatasetV2`](Ops::parse_example_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParseExampleDatasetV2<'a>(Node<'a>);

impl ParseExampleDatasetV2<'_> {
    /// Not used: the order is always that of the input. Default: `"default"`.
    pub fn deterministic(mut self, deterministic: impl AsRef<[u8]>) -> Self {
        self.0.set("deterministic", string(deterministic));
        self
    }

    /// Keys of the ragged features. Default: none.
    pub fn ragged_keys(mut self, ragged_keys: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("ragged_keys", strings(ragged_keys));
        self
    }

    /// Dtypes of the ragged features. Allowed: float32, string, int64. Default: none.
    pub fn ragged_value_types(mut self, ragged_value_types: &[DType]) -> Self {
        self.0.set("ragged_value_types", ragged_value_types.to_vec());
        self
    }

    /// Dtypes of the ragged features' splits. Allowed: int32, int64. Default: none.
    pub fn ragged_split_types(mut self, ragged_split_types: &[DType]) -> Self {
        self.0.set("ragged_split_types", ragged_split_types.to_vec());
        self
    }
}

/// A node of [`PrefetchDataset`](Ops::prefetch_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PrefetchDataset<'a>(Node<'a>);

impl PrefetchDataset<'_> {
    /// Not used. Default: `0`.
    pub fn slack_period(mut self, slack_period: i64) -> Self {
        self.0.set("slack_period", slack_period);
        self
    }

    /// Not used. Default: `true`.
    pub fn legacy_autotune(mut self, legacy_autotune: bool) -> Self {
        self.0.set("legacy_autotune", legacy_autotune);
        self
    }

    /// Minimum buffer size for -1. Default: `0`.
    pub fn buffer_size_min(mut self, buffer_size_min: i64) -> Self {
        self.0.set("buffer_size_min", buffer_size_min);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`PrivateThreadPoolDataset`](Ops::private_thread_pool_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PrivateThreadPoolDataset<'a>(Node<'a>);

/// A node of [`RandomDataset`](Ops::random_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RandomDataset<'a>(Node<'a>);

impl RandomDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`RandomDatasetV2`](Ops::random_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RandomDatasetV2<'a>(Node<'a>);

impl RandomDatasetV2<'_> {
    /// Whether each iterator has numbers of its own. Default: `false`.
    pub fn rerandomize_each_iteration(mut self, rerandomize_each_iteration: bool) -> Self {
        self.0.set("rerandomize_each_iteration", rerandomize_each_iteration);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`RangeDataset`](Ops::range_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RangeDataset<'a>(Node<'a>);

impl RangeDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }

    /// Not used. Default: `false`.
    pub fn replicate_on_split(mut self, replicate_on_split: bool) -> Self {
        self.0.set("replicate_on_split", replicate_on_split);
        self
    }
}

/// A node of [`RebatchDataset`](Ops::rebatch_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RebatchDataset<'a>(Node<'a>);

impl RebatchDataset<'_> {
    /// Not used. Default: `true`.
    pub fn use_fallback(mut self, use_fallback: bool) -> Self {
        self.0.set("use_fallback", use_fallback);
        self
    }
}

/// A node of [`RebatchDatasetV2`](Ops::rebatch_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RebatchDatasetV2<'a>(Node<'a>);

/// A node of [`ReduceDataset`](Ops::reduce_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReduceDataset<'a>(Node<'a>);

impl ReduceDataset<'_> {
    /// Not used. Default: `true`.
    pub fn use_inter_op_parallelism(mut self, use_inter_op_parallelism: bool) -> Self {
        self.0.set("use_inter_op_parallelism", use_inter_op_parallelism);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`RepeatDataset`](Ops::repeat_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RepeatDataset<'a>(Node<'a>);

impl RepeatDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`RewriteDataset`](Ops::rewrite_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RewriteDataset<'a>(Node<'a>);

/// A node of [`SamplingDataset`](Ops::sampling_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SamplingDataset<'a>(Node<'a>);

/// A node of [`SaveDataset`](Ops::save_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SaveDataset<'a>(Node<'a>);

impl SaveDataset<'_> {
    /// Compression of the files. Default: `""`.
    pub fn compression(mut self, compression: impl AsRef<[u8]>) -> Self {
        self.0.set("compression", string(compression));
        self
    }

    /// If false, all elements go to shard 0. Default: `true`.
    pub fn use_shard_func(mut self, use_shard_func: bool) -> Self {
        self.0.set("use_shard_func", use_shard_func);
        self
    }
}

/// A node of [`SaveDatasetV2`](Ops::save_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SaveDatasetV2<'a>(Node<'a>);

impl SaveDatasetV2<'_> {
    /// Compression of the files. Default: `""`.
    pub fn compression(mut self, compression: impl AsRef<[u8]>) -> Self {
        self.0.set("compression", string(compression));
        self
    }

    /// If false, all elements go to shard 0. Default: `true`.
    pub fn use_shard_func(mut self, use_shard_func: bool) -> Self {
        self.0.set("use_shard_func", use_shard_func);
        self
    }
}

/// A node of [`ScanDataset`](Ops::scan_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScanDataset<'a>(Node<'a>);

impl ScanDataset<'_> {
    /// Whether the function must not end the dataset. Default: `false`.
    pub fn preserve_cardinality(mut self, preserve_cardinality: bool) -> Self {
        self.0.set("preserve_cardinality", preserve_cardinality);
        self
    }

    /// Not used. Default: `true`.
    pub fn use_default_device(mut self, use_default_device: bool) -> Self {
        self.0.set("use_default_device", use_default_device);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`SerializeIterator`](Ops::serialize_iterator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SerializeIterator<'a>(Node<'a>);

impl SerializeIterator<'_> {
    /// Not used: the state of functions stays with the session. Default: `0`.
    pub fn external_state_policy(mut self, external_state_policy: i64) -> Self {
        self.0.set("external_state_policy", external_state_policy);
        self
    }
}

/// A node of [`SetStatsAggregatorDataset`](Ops::set_stats_aggregator_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SetStatsAggregatorDataset<'a>(Node<'a>);

/// A node of [`ShardDataset`](Ops::shard_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ShardDataset<'a>(Node<'a>);

impl ShardDataset<'_> {
    /// Whether a shard without elements is an error. Default: `false`.
    pub fn require_non_empty(mut self, require_non_empty: bool) -> Self {
        self.0.set("require_non_empty", require_non_empty);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ShuffleAndRepeatDataset`](Ops::shuffle_and_repeat_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ShuffleAndRepeatDataset<'a>(Node<'a>);

impl ShuffleAndRepeatDataset<'_> {
    /// Whether each iterator has an order of its own. Default: `true`.
    pub fn reshuffle_each_iteration(mut self, reshuffle_each_iteration: bool) -> Self {
        self.0.set("reshuffle_each_iteration", reshuffle_each_iteration);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ShuffleAndRepeatDatasetV2`](Ops::shuffle_and_repeat_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ShuffleAndRepeatDatasetV2<'a>(Node<'a>);

impl ShuffleAndRepeatDatasetV2<'_> {
    /// Whether each iterator has an order of its own. Default: `true`.
    pub fn reshuffle_each_iteration(mut self, reshuffle_each_iteration: bool) -> Self {
        self.0.set("reshuffle_each_iteration", reshuffle_each_iteration);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ShuffleDataset`](Ops::shuffle_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ShuffleDataset<'a>(Node<'a>);

impl ShuffleDataset<'_> {
    /// Whether each iterator has an order of its own. Default: `true`.
    pub fn reshuffle_each_iteration(mut self, reshuffle_each_iteration: bool) -> Self {
        self.0.set("reshuffle_each_iteration", reshuffle_each_iteration);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ShuffleDatasetV2`](Ops::shuffle_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ShuffleDatasetV2<'a>(Node<'a>);

impl ShuffleDatasetV2<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ShuffleDatasetV3`](Ops::shuffle_dataset_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ShuffleDatasetV3<'a>(Node<'a>);

impl ShuffleDatasetV3<'_> {
    /// Whether each iterator has an order of its own. Default: `true`.
    pub fn reshuffle_each_iteration(mut self, reshuffle_each_iteration: bool) -> Self {
        self.0.set("reshuffle_each_iteration", reshuffle_each_iteration);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`SkipDataset`](Ops::skip_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SkipDataset<'a>(Node<'a>);

impl SkipDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`SleepDataset`](Ops::sleep_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SleepDataset<'a>(Node<'a>);

/// A node of [`SlidingWindowDataset`](Ops::sliding_window_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SlidingWindowDataset<'a>(Node<'a>);

impl SlidingWindowDataset<'_> {
    /// If false, a final window with fewer elements is returned too. Default: `true`.
    pub fn drop_remainder(mut self, drop_remainder: bool) -> Self {
        self.0.set("drop_remainder", drop_remainder);
        self
    }
}

/// A node of [`SnapshotChunkDataset`](Ops::snapshot_chunk_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SnapshotChunkDataset<'a>(Node<'a>);

impl SnapshotChunkDataset<'_> {
    /// Compression of the file. Default: `""`.
    pub fn compression(mut self, compression: impl AsRef<[u8]>) -> Self {
        self.0.set("compression", string(compression));
        self
    }
}

/// A node of [`SnapshotDataset`](Ops::snapshot_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SnapshotDataset<'a>(Node<'a>);

impl SnapshotDataset<'_> {
    /// Compression of the files. Default: `""`.
    pub fn compression(mut self, compression: impl AsRef<[u8]>) -> Self {
        self.0.set("compression", string(compression));
        self
    }

    /// Prefix of the path when reading files; must be empty. Default: `""`.
    pub fn reader_path_prefix(mut self, reader_path_prefix: impl AsRef<[u8]>) -> Self {
        self.0.set("reader_path_prefix", string(reader_path_prefix));
        self
    }

    /// Prefix of the path when writing files; must be empty. Default: `""`.
    pub fn writer_path_prefix(mut self, writer_path_prefix: impl AsRef<[u8]>) -> Self {
        self.0.set("writer_path_prefix", string(writer_path_prefix));
        self
    }

    /// Size in bytes after which a new file is started. Default: `10737418240`.
    pub fn shard_size_bytes(mut self, shard_size_bytes: i64) -> Self {
        self.0.set("shard_size_bytes", shard_size_bytes);
        self
    }

    /// Seconds after which an unfinished writer is considered dead. Default: `86400`.
    pub fn pending_snapshot_expiry_seconds(mut self, pending_snapshot_expiry_seconds: i64) -> Self {
        self.0.set("pending_snapshot_expiry_seconds", pending_snapshot_expiry_seconds);
        self
    }

    /// Not used: files are read one at a time. Default: `1`.
    pub fn num_reader_threads(mut self, num_reader_threads: i64) -> Self {
        self.0.set("num_reader_threads", num_reader_threads);
        self
    }

    /// Not used. Default: `1`.
    pub fn reader_buffer_size(mut self, reader_buffer_size: i64) -> Self {
        self.0.set("reader_buffer_size", reader_buffer_size);
        self
    }

    /// Not used: files are written one at a time. Default: `1`.
    pub fn num_writer_threads(mut self, num_writer_threads: i64) -> Self {
        self.0.set("num_writer_threads", num_writer_threads);
        self
    }

    /// Not used. Default: `1`.
    pub fn writer_buffer_size(mut self, writer_buffer_size: i64) -> Self {
        self.0.set("writer_buffer_size", writer_buffer_size);
        self
    }

    /// Whether files are read in random order. Default: `false`.
    pub fn shuffle_on_read(mut self, shuffle_on_read: bool) -> Self {
        self.0.set("shuffle_on_read", shuffle_on_read);
        self
    }

    /// Must be 0 if `shuffle_on_read` is set. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Must be 0 if `shuffle_on_read` is set. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// What to do: `auto`, `read`, `write` or `passthrough`. Default: `"auto"`.
    pub fn mode(mut self, mode: impl AsRef<[u8]>) -> Self {
        self.0.set("mode", string(mode));
        self
    }

    /// Name of the directory, instead of the dataset's fingerprint. Default: `""`.
    pub fn snapshot_name(mut self, snapshot_name: impl AsRef<[u8]>) -> Self {
        self.0.set("snapshot_name", string(snapshot_name));
        self
    }
}

/// A node of [`SnapshotDatasetReader`](Ops::snapshot_dataset_reader) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SnapshotDatasetReader<'a>(Node<'a>);

impl SnapshotDatasetReader<'_> {
    /// Compression of the files. Default: `""`.
    pub fn compression(mut self, compression: impl AsRef<[u8]>) -> Self {
        self.0.set("compression", string(compression));
        self
    }
}

/// A node of [`SnapshotDatasetV2`](Ops::snapshot_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SnapshotDatasetV2<'a>(Node<'a>);

impl SnapshotDatasetV2<'_> {
    /// Compression of the files; `AUTO` for snappy. Default: `""`.
    pub fn compression(mut self, compression: impl AsRef<[u8]>) -> Self {
        self.0.set("compression", string(compression));
        self
    }

    /// Prefix of the path when reading files; must be empty. Default: `""`.
    pub fn reader_prefix(mut self, reader_prefix: impl AsRef<[u8]>) -> Self {
        self.0.set("reader_prefix", string(reader_prefix));
        self
    }

    /// Prefix of the path when writing files; must be empty. Default: `""`.
    pub fn writer_prefix(mut self, writer_prefix: impl AsRef<[u8]>) -> Self {
        self.0.set("writer_prefix", string(writer_prefix));
        self
    }

    /// Whether `hash` names the directory. Default: `false`.
    pub fn hash_valid(mut self, hash_valid: bool) -> Self {
        self.0.set("hash_valid", hash_valid);
        self
    }

    /// Name of the directory below `path`, instead of the dataset's fingerprint. Default: `0`.
    pub fn hash(mut self, hash: i64) -> Self {
        self.0.set("hash", hash);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`SnapshotNestedDatasetReader`](Ops::snapshot_nested_dataset_reader) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SnapshotNestedDatasetReader<'a>(Node<'a>);

/// A node of [`SparseTensorSliceDataset`](Ops::sparse_tensor_slice_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseTensorSliceDataset<'a>(Node<'a>);

/// A node of [`StatsAggregatorHandle`](Ops::stats_aggregator_handle) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatsAggregatorHandle<'a>(Node<'a>);

impl StatsAggregatorHandle<'_> {
    /// Container that holds it; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name within the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`StatsAggregatorHandleV2`](Ops::stats_aggregator_handle_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatsAggregatorHandleV2<'a>(Node<'a>);

impl StatsAggregatorHandleV2<'_> {
    /// Container that holds it; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name within the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`StatsAggregatorSetSummaryWriter`](Ops::stats_aggregator_set_summary_writer) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatsAggregatorSetSummaryWriter<'a>(Node<'a>);

/// A node of [`StatsAggregatorSummary`](Ops::stats_aggregator_summary) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatsAggregatorSummary<'a>(Node<'a>);

/// A node of [`TFRecordDataset`](Ops::tf_record_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TFRecordDataset<'a>(Node<'a>);

impl TFRecordDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`TFRecordDatasetV2`](Ops::tf_record_dataset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TFRecordDatasetV2<'a>(Node<'a>);

impl TFRecordDatasetV2<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`TakeDataset`](Ops::take_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TakeDataset<'a>(Node<'a>);

impl TakeDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`TakeWhileDataset`](Ops::take_while_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TakeWhileDataset<'a>(Node<'a>);

impl TakeWhileDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`TensorDataset`](Ops::tensor_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorDataset<'a>(Node<'a>);

impl TensorDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`TensorSliceDataset`](Ops::tensor_slice_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorSliceDataset<'a>(Node<'a>);

impl TensorSliceDataset<'_> {
    /// Not used. Default: `false`.
    pub fn is_files(mut self, is_files: bool) -> Self {
        self.0.set("is_files", is_files);
        self
    }

    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }

    /// Not used. Default: `false`.
    pub fn replicate_on_split(mut self, replicate_on_split: bool) -> Self {
        self.0.set("replicate_on_split", replicate_on_split);
        self
    }
}

/// A node of [`TextLineDataset`](Ops::text_line_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TextLineDataset<'a>(Node<'a>);

impl TextLineDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`ThreadPoolDataset`](Ops::thread_pool_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ThreadPoolDataset<'a>(Node<'a>);

/// A node of [`ThreadPoolHandle`](Ops::thread_pool_handle) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ThreadPoolHandle<'a>(Node<'a>);

impl ThreadPoolHandle<'_> {
    /// Not used. Default: `1`.
    pub fn max_intra_op_parallelism(mut self, max_intra_op_parallelism: i64) -> Self {
        self.0.set("max_intra_op_parallelism", max_intra_op_parallelism);
        self
    }

    /// Container that holds the handle; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name within the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`UnbatchDataset`](Ops::unbatch_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UnbatchDataset<'a>(Node<'a>);

impl UnbatchDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`UncompressElement`](Ops::uncompress_element) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UncompressElement<'a>(Node<'a>);

impl UncompressElement<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`UniqueDataset`](Ops::unique_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UniqueDataset<'a>(Node<'a>);

impl UniqueDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`UnwrapDatasetVariant`](Ops::unwrap_dataset_variant) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UnwrapDatasetVariant<'a>(Node<'a>);

/// A node of [`WeightedFlatMapDataset`](Ops::weighted_flat_map_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct WeightedFlatMapDataset<'a>(Node<'a>);

impl WeightedFlatMapDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`WindowDataset`](Ops::window_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct WindowDataset<'a>(Node<'a>);

impl WindowDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

/// A node of [`WrapDatasetVariant`](Ops::wrap_dataset_variant) that is being described.
#[must_use = "it is no node before it is added"]
pub struct WrapDatasetVariant<'a>(Node<'a>);

/// A node of [`ZipDataset`](Ops::zip_dataset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ZipDataset<'a>(Node<'a>);

impl ZipDataset<'_> {
    /// Not used. Default: `""`.
    pub fn metadata(mut self, metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("metadata", string(metadata));
        self
    }
}

common! {
    AnonymousIterator
    AnonymousIteratorV2
    AnonymousIteratorV3
    AnonymousMemoryCache
    AnonymousMultiDeviceIterator
    AnonymousMultiDeviceIteratorV3
    AnonymousRandomSeedGenerator
    AnonymousSeedGenerator
    AssertCardinalityDataset
    AssertNextDataset
    AssertPrevDataset
    AutoShardDataset
    BatchDataset
    BatchDatasetV2
    BytesProducedStatsDataset
    CSVDataset
    CSVDatasetV2
    CacheDataset
    CacheDatasetV2
    ChooseFastestBranchDataset
    ChooseFastestDataset
    CompressElement
    ComputeBatchSize
    ConcatenateDataset
    DatasetCardinality
    DatasetFingerprint
    DatasetFromGraph
    DatasetToGraph
    DatasetToGraphV2
    DatasetToSingleElement
    DatasetToTFRecord
    DeleteIterator
    DeleteMemoryCache
    DeleteMultiDeviceIterator
    DeleteRandomSeedGenerator
    DeleteSeedGenerator
    DenseToSparseBatchDataset
    DeserializeIterator
    DirectedInterleaveDataset
    DummyMemoryCache
    DummySeedGenerator
    ExperimentalAssertNextDataset
    ExperimentalAutoShardDataset
    ExperimentalBytesProducedStatsDataset
    ExperimentalCSVDataset
    ExperimentalChooseFastestDataset
    ExperimentalDatasetCardinality
    ExperimentalDatasetToTFRecord
    ExperimentalDenseToSparseBatchDataset
    ExperimentalDirectedInterleaveDataset
    ExperimentalGroupByReducerDataset
    ExperimentalGroupByWindowDataset
    ExperimentalIgnoreErrorsDataset
    ExperimentalIteratorGetDevice
    ExperimentalLatencyStatsDataset
    ExperimentalMapAndBatchDataset
    ExperimentalMatchingFilesDataset
    ExperimentalMaxIntraOpParallelismDataset
    ExperimentalNonSerializableDataset
    ExperimentalParallelInterleaveDataset
    ExperimentalParseExampleDataset
    ExperimentalPrivateThreadPoolDataset
    ExperimentalRandomDataset
    ExperimentalRebatchDataset
    ExperimentalScanDataset
    ExperimentalSetStatsAggregatorDataset
    ExperimentalSleepDataset
    ExperimentalSlidingWindowDataset
    ExperimentalStatsAggregatorHandle
    ExperimentalStatsAggregatorSummary
    ExperimentalTakeWhileDataset
    ExperimentalThreadPoolDataset
    ExperimentalThreadPoolHandle
    ExperimentalUnbatchDataset
    ExperimentalUniqueDataset
    FilterDataset
    FinalizeDataset
    FixedLengthRecordDataset
    FixedLengthRecordDatasetV2
    FlatMapDataset
    GeneratorDataset
    GetElementAtIndex
    GetOptions
    GlobalShuffleDataset
    GroupByReducerDataset
    GroupByWindowDataset
    IgnoreErrorsDataset
    IndexFlatMapDataset
    InitializeTableFromDataset
    InterleaveDataset
    Iterator
    IteratorFromStringHandle
    IteratorFromStringHandleV2
    IteratorGetDevice
    IteratorGetNext
    IteratorGetNextAsOptional
    IteratorGetNextSync
    IteratorToStringHandle
    IteratorV2
    LatencyStatsDataset
    LegacyParallelInterleaveDatasetV2
    ListDataset
    LoadDataset
    MakeIterator
    MapAndBatchDataset
    MapDataset
    MapDefun
    MatchingFilesDataset
    MaxIntraOpParallelismDataset
    ModelDataset
    MultiDeviceIterator
    MultiDeviceIteratorFromStringHandle
    MultiDeviceIteratorGetNextFromShard
    MultiDeviceIteratorInit
    MultiDeviceIteratorToStringHandle
    NonSerializableDataset
    OneShotIterator
    OptimizeDataset
    OptimizeDatasetV2
    OptionsDataset
    PaddedBatchDataset
    PaddedBatchDatasetV2
    ParallelBatchDataset
    ParallelFilterDataset
    ParallelInterleaveDataset
    ParallelInterleaveDatasetV2
    ParallelInterleaveDatasetV3
    ParallelInterleaveDatasetV4
    ParallelMapDataset
    ParallelMapDatasetV2
    ParseExampleDataset
    ParseExampleDatasetV2
    PrefetchDataset
    PrivateThreadPoolDataset
    RandomDataset
    RandomDatasetV2
    RangeDataset
    RebatchDataset
    RebatchDatasetV2
    ReduceDataset
    RepeatDataset
    RewriteDataset
    SamplingDataset
    SaveDataset
    SaveDatasetV2
    ScanDataset
    SerializeIterator
    SetStatsAggregatorDataset
    ShardDataset
    ShuffleAndRepeatDataset
    ShuffleAndRepeatDatasetV2
    ShuffleDataset
    ShuffleDatasetV2
    ShuffleDatasetV3
    SkipDataset
    SleepDataset
    SlidingWindowDataset
    SnapshotChunkDataset
    SnapshotDataset
    SnapshotDatasetReader
    SnapshotDatasetV2
    SnapshotNestedDatasetReader
    SparseTensorSliceDataset
    StatsAggregatorHandle
    StatsAggregatorHandleV2
    StatsAggregatorSetSummaryWriter
    StatsAggregatorSummary
    TFRecordDataset
    TFRecordDatasetV2
    TakeDataset
    TakeWhileDataset
    TensorDataset
    TensorSliceDataset
    TextLineDataset
    ThreadPoolDataset
    ThreadPoolHandle
    UnbatchDataset
    UncompressElement
    UniqueDataset
    UnwrapDatasetVariant
    WeightedFlatMapDataset
    WindowDataset
    WrapDatasetVariant
    ZipDataset
}

no_output! {
    DatasetToTFRecord
    DeleteIterator
    DeleteMemoryCache
    DeleteMultiDeviceIterator
    DeleteRandomSeedGenerator
    DeleteSeedGenerator
    DeserializeIterator
    ExperimentalDatasetToTFRecord
    InitializeTableFromDataset
    MakeIterator
    SaveDataset
    StatsAggregatorSetSummaryWriter
}

one_output! {
    AnonymousIterator
    AnonymousIteratorV3
    AnonymousMultiDeviceIteratorV3
    AssertCardinalityDataset
    AssertNextDataset
    AssertPrevDataset
    AutoShardDataset
    BatchDataset
    BatchDatasetV2
    BytesProducedStatsDataset
    CSVDataset
    CSVDatasetV2
    CacheDataset
    CacheDatasetV2
    ChooseFastestBranchDataset
    ChooseFastestDataset
    CompressElement
    ComputeBatchSize
    ConcatenateDataset
    DatasetCardinality
    DatasetFingerprint
    DatasetFromGraph
    DatasetToGraph
    DatasetToGraphV2
    DenseToSparseBatchDataset
    DirectedInterleaveDataset
    DummyMemoryCache
    DummySeedGenerator
    ExperimentalAssertNextDataset
    ExperimentalAutoShardDataset
    ExperimentalBytesProducedStatsDataset
    ExperimentalCSVDataset
    ExperimentalChooseFastestDataset
    ExperimentalDatasetCardinality
    ExperimentalDenseToSparseBatchDataset
    ExperimentalDirectedInterleaveDataset
    ExperimentalGroupByReducerDataset
    ExperimentalGroupByWindowDataset
    ExperimentalIgnoreErrorsDataset
    ExperimentalIteratorGetDevice
    ExperimentalLatencyStatsDataset
    ExperimentalMapAndBatchDataset
    ExperimentalMatchingFilesDataset
    ExperimentalMaxIntraOpParallelismDataset
    ExperimentalNonSerializableDataset
    ExperimentalParallelInterleaveDataset
    ExperimentalParseExampleDataset
    ExperimentalPrivateThreadPoolDataset
    ExperimentalRandomDataset
    ExperimentalRebatchDataset
    ExperimentalScanDataset
    ExperimentalSetStatsAggregatorDataset
    ExperimentalSleepDataset
    ExperimentalSlidingWindowDataset
    ExperimentalStatsAggregatorHandle
    ExperimentalStatsAggregatorSummary
    ExperimentalTakeWhileDataset
    ExperimentalThreadPoolDataset
    ExperimentalThreadPoolHandle
    ExperimentalUnbatchDataset
    ExperimentalUniqueDataset
    FilterDataset
    FinalizeDataset
    FixedLengthRecordDataset
    FixedLengthRecordDatasetV2
    FlatMapDataset
    GeneratorDataset
    GetOptions
    GlobalShuffleDataset
    GroupByReducerDataset
    GroupByWindowDataset
    IgnoreErrorsDataset
    IndexFlatMapDataset
    InterleaveDataset
    Iterator
    IteratorFromStringHandle
    IteratorFromStringHandleV2
    IteratorGetDevice
    IteratorGetNextAsOptional
    IteratorToStringHandle
    IteratorV2
    LatencyStatsDataset
    LegacyParallelInterleaveDatasetV2
    ListDataset
    LoadDataset
    MapAndBatchDataset
    MapDataset
    MatchingFilesDataset
    MaxIntraOpParallelismDataset
    ModelDataset
    MultiDeviceIterator
    MultiDeviceIteratorFromStringHandle
    MultiDeviceIteratorInit
    MultiDeviceIteratorToStringHandle
    NonSerializableDataset
    OneShotIterator
    OptimizeDataset
    OptimizeDatasetV2
    OptionsDataset
    PaddedBatchDataset
    PaddedBatchDatasetV2
    ParallelBatchDataset
    ParallelFilterDataset
    ParallelInterleaveDataset
    ParallelInterleaveDatasetV2
    ParallelInterleaveDatasetV3
    ParallelInterleaveDatasetV4
    ParallelMapDataset
    ParallelMapDatasetV2
    ParseExampleDataset
    ParseExampleDatasetV2
    PrefetchDataset
    PrivateThreadPoolDataset
    RandomDataset
    RandomDatasetV2
    RangeDataset
    RebatchDataset
    RebatchDatasetV2
    RepeatDataset
    RewriteDataset
    SamplingDataset
    SaveDatasetV2
    ScanDataset
    SerializeIterator
    SetStatsAggregatorDataset
    ShardDataset
    ShuffleAndRepeatDataset
    ShuffleAndRepeatDatasetV2
    ShuffleDataset
    ShuffleDatasetV2
    ShuffleDatasetV3
    SkipDataset
    SleepDataset
    SlidingWindowDataset
    SnapshotChunkDataset
    SnapshotDataset
    SnapshotDatasetReader
    SnapshotDatasetV2
    SnapshotNestedDatasetReader
    SparseTensorSliceDataset
    StatsAggregatorHandle
    StatsAggregatorHandleV2
    StatsAggregatorSummary
    TFRecordDataset
    TFRecordDatasetV2
    TakeDataset
    TakeWhileDataset
    TensorDataset
    TensorSliceDataset
    TextLineDataset
    ThreadPoolDataset
    ThreadPoolHandle
    UnbatchDataset
    UniqueDataset
    UnwrapDatasetVariant
    WeightedFlatMapDataset
    WindowDataset
    WrapDatasetVariant
    ZipDataset
}
