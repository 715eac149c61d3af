//! File ops, limited to the paths the caller has granted: reading and writing whole files, and readers, which return
//! the records of one file after another.
//!
//! [`reader`] implements readers: turn-taking, the current file and the counts; [`formats`] the record formats.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{handle, prelude, rules, wire};

mod formats;
mod reader;

family! {
    create = FIXED_LENGTH_RECORD_READER, IDENTITY_READER, TEXT_LINE_READER, TF_RECORD_READER, WHOLE_FILE_READER;
    decode_compressed = DECODE_COMPRESSED;
    immutable_const = IMMUTABLE_CONST;
    matching_files = MATCHING_FILES;
    read = READER_READ, READER_READ_UP_TO;
    read_file = READ_FILE;
    reader_state = READER_NUM_RECORDS_PRODUCED, READER_NUM_WORK_UNITS_COMPLETED, READER_RESET, READER_RESTORE,
        READER_RESTORE_STATE, READER_SAVE, READER_SERIALIZE_STATE;
    record_input = RECORD_INPUT;
    sharded = SHARDED_FILENAME, SHARDED_FILESPEC;
    write_file = WRITE_FILE;
}
