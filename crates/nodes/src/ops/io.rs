// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `io`.

use crate::node::{Input, Node, Ops, common, no_output, one_output, string};
use levada_graph::{DType, PartialShape};
use levada_builder::Output;

impl Ops<'_> {
    /// Decompresses each string.
    ///
    /// - `bytes`: a tensor of string
    ///
    /// It has no gradient.
    pub fn decode_compressed(&self, bytes: impl Input) -> DecodeCompressed<'_> {
        DecodeCompressed(Node::new(self, "DecodeCompressed").input(bytes))
    }

    /// A reader of fixed-length records. The key of a record is its file and record number.
    ///
    /// - `record_bytes`: Number of bytes in a record.
    pub fn fixed_length_record_reader(&self, record_bytes: i64) -> FixedLengthRecordReader<'_> {
        let mut node = Node::new(self, "FixedLengthRecordReader");
        node.set("record_bytes", record_bytes);
        FixedLengthRecordReader(node)
    }

    /// A reader of fixed-length records. The key of a record is its file and record number.
    ///
    /// - `record_bytes`: Number of bytes in a record.
    ///
    /// It has no gradient.
    pub fn fixed_length_record_reader_v2(&self, record_bytes: i64) -> FixedLengthRecordReaderV2<'_> {
        let mut node = Node::new(self, "FixedLengthRecordReaderV2");
        node.set("record_bytes", record_bytes);
        FixedLengthRecordReaderV2(node)
    }

    /// A reader whose records are the file names.
    pub fn identity_reader(&self) -> IdentityReader<'_> {
        IdentityReader(Node::new(self, "IdentityReader"))
    }

    /// A reader whose records are the file names.
    ///
    /// It has no gradient.
    pub fn identity_reader_v2(&self) -> IdentityReaderV2<'_> {
        IdentityReaderV2(Node::new(self, "IdentityReaderV2"))
    }

    /// A constant whose elements are the bytes of a file, which is read once.
    ///
    /// - `dtype`: Element type. Allowed: any dtype.
    /// - `shape`: Shape of the tensor.
    /// - `memory_region_name`: Path of the file.
    ///
    /// It has no gradient.
    pub fn immutable_const(&self, dtype: DType, shape: impl Into<PartialShape>, memory_region_name: impl AsRef<[u8]>) -> ImmutableConst<'_> {
        let mut node = Node::new(self, "ImmutableConst");
        node.set("dtype", dtype);
        node.set("shape", Into::<PartialShape>::into(shape));
        node.set("memory_region_name", string(memory_region_name));
        ImmutableConst(node)
    }

    /// Returns the names of the files and directories that match any of the glob patterns, sorted. `*`, `?` and `[a-z]` match within a single path component.
    ///
    /// - `pattern`: a tensor of string
    ///
    /// It has no gradient.
    pub fn matching_files(&self, pattern: impl Input) -> MatchingFiles<'_> {
        MatchingFiles(Node::new(self, "MatchingFiles").input(pattern))
    }

    /// Returns the contents of a file.
    ///
    /// - `filename`: a tensor of string
    ///
    /// It has no gradient.
    pub fn read_file(&self, filename: impl Input) -> ReadFile<'_> {
        ReadFile(Node::new(self, "ReadFile").input(filename))
    }

    /// Number of records a reader has returned.
    ///
    /// - `reader_handle`: a reference to a variable of string
    pub fn reader_num_records_produced(&self, reader_handle: impl Input) -> ReaderNumRecordsProduced<'_> {
        ReaderNumRecordsProduced(Node::new(self, "ReaderNumRecordsProduced").input(reader_handle))
    }

    /// Number of records a reader has returned.
    ///
    /// - `reader_handle`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn reader_num_records_produced_v2(&self, reader_handle: impl Input) -> ReaderNumRecordsProducedV2<'_> {
        ReaderNumRecordsProducedV2(Node::new(self, "ReaderNumRecordsProducedV2").input(reader_handle))
    }

    /// Number of files a reader has finished reading.
    ///
    /// - `reader_handle`: a reference to a variable of string
    pub fn reader_num_work_units_completed(&self, reader_handle: impl Input) -> ReaderNumWorkUnitsCompleted<'_> {
        ReaderNumWorkUnitsCompleted(Node::new(self, "ReaderNumWorkUnitsCompleted").input(reader_handle))
    }

    /// Number of files a reader has finished reading.
    ///
    /// - `reader_handle`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn reader_num_work_units_completed_v2(&self, reader_handle: impl Input) -> ReaderNumWorkUnitsCompletedV2<'_> {
        ReaderNumWorkUnitsCompletedV2(Node::new(self, "ReaderNumWorkUnitsCompletedV2").input(reader_handle))
    }

    /// Returns the next record, moving on to the next file name from `queue_handle` when the current file is exhausted.
    ///
    /// - `reader_handle`: a reference to a variable of string
    /// - `queue_handle`: a reference to a variable of string
    pub fn reader_read(&self, reader_handle: impl Input, queue_handle: impl Input) -> ReaderRead<'_> {
        ReaderRead(Node::new(self, "ReaderRead").input(reader_handle).input(queue_handle))
    }

    /// Returns the next `num_records` records, or fewer if the file ends first.
    ///
    /// - `reader_handle`: a reference to a variable of string
    /// - `queue_handle`: a reference to a variable of string
    /// - `num_records`: a tensor of int64
    pub fn reader_read_up_to(&self, reader_handle: impl Input, queue_handle: impl Input, num_records: impl Input) -> ReaderReadUpTo<'_> {
        ReaderReadUpTo(Node::new(self, "ReaderReadUpTo").input(reader_handle).input(queue_handle).input(num_records))
    }

    /// Returns the next `num_records` records, or fewer if the file ends first.
    ///
    /// - `reader_handle`: a tensor of resource
    /// - `queue_handle`: a tensor of resource
    /// - `num_records`: a tensor of int64
    ///
    /// It has no gradient.
    pub fn reader_read_up_to_v2(&self, reader_handle: impl Input, queue_handle: impl Input, num_records: impl Input) -> ReaderReadUpToV2<'_> {
        ReaderReadUpToV2(Node::new(self, "ReaderReadUpToV2").input(reader_handle).input(queue_handle).input(num_records))
    }

    /// Returns the next record, moving on to the next file name from `queue_handle` when the current file is exhausted.
    ///
    /// - `reader_handle`: a tensor of resource
    /// - `queue_handle`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn reader_read_v2(&self, reader_handle: impl Input, queue_handle: impl Input) -> ReaderReadV2<'_> {
        ReaderReadV2(Node::new(self, "ReaderReadV2").input(reader_handle).input(queue_handle))
    }

    /// Resets a reader to its initial state.
    ///
    /// - `reader_handle`: a reference to a variable of string
    pub fn reader_reset(&self, reader_handle: impl Input) -> ReaderReset<'_> {
        ReaderReset(Node::new(self, "ReaderReset").input(reader_handle))
    }

    /// Resets a reader to its initial state.
    ///
    /// - `reader_handle`: a tensor of resource
    pub fn reader_reset_v2(&self, reader_handle: impl Input) -> ReaderResetV2<'_> {
        ReaderResetV2(Node::new(self, "ReaderResetV2").input(reader_handle))
    }

    /// Restores the position of a reader of any kind, as saved by `ReaderSave`.
    ///
    /// - `reader_handle`: a reference to a variable of string
    /// - `given`: a tensor of int64
    /// - `state`: a tensor of string
    pub fn reader_restore(&self, reader_handle: impl Input, given: impl Input, state: impl Input) -> ReaderRestore<'_> {
        ReaderRestore(Node::new(self, "ReaderRestore").input(reader_handle).input(given).input(state))
    }

    /// Restores a reader to the position saved in `state`.
    ///
    /// - `reader_handle`: a reference to a variable of string
    /// - `state`: a tensor of string
    pub fn reader_restore_state(&self, reader_handle: impl Input, state: impl Input) -> ReaderRestoreState<'_> {
        ReaderRestoreState(Node::new(self, "ReaderRestoreState").input(reader_handle).input(state))
    }

    /// Restores a reader to the position saved in `state`.
    ///
    /// - `reader_handle`: a tensor of resource
    /// - `state`: a tensor of string
    pub fn reader_restore_state_v2(&self, reader_handle: impl Input, state: impl Input) -> ReaderRestoreStateV2<'_> {
        ReaderRestoreStateV2(Node::new(self, "ReaderRestoreStateV2").input(reader_handle).input(state))
    }

    /// Restores the position of a reader of any kind, as saved by `ReaderSave`.
    ///
    /// - `reader_handle`: a tensor of resource
    /// - `given`: a tensor of int64
    /// - `state`: a tensor of string
    pub fn reader_restore_v2(&self, reader_handle: impl Input, given: impl Input, state: impl Input) -> ReaderRestoreV2<'_> {
        ReaderRestoreV2(Node::new(self, "ReaderRestoreV2").input(reader_handle).input(given).input(state))
    }

    /// Saves the position of a reader of any kind: the number of records returned from the current file, or -1 without one, and its counts.
    ///
    /// - `reader_handle`: a reference to a variable of string
    ///
    /// It has no gradient.
    pub fn reader_save(&self, reader_handle: impl Input) -> ReaderSave<'_> {
        ReaderSave(Node::new(self, "ReaderSave").input(reader_handle))
    }

    /// Saves the position of a reader of any kind: the number of records returned from the current file, or -1 without one, and its counts.
    ///
    /// - `reader_handle`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn reader_save_v2(&self, reader_handle: impl Input) -> ReaderSaveV2<'_> {
        ReaderSaveV2(Node::new(self, "ReaderSaveV2").input(reader_handle))
    }

    /// Serializes a reader's state for `ReaderRestoreState`.
    ///
    /// - `reader_handle`: a reference to a variable of string
    pub fn reader_serialize_state(&self, reader_handle: impl Input) -> ReaderSerializeState<'_> {
        ReaderSerializeState(Node::new(self, "ReaderSerializeState").input(reader_handle))
    }

    /// Serializes a reader's state for `ReaderRestoreState`.
    ///
    /// - `reader_handle`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn reader_serialize_state_v2(&self, reader_handle: impl Input) -> ReaderSerializeStateV2<'_> {
        ReaderSerializeStateV2(Node::new(self, "ReaderSerializeStateV2").input(reader_handle))
    }

    /// Returns the next `batch_size` records of the TFRecord files matching a pattern, in random order; every record is returned once per epoch.
    ///
    /// - `file_pattern`: Comma-separated glob patterns of the files.
    ///
    /// It has no gradient.
    pub fn record_input(&self, file_pattern: impl AsRef<[u8]>) -> RecordInput<'_> {
        let mut node = Node::new(self, "RecordInput");
        node.set("file_pattern", string(file_pattern));
        RecordInput(node)
    }

    /// The file name of a shard: `basename-00001-of-00007`.
    ///
    /// - `basename`: a tensor of string
    /// - `shard`: a tensor of int32
    /// - `num_shards`: a tensor of int32
    ///
    /// It has no gradient.
    pub fn sharded_filename(&self, basename: impl Input, shard: impl Input, num_shards: impl Input) -> ShardedFilename<'_> {
        ShardedFilename(Node::new(self, "ShardedFilename").input(basename).input(shard).input(num_shards))
    }

    /// The glob pattern that matches all shards: `basename-?????-of-00007`.
    ///
    /// - `basename`: a tensor of string
    /// - `num_shards`: a tensor of int32
    ///
    /// It has no gradient.
    pub fn sharded_filespec(&self, basename: impl Input, num_shards: impl Input) -> ShardedFilespec<'_> {
        ShardedFilespec(Node::new(self, "ShardedFilespec").input(basename).input(num_shards))
    }

    /// A reader of TFRecord files. The key of a record is its file and byte offset.
    pub fn tf_record_reader(&self) -> TFRecordReader<'_> {
        TFRecordReader(Node::new(self, "TFRecordReader"))
    }

    /// A reader of TFRecord files. The key of a record is its file and byte offset.
    ///
    /// It has no gradient.
    pub fn tf_record_reader_v2(&self) -> TFRecordReaderV2<'_> {
        TFRecordReaderV2(Node::new(self, "TFRecordReaderV2"))
    }

    /// A reader of text lines. The key of a line is its file and line number, starting at 1.
    pub fn text_line_reader(&self) -> TextLineReader<'_> {
        TextLineReader(Node::new(self, "TextLineReader"))
    }

    /// A reader of text lines. The key of a line is its file and line number, starting at 1.
    ///
    /// It has no gradient.
    pub fn text_line_reader_v2(&self) -> TextLineReaderV2<'_> {
        TextLineReaderV2(Node::new(self, "TextLineReaderV2"))
    }

    /// A reader whose records are whole files.
    pub fn whole_file_reader(&self) -> WholeFileReader<'_> {
        WholeFileReader(Node::new(self, "WholeFileReader"))
    }

    /// A reader whose records are whole files.
    ///
    /// It has no gradient.
    pub fn whole_file_reader_v2(&self) -> WholeFileReaderV2<'_> {
        WholeFileReaderV2(Node::new(self, "WholeFileReaderV2"))
    }

    /// Writes `contents` to a file, creating its directories as needed.
    ///
    /// - `filename`: a tensor of string
    /// - `contents`: a tensor of string
    pub fn write_file(&self, filename: impl Input, contents: impl Input) -> WriteFile<'_> {
        WriteFile(Node::new(self, "WriteFile").input(filename).input(contents))
    }
}

