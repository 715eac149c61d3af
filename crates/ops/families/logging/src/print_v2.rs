//! `PrintV2`: writes a string to the log.

use crate::prelude::*;

/// The supported streams. All of them go to the session's log.
const STREAMS: &[&str] = &["stdout", "stderr", "log(info)", "log(warning)", "log(error)"];

attrs! {
    /// Writes `input` to the log.
    pub struct PrintV2 {
        /// `stdout`, `stderr`, `log(info)`, `log(warning)`, `log(error)` or `file://` followed by a path.
        output_stream: String = Attr::string("output_stream").or_str("stderr"),
        /// Text appended to the string.
        end: Bytes = Attr::string("end").or_str("\n"),
    }
}

pub static PRINT_V2: Def<PrintV2> = op("PrintV2")
    .inputs(&[arg("input", is(DType::Str))])
    .stateful()
    .shape(|_, cx| cx.with_rank(0, 0).map(drop))
    .kernel(print_v2);

fn print_v2(op: &PrintV2, cx: &mut Cx<'_, '_>) -> Result<()> {
    if op.output_stream.starts_with("file://") {
        return Err(Error::permission_denied(format!("PrintV2 may not write to {}", op.output_stream))
            .attr("output_stream")
            .help("write to stdout or stderr"));
    }
    if !STREAMS.contains(&op.output_stream.as_str()) {
        return Err(Error::invalid(format!("Unknown output stream: {}", op.output_stream))
            .attr("output_stream")
            .expected(format!("one of {STREAMS:?}, or file:// and a path"))
            .found(&op.output_stream));
    }
    let input = cx.input(0)?;
    if !input.shape().is_scalar() {
        return Err(Error::invalid(format!("Input is expected to be scalar, but got {}", input.shape())));
    }
    let mut text = input.item::<Bytes>()?.to_vec();
    text.extend_from_slice(&op.end);
    // The log appends its own line break to every entry.
    let text = text.strip_suffix(b"\n").unwrap_or(&text);
    (cx.env().log)(&String::from_utf8_lossy(text));
    Ok(())
}
