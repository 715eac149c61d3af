// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `tables`.

use crate::node::{Input, Node, Ops, common, no_output, one_output, string};
use levada_graph::{DType, PartialShape};
use levada_builder::Output;

impl Ops<'_> {
    /// Creates an immutable hash table, which is initialized once.
    ///
    /// - `key_dtype`: Dtype of the keys. Allowed: any dtype.
    /// - `value_dtype`: Dtype of the values. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn anonymous_hash_table(&self, key_dtype: DType, value_dtype: DType) -> AnonymousHashTable<'_> {
        let mut node = Node::new(self, "AnonymousHashTable");
        node.set("key_dtype", key_dtype);
        node.set("value_dtype", value_dtype);
        AnonymousHashTable(node)
    }

    /// Creates a mutable hash table with two reserved keys, which mark empty and deleted buckets.
    ///
    /// - `empty_key`: a tensor of `key_dtype`
    /// - `deleted_key`: a tensor of `key_dtype`
    /// - `value_dtype`: Dtype of the values. Allowed: any dtype.
    ///
    /// `key_dtype` is any dtype.
    ///
    /// It has no gradient.
    pub fn anonymous_mutable_dense_hash_table(&self, empty_key: impl Input, deleted_key: impl Input, value_dtype: DType) -> AnonymousMutableDenseHashTable<'_> {
        let mut node = Node::new(self, "AnonymousMutableDenseHashTable").input(empty_key).input(deleted_key);
        node.set("value_dtype", value_dtype);
        AnonymousMutableDenseHashTable(node)
    }

    /// Creates a mutable hash table.
    ///
    /// - `key_dtype`: Dtype of the keys. Allowed: any dtype.
    /// - `value_dtype`: Dtype of the values. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn anonymous_mutable_hash_table(&self, key_dtype: DType, value_dtype: DType) -> AnonymousMutableHashTable<'_> {
        let mut node = Node::new(self, "AnonymousMutableHashTable");
        node.set("key_dtype", key_dtype);
        node.set("value_dtype", value_dtype);
        AnonymousMutableHashTable(node)
    }

    /// Creates a mutable hash table whose values are vectors.
    ///
    /// - `key_dtype`: Dtype of the keys. Allowed: any dtype.
    /// - `value_dtype`: Dtype of the values. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn anonymous_mutable_hash_table_of_tensors(&self, key_dtype: DType, value_dtype: DType) -> AnonymousMutableHashTableOfTensors<'_> {
        let mut node = Node::new(self, "AnonymousMutableHashTableOfTensors");
        node.set("key_dtype", key_dtype);
        node.set("value_dtype", value_dtype);
        AnonymousMutableHashTableOfTensors(node)
    }

    /// Creates an immutable hash table, which is initialized once.
    ///
    /// - `key_dtype`: Dtype of the keys. Allowed: any dtype.
    /// - `value_dtype`: Dtype of the values. Allowed: any dtype.
    pub fn hash_table(&self, key_dtype: DType, value_dtype: DType) -> HashTable<'_> {
        let mut node = Node::new(self, "HashTable");
        node.set("key_dtype", key_dtype);
        node.set("value_dtype", value_dtype);
        HashTable(node)
    }

    /// Creates an immutable hash table, which is initialized once.
    ///
    /// - `key_dtype`: Dtype of the keys. Allowed: any dtype.
    /// - `value_dtype`: Dtype of the values. Allowed: any dtype.
    pub fn hash_table_v2(&self, key_dtype: DType, value_dtype: DType) -> HashTableV2<'_> {
        let mut node = Node::new(self, "HashTableV2");
        node.set("key_dtype", key_dtype);
        node.set("value_dtype", value_dtype);
        HashTableV2(node)
    }

    /// Initializes a table with keys and values.
    ///
    /// - `table_handle`: a reference to a variable of string
    /// - `keys`: a tensor of `Tkey`
    /// - `values`: a tensor of `Tval`
    ///
    /// `Tkey` is any dtype. `Tval` is any dtype.
    pub fn initialize_table(&self, table_handle: impl Input, keys: impl Input, values: impl Input) -> InitializeTable<'_> {
        InitializeTable(Node::new(self, "InitializeTable").input(table_handle).input(keys).input(values))
    }

    /// Initializes a table from a file that holds one key and value per line.
    ///
    /// - `table_handle`: a reference to a variable of string
    /// - `filename`: a tensor of string
    /// - `key_index`: Column of the key; -2 for the whole line, -1 for the line number. At least -2.
    /// - `value_index`: Column of the value; -2 for the whole line, -1 for the line number. At least -2.
    pub fn initialize_table_from_text_file(&self, table_handle: impl Input, filename: impl Input, key_index: i64, value_index: i64) -> InitializeTableFromTextFile<'_> {
        let mut node = Node::new(self, "InitializeTableFromTextFile").input(table_handle).input(filename);
        node.set("key_index", key_index);
        node.set("value_index", value_index);
        InitializeTableFromTextFile(node)
    }

    /// Initializes a table from a file that holds one key and value per line.
    ///
    /// - `table_handle`: a tensor of resource
    /// - `filename`: a tensor of string
    /// - `key_index`: Column of the key; -2 for the whole line, -1 for the line number. At least -2.
    /// - `value_index`: Column of the value; -2 for the whole line, -1 for the line number. At least -2.
    pub fn initialize_table_from_text_file_v2(&self, table_handle: impl Input, filename: impl Input, key_index: i64, value_index: i64) -> InitializeTableFromTextFileV2<'_> {
        let mut node = Node::new(self, "InitializeTableFromTextFileV2").input(table_handle).input(filename);
        node.set("key_index", key_index);
        node.set("value_index", value_index);
        InitializeTableFromTextFileV2(node)
    }

    /// Initializes a table with keys and values.
    ///
    /// - `table_handle`: a tensor of resource
    /// - `keys`: a tensor of `Tkey`
    /// - `values`: a tensor of `Tval`
    ///
    /// `Tkey` is any dtype. `Tval` is any dtype.
    pub fn initialize_table_v2(&self, table_handle: impl Input, keys: impl Input, values: impl Input) -> InitializeTableV2<'_> {
        InitializeTableV2(Node::new(self, "InitializeTableV2").input(table_handle).input(keys).input(values))
    }

    /// Returns all keys and values of a table, in no particular order.
    ///
    /// - `table_handle`: a reference to a variable of string
    /// - `tkeys`: Dtype of the keys. Allowed: any dtype.
    /// - `tvalues`: Dtype of the values. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn lookup_table_export(&self, table_handle: impl Input, tkeys: DType, tvalues: DType) -> LookupTableExport<'_> {
        let mut node = Node::new(self, "LookupTableExport").input(table_handle);
        node.set("Tkeys", tkeys);
        node.set("Tvalues", tvalues);
        LookupTableExport(node)
    }

    /// Returns all keys and values of a table, in no particular order.
    ///
    /// - `table_handle`: a tensor of resource
    /// - `tkeys`: Dtype of the keys. Allowed: any dtype.
    /// - `tvalues`: Dtype of the values. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn lookup_table_export_v2(&self, table_handle: impl Input, tkeys: DType, tvalues: DType) -> LookupTableExportV2<'_> {
        let mut node = Node::new(self, "LookupTableExportV2").input(table_handle);
        node.set("Tkeys", tkeys);
        node.set("Tvalues", tvalues);
        LookupTableExportV2(node)
    }

    /// Looks up the values of keys; missing keys yield `default_value`.
    ///
    /// - `table_handle`: a reference to a variable of string
    /// - `keys`: a tensor of `Tin`
    /// - `default_value`: a tensor of `Tout`
    ///
    /// `Tin` is any dtype. `Tout` is any dtype.
    pub fn lookup_table_find(&self, table_handle: impl Input, keys: impl Input, default_value: impl Input) -> LookupTableFind<'_> {
        LookupTableFind(Node::new(self, "LookupTableFind").input(table_handle).input(keys).input(default_value))
    }

    /// Looks up the values of keys; missing keys yield `default_value`.
    ///
    /// - `table_handle`: a tensor of resource
    /// - `keys`: a tensor of `Tin`
    /// - `default_value`: a tensor of `Tout`
    ///
    /// `Tin` is any dtype. `Tout` is any dtype.
    pub fn lookup_table_find_v2(&self, table_handle: impl Input, keys: impl Input, default_value: impl Input) -> LookupTableFindV2<'_> {
        LookupTableFindV2(Node::new(self, "LookupTableFindV2").input(table_handle).input(keys).input(default_value))
    }

    /// Replaces the contents of a table by these keys and values.
    ///
    /// - `table_handle`: a reference to a variable of string
    /// - `keys`: a tensor of `Tin`
    /// - `values`: a tensor of `Tout`
    ///
    /// `Tin` is any dtype. `Tout` is any dtype.
    pub fn lookup_table_import(&self, table_handle: impl Input, keys: impl Input, values: impl Input) -> LookupTableImport<'_> {
        LookupTableImport(Node::new(self, "LookupTableImport").input(table_handle).input(keys).input(values))
    }

    /// Replaces the contents of a table by these keys and values.
    ///
    /// - `table_handle`: a tensor of resource
    /// - `keys`: a tensor of `Tin`
    /// - `values`: a tensor of `Tout`
    ///
    /// `Tin` is any dtype. `Tout` is any dtype.
    pub fn lookup_table_import_v2(&self, table_handle: impl Input, keys: impl Input, values: impl Input) -> LookupTableImportV2<'_> {
        LookupTableImportV2(Node::new(self, "LookupTableImportV2").input(table_handle).input(keys).input(values))
    }

    /// Inserts or updates the values of keys.
    ///
    /// - `table_handle`: a reference to a variable of string
    /// - `keys`: a tensor of `Tin`
    /// - `values`: a tensor of `Tout`
    ///
    /// `Tin` is any dtype. `Tout` is any dtype.
    pub fn lookup_table_insert(&self, table_handle: impl Input, keys: impl Input, values: impl Input) -> LookupTableInsert<'_> {
        LookupTableInsert(Node::new(self, "LookupTableInsert").input(table_handle).input(keys).input(values))
    }

    /// Inserts or updates the values of keys.
    ///
    /// - `table_handle`: a tensor of resource
    /// - `keys`: a tensor of `Tin`
    /// - `values`: a tensor of `Tout`
    ///
    /// `Tin` is any dtype. `Tout` is any dtype.
    pub fn lookup_table_insert_v2(&self, table_handle: impl Input, keys: impl Input, values: impl Input) -> LookupTableInsertV2<'_> {
        LookupTableInsertV2(Node::new(self, "LookupTableInsertV2").input(table_handle).input(keys).input(values))
    }

    /// Removes keys from a table.
    ///
    /// - `table_handle`: a tensor of resource
    /// - `keys`: a tensor of `Tin`
    ///
    /// `Tin` is any dtype.
    pub fn lookup_table_remove_v2(&self, table_handle: impl Input, keys: impl Input) -> LookupTableRemoveV2<'_> {
        LookupTableRemoveV2(Node::new(self, "LookupTableRemoveV2").input(table_handle).input(keys))
    }

    /// Returns the number of entries of a table.
    ///
    /// - `table_handle`: a reference to a variable of string
    pub fn lookup_table_size(&self, table_handle: impl Input) -> LookupTableSize<'_> {
        LookupTableSize(Node::new(self, "LookupTableSize").input(table_handle))
    }

    /// Returns the number of entries of a table.
    ///
    /// - `table_handle`: a tensor of resource
    pub fn lookup_table_size_v2(&self, table_handle: impl Input) -> LookupTableSizeV2<'_> {
        LookupTableSizeV2(Node::new(self, "LookupTableSizeV2").input(table_handle))
    }

    /// Creates a mutable hash table with two reserved keys, which mark empty and deleted buckets.
    ///
    /// - `empty_key`: a tensor of `key_dtype`
    /// - `value_dtype`: Dtype of the values. Allowed: any dtype.
    ///
    /// `key_dtype` is any dtype.
    pub fn mutable_dense_hash_table(&self, empty_key: impl Input, value_dtype: DType) -> MutableDenseHashTable<'_> {
        let mut node = Node::new(self, "MutableDenseHashTable").input(empty_key);
        node.set("value_dtype", value_dtype);
        MutableDenseHashTable(node)
    }

    /// Creates a mutable hash table with two reserved keys, which mark empty and deleted buckets.
    ///
    /// - `empty_key`: a tensor of `key_dtype`
    /// - `deleted_key`: a tensor of `key_dtype`
    /// - `value_dtype`: Dtype of the values. Allowed: any dtype.
    ///
    /// `key_dtype` is any dtype.
    pub fn mutable_dense_hash_table_v2(&self, empty_key: impl Input, deleted_key: impl Input, value_dtype: DType) -> MutableDenseHashTableV2<'_> {
        let mut node = Node::new(self, "MutableDenseHashTableV2").input(empty_key).input(deleted_key);
        node.set("value_dtype", value_dtype);
        MutableDenseHashTableV2(node)
    }

    /// Creates a mutable hash table.
    ///
    /// - `key_dtype`: Dtype of the keys. Allowed: any dtype.
    /// - `value_dtype`: Dtype of the values. Allowed: any dtype.
    pub fn mutable_hash_table(&self, key_dtype: DType, value_dtype: DType) -> MutableHashTable<'_> {
        let mut node = Node::new(self, "MutableHashTable");
        node.set("key_dtype", key_dtype);
        node.set("value_dtype", value_dtype);
        MutableHashTable(node)
    }

    /// Creates a mutable hash table whose values are vectors.
    ///
    /// - `key_dtype`: Dtype of the keys. Allowed: any dtype.
    /// - `value_dtype`: Dtype of the values. Allowed: any dtype.
    pub fn mutable_hash_table_of_tensors(&self, key_dtype: DType, value_dtype: DType) -> MutableHashTableOfTensors<'_> {
        let mut node = Node::new(self, "MutableHashTableOfTensors");
        node.set("key_dtype", key_dtype);
        node.set("value_dtype", value_dtype);
        MutableHashTableOfTensors(node)
    }

    /// Creates a mutable hash table whose values are vectors.
    ///
    /// - `key_dtype`: Dtype of the keys. Allowed: any dtype.
    /// - `value_dtype`: Dtype of the values. Allowed: any dtype.
    pub fn mutable_hash_table_of_tensors_v2(&self, key_dtype: DType, value_dtype: DType) -> MutableHashTableOfTensorsV2<'_> {
        let mut node = Node::new(self, "MutableHashTableOfTensorsV2");
        node.set("key_dtype", key_dtype);
        node.set("value_dtype", value_dtype);
        MutableHashTableOfTensorsV2(node)
    }

    /// Creates a mutable hash table.
    ///
    /// - `key_dtype`: Dtype of the keys. Allowed: any dtype.
    /// - `value_dtype`: Dtype of the values. Allowed: any dtype.
    pub fn mutable_hash_table_v2(&self, key_dtype: DType, value_dtype: DType) -> MutableHashTableV2<'_> {
        let mut node = Node::new(self, "MutableHashTableV2");
        node.set("key_dtype", key_dtype);
        node.set("value_dtype", value_dtype);
        MutableHashTableV2(node)
    }
}

