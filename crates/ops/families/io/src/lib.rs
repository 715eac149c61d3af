//! Ops that reach files, as far as the caller has granted them: reading and writing whole files, and readers, which
//! give the records of one file after the other.
//!
//! [`reader`] is the reader: whose turn it is, which file it is at, what it has counted; [`formats`] what a record is.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{handle, prelude, wire};

mod formats;
mod reader;

pub use matching_files::matching;

family! {
    create: FixedLengthRecordReader, FixedLengthRecordReaderV2, IdentityReader, IdentityReaderV2, TFRecordReader,
        TFRecordReaderV2, TextLineReader, TextLineReaderV2, WholeFileReader, WholeFileReaderV2;
    decode_compressed = DECODE_COMPRESSED;
    immutable_const = IMMUTABLE_CONST;
    matching_files = MATCHING_FILES;
    read: ReaderRead, ReaderReadUpTo, ReaderReadUpToV2, ReaderReadV2;
    read_file = READ_FILE;
    reader_state: ReaderNumRecordsProduced, ReaderNumRecordsProducedV2, ReaderNumWorkUnitsCompleted,
        ReaderNumWorkUnitsCompletedV2, ReaderReset, ReaderResetV2, ReaderRestore, ReaderRestoreState,
        ReaderRestoreStateV2, ReaderRestoreV2, ReaderSave, ReaderSaveV2, ReaderSerializeState, ReaderSerializeStateV2;
    record_input = RECORD_INPUT;
    sharded: ShardedFilename, ShardedFilespec;
    write_file = WRITE_FILE;
}
