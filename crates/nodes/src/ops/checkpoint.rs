// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `checkpoint`.

use crate::node::{Input, Node, Ops, common, no_output, one_output};
use levada_graph::DType;
use levada_builder::Output;

impl Ops<'_> {
    /// Lets reads of a variable share its elements, which they always do here; fails if the variable does not exist.
    ///
    /// - `resource`: a tensor of resource
    pub fn disable_copy_on_read(&self, resource: impl Input) -> DisableCopyOnRead<'_> {
        DisableCopyOnRead(Node::new(self, "DisableCopyOnRead").input(resource))
    }

    /// Maps each word of a new vocabulary to its line number in an old one, or -1 if the old one does not contain it; both are files with one word per line. Also returns how many words were found.
    ///
    /// - `new_vocab_file`: a tensor of string
    /// - `old_vocab_file`: a tensor of string
    /// - `new_vocab_offset`: Line of the first word, starting at 0. At least 0.
    /// - `num_new_vocab`: Number of words of the new vocabulary. At least 0.
    pub fn generate_vocab_remapping(&self, new_vocab_file: impl Input, old_vocab_file: impl Input, new_vocab_offset: i64, num_new_vocab: i64) -> GenerateVocabRemapping<'_> {
        let mut node = Node::new(self, "GenerateVocabRemapping").input(new_vocab_file).input(old_vocab_file);
        node.set("new_vocab_offset", new_vocab_offset);
        node.set("num_new_vocab", num_new_vocab);
        GenerateVocabRemapping(node)
    }

    /// Loads a matrix from a checkpoint and selects the rows and columns given by `row_remapping` and `col_remapping`, for instance to turn an embedding of an old vocabulary into one of a new vocabulary. Elements for which either number is negative are taken from `initializing_values` in row-major order. If `col_remapping` is empty, the columns stay as they are.
    ///
    /// - `ckpt_path`: a tensor of string
    /// - `old_tensor_name`: a tensor of string
    /// - `row_remapping`: a tensor of int64
    /// - `col_remapping`: a tensor of int64
    /// - `initializing_values`: a tensor of float32
    /// - `num_rows`: Number of rows; must equal the number of elements of `row_remapping`. At least 0.
    /// - `num_cols`: Number of columns; must equal the number of elements of `col_remapping` unless that is empty. At least 1.
    pub fn load_and_remap_matrix(&self, ckpt_path: impl Input, old_tensor_name: impl Input, row_remapping: impl Input, col_remapping: impl Input, initializing_values: impl Input, num_rows: i64, num_cols: i64) -> LoadAndRemapMatrix<'_> {
        let mut node = Node::new(self, "LoadAndRemapMatrix").input(ckpt_path).input(old_tensor_name).input(row_remapping).input(col_remapping).input(initializing_values);
        node.set("num_rows", num_rows);
        node.set("num_cols", num_cols);
        LoadAndRemapMatrix(node)
    }

    /// Merges several checkpoints into one, taking over their files.
    ///
    /// - `checkpoint_prefixes`: a tensor of string
    /// - `destination_prefix`: a tensor of string
    pub fn merge_v2_checkpoints(&self, checkpoint_prefixes: impl Input, destination_prefix: impl Input) -> MergeV2Checkpoints<'_> {
        MergeV2Checkpoints(Node::new(self, "MergeV2Checkpoints").input(checkpoint_prefixes).input(destination_prefix))
    }

    /// Reads a tensor from the files matching a pattern: V1 checkpoint files, or the prefix of a V2 checkpoint.
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

    /// Reads a slice of a tensor, like `Restore`.
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

    /// Reads tensors, or slices of them, by name. Slices need not match those that were saved.
    ///
    /// - `prefix`: a tensor of string
    /// - `tensor_names`: a tensor of string
    /// - `shape_and_slices`: a tensor of string
    /// - `dtypes`: Dtypes of the tensors. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn restore_v2(&self, prefix: impl Input, tensor_names: impl Input, shape_and_slices: impl Input, dtypes: &[DType]) -> RestoreV2<'_> {
        let mut node = Node::new(self, "RestoreV2").input(prefix).input(tensor_names).input(shape_and_slices);
        node.set("dtypes", dtypes.to_vec());
        RestoreV2(node)
    }

    /// Saves tensors to a file. An existing file is replaced only once everything is on disk.
    ///
    /// - `filename`: a tensor of string
    /// - `tensor_names`: a tensor of string
    /// - `data`: any number of tensors of any dtypes
    ///
    /// `T` is any dtype.
    pub fn save(&self, filename: impl Input, tensor_names: impl Input, data: impl IntoIterator<Item = impl Input>) -> Save<'_> {
        Save(Node::new(self, "Save").input(filename).input(tensor_names).list(data))
    }

    /// Saves tensors, or slices of them, to a file, like `Save`.
    ///
    /// - `filename`: a tensor of string
    /// - `tensor_names`: a tensor of string
    /// - `shapes_and_slices`: a tensor of string
    /// - `data`: any number of tensors of any dtypes
    ///
    /// `T` is any dtype.
    pub fn save_slices(&self, filename: impl Input, tensor_names: impl Input, shapes_and_slices: impl Input, data: impl IntoIterator<Item = impl Input>) -> SaveSlices<'_> {
        SaveSlices(Node::new(self, "SaveSlices").input(filename).input(tensor_names).input(shapes_and_slices).list(data))
    }

    /// Saves tensors, or slices of them, by name. An existing checkpoint with the same prefix is replaced only once everything is on disk.
    ///
    /// - `prefix`: a tensor of string
    /// - `tensor_names`: a tensor of string
    /// - `shape_and_slices`: a tensor of string
    /// - `tensors`: any number of tensors of any dtypes
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
    /// Number of words of the old vocabulary to consider; -1 for all. At least -1. Default: `-1`.
    pub fn old_vocab_size(mut self, old_vocab_size: i64) -> Self {
        self.0.set("old_vocab_size", old_vocab_size);
        self
    }

    /// Adds the node to the graph; returns its outputs.
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
    /// Maximum number of rows to read at a time; ignored. Default: `-1`.
    pub fn max_rows_in_memory(mut self, max_rows_in_memory: i64) -> Self {
        self.0.set("max_rows_in_memory", max_rows_in_memory);
        self
    }
}

