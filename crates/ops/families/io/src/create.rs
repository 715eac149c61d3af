//! The ops that create readers, in both forms: `TextLineReader` returns a reference to a string tensor,
//! `TextLineReaderV2` a resource handle.

use super::formats::Format;
use super::reader::Reader;
use crate::handle::{set_handle, set_reference};
use crate::prelude::*;
use crate::rules::never;
use levada_records::Compression;

/// Parses a compression attr.
fn compression(name: &Bytes, attr: &str) -> Result<Compression> {
    String::from_utf8_lossy(name).parse().map_err(|error: Error| error.attr(attr))
}

/// A reader returned by reference.
const REFERENCE: &[Arg] = &[arg("reader_handle", is(DType::Str)).by_ref()];
/// A reader returned as a handle.
const HANDLE: &[Arg] = &[arg("reader_handle", is(DType::Resource))];

/// Creates the reader that output 0 refers to.
fn create(cx: &mut Cx<'_, '_>, container: &str, shared_name: &str, format: Format) -> Result<()> {
    match cx.output_dtype(0) {
        Some(DType::Resource) => set_handle::<Reader>(cx, container, shared_name, |_| Ok(format)),
        _ => set_reference::<Reader>(cx, container, shared_name, |_| Ok(format)),
    }
}

attrs! {
    /// A reader of fixed-length records. The key of a record is its file and record number.
    pub struct FixedLengthRecordReader {
        /// Number of header bytes to skip before the records.
        header_bytes: i64 = Attr::int("header_bytes").or_int(0),
        /// Number of bytes in a record.
        record_bytes: i64 = Attr::int("record_bytes"),
        /// Number of footer bytes after the records.
        footer_bytes: i64 = Attr::int("footer_bytes").or_int(0),
        /// Number of bytes from the start of one record to the next; 0 for `record_bytes`.
        hop_bytes: i64 = Attr::int("hop_bytes").or_int(0),
        /// File compression: empty for none, `ZLIB` or `GZIP`.
        encoding: Bytes = Attr::string("encoding").or_str(""),
        /// Container that holds the reader; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

pub static FIXED_LENGTH_RECORD_READER: Def<FixedLengthRecordReader> = op("FixedLengthRecordReader")
    .outputs(REFERENCE)
    .without(&["encoding"])
    .also(&[form("FixedLengthRecordReaderV2").outputs(HANDLE).not_differentiable()])
    .stateful()
    .gradient(|_, g| never(g))
    .kernel(|op, cx| {
        let size = |bytes: i64, attr: &str, least: usize| {
            let size = usize::try_from(bytes).ok().filter(|n| *n >= least);
            size.ok_or_else(|| Error::invalid(format!("{attr} must be at least {least}")).attr(attr).found(bytes))
        };
        let compression = compression(&op.encoding, "encoding")?;
        let record = size(op.record_bytes, "record_bytes", 1)?;
        let hop = size(op.hop_bytes, "hop_bytes", 0)?;
        let format = Format::Fixed {
            header: size(op.header_bytes, "header_bytes", 0)?,
            record,
            footer: size(op.footer_bytes, "footer_bytes", 0)?,
            hop: if hop == 0 { record } else { hop },
            compression,
        };
        create(cx, &op.container, &op.shared_name, format)
    });

attrs! {
    /// The attrs of readers that have only a container and a name.
    pub struct PlainReader {
        /// Container that holds the reader; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

pub static IDENTITY_READER: Def<PlainReader> = op::<PlainReader>("IdentityReader")
    .doc("A reader whose records are the file names.")
    .outputs(REFERENCE)
    .also(&[form("IdentityReaderV2").outputs(HANDLE).not_differentiable()])
    .stateful()
    .gradient(|_, g| never(g))
    .kernel(|op, cx| create(cx, &op.container, &op.shared_name, Format::Identity));

pub static WHOLE_FILE_READER: Def<PlainReader> = op::<PlainReader>("WholeFileReader")
    .doc("A reader whose records are whole files.")
    .outputs(REFERENCE)
    .also(&[form("WholeFileReaderV2").outputs(HANDLE).not_differentiable()])
    .stateful()
    .gradient(|_, g| never(g))
    .kernel(|op, cx| create(cx, &op.container, &op.shared_name, Format::Whole));

attrs! {
    /// A reader of TFRecord files. The key of a record is its file and byte offset.
    pub struct TFRecordReader {
        /// File compression: empty for none, `ZLIB` or `GZIP`.
        compression_type: Bytes = Attr::string("compression_type").or_str(""),
        /// Container that holds the reader; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

pub static TF_RECORD_READER: Def<TFRecordReader> = op("TFRecordReader")
    .outputs(REFERENCE)
    .also(&[form("TFRecordReaderV2").outputs(HANDLE).not_differentiable()])
    .stateful()
    .gradient(|_, g| never(g))
    .kernel(|op, cx| {
        let compression = compression(&op.compression_type, "compression_type")?;
        create(cx, &op.container, &op.shared_name, Format::Records { compression })
    });

attrs! {
    /// A reader of text lines. The key of a line is its file and line number, starting at 1.
    pub struct TextLineReader {
        /// Number of lines to skip at the beginning of each file.
        skip_header_lines: i64 = Attr::int("skip_header_lines").or_int(0),
        /// Container that holds the reader; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

pub static TEXT_LINE_READER: Def<TextLineReader> = op("TextLineReader")
    .outputs(REFERENCE)
    .also(&[form("TextLineReaderV2").outputs(HANDLE).not_differentiable()])
    .stateful()
    .gradient(|_, g| never(g))
    .kernel(|op, cx| create(cx, &op.container, &op.shared_name, Format::Lines { skip: op.skip_header_lines }));