/// A node of [`AnonymousHashTable`](Ops::anonymous_hash_table) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AnonymousHashTable<'a>(Node<'a>);

/// A node of [`AnonymousMutableDenseHashTable`](Ops::anonymous_mutable_dense_hash_table) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AnonymousMutableDenseHashTable<'a>(Node<'a>);

impl AnonymousMutableDenseHashTable<'_> {
    /// Shape of a value. Default: `[]`.
    pub fn value_shape(mut self, value_shape: impl Into<PartialShape>) -> Self {
        self.0.set("value_shape", Into::<PartialShape>::into(value_shape));
        self
    }

    /// Initial number of buckets; a power of two. Default: `131072`.
    pub fn initial_num_buckets(mut self, initial_num_buckets: i64) -> Self {
        self.0.set("initial_num_buckets", initial_num_buckets);
        self
    }

    /// Maximum load factor before the number of buckets grows. Default: `0.8`.
    pub fn max_load_factor(mut self, max_load_factor: f32) -> Self {
        self.0.set("max_load_factor", max_load_factor);
        self
    }
}

/// A node of [`AnonymousMutableHashTable`](Ops::anonymous_mutable_hash_table) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AnonymousMutableHashTable<'a>(Node<'a>);

/// A node of [`AnonymousMutableHashTableOfTensors`](Ops::anonymous_mutable_hash_table_of_tensors) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AnonymousMutableHashTableOfTensors<'a>(Node<'a>);