/// A node of [`DecodeCompressed`](Ops::decode_compressed) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DecodeCompressed<'a>(Node<'a>);

impl DecodeCompressed<'_> {
    /// `ZLIB`, `GZIP`, or empty for uncompressed strings. Default: `""`.
    pub fn compression_type(mut self, compression_type: impl AsRef<[u8]>) -> Self {
        self.0.set("compression_type", string(compression_type));
        self
    }
}

/// A node of [`FixedLengthRecordReader`](Ops::fixed_length_record_reader) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FixedLengthRecordReader<'a>(Node<'a>);

impl FixedLengthRecordReader<'_> {
    /// Number of header bytes to skip before the records. Default: `0`.
    pub fn header_bytes(mut self, header_bytes: i64) -> Self {
        self.0.set("header_bytes", header_bytes);
        self
    }

    /// Number of footer bytes after the records. Default: `0`.
    pub fn footer_bytes(mut self, footer_bytes: i64) -> Self {
        self.0.set("footer_bytes", footer_bytes);
        self
    }

    /// Number of bytes from the start of one record to the next; 0 for `record_bytes`. Default: `0`.
    pub fn hop_bytes(mut self, hop_bytes: i64) -> Self {
        self.0.set("hop_bytes", hop_bytes);
        self
    }

    /// Container that holds the reader; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`FixedLengthRecordReaderV2`](Ops::fixed_length_record_reader_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FixedLengthRecordReaderV2<'a>(Node<'a>);