/// A node of [`MergeV2Checkpoints`](Ops::merge_v2_checkpoints) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MergeV2Checkpoints<'a>(Node<'a>);

impl MergeV2Checkpoints<'_> {
    /// Whether to remove the directories of the merged checkpoints if they end up empty. Default: `true`.
    pub fn delete_old_dirs(mut self, delete_old_dirs: bool) -> Self {
        self.0.set("delete_old_dirs", delete_old_dirs);
        self
    }

    /// Whether to skip checkpoints that do not exist. Default: `false`.
    pub fn allow_missing_files(mut self, allow_missing_files: bool) -> Self {
        self.0.set("allow_missing_files", allow_missing_files);
        self
    }
}

/// A node of [`Restore`](Ops::restore) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Restore<'a>(Node<'a>);

impl Restore<'_> {
    /// Which of several files to read first; ignored. Default: `-1`.
    pub fn preferred_shard(mut self, preferred_shard: i64) -> Self {
        self.0.set("preferred_shard", preferred_shard);
        self
    }
}

/// A node of [`RestoreSlice`](Ops::restore_slice) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RestoreSlice<'a>(Node<'a>);

impl RestoreSlice<'_> {
    /// Which of several files to read first; ignored. Default: `-1`.
    pub fn preferred_shard(mut self, preferred_shard: i64) -> Self {
        self.0.set("preferred_shard", preferred_shard);
        self
    }
}

/// A node of [`RestoreV2`](Ops::restore_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RestoreV2<'a>(Node<'a>);

impl RestoreV2<'_> {
    /// Adds the node to the graph; returns its outputs.
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