impl AnonymousMutableHashTableOfTensors<'_> {
    /// Shape of a value. Default: `[]`.
    pub fn value_shape(mut self, value_shape: impl Into<PartialShape>) -> Self {
        self.0.set("value_shape", Into::<PartialShape>::into(value_shape));
        self
    }
}

/// A node of [`HashTable`](Ops::hash_table) that is being described.
#[must_use = "it is no node before it is added"]
pub struct HashTable<'a>(Node<'a>);

impl HashTable<'_> {
    /// Container that holds the table; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Whether an empty `shared_name` stands for the node's name. Default: `false`.
    pub fn use_node_name_sharing(mut self, use_node_name_sharing: bool) -> Self {
        self.0.set("use_node_name_sharing", use_node_name_sharing);
        self
    }
}

/// A node of [`HashTableV2`](Ops::hash_table_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct HashTableV2<'a>(Node<'a>);

impl HashTableV2<'_> {
    /// Container that holds the table; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Whether an empty `shared_name` stands for the node's name. Default: `false`.
    pub fn use_node_name_sharing(mut self, use_node_name_sharing: bool) -> Self {
        self.0.set("use_node_name_sharing", use_node_name_sharing);
        self
    }
}

/// A node of [`InitializeTable`](Ops::initialize_table) that is being described.
#[must_use = "it is no node before it is added"]
pub struct InitializeTable<'a>(Node<'a>);