impl FixedLengthRecordReaderV2<'_> {
    /// Number of header bytes to skip before the records. Default: `0`.
    pub fn header_bytes(mut self, header_bytes: i64) -> Self {
        self.0.set("header_bytes", header_bytes);
        self
    }

    /// Number of footer bytes after the records. Default: `0`.
    pub fn footer_bytes(mut self, footer_bytes: i64) -> Self {
        self.0.set("footer_bytes", footer_bytes);
        self
    }

    /// Number of bytes from the start of one record to the next; 0 for `record_bytes`. Default: `0`.
    pub fn hop_bytes(mut self, hop_bytes: i64) -> Self {
        self.0.set("hop_bytes", hop_bytes);
        self
    }

    /// File compression: empty for none, `ZLIB` or `GZIP`. Default: `""`.
    pub fn encoding(mut self, encoding: impl AsRef<[u8]>) -> Self {
        self.0.set("encoding", string(encoding));
        self
    }

    /// Container that holds the reader; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`IdentityReader`](Ops::identity_reader) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IdentityReader<'a>(Node<'a>);

impl IdentityReader<'_> {
    /// Container that holds the reader; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`IdentityReaderV2`](Ops::identity_reader_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IdentityReaderV2<'a>(Node<'a>);

impl IdentityReaderV2<'_> {
    /// Container that holds the reader; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`ImmutableConst`](Ops::immutable_const) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ImmutableConst<'a>(Node<'a>);

