// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `checkpoint`.

use crate::node::{Input, Node, Ops, common, no_output, one_output};
use levada_graph::DType;
use levada_builder::Output;

impl Ops<'_> {
    /// Lets reads of a variable share its elements. They always do; it fails where there is no such variable.
    ///
    /// - `resource`: a tensor of resource
    pub fn disable_copy_on_read(&self, resource: impl Input) -> DisableCopyOnRead<'_> {
        DisableCopyOnRead(Node::new(self, "DisableCopyOnRead").input(resource))
    }

    /// For words of a new vocabulary, one a line of a file, the numbers of their lines in the file of an old one; -1 for words that it does not have. Also how many of them it has.
    ///
    /// - `new_vocab_file`: a tensor of string
    /// - `old_vocab_file`: a tensor of string
    /// - `new_vocab_offset`: Line of the first word, from 0. At least 0.
    /// - `num_new_vocab`: How many words. At least 0.
    pub fn generate_vocab_remapping(&self, new_vocab_file: impl Input, old_vocab_file: impl Input, new_vocab_offset: i64, num_new_vocab: i64) -> GenerateVocabRemapping<'_> {
        let mut node = Node::new(self, "GenerateVocabRemapping").input(new_vocab_file).input(old_vocab_file);
        node.set("new_vocab_offset", new_vocab_offset);
        node.set("num_new_vocab", num_new_vocab);
        GenerateVocabRemapping(node)
    }

    /// A matrix of a checkpoint, with the rows and columns whose numbers `row_remapping` and `col_remapping` have: of an old vocabulary's embedding that of a new one. What is to have a negative number is taken from `initializing_values`, row by row. Without `col_remapping` the columns stay.
    ///
    /// - `ckpt_path`: a tensor of string
    /// - `old_tensor_name`: a tensor of string
    /// - `row_remapping`: a tensor of int64
    /// - `col_remapping`: a tensor of int64
    /// - `initializing_values`: a tensor of float32
    /// - `num_rows`: Number of rows, which is that of elements of `row_remapping`. At least 0.
    /// - `num_cols`: Number of columns, which is that of elements of `col_remapping` where it has any. At least 1.
    pub fn load_and_remap_matrix(&self, ckpt_path: impl Input, old_tensor_name: impl Input, row_remapping: impl Input, col_remapping: impl Input, initializing_values: impl Input, num_rows: i64, num_cols: i64) -> LoadAndRemapMatrix<'_> {
        let mut node = Node::new(self, "LoadAndRemapMatrix").input(ckpt_path).input(old_tensor_name).input(row_remapping).input(col_remapping).input(initializing_values);
        node.set("num_rows", num_rows);
        node.set("num_cols", num_cols);
        LoadAndRemapMatrix(node)
    }

    /// Makes one checkpoint of several, whose files it takes over.
    ///
    /// - `checkpoint_prefixes`: a tensor of string
    /// - `destination_prefix`: a tensor of string
    pub fn merge_v2_checkpoints(&self, checkpoint_prefixes: impl Input, destination_prefix: impl Input) -> MergeV2Checkpoints<'_> {
        MergeV2Checkpoints(Node::new(self, "MergeV2Checkpoints").input(checkpoint_prefixes).input(destination_prefix))
    }

    /// Reads a tensor from the files that a pattern matches: those of the first format, or the prefix of a checkpoint.
    ///
    /// - `file_pattern`: a tensor of string
    /// - `tensor_name`: a tensor of string
    /// - `dt`: Dtype of the tensor. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn restore(&self, file_pattern: impl Input, tensor_name: impl Input, dt: DType) -> Restore<'_> {
        let mut node = Node::new(self, "Restore").input(file_pattern).input(tensor_name);
        node.set("dt", dt);
        Restore(node)
    }

    /// Reads part of a tensor, as `Restore`.
    ///
    /// - `file_pattern`: a tensor of string
    /// - `tensor_name`: a tensor of string
    /// - `shape_and_slice`: a tensor of string
    /// - `dt`: Dtype of the tensor. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn restore_slice(&self, file_pattern: impl Input, tensor_name: impl Input, shape_and_slice: impl Input, dt: DType) -> RestoreSlice<'_> {
        let mut node = Node::new(self, "RestoreSlice").input(file_pattern).input(tensor_name).input(shape_and_slice);
        node.set("dt", dt);
        RestoreSlice(node)
    }

    /// Reads tensors, or parts of them, by name. Parts need not be those that were saved.
    ///
    /// - `prefix`: a tensor of string
    /// - `tensor_names`: a tensor of string
    /// - `shape_and_slices`: a tensor of string
    /// - `dtypes`: Dtypes of the tensors. Allowed: any dtype. At least 1 of them.
    ///
    /// It has no gradient.
    pub fn restore_v2(&self, prefix: impl Input, tensor_names: impl Input, shape_and_slices: impl Input, dtypes: &[DType]) -> RestoreV2<'_> {
        let mut node = Node::new(self, "RestoreV2").input(prefix).input(tensor_names).input(shape_and_slices);
        node.set("dtypes", dtypes.to_vec());
        RestoreV2(node)
    }

    /// Saves tensors to a file. One that is there stays until all is on disk.
    ///
    /// - `filename`: a tensor of string
    /// - `tensor_names`: a tensor of string
    /// - `data`: tensors of any number and dtypes
    ///
    /// `T` is any dtype.
    pub fn save(&self, filename: impl Input, tensor_names: impl Input, data: impl IntoIterator<Item = impl Input>) -> Save<'_> {
        Save(Node::new(self, "Save").input(filename).input(tensor_names).list(data))
    }

    /// Saves tensors, or parts of them, to a file, as `Save`.
    ///
    /// - `filename`: a tensor of string
    /// - `tensor_names`: a tensor of string
    /// - `shapes_and_slices`: a tensor of string
    /// - `data`: tensors of any number and dtypes
    ///
    /// `T` is any dtype.
    pub fn save_slices(&self, filename: impl Input, tensor_names: impl Input, shapes_and_slices: impl Input, data: impl IntoIterator<Item = impl Input>) -> SaveSlices<'_> {
        SaveSlices(Node::new(self, "SaveSlices").input(filename).input(tensor_names).input(shapes_and_slices).list(data))
    }

    /// Saves tensors, or parts of them, under names. A checkpoint that has the same prefix stays until all is on disk.
    ///
    /// - `prefix`: a tensor of string
    /// - `tensor_names`: a tensor of string
    /// - `shape_and_slices`: a tensor of string
    /// - `tensors`: tensors of any number and dtypes
    ///
    /// `dtypes` is any dtype.
    pub fn save_v2(&self, prefix: impl Input, tensor_names: impl Input, shape_and_slices: impl Input, tensors: impl IntoIterator<Item = impl Input>) -> SaveV2<'_> {
        SaveV2(Node::new(self, "SaveV2").input(prefix).input(tensor_names).input(shape_and_slices).list(tensors))
    }
}

