//! `DecodeCompressed`: decompresses strings.

use crate::prelude::*;
use levada_kernel::Arena;
use levada_records::Compression;
use std::io::{ErrorKind, Read};
use std::sync::Arc;

attrs! {
    /// Decompresses each string.
    pub struct DecodeCompressed {
        /// `ZLIB`, `GZIP`, or empty for uncompressed strings.
        compression_type: Bytes = Attr::string("compression_type").or_str(""),
    }
}

pub static DECODE_COMPRESSED: Def<DecodeCompressed> = op("DecodeCompressed")
    .inputs(&[arg("bytes", is(DType::Str))])
    .outputs(&[arg("output", is(DType::Str))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(decode)
    .heavy();

fn decode(op: &DecodeCompressed, cx: &mut Cx<'_, '_>) -> Result<()> {
    let compression: Compression =
        String::from_utf8_lossy(&op.compression_type).parse().map_err(|error: Error| error.attr("compression_type"))?;
    if compression == Compression::Snappy {
        return Err(Error::invalid("Only ZLIB, GZIP or NONE are supported compressions").attr("compression_type"));
    }
    if compression == Compression::None {
        let input = cx.take(0)?;
        cx.set(0, input);
        return Ok(());
    }
    let shape = cx.input(0)?.shape().clone();
    cx.produce::<Bytes>(0, &shape, |cx, out| {
        for (out, compressed) in out.iter_mut().zip(cx.slice::<Bytes>(0)?) {
            *out = decompress(&cx.device.arena, compression, compressed)?;
        }
        Ok(())
    })
}

/// Bytes decompressed at a time.
const PART: u64 = 1 << 20;

/// Decompresses a string; a truncated one yields the bytes before its end.
fn decompress(arena: &Arc<Arena>, compression: Compression, compressed: &[u8]) -> Result<Bytes> {
    if compression == Compression::Gzip && compressed.len() >= 2 && !compressed.starts_with(&[0x1f, 0x8b]) {
        return Err(Error::new(Code::DataLoss, "a string cannot be decompressed: incorrect header check")
            .expected("a string compressed with GZIP"));
    }
    let (mut read, mut whole) = (compression.decode(compressed), Vec::new());
    loop {
        let before = whole.len();
        match read.by_ref().take(PART).read_to_end(&mut whole) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
            Err(error) => {
                return Err(Error::new(Code::DataLoss, format!("a string cannot be decompressed: {error}"))
                    .found(format!("{before} bytes before the error")));
            }
        }
        arena.check(whole.len())?;
    }
    Ok(Bytes::from(whole))
}
