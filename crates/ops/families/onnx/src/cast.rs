//! `OnnxCast`: between element types of which Levada has no dtype for one.

use crate::format::{RoundMode, decode, encode};
use crate::prelude::*;

attrs! {
    /// `Cast` of ONNX between types of which one has no dtype: floats of 8, 6 and 4 bits (their codes, in uint8), integers of
    /// 4 and 2 bits (in int8 and uint8).
    pub struct OnnxCast {
        /// Element type that holds `x`.
        src: DType = Attr::dtype("SrcT", sets::ANY),
        /// Element type that holds `y`.
        dst: DType = Attr::dtype("DstT", sets::ANY),
        /// ONNX's number of the element type of `x`.
        from: i64 = Attr::int("from"),
        /// ONNX's number of the element type of `y`.
        to: i64 = Attr::int("to"),
        /// Takes the largest value for one that is too large.
        saturate: bool = Attr::bool("saturate").or_bool(true),
        /// How powers of two (E8M0) are rounded.
        round: String = Attr::one_of("round_mode", &["up", "down", "nearest"]).or_str("up"),
    }
}

pub static ONNX_CAST: Def<OnnxCast> = op("OnnxCast")
    .inputs(&[arg("x", of("SrcT"))])
    .outputs(&[arg("y", of("DstT"))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(onnx_cast)
    .heavy();

fn onnx_cast(op: &OnnxCast, cx: &mut Cx<'_, '_>) -> Result<()> {
    let round = match op.round.as_str() {
        "down" => RoundMode::Down,
        "nearest" => RoundMode::Nearest,
        _ => RoundMode::Up,
    };
    let x = cx.input(0)?;
    let values = decode::<f64>(x, op.from)?;
    let y = encode(cx, (op.to, op.dst), &x.shape().clone(), values, op.saturate, round)?;
    cx.set(0, y);
    Ok(())
}