/// A node of [`MatchingFiles`](Ops::matching_files) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatchingFiles<'a>(Node<'a>);

/// A node of [`ReadFile`](Ops::read_file) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReadFile<'a>(Node<'a>);

/// A node of [`ReaderNumRecordsProduced`](Ops::reader_num_records_produced) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderNumRecordsProduced<'a>(Node<'a>);

/// A node of [`ReaderNumRecordsProducedV2`](Ops::reader_num_records_produced_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderNumRecordsProducedV2<'a>(Node<'a>);

/// A node of [`ReaderNumWorkUnitsCompleted`](Ops::reader_num_work_units_completed) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderNumWorkUnitsCompleted<'a>(Node<'a>);

/// A node of [`ReaderNumWorkUnitsCompletedV2`](Ops::reader_num_work_units_completed_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderNumWorkUnitsCompletedV2<'a>(Node<'a>);

/// A node of [`ReaderRead`](Ops::reader_read) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderRead<'a>(Node<'a>);

impl ReaderRead<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ReaderReadOutputs {
        let mut outputs = self.0.outputs();
        ReaderReadOutputs { key: outputs.one(), value: outputs.one() }
    }
}

/// The outputs of [`ReaderRead`](Ops::reader_read).
#[derive(Clone, Copy, Debug)]
pub struct ReaderReadOutputs {
    /// A tensor of string.
    pub key: Output,
    /// A tensor of string.
    pub value: Output,
}