/// A node of [`InitializeTableFromTextFile`](Ops::initialize_table_from_text_file) that is being described.
#[must_use = "it is no node before it is added"]
pub struct InitializeTableFromTextFile<'a>(Node<'a>);

impl InitializeTableFromTextFile<'_> {
    /// Number of lines; -1 for all. At least -1. Default: `-1`.
    pub fn vocab_size(mut self, vocab_size: i64) -> Self {
        self.0.set("vocab_size", vocab_size);
        self
    }

    /// Column delimiter; one byte. Default: `"\t"`.
    pub fn delimiter(mut self, delimiter: impl AsRef<[u8]>) -> Self {
        self.0.set("delimiter", string(delimiter));
        self
    }

    /// Added to line numbers. Default: `0`.
    pub fn offset(mut self, offset: i64) -> Self {
        self.0.set("offset", offset);
        self
    }
}

/// A node of [`InitializeTableFromTextFileV2`](Ops::initialize_table_from_text_file_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct InitializeTableFromTextFileV2<'a>(Node<'a>);

impl InitializeTableFromTextFileV2<'_> {
    /// Number of lines; -1 for all. At least -1. Default: `-1`.
    pub fn vocab_size(mut self, vocab_size: i64) -> Self {
        self.0.set("vocab_size", vocab_size);
        self
    }

    /// Column delimiter; one byte. Default: `"\t"`.
    pub fn delimiter(mut self, delimiter: impl AsRef<[u8]>) -> Self {
        self.0.set("delimiter", string(delimiter));
        self
    }

    /// Added to line numbers. Default: `0`.
    pub fn offset(mut self, offset: i64) -> Self {
        self.0.set("offset", offset);
        self
    }
}

