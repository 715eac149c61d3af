//! The ops that make readers, in both forms: `TextLineReader` gives a reference to a string tensor, `TextLineReaderV2` a
//! handle.

use super::formats::Format;
use super::reader::Reader;
use crate::prelude::*;
use crate::handle::{set_handle, set_reference};
use levada_records::Compression;

/// Compression as an attr names it.
fn compression(name: &Bytes, attr: &str) -> Result<Compression> {
    String::from_utf8_lossy(name).parse().map_err(|error: Error| error.attr(attr))
}

/// A number of bytes.
fn size(bytes: i64, attr: &str, least: usize) -> Result<usize> {
    let size = usize::try_from(bytes).ok().filter(|n| *n >= least);
    size.ok_or_else(|| {
        Error::invalid(format!("{attr} must be at least {least}")).attr(attr).found(bytes)
    })
}

fn fixed(header: i64, record: i64, footer: i64, hop: i64, compression: Compression) -> Result<Format> {
    let record = size(record, "record_bytes", 1)?;
    let hop = size(hop, "hop_bytes", 0)?;
    Ok(Format::Fixed {
        header: size(header, "header_bytes", 0)?,
        record,
        footer: size(footer, "footer_bytes", 0)?,
        hop: if hop == 0 { record } else { hop },
        compression,
    })
}

macro_rules! readers {
    ($($(#[doc = $doc:literal])* [$v1:ident { $($attrs1:tt)* } |$op1:ident| $format1:expr, $v2:ident { $($attrs2:tt)* }
       |$op2:ident| $format2:expr];)*) => {$(
        readers!(@one $(#[doc = $doc])* $v1, arg("reader_handle", is(DType::Str)).by_ref(), set_reference, { $($attrs1)* },
            $op1, $format1);
        readers!(@one $(#[doc = $doc])* $v2, arg("reader_handle", is(DType::Resource)), set_handle, { $($attrs2)* }, $op2,
            $format2);
    )*};
    (@one $(#[doc = $doc:literal])* $name:ident, $output:expr, $set:ident, { $($attrs:tt)* }, $op:ident, $format:expr) => {
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                $($attrs)*
                /// Container that holds the reader; empty for the default one.
                container: String = Attr::string("container").or_str(""),
                /// Name in the container; empty for the node's.
                shared_name: String = Attr::string("shared_name").or_str(""),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec { name: stringify!($name), outputs: &[$output], ..Spec::STATEFUL };
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let $op = self;
                let format = $format?;
                $set::<Reader>(cx, &self.container, &self.shared_name, format)
            }
        }
    };
}

readers! {
    /// A reader of records of a fixed length. Their keys are the file and the number of the record.
    [FixedLengthRecordReader {
        /// Bytes before the records.
        header_bytes: i64 = Attr::int("header_bytes").or_int(0),
        /// Bytes of a record.
        record_bytes: i64 = Attr::int("record_bytes"),
        /// Bytes behind the records.
        footer_bytes: i64 = Attr::int("footer_bytes").or_int(0),
        /// Bytes from one record to the next; 0 for those of a record.
        hop_bytes: i64 = Attr::int("hop_bytes").or_int(0),
    } |op| fixed(op.header_bytes, op.record_bytes, op.footer_bytes, op.hop_bytes, Compression::None),
     FixedLengthRecordReaderV2 {
        /// Bytes before the records.
        header_bytes: i64 = Attr::int("header_bytes").or_int(0),
        /// Bytes of a record.
        record_bytes: i64 = Attr::int("record_bytes"),
        /// Bytes behind the records.
        footer_bytes: i64 = Attr::int("footer_bytes").or_int(0),
        /// Bytes from one record to the next; 0 for those of a record.
        hop_bytes: i64 = Attr::int("hop_bytes").or_int(0),
        /// How files are compressed: not at all, `ZLIB` or `GZIP`.
        encoding: Bytes = Attr::string("encoding").or_str(""),
    } |op| compression(&op.encoding, "encoding")
        .and_then(|c| fixed(op.header_bytes, op.record_bytes, op.footer_bytes, op.hop_bytes, c))];
    /// A reader whose records are the names of the files.
    [IdentityReader {} |_op| Ok(Format::Identity), IdentityReaderV2 {} |_op| Ok(Format::Identity)];
    /// A reader of TFRecord files. The key of a record is its file and where in it the record begins.
    [TFRecordReader {
        /// How files are compressed: not at all, `ZLIB` or `GZIP`.
        compression_type: Bytes = Attr::string("compression_type").or_str(""),
    } |op| compression(&op.compression_type, "compression_type").map(|compression| Format::Records { compression }),
     TFRecordReaderV2 {
        /// How files are compressed: not at all, `ZLIB` or `GZIP`.
        compression_type: Bytes = Attr::string("compression_type").or_str(""),
    } |op| compression(&op.compression_type, "compression_type").map(|compression| Format::Records { compression })];
    /// A reader of lines. The key of a line is its file and its number, from 1.
    [TextLineReader {
        /// Lines to pass over at the beginning of each file.
        skip_header_lines: i64 = Attr::int("skip_header_lines").or_int(0),
    } |op| Ok(Format::Lines { skip: op.skip_header_lines }),
     TextLineReaderV2 {
        /// Lines to pass over at the beginning of each file.
        skip_header_lines: i64 = Attr::int("skip_header_lines").or_int(0),
    } |op| Ok(Format::Lines { skip: op.skip_header_lines })];
    /// A reader whose records are whole files.
    [WholeFileReader {} |_op| Ok(Format::Whole), WholeFileReaderV2 {} |_op| Ok(Format::Whole)];
}