/// A node of [`ReaderReadUpTo`](Ops::reader_read_up_to) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderReadUpTo<'a>(Node<'a>);

impl ReaderReadUpTo<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ReaderReadUpToOutputs {
        let mut outputs = self.0.outputs();
        ReaderReadUpToOutputs { keys: outputs.one(), values: outputs.one() }
    }
}

/// The outputs of [`ReaderReadUpTo`](Ops::reader_read_up_to).
#[derive(Clone, Copy, Debug)]
pub struct ReaderReadUpToOutputs {
    /// A tensor of string.
    pub keys: Output,
    /// A tensor of string.
    pub values: Output,
}

/// A node of [`ReaderReadUpToV2`](Ops::reader_read_up_to_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderReadUpToV2<'a>(Node<'a>);

impl ReaderReadUpToV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ReaderReadUpToV2Outputs {
        let mut outputs = self.0.outputs();
        ReaderReadUpToV2Outputs { keys: outputs.one(), values: outputs.one() }
    }
}

/// The outputs of [`ReaderReadUpToV2`](Ops::reader_read_up_to_v2).
#[derive(Clone, Copy, Debug)]
pub struct ReaderReadUpToV2Outputs {
    /// A tensor of string.
    pub keys: Output,
    /// A tensor of string.
    pub values: Output,
}

/// A node of [`ReaderReadV2`](Ops::reader_read_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderReadV2<'a>(Node<'a>);

impl ReaderReadV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ReaderReadV2Outputs {
        let mut outputs = self.0.outputs();
        ReaderReadV2Outputs { key: outputs.one(), value: outputs.one() }
    }
}

/// The outputs of [`ReaderReadV2`](Ops::reader_read_v2).
#[derive(Clone, Copy, Debug)]
pub struct ReaderReadV2Outputs {
    /// A tensor of string.
    pub key: Output,
    /// A tensor of string.
    pub value: Output,
}

/// A node of [`ReaderReset`](Ops::reader_reset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderReset<'a>(Node<'a>);