/// A node of [`InitializeTableV2`](Ops::initialize_table_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct InitializeTableV2<'a>(Node<'a>);

/// A node of [`LookupTableExport`](Ops::lookup_table_export) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LookupTableExport<'a>(Node<'a>);

impl LookupTableExport<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> LookupTableExportOutputs {
        let mut outputs = self.0.outputs();
        LookupTableExportOutputs { keys: outputs.one(), values: outputs.one() }
    }
}

/// The outputs of [`LookupTableExport`](Ops::lookup_table_export).
#[derive(Clone, Copy, Debug)]
pub struct LookupTableExportOutputs {
    /// A tensor of `Tkeys`.
    pub keys: Output,
    /// A tensor of `Tvalues`.
    pub values: Output,
}

/// A node of [`LookupTableExportV2`](Ops::lookup_table_export_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LookupTableExportV2<'a>(Node<'a>);

impl LookupTableExportV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> LookupTableExportV2Outputs {
        let mut outputs = self.0.outputs();
        LookupTableExportV2Outputs { keys: outputs.one(), values: outputs.one() }
    }
}

/// The outputs of [`LookupTableExportV2`](Ops::lookup_table_export_v2).
#[derive(Clone, Copy, Debug)]
pub struct LookupTableExportV2Outputs {
    /// A tensor of `Tkeys`.
    pub keys: Output,
    /// A tensor of `Tvalues`.
    pub values: Output,
}