/// A node of [`DisableCopyOnRead`](Ops::disable_copy_on_read) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DisableCopyOnRead<'a>(Node<'a>);

/// A node of [`GenerateVocabRemapping`](Ops::generate_vocab_remapping) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GenerateVocabRemapping<'a>(Node<'a>);

impl GenerateVocabRemapping<'_> {
    /// How many words of the old vocabulary count; -1 for all. At least -1. Default: `-1`.
    pub fn old_vocab_size(mut self, old_vocab_size: i64) -> Self {
        self.0.set("old_vocab_size", old_vocab_size);
        self
    }

    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> GenerateVocabRemappingOutputs {
        let mut outputs = self.0.outputs();
        GenerateVocabRemappingOutputs { remapping: outputs.one(), num_present: outputs.one() }
    }
}

/// The outputs of [`GenerateVocabRemapping`](Ops::generate_vocab_remapping).
#[derive(Clone, Copy, Debug)]
pub struct GenerateVocabRemappingOutputs {
    /// A tensor of int64.
    pub remapping: Output,
    /// A tensor of int32.
    pub num_present: Output,
}

/// A node of [`LoadAndRemapMatrix`](Ops::load_and_remap_matrix) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LoadAndRemapMatrix<'a>(Node<'a>);

impl LoadAndRemapMatrix<'_> {
    /// How many rows to read at a time; of no consequence. Default: `-1`.
    pub fn max_rows_in_memory(mut self, max_rows_in_memory: i64) -> Self {
        self.0.set("max_rows_in_memory", max_rows_in_memory);
        self
    }
}

/// A node of [`MergeV2Checkpoints`](Ops::merge_v2_checkpoints) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MergeV2Checkpoints<'a>(Node<'a>);

impl MergeV2Checkpoints<'_> {
    /// Whether to remove the directories that the others were in, where they are empty then. Default: `true`.
    pub fn delete_old_dirs(mut self, delete_old_dirs: bool) -> Self {
        self.0.set("delete_old_dirs", delete_old_dirs);
        self
    }

    /// Whether to leave out those that are not there. Default: `false`.
    pub fn allow_missing_files(mut self, allow_missing_files: bool) -> Self {
        self.0.set("allow_missing_files", allow_missing_files);
        self
    }
}

/// A node of [`Restore`](Ops::restore) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Restore<'a>(Node<'a>);

impl Restore<'_> {
    /// Which of several files to look at first; of no consequence. Default: `-1`.
    pub fn preferred_shard(mut self, preferred_shard: i64) -> Self {
        self.0.set("preferred_shard", preferred_shard);
        self
    }
}

/// A node of [`RestoreSlice`](Ops::restore_slice) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RestoreSlice<'a>(Node<'a>);

impl RestoreSlice<'_> {
    /// Which of several files to look at first; of no consequence. Default: `-1`.
    pub fn preferred_shard(mut self, preferred_shard: i64) -> Self {
        self.0.set("preferred_shard", preferred_shard);
        self
    }
}

/// A node of [`RestoreV2`](Ops::restore_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RestoreV2<'a>(Node<'a>);

impl RestoreV2<'_> {
    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`Save`](Ops::save) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Save<'a>(Node<'a>);

/// A node of [`SaveSlices`](Ops::save_slices) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SaveSlices<'a>(Node<'a>);

/// A node of [`SaveV2`](Ops::save_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SaveV2<'a>(Node<'a>);

common! {
    DisableCopyOnRead
    GenerateVocabRemapping
    LoadAndRemapMatrix
    MergeV2Checkpoints
    Restore
    RestoreSlice
    RestoreV2
    Save
    SaveSlices
    SaveV2
}

no_output! {
    DisableCopyOnRead
    MergeV2Checkpoints
    Save
    SaveSlices
    SaveV2
}

one_output! {
    LoadAndRemapMatrix
    Restore
    RestoreSlice
}