/// A node of [`ReaderResetV2`](Ops::reader_reset_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderResetV2<'a>(Node<'a>);

/// A node of [`ReaderRestore`](Ops::reader_restore) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderRestore<'a>(Node<'a>);

/// A node of [`ReaderRestoreState`](Ops::reader_restore_state) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderRestoreState<'a>(Node<'a>);

/// A node of [`ReaderRestoreStateV2`](Ops::reader_restore_state_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderRestoreStateV2<'a>(Node<'a>);

/// A node of [`ReaderRestoreV2`](Ops::reader_restore_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderRestoreV2<'a>(Node<'a>);

/// A node of [`ReaderSave`](Ops::reader_save) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderSave<'a>(Node<'a>);

impl ReaderSave<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ReaderSaveOutputs {
        let mut outputs = self.0.outputs();
        ReaderSaveOutputs { given: outputs.one(), state: outputs.one() }
    }
}

/// The outputs of [`ReaderSave`](Ops::reader_save).
#[derive(Clone, Copy, Debug)]
pub struct ReaderSaveOutputs {
    /// A tensor of int64.
    pub given: Output,
    /// A tensor of string.
    pub state: Output,
}

/// A node of [`ReaderSaveV2`](Ops::reader_save_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderSaveV2<'a>(Node<'a>);

impl ReaderSaveV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ReaderSaveV2Outputs {
        let mut outputs = self.0.outputs();
        ReaderSaveV2Outputs { given: outputs.one(), state: outputs.one() }
    }
}

/// The outputs of [`ReaderSaveV2`](Ops::reader_save_v2).
#[derive(Clone, Copy, Debug)]
pub struct ReaderSaveV2Outputs {
    /// A tensor of int64.
    pub given: Output,
    /// A tensor of string.
    pub state: Output,
}

/// A node of [`ReaderSerializeState`](Ops::reader_serialize_state) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderSerializeState<'a>(Node<'a>);

/// A node of [`ReaderSerializeStateV2`](Ops::reader_serialize_state_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReaderSerializeStateV2<'a>(Node<'a>);

/// A node of [`RecordInput`](Ops::record_input) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RecordInput<'a>(Node<'a>);

impl RecordInput<'_> {
    /// Seed of the random order. Default: `301`.
    pub fn file_random_seed(mut self, file_random_seed: i64) -> Self {
        self.0.set("file_random_seed", file_random_seed);
        self
    }

    /// Fraction of the shuffled files that is moved from the front to the end of the reading order. Default: `0.0`.
    pub fn file_shuffle_shift_ratio(mut self, file_shuffle_shift_ratio: f32) -> Self {
        self.0.set("file_shuffle_shift_ratio", file_shuffle_shift_ratio);
        self
    }

    /// Number of records buffered for random sampling. Default: `10000`.
    pub fn file_buffer_size(mut self, file_buffer_size: i64) -> Self {
        self.0.set("file_buffer_size", file_buffer_size);
        self
    }

    /// Number of files read in turn. Default: `16`.
    pub fn file_parallelism(mut self, file_parallelism: i64) -> Self {
        self.0.set("file_parallelism", file_parallelism);
        self
    }

    /// Number of records to return. Default: `32`.
    pub fn batch_size(mut self, batch_size: i64) -> Self {
        self.0.set("batch_size", batch_size);
        self
    }

    /// `ZLIB`, `GZIP`, or empty for uncompressed files. Default: `""`.
    pub fn compression_type(mut self, compression_type: impl AsRef<[u8]>) -> Self {
        self.0.set("compression_type", string(compression_type));
        self
    }
}

/// A node of [`ShardedFilename`](Ops::sharded_filename) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ShardedFilename<'a>(Node<'a>);

/// A node of [`ShardedFilespec`](Ops::sharded_filespec) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ShardedFilespec<'a>(Node<'a>);

/// A node of [`TFRecordReader`](Ops::tf_record_reader) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TFRecordReader<'a>(Node<'a>);