/// A node of [`LookupTableFind`](Ops::lookup_table_find) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LookupTableFind<'a>(Node<'a>);

/// A node of [`LookupTableFindV2`](Ops::lookup_table_find_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LookupTableFindV2<'a>(Node<'a>);

/// A node of [`LookupTableImport`](Ops::lookup_table_import) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LookupTableImport<'a>(Node<'a>);

/// A node of [`LookupTableImportV2`](Ops::lookup_table_import_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LookupTableImportV2<'a>(Node<'a>);

/// A node of [`LookupTableInsert`](Ops::lookup_table_insert) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LookupTableInsert<'a>(Node<'a>);

/// A node of [`LookupTableInsertV2`](Ops::lookup_table_insert_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LookupTableInsertV2<'a>(Node<'a>);

/// A node of [`LookupTableRemoveV2`](Ops::lookup_table_remove_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LookupTableRemoveV2<'a>(Node<'a>);

/// A node of [`LookupTableSize`](Ops::lookup_table_size) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LookupTableSize<'a>(Node<'a>);

/// A node of [`LookupTableSizeV2`](Ops::lookup_table_size_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LookupTableSizeV2<'a>(Node<'a>);

/// A node of [`MutableDenseHashTable`](Ops::mutable_dense_hash_table) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MutableDenseHashTable<'a>(Node<'a>);

impl MutableDenseHashTable<'_> {
    /// Shape of a value. Default: `[]`.
    pub fn value_shape(mut self, value_shape: impl Into<PartialShape>) -> Self {
        self.0.set("value_shape", Into::<PartialShape>::into(value_shape));
        self
    }

    /// Initial number of buckets; a power of two. Default: `131072`.
    pub fn initial_num_buckets(mut self, initial_num_buckets: i64) -> Self {
        self.0.set("initial_num_buckets", initial_num_buckets);
        self
    }

    /// Maximum load factor before the number of buckets grows. Default: `0.8`.
    pub fn max_load_factor(mut self, max_load_factor: f32) -> Self {
        self.0.set("max_load_factor", max_load_factor);
        self
    }

    /// Container that holds the table; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Whether an empty `shared_name` stands for the node's name. Default: `false`.
    pub fn use_node_name_sharing(mut self, use_node_name_sharing: bool) -> Self {
        self.0.set("use_node_name_sharing", use_node_name_sharing);
        self
    }
}

/// A node of [`MutableDenseHashTableV2`](Ops::mutable_dense_hash_table_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MutableDenseHashTableV2<'a>(Node<'a>);

impl MutableDenseHashTableV2<'_> {
    /// Shape of a value. Default: `[]`.
    pub fn value_shape(mut self, value_shape: impl Into<PartialShape>) -> Self {
        self.0.set("value_shape", Into::<PartialShape>::into(value_shape));
        self
    }

    /// Initial number of buckets; a power of two. Default: `131072`.
    pub fn initial_num_buckets(mut self, initial_num_buckets: i64) -> Self {
        self.0.set("initial_num_buckets", initial_num_buckets);
        self
    }

    /// Maximum load factor before the number of buckets grows. Default: `0.8`.
    pub fn max_load_factor(mut self, max_load_factor: f32) -> Self {
        self.0.set("max_load_factor", max_load_factor);
        self
    }

    /// Container that holds the table; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Whether an empty `shared_name` stands for the node's name. Default: `false`.
    pub fn use_node_name_sharing(mut self, use_node_name_sharing: bool) -> Self {
        self.0.set("use_node_name_sharing", use_node_name_sharing);
        self
    }
}

/// A node of [`MutableHashTable`](Ops::mutable_hash_table) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MutableHashTable<'a>(Node<'a>);

impl MutableHashTable<'_> {
    /// Container that holds the table; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Whether an empty `shared_name` stands for the node's name. Default: `false`.
    pub fn use_node_name_sharing(mut self, use_node_name_sharing: bool) -> Self {
        self.0.set("use_node_name_sharing", use_node_name_sharing);
        self
    }
}

/// A node of [`MutableHashTableOfTensors`](Ops::mutable_hash_table_of_tensors) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MutableHashTableOfTensors<'a>(Node<'a>);

impl MutableHashTableOfTensors<'_> {
    /// Shape of a value. Default: `[]`.
    pub fn value_shape(mut self, value_shape: impl Into<PartialShape>) -> Self {
        self.0.set("value_shape", Into::<PartialShape>::into(value_shape));
        self
    }

    /// Container that holds the table; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Whether an empty `shared_name` stands for the node's name. Default: `false`.
    pub fn use_node_name_sharing(mut self, use_node_name_sharing: bool) -> Self {
        self.0.set("use_node_name_sharing", use_node_name_sharing);
        self
    }
}

/// A node of [`MutableHashTableOfTensorsV2`](Ops::mutable_hash_table_of_tensors_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MutableHashTableOfTensorsV2<'a>(Node<'a>);

impl MutableHashTableOfTensorsV2<'_> {
    /// Shape of a value. Default: `[]`.
    pub fn value_shape(mut self, value_shape: impl Into<PartialShape>) -> Self {
        self.0.set("value_shape", Into::<PartialShape>::into(value_shape));
        self
    }

    /// Container that holds the table; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Whether an empty `shared_name` stands for the node's name. Default: `false`.
    pub fn use_node_name_sharing(mut self, use_node_name_sharing: bool) -> Self {
        self.0.set("use_node_name_sharing", use_node_name_sharing);
        self
    }
}

/// A node of [`MutableHashTableV2`](Ops::mutable_hash_table_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MutableHashTableV2<'a>(Node<'a>);

impl MutableHashTableV2<'_> {
    /// Container that holds the table; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Whether an empty `shared_name` stands for the node's name. Default: `false`.
    pub fn use_node_name_sharing(mut self, use_node_name_sharing: bool) -> Self {
        self.0.set("use_node_name_sharing", use_node_name_sharing);
        self
    }
}

common! {
    AnonymousHashTable
    AnonymousMutableDenseHashTable
    AnonymousMutableHashTable
    AnonymousMutableHashTableOfTensors
    HashTable
    HashTableV2
    InitializeTable
    InitializeTableFromTextFile
    InitializeTableFromTextFileV2
    InitializeTableV2
    LookupTableExport
    LookupTableExportV2
    LookupTableFind
    LookupTableFindV2
    LookupTableImport
    LookupTableImportV2
    LookupTableInsert
    LookupTableInsertV2
    LookupTableRemoveV2
    LookupTableSize
    LookupTableSizeV2
    MutableDenseHashTable
    MutableDenseHashTableV2
    MutableHashTable
    MutableHashTableOfTensors
    MutableHashTableOfTensorsV2
    MutableHashTableV2
}

no_output! {
    InitializeTable
    InitializeTableFromTextFile
    InitializeTableFromTextFileV2
    InitializeTableV2
    LookupTableImport
    LookupTableImportV2
    LookupTableInsert
    LookupTableInsertV2
    LookupTableRemoveV2
}

one_output! {
    AnonymousHashTable
    AnonymousMutableDenseHashTable
    AnonymousMutableHashTable
    AnonymousMutableHashTableOfTensors
    HashTable
    HashTableV2
    LookupTableFind
    LookupTableFindV2
    LookupTableSize
    LookupTableSizeV2
    MutableDenseHashTable
    MutableDenseHashTableV2
    MutableHashTable
    MutableHashTableOfTensors
    MutableHashTableOfTensorsV2
    MutableHashTableV2
}