impl TFRecordReader<'_> {
    /// File compression: empty for none, `ZLIB` or `GZIP`. Default: `""`.
    pub fn compression_type(mut self, compression_type: impl AsRef<[u8]>) -> Self {
        self.0.set("compression_type", string(compression_type));
        self
    }

    /// Container that holds the reader; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`TFRecordReaderV2`](Ops::tf_record_reader_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TFRecordReaderV2<'a>(Node<'a>);

impl TFRecordReaderV2<'_> {
    /// File compression: empty for none, `ZLIB` or `GZIP`. Default: `""`.
    pub fn compression_type(mut self, compression_type: impl AsRef<[u8]>) -> Self {
        self.0.set("compression_type", string(compression_type));
        self
    }

    /// Container that holds the reader; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`TextLineReader`](Ops::text_line_reader) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TextLineReader<'a>(Node<'a>);

impl TextLineReader<'_> {
    /// Number of lines to skip at the beginning of each file. Default: `0`.
    pub fn skip_header_lines(mut self, skip_header_lines: i64) -> Self {
        self.0.set("skip_header_lines", skip_header_lines);
        self
    }

    /// Container that holds the reader; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`TextLineReaderV2`](Ops::text_line_reader_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TextLineReaderV2<'a>(Node<'a>);

impl TextLineReaderV2<'_> {
    /// Number of lines to skip at the beginning of each file. Default: `0`.
    pub fn skip_header_lines(mut self, skip_header_lines: i64) -> Self {
        self.0.set("skip_header_lines", skip_header_lines);
        self
    }

    /// Container that holds the reader; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`WholeFileReader`](Ops::whole_file_reader) that is being described.
#[must_use = "it is no node before it is added"]
pub struct WholeFileReader<'a>(Node<'a>);

impl WholeFileReader<'_> {
    /// Container that holds the reader; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`WholeFileReaderV2`](Ops::whole_file_reader_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct WholeFileReaderV2<'a>(Node<'a>);

impl WholeFileReaderV2<'_> {
    /// Container that holds the reader; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`WriteFile`](Ops::write_file) that is being described.
#[must_use = "it is no node before it is added"]
pub struct WriteFile<'a>(Node<'a>);

common! {
    DecodeCompressed
    FixedLengthRecordReader
    FixedLengthRecordReaderV2
    IdentityReader
    IdentityReaderV2
    ImmutableConst
    MatchingFiles
    ReadFile
    ReaderNumRecordsProduced
    ReaderNumRecordsProducedV2
    ReaderNumWorkUnitsCompleted
    ReaderNumWorkUnitsCompletedV2
    ReaderRead
    ReaderReadUpTo
    ReaderReadUpToV2
    ReaderReadV2
    ReaderReset
    ReaderResetV2
    ReaderRestore
    ReaderRestoreState
    ReaderRestoreStateV2
    ReaderRestoreV2
    ReaderSave
    ReaderSaveV2
    ReaderSerializeState
    ReaderSerializeStateV2
    RecordInput
    ShardedFilename
    ShardedFilespec
    TFRecordReader
    TFRecordReaderV2
    TextLineReader
    TextLineReaderV2
    WholeFileReader
    WholeFileReaderV2
    WriteFile
}

no_output! {
    ReaderReset
    ReaderResetV2
    ReaderRestore
    ReaderRestoreState
    ReaderRestoreStateV2
    ReaderRestoreV2
    WriteFile
}

one_output! {
    DecodeCompressed
    FixedLengthRecordReader
    FixedLengthRecordReaderV2
    IdentityReader
    IdentityReaderV2
    ImmutableConst
    MatchingFiles
    ReadFile
    ReaderNumRecordsProduced
    ReaderNumRecordsProducedV2
    ReaderNumWorkUnitsCompleted
    ReaderNumWorkUnitsCompletedV2
    ReaderSerializeState
    ReaderSerializeStateV2
    RecordInput
    ShardedFilename
    ShardedFilespec
    TFRecordReader
    TFRecordReaderV2
    TextLineReader
    TextLineReaderV2
    WholeFileReader
    WholeFileReaderV2
}
